//! What each oracle reports, of which class and grade, and what it does not report.

use std::fs;
use std::path::Path;
use std::process::Command;

use smelt_solver::testing;

use crate::run::{
    SEED, SMALL, alone, campaign, findings, folder, found, replay, smelt, summary, text, total,
};
use crate::scripted::{CRASHES, filtered, scripted, shell};

/// The values in the witness of a finding satisfy its script for any honest solver.
fn check_witness(dir: &Path, finding: &Path, solver: &str) {
    let witness = finding.join("witness.smt2");
    let out = smelt(dir, &["check", witness.to_str().unwrap(), "--solver", solver], 0);
    assert!(text(&out).contains("sat, model true"), "{}", text(&out));
}

#[test]
fn a_liar_is_proven_wrong() {
    let dir = folder("liar", SEED);
    testing::solver("z3@latest");
    let liar = shell(&dir, "liar", "echo unsat");
    let args = campaign(
        &[&liar, "z3@latest"],
        "--findings 1 --time 100s --out out --strategy opfuzz --seed 5",
    );
    let said = text(&smelt(&dir, &args, 10));
    assert!(said.contains("refutation-soundness"), "{said}");
    let all = findings(&dir);
    let (path, f) = &all[0];
    assert_eq!(f["verdicts"][0]["class"], "refutation-soundness");
    assert_eq!(f["verdicts"][0]["grade"], "proven");
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    assert!(f["accused"]["label"].as_str().unwrap().starts_with("liar"));
    check_witness(&dir, path, "z3@latest");
    assert!(fs::read_to_string(path.join("report.md")).unwrap().contains("# Wrong unsat: "));
    let repro = Command::new("sh").arg(path.join("repro.sh")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&repro.stdout), "unsat\n");
    // The recipe gives the mutant again; the liar still lies, z3 does not.
    let out = text(&smelt(&dir, &["replay", path.to_str().unwrap(), "--solver", &liar], 10));
    assert!(out.contains("the recipe gives the same mutant"), "{out}");
    assert!(out.contains("still holds: unsat"), "{out}");
    // The finding knows where the liar is, from any folder.
    let elsewhere = dir.join("seeds");
    replay(&elsewhere, path, &[], 10, "still holds: unsat");
    replay(&dir, path, &["--solver", "z3@latest"], 0, "does not hold: sat, model true");
    // A second run in the same folder finds nothing new; neither does one that knows the bug.
    let again = campaign(
        &[&liar, "z3@latest"],
        "--tests 30 --out other --strategy opfuzz --seed 5 --known known.toml",
    );
    fs::write(dir.join("known.toml"), "[[bug]]\nsolver = \"generic\"\npattern = \"refutation\"\n")
        .unwrap();
    let said = text(&smelt(&dir, &again, 0));
    assert!(said.contains("candidates that are known bugs"), "{said}");
}

