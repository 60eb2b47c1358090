//! A failing script with what must not get lost: which check it is about, and a model that satisfies that.

use std::sync::Arc;

use smelt_smtlib::{Command, Fun, LogicChoice, Naming, PrintOptions, Script, print};

use crate::edit::{Edit, edited};
use crate::original::Original;
use crate::search::Reducible;
use crate::witness::Witness;

/// How a script is written.
#[derive(Clone, Debug)]
pub struct Style {
    /// The words of a dialect.
    pub naming: Naming,
    /// Which logic stands at the top.
    pub logic: LogicChoice,
    /// Whose words are not to be in it.
    pub hides: Option<Arc<Original>>,
}

impl Default for Style {
    fn default() -> Self {
        Self { naming: Naming::Standard, logic: LogicChoice::Smallest, hides: None }
    }
}

/// A failing script.
#[derive(Clone)]
pub struct Subject {
    /// The script.
    pub script: Script,
    /// The check that it is about, from 0; none if it is not known that it is about one.
    pub check: Option<usize>,
    /// A model of that check, if there must be one.
    pub witness: Option<Witness>,
    pub(crate) style: Style,
    text: String,
}

impl Subject {
    /// A failing script. Its terms must be in a layer of its own, as the parser makes them.
    pub fn new(
        script: Script,
        check: Option<usize>,
        witness: Option<Witness>,
        style: Style,
    ) -> Self {
        Self::made(script, check, witness, style)
    }

    pub(crate) fn made(
        script: Script,
        check: Option<usize>,
        witness: Option<Witness>,
        style: Style,
    ) -> Self {
        let options = PrintOptions {
            naming: style.naming,
            logic: style.logic.clone(),
            strip_status: true,
            ..PrintOptions::default()
        };
        let text = print(&script, &options);
        Self { script, check, witness, style, text }
    }

    /// This script, of which words of the original are to go.
    pub fn hiding(self, original: Arc<Original>) -> Self {
        Self { style: Style { hides: Some(original), ..self.style }, ..self }
    }

    /// The constants and functions that are declared, in their order.
    pub(crate) fn declared(&self) -> Vec<Fun> {
        let funs = self
            .script
            .commands
            .iter()
            .filter_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None });
        funs.collect()
    }

    /// Whether the witness satisfies the check. It does not if there is none, or if that cannot be told.
    pub fn witness_holds(&self) -> bool {
        self.witness.as_ref().is_some_and(|w| w.satisfies(&self.script, self.check.unwrap_or(0)))
    }
}

impl Reducible for Subject {
    type Edit = Edit;

    fn text(&self) -> &str {
        &self.text
    }

    fn burden(&self) -> usize {
        self.style.hides.as_ref().map_or(0, |original| original.left_in(&self.text).len())
    }

    fn edited(&self, edits: &[&Edit]) -> Option<Self> {
        edited(self, edits)
    }

    fn learn(&mut self, from: &Self) {
        self.witness.clone_from(&from.witness);
    }
}
