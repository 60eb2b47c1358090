//! Whether a solver is slower than another one whatever the seeds of their randomness are: developers accept averages only.

use std::time::Duration;

use smelt_smtlib::Script;
use smelt_solver::{Cancel, RunError};
use smelt_trial::Target;

use super::data::Slow;
use super::measure::timed;
use super::score::{FACTOR, LEAST};
use crate::evolve::statistics::rank_sum;
use crate::source::Timed;

/// Seeds of the solvers: from 1 to this.
pub const SEEDS: u32 = 10;

/// How likely a difference may be by chance.
const CHANCE: f64 = 0.01;

/// How times are taken.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// CPU time of a run.
    pub limit: Duration,
    /// Ends every wait.
    pub cancel: &'a Cancel,
}

/// The times of one solver by seed.
pub struct Times {
    /// CPU seconds.
    pub seconds: Vec<f64>,
    /// Runs that ended at the limit.
    pub timeouts: u64,
    /// A run that gave no answer at all.
    pub without: Option<&'static str>,
    /// What was answered.
    decided: Option<smelt_solver::Status>,
}

impl Times {
    /// No run yet.
    fn new() -> Self {
        Self { seconds: Vec::new(), timeouts: 0, without: None, decided: None }
    }

    fn add(&mut self, run: &Timed) {
        self.seconds.push(run.seconds);
        match (run.decided, run.answer) {
            (Some(status), _) => self.decided = Some(status),
            (None, "timeout") => self.timeouts += 1,
            (None, answer) => self.without = Some(answer),
        }
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len().max(1) as f64
    }
}

/// Both solvers, in turn, with seeds from 1 to so many. Who gives no answer is not asked again.
pub fn times(
    [slow, fast]: [&Target; 2],
    script: &Script,
    seeds: u32,
    terms: Terms<'_>,
) -> Result<[Times; 2], RunError> {
    let mut all = [Times::new(), Times::new()];
    for seed in 1..=seeds {
        for (target, times) in [fast, slow].into_iter().zip([1, 0]) {
            all[times].add(&timed(target, script, seed, terms.limit, terms.cancel)?);
        }
        if all.iter().any(|t| t.without.is_some()) {
            break;
        }
    }
    Ok(all)
}

/// Whether times are slower than others by so much that somebody feels it.
pub fn is_slower(slow: f64, fast: f64) -> bool {
    slow >= FACTOR * fast && slow >= fast + LEAST
}

/// Runs both solvers with all seeds.
pub fn confirm(
    [slow, fast]: [&Target; 2],
    script: &Script,
    file: &str,
    terms: Terms<'_>,
) -> Result<Slow, RunError> {
    let [own, than] = times([slow, fast], script, SEEDS, terms)?;
    let open = match (own.without, than.without, than.timeouts) {
        (Some(answer), ..) => Some(format!("{} answers {answer}", slow.label)),
        (_, Some(answer), _) => Some(format!("{} answers {answer}", fast.label)),
        (.., n) if n > 0 => Some(format!("{} ran into the limit with {n} seeds", fast.label)),
        _ if own.decided.is_some() && own.decided != than.decided => {
            Some(format!("{} and {} contradict each other", slow.label, fast.label))
        }
        _ => None,
    };
    let (mean, p) = (than.mean(), rank_sum(&own.seconds, &than.seconds));
    Ok(Slow {
        file: file.to_owned(),
        target: slow.label.clone(),
        reference: fast.label.clone(),
        timeouts: own.timeouts,
        // Milliseconds are the start of a process.
        factor: own.mean() / mean.max(0.001),
        p,
        confirmed: open.is_none() && is_slower(own.mean(), mean) && p <= CHANCE,
        seconds: own.seconds,
        than: than.seconds,
        open,
        history: None,
        smaller: None,
    })
}
