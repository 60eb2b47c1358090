//! From what a solver printed, and how it ended, to answers.

use std::cmp::Ordering;

use nix::sys::signal::Signal;
use smelt_smtlib::Status;

use crate::events::{Event, Word, starts};
use crate::outcome::{Answer, Check, Exit, Limit};
use crate::patterns::Patterns;
use crate::profile::{ExitMeaning, Profile};
use crate::signature::{
    Crash, CrashKind, FAULTS, SignalMeaning, find_crash, signal_meaning, signal_name,
};

/// Standard error without the lines that mean nothing.
fn meaningful<'s>(stderr: &'s str, profile: &Profile) -> std::borrow::Cow<'s, str> {
    let p = &profile.patterns;
    let idle = |l: &str| starts(l, &p.ignore) || starts(l, &p.harmless);
    if stderr.lines().any(idle) {
        stderr.lines().filter(|l| !idle(l)).flat_map(|l| [l, "\n"]).collect()
    } else {
        stderr.into()
    }
}

/// How a run ended, as seen from outside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ending {
    pub exit: Option<Exit>,
    pub killed: Option<KilledFor>,
    /// A question was refused, which z3's exit code tells of as well.
    pub refused: bool,
    /// How many checks came before the last response, if that was a refusal.
    pub refused_behind: Option<usize>,
}

/// Why the process was killed, by smelt, by the kernel or by somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KilledFor {
    Limit(Limit),
    Memory,
    Output,
    /// Nobody of smelt's: this signal came from outside, and says nothing about the solver.
    Outside(i32),
}

/// The answers to `expected` checks and whatever else the output tells.
pub(crate) struct Reading {
    pub checks: Vec<Check>,
    pub errors: Vec<String>,
    pub crash: Option<Crash>,
}

