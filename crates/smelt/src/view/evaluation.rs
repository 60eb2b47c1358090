//! What `smelt eval` shows: assertions and terms with their values under a model.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value as Json, json};
use smelt_eval::trace::{Step, trace};
use smelt_eval::{Evaluator, Model, Outcome, Residual, Value, value_to_smtlib};
use smelt_smtlib::{Arena, Sort, Term, print_term};

/// Longest text of a term or a value that is shown.
const SHOWN: usize = 100;

/// A term and its value, as text.
pub struct Shown {
    /// The term.
    pub term: String,
    value: Result<String, String>,
    /// How deep in the assertion it stands, in a trace.
    depth: usize,
    /// For which values of bound variables it has this value.
    instance: Vec<String>,
}

impl Shown {
    /// Its value in a word or two.
    pub fn word(&self) -> String {
        match &self.value {
            Ok(value) => cut(value.clone()),
            Err(why) => format!("undetermined ({why})"),
        }
    }

    /// Where the value was found.
    fn at(&self) -> String {
        match &self.instance[..] {
            [] => String::new(),
            all => format!(" at {}", all.join(", ")),
        }
    }

    /// For machines.
    pub fn json(&self) -> Json {
        match &self.value {
            Ok(value) => json!({ "term": self.term, "value": value }),
            Err(why) => json!({ "term": self.term, "undetermined": why }),
        }
    }
}

/// An assertion under the model.
pub struct Assertion {
    /// Whether it is true; nothing, if that is not determined.
    pub is_true: Option<bool>,
    /// The assertion and its value.
    pub shown: Shown,
    /// The way down to the sub-term that decides, if it is wanted.
    pub trace: Option<Vec<Shown>>,
}

/// A check under the model.
pub struct Check {
    /// Which command it is.
    pub command: usize,
    /// What it asserts.
    pub assertions: Vec<Assertion>,
    /// What is left of a check that is not determined, if it is wanted.
    pub why: Option<Residual>,
}

impl Check {
    fn count(&self, value: Option<bool>) -> usize {
        self.assertions.iter().filter(|a| a.is_true == value).count()
    }

    /// Whether an assertion has this value, if what is left of the check does not decide.
    pub fn is(&self, value: Option<bool>) -> bool {
        match &self.why {
            Some(Residual::True) => value == Some(true),
            Some(Residual::False { .. }) => value == Some(false),
            _ => self.count(value) > 0,
        }
    }

    /// Lines for people.
    pub fn print(&self, number: usize, out: &mut impl Write) -> Result<()> {
        let (yes, no, open) = (self.count(Some(true)), self.count(Some(false)), self.count(None));
        writeln!(out, "check {number}: {yes} true, {no} false, {open} undetermined")?;
        for Assertion { shown, trace, .. } in &self.assertions {
            let mut steps = trace.iter().flatten();
            let at = steps.next().map(Shown::at).unwrap_or_default();
            writeln!(out, "  {}: {}{at}", shown.word(), shown.term)?;
            for s in steps {
                let indent = "  ".repeat(s.depth);
                writeln!(out, "    {indent}{} = {}{}", s.term, s.word(), s.at())?;
            }
        }
        if let Some(why) = &self.why {
            super::residual::show(why, out)?;
        }
        Ok(())
    }

    /// For machines.
    pub fn json(&self) -> Json {
        let step = |s: &Shown| {
            let mut one = s.json();
            (one["depth"], one["instance"]) = (json!(s.depth), json!(s.instance));
            one
        };
        let assertion = |a: &Assertion| {
            let mut one = a.shown.json();
            if let Some(trace) = &a.trace {
                one["trace"] = trace.iter().map(step).collect();
            }
            one
        };
        let assertions: Vec<Json> = self.assertions.iter().map(assertion).collect();
        let mut one = json!({ "command": self.command, "assertions": assertions });
        if let Some(why) = &self.why {
            one["why"] = super::residual::json(why);
        }
        one
    }
}

/// The value of an assertion under a model, and why it is not true if that is wanted.
pub fn assertion(ev: &mut Evaluator, a: &Arena, model: &Model, t: Term, traced: bool) -> Assertion {
    let outcome = ev.judge(a, model, t);
    let is_true = outcome.as_ref().ok().map(|v| *v == Value::TRUE);
    let bound = |(v, x): &(smelt_smtlib::Var, Value)| {
        let d = a.var(*v);
        format!("{} = {}", a.name(d.name), cut(text(a, x, d.sort)))
    };
    let step = |s: &Step| {
        let instance = s.witness.iter().map(bound).collect();
        Shown { depth: s.depth, instance, ..shown(a, s.term, &s.value) }
    };
    let steps = (traced && is_true != Some(true)).then(|| trace(ev, a, model, t));
    let trace = steps.map(|all| all.iter().map(step).collect());
    Assertion { is_true, shown: shown(a, t, &outcome), trace }
}

/// A term with its value.
pub fn shown(a: &Arena, t: Term, outcome: &Outcome) -> Shown {
    let value = match outcome {
        Ok(v) => Ok(text(a, v, a.sort(t))),
        Err(e) => Err(e.to_string()),
    };
    Shown { term: cut(print_term(a, t)), value, depth: 0, instance: Vec::new() }
}

fn text(a: &Arena, v: &Value, sort: Sort) -> String {
    value_to_smtlib(a, v, sort).unwrap_or_else(|| format!("{v:?}"))
}

fn cut(text: String) -> String {
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}
