//! A solver with all that is known about its release: the one way to print for it, run it and judge what it says.

mod observe;
mod own;
mod rounded;

use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::OpSet;
use smelt_eval::ModelOptions;
use smelt_smtlib::op::Theory;
use smelt_smtlib::{Fragment, LogicChoice, Naming, Op, PrintOptions, Reprinter, Script, print};
use smelt_solver::profile::Profile;
use smelt_solver::{
    Answer, Cancel, Capabilities, Home, Limits, Mode, OptionClass, OptionFuzzer, Outcome, Policy,
    RunError, Separation, Session, Solver, Version, Walls,
};
use smelt_triage::TargetId;

use self::rounded::rounded;
use crate::caveat::Caveat;
use crate::content::Content;

/// A solver, ready to be asked.
pub struct Target {
    /// Which one of its panel it is.
    pub(crate) id: TargetId,
    /// How to run it.
    pub solver: Solver,
    /// Name and version; a number too, if there are several of them.
    pub label: String,
    /// Name and version alone.
    pub name: String,
    /// How to name it on the command line, from any folder.
    pub spec: String,
    /// Operators that it takes and whose meaning in this release is the standard's.
    pub ops: OpSet,
    /// Where its word does not count.
    caveats: Vec<Caveat>,
    model: ModelOptions,
    naming: Naming,
    options: OptionFuzzer,
    /// Whether it gives unsat cores.
    pub has_cores: bool,
    /// Whether it was too slow to be asked for every operator: those that were not tried pass for supported.
    pub half_probed: bool,
    /// Why every script is run in a process of its own, if its profile says that one process takes many.
    pub cold_because: Option<&'static str>,
    /// CPU time that it needs for nothing: no script is charged with it.
    start_up: Duration,
}

impl Target {
    /// Examines a solver; its capabilities are probed once and remembered.
    pub fn new(
        home: &Home,
        solver: Solver,
        class: OptionClass,
        cancel: Option<&Cancel>,
    ) -> Result<Self, RunError> {
        Self::examined(home, solver, class, cancel, &|_| {})
    }

    /// Examines a solver; how many steps of the probe of its capabilities are done is told on the way.
    pub fn examined(
        home: &Home,
        solver: Solver,
        class: OptionClass,
        cancel: Option<&Cancel>,
        tell: &dyn Fn(usize),
    ) -> Result<Self, RunError> {
        let cold_because = solver.warm_trouble(cancel)?;
        let solver = if cold_because.is_some() { solver.cold_only() } else { solver };
        let known = Capabilities::of_telling(home, &solver, cancel, tell)?;
        Ok(Self { cold_because, ..Self::with(solver, class, Some(&known)) })
    }

    /// A solver that may be asked for help: with what is known of its capabilities, which is not found out now. Whoever takes it for
    /// one that has an operator gets a refusal, which is no verdict.
    pub fn helper(home: &Home, solver: Solver) -> Result<Self, String> {
        let start_up = Self::answers(&solver)?;
        let known = Capabilities::load(home, &solver);
        Ok(Self::with(solver, OptionClass::None, known.as_ref()).starting_in(start_up))
    }

    /// Whether a solver answers at all: to a check of nothing, in one of the logics that solvers have. The CPU time is what it
    /// needs to start: the less of two runs, since the first may have to read it from the disk. One that answers only without the
    /// sandbox is told apart.
    pub fn answers(solver: &Solver) -> Result<Duration, String> {
        Self::answers_here(solver).map_err(|why| {
            let free = solver.clone().within(Walls::NONE);
            // Nobody is slow because of the sandbox, and waiting again would take long.
            let walled = solver.walls().any() && !why.contains("answers timeout");
            match walled && Self::answers_here(&free).is_ok() {
                true => format!(
                    "it works only outside of the sandbox ({why}); --sandbox off runs it so"
                ),
                false => why,
            }
        })
    }

