//! Terms of any theory, the largest first: replaced by a part of theirs, a small value, their value under the witness, a variable.

use smelt_eval::{Evaluator, Limits, value_term};
use smelt_smtlib::arena::FunDecl;
use smelt_smtlib::{Arena, Command, FunKind, Head, Script, Sort, Term};

use super::small::small;
use crate::edit::Edit;
use crate::subject::Subject;
use crate::witness::Definition;

/// Terms of a script that are looked at by passes that try one at a time.
const MOST_EACH: usize = 400;

/// The terms of a script, the largest first, but for patterns of quantifiers.
pub fn by_size(s: &Script) -> Vec<Term> {
    let a = &s.arena;
    let mut all = a.dag(&s.roots());
    all.retain(|&t| !matches!(a.head(t), Head::Annot(_)));
    all.sort_by_key(|&t| (std::cmp::Reverse(a.tree_size(t)), t));
    all
}

/// Whether a term may stand where another one stands.
fn fits(a: &Arena, old: Term, new: Term) -> bool {
    let free = a.free_vars(old);
    a.sort(old) == a.sort(new) && a.free_vars(new).iter().all(|v| free.contains(v))
}

/// Each Boolean term by a truth value; constants, too, because that saves their declarations.
pub fn to_bool(s: &mut Subject, value: bool) -> Vec<Edit> {
    let all = by_size(&s.script);
    let new = s.script.arena.mk_bool(value);
    let a = &s.script.arena;
    let is_open = |t| a.tree_size(t) > 1 || matches!(a.head(t), Head::Fun(_));
    let bools = all.into_iter().filter(|&t| a.sort(t) == Sort::BOOL && is_open(t));
    bools.map(|t| Edit::replace(t, new)).collect()
}

/// Each term by its value under the witness: that stays a model.
pub fn to_witness_value(s: &mut Subject) -> Vec<Edit> {
    let all = by_size(&s.script);
    let Some(model) = s.witness.clone().and_then(|w| w.model(&mut s.script, s.check.unwrap_or(0)))
    else {
        return Vec::new();
    };
    let mut evaluator = Evaluator::new(Limits::quick());
    let mut out = Vec::new();
    for t in all {
        let a = &s.script.arena;
        if !a.is_closed(t) || matches!(a.head(t), Head::Lit(_)) {
            continue;
        }
        let (sort, size) = (a.sort(t), a.tree_size(t));
        let Ok(value) = evaluator.eval(a, &model, t) else { continue };
        let Some(new) = value_term(&mut s.script.arena, &value, sort) else { continue };
        if new != t && s.script.arena.tree_size(new) <= size {
            out.push(Edit::replace(t, new));
        }
    }
    out
}

fn to_nth_child(s: &mut Subject, order: fn(&[Term]) -> Vec<Term>, most: usize) -> Vec<Edit> {
    let a = &s.script.arena;
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let children = order(a.args(t));
        out.extend(
            children.into_iter().filter(|&c| fits(a, t, c)).take(most).map(|c| Edit::replace(t, c)),
        );
    }
    out
}

/// Each term by the last of its arguments that has its sort.
pub fn to_last_child(s: &mut Subject) -> Vec<Edit> {
    to_nth_child(s, |args| args.iter().rev().copied().collect(), 1)
}

/// Each term by the first of its arguments that has its sort.
pub fn to_first_child(s: &mut Subject) -> Vec<Edit> {
    to_nth_child(s, <[Term]>::to_vec, 1)
}

/// Each term by any of its arguments, one at a time.
pub fn to_child(s: &mut Subject) -> Vec<Edit> {
    let mut all = to_nth_child(s, <[Term]>::to_vec, usize::MAX);
    all.truncate(4 * MOST_EACH);
    all
}

/// Each term by parts of its sort that are deeper in it.
pub fn to_part(s: &mut Subject) -> Vec<Edit> {
    const PARTS: usize = 6;
    let a = &s.script.arena;
    let mut out = Vec::new();
    for t in by_size(&s.script).into_iter().take(MOST_EACH) {
        let mut parts: Vec<Term> = a.dag(&[t]);
        parts.retain(|&p| p != t && !a.args(t).contains(&p) && fits(a, t, p));
        parts.sort_by_key(|&p| (a.tree_size(p), p));
        out.extend(parts.into_iter().take(PARTS).map(|p| Edit::replace(t, p)));
    }
    out
}

