//! What all threads of a campaign share: counters, what is told, and when to stop.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use smelt_solver::Cancel;

use crate::event::Event;
use crate::tally::{SeedCounts, Tally};

/// Counters, events, and the end.
pub struct Control {
    tally: Mutex<Tally>,
    seeds: Mutex<Seeds>,
    events: Mutex<Vec<Event>>,
    failure: Mutex<Option<String>>,
    stop: AtomicBool,
    tests_ended: AtomicBool,
    /// Ends waits for tests.
    pub cancel: Cancel,
    /// Ends waits for confirmations, too.
    pub cancel_all: Cancel,
    /// Ends what is done with kept findings.
    pub cancel_jobs: Cancel,
}

/// What is known of the seeds of a process, by number.
#[derive(Default)]
struct Seeds {
    given: u64,
    /// `None` for one that is used, else why it is not.
    fates: BTreeMap<usize, Option<String>>,
}

impl Control {
    /// Nothing has happened, but for what an earlier part of the run has counted.
    pub fn new(tally: Tally) -> std::io::Result<Self> {
        Ok(Self {
            tally: Mutex::new(tally),
            seeds: Mutex::default(),
            events: Mutex::default(),
            failure: Mutex::default(),
            stop: AtomicBool::new(false),
            tests_ended: AtomicBool::new(false),
            cancel: Cancel::new()?,
            cancel_all: Cancel::new()?,
            cancel_jobs: Cancel::new()?,
        })
    }

    /// The counters.
    pub fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seeds(&self) -> MutexGuard<'_, Seeds> {
        self.seeds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many seeds there are; each has a number below it.
    pub fn expect_seeds(&self, given: usize) {
        self.seeds().given = given as u64;
    }

    /// Notes that tests are made of a seed.
    pub fn use_seed(&self, seed: usize) {
        self.seeds().fates.insert(seed, None);
    }

    /// Notes that a seed is not used, or not any more. It is counted by the reason without its details, which would make every seed a
    /// kind of its own.
    pub fn skip_seed(&self, seed: usize, reason: &str) {
        let kind = reason.split(':').next().unwrap_or_default();
        self.seeds().fates.insert(seed, Some(kind.to_owned()));
    }

    /// How many seeds there are, and what became of those that are decided, by number.
    pub fn fates(&self) -> (u64, BTreeMap<usize, Option<String>>) {
        let seeds = self.seeds();
        (seeds.given, seeds.fates.clone())
    }

    /// All counts as they stand.
    pub fn counts(&self) -> Tally {
        let seeds = self.seeds();
        let fates = seeds.fates.values().map(Option::as_deref);
        let (counts, skipped) = SeedCounts::of(seeds.given, fates);
        drop(seeds);
        let mut tally = self.tally().clone();
        (tally.seeds, tally.skipped) = (counts, skipped);
        tally
    }

    /// Tells something.
    pub fn tell(&self, event: Event) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    /// Tells people something.
    pub fn say(&self, text: impl Into<String>) {
        self.tell(Event::message(text));
    }

    /// What was told since the last call.
    pub fn events(&self) -> Vec<Event> {
        std::mem::take(&mut self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether threads should end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the last test and the last confirmation have ended.
    pub fn tests_ended(&self) -> bool {
        self.tests_ended.load(Ordering::Relaxed)
    }

    /// Notes that the last test and the last confirmation have ended.
    pub fn note_tests_ended(&self) {
        self.tests_ended.store(true, Ordering::Relaxed);
    }

    /// Ends all tests; confirmations that have begun go on.
    pub fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.cancel.cancel();
    }

    /// Ends the campaign for a reason; the first one is kept.
    pub fn fail(&self, reason: String) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.end();
    }

    /// The reason why it ended before its time.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
