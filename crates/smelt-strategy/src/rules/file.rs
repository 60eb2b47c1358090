//! Rule files: all kinds of rules in one.

use super::claim::Claim;
use super::fusion::{self, FusionRule};
use super::relation::Relation;
use super::sexpr::Sexpr;

/// The rules of a file.
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    /// Fusion functions.
    pub fusions: Vec<FusionRule>,
    /// Implications and equalities.
    pub relations: Vec<Relation>,
    /// Blocks of a file in the published `#begin … #end` syntax that are no fusion functions, with the reason.
    pub refused: Vec<String>,
}

/// A rule of a file, for lists.
#[derive(Clone, Copy)]
pub enum AnyRule<'a> {
    /// A fusion function.
    Fusion(&'a FusionRule),
    /// An implication or equality.
    Relation(&'a Relation),
}

impl AnyRule<'_> {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Fusion(r) => &r.name,
            Self::Relation(r) => &r.name,
        }
    }

    /// One word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Fusion(_) => "fusion",
            Self::Relation(r) if r.equal => "equal",
            Self::Relation(r) if r.sort.atom() == Some("RegLan") => "inclusion",
            Self::Relation(_) => "implies",
        }
    }

    /// What it says.
    pub fn claim(&self) -> Claim {
        match self {
            Self::Fusion(r) => r.claim(),
            Self::Relation(r) => r.claim(),
        }
    }
}

/// Names stand in records, reports and the names of folders.
fn named(name: &str) -> Result<(), String> {
    let usual = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    match name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(usual) {
        true => Ok(()),
        false => Err(format!(
            "`{name}` is no name of a rule: letters, digits, `-`, `_`, `.` and `/` are, from a letter or digit on"
        )),
    }
}

impl RuleFile {
    /// Reads a file; one error refuses it.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.lines().any(|l| l.trim_start().starts_with("#begin")) {
            let (fusions, refused) = fusion::published(text)?;
            return Ok(Self { fusions, refused, ..Self::default() });
        }
        let mut out = Self::default();
        for e in Sexpr::read(text)? {
            let parts = match e.list() {
                Some([head, name, rest @ ..]) => head.atom().zip(name.atom()).map(|p| (p, rest)),
                _ => None,
            };
            if let Some(((_, name), _)) = parts {
                named(name)?;
            }
            match parts {
                Some((("fusion", _), _)) => out.fusions.push(fusion::rule(&e)?),
                Some(((head @ ("implies" | "equal" | "approximate"), name), rest)) => {
                    out.relations.extend(Relation::read(head, name, rest)?);
                }
                _ => return Err(format!("not a rule: {e}")),
            }
        }
        out.distinct()?;
        Ok(out)
    }

    /// Names are how proofs are found: they must differ.
    fn distinct(&self) -> Result<(), String> {
        let mut names: Vec<&str> = Vec::new();
        for rule in self.all() {
            let name = match rule {
                AnyRule::Fusion(r) => &r.name,
                AnyRule::Relation(r) => &r.name,
            };
            if names.contains(&&**name) {
                return Err(format!("two rules have the name `{name}`"));
            }
            names.push(name);
        }
        Ok(())
    }

    /// All rules, fusion functions first.
    pub fn all(&self) -> impl Iterator<Item = AnyRule<'_>> {
        let relations = self.relations.iter().map(AnyRule::Relation);
        self.fusions.iter().map(AnyRule::Fusion).chain(relations)
    }

    /// Adds the rules of another file.
    pub fn add(&mut self, other: Self) -> Result<(), String> {
        self.fusions.extend(other.fusions);
        self.relations.extend(other.relations);
        self.refused.extend(other.refused);
        self.distinct()
    }
}
