//! `cargo xtask nolie`: do the strategies tell the truth?
//!
//! Makes mutants of a corpus. The witness of every check that is expected to be satisfiable is judged again on the printed
//! and re-parsed script; unsat expectations over small domains are judged by brute force; a sample is given to the newest z3 and
//! cvc5. A script that is a lie, or that a solver contradicts, is kept in `target/nolie`.

mod sample;
mod seeds;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, OpSet, Seed, Status};
use smelt_eval::brute_force_within;
use smelt_smtlib::Op;
use smelt_smtlib::op::Dialect;
use smelt_strategy::diver::survey::{Effort, Fallback, effort, exact_operators, fallbacks};
use smelt_strategy::recheck::{Recheck, recheck, text};
use smelt_strategy::{Input, Strategy, by_name};

use crate::judge::install::target_dir;
use sample::Sample;

/// How often a long run says how far it is.
const TELL: Duration = Duration::from_secs(60);

/// What to run.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// The strategy.
    #[arg(long)]
    strategy: String,
    /// Its parameters, as `name=value`.
    #[arg(long = "set")]
    parameters: Vec<String>,
    /// How many mutants.
    #[arg(long, default_value_t = 10_000)]
    mutants: u64,
    /// A folder of scripts; by default the embedded seeds.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Scripts up to this size.
    #[arg(long, default_value_t = 8192)]
    max_bytes: u64,
    /// Every so many scripts of the corpus.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Asks z3 for models of sat scripts; without it, seeds are made satisfiable under random assignments only.
    #[arg(long)]
    models: bool,
    /// How many mutants are given to z3 and cvc5. New operators are then those that both may know.
    #[arg(long, default_value_t = 0)]
    sample: u64,
    /// CPU seconds of a solver per sampled mutant.
    #[arg(long, default_value_t = 2.0)]
    limit: f64,
    /// What brute force may cost per check: assignments times terms.
    #[arg(long, default_value_t = 1_000_000)]
    work: u64,
    /// Seed of randomness.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Default)]
struct Counts {
    mutants: u64,
    chains: u64,
    witnesses: u64,
    unsat: u64,
    open: u64,
    claims: u64,
    brute: u64,
    not_transferable: BTreeMap<String, u64>,
    undecided: BTreeMap<String, u64>,
    refused: BTreeMap<String, u64>,
    lies: u64,
}

/// Runs; fails if there is a lie.
pub fn run(options: &Options) -> Result<()> {
    let Some(strategy) = by_name(&options.strategy) else {
        bail!("no strategy {}", options.strategy);
    };
    let folder = target_dir().join("nolie");
    std::fs::create_dir_all(&folder)?;
    let started = Instant::now();
    let all = seeds::load(
        options.corpus.as_deref(),
        options.max_bytes,
        options.every,
        options.models,
        options.seed,
    )?;
    println!(
        "{} seeds: {} with a model of z3, {} made satisfiable, {} unsat ({} s)",
        all.list.len(),
        all.modelled.len(),
        all.satisfied,
        all.unsat,
        started.elapsed().as_secs()
    );
    let mut sample =
        (options.sample > 0).then(|| Sample::new(&folder, &options.strategy, options.limit));
    let ops: OpSet = match sample {
        None => OpSet::all(),
        Some(_) => Op::all()
            .filter(|op| matches!(op.info().dialect, Dialect::Standard | Dialect::Common))
            .collect(),
    };
    let every = options.mutants.checked_div(options.sample).unwrap_or(u64::MAX).max(1);
    let mut counts = Counts::default();
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let steps = (options.mutants / all.list.len().max(1) as u64).clamp(5, 100) as u32;
    let (mut fruitless, mut told) = (0, Instant::now());
    while counts.mutants < options.mutants {
        let before = counts.mutants;
        for i in 0..all.list.len() {
            if counts.mutants >= options.mutants {
                break;
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                eprintln!("{} mutants, {} lies", counts.mutants, counts.lies);
            }
            let partners = partners(strategy, &all.list, i, &mut random);
            let input = Input {
                seed: &all.list[i],
                partners: &partners,
                ops: &ops,
                parameters: &options.parameters,
            };
            let mut chain = match strategy.start(&input, &mut random) {
                Ok(c) => c,
                Err(why) => {
                    *counts.refused.entry(why.into_owned()).or_default() += 1;
                    continue;
                }
            };
            counts.chains += 1;
            for _ in 0..steps {
                let mutant = match chain.step(&mut random) {
                    Ok(m) => m,
                    Err(why) => {
                        *counts.refused.entry(why.into_owned()).or_default() += 1;
                        break;
                    }
                };
                counts.mutants += 1;
                let lie = judge(mutant.script, &mutant.expect, options.work, &mut counts);
                if let Some(why) = lie {
                    counts.lies += 1;
                    let file = folder.join(format!("lie-{}-{}.smt2", strategy.name(), counts.lies));
                    let comment = format!("; {}\n; {}\n", all.list[i].name, mutant.what);
                    let why: String = why.lines().map(|l| format!("; {l}\n")).collect();
                    std::fs::write(&file, format!("{comment}{why}{}", text(mutant.script)))?;
                    println!("LIE: {}", file.display());
                }
                if let Some(sample) = &mut sample
                    && counts.mutants % every == 0
                {
                    let origin = format!("{}: {}", all.list[i].name, mutant.what);
                    sample.ask(mutant.script, &mutant.expect, &origin)?;
                }
            }
        }
        fruitless = if counts.mutants == before { fruitless + 1 } else { 0 };
        if fruitless > 2 {
            bail!("the seeds give no mutants: {:?}", counts.refused);
        }
    }
    report(&counts, started);
    if let Some(sample) = &sample {
        sample.report();
    }
    if options.strategy == "diver" {
        survey(&all, &ops, &mut random);
    }
    if counts.lies > 0 {
        bail!("{} lies", counts.lies);
    }
    Ok(())
}

