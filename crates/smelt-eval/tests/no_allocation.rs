//! The hot path of DIVER and the strategies: re-evaluation after a small change allocates nothing where the values fit a
//! machine word (or are short strings).

use smelt_eval::incremental::Incremental;
use smelt_eval::{ModelOptions, parse_model};
use smelt_smtlib::parse;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with a count per thread.
struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged; the count is a plain thread-local number that
// itself does not allocate.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of 200 evaluations, each after another sub-term was replaced, when the first ones have made room.
fn check(declarations: &str, formula: &str, model: &str, replacements: &[&str]) {
    let text = format!("{declarations}(assert {formula})(check-sat)");
    let mut script = parse(text.as_bytes()).unwrap();
    let model = parse_model(&mut script, model.as_bytes(), &ModelOptions::default()).unwrap();
    let root = script.queries()[0].assertions[0];
    let parts = replacements.join(" ");
    let new =
        smelt_smtlib::parse_terms(&mut script, parts.as_bytes(), &Default::default()).unwrap();
    let mut values = Incremental::new(model);
    let arena = &mut script.arena;
    assert!(values.eval(arena, root).is_ok());
    let mut allocations = 0;
    for round in 0..250 {
        let mark = arena.mark();
        let t = arena.replace_at(root, &[0, 0], new[round % new.len()]).unwrap();
        let before = COUNT.get();
        let outcome = values.eval(arena, t);
        if round >= 50 {
            allocations += COUNT.get() - before;
        }
        assert!(outcome.is_ok(), "{outcome:?}");
        values.rollback(arena, mark);
    }
    assert_eq!(allocations, 0, "{formula}");
}

#[test]
fn words() {
    let before = COUNT.get();
    drop(std::hint::black_box(Box::new(5)));
    assert!(COUNT.get() > before, "the count does not work");
    check(
        "(declare-const x Int)(declare-const y Int)(declare-const p Bool)",
        "(or (< (+ x y 1) (* 3 (div y 2))) (and p (distinct x y (mod x 3))) (= (ite p x y) (- x)))",
        "((define-fun x () Int 17)(define-fun y () Int 5)(define-fun p () Bool true))",
        &["(+ x x)", "(* x y)", "(ite p 3 x)", "(- y)", "(abs x)"],
    );
    check(
        "(declare-const x Real)(declare-const y Real)",
        "(=> (<= (* x y) (/ x 3.0)) (not (= (+ x y) (- x y))))",
        "((define-fun x () Real (/ 1 7))(define-fun y () Real 5.0))",
        &["(+ x y)", "(/ x 4.0)", "(- y)"],
    );
    check(
        "(declare-const a (_ BitVec 32))(declare-const b (_ BitVec 32))",
        "(and (bvult (bvmul a b) (bvadd a b)) (= ((_ extract 7 0) a) (bvnot ((_ extract 15 8) b))))",
        "((define-fun a () (_ BitVec 32) #x00000010)(define-fun b () (_ BitVec 32) #xdeadbeef))",
        &[
            "(bvshl a b)",
            "(bvudiv a b)",
            "(bvsrem a b)",
            "(bvxor a b)",
            "(concat ((_ extract 15 0) a) ((_ extract 15 0) b))",
        ],
    );
    check(
        "(declare-const s String)(declare-const n Int)",
        "(and (str.prefixof (str.++ s \"a\") s) (= (str.len s) n))",
        "((define-fun s () String \"abc\")(define-fun n () Int 3))",
        &["(str.at s n)", "(str.substr s 0 2)", "(str.replace s \"a\" \"b\")"],
    );
    check(
        "(declare-fun f (Int) Int)(declare-const x Int)",
        "(= (f (f x)) (f 1))",
        "((define-fun f ((x Int)) Int (ite (= x 1) 2 3))(define-fun x () Int 1))",
        &["(f 2)", "(f (+ x 1))"],
    );
}
