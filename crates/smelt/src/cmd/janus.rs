//! `smelt janus`: unknowns that should not be. Chains of weaker (sat) or stronger (unsat) scripts, given to releases of one solver.

mod bench;
mod evidence;
mod finding;
mod found;
mod start;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use smelt_campaign::proofs::Proofs;
use smelt_campaign::seeds::{self, Source};
use smelt_case::{Expectation, Follows, OpSet, Recipe, SeedRef};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::{Head, Op};
use smelt_solver::{Answer, Cancel, Verdict};
use smelt_strategy::{Input, by_name};

use self::bench::{Bench, Clash};
use self::evidence::Evidence;
use self::finding::{Finding, Kind};
use self::found::{Found, complain};
use self::start::Start;
use crate::args::{self, Budget, Limit, Out};
use crate::exit::Exit;

/// Of so many mutants, one is given to all releases, for an answer that only those in the middle have lost.
const ALL_RELEASES: u64 = 20;

/// For so long at least, findings are made smaller after the end.
const SHRINKING: Duration = Duration::from_secs(20);

/// Find unknowns that should not be, in chains of weaker or stronger scripts given to releases of one solver.
///
/// Each seed becomes weaker (if it is sat) or stronger (if it is unsat), step by step, by rules that are proved. The last solver is the
/// one that is tested. *implication*: it decides a step and answers `unknown` to the next. *regression*: an earlier one of the list
/// decides what it does not, or (asked of one mutant in 20) what a release between them does not (seeds included; their status is what it says itself if a model or their label agrees, else what the oldest
/// that decides says). *wrong*: it calls a script unsat that smelt's evaluator finds true under a model. *contradiction*: its answers to the two scripts of a
/// step exclude each other, and no model settles which is wrong; if it is the rule, smelt says so (exit code 5).
/// With --out, findings are written to `unranked` there as they are found; at the end they are ranked and made smaller.
/// Answers that limits or missing features explain do not count. Exit codes: 0 nothing found, 10 findings (also if there is an error of
/// smelt, too, which is printed last), 5 an error of smelt and no finding, 2 wrong use, 4 a finding could not be written (it is printed then).
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("2")))]
#[command(mut_arg("time", |a| a.default_value("1m")))]
pub struct Args {
    /// Scripts or folders; the seeds inside smelt by default.
    seeds: Vec<PathBuf>,
    /// Releases of one solver; may be repeated. The newest (of those without a version the last) is tested. One alone is tested for
    /// implications only.
    #[arg(long, value_name = "SOLVER", required = true)]
    solver: Vec<String>,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    limit: Limit,
    /// Steps of a chain.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = args::at_least_one::<u32>)]
    steps: u32,
    /// How many findings are shown, the most convincing first; 0 for the figures only.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    random: args::Seed,
    #[command(flatten)]
    out: Out,
    /// Seeds larger than this are left out.
    #[arg(long, value_name = "BYTES", default_value_t = 8192)]
    max_bytes: usize,
    /// A parameter of the strategy `janus`; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let strategy = by_name("janus").context("there is no strategy `janus`")?;
    let random_seed = args.random.or_zero();
    let time = Duration::from_secs_f64(args.budget.time.context("--time has a default")?);
    // A parameter that is given counts: it comes later.
    let mut parameters = vec![format!("steps={}", args.steps)];
    for p in &args.parameters {
        parameters.push(args::params::with_file(strategy, p)?);
    }
    smelt_campaign::parameters::check(strategy, &parameters)?;
    let proofs = Proofs::of_user()?;
    proofs.give_rules(strategy, &mut parameters);
    let stop = Cancel::new()?;
    let handle = stop.clone();
    // What was found until then is reported.
    ctrlc::set_handler(move || handle.cancel()).context("cannot catch Ctrl-C")?;
    let (sources, left_out) = if args.seeds.is_empty() {
        (seeds::embedded(), Vec::new())
    } else {
        seeds::read_all(&args.seeds)?
    };
    let mut sources: Vec<Source> =
        sources.into_iter().filter(|s| s.text.len() <= args.max_bytes).collect();
    // A short run should see every kind of seed.
    sources.shuffle(&mut ChaCha8Rng::seed_from_u64(random_seed));
    if sources.is_empty() {
        bail!("there is no seed of {} bytes or fewer that can be read", args.max_bytes);
    }
    let mut found = Found::new(args.out.out.as_deref())?;
    let mut bench = Bench::new(&args, &stop)?;
    let mut ops: OpSet = Op::all()
        .filter(|op| matches!(op.info().dialect, Dialect::Standard | Dialect::Common))
        .collect();
    bench.solvers.last().iter().for_each(|target| ops.intersect(&target.ops));
    let begun = Instant::now();
    let end = begun + time;
    // What all releases were asked may take a fifth of it.
    let mut asking_all = Duration::ZERO;
    // What is proved on the way may take a tenth of the time.
    let mut left = time / 10;
    let mut known: BTreeMap<usize, Option<(Start, Vec<usize>)>> = BTreeMap::new();
    let mut tally = Tally::default();
    for l in left_out {
        *tally.unused.entry(l.kind.word().to_owned()).or_default() += 1;
    }
    let Budget { tests, findings, .. } = args.budget;
    let enough = |t: &Tally, found: &Found| {
        let spent = tests.is_some_and(|n| t.tests >= n);
        let satisfied = findings.is_some_and(|n| found.list.len() as u64 >= n);
        Instant::now() >= end || stop.is_cancelled() || spent || satisfied
    };
    let mut round = 0u64;
    'all: loop {
        let mut usable = false;
        for (i, source) in sources.iter().enumerate() {
            if enough(&tally, &found) {
                break 'all;
            }
            let seed = known.entry(i).or_insert_with(|| {
                let start = match bench.seed(source, &mut tally, &mut found) {
                    Ok(found) => found,
                    Err(why) => {
                        *tally.unused.entry(why).or_default() += 1;
                        return None;
                    }
                };
                let wanted = proofs.want(strategy.unproved(&start.seed, &parameters));
                bench.prove(&proofs, &mut left, &mut tally);
                Some((start, wanted))
            });
            let Some((Start { seed, model, lost }, wanted)) = seed else { continue };
            usable = true;
            let mut parameters = parameters.clone();
            proofs.give_proofs(strategy, wanted, &mut parameters);
            let recipe = Recipe {
                smelt: env!("CARGO_PKG_VERSION").into(),
                strategy: strategy.name().into(),
                parameters: parameters.clone(),
                without: Vec::new(),
                campaign: random_seed,
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
            let mut chain = match strategy.start(&input, &mut random) {
                Ok(chain) => chain,
                Err(why) => {
                    if round == 0 {
                        *tally.unused.entry(why.into_owned()).or_default() += 1;
                    }
                    continue;
                }
            };
            tally.chains += 1;
            let first = chain.first().unwrap_or(&seed.script);
            if let Some(why) = bench.caveat(first) {
                *tally.no_verdict.entry(why.to_owned()).or_default() += 1;
                continue;
            }
            let first = bench.print(first);
            let mut before = first.clone();
            // A step from a script that is not decided loses nothing.
            let mut nothing_to_lose = *lost;
            for _ in 0..args.steps {
                if enough(&tally, &found) {
                    break;
                }
                let Ok(m) = chain.step(&mut random) else { break };
                if let Some(why) = bench.caveat(m.script) {
                    *tally.no_verdict.entry(why.to_owned()).or_default() += 1;
                    break;
                }
                let after = bench.print(m.script);
                if m.follows == Follows::Seed {
                    // The chain was stuck: the rule leads from the seed to this.
                    before.clone_from(&first);
                    nothing_to_lose = *lost;
                }
                let related = m.follows != Follows::Nothing;
                let rule = m.what.rsplit(' ').next().unwrap_or_default().to_owned();
                tally.tests += 1;
                let answer = bench.ask_target(&after);
                *tally.answers.entry(answer.kind().to_owned()).or_default() += 1;
                let expected = match m.expect.first() {
                    Some(Expectation::Sat(_)) => Verdict::Sat,
                    _ => Verdict::Unsat,
                };
                let witnessed = matches!(m.expect.first(), Some(Expectation::Sat(Some(_))));
                let wrong = answer == Answer::Unsat && witnessed;
                let model = model.as_ref().filter(|_| witnessed);
                let step = Step { before: &before, after: &after, expected, rule: &rule, model };
                // A mutant rests on a label or on the seed's answer without a witness; but the same solver gave that.
                let turned = answer.decided().is_some_and(|v| v != expected);
                let finding = match &answer {
                    _ if wrong => bench.confirm_wrong(&step),
                    _ if turned => match bench.confirm_contradiction(&step, related) {
                        None => None,
                        Some(Clash::Solver(f)) => Some(*f),
                        Some(Clash::Rule(model)) => {
                            tally.blame(&step, &model);
                            None
                        }
                    },
                    Answer::Unknown(reason) if !bench.excuses(reason.as_deref()) => {
                        tally.unknown += 1;
                        match nothing_to_lose {
                            true => None,
                            false => bench.confirm_unknown(&step, related, reason.as_deref()),
                        }
                    }
                    _ if tally.tests.is_multiple_of(ALL_RELEASES)
                        && bench.solvers.len() > 2
                        && asking_all < begun.elapsed() / 5 =>
                    {
                        let asked = Instant::now();
                        let finding = bench.lost_between(&step);
                        asking_all += asked.elapsed();
                        finding
                    }
                    _ => None,
                };
                if let Some(f) = finding {
                    found.add(f.on(&seed.name));
                }
                // What does not decide, or decides otherwise, is no step to go on from.
                if answer.decided() != Some(expected) {
                    break;
                }
                before = after;
                nothing_to_lose = false;
            }
        }
        round += 1;
        if !usable && !found.list.is_empty() {
            break;
        }
        if !usable {
            found.write_ranked();
            let unused = tally.unused.iter().map(|(why, n)| format!("{n}: {why}"));
            bail!(
                "the solver decides none of the seeds ({})",
                unused.collect::<Vec<_>>().join("; ")
            );
        }
    }
    // A rule that a model has shown to be wrong accuses nobody.
    found.list.retain(|f| f.kind != Kind::Contradiction || !tally.own_errors.contains_key(&f.rule));
    // What was different may be the same when it is small. The first to be seen come first, for as long as a part of the run.
    found.list.sort_by_key(Finding::rank);
    let end = Instant::now() + (time / 4).max(SHRINKING);
    let mut small: Vec<Finding> = Vec::new();
    for mut f in std::mem::take(&mut found.list) {
        match bench.shrink(&mut f, &parameters, end) {
            Some(model) => {
                let (before, after, rule) = (&f.before, &f.after, &f.rule);
                let step = Step { before, after, expected: f.expected, rule, model: None };
                tally.blame(&step, &model);
            }
            None => drop(f.join(&mut small)),
        }
    }
    small.retain(|f| f.kind != Kind::Contradiction || !tally.own_errors.contains_key(&f.rule));
    small.sort_by_key(Finding::rank);
    found.list = small;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    // Nobody may be there to read; what was found is written all the same.
    let shown = tally.show(&bench, &found.list, args.top, &mut out);
    let unwritten = found.write_ranked();
    tally.own_errors.keys().for_each(|rule| complain(&format!("own error: {}", own_error(rule))));
    shown?;
    for &i in unwritten.iter().filter(|i| **i >= args.top) {
        found.list[i].show(i + 1, &mut out)?;
    }
    tally.show_own_errors(&mut out)?;
    Ok(match () {
        _ if !unwritten.is_empty() => Exit::Unwritten,
        _ if !found.list.is_empty() => Exit::Found,
        _ if !tally.own_errors.is_empty() => Exit::OwnError,
        _ => Exit::Fine,
    })
}

