//! `smelt rules`, run as a user runs it.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use smelt_solver::testing;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rules")
}

fn file(name: &str, text: &str) {
    let path = folder().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn smelt(args: &str) -> Output {
    std::fs::create_dir_all(folder()).unwrap();
    Command::new(env!("CARGO_BIN_EXE_smelt"))
        .args(args.split_whitespace())
        .env("SMELT_HOME", folder().join("home"))
        .current_dir(folder())
        .output()
        .unwrap()
}

fn check(args: &str, code: i32, parts: &[&str]) {
    let out = smelt(args);
    let text =
        format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args}: {text}");
    for part in parts {
        assert!(text.contains(part), "{args}: no `{part}` in {text}");
    }
}

#[test]
fn lists_and_shows() {
    check("rules list", 0, &["core.rules", "and-to-or", "fusion.rules", " rules: "]);
    check("rules list bv-equal-xor", 0, &["bv-equal-xor", "proved", "1 rules: 1 proved"]);
    check(
        "rules show int-at-most-plus",
        0,
        &[
            "c Int (literal)",
            "if           (>= c 0)",
            "(assert (not (=> (<= x y) (<= x (+ y c)))))",
        ],
    );
    check("rules show re-to-plus", 0, &["schema", "proof        A word of r", "smelt-member"]);
    check("rules list no-such-rule", 2, &["there is no such rule"]);
}

/// The record has another release of this solver, of whose proof nothing follows for this one.
#[test]
fn asks_the_release_that_is_named() {
    let old = testing::solver("z3@4.8.7");
    let args = "rules verify bv-double-not --dry --rounds 1 --solver";
    let named = format!("{args} z3={}", old.program().display());
    check(&named, 0, &["instances by z3-5.4.0.0", " by z3-4.8.7", " now: proved w=1 w=2"]);
}

#[test]
fn refutes_a_wrong_rule_and_keeps_a_right_one() {
    file(
        "mine.rules",
        "(implies wrong :vars ((x Int) (y Int)) :strong (<= x y) :weak (< x y))\n\
         (implies right :vars ((x Int) (y Int)) :strong (< x y) :weak (<= x y))\n",
    );
    let verify = "rules verify --rules mine.rules --no-solvers --rounds 500 --record mine.proofs";
    check(verify, 1, &["wrong", "REFUTED", "x = ", "2 rules: 1 open; 1 refuted"]);
    let record = std::fs::read_to_string(folder().join("mine.proofs")).unwrap();
    assert!(
        record.contains("(rule right ") && record.contains("(refuted any evaluator "),
        "{record}"
    );
    check("rules list --rules mine.rules --record mine.proofs", 0, &["refuted, off", "1 refuted"]);
    check(
        "rules show wrong --rules mine.rules --record mine.proofs",
        0,
        &["false at any (evaluator): x = "],
    );
    check(verify, 1, &["2 rules: 1 open; 1 refuted"]);
    file("again.rules", "(implies right :vars ((p Bool)) :strong p :weak p)");
    for command in ["list", "verify --no-solvers --dry"] {
        let args = format!("rules {command} --rules mine.rules --rules again.rules");
        check(&args, 2, &["again.rules: mine.rules has a rule `right`, too"]);
    }
    file("bad.rules", "(implies bad :vars ((x Int)) :strong (<= x)");
    check("rules list --rules bad.rules", 2, &["bad.rules: line 1: missing `)`"]);
    file("sorts.rules", "(implies sorts :vars ((x Int)) :strong (and x x) :weak true)");
    check(
        "rules verify --rules sorts.rules --no-solvers --dry",
        1,
        &["unreadable", "1 unreadable"],
    );
}

