//! `cargo xtask hub-soak`: a hub, its server and its workers are killed again and again, their network is cut, strangers send garbage, a stream
//! is filled. At the end the positions and findings must be those of one machine, each once, and no process may be left.

mod folders;
mod wire;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use self::folders::{difference, findings, positions};
use self::wire::Wire;
use crate::judge::install::target_dir;
use crate::soak::marked;

/// What to run.
#[derive(clap::Args)]
pub struct Options {
    /// How many minutes of faults.
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,
    /// Seed of the random moments.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The solver to fuzz: an old one, so that there is something to lose.
    #[arg(long, default_value = "z3@4.8.7")]
    solver: String,
    /// Workers, of one thread each.
    #[arg(long, default_value_t = 3)]
    workers: usize,
    /// The `smelt` to try, built with `--features hub`.
    #[arg(long)]
    smelt: Option<PathBuf>,
    /// The nats-server; without it, as smelt finds it.
    #[arg(long)]
    nats_server: Option<PathBuf>,
    /// The port of the hub.
    #[arg(long, default_value_t = 14222)]
    port: u16,
    /// Where to work; emptied first.
    #[arg(long)]
    work: Option<PathBuf>,
}

/// Longest time that all positions may take to be finished behind the faults.
const END: Duration = Duration::from_secs(1800);

/// Runs and prints what was done; fails on the first thing that went wrong.
pub fn run(o: &Options) -> Result<()> {
    let smelt = o.smelt.clone().unwrap_or_else(|| target_dir().join("release/smelt"));
    ensure!(
        smelt.is_file(),
        "{} is not there: cargo build --release --features hub",
        smelt.display()
    );
    let work = o.work.clone().unwrap_or_else(|| target_dir().join("hub-soak"));
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let mark = format!("hub-{}-{}", std::process::id(), o.seed);
    let mut soak = Soak {
        o,
        smelt,
        work,
        mark,
        random: ChaCha8Rng::seed_from_u64(o.seed),
        done: BTreeMap::new(),
        campaign: String::new(),
        hub: None,
        workers: Vec::new(),
        wires: Vec::new(),
    };
    soak.chaos()?;
    soak.peace()?;
    soak.compare()
}

struct Soak<'o> {
    o: &'o Options,
    smelt: PathBuf,
    work: PathBuf,
    mark: String,
    random: ChaCha8Rng,
    /// What was done how often.
    done: BTreeMap<&'static str, u32>,
    campaign: String,
    hub: Option<Child>,
    workers: Vec<Option<Child>>,
    wires: Vec<Wire>,
}

