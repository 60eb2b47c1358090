//! A fault with the scripts that show it: what is looked for in other builds, releases and modes.

use std::time::Duration;

use anyhow::{Result, bail};
use smelt_smtlib::{ParseOptions, Script, parse};
use smelt_solver::{Cancel, Mode, Registry, SolverSpec, Status};
use smelt_triage::{Class, FollowUp, ModelVerdict, Says};

use crate::follow_up;
use crate::opinion::Opinion;
use crate::panel::Panel;
use crate::relation::{is_related, relation};
use crate::reproducer::{Reproducer, Scripts, Shown, Terms, standard_text};
use crate::resolve::{foreign_option, is_harmless, newest_at_hand};
use crate::shrink::Given;
use crate::target::Target;

/// A fault with the scripts that show it.
pub struct Exhibit {
    /// How to look for it.
    pub reproducer: Reproducer,
    /// The script.
    pub script: Script,
    /// All that a session was sent, if it takes that: the script is its end.
    pub transcript: Option<String>,
    /// The script before the step that led to this one, if the fault is about both.
    pub before: Option<Script>,
}

impl Exhibit {
    /// The fault of a solver on a text that a person gives, as it follows from what this solver and others say of it; `None` if nobody can
    /// accuse it of anything. A fault that is about two scripts is not looked for.
    pub fn of_text(
        text: &[u8],
        accused: Target,
        others: Vec<Target>,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Result<Option<(Self, String)>> {
        let mut script = readable(text)?;
        let targets = std::iter::once(accused).chain(others).collect();
        let panel = Panel::new(targets, Vec::new());
        let who = panel.targets()[0].id();
        let opinion = Opinion::of(text, &ParseOptions::default(), &panel, cpu, cancel);
        let alone = |class: Class| !class.row().asks(FollowUp::Before);
        let accusations = opinion.diagnoses.iter().filter(|(_, d)| d.who == who);
        let worst = accusations
            .filter(|(_, d)| d.is_reportable() && alone(d.class))
            .min_by_key(|(_, d)| d.class);
        let Some((check, diagnosis)) = worst else { return Ok(None) };
        let mut reproducer = Reproducer::new(diagnosis.class, Mode::plain(), *check);
        if diagnosis.class.row().wrong == Some(Status::Unsat) {
            reproducer.witness = opinion.runs.iter().find_map(|run| {
                let seen = run.seen.get(*check)?;
                (seen.model == Some(ModelVerdict::True)).then_some(())?;
                let model = run.outcome.as_ref().ok()?.checks.get(*check)?.model.as_deref()?;
                standard_text(model, panel.get(run.who).model_options(), &mut script)
            });
        }
        let words = diagnosis.to_string();
        Ok(Some((Self::new(reproducer, script), words)))
    }

    /// A fault of this class in the first check of a text, whoever has it.
    pub fn of_class(text: &[u8], class: Class) -> Result<Self> {
        Ok(Self::new(Reproducer::new(class, Mode::plain(), 0), readable(text)?))
    }

    fn new(reproducer: Reproducer, script: Script) -> Self {
        Self { reproducer, script, transcript: None, before: None }
    }

    /// Refuses what cannot be looked for: parts that do not fit together, as in a folder that was damaged. The scripts have these names.
    pub fn is_whole(&self, script: &str, before: &str) -> Result<()> {
        let (check, checks) = (self.reproducer.check, self.script.queries().len());
        if check >= checks {
            bail!("it is about check {}, and {script} has {checks}", check.saturating_add(1));
        }
        if let (Some(pair), Some(other)) = (&self.reproducer.pair, &self.before)
            && relation(&pair.rule).is_some()
            && !is_related(&pair.rule, &self.script, other)
        {
            bail!("it is damaged: {before} is not what the rule {} says", pair.rule);
        }
        Ok(())
    }

    /// What is made smaller of it; the strategy that led to the script had these parameters.
    pub fn given<'a>(&'a self, parameters: &'a [String]) -> Given<'a> {
        Given {
            script: &self.script,
            before: self.before.as_ref(),
            parameters,
            transcript: self.transcript.as_deref(),
            then: None,
        }
    }

    /// The solver in which it is looked for and those who are asked beside it; and how it is looked for there: with options and a tactic that
    /// smelt itself gives to this solver, or the user has given.
    pub fn panel(&self, registry: &Registry, target: Target) -> Result<(Panel, Reproducer)> {
        let reproducer = trusted(&self.reproducer, &target)?;
        let others = others(registry, &reproducer, &target);
        Ok((Panel::new(vec![target], others), reproducer))
    }

    /// Leaves out options and tactics of the solver in which it was found, for another kind of solver: to that they mean nothing, or
    /// something else. Says what was left out, behind a blank; nothing if that is nothing.
    pub fn without_options(&mut self) -> String {
        let mode = &mut self.reproducer.mode;
        let left_out: Vec<String> = mode.options.drain(..).chain(mode.tactic.take()).collect();
        match left_out.is_empty() {
            true => String::new(),
            false => format!(" (without {}, which are the accused's)", left_out.join(" ")),
        }
    }

    /// Looks for it in a solver, in so many fresh processes: it shows if one of them shows it, and is gone if all say so. Those whom the class
    /// needs beside the solver are the ones at hand.
    pub fn shows_in(
        &self,
        registry: &Registry,
        target: Target,
        runs: u32,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Result<Shown> {
        let (panel, reproducer) = self.panel(registry, target)?;
        let scripts = Scripts {
            script: &self.script,
            transcript: self.transcript.as_deref(),
            before: self.before.as_ref(),
        };
        let terms = Terms { frames: true, ..Terms::new(cpu, cancel) };
        let run = || reproducer.shows(&panel, panel.targets()[0].id(), &scripts, &terms);
        let mut last = run()?;
        for _ in 1..runs {
            let next = match last.says {
                Says::Holds => break,
                _ => run()?,
            };
            // One run that could not tell leaves it open, unless another one shows it.
            if last.says == Says::DoesNot || next.says == Says::Holds {
                last = next;
            }
        }
        Ok(last)
    }
}

/// A script in which something can be looked for.
fn readable(text: &[u8]) -> Result<Script> {
    match parse(text) {
        Ok(script) if script.queries().is_empty() => bail!("it has no check-sat"),
        Ok(script) => Ok(script),
        Err(e) => bail!("smelt cannot read it: {}", e.message),
    }
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
