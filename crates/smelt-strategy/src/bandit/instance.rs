//! Instances, and how random ones are made.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::{Arena, Op, Script, Term};

use super::language::{Kind, Language};
use crate::accepted;

/// How often a leaf is a special constant where it may be a variable: of most terms with several constants solvers see the value at once.
const CONSTANTS: f64 = 0.2;

/// A term of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A variable or a special constant: a sort of the language by its place, and which of its leaves.
    Leaf(usize, usize),
    /// A construct, by its place in the language, on arguments.
    On(usize, Vec<Node>),
}

/// A script in the making: trees, each of which is asserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The assertions.
    pub roots: Vec<Node>,
    /// Constructs from a root to a leaf, at most.
    pub depth: u32,
}

impl Language {
    /// A random instance: trees that are rooted in predicates and as deep as they may be.
    pub fn generate(&self, random: &mut ChaCha8Rng) -> Instance {
        let p = self.parameters();
        let mut within = |(from, to): (u32, u32)| random.random_range(from..=to);
        let (assertions, depth) = (within(p.assertions), within(p.depth));
        // Bool is the first sort, and roots are no leaves.
        let roots = (0..assertions).map(|_| self.grow(0, depth.max(1), random)).collect();
        Instance { roots, depth }
    }

    /// A term of a sort with so many levels of constructs; with as few as it needs if it needs more.
    pub(super) fn grow(&self, sort: usize, levels: u32, random: &mut ChaCha8Rng) -> Node {
        let low = levels == 0;
        if low && !self.leaves[sort].is_empty() {
            return self.leaf(sort, false, random);
        }
        // At the bottom only what ends at once, or as soon as can be.
        let height = |shape: &[usize]| shape.iter().map(|&s| self.heights[s]).max().unwrap_or(0);
        let ends = |shape: &Vec<usize>| !low || height(shape) < self.heights[sort];
        let fits = |i: &usize| {
            let c = &self.constructs[*i];
            c.sort == sort && c.weight > 0.0 && c.shapes.iter().any(ends)
        };
        let all: Vec<usize> = (0..self.constructs.len()).filter(fits).collect();
        let Some(at) = self.pick(&all, random) else {
            return self.leaf(sort, false, random);
        };
        let shapes: Vec<&Vec<usize>> =
            self.constructs[at].shapes.iter().filter(|s| ends(s)).collect();
        let shape = shapes[random.random_range(0..shapes.len())].clone();
        let args = (0..shape.len()).map(|i| self.grow_argument(at, &shape, i, levels, random));
        Node::On(at, args.collect())
    }

    /// An argument of a construct that stands at a level.
    pub(super) fn grow_argument(
        &self,
        construct: usize,
        shape: &[usize],
        at: usize,
        levels: u32,
        random: &mut ChaCha8Rng,
    ) -> Node {
        match self.wants_value(construct, shape.len(), at) {
            true => self.leaf(shape[at], true, random),
            false => self.grow(shape[at], levels.saturating_sub(1), random),
        }
    }

    /// Whether solvers take only a value for this argument.
    pub(super) fn wants_value(&self, construct: usize, arity: usize, at: usize) -> bool {
        let op = self.constructs[construct].op;
        // (The exponent of a power is no argument that is brought in at all.)
        op != Op::Pow && at + accepted::values_only(op) >= arity
    }

    /// One of these constructs, by their weights.
    fn pick(&self, all: &[usize], random: &mut ChaCha8Rng) -> Option<usize> {
        let sum: f64 = all.iter().map(|&i| self.constructs[i].weight).sum();
        let mut left = random.random_range(0.0..1.0) * sum;
        for &i in all {
            left -= self.constructs[i].weight;
            if left < 0.0 {
                return Some(i);
            }
        }
        all.last().copied()
    }

    /// A variable or a special constant; a constant, if it must be one.
    fn leaf(&self, sort: usize, value: bool, random: &mut ChaCha8Rng) -> Node {
        let all = &self.leaves[sort];
        let value = value || random.random_bool(CONSTANTS);
        let fits: Vec<usize> = (0..all.len()).filter(|&i| all[i].is_value == value).collect();
        match fits.is_empty() {
            // A sort without variables, or without constants.
            true => Node::Leaf(sort, random.random_range(0..all.len())),
            false => Node::Leaf(sort, fits[random.random_range(0..fits.len())]),
        }
    }

    /// The script of an instance.
    pub fn write(&self, instance: &Instance) -> Script {
        self.script(|arena| instance.roots.iter().map(|r| self.term(arena, r)).collect())
    }

    fn term(&self, arena: &mut Arena, node: &Node) -> Term {
        match node {
            Node::Leaf(sort, at) => self.leaves[*sort][*at].term,
            Node::On(construct, args) => {
                let args: Vec<Term> = args.iter().map(|a| self.term(arena, a)).collect();
                self.apply(arena, &self.constructs[*construct], &args)
            }
        }
    }

    /// How often each construct occurs in an instance.
    pub fn occurrences(&self, instance: &Instance) -> Vec<u64> {
        let mut counts = vec![0; self.constructs.len()];
        instance.walk(&mut |at, _, _| counts[at] += 1);
        counts
    }
}

impl Instance {
    /// Visits the constructs from left to right, a parent before its arguments: which it is, how many levels are left there, its number.
    pub(super) fn walk(&self, each: &mut dyn FnMut(usize, u32, usize)) {
        fn go(node: &Node, levels: u32, n: &mut usize, each: &mut dyn FnMut(usize, u32, usize)) {
            let Node::On(at, args) = node else { return };
            each(*at, levels, *n);
            *n += 1;
            args.iter().for_each(|a| go(a, levels.saturating_sub(1), n, each));
        }
        let mut n = 0;
        self.roots.iter().for_each(|r| go(r, self.depth, &mut n, each));
    }
}

impl Kind {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Predicate => "predicate",
            Self::RoundingMode => "rounding mode",
            Self::Operator => "operator",
        }
    }
}
