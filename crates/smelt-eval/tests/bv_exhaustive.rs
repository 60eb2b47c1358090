//! Every bit-vector operator against definitions over unbounded integers and lists of bits, written from the text of the
//! standard: exhaustively at widths 1 to 4, and on random boundary-heavy values at widths up to 200.

use dashu_int::{IBig, UBig};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::bv::Bv;
use smelt_eval::int::Int;

/// The definition of an operator: two operands as unsigned numbers, and the width.
struct Case {
    name: &'static str,
    ours: fn(&Bv, &Bv) -> Bv,
    definition: fn(&IBig, &IBig, u32) -> IBig,
}

fn pow2(n: u32) -> IBig {
    IBig::ONE << n as usize
}

/// Euclidean remainder by a power of two, spelled out.
fn wrap(x: IBig, w: u32) -> IBig {
    let m = pow2(w);
    let r = x % &m;
    if r < IBig::ZERO { r + m } else { r }
}

fn signed(x: &IBig, w: u32) -> IBig {
    if *x >= pow2(w - 1) { x - pow2(w) } else { x.clone() }
}

/// Bits, the least significant first.
fn bits(x: &IBig, w: u32) -> Vec<bool> {
    let mut list = Vec::new();
    let mut x = x.clone();
    for _ in 0..w {
        list.push(&x % IBig::from(2) == IBig::ONE);
        x /= IBig::from(2);
    }
    list
}

fn number(list: &[bool]) -> IBig {
    list.iter().rev().fold(IBig::ZERO, |n, &b| n * IBig::from(2) + IBig::from(u8::from(b)))
}

fn bitwise(a: &IBig, b: &IBig, w: u32, f: fn(bool, bool) -> bool) -> IBig {
    number(&bits(a, w).iter().zip(bits(b, w)).map(|(x, y)| f(*x, y)).collect::<Vec<_>>())
}

/// A number that fits, or anything too large.
fn distance(b: &IBig) -> usize {
    usize::try_from(b).unwrap_or(usize::MAX)
}

fn truth(b: bool) -> IBig {
    IBig::from(u8::from(b))
}

fn fits_signed(x: &IBig, w: u32) -> bool {
    *x >= -pow2(w - 1) && *x < pow2(w - 1)
}

fn bit(b: bool) -> Bv {
    Bv::new(1, u64::from(b)).unwrap()
}

fn floor_mod(a: IBig, b: IBig) -> IBig {
    // a - b·floor(a/b), the floor found by stepping from the truncated quotient.
    let mut q = &a / &b;
    if &q * &b != a && (a < IBig::ZERO) != (b < IBig::ZERO) {
        q -= IBig::ONE;
    }
    a - b * q
}

fn rotated(a: &IBig, w: u32, left: usize) -> IBig {
    let list = bits(a, w);
    let n = list.len();
    number(&(0..n).map(|i| list[(i + n - left % n) % n]).collect::<Vec<_>>())
}

