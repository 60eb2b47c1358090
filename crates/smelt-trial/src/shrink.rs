//! Making scripts smaller in fresh processes. What is smaller is the reducer's to say; here it is found out whether the fault still shows.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use smelt_reduce::{kernel, pair};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, print};
use smelt_solver::{Cancel, RunError};

/// Drives one shrinking: each text is tried once, and nothing is tried any more when it is cancelled or the time is over.
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

    /// Whether the fault shows in what this text stands for. A run that fails shows nothing.
    fn holds(&mut self, text: String, mut shows: impl FnMut() -> Result<bool, RunError>) -> bool {
        if self.cancel.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end) {
            return false;
        }
        if let Some(known) = self.tried.get(&text) {
            return *known;
        }
        let holds = (0..self.votes).any(|_| matches!(shows(), Ok(true)));
        self.tried.insert(text, holds);
        holds
    }

    /// A script with fewer assertions that shows the fault, or `None` if there is none.
    pub fn script(
        &mut self,
        script: &Script,
        check: usize,
        mut shows: impl FnMut(&Script) -> Result<bool, RunError>,
    ) -> Option<Script> {
        kernel::shrink(script, check, |s| self.holds(plain(s), || shows(s)))
    }

    /// Two related scripts, smaller together, that show the fault, or `None` if there are none.
    pub fn pair(
        &mut self,
        pair: &pair::Pair<'_>,
        mut shows: impl FnMut(&str, &str) -> Result<bool, RunError>,
    ) -> Option<(String, String)> {
        pair::shrink(pair, |before, after| {
            self.holds(format!("{before}\0{after}"), || shows(before, after))
        })
    }
}

/// A script as it is compared and kept: under the standard's names, with the smallest logic.
pub fn plain(script: &Script) -> String {
    let logic = LogicChoice::Smallest;
    print(script, &PrintOptions { logic, strip_status: true, ..PrintOptions::default() })
}
