//! `smelt janus` with solvers that are shell scripts: what it calls a finding, and what not.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use smelt_smtlib::{Status, parse};
use smelt_strategy::janus::step::RuleStep;
use smelt_strategy::rules::file::RuleFile;

const SEED: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
(assert (and p q))(assert (or r p))(check-sat)";

/// A profile of a solver that says why it does not know, and one excuse.
const PROFILE: &str = "name = 'fake'\nfamily = 'fake'\ntested = true\nmemory = 'rss'\n\
    cold = { input = 'temp-file', args = ['{file}'] }\nversion_args = ['--version']\n[patterns]\nexcused = ['Too Tired']\n";

/// Integers, of which not all values can be tried.
const NUMBERS: &str = "(declare-const x Int)(declare-const y Int)
(assert (and (> x 0) (> y 0)))(assert (or (< x 9) (> y 0)))(check-sat)";

/// A finding of a run: its class, its script, the script before the step if there is one, and `finding.json`.
struct Found {
    class: String,
    bug: String,
    before: Option<String>,
    json: Json,
    path: PathBuf,
}

/// Runs `smelt janus` on the seed with solvers that answer as these scripts say (`$1` is the file), on some mutants.
/// The result is what it prints, and what it found.
fn janus(name: &str, solvers: &[&str], more: &str, code: i32) -> (String, Vec<Found>) {
    janus_on(SEED, name, solvers, more, code)
}

fn janus_on(
    seed: &str,
    name: &str,
    solvers: &[&str],
    more: &str,
    code: i32,
) -> (String, Vec<Found>) {
    let (dir, mut command) = command_on(seed, name, solvers);
    let tests = if more.contains("--tests") { "" } else { "--tests 80" };
    command.args(["--out", "out"]).args(tests.split(' ').filter(|t| !t.is_empty()));
    command.args(more.split_whitespace());
    let out = command.output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{text}");
    (text.into_owned(), found(&dir))
}

/// The findings of a run in this folder.
fn found(dir: &Path) -> Vec<Found> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir.join("out/findings")).into_iter().flatten() {
        let path = entry.unwrap().path();
        let read = |f: &str| fs::read_to_string(path.join(f)).ok();
        let Some(json) = read("finding.json") else { continue };
        let json: Json = serde_json::from_str(&json).unwrap();
        let class = json["verdicts"][0]["class"].as_str().unwrap().to_owned();
        let (bug, before) = (read("bug.smt2").unwrap(), read("before.smt2"));
        all.push(Found { class, bug, before, json, path });
    }
    all
}

/// Whether there is a finding, and all are of this class.
fn all_are(found: &[Found], class: &str) -> bool {
    !found.is_empty() && found.iter().all(|f| f.class == class)
}

/// A fresh folder with the seed and the solvers, and `smelt janus` on them for 100 seconds.
fn command_on(seed: &str, name: &str, solvers: &[&str]) -> (PathBuf, Command) {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("janus").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("home/profiles")).unwrap();
    fs::write(dir.join("home/profiles/fake.toml"), PROFILE).unwrap();
    fs::write(dir.join("seed.smt2"), seed).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
    command.args(["janus", "seed.smt2", "--time", "100", "--jobs", "1"]);
    // Solvers that happen to be on PATH would be arbiters; the scripts need what else is there.
    command.env("SMELT_HOME", dir.join("home")).env("PATH", &dir).current_dir(&dir);
    let tools = std::env::var("PATH").unwrap_or_default();
    // In the wrong order: their versions count.
    for (i, script) in solvers.iter().enumerate().rev() {
        let path = dir.join(format!("fake{i}"));
        let version = format!("if [ \"$1\" = --version ]; then echo {}.0; exit; fi", i + 1);
        fs::write(&path, format!("#!/bin/sh\nPATH='{tools}'\n{version}\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        command.args(["--solver", &format!("fake={}", path.display())]);
    }
    (dir, command)
}

/// A solver that answers as the script says, with this model of p, q and r.
fn with_model(answer: &str, [p, q, r]: [bool; 3]) -> String {
    let value = |name: &str, value: bool| {
        format!("grep -q 'fun {name} ' \"$1\" && echo '(define-fun {name} () Bool {value})'")
    };
    let model = format!("{}; {}; {}", value("p", p), value("q", q), value("r", r));
    format!(
        r#"while read -r line; do case "$line" in
'(check-sat)') {answer};;
'(get-model)') echo '('; {model}; echo ')';;
'(echo "'*) line=${{line#'(echo "'}}; echo "${{line%'")'}}";;
esac; done < "$1""#
    )
}

