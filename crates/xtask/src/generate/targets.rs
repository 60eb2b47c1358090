//! What a term is made for: an operator of the table, or a construct that is no operator.

use dashu_int::{IBig, UBig};
use rand::RngExt;
use smelt_smtlib::arena::Case as MatchCase;
use smelt_smtlib::invert::{field_sort, field_sorts};
use smelt_smtlib::op::{Dialect, Theory};
use smelt_smtlib::{Binder, Head, Op, Sort, SortKind, Term};

use super::{Builder, strings};

/// What a term is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// An operator of the table.
    Op(Op),
    /// A selector of a datatype.
    Selector,
    /// `match`
    Match,
    /// A quantifier over a small finite sort.
    Quantifier,
}

impl Target {
    /// Everything that can be a target. Left out: separation logic (its atoms have no value), `as-array` (needs a
    /// function symbol), `array-ext` (any difference will do), `set.universe` (unknown over infinite sorts).
    pub fn all() -> Vec<Self> {
        let left_out = |o: &Op| {
            o.info().theory == Theory::Separation
                || matches!(o, Op::AsArray | Op::ArrayExt | Op::SetUniverse)
        };
        let ops = Op::all().filter(|o| !left_out(o)).map(Self::Op);
        ops.chain([Self::Selector, Self::Match, Self::Quantifier]).collect()
    }

    /// The name in tables and on the command line.
    pub fn name(self) -> String {
        match self {
            // Overloaded names are told apart.
            Self::Op(op) if Op::all().filter(|o| o.info().name == op.info().name).count() > 1 => {
                format!("{} [{op:?}]", op.info().name)
            }
            Self::Op(op) => op.info().name.into(),
            Self::Selector => "selector".into(),
            Self::Match => "match".into(),
            Self::Quantifier => "quantifier".into(),
        }
    }

    /// The theory.
    pub fn theory(self) -> Theory {
        match self {
            Self::Op(op) => op.info().theory,
            Self::Selector | Self::Match => Theory::Datatypes,
            Self::Quantifier => Theory::Core,
        }
    }

    /// The dialect.
    pub fn dialect(self) -> Dialect {
        match self {
            Self::Op(op) => op.info().dialect,
            _ => Dialect::Standard,
        }
    }
}

