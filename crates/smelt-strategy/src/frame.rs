//! What a strategy takes from a seed's script: its declarations, and what each of its checks asserts.
//!
//! Assertions come without `:named` (a mutant may use a term without the place that names it) and, on demand, with all
//! definitions expanded, so that every place of a formula can be mutated.

use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::arena::{Attr, FunDecl};
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Head, Script, Sort, Sym, Term};

use crate::Refusal;

/// Terms that expanding definitions may add.
const MAX_EXPANSION: usize = 20_000;

/// Takes the names off all terms of assertions; who is called by a name is put in its place. Everything else stays as it is.
pub fn without_names(script: &mut Script) -> Result<(), Refusal> {
    let mut plain = Plain { expand: false, only_names: true, done: FxHashMap::default() };
    let limit = script.arena.term_count() + MAX_EXPANSION;
    for c in &mut script.commands {
        if let Command::Assert(t) = c {
            *t = plain.term(&mut script.arena, *t, limit)?;
        }
    }
    Ok(())
}

/// The parts of a script that mutants are made of.
pub struct Frame {
    /// Declarations and definitions in order, all at the top level.
    pub declarations: Vec<Command>,
    /// The declared symbols: what a model has to interpret.
    pub symbols: Vec<Fun>,
    /// What each check asserts.
    pub checks: Vec<Vec<Term>>,
}

impl Frame {
    /// Takes a script apart. With `expand`, calls of defined (not recursive) functions are replaced by their bodies.
    pub fn of(script: &mut Script, expand: bool) -> Result<Self, Refusal> {
        let mut declarations = Vec::new();
        let mut symbols = Vec::new();
        let a = &script.arena;
        for c in &script.commands {
            match c {
                Command::DeclareFun(f) => symbols.push(*f),
                Command::DefineFun(f) if expand && a.fun(*f).kind == FunKind::Defined => continue,
                Command::DefineFun(_)
                | Command::DefineFunsRec(_)
                | Command::DeclareSort(_)
                | Command::DefineSort(..)
                | Command::DeclareDatatypes(_) => {}
                // Formulas about a heap mean nothing without its declaration, and two scripts cannot share one.
                Command::Other(text) if text.contains("declare-heap") => {
                    return Err("the script declares a heap".into());
                }
                _ => continue,
            }
            declarations.push(c.clone());
        }
        let queries = script.queries();
        if queries.is_empty() {
            return Err("the script has no check".into());
        }
        let mut plain = Plain { expand, only_names: false, done: FxHashMap::default() };
        let limit = script.arena.term_count() + MAX_EXPANSION;
        let mut checks = Vec::new();
        for q in queries {
            let mut list: Vec<Term> = Vec::new();
            for t in q.assertions {
                let t = plain.term(&mut script.arena, t, limit)?;
                if !list.contains(&t) {
                    list.push(t);
                }
            }
            checks.push(list);
        }
        if expand {
            keep_used(script, &mut declarations, &checks);
        }
        one_scope(script, &declarations)?;
        Ok(Self { declarations, symbols, checks })
    }

    /// The distinct assertions of all checks.
    pub fn assertions(&self) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        self.checks.iter().flatten().copied().filter(|t| seen.insert(*t)).collect()
    }
}

