//! What is asked on where answers leave something open.

use std::time::Duration;

use smelt_smtlib::ParseOptions;
use smelt_solver::{Cancel, Mode, Status};
use smelt_triage::{Class, Grade, TargetId, Truth, Wanted};
use smelt_trial::Panel;
use smelt_trial::court::{Candidate, Court, Ruling};
use smelt_trial::opinion::Opinion;
use smelt_trial::relation::{RELATIONS, is_related, related};
use smelt_trial::shrink::plain;

use crate::panels::{SAT, UNSAT, panel, script};

/// Whether x is a root of a polynomial that no evaluator can look for in all numbers.
const QUANTIFIED: &str = "(declare-fun x () Int)\n\
    (assert (forall ((y Int)) (or (= (* y y y) (+ x y)) (distinct (* y y y) (+ x y)))))\n\
    (assert (> x 1))\n(check-sat)\n";
/// What depends on a division by zero.
const OPEN: &str = "(declare-fun x () Int)\n(assert (= (div x 0) 3))\n(check-sat)\n";

/// The accusations of the first solver by which an opinion would be told, with their grades.
fn told(panel: &Panel, text: &str) -> Vec<String> {
    let cancel = Cancel::new().unwrap();
    let options = ParseOptions::default();
    let opinion = Opinion::of(text.as_bytes(), &options, panel, Duration::from_secs(5), &cancel);
    let accused = opinion.diagnoses.iter().filter(|(_, d)| d.is_reportable());
    let accused = accused.filter(|(_, d)| d.who == TargetId(0));
    accused.map(|(_, d)| format!("{} {}", d.class.word(), d.evidence.grade())).collect()
}

fn check(solvers: &[(&str, &str)], text: &str, expect: &[&str]) {
    assert_eq!(told(&panel(solvers, &[]), text), expect, "{solvers:?}\n{text}");
}

/// A solver in Python that answers by what a script has in it; the model is always x = 2.
fn says(rule: &str) -> String {
    format!("answer = lambda s: {rule}\nmodel = lambda s: '((define-fun x () Int 2))'")
}

/// A model that nobody can judge: its solver, and others, are asked for the script with its values.
#[test]
fn values_of_models() {
    let fits = says("'sat'");
    let denies = says("'unsat' if '(= x 2)' in s else 'sat'");
    let contradiction = "model-contradiction proven";
    let invalid = "invalid-model strong";
    check(&[("z3", &fits), ("cvc5", &fits)], QUANTIFIED, &[]);
    check(&[("z3", &denies), ("cvc5", &fits)], QUANTIFIED, &[contradiction]);
    check(&[("z3", &denies), ("cvc5", &denies)], QUANTIFIED, &[contradiction, invalid]);
    // One other family may be wrong; two are not.
    check(&[("z3", &fits), ("cvc5", &denies)], QUANTIFIED, &[]);
    let unsure = says("'unknown' if '(= x 2)' in s else 'sat'");
    check(&[("z3", &unsure), ("cvc5", &denies)], QUANTIFIED, &[]);
    let three: [(&str, &str); 3] = [("z3", &unsure), ("cvc5", &denies), ("bitwuzla", &denies)];
    check(&three, QUANTIFIED, &[invalid]);
    // Who finds another model the second time was asked two questions.
    let fickle = "n = [1]\ndef model(s):\n    n[0] += 1\n    return '((define-fun x () Int %d))' % \
        (2 + int(os.path.exists('FOLDER/again')) + (open('FOLDER/again', 'w') and 0))\n\
        answer = lambda s: 'unsat' if '(= x 2)' in s else 'sat'";
    check(&[("z3", fickle), ("cvc5", &fits)], QUANTIFIED, &[]);
}

