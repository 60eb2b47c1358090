//! What terms are made of: the ids of interned things, heads, and declarations.

use super::Term;
use crate::op::Op;
use crate::sort::{Sort, SortDecl};

macro_rules! ids {
    ($($(#[$m:meta])* $name:ident;)*) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);
        impl $name {
            /// The id as an index for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An interned name.
    Sym;
    /// A declared or defined function symbol (constants included).
    Fun;
    /// A bound variable; every binder has its own.
    Var;
    /// An interned literal.
    Lit;
    /// An interned list of indices.
    Idx;
    /// An interned list of variables: those of a binder in order, or a sorted set.
    VarList;
    /// An interned list of annotations.
    Attrs;
    /// An interned list of `match` cases.
    Cases;
}

impl Idx {
    /// No index.
    pub const NONE: Self = Self(0);
}

impl VarList {
    /// No variable.
    pub const EMPTY: Self = Self(0);
}

/// What binds variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
    /// cvc5's `choice` (older: `witness`): some value that satisfies the body.
    Choice,
    /// cvc5's `(set.comprehension (vars) condition element)`.
    SetComprehension,
}

impl Binder {
    /// The keyword.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forall => "forall",
            Self::Exists => "exists",
            Self::Lambda => "lambda",
            Self::Choice => "choice",
            Self::SetComprehension => "set.comprehension",
        }
    }
}

/// What is at the top of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A built-in operator, applied to the arguments.
    Op(Op, Idx),
    /// A function symbol: applied, or (no arguments, function sort) itself.
    Fun(Fun),
    /// A bound variable.
    Var(Var),
    /// A literal.
    Lit(Lit),
    /// A binder; its arguments are the body (and the element of a comprehension).
    Bind(Binder, VarList),
    /// `match`: the arguments are the term and then one body per case.
    Match(Cases),
    /// `(! t …)`: the arguments are the term and then the terms of all patterns.
    Annot(Attrs),
}

/// How a function symbol came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunKind {
    /// Declared.
    Free,
    /// `define-fun` or `define-const`.
    Defined,
    /// `define-fun-rec` or `define-funs-rec`.
    Recursive,
    /// A constructor: the datatype and its position there.
    Constructor(SortDecl, u32),
    /// A selector: its constructor and the position there.
    Selector(Fun, u32),
    /// A name given by `:named`.
    Named,
    /// A value of a free sort in a model (`@a1`, `T!val!0`).
    Abstract,
    /// An operator from a user's file; its name may be `(_ f 1)`.
    External,
}

/// A function symbol.
#[derive(Clone, Debug)]
pub struct FunDecl {
    /// Name.
    pub name: Sym,
    /// Sort parameters that occur in the sorts (of constructors, selectors, external operators).
    pub params: Box<[Sym]>,
    /// Argument sorts.
    pub args: Box<[Sort]>,
    /// Result sort.
    pub ret: Sort,
    /// Origin.
    pub kind: FunKind,
    /// Formal parameters and body, if it is defined.
    pub def: Option<(VarList, Term)>,
}

impl FunDecl {
    /// The kind without its ids, for comparing across arenas.
    pub(crate) fn kind_name(&self) -> u8 {
        match self.kind {
            FunKind::Free => 0,
            FunKind::Defined => 1,
            FunKind::Recursive => 2,
            FunKind::Constructor(..) => 3,
            FunKind::Selector(..) => 4,
            FunKind::Named => 5,
            FunKind::Abstract => 6,
            FunKind::External => 7,
        }
    }
}

/// A bound variable.
#[derive(Clone, Copy, Debug)]
pub struct VarDecl {
    /// The name in the source; printing may choose another.
    pub name: Sym,
    /// Sort.
    pub sort: Sort,
}

/// One annotation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    /// `:named`
    Named(Fun),
    /// `:pattern` with so many terms.
    Pattern(u32),
    /// `:no-pattern` (one term).
    NoPattern,
    /// Any other, as text.
    Other(Box<str>),
}

/// One case of a `match`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The constructor; `None` for a variable pattern.
    pub constructor: Option<Fun>,
    /// Variables that the pattern binds.
    pub vars: VarList,
}
