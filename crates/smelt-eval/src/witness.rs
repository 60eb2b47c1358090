//! A model as a script: its constants asserted, its functions defined, so that any solver can see that it is one.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use crate::function::Table;
use crate::model::Interpretation;
use crate::model_parse::is_free_sort;
use crate::{Model, Value, Words, value_in_words};
use smelt_smtlib::arena::FunDecl;
use smelt_smtlib::flatten;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{
    Arena, Command, Fun, FunKind, Head, LogicChoice, Op, PrintOptions, Script, Sort, Term, print,
    print_sort, smallest_logic, write_symbol,
};

/// One check of a script with the values of a model in front of it. `None` if a value cannot be written down.
pub fn witness_script(script: &Script, model: &Model, check: usize) -> Option<String> {
    asserted(script, model, check, true)
}

/// One check of a script with those values of a model in front of it that it gives and that can be written down; the other symbols
/// stay open. `None` if there is none.
pub fn values_script(script: &Script, model: &Model, check: usize) -> Option<String> {
    asserted(script, model, check, false)
}

/// One check with the values of a model; all of them, or those that there are.
fn asserted(script: &Script, model: &Model, check: usize, whole: bool) -> Option<String> {
    let query = script.queries().into_iter().nth(check)?;
    let mut flat = flatten(script, &query);
    // Definitions are read as they stand, whatever the logic says about free functions.
    let logic = LogicChoice::Given(smallest_logic(&flat).to_owned());
    let mut writer = Writer {
        model,
        values: String::from("; The values of a model:\n"),
        declared: HashSet::new(),
        elements: Elements::default(),
        commands: Vec::new(),
    };
    let mut given = 0;
    for command in std::mem::take(&mut flat.commands) {
        let Command::DeclareFun(f) = command else {
            writer.declared.extend(symbols(&command));
            writer.commands.push(command);
            continue;
        };
        // A default is good for a witness, and says nothing of what the solver meant.
        let said = model.get(f).filter(|_| whole || !model.completed().contains(&f));
        let meaning = said.and_then(|m| writer.give(&mut flat.arena, f, m));
        if meaning.is_none() && whole {
            return None;
        }
        given += usize::from(meaning.is_some());
        writer.commands.extend(writer.elements.declare(&mut flat.arena));
        writer.commands.push(meaning.unwrap_or(command));
        writer.declared.insert(f);
    }
    let Writer { values, elements, commands, .. } = writer;
    if given == 0 && !whole {
        return None;
    }
    flat.commands = commands;
    let text = print(&flat, &PrintOptions { logic, strip_status: true, ..Default::default() });
    let at = text.rfind("(check-sat")?;
    Some(format!("{}{values}{}{}", &text[..at], elements.assertions(), &text[at..]))
}

/// What is written of a script with values.
struct Writer<'m> {
    model: &'m Model,
    /// Assertions of the values of constants.
    values: String,
    /// The symbols that can be used behind the last command.
    declared: HashSet<Fun>,
    elements: Elements,
    commands: Vec<Command>,
}

impl Writer<'_> {
    /// The command that declares or defines a symbol with its meaning. `None` if that cannot be written down.
    fn give(&mut self, a: &mut Arena, f: Fun, meaning: &Interpretation) -> Option<Command> {
        match meaning {
            Interpretation::Value(v) if a.fun(f).args.is_empty() => {
                let value = self.elements.write(a, v, a.fun(f).ret)?;
                let mut name = String::new();
                write_symbol(a.name(a.fun(f).name), &mut name);
                let _ = writeln!(self.values, "(assert (= {name} {value}))");
                Some(Command::DeclareFun(f))
            }
            Interpretation::Value(_) => None,
            Interpretation::Table(table) => {
                Some(Command::Other(definition(a, f, table, &mut self.elements)?.into()))
            }
            Interpretation::Body(params, body) => {
                let used = elements_in(a, *body, self.model, &self.declared)?;
                let number =
                    |(f, sort, id)| (f, self.elements.number(a, sort, Meaning::Element(id)));
                let used: Vec<(Fun, usize)> = used.into_iter().map(number).collect();
                self.commands.extend(self.elements.declare(a));
                let mut named = Substitution::new();
                for (f, k) in used {
                    named = named.constant(f, a.mk_fun(self.elements.funs[k]));
                }
                let body = named.apply(a, *body);
                a.set_definition(f, *params, body);
                Some(Command::DefineFun(f))
            }
        }
    }
}

