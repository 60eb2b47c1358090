//! What the operator table says about an operator, and look-ups in it.
//!
//! The rows are in [`crate::optable`]. Parser, printer, sort checker and every later user of operators (mutators,
//! generators, the evaluator's coverage test) read this one table; adding an operator is adding one row.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Term};
pub use crate::optable::{OPS, Op};
use crate::partiality::Partiality;
use crate::sort::Sort;

/// The theory that an operator belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Theory {
    Core,
    Ints,
    Reals,
    RealsInts,
    BitVec,
    Float,
    Strings,
    Regex,
    Arrays,
    Datatypes,
    Seq,
    Sets,
    Relations,
    Bags,
    Fields,
    Transcendentals,
    Tuples,
    Nullables,
    HigherOrder,
    PseudoBoolean,
    Separation,
}

/// Who defines an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// SMT-LIB 2.7.
    Standard,
    /// Understood by z3 and cvc5 alike, though not in the standard.
    Common,
    /// z3 only.
    Z3,
    /// cvc5 only.
    Cvc5,
    /// bitwuzla only.
    Bitwuzla,
}

impl Dialect {
    /// The dialect as a bit of a set.
    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The words of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Naming {
    /// The table's own names: SMT-LIB 2.7, and the newest names of dialects.
    Standard,
    /// SMT-LIB 2.6 before the renaming of conversions (`bv2nat`, `int2bv`): z3 before 4.15, cvc5 before 1.3, cvc4.
    V26,
    /// z3 since 4.15: the table's names (but `update-field`); constructors and selectors that are indices have their signature
    /// where the name alone does not tell which one is meant.
    Z3,
    /// z3 before 4.15: as [`Naming::Z3`], with the names of [`Naming::V26`].
    Z3V26,
    /// z3 up to 4.8.8: as [`Naming::Z3V26`], with `str.in.re`, `int.to.str`, …
    Z3Old,
    /// cvc4 1.8: `member`, `union`, …
    Cvc4,
    /// Never printed: only understood when read.
    ReadOnly,
}

impl Naming {
    /// Whether text in the table's own words is understood, but for a few.
    pub const fn is_standard(self) -> bool {
        matches!(self, Self::Standard | Self::Z3)
    }

    /// Whether its words are these where it has none of its own: older ones include what was renamed after them.
    const fn includes(self, other: Self) -> bool {
        match other {
            Self::V26 => matches!(self, Self::V26 | Self::Z3V26 | Self::Z3Old | Self::Cvc4),
            Self::Z3 => matches!(self, Self::Z3 | Self::Z3V26 | Self::Z3Old),
            _ => false,
        }
    }

    /// Whether `(_ is c)` is written `(_ is (c (Int) (List Int)))` where there are several `c`.
    pub const fn has_signatures(self) -> bool {
        matches!(self, Self::Z3 | Self::Z3V26 | Self::Z3Old)
    }
}

/// How more than two arguments are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assoc {
    /// Exactly the arguments of the signature.
    Fixed,
    /// `(f a b c)` is `(f (f a b) c)`.
    Left,
    /// `(f a b c)` is `(f a (f b c))`.
    Right,
    /// `(f a b c)` is `(and (f a b) (f b c))`.
    Chain,
    /// `(f a b c)` is the conjunction over all pairs.
    Pairwise,
    /// The last pattern of the signature repeats, once or more.
    Rest,
}

/// A pattern of sorts. The letters are variables that one signature shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum P {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`; an Int argument is converted.
    Real,
    /// Int or Real, the same for all; mixed arguments are converted to Real.
    Num,
    /// `String`
    Str,
    /// `RegLan`
    Re,
    /// `RoundingMode`
    Rm,
    /// Any sort.
    A,
    /// Any sort.
    B,
    /// Any sort.
    C,
    /// A bit-vector of width x.
    BvX,
    /// A bit-vector of width y.
    BvY,
    /// A bit-vector of width 1.
    Bv1,
    /// Result: width x + y.
    BvXPlusY,
    /// Result: width x + the index.
    BvXPlusI,
    /// Result: width x · the index.
    BvXTimesI,
    /// Result: width i − j + 1, with j ≤ i < x.
    BvExtract,
    /// A bit-vector of the width of the index.
    BvI,
    /// A bit-vector of the width of both indices together.
    BvIPlusJ,
    /// A float of any format f.
    Fp,
    /// Result: the float format of the indices.
    FpI,
    /// Result: the format of `(fp sign exponent significand)`.
    FpXY,
    /// Result: a bit-vector of the width of format f.
    BvFp,
    /// `(Array A B)`; a function sort `(-> A B)` counts as one, as in z3.
    ArrAB,
    /// `(Seq A)`
    SeqA,
    /// `(Seq B)`
    SeqB,
    /// `(Set A)`
    SetA,
    /// `(Set B)`
    SetB,
    /// `(Bag A)`
    BagA,
    /// `(Bag B)`
    BagB,
    /// `(Nullable A)`
    NullA,
    /// A finite field.
    Ff,
    /// `(-> A B)`
    FunAB,
    /// `(-> A Bool)`
    FunABool,
    /// `(-> A B B)`
    FunABB,
    /// Result: the sort that `(as f S)` gives.
    Ascribed,
}

