//! `smelt check FILE --solver …`: what solvers answer, what their models are worth, and who is wrong.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value as Json, json};
use smelt_eval::ModelOptions;
use smelt_smtlib::{LogicChoice, ParseOptions, PrintOptions, Script, parse_with, print};
use smelt_solver::{Answer, Limits, Outcome, Profile, Requests, Setup, Solver, SolverSpec};
use smelt_triage::{
    Class, Diagnosis, Evidence, Grade, ModelVerdict, Observation, Truth, brute_force, diagnose,
    judge_model_within, leaves_open,
};

use crate::fuzz::slowness::Slowness;
use crate::seeds::Source;

/// Solvers that are found, and how to run them.
pub struct Solvers {
    all: Vec<Solver>,
    /// Answers that an older release has.
    lost: Slowness,
    setup: Setup,
}

/// What came of one file.
pub struct Report {
    /// Whether anybody is accused with strong or proven evidence.
    pub accused: bool,
}

impl Solvers {
    /// Finds solvers by the names that users give; `a;b` names two.
    pub fn find(names: &[String], seconds: u64) -> Result<Self> {
        let registry = crate::solvers_cmd::registry()?;
        let mut all = Vec::new();
        for name in names {
            for spec in SolverSpec::parse_list(name)? {
                all.push(crate::solvers_cmd::resolve_or_install(&registry, &spec)?);
            }
        }
        let limits = Limits::cpu(Duration::from_secs(seconds));
        let mut older = Vec::new();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            if a.profile().name == b.profile().name && a.version() < b.version() {
                older.push((label(a), label(b)));
            }
        }
        let lost = Slowness { time: false, unknown: true, older };
        Ok(Self { all, lost, setup: Setup { models: true, limits, ..Setup::default() } })
    }

    /// Runs every solver on a file and prints the table.
    pub fn check(
        &self,
        source: &Source,
        options: &ParseOptions,
        as_json: bool,
        out: &mut impl Write,
    ) -> Result<Report> {
        let text = String::from_utf8_lossy(&source.text);
        // A script that smelt cannot read is run as it is; its models cannot be judged then.
        let script = parse_with(&source.text, options);
        let runs: Vec<Run> =
            self.all.iter().map(|s| self.run(s, &text, script.as_ref().ok())).collect();
        let checks = runs.iter().map(|r| r.seen.len()).max().unwrap_or(0);
        let mut diagnoses = Vec::new();
        for k in 0..checks {
            let seen: Vec<Observation> =
                runs.iter().filter_map(|r| r.seen.get(k).cloned()).collect();
            let truth = script.as_ref().map(|s| truth(s, k)).unwrap_or_default();
            diagnoses.extend(diagnose(&seen, truth).into_iter().map(|d| (k, d)));
            let lost = self.lost.diagnose(&seen).into_iter();
            let excused = |d: &Diagnosis| runs.iter().any(|r| r.label == d.solver && r.excuses(k));
            diagnoses.extend(lost.filter(|d| !excused(d)).map(|d| (k, d)));
        }
        if as_json {
            writeln!(out, "{}", report_json(&source.name, &runs, &diagnoses))?;
        } else {
            table(&source.name, &runs, &diagnoses, out)?;
            if let Err(e) = &script {
                writeln!(
                    out,
                    "  smelt cannot read this script, so models are not judged: {}",
                    e.message
                )?;
            }
        }
        let accused = diagnoses.iter().any(|(_, d)| d.evidence.grade() > Grade::Weak);
        Ok(Report { accused })
    }

    fn run(&self, solver: &Solver, text: &str, script: Option<&Script>) -> Run {
        let naming = solver.profile().naming_of(solver.version());
        let requests = Requests { model: true, core: false };
        let ask = |text: &str| {
            solver.run_cold(&smelt_solver::Script::new(text), &self.setup, requests, None)
        };
        // The user's own text, if the solver takes it; else the same script in names that it knows, with a logic.
        let translated = || {
            let s = script?;
            let logic = if s.logic().is_some() { LogicChoice::Keep } else { LogicChoice::Smallest };
            Some(print(s, &PrintOptions { naming, logic, ..PrintOptions::default() }))
        };
        let mut result = match (naming, translated()) {
            (n, Some(own_names)) if !n.is_standard() => ask(&own_names),
            _ => ask(text),
        };
        let refused = |o: &Outcome| {
            o.checks.is_empty() || o.checks.iter().any(|c| c.answer.kind() == "rejected")
        };
        if naming.is_standard()
            && result.as_ref().is_ok_and(refused)
            && let Some(text) = translated()
            && let Ok(again) = ask(&text)
            && !refused(&again)
        {
            result = Ok(again);
        }
        let (label, profile) = (label(solver), solver.profile().clone());
        match result {
            Err(e) => {
                let fault = Some(e.to_string());
                Run { label, profile, seen: Vec::new(), outcome: None, fault }
            }
            Ok(outcome) => {
                let seen = observations(solver, &label, &outcome, script);
                Run { label, profile, seen, outcome: Some(outcome), fault: None }
            }
        }
    }
}