/// What a constant stands for.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Meaning {
    /// An element of a free sort, by its number.
    Element(u32),
    /// An array with an element everywhere, as it would be written. cvc5 reads that only of values, and its elements are none.
    Everywhere(String),
}

/// Constants for the elements of free sorts, which solvers print, `(as @S_0 S)` or `S!val!0`, and do not read.
#[derive(Default)]
struct Elements {
    /// Which constant has a meaning in a sort.
    known: HashMap<(Sort, Meaning), usize>,
    /// Names, which the script does not have, sorts, and meanings.
    constants: Vec<(String, Sort, Meaning)>,
    /// The symbols of those that are declared.
    funs: Vec<Fun>,
    /// The number to try for the next name.
    next: usize,
}

impl Elements {
    /// Which constant has this meaning; a new one if there is none.
    fn number(&mut self, a: &Arena, sort: Sort, meaning: Meaning) -> usize {
        let Self { known, constants, next, .. } = self;
        *known.entry((sort, meaning)).or_insert_with_key(|(sort, meaning)| {
            let name = loop {
                let name = format!("smelt!e{next}");
                *next += 1;
                if a.find_sym(&name).is_none() {
                    break name;
                }
            };
            constants.push((name, *sort, meaning.clone()));
            constants.len() - 1
        })
    }

    /// A value as a term over these constants.
    fn write(&mut self, a: &Arena, value: &Value, sort: Sort) -> Option<String> {
        value_in_words(a, value, sort, &mut In { a, elements: self })
    }

    /// The declarations of the constants that have none yet.
    fn declare(&mut self, a: &mut Arena) -> Vec<Command> {
        let first = self.funs.len();
        for (name, ret, _) in &self.constants[first..] {
            let (name, params, args) = (a.sym(name), [].into(), [].into());
            let decl = FunDecl { name, params, args, ret: *ret, kind: FunKind::Free, def: None };
            self.funs.push(a.declare_fun(decl));
        }
        self.funs[first..].iter().map(|&f| Command::DeclareFun(f)).collect()
    }

    /// Assertions that the elements of each sort differ, and remarks on the arrays, which may be any.
    fn assertions(&self) -> String {
        let mut out = String::new();
        let mut sorts: Vec<(Sort, Vec<&str>)> = Vec::new();
        for (name, sort, meaning) in &self.constants {
            match (meaning, sorts.iter_mut().find(|(s, _)| s == sort)) {
                (Meaning::Everywhere(text), _) => {
                    let text = text.replace(['\n', '\r'], " ");
                    let _ = writeln!(out, "; {name} is {text} in the model.");
                }
                (Meaning::Element(_), Some((_, names))) => names.push(name),
                (Meaning::Element(_), None) => sorts.push((*sort, vec![name])),
            }
        }
        for (_, names) in sorts.iter().filter(|(_, names)| names.len() > 1) {
            let _ = writeln!(out, "(assert (distinct {}))", names.join(" "));
        }
        out
    }
}

/// The words of a script with these constants.
struct In<'a> {
    a: &'a Arena,
    elements: &'a mut Elements,
}

impl In<'_> {
    fn name(&mut self, sort: Sort, meaning: Meaning) -> String {
        let k = self.elements.number(self.a, sort, meaning);
        self.elements.constants[k].0.clone()
    }
}

impl Words for In<'_> {
    fn element(&mut self, sort: Sort, id: u32) -> String {
        self.name(sort, Meaning::Element(id))
    }

    fn constant_array(&mut self, sort: Sort, text: &str) -> Option<String> {
        Some(self.name(sort, Meaning::Everywhere(text.to_owned())))
    }
}

/// What a command makes usable behind it.
fn symbols(c: &Command) -> Vec<Fun> {
    match c {
        Command::DefineFun(f) => vec![*f],
        Command::DefineFunsRec(fs) => fs.to_vec(),
        _ => Vec::new(),
    }
}

/// The constants in a body that are elements, with their sorts and numbers. `None` if it uses other functions that are not usable
/// yet: those that only the model has, and those declared later.
fn elements_in(
    a: &Arena,
    body: Term,
    model: &Model,
    declared: &HashSet<Fun>,
) -> Option<Vec<(Fun, Sort, u32)>> {
    let mut out = Vec::new();
    for t in a.dag(&[body]) {
        match a.head(t) {
            Head::Fun(f) if declared.contains(&f) => {}
            Head::Fun(f) => match a.fun(f).kind {
                FunKind::Constructor(..) | FunKind::Selector(..) => {}
                _ => {
                    let (sort, id) = element(a, f, model)?;
                    out.push((f, sort, id));
                }
            },
            // It names a function by an index.
            Head::Op(Op::AsArray, i) => {
                let f = a.indices(i).first().and_then(|&f| a.fun_at(f as usize))?;
                declared.contains(&f).then_some(())?;
            }
            _ => {}
        }
    }
    Some(out)
}

