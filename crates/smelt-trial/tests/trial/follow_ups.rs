//! Runs beside the first one.

use std::time::Duration;

use smelt_solver::{Answer, Cancel, Checked, Mode, Status};
use smelt_triage::{Before, Complaint, CoreVerdict, Flat, ModelVerdict, Observation, TargetId};
use smelt_trial::follow_up::{Fresh, before, core, flat, unchecked};
use smelt_trial::reproducer::Pair;
use smelt_trial::{Panel, Target};

use crate::panels::{FALSE_MODEL, MODEL, ONE, SAT, UNKNOWN, UNSAT, panel, script, target};

/// Makes a follow-up on what the first solver said.
fn follow(
    panel: &Panel,
    answer: Answer,
    run: impl FnOnce(&mut Fresh<'_>, &mut Observation),
) -> Observation {
    let cancel = Cancel::new().unwrap();
    let mut fresh = Fresh { panel, cpu: Duration::from_secs(5), cancel: &cancel, met: None };
    let mut o = panel.get(TargetId(0)).said(answer, None);
    run(&mut fresh, &mut o);
    o
}

/// Two scripts of one step of a rule.
fn step(expected: Status) -> Pair {
    Pair { expected, rule: "rule".into() }
}

#[test]
fn the_check_alone() {
    let text = "(declare-fun x () Int)\n(push 1)\n(assert (= x 1))\n(check-sat)\n(pop 1)\n";
    let check = |said, does, expect: Option<Flat>| {
        let o = follow(&panel(&[("z3", does)], &[]), said, |fresh, o| {
            let mut script = script(text);
            let commands = script.commands.clone();
            let query = script.queries().remove(0);
            assert!(flat::is_comparable(&script, &query));
            flat::flat(fresh, &mut script, &query, &Mode::plain(), o).unwrap();
            assert_eq!(script.commands, commands);
        });
        assert_eq!(o.flat, expect, "{does}");
    };
    let flat = |answer, model| Some(Flat { answer, model });
    check(Answer::Sat, UNSAT, flat(Status::Unsat, None));
    check(Answer::Unsat, MODEL, flat(Status::Sat, Some(ModelVerdict::True)));
    check(Answer::Unsat, UNKNOWN, None);
    // Who has not decided it is not asked.
    check(Answer::Unknown(None), SAT, None);
}

#[test]
fn the_core_alone() {
    let whole = "(declare-fun x () Int)(assert (= x 1))(assert (= x 2))(check-sat)";
    let check = |peers: &[(&str, &str)], text: &str, expect: CoreVerdict| {
        let o = follow(&panel(peers, &[]), Answer::Unsat, |fresh, o| {
            let named = core::named(&script(whole));
            let judges = (0..peers.len()).map(TargetId);
            core::core(fresh, judges, &named, text, o).unwrap();
        });
        assert_eq!(o.core, Some(expect), "{text}");
    };
    let refuted = CoreVerdict::RefutedBy("cvc5".into());
    check(&[("z3", UNSAT), ("cvc5", MODEL)], "(smelt.core.1)", refuted);
    check(&[("z3", UNSAT), ("cvc5", FALSE_MODEL)], "(smelt.core.1)", CoreVerdict::Stands);
    check(&[("z3", UNKNOWN)], "(smelt.core.1)", CoreVerdict::Open);
    check(&[("z3", UNSAT)], "(other)", CoreVerdict::Open);
}

#[test]
fn the_script_before() {
    let check = |does, expected, expect: Answer, and: Status| {
        let pair = Option::map(expected, step);
        let o = follow(&panel(&[("z3", does)], &[]), Answer::Unknown(None), |fresh, o| {
            before::before(fresh, &script(ONE), pair.as_ref(), &Mode::plain(), o).unwrap();
        });
        let (what, universal) = (Pair::STEP.to_owned(), false);
        let expect = Before { answer: expect, expected: and, what, universal };
        assert_eq!(o.before, Some(expect), "{does}");
    };
    check(SAT, Some(Status::Sat), Answer::Sat, Status::Sat);
    check(UNSAT, Some(Status::Sat), Answer::Unsat, Status::Sat);
    check(UNSAT, None, Answer::Unsat, Status::Unsat);
}

/// What a release with a caveat says of the script before the step is held against nobody, unless its model is true.
#[test]
fn a_caveat_before_the_step() {
    let float = "(declare-fun x () Int)(declare-const f Float32)\
        (assert (and (= x 1) (fp.eq f f)))(check-sat)";
    let model = "answer = lambda s: 'sat'\n\
        model = lambda s: '((define-fun x () Int 1)(define-fun f () Float32 (_ +zero 8 24)))'";
    let check = |does, text: &str, expect: bool| {
        let o = follow(&panel(&[("cvc4", does)], &[]), Answer::Unknown(None), |fresh, o| {
            let pair = step(Status::Sat);
            before::before(fresh, &script(text), Some(&pair), &Mode::plain(), o).unwrap();
        });
        assert_eq!(o.before.is_some(), expect, "{does} {text}");
    };
    check(SAT, ONE, true);
    check(SAT, float, false);
    check(UNSAT, float, false);
    check(model, float, true);
}

/// A model can be read for a script that lacks some of its symbols.
#[test]
fn symbols_of_another_script() {
    let check = |text: &str, other: &str, declares: usize| {
        let script = before::with_symbols_of(text, other).unwrap();
        assert_eq!(before::declared(&script).count(), declares, "{text}");
    };
    let two = "(declare-fun |x y| () Int)\n(declare-fun f (Int) Int)\n(assert (= (f |x y|) 2))\n(check-sat)\n";
    check(ONE, ONE, 1);
    check(ONE, two, 3);
    check("(assert true)\n(check-sat)", "(declare-fun x () Int)\n(check-sat)", 1);
}

#[test]
fn the_checker_is_off() {
    let complaint = |about| Some(Complaint { about, text: "bad".into() });
    let check = |does, complaint, expect: Option<ModelVerdict>| {
        let o = follow(&panel(&[("z3", does)], &[]), Answer::Sat, |fresh, o| {
            o.complaint = complaint;
            unchecked::unchecked(fresh, &script(ONE), 0, &Mode::plain(), o).unwrap();
        });
        assert_eq!(o.unchecked, expect, "{does}");
    };
    check(MODEL, complaint(Checked::Model), Some(ModelVerdict::True));
    check(FALSE_MODEL, complaint(Checked::Model), Some(ModelVerdict::False(1)));
    check(MODEL, complaint(Checked::Proof), None);
    check(MODEL, None, None);
}

/// Who is named with its checker is run without it here, too.
#[test]
fn the_checker_behind_its_name_is_off() {
    let does = "import sys\n\
        on = [a for a in sys.argv if 'check-models' in a][-1:] == ['--check-models']\n\
        answer = lambda s: 'sat'\n\
        model = lambda s: '((define-fun x () Int %d))' % (1 if on else 5)";
    let solver = target("cvc5", does).solver.with_args(vec!["--check-models".to_owned()]);
    let panel = Panel::new(vec![Target::unprobed(solver)], Vec::new());
    let o = follow(&panel, Answer::Sat, |fresh, o| {
        o.complaint = Some(Complaint { about: Checked::Model, text: "bad".into() });
        unchecked::unchecked(fresh, &script(ONE), 0, &Mode::plain(), o).unwrap();
    });
    assert_eq!(o.unchecked, Some(ModelVerdict::False(1)));
}
