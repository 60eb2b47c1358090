//! `smelt janus` with solvers that are shell scripts: what it calls a finding, and what not.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use smelt_smtlib::{Status, parse};
use smelt_strategy::janus::step::RuleStep;
use smelt_strategy::rules::file::RuleFile;

const SEED: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
(assert (and p q))(assert (or r p))(check-sat)";

/// A profile of a solver that says why it does not know, and one excuse.
const PROFILE: &str = "name = 'fake'\nfamily = 'fake'\ntested = true\nmemory = 'rss'\n\
    cold = { input = 'temp-file', args = ['{file}'] }\nversion_args = ['--version']\n[patterns]\nexcused = ['Too Tired']\n";

/// Runs `smelt janus` on the seed with solvers that answer as these scripts say (`$1` is the file), on some mutants.
/// The result is what it prints, and the pairs that it wrote: kind and rule, before and after.
fn janus(name: &str, solvers: &[&str], more: &str, code: i32) -> (String, Vec<[String; 3]>) {
    janus_on(SEED, name, solvers, more, code)
}

fn janus_on(
    seed: &str,
    name: &str,
    solvers: &[&str],
    more: &str,
    code: i32,
) -> (String, Vec<[String; 3]>) {
    let (dir, mut command) = command_on(seed, name, solvers);
    command.args(["--tests", "80", "--out", "out"]).args(more.split_whitespace());
    let out = command.output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    let text = format!("{said}{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{text}");
    let mut found = Vec::new();
    for entry in fs::read_dir(dir.join("out")).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy()[4..].to_owned();
        let read = |f: &str| fs::read_to_string(path.join(f)).unwrap();
        found.push([name, read("before.smt2"), read("after.smt2")]);
    }
    (text, found)
}

/// A fresh folder with the seed and the solvers, and `smelt janus` on them for 100 seconds.
fn command_on(seed: &str, name: &str, solvers: &[&str]) -> (PathBuf, Command) {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("janus").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("home/profiles")).unwrap();
    fs::write(dir.join("home/profiles/fake.toml"), PROFILE).unwrap();
    fs::write(dir.join("seed.smt2"), seed).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
    command.args(["janus", "seed.smt2", "--time", "100"]);
    command.env("SMELT_HOME", dir.join("home")).current_dir(&dir);
    // In the wrong order: their versions count.
    for (i, script) in solvers.iter().enumerate().rev() {
        let path = dir.join(format!("fake{i}"));
        let version = format!("if [ \"$1\" = --version ]; then echo {}.0; exit; fi", i + 1);
        fs::write(&path, format!("#!/bin/sh\n{version}\n{script}\n")).unwrap();
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

#[test]
fn answers_that_exclude_each_other() {
    // Without a model, nobody knows which of the answers is wrong: the pair is shown.
    let (text, found) =
        janus("contradiction", &[&format!("if {AND}; then echo sat; else echo unsat; fi")], "", 10);
    assert!(text.contains("no model says which is wrong"), "{text}");
    assert!(text.contains("exclude each other by a proved rule") && text.contains("sat (claim)"));
    assert!(!found.is_empty(), "{text}");
    for [name, before, after] in &found {
        assert!(name.starts_with("contradiction-"), "{name}");
        assert!(before.contains("(and p q)") && !after.contains("(and p q)"), "{before}{after}");
    }
    // With a model it is known who is wrong.
    let script = format!(
        r#"while read -r line; do case "$line" in
'(check-sat)') if {AND}; then echo sat; else echo unsat; fi;;
'(get-model)') echo '((define-fun p () Bool true)(define-fun q () Bool true)(define-fun r () Bool true))';;
'(echo "'*) line=${{line#'(echo "'}}; echo "${{line%'")'}}";;
esac; done < "$1""#
    );
    let (text, found) = janus("wrong", &[&script], "", 10);
    assert!(text.contains(" wrong, 0 contradictions, 0 regressions, 0 implications"), "{text}");
    assert!(found.iter().all(|[n, ..]| n.starts_with("wrong-")) && !found.is_empty(), "{text}");
    // So it is if the model comes after the step: an unsat script became sat, and the model is one of both.
    let script = script.replace("then echo sat; else echo unsat", "then echo unsat; else echo sat");
    let (text, found) = janus("wrong-before", &[&script], "", 10);
    assert!(text.contains("unsat, but the model of its neighbour is one of it, too"), "{text}");
    // Where the model is none of the script it was given for, the pair is all there is to show.
    assert!(found.iter().any(|[name, ..]| name.starts_with("wrong-")), "{text}");
    for [name, before, after] in &found {
        assert!(name.starts_with("wrong-") || name.starts_with("contradiction-"), "{name}");
        assert!(!before.contains("(and p q)") && after.contains("(and p q)"), "{before}{after}");
    }
}