/// The element of a free sort that a constant is: as cvc5 writes it, or by its value, as z3 declares it.
fn element(a: &Arena, f: Fun, model: &Model) -> Option<(Sort, u32)> {
    let d = a.fun(f);
    match model.get(f) {
        Some(Interpretation::Value(Value::Uninterpreted { sort, id })) => {
            Some((a.sort_at(*sort as usize)?, *id))
        }
        None if d.kind == FunKind::Abstract && is_free_sort(a, d.ret) => {
            Some((d.ret, f.index() as u32))
        }
        _ => None,
    }
}

/// A table as a chain of `ite`.
fn definition(a: &Arena, f: Fun, table: &Table, elements: &mut Elements) -> Option<String> {
    let d = a.fun(f);
    // Parameters must not hide a constructor or a constant of the script.
    let free =
        |prefix: &String| (0..d.args.len()).all(|i| a.find_sym(&format!("{prefix}{i}")).is_none());
    let names = std::iter::once("smelt!".to_owned()).chain((0..).map(|n| format!("smelt!{n}!")));
    let prefix = { names }.find(free)?;
    let mut out = String::from("(define-fun ");
    write_symbol(a.name(d.name), &mut out);
    out.push_str(" (");
    for (i, s) in d.args.iter().enumerate() {
        let space = if i > 0 { " " } else { "" };
        let _ = write!(out, "{space}({prefix}{i} {})", print_sort(a, *s));
    }
    let _ = write!(out, ") {}", print_sort(a, d.ret));
    for (point, value) in table.entries() {
        out.push_str(" (ite (and true");
        for (i, (v, s)) in point.iter().zip(&d.args).enumerate() {
            let _ = write!(out, " (= {prefix}{i} {})", elements.write(a, v, *s)?);
        }
        let _ = write!(out, ") {}", elements.write(a, value, d.ret)?);
    }
    let _ = write!(out, " {}", elements.write(a, table.default(), d.ret)?);
    out.extend(std::iter::repeat_n(')', table.entries().len() + 1));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelOptions, parse_model};
    use smelt_smtlib::parse;

    fn witness(script: &str, model: &str) -> Option<String> {
        let mut script = parse(script.as_bytes()).unwrap();
        let model = parse_model(&mut script, model.as_bytes(), &ModelOptions::default()).unwrap();
        witness_script(&script, &model, 0)
    }

    fn check(script: &str, model: &str, expect: &[&str]) {
        let text = witness(script, model).unwrap();
        assert!(parse(text.as_bytes()).is_ok(), "{text}");
        for part in expect {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("declare-fun f"), "{text}");
    }

    #[test]
    fn functions_are_defined() {
        let script = "(declare-fun x () Int)(declare-fun f (Int Bool) Int)\
            (assert (= (f x true) (+ x 1)))(check-sat)";
        check(
            script,
            "((define-fun x () Int 4)(define-fun f ((a Int) (b Bool)) Int (ite (and (= a 4) b) 5 0)))",
            &["(define-fun f (", "(assert (= x 4))\n(check-sat)"],
        );
        check(
            script,
            "((define-fun x () Int 4)(define-fun f ((a Int) (b Bool)) Int (+ a 1)))",
            &["(define-fun f (", "(+ a 1)"],
        );
    }

    /// A body cannot use what the script does not have, or has only behind it.
    #[test]
    fn functions_that_are_not_there() {
        let script = "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(declare-fun y () (Array Int Int))\
            (assert (= (f 1) (g 1)))(check-sat)";
        for (model, expect) in [
            ("((define-fun f ((a Int)) Int (g a))(define-fun g ((a Int)) Int (* a 2)))", false),
            ("((define-fun f ((a Int)) Int (* a 2))(define-fun g ((a Int)) Int (f a)))", true),
            (
                "((define-fun k!0 ((a Int)) Int (* a 2))(define-fun f ((a Int)) Int (k!0 a))\
                 (define-fun g ((a Int)) Int (* a 2)))",
                false,
            ),
            (
                "((define-fun k!0 ((a Int)) Int (* a 2))(define-fun y () (Array Int Int) (_ as-array k!0)))",
                false,
            ),
        ] {
            assert_eq!(witness(script, model).is_some(), expect, "{model}");
        }
    }

    /// Elements of uninterpreted sorts have no name that solvers would read.
    #[test]
    fn elements_are_constants() {
        check(
            "(declare-sort S 0)(declare-sort |T x| 0)(declare-fun a () S)(declare-fun b () S)\
             (declare-fun c () |T x|)(declare-fun f (S) S)(declare-fun s () String)(assert (distinct a (f b)))(check-sat)",
            "((define-fun a () S (as @S_1 S))(define-fun b () S (as @S_2 S))(define-fun c () |T x| (as |@T x_0| |T x|))\
             (define-fun f ((v S)) S (as @S_2 S))(define-fun s () String \"(as @S_3 S)\"))",
            &[
                "(declare-fun smelt!e1 () S)\n(declare-fun b () S)\n",
                "(define-fun f ((smelt!0 S)) S smelt!e1)\n",
                "(assert (= a smelt!e0))\n(assert (= b smelt!e1))\n",
                "(declare-fun smelt!e2 () |T x|)\n(declare-fun c () |T x|)\n",
                "(assert (= c smelt!e2))\n",
                "(assert (= s \"(as @S_3 S)\"))\n(assert (distinct smelt!e0 smelt!e1))\n(check-sat)",
            ],
        );
        // As z3 writes them; in a table.
        let script = "(declare-sort S 0)(declare-fun a () S)(declare-fun b () S)(declare-fun f (S) S)\
            (assert (distinct a (f b)))(check-sat)";
        check(
            script,
            "((declare-fun S!val!0 () S)(declare-fun S!val!1 () S)\
             (define-fun a () S S!val!0)(define-fun b () S S!val!1)(define-fun f ((x!0 S)) S S!val!1))",
            &[
                "(define-fun f ((smelt!0 S)) S smelt!e1)\n",
                "(assert (= a smelt!e0))\n(assert (= b smelt!e1))\n(assert (distinct smelt!e0 smelt!e1))\n(check-sat)",
            ],
        );
        // In a body; one that is met nowhere else is declared there.
        check(
            script,
            "((declare-fun S!val!0 () S)(declare-fun S!val!1 () S)(declare-fun S!val!2 () S)\
             (define-fun a () S S!val!0)(define-fun b () S S!val!1)\
             (define-fun f ((x!0 S)) S (ite (= x!0 S!val!1) S!val!2 x!0)))",
            &[
                "(declare-fun smelt!e2 () S)\n(define-fun f ((x!0 S)) S (ite (= x!0 smelt!e1) smelt!e2 x!0))\n",
                "(assert (distinct smelt!e0 smelt!e1 smelt!e2))\n(check-sat)",
            ],
        );
        check(
            script,
            "((define-fun a () S (as @S_0 S))(define-fun b () S (as @S_1 S))\
             (define-fun f ((x S)) S (ite (= x (as @S_1 S)) (as @S_2 S) x)))",
            &[
                "(declare-fun smelt!e2 () S)\n(define-fun f ((x S)) S (ite (= x smelt!e1) smelt!e2 x))\n",
                "(assert (distinct smelt!e0 smelt!e1 smelt!e2))\n(check-sat)",
            ],
        );
        // Inside of other values; a name that the script has.
        check(
            "(declare-sort S 0)(declare-datatype D ((d (of S) (n Int))))(declare-fun smelt!e0 () D)\
             (declare-fun y () (Array Int S))(declare-fun z () S)\
             (assert (= (of smelt!e0) (select y 1)))(check-sat)",
            "((declare-fun S!val!0 () S)(declare-fun S!val!1 () S)(define-fun smelt!e0 () D (d S!val!1 5))\
             (define-fun y () (Array Int S) (store ((as const (Array Int S)) S!val!0) 1 S!val!1)))",
            &[
                "(declare-fun smelt!e1 () S)\n(declare-fun smelt!e0 () D)\n",
                "(assert (= smelt!e0 (d smelt!e1 5)))\n",
                "(declare-fun smelt!e2 () S)\n(declare-fun smelt!e3 () (Array Int S))\n(declare-fun y ()",
                "(assert (= y (store smelt!e3 1 smelt!e1)))\n",
                "; smelt!e3 is ((as const (Array Int S)) smelt!e2) in the model.\n",
                "(assert (distinct smelt!e1 smelt!e2))\n(check-sat)",
            ],
        );
    }

    /// cvc5 reads `as const` only of values; a remark ends with its line, whatever names are in it.
    #[test]
    fn arrays_of_elements_are_constants() {
        check(
            "(declare-sort |S\n(exit)| 0)(declare-fun y () (Array Int |S\n(exit)|))\
             (declare-fun z () (Array Int (Array Int |S\n(exit)|)))(declare-fun n () (Array Int Int))\
             (assert (= (select z 1) y))(check-sat)",
            "((define-fun y () (Array Int |S\n(exit)|) ((as const (Array Int |S\n(exit)|)) (as |@S_0| |S\n(exit)|)))\
             (define-fun z () (Array Int (Array Int |S\n(exit)|)) ((as const (Array Int (Array Int |S\n(exit)|)))\
              ((as const (Array Int |S\n(exit)|)) (as |@S_0| |S\n(exit)|))))\
             (define-fun n () (Array Int Int) ((as const (Array Int Int)) 3)))",
            &[
                "(assert (= y smelt!e1))\n(assert (= z smelt!e2))\n(assert (= n ((as const (Array Int Int)) 3)))\n\
                 ; smelt!e1 is ((as const (Array Int |S (exit)|)) smelt!e0) in the model.\n\
                 ; smelt!e2 is ((as const (Array Int (Array Int |S (exit)|))) smelt!e1) in the model.\n(check-sat)",
            ],
        );
    }

    /// Some of the values: what the model leaves out, or what cannot be written down, stays open.
    #[test]
    fn some_values() {
        let check = |script: &str, model: &str, expect: Option<&str>| {
            let mut script = parse(script.as_bytes()).unwrap();
            let options = ModelOptions::default();
            let model = parse_model(&mut script, model.as_bytes(), &options).unwrap();
            let text = values_script(&script, &model, 0);
            let values = text.as_deref().and_then(|t| t.split("a model:\n").nth(1));
            assert_eq!(values, expect, "{text:?}");
            assert!(text.is_none_or(|t| parse(t.as_bytes()).is_ok()));
        };
        let two = "(declare-fun x () Int)(declare-fun y () Int)(assert (= x y))(check-sat)";
        check(two, "((define-fun y () Int 1))", Some("(assert (= y 1))\n(check-sat)\n"));
        check(two, "()", None);
        let later =
            "(declare-fun f (Int) Int)(declare-fun y () Int)(assert (= (f 1) y))(check-sat)";
        let model = "((define-fun f ((a Int)) Int (+ y a))(define-fun y () Int 2))";
        check(later, model, Some("(assert (= y 2))\n(check-sat)\n"));
    }

    /// A parameter of a table hides no name of the script.
    #[test]
    fn parameters_are_new_names() {
        check(
            "(declare-datatype D ((smelt!0) (smelt!1)))(declare-fun f (D) D)(declare-fun d () D)\
             (assert (= (f smelt!0) smelt!1))(check-sat)",
            "((define-fun f ((x D)) D (ite (= x smelt!0) smelt!1 smelt!0))(define-fun d () D smelt!0))",
            &["(assert (= d smelt!0))"],
        );
        let text = witness(
            "(declare-datatype D ((smelt!0) (smelt!1)))(declare-fun f (D) D)\
             (assert (= (f smelt!0) smelt!1))(check-sat)",
            "((define-fun f ((x D)) D (ite (= x smelt!0) smelt!1 smelt!0)))",
        );
        assert!(!text.unwrap_or_default().contains("((smelt!0 D))"));
    }

    #[test]
    fn tables_are_chains() {
        let script = parse(b"(declare-fun f (Int) Bool)(assert (f 1))(check-sat)").unwrap();
        let Command::DeclareFun(f) = script.commands[0] else { panic!() };
        let int = |n: i64| Value::Int(n.into());
        let entries = [([int(1)].into(), Value::Bool(true))];
        let table = Table::new(entries, Value::Bool(false)).unwrap().unwrap();
        let mut model = Model::new();
        model.set(f, Interpretation::Table(std::sync::Arc::new(table)));
        let text = witness_script(&script, &model, 0).unwrap();
        let expect =
            "(define-fun f ((smelt!0 Int)) Bool (ite (and true (= smelt!0 1)) true false))";
        assert!(text.contains(expect), "{text}");
        assert!(parse(text.as_bytes()).is_ok(), "{text}");
    }
}
