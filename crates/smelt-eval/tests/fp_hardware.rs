//! Half, single, double and quad against `rustc_apfloat` in all rounding modes, and against the machine's own square root and
//! fused multiply-add, on random boundary-heavy values. `SMELT_HEAVY=1` makes fifty times as many.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use smelt_eval::bv::Bv;
use smelt_eval::fp::{Format, Fp, RoundingMode};
use smelt_eval::int::Int;

fn rounds() -> usize {
    if std::env::var_os("SMELT_HEAVY").is_some() { 1_000_000 } else { 20_000 }
}

fn round(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::TowardPositive => Round::TowardPositive,
        RoundingMode::TowardNegative => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

/// A bit pattern near the places where things happen.
fn pattern(rng: &mut ChaCha8Rng, format: Format) -> u128 {
    let (eb, f) = (format.eb(), format.sb() - 1);
    let top = (1u128 << eb) - 1;
    let bias = top / 2;
    let exponent = match rng.random_range(0..8) {
        0 => 0,
        1 => 1,
        2 => top,
        3 => top - 1,
        4 | 5 => bias + rng.random_range(0..=2 * u128::from(f)) - u128::from(f).min(bias),
        _ => rng.random_range(0..=top),
    };
    let ones = (1u128 << f) - 1;
    let fraction = match rng.random_range(0..6) {
        0 => 0,
        1 => ones,
        2 => 1,
        3 => 1 << rng.random_range(0..f),
        4 => ones << rng.random_range(0..f) & ones,
        _ => rng.random::<u128>() & ones,
    };
    u128::from(rng.random::<bool>()) << (eb + f) | exponent.min(top) << f | fraction
}

fn ours(format: Format, bits: u128) -> Fp {
    let bits = Bv::from_big(format.width(), dashu_int::UBig::from(bits)).unwrap();
    Fp::from_bits(format, &bits).unwrap()
}

/// Equal up to the bits of a NaN.
fn same<F: Float>(mine: &Fp, theirs: F) -> bool {
    *mine == ours(mine.format(), theirs.to_bits())
}

fn check<F: Float + std::fmt::Display>(format: Format, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..rounds() / 5 {
        let [a, b, c] = [(); 3].map(|()| pattern(&mut rng, format));
        let (x, y, z) = (ours(format, a), ours(format, b), ours(format, c));
        let (p, q, r) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
        for mode in RoundingMode::ALL {
            let m = round(mode);
            assert!(same(&x.add(mode, &y), p.add_r(q, m).value), "fp.add {mode} {x} {y}");
            assert!(same(&x.sub(mode, &y), p.sub_r(q, m).value), "fp.sub {mode} {x} {y}");
            assert!(same(&x.mul(mode, &y), p.mul_r(q, m).value), "fp.mul {mode} {x} {y}");
            assert!(same(&x.div(mode, &y), p.div_r(q, m).value), "fp.div {mode} {x} {y}");
            let fma = p.mul_add_r(q, r, m).value;
            assert!(same(&x.fma(mode, &y, &z), fma), "fp.fma {mode} {x} {y} {z}");
            let integral = p.round_to_integral(m).value;
            assert!(same(&x.round_to_integral(mode), integral), "fp.roundToIntegral {mode} {x}");
            let mut exact = false;
            for width in [8, 32, 64] {
                let theirs = p.to_i128_r(width, m, &mut exact);
                let known = !theirs.status.contains(rustc_apfloat::Status::INVALID_OP);
                let mine = x.to_sbv(mode, width as u32).unwrap().map(|v| v.sbv_to_int());
                let value = Int::from(dashu_int::IBig::from(theirs.value));
                assert_eq!(mine, known.then_some(value), "fp.to_sbv {mode} {x}");
                let theirs = p.to_u128_r(width, m, &mut exact);
                let known = !theirs.status.contains(rustc_apfloat::Status::INVALID_OP);
                let mine = x.to_ubv(mode, width as u32).unwrap().map(|v| v.ubv_to_int());
                let value = Int::from(dashu_int::UBig::from(theirs.value));
                assert_eq!(mine, known.then_some(value), "fp.to_ubv {mode} {x}");
            }
            let n = rng.random::<i128>() >> rng.random_range(0..120);
            let value = Int::from(dashu_int::IBig::from(n));
            assert!(same(&Fp::from_int(format, mode, &value), F::from_i128_r(n, m).value), "{n}");
        }
        assert!(same(&x.rem(&y), p.ieee_rem(q).value), "fp.rem {x} {y}");
        assert_eq!(x.lt(&y), p < q, "fp.lt {x} {y}");
        assert_eq!(x.leq(&y), p <= q, "fp.leq {x} {y}");
        assert_eq!(x.ieee_eq(&y), p == q, "fp.eq {x} {y}");
        assert_eq!(x.is_subnormal(), p.is_denormal(), "{x}");
        assert_eq!(x.is_normal(), p.is_normal(), "{x}");
    }
}

#[test]
fn half() {
    check::<Half>(Format::HALF, 1);
}

#[test]
fn single() {
    check::<Single>(Format::SINGLE, 2);
}

#[test]
fn double() {
    check::<Double>(Format::DOUBLE, 3);
}

#[test]
fn quad() {
    check::<Quad>(Format::QUAD, 4);
}

fn convert<F, T>(from: Format, to: Format, seed: u64)
where
    F: FloatConvert<T>,
    T: Float,
{
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..rounds() / 5 {
        let bits = pattern(&mut rng, from);
        let x = ours(from, bits);
        for mode in RoundingMode::ALL {
            let theirs: T = F::from_bits(bits).convert_r(round(mode), &mut false).value;
            assert!(same(&x.to_format(mode, to), theirs), "to_fp {mode} {x}");
        }
    }
}

#[test]
fn between_formats() {
    convert::<Double, Single>(Format::DOUBLE, Format::SINGLE, 5);
    convert::<Double, Half>(Format::DOUBLE, Format::HALF, 6);
    convert::<Single, Half>(Format::SINGLE, Format::HALF, 7);
    convert::<Half, Double>(Format::HALF, Format::DOUBLE, 8);
    convert::<Quad, Double>(Format::QUAD, Format::DOUBLE, 9);
    convert::<Double, Quad>(Format::DOUBLE, Format::QUAD, 10);
}

#[test]
fn the_machine_itself() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let nearest = RoundingMode::NearestEven;
    for _ in 0..rounds() {
        let [a, b, c] = [(); 3].map(|()| pattern(&mut rng, Format::DOUBLE) as u64);
        let [x, y, z] = [a, b, c].map(|n| ours(Format::DOUBLE, u128::from(n)));
        let [p, q, r] = [a, b, c].map(f64::from_bits);
        let wide = |v: f64| ours(Format::DOUBLE, u128::from(v.to_bits()));
        assert_eq!(x.sqrt(nearest), wide(p.sqrt()), "fp.sqrt {x}");
        assert_eq!(x.fma(nearest, &y, &z), wide(p.mul_add(q, r)), "fp.fma {x} {y} {z}");
        let [a, b, c] = [(); 3].map(|()| pattern(&mut rng, Format::SINGLE) as u32);
        let [x, y, z] = [a, b, c].map(|n| ours(Format::SINGLE, u128::from(n)));
        let [p, q, r] = [a, b, c].map(f32::from_bits);
        let narrow = |v: f32| ours(Format::SINGLE, u128::from(v.to_bits()));
        assert_eq!(x.sqrt(nearest), narrow(p.sqrt()), "fp.sqrt {x}");
        assert_eq!(x.fma(nearest, &y, &z), narrow(p.mul_add(q, r)), "fp.fma {x} {y} {z}");
    }
}

