//! From suspicions to findings.

use std::time::Duration;

use smelt_solver::{Answer, Cancel, Crash, CrashKind, Mode, Status};
use smelt_triage::{Class, Flat, TargetId, Truth, Wanted};
use smelt_trial::Panel;
use smelt_trial::court::{Candidate, Confirmed, Court, Related, Ruling};

use crate::panels::{CRASH, FALSE_MODEL, MODEL, ONE, SAT, UNKNOWN, UNSAT, folder, panel, script};

/// A suspicion of the first solver of a panel.
struct Case {
    panel: Panel,
    script: &'static str,
    truth: Truth,
    class: Class,
    seen: Answer,
    /// What is changed of the candidate.
    with: fn(&mut Candidate),
    wanted: Wanted,
}

fn case(panel: Panel, class: Class, seen: Answer) -> Case {
    let truth = Truth::default();
    let wanted = Wanted { unknown: true, ..Wanted::default() };
    Case { panel, script: ONE, truth, class, seen, with: |_| {}, wanted }
}

fn violation() -> Answer {
    let (place, text) = ("src/smt/a.cpp:1".to_owned(), "bad".to_owned());
    Answer::Crash(Crash { kind: CrashKind::Assertion { place, text } })
}

/// The ruling, and whose crashes were met.
fn rule(case: &Case) -> (Ruling, Vec<TargetId>) {
    let cancel = Cancel::new().unwrap();
    let court = Court::new(&case.panel, Duration::from_secs(5), &case.wanted, &cancel);
    let accused = TargetId(0);
    let mut candidate = Candidate {
        accused,
        class: case.class,
        check: 0,
        mode: Mode::plain(),
        transcript: String::new(),
        seen: case.panel.get(accused).said(case.seen.clone(), None),
        model: None,
        before: None,
    };
    (case.with)(&mut candidate);
    let ruling = court.confirm(&script(case.script), case.truth, &candidate).unwrap();
    (ruling, court.met().into_iter().map(|m| m.who).collect())
}

fn word(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Confirmed(c) => {
            let session = if c.reproducer.session { " in its session" } else { "" };
            format!(
                "{} {} {}/{}{session}",
                c.class().word(),
                c.diagnosis().evidence.grade(),
                c.rate.0,
                c.rate.1
            )
        }
        Ruling::RuleRefuted(_) => "the rule is wrong".to_owned(),
        Ruling::Unsettled => "unsettled".to_owned(),
        Ruling::Vanished => "vanished".to_owned(),
    }
}

fn confirmed(case: &Case) -> Confirmed {
    match rule(case).0 {
        Ruling::Confirmed(c) => *c,
        other => panic!("{}", word(&other)),
    }
}

/// A checker that complains of a model which rests on an open value: where another solver has a true model with its values, it is the
/// complaint that is wrong; where nobody has one, nothing is settled.
#[test]
fn a_complaint_about_an_open_value() {
    let complains = "answer = lambda s: 'sat\\n(error \"line 4 column 10: an invalid model was generated\")'\n\
        model = lambda s: '((define-fun x () Int 0))'";
    let completes = "answer = lambda s: 'sat'\n\
        model = lambda s: '((define-fun x () Int 0)(define-fun open.mod ((a Int)) Int 3))' if 'open.mod' in s else '((define-fun x () Int 5))'";
    let text = "(declare-fun x () Int)\n(assert (= (mod 5 x) 3))\n(assert (= x 0))\n(check-sat)\n";
    for (peer, expect) in [(completes, "false-alarm strong 3/3"), (UNKNOWN, "unsettled")] {
        let panel = panel(&[("z3", complains), ("cvc5", peer)], &[]);
        let case = Case { script: text, ..case(panel, Class::InvalidModel, Answer::Sat) };
        assert_eq!(word(&rule(&case).0), expect);
    }
}

