//! Enclosures: against `f64` (whose error is known), against identities, and against digits of known constants.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::int::Int;
use smelt_eval::interval::{Dyadic, Interval, Toward, pi};
use smelt_eval::rat::Rat;
use std::cmp::Ordering;

type Function = fn(&Interval, u32) -> Option<Interval>;
type Row = (&'static str, Function, fn(f64) -> f64, fn(f64) -> bool);

/// A function, the same in `f64`, and whether the argument is in its domain.
const FUNCTIONS: &[Row] = &[
    ("sin", Interval::sin, f64::sin, |_| true),
    ("cos", Interval::cos, f64::cos, |_| true),
    ("tan", Interval::tan, f64::tan, |_| true),
    ("cot", Interval::cot, |x| 1.0 / x.tan(), |x| x != 0.0),
    ("sec", Interval::sec, |x| 1.0 / x.cos(), |_| true),
    ("csc", Interval::csc, |x| 1.0 / x.sin(), |x| x != 0.0),
    ("exp", Interval::exp, f64::exp, |_| true),
    ("sinh", Interval::sinh, f64::sinh, |_| true),
    ("cosh", Interval::cosh, f64::cosh, |_| true),
    ("tanh", Interval::tanh, f64::tanh, |_| true),
    ("sqrt", Interval::sqrt, f64::sqrt, |x| x >= 0.0),
    ("arcsin", Interval::arcsin, f64::asin, |x| x.abs() <= 1.0),
    ("arccos", Interval::arccos, f64::acos, |x| x.abs() <= 1.0),
    ("arctan", Interval::arctan, f64::atan, |_| true),
    ("arccot", Interval::arccot, |x| std::f64::consts::FRAC_PI_2 - x.atan(), |_| true),
    ("arcsec", Interval::arcsec, |x| (1.0 / x).acos(), |x| x.abs() >= 1.0),
    ("arccsc", Interval::arccsc, |x| (1.0 / x).asin(), |x| x.abs() >= 1.0),
];

fn dyadic(x: f64) -> Dyadic {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7FF) as i64, (bits & ((1 << 52) - 1)) as i64);
    let (mant, exp) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    Dyadic::new(dashu_int::IBig::from(if x < 0.0 { -mant } else { mant }), exp)
}

fn point(x: f64) -> Interval {
    Interval::point(dyadic(x))
}

/// Is the value of `f64` within its error of the enclosure?
fn near(interval: &Interval, x: f64) -> bool {
    let error = x.abs() * 1e-13 + 1e-300;
    interval.low() <= &dyadic(x + error) && interval.high() >= &dyadic(x - error)
}

/// Is the enclosure about as narrow as the precision promises?
fn narrow(interval: &Interval, prec: u32) -> bool {
    let width = interval.high().add(&interval.low().neg(), 64, Toward::Up);
    let size = interval.low().end().max(interval.high().end()).max(-64);
    width.signum() == 0 || width.end() <= size - i64::from(prec) + 16
}

fn arguments() -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut list =
        vec![0.0, 0.5, 1.0, -1.0, 0.999999999, 2.0, 3.0, -0.75, 10.0, -20.5, 1e-8, 100.0, 1e-30];
    for _ in 0..20 {
        list.push(rng.random_range(-1.0..1.0));
        list.push(rng.random_range(-8.0..8.0));
        list.push(rng.random_range(-300.0..300.0));
    }
    list
}

#[test]
fn points_agree_with_f64_and_are_narrow() {
    for &(name, f, reference, domain) in FUNCTIONS {
        for x in arguments() {
            let image = f(&point(x), 128);
            assert_eq!(image.is_some(), domain(x), "{name} {x}");
            let Some(image) = image else { continue };
            assert!(near(&image, reference(x)), "{name} {x}: {image:?}");
            assert!(narrow(&image, 128), "{name} {x}: {image:?}");
            // More precision: inside or overlapping, never disjoint.
            let finer = f(&point(x), 400).unwrap();
            assert!(image.low() <= finer.low() && finer.high() <= image.high(), "{name} {x}");
            assert!(narrow(&finer, 400), "{name} {x}");
        }
    }
}

#[test]
fn intervals_hold_the_images_of_their_points() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut answered = 0;
    for &(name, f, _, _) in FUNCTIONS {
        for _ in 0..40 {
            let low: f64 = rng.random_range(-10.0..10.0);
            let width: f64 = [1e-9, 0.1, 1.0, 4.0, 20.0][rng.random_range(0..5)];
            let wide = Interval::new(dyadic(low), dyadic(low + width)).unwrap();
            let Some(image) = f(&wide, 64) else { continue };
            answered += 1;
            for i in 0..=10 {
                let x = (low + width * f64::from(i) / 10.0).clamp(low, low + width);
                let inside = f(&point(x), 200).unwrap();
                assert!(
                    image.low() <= inside.low() && inside.high() <= image.high(),
                    "{name} [{low}, +{width}] at {x}"
                );
            }
        }
    }
    assert!(answered > 300, "{answered}");
}

