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

/// Runs smelt. What an earlier run of the tests has left in the folder of results is no part of this one.
fn smelt(args: &str) -> Output {
    let words: Vec<&str> = args.split_whitespace().collect();
    let out = words.iter().position(|w| *w == "--out").and_then(|i| words.get(i + 1));
    if let Some(out) = out.filter(|_| !words.contains(&"--resume")) {
        let _ = std::fs::remove_dir_all(folder().join(out));
    }
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
    let far = stdout(
        "enumerate five-core --from 1e9 --stride-mul 1e10 --bursts 3 --min-bytes 500 -n 2 --print",
    );
    assert!(far.lines().count() == 6 && far.lines().next().unwrap().len() >= 500, "{far}");
    let sample = "enumerate strings --size 9 --sample -n 3 --print";
    assert_eq!(stdout(sample), stdout(sample));
    assert_ne!(stdout(sample), stdout(&format!("{sample} --seed 1")));
    assert_eq!(stdout("enumerate core --count --size 2"), "0\t0\n1\t4\n2\t164\n");
    assert_eq!(stdout("enumerate --list").lines().count(), 24);
    let word = stdout("enumerate five-core --from 1e60 -n 1 --print");
    let place = |word: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smelt"));
        command.args(["enumerate", "five-core", "--index-of", word]).output().unwrap()
    };
    let found = String::from_utf8(place(&word).stdout).unwrap();
    assert!(found.starts_with(&format!("1{}\tsize ", "0".repeat(60))), "{found}");
    let none = place("(assert a )");
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("five-core has no such word"));
    let grammar = stdout("enumerate --theory bitvec --variables 1 --print-grammar");
    assert!(grammar.contains("'(bvadd' bitvec_4 bitvec_4 ')'") && !grammar.contains("'b'"));
}

#[test]
fn bad_input() {
    file("few.g", "grammar Few;\nstart : 'a' | 'b' ;\n");
    file("broken.g", "grammar A;\nstart : 'a' x ;\n");
    error("enumerate broken.g -n 1 --print", "broken.g:2:13: error: there is no rule x");
    error("enumerate missing.g -n 1", "cannot read missing.g");
    error("enumerate missing -n 1", "no grammar inside smelt");
    error("enumerate core", "a number of words (-n) or a size (--size) is needed");
    error("enumerate core --size 0", "has 0 words of size 0");
    error("enumerate core -n 1 --from 1e9999", "10^4000");
    error("enumerate core -n 1 --from x", "a whole number is needed");
    error("enumerate core -n 1 --shard 3/2", "1 <= I <= N");
    error("enumerate core -n 9 --from 5 --canonical --print", "go with --size or with --from 0");
    error("enumerate core -n 9 --stride-mul 1e10 --print", "a --from that is not 0");
    error("enumerate few.g -n 1 --min-bytes 9", "no word of 9 bytes was found");
    error("enumerate --theory poetry -n 1", "there are core, ints");
    error("enumerate few.g --from 2 -n 1", "grammar few.g has 2 words, and none at number 2");
}

/// The sentence at the end; words that are no scripts keep their place; going on where everything is done.
#[test]
fn guarantee() {
    // Other binaries than those of the last time, whose answers are remembered.
    let say = |name: &str| solver(name, &format!("echo unsat # {name} {}", std::process::id()));
    say("one");
    say("two");
    file(
        "mixed.g",
        "grammar Mixed;\nt : 'false' | '(and false false)' | 'nonsense' ;\nstart : '(assert' t ')' '(check-sat)' ;\n",
    );
    let args = "enumerate mixed.g -n 5 --solver one=./one --solver two=./two --out told --jobs 1";
    let text = stdout(args);
    let told = "the 3 smallest formulas of the grammar mixed.g (there are no others): one and two agree on 2, no model was judged; \
        0 models undetermined, 0 unknown, 0 timeouts, 1 skipped; no finding";
    assert!(text.contains(told), "{text}");
    let again = stdout("enumerate --resume --out told");
    assert!(again.contains(told), "{again}");
    // The next run costs who is new: of the others it is known what they say.
    say("three");
    let args =
        "enumerate mixed.g -n 5 --solver one=./one --solver three=./three --out later --jobs 1";
    assert!(stdout(args).contains("2 answers from earlier runs, 1 skipped"));
    let line = stdout(&format!("{} --ask-again --json", args.replace("later", "afresh")));
    let last: serde_json::Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["kind"], &last["looked_at"], &last["of"]),
        (&"guarantee".into(), &3.into(), &3.into())
    );
    assert!(!line.contains("earlier runs"), "{line}");
}

