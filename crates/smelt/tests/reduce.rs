//! `smelt reduce` with solvers that are wrong on purpose, and with commands.

mod run;

use run::{file, program, smelt};

const SCRIPT: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)
(assert (or p (> x 3)))(assert (not (and (> x 3) q)))(assert (=> q p))(assert (xor p q))(assert (< x 9))(check-sat)";
const MODEL: &str =
    "((define-fun p () Bool true)(define-fun q () Bool false)(define-fun x () Int 5))";

/// The file is the last argument.
const LAST: &str = "for f; do :; done;";
const WRONG: &str = "if grep -q '(not (and' \"$f\"; then echo unsat; else echo sat; fi";

/// What a run says, with its exit code checked.
fn check(args: &[&str], code: i32) -> String {
    let out = smelt(args);
    let (text, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{text}{err}");
    format!("{text}{err}")
}

#[test]
fn a_solver_that_is_wrong() {
    file("reduce.smt2", SCRIPT);
    file("reduce.model", MODEL);
    file("reduce.bad-model", &MODEL.replace("5", "12"));
    // Says unsat to every script with a negated conjunction, else sat.
    program("wrong-solver", &format!("{LAST} {WRONG}"));
    let args = |model| ["reduce", "--solver", "./wrong-solver", "--model", model, "reduce.smt2"];
    let text = check(&args("reduce.model"), 0);
    assert_eq!(text.matches("(assert ").count(), 1, "{text}");
    assert!(text.contains("(assert (not (and") && text.contains("; this satisfies it:"), "{text}");
    let text = check(&args("reduce.bad-model"), 2);
    assert!(text.contains("the model makes assertion 5 false"), "{text}");
    // Nothing proves it wrong without a model or somebody to ask.
    let text = check(&["reduce", "--solver", "./wrong-solver", "reduce.smt2"], 1);
    assert!(text.contains("nothing proves the answer wrong"), "{text}");
    file("reduce-fine.smt2", &SCRIPT.replace("(assert (not (and (> x 3) q)))", ""));
    let text = check(
        &["reduce", "--solver", "./wrong-solver", "--model", "reduce.model", "reduce-fine.smt2"],
        1,
    );
    assert!(text.contains("reduce-fine.smt2: "), "{text}");
}

#[test]
fn commands() {
    file("reduce-by.smt2", SCRIPT);
    program("has-xor", "grep -q xor \"$1\"");
    let text = check(&["reduce", "reduce-by.smt2", "--out", "reduced-by", "--", "./has-xor"], 0);
    assert!(text.len() < 20 && text.contains("xor"), "{text}");
    program("says-xor", "grep -o xor \"$1\"; exit 0");
    let text = check(&["reduce", "reduce-by.smt2", "--match-out", "xor", "--", "./says-xor"], 0);
    assert!(text.len() < 20 && text.contains("xor"), "{text}");
    // What cannot be written is not lost.
    file("reduce-occupied", "");
    let text =
        check(&["reduce", "reduce-by.smt2", "--out", "reduce-occupied", "--", "./has-xor"], 4);
    assert!(text.contains("xor") && text.contains("cannot write to reduce-occupied"), "{text}");
}

/// Tests that tell nothing of the file are refused in a sentence; one that cannot be run any more keeps the smallest so far.
#[test]
fn commands_that_are_of_no_use() {
    file("reduce-no-use.smt2", SCRIPT);
    program("hangs", "while :; do :; done");
    program("vanishes", "rm -f ./vanishes; grep -q xor \"$1\"");
    let refused = |args: &[&str], what: &str| {
        let all = [&["reduce", "reduce-no-use.smt2", "--limit", "0.2"], args].concat();
        let text = check(&all, 2);
        assert!(text.contains(what) && text.trim().lines().count() == 1, "{text}");
    };
    refused(&["--", "./hangs"], "does not end within");
    refused(&["--exit-code", "0", "--", "./hangs"], "the test does not hold of");
    refused(&["--exit-code", "7", "--", "true"], "the test does not hold of");
    refused(&["--match-out", "sat", "--", "true"], "the test does not hold of");
    // Whatever they are given, these end in one way.
    refused(&["--", "true"], "holds of an empty file, too");
    refused(&["--", "false"], "holds of an empty file, too");
    refused(&["--", "./no-such-command"], "no-such-command");
    let out = smelt(&["reduce", "reduce-no-use.smt2", "--exit-code", "0", "--", "./vanishes"]);
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success() && text.contains("vanishes"), "{text}");
}

/// A command that goes away half-way: what it held of is not lost.
#[test]
fn a_command_that_goes_away() {
    file("reduce-away.smt2", SCRIPT);
    file("away-runs", "");
    // It removes itself at its twentieth run.
    program(
        "goes-away",
        "echo . >> away-runs; [ $(wc -l < away-runs) -lt 20 ] || rm -f ./goes-away; grep -q xor \"$1\"",
    );
    let text = check(&["reduce", "reduce-away.smt2", "--", "./goes-away"], 0);
    assert!(text.contains("xor") && text.contains("it cannot be run any more"), "{text}");
}