const CASES: &[Case] = &[
    Case { name: "bvadd", ours: Bv::bvadd, definition: |a, b, w| wrap(a + b, w) },
    Case { name: "bvsub", ours: Bv::bvsub, definition: |a, b, w| wrap(a - b, w) },
    Case { name: "bvmul", ours: Bv::bvmul, definition: |a, b, w| wrap(a * b, w) },
    Case { name: "bvneg", ours: |a, _| a.bvneg(), definition: |a, _, w| wrap(-a.clone(), w) },
    Case {
        name: "bvudiv",
        ours: Bv::bvudiv,
        definition: |a, b, w| if b.is_zero() { pow2(w) - IBig::ONE } else { a / b },
    },
    Case {
        name: "bvurem",
        ours: Bv::bvurem,
        definition: |a, b, _| if b.is_zero() { a.clone() } else { a % b },
    },
    Case {
        name: "bvsdiv",
        ours: Bv::bvsdiv,
        definition: |a, b, w| {
            let (x, y) = (signed(a, w), signed(b, w));
            if y.is_zero() {
                return if x < IBig::ZERO { IBig::ONE } else { pow2(w) - IBig::ONE };
            }
            wrap(x / y, w)
        },
    },
    Case {
        name: "bvsrem",
        ours: Bv::bvsrem,
        definition: |a, b, w| {
            let (x, y) = (signed(a, w), signed(b, w));
            if y.is_zero() { a.clone() } else { wrap(x % y, w) }
        },
    },
    Case {
        name: "bvsmod",
        ours: Bv::bvsmod,
        definition: |a, b, w| {
            let (x, y) = (signed(a, w), signed(b, w));
            if y.is_zero() { a.clone() } else { wrap(floor_mod(x, y), w) }
        },
    },
    Case {
        name: "bvnot",
        ours: |a, _| a.bvnot(),
        definition: |a, b, w| bitwise(a, b, w, |x, _| !x),
    },
    Case { name: "bvand", ours: Bv::bvand, definition: |a, b, w| bitwise(a, b, w, |x, y| x && y) },
    Case { name: "bvor", ours: Bv::bvor, definition: |a, b, w| bitwise(a, b, w, |x, y| x || y) },
    Case { name: "bvxor", ours: Bv::bvxor, definition: |a, b, w| bitwise(a, b, w, |x, y| x != y) },
    Case {
        name: "bvnand",
        ours: Bv::bvnand,
        definition: |a, b, w| bitwise(a, b, w, |x, y| !(x && y)),
    },
    Case {
        name: "bvnor",
        ours: Bv::bvnor,
        definition: |a, b, w| bitwise(a, b, w, |x, y| !(x || y)),
    },
    Case {
        name: "bvxnor",
        ours: Bv::bvxnor,
        definition: |a, b, w| bitwise(a, b, w, |x, y| x == y),
    },
    Case {
        name: "bvshl",
        ours: Bv::bvshl,
        definition: |a, b, w| {
            let (list, n) = (bits(a, w), distance(b));
            number(&(0..list.len()).map(|i| i >= n && list[i - n]).collect::<Vec<_>>())
        },
    },
    Case {
        name: "bvlshr",
        ours: Bv::bvlshr,
        definition: |a, b, w| {
            let (list, n) = (bits(a, w), distance(b));
            let at = |i: usize| i.checked_add(n).and_then(|j| list.get(j)).copied();
            number(&(0..list.len()).map(|i| at(i).unwrap_or(false)).collect::<Vec<_>>())
        },
    },
    Case {
        name: "bvashr",
        ours: Bv::bvashr,
        definition: |a, b, w| {
            let (list, n) = (bits(a, w), distance(b));
            let sign = list[list.len() - 1];
            let at = |i: usize| i.checked_add(n).and_then(|j| list.get(j)).copied();
            number(&(0..list.len()).map(|i| at(i).unwrap_or(sign)).collect::<Vec<_>>())
        },
    },
    Case {
        name: "ext_rotate_left",
        ours: Bv::ext_rotate_left,
        definition: |a, b, w| rotated(a, w, usize::try_from(b % IBig::from(w)).unwrap()),
    },
    Case {
        name: "ext_rotate_right",
        ours: Bv::ext_rotate_right,
        definition: |a, b, w| {
            rotated(a, w, w as usize - usize::try_from(b % IBig::from(w)).unwrap())
        },
    },
    Case { name: "bvcomp", ours: Bv::bvcomp, definition: |a, b, _| truth(a == b) },
    Case {
        name: "bvredor",
        ours: |a, _| a.bvredor(),
        definition: |a, _, w| truth(bits(a, w).contains(&true)),
    },
    Case {
        name: "bvredand",
        ours: |a, _| a.bvredand(),
        definition: |a, _, w| truth(!bits(a, w).contains(&false)),
    },
    Case {
        name: "bvredxor",
        ours: |a, _| a.bvredxor(),
        definition: |a, _, w| truth(bits(a, w).iter().filter(|b| **b).count() % 2 == 1),
    },
    Case { name: "bvult", ours: |a, b| bit(a.bvult(b)), definition: |a, b, _| truth(a < b) },
    Case { name: "bvule", ours: |a, b| bit(a.bvule(b)), definition: |a, b, _| truth(a <= b) },
    Case { name: "bvugt", ours: |a, b| bit(a.bvugt(b)), definition: |a, b, _| truth(a > b) },
    Case { name: "bvuge", ours: |a, b| bit(a.bvuge(b)), definition: |a, b, _| truth(a >= b) },
    Case {
        name: "bvslt",
        ours: |a, b| bit(a.bvslt(b)),
        definition: |a, b, w| truth(signed(a, w) < signed(b, w)),
    },
    Case {
        name: "bvsle",
        ours: |a, b| bit(a.bvsle(b)),
        definition: |a, b, w| truth(signed(a, w) <= signed(b, w)),
    },
    Case {
        name: "bvsgt",
        ours: |a, b| bit(a.bvsgt(b)),
        definition: |a, b, w| truth(signed(a, w) > signed(b, w)),
    },
    Case {
        name: "bvsge",
        ours: |a, b| bit(a.bvsge(b)),
        definition: |a, b, w| truth(signed(a, w) >= signed(b, w)),
    },
    Case {
        name: "bvnego",
        ours: |a, _| bit(a.bvnego()),
        definition: |a, _, w| truth(!fits_signed(&-signed(a, w), w)),
    },
    Case {
        name: "bvuaddo",
        ours: |a, b| bit(a.bvuaddo(b)),
        definition: |a, b, w| truth(a + b >= pow2(w)),
    },
    Case {
        name: "bvusubo",
        ours: |a, b| bit(a.bvusubo(b)),
        definition: |a, b, _| truth(a - b < IBig::ZERO),
    },
    Case {
        name: "bvumulo",
        ours: |a, b| bit(a.bvumulo(b)),
        definition: |a, b, w| truth(a * b >= pow2(w)),
    },
    Case {
        name: "bvsaddo",
        ours: |a, b| bit(a.bvsaddo(b)),
        definition: |a, b, w| truth(!fits_signed(&(signed(a, w) + signed(b, w)), w)),
    },
    Case {
        name: "bvssubo",
        ours: |a, b| bit(a.bvssubo(b)),
        definition: |a, b, w| truth(!fits_signed(&(signed(a, w) - signed(b, w)), w)),
    },
    Case {
        name: "bvsmulo",
        ours: |a, b| bit(a.bvsmulo(b)),
        definition: |a, b, w| truth(!fits_signed(&(signed(a, w) * signed(b, w)), w)),
    },
    Case {
        name: "bvsdivo",
        ours: |a, b| bit(a.bvsdivo(b)),
        definition: |a, b, w| {
            let (x, y) = (signed(a, w), signed(b, w));
            truth(!y.is_zero() && !fits_signed(&(x / y), w))
        },
    },
    Case {
        name: "bvumul_noovfl",
        ours: |a, b| bit(a.bvumul_noovfl(b)),
        definition: |a, b, w| truth(a * b < pow2(w)),
    },
    Case {
        name: "bvsmul_noovfl",
        ours: |a, b| bit(a.bvsmul_noovfl(b)),
        definition: |a, b, w| truth(signed(a, w) * signed(b, w) < pow2(w - 1)),
    },
    Case {
        name: "bvsmul_noudfl",
        ours: |a, b| bit(a.bvsmul_noudfl(b)),
        definition: |a, b, w| truth(signed(a, w) * signed(b, w) >= -pow2(w - 1)),
    },
];

