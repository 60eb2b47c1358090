//! What a rule says, as a proposition: under these assumptions, for all values of the variables, the conclusion holds.

use std::fmt::Write;

use super::instances::Instance;
use super::sexpr::Sexpr;
use super::{ParameterKind, Parameters, instantiate};

/// A variable of a rule.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Box<str>,
    /// Its sort; `(-> A B)` is a term of sort B with holes of sort A.
    pub sort: Sexpr,
    /// Whether it stands for constants only.
    pub literal: bool,
}

impl Variable {
    /// A variable.
    pub fn new(name: &str, sort: Sexpr, literal: bool) -> Self {
        Self { name: name.into(), sort, literal }
    }

    /// Argument sorts and result, if it is a function.
    pub fn function(&self) -> Option<(&[Sexpr], &Sexpr)> {
        match self.sort.list() {
            Some([arrow, args @ .., ret]) if arrow.atom() == Some("->") => Some((args, ret)),
            _ => None,
        }
    }

    /// Whether it is a regular language, which no solver quantifies over.
    pub fn is_language(&self) -> bool {
        self.sort.atom() == Some("RegLan")
    }
}

/// What a rule says.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The rule's name.
    pub name: Box<str>,
    /// Parameters of the sorts.
    pub parameters: Parameters,
    /// Variables.
    pub vars: Vec<Variable>,
    /// Assumptions.
    pub assume: Vec<Sexpr>,
    /// The conclusion.
    pub conclude: Sexpr,
    /// A written proof.
    pub proof: Option<Box<str>>,
}

impl Claim {
    /// A digest of everything that the claim says: a proof is a proof of this text.
    pub fn hash(&self) -> String {
        let mut text = String::new();
        let _ = write!(text, "{:?} ", self.parameters);
        for v in &self.vars {
            let _ = write!(text, "({} {} {}) ", v.name, v.sort, v.literal);
        }
        for a in &self.assume {
            let _ = write!(text, "{a} ");
        }
        let _ = write!(text, "|- {}", self.conclude);
        smelt_case::digest(text.as_bytes())[..12].to_owned()
    }

    /// Whether no single query is the whole claim: it speaks of all regular languages, or of all datatypes.
    pub fn is_schema(&self) -> bool {
        self.vars.iter().any(Variable::is_language)
            || self.parameters.iter().any(|(_, k)| matches!(k, ParameterKind::Constructor { .. }))
    }

    /// The claim in one line.
    pub fn line(&self) -> String {
        let assume: Vec<String> = self.assume.iter().map(ToString::to_string).collect();
        match &assume[..] {
            [] => self.conclude.to_string(),
            _ => format!("{} |- {}", assume.join(", "), self.conclude),
        }
    }

    /// Declarations of an instance's variables.
    fn declarations(&self, instance: &Instance) -> String {
        let mut text = instance.declarations.clone();
        for v in &self.vars {
            if instance.binding.iter().any(|(n, _)| *n == v.name) {
                // A language that is chosen.
                continue;
            }
            let _ = match v.function() {
                Some((args, ret)) => {
                    let args: Vec<String> = args
                        .iter()
                        .map(|s| instantiate(s, &instance.binding).to_string())
                        .collect();
                    let ret = instantiate(ret, &instance.binding);
                    writeln!(text, "(declare-fun {} ({}) {ret})", v.name, args.join(" "))
                }
                None => {
                    writeln!(
                        text,
                        "(declare-const {} {})",
                        v.name,
                        instantiate(&v.sort, &instance.binding)
                    )
                }
            };
        }
        text
    }

    /// A script that is unsatisfiable if and only if the instance holds. With a bound, strings and sequences are no longer
    /// than that.
    pub fn negation(&self, instance: &Instance, bound: Option<u32>) -> String {
        let mut text = self.declarations(instance);
        for a in &self.assume {
            let _ = writeln!(text, "(assert {})", instantiate(a, &instance.binding));
        }
        if let Some(n) = bound {
            for v in self.vars.iter().filter(|v| v.sort.atom() == Some("String")) {
                let _ = writeln!(text, "(assert (<= (str.len {}) {n}))", v.name);
            }
            let seq = |v: &&Variable| {
                v.sort.list().is_some_and(|l| l.first().and_then(Sexpr::atom) == Some("Seq"))
            };
            for v in self.vars.iter().filter(seq) {
                let _ = writeln!(text, "(assert (<= (seq.len {}) {n}))", v.name);
            }
        }
        let conclude = instantiate(&self.conclude, &instance.binding);
        let _ = writeln!(text, "(assert (not {conclude}))\n(check-sat)");
        text
    }

    /// A script whose first assertions are the assumptions and whose last is the conclusion.
    pub fn statement(&self, instance: &Instance) -> String {
        let mut text = self.declarations(instance);
        for a in &self.assume {
            let _ = writeln!(text, "(assert {})", instantiate(a, &instance.binding));
        }
        let _ = writeln!(
            text,
            "(assert {})\n(check-sat)",
            instantiate(&self.conclude, &instance.binding)
        );
        text
    }

    /// Whether a bound on the length of strings and sequences makes the claim easier.
    pub fn can_be_bounded(&self) -> bool {
        self.vars.iter().any(|v| {
            v.sort.atom() == Some("String")
                || v.sort.list().is_some_and(|l| l.first().and_then(Sexpr::atom) == Some("Seq"))
        })
    }
}
