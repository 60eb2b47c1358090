//! A model as a script: its constants asserted, its functions defined, so that any solver can see that it is one.

use std::collections::HashSet;
use std::fmt::Write;

use smelt_eval::function::Table;
use smelt_eval::model::Interpretation;
use smelt_eval::{Model, value_to_smtlib};
use smelt_smtlib::{
    Arena, Command, Fun, FunKind, Head, LogicChoice, PrintOptions, Script, Term, print, print_sort,
    smallest_logic, write_symbol,
};

/// One check of a script with the values of a model in front of it. `None` if a value cannot be written down.
pub fn witness_script(script: &Script, model: &Model, check: usize) -> Option<String> {
    let query = script.queries().into_iter().nth(check)?;
    let mut flat = super::incremental::flatten(script, &query);
    // Definitions are read as they stand, whatever the logic says about free functions.
    let logic = LogicChoice::Given(smallest_logic(&flat).to_owned());
    let mut values = String::from("; The values of a model:\n");
    let mut declared = HashSet::new();
    for i in 0..flat.commands.len() {
        let Command::DeclareFun(f) = flat.commands[i] else {
            declared.extend(symbols(&flat.commands[i]));
            continue;
        };
        let a = &flat.arena;
        let d = a.fun(f);
        let meaning = model.get(f)?;
        match meaning {
            Interpretation::Value(v) if d.args.is_empty() => {
                let value = value_to_smtlib(a, v, d.ret)?;
                let mut name = String::new();
                write_symbol(a.name(d.name), &mut name);
                let _ = writeln!(values, "(assert (= {name} {value}))");
            }
            Interpretation::Table(table) => {
                flat.commands[i] = Command::Other(definition(a, f, table)?.into());
            }
            Interpretation::Body(params, body) => {
                let (params, body) = (*params, *body);
                // Functions that only the model has, and those declared later, cannot be used here.
                if !known(a, body, &declared) {
                    return None;
                }
                flat.arena.set_definition(f, params, body);
                flat.commands[i] = Command::DefineFun(f);
            }
            Interpretation::Value(_) => return None,
        }
        declared.insert(f);
    }
    let text = print(&flat, &PrintOptions { logic, strip_status: true, ..Default::default() });
    let at = text.rfind("(check-sat")?;
    Some(name_elements(&format!("{}{values}", &text[..at])) + &text[at..])
}

/// Constants for the elements of uninterpreted sorts, which solvers print, `(as @S_0 S)`, and do not read. What is given ends
/// behind the assertions.
fn name_elements(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Elements and sorts, as they are written.
    let mut elements: Vec<(&str, &str)> = Vec::new();
    let prefix = (0..).map(|n| format!("smelt!e{n}!")).find(|p| !text.contains(p.as_str()));
    let prefix = prefix.unwrap_or_default();
    let (mut depth, mut command, mut at) = (0usize, 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("(as @") || rest.starts_with("(as |@") {
            let len = token(rest);
            let element = &rest[..len];
            let k = elements.iter().position(|(e, _)| *e == element).unwrap_or_else(|| {
                let name = token(&element["(as ".len()..]);
                let sort = element["(as ".len() + name..element.len() - 1].trim();
                let declared = format!("(declare-fun {prefix}{} () {sort})\n", elements.len());
                out.insert_str(command, &declared);
                command += declared.len();
                elements.push((element, sort));
                elements.len() - 1
            });
            let _ = write!(out, "{prefix}{k}");
            at += len;
            continue;
        }
        // Parentheses one by one, all else as a whole.
        let len = if rest.starts_with(['(', ')']) { 1 } else { token(rest) };
        if rest.starts_with('(') {
            if depth == 0 {
                command = out.len();
            }
            depth += 1;
        } else if rest.starts_with(')') {
            depth = depth.saturating_sub(1);
        }
        out.push_str(&rest[..len]);
        at += len;
    }
    let mut sorts: Vec<&str> = elements.iter().map(|(_, s)| *s).collect();
    sorts.sort_unstable();
    sorts.dedup();
    for sort in sorts {
        let of = |k: &usize| elements[*k].1 == sort;
        let all: Vec<String> =
            (0..elements.len()).filter(of).map(|k| format!("{prefix}{k}")).collect();
        if all.len() > 1 {
            let _ = writeln!(out, "(assert (distinct {}))", all.join(" "));
        }
    }
    out
}