/// A model of any solver, with elements that no solver reads, becomes a witness for all.
#[test]
fn a_witness_with_elements() {
    let seed = "(set-logic QF_AUFLIA)(declare-sort S 0)(declare-fun a () S)(declare-fun b () S)\n\
        (declare-fun f (S) S)(declare-fun m () (Array Int S))(assert (distinct a b (f a) (f b)))\n\
        (assert (= (f (f a)) a))(assert (distinct (select m 1) (select m 2)))(check-sat)\n";
    let honest = ["z3@latest", "cvc5@latest"];
    honest.iter().for_each(|s| drop(testing::solver(s)));
    for (name, peer) in ["elements-z3", "elements-cvc5"].iter().zip(honest) {
        let dir = folder(name, seed);
        // What is reduced has a function and an array still.
        let lies =
            "grep -q '(f (f a))' \"$1\" && grep -q 'select m' \"$1\" && echo unsat || echo unknown";
        let liar = shell(&dir, "liar", lies);
        let more = "--findings 1 --time 100s --out out --strategy opfuzz --seed 5";
        smelt(&dir, &campaign(&[&liar, peer], more), 10);
        let (path, f) = findings(&dir).remove(0);
        assert_eq!(
            (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
            (&"refutation-soundness".into(), &"proven".into())
        );
        let witness = fs::read_to_string(path.join("witness.smt2")).unwrap();
        assert!(witness.contains("(declare-fun smelt!e0 () S)"), "{witness}");
        honest.iter().for_each(|solver| check_witness(&dir, &path, solver));
    }
}

#[test]
fn a_crash_is_found_without_a_peer() {
    let dir = folder("crash", SEED);
    let crasher = shell(&dir, "crasher", CRASHES);
    let args = campaign(&[&crasher], "--findings 1 --tests 300 --out out --seed 1 --json");
    let end = summary(&smelt(&dir, &args, 10));
    assert_eq!(end["kind"], "end");
    assert_eq!(end["new_findings"][0]["class"], "crash");
    assert!(end["new_findings"][0]["evidence"].as_str().unwrap().contains("SIGSEGV"));
    assert_eq!(findings(&dir).len(), 1);
}

/// One that dies whenever its input ends, behind right answers.
#[test]
fn a_solver_that_dies_at_every_end() {
    let dir = folder("dies-at-end", SEED);
    let dies = "answer = lambda s: 'unknown'\nat_end = lambda: os.kill(os.getpid(), 11)\n";
    let solver = scripted(&dir, "z3", dies);
    let args = campaign(
        &[&solver],
        "--findings 1 --tests 100 --out out --seed 1 --options none --strategy opfuzz --json",
    );
    let end = summary(&smelt(&dir, &args, 10));
    assert_eq!(end["new_findings"][0]["class"], "crash", "{end}");
    assert!(end["new_findings"][0]["evidence"].as_str().unwrap().contains("SIGSEGV"), "{end}");
}

/// One that keeps its answers back until its input ends is tested all the same, and that is said.
#[test]
fn a_solver_that_buffers() {
    let dir = folder("buffers", SEED);
    let solver = filtered(&dir, None, "tac | tac");
    let why = "it keeps its answers back until its input ends: every script is run in a process of its own";
    // `tac` keeps what it reads in a file.
    let more = "--tests 20 --out out --seed 1 --options none --sandbox off";
    let out = smelt(&dir, &campaign(&[&solver], more), 0);
    let said = text(&out);
    assert_eq!(said.matches(why).count(), 1, "{said}");
    assert!(said.contains("20 tests"), "{said}");
    let doctor = text(&smelt(&dir, &["solvers", "doctor", &solver, "--sandbox", "off"], 0));
    assert!(doctor.contains(why) && doctor.contains("no warm mode"), "{doctor}");
}

/// Wrong only in a process that has answered before: the transcript of the session shows it.
#[test]
fn a_liar_that_waits() {
    let dir = folder("patient-liar", SMALL);
    let lies = "def answer(script):\n    return 'unsat' if checks > 2 else 'unknown'\n";
    let liar = scripted(&dir, "z3", lies);
    let honest = shell(&dir, "honest", "echo sat");
    let args = campaign(
        &[&liar, &honest],
        "--tests 60 --out out --strategy opfuzz --seed 1 --options none",
    );
    smelt(&dir, &args, 10);
    let all = findings(&dir);
    let session = all.iter().find(|(_, f)| f["reproducer"]["session"] == true);
    let (path, f) = session.unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"refutation-soundness".into(), &"proven".into())
    );
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    let transcript = fs::read_to_string(path.join("bug.smt2")).unwrap();
    assert!(transcript.matches("(check-sat").count() > 2, "{transcript}");
    replay(&dir, path, &[], 10, "still holds: unsat");
}

/// The newest z3, which complains about its models where it checks them: instead of what it says, or behind it.
fn wolf(dir: &Path, said: &str) -> String {
    let complaint = r#"(error "line 9 column 10: an invalid model was generated")"#;
    let filter = format!("sed -u 's/^sat$/{said}{complaint}/'");
    filtered(dir, Some("model_validate=true"), &filter)
}

/// A model checker, switched on by an option that a campaign varies, complains in the place of an answer. The models that come
/// without it are true: nobody is accused of a bad one.
#[test]
fn a_checker_that_cries_wolf() {
    let dir = folder("wolf", SEED);
    let wolf = wolf(&dir, "");
    let args = campaign(&[&wolf], "--tests 400 --out out --strategy opfuzz --seed 1 --json");
    let end = summary(&smelt(&dir, &args, 10));
    let all = findings(&dir);
    let alarm = |f: &serde_json::Value| {
        f["verdicts"][0]["class"] == "false-alarm" && f["verdicts"][0]["grade"] == "strong"
    };
    assert!(all.iter().all(|(_, f)| alarm(f)), "{all:#?}");
    assert_eq!(total(&end, "vanished"), 0, "{end:#}");
}

