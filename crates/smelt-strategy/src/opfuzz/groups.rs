//! Groups of operators in the format of YinYang's `operator_mutations.txt`.
//!
//! ```text
//! ; a comment
//! =,distinct            the operators of a line can replace each other
//! +,-,* :arity 2+       if there are two arguments or more (also `2-`: or fewer, `2`: exactly two)
//! abs -> -              one way only
//! ```

use smelt_smtlib::{Binder, Head, Op};

use super::candidates::Candidate;
use crate::Refusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Op(Op),
    Binder(Binder),
}

#[derive(Debug, PartialEq, Eq)]
struct Group {
    from: Vec<Symbol>,
    to: Vec<Symbol>,
    low: usize,
    high: usize,
}

/// What may replace what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Groups(Vec<Group>);

impl Groups {
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut out = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split(';').next().unwrap_or("").trim();
            if !line.is_empty() {
                let group = group(line).map_err(|e| format!("operators, line {}: {e}", i + 1))?;
                out.push(group);
            }
        }
        Ok(Self(out))
    }

    /// Whether a group lets the one become the other.
    pub fn permit(&self, from: Head, to: Candidate, arity: usize) -> bool {
        let from = match from {
            Head::Op(op, _) => Symbol::Op(op),
            Head::Bind(b, _) => Symbol::Binder(b),
            _ => return false,
        };
        let to = match to {
            Candidate::Op(op) => Symbol::Op(op),
            Candidate::Binder(b) => Symbol::Binder(b),
            Candidate::Fun(_) => return false,
        };
        self.0.iter().any(|g| {
            (g.low..=g.high).contains(&arity) && g.from.contains(&from) && g.to.contains(&to)
        })
    }
}

fn group(line: &str) -> Result<Group, String> {
    let (line, condition) = match line.split_once(':') {
        Some((line, c)) => (line, Some(c.trim())),
        None => (line, None),
    };
    let (low, high) = match condition {
        None => (0, usize::MAX),
        Some(c) => {
            let n = c.strip_prefix("arity").ok_or("only `:arity` may follow the operators")?;
            let n = n.trim_start_matches(':').trim();
            let number = |s: &str| {
                s.parse::<usize>().map_err(|_| format!("`{n}` is no arity such as 2, 2+ or 1-"))
            };
            match (n.strip_suffix('+'), n.strip_suffix('-')) {
                (Some(n), _) => (number(n)?, usize::MAX),
                (_, Some(n)) => (0, number(n)?),
                _ => (number(n)?, number(n)?),
            }
        }
    };
    let (from, to) = match line.split_once("->") {
        Some((from, to)) => (symbols(from)?, symbols(to)?),
        None => {
            let all = symbols(line)?;
            (all.clone(), all)
        }
    };
    Ok(Group { from, to, low, high })
}

fn symbols(list: &str) -> Result<Vec<Symbol>, String> {
    let mut out = Vec::new();
    for name in list.split(',').map(str::trim) {
        match name {
            "forall" => out.push(Symbol::Binder(Binder::Forall)),
            "exists" => out.push(Symbol::Binder(Binder::Exists)),
            _ => match Op::by_name(name) {
                [] => return Err(format!("unknown operator `{name}`")),
                ops => out.extend(ops.iter().map(|&op| Symbol::Op(op))),
            },
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::Idx;

    #[test]
    fn format() {
        let groups = Groups::parse("; Operators\n\n=,distinct\nexists,forall\n not -> and,or\n+,-,* :arity 2+\nabs,-: arity: 1\n").unwrap();
        let may = |from, to, n| groups.permit(Head::Op(from, Idx::NONE), Candidate::Op(to), n);
        assert!(may(Op::Eq, Op::Distinct, 3) && may(Op::Distinct, Op::Eq, 2));
        assert!(may(Op::Not, Op::Or, 1) && !may(Op::Or, Op::Not, 1));
        assert!(may(Op::Add, Op::Sub, 2) && !may(Op::Add, Op::Sub, 1));
        assert!(may(Op::Abs, Op::Neg, 1) && !may(Op::Abs, Op::Neg, 2));
        assert!(!may(Op::Add, Op::Eq, 2));
    }

    #[test]
    fn errors() {
        let error = |text: &str| Groups::parse(text).unwrap_err();
        assert_eq!(error("\n=,foo"), "operators, line 2: unknown operator `foo`");
        assert_eq!(error("+,- :arity x"), "operators, line 1: `x` is no arity such as 2, 2+ or 1-");
        assert_eq!(
            error("+,- :size 2"),
            "operators, line 1: only `:arity` may follow the operators"
        );
        assert_eq!(error("+,"), "operators, line 1: unknown operator ``");
    }
}
