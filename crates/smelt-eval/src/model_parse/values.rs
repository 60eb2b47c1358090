//! Models that are lists of terms and their values: the answer to `(get-value …)`.

use super::ModelOptions;
use super::items::{Instances, copy_exact};
use crate::eval::Evaluator;
use crate::function::Table;
use crate::model::{Interpretation, Model};
use crate::model_text::{Cut, Item, Pieces, closing, token_text};
use crate::value::Value;
use rustc_hash::FxHashMap;
use smelt_smtlib::{
    Arena, Error, Fun, FunKind, Head, Script, Sort, VarList, parse_terms, print_sort,
};
use std::sync::Arc;

/// `((term value) …)`
pub(super) fn values(
    script: &mut Script,
    cut: &Cut,
    options: &ModelOptions,
) -> Result<Model, Error> {
    let mut pieces = Pieces::default();
    let mut spans = Vec::new();
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
    let instances = Instances::of(&script.arena);
    for ((item, middle), &t) in cut.items.iter().zip(split).zip(&parsed) {
        let last = item.tokens.len() - 1;
        let value = &item.tokens[middle];
        let text = token_text(&cut.source, value);
        let span = value.start()..item.tokens[last - 1].end();
        if middle == last - 1 && text.starts_with('@') {
            let sort = print_sort(&script.arena, script.arena.sort(t));
            pieces.invent(&format!("(as {text} {sort})"), value.start());
        } else {
            let part = Item { tokens: item.tokens[middle..last].to_vec() };
            copy_exact(&mut pieces, cut, &part, 0, &instances);
        }
        pieces.invent("\n", span.end);
        spans.push(span);
    }
    let given = parse_terms(script, pieces.text(), &options.parse);
    let given = given.map_err(|e| pieces.relocate(e))?;
    let mut model = Model::new();
    for ((&t, &v), span) in parsed.iter().zip(&given).zip(spans) {
        let (want, have) = (script.arena.sort(t), script.arena.sort(v));
        let v = if want == Sort::REAL && have == Sort::INT { script.arena.to_real(v) } else { v };
        let a = &script.arena;
        if want != have && (want, have) != (Sort::REAL, Sort::INT) {
            let message = format!(
                "the value has sort {}, but the term {}",
                print_sort(a, have),
                print_sort(a, want)
            );
            return Err(Error::new(span, message));
        }
        match a.head(t) {
            Head::Fun(f) if a.args(t).is_empty() && a.fun(f).kind == FunKind::Free => {
                model.set(f, Interpretation::Body(VarList::EMPTY, v));
            }
            _ => model.add_claim(t, v),
        }
    }
    point_functions(&script.arena, &mut model);
    Ok(model)
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
