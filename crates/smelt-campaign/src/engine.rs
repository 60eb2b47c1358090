//! Threads, budgets, faults and the end of a campaign. Nothing here prints: whoever watches gets events.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use smelt_smtlib::{Script, parse};
use smelt_triage::{Class, TargetId, operators};
use smelt_trial::Target;

use crate::control::Control;
use crate::event::{Event, Resting, Snapshot};
use crate::facts::{Backoff, Facts, Lesson};
use crate::jobs::When;
use crate::jobs::desk::Desk;
use crate::journal::{Journal, LeaseLine};
use crate::log::Log;
use crate::plan::Plan;
use crate::provers::Provers;
use crate::remembered::Remembered;
use crate::sequence::Sequence;
use crate::shelf::{Contents, Kept, Shelf, bug_key};
use crate::source::CaseSource;
use crate::statement::Statements;
use crate::tally::{Tally, bump};
use crate::worker::Worker;

/// CPU time for one question to one solver about a rule.
const PROOF_LIMIT: Duration = Duration::from_secs(1);

/// What is being confirmed at the end of the tests gets so much more time at most, and what is left to do with kept findings what is left
/// of that, or of a tenth of the time of the tests.
const GRACE: Duration = Duration::from_secs(30);

/// Who waits longer than this behind the tests is told why.
const SILENCE: Duration = Duration::from_secs(2);

/// How a campaign ended.
pub struct End {
    /// How it stood.
    pub last: Snapshot,
    /// Why it ended before its time.
    pub failure: Option<anyhow::Error>,
}

/// What runs a campaign.
pub struct Engine<'a> {
    /// What is to be done, and with what.
    pub plan: &'a Plan,
    /// Where cases come from.
    pub source: &'a dyn CaseSource,
    /// Who divides them.
    pub sequence: &'a dyn Sequence,
    /// What is known of seeds, strategies, solvers and suspicions.
    pub facts: &'a dyn Facts,
    /// Where findings go.
    pub shelf: &'a dyn Shelf,
    /// Where counters and leases go, under the number of a run.
    pub journal: (&'a Journal, i64),
    /// Counters, what is told, and the end.
    pub control: &'a Control,
    /// Where every answer is noted, if that is wanted.
    pub log: Option<&'a Log>,
    /// Where work on kept findings is done, and bugs are told apart.
    pub desk: Option<&'a Desk<'a>>,
    /// Answers of earlier runs, if they are used.
    pub remembered: Option<&'a Remembered>,
    /// Where it is stated in plain files what the run has done.
    pub statements: Option<&'a Statements<'a>>,
    /// Lines of finished positions, not written yet.
    lines: Mutex<Vec<LeaseLine>>,
}