#[test]
fn rulings() {
    let witness = Truth { witness: true, ..Truth::default() };
    let refutation = Class::RefutationSoundness;
    let wrong = |panel| case(panel, refutation, Answer::Unsat);
    let check = |case: Case, expect: &str| assert_eq!(word(&rule(&case).0), expect);
    check(
        Case { truth: witness, ..wrong(panel(&[("yices", UNSAT)], &[])) },
        "refutation-soundness proven 3/3",
    );
    check(wrong(panel(&[("yices", UNSAT), ("z3", MODEL)], &[])), "refutation-soundness proven 3/3");
    // A solver under the very name of another is another all the same.
    check(wrong(panel(&[("z3", UNSAT), ("z3", MODEL)], &[])), "refutation-soundness proven 3/3");
    check(wrong(panel(&[("yices", SAT)], &[])), "vanished");
    check(wrong(panel(&[("yices", UNKNOWN)], &[])), "vanished");
    let small = "(declare-fun x () Real)\n(assert (= (* x x) 2.0))\n(check-sat)\n";
    let open = |panel| Case { script: small, ..wrong(panel) };
    check(open(panel(&[("yices", UNSAT), ("z3", SAT)], &[])), "unsettled");
    // One that is wrong without assertions, too, would be proven wrong on a script that has none.
    let only_here = "answer = lambda s: 'unsat' if 'assert' in s else 'sat'";
    check(
        open(panel(&[("yices", only_here), ("z3", SAT)], &[("cvc5", SAT)])),
        "refutation-soundness strong 3/3",
    );
    let invalid = |does| case(panel(&[("z3", does)], &[]), Class::InvalidModel, Answer::Sat);
    check(invalid(FALSE_MODEL), "invalid-model proven 3/3");
    check(invalid(MODEL), "vanished");
    let crash = |does| case(panel(&[("z3", does)], &[]), Class::Crash, violation());
    check(crash(CRASH), "crash proven 3/3");
    check(crash(UNSAT), "vanished");
    // Another one than was seen is a finding, too.
    check(crash("answer = lambda s: violate('b.cpp', 2)"), "crash proven 3/3");
    // In one of two processes.
    let flaky = "def answer(s):\n  open('FOLDER/n', 'a').write('x')\n  \
        return ['sat', 'unsat'][len(open('FOLDER/n').read()) % 2]";
    check(
        Case { truth: witness, ..wrong(panel(&[("z3", flaky)], &[])) },
        "refutation-soundness proven 2/3",
    );
}

#[test]
fn arbiters_are_asked_only_when_needed() {
    let check = |truth: Truth, expect: bool| {
        let mark = folder().join("asked");
        let arbiter =
            format!("def answer(s):\n  open({mark:?}, 'w').write('x')\n  return 'unknown'");
        let panel = panel(&[("z3", UNSAT)], &[("cvc5", &arbiter)]);
        rule(&Case { truth, ..case(panel, Class::RefutationSoundness, Answer::Unsat) });
        assert_eq!(mark.exists(), expect, "{truth:?}");
    };
    check(Truth { witness: true, ..Truth::default() }, false);
    check(Truth { label: Status::Sat, ..Truth::default() }, true);
}

#[test]
fn options_that_are_needed() {
    let needs = "answer = lambda s: 'unsat' if has('bb=2') else 'sat'";
    let c = confirmed(&Case {
        truth: Truth { witness: true, ..Truth::default() },
        with: |c| {
            c.mode.self_check = true;
            c.mode.options = vec!["aa=1".into(), "bb=2".into(), "cc=3".into()];
        },
        ..case(panel(&[("z3", needs)], &[]), Class::RefutationSoundness, Answer::Unsat)
    });
    let expect = Mode { options: vec!["bb=2".into()], ..Mode::plain() };
    assert_eq!(*c.mode(), expect);
}

/// What is not needed of a script is left out, and what a finding says of itself can be written down and read.
#[test]
fn smaller_scripts() {
    let needs = "answer = lambda s: 'unsat' if '(= x 1)' in s else 'sat'";
    let c = confirmed(&Case {
        script: "(declare-fun x () Int)(declare-fun y () Int)(assert (= x 1))(assert (= y 2))\
            (assert (< x y))(check-sat)",
        truth: Truth { witness: true, ..Truth::default() },
        ..case(panel(&[("z3", needs)], &[]), Class::RefutationSoundness, Answer::Unsat)
    });
    assert!(c.text.contains("(= x 1)") && !c.text.contains('y'), "{}", c.text);
    let json = serde_json::to_string(&c.reproducer).unwrap();
    assert_eq!(serde_json::from_str::<smelt_trial::Reproducer>(&json).unwrap(), c.reproducer);
}

