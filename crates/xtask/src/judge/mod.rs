//! The judges: solvers that are asked for the value of ground terms, thousands per process.

pub mod install;
mod session;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::generate::PRELUDE;
use session::{Reply, Session};

/// How a judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By its simplifier: a term that the standard leaves open stays as it is.
    Simplify,
    /// By full checks: of a Bool term and of its negation, of which one must be unsatisfiable; else of
    /// `(= c t)`, and the value of `c`.
    Solve,
}

/// An answer, before it is read as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Some term.
    Text(String),
    /// `c = t`, or both a term and its negation, was called unsatisfiable.
    Unsat,
    /// The judge could not decide.
    Unknown,
    /// The term was not accepted.
    Rejected(String),
    /// The process ended.
    Died(String),
    /// No answer within the time.
    TimedOut,
}

/// Which solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JudgeName {
    /// z3, the binary.
    Z3,
    /// cvc5, by its Python module.
    Cvc5,
    /// bitwuzla, by its Python module.
    Bitwuzla,
}

/// A solver that is asked.
pub struct Judge {
    /// Which.
    pub kind: JudgeName,
    program: PathBuf,
    session: Option<Session>,
    asked: usize,
    /// Everything that the present process was asked, to repeat a fault that depends on it.
    transcript: String,
    /// How often a process was started, and how long it was waited for in all.
    pub effort: (u32, Duration),
}

/// A process is replaced after so many terms, to bound its memory.
const RENEW: usize = 20_000;

const Z3_OPENING: &str = "\
(set-option :pp.max_depth 4000000000)
(set-option :pp.min_alias_size 4000000000)
(set-option :pp.single_line true)
(set-option :timeout 300)
";

impl Judge {
    /// A judge; for z3 the program is the binary, for the others a Python with the module.
    pub fn new(kind: JudgeName, program: PathBuf) -> Self {
        let effort = (0, Duration::ZERO);
        Self { kind, program, session: None, asked: 0, transcript: String::new(), effort }
    }

    /// Its name in tables.
    pub fn name(&self) -> &'static str {
        match self.kind {
            JudgeName::Z3 => "z3",
            JudgeName::Cvc5 => "cvc5",
            JudgeName::Bitwuzla => "bitwuzla",
        }
    }

    fn start(&self) -> Result<Session> {
        let mut command = Command::new(&self.program);
        let one_line = PRELUDE.replace('\n', " ");
        let opening = match self.kind {
            JudgeName::Z3 => {
                command.args(["-in", "-memory:6000"]);
                format!("{Z3_OPENING}{PRELUDE}(echo \"@ready\")\n")
            }
            JudgeName::Cvc5 => {
                command.arg("-c").arg(include_str!("../../hosts/cvc5_host.py"));
                format!("d {one_line}\n")
            }
            JudgeName::Bitwuzla => {
                command.arg("-c").arg(include_str!("../../hosts/bitwuzla_host.py"));
                String::new()
            }
        };
        Session::start(command, &opening)
    }

    /// Asks for the values of terms, each with the text of its sort. One answer per term, whatever happens.
    pub fn ask(&mut self, terms: &[(&str, &str)], mode: Mode) -> Result<Vec<Answer>> {
        let mut answers: Vec<Answer> = Vec::with_capacity(terms.len());
        let start = Instant::now();
        while answers.len() < terms.len() {
            if self.session.is_none() || self.asked > RENEW {
                self.session = Some(self.start()?);
                self.asked = 0;
                self.transcript.clear();
                self.effort.0 += 1;
            }
            let rest = &terms[answers.len()..];
            let text = self.request(rest, mode);
            let Some(session) = &mut self.session else { continue };
            let patience = Duration::from_secs(if mode == Mode::Simplify { 2 } else { 4 });
            let (replies, alive) = session.ask(text, rest.len(), patience);
            self.asked += replies.len();
            for (reply, one) in replies.into_iter().zip(rest) {
                let answer = read_reply(reply);
                let request = self.request(std::slice::from_ref(one), mode);
                self.transcript.push_str(&request);
                if matches!(answer, Answer::Died(_) | Answer::Unsat) {
                    self.keep_transcript()?;
                }
                answers.push(answer);
            }
            if !alive {
                self.session = None;
            }
        }
        self.effort.1 += start.elapsed();
        Ok(answers)
    }

    /// Keeps what led to a fault: the last line is the request that failed.
    fn keep_transcript(&self) -> Result<()> {
        let folder = install::target_dir().join("agree/transcripts");
        std::fs::create_dir_all(&folder)?;
        let n = std::fs::read_dir(&folder)?.count();
        let opening = match self.kind {
            JudgeName::Z3 => format!("{Z3_OPENING}{PRELUDE}"),
            JudgeName::Cvc5 => format!("d {}\n", PRELUDE.replace('\n', " ")),
            JudgeName::Bitwuzla => String::new(),
        };
        let text = format!("{opening}{}", self.transcript);
        std::fs::write(folder.join(format!("{}-{n}.txt", self.name())), text)?;
        Ok(())
    }

    fn request(&self, terms: &[(&str, &str)], mode: Mode) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        for (k, (term, sort)) in terms.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = match (self.kind, mode) {
                (JudgeName::Z3, Mode::Simplify) => {
                    writeln!(text, "(echo \"@{k}\")\n(simplify {term})")
                }
                (JudgeName::Z3, Mode::Solve) if *sort == "Bool" => writeln!(
                    text,
                    "(echo \"@{k}\")\n(push)\n(assert {term})\n(check-sat)\n(pop)\n\
                     (push)\n(assert (not {term}))\n(check-sat)\n(pop)"
                ),
                (JudgeName::Z3, Mode::Solve) => writeln!(
                    text,
                    "(echo \"@{k}\")\n(push)\n(declare-const answer! {sort})\n\
                     (assert (= answer! {term}))\n(check-sat)\n(get-value (answer!))\n(pop)"
                ),
                (_, Mode::Simplify) => writeln!(text, "s {k} {term}"),
                (_, Mode::Solve) => writeln!(text, "v {k} {term}"),
            };
        }
        text.push_str(if self.kind == JudgeName::Z3 { "(echo \"@end\")\n" } else { "e\n" });
        text
    }
}

fn read_reply(reply: Reply) -> Answer {
    let text = match reply {
        Reply::Text(t) => t,
        Reply::Died(why) => return Answer::Died(why),
        Reply::TimedOut => return Answer::TimedOut,
    };
    let text = text.trim();
    if let Some(value) = text.strip_prefix("sat\n((answer! ") {
        let value = value.trim_end().strip_suffix("))").unwrap_or(value);
        return Answer::Text(value.to_owned());
    }
    let first = text.lines().next().unwrap_or_default();
    if text.contains("(error") {
        let timeout = ["canceled", "timeout", "max. resource"].iter().any(|w| text.contains(w));
        return if timeout { Answer::Unknown } else { Answer::Rejected(text.to_owned()) };
    }
    match text {
        "unsat\nunsat" => return Answer::Unsat,
        "unsat\nsat" | "unsat\nunknown" => return Answer::Text("false".into()),
        "sat\nunsat" | "unknown\nunsat" => return Answer::Text("true".into()),
        "sat\nsat" | "unknown\nsat" | "sat\nunknown" | "unknown\nunknown" => {
            return Answer::Unknown;
        }
        _ => {}
    }
    match first {
        "unsat" | "(unsat)" => Answer::Unsat,
        "unknown" | "(unknown)" | "" => Answer::Unknown,
        _ => Answer::Text(text.to_owned()),
    }
}
