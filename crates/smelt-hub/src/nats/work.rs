//! A worker: what it is told to do is read as a stranger's word, and done with its own solvers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use smelt_campaign::control::Control;
use smelt_campaign::engine::Engine;
use smelt_campaign::event::Event;
use smelt_campaign::facts::{self, Facts};
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::source::chains::Chains;
use smelt_solver::{Cancel, Registry, SolverSpec, Source, write_atomically};
use smelt_trial::resolve::is_harmless;

use super::lane::{Lane, Sending, Shared};
use super::link::{Access, Link};
use super::names::{Names, is_key};
use super::outbox::Outbox;
use super::wire::{Build, FORMAT, PlanNote, SEED, SEEDS, Status, Task, Total, identity, read};

/// How often a worker says how it stands.
const STATUS: Duration = Duration::from_secs(3);

/// A worker that knows what is to be done.
pub struct Joined {
    link: Link,
    names: Names,
    /// What is to be done.
    pub plan: PlanNote,
}

/// On which terms a worker works.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Threads.
    pub jobs: usize,
    /// What people call this machine.
    pub machine: String,
    /// How long it waits for a hub that is silent.
    pub patience: Duration,
}

/// What a worker has done.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Positions that the hub has heard of.
    pub positions: u64,
    /// Tests of these.
    pub tests: u64,
    /// Findings that were sent.
    pub sent: u64,
    /// Findings that wait for the next time.
    pub waiting: u64,
    /// Whether the campaign is over.
    pub ended: bool,
}

impl Joined {
    /// Connects to a hub, and refuses one that it cannot work for.
    pub fn join(access: &Access, names: Names) -> Result<Self> {
        let link = Link::connect(access)?;
        let payload = link.last(&names, &names.plan()).with_context(|| {
            let why = link.trouble().map_or_else(String::new, |t| format!(" ({t})"));
            format!("there is no campaign {} on {}{why}", names.campaign(), access.url)
        })?;
        #[derive(serde::Deserialize)]
        struct Head {
            format: u32,
            smelt: String,
        }
        let head: Head = read(&payload).context("the hub's plan cannot be read")?;
        if (head.format, &*head.smelt) != (FORMAT, env!("CARGO_PKG_VERSION")) {
            bail!(
                "the hub is smelt {}, and this is {}: both must be one version",
                head.smelt.chars().filter(|c| !c.is_control()).take(40).collect::<String>(),
                env!("CARGO_PKG_VERSION")
            );
        }
        let plan: PlanNote = read(&payload).context("the hub's plan cannot be read")?;
        if !(1..=3600).contains(&plan.silence) || plan.seeds.is_some_and(|n| n > SEEDS) {
            bail!("the hub's plan is out of bounds");
        }
        Ok(Self { link, names, plan })
    }

    /// The solvers of the campaign as they are named here: releases and known names, and programs that this user has given. What lacks is
    /// installed only if this user says so.
    pub fn solvers(
        &self,
        registry: &Registry,
        own: &[String],
        install: bool,
    ) -> Result<Vec<String>> {
        let own: Vec<SolverSpec> =
            own.iter().map(|text| SolverSpec::parse(text)).collect::<Result<_, _>>()?;
        let one = |build: &Build| solver(build, registry, &own, install);
        self.plan.task.solvers.iter().map(one).collect()
    }