/// Reads the output of a whole run, or of one piece of a warm session. `errors` holds what came before the piece.
pub(crate) fn read(
    profile: &Profile,
    events: &[Event],
    stderr: &str,
    ending: Option<Ending>,
    expected: usize,
    mut errors: Vec<Trouble>,
) -> Reading {
    let stderr = &*meaningful(stderr, profile);
    let mut checks = Vec::new();
    // What is no response: since the last marker, and since the last reset.
    let (mut noise, mut all_noise) = (String::new(), String::new());
    let mut responses = events.iter().peekable();
    let mut all_errors = Vec::new();
    // Only a solver that echoes can be kept warm. (A wrapper that passes nothing but answers on ends well all the same.)
    let silent = !events.iter().any(|e| matches!(e, Event::Said(_)))
        && ending.is_some_and(|e| e.killed.is_none() && e.exit == Some(Exit::Code(0)));
    let mut tally = Tally { marked: profile.warm.is_some() && !silent, ..Tally::default() };
    // Whether there were errors that are over.
    let mut erred = ending.is_some_and(|e| e.refused);
    while let Some(event) = responses.next() {
        match event {
            Event::Answer(word) if checks.len() < expected => {
                let reason = match responses.peek() {
                    Some(Event::Response(text)) if word.status() == Some(Status::Unknown) => {
                        reason_of(text)
                    }
                    _ => None,
                };
                checks.push(Check::bare(answer(profile, *word, reason, &errors)));
            }
            Event::Answer(word) => {
                tally.surplus = true;
                noise.push_str(&format!("{word} (one answer too many)\n"));
            }
            Event::Error(text) => {
                all_errors.push(text.clone());
                errors.push(Trouble::Error(text.clone()));
            }
            Event::Complaint(text) => {
                // An answer that an error spoilt is nothing that one could complain about.
                let spoilt = |c: &Check| {
                    matches!(c.answer, Answer::Rejected { .. } | Answer::Unsupported(_))
                };
                erred = true;
                if let Some(check) = checks.last_mut().filter(|c| !spoilt(c)) {
                    check.complaint.get_or_insert_with(|| text.clone());
                }
            }
            Event::Unsupported(text) => errors.push(Trouble::Unsupported(text.clone())),
            Event::Said(k) => {
                // Where the place of an answer is known, one answer counts, and nothing else.
                if checks.len() != *k + 1 || tally.surplus {
                    let lost = worst(profile, &errors).filter(|_| checks.len() <= tally.settled);
                    checks.truncate(tally.settled);
                    checks.resize(*k, Check::bare(unreadable(&noise)));
                    checks.push(Check::bare(lost.unwrap_or_else(|| unreadable(&noise))));
                }
                tally = Tally { settled: checks.len(), marked: true, ..Tally::default() };
                noise.clear();
            }
            // What went wrong before is over, and spoils nothing behind it. Checks that got no answer never will.
            Event::Reset(before) => {
                let before = expected.min(*before);
                let lost = worst(profile, &errors);
                checks.truncate(tally.known(checks.len(), before, lost.is_some()));
                let lost = lost.unwrap_or_else(|| unreadable(&noise));
                checks.resize(before, Check::bare(lost));
                tally = Tally { settled: before, marked: tally.marked, ..Tally::default() };
                erred |= !errors.is_empty();
                errors.clear();
                all_errors.clear();
                noise.clear();
                all_noise.clear();
            }
            Event::Response(_) => {}
            Event::Noise(text) => {
                tally.odd.get_or_insert(checks.len());
                for to in [&mut noise, &mut all_noise] {
                    to.push_str(text);
                    to.push('\n');
                }
            }
        }
    }
    if tally.marked && checks.len() > tally.settled {
        let answer = checks[tally.settled].answer.kind();
        noise.push_str(&format!("{answer} (without the marker behind the check)\n"));
        checks.truncate(tally.settled);
    }
    // Only what is no regular response may tell of a crash: a model may hold any text. Nor may a parse error, which quotes
    // the script and is worded as internal errors are.
    let spoken = all_errors.iter().filter(|e| !Patterns::is_parse_error(e));
    let mut talk: String = spoken.flat_map(|e| [e.as_str(), "\n"]).collect();
    talk.push_str(&all_noise);
    let exit = ending.and_then(|e| e.exit).filter(|_| ending.is_none_or(|e| e.killed.is_none()));
    let mut crash = find_crash(&talk, stderr, exit, &profile.patterns.crash);
    let failed = |c: &Check| matches!(c.answer, Answer::Unreadable(_) | Answer::Crash(_));
    let answered = checks.len() >= expected && !checks.iter().any(failed);
    if answered && crash.is_none() {
        crash = exit.and_then(|exit| crash_in_shell(profile, exit));
    }
    if answered && ends_well(profile, exit, erred, &all_errors) {
        // A solver may say what it likes while it answers everything and ends as it should: only a sanitizer, which reports
        // from outside of it, is believed then.
        crash = crash.filter(Crash::is_sanitized);
    }
    if let (Some(mut ending), true) = (ending, checks.len() < expected) {
        // z3 ends with 1 if there ever was an error.
        if erred && ending.exit == Some(Exit::Code(1)) && !profile.exit_codes.contains_key("1") {
            ending.exit = Some(Exit::Code(0));
        }
        let last = last_answer(profile, ending, &talk, stderr, &errors, &noise, &mut crash);
        // A refusal may end a process; where it stands tells whose the answers before it are.
        let explained = ending.killed.is_some()
            || ending.refused_behind == Some(checks.len())
            || !matches!(last, Answer::Unreadable(_));
        let known = tally.known(checks.len(), expected, explained);
        // Nor is it known then which check the time or memory ran out in.
        let unknown =
            known < checks.len() && matches!(last, Answer::Timeout(_) | Answer::OutOfMemory);
        checks.truncate(known);
        checks.push(Check::bare(if unknown { unreadable(&noise) } else { last }));
    } else {
        if crash.is_some() && excused(profile, &talk, stderr, exit).is_some() {
            crash = None;
        }
        let known = tally.known(checks.len(), expected, true);
        if known < checks.len() {
            checks.truncate(known);
            checks.push(Check::bare(unreadable(&noise)));
        }
    }
    Reading { checks, errors: all_errors, crash }
}

