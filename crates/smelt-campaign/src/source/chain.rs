//! A chain of mutants of one seed, as a lease.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, Follows, Origin, Recipe};
use smelt_smtlib::Script;
use smelt_solver::{Mode, Status};
use smelt_strategy::{Chain, Refusal};
use smelt_triage::{TargetId, Truth};

use super::{Case, Done, Lease, Neighbour};
use crate::policy::Policy;
use crate::schedule::ChainResult;
use crate::seedbank::Prepared;

/// Most steps of one chain before another seed has its turn.
pub const MOST_STEPS: u32 = 100;
/// CPU seconds of one chain before another seed has its turn: cheap seeds give more tests.
const MOST_CPU: f64 = 1.0;

/// A chain on its way.
pub struct ChainLease<'a> {
    /// The strategy's chain.
    pub chain: Box<dyn Chain + 'a>,
    /// The stream of its random numbers.
    pub random: ChaCha8Rng,
    /// How to make the last mutant again.
    pub origin: Origin,
    /// The seed and its partners.
    pub seeds: &'a [Arc<Prepared>],
    /// Who is asked, and how.
    pub who: Vec<(TargetId, Mode)>,
    /// CPU time for one mutant.
    pub limit: Duration,
    /// How the solvers are related.
    pub policy: Policy,
    /// Whether neither time nor luck may change what is in the chain.
    pub frozen: bool,
    /// Whether answers to steps are compared with those to the steps before.
    pub compared: bool,
    /// What the first step comes from, if answers to steps are compared from there on.
    pub first: Option<Neighbour>,
    /// The script before the next step.
    pub last: Option<Neighbour>,
    /// The script before the last one.
    pub before: Option<Neighbour>,
    /// Steps that are left.
    pub left: u32,
    /// What the chain has given.
    pub result: ChainResult,
    /// Why it ended, if the strategy could not go on.
    pub refusal: Option<Refusal>,
    /// Whether a mutant has refuted what was expected of it.
    pub refuted: bool,
    /// Tests in a row that were too late, and that were refused.
    pub late: u32,
    /// Tests in a row that nobody took.
    pub useless: u32,
    /// CPU seconds of solvers.
    pub spent: f64,
    /// The last mutant with the names of the seed's assertions, if these have any.
    pub labelled: Option<Script>,
}

impl ChainLease<'_> {
    fn recipe(&mut self) -> Option<&mut Recipe> {
        match &mut self.origin {
            Origin::Mutant(recipe) => Some(recipe),
            _ => None,
        }
    }
}

impl Lease for ChainLease<'_> {
    fn who(&self) -> &[(TargetId, Mode)] {
        &self.who[..self.policy.asked(self.result.tests, self.who.len())]
    }

    fn limit(&self) -> Duration {
        self.limit
    }

    fn next(&mut self) -> Option<Case<'_>> {
        self.left = self.left.checked_sub(1)?;
        let step = self.result.tests;
        if let Some(recipe) = self.recipe() {
            recipe.step = step;
        }
        let mutant = match self.chain.step(&mut self.random) {
            Ok(mutant) => mutant,
            Err(refusal) => {
                self.refusal = Some(refusal);
                return None;
            }
        };
        self.before = match mutant.follows {
            Follows::LastStep => self.last.take(),
            Follows::Seed => self.first.clone(),
            Follows::Nothing => None,
        };
        self.last = None;
        let own = &self.seeds[0];
        let apart = !own.names.is_empty();
        self.labelled = apart.then(|| own.labelled(mutant.script.clone()));
        Some(Case {
            script: self.labelled.as_mut().unwrap_or(mutant.script),
            truths: mutant.expect.iter().map(truth).collect(),
            expect: mutant.expect,
            what: mutant.what,
            origin: &self.origin,
            seeds: self.seeds,
            before: self.before.as_ref(),
            related: self.compared && mutant.follows != Follows::Nothing,
            said: Vec::new(),
            apart,
            text: None,
        })
    }

    fn learn(&mut self, done: &Done) {
        if done.too_large {
            self.left = 0;
            return;
        }
        // What is refused under its options would be refused to the end of the chain. Two builds are compared in one mode.
        let all = self.policy == Policy::Compare && !done.overvaried.is_empty();
        for (who, mode) in &mut self.who {
            if all || done.overvaried.contains(who) {
                *mode = self.seeds[0].with_options(*who, mode.unvaried());
            }
        }
        let decided_by = done.decided_by.clone();
        self.last = done.text.clone().map(|text| Neighbour { text, decided_by });
        self.refuted |= done.refuted;
        self.result.tests += 1;
        self.result.decided += u32::from(done.decided);
        self.result.slow += u32::from(done.slow);
        self.result.near += u32::from(done.near);
        self.late = if done.slow && !done.decided { self.late + 1 } else { 0 };
        self.useless = if done.useless { self.useless + 1 } else { 0 };
        self.spent += done.cpu;
        // A hard or refused seed never blocks the run; a schedule that is frozen does not look at time.
        let dear = self.spent > MOST_CPU && self.result.tests >= 5;
        let hard = self.late >= 2 || self.result.slow > 8 || dear;
        // What the tested release does not decide as expected is no step to go on from.
        let tested = self.who.first().map(|(who, _)| *who);
        let lost = self.policy == Policy::Releases
            && tested.is_some_and(|who| !done.decided_by.contains(&who));
        if !self.frozen && hard || self.useless >= 2 || lost {
            self.left = 0;
        }
    }
}

/// What an expectation of a strategy says about a check.
fn truth(expect: &Expectation) -> Truth {
    let of = |witness, label| Truth { witness, label, ..Truth::default() };
    match expect {
        Expectation::Open => of(false, Status::Unknown),
        Expectation::Sat(witness) => of(witness.is_some(), Status::Sat),
        Expectation::Unsat => of(false, Status::Unsat),
    }
}
