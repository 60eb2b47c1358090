//! `smelt replay`: does a finding still hold?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use smelt_case::{OpSet, Seed};
use smelt_smtlib::{LogicChoice, Op, PrintOptions, Script, parse, print};
use smelt_solver::{Answer, Cancel, Home, Launcher, Limit, Outcome, Registry, SolverSpec};
use smelt_strategy::{Input, by_name};
use smelt_triage::{Class, Finding, ModelVerdict, Observation, is_fault};

use crate::fuzz::core::{CoreVerdict, judge_core};
use crate::fuzz::folder;
use crate::fuzz::seedbank;
use crate::fuzz::target::{Mode, Target};
use crate::proofs::newest_at_hand;

/// Exit code when a finding still holds.
const HOLDS: u8 = 10;

/// Re-run findings.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of findings.
    #[arg(required = true)]
    findings: Vec<PathBuf>,
    /// Run on this solver instead of the accused one; may be given several times.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// CPU seconds per run. Slowness takes a minute, whatever is said here.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    limit: u64,
}

/// What a run says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Holds,
    DoesNot,
    /// A limit ended the run before it could tell.
    Open,
}

impl Says {
    fn word(self) -> &'static str {
        match self {
            Self::Holds => "still holds",
            Self::DoesNot => "does not hold",
            Self::Open => "not decided",
        }
    }
}

