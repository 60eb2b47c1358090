//! Terms for the parameters of rules: parts of the script that can stand at a place, or constants.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use smelt_smtlib::{Arena, Head, Op, Sort, Term, Var};

use crate::constant::Constants;
use crate::rules::matching::Source;

/// Terms with more nodes are not copied to other places.
const MAX_SIZE: u64 = 40;
/// How often a constant is taken although the script has terms of the sort.
const CONSTANT: f64 = 0.2;

/// The terms of a script by sort.
pub(crate) struct Pool {
    closed: FxHashMap<Sort, Vec<Term>>,
    /// Terms with free variables.
    open: FxHashMap<Sort, Vec<Term>>,
    constants: Constants,
}

impl Pool {
    /// The sub-terms of some formulas.
    pub fn new(a: &Arena, roots: &[Term]) -> Self {
        let constants = Constants::writable(a, roots);
        let mut out = Self { closed: FxHashMap::default(), open: FxHashMap::default(), constants };
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

    /// The constants of the script, and new ones.
    pub fn constants(&mut self) -> &mut Constants {
        &mut self.constants
    }

    /// The same at a place where these variables are in scope.
    pub fn at<'p>(&'p mut self, scope: &'p [Var]) -> Here<'p> {
        Here { pool: self, scope }
    }
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
            let word = self.pool.constants.random(a, Sort::STRING, random)?;
            return match random.random_range(0..4) {
                0 => a.app(Op::ReAllChar, &[], &[]).ok(),
                _ => a.app(Op::StrToRe, &[], &[word]).ok(),
            };
        }
        let constant = self.pool.constants.random(a, sort, random);
        // A free sort has no constants that could be written.
        constant.or_else(|| {
            let closed = self.pool.closed(sort);
            (!closed.is_empty()).then(|| closed[random.random_range(0..closed.len())])
        })
    }
}
