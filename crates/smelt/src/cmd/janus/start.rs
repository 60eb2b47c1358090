//! Where chains begin: what a seed is taken for, and what its own answers show.

use std::sync::Arc;

use smelt_campaign::seeds::Source;
use smelt_case::{Basis, Known, Seed, Status, digest};
use smelt_smtlib::parse;
use smelt_solver::{Answer, Check, Verdict};
use smelt_triage::true_model;

use super::bench::Bench;
use super::evidence::Evidence;
use super::finding::{Finding, Kind};
use super::found::Found;
use super::{Step, Tally};

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
        let [_] = &queries[..] else { return Err("it has not one check".into()) };
        if let Some(why) = self.caveat(&script) {
            return Err(format!("no verdict: {why}"));
        }
        let text = self.print(&script);
        let says = match script.info(":status") {
            Some("sat") => Some(Verdict::Sat),
            Some("unsat") => Some(Verdict::Unsat),
            _ => None,
        };
        let decided = |c: &Check| c.answer.decided();
        let newest = self.warm(&text, true)?;
        let last = self.solvers.len() - 1;
        let evidence = |(by, c): &(usize, Check)| {
            let model = c.model.as_deref().filter(|_| c.answer == Answer::Sat)?;
            let evidence = Evidence::new(model, &self.solvers[*by], &text);
            (evidence.judges(&text) == Some(true)).then_some(evidence)
        };
        let agrees = decided(&newest).is_some() && decided(&newest) == says;
        let newest = (last, newest);
        // Who was asked, the oldest first.
        let mut checks: Vec<(usize, Check)> = Vec::new();
        if !agrees && evidence(&newest).is_none() {
            let older = self.heard(last, &text).into_iter();
            checks.extend(older.map(|i| (i, self.check(&self.solvers[i], &text, true))));
        }
        checks.push(newest);
        let against = checks.iter().filter(|(_, c)| decided(c).is_some_and(|v| Some(v) != says));
        tally.against_label += against.count() as u64 * u64::from(says.is_some());
        // Who has a model that is one.
        let proof = checks.iter().find_map(|one| Some((one, evidence(one)?)));
        let first = checks.iter().find(|(_, c)| decided(c).is_some());
        let newest = checks[checks.len() - 1].1.answer.clone();
        let by = proof.as_ref().map(|(one, _)| *one).or(first);
        let Some((by, said, verdict)) = by.and_then(|(by, c)| Some((*by, c, decided(c)?))) else {
            return Err(format!("not decided ({})", newest.kind()));
        };
        let model = proof.as_ref().map(|(_, evidence)| evidence);
        let step = Step { before: &text, after: &text, expected: verdict, rule: SEED, model };
        for (i, check) in &checks {
            if decided(check).is_none_or(|v| v == verdict) {
                continue;
            }
            if proof.is_none() {
                // Somebody is wrong, and it is not a seed to rest on.
                return Err("the releases do not agree".into());
            }
            let accused = &self.solvers[*i];
            if self.cold(accused, &text) == Answer::Unsat {
                let why = format!("unsat, but a model of {} is one", self.solvers[by].label);
                let f = Finding::new(Kind::Wrong, &accused.label, &step, why);
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
        let basis = Basis::Agreed(vec![self.solvers[by].spec.clone()]);
        let mut known = Known { status, basis, model: None };
        let mut model = None;
        if let Some(values) = &said.model {
            let by = &self.solvers[by];
            let read = true_model(&mut script, values, by.model_options()).ok();
            known.model = read.map(Arc::new);
            model = known.model.as_ref().map(|_| Evidence::new(values, by, &text));
        }
        let (name, hash) = (source.name.clone(), digest(&source.text));
        Ok(Start { seed: Seed::new(name, hash, script, vec![known]), model, lost })
    }
}

/// Where chains begin.
pub struct Start {
    pub seed: Seed,
    /// The model of the seed.
    pub model: Option<Evidence>,
    /// Whether the newest release has lost it.
    pub lost: bool,
}