/// Each term by the smallest value of its sort.
pub fn to_small_value(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let sort = s.script.arena.sort(t);
        if sort == Sort::BOOL || matches!(s.script.arena.head(t), Head::Lit(_)) {
            continue;
        }
        let new = small(&mut s.script.arena, sort).into_iter().next();
        out.extend(new.filter(|&n| n != t).map(|n| Edit::replace(t, n)));
    }
    out
}

/// Each term by the other small values of its sort, one at a time.
pub fn to_other_small_value(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script).into_iter().take(MOST_EACH) {
        let sort = s.script.arena.sort(t);
        if sort == Sort::BOOL {
            continue;
        }
        let new = small(&mut s.script.arena, sort);
        out.extend(new.into_iter().skip(1).filter(|&n| n != t).map(|n| Edit::replace(t, n)));
    }
    out
}

/// Each term of some size by a new constant that has its value under the witness. A declaration is long: what is small is first
/// tried without one.
pub fn to_fresh_constant(s: &mut Subject, least: u64) -> Vec<Edit> {
    let model = s.witness.clone().map(|w| w.model(&mut s.script, s.check.unwrap_or(0)));
    if let Some(None) = model {
        return Vec::new();
    }
    let model = model.flatten();
    let mut evaluator = Evaluator::new(Limits::quick());
    let mut out = Vec::new();
    let all = by_size(&s.script);
    let names = super::names::Fresh::of(&s.script);
    for (t, name) in all
        .into_iter()
        .filter(|&t| s.script.arena.tree_size(t) >= least && s.script.arena.is_closed(t))
        .collect::<Vec<_>>()
        .into_iter()
        .zip(names)
    {
        let a = &mut s.script.arena;
        let sort = a.sort(t);
        if matches!(
            a.sort_kind(sort),
            smelt_smtlib::SortKind::RegLan | smelt_smtlib::SortKind::Fun(..)
        ) {
            continue;
        }
        let name = a.sym(&name);
        let f = a.declare_fun(FunDecl {
            name,
            params: [].into(),
            args: [].into(),
            ret: sort,
            kind: FunKind::Free,
            def: None,
        });
        let new = a.mk_fun(f);
        let value = match &model {
            None => None,
            Some(model) => {
                let Ok(value) = evaluator.eval(a, model, t) else { continue };
                let Some(d) = Definition::of(a, f, &value, sort) else { continue };
                Some(d)
            }
        };
        out.push(Edit { declare: vec![(f, value)], ..Edit::replace(t, new) });
    }
    out
}

/// Each term by a constant of its sort that the script has, one at a time.
pub fn to_variable(s: &mut Subject) -> Vec<Edit> {
    const PER_TERM: usize = 3;
    let used = crate::used::Used::of(&s.script);
    let constants: Vec<Term> = {
        let funs: Vec<_> = s
            .declared()
            .into_iter()
            .filter(|&f| used.has(f) && s.script.arena.fun(f).args.is_empty())
            .collect();
        funs.into_iter().map(|f| s.script.arena.mk_fun(f)).collect()
    };
    let a = &s.script.arena;
    let mut out = Vec::new();
    for t in by_size(&s.script).into_iter().filter(|&t| a.tree_size(t) > 1).take(MOST_EACH) {
        let fitting =
            constants.iter().filter(|&&c| a.sort(c) == a.sort(t) && c != t).take(PER_TERM);
        out.extend(fitting.map(|&c| Edit::replace(t, c)));
    }
    out
}

/// Single places of terms that stand in several: by a small value, or a part of the same sort.
pub fn at_one_place(s: &mut Subject) -> Vec<Edit> {
    const PLACES: usize = 300;
    let mut out = Vec::new();
    let commands = s.script.commands.clone();
    for (i, c) in commands.iter().enumerate() {
        let Command::Assert(root) = c else { continue };
        let mut stack: Vec<(Vec<u32>, Term)> = vec![(Vec::new(), *root)];
        while let Some((path, t)) = stack.pop() {
            if out.len() >= PLACES {
                return out;
            }
            let a = &mut s.script.arena;
            let sort = a.sort(t);
            let mut news: Vec<Term> = small(a, sort);
            news.truncate(2);
            news.extend(a.args(t).to_vec().into_iter().filter(|&n| fits(a, t, n)));
            for new in news.into_iter().filter(|&n| n != t) {
                out.extend(
                    a.replace_at(*root, &path, new).map(|r| Edit::put(i, vec![Command::Assert(r)])),
                );
            }
            for (k, &x) in a.args(t).iter().enumerate() {
                let mut deeper = path.clone();
                deeper.push(k as u32);
                stack.push((deeper, x));
            }
        }
    }
    out
}
