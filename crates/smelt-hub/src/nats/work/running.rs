//! A worker at work: threads that test, one that sends findings, one that says that leases are worked on.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use smelt_campaign::control::Control;
use smelt_campaign::engine::Engine;
use smelt_campaign::event::Event;
use smelt_campaign::facts::Facts;
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::Plan;
use smelt_campaign::source::chains::Chains;
use smelt_solver::Cancel;

use super::super::lane::{Lane, Sending, Shared};
use super::super::outbox::Outbox;
use super::super::wire::{Status, Total, read};
use super::{Joined, Summary, Terms};

/// How often a worker says how it stands.
const STATUS: Duration = Duration::from_secs(3);

/// A worker at work.
pub(super) struct AtWork<'a> {
    pub(super) joined: &'a Joined,
    pub(super) plan: &'a Plan,
    pub(super) home: &'a Folder,
    pub(super) outbox: &'a Outbox,
    pub(super) facts: &'a dyn Facts,
    /// What the whole campaign has counted, which steers it.
    pub(super) main: &'a Control,
    pub(super) terms: &'a Terms,
    pub(super) known: Mutex<BTreeSet<String>>,
    pub(super) lost: Mutex<Vec<String>>,
    pub(super) sent: AtomicU64,
    /// Whether all threads have ended.
    pub(super) over: AtomicBool,
    pub(super) begun: Instant,
    pub(super) shared: Shared<'a>,
}

