//! A solver without a process: it tries the values of bounded constants, with a convention for what the standard leaves open. What
//! operators mean is taken from the brute force of `smelt-eval/tests/totalise`, which shares no table with smelt.
//!
//! A function that a script declares may have any values: they are looked for at the points that are needed. It compares only with numbers
//! of a small grid, so that one value of each kind in between is enough; where it does not, nothing is said but `sat`.

use std::collections::BTreeMap;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Head, Literal, Query, Script, SortKind, Term};

use crate::values::*;
use crate::world::{E, World};

/// The format of all floats.
pub const FORMAT: Format = (2, 3);
/// Points of declared functions that one model may need; each has a value of its own in every gap of the grid.
const POINTS: usize = 2;

/// What a solver takes for what is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// 0; the zero with the sign plus.
    Zero,
    /// 1; the zero with the sign minus.
    One,
    /// Another value per operator and argument.
    ByArgument,
    /// Whatever makes the script satisfiable, the same for the same arguments.
    Any,
}

impl Convention {
    pub fn value(self, op: &str, args: &[V], sort: S) -> V {
        let number = match self {
            Self::Zero => 0,
            Self::One | Self::Any => 1,
            Self::ByArgument => {
                let spread = |n: i64, v: &V| match v {
                    Int(k) => 7 * n + k,
                    Real(k, d) => 7 * n + k + 3 * d,
                    Float(b) => 7 * n + i64::from(*b) % 5,
                    _ => n,
                };
                args.iter().fold(op.len() as i64, spread).rem_euclid(5) - 2
            }
        };
        match sort {
            S::Int => Int(number),
            S::Real => Real(number, 1),
            _ if number % 2 == 0 => Float(0),
            _ => Float(1 << (FORMAT.0 + FORMAT.1 - 1)),
        }
    }
}

/// A declared function, or an operator where it is open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    Declared(Fun),
    Operator(&'static str),
}

/// A point of a function.
pub type Point = (Symbol, Vec<V>);

/// Values that satisfy a check.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub constants: BTreeMap<Fun, V>,
    /// Values of functions and operators where they were needed.
    pub points: BTreeMap<Point, V>,
    /// Whether it needs a value that is left open, be it one with a name.
    pub open: bool,
}

#[derive(Clone, Debug)]
pub enum Decision {
    Sat(Found),
    Unsat {
        /// Whether values were refused that need one that is left open.
        open: bool,
    },
    Unknown,
}

impl Decision {
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat { .. })
    }

    /// Whether an open value was needed for it.
    pub fn needs_open(&self) -> bool {
        matches!(self, Self::Sat(Found { open: true, .. }) | Self::Unsat { open: true })
    }
}

/// Why a term has no value yet.
enum Stop {
    Need(Point, S),
    Unsupported,
}

/// A value, and whether it is one of a function that may have any.
type Told = Result<(V, bool), Stop>;

struct Mind<'a> {
    a: &'a Arena,
    convention: Convention,
    found: Found,
    bound: Vec<(smelt_smtlib::Var, (V, bool))>,
    /// Whether some value was compared that the grid does not have.
    beyond_grid: bool,
}

/// The numbers among which free values are compared.
fn grid(sort: S) -> Vec<V> {
    match sort {
        S::Int => (-3..=3).map(Int).collect(),
        S::Real => vec![Real(-1, 1), Real(0, 1), Real(1, 2), Real(1, 1), Real(2, 1)],
        _ => sort.values(FORMAT),
    }
}

/// A value of each kind that a free value can be of.
fn candidates(sort: S) -> Vec<V> {
    let n = POINTS as i64;
    match sort {
        S::Int => (-3 - n..=3 + n).map(Int).collect(),
        S::Real => {
            let mut all: Vec<V> = (1..=n).flat_map(|k| [Real(-1 - k, 1), Real(2 + k, 1)]).collect();
            let grid = grid(sort);
            for pair in grid.windows(2) {
                let [Real(a, b), Real(c, d)] = pair else { continue };
                // Even steps from the one to the other.
                all.extend(
                    (1..=n).map(|k| fraction(a * d * (n + 1 - k) + c * b * k, b * d * (n + 1))),
                );
            }
            all.extend(grid);
            all
        }
        _ => sort.values(FORMAT),
    }
}

pub fn sort_in(a: &Arena, s: smelt_smtlib::Sort) -> Option<S> {
    match a.sort_kind(s) {
        SortKind::Bool => Some(S::Bool),
        SortKind::Int => Some(S::Int),
        SortKind::Real => Some(S::Real),
        SortKind::Float(e, s) if (*e, *s) == FORMAT => Some(S::Float),
        _ => None,
    }
}

