//! All triggers of bugs on another build of the solver: which bugs are gone, which remain, and which are new there.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use smelt_solver::{Cancel, Registry, Solver};
use smelt_triage::Says;
use smelt_trial::Target;

use crate::bugs::Bugs;
use crate::finding::Finding;
use crate::jobs::{Job, Jobs, Kind, Waiting};
use crate::replay;
use crate::shelf::{self, FINDINGS};

/// What became of a trigger, or of a bug, in another build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It shows.
    Remains,
    /// Another fault shows in its place.
    New,
    /// Nobody can tell: a refusal, a limit, `unknown`.
    Open,
    /// It does not show.
    Gone,
}

impl Fate {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Remains => "remains",
            Self::New => "new",
            Self::Open => "open",
            Self::Gone => "gone",
        }
    }
}

/// A trigger in another build.
pub struct Seen {
    /// The finding.
    pub finding: Finding,
    /// What became of it.
    pub fate: Fate,
    /// What was seen.
    pub what: String,
}

/// A bug in another build: all of its triggers, the one that it is known by first.
pub struct SeenBug {
    /// Its triggers.
    pub triggers: Vec<Seen>,
}

impl SeenBug {
    /// It remains if one trigger does, and is gone if all are.
    pub fn fate(&self) -> Fate {
        self.triggers.iter().map(|t| t.fate).min().unwrap_or(Fate::Open)
    }
}

/// On which terms triggers are run again.
pub struct Again<'a> {
    /// Finds solvers that are asked beside it.
    pub registry: &'a Registry,
    /// The build.
    pub solver: &'a Solver,
    /// CPU time of a run.
    pub cpu: Duration,
    /// Threads.
    pub threads: usize,
    /// Ends every wait.
    pub cancel: &'a Cancel,
}

impl Again<'_> {
    /// Runs all triggers of a campaign, or of a finding, by whoever of the threads is idle. `tell` hears of each.
    pub fn run(&self, folder: &Path, tell: &(dyn Fn(&Seen) + Sync)) -> Result<Vec<SeenBug>> {
        let is_inner = folder.file_name().is_some_and(|n| n == FINDINGS);
        let folder = folder.parent().filter(|_| is_inner).unwrap_or(folder);
        let bugs = Bugs::read(folder)?;
        if let Some((path, why)) = bugs.unreadable.first() {
            let n = bugs.unreadable.len();
            bail!("{n} of the findings cannot be read, first {}: {why}", path.display());
        }
        let mut all: Vec<(PathBuf, Finding)> = Vec::new();
        let mut sizes = Vec::new();
        for bug in bugs.all.into_iter().filter(|b| b.finding().withdrawn().is_none()) {
            let findings = folder.join(FINDINGS);
            sizes.push(bug.triggers.len() + 1);
            all.push((bug.path, bug.contents.finding));
            all.extend(bug.triggers.into_iter().map(|(t, _)| (shelf::place(&findings, &t.id), t)));
        }
        let jobs = Waiting::default();
        all.iter().for_each(|(_, f)| jobs.put(Job::new(f, Kind::Recheck)));
        let seen: Mutex<Vec<Seen>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(all.len()) {
                scope.spawn(|| {
                    while let Some(job) = jobs.take() {
                        if let Some((path, f)) = all.iter().find(|(_, f)| f.id == job.finding) {
                            let now = self.one(path, f);
                            tell(&now);
                            seen.lock().unwrap_or_else(PoisonError::into_inner).push(now);
                        }
                        jobs.finish(&job);
                    }
                });
            }
        });
        let mut seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut ids = all.iter().map(|(_, f)| &f.id);
        let bug = |size: usize| {
            let own = ids.by_ref().take(size);
            own.filter_map(|id| seen.iter().position(|s| s.finding.id == *id)).collect::<Vec<_>>()
        };
        let places: Vec<Vec<usize>> = sizes.into_iter().map(bug).collect();
        let mut taken: Vec<Option<Seen>> = seen.drain(..).map(Some).collect();
        let bug = |own: Vec<usize>| SeenBug {
            triggers: own.into_iter().filter_map(|i| taken[i].take()).collect(),
        };
        Ok(places.into_iter().map(bug).collect())
    }

    /// Runs one trigger. What cannot be run is open.
    fn one(&self, path: &Path, f: &Finding) -> Seen {
        let (fate, what) = match self.shown(path, f) {
            Ok((says, what)) => match says {
                Says::Holds => (Fate::Remains, what),
                Says::DoesNot => (Fate::Gone, what),
                Says::Other(class) => (Fate::New, format!("{class}: {what}")),
                Says::Open => (Fate::Open, what),
            },
            Err(e) => (Fate::Open, format!("{e:#}")),
        };
        Seen { finding: f.clone(), fate, what }
    }

    fn shown(&self, path: &Path, f: &Finding) -> Result<(Says, String)> {
        if let Some(why) = self.another_kind(f) {
            return Ok((Says::Open, why));
        }
        let target = Target::unprobed(self.solver.clone());
        replay::replay(self.registry, path, f, target, (self.cpu, self.cancel))
    }

    /// Why the solver is no build of what a finding accuses: that another program does not have a bug says nothing of it.
    fn another_kind(&self, f: &Finding) -> Option<String> {
        if replay::is_build_of(self.solver, f) {
            return None;
        }
        let (own, accused) = (self.solver.profile(), &f.accused.profile);
        let label = self.solver.label();
        Some(match own.name.as_str() {
            "generic" => format!(
                "it is a bug of {accused}, and {label} is not known to be a build of that; {accused}=PATH would say so"
            ),
            name => format!("it is a bug of {accused}, and {label} is {name}"),
        })
    }
}
