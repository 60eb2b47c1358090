//! The paper's algorithm 1: an instance is changed again and again, and what is better takes its place. It begins with a random instance that
//! has a score above zero, or with the best of five: where all solvers run into the limit, changes lead nowhere.

use super::{Agent, Ground, Score, Search, Settings, Trial};
use crate::bandit::instance::Instance;

/// Random instances, one of which is begun with.
const BEGINNINGS: u32 = 5;

struct Climb {
    agent: &'static dyn Agent,
    settings: Settings,
    /// The best since the last new beginning, with its step.
    best: Option<(u32, Instance, f64)>,
    tried: Option<(u32, Trial)>,
    /// Random instances with a score since the last new beginning.
    begun: u32,
    /// Changes in a row that were no better.
    in_vain: u32,
}

pub(super) fn begin(agent: &'static dyn Agent, settings: Settings) -> Box<dyn Search> {
    Box::new(Climb { agent, settings, best: None, tried: None, begun: 0, in_vain: 0 })
}

impl Search for Climb {
    fn next(&mut self, step: u32, ground: &Ground<'_>) -> Trial {
        let ready = |score: f64| score > 0.0 || self.begun >= BEGINNINGS;
        let trial = match &self.best {
            Some((parent, of, score)) if ready(*score) => {
                ground.changed(step, (*parent, of), self.agent)
            }
            _ => ground.fresh(step),
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
        let is_change = trial.change.is_some();
        let better = score.filter(|s| bar.is_none_or(|bar| *s > bar));
        if let Some(score) = better {
            self.best = Some((step, trial.instance, score));
        }
        match is_change {
            false => self.begun += u32::from(score.is_some()),
            true if better.is_some() => self.in_vain = 0,
            true => self.in_vain += 1,
        }
        if self.in_vain >= self.settings.patience {
            (self.best, self.begun, self.in_vain) = (None, 0, 0);
        }
        better.is_some() && is_change
    }
}
