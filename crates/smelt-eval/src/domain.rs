//! Sorts as sets of values: how many there are, all of them, some of them.

use crate::array::{Array, Extent};
use crate::bv::Bv;
use crate::compound::{Data, Tag};
use crate::field::Ff;
use crate::fp::{Format, Fp, RoundingMode};
use crate::int::Int;
use crate::model::Model;
use crate::rat::Rat;
use crate::set::Set;
use crate::string::Str;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Fun, Sort, SortKind};
use std::borrow::Cow;
use std::sync::Arc;

/// Sorts with more values than this are not listed to bring an array into its normal form.
const MAX_NORMALISED: u64 = 4096;

/// What is known about sorts; answers are remembered.
#[derive(Default)]
pub(crate) struct Domains {
    sizes: FxHashMap<Sort, Extent>,
    /// Sorts whose values are being counted, each met in the one before it.
    counted: Vec<Sort>,
    /// The outermost of these, by its place, that was taken for infinite in what is being counted, because it was met inside itself.
    assumed: Option<usize>,
    /// Sizes that rest on such an assumption, and of whom: they are forgotten when that one is counted.
    provisional: FxHashMap<Sort, usize>,
    lists: FxHashMap<Sort, Arc<[Value]>>,
    /// The elements of free sorts, where the model says that there are no others.
    pub universes: FxHashMap<Sort, Arc<[Value]>>,
    /// Of other free sorts, how many elements the model names.
    pub named: FxHashMap<Sort, u64>,
    /// Whether to invent an element of a free sort of which none is known.
    pub invent: bool,
}

impl Domains {
    /// Knowledge about the free sorts of a model.
    pub fn of_model(model: &Model) -> Domains {
        Domains {
            universes: model.universes().clone(),
            named: model.named_elements().clone(),
            ..Domains::default()
        }
    }

    /// Takes over what a model says about free sorts, the first time that it is seen.
    pub fn follow(&mut self, model: &Model) {
        let (universes, named) = (model.universes(), model.named_elements());
        if self.universes.len() != universes.len() || self.named.len() != named.len() {
            self.universes.clone_from(universes);
            self.named.clone_from(named);
            self.sizes.clear();
            self.lists.clear();
        }
    }

    /// Whether this is what a model says about free sorts.
    pub fn follows(&self) -> bool {
        !self.universes.is_empty() || !self.named.is_empty()
    }

    /// Forgets sorts that are no more.
    pub fn truncate(&mut self, sorts: usize) {
        self.sizes.retain(|s, _| s.index() < sorts);
        self.lists.retain(|s, _| s.index() < sorts);
    }

    /// How many values a sort has; `None` where that is no number that is known.
    pub fn size(&mut self, a: &Arena, sort: Sort) -> Option<u64> {
        match self.extent(a, sort) {
            Extent::Exactly(n) => Some(n),
            _ => None,
        }
    }

    /// How many values a sort has.
    pub fn extent(&mut self, a: &Arena, sort: Sort) -> Extent {
        let assume = |d: &mut Domains, at: usize| {
            d.assumed = Some(d.assumed.map_or(at, |known| known.min(at)));
        };
        // A sort met inside itself is infinite, unless what is around it has one value only (an array into a sort of one value).
        if let Some(place) = self.counted.iter().position(|&s| s == sort) {
            assume(self, place);
            return Extent::Infinite;
        }
        if let Some(&known) = self.sizes.get(&sort) {
            if let Some(&at) = self.provisional.get(&sort) {
                assume(self, at);
            }
            return known;
        }
        let place = self.counted.len();
        let outer = self.assumed.take();
        self.counted.push(sort);
        let size = self.count(a, sort);
        self.counted.pop();
        self.sizes.insert(sort, size);
        if let Some(at) = self.assumed.filter(|&at| at < place) {
            self.provisional.insert(sort, at);
        } else {
            // Nothing further out was assumed: what was assumed of this sort is known now.
            self.assumed = None;
            let sizes = &mut self.sizes;
            self.provisional.retain(|s, at| {
                let rests = *at >= place;
                if rests {
                    sizes.remove(s);
                }
                !rests
            });
        }
        self.assumed = [outer, self.assumed].into_iter().flatten().min();
        size
    }

