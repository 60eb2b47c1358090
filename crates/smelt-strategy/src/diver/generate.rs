//! Random terms of a sort, with leaves from a formula and its model.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_case::OpSet;
use smelt_eval::{Model, value_term};
use smelt_smtlib::invert::{Choose, Need, Number, invert, may_return};
use smelt_smtlib::op::Theory;
use smelt_smtlib::{Arena, Fun, FunKind, Head, Op, Sort, SortKind, Term};

use crate::accepted;
use crate::constant::Constants;

/// The published bound on operators in a new term.
pub const MAX_OPERATORS: u32 = 5;

/// What a term may have at its top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Maker {
    Op(Op),
    Fun(Fun),
}

/// Makes terms.
pub struct Generator {
    ops: Vec<Op>,
    funs: Vec<Fun>,
    /// By sort, for the sorts of the formula: they have ids that are never given out again.
    makers: FxHashMap<Sort, Vec<Maker>>,
    /// Constant symbols of the formula, by sort.
    symbols: FxHashMap<Sort, Vec<Term>>,
    constants: Constants,
    sorts: Vec<Sort>,
}

impl Generator {
    /// A generator for a formula and its model: operators of the theories that the formula uses, as far as they are
    /// allowed.
    pub fn new(
        a: &mut Arena,
        roots: &[Term],
        declared: &[Fun],
        model: &Model,
        allowed: &OpSet,
    ) -> Self {
        let dag = a.dag(roots);
        let mut sorts: Vec<Sort> = vec![Sort::BOOL];
        let mut theories: FxHashSet<Theory> = FxHashSet::default();
        theories.insert(Theory::Core);
        for &t in &dag {
            let sort = a.sort(t);
            if !sorts.contains(&sort) {
                sorts.push(sort);
            }
            if let Head::Op(op, _) = a.head(t) {
                theories.insert(op.info().theory);
            }
        }
        for &f in declared {
            let d = a.fun(f);
            for s in d.args.iter().copied().chain([d.ret]) {
                if !sorts.contains(&s) {
                    sorts.push(s);
                }
            }
        }
        for &s in &sorts {
            theories.extend(theories_of(a.sort_kind(s)));
        }
        if sorts.contains(&Sort::INT) && sorts.contains(&Sort::REAL) {
            theories.insert(Theory::RealsInts);
        }
        let ops: Vec<Op> = allowed
            .iter()
            .filter(|&op| {
                let theory = op.info().theory;
                theories.contains(&theory)
                    && accepted::introduced(op)
                    && !matches!(theory, Theory::Separation | Theory::HigherOrder)
                    && !matches!(op, Op::True | Op::False | Op::SetUniverse | Op::SetComplement)
            })
            .collect();
        let mut symbols: FxHashMap<Sort, Vec<Term>> = FxHashMap::default();
        let mut funs = Vec::new();
        for &f in declared {
            if a.fun(f).args.is_empty() {
                let t = a.mk_fun(f);
                symbols.entry(a.sort(t)).or_default().push(t);
            } else {
                funs.push(f);
            }
        }
        for i in 0..a.fun_count() {
            let Some(f) = a.fun_at(i) else { continue };
            let data = matches!(a.fun(f).kind, FunKind::Constructor(..) | FunKind::Selector(..));
            if data && sorts.contains(&a.fun(f).ret) && a.fun(f).params.is_empty() {
                funs.push(f);
            }
        }
        let mut constants = Constants::writable(a, roots);
        for f in model.symbols() {
            if declared.contains(&f)
                && let Some(v) = model.value(f).cloned()
            {
                let sort = a.fun(f).ret;
                if let Some(t) = value_term(a, &v, sort) {
                    constants.add(a, t);
                }
            }
        }
        let mut made = Self { ops, funs, makers: FxHashMap::default(), symbols, constants, sorts };
        for s in made.sorts.clone() {
            let list = made.list(a, s);
            made.makers.insert(s, list);
        }
        made
    }

