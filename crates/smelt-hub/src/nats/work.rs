//! A worker: what it is told to do is read as a stranger's word, and done with its own solvers.

mod running;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use smelt_campaign::control::Control;
use smelt_campaign::facts;
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::{Config, Plan};
use smelt_solver::{Cancel, Registry, SolverSpec, Source, write_atomically};
use smelt_trial::resolve::is_harmless;

use self::running::AtWork;
use super::lane::Shared;
use super::link::{Access, Link};
use super::names::{Names, is_key};
use super::outbox::Outbox;
use super::wire::{Build, FORMAT, PlanNote, SEED, SEEDS, Task, identity, read};

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
