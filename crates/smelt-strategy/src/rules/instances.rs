//! The instances of a rule's sorts at which it is proved and tried.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::claim::Claim;
use super::sexpr::Sexpr;
use super::{Binding, ParameterKind, Parameters};

/// A claim at given sorts.
#[derive(Clone, Debug)]
pub struct Instance {
    /// By what a proof of it is known; see [`label`].
    pub label: String,
    /// Values of the parameters, and of variables that are regular languages.
    pub binding: Binding,
    /// Sorts that have to be declared.
    pub declarations: String,
}

/// Where rules are tried.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Widths of bit-vectors.
    pub widths: Vec<u32>,
    /// Widths for rules with two of them.
    pub pairs: Vec<(u32, u32)>,
    /// Formats of floating-point sorts.
    pub formats: Vec<(u32, u32)>,
    /// Orders of finite fields.
    pub primes: Vec<Box<str>>,
}

impl Default for Coverage {
    fn default() -> Self {
        let widths = (1..=16).chain([20, 24, 28, 31, 32, 33, 48, 63, 64, 65, 128]).collect();
        let formats = vec![(2, 3), (3, 5), (5, 11), (8, 24), (11, 53), (15, 113)];
        Self { widths, formats, pairs: PAIRS.into(), primes: PRIMES.map(Into::into).into() }
    }
}

/// The most bits of a bit-vector, or of a float, at which rules are tried and proved.
pub const MOST_BITS: u32 = 4096;

impl Coverage {
    /// The largest bit-vector, or float, that is asked about.
    pub fn bits(&self) -> u32 {
        let pairs = self.pairs.iter().flat_map(|&(v, w)| [v, w]);
        let floats = self.formats.iter().map(|&(e, s)| e.saturating_add(s));
        self.widths.iter().copied().chain(pairs).chain(floats).max().unwrap_or(0)
    }

    /// A few small sorts, where random values meet each other.
    pub fn small() -> Self {
        let formats = vec![(2, 3), (3, 5), (5, 11)];
        Self { widths: vec![1, 2, 3, 8], formats, ..Self::default() }
    }

    /// What holds the instance of this binding: all others of the same label, and maybe more.
    pub fn of(parameters: &Parameters, binding: &Binding) -> Self {
        let number = |name: &str| -> Option<u32> {
            binding.iter().find(|(n, _)| &**n == name)?.1.atom()?.parse().ok()
        };
        let of_kind = |kind: ParameterKind| -> Vec<u32> {
            parameters.iter().filter(|(_, k)| *k == kind).filter_map(|(n, _)| number(n)).collect()
        };
        let widths = of_kind(ParameterKind::Width);
        let pairs = match widths[..] {
            [v, w] => vec![(v, w)],
            _ => Vec::new(),
        };
        let formats = of_kind(ParameterKind::Exponent)
            .into_iter()
            .zip(of_kind(ParameterKind::Significand))
            .collect();
        let primes = parameters.iter().filter(|(_, k)| *k == ParameterKind::Prime);
        let primes = primes.filter_map(|(n, _)| binding.iter().find(|(m, _)| m == n)?.1.atom());
        Self { widths, pairs, formats, primes: primes.map(Into::into).collect() }
    }
}

/// Orders of finite fields.
const PRIMES: [&str; 4] = ["2", "3", "7", "17"];
/// Pairs of widths.
const PAIRS: [(u32, u32); 12] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (3, 2),
    (1, 7),
    (4, 4),
    (8, 8),
    (8, 24),
    (16, 16),
    (32, 32),
    (1, 31),
];

/// Regular languages that stand for any.
const LANGUAGES: [&str; 12] = [
    "re.none",
    "(str.to_re \"\")",
    "re.allchar",
    "(str.to_re \"ab\")",
    "(re.* (str.to_re \"a\"))",
    "(re.range \"a\" \"c\")",
    "(re.union (str.to_re \"a\") (str.to_re \"bb\"))",
    "(re.++ (str.to_re \"a\") re.all)",
    "(re.opt (str.to_re \"aa\"))",
    "(re.comp (str.to_re \"a\"))",
    "(re.+ (re.union (str.to_re \"ab\") (str.to_re \"b\")))",
    "(re.inter re.all (re.* (str.to_re \"ba\")))",
];

