//! A kept finding, made and run again. Its folder may come from anybody: what it names is not trusted.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use dashu_int::UBig;
use smelt_case::{Cost, Origin, Seed, SeedRef, digest};
use smelt_smtlib::{Command, Script, parse};
use smelt_solver::{Cancel, Registry, Solver, SolverSpec};
use smelt_strategy::grammar::{Enumerator, Grammar, shipped};
use smelt_triage::{FollowUp, Says};
use smelt_trial::Target;
use smelt_trial::exhibit::Exhibit;
use smelt_trial::follow_up::core::labelled;
use smelt_trial::resolve::is_harmless;
use smelt_trial::shrink::plain;

use crate::finding::Finding;
use crate::remake::remake;
use crate::seedbank::{self, Names};
use crate::shelf::{self, file};
use crate::{reader, seeds};

/// How the accused of a finding is named, if that is a solver which smelt knows by name, with options that smelt itself would give
/// it.
pub fn accused(registry: &Registry, finding: &Finding) -> Result<SolverSpec> {
    let spec = SolverSpec::parse(&finding.accused.spec)?;
    is_harmless(registry, &spec)?;
    Ok(spec)
}

/// Makes the case of a finding again from its seeds; whether it is the script that was kept.
pub fn is_remade(folder: &Path, finding: &Finding) -> Result<bool> {
    let root = finding.origin.root();
    match root {
        Origin::Enumerated { grammar, index, cost } => {
            let mut texts = shipped::ALL.iter().map(|(_, text)| *text);
            let Some(of) = texts.find(|t| digest(t.as_bytes()) == grammar.hash) else {
                bail!(
                    "it is number {index} of {}, which is no grammar of this smelt",
                    grammar.name
                );
            };
            let made = word(of, *cost, &index.to_string())?;
            return Ok(plain(&made) == text(folder, file::ORIGINAL)?);
        }
        Origin::Generated(how) => bail!("this smelt has no generator {}", how.generator),
        Origin::Mutant(_) | Origin::Seed(_) | Origin::Derived { .. } => {}
    }
    let mut seeds: Vec<Seed> = Vec::new();
    let mut names: Option<Names> = None;
    for (i, named) in finding.origin.seeds().iter().enumerate() {
        let name = file::seed(i);
        let text = seed(folder, &name, named)?;
        let understood = seedbank::understand(&text).map_err(|e| anyhow!("{name}: {e}"))?;
        let script = understood.script;
        names.get_or_insert(understood.names);
        let facts = finding.seeds.get(i).map_or(&[][..], Vec::as_slice);
        let seed = seedbank::make(named.name.clone(), &text, script, facts);
        if seed.hash != named.hash {
            bail!("{name} is not the seed that was used");
        }
        seeds.push(seed);
    }
    let Some(first) = seeds.first() else { bail!("it names no seed") };
    let made = match root {
        Origin::Mutant(recipe) => remake(recipe, &seeds.iter().collect::<Vec<_>>())?,
        _ => first.workspace(),
    };
    let made = match names.filter(|n| !n.is_empty()) {
        Some(names) => labelled(&made, &names),
        None => made,
    };
    Ok(plain(&made) == text(folder, file::ORIGINAL)?)
}

/// The text of a seed: as it was kept with the finding, or where the recipe says that it is, if it is still the one that was used.
fn seed(folder: &Path, kept: &str, named: &SeedRef) -> Result<Vec<u8>> {
    if folder.join(kept).exists() {
        return shelf::read_file(folder, kept);
    }
    let is_it = |text: &Vec<u8>| digest(text) == named.hash;
    let embedded = seeds::embedded().into_iter().find(|s| s.name == named.name).map(|s| s.text);
    let path = Path::new(&named.name);
    // (A pipe or a device is not waited for.)
    let file = || path.is_file().then(|| reader::read(path, seedbank::MAX_BYTES).ok()).flatten();
    let text = embedded.filter(is_it).or_else(|| file().filter(is_it));
    text.with_context(|| {
        format!("the seed {} is not here, or not the one that was used", named.name)
    })
}

