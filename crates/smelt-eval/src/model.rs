//! Models: what the symbols of a script mean.

use crate::domain::Domains;
use crate::function::Table;
use crate::limit::Limit;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::{Arena, Fun, FunKind, Head, Op, Sort, Term, VarList};
use std::sync::Arc;

/// What a function symbol means.
#[derive(Clone, Debug)]
pub enum Interpretation {
    /// A constant with a value.
    Value(Value),
    /// A function with listed values.
    Table(Arc<Table>),
    /// A function (or a constant, without parameters) given by a term, evaluated on demand.
    Body(VarList, Term),
}

/// A meaning that the model gives to an operator where the standard leaves it open.
#[derive(Clone, Debug)]
pub struct PartialMeaning {
    /// The operator.
    pub op: Op,
    /// The sorts of the arguments that the function takes: all of the operator's, or the first ones.
    pub args: Box<[Sort]>,
    /// The sort of the result.
    pub ret: Sort,
    /// The function.
    pub meaning: Interpretation,
}

/// Meanings for the symbols of one script. It holds terms and indices of the script's arena.
#[derive(Clone, Debug, Default)]
pub struct Model {
    funs: FxHashMap<Fun, Interpretation>,
    partial: Vec<PartialMeaning>,
    universes: FxHashMap<Sort, Arc<[Value]>>,
    /// Whether these lists are in comments.
    remarked: bool,
    named: FxHashMap<Sort, u64>,
    completed: Vec<Fun>,
    claims: Vec<(Term, Term)>,
    unknown: Vec<Fun>,
}

impl Model {
    /// A model that says nothing.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a constant a value.
    pub fn set_value(&mut self, f: Fun, value: Value) {
        self.funs.insert(f, Interpretation::Value(value));
    }

    /// Gives a symbol a meaning.
    pub fn set(&mut self, f: Fun, meaning: Interpretation) {
        self.funs.insert(f, meaning);
    }

    /// Takes away the meaning of a symbol.
    pub fn unset(&mut self, f: Fun) {
        self.funs.remove(&f);
    }

    /// Says that a symbol has a value which the solver did not print exactly: it has no meaning here, and gets no default.
    pub fn set_unknown(&mut self, f: Fun) {
        self.funs.remove(&f);
        if !self.is_unknown(f) {
            self.unknown.push(f);
        }
    }

    /// Whether the solver gave a symbol a value that is not known exactly.
    pub fn is_unknown(&self, f: Fun) -> bool {
        self.unknown.contains(&f)
    }

    /// Takes away meanings of operators that do not satisfy a predicate.
    pub(crate) fn retain_partials(&mut self, keep: impl FnMut(&PartialMeaning) -> bool) {
        self.partial.retain(keep);
    }

    /// What a symbol means, if the model says so.
    #[inline]
    pub fn get(&self, f: Fun) -> Option<&Interpretation> {
        self.funs.get(&f)
    }

    /// The value of a constant, if it is known as such.
    pub fn value(&self, f: Fun) -> Option<&Value> {
        match self.funs.get(&f)? {
            Interpretation::Value(v) => Some(v),
            _ => None,
        }
    }

