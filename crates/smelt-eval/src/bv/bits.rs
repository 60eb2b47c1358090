//! Bitwise operators, shifts, rotations, and those that cut and join vectors.

use super::{Big, Bv, Small, check_width, mask, sign_extended};
use crate::limit::Limit;
use dashu_int::UBig;

impl Bv {
    fn bitwise(&self, other: &Bv, small: fn(u64, u64) -> u64, big: fn(&UBig, &UBig) -> UBig) -> Bv {
        debug_assert_eq!(self.width(), other.width(), "operands of different width");
        match (&self.0, &other.0) {
            (Small { width, bits: a }, Small { bits: b, .. }) => Bv::of(*width, small(*a, *b)),
            _ => Bv::of_big(self.width(), big(&self.big(), &other.big())),
        }
    }

    /// `(bvnot x)`.
    pub fn bvnot(&self) -> Bv {
        match &self.0 {
            Small { width, bits } => Bv::of(*width, !bits),
            Big { width, bits } => Bv::of_big(*width, UBig::ones(*width as usize) ^ bits.as_ref()),
        }
    }

    /// `(bvand x y)`.
    pub fn bvand(&self, other: &Bv) -> Bv {
        self.bitwise(other, |a, b| a & b, |a, b| a & b)
    }

    /// `(bvor x y)`.
    pub fn bvor(&self, other: &Bv) -> Bv {
        self.bitwise(other, |a, b| a | b, |a, b| a | b)
    }

