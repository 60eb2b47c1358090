//! The life of a campaign: its seeds and solvers, budgets, its end by force, and its going on.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use smelt_solver::testing;

use crate::run::{
    SEED, SMALL, alone, campaign, command, findings, folder, pipe, smelt, summary, text, total,
};
use crate::scripted::{CRASHES, scripted, shell};

/// Two honest solvers: no finding, no refusal, and with a frozen schedule the same answers twice.
#[test]
fn honest_solvers_and_a_frozen_schedule() {
    let dir = folder("honest", SEED);
    testing::solver("z3@latest");
    testing::solver("cvc5@latest");
    let run = |out: &str| -> Json {
        let more = format!(
            "--tests 60 --out {out} --seed 9 --deterministic --json --options none --strategy opfuzz,storm"
        );
        let args = campaign(&["z3@latest;cvc5@latest"], &more);
        summary(&smelt(&dir, &args, 0))["counts"].clone()
    };
    let (one, two) = (run("a"), run("b"));
    assert!(one["total"]["tests"].as_f64().unwrap() >= 60.0);
    assert_eq!(one["rejection"], Json::Null, "{one:#}");
    assert_eq!(one["answer"], two["answer"]);
}

/// A killed campaign keeps its findings and goes on where it was.
#[test]
fn survives_kill() {
    let dir = folder("kill", SEED);
    testing::solver("z3@latest");
    let liar = shell(&dir, "liar", "echo unsat");
    let args = campaign(&[&liar, "z3@latest"], "--time 300s --out out");
    let mut child = command(&dir, &args).stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while findings(&dir).is_empty() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(1500));
    child.kill().unwrap();
    child.wait().unwrap();
    let before = findings(&dir);
    assert!(!before.is_empty());
    let args = ["fuzz", "--resume", "--tests", "1", "--out", "out", "--json"];
    let out = command(&dir, &args).output().unwrap();
    assert!(matches!(out.status.code(), Some(0 | 10)), "{}", text(&out));
    let end = summary(&out);
    assert!(total(&end, "tests") >= 1, "{end:#}");
    assert!(end["elapsed_seconds"].as_f64().unwrap() > 0.5);
    let after = findings(&dir);
    assert!(before.iter().all(|(p, _)| after.iter().any(|(q, _)| p == q)));
}

#[test]
fn bad_input_is_named_and_counted() {
    let dir = folder("bad", SEED);
    testing::solver("z3@latest");
    let z3 = ["--solver", "z3@latest", "--jobs", "1", "--out", "out"];
    let seeds = dir.join("seeds");
    fs::write(seeds.join("broken.smt2"), "(assert (and true").unwrap();
    fs::write(seeds.join("binary.smt2"), [0u8, 159, 146, 150]).unwrap();
    fs::write(seeds.join("nothing.smt2"), "(set-logic ALL)").unwrap();
    fs::write(seeds.join("bad.smt2.gz"), "this is no gzip").unwrap();
    fs::write(seeds.join("bad.smt2.zst"), "this is no zstd").unwrap();
    fs::write(seeds.join("notes.txt"), "no seed").unwrap();
    let run = |more: &[&str], code: i32, expect: &str| {
        let args: Vec<&str> = ["fuzz"].iter().chain(more).chain(&z3).copied().collect();
        let said = text(&smelt(&dir, &args, code));
        assert!(said.contains(expect), "{args:?}: no `{expect}` in\n{said}");
    };
    run(&["seeds", "--tests", "1500"], 0, "seeds: 6 given, 1 used, 5 skipped");
    run(&["absent", "--tests", "1"], 2, "cannot read absent");
    run(&["seeds/notes.txt", "seeds/broken.smt2", "--time", "20s"], 2, "no seed can be used");
    run(&["--strategy", "magic"], 2, "\"magic\" is no strategy; there are ");
    run(&["--param", "opfuzz=3"], 2, "write STRATEGY.NAME=VALUE");
    run(&["--time", "2w"], 2, "is none of s, m, h, d");
    run(&["--options", "all"], 2, "none of none, common, regular, expert");
    run(&["--known", "absent.toml"], 2, "cannot read absent.toml");
    let known = |solver: &str| format!("[[bug]]\nsolver = \"{solver}\"\nsignature = \"it\"\n");
    fs::write(dir.join("case.toml"), known("z3") + &known("Z3")).unwrap();
    run(
        &["seeds", "--tests", "1", "--known", "case.toml"],
        2,
        "case.toml: \"Z3\" is no solver; there are bitwuzla, ",
    );
    run(&["--limit", "0"], 2, "a time longer than 0");
    fs::write(dir.join("file"), "x").unwrap();
    let said = text(&smelt(&dir, &["fuzz", "--out", "file/x"], 2));
    assert!(said.contains("cannot make the campaign's folder"), "{said}");
    let said = text(&smelt(&dir, &["fuzz", "--resume", "--out", "empty"], 2));
    assert!(said.contains("there is no campaign in empty"), "{said}");
}