/// A sort rule that patterns cannot say.
pub type SpecialRule = fn(&mut Arena, &[u32], &[Term]) -> Result<Sort, String>;

/// One row of the operator table.
#[derive(Clone, Copy)]
pub struct OpInfo {
    /// The operator.
    pub op: Op,
    /// Its name in the newest standard or dialect.
    pub name: &'static str,
    /// Older or alternative names.
    pub aliases: &'static [(&'static str, Naming)],
    /// Its theory.
    pub theory: Theory,
    /// Who defines it.
    pub dialect: Dialect,
    /// How many numeral indices `(_ f i j)` it takes; `None` for any number.
    pub indices: Option<u8>,
    /// Argument sorts.
    pub args: &'static [P],
    /// Result sort.
    pub ret: P,
    /// Treatment of further arguments.
    pub assoc: Assoc,
    /// Whether swapping two arguments keeps the meaning.
    pub commutative: bool,
    /// Whether some results are open (division by zero, …).
    pub partial: bool,
    /// Where they are open, and what they may be; there for every partial operator.
    pub partiality: Option<&'static Partiality>,
    /// A sort rule in code, where patterns do not suffice.
    pub special: Option<SpecialRule>,
}

/// What is most often asked of a row, in few bytes: whether all arguments have one sort, which is the result's too
/// unless that is Bool, and how many there may be.
#[derive(Clone, Copy)]
pub(crate) struct Uniform {
    /// The pattern of all arguments; `None` where this view of the row does not hold.
    pub args: Option<P>,
    pub to_bool: bool,
    /// The fewest arguments, which are the most too unless `more`.
    pub least: u8,
    pub more: bool,
    /// The dialect, as a bit; holds for every row.
    pub dialect: u8,
}

impl Uniform {
    const fn of(i: &OpInfo) -> Self {
        let dialect = i.dialect.bit();
        let none = Self { args: None, to_bool: false, least: 0, more: false, dialect };
        let zero = matches!(i.indices, Some(0));
        if i.special.is_some() || !zero || i.args.is_empty() {
            return none;
        }
        let p = i.args[0];
        let mut k = 1;
        while k < i.args.len() {
            if i.args[k] as u8 != p as u8 {
                return none;
            }
            k += 1;
        }
        let known = matches!(p, P::A | P::Num | P::BvX | P::Fp | P::Bool | P::Int);
        let to_bool = matches!(i.ret, P::Bool);
        if !known || !(to_bool || i.ret as u8 == p as u8) {
            return none;
        }
        let (least, more) = match i.assoc {
            Assoc::Fixed => (i.args.len() as u8, false),
            Assoc::Rest => (i.args.len() as u8, true),
            _ => (2, true),
        };
        Self { args: Some(p), to_bool, least, more, dialect }
    }

    #[inline]
    pub fn takes(self, n: usize) -> bool {
        n == self.least as usize || (self.more && n > self.least as usize)
    }
}

/// Starts a row: a standard operator with a fixed number of arguments.
pub(crate) const fn op(name: &'static str, theory: Theory, args: &'static [P], ret: P) -> OpInfo {
    OpInfo {
        op: Op::True,
        name,
        aliases: &[],
        theory,
        dialect: Dialect::Standard,
        indices: Some(0),
        args,
        ret,
        assoc: Assoc::Fixed,
        commutative: false,
        partial: false,
        partiality: None,
        special: None,
    }
}

