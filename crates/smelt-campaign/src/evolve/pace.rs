//! Which release is slower than another, beyond noise: what a few runs suggest, further runs of both in turn must confirm, and a test of ranks
//! must find that unlikely by chance.

use std::collections::{BTreeMap, BTreeSet};

use super::judge::{Point, Points};
use super::statistics::{rank_sum, signed_rank};

/// A query counts as slower if it takes so many times as long.
pub const FACTOR: f64 = 1.2;

/// … and so many CPU seconds more.
pub const LEAST: f64 = 0.005;

/// A difference is believed if it is less likely than this by chance.
pub const CHANCE: f64 = 0.01;

/// Runs of a query by each of two releases, once one seems to be slower.
pub const ROUNDS: u32 = 5;

/// Runs of a query that one release does not decide any more.
pub const LOST_ROUNDS: u32 = 2;

/// Queries of two releases that are timed again, those with the largest factors first.
const TIMED_AGAIN: usize = 12;

/// Less CPU time than this counts as this much: it is what a clock and a pipe cost.
const FLOOR: f64 = 0.0005;

/// Two releases: one that may be slower, and the one that it is compared with.
pub(super) type Pair = (usize, usize);

/// Who is slower on what: by query and pair, how many times as long it takes, and how likely that is by chance.
pub(super) type Confirmed = BTreeMap<(usize, Pair), (f64, f64)>;

fn both(points: &Points, (slow, fast): Pair) -> Option<(&Point, &Point)> {
    points.get(slow)?.as_ref().zip(points.get(fast)?.as_ref())
}

/// CPU seconds of both, if they decide a query alike and neither is known to be wrong.
fn comparable(points: &Points, pair: Pair) -> Option<(&Point, &Point)> {
    let (slow, fast) = both(points, pair)?;
    (slow.solves() && fast.solves() && slow.answers == fast.answers).then_some((slow, fast))
}

/// Whether the first of a pair does not seem to decide any more what the other does: by all runs that there are, of whatever number.
pub(super) fn seems_lost(points: &Points, pair: Pair) -> bool {
    both(points, pair).is_some_and(|(slow, fast)| slow.never && fast.always && fast.solves())
}

/// Whether the first of a pair does not decide any more what the other does, by several runs of both.
pub(super) fn is_lost(points: &Points, pair: Pair) -> bool {
    let several = |p: &Point| p.runs() >= LOST_ROUNDS;
    seems_lost(points, pair) && both(points, pair).is_some_and(|(s, f)| several(s) && several(f))
}

/// The runs that are still to be made: which query, which releases, and up to which round.
pub(super) fn wanted(all: &[Points], pairs: &[Pair]) -> Vec<(usize, Pair, u32)> {
    let mut wanted = BTreeSet::new();
    for &pair in pairs {
        let mut suspects: Vec<(usize, f64)> = Vec::new();
        for (i, points) in all.iter().enumerate() {
            if let Some((slow, fast)) = comparable(points, pair)
                && let Some(factor) = seems_slower(slow, fast)
            {
                suspects.push((i, factor));
            }
        }
        suspects.sort_by(|a, b| b.1.total_cmp(&a.1));
        wanted.extend(suspects.iter().take(TIMED_AGAIN).map(|&(i, _)| (i, pair, ROUNDS)));
        let lost = (0..all.len()).filter(|&i| seems_lost(&all[i], pair));
        wanted.extend(lost.take(TIMED_AGAIN).map(|i| (i, pair, LOST_ROUNDS)));
    }
    wanted.into_iter().collect()
}

fn seems_slower(slow: &Point, fast: &Point) -> Option<f64> {
    let (s, f) = (slow.mean(), fast.mean().max(FLOOR));
    (s > FACTOR * f && s - f > LEAST).then_some(s / f)
}

/// Where repeated runs confirm that one release is slower than another.
pub(super) fn confirmed(all: &[Points], pairs: &[Pair]) -> Confirmed {
    let mut found = Confirmed::new();
    for &pair in pairs {
        for (i, points) in all.iter().enumerate() {
            let Some((slow, fast)) = comparable(points, pair) else { continue };
            let p = rank_sum(&slow.seconds, &fast.seconds);
            if let Some(factor) = seems_slower(slow, fast)
                && p <= CHANCE
            {
                found.insert((i, pair), (factor, p));
            }
        }
    }
    found
}

