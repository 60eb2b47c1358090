//! The mutants of one seed.

use std::ops::ControlFlow;

use anyhow::Result;
use smelt_campaign::proofs::Proofs;
use smelt_campaign::{offline, remake};
use smelt_case::{OpSet, Recipe, Seed, SeedRef};
use smelt_strategy::Strategy;

use super::Args;
use crate::view::mutant::Output;
use crate::voice::detail;

/// Makes mutants of a seed, whose partners are made as the caller makes them; how many, and why not more.
pub(super) fn make(
    args: &Args,
    strategy: &'static dyn Strategy,
    seed: Seed,
    partner: (offline::Maker<'_>, usize),
    out: &mut Output<'_>,
) -> Result<(u64, String)> {
    let mut parameters = args.params.of(strategy)?;
    let proofs = Proofs::of_user()?;
    proofs.give_rules(strategy, &mut parameters);
    let wanted = proofs.want(strategy.unproved(&seed, &parameters));
    proofs.give_proofs(strategy, &wanted, &mut parameters);
    let partners = offline::partners(strategy, &seed, &args.partners, partner)?;
    let seeds: Vec<&Seed> = std::iter::once(&seed).chain(&partners).collect();
    detail(|| seeds.iter().map(|s| format!("seed {}", s.name)).collect::<Vec<_>>().join("\n"));
    let named = |s: &&Seed| SeedRef { name: s.name.clone(), hash: s.hash.clone() };
    let mut recipe = Recipe {
        smelt: env!("CARGO_PKG_VERSION").into(),
        strategy: strategy.name().into(),
        parameters,
        without: remake::without(&operators(&seed, args)?),
        campaign: args.random.or_zero(),
        seeds: seeds.iter().map(named).collect(),
        chain: 0,
        step: 0,
    };
    let (mut made, mut reason) = (0, None);
    // A chain that ends at once says nothing about the next, which has another stream; but not for ever.
    let mut idle = 0;
    while made < args.n && idle < 20 {
        let before = made;
        let followed = remake::follow(strategy, &recipe, &seeds, |step, mutant| {
            made += 1;
            match out.mutant(made, &Recipe { step, ..recipe.clone() }, mutant) {
                Ok(()) if made < args.n => ControlFlow::Continue(()),
                done => ControlFlow::Break(done),
            }
        });
        match followed {
            Ok(done) => done.transpose()?,
            Err(why) => {
                reason = Some(why);
                None
            }
        };
        recipe.chain += 1;
        idle = if made == before { idle + 1 } else { 0 };
    }
    out.flush()?;
    Ok((made, reason.map_or_else(String::new, |r| r.to_string())))
}

/// The operators that may be brought in.
fn operators(seed: &Seed, args: &Args) -> Result<OpSet> {
    let mut ops = offline::operators(seed, &args.operators.dialects());
    args.operators.restrict(&mut ops)?;
    Ok(ops)
}
