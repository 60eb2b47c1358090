//! A model of a residual, read back: the table of open values and of symbols that were left out, with the model that left them
//! out, judged on the totalised script.

use rustc_hash::FxHashMap;
use smelt_smtlib::{Arena, Command, Fun, Head, Script, Term};
use std::sync::Arc;

use super::open::OpenResidual;
use crate::array::Array;
use crate::bag::Bag;
use crate::beyond::beyond_assertions;
use crate::compound::Data;
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::function::Table;
use crate::model::{Interpretation, Model};
use crate::model_parse::{ModelOptions, parse_model};
use crate::outcome::Outcome;
use crate::set::Set;
use crate::value::Value;

/// Arguments and the result.
pub(super) type Point = (Box<[Value]>, Value);

/// A witness of a totalised script: its assertions are true under this model.
pub struct Completed {
    /// The totalised script; its arena has the terms of the model.
    pub script: Script,
    /// The number of the check.
    pub check: usize,
    /// The model. It interprets the functions that stand for open values.
    pub model: Model,
}

impl OpenResidual {
    /// The model together with a model that a solver printed for [`OpenResidual::script`], if that is true on the totalised script.
    pub fn complete(&self, text: &str, options: &ModelOptions) -> Result<Completed, String> {
        let mut script = self.script.clone();
        let found = parse_model(&mut script, text.as_bytes(), options)
            .map_err(|e| format!("the model of the residual cannot be read: {}", e.message))?;
        self.agree(&script.arena, &found)?;
        let names = self.names(&script.arena, &found)?;
        let mut model = self.known.model.clone();
        for (f, value) in &names.symbols {
            model.set_value(*f, value.clone());
        }
        for &(own, f) in &self.symbols {
            let meaning = match found.get(own) {
                None => continue,
                Some(Interpretation::Value(v)) => Interpretation::Value(names.renamed(v)?),
                Some(Interpretation::Body(params, body)) => Interpretation::Body(*params, *body),
                Some(Interpretation::Table(table)) => {
                    Interpretation::Table(names.table(table)?.into())
                }
            };
            model.set(f, meaning);
        }
        self.judged(script.arena, model)
    }

    /// The model with what it says itself about open values, and with plain values for what is left out, if that is true on the
    /// totalised script.
    pub fn complete_by_model(&self) -> Result<Completed, String> {
        let mut arena = self.script.arena.clone();
        let mut model = self.known.model.clone();
        for o in &self.known.open {
            if let Some(meaning) = self.stated(&mut arena, o) {
                model.set(o.fun, meaning);
            }
        }
        self.judged(arena, model)
    }

    /// The model with values that smelt found for the unknown terms of the residual, if that is true on the totalised script.
    pub fn complete_by_search(&self) -> Result<Completed, String> {
        let arena = self.script.arena.clone();
        let mut model = self.known.model.clone();
        let mut evaluator = Evaluator::new(self.limits);
        let mut value = |t: Term| -> Result<Value, String> {
            evaluator.eval(&arena, &self.known.model, t).map_err(|e| e.to_string())
        };
        let mut tables: FxHashMap<Fun, Vec<Point>> = FxHashMap::default();
        for &(t, v) in &self.own {
            let Head::Fun(f) = arena.head(t) else { continue };
            let args: Result<Box<[Value]>, String> =
                arena.args(t).iter().map(|&x| value(x)).collect();
            tables.entry(f).or_default().push((args?, value(v)?));
        }
        for (f, points) in tables {
            let meaning = match (&arena.fun(f).args[..], &points[0]) {
                ([], (_, v)) => Interpretation::Value(v.clone()),
                (_, (_, first)) => {
                    let default = first.clone();
                    let table = Table::new(points, default).and_then(Result::ok);
                    Interpretation::Table(Arc::new(table.ok_or("no table can be made")?))
                }
            };
            model.set(f, meaning);
        }
        self.judged(arena, model)
    }

    /// The model with plain values for what has no meaning yet, if the assertions of the totalised script are true.
    fn judged(&self, arena: Arena, mut model: Model) -> Result<Completed, String> {
        for &f in self.given.completed() {
            if let (None, Some(meaning)) = (model.get(f), self.given.get(f)) {
                model.set(f, meaning.clone());
            }
        }
        let open = self.known.open.iter().map(|o| o.fun);
        model.complete(&arena, open.chain(self.symbols.iter().map(|s| s.1)));
        let commands: Vec<Command> = self.known.total.commands.clone();
        let (query, check) = (&self.known.query, self.known.check);
        let mut evaluator = Evaluator::new(self.limits);
        for (i, &t) in query.assertions.iter().enumerate() {
            let value: Outcome = evaluator.eval(&arena, &model, t);
            match value {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Err(format!("assertion {} is false", i + 1)),
                Err(why) => return Err(format!("assertion {} is undetermined: {why}", i + 1)),
            }
        }
        let script = Script { arena, commands };
        match beyond_assertions(&script, query) {
            Some(why) => Err(why),
            None => Ok(Completed { script, check, model }),
        }
    }

