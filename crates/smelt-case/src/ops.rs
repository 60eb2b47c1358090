//! Sets of operators.

use smelt_smtlib::Op;

/// A set of operators of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpSet(Vec<u64>);

impl OpSet {
    /// No operator.
    pub fn none() -> Self {
        Self(vec![0; Op::all().count().div_ceil(64)])
    }

    /// Every operator.
    pub fn all() -> Self {
        Op::all().collect()
    }

    /// Adds an operator.
    pub fn insert(&mut self, op: Op) {
        self.0[op as usize / 64] |= 1 << (op as usize % 64);
    }

    /// Takes an operator away.
    pub fn remove(&mut self, op: Op) {
        self.0[op as usize / 64] &= !(1 << (op as usize % 64));
    }

    /// Whether the operator is in the set.
    pub fn contains(&self, op: Op) -> bool {
        self.0[op as usize / 64] >> (op as usize % 64) & 1 == 1
    }

    /// Whether every operator of the other set is in this one.
    pub fn includes(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| b & !a == 0)
    }

    /// Whether an operator is in both sets.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The operators, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Op> {
        Op::all().filter(|&op| self.contains(op))
    }

    /// Adds all that is in the other set.
    pub fn unite(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// Keeps only what is in the other set too.
    pub fn intersect(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }
}

impl FromIterator<Op> for OpSet {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> Self {
        let mut set = Self::none();
        for op in ops {
            set.insert(op);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws() {
        let mut some: OpSet = Op::all().step_by(3).collect();
        assert!(OpSet::all().includes(&some) && !some.includes(&OpSet::all()));
        assert!(some.includes(&OpSet::none()) && !some.meets(&OpSet::none()));
        assert!(some.meets(&OpSet::all()) && !some.meets(&Op::all().skip(1).step_by(3).collect()));
        assert_eq!(some.iter().count(), Op::all().count().div_ceil(3));
        let first = Op::all().next().unwrap();
        some.remove(first);
        assert!(!some.contains(first));
        let mut all = OpSet::all();
        all.intersect(&some);
        assert_eq!(all, some);
    }
}