    fn count(&mut self, a: &Arena, sort: Sort) -> Extent {
        use Extent::{AtLeast, Exactly, Infinite};
        match a.sort_kind(sort) {
            SortKind::Bool => Exactly(2),
            SortKind::RoundingMode => Exactly(5),
            SortKind::BitVec(w) => two_to(u64::from(*w)).into(),
            SortKind::Float(e, s) => {
                // All bit patterns, with one instead of 2·(2^(s-1) − 1) for NaN.
                let all = two_to(u64::from(*e) + u64::from(*s));
                all.map(|all| all - (1 << s) + 3).into()
            }
            SortKind::FiniteField(p) => u64::try_from(p.clone()).ok().into(),
            SortKind::Nullable(e) => plus(self.extent(a, *e), Exactly(1)),
            SortKind::Tuple(parts) => self.row(a, parts),
            SortKind::Set(e) => match self.extent(a, *e) {
                Exactly(n) => two_to(n).into(),
                AtLeast(n) => AtLeast(two_to(n).unwrap_or(u64::MAX)),
                Infinite => Infinite,
            },
            SortKind::Array(i, e) => power(self.extent(a, *e), self.extent(a, *i)),
            SortKind::Int
            | SortKind::Real
            | SortKind::String
            | SortKind::RegLan
            | SortKind::Seq(_)
            | SortKind::Bag(_) => Infinite,
            SortKind::Named(d, _) => match &a.sort_decl(*d).kind {
                SortDeclKind::Free => match self.universes.get(&sort) {
                    Some(all) => Exactly(all.len() as u64),
                    None => AtLeast(self.named.get(&sort).copied().unwrap_or(1).max(1)),
                },
                SortDeclKind::Datatype { co: true, .. } => AtLeast(1),
                SortDeclKind::Datatype { constructors, .. } => {
                    constructors.iter().fold(Exactly(0), |sum, &c| match field_sorts(a, c, sort) {
                        Some(fields) => plus(sum, self.row(a, &fields)),
                        None => plus(sum, AtLeast(1)),
                    })
                }
            },
            _ => AtLeast(1),
        }
    }

    /// The number of rows of one value per column.
    fn row(&mut self, a: &Arena, sorts: &[Sort]) -> Extent {
        sorts.iter().fold(Extent::Exactly(1), |n, &s| times(n, self.extent(a, s)))
    }

    /// All values of a sort, if there are at most so many.
    pub fn all(&mut self, a: &Arena, sort: Sort, most: u64) -> Option<Arc<[Value]>> {
        if self.size(a, sort)? > most {
            return None;
        }
        if let Some(list) = self.lists.get(&sort) {
            return Some(list.clone());
        }
        let list: Arc<[Value]> = self.list(a, sort, most)?.into();
        self.lists.insert(sort, list.clone());
        Some(list)
    }

    /// The size is known to be at most `most`, and so are those of all parts but for indices of arrays that are all alike.
    fn list(&mut self, a: &Arena, sort: Sort, most: u64) -> Option<Vec<Value>> {
        match a.sort_kind(sort) {
            SortKind::Bool => Some(vec![Value::FALSE, Value::TRUE]),
            SortKind::RoundingMode => Some(RoundingMode::ALL.map(Value::Rm).to_vec()),
            SortKind::BitVec(w) => (0..1u64 << w).map(|n| bv(*w, n)).collect(),
            SortKind::Float(e, s) => {
                let format = Format::new(*e, *s).ok()?;
                let mut out: Vec<Value> = Vec::new();
                let mut nan = false;
                for n in 0..1u64 << (e + s) {
                    let x = Fp::from_bits(format, &Bv::new(e + s, n).ok()?)?;
                    let again = nan && x.is_nan();
                    nan |= x.is_nan();
                    if !again {
                        out.push(Value::Fp(x));
                    }
                }
                Some(out)
            }
            SortKind::FiniteField(p) => {
                let n = u64::try_from(p.clone()).ok()?;
                (0..n).map(|i| Ff::new(p.clone(), i.into()).map(|x| Value::Ff(x.into()))).collect()
            }
            SortKind::Nullable(e) => {
                let mut out = vec![nullable(Tag::Null, Vec::new())?];
                for v in self.all(a, *e, most)?.iter() {
                    out.push(nullable(Tag::Some, vec![v.clone()])?);
                }
                Some(out)
            }
            SortKind::Tuple(parts) => {
                let rows = self.product(a, parts, most)?;
                rows.into_iter().map(|row| Value::tuple(row).ok()).collect()
            }
            SortKind::Set(e) => {
                let all = self.all(a, *e, most)?;
                let subset = |bits: u64| {
                    let chosen = all.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                    let set = Set::new(chosen.map(|(_, v)| v.clone()).collect())?.ok()?;
                    Some(Value::Set(Arc::new(set)))
                };
                (0..1u64 << all.len()).map(subset).collect()
            }
            SortKind::Array(i, e) => {
                let elements = self.all(a, *e, most)?;
                if let [only] = &*elements {
                    // There may be any number of indices, and the sort itself may be among their parts.
                    let array = Array::constant(only.clone(), self.extent(a, *i)).ok()?;
                    return Some(vec![Value::Array(Arc::new(array))]);
                }
                let indices = self.all(a, *i, most)?;
                let columns: Vec<&[Value]> = indices.iter().map(|_| &*elements).collect();
                let array = |row: Vec<Value>| {
                    let entries = indices.iter().cloned().zip(row);
                    let default = elements.first()?.clone();
                    let array = Array::new(default, entries, Some(indices.len() as u64))?.ok()?;
                    Some(Value::Array(Arc::new(array.canonicalised(&indices)?.ok()?)))
                };
                rows(&columns).into_iter().map(array).collect()
            }
            SortKind::Named(d, _) => match &a.sort_decl(*d).kind {
                SortDeclKind::Free => Some(self.universes.get(&sort)?.to_vec()),
                SortDeclKind::Datatype { constructors, .. } => {
                    let mut out = Vec::new();
                    for &c in constructors {
                        for row in self.product(a, &field_sorts(a, c, sort)?, most)? {
                            out.push(Value::data(c.index() as u32, row).ok()?);
                        }
                    }
                    Some(out)
                }
            },
            _ => None,
        }
    }

