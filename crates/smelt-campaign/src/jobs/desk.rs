//! Where jobs are done: a thread beside the tests takes one after the other, and goes no faster than its share of the cores allows.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use smelt_solver::{Registry, SolverSpec, Source, Version};
use smelt_triage::Fingerprint;
use smelt_trial::Resolver;
use smelt_trial::exhibit::Exhibit;
use smelt_trial::fingerprint::{cures, fingerprint};
use smelt_trial::lineup::{Asking, Build, Lineup};

use super::docket::Docket;
use super::pace::{Clock, Pace};
use super::smaller::{Shrinking, Shrunk};
use super::{Job, Jobs, Kind, When, next};
use crate::apart::Apart;
use crate::control::Control;
use crate::event::Event;
use crate::facts::{Backoff, Facts, Lesson};
use crate::finding::Finding;
use crate::plan::Plan;
use crate::report::labels;
use crate::shelf::{Contents, Folders, Kept};
use crate::{recheck, replay};

/// How long nobody looks for a job where there was none.
const NAP: Duration = Duration::from_millis(50);

/// What jobs of a campaign need.
pub struct Desk<'a> {
    /// What the campaign is to do, and with what.
    pub plan: &'a Plan,
    /// The findings.
    pub shelf: &'a Folders,
    /// Counters, what is told, and the end.
    pub control: &'a Control,
    /// What is known of suspicions.
    pub facts: &'a dyn Facts,
    /// Where releases are looked for.
    pub registry: &'a Registry,
    /// Which findings are one bug.
    pub docket: &'a Docket,
    /// What is to be done.
    pub jobs: &'a dyn Jobs,
    pace: Pace,
}

/// Whether a job was done.
enum Done {
    Whole,
    Cancelled,
}

impl<'a> Desk<'a> {
    /// A desk of these parts.
    pub fn new(
        (plan, control): (&'a Plan, &'a Control),
        shelf: &'a Folders,
        facts: &'a dyn Facts,
        registry: &'a Registry,
        (docket, jobs): (&'a Docket, &'a dyn Jobs),
    ) -> Self {
        let pace = Pace::new(plan.config.jobs);
        Self { plan, shelf, control, facts, registry, docket, jobs, pace }
    }

    /// Threads that work on jobs while tests run: the share of the cores, and at least one, which sleeps more than it works.
    pub fn threads(&self) -> usize {
        ((self.plan.config.jobs as f64 * super::pace::SHARE) as usize).max(1)
    }

    /// Takes jobs until there are none and the tests have ended, or somebody cancels.
    pub fn work(&self) {
        let clock = self.pace.clock();
        let cancel = &self.control.cancel_jobs;
        while !cancel.is_cancelled() {
            let ended = self.control.tests_ended();
            let waits = self.plan.config.reduce == When::End && !ended;
            let Some(job) = (!waits).then(|| self.jobs.take()).flatten() else {
                if ended && (self.jobs.left() == 0 || waits) {
                    return;
                }
                std::thread::sleep(NAP);
                clock.idle();
                continue;
            };
            self.pause(&clock);
            // A defect of smelt costs this job, not those behind it.
            let one = std::panic::AssertUnwindSafe(|| self.one(&job, &clock));
            let apart = Apart::begin();
            let done = std::panic::catch_unwind(one).unwrap_or_else(|_| {
                self.control.tally().total.panics += 1;
                Err(anyhow!("smelt has a defect there"))
            });
            apart.end(self.control);
            match done {
                Ok(Done::Whole) => self.jobs.finish(&job),
                Ok(Done::Cancelled) => return self.jobs.give_back(job),
                Err(e) => {
                    // What cannot be done now is tried again when the campaign is resumed.
                    self.jobs.finish(&job);
                    if !cancel.is_cancelled() {
                        self.control.say(format!("smelt: {}: {e:#}", job.finding));
                    }
                }
            }
        }
    }

    fn pause(&self, clock: &Clock<'_>) {
        clock.pause(&|| !self.control.tests_ended(), &self.control.cancel_jobs);
    }

    /// Does a job, and notes in the folder that it was done.
    fn one(&self, job: &Job, clock: &Clock<'_>) -> Result<Done> {
        // What is needed of the folder is read while nobody moves it.
        let held = self.shelf.hold();
        let folder = held.place(&job.finding);
        let mut contents = Contents::read(&folder)?;
        if contents.finding.done.contains_key(&job.kind) && job.kind != Kind::Recheck {
            return Ok(Done::Whole);
        }
        if job.kind == Kind::Recheck {
            contents.finding = recheck::recheck(&folder)?.finding;
        }
        let exhibit = replay::exhibit(&folder, &contents.finding);
        drop(held);
        let told = match job.kind {
            Kind::Recheck => env!("CARGO_PKG_VERSION").to_owned(),
            Kind::Reduce => match self.shrink(&exhibit?, &contents, clock)? {
                Shrunk::Cancelled => return Ok(Done::Cancelled),
                Shrunk::AsItIs(why) => why,
                Shrunk::Smaller(renewed) => {
                    self.shelf.hold().renew(&renewed)?;
                    contents = *renewed;
                    self.suppress(&mut contents.finding);
                    contents.finding.done.get(&Kind::Reduce).cloned().unwrap_or_default()
                }
            },
            Kind::Fingerprint | Kind::Bisect => {
                let installed = job.kind == Kind::Fingerprint;
                let asked = self.ask_releases(&exhibit?, &contents.finding, installed, clock);
                if self.control.cancel_jobs.is_cancelled() {
                    return Ok(Done::Cancelled);
                }
                let (mut print, label) = asked?;
                if installed {
                    contents.finding.labels = label.into_iter().collect();
                }
                if let Some(old) = contents.finding.fingerprint.take() {
                    print.options.extend(old.options);
                }
                let told = format!("{} builds asked", print.releases.len());
                contents.finding.fingerprint = Some(print);
                told
            }
        };
        contents.finding.done.insert(job.kind, told);
        self.shelf.hold().rewrite(&contents)?;
        self.after(job, &contents);
        Ok(Done::Whole)
    }

