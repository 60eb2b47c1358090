//! Crashes and their signatures: two runs with the same signature are taken for the same bug.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::outcome::Exit;

/// What kind of failure it was.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrashKind {
    /// A failed assertion or check with its place in the source.
    Assertion {
        /// `file:line`, without the directories above the source tree.
        place: String,
        /// The condition or message.
        text: String,
    },
    /// A report of AddressSanitizer, UndefinedBehaviorSanitizer and their kin.
    Sanitizer {
        /// `heap-use-after-free`, `signed integer overflow` …
        what: String,
        /// Top frames.
        frames: Vec<String>,
    },
    /// An internal error that the solver reports in words.
    Internal(String),
    /// A bare signal, with the last frames if anything named them.
    Signal {
        /// Signal number.
        signal: i32,
        /// Top frames from the solver's own trace or from gdb.
        frames: Vec<String>,
    },
    /// The solver ended with this code and no answer.
    FatalExit(i32),
}

/// A crash of a solver.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Crash {
    /// What kind.
    pub kind: CrashKind,
}

impl Crash {
    /// Whether it is a signal about which nothing else is known.
    pub fn is_bare(&self) -> bool {
        matches!(&self.kind, CrashKind::Signal { frames, .. } if frames.is_empty())
    }

    /// Whether the process died and said nothing of the cause.
    pub fn is_silent(&self) -> bool {
        matches!(self.kind, CrashKind::Signal { .. } | CrashKind::FatalExit(_))
    }

    /// Whether the processor, an assertion or a sanitizer stopped the process, whatever the script means: no internal error in words,
    /// no exit code, and no abort without a word, by which a program may say that it cannot go on.
    pub fn is_breakdown(&self) -> bool {
        match &self.kind {
            CrashKind::Signal { signal, .. } => FAULTS.contains(signal),
            CrashKind::Assertion { .. } | CrashKind::Sanitizer { .. } => true,
            CrashKind::Internal(_) | CrashKind::FatalExit(_) => false,
        }
    }

    /// Whether a sanitizer reports it.
    pub fn is_sanitized(&self) -> bool {
        matches!(self.kind, CrashKind::Sanitizer { .. })
    }

    /// Whether another run met the same failure, as far as it can be told: frames are not known of every run.
    pub fn resembles(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (CrashKind::Signal { signal: a, .. }, CrashKind::Signal { signal: b, .. })
                if self.is_bare() || other.is_bare() =>
            {
                a == b
            }
            _ => self.signature() == other.signature(),
        }
    }

    /// A text that is the same for the same bug: no addresses, process ids, script paths or directories.
    pub fn signature(&self) -> String {
        match &self.kind {
            CrashKind::Assertion { place, text } => format!("assertion {place}: {}", scrub(text)),
            CrashKind::Sanitizer { what, frames } => {
                format!("sanitizer {what}: {}", frames.join(" < "))
            }
            CrashKind::Internal(text) => format!("internal error: {}", scrub(text)),
            CrashKind::Signal { signal, frames } if frames.is_empty() => signal_name(*signal),
            CrashKind::Signal { signal, frames } => {
                format!("{}: {}", signal_name(*signal), frames.join(" < "))
            }
            CrashKind::FatalExit(code) => format!("exit code {code}"),
        }
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.signature())
    }
}

/// The name of a signal: `SIGSEGV`.
pub fn signal_name(signal: i32) -> String {
    nix::sys::signal::Signal::try_from(signal)
        .map_or_else(|_| format!("signal {signal}"), |s| s.as_str().to_owned())
}

/// What the signal by which a process ended says of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalMeaning {
    /// It failed: the processor or the program itself stopped it.
    Crash,
    /// A timer ran out: the kernel's limit of CPU time, or one that the program set for itself.
    Timeout,
    /// The kernel's way when memory runs out.
    Memory,
    /// Somebody else sent it, or a default action met a signal that has nothing to do with a fault.
    Outside,
}

/// What a signal says of the program that it ended.
pub fn signal_meaning(signal: i32) -> SignalMeaning {
    use nix::sys::signal::Signal;
    match Signal::try_from(signal) {
        Ok(
            Signal::SIGILL
            | Signal::SIGTRAP
            | Signal::SIGABRT
            | Signal::SIGBUS
            | Signal::SIGFPE
            | Signal::SIGSEGV
            | Signal::SIGSYS,
        ) => SignalMeaning::Crash,
        Ok(Signal::SIGALRM | Signal::SIGVTALRM | Signal::SIGPROF | Signal::SIGXCPU) => {
            SignalMeaning::Timeout
        }
        Ok(Signal::SIGKILL) => SignalMeaning::Memory,
        _ => SignalMeaning::Outside,
    }
}