    fn answers_here(solver: &Solver) -> Result<Duration, String> {
        let mut why = String::new();
        for head in ["(set-logic QF_UF)\n", "(set-logic QF_BV)\n", "(set-logic QF_LRA)\n", ""] {
            let script = smelt_solver::Script::new(&format!("{head}(check-sat)\n"));
            let setup = Mode::default().setup(Limits::cpu(Duration::from_secs(10)));
            let run = || {
                let ran = solver.run_cold(&script, &setup, Mode::default().requests(), None);
                ran.map_err(|e| e.to_string())
            };
            let outcome = run()?;
            match outcome.answer() {
                Some(Answer::Sat | Answer::Unsat | Answer::Unknown(_) | Answer::DeltaSat) => {
                    return Ok(outcome.cpu.min(run()?.cpu));
                }
                answer if why.is_empty() => {
                    let said = answer.map_or("nothing".to_owned(), ToString::to_string);
                    let words = outcome.stderr.lines().chain(outcome.stdout.lines());
                    let words = words.map(str::trim).find(|l| !l.is_empty()).unwrap_or("nothing");
                    let words: String = words.chars().take(200).collect();
                    let said = if said.contains(&words) {
                        said
                    } else {
                        format!("{said}; it says {words:?}")
                    };
                    why = format!("to a script that only asks (check-sat) it answers {said}");
                }
                _ => {}
            }
        }
        Err(why)
    }

    /// A solver that a person named, whose capabilities do not matter: it is given scripts whatever it takes. One that does not
    /// answer at all is refused.
    pub fn ready(solver: Solver) -> Result<Self, String> {
        match Self::answers(&solver) {
            Ok(start_up) => Ok(Self::unprobed(solver).starting_in(start_up)),
            Err(why) => Err(format!("{} cannot be run: {why}", solver.label())),
        }
    }

    /// A solver that a person named, as [`Target::ready`], which will be asked in sessions: one whose process does not take one script
    /// after the other is run in a process for each.
    pub fn ready_for_sessions(solver: Solver, cancel: &Cancel) -> Result<Self, String> {
        let start_up = Self::answers(&solver)
            .map_err(|why| format!("{} cannot be run: {why}", solver.label()))?;
        let cold_because = solver.warm_trouble(Some(cancel)).map_err(|e| e.to_string())?;
        let solver = if cold_because.is_some() { solver.cold_only() } else { solver };
        Ok(Self { cold_because, ..Self::unprobed(solver).starting_in(start_up) })
    }

    /// This solver once more, for another panel.
    #[must_use]
    pub fn again(&self) -> Self {
        let cold_because = self.cold_because;
        let target = Self::unprobed(self.solver.clone()).starting_in(self.start_up);
        Self { cold_because, label: self.label.clone(), ..target }
    }

    /// A solver whose capabilities do not matter, and of which it is known that it answers.
    pub fn unprobed(solver: Solver) -> Self {
        Self::with(solver, OptionClass::None, None)
    }

    fn with(solver: Solver, class: OptionClass, known: Option<&Capabilities>) -> Self {
        let mut ops: OpSet = Op::all().filter(|&op| known.is_none_or(|k| k.supports(op))).collect();
        let caveats = Caveat::all(&solver);
        caveats.iter().flat_map(|c| c.ops.iter()).for_each(|op| ops.remove(op));
        let label = match solver.version() {
            Some(v) if !solver.label().contains(&v.to_string()) => {
                format!("{} ({v})", solver.label())
            }
            _ => solver.label().to_owned(),
        };
        Self {
            id: TargetId::default(),
            name: label.clone(),
            spec: solver.label().to_owned(),
            label,
            ops,
            caveats,
            model: model_options(solver.profile(), solver.version()),
            naming: solver.profile().naming_of(solver.version()),
            options: OptionFuzzer::new(&solver, class),
            has_cores: !solver.profile().core_args.is_empty(),
            half_probed: known.is_some_and(|k| k.given_up),
            cold_because: None,
            start_up: Duration::ZERO,
            solver,
        }
    }

    /// This solver with the CPU time that its start takes, as [`Target::answers`] measured it; no script is charged with it.
    #[must_use]
    pub fn starting_in(mut self, start_up: Duration) -> Self {
        self.start_up = start_up;
        self
    }

    /// CPU time of the start of its process, which [`Outcome::cpu`] of its runs is without.
    pub fn start_up(&self) -> Duration {
        self.start_up
    }

    /// Which one of its panel it is.
    pub fn id(&self) -> TargetId {
        self.id
    }

    /// The solver's family.
    pub fn family(&self) -> &str {
        &self.solver.profile().family
    }

    /// The options that may be given to it, before anything is known of how it takes them.
    pub fn options(&self) -> &OptionFuzzer {
        &self.options
    }

    /// Adds options of its own to a mode, as they are chosen by who may have learned which of them it takes.
    pub fn vary(&self, options: &OptionFuzzer, mode: &Mode, random: &mut ChaCha8Rng) -> Mode {
        let choice = options.choose(|n| random.random_range(0..n));
        let tactic = choice.tactic.filter(|_| !mode.cores && !mode.push_pop);
        let mut options = choice.args;
        if mode.proofs {
            let checks = &self.solver.profile().proof_check_args;
            options.extend(
                checks.iter().filter(|&o| !options.contains(o)).cloned().collect::<Vec<_>>(),
            );
        }
        Mode { options, tactic, proofs: false, ..mode.clone() }
    }