/// An operator at values; and whether it is open there, with the arguments on which it depends.
fn operate(op: &'static str, args: &[V]) -> (V, Option<Vec<V>>) {
    let term = |op, value: Option<V>, args| {
        let sort = value.as_ref().map_or(S::Bool, sort_of);
        E { op, index: None, sort, args, value }
    };
    let literals = args.iter().map(|v| term("", Some(v.clone()), Vec::new())).collect();
    let e = term(op, None, literals);
    let mut world = World {
        format: FORMAT,
        constants: BTreeMap::new(),
        bound: Vec::new(),
        parameters: Vec::new(),
        open: BTreeMap::new(),
        choices: Vec::new(),
        made: 0,
        too_large: false,
    };
    let v = world.eval(&e, &e);
    (v, world.open.into_keys().next().map(|(_, args)| args))
}

impl Mind<'_> {
    fn truth(&mut self, t: Term) -> Result<bool, Stop> {
        match self.eval(t)?.0 {
            Bool(b) => Ok(b),
            _ => Err(Stop::Unsupported),
        }
    }

    fn eval(&mut self, t: Term) -> Told {
        let a = self.a;
        let args = a.args(t);
        match a.head(t) {
            Head::Lit(l) => literal(a.lit(l)).map(|v| (v, false)).ok_or(Stop::Unsupported),
            Head::Var(v) => {
                let of = self.bound.iter().rev().find(|(w, _)| *w == v);
                of.map(|(_, v)| v.clone()).ok_or(Stop::Unsupported)
            }
            Head::Fun(f) => self.function(f, args),
            Head::Op(op, index) => match op.info().name {
                "true" => Ok((Bool(true), false)),
                "false" => Ok((Bool(false), false)),
                "not" => Ok((Bool(!self.truth(args[0])?), false)),
                word @ ("and" | "or") => {
                    for &x in args {
                        if self.truth(x)? == (word == "or") {
                            return Ok((Bool(word == "or"), false));
                        }
                    }
                    Ok((Bool(word == "and"), false))
                }
                "=>" => {
                    let (last, first) = args.split_last().ok_or(Stop::Unsupported)?;
                    for &x in first {
                        if !self.truth(x)? {
                            return Ok((Bool(true), false));
                        }
                    }
                    self.eval(*last)
                }
                "ite" => {
                    let at = if self.truth(args[0])? { 1 } else { 2 };
                    self.eval(args[at])
                }
                word => {
                    let all = args.iter().map(|&x| self.eval(x)).collect::<Result<Vec<_>, _>>()?;
                    self.operator(word, a.indices(index), all)
                }
            },
            _ => Err(Stop::Unsupported),
        }
    }

    fn function(&mut self, f: Fun, args: &[Term]) -> Told {
        let decl = self.a.fun(f);
        if let (FunKind::Free, [], Some(v)) = (decl.kind, args, self.found.constants.get(&f)) {
            return Ok((v.clone(), false));
        }
        let all = args.iter().map(|&x| self.eval(x)).collect::<Result<Vec<_>, _>>()?;
        if let (FunKind::Defined, Some((params, body))) = (decl.kind, decl.def) {
            let depth = self.bound.len();
            self.bound.extend(self.a.vars(params).iter().copied().zip(all));
            let v = self.eval(body);
            self.bound.truncate(depth);
            return v;
        }
        if decl.kind != FunKind::Free {
            return Err(Stop::Unsupported);
        }
        let sort = sort_in(self.a, decl.ret).ok_or(Stop::Unsupported)?;
        self.beyond_grid |= all.iter().any(|(_, free)| *free);
        self.point((Symbol::Declared(f), all.into_iter().map(|(v, _)| v).collect()), sort)
    }

    /// The value of a function at a point, if one is chosen.
    fn point(&mut self, point: Point, sort: S) -> Told {
        self.found.open = true;
        let free = matches!(sort, S::Int | S::Real);
        match self.found.points.get(&point) {
            Some(v) => Ok((v.clone(), free)),
            None => Err(Stop::Need(point, sort)),
        }
    }

    fn operator(&mut self, word: &'static str, index: &[u32], all: Vec<(V, bool)>) -> Told {
        let free = all.iter().any(|(_, free)| *free);
        let values: Vec<V> = all.iter().map(|(v, _)| v.clone()).collect();
        let told = |v| Ok((v, free));
        match (word, &values[..]) {
            ("=" | "<" | "<=" | ">" | ">=" | "distinct", _) => {
                let on_grid = |(v, is_free): &(V, bool)| *is_free || grid(sort_of(v)).contains(v);
                self.beyond_grid |= free && !all.iter().all(on_grid);
                Ok((Bool(compare(word, &values)), false))
            }
            ("-", [Int(n)]) => told(Int(-n)),
            ("-", [Real(n, d)]) => told(Real(-n, *d)),
            ("fp.isZero", [Float(b)]) => told(Bool(number(*b, FORMAT) == 0.0)),
            ("to_fp", [Bits(b, _)]) if *index == [FORMAT.0, FORMAT.1] => {
                told(Float(one_nan(*b, FORMAT)))
            }
            ("fp", [Bits(s, _), Bits(e, _), Bits(m, _)]) => {
                let bits = (s << FORMAT.0 | e) << (FORMAT.1 - 1) | m;
                told(Float(one_nan(bits, FORMAT)))
            }
            ("+zero", []) => told(Float(0)),
            ("-zero", []) => told(Float(1 << (FORMAT.0 + FORMAT.1 - 1))),
            ("NaN", []) => told(Float((1 << (FORMAT.0 + FORMAT.1)) - 1)),
            (
                "+" | "-" | "div" | "mod" | "/" | "fp.min" | "fp.max" | "fp.neg",
                [first, rest @ ..],
            ) => {
                self.beyond_grid |= free;
                if word == "fp.neg" {
                    return told(operate(word, &values).0);
                }
                rest.iter().try_fold((first.clone(), free), |(x, free), y| {
                    let (v, open) = operate(word, &[x, y.clone()]);
                    match open {
                        None => Ok((v, free)),
                        Some(on) => self.left_open(word, on, sort_of(&v), free),
                    }
                })
            }
            ("fp.lt" | "fp.eq", [_, _]) => told(operate(word, &values).0),
            _ => Err(Stop::Unsupported),
        }
    }

    /// The value of an operator where it is open.
    fn left_open(&mut self, word: &'static str, on: Vec<V>, sort: S, free: bool) -> Told {
        let point = (Symbol::Operator(word), on);
        if self.convention == Convention::Any {
            return self.point(point, sort);
        }
        self.found.open = true;
        let v = self.convention.value(word, &point.1, sort);
        self.found.points.insert(point, v.clone());
        Ok((v, free))
    }

    /// Chooses values at points until all assertions hold. What has no value is an error.
    fn search(&mut self, assertions: &[Term], random: &mut ChaCha8Rng) -> Result<bool, Stop> {
        let mut need = None;
        for &t in assertions {
            match self.truth(t) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(Stop::Need(point, sort)) => {
                    // Another assertion may be false already.
                    need.get_or_insert((point, sort));
                }
                Err(stop) => return Err(stop),
            }
        }
        let Some((point, sort)) = need else { return Ok(true) };
        if matches!(sort, S::Int | S::Real) && self.found.points.len() >= POINTS {
            self.beyond_grid = true;
            return Ok(false);
        }
        let mut all = match (&point, sort) {
            // One of two zeros.
            ((Symbol::Operator(_), _), S::Float) => {
                vec![Float(0), Float(1 << (FORMAT.0 + FORMAT.1 - 1))]
            }
            _ => candidates(sort),
        };
        all.shuffle(random);
        for v in all {
            self.found.points.insert(point.clone(), v);
            if self.search(assertions, random)? {
                return Ok(true);
            }
        }
        self.found.points.remove(&point);
        Ok(false)
    }
}