/// An integer of decimal digits over a power of ten.
fn decimal(digits: &str, places: u64) -> Rat {
    let n = Int::parse_decimal(digits).unwrap().unwrap();
    Rat::new(&n, &Int::from(10i64).pow(places).unwrap()).unwrap()
}

#[test]
fn known_constants() {
    // Digits cut off: the number lies between them and the next.
    let check = |interval: Interval, digits: &str, places: u64| {
        let low = decimal(digits, places);
        let high = low.add(&decimal("1", places)).unwrap();
        let enclosed = Interval::from_rat(&low, 300).low() <= interval.low()
            && interval.high() <= Interval::from_rat(&high, 300).high();
        assert!(enclosed, "{digits}");
    };
    let one = point(1.0);
    check(pi(256), "314159265358979323846264338327950288419716939937510", 50);
    check(one.exp(256).unwrap(), "271828182845904523536028747135266249775724709369995", 50);
    check(point(2.0).sqrt(256).unwrap(), "141421356237309504880168872420969807856967187537694", 50);
    check(one.sin(256).unwrap(), "84147098480789650665250232163029899962256306079837", 50);
    check(one.cos(256).unwrap(), "54030230586813971740093660744297660373231042061792", 50);
    check(one.arctan(256).unwrap(), "78539816339744830961566084581987572104929234984377", 50);
}

#[test]
fn identities() {
    for prec in [128, 512, 1024] {
        for x in [0.3, -0.7, 0.99, 12.5] {
            let x = point(x);
            let (sin, cos) = (x.sin(prec).unwrap(), x.cos(prec).unwrap());
            let one = sin.pow(2, prec).unwrap().add(&cos.pow(2, prec).unwrap(), prec);
            assert!(one.contains(&Rat::ONE) && narrow(&one, prec));
            let both = x.exp(prec).unwrap().mul(&x.neg().exp(prec).unwrap(), prec).unwrap();
            assert!(both.contains(&Rat::ONE) && narrow(&both, prec));
            let back = x.arctan(prec).unwrap().tan(prec).unwrap();
            assert!(back.low() <= x.low() && x.high() <= back.high());
        }
        let quarter = point(1.0).arctan(prec).unwrap().compare(&pi(64)).unwrap();
        assert_eq!(quarter, Ordering::Less);
        // sin π holds 0 and is decided to be below 2^-100 only.
        let sin_pi = pi(prec).sin(prec).unwrap();
        assert!(sin_pi.has_zero());
    }
}

#[test]
fn exact_values_are_points_and_the_rest_is_undetermined() {
    let zero = point(0.0);
    assert_eq!(zero.sin(64).unwrap().compare(&zero), Some(Ordering::Equal));
    assert_eq!(zero.cos(64).unwrap().compare(&point(1.0)), Some(Ordering::Equal));
    assert_eq!(zero.exp(64).unwrap().compare(&point(1.0)), Some(Ordering::Equal));
    assert_eq!(zero.arctan(64).unwrap().compare(&zero), Some(Ordering::Equal));
    assert_eq!(point(1.0).arccos(64).unwrap().compare(&zero), Some(Ordering::Equal));
    assert_eq!(point(2.25).sqrt(64).unwrap().compare(&point(1.5)), Some(Ordering::Equal));
    // exp(1) > 2.7 is definite, exp(1) = exp(1) is not.
    let e = point(1.0).exp(128).unwrap();
    assert_eq!(
        e.compare(&Interval::from_rat(&Rat::parse("2.7").unwrap().unwrap(), 128)),
        Some(Ordering::Greater)
    );
    assert_eq!(e.compare(&e), None);
    assert!(point(1e300).exp(64).is_none());
    assert!(point(-1.0).sqrt(64).is_none());
    assert!(Interval::point(Dyadic::from_i64(1).scale(100_000)).sin(64).is_none());
    assert!(point(1e300).sin(64).is_some());
    let tiny = Interval::point(Dyadic::from_i64(1).scale(-1_000_000_000));
    assert_eq!(tiny.sin(64).unwrap().signum(), Some(1));
    assert_eq!(tiny.arctan(64).unwrap().signum(), Some(1));
    assert_eq!(tiny.exp(64).unwrap().signum(), Some(1));
    assert_eq!(tiny.cos(64).unwrap().compare(&point(2.0)), Some(Ordering::Less));
}
