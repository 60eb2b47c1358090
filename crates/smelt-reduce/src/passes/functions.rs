//! Function symbols: definitions put in where they are used, parameters left out.

use rustc_hash::FxHashMap;
use smelt_smtlib::arena::FunDecl;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Head, Script, Term};

use super::retype::Retype;
use crate::edit::{Edit, prune};
use crate::subject::Subject;

/// Each definition by what it says, where that is smaller; one that is not recursive.
pub fn inline(s: &mut Subject) -> Vec<Edit> {
    let defined: Vec<Fun> = s
        .script
        .commands
        .iter()
        .filter_map(|c| match c {
            Command::DefineFun(f) if s.script.arena.fun(*f).kind == FunKind::Defined => Some(*f),
            _ => None,
        })
        .collect();
    defined.into_iter().filter_map(|f| inlined(s, f)).collect()
}

/// The script with one definition put in where it is used.
pub fn inlined(s: &Subject, f: Fun) -> Option<Edit> {
    let mut script = s.script.clone();
    let (params, body) = script.arena.fun(f).def?;
    let params = script.arena.vars(params).to_vec();
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut change = |a: &mut Arena, root: Term| -> Term {
        for t in a.dag(&[root]) {
            if done.contains_key(&t) {
                continue;
            }
            let args: Vec<Term> = a.args(t).iter().map(|x| done[x]).collect();
            let new = match a.head(t) {
                Head::Fun(g) if g == f && args.len() == params.len() => {
                    let all = params.iter().zip(&args);
                    all.fold(Substitution::new(), |s, (&v, &t)| s.var(v, t)).apply(a, body)
                }
                _ if args == a.args(t) => t,
                _ => a.with_args(t, &args),
            };
            done.insert(t, new);
        }
        done[&root]
    };
    map_roots(&mut script, f, &mut change);
    prune(&s.script, &mut script);
    Some(Edit::whole(Subject::made(script, s.check, s.witness.clone(), s.style.clone())))
}

/// Changes all terms of a script, but for the definition of one function.
fn map_roots(script: &mut Script, but: Fun, change: &mut dyn FnMut(&mut Arena, Term) -> Term) {
    let Script { arena: a, commands } = script;
    for c in commands {
        match c {
            Command::Assert(t)
            | Command::AssertSoft(t, _)
            | Command::Minimize(t, _)
            | Command::Maximize(t, _) => *t = change(a, *t),
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => {
                ts.iter_mut().for_each(|t| *t = change(a, *t))
            }
            Command::DefineFun(f) if *f != but => {
                if let Some((params, body)) = a.fun(*f).def {
                    let body = change(a, body);
                    a.set_definition(*f, params, body);
                }
            }
            _ => {}
        }
    }
}

/// Each parameter of each declared function left out, everywhere.
pub fn parameters(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for f in s.declared() {
        for i in 0..s.script.arena.fun(f).args.len() {
            let mut retype = Retype::of(s);
            let a = retype.arena();
            let old = a.fun(f).clone();
            let args =
                old.args.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &s)| s).collect();
            let new = a.declare_fun(FunDecl { args, ..old });
            retype.map_fun(f, new, Some(i));
            out.extend(retype.finish(s).map(Edit::whole));
        }
    }
    out
}
