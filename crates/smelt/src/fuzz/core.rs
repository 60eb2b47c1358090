//! Unsat cores: assertions get names, and the named part is a script of its own.

use smelt_smtlib::arena::{Attr, FunDecl};
use smelt_smtlib::{Command, FunKind, Head, Script};

const PREFIX: &str = "smelt.core.";

/// The same script with a name on each assertion.
pub fn named(script: &Script) -> Script {
    let mut out = script.clone();
    for (i, c) in out.commands.iter_mut().enumerate() {
        let Command::Assert(t) = c else { continue };
        let a = &mut out.arena;
        let name = a.sym(&format!("{PREFIX}{i}"));
        let sort = a.sort(*t);
        let fun = a.declare_fun(FunDecl {
            name,
            params: Box::default(),
            args: Box::default(),
            ret: sort,
            kind: FunKind::Named,
            def: None,
        });
        let attrs = a.attrs(vec![Attr::Named(fun)]);
        *t = a.mk(Head::Annot(attrs), &[*t], sort);
    }
    out
}

/// The script whose assertions are just those of a core, as a solver printed it. `None` if it names something else.
pub fn core_script(script: &Script, core: &str) -> Option<Script> {
    let inner = core.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut wanted = std::collections::BTreeSet::new();
    for word in inner.split_whitespace() {
        let word = word.trim_matches('|');
        // Names that the script itself gives are not ours to trace.
        wanted.insert(word.strip_prefix(PREFIX)?.parse::<usize>().ok()?);
    }
    let commands = script.commands.iter().enumerate();
    let kept = commands
        .filter(|(i, c)| !matches!(c, Command::Assert(_)) || wanted.contains(i))
        .map(|(_, c)| c.clone());
    Some(Script { commands: kept.collect(), arena: script.arena.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::{PrintOptions, parse, print};

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
    }
}
