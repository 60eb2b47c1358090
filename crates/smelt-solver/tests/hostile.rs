//! Scripts of strangers, in `hostile.tsv`: nothing is written, read or run, and nothing passes for an answer.
//!
//! Each case is run with the list of [`smelt_solver::admit`], cold and warm, and once without it and without a sandbox: a case that
//! then does nothing would show nothing. Then it is run without the list within each of the walls alone ([`smelt_solver::sandbox`]).

use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use smelt_solver::testing::{registry, solver};
use smelt_solver::{
    Answer, Limits, Outcome, Policy, Requests, Sandbox, Script, Session, Setup, Solver, SolverSpec,
    Walls,
};

/// A line of the table.
struct Case<'t> {
    name: &'t str,
    /// What it does if it can, or the answer that must be read.
    effect: &'t str,
    script: String,
}

/// The cases of a solver.
fn cases(solver: &str) -> Vec<Case<'static>> {
    let lines = include_str!("hostile.tsv").lines().filter(|l| !l.starts_with('#'));
    let columns = lines.map(|l| l.split('\t').collect::<Vec<_>>());
    let found: Vec<Case<'_>> = columns
        .filter(|c| c[1] == solver)
        .map(|c| Case { name: c[0], effect: c[2], script: unescaped(c[3]) })
        .collect();
    assert!(found.len() >= 10, "{solver} has {} cases", found.len());
    found
}

/// `\n`, `\r`, `\0`, `\\` and `\xNN` of the table.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('0') => out.push('\0'),
                Some('x') => {
                    let code: String = chars.by_ref().take(2).collect();
                    out.push(char::from(u8::from_str_radix(&code, 16).unwrap()));
                }
                Some(other) => out.push(other),
                None => {}
            },
            (c, false) => out.push(c),
        }
    }
    out
}

/// A file that nobody may touch, and what is noticed of it.
struct Victim {
    folder: PathBuf,
    file: PathBuf,
    watch: Inotify,
}

const SECRET: &str = "smelt-secret";