impl From<bool> for Says {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNot }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode> {
    let home = Home::of_user().context("no data folder: set SMELT_HOME")?;
    let registry = Registry::open(home, Launcher::current()?)?;
    let mut out = std::io::stdout().lock();
    let (mut holds, mut failed) = (false, 0);
    for path in &args.findings {
        // One that cannot be run does not keep the others from it.
        match replay(&registry, path, &args, &mut out) {
            Ok(still) => holds |= still,
            Err(e) => {
                failed += 1;
                writeln!(out, "{}: cannot be replayed: {e:#}", path.display())?;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of {} findings could not be replayed", args.findings.len());
    }
    Ok(ExitCode::from(if holds { HOLDS } else { 0 }))
}

/// Replays one finding: whether it holds on one of the solvers.
fn replay(registry: &Registry, path: &Path, args: &Args, out: &mut impl Write) -> Result<bool> {
    let finding = folder::read(path)?;
    writeln!(out, "{}: {}", finding.id, finding.class)?;
    match rebuild(path, &finding) {
        Ok(true) => writeln!(out, "  the recipe gives the same mutant")?,
        Ok(false) => writeln!(
            out,
            "  the recipe gives another mutant (it was made by smelt {}); the kept script is used",
            finding.recipe.smelt
        )?,
        Err(e) => {
            writeln!(out, "  the recipe cannot be followed ({e:#}); the kept script is used")?
        }
    }
    let names = match args.solver.as_slice() {
        [] => vec![finding.spec.clone()],
        given => given.to_vec(),
    };
    let mut holds = false;
    for name in names {
        for spec in SolverSpec::parse_list(&name)? {
            let solver = crate::solvers_cmd::resolve_or_install(registry, &spec)?;
            let target = Target::unprobed(solver);
            let (says, what) = rerun(registry, path, &finding, &target, args.limit)?;
            holds |= says == Says::Holds;
            let other = args.solver.is_empty() && target.solver.hash() != finding.binary;
            let note = if other { " (another binary than the accused one)" } else { "" };
            writeln!(out, "  {}{note}: {}: {what}", target.label, says.word())?;
        }
    }
    Ok(holds)
}

/// Follows the recipe; whether it gives the script that was kept.
fn rebuild(path: &Path, f: &Finding) -> Result<bool> {
    let r = &f.recipe;
    let mut seeds: Vec<Seed> = Vec::new();
    for (i, s) in r.seeds.iter().enumerate() {
        let file = if i == 0 { "seed.smt2".to_owned() } else { format!("seed-{}.smt2", i + 1) };
        let text =
            std::fs::read(path.join(&file)).with_context(|| format!("cannot read {file}"))?;
        let script = seedbank::understand(&text).map_err(|e| anyhow!("{file}: {e}"))?;
        let facts = f.seeds.get(i).map_or(&[][..], Vec::as_slice);
        let seed = seedbank::make(s.name.clone(), &text, script, facts);
        if seed.hash != s.hash {
            bail!("{file} is not the seed that was used");
        }
        seeds.push(seed);
    }
    let Some((seed, partners)) = seeds.split_first() else { bail!("it names no seed") };
    let kept =
        std::fs::read_to_string(path.join("original.smt2")).context("cannot read original.smt2")?;
    let options = PrintOptions {
        logic: LogicChoice::Smallest,
        strip_status: true,
        ..PrintOptions::default()
    };
    if r.strategy == "seed" {
        return Ok(print(&seed.workspace(), &options) == kept);
    }
    let strategy =
        by_name(&r.strategy).with_context(|| format!("there is no strategy {}", r.strategy))?;
    // A file that says otherwise is damaged, and would be followed for ever.
    let most = strategy.chain_length();
    if r.step >= most {
        bail!("step {} of a chain of {most}", r.step);
    }
    let ops: OpSet =
        Op::all().filter(|op| !r.without.iter().any(|w| *w == format!("{op:?}"))).collect();
    let partners: Vec<&Seed> = partners.iter().collect();
    let input = Input { seed, partners: &partners, ops: &ops, parameters: &r.parameters };
    let refused = |e: smelt_strategy::Refusal| anyhow!("{} refuses: {e}", r.strategy);
    let mut random = r.stream();
    let mut chain = strategy.start(&input, &mut random).map_err(refused)?;
    for _ in 0..r.step {
        chain.step(&mut random).map_err(refused)?;
    }
    let last = chain.step(&mut random).map_err(refused)?;
    Ok(print(last.script, &options) == kept)
}

/// Runs the script of a finding in a fresh process: whether it holds, and what was seen.
fn rerun(
    registry: &Registry,
    path: &Path,
    f: &Finding,
    target: &Target,
    limit: u64,
) -> Result<(Says, String)> {
    let cancel = Cancel::new()?;
    let cpu = Duration::from_secs(if slow(f.class) { limit.max(60) } else { limit });
    let text = read(path, "bug.smt2")?;
    let mode = Mode {
        models: f.models,
        tactic: f.tactic.clone(),
        options: f.options.clone(),
        self_check: f.self_check,
        cores: f.cores,
        push_pop: f.push_pop,
        ..Mode::plain()
    };
    if f.session_dependent {
        let sent = smelt_solver::Script::new(&text);
        if f.class == Class::Crash {
            let outcome = target.run_cold(&sent, &mode, cpu * 10, &cancel)?;
            return Ok(crash(f, &outcome));
        }
        // The script itself is the end of the transcript.
        let mut script = script(path, "original.smt2")?;
        let n = script.queries().len();
        let outcome = target.run_transcript(&text, n, &mode, cpu * 10, &cancel)?;
        return Ok(outcome.map_or((Says::DoesNot, "it gave no answer".to_owned()), |outcome| {
            observed(f, target, &mut script, &outcome)
        }));
    }
    let mut script = script(path, "bug.smt2")?;
    let sent = target.print(&script, &mode);
    let mut outcome = target.run_cold(&sent, &mode, cpu, &cancel)?;
    match f.class {
        Class::Crash => {
            let setup = mode.setup(smelt_solver::Limits::cpu(cpu));
            target.solver.name_frames(&sent, &setup, &mut outcome, Some(&cancel))?;
            Ok(crash(f, &outcome))
        }
        Class::ImplicationIncompleteness => {
            let (says, what) = observed(f, target, &mut script, &outcome);
            let before = self::script(path, "before.smt2")?;
            let outcome = target.run_cold(&target.print(&before, &mode), &mode, cpu, &cancel)?;
            let answer = outcome.answer();
            let what = match answer {
                Some(a) => format!("{what}; before the step {a}"),
                None => format!("{what}; before the step it gave no answer"),
            };
            Ok(match answer {
                Some(a) if a.decided().is_some() => (says, what),
                Some(a) if says == Says::Holds && ended(a) => (Says::Open, what),
                _ => (Says::DoesNot, what),
            })
        }
        Class::SelfContradiction => {
            let flat = self::script(path, "flat.smt2")?;
            let alone = target.run_cold(&target.print(&flat, &mode), &mode, cpu, &cancel)?;
            Ok(contradiction(f, &outcome, &alone))
        }
        Class::InvalidCore => {
            let (says, what) = observed(f, target, &mut script, &outcome);
            let core =
                outcome.checks.get(f.check.saturating_sub(1)).and_then(|c| c.core.as_deref());
            match core {
                Some(core) if says == Says::Open => {
                    core_holds(registry, &script, core, target, cpu)
                }
                None if says == Says::Open && outcome.answer() == Some(&Answer::Unsat) => {
                    Ok((says, format!("{what}, and no core was given")))
                }
                _ => Ok((says, what)),
            }
        }
        _ => Ok(observed(f, target, &mut script, &outcome)),
    }
}

/// Whether a core has a model: the solver itself is asked, and those at hand.
fn core_holds(
    registry: &Registry,
    script: &Script,
    core: &str,
    target: &Target,
    cpu: Duration,
) -> Result<(Says, String)> {
    let others: Vec<Target> = newest_at_hand(registry)
        .into_iter()
        .filter(|s| s.hash() != target.solver.hash())
        .map(Target::unprobed)
        .collect();
    let all = std::iter::once(target).chain(&others);
    let words: Vec<&str> = core.split_whitespace().collect();
    let core = words.join(" ");
    Ok(match judge_core(script, &core, all, cpu, &Cancel::new()?)? {
        CoreVerdict::Refuted(by) => {
            (Says::Holds, format!("unsat, {by} has a model of its core {core}"))
        }
        CoreVerdict::Stands => (Says::DoesNot, format!("unsat, and so is its core {core}")),
        CoreVerdict::Open => (Says::Open, format!("unsat, and nobody decides its core {core}")),
    })
}

fn read(path: &Path, file: &str) -> Result<String> {
    std::fs::read_to_string(path.join(file)).with_context(|| format!("cannot read {file}"))
}

/// A script of a finding, without what only people need.
fn script(path: &Path, file: &str) -> Result<Script> {
    let text = read(path, file)?;
    let mut script = parse(text.as_bytes()).map_err(|e| anyhow!("{file}: {}", e.message))?;
    script.commands.retain(|c| !matches!(c, smelt_smtlib::Command::Other(_)));
    Ok(script)
}

/// Whether an answer is the one that the finding is about.
fn observed(
    f: &Finding,
    target: &Target,
    script: &mut Script,
    outcome: &Outcome,
) -> (Says, String) {
    let queries = script.queries();
    let seen = target.observe(script, &queries, outcome);
    let Some(o) = seen.get(f.check.saturating_sub(1)) else {
        // A limit that ended an earlier check leaves this one open.
        return match outcome.answer() {
            Some(a) if ended(a) => (Says::Open, a.to_string()),
            _ => (Says::DoesNot, "it gave no answer".to_owned()),
        };
    };
    let what = match &o.model {
        Some(m) => format!("{}, model {m}", o.answer),
        None => o.answer.to_string(),
    };
    (holds(f, o), what)
}

/// What the answer alone says.
fn holds(f: &Finding, o: &Observation) -> Says {
    match (&o.answer, &o.complaint) {
        // A busy machine is not the solver's fault.
        (Answer::Timeout(limit), _) if slow(f.class) && *limit != Limit::Wall => {
            return Says::Holds;
        }
        (a, None) if ended(a) => return Says::Open,
        // The core decides.
        (Answer::Unsat, None) if f.class == Class::InvalidCore => return Says::Open,
        _ => {}
    }
    Says::from(match f.class {
        Class::RefutationSoundness => o.answer == Answer::Unsat,
        // The check alone decides.
        Class::SelfContradiction => o.answer.decided().is_some(),
        Class::SolutionSoundness => o.answer == Answer::Sat && o.model != Some(ModelVerdict::True),
        Class::InvalidModel => {
            matches!(o.model, Some(ModelVerdict::False(_))) || o.complaint.is_some()
        }
        Class::InvalidCore => o.complaint.is_some(),
        Class::FalseAlarm => o.complaint.is_some() && o.model == Some(ModelVerdict::True),
        Class::Crash => matches!(o.answer, Answer::Crash(_)),
        Class::IncompletenessRegression | Class::ImplicationIncompleteness => {
            matches!(o.answer, Answer::Unknown(_))
        }
        Class::Performance | Class::PerformanceRegression => false,
    })
}

/// What a minute of waiting is needed for.
fn slow(class: Class) -> bool {
    matches!(class, Class::Performance | Class::PerformanceRegression)
}

/// Whether a limit ended the check.
fn ended(answer: &Answer) -> bool {
    matches!(answer, Answer::Timeout(_) | Answer::OutOfMemory)
}

/// Whether the answers to a check in its script and alone exclude each other.
fn contradiction(f: &Finding, outcome: &Outcome, alone: &Outcome) -> (Says, String) {
    let own = outcome.checks.get(f.check.saturating_sub(1)).map(|c| &c.answer);
    let flat = alone.checks.first().map(|c| &c.answer);
    let word = |a: Option<&Answer>| a.map_or("no answer".to_owned(), ToString::to_string);
    let what = format!("{}; the check alone {}", word(own), word(flat));
    let says = match (own.and_then(Answer::decided), flat.and_then(Answer::decided)) {
        (Some(a), Some(b)) => Says::from(a != b),
        _ if [own, flat].into_iter().flatten().chain(outcome.answer()).any(ended) => Says::Open,
        _ => Says::DoesNot,
    };
    (says, what)
}

fn crash(f: &Finding, outcome: &Outcome) -> (Says, String) {
    let crash = outcome.crash.clone().or_else(|| match outcome.answer() {
        Some(Answer::Crash(c)) => Some(c.clone()),
        _ => None,
    });
    // Who cannot be run, or is ended by somebody else, has not crashed.
    match (crash.filter(|c| !is_fault(c)), outcome.answer()) {
        (Some(c), _) if f.signature.ends_with(&c.signature()) => (Says::Holds, c.to_string()),
        (Some(c), _) => (Says::Holds, format!("another crash: {c}")),
        (None, Some(a)) if ended(a) => (Says::Open, a.to_string()),
        (None, answer) => {
            (Says::DoesNot, answer.map_or("no answer".to_owned(), ToString::to_string))
        }
    }
}
