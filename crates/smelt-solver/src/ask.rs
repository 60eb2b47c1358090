//! What is asked after an answer, and how questions and responses are framed in a stream.

use crate::limits::Requests;
use crate::outcome::{Answer, Check};
use crate::profile::Profile;

/// A question after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    Model,
    Core,
    Reason,
}

impl Question {
    pub const ALL: [Question; 3] = [Question::Model, Question::Core, Question::Reason];

    pub fn command(self) -> &'static str {
        match self {
            Question::Model => "(get-model)",
            Question::Core => "(get-unsat-core)",
            Question::Reason => "(get-info :reason-unknown)",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Question::Model => "model",
            Question::Core => "core",
            Question::Reason => "reason",
        }
    }

    /// Whether the caller wants it in general.
    pub fn wanted(self, requests: Requests, profile: &Profile) -> bool {
        match self {
            Question::Model => requests.model,
            Question::Core => requests.core,
            Question::Reason => profile.reason_unknown,
        }
    }

    /// Whether it makes sense after this answer.
    pub fn due(self, answer: &Answer) -> bool {
        match self {
            Question::Model => matches!(answer, Answer::Sat | Answer::DeltaSat),
            Question::Core => matches!(answer, Answer::Unsat),
            Question::Reason => matches!(answer, Answer::Unknown(None)),
        }
    }

    /// Whether the check already has it.
    pub fn answered(self, check: &Check) -> bool {
        match self {
            Question::Model => check.model.is_some(),
            Question::Core => check.core.is_some(),
            Question::Reason => !matches!(check.answer, Answer::Unknown(None)),
        }
    }
}

/// A text that no solver prints by itself and no script can know, another one for each session and run.
pub(crate) fn nonce() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    // The keys of the standard library's hasher come from the system's source of randomness.
    let random = RandomState::new().build_hasher().finish();
    format!("smelt-{random:x}-{:x}", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The command that makes the solver print a marker.
pub(crate) fn echo(marker: &str) -> String {
    format!("(echo \"{marker}\")\n")
}

/// The marker that opens the response to a question about check `k`.
pub(crate) fn question_marker(nonce: &str, k: usize, question: Question) -> String {
    format!("{nonce}-{k}-{}", question.name())
}

/// The marker that ends the responses about check `k`. Where nothing is asked it stands right behind the check.
pub(crate) fn end_marker(nonce: &str, k: usize) -> String {
    format!("{nonce}-{k}-end")
}

/// The markers before and behind a `(reset)` that comes after `k` checks.
pub(crate) fn reset_markers(nonce: &str, k: usize) -> [String; 2] {
    [BEFORE_RESET, RESET].map(|what| format!("{nonce}-{k}-{what}"))
}

const BEFORE_RESET: &str = "before-reset";
const RESET: &str = "reset";

/// Whether a command was carried out without anything worth saying.
fn is_quiet(text: &str) -> bool {
    text.lines().all(|l| matches!(l.trim(), "" | "success"))
}

/// A part of what a script printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The text.
    pub text: String,
    /// What ends it.
    pub end: End,
}

/// What ends a part of what a script printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The marker behind the check of this number: the text holds the answer to it and to no other.
    Check(usize),
    /// A `(reset)` behind so many checks.
    Reset(usize),
    /// The output ends.
    Output,
}

/// Splits output into what the script printed, cut behind its checks and at its resets, and the responses to questions, by
/// check. A reset to which the solver says anything but `success` was not carried out.
pub(crate) fn split_responses(
    stdout: &str,
    nonce: &str,
) -> (Vec<Piece>, Vec<(usize, Question, String)>) {
    let mut pieces = Vec::new();
    // Checks whose first marker was seen.
    let mut answered = 0;
    let mut resetting = None;
    let mut main = String::with_capacity(stdout.len());
    let mut responses: Vec<(usize, Question, String)> = Vec::new();
    let mut open = false;
    for line in stdout.split_inclusive('\n') {
        // Some solvers echo with quotes, some without.
        // A marker may stand behind output that was not ended by a line break.
        let at = line.find(nonce).filter(|at| line[at + nonce.len()..].starts_with('-'));
        if let Some(at) = at {
            let before = line[..at].trim_end_matches('"');
            match responses.last_mut().filter(|_| open) {
                Some((_, _, text)) => text.push_str(before),
                None => main.push_str(before),
            }
            if !open && !before.is_empty() {
                main.push('\n');
            }
            let rest = line[at + nonce.len() + 1..].trim().trim_end_matches('"');
            let mut parts = rest.splitn(2, '-');
            let k = parts.next().and_then(|k| k.parse::<usize>().ok());
            let what = parts.next().unwrap_or("");
            match what {
                BEFORE_RESET => resetting = Some(main.len()),
                RESET => {
                    let done = resetting.take().is_some_and(|at| is_quiet(&main[at..]));
                    if let Some(k) = k.filter(|_| done) {
                        pieces.push(Piece { text: std::mem::take(&mut main), end: End::Reset(k) });
                    }
                }
                _ => {
                    if let Some(k) = k.filter(|k| *k >= answered) {
                        answered = k + 1;
                        pieces.push(Piece { text: std::mem::take(&mut main), end: End::Check(k) });
                    }
                }
            }
            let question = Question::ALL.into_iter().find(|q| q.name() == what);
            open = match (k, question) {
                (Some(k), Some(question)) => {
                    responses.push((k, question, String::new()));
                    true
                }
                _ => false,
            };
            continue;
        }
        match responses.last_mut().filter(|_| open) {
            Some((_, _, text)) => text.push_str(line),
            None => main.push_str(line),
        }
    }
    pieces.push(Piece { text: main, end: End::Output });
    (pieces, responses)
}