impl Victim {
    fn new(solver: &str) -> Victim {
        let name = format!("hostile-{}-{}", solver.replace(['@', '.'], "-"), std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("F");
        let watch = Inotify::init(InitFlags::IN_NONBLOCK).unwrap();
        let victim = Victim { folder, file, watch };
        victim.restore();
        victim.watch.add_watch(&victim.folder, AddWatchFlags::IN_ALL_EVENTS).unwrap();
        victim
    }

    fn restore(&self) {
        for entry in std::fs::read_dir(&self.folder).unwrap().flatten() {
            std::fs::remove_file(entry.path()).unwrap();
        }
        std::fs::write(&self.file, Self::content()).unwrap();
    }

    fn content() -> String {
        format!("(echo \"{SECRET}\")\n({SECRET})\n")
    }

    /// Whether anything is written in the folder: the file may be as it was or empty, and others are empty.
    fn is_written(&self) -> bool {
        let entries = std::fs::read_dir(&self.folder).unwrap().flatten();
        entries.map(|e| e.path()).any(|path| {
            let bytes = std::fs::read(&path).unwrap();
            !(bytes.is_empty() || path == self.file && bytes == Self::content().as_bytes())
        })
    }

    /// Waits until nothing happens in the folder any more: a process that is gone may have left a file to be closed.
    fn settle(&self) {
        while !self.events().is_empty() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What has happened in the folder since the last call.
    fn events(&self) -> Vec<String> {
        let events = self.watch.read_events().unwrap_or_default();
        events.iter().map(|e| format!("{:?} {:?}", e.mask, e.name)).collect()
    }

    fn script(&self, case: &Case<'_>) -> Script {
        let text = case.script.replace("{F}", self.file.to_str().unwrap());
        Script::new(&text.replace("{D}", self.folder.to_str().unwrap()))
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn setup() -> Setup {
    Setup { models: true, limits: Limits::cpu(Duration::from_secs(10)), ..Setup::default() }
}

fn cold(solver: &Solver, script: &Script) -> Outcome {
    solver.run_cold(script, &setup(), Requests { model: true, core: false }, None).unwrap()
}

/// What must be read where the table names an answer: it, or a refusal.
fn judge(case: &Case<'_>, way: &str, outcome: &Outcome) {
    let kinds: Vec<&str> = outcome.answers().map(Answer::kind).collect();
    let right = |k: &&str| *k == case.effect || matches!(*k, "rejected" | "unsupported");
    assert!(kinds.iter().all(right), "{way} {}: {kinds:?}\n{outcome:?}", case.name);
}

fn check(name: &str, solver: &Solver) {
    let victim = Victim::new(name);
    let mut session = Session::new(solver, setup(), Policy::default());
    let trusting = solver.clone().trusting_scripts(true).within(Walls::NONE);
    let (mut shown, mut written, mut fakes, mut left) = (0, 0, 0, [0; 3]);
    for case in cases(name) {
        let script = victim.script(&case);
        victim.events();
        let outcomes = [
            ("cold", cold(solver, &script)),
            ("warm", session.run(&script, Requests::default()).unwrap()),
        ];
        for (way, outcome) in &outcomes {
            let said = outcome.stdout.clone() + &outcome.stderr;
            assert!(!said.contains(SECRET), "{way} {}: {said}", case.name);
        }
        assert_eq!(victim.events(), [""; 0], "{}: {:?}", case.name, script.text());
        if matches!(case.effect, "sat" | "unsat" | "rejected" | "unsupported") {
            outcomes.iter().for_each(|(way, outcome)| judge(&case, way, outcome));
            fakes += 1;
            continue;
        }
        // What it does where scripts are trusted. A file below the working folder is gone with that, and a carriage return alone
        // is not sent to anybody.
        let seen = case.script.contains("{F}") || case.script.contains("{D}");
        if seen && !case.script.contains('\r') {
            cold(&trusting, &script);
            assert_ne!(victim.events(), [""; 0], "{} does nothing", case.name);
            written += u32::from(victim.is_written());
            victim.restore();
            victim.settle();
            shown += 1;
            let still = within_walls(&trusting, &victim, &case, &script);
            left.iter_mut().zip(still).for_each(|(n, still)| *n += u32::from(still));
        }
    }
    // Where nothing were written without walls, the limit on the size of files would show nothing. (In these cases cvc5 empties files, and
    // has nothing to write to them.)
    let writes = written >= 1 || name.starts_with("cvc5");
    assert!(shown >= 3 && writes && fakes >= 3, "{name}: {shown} {written} {fakes}");
    let [read, emptied, made] = left;
    say(&format!(
        "{name}: of {shown} cases that do harm, Landlock stops all; {written} write bytes, none within the file size alone, where {read} \
         still read a file, {emptied} empty it, {made} make an empty one"
    ));
}

/// Runs a case without the list, within each wall alone. With Landlock nothing happens. With the limit on the size of files nothing
/// is written; whether the file is still read, emptied, or another one is made is returned.
fn within_walls(trusting: &Solver, victim: &Victim, case: &Case<'_>, script: &Script) -> [bool; 3] {
    let all = Walls::wanted(Sandbox::Auto).unwrap();
    if all.landlock > 0 {
        let walled = trusting.clone().within(Walls { file_size: false, ..all });
        let outcome = cold(&walled, script);
        let said = outcome.stdout.clone() + &outcome.stderr;
        assert!(!said.contains(SECRET), "Landlock {}: {said}", case.name);
        assert_eq!(victim.events(), [""; 0], "Landlock {}: {outcome:?}", case.name);
        assert!(outcome.crash.is_none(), "Landlock {}: {outcome:?}", case.name);
    }
    let limited = trusting.clone().within(Walls { landlock: 0, ..all });
    let outcome = cold(&limited, script);
    // Before this test reads it itself.
    let read = victim.events().iter().any(|e| e.contains("IN_ACCESS"));
    assert!(!victim.is_written(), "file size {}: {outcome:?}", case.name);
    assert!(outcome.crash.is_none(), "file size {}: {outcome:?}", case.name);
    let emptied = std::fs::read(&victim.file).is_ok_and(|bytes| bytes.is_empty());
    let made = std::fs::read_dir(&victim.folder).unwrap().count() > 1;
    victim.restore();
    victim.settle();
    [read, emptied, made]
}

fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The table is about a release that the distribution may have; who does not have it is told so.
fn check_program(name: &str, version: &str) {
    let found = SolverSpec::parse(name).ok().and_then(|s| registry().resolve(&s).ok());
    match found {
        Some(s) if !s.hosted() && s.version().is_some_and(|v| v.to_string() == version) => {
            check(name, &s);
        }
        _ => say(&format!("skipped: {name} {version} is not on PATH")),
    }
}

#[test]
fn z3_old() {
    check("z3@4.8.7", &solver("z3@4.8.7"));
}

#[test]
fn z3_newest() {
    check("z3@latest", &solver("z3@latest"));
}

#[test]
fn cvc5_by_python() {
    check("cvc5@1.0.9", &solver("cvc5@1.0.9"));
}

#[test]
fn cvc5_newest() {
    check("cvc5@latest", &solver("cvc5@latest"));
}

#[test]
fn yices() {
    check("yices@latest", &solver("yices@latest"));
}

#[test]
fn bitwuzla() {
    check("bitwuzla@latest", &solver("bitwuzla@latest"));
}

#[test]
fn cvc4_program() {
    check_program("cvc4", "1.8");
}

#[test]
fn cvc5_program() {
    check_program("cvc5", "1.0.3");
}
