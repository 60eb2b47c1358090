//! What `smelt rules verify` shows.

use std::collections::BTreeMap;
use std::io::{BufWriter, StdoutLock, Write};

use anyhow::Result;
use serde_json::{Value, json};
use smelt_campaign::provers::Said;
use smelt_campaign::rulebook::is_used;
use smelt_campaign::verify::{Standing, Verdict};
use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::record::State;

use crate::args::Json;
use crate::printable::Printable;
use crate::voice;

/// What a solver may say of an instance, in words.
const WORDS: [(Said, &str); 4] = [
    (Said::Proved, "proved"),
    (Said::TooHard, "too hard"),
    (Said::Disputed, "said to be false, without a model that shows it"),
    (Said::Nothing, "no word on"),
];

/// What rules were asked about.
pub struct Asked {
    /// Random values per rule.
    pub rounds: u64,
    /// Whether the sorts were chosen by the user.
    pub chosen: bool,
}

/// What came of all rules.
#[derive(Default)]
pub struct Tally {
    all: usize,
    states: BTreeMap<String, usize>,
    by_two: usize,
    off: usize,
    /// Rules that a counterexample shows to be false.
    pub refuted: usize,
    /// Rules that cannot be written as scripts.
    pub unreadable: usize,
    instances: usize,
    instances_by_two: usize,
    open_instances: usize,
    /// Whether something that solvers were asked about is proved nowhere, or not where it was to be.
    pub unproved: bool,
}

impl Tally {
    /// Counts what came of one rule.
    pub fn count(&mut self, asked_for: &Asked, claim: &Claim, verdict: &Verdict) {
        self.all += 1;
        let standing = match verdict {
            Verdict::Unreadable(_) => return self.unreadable += 1,
            Verdict::Refuted(_) => return self.refuted += 1,
            Verdict::Stands(standing) => standing,
        };
        let Standing { entry, asked, .. } = standing;
        let (open, (total, by_two)) = (standing.open().len(), standing.proved());
        let state = entry.state(claim);
        *self.states.entry(state.to_string()).or_default() += 1;
        self.instances += total;
        self.instances_by_two += by_two;
        self.open_instances += open;
        self.by_two += usize::from(total > 0 && by_two == total && open == 0);
        self.off += usize::from(!is_used(state, claim));
        let chosen = asked_for.chosen;
        self.unproved |= state == State::Open || chosen && asked.iter().any(|l| !entry.proves(l));
    }

    /// The last lines.
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

    fn json(&self) -> Value {
        json!({
            "kind": "verification", "rules": self.all, "states": self.states, "refuted": self.refuted,
            "unreadable": self.unreadable, "off": self.off, "by_two": self.by_two,
            "instances": self.instances, "instances_by_two": self.instances_by_two,
            "open_instances": self.open_instances,
        })
    }
}

/// Shows rules as they are verified, for people or machines.
pub struct View {
    out: Printable<BufWriter<StdoutLock<'static>>>,
    json: bool,
}

impl View {
    /// Nothing is shown yet.
    pub fn new(Json { json }: Json) -> Self {
        Self { out: Printable(BufWriter::new(std::io::stdout().lock())), json }
    }

    /// What came of one rule, and what the solvers of these names say where others have proved it.
    pub fn rule(
        &mut self,
        asked: &Asked,
        claim: &Claim,
        verdict: &Verdict,
        names: &[&str],
    ) -> Result<()> {
        let out = &mut self.out;
        let name = &claim.name;
        match verdict {
            _ if self.json => writeln!(out, "{}", line(claim, verdict, names))?,
            Verdict::Unreadable(why) => writeln!(out, "{name:<34} unreadable: {}", why.trim_end())?,
            Verdict::Refuted(r) => {
                writeln!(out, "{name:<34} REFUTED   at {} by {}: {}", r.label, r.by, r.values)?;
                writeln!(out, "{:<34}           {}", "", claim.line())?;
            }
            Verdict::Stands(standing) => {
                stands(asked, claim, standing, out)?;
                beside(name, standing, names, out)?;
            }
        }
        Ok(out.flush()?)
    }

    /// The sums.
    pub fn end(&mut self, tally: &Tally) -> Result<()> {
        match self.json {
            true => writeln!(self.out, "{}", tally.json())?,
            false => tally.show(&mut self.out)?,
        }
        Ok(self.out.flush()?)
    }
}

fn word(said: Said) -> &'static str {
    WORDS.iter().find(|(s, _)| *s == said).map_or("", |(_, word)| word)
}

/// A line of JSON; docs/json.md describes it.
fn line(claim: &Claim, verdict: &Verdict, names: &[&str]) -> Value {
    let mut line = json!({ "kind": "verified", "rule": claim.name, "says": claim.line() });
    match verdict {
        Verdict::Unreadable(why) => {
            line["state"] = json!("unreadable");
            line["why"] = json!(why.trim_end());
        }
        Verdict::Refuted(r) => {
            line["state"] = json!("refuted");
            line["at"] = json!(r.label);
            line["by"] = json!(r.by);
            line["values"] = json!(r.values);
        }
        Verdict::Stands(standing) => {
            let state = standing.entry.state(claim);
            let beside = standing.beside.iter();
            let beside = beside.map(|(l, s)| json!({ "instance": l, "says": word(*s) }));
            line["state"] = json!(state.to_string());
            line["used"] = json!(is_used(state, claim));
            line["held"] = json!(standing.entry.held);
            line["instances"] = json!(standing.proved().0);
            line["solvers"] = json!(standing.solvers());
            line["open"] = json!(standing.open());
            line["asked"] = json!(names);
            line["beside"] = beside.collect();
        }
    }
    line
}

/// What the solvers say that were named about instances that others have proved.
fn beside(rule: &str, standing: &Standing, names: &[&str], out: &mut impl Write) -> Result<()> {
    if standing.beside.is_empty() {
        return Ok(());
    }
    let mut parts: Vec<String> = Vec::new();
    for (said, word) in WORDS {
        let at = standing.beside.iter().filter(|(_, s)| *s == said).map(|(l, _)| l.as_str());
        let at: Vec<&str> = at.collect();
        if !at.is_empty() {
            parts.push(format!("{word} {}", at.join(" ")));
        }
    }
    writeln!(out, "{rule:<34} by {} now: {}", names.join(", "), parts.join("; "))?;
    Ok(())
}

fn stands(
    asked_for: &Asked,
    claim: &Claim,
    standing: &Standing,
    out: &mut impl Write,
) -> Result<()> {
    let entry = &standing.entry;
    let (open, (total, _)) = (standing.open(), standing.proved());
    let state = entry.state(claim);
    let used = is_used(state, claim);
    if voice::is_quiet() && used && open.is_empty() {
        return Ok(());
    }
    let word = if used { state.to_string() } else { format!("{state}, off") };
    let rarely = if entry.held < asked_for.rounds { " (rarely tested)" } else { "" };
    let by = match &standing.solvers()[..] {
        [] => "nobody".to_owned(),
        all => all.join(", "),
    };
    let (name, held) = (&claim.name, entry.held);
    write!(out, "{name:<34} {word:<12} held {held:>6}{rarely}; {total} instances by {by}")?;
    match open.len() {
        0 => writeln!(out)?,
        _ => writeln!(out, "; open at {}", open.join(" "))?,
    }
    Ok(())
}