/// How one release does beside another on some queries as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pace {
    /// Queries that both decide.
    pub both: u64,
    /// How many times as long it takes for those.
    pub factor: f64,
    /// How likely such times are by chance, query by query, if it is not slower.
    pub p: f64,
    /// CPU seconds of both.
    pub seconds: (f64, f64),
    /// The query on which it falls behind most.
    pub clearest: Option<usize>,
}

/// How the first of a pair does beside the other on queries.
pub(super) fn pace(all: &[Points], queries: &[usize], pair: Pair) -> Pace {
    let mut differences = Vec::new();
    let (mut sums, mut clearest) = ((0.0, 0.0), None::<(usize, f64)>);
    for &i in queries {
        let Some((slow, fast)) = comparable(&all[i], pair) else { continue };
        let (s, f) = (slow.mean().max(FLOOR), fast.mean().max(FLOOR));
        differences.push((s / f).ln());
        sums.0 += s;
        sums.1 += f;
        if clearest.is_none_or(|(_, most)| s - f > most) {
            clearest = Some((i, s - f));
        }
    }
    Pace {
        both: differences.len() as u64,
        factor: if sums.1 > 0.0 { sums.0 / sums.1 } else { 1.0 },
        p: signed_rank(&differences),
        seconds: sums,
        clearest: clearest.map(|(i, _)| i),
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::WALL;
    use super::*;

    fn point(answer: &'static str, seconds: &[f64]) -> Option<Point> {
        Some(Point {
            answers: vec![answer],
            seconds: seconds.to_vec(),
            always: matches!(answer, "sat" | "unsat"),
            never: !matches!(answer, "sat" | "unsat" | WALL),
            ..Point::default()
        })
    }

    /// Five runs that all are longer confirm it; three do not, nor does noise, nor a difference that nobody feels.
    #[test]
    fn slower_beyond_noise() {
        let check = |slow: &[f64], fast: &[f64], wants: bool, holds: bool| {
            let all = [vec![point("sat", slow), point("sat", fast)]];
            let pairs = [(0, 1)];
            assert_eq!(!wanted(&all, &pairs).is_empty(), wants, "{slow:?} {fast:?}");
            assert_eq!(!confirmed(&all, &pairs).is_empty(), holds, "{slow:?} {fast:?}");
        };
        check(&[0.3], &[0.1], true, false);
        check(&[0.3, 0.31, 0.29], &[0.1, 0.1, 0.1], true, false);
        check(&[0.3, 0.31, 0.29, 0.3, 0.32], &[0.1, 0.12, 0.1, 0.1, 0.11], true, true);
        check(&[0.3, 0.05, 0.06, 0.3, 0.05], &[0.1, 0.12, 0.1, 0.1, 0.11], true, false);
        check(&[0.101; 5], &[0.1; 5], false, false);
        check(&[0.004; 5], &[0.001; 5], false, false);
    }

    #[test]
    fn lost_and_incomparable() {
        let all = [
            vec![point("timeout", &[1.0]), point("sat", &[0.1])],
            vec![point("unsat", &[0.5]), point("sat", &[0.1])],
            vec![None, point("sat", &[0.1])],
            vec![point("sat", &[0.1]), point("unknown", &[0.1])],
            // The wall clock ends runs where the machine has other things to do.
            vec![point(WALL, &[0.2; 2]), point("sat", &[0.1; 2])],
            vec![point("timeout", &[1.0; 2]), point("sat", &[0.1; 2])],
        ];
        let again = |i| (i, (0, 1), LOST_ROUNDS);
        assert_eq!(wanted(&all, &[(0, 1)]), [again(0), again(5)]);
        // One run of each is not enough.
        let lost: Vec<bool> = all.iter().map(|p| is_lost(p, (0, 1))).collect();
        assert_eq!(lost, [false, false, false, false, false, true]);
        assert_eq!(pace(&all, &[0, 1, 2, 3, 4, 5], (0, 1)).both, 0);
    }

    #[test]
    fn a_group_as_a_whole() {
        let all: Vec<Points> = (1..=10)
            .map(|i| {
                vec![point("sat", &[0.02 * f64::from(i)]), point("sat", &[0.01 * f64::from(i)])]
            })
            .collect();
        let queries: Vec<usize> = (0..10).collect();
        let p = pace(&all, &queries, (0, 1));
        assert_eq!((p.both, p.clearest), (10, Some(9)));
        assert!((p.factor - 2.0).abs() < 1e-9 && p.p < 0.002);
        assert!(pace(&all, &queries, (1, 0)).p > 0.99);
    }
}
