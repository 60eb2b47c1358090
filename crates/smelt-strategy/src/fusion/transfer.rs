//! Models and values brought along with a script that is imported.

use std::sync::Arc;

use smelt_eval::array::Array;
use smelt_eval::bag::Bag;
use smelt_eval::compound::{Data, Tag};
use smelt_eval::function::Table;
use smelt_eval::model::{Interpretation, PartialMeaning};
use smelt_eval::set::Set;
use smelt_eval::{Model, Value};
use smelt_smtlib::import::Importer;
use smelt_smtlib::{Arena, Fun};

/// Adds the meanings of another arena's symbols to a model of this arena.
///
/// What a model says about an operator outside its domain is about that operator wherever it occurs: if both models say
/// something, the first one's word stays, and the evaluator decides whether that suits the second script.
pub fn merge(
    importer: &mut Importer,
    src: &Arena,
    dst: &mut Arena,
    symbols: &[Fun],
    from: &Model,
    into: &mut Model,
) {
    for i in 0..src.sort_count() {
        let Some(sort) = src.sort_at(i) else { continue };
        if let Some(universe) = from.universe(sort) {
            let here = importer.sort(src, dst, sort);
            let elements = universe.iter().map(|v| value(importer, src, dst, v));
            if let Some(elements) = elements.collect() {
                into.set_universe(here, elements);
            }
        }
    }
    for &f in symbols {
        let Some(meaning) = from.get(f) else { continue };
        let here = importer.fun(src, dst, f);
        if let Some(meaning) = interpretation(importer, src, dst, meaning) {
            into.set(here, meaning);
        }
    }
    for p in from.partials() {
        let args: Box<[_]> = p.args.iter().map(|&s| importer.sort(src, dst, s)).collect();
        let ret = importer.sort(src, dst, p.ret);
        let taken = into.partials().iter().any(|q| q.op == p.op && q.args == args && q.ret == ret);
        if !taken && let Some(meaning) = interpretation(importer, src, dst, &p.meaning) {
            into.set_partial(PartialMeaning { op: p.op, args, ret, meaning });
        }
    }
}

fn interpretation(
    importer: &mut Importer,
    src: &Arena,
    dst: &mut Arena,
    meaning: &Interpretation,
) -> Option<Interpretation> {
    Some(match meaning {
        Interpretation::Value(v) => Interpretation::Value(value(importer, src, dst, v)?),
        Interpretation::Table(t) => Interpretation::Table(Arc::new(table(importer, src, dst, t)?)),
        Interpretation::Body(params, body) => {
            let params = importer.vars(src, dst, *params);
            Interpretation::Body(params, importer.term(src, dst, *body))
        }
    })
}

fn table(importer: &mut Importer, src: &Arena, dst: &mut Arena, t: &Table) -> Option<Table> {
    let mut entries = Vec::new();
    for (args, v) in t.entries() {
        let args: Option<Box<[Value]>> =
            args.iter().map(|x| value(importer, src, dst, x)).collect();
        entries.push((args?, value(importer, src, dst, v)?));
    }
    let default = value(importer, src, dst, t.default())?;
    Table::new(entries, default)?.ok()
}

/// A value of one arena in another: constructors and elements of free sorts are known by numbers of the arena. `None` for
/// what belongs to an evaluator (regular languages) or holds terms. Values are nested at most a thousand deep.
fn value(importer: &mut Importer, src: &Arena, dst: &mut Arena, v: &Value) -> Option<Value> {
    let mut list = |items: &[Value]| -> Option<Vec<Value>> {
        items.iter().map(|x| value(importer, src, dst, x)).collect()
    };
    Some(match v {
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Algebraic(_)
        | Value::Approx(_)
        | Value::Bv(_)
        | Value::Fp(_)
        | Value::Rm(_)
        | Value::Str(_)
        | Value::Ff(_) => v.clone(),
        Value::Re(_) | Value::Closure(_) | Value::Open(_) => return None,
        Value::Uninterpreted { id, .. } => {
            let f = src.fun_at(*id as usize)?;
            let f = importer.fun(src, dst, f);
            Value::Uninterpreted { sort: dst.fun(f).ret.index() as u32, id: f.index() as u32 }
        }
        Value::Array(a) => {
            let mut entries = Vec::new();
            for (i, e) in a.entries() {
                entries.push((value(importer, src, dst, i)?, value(importer, src, dst, e)?));
            }
            let default = value(importer, src, dst, a.default())?;
            Value::Array(Arc::new(Array::new(default, entries, a.domain())?.ok()?))
        }
        Value::Data(d) => {
            let fields = list(d.fields().items())?;
            let tag = match d.tag() {
                Tag::Constructor(c) => {
                    let c = importer.fun(src, dst, src.fun_at(c as usize)?);
                    Tag::Constructor(c.index() as u32)
                }
                other => other,
            };
            Value::Data(Arc::new(Data::new(tag, fields).ok()?))
        }
        Value::Seq(s) => Value::seq(list(s.items())?).ok()?,
        Value::Set(s) => Value::Set(Arc::new(Set::new(list(s.elements().items())?)?.ok()?)),
        Value::Bag(b) => {
            let mut entries = Vec::new();
            for (x, n) in b.entries() {
                entries.push((value(importer, src, dst, x)?, n.clone()));
            }
            Value::Bag(Arc::new(Bag::new(entries)?.ok()?))
        }
        Value::Fun(t) => Value::Fun(Arc::new(table(importer, src, dst, t)?)),
    })
}
