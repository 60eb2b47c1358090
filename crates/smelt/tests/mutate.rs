//! `smelt mutate`, run as a user runs it.

use std::path::PathBuf;
use std::process::{Command, Output};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutate")
}

fn file(name: &str, text: &str) {
    std::fs::create_dir_all(folder()).unwrap();
    std::fs::write(folder().join(name), text).unwrap();
}

fn smelt(args: &str) -> Output {
    let args = args.split_whitespace();
    let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
    command.args(args).current_dir(folder()).output().unwrap()
}

fn stdout(args: &str) -> String {
    let out = smelt(args);
    assert_eq!(out.status.code(), Some(0), "{args}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn error(args: &str, code: i32, message: &str) {
    let out = smelt(args);
    let text = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{args}: {text}");
    assert!(text.contains(message), "{args}: no `{message}` in {text}");
}

const SEED: &str = "(set-logic QF_LIA)(declare-const x Int)(declare-const p Bool)\n\
    (set-info :status sat)(assert (and (< x 1) p))(check-sat)";

#[test]
fn mutants() {
    file("a.smt2", SEED);
    let text = stdout("mutate a.smt2 --strategy opfuzz -n 5");
    assert_eq!(text.matches("; mutant ").count(), 5);
    assert_eq!(text.matches("\n; expectation: open\n(set-logic QF_").count(), 5);
    assert!(!text.contains(":status"), "{text}");
    assert!(text.contains("; mutant 3 of a.smt2: opfuzz --seed 0, chain 0, step 2\n"), "{text}");
    // The same arguments, the same text; another seed, another text.
    assert_eq!(text, stdout("mutate a.smt2 --strategy opfuzz -n 5"));
    assert_ne!(text, stdout("mutate a.smt2 --strategy opfuzz -n 5 --seed 1"));
    // Longer than a chain.
    let text = stdout("mutate a.smt2 -s opfuzz -n 301");
    assert!(text.contains("chain 1, step 0"));
}

#[test]
fn operators() {
    file("b.smt2", SEED);
    let text = stdout("mutate b.smt2 -s opfuzz -n 60");
    assert!(text.contains("(xor ") && text.contains("(=> "));
    let text = stdout("mutate b.smt2 -s opfuzz -n 60 --without xor --without =>");
    assert!(!text.contains("(xor ") && !text.contains("(=> "));
    // Only what the file names.
    file("groups.txt", "; groups\nand,or\n<,<= :arity 2\n");
    let text = stdout("mutate b.smt2 -s opfuzz -n 60 --param operators=groups.txt");
    for line in text.lines().filter(|l| l.starts_with("(assert")) {
        let known =
            ["(assert (and (< ", "(assert (or (< ", "(assert (and (<= ", "(assert (or (<= "];
        assert!(known.iter().any(|k| line.starts_with(k)), "{line}");
    }
    file("signatures.txt", "(par (A) (id A A))\n(+ Int Int Int :left-assoc)\n");
    let text = stdout("mutate b.smt2 -s typefuzz -n 60 --param signatures=signatures.txt");
    assert!(text.contains("; done: +\n") && text.contains("; done: another expression\n"));
    assert!(!text.contains("(* ") && !text.contains("(xor "));
    let text = stdout("mutate b.smt2 -s typefuzz -n 60 --param fuzzchick=true");
    assert_eq!(text.matches("; done: another expression\n").count(), 60);
}

/// Fusion functions come from a file, a published one as it is; partners from the command line, as many as are wanted.
#[test]
fn fusion_functions() {
    let unsat =
        "(set-info :status unsat)(declare-const x Int)(assert (and (< x 3) (> x 4)))(check-sat)";
    file("f.smt2", unsat);
    file(
        "functions.txt",
        "; Int\n#begin\n(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n(declare-const c Int)\n\
         (assert (= z (- (- c x) y)))\n(assert (= x (- (- c z) y)))\n(assert (= y (- (- c z) x)))\n#end\n",
    );
    let text = stdout(
        "mutate f.smt2 -s fusion -n 20 --partner f.smt2 --partner f.smt2 --partner f.smt2 \
         --param functions=functions.txt --param seeds=4",
    );
    assert_eq!(text.matches("; done: 4 seeds").count(), 20);
    assert_eq!(text.matches("; expectation: unsat").count(), 20);
    let by = |l: &str| {
        l.split_once(" by imported-").is_some_and(|(_, f)| f.matches(", imported-").count() == 2)
    };
    assert!(text.lines().any(by));
}

#[test]
fn logics() {
    file("c.smt2", "(set-logic QF_LIA)(declare-const x Int)(assert (< (+ x x) 1))(check-sat)");
    let kept = stdout("mutate c.smt2 -s opfuzz -n 80 --logic keep");
    assert_eq!(kept.matches("(set-logic QF_LIA)").count(), 80);
    let smallest = stdout("mutate c.smt2 -s opfuzz -n 80");
    assert!(smallest.contains("(set-logic QF_NIA)"));
}

#[test]
fn json_and_files() {
    file("d.smt2", SEED);
    let text = stdout("mutate d.smt2 -s typefuzz -n 4 --json");
    for line in text.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(v["expectation"], serde_json::json!(["open"]));
        assert_eq!(v["recipe"]["strategy"], "typefuzz");
        let script = v["script"].as_str().unwrap();
        assert!(smelt_smtlib::parse(script.as_bytes()).is_ok(), "{script}");
    }
    assert_eq!(text.lines().count(), 4);
    let names = stdout("mutate d.smt2 -s typefuzz-db -n 3 --out-dir out/deep");
    for name in names.lines() {
        let text = std::fs::read(folder().join(name)).unwrap();
        assert!(smelt_smtlib::parse(&text).is_ok(), "{name}");
    }
    assert_eq!(names.lines().count(), 3);
}

