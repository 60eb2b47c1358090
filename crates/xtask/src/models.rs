//! `cargo xtask models`: what solvers print for `(get-model)` on the satisfiable files of a corpus, kept for later.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use smelt_smtlib::{Command as Smt, Script, parse};
use smelt_solver::{Answer, Cancel, Mode, testing};
use smelt_trial::Target;

use crate::judge::install::target_dir;

/// The solvers that are asked if none are named.
pub const SOLVERS: [&str; 4] = ["z3@latest", "cvc5@latest", "yices@latest", "bitwuzla@latest"];

/// What to run.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// A folder `LOGIC/sat/*.smt2`.
    #[arg(long)]
    pub corpus: PathBuf,
    /// How many files at most: if there are more, these are evenly spread over all of them.
    #[arg(long)]
    pub limit: Option<usize>,
    /// Releases of solvers, separated by commas.
    #[arg(long, value_delimiter = ',', default_values = SOLVERS)]
    pub solvers: Vec<String>,
    /// CPU seconds per file and solver.
    #[arg(long, default_value_t = 3)]
    pub seconds: u64,
    /// Where to keep the models; by default in the build folder.
    #[arg(long)]
    pub out: Option<PathBuf>,
}

/// Runs. What is there already is left alone, so a stopped run goes on where it was.
pub fn run(options: &Options) -> Result<()> {
    let out = options.out.clone().unwrap_or_else(|| target_dir().join("models"));
    let targets: Vec<(String, Target)> = options
        .solvers
        .iter()
        .map(|name| (folder_of(name), Target::unprobed(testing::solver(name))))
        .collect();
    let files = spread(files(&options.corpus)?, options.limit);
    let mut counts = BTreeMap::<(&str, &str), u64>::new();
    for (i, file) in files.iter().enumerate() {
        let logic = file
            .parent()
            .and_then(Path::parent)
            .and_then(Path::file_name)
            .context("a file outside of LOGIC/sat")?;
        let stem = file.file_stem().context("a file without a name")?.to_string_lossy();
        let Ok(script) = parse(&std::fs::read(file)?) else {
            *counts.entry(("smelt", "not read")).or_default() += 1;
            continue;
        };
        let script = first_check(script);
        for (name, target) in &targets {
            let folder = out.join(name).join(logic);
            std::fs::create_dir_all(&folder)?;
            let at = |end: &str| folder.join(format!("{stem}.{end}"));
            let result = if at("model").exists() || at("out").exists() {
                "kept"
            } else {
                let (word, text) = ask(target, &script, options.seconds)?;
                let end = if word == "model" { "model" } else { "out" };
                std::fs::write(at("smt2"), &text.0)?;
                std::fs::write(at(end), &text.1)?;
                word
            };
            *counts.entry((name, result)).or_default() += 1;
        }
        if i % 100 == 99 {
            eprintln!("{} of {} files: {counts:?}", i + 1, files.len());
        }
    }
    for ((solver, result), n) in &counts {
        println!("{solver:<16} {result:<12} {n}");
    }
    println!("in {}", out.display());
    Ok(())
}

/// The folder of a solver's models: `z3` for `z3@latest`, else with the release.
fn folder_of(name: &str) -> String {
    name.strip_suffix("@latest").unwrap_or(name).to_owned()
}

/// The release that a folder of models is of.
pub fn release_of(folder: &str) -> String {
    if folder.contains('@') { folder.to_owned() } else { format!("{folder}@latest") }
}

/// A script up to its first check.
fn first_check(mut script: Script) -> Script {
    script.commands.retain(|c| {
        !matches!(c, Smt::SetOption(k, _) if &**k == ":produce-models")
            && !matches!(c, Smt::Other(text) if text.starts_with("(get-"))
            && !matches!(c, Smt::GetValue(_))
    });
    match script.commands.iter().position(Smt::is_check) {
        Some(i) => script.commands.truncate(i + 1),
        None => script.commands.push(Smt::CheckSat),
    }
    script
}

/// What a solver says to a script: a word for tables, with what was sent and the model, or all that it printed.
fn ask(target: &Target, script: &Script, seconds: u64) -> Result<(&'static str, (String, String))> {
    let mode = Mode::plain();
    let sent = target.print(script, &mode);
    let outcome = target.run_cold(&sent, &mode, Duration::from_secs(seconds), &Cancel::new()?)?;
    let text = sent.text().to_owned();
    let model = outcome.checks.first().and_then(|c| c.model.clone());
    Ok(match (outcome.answer(), model) {
        (Some(Answer::Sat), Some(model)) => ("model", (text, model)),
        (answer, _) => {
            let word = match answer {
                Some(Answer::Sat) => "no model",
                Some(Answer::Unsat) => "UNSAT",
                Some(Answer::Unknown(_)) => "unknown",
                Some(Answer::Timeout(_)) => "timeout",
                Some(Answer::Rejected { .. } | Answer::Unsupported(_)) => "refused",
                _ => "other",
            };
            (word, (text, outcome.stdout))
        }
    })
}

/// So many of a list, evenly spread.
fn spread(all: Vec<PathBuf>, limit: Option<usize>) -> Vec<PathBuf> {
    let (n, most) = (all.len(), limit.unwrap_or(usize::MAX));
    let keep = |i: usize| n <= most || (i * most) / n != ((i + 1) * most) / n;
    all.into_iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, f)| f).collect()
}

fn files(corpus: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for logic in sorted(corpus)? {
        let sat = logic.join("sat");
        if sat.is_dir() {
            let scripts = sorted(&sat)?.into_iter();
            files.extend(scripts.filter(|f| f.extension().is_some_and(|e| e == "smt2")));
        }
    }
    Ok(files)
}

fn sorted(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(dir).with_context(|| format!("the folder {}", dir.display()))?;
    let mut all = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    all.sort();
    Ok(all)
}
