//! One check of a script, alone: no push, no pop, no other checks.

use crate::{Command, Query, Script};

/// The script that asserts what is active at a check, and asks once.
pub fn flatten(script: &Script, query: &Query) -> Script {
    Script { arena: script.arena.clone(), commands: flat_commands(script, query) }
}

/// The commands of that script.
pub fn flat_commands(script: &Script, query: &Query) -> Vec<Command> {
    let before = &script.commands[..query.command];
    // What stands before a reset does not count any more, options and logic included.
    let start = before.iter().rposition(|c| *c == Command::Reset).map_or(0, |i| i + 1);
    let mut in_force = script.in_force(query.command).into_iter().peekable();
    let mut commands: Vec<Command> = before
        .iter()
        .enumerate()
        .skip(start)
        .filter(|(i, c)| match c {
            Command::Assert(_)
            | Command::Push(_)
            | Command::Pop(_)
            | Command::ResetAssertions
            | Command::GetValue(_) => false,
            c if c.declares() => in_force.next_if_eq(i).is_some(),
            c => !c.is_check(),
        })
        .map(|(_, c)| c.clone())
        .collect();
    commands.extend(query.assertions.iter().map(|&t| Command::Assert(t)));
    commands.push(Command::CheckSat);
    commands
}

/// Whether a script has more than a plain check.
pub fn is_incremental(script: &Script) -> bool {
    script.commands.iter().filter(|c| c.is_check()).count() > 1
        || script
            .commands
            .iter()
            .any(|c| matches!(c, Command::Push(_) | Command::Pop(_) | Command::CheckSatAssuming(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PrintOptions, parse, print};

    /// Each check of a script alone; what stands before all of them is not repeated. Each must read back.
    fn check(script: &str, expect: &[&str]) {
        let s = parse(script.as_bytes()).unwrap();
        let flat = |q: &Query| print(&flatten(&s, q), &PrintOptions::default());
        let got: Vec<String> = s.queries().iter().map(flat).collect();
        for text in &got {
            parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        }
        let got: Vec<String> = got.iter().map(|t| t.replace('\n', "")).collect();
        assert_eq!(got, expect);
    }

    #[test]
    fn each_check_alone() {
        check(
            "(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat-assuming (p))",
            &[
                "(declare-fun p () Bool)(assert p)(check-sat)",
                "(declare-fun p () Bool)(assert (not p))(assert p)(check-sat)",
            ],
        );
    }

    #[test]
    fn names_that_are_declared_again() {
        check(
            "(push 1)(declare-const x Int)(assert (> x 0))(check-sat)(pop 1)\
             (push 1)(declare-const x Bool)(assert x)(check-sat)(pop 1)(check-sat)",
            &[
                "(declare-fun x () Int)(assert (> x 0))(check-sat)",
                "(declare-fun x () Bool)(assert x)(check-sat)",
                "(check-sat)",
            ],
        );
        // Whatever it is that is declared or defined; inner scopes first.
        let all = "(declare-sort S 0)(define-sort T () Int)(declare-datatypes ((D 0)) (((c (s Int)))))\
            (define-fun f () Int 1)(define-fun-rec g ((x Int)) Int x)(define-funs-rec ((h ((x Int)) Int)) (x))";
        let alone = format!("{all}(check-sat)");
        check(
            &format!("(push 2){all}(check-sat)(pop 1)(check-sat)(pop 1){all}(check-sat)"),
            &[&alone, "(check-sat)", &alone],
        );
        check(
            "(set-option :global-declarations true)(push 1)(declare-const x Int)(pop 1)(assert (> x 0))(check-sat)",
            &[
                "(set-option :global-declarations true)(declare-fun x () Int)(assert (> x 0))(check-sat)",
            ],
        );
        check(
            "(set-logic QF_LIA)(declare-const x Int)(check-sat)(reset)\
             (set-logic QF_UF)(declare-const x Bool)(assert x)(check-sat)",
            &[
                "(set-logic QF_LIA)(declare-fun x () Int)(check-sat)",
                "(set-logic QF_UF)(declare-fun x () Bool)(assert x)(check-sat)",
            ],
        );
        // Some solvers keep declarations when assertions are reset, and scripts are written for that.
        let reset = "(declare-const x Int)(declare-const y Int)(assert (> x y))(reset-assertions)";
        check(
            &format!("{reset}(assert (< x y))(check-sat)"),
            &["(declare-fun x () Int)(declare-fun y () Int)(assert (< x y))(check-sat)"],
        );
        check(
            &format!("{reset}(declare-const x Bool)(assert x)(check-sat)"),
            &["(declare-fun x () Bool)(assert x)(check-sat)"],
        );
    }
}
