//! A worker: takes leases from the source and tests their cases, with sessions of its own.
//!
//! `test` gives a case to solvers, `judge` looks for contradictions, `pursue` confirms and keeps what can be shown.

mod judge;
mod pursue;
mod test;

use std::time::Duration;

use smelt_smtlib::Reprinter;
use smelt_solver::RunError;
use smelt_trial::Target;
use smelt_trial::bench::Bench;

use crate::apart::cpu_of_thread;
use crate::engine::Engine;
use crate::facts::Backoff;
use crate::journal::LeaseLine;
use crate::source::{Done, Lease};
use crate::tally::Tested;

/// So many leases in a row that fail on our side of the pipe end the campaign.
const FAULTS: u32 = 100;

/// A worker.
pub struct Worker<'e> {
    number: usize,
    bench: Bench<'e>,
    hand: Hand<'e>,
    faults_in_a_row: u32,
}

/// What a worker tests cases with, but for its sessions.
struct Hand<'e> {
    engine: &'e Engine<'e>,
    /// Prints the cases for each target.
    printers: Vec<Reprinter>,
    tests: u64,
    /// The position of the campaign's schedule that it works on.
    position: u64,
    /// What is known of suspicions of this lease alone.
    looks: Backoff,
    meter: Meter,
    /// CPU seconds that the run had spent when the suspicion was met that is looked into.
    spent: f64,
}

/// Which CPU time of a worker's thread is counted: its clock when that was last done, and what of the time since then went to confirming.
#[derive(Default)]
struct Meter {
    counted: f64,
    apart: f64,
}

impl<'e> Worker<'e> {
    /// A worker of a campaign.
    pub fn new(engine: &'e Engine<'e>, number: usize) -> Self {
        let panel = &engine.plan.panel;
        let deterministic = engine.plan.config.deterministic;
        let printers = panel.targets().iter().map(Target::reprinter).collect();
        Self {
            number,
            bench: Bench::new(panel, deterministic, &engine.control.cancel),
            hand: Hand {
                engine,
                printers,
                tests: 0,
                position: 0,
                looks: Backoff::default(),
                meter: Meter { counted: cpu_of_thread(), apart: 0.0 },
                spent: 0.0,
            },
            faults_in_a_row: 0,
        }
    }

    /// Works until the campaign ends, or ends it because nothing can be run any more.
    pub fn run(&mut self) {
        let Engine { control, source, sequence, .. } = self.hand.engine;
        while !control.stopped() {
            // A run that goes on may have nothing left of its budget.
            if self.hand.engine.is_spent() {
                return control.end();
            }
            let Some(seq) = sequence.next() else { return };
            self.hand.position = self.hand.engine.plan.config.position(seq);
            // A defect of smelt costs the lease that met it, not the campaign.
            let lease = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                source.lease(seq, &mut self.bench, &mut |bench, lease| self.hand.work(bench, lease))
            }));
            self.hand.charge(&self.bench);
            match lease {
                Ok(Ok(line)) => {
                    self.faults_in_a_row = 0;
                    let line = line.map(|l| LeaseLine { worker: self.number, ..l });
                    self.hand.engine.finish(seq, line);
                }
                // What has not had all of its cases is taken again by who goes on.
                Ok(Err(RunError::Cancelled)) => {}
                Ok(Err(e)) => {
                    control.tally().total.faults += 1;
                    self.faults_in_a_row += 1;
                    self.bench.clear();
                    if self.faults_in_a_row >= FAULTS {
                        return control
                            .fail(format!("{FAULTS} runs in a row failed, the last because: {e}"));
                    }
                    let pause = Duration::from_millis(50) * self.faults_in_a_row;
                    std::thread::sleep(pause.min(Duration::from_secs(1)));
                }
                Err(_) => {
                    control.tally().total.panics += 1;
                    control.say(format!(
                        "smelt: chain {seq} met a defect of smelt itself: please report it with the campaign seed"
                    ));
                    self.bench.clear();
                    // It would be met again.
                    self.hand.engine.finish(seq, None);
                }
            }
        }
    }
}

impl Hand<'_> {
    /// Tests the cases of a lease, one after the other. A lease that the end of the campaign cuts off is cancelled.
    fn work(&mut self, bench: &mut Bench<'_>, lease: &mut dyn Lease) -> Result<(), RunError> {
        let Engine { control, .. } = self.engine;
        let mut own = cpu_of_thread();
        self.looks = Backoff::default();
        loop {
            let (who, limit) = (lease.who().to_vec(), lease.limit());
            let Some(mut case) = lease.next() else { return Ok(()) };
            self.charge(bench);
            if self.engine.is_spent() {
                control.end();
            }
            if control.stopped() {
                return Err(RunError::Cancelled);
            }
            let is_new = case.said.is_empty();
            let maker = case.origin.maker().to_owned();
            let done = match is_new {
                true => self.test(bench, &mut case, &who, limit)?,
                false => self.judge_said(bench, &mut case)?,
            };
            let now = cpu_of_thread();
            if is_new && !done.too_large {
                self.count(&maker, &done, now - own);
            }
            own = now;
            lease.learn(&done);
        }
    }

    /// Counts the CPU time of the thread and of the sessions since the last time; what went to confirming is counted apart.
    fn charge(&mut self, bench: &Bench<'_>) -> f64 {
        let now = cpu_of_thread();
        let own = now - self.meter.counted - self.meter.apart;
        self.meter = Meter { counted: now, apart: 0.0 };
        let mut tally = self.engine.control.tally();
        tally.total.spent_cpu += own.max(0.0) + bench.take_cpu().as_secs_f64();
        tally.total.spent_cpu
    }

    fn count(&self, maker: &str, done: &Done, own: f64) {
        let panel = &self.engine.plan.panel;
        let said = |t: &Target| done.said.get(&t.id()).copied().unwrap_or(NOT_ASKED);
        self.engine.control.tally().count_test(&Tested {
            maker,
            said: panel.targets().iter().map(|t| (t.label.as_str(), said(t))).collect(),
            rejected: done.rejected,
            solver_cpu: done.cpu,
            own_cpu: own,
        });
    }
}

/// What is counted for a solver that was not asked about a test: it does not take the seed, or others were chosen for its chain.
const NOT_ASKED: &str = "not-asked";
