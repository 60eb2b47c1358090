//! What people see of a campaign: one live line on a terminal, plain lines elsewhere, a table at the end; or lines of JSON.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use smelt_campaign::campaign::{Campaign, Outcome};
use smelt_campaign::event::{Event, Snapshot};
use smelt_campaign::plan::Plan;
use smelt_campaign::shelf::Found;
use smelt_campaign::tally::Counts;

use crate::args::Json;
use crate::exit::Exit;
use crate::printable::printable;
use crate::voice;

/// How often a plain line is written when nobody watches.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// The exit code of a campaign; an error if it ended before its time.
pub fn exit(outcome: Outcome) -> Result<Exit> {
    match (outcome.end.failure, outcome.new.is_empty()) {
        _ if !outcome.unwritten.is_empty() => Ok(Exit::Unwritten),
        (Some(e), true) => Err(e),
        (Some(e), false) => {
            voice::complain(&format!("{e:#}"));
            Ok(Exit::Found)
        }
        (None, true) => Ok(Exit::Fine),
        (None, false) => Ok(Exit::Found),
    }
}

/// How a campaign is shown.
pub struct View {
    json: bool,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl View {
    /// For people or machines, with or without what happens on the way.
    pub fn new(Json { json }: Json) -> Self {
        Self { json, quiet: voice::is_quiet(), bar: None }
    }

    /// Names folders that are no findings.
    pub fn unreadable(&self, found: &Found) {
        for (folder, why) in &found.unreadable {
            self.remark(&format!("smelt: {} is left as it is: {why}", folder.display()));
        }
    }

    /// What people may want to know before it begins.
    pub fn on_the_way(&self, text: &str) {
        if !self.quiet {
            self.remark(text);
        }
    }

    /// What is going to be done.
    pub fn begin(&self, plan: &Plan, folder: &Path) {
        let seed = plan.config.seed;
        self.on_the_way(&format!("campaign seed {seed}; folder {}", folder.display()));
        for l in &plan.left_out {
            self.remark(&format!("smelt: {} is left out: {}", l.path.display(), l.why));
        }
    }

    fn remark(&self, text: &str) {
        if !self.json {
            let _ = writeln!(std::io::stdout(), "{}", printable(text));
        }
    }

    /// Runs a campaign and shows it, to the end. The first Ctrl-C ends the tests, the second what is being confirmed.
    pub fn follow(&mut self, campaign: &Campaign) -> Result<Outcome> {
        let (stop, all) = (campaign.control.cancel.clone(), campaign.control.cancel_all.clone());
        ctrlc::set_handler(move || {
            if stop.is_cancelled() {
                all.cancel();
            }
            stop.cancel();
        })
        .context("cannot catch Ctrl-C")?;
        if !self.json && !self.quiet && std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        let mut last = Instant::now();
        let outcome = campaign.run(&mut |event| self.show(&event, &mut last))?;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        for (f, bug) in &outcome.unwritten {
            self.say(&format!("; {} could not be written: {}\n{bug}", f.id, f.verdict().evidence));
        }
        let shown = self.finish(campaign, &outcome);
        if outcome.unwritten.is_empty() {
            shown.context("cannot write to standard output")?;
        }
        Ok(outcome)
    }

    /// A line that stays.
    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None if self.json => self.write(&Event::message(line)),
            None => drop(writeln!(std::io::stdout(), "{line}")),
        }
    }

    fn write(&self, event: &Event) {
        if let Ok(line) = serde_json::to_string(event) {
            let _ = writeln!(std::io::stdout(), "{line}");
        }
    }

    fn show(&self, event: &Event, last: &mut Instant) {
        match event {
            Event::Progress(now) => {
                let due = last.elapsed() >= PLAIN_EVERY;
                if self.quiet || (self.bar.is_none() && !due) {
                    return;
                }
                *last = Instant::now();
                match &self.bar {
                    Some(bar) => {
                        bar.set_message(line(now));
                        bar.tick();
                    }
                    None if self.json => self.write(event),
                    None => self.say(&line(now)),
                }
            }
            _ if self.json => self.write(event),
            Event::Message { message } => self.say(message),
            Event::Found { finding: f } => {
                let (who, v) = (&f.accused.label, f.verdict());
                let class = v.class.word();
                self.say(&format!("{}: {who} {class} ({}): {}", f.id, v.grade, v.evidence));
            }
        }
    }

    /// The end: a table, or one JSON object.
    fn finish(&self, c: &Campaign, o: &Outcome) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if self.json {
            let mut all = serde_json::to_value(&o.end.last)?;
            all["kind"] = json!("end");
            all["new_findings"] = serde_json::to_value(&o.new)?;
            writeln!(out, "{all}")?;
        } else {
            out.write_all(table(c, o).as_bytes())?;
        }
        Ok(())
    }
}

