//! Random formulas of the brute force.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::values::{Format, S};
use crate::world::{E, bound_name};

/// Operator, index, result, arguments.
type Row = (&'static str, Option<u32>, S, &'static [S]);

const ROWS: &[Row] = &[
    ("not", None, S::Bool, &[S::Bool]),
    ("and", None, S::Bool, &[S::Bool, S::Bool]),
    ("or", None, S::Bool, &[S::Bool, S::Bool]),
    ("=", None, S::Bool, &[S::Int, S::Int]),
    ("=", None, S::Bool, &[S::Real, S::Real]),
    ("=", None, S::Bool, &[S::Float, S::Float]),
    ("=", None, S::Bool, &[S::Bits(2), S::Bits(2)]),
    ("=", None, S::Bool, &[S::List, S::List]),
    ("distinct", None, S::Bool, &[S::Int, S::Int]),
    ("distinct", None, S::Bool, &[S::Real, S::Real]),
    ("distinct", None, S::Bool, &[S::Bits(2), S::Bits(2)]),
    ("<", None, S::Bool, &[S::Int, S::Int]),
    ("<", None, S::Bool, &[S::Real, S::Real]),
    ("fp.lt", None, S::Bool, &[S::Float, S::Float]),
    ("fp.eq", None, S::Bool, &[S::Float, S::Float]),
    ("is-cons", None, S::Bool, &[S::List]),
    ("set.member", None, S::Bool, &[S::Int, S::Set]),
    ("ite", None, S::Int, &[S::Bool, S::Int, S::Int]),
    ("+", None, S::Int, &[S::Int, S::Int]),
    ("-", None, S::Int, &[S::Int, S::Int]),
    ("div", None, S::Int, &[S::Int, S::Int]),
    ("div", None, S::Int, &[S::Int, S::Int, S::Int]),
    ("mod", None, S::Int, &[S::Int, S::Int]),
    ("rem", None, S::Int, &[S::Int, S::Int]),
    ("^", None, S::Int, &[S::Int, S::Int]),
    ("def", None, S::Int, &[S::Int, S::Int]),
    ("hd", None, S::Int, &[S::List]),
    ("seq.len", None, S::Int, &[S::Seq]),
    ("seq.nth", None, S::Int, &[S::Seq, S::Int]),
    ("set.choose", None, S::Int, &[S::Set]),
    ("nullable.val", None, S::Int, &[S::Nullable]),
    ("+", None, S::Real, &[S::Real, S::Real]),
    ("-", None, S::Real, &[S::Real, S::Real]),
    ("/", None, S::Real, &[S::Real, S::Real]),
    ("/", None, S::Real, &[S::Real, S::Real, S::Real]),
    ("to_real", None, S::Real, &[S::Int]),
    ("fp.to_real", None, S::Real, &[S::Float]),
    ("fp.neg", None, S::Float, &[S::Float]),
    ("fp.min", None, S::Float, &[S::Float, S::Float]),
    ("fp.max", None, S::Float, &[S::Float, S::Float]),
    ("fp.to_ubv", Some(2), S::Bits(2), &[S::Mode, S::Float]),
    ("fp.to_sbv", Some(2), S::Bits(2), &[S::Mode, S::Float]),
    ("fp.to_sbv", Some(3), S::Bits(3), &[S::Mode, S::Float]),
    ("fp.to_ubv", Some(3), S::Bits(3), &[S::Mode, S::Float]),
    ("cons", None, S::List, &[S::Int, S::List]),
    ("tl", None, S::List, &[S::List]),
    ("seq.++", None, S::Seq, &[S::Seq, S::Seq]),
    ("set.union", None, S::Set, &[S::Set, S::Set]),
    ("set.minus", None, S::Set, &[S::Set, S::Set]),
];

pub const CONSTANTS: &[(&str, S)] = &[
    ("i", S::Int),
    ("j", S::Int),
    ("r", S::Real),
    ("s", S::Real),
    ("m", S::Mode),
    ("x", S::Float),
    ("y", S::Float),
    ("l", S::List),
    ("q", S::Seq),
    ("u", S::Set),
    ("n", S::Nullable),
];

pub struct Generator {
    pub rng: ChaCha8Rng,
    pub format: Format,
    /// Names that may stand for a value of their sort.
    pub scope: Vec<(&'static str, S)>,
}

impl Generator {
    fn leaf(&mut self, sort: S) -> E {
        let names: Vec<_> = self.scope.iter().filter(|c| c.1 == sort).collect();
        if !names.is_empty() && self.rng.random_bool(0.8) {
            let op = names[self.rng.random_range(0..names.len())].0;
            return E { op, index: None, sort, args: Vec::new(), value: None };
        }
        let all = sort.values(self.format);
        let value = Some(all[self.rng.random_range(0..all.len())].clone());
        E { op: "", index: None, sort, args: Vec::new(), value }
    }

    pub fn term(&mut self, sort: S, depth: u32) -> E {
        if sort == S::Bool && depth > 1 && self.rng.random_bool(0.05) {
            let of = [S::Mode, S::Float][self.rng.random_range(0..2)];
            self.scope.push((bound_name(of), of));
            let bound = self.leaf(of);
            let body = self.term(S::Bool, depth - 1);
            self.scope.pop();
            return E { op: "forall", index: None, sort, args: vec![bound, body], value: None };
        }
        let ieee = (sort == S::Bits(self.format.0 + self.format.1)).then_some((
            "fp.to_ieee_bv",
            None,
            sort,
            &[S::Float] as &[S],
        ));
        let wide = [S::Bits(self.format.0 + self.format.1), S::Bits(3)];
        let inner = self.scope.iter().any(|c| c.0 == "a");
        let mut rows: Vec<Row> = ROWS.iter().copied().filter(|r| r.2 == sort).collect();
        rows.retain(|r| !(inner && r.0 == "def"));
        rows.extend(ieee);
        if sort == S::Bool {
            let w = wide[self.rng.random_range(0..2)];
            let args = vec![self.term(w, depth.min(1)), self.leaf(w)];
            if self.rng.random_bool(0.1) {
                return E { op: "=", index: None, sort, args, value: None };
            }
        }
        if depth == 0 || rows.is_empty() || (sort != S::Bool && self.rng.random_bool(0.25)) {
            return self.leaf(sort);
        }
        let (op, index, _, args) = rows[self.rng.random_range(0..rows.len())];
        let args = args.iter().map(|&s| self.term(s, depth - 1)).collect();
        E { op, index, sort, args, value: None }
    }
}