/// The length of what stands at the beginning: a string, a quoted symbol, a comment, an expression in parentheses, blanks, or an
/// atom.
fn token(text: &str) -> usize {
    let ends = |end: char| text[1..].find(end).map_or(text.len(), |n| n + 2);
    match text.chars().next() {
        None => 0,
        Some('"') => ends('"'),
        Some('|') => ends('|'),
        Some(';') => ends('\n'),
        Some('(') => {
            let (mut depth, mut at) = (0usize, 0);
            while at < text.len() {
                let rest = &text[at..];
                match rest.as_bytes()[0] {
                    b'(' => depth += 1,
                    b')' => depth = depth.saturating_sub(1),
                    _ => {
                        at += token(rest);
                        continue;
                    }
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            at
        }
        Some(c) if c.is_whitespace() => {
            text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len())
        }
        Some(c) => {
            let stop = |c: char| c.is_whitespace() || "()\"|;".contains(c);
            text[c.len_utf8()..].find(stop).map_or(text.len(), |n| n + c.len_utf8())
        }
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

/// Whether all functions in a term are usable.
fn known(a: &Arena, t: Term, declared: &HashSet<Fun>) -> bool {
    a.dag(&[t]).iter().all(|&t| match a.head(t) {
        Head::Fun(f) => {
            let kind = a.fun(f).kind;
            let part = matches!(
                kind,
                FunKind::Constructor(..) | FunKind::Selector(..) | FunKind::Abstract
            );
            part || declared.contains(&f)
        }
        _ => true,
    })
}

/// A table as a chain of `ite`.
fn definition(a: &Arena, f: Fun, table: &Table) -> Option<String> {
    let d = a.fun(f);
    let mut out = String::from("(define-fun ");
    write_symbol(a.name(d.name), &mut out);
    out.push_str(" (");
    for (i, s) in d.args.iter().enumerate() {
        let space = if i > 0 { " " } else { "" };
        let _ = write!(out, "{space}(smelt!{i} {})", print_sort(a, *s));
    }
    let _ = write!(out, ") {}", print_sort(a, d.ret));
    for (point, value) in table.entries() {
        out.push_str(" (ite (and true");
        for (i, (v, s)) in point.iter().zip(&d.args).enumerate() {
            let _ = write!(out, " (= smelt!{i} {})", value_to_smtlib(a, v, *s)?);
        }
        let _ = write!(out, ") {}", value_to_smtlib(a, value, d.ret)?);
    }
    let _ = write!(out, " {}", value_to_smtlib(a, table.default(), d.ret)?);
    out.extend(std::iter::repeat_n(')', table.entries().len() + 1));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_eval::{ModelOptions, parse_model};
    use smelt_smtlib::parse;

    fn check(script: &str, model: &str, expect: &[&str]) {
        let mut script = parse(script.as_bytes()).unwrap();
        let model = parse_model(&mut script, model.as_bytes(), &ModelOptions::default()).unwrap();
        let text = witness_script(&script, &model, 0).unwrap();
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

    /// Elements of uninterpreted sorts have no name that solvers would read.
    #[test]
    fn elements_are_constants() {
        check(
            "(declare-sort S 0)(declare-sort |T x| 0)(declare-fun a () S)(declare-fun b () S)\
             (declare-fun c () |T x|)(declare-fun f (S) S)(declare-fun s () String)(assert (distinct a (f b)))(check-sat)",
            "((define-fun a () S (as @S_1 S))(define-fun b () S (as @S_2 S))(define-fun c () |T x| (as |@T x_0| |T x|))\
             (define-fun f ((v S)) S (as @S_2 S))(define-fun s () String \"(as @S_3 S)\"))",
            &[
                "(declare-fun smelt!e0!0 () S)\n(define-fun f ((smelt!0 S)) S smelt!e0!0)\n",
                "(declare-fun smelt!e0!1 () S)\n(assert (= a smelt!e0!1))\n(assert (= b smelt!e0!0))\n",
                "(declare-fun smelt!e0!2 () |T x|)\n(assert (= c smelt!e0!2))\n",
                "(assert (= s \"(as @S_3 S)\"))\n(assert (distinct smelt!e0!0 smelt!e0!1))\n(check-sat)",
            ],
        );
    }

    #[test]
    fn tables_are_chains() {
        let script = parse(b"(declare-fun f (Int) Bool)(assert (f 1))(check-sat)").unwrap();
        let Command::DeclareFun(f) = script.commands[0] else { panic!() };
        let int = |n: i64| smelt_eval::Value::Int(n.into());
        let entries = [([int(1)].into(), smelt_eval::Value::Bool(true))];
        let table = Table::new(entries, smelt_eval::Value::Bool(false)).unwrap().unwrap();
        let mut model = Model::new();
        model.set(f, Interpretation::Table(std::sync::Arc::new(table)));
        let text = witness_script(&script, &model, 0).unwrap();
        let expect =
            "(define-fun f ((smelt!0 Int)) Bool (ite (and true (= smelt!0 1)) true false))";
        assert!(text.contains(expect), "{text}");
        assert!(parse(text.as_bytes()).is_ok(), "{text}");
    }
}
