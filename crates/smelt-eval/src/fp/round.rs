//! The one rounding function.

use super::{Dyadic, Format, Fp};
use dashu_base::BitTest;
use dashu_int::UBig;
use std::cmp::Ordering;
use std::fmt;

/// The five rounding modes of IEEE 754 and of sort `RoundingMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoundingMode {
    /// `RNE`, `roundNearestTiesToEven`.
    NearestEven,
    /// `RNA`, `roundNearestTiesToAway`.
    NearestAway,
    /// `RTP`, `roundTowardPositive`.
    TowardPositive,
    /// `RTN`, `roundTowardNegative`.
    TowardNegative,
    /// `RTZ`, `roundTowardZero`.
    TowardZero,
}

impl RoundingMode {
    /// All five.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// The short SMT-LIB name.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }

    /// The mode of a short or long SMT-LIB name.
    pub fn from_name(name: &str) -> Option<RoundingMode> {
        Some(match name {
            "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
            "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
            "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
            "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
            "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
            _ => return None,
        })
    }

    /// Does a magnitude between two neighbours go up (away from zero)? `tail` compares what is cut off with half of
    /// the distance of the neighbours.
    fn away(self, neg: bool, odd: bool, tail: Ordering) -> bool {
        match self {
            RoundingMode::NearestEven => tail.is_gt() || tail.is_eq() && odd,
            RoundingMode::NearestAway => tail.is_ge(),
            RoundingMode::TowardPositive => !neg,
            RoundingMode::TowardNegative => neg,
            RoundingMode::TowardZero => false,
        }
    }

    /// Is a magnitude above the largest finite one rounded to infinity?
    fn overflows(self, neg: bool) -> bool {
        self.away(neg, true, Ordering::Greater)
    }
}

impl fmt::Display for RoundingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Rounds `mant / 2^cut` (plus a little if `more`) to an integer; `neg` is the sign of the number. `more` needs
/// `cut >= 1`, so that the little is less than half a unit.
pub(super) fn to_integer(mode: RoundingMode, neg: bool, mant: &UBig, cut: u64, more: bool) -> UBig {
    debug_assert!(cut >= 1 || !more);
    let len = mant.bit_len() as u64;
    if cut == 0 {
        return mant.clone();
    }
    let (kept, tail) = if cut > len {
        // Below one half; the shift by cut, which may be astronomic, is not done.
        if mant.is_zero() && !more {
            return UBig::ZERO;
        }
        (UBig::ZERO, Ordering::Less)
    } else {
        let (low, kept) = mant.clone().split_bits(cut as usize);
        if low.is_zero() && !more {
            return kept;
        }
        let half = low.bit(cut as usize - 1);
        let rest = more || low.trailing_zeros() != Some(cut as usize - 1);
        let tail = match (half, rest) {
            (false, _) => Ordering::Less,
            (true, false) => Ordering::Equal,
            (true, true) => Ordering::Greater,
        };
        (kept, tail)
    };
    let odd = kept.bit(0);
    if mode.away(neg, odd, tail) { kept + UBig::ONE } else { kept }
}

/// Rounds `x` (not zero), plus a little if `more`, to the format.
///
/// `more` stands for a positive amount below one unit of the last place of `x.mant`, added to the magnitude; it
/// demands that `x.mant` has more than `sb` bits, so that at least one bit is cut.
pub(super) fn round(format: Format, mode: RoundingMode, x: &Dyadic, more: bool) -> Fp {
    // The last place of the result: that of sb bits from the top, but not below the subnormals.
    let last = (x.end() - i64::from(format.sb)).max(format.least_exponent());
    let mant = if last > x.exp {
        to_integer(mode, x.neg, &x.mant, (last - x.exp) as u64, more)
    } else {
        // At most sb - 1 places, because last >= end - sb.
        debug_assert!(!more);
        &x.mant << (x.exp - last) as usize
    };
    // Rounding up may have carried to sb + 1 bits: then the last bit is zero, for the number is 2^sb.
    let (mant, last) =
        if mant.bit_len() > format.sb as usize { (mant >> 1usize, last + 1) } else { (mant, last) };
    if mant.is_zero() {
        return Fp::zero(format, x.neg);
    }
    let normal = mant.bit_len() == format.sb as usize;
    let exponent = if normal { last - format.least_exponent() + 1 } else { 0 };
    if exponent >= format.top() as i64 {
        return if mode.overflows(x.neg) {
            Fp::infinity(format, x.neg)
        } else {
            Fp::largest(format, x.neg)
        };
    }
    let mut fraction = mant;
    if normal {
        fraction.clear_bit(format.sb as usize - 1);
    }
    Fp::pack(format, x.neg, exponent as u64, fraction)
}
