//! Where chains begin: what a seed is taken for, and what its own answers show.

use std::sync::Arc;

use smelt_case::{Basis, Known, Seed, Status, digest};
use smelt_eval::{Evaluator, Model, ModelOptions, Value, parse_model};
use smelt_smtlib::{Script, parse};
use smelt_solver::{Answer, Check, Solver, Verdict};

use super::bench::Bench;
use super::evidence::Evidence;
use super::finding::{Finding, Kind};
use super::found::Found;
use super::{Step, Tally};
use crate::check_solvers::label;
use crate::seeds::Source;

/// What stands for the rule where no step was made.
const SEED: &str = "seed";

impl Bench {
    /// A seed with its status, and a model if the evaluator finds one true. What the newest release says is enough if a model or
    /// the label of the seed agrees; else the oldest release that decides it counts. A seed that the newest loses is a finding
    /// itself, and so is `unsat` where a model is true. Of no use is what no release decides, what they do not agree on, and
    /// what the newest cannot do for a reason.
    pub fn seed(
        &mut self,
        source: &Source,
        tally: &mut Tally,
        found: &mut Found,
    ) -> Result<Start, String> {
        let mut script = parse(&source.text).map_err(|_| "smelt cannot read it")?;
        // As the seed will have them: models are kept as text.
        script.keep_names_apart();
        let queries = script.queries();
        let [query] = &queries[..] else { return Err("it has not one check".into()) };
        let text = self.print(&script);
        let says = match script.info(":status") {
            Some("sat") => Some(Verdict::Sat),
            Some("unsat") => Some(Verdict::Unsat),
            _ => None,
        };
        let decided = |c: &Check| c.answer.decided();
        let is_model = |c: &Check| {
            let model = c.model.as_deref().filter(|_| c.answer == Answer::Sat);
            model.is_some_and(|m| Evidence::new(m, &text).judges(&text) == Some(true))
        };
        let newest = self.warm(&text, true)?;
        let agrees = decided(&newest).is_some() && decided(&newest) == says;
        let (target, older) = self.solvers.split_last().ok_or("there is no solver")?;
        // Who was asked, the oldest first.
        let mut asked: Vec<(&Solver, Check)> = Vec::new();
        if !agrees && !is_model(&newest) {
            asked.extend(older.iter().map(|s| (s, self.check(s, &text, true))));
        }
        asked.push((target, newest));
        let (solvers, checks): (Vec<Solver>, Vec<Check>) =
            asked.into_iter().map(|(s, c)| (s.clone(), c)).unzip();
        let against = checks.iter().filter(|c| decided(c).is_some_and(|v| Some(v) != says));
        tally.against_label += against.count() as u64 * u64::from(says.is_some());
        // Who has a model that is one.
        let proof = checks.iter().position(is_model);
        let first = checks.iter().position(|c| decided(c).is_some());
        let newest = checks[checks.len() - 1].answer.clone();
        let by = proof.or(first);
        let found_by = by.and_then(|by| Some((by, decided(&checks[by])?)));
        let Some((by, verdict)) = found_by else {
            return Err(format!("not decided ({})", newest.kind()));
        };
        let witness = proof.and_then(|by| checks[by].model.as_deref());
        let step =
            Step { before: &text, after: &text, expected: verdict, rule: SEED, model: witness };
        for (i, check) in checks.iter().enumerate() {
            if decided(check).is_none_or(|v| v == verdict) {
                continue;
            }
            if proof.is_none() {
                // Somebody is wrong, and it is not a seed to rest on.
                return Err("the releases do not agree".into());
            }
            if self.cold(&solvers[i], &text) == Answer::Unsat {
                let why = format!("unsat, but a model of {} is one", label(&solvers[by]));
                let f = Finding::new(Kind::Wrong, &label(&solvers[i]), &step, why);
                found.add(f.on(&source.name));
            }
        }
        if proof.is_none() && says.is_some_and(|l| l != verdict) {
            return Err("the answer is against its label, without a model".into());
        }
        let lost = self.is_lost(&newest);
        if lost {
            if let Some(f) = self.confirm_unknown(&step, false, None) {
                found.add(f.on(&source.name));
            }
        } else if newest.decided().is_none() {
            return Err(format!("not decided ({})", newest.kind()));
        }
        let status = if verdict == Verdict::Sat { Status::Sat } else { Status::Unsat };
        let basis = Basis::Agreed(vec![solvers[by].label().into()]);
        let mut known = Known { status, basis, model: None };
        if let Some(text) = &checks[by].model {
            let assertions = query.assertions.clone();
            known.model = model(&mut script, text, &assertions);
        }
        let (name, hash) = (source.name.clone(), digest(&source.text));
        let model = known.model.as_ref().and(checks[by].model.clone());
        Ok(Start { seed: Seed::new(name, hash, script, vec![known]), model, lost })
    }
}

/// Where chains begin.
pub struct Start {
    pub seed: Seed,
    /// The model of the seed, as its solver wrote it.
    pub model: Option<String>,
    /// Whether the newest release has lost it.
    pub lost: bool,
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