/// A run that is cut off claims nothing of what had no turn, and goes on where it stopped.
#[test]
fn cut_off() {
    solver("slow", "sleep 0.2; echo unsat");
    let args = "enumerate core -n 4000 --solver slow=./slow --out cut --jobs 1 --time 2s";
    let text = stdout(args);
    assert!(text.contains("only 0 of the 4000 smallest formulas of the grammar core"), "{text}");
    assert!(text.contains(": none was tested; ") && !text.contains("is true"), "{text}");
}

/// Words of files in the published way are sent without a logic, others with the smallest one, or with what is asked for.
#[test]
fn headers() {
    // It repeats what it was sent and dies, which is a finding with both.
    solver("dies", "if grep -q weird $1; then cat $1 >&2; kill -SEGV $$; else echo sat; fi");
    let word = "grammar G;\nstart : '(declare-const weird Int)' '(assert (= weird weird))' '(check-sat)' ;\n";
    file("plain.g", word);
    file("published.g4", word);
    for (i, (args, expect)) in [
        ("plain.g", Some("(set-logic QF_IDL)")),
        ("plain.g --logic ALL", Some("(set-logic ALL)")),
        ("plain.g --logic none", None),
        ("published.g4", None),
        ("published.g4 --logic smallest", Some("(set-logic QF_IDL)")),
    ]
    .into_iter()
    .enumerate()
    {
        let out = smelt(&format!(
            "enumerate {args} -n 1 --solver dies=./dies --out sent{i} --jobs 1 --sandbox off"
        ));
        let told = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(10), "{args}: {told}");
        let mut found = std::fs::read_dir(folder().join(format!("sent{i}/findings"))).unwrap();
        let outputs = found.next().unwrap().unwrap().path().join("outputs");
        let texts = std::fs::read_dir(outputs).unwrap().flatten();
        let all: String =
            texts.map(|f| std::fs::read_to_string(f.path()).unwrap_or_default()).collect();
        assert!(all.contains("weird"), "{args}: {all}");
        match expect {
            Some(logic) => assert!(all.contains(logic), "{args}: {all}"),
            None => assert!(!all.contains("set-logic"), "{args}: {all}"),
        }
    }
}

/// Several grammars, with reports.
#[test]
fn continuous_integration() {
    solver("alone", "echo unsat");
    let word = "grammar G;\nstart : '(assert false)' '(check-sat)' ;\n";
    file("first.g", word);
    file("second.g", word);
    let args = "enumerate --ci first.g second.g -n 3 --solver alone=./alone --out ci --jobs 1";
    stdout(args);
    let read = |name: &str| std::fs::read_to_string(folder().join("ci").join(name)).unwrap();
    assert!(read("junit.xml").contains("tests=\"2\" failures=\"0\""), "{}", read("junit.xml"));
    assert!(read("summary.md").contains("| first.g | 1 of 1 | none | none | the 1 smallest"));
    // Nothing is left to do, and the reports say so again.
    stdout(&format!("{args} --resume"));
    assert!(read("summary.md").contains("| second.g | 1 of 1 | none |"), "{}", read("summary.md"));
    error("enumerate --ci first.g ./first.g", "two grammars are called first");
    // A grammar that is broken does not keep the others from being tested.
    file("broken.g", "grammar G;\nstart : '(assert' nowhere ')' ;\n");
    error(&args.replace("first.g", "broken.g"), "there is no rule nowhere");
    let junit = read("junit.xml");
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"1\""), "{junit}");
    assert!(read("summary.md").contains("| second.g | 1 of 1 |"), "{}", read("summary.md"));
    error("enumerate first.g second.g -n 1", "one grammar at a time");
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
