//! Solvers with conventions, habits and faults, and the room in which they are asked.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_smtlib::{Query, Script, print_sort};
use smelt_solver::{Answer, Check, Launcher, Mode, Outcome, Profiles, RunError, Solver, Status};
use smelt_triage::TargetId;
use smelt_trial::follow_up::{Ask, Asked};
use smelt_trial::opinion::Run;
use smelt_trial::shrink::plain;
use smelt_trial::{Panel, Target};

use crate::mind::{
    Convention, Decision, FORMAT, Found, Symbol, constants, decide, pinned, refutes, sort_in,
};
use crate::values::*;

/// How a solver prints its models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habit {
    /// It prints none.
    pub silent: bool,
    /// It leaves symbols out now and then.
    pub leaves_out: bool,
    /// It prints what it takes for open values, as z3 does.
    pub prints_open: bool,
    /// What it prints of open values is always 0, whatever it takes for them.
    pub careless: bool,
    /// It says `unknown` now and then.
    pub unsure: bool,
    /// It finds another model each time.
    pub fickle: bool,
}

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// `unsat` to what is satisfiable.
    Unsat,
    /// `unsat` to what is satisfiable by an open value, and then also where open values have names.
    UnsatWhereOpen,
    /// `unsat` to the script alone: not to one with more or fewer assertions.
    UnsatToScript,
    /// `unsat` to the script where open values have names, `sat` where they have none.
    UnsatToTotalised,
    /// `unsat` to a script with values for all constants.
    UnsatToValues,
    /// `sat`, without a model, to what is not.
    Sat,
    /// `sat`, without a model, to the script alone.
    SatToScript,
    /// `sat` with some model to what is not.
    SatWithModel,
    /// A model in which one value is wrong.
    WrongValue,
}

#[derive(Clone, Copy, Debug)]
pub struct Character {
    pub profile: &'static str,
    pub convention: Convention,
    pub habit: Habit,
    pub lie: Option<Lie>,
}

/// Solvers that are asked about a script and what follows from it.
pub struct Room {
    panel: Panel,
    characters: Vec<Character>,
    random: ChaCha8Rng,
    /// Assertions of the script.
    assertions: usize,
    /// Whether somebody has lied.
    pub lied: bool,
}

impl Room {
    pub fn new(characters: Vec<Character>, random: ChaCha8Rng) -> Self {
        let panel = Panel::new(characters.iter().map(|c| target(c.profile)).collect(), Vec::new());
        Self { panel, characters, random, assertions: 0, lied: false }
    }

    /// What all say of a script with one check.
    pub fn runs(&mut self, script: &mut Script) -> Vec<Run> {
        self.assertions = script.queries()[0].assertions.len();
        self.lied = false;
        let all: Vec<TargetId> = self.panel.all().map(Target::id).collect();
        let one = |who| {
            let Asked { outcome, seen, .. } = self.ask(who, script, &Mode::plain(), None).unwrap();
            Run { who, solver: self.panel.get(who).label.clone(), seen, outcome: Ok(outcome) }
        };
        all.into_iter().map(one).collect()
    }

    fn check(&mut self, c: Character, script: &Script, query: &Query) -> Check {
        if c.habit.unsure && self.random.random_range(0..10) == 0 {
            return Check::bare(Answer::Unknown(None));
        }
        let mut random = match c.habit.fickle {
            true => ChaCha8Rng::seed_from_u64(self.random.random()),
            false => {
                let mut hasher = DefaultHasher::new();
                (plain(script), c.profile).hash(&mut hasher);
                ChaCha8Rng::seed_from_u64(hasher.finish())
            }
        };
        let decision = decide(script, query, c.convention, &mut random);
        let told = c.lie.and_then(|lie| self.lie(lie, script, query, &decision, &mut random));
        self.lied |= told.is_some();
        told.unwrap_or_else(|| match decision {
            Decision::Sat(found) => {
                let text = model(script, &found, c.habit, &mut random);
                let model = Some(text).filter(|_| !c.habit.silent);
                Check { model, ..Check::bare(Answer::Sat) }
            }
            Decision::Unsat { .. } => Check::bare(Answer::Unsat),
            Decision::Unknown => Check::bare(Answer::Unknown(None)),
        })
    }

    /// What is said instead of the truth, if that is another thing.
    fn lie(
        &self,
        lie: Lie,
        script: &Script,
        query: &Query,
        truth: &Decision,
        random: &mut ChaCha8Rng,
    ) -> Option<Check> {
        let itself = query.assertions.len() == self.assertions;
        let has_names = plain(script).contains("(declare-fun open.");
        let lies = match lie {
            Lie::Unsat => truth.is_sat(),
            Lie::UnsatWhereOpen if has_names => truth.is_sat() && self.lied,
            Lie::UnsatWhereOpen => truth.is_sat() && truth.needs_open(),
            Lie::UnsatToScript => truth.is_sat() && itself,
            Lie::UnsatToTotalised => truth.is_sat() && itself && has_names,
            Lie::UnsatToValues => {
                truth.is_sat() && !itself && pinned(script, query).len() >= constants(script).len()
            }
            Lie::Sat | Lie::SatWithModel => truth.is_unsat(),
            Lie::SatToScript => truth.is_unsat() && itself && script.queries().len() == 1,
            Lie::WrongValue => truth.is_sat() && itself && !has_names,
        };
        if !lies {
            return None;
        }
        let whole = Habit::default();
        let with = |found: &Found, random: &mut ChaCha8Rng| {
            let model = Some(model(script, found, whole, random));
            Some(Check { model, ..Check::bare(Answer::Sat) })
        };
        match (lie, truth) {
            (Lie::Sat | Lie::SatToScript, _) => Some(Check::bare(Answer::Sat)),
            (Lie::SatWithModel, _) => with(&anything(script, random), random),
            (Lie::WrongValue, Decision::Sat(found)) => {
                let wrong = changed(script, query, found, random)?;
                with(&wrong, random)
            }
            _ => Some(Check::bare(Answer::Unsat)),
        }
    }
}