/// Links are followed, once; what is called like a script and cannot be read is counted for what it is.
#[test]
fn files_that_are_none() {
    let dir = folder("none", SMALL);
    let seeds = dir.join("seeds");
    fs::create_dir_all(dir.join("more/deep")).unwrap();
    fs::write(dir.join("more/deep/two.smt2"), SMALL.replace("(or p q)", "(and p q)")).unwrap();
    symlink(dir.join("more"), seeds.join("linked")).unwrap();
    symlink(&seeds, dir.join("more/deep/back")).unwrap();
    symlink(dir.join("gone.smt2"), seeds.join("gone.smt2")).unwrap();
    pipe(&seeds.join("pipe.smt2"));
    let shy = shell(&dir, "shy", "echo unknown");
    let said = text(&smelt(
        &dir,
        &campaign(&[&shy], "--tests 60 --out out --strategy opfuzz --seed 1"),
        0,
    ));
    for expect in
        ["seeds: 4 given, ", "1  a pipe, a socket or a device", "1  a link that leads nowhere"]
    {
        assert!(said.contains(expect), "no `{expect}` in\n{said}");
    }
    let sure = shell(&dir, "sure", "echo sat");
    let janus = ["janus", "seeds", "--solver", &sure, "--tests", "3", "--time", "20s"];
    let said = text(&smelt(&dir, &janus, 0));
    for expect in ["a pipe, a socket or a device", "a link that leads nowhere"] {
        assert!(said.contains(expect), "no `{expect}` in\n{said}");
    }
    let pipe = "seeds/pipe.smt2";
    for args in [
        &["mutate", pipe, "--strategy", "opfuzz"][..],
        &["janus", pipe, "--solver", &shy],
        &["mutate", "seeds/one.smt2", "--strategy", "fusion", "--partner", pipe],
    ] {
        let said = text(&smelt(&dir, args, 2));
        assert!(said.contains("seeds/pipe.smt2: it is no file"), "{args:?}\n{said}");
    }
    let said = text(&smelt(&dir, &["check", "seeds"], 2));
    assert!(said.contains("2 ok, 0 rejected, 2 not read"), "{said}");
}

/// What others keep beside the findings stays; what a killed process left half-written goes.
#[test]
fn folders_that_are_not_findings() {
    let dir = folder("beside", SEED);
    let shy = shell(&dir, "shy", "echo unknown");
    let beside = dir.join("out/findings");
    for name in [".git/objects", ".notes.2024", "mine", ".crash-z3-0123abcd.77/outputs"] {
        fs::create_dir_all(beside.join(name)).unwrap();
    }
    smelt(&dir, &campaign(&[&shy], "--tests 1 --out out --strategy opfuzz"), 0);
    for name in [".git/objects", ".notes.2024", "mine"] {
        assert!(beside.join(name).is_dir(), "{name}");
    }
    assert!(!beside.join(".crash-z3-0123abcd.77").exists());
}

