//! Warm sessions: one solver process for many scripts, separated by `(reset)`.

mod ends;
mod live;

use std::time::{Duration, Instant};

use crate::admit;
use crate::ask::{self, Question};
use crate::classify::{self, Ending, Trouble};
use crate::events::{self, Event};
use crate::launcher::Request;
use crate::limits::{Cancel, Requests, Setup};
use crate::outcome::{Answer, Check, Limit, Outcome, RunError};
use crate::process::{Input, Process};
use crate::profile::{MemoryLimit, Profile};
use crate::script::Script;
use crate::signature::Crash;
use crate::solver::Solver;
use ends::Greeted;
use live::{Live, RSS_EVERY, Step};

/// How scripts are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Separation {
    /// By `(reset)`: each script finds the solver as it was at the start.
    #[default]
    Reset,
    /// By `(push 1)` and `(pop 1)`: cheaper, but the solver takes its incremental code path. A mode of its own, with its own
    /// bugs to find. The logic belongs to the session: a script with another one restarts it.
    PushPop,
}

/// When a session is restarted. It also is after every fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Scripts per process; `None` takes the profile's number.
    pub scripts: Option<u32>,
    /// Age of the process.
    pub age: Duration,
    /// Growth of resident memory since the first script, in bytes.
    pub growth: u64,
    /// How scripts are kept apart.
    pub separation: Separation,
    /// CPU time that a fresh process needs before it reads anything: cold runs get it beside their limit.
    pub start_up: Duration,
    /// Whether the first process ends behind its first script, so that a solver which dies at every end is noticed at once, and not
    /// with the first restart.
    pub early_end: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            scripts: None,
            age: Duration::from_secs(600),
            growth: 512 << 20,
            separation: Separation::Reset,
            start_up: Duration::ZERO,
            early_end: false,
        }
    }
}

/// A warm session. It never shares a process or any state with another one.
pub struct Session {
    solver: Solver,
    setup: Setup,
    policy: Policy,
    cancel: Option<Cancel>,
    command: Vec<String>,
    live: Option<Live>,
    restarts: u64,
    /// Processes in a row that did not come to their first answer.
    failures: u32,
    /// It keeps its answers back until its input ends.
    buffers: bool,
    last_transcript: String,
}

/// Longest transcript of one process; a session with more is restarted.
const TRANSCRIPT: usize = 64 << 20;

/// CPU and wall time for the start of a process, at least: it is no part of any script.
const START: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(20)];

/// Starts that fail before a session is given up.
const FAILURES: u32 = 3;

impl Session {
    /// A session; its process starts with the first script.
    pub fn new(solver: &Solver, setup: Setup, mut policy: Policy) -> Session {
        let mut setup = solver.within_memory(&setup);
        if solver.forgets_scopes() {
            policy.separation = Separation::Reset;
        }
        setup.incremental |= policy.separation == Separation::PushPop;
        let command = solver.warm_command(&setup);
        Session {
            solver: solver.clone(),
            setup,
            policy,
            cancel: None,
            command,
            live: None,
            restarts: 0,
            failures: 0,
            buffers: false,
            last_transcript: String::new(),
        }
    }

    /// Makes every wait of this session end when the token is cancelled.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Session {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Changes the limits of CPU and wall time from the next script on. (Others belong to the command line or the process, and
    /// stay as they are.)
    pub fn set_time(&mut self, cpu: Duration, wall: Duration) {
        self.setup.limits.cpu = Some(cpu);
        self.setup.limits.wall = wall;
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The key of the session: digest of the binary, and the whole command line with all options.
    pub fn key(&self) -> (String, Vec<String>) {
        (self.solver.hash().to_owned(), self.command.clone())
    }

    /// How many processes were started.
    pub fn starts(&self) -> u64 {
        self.restarts
    }

    /// Everything that was sent to the process that ran the last script, from its start on: the script of a session-dependent
    /// bug.
    pub fn transcript(&self) -> &str {
        match &self.live {
            Some(live) => &live.transcript,
            None => &self.last_transcript,
        }
    }

    /// Starts a process if there is none, and says why the solver cannot be kept running, if it cannot.
    fn trouble(&mut self) -> Result<Option<&'static str>, RunError> {
        let works = self.live.is_some() || self.start(None)?;
        Ok(match (works, self.buffers) {
            (true, _) => None,
            (false, true) => Some("it keeps its answers back until its input ends"),
            (false, false) => {
                Some("started to take one script after the other, it does not answer")
            }
        })
    }