    /// Whether it takes a script with this content, and its word counts there.
    pub fn takes(&self, content: &Content) -> bool {
        self.knows(content) && self.caveat(content).is_none()
    }

    /// Whether it has all operators and float formats of a script with this content; a caveat may still be about its word.
    pub fn knows(&self, content: &Content) -> bool {
        let formats = &self.solver.profile().float_formats;
        self.ops.includes(&content.ops)
            && (formats.is_empty() || content.floats.iter().all(|f| formats.contains(f)))
    }

    /// Why there is no verdict on anything that it says, if it was given an option that makes another question of every script.
    pub fn asked_otherwise(&self) -> Option<&str> {
        self.caveats.iter().find(|c| c.always).map(|c| c.text.as_str())
    }

    /// Why there is no verdict on what it says of a script with this content, neither against it nor by it.
    pub fn caveat(&self, content: &Content) -> Option<&str> {
        self.concerning(content).map(|c| c.text.as_str())
    }

    /// The caveat about a script with this content; one that excuses crashes, too, goes first.
    fn concerning(&self, content: &Content) -> Option<&Caveat> {
        let mut about = self.caveats.iter().filter(|c| c.concerns(content));
        about.clone().find(|c| !c.crashes).or_else(|| about.next())
    }

    /// Why there is no verdict on what it says of a script.
    pub fn caveat_on(&self, script: &Script) -> Option<&str> {
        self.caveat_about(|| Content::of(script)).map(|c| c.text.as_str())
    }

    /// Why there is no verdict on what it says of a text, be it one that smelt cannot read.
    pub fn caveat_on_text(&self, text: &str) -> Option<&str> {
        self.caveat_about(|| Content::of_text(text)).map(|c| c.text.as_str())
    }

    /// Why not even a crash by a fault counts against it on a script.
    pub fn crash_excuse_on(&self, script: &Script) -> Option<&str> {
        let caveat = self.caveat_about(|| Content::of(script));
        caveat.filter(|c| !c.crashes).map(|c| c.text.as_str())
    }

    /// The caveat about what is in a script, which is looked at only if the release has caveats: most have none.
    fn caveat_about(&self, content: impl FnOnce() -> Content) -> Option<&Caveat> {
        if self.caveats.is_empty() { None } else { self.concerning(&content()) }
    }

    /// The libraries that it has in common with solvers of other families and that work on a script.
    pub fn shared_on(&self, script: &Script) -> Vec<String> {
        let profile = self.solver.profile();
        if profile.shares.is_empty() {
            return Vec::new();
        }
        let content = Content::of(script);
        let of_ops = content.ops.iter().map(|op| op.info().theory);
        let theories: Vec<Theory> = content.theories.iter().copied().chain(of_ops).collect();
        profile.shared_on(&theories, Fragment::of(script).products)
    }

    fn print_options(&self) -> PrintOptions {
        PrintOptions {
            naming: self.naming,
            logic: LogicChoice::Smallest,
            strip_status: true,
            ..PrintOptions::default()
        }
    }

    /// Prints one mutant after the other as [`Target::print`] does.
    pub fn reprinter(&self) -> Reprinter {
        Reprinter::new(self.print_options())
    }

    /// The script in the words of this solver, with the logic of the mode or the smallest that holds it.
    pub fn print(&self, script: &Script, mode: &Mode) -> smelt_solver::Script {
        let logic = logic_of(mode);
        self.sent(&print(script, &PrintOptions { logic, ..self.print_options() }), mode)
    }

    /// A printed script, as it is sent in this mode.
    pub fn sent(&self, text: &str, mode: &Mode) -> smelt_solver::Script {
        let text = smelt_solver::Script::new(text);
        match &mode.tactic {
            Some(tactic) => text.with_tactic(tactic),
            None => text,
        }
    }

    /// A warm session in this mode.
    pub fn session(&self, mode: &Mode, limits: Limits, cancel: Option<&Cancel>) -> Session {
        let separation = if mode.push_pop { Separation::PushPop } else { Separation::Reset };
        let policy = Policy {
            separation,
            start_up: self.start_up,
            // Other modes come and go with chains; a process more for each of them would be felt.
            early_end: *mode == Mode::plain(),
            ..Policy::default()
        };
        let session = Session::new(&self.solver, mode.setup(limits), policy);
        match cancel {
            Some(cancel) => session.cancelled_by(cancel),
            None => session,
        }
    }

