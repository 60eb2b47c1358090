//! `cargo xtask rejections`: do solvers take the mutants?
//!
//! Sends mutants of every strategy to solvers and counts what they refuse, by reason. A mutant uses only operators that the
//! solver has, and its seed is one that the solver takes; so every refusal is a form that smelt should not make, or a bug.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use smelt_case::{Known, OpSet, Recipe, Seed, SeedRef, digest};
use smelt_smtlib::{LogicChoice, Op, PrintOptions};
use smelt_solver::{
    Answer, Capabilities, Limits, Policy, Requests, Script, Session, Setup, Solver, testing,
};
use smelt_strategy::{Input, STRATEGIES, Strategy};

/// What to send where.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Solvers.
    #[arg(long, value_delimiter = ',', default_values = ["z3@latest", "cvc5@latest"])]
    solvers: Vec<String>,
    /// Strategies; all by default.
    #[arg(long, value_delimiter = ',')]
    strategies: Vec<String>,
    /// Folder of seeds; by default the seeds of the repository.
    #[arg(long)]
    seeds: Option<PathBuf>,
    /// How many mutants each strategy makes for each solver.
    #[arg(long, default_value_t = 2000)]
    mutants: usize,
    /// Steps of one chain.
    #[arg(long, default_value_t = 10)]
    steps: u32,
    /// Parameters of the strategies, as name=value.
    #[arg(long = "param")]
    parameters: Vec<String>,
    /// The campaign's seed of randomness.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Uses only operators that all the solvers have, as a campaign does.
    #[arg(long)]
    common: bool,
    /// Prints the first script of each reason.
    #[arg(long)]
    show: bool,
}

#[derive(Default)]
struct Counts {
    mutants: usize,
    answers: BTreeMap<&'static str, usize>,
    reasons: BTreeMap<String, (usize, String)>,
}

/// Runs. Fails if a solver refuses one per cent of the mutants of a strategy or more.
pub fn run(options: &Options) -> Result<()> {
    let folder = options
        .seeds
        .clone()
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"));
    let seeds = read(&folder)?;
    let mut solvers: Vec<(Solver, OpSet)> = Vec::new();
    for name in &options.solvers {
        let solver = testing::solver(name);
        let known = Capabilities::of(&testing::home(), &solver, None)?;
        let ops = Op::all().filter(|&op| known.supports(op)).collect();
        solvers.push((solver, ops));
    }
    if options.common {
        let mut all = OpSet::all();
        solvers.iter().for_each(|(_, ops)| all.intersect(ops));
        solvers.iter_mut().for_each(|(_, ops)| *ops = all.clone());
    }
    let mut bad = false;
    for (solver, ops) in &solvers {
        for &strategy in STRATEGIES {
            if !options.strategies.is_empty()
                && !options.strategies.iter().any(|s| s == strategy.name())
            {
                continue;
            }
            let counts = one(options, solver, ops, strategy, &seeds)?;
            bad |= report(options, solver, strategy, &counts);
        }
    }
    if bad {
        bail!("a solver refuses one per cent or more");
    }
    Ok(())
}

fn report(options: &Options, solver: &Solver, strategy: &dyn Strategy, counts: &Counts) -> bool {
    let refused: usize = counts.reasons.values().map(|(n, _)| n).sum();
    let share = 100.0 * refused as f64 / counts.mutants.max(1) as f64;
    println!(
        "{} {}: {refused} of {} refused ({share:.2} %) {:?}",
        solver.label(),
        strategy.name(),
        counts.mutants,
        counts.answers
    );
    let mut reasons: Vec<_> = counts.reasons.iter().collect();
    reasons.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
    for (reason, (n, example)) in reasons {
        println!("  {n:5} {reason}");
        if options.show {
            println!("{example}");
        }
    }
    share >= 1.0
}

fn read(folder: &Path) -> Result<Vec<Seed>> {
    let mut out = Vec::new();
    let mut dirs = vec![folder.to_owned()];
    let mut paths = Vec::new();
    while let Some(d) = dirs.pop() {
        for entry in std::fs::read_dir(&d)? {
            let path = entry?.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2")
                && path.metadata()?.len() <= 20_000
            {
                paths.push(path);
            }
        }
    }
    paths.sort();
    for path in paths {
        let text = std::fs::read(&path)?;
        let Ok(script) = smelt_smtlib::parse(&text) else { continue };
        let checks = vec![Known::default(); script.queries().len()];
        out.push(Seed::new(path.display().to_string(), digest(&text), script, checks));
    }
    Ok(out)
}

