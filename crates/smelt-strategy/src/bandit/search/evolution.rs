//! Evolutionary fuzzing: ten instances to begin with; the four best survive, each has a mutant, and new random ones fill the ranks up to ten. A
//! mutant that is better than what it was made of takes its place.

use super::{Agent, Ground, Score, Search, Settings, Trial};
use crate::bandit::instance::Instance;

/// Instances of a generation.
const POPULATION: usize = 10;
/// … of which so many survive.
const SURVIVORS: usize = 4;

/// An instance with its score.
struct Member {
    step: u32,
    instance: Instance,
    score: f64,
}

struct Evolution {
    agent: &'static dyn Agent,
    settings: Settings,
    members: Vec<Member>,
    /// How many of this generation were tried.
    tried: usize,
    /// Members that had their mutants in this generation.
    parents: usize,
    last: Option<(u32, Trial)>,
}

pub(super) fn begin(agent: &'static dyn Agent, settings: Settings) -> Box<dyn Search> {
    let (members, last) = (Vec::new(), None);
    Box::new(Evolution { agent, settings, members, tried: 0, parents: 0, last })
}

impl Evolution {
    /// The best survive, and a generation begins.
    fn select(&mut self) {
        self.members.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.step.cmp(&b.step)));
        self.members.truncate(SURVIVORS);
        (self.tried, self.parents) = (0, self.members.len());
    }
}

impl Search for Evolution {
    fn next(&mut self, step: u32, ground: &Ground<'_>) -> Trial {
        if self.tried == POPULATION {
            self.select();
        }
        // A survivor is known by its step: a better mutant may have taken the place of another.
        let parent = (self.tried < self.parents).then(|| &self.members[self.tried]);
        let trial = match parent {
            Some(m) => ground.changed(step, (m.step, &m.instance), self.agent),
            None => ground.fresh(step),
        };
        self.tried += 1;
        self.last = Some((step, trial.clone()));
        trial
    }

    /// What is worse than all survivors would not survive.
    fn bar(&self) -> Score {
        let least = self.members.iter().map(|m| m.score).min_by(f64::total_cmp);
        least.filter(|_| self.members.len() >= SURVIVORS)
    }

    fn learn(&mut self, score: Score) -> bool {
        let Some((step, trial)) = self.last.take() else { return false };
        let Some(score) = score else { return false };
        let of = trial.change.as_ref().map(|c| c.parent);
        let member = Member { step, instance: trial.instance, score };
        let parent = self.members.iter().position(|m| Some(m.step) == of);
        match parent {
            Some(at) if score > self.members[at].score + self.settings.least => {
                self.members[at] = member;
                true
            }
            _ => {
                self.members.push(member);
                false
            }
        }
    }
}
