//! `smelt rules`, run as a user runs it, without solvers.

use std::path::PathBuf;
use std::process::{Command, Output};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rules")
}

fn file(name: &str, text: &str) {
    std::fs::create_dir_all(folder()).unwrap();
    std::fs::write(folder().join(name), text).unwrap();
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
    assert!(record.contains("(rule right ") && !record.contains("(rule wrong "), "{record}");
    file("bad.rules", "(implies bad :vars ((x Int)) :strong (<= x)");
    check("rules list --rules bad.rules", 2, &["bad.rules: line 1: missing `)`"]);
    file("sorts.rules", "(implies sorts :vars ((x Int)) :strong (and x x) :weak true)");
    check(
        "rules verify --rules sorts.rules --no-solvers --dry",
        1,
        &["unreadable", "1 unreadable"],
    );
}
