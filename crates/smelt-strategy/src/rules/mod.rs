//! Rules as data: files of s-expressions, with parametric sorts. The format is described in `docs/rules.md`.
//!
//! A rule is kept as text and instantiated for given sorts by replacing its parameters; what comes out is read by the ordinary
//! parser, so that rules are checked like scripts. Every rule is a [`claim::Claim`], whatever it is used for: a
//! proposition that solvers can prove ([`claim`]), that the evaluator can try on random values ([`sample`]), and whose proofs are
//! kept beside the rules ([`record`]). For mutation, rules are [`compile`]d to terms and [`matching`] applies them.

pub mod claim;
pub mod compile;
pub mod file;
pub mod fusion;
pub mod instances;
pub mod matching;
pub mod record;
pub mod relation;
pub mod sample;
pub mod sexpr;

use sexpr::Sexpr;

/// The rule files that smelt comes with: name and text.
pub const EMBEDDED: [(&str, &str); 8] = [
    ("fusion.rules", fusion::EMBEDDED),
    ("core.rules", include_str!("../../../../rules/core.rules")),
    ("arithmetic.rules", include_str!("../../../../rules/arithmetic.rules")),
    ("bitvec.rules", include_str!("../../../../rules/bitvec.rules")),
    ("float.rules", include_str!("../../../../rules/float.rules")),
    ("string.rules", include_str!("../../../../rules/string.rules")),
    ("regex.rules", include_str!("../../../../rules/regex.rules")),
    ("container.rules", include_str!("../../../../rules/container.rules")),
];

/// All rules that smelt comes with.
pub fn embedded() -> Result<file::RuleFile, String> {
    let mut all = file::RuleFile::default();
    for (name, text) in EMBEDDED {
        let file = file::RuleFile::read(text).map_err(|e| format!("{name}: {e}"))?;
        all.add(file).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(all)
}

/// What a parameter of a rule stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// The width of bit-vectors.
    Width,
    /// The order of a finite field.
    Prime,
    /// The exponent bits of a floating-point sort; the next parameter is its significand.
    Exponent,
    /// The significand bits of a floating-point sort.
    Significand,
    /// Any sort.
    Sort,
    /// A numeral between these two, as an index.
    Numeral(u32, u32),
    /// A constructor: the names that its datatype and its selectors (with their sorts) have in the rule.
    Constructor {
        /// The datatype.
        datatype: Box<str>,
        /// Selectors and their sorts.
        fields: Vec<(Box<str>, Box<str>)>,
    },
}

/// Parameters with their kinds.
pub type Parameters = Vec<(Box<str>, ParameterKind)>;

/// The most numbers that a numeral may stand for.
const MOST_NUMERALS: u32 = 64;
/// The most instances of a rule.
const MOST_INSTANCES: usize = 4000;

/// Reads `((w Width) (E Sort) (n (Numeral 1 4)) (c (Constructor D (s A))))`. A constructor also makes its datatype, selectors
/// and their sorts known.
pub fn parameters(list: &[Sexpr]) -> Result<Parameters, String> {
    let mut out = Parameters::new();
    for (name, kind) in each_parameter(list)? {
        if out.iter().any(|(n, _)| *n == name) {
            return Err(format!("two parameters have the name {name}"));
        }
        if let ParameterKind::Numeral(low, high) = kind {
            if low > high {
                return Err(format!("there is no number between {low} and {high}"));
            }
            if high - low >= MOST_NUMERALS {
                let most = format!("more than {MOST_NUMERALS} numbers");
                return Err(format!("{name} stands for {most}, from {low} to {high}"));
            }
        }
        out.push((name, kind));
    }
    let count = instances::count(&out, &instances::Coverage::default());
    if count > MOST_INSTANCES {
        return Err(format!("it has {count} instances; no more than {MOST_INSTANCES} are proved"));
    }
    Ok(out)
}

fn each_parameter(list: &[Sexpr]) -> Result<Parameters, String> {
    list.iter()
        .map(|p| {
            let wrong = || format!("the parameter {p} is not (NAME KIND)");
            let Some([name, kind]) = p.list() else { return Err(wrong()) };
            let kind = match (kind.atom(), kind.list()) {
                (Some("Width"), _) => ParameterKind::Width,
                (Some("Prime"), _) => ParameterKind::Prime,
                (Some("Exponent"), _) => ParameterKind::Exponent,
                (Some("Significand"), _) => ParameterKind::Significand,
                (Some("Sort"), _) => ParameterKind::Sort,
                (_, Some([head, low, high])) if head.atom() == Some("Numeral") => {
                    let number = |e: &Sexpr| e.atom().and_then(|a| a.parse().ok());
                    let (low, high) = (number(low), number(high));
                    ParameterKind::Numeral(low.ok_or_else(wrong)?, high.ok_or_else(wrong)?)
                }
                (_, Some([head, datatype, fields @ ..])) if head.atom() == Some("Constructor") => {
                    let fields = fields.iter().map(|f| match f.list() {
                        Some([s, a]) => Some((s.atom()?.into(), a.atom()?.into())),
                        _ => None,
                    });
                    let fields: Option<Vec<_>> = fields.collect();
                    ParameterKind::Constructor {
                        datatype: datatype.atom().ok_or_else(wrong)?.into(),
                        fields: fields.ok_or_else(wrong)?,
                    }
                }
                _ => return Err(wrong()),
            };
            Ok((name.atom().ok_or_else(wrong)?.into(), kind))
        })
        .collect()
}

