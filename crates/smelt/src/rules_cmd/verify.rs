//! `smelt rules verify`: random values first, then solvers.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use smelt_eval::ModelOptions;
use smelt_smtlib::{LogicChoice, PrintOptions, parse, print};
use smelt_solver::{Answer, Limits, Policy, Requests, Session, Setup, SolverSpec};
use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::file::AnyRule;
use smelt_strategy::rules::instances::{self, Coverage, Instance};
use smelt_strategy::rules::record::{Entry, Proof, Record, State};
use smelt_strategy::rules::sample::sample;
use smelt_triage::{ModelVerdict, judge_model_within};

use super::Which;

/// Which rules, where, by whom.
#[derive(clap::Args)]
pub struct Args {
    /// Which rules.
    #[command(flatten)]
    which: Which,
    /// A solver to ask; may be repeated. All at hand by default.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// Random values per rule.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    rounds: u64,
    /// CPU seconds per question.
    #[arg(long, value_name = "SECONDS", default_value_t = 2)]
    limit: u64,
    /// Widths of bit-vectors instead of the usual ones: `8` or `8,37`.
    #[arg(long, value_name = "WIDTHS", value_delimiter = ',')]
    width: Vec<u32>,
    /// Formats of floating-point sorts instead of the usual ones: `5:11`.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    format: Vec<String>,
    /// Ask again what is recorded as proved.
    #[arg(long)]
    again: bool,
    /// Ask no solver.
    #[arg(long)]
    no_solvers: bool,
    /// Write nothing.
    #[arg(long)]
    dry: bool,
}

/// Strings and sequences are no longer than this where nobody proves a rule for all.
const BOUND: u32 = 3;
/// A solver that ran into its limit so often on one rule is not asked about larger instances of it.
const PATIENCE: u32 = 3;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let loaded = args.which.load()?;
    let mut coverage = Coverage::default();
    if !args.width.is_empty() {
        coverage.widths.clone_from(&args.width);
    }
    if !args.format.is_empty() {
        let format = |f: &String| {
            let (e, s) = f.split_once(':')?;
            Some((e.parse().ok()?, s.parse().ok()?))
        };
        let all: Option<Vec<(u32, u32)>> = args.format.iter().map(format).collect();
        coverage.formats = all.context("a format is EXPONENT:SIGNIFICAND, as 5:11")?;
    }
    let mut panel = Panel::new(args)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut tally = Tally::default();
    // Rules that are no more have no proof.
    let mut record = loaded.record.clone();
    record.entries.retain(|n, _| loaded.rules().any(|(_, r)| *r.name() == **n));
    for (_, rule) in loaded.rules().filter(|(_, r)| args.which.wants(r)) {
        let claim = rule.claim();
        let old = loaded.record.entries.get(rule.name()).filter(|e| *e.hash == *claim.hash());
        let verdict = one(&claim, old, &coverage, args, &mut panel);
        report(&rule, &claim, &verdict, &mut tally, &mut out)?;
        // What is refuted has no proof either.
        match verdict {
            Verdict::Stands(entry) => record.entries.insert(rule.name().into(), entry),
            _ => record.entries.remove(rule.name()),
        };
        // After each rule: a proof can take minutes.
        if !args.dry {
            save(&record, &loaded.target)?;
        }
    }
    tally.show(&mut out)?;
    out.flush()?;
    Ok(ExitCode::from(u8::from(tally.refuted + tally.unreadable > 0)))
}

/// Writes the record to a file beside it first, so that nothing is lost half-way.
fn save(record: &Record, target: &Path) -> Result<()> {
    let say = || format!("cannot write {}", target.display());
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).with_context(say)?;
    }
    let new = target.with_extension("new");
    std::fs::write(&new, record.to_string()).with_context(say)?;
    std::fs::rename(&new, target).with_context(say)
}

enum Verdict {
    Stands(Entry),
    Refuted { label: String, values: String, by: String },
    Unreadable(String),
}