    /// Whether this script would run in the warm process, or in a cold one.
    pub fn runs_warm(&self, script: &Script) -> bool {
        let plain = !script.incremental() && self.policy.separation == Separation::Reset;
        let starts = self.failures < FAILURES && !self.buffers;
        self.solver.warm().filter(|_| starts).is_some_and(|w| {
            (plain || !w.plain_only)
                && !w.not_for.iter().any(|t| script.text().contains(t.as_str()))
        }) && script.fits_warm()
            && script.checks() > 0
            && !(self.solver.forgets_scopes() && script.declares_behind_push())
            && (self.setup.incremental
                || !script.incremental()
                || self.solver.profile().incremental_args.is_empty())
            // A script that pushes may leave levels open, which the session's own pop does not close.
            && (self.policy.separation == Separation::Reset
                || !(script.incremental()
                    || script.mild_options()
                    || script.text().contains(":global-declarations")))
    }

    /// Runs a script, warm if it can be, else cold.
    pub fn run(&mut self, script: &Script, requests: Requests) -> Result<Outcome, RunError> {
        if !self.runs_warm(script) {
            return self.run_cold(script, requests);
        }
        let original = script;
        let admitted = match admit::sent(&self.solver, script) {
            Ok(sent) => sent,
            Err(outcome) => return Ok(*outcome),
        };
        let script = &*admitted.script;
        let begun = Instant::now();
        let bare;
        let (sent, logic) = match self.policy.separation {
            Separation::Reset => (script, None),
            Separation::PushPop => {
                if self.live.as_ref().is_some_and(|l| l.logic.as_deref() != script.logic()) {
                    self.stop();
                }
                bare = script.without_logic();
                (&bare, script.logic())
            }
        };
        if !self.make_ready(logic)? {
            return self.run_cold(original, requests);
        }
        let mut outcome = self.run_warm(sent, requests, begun);
        match &mut outcome {
            Ok(outcome) => outcome.unsent = admitted.unsent,
            Err(_) => self.stop(),
        }
        outcome
    }

    fn run_cold(&self, script: &Script, requests: Requests) -> Result<Outcome, RunError> {
        let limits = self.setup.limits.after_start(self.policy.start_up);
        let setup = Setup { limits, ..self.setup.clone() };
        let ran = self.solver.run_cold(script, &setup, requests, self.cancel.as_ref())?;
        Ok(ran.charge_start(self.policy.start_up))
    }

    /// Asks the solver one more thing about the last script, for example `(get-value (x))`. Only right after [`Session::run`]
    /// gave a warm outcome; `None` when there is no live process or it fails to answer.
    pub fn ask(&mut self, command: &str) -> Result<Option<String>, RunError> {
        let limits = self.setup.limits.clone();
        let Some(live) = &mut self.live else { return Ok(None) };
        let step = live.step(command, &limits, self.cancel.as_ref());
        let fragile = self.solver.warm().is_some_and(|w| w.exits_on_error);
        match step {
            Ok(Step { ended: None, text, .. }) => {
                if fragile && ask::refused(&text) {
                    self.stop();
                }
                Ok(Some(text))
            }
            Ok(_) => {
                self.stop();
                Ok(None)
            }
            Err(e) => {
                self.stop();
                Err(e)
            }
        }
    }

    /// Clears the last script away now, so that the solver works while the caller prepares the next one.
    pub fn prepare(&mut self) {
        if let Some(live) = self.live.as_mut().filter(|l| l.dirty) {
            let reset = separator(&self.policy, &self.solver);
            if !live.reset_sent && live.process.write_all_now(format!("{reset}\n").as_bytes()) {
                live.transcript.push_str(&reset);
                live.transcript.push('\n');
                live.reset_sent = true;
            }
        }
    }

    /// Ends the process, if there is one.
    pub fn stop(&mut self) {
        if let Some(live) = self.live.take() {
            self.last_transcript = live.transcript;
        }
    }

    /// Sees to it that a process stands at its starting state. False when the solver cannot be kept running.
    fn make_ready(&mut self, logic: Option<&str>) -> Result<bool, RunError> {
        if self.live.as_ref().is_some_and(|l| self.must_restart(l)) {
            self.stop();
        }
        if let Some(live) = self.live.as_mut().filter(|l| l.dirty) {
            let reset =
                if live.reset_sent { String::new() } else { separator(&self.policy, &self.solver) };
            let before = live.cpu_mark;
            let step = live.step(&reset, &self.setup.limits, self.cancel.as_ref())?;
            if step.ended.is_some() || step.text.contains("(error") {
                // It cannot go on after the last script, whose answer is known: start afresh.
                self.stop();
            } else {
                live.dirty = false;
                live.reset_sent = false;
                // From the end of the last script on: the reset may have been sent long before this step.
                live.overhead = live.cpu_mark.saturating_sub(before);
            }
        }
        if self.live.is_none() { self.start(logic) } else { Ok(true) }
    }

