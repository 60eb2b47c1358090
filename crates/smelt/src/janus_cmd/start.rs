//! Where chains begin: what a seed is taken for.

use std::sync::Arc;

use smelt_case::{Basis, Known, Seed, Status, digest};
use smelt_eval::{Evaluator, Model, ModelOptions, Value, parse_model};
use smelt_smtlib::{Script, parse};
use smelt_solver::{Answer, Requests};

use super::bench::Bench;
use crate::seeds::Source;

impl Bench {
    /// A seed with the target's own answer as status, and its model if that is one. What it does not decide is of no use.
    pub fn seed(&mut self, source: &Source) -> Option<Seed> {
        let mut script = parse(&source.text).ok()?;
        let queries = script.queries();
        let [query] = &queries[..] else { return None };
        let text = self.print(&script);
        let requests = Requests { model: true, core: false };
        let outcome = self.models.run(&smelt_solver::Script::new(&text), requests).ok()?;
        let check = outcome.checks.first()?;
        let status = match check.answer {
            Answer::Sat => Status::Sat,
            Answer::Unsat => Status::Unsat,
            _ => return None,
        };
        // The label says otherwise: somebody is wrong, and it is not a seed to rest on.
        let label = script.info(":status");
        if matches!((label, status), (Some("sat"), Status::Unsat) | (Some("unsat"), Status::Sat)) {
            return None;
        }
        let mut known =
            Known { status, basis: Basis::Agreed(vec![self.target_name().into()]), model: None };
        if let Some(text) = &check.model {
            let assertions = query.assertions.clone();
            known.model = model(&mut script, text, &assertions);
        }
        let (name, hash) = (source.name.clone(), digest(&source.text));
        Some(Seed::new(name, hash, script, vec![known]))
    }
}

/// A model that smelt's evaluator finds true.
fn model(script: &mut Script, text: &str, assertions: &[smelt_smtlib::Term]) -> Option<Arc<Model>> {
    let mark = script.arena.mark();
    let model = parse_model(script, text.as_bytes(), &ModelOptions::default()).ok();
    if let Some(m) = model {
        let mut evaluator = Evaluator::default();
        let holds =
            |&t: &smelt_smtlib::Term| evaluator.eval(&script.arena, &m, t) == Ok(Value::Bool(true));
        if assertions.iter().all(holds) {
            return Some(Arc::new(m));
        }
    }
    script.arena.rollback(mark);
    None
}
