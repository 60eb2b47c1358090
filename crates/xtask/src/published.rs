//! `cargo xtask published ET_DIR`: the published results of ET beside smelt's on a sample of the same formulas.
//!
//! ET_DIR has the published tool's `grammars/*.g4`, `correctness_results.csv` (bug triggers per release, theory and class among the million
//! smallest formulas) and `solved-problems-8.csv`. Of each size within that million a few words are drawn, given to releases with their own
//! model checkers on, as the published tool did, and judged. Runs are kept as they are made; the same command goes on behind them.

mod table;

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use dashu_int::UBig;
use smelt_campaign::evolve::items::{Item, Items, Words};
use smelt_case::Cost;
use smelt_smtlib::parse;
use smelt_solver::{Limits, Mode, Outcome, Session, testing};
use smelt_strategy::grammar::{Enumerator, Grammar};
use smelt_triage::ModelVerdict;
use smelt_trial::Target;

use crate::judge::install::target_dir;

/// How many of the smallest formulas the published figures are of.
const AMONG: u64 = 1_000_000;

/// Releases that are asked if none are named: those that were published and can be had, and the newest as the reference.
const RELEASES: [&str; 17] = [
    "z3@4.8.5",
    "z3@4.8.6",
    "z3@4.8.7",
    "z3@4.8.8",
    "z3@4.8.10",
    "z3@4.8.11",
    "z3@4.8.14",
    "z3@4.9.1",
    "z3@4.11.2",
    "z3@4.12.2",
    "z3@4.13.0",
    "z3@5.4.0",
    "cvc5@1.0.9",
    "cvc5@1.1.0",
    "cvc5@1.1.1",
    "cvc5@1.1.2",
    "cvc5@1.4.2",
];

/// The published grammars; their names are those of the theories in the tables.
const THEORIES: [&str; 8] =
    ["Core", "Ints", "Reals", "RealInts", "Arrays", "Strings", "Bitvectors", "FP"];

/// What to compare.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of the published tool's grammars and results.
    et: PathBuf,
    /// Releases.
    #[arg(long, value_delimiter = ',', default_values = RELEASES)]
    releases: Vec<String>,
    /// Theories.
    #[arg(long, value_delimiter = ',', default_values = THEORIES)]
    theories: Vec<String>,
    /// Words of each size and theory.
    #[arg(long, default_value_t = 1000)]
    each: u64,
    /// CPU limit of a run, in seconds.
    #[arg(long, default_value_t = 1.0)]
    limit: f64,
    /// Only print the table of what there is.
    #[arg(long)]
    table: bool,
    /// Where runs are kept; by default in the build folder.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// The words of a theory, with what is needed to weigh them.
pub struct Sample {
    /// The theory.
    pub theory: String,
    /// The words that were drawn.
    pub items: Vec<Item>,
    /// The size of each.
    pub sizes: Vec<u32>,
    /// Of each size, how many words the million has.
    pub population: Vec<u64>,
}

/// What a release made of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The release.
    pub release: String,
    /// The word.
    pub word: String,
    /// The kind of its answer.
    pub answer: String,
    /// Whether the solver complained of its own model.
    pub complains: bool,
    /// What the judge says of the model: `true`, `false`, `open`, or `-` where there is none.
    pub model: String,
}

/// Makes the runs that are missing, and prints the table.
pub fn run(o: &Options) -> Result<()> {
    let out = o.out.clone().unwrap_or_else(|| target_dir().join("published"));
    std::fs::create_dir_all(&out)?;
    let path = out.join("runs.tsv");
    let mut lines = read(&path)?;
    let samples: Result<Vec<Sample>> = o.theories.iter().map(|t| sample(o, t)).collect();
    let samples = samples?;
    if !o.table {
        let done: BTreeSet<(String, String)> =
            lines.iter().map(|l| (l.release.clone(), l.word.clone())).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        for sample in &samples {
            for release in &o.releases {
                let is_new = |i: &&Item| !done.contains(&(release.clone(), i.name.clone()));
                let items: Vec<&Item> = sample.items.iter().filter(is_new).collect();
                lines.extend(ask(o, release, &items, &mut file)?);
            }
            eprintln!("{}: {} words", sample.theory, sample.items.len());
        }
    }
    print!("{}", table::table(&o.et, &o.releases, &samples, &lines)?);
    Ok(())
}

