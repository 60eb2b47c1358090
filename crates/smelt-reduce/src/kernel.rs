//! The part of a script that a finding needs: conjunctions split, assertions and declarations left out while it holds.
//!
//! This is the coarse beginning of reduction, enough to give findings a telling signature; it looks at whole assertions only.

use std::collections::HashSet;

use smelt_smtlib::{Command, Fun, FunKind, Head, Op, Script, Term};

/// Tests that one shrinking may cost.
const BUDGET: u32 = 60;

/// A smaller script for which `holds`, or `None` if there is none. Scripts with several checks stay as they are.
pub fn shrink(
    script: &Script,
    check: usize,
    mut holds: impl FnMut(&Script) -> bool,
) -> Option<Script> {
    let plain = script.commands.iter().all(|c| {
        !matches!(c, Command::Push(_) | Command::Pop(_) | Command::Reset | Command::ResetAssertions)
    });
    if check != 0 || !plain || script.commands.iter().filter(|c| c.is_check()).count() != 1 {
        return None;
    }
    let mut budget = BUDGET;
    let mut best: Option<Script> = None;
    let mut parts = conjuncts(script);
    let mut step = parts.len().div_ceil(2);
    // Chunks of halving size, each tried to be left out.
    while step > 0 && parts.len() > 1 && budget > 0 {
        let mut at = 0;
        while at < parts.len() && parts.len() > 1 && budget > 0 {
            let end = (at + step).min(parts.len());
            let rest: Vec<Term> = parts[..at].iter().chain(&parts[end..]).copied().collect();
            if rest.is_empty() {
                break;
            }
            let small = with_assertions(script, &rest);
            budget -= 1;
            if holds(&small) {
                parts = rest;
                best = Some(small);
            } else {
                at = end;
            }
        }
        step /= 2;
    }
    best
}

/// The assertions, conjunctions taken apart.
fn conjuncts(script: &Script) -> Vec<Term> {
    let a = &script.arena;
    let mut out = Vec::new();
    for c in &script.commands {
        let Command::Assert(t) = c else { continue };
        let mut stack = vec![*t];
        while let Some(t) = stack.pop() {
            match a.head(t) {
                Head::Op(Op::And, _) => stack.extend(a.args(t).iter().rev()),
                _ => out.push(t),
            }
        }
    }
    out
}

/// The script with other assertions in the place of its own, and without declarations that nobody uses.
pub fn with_assertions(script: &Script, assertions: &[Term]) -> Script {
    let mut commands = Vec::with_capacity(script.commands.len());
    let used = used(script, assertions);
    // Where the last one stands everything is declared.
    let last = script.commands.iter().rposition(|c| matches!(c, Command::Assert(_)));
    for (i, c) in script.commands.iter().enumerate() {
        match c {
            Command::Assert(_) if Some(i) != last => {}
            Command::Assert(_) => {
                commands.extend(assertions.iter().map(|&t| Command::Assert(t)));
            }
            Command::DeclareFun(f) | Command::DefineFun(f) if !used.contains(f) => {}
            Command::GetValue(_) => {}
            _ => commands.push(c.clone()),
        }
    }
    Script { arena: script.arena.clone(), commands }
}

/// Function symbols that terms need, through definitions.
fn used(script: &Script, roots: &[Term]) -> HashSet<Fun> {
    let a = &script.arena;
    let mut out = HashSet::new();
    let mut seen = HashSet::new();
    let mut stack = roots.to_vec();
    for c in &script.commands {
        // Recursive definitions stay as they are, with all that they use; so do assumptions.
        match c {
            Command::DefineFunsRec(fs) => {
                stack.extend(fs.iter().filter_map(|&f| a.fun(f).def.map(|(_, body)| body)));
            }
            Command::DefineFun(f) if a.fun(*f).kind == FunKind::Recursive => {
                out.insert(*f);
                stack.extend(a.fun(*f).def.map(|(_, body)| body));
            }
            Command::CheckSatAssuming(ts) => stack.extend(ts),
            Command::AssertSoft(t, _) | Command::Minimize(t, _) | Command::Maximize(t, _) => {
                stack.push(*t);
            }
            _ => {}
        }
    }
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Head::Fun(f) = a.head(t)
            && out.insert(f)
        {
            stack.extend(a.fun(f).def.map(|(_, body)| body));
        }
        stack.extend_from_slice(a.args(t));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::{PrintOptions, parse, print, print_term};

    fn check(text: &str, needed: &[&str], expect: &str) {
        let script = parse(text.as_bytes()).unwrap();
        let small = shrink(&script, 0, |s| {
            let terms: Vec<String> = s.roots().iter().map(|&t| print_term(&s.arena, t)).collect();
            needed.iter().all(|n| terms.iter().any(|t| t == n))
        });
        let small = small.map(|s| print(&s, &PrintOptions::default()));
        assert_eq!(small.unwrap_or_default().replace('\n', ""), expect);
    }

    #[test]
    fn leaves_out_what_is_not_needed() {
        let text = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(define-fun f () Bool r)\
            (assert (and p (or q r)))(assert f)(assert (not q))(check-sat)";
        check(text, &["p"], "(declare-fun p () Bool)(assert p)(check-sat)");
        check(
            text,
            &["f", "p"],
            "(declare-fun p () Bool)(declare-fun r () Bool)(define-fun f () Bool r)(assert p)(assert f)(check-sat)",
        );
        check(text, &["nothing"], "");
        check("(declare-const p Bool)(assert p)(check-sat)(check-sat)", &["p"], "");
    }
}
