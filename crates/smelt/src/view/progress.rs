//! What people see of a campaign: one live line on a terminal, plain lines elsewhere, a table at the end; or JSON.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use smelt_campaign::campaign::Campaign;
use smelt_campaign::stats::Stats;
use smelt_triage::Finding;

/// How often a plain line is written when nobody watches.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// The display.
pub struct Progress {
    bar: Option<ProgressBar>,
    json: bool,
    quiet: bool,
    last: Instant,
    first_tests: u64,
}

impl Progress {
    /// A display for this terminal, or for none.
    pub fn new(json: bool, quiet: bool, first_tests: u64) -> Self {
        let bar = (!json && !quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, json, quiet, last: Instant::now(), first_tests }
    }

    /// A line that stays.
    pub fn say(&self, line: &str) {
        if self.json {
            let _ = writeln!(std::io::stdout(), "{}", json!({ "message": line }));
        } else if let Some(bar) = &self.bar {
            bar.println(line);
        } else {
            let _ = writeln!(std::io::stdout(), "{line}");
        }
    }

    /// Shows how things stand.
    pub fn update(&mut self, c: &Campaign, elapsed: Duration) {
        c.news().iter().for_each(|n| self.say(n));
        let due = self.last.elapsed() >= PLAIN_EVERY;
        if self.quiet || (self.bar.is_none() && !due) {
            return;
        }
        self.last = Instant::now();
        let stats = c.stats().clone();
        if self.json {
            let _ = writeln!(std::io::stdout(), "{}", summary_json(&stats, elapsed, "progress"));
            return;
        }
        let line = line(&stats, elapsed, self.first_tests);
        match &self.bar {
            Some(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            None => {
                let _ = writeln!(std::io::stdout(), "{line}");
            }
        }
    }

    /// The end: a table, or one JSON object.
    pub fn finish(&self, c: &Campaign, elapsed: Duration, findings: &[Finding]) -> Result<()> {
        c.news().iter().for_each(|n| self.say(n));
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let stats = c.stats().clone();
        let mut out = std::io::stdout().lock();
        if self.json {
            let mut all = summary_json(&stats, elapsed, "end");
            all["new_findings"] = serde_json::to_value(findings)?;
            writeln!(out, "{all}")?;
        } else {
            out.write_all(table(c, &stats, elapsed, findings).as_bytes())?;
        }
        Ok(())
    }
}

/// Solvers' share of all CPU time of this run so far: of tests, seeds and confirmations, with the start of their processes.
///
/// Processes that still run are not among the children that have ended; while they are most of all, what the tests
/// measured says more.
fn solver_share(stats: &Stats) -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    let used =
        |who| getrusage(who).map_or(0.0, |u| seconds(u.user_time()) + seconds(u.system_time()));
    let solvers = used(UsageWho::RUSAGE_CHILDREN).max(stats.solver_cpu - stats.earlier_cpu);
    solvers / (solvers + used(UsageWho::RUSAGE_SELF)).max(1e-9)
}

fn clock(t: Duration) -> String {
    let s = t.as_secs();
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

fn line(stats: &Stats, elapsed: Duration, first: u64) -> String {
    let rate = (stats.tests - first.min(stats.tests)) as f64 / elapsed.as_secs_f64().max(0.1);
    let found: Vec<String> =
        stats.findings.iter().map(|(class, n)| format!("{n} {}", class.word())).collect();
    let found = if found.is_empty() { "no finding".to_owned() } else { found.join(", ") };
    let total: f64 = stats.yields.values().map(|y| y.tests).sum();
    let mix: Vec<String> = stats
        .yields
        .iter()
        .map(|(name, y)| format!("{name} {:.0} %", 100.0 * y.tests / total.max(1.0)))
        .collect();
    format!(
        "{}  {} tests, {rate:.0}/s, solvers {:.0} % of CPU | {found} | {}",
        clock(elapsed),
        stats.tests,
        100.0 * solver_share(stats),
        mix.join(", ")
    )
}

fn summary_json(stats: &Stats, elapsed: Duration, kind: &str) -> serde_json::Value {
    let mut groups = serde_json::Map::new();
    for (group, name, n) in stats.rows() {
        let entry = groups.entry(group).or_insert_with(|| json!({}));
        entry[name] = json!(n);
    }
    json!({
        "kind": kind,
        "elapsed": elapsed.as_secs_f64(),
        "solver_share": solver_share(stats),
        "counts": groups,
    })
}

fn table(c: &Campaign, s: &Stats, elapsed: Duration, findings: &[Finding]) -> String {
    use std::fmt::Write;
    let mut t = String::new();
    let rate = s.tests as f64 / elapsed.as_secs_f64().max(0.1);
    let _ = writeln!(
        t,
        "{} tests in {} ({rate:.1}/s), {} chains; solvers {:.1} % of CPU; campaign seed {}",
        s.tests,
        clock(elapsed),
        s.chains,
        100.0 * solver_share(s),
        c.config.seed
    );
    let used = c.slots.iter().filter(|x| x.ready().is_some()).count();
    let skipped: u64 = s.skipped.values().sum();
    let _ = writeln!(t, "seeds: {} given, {used} used, {skipped} skipped", c.slots.len());
    let mut list = |title: &str, map: &std::collections::BTreeMap<String, u64>, most: usize| {
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
    for target in &c.targets {
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
    for (name, y) in &s.yields {
        let per_second = y.tests / y.cpu.max(1e-9);
        let _ = writeln!(
            t,
            "  {name:<12} {:>9} tests, {per_second:>7.1} per CPU second, {:>5.2} % refused, {} findings",
            y.tests,
            100.0 * y.rejected / y.tests.max(1.0),
            y.findings
        );
    }
    let quiet = [
        (s.duplicates, "candidates like an earlier one"),
        (
            s.not_looked_at,
            "candidates not looked at, because others of their kind gave nothing new",
        ),
        (s.suppressed, "candidates that are known bugs"),
        (s.shared, "candidates that the base shows, too"),
        (s.vanished, "candidates that no fresh process repeated"),
        (s.unsettled, "disagreements that nobody could settle (see unsettled/)"),
        (s.quarantined, "expectations refuted by a true model (see quarantine/)"),
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
        let _ = writeln!(
            t,
            "{} new findings in {}:",
            findings.len(),
            c.folder.join("findings").display()
        );
        for f in findings {
            let _ = writeln!(t, "  {:<28} {} [{}] {}", f.id, f.solver, f.grade, f.evidence);
        }
    }
    t
}
