//! What is left of a check under a model, for people and as JSON.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value as Json, json};
use smelt_eval::{OpenResidual, Residual, UnknownKind};
use smelt_smtlib::print;

/// In a sentence.
fn said(residual: &Residual) -> String {
    match residual {
        Residual::True => "true, whatever is open".into(),
        Residual::False { assertion: 0 } => "false, whatever is open: the first assertion".into(),
        Residual::False { assertion } => {
            format!("false, whatever is open: the first {} assertions together", assertion + 1)
        }
        Residual::Undetermined(why) => format!("nothing is known: {why}"),
        Residual::Open(open) => match completed(open) {
            Some(how) => format!("it depends on what is open; true {how}"),
            None => "it depends on what is open".into(),
        },
    }
}

/// How the model can be completed, as far as smelt sees that by itself.
fn completed(open: &OpenResidual) -> Option<&'static str> {
    match open.complete_by_model() {
        Ok(_) => Some("with what the model says about it, and plain values"),
        Err(_) => open.complete_by_search().ok().map(|_| "with other values"),
    }
}

/// Each unknown term with what it is.
fn unknowns(open: &OpenResidual) -> impl Iterator<Item = (&str, String)> {
    open.unknowns().iter().map(|u| {
        let kind = match &u.kind {
            UnknownKind::OpenValue(name) => format!("`{name}` where it is open"),
            UnknownKind::LeftOut => "left out by the model".into(),
            UnknownKind::Inexact => "not given exactly".into(),
        };
        (&*u.term, kind)
    })
}

/// Shows it below a check.
pub fn show(residual: &Residual, out: &mut impl Write) -> Result<()> {
    writeln!(out, "  why: {}", said(residual))?;
    if let Residual::Open(open) = residual {
        for (term, kind) in unknowns(open) {
            writeln!(out, "    {term}: {kind}")?;
        }
        writeln!(out, "  residual:")?;
        for line in print(open.script(), &Default::default()).lines() {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// As JSON.
pub fn json(residual: &Residual) -> Json {
    let mut one = json!({ "said": said(residual) });
    if let Residual::Open(open) = residual {
        let unknown = |(term, kind)| json!({ "term": term, "is": kind });
        one["unknown"] = unknowns(open).map(unknown).collect();
        one["residual"] = json!(print(open.script(), &Default::default()));
    }
    one
}