const AND: &str = "grep -q '(and p q)' \"$1\"";
const BOTH: &str = "grep -q '(and (> x 0) (> y 0))' \"$1\"";

/// A solver that answers as the script says, with x and y as they are given.
fn with_numbers(answer: &str, x: u32, y: u32) -> String {
    let model = format!("((define-fun x () Int {x})(define-fun y () Int {y}))");
    format!(
        r#"while read -r line; do case "$line" in
'(check-sat)') {answer};;
'(get-model)') echo '{model}';;
'(echo "'*) line=${{line#'(echo "'}}; echo "${{line%'")'}}";;
esac; done < "$1""#
    )
}

#[test]
fn answers_that_exclude_each_other() {
    // Without a model, nobody knows which of the answers is wrong: the pair is shown.
    let answer = format!("if {BOTH}; then echo sat; else echo unsat; fi");
    let (text, all) = janus_on(NUMBERS, "contradiction", &[&answer], "", 10);
    assert!(text.contains("exclude each other by a proved rule"), "{text}");
    assert!(all_are(&all, "neighbour-contradiction"), "{text}");
    for f in &all {
        let before = f.before.as_ref().unwrap();
        let both = "(and (> x 0) (> y 0))";
        assert!(before.contains(both) && !f.bug.contains(both), "{}", f.bug);
        assert_eq!(f.json["reproducer"]["pair"]["expected"], "sat", "{:#}", f.json);
        // It is a finding as others are.
        replay(&f.path, 10, "still holds: ");
    }
    // With a model it is known who is wrong.
    let (text, all) = janus_on(NUMBERS, "wrong", &[&with_numbers(&answer, 1, 1)], "", 10);
    assert!(all_are(&all, "refutation-soundness"), "{text}");
    // So it is if the model comes after the step: an unsat script became sat, and the model is one of both.
    let turned = answer.replace("then echo sat; else echo unsat", "then echo unsat; else echo sat");
    let (text, all) = janus_on(NUMBERS, "wrong-before", &[&with_numbers(&turned, 1, 1)], "", 10);
    let wrong: Vec<&Found> = all.iter().filter(|f| f.class == "refutation-soundness").collect();
    assert!(!wrong.is_empty(), "{text}");
    assert!(wrong.iter().all(|f| f.bug.contains("(and (> x 0) (> y 0))")), "{text}");
    // (Of scripts that became stronger still, its model is none.)
    assert!(all.iter().all(|f| f.class == "invalid-model" || f.class == "refutation-soundness"));
}

/// Runs a finding again, on the solver that it accuses.
fn replay(path: &Path, code: i32, expect: &str) {
    let json: Json = serde_json::from_slice(&fs::read(path.join("finding.json")).unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
    let home = path.ancestors().nth(3).unwrap().join("home");
    command.arg("replay").arg(path).env("SMELT_HOME", home);
    command.args(["--solver", json["accused"]["spec"].as_str().unwrap()]);
    let out = command.output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(code) && text.contains(expect), "{text}");
    assert!(text.contains("the recipe gives the same mutant"), "{text}");
}

/// A model that is none of the script it was given for is a proven fault by itself.
#[test]
fn invalid_models_are_named() {
    let answer = format!("if {BOTH}; then echo sat; else echo unsat; fi");
    let (text, all) = janus_on(NUMBERS, "invalid", &[&with_numbers(&answer, 0, 1)], "", 10);
    assert!(all.iter().any(|f| f.class == "invalid-model"), "{text}");
}

