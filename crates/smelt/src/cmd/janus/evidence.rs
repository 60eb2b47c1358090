//! Models as evidence, also of scripts that were made smaller.

use std::fmt::Write;

use smelt_eval::witness::witness_script;
use smelt_eval::{ModelOptions, parse_model};
use smelt_smtlib::{Command, Fun, Head, Script, parse, print_sort, write_symbol};
use smelt_triage::{ModelVerdict, judge_model_within};
use smelt_trial::Target;

/// A model, and the script whose symbols it gives values to.
#[derive(Clone, Debug)]
pub struct Evidence {
    model: String,
    /// How the solver that gave it writes models.
    options: ModelOptions,
    of: String,
}

impl Evidence {
    /// A model that a solver gave for a script.
    pub fn new(model: &str, by: &Target, of: &str) -> Self {
        Self { model: model.to_owned(), options: by.model_options().clone(), of: of.to_owned() }
    }

    /// This model, given for another script.
    pub fn given_for(&self, of: &str) -> Self {
        Self { of: of.to_owned(), ..self.clone() }
    }

    /// Whether smelt's evaluator finds a script true under the model; `None` if it cannot tell. The script may lack symbols of the one
    /// that the model was given for.
    pub fn judges(&self, text: &str) -> Option<bool> {
        let mut script = self.with_all_symbols(text)?;
        let query = script.queries().into_iter().next()?;
        let limits = smelt_eval::Limits::default();
        match judge_model_within(&mut script, &query, &self.model, &self.options, limits) {
            ModelVerdict::True => Some(true),
            ModelVerdict::False(_) => Some(false),
            _ => None,
        }
    }

    /// A script with the values of the model, so that any solver can see that it is one.
    pub fn script(&self, text: &str) -> Option<String> {
        let mut script = self.with_all_symbols(text)?;
        let model = parse_model(&mut script, self.model.as_bytes(), &self.options).ok()?;
        let used = used(&parse(text.as_bytes()).ok()?);
        let unused =
            |s: &Script, f: Fun| !used.iter().any(|n| n == s.arena.name(s.arena.fun(f).name));
        let commands = std::mem::take(&mut script.commands);
        let keep = |c: &Command| !matches!(c, Command::DeclareFun(f) if unused(&script, *f));
        script.commands = commands.into_iter().filter(keep).collect();
        witness_script(&script, &model, 0)
    }

    /// The script, with declarations of what only the other one has.
    fn with_all_symbols(&self, text: &str) -> Option<Script> {
        let script = parse(text.as_bytes()).ok()?;
        let whole = parse(self.of.as_bytes()).ok()?;
        let own: Vec<&str> = declared(&script).map(|f| name(&script, f)).collect();
        let a = &whole.arena;
        let mut more = String::new();
        for f in declared(&whole).filter(|&f| !own.contains(&name(&whole, f))) {
            let d = a.fun(f);
            more.push_str("(declare-fun ");
            write_symbol(name(&whole, f), &mut more);
            let args: Vec<String> = d.args.iter().map(|&s| print_sort(a, s)).collect();
            let _ = writeln!(more, " ({}) {})", args.join(" "), print_sort(a, d.ret));
        }
        if more.is_empty() {
            return Some(script);
        }
        // Sorts are declared before.
        let at = ["\n(assert ", "\n(check-sat"].iter().find_map(|c| text.find(c))? + 1;
        parse(format!("{}{more}{}", &text[..at], &text[at..]).as_bytes()).ok()
    }
}

fn declared(s: &Script) -> impl Iterator<Item = Fun> {
    s.commands.iter().filter_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None })
}

fn name(s: &Script, f: Fun) -> &str {
    s.arena.name(s.arena.fun(f).name)
}

/// The names of what a script declares and of what it uses.
fn used(s: &Script) -> Vec<String> {
    let a = &s.arena;
    let heads = a.dag(&s.roots()).into_iter().filter_map(|t| match a.head(t) {
        Head::Fun(f) => Some(f),
        _ => None,
    });
    heads.chain(declared(s)).map(|f| name(s, f).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_script() {
        let of = "(declare-sort S 0)\n(declare-fun a () S)\n(declare-fun |x y| () Int)\n(declare-fun f (Int) Int)\n\
            (assert (= (f |x y|) 2))\n(assert (= a a))\n(check-sat)\n";
        let model = "((define-fun |x y| () Int 1)(define-fun f ((n Int)) Int (+ n 1)))";
        let options = ModelOptions::default();
        let evidence = Evidence { model: model.to_owned(), options, of: of.to_owned() };
        let check = |text: &str, expect: Option<bool>| {
            assert_eq!(evidence.judges(text), expect, "{text}");
        };
        check(of, Some(true));
        check(
            "(declare-sort S 0)\n(declare-fun f (Int) Int)\n(assert (= (f 0) 1))\n(check-sat)",
            Some(true),
        );
        let part =
            "(declare-sort S 0)\n(declare-fun |x y| () Int)\n(assert (= |x y| 1))\n(check-sat)";
        check(part, Some(true));
        check(&part.replace("|x y| 1", "|x y| 2"), Some(false));
        let script = evidence.script(part).unwrap();
        assert!(script.contains("(assert (= |x y| 1))\n(check-sat)"), "{script}");
        assert!(!script.contains("fun f") && !script.contains("fun a"), "{script}");
        // Of other symbols it says nothing.
        check("(declare-fun z () Int)\n(assert (= z 1))\n(check-sat)", None);
    }
}
