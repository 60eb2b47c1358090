//! Tests of texts by commands and solvers that a person names.

use std::path::PathBuf;
use std::time::Duration;

use smelt_solver::{
    Answer, Cancel, Exit, Launcher, Limits, Mode, Ran, RunError, Script, run_command,
};

use super::generic::Test;
use crate::target::Target;

/// A command that is run on a text.
pub struct CommandTest<'a> {
    /// Starts it.
    pub launcher: &'a Launcher,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Where it runs.
    pub folder: PathBuf,
    /// CPU time of a run.
    pub cpu: Duration,
    /// Ends every wait.
    pub cancel: &'a Cancel,
    /// The exit code that it must have; a signal counts as 128 more than its number, as in a shell.
    pub exit: Option<i32>,
    /// What its output must contain.
    pub out: Option<String>,
    /// What its standard error must contain.
    pub err: Option<String>,
}

impl CommandTest<'_> {
    /// Runs it.
    pub fn run(&self, text: &str) -> Result<Ran, RunError> {
        let limits = Limits::cpu(self.cpu);
        run_command(self.launcher, &self.argv, text, &self.folder, &limits, Some(self.cancel))
    }
}

/// An exit as a shell tells it.
pub fn code(exit: Exit) -> i32 {
    match exit {
        Exit::Code(code) => code,
        Exit::Signal(signal) => 128 + signal,
    }
}

impl Test for CommandTest<'_> {
    fn holds(&self, text: &str) -> Result<bool, RunError> {
        let ran = self.run(text)?;
        // What a limit ended has not said that it holds.
        let Some(exit) = ran.exit else { return Ok(false) };
        let ends = self.exit.is_none_or(|wanted| wanted == code(exit));
        let says =
            |wanted: &Option<String>, said: &str| wanted.as_ref().is_none_or(|w| said.contains(w));
        Ok(ends && says(&self.out, &ran.stdout) && says(&self.err, &ran.stderr))
    }
}

/// Two solvers that must answer in different ways, as they do on the first text.
pub struct Compare<'a> {
    /// Both.
    pub solvers: [&'a Target; 2],
    /// CPU time of a run.
    pub cpu: Duration,
    /// Ends every wait.
    pub cancel: &'a Cancel,
    /// The kinds of answers (`sat`, `unknown`, `crash` …) that they must give.
    pub kinds: [Vec<&'static str>; 2],
}

impl<'a> Compare<'a> {
    /// Two solvers, with the answers that they give to a text; `None` if these do not differ.
    pub fn new(
        solvers: [&'a Target; 2],
        cpu: Duration,
        cancel: &'a Cancel,
        text: &str,
    ) -> Result<Option<Self>, RunError> {
        let mut it = Self { solvers, cpu, cancel, kinds: [Vec::new(), Vec::new()] };
        it.kinds = [it.kinds_of(0, text)?, it.kinds_of(1, text)?];
        Ok((it.kinds[0] != it.kinds[1]).then_some(it))
    }

    /// What one of them says to a text, as kinds of answers.
    fn kinds_of(&self, which: usize, text: &str) -> Result<Vec<&'static str>, RunError> {
        let mode = Mode::default();
        let outcome =
            self.solvers[which].run_cold(&Script::new(text), &mode, self.cpu, self.cancel)?;
        Ok(outcome.answers().map(Answer::kind).collect())
    }
}

impl Test for Compare<'_> {
    fn holds(&self, text: &str) -> Result<bool, RunError> {
        // The second one need not be asked where the first one says something else.
        Ok(self.kinds_of(0, text)? == self.kinds[0] && self.kinds_of(1, text)? == self.kinds[1])
    }
}

/// A solver that must take so many times as long as another one, which must answer.
pub struct Slower<'a> {
    /// The slow one.
    pub slow: &'a Target,
    /// The other one.
    pub fast: &'a Target,
    /// How many times as long.
    pub factor: f64,
    /// CPU time of a run of the slow one.
    pub cpu: Duration,
    /// Ends every wait.
    pub cancel: &'a Cancel,
}

impl Slower<'_> {
    /// CPU time of the fast one and of the slow one, the better of two runs each; `None` if the fast one does not answer.
    pub fn times(&self, text: &str) -> Result<Option<(Duration, Duration)>, RunError> {
        let run = |who: &Target| -> Result<(Duration, bool), RunError> {
            let mut best: Option<(Duration, bool)> = None;
            for _ in 0..2 {
                let outcome =
                    who.run_cold(&Script::new(text), &Mode::default(), self.cpu, self.cancel)?;
                let answered = outcome.answer().and_then(Answer::decided).is_some();
                let timed_out = matches!(outcome.answer(), Some(Answer::Timeout(_)));
                let took = (outcome.cpu, answered);
                best = Some(best.map_or(took, |b| if took.0 < b.0 { took } else { b }));
                if timed_out {
                    break;
                }
            }
            Ok(best.unwrap_or_default())
        };
        let (fast, answered) = run(self.fast)?;
        if !answered {
            return Ok(None);
        }
        Ok(Some((fast, run(self.slow)?.0)))
    }
}

impl Test for Slower<'_> {
    fn holds(&self, text: &str) -> Result<bool, RunError> {
        let Some((fast, slow)) = self.times(text)? else { return Ok(false) };
        // Milliseconds are the start of a process.
        let least = fast.max(Duration::from_millis(10));
        Ok(slow.as_secs_f64() >= self.factor * least.as_secs_f64())
    }
}