    /// What can be at the top of a term of a sort.
    fn list(&self, a: &Arena, sort: Sort) -> Vec<Maker> {
        let ops = self.ops.iter().filter(|&&op| may_return(a, op, sort)).map(|&op| Maker::Op(op));
        let funs = self.funs.iter().filter(|&&f| a.fun(f).ret == sort).map(|&f| Maker::Fun(f));
        ops.chain(funs).collect()
    }

    /// A term of the sort.
    pub fn term(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term> {
        let mut left = MAX_OPERATORS;
        self.nested(a, sort, &mut left, true, random)
    }

    /// At most `left` operators are used, so the depth is bounded.
    fn nested(
        &mut self,
        a: &mut Arena,
        sort: Sort,
        left: &mut u32,
        top: bool,
        random: &mut ChaCha8Rng,
    ) -> Option<Term> {
        let leaf = random.random_bool(if top { 0.1 } else { 0.4 });
        if *left > 0 && !leaf {
            let unknown;
            let list = match self.makers.get(&sort) {
                Some(list) => list,
                None => {
                    unknown = self.list(a, sort);
                    &unknown
                }
            };
            if !list.is_empty() {
                let maker = list[random.random_range(0..list.len())];
                if let Some(t) = self.apply(a, maker, sort, left, random) {
                    return Some(t);
                }
            }
        }
        self.leaf(a, sort, random)
    }

    fn apply(
        &mut self,
        a: &mut Arena,
        maker: Maker,
        sort: Sort,
        left: &mut u32,
        random: &mut ChaCha8Rng,
    ) -> Option<Term> {
        *left -= 1;
        match maker {
            Maker::Op(op) => {
                let mut choose = Picker { sorts: &self.sorts, free: 0, random };
                let way = invert(a, op, Some(sort), &mut choose)?;
                let open = way.args.len() - accepted::values_only(op).min(way.args.len());
                let mut args = self.arguments(a, &way.args[..open], left, random)?;
                for &s in &way.args[open..] {
                    args.push(self.value(a, s, random)?);
                }
                // Operators that take their sort from `as` have a result that arguments do not fix.
                match a.app(op, &way.indices, &args) {
                    Ok(t) if a.sort(t) == sort => Some(t),
                    _ => a.app_as(op, &args, sort).ok(),
                }
            }
            Maker::Fun(f) => {
                let sorts = a.fun(f).args.clone();
                let args = self.arguments(a, &sorts, left, random)?;
                a.apply_fun(f, &args, Some(sort)).ok()
            }
        }
    }

    fn arguments(
        &mut self,
        a: &mut Arena,
        sorts: &[Sort],
        left: &mut u32,
        random: &mut ChaCha8Rng,
    ) -> Option<Vec<Term>> {
        sorts.iter().map(|&s| self.nested(a, s, left, false, random)).collect()
    }

    /// A literal.
    fn value(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term> {
        (0..8).find_map(|_| {
            let t = self.constants.random(a, sort, random)?;
            let literal = matches!(a.head(t), Head::Lit(_) | Head::Op(Op::True | Op::False, _));
            literal.then_some(t)
        })
    }

    /// A symbol or a constant.
    fn leaf(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term> {
        let known = self.constants.known(sort);
        if let Some(list) = self.symbols.get(&sort)
            && (random.random_bool(0.5) || known.is_empty() && random.random_bool(0.6))
        {
            return Some(list[random.random_range(0..list.len())]);
        }
        if !known.is_empty() && random.random_bool(0.8) {
            return Some(known[random.random_range(0..known.len())]);
        }
        if sort == Sort::REGLAN {
            return regex_leaf(a, random);
        }
        let constant = self.constants.random(a, sort, random);
        constant.or_else(|| self.symbols.get(&sort).map(|l| l[random.random_range(0..l.len())]))
    }

    /// Whether a term can come out: for tests that an example is within reach.
    #[cfg(test)]
    pub fn can_make(&self, a: &Arena, t: Term) -> bool {
        let mut operators = 0;
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            let sort = a.sort(t);
            let symbol = self.symbols.get(&sort).is_some_and(|l| l.contains(&t));
            let boolean = matches!(a.head(t), Head::Op(Op::True | Op::False, _));
            if symbol || boolean || self.constants.known(sort).contains(&t) {
                continue;
            }
            let maker = match a.head(t) {
                Head::Op(op, _) => Maker::Op(op),
                Head::Fun(f) => Maker::Fun(f),
                _ => return false,
            };
            if !self.makers.get(&sort).is_some_and(|l| l.contains(&maker)) {
                return false;
            }
            operators += 1;
            stack.extend_from_slice(a.args(t));
        }
        operators <= MAX_OPERATORS
    }
}

fn theories_of(kind: &SortKind) -> &'static [Theory] {
    match kind {
        SortKind::Int => &[Theory::Ints],
        SortKind::Real => &[Theory::Reals, Theory::Ints],
        SortKind::String | SortKind::RegLan => &[Theory::Strings, Theory::Regex],
        SortKind::BitVec(_) => &[Theory::BitVec],
        SortKind::Float(..) | SortKind::RoundingMode => &[Theory::Float],
        SortKind::Array(..) => &[Theory::Arrays],
        SortKind::Seq(_) => &[Theory::Seq],
        SortKind::Set(_) => &[Theory::Sets],
        SortKind::Bag(_) => &[Theory::Bags],
        SortKind::Tuple(_) => &[Theory::Tuples],
        SortKind::Nullable(_) => &[Theory::Nullables],
        SortKind::FiniteField(_) => &[Theory::Fields],
        SortKind::Named(..) => &[Theory::Datatypes],
        _ => &[],
    }
}

fn regex_leaf(a: &mut Arena, random: &mut ChaCha8Rng) -> Option<Term> {
    let op = [Op::ReAll, Op::ReAllChar, Op::ReNone][random.random_range(0..3)];
    a.app(op, &[], &[]).ok()
}

/// Decides what signatures leave open: sorts of the formula, small numbers.
struct Picker<'a> {
    sorts: &'a [Sort],
    /// The last index that was drawn freely.
    free: u32,
    random: &'a mut ChaCha8Rng,
}