/// `verify` changes what it was asked about, and nothing else; only in a folder with its rules is a record pruned.
#[test]
fn verify_keeps_other_proofs() {
    let rule = |name: &str| format!("(implies {name} :vars ((p Bool)) :strong p :weak p)\n");
    file("one.rules", &rule("one"));
    file("keeps/two.rules", &rule("two"));
    let gone = "(rule gone 12 (held 1)\n  (proved (any) (z3-1)))\n";
    let names = |record: &str| -> Vec<String> {
        let text = std::fs::read_to_string(folder().join(record)).unwrap();
        let names = text.lines().filter_map(|l| l.strip_prefix("(rule ")?.split(' ').next());
        names.map(Into::into).collect()
    };
    let verify = "rules verify --no-solvers --rounds 50";
    file("keeps/PROOFS", gone);
    check(&format!("{verify} --rules one.rules --record keeps/PROOFS"), 0, &[]);
    check(&format!("{verify} two --rules keeps/two.rules --record keeps/PROOFS"), 0, &[]);
    assert_eq!(names("keeps/PROOFS"), ["gone", "one", "two"]);
    check(&format!("{verify} --rules keeps --record keeps/PROOFS --dry"), 0, &[]);
    assert_eq!(names("keeps/PROOFS"), ["gone", "one", "two"]);
    check(&format!("{verify} --rules keeps --record keeps/PROOFS"), 0, &[]);
    assert_eq!(names("keeps/PROOFS"), ["two"]);
    // The record of the data folder has proofs that smelt found on demand.
    file("home/rules/PROOFS", gone);
    check(&format!("{verify} --rules one.rules"), 0, &[]);
    check(&format!("{verify} bool-double-not"), 2, &["there is no such rule"]);
    check(&format!("{verify} bv-double-not"), 0, &[]);
    assert_eq!(names("home/rules/PROOFS"), ["gone", "one"]);
    std::fs::remove_file(folder().join("home/rules/PROOFS")).unwrap();
}

/// Values are tried at the sorts that are asked about, even if the rule is recorded; and only those count that say something.
#[test]
fn values_where_they_are_asked_for() {
    // True up to 36 bits.
    let rule = "(implies wide :for ((w Width)) :vars ((x (_ BitVec w))) :strong (= x x) :weak (bvult ((_ zero_extend 64) x) (_ bv68719476736 w+64)))";
    file("wide.rules", rule);
    let _ = std::fs::remove_file(folder().join("wide.proofs"));
    let verify = "rules verify --rules wide.rules --no-solvers --rounds 100 --record wide.proofs";
    check(&format!("{verify} --width 8"), 0, &["held    100; 0 instances"]);
    check(&format!("{verify} --width 37"), 1, &["REFUTED   at w=37 by evaluator"]);
    file("rare.rules", "(implies rare :vars ((x Int)) :strong (= x 123457) :weak (> x 5))");
    let rare = "rules verify --rules rare.rules --no-solvers --rounds 100 --dry";
    check(rare, 0, &["held      0 (rarely tested); 0 instances by nobody"]);
}

/// Not proved by anybody, or not where it was asked for: that is not green.
#[test]
fn what_is_not_proved_is_not_green() {
    let z3 = testing::solver("z3@latest");
    let z3 = z3.program().display();
    // Factoring: nobody proves it in no time at 64 bits.
    let hard = "(implies hard :for ((w Width)) :vars ((x (_ BitVec w)) (y (_ BitVec w)))\n\
                :strong (= (bvmul x (bvmul y y)) (bvmul (bvmul x x) y)) :weak (= (bvmul (bvmul x y) (bvmul x y)) (bvmul (bvmul x x) (bvmul x y))))";
    file("hard.rules", hard);
    let verify = format!(
        "rules verify --rules hard.rules --rounds 50 --limit 1 --solver z3={z3} --record hard.proofs"
    );
    let _ = std::fs::remove_file(folder().join("hard.proofs"));
    check(&format!("{verify} --width 2"), 0, &["1 rules: 1 proved", "0 open"]);
    check(&format!("{verify} --width 2,64"), 1, &["1 rules: 1 proved", "1 open"]);
    let list = "rules list --rules hard.rules --record hard.proofs";
    check(list, 0, &["[by one solver family only: w=2]"]);
}