/// Whether nothing is odd about how a process ended, or that it has not ended. z3 ends with 1 if there was an error; one that
/// tells of an internal error is odd all the same.
fn ends_well(profile: &Profile, exit: Option<Exit>, erred: bool, errors: &[String]) -> bool {
    match exit {
        None | Some(Exit::Code(0)) => true,
        Some(Exit::Code(1)) if !profile.exit_codes.contains_key("1") => {
            (erred || !errors.is_empty()) && !errors.iter().any(|e| profile.patterns.is_crash(e))
        }
        Some(Exit::Code(_) | Exit::Signal(_)) => false,
    }
}

/// What says whether the answers since the last reset are those to the checks since then, in their order.
#[derive(Default)]
struct Tally {
    /// Checks before.
    settled: usize,
    /// Checks that had an answer when something else was printed: perhaps in the place of the next one.
    odd: Option<usize>,
    /// There were more answers than checks.
    surplus: bool,
    /// The solver prints the markers behind its checks: an answer without its marker is none.
    marked: bool,
}

impl Tally {
    /// How many of these answers are known to be those to the first of the checks that are due. `explained` says that something
    /// tells why the last of them have none.
    fn known(&self, answers: usize, due: usize, explained: bool) -> usize {
        match answers.cmp(&due) {
            _ if self.marked => answers,
            _ if self.surplus => self.settled,
            Ordering::Equal => answers,
            Ordering::Less if explained => self.odd.unwrap_or(answers),
            Ordering::Less | Ordering::Greater => self.settled,
        }
    }
}

fn unreadable(noise: &str) -> Answer {
    Answer::Unreadable(noise.trim().chars().take(2000).collect())
}

/// Something that spoils the answers behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    Error(String),
    Unsupported(String),
}

impl Trouble {
    pub fn text(&self) -> &str {
        match self {
            Trouble::Error(t) | Trouble::Unsupported(t) => t,
        }
    }
}

/// The troubles among events, for the pieces that follow.
pub(crate) fn troubles(events: &[Event]) -> impl Iterator<Item = Trouble> + '_ {
    events.iter().filter_map(|e| match e {
        Event::Error(t) => Some(Trouble::Error(t.clone())),
        Event::Unsupported(t) => Some(Trouble::Unsupported(t.clone())),
        _ => None,
    })
}

/// `max. resource limit exceeded` of `(:reason-unknown "max. resource limit exceeded")`.
pub(crate) fn reason_of(response: &str) -> Option<String> {
    let rest = response.trim().strip_prefix('(')?.trim_start().strip_prefix(":reason-unknown")?;
    let rest = rest.trim().strip_suffix(')')?.trim();
    let text = rest.strip_prefix('"').and_then(|r| r.strip_suffix('"')).unwrap_or(rest);
    let text = text.strip_prefix('(').and_then(|r| r.strip_suffix(')')).unwrap_or(text);
    (!text.is_empty()).then(|| text.to_owned())
}

/// What the libraries below a solver say when memory runs out, whatever the solver: GMP aborts after its line.
const RUNTIME_MEMORY: [&str; 5] = [
    "GNU MP: Cannot allocate memory",
    "GNU MP: Cannot reallocate memory",
    "std::bad_alloc",
    "memory allocation of",
    "OutOfMemoryError",
];

fn matches(text: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|p| text.contains(p.as_str()))
}

/// The answer for a word with the troubles before it.
pub(crate) fn answer(
    profile: &Profile,
    word: Word,
    reason: Option<String>,
    before: &[Trouble],
) -> Answer {
    if let Some(trouble) = worst(profile, before) {
        return match trouble {
            Answer::Rejected { error, .. } => Answer::Rejected { error, answer: word.status() },
            other => other,
        };
    }
    match word {
        Word::Status(Status::Sat) => Answer::Sat,
        Word::Status(Status::Unsat) => Answer::Unsat,
        Word::Status(Status::Unknown) => unknown(profile, reason),
        Word::DeltaSat => Answer::DeltaSat,
    }
}

