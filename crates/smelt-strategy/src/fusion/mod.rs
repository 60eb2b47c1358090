//! Semantic Fusion: two or more seeds joined through an invertible function.
//!
//! **Paper.** "Validating SMT Solvers via Semantic Fusion" (2020); chapter 3 of "Solidifying Modern SMT Solvers".
//!
//! **Needs.** Seeds whose checks are sat with a model, or unsat. Definitions are expanded, symbols renamed apart.
//!
//! **Rule.** Pairs (x of φ1, y of φ2) are joined by z = f(x, y) with x = rx(y, z) and y = ry(x, z); *some* occurrences of x and
//! of y, each by coin flip, are replaced by the inversions.
//! sat + sat: all assertions, `Sat`. unsat + unsat: the disjunction of both and the three equations of each triplet,
//! `Unsat`. sat + unsat: the disjunction, `Sat`; or all assertions and the equations, `Unsat`.
//! A third seed (up to 16 with `seeds=N`, if so many are given) is fused with what comes out, by the same rules. With `fuse=off` nothing is replaced (ConcatFuzz).
//!
//! **Why the expectation holds.** `Sat`: every assertion is evaluated to true under the union of the models, extended by the value
//! of each z (an unsat formula's symbols have random values: it is one side of a disjunction). `Unsat`: under the three
//! equations each replaced occurrence has the value of the symbol that it replaces, so the fused formula says what the seeds
//! say; it rests on their labels.
//!
//! **Several checks.** The first seed's other checks stay, each in a scope before the fused one; of the other seeds one check takes part.
//!
//! **Departures from the paper.** Always all three equations: with the first alone, products are unsound. A product is used where
//! both factors differ from 0, or with a guard. Functions for Bool, bit-vectors, sequences, fields, sets, bags and pairs of
//! different sorts (see `rules/fusion.rules`, which is read like a user's file). `rules=FILE` adds those of another rule file; `functions=FILE` takes another
//! one instead, or one in the published `#begin … #end` syntax. No proof is asked for: all three equations are asserted, so that a wrong function makes no
//! wrong `Unsat`, and `Sat` is evaluated. Two models that give a different meaning to division by zero are no witness:
//! the evaluator then finds an assertion false, and the pair is refused.
//!
//! **Example.** `(= x (- 1))` and `(= y (- 1))` with z = x·y become `(= (div z y) (- 1))` and `(= y (- 1))`.

pub(crate) mod part;
#[cfg(test)]
mod tests;
mod transfer;
mod triplet;

use std::borrow::Cow;
use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, Follows, Mutant, OpSet, Seed};
use smelt_eval::Model;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::arena::Mark;
use smelt_smtlib::{Arena, Command, Fun, Head, Op, Script, Status, Term};

use crate::companions::Companions;
use crate::effort::limits;
use crate::parameters::Parameters;
use crate::rule_book::rules;
use crate::rules::fusion::{FusionRule, read};
use crate::{Chain, Input, Parameter, Refusal, Strategy};
use part::{Part, constants_of, further};
use triplet::{Containing, Source, Triplet, substitute, triplets};

/// The strategy.
pub struct Fusion;

/// Triplets that a chain has to choose from.
const TRIPLETS: usize = 24;
/// Triplets of one mutant.
const MAX_USED: usize = 4;
/// Tries of one step.
const TRIES: u32 = 8;
/// Seeds of one mutant, at most.
const MAX_SEEDS: usize = 16;

const PARAMETERS: &[Parameter] = &[
    ("fuse", "on or off (on): replace symbols by inversions; off only joins the seeds"),
    ("seeds", "N (2 or 3; up to 16): seeds of one mutant"),
    ("functions", "FILE: fusion functions instead of smelt's own"),
    ("rules", "FILE: further rules"),
];

