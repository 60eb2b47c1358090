//! What is asked where answers disagree and no evidence settles it: the script with names for its open values, the model of who says `sat`,
//! and what the accused says of scripts whose answers follow from its own.

use smelt_smtlib::{Script, flatten, totalise};
use smelt_solver::{Mode, RunError, Status};
use smelt_triage::{Class, Truth, closed_part, leaves_open};

use super::{Attempt, Confirmed, Court, Related};
use crate::content::Content;
use crate::follow_up::Ask;
use crate::follow_up::related::{BUDGET, Contradiction, contradiction, values_of};

impl Court<'_> {
    /// Looks on where an accusation was repeated and nothing settled it. The error is a model by which a relation of smelt's is wrong.
    pub(super) fn inquire(
        &self,
        a: &Attempt,
        truth: Truth,
    ) -> Result<Result<Option<Confirmed>, String>, RunError> {
        let Some(query) = a.script.queries().into_iter().nth(a.check) else { return Ok(Ok(None)) };
        // A model that solvers find to be none says more than the answer.
        if a.class.row().wrong == Some(Status::Sat) {
            for class in [Class::InvalidModel, Class::ModelContradiction] {
                let attempt = Attempt { class, ..a.clone() };
                if let Some(found) = self.confirm_attempt(&attempt, truth)? {
                    return Ok(Ok(Some(found)));
                }
            }
        }
        let alone = Attempt {
            script: flatten(&a.script, &query),
            check: 0,
            transcript: String::new(),
            mode: Mode { cores: false, push_pop: false, ..a.mode.clone() },
            model: None,
            before: None,
            foreign: true,
            ..a.clone()
        };
        // If those of its assertions are unsatisfiable that leave nothing open, so is the whole.
        if a.class.row().wrong == Some(Status::Sat)
            && let Some(part) = closed_part(&a.script, &query)
        {
            let part = Attempt { script: flatten(&a.script, &part), ..alone.clone() };
            if let Some(found) = self.confirm_attempt(&part, Truth::default())? {
                return Ok(Ok(Some(found)));
            }
        }
        let mut base = alone.clone();
        if leaves_open(&a.script, &query) {
            let Ok(total) = totalise(&alone.script) else { return Ok(Ok(None)) };
            base = Attempt { script: total.script, totalised: true, ..alone.clone() };
            // What was tried or made with it is of the script as it came in; its label is of both.
            let label = Truth { label: truth.label, ..Truth::default() };
            if let Some(found) = self.confirm_attempt(&base, label)? {
                return Ok(Ok(Some(found)));
            }
            if let Some(attempt) = self.contradicted(&alone)? {
                return self.clash(&attempt, Truth::default());
            }
        }
        match self.contradicted(&base)? {
            Some(attempt) => self.clash(&attempt, Truth::default()),
            None => Ok(Ok(None)),
        }
    }

    /// The accusation that the accused contradicts itself, on a script whose answer follows from its own in every theory.
    fn contradicted(&self, base: &Attempt) -> Result<Option<Attempt>, RunError> {
        let Some(answer) = base.class.row().wrong else { return Ok(None) };
        let values = if answer == Status::Unsat { self.values(base)? } else { Vec::new() };
        let (mut fresh, who, budget) = (self.fresh(), base.accused, self.cpu * BUDGET);
        let script = &base.script;
        let found = contradiction(&mut fresh, who, script, answer, &base.mode, &values, budget)?;
        Ok(found.map(|Contradiction { mode, script, text, pair, .. }| {
            let (expected, rule, parameters) = (pair.expected, pair.rule, Vec::new());
            let related = Related { text, expected, rule, parameters };
            let class = Class::NeighbourContradiction;
            Attempt { class, mode, before: Some((script, related)), ..base.clone() }
        }))
    }

    /// The script with the values of each model that another solver gives for it and that the evaluator cannot judge.
    fn values(&self, base: &Attempt) -> Result<Vec<Script>, RunError> {
        let content = Content::of(&base.script);
        let mut values = Vec::new();
        for peer in self.panel.all().filter(|p| p.id() != base.accused && p.takes(&content)) {
            let script = &mut base.script.clone();
            let asked = self.fresh().ask(peer.id(), script, &Mode::plain(), None)?;
            if let ([o], [said]) = (&*asked.seen, &*asked.outcome.checks) {
                values.extend(values_of(peer, &base.script, o, said.model.as_deref()));
            }
        }
        Ok(values)
    }
}
