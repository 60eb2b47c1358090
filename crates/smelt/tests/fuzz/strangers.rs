//! Folders of findings, and of campaigns, that come from somebody else: nothing in them is run, written, read or installed
//! unless the user says so.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use smelt_solver::testing;

use crate::run::{SEED, bare_command, campaign, findings, folder, pipe, smelt, text};
use crate::scripted::{CRASHES, shell};

/// A finding that a shell script was accused of.
fn accusation(name: &str) -> (PathBuf, PathBuf, Json) {
    let dir = folder(name, SEED);
    let crasher = shell(&dir, "crasher", CRASHES);
    let more = "--findings 1 --tests 300 --out out --strategy opfuzz --seed 1";
    smelt(&dir, &campaign(&[&crasher], more), 10);
    let (path, finding) = findings(&dir).remove(0);
    (dir, path, finding)
}

/// What smelt says to the finding with some fields changed, beside its exit code.
fn replayed(dir: &Path, path: &Path, f: &Json, change: &Json, more: &[&str]) -> (i32, String) {
    let mut f = f.clone();
    for (key, value) in change.as_object().unwrap() {
        let place = match key.as_str() {
            "spec" => "/accused/spec",
            "session" | "check" => &format!("/reproducer/{key}"),
            "options" | "tactic" => &format!("/reproducer/mode/{key}"),
            _ => &format!("/{key}"),
        };
        *f.pointer_mut(place).unwrap() = value.clone();
        // Options go to the kind of solver only that they are of.
        if let Some((kind, _)) = value.as_str().and_then(|spec| spec.split_once('@'))
            && key == "spec"
        {
            f["accused"]["profile"] = kind.into();
        }
    }
    fs::write(path.join("finding.json"), f.to_string()).unwrap();
    let args = [&["replay", path.to_str().unwrap()], more].concat();
    let out = bare_command(dir, &args).output().unwrap();
    (out.status.code().unwrap(), text(&out))
}

#[test]
fn findings_run_nothing() {
    drop((testing::solver("z3@latest"), testing::solver("cvc5@latest")));
    drop((testing::solver("yices@latest"), testing::solver("bitwuzla@latest")));
    let (dir, path, f) = accusation("findings-run-nothing");
    let ran = dir.join("ran");
    let program = shell(&dir, "program", &format!("echo > '{}'; echo unsat", ran.display()));
    let program = program.split_once('=').unwrap().1;
    let victim = dir.join("victim");
    fs::write(&victim, "precious").unwrap();
    let (ran, victim) = (ran.to_str().unwrap(), victim.to_str().unwrap());
    let command = "it names a command, which is run only if you give it by --solver";
    let option = "is none that smelt gives to";
    let check = |change: Json, expect: &str| {
        let (code, said) = replayed(&dir, &path, &f, &change, &[]);
        assert!(said.contains(expect), "{change}: no `{expect}` in\n{said}");
        assert_eq!(code, 2, "{change}: {said}");
        assert!(!Path::new(ran).exists(), "{change}");
        assert_eq!(fs::read_to_string(victim).unwrap(), "precious", "{change}");
    };
    // Commands, under any name.
    for spec in [
        f["accused"]["spec"].as_str().unwrap().to_owned(),
        format!("/bin/sh -c \"echo > {ran}\""),
        format!("sh -c \"echo > {ran}\""),
        format!("sh:-c \"echo > {ran}\""),
        format!("z3=sh -c \"echo > {ran}\""),
        format!("generic={program}"),
        format!("z3={program}"),
        format!("z3@latest={program}"),
        program.to_owned(),
        format!("./{}", Path::new(program).file_name().unwrap().display()),
        "python3 -c \"open('ran','w')\"".to_owned(),
        "generic".to_owned(),
    ] {
        check(json!({ "spec": spec }), command);
    }
    // Options of solvers that are here, with the solver and beside it.
    for (solver, given) in [
        ("z3@latest", format!("trace_file_name={victim}")),
        ("z3@latest", format!("sat.drat.file={victim}")),
        ("z3@latest", format!("solver.smtlib2_log={victim}")),
        ("z3@latest", format!("solver.proof.log={victim}")),
        ("z3@latest", format!("-log:{victim}")),
        ("z3@latest", format!("tactic.default_tactic=(using-params sat :drat.file |{victim}|)")),
        ("cvc5@latest", format!("--regular-output-channel={victim}")),
        ("cvc5@latest", format!("--diagnostic-output-channel={victim}")),
        ("cvc5@latest", format!("--out={victim}")),
        ("cvc5@latest", format!("--write-partitions-to={victim}")),
        ("yices@latest", format!("--export-to-dimacs={victim}")),
        ("yices@latest", format!("--mcsat-{victim}")),
        ("bitwuzla@latest", format!("--write-cnf={victim}")),
        ("bitwuzla@latest", format!("--write-aiger={victim}")),
    ] {
        check(json!({ "spec": format!("{solver} '{given}'") }), option);
        check(json!({ "spec": solver, "options": [given] }), option);
    }
    let tactic = format!("(using-params sat :drat.file |{victim}|)");
    check(json!({ "spec": "z3@latest", "tactic": tactic }), option);
    // Nothing is fetched.
    let before = fs::read_dir(testing::home().solvers()).unwrap().count();
    check(json!({ "spec": "z3@4.8.9" }), "z3@4.8.9 is not installed");
    assert_eq!(fs::read_dir(testing::home().solvers()).unwrap().count(), before);
    // The user's own words count.
    let own = ["--solver", program, "--sandbox", "off"];
    let (_, said) = replayed(&dir, &path, &f, &json!({}), &own);
    assert!(said.contains("does not hold: unsat") && Path::new(ran).exists(), "{said}");
    let (_, said) = replayed(&dir, &path, &f, &json!({ "spec": "z3@latest" }), &[]);
    assert!(said.contains("does not hold"), "{said}");
    let options =
        json!({ "spec": "z3@latest model_validate=true", "options": ["auto_config=false"] });
    let (code, said) = replayed(&dir, &path, &f, &options, &[]);
    assert!(code == 0 && said.contains("does not hold"), "{said}");
    let log = format!("z3@latest sat.drat.file={}/drat", dir.display());
    let options = json!({ "options": [format!("sat.drat.file={}/drat", dir.display())] });
    let (code, said) = replayed(&dir, &path, &f, &options, &["--solver", &log]);
    assert!(code == 0 && said.contains("does not hold"), "{said}");
}

