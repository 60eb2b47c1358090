//! Parts of a campaign, put together: what one campaign on one machine has, whatever the order, however often.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value as Json;

use crate::run::{SEED, SMALL, alone, folder, summary, text};
use crate::scripted::scripted;

/// Three bugs in different places, each with several triggers.
const CRASHES: &str = r#"
def answer(script):
    for (word, file, line) in [("(- ", "a.cpp", 1), ("(* ", "b.cpp", 2), ("xor", "c.cpp", 3)]:
        if word in script and script.count(" x") % 3 == line % 3:
            violate(file, line)
    return "unknown"
"#;

const PARTS: [&str; 4] = ["1", "2", "3", "4"];

/// A folder with a campaign as one, in `whole`, and as four, in `1` to `4`.
fn campaigns(name: &str) -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let made = MADE.get_or_init(made);
    let dir = folder(name, SEED);
    for campaign in PARTS.iter().chain(&["whole"]) {
        let copied = Command::new("cp").arg("-r").args([made.join(campaign), dir.clone()]).status();
        assert!(copied.unwrap().success());
    }
    dir
}

fn made() -> PathBuf {
    let dir = folder("merging-made", SEED);
    fs::write(dir.join("seeds/two.smt2"), SMALL).unwrap();
    let solver = scripted(&dir, "z3", CRASHES);
    let more = "--jobs 1 --seed 9 --deterministic --strategy opfuzz,typefuzz --positions 6 --options none --reduce off --json";
    let run = |out: &str, shard: &[&str]| {
        let args = ["fuzz", "seeds", "--solver", &solver, "--out", out];
        let args: Vec<&str> = args.into_iter().chain(more.split(' ')).collect();
        alone(&dir, &[&args[..], shard].concat(), 10)
    };
    run("whole", &[]);
    for part in PARTS {
        run(part, &["--shard", &format!("{part}/4")]);
    }
    dir
}

/// Merges and gives what was said.
fn merge(dir: &Path, out: &str, folders: &[&str], code: i32) -> Json {
    let args = [&["merge", "--json", out], folders].concat();
    summary(&alone(dir, &args, code))
}