/// Who complains about a true model is shown that very model.
#[test]
fn a_false_alarm_with_its_model() {
    let dir = folder("alarm", SEED);
    let wolf = wolf(&dir, r"sat\n");
    let more = "--findings 1 --tests 3000 --out out --strategy opfuzz --seed 1 --options none";
    smelt(&dir, &campaign(&[&wolf], more), 10);
    let (path, f) = findings(&dir).remove(0);
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"false-alarm".into(), &"proven".into())
    );
    check_witness(&dir, &path, "z3@latest");
}

/// Models that are false: the evaluator proves it, and the report says what it found.
#[test]
fn a_solver_that_makes_up_models() {
    // A word of the language as a name: the models of the seed itself are judged, too.
    let dir = folder("made-up", &SEED.replace("x", "push"));
    let poet = filtered(&dir, None, "sed -u 's/^    [0-9]*)$/    77)/'");
    // Resource limits: a seed has time on a busy machine, too.
    let more =
        "--findings 1 --tests 100 --out out --strategy opfuzz --seed 1 --deterministic --limit 60";
    smelt(&dir, &campaign(&[&poet], more), 10);
    let all = findings(&dir);
    let [(path, f)] = &*all else { panic!("{all:?}") };
    let seed = f["origin"]["seed"]["name"].as_str();
    let reduced = f["origin"]["derived"]["from"]["seed"]["name"].as_str();
    assert!(seed.or(reduced).is_some(), "{f:#}");
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"invalid-model".into(), &"proven".into())
    );
    assert!(f["model"].as_str().unwrap().starts_with("FALSE"), "{f:#}");
    let report = fs::read_to_string(path.join("report.md")).unwrap();
    assert!(report.contains("# Invalid model (") && report.contains("is false"), "{report}");
}

/// A solver that does not know what it knew one step of janus before: both scripts are kept.
#[test]
fn an_answer_that_is_lost_on_the_way() {
    let dir = folder("implication", SEED);
    let script = "if grep -q '(distinct x y)' \"$1\"; then echo sat; else echo unknown; fi";
    let lost = shell(&dir, "lost", script);
    let more = "--strategy janus --seed 3 --findings 1 --time 40s --out out";
    // Nobody has asked for it.
    let quiet = campaign(&[&lost], "--strategy janus --seed 3 --tests 60 --out quiet");
    smelt(&dir, &quiet, 0);
    let mut args = campaign(&[&lost], more);
    args.push("--incompleteness");
    let out = smelt(&dir, &args, 10);
    let all = findings(&dir);
    let (path, f) = all.first().unwrap_or_else(|| panic!("{}", text(&out)));
    assert_eq!(f["verdicts"][0]["class"], "implication-incompleteness", "{f}");
    assert_eq!(f["verdicts"][0]["evidence"], "it answers sat to the script before the step");
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert!(read("before.smt2").contains("(distinct x y)"));
    assert!(!read("bug.smt2").contains("(distinct x y)"));
    assert!(read("report.md").contains("before.smt2"));
    replay(&dir, path, &[], 10, "still holds");
    // Who never knows anything has lost nothing.
    let shy = shell(&dir, "shy", "echo unknown");
    let expect = "does not hold: unknown; to the script before the step unknown";
    replay(&dir, path, &["--solver", &shy], 0, expect);
}

