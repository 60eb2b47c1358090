//! The values of the brute force: floats are machine numbers that hold them exactly.

use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum V {
    Bool(bool),
    Int(i64),
    /// In lowest terms, with a positive denominator.
    Real(i64, i64),
    Mode(u8),
    /// The bits; NaN has one representation.
    Float(u32),
    Bits(u32, u32),
    List(Vec<i64>),
    Seq(Vec<i64>),
    Set(BTreeSet<i64>),
    Nullable(Option<i64>),
}

pub use V::{Bits, Bool, Float, Int, List, Mode, Nullable, Real, Seq, Set};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum S {
    Bool,
    Int,
    Real,
    Mode,
    Float,
    Bits(u32),
    List,
    Seq,
    Set,
    Nullable,
}

/// Bits for exponent and significand.
pub type Format = (u32, u32);

const MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];

impl S {
    pub fn text(self, (eb, sb): Format) -> String {
        match self {
            S::Bool => "Bool".into(),
            S::Int => "Int".into(),
            S::Real => "Real".into(),
            S::Mode => "RoundingMode".into(),
            S::Float => format!("(_ FloatingPoint {eb} {sb})"),
            S::Bits(w) => format!("(_ BitVec {w})"),
            S::List => "L".into(),
            S::Seq => "(Seq Int)".into(),
            S::Set => "(Set Int)".into(),
            S::Nullable => "(Nullable Int)".into(),
        }
    }

    /// The values of constants of the sort, and of open results.
    pub fn values(self, f: Format) -> Vec<V> {
        match self {
            S::Bool => [false, true].map(Bool).into(),
            S::Int => [-1, 0, 2].map(Int).into(),
            S::Real => vec![Real(0, 1), Real(-1, 2), Real(2, 1)],
            S::Mode => (0..5).map(Mode).collect(),
            S::Float => {
                let all: BTreeSet<u32> = (0..1 << (f.0 + f.1)).map(|b| one_nan(b, f)).collect();
                all.into_iter().map(Float).collect()
            }
            S::Bits(w) => (0..1 << w).map(|b| Bits(b, w)).collect(),
            S::List => vec![List(vec![]), List(vec![0]), List(vec![2, -1])],
            S::Seq => vec![Seq(vec![]), Seq(vec![2]), Seq(vec![0, -1])],
            S::Set => vec![Set([].into()), Set([0].into()), Set([-1, 2].into())],
            S::Nullable => vec![Nullable(None), Nullable(Some(0)), Nullable(Some(2))],
        }
    }
}

fn int_text(n: i64) -> String {
    if n < 0 { format!("(- {})", -n) } else { n.to_string() }
}

fn bits_text(value: u32, width: u32) -> String {
    format!("#b{value:0w$b}", w = width as usize)
}

pub fn value_text(v: &V, (eb, sb): Format) -> String {
    match v {
        Bool(b) => b.to_string(),
        Int(n) => int_text(*n),
        Real(n, d) if *n < 0 => format!("(- (/ {}.0 {d}.0))", -n),
        Real(n, d) => format!("(/ {n}.0 {d}.0)"),
        Mode(m) => MODES[*m as usize].into(),
        Float(b) => format!("((_ to_fp {eb} {sb}) {})", bits_text(*b, eb + sb)),
        Bits(b, w) => bits_text(*b, *w),
        List(l) => l.iter().rfold("nil".into(), |t, &n| format!("(cons {} {t})", int_text(n))),
        Seq(l) => {
            let unit = |&n: &i64| format!("(seq.unit {})", int_text(n));
            match l.len() {
                0 => "(as seq.empty (Seq Int))".into(),
                1 => unit(&l[0]),
                _ => format!("(seq.++ {})", l.iter().map(unit).collect::<Vec<_>>().join(" ")),
            }
        }
        Set(s) => s.iter().fold("(as set.empty (Set Int))".into(), |t, &n| {
            format!("(set.union {t} (set.singleton {}))", int_text(n))
        }),
        Nullable(None) => "(as nullable.null (Nullable Int))".into(),
        Nullable(Some(n)) => format!("(nullable.some {})", int_text(*n)),
    }
}

fn parts(bits: u32, (eb, sb): Format) -> (bool, u32, u32) {
    (bits >> (eb + sb - 1) == 1, bits >> (sb - 1) & ((1 << eb) - 1), bits & ((1 << (sb - 1)) - 1))
}

pub fn one_nan(bits: u32, f: Format) -> u32 {
    match parts(bits, f) {
        (_, e, s) if e == (1 << f.0) - 1 && s != 0 => (1 << (f.0 + f.1)) - 1,
        _ => bits,
    }
}

pub fn number(bits: u32, f: Format) -> f64 {
    let (negative, e, s) = parts(bits, f);
    let bias = (1 << (f.0 - 1)) - 1;
    let fraction = f64::from(s) / f64::from(1u32 << (f.1 - 1));
    let size = match e {
        e if e == (1 << f.0) - 1 && s != 0 => return f64::NAN,
        e if e == (1 << f.0) - 1 => f64::INFINITY,
        0 => fraction * 2f64.powi(1 - bias),
        _ => (1.0 + fraction) * 2f64.powi(e as i32 - bias),
    };
    if negative { -size } else { size }
}

/// A finite number as a whole one.
pub fn whole(x: f64, mode: u8) -> i64 {
    let nearest = |tie: f64| if (x - x.trunc()).abs() == 0.5 { tie } else { x.round() };
    let rounded = match mode {
        0 => nearest(2.0 * (x / 2.0).round()),
        1 => x.round(),
        2 => x.ceil(),
        3 => x.floor(),
        _ => x.trunc(),
    };
    rounded as i64
}

pub fn fraction(n: i64, d: i64) -> V {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    let g = gcd(n, d) * d.signum();
    Real(n / g, d / g)
}

pub fn sort_of(v: &V) -> S {
    match v {
        Bool(_) => S::Bool,
        Int(_) => S::Int,
        Real(..) => S::Real,
        Mode(_) => S::Mode,
        Float(_) => S::Float,
        Bits(_, w) => S::Bits(*w),
        List(_) => S::List,
        Seq(_) => S::Seq,
        Set(_) => S::Set,
        Nullable(_) => S::Nullable,
    }
}
