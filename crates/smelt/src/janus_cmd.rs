//! `smelt janus`: unknowns that should not be. Chains of weaker (sat) or stronger (unsat) scripts, given to releases of one solver.

mod finding;
mod shrink;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Expectation, Known, OpSet, Recipe, Seed, SeedRef, Status, digest};
use smelt_eval::{Evaluator, Model, ModelOptions, Value, parse_model};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::{Head, LogicChoice, Op, PrintOptions, Script, parse, print};
use smelt_solver::{Answer, Limits, Policy, Requests, Session, Setup, Solver, SolverSpec, Verdict};
use smelt_strategy::janus::AGAIN;
use smelt_strategy::{Input, by_name};

use self::finding::{Finding, Kind};
use self::shrink::{Pair, shrink};
use crate::proofs::{Proofs, newest_at_hand, provers};
use crate::rules_cmd::panel::Panel;
use crate::seeds::{self, Source};

/// CPU time for one question to one solver about a rule.
const PROOF_LIMIT: Duration = Duration::from_secs(1);

/// Find unknowns that should not be.
///
/// Each seed becomes weaker (if it is sat) or stronger (if it is unsat), step by step, by rules that are proved. The last solver is the
/// one that is tested. *implication*: it decides a step and answers `unknown` to the next. *regression*: an earlier one of the list
/// decides what it does not. *wrong*: it contradicts a witness. *contradiction*: its answers to two steps exclude each other. Answers that limits or missing features explain do not count.
/// Exit code 10 if something was found.
#[derive(clap::Args)]
pub struct Args {
    /// Scripts or folders; the seeds inside smelt by default.
    seeds: Vec<PathBuf>,
    /// Releases of one solver, the oldest first; may be repeated. One alone is tested for implications only.
    #[arg(long, value_name = "SOLVER", required = true)]
    solver: Vec<String>,
    /// How long.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// CPU seconds per check.
    #[arg(long, value_name = "SECONDS", default_value_t = 2)]
    limit: u64,
    /// Steps of a chain.
    #[arg(long, value_name = "N", default_value_t = 25)]
    steps: u32,
    /// How many findings are shown, the most convincing first.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// The seed of randomness.
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,
    /// Write every finding to a folder of this one.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seeds larger than this are left out.
    #[arg(long, value_name = "BYTES", default_value_t = 8192)]
    max_bytes: usize,
    /// A parameter of the strategy `janus`; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode> {
    let strategy = by_name("janus").context("there is no strategy `janus`")?;
    // A parameter that is given counts: it comes later.
    let mut parameters = vec![format!("steps={}", args.steps)];
    for p in &args.parameters {
        parameters.push(crate::params::with_file(strategy, p)?);
    }
    let proofs = Proofs::of_user()?;
    proofs.give_rules(strategy, &mut parameters);
    let mut bench = Bench::new(&args)?;
    let sources: Vec<Source> = if args.seeds.is_empty() {
        seeds::embedded()
    } else {
        seeds::files(&args.seeds)?.iter().map(|f| seeds::read(f)).collect::<Result<_>>()?
    };
    let mut sources: Vec<Source> =
        sources.into_iter().filter(|s| s.text.len() <= args.max_bytes).collect();
    // A short run should see every kind of seed.
    sources.shuffle(&mut ChaCha8Rng::seed_from_u64(args.seed));
    if sources.is_empty() {
        bail!("there are no seeds");
    }
    let ops: OpSet = Op::all()
        .filter(|op| matches!(op.info().dialect, Dialect::Standard | Dialect::Common))
        .collect();
    let end = Instant::now() + Duration::from_secs(args.time);
    // What is proved on the way may take a tenth of the time.
    let mut left = Duration::from_secs(args.time) / 10;
    let mut known: BTreeMap<usize, Option<(Seed, Vec<usize>)>> = BTreeMap::new();
    let mut found: Vec<Finding> = Vec::new();
    let mut tally = Tally::default();
    let mut round = 0u64;
    'all: loop {
        let mut usable = false;
        for (i, source) in sources.iter().enumerate() {
            if Instant::now() >= end {
                break 'all;
            }
            let seed = known.entry(i).or_insert_with(|| {
                let seed = bench.seed(source)?;
                let wanted = proofs.want(strategy.unproved(&seed, &parameters));
                bench.prove(&proofs, &mut left, &mut tally);
                Some((seed, wanted))
            });
            let Some((seed, wanted)) = seed else { continue };
            usable = true;
            let mut parameters = parameters.clone();
            proofs.give_proofs(strategy, wanted, &mut parameters);
            let recipe = Recipe {
                smelt: env!("CARGO_PKG_VERSION").into(),
                strategy: strategy.name().into(),
                parameters: parameters.clone(),
                without: Vec::new(),
                campaign: args.seed,
                seeds: vec![SeedRef { name: seed.name.clone(), hash: seed.hash.clone() }],
                chain: round,
                step: 0,
            };
            let mut own = ops.clone();
            let a = &seed.script.arena;
            for t in a.dag(&seed.script.roots()) {
                if let Head::Op(op, _) = a.head(t) {
                    own.insert(op);
                }
            }
            let input = Input { seed, partners: &[], ops: &own, parameters: &parameters };
            let mut random = recipe.stream();
            let Ok(mut chain) = strategy.start(&input, &mut random) else { continue };
            tally.chains += 1;
            let first = bench.print(&seed.script);
            let mut before = first.clone();
            for _ in 0..args.steps {
                if Instant::now() >= end {
                    break;
                }
                let Ok(m) = chain.step(&mut random) else { break };
                let after = bench.print(m.script);
                if m.what.starts_with(AGAIN) {
                    // The chain was stuck: the rule leads from the seed to this.
                    before.clone_from(&first);
                }
                let rule = m.what.rsplit(' ').next().unwrap_or_default().to_owned();
                tally.tests += 1;
                let answer = bench.ask_target(&after);
                *tally.answers.entry(answer.kind().to_owned()).or_default() += 1;
                let expected = match m.expect.first() {
                    Some(Expectation::Sat(_)) => Verdict::Sat,
                    _ => Verdict::Unsat,
                };
                let wrong = answer == Answer::Unsat
                    && matches!(m.expect.first(), Some(Expectation::Sat(Some(_))));
                let step = Step { before: &before, after: &after, expected, rule: &rule };
                // A mutant rests on a label or on the seed's answer without a witness; but the same solver gave that.
                let turned = answer.decided().is_some_and(|v| v != expected);
                let finding = match &answer {
                    _ if wrong => bench.confirm_wrong(&step),
                    _ if turned => bench.confirm_contradiction(&step),
                    Answer::Unknown(reason) if !bench.excuses(reason.as_deref()) => {
                        tally.unknown += 1;
                        bench.confirm_unknown(&step, reason.as_deref())
                    }
                    _ => None,
                };
                if let Some(f) = finding {
                    f.on(&seed.name).join(&mut found);
                }
                // What does not decide, or decides otherwise, is no step to go on from.
                if answer.decided() != Some(expected) {
                    break;
                }
                before = after;
            }
        }
        round += 1;
        if !usable {
            bail!("the solver decides none of the seeds");
        }
    }
    // What was different may be the same when it is small.
    let mut small: Vec<Finding> = Vec::new();
    for mut f in found {
        bench.shrink(&mut f, &parameters);
        f.join(&mut small);
    }
    let mut found = small;
    found.sort_by_key(Finding::rank);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    tally.show(&bench, &found, &mut out)?;
    for (i, f) in found.iter().enumerate() {
        if i < args.top {
            f.show(i + 1, &mut out)?;
        }
        if let Some(dir) = &args.out {
            f.write(&dir.join(format!("{:03}-{}-{}", i + 1, f.kind, f.rule)))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::from(if found.is_empty() { 0 } else { 10 }))
}

