//! Every floating-point operator over tiny formats in all rounding modes, against a definition by search: all numbers
//! of the format are listed as exact fractions, and the rounded result is looked up in the list.
//!
//! `SMELT_HEAVY=1` adds formats.

use smelt_eval::bv::Bv;
use smelt_eval::fp::{Extremum, Format, Fp, RoundingMode};
use smelt_eval::int::Int;
use smelt_eval::rat::Rat;
use std::cmp::Ordering;

/// A fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
struct Frac(i128, i128);

impl Frac {
    fn cmp(self, other: Frac) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
    fn add(self, other: Frac) -> Frac {
        Frac(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }
    fn mul(self, other: Frac) -> Frac {
        Frac(self.0 * other.0, self.1 * other.1)
    }
    fn neg(self) -> Frac {
        Frac(-self.0, self.1)
    }
    fn div(self, other: Frac) -> Frac {
        let (n, d) = (self.0 * other.1, self.1 * other.0);
        if d < 0 { Frac(-n, -d) } else { Frac(n, d) }
    }
    fn sign(self) -> i128 {
        self.0.signum()
    }
}

/// A bit pattern read by the definition of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    Nan,
    Inf(bool),
    Zero(bool),
    Number,
}

#[derive(Clone, Copy, Debug)]
struct Decoded {
    is: Is,
    neg: bool,
    /// The number, 0 for what is none.
    value: Frac,
    subnormal: bool,
}

#[derive(Clone)]
struct Table {
    format: Format,
    eb: u32,
    sb: u32,
    /// By bit pattern.
    all: Vec<(Fp, Decoded)>,
    /// The magnitudes by their pattern, from zero to the largest, and then the one infinity stands for.
    magnitudes: Vec<Frac>,
}

impl Table {
    fn new(eb: u32, sb: u32) -> Table {
        let format = Format::new(eb, sb).unwrap();
        let width = eb + sb;
        let magnitude = |pattern: u64| {
            let (e, f) = (pattern >> (sb - 1), pattern & ((1 << (sb - 1)) - 1));
            let bias = (1i32 << (eb - 1)) - 1;
            let (mant, exp) = if e == 0 {
                (f as i128, 1 - bias)
            } else {
                ((f + (1 << (sb - 1))) as i128, e as i32 - bias)
            };
            let shift = exp - (sb as i32 - 1);
            if shift >= 0 { Frac(mant << shift, 1) } else { Frac(mant, 1 << -shift) }
        };
        let infinity = ((1u64 << eb) - 1) << (sb - 1);
        let all = (0..1u64 << width)
            .map(|bits| {
                let fp = Fp::from_bits(format, &Bv::new(width, bits).unwrap()).unwrap();
                let neg = bits >> (width - 1) == 1;
                let pattern = bits & ((1 << (width - 1)) - 1);
                let is = match pattern {
                    0 => Is::Zero(neg),
                    p if p < infinity => Is::Number,
                    p if p == infinity => Is::Inf(neg),
                    _ => Is::Nan,
                };
                let value = if is == Is::Number { magnitude(pattern) } else { Frac(0, 1) };
                let value = if neg { value.neg() } else { value };
                let subnormal = pattern > 0 && pattern < 1 << (sb - 1);
                (fp, Decoded { is, neg, value, subnormal })
            })
            .collect();
        Table { format, eb, sb, all, magnitudes: (0..=infinity).map(magnitude).collect() }
    }

    fn of(&self, neg: bool, pattern: usize) -> Fp {
        let bits = (u64::from(neg) << (self.eb + self.sb - 1)) | pattern as u64;
        self.all[bits as usize].0.clone()
    }

    fn nan(&self) -> Fp {
        Fp::nan(self.format)
    }

    fn inf(&self, neg: bool) -> Fp {
        self.of(neg, self.magnitudes.len() - 1)
    }

    fn zero(&self, neg: bool) -> Fp {
        self.of(neg, 0)
    }