/// A solver that goes away half-way: what it was wrong on last is not lost.
#[test]
fn a_solver_that_goes_away() {
    file("reduce-leaves.smt2", SCRIPT);
    file("reduce-leaves.model", MODEL);
    file("leaves-runs", "");
    let runs = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("leaves-runs");
    let (runs, me) = (runs.display(), runs.with_file_name("leaving-solver"));
    let gone = format!("echo . >> {runs}; [ $(wc -l < {runs}) -lt 25 ] || rm -f {}", me.display());
    program("leaving-solver", &format!("{gone}; {LAST} {WRONG}"));
    let model = "reduce-leaves.model";
    let args = ["reduce", "--sandbox", "off", "--solver", "./leaving-solver", "--model", model];
    let text = check(&[&args[..], &["reduce-leaves.smt2"]].concat(), 0);
    assert!(text.contains("(assert (not (and"), "{text}");
    assert!(text.contains("it ended early: it cannot be run any more"), "{text}");
    assert!(!me.exists(), "{text}");
}

/// Nothing of the original's names, texts and numbers leaves the house; what must stay is said.
#[test]
fn anonymised() {
    let script = "(set-info :source |payments of a bank|) ; secret remark
(declare-fun account () String)(declare-fun |limit of Jane| () Int)
(assert (= account \"IBAN\"))(assert (not (and (> |limit of Jane| 4096) (str.prefixof account \"xy\"))))(check-sat)";
    file("reduce-secret.smt2", script);
    program("likes-secrets", "grep -q 'not (and.*[0-9][0-9].*str.prefixof.*\"..\"' \"$1\"");
    let hides = ["reduce", "--anonymise", "reduce-secret.smt2", "--out", "reduce-anonymous", "--"];
    let text = check(&[&hides[..], &["./likes-secrets"]].concat(), 0);
    assert!(text.contains("no name, text or number of the original is left"), "{text}");
    for secret in ["IBAN", "xy", "account", "Jane", "limit", "4096", "secret", "bank"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    program("needs-4096", "grep -q 'not (and.*4096.*account' \"$1\"");
    let text = check(&[&hides[..], &["./needs-4096"]].concat(), 0);
    assert!(text.contains("does not show without it: 4096 account"), "{text}");
    // A fault that smelt itself looks for: names and values of the witness change with the script.
    file("reduce-secret.model", &MODEL.replace(" p ", " approved ").replace('5', "5000"));
    let script = SCRIPT.replace("3)", "3000)").replace("9)", "9000)").replace(" p", " approved");
    file("reduce-secret-2.smt2", &script.replace("declare-const p", "declare-const approved"));
    program("wrong-on-secrets", &format!("{LAST} {}", WRONG.replace("(and", "(and.*[0-9][0-9]")));
    let args = ["--solver", "./wrong-on-secrets", "--model", "reduce-secret.model"];
    let text = check(&[&hides[..2], &args, &["reduce-secret-2.smt2"]].concat(), 0);
    assert!(text.contains("; no name, text or number of the original is left"), "{text}");
    assert!(text.contains("; this satisfies it:"), "{text}");
    for secret in ["approved", "3000", "5000", "9000"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

/// Options behind the name of a solver are tried, and left out where the fault shows without them.
#[test]
fn options_of_the_solver() {
    file("reduce-options.smt2", SCRIPT);
    file("reduce-options.model", MODEL);
    let wrong = format!("{LAST} case \"$*\" in *--odd*) {WRONG};; *) echo sat;; esac");
    program("odd-solver", &wrong);
    let solver = "./odd-solver --even --odd";
    let args =
        ["reduce", "--solver", solver, "--model", "reduce-options.model", "reduce-options.smt2"];
    let text = check(&args, 0);
    assert!(text.contains("options: --odd") && !text.contains("--even"), "{text}");
    assert_eq!(text.matches("(assert ").count(), 1, "{text}");
}

/// Folders that are no findings, or of a smelt that this one does not know, are told in a sentence.
#[test]
fn folders_that_are_no_findings() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("reduce-odd");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let text = check(&["reduce", "reduce-odd"], 2);
    assert!(text.contains("reduce-odd") && text.trim().lines().count() == 1, "{text}");
    file("reduce-odd/finding.json", "{\"format\": 99}");
    let text = check(&["reduce", "reduce-odd"], 2);
    assert!(text.contains("reduce-odd") && text.trim().lines().count() == 1, "{text}");
}

/// A solver that does not answer is an error before anything is run, whether it is the accused or the reference.
#[test]
fn solvers_that_do_not_answer() {
    file("reduce-mute.smt2", SCRIPT);
    program("reduce-fine", "echo sat");
    program("reduce-mute", "echo 'unknown option: -x' >&2; exit 1");
    for (solver, reference) in
        [("./reduce-mute", "./reduce-fine"), ("./reduce-fine", "./reduce-mute")]
    {
        let text =
            check(&["reduce", "--solver", solver, "--reference", reference, "reduce-mute.smt2"], 2);
        assert!(
            text.contains("reduce-mute cannot be run") && text.contains("unknown option"),
            "{text}"
        );
    }
}