fn one(
    options: &Options,
    solver: &Solver,
    ops: &OpSet,
    strategy: &dyn Strategy,
    seeds: &[Seed],
) -> Result<Counts> {
    let limits = Limits::cpu(Duration::from_millis(300));
    let setup = Setup { models: true, incremental: true, limits, ..Setup::default() };
    let mut session = Session::new(solver, setup, Policy::default());
    let print = PrintOptions {
        naming: solver.profile().naming_of(solver.version()),
        logic: LogicChoice::Smallest,
        strip_status: true,
        ..PrintOptions::default()
    };
    let mut counts = Counts::default();
    let mut taken: Vec<Option<bool>> = vec![None; seeds.len()];
    let mut takes = |i: usize, session: &mut Session| -> Result<bool> {
        if let Some(known) = taken[i] {
            return Ok(known);
        }
        let text = smelt_smtlib::print(&seeds[i].script, &print);
        let outcome = session.run(&Script::new(&text), Requests::default())?;
        let fine = outcome.answers().all(|a| refusal(a).is_none());
        taken[i] = Some(fine);
        Ok(fine)
    };
    let mut chain_no = 0;
    // Rounds over all seeds, spread so that a small number of mutants sees all kinds of them.
    let stride = [97, 101, 103].into_iter().find(|s| !seeds.len().is_multiple_of(*s)).unwrap_or(1);
    while counts.mutants < options.mutants && chain_no < seeds.len() * 50 {
        let i = chain_no * stride % seeds.len();
        let chain = (chain_no / seeds.len()) as u64;
        chain_no += 1;
        if !takes(i, &mut session)? {
            continue;
        }
        let seed = &seeds[i];
        let mut partners: Vec<&Seed> = Vec::new();
        for k in 1..seeds.len() {
            let j = (i + k * 7) % seeds.len();
            if partners.len() == strategy.partners() {
                break;
            }
            if strategy.may_partner(seed, &seeds[j]) && takes(j, &mut session)? {
                partners.push(&seeds[j]);
            }
        }
        let refs = std::iter::once(&seed).chain(&partners);
        let refs = refs.map(|s| SeedRef { name: s.name.clone(), hash: s.hash.clone() });
        let recipe = Recipe {
            smelt: env!("CARGO_PKG_VERSION").into(),
            strategy: strategy.name().into(),
            parameters: options.parameters.clone(),
            without: Vec::new(),
            campaign: options.seed,
            seeds: refs.collect(),
            chain,
            step: 0,
        };
        let input = Input { seed, partners: &partners, ops, parameters: &options.parameters };
        let mut random = recipe.stream();
        let Ok(mut chain) = strategy.start(&input, &mut random) else { continue };
        for _ in 0..options.steps {
            if counts.mutants == options.mutants {
                break;
            }
            let Ok(m) = chain.step(&mut random) else { break };
            let text = smelt_smtlib::print(m.script, &print);
            let outcome =
                session.run(&Script::new(&text), Requests { model: true, core: false })?;
            counts.mutants += 1;
            let answer = outcome.answers().find(|a| refusal(a).is_some()).or(outcome.answer());
            let Some(answer) = answer else { continue };
            *counts.answers.entry(answer.kind()).or_default() += 1;
            if let Some(reason) = refusal(answer) {
                let e = counts.reasons.entry(reason).or_insert_with(|| (0, text));
                e.0 += 1;
            }
        }
    }
    Ok(counts)
}

/// Why the script was refused, without what differs from script to script.
fn refusal(answer: &Answer) -> Option<String> {
    let kind = answer.kind();
    let text = match answer {
        Answer::Rejected { error, .. } => error,
        Answer::Unsupported(text) | Answer::Unreadable(text) => text,
        _ => return None,
    };
    let mut out = format!("{kind}: ");
    let mut digits = false;
    for c in text.chars().take(300) {
        let digit = c.is_ascii_digit();
        match c {
            _ if digit && digits => {}
            _ if digit => out.push('#'),
            '\n' => out.push(' '),
            c => out.push(c),
        }
        digits = digit;
    }
    Some(out)
}