#[test]
fn knowledge() {
    // Two bits: all values are tried.
    file(
        "e.smt2",
        "(declare-const p Bool)(declare-const q Bool)(assert (and p (not q)))(check-sat)",
    );
    file("e.model", "((define-fun p () Bool true) (define-fun q () Bool false))");
    file("wrong.model", "((define-fun p () Bool true) (define-fun q () Bool true))");
    let text = stdout("mutate e.smt2 -s storm -n 3");
    assert!(text.contains("sat (witness)"), "{text}");
    let text = stdout("mutate e.smt2 -s diver -n 3 --model e.model");
    assert_eq!(text.matches("; expectation: sat (witness)\n").count(), 3, "{text}");
    error("mutate e.smt2 -s diver --model wrong.model", 2, "the model is not known to be one");
}

#[test]
fn wrong_use() {
    file("f.smt2", SEED);
    file("broken.smt2", "(assert (bvadd 1 2))");
    file("empty.smt2", "(check-sat)");
    error(
        "mutate f.smt2 -s fuzz",
        2,
        "unknown strategy `fuzz` (known: opfuzz, typefuzz, typefuzz-db,",
    );
    error("mutate f.smt2", 2, "--strategy <NAME>");
    error("mutate f.smt2 -s opfuzz --param speed=1", 2, "unknown parameter `speed`");
    error("mutate f.smt2 -s opfuzz --param speed", 2, "is not of the form name=value");
    error("mutate f.smt2 -s opfuzz --param operators=none.txt", 2, "cannot read none.txt");
    file("bad.txt", "and,nand\n");
    error(
        "mutate f.smt2 -s opfuzz --param operators=bad.txt",
        2,
        "line 1: unknown operator `nand`",
    );
    error("mutate f.smt2 -s opfuzz --without nand", 2, "unknown operator `nand`");
    error("mutate f.smt2 -s opfuzz --partner f.smt2", 2, "opfuzz takes no --partner");
    error("mutate none.smt2 -s opfuzz", 2, "cannot read none.smt2");
    error("mutate broken.smt2 -s opfuzz", 2, "broken.smt2:1:9: error:");
    error("mutate empty.smt2 -s opfuzz", 2, "empty.smt2: opfuzz cannot use it: no operator has");
    error("mutate f.smt2 -s opfuzz --out-dir f.smt2", 2, "cannot make f.smt2");
}