/// Who cannot be run is refused before the campaign, and accused of nothing; so is who is ended by others.
#[test]
fn who_cannot_be_run() {
    let dir = folder("not-run", SEED);
    for (name, script, why) in [
        ("usage", "echo 'usage: solver FILE' >&2; exit 1", "usage: solver FILE"),
        ("missing", "echo 'error while loading shared libraries' >&2; exit 127", "exit code 127"),
        ("silent", "true", "it says \"nothing\""),
    ] {
        let bad = shell(&dir, name, script);
        let out = text(&smelt(&dir, &campaign(&[&bad], "--tests 30 --out out --seed 1"), 2));
        assert!(out.contains("cannot be run: ") && out.contains(why), "{out}");
    }
    // Who answers nothing else has not been tested, and that is said.
    let busy = shell(
        &dir,
        "busy",
        "grep -q 'fun y () Int' \"$1\" || { echo sat; exit; }; while :; do :; done",
    );
    let more = "--tests 25 --out out --strategy opfuzz --seed 1 --limit 0.05";
    let out = text(&smelt(&dir, &campaign(&[&busy], more), 0));
    assert!(out.contains("busy has answered nothing"), "{out}");
    let ended = shell(&dir, "ended", "grep -q distinct \"$1\" && kill -TERM $$; echo unknown");
    let more = "--tests 30 --out out --strategy opfuzz --seed 1 --json";
    let end = summary(&smelt(&dir, &campaign(&[&ended], more), 0));
    assert!(total(&end, "faults") > 0, "{end:#}");
}

/// A budget that is given on --resume rules alone, and what else is given there is heeded.
#[test]
fn resuming_with_other_wishes() {
    let dir = folder("resume", SEED);
    let crasher = shell(&dir, "crasher", CRASHES);
    let shy = shell(&dir, "shy", "echo unknown");
    let args = campaign(&[&shy], "--time 1s --out quiet --strategy opfuzz --seed 1 --json");
    let first = summary(&smelt(&dir, &args, 0));
    let resume = ["fuzz", "--resume", "--out", "quiet", "--json", "--tests", "20"];
    let second = summary(&smelt(&dir, &resume, 0));
    let more = total(&second, "tests") - total(&first, "tests");
    assert!((20..40).contains(&more), "{more}");
    // Without one, the last budget is the one that is used up.
    let third = summary(&smelt(&dir, &["fuzz", "--resume", "--out", "quiet", "--json"], 0));
    assert!(total(&third, "tests") - total(&second, "tests") < 20, "{third:#}");
    let said = text(&smelt(&dir, &["fuzz", "--resume", "--out", "quiet", "--jobs", "0"], 2));
    assert!(said.contains("0 is not in 1..=1024"), "{said}");
    // Bugs that are known only now.
    let args = campaign(&[&crasher], "--findings 1 --out out --strategy opfuzz --seed 1 --json");
    smelt(&dir, &args, 10);
    fs::remove_dir_all(dir.join("out/findings")).unwrap();
    fs::write(dir.join("known.toml"), "[[bug]]\nsolver = \"generic\"\npattern = \"SIGSEGV\"\n")
        .unwrap();
    let resume =
        ["fuzz", "--resume", "--out", "out", "--json", "--tests", "50", "--known", "known.toml"];
    let known = summary(&smelt(&dir, &resume, 0));
    assert!(total(&known, "suppressed") > 0, "{known:#}");
    // It is remembered, from any folder.
    let resume = ["fuzz", "--resume", "--out", "../out", "--json", "--tests", "50"];
    smelt(&dir.join("seeds"), &resume, 0);
}

