//! The doctor: which solvers work here, and what each of them can do.

use std::time::Duration;

use smelt_smtlib::Status;

use crate::limits::{Cancel, Limits, Requests, Setup};
use crate::outcome::Answer;
use crate::probe::Capabilities;
use crate::registry::Registry;
use crate::script::Script;
use crate::session::{Policy, Session};
use crate::solver::Solver;

/// What the doctor found out about a solver.
#[derive(Debug, Clone)]
pub struct Health {
    /// The solver.
    pub solver: Solver,
    /// What is wrong with it; empty when it works.
    pub complaints: Vec<String>,
    /// CPU time of a trivial cold run.
    pub cold_cpu: Duration,
    /// CPU time of a trivial script in a warm session with its reset; `None` when it has no warm mode.
    pub warm_cpu: Option<Duration>,
    /// Why it has none although its profile says so: it works, but each script needs a process of its own.
    pub warm_trouble: Option<&'static str>,
    /// What it supports.
    pub capabilities: Option<Capabilities>,
}

/// Two scripts that every solver answers, whatever its theories.
const TRIALS: [(&str, Status); 2] = [
    ("(set-logic QF_UF)(declare-fun p () Bool)\n(assert p)(check-sat)\n", Status::Sat),
    (
        "(set-logic QF_UF)(declare-fun p () Bool)\n(assert p)(assert (not p))(check-sat)\n",
        Status::Unsat,
    ),
];

/// Examines a solver: cold and warm answers to two-line scripts, then what it supports (probed once, then remembered). How many of
/// the steps of that probe are done is told on the way.
pub fn examine(
    registry: &Registry,
    solver: &Solver,
    cancel: Option<&Cancel>,
    tell: &dyn Fn(usize),
) -> Health {
    let limits = Limits {
        cpu: Some(Duration::from_secs(10)),
        wall: Duration::from_secs(60),
        ..Limits::default()
    };
    let setup = Setup { models: true, limits, ..Setup::default() };
    let mut health = Health {
        solver: solver.clone(),
        complaints: Vec::new(),
        cold_cpu: Duration::ZERO,
        warm_cpu: None,
        warm_trouble: None,
        capabilities: None,
    };
    let requests = Requests { model: true, core: false };
    for (text, expect) in TRIALS {
        match solver.run_cold(&Script::new(text), &setup, requests, cancel) {
            Ok(outcome) => {
                health.cold_cpu = outcome.cpu;
                health.complaints.extend(complaint("cold", outcome.answer(), expect));
            }
            Err(e) => health.complaints.push(e.to_string()),
        }
    }
    if !health.complaints.is_empty() {
        return health;
    }
    match solver.warm_trouble(cancel) {
        Ok(None) => {}
        Ok(Some(trouble)) => {
            health.warm_trouble = Some(trouble);
            health.solver = solver.clone().cold_only();
        }
        Err(e) => health.complaints.push(e.to_string()),
    }
    let solver = &health.solver.clone();
    if solver.warm().is_some() {
        let mut session = Session::new(solver, setup, Policy::default());
        if let Some(cancel) = cancel {
            session = session.cancelled_by(cancel);
        }
        for (text, expect) in TRIALS.into_iter().chain(TRIALS) {
            match session.run(&Script::new(text), requests) {
                Ok(outcome) => {
                    health.warm_cpu = Some(outcome.cpu + outcome.overhead_cpu);
                    health.complaints.extend(complaint("warm", outcome.answer(), expect));
                }
                Err(e) => health.complaints.push(e.to_string()),
            }
        }
        if session.starts() > 1 {
            health.complaints.push(String::from("warm: the session does not survive its scripts"));
        }
    }
    match Capabilities::of_telling(registry.home(), solver, cancel, tell) {
        Ok(found) => health.capabilities = Some(found),
        Err(e) => health.complaints.push(e.to_string()),
    }
    health
}

fn complaint(mode: &str, answer: Option<&Answer>, expect: Status) -> Option<String> {
    match answer {
        Some(answer) if answer.decided() == Some(expect) => None,
        Some(answer) => Some(format!("{mode}: {answer} where {expect} is right")),
        None => Some(format!("{mode}: no answer")),
    }
}
