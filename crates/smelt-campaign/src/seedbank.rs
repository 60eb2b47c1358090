//! The seeds of a campaign: read, understood and solved when they are first needed, then kept.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use smelt_case::{Basis, Fact, Known, Seed, Status, digest};
use smelt_eval::{ModelOptions, parse_model};
use smelt_smtlib::arena::Attr;
use smelt_smtlib::{Command, FunKind, Head, Op, PrintOptions, Query, Script, Term, parse, print};
use smelt_solver::admit::{is_own_option, option_name};
use smelt_solver::kept::harmless;
use smelt_solver::{Check, Mode, Outcome, Profiles};
use smelt_triage::{ModelVerdict, Observation, TargetId};
use smelt_trial::Target;
use smelt_trial::follow_up::core::labelled;
use smelt_trial::opinion::label;

use crate::seed_files::SeedFile;

/// Largest seed that is read, decompressed.
pub const MAX_BYTES: u64 = 4 << 20;

/// Largest seed, in terms; more makes every mutant slow.
const MAX_TERMS: usize = 20_000;

/// One seed of the campaign.
pub struct Slot {
    /// Where it comes from.
    pub file: SeedFile,
    state: Mutex<State>,
}

enum State {
    New,
    /// Another worker is at it.
    Busy,
    Ready(Arc<Prepared>),
    Skipped,
}

/// A seed that is ready for strategies.
pub struct Prepared {
    /// The seed.
    pub seed: Seed,
    /// Its text, for findings.
    pub text: Vec<u8>,
    /// What is known about it, as text.
    pub facts: Vec<Fact>,
    /// Who takes it.
    pub targets: Vec<TargetId>,
    /// What it sets, as arguments of those who know it.
    pub options: Options,
    /// The names of its assertions, in order, if there are any.
    pub names: Names,
    /// Whose answer to its first check is what is known of it.
    pub decided_by: Vec<TargetId>,
    /// Instances of rules that it could use; see [`crate::proofs::Proofs::want`].
    pub wanted: Vec<usize>,
}

/// Options of solvers.
pub type Options = BTreeMap<TargetId, Vec<String>>;

impl Prepared {
    /// What a solver is given of what the seed sets.
    pub fn options_of(&self, who: TargetId) -> &[String] {
        self.options.get(&who).map_or(&[], Vec::as_slice)
    }

    /// A mode with what the seed sets; what is varied yields to it.
    pub fn with_options(&self, who: TargetId, mut mode: Mode) -> Mode {
        let own = self.options_of(who);
        let is_set = |o: &String| own.iter().any(|s| option_name(s) == option_name(o));
        mode.options.retain(|o| !is_set(o));
        mode.options.splice(0..0, own.iter().cloned());
        mode
    }

    /// Whether a mode has more than what the seed sets.
    pub fn is_varied(&self, who: TargetId, mode: &Mode) -> bool {
        let own = self.options_of(who);
        let without = mode.options.iter().filter(|o| !own.contains(o)).cloned().collect();
        Mode { options: without, ..mode.clone() }.is_varied()
    }

    /// A script of the seed's with the names of its assertions.
    pub fn labelled(&self, script: Script) -> Script {
        if self.names.is_empty() { script } else { labelled(&script, &self.names) }
    }
}

/// What a worker gets when it asks for a seed.
pub enum Asked {
    /// Here it is.
    Ready(Arc<Prepared>),
    /// The caller must prepare it and call [`Slot::settle`].
    Prepare,
    /// Not to be had.
    No,
}

impl Slot {
    /// A seed that nobody has looked at.
    pub fn new(file: SeedFile) -> Self {
        Self { file, state: Mutex::new(State::New) }
    }

    /// Asks for the seed.
    pub fn ask(&self) -> Asked {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*state {
            State::New => {
                *state = State::Busy;
                Asked::Prepare
            }
            State::Ready(p) => Asked::Ready(p.clone()),
            State::Busy | State::Skipped => Asked::No,
        }
    }

    /// The seed, if it is ready.
    pub fn ready(&self) -> Option<Arc<Prepared>> {
        let state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*state {
            State::Ready(p) => Some(p.clone()),
            _ => None,
        }
    }

