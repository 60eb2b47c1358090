//! What is proved: the record beside the rules. A proof belongs to the text of a rule, by its digest, and to sort instances.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write;

use super::claim::Claim;
use super::sexpr::Sexpr;

/// The record of the rules that smelt comes with.
pub const EMBEDDED: &str = include_str!("../../../../rules/PROOFS");

/// Instances that were proved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The instances, by their labels.
    pub labels: Vec<Box<str>>,
    /// Who proved each of them, with version.
    pub solvers: Vec<Box<str>>,
    /// Up to this length of strings and sequences only.
    pub bound: Option<u32>,
}

/// What is known about one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Digest of what the rule says.
    pub hash: Box<str>,
    /// Random values on which it held.
    pub held: u64,
    /// Proofs.
    pub proofs: Vec<Proof>,
    /// Instances that nobody proved.
    pub open: Vec<Box<str>>,
}

/// What may be said about a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Solvers proved it, for all of the recorded sort instances.
    Proved,
    /// Solvers proved it up to a length of strings or sequences; off unless a proof is written beside it.
    Bounded,
    /// No single query says it: solvers proved instances; off unless a proof is written beside it.
    Schema,
    /// Nobody proved an instance.
    Open,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Bounded => "bounded",
            Self::Schema => "schema",
            Self::Open => "open",
        })
    }
}

impl Entry {
    /// The state of a rule with this entry.
    pub fn state(&self, claim: &Claim) -> State {
        match () {
            _ if self.proofs.is_empty() => State::Open,
            _ if claim.is_schema() => State::Schema,
            _ if self.proofs.iter().any(|p| p.bound.is_none()) => State::Proved,
            _ => State::Bounded,
        }
    }

    /// How many instances at least so many solvers proved without a bound.
    pub fn proved_by(&self, solvers: usize) -> usize {
        let proofs = self.proofs.iter().filter(|p| p.bound.is_none() && p.solvers.len() >= solvers);
        proofs.map(|p| p.labels.len()).sum()
    }
}

/// Entries by the names of rules.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The entries.
    pub entries: BTreeMap<Box<str>, Entry>,
}

impl Record {
    /// Reads a record.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut out = Self::default();
        for e in Sexpr::read(text)? {
            let Some((name, entry)) = entry(&e) else { return Err(format!("not an entry: {e}")) };
            out.entries.insert(name, entry);
        }
        Ok(out)
    }

    /// Whether the rule may be used at an instance where no evaluation checks it.
    pub fn permits(&self, claim: &Claim, hash: &str, label: &str) -> bool {
        let Some(entry) = self.entries.get(&claim.name) else { return false };
        if &*entry.hash != hash {
            return false;
        }
        let has = |p: &&Proof| p.labels.iter().any(|l| &**l == label);
        entry.proofs.iter().filter(has).any(|p| {
            let written = claim.proof.is_some();
            !p.solvers.is_empty() && (written || (p.bound.is_none() && !claim.is_schema()))
        })
    }
}

fn entry(e: &Sexpr) -> Option<(Box<str>, Entry)> {
    let [head, name, hash, rest @ ..] = e.list()? else { return None };
    if head.atom() != Some("rule") {
        return None;
    }
    let mut out = Entry { hash: hash.atom()?.into(), ..Entry::default() };
    let atoms = |e: &Sexpr| -> Option<Vec<Box<str>>> {
        e.list()?.iter().map(|a| a.atom().map(Into::into)).collect()
    };
    for part in rest {
        let list = part.list()?;
        match (list.first()?.atom()?, list) {
            ("held", [_, n]) => out.held = n.atom()?.parse().ok()?,
            ("open", [_, labels]) => out.open = atoms(labels)?,
            ("proved", [_, labels, solvers]) => {
                let (labels, solvers) = (atoms(labels)?, atoms(solvers)?);
                out.proofs.push(Proof { labels, solvers, bound: None });
            }
            ("bounded", [_, n, labels, solvers]) => {
                let bound = Some(n.atom()?.parse().ok()?);
                let (labels, solvers) = (atoms(labels)?, atoms(solvers)?);
                out.proofs.push(Proof { labels, solvers, bound });
            }
            _ => return None,
        }
    }
    Some((name.atom()?.into(), out))
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "; What `smelt rules verify --write` found: which solvers answered `unsat` to the negation of"
        )?;
        writeln!(
            f,
            "; each rule, at which sorts. The number behind a name is the digest of what the rule says."
        )?;
        for (name, e) in &self.entries {
            let mut text = format!("(rule {name} {} (held {})", e.hash, e.held);
            for p in &e.proofs {
                let head = match p.bound {
                    None => "proved".to_owned(),
                    Some(n) => format!("bounded {n}"),
                };
                let (labels, solvers) = (p.labels.join(" "), p.solvers.join(" "));
                let _ = write!(text, "\n  ({head} ({labels}) ({solvers}))");
            }
            if !e.open.is_empty() {
                let _ = write!(text, "\n  (open ({}))", e.open.join(" "));
            }
            writeln!(f, "{text})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let text = "(rule a 12ab (held 7)\n  (proved (w=1 w=2) (z3-1 cvc5-2))\n  (bounded 3 (any) (z3-1)))\n(rule b 3f (held 0)\n  (open (any)))\n";
        let record = Record::read(text).unwrap();
        let lines: Vec<String> =
            record.to_string().lines().skip(2).map(|l| format!("{l}\n")).collect();
        assert_eq!(lines.concat(), text);
        assert_eq!(record.entries["a"].proved_by(2), 2);
        assert_eq!(record.entries["a"].proved_by(3), 0);
        assert!(Record::read("(rule a)").is_err() && Record::read("(law a b)").is_err());
    }
}
