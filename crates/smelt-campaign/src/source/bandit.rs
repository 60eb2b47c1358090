//! Instances of a theory as cases: a position of the schedule is one search, and what comes of a case is told to it through
//! [`Lease::learn`].

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result as Made;
use smelt_case::{Generation, Origin};
use smelt_smtlib::{Arena, Script};
use smelt_solver::{Mode, RunError};
use smelt_strategy::bandit::search::Ground;
use smelt_strategy::bandit::{
    Change, Counts, Language, Method, Parameters, Score, Search, Settings, Streams,
};
use smelt_triage::TargetId;
use smelt_trial::Panel;
use smelt_trial::bench::Bench;

use super::{Case, CaseSource, Done, Lease, Work};
use crate::journal::LeaseLine;
use crate::perf::language;

/// Who makes them, in tables and origins.
pub const GENERATOR: &str = "bandit";

/// Instances that a method makes.
pub struct Instances<'a> {
    /// What they are made of.
    pub language: &'a Language,
    /// How they are looked for.
    pub method: &'static Method,
    /// When a search is content.
    pub settings: Settings,
    /// What constructs have earned so far, in all positions.
    pub counts: &'a Mutex<Counts>,
    /// The seed of randomness.
    pub seed: u64,
    /// Cases of a position, at most.
    pub queries: u32,
    /// Who is asked, and how.
    pub who: &'a [(TargetId, Mode)],
    /// CPU time of a solver for one case.
    pub limit: Duration,
    /// What a case is worth.
    pub score: &'a (dyn Fn(&Done) -> Score + Sync),
    /// Who hears of each step.
    pub tell: &'a (dyn Fn(Told<'_>) + Sync),
}

/// A step that is done.
pub struct Told<'a> {
    /// The position.
    pub seq: u64,
    /// The step.
    pub step: u32,
    /// How the instance was made; `None` for a fresh one.
    pub change: Option<&'a Change>,
    /// What it is worth.
    pub score: Score,
    /// Whether its construct was rewarded.
    pub rewarded: bool,
    /// What came of it.
    pub done: &'a Done,
}

impl CaseSource for Instances<'_> {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        let p = self.language.parameters();
        let origin = Origin::Generated(Generation {
            smelt: env!("CARGO_PKG_VERSION").to_owned(),
            generator: GENERATOR.to_owned(),
            parameters: vec![
                format!("theory={}", p.theory),
                format!("method={}", self.method.name),
            ],
            campaign: self.seed,
            seq,
            step: 0,
        });
        let mut lease = Position {
            of: self,
            streams: Streams { seed: self.seed, seq },
            search: self.method.search(self.settings),
            step: 0,
            change: None,
            script: Script { arena: Arena::new(), commands: Vec::new() },
            origin,
            is_over: false,
        };
        work(bench, &mut lease)?;
        let (strategy, partners) = (GENERATOR, String::new());
        Ok(Some(LeaseLine {
            seq,
            worker: 0,
            seed: String::new(),
            strategy,
            partners,
            steps: lease.step,
        }))
    }
}

/// One search.
struct Position<'s> {
    of: &'s Instances<'s>,
    streams: Streams,
    search: Box<dyn Search>,
    /// Steps that were begun.
    step: u32,
    change: Option<Change>,
    script: Script,
    origin: Origin,
    is_over: bool,
}

impl Position<'_> {
    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.of.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease for Position<'_> {
    fn who(&self) -> &[(TargetId, Mode)] {
        self.of.who
    }

    fn limit(&self) -> Duration {
        self.of.limit
    }

    fn next(&mut self) -> Option<Case<'_>> {
        if self.is_over || self.step >= self.of.queries {
            return None;
        }
        let Instances { language, settings, .. } = self.of;
        let counts = self.of.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let ground = Ground { language, counts: &counts, streams: self.streams, settings };
        let trial = self.search.next(self.step, &ground);
        drop(counts);
        self.script = language.write(&trial.instance);
        self.change = trial.change;
        if let Origin::Generated(made) = &mut self.origin {
            made.step = self.step;
        }
        self.step += 1;
        let what = if self.change.is_some() { "a changed instance" } else { "a new instance" };
        Some(Case::open(&mut self.script, &self.origin, what))
    }

    fn bar(&self) -> Score {
        self.search.bar()
    }

    fn learn(&mut self, done: &Done) {
        let score = (self.of.score)(done);
        let rewarded = self.search.learn(score);
        let change = self.change.take();
        if let Some(change) = &change {
            self.counts().learn(change.construct, rewarded);
        }
        self.is_over = score.is_some_and(|s| s >= self.of.settings.enough);
        let (seq, step) = (self.streams.seq, self.step - 1);
        (self.of.tell)(Told { seq, step, change: change.as_ref(), score, rewarded, done });
    }
}

/// An agent that looks for wrong answers of everybody in a panel, and what it has learned.
pub struct Player {
    method: &'static Method,
    language: Language,
    counts: Mutex<Counts>,
    seed: u64,
    limit: Duration,
    who: Vec<(TargetId, Mode)>,
}

/// CPU time is shared among methods by positions: each is over after so many queries.
const QUERIES: u32 = 200;

impl Player {
    /// A method on a theory, with the operators that all of these solvers take.
    pub fn new(
        (method, theory): (&str, &str),
        panel: &Panel,
        (seed, limit): (u64, Duration),
    ) -> Made<Self> {
        let method = Method::named(method).map_err(anyhow::Error::msg)?;
        let language = language(&Parameters::bugs(theory), panel)?;
        let counts = Mutex::new(Counts::new(language.constructs().len()));
        let who = panel.targets().iter().map(|t| (t.id(), Mode::plain())).collect();
        Ok(Self { method, language, counts, seed, limit, who })
    }
}

impl CaseSource for Player {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        let instances = Instances {
            language: &self.language,
            method: self.method,
            settings: Settings::of_bugs(),
            counts: &self.counts,
            seed: self.seed,
            queries: QUERIES,
            who: &self.who,
            limit: self.limit,
            // One for an instance on which somebody is wrong.
            score: &|done| Some(f64::from(u8::from(!done.accused.is_empty()))),
            tell: &|_| {},
        };
        instances.lease(seq, bench, work)
    }
}
