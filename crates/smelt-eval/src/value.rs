//! The value of a term: one small type over all theories.
//!
//! A [`Value`] has 24 bytes; what fits a machine word (and short strings) is stored in place, the rest is shared and
//! cheap to clone. Values do not carry their sort: the evaluator works on well-sorted terms.
//!
//! **Equality.** `==` compares representations. For *canonical* values ([`Value::is_canonical`]) this is SMT-LIB's
//! `=`. A few values are not canonical: algebraic numbers, enclosures of reals, regular expressions, and compounds
//! that hold them or that may be written in several ways. [`Value::equals`] answers for all of them, with three values.

use crate::algebraic::Algebraic;
use crate::array::Array;
use crate::bag::Bag;
use crate::bv::Bv;
use crate::closure::Closure;
use crate::compound::{Data, List};
use crate::field::Ff;
use crate::fp::{Fp, RoundingMode};
use crate::function::Table;
use crate::int::Int;
use crate::open::Open;
use crate::rat::Rat;
use crate::real::{self, Enclosure};
use crate::regex::Re;
use crate::set::Set;
use crate::string::Str;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// Values nested deeper than this are refused, which keeps walks over values simple.
pub const MAX_DEPTH: u16 = 1000;

/// A value of any sort.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// `Bool`
    Bool(bool),
    /// `Int`
    Int(Int),
    /// `Real`, a rational number.
    Real(Rat),
    /// `Real`, an algebraic number that is not known to be rational.
    Algebraic(Arc<Algebraic>),
    /// `Real`, known to lie in an interval only.
    Approx(Enclosure),
    /// `(_ BitVec n)`
    Bv(Bv),
    /// `(_ FloatingPoint eb sb)`
    Fp(Fp),
    /// `RoundingMode`
    Rm(RoundingMode),
    /// `String`
    Str(Str),
    /// `RegLan`, an expression of the evaluator's store.
    Re(Re),
    /// `(_ FiniteField p)`
    Ff(Arc<Ff>),
    /// An element of an uninterpreted sort: the sort's index in the arena, and which element it is.
    Uninterpreted {
        /// Index of the sort.
        sort: u32,
        /// Number of the element; different numbers are different elements.
        id: u32,
    },
    /// `(Array I E)`
    Array(Arc<Array>),
    /// A datatype, a tuple or a nullable.
    Data(Arc<Data>),
    /// `(Seq E)`
    Seq(Arc<List>),
    /// `(Set E)`
    Set(Arc<Set>),
    /// `(Bag E)`
    Bag(Arc<Bag>),
    /// A function given by a table.
    Fun(Arc<Table>),
    /// A function (or an array) given by a body that is evaluated on demand.
    Closure(Arc<Closure>),
    /// A value that is not known, while a term is evaluated. No value that the evaluator gives away is or holds one.
    Open(Open),
}

impl Value {
    /// `true`
    pub const TRUE: Value = Value::Bool(true);
    /// `false`
    pub const FALSE: Value = Value::Bool(false);

    /// Is `==` on this value the same as SMT-LIB's `=`?
    pub fn is_canonical(&self) -> bool {
        match self {
            Value::Algebraic(_)
            | Value::Approx(_)
            | Value::Re(_)
            | Value::Fun(_)
            | Value::Closure(_)
            | Value::Open(_) => false,
            Value::Array(a) => a.is_canonical(),
            Value::Data(d) => d.fields().is_canonical(),
            Value::Seq(s) => s.is_canonical(),
            // Their elements are demanded to be canonical.
            Value::Set(_) | Value::Bag(_) => true,
            _ => true,
        }
    }

    /// An open value that this one is, or that it holds.
    pub(crate) fn open_part(&self) -> Option<Open> {
        match self {
            Value::Open(open) => Some(*open),
            Value::Array(a) => a.open_part(),
            Value::Data(d) => d.fields().open_part(),
            Value::Seq(s) => s.open_part(),
            Value::Closure(c) => c.open_part(),
            // The elements of sets and bags are canonical, tables come from models.
            _ => None,
        }
    }

    /// How deeply values are nested in this one; 0 for a plain value.
    pub(crate) fn depth(&self) -> u16 {
        match self {
            Value::Array(a) => a.depth(),
            Value::Data(d) => d.fields().depth(),
            Value::Seq(s) => s.depth(),
            Value::Set(s) => s.depth(),
            Value::Bag(b) => b.depth(),
            Value::Fun(f) => f.depth(),
            Value::Closure(c) => c.depth(),
            _ => 0,
        }
    }

