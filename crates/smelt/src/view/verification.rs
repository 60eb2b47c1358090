//! What `smelt rules verify` shows.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use smelt_campaign::provers::Said;
use smelt_campaign::rulebook::is_used;
use smelt_campaign::verify::{Standing, Verdict};
use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::record::State;

use crate::voice;

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
    /// The last lines.
    pub fn show(&self, out: &mut impl Write) -> Result<()> {
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

/// A line about one rule.
pub fn report(
    asked_for: &Asked,
    claim: &Claim,
    verdict: &Verdict,
    tally: &mut Tally,
    out: &mut impl Write,
) -> Result<()> {
    tally.all += 1;
    let name = &claim.name;
    match verdict {
        Verdict::Unreadable(why) => {
            tally.unreadable += 1;
            writeln!(out, "{name:<34} unreadable: {}", why.trim_end())?;
        }
        Verdict::Refuted(r) => {
            tally.refuted += 1;
            writeln!(out, "{name:<34} REFUTED   at {} by {}: {}", r.label, r.by, r.values)?;
            writeln!(out, "{:<34}           {}", "", claim.line())?;
        }
        Verdict::Stands(standing) => stands(asked_for, claim, standing, tally, out)?,
    }
    out.flush()?;
    Ok(())
}

/// What the solvers say that were named about instances that others have proved.
pub fn beside(rule: &str, standing: &Standing, names: &[&str], out: &mut impl Write) -> Result<()> {
    if standing.beside.is_empty() {
        return Ok(());
    }
    let mut parts: Vec<String> = Vec::new();
    for (said, word) in [
        (Said::Proved, "proved"),
        (Said::TooHard, "too hard"),
        (Said::Disputed, "said to be false, without a model that shows it"),
        (Said::Nothing, "no word on"),
    ] {
        let at = standing.beside.iter().filter(|(_, s)| *s == said).map(|(l, _)| l.as_str());
        let at: Vec<&str> = at.collect();
        if !at.is_empty() {
            parts.push(format!("{word} {}", at.join(" ")));
        }
    }
    writeln!(out, "{rule:<34} by {} now: {}", names.join(", "), parts.join("; "))?;
    out.flush()?;
    Ok(())
}

fn stands(
    asked_for: &Asked,
    claim: &Claim,
    standing: &Standing,
    tally: &mut Tally,
    out: &mut impl Write,
) -> Result<()> {
    let Standing { entry, asked, .. } = standing;
    let (open, (total, by_two)) = (standing.open(), standing.proved());
    let state = entry.state(claim);
    let used = is_used(state, claim);
    *tally.states.entry(state.to_string()).or_default() += 1;
    tally.instances += total;
    tally.instances_by_two += by_two;
    tally.open_instances += open.len();
    tally.by_two += usize::from(total > 0 && by_two == total && open.is_empty());
    tally.off += usize::from(!used);
    let chosen = asked_for.chosen;
    tally.unproved |= state == State::Open || chosen && asked.iter().any(|l| !entry.proves(l));
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
