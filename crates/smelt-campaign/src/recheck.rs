//! Kept findings, judged again: what rests on smelt's evaluator is evaluated anew, from what the folder has, and no solver is run.

pub mod build;

use std::path::Path;

use anyhow::{Result, bail};
use smelt_eval::{Exhausted, Limits, ModelOptions, exhaust, prove};
use smelt_smtlib::{Query, Script};
use smelt_solver::{Profiles, Status, Version};
use smelt_triage::{Class, Grade, ModelVerdict, judge_model_within, leaves_open};
use smelt_trial::model_options;
use smelt_trial::reproducer::satisfies;

use crate::finding::{Finding, Verdict};
use crate::replay::script;
use crate::shelf::{self, Contents, file};

/// What a new judgement says of one verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It is judged as it was, for this reason.
    Stands(String),
    /// It is not, for this reason.
    Falls(String),
    /// Nothing can be said of it, because the folder lacks something: it stays as it was.
    Open(String),
}

/// A finding that was judged again.
pub struct Rechecked {
    /// The finding, with what became of it.
    pub finding: Finding,
    /// Each class that it accuses of, with what is said of it now.
    pub said: Vec<(Class, Judged)>,
}

/// Judges a finding again and marks in its folder the verdicts that fall. One that was withdrawn and stands again loses its mark.
pub fn recheck(folder: &Path) -> Result<Rechecked> {
    let mut finding = shelf::read(folder)?;
    let name = if finding.reproducer.session { file::ORIGINAL } else { file::BUG };
    let mut script = script(folder, name)?;
    let queries = script.queries();
    let check = finding.reproducer.check;
    let Some(query) = queries.get(check) else {
        bail!("it is about check {}, and {name} has {}", check.saturating_add(1), queries.len());
    };
    let mut said = Vec::new();
    for i in 0..finding.verdicts.len() {
        let Verdict { class, grade, .. } = finding.verdicts[i];
        let judged = match grade {
            Grade::Proven => proven(folder, &finding, class, &mut script, query),
            _ => strong(folder, &finding, class, &mut script, query),
        };
        match &judged {
            Judged::Stands(_) => finding.verdicts[i].withdrawn = None,
            Judged::Falls(why) => finding.verdicts[i].withdrawn = Some(why.clone()),
            Judged::Open(_) => {}
        }
        said.push((class, judged));
    }
    let contents = Contents { finding, ..Contents::read(folder)? };
    shelf::rewrite(folder, &contents)?;
    Ok(Rechecked { finding: contents.finding, said })
}

/// What the evaluator says now of the model that the accused printed, if it was kept.
fn own_model(
    folder: &Path,
    finding: &Finding,
    script: &mut Script,
    query: &Query,
) -> Option<ModelVerdict> {
    let text = printed(folder, finding, &finding.accused.label)?;
    let options = model_options_of(&finding.accused.profile, finding.accused.version.as_deref());
    Some(judge_model_within(script, query, &text, &options, Limits::default()))
}

/// What is said now of a class that was proven.
fn proven(
    folder: &Path,
    finding: &Finding,
    class: Class,
    script: &mut Script,
    query: &Query,
) -> Judged {
    let wanted = match class {
        Class::InvalidModel => |v: &ModelVerdict| matches!(v, ModelVerdict::False(_)),
        Class::FalseAlarm => ModelVerdict::holds,
        _ => match class.row().wrong {
            Some(Status::Unsat) => return satisfiable(finding, folder, script, query),
            Some(_) => {
                return match prove(script, query) {
                    Status::Unsat => Judged::Stands("every value, or every case, was tried".into()),
                    Status::Sat => Judged::Falls("trying values finds a model".into()),
                    Status::Unknown => Judged::Falls("the values cannot all be tried".into()),
                };
            }
            None => return Judged::Stands("no judgement of smelt's is behind it".into()),
        },
    };
    match own_model(folder, finding, script, query) {
        Some(v) if wanted(&v) => Judged::Stands(format!("its model is {v}")),
        Some(v) => Judged::Falls(format!("its model is {v}")),
        None => Judged::Open("its model was not kept".into()),
    }
}

/// What is said now of a class that rests on what solvers said: a true model, or values that turn out to be open, may speak for the accused.
fn strong(
    folder: &Path,
    finding: &Finding,
    class: Class,
    script: &mut Script,
    query: &Query,
) -> Judged {
    let own = own_model(folder, finding, script, query);
    let is_about_sat = class == Class::InvalidModel || class.row().wrong == Some(Status::Sat);
    match own {
        Some(v) if is_about_sat && v.holds() => Judged::Falls(format!("its model is {v}")),
        _ if class.row().wrong.is_some() && leaves_open(script, query) => {
            Judged::Falls("the script leaves values open, on which solvers may differ".into())
        }
        _ => Judged::Stands("it rests on what solvers said".into()),
    }
}

/// Whether a script that was called unsatisfiable has a model: the witness, one that another solver printed, or one of few values.
fn satisfiable(finding: &Finding, folder: &Path, script: &mut Script, query: &Query) -> Judged {
    if finding.reproducer.witness.as_deref().is_some_and(|w| satisfies(w, script, query)) {
        return Judged::Stands("the witness is a model".into());
    }
    let mut lacking = false;
    for peer in &finding.peers {
        let Some(text) = printed(folder, finding, &peer.solver) else {
            lacking |= peer.model.is_some();
            continue;
        };
        let (name, version) = named(&peer.solver);
        let options = model_options_of(name, version);
        let verdict = judge_model_within(script, query, &text, &options, Limits::default());
        if verdict == ModelVerdict::True {
            return Judged::Stands(format!("the model of {} is true", peer.solver));
        }
    }
    match exhaust(script, query) {
        Some(Exhausted::Sat(_)) => Judged::Stands("a model was found by trying values".into()),
        _ if lacking => Judged::Open("the model that proved it was not kept".into()),
        _ => Judged::Falls("no model is found true any more".into()),
    }
}

/// The model that a solver printed for the check in question, if it was kept.
fn printed(folder: &Path, finding: &Finding, solver: &str) -> Option<String> {
    let name = format!("{}/{}", file::OUTPUTS, file::output(solver));
    let text = String::from_utf8(shelf::read_file(folder, &name).ok()?).ok()?;
    printed_model(&text, finding.reproducer.check).map(str::to_owned)
}

/// The model of a check in what was kept of a solver's output.
pub(crate) fn printed_model(output: &str, check: usize) -> Option<&str> {
    let head = format!("--- model of check {}\n", check + 1);
    let (_, rest) = output.split_once(&head)?;
    let end = rest.find("\n--- ").unwrap_or(rest.len());
    Some(&rest[..end])
}

/// The profile and the version in a solver's name for people: `z3@4.8.7 (4.8.7.0)`.
fn named(solver: &str) -> (&str, Option<&str>) {
    let name = solver.split(['@', ' ', ':']).next().unwrap_or(solver);
    let version = solver.split_once('(').map(|(_, v)| v.trim_end_matches(')'));
    (name, version.or_else(|| solver.split_once('@').map(|(_, v)| v)))
}

/// How a solver writes its models; of one that is not known no number that may be rounded is trusted.
pub(crate) fn model_options_of(profile: &str, version: Option<&str>) -> ModelOptions {
    let profiles = Profiles::embedded();
    let profile = profiles.get(profile).or_else(|| profiles.get("generic"));
    let version = version.and_then(Version::parse);
    profile.map_or_else(ModelOptions::default, |p| model_options(p, version.as_ref()))
}
