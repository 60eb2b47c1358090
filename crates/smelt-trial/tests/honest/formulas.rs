//! Random scripts over constants that assertions bound to a few values.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// What the formulas are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Int,
    Real,
    Float,
    /// A finite domain, and nothing is open.
    Bool,
}

impl Theory {
    fn sort(self) -> &'static str {
        match self {
            Self::Int => "Int",
            Self::Real => "Real",
            Self::Float => "(_ FloatingPoint 2 3)",
            Self::Bool => "Bool",
        }
    }

    /// The values of literals, and those to which constants are bounded.
    fn values(self) -> &'static [&'static str] {
        match self {
            Self::Int => &["0", "0", "1", "2", "(- 1)"],
            Self::Real => &["0.0", "0.0", "1.0", "0.5", "(- 1.0)"],
            Self::Float => &[
                "(_ +zero 2 3)",
                "(_ +zero 2 3)",
                "(_ -zero 2 3)",
                "(_ -zero 2 3)",
                "((_ to_fp 2 3) #b00100)",
                "((_ to_fp 2 3) #b10100)",
                "(_ NaN 2 3)",
            ],
            Self::Bool => &["true", "false"],
        }
    }

    /// Operators that are open somewhere.
    fn partial(self) -> &'static [&'static str] {
        match self {
            Self::Int => &["div", "mod"],
            Self::Real => &["/"],
            Self::Float => &["fp.min", "fp.max"],
            Self::Bool => &[],
        }
    }
}

pub struct Formulas<'r> {
    pub theory: Theory,
    /// Whether partial operators are used.
    pub open: bool,
    pub random: &'r mut ChaCha8Rng,
}

impl Formulas<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.random.random_range(0..n) == 0
    }

    fn pick(&mut self, all: &[&str]) -> String {
        all.choose(self.random).copied().unwrap_or_default().to_owned()
    }

    /// A term without operators.
    fn plain(&mut self) -> String {
        if self.one_in(3) { self.pick(self.theory.values()) } else { self.pick(&["x", "y"]) }
    }

    fn term(&mut self) -> String {
        let (theory, open) = (self.theory, self.open);
        match self.random.random_range(0..20) {
            0..9 if open && theory != Theory::Bool => {
                let op = self.pick(theory.partial());
                let first = if self.one_in(8) { self.term() } else { self.plain() };
                let second = self.plain();
                format!("({op} {first} {second})")
            }
            9 if theory == Theory::Float => format!("(fp.neg {})", self.plain()),
            9 if theory != Theory::Bool => {
                let op = self.pick(&["+", "-"]);
                let first = if self.one_in(4) { self.term() } else { self.plain() };
                format!("({op} {first} {})", self.plain())
            }
            _ => self.plain(),
        }
    }

    fn atom(&mut self) -> String {
        let op = match self.theory {
            Theory::Bool => self.pick(&["=", "distinct", "or", "and"]),
            Theory::Float => self.pick(&["=", "=", "distinct", "fp.lt", "fp.eq"]),
            _ => self.pick(&["=", "=", "distinct", "<"]),
        };
        format!("({op} {} {})", self.term(), self.term())
    }

    fn formula(&mut self, depth: u32) -> String {
        let n = if depth == 0 { 1 } else { 8 };
        match self.random.random_range(0..n) {
            0..4 => self.atom(),
            4 => format!("(not {})", self.formula(depth - 1)),
            5 => "p".to_owned(),
            n => {
                let op = if n == 6 { "and" } else { "or" };
                format!("({op} {} {})", self.formula(depth - 1), self.formula(depth - 1))
            }
        }
    }

    /// An assertion that bounds a constant.
    fn bound(&mut self, name: &str) -> String {
        let n = self.random.random_range(1..=3);
        let mut values: Vec<String> = (0..n).map(|_| self.pick(self.theory.values())).collect();
        values.sort();
        values.dedup();
        let all: Vec<String> = values.iter().map(|v| format!("(= {name} {v})")).collect();
        if all.len() == 1 { all[0].clone() } else { format!("(or {})", all.join(" ")) }
    }

    /// A script with one check.
    pub fn script(&mut self) -> String {
        let sort = self.theory.sort();
        let mut asserted = Vec::new();
        if self.theory != Theory::Bool {
            asserted.extend([self.bound("x"), self.bound("y")]);
        }
        let n = self.random.random_range(1..=4);
        asserted.extend((0..n).map(|_| self.formula(2)));
        let asserted: Vec<String> = asserted.iter().map(|t| format!("(assert {t})\n")).collect();
        format!(
            "(declare-const x {sort})\n(declare-const y {sort})\n(declare-const p Bool)\n{}(check-sat)\n",
            asserted.concat()
        )
    }
}
