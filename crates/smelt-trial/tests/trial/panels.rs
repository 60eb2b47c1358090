//! Panels of scripted solvers.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use smelt_smtlib::{Script, parse};
use smelt_solver::{SolverSpec, Walls, testing};
use smelt_trial::{Panel, Target};

use crate::scripted::scripted;

/// A script with one assertion that x = 1 satisfies.
pub const ONE: &str = "(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n";

/// What solvers do: lines of Python, see `scripted`.
pub const SAT: &str = "answer = lambda s: 'sat'";
pub const UNSAT: &str = "answer = lambda s: 'unsat'";
pub const UNKNOWN: &str = "answer = lambda s: 'unknown'";
/// `sat` with the model x = 1.
pub const MODEL: &str = "answer = lambda s: 'sat'\nmodel = lambda s: '((define-fun x () Int 1))'";
/// `sat` with the model x = 5.
pub const FALSE_MODEL: &str =
    "answer = lambda s: 'sat'\nmodel = lambda s: '((define-fun x () Int 5))'";
pub const CRASH: &str = "answer = lambda s: violate('a.cpp', 1)";

/// A folder of its own.
pub fn folder() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("smelt-trial-{}-{n}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// A solver by the name of a profile and what it does. `FOLDER` in that is a folder of its own.
pub fn target(name: &str, does: &str) -> Target {
    let dir = folder();
    let path = scripted(&dir, name, &does.replace("FOLDER", dir.to_str().unwrap()));
    let spec = SolverSpec::parse(&path).unwrap();
    // Some note in their folder what they were asked, which the sandbox would not let them.
    let solver = testing::registry().resolve(&spec).unwrap().within(Walls::NONE);
    let mut target = Target::unprobed(solver);
    target.label = name.to_owned();
    target
}

/// A panel of such solvers.
pub fn panel(targets: &[(&str, &str)], arbiters: &[(&str, &str)]) -> Panel {
    let all = |of: &[(&str, &str)]| of.iter().map(|(name, does)| target(name, does)).collect();
    Panel::new(all(targets), all(arbiters))
}

pub fn script(text: &str) -> Script {
    parse(text.as_bytes()).unwrap()
}
