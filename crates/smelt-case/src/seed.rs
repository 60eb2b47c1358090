//! Seeds: scripts with what is known about their checks.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use smelt_eval::Model;
use smelt_smtlib::{Arena, Script, Status};

/// Where a status comes from, from the weakest to the strongest.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Nowhere: it is not known.
    #[default]
    Nothing,
    /// The script's own `:status`.
    Annotated,
    /// These solvers agree.
    Agreed(Vec<String>),
    /// smelt's evaluator finds a model true, or has tried all values of a finite domain.
    Evaluated,
}

/// What is known about one check of a seed.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Its status.
    pub status: Status,
    /// Where the status comes from.
    pub basis: Basis,
    /// A model that smelt's evaluator finds true: of the check if it is sat, of the negation of its assertions if it is
    /// unsat.
    pub model: Option<Arc<Model>>,
}

/// What is known about one check of a seed, as text: enough to make the same [`Known`] again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Its status.
    pub status: Status,
    /// Where the status comes from.
    pub basis: Basis,
    /// A model (see [`Known::model`]), as the solver printed it.
    pub model: Option<String>,
    /// Whether strings in it have the escapes of old solvers.
    #[serde(default)]
    pub old_escapes: bool,
}

/// A script to start from. Its arena is frozen: chains of mutants work in overlays of it.
#[derive(Clone)]
pub struct Seed {
    /// Where it comes from: a path, or the name of an embedded seed.
    pub name: String,
    /// Digest of its text, in hexadecimal. Mutants depend on it, not on the name.
    pub hash: String,
    /// The script.
    pub script: Script,
    /// One entry per check.
    pub checks: Vec<Known>,
}

impl Seed {
    /// A seed; the models among what is known belong to the script's arena. Names that mean something in the language, too,
    /// are changed: strategies bring in operators and sorts.
    pub fn new(name: String, hash: String, mut script: Script, checks: Vec<Known>) -> Self {
        script.keep_names_apart();
        let Script { arena, commands } = script;
        let arena = Arc::unwrap_or_clone(arena.freeze());
        Self { name, hash, script: Script { arena, commands }, checks }
    }

    /// A copy of the script to work in: an overlay over the frozen arena.
    pub fn workspace(&self) -> Script {
        Script { arena: Arena::overlay(&self.script.arena), commands: self.script.commands.clone() }
    }

    /// What is known about the only check, if there is exactly one.
    pub fn single(&self) -> Option<&Known> {
        match self.checks.as_slice() {
            [known] => Some(known),
            _ => None,
        }
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({}, {})", self.name, self.hash)
    }
}

/// The digest of a text by which seeds are known: 32 hexadecimal digits.
pub fn digest(text: &[u8]) -> String {
    Sha256::digest(text).iter().take(16).map(|b| format!("{b:02x}")).collect()
}
