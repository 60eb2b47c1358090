//! From a candidate to a finding: what is repeated, how often, and with which options.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::run::{
    SEED, SMALL, alone, campaign, findings, folder, found, replay, smelt, summary, total,
};
use crate::scripted::{scripted, shell};

/// A crash that needs an option, where another one happens without: both are found.
#[test]
fn two_crashes_in_one_place() {
    let crashes = r#"
def answer(script):
    if "distinct x y" in script:
        violate(*(("b.cpp", 22) if has("auto_config=false") else ("a.cpp", 11)))
    return "unknown"
"#;
    let (_, all) = found("two-crashes", ("z3", crashes), &[], "--findings 2 --tests 3000");
    let all: Vec<(&str, &Json)> = all
        .iter()
        .map(|(_, f)| (f["signature"].as_str().unwrap(), &f["reproducer"]["mode"]["options"]))
        .collect();
    let find = |place: &str| all.iter().find(|(s, _)| s.contains(place)).map(|(_, o)| *o);
    assert_eq!(find("a.cpp:11"), Some(&serde_json::json!([])), "{all:?}");
    assert_eq!(find("b.cpp:22"), Some(&serde_json::json!(["auto_config=false"])), "{all:?}");
}

/// A solver that decides by the number of scripts with a `distinct` that it has been given so far, `$n`, and the file where it
/// keeps that number.
fn counting(dir: &Path, first: &str, then: &str) -> (String, PathBuf) {
    let count = dir.join("count");
    let file = count.display();
    let script = format!(
        "grep -q distinct \"$1\" || {{ echo unknown; exit; }}\n{first}\n\
        n=$(( $(cat {file} 2>/dev/null || echo 0) + 1 )); echo $n > {file}\n{then}\necho unknown"
    );
    (shell(dir, "crasher", &script), count)
}

/// Crashes that no fresh process repeats do not hide for ever a crash that does: on the same seed, of the same signal.
#[test]
fn a_crash_behind_others_that_vanish() {
    let dir = folder("behind", SEED);
    let (crasher, _) =
        counting(&dir, "", "[ $n -gt 60 ] || [ $(( n % 11 )) = 0 ] && kill -SEGV $$");
    let args = campaign(
        &[&crasher],
        "--findings 1 --tests 400 --out out --strategy opfuzz --seed 1 --json --sandbox off",
    );
    let end = summary(&smelt(&dir, &args, 10));
    assert!(total(&end, "vanished") > 2 && total(&end, "not-looked-at") > 0, "{end:#}");
    assert_eq!(findings(&dir).len(), 1);
}

/// A process that stops in the middle of a transcript has said nothing about the script at its end.
#[test]
fn a_transcript_that_breaks_off() {
    let seed = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\n\
        (push 1)(assert (or p q))(check-sat)(pop 1)\n\
        (push 1)(assert (and p q))(assert (xor p p))(check-sat)(pop 1)\n";
    let dir = folder("breaks-off", seed);
    // In a session the first check goes wrong sometime; the second one is `unsat`, with which fresh processes end.
    let breaks = r#"
last = ""
def answer(script):
    global last
    if not warm and checks > 4 and last == "unsat":
        sys.stdout.flush()
        os._exit(0)
    first = script.count("(check-sat") == 1
    if "(push" not in script:
        last = "sat" if "(or p q)" in script else "unknown"
    else:
        last = "unsat" if not first or warm and checks > 8 else "unknown"
    return last
def model(script):
    return '(error "no model")'
"#;
    let liar = scripted(&dir, "z3", breaks);
    let more = "--tests 60 --out out --strategy opfuzz --seed 1 --options none --json";
    let end = summary(&smelt(&dir, &campaign(&[&liar], more), 10));
    assert!(total(&end, "unsettled") > 0, "{end:#}");
    // What is wrong with the second check is seen in any process.
    assert!(
        findings(&dir)
            .iter()
            .all(|(_, f)| f["reproducer"]["session"] == false && f["reproducer"]["check"] == 1)
    );
}

