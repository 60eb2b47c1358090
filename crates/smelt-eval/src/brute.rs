//! How smelt itself proves `unsat`: small finite domains are exhausted; of others, the cases of a check are ([`mod@crate::residual`] of
//! the check under a model that says nothing).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::beyond::beyond_assertions;
use crate::residual::{Residual, residual};
use crate::{Evaluator, Limits, Model, Value, all_values};
use smelt_smtlib::import::Importer;
use smelt_smtlib::{Arena, Fun, FunKind, Head, Query, Script, Status, Term};

/// Assignments of all symbols together; so many evaluations take well under a second on small scripts.
const MAX_ASSIGNMENTS: u64 = 1 << 16;
/// Evaluations times terms, and steps below binders in all evaluations.
const MAX_WORK: u64 = 20_000_000;
/// For more assignments than this, it is worth while to copy the assertions.
const FEW: u64 = 16;
/// Assignments that are not decided before the search is given up: it can no longer prove `unsat`.
const MAX_OPEN: u32 = 16;

/// What trying all values of a check's symbols gave.
#[derive(Clone, Debug)]
pub enum Exhausted {
    /// These values satisfy it.
    Sat(Model),
    /// None does.
    Unsat,
}

/// Whether a check is satisfiable, by trying all values of its symbols: unknown if the domain is not small and finite or
/// something cannot be evaluated.
pub fn brute_force(script: &Script, query: &Query) -> Status {
    status(exhaust(script, query))
}

/// Whether a check is satisfiable, by all values of its symbols, or else by all cases: some checks over infinite domains have few, and all
/// of them contradict themselves.
pub fn prove(script: &Script, query: &Query) -> Status {
    match brute_force(script, query) {
        Status::Unknown if is_refuted(script, query) => Status::Unsat,
        found => found,
    }
}

/// Whether a check is satisfiable, by trying all values of its symbols with at most so much work: evaluations times terms. A million takes
/// some hundredths of a second.
pub fn brute_force_within(script: &Script, query: &Query, work: u64) -> Status {
    status(exhaust_within(script, query, work))
}

fn status(found: Option<Exhausted>) -> Status {
    match found {
        Some(Exhausted::Sat(_)) => Status::Sat,
        Some(Exhausted::Unsat) => Status::Unsat,
        None => Status::Unknown,
    }
}

/// What [`brute_force`] finds out, with the values that satisfy the check; `None` where it finds out nothing.
pub fn exhaust(script: &Script, query: &Query) -> Option<Exhausted> {
    exhaust_within(script, query, MAX_WORK)
}

/// Whether a check has no model, whatever its symbols and the values that the standard leaves open are: its assertions are folded, facts
/// put in, numbers bounded, and the few cases that are left all contradict themselves.
fn is_refuted(script: &Script, query: &Query) -> bool {
    let nothing = Model::new();
    matches!(residual(script, query, &nothing, Limits::quick()), Residual::False { .. })
}

fn exhaust_within(script: &Script, query: &Query, work: u64) -> Option<Exhausted> {
    let a = &script.arena;
    let mut symbols: BTreeSet<Fun> = BTreeSet::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack: Vec<Term> = query.assertions.clone();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Head::Fun(f) = a.head(t) {
            let d = a.fun(f);
            match d.kind {
                FunKind::Free => {
                    symbols.insert(f);
                }
                _ => stack.extend(d.def.map(|(_, body)| body)),
            }
        }
        stack.extend_from_slice(a.args(t));
    }
    let mut domains: Vec<(Fun, Arc<[Value]>)> = Vec::new();
    let mut count = 1u64;
    for &f in &symbols {
        let d = a.fun(f);
        if !d.args.is_empty() {
            return None;
        }
        let values = all_values(a, d.ret, MAX_ASSIGNMENTS / count)?;
        count = count.checked_mul(values.len() as u64)?;
        domains.push((f, values));
    }
    if count > MAX_ASSIGNMENTS || (seen.len() as u64).saturating_mul(count) > work {
        return None;
    }
    // What an evaluator remembers has the size of the arena, and is forgotten with each assignment.
    let small = count > FEW && a.term_count() > 4 * seen.len();
    let named = domains.clone();
    let mut own = Arena::new();
    let (mut a, mut assertions) = (a, Cow::Borrowed(&query.assertions[..]));
    if small {
        let mut importer = Importer::new();
        let terms = query.assertions.iter().map(|&t| importer.term(a, &mut own, t));
        assertions = terms.collect();
        for (f, values) in &mut domains {
            *f = importer.fun(a, &mut own, *f);
            *values = all_values(&own, own.fun(*f).ret, MAX_ASSIGNMENTS)?;
        }
        a = &own;
    }
    let limits = Limits { steps: work / count.max(1), ..Limits::default() };
    let mut evaluator = Evaluator::new(limits);
    let mut undecided = 0;
    for assignment in 0..count {
        let model = assign(&domains, assignment);
        evaluator.clear();
        let mut holds = Some(true);
        for &t in &*assertions {
            match evaluator.eval(a, &model, t) {
                Ok(Value::Bool(true)) => {}
                Ok(Value::Bool(false)) => {
                    holds = Some(false);
                    break;
                }
                // A later assertion may still refute the assignment.
                _ => holds = None,
            }
        }
        match holds {
            // What stands beside the assertions may forbid what they allow, never allow what they forbid.
            Some(true) => {
                let found = Exhausted::Sat(assign(&named, assignment));
                return beyond_assertions(script, query).is_none().then_some(found);
            }
            Some(false) => {}
            None => undecided += 1,
        }
        if undecided > MAX_OPEN {
            return None;
        }
    }
    (undecided == 0).then_some(Exhausted::Unsat)
}

