//! Findings that are judged again.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use smelt_campaign::finding::{Finding, Peer, Verdict};
use smelt_campaign::recheck::recheck;
use smelt_campaign::shelf::folders as findings;
use smelt_campaign::shelf::{self, Contents, Folders, Kept, Shelf, file};
use smelt_solver::Mode;
use smelt_triage::{Class, Grade};
use smelt_trial::Reproducer;

use crate::made_up::dir;
use crate::shelf::contents;

const X_IS_1: &str = "(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n";
const NEVER: &str = "(declare-fun p () Bool)\n(assert (and p (not p)))\n(check-sat)\n";

fn verdict(class: Class, grade: Grade) -> Verdict {
    Verdict { class, grade, evidence: "e".into(), withdrawn: None }
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
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder = dir(&format!("recheck-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let (shelf, _) = Folders::open(&folder).unwrap();
    let Kept::New(finding) = shelf.keep(c) else { panic!("it is not new") };
    let path = shelf.path().join(&finding.id);
    assert_eq!(findings(&folder).unwrap(), std::slice::from_ref(&path));
    assert_eq!(findings(&path).unwrap(), std::slice::from_ref(&path));
    let done = recheck(&path).unwrap();
    assert_eq!(shelf::read(&path).unwrap(), done.finding);
    let fallen = done.finding.verdicts.iter().any(|v| v.withdrawn.is_some());
    assert_eq!(report(&path).contains("**Withdrawn**"), fallen);
    match done.finding.withdrawn() {
        Some(why) => format!("withdrawn: {why}"),
        None => words(&done.finding),
    }
}

fn words(f: &Finding) -> String {
    let standing = f.verdicts.iter().filter(|v| v.withdrawn.is_none());
    standing.map(|v| v.class.word()).collect::<Vec<_>>().join(" ")
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
        (made(Class::InvalidModel, X_IS_1, None, None), "invalid-model"),
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
    for _ in 0..2 {
        assert!(recheck(&path).unwrap().finding.withdrawn().is_some());
        assert_eq!(report(&path).matches("**Withdrawn**").count(), 1);
    }
    fs::write(path.join(file::BUG), X_IS_1).unwrap();
    assert_eq!(recheck(&path).unwrap().finding.withdrawn(), None);
    assert_eq!(report(&path), before);
    // A check that the script does not have.
    let Ok(mut c) = Contents::read(&path) else { panic!() };
    c.finding.reproducer.check = 7;
    shelf::rewrite(&path, &c).unwrap();
    assert!(recheck(&path).is_err());
}

/// What rests on solvers falls if the model of the accused is true, or the script leaves values open.
#[test]
fn strong_verdicts() {
    let strong = |class, script: &str, own| {
        let mut c = made(class, script, own, None);
        c.finding.verdicts[0].grade = Grade::Strong;
        judged(c)
    };
    let (one, two) = (Some("((define-fun x () Int 1))"), Some("((define-fun x () Int 2))"));
    let open = "(declare-fun x () Int)\n(assert (= (div x 0) 1))\n(check-sat)\n";
    for (class, script, own, expect) in [
        (Class::InvalidModel, X_IS_1, one, "withdrawn: its model is true"),
        (Class::InvalidModel, X_IS_1, two, "invalid-model"),
        (Class::SolutionSoundness, X_IS_1, one, "withdrawn: its model is true"),
        (Class::SolutionSoundness, X_IS_1, None, "solution-soundness"),
        (
            Class::SolutionSoundness,
            open,
            None,
            "withdrawn: the script leaves values open, on which solvers may differ",
        ),
        (Class::InvalidProof, open, None, "invalid-proof"),
    ] {
        assert_eq!(strong(class, script, own), expect);
    }
}

/// A symbol of a stranger's script means nothing in the report.
#[test]
fn reports_are_plain() {
    let folder = dir("recheck-plain");
    let (shelf, _) = Folders::open(&folder).unwrap();
    let script = "(declare-fun |y\n\n# HEADING *x*| () Int)\n(assert (= |y\n\n# HEADING *x*| 1))\n(check-sat)\n";
    let c = made(Class::InvalidModel, script, Some("()"), None);
    let Kept::New(f) = shelf.keep(c) else { panic!() };
    let path = shelf.path().join(&f.id);
    for _ in 0..2 {
        recheck(&path).unwrap();
        let text = report(&path);
        let line = text.lines().find(|l| l.starts_with("**Withdrawn**")).unwrap();
        assert!(line.contains("y \\# HEADING \\*x\\*"), "{line}");
        assert_eq!(text.matches("**Withdrawn**").count(), 1);
    }
}
