//! Functions given by a body: lambdas, defined functions used as values, and model functions that are no table.
//!
//! A closure holds terms of an arena, so it lives no longer than the terms do.

use crate::function::Table;
use crate::limit::Limit;
use crate::open::Open;
use crate::outcome::Outcome;
use crate::value::{MAX_DEPTH, Value};
use smelt_smtlib::{Term, Var, VarList};
use std::sync::Arc;

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A term with parameters.
    Body {
        /// The parameters.
        params: VarList,
        /// The body, which may use the parameters and what is captured.
        body: Term,
    },
    /// A table of so many arguments that waits for further ones.
    Table(Arc<Table>, usize),
}

/// A function as a value. It also stands for an array whose elements are not listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Closure {
    /// What is called.
    pub code: Code,
    /// The meaning of the variables that are free in the lambda, as it was when the lambda was met.
    pub captured: Vec<(Var, Outcome)>,
    /// The first arguments, given already.
    pub given: Vec<Value>,
    /// Points where the value is another (by `store`); the indices are canonical, the last one wins.
    pub stored: Vec<(Value, Value)>,
    depth: u16,
    open: Option<Open>,
}

impl Closure {
    /// A closure; an error if values would be nested too deeply in it.
    pub fn new(
        code: Code,
        captured: Vec<(Var, Outcome)>,
        given: Vec<Value>,
        stored: Vec<(Value, Value)>,
    ) -> Result<Closure, Limit> {
        let outer = captured.iter().filter_map(|(_, o)| o.as_ref().ok());
        let points = stored.iter().flat_map(|(i, v)| [i, v]);
        let values = outer.chain(&given).chain(points);
        let depth = values.clone().map(Value::depth).max().unwrap_or(0) + 1;
        let open = { values }.find_map(Value::open_part);
        if depth > MAX_DEPTH {
            return Err(Limit::TooLarge);
        }
        Ok(Closure { code, captured, given, stored, depth, open })
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    pub(crate) fn open_part(&self) -> Option<Open> {
        self.open
    }

    /// `(store self index value)`; `None` if the index is not canonical.
    pub fn store(&self, index: Value, value: Value) -> Option<Result<Closure, Limit>> {
        if !index.is_canonical() {
            return None;
        }
        let mut stored: Vec<_> = self.stored.iter().filter(|(i, _)| *i != index).cloned().collect();
        stored.push((index, value));
        Some(Closure::new(self.code.clone(), self.captured.clone(), self.given.clone(), stored))
    }

    /// The value stored at an index, if that index was stored to: `None` if that is not decided.
    pub fn stored_at(&self, index: &Value) -> Option<Option<&Value>> {
        let mut found = None;
        for (i, v) in &self.stored {
            if i.equals(index)? {
                found = Some(v);
            }
        }
        Some(found)
    }

    /// A copy of the closure with more arguments given.
    pub fn partial(&self, more: &[Value]) -> Result<Closure, Limit> {
        let given = self.given.iter().chain(more).cloned().collect();
        Closure::new(self.code.clone(), self.captured.clone(), given, Vec::new())
    }
}
