//! Constants: put in where an assertion says what they are, and merged with others of their sort.

use smelt_smtlib::{Command, Head, Op, Term};

use super::terms::by_size;
use crate::edit::Edit;
use crate::subject::Subject;
use crate::used::Used;

/// Each constant that an assertion says to be equal to a term without it: the term takes its place, and the assertion goes.
pub fn eliminate(s: &mut Subject) -> Vec<Edit> {
    let a = &s.script.arena;
    let mut out = Vec::new();
    for (i, c) in s.script.commands.iter().enumerate() {
        let Command::Assert(t) = c else { continue };
        let (Head::Op(Op::Eq, _), &[x, y]) = (a.head(*t), a.args(*t)) else { continue };
        for (x, y) in [(x, y), (y, x)] {
            let is_constant =
                matches!(a.head(x), Head::Fun(f) if a.args(x).is_empty() && a.fun(f).def.is_none());
            if is_constant && !a.dag(&[y]).contains(&x) {
                let mut edit = Edit::replace(x, y);
                edit.drop.push(i);
                out.push(edit);
            }
        }
    }
    out
}

/// Each equation anywhere, of which one side takes the place of the other one: it is true then.
pub fn by_equations(s: &mut Subject) -> Vec<Edit> {
    const MOST: usize = 100;
    let all = by_size(&s.script);
    let truth = s.script.arena.mk_bool(true);
    let a = &s.script.arena;
    let mut out = Vec::new();
    for t in all.into_iter().filter(|&t| a.is_closed(t)) {
        let (Head::Op(Op::Eq, _), &[x, y]) = (a.head(t), a.args(t)) else { continue };
        for (x, y) in [(x, y), (y, x)] {
            if x != y && a.tree_size(x) <= 3 && !a.dag(&[y]).contains(&x) {
                let mut edit = Edit::replace(t, truth);
                edit.replace.push((x, y));
                out.push(edit);
            }
        }
    }
    out.truncate(MOST);
    out
}

/// Each two constants of one sort made one.
pub fn merge(s: &mut Subject) -> Vec<Edit> {
    const MOST: usize = 200;
    let used = Used::of(&s.script);
    let funs: Vec<_> = s
        .declared()
        .into_iter()
        .filter(|&f| used.has(f) && s.script.arena.fun(f).args.is_empty())
        .collect();
    let terms: Vec<Term> = funs.into_iter().map(|f| s.script.arena.mk_fun(f)).collect();
    let a = &s.script.arena;
    let mut out = Vec::new();
    for (i, &x) in terms.iter().enumerate() {
        for &y in terms[..i].iter().filter(|&&y| a.sort(y) == a.sort(x)) {
            out.push(Edit::replace(x, y));
            if out.len() >= MOST {
                return out;
            }
        }
    }
    out
}