/// A wrong answer is made smaller, too, with a witness that anybody can check.
#[test]
fn witnesses_of_wrong_answers() {
    let answer = format!("if {AND}; then echo sat; else echo unsat; fi");
    let (text, all) = janus("witness", &[&with_model(&answer, [true, true, false])], "", 10);
    assert!(all_are(&all, "refutation-soundness"), "{text}");
    for f in &all {
        let witness = fs::read_to_string(f.path.join("witness.smt2")).unwrap();
        assert!(witness.contains("(assert (= p true))") || !f.bug.contains("fun p"), "{witness}");
        assert_eq!(f.json["verdicts"][0]["grade"], "proven");
        // One that is wrong whatever is asserted is wrong on a script without assertions, too.
        assert!(f.bug.matches("(assert ").count() <= 1, "{}", f.bug);
        replay(&f.path, 10, "still holds: unsat");
    }
}

/// A crash on the script before the step, met while something else is confirmed: what is known of the mutant says nothing of it.
#[test]
fn crashes_before_the_step() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("janus/crash-before");
    let mark = dir.join("mark");
    let mark = mark.display();
    let own = "grep -q 'fun p ' \"$1\"";
    let answer = format!(
        "if ! {own}; then echo sat; elif ! {AND}; then touch '{mark}'; echo unknown; \
        elif [ -e '{mark}' ]; then kill -SEGV $$; else echo sat; fi"
    );
    let solver = with_model(&answer, [true, true, false]);
    let (text, all) = janus("crash-before", &[&solver], "--findings 1 --sandbox off", 10);
    assert!(all_are(&all, "crash"), "{text}");
    for f in &all {
        assert!(f.bug.contains("(and p q)"), "{}", f.bug);
        assert_eq!(f.json["verdicts"].as_array().unwrap().len(), 1, "{:#}", f.json);
        assert!(!f.path.join("witness.smt2").exists());
    }
}

