//! Where bugs are looked for: a method as the cases of a campaign, whose oracles say which instances show one, and a journal of its steps.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use smelt_solver::{Mode, RunError};
use smelt_strategy::bandit::{Counts, Language, Method, Score, Settings};
use smelt_triage::TargetId;
use smelt_trial::Panel;
use smelt_trial::bench::Bench;

use super::record::{self, Store};
use crate::journal::LeaseLine;
use crate::source::bandit::{Instances, Told};
use crate::source::{CaseSource, Done, Work};

/// A method that looks for bugs of a target.
pub struct Hunt {
    store: Arc<Store>,
    language: Language,
    method: &'static Method,
    counts: Mutex<Counts>,
    /// Positions that are done, by the journal of steps.
    known: BTreeSet<u64>,
    /// The target first, then its references.
    who: Vec<(TargetId, Mode)>,
}

impl Hunt {
    /// A method in the folder of a run, with what it has learned there; `panel` is the campaign's.
    pub fn new(store: Arc<Store>, method: &'static Method, panel: &Panel) -> Result<Self> {
        let language = store.asked().language()?;
        let all = store.read()?;
        let own = || all.iter().filter(|((name, _), _)| name == method.name);
        let counts = record::counts(own().flat_map(|(_, steps)| steps), &language);
        let known = own().map(|((_, seq), _)| *seq).collect();
        // A model is what most often shows that an answer is wrong.
        let named = |label: &String| {
            let target = panel.targets().iter().find(|t| t.label == *label);
            Ok((target.with_context(|| format!("{label} is not asked"))?.id(), Mode::plain()))
        };
        let asked = store.asked();
        let who = std::iter::once(&asked.target).chain(&asked.references).map(named);
        let who = who.collect::<Result<_>>()?;
        Ok(Self { store, language, method, counts: Mutex::new(counts), known, who })
    }

    /// One for an instance that shows a bug of the target.
    fn score(&self, done: &Done) -> Score {
        let target = self.who[0].0;
        Some(f64::from(u8::from(done.accused.iter().any(|(who, _)| *who == target))))
    }

    /// What the solvers did, in words.
    fn judged(&self, done: &Done) -> record::Judged {
        let said = |(who, _): &(TargetId, Mode)| {
            done.said.get(who).copied().unwrap_or("not-asked").to_owned()
        };
        let target = self.who[0].0;
        let own = done.accused.iter().filter(|(who, _)| *who == target);
        let accused: BTreeSet<String> = own.map(|(_, class)| class.word().to_owned()).collect();
        let accused = accused.into_iter().collect();
        record::Judged { said: self.who.iter().map(said).collect(), accused, seconds: done.cpu }
    }
}

impl CaseSource for Hunt {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        if self.known.contains(&seq) {
            return Ok(None);
        }
        let (asked, method) = (self.store.asked(), self.method.name);
        let failure = Mutex::new(None);
        let score = |done: &Done| self.score(done);
        let tell = |told: Told<'_>| {
            let judged = Some(self.judged(told.done));
            if let Err(e) = self.store.step(method, &told, judged, &self.language)
                && let Ok(mut failure) = failure.lock()
            {
                *failure = Some(e);
            }
        };
        let source = Instances {
            language: &self.language,
            method: self.method,
            settings: Settings::of_bugs(),
            counts: &self.counts,
            seed: asked.seed,
            queries: asked.queries,
            who: &self.who,
            limit: Duration::from_secs_f64(asked.limit),
            score: &score,
            tell: &tell,
        };
        let written = |done: Result<()>| done.map_err(|e| unwritten(&e));
        written(self.store.begin(method, seq))?;
        let line = source.lease(seq, bench, work)?;
        match failure.into_inner().ok().flatten() {
            Some(e) => return Err(unwritten(&e)),
            None => written(self.store.end(method, seq))?,
        }
        Ok(line)
    }
}

/// A journal that cannot be written is a fault of this side of the pipe.
fn unwritten(e: &anyhow::Error) -> RunError {
    RunError::System(std::io::Error::other(format!("{e:#}")))
}
