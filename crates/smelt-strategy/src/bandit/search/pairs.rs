//! The paper's algorithm 2: a random instance, and if it shows no bug, the same one with a change, whose construct is rewarded if it shows one.

use super::{Agent, Ground, Score, Search, Settings, Trial};
use crate::bandit::instance::Instance;

struct Pairs {
    agent: &'static dyn Agent,
    /// The random instance without a bug that is to be changed, with its step.
    sound: Option<(u32, Instance)>,
    tried: Option<(u32, Trial)>,
}

pub(super) fn begin(agent: &'static dyn Agent, _: Settings) -> Box<dyn Search> {
    Box::new(Pairs { agent, sound: None, tried: None })
}

impl Search for Pairs {
    fn next(&mut self, step: u32, ground: &Ground<'_>) -> Trial {
        let trial = match self.sound.take() {
            Some((parent, of)) => ground.changed(step, (parent, &of), self.agent),
            None => ground.fresh(step),
        };
        self.tried = Some((step, trial.clone()));
        trial
    }

    /// Any bug counts.
    fn bar(&self) -> Score {
        None
    }

    fn learn(&mut self, score: Score) -> bool {
        let Some((step, trial)) = self.tried.take() else { return false };
        let shows = score.is_some_and(|s| s > 0.0);
        let is_change = trial.change.is_some();
        if !is_change && !shows {
            self.sound = Some((step, trial.instance));
        }
        shows && is_change
    }
}
