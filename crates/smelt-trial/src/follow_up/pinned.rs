//! The script with the values of a model asserted: where smelt's evaluator cannot tell what a model is worth, solvers may.
//!
//! If the model is one, so is the script with its values satisfiable: whoever gave it and calls that script unsatisfiable contradicts
//! itself. Others are asked for a script whose open values have names (see [`totalise()`]), so that nobody is refuted by
//! another's convention: if there is no model with these values under any choice of the open ones, the model is wrong.

use smelt_eval::witness::values_script;
use smelt_eval::{ModelOptions, parse_model_at};
use smelt_smtlib::{
    Command, Query, Script, flatten, is_incremental, parse, smallest_logic, totalise,
};
use smelt_solver::{Answer, Mode, RunError, Status};
use smelt_triage::{ModelVerdict, Observation, Pinned, TargetId, Voice};

use super::{Ask, Asked, Place};
use crate::content::Content;
use crate::target::Target;

/// A script with the values of a model.
pub struct Values {
    /// The script, in an arena of its own.
    pub script: Script,
    /// Whether its open values have names, so that its answer is the same for everybody.
    pub total: bool,
}

/// The check of a script with the values of a model that was printed for it. Symbols that the model leaves out, and values that are not
/// printed exactly, stay open. `None` if no value can be written down.
pub fn with_values(
    script: &Script,
    query: &Query,
    text: &str,
    options: &ModelOptions,
) -> Option<Values> {
    let mut flat = flatten(script, query);
    let command = flat.queries().first()?.command;
    let model = parse_model_at(&mut flat, command, text.as_bytes(), options).ok()?;
    let total = totalise(&flat).ok();
    let is_total = total.is_some();
    let script = total.map_or(flat, |t| t.script);
    let text = values_script(&script, &model, 0)?;
    let script = parse(text.as_bytes()).ok()?;
    Some(Values { script, total: is_total })
}

/// Asks for the script with the values of a model that the evaluator leaves open.
pub fn make(
    ask: &mut dyn Ask,
    place: &mut Place<'_>,
    o: &mut Observation,
) -> Result<Option<Asked>, RunError> {
    let open = o.model.as_ref().is_some_and(ModelVerdict::is_open);
    let Some(text) = place.said.and_then(|c| c.model.as_deref()) else { return Ok(None) };
    if o.answer != Answer::Sat || !open {
        return Ok(None);
    }
    let options = ask.panel().get(o.who).model_options().clone();
    let Some(mut values) = with_values(place.script, place.query, text, &options) else {
        return Ok(None);
    };
    let mut pinned = Pinned::default();
    let logic = Some(smallest_logic(&values.script).to_owned());
    let own = own_words(ask, place, text, &mut values.script, logic, o.who)?;
    pinned.own = own.as_ref().and_then(|(_, status)| *status);
    if values.total {
        pinned.others = voices(ask, o.who, &mut values.script)?;
    }
    let said = |s: Status| {
        let own = (pinned.own == Some(s)).then(|| o.solver.clone());
        let all: Vec<String> = own
            .into_iter()
            .chain(pinned.others.iter().filter(|v| v.answer == s).map(|v| v.solver.clone()))
            .collect();
        (!all.is_empty()).then(|| format!("{s} by {}", all.join(", ")))
    };
    let all: Vec<String> = [Status::Sat, Status::Unsat].into_iter().filter_map(said).collect();
    if !all.is_empty() {
        place.what += &format!("; with its values {}", all.join(" and "));
    }
    o.pinned = Some(pinned);
    Ok(own.map(|(asked, _)| asked))
}

/// What whoever gave the model says of the script with its values. An `unsat` counts if it gives the same model again in the same logic
/// and mode: else there are two questions.
fn own_words(
    ask: &mut dyn Ask,
    place: &Place<'_>,
    text: &str,
    values: &mut Script,
    logic: Option<String>,
    who: TargetId,
) -> Result<Option<(Asked, Option<Status>)>, RunError> {
    // Of a script with push and pop, one check alone is another question.
    if changes_question(ask.panel().get(who), place.mode, place.script)
        || is_incremental(place.script)
    {
        return Ok(None);
    }
    let mode =
        Mode { logic, cores: false, self_check: false, push_pop: false, ..place.mode.clone() };
    let asked = ask.ask(who, values, &mode, Some(Status::Sat))?;
    let said = asked.seen.first().filter(|o| o.counts()).and_then(|o| o.answer.decided());
    if said != Some(Status::Unsat) {
        return Ok(Some((asked, said)));
    }
    let again = ask.ask(who, &mut place.script.clone(), &mode, None)?;
    let same = |c: &smelt_solver::Check| {
        c.answer == Answer::Sat && c.model.as_deref().is_some_and(|m| words(m) == words(text))
    };
    let same = again.outcome.checks.get(place.check).is_some_and(same);
    Ok(Some((asked, said.filter(|_| same))))
}

/// The words of a model, whatever is between them.
pub fn words(model: &str) -> String {
    model.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What others say of a script.
fn voices(ask: &mut dyn Ask, but: TargetId, script: &mut Script) -> Result<Vec<Voice>, RunError> {
    let content = Content::of(script);
    let takes = |t: &&Target| t.id() != but && t.takes(&content);
    let others: Vec<TargetId> = ask.panel().all().filter(takes).map(Target::id).collect();
    let mut voices = Vec::new();
    for who in others {
        let asked = ask.ask(who, script, &Mode::plain(), None)?;
        let Some(o) = asked.seen.first().filter(|o| o.counts()) else { continue };
        let Some(answer) = o.answer.decided() else { continue };
        // A model that is wrong says nothing.
        if matches!(o.model, Some(ModelVerdict::False(_))) {
            continue;
        }
        let proven = o.model == Some(ModelVerdict::True);
        let Observation { solver, family, shared, .. } = o.clone();
        voices.push(Voice { solver, family, shared, answer, proven });
    }
    Ok(voices)
}

/// Whether a mode or a script has an option by which a solver is asked another question than the script asks.
pub fn changes_question(target: &Target, mode: &Mode, script: &Script) -> bool {
    let profile = target.solver.profile();
    let set = script.commands.iter().filter_map(|c| match c {
        Command::SetOption(key, _) => Some(&**key),
        _ => None,
    });
    let given = mode.options.iter().chain(target.solver.args()).map(String::as_str);
    mode.tactic.is_some() || given.chain(set).any(|o| profile.changes_question(o))
}
