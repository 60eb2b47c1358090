//! What the sandbox costs: `cargo bench -p smelt-solver --bench walls`.
//!
//! CPU time from the kernel, of smelt, launcher and solver together, in one run: rounds in which each choice of walls has its turn.
//! `SMELT_BENCH_ROUNDS` sets how many.
//!
//! * cold: a fresh process for a trivial script.
//! * session: a warm process is started, answers the script once, and is ended.
//! * script: one more script in a warm process.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use smelt_solver::{
    Policy, Requests, RunError, Sandbox, Script, Session, Setup, Solver, Walls, testing,
};

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (> x 3))\n(check-sat)\n";

/// Scripts of one process after the first.
const SCRIPTS: u32 = 50;

fn cpu() -> Duration {
    let part = |t: TimeVal| Duration::from_micros((t.tv_sec() * 1_000_000 + t.tv_usec()) as u64);
    let of = |who| {
        getrusage(who).map(|u| part(u.user_time()) + part(u.system_time())).unwrap_or_default()
    };
    of(UsageWho::RUSAGE_CHILDREN) + of(UsageWho::RUSAGE_SELF)
}

/// Milliseconds of CPU time that something takes.
fn measured(work: impl FnOnce() -> Result<(), RunError>) -> Result<f64, RunError> {
    let start = cpu();
    work()?;
    Ok((cpu() - start).as_secs_f64() * 1e3)
}

/// Cold, session and script, in milliseconds.
fn round(solver: &Solver) -> Result<[f64; 3], RunError> {
    let script = Script::new(SCRIPT);
    let (setup, requests) = (Setup::default(), Requests::default());
    let cold = measured(|| solver.run_cold(&script, &setup, requests, None).map(drop))?;
    let session = measured(|| {
        let mut session = Session::new(solver, setup.clone(), Policy::default());
        session.run(&script, requests).map(drop)
    })?;
    let many = measured(|| {
        let mut session = Session::new(solver, setup.clone(), Policy::default());
        (0..=SCRIPTS).try_for_each(|_| session.run(&script, requests).map(drop))
    })?;
    Ok([cold, session, (many - session) / f64::from(SCRIPTS)])
}

/// Mean and its standard error.
fn mean(all: &[f64]) -> (f64, f64) {
    let n = all.len() as f64;
    let mean = all.iter().sum::<f64>() / n;
    let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let rounds: usize =
        std::env::var("SMELT_BENCH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let both = Walls::wanted(Sandbox::Auto)?;
    println!("CPU milliseconds, {rounds} rounds; walls of this kernel: {both}");
    println!("{:<14} {:<12} {:>16} {:>16} {:>16}", "solver", "walls", "cold", "session", "script");
    let choices = [
        ("none", Walls::NONE),
        ("file size", Walls { landlock: 0, ..both }),
        ("Landlock", Walls { file_size: false, ..both }),
        ("both", both),
    ];
    for name in ["z3@latest", "cvc5@latest", "cvc5@1.0.9", "yices@latest"] {
        let solver = testing::solver(name);
        let mut seen = vec![[const { Vec::new() }; 3]; choices.len()];
        for _ in 0..rounds {
            for ((_, walls), seen) in choices.iter().zip(&mut seen) {
                let times = round(&solver.clone().within(*walls))?;
                seen.iter_mut().zip(times).for_each(|(all, time)| all.push(time));
            }
        }
        for ((words, _), seen) in choices.iter().zip(&seen) {
            let cells = seen.each_ref().map(|all| mean(all));
            let cell = |(mean, error): (f64, f64)| format!("{mean:.3} ± {error:.3}");
            let [cold, session, script] = cells.map(cell);
            println!("{name:<14} {words:<12} {cold:>16} {session:>16} {script:>16}");
        }
    }
    Ok(())
}
