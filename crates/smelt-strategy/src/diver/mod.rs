//! DIVER: unrestricted mutation under which a model stays a model.
//!
//! **Paper.** "DIVER: Oracle-Guided SMT Solver Testing with Unrestricted Random Mutations" (2023).
//!
//! **Needs.** A check with a model that smelt's evaluator finds true. Definitions and `let` are expanded (as sharing).
//!
//! **Rule.** The pre-analysis gives each place of the formula a set of values with which the model still satisfies it
//! (modules `abs`, `rules`, `places`). A place is chosen with a probability proportional to the published score of its set; a
//! random term of its sort (at most five operators; leaves are symbols of the formula and constants of formula and model) takes
//! its place if the formula stays true, which is evaluated along the path only; at most 50 tries. One time in two the new term is
//! *complicated*: one or two of its leaves become fresh constants, each restricted by the set of its place, written as a formula.
//! Mutants join the pool from which the next formulas are taken.
//!
//! **Why the expectation holds.** The changed assertion (and the restriction of each fresh constant) is evaluated to true
//! under the model, which fresh constants extend by the values of the leaves that they replace.
//!
//! **Departures from the paper.** Sets are also kept for bit-vectors (rings, which cover both signs), for all operators by
//! following the operator itself (`Via`), for arrays through select and store, for everything that is only to differ from given values.
//! Strict bounds of Reals are open instead of 10⁻⁶ apart. The rule for `str.<` is the exact set. The set of a fresh constant must
//! hold its present value, or the leaf stays. The exact value alone is demanded where nothing else will do (beside an
//! equality, below an operator that is one to one), under the operators of `rules::EXACT`, under binders, and below six operators
//! without a rule of their own; `survey` counts it. Complicating works for every sort whose set can be written. Forty mutants per
//! formula before another one is taken from the pool, not 1,000: a chain is 1,000 long in all.
//!
//! **Example.** With x = 3, `(>= x 1)` may become `(>= (* x (- 7 n)) 1)` with `(<= n 6)`.

mod abs;
mod complicate;
mod generate;
mod places;
mod rules;
pub mod survey;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, Follows, Mutant, OpSet, Seed, Status};
use smelt_eval::Model;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::arena::Mark;
use smelt_smtlib::{Arena, Command, Fun, Head, Op, Script, Term, print_term};

use crate::companions::Companions;
use crate::effort::limits;
use crate::frame::{Frame, no_recursion};
use crate::parameters::Parameters;
use crate::{Chain, Input, Parameter, Refusal, Strategy};
use generate::Generator;
use places::Places;

/// The strategy.
pub struct Diver;

/// The published number of tries at one place.
const TRIES: u32 = 50;
/// Places that are tried before a chain ends.
const PLACES: u32 = 40;
/// Formulas to mutate.
const POOL: usize = 32;

const PARAMETERS: &[Parameter] = &[
    ("weights", "on or off (on): choose places by the published score"),
    ("complicate", "on or off (on): put restricted fresh constants into new terms"),
    ("tries", "N (50): tries at one place"),
    ("per", "N (40): mutants of a formula before another one is taken"),
];

impl Strategy for Diver {
    fn name(&self) -> &'static str {
        "diver"
    }

    fn about(&self) -> &'static str {
        "replaces terms so that the seed's model stays a model (witness)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn chain_length(&self) -> u32 {
        1000
    }

    fn start<'a>(
        &self,
        input: &Input<'a>,
        random: &mut ChaCha8Rng,
    ) -> Result<Box<dyn Chain + 'a>, Refusal> {
        Ok(Box::new(DiverChain::new(input, random)?))
    }
}

