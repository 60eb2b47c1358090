//! `smelt rules`: which rules there are, what they say, and whether they are true.

mod verify;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use smelt_campaign::proofs;
use smelt_strategy::rules::file::{AnyRule, RuleFile};
use smelt_strategy::rules::fusion::{FusionRule, IMPORTED};
use smelt_strategy::rules::instances::{self, Coverage};
use smelt_strategy::rules::record::{Entry, Record, State};
use smelt_strategy::rules::{EMBEDDED, embedded};

use crate::args::Json;
use crate::exit::Exit;

/// List, show and verify the rules that strategies use.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the rules, with what is proved about them.
    List {
        /// Which rules.
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        json: Json,
    },
    /// Show what rules say, and the script that a solver has to refute.
    Show {
        /// Which rules.
        #[command(flatten)]
        which: Which,
    },
    /// Try rules on random values, and ask solvers to prove them at every sort instance. Exit code 1 if one is
    /// refuted, cannot be read, or is proved nowhere, or not where `--width` or `--format` ask for it.
    Verify(verify::Args),
}

/// Which rules are meant.
#[derive(clap::Args)]
struct Which {
    /// Names of rules, or parts of names; all by default.
    names: Vec<String>,
    /// Files and folders of rules to look at instead of smelt's own and those of the data folder.
    #[arg(long, value_name = "PATH")]
    rules: Vec<PathBuf>,
    /// The record of proofs; by default smelt's own and the one in the data folder.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    match args.command {
        Command::List { which, json } => list(&which, json.json),
        Command::Show { which } => show(&which),
        Command::Verify(args) => verify::run(&args),
    }
}

/// Rules with the names of their files.
struct Loaded {
    files: Vec<(String, RuleFile)>,
    record: Record,
    /// Where new proofs are written.
    target: PathBuf,
}

impl Loaded {
    fn rules(&self) -> impl Iterator<Item = (&str, AnyRule<'_>)> {
        self.files.iter().flat_map(|(name, f)| f.all().map(move |r| (name.as_str(), r)))
    }
}

impl Which {
    fn wants(&self, rule: &AnyRule<'_>) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| rule.name().contains(n.as_str()))
    }

    /// Whether the record stands in a folder of rules that is given: then it is about those rules and no others.
    fn is_beside_its_rules(&self) -> bool {
        let folder = |p: &Path| p.canonicalize().ok().filter(|p| p.is_dir());
        let Some(record) = &self.record else { return false };
        let own = match record.parent() {
            Some(p) if !p.as_os_str().is_empty() => folder(p),
            _ => folder(Path::new(".")),
        };
        own.is_some_and(|own| self.rules.iter().any(|r| folder(r).is_some_and(|r| r == own)))
    }

    /// Reads the record. One that is given by name must be right.
    fn read(&self, file: &Path) -> Result<Record> {
        if self.record.is_some() { proofs::read(file) } else { proofs::read_kept(file) }
    }

    fn load(&self) -> Result<Loaded> {
        let folder = proofs::folder();
        let mut files = Vec::new();
        let mut paths = self.rules.clone();
        if paths.is_empty() {
            embedded().map_err(|e| anyhow!(e))?;
            for (name, text) in EMBEDDED {
                files.push((name.to_owned(), RuleFile::read(text).map_err(|e| anyhow!(e))?));
            }
            paths.extend(folder.clone().filter(|f| f.is_dir()));
        }
        for path in paths {
            for file in proofs::rule_files(&path)? {
                let text = std::fs::read_to_string(&file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
                let mut rules =
                    RuleFile::read(&text).map_err(|e| anyhow!("{}: {e}", file.display()))?;
                // Functions in the syntax of others are named by what they say: a second one is the same.
                let known = |r: &FusionRule| {
                    let all = files.iter().flat_map(|(_, f): &(String, RuleFile)| &f.fusions);
                    r.name.starts_with(IMPORTED) && all.into_iter().any(|o| o.name == r.name)
                };
                rules.fusions.retain(|r| !known(r));
                for why in &rules.refused {
                    complain(&format!("smelt: {}: left out: {why}", file.display()));
                }
                files.push((file.display().to_string(), rules));
            }
        }
        distinct(&files)?;
        let own = folder.map(|f| f.join("PROOFS"));
        let target = match (&self.record, own) {
            (Some(file), _) => file.clone(),
            (None, Some(own)) => own,
            (None, None) => bail!("no data folder: set SMELT_HOME or give --record"),
        };
        let mut record = Record::default();
        if self.record.is_none() {
            record = proofs::embedded()?;
        }
        record.merge(self.read(&target)?);
        let loaded = Loaded { files, record, target };
        if loaded.rules().all(|(_, r)| !self.wants(&r)) {
            bail!("there is no such rule");
        }
        Ok(loaded)
    }
}

#[expect(clippy::print_stderr, reason = "a remark that is not part of the output")]
fn complain(text: &str) {
    eprintln!("{text}");
}

/// A record has one entry per name.
fn distinct(files: &[(String, RuleFile)]) -> Result<()> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for (file, rules) in files {
        for rule in rules.all() {
            if let Some(other) = seen.insert(rule.name().to_owned(), file) {
                bail!("{file}: {other} has a rule `{}`, too", rule.name());
            }
        }
    }
    Ok(())
}