impl Strategy for Fusion {
    fn name(&self) -> &'static str {
        "fusion"
    }

    fn about(&self) -> &'static str {
        "fuses seeds through invertible functions (Semantic Fusion): sat with a witness, or unsat"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn chain_length(&self) -> u32 {
        50
    }

    fn file_parameters(&self) -> &'static [&'static str] {
        &["functions", "rules"]
    }

    fn partners(&self) -> usize {
        2
    }

    fn may_partner(&self, seed: &Seed, partner: &Seed) -> bool {
        seed.checks.iter().any(part::usable) && partner.checks.iter().any(part::usable)
    }

    fn start<'a>(
        &self,
        input: &Input<'a>,
        random: &mut ChaCha8Rng,
    ) -> Result<Box<dyn Chain + 'a>, Refusal> {
        let p = Parameters::read(input.parameters, PARAMETERS)?;
        let fuse = p.switch("fuse", true)?;
        let wanted = match p.count("seeds", 0, MAX_SEEDS)? {
            0 if p.text("seeds").is_none() => 2 + usize::from(random.random_range(0..4) == 0),
            n if n >= 2 => n,
            n => return Err(format!("`seeds={n}`: at least 2").into()),
        };
        let given;
        let set = rules(&p)?;
        let rules: &[FusionRule] = match p.text("functions") {
            None => &set.rules.fusions,
            Some(text) => {
                let (rules, left_out) = read(text).map_err(|e| format!("functions: {e}"))?;
                if let (true, Some(why)) = (rules.is_empty(), left_out.first()) {
                    return Err(format!("functions: {why}").into());
                }
                given = rules;
                &given
            }
        };
        if rules.is_empty() && fuse {
            return Err("there are no fusion functions".into());
        }
        let (mut script, first, model, companions) = part::first(input.seed, random)?;
        let mut values = Incremental::with_limits(model, limits());
        if first.status.is_sat() && !all_hold(&script, &mut values, &first) {
            return Err("the seed's model is not seen to be true".into());
        }
        script.commands = first.declarations.clone();
        let mut sat = first.status.is_sat();
        let mut xs = first.constants.clone();
        let mut parts = vec![first];
        let mut joints = Vec::new();
        let mut reason: Refusal = "there is no seed to fuse with".into();
        for (i, partner) in input.partners.iter().enumerate() {
            if parts.len() == wanted {
                break;
            }
            let before = (values.model().clone(), script.commands.len());
            let mut model = before.0.clone();
            let joined = further(partner, i + 2, &mut script, &mut model, random);
            let joined = joined.and_then(|part| {
                values.set_model(model);
                if part.status.is_sat() && !all_hold(&script, &mut values, &part) {
                    return Err("the models of the seeds do not make one model".into());
                }
                script.commands.extend(part.declarations.iter().cloned());
                if !fuse {
                    return Ok((part, Vec::new()));
                }
                let terms = parts.iter().chain([&part]).flat_map(|p| p.assertions.iter().copied());
                let terms: Vec<Term> = terms.collect();
                let allowed = &allowed(input.ops, &script.arena, &terms);
                // Where both are unsat there is no model for the equations to be true under.
                let source =
                    Source { rules, allowed, check: sat || part.status.is_sat(), wanted: TRIPLETS };
                let between = (&xs[..], &part.constants[..]);
                let found = triplets(&mut script, between, &source, &mut values, random);
                match found.is_empty() {
                    true => Err("no pair of symbols has a fusion function".into()),
                    false => Ok((part, found)),
                }
            });
            match joined {
                Ok((part, found)) => {
                    xs.extend(&part.constants);
                    xs.extend(found.iter().map(|t| t.z));
                    sat |= part.status.is_sat();
                    parts.push(part);
                    joints.push(found);
                }
                // Another one may do.
                Err(why) => {
                    reason = why;
                    values.set_model(before.0);
                    script.commands.truncate(before.1);
                }
            }
        }
        if parts.len() < 2 {
            return Err(reason);
        }
        let mut declarations = script.commands.clone();
        declarations.extend(companions.commands.iter().cloned());
        let mark = script.arena.mark();
        let witness = Arc::new(values.model().clone());
        let containing = Containing::default();
        Ok(Box::new(FusionChain {
            script,
            declarations,
            companions,
            parts,
            joints,
            values,
            witness,
            mark,
            containing,
        }))
    }
}

/// Whether every assertion is true under the model.
fn all_hold(script: &Script, values: &mut Incremental, part: &Part) -> bool {
    part.assertions.iter().all(|&t| values.holds(&script.arena, t) == Some(true))
}

/// The operators that a fusion function may use: those that may be brought in, those of the seeds, and equality.
fn allowed(ops: &OpSet, a: &Arena, assertions: &[Term]) -> OpSet {
    let mut out = ops.clone();
    out.insert(Op::Eq);
    for t in a.dag(assertions) {
        if let Head::Op(op, _) = a.head(t) {
            out.insert(op);
        }
    }
    out
}

struct FusionChain {
    script: Script,
    /// With the first seed's other checks behind them.
    declarations: Vec<Command>,
    companions: Companions,
    parts: Vec<Part>,
    /// Triplets between what is fused so far and the next part.
    joints: Vec<Vec<Triplet>>,
    values: Incremental,
    witness: Arc<Model>,
    mark: Mark,
    containing: Containing,
}

/// What is fused so far.
struct Fused {
    assertions: Vec<Term>,
    /// Never unknown.
    status: Status,
    zs: Vec<Fun>,
    rules: Vec<Box<str>>,
    replaced: u32,
}