impl AtWork<'_> {
    /// Works until the campaign is over, somebody stops it, or the hub is silent for too long.
    pub(super) fn run(
        &self,
        (stop, stop_all): (&Cancel, &Cancel),
        tell: &mut dyn FnMut(&str, &Summary),
    ) -> Result<Summary> {
        let controls: Vec<Control> = (0..self.terms.jobs)
            .map(|_| Control::new(smelt_campaign::tally::Tally::default()))
            .collect::<std::io::Result<_>>()?;
        let lanes: Vec<Lane<'_>> = controls.iter().map(|c| Lane::new(&self.shared, c)).collect();
        let totals = self.shared.link.listen(self.shared.names.total())?;
        let mut failure = None;
        let mut ended = false;
        let end_all = || controls.iter().for_each(Control::end);
        std::thread::scope(|scope| -> Result<()> {
            let threads: Vec<_> = lanes
                .iter()
                .zip(&controls)
                .map(|(lane, control)| scope.spawn(move || self.test(lane, control)))
                .collect();
            let over = &self.over;
            scope.spawn(move || self.send_findings());
            let kept: Vec<&Lane<'_>> = lanes.iter().collect();
            let every = Duration::from_secs_f64((self.joined.plan.silence as f64 / 4.0).max(0.2));
            scope.spawn(move || {
                while !pause(over, every) {
                    kept.iter().for_each(|lane| lane.go_on());
                }
            });
            let (mut heard, mut told) = (Instant::now(), None::<Instant>);
            let mut total =
                self.joined.link.last(&self.joined.names, &self.joined.names.total()).ok();
            while !threads.iter().all(|t| t.is_finished()) {
                if let Some(payload) = total.take() {
                    heard = Instant::now();
                    ended |= self.hear(&payload);
                }
                total = totals.recv_timeout(Duration::from_millis(100)).ok().map(|(_, p)| p);
                if self.shared.link.is_up() {
                    heard = Instant::now();
                } else if heard.elapsed() > self.terms.patience && failure.is_none() {
                    failure =
                        Some(format!("the hub is silent for {} s", heard.elapsed().as_secs()));
                }
                if ended || failure.is_some() || stop.is_cancelled() {
                    end_all();
                }
                if stop_all.is_cancelled() {
                    controls.iter().for_each(|c| c.cancel_all.cancel());
                }
                self.pass_on(tell);
                for lost in std::mem::take(&mut *self.lock(&self.lost)) {
                    tell(&lost, &self.summary(ended));
                }
                if told.is_none_or(|at| at.elapsed() > STATUS) {
                    told = Some(Instant::now());
                    let _ = self.say(false);
                    tell("", &self.summary(ended));
                }
                if let Some(control) = controls.iter().find(|c| c.failure().is_some()) {
                    failure = failure.take().or(control.failure());
                }
            }
            for thread in threads {
                if thread.join().is_err() {
                    failure = Some("a thread failed; this is a defect of smelt".to_owned());
                }
            }
            self.over.store(true, Ordering::Relaxed);
            Ok(())
        })?;
        let _ = self.say(true);
        self.shared.link.close();
        let summary = self.summary(ended);
        match failure {
            Some(why) if summary.waiting > 0 => bail!(
                "{why}; {} findings wait in {} until this command is given again",
                summary.waiting,
                self.home.path.join("outbox").display()
            ),
            Some(why) => bail!("{why}"),
            None => Ok(summary),
        }
    }

    fn lock<'m, T>(&self, mutex: &'m Mutex<T>) -> std::sync::MutexGuard<'m, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One thread: an engine of one worker, whose positions are those of its leases.
    fn test(&self, lane: &Lane<'_>, control: &Control) {
        let journal = &self.home.journal;
        let run = match journal.begin_run("worker") {
            Ok(run) => run,
            Err(e) => return control.fail(format!("{e:#}")),
        };
        let chains = Chains::new(self.plan, control, (journal, run), self.facts);
        let (own, outbox) = (&self.home.shelf, self.outbox);
        let shelf = Sending { own, outbox, known: &self.known, lost: &self.lost };
        let kept = (self.facts, &shelf as &dyn smelt_campaign::shelf::Shelf);
        let engine = Engine::new(self.plan, (&chains, lane), kept, (journal, run), control);
        // Whoever watches all threads tells what happens.
        let end = engine.run(0.0, &mut |event| match event {
            Event::Progress(_) => {}
            event => self.main.tell(event),
        });
        lane.settle();
        if let Some(failure) = end.failure {
            control.fail(format!("{failure:#}"));
        }
    }

    /// Sends what is in the outbox, until all threads have ended and it is empty, or nobody takes it.
    fn send_findings(&self) {
        let Shared { link, names, worker, .. } = self.shared;
        let mut last: Option<Instant> = None;
        loop {
            let over = self.over.load(Ordering::Relaxed);
            let waiting = self.outbox.waiting();
            if over {
                let since = *last.get_or_insert_with(Instant::now);
                if waiting.is_empty() || since.elapsed() > Duration::from_secs(10) {
                    return;
                }
            }
            for name in waiting {
                if self.outbox.send(link, names, worker, &name).is_ok() {
                    self.sent.fetch_add(1, Ordering::Relaxed);
                }
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Learns how the campaign stands; whether it is over.
    fn hear(&self, payload: &[u8]) -> bool {
        let Ok(total) = read::<Total>(payload) else { return false };
        if !self.facts.is_frozen() {
            *self.main.tally() = total.tally;
            *self.lock(&self.known) = total.known;
        }
        total.ended
    }

    /// Tells what happened in the threads.
    fn pass_on(&self, tell: &mut dyn FnMut(&str, &Summary)) {
        for event in self.main.events() {
            let summary = self.summary(false);
            match event {
                Event::Message { message } | Event::Remark { message } => tell(&message, &summary),
                Event::Found { finding } => {
                    tell(&format!("{}: found, and on its way to the hub", finding.id), &summary)
                }
                Event::Settled { .. } | Event::Progress(_) => {}
            }
        }
    }

    /// Says how it stands.
    fn say(&self, leaves: bool) -> Result<()> {
        let now = self.summary(false);
        let solver = |t: &smelt_trial::Target| {
            let version = t.solver.version().map(ToString::to_string);
            (t.label.clone(), version.unwrap_or_default(), t.solver.hash().to_owned())
        };
        let status = Status {
            smelt: env!("CARGO_PKG_VERSION").to_owned(),
            machine: self.terms.machine.clone(),
            jobs: self.terms.jobs,
            solvers: self.plan.panel.targets().iter().map(solver).collect(),
            positions: now.positions,
            tests: now.tests,
            sent: now.sent,
            waiting: now.waiting,
            elapsed: self.begun.elapsed().as_secs_f64(),
            leaves,
        };
        self.shared
            .link
            .send(self.shared.names.status(self.shared.worker), serde_json::to_vec(&status)?)
    }

    fn summary(&self, ended: bool) -> Summary {
        Summary {
            positions: self.shared.positions.load(Ordering::Relaxed),
            tests: self.shared.tests.load(Ordering::Relaxed),
            sent: self.sent.load(Ordering::Relaxed),
            waiting: self.outbox.waiting().len() as u64,
            ended,
        }
    }
}

/// Waits so long, or until it is over; whether it is.
fn pause(over: &AtomicBool, time: Duration) -> bool {
    let end = Instant::now() + time;
    while Instant::now() < end && !over.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
    }
    over.load(Ordering::Relaxed)
}
