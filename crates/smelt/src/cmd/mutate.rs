//! `smelt mutate`: what does a strategy make of a script?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::json;
use smelt_campaign::proofs::Proofs;
use smelt_campaign::seeds::{self, Source};
use smelt_case::{Basis, Known, Mutant, OpSet, Recipe, Seed, SeedRef, Status, digest};
use smelt_eval::{Evaluator, Model, ModelOptions, Value, parse_model};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::{Head, LogicChoice, Op, PrintOptions, Script, parse, print};
use smelt_strategy::{Input, STRATEGIES, Strategy};

use crate::args;
use crate::exit::Exit;

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
    /// A parameter of the strategy; may be repeated. Where the strategy wants the text of a file, its name is given.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// An operator that must not be brought in; may be repeated.
    #[arg(long, value_name = "OPERATOR")]
    without: Vec<String>,
    /// Operators of these dialects may be brought in, besides those of the standard and of the script.
    #[arg(long, value_enum, value_delimiter = ',')]
    dialects: Vec<DialectArg>,
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
    /// As in the script, even if the mutant has left it.
    Keep,
    /// The smallest standard logic that holds the mutant.
    Smallest,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DialectArg {
    Z3,
    Cvc5,
    Bitwuzla,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let (Some(file), Some(name), false) = (&args.file, &args.strategy, args.list) else {
        return list(args.json.json);
    };
    let strategy = find(name)?;
    let mut parameters = args
        .parameters
        .iter()
        .map(|p| args::params::with_file(strategy, p))
        .collect::<Result<Vec<_>>>()?;
    let mut seed = seed(&seeds::read(file)?, args.model.as_deref())?;
    // Mutants depend on the text, not on where the file is.
    seed.name = file.display().to_string();
    let proofs = Proofs::of_user()?;
    proofs.give_rules(strategy, &mut parameters);
    let wanted = proofs.want(strategy.unproved(&seed, &parameters));
    proofs.give_proofs(strategy, &wanted, &mut parameters);
    let partners = partners(strategy, &seed, &args.partners)?;
    let partners: Vec<&Seed> = partners.iter().collect();
    let ops = operators(&seed, &args)?;
    if let Some(dir) = &args.out.out {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let mut out = Output {
        to: std::io::BufWriter::new(std::io::stdout().lock()),
        options: PrintOptions {
            logic: match args.logic {
                LogicArg::Keep => LogicChoice::Keep,
                LogicArg::Smallest => LogicChoice::Smallest,
            },
            // The seed's status is not the mutant's.
            strip_status: true,
            ..PrintOptions::default()
        },
        args: &args,
        file,
    };
    let refs = std::iter::once(&seed).chain(partners.iter().copied());
    let mut recipe = Recipe {
        smelt: env!("CARGO_PKG_VERSION").into(),
        strategy: strategy.name().into(),
        parameters: parameters.clone(),
        without: args.without.clone(),
        campaign: args.random.or_zero(),
        seeds: refs.map(|s| SeedRef { name: s.name.clone(), hash: s.hash.clone() }).collect(),
        chain: 0,
        step: 0,
    };
    let input = Input { seed: &seed, partners: &partners, ops: &ops, parameters: &parameters };
    let mut made = 0;
    let mut reason = None;
    // A chain that ends at once says nothing about the next, which has another stream; but not for ever.
    let mut idle = 0;
    while made < args.n && idle < 20 {
        let before = made;
        let mut random = recipe.stream();
        match strategy.start(&input, &mut random) {
            Err(e) => reason = Some(e),
            Ok(mut chain) => {
                for step in 0..strategy.chain_length() {
                    if made == args.n {
                        break;
                    }
                    recipe.step = step;
                    match chain.step(&mut random) {
                        Ok(mutant) => {
                            made += 1;
                            out.mutant(made, &recipe, &mutant)?;
                        }
                        Err(e) => {
                            reason = Some(e);
                            break;
                        }
                    }
                }
            }
        }
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
    complain(&format!("smelt: only {made} of {} mutants were made: {reason}", args.n));
    Ok(Exit::No)
}

#[expect(clippy::print_stderr, reason = "a remark that is not part of the output")]
fn complain(text: &str) {
    eprintln!("{text}");
}

/// The strategies with their parameters.
fn list(json: bool) -> Result<Exit> {
    let mut out = std::io::stdout().lock();
    for s in STRATEGIES {
        if json {
            let parameters: Vec<_> = s
                .parameters()
                .iter()
                .map(|(n, about)| json!({ "name": n, "about": about }))
                .collect();
            let line =
                json!({ "strategy": s.name(), "about": s.about(), "parameters": parameters });
            writeln!(out, "{line}")?;
            continue;
        }
        writeln!(out, "{:<12} {}", s.name(), s.about())?;
        for (name, about) in s.parameters() {
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

/// A script with what can be known without solvers: a model that is given and true, all values tried, or its annotation.
fn seed(source: &Source, model: Option<&Path>) -> Result<Seed> {
    let mut script = match parse(&source.text) {
        Ok(s) => s,
        Err(e) => bail!("{}", e.render(&source.text, &source.name).trim_end()),
    };
    let model = model.map(|path| read_model(&mut script, path)).transpose()?;
    let queries = script.queries();
    let annotated = match (queries.len(), script.info(":status")) {
        (1, Some("sat")) => Status::Sat,
        (1, Some("unsat")) => Status::Unsat,
        _ => Status::Unknown,
    };
    let mut checks = Vec::new();
    for q in &queries {
        let proven = |status| Known { status, basis: Basis::Evaluated, model: None };
        checks.push(if let Some(model) = &model {
            let mut evaluator = Evaluator::default();
            for &t in &q.assertions {
                if evaluator.eval(&script.arena, model, t) != Ok(Value::Bool(true)) {
                    bail!("the model is not known to be one: `smelt eval` says more");
                }
            }
            Known { model: Some(model.clone()), ..proven(Status::Sat) }
        } else {
            match smelt_eval::brute_force(&script, q).decided() {
                Some(true) => proven(Status::Sat),
                Some(false) => proven(Status::Unsat),
                None if annotated == Status::Unknown => Known::default(),
                None => Known { status: annotated, basis: Basis::Annotated, model: None },
            }
        });
    }
    Ok(Seed::new(source.name.clone(), digest(&source.text), script, checks))
}

fn read_model(script: &mut Script, path: &Path) -> Result<Arc<Model>> {
    let text = seeds::read(path)?;
    match parse_model(script, &text.text, &ModelOptions::default()) {
        Ok(model) => Ok(Arc::new(model)),
        Err(e) => bail!("{}", e.render(&text.text, &text.name).trim_end()),
    }
}

/// The further seeds of a strategy that wants some.
fn partners(strategy: &dyn Strategy, seed: &Seed, files: &[PathBuf]) -> Result<Vec<Seed>> {
    if strategy.partners() == 0 {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        bail!("{} takes no --partner", strategy.name());
    }
    let mut out = Vec::new();
    if files.is_empty() {
        // Spread over the embedded seeds, from a place that the seed's text decides.
        let all = seeds::embedded();
        let from = usize::from_str_radix(&seed.hash[..6], 16).unwrap_or(0);
        for k in 0..all.len() {
            if out.len() == strategy.partners() {
                break;
            }
            let other = self::seed(&all[(from + k * 97) % all.len()], None)?;
            if other.hash != seed.hash && strategy.may_partner(seed, &other) {
                out.push(other);
            }
        }
        return Ok(out);
    }
    for file in files {
        out.push(self::seed(&seeds::read(file)?, None)?);
    }
    Ok(out)
}

/// The operators that may be brought in.
fn operators(seed: &Seed, args: &Args) -> Result<OpSet> {
    let mut ops: OpSet = Op::all()
        .filter(|op| match op.info().dialect {
            Dialect::Standard | Dialect::Common => true,
            Dialect::Z3 => args.dialects.contains(&DialectArg::Z3),
            Dialect::Cvc5 => args.dialects.contains(&DialectArg::Cvc5),
            Dialect::Bitwuzla => args.dialects.contains(&DialectArg::Bitwuzla),
        })
        .collect();
    let a = &seed.script.arena;
    for t in a.dag(&seed.script.roots()) {
        if let Head::Op(op, _) = a.head(t) {
            ops.insert(op);
        }
    }
    for name in &args.without {
        let found = Op::by_name(name);
        if found.is_empty() {
            bail!("unknown operator `{name}`");
        }
        found.iter().for_each(|&op| ops.remove(op));
    }
    Ok(ops)
}

struct Output<'a, W> {
    to: W,
    options: PrintOptions,
    args: &'a Args,
    file: &'a Path,
}

impl<W: Write> Output<'_, W> {
    fn mutant(&mut self, number: u64, recipe: &Recipe, mutant: &Mutant<'_>) -> Result<()> {
        let text = print(mutant.script, &self.options);
        let expect: Vec<&str> = mutant.expect.iter().map(|e| e.word()).collect();
        if self.args.json.json {
            let line = json!({
                "mutant": number,
                "expectation": expect,
                "what": mutant.what,
                "recipe": recipe,
                "script": text,
            });
            writeln!(self.to, "{line}")?;
            return Ok(());
        }
        // What was done may have been said in several lines.
        let what = mutant.what.replace('\n', " ");
        let text = format!(
            "; mutant {number} of {}: {} --seed {}, chain {}, step {}\n; done: {what}\n; expectation: {}\n{text}",
            self.file.display(),
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
