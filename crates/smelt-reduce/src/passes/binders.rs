//! Quantifiers: dropped, instantiated, with fewer variables.

use smelt_smtlib::arena::FunDecl;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Arena, Binder, FunKind, Head, Term, Var};

use super::names::Fresh;
use super::small::small;
use super::terms::by_size;
use crate::edit::Edit;
use crate::subject::Subject;

/// The closed quantifiers of a script, the largest first: binder, variables, body.
fn quantifiers(s: &Subject) -> Vec<(Term, Binder, Vec<Var>, Term)> {
    let a = &s.script.arena;
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        if let Head::Bind(b @ (Binder::Forall | Binder::Exists), vars) = a.head(t) {
            out.push((t, b, a.vars(vars).to_vec(), a.args(t)[0]));
        }
    }
    out
}

fn put(a: &mut Arena, body: Term, vars: &[Var], values: &[Term]) -> Term {
    let all = vars.iter().zip(values);
    let substitution = all.fold(Substitution::new(), |s, (&v, &t)| s.var(v, t));
    substitution.apply(a, body)
}

/// A body without the annotations (patterns) around it.
fn bare(a: &Arena, body: Term) -> Term {
    if let Head::Annot(_) = a.head(body) { a.args(body)[0] } else { body }
}

/// Each quantifier by its body, with new constants for its variables.
pub fn drop(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for (t, _, vars, body) in quantifiers(s) {
        let mut names = Fresh::of(&s.script);
        let a = &mut s.script.arena;
        let mut edit = Edit::default();
        let mut constants = Vec::new();
        for &v in &vars {
            let name = a.sym(&names.next().unwrap_or_default());
            let ret = a.var(v).sort;
            let f = a.declare_fun(FunDecl {
                name,
                params: [].into(),
                args: [].into(),
                ret,
                kind: FunKind::Free,
                def: None,
            });
            constants.push(a.mk_fun(f));
            edit.declare.push((f, None));
        }
        let body = bare(a, body);
        let new = put(a, body, &vars, &constants);
        edit.replace.push((t, new));
        out.push(edit);
    }
    out
}

/// Each quantifier by its body at small values of its variables, or at constants of the script.
pub fn instantiate(s: &mut Subject) -> Vec<Edit> {
    let constants: Vec<Term> = {
        let funs = s.declared();
        funs.into_iter()
            .filter(|&f| s.script.arena.fun(f).args.is_empty())
            .collect::<Vec<_>>()
            .into_iter()
            .map(|f| s.script.arena.mk_fun(f))
            .collect()
    };
    let mut out = Vec::new();
    for (t, _, vars, body) in quantifiers(s) {
        let a = &mut s.script.arena;
        let body = bare(a, body);
        for which in 0..2 {
            let values: Option<Vec<Term>> = vars
                .iter()
                .map(|&v| {
                    let sort = a.var(v).sort;
                    let known = constants.iter().copied().find(|&c| a.sort(c) == sort);
                    let mut values = small(a, sort);
                    values.extend(known);
                    values.get(which.min(values.len().saturating_sub(1))).copied()
                })
                .collect();
            out.extend(values.map(|values| Edit::replace(t, put(a, body, &vars, &values))));
        }
    }
    out
}

/// Each quantifier without one of its variables: one that does not occur, or at a small value.
pub fn variables(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for (t, binder, vars, body) in quantifiers(s) {
        let a = &mut s.script.arena;
        if matches!(a.head(body), Head::Annot(_)) {
            continue;
        }
        for (i, &v) in vars.iter().enumerate() {
            let others: Vec<Var> =
                vars.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &v)| v).collect();
            let new = if a.free_vars(body).contains(&v) {
                let sort = a.var(v).sort;
                let twin =
                    others.iter().copied().find(|&o| a.var(o).sort == sort).map(|o| a.mk_var(o));
                let Some(value) = twin.or_else(|| small(a, sort).first().copied()) else {
                    continue;
                };
                put(a, body, &[v], &[value])
            } else {
                body
            };
            let new = if others.is_empty() {
                new
            } else {
                let list = a.var_list(&others);
                a.mk_binder(binder, list, &[new])
            };
            out.push(Edit::replace(t, new));
        }
    }
    out
}