    /// Whether a model says one thing about each term.
    fn agree(&self, a: &Arena, found: &Model) -> Result<(), String> {
        let mut evaluator = Evaluator::new(self.limits);
        for &(t, v) in found.claims() {
            let (x, y) = (evaluator.eval(a, found, t), evaluator.eval(a, found, v));
            if let (Ok(x), Ok(y)) = (x, y)
                && x.equals(&y) == Some(false)
            {
                return Err("the model of the residual gives one term two values".into());
            }
        }
        Ok(())
    }

    /// What the elements of a model of the residual are in the model.
    fn names(&self, a: &Arena, found: &Model) -> Result<Names, String> {
        let mut names = Names::default();
        for (constant, element) in &self.elements {
            if found.completed().contains(constant) {
                continue;
            }
            if let Some(v @ Value::Uninterpreted { .. }) = found.value(*constant)
                && names.elements.insert(v.clone(), element.clone()).is_some()
            {
                return Err("the model of the residual makes two elements one".into());
            }
        }
        let mut domains = Domains::of_model(&self.known.model);
        for f in (self.known.total.arena.fun_count()..a.fun_count()).filter_map(|i| a.fun_at(i)) {
            let (sort, id) = (a.fun(f).ret, f.index() as u32);
            let element = Value::Uninterpreted { sort: sort.index() as u32, id };
            if a.fun(f).args.is_empty() && crate::model_parse::is_free_sort(a, sort) {
                // In a sort whose elements are all listed another one can only be a default, which is not met.
                let known = names.elements.get(&element).cloned();
                let listed = self.known.model.universe(sort).is_some();
                let known = known.or_else(|| domains.plain(a, sort).filter(|_| listed));
                if let Some(known) = known {
                    names.elements.insert(element, known.clone());
                    names.symbols.push((f, known));
                }
            }
        }
        Ok(names)
    }
}

/// Elements of free sorts in a model of a residual.
#[derive(Default)]
struct Names {
    /// What they are in the first model.
    elements: FxHashMap<Value, Value>,
    /// The constants that name them.
    symbols: Vec<(Fun, Value)>,
}

impl Names {
    fn table(&self, table: &Table) -> Result<Table, String> {
        let mut points: Vec<Point> = Vec::new();
        for (args, v) in table.entries() {
            let args: Result<Box<[Value]>, String> = args.iter().map(|x| self.renamed(x)).collect();
            points.push((args?, self.renamed(v)?));
        }
        points.sort_by(|x, y| crate::compound::order_all(&x.0, &y.0));
        if points.windows(2).any(|p| p[0].0 == p[1].0 && p[0].1 != p[1].1) {
            return Err("the model of the residual gives one term two values".into());
        }
        let default = self.renamed(table.default())?;
        let table = Table::new(points, default).and_then(Result::ok);
        table.ok_or_else(|| "the model of the residual has no table".into())
    }

    /// A value in which elements are those of the first model. (Values are nested at most [`crate::value::MAX_DEPTH`] deep.)
    fn renamed(&self, value: &Value) -> Result<Value, String> {
        if self.elements.is_empty() {
            return Ok(value.clone());
        }
        let all = |items: &[Value]| -> Result<Vec<Value>, String> {
            items.iter().map(|v| self.renamed(v)).collect()
        };
        let made: Option<Value> = match value {
            Value::Uninterpreted { .. } => Some(self.elements.get(value).unwrap_or(value).clone()),
            Value::Data(d) => {
                Data::new(d.tag(), all(d.fields().items())?).ok().map(|d| Value::Data(Arc::new(d)))
            }
            Value::Seq(list) => Value::seq(all(list.items())?).ok(),
            Value::Set(set) => {
                let set = Set::new(all(set.elements().items())?).and_then(Result::ok);
                set.map(|s| Value::Set(Arc::new(s)))
            }
            Value::Bag(bag) => {
                let mut entries = Vec::new();
                for (v, n) in bag.entries() {
                    entries.push((self.renamed(v)?, n.clone()));
                }
                let bag = Bag::new(entries).and_then(Result::ok);
                bag.map(|b| Value::Bag(Arc::new(b)))
            }
            Value::Array(array) => {
                let mut entries = Vec::new();
                for (i, v) in array.entries() {
                    entries.push((self.renamed(i)?, self.renamed(v)?));
                }
                let default = self.renamed(array.default())?;
                let array = Array::new(default, entries, array.domain()).and_then(Result::ok);
                array.map(|a| Value::Array(Arc::new(a)))
            }
            Value::Fun(table) => Some(Value::Fun(Arc::new(self.table(table)?))),
            other => Some(other.clone()),
        };
        made.ok_or_else(|| "a value of the model of the residual is too large".into())
    }
}
