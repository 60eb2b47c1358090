//! Who is slower than whom, beyond noise: what one run suggests, two more of each solver must confirm.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use smelt_trial::opinion::judged::Ran;
use smelt_trial::{Panel, Target};

use super::Row;

/// A solver counts as slower if it takes so many times as long.
pub const FACTOR: f64 = 1.2;

/// … and so many CPU seconds more: less is lost in the noise of starting processes.
pub const LEAST: f64 = 0.02;

/// Further runs by which a difference is confirmed.
pub const ROUNDS: usize = 2;

/// Queries of one pair that are timed again, those with the largest factors first.
const TIMED_AGAIN: usize = 20;

/// Two solvers of a panel that are compared, the first of which may be slower.
pub type Pair = (usize, usize);

/// CPU seconds of further runs, by query and solver.
pub type Times = BTreeMap<(usize, usize), Vec<f64>>;

/// Where one solver is slower than another.
#[derive(Clone, Debug, Serialize)]
pub struct Slower {
    /// Label of who is slower.
    pub solver: String,
    /// Than whom.
    pub than: String,
    /// Queries that both decide, or that the other decides and this one does not in time.
    pub compared: usize,
    /// Where it is so, the largest factors first.
    pub files: Vec<SlowFile>,
    /// Queries where one run suggests it, and which were not timed again because there are too many.
    pub not_timed_again: usize,
}

/// A query on which one solver is slower than another.
#[derive(Clone, Debug, Serialize)]
pub struct SlowFile {
    /// The query.
    pub file: String,
    /// CPU seconds of the slower one, in each run.
    pub cpu_seconds: Vec<f64>,
    /// CPU seconds of the other, in each run.
    pub than_cpu_seconds: Vec<f64>,
    /// How many times as long it takes at least.
    pub factor: f64,
    /// Whether it was ended by the limit.
    pub timeout: bool,
}

/// Who is compared with whom: a release with its neighbours among the releases of the same solver that are asked, and the newest ones of
/// different solvers with each other; each way.
pub fn pairs(panel: &Panel) -> Vec<Pair> {
    let name = |t: &Target| t.solver.profile().name.clone();
    let targets = panel.targets();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, t) in targets.iter().enumerate() {
        match groups.iter_mut().find(|g| name(&targets[g[0]]) == name(t)) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|&i| targets[i].solver.version());
    }
    let neighbours = groups.iter().flat_map(|g| g.windows(2).map(|w| (w[1], w[0])));
    let newest: Vec<usize> = groups.iter().filter_map(|g| g.last().copied()).collect();
    let others =
        newest.iter().enumerate().flat_map(|(i, &a)| newest[..i].iter().map(move |&b| (a, b)));
    neighbours.chain(others).flat_map(|(a, b)| [(a, b), (b, a)]).collect()
}

/// The runs that are to be made again: which query, which solver.
pub fn candidates(rows: &[Row], pairs: &[Pair], limit: f64) -> Vec<(usize, usize)> {
    let mut all = BTreeSet::new();
    for &pair in pairs {
        let suspects = suspects(pair, rows, limit);
        for &(row, _) in suspects.iter().take(TIMED_AGAIN) {
            let decided = |who: &usize| run(&rows[row], *who).is_some_and(Ran::decides);
            all.extend([pair.0, pair.1].into_iter().filter(decided).map(|who| (row, who)));
        }
    }
    all.into_iter().collect()
}

/// Queries on which one run suggests that the first of a pair is slower, the largest factors first.
fn suspects(pair: Pair, rows: &[Row], limit: f64) -> Vec<(usize, f64)> {
    let suspected = |(i, row): (usize, &Row)| {
        let (slow, fast) = compared(pair, row, limit)?;
        is_slower(&[slow], &[fast]).map(|factor| (i, factor))
    };
    let mut all: Vec<(usize, f64)> = rows.iter().enumerate().filter_map(suspected).collect();
    all.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal));
    all
}

fn run(row: &Row, who: usize) -> Option<&Ran> {
    row.judged()?.runs.get(who)
}

/// CPU seconds of both, if they can be compared: both decide a query alike, or the first does not in time what the other decides. What
/// is decided wrongly is compared with nothing.
fn compared((slow, fast): Pair, row: &Row, limit: f64) -> Option<(f64, f64)> {
    let judged = row.judged()?;
    let accused = |who| judged.diagnoses.iter().any(|d| d.who.0 == who && d.is_reportable());
    let (s, f) = (run(row, slow)?, run(row, fast)?);
    if accused(slow) || accused(fast) || !f.decides() {
        return None;
    }
    let alike = |s: &Ran| s.checks.iter().map(|c| &c.answer).eq(f.checks.iter().map(|c| &c.answer));
    match (is_late(s), s.decides() && alike(s)) {
        (true, _) => Some((limit.max(s.cpu_seconds), f.cpu_seconds)),
        (false, true) => Some((s.cpu_seconds, f.cpu_seconds)),
        _ => None,
    }
}

fn is_late(run: &Ran) -> bool {
    run.checks.last().is_some_and(|c| c.answer == "timeout")
}

/// How many times as long the slower one takes at least, if its best time is behind the worst of the other by more than noise.
fn is_slower(slow: &[f64], fast: &[f64]) -> Option<f64> {
    let best = slow.iter().copied().fold(f64::INFINITY, f64::min);
    let worst = fast.iter().copied().fold(0.0, f64::max);
    let factor = best / worst.max(1e-3);
    (best > FACTOR * worst && best - worst > LEAST).then_some(factor)
}

impl Slower {
    /// Where the first of a pair is slower than the other in every run.
    pub fn of(pair: Pair, rows: &[Row], times: &Times, limit: f64) -> Self {
        let label = |who| {
            let mut runs = rows.iter().filter_map(|r| run(r, who));
            runs.next().map_or_else(String::new, |r| r.solver.clone())
        };
        let suspects = suspects(pair, rows, limit);
        let all = |i: usize, who: usize, first: f64| {
            let more = times.get(&(i, who)).into_iter().flatten().copied();
            std::iter::once(first).chain(more).collect::<Vec<f64>>()
        };
        let confirmed = |&(i, _): &(usize, f64)| {
            let (slow, fast) = compared(pair, &rows[i], limit)?;
            let (cpu_seconds, than_cpu_seconds) = (all(i, pair.0, slow), all(i, pair.1, fast));
            let factor = is_slower(&cpu_seconds, &than_cpu_seconds)?;
            let (file, timeout) =
                (rows[i].name.clone(), run(&rows[i], pair.0).is_some_and(is_late));
            Some(SlowFile { file, cpu_seconds, than_cpu_seconds, factor, timeout })
        };
        let mut files: Vec<SlowFile> =
            suspects.iter().take(TIMED_AGAIN).filter_map(confirmed).collect();
        files.sort_by(|a, b| b.factor.partial_cmp(&a.factor).unwrap_or(Ordering::Equal));
        Self {
            solver: label(pair.0),
            than: label(pair.1),
            compared: rows.iter().filter(|r| compared(pair, r, limit).is_some()).count(),
            files,
            not_timed_again: suspects.len().saturating_sub(TIMED_AGAIN),
        }
    }
}
