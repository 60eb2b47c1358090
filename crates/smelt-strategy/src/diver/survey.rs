//! What the pre-analysis says about seeds, and what it is worth: for reports.

use rand_chacha::ChaCha8Rng;
use smelt_case::Seed;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::{Head, Op};

pub use super::Effort;
use super::abs::Abs;
use super::places::Places;
use super::{DiverChain, prepare, rules};
use crate::effort::limits;
use crate::{Input, Refusal};

/// Places whose set is nothing but the present value because no rule says more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fallback {
    /// All places.
    pub places: u64,
    /// Arguments of the operators that [`exact_operators`] lists.
    pub listed: u64,
    /// Places below too many operators without a rule.
    pub deep: u64,
    /// Closed terms under a binder, and terms without a value: these are not mutated at all.
    pub unknown: u64,
}

/// The operators whose arguments must keep their value.
pub fn exact_operators() -> &'static [Op] {
    rules::EXACT
}

/// The places of a seed's formula, by the theory of the operator above them (`binder` and `function` stand for what is no
/// operator).
pub fn fallbacks(seed: &Seed, random: &mut ChaCha8Rng) -> Result<Vec<(String, Fallback)>, Refusal> {
    let (script, frame, check, model) = prepare(seed, random)?;
    let mut values = Incremental::with_limits(model, limits());
    let a = &script.arena;
    let places = Places::of(a, &mut values, &frame.checks[check], true);
    let mut out: Vec<(String, Fallback)> = Vec::new();
    for p in &places.list {
        let Some(above) = places.above(p) else { continue };
        let mut listed = false;
        let name = match a.head(above.term) {
            Head::Op(op, _) => {
                listed = rules::EXACT.contains(&op);
                match op {
                    Op::Eq | Op::Distinct | Op::Ite => "Core".into(),
                    op => format!("{:?}", op.info().theory),
                }
            }
            Head::Bind(..) => "binder".into(),
            _ => "function".into(),
        };
        let at = out.iter().position(|(n, _)| *n == name).unwrap_or_else(|| {
            out.push((name, Fallback::default()));
            out.len() - 1
        });
        let sum = &mut out[at].1;
        sum.places += 1;
        let fixed = matches!(p.abs.as_deref(), Some(Abs::Exact(_) | Abs::Bool(_)));
        let deep = |x: &Abs| matches!(x, Abs::Via { nested, .. } if *nested >= rules::MAX_NESTED);
        if p.abs.is_none() {
            sum.unknown += 1;
        } else if fixed && listed {
            sum.listed += 1;
        } else if fixed && above.abs.as_deref().is_some_and(deep) {
            sum.deep += 1;
        }
    }
    Ok(out)
}

/// Chooses so many places of a seed's formula, as a chain does, and counts what it took: the paper's comparison of weighted
/// and uniform choice, without solvers. No mutant joins the pool.
pub fn effort(input: &Input<'_>, places: u64, random: &mut ChaCha8Rng) -> Result<Effort, Refusal> {
    let mut chain = DiverChain::new(input, random)?;
    while chain.effort.places < places {
        chain.forget_last();
        if chain.places.is_none() {
            chain.turn(random);
        }
        let before = chain.effort.places;
        if let Some(accepted) = chain.at_a_place(random) {
            chain.passing = accepted.fresh;
        }
        if chain.effort.places == before {
            return Err("no place can be changed".into());
        }
    }
    Ok(chain.effort)
}
