//! Values in a canonical form: two answers mean the same exactly when their values are equal.
//!
//! This is deliberately not the evaluator's own value type: what judges must not share code with what is judged.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smelt_smtlib::invert::field_sorts;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Fun, FunKind, Head, Literal, Op, Sort, SortKind, Term};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Bool.
    Bool(bool),
    /// Int.
    Int(IBig),
    /// Real.
    Real(RBig),
    /// A bit-vector: width and unsigned value.
    Bits(u32, UBig),
    /// A float: format, and the IEEE bits; `None` is the NaN.
    Float(u32, u32, Option<UBig>),
    /// A rounding mode, by its operator.
    Mode(Op),
    /// A string.
    Str(Vec<u32>),
    /// A sequence.
    Seq(Vec<Self>),
    /// An array over a large index sort: the default, and where it differs.
    Array(Box<Self>, BTreeMap<Self, Self>),
    /// An array over a small index sort, in full.
    Table(BTreeMap<Self, Self>),
    /// A set.
    Set(BTreeSet<Self>),
    /// A bag.
    Bag(BTreeMap<Self, UBig>),
    /// A datatype value: the constructor and its fields.
    Data(Fun, Vec<Self>),
    /// A tuple.
    Tuple(Vec<Self>),
    /// A nullable.
    Nullable(Option<Box<Self>>),
    /// An element of a field.
    Field(UBig),
}

/// Larger index sorts are not enumerated.
const SMALL_DOMAIN: usize = 300;
const MAX_NESTING: u32 = 300;

/// The value that a term spells out; `None` if it is not spelled out (or is a function, a language, an irrational).
pub fn value_of(a: &mut Arena, t: Term) -> Option<Value> {
    read(a, t, MAX_NESTING)
}

fn read(a: &mut Arena, t: Term, fuel: u32) -> Option<Value> {
    let fuel = fuel.checked_sub(1)?;
    let sort = a.sort(t);
    let args: Vec<Term> = a.args(t).to_vec();
    match a.head(t) {
        Head::Lit(l) => literal(a.lit(l)),
        Head::Fun(f) => {
            if !matches!(a.fun(f).kind, FunKind::Constructor(..)) {
                return None;
            }
            Some(Value::Data(f, read_all(a, &args, fuel)?))
        }
        Head::Op(op, idx) => {
            let indices = a.indices(idx).to_vec();
            operator(a, op, &indices, &args, sort, fuel)
        }
        _ => None,
    }
}

fn read_all(a: &mut Arena, args: &[Term], fuel: u32) -> Option<Vec<Value>> {
    args.iter().map(|&t| read(a, t, fuel)).collect()
}

fn literal(l: &Literal) -> Option<Value> {
    Some(match l {
        Literal::Int(v) => Value::Int(v.clone().into()),
        Literal::Real { digits, scale } => {
            let d = UBig::from(10u8).pow(*scale as usize);
            Value::Real(RBig::from_parts(digits.clone().into(), d))
        }
        Literal::Bits { width, value } => Value::Bits(*width, value.clone()),
        Literal::Str(s) => Value::Str(s.to_vec()),
        Literal::Field { value, .. } => Value::Field(value.clone()),
        Literal::Root { .. } => return None,
    })
}

