//! Findings are there whole or not at all, and those of earlier smelts can be read.

use std::fs;
use std::path::Path;

use smelt_campaign::finding::{Accused, FORMAT, Finding, Verdict};
use smelt_campaign::shelf::{self, Contents, Folders, Kept, Shelf, bug_key, file};
use smelt_case::{Origin, SeedRef};
use smelt_solver::Mode;
use smelt_triage::{Class, Grade};
use smelt_trial::Reproducer;

use crate::made_up::dir;

fn finding(signature: &str) -> Finding {
    Finding {
        format: FORMAT,
        id: "crash-z3-0123abcd".into(),
        verdicts: vec![Verdict {
            class: Class::Crash,
            grade: Grade::Proven,
            evidence: "SIGSEGV".into(),
            withdrawn: None,
        }],
        accused: Accused {
            label: "z3 (4.8.7)".into(),
            spec: "z3@4.8.7".into(),
            profile: "z3".into(),
            version: Some("4.8.7".into()),
            binary: "ab".into(),
            command: vec!["z3".into(), "{file}".into()],
        },
        reproducer: Reproducer::new(Class::Crash, Mode::plain(), 0),
        answer: "crash (SIGSEGV)".into(),
        model: None,
        rate: (3, 3),
        signature: signature.into(),
        logic: "QF_UF".into(),
        peers: Vec::new(),
        totalised: false,
        origin: Origin::Seed(SeedRef { name: "a.smt2".into(), hash: "00".into() }),
        seeds: Vec::new(),
        mutation: "the seed itself".into(),
        found: 1,
        cpu_seconds: 0.5,
        fingerprint: None,
        signatures: Default::default(),
        known: None,
        labels: Vec::new(),
        done: Default::default(),
        position: None,
        spent: None,
    }
}