/// Cores of which all but the first name is lost: a replay asks about the core, and the repro shows it.
#[test]
fn a_core_that_is_no_core() {
    let seed = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\n\
        (assert (= x 5))(assert (< (+ x y) 3))(assert (< x y))(check-sat)";
    let dir = folder("core", seed);
    let bad = filtered(&dir, None, r"sed -u -E 's/^\((smelt.core.[0-9]+) .*\)$/(\1)/'");
    let more = "--findings 1 --tests 6000 --out out --strategy opfuzz --seed 1 --options none";
    smelt(&dir, &campaign(&[&bad], more), 10);
    let all = findings(&dir);
    let (path, f) = &all[0];
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"invalid-core".into(), &"proven".into())
    );
    let repro = Command::new("sh").arg(path.join("repro.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&repro.stdout);
    assert!(said.starts_with("unsat\n(smelt.core."), "{said}");
    let finding = path.to_str().unwrap();
    let out = text(&smelt(&dir, &["replay", finding], 10));
    assert!(
        out.contains("still holds: unsat, ") && out.contains("has a model of its core"),
        "{out}"
    );
    let expect = "does not hold: unsat, and so is its core";
    replay(&dir, path, &["--solver", "z3@latest"], 0, expect);
}

/// One that cannot give a model, and says one thing with push and pop and another without.
const TWO_FACED: &str = r#"
def answer(script):
    return "unsat" if "(push" in script else "sat"
def model(script):
    return '(error "no model")'
"#;

/// What a solver says with push and pop and without exclude each other, and nobody knows which is wrong: that is what is said.
#[test]
fn a_solver_that_contradicts_itself() {
    let seed = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\n\
        (push 1)(assert (< x y))(assert (> x y))(check-sat)(pop 1)\n";
    let dir = folder("contradiction", seed);
    let two = scripted(&dir, "z3", TWO_FACED);
    let alone = |args: &[&str], code: i32| text(&alone(&dir, args, code));
    let more = "--tests 30 --out out --strategy opfuzz --seed 1 --options none";
    alone(&campaign(&[&two], more), 10);
    let all = findings(&dir);
    assert!(!all.is_empty());
    for (path, f) in &all {
        assert_eq!(
            (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
            (&"self-contradiction".into(), &"strong".into())
        );
        assert!(f["verdicts"][0]["evidence"].as_str().unwrap().contains("is not settled"), "{f:#}");
        assert_eq!(f["rate"], serde_json::json!([3, 3]));
        let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
        assert!(read("bug.smt2").contains("(push 1)") && !read("flat.smt2").contains("(push 1)"));
        assert!(read("report.md").contains("flat.smt2"));
    }
    let finding = all[0].0.to_str().unwrap();
    let said = alone(&["replay", finding], 10);
    assert!(said.contains("still holds: unsat; the check alone sat"), "{said}");
    let one = shell(&dir, "one", "echo unsat");
    let said = alone(&["replay", finding, "--solver", &one], 0);
    assert!(said.contains("does not hold: unsat; the check alone unsat"), "{said}");
}

/// Scopes that declare the same names: each check alone has the declarations of its own scope, and no others.
#[test]
fn scopes_with_the_same_names() {
    let scope = "(push 1)(declare-const x Int)(assert (< x 5))(assert (> x 5))(check-sat)(pop 1)\n";
    let dir = folder("scopes", &format!("(set-logic QF_LIA){scope}{scope}"));
    let twice = "\nplain = answer\ndef answer(script):\n    \
        twice = script.count('(declare-fun x ') > 1 and '(push' not in script\n    \
        return '(error \"x is declared twice\")' if twice else plain(script)\n";
    let two = scripted(&dir, "z3", &format!("{TWO_FACED}{twice}"));
    let more = "--tests 30 --out out --strategy opfuzz --seed 1 --options none";
    alone(&dir, &campaign(&[&two], more), 10);
    let all = findings(&dir);
    let (path, _) = all.iter().find(|(_, f)| f["reproducer"]["check"] == 1).unwrap();
    let report = fs::read_to_string(path.join("report.md")).unwrap();
    assert!(report.contains(" (it is about check 2 of 2) prints"), "{report}");
    assert!(report.contains(", default options."), "{report}");
}

/// Where it can be shown which of the two answers is wrong, that one is the finding.
#[test]
fn the_wrong_one_of_two_answers() {
    let seed = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\n\
        (push 1)(assert (and p q))(assert (not p))(check-sat)(pop 1)\n";
    let dir = folder("which", seed);
    let two = scripted(&dir, "z3", TWO_FACED);
    let more = "--tests 60 --out out --strategy opfuzz --seed 1 --options none --json";
    let end = summary(&smelt(&dir, &campaign(&[&two], more), 10));
    assert_eq!(total(&end, "vanished"), 0, "{end:#}");
    let all = findings(&dir);
    let find = |class: &str| all.iter().find(|(_, f)| f["verdicts"][0]["class"] == class).unwrap();
    let (path, f) = find("solution-soundness");
    assert_eq!(f["verdicts"][0]["grade"], "proven", "{f:#}");
    assert!(f["verdicts"][0]["evidence"].as_str().unwrap().contains("tried every value"), "{f:#}");
    assert!(!fs::read_to_string(path.join("bug.smt2")).unwrap().contains("push"));
    let (path, f) = find("refutation-soundness");
    assert_eq!(f["verdicts"][0]["grade"], "proven", "{f:#}");
    assert!(f["verdicts"][0]["evidence"].as_str().unwrap().contains("found a model"), "{f:#}");
    assert!(fs::read_to_string(path.join("bug.smt2")).unwrap().contains("push"));
    // The model that was found is beside it.
    let witness = fs::read_to_string(path.join("witness.smt2")).unwrap();
    assert!(witness.contains("(assert (= p "), "{witness}");
    assert!(all.iter().all(|(_, f)| f["verdicts"][0]["class"] != "self-contradiction"));
}

/// Solvers may differ in what the standard leaves open, also where models are off and nobody can look at one.
#[test]
fn partial_functions_without_models() {
    let filler = "(assert (or p q))(assert (and q p))".repeat(6);
    let seed = format!(
        "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const p Bool)\n\
        (declare-const q Bool)(assert (= y 0))(assert (= (div x y) 3)){filler}(check-sat)\n"
    );
    let dir = folder("partial", &seed);
    let answers = |yes: &str| {
        format!(
            r#"
def answer(script):
    open = "(= y 0)" in script and "(div x y) 3)" in script
    return "{yes}" if open and not any(w in script for w in ("distinct", "xor", "not")) else "unknown"
def model(script):
    return "((define-fun x () Int 4)(define-fun y () Int 0)(define-fun p () Bool true)(define-fun q () Bool true))"
"#
        )
    };
    let all = ["z3", "cvc5", "yices-smt2"];
    let said = ["sat", "unsat", "unsat"];
    let solvers: Vec<String> =
        all.iter().zip(said).map(|(name, yes)| scripted(&dir, name, &answers(yes))).collect();
    let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
    let more = "--tests 1500 --out out --strategy opfuzz --seed 1 --options none --json";
    let end = summary(&alone(&dir, &campaign(&solvers, more), 0));
    assert!(total(&end, "unsettled") > 0, "{end:#}");
}

/// A wrong answer and a crash behind it are two findings.
#[test]
fn a_liar_that_crashes_at_exit() {
    let lies = r#"
import signal
def answer(script):
    return "unsat"
def at_exit():
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGSEGV)
"#;
    let more = "--findings 2 --tests 300 --options none";
    let (dir, all) = found("exit", ("cvc5", lies), &["z3@latest"], more);
    let find = |class: &str| all.iter().find(|(_, f)| f["verdicts"][0]["class"] == class).unwrap();
    let (path, f) = find("refutation-soundness");
    assert_eq!(
        (&f["verdicts"][0]["grade"], &f["answer"]),
        (&"proven".into(), &"unsat, then SIGSEGV".into())
    );
    replay(&dir, path, &[], 10, "still holds: unsat");
    let (path, f) = find("crash");
    assert!(f["verdicts"][0]["evidence"].as_str().unwrap().starts_with("SIGSEGV"), "{f:#}");
    replay(&dir, path, &[], 10, "still holds: SIGSEGV");
}

/// A complaint about models does not excuse `unsat` where there is a model.
#[test]
fn a_liar_that_complains() {
    let z3 = testing::solver("z3@latest");
    let program = z3.program().display();
    let lies = format!(
        r#"
if not has("model_validate=true"):
    os.execv("{program}", ["z3"] + sys.argv[1:])
def answer(script):
    return 'unsat\n(error "line 9 column 10: an invalid model was generated")'
"#
    );
    let more = "--findings 1 --tests 3000 --options none";
    let (_, all) = found("complains", ("z3", &lies), &["z3@latest"], more);
    let f = &all[0].1;
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"refutation-soundness".into(), &"proven".into())
    );
    assert_eq!(f["reproducer"]["mode"]["self_check"], true, "{f:#}");
}

