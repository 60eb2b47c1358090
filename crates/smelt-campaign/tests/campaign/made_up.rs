//! Solvers, plans and cases that are made up.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use smelt_campaign::finding::Finding;
use smelt_campaign::journal::LeaseLine;
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::proofs::Proofs;
use smelt_campaign::shelf::{Contents, Kept, Shelf};
use smelt_campaign::source::{Case, CaseSource, Done, Lease, Work};
use smelt_case::{Origin, SeedRef};
use smelt_smtlib::{Script, parse};
use smelt_solver::{Mode, RunError, SolverSpec, Status, testing};
use smelt_triage::{KnownBugs, TargetId, Truth, Wanted};
use smelt_trial::bench::Bench;
use smelt_trial::{Panel, Target};

/// An empty folder of this test's own.
pub fn dir(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("campaign").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// A solver that is a shell script; `$1` is the file.
pub fn solver(dir: &Path, name: &str, script: &str) -> Target {
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let spec = SolverSpec::parse(&format!("{name}={}", path.display())).unwrap();
    Target::unprobed(testing::registry().resolve(&spec).unwrap())
}

/// A campaign without a budget, of one thread.
pub fn config() -> Config {
    Config {
        seeds: Vec::new(),
        solvers: Vec::new(),
        compare: false,
        releases: false,
        as_is: false,
        sandbox: Default::default(),
        enumerate: None,
        instances: false,
        grammars: Vec::new(),
        strategies: Vec::new(),
        parameters: Vec::new(),
        time: Some(60.0),
        tests: None,
        findings: None,
        seed: 1,
        deterministic: true,
        jobs: 1,
        options: "none".to_owned(),
        limit: 1.0,
        memory: None,
        drop_options: false,
        without: Vec::new(),
        seed_only: Vec::new(),
        steps: None,
        max_bytes: None,
        performance: false,
        incompleteness: false,
        known: None,
        token: String::new(),
        ..Config::default()
    }
}

/// A plan with these solvers, without seeds and strategies.
pub fn plan(config: Config, targets: Vec<Target>) -> Plan {
    Plan {
        config,
        panel: Panel::new(targets, Vec::new()),
        seeds: Vec::new(),
        left_out: Vec::new(),
        strategies: Vec::new(),
        known: KnownBugs::default(),
        proofs: Proofs::default(),
        provers: Vec::new(),
        wanted: Wanted::default(),
    }
}

/// A shelf in memory.
#[derive(Default)]
pub struct Memory(pub Mutex<Vec<Contents>>);

impl Shelf for Memory {
    fn wants(&self, _: &str) -> bool {
        self.0.lock().unwrap().is_empty()
    }

    fn keep(&self, contents: Contents) -> Kept {
        let mut all = self.0.lock().unwrap();
        if !all.is_empty() {
            return Kept::Known;
        }
        let finding = Box::new(contents.finding.clone());
        all.push(contents);
        Kept::New(finding)
    }

    fn write_pending(&self) -> Vec<Finding> {
        Vec::new()
    }

    fn note(&self, _: &str, _: &str, _: &str) {}
}

/// A source that gives the scripts of a function, all satisfiable, to the first solver.
pub struct Cases<F>(pub F);

impl<F: Fn(u64) -> Result<Vec<String>, RunError> + Sync> CaseSource for Cases<F> {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        let seed = SeedRef { name: "made up".into(), hash: "00".into() };
        let mut lease = Listed {
            left: self.0(seq)?,
            who: vec![(TargetId(0), Mode::plain())],
            script: parse(b"").unwrap(),
            origin: Origin::Seed(seed),
        };
        work(bench, &mut lease)?;
        Ok(None)
    }
}

/// Scripts one after the other, for the first solver.
struct Listed {
    left: Vec<String>,
    who: Vec<(TargetId, Mode)>,
    script: Script,
    origin: Origin,
}

impl Lease for Listed {
    fn who(&self) -> &[(TargetId, Mode)] {
        &self.who
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn next(&mut self) -> Option<Case<'_>> {
        self.script = parse(self.left.pop()?.as_bytes()).unwrap();
        Some(Case {
            script: &mut self.script,
            truths: vec![Truth { label: Status::Sat, ..Truth::default() }],
            expect: (&[]).into(),
            what: "made up".into(),
            origin: &self.origin,
            seeds: &[],
            before: None,
            related: false,
            said: Vec::new(),
            apart: false,
            text: None,
        })
    }

    fn learn(&mut self, _: &Done) {}
}