struct Run {
    label: String,
    profile: Arc<Profile>,
    seen: Vec<Observation>,
    outcome: Option<Outcome>,
    fault: Option<String>,
}

impl Run {
    /// Whether it does not know the answer to a check, and can say why.
    fn excuses(&self, check: usize) -> bool {
        let reason = self.seen.get(check).map(|o| &o.answer);
        matches!(reason, Some(Answer::Unknown(r)) if self.profile.excuses(r.as_deref()))
    }
}

pub fn label(solver: &Solver) -> String {
    match solver.version() {
        Some(v) if !solver.label().contains(&v.to_string()) => format!("{} ({v})", solver.label()),
        _ => solver.label().to_owned(),
    }
}

fn observations(
    solver: &Solver,
    label: &str,
    outcome: &Outcome,
    script: Option<&Script>,
) -> Vec<Observation> {
    let queries = script.map(Script::queries).unwrap_or_default();
    let old_escapes =
        solver.profile().dialect_of(solver.version()).escapes.is_some_and(|e| e != "standard");
    let options = ModelOptions { old_escapes, ..ModelOptions::default() };
    outcome
        .checks
        .iter()
        .enumerate()
        .map(|(k, check)| {
            let judged = match (&check.model, script, queries.get(k)) {
                (Some(text), Some(s), Some(q)) if check.answer.kind() == "sat" => {
                    // Each model in a copy: what it defines must not be seen by the next.
                    let limits = smelt_eval::Limits::default();
                    Some(judge_model_within(&mut s.clone(), q, text, &options, limits))
                }
                _ => None,
            };
            let family = &solver.profile().family;
            let seen = Observation::new(label, family, check.answer.clone(), judged);
            Observation { cpu: outcome.cpu, ..seen }
        })
        .collect()
}

fn truth(script: &Script, check: usize) -> Truth {
    let queries = script.queries();
    let Some(q) = queries.get(check) else { return Truth::default() };
    // The label that stands nearest before the check.
    let label = script.commands[..q.command].iter().rev().find_map(|c| match c {
        smelt_smtlib::Command::SetInfo(k, v) if &**k == ":status" => match &**v {
            "sat" => Some(Some(true)),
            "unsat" => Some(Some(false)),
            _ => Some(None),
        },
        _ => None,
    });
    Truth {
        brute_force: brute_force(script, q),
        witness: false,
        partial: leaves_open(script, q),
        label: label.flatten(),
    }
}

