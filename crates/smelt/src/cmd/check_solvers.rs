//! `smelt check FILE --solver …`: what solvers answer, what their models are worth, and who is wrong.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value as Json, json};
use smelt_campaign::seedbank::label;
use smelt_campaign::seeds::Source;
use smelt_eval::brute_force;
use smelt_smtlib::{ParseOptions, Script, parse_with};
use smelt_solver::Mode;
use smelt_solver::{Answer, Cancel, Outcome, RunError};
use smelt_triage::{
    Class, Diagnosis, Evidence, Grade, Observation, Slowness, Truth, diagnose, leaves_open,
};
use smelt_trial::Target;

use crate::voice::resolving;

/// Solvers that answer, and how to run them.
pub struct Solvers {
    all: Vec<Target>,
    /// Answers that an older release has.
    lost: Slowness,
    /// CPU time for a file.
    cpu: Duration,
    cancel: Cancel,
}

/// What came of one file.
pub struct Report {
    /// Whether anybody is accused with strong or proven evidence.
    pub accused: bool,
}

impl Solvers {
    /// Finds solvers by the names that users give; `a;b` names two. One that does not answer a trivial script is an error.
    /// Scripts that are trusted are sent as they are.
    pub fn find(names: &[String], cpu: Duration, trust_scripts: bool) -> Result<Self> {
        let registry = smelt_trial::resolve::registry()?.trusting_scripts(trust_scripts);
        let all = resolving(&registry, |r| r.targets(names))?;
        let mut older = Vec::new();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let (x, y) = (&a.solver, &b.solver);
            if x.profile().name == y.profile().name && x.version() < y.version() {
                older.push((a.label.clone(), b.label.clone()));
            }
        }
        let lost = Slowness { time: false, unknown: true, older };
        Ok(Self { all, lost, cpu, cancel: Cancel::new()? })
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
        let mut script = parse_with(&source.text, options);
        let mut runs = Vec::new();
        for target in &self.all {
            runs.push(self.run(target, &text, script.as_mut().ok()));
        }
        let checks = runs.iter().map(|r| r.seen.len()).max().unwrap_or(0);
        let mut diagnoses = Vec::new();
        for k in 0..checks {
            let seen: Vec<Observation> =
                runs.iter().filter_map(|r| r.seen.get(k).cloned()).collect();
            let truth = script.as_ref().map(|s| truth(s, k)).unwrap_or_default();
            diagnoses.extend(diagnose(&seen, truth).into_iter().map(|d| (k, d)));
            let lost = self.lost.diagnose(&seen).into_iter();
            let excused =
                |d: &Diagnosis| runs.iter().any(|r| r.target.label == d.solver && r.excuses(k));
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

    fn run<'a>(&self, target: &'a Target, text: &str, script: Option<&mut Script>) -> Run<'a> {
        match self.observe(target, text, script) {
            Err(e) => Run { target, seen: Vec::new(), outcome: None, fault: Some(e.to_string()) },
            Ok((outcome, seen)) => Run { target, seen, outcome: Some(outcome), fault: None },
        }
    }

    /// Runs a solver on a text and judges what it says, if smelt has read a script in it.
    fn observe(
        &self,
        target: &Target,
        text: &str,
        script: Option<&mut Script>,
    ) -> Result<(Outcome, Vec<Observation>), RunError> {
        let mode = Mode::plain();
        let patience = (self.cpu, &self.cancel);
        let outcome = target.run_own(text, script.as_deref(), &mode, self.cpu, &self.cancel)?;
        let Some(script) = script else {
            let seen = target.observe_unread(text, &outcome);
            return Ok((outcome, seen));
        };
        let queries = script.queries();
        let limits = smelt_eval::Limits::default();
        let mut seen = target.observe_within(script, &queries, &outcome, limits);
        for (k, o) in seen.iter_mut().enumerate() {
            target.look_unchecked(script, k, o, &mode, patience)?;
        }
        Ok((outcome, seen))
    }
}