    fn must_restart(&self, live: &Live) -> bool {
        let count =
            self.policy.scripts.or(self.solver.warm().map(|w| w.restart_every)).unwrap_or(1);
        let grown = live.scripts.is_multiple_of(RSS_EVERY)
            && matches!((live.process.rss(), live.first_rss), (Some(now), Some(first)) if now > first + self.policy.growth);
        live.scripts >= count
            || live.process.started.elapsed() > self.policy.age
            || live.transcript.len() > TRANSCRIPT
            || grown
    }

    fn start(&mut self, logic: Option<&str>) -> Result<bool, RunError> {
        let limits = &self.setup.limits;
        let rss = self.solver.profile().memory == MemoryLimit::Rss;
        let request = Request {
            argv: self.command.clone(),
            address_space: limits.memory.filter(|_| !rss),
            rss: limits.memory.filter(|_| rss),
            confinement: self.solver.confinement(),
            ..Request::default()
        };
        let process =
            Process::start(&self.solver.launcher, &request, Input::Pipe, self.cancel.as_ref())?;
        self.restarts += 1;
        let mut live = Live::new(process, logic);
        let greeting = match self.policy.separation {
            Separation::Reset => String::new(),
            Separation::PushPop => {
                format!("{}(push 1)", logic.map_or(String::new(), |l| format!("(set-logic {l})")))
            }
        };
        // The first answer to a marker is the end of the start-up. A process that ends before (bad options, a missing
        // library) is no session; a cold run will tell what is wrong.
        let [cpu, wall] = START;
        let patient = crate::limits::Limits {
            cpu: limits.cpu.map(|c| c.max(cpu)),
            wall: limits.wall.max(wall),
            ..limits.clone()
        };
        let greeted = live.greet(&greeting, &patient, self.cancel.as_ref())?;
        if greeted != Greeted::Answered {
            self.buffers |= greeted == Greeted::Buffers;
            self.last_transcript = live.transcript;
            self.failures += 1;
            return Ok(false);
        }
        self.failures = 0;
        live.overhead = live.cpu_mark;
        self.live = Some(live);
        Ok(true)
    }

    fn run_warm(
        &mut self,
        script: &Script,
        requests: Requests,
        begun: Instant,
    ) -> Result<Outcome, RunError> {
        let profile = self.solver.profile().clone();
        let limits = self.setup.limits.clone();
        let Some(live) = self.live.as_mut() else {
            return Err(RunError::Launcher(String::from("no process")));
        };
        let overhead_cpu = live.begin_script();
        let mut run = Run::default();
        let (segments, rest) = script.segments();
        let prelude = self.solver.prelude(&self.setup);
        for (k, segment) in segments.iter().enumerate() {
            let text = if k == 0 && !prelude.is_empty() {
                format!("{prelude}{segment}")
            } else {
                (*segment).to_owned()
            };
            let step = live.step(&text, &limits, self.cancel.as_ref())?;
            let ended = step.ended;
            let wall_before = run.checks.len();
            run.take(&profile, &step, &live.stderr.text(), 1);
            if ended.is_some() {
                run.ended = ended;
                break;
            }
            if run.checks.len() == wall_before {
                // The process lives and has said all it has to say, but gave no answer.
                let noise = step.text.trim().chars().take(2000).collect();
                let answer = match run.troubles.first() {
                    Some(_) => {
                        classify::read(
                            &profile,
                            &[],
                            "",
                            Some(Ending::default()),
                            1,
                            run.troubles.clone(),
                        )
                        .checks
                        .remove(0)
                        .answer
                    }
                    None => Answer::Unreadable(noise),
                };
                run.checks.push(Check { cpu: step.cpu, ..Check::bare(answer) });
            }
            if let Some(check) = run.checks.last_mut() {
                for question in Question::ALL {
                    if question.wanted(requests, &profile)
                        && question.due(&check.answer)
                        && run.ended.is_none()
                    {
                        let step = live.step(question.command(), &limits, self.cancel.as_ref())?;
                        run.cpu += step.cpu.unwrap_or_default();
                        run.ended = step.ended;
                        run.text.push_str(&step.text);
                        run.refused |= ask::refused(&step.text);
                        ask::store(&profile, check, question, &step.text);
                        let crash =
                            step.ended.map(|e| last_words(&profile, e, &live.stderr.text()));
                        run.crash = run.crash.take().or(crash.flatten());
                    }
                }
            }
            if run.ended.is_some() {
                break;
            }
        }
        if run.ended.is_none() && !rest.trim().is_empty() {
            let step = live.step(rest, &limits, self.cancel.as_ref())?;
            run.ended = step.ended;
            run.take(&profile, &step, &live.stderr.text(), 0);
        }
        live.sample_memory();
        let stderr = std::mem::take(&mut live.stderr).text();
        let mut outcome = Outcome {
            checks: run.checks,
            errors: run.errors,
            crash: run.crash,
            stdout: run.text,
            stderr,
            exit: run.ended.and_then(|e| e.exit),
            cpu: run.cpu,
            overhead_cpu,
            wall: begun.elapsed(),
            peak_rss: live.peak_rss,
            warm: true,
            command: self.command.clone(),
            ..Outcome::default()
        };
        let fragile = self.solver.warm().is_some_and(|w| w.exits_on_error);
        let complained = run.refused || !run.troubles.is_empty();
        // A transcript without resets shows nothing of what comes behind an error.
        let spoilt = self.policy.separation == Separation::PushPop && !run.troubles.is_empty();
        let done = run.ended.is_some() || outcome.answers().any(is_fault);
        if done || spoilt || (fragile && complained) {
            self.stop();
        } else if self.must_end() {
            self.end(&profile, &mut outcome);
        }
        Ok(outcome)
    }

