//! How a solver is run: what is asked of it, and its options.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits::{Limits, Requests, Setup};

/// How a solver is run for a chain. Checking options rotate, so that they do not hide what happens without them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mode {
    /// Ask for models.
    pub models: bool,
    /// Ask for unsat cores, and run them.
    pub cores: bool,
    /// Let the solver check its own models and cores.
    pub self_check: bool,
    /// Let the solver check its own proofs: whoever runs it puts its options for that in the place of this.
    pub proofs: bool,
    /// Keep scripts apart by push and pop: the solver's incremental code.
    pub push_pop: bool,
    /// As somebody runs it who knows nothing of smelt: without the arguments that its profile gives to every run, as far as a script may do without.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bare: bool,
    /// Further options.
    pub options: Vec<String>,
    /// A tactic instead of the plain check.
    pub tactic: Option<String>,
    /// The logic that scripts are declared in, where two must be asked in one; the empty text is none at all. Without it, each is in the
    /// smallest that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logic: Option<String>,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = [
            (!self.models, "models off"),
            (self.self_check, "its own checks on"),
            (self.cores, "unsat cores on"),
            (self.proofs, "its proofs checked"),
            (self.push_pop, "scripts apart by push and pop"),
        ];
        let mut words: Vec<String> = self.options.clone();
        words.extend(on.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()));
        words.extend(self.tactic.iter().map(|tactic| format!("the tactic {tactic}")));
        match words.is_empty() {
            true => f.write_str("default options"),
            false => write!(f, "options: {}", words.join(", ")),
        }
    }
}

impl Mode {
    /// Models and nothing else: how findings are confirmed first.
    pub fn plain() -> Self {
        Self { models: true, ..Self::default() }
    }

    /// Whether it has options or a tactic of the solver's own, its checkers included.
    pub fn is_varied(&self) -> bool {
        !self.options.is_empty() || self.tactic.is_some() || self.self_check
    }

    /// The mode without options and tactics of the solver's own, and without its checkers.
    pub fn unvaried(&self) -> Self {
        Self { options: Vec::new(), tactic: None, self_check: false, ..self.clone() }
    }

    /// The setup of a run.
    pub fn setup(&self, limits: Limits) -> Setup {
        Setup {
            models: self.models,
            cores: self.cores,
            incremental: self.push_pop,
            self_check: self.self_check,
            bare: self.bare,
            extra: self.options.clone(),
            limits,
        }
    }

    /// What is asked after an answer.
    pub fn requests(&self) -> Requests {
        Requests { model: self.models, core: self.cores }
    }
}