/// Is a response an `(error …)`?
pub(crate) fn refused(response: &str) -> bool {
    crate::sexpr::items(response.trim()).any(|i| i.head() == "error")
}

/// Puts a response into its check. A refusal (`(error …)`) leaves the check as it is.
pub(crate) fn store(profile: &Profile, check: &mut Check, question: Question, response: &str) {
    let text = response.trim();
    if refused(text) || text.is_empty() || text == "unsupported" {
        return;
    }
    match question {
        Question::Model => check.model = Some(text.to_owned()),
        Question::Core => check.core = Some(text.to_owned()),
        Question::Reason => {
            if matches!(check.answer, Answer::Unknown(None)) {
                check.answer = crate::classify::unknown(profile, crate::classify::reason_of(text));
            }
        }
    }
}

/// Position just behind the line that is the marker, if it is there. Searching starts at `from`, which must not lie
/// inside the marker line.
pub(crate) fn find_marker(output: &[u8], from: usize, marker: &str) -> Option<(usize, usize)> {
    let needle = marker.as_bytes();
    let mut at = from;
    while at + needle.len() <= output.len() {
        let found = output[at..].windows(needle.len()).position(|w| w == needle)? + at;
        let line_start = output[..found].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
        let line_end = output[found..].iter().position(|b| *b == b'\n').map(|n| found + n)?;
        let before = &output[line_start..found];
        let after = &output[found + needle.len()..line_end];
        let quoted = (before == b"\"" && after.starts_with(b"\""))
            || (before.is_empty() && !after.starts_with(b"\""));
        if quoted && after.iter().all(|b| matches!(b, b'"' | b'\r' | b' ')) {
            return Some((line_start, line_end + 1));
        }
        // The marker stands behind something on its line: output that the solver did not end with a line break.
        if after.iter().all(|b| matches!(b, b'"' | b'\r' | b' ')) {
            let start = if before.ends_with(b"\"") { found - 1 } else { found };
            return Some((start, line_end + 1));
        }
        at = line_end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        let check = |text: &str, expect: Option<(usize, usize)>| {
            assert_eq!(find_marker(text.as_bytes(), 0, "M-1"), expect, "{text:?}");
        };
        check("sat\nM-1\n", Some((4, 8)));
        check("sat\n\"M-1\"\nx", Some((4, 10)));
        check("sat\nM-1", None);
        check("sat\nM-12\nM-1\n", Some((9, 13)));
        check("text M-1\n", Some((5, 9)));
        check("(error \"in M-1 and more\")\n", None);
        check("", None);
    }

    #[test]
    fn responses() {
        let (main, found) = split_responses(
            "sat\nN-0-model\n(m)\nN-0-core\n(error \"x\")\n\"N-0-end\"\nunsat\n",
            "N",
        );
        let piece = |text: &str, end| Piece { text: text.to_owned(), end };
        assert_eq!(main, [piece("sat\n", End::Check(0)), piece("unsat\n", End::Output)]);
        let cut = split_responses("saN-0-model\n", "N").0;
        assert_eq!(cut, [piece("sa\n", End::Check(0)), piece("", End::Output)]);
        let resets = |said: &str| {
            split_responses(&format!("sat\n\"N-1-before-reset\"\n{said}N-1-reset\nunsat\n"), "N").0
        };
        assert_eq!(resets(""), [piece("sat\n", End::Reset(1)), piece("unsat\n", End::Output)]);
        assert_eq!(resets("success\n")[0].end, End::Reset(1));
        // Who says anything has not done it.
        let one = [piece("sat\nunsupported\nunsat\n", End::Output)];
        assert_eq!(resets("unsupported\n"), one);
        assert_eq!(
            found,
            [(0, Question::Model, "(m)\n".into()), (0, Question::Core, "(error \"x\")\n".into())]
        );
    }
}