    /// Whether the script that was just run is the last one of its process.
    fn must_end(&self) -> bool {
        let first = self.policy.early_end && self.restarts == 1;
        self.live.as_ref().is_some_and(|live| first || self.must_restart(live))
    }

    /// Lets the process end as it does when its input ends. A crash there is one behind the last script.
    fn end(&mut self, profile: &Profile, outcome: &mut Outcome) {
        let Some(mut live) = self.live.take() else { return };
        self.last_transcript = std::mem::take(&mut live.transcript);
        if let Some((ending, stderr)) = live.leave(&self.setup.limits, self.cancel.as_ref()) {
            let crash = last_words(profile, ending, &stderr);
            outcome.crash = outcome.crash.take().or(crash);
            outcome.exit = ending.exit;
            outcome.stderr.push_str(&stderr);
        }
    }
}

impl Solver {
    /// Why a process of it cannot take one script after the other, if that is tried and fails: each script needs a process of its own
    /// then, see [`Solver::cold_only`].
    pub fn warm_trouble(&self, cancel: Option<&Cancel>) -> Result<Option<&'static str>, RunError> {
        if self.warm().is_none() {
            return Ok(None);
        }
        let mut session = Session::new(self, Setup::default(), Policy::default());
        session.cancel = cancel.cloned();
        session.trouble()
    }
}

/// The crash by which a process ended that owed no answer.
fn last_words(profile: &Profile, ending: Ending, stderr: &str) -> Option<Crash> {
    classify::read(profile, &[], stderr, Some(ending), 0, Vec::new()).crash
}

/// What a script has given so far.
#[derive(Default)]
struct Run {
    checks: Vec<Check>,
    errors: Vec<String>,
    troubles: Vec<Trouble>,
    crash: Option<Crash>,
    text: String,
    cpu: Duration,
    ended: Option<Ending>,
    /// A question was answered by an error.
    refused: bool,
}

impl Run {
    fn take(&mut self, profile: &Profile, step: &Step, stderr: &str, expected: usize) {
        let mut events = events::events(&step.text, profile);
        // A step that did not end the process ends with its marker.
        events.extend((expected > 0 && step.ended.is_none()).then_some(Event::Said(0)));
        // The logic is set at the start.
        if self.checks.is_empty() && self.troubles.is_empty() {
            events::forgive(&mut events, stderr, profile);
        }
        let reading =
            classify::read(profile, &events, stderr, step.ended, expected, self.troubles.clone());
        self.checks.extend(reading.checks.into_iter().map(|c| Check { cpu: step.cpu, ..c }));
        self.errors.extend(reading.errors);
        self.troubles.extend(classify::troubles(&events));
        self.crash = self.crash.take().or(reading.crash);
        self.text.push_str(&step.text);
        self.cpu += step.cpu.unwrap_or_default();
    }
}

/// Answers after which the process is not trusted any more.
fn is_fault(answer: &Answer) -> bool {
    match answer {
        Answer::Crash(_) | Answer::Unreadable(_) | Answer::OutOfMemory => true,
        Answer::Timeout(limit) => matches!(limit, Limit::Cpu | Limit::Wall),
        _ => false,
    }
}

fn separator(policy: &Policy, solver: &Solver) -> String {
    match policy.separation {
        Separation::Reset => {
            solver.warm().map_or_else(|| String::from("(reset)"), |w| w.reset.clone())
        }
        Separation::PushPop => String::from("(pop 1)(push 1)"),
    }
}
