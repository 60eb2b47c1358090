//! The script before the step that led to this one.

use smelt_smtlib::{Command, Fun, Script, parse, print_sort, write_symbol};
use smelt_solver::{Mode, RunError, Status};
use smelt_triage::{Before, Observation};

use super::{Ask, Asked};

/// Asks a solver for the script before the step. `expected` is what the answers to both must be; of what nobody wrote down, the answer to
/// the one is taken for it. An answer that does not count, because a caveat is about the script, is none.
pub fn before(
    ask: &mut impl Ask,
    script: &Script,
    expected: Option<Status>,
    mode: &Mode,
    o: &mut Observation,
) -> Result<Asked, RunError> {
    let asked = ask.ask(o.who, &mut script.clone(), mode, expected)?;
    let counts = asked.seen.last().is_none_or(Observation::counts);
    o.before = asked.outcome.answer().filter(|_| counts).cloned().map(|answer| {
        let expected = expected.or(answer.decided()).unwrap_or(Status::Sat);
        Before { answer, expected }
    });
    Ok(asked)
}

/// A script with declarations of what only another one declares: a model of the other can be read for it.
pub fn with_symbols_of(text: &str, other: &str) -> Option<Script> {
    let script = parse(text.as_bytes()).ok()?;
    let whole = parse(other.as_bytes()).ok()?;
    let own: Vec<&str> = declared(&script).map(|f| name(&script, f)).collect();
    let a = &whole.arena;
    let mut more = String::new();
    for f in declared(&whole).filter(|&f| !own.contains(&name(&whole, f))) {
        more.push_str("(declare-fun ");
        write_symbol(name(&whole, f), &mut more);
        let args: Vec<String> = a.fun(f).args.iter().map(|&s| print_sort(a, s)).collect();
        more += &format!(" ({}) {})\n", args.join(" "), print_sort(a, a.fun(f).ret));
    }
    if more.is_empty() {
        return Some(script);
    }
    // Sorts are declared before.
    let at = ["\n(assert ", "\n(check-sat"].iter().find_map(|c| text.find(c))? + 1;
    parse(format!("{}{more}{}", &text[..at], &text[at..]).as_bytes()).ok()
}

/// The functions and constants that a script declares.
pub fn declared(s: &Script) -> impl Iterator<Item = Fun> {
    s.commands.iter().filter_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None })
}

fn name(s: &Script, f: Fun) -> &str {
    s.arena.name(s.arena.fun(f).name)
}
