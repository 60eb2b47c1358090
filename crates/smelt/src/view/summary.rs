//! The table at the end of a campaign. Its sums are the tally's: see `smelt_campaign::tally`.

use std::fmt::Write;

use smelt_campaign::campaign::{Campaign, Outcome};
use smelt_campaign::event::Snapshot;
use smelt_campaign::tally::{Counts, Tally, Total};
use smelt_solver::MEMORY;

use crate::args::limit;
use crate::view::line::in_releases;

/// Hours, minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let s = seconds as u64;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// The table.
pub fn table(c: &Campaign, o: &Outcome) -> String {
    let mut t = String::new();
    let last = &o.end.last;
    let s = &last.counts;
    head(&mut t, c, last);
    list(&mut t, "skipped seeds", &s.skipped, 10);
    if s.seeds.skipped > 0 && !c.plan.config.as_is {
        let _ = writeln!(
            t,
            "  (each by name: smelt fuzz --list-skipped --out {})",
            c.folder.path.display()
        );
    }
    list(&mut t, "options of seeds that solvers get", &s.options_kept, 10);
    list(&mut t, "options of seeds that no solver gets", &s.options_dropped, 10);
    list(&mut t, "other checks of seeds that a strategy leaves out", &s.checks_left_out, 10);
    answers(&mut t, s);
    let overvaried: u64 = s.overvaried.values().sum();
    let title = format!("{overvaried} runs refused under options that were varied");
    list(&mut t, &title, &s.overvaried, 10);
    list(&mut t, "refused scripts, by reason", &s.rejections, 15);
    list(&mut t, "seeds that a strategy cannot use", &s.refusals, 15);
    list(&mut t, "instances of rules that seeds asked for", &s.proofs, 5);
    for target in c.plan.panel.targets() {
        let late = s.said(&target.label, &["timeout", "out-of-memory", "unreadable"]);
        if late >= 20 && s.said(&target.label, &["sat", "unsat", "unknown"]) == 0 {
            let label = &target.label;
            let _ = writeln!(t, "{label} has answered nothing: nothing was learnt about it");
        }
    }
    strategies(&mut t, s);
    totals(&mut t, &s.total);
    bugs(&mut t, c, o);
    t
}

/// The new bugs, with their triggers below them.
fn bugs(t: &mut String, c: &Campaign, o: &Outcome) {
    let place = c.folder.shelf.path().display();
    let many = |n: usize, what: &str| format!("{n} new {what}{}", if n == 1 { "" } else { "s" });
    let triggers = o.bugs.iter().map(|b| b.triggers.len() + 1).sum::<usize>();
    // The bugs are those of the whole run, of which this process is a part.
    let (whole, since) = match o.end.last.is_resumed() {
        false => ("", String::new()),
        true => ("in all: ", format!("; {} since it was resumed", many(o.new.len(), "finding"))),
    };
    let _ = match (o.new.is_empty(), o.bugs.len()) {
        (true, 0) if o.unwritten.is_empty() => writeln!(t, "no new finding"),
        (true, 0) => writeln!(t, "no finding could be written"),
        (false, 0) => {
            writeln!(t, "{} in {place}, of bugs that are known", many(o.new.len(), "finding"))
        }
        (_, n) if n == triggers => writeln!(t, "{whole}{} in {place}{since}:", many(n, "bug")),
        (_, n) => {
            writeln!(t, "{whole}{} ({triggers} triggers) in {place}{since}:", many(n, "bug"))
        }
    };
    for bug in &o.bugs {
        let f = bug.finding();
        let (who, v, bytes) = (&f.accused.label, f.verdict(), bug.contents.bug.len());
        let releases = in_releases(f);
        let _ = writeln!(
            t,
            "  {:<28} {who} [{}] {bytes} bytes{releases}: {}",
            f.id, v.grade, v.evidence
        );
        for (trigger, why) in &bug.triggers {
            let _ = writeln!(t, "    {}: {why}", trigger.id);
        }
    }
    if o.undone > 0 {
        let folder = c.folder.path.display();
        let _ = writeln!(
            t,
            "{} left on findings that are not as small as they go: smelt fuzz --resume --out {folder} --reduce end",
            many(o.undone, "job").replacen(" new", "", 1)
        );
    }
}

