//! `smelt enumerate`, run as a user runs it.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("enumerate");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(name: &str, text: &str) {
    std::fs::write(folder().join(name), text).unwrap();
}

/// A solver that is a shell script; `$1` is the file.
fn solver(name: &str, script: &str) {
    file(name, &format!("#!/bin/sh\n{script}\n"));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder().join(name), mode).unwrap();
}

fn smelt(args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
    command.args(args.split_whitespace()).current_dir(folder());
    command.env("SMELT_HOME", folder().join("home")).output().unwrap()
}

fn stdout(args: &str) -> String {
    let out = smelt(args);
    assert_eq!(out.status.code(), Some(0), "{args}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn error(args: &str, message: &str) {
    let out = smelt(args);
    let text = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{args}: {text}");
    assert!(text.contains(message), "{args}: no `{message}` in {text}");
}

#[test]
fn words() {
    let first = stdout("enumerate core -n 6 --print");
    assert_eq!(first.lines().count(), 6, "{first}");
    let head = "(declare-const a Bool) (declare-const b Bool) (assert";
    assert!(first.starts_with(&format!("{head} true ) (check-sat)\n{head} false ) (check-sat)\n")));
    assert_eq!(stdout("enumerate core -n 2 --from 4 --print").lines().next(), first.lines().nth(4));
    // All words, in parts and in one.
    let all = stdout("enumerate ints -n 200 --print");
    let mut parts: Vec<String> = Vec::new();
    for i in 1..=3 {
        let part = stdout(&format!("enumerate ints -n 200 --print --shard {i}/3"));
        parts.extend(part.lines().map(str::to_owned));
    }
    parts.sort();
    let mut lines: Vec<&str> = all.lines().collect();
    lines.sort_unstable();
    assert_eq!(parts, lines);
    let fewer = stdout("enumerate ints -n 200 --print --commutative").lines().count();
    let some = stdout("enumerate ints -n 200 --print --canonical").lines().count();
    assert!(0 < fewer && fewer < some && some < 200, "{fewer} {some}");
    assert!(stdout("enumerate five-ints --from 1e100 -n 1 --print").len() > 300);
    let sample = "enumerate strings --size 9 --sample -n 3 --print";
    assert_eq!(stdout(sample), stdout(sample));
    assert_ne!(stdout(sample), stdout(&format!("{sample} --seed 1")));
    assert_eq!(stdout("enumerate core --count --size 2"), "0\t0\n1\t4\n2\t164\n");
    assert_eq!(stdout("enumerate --list").lines().count(), 24);
    let grammar = stdout("enumerate --theory bitvec --variables 1 --print-grammar");
    assert!(grammar.contains("'(bvadd' bitvec_4 bitvec_4 ')'") && !grammar.contains("'b'"));
}

#[test]
fn bad_input() {
    file("broken.g", "grammar A;\nstart : 'a' x ;\n");
    error("enumerate broken.g -n 1 --print", "broken.g:2:13: error: there is no rule x");
    error("enumerate missing.g -n 1", "cannot read missing.g");
    error("enumerate missing -n 1", "no grammar inside smelt");
    error("enumerate core", "a number of words (-n) or a size (--size) is needed");
    error("enumerate core --size 0", "has 0 words of size 0");
    error("enumerate core -n 1 --from 1e9999", "10^4000");
    error("enumerate core -n 1 --from x", "a whole number is needed");
    error("enumerate core -n 1 --shard 3/2", "1 <= I <= N");
    error("enumerate --theory poetry -n 1", "there are core, ints");
    file("few.g", "grammar Few;\nstart : 'a' | 'b' ;\n");
    error("enumerate few.g --from 2 -n 1", "grammar few.g has 2 words, and none at number 2");
}

/// The sentence at the end; words that are no scripts keep their place; going on where everything is done.
#[test]
fn guarantee() {
    solver("one", "echo unsat");
    solver("two", "echo unsat");
    file(
        "mixed.g",
        "grammar Mixed;\nt : 'false' | '(and false false)' | 'nonsense' ;\nstart : '(assert' t ')' '(check-sat)' ;\n",
    );
    let args = "enumerate mixed.g -n 5 --solver one=./one --solver two=./two --out told --jobs 1";
    let text = stdout(args);
    let told = "all 3 of 3 formulas of the grammar mixed.g, from number 0 on, up to size 1: one and two agree on 2, \
        every model that the judge decides is true (0 of them); 0 models undetermined, 0 decided by one solver alone, \
        0 contradicted, 0 unknown, 0 timeouts, 0 out of memory, 0 rejected, 0 without an answer, \
        0 passed over as symmetric, 1 skipped";
    assert!(text.contains(told), "{text}");
    let again = stdout("enumerate --resume --out told");
    assert!(again.contains(told), "{again}");
}

/// A solver that is wrong is accused, with evidence, and the word is named by its place.
#[test]
fn a_liar() {
    solver("liar", "echo unsat");
    let args =
        "enumerate core -n 3 --solver liar=./liar --solver honest=./honest --out lies --jobs 1";
    solver(
        "honest",
        "if grep -q 'assert false' $1; then echo unsat; else echo sat; echo '((define-fun a () Bool true) (define-fun b () Bool true))'; fi",
    );
    let out = smelt(args);
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(10), "{text}{}", String::from_utf8_lossy(&out.stderr));
    assert!(text.contains("refutation-soundness") || text.contains("liar"), "{text}");
    assert!(text.contains("2 contradicted"), "{text}");
    let findings = std::fs::read_dir(folder().join("lies/findings")).unwrap();
    let mut origins =
        findings.map(|f| std::fs::read_to_string(f.unwrap().path().join("finding.json")).unwrap());
    assert!(origins.any(|json| json.contains("\"enumerated\"") && json.contains("\"core\"")));
}
