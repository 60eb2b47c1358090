//! Why an answer is wrong, in two sentences with the values.

use smelt_eval::trace::trace;
use smelt_eval::{Evaluator, Limits, Model, ModelOptions, Value, parse_model, value_to_smtlib};
use smelt_smtlib::{Arena, Command, Query, Script, Term, parse, print_term};
use smelt_solver::Status;
use smelt_triage::Class;

use super::markdown::{code, words};
use crate::finding::Finding;
use crate::recheck::{model_options_of, printed_model};
use crate::shelf::Contents;

/// Longest value or term that is shown.
const SHOWN: usize = 120;
/// Values that are named.
const NAMED: usize = 6;

/// Two sentences that say what is right and why: the values of the witness, or of the refuted model, and what they make of the script. Where
/// there are none, the evidence.
pub fn why(c: &Contents) -> String {
    let f = &c.finding;
    let verdict = f.verdict();
    let shown = match (verdict.class, verdict.class.row().wrong) {
        (Class::Crash, _) => by_end(c),
        (_, Some(Status::Unsat)) => by_witness(c, "so the answer is `sat`"),
        (Class::FalseAlarm, _) => {
            by_witness(c, "so there is nothing wrong with the model that it complains of")
        }
        (Class::InvalidModel, _) => by_bad_model(c),
        (Class::SolutionSoundness, _) if !chooses(c) => by_bad_model(c).map(|model| {
            let model = model.replacen(
                "With its model, the",
                "No symbol has a value to be chosen, and the",
                1,
            );
            format!("The answer is `unsat`. {model}")
        }),
        (Class::SolutionSoundness, _) => {
            let model = by_bad_model(c).map_or_else(String::new, |model| format!(" {model}"));
            Some(format!("The answer is `unsat`: {}.{model}", told(&verdict.evidence)))
        }
        _ => None,
    };
    shown.unwrap_or_else(|| format!("{}.", capitalised(&told(&verdict.evidence))))
}

/// Whether there is anything of which a model says what it is.
fn chooses(c: &Contents) -> bool {
    let declares = |(script, _): (Script, Query)| {
        script
            .commands
            .iter()
            .any(|c| matches!(c, Command::DeclareFun(_) | Command::DeclareSort(_)))
    };
    script_of(c).is_none_or(declares)
}

/// Whether the sentences tell of a class that is not the worst as well.
pub(super) fn tells(c: &Contents, class: Class) -> bool {
    let is_wrong = c.finding.class() == Class::SolutionSoundness;
    match class {
        Class::InvalidModel => is_wrong && by_bad_model(c).is_some(),
        // The other script is shown with what its answer means.
        Class::NeighbourContradiction => c.before.is_some(),
        _ => false,
    }
}

/// Evidence as its readers name solvers: `z3@5.4.0 (5.4.0.0)` is z3 5.4.0.
pub(super) fn told(evidence: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for word in evidence.split(' ') {
        let is_version =
            word.starts_with('(') && word[1..].starts_with(|c: char| c.is_ascii_digit());
        match out.last_mut() {
            Some(before) if is_version && before.contains('@') => {
                *before += word.split_once(')').map_or("", |(_, behind)| behind);
            }
            _ => out.push(word.to_owned()),
        }
    }
    words(&out.join(" ").replace('@', " "))
}

/// The two sentences without the signs of Markdown.
pub fn why_plain(c: &Contents) -> String {
    let mut out = String::new();
    let mut escaped = false;
    for ch in why(c).replace("&lt;", "<").replace("&amp;", "&").chars() {
        match ch {
            '\\' if !escaped => escaped = true,
            '`' if !escaped => {}
            ch => {
                out.push(ch);
                escaped = false;
            }
        }
    }
    out
}

/// The answer that is right, if it is known: from the class, or because all who decide agree.
pub fn right_answer(c: &Contents) -> Option<&'static str> {
    let f = &c.finding;
    match f.class().row().wrong {
        Some(Status::Unsat) => return Some("sat"),
        Some(Status::Sat) => return Some("unsat"),
        _ => {}
    }
    let said = |word: &str| f.peers.iter().any(|p| p.answer == word);
    match (f.class(), said("sat"), said("unsat")) {
        (Class::InvalidModel | Class::FalseAlarm, _, false) => Some("sat"),
        (_, true, false) => Some("sat"),
        (_, false, true) => Some("unsat"),
        _ => None,
    }
}

fn script_of(c: &Contents) -> Option<(Script, Query)> {
    let text = if c.finding.reproducer.session { &c.original } else { &c.bug };
    let mut script = parse(text.as_bytes()).ok()?;
    script.commands.retain(|c| !matches!(c, Command::Other(_)));
    let query = script.queries().into_iter().nth(c.finding.reproducer.check)?;
    Some((script, query))
}

/// Where a crash came, if that is known: in which function, or at which assertion.
pub(super) fn place(f: &Finding) -> Option<String> {
    let (how, what) = f.reproducer.crash.as_deref()?.split_once(": ")?;
    match how.strip_prefix("assertion ") {
        Some(place) => Some(format!("at {}", place.rsplit('/').next().unwrap_or(place))),
        None => {
            let frame = what.split(" < ").next().filter(|_| how.starts_with("SIG"))?;
            Some(format!("in {frame}"))
        }
    }
}