/// What a solver said of a file.
struct Run<'a> {
    target: &'a Target,
    seen: Vec<Observation>,
    outcome: Option<Outcome>,
    fault: Option<String>,
}

impl Run<'_> {
    /// Whether it does not know the answer to a check, and can say why.
    fn excuses(&self, check: usize) -> bool {
        let reason = self.seen.get(check).map(|o| &o.answer);
        let profile = self.target.solver.profile();
        matches!(reason, Some(Answer::Unknown(r)) if profile.excuses(r.as_deref()))
    }
}

fn truth(script: &Script, check: usize) -> Truth {
    let queries = script.queries();
    let Some(q) = queries.get(check) else { return Truth::default() };
    Truth {
        brute_force: brute_force(script, q).decided(),
        witness: false,
        partial: leaves_open(script, q),
        label: label(script, q.command),
    }
}

fn table(
    name: &str,
    runs: &[Run],
    diagnoses: &[(usize, Diagnosis)],
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "{name}")?;
    let width = runs.iter().map(|r| r.target.label.len()).max().unwrap_or(0).max(6);
    writeln!(out, "  {:width$}  {:>8}  {:>8}  answer, model", "solver", "CPU", "memory")?;
    for r in runs {
        match (&r.outcome, &r.fault) {
            (Some(o), _) => {
                let cpu = format!("{:.3} s", (o.cpu + o.overhead_cpu).as_secs_f64());
                let memory = format!("{:.0} MB", o.peak_rss as f64 / 1e6);
                let answers: Vec<String> = r.seen.iter().map(show).collect();
                let answers =
                    if answers.is_empty() { "no check".to_owned() } else { answers.join("; ") };
                writeln!(out, "  {:width$}  {cpu:>8}  {memory:>8}  {answers}", r.target.label)?;
            }
            (None, fault) => {
                let fault = fault.as_deref().unwrap_or("did not run");
                writeln!(out, "  {:width$}  {:>8}  {:>8}  {fault}", r.target.label, "-", "-")?;
            }
        }
    }
    if let Some(unsent) = unsent(runs) {
        writeln!(out, "  not sent: {unsent} (--trust-scripts sends everything)")?;
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
            let who = runs.iter().filter_map(|r| r.seen.get(k));
            let who = who.filter(|o| o.counts() && o.answer.kind() == word);
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
                let unknown = |o: &Observation| {
                    o.no_verdict.is_none() && matches!(o.answer, Answer::Unknown(_))
                };
                r.seen.get(k).is_some_and(unknown)
                    && !r.excuses(k)
                    && !here().any(|d| d.solver == r.target.label)
            };
            let open: Vec<&str> =
                runs.iter().filter(open).map(|r| r.target.label.as_str()).collect();
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

/// The commands that were not sent, each with how often at most.
fn unsent(runs: &[Run]) -> Option<String> {
    let mut all: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, n) in runs.iter().filter_map(|r| r.outcome.as_ref()).flat_map(|o| &o.unsent) {
        let most = all.entry(name).or_default();
        *most = (*most).max(*n);
    }
    let named = |(name, n): (&&str, &u32)| match n {
        1 => (*name).to_owned(),
        n => format!("{name} ({n} times)"),
    };
    (!all.is_empty()).then(|| all.iter().map(named).collect::<Vec<_>>().join(", "))
}

fn show(o: &Observation) -> String {
    let model = o.model.as_ref().map_or(String::new(), |v| format!(", model {v}"));
    let caveat = o.no_verdict.as_ref().map_or(String::new(), |c| format!(" (no verdict: {c})"));
    format!("{}{model}{caveat}", o.answer)
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
                        "no_verdict": o.no_verdict,
                    })
                })
                .collect();
            json!({
                "solver": r.target.label,
                "checks": checks,
                "cpu_seconds": r.outcome.as_ref().map(|o| (o.cpu + o.overhead_cpu).as_secs_f64()),
                "peak_rss": r.outcome.as_ref().map(|o| o.peak_rss),
                "fault": r.fault,
                "unsent": r.outcome.as_ref().map(|o| &o.unsent),
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
