//! What a campaign does per test, and how much of the CPU is smelt's own: `cargo bench -p smelt-triage`.
//!
//! Print the script, run it in a warm session of z3 and of cvc5 with a request for the model, judge the models. All on
//! small scripts of `$SMELT_CORPUS/seeds`, or of the repository's `corpus` folder; `SMELT_BENCH_SCRIPTS` sets how many.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use smelt_eval::ModelOptions;
use smelt_smtlib::{PrintOptions, parse, print};
use smelt_solver::{Limits, Policy, Requests, Session, Setup, testing};
use smelt_triage::{ModelVerdict, judge_model};

fn own_cpu() -> Duration {
    let part = |t: TimeVal| Duration::from_micros((t.tv_sec() * 1_000_000 + t.tv_usec()) as u64);
    getrusage(UsageWho::RUSAGE_SELF)
        .map(|u| part(u.user_time()) + part(u.system_time()))
        .unwrap_or_default()
}

fn scripts_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            found.push(path);
        }
    }
}

/// CPU of one stage.
#[derive(Default)]
struct Stage(Duration);

impl Stage {
    fn time<T>(&mut self, job: impl FnOnce() -> T) -> T {
        let start = own_cpu();
        let done = job();
        self.0 += own_cpu() - start;
        done
    }
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let wanted: usize =
        std::env::var("SMELT_BENCH_SCRIPTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let folder = std::env::var_os("SMELT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"),
        |c| PathBuf::from(c).join("seeds"),
    );
    let mut paths = Vec::new();
    scripts_below(&folder, &mut paths);
    paths.sort();
    let small = |p: &PathBuf| std::fs::metadata(p).is_ok_and(|m| m.len() < 3000);
    paths.retain(small);
    let step = (paths.len() / wanted).max(1);
    let limits = Limits {
        cpu: Some(Duration::from_secs(1)),
        wall: Duration::from_secs(20),
        ..Limits::default()
    };
    let setup = Setup { models: true, limits, ..Setup::default() };
    let solvers = [testing::solver("z3@latest"), testing::solver("cvc5@latest")];
    let mut sessions: Vec<Session> =
        solvers.iter().map(|s| Session::new(s, setup.clone(), Policy::default())).collect();
    let (mut printing, mut running, mut judging) =
        (Stage::default(), Stage::default(), Stage::default());
    let mut solver_cpu = Duration::ZERO;
    let (mut tests, mut judged) = (0u32, 0u32);
    let mut verdicts = std::collections::BTreeMap::<&str, u32>::new();
    let mut slowest: Vec<(Duration, String)> = Vec::new();
    for path in paths.iter().step_by(step).take(wanted) {
        let Ok(mut script) = parse(&std::fs::read(path)?) else { continue };
        let Some(query) = script.queries().into_iter().next() else { continue };
        tests += 1;
        let text = printing.time(|| {
            let options = PrintOptions { strip_status: true, ..PrintOptions::default() };
            smelt_solver::Script::new(&print(&script, &options))
        });
        for session in &mut sessions {
            let request = Requests { model: true, core: false };
            let outcome = running.time(|| session.run(&text, request))?;
            solver_cpu += outcome.cpu + outcome.overhead_cpu;
            if let Some(model) = outcome.checks.first().and_then(|c| c.model.as_deref()) {
                judged += 1;
                let before = judging.0;
                let verdict = judging
                    .time(|| judge_model(&mut script, &query, model, &ModelOptions::default()));
                slowest.push((judging.0 - before, path.display().to_string()));
                let word = match verdict {
                    ModelVerdict::True | ModelVerdict::TrueAsChosen => "true",
                    ModelVerdict::False(_) => "false",
                    ModelVerdict::Unspecified(_) | ModelVerdict::Undetermined(_) => "undetermined",
                    ModelVerdict::Unreadable(_) => "unreadable",
                };
                *verdicts.entry(word).or_default() += 1;
            }
        }
    }
    let own = printing.0 + running.0 + judging.0;
    let per = |d: Duration, n: u32| d.as_secs_f64() * 1e6 / f64::from(n.max(1));
    println!("{tests} scripts, {judged} models: {verdicts:?}");
    println!("printing     {:>9.1} us per script", per(printing.0, tests));
    println!(
        "running      {:>9.1} us per run (writing, waiting, reading)",
        per(running.0, 2 * tests)
    );
    println!("judging      {:>9.1} us per model", per(judging.0, judged));
    println!("solvers      {:>9.1} us per run", per(solver_cpu, 2 * tests));
    let share = own.as_secs_f64() / (own + solver_cpu).as_secs_f64();
    println!("smelt's own share of the CPU: {:.1} % (must be below 5 %)", share * 100.0);
    slowest.sort();
    for (time, name) in slowest.iter().rev().take(5) {
        println!("  judged in {:>8.1} ms: {name}", time.as_secs_f64() * 1e3);
    }
    Ok(())
}
