//! One check of a script, alone: no push, no pop, no other checks.

use smelt_smtlib::{Command, Query, Script};
use smelt_solver::Verdict;
use smelt_triage::{ModelVerdict, Observation};

/// The script that asserts what is active at a check, and asks once.
pub fn flatten(script: &Script, query: &Query) -> Script {
    Script { arena: script.arena.clone(), commands: flat_commands(script, query) }
}

/// The commands of that script.
pub fn flat_commands(script: &Script, query: &Query) -> Vec<Command> {
    let mut commands: Vec<Command> = script.commands[..query.command]
        .iter()
        .filter(|c| {
            !matches!(
                c,
                Command::Assert(_)
                    | Command::Push(_)
                    | Command::Pop(_)
                    | Command::Reset
                    | Command::ResetAssertions
                    | Command::GetValue(_)
            ) && !c.is_check()
        })
        .cloned()
        .collect();
    commands.extend(query.assertions.iter().map(|&t| Command::Assert(t)));
    commands.push(Command::CheckSat);
    commands
}

/// What an answer to a check alone is worth: nothing, if it is `sat` with a false model.
pub fn verdict(o: &Observation) -> Option<Verdict> {
    o.answer.decided().filter(|_| !matches!(o.model, Some(ModelVerdict::False(_))))
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
    use smelt_smtlib::{PrintOptions, parse, print};

    #[test]
    fn each_check_alone() {
        let s = parse(
            b"(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat-assuming (p))",
        )
        .unwrap();
        let got: Vec<String> = s
            .queries()
            .iter()
            .map(|q| print(&flatten(&s, q), &PrintOptions::default()).replace('\n', ""))
            .collect();
        assert_eq!(
            got,
            [
                "(declare-fun p () Bool)(assert p)(check-sat)",
                "(declare-fun p () Bool)(assert (not p))(assert p)(check-sat)"
            ]
        );
    }
}