/// Datatypes for rules about constructors: fields of free sorts, beside other constructors, and a recursive one.
const DATATYPES: &str = "(declare-sort smelt-A 0)(declare-sort smelt-B 0)\n\
    (declare-datatypes ((Single 0) (Many 0) (List 0))\n  \
    (((only))\n   \
    ((zero) (one (one-1 smelt-A)) (two (two-1 smelt-A) (two-2 smelt-B)) (three (three-1 smelt-A) (three-2 smelt-B) (three-3 Many)))\n   \
    ((nil) (cons (head smelt-A) (tail List)))))\n";

/// Constructors of these: name, datatype, selectors with their sorts.
type ConstructorRow = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
const CONSTRUCTORS: [ConstructorRow; 7] = [
    ("only", "Single", &[]),
    ("zero", "Many", &[]),
    ("nil", "List", &[]),
    ("one", "Many", &[("one-1", "smelt-A")]),
    ("two", "Many", &[("two-1", "smelt-A"), ("two-2", "smelt-B")]),
    ("cons", "List", &[("head", "smelt-A"), ("tail", "List")]),
    ("three", "Many", &[("three-1", "smelt-A"), ("three-2", "smelt-B"), ("three-3", "Many")]),
];

/// By what an instance is known: the values of the parameters that a proof depends on. A proof over a free sort is one for every
/// sort, since such a sort may be any; languages and constructors are examples of a schema.
pub fn label(parameters: &Parameters, binding: &Binding) -> String {
    let mut parts = Vec::new();
    for (name, kind) in parameters {
        let value = binding.iter().find(|(n, _)| n == name).map(|(_, v)| v.to_string());
        match kind {
            ParameterKind::Sort | ParameterKind::Constructor { .. } => {}
            _ => parts.push(format!("{name}={}", value.unwrap_or_default())),
        }
    }
    if parts.is_empty() { "any".into() } else { parts.join(",") }
}

/// How many instances there are at all sorts of a coverage, at most.
pub(super) fn count(parameters: &Parameters, coverage: &Coverage) -> usize {
    let widths = parameters.iter().filter(|(_, k)| *k == ParameterKind::Width).count();
    let mut all: usize = if widths == 2 { coverage.pairs.len() } else { 1 };
    for (_, kind) in parameters {
        all = all.saturating_mul(match kind {
            ParameterKind::Width if widths == 2 => 1,
            ParameterKind::Width => coverage.widths.len(),
            ParameterKind::Exponent => coverage.formats.len(),
            ParameterKind::Prime => coverage.primes.len(),
            ParameterKind::Numeral(low, high) => high.abs_diff(*low) as usize + 1,
            ParameterKind::Constructor { .. } => CONSTRUCTORS.len(),
            ParameterKind::Significand | ParameterKind::Sort => 1,
        });
    }
    all
}

fn atom(text: impl ToString) -> Sexpr {
    Sexpr::Atom(text.to_string().into())
}

