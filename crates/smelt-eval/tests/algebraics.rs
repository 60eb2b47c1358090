//! Real algebraic numbers: roots of known polynomials, and the laws of arithmetic with them.

use smelt_eval::algebraic::Algebraic;
use smelt_eval::int::Int;
use smelt_eval::limit::Limit;
use smelt_eval::rat::Rat;
use std::cmp::Ordering::{self, Equal, Greater, Less};

fn root(coefficients: &[i64], index: usize) -> Option<Algebraic> {
    let ints: Vec<Int> = coefficients.iter().map(|&c| Int::from(c)).collect();
    Algebraic::root(&ints, index).unwrap()
}

fn rat(text: &str) -> Rat {
    match text.strip_prefix('-') {
        Some(rest) => Rat::parse(rest).unwrap().unwrap().neg(),
        None => Rat::parse(text).unwrap().unwrap(),
    }
}

#[test]
fn roots_lie_where_they_lie() {
    // Coefficients from the constant on, index, and two decimals the root lies strictly between.
    let cases: &[(&[i64], usize, &str, &str)] = &[
        (&[-2, 0, 1], 1, "-1.41422", "-1.41421"),
        (&[-2, 0, 1], 2, "1.41421", "1.41422"),
        (&[-1, -1, 1], 2, "1.61803", "1.61804"),
        (&[1, -3, 0, 1], 1, "-1.87939", "-1.87938"),
        (&[1, -3, 0, 1], 2, "0.34729", "0.34730"),
        (&[1, -3, 0, 1], 3, "1.53208", "1.53209"),
        // (x² − 2)²: multiple roots count once.
        (&[4, 0, -4, 0, 1], 2, "1.41421", "1.41422"),
        // 10^6 x² − 2·10^6·x + 999999: two roots 0.002 apart around 1.
        (&[999_999, -2_000_000, 1_000_000], 1, "0.998", "0.9991"),
        (&[999_999, -2_000_000, 1_000_000], 2, "1.0009", "1.0011"),
        (&[-7, 0, 0, 0, 0, 2], 1, "1.28", "1.29"),
    ];
    for (coefficients, index, low, high) in cases {
        let x = root(coefficients, *index).unwrap();
        assert_eq!(x.compare_rat(&rat(low)), Ok(Greater), "{x:?}");
        assert_eq!(x.compare_rat(&rat(high)), Ok(Less), "{x:?}");
        let interval = x.to_interval(100).unwrap().unwrap();
        let (a, b) = (interval.low().to_rat().unwrap(), interval.high().to_rat().unwrap());
        assert!(x.compare_rat(&a).unwrap().is_ge() && x.compare_rat(&b).unwrap().is_le());
    }
    assert!(root(&[-2, 0, 1], 3).is_none());
    assert!(root(&[-2, 0, 1], 0).is_none());
    assert!(root(&[2, 0, 1], 1).is_none());
    assert!(root(&[5], 1).is_none());
    assert!(root(&[], 1).is_none());
}

#[test]
fn arithmetic_with_one_root_is_exact() {
    let x = root(&[-2, 0, 1], 2).unwrap();
    let two = x.mul(&x).unwrap().unwrap();
    assert_eq!(two.compare_rat(&Rat::from(2)), Ok(Equal));
    assert_eq!(two.to_rat(), Some(Rat::from(2)));
    // 1/(1 + √2) = √2 − 1
    let inverse = x.add_rat(&Rat::ONE).unwrap().recip().unwrap().unwrap();
    assert_eq!(inverse.compare(&x.add_rat(&Rat::from(-1)).unwrap()), Ok(Some(Equal)));
    assert_eq!(x.neg().signum(), Ok(-1));
    let zero = x.add(&x.neg()).unwrap().unwrap();
    assert_eq!(zero.signum(), Ok(0));
    assert!(zero.recip().unwrap().is_none());
    // z = 2cos(20°): z³ − 3z − 1 = 0, exactly.
    let z = root(&[-1, -3, 0, 1], 3).unwrap();
    let cube = z.mul(&z).unwrap().unwrap().mul(&z).unwrap().unwrap();
    let left = cube.add(&z.mul_rat(&Rat::from(-3)).unwrap()).unwrap().unwrap();
    assert_eq!(left.compare_rat(&Rat::ONE), Ok(Equal));
    assert_eq!(left.compare_rat(&rat("1.000000000000000000000001")), Ok(Less));
}

