//! The hub: gives positions away, takes what was made of them, confirms what was found, and says how all of it stands.

mod give;
mod judge;
mod take;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use smelt_campaign::campaign::{Campaign, Led, Outcome};
use smelt_campaign::engine::End;
use smelt_campaign::event::{Event, Machine, Resting, Snapshot};
use smelt_campaign::facts;
use smelt_campaign::jobs::When;
use smelt_campaign::journal::LeaseLine;
use smelt_campaign::seed_files::SeedFile;
use smelt_campaign::shelf::{Shelf, bug_key};
use smelt_campaign::tally::Tally;
use smelt_case::digest;
use smelt_solver::Registry;

use super::inbox::Inbox;
use super::ledger::Ledger;
use super::link::Link;
use super::names::{Names, Stream};
use super::server::Server;
use super::wire::{FORMAT, PlanNote, SEED, SEEDS, Task, Total, identity};

/// Blocks that wait for workers, at least: more where there are more threads.
const AHEAD: u64 = 16;
/// How often workers hear how the campaign stands.
const TOTAL: Duration = Duration::from_secs(5);
/// How long workers have to say what they have done when the campaign is over.
const FAREWELL: Duration = Duration::from_secs(20);
/// A worker that is silent for so long is not waited for.
const GONE: Duration = Duration::from_secs(15);
/// Most bugs that workers are told of.
const KNOWN: usize = 5000;

/// How positions are given away.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Positions of a block.
    pub block: usize,
    /// How long the holder of a lease may be silent.
    pub silence: Duration,
    /// Threads that confirm findings.
    pub judges: usize,
    /// Most bytes of each of the streams.
    pub bytes: u64,
}

/// The hub of a campaign.
pub struct Hub<'a> {
    campaign: &'a Campaign,
    registry: &'a Registry,
    setup: Setup,
    link: Link,
    names: Names,
    server: Option<&'a Server>,
    inbox: Inbox,
    state: Mutex<State>,
    /// Whether no more positions are given away.
    over: AtomicBool,
    /// Whether all is done that will be.
    closed: AtomicBool,
    /// A number of this process.
    process: u32,
}

struct State {
    ledger: Ledger,
    /// Lines of finished positions, not written yet.
    lines: Vec<LeaseLine>,
    machines: BTreeMap<String, (Machine, Instant)>,
    /// Whether it was said that statistics cannot be written.
    complained: bool,
}

impl<'a> Hub<'a> {
    /// The key of a campaign: workers know it, and it tells nothing of the token by which its owner does.
    pub fn names(token: &str) -> Result<Names> {
        Names::of(&digest(token.as_bytes())[..16]).context("the campaign has no key")
    }

    /// A hub that is connected, with everything that workers need in its place.
    pub fn open(
        (campaign, registry): (&'a Campaign, &'a Registry),
        setup: Setup,
        link: Link,
        server: Option<&'a Server>,
    ) -> Result<Self> {
        let config = &campaign.plan.config;
        let names = Self::names(&config.token)?;
        let left = campaign.left()?;
        let state = State {
            ledger: Ledger::resumed(left, config.positions),
            lines: Vec::new(),
            machines: BTreeMap::new(),
            complained: false,
        };
        let hub = Self {
            campaign,
            registry,
            setup,
            link,
            names,
            server,
            inbox: Inbox::open(&campaign.folder.path.join("inbox"))?,
            state: Mutex::new(state),
            over: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            process: rand::random(),
        };
        hub.furnish()?;
        Ok(hub)
    }

    /// Makes the streams, and puts the plan and its seeds there.
    fn furnish(&self) -> Result<()> {
        let plan = &self.campaign.plan;
        self.link.make(&self.names, self.setup.silence, self.setup.bytes)?;
        let shipped = plan.seeds.iter().any(|s| matches!(s, SeedFile::File(_)));
        if shipped && plan.seeds.len() > SEEDS {
            bail!("there are {} seeds, and a hub has at most {SEEDS}", plan.seeds.len());
        }
        for (n, seed) in plan.seeds.iter().enumerate().filter(|_| shipped) {
            let text =
                seed.read(SEED).with_context(|| format!("a worker cannot have {}", seed.name()))?;
            self.put(self.names.seed(n), text)?;
        }
        let note = PlanNote {
            format: FORMAT,
            smelt: env!("CARGO_PKG_VERSION").to_owned(),
            identity: identity(plan)?,
            seeds: shipped.then_some(plan.seeds.len()),
            silence: self.setup.silence.as_secs().max(1),
            task: Task::of(plan),
        };
        self.tell_total(false)?;
        self.put(self.names.plan(), serde_json::to_vec(&note)?)
    }