/// A folder that cannot be written to is seen before any solver starts.
#[test]
fn folders_that_cannot_be_written() {
    let (dir, mut command) = command_on(SEED, "no-folder", &["touch started; echo sat"]);
    let script = fs::read_to_string(dir.join("fake0")).unwrap();
    let started = dir.join("started");
    let script = script.replace("touch started", &format!("touch '{}'", started.display()));
    fs::write(dir.join("fake0"), script).unwrap();
    fs::write(dir.join("file"), "").unwrap();
    let out = command.args(["--out", "file/out"]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{text}");
    assert!(text.contains("cannot make the campaign's folder file/out"), "{text}");
    assert!(!started.exists());
}

/// Implications that are found on nearly all mutants.
fn unknown_without_and() -> String {
    format!(
        "if {AND}; then echo sat; else echo unknown; echo '(:reason-unknown \"incomplete\")'; fi"
    )
}

/// What was found is there even if the run is killed.
#[test]
fn killed_runs_lose_nothing() {
    let (dir, mut command) = command_on(SEED, "killed", &[&unknown_without_and()]);
    let quiet = std::process::Stdio::null;
    let mut run = command.args(["--out", "out"]).stdout(quiet()).stderr(quiet()).spawn().unwrap();
    let begun = std::time::Instant::now();
    while found(&dir).is_empty() && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let all = found(&dir);
    assert!(!all.is_empty());
    assert!(all.iter().all(|f| f.before.is_some() && f.path.join("report.md").exists()));
}

/// A release in the middle that has lost what those before and after it decide.
#[test]
fn lost_in_the_middle() {
    let solvers = ["echo sat", &unknown_without_and(), "echo sat"];
    let (text, all) = janus("middle", &solvers, "--tests 600", 10);
    assert!(all_are(&all, "incompleteness-regression"), "{text}");
    for f in &all {
        assert_eq!(f.json["accused"]["label"], "fake (2.0)", "{:#}", f.json);
        let said = f.json["verdicts"][0]["evidence"].as_str().unwrap();
        assert!(said.starts_with("fake (1.0) answers sat"), "{said}");
    }
}

/// What the answers to the seed itself show: an answer that was lost, and the first release without it; a wrong one; and
/// labels that solvers contradict.
#[test]
fn seeds_themselves() {
    let unknown = "echo unknown; echo '(:reason-unknown \"incomplete\")'";
    let (text, all) = janus("lost-seed", &["echo sat", "echo sat", unknown, unknown], "", 10);
    // Its mutants lose nothing more.
    assert!(all.len() == 1 && all_are(&all, "incompleteness-regression"), "{text}");
    assert_eq!(all[0].json["accused"]["label"], "fake (4.0)");
    let said = all[0].json["verdicts"][0]["evidence"].as_str().unwrap();
    assert!(said.starts_with("fake (2.0) answers sat"), "{said}");
    assert!(said.ends_with("fake (3.0) is the first release without an answer"), "{said}");
    let excused = unknown.replace("incomplete", "too tired");
    let (text, _) = janus("tired", &["echo sat", &excused], "", 2);
    assert!(text.contains("no seed can be used (1: the tested release does not decide"), "{text}");
    // A model of an older release against the answer of the newest; without one, nobody is accused. What only older ones
    // do wrong is not asked for.
    let right = with_numbers("echo sat", 1, 1);
    let (text, all) = janus_on(NUMBERS, "new-wrong", &[&right, "echo unsat"], "", 10);
    assert!(all_are(&all, "refutation-soundness"), "{text}");
    assert_eq!(all[0].json["accused"]["label"], "fake (2.0)");
    janus_on(NUMBERS, "old-wrong", &["echo unsat", &right], "", 0);
    let (text, _) = janus_on(NUMBERS, "nobody", &["echo unsat", "echo sat"], "", 2);
    assert!(text.contains("no seed can be used"), "{text}");
    let labelled = NUMBERS.replace("(check-sat)", "(set-info :status unsat)(check-sat)");
    janus_on(&labelled, "label", &[&right], "", 0);
}

/// Where the form that the rules need is what the solver does not decide, no step has lost anything.
#[test]
fn the_form_of_the_seed() {
    let seed = "(declare-const p Bool)(declare-const q Bool)(define-fun g () Bool (or p q))\
        (assert g)(assert (not p))(set-info :status sat)(check-sat)";
    let unknown = "echo unknown; echo '(:reason-unknown \"incomplete\")'";
    let script = format!("if grep -q define-fun \"$1\"; then echo sat; else {unknown}; fi");
    let (text, all) = janus_on(seed, "form", &[&script], "", 0);
    assert!(all.is_empty() && text.contains("unknown"), "{text}");
}

/// What cannot be compared, and seeds that are of no use.
#[test]
fn odd_arguments() {
    let z3 = smelt_solver::testing::solver("z3@latest");
    let more = format!("--solver {}", z3.program().display());
    let (text, _) = janus("families", &["echo sat"], &more, 2);
    assert!(text.contains("are not releases of one solver"), "{text}");
    let (text, _) = janus_on("(assert", "broken", &["echo sat"], "", 2);
    assert!(text.contains("no seed can be used (1: not understood)"), "{text}");
    for (option, why) in [
        ("--steps", "a whole number from 1 on"),
        ("--tests", "a whole number from 1 on"),
        ("--findings", "a whole number from 1 on"),
        ("--time", "longer than 0"),
        ("--limit", "longer than 0"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
        let out = command.args(["janus", "--solver", "./nobody", option, "0"]).output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{text}");
        assert!(text.contains(option) && text.contains(why), "{text}");
    }
    let (text, _) = janus_on("(check-sat)(check-sat)", "two", &["echo sat"], "", 2);
    assert!(text.contains("no seed can be used (1: "), "{text}");
}

/// Old releases are asked in their own words.
#[test]
fn names_of_an_old_release() {
    let z3 = smelt_solver::testing::solver("z3@4.8.7");
    let seed = "(declare-const s String)(assert (str.in_re s (re.* (str.to_re \"ab\"))))\
        (assert (> (str.len s) 3))(set-info :status sat)(check-sat)";
    let more = format!("--solver {}", z3.program().display());
    let (text, _) = janus_on(seed, "words", &[], &more, 0);
    assert!(text.contains("\n80 tests in "), "{text}");
}

/// A rule that leads to what it excludes is smelt's mistake, and no finding.
#[test]
fn rules_that_are_wrong() {
    let rule = "(implies lie :vars ((a Bool) (b Bool)) :strong (or a b) :weak a)";
    let claims = RuleFile::read(rule).unwrap();
    let hash = claims.all().next().unwrap().claim().hash();
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("janus");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("lie.rules"), rule).unwrap();
    let record = format!("(rule lie {hash} (held 1) (proved (any) (nobody-1)))");
    fs::write(dir.join("lie.proofs"), record).unwrap();
    // Unsat as long as p stands where it stood; then sat with q alone.
    let script = r#"while read -r line; do case "$line" in
'(check-sat)') if grep -q '(assert (not p))' "$1" && grep -q '(assert p)' "$1"; then echo unsat; else echo sat; fi;;
'(get-model)') echo '((define-fun p () Bool false)(define-fun q () Bool true))';;
'(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}";;
esac; done < "$1""#;
    let more = "--param rules=../lie.rules --param proofs=../lie.proofs --param steps=1";
    let seed = "(declare-const p Bool)(declare-const q Bool)(assert (or q q))(assert p)(assert (not p))(check-sat)";
    // By other rules its answers exclude each other; that is not smelt's mistake.
    let (text, all) = janus_on(seed, "lie", &[script], more, 10);
    assert!(text.contains(" times a rule of smelt is wrong by a model"), "{text}");
    let by_lie = |f: &Found| f.json["reproducer"]["pair"]["rule"] == "lie";
    assert!(!all.iter().any(by_lie), "{text}");
    let kept = fs::read_dir(dir.join("lie/out/quarantine")).unwrap();
    let kept: Vec<String> = kept.map(|e| fs::read_to_string(e.unwrap().path()).unwrap()).collect();
    assert!(kept.iter().any(|t| t.contains("a model of its neighbour")), "{kept:?}");
}