/// What is to be said about one rule.
fn one(
    claim: &Claim,
    old: Option<&Entry>,
    coverage: &Coverage,
    args: &Args,
    panel: &mut Panel,
) -> Verdict {
    let mut held = old.map_or(0, |e| e.held);
    if args.again || held < args.rounds {
        // Values meet each other in small sorts, and have all their bits in large ones.
        let mut tried = sample(claim, &Coverage::small(), args.rounds / 2, 1);
        if tried.refuted.is_none() && tried.unreadable.is_none() {
            let rest = sample(claim, coverage, args.rounds - args.rounds / 2, 2);
            tried.held += rest.held;
            tried.refuted = rest.refuted;
            tried.unreadable = rest.unreadable;
        }
        if let Some(why) = tried.unreadable {
            return Verdict::Unreadable(why);
        }
        if let Some(c) = tried.refuted {
            return Verdict::Refuted { label: c.label, values: c.values, by: "evaluator".into() };
        }
        held = tried.held;
    }
    let mut entry = Entry { hash: claim.hash().into(), held, ..Entry::default() };
    if let Some(old) = old.filter(|_| !args.again) {
        entry.proofs.clone_from(&old.proofs);
    }
    let mut by_label: BTreeMap<usize, (String, Vec<Instance>)> = BTreeMap::new();
    for instance in instances::all(claim, coverage) {
        let at = by_label.values().position(|(l, _)| *l == instance.label);
        let at = at.unwrap_or(by_label.len());
        by_label.entry(at).or_insert_with(|| (instance.label.clone(), Vec::new())).1.push(instance);
    }
    panel.begin_rule();
    for (label, list) in by_label.into_values() {
        if entry.proofs.iter().any(|p| p.labels.iter().any(|l| **l == *label)) {
            continue;
        }
        let mut bound = None;
        let mut solvers = match panel.prove(claim, &list, None) {
            Ok(s) => s,
            Err((values, by)) => return Verdict::Refuted { label, values, by },
        };
        if solvers.is_empty() && claim.can_be_bounded() {
            bound = Some(BOUND);
            solvers = match panel.prove(claim, &list, bound) {
                Ok(s) => s,
                Err((values, by)) => return Verdict::Refuted { label, values, by },
            };
        }
        if solvers.is_empty() {
            entry.open.push(label.into());
            continue;
        }
        let solvers: Vec<Box<str>> = solvers.into_iter().map(Into::into).collect();
        match entry.proofs.iter_mut().find(|p| p.solvers == solvers && p.bound == bound) {
            Some(p) => p.labels.push(label.into()),
            None => entry.proofs.push(Proof { labels: vec![label.into()], solvers, bound }),
        }
    }
    Verdict::Stands(entry)
}

/// The solvers that are asked.
struct Panel {
    members: Vec<Member>,
}

struct Member {
    name: String,
    session: Session,
    /// How often it ran into a limit on this rule.
    tired: u32,
}

impl Panel {
    fn new(args: &Args) -> Result<Self> {
        let mut members = Vec::new();
        if args.no_solvers {
            return Ok(Self { members });
        }
        let registry = crate::solvers_cmd::registry()?;
        let solvers = if args.solver.is_empty() {
            crate::solvers_cmd::at_hand_or_installed(&registry)?
        } else {
            let mut list = Vec::new();
            for name in &args.solver {
                for spec in SolverSpec::parse_list(name)? {
                    list.push(crate::solvers_cmd::resolve_or_install(&registry, &spec)?);
                }
            }
            list
        };
        for solver in solvers {
            let limits = Limits::cpu(Duration::from_secs(args.limit));
            let setup = Setup { models: true, limits, ..Setup::default() };
            let version = solver.version().map_or(String::new(), |v| format!("-{v}"));
            let name = format!("{}{version}", solver.profile().name);
            let session = Session::new(&solver, setup, Policy::default());
            members.push(Member { name, session, tired: 0 });
        }
        Ok(Self { members })
    }

    fn begin_rule(&mut self) {
        self.members.iter_mut().for_each(|m| m.tired = 0);
    }