    /// Puts the last message of a subject.
    fn put(&self, subject: String, payload: Vec<u8>) -> Result<()> {
        let id = format!("{:032x}", rand::random::<u128>());
        let mut tried = self.link.store(subject.clone(), &id, payload.clone());
        for _ in 0..3 {
            if tried.is_ok() {
                break;
            }
            tried = self.link.store(subject.clone(), &id, payload.clone());
        }
        tried.with_context(|| format!("the server does not store {subject}"))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works to the end; `watch` gets events, as of any campaign.
    pub fn run(&self, watch: &mut dyn FnMut(Event)) -> Result<Outcome> {
        let facts = facts::of(&self.campaign.plan, &self.campaign.control);
        self.campaign.led_by(&*facts, &mut |led| self.lead(led, watch))
    }

    fn lead(&self, led: &Led<'_>, watch: &mut dyn FnMut(Event)) -> End {
        let (begun, control) = (Instant::now(), &self.campaign.control);
        let earlier_tests = control.tally().total.tests;
        let config = &self.campaign.plan.config;
        let elapsed = || led.before + begun.elapsed().as_secs_f64();
        let mut interrupted = false;
        std::thread::scope(|scope| {
            scope.spawn(|| self.give_leases());
            scope.spawn(|| self.take_results(led, &elapsed));
            scope.spawn(|| self.take_findings());
            scope.spawn(|| self.take_status());
            scope.spawn(|| self.mind_server());
            for n in 0..self.setup.judges.max(1) {
                scope.spawn(move || self.judge(led, n));
            }
            let desk = led.desk.filter(|_| config.reduce != When::Off);
            let jobs: Vec<_> = desk.map_or_else(Vec::new, |desk| {
                (0..desk.threads()).map(|_| scope.spawn(|| desk.work())).collect()
            });
            let (mut told, mut ended) = (Instant::now(), None::<Instant>);
            let mut flushed = Instant::now();
            loop {
                std::thread::sleep(Duration::from_millis(100));
                control.events().into_iter().for_each(&mut *watch);
                watch(Event::Progress(Box::new(self.snapshot(
                    elapsed(),
                    led.before,
                    earlier_tests,
                ))));
                if flushed.elapsed() >= Duration::from_secs(1) {
                    flushed = Instant::now();
                    self.flush(led, elapsed(), false);
                }
                if told.elapsed() > TOTAL {
                    told = Instant::now();
                    // Who does not hear it hears the next one.
                    let _ = self.tell_total(ended.is_some());
                }
                let spent = config.time.is_some_and(|t| elapsed() >= t) || self.is_spent();
                interrupted |= !spent && ended.is_none() && control.cancel.is_cancelled();
                if spent || control.cancel.is_cancelled() || control.failure().is_some() {
                    if ended.is_none() {
                        self.over.store(true, Ordering::Relaxed);
                        let _ = self.tell_total(true);
                        (told, ended) = (Instant::now(), Some(Instant::now()));
                    }
                    if self.is_quiet(ended.unwrap_or(begun)) || control.cancel_all.is_cancelled() {
                        break;
                    }
                }
            }
            self.closed.store(true, Ordering::Relaxed);
            control.end();
            control.note_tests_ended();
            let most = Duration::from_secs_f64(30.0_f64.max(elapsed() / 10.0));
            let late = Instant::now() + most;
            while !jobs.iter().all(|j| j.is_finished()) {
                std::thread::sleep(Duration::from_millis(100));
                control.events().into_iter().for_each(&mut *watch);
                let bounded = config.reduce == When::Now && Instant::now() > late;
                if bounded || interrupted || control.cancel_all.is_cancelled() {
                    control.cancel_jobs.cancel();
                }
            }
        });
        let whole = !interrupted && control.failure().is_none();
        self.flush(led, elapsed(), whole);
        let stated = led.statements.write(led.journal.0, control, (elapsed(), whole));
        control.events().into_iter().for_each(&mut *watch);
        let failure = control.failure().map(anyhow::Error::msg).or(stated.err());
        End { last: self.snapshot(elapsed(), led.before, earlier_tests), failure }
    }

    /// Whether there is as much as was asked for, or nothing more to do.
    fn is_spent(&self) -> bool {
        let (config, tally) = (&self.campaign.plan.config, self.campaign.control.tally());
        let enough = config.tests.is_some_and(|n| tally.total.tests >= n)
            || config.findings.is_some_and(|n| tally.found() >= n);
        drop(tally);
        enough || self.state().ledger.is_done()
    }

    /// Whether nobody has anything to say any more, or has had the time to.
    fn is_quiet(&self, since: Instant) -> bool {
        if since.elapsed() > 4 * FAREWELL {
            return true;
        }
        let here = |(m, heard): &(Machine, Instant)| !m.left && heard.elapsed() < GONE;
        if self.state().machines.values().any(here) && since.elapsed() < FAREWELL {
            return false;
        }
        let empty = |stream| self.link.messages(&self.names, stream).is_ok_and(|n| n == 0);
        // In the order in which they go on: what leaves the one is in the other then.
        empty(Stream::Results) && empty(Stream::Findings) && self.inbox.whole().is_empty()
    }

    fn snapshot(&self, elapsed: f64, before: f64, earlier_tests: u64) -> Snapshot {
        let counts = self.campaign.control.counts();
        let all: f64 = counts.strategies().map(|(_, y)| y.cpu).sum();
        let machine = |(m, heard): &(Machine, Instant)| Machine {
            silent_seconds: heard.elapsed().as_secs_f64(),
            ..m.clone()
        };
        Snapshot {
            elapsed_seconds: elapsed.max(0.001),
            earlier_seconds: before,
            earlier_tests,
            solver_share: counts.total.solver_cpu / all.max(1e-9).max(counts.total.solver_cpu),
            // Seeds rest at workers, at each by what came of its own tests.
            resting: Resting::default(),
            counts,
            machines: self.state().machines.values().map(machine).collect(),
        }
    }

    /// Writes what is counted, and which positions are left, in one transaction.
    fn flush(&self, led: &Led<'_>, elapsed: f64, done: bool) -> bool {
        let control = &self.campaign.control;
        for finding in self.campaign.folder.shelf.write_pending() {
            let _ = led.journal.0.index(&finding);
        }
        let mut state = self.state();
        let (journal, run) = led.journal;
        let State { ledger, lines, .. } = &mut *state;
        let rows = control.counts().rows();
        let flushed = led
            .statements
            .add(lines)
            .and_then(|()| journal.flush(run, (elapsed, done), &rows, lines, Some(&ledger.left())));
        match flushed {
            Ok(()) => lines.clear(),
            Err(e) if !std::mem::replace(&mut state.complained, true) => {
                control.say(format!(
                    "smelt: cannot write statistics ({e:#}); what cannot be written waits"
                ));
                return false;
            }
            Err(_) => return false,
        }
        drop(state);
        let _ = led.statements.write(journal, control, (elapsed, false));
        true
    }

    /// Tells workers how the campaign stands.
    fn tell_total(&self, ended: bool) -> Result<()> {
        let shelf = &self.campaign.folder.shelf;
        let all = smelt_campaign::shelf::read_all(shelf.path())?.findings;
        let keys = |f: &smelt_campaign::finding::Finding| {
            let all = f.signatures.iter().chain([&f.signature]);
            all.map(|s| digest(bug_key(&f.accused.label, s).as_bytes())).collect::<Vec<_>>()
        };
        let known: BTreeSet<String> = all.iter().flat_map(keys).take(KNOWN).collect();
        let tally: Tally = self.campaign.control.tally().clone();
        self.put(self.names.total(), serde_json::to_vec(&Total { ended, tally, known })?)
    }

    /// Starts the hub's own server again when it dies.
    fn mind_server(&self) {
        let Some(server) = self.server else { return };
        let mut complained = false;
        while !self.closed.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
            match server.revive() {
                Ok(false) => complained = false,
                Ok(true) => {
                    self.campaign.control.say("smelt: nats-server had ended; it is started again")
                }
                Err(e) => {
                    if !std::mem::replace(&mut complained, true) {
                        self.campaign.control.say(format!("smelt: {e:#}; it is tried again"));
                    }
                    std::thread::sleep(Duration::from_secs(1));
                }
            }
        }
    }
}