fn partners<'a>(
    strategy: &dyn Strategy,
    all: &'a [Seed],
    i: usize,
    random: &mut ChaCha8Rng,
) -> Vec<&'a Seed> {
    let mut out = Vec::new();
    for _ in 0..20 * strategy.partners() {
        if out.len() == strategy.partners() {
            break;
        }
        // Neighbours have similar sorts.
        let near = random.random_bool(0.7);
        let j = if near {
            i + random.random_range(1..20usize)
        } else {
            random.random_range(0..all.len())
        };
        let partner = &all[j % all.len()];
        if strategy.may_partner(&all[i], partner) {
            out.push(partner);
        }
    }
    out
}

/// Why the expectation of a mutant is wrong, if it is.
fn judge(
    script: &smelt_smtlib::Script,
    expect: &[Expectation],
    work: u64,
    counts: &mut Counts,
) -> Option<String> {
    let queries = script.queries();
    for (q, e) in queries.iter().zip(expect) {
        match e {
            Expectation::Open => counts.open += 1,
            Expectation::Sat(Some(_)) => counts.witnesses += 1,
            Expectation::Sat(None) => {
                counts.claims += 1;
                match brute_force_within(script, q, work) {
                    Status::Unsat => return Some("brute force finds no model".into()),
                    Status::Sat => counts.brute += 1,
                    Status::Unknown => {}
                }
            }
            Expectation::Unsat => {
                counts.unsat += 1;
                match brute_force_within(script, q, work) {
                    Status::Sat => return Some("brute force finds a model".into()),
                    Status::Unsat => counts.brute += 1,
                    Status::Unknown => {}
                }
            }
        }
    }
    match recheck(script, expect) {
        Recheck::Agrees(_) => None,
        Recheck::NotTransferable(what) => {
            *counts.not_transferable.entry(what).or_default() += 1;
            None
        }
        Recheck::Undecided(why) => {
            *counts.undecided.entry(why).or_default() += 1;
            None
        }
        Recheck::Unreadable(why) | Recheck::Lie(why) => Some(why),
    }
}

fn report(c: &Counts, started: Instant) {
    println!(
        "{} mutants of {} chains in {} s: {} witnesses judged again on the printed script, {} claims without a witness, {} unsat ({} of both by brute force), {} open",
        c.mutants,
        c.chains,
        started.elapsed().as_secs(),
        c.witnesses,
        c.claims,
        c.unsat,
        c.brute,
        c.open
    );
    let untransferred: u64 = c.not_transferable.values().sum();
    println!("{untransferred} witnesses have a value without a text; {} lies", c.lies);
    for (why, n) in &c.undecided {
        println!("{n:>8} not decided again: {why}");
    }
    for (why, n) in &c.refused {
        println!("{n:>8} refused: {why}");
    }
}

/// What the pre-analysis of DIVER says, by theory of the operator, and what the weights are worth.
fn survey(seeds: &seeds::Seeds, ops: &OpSet, random: &mut ChaCha8Rng) {
    let mut sums: BTreeMap<String, Fallback> = BTreeMap::new();
    for seed in &seeds.list {
        for (theory, f) in fallbacks(seed, random).unwrap_or_default() {
            let sum = sums.entry(theory).or_default();
            sum.places += f.places;
            sum.listed += f.listed;
            sum.deep += f.deep;
            sum.unknown += f.unknown;
        }
    }
    let list: Vec<&str> = exact_operators().iter().map(|op| op.info().name).collect();
    println!("arguments must keep their exact value under: {}", list.join(" "));
    println!(
        "{:<18}{:>9}{:>9}{:>9}{:>9}{:>8}",
        "theory", "places", "listed", "deep", "unknown", "exact"
    );
    for (theory, f) in sums {
        let share = 100.0 * (f.listed + f.deep) as f64 / f.places.max(1) as f64;
        println!(
            "{theory:<18}{:>9}{:>9}{:>9}{:>9}{share:>7.1}%",
            f.places, f.listed, f.deep, f.unknown
        );
    }
    // The paper's seeds have models of solvers: what random values satisfy is looser.
    let few: Vec<&Seed> = match &seeds.modelled[..] {
        [] => seeds.list.iter().collect(),
        some => some.iter().map(|&i| &seeds.list[i]).collect(),
    };
    println!(
        "{:<9}{:>7}{:>9}{:>12}{:>9}{:>15}",
        "weights", "seeds", "places", "terms", "mutants", "terms/mutant"
    );
    for weights in ["on", "off"] {
        let parameters = [format!("weights={weights}")];
        let (mut sum, mut used) = (Effort::default(), 0);
        for seed in &few {
            let input = Input { seed, partners: &[], ops, parameters: &parameters };
            let Ok(e) = effort(&input, 100, random) else { continue };
            used += 1;
            sum.places += e.places;
            sum.terms += e.terms;
            sum.mutants += e.mutants;
        }
        println!(
            "{weights:<9}{used:>7}{:>9}{:>12}{:>9}{:>15.2}",
            sum.places,
            sum.terms,
            sum.mutants,
            sum.terms as f64 / sum.mutants.max(1) as f64
        );
    }
}

/// Where the embedded seeds are.
pub(crate) fn embedded() -> Result<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    root.canonicalize().context("the embedded seeds")
}
