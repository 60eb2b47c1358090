//! On what a quantifier depends, if all that its body asks about numbers are linear constraints.
//!
//! While a body is evaluated with open values for its variables, every comparison that is not decided leaves its linear
//! form here. Between two neighbouring zeros of the forms the body has one value, so one number of each cell decides for
//! all. Forms with several variables are projected, as in Fourier and Motzkin's elimination: where two zeros of the later
//! variable cross, a cell of the earlier one ends. Over the integers this holds only if the eliminated variable
//! has no factor.

use crate::int::Int;
use crate::open::{Linear, Open, Opens};
use crate::rat::Rat;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Most forms of one body, and after a projection.
const MAX_FORMS: usize = 2000;

/// The forms that a body depends on.
#[derive(Clone, Default)]
pub(crate) struct Record {
    forms: FxHashSet<Linear>,
    /// Whether it depends on something else, too.
    opaque: bool,
}

impl Record {
    /// How many steps of an evaluation a projection takes.
    pub fn cost(&self) -> u64 {
        let n = self.forms.len() as u64;
        if self.opaque { 0 } else { n * n / 8 }
    }

    /// The body depends on the variables in another way.
    pub fn obscure(&mut self) {
        self.opaque = true;
    }

    /// The body depends on the sign of a form.
    pub fn add(&mut self, form: &Linear) {
        match form.normalised() {
            Some(form) if self.forms.len() < MAX_FORMS => drop(self.forms.insert(form)),
            _ => self.opaque = true,
        }
    }

    /// Takes over on what a binder depends that has these variables.
    pub fn absorb(&mut self, inner: &Record, vars: &[Open], opens: &Opens) {
        match inner.projected(vars, opens) {
            Some(forms) => forms.iter().for_each(|f| self.add(f)),
            None => self.opaque = true,
        }
    }

    /// One value of the first variable per cell, whatever values the others have; `None` if that is not known.
    pub fn values(&self, vars: &[Open], opens: &Opens) -> Option<Vec<Value>> {
        let (&first, others) = vars.split_first()?;
        let whole = opens.is_integer(first)?;
        let mut zeros = Vec::new();
        for form in self.projected(others, opens)? {
            let (factor, rest) = form.without(first);
            if !factor.is_zero() {
                zeros.push(rest.known()?.neg().div(&factor)?.ok()?);
            }
        }
        zeros.sort();
        zeros.dedup();
        if whole { Some(integers(&zeros)) } else { reals(&zeros) }
    }

    /// The forms without these variables.
    fn projected(&self, vars: &[Open], opens: &Opens) -> Option<FxHashSet<Linear>> {
        if self.opaque {
            return None;
        }
        let mut forms = self.forms.clone();
        for &v in vars.iter().rev() {
            forms = project(forms, v, opens)?;
        }
        Some(forms)
    }
}

/// The forms without a variable; `None` if there are too many or they do not say everything.
fn project(forms: FxHashSet<Linear>, v: Open, opens: &Opens) -> Option<FxHashSet<Linear>> {
    let mut out = FxHashSet::default();
    let mut zeros: FxHashSet<Linear> = FxHashSet::default();
    let whole = opens.is_integer(v) == Some(true);
    for form in forms {
        let (factor, rest) = form.without(v);
        if factor.is_zero() {
            out.insert(form);
            continue;
        }
        let zero = rest.scaled(&factor.neg().recip()?).ok()?;
        match zero.known() {
            // Integers compare with a fraction as with its neighbours.
            Some(q) if whole => {
                zeros.extend([q.floor(), q.ceil()].map(|n| Linear::constant(Rat::from(&n))));
            }
            _ if whole && !zero.is_whole(opens) => return None,
            _ => drop(zeros.insert(zero)),
        }
    }
    let zeros: Vec<Linear> = zeros.into_iter().collect();
    if zeros.len() * zeros.len() > 4 * MAX_FORMS {
        return None;
    }
    let one = Linear::constant(Rat::ONE);
    for (i, x) in zeros.iter().enumerate() {
        for y in &zeros[i + 1..] {
            let apart = x.minus(y)?;
            if whole {
                // Whether there is an integer strictly between them counts, too.
                out.extend(apart.minus(&one)?.normalised());
                out.extend(apart.plus(&one).ok()??.normalised());
            }
            out.extend(apart.normalised());
        }
    }
    (out.len() <= MAX_FORMS).then_some(out)
}

/// An integer of each cell that has one: those next to a zero, and one beyond on each side.
fn integers(zeros: &[Rat]) -> Vec<Value> {
    let mut all: Vec<Int> = Vec::new();
    for q in zeros {
        let (low, high) = (q.floor(), q.ceil());
        all.extend([low.sub(&Int::ONE), high.add(&Int::ONE), low, high]);
    }
    if all.is_empty() {
        all.push(Int::ZERO);
    }
    // Small ones first: they are cheap, and often decide.
    all.sort_by_key(Int::abs);
    let mut seen = FxHashSet::default();
    all.retain(|n| seen.insert(n.clone()));
    all.into_iter().map(Value::Int).collect()
}

/// A real of each cell: the zeros, those in the middle between two, and one beyond on each side. The zeros are sorted.
fn reals(zeros: &[Rat]) -> Option<Vec<Value>> {
    let (Some(first), Some(last)) = (zeros.first(), zeros.last()) else {
        return Some(vec![Value::Real(Rat::ZERO)]);
    };
    let two = Rat::from(2i64);
    let mut all = zeros.to_vec();
    all.push(first.sub(&Rat::ONE).ok()?);
    all.push(last.add(&Rat::ONE).ok()?);
    for pair in zeros.windows(2) {
        all.push(pair[0].add(&pair[1]).ok()?.div(&two)?.ok()?);
    }
    all.sort_by_key(Rat::abs);
    Some(all.into_iter().map(Value::Real).collect())
}