impl OpInfo {
    pub(crate) const fn assoc(mut self, a: Assoc) -> Self {
        self.assoc = a;
        self
    }
    pub(crate) const fn comm(mut self) -> Self {
        self.commutative = true;
        self
    }
    pub(crate) const fn partial(mut self, how: &'static Partiality) -> Self {
        self.partial = true;
        self.partiality = Some(how);
        self
    }
    pub(crate) const fn dialect(mut self, d: Dialect) -> Self {
        self.dialect = d;
        self
    }
    pub(crate) const fn alias(mut self, a: &'static [(&'static str, Naming)]) -> Self {
        self.aliases = a;
        self
    }
    pub(crate) const fn indices(mut self, n: u8) -> Self {
        self.indices = Some(n);
        self
    }
    pub(crate) const fn any_indices(mut self) -> Self {
        self.indices = None;
        self
    }
    pub(crate) const fn special(mut self, f: SpecialRule) -> Self {
        self.special = Some(f);
        self
    }

    /// The name to print under a naming.
    pub fn name_in(&self, naming: Naming) -> &'static str {
        let aliases = || self.aliases.iter();
        let best = aliases().find(|(_, n)| *n == naming);
        best.or_else(|| aliases().find(|(_, n)| naming.includes(*n))).map_or(self.name, |(n, _)| n)
    }

    /// Whether `n` arguments fit; one argument to an associative operator is handled before this is asked.
    pub fn arity_fits(&self, n: usize) -> bool {
        match self.assoc {
            Assoc::Fixed => self.special.is_some() && self.args.is_empty() || n == self.args.len(),
            Assoc::Rest => n >= self.args.len(),
            _ => n >= 2,
        }
    }

    /// The pattern of the i-th argument (of `n`).
    pub fn pattern(&self, i: usize) -> P {
        self.args[i.min(self.args.len() - 1)]
    }
}

impl Op {
    /// The row of this operator.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &OPS[self as usize]
    }

    /// The operators that a name can mean (several for overloaded names), or an empty slice.
    pub fn by_name(name: &str) -> &'static [Self] {
        match NAMES.get(name) {
            Some(&i) => &CANDIDATES[i as usize],
            None => &[],
        }
    }

    #[inline]
    pub(crate) fn uniform(self) -> Uniform {
        UNIFORM[self as usize]
    }

    /// Every operator, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        OPS.iter().map(|i| i.op)
    }
}

static UNIFORM: [Uniform; OPS.len()] = {
    let mut all = [Uniform::of(&OPS[0]); OPS.len()];
    let mut i = 0;
    while i < OPS.len() {
        all[i] = Uniform::of(&OPS[i]);
        i += 1;
    }
    all
};

type NameTable = (FxHashMap<&'static str, u16>, Vec<Vec<Op>>);

static TABLE: LazyLock<NameTable> = LazyLock::new(|| {
    let mut names = FxHashMap::default();
    let mut candidates: Vec<Vec<Op>> = Vec::new();
    let mut add = |name: &'static str, op: Op| {
        let code = *names.entry(name).or_insert_with(|| {
            candidates.push(Vec::new());
            (candidates.len() - 1) as u16
        });
        let list: &mut Vec<Op> = &mut candidates[code as usize];
        if !list.contains(&op) {
            list.push(op);
        }
    };
    for info in OPS {
        add(info.name, info.op);
    }
    for info in OPS {
        for (alias, _) in info.aliases {
            add(alias, info.op);
        }
    }
    (names, candidates)
});
static NAMES: LazyLock<&FxHashMap<&'static str, u16>> = LazyLock::new(|| &TABLE.0);
static CANDIDATES: LazyLock<&Vec<Vec<Op>>> = LazyLock::new(|| &TABLE.1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_consistent() {
        for info in OPS {
            assert_eq!(info.op.info().name, info.name);
            assert!(Op::by_name(info.name).contains(&info.op), "{}", info.name);
            if info.assoc != Assoc::Fixed {
                assert!(!info.args.is_empty(), "{}", info.name);
            }
            if info.assoc == Assoc::Rest {
                assert!(info.args.len() <= 2, "{}", info.name);
            } else if info.assoc != Assoc::Fixed {
                assert_eq!(info.args.len(), 1, "{}", info.name);
            }
        }
    }

    #[test]
    fn old_names() {
        let name = |o: Op, n| o.info().name_in(n);
        assert_eq!(name(Op::StrInRe, Naming::Z3Old), "str.in.re");
        assert_eq!(name(Op::StrInRe, Naming::V26), "str.in_re");
        assert_eq!(name(Op::UbvToInt, Naming::Z3Old), "bv2nat");
        assert_eq!(name(Op::SetMember, Naming::Cvc4), "member");
    }
}
