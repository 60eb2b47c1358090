//! `smelt enumerate --ci`: several grammars, one after the other, and a report of all of them.

use std::fs::create_dir_all;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use smelt_campaign::event::Named;
use smelt_campaign::finding::Finding;
use smelt_campaign::journal::Journal;
use smelt_campaign::shelf::FINDINGS;
use smelt_strategy::grammar::shipped;

use super::Args;
use super::test::{Tested, test};
use crate::exit::Exit;
use crate::interrupt;
use crate::view::campaign::exit;
use crate::view::junit::{Case, Suite};
use crate::voice::complain;

/// Words of each grammar, if no number is given: of what a million find, so many find 80 % (figure 7.8 of the thesis).
const NUMBER: u64 = 51_000;

/// The grammar that is left out, if none is given: its formulas take the most time and have found the least.
const COSTLY: &str = "fp";

/// Tests with each grammar in a folder of its own, and writes the reports.
pub fn run(args: &Args) -> Result<Exit> {
    let folder = args.out.out.clone().context("--out has a default")?;
    let own = || shipped::THEORIES.iter().filter(|n| **n != COSTLY).map(ToString::to_string);
    let grammars = if args.grammar.is_empty() { own().collect() } else { args.grammar.clone() };
    let parts = parts(&grammars)?;
    create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let begun = Instant::now();
    let (mut suite, mut worst, mut rows) = (Suite::new("smelt enumerate"), Exit::Fine, Vec::new());
    for (i, (grammar, name)) in grammars.iter().zip(&parts).enumerate() {
        let path = folder.join(name);
        let left =
            args.time.map(|t| (t - begun.elapsed().as_secs_f64()) / (parts.len() - i) as f64);
        if interrupt::has_come() || left.is_some_and(|t| t <= 0.0) {
            suite.add(Case::skipped(name, name, "there was no time for it"));
            rows.push(format!("| {grammar} | | | | not begun |"));
            continue;
        }
        let clock = Instant::now();
        let ended = one(args, grammar, &path, left).and_then(|tested| {
            report(&mut suite, name, &tested, &path, clock.elapsed().as_secs_f64());
            rows.push(row(grammar, &tested));
            exit(tested.outcome)
        });
        // An error in one grammar is no reason to test nothing with the others.
        let ended = ended.unwrap_or_else(|e| {
            let why = format!("the grammar {grammar} could not be tested: {e:#}");
            complain(&why);
            rows.push(format!("| {grammar} | | | | {} |", why.replace(['\n', '|'], " ")));
            suite.add(Case::broken(name, &why));
            Exit::Error
        });
        worst = worse(worst, ended);
    }
    let summary = format!(
        "# smelt enumerate\n\n| grammar | formulas | new findings | findings of earlier runs | |\n|---|---|---|---|---|\n{}\n",
        rows.join("\n")
    );
    for (file, text) in [("junit.xml", suite.xml()), ("summary.md", summary)] {
        let path = folder.join(file);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(worst)
}

/// Tests with the words of one grammar, for so many seconds at most.
fn one(args: &Args, grammar: &str, path: &Path, time: Option<f64>) -> Result<Tested> {
    let asked = match args.resume && path.join(Journal::FILE).exists() {
        true => None,
        false => {
            let mut words = args.words.clone();
            words.number = words.number.or(Some(NUMBER));
            Some(words.of(Some(grammar), args.random)?)
        }
    };
    test(args, asked, path, time)
}

/// The folder of each grammar: its name, or that of its file without the ending.
fn parts(grammars: &[String]) -> Result<Vec<String>> {
    let mut parts: Vec<String> = Vec::new();
    for grammar in grammars {
        let stem = Path::new(grammar).file_stem().and_then(|s| s.to_str());
        let stem = stem.with_context(|| format!("{grammar} has no name to call a folder by"))?;
        if parts.iter().any(|p| p == stem) {
            bail!("two grammars are called {stem}: their results would be in one folder");
        }
        parts.push(stem.to_owned());
    }
    Ok(parts)
}

/// One case for the grammar as a whole, and one for each finding; those of earlier runs are no failures of this one.
fn report(suite: &mut Suite, name: &str, tested: &Tested, path: &Path, seconds: f64) {
    suite.add(Case::passed(name, seconds, &tested.guarantee.sentence));
    let named = |f: &Finding| {
        let named = Named::of(f, &path.join(FINDINGS));
        let title = format!("{}: {} ({})", named.solver, named.class, named.grade);
        (named, title)
    };
    for (named, title) in tested.outcome.new.iter().map(named) {
        let details = format!("{}\n{}", named.evidence, named.path);
        suite.add(Case::failed(name, &named.id, &title, &details));
    }
    for (named, title) in tested.earlier.iter().map(named) {
        let why = format!("found in an earlier run: {title}; {}", named.path);
        suite.add(Case::skipped(name, &named.id, &why));
    }
}

fn row(grammar: &str, tested: &Tested) -> String {
    let Tested { guarantee, outcome, earlier } = tested;
    let names = |all: &[Finding]| match all {
        [] => "none".to_owned(),
        all => all.iter().map(|f| f.id.as_str()).collect::<Vec<_>>().join(", "),
    };
    format!(
        "| {grammar} | {} of {} | {} | {} | {} |",
        guarantee.looked,
        guarantee.of,
        names(&outcome.new),
        names(earlier),
        guarantee.sentence
    )
}

/// What cannot be written is worse than what was found, and that is worse than nothing.
fn worse(a: Exit, b: Exit) -> Exit {
    let rank = |e: &Exit| match e {
        Exit::Fine => 0,
        Exit::Found => 1,
        _ => 2,
    };
    if rank(&b) > rank(&a) { b } else { a }
}