    /// Rounds a number of the given sign, not zero, whose magnitude is known by its comparison with fractions.
    fn round_by(&self, mode: RoundingMode, neg: bool, cmp: impl Fn(Frac) -> Ordering) -> Fp {
        let top = self.magnitudes.len() - 1;
        // The greatest listed magnitude not above, by plain search.
        let below = (0..=top).rev().find(|&i| cmp(self.magnitudes[i]).is_ge()).unwrap();
        let exact = cmp(self.magnitudes[below]).is_eq();
        let up = match mode {
            _ if exact || below == top => false,
            RoundingMode::TowardZero => false,
            RoundingMode::TowardPositive => !neg,
            RoundingMode::TowardNegative => neg,
            RoundingMode::NearestEven | RoundingMode::NearestAway => {
                let (a, b) = (self.magnitudes[below], self.magnitudes[below + 1]);
                match cmp(a.add(b).mul(Frac(1, 2))) {
                    Ordering::Less => false,
                    Ordering::Greater => true,
                    Ordering::Equal => mode == RoundingMode::NearestAway || below % 2 == 1,
                }
            }
        };
        let pattern = if up { below + 1 } else { below };
        if below == top {
            // At or above the first magnitude that is too large.
            let outward = match mode {
                RoundingMode::NearestEven | RoundingMode::NearestAway => true,
                RoundingMode::TowardPositive => !neg,
                RoundingMode::TowardNegative => neg,
                RoundingMode::TowardZero => false,
            };
            return self.of(neg, if outward { top } else { top - 1 });
        }
        self.of(neg, pattern)
    }

    fn round(&self, mode: RoundingMode, value: Frac) -> Fp {
        let neg = value.sign() < 0;
        let magnitude = if neg { value.neg() } else { value };
        self.round_by(mode, neg, |f| magnitude.cmp(f))
    }

    /// A sum or product that is exactly zero, where the signs did not decide.
    fn round_or_zero(&self, mode: RoundingMode, value: Frac) -> Fp {
        if value.sign() == 0 {
            self.zero(mode == RoundingMode::TowardNegative)
        } else {
            self.round(mode, value)
        }
    }

    fn add(&self, mode: RoundingMode, x: Decoded, y: Decoded) -> Fp {
        match (x.is, y.is) {
            (Is::Nan, _) | (_, Is::Nan) => self.nan(),
            (Is::Inf(a), Is::Inf(b)) if a != b => self.nan(),
            (Is::Inf(a), _) | (_, Is::Inf(a)) => self.inf(a),
            (Is::Zero(a), Is::Zero(b)) if a == b => self.zero(a),
            _ => self.round_or_zero(mode, x.value.add(y.value)),
        }
    }

    fn mul(&self, mode: RoundingMode, x: Decoded, y: Decoded) -> Fp {
        let neg = x.neg != y.neg;
        match (x.is, y.is) {
            (Is::Nan, _) | (_, Is::Nan) => self.nan(),
            (Is::Inf(_), Is::Zero(_)) | (Is::Zero(_), Is::Inf(_)) => self.nan(),
            (Is::Inf(_), _) | (_, Is::Inf(_)) => self.inf(neg),
            (Is::Zero(_), _) | (_, Is::Zero(_)) => self.zero(neg),
            _ => self.round(mode, x.value.mul(y.value)),
        }
    }

    fn div(&self, mode: RoundingMode, x: Decoded, y: Decoded) -> Fp {
        let neg = x.neg != y.neg;
        match (x.is, y.is) {
            (Is::Nan, _) | (_, Is::Nan) => self.nan(),
            (Is::Inf(_), Is::Inf(_)) | (Is::Zero(_), Is::Zero(_)) => self.nan(),
            (Is::Inf(_), _) | (_, Is::Zero(_)) => self.inf(neg),
            (_, Is::Inf(_)) | (Is::Zero(_), _) => self.zero(neg),
            _ => self.round(mode, x.value.div(y.value)),
        }
    }