#[test]
fn only_in_a_session() {
    let check = |does: &str, class, seen, expect: &str| {
        let case = Case {
            truth: Truth { witness: true, ..Truth::default() },
            with: |c| c.transcript = format!("{ONE}(reset)\n{ONE}"),
            ..case(panel(&[("z3", does)], &[]), class, seen)
        };
        assert_eq!(word(&rule(&case).0), expect, "{does}");
    };
    let second = "answer = lambda s: 'unsat' if checks > 1 else 'sat'";
    let refutation = Class::RefutationSoundness;
    check(second, refutation, Answer::Unsat, "refutation-soundness proven 3/3 in its session");
    check(SAT, refutation, Answer::Unsat, "vanished");
    let crash = "answer = lambda s: violate('a.cpp', 1) if checks > 1 else 'sat'";
    check(crash, Class::Crash, violation(), "crash proven 3/3 in its session");
}

#[test]
fn crashes_on_the_way() {
    let check = |class, seen, panel, expect: &[usize]| {
        let (_, met) = rule(&case(panel, class, seen));
        assert_eq!(met, expect.iter().map(|&i| TargetId(i)).collect::<Vec<_>>());
    };
    let class = Class::RefutationSoundness;
    check(class, Answer::Unsat, panel(&[("z3", UNSAT), ("cvc5", CRASH)], &[]), &[1]);
    check(class, Answer::Unsat, panel(&[("z3", CRASH), ("cvc5", SAT)], &[]), &[0]);
    // Arbiters are not tested; and what is looked for is not met.
    check(class, Answer::Unsat, panel(&[("z3", UNSAT)], &[("cvc5", CRASH)]), &[]);
    check(Class::Crash, violation(), panel(&[("z3", CRASH)], &[]), &[]);
}

/// A step from x = 1 to x > 0: both are satisfiable. Who says otherwise, by whose model?
#[test]
fn neighbours() {
    const BEFORE: &str = "(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n";
    const AFTER: &str = "(declare-fun x () Int)\n(assert (> x 0))\n(check-sat)\n";
    let says = |before: &str, model: &str, after: &str| {
        format!(
            "answer = lambda s: '{before}' if '(= x 1)' in s else '{after}'\n\
            model = lambda s: '{model}'"
        )
    };
    let one = "((define-fun x () Int 1))";
    let clash = Class::NeighbourContradiction;
    let lost = Class::ImplicationIncompleteness;
    for (class, does, after, expect) in [
        (clash, says("sat", one, "unsat"), AFTER, "refutation-soundness proven 3/3"),
        (clash, says("sat", "()", "unsat"), AFTER, "neighbour-contradiction strong 3/3"),
        (
            clash,
            says("sat", "((define-fun x () Int 5))", "unsat"),
            AFTER,
            "invalid-model proven 3/3",
        ),
        (clash, says("sat", one, "sat"), AFTER, "vanished"),
        (clash, says("unknown", one, "unsat"), AFTER, "unsettled"),
        // What does not follow is a fault of the rule.
        (
            clash,
            says("sat", one, "unsat"),
            "(declare-fun x () Int)\n(assert (> x 1))\n(check-sat)\n",
            "the rule is wrong",
        ),
        (lost, says("sat", one, "unknown"), AFTER, "implication-incompleteness proven 3/3"),
        (lost, says("unknown", one, "unknown"), AFTER, "unsettled"),
        (lost, says("sat", one, "sat"), AFTER, "vanished"),
    ] {
        let seen = if class == clash { Answer::Unsat } else { Answer::Unknown(None) };
        let case = Case {
            script: after,
            truth: Truth { label: Status::Sat, ..Truth::default() },
            with: |c| {
                c.before = Some(Related {
                    text: BEFORE.to_owned(),
                    expected: Status::Sat,
                    rule: "none".to_owned(),
                    parameters: Vec::new(),
                });
            },
            ..case(panel(&[("z3", &does)], &[]), class, seen)
        };
        assert_eq!(word(&rule(&case).0), expect, "{does}");
    }
}