/// Parameters and variables are replaced by name wherever a rule is used: one that is called as a sort or an operator would take its
/// place, too, and the rule could not be read there.
fn own_names<'a>(rule: &str, names: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    // An arena without a script knows the words of the language, and no other.
    let language = smelt_smtlib::Arena::new();
    match names.into_iter().find(|n| language.find_sym(n).is_some()) {
        Some(n) => Err(format!("the rule `{rule}`: `{n}` is a word of SMT-LIB, and no name")),
        None => Ok(()),
    }
}

/// The names that parameters have in a rule.
fn parameter_names(parameters: &Parameters) -> impl Iterator<Item = &str> {
    parameters.iter().flat_map(|(name, kind)| {
        let (datatype, fields): (Option<&str>, &[_]) = match kind {
            ParameterKind::Constructor { datatype, fields } => (Some(datatype), fields),
            _ => (None, &[]),
        };
        let selectors = fields.iter().map(|(s, _)| &**s);
        std::iter::once(&**name).chain(datatype).chain(selectors)
    })
}

/// Values of parameters.
pub type Binding = Vec<(Box<str>, Sexpr)>;

/// Matches a sort with parameters against a sort without; extends the binding.
pub fn match_sort(
    pattern: &Sexpr,
    sort: &Sexpr,
    parameters: &[(Box<str>, ParameterKind)],
    binding: &mut Binding,
) -> bool {
    match (pattern, sort) {
        (Sexpr::Atom(p), _) if parameters.iter().any(|(q, _)| q == p) => {
            match binding.iter().find(|(q, _)| q == p) {
                Some((_, bound)) => bound == sort,
                None => {
                    binding.push((p.clone(), sort.clone()));
                    true
                }
            }
        }
        (Sexpr::Atom(a), Sexpr::Atom(b)) => a == b,
        (Sexpr::List(a), Sexpr::List(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|(x, y)| match_sort(x, y, parameters, binding))
        }
        _ => false,
    }
}

/// Replaces parameters; `v+w-1` is computed.
pub fn instantiate(e: &Sexpr, binding: &Binding) -> Sexpr {
    e.map(&|atom| {
        if let Some((_, by)) = binding.iter().find(|(p, _)| &**p == atom) {
            return Some(by.clone());
        }
        sum(atom, binding).map(|n| Sexpr::Atom(n.to_string().into()))
    })
}

/// The value of a symbol that is a sum or difference of numerals and parameters.
fn sum(atom: &str, binding: &Binding) -> Option<u64> {
    if !atom.contains(['+', '-']) || !atom.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let mut total = 0i64;
    let mut sign = 1;
    let mut rest = atom;
    loop {
        let end = rest.find(['+', '-']).unwrap_or(rest.len());
        let part = &rest[..end];
        let bound = binding.iter().find(|(p, _)| &**p == part).and_then(|(_, v)| v.atom());
        let value = bound.unwrap_or(part).parse::<i64>().ok()?;
        total = total.checked_add(sign * value)?;
        if end == rest.len() {
            return u64::try_from(total).ok();
        }
        sign = if rest[end..].starts_with('+') { 1 } else { -1 };
        rest = &rest[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances() {
        let read = |t: &str| Sexpr::read(t).unwrap().remove(0);
        let parameters = [("v".into(), ParameterKind::Width), ("E".into(), ParameterKind::Sort)];
        let check = |pattern: &str, sort: &str, term: &str, expect: Option<&str>| {
            let mut binding = Binding::new();
            let fits = match_sort(&read(pattern), &read(sort), &parameters, &mut binding);
            let found = fits.then(|| instantiate(&read(term), &binding).to_string());
            assert_eq!(found.as_deref(), expect);
        };
        check("Int", "Int", "(+ x 1)", Some("(+ x 1)"));
        check("(_ BitVec v)", "(_ BitVec 8)", "((_ extract v-1 0) x)", Some("((_ extract 7 0) x)"));
        check("(_ BitVec v)", "(_ BitVec 8)", "(_ BitVec v+v)", Some("(_ BitVec 16)"));
        check("(Seq E)", "(Seq (Array Int Int))", "(as e E)", Some("(as e (Array Int Int))"));
        check("(Array E E)", "(Array Int Real)", "x", None);
        check("Int", "Real", "x", None);
        // Symbols that are not sums stay.
        check("(_ BitVec v)", "(_ BitVec 8)", "(str.++ - v+x)", Some("(str.++ - v+x)"));
        // Nor are those whose sum is no number of a sort.
        for sum in
            ["9223372036854775807+v", "0-9223372036854775807-v", "99999999999999999999+v", "v-9"]
        {
            check("(_ BitVec v)", "(_ BitVec 8)", sum, Some(sum));
        }
    }
}