/// A campaign is the same from any folder, and when the files that it was begun with are gone.
#[test]
fn resuming_from_elsewhere() {
    let dir = folder("elsewhere", SMALL);
    shell(&dir, "shy", "echo unknown");
    shell(&dir, "coy", "echo unknown");
    fs::write(dir.join("operators.txt"), "and,or\n").unwrap();
    let more =
        "--tests 5 --out out --strategy opfuzz --seed 1 --param opfuzz.operators=operators.txt";
    let said = text(&smelt(&dir, &campaign(&["./shy;./coy;./shy -x"], more), 0));
    let solvers = |said: &str| {
        let line = said.lines().find(|l| l.starts_with("solvers: "));
        line.unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    fs::remove_file(dir.join("operators.txt")).unwrap();
    let resume = ["fuzz", "--resume", "--out", "../out", "--tests", "5"];
    let again = text(&smelt(&dir.join("seeds"), &resume, 0));
    assert_eq!(solvers(&said), solvers(&again));
    smelt(&dir.join("seeds"), &resume, 0);
}

/// A wrong answer that was remembered when nobody contradicted it is found by a solver that comes later.
#[test]
fn a_solver_that_comes_later() {
    let dir = folder("later", SEED);
    testing::solver("z3@latest");
    fs::write(dir.join("seeds/one.smt2"), SEED.replace("(set-info :status sat)", "")).unwrap();
    // Wrong on the seed alone, so no mutant gives it away.
    let liar = shell(
        &dir,
        "liar",
        "for part in '(< x (+ y 1))' '(> x 3)' '(= y 7)' '(distinct x y)' '(or '; do\n\
        grep -qF \"$part\" \"$1\" || { echo unknown; exit; }\ndone\necho unsat",
    );
    let more = "--tests 1 --out out --strategy opfuzz --seed 1";
    smelt(&dir, &campaign(&[&liar], more), 0);
    let said = text(&smelt(&dir, &campaign(&[&liar, "z3@latest;z3@latest"], more), 10));
    assert!(said.contains("refutation-soundness"), "{said}");
    // What the latest is, is settled at the beginning, and so are the names of both.
    let names =
        |said: &str| said.lines().find_map(|l| l.strip_prefix("solvers: ")).map(str::to_owned);
    let first = names(&said).unwrap();
    assert!(first.contains(" z3@") && !first.contains("latest"), "{first}");
    let out =
        command(&dir, &["fuzz", "--resume", "--tests", "2", "--out", "out"]).output().unwrap();
    assert_eq!(names(&text(&out)), Some(first));
    let (_, f) = findings(&dir).remove(0);
    assert_eq!(f["verdicts"][0]["grade"], "proven", "{f:#}");
    assert!(f["accused"]["label"].as_str().unwrap().starts_with("liar"), "{f:#}");
}

/// Options that a solver refuses last for one mutant of a chain, not for all, and are no fault of the script.
#[test]
fn options_that_are_refused() {
    let dir = folder("refused-options", SEED);
    // Whatever it is started with beyond this is refused, by words that name no option.
    let picky = r#"
USUAL = ("--lang", "--strings-exp", "--produce", "--incremental", "--no-incremental", "--rlimit", "--tlimit")
varied = [a for a in sys.argv[1:] if a.startswith("--") and not a.startswith(USUAL)]
def answer(script):
    return '(error "Cannot handle this 42 times")' if varied else "unknown"
def model(script):
    return '(error "no model")'
"#;
    let picky = scripted(&dir, "cvc5", picky);
    let other = scripted(&dir, "yices-smt2", "def answer(script):\n    return 'unknown'\n");
    let other = format!("yices={other}");
    let solvers = [&*picky, &*other];
    let more = "--tests 1500 --strategy opfuzz --seed 1 --options regular --json --out out";
    let end = summary(&alone(&dir, &campaign(&solvers, more), 0));
    let count = |group: &str, name: &str| -> u64 {
        let all = end["counts"][group].as_object().into_iter().flatten();
        all.filter(|(k, _)| k.contains(name)).map(|(_, n)| n.as_f64().unwrap() as u64).sum()
    };
    let refused = count("refused-under-options", "Cannot handle this # times");
    assert!((1..=total(&end, "chains")).contains(&refused), "{end:#}");
    let answers = |kind: &str| -> u64 {
        let solvers = end["counts"]["answer"].as_object().into_iter().flatten();
        solvers.filter_map(|(_, kinds)| kinds[kind].as_u64()).sum()
    };
    assert!(total(&end, "chains") < 100 && answers("unknown") > 2900, "{end:#}");
    let unsent = answers("not-sent") + answers("held-back");
    assert_eq!((unsent, count("rejection", "")), (0, 0), "{end:#}");
    // The summary for people.
    let more = "--tests 1500 --strategy opfuzz --seed 1 --options regular --out people";
    let said = text(&alone(&dir, &campaign(&solvers, more), 0));
    assert!(said.contains(" runs refused under options that were varied:\n"), "{said}");
    assert!(!said.contains("not sent"), "{said}");
}

/// A script with many checks takes no more than its share of the time: some of its checks are asked alone, and what they cost
/// counts.
#[test]
fn a_seed_with_many_checks() {
    let scope = "(push 1)(assert (distinct many 5))(check-sat)(pop 1)\n";
    let dir = folder(
        "checks",
        &format!("(set-logic QF_LIA)(declare-const many Int){}", scope.repeat(200)),
    );
    let alone_file = dir.join("alone");
    let slow_alone = format!(
        r#"
import time
def answer(script):
    if "(push" not in script and "many" in script:
        open({alone_file:?}, "a").write("x")
        end = time.process_time() + 0.03
        while time.process_time() < end: pass
    return "sat"
def model(script):
    return '(error "no model")'
"#
    );
    let solver = scripted(&dir, "z3", &slow_alone);
    let more = "--tests 4 --strategy opfuzz --seed 1 --options none --json --out out";
    let out = alone(&dir, &campaign(&[&solver], more), 0);
    let end = summary(&out);
    let asked = fs::read_to_string(&alone_file).unwrap().len() as u64;
    let tests = total(&end, "tests");
    // The seed itself is the first.
    assert!((16..=16 * (tests + 1)).contains(&asked), "{asked} of {tests} tests");
    let cpu = end["counts"]["total"]["solver-cpu"].as_f64().unwrap();
    assert!(cpu >= (asked - 16) as f64 * 0.03, "{cpu} s for {asked}");
}

/// People are told when a solver was too slow to find out what it takes.
#[test]
fn a_solver_that_is_too_slow_to_examine() {
    let dir = folder("slow-probe", SEED);
    let late = r#"
def answer(script):
    if "assert" in script:
        os.write(1, b"cvc5 interrupted by timeout.\n")
        os._exit(1)
    return "unknown"
"#;
    let late = scripted(&dir, "cvc5", late);
    let args = campaign(&[&late], "--tests 1 --options none --out out");
    let said = text(&alone(&dir, &args, 0));
    assert_eq!(
        said.matches("it answers too late to be asked for every operator").count(),
        1,
        "{said}"
    );
}

/// Scripts as they are: each is given once, a broken one is counted, and what is wrong is a finding that replays.
#[test]
fn scripts_as_they_are() {
    let dir = folder("as-is", SEED);
    testing::solver("z3@latest");
    fs::write(dir.join("seeds/two.smt2"), SMALL).unwrap();
    fs::write(dir.join("seeds/broken.smt2"), "(assert").unwrap();
    let liar =
        shell(&dir, "liar", "grep -q distinct \"$1\" && { echo unsat; exit; }; echo unknown");
    let args = campaign(&[&liar, "z3@latest"], "--as-is --out out --json");
    let end = summary(&smelt(&dir, &args, 10));
    assert_eq!((total(&end, "tests"), total(&end, "chains")), (2, 0), "{end:#}");
    assert_eq!(end["counts"]["skipped"]["not understood"], 1, "{end:#}");
    let all = findings(&dir);
    let [(path, f)] = &*all else { panic!("{all:?}") };
    assert_eq!(f["verdicts"][0]["class"], "refutation-soundness");
    crate::run::replay(&dir, path, &[], 10, "still holds: unsat");
    // All of them were given: there is nothing more to do.
    let end = summary(&smelt(&dir, &["fuzz", "--resume", "--out", "out", "--json"], 0));
    assert_eq!(total(&end, "tests"), 2, "{end:#}");
}

/// What smelt finds out alone counts: no other solver is there, and nobody says what the answer is.
#[test]
fn a_script_that_one_solver_answers() {
    let dir = folder("as-is-alone", SMALL);
    // (There is no grep either.)
    let reads = "while read -r l; do case \"$l\" in *assert*) echo unsat; exit;; esac; done";
    let liar = shell(&dir, "liar", &format!("{reads} < \"$1\"; echo sat"));
    alone(&dir, &campaign(&[&liar], "--as-is --out out --json"), 10);
    let all = findings(&dir);
    let [(_, f)] = &*all else { panic!("{all:?}") };
    let verdict = &f["verdicts"][0];
    assert_eq!(
        (&verdict["class"], &verdict["grade"]),
        (&"refutation-soundness".into(), &"proven".into())
    );
}