/// A finding with all that goes into its folder.
pub fn contents(signature: &str) -> Contents {
    Contents {
        finding: finding(signature),
        bug: "(check-sat)\n".into(),
        original: "(check-sat)\n".into(),
        before: None,
        flat: None,
        values: None,
        seeds: vec![b"(check-sat)\n".to_vec()],
        witness: None,
        outputs: vec![("z3 (4.8.7)".into(), "Segmentation fault".into())],
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut all: Vec<String> =
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    all.sort();
    all
}

#[test]
fn kept_once_and_read_again() {
    let dir = dir("shelf");
    let (shelf, before) = Folders::open(&dir).unwrap();
    assert!(before.findings.is_empty());
    let key = bug_key("z3 (4.8.7)", "one");
    assert!(shelf.wants(&key));
    assert!(matches!(shelf.keep(contents("one")), Kept::New(_)));
    assert!(!shelf.wants(&key));
    assert!(matches!(shelf.keep(contents("one")), Kept::Known));
    // Another bug whose folder would have this name stands beside it.
    let Kept::New(second) = shelf.keep(contents("two")) else { panic!("it is new") };
    assert_eq!(second.id, "crash-z3-0123abcd-2");
    shelf.note("unsettled", "it", "(check-sat)");
    assert!(dir.join("unsettled/it.smt2").is_file());
    let (again, found) = Folders::open(&dir).unwrap();
    assert!(!again.wants(&key) && !again.wants(&bug_key("z3 (4.8.7)", "two")));
    assert_eq!(found.findings, [finding("one"), *second]);
    let files = names(&dir.join("findings/crash-z3-0123abcd"));
    let expect = [
        "bug.smt2",
        "finding.json",
        "original.smt2",
        "outputs",
        "report.md",
        "repro.sh",
        "seed.smt2",
    ];
    assert_eq!(files, expect);
}

/// What cannot be written waits, and is written as soon as it can be; what was half written is removed.
#[test]
fn whole_or_not_at_all() {
    let dir = dir("whole");
    let (shelf, _) = Folders::open(&dir).unwrap();
    let findings = dir.join("findings");
    fs::remove_dir(&findings).unwrap();
    fs::write(&findings, "a file in its place").unwrap();
    let Kept::Pending(_, why) = shelf.keep(contents("one")) else { panic!("it was written") };
    assert!(why.contains("cannot write the finding"), "{why}");
    assert!(shelf.write_pending().is_empty());
    assert_eq!(shelf.unwritten().len(), 1);
    fs::remove_file(&findings).unwrap();
    fs::create_dir(&findings).unwrap();
    assert_eq!(shelf.write_pending(), [finding("one")]);
    assert!(shelf.unwritten().is_empty());
    assert_eq!(names(&findings), ["crash-z3-0123abcd"]);
    // What a killed process left, or one that is alive has begun: who only reads does not touch it.
    let unfinished = findings.join(".crash-z3-0123abcd.77/outputs");
    fs::create_dir_all(&unfinished).unwrap();
    assert_eq!(shelf::read_all(&findings).unwrap().findings.len(), 1);
    assert!(unfinished.is_dir());
    let (_, found) = Folders::open(&dir).unwrap();
    assert_eq!((found.findings.len(), found.unreadable.len()), (1, 0));
    assert_eq!(names(&findings), ["crash-z3-0123abcd"]);
}

/// Threads that move folders, make them smaller and write them anew at once lose none of them, also on a file system that cannot
/// exchange folders.
#[test]
fn many_threads_move_folders() {
    for exchanges in [true, false] {
        let dir = dir(&format!("moves-{exchanges}"));
        let (shelf, _) = Folders::open(&dir).unwrap();
        let shelf = if exchanges { shelf } else { shelf.without_exchange() };
        let ids: Vec<String> = (0..6).map(|i| format!("crash-z3-0123abc{i}")).collect();
        let one = |i: usize, bug: &str| {
            let mut c = contents(&ids[i]);
            c.finding.id.clone_from(&ids[i]);
            c.bug = bug.into();
            c
        };
        (0..6).for_each(|i| assert!(matches!(shelf.keep(one(i, "(check-sat)")), Kept::New(_))));
        std::thread::scope(|scope| {
            for t in 0..3 {
                let (shelf, ids, one) = (&shelf, &ids, &one);
                scope.spawn(move || {
                    for k in 0..4 {
                        let (i, j) = ((t + k) % 6, (t * k + 1) % 6);
                        shelf.hold().renew(&one(i, "(exit)")).unwrap();
                        if i != j {
                            let held = shelf.hold();
                            held.put_up(&ids[j]).unwrap();
                            held.put_below(&ids[j], &ids[i]).unwrap();
                        }
                        shelf.hold().rewrite(&one(j, "")).unwrap();
                    }
                });
            }
        });
        let found = shelf::read_all(&dir.join("findings")).unwrap();
        let mut left: Vec<&String> = found.findings.iter().map(|f| &f.id).collect();
        left.sort();
        assert_eq!((left, found.unreadable), (ids.iter().collect(), Vec::new()));
        for id in &ids {
            let bug = shelf::place(&dir.join("findings"), id).join(file::BUG);
            assert_eq!(fs::read_to_string(bug).unwrap(), "(exit)");
        }
        // The name of a trigger is taken, too.
        let Kept::New(other) = shelf.keep(Contents {
            finding: Finding { signature: "x".into(), ..one(0, "").finding },
            ..one(0, "")
        }) else {
            panic!("it is new")
        };
        assert_eq!(other.id, "crash-z3-0123abc0-2");
    }
}

/// `finding.json` without a number of its format is of the first one; a later one is refused with a sentence, and so is a damaged one.
#[test]
fn other_formats() {
    let first = r#"{"id":"i","class":"refutation-soundness","grade":"proven","evidence":"e","solver":"z3 (1)","spec":"z3@1",
        "profile":"z3","version":"1","binary":"ab","command":["z3"],"options":["a=b"],"models":false,"tactic":null,
        "answer":"unsat","check":2,"rate":[3,3],"signature":"s","logic":"ALL","peers":[],
        "recipe":{"smelt":"0.1.0","strategy":"seed","campaign":1,"seeds":[{"name":"a","hash":"00"}],"chain":0,"step":0},
        "seeds":[[]],"mutation":"m","found":5,"cpu_seconds":0.5}"#;
    let old = Finding::from_json(first.as_bytes()).unwrap();
    assert_eq!((old.class(), old.reproducer.check), (Class::RefutationSoundness, 1));
    assert_eq!(old.reproducer.mode, Mode { options: vec!["a=b".into()], ..Mode::default() });
    assert_eq!(old.origin.maker(), "seed");
    let again = serde_json::to_vec(&old).unwrap();
    assert_eq!(Finding::from_json(&again).unwrap(), old);
    let check = |from: &str, to: &str, expect: &str| {
        let text = String::from_utf8(again.clone()).unwrap();
        assert!(text.contains(from), "{text}");
        let said = Finding::from_json(text.replace(from, to).as_bytes()).unwrap_err();
        assert!(said.contains(expect), "{said}");
    };
    check("\"format\":3", "\"format\":4", "it has format 4, and this smelt reads formats 1 to 3");
    check("\"rate\"", "\"rates\"", "it is no finding, or damaged: missing field `rate`");
    let class = "\"verdicts\":[{\"class\":\"refutation-soundness\"";
    check(
        class,
        &class.replace("refutation-soundness", "crash"),
        "no verdict is what its reproducer",
    );
    let said = Finding::from_json(&first.replace("\"check\":2", "\"check\":0").into_bytes());
    assert!(said.unwrap_err().contains("damaged"));
    let dir = dir("formats");
    fs::write(dir.join(file::FINDING), first).unwrap();
    assert_eq!(shelf::read(&dir).unwrap(), old);
}
