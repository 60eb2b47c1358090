//! Agents: which construct is put into an instance next, by what each has earned so far.

mod epsilon;
mod thompson;
mod ucb1;
mod uniform;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::beta;
use super::language::{Kind, Language};

/// What a construct has earned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How often it was tried.
    pub tried: u64,
    /// How often that was rewarded.
    pub rewards: u64,
}

impl Tally {
    /// The mean reward, as the posterior of an even prior has it: a half for what was never tried.
    pub fn mean(self) -> f64 {
        (self.rewards as f64 + 1.0) / (self.tried as f64 + 2.0)
    }
}

/// What each construct of a language has earned. It is all that an agent knows, so agents of several machines are merged by adding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts(pub Vec<Tally>);

impl Counts {
    /// Nothing was tried.
    pub fn new(constructs: usize) -> Self {
        Self(vec![Tally::default(); constructs])
    }

    /// Counts a try.
    pub fn learn(&mut self, construct: usize, rewarded: bool) {
        self.0[construct].tried += 1;
        self.0[construct].rewards += u64::from(rewarded);
    }

    /// Adds what another agent has learned in the same language.
    pub fn add(&mut self, other: &Self) {
        for (own, more) in self.0.iter_mut().zip(&other.0) {
            own.tried += more.tried;
            own.rewards += more.rewards;
        }
    }

    /// All tries.
    pub fn tried(&self) -> u64 {
        self.0.iter().map(|t| t.tried).sum()
    }
}

/// A way to choose.
pub trait Agent: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn about(&self) -> &'static str;
    /// One of some constructs, of which there is at least one.
    fn choose(&self, counts: &Counts, among: &[usize], random: &mut ChaCha8Rng) -> usize;
    /// Between which means a construct's true one lies, as the agent itself sees it.
    fn interval(&self, tally: Tally, of_all: u64) -> (f64, f64);
}

/// All agents.
pub const AGENTS: &[&dyn Agent] =
    &[&thompson::Thompson, &ucb1::Ucb1, &epsilon::Epsilon, &uniform::Uniform];

/// A construct with what it has earned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// The construct.
    pub construct: String,
    /// Of which kind.
    pub kind: Kind,
    /// What it has earned.
    #[serde(flatten)]
    pub tally: Tally,
    /// The mean reward.
    pub mean: f64,
    /// The agent's own interval for it.
    pub interval: (f64, f64),
}

/// The constructs, those with the highest means first; of equal ones the one that was tried more often.
pub fn ranking(language: &Language, counts: &Counts, agent: &dyn Agent) -> Vec<Ranked> {
    let all = counts.tried();
    let ranked = |(c, &tally): (&super::Construct, &Tally)| Ranked {
        construct: c.name.clone(),
        kind: c.kind,
        tally,
        mean: tally.mean(),
        interval: agent.interval(tally, all),
    };
    let mut ranking: Vec<Ranked> =
        language.constructs().iter().zip(&counts.0).map(ranked).collect();
    ranking.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(b.tally.tried.cmp(&a.tally.tried)));
    ranking
}

/// One of some constructs, each as likely.
fn any(among: &[usize], random: &mut ChaCha8Rng) -> usize {
    use rand::RngExt;
    among[random.random_range(0..among.len())]
}

/// The construct with the highest value; one of several by chance.
fn best(among: &[usize], random: &mut ChaCha8Rng, value: impl FnMut(&usize) -> f64) -> usize {
    let values: Vec<f64> = among.iter().map(value).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let highest: Vec<usize> =
        among.iter().zip(&values).filter(|(_, v)| **v >= most).map(|(i, _)| *i).collect();
    any(&highest, random)
}

/// The middle 95 % of the distribution of a mean, after an even prior.
fn posterior(tally: Tally) -> (f64, f64) {
    let p = parameters(tally);
    (beta::quantile(p, 0.025), beta::quantile(p, 0.975))
}

/// The parameters of that distribution: one more than the rewards, one more than the failures.
fn parameters(t: Tally) -> (f64, f64) {
    (t.rewards as f64 + 1.0, (t.tried - t.rewards) as f64 + 1.0)
}