impl Builder<'_> {
    pub(super) fn target(&mut self, target: Target, depth: u32) -> Option<Term> {
        let t = match target {
            Target::Op(op) => self.application(op, None, depth)?,
            Target::Selector => self.selector(depth)?,
            Target::Match => self.match_term(depth)?,
            Target::Quantifier => self.quantifier(depth),
        };
        let sort = self.arena.sort(t);
        Some(match *self.arena.sort_kind(sort) {
            // A language has no printed value: ask for membership.
            SortKind::RegLan => {
                let s = if self.rng.random_bool(0.75) {
                    strings::sample(self.rng, self.arena, t)
                } else {
                    strings::string(self.rng)
                };
                let s = self.string(s);
                self.must(Op::StrInRe, &[], &[s, t])
            }
            // Nor has a transcendental number: ask on which side of a rational it is.
            SortKind::Real if target.theory() == Theory::Transcendentals => self.side(target, t),
            _ => t,
        })
    }

    fn selector(&mut self, depth: u32) -> Option<Term> {
        let sort = self.datatypes[self.rng.random_range(0..self.datatypes.len())];
        let all: Vec<_> =
            self.constructors(sort).into_iter().flat_map(|c| self.selectors(c)).collect();
        if all.is_empty() {
            return None;
        }
        let f = all[self.rng.random_range(0..all.len())];
        let want = field_sort(self.arena, f, sort)?;
        let arg = self.term(sort, depth);
        let t = self.arena.apply_fun(f, &[arg], None).ok()?;
        debug_assert_eq!(self.arena.sort(t), want);
        Some(t)
    }

    fn match_term(&mut self, depth: u32) -> Option<Term> {
        let sort = self.datatypes[self.rng.random_range(0..self.datatypes.len())];
        let result = [Sort::INT, Sort::BOOL, Sort::STRING][self.rng.random_range(0..3)];
        let mut args = vec![self.term(sort, depth)];
        let mut cases = Vec::new();
        let constructors = self.constructors(sort);
        let last = constructors.len() - 1;
        for (i, c) in constructors.into_iter().enumerate() {
            // The last pattern may be a variable that stands for the whole.
            let whole = i == last && self.rng.random_bool(0.3);
            let sorts = if whole { vec![sort] } else { field_sorts(self.arena, c, sort)? };
            let name = self.arena.sym("m");
            let vars: Vec<_> = sorts.iter().map(|&s| self.arena.new_var(name, s)).collect();
            let before = self.scope.len();
            for &v in &vars {
                let t = self.arena.mk_var(v);
                self.scope.push(t);
            }
            args.push(self.term(result, depth.max(1)));
            self.scope.truncate(before);
            let vars = self.arena.var_list(&vars);
            cases.push(MatchCase { constructor: (!whole).then_some(c), vars });
        }
        let cases = self.arena.cases(cases);
        Some(self.arena.mk(Head::Match(cases), &args, result))
    }

    fn quantifier(&mut self, depth: u32) -> Term {
        let binder = if self.rng.random_bool(0.5) { Binder::Forall } else { Binder::Exists };
        let name = self.arena.sym("q");
        let mut vars = Vec::new();
        for _ in 0..self.rng.random_range(1..3) {
            let sort = match self.rng.random_range(0..4) {
                0 => Sort::BOOL,
                1 => self.datatypes[0],
                _ => {
                    let w = self.rng.random_range(1..4);
                    self.arena.bv_sort(w)
                }
            };
            vars.push(self.arena.new_var(name, sort));
        }
        let before = self.scope.len();
        for &v in &vars {
            let t = self.arena.mk_var(v);
            self.scope.push(t);
        }
        // A relation on a bound variable, so that the body depends on it.
        let x = self.scope[before];
        let sort = self.arena.sort(x);
        let other = self.term(sort, depth.max(1));
        let relation = match self.arena.sort_kind(sort) {
            SortKind::BitVec(_) => {
                [Op::BvUlt, Op::BvSle, Op::Eq, Op::Distinct][self.rng.random_range(0..4)]
            }
            _ => [Op::Eq, Op::Distinct][self.rng.random_range(0..2)],
        };
        let mut body = self.must(relation, &[], &[x, other]);
        if self.rng.random_bool(0.5) {
            let more = self.term(Sort::BOOL, 2);
            let op = [Op::And, Op::Or, Op::Xor, Op::Implies][self.rng.random_range(0..4)];
            body = self.must(op, &[], &[body, more]);
        }
        self.scope.truncate(before);
        let list = self.arena.var_list(&vars);
        self.arena.mk_binder(binder, list, &[body])
    }

    /// A comparison of a transcendental number of a simple argument with a rational near it.
    fn side(&mut self, target: Target, t: Term) -> Term {
        let (n, d) = (self.rng.random_range(-40i32..=40), self.rng.random_range(1u32..=8));
        let mut t = t;
        let mut near = 0.0;
        if let Target::Op(op) = target
            && !self.arena.args(t).is_empty()
        {
            // Small arguments, for which double precision knows the neighbourhood.
            let x = self.real(IBig::from(n), UBig::from(d));
            t = self.must(op, &[], &[x]);
            near = approximate(op, f64::from(n) / f64::from(d));
        } else if target == Target::Op(Op::Pi) {
            near = std::f64::consts::PI;
        }
        if !near.is_finite() || near.abs() > 1e12 {
            near = 0.0;
        }
        let scale = 10i64.pow(self.rng.random_range(0..6));
        let shifted = (near * scale as f64).round() as i64 + self.rng.random_range(-1..=1);
        let bound = self.real(IBig::from(shifted), UBig::from(scale as u64));
        let op = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq][self.rng.random_range(0..5)];
        self.must(op, &[], &[t, bound])
    }
}

fn approximate(op: Op, x: f64) -> f64 {
    match op {
        Op::Sin => x.sin(),
        Op::Cos => x.cos(),
        Op::Tan => x.tan(),
        Op::Csc => x.sin().recip(),
        Op::Sec => x.cos().recip(),
        Op::Cot => x.tan().recip(),
        Op::Asin => x.asin(),
        Op::Acos => x.acos(),
        Op::Atan => x.atan(),
        Op::Acsc => x.recip().asin(),
        Op::Asec => x.recip().acos(),
        Op::Acot => std::f64::consts::FRAC_PI_2 - x.atan(),
        Op::Exp => x.exp(),
        Op::Sqrt => x.sqrt(),
        Op::Sinh => x.sinh(),
        Op::Cosh => x.cosh(),
        Op::Tanh => x.tanh(),
        _ => 0.0,
    }
}