    fn product(&mut self, a: &Arena, sorts: &[Sort], most: u64) -> Option<Vec<Vec<Value>>> {
        let lists: Option<Vec<Arc<[Value]>>> =
            sorts.iter().map(|&s| self.all(a, s, most)).collect();
        let lists = lists?;
        let columns: Vec<&[Value]> = lists.iter().map(|l| &**l).collect();
        Some(rows(&columns))
    }

    /// The value in its normal form, where it has one: arrays over small finite sorts may be written in several ways.
    pub fn canonical<'v>(&mut self, a: &Arena, sort: Sort, value: &'v Value) -> Cow<'v, Value> {
        if let (false, Value::Array(array)) = (value.is_canonical(), value)
            && let SortKind::Array(index, element) = *a.sort_kind(sort)
            && let Some(indices) = self.all(a, index, MAX_NORMALISED)
        {
            let entries: Option<Vec<(Value, Value)>> = indices
                .iter()
                .map(|i| {
                    let v = self.canonical(a, element, array.select(i)?).into_owned();
                    Some((i.clone(), v))
                })
                .collect();
            let normal = entries
                .and_then(|e| Array::new(e.first()?.1.clone(), e, array.domain())?.ok())
                .and_then(|array| array.canonicalised(&indices)?.ok());
            if let Some(array) = normal {
                return Cow::Owned(Value::Array(Arc::new(array)));
            }
        }
        Cow::Borrowed(value)
    }

    /// Some values of a sort, the plainest first: boundary values, never more than `most`. May be empty.
    pub fn samples(&mut self, a: &Arena, sort: Sort, most: usize) -> Vec<Value> {
        self.some(a, sort, most, 3)
    }

    fn some(&mut self, a: &Arena, sort: Sort, most: usize, depth: u32) -> Vec<Value> {
        if let Some(all) = self.all(a, sort, 64) {
            return all.iter().take(most).cloned().collect();
        }
        let mut out: Vec<Value> = match a.sort_kind(sort) {
            SortKind::Int => INTS.iter().map(|&n| Value::Int(Int::from(n))).collect(),
            SortKind::Real => INTS
                .iter()
                .map(|&n| Rat::from(n))
                .chain(
                    [(1i64, 2i64), (-1, 2), (3, 2), (1, 1000)]
                        .map(|(n, d)| Rat::new(&Int::from(n), &Int::from(d)).unwrap_or(Rat::ZERO)),
                )
                .map(Value::Real)
                .collect(),
            SortKind::String => ["", "a", "b", "0", "aa", "ab", "A", "-", "1", "10"]
                .map(|s| Value::Str(Str::from(s)))
                .to_vec(),
            SortKind::BitVec(w) => {
                let small = [0, 1, 2, 3, 4, 7, 8, 255];
                let max = Bv::min_signed(*w).map(|v| v.bvnot());
                let ends = [Bv::ones(*w), Bv::min_signed(*w), max];
                let small = small.iter().filter_map(|&n| bv(*w, n));
                small.chain(ends.into_iter().flatten().map(Value::Bv)).collect()
            }
            SortKind::Float(e, s) => Format::new(*e, *s).map_or_else(
                |_| Vec::new(),
                |f| {
                    let one = Fp::from_int(f, RoundingMode::NearestEven, &Int::ONE);
                    let tiny = Bv::new(f.width(), 1).ok().and_then(|b| Fp::from_bits(f, &b));
                    [Some(Fp::zero(f, false)), Some(one.clone()), Some(Fp::nan(f))]
                        .into_iter()
                        .chain([Some(Fp::zero(f, true)), Some(one.neg())])
                        .chain([Some(Fp::infinity(f, false)), Some(Fp::infinity(f, true))])
                        .chain([tiny, Some(Fp::largest(f, false)), Some(Fp::largest(f, true))])
                        .flatten()
                        .map(Value::Fp)
                        .collect()
                },
            ),
            SortKind::FiniteField(p) => [0u32, 1, 2, 3]
                .iter()
                .filter_map(|&n| Ff::new(p.clone(), n.into()).map(|x| Value::Ff(x.into())))
                .collect(),
            SortKind::Seq(e) => {
                let parts = self.parts(a, *e, depth);
                let empty = Value::seq(Vec::new()).ok();
                let units = parts.into_iter().filter_map(|v| Value::seq(vec![v]).ok());
                empty.into_iter().chain(units).collect()
            }
            SortKind::Set(e) => {
                let made = |v: Vec<Value>| Some(Value::Set(Arc::new(Set::new(v)?.ok()?)));
                let parts = self.parts(a, *e, depth);
                let units = parts.into_iter().filter_map(|v| made(vec![v]));
                made(Vec::new()).into_iter().chain(units).collect()
            }
            SortKind::Bag(e) => {
                let made = |v| Some(Value::Bag(Arc::new(crate::bag::Bag::new(v)?.ok()?)));
                let parts = self.parts(a, *e, depth);
                let units = parts.into_iter().filter_map(|v| made(vec![(v, Int::ONE)]));
                made(Vec::new()).into_iter().chain(units).collect()
            }
            SortKind::Array(i, e) => {
                let size = self.extent(a, *i);
                let constant = |v| Some(Value::Array(Arc::new(Array::constant(v, size).ok()?)));
                self.parts(a, *e, depth).into_iter().filter_map(constant).collect()
            }
            SortKind::Nullable(e) => {
                let parts = self.parts(a, *e, depth);
                let some = parts.into_iter().filter_map(|v| nullable(Tag::Some, vec![v]));
                nullable(Tag::Null, Vec::new()).into_iter().chain(some).collect()
            }
            SortKind::Tuple(parts) => {
                let rows = self.few_rows(a, parts, depth);
                rows.into_iter().filter_map(|row| Value::tuple(row).ok()).collect()
            }
            SortKind::Fun(..) => {
                let Some((_, ret)) = a.uncurried(sort) else { return Vec::new() };
                let made = |v| {
                    let table = crate::function::Table::new([], v)?.ok()?;
                    Some(Value::Fun(Arc::new(table)))
                };
                self.parts(a, ret, depth).into_iter().filter_map(made).collect()
            }
            SortKind::Named(d, _) => match &a.sort_decl(*d).kind {
                SortDeclKind::Free => match self.universes.get(&sort) {
                    Some(all) => all.to_vec(),
                    // Whether there are elements that the model does not name is not known.
                    None if !self.invent => Vec::new(),
                    None => vec![Value::Uninterpreted { sort: sort.index() as u32, id: u32::MAX }],
                },
                SortDeclKind::Datatype { co: true, .. } => Vec::new(),
                SortDeclKind::Datatype { constructors, .. } => {
                    // Constructors without fields first, then deeper ones.
                    let mut ordered: Vec<(usize, Fun)> =
                        constructors.iter().map(|&c| (a.fun(c).args.len(), c)).collect();
                    ordered.sort_by_key(|&(n, _)| n);
                    let mut out = Vec::new();
                    for (n, c) in ordered {
                        let Some(fields) = field_sorts(a, c, sort) else { continue };
                        if n > 0 && depth == 0 {
                            continue;
                        }
                        for row in self.few_rows(a, &fields, depth) {
                            out.extend(Value::data(c.index() as u32, row).ok());
                        }
                    }
                    out
                }
            },
            _ => Vec::new(),
        };
        out.truncate(most);
        out
    }

    fn parts(&mut self, a: &Arena, sort: Sort, depth: u32) -> Vec<Value> {
        if depth == 0 { Vec::new() } else { self.some(a, sort, 6, depth - 1) }
    }

    fn few_rows(&mut self, a: &Arena, sorts: &[Sort], depth: u32) -> Vec<Vec<Value>> {
        if sorts.is_empty() {
            return vec![Vec::new()];
        }
        let per = if sorts.len() > 2 { 1 } else { 3 };
        let lists: Vec<Vec<Value>> = sorts
            .iter()
            .map(|&s| if depth == 0 { Vec::new() } else { self.some(a, s, per, depth - 1) })
            .collect();
        let columns: Vec<&[Value]> = lists.iter().map(|l| &**l).collect();
        rows(&columns)
    }

    /// A plain value of a sort: 0, false, "", the first constructor that ends.
    pub fn plain(&mut self, a: &Arena, sort: Sort) -> Option<Value> {
        // Deep enough for datatypes whose plainest value needs several constructors.
        (1..12).find_map(|depth| self.some(a, sort, 1, depth).into_iter().next())
    }
}