    /// The symbols with a meaning, by number.
    pub fn symbols(&self) -> Vec<Fun> {
        let mut all: Vec<Fun> = self.funs.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// Says what an operator means where the standard leaves it open.
    pub fn set_partial(&mut self, meaning: PartialMeaning) {
        self.partial.push(meaning);
    }

    /// What the model says about operators where the standard leaves them open.
    pub fn partials(&self) -> &[PartialMeaning] {
        &self.partial
    }

    /// The function that interprets a partial operator at arguments of these sorts, the result having this sort.
    pub fn partial(&self, op: Op, args: &[Sort], ret: Sort) -> Option<&PartialMeaning> {
        self.partial.iter().find(|p| p.op == op && p.ret == ret && args.starts_with(&p.args))
    }

    /// Says that a free sort has these elements and no others.
    pub fn set_universe(&mut self, sort: Sort, elements: Vec<Value>) {
        self.universes.insert(sort, elements.into());
    }

    /// Says that the lists of elements are remarks beside the model.
    pub(crate) fn set_remarked(&mut self) {
        self.remarked = true;
    }

    pub(crate) fn forget_universes(&mut self) {
        self.universes.clear();
    }

    /// Whether something is said in comments only: cvc5 lists the elements of free sorts there.
    pub fn is_remarked(&self) -> bool {
        self.remarked && !self.universes.is_empty()
    }

    /// The elements of a free sort, if the model lists them all.
    pub fn universe(&self, sort: Sort) -> Option<&Arc<[Value]>> {
        self.universes.get(&sort)
    }

    pub(crate) fn universes(&self) -> &FxHashMap<Sort, Arc<[Value]>> {
        &self.universes
    }

    /// Says that a free sort has at least so many elements.
    pub fn set_named_elements(&mut self, sort: Sort, count: u64) {
        self.named.insert(sort, count);
    }

    pub(crate) fn named_elements(&self) -> &FxHashMap<Sort, u64> {
        &self.named
    }

    /// Values that a solver gave to terms that are not symbols (by `get-value`): term and value.
    pub fn claims(&self) -> &[(Term, Term)] {
        &self.claims
    }

    /// Adds a claim about a term.
    pub fn add_claim(&mut self, term: Term, value: Term) {
        self.claims.push((term, value));
    }

    /// The symbols that were given a default: those that the model did not mention, and functions of which it tells
    /// values at some points only.
    pub fn completed(&self) -> &[Fun] {
        &self.completed
    }

    /// Says that the values of a function at some points are smelt's choice, not the solver's.
    pub(crate) fn mark_completed(&mut self, f: Fun) {
        self.completed.push(f);
    }

    /// A symbol with a default on which the value of a term may depend: one that occurs in the term, or in a definition
    /// of the script or of the model that it uses.
    ///
    /// A term that is true thanks to a default is true of a model; one that is false because of a default accuses nobody.
    pub fn default_used(&self, a: &Arena, t: Term) -> Option<Fun> {
        if self.completed.is_empty() {
            return None;
        }
        let mut roots = vec![t];
        let mut seen = FxHashSet::default();
        while let Some(t) = roots.pop() {
            if !seen.insert(t) {
                continue;
            }
            let used = match a.head(t) {
                Head::Fun(f) => Some(f),
                // These name a function by an index.
                Head::Op(Op::AsArray | Op::ArrayMap, i) => {
                    a.indices(i).first().and_then(|&f| a.fun_at(f as usize))
                }
                _ => None,
            };
            if let Some(f) = used {
                if self.completed.contains(&f) {
                    return Some(f);
                }
                roots.extend(a.fun(f).def.map(|(_, body)| body));
                if let Some(Interpretation::Body(_, body)) = self.funs.get(&f) {
                    roots.push(*body);
                }
            }
            roots.extend_from_slice(a.args(t));
        }
        None
    }

    /// A symbol with a default, if there is one.
    pub(crate) fn any_default(&self) -> Option<Fun> {
        self.completed.first().copied()
    }

    /// The model without what [`Model::complete`] added: symbols that the model leaves open have no meaning.
    pub fn without_defaults(&self) -> Model {
        let mut bare = self.clone();
        for f in bare.completed.drain(..) {
            bare.funs.remove(&f);
        }
        bare
    }

    /// Gives every free symbol of the arena that has no meaning a default: 0, false, "", a constant function, … . A symbol
    /// whose value is not known exactly gets none.
    /// Symbols of sorts that have no plain default (`RegLan`, co-datatypes) stay without.
    pub fn complete(&mut self, a: &Arena, symbols: impl IntoIterator<Item = Fun>) {
        let mut domains = Domains::of_model(self);
        domains.invent = true;
        for f in symbols {
            let d = a.fun(f);
            if d.kind != FunKind::Free || self.funs.contains_key(&f) || self.is_unknown(f) {
                continue;
            }
            let Some(value) = self.default_of(a, &mut domains, d.ret) else { continue };
            let meaning = if d.args.is_empty() {
                Interpretation::Value(value)
            } else {
                match Table::new([], value) {
                    Some(Ok(table)) => Interpretation::Table(Arc::new(table)),
                    _ => continue,
                }
            };
            self.funs.insert(f, meaning);
            self.completed.push(f);
        }
    }

    /// A value of a free sort that the model mentions is preferred to one that it does not.
    fn default_of(&self, a: &Arena, domains: &mut Domains, sort: Sort) -> Option<Value> {
        let mentioned = |v: &&Value| matches!(v, Value::Uninterpreted { sort: s, .. } if *s as usize == sort.index());
        let known = self.symbols().into_iter().filter_map(|f| self.value(f));
        let known = known.filter(mentioned).min_by(|a, b| a.order(b));
        known.cloned().or_else(|| domains.plain(a, sort))
    }

    /// The values of a sort that occur in the model: in constants, and in arguments and results of tables.
    pub fn values_of(&self, a: &Arena, sort: Sort) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        for f in self.symbols() {
            let d = a.fun(f);
            match &self.funs[&f] {
                Interpretation::Value(v) => collect(a, sort, d.ret, v, &mut out),
                Interpretation::Table(t) => {
                    for (args, v) in t.entries() {
                        for (x, &s) in args.iter().zip(&d.args) {
                            collect(a, sort, s, x, &mut out);
                        }
                        collect(a, sort, d.ret, v, &mut out);
                    }
                    collect(a, sort, d.ret, t.default(), &mut out);
                }
                Interpretation::Body(..) => {}
            }
        }
        let mut seen = FxHashSet::default();
        out.retain(|v| v.is_canonical() && seen.insert(v.clone()));
        out
    }
}

/// Adds the value if it has the wanted sort, and indices and elements of arrays and sequences that do.
fn collect(a: &Arena, want: Sort, have: Sort, v: &Value, out: &mut Vec<Value>) {
    use smelt_smtlib::SortKind;
    if want == have {
        out.push(v.clone());
    }
    match (a.sort_kind(have), v) {
        (SortKind::Array(i, e), Value::Array(array)) => {
            for (x, y) in array.entries() {
                collect(a, want, *i, x, out);
                collect(a, want, *e, y, out);
            }
            collect(a, want, *e, array.default(), out);
        }
        (SortKind::Seq(e), Value::Seq(list)) => {
            list.items().iter().for_each(|x| collect(a, want, *e, x, out));
        }
        (SortKind::Set(e), Value::Set(set)) => {
            set.elements().items().iter().for_each(|x| collect(a, want, *e, x, out));
        }
        (SortKind::Named(..), Value::Data(d)) => {
            if let crate::compound::Tag::Constructor(c) = d.tag()
                && let Some(c) = a.fun_at(c as usize)
                && let Some(sorts) = crate::domain::field_sorts(a, c, have)
            {
                for (x, s) in d.fields().items().iter().zip(sorts) {
                    collect(a, want, s, x, out);
                }
            }
        }
        _ => {}
    }
}

/// A table from points; an error if a bound is exceeded, `None` if a point is not canonical.
pub fn table(
    points: Vec<(Box<[Value]>, Value)>,
    default: Value,
) -> Option<Result<Interpretation, Limit>> {
    Some(Table::new(points, default)?.map(|t| Interpretation::Table(Arc::new(t))))
}
