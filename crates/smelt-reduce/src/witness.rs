//! The witness of a script: a model as text, so that it outlives the arena it was read in. What is said of symbols that a smaller
//! script does not have is left out.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use smelt_eval::{
    Evaluator, Limits, Model, ModelOptions, Value, beyond_assertions, model_text, parse_model_at,
    value_to_smtlib,
};
use smelt_smtlib::{Arena, Command, Fun, Script, Sort, print_sort, write_symbol};

use crate::search::Reducible;
use crate::text::{Text, TextEdit, items};

/// What a model says of one symbol, or else.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The symbol as it is written, if it is a definition of one.
    name: Option<String>,
    text: String,
}

impl Definition {
    /// The value of a constant; `None` if it cannot be written.
    pub(crate) fn of(a: &Arena, f: Fun, value: &Value, sort: Sort) -> Option<Self> {
        let name = symbol(a, f);
        let value = value_to_smtlib(a, value, sort)?;
        let mut text = String::new();
        let _ = write!(text, "(define-fun {name} () {} {value})", print_sort(a, sort));
        Some(Self { name: Some(name), text })
    }
}

fn symbol(a: &Arena, f: Fun) -> String {
    let mut name = String::new();
    write_symbol(a.name(a.fun(f).name), &mut name);
    name
}

/// A model in the words of the standard.
#[derive(Clone, Debug)]
pub struct Witness {
    definitions: Vec<Definition>,
}

impl Witness {
    /// Takes a model apart.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or_default();
        let definitions = items(inner).into_iter().map(|item| {
            let defines = item.strip_prefix("(define-fun ");
            let name =
                defines.map(|rest| items(rest).first().copied().unwrap_or_default().to_owned());
            Definition { name, text: item.to_owned() }
        });
        Self { definitions: definitions.collect() }
    }

    /// A model that is at hand; `None` if it has values that cannot be written.
    pub fn of(script: &Script, model: &Model) -> Option<Self> {
        model_text(script, model).ok().map(|text| Self::read(&text))
    }

    /// The text, as far as it is about symbols of a script.
    pub fn text(&self, script: &Script) -> String {
        let declared: FxHashSet<String> = script
            .commands
            .iter()
            .filter_map(|c| {
                if let Command::DeclareFun(f) = c { Some(symbol(&script.arena, *f)) } else { None }
            })
            .collect();
        let mut out = String::from("(\n");
        for d in &self.definitions {
            // Elements of sorts, and what else is no definition, stay.
            if d.name.as_ref().is_none_or(|n| declared.contains(n)) {
                out.push_str(&d.text);
                out.push('\n');
            }
        }
        out.push(')');
        out
    }

    /// Says something of one more symbol.
    pub(crate) fn add(&mut self, d: Definition) {
        self.definitions.push(d);
    }

    /// It with other words in the place of some.
    pub(crate) fn reworded(&self, words: &[&(String, String)]) -> Self {
        let other = |text: &str| {
            let edits: Vec<TextEdit> = words
                .iter()
                .map(|(old, new)| TextEdit::Rename(old.as_str().into(), new.as_str().into()))
                .collect();
            let edits: Vec<&TextEdit> = edits.iter().collect();
            let text = Text::read(text).edited(&edits)?;
            Some(text.text().trim_end().to_owned())
        };
        let definitions = self.definitions.iter().map(|d| Definition {
            name: d.name.clone(),
            text: other(&d.text).unwrap_or_else(|| d.text.clone()),
        });
        Self { definitions: definitions.collect() }
    }

    /// What is not about some symbols.
    pub(crate) fn without(&self, a: &Arena, funs: &[Fun]) -> Self {
        let names: FxHashSet<String> = funs.iter().map(|&f| symbol(a, f)).collect();
        let kept =
            self.definitions.iter().filter(|d| d.name.as_ref().is_none_or(|n| !names.contains(n)));
        Self { definitions: kept.cloned().collect() }
    }

    /// This witness with further definitions.
    pub(crate) fn with(mut self, more: Vec<Definition>) -> Self {
        self.definitions.extend(more);
        self
    }

    /// The model in the arena of a script, which it may add to; symbols that it says nothing of have defaults.
    pub fn model(&self, script: &mut Script, check: usize) -> Option<Model> {
        let text = self.text(script);
        let command = script.queries().get(check)?.command;
        parse_model_at(script, command, text.as_bytes(), &ModelOptions::default()).ok()
    }

    /// Whether it satisfies a check of a script.
    pub fn satisfies(&self, script: &Script, check: usize) -> bool {
        let mut script = script.clone();
        let Some(query) = script.queries().into_iter().nth(check) else { return false };
        if beyond_assertions(&script, &query).is_some() {
            return false;
        }
        let Some(model) = self.model(&mut script, check) else { return false };
        let mut evaluator = Evaluator::new(Limits::default());
        query
            .assertions
            .iter()
            .all(|&t| evaluator.eval(&script.arena, &model, t) == Ok(Value::TRUE))
    }
}
