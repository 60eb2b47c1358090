//! Mutants by their recipes: the chain of a recipe is begun and followed in one way, whoever wants its mutants.

use std::ops::ControlFlow;

use anyhow::{Context, Result, anyhow, bail};
use smelt_case::{Mutant, OpSet, Recipe, Seed};
use smelt_smtlib::{Op, Script};
use smelt_strategy::{Input, Refusal, Strategy, by_name};

/// The operators that are not in a set, as recipes name them.
pub fn without(ops: &OpSet) -> Vec<String> {
    Op::all().filter(|&op| !ops.contains(op)).map(|op| format!("{op:?}")).collect()
}

/// The operators without these, as recipes name them.
pub fn allowed(without: &[String]) -> OpSet {
    if without.is_empty() {
        return OpSet::all();
    }
    Op::all().filter(|op| !without.contains(&format!("{op:?}"))).collect()
}

/// Makes the mutants of a recipe's chain, from the first step on, until `each` breaks off or the chain has its full length. The
/// first of the seeds is mutated, the others are its partners. The error is why the strategy did not go on.
pub fn follow<B>(
    strategy: &dyn Strategy,
    recipe: &Recipe,
    seeds: &[&Seed],
    mut each: impl FnMut(u32, &Mutant<'_>) -> ControlFlow<B>,
) -> Result<Option<B>, Refusal> {
    let Some((seed, partners)) = seeds.split_first() else { return Err("it has no seed".into()) };
    let ops = allowed(&recipe.without);
    let input = Input { seed, partners, ops: &ops, parameters: &recipe.parameters };
    let mut random = recipe.stream();
    let mut chain = strategy.start(&input, &mut random)?;
    for step in 0..strategy.chain_length() {
        if let ControlFlow::Break(result) = each(step, &chain.step(&mut random)?) {
            return Ok(Some(result));
        }
    }
    Ok(None)
}

/// The mutant of a recipe, made of the seeds that it names, in their order.
pub fn remake(recipe: &Recipe, seeds: &[&Seed]) -> Result<Script> {
    let hashes = || seeds.iter().map(|s| &s.hash);
    if !recipe.seeds.iter().map(|s| &s.hash).eq(hashes()) {
        bail!("these are not the seeds that were used");
    }
    let name = &recipe.strategy;
    let strategy = by_name(name).with_context(|| format!("there is no strategy {name}"))?;
    // A recipe that says otherwise is damaged.
    let most = strategy.chain_length();
    if recipe.step >= most {
        bail!("step {} of a chain of {most}", recipe.step);
    }
    let made = follow(strategy, recipe, seeds, |step, mutant| match step == recipe.step {
        true => ControlFlow::Break(mutant.script.clone()),
        false => ControlFlow::Continue(()),
    });
    let made = made.map_err(|why| anyhow!("{name} refuses: {why}"))?;
    made.with_context(|| format!("{name} made no mutant {}", recipe.step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offline;
    use crate::seeds::Source;
    use smelt_case::SeedRef;
    use smelt_smtlib::{PrintOptions, print};

    /// A recipe gives the mutant that its chain gave, and a wrong one is refused with a reason.
    #[test]
    fn a_mutant_is_made_again() {
        let text = b"(set-info :status unsat)(declare-const x Int)(declare-const y Int)\
            (assert (< (+ x y) (* x 2)))(assert (> y x))(check-sat)";
        let seed = offline::seed(&Source { name: "x".into(), text: text.to_vec() }, None).unwrap();
        let mut ops = OpSet::all();
        ops.remove(Op::Mul);
        for strategy in
            ["opfuzz", "typefuzz", "fusion", "janus", "sparrow"].map(|n| by_name(n).unwrap())
        {
            let seeds = vec![&seed; 1 + strategy.partners()];
            let named = |s: &&Seed| SeedRef { name: s.name.clone(), hash: s.hash.clone() };
            let mut recipe = Recipe {
                smelt: String::new(),
                strategy: strategy.name().into(),
                parameters: Vec::new(),
                without: without(&ops),
                campaign: 7,
                seeds: seeds.iter().map(named).collect(),
                chain: 3,
                step: 0,
            };
            let show = |s: &Script| print(s, &PrintOptions::default());
            let mut first: Vec<String> = Vec::new();
            let followed = follow(strategy, &recipe, &seeds, |step, mutant| {
                assert_eq!(step as usize, first.len());
                first.push(show(mutant.script));
                if first.len() == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(followed, Ok(Some(())), "{}", strategy.name());
            for (step, expect) in (0..).zip(first) {
                recipe.step = step;
                assert_eq!(show(&remake(&recipe, &seeds).unwrap()), expect, "{recipe:?}");
            }
            let refused = |recipe: &Recipe, seeds: &[&Seed], expect: &str| {
                let said = remake(recipe, seeds).err().unwrap().to_string();
                assert!(said.contains(expect), "{said}");
            };
            refused(&recipe, &[], "not the seeds that were used");
            let damaged = Recipe { step: u32::MAX, ..recipe.clone() };
            refused(&damaged, &seeds, "step 4294967295 of a chain of ");
            let unknown = Recipe { strategy: "x".into(), ..recipe.clone() };
            refused(&unknown, &seeds, "there is no strategy x");
            let wrong = Recipe { parameters: vec!["x=1".into()], ..recipe };
            refused(&wrong, &seeds, "refuses: unknown parameter `x`");
        }
    }
}