/// Releases of one solver may share a mistake: together they are one solver.
#[test]
fn two_releases_are_not_two_solvers() {
    let at = |name: &str| testing::solver(name).program().display().to_string();
    file("once.rules", "(implies once :vars ((x Int) (y Int)) :strong (< x y) :weak (<= x y))");
    let verify = "rules verify --dry --rules once.rules --rounds 50 --record none.proofs";
    let check_with = |other: &str, two: usize| {
        check(
            &format!("{verify} --solver z3={} --solver {other}", at("z3@latest")),
            0,
            &[
                &format!("{two} proved by two different solvers at every instance"),
                &format!("1 instances proved, {two} of them by two different solvers; 0 open"),
            ],
        );
    };
    check_with(&format!("z3={}", at("z3@4.8.7")), 0);
    // Nor is a program of which it is not known what is inside.
    file("ours", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", at("z3@4.8.7")));
    let ours = folder().join("ours");
    std::fs::set_permissions(&ours, std::fs::Permissions::from_mode(0o755)).unwrap();
    check_with(&format!("ours={}", ours.display()), 0);
    check_with(&format!("yices={}", at("yices@latest")), 1);
}

/// A variable with the name of a sort would be replaced where the sort is meant, and the rule would never be used.
#[test]
fn words_are_no_names() {
    file("word.rules", "(implies word :vars ((Bool Bool) (q Bool)) :strong (and Bool q) :weak q)");
    let why = "word.rules: the rule `word`: `Bool` is a word of SMT-LIB, and no name";
    check("rules verify --dry --no-solvers --rules word.rules", 2, &[why]);
}

/// That nobody was asked, or nobody who knows the theory, is not that it is too hard: that would keep others from being asked.
#[test]
fn open_is_what_was_too_hard() {
    let z3 = testing::solver("z3@latest");
    let z3 = z3.program().display();
    let record = || std::fs::read_to_string(folder().join("asked.proofs")).unwrap();
    let _ = std::fs::remove_file(folder().join("asked.proofs"));
    file(
        "asked.rules",
        "(implies asked :for ((w Width)) :vars ((x (_ BitVec w)) (y (_ BitVec w))) :strong (bvult x y) :weak (bvule x y))",
    );
    let verify = "rules verify --rules asked.rules --rounds 50 --record asked.proofs --width 2";
    check(&format!("{verify} --no-solvers"), 0, &["0 instances by nobody; open at w=2", "1 open"]);
    assert!(record().contains("(rule asked ") && !record().contains("open"), "{}", record());
    check(&format!("{verify} --solver z3={z3}"), 0, &["1 proved", "0 open"]);
    assert!(record().contains("(proved (w=2) (z3"), "{}", record());
    check(&format!("{verify} --no-solvers --again"), 0, &["1 proved", "0 open"]);
    assert!(record().contains("(proved (w=2) (z3"), "{}", record());
    // Yices has no strings.
    let yices = testing::solver("yices@latest");
    let yices = yices.program().display();
    file(
        "asked.rules",
        "(implies word :vars ((s String) (t String)) :strong (= s t) :weak (str.prefixof s t))",
    );
    let verify = "rules verify --rules asked.rules --rounds 50 --record asked.proofs";
    check(&format!("{verify} --solver yices={yices}"), 1, &["open at any", "1 open"]);
    assert!(record().contains("(rule word ") && !record().contains("(open"), "{}", record());
}

/// Functions in the syntax of others have one name in all files, and each its own: what is known of one is not lost to the next.
#[test]
fn published_functions_keep_their_proofs() {
    let function = |inverse: &str| {
        format!(
            "#begin\n(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n\
             (assert (= z (+ x y)))\n(assert (= x (- {inverse})))\n(assert (= y (- z x)))\n#end\n"
        )
    };
    let _ = std::fs::remove_dir_all(folder().join("published"));
    file("published/a.rules", &function("z y"));
    file("published/b.rules", &[function("y z"), function("z y")].concat());
    let verify =
        "rules verify --rules published --no-solvers --rounds 100 --record published.proofs";
    check(verify, 1, &["2 rules: 1 open; 1 refuted"]);
    let record = std::fs::read_to_string(folder().join("published.proofs")).unwrap();
    assert_eq!(record.matches("(rule imported-").count(), 2, "{record}");
    assert!(record.contains("(held 100)") && record.contains("(refuted any evaluator"), "{record}");
    check(
        "rules list --rules published --record published.proofs",
        0,
        &["2 rules: 1 open, 1 refuted"],
    );
}

/// A damaged record is put aside: nothing else stops for it. One that is given by name is an error.
#[test]
fn damaged_records() {
    let home = folder().join("damaged");
    file("seed.smt2", "(declare-const p Bool)(assert (and p true))(check-sat)");
    for damage in [&b"(rule a 12 (held 1"[..], b"(law a)", b"\xff\xfe"] {
        for args in ["mutate seed.smt2 --strategy opfuzz -n 1", "rules list bv-double-not"] {
            std::fs::create_dir_all(home.join("rules")).unwrap();
            std::fs::write(home.join("rules/PROOFS"), damage).unwrap();
            let out = Command::new(env!("CARGO_BIN_EXE_smelt"))
                .args(args.split_whitespace())
                .env("SMELT_HOME", &home)
                .current_dir(folder())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&out.stderr);
            assert_eq!(out.status.code(), Some(0), "{args}: {said}");
            assert!(said.contains("PROOFS is damaged; it is now "), "{said}");
            assert!(!home.join("rules/PROOFS").exists());
            assert_eq!(std::fs::read(home.join("rules/PROOFS.bad")).unwrap(), damage);
        }
    }
    file("broken", "(law a)");
    check("rules list --record broken", 2, &["broken: not an entry: (law a)"]);
}