fn clock(seconds: f64) -> String {
    let s = seconds as u64;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

fn line(now: &Snapshot) -> String {
    let stats = &now.counts;
    let tests = stats.total.tests;
    let rate = tests.saturating_sub(now.earlier_tests) as f64 / now.elapsed.max(0.1);
    let found: Vec<String> =
        stats.findings.iter().map(|(class, n)| format!("{n} {}", class.word())).collect();
    let found = if found.is_empty() { "no finding".to_owned() } else { found.join(", ") };
    let total: f64 = stats.strategies().map(|(_, y)| y.tests).sum();
    let mix: Vec<String> = stats
        .strategies()
        .map(|(name, y)| format!("{name} {:.0} %", 100.0 * y.tests / total.max(1.0)))
        .collect();
    format!(
        "{}  {tests} tests, {rate:.0}/s, solvers {:.0} % of CPU | {found} | {}",
        clock(now.elapsed),
        100.0 * now.solver_share,
        mix.join(", ")
    )
}

fn table(c: &Campaign, o: &Outcome) -> String {
    use std::fmt::Write;
    let mut t = String::new();
    let (last, findings) = (&o.end.last, &o.new);
    let s = &last.counts;
    let rate = s.total.tests as f64 / last.elapsed.max(0.1);
    let _ = writeln!(
        t,
        "{} tests in {} ({rate:.1}/s), {} chains; solvers {:.1} % of CPU; campaign seed {}",
        s.total.tests,
        clock(last.elapsed),
        s.total.chains,
        100.0 * last.solver_share,
        c.plan.config.seed
    );
    let (given, used) = o.seeds;
    let skipped: u64 = s.skipped.values().sum();
    let _ = writeln!(t, "seeds: {given} given, {used} used, {skipped} skipped");
    let mut list = |title: &str, map: &Counts, most: usize| {
        if map.is_empty() {
            return;
        }
        let _ = writeln!(t, "{title}:");
        let mut rows: Vec<_> = map.iter().collect();
        rows.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
        for (name, n) in rows.iter().take(most) {
            let _ = writeln!(t, "  {n:>8}  {name}");
        }
        if rows.len() > most {
            let _ = writeln!(t, "            and {} more kinds", rows.len() - most);
        }
    };
    list("skipped seeds", &s.skipped, 10);
    list("answers", &s.answers, 40);
    list("not sent, because the solver does not have what is in them", &s.untaken, 10);
    let overvaried: u64 = s.overvaried.values().sum();
    list(&format!("{overvaried} runs refused under options that were varied"), &s.overvaried, 10);
    list("refused scripts, by reason", &s.rejections, 15);
    list("seeds that a strategy cannot use", &s.refusals, 15);
    list("instances of rules that seeds asked for", &s.proofs, 5);
    for target in c.plan.panel.targets() {
        let of = |kinds: &[&str]| -> u64 {
            kinds.iter().filter_map(|k| s.answers.get(&format!("{} {k}", target.label))).sum()
        };
        let late = of(&["timeout", "out-of-memory", "unreadable"]);
        if late >= 20 && of(&["sat", "unsat", "unknown"]) == 0 {
            let label = &target.label;
            let _ = writeln!(t, "{label} has answered nothing: nothing was learnt about it");
        }
    }
    let _ = writeln!(t, "strategies:");
    for (name, y) in s.strategies() {
        let per_second = y.tests / y.cpu.max(1e-9);
        let _ = writeln!(
            t,
            "  {name:<12} {:>9} tests, {per_second:>7.1} per CPU second, {:>5.2} % refused, {} findings",
            y.tests,
            100.0 * y.rejected / y.tests.max(1.0),
            y.findings
        );
    }
    let s = &s.total;
    let quiet = [
        (s.duplicates, "candidates like an earlier one"),
        (
            s.not_looked_at,
            "candidates not looked at, because others of their kind gave nothing new",
        ),
        (s.suppressed, "candidates that are known bugs"),
        (s.same_on_base, "candidates that the base shows, too"),
        (s.vanished, "candidates that no fresh process repeated"),
        (s.unsettled, "disagreements that nobody could settle (see unsettled/)"),
        (s.quarantined, "expectations refuted by a true model (see quarantine/)"),
        (
            s.own_errors,
            "times a rule of smelt is wrong by a model (see quarantine/): please report",
        ),
        (
            s.reprint_failures,
            "mutants that smelt printed wrongly (see reprint-failures/): please report",
        ),
        (s.panics, "chains that met a defect of smelt itself: please report"),
        (s.faults, "runs that failed for want of the system's help"),
    ];
    for (n, what) in quiet.iter().filter(|(n, _)| *n > 0) {
        let _ = writeln!(t, "{n} {what}");
    }
    if findings.is_empty() {
        let _ = writeln!(t, "no new finding");
    } else {
        let _ =
            writeln!(t, "{} new findings in {}:", findings.len(), c.folder.shelf.path().display());
        for f in findings {
            let (who, v) = (&f.accused.label, f.verdict());
            let _ = writeln!(t, "  {:<28} {who} [{}] {}", f.id, v.grade, v.evidence);
        }
    }
    t
}
