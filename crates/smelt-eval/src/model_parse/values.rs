//! Models that are lists of terms and their values: the answer to `(get-value …)`.

use super::elements::declare_elements;
use super::wording::Wording;
use super::{ModelOptions, Symbols, element, two_values};
use crate::eval::Evaluator;
use crate::function::Table;
use crate::model::{Interpretation, Model};
use crate::model_text::{Cut, Item, Pieces, closing, token_text};
use crate::value::Value;
use rustc_hash::FxHashMap;
use smelt_smtlib::{
    Arena, Command, Error, Fun, FunKind, Head, Script, Sort, Term, VarList, parse_in, parse_terms,
    print_sort, write_symbol,
};
use std::sync::Arc;

/// `((term value) …)`
pub(super) fn values(
    script: &mut Script,
    cut: &Cut,
    options: &ModelOptions,
    symbols: &Symbols,
) -> Result<Model, Error> {
    // First the terms, to know the sorts of elements that are only named.
    let mut terms = Pieces::default();
    let mut split = Vec::new();
    for item in &cut.items {
        let last = item.tokens.len() - 1;
        let middle = closing(&item.tokens[..last], 1).map_or(last, |i| i + 1);
        if middle >= last || closing(&item.tokens[..last], middle) != Some(last - 1) {
            return Err(Error::new(item.start()..item.end(), "not a term and its value")
                .expected("`(term value)`"));
        }
        let (from, to) = (item.tokens[1].start(), item.tokens[middle - 1].end());
        terms.copy(&cut.source, from, to);
        terms.invent("\n", to);
        split.push(middle);
    }
    let parsed = parse_terms(script, terms.text(), &options.parse);
    let parsed = parsed.map_err(|e| terms.relocate(e))?;
    if parsed.len() != cut.items.len() {
        return Err(Error::new(0..1, "the terms and values do not come in pairs"));
    }
    let wording = Wording::of(script, symbols, cut, options);
    let mut declarations = Pieces::default();
    declare_elements(script, cut, &wording.elements, symbols, &mut declarations);
    let elements = parse_in(script, declarations.text(), &options.parse);
    let elements = elements.map_err(|e| declarations.relocate(e))?;
    let mut model = Model::new();
    for c in &elements {
        if let Command::DeclareFun(f) = *c {
            model.set_value(f, element(&script.arena, f));
        }
    }
    let mut pieces = Pieces::default();
    let mut read = Vec::new();
    for ((item, middle), &t) in cut.items.iter().zip(split).zip(&parsed) {
        let last = item.tokens.len() - 1;
        let value = &item.tokens[middle];
        let text = token_text(&cut.source, value);
        let span = value.start()..item.tokens[last - 1].end();
        let part = Item { tokens: item.tokens[middle..last].to_vec() };
        if middle == last - 1 && text.starts_with('@') {
            let sort = print_sort(&script.arena, script.arena.sort(t));
            let mut name = String::new();
            write_symbol(wording.elements.name(text), &mut name);
            pieces.invent(&format!("(as {name} {sort})"), value.start());
        } else if wording.is_clear(cut, &part, 0) {
            wording.copy(&mut pieces, cut, &part, 0);
        } else {
            leave_open(&script.arena, &mut model, t);
            continue;
        }
        pieces.invent("\n", span.end);
        read.push((t, span, wording.is_exact(cut, &part, 0)));
    }
    // The names of declared elements are in scope only while the values are read.
    let before = script.commands.len();
    script.commands.extend(elements);
    let given = parse_terms(script, pieces.text(), &options.parse);
    script.commands.truncate(before);
    let given = given.map_err(|e| pieces.relocate(e))?;
    for ((t, span, exact), &v) in read.into_iter().zip(&given) {
        let (want, have) = (script.arena.sort(t), script.arena.sort(v));
        let v = if want == Sort::REAL && have == Sort::INT { script.arena.to_real(v) } else { v };
        let a = &script.arena;
        if want != have && (want, have) != (Sort::REAL, Sort::INT) {
            // An unknown value is taken for one of sort Real, which it may not be.
            if !exact {
                leave_open(a, &mut model, t);
                continue;
            }
            let message = format!(
                "the value has sort {}, but the term {}",
                print_sort(a, have),
                print_sort(a, want)
            );
            return Err(Error::new(span, message));
        }
        match constant(a, t) {
            Some(f) => {
                let second =
                    |i: &Interpretation| !matches!(i, Interpretation::Body(_, w) if *w == v);
                if model.get(f).is_some_and(second) {
                    return Err(Error::new(span, two_values(a.name(a.fun(f).name))));
                }
                model.set(f, Interpretation::Body(VarList::EMPTY, v));
            }
            None => model.add_claim(t, v),
        }
    }
    point_functions(&script.arena, &mut model);
    Ok(model)
}

/// The free constant that a term is.
fn constant(a: &Arena, t: Term) -> Option<Fun> {
    match a.head(t) {
        Head::Fun(f) if a.args(t).is_empty() && a.fun(f).kind == FunKind::Free => Some(f),
        _ => None,
    }
}

/// Notes that the value of a term was printed and is not known.
fn leave_open(a: &Arena, model: &mut Model, t: Term) {
    if let Some(f) = constant(a, t) {
        model.set_unknown(f);
    }
}

/// Arguments and the result.
type Point = (Box<[Value]>, Value);

/// Claims about applications of free functions to terms of known value are points of tables. What such a function is
/// elsewhere, the solver did not say.
fn point_functions(a: &Arena, model: &mut Model) {
    let mut points: FxHashMap<Fun, Vec<Point>> = FxHashMap::default();
    let mut evaluator = Evaluator::default();
    for (t, v) in model.claims().to_vec() {
        let Head::Fun(f) = a.head(t) else { continue };
        if a.fun(f).kind != FunKind::Free || a.args(t).is_empty() {
            continue;
        }
        let args: Result<Box<[Value]>, _> =
            a.args(t).iter().map(|&x| evaluator.eval(a, model, x)).collect();
        if let (Ok(args), Ok(v)) = (args, evaluator.eval(a, model, v)) {
            points.entry(f).or_default().push((args, v));
        }
    }
    let mut all: Vec<_> = points.into_iter().collect();
    all.sort_by_key(|(f, _)| *f);
    for (f, list) in all {
        let default = list[0].1.clone();
        if let Some(Ok(table)) = Table::new(list, default) {
            model.set(f, Interpretation::Table(Arc::new(table)));
            model.mark_completed(f);
        }
    }
}