/// `unknown` with a reason: a limit of the solver's is no incompleteness.
pub(crate) fn unknown(profile: &Profile, reason: Option<String>) -> Answer {
    let p = &profile.patterns;
    match reason {
        Some(r) if matches(&r, &p.out_of_memory) || r == "memout" => Answer::OutOfMemory,
        Some(r) if matches(&r, &p.resource) => Answer::Timeout(Limit::Resource),
        Some(r) if matches(&r, &p.timeout) || r == "timeout" => Answer::Timeout(Limit::Solver),
        reason => Answer::Unknown(reason),
    }
}

/// The answer that errors alone give: a crash in words, lack of memory or time, lack of support, else a rejection.
fn worst(profile: &Profile, troubles: &[Trouble]) -> Option<Answer> {
    let p = &profile.patterns;
    let find = |patterns: &[String]| troubles.iter().find(|t| matches(t.text(), patterns));
    let first = troubles.first()?;
    // First, because solvers answer an unknown option with the list of all they know, and that list holds every word.
    if let Some(t) = find(&p.unknown_option) {
        return Some(Answer::Rejected { error: t.text().to_owned(), answer: None });
    }
    // A crash behind an error is none.
    let error = troubles.iter().find(|t| matches!(t, Trouble::Error(_)));
    Some(if let Some(t) = error.filter(|t| p.is_crash(t.text())) {
        Answer::Crash(Crash { kind: CrashKind::Internal(t.text().to_owned()) })
    } else if find(&p.out_of_memory).is_some() {
        Answer::OutOfMemory
    } else if find(&p.timeout).is_some() {
        Answer::Timeout(Limit::Solver)
    } else if let Some(t) = find(&p.unsupported) {
        Answer::Unsupported(t.text().to_owned())
    } else {
        match first {
            Trouble::Unsupported(text) => Answer::Unsupported(text.clone()),
            Trouble::Error(text) => Answer::Rejected { error: text.clone(), answer: None },
        }
    })
}

/// How the C library, shells and Python name a file that may not be opened or written.
const DENIED: [&str; 3] = [": Permission denied", ": File too large", "PermissionError: [Errno"];

/// Whether an abort is explained by a limit, by the sandbox, or by lack of support.
fn excused(profile: &Profile, talk: &str, stderr: &str, exit: Option<Exit>) -> Option<Answer> {
    let p = &profile.patterns;
    let any = |patterns: &[String]| matches(stderr, patterns) || matches(talk, patterns);
    if any(&p.unknown_option) {
        return None;
    }
    if any(&p.out_of_memory) || RUNTIME_MEMORY.iter().any(|w| stderr.contains(w)) {
        return Some(Answer::OutOfMemory);
    }
    if any(&p.timeout) {
        return Some(Answer::Timeout(Limit::Solver));
    }
    if matches!(exit, Some(Exit::Signal(n)) if FAULTS.contains(&n)) {
        return None;
    }
    // Whoever is kept from a file has not failed: by the sandbox, or because it is not the user's.
    if let Some(line) = stderr.lines().find(|l| DENIED.iter().any(|w| l.contains(w))) {
        return Some(Answer::Unreadable(format!("it was kept from a file: {}", line.trim())));
    }
    // "Unimplemented code" reaches us in the clothes of a fatal failure.
    let line = stderr.lines().chain(talk.lines()).find(|l| matches(l, &p.unsupported))?;
    Some(Answer::Unsupported(line.trim().to_owned()))
}