/// What a record says about a rule; nothing, if it was about another text.
fn entry<'r>(record: &'r Record, rule: &AnyRule<'_>) -> Option<&'r Entry> {
    record.entries.get(rule.name()).filter(|e| *e.hash == *rule.claim().hash())
}

/// The state of a rule in a record; a proof of another text is none.
fn state(record: &Record, rule: &AnyRule<'_>) -> (State, bool) {
    let claim = rule.claim();
    match entry(record, rule) {
        None => (State::Open, false),
        Some(e) => {
            let state = e.state(&claim);
            let runs = match state {
                State::Proved => true,
                State::Bounded | State::Schema => claim.proof.is_some(),
                State::Open | State::Refuted => false,
            };
            (state, runs)
        }
    }
}

fn list(which: &Which, json: bool) -> Result<Exit> {
    let loaded = which.load()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut file = "";
    for (name, rule) in loaded.rules().filter(|(_, r)| which.wants(r)) {
        let (state, runs) = state(&loaded.record, &rule);
        let entry = entry(&loaded.record, &rule);
        let alone = entry.map_or_else(Vec::new, Entry::by_one_family);
        if json {
            let line = serde_json::json!({
                "file": name,
                "rule": rule.name(),
                "kind": rule.kind(),
                "state": state.to_string(),
                "runs": runs,
                "one_family": alone,
                "says": rule.claim().line(),
            });
            writeln!(out, "{line}")?;
            continue;
        }
        if name != file {
            file = name;
            writeln!(out, "{file}")?;
        }
        *counts.entry(state.to_string()).or_default() += 1;
        let state = if runs { state.to_string() } else { format!("{state}, off") };
        writeln!(
            out,
            "  {:<34} {:<10} {state:<12} {}{}",
            rule.name(),
            rule.kind(),
            rule.claim().line(),
            match alone.len() {
                0 => String::new(),
                _ => format!("  [by one solver family only: {}]", alone.join(" ")),
            }
        )?;
    }
    if !json {
        let all: usize = counts.values().sum();
        let parts: Vec<String> = counts.iter().map(|(s, n)| format!("{n} {s}")).collect();
        writeln!(out, "{all} rules: {}", parts.join(", "))?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn show(which: &Which) -> Result<Exit> {
    let loaded = which.load()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (file, rule) in loaded.rules().filter(|(_, r)| which.wants(r)) {
        let claim = rule.claim();
        writeln!(out, "{} ({}, {file})", rule.name(), rule.kind())?;
        let vars: Vec<String> = claim
            .vars
            .iter()
            .map(|v| format!("{} {}{}", v.name, v.sort, if v.literal { " (literal)" } else { "" }))
            .collect();
        writeln!(out, "  for all      {}", vars.join(", "))?;
        for a in &claim.assume {
            writeln!(out, "  if           {a}")?;
        }
        writeln!(out, "  holds        {}", claim.conclude)?;
        if let Some(proof) = &claim.proof {
            writeln!(out, "  proof        {proof}")?;
        }
        let (state, runs) = state(&loaded.record, &rule);
        writeln!(out, "  state        {state}{}", if runs { "" } else { ", off" })?;
        if let Some(e) = entry(&loaded.record, &rule) {
            if let Some(r) = &e.refuted {
                writeln!(out, "  false at {} ({}): {}", r.label, r.by, r.values)?;
            }
            writeln!(out, "  random values on which it held: {}", e.held)?;
            for p in &e.proofs {
                let bound = p.bound.map_or(String::new(), |n| format!(" up to length {n}"));
                writeln!(out, "  {}{bound}: {}", p.solvers.join(", "), p.labels.join(" "))?;
            }
            if !e.open.is_empty() {
                writeln!(out, "  nobody: {}", e.open.join(" "))?;
            }
        }
        if let Some(instance) = instances::all(&claim, &Coverage::small()).last() {
            writeln!(out, "  unsatisfiable if it is true ({}):", instance.label)?;
            for line in claim.negation(instance, None).lines() {
                writeln!(out, "    {line}")?;
            }
        }
    }
    out.flush()?;
    Ok(Exit::Fine)
}