/// One step of a chain.
struct Step<'a> {
    before: &'a str,
    after: &'a str,
    expected: Verdict,
    rule: &'a str,
    /// A model of `after` that smelt's evaluator found true.
    model: Option<&'a Evidence>,
}

/// What a mistake of smelt is.
fn own_error(rule: &str) -> String {
    format!("the rule {rule} is wrong")
}

#[derive(Default)]
struct Tally {
    chains: u64,
    tests: u64,
    unknown: u64,
    /// Answers to seeds that are not what the seed says of itself.
    against_label: u64,
    /// Rules that led to a script which they exclude, the first case of each with its count: mistakes of smelt.
    own_errors: BTreeMap<String, (u64, String)>,
    answers: BTreeMap<String, u64>,
    proofs: BTreeMap<&'static str, u64>,
    /// Chains that led to a script on which there is no verdict, by reason.
    no_verdict: BTreeMap<String, u64>,
    /// Seeds of which nothing is made, by reason.
    unused: BTreeMap<String, u64>,
}

impl Tally {
    /// Notes a step that is wrong under a model, by smelt's own evaluator.
    fn blame(&mut self, step: &Step<'_>, model: &str) {
        let one = self.own_errors.entry(step.rule.to_owned()).or_insert_with(|| {
            let (before, after) = (step.before.trim_end(), step.after.trim_end());
            (0, format!("before:\n{before}\nafter:\n{after}\nmodel:\n{}", model.trim_end()))
        });
        one.0 += 1;
    }

