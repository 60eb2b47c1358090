//! A solver's own words: what it says of scripts whose answers follow from its answer in every theory.

use std::time::Duration;

use smelt_smtlib::{Command, Script, parse, smallest_logic};
use smelt_solver::{Answer, Mode, RunError, Status};
use smelt_triage::{ModelVerdict, Observation, TargetId};

use super::Ask;
use super::before::before;
use super::pinned::{changes_question, with_values};
use crate::relation::related;
use crate::reproducer::Pair;
use crate::shrink::plain;
use crate::target::Target;
use crate::trial::seconds;

/// CPU time that own words may take, in limits of one run.
pub const BUDGET: u32 = 6;

/// Two answers of one solver that exclude each other.
pub struct Contradiction {
    /// What was seen of the script, with what the solver says of the other one.
    pub seen: Observation,
    /// How it was run for both: in one logic, with the same options.
    pub mode: Mode,
    /// The other script.
    pub script: Script,
    /// Its text.
    pub text: String,
    /// How the two are related.
    pub pair: Pair,
}

/// Looks for a script by whose answer a solver contradicts its answer to a script with one check; `values` are scripts with the values of
/// others' models. No answer is taken from another run: both scripts are asked here, in the logic of the stronger one.
pub fn contradiction(
    ask: &mut dyn Ask,
    who: TargetId,
    base: &Script,
    answer: Status,
    mode: &Mode,
    values: &[Script],
    budget: Duration,
) -> Result<Option<Contradiction>, RunError> {
    let target = ask.panel().get(who);
    let aims = |c: &Command| {
        matches!(c, Command::AssertSoft(..) | Command::Minimize(..) | Command::Maximize(..))
    };
    if changes_question(target, mode, base) || base.commands.iter().any(aims) {
        return Ok(None);
    }
    let unseen = target.said(Answer::Unknown(None), None);
    let mut spent = 0.0;
    for (relation, other) in related(base, answer, values) {
        if spent > budget.as_secs_f64() {
            break;
        }
        let logic = Some(joint_logic(base, &other).to_owned());
        let mode = Mode { logic, cores: false, push_pop: false, ..mode.clone() };
        let pair = Pair { expected: relation.expected, rule: relation.word.to_owned() };
        let mut o = unseen.clone();
        let asked = before(ask, &other, Some(&pair), &mode, &mut o)?;
        spent += seconds(&asked.outcome);
        let Some(said) = o.before.filter(|b| b.as_expected()) else { continue };
        let again = ask.ask(who, &mut base.clone(), &mode, None)?;
        spent += seconds(&again.outcome);
        let seen = again.seen.into_iter().next();
        let Some(seen) = seen.filter(|s| s.counts() && s.answer.decided() == Some(answer)) else {
            continue;
        };
        let text = plain(&other);
        let Ok(script) = parse(text.as_bytes()) else { continue };
        let seen = Observation { before: Some(said), ..seen };
        return Ok(Some(Contradiction { seen, mode, script, text, pair }));
    }
    Ok(None)
}

/// A logic in which two scripts can be asked. Who does not take `ALL` is not asked.
pub fn joint_logic(a: &Script, b: &Script) -> &'static str {
    let (a, b) = (smallest_logic(a), smallest_logic(b));
    if a == b { a } else { "ALL" }
}

/// The script with the values of the model that a solver printed for it, unless the evaluator finds the model false.
pub fn values_of(
    target: &Target,
    script: &Script,
    o: &Observation,
    model: Option<&str>,
) -> Option<Script> {
    if !o.counts() || o.answer != Answer::Sat || matches!(o.model, Some(ModelVerdict::False(_))) {
        return None;
    }
    let query = script.queries().into_iter().next()?;
    Some(with_values(script, &query, model?, target.model_options())?.script)
}