/// The answer of a check that got none before the run ended.
fn last_answer(
    profile: &Profile,
    ending: Ending,
    talk: &str,
    stderr: &str,
    errors: &[Trouble],
    noise: &str,
    crash: &mut Option<Crash>,
) -> Answer {
    if let Some(why) = ending.killed {
        if excused(profile, talk, stderr, None).is_some() {
            *crash = None;
        }
        return match why {
            KilledFor::Limit(limit) => Answer::Timeout(limit),
            KilledFor::Memory => Answer::OutOfMemory,
            KilledFor::Output => {
                Answer::Unreadable(String::from("more output than the limit allows"))
            }
            KilledFor::Outside(signal) => Answer::Unreadable(from_outside(signal)),
        };
    }
    if let Some(words) =
        [stderr, talk].into_iter().find(|t| matches(t, &profile.patterns.unknown_option))
    {
        *crash = None;
        return Answer::Rejected { error: first_words(words).unwrap_or_default(), answer: None };
    }
    let sanitized = crash.as_ref().is_some_and(Crash::is_sanitized);
    if !sanitized && let Some(answer) = excused(profile, talk, stderr, ending.exit) {
        *crash = None;
        return answer;
    }
    if let Some(crash) = crash {
        return Answer::Crash(crash.clone());
    }
    if let Some(answer) = worst(profile, errors) {
        return answer;
    }
    // SIGXCPU is the kernel's CPU limit behind the polled one. (Signals that are crashes were dealt with above.)
    let code = match ending.exit {
        Some(Exit::Code(code)) => code,
        _ => 0,
    };
    let words = || first_words(stderr).or_else(|| first_words(noise)).unwrap_or_default();
    match profile.exit_codes.get(&code.to_string()) {
        Some(ExitMeaning::OutOfMemory) => return Answer::OutOfMemory,
        Some(ExitMeaning::Timeout) => return Answer::Timeout(Limit::Solver),
        Some(ExitMeaning::Rejected) => return Answer::Rejected { error: words(), answer: None },
        Some(ExitMeaning::Unsupported) => return Answer::Unsupported(words()),
        Some(ExitMeaning::Crash) | None => {}
    }
    if let Some(answer) = told_by_shell(code) {
        return answer;
    }
    if code != 0 {
        let failed = Crash { kind: CrashKind::FatalExit(code) };
        *crash = Some(failed.clone());
        return Answer::Crash(failed);
    }
    unreadable(noise)
}

/// What is said of an end by a signal that says nothing about the solver.
fn from_outside(signal: i32) -> String {
    let name = signal_name(signal);
    match Signal::try_from(signal) {
        Ok(Signal::SIGXFSZ) => format!("ended by {name}: the sandbox lets it write no file"),
        _ => format!("ended by {name}, from outside"),
    }
}

/// What a wrapper tells of the solver that it ran: a shell ends with 128 and the number of the signal that ended its command, and
/// `timeout` with 124. What is no crash by a signal is none by such a code.
fn told_by_shell(code: i32) -> Option<Answer> {
    if code == 124 {
        return Some(Answer::Timeout(Limit::Solver));
    }
    let signal = code.checked_sub(128).filter(|n| (1..=31).contains(n))?;
    match signal_meaning(signal) {
        SignalMeaning::Crash => None,
        SignalMeaning::Timeout => Some(Answer::Timeout(Limit::Solver)),
        SignalMeaning::Memory => Some(Answer::OutOfMemory),
        SignalMeaning::Outside => Some(Answer::Unreadable(from_outside(signal))),
    }
}

/// The crash that a wrapper tells of by its exit code.
fn crash_in_shell(profile: &Profile, exit: Exit) -> Option<Crash> {
    let Exit::Code(code) = exit else { return None };
    let signal = code.checked_sub(128).filter(|n| (1..=31).contains(n))?;
    let own = profile.exit_codes.contains_key(&code.to_string());
    let crash = !own && signal_meaning(signal) == SignalMeaning::Crash;
    crash.then_some(Crash { kind: CrashKind::FatalExit(code) })
}

fn first_words(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|l| !l.is_empty()).map(|l| l.chars().take(400).collect())
}

#[cfg(test)]
mod tests;
