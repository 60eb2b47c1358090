//! Random ground, well-sorted terms for every operator of the table.
//!
//! Term number k of a seed is a function of the seed, k and the list of targets alone, so any term can be made again.

pub mod numbers;
mod sorts;
mod strings;
mod targets;
#[cfg(test)]
mod tests;
mod values;

use anyhow::{Context, Result};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::invert::{invert, may_return};
use smelt_smtlib::op::{Dialect, P, Theory};
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Op, Script, Sort, SortKind, Term};

pub use sorts::Range;
pub use targets::Target;

/// The declarations that generated terms may use: an enumeration, a recursive datatype, a record with two
/// constructors, and two parametric datatypes, one of them recursive. The first constructor is never recursive.
/// Parametric constructors mention their parameters, because z3's simplifier prints values without `as`. No name is
/// one of z3's own (`List`, `Pair`, `nil`, `first` …).
pub const PRELUDE: &str = "\
(declare-datatypes ((Color 0)) (((red) (green) (blue))))
(declare-datatypes ((IntList 0)) (((stop) (link (item Int) (next IntList)))))
(declare-datatypes ((Record 0)) (((record (flag Bool) (mask (_ BitVec 4)) (text String)) (other (amount Real)))))
(declare-datatypes ((Duo 2)) ((par (X Y) ((duo (left X) (right Y))))))
(declare-datatypes ((Stack 1)) ((par (X) ((bottom (base X)) (layer (top X) (below (Stack X)))))))
";

/// Makes terms.
pub struct Generator {
    /// The declarations, and the arena in which terms are made.
    pub script: Script,
    datatypes: Vec<Sort>,
    targets: Vec<Target>,
    nestable: Vec<Op>,
    seed: u64,
}

/// A generated term.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it was made for.
    pub target: Target,
    /// The term.
    pub term: Term,
}

impl Generator {
    /// A generator for some targets.
    pub fn new(seed: u64, targets: Vec<Target>) -> Result<Self> {
        let mut script = smelt_smtlib::parse(PRELUDE.as_bytes()).context("the prelude")?;
        let datatypes = instances(&mut script);
        let nestable = Op::all().filter(|&o| nestable(o)).collect();
        Ok(Self { script, datatypes, targets, nestable, seed })
    }

    /// The k-th term. `None` if no arguments were found within some tries.
    pub fn case(&mut self, k: u64) -> Option<Case> {
        let target = self.targets[(k % self.targets.len() as u64) as usize];
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(k);
        let depth = [0, 0, 1, 1, 2, 3][rng.random_range(0..6)];
        let dialect = target.dialect();
        let range = match dialect {
            Dialect::Cvc5 => Range::Cvc5,
            _ if rng.random_bool(0.04) => Range::Cvc5,
            _ => Range::Shared,
        };
        let mut b = Builder {
            arena: &mut self.script.arena,
            rng: &mut rng,
            datatypes: &self.datatypes,
            nestable: &self.nestable,
            dialect,
            range,
            scope: Vec::new(),
            pool: Vec::new(),
        };
        (0..8).find_map(|_| b.target(target, depth)).map(|term| Case { target, term })
    }
}

/// Ground instances of the datatypes of the prelude.
fn instances(script: &mut Script) -> Vec<Sort> {
    let mut out = Vec::new();
    for c in &script.commands {
        let Command::DeclareDatatypes(decls) = c else { continue };
        for &d in decls {
            let n = script.arena.sort_decl(d).params.len();
            let bv4 = script.arena.bv_sort(4);
            let choices: &[&[Sort]] = match n {
                0 => &[&[]],
                1 => &[&[Sort::INT], &[Sort::BOOL]],
                _ => &[&[Sort::INT, Sort::BOOL], &[bv4, Sort::STRING]],
            };
            for args in choices {
                let named = SortKind::Named(d, (*args).into());
                out.push(script.arena.mk_sort(named));
            }
        }
    }
    out
}

/// Whether an operator may stand inside arguments.
fn nestable(op: Op) -> bool {
    let info = op.info();
    let bounded = !matches!(op, Op::Pow | Op::Pow2 | Op::SetUniverse | Op::ArrayExt | Op::Apply);
    let theory = !matches!(info.theory, Theory::Separation | Theory::Transcendentals);
    bounded && theory
}

/// Makes one term.
pub struct Builder<'a> {
    arena: &'a mut Arena,
    rng: &'a mut ChaCha8Rng,
    datatypes: &'a [Sort],
    nestable: &'a [Op],
    dialect: Dialect,
    range: Range,
    /// Bound variables that may be used.
    scope: Vec<Term>,
    /// Values made so far.
    pool: Vec<Term>,
}