/// The values that a number stands for.
fn assign(domains: &[(Fun, Arc<[Value]>)], assignment: u64) -> Model {
    let mut model = Model::new();
    let mut rest = assignment;
    for (f, values) in domains {
        let n = values.len() as u64;
        model.set_value(*f, values[(rest % n) as usize].clone());
        rest /= n;
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alone, and among many other terms, from which it is copied.
    fn check(script: &str, expect: Status) {
        let more: String = (0..400).map(|i| format!("(assert (= {i} {}))", i + 1)).collect();
        for text in [script.to_owned(), format!("{script}{more}(check-sat)")] {
            let script = smelt_smtlib::parse(text.as_bytes()).unwrap();
            let query = &script.queries()[0];
            assert_eq!(brute_force(&script, query), expect, "{text}");
            // The values are those of the script's own symbols.
            if let Some(Exhausted::Sat(model)) = exhaust(&script, query) {
                let mut evaluator = Evaluator::new(Limits::default());
                for &t in &query.assertions {
                    let value = evaluator.eval(&script.arena, &model, t);
                    assert_eq!(value, Ok(Value::Bool(true)), "{text}");
                }
            }
        }
    }

    /// Quantifiers below each of many assignments: given up in time.
    #[test]
    fn quantifiers() {
        let bools: String = (0..14).map(|i| format!("(declare-const p{i} Bool)")).collect();
        let hard = "(forall ((a (_ BitVec 32)) (b (_ BitVec 32)) (c (_ BitVec 32)) (d Bool) (e Bool))
            (exists ((f (_ BitVec 32))) (= (bvadd (bvmul a b c f) (bvmul f f)) (ite (and d p1) f (bvadd a (ite e b c))))))";
        let begun = std::time::Instant::now();
        check(
            &format!("{bools}(assert (or p0 {hard}))(assert (not p0))(check-sat)"),
            Status::Unknown,
        );
        assert!(begun.elapsed().as_secs() < 20);
        check(
            "(declare-const x (_ BitVec 8))(assert (forall ((y (_ BitVec 8))) (bvule x y)))(check-sat)",
            Status::Sat,
        );
        check(
            "(declare-const x (_ BitVec 6))(assert (forall ((y (_ BitVec 6))) (bvult x y)))(check-sat)",
            Status::Unsat,
        );
    }

    #[test]
    fn small_domains() {
        let bv = "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))";
        check(&format!("{bv}(assert (= (bvadd x y) #b111))(check-sat)"), Status::Sat);
        check(&format!("{bv}(assert (bvult x y))(assert (bvult y x))(check-sat)"), Status::Unsat);
        check("(declare-const p Bool)(assert (and p (not p)))(check-sat)", Status::Unsat);
        check("(declare-const p Bool)(assert (xor p true))(check-sat)", Status::Sat);
        check("(declare-const x Int)(assert (> x 0))(check-sat)", Status::Unknown);
        check("(declare-const x (_ BitVec 64))(assert (= x x))(check-sat)", Status::Unknown);
        check(
            "(declare-const x (_ BitVec 2))(assert (> (div 1 (ubv_to_int x)) 2))(check-sat)",
            Status::Unknown,
        );
        check(
            "(define-fun f ((x (_ BitVec 2))) Bool (= x #b01))(declare-const y (_ BitVec 2))\
             (assert (f y))(assert (not (f y)))(check-sat)",
            Status::Unsat,
        );
        // Every finite sort: floats, rounding modes, datatypes, arrays.
        let fp = "(declare-const x (_ FloatingPoint 3 4))(declare-const m RoundingMode)";
        check(&format!("{fp}(assert (fp.lt (fp.mul m x x) (fp.neg x)))(check-sat)"), Status::Sat);
        check(
            &format!("{fp}(assert (fp.lt (fp.add m x x) x))(assert (fp.isPositive x))(check-sat)"),
            Status::Unsat,
        );
        check(
            "(declare-datatype C ((red) (green) (on (b Bool))))(declare-const c C)(declare-const d C)\
             (declare-const e C)(declare-const f C)(declare-const g C)(assert (distinct c d e f g))(check-sat)",
            Status::Unsat,
        );
        check(
            "(declare-const a (Array Bool Bool))(assert (and (select a true) (not (= a (store a true true)))))(check-sat)",
            Status::Unsat,
        );
        check(
            "(declare-sort U 0)(declare-const u U)(assert (distinct u u))(check-sat)",
            Status::Unknown,
        );
        // An assertion that is open does not matter where another is false.
        check(
            "(declare-const x (_ BitVec 2))(assert (= 1 (div 1 (ubv_to_int x))))(assert (= x #b10))(check-sat)",
            Status::Unsat,
        );
        check(
            "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(declare-const p Bool)(assert p)(check-sat)",
            Status::Unknown,
        );
    }

    /// No finite domain, but few cases.
    #[test]
    fn cases() {
        let check = |text: &str, expect: Status| {
            let script = smelt_smtlib::parse(text.as_bytes()).unwrap();
            assert_eq!(prove(&script, &script.queries()[0]), expect, "{text}");
        };
        let words = |assertion: &str, expect: Status| {
            let declared = "(declare-const s String)(declare-const t String)";
            check(&format!("{declared}(assert {assertion})(check-sat)"), expect);
        };
        let both = "(re.inter (str.to_re s) (str.to_re t))";
        words(&format!("(str.in_re (str.++ s (str.from_int 0)) {both})"), Status::Unsat);
        words(&format!("(str.in_re (str.++ s t) {both})"), Status::Unknown);
        words("(= (str.++ \"a\" s) (str.++ \"b\" t))", Status::Unsat);
        words("(= (str.++ \"a\" s) (str.++ \"ab\" t))", Status::Unknown);
        words("(= (str.++ s \"\" t) (str.++ s \"x\" t))", Status::Unsat);
        words("(distinct (str.++ s \"\" t) (str.++ s t))", Status::Unsat);
        words("(= (str.++ s \"a\" t) s)", Status::Unsat);
        words("(str.in_re s (re.diff (str.to_re s) (str.to_re t) (str.to_re s)))", Status::Unsat);
        words("(str.in_re s (re.union (re.comp re.all) re.none))", Status::Unsat);
        let real = "(declare-const x Real)(declare-const y Real)(declare-const p Bool)";
        check(
            &format!("{real}(assert (> x 1.0))(assert (< (* 2.0 x) 2.0))(check-sat)"),
            Status::Unsat,
        );
        check(&format!("{real}(assert (> x 1.0))(assert (< x 2.0))(check-sat)"), Status::Unknown);
        check(
            &format!(
                "{real}(assert (or (= x 1.0) (= x 2.0)))(assert (ite p (> x 2.0) (< x 1.0)))(check-sat)"
            ),
            Status::Unsat,
        );
        // Whatever 1/0 is, it is one number.
        check(
            &format!(
                "{real}(assert (= y 0.0))(assert (= (/ 1.0 y) 1.0))(assert (= (/ 1.0 y) 2.0))(check-sat)"
            ),
            Status::Unsat,
        );
        check(
            &format!(
                "{real}(assert (= y 0.0))(assert (= (/ 1.0 y) 1.0))(assert (= (/ 2.0 y) 2.0))(check-sat)"
            ),
            Status::Unknown,
        );
        check(
            "(declare-sort U 0)(declare-const u U)(assert (distinct u u))(check-sat)",
            Status::Unsat,
        );
        // Monotone operations between bounds; rounding again changes nothing.
        let floats = |declared: &str, assertions: &str, expect: Status| {
            check(&format!("{declared}{assertions}(check-sat)"), expect);
        };
        let float =
            "(declare-const x Float64)(declare-const y Float32)(declare-const m RoundingMode)";
        floats(
            float,
            "(assert (fp.lt x (fp #b1 #b11111111110 #x0000000000000)))(assert (= y ((_ to_fp 8 24) m x)))(assert (fp.gt y (_ -zero 8 24)))",
            Status::Unsat,
        );
        floats(
            float,
            "(assert (fp.lt x (fp #b1 #b11111111110 #x0000000000000)))(assert (= y ((_ to_fp 8 24) m x)))(assert (fp.isInfinite y))",
            Status::Unknown,
        );
        let rounded = "(fp.roundToIntegral m x)";
        floats(
            float,
            &format!("(assert (distinct {rounded} (fp.roundToIntegral RTZ {rounded})))"),
            Status::Unsat,
        );
        floats(float, "(assert (fp.leq (fp.add m x x) (fp.neg (fp.abs x))))", Status::Unknown);
        floats(
            float,
            "(assert (fp.isPositive x))(assert (fp.isNegative y))(assert (fp.gt ((_ to_fp 11 53) m y) x))",
            Status::Unsat,
        );
        // What holds for all values holds at infinity.
        floats(
            float,
            "(assert (forall ((z Float64)) (not (fp.isPositive (fp.max x z)))))",
            Status::Unsat,
        );
        floats(
            float,
            "(assert (forall ((z Float64)) (not (fp.isInfinite (fp.rem x z)))))",
            Status::Unknown,
        );
        floats(
            "(declare-const x Int)",
            "(assert (not (exists ((z Int)) (> z (+ x 1)))))(assert (< x (- 2)))",
            Status::Unsat,
        );
        // A sort may have one element only, and a function may be anything.
        check(
            "(declare-sort U 0)(declare-fun f (U) Int)(declare-const u U)(declare-const v U)(assert (= (f u) 1))(assert (= (f v) 2))(check-sat)",
            Status::Unknown,
        );
    }
}