fn big(x: &IBig) -> UBig {
    UBig::try_from(x.clone()).unwrap()
}

fn check(a: &IBig, b: &IBig, w: u32) {
    let (x, y) = (Bv::from_big(w, big(a)).unwrap(), Bv::from_big(w, big(b)).unwrap());
    for case in CASES {
        let ours = (case.ours)(&x, &y);
        let expected = (case.definition)(a, b, w);
        assert_eq!(IBig::from(ours.to_big()), expected, "{} {x} {y}", case.name);
        // Equality of the representation too: the result is as if built from its number.
        assert_eq!(
            ours,
            Bv::from_big(ours.width(), big(&expected)).unwrap(),
            "{} {x} {y}",
            case.name
        );
    }
    let joined = x.concat(&y).unwrap();
    assert_eq!(joined.width(), 2 * w);
    assert_eq!(IBig::from(joined.to_big()), a * pow2(w) + b, "concat {x} {y}");
    assert_eq!(x.ubv_to_int(), Int::from(a.clone()));
    assert_eq!(x.sbv_to_int(), Int::from(signed(a, w)));
}

/// Operators with indices, for one operand.
fn check_indexed(a: &IBig, w: u32, indices: &[u32]) {
    let x = Bv::from_big(w, big(a)).unwrap();
    let list = bits(a, w);
    for &n in indices {
        assert_eq!(IBig::from(x.rotate_left(n).to_big()), rotated(a, w, n as usize));
        let right = w as usize - n as usize % w as usize;
        assert_eq!(IBig::from(x.rotate_right(n).to_big()), rotated(a, w, right));
        let zero = x.zero_extend(n).unwrap();
        assert_eq!((zero.width(), IBig::from(zero.to_big())), (w + n, a.clone()));
        let sign = x.sign_extend(n).unwrap();
        assert_eq!((sign.width(), IBig::from(sign.to_big())), (w + n, wrap(signed(a, w), w + n)));
        if n > 0 {
            let many = x.repeat(n).unwrap();
            let expected = list.repeat(n as usize);
            assert_eq!((many.width(), IBig::from(many.to_big())), (w * n, number(&expected)));
            let back = Bv::int_to_bv(n, &Int::from(signed(a, w))).unwrap();
            assert_eq!(IBig::from(back.to_big()), wrap(signed(a, w), n));
        }
        for low in indices.iter().copied() {
            let expected = (low <= n && n < w).then(|| number(&list[low as usize..=n as usize]));
            let ours = x.extract(n, low);
            assert_eq!(
                ours.map(|v| (v.width(), IBig::from(v.to_big()))),
                expected.map(|e| (n - low + 1, e))
            );
        }
    }
}

