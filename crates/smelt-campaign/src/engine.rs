//! Threads, budgets, faults and the end of a campaign. Nothing here prints: whoever watches gets events.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use smelt_solver::Solver;
use smelt_triage::Finding;

use crate::campaign::Campaign;
use crate::event::{Event, Snapshot};
use crate::log::Log;
use crate::provers::Provers;
use crate::shelf;
use crate::tally::{Tally, bump};
use crate::worker::Worker;

/// CPU time for one question to one solver about a rule.
const PROOF_LIMIT: Duration = Duration::from_secs(1);

/// What is being confirmed at the end of the tests gets so much more time.
const GRACE: Duration = Duration::from_secs(30);

/// How a campaign ended.
pub struct End {
    /// How it stood.
    pub last: Snapshot,
    /// Findings of this process.
    pub new: Vec<Finding>,
    /// Findings that could not be written, with their scripts.
    pub unwritten: Vec<(Finding, String)>,
    /// Why it ended before its time.
    pub failure: Option<anyhow::Error>,
}

impl Campaign {
    /// Works until the budget is used up, somebody cancels, or nothing more can be done. `watch` gets events, and how things stand
    /// ten times a second.
    pub fn run(&self, watch: &mut dyn FnMut(Event)) -> End {
        let begun = Instant::now();
        let earlier_tests = self.control.tally().total.tests;
        let elapsed = || self.elapsed + begun.elapsed().as_secs_f64();
        let snapshot = || {
            let counts = self.control.tally().clone();
            let solver_share = solver_share(&counts);
            Snapshot { elapsed: elapsed().max(0.001), solver_share, counts, earlier_tests }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.config.jobs)
                .map(|n| scope.spawn(move || Worker::new(self, n).run()))
                .collect();
            if !self.provers.is_empty() {
                scope.spawn(|| self.prove(&self.provers));
            }
            let mut flushed = Instant::now();
            let mut complained = false;
            let mut ended: Option<Instant> = None;
            while !workers.iter().all(|w| w.is_finished()) {
                std::thread::sleep(Duration::from_millis(100));
                self.control.events().into_iter().for_each(&mut *watch);
                watch(Event::Progress(Box::new(snapshot())));
                if flushed.elapsed() >= Duration::from_secs(1) {
                    flushed = Instant::now();
                    if let Err(e) = self.flush(elapsed(), false)
                        && !std::mem::replace(&mut complained, true)
                    {
                        let waiting = self.folder.shelf.unwritten().len();
                        watch(Event::message(format!(
                            "smelt: cannot write statistics ({e:#}); tests go on, {waiting} findings wait in memory"
                        )));
                    }
                }
                let late = self.config.time.is_some_and(|t| elapsed() >= t);
                if late || self.is_spent() || self.control.cancel.is_cancelled() {
                    self.control.end();
                }
                if self.control.stopped()
                    && ended.get_or_insert_with(Instant::now).elapsed() > GRACE
                {
                    self.control.cancel_all.cancel();
                }
            }
            for w in workers {
                if w.join().is_err() {
                    self.control.fail("a worker failed; this is a defect of smelt".to_owned());
                }
            }
        });
        let flushed = self.flush(elapsed(), true);
        self.control.events().into_iter().for_each(&mut *watch);
        let logged = self.log.as_ref().map_or(Ok(()), Log::flush);
        let failure = self.control.failure().map(anyhow::Error::msg);
        let lost = flushed.err().map(|e| e.context("the statistics of the last second are lost"));
        End {
            last: snapshot(),
            new: self.new_findings(),
            unwritten: self.folder.shelf.unwritten(),
            failure: failure.or(lost).or(logged.err()),
        }
    }

    /// Findings that were not there at the beginning.
    fn new_findings(&self) -> Vec<Finding> {
        let old: HashSet<&str> =
            self.folder.earlier.findings.iter().map(|f| f.id.as_str()).collect();
        let all = shelf::read_all(self.folder.shelf.path()).unwrap_or_default().findings;
        all.into_iter().filter(|f| !old.contains(f.id.as_str())).collect()
    }

    /// Proves what seeds ask for, beside the tests, until the campaign ends.
    fn prove(&self, solvers: &[Solver]) {
        let cancel = Some(&self.control.cancel);
        let mut provers = Provers::new(solvers, PROOF_LIMIT, cancel);
        while !self.control.stopped() {
            let Some(wanted) = self.proofs.next() else {
                std::thread::sleep(Duration::from_millis(50));
                continue;
            };
            match self.proofs.settle(&wanted, &mut provers, cancel) {
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