    fn fma(&self, mode: RoundingMode, x: Decoded, y: Decoded, z: Decoded) -> Fp {
        let neg = x.neg != y.neg;
        match (x.is, y.is) {
            (Is::Nan, _) | (_, Is::Nan) => return self.nan(),
            (Is::Inf(_), Is::Zero(_)) | (Is::Zero(_), Is::Inf(_)) => return self.nan(),
            (Is::Inf(_), _) | (_, Is::Inf(_)) => {
                return match z.is {
                    Is::Nan => self.nan(),
                    Is::Inf(other) if other != neg => self.nan(),
                    _ => self.inf(neg),
                };
            }
            _ => {}
        }
        match z.is {
            Is::Nan => self.nan(),
            Is::Inf(other) => self.inf(other),
            Is::Zero(other) if x.value.mul(y.value).sign() == 0 && other == neg => self.zero(neg),
            _ => self.round_or_zero(mode, x.value.mul(y.value).add(z.value)),
        }
    }

    fn rem(&self, x: Decoded, y: Decoded) -> Fp {
        match (x.is, y.is) {
            (Is::Nan | Is::Inf(_), _) | (_, Is::Nan | Is::Zero(_)) => return self.nan(),
            (Is::Zero(neg), _) => return self.zero(neg),
            (_, Is::Inf(_)) => return self.round(RoundingMode::NearestEven, x.value),
            _ => {}
        }
        // The integer of least distance to x/y, the even one of two.
        let quotient = x.value.div(y.value);
        let n = nearest_integer(RoundingMode::NearestEven, quotient);
        let rest = x.value.add(y.value.mul(Frac(n, 1)).neg());
        if rest.sign() == 0 {
            self.zero(x.neg)
        } else {
            self.round(RoundingMode::NearestEven, rest)
        }
    }

    fn sqrt(&self, mode: RoundingMode, x: Decoded) -> Fp {
        match x.is {
            Is::Zero(neg) => self.zero(neg),
            Is::Nan => self.nan(),
            _ if x.neg => self.nan(),
            Is::Inf(_) => self.inf(false),
            Is::Number => self.round_by(mode, false, |f| x.value.cmp(f.mul(f))),
        }
    }
}

/// By search over all integers near the number.
fn nearest_integer(mode: RoundingMode, x: Frac) -> i128 {
    let near = x.0 / x.1;
    let candidates: Vec<i128> = (near - 2..=near + 2).collect();
    let at = |n: &i128| Frac(*n, 1).cmp(x);
    let floor = *candidates.iter().rev().find(|n| at(n).is_le()).unwrap();
    let ceil = *candidates.iter().find(|n| at(n).is_ge()).unwrap();
    match mode {
        RoundingMode::TowardNegative => floor,
        RoundingMode::TowardPositive => ceil,
        RoundingMode::TowardZero => {
            if x.sign() < 0 {
                ceil
            } else {
                floor
            }
        }
        RoundingMode::NearestEven | RoundingMode::NearestAway => {
            match x.cmp(Frac(floor + ceil, 2)) {
                Ordering::Less => floor,
                Ordering::Greater => ceil,
                Ordering::Equal if floor == ceil => floor,
                Ordering::Equal if mode == RoundingMode::NearestEven => {
                    if floor % 2 == 0 {
                        floor
                    } else {
                        ceil
                    }
                }
                Ordering::Equal => {
                    if x.sign() < 0 {
                        floor
                    } else {
                        ceil
                    }
                }
            }
        }
    }
}

fn formats() -> Vec<Table> {
    let mut formats = vec![(2, 3), (3, 3)];
    if std::env::var_os("SMELT_HEAVY").is_some() {
        formats.extend([(2, 2), (3, 2), (2, 5), (4, 4), (5, 2)]);
    }
    formats.into_iter().map(|(eb, sb)| Table::new(eb, sb)).collect()
}

