//! A model as text, in the words of the standard: what [`crate::parse_model`] reads with its default options.

use std::fmt::Write;

use smelt_smtlib::{Arena, Command, Script, Sort, print_sort, print_term, write_symbol};

use crate::model::Interpretation;
use crate::{Model, Value, value_to_smtlib};

/// The meanings of a script's declared symbols as the text of a model; the name of a symbol whose meaning has no text, if
/// there is one.
pub fn model_text(script: &Script, model: &Model) -> Result<String, String> {
    let a = &script.arena;
    let mut out = String::from("(\n");
    for sort in (0..a.sort_count()).filter_map(|i| a.sort_at(i)) {
        // The elements of a sort are declared, as z3 does, so that the sort can be said to have no others.
        for e in model.universe(sort).iter().flat_map(|u| u.iter()) {
            let Value::Uninterpreted { id, .. } = e else { return Err(print_sort(a, sort)) };
            let Some(f) = a.fun_at(*id as usize) else { return Err(print_sort(a, sort)) };
            out.push_str("(declare-fun ");
            write_symbol(a.name(a.fun(f).name), &mut out);
            let _ = writeln!(out, " () {})", print_sort(a, sort));
        }
    }
    for c in &script.commands {
        let Command::DeclareFun(f) = c else { continue };
        let d = a.fun(*f);
        let Some(meaning) = model.get(*f) else { continue };
        define(a, a.name(d.name), &d.args, d.ret, meaning, &mut out)
            .ok_or_else(|| a.name(d.name).to_owned())?;
    }
    for p in model.partials() {
        define(a, p.op.info().name, &p.args, p.ret, &p.meaning, &mut out)
            .ok_or_else(|| p.op.info().name.to_owned())?;
    }
    for sort in (0..a.sort_count()).filter_map(|i| a.sort_at(i)) {
        if let Some(elements) = model.universe(sort) {
            let _ = write!(out, "(forall ((x {})) (or", print_sort(a, sort));
            for e in elements.iter() {
                let e = value_to_smtlib(a, e, sort).ok_or_else(|| print_sort(a, sort))?;
                let _ = write!(out, " (= x {e})");
            }
            out.push_str("))\n");
        }
    }
    out.push_str(")\n");
    Ok(out)
}

fn define(
    a: &Arena,
    name: &str,
    args: &[Sort],
    ret: Sort,
    meaning: &Interpretation,
    out: &mut String,
) -> Option<()> {
    out.push_str("(define-fun ");
    write_symbol(name, out);
    out.push_str(" (");
    match meaning {
        Interpretation::Value(v) if args.is_empty() => {
            let v = value_to_smtlib(a, v, ret)?;
            writeln!(out, ") {} {v})", print_sort(a, ret)).ok()
        }
        Interpretation::Value(_) => None,
        Interpretation::Table(table) => {
            for (i, &s) in args.iter().enumerate() {
                write!(out, "(x!{i} {})", print_sort(a, s)).ok()?;
            }
            write!(out, ") {} ", print_sort(a, ret)).ok()?;
            for (point, v) in table.entries() {
                out.push_str("(ite (and true");
                for (i, (x, &s)) in point.iter().zip(args).enumerate() {
                    write!(out, " (= x!{i} {})", value_to_smtlib(a, x, s)?).ok()?;
                }
                write!(out, ") {} ", value_to_smtlib(a, v, ret)?).ok()?;
            }
            out.push_str(&value_to_smtlib(a, table.default(), ret)?);
            out.extend(table.entries().iter().map(|_| ")"));
            out.push_str(")\n");
            Some(())
        }
        Interpretation::Body(params, body) => {
            // Variables are printed under the names that they have in the body.
            for &v in a.vars(*params) {
                let d = a.var(v);
                out.push('(');
                write_symbol(a.name(d.name), out);
                write!(out, " {}) ", print_sort(a, d.sort)).ok()?;
            }
            writeln!(out, ") {} {})", print_sort(a, ret), print_term(a, *body)).ok()
        }
    }
}