/// One step of a chain.
struct Step<'a> {
    before: &'a str,
    after: &'a str,
    expected: Verdict,
    rule: &'a str,
}

#[derive(Default)]
struct Tally {
    chains: u64,
    tests: u64,
    unknown: u64,
    answers: BTreeMap<String, u64>,
    proofs: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn show(&self, bench: &Bench, found: &[Finding], out: &mut impl Write) -> Result<()> {
        let answers: Vec<String> = self.answers.iter().map(|(a, n)| format!("{n} {a}")).collect();
        writeln!(
            out,
            "{} mutants of {} chains given to {}: {}",
            self.tests,
            self.chains,
            bench.target_name(),
            answers.join(", ")
        )?;
        for (what, n) in &self.proofs {
            writeln!(out, "{n} instances of rules {what}")?;
        }
        let count = |k: Kind| found.iter().filter(|f| f.kind == k).count();
        writeln!(
            out,
            "{} unknowns without excuse; {} groups: {} wrong, {} contradictions, {} regressions, {} implications",
            self.unknown,
            found.len(),
            count(Kind::Wrong),
            count(Kind::Contradiction),
            count(Kind::Regression),
            count(Kind::Implication)
        )?;
        Ok(())
    }
}

/// The solvers.
struct Bench {
    solvers: Vec<Solver>,
    session: Session,
    models: Session,
    setup: Setup,
    provers: Panel,
}

