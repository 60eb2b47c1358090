//! The solvers of a campaign: what each takes, and what was seen of a script.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::OpSet;
use smelt_eval::ModelOptions;
use smelt_smtlib::{Head, LogicChoice, Naming, Op, PrintOptions, Query, Script, SortKind, print};
use smelt_solver::{
    Answer, Cancel, Capabilities, Home, Limits, OptionClass, OptionFuzzer, Outcome, Policy,
    Requests, RunError, Separation, Session, Setup, Solver,
};
use smelt_triage::{ModelVerdict, Observation, judge_model_within};

/// A solver of the campaign.
pub struct Target {
    /// How to run it.
    pub solver: Solver,
    /// Name and version; a number too, if there are several of them.
    pub label: String,
    /// Name and version alone.
    pub name: String,
    /// Operators that it takes and whose meaning in this release is the standard's.
    pub ops: OpSet,
    /// Whether a backslash in a string literal means something else to it.
    own_escapes: bool,
    model: ModelOptions,
    naming: Naming,
    fuzzer: Mutex<OptionFuzzer>,
    /// Whether it gives unsat cores.
    pub has_cores: bool,
}

/// How a solver is run for a chain. Checking options rotate, so that they do not hide what happens without them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mode {
    /// Ask for models.
    pub models: bool,
    /// Ask for unsat cores, and run them.
    pub cores: bool,
    /// Let the solver check its own models and cores.
    pub self_check: bool,
    /// Keep scripts apart by push and pop: the solver's incremental code.
    pub push_pop: bool,
    /// Further options.
    pub options: Vec<String>,
    /// A tactic instead of the plain check.
    pub tactic: Option<String>,
}

impl Mode {
    /// Models and nothing else: how findings are confirmed first.
    pub fn plain() -> Self {
        Self { models: true, ..Self::default() }
    }

    /// A mode for a chain, without a solver's own options.
    pub fn choose(random: &mut ChaCha8Rng) -> Self {
        let plain = Self::plain();
        match random.random_range(0..20) {
            0..=1 => Self { models: false, ..plain },
            2..=3 => Self { self_check: true, ..plain },
            4..=5 => Self { cores: true, ..plain },
            6..=7 => Self { push_pop: true, ..plain },
            _ => plain,
        }
    }

    /// The setup of a run.
    pub fn setup(&self, limits: Limits) -> Setup {
        Setup {
            models: self.models,
            cores: self.cores,
            incremental: self.push_pop,
            self_check: self.self_check,
            extra: self.options.clone(),
            limits,
        }
    }

    /// What is asked after an answer.
    pub fn requests(&self) -> Requests {
        Requests { model: self.models, core: self.cores }
    }
}

impl Target {
    /// Examines a solver; its capabilities are probed once and remembered.
    pub fn new(
        home: &Home,
        solver: Solver,
        class: OptionClass,
        cancel: Option<&Cancel>,
    ) -> Result<Self, RunError> {
        let known = Capabilities::of(home, &solver, cancel)?;
        Ok(Self::with(solver, class, Some(&known)))
    }

    /// A solver whose capabilities do not matter: it is given one script.
    pub fn unprobed(solver: Solver) -> Self {
        Self::with(solver, OptionClass::None, None)
    }

    fn with(solver: Solver, class: OptionClass, known: Option<&Capabilities>) -> Self {
        let mut ops: OpSet = Op::all().filter(|&op| known.is_none_or(|k| k.supports(op))).collect();
        let mut own_escapes = false;
        for caveat in solver.profile().caveats_of(solver.version()) {
            for name in &caveat.operators {
                own_escapes |= name == "string-literal-backslash";
                Op::by_name(name).iter().for_each(|&op| ops.remove(op));
            }
        }
        let dialect = solver.profile().dialect_of(solver.version());
        let old_escapes = dialect.escapes.is_some_and(|e| e != "standard");
        let label = match solver.version() {
            Some(v) if !solver.label().contains(&v.to_string()) => {
                format!("{} ({v})", solver.label())
            }
            _ => solver.label().to_owned(),
        };
        Self {
            name: label.clone(),
            label,
            ops,
            own_escapes,
            model: ModelOptions { old_escapes, ..ModelOptions::default() },
            naming: solver.profile().naming_of(solver.version()),
            fuzzer: Mutex::new(OptionFuzzer::new(&solver, class, known)),
            has_cores: !solver.profile().core_args.is_empty(),
            solver,
        }
    }

    /// The solver's family.
    pub fn family(&self) -> &str {
        &self.solver.profile().family
    }

    fn fuzzer(&self) -> MutexGuard<'_, OptionFuzzer> {
        self.fuzzer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds options of its own to a mode.
    pub fn vary(&self, mode: &Mode, random: &mut ChaCha8Rng) -> Mode {
        let choice = self.fuzzer().choose(|n| random.random_range(0..n));
        let tactic = choice.tactic.filter(|_| !mode.cores && !mode.push_pop);
        Mode { options: choice.args, tactic, ..mode.clone() }
    }

    /// Learns from a refusal that an option is not known; true if it did.
    pub fn learn(&self, mode: &Mode, outcome: &Outcome) -> bool {
        let choice =
            smelt_solver::Choice { args: mode.options.clone(), tactic: mode.tactic.clone() };
        self.fuzzer().learn(&choice, outcome)
    }