/// Refuses declarations that cannot all stand in one scope at the top: there no name is declared twice. Datatypes may share the
/// names of their constructors and selectors, with each other and with functions of other arguments, if the script itself has
/// them in force together.
fn one_scope(script: &Script, declarations: &[Command]) -> Result<(), Refusal> {
    let a = &script.arena;
    let ends =
        |c: &Command| matches!(c, Command::Pop(_) | Command::Reset | Command::ResetAssertions);
    let together = !script.commands.iter().any(ends);
    let mut funs: FxHashMap<Sym, Vec<Fun>> = FxHashMap::default();
    let mut sorts = FxHashSet::default();
    let mut constructors = FxHashSet::default();
    let mut fresh = |f: Fun| {
        let d = a.fun(f);
        let of_datatype =
            |k: FunKind| matches!(k, FunKind::Constructor(..) | FunKind::Selector(..));
        let same = funs.entry(d.name).or_default();
        let apart = |g: &Fun| of_datatype(d.kind) || of_datatype(a.fun(*g).kind);
        let fresh = same.is_empty() || together && same.iter().all(apart);
        same.push(f);
        fresh
    };
    for c in declarations {
        let fresh = match c {
            Command::DeclareFun(f) | Command::DefineFun(f) => fresh(*f),
            Command::DefineFunsRec(fs) => fs.iter().all(|f| fresh(*f)),
            Command::DeclareSort(d) => sorts.insert(a.sort_decl(*d).name),
            Command::DefineSort(name, ..) => sorts.insert(*name),
            Command::DeclareDatatypes(ds) => ds.iter().all(|d| {
                let d = a.sort_decl(*d);
                let SortDeclKind::Datatype { constructors: own, .. } = &d.kind else { return true };
                constructors.extend(own.iter().copied());
                sorts.insert(d.name) && own.iter().all(|f| fresh(*f))
            }),
            _ => true,
        };
        if !fresh {
            return Err("a name is declared twice".into());
        }
    }
    let selector =
        |f: &Fun| matches!(a.fun(*f).kind, FunKind::Selector(c, _) if constructors.contains(&c));
    let mut selectors = (0..a.fun_count()).filter_map(|i| a.fun_at(i)).filter(selector);
    match constructors.is_empty() || selectors.all(fresh) {
        true => Ok(()),
        false => Err("a name is declared twice".into()),
    }
}

/// Refuses a script with a recursive definition: it is an axiom that may have no model, so that values of the declared
/// symbols alone prove nothing (`f(x) = f(x) + 1` makes any script unsatisfiable).
pub fn no_recursion(script: &Script) -> Result<(), Refusal> {
    match recursive(script) {
        None => Ok(()),
        Some(_) => Err("a recursive definition may have no model".into()),
    }
}

/// A function whose definition calls it, directly or by others.
pub fn recursive(script: &Script) -> Option<Fun> {
    let a = &script.arena;
    let defined = script.commands.iter().flat_map(|c| match c {
        Command::DefineFun(f) => std::slice::from_ref(f),
        Command::DefineFunsRec(fs) => fs,
        _ => &[],
    });
    defined.copied().find(|&f| {
        let mut stack: Vec<Term> = match a.fun(f).kind {
            FunKind::Recursive => a.fun(f).def.map(|(_, body)| body).into_iter().collect(),
            _ => return false,
        };
        let mut seen = FxHashSet::default();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                if let Some(g) = a.symbol(t) {
                    if g == f {
                        return true;
                    }
                    stack.extend(a.fun(g).def.map(|(_, body)| body));
                }
                stack.extend_from_slice(a.args(t));
            }
        }
        false
    })
}

/// Declares a constant with a name that the arena does not know: the base with a number.
pub fn fresh_constant(a: &mut Arena, base: &str, sort: Sort) -> Fun {
    let mut n = 0u32;
    let name = loop {
        let name = format!("{base}{n}");
        if a.find_sym(&name).is_none() {
            break a.sym(&name);
        }
        n += 1;
    };
    let (params, args) = ([].into(), [].into());
    a.declare_fun(FunDecl { name, params, args, ret: sort, kind: FunKind::Free, def: None })
}

/// Puts back the definitions that are used still, in their order: by recursive functions, as values, as what is done with arrays.
fn keep_used(script: &Script, declarations: &mut Vec<Command>, checks: &[Vec<Term>]) {
    let a = &script.arena;
    let defined =
        |c: &Command| matches!(c, Command::DefineFun(f) if a.fun(*f).kind == FunKind::Defined);
    if !script.commands.iter().any(defined) {
        return;
    }
    let bodies = declarations
        .iter()
        .flat_map(|c| match c {
            Command::DefineFun(f) => std::slice::from_ref(f),
            Command::DefineFunsRec(fs) => fs,
            _ => &[],
        })
        .filter_map(|f| a.fun(*f).def.map(|(_, body)| body));
    let mut stack: Vec<Term> = bodies.chain(checks.iter().flatten().copied()).collect();
    let mut used = FxHashSet::default();
    let mut seen = FxHashSet::default();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            if let Some(f) = a.symbol(t)
                && a.fun(f).kind == FunKind::Defined
                && used.insert(f)
            {
                stack.extend(a.fun(f).def.map(|(_, body)| body));
            }
            stack.extend_from_slice(a.args(t));
        }
    }
    let mut rest = std::mem::take(declarations).into_iter().peekable();
    for c in &script.commands {
        match c {
            Command::DefineFun(f) if used.contains(f) && a.fun(*f).kind == FunKind::Defined => {
                declarations.push(c.clone());
            }
            _ if rest.peek() == Some(c) => declarations.extend(rest.next()),
            _ => {}
        }
    }
}

