//! Compares the answers of warm sessions with those of cold runs over a folder of scripts and names every exception:
//! `cargo run --release -p smelt-solver --example warm_equals_cold -- FOLDER [EVERY] SOLVER…`

use std::path::{Path, PathBuf};
use std::time::Duration;

use smelt_solver::{
    Answer, Limits, Policy, Requests, Script, Session, Setup, SolverSpec, Source, testing,
};

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

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let mut args = std::env::args().skip(1).peekable();
    let folder = PathBuf::from(args.next().ok_or("no folder")?);
    let every: usize = args.next_if(|a| a.parse::<usize>().is_ok()).map_or(Ok(1), |a| a.parse())?;
    let mut paths = Vec::new();
    scripts_below(&folder, &mut paths);
    paths.sort();
    let limits = Limits {
        cpu: Some(Duration::from_millis(1000)),
        wall: Duration::from_secs(30),
        ..Limits::default()
    };
    let setup = Setup { models: true, limits, ..Setup::default() };
    for name in args {
        let spec = SolverSpec::parse(&name)?;
        let solver = match &spec.source {
            Source::Release(..) => testing::solver(&name),
            _ => testing::registry().resolve(&spec)?,
        };
        let mut session = Session::new(&solver, setup.clone(), Policy::default());
        let (mut equal, mut limit, mut cold_only, mut different) = (0, 0, 0, 0);
        for path in paths.iter().step_by(every) {
            let script = Script::new(&String::from_utf8_lossy(&std::fs::read(path)?));
            let warm = session.run(&script, Requests::default())?;
            if !warm.warm {
                cold_only += 1;
                continue;
            }
            let cold = solver.run_cold(&script, &setup, Requests::default(), None)?;
            // Rejections quote line numbers, which a session counts from its start; unknowns may name other reasons.
            let same = |a: &Answer, b: &Answer| match (a, b) {
                (Answer::Rejected { answer: x, .. }, Answer::Rejected { answer: y, .. }) => x == y,
                (a, b) => a.kind() == b.kind(),
            };
            let by_limit = |a: &Answer| matches!(a, Answer::Timeout(_) | Answer::OutOfMemory);
            if warm.checks.len() == cold.checks.len()
                && warm.answers().zip(cold.answers()).all(|(a, b)| same(a, b))
            {
                equal += 1;
            } else if warm.answers().chain(cold.answers()).any(by_limit) {
                limit += 1;
            } else {
                different += 1;
                let show = |o: &smelt_solver::Outcome| {
                    o.answers().map(ToString::to_string).collect::<Vec<_>>().join(", ")
                };
                let shown = path.strip_prefix(&folder).unwrap_or(path).display();
                println!("{name} {shown}: warm {} / cold {}", show(&warm), show(&cold));
            }
        }
        println!(
            "{name}: {equal} equal, {different} different, {limit} where a limit ended one of the two, {cold_only} run cold only, {} starts",
            session.starts()
        );
    }
    Ok(())
}