/// The instances of a claim at all sorts of a coverage. Languages are not chosen yet.
fn sorts(claim: &Claim, coverage: &Coverage) -> Vec<Instance> {
    let mut all: Vec<(Binding, String)> = vec![(Vec::new(), String::new())];
    let widths = claim.parameters.iter().filter(|(_, k)| *k == ParameterKind::Width).count();
    let mut rest = &claim.parameters[..];
    while let [(name, kind), tail @ ..] = rest {
        rest = tail;
        // What one parameter (or two that belong together) may be.
        let mut options: Vec<(Binding, String)> = Vec::new();
        let mut one = |value: Sexpr, declared: String| {
            options.push((vec![(name.clone(), value)], declared));
        };
        match kind {
            ParameterKind::Width if widths == 2 => {
                let second = tail.iter().position(|(_, k)| *k == ParameterKind::Width);
                if let Some(i) = second {
                    for (v, w) in &coverage.pairs {
                        let both = vec![(name.clone(), atom(v)), (tail[i].0.clone(), atom(w))];
                        options.push((both, String::new()));
                    }
                } else {
                    // The second of the two.
                    continue;
                }
            }
            ParameterKind::Width => {
                coverage.widths.iter().for_each(|w| one(atom(w), String::new()))
            }
            ParameterKind::Prime => {
                coverage.primes.iter().for_each(|p| one(atom(p), String::new()))
            }
            ParameterKind::Exponent => {
                let Some((significand, ParameterKind::Significand)) = tail.first() else {
                    return Vec::new();
                };
                for (e, s) in &coverage.formats {
                    let both = vec![(name.clone(), atom(e)), (significand.clone(), atom(s))];
                    options.push((both, String::new()));
                }
            }
            ParameterKind::Significand => continue,
            ParameterKind::Numeral(low, high) => {
                (*low..=*high).for_each(|n| one(atom(n), String::new()))
            }
            ParameterKind::Sort => {
                // A sort that a constructor's field has is given by it.
                let given = claim.parameters.iter().any(|(_, k)| match k {
                    ParameterKind::Constructor { datatype, fields } => {
                        datatype == name || fields.iter().any(|(_, s)| s == name)
                    }
                    _ => false,
                });
                if given {
                    continue;
                }
                let free = format!("smelt-{name}");
                one(atom(&free), format!("(declare-sort {free} 0)\n"));
            }
            ParameterKind::Constructor { datatype, fields } => {
                for (c, d, own) in CONSTRUCTORS.iter().filter(|c| c.2.len() == fields.len()) {
                    let mut binding = vec![(name.clone(), atom(c)), (datatype.clone(), atom(d))];
                    for ((selector, sort), (own, own_sort)) in fields.iter().zip(*own) {
                        binding.push((selector.clone(), atom(own)));
                        binding.push((sort.clone(), atom(own_sort)));
                    }
                    options.push((binding, DATATYPES.into()));
                }
            }
        }
        all = all
            .iter()
            .flat_map(|(binding, declared)| {
                options.iter().filter_map(move |(more, text)| {
                    let both = [&binding[..], &more[..]].concat();
                    // Two constructors of one rule are of one datatype.
                    let clash =
                        |(n, v): &(Box<str>, Sexpr)| both.iter().any(|(m, w)| m == n && w != v);
                    if both.iter().any(clash) {
                        return None;
                    }
                    let declared = if declared.contains(text.as_str()) {
                        declared.clone()
                    } else {
                        format!("{declared}{text}")
                    };
                    Some((both, declared))
                })
            })
            .collect();
    }
    all.into_iter()
        .map(|(binding, declarations)| {
            let label = label(&claim.parameters, &binding);
            Instance { label, binding, declarations }
        })
        .collect()
}

/// The instances at which solvers are asked.
pub fn all(claim: &Claim, coverage: &Coverage) -> Vec<Instance> {
    let languages: Vec<&str> =
        claim.vars.iter().filter(|v| v.is_language()).map(|v| &*v.name).collect();
    let mut out = Vec::new();
    for base in sorts(claim, coverage) {
        if languages.is_empty() {
            out.push(base);
            continue;
        }
        for k in 0..LANGUAGES.len() {
            let mut instance = base.clone();
            for (i, name) in languages.iter().enumerate() {
                // Different steps through the list, so that every language meets several others.
                let text = LANGUAGES[(k * (2 * i + 1) + 5 * i) % LANGUAGES.len()];
                instance.binding.push(((*name).into(), read(text)));
            }
            out.push(instance);
        }
    }
    out
}

/// A random instance, for trying values.
pub fn random(claim: &Claim, coverage: &Coverage, random: &mut ChaCha8Rng) -> Option<Instance> {
    let all = sorts(claim, coverage);
    if all.is_empty() {
        return None;
    }
    let mut instance = all[random.random_range(0..all.len())].clone();
    for v in claim.vars.iter().filter(|v| v.is_language()) {
        let text = language(random, 3);
        instance.binding.push((v.name.clone(), read(&text)));
    }
    Some(instance)
}

fn read(text: &str) -> Sexpr {
    Sexpr::read(text).ok().and_then(|mut l| l.pop()).unwrap_or(Sexpr::List(Vec::new()))
}

/// A random regular language over few letters.
fn language(random: &mut ChaCha8Rng, depth: u32) -> String {
    if depth == 0 || random.random_range(0..4) == 0 {
        let leaves = [
            "(str.to_re \"a\")",
            "(str.to_re \"b\")",
            "(str.to_re \"ab\")",
            "(str.to_re \"\")",
            "re.allchar",
            "re.none",
            "re.all",
            "(re.range \"a\" \"b\")",
        ];
        return leaves[random.random_range(0..leaves.len())].into();
    }
    let one = language(random, depth - 1);
    match random.random_range(0..8) {
        0 => format!("(re.* {one})"),
        1 => format!("(re.opt {one})"),
        2 => format!("(re.comp {one})"),
        3 => format!("((_ re.loop 1 2) {one})"),
        4 => format!("(re.inter {one} {})", language(random, depth - 1)),
        5 => format!("(re.union {one} {})", language(random, depth - 1)),
        _ => format!("(re.++ {one} {})", language(random, depth - 1)),
    }
}