#[test]
fn reducible_polynomials() {
    // (x² − 2)(x² − 3): −√3, −√2, √2, √3.
    let product = [6, 0, -5, 0, 1];
    let (sqrt2, sqrt3) = (root(&product, 3).unwrap(), root(&product, 4).unwrap());
    let square = sqrt2.mul(&sqrt2).unwrap().unwrap();
    assert_eq!(square.compare_rat(&Rat::from(2)), Ok(Equal));
    // x² − 3 shares a factor with the polynomial, but is not zero at √2: 1/(2 − 3) = −1.
    let minus_one = square.add_rat(&Rat::from(-3)).unwrap().recip().unwrap().unwrap();
    assert_eq!(minus_one.compare_rat(&Rat::from(-1)), Ok(Equal));
    // x² − 2 is zero there.
    assert!(square.add_rat(&Rat::from(-2)).unwrap().recip().unwrap().is_none());
    let other = root(&[-2, 0, 1], 2).unwrap();
    assert_eq!(sqrt2.compare(&other), Ok(Some(Equal)));
    assert_eq!(sqrt3.compare(&other), Ok(Some(Greater)));
    assert_eq!(other.compare(&sqrt3), Ok(Some(Less)));
    // √2 + √3 is a root of z⁴ − 10z² + 1.
    let sum = other.add(&sqrt3).unwrap().unwrap();
    assert_eq!(sum.compare(&root(&[1, 0, -10, 0, 1], 4).unwrap()), Ok(Some(Equal)));
    let product = other.mul(&sqrt3).unwrap().unwrap();
    assert_eq!(product.compare(&root(&[-6, 0, 1], 2).unwrap()), Ok(Some(Equal)));
}

/// What models say of several variables: y = x + 1, z = x·y, y·y = x.
#[test]
fn several_roots() {
    let (sqrt2, fourth) = (root(&[-2, 0, 1], 2).unwrap(), root(&[-2, 0, 0, 0, 1], 2).unwrap());
    let square = fourth.mul(&fourth).unwrap().unwrap();
    assert_eq!(square.compare(&sqrt2), Ok(Some(Equal)));
    assert_eq!(sqrt2.compare(&square), Ok(Some(Equal)));
    let negative = root(&[-2, 0, 0, 0, 1], 1).unwrap();
    assert_eq!(negative.mul(&negative).unwrap().unwrap().compare(&sqrt2), Ok(Some(Equal)));
    // y² − 2y − 1 = 0 for y = 1 + √2.
    let y = root(&[-1, -2, 1], 2).unwrap();
    assert_eq!(sqrt2.add_rat(&Rat::ONE).unwrap().compare(&y), Ok(Some(Equal)));
    // z = √2·(1 + √2) = 2 + √2 is a root of z² − 4z + 2.
    let z = root(&[2, -4, 1], 2).unwrap();
    assert_eq!(sqrt2.mul(&y).unwrap().unwrap().compare(&z), Ok(Some(Equal)));
    // √2·√8 = 4, a rational number.
    let four = sqrt2.mul(&root(&[-8, 0, 1], 2).unwrap()).unwrap().unwrap();
    assert_eq!(four.compare_rat(&Rat::from(4)), Ok(Equal));
    assert_eq!(four.add_rat(&Rat::from(-4)).unwrap().recip(), Ok(None));
    // Three roots: (√2 + √3)·√5 = √10 + √15.
    let [r3, r5, r10, r15] = [3, 5, 10, 15].map(|n| root(&[-n, 0, 1], 2).unwrap());
    let left = sqrt2.add(&r3).unwrap().unwrap().mul(&r5).unwrap().unwrap();
    assert_eq!(left.compare(&r10), Ok(Some(Greater)));
    assert_eq!(left.compare(&r15), Ok(Some(Greater)));
    // Too large: not known.
    let seventh = root(&[-2, 0, 0, 0, 0, 0, 0, 1], 1).unwrap();
    assert!(seventh.add(&sqrt2).is_none());
}