impl DiverChain {
    fn new(input: &Input<'_>, random: &mut ChaCha8Rng) -> Result<Self, Refusal> {
        let p = Parameters::read(input.parameters, PARAMETERS)?;
        let settings = Settings {
            weights: p.switch("weights", true)?,
            complicate: p.switch("complicate", true)?,
            tries: p.count("tries", TRIES as usize, 1_000_000)?.max(1) as u32,
            per: p.get("per", 40u32)?.max(1),
        };
        let (mut script, frame, check, model) = prepare(input.seed, random)?;
        let mut values = Incremental::with_limits(model.clone(), limits());
        let assertions = frame.checks[check].clone();
        for &t in &assertions {
            if values.holds(&script.arena, t) != Some(true) {
                return Err("the seed's model is not seen to be true".into());
            }
        }
        if assertions.is_empty() {
            return Err("the check asserts nothing".into());
        }
        let mut allowed = input.ops.clone();
        for t in script.arena.dag(&assertions) {
            if let Head::Op(op, _) = script.arena.head(t) {
                allowed.insert(op);
            }
        }
        [Op::True, Op::False, Op::Not].into_iter().for_each(|op| allowed.insert(op));
        let generator =
            Generator::new(&mut script.arena, &assertions, &frame.symbols, &model, input.ops);
        let size = size(&script, &assertions);
        let first = Entry { assertions, fresh: Vec::new(), model: Arc::new(model), age: 0 };
        let mark = script.arena.mark();
        let companions = Companions::of(input.seed, &script, &frame, check);
        let mut declarations = frame.declarations;
        declarations.extend(companions.commands.iter().cloned());
        Ok(DiverChain {
            script,
            declarations,
            companions,
            values,
            generator,
            allowed,
            settings,
            max_size: (4 * size).max(400),
            pool: vec![first],
            current: 0,
            left: 0,
            places: None,
            mark,
            passing: Vec::new(),
            effort: Effort::default(),
        })
    }
}

/// The seed's script, taken apart, with one of its checks that has a model.
fn prepare(seed: &Seed, random: &mut ChaCha8Rng) -> Result<(Script, Frame, usize, Model), Refusal> {
    let with_model: Vec<usize> = (0..seed.checks.len())
        .filter(|&i| seed.checks[i].status == Status::Sat && seed.checks[i].model.is_some())
        .collect();
    if with_model.is_empty() {
        return Err("no check has a model".into());
    }
    let check = with_model[random.random_range(0..with_model.len())];
    let mut script = seed.workspace();
    no_recursion(&script)?;
    let frame = Frame::of(&mut script, true)?;
    let mut model = match &seed.checks[check].model {
        Some(m) if check < frame.checks.len() => Model::clone(m),
        _ => return Err("no check has a model".into()),
    };
    model.complete(&script.arena, frame.symbols.iter().copied());
    Ok((script, frame, check, model))
}

fn size(script: &Script, assertions: &[Term]) -> u64 {
    assertions.iter().fold(0u64, |n, &t| n.saturating_add(script.arena.tree_size(t)))
}

struct Settings {
    weights: bool,
    complicate: bool,
    tries: u32,
    /// Mutants per formula.
    per: u32,
}

/// A formula of the pool.
struct Entry {
    assertions: Vec<Term>,
    /// Constants beyond those of the seed.
    fresh: Vec<Fun>,
    model: Arc<Model>,
    /// How many mutations led to it.
    age: u32,
}

struct DiverChain {
    script: Script,
    /// With the seed's other checks behind them.
    declarations: Vec<Command>,
    companions: Companions,
    values: Incremental,
    generator: Generator,
    /// Operators that mutants may have: constants and restrictions are written with operators too.
    allowed: OpSet,
    settings: Settings,
    max_size: u64,
    pool: Vec<Entry>,
    current: usize,
    /// Mutants that the present formula still gives.
    left: u32,
    places: Option<Places>,
    /// What is beyond belongs to the last mutant only.
    mark: Mark,
    /// Fresh constants of the last mutant, if it did not join the pool.
    passing: Vec<Fun>,
    effort: Effort,
}

/// What it took to make mutants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Places that were chosen.
    pub places: u64,
    /// Random terms that were tried there.
    pub terms: u64,
    /// Places at which one was accepted.
    pub mutants: u64,
}

/// An accepted mutation.
struct Accepted {
    assertion: usize,
    root: Term,
    /// Fresh constants and their restrictions.
    fresh: Vec<Fun>,
    extra: Vec<Term>,
    what: String,
}

impl DiverChain {
    fn forget_last(&mut self) {
        self.values.rollback(&mut self.script.arena, self.mark);
        for f in self.passing.drain(..) {
            self.values.withdraw(f);
        }
    }

    /// Takes another formula from the pool, and analyses it.
    fn turn(&mut self, random: &mut ChaCha8Rng) {
        self.current = random.random_range(0..self.pool.len());
        self.left = self.settings.per;
        let assertions = &self.pool[self.current].assertions;
        let weighted = self.settings.weights;
        let places = Places::of(&self.script.arena, &mut self.values, assertions, weighted);
        self.places = Some(places);
    }

