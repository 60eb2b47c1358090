//! Random meanings for the symbols of a script.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_eval::function::Table;
use smelt_eval::model::Interpretation;
use smelt_eval::{Evaluator, Model, Value};
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Fun, Sort, SortKind};

use crate::constant::Constants;

/// A model that gives each symbol a random meaning. Symbols of sorts that have no constants here (regular languages,
/// functions, co-datatypes) get none: what depends on them has no value, and no witness rests on it.
pub fn random_model(
    a: &mut Arena,
    symbols: &[Fun],
    constants: &mut Constants,
    random: &mut ChaCha8Rng,
) -> Model {
    let mut model = Model::new();
    // First how many elements the free sorts have: the values of arrays over them depend on it.
    for i in 0..a.sort_count() {
        let Some(sort) = a.sort_at(i) else { continue };
        if is_free(a, sort) {
            let elements = constants.elements(a, sort, random);
            let mut evaluator = Evaluator::default();
            let values = elements.iter().filter_map(|&t| evaluator.eval(a, &model, t).ok());
            let values: Vec<Value> = values.collect();
            model.set_universe(sort, values);
        }
    }
    let mut evaluator = Evaluator::default();
    for &f in symbols {
        let (args, ret) = (a.fun(f).args.clone(), a.fun(f).ret);
        let mut value = |a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng| {
            let t = constants.random(a, sort, random)?;
            evaluator.eval(a, &model, t).ok()
        };
        let Some(default) = value(a, ret, random) else { continue };
        if args.is_empty() {
            model.set_value(f, default);
            continue;
        }
        let mut entries = Vec::new();
        for _ in 0..random.random_range(0..4) {
            let point: Option<Box<[Value]>> = args.iter().map(|&s| value(a, s, random)).collect();
            if let (Some(point), Some(v)) = (point, value(a, ret, random)) {
                entries.push((point, v));
            }
        }
        if let Some(Ok(table)) = Table::new(entries, default) {
            model.set(f, Interpretation::Table(Arc::new(table)));
        }
    }
    model
}

fn is_free(a: &Arena, sort: Sort) -> bool {
    let SortKind::Named(d, _) = a.sort_kind(sort) else { return false };
    !a.sort_has_params(sort) && a.sort_decl(*d).kind == SortDeclKind::Free
}
