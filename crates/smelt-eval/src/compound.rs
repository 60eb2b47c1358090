//! Lists of values, and what is a list with a tag: datatypes, tuples, nullables.

use crate::limit::Limit;
use crate::open::Open;
use crate::value::{MAX_DEPTH, Value, all};
use std::cmp::Ordering;
use std::sync::Arc;

/// A list of values that knows whether it is canonical, how deeply it is nested, and what is open in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    items: Box<[Value]>,
    depth: u16,
    canonical: bool,
    open: Option<Open>,
}

impl List {
    /// A list; an error if it would be nested too deeply.
    pub fn new(items: Vec<Value>) -> Result<List, Limit> {
        let depth = items.iter().map(Value::depth).max().unwrap_or(0) + 1;
        if depth > MAX_DEPTH {
            return Err(Limit::TooLarge);
        }
        let canonical = items.iter().all(Value::is_canonical);
        let open = items.iter().find_map(Value::open_part);
        Ok(List { items: items.into(), depth, canonical, open })
    }

    /// The values.
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Are all values canonical?
    pub fn is_canonical(&self) -> bool {
        self.canonical
    }

    pub(crate) fn depth(&self) -> u16 {
        self.depth
    }

    pub(crate) fn open_part(&self) -> Option<Open> {
        self.open
    }

    /// Equal in all places?
    pub fn equals(&self, other: &List) -> Option<bool> {
        if self.len() != other.len() {
            return Some(false);
        }
        all(self.items.iter().zip(&other.items).map(|(a, b)| a.equals(b)))
    }

    pub(crate) fn order(&self, other: &List) -> Ordering {
        order_all(&self.items, &other.items)
    }
}

/// Lexicographic.
pub(crate) fn order_all(a: &[Value], b: &[Value]) -> Ordering {
    let differing = a.iter().zip(b).map(|(x, y)| x.order(y)).find(|o| o.is_ne());
    differing.unwrap_or_else(|| a.len().cmp(&b.len()))
}

/// What a compound value was made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tag {
    /// A constructor of a datatype, by its index in the arena.
    Constructor(u32),
    /// `(tuple …)`
    Tuple,
    /// `(as nullable.null …)`
    Null,
    /// `(nullable.some x)`
    Some,
}

/// A value made by a constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Data {
    tag: Tag,
    fields: List,
}

impl Data {
    /// A value of a constructor.
    pub fn new(tag: Tag, fields: Vec<Value>) -> Result<Data, Limit> {
        Ok(Data { tag, fields: List::new(fields)? })
    }

    /// What it was made by.
    pub fn tag(&self) -> Tag {
        self.tag
    }

    /// The fields.
    pub fn fields(&self) -> &List {
        &self.fields
    }

    /// The field at `i`.
    pub fn field(&self, i: usize) -> Option<&Value> {
        self.fields.items().get(i)
    }

    /// A copy with another value in field `i` (cvc5's `update`, `tuple.update`); an equal copy if there is no such field.
    pub fn with_field(&self, i: usize, value: Value) -> Result<Data, Limit> {
        let mut fields = self.fields.items().to_vec();
        if let Some(field) = fields.get_mut(i) {
            *field = value;
        }
        Data::new(self.tag, fields)
    }

    /// Whether both have one constructor and equal fields; `None` if that is not decided.
    pub fn equals(&self, other: &Data) -> Option<bool> {
        if self.tag != other.tag { Some(false) } else { self.fields.equals(&other.fields) }
    }

    pub(crate) fn order(&self, other: &Data) -> Ordering {
        self.tag.cmp(&other.tag).then_with(|| self.fields.order(&other.fields))
    }
}

impl Value {
    /// A value of a datatype.
    pub fn data(constructor: u32, fields: Vec<Value>) -> Result<Value, Limit> {
        Ok(Value::Data(Arc::new(Data::new(Tag::Constructor(constructor), fields)?)))
    }

    /// `(tuple …)`
    pub fn tuple(fields: Vec<Value>) -> Result<Value, Limit> {
        Ok(Value::Data(Arc::new(Data::new(Tag::Tuple, fields)?)))
    }

    /// A sequence of these elements.
    pub fn seq(items: Vec<Value>) -> Result<Value, Limit> {
        Ok(Value::Seq(Arc::new(List::new(items)?)))
    }
}