impl Bench {
    fn new(args: &Args) -> Result<Self> {
        let registry = crate::solvers_cmd::registry()?;
        let mut solvers = Vec::new();
        for name in &args.solver {
            for spec in SolverSpec::parse_list(name)? {
                solvers.push(crate::solvers_cmd::resolve_or_install(&registry, &spec)?);
            }
        }
        let Some(target) = solvers.last() else { bail!("no solver is given") };
        let limits = Limits::cpu(Duration::from_secs(args.limit));
        let setup = Setup { limits, ..Setup::default() };
        let with_models = Setup { models: true, ..setup.clone() };
        let session = Session::new(target, setup.clone(), Policy::default());
        let models = Session::new(target, with_models, Policy::default());
        let provers = Panel::new(&provers(newest_at_hand(&registry)), PROOF_LIMIT, None);
        Ok(Self { solvers, session, models, setup, provers })
    }

    /// Proves what seeds have asked for, while there is time.
    fn prove(&mut self, proofs: &Proofs, left: &mut Duration, tally: &mut Tally) {
        while !left.is_zero()
            && let Some(wanted) = proofs.next()
        {
            let begun = Instant::now();
            if let Ok(Some(settled)) = proofs.settle(&wanted, &mut self.provers, None) {
                *tally.proofs.entry(settled.word()).or_default() += 1;
            }
            *left = left.saturating_sub(begun.elapsed());
        }
    }

    fn target_name(&self) -> &str {
        self.solvers.last().map_or("", Solver::label)
    }

    /// Whether an unknown of the target is explained by a limit or a feature that it does not claim to have.
    fn excuses(&self, reason: Option<&str>) -> bool {
        self.solvers.last().is_some_and(|s| s.profile().excuses(reason))
    }

