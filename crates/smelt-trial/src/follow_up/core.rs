//! Unsat cores: assertions get names, and the named part is a script of its own.

use smelt_smtlib::arena::{Attr, FunDecl};
use smelt_smtlib::{
    Arena, Command, FunKind, Head, PrintOptions, Script, Term, print, write_symbol,
};
use smelt_solver::{Answer, Mode, RunError};
use smelt_triage::{CoreVerdict, ModelVerdict, Observation, TargetId};

use super::{Ask, Asked, Place};
use crate::target::Target;

const PREFIX: &str = "smelt.core.";

/// A copy of a script with a name on each assertion, in the place of one that it has.
pub fn named(script: &Script) -> Script {
    let mut out = script.clone();
    for (i, c) in out.commands.iter_mut().enumerate() {
        let Command::Assert(t) = c else { continue };
        let a = &mut out.arena;
        while let Head::Annot(attrs) = a.head(*t)
            && a.attr_list(attrs)
                .iter()
                .all(|x| matches!(x, Attr::Named(f) if a.fun(*f).def.is_none()))
        {
            *t = a.args(*t)[0];
        }
        *t = with_name(a, *t, &format!("{PREFIX}{i}"));
    }
    out
}

/// A copy of a script whose assertions have these names, in order; one that is a symbol of the script already is left out.
pub fn labelled(script: &Script, names: &[Option<String>]) -> Script {
    let mut out = script.clone();
    let text = print(script, &PrintOptions::default());
    let is_taken = |name: &str| has_symbol(&text, name);
    let free: Vec<Option<&String>> =
        names.iter().map(|n| n.as_ref().filter(|n| !is_taken(n))).collect();
    let is_assertion = |c: &&mut Command| matches!(c, Command::Assert(_));
    for (c, name) in out.commands.iter_mut().filter(is_assertion).zip(free) {
        if let (Command::Assert(t), Some(name)) = (c, name) {
            *t = with_name(&mut out.arena, *t, name);
        }
    }
    out
}

/// Whether a script's text has a symbol of this name.
fn has_symbol(text: &str, name: &str) -> bool {
    let mut symbol = String::new();
    write_symbol(name, &mut symbol);
    match symbol.starts_with('|') {
        true => text.contains(&symbol),
        false => text.split(|c: char| c.is_whitespace() || "()".contains(c)).any(|w| w == symbol),
    }
}

fn with_name(a: &mut Arena, t: Term, name: &str) -> Term {
    let name = a.sym(name);
    let sort = a.sort(t);
    let fun = a.declare_fun(FunDecl {
        name,
        params: Box::default(),
        args: Box::default(),
        ret: sort,
        kind: FunKind::Named,
        def: None,
    });
    let attrs = a.attrs(vec![Attr::Named(fun)]);
    a.mk(Head::Annot(attrs), &[t], sort)
}

/// The script whose assertions are just those of a core, as a solver printed it. `None` if it names something else.
pub fn core_script(script: &Script, core: &str) -> Option<Script> {
    let inner = core.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut wanted = std::collections::BTreeSet::new();
    for word in inner.split_whitespace() {
        let word = word.trim_matches('|');
        // Names that the script itself gives are not ours to trace.
        word.strip_prefix(PREFIX)?.parse::<usize>().ok()?;
        wanted.insert(word);
    }
    // By its name: where an assertion stands is another matter once the script was printed and read again.
    let a = &script.arena;
    let is_wanted = |t: Term| match a.head(t) {
        Head::Annot(attrs) => a
            .attr_list(attrs)
            .iter()
            .any(|attr| matches!(attr, Attr::Named(f) if wanted.contains(a.name(a.fun(*f).name)))),
        _ => false,
    };
    let commands = script.commands.iter();
    let kept = commands.filter(|c| !matches!(c, Command::Assert(t) if !is_wanted(*t))).cloned();
    Some(Script { commands: kept.collect(), arena: script.arena.clone() })
}

/// Runs the unsat core of a script with named assertions alone: who of these finds a model of it that the evaluator finds true?
pub fn core(
    ask: &mut dyn Ask,
    judges: impl IntoIterator<Item = TargetId>,
    script: &Script,
    core: &str,
    o: &mut Observation,
) -> Result<(), RunError> {
    let verdict = o.core.insert(CoreVerdict::Open);
    let Some(mut part) = core_script(script, core) else { return Ok(()) };
    for who in judges {
        let asked = ask.ask(who, &mut part, &Mode::plain(), None)?;
        match asked.seen.first() {
            Some(s) if s.model == Some(ModelVerdict::True) => {
                *verdict = CoreVerdict::RefutedBy(s.solver.clone());
                break;
            }
            Some(s) if s.answer == Answer::Unsat && s.counts() => *verdict = CoreVerdict::Stands,
            _ => {}
        }
    }
    Ok(())
}

/// Runs the core that the accused gave, and says in words what came of it.
pub(super) fn make(
    ask: &mut dyn Ask,
    place: &mut Place<'_>,
    o: &mut Observation,
) -> Result<Option<Asked>, RunError> {
    if o.answer != Answer::Unsat {
        return Ok(None);
    }
    let Some(text) = place.said.and_then(|c| c.core.as_deref()) else {
        place.what.push_str(", and no core was given");
        return Ok(None);
    };
    let judges: Vec<TargetId> = ask.panel().all().map(Target::id).collect();
    core(ask, judges, place.script, text, o)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    place.what = match &o.core {
        Some(CoreVerdict::RefutedBy(by)) => format!("unsat, {by} has a model of its core {text}"),
        Some(CoreVerdict::Stands) => format!("unsat, and so is its core {text}"),
        _ => format!("unsat, and nobody decides its core {text}"),
    };
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::parse;

    #[test]
    fn names_and_back() {
        let s = parse(b"(declare-const p Bool)(assert p)(assert (not p))(assert true)(check-sat)")
            .unwrap();
        let n = named(&s);
        let text = print(&n, &PrintOptions::default());
        assert!(text.contains("(assert (! (not p) :named smelt.core.2))"), "{text}");
        assert!(parse(text.as_bytes()).is_ok());
        let part = core_script(&n, "(smelt.core.1\n smelt.core.2)").unwrap();
        assert_eq!(part.queries()[0].assertions.len(), 2);
        assert!(core_script(&n, "(a)").is_none());
        // A script that was written down and read again has its assertions in other places.
        let n = parse(format!("(set-logic ALL)(set-info :a b){text}").as_bytes()).unwrap();
        let part = core_script(&n, "(|smelt.core.2|)").unwrap();
        let text = print(&part, &PrintOptions::default());
        assert!(text.contains("(not p)") && text.matches("assert").count() == 1, "{text}");
    }
}
