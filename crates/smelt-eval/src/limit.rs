//! Why a value could not be computed within bounds.
//!
//! Every computation of this crate is bounded: a script may ask for `2^(2^60)`, a vector of 10^9 bits or a regular
//! expression whose automaton explodes. Such a request is answered with a [`Limit`], never with a hang or an
//! exhausted memory.

use std::fmt;

/// The bound that stopped a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The value itself would be too large to be stored (digits, bits, characters).
    TooLarge,
    /// The computation would take more steps than its budget.
    Budget,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::TooLarge => "the value is too large",
            Limit::Budget => "the step budget is used up",
        })
    }
}

impl std::error::Error for Limit {}

/// Largest number of bits of an integer, and of the numerator or denominator of a rational.
pub const MAX_NUMBER_BITS: usize = 1 << 21;

/// Largest width of a bit-vector, and largest significand of a floating-point format.
pub const MAX_WIDTH: u32 = 1 << 20;

/// Largest number of characters of a string and of elements of a sequence.
pub const MAX_LENGTH: usize = 1 << 22;

/// Most pairs of arguments that a comparison of many looks at one by one.
pub(crate) const MAX_PAIRS: usize = 1 << 17;

/// Steps a computation may still take.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// A budget of so many steps.
    pub fn new(steps: u64) -> Budget {
        Budget { left: steps }
    }

    /// Takes steps from the budget; an error if there are not so many left.
    pub fn spend(&mut self, steps: usize) -> Result<(), Limit> {
        match self.left.checked_sub(steps as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Limit::Budget)
            }
        }
    }

    /// What is left.
    pub fn left(&self) -> u64 {
        self.left
    }
}
