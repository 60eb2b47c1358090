//! Integers and rationals against `i128` and against the laws that define them.

use dashu_int::IBig;
use proptest::prelude::*;
use smelt_eval::int::Int;
use smelt_eval::limit::Limit;
use smelt_eval::rat::Rat;

fn int(n: i128) -> Int {
    Int::from(IBig::from(n))
}

/// Numbers near the places where the representation changes.
fn near_edges() -> impl Strategy<Value = i128> {
    let edges = prop_oneof![
        Just(0i128),
        Just(i64::MAX as i128),
        Just(i64::MIN as i128),
        Just(u64::MAX as i128),
        Just(1i128 << 40),
        Just(-(1i128 << 62)),
    ];
    prop_oneof![
        (edges, -3i128..=3).prop_map(|(e, d)| e + d),
        -20i128..=20,
        any::<i64>().prop_map(i128::from),
        // Products of two of them fit i128 still.
        (-(1i128 << 62)..(1i128 << 62)),
    ]
}

/// Larger than any machine word.
fn large() -> impl Strategy<Value = Int> {
    (any::<i128>(), any::<i128>(), 0usize..200)
        .prop_map(|(a, b, shift)| Int::from((IBig::from(a) << shift) + IBig::from(b)))
}

fn any_int() -> impl Strategy<Value = Int> {
    prop_oneof![near_edges().prop_map(int), large()]
}

fn any_rat() -> impl Strategy<Value = Rat> {
    (any_int(), any_int()).prop_map(|(n, d)| Rat::new(&n, &d).unwrap_or(Rat::ZERO))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn integers_agree_with_i128(a in near_edges(), b in near_edges(), k in 0u32..100) {
        let (x, y) = (int(a), int(b));
        prop_assert_eq!(x.add(&y), int(a + b));
        prop_assert_eq!(x.sub(&y), int(a - b));
        prop_assert_eq!(x.neg(), int(-a));
        prop_assert_eq!(x.abs(), int(a.abs()));
        if let Some(product) = a.checked_mul(b) {
            prop_assert_eq!(x.mul(&y).unwrap(), int(product));
        }
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.signum(), a.signum() as i32);
        prop_assert_eq!(x.to_string(), a.to_string());
        prop_assert_eq!(x.to_i64(), i64::try_from(a).ok());
        prop_assert_eq!(x.div_mod(&y).is_none(), b == 0);
        let modulus = 1i128 << k;
        let expected = a.rem_euclid(modulus) & b.rem_euclid(modulus);
        prop_assert_eq!(x.iand(&y, k).unwrap(), int(expected));
        let floor_log = if a <= 0 { 0 } else { 127 - i128::from(a.leading_zeros()) };
        prop_assert_eq!(x.log2(), int(floor_log));
        prop_assert_eq!(x.is_pow2(), a > 0 && a.count_ones() == 1);
        prop_assert_eq!(x.divisible(&y), if b == 0 { a == 0 } else { a % b == 0 });
    }

    #[test]
    fn division_is_euclidean(x in any_int(), y in any_int()) {
        if let Some((q, r)) = x.div_mod(&y) {
            prop_assert_eq!(y.mul(&q).unwrap().add(&r), x.clone());
            prop_assert!(r >= Int::ZERO && r < y.abs());
            prop_assert_eq!(x.div(&y), Some(q));
            let signed = if y.is_negative() { r.neg() } else { r.clone() };
            prop_assert_eq!(x.z3_rem(&y), Some(signed));
            prop_assert_eq!(x.modulo(&y), Some(r));
        } else {
            prop_assert!(y.is_zero());
        }
    }

    #[test]
    fn the_form_is_normal(x in any_int(), y in any_int()) {
        // Whatever way it is reached, a number has one form: equal and of equal hash.
        let there_and_back = x.add(&y).sub(&y);
        prop_assert_eq!(&there_and_back, &x);
        prop_assert_eq!(there_and_back.to_i64(), x.to_i64());
        let hash = |n: &Int| {
            use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
            BuildHasherDefault::<DefaultHasher>::default().hash_one(n)
        };
        prop_assert_eq!(hash(&there_and_back), hash(&x));
        let text = x.abs().to_string();
        prop_assert_eq!(Int::parse_decimal(&text).unwrap().unwrap(), x.abs());
        let hex = format!("{:x}", x.abs().to_big());
        prop_assert_eq!(Int::parse_hex(&hex).unwrap().unwrap(), x.abs());
    }

    #[test]
    fn gcd_divides_and_is_greatest(x in any_int(), y in any_int()) {
        let g = x.gcd(&y);
        prop_assert_eq!(&g, &y.gcd(&x));
        prop_assert!(!g.is_negative());
        if let (Some(a), Some(b)) = (x.div(&g), y.div(&g)) {
            prop_assert!(x.divisible(&g) && y.divisible(&g));
            prop_assert_eq!(a.gcd(&b), Int::ONE);
        } else {
            prop_assert!(x.is_zero() && y.is_zero());
        }
    }

    #[test]
    fn powers_are_repeated_products(a in -50i128..=50, n in 0u64..12) {
        let product = (0..n).fold(Int::ONE, |p, _| p.mul(&int(a)).unwrap());
        prop_assert_eq!(int(a).pow(n).unwrap(), product.clone());
        let rational = Rat::new(&int(a), &int(7)).unwrap();
        let expected = Rat::new(&product, &int(7).pow(n).unwrap()).unwrap();
        prop_assert_eq!(rational.pow(n as i64).unwrap().unwrap(), expected.clone());
        let inverse = rational.pow(-(n as i64)).map(|p| p.unwrap());
        prop_assert_eq!(inverse, if n == 0 { Some(Rat::ONE) } else { expected.recip() });
    }

    #[test]
    fn rationals_form_an_ordered_field(a in any_rat(), b in any_rat(), c in any_rat()) {
        let add = |x: &Rat, y: &Rat| x.add(y).unwrap();
        let mul = |x: &Rat, y: &Rat| x.mul(y).unwrap();
        prop_assert_eq!(add(&a, &b), add(&b, &a));
        prop_assert_eq!(add(&add(&a, &b), &c), add(&a, &add(&b, &c)));
        prop_assert_eq!(mul(&a, &add(&b, &c)), add(&mul(&a, &b), &mul(&a, &c)));
        prop_assert_eq!(a.sub(&b).unwrap(), add(&a, &b.neg()));
        prop_assert_eq!(add(&a.sub(&b).unwrap(), &b), a.clone());
        prop_assert_eq!(a.cmp(&b), a.sub(&b).unwrap().signum().cmp(&0));
        match a.div(&b) {
            Some(quotient) => prop_assert_eq!(mul(&quotient.unwrap(), &b), a.clone()),
            None => prop_assert!(b.is_zero()),
        }
        // The definition, on numerators and denominators.
        let (n, d) = (a.numerator(), a.denominator());
        prop_assert!(d > Int::ZERO);
        prop_assert_eq!(n.gcd(&d), Int::ONE);
        let sum = n.mul(&b.denominator()).unwrap().add(&b.numerator().mul(&d).unwrap());
        prop_assert_eq!(add(&a, &b), Rat::new(&sum, &d.mul(&b.denominator()).unwrap()).unwrap());
        let floor = a.floor();
        let above = add(&Rat::from(&floor), &Rat::ONE);
        prop_assert!(Rat::from(&floor) <= a && a < above);
        prop_assert_eq!(a.is_int(), Rat::from(&floor) == a);
        prop_assert_eq!(a.ceil(), if a.is_int() { floor } else { floor.add(&Int::ONE) });
    }
}