    /// Who proves all of these instances; or a counterexample that the evaluator confirms, and whose it is.
    fn prove(
        &mut self,
        claim: &Claim,
        instances: &[Instance],
        bound: Option<u32>,
    ) -> Result<Vec<String>, (String, String)> {
        let mut all: Option<Vec<String>> = None;
        let mut anyone: Vec<String> = Vec::new();
        for instance in instances {
            let text = claim.negation(instance, bound);
            let Ok(mut script) = parse(text.as_bytes()) else { return Ok(Vec::new()) };
            let mut yes = Vec::new();
            let mut disputed = false;
            for m in self.members.iter_mut().filter(|m| m.tired < PATIENCE) {
                let solver = m.session.solver().clone();
                let naming = solver.profile().naming_of(solver.version());
                let options =
                    PrintOptions { naming, logic: LogicChoice::Smallest, ..Default::default() };
                let text = print(&script, &options);
                let requests = Requests { model: true, core: false };
                let Ok(outcome) = m.session.run(&smelt_solver::Script::new(&text), requests) else {
                    continue;
                };
                let Some(check) = outcome.checks.first() else { continue };
                match &check.answer {
                    Answer::Unsat => yes.push(m.name.clone()),
                    Answer::Timeout(_) | Answer::OutOfMemory => m.tired += 1,
                    Answer::Sat => {
                        // Solvers are what smelt tests: where one contradicts, another's `unsat` is no proof.
                        disputed = true;
                        let Some(model) = &check.model else { continue };
                        let queries = script.queries();
                        let verdict = judge_model_within(
                            &mut script,
                            &queries[0],
                            model,
                            &ModelOptions::default(),
                            smelt_eval::Limits::default(),
                        );
                        if verdict == ModelVerdict::True {
                            let words: Vec<&str> = model.split_whitespace().collect();
                            return Err((words.join(" "), m.name.clone()));
                        }
                    }
                    _ => {}
                }
            }
            if yes.is_empty() || disputed {
                return Ok(Vec::new());
            }
            for s in &yes {
                if !anyone.contains(s) {
                    anyone.push(s.clone());
                }
            }
            all = Some(match all {
                None => yes,
                Some(before) => before.into_iter().filter(|s| yes.contains(s)).collect(),
            });
        }
        // Every instance is proved by someone, if not all by one: then together they are one prover, not several.
        Ok(match all {
            Some(l) if l.is_empty() => vec![anyone.join("+")],
            l => l.unwrap_or_default(),
        })
    }
}

#[derive(Default)]
struct Tally {
    all: usize,
    states: BTreeMap<String, usize>,
    by_two: usize,
    off: usize,
    refuted: usize,
    unreadable: usize,
    instances: usize,
    instances_by_two: usize,
    open_instances: usize,
}

impl Tally {
    fn show(&self, out: &mut impl Write) -> Result<()> {
        let parts: Vec<String> = self.states.iter().map(|(s, n)| format!("{n} {s}")).collect();
        writeln!(
            out,
            "{} rules: {}; {} refuted, {} unreadable, {} off; {} proved by two solvers or more at every instance",
            self.all,
            parts.join(", "),
            self.refuted,
            self.unreadable,
            self.off,
            self.by_two
        )?;
        writeln!(
            out,
            "{} instances proved, {} of them by two solvers or more; {} open",
            self.instances, self.instances_by_two, self.open_instances
        )?;
        Ok(())
    }
}

fn report(
    rule: &AnyRule<'_>,
    claim: &Claim,
    verdict: &Verdict,
    tally: &mut Tally,
    out: &mut impl Write,
) -> Result<()> {
    tally.all += 1;
    let name = rule.name();
    match verdict {
        Verdict::Unreadable(why) => {
            tally.unreadable += 1;
            writeln!(out, "{name:<34} unreadable: {}", why.trim_end())?;
        }
        Verdict::Refuted { label, values, by } => {
            tally.refuted += 1;
            writeln!(out, "{name:<34} REFUTED   at {label} by {by}: {values}")?;
            writeln!(out, "{:<34}           {}", "", claim.line())?;
        }
        Verdict::Stands(entry) => {
            let state = entry.state(claim);
            *tally.states.entry(state.to_string()).or_default() += 1;
            let total: usize = entry.proofs.iter().map(|p| p.labels.len()).sum();
            let two: usize =
                entry.proofs.iter().filter(|p| p.solvers.len() > 1).map(|p| p.labels.len()).sum();
            tally.instances += total;
            tally.instances_by_two += two;
            tally.open_instances += entry.open.len();
            tally.by_two += usize::from(total > 0 && two == total && entry.open.is_empty());
            let written = claim.proof.is_some();
            let off = match state {
                State::Proved => false,
                State::Bounded | State::Schema => !written,
                State::Open => true,
            };
            tally.off += usize::from(off);
            let mut solvers: Vec<&str> = Vec::new();
            for s in entry.proofs.iter().flat_map(|p| &p.solvers) {
                if !solvers.contains(&&**s) {
                    solvers.push(s);
                }
            }
            let open = match entry.open.len() {
                0 => String::new(),
                _ => format!("; open at {}", entry.open.join(" ")),
            };
            let word = if off { format!("{state}, off") } else { state.to_string() };
            writeln!(
                out,
                "{name:<34} {word:<12} held {:>6}; {total} instances by {}{open}",
                entry.held,
                if solvers.is_empty() { "nobody".to_owned() } else { solvers.join(", ") }
            )?;
        }
    }
    out.flush()?;
    Ok(())
}
