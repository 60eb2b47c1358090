//! STORM's minimisation as a pass: instances of the fuzzer over the failing script itself, with half of its assertions or half of its
//! depth. Each has a witness, so a solver that answers `unsat` is wrong on it; each success halves the bounds again.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_case::{Basis, Expectation, Known, OpSet, Seed, Status, digest};
use smelt_smtlib::{Command, Script, parse};
use smelt_strategy::{Input, Strategy, storm::Storm};

use crate::edit::Edit;
use crate::search::Reducible;
use crate::subject::Subject;
use crate::witness::Witness;

/// Instances that are made for each bound.
const INSTANCES: u32 = 40;
/// Of these, so many are tried.
const TRIED: usize = 2;

/// Instances with half of the assertions, and with half of the depth.
pub fn instances(s: &mut Subject) -> Vec<Edit> {
    let Some(witness) = &s.witness else { return Vec::new() };
    if s.script.queries().len() != 1 || s.check != Some(0) {
        return Vec::new();
    }
    let mut script = s.script.clone();
    let Some(model) = witness.model(&mut script, 0) else { return Vec::new() };
    let depths = script.commands.iter().filter_map(|c| {
        if let Command::Assert(t) = c { Some(script.arena.depth(*t)) } else { None }
    });
    let depths: Vec<u32> = depths.collect();
    let (many, deep) = (depths.len() as u32, depths.into_iter().max().unwrap_or(0));
    let known =
        Known { status: Status::Sat, basis: Basis::Evaluated, model: Some(Arc::new(model)) };
    let seed = Seed::new("it".to_owned(), digest(s.text().as_bytes()), script, vec![known]);
    let mut out = Vec::new();
    for (many, deep) in [(many.div_ceil(2), deep), (many, deep.div_ceil(2))] {
        let mut made = bounded(&seed, s, many, deep);
        made.sort_by_key(|m| m.text().len());
        made.truncate(TRIED);
        out.extend(made.into_iter().map(Edit::whole));
    }
    out
}

/// Instances with so many assertions of such a depth at most, each in an arena of its own.
fn bounded(seed: &Seed, s: &Subject, many: u32, deep: u32) -> Vec<Subject> {
    // A failure under a tactic is looked for under the same tactic.
    let tactic = s
        .script
        .commands
        .iter()
        .find_map(|c| if let Command::CheckSatUsing(t) = c { Some(&**t) } else { None });
    let parameters = [
        format!("tactics={}", tactic.unwrap_or("")),
        "mode=plain".to_owned(),
        "assignments=1".to_owned(),
        format!("amax={many}"),
        format!("dmax={deep}"),
        format!("nm={INSTANCES}"),
    ];
    let ops = OpSet::all();
    let input = Input { seed, partners: &[], ops: &ops, parameters: &parameters };
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(many) << 32 | u64::from(deep));
    let Ok(mut chain) = Storm.start(&input, &mut random) else { return Vec::new() };
    let mut out = Vec::new();
    while let Ok(mutant) = chain.step(&mut random) {
        let [Expectation::Sat(Some(model))] = &mutant.expect[..] else { continue };
        let Some(witness) = Witness::of(mutant.script, model) else { continue };
        let own: Option<Script> =
            parse(smelt_strategy::recheck::text(mutant.script).as_bytes()).ok();
        out.extend(
            own.map(|script| Subject::made(script, Some(0), Some(witness), s.style.clone())),
        );
    }
    out
}
