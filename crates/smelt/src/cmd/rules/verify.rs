//! `smelt rules verify`: random values first, then solvers.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result, bail};
use smelt_campaign::panel::Panel;
use smelt_campaign::proofs;
use smelt_solver::{Solver, SolverSpec};
use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::file::AnyRule;
use smelt_strategy::rules::instances::{self, Coverage, Instance, MOST_BITS};
use smelt_strategy::rules::record::{Entry, Record, Refutation, State};
use smelt_strategy::rules::sample::sample;

use super::{Loaded, Which};
use crate::args::Limit;
use crate::exit::Exit;
use crate::voice::resolving;

/// Which rules, where, by whom.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("2")))]
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
    #[command(flatten)]
    limit: Limit,
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

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let loaded = args.which.load()?;
    let mut coverage = Coverage::default();
    if args.width.contains(&0) {
        bail!("--width 0: a bit-vector has at least one bit");
    }
    if !args.width.is_empty() {
        coverage.widths.clone_from(&args.width);
        let pairs = args.width.iter().flat_map(|v| args.width.iter().map(|w| (*v, *w)));
        coverage.pairs = pairs.collect();
    }
    if !args.format.is_empty() {
        let format = |f: &String| {
            let (e, s) = f.split_once(':')?;
            Some((e.parse().ok()?, s.parse().ok()?))
        };
        let all: Option<Vec<(u32, u32)>> = args.format.iter().map(format).collect();
        coverage.formats = all.context("a format is EXPONENT:SIGNIFICAND, as 5:11")?;
        if let Some((e, s)) = coverage.formats.iter().find(|(e, s)| *e < 2 || *s < 2) {
            bail!("--format {e}:{s}: exponent and significand have at least two bits");
        }
    }
    if let Some(w) = args.width.iter().find(|w| **w > MOST_BITS) {
        bail!("--width {w}: rules are tried and proved up to {MOST_BITS} bits");
    }
    if coverage.bits() > MOST_BITS {
        bail!("--format: rules are tried and proved up to {MOST_BITS} bits");
    }
    let mut panel = Panel::new(&solvers(args)?, args.limit.cpu(), None);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut tally = Tally::default();
    // Whether something that solvers were asked about is proved nowhere, or not where it was to be.
    let mut unproved = false;
    if !args.dry && args.which.is_beside_its_rules() {
        // Rules that are no more have no proof.
        let exists = |n: &str| loaded.rules().any(|(_, r)| r.name() == n);
        proofs::change(&loaded.target, proofs::read, |record| {
            record.entries.retain(|n, _| exists(n))
        })?;
    }
    for (_, rule) in loaded.rules().filter(|(_, r)| args.which.wants(r)) {
        let claim = rule.claim();
        let old = super::entry(&loaded.record, &rule).filter(|e| e.refuted.is_none());
        let verdict = one(&claim, old, &coverage, args, &mut panel);
        if let Verdict::Stands { entry, asked, .. } = &verdict {
            let chosen = !(args.width.is_empty() && args.format.is_empty());
            let open = asked.iter().any(|l| !entry.proves(l)) && chosen;
            unproved |= open || entry.state(&claim) == State::Open;
        }
        report(&rule, &claim, &verdict, args.rounds, &mut tally, &mut out)?;
        // After each rule: a proof can take minutes.
        if !args.dry {
            keep(&loaded, args, &claim, verdict)?;
        }
    }
    tally.show(&mut out)?;
    out.flush()?;
    let wrong = tally.refuted + tally.unreadable > 0 || unproved && !args.no_solvers;
    Ok(if wrong { Exit::No } else { Exit::Fine })
}

/// Writes what came of one rule to the record, and nothing else: others may have added to it meanwhile.
fn keep(loaded: &Loaded, args: &Args, claim: &Claim, verdict: Verdict) -> Result<()> {
    let (entry, settled) = match verdict {
        Verdict::Stands { entry, settled, .. } => (entry, settled),
        Verdict::Refuted { label, values, by } => {
            let (label, by, values) = (label.into(), by.into(), values.into());
            let refuted = Some(Refutation { label, by, values });
            (Entry { hash: claim.hash().into(), refuted, ..Entry::default() }, Vec::new())
        }
        // What cannot be read has no proof either.
        Verdict::Unreadable(_) => {
            let gone = |r: &mut Record| drop(r.entries.remove(&claim.name));
            return proofs::change(&loaded.target, |f| args.which.read(f), gone);
        }
    };
    let mut news = Record::default();
    news.entries.insert(claim.name.clone(), entry);
    if args.which.record.is_none() {
        // What smelt comes with is not for the data folder to keep.
        news = news.beyond(&proofs::embedded()?);
    }
    proofs::change(
        &loaded.target,
        |f| args.which.read(f),
        |record| {
            if let Some(old) = record.entries.get_mut(&claim.name) {
                // A rule that was refuted is asked about anew, as a whole.
                if old.refuted.take().is_some() {
                    old.forget(|_| true);
                }
                if args.again {
                    old.forget(|l| settled.iter().any(|s| **s == *l));
                    old.held = 0;
                }
            }
            record.update(news);
        },
    )
}