/// How it ends: by which signal in which functions, if a debugger has named them, or at which assertion.
fn by_end(c: &Contents) -> Option<String> {
    let (how, what) = c.finding.reproducer.crash.as_deref()?.split_once(": ")?;
    if let Some(place) = how.strip_prefix("assertion ") {
        return Some(format!("It ends at {}: {}.", code(place), words(what.trim_end_matches('.'))));
    }
    let frames: Vec<String> = what.split(" < ").map(code).collect();
    let (top, callers) = frames.split_first().filter(|_| how.starts_with("SIG"))?;
    Some(match callers {
        [] => format!("It dies by {how} in {top}."),
        _ => format!("It dies by {how} in {top}, below {}.", callers.join(", ")),
    })
}

/// A model of a script that was called unsatisfiable, or one of which the solver's checker says that it is none; and what follows from it.
fn by_witness(c: &Contents, so: &str) -> Option<String> {
    let (mut script, query) = script_of(c)?;
    let text = c.finding.reproducer.witness.as_deref()?;
    let model = parse_model(&mut script, text.as_bytes(), &ModelOptions::default()).ok()?;
    let mut evaluator = Evaluator::new(Limits::default());
    let a = &script.arena;
    let holds = |e: &mut Evaluator, t: Term| e.judge(a, &model, t) == Ok(Value::TRUE);
    if !query.assertions.iter().all(|&t| holds(&mut evaluator, t)) {
        return None;
    }
    let values = values(&script, &model);
    let first = match values.is_empty() {
        true => "Every assertion is true, whatever the symbols mean".to_owned(),
        false => format!("The values {values} satisfy all assertions"),
    };
    // The assertion that has most to tell.
    let telling = query.assertions.iter().max_by_key(|&&t| print_term(a, t).len().min(SHOWN))?;
    let parts = parts(&mut evaluator, a, &model, *telling);
    let place = match (&query.assertions[..], shown(a, *telling)) {
        ([_], _) => "There".to_owned(),
        (_, Some(term)) => format!("In {term},"),
        (all, None) => {
            let at = all.iter().position(|t| t == telling).unwrap_or(0);
            format!("In assertion {},", at + 1)
        }
    };
    let second = if parts.is_empty() { String::new() } else { format!(" {place} {parts}.") };
    Some(format!("{first}, {so}.{second}"))
}

/// A model that makes an assertion false.
fn by_bad_model(c: &Contents) -> Option<String> {
    let f = &c.finding;
    let (mut script, query) = script_of(c)?;
    let (_, output) = c.outputs.iter().find(|(name, _)| *name == f.accused.label)?;
    let text = printed_model(output, f.reproducer.check)?;
    let options = model_options_of(&f.accused.profile, f.accused.version.as_deref());
    let model = parse_model(&mut script, text.as_bytes(), &options).ok()?;
    let mut evaluator = Evaluator::new(Limits::default());
    let a = &script.arena;
    let is_false = |e: &mut Evaluator, t: Term| e.judge(a, &model, t) == Ok(Value::FALSE);
    let at = query.assertions.iter().position(|&t| is_false(&mut evaluator, t))?;
    let assertion = query.assertions[at];
    let values = values(&script, &model);
    let given = match (values.is_empty(), c.bug.contains("(get-model)")) {
        (true, _) => "With its model".to_owned(),
        (false, true) => format!("With the values {values} of its model"),
        (false, false) => format!("With the values {values}, which it gives to `(get-model)`"),
    };
    let which = match query.assertions.len() {
        1 => "the assertion".to_owned(),
        _ => format!("assertion {}", at + 1),
    };
    let which = match shown(a, assertion) {
        Some(term) => format!("{which} {term}"),
        None => which,
    };
    let parts = parts(&mut evaluator, a, &model, assertion);
    let second = if parts.is_empty() { String::new() } else { format!(" There {parts}.") };
    Some(format!("{given}, {which} is false.{second}"))
}

/// A term as code, if it is short: of a long one the script shows more than a part would.
fn shown(a: &Arena, t: Term) -> Option<String> {
    let text = print_term(a, t);
    (text.chars().count() <= SHOWN).then(|| code(&text))
}

/// The values of the declared constants.
fn values(script: &Script, model: &Model) -> String {
    let a = &script.arena;
    let mut all = Vec::new();
    for command in &script.commands {
        let Command::DeclareFun(f) = command else { continue };
        let decl = a.fun(*f);
        if let Some(value) = model.value(*f).filter(|_| decl.args.is_empty()) {
            let text = value_to_smtlib(a, value, decl.ret).unwrap_or_else(|| format!("{value:?}"));
            all.push(format!("{} = {}", code(a.name(decl.name)), code(&cut(&text))));
        }
    }
    let more = all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    let all = listed(&all);
    if more > 0 { format!("{all} (and {more} more, see `witness.smt2`)") } else { all }
}

/// What decides the value of a term: the operands at the end of its trace that are more than a symbol or a literal.
fn parts(evaluator: &mut Evaluator, a: &Arena, model: &Model, root: Term) -> String {
    let steps = trace(evaluator, a, model, root);
    let parts = || steps.iter().filter(|s| s.depth > 0 && !a.args(s.term).is_empty());
    let deepest = parts().map(|s| s.depth).max().unwrap_or(0);
    let told = parts().filter(|s| s.depth == deepest);
    let text = |s: &smelt_eval::trace::TraceStep| {
        let value = s.value.as_ref().ok()?;
        let value = value_to_smtlib(a, value, a.sort(s.term))?;
        let term = print_term(a, s.term);
        (term != value).then(|| format!("{} is {}", code(&cut(&term)), code(&cut(&value))))
    };
    let mut all: Vec<String> = told.filter_map(text).collect();
    all.truncate(3);
    listed(&all)
}

fn listed(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