/// A solver with a convention for division by zero is right, whatever others say.
#[test]
fn conventions_accuse_nobody() {
    let total = "'open.div' in s";
    let zero = says(&format!("'sat' if {total} else 'unsat'"));
    let any = says("'sat'");
    check(&[("z3", &zero), ("cvc5", &any)], OPEN, &[]);
    check(&[("z3", &any), ("cvc5", &zero)], OPEN, &[]);
    check(&[("z3", &any), ("cvc5", &zero), ("bitwuzla", &zero)], OPEN, &[]);
    // Who calls the script unsat in which open values have names has no such excuse.
    let model = "'((define-fun x () Int 2)(define-fun open.div ((a Int)) Int 3))'";
    let proves =
        format!("answer = lambda s: 'sat'\nmodel = lambda s: {model} if {total} else None");
    check(&[("z3", UNSAT), ("cvc5", &proves)], OPEN, &["refutation-soundness proven"]);
    check(&[("z3", &zero), ("cvc5", &proves)], OPEN, &[]);
    // Satisfiable under its convention, and unsatisfiable under all: it contradicts itself.
    let fickle = says(&format!("'unsat' if {total} and not '(= x 2)' in s else 'sat'"));
    check(&[("z3", &fickle), ("cvc5", &any)], OPEN, &[]);
    let (neighbour, solution) = ("neighbour-contradiction proven", "solution-soundness strong");
    check(&[("z3", &fickle), ("cvc5", UNSAT)], OPEN, &[neighbour, solution]);
    // Nor have those who call it sat.
    let never = "(declare-fun x () Int)\n(assert (distinct (div x 0) (div x 0)))\n(check-sat)\n";
    check(
        &[("z3", SAT), ("cvc5", UNSAT), ("bitwuzla", UNSAT)],
        never,
        &["solution-soundness proven"],
    );
}

/// Answers to two scripts that exclude each other in every theory.
#[test]
fn contradictions() {
    // It says that there is no model, and finds one of a stronger script.
    let stronger = says("'sat' if s.count('assert') > 2 else 'unsat'");
    let fits = says("'sat'");
    let neighbour = "neighbour-contradiction proven";
    let refutation = "refutation-soundness strong";
    check(&[("z3", &stronger), ("cvc5", &fits)], QUANTIFIED, &[neighbour, refutation]);
    // It finds a model, and none of a part.
    let part = says("'unsat' if s.count('assert') == 1 else 'sat'");
    check(&[("z3", &part), ("cvc5", UNSAT)], QUANTIFIED, &[neighbour, "solution-soundness strong"]);
    // Neither with a condition nor without it.
    let cases = says("'unsat' if 'push' in s else 'sat'");
    let split = QUANTIFIED.replace("(> x 1)", "(or (> x 1) (< x (- 5)))");
    check(&[("z3", &cases), ("cvc5", UNSAT)], &split, &[neighbour, "solution-soundness strong"]);
    // Nobody else doubts it: nothing is asked.
    check(&[("z3", &part), ("cvc5", &fits)], QUANTIFIED, &[]);
}

