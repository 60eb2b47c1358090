//! What an instance is worth: PAR-2 times of the target and of its references, and the margin between them.

use serde::{Deserialize, Serialize};
use smelt_strategy::bandit::Score;

use crate::source::Timed;

/// With which reference a target is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// The fastest that decides: one peer shows that it can be done.
    #[default]
    Fastest,
    /// The slowest, as in the paper: all peers are fast.
    Slowest,
}

/// What is so far above another time counts as slower, in CPU seconds, …
pub const LEAST: f64 = 0.2;

/// … if it is so many times as long.
pub const FACTOR: f64 = 2.0;

/// The PAR-2 time of a run: an answer's own, twice the limit for a timeout. `None`: it gave no answer, which is another matter than a slow one.
pub fn par2(run: &Timed, limit: f64) -> Option<f64> {
    match (run.decided, run.answer) {
        (Some(_), _) => Some(run.seconds.min(limit)),
        (None, "timeout") => Some(2.0 * limit),
        _ => None,
    }
}

/// The time of the references that counts; `None` if nobody of them decides or runs into the limit. Of the slowest who does not answer
/// counts as a timeout: it has not solved it.
pub fn reference(runs: &[Timed], against: Against, limit: f64) -> Option<f64> {
    let times = runs.iter().map(|r| par2(r, limit));
    match against {
        Against::Fastest => times.flatten().min_by(f64::total_cmp),
        Against::Slowest if runs.iter().all(|r| par2(r, limit).is_none()) => None,
        Against::Slowest => times.map(|t| t.unwrap_or(2.0 * limit)).max_by(f64::total_cmp),
    }
}

/// The margin of one round: the target's time less that of its references. Without references it is the most that the margin can be.
pub fn margin(round: &[Timed], against: Against, limit: f64) -> Score {
    let (target, references) = round.split_first()?;
    let own = par2(target, limit)?;
    match references.is_empty() {
        true => Some(own),
        false => Some(own - reference(references, against, limit)?),
    }
}

/// The mean margin of some rounds; nothing if one of them has none.
pub fn score(rounds: &[Vec<Timed>], against: Against, limit: f64) -> Score {
    let margins = rounds.iter().map(|r| margin(r, against, limit)).collect::<Option<Vec<f64>>>()?;
    (!margins.is_empty()).then(|| margins.iter().sum::<f64>() / margins.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_solver::Status;
    use smelt_triage::TargetId;

    fn timed(who: usize, answer: &'static str, seconds: f64) -> Timed {
        let decided = match answer {
            "sat" => Some(Status::Sat),
            "unsat" => Some(Status::Unsat),
            _ => None,
        };
        Timed { who: TargetId(who), answer, decided, seconds }
    }

    /// The paper's example (section 4.1): S1 needs 1000, timeout, 100; S2 50, 30, 10; S3 100, 1000, 1; the limit is 2500.
    #[test]
    fn the_papers_margin() {
        let runs = [
            [Some(1000.0), Some(50.0), Some(100.0)],
            [None, Some(30.0), Some(1000.0)],
            [Some(100.0), Some(10.0), Some(1.0)],
        ];
        let round = |times: &[Option<f64>; 3]| -> Vec<Timed> {
            let one = |(i, t): (usize, &Option<f64>)| match t {
                Some(t) => timed(i, "sat", *t),
                None => timed(i, "timeout", 2500.0),
            };
            times.iter().enumerate().map(one).collect()
        };
        let sum = |against| -> f64 {
            runs.iter().map(|r| margin(&round(r), against, 2500.0).unwrap()).sum()
        };
        assert_eq!(sum(Against::Slowest), 900.0 + 4000.0 + 90.0);
        assert_eq!(sum(Against::Fastest), 950.0 + 4970.0 + 99.0);
        let sums = |who: usize| -> f64 {
            runs.iter().map(|r| par2(&round(r)[who], 2500.0).unwrap()).sum()
        };
        assert_eq!([sums(0), sums(1), sums(2)], [6100.0, 90.0, 1101.0]);
    }

    /// Both sides are doubled at a timeout; who gives up, crashes or refuses has no score.
    #[test]
    fn what_has_a_score() {
        let check = |round: &[(&'static str, f64)], against, expect: Score| {
            let runs: Vec<Timed> =
                round.iter().enumerate().map(|(i, (a, s))| timed(i, a, *s)).collect();
            assert_eq!(margin(&runs, against, 1.0), expect, "{round:?}");
        };
        let (fastest, slowest) = (Against::Fastest, Against::Slowest);
        check(&[("timeout", 1.0), ("timeout", 1.0)], fastest, Some(0.0));
        check(&[("timeout", 1.0), ("unsat", 0.25)], fastest, Some(1.75));
        for none in ["unknown", "crash", "rejected", "out-of-memory", "wall-timeout", "delta-sat"] {
            check(&[(none, 0.9), ("sat", 0.25)], fastest, None);
            check(&[("timeout", 1.0), (none, 0.25)], fastest, None);
            check(&[("timeout", 1.0), (none, 0.1), ("sat", 0.5)], fastest, Some(1.5));
            check(&[("timeout", 1.0), (none, 0.1), ("sat", 0.5)], slowest, Some(0.0));
            check(&[("timeout", 1.0), (none, 0.1)], slowest, None);
        }
        // Of a target that cannot be better nobody else is asked.
        check(&[("sat", 0.25)], fastest, Some(0.25));
        let twice = [vec![timed(0, "timeout", 1.0)], vec![timed(0, "sat", 0.5)]];
        assert_eq!(score(&twice, fastest, 1.0), Some(1.25));
        assert_eq!(score(&[vec![timed(0, "unknown", 1.0)], twice[0].clone()], fastest, 1.0), None);
        assert_eq!(score(&[], fastest, 1.0), None);
    }
}
