//! Bounds of an unknown number, and comparisons that bound it.

use smelt_smtlib::{Head, Op, Sort, Term};

use super::fold::Fold;
use crate::int::Int;
use crate::rat::Rat;
use crate::value::Value;

/// A comparison of an unknown number with a known one.
pub(super) struct Bound {
    pub op: Op,
    pub value: Rat,
}

/// The unknown number that a literal compares with a known one: `(< (+ u 1.0) 3.0)` bounds u by 2.
pub(super) fn isolated(fold: &mut Fold, literal: Term) -> Option<(Term, Bound)> {
    let (t, holds) = match fold.a.head(literal) {
        Head::Op(Op::Not, _) => (fold.a.args(literal)[0], false),
        _ => (literal, true),
    };
    let (Head::Op(mut op, _), &[mut x, y]) = (fold.a.head(t), fold.a.args(t)) else { return None };
    op = match (op, holds) {
        (Op::Lt | Op::Le | Op::Gt | Op::Ge, true) | (Op::Eq, true) => op,
        (Op::Eq, false) => Op::Distinct,
        _ => return None,
    };
    if !matches!(fold.a.sort(x), Sort::INT | Sort::REAL) {
        return None;
    }
    let mut value = rational(fold, y)?;
    // Each step takes one operation away from the left side.
    loop {
        if fold.is_unknown(x) {
            return Some((x, Bound { op, value }));
        }
        let Head::Op(step, _) = fold.a.head(x) else { return None };
        let args = fold.a.args(x).to_vec();
        match (step, &args[..]) {
            (Op::ToReal, &[u]) => x = u,
            (Op::Neg, &[u]) => {
                (x, value, op) = (u, value.neg(), turned(op));
            }
            (Op::Add, _) => {
                let (u, rest) = one_unknown(fold, &args)?;
                for n in rest {
                    value = value.sub(&n).ok()?;
                }
                x = u;
            }
            (Op::Sub, &[u, v]) => match (rational(fold, u), rational(fold, v)) {
                (None, Some(n)) => (x, value) = (u, value.add(&n).ok()?),
                (Some(n), None) => (x, value, op) = (v, n.sub(&value).ok()?, turned(op)),
                _ => return None,
            },
            (Op::Mul, _) => {
                let (u, rest) = one_unknown(fold, &args)?;
                for n in rest {
                    value = value.div(&n)?.ok()?;
                    if n.signum() < 0 {
                        op = turned(op);
                    }
                }
                x = u;
            }
            _ => return None,
        }
    }
}

/// The only unknown term among some, and the values of the others.
fn one_unknown(fold: &mut Fold, args: &[Term]) -> Option<(Term, Vec<Rat>)> {
    let (mut unknown, mut rest) = (None, Vec::new());
    for &x in args {
        match rational(fold, x) {
            Some(n) => rest.push(n),
            None if unknown.is_none() => unknown = Some(x),
            None => return None,
        }
    }
    Some((unknown?, rest))
}

fn rational(fold: &mut Fold, t: Term) -> Option<Rat> {
    match fold.value(t)? {
        Value::Int(n) => Some(Rat::from(&n)),
        Value::Real(q) => Some(q),
        _ => None,
    }
}

/// The comparison of numbers of opposite sign.
fn turned(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        other => other,
    }
}

/// What is known of an unknown number.
#[derive(Clone, Default)]
pub(super) struct Bounds {
    /// The lower end, and whether it is excluded.
    low: Option<(Rat, bool)>,
    /// The upper end, and whether it is excluded.
    high: Option<(Rat, bool)>,
    excluded: Vec<Rat>,
}

impl Bounds {
    /// Takes a comparison into account; of a whole number if `whole`.
    pub fn add(&mut self, bound: &Bound, whole: bool) {
        let v = &bound.value;
        match bound.op {
            Op::Lt => self.below(v.clone(), true, whole),
            Op::Le => self.below(v.clone(), false, whole),
            Op::Gt => self.above(v.clone(), true, whole),
            Op::Ge => self.above(v.clone(), false, whole),
            Op::Eq => {
                self.below(v.clone(), false, whole);
                self.above(v.clone(), false, whole);
            }
            _ => self.excluded.push(v.clone()),
        }
        self.tighten(whole);
    }

    fn below(&mut self, v: Rat, strict: bool, whole: bool) {
        let (v, strict) = match whole {
            true if strict => (Rat::from(&v.ceil().sub(&Int::ONE)), false),
            true => (Rat::from(&v.floor()), false),
            false => (v, strict),
        };
        let better = match &self.high {
            Some((old, s)) => v < *old || v == *old && strict && !s,
            None => true,
        };
        if better {
            self.high = Some((v, strict));
        }
    }

    fn above(&mut self, v: Rat, strict: bool, whole: bool) {
        let (v, strict) = match whole {
            true if strict => (Rat::from(&v.floor().add(&Int::ONE)), false),
            true => (Rat::from(&v.ceil()), false),
            false => (v, strict),
        };
        let better = match &self.low {
            Some((old, s)) => v > *old || v == *old && strict && !s,
            None => true,
        };
        if better {
            self.low = Some((v, strict));
        }
    }

