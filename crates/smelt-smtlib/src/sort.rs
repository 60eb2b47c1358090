//! Sorts, hash-consed.

use dashu_int::UBig;

use crate::arena::{Arena, Sym};

/// A sort of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sort(pub(crate) u32);

impl Sort {
    /// `Bool`
    pub const BOOL: Self = Self(0);
    /// `Int`
    pub const INT: Self = Self(1);
    /// `Real`
    pub const REAL: Self = Self(2);
    /// `RoundingMode`
    pub const RM: Self = Self(3);
    /// `String`
    pub const STRING: Self = Self(4);
    /// `RegLan`
    pub const REGLAN: Self = Self(5);

    /// The id as an index for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A sort that was declared: a free one or a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortDecl(pub(crate) u32);

impl SortDecl {
    /// The id as an index for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a sort is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SortKind {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `RoundingMode`
    RoundingMode,
    /// `String`
    String,
    /// `RegLan`
    RegLan,
    /// `(_ BitVec n)`
    BitVec(u32),
    /// `(_ FloatingPoint eb sb)`
    Float(u32, u32),
    /// `(_ FiniteField p)` (cvc5)
    FiniteField(UBig),
    /// `(Array I E)`
    Array(Sort, Sort),
    /// `(Seq E)`
    Seq(Sort),
    /// `(Set E)` (cvc5)
    Set(Sort),
    /// `(Bag E)` (cvc5)
    Bag(Sort),
    /// `(Nullable E)` (cvc5)
    Nullable(Sort),
    /// `(Tuple …)` (cvc5); empty for `UnitTuple`
    Tuple(Box<[Sort]>),
    /// `(-> A … R)`
    Fun(Box<[Sort]>, Sort),
    /// A declared sort with its arguments.
    Named(SortDecl, Box<[Sort]>),
    /// A sort parameter inside a parametric declaration.
    Param(Sym),
}

/// How a declared sort came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortDeclKind {
    /// `declare-sort`
    Free,
    /// `declare-datatype(s)`: its constructors in order.
    Datatype {
        /// Constructors.
        constructors: Vec<crate::arena::Fun>,
        /// Whether it is cvc5's co-datatype.
        co: bool,
    },
}

/// A declared sort symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortDeclInfo {
    /// Name.
    pub name: Sym,
    /// Names of the parameters (invented ones for a free sort).
    pub params: Box<[Sym]>,
    /// Free or datatype.
    pub kind: SortDeclKind,
}

/// Sorts nested deeper than this are refused, which keeps walks over sorts simple.
pub const MAX_SORT_DEPTH: u32 = 500;

/// How many nodes the tree of a sort may have: definitions of sorts can double it each time.
pub const MAX_SORT_SIZE: u32 = 10_000;

impl SortKind {
    /// Calls `f` on each direct component.
    pub fn for_each_child(&self, mut f: impl FnMut(Sort)) {
        match self {
            Self::Array(a, b) => {
                f(*a);
                f(*b);
            }
            Self::Seq(a) | Self::Set(a) | Self::Bag(a) | Self::Nullable(a) => f(*a),
            Self::Tuple(all) | Self::Named(_, all) => all.iter().copied().for_each(f),
            Self::Fun(args, ret) => {
                args.iter().copied().for_each(&mut f);
                f(*ret);
            }
            _ => {}
        }
    }

    /// A sort of this kind whose components are what `f` makes of those here.
    pub fn map_children(&self, mut f: impl FnMut(Sort) -> Sort) -> Self {
        match self {
            Self::Array(a, b) => Self::Array(f(*a), f(*b)),
            Self::Seq(a) => Self::Seq(f(*a)),
            Self::Set(a) => Self::Set(f(*a)),
            Self::Bag(a) => Self::Bag(f(*a)),
            Self::Nullable(a) => Self::Nullable(f(*a)),
            Self::Tuple(all) => Self::Tuple(all.iter().map(|&s| f(s)).collect()),
            Self::Named(d, all) => Self::Named(*d, all.iter().map(|&s| f(s)).collect()),
            Self::Fun(args, ret) => {
                let args = args.iter().map(|&s| f(s)).collect();
                Self::Fun(args, f(*ret))
            }
            other => other.clone(),
        }
    }
}

impl Arena {
    /// Replaces sort parameters.
    pub fn subst_sort(&mut self, s: Sort, map: &[(Sym, Sort)]) -> Sort {
        if map.is_empty() || !self.sort_has_params(s) {
            return s;
        }
        let kind = self.sort_kind(s).clone();
        if let SortKind::Param(p) = kind {
            return map.iter().find(|(q, _)| *q == p).map_or(s, |&(_, t)| t);
        }
        let new = kind.map_children(|c| self.subst_sort(c, map));
        self.mk_sort(new)
    }

    /// Matches a sort with parameters against one without; extends `map`.
    pub fn match_sort(&self, pattern: Sort, s: Sort, map: &mut Vec<(Sym, Sort)>) -> bool {
        if pattern == s {
            return true;
        }
        if !self.sort_has_params(pattern) {
            return false;
        }
        match (self.sort_kind(pattern), self.sort_kind(s)) {
            (SortKind::Param(p), _) => match map.iter().find(|(q, _)| q == p) {
                Some(&(_, bound)) => bound == s,
                None => {
                    map.push((*p, s));
                    true
                }
            },
            (SortKind::Named(d, a), SortKind::Named(e, b)) => {
                d == e && a.iter().zip(b).all(|(&x, &y)| self.match_sort(x, y, map))
            }
            (SortKind::Tuple(a), SortKind::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(&x, &y)| self.match_sort(x, y, map))
            }
            (SortKind::Fun(a, r), SortKind::Fun(b, t)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(&x, &y)| self.match_sort(x, y, map))
                    && self.match_sort(*r, *t, map)
            }
            (SortKind::Array(a, b), SortKind::Array(c, d)) => {
                self.match_sort(*a, *c, map) && self.match_sort(*b, *d, map)
            }
            (SortKind::Seq(a), SortKind::Seq(b))
            | (SortKind::Set(a), SortKind::Set(b))
            | (SortKind::Bag(a), SortKind::Bag(b))
            | (SortKind::Nullable(a), SortKind::Nullable(b)) => self.match_sort(*a, *b, map),
            _ => false,
        }
    }
}
