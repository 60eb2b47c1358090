//! What solvers take, where that is less than what is well-sorted.
//!
//! A mutant that a solver rejects is a test lost. These rules are about forms that the standard allows (or a dialect has) and
//! that current solvers refuse all the same; operators that a solver does not have at all are the business of
//! [`crate::Input::ops`].

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::arena::Attr;
use smelt_smtlib::op::{Assoc, Theory};
use smelt_smtlib::{Arena, Head, Op, Term};

/// The arguments of a term that may be replaced by others.
#[inline]
pub(crate) fn open_arguments(a: &Arena, t: Term) -> &[Term] {
    match a.head(t) {
        // Terms of patterns are no places. A name belongs to its term: see `Places`.
        Head::Annot(attrs) => {
            let named = a.attr_list(attrs).iter().any(|x| matches!(x, Attr::Named(_)));
            if named { &[] } else { &a.args(t)[..1] }
        }
        Head::Op(op, _) => &a.args(t)[..a.args(t).len() - values_only(op)],
        _ => a.args(t),
    }
}

/// How many of the last arguments must be values.
#[inline]
pub(crate) fn values_only(op: Op) -> usize {
    match op {
        // cvc5 takes constant arrays of values only.
        Op::ConstArray => 1,
        // Bounds of a range are single characters.
        Op::ReRange => 2,
        // cvc5 takes small constants only.
        Op::Pow => 1,
        _ => 0,
    }
}

/// Whether the operator may be brought into a script.
pub(crate) fn introduced(op: Op) -> bool {
    match op {
        // `^` is typed differently by z3 and cvc5, and its exponents must be constants; cvc5 refuses large powers.
        Op::Pow | Op::Pow2 => false,
        // Indices and arguments that are function symbols; the format of a float, which its width does not tell.
        Op::Apply | Op::ArrayMap | Op::AsArray | Op::FpToIeeeBv => false,
        // cvc5 wants an option for them, which its other modes of sets do not.
        Op::SetUniverse | Op::SetComplement | Op::RelJoinImage | Op::RelIden => false,
        // These need a declared heap.
        _ => op.info().theory != Theory::Separation,
    }
}

/// Whether solvers take the operator with so many arguments.
pub(crate) fn arity(op: Op, n: usize) -> bool {
    n <= 2
        || op.info().assoc == Assoc::Fixed
        || !matches!(
            op,
            Op::BvXnor | Op::StrLt | Op::StrLe | Op::ReDiff | Op::IntDivTotal | Op::DivTotal
        )
}

/// An index that sorts do not restrict: small, and in the order that `re.loop` wants.
pub(crate) fn free_index(op: Op, k: u8, before: u32, arity: usize, random: &mut ChaCha8Rng) -> u32 {
    match op {
        Op::ReLoop if k == 1 => before + random.random_range(0..4),
        Op::RePow | Op::ReLoop | Op::ReLoopFrom => random.random_range(0..4),
        Op::Divisible => random.random_range(1..8),
        Op::Iand => random.random_range(1..9),
        Op::AtMost | Op::AtLeast => random.random_range(0..=arity as u32),
        _ => random.random_range(0..10),
    }
}
