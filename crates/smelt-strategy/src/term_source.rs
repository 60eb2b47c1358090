//! Terms for the parameters of rules: parts of the script that can stand at a place, or constants.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use smelt_smtlib::{Arena, Head, Op, Sort, SortKind, Term, Var};

use crate::constant::Constants;
use crate::rules::matching::Source;

/// Terms with more nodes are not copied to other places.
const MAX_SIZE: u64 = 40;
/// How often a constant is taken although the script has terms of the sort.
const CONSTANT: f64 = 0.2;

/// Tries to find a constant in the logic of the script.
const CONSTANT_TRIES: u32 = 8;

/// The terms of a script by sort.
pub(crate) struct Pool {
    closed: FxHashMap<Sort, Vec<Term>>,
    /// Terms with free variables.
    open: FxHashMap<Sort, Vec<Term>>,
    constants: Constants,
    /// Whether constants have to stay in the logic of the script.
    in_logic: bool,
    /// Whether constant arrays, which no logic with a name has, are kept out.
    plain: bool,
}

impl Pool {
    /// The sub-terms of some formulas.
    pub fn new(a: &Arena, roots: &[Term]) -> Self {
        let constants = Constants::writable(a, roots);
        let (closed, open) = Default::default();
        let mut out = Self { closed, open, constants, in_logic: false, plain: false };
        for t in a.dag(roots) {
            // The operands of a range are single characters, which makes them poor parameters; everything else will do.
            if a.tree_size(t) > MAX_SIZE || matches!(a.head(t), Head::Annot(_)) {
                continue;
            }
            let list = if a.is_closed(t) { &mut out.closed } else { &mut out.open };
            list.entry(a.sort(t)).or_default().push(t);
        }
        out
    }

    /// A closed term of a sort that the script has.
    pub fn closed(&self, sort: Sort) -> &[Term] {
        self.closed.get(&sort).map_or(&[], |l| l)
    }

    /// Terms of the script, with constants that stay in its logic: no constant arrays, if the script has none.
    pub fn in_logic(a: &Arena, roots: &[Term]) -> Self {
        let plain = !has_constant_array(a, roots);
        Self { in_logic: true, plain, ..Self::new(a, roots) }
    }

    /// Whether terms may be brought in, as far as constant arrays are concerned.
    pub fn admits(&self, a: &Arena, t: Term) -> bool {
        !self.plain || !has_constant_array(a, &[t])
    }

    /// A constant of the script, or a new one.
    pub fn constant(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term> {
        if self.plain && matches!(a.sort_kind(sort), SortKind::Array(..)) {
            return None;
        }
        for _ in 0..CONSTANT_TRIES {
            let t = self.constants.random(a, sort, random)?;
            if is_scalar(a, sort) {
                // A multiple of π is not linear.
                if !self.in_logic || !matches!(a.head(t), Head::Op(Op::Pi, _)) {
                    return Some(t);
                }
            } else if self.admits(a, t) {
                return Some(t);
            }
        }
        None
    }

    /// The source for a place where these variables are in scope.
    pub fn at<'p>(&'p mut self, scope: &'p [Var]) -> Here<'p> {
        Here { pool: self, scope }
    }
}

fn has_constant_array(a: &Arena, roots: &[Term]) -> bool {
    a.dag(roots).iter().any(|&t| matches!(a.head(t), Head::Op(Op::ConstArray, _)))
}

/// Whether constants of a sort have no parts of other sorts.
fn is_scalar(a: &Arena, sort: Sort) -> bool {
    matches!(
        a.sort_kind(sort),
        SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::String
            | SortKind::BitVec(_)
            | SortKind::Float(..)
            | SortKind::RoundingMode
            | SortKind::FiniteField(_)
    )
}

/// Terms for one place.
pub(crate) struct Here<'p> {
    pool: &'p mut Pool,
    scope: &'p [Var],
}

impl Source for Here<'_> {
    fn term(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term> {
        if !random.random_bool(CONSTANT) {
            if !self.scope.is_empty() && random.random_bool(0.5) {
                let scope = self.scope;
                let fits = |t: &Term| a.free_vars(*t).iter().all(|v| scope.contains(v));
                let open = self.pool.open.get(&sort).map_or(&[][..], |l| l);
                for _ in 0..4 {
                    if open.is_empty() {
                        break;
                    }
                    let t = open[random.random_range(0..open.len())];
                    if fits(&t) {
                        return Some(t);
                    }
                }
            }
            let closed = self.pool.closed(sort);
            if !closed.is_empty() {
                return Some(closed[random.random_range(0..closed.len())]);
            }
        }
        self.literal(a, sort, random)
    }

    fn literal(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term> {
        if sort == Sort::REGLAN {
            let word = self.pool.constant(a, Sort::STRING, random)?;
            return match random.random_range(0..4) {
                0 => a.app(Op::ReAllChar, &[], &[]).ok(),
                _ => a.app(Op::StrToRe, &[], &[word]).ok(),
            };
        }
        let constant = self.pool.constant(a, sort, random);
        // A free sort has no constants that could be written, and arrays may have none in the logic.
        constant.or_else(|| {
            if is_scalar(a, sort) {
                return None;
            }
            let closed = self.pool.closed(sort);
            (!closed.is_empty()).then(|| closed[random.random_range(0..closed.len())])
        })
    }
}