    /// The figures, and the first of what was found.
    fn show(
        &self,
        bench: &Bench,
        found: &[Finding],
        top: usize,
        out: &mut impl Write,
    ) -> Result<()> {
        let answers: Vec<String> = self.answers.iter().map(|(a, n)| format!("{n} {a}")).collect();
        writeln!(
            out,
            "{} mutants of {} chains given to {}: {}",
            self.tests,
            self.chains,
            bench.target_name(),
            answers.join(", ")
        )?;
        for (why, n) in &self.unused {
            writeln!(out, "{n} seeds not used: {why}")?;
        }
        for (why, n) in &self.no_verdict {
            writeln!(out, "{n} chains ended, no verdict: {why}")?;
        }
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
        if self.against_label > 0 {
            writeln!(out, "{} answers against the label of a seed", self.against_label)?;
        }
        for (i, f) in found.iter().take(top).enumerate() {
            f.show(i + 1, out)?;
        }
        Ok(out.flush()?)
    }

    /// Mistakes of smelt itself, with the scripts.
    fn show_own_errors(&self, out: &mut impl Write) -> Result<()> {
        for (rule, (n, text)) in &self.own_errors {
            writeln!(out, "\nsmelt's own error: {} here ({n} times)", own_error(rule))?;
            for line in text.lines() {
                writeln!(out, "     {line}")?;
            }
        }
        Ok(out.flush()?)
    }
}
