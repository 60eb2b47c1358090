//! STORM: fragments of a seed, recombined into satisfiable scripts.
//!
//! **Paper.** "Detecting Critical Bugs in SMT Solvers using Blackbox Mutational Fuzzing" (2020).
//!
//! **Needs.** A script; a model of it helps. An assignment of the symbols need not satisfy the seed: the models of the
//! seed's checks are used (an unsat check may carry a model of its negated assertions), and random assignments beside
//! them, which is all there is for an unsat seed without a model.
//!
//! **Rule.** (1) Every closed Boolean sub-term of depth ≤ Dmax goes into the initial pool with its truth value under the
//! assignment, if the evaluator has one. (2) NC formulas are built: a pick (30 % from the initial pool, 70 % from what has
//! been built), then AND with a second pick or NOT, one half each; the depth stays ≤ Dmax. (3) NM instances are made: 1 to
//! Amax picks, each negated if it is false.
//! In *incremental* mode the picks are spread over `push` and `pop` with several checks; some are assumed instead of
//! asserted; some scopes get a pick that is false, and are left again.
//!
//! **Why the expectation holds.** Each assertion of an instance is evaluated under the assignment and found true before it
//! is used: the assignment is the witness of every check whose open scopes hold no false pick. Checks inside a scope with
//! a false pick are `Open`: another assignment may satisfy them.
//!
//! **Departures from the paper.** Values come from smelt's evaluator, not from a solver; what it does not determine
//! (quantifiers over large domains, underspecified operations) is no fragment. Several assignments per seed, with pools of
//! their own. NC and NM are ten times the size of the initial pool within the published bounds, for which the paper gives no
//! formula. Tactics (`tactics=a;b`) turn each check into `check-sat-using`; whether a solver has them is the caller's to know.
//!
//! **Example.** `(assert a)(assert b)` with a, b true may become `(assert (not (and (not b) (not a))))`.

mod instance;
mod pool;
#[cfg(test)]
mod tests;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Follows, Mutant};
use smelt_eval::Model;
use smelt_smtlib::arena::Mark;
use smelt_smtlib::{Command, Fun, Script, Sort};

use crate::assignment::random_model;
use crate::constant::Constants;
use crate::frame::{Frame, fresh_constant, no_recursion};
use crate::parameters::Parameters;
use crate::{Chain, Input, Parameter, Refusal, Strategy};
use pool::Pool;

/// The strategy.
pub struct Storm;

/// Formulas, instances or assertions that a user can ask for.
const MAX_COUNT: usize = 1_000_000;

/// Whether instances use `push` and `pop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Plain,
    Incremental,
    /// Every fourth instance is incremental.
    Mixed,
}

/// The bounds of the algorithm.
struct Settings {
    /// Formulas to build; `None`: by the size of the initial pool.
    nc: Option<usize>,
    /// Instances to make; `None`: by the size of the initial pool.
    nm: Option<u32>,
    dmax: u32,
    amax: usize,
    mode: Mode,
    tactics: Vec<Box<str>>,
}

impl Settings {
    fn read(p: &Parameters<'_>) -> Result<Self, Refusal> {
        let auto = |name| match p.text(name) {
            None | Some("auto") => Ok(None),
            Some(_) => p.count(name, 0, MAX_COUNT).map(Some),
        };
        let mode = match p.text("mode") {
            Some("plain") => Mode::Plain,
            Some("incremental") => Mode::Incremental,
            None | Some("mixed") => Mode::Mixed,
            Some(m) => return Err(format!("mode={m}: plain, incremental or mixed").into()),
        };
        let tactics = p.text("tactics").unwrap_or("").split(';').map(str::trim);
        Ok(Self {
            nc: auto("nc")?,
            nm: auto("nm")?.map(|n| n as u32),
            dmax: p.get("dmax", 64)?,
            amax: p.count("amax", 64, MAX_COUNT)?.max(1),
            mode,
            tactics: tactics.filter(|t| !t.is_empty()).map(Into::into).collect(),
        })
    }
}

const PARAMETERS: &[Parameter] = &[
    ("nc", "N or auto (auto): formulas that are built"),
    ("nm", "N or auto (auto): instances that are made"),
    ("dmax", "N (64): the greatest depth of a formula"),
    ("amax", "N (64): the most assertions of an instance"),
    ("assignments", "N (4): assignments of the symbols"),
    ("mode", "plain, incremental or mixed (mixed): whether push and pop are used"),
    ("tactics", "a;b: check-sat-using with these tactics instead of check-sat"),
];

