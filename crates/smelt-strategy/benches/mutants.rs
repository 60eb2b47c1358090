//! Mutants per second of processor time, without solvers: `cargo bench -p smelt-strategy`.
//!
//! Seeds are the embedded ones, or the scripts below `SMELT_CORPUS` (every `SMELT_EVERY`-th), up to 2 KB. For strategies that need
//! a model, each seed is made satisfiable under a random assignment; unsat seeds keep their label for fusion. Starting
//! the chains is part of the time; printing is counted apart. Arguments choose strategies by name.
#![allow(clippy::print_stdout)]

#[path = "../tests/walk/mod.rs"]
mod walk;

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Known, OpSet, Seed, Status, digest};
use smelt_strategy::{Input, by_name, recheck, satisfy::satisfy};

const MAX_BYTES: u64 = 2048;
/// Steps of one chain, at most.
const STEPS: u32 = 300;

/// Strategy, parameters.
const RUNS: &[(&str, &[&str])] = &[
    ("storm", &[]),
    ("storm", &["mode=incremental"]),
    ("storm", &["amax=8", "dmax=16"]),
    ("diver", &[]),
    ("diver", &["weights=off"]),
    ("diver", &["complicate=off"]),
    ("fusion", &[]),
    ("fusion", &["fuse=off"]),
    ("janus", &[]),
    ("sparrow", &["form=cnf"]),
    ("sparrow", &["form=parity"]),
    ("sparrow", &["mutate=pst"]),
    ("sparrow", &["mutate=lpi"]),
];

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// Seeds with a model, and unsat ones.
fn seeds() -> (Vec<Seed>, Vec<Seed>) {
    let paths = walk::scripts(&walk::corpus(), MAX_BYTES);
    let every = std::env::var("SMELT_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut sat, mut unsat) = (Vec::new(), Vec::new());
    for p in paths.iter().step_by(every) {
        let Ok(text) = std::fs::read(p) else { continue };
        let Ok(script) = smelt_smtlib::parse(&text) else { continue };
        let mut checks = vec![Known::default(); script.queries().len()];
        let label = script.status() == Status::Unsat;
        if let ([known], true) = (&mut checks[..], label) {
            known.status = Status::Unsat;
            known.basis = Basis::Annotated;
        }
        let seed = Seed::new(p.display().to_string(), digest(&text), script, checks);
        sat.extend(satisfy(&seed, &mut random));
        if label && seed.checks.len() == 1 {
            unsat.push(seed);
        }
    }
    (sat, unsat)
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let (sat, unsat) = seeds();
    println!("{} seeds with a model, {} unsat seeds", sat.len(), unsat.len());
    println!(
        "{:<32}{:>9}{:>9}{:>12}{:>12}{:>9}{:>8}",
        "strategy", "chains", "mutants", "mutants/s", "+printing/s", "bytes", "refused"
    );
    for (name, parameters) in RUNS {
        if !chosen.is_empty() && !chosen.iter().any(|c| c == name) {
            continue;
        }
        let Some(strategy) = by_name(name) else { continue };
        let parameters: Vec<String> = parameters.iter().map(|&p| p.to_owned()).collect();
        let ops = OpSet::all();
        let all: Vec<&Seed> = match *name {
            "fusion" | "janus" | "sparrow" => sat.iter().chain(&unsat).collect(),
            _ => sat.iter().collect(),
        };
        let (mut making, mut printing) = (0.0, 0.0);
        let (mut mutants, mut chains, mut bytes) = (0u64, 0u64, 0u64);
        let mut refused: BTreeMap<String, u64> = BTreeMap::new();
        for (i, seed) in all.iter().enumerate() {
            let partners = [all[(i + 1) % all.len()], all[(i + 2) % all.len()]];
            let partners = &partners[..strategy.partners()];
            let input = Input { seed, partners, ops: &ops, parameters: &parameters };
            let mut random = ChaCha8Rng::seed_from_u64(i as u64);
            let began = cpu();
            let chain = strategy.start(&input, &mut random);
            making += cpu() - began;
            let mut chain = match chain {
                Ok(c) => c,
                Err(why) => {
                    *refused.entry(why.into_owned()).or_default() += 1;
                    continue;
                }
            };
            chains += 1;
            for step in 0..STEPS.min(strategy.chain_length()) {
                let began = cpu();
                let mutant = chain.step(&mut random);
                making += cpu() - began;
                let mutant = match mutant {
                    Ok(m) => m,
                    Err(why) => {
                        *refused.entry(why.into_owned()).or_default() += 1;
                        break;
                    }
                };
                mutants += 1;
                // Printing costs more than making: a sample is enough.
                if step % 10 == 0 {
                    let began = cpu();
                    bytes += recheck::text(mutant.script).len() as u64;
                    printing += 10.0 * (cpu() - began);
                }
            }
        }
        let label = format!("{name} {}", parameters.join(" "));
        println!(
            "{label:<32}{chains:>9}{mutants:>9}{:>12.0}{:>12.0}{:>9}{:>8}",
            mutants as f64 / making,
            mutants as f64 / (making + printing),
            10 * bytes / mutants.max(1),
            refused.values().sum::<u64>()
        );
        for (why, n) in refused {
            println!("    {n:>6} {why}");
        }
    }
}