    /// Gives the seed back to whoever asks next, after a failure that was not its fault.
    pub fn release(&self) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if matches!(&*state, State::Busy) {
            *state = State::New;
        }
    }

    /// Whether it will never be ready.
    pub fn is_skipped(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        matches!(&*state, State::Skipped)
    }

    /// Ends preparing; `None` skips the seed for good.
    pub fn settle(&self, prepared: Option<Arc<Prepared>>) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *state = prepared.map_or(State::Skipped, State::Ready);
    }
}

/// What a solver said of a seed; kept in the store.
pub struct SeedAnswer {
    /// sat or unsat, if it decided.
    pub verdict: Option<Status>,
    /// Its model, if the evaluator finds it true.
    pub model: Option<String>,
}

impl SeedAnswer {
    /// What a solver said to each check of a seed.
    pub fn all(target: &Target, script: &mut Script, outcome: &Outcome) -> Vec<Self> {
        let queries = script.queries();
        let seen = target.observe(script, &queries, outcome);
        let one = |(o, check): (&Observation, &Check)| Self {
            verdict: o.answer.decided(),
            model: check.model.clone().filter(|_| o.model == Some(ModelVerdict::True)),
        };
        seen.iter().zip(&outcome.checks).map(one).collect()
    }
}

/// A seed's text and what is in it, before any solver has seen it; the error is the reason to skip it. The text is what findings
/// keep, so that commands which no solver is sent are taken out of it.
pub fn read(file: &SeedFile, most: u64) -> Result<(Vec<u8>, Understood), String> {
    let text = file.read(most).map_err(|e| format!("{e:#}"))?;
    let understood = understand(&text)?;
    match harmless(profiles(), &text).map(Cow::into_owned) {
        Some(kept) if kept == text => Ok((text, understood)),
        Some(kept) => {
            let anew = understand(&kept)?;
            // Options that nobody is sent are still counted by name.
            Ok((kept, Understood { options: understood.options, ..anew }))
        }
        None => {
            let anew = print(&understood.script, &PrintOptions::default()).into_bytes();
            let understood = understand(&anew)?;
            if !matches!(harmless(profiles(), &anew), Some(Cow::Borrowed(_))) {
                return Err("solvers could read other commands in it than smelt does".to_owned());
            }
            Ok((anew, understood))
        }
    }
}

/// What smelt knows of solvers by itself.
fn profiles() -> &'static Profiles {
    static PROFILES: LazyLock<Profiles> = LazyLock::new(Profiles::embedded);
    &PROFILES
}

/// What is in a seed's text.
pub struct Understood {
    /// The script that mutants are made of: without options, and without names, which a mutant could move below a binder, where solvers
    /// take none.
    pub script: Script,
    /// What it sets, but for what smelt sets itself: key and value.
    pub options: Vec<(String, String)>,
    /// The names of its assertions, in order, if there are any.
    pub names: Names,
}

/// The names of assertions, in order; empty if none has one.
pub type Names = Vec<Option<String>>;

/// What is in a seed's text; the error is the reason to skip it.
pub fn understand(text: &[u8]) -> Result<Understood, String> {
    let mut script = parse(text).map_err(|e| format!("not understood: {}", e.message))?;
    let set = script.commands.iter().filter_map(|c| match c {
        Command::SetOption(k, v) if !is_own_option(k) => Some((k.to_string(), v.to_string())),
        _ => None,
    });
    let options = set.collect();
    // What is printed for people is no part of a seed, and options reach a solver by its command line.
    // Without `:global-declarations` symbols would not live as long as their uses.
    script.commands.retain(|c| match c {
        Command::SetOption(k, _) => &**k == ":global-declarations",
        Command::GetValue(_) | Command::Other(_) => false,
        _ => true,
    });
    let names = take_names(&mut script);
    let a = &script.arena;
    let named = |&t: &Term| match a.head(t) {
        Head::Annot(l) => a.attr_list(l).iter().any(|x| matches!(x, Attr::Named(_))),
        Head::Fun(f) => a.fun(f).kind == FunKind::Named,
        _ => false,
    };
    if a.dag(&script.roots()).iter().any(named) {
        return Err("names of terms that it checks or defines by them".to_owned());
    }
    if script.queries().is_empty() {
        return Err("no check".to_owned());
    }
    let terms = script.arena.dag(&script.roots()).len();
    if terms > MAX_TERMS {
        return Err(format!("more than {MAX_TERMS} terms"));
    }
    // Solvers are asked under the names that mutants will have: models are kept as text.
    script.keep_names_apart();
    Ok(Understood { script, options, names })
}