/// A step from x = 1 to x = 1 with more: both were called unsatisfiable, and a model of the second is one of the first.
#[test]
fn a_wrong_answer_before_the_step() {
    let does = "answer = lambda s: 'sat' if '(> x 0)' in s else 'unsat'\n\
        model = lambda s: '((define-fun x () Int 1))'";
    let c = confirmed(&Case {
        script: "(declare-fun x () Int)\n(assert (= x 1))\n(assert (> x 0))\n(check-sat)\n",
        truth: Truth { label: Status::Unsat, ..Truth::default() },
        with: |c| {
            let (text, rule, parameters) = (ONE.to_owned(), "none".to_owned(), Vec::new());
            c.before = Some(Related { text, expected: Status::Unsat, rule, parameters });
        },
        ..case(panel(&[("z3", does)], &[]), Class::NeighbourContradiction, Answer::Sat)
    });
    assert_eq!((c.class(), c.foreign), (Class::RefutationSoundness, true));
    assert!(!c.text.contains("(> x 0)"), "{}", c.text);
}

/// Both scripts of a finding become smaller together.
#[test]
fn pairs_become_smaller() {
    let does = "answer = lambda s: 'sat' if '(= x 1)' in s else 'unknown'";
    let c = confirmed(&Case {
        script: "(declare-fun x () Int)\n(declare-fun y () Int)\n(assert (> x 0))\n(assert (< y 0))\n(check-sat)\n",
        truth: Truth { label: Status::Sat, ..Truth::default() },
        with: |c| {
            let text = "(declare-fun x () Int)\n(declare-fun y () Int)\n(assert (= x 1))\n(assert (< y 0))\n(check-sat)\n";
            let (text, rule, parameters) = (text.to_owned(), "none".to_owned(), Vec::new());
            c.before = Some(Related { text, expected: Status::Sat, rule, parameters });
        },
        ..case(panel(&[("z3", does)], &[]), Class::ImplicationIncompleteness, Answer::Unknown(None))
    });
    let before = c.before.clone().unwrap_or_default();
    assert!(before.contains("(= x 1)") && !before.contains('y'), "{before}");
    assert!(c.text.contains("(> x 0)") && !c.text.contains('y'), "{}", c.text);
}

/// With push and pop and without.
#[test]
fn own_contradictions() {
    let one = "((define-fun x () Real 1.0))";
    for (whole, alone, model, expect) in [
        (Answer::Unsat, Answer::Sat, "()", "self-contradiction strong 3/3"),
        (Answer::Unsat, Answer::Sat, one, "refutation-soundness proven 3/3"),
        (Answer::Sat, Answer::Unsat, one, "refutation-soundness proven 3/3"),
        (Answer::Unsat, Answer::Unsat, one, "unsettled"),
    ] {
        let does = format!(
            "answer = lambda s: '{whole}' if 'push' in s else '{alone}'\nmodel = lambda s: '{model}'"
        );
        let case = Case {
            script: "(declare-fun x () Real)\n(push 1)\n(assert (= (* x x) 1.0))\n(check-sat)\n(pop 1)\n",
            with: |c| {
                let sat = c.seen.answer == Answer::Sat;
                let answer = if sat { Status::Unsat } else { Status::Sat };
                c.seen.flat = Some(Flat { answer, model: None });
            },
            ..case(panel(&[("z3", &does)], &[]), Class::SelfContradiction, whole)
        };
        assert_eq!(word(&rule(&case).0), expect, "{does}");
    }
}

#[test]
fn cores() {
    let core = |text: &str, peer: &str| {
        let accused = format!("answer = lambda s: 'unsat'\ncore = lambda s: '{text}'");
        let case = Case {
            script: "(declare-fun x () Int)\n(assert (= x 1))\n(assert (= x 2))\n(check-sat)\n",
            with: |c| c.mode.cores = true,
            ..case(
                panel(&[("z3", &accused), ("cvc5", peer)], &[]),
                Class::InvalidCore,
                Answer::Unsat,
            )
        };
        word(&rule(&case).0)
    };
    // Its core is the first assertion alone.
    assert_eq!(core("(smelt.core.1)", MODEL), "invalid-core proven 3/3");
    assert_eq!(core("(smelt.core.1 smelt.core.2)", UNSAT), "unsettled");
}