#[test]
fn unknowns_with_and_without_excuse() {
    let unknown = |why: &str| {
        format!(
            "if {AND}; then echo sat; else echo unknown; echo '(:reason-unknown \"{why}\")'; fi"
        )
    };
    let (text, all) = janus("excused", &[&unknown("sorry, too tired")], "", 0);
    assert!(all.is_empty(), "{text}");
    let (text, all) = janus("implication", &[&unknown("incomplete")], "", 10);
    assert!(all_are(&all, "implication-incompleteness"), "{text}");
    for f in &all {
        assert_eq!(
            f.json["verdicts"][0]["evidence"],
            "it answers sat to the script before the step"
        );
        replay(&f.path, 10, "still holds: unknown");
    }
    let (text, all) = janus("regression", &["echo sat", &unknown("incomplete")], "", 10);
    assert!(all_are(&all, "incompleteness-regression"), "{text}");
}

/// `smelt check` names an answer that an older release has, and says who does not decide what others do.
#[test]
fn answers_that_are_lost() {
    let release = |version: &str, answer: &str| {
        format!("if [ \"$1\" = --version ]; then echo {version}; else echo {answer}; fi")
    };
    let unknown = "unknown; echo '(:reason-unknown \"incomplete\")'";
    let tired = "unknown; echo '(:reason-unknown \"too tired\")'";
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("janus/check");
    fs::create_dir_all(dir.join("home/profiles")).unwrap();
    fs::write(dir.join("home/profiles/fake.toml"), PROFILE).unwrap();
    fs::write(dir.join("seed.smt2"), SEED).unwrap();
    let check = |answers: [&str; 2], code: i32, expect: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
        command.args(["check", "seed.smt2"]);
        command.env("SMELT_HOME", dir.join("home")).current_dir(&dir);
        for (i, answer) in answers.into_iter().enumerate() {
            let path = dir.join(format!("fake-{}", i + 1));
            let script = release(&format!("{}.0", i + 1), answer);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            command.args(["--solver", &path.display().to_string()]);
        }
        let out = command.output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(code), "{text}");
        let said: Vec<&str> = text.lines().filter(|l| l.contains("=>")).collect();
        assert!(said.concat().contains(expect) && said.is_empty() == expect.is_empty(), "{text}");
    };
    check(["sat", unknown], 10, "fake-2 (2.0): incompleteness regression (strong: ");
    check([unknown, "sat"], 0, "fake-1 (1.0); sat by ");
    check(["sat", tired], 0, "");
    check([unknown, unknown], 0, "");
}

