//! `smelt enumerate`: every small formula of a grammar, in order.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use smelt_campaign::campaign::{Campaign, Resumed};
use smelt_campaign::claim;
use smelt_campaign::folder::Folder;
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::source::grammar::{Chosen, Enumeration};
use smelt_case::{Cost, OpSet};
use smelt_strategy::grammar::{Enumerator, Grammar, Recipe, from_table, lint, shipped};

use crate::args::{self, Jobs, Json, Limit, Out, Walls};
use crate::exit::Exit;
use crate::printable::quoted;
use crate::project;
use crate::view::campaign::{View, exit};
use crate::view::guarantee;
use crate::voice::{complain, needs_home, resolving};

/// Test solvers with every small formula of a grammar, in order, and say what holds of all of them.
///
/// GRAMMAR is a file, or the name of a grammar inside smelt (`--list`); docs/enumerate.md says how they are written. Exit codes: 0 nothing
/// new found, 10 findings, 2 an error, 4 a finding could not be written.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("0.25")))]
#[command(mut_arg("out", |a| a.default_value("smelt-enumerate")))]
pub struct Args {
    /// A grammar: a file, or the name of one inside smelt.
    #[arg(required_unless_present_any = ["theory", "list", "resume"])]
    grammar: Option<String>,
    /// Name the grammars inside smelt.
    #[arg(long)]
    list: bool,
    /// Make the grammar from smelt's operator table: all operators of a theory; may be repeated.
    #[arg(long, value_name = "THEORY", conflicts_with = "grammar")]
    theory: Vec<String>,
    /// With --theory: a sort of its terms instead of those that suit the theory; may be repeated.
    #[arg(long, value_name = "SORT", requires = "theory")]
    sorts: Vec<String>,
    /// With --theory: variables of each sort.
    #[arg(long, value_name = "N", requires = "theory", default_value_t = 2)]
    variables: u32,
    /// With --theory: a constant instead of those that suit the theory; may be repeated.
    #[arg(long, value_name = "TERM", requires = "theory")]
    constants: Vec<String>,
    /// Print the grammar, and what is odd about it, and do nothing else.
    #[arg(long)]
    print_grammar: bool,
    /// Print the words instead of testing with them, one a line.
    #[arg(long)]
    print: bool,
    /// Print how many words each size has, up to --size, and do nothing else.
    #[arg(long, requires = "size")]
    count: bool,
    /// How many words.
    #[arg(short = 'n', value_name = "N", value_parser = args::at_least_one::<u64>)]
    number: Option<u64>,
    /// The place of the first word, from 0: a number, or one like `1e275`.
    #[arg(long, value_name = "INDEX", default_value = "0", value_parser = whole)]
    from: String,
    /// Words of this size only.
    #[arg(long, value_name = "SIZE")]
    size: Option<u32>,
    /// Random words of the size, each with the same probability.
    #[arg(long, requires = "size", requires = "number")]
    sample: bool,
    /// What the size of a word is.
    #[arg(long, value_name = "MODEL", default_value = "thesis")]
    cost: Model,
    /// Pass over words that are an earlier one with other names for its variables.
    #[arg(long)]
    canonical: bool,
    /// As --canonical; and pass over words that are an earlier one with the arguments of commutative operators exchanged.
    #[arg(long)]
    commutative: bool,
    /// Test the I-th of N parts of the words, from 1.
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = shard)]
    shard: (u64, u64),
    /// The logic that scripts are declared in.
    #[arg(long, default_value = "smallest")]
    logic: Logic,
    /// A solver to test; may be given several times. Without any: the newest of each kind on PATH or installed.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    random: args::Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    /// Continue the last run in the folder.
    #[arg(long, conflicts_with_all = ["grammar", "theory", "solver", "print", "print_grammar", "count"])]
    resume: bool,
    #[command(flatten)]
    json: Json,
}

/// A cost model on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum Model {
    Thesis,
    Published,
}

/// A logic on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Logic {
    Smallest,
    #[value(name = "ALL")]
    All,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    if args.list {
        shipped::ALL.iter().try_for_each(|(name, _)| writeln!(out, "{name}"))?;
        return Ok(Exit::Fine);
    }
    if args.resume {
        drop(out);
        return test(&args, None);
    }
    let asked = asked(&args)?;
    if args.print_grammar {
        write!(out, "{}", asked.text)?;
        out.flush()?;
        return odd(&asked);
    }
    if args.count {
        let grammar = read(&asked, Grammar::read(&asked.text))?;
        let mut words = read(&asked, Enumerator::new(&grammar, asked.cost))?;
        let most = args.size.unwrap_or_default();
        words.reach_size(most);
        (0..=most).try_for_each(|size| writeln!(out, "{size}\t{}", words.count(size)))?;
        return Ok(Exit::Fine);
    }
    let chosen = Chosen::new(&asked)?;
    if args.print {
        for seq in 0..chosen.positions() {
            let mut failed = None;
            chosen.each(seq, &mut || {}, &mut |_, word| {
                failed = writeln!(out, "{}", word.text()).err();
                Ok(failed.is_none())
            })?;
            failed.map_or(Ok(()), Err)?;
        }
        out.flush()?;
        return Ok(Exit::Fine);
    }
    drop(out);
    test(&args, Some(asked))
}