/// Scripts of findings are filtered as all scripts are; a transcript is sent as it is written.
#[test]
fn scripts_of_findings() {
    drop((testing::solver("z3@latest"), testing::solver("cvc5@latest")));
    let (dir, path, f) = accusation("scripts-of-findings");
    let victim = dir.join("victim");
    for (solver, line) in [
        ("z3@latest", "(set-option :regular-output-channel \"{F}\")"),
        ("z3@latest", "(set-option :trace_file_name \"{F}\")(set-option :trace true)"),
        ("z3@latest", "(include \"{F}\")"),
        ("cvc5@latest", "(set-option :regular-output-channel \"{F}\")"),
        ("cvc5@latest", "(set-option :out \"{F}\")"),
    ] {
        let line = line.replace("{F}", victim.to_str().unwrap());
        let bug =
            format!("{line}(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n");
        for (file, transcript) in [("bug.smt2", true), ("bug.smt2", false), ("original.smt2", true)]
        {
            fs::write(&victim, "(echo \"precious\")").unwrap();
            fs::write(path.join(file), &bug).unwrap();
            let change = json!({ "spec": solver, "session": transcript, "check": 0 });
            let (_, said) = replayed(&dir, &path, &f, &change, &[]);
            assert!(!said.contains("precious"), "{said}");
            assert_eq!(fs::read_to_string(&victim).unwrap(), "(echo \"precious\")", "{said}");
        }
    }
}

/// A file of a finding is a plain file in its folder, and not larger than any that smelt writes.
#[test]
fn files_of_findings() {
    drop(testing::solver("z3@latest"));
    let (dir, path, f) = accusation("files-of-findings");
    let secret = dir.join("secret");
    fs::write(&secret, "(assert |a secret|)(check-sat)").unwrap();
    let no_file = "it is no plain file of the folder";
    let check = |file: &str, expect: &str, put: &dyn Fn(&Path)| {
        let at = path.join(file);
        let old = fs::read(&at).unwrap();
        fs::remove_file(&at).unwrap();
        put(&at);
        let change = json!({ "spec": "z3@latest" });
        if file != "finding.json" {
            let (_, said) = replayed(&dir, &path, &f, &change, &[]);
            assert!(said.contains(expect) && !said.contains("a secret"), "{file}: {said}");
        } else {
            let args = ["replay", path.to_str().unwrap()];
            let said = text(&bare_command(&dir, &args).output().unwrap());
            let refused = said.contains(expect) || said.contains("there is no finding in");
            assert!(refused && !said.contains("a secret"), "{file}: {said}");
        }
        fs::remove_file(&at).unwrap();
        fs::write(&at, old).unwrap();
    };
    for file in ["bug.smt2", "original.smt2", "seed.smt2", "finding.json"] {
        check(file, no_file, &|at| symlink(&secret, at).unwrap());
        check(file, no_file, &|at| symlink("/dev/zero", at).unwrap());
        check(file, no_file, &|at| pipe(at));
        check(file, "it has more than 128 MB", &|at| {
            fs::File::create(at).unwrap().set_len(200 << 20).unwrap();
        });
    }
    // An id is a part of paths.
    for id in ["a\u{1b}]0;title\u{7}\u{202e}b", "../out", "/etc", ".hidden", ""] {
        let change = json!({ "spec": "z3@latest", "id": id });
        let (_, said) = replayed(&dir, &path, &f, &change, &[]);
        assert!(said.contains("its id is no name of a folder"), "{id}: {said}");
        assert!(!said.contains('\u{1b}'), "{said}");
    }
    // What a terminal would obey is shown, not done.
    let change = json!({ "spec": "/bin/\u{1b}[2J" });
    let (_, said) = replayed(&dir, &path, &f, &change, &[]);
    assert!(said.contains("/bin/\\u001b[2J") && !said.contains('\u{1b}'), "{said}");
}