#[test]
fn binary_operators() {
    for t in formats() {
        for (x, dx) in &t.all {
            for (y, dy) in &t.all {
                for mode in RoundingMode::ALL {
                    let negated =
                        Decoded { neg: !dy.neg, value: dy.value.neg(), is: flip(dy.is), ..*dy };
                    assert_eq!(x.add(mode, y), t.add(mode, *dx, *dy), "fp.add {mode} {x} {y}");
                    assert_eq!(x.sub(mode, y), t.add(mode, *dx, negated), "fp.sub {mode} {x} {y}");
                    assert_eq!(x.mul(mode, y), t.mul(mode, *dx, *dy), "fp.mul {mode} {x} {y}");
                    assert_eq!(x.div(mode, y), t.div(mode, *dx, *dy), "fp.div {mode} {x} {y}");
                }
                assert_eq!(x.rem(y), t.rem(*dx, *dy), "fp.rem {x} {y}");
            }
        }
    }
}

fn flip(is: Is) -> Is {
    match is {
        Is::Inf(neg) => Is::Inf(!neg),
        Is::Zero(neg) => Is::Zero(!neg),
        other => other,
    }
}

#[test]
fn fused_multiply_add() {
    for t in formats() {
        if t.all.len() > 128 && std::env::var_os("SMELT_HEAVY").is_none() {
            continue;
        }
        for (x, dx) in &t.all {
            for (y, dy) in &t.all {
                for (z, dz) in &t.all {
                    for mode in RoundingMode::ALL {
                        let expected = t.fma(mode, *dx, *dy, *dz);
                        assert_eq!(x.fma(mode, y, z), expected, "fp.fma {mode} {x} {y} {z}");
                    }
                }
            }
        }
    }
}

#[test]
fn unary_operators_and_predicates() {
    for t in formats() {
        for (x, d) in &t.all {
            for mode in RoundingMode::ALL {
                assert_eq!(x.sqrt(mode), t.sqrt(mode, *d), "fp.sqrt {mode} {x}");
                let integral = match d.is {
                    Is::Number => match nearest_integer(mode, d.value) {
                        0 => t.zero(d.neg),
                        n => t.round(mode, Frac(n, 1)),
                    },
                    _ => x.clone(),
                };
                assert_eq!(x.round_to_integral(mode), integral, "fp.roundToIntegral {mode} {x}");
            }
            let nan = d.is == Is::Nan;
            assert_eq!(x.is_nan(), nan);
            assert_eq!(x.is_infinite(), matches!(d.is, Is::Inf(_)));
            assert_eq!(x.is_zero(), matches!(d.is, Is::Zero(_)));
            assert_eq!(x.is_subnormal(), d.subnormal);
            assert_eq!(x.is_normal(), d.is == Is::Number && !d.subnormal);
            assert_eq!(x.is_negative(), !nan && d.neg);
            assert_eq!(x.is_positive(), !nan && !d.neg);
            let pattern = (x.to_bits().to_u64().unwrap() as usize) & ((1 << (t.eb + t.sb - 1)) - 1);
            if !nan {
                assert_eq!(x.neg(), t.of(!d.neg, pattern));
                assert_eq!(x.abs(), t.of(false, pattern));
                assert_eq!(x.to_ieee_bv(), Some(x.to_bits()));
            } else {
                assert_eq!((x.neg(), x.abs(), x.to_ieee_bv()), (t.nan(), t.nan(), None));
            }
            let real = match d.is {
                Is::Nan | Is::Inf(_) => None,
                _ => Rat::new(&int(d.value.0), &int(d.value.1)),
            };
            assert_eq!(x.to_real().unwrap(), real);
        }
    }
}

fn int(n: i128) -> Int {
    Int::from(dashu_int::IBig::from(n))
}

