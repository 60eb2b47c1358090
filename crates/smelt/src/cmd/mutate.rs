//! `smelt mutate`: what does a strategy make of a script?

use std::io::{BufWriter, StdoutLock, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::json;
use smelt_campaign::proofs::Proofs;
use smelt_campaign::{offline, remake, seeds};
use smelt_case::{Mutant, OpSet, Recipe, Seed, SeedRef};
use smelt_smtlib::{LogicChoice, PrintOptions, comment, print};
use smelt_strategy::{STRATEGIES, Strategy};

use crate::args;
use crate::exit::Exit;
use crate::voice::{complain, detail};

/// Print mutants of a script, as a strategy makes them.
///
/// Each mutant is a script behind comment lines that say how it was made and what is expected of each check: `open` (solvers
/// can only be compared), `sat (witness)`, `sat (claim)`, `unsat`. The same arguments give the same mutants, as long as no
/// further rules are proved (see `smelt rules`). Exit code: 0 if
/// all were made, 1 if fewer, 2 if something is wrong with the arguments or the script.
#[derive(clap::Args)]
#[command(mut_arg("out", |a| a.alias("out-dir").conflicts_with("json")))]
pub struct Args {
    /// The script, plain or compressed.
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// The strategy.
    #[arg(long, short, value_name = "NAME", required_unless_present = "list")]
    strategy: Option<String>,
    /// List the strategies with their parameters instead.
    #[arg(long)]
    list: bool,
    /// How many mutants.
    #[arg(short, value_name = "N", default_value_t = 10)]
    n: u64,
    #[command(flatten)]
    random: args::Seed,
    #[command(flatten)]
    params: args::Params,
    #[command(flatten)]
    operators: args::Operators,
    /// Another script for a strategy that wants several; may be repeated. Without any, the seeds inside smelt.
    #[arg(long = "partner", value_name = "FILE")]
    partners: Vec<PathBuf>,
    /// A model of the script, as a solver printed it, for strategies that need one.
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// The logic to write.
    #[arg(long, value_enum, default_value_t = LogicArg::Smallest)]
    logic: LogicArg,
    #[command(flatten)]
    json: args::Json,
    #[command(flatten)]
    out: args::Out,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogicArg {
    /// The logic of the seed, even if the mutant has more in it than that logic holds.
    Keep,
    /// The smallest standard logic that holds the mutant.
    Smallest,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (Some(file), Some(name), false) = (&args.file, &args.strategy, args.list) else {
        return list(args.json.json);
    };
    let strategy = find(name)?;
    let mut parameters = args.params.of(strategy)?;
    let model = args.model.as_deref().map(seeds::read).transpose()?;
    let seed = offline::seed(&seeds::read(file)?, model.as_ref())?;
    let proofs = Proofs::of_user()?;
    proofs.give_rules(strategy, &mut parameters);
    let wanted = proofs.want(strategy.unproved(&seed, &parameters));
    proofs.give_proofs(strategy, &wanted, &mut parameters);
    let partners = offline::partners(strategy, &seed, &args.partners)?;
    let seeds: Vec<&Seed> = std::iter::once(&seed).chain(&partners).collect();
    detail(|| seeds.iter().map(|s| format!("seed {}", s.name)).collect::<Vec<_>>().join("\n"));
    let mut recipe = Recipe {
        smelt: env!("CARGO_PKG_VERSION").into(),
        strategy: strategy.name().into(),
        parameters,
        without: remake::without(&operators(&seed, &args)?),
        campaign: args.random.or_zero(),
        seeds: seeds
            .iter()
            .map(|s| SeedRef { name: s.name.clone(), hash: s.hash.clone() })
            .collect(),
        chain: 0,
        step: 0,
    };
    if let Some(dir) = &args.out.out {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let mut out = Output::new(&args, file);
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
    out.to.flush()?;
    if made == args.n {
        return Ok(Exit::Fine);
    }
    let reason = reason.unwrap_or_default();
    if made == 0 {
        bail!("{}: {} cannot use it: {reason}", file.display(), strategy.name());
    }
    complain(&format!("only {made} of {} mutants were made: {reason}", args.n));
    Ok(Exit::No)
}

/// The strategies with their parameters.
fn list(json: bool) -> Result<Exit> {
    let mut out = std::io::stdout().lock();
    for s in STRATEGIES {
        let (name, about, parameters) = (s.name(), s.about(), s.parameters());
        if json {
            let one = |(n, about): &(&str, &str)| json!({ "name": n, "about": about });
            let parameters: Vec<_> = parameters.iter().map(one).collect();
            let line = json!({ "kind": "strategy", "strategy": name, "about": about, "parameters": parameters });
            writeln!(out, "{line}")?;
            continue;
        }
        writeln!(out, "{name:<12} {about}")?;
        for (name, about) in parameters {
            writeln!(out, "    {name:<12} {about}")?;
        }
    }
    Ok(Exit::Fine)
}

fn find(name: &str) -> Result<&'static dyn Strategy> {
    match smelt_strategy::by_name(name) {
        Some(s) => Ok(s),
        None => {
            let names: Vec<_> = STRATEGIES.iter().map(|s| s.name()).collect();
            bail!("unknown strategy `{name}` (known: {})", names.join(", "))
        }
    }
}

/// The operators that may be brought in.
fn operators(seed: &Seed, args: &Args) -> Result<OpSet> {
    let mut ops = offline::operators(seed, &args.operators.dialects());
    args.operators.restrict(&mut ops)?;
    Ok(ops)
}

/// Where mutants go.
struct Output<'a> {
    to: BufWriter<StdoutLock<'static>>,
    options: PrintOptions,
    args: &'a Args,
    file: &'a Path,
}

impl<'a> Output<'a> {
    fn new(args: &'a Args, file: &'a Path) -> Self {
        let logic = match args.logic {
            LogicArg::Keep => LogicChoice::Keep,
            LogicArg::Smallest => LogicChoice::Smallest,
        };
        // The seed's status is not the mutant's.
        let options = PrintOptions { logic, strip_status: true, ..PrintOptions::default() };
        Self { to: BufWriter::new(std::io::stdout().lock()), options, args, file }
    }

    fn mutant(&mut self, number: u64, recipe: &Recipe, mutant: &Mutant<'_>) -> Result<()> {
        let text = print(mutant.script, &self.options);
        let expect: Vec<&str> = mutant.expect.iter().map(|e| e.word()).collect();
        if self.args.json.json {
            let line = json!({
                "kind": "mutant",
                "mutant": number,
                "expectation": expect,
                "what": mutant.what,
                "recipe": recipe,
                "script": text,
            });
            writeln!(self.to, "{line}")?;
            return Ok(());
        }
        // What was done may have been said in several lines, and the name of a file may have some.
        let what = comment(&mutant.what.replace('\n', " "));
        let text = format!(
            "; mutant {number} of {}: {} --seed {}, chain {}, step {}\n; done: {what}\n; expectation: {}\n{text}",
            comment(&self.file.display().to_string()),
            recipe.strategy,
            recipe.campaign,
            recipe.chain,
            recipe.step,
            expect.join(", "),
        );
        match &self.args.out.out {
            None => writeln!(self.to, "{text}")?,
            Some(dir) => {
                let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
                let path = dir.join(format!("{stem}-{}-{number:05}.smt2", recipe.strategy));
                std::fs::write(&path, &text)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                writeln!(self.to, "{}", path.display())?;
            }
        }
        Ok(())
    }
}
