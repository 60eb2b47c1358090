//! A mutant's witness, checked apart from the strategy that made it: the script is printed and read again, the witness is
//! carried over by name, as the text of a model, and every assertion is evaluated from nothing.

use std::fmt::Write;

use smelt_case::Expectation;
use smelt_eval::model::Interpretation;
use smelt_eval::{
    Evaluator, Model, ModelOptions, Undetermined, Value, parse_model, value_to_smtlib,
};
use smelt_smtlib::{
    Arena, Command, LogicChoice, PrintOptions, Script, Sort, parse, print, print_sort, print_term,
    write_symbol,
};

use crate::effort;
pub use crate::frame::recursive;

/// What the second evaluation says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// Every check that is expected to be satisfiable is true under its witness; so many were.
    Agrees(usize),
    /// The witness has a value that has no text (a regular language, a function given by a body of its own).
    NotTransferable(String),
    /// The printed script, or the text of the witness, cannot be read again.
    Unreadable(String),
    /// An assertion has no value here, for this reason, which is a bound of the evaluator.
    Undecided(String),
    /// An assertion is false under the witness, or undetermined for another reason than a bound: the mutant lies.
    Lie(String),
}

/// Prints a mutant as a campaign does.
pub fn text(script: &Script) -> String {
    let options =
        PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
    print(script, &options)
}

/// Checks the witnesses of a mutant.
pub fn recheck(script: &Script, expect: &[Expectation]) -> Recheck {
    let printed = text(script);
    let mut again = match parse(printed.as_bytes()) {
        Ok(s) => s,
        Err(e) => return Recheck::Unreadable(e.render(printed.as_bytes(), "mutant.smt2")),
    };
    let queries = again.queries();
    if queries.len() != expect.len() {
        return Recheck::Lie(format!("{} checks, {} expectations", queries.len(), expect.len()));
    }
    let mark = again.arena.mark();
    let mut agreed = 0;
    for (i, (q, e)) in queries.iter().zip(expect).enumerate() {
        let Expectation::Sat(Some(witness)) = e else { continue };
        if let Some(f) = recursive(&again) {
            let name = again.arena.name(again.arena.fun(f).name);
            return Recheck::Lie(format!("the recursive definition of {name} may have no model"));
        }
        let model_text = match model_text(script, witness) {
            Ok(t) => t,
            Err(name) => return Recheck::NotTransferable(name),
        };
        let model = match parse_model(&mut again, model_text.as_bytes(), &ModelOptions::default()) {
            Ok(m) => m,
            Err(e) => return Recheck::Unreadable(e.render(model_text.as_bytes(), "witness")),
        };
        let mut evaluator = Evaluator::new(effort::second());
        // From the leaves up, as strategies do: each part then has the whole budget.
        for t in again.arena.dag(&q.assertions) {
            if again.arena.is_closed(t) && again.arena.sort(t) == Sort::BOOL {
                let _ = evaluator.eval(&again.arena, &model, t);
            }
        }
        for &t in &q.assertions {
            let outcome = evaluator.eval(&again.arena, &model, t);
            if let Err(why @ (Undetermined::Limit(_) | Undetermined::Domain)) = outcome {
                return Recheck::Undecided(why.to_string());
            }
            if outcome != Ok(Value::TRUE) {
                let term = print_term(&again.arena, t);
                return Recheck::Lie(format!(
                    "check {i}: {term} is {outcome:?} under {model_text}"
                ));
            }
        }
        agreed += 1;
        again.arena.rollback(mark);
    }
    Recheck::Agrees(agreed)
}

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