impl Ask for Room {
    fn panel(&self) -> &Panel {
        &self.panel
    }

    fn ask(
        &mut self,
        who: TargetId,
        script: &mut Script,
        _mode: &Mode,
        _known: Option<Status>,
    ) -> Result<Asked, RunError> {
        let c = self.characters[who.0];
        let queries = script.queries();
        let checks = queries.iter().map(|q| self.check(c, script, q)).collect();
        let outcome = Outcome { checks, ..Outcome::default() };
        let limits = smelt_eval::Limits::default();
        let seen = self.panel.get(who).observe_within(script, &queries, &outcome, limits);
        Ok(Asked { text: String::new(), outcome, seen })
    }
}

/// Reading the profiles takes longer than all else.
static PROFILES: LazyLock<Profiles> = LazyLock::new(Profiles::embedded);

fn target(profile: &str) -> Target {
    let own = PROFILES.get(profile).unwrap().clone();
    let launcher = Launcher::current().unwrap();
    Target::unprobed(Solver::from_parts(profile, own, "none", Vec::new(), launcher))
}

/// Some values for all constants.
fn anything(script: &Script, random: &mut ChaCha8Rng) -> Found {
    let value = |f| {
        let sort = sort_in(&script.arena, script.arena.fun(f).ret).unwrap();
        (f, sort.values(FORMAT).choose(random).unwrap().clone())
    };
    Found { constants: constants(script).into_iter().map(value).collect(), ..Found::default() }
}

/// A model in which one value is another, so that it is false whatever is left open.
fn changed(
    script: &Script,
    query: &Query,
    found: &Found,
    random: &mut ChaCha8Rng,
) -> Option<Found> {
    let other = anything(script, random);
    let mut changes: Vec<_> = other.constants.into_iter().collect();
    let first = random.random_range(0..changes.len());
    changes.rotate_left(first);
    changes.into_iter().find_map(|(f, v)| {
        let mut wrong = found.clone();
        wrong.constants.insert(f, v);
        refutes(script, query, &wrong, random).then_some(wrong)
    })
}

/// A model as a solver prints it.
fn model(script: &Script, found: &Found, habit: Habit, random: &mut ChaCha8Rng) -> String {
    let a = &script.arena;
    let mut text = String::from("(\n");
    for (&f, v) in &found.constants {
        if habit.leaves_out && random.random_range(0..5) == 0 {
            continue;
        }
        let (name, sort) = (a.name(a.fun(f).name), print_sort(a, a.fun(f).ret));
        text += &format!("  (define-fun {name} () {sort} {})\n", value_text(v, FORMAT));
    }
    let mut tables: BTreeMap<&Symbol, Vec<(&[V], &V)>> = BTreeMap::new();
    for ((symbol, args), v) in &found.points {
        tables.entry(symbol).or_default().push((args, v));
    }
    for (symbol, table) in tables {
        let name = match symbol {
            Symbol::Declared(f) => a.name(a.fun(*f).name),
            Symbol::Operator(_) if !habit.prints_open => continue,
            Symbol::Operator("/") => "/0",
            Symbol::Operator("div") => "div0",
            Symbol::Operator("mod") => "mod0",
            Symbol::Operator("fp.min") => "fp.min_i",
            Symbol::Operator(_) => "fp.max_i",
        };
        let (args, v) = table[0];
        let sorts = args.iter().enumerate().map(|(i, v)| (i, sort_of(v).text(FORMAT)));
        let params: Vec<String> = sorts.map(|(i, sort)| format!("(a{i} {sort})")).collect();
        // Elsewhere any value will do.
        let other = value_text(v, FORMAT);
        let zero = |op| Convention::Zero.value(op, &[], sort_of(v));
        let body = table.iter().fold(other, |rest, (args, v)| {
            let v = match symbol {
                Symbol::Operator(op) if habit.careless => &zero(op),
                _ => *v,
            };
            let equal = args.iter().enumerate();
            let equal = equal.map(|(i, v)| format!("(= a{i} {})", value_text(v, FORMAT)));
            let here = equal.collect::<Vec<_>>().join(" ");
            format!("(ite (and true {here}) {} {rest})", value_text(v, FORMAT))
        });
        let sort = sort_of(v).text(FORMAT);
        text += &format!("  (define-fun {name} ({}) {sort} {body})\n", params.join(" "));
    }
    text + ")"
}
