//! Elements of prime fields (cvc5's theory of finite fields).

use dashu_int::UBig;
use std::fmt;

/// An element of the field of `order` elements, `order` a prime (which is not checked).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ff {
    order: UBig,
    value: UBig,
}

impl Ff {
    /// The element `value` modulo `order`; `None` if `order` is below 2.
    pub fn new(order: UBig, value: UBig) -> Option<Ff> {
        if order <= UBig::ONE {
            return None;
        }
        let value = value % &order;
        Some(Ff { order, value })
    }

    /// The order of the field.
    pub fn order(&self) -> &UBig {
        &self.order
    }

    /// The representative in `0 .. order`.
    pub fn value(&self) -> &UBig {
        &self.value
    }

    fn with(&self, value: UBig) -> Ff {
        Ff { order: self.order.clone(), value: value % &self.order }
    }

    /// `(ff.add x y)`
    pub fn add(&self, other: &Ff) -> Ff {
        debug_assert_eq!(self.order, other.order, "elements of different fields");
        self.with(&self.value + &other.value)
    }

    /// `(ff.mul x y)`
    pub fn mul(&self, other: &Ff) -> Ff {
        debug_assert_eq!(self.order, other.order, "elements of different fields");
        self.with(&self.value * &other.value)
    }

    /// `(ff.neg x)`
    pub fn neg(&self) -> Ff {
        self.with(&self.order - &self.value)
    }

    /// `(ff.bitsum x0 x1 x2 …)`: `x0 + 2·x1 + 4·x2 + …`; `None` of nothing.
    pub fn bitsum(parts: &[Ff]) -> Option<Ff> {
        let (last, rest) = parts.split_last()?;
        // Horner's scheme from the last.
        Some(rest.iter().rev().fold(last.clone(), |sum, x| sum.add(&sum).add(x)))
    }
}

impl fmt::Display for Ff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(as ff{} (_ FiniteField {}))", self.value, self.order)
    }
}
