//! What a solver printed, cut into answers, errors and the rest.

use std::fmt;

use smelt_smtlib::Status;

use crate::ask::{End, Piece};
use crate::profile::Profile;
use crate::sexpr::{self, ItemKind};

/// A word by which solvers answer a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// `sat`, `unsat` or `unknown`.
    Status(Status),
    /// `delta-sat` (dReal): satisfiable after a small perturbation, which says nothing about `sat`.
    DeltaSat,
}

impl Word {
    /// The status; none if the word is `delta-sat`.
    pub fn status(self) -> Option<Status> {
        match self {
            Word::Status(status) => Some(status),
            Word::DeltaSat => None,
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Status(status) => status.fmt(f),
            Word::DeltaSat => f.write_str("delta-sat"),
        }
    }
}

/// One thing in a solver's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// An answer.
    Answer(Word),
    /// `(error …)`, or a line that says so in other words.
    Error(String),
    /// An error by which the solver's own checker complains about the answer before it. It spoils nothing.
    Complaint(String),
    /// `unsupported`: the command had no effect.
    Unsupported(String),
    /// Any other response, such as a model.
    Response(String),
    /// Anything else.
    Noise(String),
    /// The marker behind the check of this number: what came since the last one holds the answer to it.
    Said(usize),
    /// A `(reset)` was carried out, after so many checks.
    Reset(usize),
}

/// Reads the pieces of an output.
pub(crate) fn events_of(pieces: &[Piece], profile: &Profile) -> Vec<Event> {
    let mut all = Vec::new();
    for piece in pieces {
        all.extend(raw_events(&piece.text, profile));
        all.extend(match piece.end {
            End::Check(k) => Some(Event::Said(k)),
            End::Reset(checks) => Some(Event::Reset(checks)),
            End::Output => None,
        });
    }
    find_complaints(&mut all, profile);
    all
}

/// Reads what a solver printed in one piece. Never fails.
pub(crate) fn events(stdout: &str, profile: &Profile) -> Vec<Event> {
    let mut events = raw_events(stdout, profile);
    find_complaints(&mut events, profile);
    events
}

/// Errors behind an answer by which the solver's own checker complains about it.
fn find_complaints(events: &mut [Event], profile: &Profile) {
    let mut answered = false;
    for event in events {
        match event {
            Event::Answer(_) => answered = true,
            Event::Reset(_) => answered = false,
            Event::Error(text) if answered && profile.patterns.self_check.about(text).is_some() => {
                *event = Event::Complaint(std::mem::take(text));
            }
            _ => {}
        }
    }
}

/// Reads output without looking for complaints.
fn raw_events(stdout: &str, profile: &Profile) -> Vec<Event> {
    let mut events = Vec::new();
    let mut skip_to = 0;
    for item in sexpr::items(stdout) {
        if item.start < skip_to {
            continue;
        }
        if matches!(item.kind, ItemKind::List | ItemKind::OpenList) {
            events.push(match item.head() {
                "error" => Event::Error(sexpr::error_text(item.text)),
                _ if item.kind == ItemKind::OpenList => Event::Noise(item.text.to_owned()),
                _ => Event::Response(item.text.to_owned()),
            });
            continue;
        }
        let line_end = stdout[item.start..].find('\n').map_or(stdout.len(), |n| item.start + n);
        let line = stdout[item.start..line_end].trim_end();
        let word = match item.text {
            "delta-sat" => Some(Word::DeltaSat),
            text => Status::of_word(text).map(Word::Status),
        };
        // cvc5's libraries add the reason to the answer: `unknown (RESOURCEOUT)`.
        let reason = line.strip_prefix("unknown (").and_then(|r| r.strip_suffix(')'));
        if let Some(reason) =
            reason.filter(|r| r.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
        {
            events.push(Event::Answer(Word::Status(Status::Unknown)));
            events.push(Event::Response(format!(
                "(:reason-unknown {})",
                reason.to_ascii_lowercase()
            )));
            skip_to = line_end;
            continue;
        }
        match word {
            // dReal writes `delta-sat with delta = 0.001`.
            Some(Word::DeltaSat) => {
                events.push(Event::Answer(Word::DeltaSat));
                skip_to = line_end;
                continue;
            }
            // An answer stands alone on its line; `sat is what I think` is no answer.
            Some(word) if line == item.text => {
                events.push(Event::Answer(word));
                continue;
            }
            _ => {}
        }
        if item.text == "success" && line == "success" {
            continue;
        }
        if item.kind == ItemKind::Text && line == item.text {
            events.push(Event::Response(item.text.to_owned()));
            continue;
        }
        skip_to = line_end;
        let lower = line.get(..6).unwrap_or("").to_ascii_lowercase();
        events.push(if line.starts_with("unsupported") {
            let note =
                stdout[line_end..].lines().nth(1).filter(|l| l.starts_with(';')).unwrap_or("");
            Event::Unsupported(format!("{line} {note}").trim().to_owned())
        } else if starts(line, &profile.patterns.ignore) {
            continue;
        } else if lower.starts_with("error") {
            Event::Error(line.to_owned())
        } else {
            Event::Noise(line.to_owned())
        });
    }
    events
}

/// Takes away each `unsupported` that a line on standard error explains as harmless.
pub(crate) fn forgive(events: &mut Vec<Event>, stderr: &str, profile: &Profile) {
    let mut left = stderr.lines().filter(|l| starts(l, &profile.patterns.harmless)).count();
    events.retain(|e| match e {
        Event::Unsupported(text) => {
            let said = profile.patterns.harmless.iter().any(|p| text.contains(p.as_str()));
            let forgiven = said || left > 0;
            left = left.saturating_sub(1);
            !forgiven
        }
        _ => true,
    });
}

/// Whether a line begins with one of these.
pub(crate) fn starts(line: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|p| line.starts_with(p.as_str()))
}