/// Takes the names off assertions and the terms in them, and gives those of whole assertions: a mutant gets them back where they stood.
fn take_names(script: &mut Script) -> Names {
    let a = &script.arena;
    let assertions = script.commands.iter().filter_map(|c| match c {
        Command::Assert(t) => Some(*t),
        _ => None,
    });
    let name = |t: Term| match a.head(t) {
        Head::Annot(attrs) => a.attr_list(attrs).iter().find_map(|x| match x {
            Attr::Named(f) => Some(a.name(a.fun(*f).name).to_owned()),
            _ => None,
        }),
        _ => None,
    };
    let names: Names = assertions.map(name).collect();
    let is_name = |&t: &Term| match a.head(t) {
        Head::Annot(attrs) => a.attr_list(attrs).iter().any(|x| matches!(x, Attr::Named(_))),
        Head::Fun(f) => a.fun(f).kind == FunKind::Named,
        _ => false,
    };
    if !a.dag(&script.roots()).iter().any(is_name) {
        return Names::new();
    }
    // One that takes too much stays as it is, and is refused where names are looked for.
    let _ = smelt_strategy::frame::without_names(script);
    if names.iter().all(Option::is_none) { Names::new() } else { names }
}

/// What may be spent to exhaust the values of a seed: there are thousands of them.
const SEED_WORK: u64 = 1_000_000;

/// What is known about each check of a script after the solvers were asked.
pub fn facts(script: &Script, answers: &[(&Target, &Vec<SeedAnswer>)]) -> Vec<Fact> {
    let known = |(k, q): (usize, &Query)| {
        let said = || answers.iter().filter_map(|(t, a)| Some((t, a.get(k)?)));
        let model = said().find_map(|(t, a)| Some((t, a.model.clone()?)));
        let proven = match model {
            Some(_) => Status::Sat,
            None => smelt_eval::brute_force_within(script, q, SEED_WORK),
        };
        let label = label(script, q.command);
        let votes = |v: Status| -> Vec<String> {
            said().filter(|(_, a)| a.verdict == Some(v)).map(|(t, _)| t.label.clone()).collect()
        };
        let (sat, unsat) = (votes(Status::Sat), votes(Status::Unsat));
        let (status, basis) = match (sat.is_empty(), unsat.is_empty()) {
            _ if proven != Status::Unknown => (proven, Basis::Evaluated),
            (false, true) if label != Status::Unsat => (Status::Sat, Basis::Agreed(sat)),
            (true, false) if label != Status::Sat => (Status::Unsat, Basis::Agreed(unsat)),
            (true, true) if label != Status::Unknown => (label, Basis::Annotated),
            _ => (Status::Unknown, Basis::Nothing),
        };
        let old_escapes = model.as_ref().is_some_and(|(t, _)| t.model_options().old_escapes);
        Fact { status, basis, model: model.map(|(_, text)| text), old_escapes }
    };
    script.queries().iter().enumerate().map(known).collect()
}

/// A script whose models make an assertion of this one false: where that is unsat, STORM takes its values from there.
/// `None` if there are several checks, or nothing to negate.
pub fn negation(script: &Script) -> Option<Script> {
    let [query] = &*script.queries() else { return None };
    let assertions = query.assertions.clone();
    let mut negated = script.clone();
    negated.commands.retain(|c| {
        !matches!(c, Command::Assert(_) | Command::CheckSat | Command::CheckSatAssuming(_))
            && !matches!(c, Command::Push(_) | Command::Pop(_) | Command::Exit)
    });
    let a = &mut negated.arena;
    let all = match *assertions {
        [] => return None,
        [one] => one,
        _ => a.app(Op::And, &[], &assertions).ok()?,
    };
    let t = a.app(Op::Not, &[], &[all]).ok()?;
    negated.commands.extend([Command::Assert(t), Command::CheckSat]);
    Some(negated)
}