fn operator(
    a: &mut Arena,
    op: Op,
    indices: &[u32],
    args: &[Term],
    sort: Sort,
    fuel: u32,
) -> Option<Value> {
    let float = |sign: u8, rest: UBig| {
        let (e, m) = (*indices.first()?, *indices.get(1)?);
        Some(Value::Float(e, m, Some((UBig::from(sign) << (e + m - 1) as usize) | rest)))
    };
    let infinity = || {
        let (e, m) = (*indices.first()?, *indices.get(1)?);
        Some(((UBig::ONE << e as usize) - UBig::ONE) << (m - 1) as usize)
    };
    Some(match op {
        Op::True => Value::Bool(true),
        Op::False => Value::Bool(false),
        Op::Rne | Op::Rna | Op::Rtp | Op::Rtn | Op::Rtz => Value::Mode(op),
        Op::Neg => match read(a, args[0], fuel)? {
            Value::Int(v) => Value::Int(-v),
            Value::Real(v) => Value::Real(-v),
            _ => return None,
        },
        Op::ToReal => match read(a, args[0], fuel)? {
            Value::Int(v) => Value::Real(RBig::from(v)),
            _ => return None,
        },
        Op::Div => match (read(a, args[0], fuel)?, read(a, *args.get(1)?, fuel)?) {
            (Value::Real(n), Value::Real(d)) if !d.is_zero() && args.len() == 2 => {
                Value::Real(n / d)
            }
            _ => return None,
        },
        Op::FpNan => Value::Float(indices[0], indices[1], None),
        Op::FpPlusZero => float(0, UBig::ZERO)?,
        Op::FpMinusZero => float(1, UBig::ZERO)?,
        Op::FpPlusInf => float(0, infinity()?)?,
        Op::FpMinusInf => float(1, infinity()?)?,
        Op::FpMake => match &*read_all(a, args, fuel)? {
            [Value::Bits(1, s), Value::Bits(e, x), Value::Bits(m, y)] => {
                let top = (UBig::ONE << *e as usize) - UBig::ONE;
                let bits = (((s.clone() << *e as usize) | x) << *m as usize) | y;
                let nan = *x == top && !y.is_zero();
                Value::Float(*e, m + 1, (!nan).then_some(bits))
            }
            _ => return None,
        },
        Op::ConstArray | Op::Store => array(a, op, args, sort, fuel)?,
        Op::SeqEmpty => Value::Seq(vec![]),
        Op::SeqUnit => Value::Seq(vec![read(a, args[0], fuel)?]),
        Op::SeqConcat => {
            let mut all = Vec::new();
            for v in read_all(a, args, fuel)? {
                let Value::Seq(part) = v else { return None };
                all.extend(part);
            }
            Value::Seq(all)
        }
        Op::SetEmpty => Value::Set(BTreeSet::new()),
        Op::SetSingleton => Value::Set([read(a, args[0], fuel)?].into()),
        Op::SetUnion | Op::SetInsert => {
            let mut all = BTreeSet::new();
            for (i, v) in read_all(a, args, fuel)?.into_iter().enumerate() {
                match v {
                    Value::Set(part) if op == Op::SetUnion || i + 1 == args.len() => {
                        all.extend(part);
                    }
                    v if op == Op::SetInsert => {
                        all.insert(v);
                    }
                    _ => return None,
                }
            }
            Value::Set(all)
        }
        Op::BagEmpty => Value::Bag(BTreeMap::new()),
        Op::BagMake => match (read(a, args[0], fuel)?, read(a, args[1], fuel)?) {
            (v, Value::Int(n)) => match UBig::try_from(n) {
                Ok(n) if !n.is_zero() => Value::Bag([(v, n)].into()),
                _ => Value::Bag(BTreeMap::new()),
            },
            _ => return None,
        },
        Op::BagUnionDisjoint => {
            let mut all: BTreeMap<Value, UBig> = BTreeMap::new();
            for v in read_all(a, args, fuel)? {
                let Value::Bag(part) = v else { return None };
                for (k, n) in part {
                    *all.entry(k).or_default() += n;
                }
            }
            Value::Bag(all)
        }
        Op::TupleMake | Op::TupleUnit => Value::Tuple(read_all(a, args, fuel)?),
        Op::NullableNull => Value::Nullable(None),
        Op::NullableSome => Value::Nullable(Some(Box::new(read(a, args[0], fuel)?))),
        _ => return None,
    })
}