/// Runs `smelt janus` on the seed with solvers whose profile says more.
fn janus_with(
    profile: &str,
    seed: &str,
    name: &str,
    solvers: &[&str],
    code: i32,
) -> (String, Vec<Found>) {
    let (dir, mut command) = command_on(seed, name, solvers);
    fs::write(dir.join("home/profiles/fake.toml"), format!("{PROFILE}{profile}")).unwrap();
    let out = command.args(["--tests", "80", "--out", "out"]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{text}");
    (text.into_owned(), found(&dir))
}

/// Where a release means something else than the standard does, it is not accused, and decides nothing for others.
#[test]
fn caveats() {
    let caveat = |versions: &str| {
        format!("[[caveats]]\nversions = '{versions}'\noperators = ['or']\ntext = 'or is odd'\n")
    };
    let contradicts = format!("if {BOTH}; then echo sat; else echo unsat; fi");
    let (text, _) = janus_with(&caveat("<=1.0"), NUMBERS, "caveat", &[&contradicts], 2);
    assert!(text.contains("no seed can be used (1: no verdict (or is odd))"), "{text}");
    let (text, all) = janus_with(&caveat("<1.0"), NUMBERS, "no-caveat", &[&contradicts], 10);
    assert!(all_are(&all, "neighbour-contradiction"), "{text}");
    // An older release that decides what the newest does not, and whose word counts for nothing.
    let releases = ["echo sat", &unknown_without_and()];
    let (text, all) = janus_with(&caveat("<1.0"), SEED, "older", &releases, 10);
    assert!(all_are(&all, "incompleteness-regression"), "{text}");
    let (text, all) = janus_with(&caveat("<=1.0"), SEED, "older-caveat", &releases, 10);
    let has_or = |f: &&Found| f.bug.contains("(or ");
    assert!(all.iter().filter(has_or).all(|f| f.class == "implication-incompleteness"), "{text}");
    assert!(all.iter().any(|f| f.class == "implication-incompleteness"), "{text}");
}

/// A model with the escapes of old releases is the witness of a wrong answer, and no invalid model.
#[test]
fn escapes_of_old_releases() {
    let seed = "(declare-const p Bool)(declare-const s String)\
        (assert (and p (= s \"\\u{0a}\")))(assert (or p (= s \"b\")))(check-sat)";
    let value = |name: &str, value: &str| {
        format!("grep -q 'fun {name} ' \"$1\" && echo '(define-fun {name} () {value})'")
    };
    let model = [value("p", "Bool true"), value("s", "String \"\\x0a\"")].join("; ");
    let script = format!(
        r#"while read -r line; do case "$line" in
'(check-sat)') if grep -q '(and p (= s' "$1"; then echo sat; else echo unsat; fi;;
'(get-model)') echo '('; {model}; echo ')';;
'(echo "'*) line=${{line#'(echo "'}}; echo "${{line%'")'}}";;
esac; done < "$1""#
    );
    let old = "[[dialect]]\nversions = '*'\nescapes = 'c'\n";
    let (text, all) = janus_with(old, seed, "escapes", &[&script], 10);
    assert!(all_are(&all, "refutation-soundness"), "{text}");
    // Elsewhere those are four characters.
    let (text, all) = janus_with("", seed, "no-escapes", &[&script], 10);
    assert!(all.iter().any(|f| f.class == "invalid-model"), "{text}");
}

/// A solver that does not answer is named before anything is asked.
#[test]
fn solvers_that_do_not_answer() {
    let mute = "echo 'unknown option' >&2; exit 3";
    let (text, _) = janus("mute", &["echo sat", mute], "", 2);
    assert!(text.contains("smelt: fake cannot be run: to a script that only asks"), "{text}");
}

/// Chains of one step begin again from the seed each time: then the rule leads from the seed, not from the step before.
#[test]
fn chains_that_begin_again() {
    let script = "if grep -q '(or r p)' \"$1\"; then echo sat; else echo unknown; fi";
    let more = "--param steps=1 --param quantifiers=off --param terms=off";
    let (text, all) = janus("again", &[script], more, 10);
    assert!(all_are(&all, "implication-incompleteness"), "{text}");
    for f in &all {
        let rule = f.json["reproducer"]["pair"]["rule"].as_str().unwrap();
        let [b, a] = [f.before.as_ref().unwrap(), &f.bug].map(|t| parse(t.as_bytes()).unwrap());
        assert!(RuleStep::find(&b, &a, rule, Status::Sat, &[]).is_some(), "{rule}: {text}");
    }
}
