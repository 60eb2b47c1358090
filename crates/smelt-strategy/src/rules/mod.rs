//! Rules as data: files of s-expressions, with parametric sorts.
//!
//! The format is described at the top of `rules/fusion.rules`. A rule is kept as text and instantiated for given sorts by
//! replacing its parameters; what comes out is read by the ordinary parser, so that rules are checked like scripts.

pub mod fusion;
pub mod sexpr;

use sexpr::Sexpr;

/// What a parameter of a rule stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A numeral in a sort.
    Width,
    /// A sort.
    Sort,
}

/// Values of parameters.
pub type Binding = Vec<(Box<str>, Sexpr)>;

/// Matches a sort with parameters against a sort without; extends the binding.
pub fn match_sort(
    pattern: &Sexpr,
    sort: &Sexpr,
    parameters: &[(Box<str>, Kind)],
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
        total += sign * bound.unwrap_or(part).parse::<i64>().ok()?;
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
        let parameters = [("v".into(), Kind::Width), ("E".into(), Kind::Sort)];
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
    }
}