    /// Runs a script in a fresh process.
    pub fn run_cold(
        &self,
        text: &smelt_solver::Script,
        mode: &Mode,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Result<Outcome, RunError> {
        self.run_within(text, mode, self.limits(cpu), cancel)
    }

    /// Names the frames of a crash by a bare signal, if there is a debugger: runs the script once more.
    pub fn name_frames(
        &self,
        text: &str,
        mode: &Mode,
        outcome: &mut Outcome,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Result<(), RunError> {
        let setup = mode.setup(Limits::cpu(cpu));
        self.solver.name_frames(&smelt_solver::Script::new(text), &setup, outcome, Some(cancel))
    }

    /// Runs a script in a fresh process within limits of the caller's choice; nothing is added to them for the start.
    pub fn run_within(
        &self,
        text: &smelt_solver::Script,
        mode: &Mode,
        limits: Limits,
        cancel: &Cancel,
    ) -> Result<Outcome, RunError> {
        let ran = self.solver.run_cold(text, &mode.setup(limits), mode.requests(), Some(cancel))?;
        Ok(ran.charge_start(self.start_up))
    }

    /// The limits of a fresh process with so much CPU time for the script.
    pub fn limits(&self, cpu: Duration) -> Limits {
        Limits::cpu(cpu).after_start(self.start_up)
    }

    /// Runs what a session was sent in a fresh process; the outcome has the last `checks` checks only. `None` if it did not
    /// answer all before them, or if there was an error behind the last reset: then nobody knows which answer is whose.
    pub fn run_transcript(
        &self,
        transcript: &str,
        checks: usize,
        mode: &Mode,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Result<Option<Outcome>, RunError> {
        let sent = smelt_solver::Script::new(transcript);
        let Some(before) = sent.checks().checked_sub(checks) else { return Ok(None) };
        let mut outcome = self.run_cold(&sent, mode, cpu, cancel)?;
        if !outcome.errors.is_empty() {
            // Another solver may have nothing to say to a question that the first one was asked; the questions of this run
            // come behind each check anyway.
            let sent = smelt_solver::Script::new(&without_questions(transcript));
            outcome = self.run_cold(&sent, mode, cpu, cancel)?;
        }
        if outcome.checks.len() != sent.checks() || self.error(&outcome).is_some() {
            return Ok(None);
        }
        outcome.checks.drain(..before);
        Ok(Some(outcome))
    }
}

/// What a script says of its logic in a mode.
pub fn logic_of(mode: &Mode) -> LogicChoice {
    match mode.logic.as_deref() {
        None => LogicChoice::Smallest,
        Some("") => LogicChoice::Absent,
        Some(logic) => LogicChoice::Given(logic.to_owned()),
    }
}

/// How a release writes its models.
pub fn model_options(profile: &Profile, version: Option<&Version>) -> ModelOptions {
    let old_escapes = profile.dialect_of(version).has_c_escapes();
    ModelOptions { old_escapes, rounded: rounded(profile), ..ModelOptions::default() }
}

/// A transcript without its `get-…` commands.
fn without_questions(transcript: &str) -> String {
    let items = smelt_solver::sexpr::items(transcript);
    let kept = items.filter(|i| !i.head().starts_with("get-"));
    kept.flat_map(|i| [i.text, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_solver::{Launcher, Profiles};

    #[test]
    fn transcripts_without_questions() {
        let check = |text: &str, expect: &str| assert_eq!(without_questions(text), expect);
        check(
            "(check-sat)\n(get-model)\n( get-info :reason-unknown)\n(exit)",
            "(check-sat)\n(exit)\n",
        );
        let string = "(assert (= s \"a\n(get-model)\n\"))\n(assert (= |x\n(get-value | 1))\n";
        check(string, string);
    }

    #[test]
    fn proofs_are_checked_by_options() {
        use rand_chacha::rand_core::SeedableRng;
        let profile = Profiles::embedded().get("cvc5").unwrap().clone();
        let solver =
            Solver::from_parts("it", profile, "it", Vec::new(), Launcher::current().unwrap());
        let target = Target::unprobed(solver);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mode = Mode { proofs: true, ..Mode::plain() };
        let varied = target.vary(target.options(), &mode, &mut random);
        assert_eq!((varied.options, varied.proofs), (vec!["--check-proofs".to_owned()], false));
    }
}