#[test]
fn wrong_instances_are_refused() {
    check(
        "rules verify --dry --no-solvers --width 0",
        2,
        &["--width 0: a bit-vector has at least one bit"],
    );
    check("rules verify --dry --no-solvers --width 8,0", 2, &["--width 0"]);
    check(
        "rules verify --dry --no-solvers --format 1:5",
        2,
        &["--format 1:5: exponent and significand"],
    );
    let most = "rules are tried and proved up to 4096 bits";
    check("rules verify --dry --no-solvers --width 8,16777216", 2, &["--width 16777216: ", most]);
    check("rules verify --dry --no-solvers --format 5:11,15:4090", 2, &["--format: ", most]);
    check("rules verify --dry --no-solvers --format 5", 2, &["a format is EXPONENT:SIGNIFICAND"]);
}

/// A width that no record has: a campaign proves the rules there, keeps the proofs, and from then on they are used. Rules of the
/// user are among them; a wrong one never is.
#[test]
fn proofs_on_demand() {
    testing::solver("z3@latest");
    let folder = folder().join("on-demand");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("home/rules")).unwrap();
    std::os::unix::fs::symlink(testing::home().solvers(), folder.join("home/solvers")).unwrap();
    let both = ":for ((w Width)) :vars ((x (_ BitVec w)) (y (_ BitVec w))) :strong (bvult x y)";
    let rules = format!(
        "(implies mine {both} :weak (not (bvult y x)))\n(implies lie {both} :weak (bvult (bvmul x x) (bvmul x y)))\n"
    );
    std::fs::write(folder.join("home/rules/my.rules"), rules).unwrap();
    let seed =
        "(set-info :status unsat)(declare-const a (_ BitVec 23))(declare-const b (_ BitVec 23))
(assert (not (bvult a b)))(assert (not (bvult b a)))(assert (distinct a b))(check-sat)";
    std::fs::write(folder.join("seed.smt2"), seed).unwrap();
    let smelt = |args: &str| {
        let out = Command::new(env!("CARGO_BIN_EXE_smelt"))
            .args(args.split_whitespace())
            .env("SMELT_HOME", folder.join("home"))
            .current_dir(&folder)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success(), "{args}: {text}{}", String::from_utf8_lossy(&out.stderr));
        text
    };
    let used = |rule: &str| {
        let text = smelt("mutate seed.smt2 --strategy janus -n 300 --json");
        text.matches(&format!(" by {rule}\"")).count()
    };
    assert_eq!((used("mine"), used("bv-double-not"), used("lie")), (0, 0, 0));
    let campaign = "fuzz seed.smt2 --strategy janus --solver z3@latest --jobs 1 --seed 1 --time 15s --out campaign";
    let said = smelt(campaign);
    assert!(said.contains("instances of rules that seeds asked for"), "{said}");
    assert!(said.contains("proved\n") && said.contains("1  refuted, so not used"), "{said}");
    let record = std::fs::read_to_string(folder.join("home/rules/PROOFS")).unwrap();
    assert!(record.contains("(rule mine ") && record.contains("w=23"), "{record}");
    assert!(record.contains("(refuted w=23 evaluator "), "{record}");
    assert!(used("mine") > 0 && used("lie") == 0);
    // A recipe says what its mutant rests on, and no more.
    let text = smelt("mutate seed.smt2 --strategy janus -n 1 --json");
    assert!(text.contains("proofs=") && text.contains("(rule mine "), "{text}");
}
