//! Values that are not known, by number.
//!
//! What the standard, the model or a limit leaves open still has *one* value, the same wherever it is met. Such a value
//! gets a number; operators carry it along, so that `(- t t)` is 0 and `((_ is cons) (cons t nil))` is true whatever t
//! is. Functions are functions: an operator at the same arguments has the number that it had before. A result that is
//! not an [`Open`] and holds none is right for every value of the open parts.

mod linear;

pub(crate) use linear::Linear;

use crate::outcome::Undetermined;
use crate::rat::Rat;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::{Fun, Op, Sort};

/// Arguments nested deeper than this are not remembered: comparing them may be long, since values share their parts.
const MAX_KEY_DEPTH: u16 = 8;
/// So many numbers are remembered at most; what is met later is new each time.
const MAX_NAMES: usize = 100_000;

/// A value that is not known. Equal numbers are one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Open {
    id: u32,
    why: Undetermined,
}

impl Open {
    /// Why it is not known.
    pub fn why(self) -> Undetermined {
        self.why
    }
}

/// What was applied to which values. Values do not carry their sort: `(head (as nil (List Int)))` and `(head (as nil (List
/// Real)))` are applications of two functions to one value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// An operator with its indices, the sort of the result and that of the first argument.
    Op(Op, Box<[u32]>, [Sort; 2], Box<[Value]>),
    /// A function symbol, with the sort of the first argument.
    Fun(Fun, Sort, Box<[Value]>),
    /// A sum, with its sort.
    Sum(Linear, Sort),
}

impl Key {
    fn is_small(&self) -> bool {
        match self {
            Key::Op(.., args) | Key::Fun(.., args) => {
                args.iter().all(|v| v.depth() <= MAX_KEY_DEPTH)
            }
            Key::Sum(..) => true,
        }
    }
}

/// What is known of an open value.
#[derive(Clone)]
pub(crate) enum Meaning {
    /// The negation of another.
    Not(Open),
    /// One of two values, by a condition that is open.
    Choice(Open, Value, Value),
    /// A sum of others.
    Sum(Linear),
}

/// The least and the greatest value that a number may have.
pub(crate) type Range = (Option<Rat>, Option<Rat>);

/// The open values of one evaluation.
#[derive(Default)]
pub(crate) struct Opens {
    next: u32,
    names: FxHashMap<Key, Value>,
    meanings: FxHashMap<u32, Meaning>,
    ranges: FxHashMap<u32, Range>,
    /// The variables of binders that stand for numbers, and whether these are integers.
    numbers: FxHashMap<u32, bool>,
    /// Open values that such a variable is part of, beyond truth values.
    varying: FxHashSet<u32>,
}

impl Opens {
    /// A value that stands for all values of a variable.
    pub fn variable(&mut self, sort: Sort) -> Open {
        let open = self.fresh(Undetermined::Domain);
        if matches!(sort, Sort::INT | Sort::REAL) {
            self.numbers.insert(open.id, sort == Sort::INT);
        }
        open
    }

    /// Whether a variable is one of integers; `None` if it is not one of numbers.
    pub fn is_integer(&self, open: Open) -> Option<bool> {
        self.numbers.get(&open.id).copied()
    }

    /// Whether an open value may differ where all comparisons of numbers have the same result.
    pub fn varies(&self, open: Open) -> bool {
        self.numbers.contains_key(&open.id) || self.varying.contains(&open.id)
    }

    /// Whether a value may differ where all comparisons of numbers have the same result. What holds open values may
    /// hold several.
    pub fn value_varies(&self, v: &Value) -> bool {
        match v {
            Value::Open(open) => self.varies(*open),
            other => other.open_part().is_some() && !self.numbers.is_empty(),
        }
    }

    /// Forgets variables whose binder is done.
    pub fn forget_variables(&mut self, variables: &[Open]) {
        for open in variables {
            self.numbers.remove(&open.id);
        }
        if self.numbers.is_empty() {
            self.varying.clear();
        }
    }

    /// A value of which nothing is known.
    pub fn fresh(&mut self, why: Undetermined) -> Open {
        // Numbers are given out per evaluation, of which each has far fewer steps.
        self.next = self.next.wrapping_add(1);
        Open { id: self.next, why }
    }

    /// The value that stands for an application: the one of an earlier, equal application, else what `make` gives.
    pub fn named(&mut self, key: Key, make: impl FnOnce(&mut Opens) -> Value) -> Value {
        if !key.is_small() {
            return make(self);
        }
        if let Some(known) = self.names.get(&key) {
            return known.clone();
        }
        let value = make(self);
        if self.names.len() < MAX_NAMES {
            self.names.insert(key, value.clone());
        }
        value
    }

    /// An open value that stands for an application.
    pub fn application(&mut self, key: Key, why: Undetermined) -> Value {
        self.named(key, |opens| Value::Open(opens.fresh(why)))
    }

    pub fn meaning(&self, open: Open) -> Option<&Meaning> {
        self.meanings.get(&open.id)
    }

    /// Says what an open value is.
    pub fn define(&mut self, open: Open, meaning: Meaning) {
        self.meanings.insert(open.id, meaning);
    }

    /// Says between which numbers an open value is.
    pub fn bound(&mut self, v: &Value, range: Range) {
        if let (Value::Open(open), true) = (v, range.0.is_some() || range.1.is_some()) {
            self.ranges.insert(open.id, range);
        }
    }

    /// Nothing is known any more about where an open value is.
    pub fn unbound(&mut self, open: Open) {
        self.ranges.remove(&open.id);
    }

    fn range(&self, open: Open) -> Range {
        self.ranges.get(&open.id).cloned().unwrap_or_default()
    }

    /// The negation of an open truth value.
    pub fn negated(&mut self, open: Open) -> Value {
        if let Some(Meaning::Not(inner)) = self.meaning(open) {
            return Value::Open(*inner);
        }
        let key = Key::Op(Op::Not, [].into(), [Sort::BOOL; 2], [Value::Open(open)].into());
        self.named(key, |opens| {
            let not = opens.fresh(open.why);
            opens.define(not, Meaning::Not(open));
            Value::Open(not)
        })
    }

    /// `(ite condition yes no)` for an open condition.
    pub fn choice(&mut self, condition: Open, yes: Value, no: Value, sort: Sort) -> Value {
        if yes.equals(&no) == Some(true) {
            return yes;
        }
        if let Some(&Meaning::Not(inner)) = self.meaning(condition) {
            return self.choice(inner, no, yes, sort);
        }
        match (&yes, &no) {
            (Value::Bool(true), Value::Bool(false)) => return Value::Open(condition),
            (Value::Bool(false), Value::Bool(true)) => return self.negated(condition),
            _ => {}
        }
        let args = [Value::Open(condition), yes.clone(), no.clone()];
        self.named(Key::Op(Op::Ite, [].into(), [sort, Sort::BOOL], args.into()), |opens| {
            let open = opens.fresh(condition.why);
            if opens.value_varies(&yes) || opens.value_varies(&no) {
                opens.varying.insert(open.id);
            }
            opens.define(open, Meaning::Choice(condition, yes, no));
            Value::Open(open)
        })
    }

    /// Whether so much is remembered that it should be forgotten.
    pub fn is_large(&self) -> bool {
        self.meanings.len() + self.ranges.len() > MAX_NAMES
    }

    /// Forgets names, because the arena has changed; numbers stay different from all that were given out.
    pub fn forget_names(&mut self) {
        self.names.clear();
    }

    /// Forgets everything, when no value is remembered any more.
    pub fn clear(&mut self) {
        *self = Opens::default();
    }
}
