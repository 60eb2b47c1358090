//! Texts by which the output of a solver is told apart.

use serde::Deserialize;

/// What a solver's own checkers look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// A model.
    Model,
    /// An unsat core.
    Core,
    /// A proof.
    Proof,
}

/// What the checkers of a solver print. A text matches where it occurs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfCheck {
    /// Complaints about models.
    pub models: Vec<String>,
    /// Complaints about unsat cores.
    pub cores: Vec<String>,
    /// Complaints about proofs.
    pub proofs: Vec<String>,
}

impl SelfCheck {
    /// What a text complains about, if it is a complaint. (One about a model quotes the script: the others go first.)
    pub fn about(&self, text: &str) -> Option<Checked> {
        if Patterns::is_parse_error(text) {
            return None;
        }
        [
            (&self.proofs, Checked::Proof),
            (&self.cores, Checked::Core),
            (&self.models, Checked::Model),
        ]
        .into_iter()
        .find(|(texts, _)| texts.iter().any(|t| text.contains(t.as_str())))
        .map(|(_, checked)| checked)
    }
}

/// Texts that classify output. A text matches where it occurs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Patterns {
    /// Internal errors: a crash, even in the clothes of an `(error …)`.
    pub crash: Vec<String>,
    /// Complaints of the solver's own checkers, among the crashes.
    pub self_check: SelfCheck,
    /// The solver says that it cannot do this.
    pub unsupported: Vec<String>,
    /// Memory ran out.
    pub out_of_memory: Vec<String>,
    /// Time ran out.
    pub timeout: Vec<String>,
    /// A reason of `unknown` that means the resource limit.
    pub resource: Vec<String>,
    /// Reasons of `unknown` that are no lack of completeness: it was stopped, or says that it does not do this at all. Compared
    /// without case; the lists above count, too.
    pub excused: Vec<String>,
    /// An option that this release does not know.
    pub unknown_option: Vec<String>,
    /// Starts of lines that mean nothing (warnings).
    pub ignore: Vec<String>,
    /// Starts of lines that explain an `unsupported` which takes nothing away from the answers behind it: z3 ignores a
    /// logic that it does not know and goes on with its general solver.
    pub harmless: Vec<String>,
}

impl Patterns {
    /// Whether an error tells of an internal one.
    pub fn is_crash(&self, error: &str) -> bool {
        !Self::is_parse_error(error) && self.crash.iter().any(|p| error.contains(p.as_str()))
    }

    /// Whether it is about the script, which it quotes: no word in it means anything.
    pub(crate) fn is_parse_error(text: &str) -> bool {
        text.starts_with("Parse Error")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    /// What cvc5's checkers of models, cores and proofs print, as its issues and sources have it, is not taken for a crash.
    #[test]
    fn complaints_of_cvc5() {
        let profiles = Profiles::embedded();
        let p = &profiles.get("cvc5").unwrap().patterns;
        let check = |place: &str, text: &str, expect: Option<Checked>| {
            let said = format!("Fatal failure within F() at /b/cvc5/src/{place}\n{text}\n");
            let crash = crate::signature::find_crash("", &said, None, &p.crash).unwrap();
            let signature = crash.signature();
            assert_eq!(p.self_check.about(&signature), expect, "{signature}");
        };
        check(
            "smt/solver_engine.cpp:1500",
            "Internal error detected SolverEngine::checkUnsatCore(): produced core was satisfiable.",
            Some(Checked::Core),
        );
        check(
            "smt/check_models.cpp:120",
            "Internal error detected SolverEngine::checkModel(): ERRORS SATISFYING ASSERTIONS WITH MODEL:",
            Some(Checked::Model),
        );
        for (place, text) in [
            (
                "proof/proof_node_manager.cpp:245",
                "Unreachable code reached Generated a proof that is not closed by the scope: \nFree assumption: d",
            ),
            (
                "proof/proof_checker.cpp:106",
                "Unreachable code reached ProofChecker::check: failed, ",
            ),
            (
                "proof/proof_checker.cpp:71",
                "Unreachable code reached ProofChecker::check: child proof was invalid (null conclusion)",
            ),
            (
                "proof/proof_ensure_closed.cpp:141",
                "Check failure\n\n isClosed\n...ensureClosed: open proof from ProofNode in context F",
            ),
            (
                "proof/proof_node_updater.cpp:191",
                "Unhandled case encountered ProofNodeUpdater::processInternal: cyclic proof! (use --proof-check=eager)",
            ),
        ] {
            check(place, text, Some(Checked::Proof));
        }
        check("proof/lazy_proof.cpp:7", "Check failure\n\n pg != nullptr", None);
        check("theory/arith/x.cpp:7", "Unreachable code reached", None);
    }
}
