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
