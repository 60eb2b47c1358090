//! The solver that has every fault, and what is left of it.

use std::sync::Arc;
use std::time::Duration;

use smelt_solver::{Answer, Launcher, Limits, Outcome, Profile, Script, Setup, Solver};

pub const PROFILE: &str = r#"
name = "fake"
family = "fake"
tested = true
cold = { input = "file", args = ["{file}"] }
memory = "rss"
survives_refusal = true
scripts = { commands = ["set-info"] }
[warm]
restart_every = 1000
[patterns]
out_of_memory = ["out of memory"]
"#;

pub fn fake() -> Solver {
    fake_with(PROFILE)
}

pub fn fake_with(profile: &str) -> Solver {
    fake_given(profile, &[])
}

pub fn fake_given(profile: &str, args: &[&str]) -> Solver {
    let profile = Arc::new(Profile::from_toml(profile).unwrap());
    let launcher = Launcher::at(env!("CARGO_BIN_EXE_smelt-launch"));
    Solver::from_parts(
        "fake",
        profile,
        env!("CARGO_BIN_EXE_smelt-fake-solver"),
        args.iter().map(ToString::to_string).collect(),
        launcher,
    )
}

pub fn limits() -> Limits {
    Limits {
        resource: None,
        cpu: Some(Duration::from_millis(200)),
        wall: Duration::from_millis(800),
        memory: Some(128 << 20),
        resident: false,
        output: 1 << 20,
    }
}

pub fn setup() -> Setup {
    Setup { limits: limits(), ..Setup::default() }
}

/// Short patience only where the wall limit is what is tested: the machine may be busy.
pub fn setup_for(fault: &str) -> Setup {
    let mut setup = setup();
    if !fault.contains("hang") && fault != "close" {
        setup.limits.wall = Duration::from_secs(60);
    }
    setup
}

pub fn script(fault: &str) -> Script {
    Script::new(&format!("(set-info :fault {fault})\n(check-sat)\n"))
}

/// What each fault must give: the answer's kind, and further facts by name.
pub const FAULTS: &[(&str, &str)] = &[
    ("none", "sat"),
    ("hang", "timeout (wall limit)"),
    ("spin", "timeout (CPU limit)"),
    ("bomb", "out-of-memory"),
    ("segv", "crash (SIGSEGV)"),
    ("abort", "crash (assertion src/fake.cpp:12: x > 0)"),
    ("segv-after", "crash (SIGSEGV)"),
    ("garbage", "unreadable"),
    ("flood", "unreadable (more output than the limit allows)"),
    ("slow", "unsat"),
    ("exit", "unreadable"),
    ("exit3", "crash (exit code 3)"),
    ("linger", "sat"),
    ("linger-hang", "timeout (wall limit)"),
    ("error", "rejected (line 1: unknown constant foo), then answered sat"),
    ("oom", "out-of-memory"),
    ("unknown", "unknown (made up)"),
    ("stderr-flood", "sat"),
    ("words", "sat"),
    ("alarm", "timeout (the solver's own limit)"),
    ("virtual-alarm", "timeout (the solver's own limit)"),
    ("quit", "unreadable"),
    ("user-1", "unreadable"),
    ("user-2", "unreadable"),
    ("terminated", "unreadable"),
];

pub fn show(outcome: &Outcome) -> String {
    let mut text = outcome.answer().map(ToString::to_string).unwrap_or_default();
    if text.starts_with("unreadable (") && !text.contains("more output") {
        text = String::from("unreadable");
    }
    match (&outcome.crash, outcome.answer()) {
        (Some(crash), Some(answer)) if !matches!(answer, Answer::Crash(_)) => {
            format!("{text} + {crash}")
        }
        _ => text,
    }
}

/// Processes below this one, by command name.
pub fn descendants() -> Vec<String> {
    let mut parents = std::collections::HashMap::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let Some((name, rest)) = stat.split_once('(').and_then(|(_, r)| r.rsplit_once(')')) else {
            continue;
        };
        let parent: u32 = rest.split_whitespace().nth(1).and_then(|p| p.parse().ok()).unwrap_or(0);
        parents.insert(pid, (parent, name.to_owned()));
    }
    let own = std::process::id();
    let below = |mut pid: u32| {
        while let Some((parent, _)) = parents.get(&pid) {
            if *parent == own {
                return true;
            }
            pid = *parent;
        }
        false
    };
    parents.iter().filter(|(pid, _)| below(**pid)).map(|(_, (_, name))| name.clone()).collect()
}

/// Fake solvers anywhere on the machine that linger, started by this test's program (told by its path).
pub fn lingering() -> usize {
    let program = env!("CARGO_BIN_EXE_smelt-fake-solver");
    let mut count = 0;
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        count += usize::from(line.starts_with(program) && line.contains("--linger"));
    }
    count
}

pub fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// A process that plays smelt, with a profile on disk.
pub fn campaign(profile: &str, name: &str, fault: &str, mode: &str) -> std::process::Command {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("{name}-{}.toml", std::process::id()));
    std::fs::write(&path, profile).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_smelt-fake-solver"));
    command.args(["--campaign", env!("CARGO_BIN_EXE_smelt-launch")]).arg(path).args([fault, mode]);
    command
}