/// A proof that the solver's own checker refuses is called that, and shown with the option that checks it.
#[test]
fn a_proof_that_is_refused() {
    let dir = folder("proof", SEED);
    let refused = r#"
def answer(script):
    if has("--check-proofs") and "assert" in script:
        print("Fatal failure within F at /b/src/proof/proof_checker.cpp:106", file=sys.stderr)
        print("Unreachable code reached ProofChecker::check: failed, ", file=sys.stderr, flush=True)
        os.abort()
    return "unknown"
"#;
    let refused = scripted(&dir, "cvc5", refused);
    let more = "--findings 1 --tests 3000 --out out --strategy opfuzz --seed 1 --options none";
    alone(&dir, &campaign(&[&refused], more), 10);
    let (path, f) = findings(&dir).remove(0);
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"invalid-proof".into(), &"strong".into())
    );
    assert_eq!(f["reproducer"]["mode"]["options"], serde_json::json!(["--check-proofs"]));
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    assert!(
        f["verdicts"][0]["evidence"].as_str().unwrap().contains("ProofChecker::check: failed"),
        "{f:#}"
    );
    let said = text(&alone(&dir, &["replay", path.to_str().unwrap()], 10));
    assert!(said.contains("still holds"), "{said}");
    let other = scripted(&dir.join("other"), "cvc5", "def answer(script):\n    return 'unsat'\n");
    alone(&dir, &["replay", path.to_str().unwrap(), "--solver", &other], 0);
}