/// What is in each file of the findings of a folder, but what depends on the moment.
fn findings(campaign: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(campaign.join("findings")).unwrap() {
        let path = entry.unwrap().path();
        let json = fs::read(path.join("finding.json")).unwrap();
        let mut json: Json = serde_json::from_slice(&json).unwrap();
        for field in ["found", "cpu_seconds", "spent"] {
            json.as_object_mut().unwrap().remove(field);
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let original = fs::read_to_string(path.join("original.smt2")).unwrap();
        all.insert(name, format!("{json}\n{original}"));
    }
    all
}

/// Counts without seconds.
fn counts(said: &Json) -> Json {
    let mut counts = said["counts"].clone();
    let all = counts.as_object_mut().unwrap();
    all.remove("strategy-cpu");
    for seconds in ["solver-cpu", "spent-cpu", "apart-cpu"] {
        all["total"].as_object_mut().unwrap().remove(seconds);
    }
    counts
}

/// The positions that a folder says were finished, each with what was made of it.
fn positions(campaign: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for run in fs::read_dir(campaign.join("runs")).unwrap() {
        let lines = fs::read_to_string(run.unwrap().path().join("positions.tsv")).unwrap();
        all.extend(lines.lines().filter(|l| !l.is_empty()).map(str::to_owned));
    }
    all.sort();
    all
}

#[test]
fn parts_are_the_whole() {
    let dir = campaigns("merging");
    // As one: a folder that is merged alone says what it has itself.
    let whole = merge(&dir, "one", &["whole"], 10);
    assert!(findings(&dir.join("whole")).len() >= 2, "{whole}");
    assert_eq!(findings(&dir.join("one")), findings(&dir.join("whole")));
    let all = merge(&dir, "all", &PARTS, 10);
    assert_eq!(findings(&dir.join("all")), findings(&dir.join("whole")));
    assert_eq!(counts(&all), counts(&whole));
    assert_eq!(positions(&dir.join("all")), positions(&dir.join("whole")));
    assert_eq!(all["remarks"], serde_json::json!([]));
    assert!(all["found_twice"].as_u64() > Some(0), "{all}");
    // Again: nothing is new, and nothing counts twice.
    let again = merge(&dir, "all", &PARTS, 0);
    assert_eq!(counts(&again), counts(&all));
    // In another order, one after the other, and through a folder that was merged itself.
    for (out, from) in [("3-1", ["3", "1"]), ("rest", ["4", "2"]), ("late", ["rest", "3-1"])] {
        merge(&dir, out, &from, 10);
    }
    assert_eq!(findings(&dir.join("late")), findings(&dir.join("whole")));
    let late = merge(&dir, "late", &["2", "rest", "1"], 0);
    assert_eq!(counts(&late), counts(&all));
    // What is missing is said.
    let some = merge(&dir, "some", &["2", "3"], 10);
    let remarks = some["remarks"].to_string();
    assert!(remarks.contains("2 of 4 parts are missing: 1/4, 4/4"), "{remarks}");
    // A page and drafts are made of it as of any campaign's; no run can go on.
    alone(&dir, &["report", "late", "--html", "page.html"], 0);
    let said = alone(&dir, &["fuzz", "--resume", "--out", "late"], 2);
    assert!(text(&said).contains("this folder was made by merging"), "{}", text(&said));
}

/// A campaign whose process was killed, files that are damaged or lead elsewhere, and work that was done twice.
#[test]
fn what_is_not_whole() {
    let dir = campaigns("merging-damaged");
    let run =
        |part: &str| fs::read_dir(dir.join(part).join("runs")).unwrap().next().unwrap().unwrap();
    // The last line was cut off, and a finding was being written.
    let lines = run("1").path().join("positions.tsv");
    let text = fs::read_to_string(&lines).unwrap();
    let cut = text.trim_end().rfind('\t').unwrap();
    fs::write(&lines, &text[..cut]).unwrap();
    fs::create_dir_all(dir.join("1/findings/.crash-z3-0123abcd.77")).unwrap();
    fs::write(dir.join("1/findings/.crash-z3-0123abcd.77/bug.smt2"), "(").unwrap();
    let one = merge(&dir, "a", &["1"], 10);
    assert_eq!(one["positions"].as_u64().unwrap() + 1, text.trim().lines().count() as u64);
    // No statement, a link, another key: named, and the rest is taken.
    fs::write(run("2").path().join("statement.json"), "{").unwrap();
    let real = run("3").path();
    fs::rename(&real, dir.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(dir.join("elsewhere"), &real).unwrap();
    let renamed = run("4").path().with_file_name("0123-1");
    fs::rename(run("4").path(), renamed).unwrap();
    let rest = merge(&dir, "b", &["1", "2", "3", "4"], 2);
    assert_eq!(rest["unreadable"].as_array().unwrap().len(), 3, "{rest}");
    assert_eq!(rest["runs"], 1);
    assert_eq!(findings(&dir.join("b")), findings(&dir.join("whole")));
    // One campaign, twice as a whole: each has all positions, and the tests of one of them count.
    let whole = merge(&dir, "c", &["whole", "whole"], 10);
    assert_eq!(whole["runs"], 1);
    let copy = dir.join("again");
    for (from, to) in [("statement.json", "statement.json"), ("positions.tsv", "positions.tsv")] {
        let to = copy.join("runs/00ff-1").join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let own = run("whole");
        let key = own.file_name().into_string().unwrap();
        let text = fs::read_to_string(own.path().join(from)).unwrap().replace(&key, "00ff-1");
        fs::write(to, text).unwrap();
    }
    let twice = merge(&dir, "c", &["again"], 0);
    assert_eq!((&twice["runs"], counts(&twice)), (&Json::from(1), counts(&whole)));
    assert!(twice["remarks"].to_string().contains("positions in common"), "{twice}");
}

/// Nothing is merged into itself, or into a campaign.
#[test]
fn refused() {
    let dir = campaigns("merging-refused");
    for (out, from, why) in [
        ("1", "1", "1 cannot be merged into itself"),
        ("1", "2", "1 has a campaign of its own: choose another folder"),
        ("seeds/one.smt2", "1", "cannot make the campaign's folder"),
    ] {
        let said = alone(&dir, &["merge", out, from], 2);
        assert!(text(&said).contains(why), "{out} {from}: {}", text(&said));
    }
}

/// A folder with the first finding of the whole campaign, changed by `change`.
fn forge(dir: &Path, name: &str, change: impl Fn(&mut Json)) -> PathBuf {
    let whole = dir.join("whole/findings");
    let mut all: Vec<PathBuf> = fs::read_dir(whole).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    let to = dir.join(name).join("findings");
    fs::create_dir_all(&to).unwrap();
    let copied = Command::new("cp").arg("-r").args([&all[0], &to]).status();
    assert!(copied.unwrap().success());
    let finding = to.join(all[0].file_name().unwrap());
    let path = finding.join("finding.json");
    let mut json: Json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut json);
    fs::write(path, json.to_string()).unwrap();
    finding
}

/// Findings are one if any of their signatures are, also by way of a third; the first of the schedule stays, unless smelt does not stand by
/// it any more; of two copies the one that more was done with.
#[test]
fn known_by_all_signatures() {
    let dir = campaigns("merging-signatures");
    let of = |name: &str, signature: &str, others: Json, position: u64| {
        forge(&dir, name, |f| {
            f["signature"] = signature.into();
            f["signatures"] = others.clone();
            f["position"] = position.into();
        });
    };
    of("l", "A", serde_json::json!([]), 2);
    of("n", "B", serde_json::json!(["A"]), 5);
    of("m", "B", serde_json::json!([]), 9);
    let orders: [&[&[&str]]; 4] = [
        &[&["l", "n", "m"]],
        &[&["n"], &["l", "m"]],
        &[&["n", "m"], &["l"]],
        &[&["m"], &["l"], &["n"]],
    ];
    let merged = |out: &str, steps: &[&[&str]]| {
        for (i, step) in steps.iter().enumerate() {
            // The first gives something new; what follows may give another one, which the last connects.
            let args = [&["merge", "--json", out], *step].concat();
            let code = if i == 0 || step == &["l"] && steps.len() == 3 { 10 } else { 0 };
            alone(&dir, &args, code);
        }
        merge(&dir, out, &["m", "l"], 0);
        findings(&dir.join(out))
    };
    for (i, steps) in orders.iter().enumerate() {
        let all = merged(&format!("order-{i}"), steps);
        let first = all.values().next().unwrap();
        assert!(all.len() == 1 && first.contains("\"position\":2"), "{i}: {all:#?}");
    }
    let withdrawn = forge(&dir, "first", |f| {
        f["verdicts"][0]["withdrawn"] = "it is not so".into();
        f["position"] = 0.into();
    });
    forge(&dir, "second", |f| f["position"] = 7.into());
    merge(&dir, "standing", &["first", "second"], 10);
    assert!(findings(&dir.join("standing")).values().all(|f| f.contains("\"position\":7")));
    // A copy that went on is taken.
    let path = withdrawn.join("finding.json");
    merge(&dir, "gone-on", &["first"], 10);
    let text =
        fs::read_to_string(&path).unwrap().replace("\"format\":3", "\"known\":\"#1\",\"format\":3");
    fs::write(&path, text).unwrap();
    merge(&dir, "gone-on", &["first"], 0);
    assert!(findings(&dir.join("gone-on")).values().all(|f| f.contains("\"known\":\"#1\"")));
}

/// Files of a stranger: what leads elsewhere is not read, what no run can say is not counted, and the next merging knows nothing of it.
#[test]
fn strangers() {
    use std::os::unix::fs::symlink;
    let dir = campaigns("merging-strangers");
    fs::create_dir_all(dir.join("secret/quarantine")).unwrap();
    fs::write(dir.join("secret/quarantine/s.smt2"), "secret").unwrap();
    let own = fs::read_dir(dir.join("1/runs")).unwrap().next().unwrap().unwrap().path();
    let statement = fs::read_to_string(own.join("statement.json")).unwrap();
    let key = own.file_name().unwrap().to_str().unwrap().to_owned();
    for (name, was, is) in [
        ("1", "\"of\":4", "\"of\":0"),
        ("2", "\"duplicates\":", "\"panics\":18446744073709551615,\"not-counted\":"),
        ("3", "\"elapsed\":", "\"elapsed\":-1.0,\"not-elapsed\":"),
    ] {
        let to = dir.join("odd").join("runs").join(format!("{key}{name}"));
        fs::create_dir_all(&to).unwrap();
        let new = to.file_name().unwrap().to_str().unwrap().to_owned();
        let text = statement.replacen(was, is, 1).replace(&key, &new);
        assert_ne!(text, statement.replace(&key, &new), "{name}");
        fs::write(to.join("statement.json"), text).unwrap();
    }
    let finding = forge(&dir, "odd", |_| {});
    fs::remove_dir_all(finding.join("outputs")).unwrap();
    symlink(dir.join("secret/quarantine"), finding.join("outputs")).unwrap();
    fs::create_dir_all(finding.join("triggers")).unwrap();
    symlink("../../..", finding.join("triggers/loop")).unwrap();
    symlink(dir.join("secret/quarantine"), dir.join("odd/quarantine")).unwrap();
    symlink(dir.join("whole/findings"), dir.join("3/findings/linked")).unwrap();
    fs::create_dir_all(dir.join("led")).unwrap();
    symlink(dir.join("whole/findings"), dir.join("led/findings")).unwrap();
    symlink(dir.join("whole/runs"), dir.join("led/runs")).unwrap();
    let said = merge(&dir, "out", &["odd", "led"], 2);
    // Three statements; no folder of its own, and both links in it.
    assert_eq!(said["unreadable"].as_array().unwrap().len(), 6, "{said:#}");
    assert_eq!((&said["runs"], &said["findings"]), (&Json::from(0), &Json::from(1)), "{said}");
    let found = Command::new("grep").args(["-r", "secret"]).arg(dir.join("out")).output().unwrap();
    assert!(found.stdout.is_empty(), "{found:?}");
    let again = merge(&dir, "out", &["1"], 10);
    assert_eq!(again["runs"], 1);
}

/// Scripts as they are, in parts: of scripts with one fault the first is kept, as by one process. A part that was interrupted is not at its end.
#[test]
fn scripts_as_they_are() {
    let dir = folder("merging-as-is", SEED);
    for i in 0..3 {
        fs::write(dir.join(format!("seeds/small-{i}.smt2")), format!("{SMALL};{i}\n")).unwrap();
    }
    let crash =
        "def answer(script):\n    return violate('a.cpp', 1) if 'or' in script else 'unknown'\n";
    let solver = scripted(&dir, "z3", crash);
    let run = |out: &str, shard: &[&str]| {
        let args = ["fuzz", "seeds", "--as-is", "--seed", "1", "--jobs", "1", "--reduce", "off"];
        alone(&dir, &[&args, &["--solver", &solver, "--out", out][..], shard].concat(), 10);
    };
    run("whole", &[]);
    run("1", &["--shard", "1/2"]);
    run("2", &["--shard", "2/2"]);
    merge(&dir, "all", &["2", "1"], 10);
    assert_eq!(findings(&dir.join("all")), findings(&dir.join("whole")));
}