/// A model that is none of the script it was given for is a proven fault by itself.
#[test]
fn invalid_models_are_named() {
    let answer = format!("if {AND}; then echo sat; else echo unsat; fi");
    let (text, found) = janus("invalid", &[&with_model(&answer, [false, true, true])], "", 10);
    assert!(
        text.contains("of the first is false by smelt's evaluator: an invalid model"),
        "{text}"
    );
    assert!(found.iter().all(|[n, ..]| n.starts_with("contradiction-")), "{text}");
}

/// A wrong answer is made smaller, too, with a witness that anybody can check.
#[test]
fn witnesses_of_wrong_answers() {
    let answer = format!("if {AND}; then echo sat; else echo unsat; fi");
    let model = [true, true, false];
    let (text, _) = janus("witness", &[&with_model(&answer, model)], "", 10);
    assert!(text.contains("(expected sat (witness), by "), "{text}");
    assert!(!text.contains("(claim)"), "{text}");
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("janus/witness");
    const VALUES: [&str; 3] = [
        "(define-fun p () Bool true)",
        "(define-fun q () Bool true)",
        "(define-fun r () Bool false)",
    ];
    let mut single = 0;
    let mut all = 0;
    for entry in fs::read_dir(dir.join("out")).unwrap() {
        let path = entry.unwrap().path();
        let read = |f: &str| fs::read_to_string(path.join(f)).unwrap();
        let (after, witness) = (read("after.smt2"), read("witness.smt2"));
        assert!(witness.contains("(assert (= p true))") || !after.contains("fun p"), "{witness}");
        assert!(read("report.txt").contains("witness.smt2 asserts"), "{path:?}");
        // The witness is one of what is left.
        let model: Vec<&str> = VALUES.into_iter().filter(|v| after.contains(&v[8..14])).collect();
        fs::write(dir.join("model"), format!("({})", model.concat())).unwrap();
        for script in ["after.smt2", "witness.smt2"] {
            let out = Command::new(env!("CARGO_BIN_EXE_smelt"))
                .arg("eval")
                .arg(path.join(script))
                .arg("--model")
                .arg(dir.join("model"))
                .output()
                .unwrap();
            assert_eq!(out.status.code(), Some(0), "{after}{out:?}");
        }
        all += 1;
        single += usize::from(after.matches("(assert ").count() == 1);
    }
    assert!(all > 0 && single * 2 > all, "{single} of {all}: {text}");
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
    assert!(text.contains("cannot write to file/out") && !started.exists(), "{text}");
}

/// Implications that are found on nearly all mutants.
fn unknown_without_and() -> String {
    format!(
        "if {AND}; then echo sat; else echo unknown; echo '(:reason-unknown \"incomplete\")'; fi"
    )
}

