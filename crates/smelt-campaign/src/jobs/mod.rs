//! Work on kept findings that can wait for whoever is idle: making them smaller, telling which releases have them, judging them again.
//!
//! What is to be done follows from the folders of findings alone: each says what was done with it. So a job that was begun and not
//! finished, because its process was killed, is there again when the campaign is resumed; and doing one twice changes nothing.

pub mod desk;
pub mod docket;
mod pace;
mod smaller;

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use smelt_triage::Class;

use crate::finding::Finding;

/// What can be done with a kept finding, in the order in which it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Judge it again: another smelt wrote it.
    Recheck,
    /// Make it as small as it goes.
    Reduce,
    /// Ask the installed releases of the solver, and its options, for it; then it is known which bug it is.
    Fingerprint,
    /// Ask all releases of the solver, which are installed as they are needed.
    Bisect,
}

/// When findings are made smaller and put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Never.
    #[default]
    Off,
    /// Beside the tests, on a bounded share of the cores.
    Now,
    /// When the tests have ended.
    End,
}

impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            "now" => Ok(Self::Now),
            "end" => Ok(Self::End),
            _ => Err("there are off, now and end".to_owned()),
        }
    }
}

/// One thing to do. The worst faults come first, and what is begun with a finding is finished before the next of its class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Job {
    /// The class of the finding.
    pub class: Class,
    /// When it was found.
    pub found: u64,
    /// Its name.
    pub finding: String,
    /// What is to be done with it.
    pub kind: Kind,
}

impl Job {
    /// A job about a finding.
    pub fn new(finding: &Finding, kind: Kind) -> Self {
        Self { class: finding.class(), found: finding.found, finding: finding.id.clone(), kind }
    }
}

/// Which jobs there are, for this process or for many machines.
pub trait Jobs: Sync {
    /// Puts a job on the list, unless it is there or is being done.
    fn put(&self, job: Job);
    /// Gives a job to somebody who is idle: it is theirs until they finish it or give it back.
    fn take(&self) -> Option<Job>;
    /// A job is done, whatever came of it.
    fn finish(&self, job: &Job);
    /// A job could not be done to its end: somebody else may take it.
    fn give_back(&self, job: Job);
    /// How many are on the list or being done.
    fn left(&self) -> usize;
}

/// The jobs of this process.
#[derive(Default)]
pub struct Waiting {
    lists: Mutex<Lists>,
}

#[derive(Default)]
struct Lists {
    waiting: BTreeSet<Job>,
    taken: BTreeSet<Job>,
}

impl Waiting {
    /// What is to be done next with each of these findings.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>, bisect: bool) -> Self {
        let own = Self::default();
        for f in findings {
            if let Some(kind) = next(f, bisect) {
                own.put(Job::new(f, kind));
            }
        }
        own
    }

    fn lists(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is to be done next with a finding, by what was done with it; what smelt does not stand by needs nothing.
pub fn next(finding: &Finding, bisect: bool) -> Option<Kind> {
    let is_done = |kind: Kind| finding.done.contains_key(&kind);
    let another = finding.origin.recipe().is_some_and(|r| r.smelt != env!("CARGO_PKG_VERSION"));
    let judged = finding.done.get(&Kind::Recheck).is_some_and(|by| by == env!("CARGO_PKG_VERSION"));
    if another && !judged {
        return Some(Kind::Recheck);
    }
    if finding.withdrawn().is_some() {
        return None;
    }
    let all = [Kind::Reduce, Kind::Fingerprint, Kind::Bisect];
    all.into_iter().find(|&kind| !is_done(kind) && (kind != Kind::Bisect || bisect))
}

impl Jobs for Waiting {
    fn put(&self, job: Job) {
        let mut lists = self.lists();
        if !lists.taken.contains(&job) {
            lists.waiting.insert(job);
        }
    }

    fn take(&self) -> Option<Job> {
        let mut lists = self.lists();
        let job = lists.waiting.pop_first()?;
        lists.taken.insert(job.clone());
        Some(job)
    }

    fn finish(&self, job: &Job) {
        self.lists().taken.remove(job);
    }

    fn give_back(&self, job: Job) {
        let mut lists = self.lists();
        lists.taken.remove(&job);
        lists.waiting.insert(job);
    }

    fn left(&self) -> usize {
        let lists = self.lists();
        lists.waiting.len() + lists.taken.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(class: Class, finding: &str, kind: Kind) -> Job {
        Job { class, found: 0, finding: finding.to_owned(), kind }
    }

    /// The worst first, each once, and what is given back is there again.
    #[test]
    fn in_order() {
        let all = Waiting::default();
        let crash = job(Class::Crash, "a", Kind::Reduce);
        let wrong = job(Class::RefutationSoundness, "b", Kind::Fingerprint);
        for j in [&crash, &wrong, &crash, &wrong] {
            all.put(j.clone());
        }
        assert_eq!(all.left(), 2);
        assert_eq!(all.take().as_ref(), Some(&wrong));
        // It is being done.
        all.put(wrong.clone());
        assert_eq!((all.take(), all.take(), all.left()), (Some(crash.clone()), None, 2));
        all.give_back(crash.clone());
        all.finish(&wrong);
        assert_eq!((all.take(), all.left()), (Some(crash.clone()), 1));
        all.finish(&crash);
        assert_eq!((all.take(), all.left()), (None, 0));
    }
}