enum Verdict {
    Stands {
        entry: Entry,
        /// The instances in question.
        asked: Vec<String>,
        /// Those of them about which somebody said something.
        settled: Vec<String>,
    },
    Refuted {
        label: String,
        values: String,
        by: String,
    },
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
    let mut by_label: BTreeMap<usize, (String, Vec<Instance>)> = BTreeMap::new();
    for instance in instances::all(claim, coverage) {
        let at = by_label.values().position(|(l, _)| *l == instance.label);
        let at = at.unwrap_or(by_label.len());
        by_label.entry(at).or_insert_with(|| (instance.label.clone(), Vec::new())).1.push(instance);
    }
    let asked: Vec<String> = by_label.values().map(|(l, _)| l.clone()).collect();
    let mut held = old.map_or(0, |e| e.held);
    // Values at other sorts say nothing about those that are new.
    let known = |l: &String| old.is_some_and(|e| e.proves(l) || e.open.iter().any(|o| **o == **l));
    if args.again || held < args.rounds || !asked.iter().all(known) {
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
    if let Some(old) = old {
        // What nobody says anything about stays as it was.
        entry.proofs.clone_from(&old.proofs);
        entry.open.clone_from(&old.open);
    }
    let mut settled = Vec::new();
    panel.begin_rule();
    for (label, list) in by_label.into_values() {
        if entry.proves(&label) && !args.again {
            continue;
        }
        let proof = match panel.settle(claim, &list, usize::MAX) {
            Ok(proof) => proof,
            Err((values, by)) => return Verdict::Refuted { label, values, by },
        };
        if proof.is_none() && !panel.is_tired() && !panel.is_disputed() {
            // Nobody was there who could say anything: it stays as it was.
            continue;
        }
        entry.forget(|l| l == label);
        match proof {
            Some(proof) => entry.prove(proof),
            None if panel.is_tired() => entry.open.push(label.as_str().into()),
            None => {}
        }
        settled.push(label);
    }
    Verdict::Stands { entry, asked, settled }
}

fn solvers(args: &Args) -> Result<Vec<Solver>> {
    if args.no_solvers {
        return Ok(Vec::new());
    }
    let registry = smelt_trial::resolve::registry()?;
    if args.solver.is_empty() {
        return resolving(&registry, |r| r.at_hand_or_installed());
    }
    let mut list = Vec::new();
    for name in &args.solver {
        for spec in SolverSpec::parse_list(name)? {
            list.push(resolving(&registry, |r| r.one(&spec))?);
        }
    }
    Ok(list)
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
            "{} rules: {}; {} refuted, {} unreadable, {} off; {} proved by two different solvers at every instance",
            self.all,
            parts.join(", "),
            self.refuted,
            self.unreadable,
            self.off,
            self.by_two
        )?;
        writeln!(
            out,
            "{} instances proved, {} of them by two different solvers; {} open",
            self.instances, self.instances_by_two, self.open_instances
        )?;
        Ok(())
    }
}

fn report(
    rule: &AnyRule<'_>,
    claim: &Claim,
    verdict: &Verdict,
    rounds: u64,
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
        Verdict::Stands { entry, asked, .. } => {
            let recorded = entry.open.iter().map(|l| &**l);
            let mut open: Vec<&str> = recorded.filter(|l| !asked.iter().any(|a| a == l)).collect();
            open.extend(asked.iter().map(String::as_str).filter(|l| !entry.proves(l)));
            let state = entry.state(claim);
            *tally.states.entry(state.to_string()).or_default() += 1;
            let total: usize = entry.proofs.iter().map(|p| p.labels.len()).sum();
            // Two releases of one solver are not two solvers.
            let two = total - entry.by_one_family().len();
            tally.instances += total;
            tally.instances_by_two += two;
            tally.open_instances += open.len();
            tally.by_two += usize::from(total > 0 && two == total && open.is_empty());
            let written = claim.proof.is_some();
            let off = match state {
                State::Proved => false,
                State::Bounded | State::Schema => !written,
                State::Open | State::Refuted => true,
            };
            tally.off += usize::from(off);
            let mut solvers: Vec<&str> = Vec::new();
            for s in entry.proofs.iter().flat_map(|p| &p.solvers) {
                if !solvers.contains(&&**s) {
                    solvers.push(s);
                }
            }
            let open = match open.len() {
                0 => String::new(),
                _ => format!("; open at {}", open.join(" ")),
            };
            let word = if off { format!("{state}, off") } else { state.to_string() };
            writeln!(
                out,
                "{name:<34} {word:<12} held {:>6}{}; {total} instances by {}{open}",
                entry.held,
                if entry.held < rounds { " (rarely tested)" } else { "" },
                if solvers.is_empty() { "nobody".to_owned() } else { solvers.join(", ") }
            )?;
        }
    }
    out.flush()?;
    Ok(())
}