impl Drop for Soak<'_> {
    fn drop(&mut self) {
        for child in self.workers.iter_mut().flatten().chain(&mut self.hub) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Soak<'_> {
    fn command(&self, log: &str) -> Result<Command> {
        let mut command = Command::new(&self.smelt);
        let log = fs::OpenOptions::new().append(true).create(true).open(self.work.join(log))?;
        command.current_dir(&self.work).env(crate::soak::MARK, &self.mark).stdin(Stdio::null());
        command.stdout(log.try_clone()?).stderr(log);
        Ok(command)
    }

    /// Starts the hub, and waits for its line.
    fn start_hub(&mut self, resume: bool, more: &[&str]) -> Result<()> {
        let mut command = self.command("hub.log")?;
        let address = format!("127.0.0.1:{}", self.o.port);
        command.args([
            "hub",
            "--listen",
            &address,
            "--out",
            "campaign",
            "--silence",
            "5",
            "--block",
            "4",
            "--store",
            "64M",
        ]);
        if let Some(server) = &self.o.nats_server {
            command.arg("--nats-server").arg(server);
        }
        match resume {
            true => command.arg("--resume"),
            false => command.args([
                "--solver",
                &self.o.solver,
                "--seed",
                "7",
                "--deterministic",
                "--options",
                "none",
            ]),
        };
        command.args(more).stderr(Stdio::piped());
        let mut hub = command.spawn().context("cannot start the hub")?;
        let errors = hub.stderr.take().context("it has no errors")?;
        self.hub = Some(hub);
        let mut lines = BufReader::new(errors).lines();
        let mut log =
            fs::OpenOptions::new().append(true).create(true).open(self.work.join("hub.log"))?;
        let mut said = String::new();
        for line in lines.by_ref().map_while(Result::ok) {
            writeln!(log, "{line}")?;
            if let Some(url) = line.strip_prefix("worker: smelt work ") {
                let key = url.rsplit('/').next().unwrap_or_default();
                self.campaign = key.split(' ').next().unwrap_or_default().to_owned();
                std::thread::spawn(move || {
                    lines.map_while(Result::ok).for_each(|line| drop(writeln!(log, "{line}")));
                });
                return Ok(());
            }
            said += &line;
        }
        anyhow::bail!("the hub does not begin: {said}")
    }

    fn start_worker(&mut self, n: usize) -> Result<()> {
        let url = format!("nats://127.0.0.1:{}/{}", self.wires[n].port, self.campaign);
        let out = format!("worker-{n}");
        let mut command = self.command(&format!("{out}.log"))?;
        command.args(["work", &url, "--jobs", "1", "--name", &out, "--out", &out, "--install"]);
        self.workers[n] = Some(command.spawn().context("cannot start a worker")?);
        Ok(())
    }

    fn count(&mut self, what: &'static str) {
        *self.done.entry(what).or_default() += 1;
    }

    /// Faults, one after the other, as long as was asked for.
    fn chaos(&mut self) -> Result<()> {
        for _ in 0..self.o.workers {
            self.wires.push(Wire::to(self.o.port)?);
            self.workers.push(None);
        }
        self.start_hub(false, &[])?;
        let end = Instant::now() + Duration::from_secs_f64(self.o.minutes * 60.0);
        while Instant::now() < end {
            for n in 0..self.o.workers {
                // One that came while there was no hub has ended with a sentence.
                let ended = match &mut self.workers[n] {
                    Some(child) => child.try_wait()?.is_some(),
                    None => true,
                };
                if ended {
                    self.start_worker(n)?;
                }
            }
            std::thread::sleep(Duration::from_millis(self.random.random_range(1000..8000)));
            let n = self.random.random_range(0..self.o.workers);
            match self.random.random_range(0..20) {
                0..8 => self.kill_worker(n)?,
                8..11 => self.kill_hub()?,
                11..14 => self.kill_server(),
                14..16 => {
                    self.count("network cut");
                    let seconds = self.random.random_range(5..25);
                    self.wires[n].cut_for(Duration::from_secs(seconds));
                }
                16 => self.fill()?,
                _ => self.garbage(),
            }
        }
        println!("{:.1} minutes: {:?}", self.o.minutes, self.done);
        Ok(())
    }

    fn kill_worker(&mut self, n: usize) -> Result<()> {
        if let Some(mut child) = self.workers[n].take() {
            child.kill()?;
            child.wait()?;
            self.count("worker killed");
        }
        Ok(())
    }

    fn kill_hub(&mut self) -> Result<()> {
        if let Some(mut hub) = self.hub.take() {
            hub.kill()?;
            hub.wait()?;
            self.count("hub killed");
        }
        for _ in 0..100 {
            if self.server().is_none() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        ensure!(self.server().is_none(), "the server of a killed hub goes on");
        self.start_hub(true, &[])
    }

    /// The process of the server.
    fn server(&self) -> Option<u32> {
        let all = marked(&self.mark);
        all.into_iter().find(|(_, line)| line.contains("nats.conf")).map(|(pid, _)| pid)
    }

    fn kill_server(&mut self) {
        if let Some(pid) = self.server()
            && kill(Pid::from_raw(pid as i32), Signal::SIGKILL).is_ok()
        {
            self.count("server killed");
        }
    }

    /// Fills the stream of findings while the hub takes nothing.
    fn fill(&mut self) -> Result<()> {
        let Some(hub) = self.hub.as_ref().map(|h| Pid::from_raw(h.id() as i32)) else {
            return Ok(());
        };
        kill(hub, Signal::SIGSTOP)?;
        for i in 0..30 {
            let digest = format!("{:032x}", self.random.random::<u128>());
            let subject =
                format!("smelt.{}.finding.00000000deadbeef.{digest}.{i}.64", self.campaign);
            let _ = self.publish(&subject, &vec![b'x'; 500_000]);
        }
        std::thread::sleep(Duration::from_secs(4));
        kill(hub, Signal::SIGCONT)?;
        self.count("stream filled");
        Ok(())
    }

    fn garbage(&mut self) {
        self.count("garbage");
        let digest = format!("{:032x}", self.random.random::<u128>());
        let base = format!("smelt.{}", self.campaign);
        let bytes: Vec<u8> =
            (0..self.random.random_range(1..2000)).map(|_| self.random.random()).collect();
        for subject in [
            format!("{base}.done.00000000deadbeef"),
            format!("{base}.done.x"),
            format!("{base}.finding.00000000deadbeef.{digest}.0.1"),
            format!("{base}.finding.00000000deadbeef.{digest}.0.99999999"),
            format!("{base}.status.00000000deadbeef"),
            format!("{base}.plan.total"),
        ] {
            let _ = self.publish(&subject, &bytes);
        }
        let _ = self.publish(&format!("{base}.done.00000000deadbeef"), &vec![b'['; 3 << 20]);
    }

    /// Sends something as anybody on this machine can.
    fn publish(&self, subject: &str, payload: &[u8]) -> Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.o.port))?;
        stream.set_write_timeout(Some(Duration::from_secs(5)))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(
            stream,
            "CONNECT {{\"verbose\":false,\"pedantic\":false}}\r\nPUB {subject} {}\r\n",
            payload.len()
        )?;
        stream.write_all(payload)?;
        write!(stream, "\r\nPING\r\n")?;
        // Its answer says that it has been taken.
        let mut lines = BufReader::new(stream).lines();
        lines
            .by_ref()
            .map_while(Result::ok)
            .find(|l| l.starts_with("PONG") || l.starts_with("-ERR"));
        Ok(())
    }

    /// Everybody works until the positions that were finished, and all before them, are.
    fn peace(&mut self) -> Result<()> {
        let last = positions(&self.work.join("campaign"))?.keys().next_back().copied();
        let end = last.context("no position was finished")? + 1;
        self.kill_hub()?;
        if let Some(mut hub) = self.hub.take() {
            hub.kill()?;
            hub.wait()?;
        }
        self.start_hub(true, &["--positions", &end.to_string()])?;
        for n in 0..self.o.workers {
            self.kill_worker(n)?;
            self.start_worker(n)?;
        }
        let late = Instant::now() + END;
        let mut hub = self.hub.take().context("there is no hub")?;
        while hub.try_wait()?.is_none() {
            ensure!(Instant::now() < late, "the hub does not come to its end");
            std::thread::sleep(Duration::from_millis(200));
            for n in 0..self.o.workers {
                let ended = self.workers[n]
                    .as_mut()
                    .is_some_and(|w| w.try_wait().is_ok_and(|s| s.is_some()));
                if ended && hub.try_wait()?.is_none() && self.server().is_some() {
                    self.workers[n] = None;
                }
            }
        }
        let code = hub.wait()?.code();
        ensure!(matches!(code, Some(0 | 10)), "the hub ends with {code:?}");
        for worker in self.workers.iter_mut().filter_map(Option::take) {
            let mut worker = worker;
            let code = worker.wait()?.code();
            ensure!(code == Some(0), "a worker ends with {code:?}");
        }
        for _ in 0..100 {
            if marked(&self.mark).is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        ensure!(marked(&self.mark).is_empty(), "processes are left: {:?}", marked(&self.mark));
        println!("{end} positions were finished, and nobody is left");
        Ok(())
    }

    /// One machine does the same.
    fn compare(&mut self) -> Result<()> {
        let many = positions(&self.work.join("campaign"))?;
        let end = many.keys().next_back().map_or(0, |n| n + 1);
        let mut command = self.command("alone.log")?;
        command.args([
            "fuzz",
            "--solver",
            &self.o.solver,
            "--seed",
            "7",
            "--deterministic",
            "--options",
            "none",
        ]);
        command.args(["--positions", &end.to_string(), "--out", "alone", "--jobs", "2"]);
        let code = command.status()?.code();
        ensure!(matches!(code, Some(0 | 10)), "one machine ends with {code:?}");
        let one = positions(&self.work.join("alone"))?;
        ensure!(many == one, "positions differ: {:?}", difference(&many, &one));
        let (many, one) =
            (findings(&self.work.join("campaign"))?, findings(&self.work.join("alone"))?);
        println!(
            "positions are those of one machine; {} findings, one machine has {}",
            many.len(),
            one.len()
        );
        let lost: Vec<&String> = one.keys().filter(|s| !many.contains_key(*s)).collect();
        ensure!(lost.is_empty(), "findings are lost: {lost:?}");
        let twice: Vec<&String> = many
            .iter()
            .filter(|(s, n)| **n > one.get(*s).copied().unwrap_or(1))
            .map(|(s, _)| s)
            .collect();
        ensure!(twice.is_empty(), "findings are there twice: {twice:?}");
        Ok(())
    }
}
