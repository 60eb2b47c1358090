//! S-expressions in the tokens of SMT-LIB, as rule files have them.

use std::fmt;

use smelt_smtlib::write_symbol;

/// An atom, as written but without bars that say nothing, or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    /// A symbol, numeral, string or keyword.
    Atom(Box<str>),
    /// A list.
    List(Vec<Sexpr>),
}

/// Lists nested deeper than this are refused, which keeps walks over them simple.
const MAX_DEPTH: usize = 100;

impl Sexpr {
    /// The text of an atom.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Self::Atom(a) => Some(a),
            Self::List(_) => None,
        }
    }

    /// The parts of a list.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Self::Atom(_) => None,
            Self::List(l) => Some(l),
        }
    }

    /// A copy in which `f` has replaced atoms by other expressions.
    pub fn map(&self, f: &impl Fn(&str) -> Option<Sexpr>) -> Sexpr {
        match self {
            Self::Atom(a) => f(a).unwrap_or_else(|| self.clone()),
            Self::List(l) => Self::List(l.iter().map(|x| x.map(f)).collect()),
        }
    }

    /// Reads a text; an error says the line.
    pub fn read(text: &str) -> Result<Vec<Sexpr>, String> {
        let mut open: Vec<Vec<Sexpr>> = vec![Vec::new()];
        let mut line = 1;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let len = match c {
                '\n' => {
                    line += 1;
                    1
                }
                ';' => rest.find('\n').unwrap_or(rest.len()),
                '(' => {
                    open.push(Vec::new());
                    1
                }
                ')' => {
                    let done = open.pop().unwrap_or_default();
                    let Some(outer) = open.last_mut() else {
                        return Err(format!("line {line}: unexpected `)`"));
                    };
                    outer.push(Self::List(done));
                    1
                }
                c if c.is_whitespace() => c.len_utf8(),
                '"' | '|' => {
                    let end = quoted(rest, c);
                    let Some(end) = end else {
                        return Err(format!("line {line}: unterminated `{c}`"));
                    };
                    line += rest[..end].matches('\n').count();
                    end
                }
                _ => rest
                    .find(|c: char| c.is_whitespace() || "();\"|".contains(c))
                    .unwrap_or(rest.len()),
            };
            let token = &rest[..len];
            if !token.starts_with(|c: char| c.is_whitespace() || "();".contains(c))
                && let Some(list) = open.last_mut()
            {
                let inner = token.strip_prefix('|').and_then(|t| t.strip_suffix('|'));
                list.push(Self::Atom(inner.map_or_else(|| token.into(), symbol)));
            }
            if open.len() > MAX_DEPTH {
                return Err(format!("line {line}: nested too deeply"));
            }
            rest = &rest[len..];
        }
        match (open.len(), open.pop()) {
            (1, Some(all)) => Ok(all),
            _ => Err(format!("line {line}: missing `)`")),
        }
    }
}

/// How a name is written, always: `x` and `|x|` are one symbol.
pub(super) fn symbol(name: &str) -> Box<str> {
    let mut text = String::new();
    write_symbol(name, &mut text);
    text.into()
}

/// Where a quoted token ends; a quote inside of a string is written twice.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut end = 1 + text[1..].find(quote)? + 1;
    while quote == '"' && text[end..].starts_with('"') {
        end += 1 + text[end + 1..].find('"')? + 1;
    }
    Some(end)
}

impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(a) => f.write_str(a),
            Self::List(l) => {
                f.write_str("(")?;
                for (i, x) in l.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    x.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading() {
        let text = "(a |b c| \"d ) e\" ; f\n (:g 1.0))";
        let all = Sexpr::read(text).unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].to_string(), "(a |b c| \"d ) e\" (:g 1.0))");
        assert_eq!(
            Sexpr::read("(|x| |x-1| |let| |1| || |\"|)").unwrap()[0].to_string(),
            "(x x-1 |let| |1| || |\"|)"
        );
        let twice = Sexpr::read("(\"a\"\"b\" \"\" c)").unwrap();
        assert_eq!(twice[0].list().map(<[_]>::len), Some(3));
        assert_eq!(Sexpr::read("(a").unwrap_err(), "line 1: missing `)`");
        assert_eq!(Sexpr::read("\n)").unwrap_err(), "line 2: unexpected `)`");
        assert_eq!(Sexpr::read("\"a").unwrap_err(), "line 1: unterminated `\"`");
        assert!(Sexpr::read(&"(".repeat(1000)).is_err());
    }
}
