//! The part of a script that a finding needs: conjunctions split, assertions and declarations left out while it holds.
//!
//! This is the coarse beginning of reduction, enough to give findings a telling signature; it looks at whole assertions only.

use std::collections::HashSet;

use smelt_smtlib::{Command, Fun, FunKind, Head, Op, Script, Term};

use crate::Candidates;

/// Tests that one shrinking may cost.
const BUDGET: usize = 60;

/// A smaller script that is a candidate which `first` took, or `None` if it took none. Scripts with several checks stay as they
/// are.
pub fn shrink(
    script: &Script,
    check: usize,
    mut first: impl FnMut(Candidates<'_, Script>) -> Option<(usize, Script)>,
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
    let mut chunk = Chunk { size: parts.len().div_ceil(2), at: 0 };
    loop {
        let chunks: Vec<Chunk> = chunk.and_later(parts.len()).take(budget).collect();
        let mut smaller = chunks.iter().map(|c| with_assertions(script, &c.left_out(&parts)));
        let Some((n, small)) = first(&mut smaller) else { return best };
        best = Some(small);
        budget -= n + 1;
        chunk = chunks[n];
        parts = chunk.left_out(&parts);
    }
}

/// Some assertions in a row.
#[derive(Clone, Copy)]
struct Chunk {
    size: usize,
    at: usize,
}

impl Chunk {
    /// The chunks that are tried to be left out of so many assertions while none can be, from this one on: of halving size, and
    /// never all assertions.
    fn and_later(self, of: usize) -> impl Iterator<Item = Self> {
        let sizes = std::iter::successors(Some(self.size), |size| Some(size / 2));
        let begun = move |size| if size == self.size { self.at } else { 0 };
        let chunks = move |size| (begun(size)..of).step_by(size).map(move |at| Self { size, at });
        sizes.take_while(|size| *size > 0).flat_map(chunks).filter(move |c| c.at > 0 || c.size < of)
    }

    fn left_out(self, of: &[Term]) -> Vec<Term> {
        let end = (self.at + self.size).min(of.len());
        of[..self.at].iter().chain(&of[end..]).copied().collect()
    }
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
    use crate::one_by_one;
    use smelt_smtlib::{PrintOptions, parse, print, print_term};

    fn check(text: &str, needed: &[&str], expect: &str) {
        let script = parse(text.as_bytes()).unwrap();
        let holds = |s: &Script| {
            let terms: Vec<String> = s.roots().iter().map(|&t| print_term(&s.arena, t)).collect();
            needed.iter().all(|n| terms.iter().any(|t| t == n))
        };
        let small = shrink(&script, 0, one_by_one(holds));
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

    /// Which chunks are tried from which on, while none can be left out.
    #[test]
    fn chunks() {
        let check = |(size, at), of, expect: &[(usize, usize)]| {
            let all: Vec<_> = Chunk { size, at }.and_later(of).map(|c| (c.size, c.at)).collect();
            assert_eq!(all, expect, "{size} {at} {of}");
        };
        check((3, 0), 5, &[(3, 0), (3, 3), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4)]);
        // Never all of them, but the last of them.
        check((2, 0), 2, &[(1, 0), (1, 1)]);
        check((3, 2), 3, &[(3, 2), (1, 0), (1, 1), (1, 2)]);
        check((1, 1), 2, &[(1, 1)]);
        check((1, 0), 1, &[]);
        check((0, 0), 0, &[]);
    }
}