impl<'a> Engine<'a> {
    /// An engine of these parts, without a log, and without answers of earlier runs.
    pub fn new(
        plan: &'a Plan,
        (source, sequence): (&'a dyn CaseSource, &'a dyn Sequence),
        (facts, shelf): (&'a dyn Facts, &'a dyn Shelf),
        journal: (&'a Journal, i64),
        control: &'a Control,
    ) -> Self {
        let lines = Mutex::default();
        Self {
            plan,
            source,
            sequence,
            facts,
            shelf,
            journal,
            control,
            log: None,
            desk: None,
            remembered: None,
            statements: None,
            lines,
        }
    }

    /// Works until the budget is used up, somebody cancels, or nothing more can be done. `watch` gets events, and how things stand
    /// ten times a second. So many seconds of the run have passed before.
    pub fn run(&self, before: f64, watch: &mut dyn FnMut(Event)) -> End {
        let begun = Instant::now();
        let earlier_tests = self.control.tally().total.tests;
        let grace = grace(self.plan.config.time);
        // What is done behind the tests is none of their time.
        let took = std::cell::OnceCell::new();
        let mut interrupted = false;
        let elapsed = || *took.get().unwrap_or(&(before + begun.elapsed().as_secs_f64()));
        // There may be many seeds: these are looked at once a second.
        let resting = std::cell::RefCell::new(Resting::default());
        let snapshot = || {
            let counts = self.control.counts();
            let solver_share = solver_share(&counts);
            let elapsed_seconds = elapsed().max(0.001);
            let earlier_seconds = before;
            let resting = resting.borrow().clone();
            let machines = Vec::new();
            Snapshot {
                elapsed_seconds,
                earlier_seconds,
                earlier_tests,
                solver_share,
                resting,
                counts,
                machines,
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.plan.config.jobs)
                .map(|n| scope.spawn(move || Worker::new(self, n).run()))
                .collect();
            if !self.plan.provers.is_empty() {
                // A defect of smelt there costs proofs, not the campaign.
                let prove = std::panic::AssertUnwindSafe(|| self.prove());
                scope.spawn(|| {
                    if std::panic::catch_unwind(prove).is_err() {
                        self.control.tally().total.panics += 1;
                    }
                });
            }
            let jobs = self.desk.filter(|_| self.plan.config.reduce != When::Off);
            let mut jobs: Vec<_> = jobs.map_or_else(Vec::new, |desk| {
                (0..desk.threads()).map(|_| scope.spawn(|| desk.work())).collect()
            });
            let mut flushed = Instant::now();
            let mut complained = false;
            let mut ended: Option<Instant> = None;
            while !workers.iter().all(|w| w.is_finished()) {
                std::thread::sleep(Duration::from_millis(100));
                self.control.events().into_iter().for_each(&mut *watch);
                watch(Event::Progress(Box::new(snapshot())));
                if flushed.elapsed() >= Duration::from_secs(1) {
                    flushed = Instant::now();
                    resting.replace(self.facts.resting());
                    // Who looks at the folder sees how it stands; nothing depends on it.
                    let _ = self.journal.0.put_snapshot(self.journal.1, &snapshot());
                    if let Err(e) = self.flush(elapsed(), false)
                        && !std::mem::replace(&mut complained, true)
                    {
                        watch(Event::message(format!(
                            "smelt: cannot write statistics ({e:#}); tests go on, and what cannot be written waits in memory"
                        )));
                    }
                }
                let late = self.plan.config.time.is_some_and(|t| elapsed() >= t);
                let spent = late || self.is_spent();
                if spent || self.control.cancel.is_cancelled() {
                    interrupted |= !spent && !self.control.stopped();
                    self.control.end();
                }
                if self.control.stopped()
                    && ended.get_or_insert_with(Instant::now).elapsed() > grace
                {
                    self.control.cancel_all.cancel();
                }
            }
            // There may be no more positions: whoever works beside the tests ends with them.
            self.control.end();
            for w in workers {
                if w.join().is_err() {
                    self.control.fail("a worker failed; this is a defect of smelt".to_owned());
                }
            }
            let _ = took.set(elapsed());
            self.control.note_tests_ended();
            // Nobody needs the cores any more.
            if let Some(desk) = self.desk.filter(|_| !jobs.is_empty()) {
                let more = self.plan.config.jobs.saturating_sub(jobs.len());
                jobs.extend((0..more).map(|_| scope.spawn(|| desk.work())));
            }
            let most = GRACE.max(Duration::from_secs_f64(elapsed() / 10.0));
            self.wait_for(&jobs, ended.unwrap_or_else(Instant::now) + most, watch);
        });
        let whole = !interrupted && self.control.failure().is_none();
        let flushed = self.flush(elapsed(), true).and_then(|()| self.state(elapsed(), whole));
        let _ = self.journal.0.put_snapshot(self.journal.1, &snapshot());
        self.control.events().into_iter().for_each(&mut *watch);
        let logged = self.log.map_or(Ok(()), Log::flush);
        let failure = self.control.failure().map(anyhow::Error::msg);
        let lost = flushed.err().map(|e| e.context("the statistics of the last second are lost"));
        End { last: snapshot(), failure: failure.or(lost).or(logged.err()) }
    }