    /// One place, several tries.
    fn at_a_place(&mut self, random: &mut ChaCha8Rng) -> Option<Accepted> {
        let places = self.places.as_ref()?;
        let place = places.choose(random)?;
        self.effort.places += 1;
        let entry = &self.pool[self.current];
        let assertion = place.assertion as usize;
        let (root, old, abs) = (entry.assertions[assertion], place.term, place.abs.clone()?);
        let path = places.path(place);
        let a = &mut self.script.arena;
        let sort = a.sort(old);
        for _ in 0..self.settings.tries {
            let mark = a.mark();
            self.effort.terms += 1;
            let new = self.generator.term(a, sort, random).filter(|&t| t != old);
            if let Some(new) = new
                && within(a, new, &self.allowed)
                && let Some(changed) = a.replace_at(root, &path, new)
                && self.values.holds(a, changed) == Some(true)
            {
                let mut accepted = Accepted {
                    assertion,
                    root: changed,
                    fresh: Vec::new(),
                    extra: Vec::new(),
                    what: String::new(),
                };
                if self.settings.complicate && random.random_bool(0.5) {
                    complicate::complicate(
                        a,
                        &mut self.values,
                        &path,
                        new,
                        &abs,
                        &self.allowed,
                        &mut accepted,
                        random,
                    );
                }
                self.effort.mutants += 1;
                accepted.what = describe(&self.script, old, new, accepted.fresh.len());
                return Some(accepted);
            }
            self.values.rollback(a, mark);
        }
        None
    }
}

impl Chain for DiverChain {
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        self.forget_last();
        for _ in 0..PLACES {
            if self.left == 0 || self.places.is_none() {
                self.turn(random);
            }
            self.left -= 1;
            let Some(accepted) = self.at_a_place(random) else { continue };
            let Accepted { assertion, root, fresh, extra, what } = accepted;
            let entry = &self.pool[self.current];
            let mut assertions = entry.assertions.clone();
            assertions[assertion] = root;
            assertions.extend(extra);
            let model = if fresh.is_empty() {
                entry.model.clone()
            } else {
                let mut model = Model::clone(&entry.model);
                for &f in &fresh {
                    if let Some(v) = self.values.model().value(f) {
                        model.set_value(f, v.clone());
                    }
                }
                Arc::new(model)
            };
            let all_fresh: Vec<Fun> = entry.fresh.iter().chain(&fresh).copied().collect();
            let commands = self.declarations.iter().cloned();
            let commands = commands.chain(all_fresh.iter().map(|&f| Command::DeclareFun(f)));
            let commands = commands.chain(assertions.iter().map(|&t| Command::Assert(t)));
            let commands: Vec<Command> = commands.chain([Command::CheckSat]).collect();
            self.script.commands = commands;
            let age = entry.age + 1;
            let joins =
                size(&self.script, &assertions) <= self.max_size && random.random_bool(0.25);
            if joins {
                let joined = Entry { assertions, fresh: all_fresh, model: model.clone(), age };
                if self.pool.len() < POOL {
                    self.pool.push(joined);
                } else {
                    // The seed itself stays, and so does the formula that is being worked on.
                    let i = random.random_range(1..POOL);
                    if i != self.current {
                        self.pool[i] = joined;
                    }
                }
                self.mark = self.script.arena.mark();
            } else {
                self.passing = fresh;
            }
            let what = if age > 1 { format!("{what} (mutation {age})") } else { what };
            let expect = self.companions.expect(Expectation::Sat(Some(model)));
            return Ok(Mutant {
                script: &mut self.script,
                expect: expect.into(),
                what: what.into(),
                follows: Follows::Nothing,
            });
        }
        Err("no random term fits".into())
    }
}

fn describe(script: &Script, old: Term, new: Term, fresh: usize) -> String {
    let show = |t: Term| {
        if script.arena.tree_size(t) > 12 {
            return "…".to_owned();
        }
        print_term(&script.arena, t)
    };
    let more = match fresh {
        0 => String::new(),
        n => format!(", {n} leaves made fresh constants"),
    };
    format!("{} → {}{more}", show(old), show(new))
}

/// Whether a term has only these operators.
fn within(a: &Arena, t: Term, ops: &OpSet) -> bool {
    let fits = |t: &Term| match a.head(*t) {
        Head::Op(op, _) => ops.contains(op),
        _ => true,
    };
    a.args(t).is_empty() && fits(&t) || a.dag(&[t]).iter().all(fits)
}
