//! The pre-analysis: every place of a formula with the set of values that may stand there.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::occurrence::Path;
use smelt_smtlib::{Arena, Head, Term};

use super::abs::Abs;
use super::rules::Known;
use crate::accepted::open_arguments;

/// Places of one formula that are looked at: the tree behind a formula may be exponentially large.
const MAX_PLACES: usize = 3000;

/// One place.
pub struct Place {
    /// The place above; the place itself for an assertion.
    above: u32,
    /// Which argument of it.
    arg: u32,
    /// Which assertion it is in.
    pub assertion: u32,
    pub term: Term,
    /// What may stand there; `None` where nothing is known (under a binder, or without a value).
    pub abs: Option<Arc<Abs>>,
}

/// All places of a formula.
pub struct Places {
    pub list: Vec<Place>,
    /// Sums of weights; places of weight 0 are never chosen.
    sums: Vec<f64>,
}

impl Places {
    /// Analyses assertions that are true under the model.
    pub fn of(a: &Arena, values: &mut Incremental, assertions: &[Term], weighted: bool) -> Self {
        let mut known = Known { a, values };
        let top = Arc::new(Abs::Bool(true));
        let root = |(i, &term): (usize, &Term)| Place {
            above: i as u32,
            arg: 0,
            assertion: i as u32,
            term,
            abs: Some(top.clone()),
        };
        let mut list: Vec<Place> = assertions.iter().enumerate().map(root).collect();
        let mut next = 0;
        // Breadth first: what is cut off is deep.
        while next < list.len() && list.len() < MAX_PLACES {
            let Place { term, assertion, .. } = list[next];
            let abs = list[next].abs.clone();
            let args = match a.head(term) {
                Head::Annot(_) => &a.args(term)[..1],
                _ => open_arguments(a, term),
            };
            for (i, &arg) in args.iter().enumerate() {
                let found = if !a.is_closed(arg) {
                    None
                } else {
                    match (&abs, a.head(term)) {
                        (Some(abs), Head::Annot(_)) => Some(abs.clone()),
                        (Some(abs), Head::Op(..) | Head::Fun(_)) => known.argument(term, i, abs),
                        // Under a binder a closed term keeps its value.
                        _ => known.values.eval(a, arg).ok().map(|v| Arc::new(Abs::only(v))),
                    }
                };
                list.push(Place {
                    above: next as u32,
                    arg: i as u32,
                    assertion,
                    term: arg,
                    abs: found,
                });
            }
            next += 1;
        }
        let mut sum = 0.0;
        let sums = list
            .iter()
            .map(|p| {
                sum += match &p.abs {
                    None => 0.0,
                    Some(abs) if weighted => abs.score(a, a.sort(p.term)).clamp(0.001, 1.0),
                    Some(_) => 1.0,
                };
                sum
            })
            .collect();
        Self { list, sums }
    }

    /// A place, by weight.
    pub fn choose(&self, random: &mut ChaCha8Rng) -> Option<&Place> {
        let all = *self.sums.last()?;
        if all <= 0.0 {
            return None;
        }
        let at = random.random_range(0.0..all);
        let i = self.sums.partition_point(|&s| s <= at);
        self.list.get(i)
    }

    /// The place whose argument a place is; `None` for an assertion.
    pub fn above(&self, place: &Place) -> Option<&Place> {
        let above = &self.list[place.above as usize];
        (!std::ptr::eq(above, place)).then_some(above)
    }

    /// The way from the assertion to a place.
    pub fn path(&self, place: &Place) -> Path {
        let mut path = Path::new();
        let mut at = place;
        loop {
            let above = &self.list[at.above as usize];
            if std::ptr::eq(above, at) {
                break;
            }
            path.push(at.arg);
            at = above;
        }
        path.reverse();
        path
    }
}