#[test]
fn all_operators_at_widths_1_to_4() {
    let mut checked = 0;
    for w in 1..=4 {
        for a in 0..1u32 << w {
            for b in 0..1u32 << w {
                check(&IBig::from(a), &IBig::from(b), w);
                checked += CASES.len();
            }
            check_indexed(&IBig::from(a), w, &[0, 1, 2, 3, 4, 5, 9]);
        }
    }
    assert_eq!(checked, CASES.len() * (4 + 16 + 64 + 256));
}

fn boundary(rng: &mut ChaCha8Rng, w: u32) -> IBig {
    let value = match rng.random_range(0..8) {
        0 => IBig::ZERO,
        1 => IBig::ONE,
        2 => IBig::NEG_ONE,
        3 => pow2(w - 1),
        4 => pow2(w - 1) - IBig::ONE,
        5 => pow2(rng.random_range(0..w)) + IBig::from(rng.random_range(-1..=1)),
        6 => IBig::from(rng.random_range(0..300u32)),
        _ => (0..4).fold(IBig::ZERO, |n, _| (n << 64) + IBig::from(rng.random::<u64>())),
    };
    wrap(value, w)
}

#[test]
fn wide_vectors_agree_with_the_same_definitions() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let widths = [5, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200];
    for w in widths {
        for _ in 0..150 {
            let (a, b) = (boundary(&mut rng, w), boundary(&mut rng, w));
            check(&a, &b, w);
        }
        let a = boundary(&mut rng, w);
        check_indexed(&a, w, &[0, 1, 3, w - 1, w, w + 1]);
    }
}

#[test]
fn literals_and_bounds() {
    let hex = Bv::parse_hex("0fA").unwrap().unwrap();
    assert_eq!((hex.width(), hex.to_smtlib().as_str()), (12, "#x0fa"));
    let binary = Bv::parse_binary("00101").unwrap().unwrap();
    assert_eq!((binary.width(), binary.to_smtlib().as_str()), (5, "#b00101"));
    assert!(Bv::parse_binary("012").is_none());
    assert!(Bv::parse_hex("").is_none());
    assert!(Bv::new(0, 5).is_err());
    assert!(Bv::zero(u32::MAX).is_err());
    let wide = Bv::ones(10_000).unwrap();
    assert!(wide.bvmul(&wide).bvsub(&Bv::new(10_000, 1).unwrap()).bvredor().to_u64() == Some(0));
    assert!(wide.repeat(1000).is_err());
    assert!(wide.zero_extend(u32::MAX).is_err());
    assert!(Bv::parse_hex(&"f".repeat(10_000_000)).unwrap().is_err());
}