/// All values of a sort, if it is known to have at most so many. Nothing is known about free sorts.
pub fn all_values(a: &Arena, sort: Sort, most: u64) -> Option<Arc<[Value]>> {
    Domains::default().all(a, sort, most)
}

/// 2^n, if a machine word holds it.
fn two_to(n: u64) -> Option<u64> {
    u32::try_from(n).ok().and_then(|n| 1u64.checked_shl(n))
}

fn plus(a: Extent, b: Extent) -> Extent {
    combine(a, b, u64::checked_add)
}

/// The number of pairs: the product of two extents, each of which is at least one.
fn times(a: Extent, b: Extent) -> Extent {
    combine(a, b, u64::checked_mul)
}

fn combine(a: Extent, b: Extent, f: fn(u64, u64) -> Option<u64>) -> Extent {
    use Extent::{AtLeast, Exactly, Infinite};
    match (a, b) {
        (Infinite, _) | (_, Infinite) => Infinite,
        (Exactly(x), Exactly(y)) => f(x, y).into(),
        (Exactly(x) | AtLeast(x), Exactly(y) | AtLeast(y)) => AtLeast(f(x, y).unwrap_or(u64::MAX)),
    }
}

/// `a` to the power of `b`, both at least one: the number of functions from `b` things to `a` things.
fn power(a: Extent, b: Extent) -> Extent {
    use Extent::{AtLeast, Exactly, Infinite};
    let raised = |x: u64, y: u64| u32::try_from(y).ok().and_then(|y| x.checked_pow(y));
    match (a, b) {
        (Exactly(1), _) => Exactly(1),
        (Exactly(x), Exactly(y)) => raised(x, y).into(),
        (Infinite, _) => Infinite,
        (AtLeast(0 | 1), Infinite) => AtLeast(1),
        (_, Infinite) => Infinite,
        (Exactly(x) | AtLeast(x), Exactly(y) | AtLeast(y)) => {
            AtLeast(raised(x, y).unwrap_or(u64::MAX))
        }
    }
}