/// Huge exponents: every operation stays bounded.
#[test]
fn formats_of_any_size_are_bounded() {
    for (eb, sb) in [(60, 5), (60, 2000), (2, 10_000), (40, 3)] {
        let format = Format::new(eb, sb).unwrap();
        let one = Fp::from_int(format, RoundingMode::NearestEven, &Int::ONE);
        let largest = Fp::largest(format, false);
        let least = {
            let bits = Bv::new(format.width(), 1).unwrap();
            Fp::from_bits(format, &bits).unwrap()
        };
        for mode in RoundingMode::ALL {
            // With two exponent bits the two are only one place apart: not a matter of tiny rests.
            if eb > 2 {
                let up = !matches!(mode, RoundingMode::TowardNegative | RoundingMode::TowardZero);
                assert_eq!(largest.sub(mode, &least) == largest, up, "{mode}");
            }
            assert!(largest.fma(mode, &largest, &least).leq(&Fp::infinity(format, false)));
            assert_eq!(largest.div(mode, &largest), one);
            let half = least.div(mode, &one.add(mode, &one));
            assert_eq!(
                half.is_zero(),
                mode != RoundingMode::NearestAway && mode != RoundingMode::TowardPositive
            );
            assert!(least.sqrt(mode).gt(&least));
            assert_eq!(largest.to_ubv(mode, 1).unwrap(), None);
        }
        // The largest number is a multiple of the least one.
        assert!(largest.rem(&least).is_zero());
        let rest = largest.rem(&one.add(RoundingMode::NearestEven, &one));
        assert!(rest.is_zero() || rest.abs() == one || eb == 2);
    }
    assert!(Format::new(61, 5).is_err());
    assert!(Format::new(1, 5).is_err());
    let wide = Format::new(60, 5).unwrap();
    assert!(Fp::largest(wide, false).to_real().is_err());
}