/// The script at a place of a grammar.
fn word(grammar: &str, cost: Cost, place: &str) -> Result<Script> {
    let mut words = Grammar::read(grammar).and_then(|g| Enumerator::new(&g, cost))?;
    let place: UBig = place.parse().context("its place is no number")?;
    words.reach(&place);
    let Some(word) = words.nth(&place) else { bail!("the grammar has no word at {place}") };
    Ok(parse(word.text().as_bytes())?)
}

/// Looks for the fault of a finding in a solver, in fresh processes (one, or three if it did not always show): whether it holds, and
/// what was seen.
pub fn replay(
    registry: &Registry,
    folder: &Path,
    finding: &Finding,
    target: Target,
    (cpu, cancel): (Duration, &Cancel),
) -> Result<(Says, String)> {
    let (exhibit, note) = match exhibit_for(folder, finding, &target)? {
        Ok(exhibit) => exhibit,
        Err(why) => return Ok((Says::Open, why)),
    };
    let runs = if finding.rate.0 < finding.rate.1 { 3 } else { 1 };
    let is_accused = target.solver.hash() == finding.accused.binary;
    let is_build = is_build_of(&target.solver, finding);
    let shown = exhibit.shows_in(registry, target, runs, cpu, cancel)?;
    let says = match shown.says {
        // A crash has other lines and frames in another build, and is most likely the same; in the accused one it is another crash.
        Says::Other(class) if class == finding.reproducer.class && is_build && !is_accused => {
            Says::Holds
        }
        says => says,
    };
    Ok((says, shown.what + &note))
}

/// Whether a solver is a build of what a finding accuses, or its successor.
pub fn is_build_of(solver: &Solver, finding: &Finding) -> bool {
    let (own, accused) = (solver.profile(), &finding.accused.profile);
    own.name == *accused || own.succeeds.as_ref() == Some(accused)
}

/// The fault of a finding for this solver, and what of it means nothing to that and is left out; the error says why there is no verdict on it.
pub fn exhibit_for(
    folder: &Path,
    finding: &Finding,
    target: &Target,
) -> Result<Result<(Exhibit, String), String>> {
    if let Some(why) = target.caveat_on_text(&text(folder, file::BUG)?) {
        return Ok(Err(format!("no verdict: {why}")));
    }
    let mut exhibit = exhibit(folder, finding)?;
    let same = target.solver.profile().name == finding.accused.profile;
    let note = if same { String::new() } else { exhibit.without_options() };
    Ok(Ok((exhibit, note)))
}

/// The fault of a finding with its scripts.
pub fn exhibit(folder: &Path, finding: &Finding) -> Result<Exhibit> {
    let reproducer = finding.reproducer.clone();
    // The script itself is the end of a transcript.
    let name = if reproducer.session { file::ORIGINAL } else { file::BUG };
    let before = match reproducer.class.row().asks(FollowUp::Before) {
        true => Some(script(folder, file::BEFORE)?),
        false => None,
    };
    let transcript = match reproducer.session {
        true => Some(text(folder, file::BUG)?),
        false => None,
    };
    let exhibit = Exhibit { reproducer, script: script(folder, name)?, transcript, before };
    exhibit.is_whole(name, file::BEFORE)?;
    Ok(exhibit)
}

/// The text of a file of a finding.
fn text(folder: &Path, name: &str) -> Result<String> {
    let text = shelf::read_file(folder, name)?;
    String::from_utf8(text).map_err(|_| anyhow!("{name} is not UTF-8"))
}

/// A script of a finding, without what only people need.
pub(crate) fn script(folder: &Path, name: &str) -> Result<Script> {
    let text = text(folder, name)?;
    let mut script =
        parse(text.as_bytes()).map_err(|e| Error::msg(format!("{name}: {}", e.message)))?;
    script.commands.retain(|c| !matches!(c, Command::Other(_)));
    Ok(script)
}
