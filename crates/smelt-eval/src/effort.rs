//! What an evaluation has cost so far: memory that its values hold, and work that made them.
//!
//! Each single value is bounded (see [`crate::limit`]), and so is what stands below binders. Thousands of large values
//! are not: a chain of stores copies its entries each time, and a sum of large fractions takes a second. An evaluator
//! therefore keeps an account over all terms; beyond its end, large values are refused.

use crate::limit::Limit;
use crate::value::Value;

/// Bytes of all large values that one evaluator makes.
const MAX_BYTES: u64 = 256 << 20;
/// Work that one evaluator does for large values, in steps of about a nanosecond.
const MAX_WORK: u64 = 4_000_000_000;
/// Values of so many bytes are not counted.
const SMALL: u64 = 256;
/// What a step of a question to a regular expression costs.
const REGEX_STEP: u64 = 100;

/// The account of one evaluator.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    bytes: u64,
    work: u64,
}

impl Effort {
    /// Counts a value that an operator made.
    #[inline]
    pub fn count(&mut self, value: &Value) -> Result<(), Limit> {
        let bytes = bytes_of(value);
        if bytes <= SMALL {
            return Ok(());
        }
        let words = bytes / 8;
        self.bytes += bytes;
        self.work += match value {
            // Common divisors take quadratic time.
            Value::Real(_) => words * words,
            _ => words * 16,
        };
        self.check()
    }

    /// Counts steps of a question to a regular expression.
    pub fn count_regex(&mut self, steps: u64) -> Result<(), Limit> {
        self.work += steps.saturating_mul(REGEX_STEP);
        self.check()
    }

    fn check(&self) -> Result<(), Limit> {
        if self.bytes > MAX_BYTES {
            return Err(Limit::TooLarge);
        }
        if self.work > MAX_WORK { Err(Limit::Budget) } else { Ok(()) }
    }
}

/// Bytes on the heap, roughly, without what is inside of elements.
fn bytes_of(v: &Value) -> u64 {
    const ITEM: usize = size_of::<Value>();
    let n = match v {
        Value::Bool(_) | Value::Rm(_) | Value::Re(_) | Value::Uninterpreted { .. } => 0,
        Value::Int(n) => n.bit_len() / 8,
        Value::Real(q) => q.bit_len() / 8,
        Value::Bv(b) => b.width() as usize / 8,
        Value::Fp(x) => x.format().width() as usize / 8,
        Value::Str(s) => s.len() * 4,
        Value::Array(a) => a.entries().len() * 2 * ITEM,
        Value::Data(d) => d.fields().len() * ITEM,
        Value::Seq(s) => s.len() * ITEM,
        Value::Set(s) => s.elements().len() * ITEM,
        Value::Bag(b) => b.entries().len() * 2 * ITEM,
        Value::Fun(t) => t.entries().len() * 4 * ITEM,
        Value::Closure(c) => (c.stored.len() * 2 + c.captured.len() + c.given.len()) * ITEM,
        Value::Algebraic(_) | Value::Approx(_) | Value::Ff(_) => 64,
        Value::Open(_) => 0,
    };
    n as u64
}
