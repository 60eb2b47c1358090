//! `smelt replay`: what still holds, what does not, and what is open.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::run::{SEED, SMALL, campaign, findings, folder, pipe, replay, smelt, text};
use crate::scripted::{CRASHES, shell};

/// Answers the trivial script that each solver is given first.
const ALIVE: &str = "grep -q assert \"$1\" || { echo sat; exit; };";

/// A campaign that finds a crash: the solver, and what is said.
fn crash(dir: &Path) -> (String, String) {
    let crasher = shell(dir, "crasher", CRASHES);
    let more = "--findings 1 --tests 300 --out out --strategy opfuzz --seed 1";
    let said = text(&smelt(dir, &campaign(&[&crasher], more), 10));
    (crasher, said)
}

/// Who is stopped by a limit has not shown that a finding does not hold.
#[test]
fn a_replay_that_is_not_decided() {
    let dir = folder("undecided", SEED);
    let (crasher, _) = crash(&dir);
    let all = findings(&dir);
    let finding = all[0].0.to_str().unwrap();
    let busy = shell(&dir, "busy", &format!("{ALIVE} while :; do :; done"));
    let out = text(&smelt(&dir, &["replay", finding, "--limit", "1", "--solver", &busy], 3));
    assert!(out.contains("open: nothing learnt (timeout"), "{out}");
    let both = ["replay", finding, "--limit", "1", "--solver", &busy, "--solver", &crasher];
    let out = text(&smelt(&dir, &both, 10));
    assert!(out.contains("learnt (timeout") && out.contains("still holds: SIGSEGV"), "{out}");
    for limit in ["0", "18446744073709551615"] {
        let out = text(&smelt(&dir, &["replay", finding, "--limit", limit], 2));
        assert!(out.contains("invalid value"), "{out}");
    }
}