fn literal(l: &Literal) -> Option<V> {
    let small = |n: &dyn ToString| n.to_string().parse::<i64>().ok();
    match l {
        Literal::Int(n) => small(n).map(Int),
        Literal::Real { digits, scale } => Some(fraction(small(digits)?, 10i64.pow(*scale))),
        Literal::Bits { width, value } => Some(Bits(small(value)?.try_into().ok()?, *width)),
        _ => None,
    }
}

fn compare(word: &str, values: &[V]) -> bool {
    let less = |x: &V, y: &V| match (x, y) {
        (Int(x), Int(y)) => x < y,
        (Real(a, b), Real(c, d)) => a * d < c * b,
        _ => panic!("{word} {values:?}"),
    };
    let pair = |x: &V, y: &V| match word {
        "=" => x == y,
        "<" => less(x, y),
        "<=" => !less(y, x),
        ">" => less(y, x),
        _ => !less(x, y),
    };
    match word {
        "distinct" => (0..values.len()).all(|i| !values[..i].contains(&values[i])),
        _ => values.windows(2).all(|w| pair(&w[0], &w[1])),
    }
}

/// The values to which an assertion bounds a constant: `(= x 1)`, or a disjunction of such.
fn bounds(a: &Arena, t: Term) -> Option<(Fun, Vec<Term>)> {
    match a.head(t) {
        Head::Op(op, _) if op.info().name == "=" => {
            let [x, v] = a.args(t) else { return None };
            let f = a.symbol(*x).filter(|&f| a.fun(f).kind == FunKind::Free)?;
            let is_value = a.dag(&[*v]).iter().all(|&t| !matches!(a.head(t), Head::Fun(_)));
            (a.args(*x).is_empty() && is_value).then(|| (f, vec![*v]))
        }
        Head::Op(op, _) if op.info().name == "or" => {
            let mut all = a.args(t).iter().map(|&t| bounds(a, t));
            let (f, mut values) = all.next()??;
            for more in all {
                let (g, more) = more?;
                if g != f {
                    return None;
                }
                values.extend(more);
            }
            Some((f, values))
        }
        _ => None,
    }
}

