//! Boundary-heavy numbers: where implementations go wrong.

use dashu_int::{IBig, UBig};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Widths at which implementations change their representation.
pub const WIDTHS: [u32; 18] = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 70];

/// Formats: tiny ones, the standard ones, and odd ones between.
pub const FORMATS: [(u32, u32); 16] = [
    (2, 2),
    (2, 3),
    (3, 2),
    (3, 3),
    (3, 5),
    (4, 4),
    (2, 9),
    (5, 11),
    (5, 11),
    (8, 24),
    (8, 24),
    (11, 53),
    (6, 5),
    (8, 8),
    (7, 20),
    (15, 113),
];

fn power_of_two(rng: &mut ChaCha8Rng, max: u32) -> IBig {
    let k = if rng.random_bool(0.7) {
        WIDTHS[rng.random_range(0..WIDTHS.len())].min(max)
    } else {
        rng.random_range(0..=max)
    };
    IBig::from(1) << k as usize
}

/// An integer.
pub fn int(rng: &mut ChaCha8Rng) -> IBig {
    let v = match rng.random_range(0..100) {
        0..25 => return IBig::from(rng.random_range(-3..=3)),
        25..50 => IBig::from(rng.random_range(0..=1000)),
        50..75 => power_of_two(rng, 130) + IBig::from(rng.random_range(-1..=1)),
        75..82 => {
            IBig::from(10).pow(rng.random_range(0..40)) + IBig::from(rng.random_range(-1..=1))
        }
        82..95 => IBig::from(rng.random::<u32>()),
        _ => IBig::from(rng.random::<u128>()),
    };
    if rng.random_bool(0.4) { -v } else { v }
}

/// An integer that serves as a position, a length or an exponent.
pub fn small_int(rng: &mut ChaCha8Rng, low: i32, high: i32) -> IBig {
    IBig::from(rng.random_range(low..=high))
}

/// A position in a string or sequence: mostly inside or just outside.
pub fn position(rng: &mut ChaCha8Rng) -> IBig {
    match rng.random_range(0..20) {
        0..17 => small_int(rng, -1, 6),
        17 => small_int(rng, -3, 40),
        _ => int(rng),
    }
}

/// A rational as numerator and positive denominator.
pub fn rational(rng: &mut ChaCha8Rng) -> (IBig, UBig) {
    let n = int(rng);
    let d = match rng.random_range(0..10) {
        0..3 => UBig::ONE,
        3..5 => UBig::from(2u8),
        5..7 => UBig::from(rng.random_range(1u32..=10)),
        7 => UBig::from(10u8).pow(rng.random_range(0..45)),
        8 => UBig::ONE << rng.random_range(0usize..160),
        _ => UBig::from(rng.random_range(1..=u64::MAX)),
    };
    (n, d)
}

/// A bit-vector of this width.
pub fn bits(rng: &mut ChaCha8Rng, width: u32) -> UBig {
    let w = width as usize;
    let modulus = UBig::ONE << w;
    let v = match rng.random_range(0..16) {
        0 | 1 => UBig::ZERO,
        2 => UBig::ONE,
        3 | 4 => &modulus - UBig::ONE,
        5 => &modulus >> 1,
        6 => (&modulus >> 1) - UBig::ONE,
        7 => (&modulus >> 1) + UBig::ONE,
        8 => {
            let k = rng.random_range(0..w);
            (UBig::ONE << k) + UBig::from(rng.random_range(0u8..=1))
        }
        9 => (UBig::ONE << rng.random_range(0..w)) - UBig::ONE,
        // Around the width, for shifts and rotations.
        10 => UBig::from(width.saturating_sub(1) + rng.random_range(0u32..3)),
        11 => UBig::from(rng.random_range(0u8..6)),
        12 => &modulus - UBig::from(rng.random_range(1u8..6)) % &modulus,
        _ => random_bits(rng, w),
    };
    v % modulus
}

/// Bits without any preference.
pub fn random_bits(rng: &mut ChaCha8Rng, w: usize) -> UBig {
    let mut v = UBig::ZERO;
    for _ in 0..w.div_ceil(64) {
        v = (v << 64) | UBig::from(rng.random::<u64>());
    }
    v % (UBig::ONE << w)
}

/// The fields of a float: sign, biased exponent, significand without the hidden bit. Never a NaN.
pub fn float_fields(rng: &mut ChaCha8Rng, eb: u32, sb: u32) -> (bool, UBig, UBig) {
    let sign = rng.random_bool(0.4);
    let (e, m) = (eb as usize, sb as usize - 1);
    let top = (UBig::ONE << e) - UBig::ONE;
    let bias = (UBig::ONE << (e - 1)) - UBig::ONE;
    let all = (UBig::ONE << m) - UBig::ONE;
    let (exponent, significand) = match rng.random_range(0..24) {
        0 | 1 => (UBig::ZERO, UBig::ZERO),
        2 => (top.clone(), UBig::ZERO),
        3 => (UBig::ZERO, UBig::ONE),
        4 => (UBig::ZERO, all.clone()),
        5 => (UBig::ZERO, random_bits(rng, m)),
        6 => (UBig::ONE, UBig::ZERO),
        7 => (&top - UBig::ONE, all.clone()),
        8 => (bias.clone(), UBig::ZERO),
        9 => (bias.clone(), UBig::ONE),
        10 => (&bias - UBig::ONE, all.clone()),
        11 => (&bias - UBig::ONE, UBig::ZERO),
        12 => (bias.clone(), UBig::ONE << (m - 1)),
        // Around the precision, where integers stop being exact and halves disappear.
        13..=15 => {
            let near = &bias + UBig::from(m) + UBig::from(rng.random_range(0u8..3));
            let exponent = if near > UBig::ONE { near - UBig::ONE } else { near };
            (exponent, random_bits(rng, m))
        }
        // Small numbers with few significant bits.
        16..=18 => {
            let exponent = &bias + UBig::from(rng.random_range(0u8..4));
            (exponent, bits_at_top(rng, m))
        }
        19 => (&top - UBig::ONE, random_bits(rng, m)),
        20 => (UBig::ONE, random_bits(rng, m)),
        _ => (random_bits(rng, e), random_bits(rng, m)),
    };
    let exponent = exponent.min(top.clone());
    // An infinity, not a NaN.
    let significand = if exponent == top { UBig::ZERO } else { significand };
    (sign, exponent, significand % (UBig::ONE << m))
}

fn bits_at_top(rng: &mut ChaCha8Rng, m: usize) -> UBig {
    let n = m.min(3);
    random_bits(rng, n) << (m - n)
}