fn table(
    name: &str,
    runs: &[Run],
    diagnoses: &[(usize, Diagnosis)],
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "{name}")?;
    let width = runs.iter().map(|r| r.label.len()).max().unwrap_or(0).max(6);
    writeln!(out, "  {:width$}  {:>8}  {:>8}  answer, model", "solver", "CPU", "memory")?;
    for r in runs {
        match (&r.outcome, &r.fault) {
            (Some(o), _) => {
                let cpu = format!("{:.3} s", (o.cpu + o.overhead_cpu).as_secs_f64());
                let memory = format!("{:.0} MB", o.peak_rss as f64 / 1e6);
                let answers: Vec<String> = r.seen.iter().map(show).collect();
                let answers =
                    if answers.is_empty() { "no check".to_owned() } else { answers.join("; ") };
                writeln!(out, "  {:width$}  {cpu:>8}  {memory:>8}  {answers}", r.label)?;
            }
            (None, fault) => {
                let fault = fault.as_deref().unwrap_or("did not run");
                writeln!(out, "  {:width$}  {:>8}  {:>8}  {fault}", r.label, "-", "-")?;
            }
        }
    }
    let checks = runs.iter().map(|r| r.seen.len()).max().unwrap_or(0);
    for k in 0..checks {
        let place = if checks > 1 { format!("check {}: ", k + 1) } else { String::new() };
        let here = || diagnoses.iter().filter(|(at, _)| *at == k).map(|(_, d)| d);
        for d in here().filter(|d| d.evidence.grade() > Grade::Weak) {
            writeln!(out, "  => {place}{d}")?;
        }
        // What is only suspected is one line: they cannot all be right, but nobody is accused.
        let settled = here().any(|d| {
            d.evidence.grade() > Grade::Weak
                && matches!(d.class, Class::RefutationSoundness | Class::SolutionSoundness)
        });
        let side = |word: &str| -> String {
            let who = runs.iter().filter_map(|r| r.seen.get(k)).filter(|o| o.answer.kind() == word);
            who.map(|o| o.solver.as_str()).collect::<Vec<_>>().join(", ")
        };
        let (sat, unsat) = (side("sat"), side("unsat"));
        if !settled && !sat.is_empty() && !unsat.is_empty() {
            writeln!(
                out,
                "  => {place}they cannot all be right, unproven: sat by {sat}; unsat by {unsat}"
            )?;
            continue;
        }
        if sat.is_empty() != unsat.is_empty() {
            // An unknown accuses nobody, unless it is new.
            let open = |r: &&Run| {
                let unknown = r.seen.get(k).is_some_and(|o| matches!(o.answer, Answer::Unknown(_)));
                unknown && !r.excuses(k) && !here().any(|d| d.solver == r.label)
            };
            let open: Vec<&str> = runs.iter().filter(open).map(|r| r.label.as_str()).collect();
            let (word, who) = if sat.is_empty() { ("unsat", unsat) } else { ("sat", sat) };
            if !open.is_empty() {
                writeln!(out, "  => {place}not decided by {}; {word} by {who}", open.join(", "))?;
            }
        }
        if !settled && here().any(|d| d.evidence == Evidence::Label) {
            writeln!(out, "  => {place}unproven: the script's own :status says otherwise")?;
        }
    }
    Ok(())
}

fn show(o: &Observation) -> String {
    match &o.model {
        Some(ModelVerdict::True) => format!("{}, model true", o.answer),
        Some(v) => format!("{}, model {v}", o.answer),
        None => o.answer.to_string(),
    }
}

fn report_json(name: &str, runs: &[Run], diagnoses: &[(usize, Diagnosis)]) -> Json {
    let runs: Vec<Json> = runs
        .iter()
        .map(|r| {
            let checks: Vec<Json> = r
                .seen
                .iter()
                .map(|o| {
                    json!({
                        "answer": o.answer.kind(),
                        "detail": o.answer.to_string(),
                        "model": o.model.as_ref().map(ToString::to_string),
                    })
                })
                .collect();
            json!({
                "solver": r.label,
                "checks": checks,
                "cpu_seconds": r.outcome.as_ref().map(|o| (o.cpu + o.overhead_cpu).as_secs_f64()),
                "peak_rss": r.outcome.as_ref().map(|o| o.peak_rss),
                "fault": r.fault,
            })
        })
        .collect();
    let found: Vec<Json> = diagnoses
        .iter()
        .map(|(k, d)| {
            json!({
                "check": k + 1,
                "solver": d.solver,
                "class": d.class.to_string(),
                "grade": format!("{:?}", d.evidence.grade()).to_lowercase(),
                "evidence": d.evidence.to_string(),
            })
        })
        .collect();
    json!({ "file": name, "solvers": runs, "diagnoses": found })
}