/// The constants that a script declares.
pub fn constants(script: &Script) -> Vec<Fun> {
    let constant = |c: &Command| match c {
        Command::DeclareFun(f) if script.arena.fun(*f).args.is_empty() => Some(*f),
        _ => None,
    };
    script.commands.iter().filter_map(constant).collect()
}

/// The constants that the assertions bound to one value.
pub fn pinned(script: &Script, query: &Query) -> Vec<Fun> {
    let one = |&t: &Term| bounds(&script.arena, t).filter(|(_, v)| v.len() == 1).map(|(f, _)| f);
    query.assertions.iter().filter_map(one).collect()
}

/// Values that are tried for each constant.
type Domains = Vec<(Fun, Vec<V>)>;

/// Decides a check. Of several models one is taken by chance.
pub fn decide(
    script: &Script,
    query: &Query,
    convention: Convention,
    random: &mut ChaCha8Rng,
) -> Decision {
    let a = &script.arena;
    let mut mind = Mind::new(a, convention);
    let mut complete = true;
    let mut domains = Domains::new();
    for f in constants(script) {
        let Some(sort) = sort_in(a, a.fun(f).ret) else { return Decision::Unknown };
        let bound = query.assertions.iter().filter_map(|&t| bounds(a, t)).filter(|(g, _)| *g == f);
        let bound = bound.min_by_key(|(_, values)| values.len()).map(|(_, values)| values);
        let values = bound.map(|all| {
            all.into_iter().filter_map(|t| Some(mind.eval(t).ok()?.0)).collect::<Vec<V>>()
        });
        complete &= values.is_some() || sort == S::Bool;
        let mut values = values.unwrap_or_else(|| match sort {
            S::Float => [0, 4, 16, 20, 31].map(Float).into(),
            _ => grid(sort),
        });
        values.shuffle(random);
        domains.push((f, values));
    }
    match mind.exhaust(&query.assertions, &domains, random) {
        Decision::Unsat { .. } if !complete => Decision::Unknown,
        decision => decision,
    }
}

/// Whether these values are no model, whatever is left open.
pub fn refutes(script: &Script, query: &Query, found: &Found, random: &mut ChaCha8Rng) -> bool {
    let domains: Domains = found.constants.iter().map(|(f, v)| (*f, vec![v.clone()])).collect();
    let mut mind = Mind::new(&script.arena, Convention::Any);
    mind.exhaust(&query.assertions, &domains, random).is_unsat()
}

impl<'a> Mind<'a> {
    fn new(a: &'a Arena, convention: Convention) -> Self {
        let found = Found::default();
        Self { a, convention, found, bound: Vec::new(), beyond_grid: false }
    }

    /// Tries all values of the constants.
    fn exhaust(
        &mut self,
        assertions: &[Term],
        domains: &Domains,
        random: &mut ChaCha8Rng,
    ) -> Decision {
        let count: usize = domains.iter().map(|(_, v)| v.len()).product();
        let mut open = false;
        for k in 0..count {
            let mut at = k;
            let choose = |(f, values): &(Fun, Vec<V>)| {
                let v = values[at % values.len()].clone();
                at /= values.len();
                (*f, v)
            };
            let constants = domains.iter().map(choose).collect();
            self.found = Found { constants, ..Found::default() };
            match self.search(assertions, random) {
                Ok(true) => return Decision::Sat(std::mem::take(&mut self.found)),
                Ok(false) => open |= self.found.open,
                Err(_) => return Decision::Unknown,
            }
        }
        if self.beyond_grid { Decision::Unknown } else { Decision::Unsat { open } }
    }
}
