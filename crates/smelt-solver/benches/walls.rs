//! What the sandbox costs: `cargo bench -p smelt-solver --bench walls`. Best on a core of its own (`taskset -c 0`).
//!
//! CPU time from the kernel, of smelt, launcher and solver together, in one run: rounds in which each choice of walls has its turn, in an
//! order that rotates. A choice is compared with none round by round; said are the ratio of the means and, in brackets, its 95 % interval (of
//! the differences within rounds). `SMELT_BENCH_ROUNDS` sets how many rounds.
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
const SCRIPTS: u32 = 20;

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

/// Times within walls beside those without in the same rounds: milliseconds, the ratio, and its interval.
fn cell(within: &[f64], without: &[f64]) -> String {
    let (own, base) = (mean(within).0, mean(without).0);
    let differences: Vec<f64> = within.iter().zip(without).map(|(a, b)| a - b).collect();
    let (difference, error) = mean(&differences);
    let ratio = |d: f64| (base + d) / base;
    let [low, high] = [-1.96, 1.96].map(|z| ratio(difference + z * error));
    format!("{own:.2} ms, {:.3} [{low:.3}, {high:.3}]", ratio(difference))
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
    println!("\n| solver | walls | cold | session | script in it |\n|---|---|---|---|---|");
    let choices = [
        ("none", Walls::NONE),
        ("file size", Walls { landlock: 0, ..both }),
        ("Landlock", Walls { file_size: false, ..both }),
        ("both", both),
    ];
    for name in ["z3@4.8.7", "z3@latest", "cvc5@latest", "yices@latest", "cvc5@1.0.9"] {
        let solver = testing::solver(name);
        let solvers = choices.map(|(_, walls)| solver.clone().within(walls));
        // What is only read once is read before it is timed.
        solvers.iter().try_for_each(|s| round(s).map(drop))?;
        let mut seen = vec![[const { Vec::new() }; 3]; choices.len()];
        for k in 0..rounds {
            for turn in 0..choices.len() {
                let i = (k + turn) % choices.len();
                let times = round(&solvers[i])?;
                seen[i].iter_mut().zip(times).for_each(|(all, time)| all.push(time));
            }
        }
        for ((words, _), own) in choices.iter().zip(&seen) {
            let [cold, session, script] = [0, 1, 2].map(|i| match *words {
                "none" => format!("{:.2} ms", mean(&own[i]).0),
                _ => cell(&own[i], &seen[0][i]),
            });
            println!("| {name} | {words} | {cold} | {session} | {script} |");
        }
    }
    Ok(())
}