/// Rewrites terms without names and, on demand, without definitions.
struct Plain {
    expand: bool,
    /// Whether annotations other than names stay.
    only_names: bool,
    done: FxHashMap<Term, Term>,
}

impl Plain {
    fn term(&mut self, a: &mut Arena, root: Term, limit: usize) -> Result<Term, Refusal> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.done.contains_key(&t) {
                stack.pop();
                continue;
            }
            if a.term_count() > limit {
                return Err("expanding the definitions takes too much".into());
            }
            let body = self.body(a, t);
            let before = stack.len();
            stack
                .extend(a.args(t).iter().chain(body.iter()).filter(|x| !self.done.contains_key(x)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = a.args(t).iter().map(|x| self.done[x]).collect();
            let new = match (a.head(t), body) {
                (Head::Fun(f), Some(body)) => {
                    let body = self.done[&body];
                    let params = a.fun(f).def.map_or(Vec::new(), |(l, _)| a.vars(l).to_vec());
                    let mut s = Substitution::new().refreshing();
                    for (&v, &x) in params.iter().zip(&args) {
                        s = s.var(v, x);
                    }
                    if params.is_empty() { body } else { s.apply(a, body) }
                }
                (Head::Annot(attrs), _) => {
                    let kept: Vec<Attr> = a
                        .attr_list(attrs)
                        .iter()
                        .filter(|x| match x {
                            Attr::Pattern(_) | Attr::NoPattern => true,
                            Attr::Named(_) => false,
                            _ => self.only_names,
                        })
                        .cloned()
                        .collect();
                    if kept.is_empty() {
                        args[0]
                    } else {
                        let attrs = a.attrs(kept);
                        let sort = a.sort(args[0]);
                        a.mk(Head::Annot(attrs), &args, sort)
                    }
                }
                (head, _) => {
                    let sort = a.sort(t);
                    a.mk(head, &args, sort)
                }
            };
            self.done.insert(t, new);
        }
        Ok(self.done[&root])
    }

