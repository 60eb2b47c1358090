//! The warm sessions of a bench, and what a trial makes of what they say.

use std::time::Duration;

use smelt_solver::{Cancel, Mode, Status};
use smelt_triage::{TargetId, Truth, Wanted};
use smelt_trial::bench::{Bench, Run};
use smelt_trial::trial::Trial;

use crate::panels::{FALSE_MODEL, MODEL, ONE, SAT, UNKNOWN, UNSAT, panel, script};

const LIMIT: Duration = Duration::from_secs(5);

/// What is held against whom: the number of the check, of the solver, the class and the grade.
fn held(
    solvers: &[(&str, &str)],
    text: &str,
    mode: &Mode,
    truth: Truth,
    before: Option<Status>,
) -> Vec<String> {
    let panel = panel(solvers, &[]);
    let cancel = Cancel::new().unwrap();
    let mut bench = Bench::new(&panel, false, &cancel);
    let mut script = script(text);
    let runs: Vec<Run> = panel
        .targets()
        .iter()
        .map(|t| {
            let named = smelt_trial::follow_up::core::named(&script);
            let sent = t.print(if mode.cores { &named } else { &script }, mode);
            bench.run_in_session(t.id(), mode, &sent, LIMIT).unwrap()
        })
        .collect();
    let all: Vec<TargetId> = panel.targets().iter().map(|t| t.id()).collect();
    let mut trial = Trial {
        script: &mut script,
        runs: &runs,
        truths: &[truth],
        before: before.map(|expected| (expected, &*all)),
        wanted: &Wanted {
            unknown: true,
            older: vec![(TargetId(1), TargetId(0))],
            ..Wanted::default()
        },
        turn: 0,
        frozen: true,
    };
    let mut warm = bench.within(LIMIT);
    let mut out = Vec::new();
    for h in trial.judge(&mut warm).unwrap() {
        for d in h.diagnoses {
            out.push(format!("{}: {} {} {}", h.check, d.who.0, d.class.word(), d.evidence.grade()));
        }
        if h.label_refuted {
            out.push(format!("{}: refuted", h.check));
        }
    }
    out
}

#[test]
fn who_is_wrong() {
    let plain = Mode::plain();
    let none = Truth::default();
    let check =
        |solvers: &[(&str, &str)], text: &str, mode: &Mode, truth, before, expect: &[&str]| {
            assert_eq!(held(solvers, text, mode, truth, before), expect, "{solvers:?}");
        };
    check(&[("z3", SAT), ("cvc5", SAT)], ONE, &plain, none, None, &[]);
    check(
        &[("z3", UNSAT), ("cvc5", MODEL)],
        ONE,
        &plain,
        none,
        None,
        &["0: 0 refutation-soundness proven"],
    );
    check(&[("z3", FALSE_MODEL)], ONE, &plain, none, None, &["0: 0 invalid-model proven"]);
    let unsat = Truth { label: Status::Unsat, ..none };
    check(&[("z3", MODEL)], ONE, &plain, unsat, None, &["0: refuted"]);
    // A check in its script and alone.
    let pushed = "(declare-fun x () Real)\n(push 1)\n(assert (= (* x x) 1.0))\n(check-sat)\n(pop 1)\n(check-sat)\n";
    let alone = "answer = lambda s: 'unsat' if 'push' in s else 'sat'";
    let expect = ["0: 0 self-contradiction strong", "1: 0 self-contradiction strong"];
    check(&[("z3", alone)], pushed, &plain, none, None, &expect);
    // A core that is satisfiable.
    let core = "answer = lambda s: 'unsat'\ncore = lambda s: '(smelt.core.1)'";
    let good = "answer = lambda s: 'unsat' if '2)' in s else 'sat'\n\
        core = lambda s: '(smelt.core.1 smelt.core.2)'\nmodel = lambda s: '((define-fun x () Int 1))'";
    let two = "(declare-fun x () Int)\n(assert (= x 1))\n(assert (= x 2))\n(check-sat)\n";
    let cores = Mode { cores: true, ..plain.clone() };
    check(&[("z3", core), ("cvc5", good)], two, &cores, none, None, &["0: 0 invalid-core proven"]);
    // The script before the step is decided; what an older release decides says more.
    let sat = Some(Status::Sat);
    let real = "(declare-fun x () Real)\n(assert (= (* x x) 2.0))\n(check-sat)\n";
    check(&[("z3", UNKNOWN)], real, &plain, none, sat, &["0: 0 implication-incompleteness proven"]);
    check(&[("z3", UNSAT)], real, &plain, none, sat, &["0: 0 neighbour-contradiction strong"]);
    check(
        &[("z3", UNKNOWN), ("z3", SAT)],
        real,
        &plain,
        none,
        sat,
        &["0: 0 incompleteness-regression strong"],
    );
    check(&[("z3", UNKNOWN)], real, &plain, none, None, &[]);
}

/// A solver that dies whenever its input ends is noticed with the first script.
#[test]
fn who_dies_at_every_end() {
    let dies = "answer = lambda s: 'sat'\nat_end = lambda: os.kill(os.getpid(), 11)";
    let found = held(&[("z3", dies)], ONE, &Mode::plain(), Truth::default(), None);
    assert_eq!(found, ["0: 0 crash proven"]);
}

/// What a session was sent up to a run is its transcript, as long as its process lives.
#[test]
fn transcripts() {
    let panel = panel(&[("z3", SAT)], &[]);
    let cancel = Cancel::new().unwrap();
    let mut bench = Bench::new(&panel, false, &cancel);
    let mode = Mode::plain();
    let target = &panel.targets()[0];
    let mut run = || {
        let sent = target.print(&script(ONE), &mode);
        bench.run_in_session(target.id(), &mode, &sent, LIMIT).unwrap()
    };
    // The first process of a session takes one script.
    run();
    let (first, second) = (run(), run());
    let text = |run: &Run| bench.transcript(run).unwrap_or_default().matches("(check-sat)").count();
    assert_eq!((text(&first), text(&second)), (1, 2));
    let cold =
        Run { outcome: smelt_solver::Outcome { warm: false, ..second.outcome.clone() }, ..second };
    assert_eq!(bench.transcript(&cold), None);
    bench.clear();
    assert_eq!(bench.transcript(&first), None);
}