    /// Waits until the jobs that go on behind the tests are done; if they are those that were begun beside the tests, no longer than to `end`.
    fn wait_for(
        &self,
        jobs: &[std::thread::ScopedJoinHandle<'_, ()>],
        end: Instant,
        watch: &mut dyn FnMut(Event),
    ) {
        let (begun, bounded) = (Instant::now(), self.plan.config.reduce == When::Now);
        let mut told = false;
        while !jobs.iter().all(|j| j.is_finished()) {
            std::thread::sleep(Duration::from_millis(100));
            self.control.events().into_iter().for_each(&mut *watch);
            if begun.elapsed() > SILENCE && !std::mem::replace(&mut told, true) {
                let left = end.saturating_duration_since(Instant::now()).as_secs();
                let most = if bounded { format!(", for {left} s at most") } else { String::new() };
                watch(Event::Remark {
                    message: format!(
                        "the tests have ended; findings are made smaller and told apart{most}"
                    ),
                });
            }
            let late = bounded && Instant::now() > end;
            if late || self.control.cancel_all.is_cancelled() {
                self.control.cancel_jobs.cancel();
            }
        }
    }

    /// Whether there are as many tests or findings as were asked for, or as much CPU time was used.
    pub(crate) fn is_spent(&self) -> bool {
        let (config, tally) = (&self.plan.config, self.control.tally());
        config.tests.is_some_and(|n| tally.total.tests >= n)
            || config.findings.is_some_and(|n| tally.found() >= n)
            || config.cpu.is_some_and(|cpu| tally.total.spent_cpu >= cpu)
    }

    /// Which class of accusations against whom this campaign is about.
    pub(crate) fn reports(&self, accused: TargetId, class: Class) -> bool {
        let Plan { config, panel, .. } = self.plan;
        config.policy().accuses(accused, panel, class) && (!class.row().slow || config.performance)
    }

    /// Journals that a position has had all of its cases, and what was made of it.
    pub(crate) fn finish(&self, seq: u64, line: Option<LeaseLine>) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        self.sequence.finish(seq, line.as_ref());
        lines.extend(line);
    }

    /// Whether a suspicion of this kind is to be confirmed now; if not, it is counted.
    pub(crate) fn worth_trying(&self, here: &mut Backoff, kind: &str) -> bool {
        let worth = self.facts.look(here, kind);
        self.control.tally().total.not_looked_at += u64::from(!worth);
        worth
    }

    /// Notes that confirming a suspicion of this kind gave nothing new.
    pub(crate) fn in_vain(&self, here: &mut Backoff, kind: String) {
        self.facts.learn(Lesson::InVain { here, kind });
    }

    /// Whether a bug was found before; then it is counted.
    pub(crate) fn is_known(&self, solver: &str, signature: &str) -> bool {
        let known = !self.shelf.wants(&bug_key(solver, signature));
        if known {
            self.duplicate(signature);
        }
        known
    }

    fn duplicate(&self, signature: &str) {
        self.control.tally().total.duplicates += 1;
        // A lost count is no loss.
        let _ = self.journal.0.hit(signature);
    }

    /// The bug that a suspicion is likely another trigger of. A frozen schedule does not ask: it is a matter of time.
    pub(crate) fn likely(&self, who: &Target, class: Class, script: &Script) -> Option<String> {
        let desk = self.desk.filter(|_| !self.facts.is_frozen())?;
        let version = who.solver.version().map(ToString::to_string);
        let profile = &who.solver.profile().name;
        desk.docket.likely(profile, version.as_deref(), class, &operators(script))
    }