/// Random roots of small polynomials: sums and products lie where intervals say, and can be undone.
#[test]
fn laws_of_two_roots() {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(11);
    let mut random = || loop {
        let degree = rng.random_range(2..=3usize);
        let coefficients: Vec<i64> = (0..=degree).map(|_| rng.random_range(-4..=4)).collect();
        if let Some(x) = root(&coefficients, rng.random_range(1..=2)) {
            return x;
        }
    };
    for _ in 0..60 {
        let (x, y) = (random(), random());
        let at = |v: &Algebraic| v.to_interval(200).unwrap().unwrap();
        let sum = x.add(&y).unwrap().unwrap();
        assert!(
            at(&sum).compare(&at(&x).add(&at(&y), 200)).is_none_or(Ordering::is_eq),
            "{x:?} + {y:?}"
        );
        let back = sum.add(&y.neg()).unwrap().unwrap();
        assert_eq!(back.compare(&x), Ok(Some(Equal)), "{x:?} + {y:?}");
        let product = x.mul(&y).unwrap().unwrap();
        let about = at(&x).mul(&at(&y), 200).unwrap();
        assert!(at(&product).compare(&about).is_none_or(Ordering::is_eq), "{x:?} * {y:?}");
        if let Some(inverse) = y.recip().unwrap() {
            let back = product.mul(&inverse).unwrap().unwrap();
            assert_eq!(back.compare(&x), Ok(Some(Equal)), "{x:?} * {y:?}");
        }
        // The order of two numbers is the sign of their difference.
        let order = x.add(&y.neg()).unwrap().unwrap().signum().unwrap().cmp(&0);
        assert_eq!(x.compare(&y), Ok(Some(order)));
    }
}

#[test]
fn rational_roots() {
    // (x − 3)(3x − 1): 1/3, 3.
    let third = root(&[3, -10, 3], 1).unwrap();
    assert_eq!(third.compare_rat(&Rat::new(&Int::ONE, &Int::from(3i64)).unwrap()), Ok(Equal));
    let three = root(&[3, -10, 3], 2).unwrap();
    assert_eq!(three.compare_rat(&Rat::from(3)), Ok(Equal));
    assert_eq!(three.floor(), Ok(Int::from(3i64)));
    assert_eq!(three.is_int(), Ok(true));
    assert_eq!(third.is_int(), Ok(false));
    let one = third.mul(&three);
    let order = one.map(|x| x.unwrap().compare_rat(&Rat::ONE).unwrap());
    assert!(order.is_none_or(Ordering::is_eq));
}

#[test]
fn integers_around() {
    for n in [2i64, 3, 5, 50, 99, 101, 9_999_999] {
        for index in [1, 2] {
            let x = root(&[-n, 0, 1], index).unwrap();
            let magnitude = n.isqrt();
            let floor = if index == 2 { magnitude } else { -magnitude - 1 };
            assert_eq!(x.floor(), Ok(Int::from(floor)));
            assert_eq!(x.is_int(), Ok(false));
        }
    }
}

#[test]
fn text_and_bounds() {
    let text = |c: &[i64], i| root(c, i).unwrap().to_smtlib().unwrap();
    assert_eq!(text(&[-2, 0, 1], 2), "(root-obj (+ (^ x 2) (- 2)) 2)");
    assert_eq!(text(&[1, -3, 0, 2], 1), "(root-obj (+ (* 2 (^ x 3)) (* (- 3) x) 1) 1)");
    let many: Vec<Int> = (0..1000).map(|i| Int::from(i + 1i64)).collect();
    assert!(matches!(Algebraic::root(&many, 1), Err(Limit::TooLarge)));
    let huge = [Int::from(10i64).pow(100_000).unwrap().neg(), Int::ZERO, Int::ONE];
    assert!(matches!(Algebraic::root(&huge, 1), Err(Limit::TooLarge)));
}
