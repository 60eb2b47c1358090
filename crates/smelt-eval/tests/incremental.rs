//! Along a chain of changes, what is remembered gives the same values as evaluating anew.

use smelt_eval::incremental::Incremental;
use smelt_eval::{ModelOptions, eval, parse_model};
use smelt_smtlib::occurrence::Occurrences;
use smelt_smtlib::{Arena, parse};

const SCRIPT: &str = "(declare-const x Int)(declare-const y Int)(declare-const p Bool)(declare-const a (Array Int Int))
    (define-fun twice ((n Int)) Int (+ n n))
    (assert (and (or p (< (twice x) (div y 3))) (=> (= (select a x) y) (forall ((k Bool)) (or k (= (mod x 2) 1) p)))
      (distinct x (ite p y (+ x 1)) (select (store a y x) (- x 1)))))(check-sat)";
const MODEL: &str = "((define-fun x () Int 5)(define-fun y () Int 4)(define-fun p () Bool false)
    (define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 1) 5 4)))";

#[test]
fn same_as_anew() {
    let mut script = parse(SCRIPT.as_bytes()).unwrap();
    let model = parse_model(&mut script, MODEL.as_bytes(), &ModelOptions::default()).unwrap();
    let root = script.queries()[0].assertions[0];
    let base = script.arena.freeze();
    let mut arena = Arena::overlay(&base);
    let mut values = Incremental::new(model.clone());
    assert_eq!(values.eval(&arena, root), eval(&arena, &model, root));
    let all = Occurrences::new(&arena, &[root], |_, _| true);
    let places: Vec<_> = (0..all.count(root)).filter_map(|n| all.nth(&arena, root, n)).collect();
    let mut compared = 0;
    for (path, old) in &places {
        for (_, new) in &places {
            // Closed terms only: a variable may not leave its binder.
            if arena.sort(*new) != arena.sort(*old) || !arena.is_closed(*new) {
                continue;
            }
            let mark = arena.mark();
            let changed = arena.replace_at(root, path, *new).unwrap();
            assert_eq!(values.eval(&arena, changed), eval(&arena, &model, changed));
            // A second change on top of the first.
            let one = arena.mk_int(1u32);
            if arena.sort(*old) == smelt_smtlib::Sort::INT {
                let again = arena.replace_at(changed, path, one).unwrap();
                assert_eq!(values.eval(&arena, again), eval(&arena, &model, again));
            }
            values.rollback(&mut arena, mark);
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}