/// A chain of stores on a constant array.
fn array(a: &mut Arena, mut op: Op, args: &[Term], sort: Sort, fuel: u32) -> Option<Value> {
    let SortKind::Array(index, _) = *a.sort_kind(sort) else { return None };
    let mut map: BTreeMap<Value, Value> = BTreeMap::new();
    let mut args = args.to_vec();
    while op == Op::Store {
        let (i, e) = (read(a, args[1], fuel)?, read(a, args[2], fuel)?);
        // The outermost store of a key counts.
        map.entry(i).or_insert(e);
        let Head::Op(next, _) = a.head(args[0]) else { return None };
        op = next;
        args = a.args(args[0]).to_vec();
    }
    if op != Op::ConstArray {
        return None;
    }
    let default = read(a, args[0], fuel)?;
    if let Some(domain) = domain(a, index, SMALL_DOMAIN) {
        let full = domain.into_iter().map(|i| {
            let e = map.get(&i).unwrap_or(&default).clone();
            (i, e)
        });
        return Some(Value::Table(full.collect()));
    }
    map.retain(|_, e| *e != default);
    Some(Value::Array(Box::new(default), map))
}

/// All values of a sort, if there are at most `limit`.
fn domain(a: &mut Arena, sort: Sort, limit: usize) -> Option<Vec<Value>> {
    let kind = a.sort_kind(sort).clone();
    let all: Vec<Value> = match kind {
        SortKind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        SortKind::RoundingMode => {
            [Op::Rne, Op::Rna, Op::Rtp, Op::Rtn, Op::Rtz].map(Value::Mode).into()
        }
        SortKind::BitVec(w) if w <= 8 => (0..1u32 << w).map(|v| Value::Bits(w, v.into())).collect(),
        SortKind::Float(e, m) if e + m <= 8 => {
            let top = ((1u32 << e) - 1) << (m - 1);
            let magnitude = (1u32 << (e + m - 1)) - 1;
            let numbers = (0..1u32 << (e + m)).filter(|v| v & magnitude <= top);
            let numbers = numbers.map(|v| Value::Float(e, m, Some(v.into())));
            numbers.chain([Value::Float(e, m, None)]).collect()
        }
        SortKind::FiniteField(p) => {
            let p = usize::try_from(p).ok().filter(|p| *p <= limit)?;
            (0..p).map(|v| Value::Field(v.into())).collect()
        }
        SortKind::Tuple(parts) => {
            products(a, &parts, limit)?.into_iter().map(Value::Tuple).collect()
        }
        SortKind::Nullable(e) => {
            let some = domain(a, e, limit)?.into_iter();
            let some = some.map(|v| Value::Nullable(Some(Box::new(v))));
            some.chain([Value::Nullable(None)]).collect()
        }
        SortKind::Set(e) => {
            let elements = domain(a, e, limit.ilog2() as usize)?;
            let chosen = |bits: usize| {
                let taken = elements.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
                Value::Set(taken.map(|(_, v)| v.clone()).collect())
            };
            (0..1usize << elements.len()).map(chosen).collect()
        }
        SortKind::Array(i, e) => {
            // A sort of one value makes arrays of one value of it, however many indices there are.
            let indices = domain(a, i, limit)?;
            let rows = products(a, &vec![e; indices.len()], limit)?;
            let table = |row: Vec<Value>| Value::Table(indices.iter().cloned().zip(row).collect());
            rows.into_iter().map(table).collect()
        }
        SortKind::Named(d, _) => {
            let SortDeclKind::Datatype { constructors, .. } = a.sort_decl(d).kind.clone() else {
                return None;
            };
            let mut all = Vec::new();
            for c in constructors {
                let fields = field_sorts(a, c, sort)?;
                // A recursive datatype is infinite (the prelude has no mutual recursion).
                if fields.contains(&sort) {
                    return None;
                }
                let rows = products(a, &fields, limit)?;
                all.extend(rows.into_iter().map(|r| Value::Data(c, r)));
            }
            all
        }
        _ => return None,
    };
    (all.len() <= limit).then_some(all)
}

