//! Making scripts smaller in fresh processes. What is smaller is the reducer's to say; here it is found out whether the fault still shows.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use smelt_reduce::pair::Texts;
use smelt_reduce::{Candidates, kernel, pair};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, print};
use smelt_solver::{Cancel, RunError};

/// Whether the fault shows in a candidate.
type Shown = Result<bool, RunError>;

/// Drives one shrinking: each text is tried once, and nothing is tried any more when it is cancelled or the time is over; the
/// smallest so far is kept then.
pub struct Shrink<'a> {
    cancel: &'a Cancel,
    end: Option<Instant>,
    /// Fresh processes in one of which it must show.
    votes: u32,
    tried: HashMap<String, bool>,
}

impl<'a> Shrink<'a> {
    /// A shrinking in which one process must show the fault.
    pub fn new(cancel: &'a Cancel) -> Self {
        Self { cancel, end: None, votes: 1, tried: HashMap::new() }
    }

    /// Ends it after this time.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.end = Some(Instant::now() + time);
        self
    }

    /// Lets so many processes try each text: what does not always show needs more than one.
    #[must_use]
    pub fn with_votes(mut self, votes: u32) -> Self {
        self.votes = votes;
        self
    }

    /// A script with fewer assertions that shows the fault, or `None` if there is none.
    pub fn script(
        &mut self,
        script: &Script,
        check: usize,
        mut shows: impl FnMut(&Script) -> Shown,
    ) -> Option<Script> {
        kernel::shrink(script, check, |all| self.one_by_one(all, plain, &mut shows))
    }

    /// Two related scripts, smaller together, that show the fault, or `None` if there are none.
    pub fn pair(
        &mut self,
        pair: &pair::Pair<'_>,
        mut shows: impl FnMut(&str, &str) -> Shown,
    ) -> Option<Texts> {
        pair::shrink(pair, |all| self.one_by_one(all, both, &mut |(b, a)| shows(b, a)))
    }

    /// As [`Shrink::script`], with so many threads that try candidates; the result is the one that a single thread has.
    pub fn script_on(
        &mut self,
        threads: usize,
        script: &Script,
        check: usize,
        shows: impl Fn(&Script) -> Shown + Sync,
    ) -> Option<Script> {
        kernel::shrink(script, check, |all| self.together(threads, all, plain, &shows))
    }

    /// As [`Shrink::pair`], with so many threads that try candidates; the result is the one that a single thread has.
    pub fn pair_on(
        &mut self,
        threads: usize,
        pair: &pair::Pair<'_>,
        shows: impl Fn(&str, &str) -> Shown + Sync,
    ) -> Option<Texts> {
        pair::shrink(pair, |all| self.together(threads, all, both, &|(b, a): &Texts| shows(b, a)))
    }

    fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The first of the candidates that shows the fault; each is known by the text that `key` gives.
    fn one_by_one<C>(
        &mut self,
        candidates: Candidates<'_, C>,
        key: impl Fn(&C) -> String,
        shows: &mut dyn FnMut(&C) -> Shown,
    ) -> Option<(usize, C)> {
        let mut numbered = candidates.enumerate();
        while !self.is_over() {
            let (n, c) = numbered.next()?;
            let text = key(&c);
            let known = self.tried.get(&text).copied();
            let holds = known.unwrap_or_else(|| vote(self.votes, &mut || shows(&c)));
            if known.is_none() {
                self.tried.insert(text, holds);
            }
            if holds {
                return Some((n, c));
            }
        }
        None
    }

    /// The first of the candidates that shows the fault, found by several threads. Those before it are tried to their end, so that
    /// it is the first in their order, whoever is faster; none behind it is begun any more.
    fn together<C: Send>(
        &mut self,
        threads: usize,
        candidates: Candidates<'_, C>,
        key: impl Fn(&C) -> String,
        shows: &(dyn Fn(&C) -> Shown + Sync),
    ) -> Option<(usize, C)> {
        let votes = self.votes;
        let (give, to_try) = mpsc::channel::<(usize, C, String)>();
        let (tell, told) = mpsc::channel();
        let to_try = &Mutex::new(to_try);
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let tell = tell.clone();
                scope.spawn(move || {
                    loop {
                        let next = to_try.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok((n, c, text)) = next else { return };
                        // A defect must reach the caller, who waits for this word.
                        let tried = AssertUnwindSafe(|| vote(votes, &mut || shows(&c)));
                        let holds = catch_unwind(tried);
                        let _ = tell.send((n, c, text, holds));
                    }
                });
            }
            let mut numbered = candidates.enumerate();
            let mut best: Option<(usize, C)> = None;
            let mut defect = None;
            let mut waiting = 0;
            let mut is_end = false;
            loop {
                while waiting < threads.max(1) && best.is_none() && !is_end {
                    is_end = self.is_over() || defect.is_some();
                    let Some((n, c)) = numbered.next().filter(|_| !is_end) else {
                        is_end = true;
                        break;
                    };
                    let text = key(&c);
                    match self.tried.get(&text) {
                        Some(true) => best = Some((n, c)),
                        Some(false) => {}
                        None => {
                            waiting += usize::from(give.send((n, c, text)).is_ok());
                        }
                    }
                }
                if waiting == 0 {
                    break;
                }
                let Ok((n, c, text, holds)) = told.recv() else { break };
                waiting -= 1;
                match holds {
                    Ok(holds) => {
                        self.tried.insert(text, holds);
                        if holds && best.as_ref().is_none_or(|(m, _)| n < *m) {
                            best = Some((n, c));
                        }
                    }
                    Err(panic) => defect = Some(panic),
                }
            }
            drop(give);
            if let Some(defect) = defect {
                resume_unwind(defect);
            }
            best
        })
    }
}

/// Whether one of so many processes shows the fault. A run that fails shows nothing.
fn vote(votes: u32, shows: &mut dyn FnMut() -> Shown) -> bool {
    (0..votes).any(|_| matches!(shows(), Ok(true)))
}

/// The text by which a pair is known.
fn both((before, after): &Texts) -> String {
    format!("{before}\0{after}")
}

/// A script as it is compared and kept: under the standard's names, with the smallest logic.
pub fn plain(script: &Script) -> String {
    let logic = LogicChoice::Smallest;
    print(script, &PrintOptions { logic, strip_status: true, ..PrintOptions::default() })
}
