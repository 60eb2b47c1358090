//! A satisfiable seed out of any seed, without asking a solver.
//!
//! Under a random assignment, assertions that are false are negated, and those without a value are left out. What comes out is
//! true under the assignment, in every theory that the evaluator covers, whatever the status of the seed was.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Known, Seed, Status};
use smelt_eval::{Evaluator, Value};
use smelt_smtlib::{Command, Op};

use crate::assignment::random_model;
use crate::constant::Constants;
use crate::effort::limits;
use crate::frame::{Frame, no_recursion};

/// A variant of the seed with one check and a model of it; `None` if nothing of the seed has a value.
pub fn satisfy(seed: &Seed, random: &mut ChaCha8Rng) -> Option<Seed> {
    let mut script = seed.workspace();
    no_recursion(&script).ok()?;
    let frame = Frame::of(&mut script, false).ok()?;
    let roots = frame.assertions();
    let mut constants = Constants::of(&script.arena, &roots);
    let model = random_model(&mut script.arena, &frame.symbols, &mut constants, random);
    let mut evaluator = Evaluator::new(limits());
    script.commands = frame.declarations;
    let mut some = false;
    for t in roots {
        let t = match evaluator.eval(&script.arena, &model, t) {
            Ok(Value::Bool(true)) => t,
            Ok(Value::Bool(false)) => script.arena.app(Op::Not, &[], &[t]).ok()?,
            _ => continue,
        };
        script.commands.push(Command::Assert(t));
        some = true;
    }
    if !some {
        return None;
    }
    script.commands.push(Command::CheckSat);
    let known =
        Known { status: Status::Sat, basis: Basis::Evaluated, model: Some(Arc::new(model)) };
    Some(Seed::new(seed.name.clone(), seed.hash.clone(), script, vec![known]))
}
