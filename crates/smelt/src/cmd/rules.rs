//! `smelt rules`: which rules there are, what they say, and whether they are true.

mod verify;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use smelt_campaign::rulebook::Rulebook;
use smelt_strategy::rules::instances::{self, Coverage};
use smelt_strategy::rules::record::Entry;

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

impl Which {
    fn load(&self) -> Result<Rulebook> {
        Rulebook::load(&self.rules, self.record.as_deref())
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    match args.command {
        Command::List { which, json } => list(&which, json.json),
        Command::Show { which } => show(&which),
        Command::Verify(args) => verify::run(&args),
    }
}

fn list(which: &Which, json: bool) -> Result<Exit> {
    let book = which.load()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut file = "";
    for (name, rule) in book.chosen(&which.names)? {
        let (state, used) = book.state(&rule);
        let alone = book.entry(&rule).map_or_else(Vec::new, Entry::by_one_family);
        if json {
            let line = serde_json::json!({
                "kind": "rule",
                "file": name,
                "rule": rule.name(),
                "rule_kind": rule.kind(),
                "state": state.to_string(),
                "runs": used,
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
        let state = if used { state.to_string() } else { format!("{state}, off") };
        let (rule, kind, says) = (rule.name(), rule.kind(), rule.claim().line());
        write!(out, "  {rule:<34} {kind:<10} {state:<12} {says}")?;
        match alone.len() {
            0 => writeln!(out)?,
            _ => writeln!(out, "  [by one solver family only: {}]", alone.join(" "))?,
        }
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
    let book = which.load()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (file, rule) in book.chosen(&which.names)? {
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
        let (state, used) = book.state(&rule);
        writeln!(out, "  state        {state}{}", if used { "" } else { ", off" })?;
        if let Some(e) = book.entry(&rule) {
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