/// The command of a report has what smelt gives to every run only if the fault needs it.
#[test]
fn only_arguments_that_are_needed() {
    let more = "--findings 1 --tests 5000 --options none";
    for (name, lies, bare, command) in [
        ("bare", "True", true, "`cvc5 bug.smt2`"),
        ("usual", "has('--strings-exp')", false, "`cvc5 --strings-exp --no-incremental bug.smt2`"),
    ] {
        let lies = format!("\ndef answer(script):\n    return 'unsat' if {lies} else 'unknown'\n");
        let (_, all) = found(name, ("cvc5", &lies), &["z3@latest"], more);
        let (path, f) = &all[0];
        assert_eq!(f["reproducer"]["mode"]["bare"].as_bool().unwrap_or(false), bare, "{f:#}");
        let report = fs::read_to_string(path.join("report.md")).unwrap();
        assert!(report.contains(command), "{report}");
    }
}

/// Wrong only where models are off: the finding says so, and holds when it is run again.
#[test]
fn a_liar_without_models() {
    let lies = r#"
def answer(script):
    return "unknown" if has("--produce-models") else "unsat"
"#;
    let more = "--findings 1 --tests 5000 --options none";
    let (dir, all) = found("no-models", ("cvc5", lies), &["z3@latest"], more);
    let (path, f) = &all[0];
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["reproducer"]["mode"]["models"]),
        (&"refutation-soundness".into(), &false.into())
    );
    assert!(fs::read_to_string(path.join("report.md")).unwrap().contains("with models off"));
    replay(&dir, path, &[], 10, "still holds: unsat");
}

/// What a mode brings in beside the option that it takes is left out: here unsat cores, without which sessions do not crash.
#[test]
fn only_what_is_needed() {
    let crashes = r#"
def answer(script):
    options = [a for a in sys.argv[1:] if "=" in a and "unsat_core" not in a]
    if options and (has("unsat_core") or not has("-in")):
        violate("a.cpp", 11)
    return "unknown"
"#;
    let (_, all) = found("needed", ("z3", crashes), &[], "--findings 1 --tests 20000");
    let (path, f) = &all[0];
    assert_eq!(f["reproducer"]["mode"]["cores"], false, "{f:#}");
    assert_eq!(f["reproducer"]["mode"]["options"].as_array().unwrap().len(), 1, "{f:#}");
    let command = fs::read_to_string(path.join("repro.sh")).unwrap();
    assert!(!command.contains("unsat_core"), "{command}");
}

/// The rate is that of the script that is shown: a smaller one on which the crash is rare is not.
#[test]
fn a_rate_of_its_own() {
    let dir = folder("rate", SEED);
    // The smallest script crashes twice and never again.
    let (crasher, count) = counting(
        &dir,
        "[ $(grep -c assert \"$1\") -gt 1 ] && kill -SEGV $$",
        "[ $n -le 2 ] && kill -SEGV $$",
    );
    smelt(
        &dir,
        &campaign(
            &[&crasher],
            "--findings 1 --tests 400 --out out --seed 1 --strategy opfuzz --sandbox off",
        ),
        10,
    );
    let all = findings(&dir);
    let (path, f) = &all[0];
    let bug = fs::read_to_string(path.join("bug.smt2")).unwrap();
    assert!(bug.matches("assert").count() > 1, "{bug}");
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    let tried: u32 = fs::read_to_string(count).unwrap().trim().parse().unwrap();
    assert!(tried > 2, "{tried}");
}

/// Two checks on names that nothing but this seed has.
const TWICE: &str = "(set-logic QF_UF)(declare-const odd_p Bool)(declare-const odd_q Bool)\n\
    (push 1)(assert (or odd_p odd_q))(check-sat)(pop 1)\n\
    (push 1)(assert (=> odd_p odd_q))(check-sat)(pop 1)\n";

/// It says `answer`, as Python; in fresh processes it dies at the first check of a script that is not quite that seed, with scopes
/// or without.
fn dies_when_fresh(scopes: bool, answer: &str) -> String {
    let when = if scopes { "scoped" } else { "not scoped" };
    format!(
        "def answer(script):\n    odd = 'odd_' in script and '(or ' not in script\n    \
         n, scoped = script.count('(check-sat'), '(push' in script\n    \
         if odd and {when} and not warm:\n        os.kill(os.getpid(), 11)\n    return {answer}\n\
         def model(script):\n    return '(error \"no model\")'\n"
    )
}

