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
use rustc_hash::FxHashMap;
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

/// What was applied to which values.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// An operator with its indices and the sort of the result.
    Op(Op, Box<[u32]>, Sort, Box<[Value]>),
    /// A function symbol.
    Fun(Fun, Box<[Value]>),
    /// A sum, with its sort.
    Sum(Linear, Sort),
}

impl Key {
    fn is_small(&self) -> bool {
        match self {
            Key::Op(.., args) | Key::Fun(_, args) => {
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
}

impl Opens {
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

    fn range(&self, open: Open) -> Range {
        self.ranges.get(&open.id).cloned().unwrap_or_default()
    }

    /// The negation of an open truth value.
    pub fn negated(&mut self, open: Open) -> Value {
        if let Some(Meaning::Not(inner)) = self.meaning(open) {
            return Value::Open(*inner);
        }
        let key = Key::Op(Op::Not, [].into(), Sort::BOOL, [Value::Open(open)].into());
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
        self.named(Key::Op(Op::Ite, [].into(), sort, args.into()), |opens| {
            let open = opens.fresh(condition.why);
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
