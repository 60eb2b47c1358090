//! Keeping a script's own names apart from those of the language.
//!
//! A script may declare a function `abs` or a sort `Seq` where its logic has none. As long as it stays as it was written, that
//! is its own affair; but whoever brings the operator or the built-in sort into it would mean one thing and print another.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Fun, FunKind, Sym};
use crate::script::{Command, Script};

impl Script {
    /// Gives new names to symbols, sorts and bound variables that are called like an operator, a built-in sort or a word of
    /// the language, in any dialect. Ids stay as they are.
    pub fn keep_names_apart(&mut self) {
        let Self { arena: a, commands } = self;
        let mut new: FxHashMap<Sym, Sym> = FxHashMap::default();
        let builtin = Arena::builtin_syms();
        let taken = |s: Sym| s.index() < builtin;
        for f in (0..a.fun_count()).filter_map(|i| a.fun_at(i)).collect::<Vec<Fun>>() {
            let d = a.fun(f);
            let own = !matches!(d.kind, FunKind::Abstract | FunKind::External);
            if own && taken(d.name) {
                let name = fresh(a, &mut new, d.name);
                a.rename_fun(f, name);
            }
        }
        for d in a.sort_decls_all() {
            let name = a.sort_decl(d).name;
            if taken(name) {
                let name = fresh(a, &mut new, name);
                a.rename_sort(d, name);
            }
        }
        for v in a.vars_all() {
            let name = a.var(v).name;
            if taken(name) {
                let name = fresh(a, &mut new, name);
                a.rename_var(v, name);
            }
        }
        for c in commands {
            if let Command::DefineSort(name, ..) = c
                && taken(*name)
            {
                *name = fresh(a, &mut new, *name);
            }
        }
    }
}

/// The name that stands for another from now on: one that nothing has yet.
fn fresh(a: &mut Arena, new: &mut FxHashMap<Sym, Sym>, old: Sym) -> Sym {
    if let Some(&s) = new.get(&old) {
        return s;
    }
    let base = a.name(old).to_owned();
    let unused = |n: &u32| a.find_sym(&format!("{base}!{n}")).is_none();
    let n = (1..).find(unused).unwrap_or_default();
    let s = a.sym(&format!("{base}!{n}"));
    new.insert(old, s);
    s
}

#[cfg(test)]
mod tests {
    use crate::{PrintOptions, parse, print};

    fn check(text: &str, expect: &str) {
        let mut script = parse(text.as_bytes()).unwrap();
        script.keep_names_apart();
        let printed = print(&script, &PrintOptions::default());
        assert_eq!(printed.trim_end(), expect);
        parse(printed.as_bytes()).unwrap();
    }

    #[test]
    fn names_of_the_language() {
        // Functions, also where a name is taken that would be the new one; names of other dialects.
        check(
            "(declare-fun abs (Int) Int)\n(declare-const abs!1 Int)\n(declare-const pi Int)\n(assert (= (abs pi) abs!1))",
            "(declare-fun abs!2 (Int) Int)\n(declare-fun abs!1 () Int)\n(declare-fun pi!1 () Int)\n(assert (= (abs!2 pi!1) abs!1))",
        );
        // Sorts, constructors, selectors, testers.
        check(
            "(declare-datatypes ((Seq 0)) (((seq.unit (seq.len Seq)) (set.empty))))\n(declare-const x Seq)\n(assert (and ((_ is seq.unit) x) (= (seq.len x) set.empty)))",
            "(declare-datatypes ((Seq!1 0)) (((seq.unit!1 (seq.len!1 Seq!1)) (set.empty!1))))\n(declare-fun x () Seq!1)\n(assert (and ((_ is seq.unit!1) x) (= (seq.len!1 x) set.empty!1)))",
        );
        // Bound variables, names of assertions, definitions, parameters.
        check(
            "(define-fun rem ((mod Int)) Bool (> mod 0))\n(assert (! (forall ((abs Int)) (rem abs)) :named to_int))",
            "(define-fun rem!1 ((mod!1 Int)) Bool (> mod!1 0))\n(assert (! (forall ((abs!1 Int)) (rem!1 abs!1)) :named to_int!1))",
        );
        check(
            "(declare-const x Int)\n(assert (> x 0))",
            "(declare-fun x () Int)\n(assert (> x 0))",
        );
    }
}
