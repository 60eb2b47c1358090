//! The paper's algorithm 1: an instance is changed again and again, and what is better takes its place.

use super::{Agent, Ground, Score, Search, Settings, Trial};
use crate::bandit::instance::Instance;

struct Climb {
    agent: &'static dyn Agent,
    settings: Settings,
    /// The best since the last new beginning, with its step.
    best: Option<(u32, Instance, f64)>,
    tried: Option<(u32, Trial)>,
    /// Changes in a row that were no better.
    in_vain: u32,
}

pub(super) fn begin(agent: &'static dyn Agent, settings: Settings) -> Box<dyn Search> {
    Box::new(Climb { agent, settings, best: None, tried: None, in_vain: 0 })
}

impl Search for Climb {
    fn next(&mut self, step: u32, ground: &Ground<'_>) -> Trial {
        let trial = match &self.best {
            None => ground.fresh(step),
            Some((parent, of, _)) => ground.changed(step, (*parent, of), self.agent),
        };
        self.tried = Some((step, trial.clone()));
        trial
    }

    fn bar(&self) -> Score {
        self.best.as_ref().map(|(.., score)| score + self.settings.least)
    }

    fn learn(&mut self, score: Score) -> bool {
        let bar = self.bar();
        let Some((step, trial)) = self.tried.take() else { return false };
        let better = score.filter(|s| bar.is_none_or(|bar| *s > bar));
        match better {
            Some(score) => {
                self.best = Some((step, trial.instance, score));
                self.in_vain = 0;
            }
            None => self.in_vain += 1,
        }
        if self.in_vain >= self.settings.patience {
            (self.best, self.in_vain) = (None, 0);
        }
        better.is_some() && trial.change.is_some()
    }
}