/// Makes a seed of a script and what is known about it. A model goes into the seed's arena.
pub fn make(name: String, text: &[u8], mut script: Script, facts: &[Fact]) -> Seed {
    let mut checks = Vec::new();
    for fact in facts {
        let options = ModelOptions { old_escapes: fact.old_escapes, ..ModelOptions::default() };
        let model = fact
            .model
            .as_ref()
            .and_then(|m| parse_model(&mut script, m.as_bytes(), &options).ok())
            .map(Arc::new);
        checks.push(Known { status: fact.status, basis: fact.basis.clone(), model });
    }
    Seed::new(name, digest(text), script, checks)
}

/// What is remembered of answers: to be raised with every change to what it means, as when the evaluator judges models
/// otherwise.
const REMEMBERED: u32 = 2;

/// Key under which an answer is remembered. What a limit of time cuts off need not be what the solver's own counter cuts off,
/// which is the limit of a frozen schedule.
pub fn cache_key(
    script: &str,
    target: &Target,
    options: &[String],
    limit: Duration,
    frozen: bool,
) -> String {
    let smelt = (env!("CARGO_PKG_VERSION"), REMEMBERED);
    let limit = (limit, frozen);
    let args = [target.solver.args(), options].concat();
    key(smelt, script, target.solver.hash(), &args, limit)
}

/// Key of an answer as one version of smelt remembers it: a model that one smelt found true is judged anew by another.
fn key(
    (version, meaning): (&str, u32),
    script: &str,
    solver: &str,
    args: &[String],
    (limit, counted): (Duration, bool),
) -> String {
    let limit = format!("{}{}", limit.as_millis(), if counted { " counted" } else { "" });
    let all = [script, version, &meaning.to_string(), solver, &limit];
    let args = args.iter().map(String::as_str);
    digest(all.into_iter().chain(args).collect::<Vec<_>>().join("\0").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::{LogicChoice, PrintOptions, Reprinter, print};

    /// The option stays, before the logic: without it the second assertion has no symbol.
    #[test]
    fn global_declarations_stay() {
        let text = b"(set-option :produce-models true)(set-option :global-declarations true)(set-logic QF_UF)\
            (push 1)(declare-const p Bool)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat)";
        let script = understand(text).unwrap().script;
        let options = PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() };
        let printed = print(&script, &options);
        let expect = "(set-option :global-declarations true)\n(set-logic QF_UF)\n(push 1)\n";
        assert!(printed.starts_with(expect), "{printed}");
        assert!(parse(printed.as_bytes()).is_ok(), "{printed}");
        let mut again = Reprinter::new(options);
        assert_eq!(again.print(&script), printed);
        assert_eq!(again.print(&script), printed);
    }

    #[test]
    fn what_an_answer_is_remembered_by() {
        let (args, none) = (["-x".to_owned()], []);
        let second = (Duration::from_secs(1), false);
        let keys = [
            key(("0.1.0", 2), "(check-sat)", "abc", &none, second),
            key(("0.1.1", 2), "(check-sat)", "abc", &none, second),
            key(("0.1.0", 3), "(check-sat)", "abc", &none, second),
            key(("0.1.0", 2), "(check-sat) ", "abc", &none, second),
            key(("0.1.0", 2), "(check-sat)", "abd", &none, second),
            key(("0.1.0", 2), "(check-sat)", "abc", &args, second),
            key(("0.1.0", 2), "(check-sat)", "abc", &none, (second.0 * 2, false)),
            key(("0.1.0", 2), "(check-sat)", "abc", &none, (second.0, true)),
        ];
        let different: std::collections::HashSet<&String> = keys.iter().collect();
        assert_eq!(different.len(), keys.len());
    }

    #[test]
    fn the_negation_of_a_seed() {
        let check = |script: &str, expected: &str| {
            let negated = negation(&parse(script.as_bytes()).unwrap());
            let text = negated.map(|n| print(&n, &Default::default()).replace('\n', ""));
            assert_eq!(text.as_deref().unwrap_or("none"), expected);
        };
        let d = "(declare-fun p () Bool)";
        check(
            &format!("{d}(push 1)(assert p)(assert (not p))(check-sat)(pop 1)(exit)"),
            &format!("{d}(assert (not (and p (not p))))(check-sat)"),
        );
        check(&format!("{d}(assert p)(check-sat)"), &format!("{d}(assert (not p))(check-sat)"));
        check(&format!("{d}(check-sat)"), "none");
        check(&format!("{d}(assert p)(check-sat)(check-sat)"), "none");
    }
}
