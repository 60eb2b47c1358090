//! Known bugs: `known.toml` lists what need not be reported again.

use serde::Deserialize;
use smelt_solver::{Profiles, Version, in_range};

use crate::class::Class;

/// One known bug. A finding is the bug if every given field fits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Name of the solver's profile.
    pub solver: String,
    /// Range of versions, `*` for all.
    #[serde(default = "all")]
    pub versions: String,
    /// The class, if only this one.
    pub class: Option<Class>,
    /// The whole signature.
    pub signature: Option<String>,
    /// A part of the signature; `*` stands for anything.
    pub pattern: Option<String>,
    /// Operators and binders that its scripts have, whatever else is in them: a bug that was put together from several triggers.
    pub operators: Option<Vec<String>>,
    /// Where it is reported.
    pub url: Option<String>,
}

fn all() -> String {
    "*".to_owned()
}

/// The list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownBugs {
    /// The entries.
    #[serde(default)]
    bug: Vec<Known>,
}

impl KnownBugs {
    /// Reads the text of a `known.toml` about solvers with these profiles.
    pub fn from_toml(text: &str, profiles: &Profiles) -> Result<Self, String> {
        let list: Self = toml::from_str(text).map_err(|e| e.to_string())?;
        for k in &list.bug {
            // An entry for nobody would never fit, without a word.
            if !profiles.iter().any(|p| p.name == k.solver) {
                let all: Vec<&str> = profiles.iter().map(|p| p.name.as_str()).collect();
                return Err(format!("{:?} is no solver; there are {}", k.solver, all.join(", ")));
            }
            let all = |p: &String| p.chars().all(|c| c == '*' || c.is_whitespace());
            let names = k.class.is_some() && k.operators.as_ref().is_some_and(|o| !o.is_empty());
            if k.signature.is_none() && k.pattern.as_ref().is_none_or(all) && !names {
                return Err(format!(
                    "an entry for {} has neither signature nor pattern, nor a class and operators: it would hide everything",
                    k.solver
                ));
            }
            // What stands in every signature of the solver.
            let always = format!("{} \0: \0", k.solver);
            if let Some(p) = k.pattern.as_ref().filter(|p| contains(&always, p)) {
                return Err(format!(
                    "the pattern {p:?} of an entry for {} fits all that is found in it: it would hide everything",
                    k.solver
                ));
            }
            if !smelt_solver::is_range(&k.versions) {
                return Err(format!("{:?} is no range of versions", k.versions));
            }
        }
        Ok(list)
    }

    /// The entry that a finding belongs to.
    pub fn find(
        &self,
        solver: &str,
        version: Option<&Version>,
        class: Class,
        signature: &str,
    ) -> Option<&Known> {
        self.bug.iter().find(|k| {
            k.solver == solver
                && in_range(version, &k.versions)
                && k.class.is_none_or(|c| c == class)
                && k.signature.as_ref().is_none_or(|s| s == signature)
                && k.pattern.as_ref().is_none_or(|p| contains(signature, p))
                && k.operators.as_ref().is_none_or(|o| has_all(signature, o))
        })
    }
}

/// Whether a signature names all of these operators.
fn has_all(signature: &str, operators: &[String]) -> bool {
    let (_, named) = signature.split_once(": ").unwrap_or_default();
    operators.iter().all(|o| named.split(' ').any(|n| n == o))
}

/// Whether the pieces between the stars occur one after the other.
fn contains(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching() {
        let list = KnownBugs::from_toml(
            r#"
            [[bug]]
            solver = "z3"
            versions = "<=4.8.10"
            pattern = "QF_S*str.replace"
            url = "https://example.org/1"
            [[bug]]
            solver = "cvc5"
            class = "crash"
            signature = "cvc5 crash: SIGSEGV"
            [[bug]]
            solver = "cvc5"
            versions = ">=1.0.3,<1.1"
            class = "invalid-model"
            operators = ["str.at", "str.len"]
            "#,
            &Profiles::embedded(),
        )
        .unwrap();
        let check = |solver: &str, version: &str, class, signature: &str, expect: bool| {
            let version = Version::parse(version);
            let found = list.find(solver, version.as_ref(), class, signature).is_some();
            assert_eq!(found, expect, "{solver} {version:?} {signature}");
        };
        let model = Class::InvalidModel;
        check("z3", "4.8.7", model, "z3 invalid-model QF_S: str.len str.replace", true);
        check("z3", "4.9", model, "z3 invalid-model QF_S: str.len str.replace", false);
        check("z3", "4.8.7", model, "z3 invalid-model QF_LIA: str.replace", false);
        check("cvc5", "1.0.3", Class::Crash, "cvc5 crash: SIGSEGV", true);
        check("cvc5", "1.0.3", Class::Crash, "cvc5 crash: SIGSEGV: f < g", false);
        check("cvc5", "1.0.3", model, "cvc5 crash: SIGSEGV", false);
        // A bug by its operators; one that is back after its fix is another one.
        let more = "cvc5 invalid-model QF_S: str.++ str.at str.len";
        check("cvc5", "1.0.9", model, more, true);
        check("cvc5", "1.1.2", model, more, false);
        check("cvc5", "1.0.9", model, "cvc5 invalid-model QF_S: str.at str.len.x", false);
    }

    #[test]
    fn bad_lists() {
        for text in [
            "[[bug]]\nsolver = \"z3\"",
            "[[bug]]\nsolver = \"z3\"\npattern = \"* \"",
            "[[bug]]\nsolver = \"z3\"\npattern = \"z3\"",
            "[[bug]]\nsolver = \"z3\"\npattern = \"3 \"",
            "[[bug]]\nsolver = \"z3\"\npattern = \"z*:*\"",
            "[[bug]]\nsolver = \"z3\"\npattern = \": \"\nclass = \"crash\"",
            "[[bug]]\nsolver = \"z3\"\nsignature = \"a\"\nversions = \"old\"",
            "[[bug]]\nsolver = \"z3\"\nsignature = \"a\"\nseverity = 3",
            "[[bug]]\nsolver = \"Z3\"\nsignature = \"a\"",
            "[[bug]]\nsolver = \"z3@4.8.7\"\nsignature = \"a\"",
            "[[bug]]\nsolver = \"z3\"\noperators = [\"+\"]",
            "[[bug]]\nsolver = \"z3\"\nclass = \"crash\"\noperators = []",
            "[[bug]",
        ] {
            assert!(KnownBugs::from_toml(text, &Profiles::embedded()).is_err(), "{text}");
        }
        // Wide, but not everything.
        for pattern in ["refutation", "z3 crash", "SIGSEGV", "z3*QF_S", "crash:"] {
            let text = format!("[[bug]]\nsolver = \"z3\"\npattern = {pattern:?}");
            assert!(KnownBugs::from_toml(&text, &Profiles::embedded()).is_ok(), "{text}");
        }
    }
}
