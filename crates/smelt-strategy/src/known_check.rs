//! A check of a seed whose answer is known, ready for rules that need nothing else.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Seed, Status};
use smelt_eval::Model;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::{Command, Script, Term};

use crate::Refusal;
use crate::effort::limits;
use crate::frame::Frame;
use crate::fusion::part::whole;

/// The check.
pub(crate) struct KnownCheck {
    /// A workspace with the declarations only.
    pub script: Script,
    /// What is asserted.
    pub assertions: Vec<Term>,
    /// The status.
    pub sat: bool,
    /// Values under a model that makes every assertion true.
    pub values: Option<Incremental>,
}

impl KnownCheck {
    /// Chooses a check; an `unknown` one is of no use.
    pub fn of(seed: &Seed, random: &mut ChaCha8Rng) -> Result<Self, Refusal> {
        let fit: Vec<usize> =
            (0..seed.checks.len()).filter(|&i| seed.checks[i].status != Status::Unknown).collect();
        if fit.is_empty() {
            return Err("no check has a known status".into());
        }
        let check = fit[random.random_range(0..fit.len())];
        let known = &seed.checks[check];
        let mut script = seed.workspace();
        let sat = known.status == Status::Sat;
        whole(&script, sat)?;
        let mut frame = Frame::of(&mut script, true)?;
        let assertions = std::mem::take(&mut frame.checks[check]);
        if assertions.is_empty() {
            return Err("the check asserts nothing".into());
        }
        let mut values = None;
        if sat && let Some(model) = &known.model {
            let mut model = Model::clone(model);
            model.complete(&script.arena, frame.symbols.iter().copied());
            let mut own = Incremental::with_limits(model, limits());
            if assertions.iter().all(|&t| own.holds(&script.arena, t) == Some(true)) {
                values = Some(own);
            }
        }
        script.commands = frame.declarations;
        Ok(Self { script, assertions, sat, values })
    }

    /// Puts the assertions and a check behind the declarations; returns where the first is.
    pub fn assert_all(script: &mut Script, assertions: &[Term]) -> usize {
        let first = script.commands.len();
        script.commands.extend(assertions.iter().map(|&t| Command::Assert(t)));
        script.commands.push(Command::CheckSat);
        first
    }
}
