//! The terms of the brute force and what they mean. What is open is chosen, each choice once.

use std::collections::BTreeMap;

use crate::values::*;

#[derive(Clone, Debug)]
pub struct E {
    /// The operator, or a name.
    pub op: &'static str,
    pub index: Option<u32>,
    pub sort: S,
    pub args: Vec<E>,
    /// A literal.
    pub value: Option<V>,
}

impl E {
    pub fn text(&self, f: Format) -> String {
        if let Some(v) = &self.value {
            return value_text(v, f);
        }
        let args: Vec<String> = self.args.iter().map(|a| a.text(f)).collect();
        match (self.op, self.index) {
            ("forall", _) => {
                let sort = self.args[0].sort;
                format!("(forall (({} {})) {})", bound_name(sort), sort.text(f), args[1])
            }
            ("is-cons", _) => format!("((_ is cons) {})", args[0]),
            (op, _) if args.is_empty() => op.into(),
            (op, None) => format!("({op} {})", args.join(" ")),
            (op, Some(i)) => format!("((_ {op} {i}) {})", args.join(" ")),
        }
    }
}

/// The variable that quantifiers over a sort bind.
pub fn bound_name(sort: S) -> &'static str {
    if sort == S::Mode { "z" } else { "w" }
}

/// An operator with its index and the sort of its last argument, and the arguments.
pub type Key = (&'static str, Option<u32>, String);

/// Values of constants, and choices of open values.
pub struct World {
    pub format: Format,
    pub constants: BTreeMap<&'static str, V>,
    /// Values of bound variables, the innermost last.
    pub bound: Vec<V>,
    /// Parameters of the definition.
    pub parameters: Vec<(V, V)>,
    pub open: BTreeMap<(Key, Vec<V>), V>,
    /// The choices, each among so many.
    pub choices: Vec<(usize, usize)>,
    pub made: usize,
    /// Whether a number became too large.
    pub too_large: bool,
}

/// Larger numbers are given up.
const LARGE: i64 = 1_000_000;

impl World {
    /// The open value of an operator: one of these.
    fn open(&mut self, e: &E, args: &[V], depends_on: usize, candidates: Vec<V>) -> V {
        let last = e.args[e.args.len() - 1].sort.text(self.format);
        let key = ((e.op, e.index, last), args[..depends_on].to_vec());
        if let Some(v) = self.open.get(&key) {
            return v.clone();
        }
        if self.made == self.choices.len() {
            self.choices.push((0, candidates.len()));
        }
        let v = candidates[self.choices[self.made].0].clone();
        self.made += 1;
        self.open.insert(key, v.clone());
        v
    }

    /// The next choices, if there are any: the last one that can be changed is changed.
    pub fn next(mut choices: Vec<(usize, usize)>) -> Option<Vec<(usize, usize)>> {
        while let Some((at, n)) = choices.pop() {
            if at + 1 < n {
                choices.push((at + 1, n));
                return Some(choices);
            }
        }
        None
    }

    pub fn eval(&mut self, e: &E, definition: &E) -> V {
        if let Some(v) = &e.value {
            return v.clone();
        }
        match e.op {
            "forall" => {
                let all = e.args[0].sort.values(self.format);
                let mut holds = true;
                for v in all {
                    self.bound.push(v);
                    holds &= self.eval(&e.args[1], definition) == Bool(true);
                    self.bound.pop();
                }
                return Bool(holds);
            }
            "z" | "w" => {
                let same = |v: &&V| sort_of(v) == e.sort;
                return self.bound.iter().rev().find(same).unwrap().clone();
            }
            "a" => return self.parameters[self.parameters.len() - 1].0.clone(),
            "b" => return self.parameters[self.parameters.len() - 1].1.clone(),
            name if e.args.is_empty() => return self.constants[name].clone(),
            _ => {}
        }
        let args: Vec<V> = e.args.iter().map(|a| self.eval(a, definition)).collect();
        if e.op == "def" {
            self.parameters.push((args[0].clone(), args[1].clone()));
            let v = self.eval(definition, definition);
            self.parameters.pop();
            return v;
        }
        match self.apply(e, &args) {
            Int(n) if n.abs() > LARGE => {
                self.too_large = true;
                Int(0)
            }
            Real(n, d) if n.abs().max(d) > LARGE => {
                self.too_large = true;
                Real(0, 1)
            }
            v => v,
        }
    }

    fn apply(&mut self, e: &E, args: &[V]) -> V {
        let f = self.format;
        let any = |s: S| s.values(f);
        match (e.op, args) {
            ("not", [Bool(x)]) => Bool(!x),
            ("and", [Bool(x), Bool(y)]) => Bool(*x && *y),
            ("or", [Bool(x), Bool(y)]) => Bool(*x || *y),
            ("=", [x, y]) => Bool(x == y),
            ("distinct", [x, y]) => Bool(x != y),
            ("ite", [Bool(c), x, y]) => if *c { x } else { y }.clone(),
            ("+", [Int(x), Int(y)]) => Int(x + y),
            ("-", [Int(x), Int(y)]) => Int(x - y),
            ("<", [Int(x), Int(y)]) => Bool(x < y),
            ("+", [Real(a, b), Real(c, d)]) => fraction(a * d + c * b, b * d),
            ("-", [Real(a, b), Real(c, d)]) => fraction(a * d - c * b, b * d),
            ("<", [Real(a, b), Real(c, d)]) => Bool(a * d < c * b),
            ("to_real", [Int(x)]) => Real(*x, 1),
            ("div" | "mod" | "rem", [_, Int(0)]) => self.open(e, args, 1, any(S::Int)),
            ("div", [Int(x), Int(y)]) => Int(x.div_euclid(*y)),
            ("mod", [Int(x), Int(y)]) => Int(x.rem_euclid(*y)),
            ("rem", [Int(x), Int(y)]) => Int(x.rem_euclid(*y) * y.signum()),
            ("div" | "/", [x, y, z]) => {
                let first = self.apply(e, &[x.clone(), y.clone()]);
                self.apply(e, &[first, z.clone()])
            }
            ("/", [_, Real(0, _)]) => self.open(e, args, 1, any(S::Real)),
            ("/", [Real(a, b), Real(c, d)]) => fraction(a * d, b * c),
            ("^", [Int(x), Int(y)]) => match u32::try_from(*y) {
                Ok(n) if *x != 0 || n != 0 => Int(x.checked_pow(n).unwrap_or(LARGE + 1)),
                _ => self.open(e, args, 2, any(S::Int)),
            },
            ("fp.neg", [Float(x)]) => Float(one_nan(x ^ 1 << (f.0 + f.1 - 1), f)),
            ("fp.lt", [Float(x), Float(y)]) => Bool(number(*x, f) < number(*y, f)),
            ("fp.eq", [Float(x), Float(y)]) => Bool(number(*x, f) == number(*y, f)),
            ("fp.min" | "fp.max", [Float(x), Float(y)]) => {
                let (m, n) = (number(*x, f), number(*y, f));
                let first = if e.op == "fp.min" { m < n } else { m > n };
                match () {
                    () if m.is_nan() => Float(*y),
                    () if n.is_nan() || x == y => Float(*x),
                    () if m == n => self.open(e, args, 2, vec![Float(*x), Float(*y)]),
                    () => Float(if first { *x } else { *y }),
                }
            }
            ("fp.to_ubv" | "fp.to_sbv", [Mode(m), Float(x)]) => {
                let w = e.index.unwrap();
                let low = if e.op == "fp.to_ubv" { 0 } else { -(1 << (w - 1)) };
                let x = number(*x, f);
                let n = whole(x, *m);
                if x.is_finite() && (low..low + (1 << w)).contains(&n) {
                    return Bits((n & ((1 << w) - 1)) as u32, w);
                }
                self.open(e, args, 2, any(S::Bits(w)))
            }
            ("fp.to_real", [Float(x)]) => match number(*x, f) {
                x if x.is_finite() => fraction((x * 64.0) as i64, 64),
                _ => self.open(e, args, 1, any(S::Real)),
            },
            ("fp.to_ieee_bv", [Float(x)]) => {
                let w = f.0 + f.1;
                let nan = |b: &u32| number(*b, f).is_nan();
                match nan(x) {
                    true => {
                        let all = (0..1 << w).filter(nan).map(|b| Bits(b, w)).collect();
                        self.open(e, args, 1, all)
                    }
                    false => Bits(*x, w),
                }
            }
            ("is-cons", [List(l)]) => Bool(!l.is_empty()),
            ("cons", [Int(n), List(l)]) => List([&[*n], &**l].concat()),
            ("hd", [List(l)]) => match l.first() {
                Some(&n) => Int(n),
                None => self.open(e, args, 1, any(S::Int)),
            },
            ("tl", [List(l)]) => match l.get(1..) {
                Some(rest) => List(rest.to_vec()),
                None => self.open(e, args, 1, any(S::List)),
            },
            ("seq.len", [Seq(l)]) => Int(l.len() as i64),
            ("seq.++", [Seq(x), Seq(y)]) => Seq([&**x, y].concat()),
            ("seq.nth", [Seq(l), Int(i)]) => {
                match usize::try_from(*i).ok().and_then(|i| l.get(i)) {
                    Some(&n) => Int(n),
                    None => self.open(e, args, 2, any(S::Int)),
                }
            }
            ("set.union", [Set(x), Set(y)]) => Set(x | y),
            ("set.minus", [Set(x), Set(y)]) => Set(x - y),
            ("set.member", [Int(x), Set(y)]) => Bool(y.contains(x)),
            ("set.choose", [Set(x)]) if x.is_empty() => self.open(e, args, 1, any(S::Int)),
            ("set.choose", [Set(x)]) => self.open(e, args, 1, x.iter().map(|&n| Int(n)).collect()),
            ("nullable.val", [Nullable(Some(n))]) => Int(*n),
            ("nullable.val", [Nullable(None)]) => self.open(e, args, 1, any(S::Int)),
            _ => panic!("{e:?} at {args:?}"),
        }
    }
}