/// A campaign is gone on with by the one who began it; from somebody else's folder no command is run.
#[test]
fn campaigns_of_others() {
    let dir = folder("campaigns-of-others", SEED);
    let ran = dir.join("ran");
    let solver = shell(&dir, "mine", &format!("echo > '{}'; echo unknown", ran.display()));
    // It writes a file, here and when the campaign goes on.
    let more = "--tests 5 --out out --strategy opfuzz --seed 1 --sandbox off";
    smelt(&dir, &campaign(&[&solver], more), 0);
    fs::remove_file(&ran).unwrap();
    let resume = ["fuzz", "--resume", "--tests", "5", "--out", "out", "--jobs", "1"];
    smelt(&dir, &resume, 0);
    assert!(ran.exists());
    fs::remove_file(&ran).unwrap();
    let mut elsewhere = bare_command(&dir, &resume);
    let out = elsewhere.env("SMELT_HOME", dir.join("other-home")).output().unwrap();
    let said = text(&out);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("was not begun here") && said.contains("run only if you give it"),
        "{said}"
    );
    assert!(!ran.exists());
}

/// A campaign's folder of somebody else's has no links: what they lead to would be emptied or written.
#[test]
fn links_in_campaigns() {
    let dir = folder("links-in-campaigns", SEED);
    let solver = shell(&dir, "mine", "echo unknown");
    let kept = dir.join("kept");
    fs::write(&kept, "precious").unwrap();
    fs::create_dir_all(dir.join("away")).unwrap();
    for (i, (name, to)) in
        [("lock", "kept"), ("smelt.db", "new"), ("findings", "away")].iter().enumerate()
    {
        let out = format!("out{i}");
        fs::create_dir(dir.join(&out)).unwrap();
        symlink(dir.join(to), dir.join(&out).join(name)).unwrap();
        let more = format!("--tests 1 --out {out} --strategy opfuzz --seed 1");
        let said = text(&smelt(&dir, &campaign(&[&solver], &more), 2));
        assert!(said.contains("is no file or folder of the campaign's own"), "{said}");
    }
    assert_eq!(fs::read_to_string(&kept).unwrap(), "precious");
    assert!(!dir.join("new").exists());
}

/// Going on with somebody else's campaign installs nothing.
#[test]
fn releases_of_campaigns() {
    let dir = folder("releases-of-campaigns", SEED);
    let solver = shell(&dir, "mine", "echo unknown");
    smelt(&dir, &campaign(&[&solver], "--tests 1 --out out --strategy opfuzz --seed 1"), 0);
    let db = rusqlite::Connection::open(dir.join("out/smelt.db")).unwrap();
    let kept: String = db.query_row("select config from runs", [], |r| r.get(0)).unwrap();
    let mut config: Json = serde_json::from_str(&kept).unwrap();
    config["token"] = json!("00");
    for release in ["z3@4.8.9", "z3@latest"] {
        config["solvers"] = json!([release]);
        db.execute("update runs set config = ?1", [config.to_string()]).unwrap();
        let resume = ["fuzz", "--resume", "--tests", "5", "--out", "out", "--jobs", "1"];
        let mut elsewhere = bare_command(&dir, &resume);
        let out = elsewhere.env("SMELT_HOME", dir.join("other-home")).output().unwrap();
        let said = text(&out);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains("was not begun here") && !said.contains("installing"), "{said}");
    }
    config["solvers"] = json!([]);
    config["seeds"] = json!([]);
    config["known"] = json!("/etc/passwd");
    db.execute("update runs set config = ?1", [config.to_string()]).unwrap();
    let resume = ["fuzz", "--resume", "--tests", "5", "--out", "out", "--jobs", "1"];
    let out = bare_command(&dir, &resume).output().unwrap();
    assert!(text(&out).contains("it names files of this machine: /etc/passwd"), "{out:?}");
}