    /// The body that takes the place of a call or a name.
    fn body(&self, a: &Arena, t: Term) -> Option<Term> {
        let Head::Fun(f) = a.head(t) else { return None };
        let d = a.fun(f);
        let (params, body) = d.def?;
        let whole = a.vars(params).len() == a.args(t).len();
        match d.kind {
            FunKind::Named => Some(body),
            FunKind::Defined if self.expand && whole => Some(body),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::print_term;

    fn check(script: &str, expand: bool, expect: &[&str]) {
        let mut s = smelt_smtlib::parse(script.as_bytes()).unwrap();
        let frame = Frame::of(&mut s, expand).unwrap();
        let all: Vec<String> =
            frame.assertions().iter().map(|&t| print_term(&s.arena, t)).collect();
        assert_eq!(all, expect);
    }

    #[test]
    fn names_and_definitions() {
        let text = "(declare-const p Bool)(define-fun f ((x Bool)) Bool (and x p))\
                    (assert (! (or p (f p)) :named n))(assert (=> n (f (not p))))(check-sat)";
        check(text, false, &["(or p (f p))", "(=> (or p (f p)) (f (not p)))"]);
        let expanded = ["(or p (and p p))", "(=> (or p (and p p)) (and (not p) p))"];
        check(text, true, &expanded);
    }

    #[test]
    fn checks_and_refusals() {
        let mut s = smelt_smtlib::parse(
            b"(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(check-sat-assuming ((not p)))",
        )
        .unwrap();
        let frame = Frame::of(&mut s, true).unwrap();
        assert_eq!(frame.checks.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
        let twice =
            "(push 1)(declare-const p Bool)(assert p)(pop 1)(declare-const p Int)(check-sat)";
        let mut s = smelt_smtlib::parse(twice.as_bytes()).unwrap();
        assert_eq!(Frame::of(&mut s, false).err().as_deref(), Some("a name is declared twice"));
        let heap = "(declare-heap (Int Int))(declare-const p Bool)(assert p)(check-sat)";
        let mut s = smelt_smtlib::parse(heap.as_bytes()).unwrap();
        assert_eq!(Frame::of(&mut s, false).err().as_deref(), Some("the script declares a heap"));
    }

    /// Whether the declarations of all scopes can stand in one, as they are and with definitions expanded.
    fn flat(script: &str, expect: [bool; 2]) {
        let found = [false, true].map(|expand| {
            let mut s = smelt_smtlib::parse(script.as_bytes()).unwrap();
            match Frame::of(&mut s, expand) {
                Ok(_) => true,
                Err(why) => {
                    assert_eq!(why, "a name is declared twice");
                    false
                }
            }
        });
        assert_eq!(found, expect, "{script}");
    }

    #[test]
    fn scopes_become_one() {
        let list = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))";
        let popped = |rest: &str| format!("(push 1){list}(pop 1){rest}(check-sat)");
        flat(&popped(""), [true; 2]);
        flat(&popped("(declare-const nil Int)"), [false; 2]);
        flat(&popped("(declare-fun hd (Int) Int)"), [false; 2]);
        flat(&popped("(define-fun tl () Int 1)"), [false, true]);
        flat(&popped("(declare-datatypes ((M 0)) (((nil))))"), [false; 2]);
        flat(&popped("(declare-datatypes ((M 0)) (((one (hd M)) (two))))"), [false; 2]);
        flat(&popped(&format!("(reset){list}")), [false; 2]);
        // What is in force together in the script may stand together.
        let both =
            "(declare-datatypes ((M 0)) (((nil) (one (hd Bool)))))(declare-fun hd (Int) Int)";
        flat(&format!("{list}{both}(check-sat)"), [true; 2]);
        // A definition that another one uses comes back.
        let used = "(push 1)(define-fun g ((x Int)) Int (+ x 1))(define-fun-rec r ((x Int)) Int (g x))(pop 1)";
        flat(&format!("{used}(declare-fun g (Int) Int)(check-sat)"), [false; 2]);
        flat(&format!("{used}(define-fun g () Int 1)(check-sat)"), [false, true]);
        let unused = "(push 1)(define-fun g ((x Int)) Int (+ x 1))(pop 1)(declare-fun g (Int) Int)";
        flat(&format!("{unused}(check-sat)"), [false, true]);
    }

    /// Definitions that cannot be expanded where they are used are declared.
    #[test]
    fn definitions_as_values_stay() {
        let check = |used: &str, kept: usize| {
            let text = format!(
                "(define-fun g ((x Int)) Int (+ x 1))(define-fun k ((x Int)) Int (g x))(declare-fun h ((-> Int Int)) Int)\
                 (declare-const a (Array Int Int))(assert {used})(check-sat)"
            );
            let mut s = smelt_smtlib::parse(text.as_bytes()).unwrap();
            let frame = Frame::of(&mut s, true).unwrap();
            assert_eq!(frame.declarations.len(), 2 + kept, "{used}");
        };
        check("(= (k 1) (h (lambda ((x Int)) x)))", 0);
        check("(= (h g) 3)", 1);
        check("(= (h k) 3)", 2);
        check("(= (_ as-array g) a)", 1);
        check("(= ((_ map k) a) a)", 2);
    }

    #[test]
    fn recursive_definitions_stay() {
        let text = "(define-fun g ((x Int)) Int (- x 1))\
                    (define-fun-rec f ((x Int)) Int (ite (<= x 0) 0 (f (g x))))\
                    (declare-const y Int)(assert (= (f y) (g y)))(check-sat)";
        let mut s = smelt_smtlib::parse(text.as_bytes()).unwrap();
        assert_eq!(no_recursion(&s).unwrap_err(), "a recursive definition may have no model");
        let frame = Frame::of(&mut s, true).unwrap();
        assert_eq!(print_term(&s.arena, frame.checks[0][0]), "(= (f y) (- y 1))");
        assert_eq!(frame.declarations.len(), 3);
        let plain = "(define-fun-rec f ((x Int)) Int (+ x 1))(assert (= (f 1) 2))(check-sat)";
        assert_eq!(no_recursion(&smelt_smtlib::parse(plain.as_bytes()).unwrap()), Ok(()));
    }
}
