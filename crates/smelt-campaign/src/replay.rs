//! A kept finding, made and run again. Its folder may come from anybody: what it names is not trusted.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use dashu_int::UBig;
use smelt_case::{Cost, Origin, Seed, digest};
use smelt_smtlib::{Command, Script, parse};
use smelt_solver::{Cancel, Registry, SolverSpec};
use smelt_strategy::grammar::{Enumerator, Grammar, shipped};
use smelt_triage::{FollowUp, Says};
use smelt_trial::follow_up;
use smelt_trial::follow_up::core::labelled;
use smelt_trial::relation::{is_related, relation};
use smelt_trial::reproducer::{Scripts, Terms};
use smelt_trial::resolve::{foreign_option, is_harmless, newest_at_hand};
use smelt_trial::shrink::plain;
use smelt_trial::{Panel, Reproducer, Target};

use crate::finding::Finding;
use crate::remake::remake;
use crate::seedbank::{self, Names};
use crate::shelf::{self, file};

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
        let text = shelf::read_file(folder, &name)?;
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

/// The script at a place of a grammar.
fn word(grammar: &str, cost: Cost, place: &str) -> Result<Script> {
    let mut words = Grammar::read(grammar).and_then(|g| Enumerator::new(&g, cost))?;
    let place: UBig = place.parse().context("its place is no number")?;
    words.reach(&place);
    let Some(word) = words.nth(&place) else { bail!("the grammar has no word at {place}") };
    Ok(parse(word.text().as_bytes())?)
}

/// A finding, ready to be looked for in a solver.
pub struct Opened {
    /// The solver, and those who are asked beside it.
    pub panel: Panel,
    /// What is looked for.
    pub reproducer: Reproducer,
    /// The script; of a transcript, its end.
    pub script: Script,
    /// The script before it, if the fault is about both.
    pub before: Option<Script>,
    /// What a session was sent, if it takes that.
    pub transcript: Option<String>,
    /// What of the finding means nothing to this solver and is left out, for people; empty if nothing is.
    pub note: String,
}

/// Reads a finding for looking for its fault in a solver. An error names why it cannot be; `Ok(Err(_))` is why there is no verdict.
pub fn open(
    registry: &Registry,
    folder: &Path,
    finding: &Finding,
    target: Target,
) -> Result<Result<Opened, String>> {
    let same = target.solver.profile().name == finding.accused.profile;
    let (reproducer, note) = match same {
        true => (trusted(&finding.reproducer, &target)?, String::new()),
        false => without_options(&finding.reproducer),
    };
    let sent = text(folder, file::BUG)?;
    if let Some(why) = target.caveat_on_text(&sent) {
        return Ok(Err(format!("no verdict: {why}")));
    }
    // The script itself is the end of a transcript.
    let name = if reproducer.session { file::ORIGINAL } else { file::BUG };
    let script = script(folder, name)?;
    let (check, checks) = (reproducer.check, script.queries().len());
    if check >= checks {
        bail!("it is about check {}, and {name} has {checks}", check.saturating_add(1));
    }
    let before = match reproducer.class.row().asks(FollowUp::Before) {
        true => Some(self::script(folder, file::BEFORE)?),
        false => None,
    };
    if let (Some(pair), Some(before)) = (&reproducer.pair, &before)
        && relation(&pair.rule).is_some()
        && !is_related(&pair.rule, &script, before)
    {
        bail!("it is damaged: {} is not what the rule {} says", file::BEFORE, pair.rule);
    }
    let others = others(registry, &reproducer, &target);
    let panel = Panel::new(vec![target], others);
    let transcript = reproducer.session.then_some(sent);
    Ok(Ok(Opened { panel, reproducer, script, before, transcript, note }))
}

/// Looks for the fault of a finding in a solver, in fresh processes: whether it holds, and what was seen.
pub fn replay(
    registry: &Registry,
    folder: &Path,
    finding: &Finding,
    target: Target,
    cpu: Duration,
) -> Result<(Says, String)> {
    let opened = match open(registry, folder, finding, target)? {
        Ok(opened) => opened,
        Err(why) => return Ok((Says::Open, why)),
    };
    let Opened { panel, reproducer, script, before, transcript, note } = &opened;
    let scripts = Scripts { script, transcript: transcript.as_deref(), before: before.as_ref() };
    let cancel = Cancel::new()?;
    let terms = Terms { frames: true, ..Terms::new(cpu, &cancel) };
    let shown = reproducer.shows(panel, panel.targets()[0].id(), &scripts, &terms)?;
    Ok((shown.says, shown.what + note))
}

/// A reproducer for another kind of solver: options and tactics of one solver mean nothing to another, or something else. What is left
/// out is said.
fn without_options(found: &Reproducer) -> (Reproducer, String) {
    let mut reproducer = found.clone();
    let mode = &mut reproducer.mode;
    let left_out: Vec<String> = mode.options.drain(..).chain(mode.tactic.take()).collect();
    let note = match left_out.is_empty() {
        true => String::new(),
        false => format!(" (without {}, which are the accused's)", left_out.join(" ")),
    };
    (reproducer, note)
}

/// Those who are asked beside the accused: the solver that has the answer which it lacks, if smelt knows it by name and it is installed,
/// or, where the class needs them, the newest ones at hand.
fn others(registry: &Registry, reproducer: &Reproducer, accused: &Target) -> Vec<Target> {
    let named = reproducer.reference.as_ref().and_then(|spec| {
        let spec = SolverSpec::parse(spec).ok()?;
        is_harmless(registry, &spec).ok()?;
        registry.resolve(&spec).ok()
    });
    let asked = follow_up::of(reproducer).any(|way| way.asks_others);
    let at_hand = if named.is_none() && asked { newest_at_hand(registry) } else { Vec::new() };
    let others = named.into_iter().chain(at_hand);
    others.filter(|s| s.hash() != accused.solver.hash()).map(Target::unprobed).collect()
}

/// A reproducer whose options and tactic smelt itself gives to this solver, or the user has given.
fn trusted(found: &Reproducer, target: &Target) -> Result<Reproducer> {
    let (profile, typed) = (target.solver.profile(), target.solver.args());
    let mut reproducer = found.clone();
    reproducer.mode.options.retain(|o| !typed.contains(o));
    if let Some(option) = reproducer.mode.options.iter().find(|o| !profile.gives_option(o)) {
        bail!("{}", foreign_option(option, profile));
    }
    if let Some(tactic) = reproducer.mode.tactic.as_ref().filter(|t| !profile.tactics.contains(t)) {
        bail!("the tactic {tactic:?} is none that smelt gives to {}", profile.name);
    }
    Ok(reproducer)
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