/// The related scripts of both answers.
#[test]
fn relations() {
    let base = script(QUANTIFIED);
    let values = [script("(declare-fun x () Int)(assert (= x 2))(check-sat)")];
    let check = |answer, expect: &[(&str, usize)]| {
        let all = related(&base, answer, &values);
        let count = |word: &str| all.iter().filter(|(r, _)| r.word == word).count();
        let found: Vec<(&str, usize)> = RELATIONS.iter().map(|r| (r.word, count(r.word))).collect();
        let found: Vec<_> = found.into_iter().filter(|(_, n)| *n > 0).collect();
        assert_eq!(found, expect);
        for (r, s) in &all {
            assert_ne!(r.expected, answer);
            // As it is kept and read again.
            let s = script(&plain(s));
            let given = r.word == "smelt.values";
            assert_eq!(is_related(r.word, &base, &s), !given, "{} {}", r.word, plain(&s));
            assert!(!is_related("smelt.other", &base, &s));
        }
    };
    check(Status::Unsat, &[("smelt.values", 1)]);
    check(Status::Sat, &[("smelt.fewer", 2)]);
    check(Status::Unknown, &[]);
    let more = script("(declare-fun x () Int)(assert (or (> x 1) (< x 0)))(check-sat)");
    let words =
        |answer| related(&more, answer, &[]).iter().map(|(r, _)| r.word).collect::<Vec<_>>();
    assert_eq!(words(Status::Unsat), ["smelt.more"; 4]);
    for answer in [Status::Unsat, Status::Sat] {
        for (r, s) in related(&more, answer, &[]) {
            assert!(is_related(r.word, &more, &script(&plain(&s))), "{} {}", r.word, plain(&s));
            assert!(!is_related(r.word, &base, &script(&plain(&s))), "{}", r.word);
        }
    }
    let open = script(OPEN);
    let total = related(&open, Status::Sat, &[]);
    assert_eq!(total.iter().map(|(r, _)| r.word).collect::<Vec<_>>(), ["smelt.total"]);
    assert!(is_related("smelt.total", &open, &script(&plain(&total[0].1))));
    assert!(!is_related("smelt.total", &open, &open));
    // Forged ones: words of the same script that mean something else there.
    let meant =
        |p: &str, q: &str| script(&format!("{p}(declare-fun q () Bool)(assert p){q}(check-sat)"));
    let (no, yes) = ("(define-fun p () Bool false)", "(define-fun p () Bool true)");
    let more = |a: &str, b: &str| is_related("smelt.more", &meant(a, ""), &meant(b, "(assert q)"));
    assert!(more(no, no) && !more(no, yes) && !more(yes, "(declare-fun p () Bool)"));
    let declared = meant("(declare-fun p () Bool)", "");
    assert!(is_related("smelt.values", &declared, &meant(yes, "")));
    assert!(!is_related("smelt.values", &meant(yes, ""), &meant(no, "")));
    assert!(!is_related("smelt.more", &declared, &meant(yes, "(assert q)")));
    // A forged one: with an assertion more, it is none of fewer.
    let fewer = script("(declare-fun x () Int)(assert (> x 1))(assert (< x 0))(check-sat)");
    let one = script("(declare-fun x () Int)(assert (> x 1))(check-sat)");
    assert!(!is_related("smelt.fewer", &one, &fewer) && is_related("smelt.fewer", &fewer, &one));
    assert_eq!(words(Status::Sat), ["smelt.cases"; 2]);
}

/// The court looks on where nothing settles an accusation, and names the worst class that it finds.
#[test]
fn in_court() {
    let confirm = |solvers: &[(&str, &str)], text: &str, class: Class| {
        let panel = panel(solvers, &[]);
        let (cancel, wanted) = (Cancel::new().unwrap(), Wanted::default());
        let court = Court::new(&panel, Duration::from_secs(5), &wanted, &cancel);
        let answer = match class {
            Class::RefutationSoundness => smelt_solver::Answer::Unsat,
            _ => smelt_solver::Answer::Sat,
        };
        let candidate = Candidate {
            accused: TargetId(0),
            class,
            check: 0,
            mode: Mode::plain(),
            transcript: String::new(),
            seen: panel.get(TargetId(0)).said(answer, None),
            model: None,
            before: None,
        };
        match court.confirm(&script(text), Truth::default(), &candidate).unwrap() {
            Ruling::Confirmed(c) => {
                let all = c.verdicts.iter().map(|d| (d.class.word(), d.evidence.grade()));
                (all.collect::<Vec<_>>(), c.totalised)
            }
            _ => (Vec::new(), false),
        }
    };
    let fits = says("'sat'");
    let stronger = says("'sat' if s.count('assert') > 2 else 'unsat'");
    let unsound = Class::RefutationSoundness;
    assert_eq!(
        confirm(&[("z3", &stronger), ("cvc5", &fits)], QUANTIFIED, unsound),
        (
            vec![
                ("refutation-soundness", Grade::Strong),
                ("neighbour-contradiction", Grade::Proven)
            ],
            false
        )
    );
    assert_eq!(confirm(&[("z3", UNSAT), ("cvc5", &fits)], QUANTIFIED, unsound), (vec![], false));
    let model = "'((define-fun x () Int 2)(define-fun open.div ((a Int)) Int 3))'";
    let proves =
        format!("answer = lambda s: 'sat'\nmodel = lambda s: {model} if 'open.div' in s else None");
    assert_eq!(
        confirm(&[("z3", UNSAT), ("cvc5", &proves)], OPEN, unsound),
        (vec![("refutation-soundness", Grade::Proven)], true)
    );
    let denies = says("'unsat' if '(= x 2)' in s else 'sat'");
    assert_eq!(
        confirm(&[("z3", &denies), ("cvc5", UNSAT)], QUANTIFIED, Class::SolutionSoundness),
        (vec![("model-contradiction", Grade::Proven), ("invalid-model", Grade::Strong)], false)
    );
}
