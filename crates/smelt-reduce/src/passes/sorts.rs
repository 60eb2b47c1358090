//! Sorts over the whole script: narrower bit-vectors, smaller float formats, simpler sorts in the place of others.

use rustc_hash::FxHashSet;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Command, Script, Sort, SortKind};

use super::retype::Retype;
use crate::edit::Edit;
use crate::subject::Subject;

/// The sorts of the terms, symbols and variables of a script, with their parts, in the order of their numbers.
fn sorts(s: &Script) -> Vec<Sort> {
    let a = &s.arena;
    let mut todo: Vec<Sort> = a.dag(&s.roots()).into_iter().map(|t| a.sort(t)).collect();
    for c in &s.commands {
        if let Command::DeclareFun(f) = c {
            let d = a.fun(*f);
            todo.extend(d.args.iter().chain([&d.ret]));
        }
    }
    let mut seen = FxHashSet::default();
    while let Some(sort) = todo.pop() {
        if seen.insert(sort) {
            a.sort_kind(sort).for_each_child(|c| todo.push(c));
        }
    }
    let mut all: Vec<Sort> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// The script with these sorts changed by `change`, everywhere at once.
fn mapped(
    s: &Subject,
    change: impl Fn(&mut Arena, Sort) -> Option<Sort>,
    all: &[Sort],
) -> Option<Edit> {
    let mut retype = Retype::of(s);
    let mut any = false;
    for &sort in all {
        if let Some(to) = change(retype.arena(), sort).filter(|to| *to != sort) {
            retype.map_sort(sort, to);
            any = true;
        }
    }
    if any { retype.finish(s).map(Edit::whole) } else { None }
}

/// All widths cut at one, or halved; then each width alone.
pub fn widths(s: &mut Subject) -> Vec<Edit> {
    let all: Vec<Sort> = sorts(&s.script);
    let width =
        |a: &Arena, s: Sort| if let SortKind::BitVec(w) = a.sort_kind(s) { Some(*w) } else { None };
    let widths: Vec<u32> = all.iter().filter_map(|&x| width(&s.script.arena, x)).collect();
    let Some(&widest) = widths.iter().max() else { return Vec::new() };
    let mut out = Vec::new();
    for most in [1, 2, 3, 4, 8, 16].into_iter().filter(|&m| m < widest) {
        out.extend(mapped(s, |a, x| width(a, x).map(|w| a.bv_sort(w.min(most))), &all));
    }
    out.extend(mapped(s, |a, x| width(a, x).map(|w| a.bv_sort(w.div_ceil(2))), &all));
    for &one in &widths {
        let mut less = vec![1, 2, 4, 8, one / 2, one - 1];
        less.retain(|&w| w > 0 && w < one);
        less.dedup();
        for new in less {
            out.extend(mapped(s, |a, x| (width(a, x)? == one).then(|| a.bv_sort(new)), &all));
        }
    }
    out
}

/// Each float format by smaller ones.
pub fn formats(s: &mut Subject) -> Vec<Edit> {
    let all: Vec<Sort> = sorts(&s.script);
    let format = |a: &Arena, s: Sort| {
        if let SortKind::Float(e, m) = a.sort_kind(s) { Some((*e, *m)) } else { None }
    };
    let formats: Vec<(u32, u32)> = all.iter().filter_map(|&x| format(&s.script.arena, x)).collect();
    let mut out = Vec::new();
    for &(e, m) in &formats {
        let mut less = vec![
            (2, 2),
            (2, 3),
            (3, 3),
            (3, 5),
            (5, 11),
            (8, 24),
            (e - 1, m),
            (e, m / 2),
            (e, m - 1),
        ];
        less.retain(|&(x, y)| x >= 2 && y >= 2 && x <= e && y <= m && (x, y) != (e, m));
        for (x, y) in less {
            // Bits of floats have their width.
            let change = |a: &mut Arena, s: Sort| match *a.sort_kind(s) {
                SortKind::Float(p, q) if (p, q) == (e, m) => Some(a.mk_sort(SortKind::Float(x, y))),
                SortKind::BitVec(w) if w == e + m => Some(a.bv_sort(x + y)),
                _ => None,
            };
            out.extend(mapped(s, change, &all));
            out.extend(mapped(
                s,
                |a, s| (format(a, s)? == (e, m)).then(|| a.mk_sort(SortKind::Float(x, y))),
                &all,
            ));
        }
    }
    out
}

/// Free sorts, datatypes, compound sorts and elements by `Bool` and `Int`; reals by integers.
pub fn simpler(s: &mut Subject) -> Vec<Edit> {
    let all: Vec<Sort> = sorts(&s.script);
    let mut out = Vec::new();
    for &sort in &all {
        let a = &s.script.arena;
        let simple: &[Sort] = match a.sort_kind(sort) {
            SortKind::Named(d, _) if a.sort_decl(*d).kind == SortDeclKind::Free => {
                &[Sort::BOOL, Sort::INT]
            }
            SortKind::Named(..)
            | SortKind::Array(..)
            | SortKind::Seq(_)
            | SortKind::Set(_)
            | SortKind::Bag(_)
            | SortKind::Tuple(_) => &[Sort::BOOL, Sort::INT],
            SortKind::String | SortKind::BitVec(_) | SortKind::Float(..) => {
                &[Sort::BOOL, Sort::INT]
            }
            SortKind::Real => &[Sort::INT],
            SortKind::Int => &[Sort::BOOL],
            _ => continue,
        };
        for &to in simple {
            out.extend(mapped(s, |_, x| (x == sort).then_some(to), &all));
        }
    }
    out
}
