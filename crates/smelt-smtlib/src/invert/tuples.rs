//! Tuples, relations (sets of tuples) and tables (bags of tuples).

use super::{Inversion, Number, Sorts};
use crate::op::{Op, P, Theory};
use crate::sort::{Sort, SortKind};

impl Inversion<'_> {
    pub(super) fn is_tuple_op(&self) -> bool {
        use Op::{BagPartition, TableAggregate, TableGroup, TableJoin, TableProduct, TableProject};
        matches!(self.op.info().theory, Theory::Tuples | Theory::Relations)
            || matches!(
                self.op,
                BagPartition
                    | TableAggregate
                    | TableGroup
                    | TableJoin
                    | TableProduct
                    | TableProject
            )
    }

    fn columns(&mut self, low: u32, high: u32) -> Option<Vec<Sort>> {
        (0..self.count(low, high)).map(|_| self.any()).collect()
    }

    fn tuple(&mut self, parts: &[Sort]) -> Sort {
        self.mk(SortKind::Tuple(parts.into()))
    }

    /// A set of tuples, or a bag of them for the operators on tables.
    fn relation(&mut self, parts: &[Sort]) -> Sort {
        let t = self.tuple(parts);
        let bag = self.op.info().theory == Theory::Bags;
        self.mk(if bag { SortKind::Bag(t) } else { SortKind::Set(t) })
    }

    fn tuple_parts(&self, s: Sort) -> Option<Vec<Sort>> {
        match self.arena.sort_kind(s) {
            SortKind::Tuple(parts) => Some(parts.to_vec()),
            _ => None,
        }
    }

    fn relation_parts(&self, s: Sort) -> Option<Vec<Sort>> {
        match *self.arena.sort_kind(s) {
            SortKind::Set(e) | SortKind::Bag(e) => self.tuple_parts(e),
            _ => None,
        }
    }

    /// The columns of the wanted relation, or some.
    fn wanted_columns(&mut self, want: Option<Sort>, low: u32, high: u32) -> Option<Vec<Sort>> {
        match want {
            Some(s) => self.relation_parts(s).filter(|p| p.len() >= low as usize),
            None => self.columns(low, high),
        }
    }

    /// Columns that hold the wanted ones somewhere; their places become the indices.
    fn projected_from(&mut self, wanted: &[Sort]) -> Option<Vec<Sort>> {
        let mut all = self.columns(0, 2)?;
        let mut places: Vec<u32> = Vec::new();
        for &s in wanted {
            let at = self.number(Number::Index, 0, all.len() as u32);
            all.insert(at as usize, s);
            places.iter_mut().filter(|p| **p >= at).for_each(|p| *p += 1);
            places.push(at);
        }
        self.indices = places;
        Some(all)
    }

    pub(super) fn tuple_op(&mut self, want: Option<Sort>) -> Option<Sorts> {
        match self.op {
            Op::TupleMake => {
                let parts = match want {
                    Some(s) => self.tuple_parts(s)?,
                    None => self.columns(1, 3)?,
                };
                let s = self.tuple(&parts);
                Some((parts, s))
            }
            Op::TupleUnit => Some((vec![], self.tuple(&[]))),
            Op::TupleSelect => {
                let s = self.wanted(want, P::A)?;
                let all = self.projected_from(&[s])?;
                Some((vec![self.tuple(&all)], s))
            }
            Op::TupleUpdate => {
                let all = match want {
                    Some(s) => self.tuple_parts(s)?,
                    None => self.columns(1, 3)?,
                };
                let i = self.number(Number::Index, 0, all.len().checked_sub(1)? as u32);
                self.indices.push(i);
                let s = self.tuple(&all);
                Some((vec![s, all[i as usize]], s))
            }
            Op::TupleProject => {
                let parts = match want {
                    Some(s) => self.tuple_parts(s)?,
                    None => self.columns(1, 3)?,
                };
                if parts.is_empty() {
                    return None;
                }
                let all = self.projected_from(&parts)?;
                Some((vec![self.tuple(&all)], self.tuple(&parts)))
            }
            _ => self.relation_op(want),
        }
    }

    fn relation_op(&mut self, want: Option<Sort>) -> Option<Sorts> {
        match self.op {
            Op::RelTranspose => {
                let parts = self.wanted_columns(want, 1, 3)?;
                let back: Vec<Sort> = parts.iter().rev().copied().collect();
                Some((vec![self.relation(&back)], self.relation(&parts)))
            }
            Op::RelTclosure | Op::RelIden => {
                let parts = match want {
                    Some(s) => self.relation_parts(s)?,
                    None => {
                        let s = self.any()?;
                        vec![s, s]
                    }
                };
                if parts.len() != 2 || parts[0] != parts[1] {
                    return None;
                }
                let from = if self.op == Op::RelIden { &parts[..1] } else { &parts[..] };
                Some((vec![self.relation(from)], self.relation(&parts)))
            }
            Op::RelJoin => {
                let parts = self.wanted_columns(want, 1, 3)?;
                let at = self.number(Number::Index, 0, parts.len() as u32) as usize;
                let shared = self.any()?;
                let left: Vec<Sort> = parts[..at].iter().copied().chain([shared]).collect();
                let right: Vec<Sort> =
                    std::iter::once(shared).chain(parts[at..].iter().copied()).collect();
                let args = vec![self.relation(&left), self.relation(&right)];
                Some((args, self.relation(&parts)))
            }
            Op::RelProduct | Op::TableProduct | Op::RelTableJoin | Op::TableJoin => {
                let parts = self.wanted_columns(want, 2, 4)?;
                let at = self.number(Number::Index, 1, parts.len() as u32 - 1) as usize;
                let (left, right) = parts.split_at(at);
                if matches!(self.op, Op::RelTableJoin | Op::TableJoin) {
                    let pairs: Vec<(u32, u32)> = (0..left.len() as u32)
                        .flat_map(|i| (0..right.len() as u32).map(move |j| (i, j)))
                        .filter(|&(i, j)| left[i as usize] == right[j as usize])
                        .collect();
                    if !pairs.is_empty() {
                        let k = self.number(Number::Pick, 0, pairs.len() as u32 - 1) as usize;
                        self.indices.extend([pairs[k].0, pairs[k].1]);
                    }
                }
                let args = vec![self.relation(left), self.relation(right)];
                Some((args, self.relation(&parts)))
            }
            Op::RelJoinImage => {
                let parts = self.wanted_columns(want, 1, 1)?;
                let [s] = *parts else { return None };
                Some((vec![self.relation(&[s, s]), Sort::INT], self.relation(&parts)))
            }
            Op::RelProject | Op::TableProject => {
                let parts = self.wanted_columns(want, 1, 3)?;
                let all = self.projected_from(&parts)?;
                Some((vec![self.relation(&all)], self.relation(&parts)))
            }
            Op::RelGroup | Op::TableGroup => {
                let inner = match want {
                    Some(s) => match *self.arena.sort_kind(s) {
                        SortKind::Set(e) | SortKind::Bag(e) => e,
                        _ => return None,
                    },
                    None => {
                        let parts = self.columns(1, 3)?;
                        self.relation(&parts)
                    }
                };
                let parts = self.relation_parts(inner)?;
                self.some_columns(parts.len());
                let bag = self.op == Op::TableGroup;
                let outer = if bag { SortKind::Bag(inner) } else { SortKind::Set(inner) };
                let fits = matches!(
                    (self.arena.sort_kind(inner), bag),
                    (SortKind::Bag(_), true) | (SortKind::Set(_), false)
                );
                fits.then(|| (vec![inner], self.mk(outer)))
            }
            Op::RelAggregate | Op::TableAggregate => {
                let result = match want.map(|s| self.arena.sort_kind(s).clone()) {
                    Some(SortKind::Set(e) | SortKind::Bag(e)) => e,
                    Some(_) => return None,
                    None => self.any()?,
                };
                let parts = self.columns(1, 3)?;
                self.some_columns(parts.len());
                let row = self.tuple(&parts);
                let f = self.mk(SortKind::Fun([row, result].into(), result));
                let from = self.relation(&parts);
                let bag = self.op == Op::TableAggregate;
                let ret = if bag { SortKind::Bag(result) } else { SortKind::Set(result) };
                Some((vec![f, result, from], self.mk(ret)))
            }
            Op::BagPartition => {
                let inner = match want.map(|s| self.arena.sort_kind(s).clone()) {
                    Some(SortKind::Bag(e)) => e,
                    Some(_) => return None,
                    None => self.wanted(None, P::BagA)?,
                };
                let SortKind::Bag(e) = *self.arena.sort_kind(inner) else { return None };
                let f = self.mk(SortKind::Fun([e, e].into(), Sort::BOOL));
                Some((vec![f, inner], self.mk(SortKind::Bag(inner))))
            }
            _ => None,
        }
    }

    /// Some of the columns, each at most once, as indices.
    fn some_columns(&mut self, n: usize) {
        let k = self.number(Number::Count, 0, n as u32) as usize;
        let mut left: Vec<u32> = (0..n as u32).collect();
        for _ in 0..k {
            let i = self.number(Number::Pick, 0, left.len() as u32 - 1);
            let column = left.remove(i as usize);
            self.indices.push(column);
        }
    }
}
