//! A sample of mutants, given to real solvers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use smelt_case::Expectation;
use smelt_smtlib::{LogicChoice, PrintOptions, Script, print};
use smelt_solver::{Answer, Limits, Policy, Requests, Session, Setup, testing};

/// Solvers, and what they said.
pub struct Sample {
    sessions: Vec<Session>,
    folder: PathBuf,
    strategy: String,
    /// By solver and kind of answer: how often it suits, how often it contradicts.
    seen: BTreeMap<(String, String), u64>,
    asked: u64,
    kept: u64,
}

impl Sample {
    pub fn new(folder: &Path, strategy: &str, limit: f64) -> Self {
        let setup = Setup {
            incremental: true,
            limits: Limits::cpu(Duration::from_secs_f64(limit.clamp(0.05, 3600.0))),
            ..Setup::default()
        };
        let solvers = ["z3@latest", "cvc5@latest"].map(testing::solver);
        let sessions =
            solvers.iter().map(|s| Session::new(s, setup.clone(), Policy::default())).collect();
        Self {
            sessions,
            folder: folder.to_owned(),
            strategy: strategy.to_owned(),
            seen: BTreeMap::new(),
            asked: 0,
            kept: 0,
        }
    }

    /// Asks every solver; keeps a script that one contradicts or crashes on.
    pub fn ask(&mut self, script: &Script, expect: &[Expectation], origin: &str) -> Result<()> {
        self.asked += 1;
        for session in &mut self.sessions {
            let solver = session.solver().clone();
            let naming = solver.profile().naming_of(solver.version());
            let options = PrintOptions {
                naming,
                logic: LogicChoice::Smallest,
                strip_status: true,
                ..Default::default()
            };
            let text = print(script, &options);
            let outcome = session.run(&smelt_solver::Script::new(&text), Requests::default());
            let Ok(outcome) = outcome else {
                *self.seen.entry((solver.label().into(), "not run".into())).or_default() += 1;
                continue;
            };
            for (i, (check, e)) in outcome.checks.iter().zip(expect).enumerate() {
                let wrong = matches!(
                    (&check.answer, e),
                    (Answer::Unsat, Expectation::Sat(_)) | (Answer::Sat, Expectation::Unsat)
                );
                let kind = match (wrong, e) {
                    (true, _) => "CONTRADICTS".to_owned(),
                    (_, Expectation::Open) => format!("open: {}", check.answer.kind()),
                    _ => check.answer.kind().to_owned(),
                };
                *self.seen.entry((solver.label().into(), kind)).or_default() += 1;
                if wrong || matches!(check.answer, Answer::Crash(_)) {
                    self.kept += 1;
                    let name = format!("contradicted-{}-{}.smt2", self.strategy, self.kept);
                    let file = self.folder.join(name);
                    let head = format!(
                        "; {} answers {} to check {i}, expected {}\n; {origin}\n",
                        solver.label(),
                        check.answer,
                        e.word()
                    );
                    std::fs::write(&file, format!("{head}{text}"))?;
                    println!("{}: {} says {}", file.display(), solver.label(), check.answer);
                }
            }
        }
        Ok(())
    }

    pub fn report(&self) {
        println!("{} mutants given to solvers:", self.asked);
        for ((solver, kind), n) in &self.seen {
            println!("{n:>8} {solver}: {kind}");
        }
    }
}
