//! A kept finding made as small as it goes: its folder is then about the smaller script, under the name that it has.

use std::time::Duration;

use anyhow::{Result, bail};
use smelt_case::Derivation;
use smelt_eval::{Model, ModelOptions};
use smelt_smtlib::{Script, parse};
use smelt_solver::Cancel;
use smelt_triage::{Says, TargetId, Truth, Wanted, true_model};
use smelt_trial::court::{Candidate, Confirmed, Court, Related, Ruling};
use smelt_trial::exhibit::Exhibit;
use smelt_trial::reproducer::{Scripts, Terms};
use smelt_trial::shrink::{Effort, NotReduced, Reduced, reduce};
use smelt_trial::{Panel, Reproducer};

use crate::finding::{self, Finding, Made};
use crate::shelf::Contents;

/// Runs of solvers for one finding.
const TESTS: u64 = 4000;
/// Time for one finding, without pauses.
const TIME: Duration = Duration::from_secs(90);

/// On which terms a finding is made smaller.
pub struct Shrinking<'a> {
    /// The accused, and others who may be asked.
    pub panel: &'a Panel,
    /// Answers that are missed where they are lacking.
    pub wanted: &'a Wanted,
    /// CPU time of a fresh run.
    pub cpu: Duration,
    /// Called between runs: it may sleep.
    pub pause: &'a (dyn Fn() + Sync),
    /// Ends it.
    pub cancel: &'a Cancel,
}

/// What came of it.
pub enum Shrunk {
    /// A smaller script, with all that is known of it.
    Smaller(Box<Contents>),
    /// It stays as it is, for this reason.
    AsItIs(String),
    /// It was cancelled.
    Cancelled,
}