/// Tests, time, seeds and limits.
fn head(t: &mut String, c: &Campaign, last: &Snapshot) {
    let s = &last.counts;
    let share = format!("solvers {:.1} % of CPU", 100.0 * last.solver_share);
    let whole = if last.is_resumed() { "in all: " } else { "" };
    let now = if last.is_resumed() { String::new() } else { format!("; {share}") };
    let _ = writeln!(
        t,
        "{whole}{} tests in {} ({:.1}/s), {} chains{now}; campaign seed {}",
        s.total.tests,
        clock(last.elapsed_seconds),
        last.rate(),
        s.total.chains,
        c.plan.config.seed
    );
    if last.is_resumed() {
        let (tests, seconds, rate) = last.here();
        let _ = writeln!(
            t,
            "since it was resumed: {tests} tests in {} ({rate:.1}/s); {share}",
            clock(seconds)
        );
    }
    let when = if last.is_resumed() { " since it was resumed" } else { "" };
    let seeds = &s.seeds;
    let waiting = match seeds.waiting {
        0 => String::new(),
        n => format!(", {n} without a turn yet"),
    };
    let _ = writeln!(
        t,
        "seeds{when}: {} given, {} used, {} skipped{waiting}",
        seeds.given, seeds.used, seeds.skipped
    );
    let config = &c.plan.config;
    let limits = limit::words(config.limit, config.memory.unwrap_or(MEMORY >> 20));
    let _ = writeln!(t, "limits for one script: {limits}");
}

/// Counts of some kind, the most frequent first.
fn list(t: &mut String, title: &str, map: &Counts, most: usize) {
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
}

/// What kinds of answers are called, in the order in which they are shown; others come behind them.
const KINDS: [(&str, &str); 6] = [
    ("sat", "sat"),
    ("unsat", "unsat"),
    ("unknown", "unknown"),
    ("timeout", "timeout"),
    ("out-of-memory", "out of memory"),
    ("crash", "crash"),
];
const NOT_ASKED: [(&str, &str); 3] = [
    ("not-sent", "not sent, because it does not have what is in them"),
    ("held-back", "not sent, because it has refused such scripts"),
    ("not-asked", "not asked, because it does not take the seed or others had their turn"),
];

/// What each solver said: its lines sum up to the tests.
fn answers(t: &mut String, s: &Tally) {
    for (solver, kinds) in s.answers() {
        let _ = writeln!(t, "{solver}, {} tests:", kinds.values().sum::<u64>());
        let known = |kind: &str| KINDS.iter().chain(&NOT_ASKED).any(|(k, _)| *k == kind);
        let others = kinds.keys().filter(|k| !known(k)).map(|k| (k.as_str(), k.as_str()));
        for (kind, text) in KINDS.into_iter().chain(others).chain(NOT_ASKED) {
            if let Some(n) = kinds.get(kind) {
                let _ = writeln!(t, "  {n:>8}  {text}");
            }
        }
    }
}

/// What strategies have made: their tests and findings sum up to all.
fn strategies(t: &mut String, s: &Tally) {
    let _ = writeln!(t, "strategies:");
    for (name, y) in s.strategies() {
        let per_second = y.tests as f64 / y.cpu.max(1e-9);
        let refused = 100.0 * y.rejected as f64 / y.tests.max(1) as f64;
        let _ = writeln!(
            t,
            "  {name:<12} {:>9} tests, {per_second:>7.1} per CPU second, {refused:>5.2} % refused, {} findings",
            y.tests, y.findings
        );
    }
}

/// Counts that have a line of their own where there are any.
fn totals(t: &mut String, s: &Total) {
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
}