fn products(a: &mut Arena, sorts: &[Sort], limit: usize) -> Option<Vec<Vec<Value>>> {
    let mut rows: Vec<Vec<Value>> = vec![vec![]];
    for &s in sorts {
        let values = domain(a, s, limit)?;
        if rows.len() * values.len() > limit {
            return None;
        }
        rows = rows
            .into_iter()
            .flat_map(|r| values.iter().map(move |v| [r.clone(), vec![v.clone()]].concat()))
            .collect();
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::{ParseOptions, parse, parse_terms};

    fn same(left: &str, right: &str) -> Option<bool> {
        let mut script = parse(b"(declare-datatypes ((C 0)) (((r) (g))))").unwrap();
        let options = ParseOptions { model_values: true, ..ParseOptions::default() };
        let mut value = |s: &str| {
            let t = parse_terms(&mut script, s.as_bytes(), &options).unwrap()[0];
            value_of(&mut script.arena, t)
        };
        Some(value(left)? == value(right)?)
    }

    #[test]
    fn canonical() {
        for (left, right, expect) in [
            ("(/ 1.0 3.0)", "(/ 2 6)", Some(true)),
            ("(- (/ 1 2))", "(/ (- 1) 2)", Some(true)),
            ("(- 0.5)", "(/ (- 1) 2)", Some(true)),
            ("(_ NaN 3 3)", "(fp #b0 #b111 #b01)", Some(true)),
            ("(_ +oo 3 3)", "(fp #b0 #b111 #b00)", Some(true)),
            ("(_ -zero 3 3)", "(fp #b1 #b000 #b00)", Some(true)),
            ("(_ -zero 3 3)", "(_ +zero 3 3)", Some(false)),
            ("#x0f", "(_ bv15 8)", Some(true)),
            ("RNE", "roundNearestTiesToEven", Some(true)),
            (
                "(store (store ((as const (Array Int Int)) 0) 1 2) 1 0)",
                "((as const (Array Int Int)) 0)",
                Some(true),
            ),
            (
                "(store ((as const (Array Bool Int)) 0) true 1)",
                "(store ((as const (Array Bool Int)) 1) false 0)",
                Some(true),
            ),
            (
                "(store ((as const (Array C Int)) 0) r 1)",
                "(store ((as const (Array C Int)) 0) g 1)",
                Some(false),
            ),
            // The index sort has four values, all but one of which are listed on the left.
            (
                "(store (store (store ((as const (Array (Array Bool Bool) Int)) 0) ((as const (Array Bool Bool)) true) 1)
                  ((as const (Array Bool Bool)) false) 1) (store ((as const (Array Bool Bool)) false) true true) 1)",
                "(store ((as const (Array (Array Bool Bool) Int)) 1) (store ((as const (Array Bool Bool)) true) true false) 0)",
                Some(true),
            ),
            (
                "(store ((as const (Array (Set Bool) Int)) 0) (as set.empty (Set Bool)) 1)",
                "((as const (Array (Set Bool) Int)) 0)",
                Some(false),
            ),
            (
                "(store (store (store (store ((as const (Array (Set Bool) Int)) 0) (as set.empty (Set Bool)) 1)
                  (set.singleton true) 1) (set.singleton false) 1) (set.insert true (set.singleton false)) 1)",
                "((as const (Array (Set Bool) Int)) 1)",
                Some(true),
            ),
            (
                "(set.union (set.singleton 1) (set.singleton 2))",
                "(set.insert 2 1 (set.singleton 2))",
                Some(true),
            ),
            ("(bag 1 (- 1))", "(as bag.empty (Bag Int))", Some(true)),
            ("(div 5 0)", "0", None),
            ("(lambda ((x Int)) x)", "0", None),
        ] {
            assert_eq!(same(left, right), expect, "{left} {right}");
        }
    }
}
