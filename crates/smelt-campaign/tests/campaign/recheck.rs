//! Findings that are judged again.

use std::fs;
use std::path::Path;

use smelt_campaign::finding::{Finding, Peer, Verdict};
use smelt_campaign::recheck::{findings, recheck};
use smelt_campaign::shelf::{self, Contents, Folders, Kept, Shelf, file};
use smelt_solver::Mode;
use smelt_triage::{Class, Grade};
use smelt_trial::Reproducer;

use crate::made_up::dir;
use crate::shelf::contents;

const X_IS_1: &str = "(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n";
const NEVER: &str = "(declare-fun p () Bool)\n(assert (and p (not p)))\n(check-sat)\n";

fn verdict(class: Class, grade: Grade) -> Verdict {
    Verdict { class, grade, evidence: "e".into() }
}

/// A finding about a script, for which the accused and another solver gave these models.
fn made(class: Class, script: &str, own: Option<&str>, other: Option<&str>) -> Contents {
    let mut c = contents("s");
    c.finding.verdicts = vec![verdict(class, Grade::Proven)];
    c.finding.reproducer = Reproducer::new(class, Mode::plain(), 0);
    c.finding.peers = vec![Peer { solver: "cvc5@1.4.2".into(), answer: "sat".into(), model: None }];
    c.bug = script.into();
    let printed = |model: Option<&str>| match model {
        Some(m) => format!("$ solver\nsat\n--- model of check 1\n{m}\n--- stderr\n\n--- 0\n"),
        None => "$ solver\nunsat\n--- stderr\n\n--- 0\n".into(),
    };
    c.outputs = vec![("z3 (4.8.7)".into(), printed(own)), ("cvc5@1.4.2".into(), printed(other))];
    c
}

/// What is said of such a finding, in words.
fn judged(c: Contents) -> String {
    let folder = dir("recheck");
    let (shelf, _) = Folders::open(&folder).unwrap();
    let Kept::New(finding) = shelf.keep(c) else { panic!("it is not new") };
    let path = shelf.path().join(&finding.id);
    assert_eq!(findings(&folder).unwrap(), std::slice::from_ref(&path));
    assert_eq!(findings(&path).unwrap(), std::slice::from_ref(&path));
    let done = recheck(&path).unwrap();
    assert_eq!(shelf::read(&path).unwrap(), done.finding);
    assert_eq!(report(&path).contains("**Withdrawn**"), done.finding.withdrawn.is_some());
    match done.finding.withdrawn {
        Some(why) => format!("withdrawn: {why}"),
        None => words(&done.finding),
    }
}

fn words(f: &Finding) -> String {
    f.verdicts.iter().map(|v| v.class.word()).collect::<Vec<_>>().join(" ")
}

fn report(path: &Path) -> String {
    fs::read_to_string(path.join(file::REPORT)).unwrap()
}

#[test]
fn by_what_is_kept() {
    let one = Some("((define-fun x () Int 1))");
    let two = Some("((define-fun x () Int 2))");
    let unsound = Class::RefutationSoundness;
    for (c, expect) in [
        (made(Class::InvalidModel, X_IS_1, two, None), "invalid-model"),
        (made(Class::InvalidModel, X_IS_1, one, None), "withdrawn: its model is true"),
        (made(Class::InvalidModel, X_IS_1, None, None), "withdrawn: its model was not kept"),
        (made(Class::FalseAlarm, X_IS_1, one, None), "false-alarm"),
        (
            made(Class::FalseAlarm, X_IS_1, two, None),
            "withdrawn: its model is FALSE at assertion 1",
        ),
        (made(unsound, X_IS_1, None, one), "refutation-soundness"),
        (made(unsound, X_IS_1, None, two), "withdrawn: no model is found true any more"),
        (made(Class::SolutionSoundness, NEVER, None, None), "solution-soundness"),
        (
            made(Class::SolutionSoundness, X_IS_1, None, None),
            "withdrawn: the values cannot all be tried",
        ),
        (made(Class::Crash, X_IS_1, None, None), "crash"),
    ] {
        assert_eq!(judged(c), expect);
    }
    // A witness that was kept.
    let mut c = made(unsound, X_IS_1, None, None);
    c.finding.reproducer.witness = one.map(str::to_owned);
    assert_eq!(judged(c), "refutation-soundness");
}

/// What else falls is left out; what rests on solvers stays; what stands again is a finding again.
#[test]
fn one_of_several_verdicts() {
    let two = Some("((define-fun x () Int 2))");
    let mut c = made(Class::InvalidModel, X_IS_1, two, None);
    c.finding.verdicts.insert(0, verdict(Class::SolutionSoundness, Grade::Proven));
    c.finding.verdicts.push(verdict(Class::InvalidProof, Grade::Strong));
    assert_eq!(judged(c), "invalid-model invalid-proof");
    let folder = dir("recheck-again");
    let (shelf, _) = Folders::open(&folder).unwrap();
    let Kept::New(f) = shelf.keep(made(Class::InvalidModel, X_IS_1, two, None)) else { panic!() };
    let path = shelf.path().join(&f.id);
    let before = report(&path);
    fs::write(path.join(file::BUG), X_IS_1.replace("= x 1", "= x 2")).unwrap();
    assert!(recheck(&path).unwrap().finding.withdrawn.is_some());
    assert_ne!(report(&path), before);
    fs::write(path.join(file::BUG), X_IS_1).unwrap();
    assert_eq!(recheck(&path).unwrap().finding.withdrawn, None);
    assert_eq!(report(&path), before);
    // A check that the script does not have.
    let Ok(mut f) = shelf::read(&path) else { panic!() };
    f.reproducer.check = 7;
    shelf::rewrite(&path, &f).unwrap();
    assert!(recheck(&path).unwrap().finding.withdrawn.is_some());
}