impl Builder<'_> {
    /// Applies an operator to arguments that are known to fit.
    fn must(&mut self, op: Op, indices: &[u32], args: &[Term]) -> Term {
        match self.arena.app(op, indices, args) {
            Ok(t) => t,
            Err(e) => panic!("the generator made an ill-sorted term: {e}"),
        }
    }

    fn must_as(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        match self.arena.app_as(op, args, sort) {
            Ok(t) => t,
            Err(e) => panic!("the generator made an ill-sorted term: {e}"),
        }
    }

    fn must_fun(&mut self, f: Fun, args: &[Term], sort: Sort) -> Term {
        match self.arena.apply_fun(f, args, Some(sort)) {
            Ok(t) => t,
            Err(e) => panic!("the generator made an ill-sorted term: {e}"),
        }
    }

    /// A term of a sort: a variable in scope, a value or an application.
    pub fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if !self.scope.is_empty() && self.rng.random_bool(0.4) {
            let fitting: Vec<Term> =
                self.scope.iter().copied().filter(|&t| self.arena.sort(t) == sort).collect();
            if !fitting.is_empty() {
                return fitting[self.rng.random_range(0..fitting.len())];
            }
        }
        if depth == 0
            || self.rng.random_bool(0.45)
            || matches!(self.arena.sort_kind(sort), SortKind::Fun(..))
        {
            return self.value(sort, 3);
        }
        self.some_application(sort, depth).unwrap_or_else(|| self.value(sort, 3))
    }

    fn some_application(&mut self, sort: Sort, depth: u32) -> Option<Term> {
        let dialect = self.dialect;
        let own = self.rng.random_bool(0.3);
        let partial = self.rng.random_bool(0.3);
        let fits = |a: &Arena, o: Op| {
            let i = o.info();
            let known = matches!(i.dialect, Dialect::Standard | Dialect::Common);
            (known || own && i.dialect == dialect)
                && (partial || !i.partial)
                && may_return(a, o, sort)
        };
        let ops: Vec<Op> = self.nestable.iter().copied().filter(|&o| fits(self.arena, o)).collect();
        if ops.is_empty() {
            return None;
        }
        let op = ops[self.rng.random_range(0..ops.len())];
        self.application(op, Some(sort), depth)
    }

    /// An application of an operator whose result has the wanted sort.
    pub fn application(&mut self, op: Op, want: Option<Sort>, depth: u32) -> Option<Term> {
        let mut chooser = sorts::Chooser {
            rng: self.rng,
            datatypes: self.datatypes,
            range: self.range,
            depth: 2,
            max_width: 70,
        };
        let u = invert(self.arena, op, want, &mut chooser)?;
        let inner = depth.saturating_sub(1);
        let mut args = Vec::with_capacity(u.args.len());
        for (i, &s) in u.args.iter().enumerate() {
            // Arguments that repeat make equalities true and differences empty.
            let repeat = i > 0 && self.rng.random_bool(0.12);
            let earlier = args.iter().copied().find(|&t| self.arena.sort(t) == s);
            let part = match earlier {
                Some(t) if self.rng.random_bool(0.35) => self.part_of(t),
                _ => None,
            };
            let t = match (self.bounded(op, i, s), earlier) {
                (Some(t), _) => t,
                _ if op == Op::ConstArray => self.plain_value(s, 3),
                (None, Some(t)) if repeat => t,
                _ if part.is_some() => part?,
                _ if depth == 0 => self.value(s, 3),
                _ => self.term(s, inner),
            };
            args.push(t);
        }
        let t = if op.info().ret == P::Ascribed {
            self.must_as(op, &args, u.ret)
        } else {
            self.must(op, &u.indices, &args)
        };
        Some(t)
    }

    /// Arguments that must stay small (exponents) or that are best near a boundary (positions).
    fn bounded(&mut self, op: Op, i: usize, sort: Sort) -> Option<Term> {
        let theory = op.info().theory;
        let v = match (op, i) {
            (Op::Pow, 1) => numbers::small_int(self.rng, -3, 40),
            (Op::Pow, _) => numbers::small_int(self.rng, -12, 12),
            (Op::Pow2, _) => numbers::small_int(self.rng, -3, 200),
            (Op::Piand, 0) => numbers::small_int(self.rng, -1, 70),
            (Op::BagMake, 1) => numbers::small_int(self.rng, -1, 5),
            (Op::RelJoinImage, 1) => numbers::small_int(self.rng, -1, 4),
            (Op::StrFromCode, _) => {
                let edges = [-1, 0, 31, 48, 57, 65, 0xd800, 0xffff, 0x2ffff, 0x30000, 0x10ffff];
                edges[self.rng.random_range(0..edges.len())].into()
            }
            (Op::ToFpRealExp, 2) => numbers::small_int(self.rng, -40, 40),
            _ if sort == Sort::INT
                && matches!(theory, Theory::Strings | Theory::Seq)
                && !matches!(op, Op::StrFromInt | Op::SeqUnit)
                && self.rng.random_bool(0.85) =>
            {
                numbers::position(self.rng)
            }
            _ => return None,
        };
        Some(if sort == Sort::REAL { self.real(v, 1u8.into()) } else { self.int(v) })
    }

    fn constructors(&self, sort: Sort) -> Vec<Fun> {
        let SortKind::Named(d, _) = *self.arena.sort_kind(sort) else { return Vec::new() };
        match &self.arena.sort_decl(d).kind {
            SortDeclKind::Datatype { constructors, .. } => constructors.clone(),
            SortDeclKind::Free => Vec::new(),
        }
    }

    /// The selectors of a constructor, in order.
    fn selectors(&self, constructor: Fun) -> Vec<Fun> {
        (0..self.arena.fun_count())
            .filter_map(|i| self.arena.fun_at(i))
            .filter(
                |&f| matches!(self.arena.fun(f).kind, FunKind::Selector(c, _) if c == constructor),
            )
            .collect()
    }
}