    /// Whether the target has no answer, and no excuse.
    fn is_lost(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Unknown(reason) if !self.excuses(reason.as_deref()))
    }

    /// The script as it is given to solvers.
    fn print(&self, script: &Script) -> String {
        let options =
            PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
        print(script, &options)
    }

    /// What a solver in a fresh process says, under its names of operators.
    fn cold(&self, solver: &Solver, text: &str) -> Answer {
        let unreadable = || Answer::Unreadable("the script cannot be read again".into());
        let Ok(script) = parse(text.as_bytes()) else { return unreadable() };
        let naming = solver.profile().naming_of(solver.version());
        let text = print(&script, &PrintOptions { naming, ..Default::default() });
        let script = smelt_solver::Script::new(&text);
        match solver.run_cold(&script, &self.setup, Requests::default(), None) {
            Ok(o) => o.checks.into_iter().next().map_or_else(unreadable, |c| c.answer),
            Err(e) => Answer::Unreadable(e.to_string()),
        }
    }

    fn target(&self, text: &str) -> Answer {
        match self.solvers.last() {
            Some(s) => self.cold(s, text),
            None => Answer::Unknown(None),
        }
    }

    fn ask_target(&mut self, text: &str) -> Answer {
        let outcome = self.session.run(&smelt_solver::Script::new(text), Requests::default());
        match outcome {
            Ok(o) => o
                .checks
                .into_iter()
                .next()
                .map_or_else(|| Answer::Unreadable(String::new()), |c| c.answer),
            Err(e) => Answer::Unreadable(e.to_string()),
        }
    }

    /// A seed with the target's own answer as status, and its model if that is one. What it does not decide is of no use.
    fn seed(&mut self, source: &Source) -> Option<Seed> {
        let mut script = parse(&source.text).ok()?;
        let queries = script.queries();
        let [query] = &queries[..] else { return None };
        let text = self.print(&script);
        let requests = Requests { model: true, core: false };
        let outcome = self.models.run(&smelt_solver::Script::new(&text), requests).ok()?;
        let check = outcome.checks.first()?;
        let status = match check.answer {
            Answer::Sat => Status::Sat,
            Answer::Unsat => Status::Unsat,
            _ => return None,
        };
        // The label says otherwise: somebody is wrong, and it is not a seed to rest on.
        let label = script.info(":status");
        if matches!((label, status), (Some("sat"), Status::Unsat) | (Some("unsat"), Status::Sat)) {
            return None;
        }
        let mut known =
            Known { status, basis: Basis::Agreed(vec![self.target_name().into()]), model: None };
        if let Some(text) = &check.model {
            let assertions = query.assertions.clone();
            known.model = model(&mut script, text, &assertions);
        }
        let (name, hash) = (source.name.clone(), digest(&source.text));
        Some(Seed::new(name, hash, script, vec![known]))
    }

    /// A fresh process calls a script unsat that has a witness.
    fn confirm_wrong(&mut self, step: &Step<'_>) -> Option<Finding> {
        (self.target(step.after) == Answer::Unsat)
            .then(|| Finding::new(Kind::Wrong, self.target_name(), step, "unsat".into()))
    }

    /// Fresh processes answer the two scripts of a step in a way that the rule excludes: one of the answers is wrong.
    fn confirm_contradiction(&mut self, step: &Step<'_>) -> Option<Finding> {
        let after = self.target(step.after).decided().filter(|&v| v != step.expected)?;
        (self.target(step.before).decided() == Some(step.expected)).then(|| {
            let why = format!("{} before the step and {after} after it", step.expected);
            Finding::new(Kind::Contradiction, self.target_name(), step, why)
        })
    }

    /// The unknown, in fresh processes: an older release decides it, or the step before it is decided.
    fn confirm_unknown(&mut self, step: &Step<'_>, reason: Option<&str>) -> Option<Finding> {
        let Answer::Unknown(again) = self.target(step.after) else { return None };
        if self.excuses(again.as_deref()) {
            return None;
        }
        let reason = again.as_deref().or(reason).unwrap_or("no reason").to_owned();
        let (_, older) = self.solvers.split_last()?;
        for s in older {
            if self.cold(s, step.after).decided() == Some(step.expected) {
                let what = format!("{} decides it; {reason}", s.label());
                return Some(Finding::new(Kind::Regression, self.target_name(), step, what));
            }
        }
        (self.target(step.before).decided() == Some(step.expected))
            .then(|| Finding::new(Kind::Implication, self.target_name(), step, reason))
    }

    /// Whether a finding still is one.
    fn holds(&self, f: &Finding, before: &str, after: &str) -> bool {
        match f.kind {
            Kind::Wrong => self.target(after) == Answer::Unsat,
            Kind::Contradiction => {
                self.target(before).decided() == Some(f.expected)
                    && self.target(after).decided().is_some_and(|v| v != f.expected)
            }
            Kind::Regression => {
                let older = &self.solvers[..self.solvers.len() - 1];
                self.is_lost(&self.target(after))
                    && older.iter().any(|s| self.cold(s, after).decided() == Some(f.expected))
            }
            Kind::Implication => {
                self.target(before).decided() == Some(f.expected)
                    && self.is_lost(&self.target(after))
            }
        }
    }

    fn shrink(&self, f: &mut Finding, parameters: &[String]) {
        // The witness of a wrong answer need not be one of a part.
        if f.kind == Kind::Wrong {
            return;
        }
        let pair = Pair {
            before: &f.before,
            after: &f.after,
            rule: &f.rule,
            sat: f.expected == Verdict::Sat,
            parameters,
        };
        let made = shrink(&pair, |b, a| self.holds(f, b, a));
        if let Some((before, after)) = made {
            f.replace(before, after);
        }
    }
}

/// A model that smelt's evaluator finds true.
fn model(script: &mut Script, text: &str, assertions: &[smelt_smtlib::Term]) -> Option<Arc<Model>> {
    let mark = script.arena.mark();
    let model = parse_model(script, text.as_bytes(), &ModelOptions::default()).ok();
    if let Some(m) = model {
        let mut evaluator = Evaluator::default();
        let holds =
            |&t: &smelt_smtlib::Term| evaluator.eval(&script.arena, &m, t) == Ok(Value::Bool(true));
        if assertions.iter().all(holds) {
            return Some(Arc::new(m));
        }
    }
    script.arena.rollback(mark);
    None
}