    /// Whether it takes a script with this content. (Its text is looked at for escapes that mean something else to it.)
    pub fn takes(&self, content: &Content, text: &str) -> bool {
        let formats = &self.solver.profile().float_formats;
        self.ops.includes(&content.ops)
            && (formats.is_empty() || content.floats.iter().all(|f| formats.contains(f)))
            && !(self.own_escapes && text.contains('\\'))
    }

    /// The script in the words of this solver, with the smallest logic that holds it.
    pub fn print(&self, script: &Script, mode: &Mode) -> smelt_solver::Script {
        let options = PrintOptions {
            naming: self.naming,
            logic: LogicChoice::Smallest,
            strip_status: true,
            ..PrintOptions::default()
        };
        let text = smelt_solver::Script::new(&print(script, &options));
        match &mode.tactic {
            Some(tactic) => text.with_tactic(tactic),
            None => text,
        }
    }

    /// A warm session in this mode.
    pub fn session(&self, mode: &Mode, limits: Limits, cancel: &Cancel) -> Session {
        let separation = if mode.push_pop { Separation::PushPop } else { Separation::Reset };
        let policy = Policy { separation, ..Policy::default() };
        Session::new(&self.solver, mode.setup(limits), policy).cancelled_by(cancel)
    }

    /// Runs a script in a fresh process.
    pub fn run_cold(
        &self,
        text: &smelt_solver::Script,
        mode: &Mode,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Result<Outcome, RunError> {
        let setup = mode.setup(Limits::cpu(cpu));
        self.solver.run_cold(text, &setup, mode.requests(), Some(cancel))
    }

    /// What was seen of each check, its models judged quickly. The script's arena is left as it was.
    pub fn observe(
        &self,
        script: &mut Script,
        queries: &[Query],
        outcome: &Outcome,
    ) -> Vec<Observation> {
        self.observe_within(script, queries, outcome, smelt_eval::Limits::quick())
    }

    /// The same with limits of the caller's choice.
    pub fn observe_within(
        &self,
        script: &mut Script,
        queries: &[Query],
        outcome: &Outcome,
        limits: smelt_eval::Limits,
    ) -> Vec<Observation> {
        let complaint = self.complaint(outcome);
        let n = outcome.checks.len();
        // After an error nothing that a solver does is worth a word, a crash included: it is in no state that a user meets.
        let spoilt = outcome.errors.iter().find(|e| !self.is_crash(e) && complaint.is_none());
        outcome
            .checks
            .iter()
            .zip(queries)
            .enumerate()
            .map(|(k, (check, query))| {
                let model = match &check.model {
                    Some(text) if check.answer == Answer::Sat => {
                        Some(self.judge(script, query, text, limits))
                    }
                    _ => None,
                };
                let mut o =
                    Observation::new(&self.label, self.family(), check.answer.clone(), model);
                o.cpu = check.cpu.unwrap_or(outcome.cpu);
                if k + 1 == n {
                    o.complaint = complaint.clone();
                    // A crash behind the answer counts, unless it is the checker's complaint.
                    if let (None, Some(crash)) = (&o.complaint, &outcome.crash) {
                        o.answer = Answer::Crash(crash.clone());
                    }
                    if let (Answer::Crash(_), Some(error)) = (&o.answer, spoilt) {
                        o.answer = Answer::Rejected { error: error.clone(), answer: None };
                    }
                }
                o
            })
            .collect()
    }

    /// What smelt's evaluator says of a model of one check.
    fn judge(
        &self,
        script: &mut Script,
        query: &Query,
        text: &str,
        limits: smelt_eval::Limits,
    ) -> ModelVerdict {
        let mark = script.arena.mark();
        let verdict = judge_model_within(script, query, text, &self.model, limits);
        script.arena.rollback(mark);
        verdict
    }

    /// How it writes its models.
    pub fn model_options(&self) -> &ModelOptions {
        &self.model
    }

    fn is_crash(&self, error: &str) -> bool {
        self.solver.profile().patterns.crash.iter().any(|p| error.contains(p.as_str()))
    }

    /// The complaint of the solver's own checker.
    fn complaint(&self, outcome: &Outcome) -> Option<String> {
        let patterns = &self.solver.profile().patterns.self_check;
        let crash = outcome.crash.as_ref().or_else(|| match outcome.answer() {
            Some(Answer::Crash(crash)) => Some(crash),
            _ => None,
        });
        let texts = crash.map(smelt_solver::Crash::signature).into_iter();
        texts
            .chain(outcome.errors.iter().cloned())
            .find(|t| patterns.iter().any(|p| t.contains(p.as_str())))
    }
}

/// What decides whether a solver takes a script.
pub struct Content {
    /// Its operators.
    pub ops: OpSet,
    /// Its floating-point formats.
    pub floats: Vec<(u32, u32)>,
}

impl Content {
    /// Looks at a script.
    pub fn of(script: &Script) -> Self {
        let a = &script.arena;
        let mut ops = OpSet::none();
        let mut floats = Vec::new();
        for t in a.dag(&script.roots()) {
            if let Head::Op(op, _) = a.head(t) {
                ops.insert(op);
            }
            if let SortKind::Float(e, s) = a.kind(t)
                && !floats.contains(&(*e, *s))
            {
                floats.push((*e, *s));
            }
        }
        Self { ops, floats }
    }
}