/// A checker that ends the process keeps the model back. Where no run shows one it is believed, also of a script with a division;
/// a true one tells that it is mistaken. Of a model that rests on what a division by zero is nobody knows whether the complaint is right:
/// the end of the process is the fault then, with its place.
#[test]
fn a_checker_that_ends_the_process() {
    let seed = "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)\n\
        (assert (< (div x y) 3))(assert (or (> x 3) (= y 7)))(check-sat)\n";
    let dir = folder("aborts", seed);
    let run = |otherwise: &str, y: u32, code: i32| {
        let aborts = format!(
            r#"
def answer(script):
    open = any(f"({{op}} (div x y) 3)" in script for op in ("<", "<=", "distinct")) and "(or (> x 3) (= y 7))" in script
    if has("--check-models") and open:
        print("Fatal failure within F at /b/src/smt/check_models.cpp:120", file=sys.stderr)
        print("Internal error detected SolverEngine::checkModel(): ERRORS SATISFYING", file=sys.stderr, flush=True)
        os.abort()
    return "{otherwise}" if open else "unknown"
def model(script):
    return "((define-fun x () Int 5)(define-fun y () Int {y}))"
def core(script):
    return "()"
"#
        );
        let solver = scripted(&dir, "cvc5", &aborts);
        let _ = fs::remove_dir_all(dir.join("out"));
        let more = "--findings 1 --tests 3000 --out out --strategy opfuzz --seed 1 --options none";
        alone(&dir, &campaign(&[&solver], more), code);
        findings(&dir)
    };
    let replay = |path: &Path, more: &[&str], code| {
        text(&alone(&dir, &[&["replay", path.to_str().unwrap()], more].concat(), code))
    };
    let (path, f) = run("unknown", 0, 10).remove(0);
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"invalid-model".into(), &"strong".into())
    );
    assert_eq!(
        (&f["reproducer"]["mode"]["self_check"], &f["rate"]),
        (&true.into(), &serde_json::json!([3, 3]))
    );
    // A complaint about something else is another matter.
    let other = r#"
def answer(script):
    if "assert" not in script:
        return "sat"
    print("Fatal failure within F at /b/src/proof/proof_checker.cpp:106", file=sys.stderr)
    print("Unreachable code reached ProofChecker::check: failed, ", file=sys.stderr, flush=True)
    os.abort()
"#;
    let other = scripted(&dir.join("other"), "cvc5", other);
    assert!(replay(&path, &[], 10).contains("still holds"));
    assert!(!replay(&path, &["--solver", &other], 3).contains("holds"));
    let (path, f) = run("sat", 0, 10).remove(0);
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"crash".into(), &"proven".into()),
        "{f:#}"
    );
    assert!(f["signature"].as_str().unwrap().contains("check_models.cpp:120"), "{f:#}");
    assert_eq!(f["reproducer"]["mode"]["self_check"], true);
    assert!(replay(&path, &[], 10).contains("still holds"));
    let honest = scripted(&dir.join("honest"), "cvc5", "def answer(script):\n    return 'sat'\n");
    assert!(replay(&path, &["--solver", &honest], 0).contains("does not hold"));
    let (path, f) = run("sat", 7, 10).remove(0);
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"false-alarm".into(), &"strong".into()),
        "{f:#}"
    );
    assert!(replay(&path, &[], 10).contains("still holds"));
}

/// A crash behind the last answer is one, also if a checker has complained about an earlier check.
#[test]
fn a_crash_behind_a_complaint() {
    let seed = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\n\
        (push 1)(assert (or p q))(check-sat)(pop 1)(assert (=> p q))(check-sat)\n";
    let dir = folder("both", seed);
    let both = r#"
def answer(script):
    complaint = '\n(error "line 3 column 9: an invalid model was generated")'
    return "sat" + (complaint if script.count("(check-sat") == 1 else "")
def at_exit():
    if "push" in script:
        sys.stdout.flush()
        os.kill(os.getpid(), 11)
"#;
    let both = scripted(&dir, "z3", both);
    let more = "--tests 30 --out out --strategy opfuzz --seed 1 --options none";
    alone(&dir, &campaign(&[&both], more), 10);
    let all = findings(&dir);
    assert!(all.iter().any(|(_, f)| f["verdicts"][0]["class"] == "crash"), "{all:#?}");
}
