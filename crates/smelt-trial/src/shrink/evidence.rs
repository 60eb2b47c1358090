//! What proves an answer wrong, of the first script and of each smaller one: a witness, all values tried, or what other families say.

use std::collections::BTreeSet;

use smelt_eval::{Exhausted, exhaust, model_text, parse_model};
use smelt_smtlib::{Query, Script};
use smelt_solver::{Answer, Mode, RunError, Status};
use smelt_triage::{ModelVerdict, Observation, TargetId};

use super::{Effort, NotReduced};
use crate::content::Content;
use crate::follow_up::{Ask, Fresh};
use crate::panel::Panel;
use crate::reproducer::{Reproducer, satisfies};

/// What must be known of a candidate beside what the accused says.
pub(super) enum Need {
    /// Nothing: what the accused does shows it.
    Nothing,
    /// A model that the evaluator finds true: this one, as far as it goes.
    Witness(String),
    /// So many other families must say the opposite, or all values must have been tried.
    Agreement(Status, usize),
}

impl Need {
    /// What proves the fault of a reproducer on a script.
    pub fn of(
        panel: &Panel,
        who: TargetId,
        reproducer: &Reproducer,
        script: &Script,
        effort: &Effort<'_>,
    ) -> Result<Self, NotReduced> {
        let Some(wrong) = reproducer.class.row().wrong else { return Ok(Self::Nothing) };
        let mut script = script.clone();
        let Some(query) = script.queries().into_iter().nth(reproducer.check) else {
            return Err(NotReduced::DoesNotShow("it has no such check".into()));
        };
        if let (Status::Unsat, Some(w)) = (wrong, &reproducer.witness)
            && satisfies(w, &mut script, &query)
        {
            return Ok(Self::Witness(w.clone()));
        }
        let mut fresh = Fresh { panel, cpu: effort.cpu, cancel: effort.cancel, met: None };
        let (right, tried) = (opposite(wrong), exhaust(&script, &query));
        match (wrong, tried) {
            (Status::Sat, Some(Exhausted::Unsat)) => return Ok(Self::Agreement(right, 0)),
            (Status::Unsat, Some(Exhausted::Sat(model))) => {
                if let Ok(text) = model_text(&script, &model) {
                    return Ok(Self::Witness(text));
                }
            }
            _ => {}
        }
        let said = opinions(&mut fresh, who, &mut script, &query, reproducer.check, right)?;
        match said {
            Said::Model(text) if wrong == Status::Unsat => Ok(Self::Witness(text)),
            Said::Agree(0) | Said::Contested => {
                let all = panel.all().filter(|t| t.id() != who).map(|t| t.label.as_str());
                let all = all.collect::<Vec<_>>().join(", ");
                Err(NotReduced::NoEvidence(if all.is_empty() {
                    "there is no witness, and no other solver to ask for one".into()
                } else {
                    format!(
                        "there is no witness, and of {all} none gives a model that is true or says {right}"
                    )
                }))
            }
            Said::Agree(n) => Ok(Self::Agreement(right, n.min(2))),
            Said::Model(_) => {
                Err(NotReduced::NoEvidence("another solver has a model of it".into()))
            }
        }
    }

    /// The witness, if one is needed.
    pub fn witness(&self) -> Option<&str> {
        match self {
            Self::Witness(text) => Some(text),
            _ => None,
        }
    }
}

fn opposite(status: Status) -> Status {
    match status {
        Status::Sat => Status::Unsat,
        _ => Status::Sat,
    }
}

/// What others say of a check.
pub(super) enum Said {
    /// A model that is true, in the words of the standard.
    Model(String),
    /// So many other families have the right answer, and none the wrong one.
    Agree(usize),
    /// Somebody has the wrong answer, too.
    Contested,
}

/// Asks the others of a panel, those of the accused's own family last. One true model is enough.
pub(super) fn opinions(
    ask: &mut dyn Ask,
    accused: TargetId,
    script: &mut Script,
    query: &Query,
    check: usize,
    right: Status,
) -> Result<Said, RunError> {
    let content = Content::of(script);
    let family = ask.panel().get(accused).family().to_owned();
    let mut others: Vec<(bool, TargetId)> = ask
        .panel()
        .all()
        .filter(|t| t.id() != accused && t.knows(&content))
        .map(|t| (t.family() == family, t.id()))
        .collect();
    others.sort_unstable();
    let mut agree: BTreeSet<String> = BTreeSet::new();
    let mut contested = false;
    for (is_kin, who) in others {
        let asked = ask.ask(who, script, &Mode::plain(), None)?;
        let Some(o) = asked.seen.get(check) else { continue };
        if o.model == Some(ModelVerdict::True)
            && let Some(text) = asked.outcome.checks.get(check).and_then(|c| c.model.as_deref())
            && let Some(text) = standard(ask.panel(), who, script, query, text)
        {
            return Ok(Said::Model(text));
        }
        // A model that is true is one, whatever is said of the release's word.
        if o.no_verdict.is_some() {
            continue;
        }
        match &o.answer {
            Answer::Sat | Answer::Unsat if o.answer.decided() == Some(right) && !is_kin => {
                agree.insert(o.family.clone());
            }
            Answer::Sat | Answer::Unsat if !is_kin => contested = true,
            _ => {}
        }
    }
    Ok(if contested { Said::Contested } else { Said::Agree(agree.len()) })
}

/// A solver's model in the words of the standard, if it is still true in them.
fn standard(
    panel: &Panel,
    who: TargetId,
    script: &mut Script,
    query: &Query,
    text: &str,
) -> Option<String> {
    let mark = script.arena.mark();
    let model = parse_model(script, text.as_bytes(), panel.get(who).model_options()).ok();
    let text = model.and_then(|m| model_text(script, &m).ok());
    script.arena.rollback(mark);
    text.filter(|t| satisfies(t, script, query))
}

/// Whether an answer alone rules a fault out.
pub(super) fn may_show(reproducer: &Reproducer, o: &Observation) -> bool {
    (reproducer.class.row().suspect)(o)
}