/// One finding that cannot be written does not keep the others from being written, and is printed.
#[test]
fn one_that_cannot_be_written() {
    let solver = unknown_without_and();
    let (dir, mut command) = command_on(SEED, "one-unwritten", &[&solver]);
    command.args(["--tests", "80", "--out", "out", "--top", "0"]);
    assert_eq!(command.output().unwrap().status.code(), Some(10));
    let list = || -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> =
            fs::read_dir(dir.join("out")).unwrap().map(|e| e.unwrap().path()).collect();
        all.sort();
        all
    };
    let all = list();
    assert!(all.len() > 1 && all.iter().all(|p| p.join("report.txt").exists()), "{all:?}");
    all.iter().for_each(|p| fs::remove_dir_all(p).unwrap());
    fs::write(&all[0], "").unwrap();
    let out = command.output().unwrap();
    let [text, complaint] = [&out.stdout, &out.stderr].map(|b| String::from_utf8_lossy(b));
    assert_eq!(out.status.code(), Some(4), "{text}{complaint}");
    assert!(complaint.contains("cannot write out/001-"), "{complaint}");
    assert!(text.contains("\n1. implication: ") && !text.contains("\n2. "), "{text}");
    assert!(all[1..].iter().all(|p| p.join("report.txt").exists()), "{:?}", list());
    // What was found first is still there.
    assert!(dir.join("out/unranked").is_dir());
}

/// What was found is there even if the run is killed.
#[test]
fn killed_runs_lose_nothing() {
    let (dir, mut command) = command_on(SEED, "killed", &[&unknown_without_and()]);
    let quiet = std::process::Stdio::null;
    let mut run = command.args(["--out", "out"]).stdout(quiet()).stderr(quiet()).spawn().unwrap();
    let written = || -> Vec<PathBuf> {
        let all = fs::read_dir(dir.join("out/unranked")).into_iter().flatten();
        let all = all.map(|e| e.unwrap().path());
        all.filter(|p| !p.file_name().unwrap().to_string_lossy().starts_with('.')).collect()
    };
    let begun = std::time::Instant::now();
    while written().is_empty() && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let all = written();
    assert!(!all.is_empty());
    for file in ["before.smt2", "after.smt2", "report.txt"] {
        assert!(all.iter().all(|p| p.join(file).exists()), "{all:?}");
    }
}

/// A release in the middle that has lost what those before and after it decide.
#[test]
fn lost_in_the_middle() {
    let solvers = ["echo sat", &unknown_without_and(), "echo sat"];
    let (text, found) = janus("middle", &solvers, "", 10);
    assert!(text.contains(". regression: fake (2.0) on "), "{text}");
    assert!(
        text.contains("fake (1.0) decides it, the first that does not is fake (2.0)"),
        "{text}"
    );
    assert!(text.contains("; fake (3.0) decides it again"), "{text}");
    assert!(found.iter().all(|[n, ..]| n.starts_with("regression-")), "{text}");
}

/// What the answers to the seed itself show: an answer that was lost, and the first release without it; a wrong one; and
/// labels that solvers contradict.
#[test]
fn seeds_themselves() {
    let unknown = "echo unknown; echo '(:reason-unknown \"incomplete\")'";
    let (text, found) = janus("lost-seed", &["echo sat", "echo sat", unknown, unknown], "", 10);
    let lost = "fake (2.0) decides it, the first that does not is fake (3.0) (unknown); incomplete";
    assert!(text.contains(lost), "{text}");
    // Its mutants lose nothing more.
    assert!(found.len() == 1 && found[0][0] == "regression-seed", "{text}");
    let excused = unknown.replace("incomplete", "too tired");
    let (text, _) = janus("tired", &["echo sat", &excused], "", 2);
    assert!(text.contains("the solver decides none of the seeds"), "{text}");
    // A model of an older release against the answer of the newest; without one, nobody is accused. What only older ones
    // do wrong is not asked for.
    let right = r#"while read -r line; do case "$line" in
'(check-sat)') echo sat;;
'(get-model)') echo '((define-fun p () Bool true)(define-fun q () Bool true)(define-fun r () Bool true))';;
'(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}";;
esac; done < "$1""#;
    let (text, found) = janus("new-wrong", &[right, "echo unsat"], "--top 100", 10);
    assert!(found.iter().any(|[n, ..]| n == "wrong-seed"), "{text}");
    let line = text.lines().find(|l| l.contains("unsat, but a model of ")).unwrap();
    assert!(line.split(" on seed").next().unwrap().contains("fake (2.0)"), "{line}");
    janus("old-wrong", &["echo unsat", right], "", 0);
    let (text, _) = janus("nobody", &["echo unsat", "echo sat"], "", 2);
    assert!(text.contains("the solver decides none of the seeds"), "{text}");
    let labelled = SEED.replace("(check-sat)", "(set-info :status unsat)(check-sat)");
    let (text, _) = janus_on(&labelled, "label", &[right], "", 0);
    assert!(text.contains("1 answers against the label of a seed"), "{text}");
}