    /// Keeps a finding, to which a suspicion of this kind led, if it is new; true if it is.
    pub(crate) fn keep(&self, contents: Contents, kind: &str) -> bool {
        let signature = contents.finding.signature.clone();
        // Until its fingerprint is known, it is known by its operators; where nobody will ever take one, that would hide others.
        let printed = self.desk.filter(|_| self.plan.config.reduce != When::Off);
        let operators = printed.and_then(|_| {
            let script = parse(contents.bug.as_bytes()).ok()?;
            Some(operators(&script).into_iter().map(str::to_owned).collect())
        });
        let kept = self.shelf.keep(contents);
        if let Some(desk) = self.desk {
            desk.note(&kept, Some(kind.to_owned()), operators.unwrap_or_default());
        }
        let finding = match kept {
            Kept::Known => {
                self.duplicate(&signature);
                return false;
            }
            Kept::New(finding) => {
                // The folder is the truth; the index can be made again.
                let _ = self.journal.0.index(&finding);
                finding
            }
            Kept::Pending(finding, why) => {
                self.control.say(format!("smelt: {why}; it is kept in memory and tried again"));
                finding
            }
        };
        let (journal, run) = self.journal;
        // Which run it is of; if that is lost, who resumes the run counts it all the same.
        let _ = journal.note_found(run, &finding.id);
        self.control.tally().count_finding(finding.origin.maker(), finding.class());
        self.control.tell(Event::Found { finding });
        true
    }

    /// Writes counters, leases, and findings that could not be written before.
    fn flush(&self, elapsed: f64, done: bool) -> anyhow::Result<()> {
        let (journal, run) = self.journal;
        for finding in self.shelf.write_pending() {
            let _ = journal.index(&finding);
        }
        let rows = self.control.counts().rows();
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        // No position is finished meanwhile: those whose lines are written are just those that are not left.
        let left = self.sequence.left();
        // First: a position is stated twice rather than never.
        if let Some(statements) = self.statements {
            statements.add(&lines)?;
        }
        journal.flush(run, (elapsed, done), &rows, &lines, left.as_ref())?;
        lines.clear();
        drop(lines);
        if done { Ok(()) } else { self.state(elapsed, false) }
    }

    /// States in plain files what the run has done, and whether it has come to its end.
    fn state(&self, elapsed: f64, whole: bool) -> anyhow::Result<()> {
        self.statements.map_or(Ok(()), |s| s.write(self.journal.0, self.control, (elapsed, whole)))
    }

    /// Proves what seeds ask for, beside the tests, until the campaign ends.
    fn prove(&self) {
        let cancel = Some(&self.control.cancel);
        let mut provers = Provers::new(&self.plan.provers, PROOF_LIMIT, cancel);
        while !self.control.stopped() {
            let Some(wanted) = self.plan.proofs.next() else {
                std::thread::sleep(Duration::from_millis(50));
                continue;
            };
            match self.plan.proofs.settle(&wanted, &mut provers, cancel) {
                Ok(Some(settled)) => {
                    bump(&mut self.control.tally().proofs, settled.word().to_owned());
                }
                Ok(None) => return,
                // It is known to this campaign, if not to the next.
                Err(e) => self.control.say(format!("smelt: {e:#}; proofs of rules are not kept")),
            }
        }
    }
}

/// How much longer than a campaign that was given this time what is being confirmed may take: a tenth of it, in whose place a short one gets
/// ten seconds. What is cut off is tried again when the campaign is resumed.
fn grace(time: Option<f64>) -> Duration {
    time.map_or(GRACE, |t| Duration::from_secs_f64((t / 10.0).clamp(10.0, GRACE.as_secs_f64())))
}

/// Solvers' share of all CPU time of this run so far: of tests, seeds and confirmations, with the start of their processes.
///
/// Processes that still run are not among the children that have ended; while they are most of all, what the tests
/// measured says more.
fn solver_share(tally: &Tally) -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    let used =
        |who| getrusage(who).map_or(0.0, |u| seconds(u.user_time()) + seconds(u.system_time()));
    let measured = tally.total.solver_cpu - tally.earlier_cpu;
    let solvers = used(UsageWho::RUSAGE_CHILDREN).max(measured);
    solvers / (solvers + used(UsageWho::RUSAGE_SELF)).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_campaigns_end_soon() {
        for (time, expect) in
            [(None, 30), (Some(0.1), 10), (Some(200.0), 20), (Some(450.0), 30), (Some(1e300), 30)]
        {
            assert_eq!(grace(time), Duration::from_secs(expect), "{time:?}");
        }
    }
}