impl Strategy for Storm {
    fn name(&self) -> &'static str {
        "storm"
    }

    fn about(&self) -> &'static str {
        "recombines Boolean fragments of a seed; satisfiable by construction (witness)"
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
        let p = Parameters::read(input.parameters, PARAMETERS)?;
        let settings = Settings::read(&p)?;
        let assignments = p.count("assignments", 4, 1000)?.max(1);
        let mut script = input.seed.workspace();
        no_recursion(&script)?;
        let frame = Frame::of(&mut script, false)?;
        let roots = frame.assertions();
        let guards = guards(&mut script);
        let mut pools = Vec::new();
        for model in models(input, &mut script, &frame, assignments, random) {
            let model = with_guards(model, &guards);
            let pool = Pool::fill(&mut script.arena, model, &roots, settings.dmax);
            pools.extend(pool);
        }
        if pools.is_empty() {
            return Err("no Boolean sub-term has a known value".into());
        }
        let largest = pools.iter().map(Pool::initial_len).max().unwrap_or(0);
        let nc = settings.nc.unwrap_or((10 * largest).clamp(200, 1500));
        for pool in &mut pools {
            pool.build(&mut script.arena, nc, settings.dmax, random);
        }
        let nm = settings.nm.unwrap_or((10 * largest as u32).clamp(300, 1000));
        let mark = script.arena.mark();
        let declarations = frame.declarations;
        Ok(Box::new(StormChain {
            script,
            declarations,
            guards,
            pools,
            settings,
            nm,
            mark,
            last: 0,
        }))
    }
}

/// Boolean constants for `check-sat-assuming`, which takes only literals: their values are fixed once, so that one
/// witness serves all instances.
fn guards(script: &mut Script) -> Vec<(Fun, bool)> {
    let a = &mut script.arena;
    (0..4).map(|i| (fresh_constant(a, "smelt!assume", Sort::BOOL), i % 2 == 0)).collect()
}

fn with_guards(mut model: Model, guards: &[(Fun, bool)]) -> Model {
    for &(f, value) in guards {
        model.set_value(f, value.into());
    }
    model
}

/// The assignments to work with: first what is known about the seed's checks, then random ones.
fn models(
    input: &Input<'_>,
    script: &mut Script,
    frame: &Frame,
    wanted: usize,
    random: &mut ChaCha8Rng,
) -> Vec<Model> {
    let known = input.seed.checks.iter().filter_map(|k| k.model.as_ref());
    let mut out: Vec<Model> = known
        .take(wanted)
        .map(|m| {
            let mut m = Model::clone(m);
            m.complete(&script.arena, frame.symbols.iter().copied());
            m
        })
        .collect();
    let roots = frame.assertions();
    while out.len() < wanted {
        // A new source each time: the number of elements of a free sort is part of the assignment.
        let mut constants = Constants::of(&script.arena, &roots);
        out.push(random_model(&mut script.arena, &frame.symbols, &mut constants, random));
    }
    out
}

struct StormChain {
    script: Script,
    declarations: Vec<Command>,
    guards: Vec<(Fun, bool)>,
    pools: Vec<Pool>,
    settings: Settings,
    /// Instances that are still to be made.
    nm: u32,
    mark: Mark,
    /// The pool that the last instance came from: its values reach beyond the mark.
    last: usize,
}

impl Chain for StormChain {
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        if self.nm == 0 {
            return Err("the number of instances is reached".into());
        }
        self.nm -= 1;
        self.pools[self.last].values.rollback(&mut self.script.arena, self.mark);
        // The first assignment is the seed's own, if there is one: it gets half of the instances.
        let many = self.pools.len() > 1 && random.random_bool(0.5);
        self.last = if many { random.random_range(1..self.pools.len()) } else { 0 };
        let incremental = match self.settings.mode {
            Mode::Plain => false,
            Mode::Incremental => true,
            Mode::Mixed => random.random_range(0..4) == 0,
        };
        let pool = &mut self.pools[self.last];
        let mut made =
            instance::Instance::new(&mut self.script.arena, pool, &self.settings, &self.guards);
        if incremental {
            made.incremental(random)?;
        } else {
            made.plain(random)?;
        }
        let instance::Parts { commands, expect, what, guards } = made.finish();
        let declared = guards.into_iter().map(Command::DeclareFun);
        let all = self.declarations.iter().cloned().chain(declared).chain(commands);
        self.script.commands.clear();
        self.script.commands.extend(all);
        let (expect, what) = (expect.into(), what.into());
        Ok(Mutant { script: &mut self.script, expect, what, follows: Follows::Nothing })
    }
}