/// Where the form that the rules need is what the solver does not decide, no step has lost anything.
#[test]
fn the_form_of_the_seed() {
    let seed = "(declare-const p Bool)(declare-const q Bool)(define-fun g () Bool (or p q))\
        (assert g)(assert (not p))(set-info :status sat)(check-sat)";
    let unknown = "echo unknown; echo '(:reason-unknown \"incomplete\")'";
    let script = format!("if grep -q define-fun \"$1\"; then echo sat; else {unknown}; fi");
    let (text, found) = janus_on(seed, "form", &[&script], "", 0);
    assert!(found.is_empty() && text.contains("unknown"), "{text}");
}

/// What cannot be compared, and seeds that are of no use.
#[test]
fn odd_arguments() {
    let z3 = smelt_solver::testing::solver("z3@latest");
    let more = format!("--solver {}", z3.program().display());
    let (text, _) = janus("families", &["echo sat"], &more, 2);
    assert!(text.contains("are not releases of one solver"), "{text}");
    let (text, _) = janus_on("(assert", "broken", &["echo sat"], "", 2);
    assert!(text.contains("none of the seeds (1: smelt cannot read it)"), "{text}");
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
    assert!(text.contains("(1: it has not one check)"), "{text}");
}

/// Old releases are asked in their own words.
#[test]
fn names_of_an_old_release() {
    let z3 = smelt_solver::testing::solver("z3@4.8.7");
    let seed = "(declare-const s String)(assert (str.in_re s (re.* (str.to_re \"ab\"))))\
        (assert (> (str.len s) 3))(set-info :status sat)(check-sat)";
    let more = format!("--solver {}", z3.program().display());
    let (text, _) = janus_on(seed, "words", &[], &more, 0);
    assert!(text.starts_with("80 mutants"), "{text}");
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
    let (text, found) = janus_on(seed, "lie", &[script], more, 10);
    assert!(text.contains("smelt's own error: the rule lie is wrong here ("), "{text}");
    // Last, and on stderr, too: the exit code is that of the findings.
    let (_, last) = text.split_once("smelt's own error: ").unwrap();
    assert!(!last.contains(". contradiction: "), "{text}");
    assert!(text.ends_with("smelt: own error: the rule lie is wrong\n"), "{text}");
    let others = |[n, ..]: &[String; 3]| n.starts_with("contradiction-") && !n.ends_with("-lie");
    assert!(found.iter().all(others), "{found:?}");
    assert!(!text.contains("rule and-"), "{text}");
}