    /// SMT-LIB's `=` for two values of one sort; `None` if it cannot be decided here (regular expressions that
    /// differ as terms: ask [`crate::regex::RegexStore::equivalent`]).
    pub fn equals(&self, other: &Value) -> Option<bool> {
        if self.is_canonical() && other.is_canonical() && !real::mixed(self, other) {
            return Some(self == other);
        }
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => a.equals(b),
            (Value::Data(a), Value::Data(b)) => a.equals(b),
            (Value::Seq(a), Value::Seq(b)) => a.equals(b),
            (Value::Fun(a), Value::Fun(b)) => a.equals(b),
            (Value::Re(a), Value::Re(b)) => (a == b).then_some(true),
            (Value::Closure(a), Value::Closure(b)) => (a == b).then_some(true),
            (Value::Open(a), Value::Open(b)) => (a == b).then_some(true),
            _ => real::compare(self, other).map(Ordering::is_eq),
        }
    }

    /// A total order on the canonical values of one sort, for the normal forms of sets, bags and arrays. It has no
    /// meaning in any theory.
    pub(crate) fn order(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.cmp(b),
            (Value::Bv(a), Value::Bv(b)) => order_bits(a, b),
            (Value::Fp(a), Value::Fp(b)) => order_bits(&a.to_bits(), &b.to_bits()),
            (Value::Rm(a), Value::Rm(b)) => a.cmp(b),
            (Value::Str(a), Value::Str(b)) => a.cmp(b),
            (Value::Re(a), Value::Re(b)) => a.cmp(b),
            (Value::Ff(a), Value::Ff(b)) => a.cmp(b),
            (Value::Uninterpreted { sort: s, id: a }, Value::Uninterpreted { sort: t, id: b }) => {
                (s, a).cmp(&(t, b))
            }
            (Value::Array(a), Value::Array(b)) => a.order(b),
            (Value::Data(a), Value::Data(b)) => a.order(b),
            (Value::Seq(a), Value::Seq(b)) => a.order(b),
            (Value::Set(a), Value::Set(b)) => a.elements().order(b.elements()),
            (Value::Bag(a), Value::Bag(b)) => a.order(b),
            // Not canonical, or of different sorts: never compared in a well-sorted script.
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) => 1,
            Value::Real(_) => 2,
            Value::Algebraic(_) => 3,
            Value::Approx(_) => 4,
            Value::Bv(_) => 5,
            Value::Fp(_) => 6,
            Value::Rm(_) => 7,
            Value::Str(_) => 8,
            Value::Re(_) => 9,
            Value::Ff(_) => 10,
            Value::Uninterpreted { .. } => 11,
            Value::Array(_) => 12,
            Value::Data(_) => 13,
            Value::Seq(_) => 14,
            Value::Set(_) => 15,
            Value::Bag(_) => 16,
            Value::Fun(_) => 17,
            Value::Closure(_) => 18,
            Value::Open(_) => 19,
        }
    }
}

fn order_bits(a: &Bv, b: &Bv) -> Ordering {
    a.width().cmp(&b.width()).then_with(|| match (a.to_u64(), b.to_u64()) {
        (Some(x), Some(y)) => x.cmp(&y),
        _ => a.to_big().cmp(&b.to_big()),
    })
}

/// Three-valued "all": false as soon as one is, else unknown if one is.
pub(crate) fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<Int> for Value {
    fn from(n: Int) -> Value {
        Value::Int(n)
    }
}

impl From<Rat> for Value {
    fn from(q: Rat) -> Value {
        Value::Real(q)
    }
}

impl From<Bv> for Value {
    fn from(v: Bv) -> Value {
        Value::Bv(v)
    }
}

impl From<Fp> for Value {
    fn from(x: Fp) -> Value {
        Value::Fp(x)
    }
}

impl From<Str> for Value {
    fn from(s: Str) -> Value {
        Value::Str(s)
    }
}

/// For traces and failing tests; names of constructors and sorts are not known here and written as numbers.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => f.write_str(&n.to_smtlib()),
            Value::Real(q) => f.write_str(&q.to_smtlib()),
            Value::Algebraic(x) => write!(f, "{x:?}"),
            Value::Approx(x) => write!(f, "{x:?}"),
            Value::Bv(v) => write!(f, "{v}"),
            Value::Fp(x) => write!(f, "{x}"),
            Value::Rm(m) => write!(f, "{m}"),
            Value::Str(s) => write!(f, "{s}"),
            Value::Re(r) => write!(f, "{r:?}"),
            Value::Ff(x) => write!(f, "{x}"),
            Value::Uninterpreted { sort, id } => write!(f, "@{sort}!{id}"),
            Value::Array(a) => write!(f, "{a:?}"),
            Value::Data(d) => write!(f, "{d:?}"),
            Value::Seq(s) => write!(f, "(seq {:?})", s.items()),
            Value::Set(s) => write!(f, "(set {:?})", s.elements().items()),
            Value::Bag(b) => write!(f, "(bag {:?})", b.entries()),
            Value::Fun(t) => write!(f, "{t:?}"),
            Value::Closure(c) => write!(f, "{c:?}"),
            Value::Open(open) => write!(f, "{open:?}"),
        }
    }
}