    /// `(bvxor x y)`.
    pub fn bvxor(&self, other: &Bv) -> Bv {
        self.bitwise(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `(bvnand x y)`.
    pub fn bvnand(&self, other: &Bv) -> Bv {
        self.bvand(other).bvnot()
    }

    /// `(bvnor x y)`.
    pub fn bvnor(&self, other: &Bv) -> Bv {
        self.bvor(other).bvnot()
    }

    /// `(bvxnor x y)`.
    pub fn bvxnor(&self, other: &Bv) -> Bv {
        self.bvxor(other).bvnot()
    }

    /// The unsigned value as a distance below `bound`, `None` if it is `bound` or more.
    fn distance(&self, bound: u32) -> Option<u32> {
        let n = match &self.0 {
            Small { bits, .. } => u32::try_from(*bits).ok()?,
            Big { bits, .. } => u32::try_from(bits.as_ref()).ok()?,
        };
        (n < bound).then_some(n)
    }

    /// `(bvshl x y)`: `x` times `2^y`; 0 from `y >= width` on.
    pub fn bvshl(&self, other: &Bv) -> Bv {
        match (&self.0, other.distance(self.width())) {
            (_, None) => self.zero_like(),
            (Small { width, bits }, Some(n)) => Bv::of(*width, bits << n),
            (Big { width, bits }, Some(n)) => Bv::of_big(*width, bits.as_ref() << n as usize),
        }
    }

    /// `(bvlshr x y)`: `x` divided by `2^y`; 0 from `y >= width` on.
    pub fn bvlshr(&self, other: &Bv) -> Bv {
        match (&self.0, other.distance(self.width())) {
            (_, None) => self.zero_like(),
            (Small { width, bits }, Some(n)) => Bv::of(*width, bits >> n),
            (Big { width, bits }, Some(n)) => Bv::of_big(*width, bits.as_ref() >> n as usize),
        }
    }

    /// `(bvashr x y)`: as `bvlshr`, filled with copies of the sign.
    pub fn bvashr(&self, other: &Bv) -> Bv {
        if self.sign_bit() { self.bvnot().bvlshr(other).bvnot() } else { self.bvlshr(other) }
    }

    /// `((_ rotate_left n) x)`.
    pub fn rotate_left(&self, n: u32) -> Bv {
        let width = self.width();
        let n = n % width;
        match &self.0 {
            _ if n == 0 => self.clone(),
            Small { bits, .. } => Bv::of(width, bits << n | bits >> (width - n)),
            Big { bits, .. } => {
                let (low, high) = bits.as_ref().clone().split_bits((width - n) as usize);
                Bv::of_big(width, (low << n as usize) | high)
            }
        }
    }

    /// `((_ rotate_right n) x)`.
    pub fn rotate_right(&self, n: u32) -> Bv {
        let width = self.width();
        self.rotate_left(width - n % width)
    }

    /// The unsigned value modulo the width, as the distance of a rotation.
    fn turn(&self) -> u32 {
        let width = self.width();
        match &self.0 {
            Small { bits, .. } => (bits % u64::from(width)) as u32,
            Big { bits, .. } => u32::try_from(bits.as_ref() % UBig::from(width)).unwrap_or(0),
        }
    }

    /// z3's `(ext_rotate_left x y)`, Bitwuzla's `bvrol`: rotates by the value of `y`.
    pub fn ext_rotate_left(&self, other: &Bv) -> Bv {
        self.rotate_left(other.turn())
    }

    /// z3's `(ext_rotate_right x y)`, Bitwuzla's `bvror`.
    pub fn ext_rotate_right(&self, other: &Bv) -> Bv {
        self.rotate_right(other.turn())
    }

    /// `(concat x y)`: `x` gives the high bits.
    pub fn concat(&self, other: &Bv) -> Result<Bv, Limit> {
        let width = self.width() + other.width();
        check_width(width)?;
        if let (Small { bits: a, .. }, Small { width: low, bits: b }) = (&self.0, &other.0)
            && width <= 64
        {
            return Ok(Bv::of(width, a << low | b));
        }
        let high = self.big().as_ref() << other.width() as usize;
        Ok(Bv::of_big(width, high | other.big().as_ref()))
    }

    /// `((_ extract high low) x)`: bits `high` down to `low`; `None` unless `width > high >= low`.
    pub fn extract(&self, high: u32, low: u32) -> Option<Bv> {
        if high >= self.width() || low > high {
            return None;
        }
        let width = high - low + 1;
        Some(match &self.0 {
            Small { bits, .. } => Bv::of(width, bits >> low),
            Big { bits, .. } => Bv::of_big(width, bits.as_ref() >> low as usize),
        })
    }

    /// `((_ repeat n) x)`; the standard demands `n >= 1`.
    pub fn repeat(&self, n: u32) -> Result<Bv, Limit> {
        let width = self.width().checked_mul(n).ok_or(Limit::TooLarge)?;
        check_width(width)?;
        // Doubling: the number of concatenations is logarithmic in n.
        let mut result: Option<Bv> = None;
        let (mut block, mut left) = (self.clone(), n);
        loop {
            if left & 1 == 1 {
                result = Some(match result {
                    None => block.clone(),
                    Some(done) => done.concat(&block)?,
                });
            }
            left >>= 1;
            match (left, result) {
                (0, Some(done)) => return Ok(done),
                (_, partial) => result = partial,
            }
            block = block.concat(&block)?;
        }
    }

    /// `((_ zero_extend n) x)`.
    pub fn zero_extend(&self, n: u32) -> Result<Bv, Limit> {
        let width = self.width().checked_add(n).ok_or(Limit::TooLarge)?;
        check_width(width)?;
        Ok(match &self.0 {
            Small { bits, .. } => Bv::of(width, *bits),
            Big { bits, .. } => Bv::of_big(width, bits.as_ref().clone()),
        })
    }

    /// `((_ sign_extend n) x)`.
    pub fn sign_extend(&self, n: u32) -> Result<Bv, Limit> {
        let extended = self.zero_extend(n)?;
        if !self.sign_bit() {
            return Ok(extended);
        }
        if let (Small { width, bits }, true) = (&self.0, extended.width() <= 64) {
            return Ok(Bv::of(extended.width(), sign_extended(*width, *bits) as u64));
        }
        // Not zero-extended not.
        Ok(self.bvnot().zero_extend(n)?.bvnot())
    }

    /// `(bvredor x)`: one bit, the disjunction of all.
    pub fn bvredor(&self) -> Bv {
        Bv::of(1, u64::from(!self.is_zero()))
    }

    /// `(bvredand x)`: one bit, the conjunction of all.
    pub fn bvredand(&self) -> Bv {
        Bv::of(1, u64::from(self.bvnot().is_zero()))
    }

    /// Bitwuzla's `(bvredxor x)`: one bit, the parity of all.
    pub fn bvredxor(&self) -> Bv {
        let ones = match &self.0 {
            Small { width, bits } => (bits & mask(*width)).count_ones() as u64,
            Big { bits, .. } => bits.count_ones() as u64,
        };
        Bv::of(1, ones & 1)
    }
}