#[test]
fn unknowns_with_and_without_excuse() {
    let unknown = |why: &str| {
        format!(
            "if {AND}; then echo sat; else echo unknown; echo '(:reason-unknown \"{why}\")'; fi"
        )
    };
    let (text, found) = janus("excused", &[&unknown("sorry, too tired")], "", 0);
    assert!(text.contains("0 unknowns without excuse; ") && text.contains("; 0 groups:"), "{text}");
    assert!(text.contains("0 unknowns without excuse") && found.is_empty(), "{text}");
    let (text, found) = janus("implication", &[&unknown("incomplete")], "", 10);
    assert!(text.contains("0 regressions") && text.contains("; incomplete)"), "{text}");
    assert!(found.iter().all(|[n, ..]| n.starts_with("implication-")) && !found.is_empty());
    let (text, found) = janus("regression", &["echo sat", &unknown("incomplete")], "", 10);
    assert!(text.contains("0 implications") && text.contains("fake (2.0); incomplete"), "{text}");
    assert!(found.iter().all(|[n, ..]| n.starts_with("regression-")) && !found.is_empty());
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
fn janus_with(profile: &str, seed: &str, name: &str, solvers: &[&str], code: i32) -> String {
    let (dir, mut command) = command_on(seed, name, solvers);
    fs::write(dir.join("home/profiles/fake.toml"), format!("{PROFILE}{profile}")).unwrap();
    let out = command.args(["--tests", "80"]).output().unwrap();
    let [said, errors] = [&out.stdout, &out.stderr].map(|b| String::from_utf8_lossy(b));
    let text = format!("{said}{errors}");
    assert_eq!(out.status.code(), Some(code), "{text}");
    text
}

/// Where a release means something else than the standard does, it is not accused, and decides nothing for others.
#[test]
fn caveats() {
    let caveat = |versions: &str| {
        format!("[[caveats]]\nversions = '{versions}'\noperators = ['or']\ntext = 'or is odd'\n")
    };
    let contradicts = format!("if {AND}; then echo sat; else echo unsat; fi");
    let text = janus_with(&caveat("<=1.0"), SEED, "caveat", &[&contradicts], 2);
    assert!(text.contains("none of the seeds (1: no verdict: or is odd)"), "{text}");
    let text = janus_with(&caveat("<1.0"), SEED, "no-caveat", &[&contradicts], 10);
    assert!(text.contains(". contradiction: fake (1.0)"), "{text}");
    // An older release that decides what the newest does not, and whose word counts for nothing.
    let releases = ["echo sat", &unknown_without_and()];
    let text = janus_with(&caveat("<1.0"), SEED, "older", &releases, 10);
    assert!(text.contains("0 implications") && text.contains(". regression: fake (2.0)"), "{text}");
    let text = janus_with(&caveat("<=1.0"), SEED, "older-caveat", &releases, 10);
    assert!(text.contains("0 regressions") && text.contains(". implication: "), "{text}");
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
    let text = janus_with(old, seed, "escapes", &[&script], 10);
    assert!(text.contains(". wrong: fake (1.0)") && text.contains("(witness)"), "{text}");
    assert!(text.contains(" wrong, 0 contradictions"), "{text}");
    // Elsewhere those are four characters.
    let text = janus_with("", seed, "no-escapes", &[&script], 10);
    assert!(text.contains("an invalid model, proven"), "{text}");
}

/// A solver that does not answer is named before anything is asked.
#[test]
fn solvers_that_do_not_answer() {
    let mute = "echo 'unknown option' >&2; exit 3";
    let (text, _) = janus("mute", &["echo sat", mute], "", 2);
    assert!(text.starts_with("smelt: fake cannot be run: to a script that only asks"), "{text}");
}

/// Chains of one step begin again from the seed each time: then the rule leads from the seed, not from the step before.
#[test]
fn chains_that_begin_again() {
    let script = "if grep -q '(or r p)' \"$1\"; then echo sat; else echo unknown; fi";
    let more = "--param steps=1 --param quantifiers=off --param terms=off";
    let (text, found) = janus("again", &[script], more, 10);
    let is_step = |[name, before, after]: &[String; 3]| {
        let rule = name.strip_prefix("implication-").unwrap();
        let [b, a] = [before, after].map(|t| parse(t.as_bytes()).unwrap());
        RuleStep::find(&b, &a, rule, Status::Sat, &[]).is_some()
    };
    // What is the same when it is small is shown once.
    let mut distinct = found.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), found.len(), "{text}");
    let steps = found.iter().filter(|f| is_step(f)).count();
    assert!(steps >= 2 && steps * 10 >= found.len() * 9, "{steps} of {}: {text}", found.len());
}