/// Signals by which the processor stops a program that went wrong: SIGILL, SIGBUS, SIGFPE, SIGSEGV. No lack of support
/// explains them.
pub(crate) const FAULTS: [i32; 4] = [4, 7, 8, 11];

/// How many frames a signature keeps.
const FRAMES: usize = 4;

/// Finds the crash that a run's output and exit tell of. `patterns` are the profile's texts of internal errors.
pub fn find_crash(
    stdout: &str,
    stderr: &str,
    exit: Option<Exit>,
    patterns: &[String],
) -> Option<Crash> {
    let kind = sanitizer(stderr)
        .or_else(|| assertion(stderr))
        .or_else(|| assertion(stdout))
        .or_else(|| internal(stderr, patterns))
        .or_else(|| internal(stdout, patterns))
        .or_else(|| match exit {
            Some(Exit::Signal(signal)) if signal_meaning(signal) == SignalMeaning::Crash => {
                Some(CrashKind::Signal { signal, frames: trace_frames(stderr) })
            }
            _ => None,
        })?;
    Some(Crash { kind })
}

/// `Fatal failure within F at FILE:LINE` (cvc4, cvc5), `ASSERTION VIOLATION / File: / Line:` (z3),
/// `prog: FILE:LINE: F: Assertion ‘…’ failed.` (glibc), `assertion … failed at FILE:LINE`.
fn assertion(text: &str) -> Option<CrashKind> {
    let lines: Vec<&str> = text.lines().collect();
    for (i, line) in lines.iter().enumerate() {
        let after =
            |n: usize| lines[i + 1..].iter().map(|l| l.trim()).filter(|l| !l.is_empty()).nth(n);
        if line.contains("Fatal failure within") {
            let place = line.rsplit(" at ").next().unwrap_or(line);
            let text = [after(0), after(1)].into_iter().flatten().collect::<Vec<_>>().join(" ");
            return Some(CrashKind::Assertion { place: short_place(place), text });
        }
        if line.contains("ASSERTION VIOLATION") || line.contains("UNEXPECTED CODE WAS REACHED") {
            let field = |name: &str| {
                lines[i + 1..].iter().take(4).find_map(|l| l.trim().strip_prefix(name))
            };
            let place = match (field("File:"), field("Line:")) {
                (Some(file), Some(line)) => format!("{}:{}", file.trim(), line.trim()),
                _ => String::from("unknown place"),
            };
            let condition = lines[i + 1..].iter().take(5).map(|l| l.trim()).find(|l| {
                !l.is_empty()
                    && !l.starts_with("File:")
                    && !l.starts_with("Line:")
                    && !l.starts_with('(')
            });
            let text = condition.unwrap_or(line.trim()).to_owned();
            return Some(CrashKind::Assertion { place: short_place(&place), text });
        }
        if let Some(at) = line.find("Assertion `").or_else(|| line.find("Assertion '")) {
            let rest = &line[at + "Assertion `".len()..];
            if let Some(end) = rest.rfind("' failed") {
                let before = &line[..at];
                let place = before.split(": ").find(|p| is_place(p)).unwrap_or("unknown place");
                return Some(CrashKind::Assertion {
                    place: short_place(place),
                    text: rest[..end].to_owned(),
                });
            }
        }
        if let Some(rest) = line.trim().strip_prefix("Failed to verify:") {
            return Some(CrashKind::Assertion {
                place: String::from("verify"),
                text: rest.trim().to_owned(),
            });
        }
    }
    None
}