impl Choose for Picker<'_> {
    fn sort(&mut self, a: &mut Arena, need: Need) -> Option<Sort> {
        let fits = |s: &&Sort| match (need, a.sort_kind(**s)) {
            (Need::Any, SortKind::RegLan | SortKind::Fun(..)) => false,
            (Need::Any, _) => true,
            (Need::Number, SortKind::Int | SortKind::Real) => true,
            (Need::BitVec(low, high), SortKind::BitVec(w)) => (low..=high).contains(w),
            (Need::Float, SortKind::Float(..)) => true,
            (Need::Field, SortKind::FiniteField(_)) => true,
            (Need::Datatype, SortKind::Named(d, _)) => {
                a.sort_decl(*d).kind != smelt_smtlib::sort::SortDeclKind::Free
            }
            _ => false,
        };
        let count = self.sorts.iter().filter(fits).count();
        if count > 0 {
            return self.sorts.iter().filter(fits).nth(self.random.random_range(0..count)).copied();
        }
        match need {
            Need::BitVec(low, high) if low <= high => {
                let width = self.random.random_range(low..=high.min(low + 7));
                Some(a.bv_sort(width.max(1)))
            }
            _ => None,
        }
    }

    fn number(&mut self, op: Op, what: Number, low: u32, high: u32) -> u32 {
        let most = match what {
            Number::Count => low + u32::from(accepted::arity(op, low as usize + 1)),
            Number::Free(k) => {
                self.free = accepted::free_index(op, k, self.free, 2, self.random);
                return self.free;
            }
            Number::Index => low.saturating_add(15),
            Number::Pick => high,
        };
        self.random.random_range(low..=high.min(most).max(low))
    }
}