const INTS: [i64; 18] =
    [0, 1, -1, 2, -2, 3, 4, 5, 7, 8, 10, -10, 16, 100, 255, 256, 1 << 31, -(1 << 31)];

fn bv(width: u32, n: u64) -> Option<Value> {
    if width < 64 && n >> width != 0 {
        return None;
    }
    Bv::new(width, n).ok().map(Value::Bv)
}

fn nullable(tag: Tag, fields: Vec<Value>) -> Option<Value> {
    Data::new(tag, fields).ok().map(|d| Value::Data(Arc::new(d)))
}

/// All rows of one value per column. The caller bounds their number.
fn rows(columns: &[&[Value]]) -> Vec<Vec<Value>> {
    let mut out: Vec<Vec<Value>> = vec![Vec::new()];
    for column in columns {
        out = out
            .into_iter()
            .flat_map(|row| {
                column.iter().map(move |v| row.iter().cloned().chain([v.clone()]).collect())
            })
            .collect();
    }
    out
}

/// The sorts of a constructor's fields where it makes a value of `sort`; `None` if an instance of a parametric sort is
/// not in the arena, which the evaluator must not change.
pub(crate) fn field_sorts(a: &Arena, constructor: Fun, sort: Sort) -> Option<Vec<Sort>> {
    let d = a.fun(constructor);
    let mut map = Vec::new();
    if !a.match_sort(d.ret, sort, &mut map) {
        return None;
    }
    let instance = |&s: &Sort| {
        if !a.sort_has_params(s) {
            return Some(s);
        }
        if let SortKind::Param(p) = a.sort_kind(s) {
            return map.iter().find(|(q, _)| q == p).map(|&(_, t)| t);
        }
        // All instances of one pattern and one assignment are one sort: find it.
        (0..a.sort_count())
            .filter_map(|i| a.sort_at(i))
            .find(|&t| !a.sort_has_params(t) && a.match_sort(s, t, &mut map.clone()))
    };
    d.args.iter().map(instance).collect()
}