/// The words that are asked for.
fn asked(args: &Args) -> Result<Enumeration> {
    let (name, text) = match &args.grammar {
        Some(name) => grammar(name)?,
        None => (args.theory.join("-"), from_theories(args)?),
    };
    let (part, parts) = args.shard;
    Ok(Enumeration {
        name,
        text,
        cost: match args.cost {
            Model::Thesis => Cost::Thesis,
            Model::Published => Cost::Published,
        },
        from: args.from.clone(),
        count: args.number,
        size: args.size,
        sample: args.sample.then(|| args.random.or_zero()),
        shard: (part - 1, parts),
        canonical: args.canonical,
        commutative: args.commutative,
        logic: (args.logic == Logic::All).then(|| "ALL".to_owned()),
    })
}

/// The name and text of a grammar: a file, or one inside smelt.
fn grammar(name: &str) -> Result<(String, String)> {
    let path = PathBuf::from(name);
    if !path.exists()
        && let Some(text) = shipped::text(name)
    {
        return Ok((name.to_owned(), text.to_owned()));
    }
    if !path.exists() && !name.contains(['/', '.']) {
        bail!(
            "{name} is no file and no grammar inside smelt (`smelt enumerate --list` names them)"
        );
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
    Ok((name.to_owned(), text))
}

fn from_theories(args: &Args) -> Result<String> {
    let mut all: Option<Recipe> = None;
    for word in &args.theory {
        let next = Recipe::of_theory(word).map_err(|e| anyhow!("--theory: {e}"))?;
        all = Some(match all {
            None => next,
            Some(a) => a.with(next),
        });
    }
    let mut recipe = all.context("--theory names no theory")?;
    recipe.variables = args.variables;
    if !args.sorts.is_empty() {
        recipe.sorts.clone_from(&args.sorts);
        recipe.constants.clear();
    }
    if !args.constants.is_empty() {
        recipe.constants.clone_from(&args.constants);
    }
    from_table(&recipe, &OpSet::all()).map_err(anyhow::Error::msg)
}

/// Says what is odd about a grammar.
fn odd(asked: &Enumeration) -> Result<Exit> {
    let grammar = read(asked, Grammar::read(&asked.text))?;
    let mut words = read(asked, Enumerator::new(&grammar, asked.cost))?;
    for warning in lint(&grammar, &mut words, 2_000) {
        complain(warning.render_warning(asked.text.as_bytes(), &asked.name).trim_end());
    }
    Ok(Exit::Fine)
}

fn read<T>(asked: &Enumeration, made: smelt_smtlib::Result<T>) -> Result<T> {
    made.map_err(|e| anyhow!("{}", e.render(asked.text.as_bytes(), &asked.name).trim_end()))
}

/// Gives the words to the solvers.
fn test(args: &Args, asked: Option<Enumeration>) -> Result<Exit> {
    let path = args.out.out.clone().context("--out has a default")?;
    let registry = args.walls.registry()?;
    needs_home(&registry)?;
    let folder = match args.resume {
        true => Folder::existing(&path)?,
        false => Folder::open(&path)?,
    };
    let mut view = View::new(args.json, &path);
    view.unreadable(&folder.earlier);
    let (config, resumed) = match asked {
        Some(asked) => {
            let mut config = configure(args, asked);
            config.solvers = project::solvers(&args.solver, &registry)?;
            claim::claim(registry.home(), &config)?;
            (config, None)
        }
        None => {
            let resumed = Resumed::last(&folder)?;
            claim::check(&registry, &resumed.config)?;
            (resumed.config.clone(), Some(resumed))
        }
    };
    let Some(asked) = config.enumerate.clone() else {
        bail!("the last run in {} was none of smelt enumerate", path.display())
    };
    // Of a run that goes on, the walls are those that it was begun with, unless others are given.
    let sandbox = args.walls.given().unwrap_or(config.sandbox);
    let registry = registry.sandboxed(sandbox)?.limiting_memory(config.memory_bytes());
    let plan = resolving(&registry, |r| Plan::new(config, r, &|text| view.on_the_way(text)))?;
    view.begin(&plan);
    view.go_on_with = Some(format!("smelt enumerate --resume --out {}", quoted(&path)));
    let campaign = Campaign::begin(plan, folder, resumed)?;
    let outcome = view.follow(&campaign)?;
    if !args.json.json {
        guarantee::show(&campaign, &asked, &outcome)?;
    }
    exit(outcome)
}

fn configure(args: &Args, asked: Enumeration) -> Config {
    Config {
        sandbox: args.walls.given().unwrap_or_default(),
        enumerate: Some(asked),
        seed: args.random.or_zero(),
        jobs: args.jobs.or_cores(),
        options: "none".to_owned(),
        limit: args.limit.seconds(),
        memory: Some(args.limit.megabytes()),
        token: claim::new_token(),
        ..Config::default()
    }
}

/// A whole number in decimal digits, or as `1e275`.
fn whole(text: &str) -> Result<String, String> {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let (number, zeros) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    match zeros.parse::<usize>() {
        Ok(zeros) if digits(number) && zeros <= 10_000 => {
            Ok(format!("{number}{}", "0".repeat(zeros)))
        }
        _ => Err("a whole number is needed, such as 1000 or 1e275".into()),
    }
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if 1 <= i && i <= n => Ok((i, n)),
        _ => Err("I/N is needed with 1 <= I <= N, such as 2/8".into()),
    }
}
