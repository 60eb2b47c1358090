//! Another script, which this one implies or is implied by: the one before the step that led here, or one with fewer or more assertions.

use smelt_smtlib::{Command, Fun, Script, parse, print_sort, write_symbol};
use smelt_solver::{Answer, Mode, RunError, Status};
use smelt_triage::{Before, Observation};

use super::{Ask, Asked, Place};
use crate::reproducer::Pair;

/// Asks a solver for the related script. The pair says what the answers to both must be; of what nobody wrote down, the answer to the one
/// is taken for it. An answer that does not count, because a caveat is about the script, is none.
pub fn before(
    ask: &mut dyn Ask,
    script: &Script,
    pair: Option<&Pair>,
    mode: &Mode,
    o: &mut Observation,
) -> Result<Asked, RunError> {
    let expected = pair.map(|p| p.expected);
    let asked = ask.ask(o.who, &mut script.clone(), mode, expected)?;
    let counts = asked.seen.iter().all(Observation::counts);
    o.before = answer(&asked).filter(|_| counts).map(|answer| {
        let expected = expected.or(answer.decided()).unwrap_or(Status::Sat);
        let (what, universal) = pair.map_or((Pair::STEP.to_owned(), false), Pair::words);
        Before { answer, expected, what, universal }
    });
    Ok(asked)
}

/// The answer to a script whose checks are the cases of one question: it is satisfiable if one of them is.
fn answer(asked: &Asked) -> Option<Answer> {
    let answers = || asked.outcome.checks.iter().map(|c| &c.answer);
    let sat = answers().find(|a| **a == Answer::Sat);
    sat.or_else(|| answers().find(|a| **a != Answer::Unsat)).or(asked.outcome.answer()).cloned()
}

/// Asks for the related script, if there is one.
pub(super) fn make(
    ask: &mut dyn Ask,
    place: &mut Place<'_>,
    o: &mut Observation,
) -> Result<Option<Asked>, RunError> {
    let Some(script) = place.before else { return Ok(None) };
    let asked = before(ask, script, place.pair, place.mode, o)?;
    let (which, _) = place.pair.map_or((Pair::STEP.to_owned(), false), Pair::words);
    place.what += &format!("; to {which} {}", asked.answer());
    Ok(Some(asked))
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