#[test]
fn text() {
    let rat = |s: &str| Rat::parse(s).map(|r| r.unwrap().to_smtlib());
    assert_eq!(rat("1.5").as_deref(), Some("(/ 3.0 2.0)"));
    assert_eq!(rat("0.0").as_deref(), Some("0.0"));
    assert_eq!(rat("007.250").as_deref(), Some("(/ 29.0 4.0)"));
    assert_eq!(rat("12").as_deref(), Some("12.0"));
    for bad in ["", ".", "1.", ".5", "1.-5", "-1", "1e5", "1.5.2", "+1", "1.5 "] {
        assert_eq!(rat(bad), None, "{bad:?}");
    }
    assert_eq!(Rat::new(&int(1), &int(-2)).unwrap().to_smtlib(), "(- (/ 1.0 2.0))");
    assert_eq!(Rat::from(-1).to_smtlib(), "(- 1.0)");
    assert_eq!(int(-5).to_smtlib(), "(- 5)");
    assert_eq!(Int::parse_decimal(&"0".repeat(3_000_000)).unwrap().unwrap(), Int::ZERO);
    for bad in ["", "-1", "+1", "1_000", "0x1", " 1"] {
        assert!(Int::parse_decimal(bad).is_none(), "{bad:?}");
    }
}

#[test]
fn bounds() {
    assert_eq!(Int::parse_decimal(&"9".repeat(3_000_000)).unwrap(), Err(Limit::TooLarge));
    assert_eq!(int(10).pow(1_000_000_000), Err(Limit::TooLarge));
    assert_eq!(int(1_000_000_000).pow2(), Err(Limit::TooLarge));
    assert_eq!(int(-3).pow2(), Ok(Int::ZERO));
    assert_eq!(int(70).pow2(), Ok(int(1 << 70)));
    assert_eq!(int(-1).pow(u64::MAX), Ok(Int::NEG_ONE));
    assert_eq!(int(-1).iand(&int(-1), u32::MAX), Err(Limit::TooLarge));
    assert_eq!(int(-1).iand(&int(6), u32::MAX), Ok(int(6)));
    let mut square = int(3);
    assert!((0..64).any(|_| square.mul(&square.clone()).map(|s| square = s).is_err()));
    let mut square = Rat::new(&int(2), &int(3)).unwrap();
    assert!((0..64).any(|_| square.mul(&square.clone()).map(|s| square = s).is_err()));
    assert_eq!(Rat::new(&Int::ONE, &Int::ZERO), None);
    assert_eq!(size_of::<Int>(), 16);
    assert_eq!(size_of::<Rat>(), 16);
}