fn sample(o: &Options, theory: &str) -> Result<Sample> {
    let file = o.et.join("grammars").join(format!("{theory}.g4"));
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let mut items = Items::default();
    let (cost, count) = (Cost::Published, o.each);
    items.add_words(&Words {
        name: theory,
        text: &text,
        cost,
        count,
        among: AMONG,
        each_size: true,
    })?;
    let shown = |e: smelt_smtlib::Error| anyhow::anyhow!("{theory}: {e}");
    let mut words = Enumerator::new(&Grammar::read(&text).map_err(shown)?, cost).map_err(shown)?;
    words.reach(&UBig::from(AMONG));
    let size = |i: &Item| -> Result<u32> {
        let place = i.name.rsplit_once('-').context("a word without a place")?.1;
        words.size_at(&place.parse()?).context("a place beyond the words")
    };
    let sizes: Result<Vec<u32>> = items.all.iter().map(size).collect();
    let below = |size: u32| {
        let end = words.first_of(size) + words.count(size);
        u64::try_from(&end).unwrap_or(AMONG).min(AMONG)
    };
    let first = |size| u64::try_from(words.first_of(size)).unwrap_or(AMONG).min(AMONG);
    let population = (0..words.sizes()).map(|s| below(s) - first(s)).collect();
    Ok(Sample { theory: theory.to_owned(), items: items.all, sizes: sizes?, population })
}

/// Gives words to a release with its checker on, in sessions, and keeps what it said.
fn ask(o: &Options, release: &str, items: &[&Item], file: &mut File) -> Result<Vec<Line>> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let target = Target::unprobed(testing::solver(release));
    let mode = Mode { self_check: true, ..Mode::plain() };
    let limits = Limits::cpu(Duration::from_secs_f64(o.limit));
    let mut session: Session = target.session(&mode, limits, None);
    let mut lines = Vec::new();
    for item in items {
        let text = String::from_utf8_lossy(&item.text);
        let outcome = session.run(&smelt_solver::Script::new(&text), mode.requests())?;
        let line = line(release, item, &target, &outcome);
        writeln!(file, "{}", written(&line))?;
        lines.push(line);
    }
    Ok(lines)
}

fn line(release: &str, item: &Item, target: &Target, outcome: &Outcome) -> Line {
    let seen = match parse(&item.text) {
        Ok(mut script) => {
            let queries = script.queries();
            target.observe(&mut script, &queries, outcome)
        }
        Err(_) => target.observe_unread(&String::from_utf8_lossy(&item.text), outcome),
    };
    let model = seen.first().and_then(|s| s.model.as_ref()).map_or("-", |m| match m {
        ModelVerdict::True => "true",
        m if m.to_string().starts_with("FALSE") => "false",
        _ => "open",
    });
    let said = |text: &str| text.contains("invalid model");
    let complains = said(&outcome.stdout)
        || said(&outcome.stderr)
        || outcome.checks.iter().any(|c| c.complaint.is_some());
    Line {
        release: release.to_owned(),
        word: item.name.clone(),
        answer: seen.first().map_or("nothing", |s| s.answer.kind()).to_owned(),
        complains,
        model: model.to_owned(),
    }
}

fn written(l: &Line) -> String {
    let Line { release, word, answer, complains, model } = l;
    format!("{release}\t{word}\t{answer}\t{complains}\t{model}")
}

/// The runs that were made before; a line that was cut off is made again.
fn read(path: &Path) -> Result<Vec<Line>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    if whole.len() < text.len() {
        std::fs::write(path, whole)?;
    }
    let line = |text: &str| {
        let [release, word, answer, complains, model] =
            text.split('\t').collect::<Vec<_>>().try_into().ok()?;
        let [release, word, answer, model]: [String; 4] =
            [release, word, answer, model].map(str::to_owned);
        Some(Line { release, word, answer, complains: complains == "true", model })
    };
    Ok(whole.lines().filter_map(line).collect())
}
