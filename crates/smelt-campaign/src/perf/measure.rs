//! Times that can be trusted on a busy machine: CPU time of fresh processes without their start, and further rounds with other seeds of the
//! solvers before an improvement is believed.

use std::time::Duration;

use smelt_smtlib::Script;
use smelt_solver::{Answer, Cancel, Limit, Limits, Mode, RunError};
use smelt_strategy::bandit::Score;
use smelt_trial::{Panel, Target};

use super::score::{self, Against};
use crate::evolve::data::WALL;
use crate::source::{Done, Timed};

/// Of a busy machine a process may get so small a share, and has to wait so long, before its run says nothing. CPU time is what counts: the
/// usual backstop of wall time, four times the limit and a second, ends most long runs where twenty processes want two cores.
const BUSY: u32 = 40;
const PATIENCE: Duration = Duration::from_secs(20);

/// How scripts are timed.
pub struct Measure<'a> {
    /// The target and its references, in this order.
    pub panel: &'a Panel,
    /// CPU time of a run.
    pub limit: Duration,
    /// Which reference counts.
    pub against: Against,
    /// Rounds that must bear out an improvement.
    pub repeat: u32,
    /// Ends every wait.
    pub cancel: &'a Cancel,
}

impl Measure<'_> {
    /// Times an instance. If its score seems to be above the bar, it is timed in further rounds.
    pub fn case(&self, script: &Script, bar: Score) -> Result<Done, RunError> {
        let mut done = Done { timed: vec![self.round(script, 0, bar)?], ..Done::default() };
        let seems_better = |done: &Done| {
            let score = score::score(&done.timed, self.against, self.limit.as_secs_f64());
            score.is_some_and(|s| bar.is_none_or(|bar| s > bar))
        };
        // Where there is nothing to beat, any score will do to begin with.
        for seed in 1..=if bar.is_some() { self.repeat } else { 0 } {
            if !seems_better(&done) {
                break;
            }
            done.timed.push(self.round(script, seed, None)?);
        }
        let runs = || done.timed.iter().flatten();
        done.cpu = runs().map(|r| r.seconds).sum();
        done.decided = runs().any(|r| r.decided.is_some());
        Ok(done)
    }

    /// One round with a seed of the solvers; 0 is their own. The references are not asked if the target is not above the bar.
    fn round(&self, script: &Script, seed: u32, bar: Score) -> Result<Vec<Timed>, RunError> {
        let limit = self.limit.as_secs_f64();
        let mut round = Vec::new();
        for target in self.panel.targets() {
            round.push(timed(target, script, seed, self.limit, self.cancel)?);
            let own = score::par2(&round[0], limit);
            if round.len() == 1 && own.is_none_or(|own| bar.is_some_and(|bar| own <= bar)) {
                break;
            }
        }
        Ok(round)
    }
}

/// One cold run of a solver on a script in its own words, with a seed of its own randomness; 0 is the one it has by itself.
pub fn timed(
    target: &Target,
    script: &Script,
    seed: u32,
    limit: Duration,
    cancel: &Cancel,
) -> Result<Timed, RunError> {
    let options = if seed == 0 { Vec::new() } else { target.solver.profile().seeded(seed) };
    let mode = Mode { options, ..Mode::default() };
    let limits = Limits { wall: limit * BUSY + PATIENCE, ..target.limits(limit) };
    let outcome = target.run_within(&target.print(script, &mode), &mode, limits, cancel)?;
    let answer = match outcome.answer() {
        // A busy machine is not the solver's fault.
        Some(Answer::Timeout(Limit::Wall)) => WALL,
        Some(answer) => answer.kind(),
        None => "nothing",
    };
    Ok(Timed {
        who: target.id(),
        answer,
        decided: outcome.answer().and_then(Answer::decided),
        seconds: outcome.cpu.as_secs_f64(),
    })
}