impl Shrinking<'_> {
    /// Makes a finding smaller, which shows this. Nothing is written.
    pub fn shrink(&self, exhibit: &Exhibit, contents: &Contents) -> Result<Shrunk> {
        let f = &contents.finding;
        let Some(accused) = self.panel.all().find(|t| t.solver.hash() == f.accused.binary) else {
            bail!("{} is not among the solvers", f.accused.label);
        };
        let who = accused.id();
        if f.class().row().slow {
            return Ok(Shrunk::AsItIs("a minute of waiting is not spent again and again".into()));
        }
        let given = exhibit.given(f.parameters());
        let effort = Effort {
            time: Some(TIME),
            tests: Some(TESTS),
            votes: if f.rate.0 < f.rate.1 { 3 } else { 1 },
            pause: self.pause,
            ..Effort::new(self.cpu, self.cancel)
        };
        // The worst of what it is accused of must stay; what it was confirmed by may be less.
        let mut classes = vec![f.class(), f.reproducer.class];
        classes.dedup();
        let mut why = String::new();
        for class in classes {
            let reproducer = Reproducer { class, ..exhibit.reproducer.clone() };
            let small = reduce(self.panel, who, &reproducer, &given, &effort, &mut |_| {});
            let small = match small {
                _ if self.cancel.is_cancelled() => return Ok(Shrunk::Cancelled),
                Ok(small) if small.is_smaller() => small,
                Ok(_) => return Ok(Shrunk::AsItIs("nothing smaller shows it".into())),
                Err(NotReduced::Run(e)) => return Err(e.into()),
                Err(e) => {
                    why = e.to_string();
                    continue;
                }
            };
            let heard = self.hear(who, f, exhibit, &small)?;
            if self.cancel.is_cancelled() {
                return Ok(Shrunk::Cancelled);
            }
            "what is left of it is not as bad, or not shown as surely".clone_into(&mut why);
            let Some((confirmed, witness)) = heard else { continue };
            let renewed = self.renewed(contents, &small, confirmed, witness.as_ref())?;
            if renewed.bug.len() < contents.bug.len() {
                return Ok(Shrunk::Smaller(Box::new(renewed)));
            }
        }
        Ok(Shrunk::AsItIs(why))
    }

    /// Brings what is left before the court, as a suspicion of its own: it must stand as surely as what was kept.
    fn hear(
        &self,
        who: TargetId,
        f: &Finding,
        exhibit: &Exhibit,
        small: &Reduced,
    ) -> Result<Option<(Confirmed, Option<Model>)>> {
        let reproducer = &small.reproducer;
        let before = small.before.as_ref().map(|text| parse(text.as_bytes())).transpose();
        let before = before.map_err(|e| anyhow::Error::msg(e.message.to_string()))?;
        let scripts = Scripts {
            script: &small.script,
            transcript: small.transcript.as_deref(),
            before: before.as_ref().or(exhibit.before.as_ref()),
        };
        let terms = Terms { frames: true, ..Terms::new(self.cpu, self.cancel) };
        let shown = reproducer.shows(self.panel, who, &scripts, &terms)?;
        let (Says::Holds, Some(seen)) = (shown.says, shown.seen) else { return Ok(None) };
        let mut script = small.script.clone();
        let witness = reproducer.witness.as_deref().and_then(|text| judged(&mut script, text));
        let truth = Truth { witness: witness.is_some(), ..Truth::default() };
        let related = small.before.as_ref().zip(reproducer.pair.as_ref()).map(|(text, pair)| {
            let (text, rule) = (text.clone(), pair.rule.clone());
            Related { text, expected: pair.expected, rule, parameters: f.parameters().to_vec() }
        });
        let candidate = Candidate {
            accused: who,
            class: reproducer.class,
            check: reproducer.check,
            mode: reproducer.mode.clone(),
            transcript: small.transcript.clone().unwrap_or_default(),
            model: shown.outcome.and_then(|o| o.checks.into_iter().nth(reproducer.check)?.model),
            seen,
            before: related,
        };
        let court = Court::new(self.panel, self.cpu, self.wanted, self.cancel);
        let Ruling::Confirmed(c) = court.confirm(&script, truth, &candidate)? else {
            return Ok(None);
        };
        // As bad as it was, or worse, and as sure.
        let (worst, old) = (c.diagnosis(), f.verdict());
        let stays = worst.class <= old.class && worst.evidence.grade() >= old.grade;
        Ok(stays.then_some((*c, witness)))
    }

    /// The contents of the folder for the smaller script: what the finding is known by stays.
    fn renewed(
        &self,
        old: &Contents,
        small: &Reduced,
        confirmed: Confirmed,
        witness: Option<&Model>,
    ) -> Result<Contents> {
        let f = &old.finding;
        let Ok(original) = parse(old.original.as_bytes()) else {
            bail!("original.smt2 is damaged")
        };
        let runs = small.tests.runs();
        let made =
            Made { origin: &f.origin, seeds: &[], original: &original, what: &f.mutation, witness };
        let mut new = finding::contents(self.panel, &made, confirmed);
        let told = format!("{} to {} bytes in {runs} runs", old.bug.len(), new.bug.len());
        let n = &mut new.finding;
        n.id.clone_from(&f.id);
        n.found = f.found;
        (n.position, n.spent) = (f.position, f.spent);
        n.seeds.clone_from(&f.seeds);
        n.totalised |= f.totalised;
        n.labels.clone_from(&f.labels);
        n.done.clone_from(&f.done);
        n.done.insert(super::Kind::Reduce, told);
        n.signatures.clone_from(&f.signatures);
        if n.signature != f.signature {
            n.signatures.insert(f.signature.clone());
        }
        // However often it was made smaller, it comes from there.
        n.origin = match f.origin == *f.origin.root() || f.totalised {
            true => f.origin.clone().derived(Derivation::Reduced),
            false => f.origin.clone(),
        };
        Ok(Contents { original: old.original.clone(), seeds: old.seeds.clone(), ..new })
    }
}

/// A model in the words of the standard, if it is true of the script's one check.
fn judged(script: &mut Script, text: &str) -> Option<Model> {
    true_model(script, text, &ModelOptions::default()).ok()
}
