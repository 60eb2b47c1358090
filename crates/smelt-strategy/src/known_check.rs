//! A check of a seed whose answer is known, ready for rules that need nothing else; and a chain of scripts that begin with it.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, Seed, Status};
use smelt_eval::Model;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::arena::Mark;
use smelt_smtlib::{Command, Script, Term};

use crate::Refusal;
use crate::companions::Companions;
use crate::effort::limits;
use crate::frame::Frame;
use crate::fusion::part::whole;

/// The check.
pub(crate) struct KnownCheck {
    /// A workspace with the declarations, and behind them the other checks, if they are kept.
    pub script: Script,
    /// What is asserted.
    pub assertions: Vec<Term>,
    /// Whether it is satisfiable; never unknown.
    pub status: Status,
    /// Values under a model that makes every assertion true.
    pub values: Option<Incremental>,
    /// The other checks, which stand in the script; none if they are left out.
    pub companions: Companions,
}

/// Whether the checks of a seed stay in a script beside the one that is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    Kept,
    LeftOut,
}

impl KnownCheck {
    /// Chooses a check; an `unknown` one is of no use.
    pub fn of(seed: &Seed, others: Others, random: &mut ChaCha8Rng) -> Result<Self, Refusal> {
        let fit: Vec<usize> =
            (0..seed.checks.len()).filter(|&i| seed.checks[i].status != Status::Unknown).collect();
        if fit.is_empty() {
            return Err("no check has a known status".into());
        }
        let check = fit[random.random_range(0..fit.len())];
        let known = &seed.checks[check];
        let mut script = seed.workspace();
        let status = known.status;
        whole(&script, status)?;
        let mut frame = Frame::of(&mut script, true)?;
        let companions = match others {
            Others::Kept => Companions::of(seed, &script, &frame, check),
            Others::LeftOut => Companions::default(),
        };
        let assertions = std::mem::take(&mut frame.checks[check]);
        if assertions.is_empty() {
            return Err("the check asserts nothing".into());
        }
        let mut values = None;
        if status.is_sat()
            && let Some(model) = &known.model
        {
            let mut model = Model::clone(model);
            model.complete(&script.arena, frame.symbols.iter().copied());
            let mut own = Incremental::with_limits(model, limits());
            if assertions.iter().all(|&t| own.holds(&script.arena, t) == Some(true)) {
                values = Some(own);
            }
        }
        script.commands = frame.declarations;
        script.commands.extend(companions.commands.iter().cloned());
        Ok(Self { script, assertions, status, values, companions })
    }

    /// Puts the assertions and a check behind the declarations; returns where the first is.
    pub fn assert_all(script: &mut Script, assertions: &[Term]) -> usize {
        let first = script.commands.len();
        script.commands.extend(assertions.iter().map(|&t| Command::Assert(t)));
        script.commands.push(Command::CheckSat);
        first
    }
}

/// Assertions that change step by step, from a known check on.
pub(crate) struct Asserted {
    /// The script, with what is asserted now.
    pub script: Script,
    /// What is asserted now.
    pub current: Vec<Term>,
    /// What was asserted first.
    first: Vec<Term>,
    /// Where the first assertion is among the commands.
    place: usize,
    /// Whether it is satisfiable; never unknown.
    pub status: Status,
    /// Values under a model that makes every assertion true.
    pub values: Option<Incremental>,
    witness: Option<Arc<Model>>,
    mark: Mark,
}

impl Asserted {
    /// Puts assertions behind the declarations of a script. Later terms go when it begins again.
    pub fn new(
        mut script: Script,
        first: Vec<Term>,
        status: Status,
        values: Option<Incremental>,
    ) -> Self {
        let place = KnownCheck::assert_all(&mut script, &first);
        let witness = values.as_ref().map(|v| Arc::new(v.model().clone()));
        let mark = script.arena.mark();
        Self { script, current: first.clone(), first, place, status, values, witness, mark }
    }

    /// Begins again.
    pub fn restart(&mut self) {
        match &mut self.values {
            Some(v) => v.rollback(&mut self.script.arena, self.mark),
            None => self.script.arena.rollback(self.mark),
        }
        for i in 0..self.first.len() {
            self.set(i, self.first[i]);
        }
    }

    /// Changes an assertion.
    pub fn set(&mut self, i: usize, t: Term) {
        self.current[i] = t;
        self.script.commands[self.place + i] = Command::Assert(t);
    }

    /// What is expected; the model is a witness if every assertion has a value under it.
    pub fn expectation(&self, decided: bool) -> Expectation {
        match (self.status, &self.witness) {
            (Status::Sat, Some(w)) if decided => Expectation::Sat(Some(w.clone())),
            (Status::Sat, _) => Expectation::Sat(None),
            (Status::Unsat, _) => Expectation::Unsat,
            (Status::Unknown, _) => Expectation::Open,
        }
    }
}
