//! How a campaign stands, in one line of a terminal.

use smelt_campaign::event::Snapshot;
use smelt_campaign::finding::Finding;
use smelt_campaign::plan::Config;
use smelt_campaign::source::grammar::looked_at;
use smelt_campaign::tally::Tally;

use crate::view::summary::clock;

/// How a campaign stands, in a line. What matters most stands first: a terminal cuts the line off at its width.
pub fn line(now: &Snapshot, config: &Config, words: Option<(u64, u64)>) -> String {
    let stats = &now.counts;
    let tests = stats.total.tests;
    let (_, _, rate) = now.here();
    let found = found(stats);
    let total: u64 = stats.strategies().map(|(_, y)| y.tests).sum();
    let mix: Vec<String> = stats
        .strategies()
        .map(|(name, y)| format!("{name} {:.0} %", 100.0 * y.tests as f64 / total.max(1) as f64))
        .collect();
    let left = left(now, config, words).map_or(String::new(), |s| format!(", {} left", clock(s)));
    let done = match words {
        None => format!("{tests} tests"),
        Some((of, _)) => format!("{} of {of} formulas", looked_at(&stats.words)),
    };
    format!(
        "{}{left} | {done}, {rate:.0}/s | {found} | solvers {:.0} % of CPU | {}",
        clock(now.elapsed_seconds),
        100.0 * now.solver_share,
        mix.join(", ")
    )
}

/// Bugs by class, and how many triggers they have; without a word on bugs, findings.
fn found(stats: &Tally) -> String {
    let bugs = if stats.bugs.is_empty() { stats.findings() } else { &stats.bugs };
    let all: Vec<String> = bugs.iter().map(|(class, n)| format!("{n} {}", class.word())).collect();
    let (bugs, triggers) = (bugs.values().sum::<u64>(), stats.found());
    match all.is_empty() {
        true => "no bug".to_owned(),
        false if triggers > bugs => format!("{} ({triggers} triggers)", all.join(", ")),
        false => all.join(", "),
    }
}

/// The releases that have a bug, in words.
pub fn in_releases(f: &Finding) -> String {
    let spans = f.fingerprint.as_ref().map(|p| p.spans()).filter(|s| !s.is_empty());
    spans.map_or(String::new(), |s| format!(", in {s}"))
}

/// Seconds until the budget is used up: of time, or of tests or words at the rate so far, whichever comes first.
fn left(now: &Snapshot, config: &Config, words: Option<(u64, u64)>) -> Option<f64> {
    let time = config.time.map(|t| (t - now.elapsed_seconds).max(0.0));
    let (_, seconds, rate) = now.here();
    let tests = config.tests.filter(|_| rate > 0.0);
    let tests = tests.map(|n| n.saturating_sub(now.counts.total.tests) as f64 / rate);
    let words = words.and_then(|(of, before)| {
        let looked = looked_at(&now.counts.words);
        let here = looked.checked_sub(before).filter(|n| *n > 0)?;
        Some(of.saturating_sub(looked) as f64 * seconds / here as f64)
    });
    [time, tests, words].into_iter().flatten().reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time that is left stands at the front, where no terminal cuts it off.
    #[test]
    fn a_line() {
        let mut now = Snapshot { elapsed_seconds: 75.0, ..Snapshot::default() };
        now.counts.total.tests = 150;
        let check = |now: &Snapshot, time, tests, expect: &str| {
            let said = line(now, &Config { time, tests, ..Config::default() }, None);
            assert!(said.starts_with(expect), "{said}");
        };
        check(&now, None, None, "0:01:15 | 150 tests, 2/s | no bug");
        check(&now, Some(3675.0), None, "0:01:15, 1:00:00 left | 150 tests");
        check(&now, Some(3675.0), Some(250), "0:01:15, 0:00:50 left | 150 tests");
        // After it was resumed, the rate is that of now.
        now.earlier_seconds = 65.0;
        now.earlier_tests = 100;
        check(&now, None, None, "0:01:15 | 150 tests, 5/s | no bug");
        // Of words it is known how many there are.
        now.counts.words.insert("agreed".to_owned(), 140);
        now.counts.words.insert("skipped".to_owned(), 10);
        let said = line(&now, &Config::default(), Some((1050, 100)));
        assert!(said.starts_with("0:01:15, 0:03:00 left | 150 of 1050 formulas, 5/s"), "{said}");
    }
}
