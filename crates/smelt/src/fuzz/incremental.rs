//! One check of a script, alone: no push, no pop, no other checks.

use smelt_smtlib::{Command, Query, Script};
use smelt_triage::{Flat, Observation, beyond_assertions};

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

/// What was seen of a check alone, if it was decided.
pub fn flat(o: &Observation) -> Option<Flat> {
    Some(Flat { answer: o.answer.decided()?, model: o.model.clone() })
}

/// Whether the answers to a check in its script and alone exclude each other.
pub fn contradicts(o: &Observation) -> bool {
    let own = o.answer.decided();
    own.is_some() && o.flat.as_ref().is_some_and(|f| Some(f.answer) != own)
}

/// Whether a check in its script asks for just what it asks for alone: nothing counts but its assertions.
pub fn is_comparable(script: &Script, query: &Query) -> bool {
    let aims = script.commands[..query.command].iter().any(|c| {
        matches!(c, Command::AssertSoft(..) | Command::Minimize(..) | Command::Maximize(..))
    });
    is_incremental(script) && !aims && beyond_assertions(script, query).is_none()
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
