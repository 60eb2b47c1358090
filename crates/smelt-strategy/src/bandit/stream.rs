//! Randomness by place: what a step of a position is made of does not depend on what was tried elsewhere.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::instance::Instance;
use super::language::Language;
use super::search::Change;

/// The streams of one position of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    /// The seed of all randomness.
    pub seed: u64,
    /// The position.
    pub seq: u64,
}

/// Steps of a position have their numbers in so many bits.
const STEP_BITS: u32 = 24;

impl Streams {
    /// What grows in a step.
    pub fn growth(self, step: u32) -> ChaCha8Rng {
        self.stream(self.seed, step)
    }

    /// What is chosen in a step: the journal says it, so that it need not be made again.
    pub fn choice(self, step: u32) -> ChaCha8Rng {
        self.stream(!self.seed, step)
    }

    fn stream(self, seed: u64, step: u32) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(self.seq << STEP_BITS | u64::from(step));
        random
    }
}

/// The instance of a step, made again from what the journal says of this step and those before it: how each was changed, by steps. `None`
/// if a step is lacking, or cannot be made in this language.
pub fn remake(
    language: &Language,
    streams: Streams,
    changes: &[(u32, Option<Change>)],
    step: u32,
) -> Option<Instance> {
    // From the step to the fresh instance that it comes from.
    let mut chain = Vec::new();
    let mut at = step;
    loop {
        let (_, change) = changes.iter().find(|(s, _)| *s == at)?;
        let Some(change) = change else { break };
        let known = change.construct < language.constructs().len();
        if change.parent >= at || !known {
            return None;
        }
        chain.push((at, change.clone()));
        at = change.parent;
    }
    let mut instance = language.generate(&mut streams.growth(at));
    for (step, change) in chain.into_iter().rev() {
        if !language.places(&instance, change.construct).contains(&change.place) {
            return None;
        }
        let mut random = streams.growth(step);
        instance = language.mutate(&instance, change.construct, change.place, &mut random);
    }
    Some(instance)
}
