//! Running smelt in a folder of a test's own, and reading what it leaves there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;
use smelt_solver::testing;

use crate::scripted::scripted;

/// A seed that is satisfiable, of integers.
pub const SEED: &str = "(set-logic QF_LIA)(set-info :status sat)\n(declare-const x Int)(declare-const y Int)\n\
    (assert (< x (+ y 1)))(assert (or (> x 3) (= y 7)))(assert (distinct x y))(check-sat)\n";

/// One whose values can all be tried.
pub const SMALL: &str = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\
    (assert (or p q))(assert (=> p q))(check-sat)\n";

/// An empty folder of this test's own, but for a seed.
pub fn folder(name: &str, seed: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("seeds")).unwrap();
    fs::write(dir.join("seeds/one.smt2"), seed).unwrap();
    dir
}

/// The arguments of a campaign on the seeds of a folder, with one worker; `more` is split at blanks.
pub fn campaign<'a>(solvers: &[&'a str], more: &'a str) -> Vec<&'a str> {
    let mut args = vec!["fuzz", "seeds", "--jobs", "1"];
    solvers.iter().for_each(|s| args.extend(["--solver", *s]));
    // Most tests are about a finding as it is kept.
    if !more.contains("--reduce") {
        args.extend(["--reduce", "off", "--keep-seeds"]);
    }
    args.extend(more.split_whitespace());
    args
}

/// smelt, with the solvers of the tests. The accused of a test is often a program, which `smelt replay` runs only if the user
/// names it: so it is named.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut c = bare_command(dir, args);
    if args[0] == "replay" && !args.contains(&"--solver") {
        let spec = args[1..].iter().find_map(|folder| {
            let path = dir.join(folder).join("finding.json");
            let json = path.is_file().then(|| fs::read(path).ok())??;
            let finding: Json = serde_json::from_slice(&json).ok()?;
            Some(finding["accused"]["spec"].as_str()?.to_owned())
        });
        spec.iter().for_each(|s| {
            c.args(["--solver", s]);
        });
    }
    c
}

/// smelt with just these arguments.
pub fn bare_command(dir: &Path, args: &[&str]) -> Command {
    let mut c = Command::new(env!("CARGO_BIN_EXE_smelt"));
    c.args(args).current_dir(dir).env("SMELT_HOME", testing::home().root());
    c
}

/// Runs it to its end, which must be this exit code.
pub fn smelt(dir: &Path, args: &[&str], code: i32) -> Output {
    ended(command(dir, args), code)
}

/// Runs smelt where no other solver is at hand that could settle anything, and expects this exit code.
pub fn alone(dir: &Path, args: &[&str], code: i32) -> Output {
    let bin = dir.join("bin");
    if !bin.is_dir() {
        fs::create_dir_all(&bin).unwrap();
        let python =
            Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        let python = String::from_utf8(python.unwrap().stdout).unwrap();
        std::os::unix::fs::symlink(python.trim(), bin.join("python3")).unwrap();
    }
    let mut c = command(dir, args);
    // The scripted solvers run by a Python of the user's, which the sandbox does not let them read.
    if ["fuzz", "replay", "recheck"].contains(&args[0]) && !args.contains(&"--sandbox") {
        c.args(["--sandbox", "off"]);
    }
    c.env("PATH", &bin).env("SMELT_HOME", dir.join("home"));
    ended(c, code)
}

fn ended(mut c: Command, code: i32) -> Output {
    let out = c.output().unwrap();
    assert_eq!(out.status.code(), Some(code), "{c:?}\n{}", text(&out));
    out
}

/// All that it has said.
pub fn text(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

/// The summary of a run with `--json`.
pub fn summary(out: &Output) -> Json {
    let text = String::from_utf8_lossy(&out.stdout);
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// One of its counts.
pub fn total(end: &Json, name: &str) -> u64 {
    end["counts"]["total"][name].as_f64().unwrap_or_default() as u64
}

/// The findings of the campaign in `out`, by name.
pub fn findings(dir: &Path) -> Vec<(PathBuf, Json)> {
    let Ok(entries) = fs::read_dir(dir.join("out/findings")) else { return Vec::new() };
    let mut all: Vec<_> = entries
        .filter_map(|e| {
            let path = e.unwrap().path();
            let json = fs::read(path.join("finding.json")).ok()?;
            Some((path, serde_json::from_slice(&json).unwrap()))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// A campaign of one strategy on [`SEED`] that finds something, with a solver that is Python and passes for `name`, as
/// [`scripted`] has it, and with others: its folder and what it finds.
pub fn found(
    test: &str,
    (name, answer): (&str, &str),
    others: &[&str],
    more: &str,
) -> (PathBuf, Vec<(PathBuf, Json)>) {
    let dir = folder(test, SEED);
    others.iter().for_each(|o| drop(testing::solver(o)));
    let own = scripted(&dir, name, answer);
    let more = format!("{more} --out out --strategy opfuzz --seed 1");
    smelt(&dir, &campaign(&[&[&*own], others].concat(), &more), 10);
    let all = findings(&dir);
    (dir, all)
}

/// Replays a finding, with more arguments: the exit code, and something that is said.
pub fn replay(dir: &Path, finding: &Path, more: &[&str], code: i32, expect: &str) {
    let said = text(&smelt(dir, &[&["replay", finding.to_str().unwrap()], more].concat(), code));
    assert!(said.contains(expect), "{more:?}: no `{expect}` in\n{said}");
}

/// A pipe that nobody writes to.
pub fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