impl FusionChain {
    /// Fuses the next part.
    fn join(&mut self, so_far: Fused, i: usize, random: &mut ChaCha8Rng) -> Option<Fused> {
        let part = &self.parts[i + 1];
        let mut used: Vec<&Triplet> = Vec::new();
        let joint = &self.joints[i];
        // Triplets may use a z that this mutant does not declare.
        let present = match i {
            0 => Cow::Borrowed(&self.parts[0].constants),
            _ => Cow::Owned(constants_of(&self.script.arena, &so_far.assertions)),
        };
        let tries = if joint.is_empty() { 0 } else { random.random_range(1..=MAX_USED) };
        for _ in 0..tries {
            let t = &joint[random.random_range(0..joint.len())];
            if present.contains(&t.x) && used.iter().all(|u| u.x != t.x && u.y != t.y) {
                used.push(t);
            }
        }
        if used.is_empty() && !joint.is_empty() {
            return None;
        }
        let a = &mut self.script.arena;
        let xs: Vec<(Fun, Term)> = used.iter().map(|t| (t.x, t.made.invert_x)).collect();
        let ys: Vec<(Fun, Term)> = used.iter().map(|t| (t.y, t.made.invert_y)).collect();
        let mut replaced = so_far.replaced;
        let holds = &mut self.containing;
        let mut one = |t: &Term, by: &[(Fun, Term)], r: &mut ChaCha8Rng| {
            substitute(a, holds, *t, by, &mut replaced, r)
        };
        let left: Vec<Term> = so_far.assertions.iter().map(|t| one(t, &xs, random)).collect();
        let right: Vec<Term> = part.assertions.iter().map(|t| one(t, &ys, random)).collect();
        let mut zs = so_far.zs;
        zs.extend(used.iter().map(|t| t.z));
        let mut rules = so_far.rules;
        rules.extend(used.iter().map(|t| t.rule.clone()));
        // One sat and one unsat formula can be fused to either.
        let alike = so_far.status == part.status;
        let status = if alike { part.status } else { Status::from(random.random_bool(0.5)) };
        let equations = used.iter().flat_map(|t| t.equations);
        let mut assertions = Vec::new();
        // Two unsat formulas are joined by a disjunction, so that each of them matters.
        let conjunction = if alike { status.is_sat() } else { status == Status::Unsat };
        if conjunction {
            assertions.extend(left.into_iter().chain(right));
        } else {
            let mut all = |list: Vec<Term>| match list[..] {
                [t] => Some(t),
                _ => a.app(Op::And, &[], &list).ok(),
            };
            let sides = [all(left)?, all(right)?];
            assertions.push(a.app(Op::Or, &[], &sides).ok()?);
        }
        if status == Status::Unsat {
            assertions.extend(equations);
        }
        Some(Fused { assertions, status, zs, rules, replaced })
    }
}

impl Chain for FusionChain {
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        for _ in 0..TRIES {
            self.values.rollback(&mut self.script.arena, self.mark);
            self.containing.truncate(&self.script.arena);
            let first = &self.parts[0];
            let mut fused = Some(Fused {
                assertions: first.assertions.clone(),
                status: first.status,
                zs: Vec::new(),
                rules: Vec::new(),
                replaced: 0,
            });
            for i in 0..self.joints.len() {
                fused = fused.and_then(|f| self.join(f, i, random));
            }
            let Some(fused) = fused else { continue };
            let a = &self.script.arena;
            if fused.status.is_sat()
                && fused.assertions.iter().any(|&t| self.values.holds(a, t) != Some(true))
            {
                continue;
            }
            let declared = fused.zs.iter().map(|&z| Command::DeclareFun(z));
            let asserted = fused.assertions.iter().map(|&t| Command::Assert(t));
            let all = self.declarations.iter().cloned().chain(declared).chain(asserted);
            self.script.commands = all.chain([Command::CheckSat]).collect();
            let expect = match fused.status {
                Status::Sat => Expectation::Sat(Some(self.witness.clone())),
                Status::Unsat => Expectation::Unsat,
                Status::Unknown => Expectation::Open,
            };
            let what = format!(
                "{} seeds, {} occurrences replaced, by {}",
                self.parts.len(),
                fused.replaced,
                if fused.rules.is_empty() { "nothing".into() } else { fused.rules.join(", ") }
            );
            return Ok(Mutant {
                script: &mut self.script,
                expect: self.companions.expect(expect).into(),
                what: what.into(),
                follows: Follows::Nothing,
            });
        }
        Err("no fusion is seen to be true".into())
    }
}
