//! Queries per CPU second, warm against cold, on small scripts: `cargo bench -p smelt-solver`.
//!
//! All figures come from one run on one machine and are CPU time from the kernel. Scripts are taken from
//! `$SMELT_CORPUS/seeds` if that is set, else from the repository's `corpus` folder; `SMELT_BENCH_SCRIPTS` sets how many.
//!
//! * cold: a fresh process per script, with launcher.
//! * warm: one session, reset between scripts, with launcher and smelt's own work.
//! * side by side: the scripts in one session and in two at once; on two idle cores the second costs no time.
//! * file: the same scripts and resets fed to the same command line from a file: the solver's own cost.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use smelt_solver::{Limits, Policy, Requests, Script, Session, Setup, Solver, testing};

fn cpu(who: UsageWho) -> Duration {
    let part = |t: TimeVal| Duration::from_micros((t.tv_sec() * 1_000_000 + t.tv_usec()) as u64);
    getrusage(who).map(|u| part(u.user_time()) + part(u.system_time())).unwrap_or_default()
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

/// Small scripts with one check, spread evenly over the corpus.
fn corpus() -> Vec<Script> {
    let folder = std::env::var_os("SMELT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"),
        |c| PathBuf::from(c).join("seeds"),
    );
    let mut paths = Vec::new();
    scripts_below(&folder, &mut paths);
    paths.sort();
    let all: Vec<Script> = paths
        .iter()
        .filter_map(|p| std::fs::read_to_string(p).ok())
        .filter(|t| t.len() < 3000)
        .map(|t| Script::new(&t))
        .filter(|s| s.checks() == 1 && s.fits_warm() && !s.incremental())
        .collect();
    let step = (all.len() / 1500).max(1);
    all.into_iter().step_by(step).collect()
}

/// Runs the command line of a warm session with all scripts at once on its standard input: the solver's own part of the time.
fn run_from_file(solver: &Solver, setup: &Setup, scripts: &[Script]) -> std::io::Result<()> {
    let mut file = tempfile()?;
    for script in scripts {
        writeln!(file, "{}\n(echo \"x\")\n(reset)", script.text())?;
    }
    file.rewind()?;
    let argv = solver.warm_command(setup);
    Command::new(&argv[0])
        .args(&argv[1..])
        .stdin(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(())
}

/// Runs all scripts in each of several sessions at once: cores used, and queries per second of wall time.
fn side_by_side(
    solver: &Solver,
    setup: &Setup,
    scripts: &[Script],
    sessions: usize,
) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let busy = || cpu(UsageWho::RUSAGE_CHILDREN) + cpu(UsageWho::RUSAGE_SELF);
    let (start, begun) = (busy(), Instant::now());
    let job = || -> Result<(), smelt_solver::RunError> {
        let mut session = Session::new(solver, setup.clone(), Policy::default());
        for script in scripts {
            session.run(script, Requests::default())?;
        }
        session.stop();
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..sessions).map(|_| scope.spawn(job)).collect();
        threads.into_iter().try_for_each(|t| t.join().unwrap_or(Ok(())))
    })?;
    let wall = begun.elapsed().as_secs_f64();
    let cores = (busy() - start).as_secs_f64() / wall;
    Ok((cores, (scripts.len() * sessions) as f64 / wall))
}

fn tempfile() -> std::io::Result<File> {
    let path = std::env::temp_dir().join(format!("smelt-bench-{}", std::process::id()));
    let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let wanted: usize =
        std::env::var("SMELT_BENCH_SCRIPTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let corpus = corpus();
    println!(
        "CPU milliseconds per query; ratio = cold / warm; overhead = warm - file (must be at most 1.0)"
    );
    println!(
        "{:<14} {:>7} {:>7} {:>7} {:>7} {:>8} {:>9} {:>9} {:>9}",
        "solver", "scripts", "cold", "warm", "file", "ratio", "overhead", "own share", "warm q/s"
    );
    for name in ["z3@4.8.7", "z3@latest", "cvc5@latest"] {
        let solver = testing::solver(name);
        let limits = Limits {
            cpu: Some(Duration::from_secs(1)),
            wall: Duration::from_secs(20),
            ..Limits::default()
        };
        let setup = Setup { limits, ..Setup::default() };
        // Only scripts that this release takes and decides quickly: the cost of running is what is measured.
        let mut chosen = Vec::new();
        for script in &corpus {
            if chosen.len() == wanted {
                break;
            }
            let outcome = solver.run_cold(script, &setup, Requests::default(), None)?;
            let quick = outcome.cpu < Duration::from_millis(60);
            if quick
                && outcome.errors.is_empty()
                && outcome.answer().is_some_and(|a| a.decided().is_some())
            {
                chosen.push(script.clone());
            }
        }
        let n = chosen.len().max(1) as u32;
        let start = cpu(UsageWho::RUSAGE_CHILDREN) + cpu(UsageWho::RUSAGE_SELF);
        for script in &chosen {
            solver.run_cold(script, &setup, Requests::default(), None)?;
        }
        let cold = cpu(UsageWho::RUSAGE_CHILDREN) + cpu(UsageWho::RUSAGE_SELF) - start;
        let start = cpu(UsageWho::RUSAGE_CHILDREN);
        run_from_file(&solver, &setup, &chosen)?;
        let file = cpu(UsageWho::RUSAGE_CHILDREN) - start;
        let (start, own_start) = (cpu(UsageWho::RUSAGE_CHILDREN), cpu(UsageWho::RUSAGE_SELF));
        let session_setup = setup.clone();
        let mut session =
            Session::new(&solver, setup, Policy { scripts: Some(u32::MAX), ..Policy::default() });
        for script in &chosen {
            session.run(script, Requests::default())?;
        }
        let starts = session.starts();
        session.stop();
        drop(session);
        let own = cpu(UsageWho::RUSAGE_SELF) - own_start;
        let warm = cpu(UsageWho::RUSAGE_CHILDREN) - start + own;
        let ms = |d: Duration| d.as_secs_f64() * 1e3 / f64::from(n);
        println!(
            "{name:<14} {n:>7} {:>7.2} {:>7.2} {:>7.2} {:>7.1}x {:>9.2} {:>8.1}% {:>9.0}{}",
            ms(cold),
            ms(warm),
            ms(file),
            cold.as_secs_f64() / warm.as_secs_f64(),
            ms(warm) - ms(file),
            100.0 * own.as_secs_f64() / warm.as_secs_f64(),
            f64::from(n) / warm.as_secs_f64(),
            if starts > 1 { format!("  ({starts} starts)") } else { String::new() },
        );
        let one = side_by_side(&solver, &session_setup, &chosen, 1)?;
        let two = side_by_side(&solver, &session_setup, &chosen, 2)?;
        println!(
            "{:<14} one session {:.2} cores, {:.0} q/s; two side by side {:.2} cores, {:.0} q/s ({:.2}x)",
            "",
            one.0,
            one.1,
            two.0,
            two.1,
            two.1 / one.1
        );
    }
    Ok(())
}