fn is_place(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(file, line)| {
        file.contains('.') && !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Keeps a path from `src/` on, so that the build directory does not count.
fn short_place(place: &str) -> String {
    let place = place.trim();
    match place.rfind("/src/") {
        Some(at) => place[at + 1..].to_owned(),
        None => place.trim_start_matches("./").trim_start_matches("../").to_owned(),
    }
}

fn internal(text: &str, patterns: &[String]) -> Option<CrashKind> {
    let line = text.lines().find(|l| patterns.iter().any(|p| l.contains(p.as_str())))?;
    Some(CrashKind::Internal(line.trim().to_owned()))
}

fn sanitizer(stderr: &str) -> Option<CrashKind> {
    // `==12==ERROR: AddressSanitizer: …`, at the start of a line.
    let report = |what: &str| {
        let lines = stderr.match_indices(what).map(|(at, _)| at);
        { lines }.find(|at| {
            let before = stderr[..*at].rsplit('\n').next().unwrap_or("");
            let number = before.strip_prefix("==").and_then(|b| b.strip_suffix("=="));
            number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    let at = report("ERROR: AddressSanitizer:").or_else(|| report("ERROR: LeakSanitizer:"));
    if let Some(at) = at.or_else(|| report("WARNING: MemorySanitizer:")) {
        let line = stderr[at..].lines().next().unwrap_or("");
        let what = line
            .splitn(3, ": ")
            .nth(2)
            .or_else(|| line.split("Sanitizer:").nth(1))
            .unwrap_or(line)
            .trim();
        let what = what.split(" on ").next().unwrap_or(what).trim();
        return Some(CrashKind::Sanitizer {
            what: scrub(what),
            frames: trace_frames(&stderr[at..]),
        });
    }
    let reports = stderr.lines().filter_map(|l| l.split_once(": runtime error: "));
    // File, line and column.
    let exact = |place: &str| place.rsplit_once(':').is_some_and(|(p, _)| is_place(p));
    let (place, what) = { reports }.find(|(place, _)| is_place(place) && exact(place))?;
    Some(CrashKind::Sanitizer { what: scrub(what), frames: vec![short_place(place)] })
}

/// Frames of a stack trace in text: `#0 0x… in f(int) file:12:3` (sanitizers, gdb), `f (x=1) at file:12`.
pub(crate) fn trace_frames(text: &str) -> Vec<String> {
    let mut frames = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        // A value such as `#b00` in what the solver printed is no frame.
        let number = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_digit());
        let Some(rest) = line.strip_prefix('#').filter(number) else {
            // A second stack (where memory was freed) follows a blank line; the first one names the bug.
            if line.is_empty() && !frames.is_empty() {
                break;
            }
            continue;
        };
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        let name = match rest.split_once(" in ") {
            Some((_, name)) => name,
            None => rest,
        };
        let end = name
            .find(['(', '<'])
            .or_else(|| name.find(" at "))
            .or_else(|| name.find(' '))
            .unwrap_or(name.len());
        let mut name = name[..end].trim().to_owned();
        if name.is_empty() || name == "??" || name.starts_with("0x") {
            // No symbol: module and offset are stable between runs of one binary.
            name = rest
                .rsplit_once('(')
                .map_or_else(String::new, |(_, m)| m.trim_end_matches(')').to_owned());
            name = name.rsplit('/').next().unwrap_or("").to_owned();
        }
        let plumbing = [
            "raise",
            "abort",
            "__GI_",
            "__pthread_kill",
            "gsignal",
            "__assert_fail",
            "pthread_kill",
        ];
        if name.is_empty() || plumbing.iter().any(|p| name.starts_with(p)) {
            continue;
        }
        frames.push(name);
        if frames.len() == FRAMES {
            break;
        }
    }
    frames
}

/// Removes what changes from run to run: hexadecimal addresses, long numbers, places in the script, paths under `/proc` and temporary folders.
pub(crate) fn scrub(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut place = false;
    for (i, word) in text.split_whitespace().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        if bare.starts_with("0x") && bare.len() > 4 {
            out.push_str("<address>");
        } else if bare.starts_with("/proc/") || bare.starts_with("/tmp/") {
            out.push_str("<path>");
        } else if bare.len() > 9 && bare.bytes().all(|b| b.is_ascii_digit())
            || place && bare.bytes().all(|b| b.is_ascii_digit())
        {
            out.push_str("<number>");
        } else {
            out.push_str(word);
        }
        // A place in the script, not in the solver.
        place = matches!(bare, "line" | "column");
    }
    let mut end = out.len().min(300);
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    out.truncate(end);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breakdowns() {
        let check = |kind: CrashKind, expect: bool| {
            let crash = Crash { kind };
            assert_eq!(crash.is_breakdown(), expect, "{crash}");
        };
        let signal = |signal| CrashKind::Signal { signal, frames: Vec::new() };
        for fault in [4, 7, 8, 11] {
            check(signal(fault), true);
        }
        check(signal(6), false);
        check(CrashKind::Assertion { place: String::from("a:1"), text: String::new() }, true);
        check(CrashKind::Sanitizer { what: String::from("leak"), frames: Vec::new() }, true);
        check(CrashKind::Internal(String::from("internal error")), false);
        check(CrashKind::FatalExit(139), false);
    }

    fn check(stderr: &str, exit: Option<Exit>, expect: Option<&str>) {
        let patterns =
            vec![String::from("Unreachable code reached"), String::from("INTERNAL ERROR")];
        let got = find_crash("", stderr, exit, &patterns).map(|c| c.signature());
        assert_eq!(got.as_deref(), expect, "{stderr}");
    }

    #[test]
    fn signatures() {
        let abort = Some(Exit::Signal(6));
        check(
            "Fatal failure within void cvc5::F(int) at /build/cvc5-1.0.3/src/theory/x.cpp:12\nCheck failure\n\n a == 0x7ffdeadbeef\n",
            abort,
            Some("assertion src/theory/x.cpp:12: Check failure a == <address>"),
        );
        check(
            "ASSERTION VIOLATION\nFile: ../src/ast/ast.cpp\nLine: 388\nm_ref_count > 0\n(C)ontinue, (A)bort, (S)top\n",
            abort,
            Some("assertion src/ast/ast.cpp:388: m_ref_count > 0"),
        );
        check(
            "ASSERTION VIOLATION\nFile: ../src/a.cpp\nLine: 1\nUNREACHABLE CODE WAS REACHED.\n",
            Some(Exit::Code(114)),
            Some("assertion src/a.cpp:1: UNREACHABLE CODE WAS REACHED."),
        );
        check(
            "solver: src/core/a.cpp:77: void f(int): Assertion `x > 0' failed.\n",
            abort,
            Some("assertion src/core/a.cpp:77: x > 0"),
        );
        check(
            "x\nUnreachable code reached in foo\n",
            abort,
            Some("internal error: Unreachable code reached in foo"),
        );
        check(
            "(error \"line 113 column 69: INTERNAL ERROR\")\n",
            None,
            Some("internal error: (error \"line <number> column <number> INTERNAL ERROR\")"),
        );
        check("", Some(Exit::Signal(11)), Some("SIGSEGV"));
        check("", Some(Exit::Code(1)), None);
        check(
            "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200 at pc 0x55\nREAD of size 4\n    #0 0x4f in smt::context::f(int) /b/src/smt/c.cpp:1:2\n    #1 0x4e in main /b/m.cpp:3\n\nfreed by\n    #0 0x1 in free\n",
            abort,
            Some("sanitizer heap-use-after-free: smt::context::f < main"),
        );
        check(
            "/b/src/util/r.cpp:9:14: runtime error: signed integer overflow: 2147483647 + 1\n",
            Some(Exit::Code(0)),
            Some("sanitizer signed integer overflow: <number> + 1: src/util/r.cpp:9:14"),
        );
    }

    /// What only sounds like a sanitizer's report.
    #[test]
    fn no_reports() {
        for words in [
            "script.smt2:12: runtime error: limits are soft\n",
            "note: built with ERROR: AddressSanitizer: support\n",
            "== ERROR: AddressSanitizer: none\n",
            "warning: runtime error: none\n",
        ] {
            check(words, Some(Exit::Code(0)), None);
        }
    }

    #[test]
    fn bare_signals() {
        let crash = |signal: i32, frames: &[&str]| Crash {
            kind: CrashKind::Signal {
                signal,
                frames: frames.iter().map(|f| (*f).to_owned()).collect(),
            },
        };
        let (bare, one, two) = (crash(11, &[]), crash(11, &["f"]), crash(11, &["g"]));
        assert!(bare.is_bare() && !one.is_bare());
        assert!(bare.resembles(&one) && one.resembles(&bare) && one.resembles(&one));
        assert!(!one.resembles(&two) && !bare.resembles(&crash(6, &[])));
    }

    #[test]
    fn gdb_frames() {
        let trace = "#0  0x00007 in raise () from /lib/libc.so\n#1  0x00 in abort ()\n#2  smt::theory_seq::propagate (this=0x1) at ../src/x.cpp:1\n#3  0x00 in ?? () \n#4  0x00 in main ()\n";
        assert_eq!(trace_frames(trace), ["smt::theory_seq::propagate", "main"]);
        // gdb's output holds the solver's, too.
        let model = "(define-fun x () (_ BitVec 2)\n    #b00)\n)\n\n";
        assert_eq!(trace_frames(&(model.to_owned() + trace)), trace_frames(trace));
    }
}
