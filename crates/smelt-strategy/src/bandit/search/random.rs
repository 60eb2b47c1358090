//! Random fuzzing: each instance is new.

use super::{Agent, Ground, Score, Search, Settings, Trial};

struct Random {
    best: Score,
}

pub(super) fn begin(_: &'static dyn Agent, _: Settings) -> Box<dyn Search> {
    Box::new(Random { best: None })
}

impl Search for Random {
    fn next(&mut self, step: u32, ground: &Ground<'_>) -> Trial {
        ground.fresh(step)
    }

    /// What is not the best of its position is of no use.
    fn bar(&self) -> Score {
        self.best
    }

    fn learn(&mut self, score: Score) -> bool {
        if score > self.best {
            self.best = score;
        }
        false
    }
}