/// A campaign after which somebody has crashed three times of three, on this check.
fn crashed(dir: &Path, solvers: &[&str], who: &str, check: u64) {
    let more = "--tests 20 --out out --strategy opfuzz --seed 1 --options none";
    alone(dir, &campaign(solvers, more), 10);
    let all = findings(dir);
    let crash = all.iter().find(|(_, f)| f["verdicts"][0]["class"] == "crash");
    let Some((path, f)) = crash else { panic!("{all:#?}") };
    assert_eq!(
        (&f["accused"]["profile"], &f["reproducer"]["check"]),
        (&who.into(), &(check - 1).into()),
        "{f:#}"
    );
    assert_eq!(f["rate"], serde_json::json!([3, 3]));
    alone(dir, &["replay", path.to_str().unwrap()], 10);
}

/// Who is wrong in a session and dies in a fresh process before it comes so far has crashed.
#[test]
fn a_crash_on_an_earlier_check() {
    let dir = folder("earlier", TWICE);
    let answer = "'unknown' if not odd or n == 1 and scoped else 'unsat' if scoped else 'sat'";
    crashed(&dir, &[&scripted(&dir, "z3", &dies_when_fresh(true, answer))], "z3", 1);
}

/// A peer that is asked to confirm something, and crashes, is accused of that.
#[test]
fn a_peer_that_crashes() {
    let dir = folder("peer", TWICE);
    let liar = "def answer(script):\n    return 'unsat' if '(push' in script else 'sat'\n\
        def model(script):\n    return '(error \"no model\")'\n";
    let liar = scripted(&dir, "yices-smt2", liar);
    let peer = scripted(&dir, "z3", &dies_when_fresh(true, "'unknown'"));
    crashed(&dir, &[&liar, &peer], "z3", 1);
    assert!(
        findings(&dir).iter().any(|(_, f)| f["verdicts"][0]["class"] == "refutation-soundness")
    );
}

/// Who contradicts itself in sessions and dies in a fresh process on the check alone has crashed there.
#[test]
fn a_crash_on_the_check_alone() {
    let dir = folder("flat", TWICE);
    let answer = "'unknown' if not odd else 'unsat' if scoped else 'sat'";
    crashed(&dir, &[&scripted(&dir, "z3", &dies_when_fresh(false, answer))], "z3", 1);
}

/// A script that was refused, or complained about, in a session says nothing about the scripts behind the next reset.
#[test]
fn an_error_before_a_reset() {
    let liar = r#"
def answer(script):
    error = '(error "line 1 column 2: unknown constant foo")\n' if checks == 3 else ""
    return error + ("unsat" if checks > 6 else "unknown")
"#;
    let more = "--findings 1 --tests 100 --options none";
    let (_, all) = found("refused", ("z3", liar), &["cvc5@latest"], more);
    let (_, f) = &all[0];
    assert_eq!(
        (&f["verdicts"][0]["class"], &f["verdicts"][0]["grade"]),
        (&"refutation-soundness".into(), &"proven".into())
    );
    assert_eq!(
        (&f["reproducer"]["session"], &f["rate"]),
        (&true.into(), &serde_json::json!([3, 3]))
    );
    // It dies in sessions only, behind a complaint.
    let dir = folder("complained", SMALL);
    let dies = r#"
def answer(script):
    if warm and checks == 9:
        os.kill(os.getpid(), 11)
    complaint = '\n(error "line 9 column 10: an invalid model was generated")'
    return "unknown" + (complaint if checks == 3 else "")
"#;
    let dies = scripted(&dir, "z3", dies);
    let more = "--tests 40 --out out --strategy opfuzz --seed 1 --options none --json";
    let end = summary(&alone(&dir, &campaign(&[&dies], more), 0));
    assert!(total(&end, "vanished") > 0, "{end:#}");
}
