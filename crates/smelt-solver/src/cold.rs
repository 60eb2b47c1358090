//! Cold runs: a fresh process for one script. The truth for findings.

use std::cell::Cell;
use std::time::{Duration, Instant};

use nix::unistd::Pid;

use crate::admit;
use crate::ask::{self, Question};
use crate::classify::{self, Ending, KilledFor};
use crate::events;
use crate::launcher::{Done, Killed, Request, ScriptWay};
use crate::limits::{Cancel, Limits, Requests, Setup};
use crate::outcome::{Answer, Check, Exit, Limit, Outcome, RunError};
use crate::process::{Capture, Input, Process, Wait, Wake};
use crate::profile::{ColdInput, MemoryLimit};
use crate::script::Script;
use crate::sexpr;
use crate::signature::{Crash, CrashKind, SignalMeaning, signal_meaning};
use crate::solver::Solver;

thread_local! {
    /// CPU time of the cold runs of this thread.
    static CPU: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// CPU time of all cold runs that this thread has waited for, whoever asked for them: a thread has its own time on a clock of the kernel's,
/// and this is that of the processes it had started.
pub fn cold_cpu() -> Duration {
    CPU.get()
}

/// Whether the process died and did not say why.
fn silent_crash(outcome: &Outcome) -> bool {
    outcome.crash.as_ref().is_some_and(Crash::is_silent)
}

impl Solver {
    /// Runs a script in a fresh process with its own process group, limits and empty standard input, and leaves nothing
    /// behind. What is asked for goes behind the checks of the same run; where a refusal could end the solver, a second run
    /// asks for just what the answers of the first allow.
    pub fn run_cold(
        &self,
        script: &Script,
        setup: &Setup,
        requests: Requests,
        cancel: Option<&Cancel>,
    ) -> Result<Outcome, RunError> {
        let sent = match admit::sent(self, script) {
            Ok(sent) => sent,
            Err(outcome) => return Ok(*outcome),
        };
        let setup = self.within_memory(setup);
        let mut outcome = self.run_sent(&sent.script, &setup, requests, cancel)?;
        outcome.unsent = sent.unsent;
        Ok(outcome)
    }

    /// Runs a script that may reach the solver as it is.
    fn run_sent(
        &self,
        script: &Script,
        setup: &Setup,
        requests: Requests,
        cancel: Option<&Cancel>,
    ) -> Result<Outcome, RunError> {
        let profile = self.profile();
        let last = script.checks().saturating_sub(1);
        let wanted: Vec<Question> =
            Question::ALL.into_iter().filter(|q| q.wanted(requests, profile)).collect();
        let speculative = |k: usize| -> Vec<Question> {
            match (profile.survives_refusal, k == last) {
                (true, _) => wanted.clone(),
                (false, true) => wanted.iter().take(1).copied().collect(),
                (false, false) => Vec::new(),
            }
        };
        let mut outcome = self.run_with_memory(script, setup, &speculative, cancel)?;
        let missing = |checks: &[Check], k: usize| -> Vec<Question> {
            let Some(check) = checks.get(k) else { return Vec::new() };
            wanted.iter().copied().filter(|q| q.due(&check.answer) && !q.answered(check)).collect()
        };
        let asked = |k: usize, q: Question| {
            profile.survives_refusal || (k == last && wanted.first() == Some(&q))
        };
        let again = (0..outcome.checks.len())
            .any(|k| missing(&outcome.checks, k).iter().any(|q| !asked(k, *q)));
        if again {
            let asking = |k| missing(&outcome.checks, k);
            let second = self.run_with_memory(script, setup, &asking, cancel)?;
            // What it was not asked at first may be what ends it; by an exit code it may only say that it has no answer to that.
            let is_code = |c: &Crash| matches!(c.kind, CrashKind::FatalExit(_));
            outcome.crash = outcome.crash.or(second.crash.filter(|c| !is_code(c)));
            for (first, second) in outcome.checks.iter_mut().zip(second.checks) {
                // A solver that answers otherwise the second time gets no model from it.
                if first.answer.kind() == second.answer.kind()
                    || matches!(first.answer, Answer::Unknown(None))
                {
                    *first = Check {
                        model: first.model.take().or(second.model),
                        core: first.core.take().or(second.core),
                        complaint: first.complaint.take().or(second.complaint),
                        ..second
                    };
                }
            }
        }
        Ok(outcome)
    }

    /// Runs a script once, or again where a silent death may be lack of memory: who crashes only within the limit of address space
    /// has run out of memory.
    fn run_with_memory(
        &self,
        script: &Script,
        setup: &Setup,
        questions: &dyn Fn(usize) -> Vec<Question>,
        cancel: Option<&Cancel>,
    ) -> Result<Outcome, RunError> {
        let run = |setup| self.run_once(script, setup, questions, cancel);
        let mut outcome = run(setup)?;
        if silent_crash(&outcome) && self.address_space(&setup.limits).is_some() {
            // Not every program says so when it gets no memory: does it crash where there is some?
            let limits = Limits { resident: true, ..setup.limits.clone() };
            let roomy = Setup { limits, ..setup.clone() };
            let other = run(&roomy)?;
            if other.crash.is_some() && !silent_crash(&other) {
                // There it says why.
                outcome = other;
            } else if other.crash.is_none()
                && silent_crash(&run(setup)?)
                && run(&roomy)?.crash.is_none()
            {
                outcome.crash = None;
                if let Some(check) = outcome.checks.last_mut()
                    && matches!(check.answer, Answer::Crash(_))
                {
                    check.answer = Answer::OutOfMemory;
                }
            }
        }
        Ok(outcome)
    }

    /// The bound of the address space, if there is one.
    fn address_space(&self, limits: &Limits) -> Option<u64> {
        let by_space = self.profile().memory == MemoryLimit::AddressSpace && !limits.resident;
        limits.memory.filter(|_| by_space)
    }

    fn run_once(
        &self,
        script: &Script,
        setup: &Setup,
        questions: &dyn Fn(usize) -> Vec<Question>,
        cancel: Option<&Cancel>,
    ) -> Result<Outcome, RunError> {
        let profile = self.profile();
        let limits = &setup.limits;
        let nonce = ask::nonce();
        let text = self.prelude(setup).to_owned() + &with_questions(script, &nonce, questions);
        let argv = self.cold_command(setup, script);
        let way = match self.cold_input() {
            ColdInput::File => ScriptWay::Path,
            ColdInput::TempFile => ScriptWay::TempFile,
            ColdInput::Stdin => ScriptWay::None,
        };
        let request = Request {
            argv: argv.clone(),
            script: way,
            cpu: limits.cpu,
            wall: Some(limits.wall),
            address_space: self.address_space(limits),
            rss: limits.memory,
            folder: None,
            env: Vec::new(),
            confinement: self.confinement(),
        };
        let input = if way == ScriptWay::None { Input::Stdin(&text) } else { Input::File(&text) };
        let begun = Instant::now();
        let mut process = Process::start(&self.launcher, &request, input, cancel)?;
        let (mut stdout, mut stderr) = (Capture::default(), Capture::default());
        let wait = Wait {
            // The launcher keeps the wall limit; this is for a launcher that is stopped or starved.
            until: Instant::now() + limits.wall + Duration::from_secs(20),
            output: limits.output,
            cancel,
        };
        let wake = process.pump(&mut &[][..], &mut stdout, &mut stderr, &wait, |_| false)?;
        let (done, flood) = match wake {
            Wake::Over(done) => (done, false),
            Wake::Flood => (process.kill()?, true),
            Wake::Deadline | Wake::Ready => (process.kill()?, false),
        };
        process.read_rest(&mut stdout, &mut stderr, limits.output);
        let (launcher, solver) = (process.launcher_id(), process.pid);
        drop(process);
        CPU.set(CPU.get() + done.cpu);
        let mut ending = ending(done, flood || stdout.cut, matches!(wake, Wake::Deadline));
        let stdout = without_path(&stdout.text(), launcher, solver);
        let stderr = without_path(&stderr.text(), launcher, solver);
        let (pieces, responses) = ask::split_responses(&stdout, &nonce);
        ending.refused = responses.iter().any(|(_, _, text)| ask::refused(text));
        let last = responses.last().filter(|(_, _, text)| ask::refused(text));
        ending.refused_behind = last.map(|(k, _, _)| k + 1);
        let mut events = events::events_of(&pieces, profile);
        events::forgive(&mut events, &stderr, profile);
        let reading =
            classify::read(profile, &events, &stderr, Some(ending), script.checks(), Vec::new());
        let mut checks = reading.checks;
        for (k, question, response) in responses {
            if let Some(check) = checks.get_mut(k).filter(|c| question.due(&c.answer)) {
                ask::store(profile, check, question, &response);
            }
        }
        Ok(Outcome {
            checks,
            errors: reading.errors,
            crash: reading.crash,
            stdout: pieces.into_iter().map(|p| p.text).collect(),
            stderr,
            exit: ending.exit,
            cpu: done.cpu,
            overhead_cpu: Duration::ZERO,
            wall: begun.elapsed(),
            peak_rss: done.peak_rss,
            warm: false,
            command: argv,
            ..Outcome::default()
        })
    }
}

/// The script with questions behind its checks.
fn with_questions(
    script: &Script,
    nonce: &str,
    questions: impl Fn(usize) -> Vec<Question>,
) -> String {
    let (segments, rest) = script.segments();
    let mut text = String::with_capacity(script.text().len() + 256);
    for (k, segment) in segments.iter().enumerate() {
        let mut from = 0;
        let resets = sexpr::items(segment).filter(|i| script.resets() && i.head() == "reset");
        for reset in resets {
            let [before, behind] = ask::reset_markers(nonce, k).map(|m| ask::echo(&m));
            text.push_str(&segment[from..reset.start]);
            text.push_str(&format!("\n{before}{}\n{behind}", reset.text));
            from = reset.end();
        }
        text.push_str(&segment[from..]);
        text.push('\n');
        for question in questions(k) {
            text.push_str(&ask::echo(&ask::question_marker(nonce, k, question)));
            text.push_str(question.command());
            text.push('\n');
        }
        text.push_str(&ask::echo(&ask::end_marker(nonce, k)));
    }
    text.push_str(rest);
    text.push('\n');
    text
}

/// Replaces the script's path, which is another one in every run, so that messages of one bug stay the same.
pub(crate) fn without_path(text: &str, launcher: u32, solver: Pid) -> String {
    let memory = format!("/proc/{solver}/fd/");
    let temporary = crate::launcher::temp_path(launcher);
    let script = temporary.with_extension("smt2");
    let mut text = text.replace(&*script.to_string_lossy(), "script.smt2");
    let folder = temporary.with_extension("run");
    text = text.replace(&*folder.to_string_lossy(), "folder");
    while let Some(at) = text.find(&memory) {
        let digits = text[at + memory.len()..].bytes().take_while(u8::is_ascii_digit).count();
        text.replace_range(at..at + memory.len() + digits, "script.smt2");
    }
    text
}

/// SIGXCPU, by which the kernel ends a process at its limit of CPU time.
const XCPU: i32 = 24;

/// Translates the launcher's report.
pub(crate) fn ending(done: Done, flood: bool, stuck: bool) -> Ending {
    let exit = match (done.code, done.signal) {
        (Some(code), _) => Some(Exit::Code(code)),
        (None, Some(signal)) => Some(Exit::Signal(signal)),
        (None, None) => None,
    };
    let killed = match done.killed {
        _ if flood => Some(KilledFor::Output),
        _ if stuck => Some(KilledFor::Limit(Limit::Wall)),
        Some(Killed::Cpu) => Some(KilledFor::Limit(Limit::Cpu)),
        Some(Killed::Wall) => Some(KilledFor::Limit(Limit::Wall)),
        Some(Killed::Memory) => Some(KilledFor::Memory),
        Some(Killed::Asked) => Some(KilledFor::Limit(Limit::Wall)),
        None => match done.signal.map(|s| (s, signal_meaning(s))) {
            // The kernel's CPU limit stands behind the polled one.
            Some((XCPU, _)) => Some(KilledFor::Limit(Limit::Cpu)),
            Some((_, SignalMeaning::Timeout)) => Some(KilledFor::Limit(Limit::Solver)),
            // Nobody of ours sent SIGKILL.
            Some((_, SignalMeaning::Memory)) => Some(KilledFor::Memory),
            Some((signal, SignalMeaning::Outside)) => Some(KilledFor::Outside(signal)),
            Some((_, SignalMeaning::Crash)) | None => None,
        },
    };
    Ending { exit, killed, ..Ending::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_scripts_do_not_reach_messages() {
        assert_eq!(
            without_path("Parse Error: /proc/12/fd/7:8.21: x /proc/12/fd/7", 11, Pid::from_raw(12)),
            "Parse Error: script.smt2:8.21: x script.smt2"
        );
        assert_eq!(without_path("/proc/13/fd/7", 13, Pid::from_raw(12)), "/proc/13/fd/7");
    }

    /// Signals that say nothing of the solver are no crash of it.
    #[test]
    fn signals() {
        let check = |signal: i32, expect: &str| {
            let done = Done {
                code: None,
                signal: Some(signal),
                cpu: Duration::ZERO,
                peak_rss: 0,
                killed: None,
            };
            let profiles = crate::profile::Profiles::embedded();
            let profile = profiles.get("z3").unwrap();
            let end = Some(ending(done, false, false));
            let reading = classify::read(profile, &[], "", end, 1, Vec::new());
            let crash = reading.crash.map_or(String::new(), |c| format!(" [{c}]"));
            assert_eq!(format!("{}{crash}", reading.checks[0].answer), expect, "{signal}");
        };
        for fault in [4, 5, 6, 7, 8, 11, 31] {
            let name = crate::signature::signal_name(fault);
            check(fault, &format!("crash ({name}) [{name}]"));
        }
        for timer in [14, 26, 27] {
            check(timer, "timeout (the solver's own limit)");
        }
        check(24, "timeout (CPU limit)");
        check(9, "out-of-memory");
        check(25, "unreadable (ended by SIGXFSZ: the sandbox lets it write no file)");
        for other in [1, 2, 3, 10, 12, 13, 15, 40] {
            let name = crate::signature::signal_name(other);
            check(other, &format!("unreadable (ended by {name}, from outside)"));
        }
    }
}