#[test]
fn comparisons_minimum_and_maximum() {
    for t in formats() {
        // An order with infinities beyond all numbers.
        let place = |d: &Decoded| match d.is {
            Is::Inf(neg) => Frac(if neg { -1_000_000 } else { 1_000_000 }, 1),
            _ => d.value,
        };
        for (x, dx) in &t.all {
            for (y, dy) in &t.all {
                let ordered = dx.is != Is::Nan && dy.is != Is::Nan;
                let order = place(dx).cmp(place(dy));
                assert_eq!(x.lt(y), ordered && order.is_lt(), "fp.lt {x} {y}");
                assert_eq!(x.leq(y), ordered && order.is_le(), "fp.leq {x} {y}");
                assert_eq!(x.gt(y), ordered && order.is_gt(), "fp.gt {x} {y}");
                assert_eq!(x.geq(y), ordered && order.is_ge(), "fp.geq {x} {y}");
                assert_eq!(x.ieee_eq(y), ordered && order.is_eq(), "fp.eq {x} {y}");
                let same = dx.is == Is::Nan && dy.is == Is::Nan
                    || ordered && order.is_eq() && dx.neg == dy.neg;
                assert_eq!(x == y, same, "= {x} {y}");
                let extremum = |wanted: Ordering| match (dx.is, dy.is) {
                    (Is::Nan, _) => Extremum::Is(y.clone()),
                    (_, Is::Nan) => Extremum::Is(x.clone()),
                    (Is::Zero(a), Is::Zero(b)) if a != b => Extremum::EitherZero,
                    _ => Extremum::Is(if order == wanted { x.clone() } else { y.clone() }),
                };
                assert_eq!(x.min(y), extremum(Ordering::Less), "fp.min {x} {y}");
                assert_eq!(x.max(y), extremum(Ordering::Greater), "fp.max {x} {y}");
            }
        }
    }
}

#[test]
fn conversions() {
    let targets: Vec<Table> =
        [(2, 2), (2, 3), (3, 3), (3, 5), (4, 2), (4, 4)].map(|(e, s)| Table::new(e, s)).into();
    for mode in RoundingMode::ALL {
        for t in &targets {
            for from in &targets {
                for (x, d) in &from.all {
                    let expected = match d.is {
                        Is::Nan => t.nan(),
                        Is::Inf(neg) => t.inf(neg),
                        Is::Zero(neg) => t.zero(neg),
                        Is::Number => t.round(mode, d.value),
                    };
                    assert_eq!(x.to_format(mode, t.format), expected, "to_fp {mode} {x}");
                }
            }
            for (n, den) in (-90..=90i128).flat_map(|n| (1..=7).map(move |d| (n, d))) {
                let x = Rat::new(&int(n), &int(den)).unwrap();
                let expected = if n == 0 { t.zero(false) } else { t.round(mode, Frac(n, den)) };
                assert_eq!(Fp::from_rat(t.format, mode, &x), expected, "to_fp {mode} {x}");
                let scaled = Fp::from_scaled_rat(t.format, mode, &x, -2);
                let expected = if n == 0 { t.zero(false) } else { t.round(mode, Frac(n, 4 * den)) };
                assert_eq!(scaled, expected, "to_fp {mode} -2 {x}");
            }
            for w in 1..=6u32 {
                for bits in 0..1i128 << w {
                    let x = Bv::new(w, bits as u64).unwrap();
                    let signed = if bits >> (w - 1) == 1 { bits - (1 << w) } else { bits };
                    let expect = |n: i128| {
                        if n == 0 { t.zero(false) } else { t.round(mode, Frac(n, 1)) }
                    };
                    assert_eq!(
                        Fp::from_ubv(t.format, mode, &x),
                        expect(bits),
                        "to_fp_unsigned {mode} {x}"
                    );
                    assert_eq!(
                        Fp::from_sbv(t.format, mode, &x),
                        expect(signed),
                        "to_fp {mode} {x}"
                    );
                }
                for (x, d) in &t.all {
                    let rounded = match d.is {
                        Is::Nan | Is::Inf(_) => None,
                        _ => Some(nearest_integer(mode, d.value)),
                    };
                    let unsigned = rounded.filter(|n| (0..1 << w).contains(n));
                    let half = 1i128 << (w - 1);
                    let signed = rounded.filter(|n| (-half..half).contains(n));
                    let read = |v: Result<Option<Bv>, _>| v.unwrap().map(|v: Bv| v.ubv_to_int());
                    assert_eq!(read(x.to_ubv(mode, w)), unsigned.map(int), "fp.to_ubv {mode} {x}");
                    let wrapped = signed.map(|n| int(n.rem_euclid(1 << w)));
                    assert_eq!(read(x.to_sbv(mode, w)), wrapped, "fp.to_sbv {mode} {x}");
                }
            }
        }
    }
}