    /// Ends that are excluded move on, or become strict.
    fn tighten(&mut self, whole: bool) {
        loop {
            let at = |end: &Option<(Rat, bool)>, e: &[Rat]| {
                end.as_ref().filter(|(v, strict)| !strict && e.contains(v)).map(|(v, _)| v.clone())
            };
            match (at(&self.low, &self.excluded), at(&self.high, &self.excluded)) {
                (Some(v), _) if whole => self.above(v, true, true),
                (_, Some(v)) if whole => self.below(v, true, true),
                (Some(v), _) => self.low = Some((v, true)),
                (_, Some(v)) => self.high = Some((v, true)),
                (None, None) => return,
            }
            if self.is_empty() {
                return;
            }
        }
    }

    /// Whether no number is left.
    pub fn is_empty(&self) -> bool {
        match (&self.low, &self.high) {
            (Some((l, s)), Some((h, t))) => l > h || l == h && (*s || *t),
            _ => false,
        }
    }

    /// The only number that is left.
    pub fn only(&self) -> Option<Rat> {
        match (&self.low, &self.high) {
            (Some((l, false)), Some((h, false))) if l == h => Some(l.clone()),
            _ => None,
        }
    }

    /// Whether a comparison holds for all numbers that are left, or for none of them.
    pub fn decide(&self, bound: &Bound, whole: bool) -> Option<bool> {
        let with = |op: Op| {
            let mut both = self.clone();
            both.add(&Bound { op, value: bound.value.clone() }, whole);
            both.is_empty()
        };
        let opposite = match bound.op {
            Op::Lt => Op::Ge,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Ge => Op::Lt,
            Op::Eq => Op::Distinct,
            _ => Op::Eq,
        };
        match (with(bound.op), with(opposite)) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }

    /// One of the numbers that are left; a whole one if `whole`.
    pub fn some(&self, whole: bool) -> Option<Rat> {
        let one = Rat::ONE;
        let mut x = match (&self.low, &self.high) {
            (Some((l, _)), None) => l.clone(),
            (None, Some((h, _))) => h.clone(),
            (None, None) => Rat::ZERO,
            (Some((l, _)), Some(_)) => l.clone(),
        };
        let fits = |x: &Rat| {
            let low = self.low.as_ref().is_none_or(|(l, s)| x > l || x == l && !s);
            let high = self.high.as_ref().is_none_or(|(h, s)| x < h || x == h && !s);
            low && high && !self.excluded.contains(x)
        };
        for n in 1..200i64 {
            if fits(&x) && (!whole || x.is_int()) {
                return Some(x);
            }
            x = match (&self.low, &self.high) {
                (None, Some((h, _))) => h.sub(&Rat::from(n)).ok()?,
                (Some((l, _)), Some((h, _))) if !whole => {
                    let part = Rat::new(&Int::ONE, &Int::from(n + 1))?;
                    l.add(&h.sub(l).ok()?.mul(&part).ok()?).ok()?
                }
                _ => x.add(&one).ok()?,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quarters from −3 to 3: closer together than the bounds that are tried.
    fn grid() -> Vec<Rat> {
        (-12..=12i64).filter_map(|n| Rat::new(&Int::from(n), &Int::from(4i64))).collect()
    }

    fn holds(x: &Rat, bound: &Bound) -> bool {
        match bound.op {
            Op::Lt => *x < bound.value,
            Op::Le => *x <= bound.value,
            Op::Gt => *x > bound.value,
            Op::Ge => *x >= bound.value,
            Op::Eq => *x == bound.value,
            _ => *x != bound.value,
        }
    }

    /// All pairs of comparisons with halves: what is empty, the only number, decided, or chosen, as a walk over the grid has it.
    #[test]
    fn all_pairs() {
        let values: Vec<Rat> = grid().into_iter().skip(8).step_by(2).take(5).collect();
        let ops = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Distinct];
        let bounds: Vec<Bound> = ops
            .iter()
            .flat_map(|&op| values.iter().map(move |v| Bound { op, value: v.clone() }))
            .collect();
        for whole in [true, false] {
            let numbers: Vec<Rat> = grid().into_iter().filter(|x| !whole || x.is_int()).collect();
            for x in &bounds {
                for y in &bounds {
                    let mut both = Bounds::default();
                    both.add(x, whole);
                    both.add(y, whole);
                    let left: Vec<&Rat> =
                        numbers.iter().filter(|n| holds(n, x) && holds(n, y)).collect();
                    assert_eq!(both.is_empty(), left.is_empty());
                    if let Some(n) = both.only() {
                        assert_eq!(left, [&n]);
                    }
                    if !left.is_empty() {
                        let some = both.some(whole).unwrap();
                        assert!(holds(&some, x) && holds(&some, y) && (!whole || some.is_int()));
                        for z in &bounds {
                            let yes = left.iter().filter(|n| holds(n, z)).count();
                            match both.decide(z, whole) {
                                Some(true) => assert_eq!(yes, left.len()),
                                Some(false) => assert_eq!(yes, 0),
                                None => assert!(0 < yes && yes < left.len()),
                            }
                        }
                    }
                }
            }
        }
    }
}
