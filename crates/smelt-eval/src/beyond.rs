//! What a check demands beside its assertions.

use smelt_smtlib::{Command, Fun, FunKind, Head, Query, Script, Term};

/// Commands that smelt keeps as text and that demand nothing of a model.
const HARMLESS: [&str; 17] = [
    "apply",
    "declare-tactic",
    "display",
    "echo",
    "eval",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-objectives",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "help",
    "labels",
    "simplify",
];

/// What a check demands of a model beside its assertions, in words: a reason why their truth does not prove the script
/// satisfiable.
pub fn beyond_assertions(script: &Script, query: &Query) -> Option<String> {
    let a = &script.arena;
    for c in script.commands.iter().take(query.command) {
        let defined: &[Fun] = match c {
            Command::DefineFun(f) => std::slice::from_ref(f),
            Command::DefineFunsRec(all) => all,
            Command::Other(text) => {
                let head: &str = text.trim_start_matches(['(', ' ', '\n', '\t', '\r']);
                let head = head.split([' ', '\n', '\t', '\r', ')', '(']).next().unwrap_or("");
                if HARMLESS.contains(&head) {
                    continue;
                }
                return Some(format!("what `{head}` demands is not known"));
            }
            _ => continue,
        };
        if let Some(&f) = defined.iter().find(|&&f| calls_itself(script, f)) {
            let name = a.name(a.fun(f).name);
            return Some(format!("the recursive definition of `{name}` may have no model"));
        }
    }
    None
}

/// Whether the definition of a function uses the function, directly or by others.
fn calls_itself(script: &Script, f: Fun) -> bool {
    let a = &script.arena;
    if a.fun(f).kind != FunKind::Recursive {
        return false;
    }
    let mut todo: Vec<Term> = a.fun(f).def.map(|(_, body)| body).into_iter().collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Head::Fun(g) = a.head(t) {
            if g == f {
                return true;
            }
            todo.extend(a.fun(g).def.map(|(_, body)| body));
        }
        todo.extend_from_slice(a.args(t));
    }
    false
}
