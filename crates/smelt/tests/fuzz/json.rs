//! Every line of JSON is as docs/json.md says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value as Json;
use smelt_solver::testing;

use crate::run::{SEED, campaign, command, folder, pipe, text};
use crate::scripted::{CRASHES, shell};

/// What the page says of a kind: its fields with their types, and all words that it quotes.
#[derive(Default)]
struct Described {
    fields: BTreeMap<String, String>,
    words: Vec<String>,
}

fn page() -> BTreeMap<String, Described> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let text = fs::read_to_string(path).unwrap();
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let mut kinds: BTreeMap<String, Described> = BTreeMap::new();
    for line in text.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let [of, field, kind, meaning] = &cells[..] else { continue };
        for name in quoted(of) {
            let described = kinds.entry(name).or_default();
            for field in quoted(field) {
                described.fields.insert(field, kind.trim().to_owned());
            }
            described.words.extend(quoted(meaning));
        }
    }
    kinds
}

fn is_a(kind: &str, value: &Json) -> bool {
    match kind.trim_end_matches('?') {
        "text" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "list" => value.is_array(),
        "object" => value.is_object(),
        "truth" => value.is_boolean(),
        "any" => true,
        other => panic!("docs/json.md: {other:?} is no type"),
    }
}

/// Holds a line against the page.
fn check(page: &BTreeMap<String, Described>, line: &str) -> String {
    let value: Json = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    let kind = value["kind"].as_str().unwrap_or_else(|| panic!("no kind: {line}"));
    let said = page.get(kind).unwrap_or_else(|| panic!("docs/json.md has no kind {kind}: {line}"));
    for (name, of) in &said.fields {
        let optional = of.ends_with('?') && value[name].is_null();
        assert!(optional || is_a(of, &value[name]), "{kind}.{name} is no {of}: {line}");
    }
    for name in value.as_object().unwrap().keys().filter(|n| *n != "kind") {
        let known = said.fields.contains_key(name) || said.words.contains(name);
        assert!(known, "docs/json.md does not have {kind}.{name}: {line}");
    }
    let lists = value.as_object().unwrap().values().filter(|v| v.is_array());
    for (name, of) in lists.flat_map(objects) {
        let known = said.fields.contains_key(name) || said.words.iter().any(|w| w == name);
        assert!(known, "docs/json.md does not have {name} in {kind}: {of}");
    }
    kind.to_owned()
}

/// The fields of all objects in lists, with these. What stands in an object is a map from names that are not fixed, unless the object is
/// in a list itself.
fn objects(value: &Json) -> Vec<(&str, &Json)> {
    let mut found = Vec::new();
    for one in value.as_array().into_iter().flatten() {
        found.extend(objects(one));
        for (name, inner) in one.as_object().into_iter().flatten() {
            found.push((name.as_str(), one));
            found.extend(objects(inner));
        }
    }
    found
}

#[test]
fn every_line_is_described() {
    let dir = folder("json", SEED);
    testing::solver("z3@latest");
    let page = page();
    fs::write(dir.join("m.txt"), "((define-fun x () Int 4)(define-fun y () Int 7))").unwrap();
    pipe(&dir.join("seeds/pipe.smt2"));
    let crasher = shell(&dir, "crasher", CRASHES);
    testing::solver("z3@4.8.7");
    for (name, answer) in [("mine-1", "sat"), ("mine-2", "unsat")] {
        shell(&dir.join("builds"), name, &format!("echo {answer}"));
    }
    fs::write(dir.join("seeds/two.smt2"), "(set-info :status unsat)(check-sat)").unwrap();
    let fuzz = campaign(&[&crasher], "--findings 1 --out out --strategy opfuzz --seed 1 --json");
    let out = command(&dir, &fuzz).output().unwrap();
    let mut seen = kinds(&page, &out);
    assert!(seen.contains("found") && seen.contains("end"), "{}", text(&out));
    let mut all = fs::read_dir(dir.join("out/findings")).unwrap();
    let id = all.next().unwrap().unwrap().file_name().into_string().unwrap();
    let finding = format!("out/findings/{id}");
    let mine = format!("mine={}", dir.join("builds/mine-2").display());
    let runs: [(&str, &[&str], &[&str]); 27] = [
        ("fuzz --list-skipped --out out", &[], &["skipped"]),
        ("check seeds/one.smt2 --solver z3@latest", &[], &["file"]),
        (
            "check seeds --solver z3@latest --solver z3@4.8.7 --solver",
            &[&crasher],
            &["file", "total", "table"],
        ),
        (
            "janus seeds/one.smt2 --solver z3@4.8.7 --solver z3@latest --tests 3 --out janus",
            &[],
            &["end"],
        ),
        (
            "enumerate core --solver z3@latest --solver z3@4.8.7 -n 5 --out words",
            &[],
            &["end", "guarantee"],
        ),
        (
            "evolve seeds --solver z3@4.8.7 --solver z3@latest --current z3@4.8.7 --out evolve",
            &[],
            &["evolution"],
        ),
        ("bisect seeds/one.smt2 --wrong unsat --builds builds --solver", &[&mine], &["bisect"]),
        ("merge merged out", &[], &["merged"]),
        (
            "perf --target z3@4.8.7 --ref z3@latest --theory ints --method random --restarts 1 --queries 1 --limit 0.2 --out perf",
            &[],
            &["perf"],
        ),
        ("report out", &[], &["bug"]),
        ("report out", &[&id], &["report"]),
        ("report", &[&finding], &["bug"]),
        ("recheck out --solver", &[&crasher], &["rechecked-bug"]),
        ("eval seeds/one.smt2 --model m.txt", &[], &["eval"]),
        ("mutate --strategy opfuzz -n 2 seeds/one.smt2", &[], &["mutant"]),
        ("mutate --list", &[], &["strategy"]),
        ("rules list", &[], &["rule"]),
        ("recheck --judge out/findings", &[], &["recheck"]),
        ("replay out --jobs 2", &[], &["replay"]),
        ("replay out --solver", &[&crasher], &["replay"]),
        ("replay out/findings/none", &[], &["replay"]),
        ("reduce seeds/one.smt2 --solver z3@latest --compare", &[&mine], &["reduced"]),
        ("reduce", &[&finding, "--solver", &crasher], &["reduced"]),
        (
            "rules verify bool-xor bv-equal-times-odd --width 3 --rounds 10 --dry --solver z3@latest",
            &[],
            &["verified", "verification"],
        ),
        ("solvers list z3@latest", &[], &["solver"]),
        ("solvers doctor z3@latest", &[], &["health"]),
        ("solvers list nosuch", &[], &["solver"]),
    ];
    for (words, more, expect) in runs {
        let args: Vec<&str> =
            words.split(' ').chain(more.iter().copied()).chain(["--json"]).collect();
        let out = command(&dir, &args).output().unwrap();
        let own = kinds(&page, &out);
        for kind in expect {
            assert!(own.contains(*kind), "{args:?}: no {kind}: {}", text(&out));
        }
        seen.extend(own);
    }
    // What only a longer campaign, the network, or a hub would show; the lab's own test holds its line.
    let rest = ["available", "lab", "message", "progress", "settled", "worked", "working"];
    let missing = page.keys().filter(|k| !seen.contains(*k) && !rest.contains(&k.as_str()));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}

/// The kinds of all lines of a run, each held against the page.
fn kinds(page: &BTreeMap<String, Described>, out: &Output) -> BTreeSet<String> {
    let said = String::from_utf8(out.stdout.clone()).unwrap();
    said.lines().map(|l| check(page, l)).collect()
}