/// A solver that does not come as far as the question has not answered it.
#[test]
fn a_replay_that_learns_nothing() {
    let dir = folder("nothing", SMALL);
    let liar = shell(&dir, "liar", &format!("{ALIVE} echo unsat"));
    let honest = shell(&dir, "honest", "echo sat");
    smelt(
        &dir,
        &campaign(
            &[&liar, &honest],
            "--findings 1 --tests 300 --out out --strategy opfuzz --seed 1",
        ),
        10,
    );
    let (path, mut f) = findings(&dir).remove(0);
    assert_eq!(f["verdicts"][0]["class"], "refutation-soundness");
    let mode = fs::metadata(path.join("repro.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    let finding = path.to_str().unwrap();
    let check = |name: &str, script: &str, code: i32, expect: &str| {
        let solver = shell(&dir, name, &format!("{ALIVE} {script}"));
        replay(&dir, &path, &["--solver", &solver], code, expect);
    };
    check("refuses", "echo '(error \"line 1: no such thing\")'", 3, "open: nothing learnt (");
    check("gives-up", "echo unknown", 3, "open: nothing learnt (unknown)");
    check("babbles", "echo perhaps", 3, "open: nothing learnt (");
    check("is-silent", "", 3, "open: nothing learnt (");
    check("exits", "exit 7", 3, "open: nothing learnt (");
    check("dies", "kill -SEGV $$", 3, "open: nothing learnt (");
    check("honest", "echo sat", 0, "does not hold: sat");
    check("liar", "echo unsat", 10, "still holds: unsat");
    // One that does not answer at all is an error of use.
    let mute = ["--solver", &shell(&dir, "mute", "exit 3")];
    replay(&dir, &path, &mute, 2, "mute cannot be run: ");
    // No verdict on a release that means something else.
    let version = "case \"$1\" in *version) echo Z3 version 4.8.0; exit;; esac; for f; do :; done;";
    let old = shell(&dir, "z3", &format!("{version} echo unsat"));
    let kept = fs::read_to_string(path.join("bug.smt2")).unwrap();
    replay(&dir, &path, &["--solver", &old], 10, "still holds: unsat");
    let caveat = "(assert (= \"b\" (str.replace \"a\" \"a\" \"b\")))\n(check-sat)";
    fs::write(path.join("bug.smt2"), kept.replace("(check-sat)", caveat)).unwrap();
    replay(&dir, &path, &["--solver", &old], 3, "open: nothing learnt (no verdict: an empty");
    fs::write(path.join("bug.smt2"), kept).unwrap();
    // One that holds counts, and one that does not is no answer for one that is open.
    let gives_up = shell(&dir, "gives-up", "echo unknown");
    let all = ["replay", finding, "--solver", &gives_up, "--solver", &honest];
    smelt(&dir, &all, 3);
    smelt(&dir, &[&all[..], &["--solver", &liar]].concat(), 10);
    // A check that is not there, and a script that is none.
    f["reproducer"]["check"] = 98.into();
    fs::write(path.join("finding.json"), f.to_string()).unwrap();
    let expect = "cannot be replayed: it is about check 99, and bug.smt2 has 1";
    replay(&dir, &path, &[], 2, expect);
    fs::remove_file(path.join("bug.smt2")).unwrap();
    pipe(&path.join("bug.smt2"));
    replay(&dir, &path, &[], 2, "bug.smt2: it is no plain file of the folder");
    fs::remove_file(path.join("finding.json")).unwrap();
    pipe(&path.join("finding.json"));
    replay(&dir, &path, &["--limit", "1"], 2, "there is no finding in");
}

/// An error may be why a process dies: then a crash behind it is not the one that was found.
#[test]
fn a_crash_behind_an_error() {
    let dir = folder("behind-an-error", SEED);
    crash(&dir);
    let (path, f) = findings(&dir).remove(0);
    assert_eq!(f["verdicts"][0]["class"], "crash");
    let check = |name: &str, script: &str, code: i32, expect: &str| {
        let solver = shell(&dir, name, &format!("{ALIVE} {script}"));
        replay(&dir, &path, &["--solver", &solver], code, expect);
    };
    let error = "echo '(error \"line 1: no such thing\")'";
    check("errs", &format!("{error}; kill -SEGV $$"), 3, "open: nothing learnt (");
    check("answers", &format!("echo sat; {error}; kill -SEGV $$"), 3, "behind an error)");
    check("dies", "echo sat; kill -SEGV $$", 10, "still holds: SIGSEGV");
}

/// A finding whose folder is damaged is found and written again, beside it; others are replayed all the same.
#[test]
fn a_damaged_finding() {
    let dir = folder("damaged", SEED);
    crash(&dir);
    let old = findings(&dir)[0].0.clone();
    fs::write(old.join("finding.json"), "{ \"id\": ").unwrap();
    let (_, out) = crash(&dir);
    let said = format!("{} is left as it is", old.file_name().unwrap().display());
    assert!(out.contains(&said), "{out}");
    let new = PathBuf::from(format!("{}-2", old.display()));
    let json: Json = serde_json::from_slice(&fs::read(new.join("finding.json")).unwrap()).unwrap();
    assert_eq!(json["id"].as_str(), new.file_name().unwrap().to_str());
    assert_eq!(fs::read_to_string(old.join("finding.json")).unwrap(), "{ \"id\": ");
    let out = smelt(&dir, &["replay", old.to_str().unwrap(), new.to_str().unwrap()], 2);
    let out = text(&out);
    assert!(
        out.contains("cannot be replayed") && out.contains("it is no finding, or damaged"),
        "{out}"
    );
    assert!(out.contains("still holds: SIGSEGV"), "{out}");
    assert!(out.contains("1 of 2 findings could not be replayed"), "{out}");
}

/// What cannot be made again is named in a sentence, and the script that was kept is run: a recipe that asks for more steps than a
/// chain has, or for no seed, and cases that were made without seeds.
#[test]
fn what_cannot_be_made_again() {
    let dir = folder("endless", SEED);
    crash(&dir);
    let (path, mut f) = findings(&dir).remove(0);
    let seed = f.pointer("/origin/seed").or(f.pointer("/origin/derived/from/seed")).unwrap();
    let recipe = serde_json::json!({
        "smelt": "0", "strategy": "opfuzz", "campaign": 1, "seeds": [seed], "chain": 0, "step": 4_000_000_000u32,
    });
    let mut bare = recipe.clone();
    bare["seeds"] = serde_json::json!([]);
    let grammar = serde_json::json!({ "name": "ints.g", "hash": "01" });
    let generated = serde_json::json!({ "smelt": "0", "generator": "bandit", "campaign": 1, "seq": 5, "step": 0 });
    let enumerated = serde_json::json!({ "enumerated": { "grammar": grammar, "index": 5 } });
    for (origin, expect) in [
        (serde_json::json!({ "mutant": recipe }), "(step 4000000000 of a chain of "),
        (serde_json::json!({ "mutant": bare }), "(it names no seed)"),
        (enumerated.clone(), "(it is number 5 of ints.g, which is no grammar of this smelt)"),
        (
            serde_json::json!({ "derived": { "from": enumerated, "how": "reduced" } }),
            "(it is number 5 of ints.g, which is no grammar of this smelt)",
        ),
        (serde_json::json!({ "generated": generated }), "(this smelt has no generator bandit)"),
    ] {
        f["origin"] = origin;
        fs::write(path.join("finding.json"), f.to_string()).unwrap();
        let out = text(&smelt(&dir, &["replay", path.to_str().unwrap()], 10));
        let expect = format!("the recipe cannot be followed {expect}");
        assert!(out.contains(&expect), "no `{expect}` in\n{out}");
        assert!(out.contains("still holds: SIGSEGV"), "{out}");
    }
}
