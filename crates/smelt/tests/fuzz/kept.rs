//! Nothing real gets lost: what seeds set and name, what old releases have mended, options of one solver and another one.

use std::fs;

use serde_json::json;

use crate::run::{SEED, alone, campaign, findings, folder, smelt, summary, text};
use crate::scripted::{scripted, shell};

/// A seed as verifiers write them: it sets options, names its assertions, and has two checks.
const OF_OWNER: &str = "(set-option :smt.mbqi false)(set-option :trace true)(set-option :produce-models true)\n\
    (set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\n\
    (assert (! (< x (+ y 1)) :named first))(assert (! (or (> x 3) (= y 7)) :named second))\n\
    (push 1)(assert (distinct x y))(check-sat)(pop 1)(check-sat)\n";

/// A crash that needs the seed's option and its names is found, and the report says so; what no solver gets is counted by name.
#[test]
fn what_a_seed_sets_and_names() {
    let dir = folder("owner", OF_OWNER);
    let picky = r#"
def answer(script):
    if has("smt.mbqi=false") and ":named second" in script and script.count("(check-sat") == 2:
        violate("mbqi.cpp", 7)
    return "unknown"
"#;
    let picky = scripted(&dir, "z3", picky);
    let more = "--findings 1 --tests 60 --out out --strategy opfuzz --seed 1 --options none --json";
    let end = summary(&alone(&dir, &campaign(&[&picky], more), 10));
    assert_eq!(end["counts"]["seed-option-kept"], json!({ ":smt.mbqi": 1 }), "{end:#}");
    assert_eq!(end["counts"]["seed-option-dropped"], json!({ ":trace": 1 }), "{end:#}");
    let (path, f) = findings(&dir).remove(0);
    assert_eq!(f["verdicts"][0]["class"], "crash");
    assert_eq!(f["reproducer"]["mode"]["options"], json!(["smt.mbqi=false"]));
    assert!(fs::read_to_string(path.join("bug.smt2")).unwrap().contains(":named second"));
    let said = text(&alone(&dir, &["replay", path.to_str().unwrap()], 10));
    assert!(
        said.contains("the recipe gives the same mutant") && said.contains("still holds"),
        "{said}"
    );
    // Another family is not given the options of this one; and a campaign is as good as its findings.
    let other = scripted(&dir.join("other"), "cvc5", "def answer(script):\n    return 'sat'\n");
    for what in ["out", "out/findings", path.to_str().unwrap()] {
        let said = text(&alone(&dir, &["replay", what, "--solver", &other], 0));
        assert!(said.contains("without smt.mbqi=false, which are the accused's"), "{said}");
    }
    // Who is no build of the accused has no word on whether its bug is gone.
    let yes = "def answer(script):\n    return 'sat'\n";
    let mended = scripted(&dir.join("mended"), "z3", yes);
    let unknown = shell(&dir, "unknown", "echo sat");
    for (solver, code, expect) in [
        (&mended, 0, "1 gone, 0 remain, 0 new, 0 open"),
        (&picky, 10, "0 gone, 1 remain, 0 new, 0 open"),
        (&other, 3, "open: it is a bug of z3, and cvc5 is cvc5"),
        (
            &unknown,
            3,
            "open: it is a bug of z3, and unknown is not known to be a build of that; z3=PATH would say so",
        ),
    ] {
        let said = text(&alone(&dir, &["recheck", "out", "--solver", solver], code));
        assert!(said.contains(expect), "{solver}: {said}");
    }
    // Without them it is not found.
    let more = "--tests 60 --out dropped --strategy opfuzz --seed 1 --options none --json --seed-options drop";
    let end = summary(&alone(&dir, &campaign(&[&picky], more), 0));
    let dropped = json!({ ":smt.mbqi": 1, ":trace": 1 });
    assert_eq!(end["counts"]["seed-option-dropped"], dropped, "{end:#}");
}

/// What stays unsettled says who said it, with which options and by which command.
#[test]
fn an_unsettled_script_can_be_run_again() {
    let dir = folder("unsettled", SEED);
    let yes = scripted(&dir.join("a"), "z3", "def answer(script):\n    return 'sat'\n");
    let no = scripted(
        &dir.join("b"),
        "cvc5",
        "def answer(script):\n    return 'unsat' if 'assert' in script else 'sat'\n",
    );
    let more = "--tests 40 --out out --strategy opfuzz --seed 1 --options none";
    alone(&dir, &campaign(&[&yes, &no], more), 0);
    let mut notes = fs::read_dir(dir.join("out/unsettled")).unwrap();
    let note = fs::read_to_string(notes.next().unwrap().unwrap().path()).unwrap();
    for line in ["; check 1; ", "; command: ", "; again: smelt check FILE --solver '"] {
        assert!(note.contains(line), "no `{line}` in\n{note}");
    }
}

/// Operators that must not be brought in are not, and those of the standard alone are.
#[test]
fn operators_that_are_let_in() {
    let dir = folder("without", SEED);
    let shy = scripted(&dir, "z3", "def answer(script):\n    return 'unknown'\n");
    let more =
        "--tests 150 --out out --strategy opfuzz,typefuzz --seed 1 --options none --log log.tsv";
    let without = "--without <= --without distinct --dialects standard";
    smelt(&dir, &campaign(&[&shy], &format!("{more} {without}")), 0);
    let said = text(&smelt(&dir, &["fuzz", "seeds", "--without", "nothing", "--out", "no"], 2));
    assert!(said.contains("unknown operator `nothing`"), "{said}");
}