    /// What a job leads to: the next one, and which bug the finding is.
    fn after(&self, job: &Job, contents: &Contents) {
        let f = &contents.finding;
        if let Some(kind) = next(f, self.plan.config.bisect) {
            self.jobs.put(Job::new(f, kind));
        }
        if job.kind == Kind::Reduce || job.kind == Kind::Fingerprint {
            self.settle(contents, job.kind == Kind::Fingerprint);
        }
    }

    fn shrink(&self, exhibit: &Exhibit, contents: &Contents, clock: &Clock<'_>) -> Result<Shrunk> {
        let shrinking = Shrinking {
            panel: &self.plan.panel,
            wanted: &self.plan.wanted,
            cpu: self.plan.config.court_limit(),
            pause: &|| self.pause(clock),
            cancel: &self.control.cancel_jobs,
        };
        shrinking.shrink(exhibit, contents)
    }

    /// Notes that a finding is on the list of known bugs, which only its smallest script told.
    fn suppress(&self, f: &mut Finding) {
        let version = f.accused.version.as_deref().and_then(Version::parse);
        let known = &self.plan.known;
        let entry = known.find(&f.accused.profile, version.as_ref(), f.class(), &f.signature);
        if let Some(entry) = entry {
            f.known = Some(entry.url.clone().unwrap_or_else(|| f.signature.clone()));
            self.control.tally().total.suppressed += 1;
        }
    }

    /// Asks the builds of the accused's kind for a fault: those that are installed, or all; and which label of a mode it has.
    fn ask_releases(
        &self,
        exhibit: &Exhibit,
        f: &Finding,
        installed: bool,
        clock: &Clock<'_>,
    ) -> Result<(Fingerprint, Option<String>)> {
        let resolver = Resolver { registry: self.registry, tell: &|_| {} };
        // How it is named is the campaign's word, never that of a file which may be a stranger's.
        let mut all = self.plan.panel.all();
        let accused = all.find(|t| t.solver.hash() == f.accused.binary);
        let accused = accused.context("its solver is not among those of the campaign")?;
        let spec = SolverSpec::parse(&accused.spec)?;
        let mut lineup = match installed {
            true => Lineup::of_installed(&resolver, &f.accused.profile, &spec.args),
            false => Lineup::of_releases(&resolver, &f.accused.profile, &spec.args)?,
        };
        let is_release = matches!(&spec.source, Source::Release(..));
        let own = f.accused.version.as_deref().filter(|_| is_release);
        let own = own.and_then(|v| lineup.place(v).ok());
        let version = f.accused.version.as_deref().and_then(Version::parse);
        let at = own.unwrap_or_else(|| {
            let name = f.accused.label.clone();
            lineup.add(Build { name, spec: spec.clone(), here: true }, version.as_ref())
        });
        let pause = || self.pause(clock);
        let asking = Asking {
            resolver: &resolver,
            cpu: self.plan.config.court_limit(),
            runs: if f.rate.0 < f.rate.1 { 3 } else { 1 },
            threads: 1,
            pause: &pause,
            cancel: &self.control.cancel_jobs,
        };
        // Its neighbours, too: that an old release shows the same does not say that those between do.
        let around = [at, at.saturating_sub(1), at + 1];
        let examined = lineup.examine(exhibit, &asking, around, |_, _| {})?;
        let mut print = fingerprint(exhibit, &lineup, Some(at), &examined);
        if installed {
            print.options = cures(exhibit, &accused.solver, &asking)?;
        }
        let label =
            labels::of_mode(&spec, &f.accused.profile, exhibit, &asking).filter(|_| installed);
        Ok((print, label))
    }

    /// Puts a finding together with the others, below its bug; tells of it, and lets the campaign learn from it.
    fn settle(&self, contents: &Contents, printed: bool) {
        let f = &contents.finding;
        // What is said of all findings must be done before something else is said of them.
        let held = self.shelf.hold();
        let settled = self.docket.settle(f);
        self.control.tally().bugs = self.docket.counts();
        if !printed {
            return;
        }
        let moved = self.docket.arrange(&held);
        drop(held);
        if let Err(e) = moved {
            self.control.say(format!("smelt: {e:#}"));
        }
        if let Some(kind) = settled.kind {
            let mut here = Backoff::default();
            self.facts.learn(match settled.bug {
                Some(_) => Lesson::InVain { here: &mut here, kind },
                None => Lesson::New { kind },
            });
        }
        let bytes = contents.bug.len();
        self.control.tell(Event::Settled { finding: Box::new(f.clone()), bytes, bug: settled.bug });
    }

    /// Notes a finding that was kept just now, to which a suspicion of this kind led; and the operators of its script.
    pub fn note(&self, kept: &Kept, kind: Option<String>, operators: BTreeSet<String>) {
        let (Kept::New(f) | Kept::Pending(f, _)) = kept else { return };
        self.docket.add(f, kind, operators);
        self.control.tally().bugs = self.docket.counts();
        if let (Kept::New(f), Some(kind)) = (kept, next(f, self.plan.config.bisect)) {
            self.jobs.put(Job::new(f, kind));
        }
    }
}