    /// Fetches the seeds into a folder, under names of its own.
    fn seeds(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for n in 0..self.plan.seeds.unwrap_or(0) {
            let path = folder.join(format!("{n:06}.smt2"));
            if !path.is_file() {
                let text = self.link.last(&self.names, &self.names.seed(n));
                let text = text.with_context(|| format!("the hub has no seed {n}"))?;
                if text.len() as u64 > SEED {
                    bail!("seed {n} of the hub is too large");
                }
                write_atomically(&path, &text)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            all.push(path);
        }
        Ok(all)
    }

    /// What this worker is to do, with these solvers and a folder of its own for this campaign.
    pub fn config(&self, solvers: Vec<String>, folder: &Path) -> Result<Config> {
        let seeds = self.seeds(&self.folder(folder).join("seeds"))?;
        let task: Task = self.plan.task.clone();
        task.config(seeds, solvers)
    }

    /// The folder for this campaign in a worker's folder: what is known of one campaign is nothing to another.
    pub fn folder(&self, folder: &Path) -> PathBuf {
        folder.join(self.names.campaign())
    }

    /// Works until the campaign is over, somebody stops it, or the hub is silent for too long. `stop` ends what is being tested, `stop_all`
    /// what is being confirmed, too.
    pub fn work(
        &self,
        plan: &Plan,
        folder: &Path,
        terms: &Terms,
        (stop, stop_all): (&Cancel, &Cancel),
        tell: &mut dyn FnMut(&str, &Summary),
    ) -> Result<Summary> {
        if identity(plan)? != self.plan.identity {
            bail!(
                "what this machine would test is not what the hub's does: its solvers or seeds are others"
            );
        }
        let path = self.folder(folder);
        let home = Folder::open(&path)?;
        let worker = worker_id(&path)?;
        let outbox = Outbox::open(&path.join("outbox"))?;
        let main = Control::new(smelt_campaign::tally::Tally::default())?;
        let learned = facts::of(plan, &main);
        let at_work = AtWork {
            joined: self,
            plan,
            home: &home,
            outbox: &outbox,
            facts: &*learned,
            main: &main,
            terms,
            known: Mutex::default(),
            lost: Mutex::default(),
            sent: AtomicU64::new(0),
            over: AtomicBool::new(false),
            begun: Instant::now(),
            shared: Shared {
                link: &self.link,
                names: &self.names,
                worker: &worker,
                positions: AtomicU64::new(0),
                tests: AtomicU64::new(0),
                messages: AtomicU64::new(0),
                process: rand::random(),
            },
        };
        at_work.run((stop, stop_all), tell)
    }
}

/// A solver of the plan as it is named here.
fn solver(build: &Build, registry: &Registry, own: &[SolverSpec], install: bool) -> Result<String> {
    let printable =
        |text: &str| text.chars().filter(|c| !c.is_control()).take(80).collect::<String>();
    let name = printable(&build.name);
    if let Some(digest) = &build.program {
        let Some(spec) = own.iter().find(|s| s.label == build.name) else {
            bail!(
                "the campaign tests a program of the hub's, {name}: give yours by --solver '{name}=COMMAND'"
            );
        };
        let solver = registry.resolve(spec)?;
        if solver.hash() != digest {
            bail!("{name} is another program here than at the hub");
        }
        return Ok(spec.written(solver.program()));
    }
    let spec = SolverSpec::parse(&build.name)?;
    is_harmless(registry, &spec)?;
    if matches!(&spec.source, Source::Release(_, version) if version == "latest") {
        bail!("the hub asks for the latest {name}, whichever that is");
    }
    let found = registry.resolve(&spec);
    let version = match &found {
        Ok(solver) => solver.version().map(ToString::to_string),
        Err(_) if install && matches!(spec.source, Source::Release(..)) => {
            return Ok(build.name.clone());
        }
        Err(e) => bail!("this machine lacks a solver of the campaign: {e}; --install does so"),
    };
    if version != build.version {
        let words = |v: &Option<String>| printable(v.as_deref().unwrap_or("no version"));
        bail!("{name} is {} here, and {} at the hub", words(&version), words(&build.version));
    }
    Ok(build.name.clone())
}

/// Who this worker is, in this folder.
fn worker_id(folder: &Path) -> Result<String> {
    let path = folder.join("worker");
    if let Ok(text) = std::fs::read_to_string(&path)
        && is_key(&text)
    {
        return Ok(text);
    }
    let id = format!("{:016x}", rand::random::<u64>());
    write_atomically(&path, id.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(id)
}

/// A worker at work.
struct AtWork<'a> {
    joined: &'a Joined,
    plan: &'a Plan,
    home: &'a Folder,
    outbox: &'a Outbox,
    facts: &'a dyn Facts,
    /// What the whole campaign has counted, which steers it.
    main: &'a Control,
    terms: &'a Terms,
    known: Mutex<BTreeSet<String>>,
    lost: Mutex<Vec<String>>,
    sent: AtomicU64,
    /// Whether all threads have ended.
    over: AtomicBool,
    begun: Instant,
    shared: Shared<'a>,
}

impl AtWork<'_> {
    fn run(
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
                    tell(&format!("{}: sent to the hub", finding.id), &summary)
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
