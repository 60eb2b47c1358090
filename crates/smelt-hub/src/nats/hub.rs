//! The hub: gives positions away, takes what was made of them, confirms what was found, and says how all of it stands.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use smelt_campaign::campaign::{Campaign, Led, Outcome};
use smelt_campaign::engine::End;
use smelt_campaign::event::{Event, Machine, Snapshot};
use smelt_campaign::facts;
use smelt_campaign::jobs::When;
use smelt_campaign::journal::LeaseLine;
use smelt_campaign::seed_files::SeedFile;
use smelt_campaign::shelf::{Kept, Shelf, bug_key};
use smelt_campaign::tally::Tally;
use smelt_case::digest;
use smelt_solver::Registry;

use super::confirm::{Fate, Judge};
use super::inbox::Inbox;
use super::ledger::Ledger;
use super::link::Link;
use super::names::{Names, Stream, piece_of, worker_of};
use super::parcel::PIECES;
use super::queue::Delivery;
use super::server::Server;
use super::wire::{
    Block, FORMAT, PlanNote, Results, SEED, SEEDS, Status, Task, Total, identity, read,
};

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
        if since.elapsed() > FAREWELL + Duration::from_secs(10) {
            return true;
        }
        let here = |(m, heard): &(Machine, Instant)| !m.left && heard.elapsed() < GONE;
        if self.state().machines.values().any(here) && since.elapsed() < FAREWELL {
            return false;
        }
        let empty = |stream| self.link.messages(&self.names, stream).is_ok_and(|n| n == 0);
        self.inbox.whole().is_empty() && empty(Stream::Results) && empty(Stream::Findings)
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

    /// Gives blocks away as they are taken, and those again that were lost.
    fn give_leases(&self) {
        let mut lost_for = 0;
        let mut made = 0_u64;
        // Blocks that are given away, and may not be stored: whatever became of them, they are stored once more under their number.
        let mut todo: VecDeque<(u64, Vec<u64>)> = VecDeque::new();
        while !self.over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
            let waiting = match self.link.messages(&self.names, Stream::Leases) {
                Ok(waiting) => waiting,
                Err(e) => {
                    // Its store is gone: what is open is given again.
                    if format!("{e:#}").contains("not found") {
                        let _ = self.furnish();
                    }
                    continue;
                }
            };
            let jobs: usize =
                self.state().machines.values().filter(|(m, _)| !m.left).map(|(m, _)| m.jobs).sum();
            let wanted = AHEAD.max(3 * jobs as u64);
            for _ in waiting..wanted {
                if todo.is_empty() {
                    let block = self.state().ledger.give(self.setup.block);
                    made += 1;
                    todo.extend((!block.is_empty()).then_some((made, block)));
                }
                let given = todo.front().is_some_and(|(n, block)| self.give(block, *n));
                if !given || todo.pop_front().is_none() {
                    break;
                }
            }
            // Results are looked at behind leases: a lease is given up when its results are stored.
            let nothing = waiting == 0
                && todo.is_empty()
                && self.link.messages(&self.names, Stream::Results).is_ok_and(|n| n == 0);
            lost_for = if nothing { lost_for + 1 } else { 0 };
            if lost_for > 20 {
                lost_for = 0;
                let open: Vec<u64> = self.state().ledger.open().collect();
                for block in open.chunks(self.setup.block) {
                    made += 1;
                    todo.push_back((made, block.to_vec()));
                }
            }
        }
    }

    /// Gives a block away; one that may have been stored all the same is given twice, and counts once.
    fn give(&self, positions: &[u64], number: u64) -> bool {
        let Ok(payload) = serde_json::to_vec(&Block { positions: positions.to_vec() }) else {
            return false;
        };
        let id = format!("{:x}-{number}", self.process);
        self.link.store(self.names.lease(), &id, payload).is_ok()
    }

    /// Takes what workers made of positions. It is acknowledged when it is written.
    fn take_results(&self, led: &Led<'_>, elapsed: &(dyn Fn() -> f64 + Sync)) {
        let queue = self.link.queue(&self.names, Stream::Results);
        while !self.closed.load(Ordering::Relaxed) {
            let Ok(taken) = queue.take(64, Duration::from_millis(500)) else {
                std::thread::sleep(Duration::from_millis(300));
                continue;
            };
            if taken.is_empty() {
                continue;
            }
            self.count(&taken);
            if self.flush(led, elapsed(), false) {
                taken.iter().for_each(|d| drop(d.done()));
            }
        }
    }

    /// Counts what is new in messages; what is no message is dropped.
    fn count(&self, taken: &[Delivery<'_>]) {
        let mut tallies: Vec<Tally> = Vec::new();
        let mut state = self.state();
        for delivery in taken {
            let worker = worker_of(delivery.subject()).map(str::to_owned);
            let (Some(worker), Ok(results)) = (worker, read::<Results>(delivery.payload())) else {
                continue;
            };
            let number = state.machines.keys().position(|w| *w == worker).unwrap_or(0);
            for record in results.all {
                let seq = record.seq;
                let Ok(record) = record.checked() else { continue };
                let line = record.line.map(|line| line.read(seq, number)).transpose();
                let Ok(line) = line else { continue };
                if state.ledger.finish(seq) {
                    state.lines.extend(line);
                    tallies.push(record.tally);
                    if let Some((machine, _)) = state.machines.get_mut(&worker) {
                        machine.positions += 1;
                    }
                }
            }
        }
        self.campaign.control.tally().add_all(&tallies);
    }

    /// Takes pieces of findings; a piece is acknowledged when it is on the disk.
    fn take_findings(&self) {
        let queue = self.link.queue(&self.names, Stream::Findings);
        let mut complained = false;
        while !self.closed.load(Ordering::Relaxed) {
            let Ok(taken) = queue.take(16, Duration::from_millis(500)) else {
                std::thread::sleep(Duration::from_millis(300));
                continue;
            };
            for delivery in taken {
                let Some((digest, piece, pieces)) = piece_of(delivery.subject(), PIECES) else {
                    delivery.drop_it();
                    continue;
                };
                match self.inbox.put(&digest, (piece, pieces), delivery.payload()) {
                    Ok(()) => drop(delivery.done()),
                    Err(e) => {
                        delivery.give_back();
                        if !std::mem::replace(&mut complained, true) {
                            self.campaign
                                .control
                                .say(format!("smelt: {e:#}; findings wait at the server"));
                        }
                        std::thread::sleep(Duration::from_secs(1));
                    }
                }
            }
        }
    }

    /// Judges findings, of all threads that do so the one with this number.
    fn judge(&self, led: &Led<'_>, number: usize) {
        let (campaign, registry, inbox) = (self.campaign, self.registry, &self.inbox);
        let judge = Judge { campaign, registry, inbox };
        let threads = self.setup.judges.max(1);
        while !self.closed.load(Ordering::Relaxed) {
            let own = |name: &String| {
                let n = usize::from_str_radix(&name[..8], 16).unwrap_or(0);
                n % threads == number
            };
            let Some(name) = inbox.whole().into_iter().find(own) else {
                std::thread::sleep(Duration::from_millis(200));
                continue;
            };
            let fate =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| judge.judge(&name)));
            let word = match fate {
                Ok(Ok(Fate::New(kept, id))) => {
                    self.tell_found(led, kept);
                    id
                }
                Ok(Ok(Fate::Known)) => {
                    campaign.control.tally().total.duplicates += 1;
                    "known".to_owned()
                }
                Ok(Ok(Fate::Refused(why))) => {
                    campaign.control.tally().total.vanished += 1;
                    campaign
                        .control
                        .say(format!("smelt: a worker's finding does not count: {why}"));
                    format!("refused: {why}")
                }
                Ok(Err(e)) => {
                    if !campaign.control.cancel_all.is_cancelled() {
                        campaign
                            .control
                            .say(format!("smelt: a worker's finding cannot be judged now: {e:#}"));
                    }
                    std::thread::sleep(Duration::from_secs(1));
                    continue;
                }
                Err(_) => {
                    campaign.control.tally().total.panics += 1;
                    "refused: smelt has a defect there".to_owned()
                }
            };
            if let Err(e) = inbox.decide(&name, &word) {
                campaign.control.say(format!("smelt: {e:#}"));
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    }

    /// Counts and tells a finding that is new.
    fn tell_found(&self, led: &Led<'_>, kept: Kept) {
        let control = &self.campaign.control;
        if let Some(desk) = led.desk {
            desk.note(&kept, None, BTreeSet::new());
        }
        let finding = match kept {
            Kept::New(finding) => finding,
            Kept::Pending(finding, why) => {
                control.say(format!("smelt: {why}; it is kept in memory and tried again"));
                finding
            }
            Kept::Known => return,
        };
        let (journal, run) = led.journal;
        let _ = journal.index(&finding);
        let _ = journal.note_found(run, &finding.id);
        control.tally().count_finding(finding.origin.maker(), finding.class());
        control.tell(Event::Found { finding });
    }

    /// Hears who is there.
    fn take_status(&self) {
        let Ok(heard) = self.link.listen(self.names.all_status()) else { return };
        while !self.closed.load(Ordering::Relaxed) {
            let Ok((subject, payload)) = heard.recv_timeout(Duration::from_millis(200)) else {
                continue;
            };
            let status = read::<Status>(&payload).and_then(Status::checked);
            let (Some(worker), Ok(status)) = (worker_of(&subject), status) else { continue };
            let solvers: Vec<String> = status
                .solvers
                .iter()
                .map(|(label, version, hash)| {
                    format!("{label} {version} {}", hash.chars().take(12).collect::<String>())
                })
                .collect();
            let mut state = self.state();
            if state.machines.len() > 10_000 {
                continue;
            }
            let known = state.machines.contains_key(worker);
            let (machine, at) = state
                .machines
                .entry(worker.to_owned())
                .or_insert_with(|| (Machine::default(), Instant::now()));
            let was_here = known && !machine.left;
            *machine = Machine {
                worker: worker.to_owned(),
                name: status.machine,
                jobs: status.jobs.min(1024),
                solvers,
                tests: status.tests,
                findings: status.sent,
                left: status.leaves,
                ..machine.clone()
            };
            *at = Instant::now();
            let words = match (was_here, machine.left) {
                (false, false) => format!(
                    "{} joins: {} threads; {}",
                    machine.name,
                    machine.jobs,
                    machine.solvers.join(", ")
                ),
                (true, true) => format!("{} leaves", machine.name),
                _ => continue,
            };
            drop(state);
            self.campaign.control.tell(Event::Remark { message: words });
        }
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
