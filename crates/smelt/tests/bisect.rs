//! `smelt bisect` and `smelt report`, with builds and findings made up for the purpose.

mod run;

use std::path::PathBuf;
use std::process::Output;

use serde_json::Value as Json;

use run::{file, program, smelt};

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n";

/// Builds of a made-up solver: a word for each, which it answers where something is asserted.
fn builds(folder: &str, answers: &[&str]) -> PathBuf {
    for (i, answer) in answers.iter().enumerate() {
        let text = format!("grep -q assert \"$1\" && {{ {answer}; exit; }}; echo sat");
        program(&format!("{folder}/mine-{}", i + 8), &text);
    }
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder)
}

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

/// Numbers count as numbers, a build that cannot tell is passed over, and what was fixed may come back.
#[test]
fn a_history_of_builds() {
    let (good, bad, open) = ("echo sat", "echo unsat", "echo unknown");
    let folder = builds("history", &[good, open, bad, bad, good, good, bad, bad]);
    let script = file("history.smt2", SCRIPT);
    let (folder, script) = (folder.to_str().unwrap(), script.to_str().unwrap());
    let accused = format!("mine={folder}/mine-10");
    let args =
        ["bisect", script, "--solver", &accused, "--wrong", "unsat", "--builds", folder, "--all"];
    let output = smelt(&args);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for line in [
        "last good mine-8, first bad mine-10 (mine-9 cannot tell), last bad mine-11, fixed in mine-12",
        "last good mine-13, first bad mine-14, not fixed in mine-15, the last that can tell",
        "8 of 8 asked, 8 runs",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let json: Json =
        serde_json::from_slice(&smelt(&[&args[..], &["--json"]].concat()).stdout).unwrap();
    assert_eq!(json["spans"][0]["first-bad"], "mine-10", "{json}");
    assert_eq!(json["spans"][1]["fixed-in"], Json::Null, "{json}");
    assert_eq!(json["asked"].as_array().unwrap().len(), 8);
    // Several at a time say the same.
    let wide = [&args[..], &["--json", "--jobs", "3"]].concat();
    let wide: Json = serde_json::from_slice(&smelt(&wide).stdout).unwrap();
    assert_eq!((&wide["asked"], &wide["spans"]), (&json["asked"], &json["spans"]));
}

/// What `git bisect run` wants to hear.
#[test]
fn steps() {
    let folder = builds("steps", &["echo sat", "echo unsat", "echo unknown", "exit 3"]);
    let script = file("steps.smt2", SCRIPT);
    let script = script.to_str().unwrap();
    for (build, code) in
        [("mine-8", 0), ("mine-9", 1), ("mine-10", 125), ("mine-11", 125), ("none", 125)]
    {
        let solver = format!("mine={}", folder.join(build).display());
        let step = ["bisect", "--step", script, "--wrong", "unsat", "--solver", &solver];
        let output = smelt(&step);
        assert_eq!(output.status.code(), Some(code), "{build}: {}", said(&output));
    }
}

#[test]
fn bad_input() {
    let folder = builds("bad-input", &["echo sat", "echo sat"]);
    let script = file("bad-input.smt2", SCRIPT);
    let broken = file("bad-input-broken.smt2", "(assert (> x 1))\n");
    let accused = format!("mine={}", folder.join("mine-8").display());
    let (script, broken) = (script.to_str().unwrap(), broken.to_str().unwrap());
    for (args, expect) in [
        (vec![script], "a script needs --solver"),
        (
            vec![script, "--solver", &accused, "--wrong", "unsat"],
            "does not show it, neither as it is written",
        ),
        (vec![broken, "--solver", &accused, "--wrong", "unsat"], "smelt cannot read it"),
        (vec!["no-such-file", "--solver", &accused], "cannot read no-such-file"),
        (vec![script, "--step", "--solver", &accused], "a script needs --wrong here"),
    ] {
        let output = smelt(&[&["bisect"], &args[..]].concat());
        let text = said(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(expect), "{args:?}: {text}");
    }
    let output = smelt(&["report", "--campaign", "no-such-campaign"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("is neither a campaign's folder nor a finding's"));
    let output = smelt(&["report", "no/such"]);
    assert!(said(&output).contains("no/such is no folder, and no bug is called so"));
    let output = smelt(&["report", "x", "--mark", "y=z"]);
    assert!(said(&output).contains("x cannot be said beside it"));
}

/// A campaign's draft, page and list have no path of this machine, and a bug is reported once.
#[test]
fn reports_of_a_campaign() {
    let lies = "case \"$1\" in *version*) exit;; esac; grep -q '(> x 1)' \"$1\" && { echo unsat; exit; }; echo sat";
    let liar = program("reports/liar", lies);
    let seed = file("reports/seed.smt2", SCRIPT);
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reports/out");
    let _ = std::fs::remove_dir_all(&dir);
    let campaign = dir.to_str().unwrap();
    let solver = format!("liar={}", liar.display());
    let output = smelt(&[
        "fuzz",
        seed.to_str().unwrap(),
        "--as-is",
        "--reduce",
        "off",
        "--solver",
        &solver,
        "--solver",
        "z3@5.4.0",
        "--out",
        campaign,
        "--jobs",
        "1",
        "--seed",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(10), "{}", said(&output));
    let list = smelt(&["report", "--campaign", campaign, "--json"]);
    let bug: Json = serde_json::from_slice(&list.stdout).unwrap();
    let id = bug["id"].as_str().unwrap().to_owned();
    assert_eq!((&bug["class"], &bug["turn"]), (&"refutation-soundness".into(), &"now".into()));
    let drafts = dir.join("drafts");
    let page = dir.join("page.html");
    let all = smelt(&[
        "report",
        "all",
        "--campaign",
        campaign,
        "--out",
        drafts.to_str().unwrap(),
        "--html",
        page.to_str().unwrap(),
    ]);
    assert_eq!(all.status.code(), Some(0), "{}", said(&all));
    let draft = std::fs::read_to_string(drafts.join(format!("{id}.md"))).unwrap();
    let kept = std::fs::read_to_string(dir.join("findings").join(&id).join("report.md")).unwrap();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(draft.starts_with(&kept), "{draft}\n{kept}");
    assert!(draft.contains("satisfy all assertions, so the answer is `sat`"), "{draft}");
    for text in [&draft, &page] {
        assert!(!text.contains(env!("CARGO_TARGET_TMPDIR")), "{text}");
    }
    assert!(page.contains(&id) && page.contains("(assert (&gt; x 1))"), "{page}");
    let mark = format!("{id}=https://example.org/1");
    assert_eq!(smelt(&["report", campaign, "--mark", &mark]).status.code(), Some(0));
    let list = said(&smelt(&["report", "--campaign", campaign]));
    assert!(list.contains("reported: https://example.org/1"), "{list}");
}
