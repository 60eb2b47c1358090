//! Every line of JSON is as docs/json.md says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
            described.fields.insert(quoted(field).remove(0), kind.trim().to_owned());
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
    kind.to_owned()
}

#[test]
fn every_line_is_described() {
    let dir = folder("json", SEED);
    testing::solver("z3@latest");
    let page = page();
    fs::write(dir.join("m.txt"), "((define-fun x () Int 4)(define-fun y () Int 7))").unwrap();
    pipe(&dir.join("seeds/pipe.smt2"));
    let crasher = shell(&dir, "crasher", CRASHES);
    let fuzz = campaign(&[&crasher], "--findings 1 --out out --strategy opfuzz --seed 1 --json");
    let runs: [(&[&str], &[&str]); 11] = [
        (&fuzz, &["found", "end"]),
        (&["fuzz", "--list-skipped", "--out", "out", "--json"], &["skipped"]),
        (&["check", "seeds/one.smt2", "--solver", "z3@latest", "--json"], &["file"]),
        (&["eval", "seeds/one.smt2", "--model", "m.txt", "--json"], &["eval"]),
        (&["mutate", "--strategy", "opfuzz", "-n", "2", "seeds/one.smt2", "--json"], &["mutant"]),
        (&["mutate", "--list", "--json"], &["strategy"]),
        (&["rules", "list", "--json"], &["rule"]),
        (&["recheck", "--judge", "out/findings", "--json"], &["recheck"]),
        (&["solvers", "list", "z3@latest", "--json"], &["solver"]),
        (&["solvers", "doctor", "z3@latest", "--json"], &["health"]),
        (&["solvers", "list", "nosuch", "--json"], &["solver"]),
    ];
    for (args, kinds) in runs {
        let out = command(&dir, args).output().unwrap();
        let said = String::from_utf8(out.stdout.clone()).unwrap();
        let mut seen: Vec<String> = said.lines().map(|l| check(&page, l)).collect();
        seen.dedup();
        for kind in kinds {
            assert!(seen.iter().any(|k| k == kind), "{args:?}: no {kind}: {}", text(&out));
        }
    }
    // A finding is named so that it can be found.
    let all = fs::read_dir(dir.join("out/findings")).unwrap();
    assert!(all.count() > 0);
}
