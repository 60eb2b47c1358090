//! What is tried next: a search over instances, by the scores of those before.

mod climb;
mod evolution;
mod pairs;
mod random;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::agent::{AGENTS, Agent, Counts};
use super::instance::Instance;
use super::language::Language;
use super::stream::Streams;

/// What an instance is worth: the higher the better. `None`: it has no score, as where a solver gives up, crashes or refuses it.
pub type Score = Option<f64>;

/// How an instance was made of an earlier one of its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The step of the instance that was changed.
    pub parent: u32,
    /// Which construct was put into it, by its place in the language.
    pub construct: usize,
    /// At which place: the number of the construct that it replaces.
    pub place: usize,
}

/// An instance to be tried.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The instance.
    pub instance: Instance,
    /// How it was made; `None` for a fresh one.
    pub change: Option<Change>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// Instances on which a solver is slow: a score is a time.
    #[default]
    Performance,
    /// Instances that show a bug: a score is 1 for these, 0 for the others.
    Bugs,
}

/// When a search is content, and when it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What scores mean.
    pub objective: Objective,
    /// A position is over at this score.
    pub enough: f64,
    /// A score is better only if it is so much better: what is less is noise.
    pub least: f64,
    /// After so many changes in a row that are no better, a new instance is begun with.
    pub patience: u32,
}

impl Settings {
    /// Restarts at 0.99 of the most, or after 60 changes that are no better by a hundredth of half the most.
    pub fn of_most(most: f64) -> Self {
        let objective = Objective::Performance;
        Self { objective, enough: 0.99 * most, least: most / 200.0, patience: 60 }
    }

    /// Of bugs there are never enough, and a score has no noise.
    pub fn of_bugs() -> Self {
        let objective = Objective::Bugs;
        Self { objective, enough: f64::INFINITY, least: 0.0, patience: u32::MAX }
    }
}

/// A search in one position of the schedule.
pub trait Search: Send {
    /// What is tried in this step.
    fn next(&mut self, step: u32, ground: &Ground<'_>) -> Trial;
    /// What it has to beat to be of use; `None` if any score is.
    fn bar(&self) -> Score;
    /// What came of the last one: whether that is a reward for its construct.
    fn learn(&mut self, score: Score) -> bool;
}

/// What a search works with.
pub struct Ground<'a> {
    /// What instances are made of.
    pub language: &'a Language,
    /// What constructs have earned.
    pub counts: &'a Counts,
    /// Randomness of the position.
    pub streams: Streams,
    /// When it is content.
    pub settings: &'a Settings,
}

impl Ground<'_> {
    fn fresh(&self, step: u32) -> Trial {
        let instance = self.language.generate(&mut self.streams.growth(step));
        Trial { instance, change: None }
    }

    /// An instance of an earlier step, changed as an agent likes; a fresh one where nothing can be changed.
    fn changed(&self, step: u32, (parent, of): (u32, &Instance), agent: &dyn Agent) -> Trial {
        let mut random: ChaCha8Rng = self.streams.choice(step);
        let possible = self.language.possible(of);
        if possible.is_empty() {
            return self.fresh(step);
        }
        let construct = agent.choose(self.counts, &possible, &mut random);
        let places = self.language.places(of, construct);
        let place = places[rand::RngExt::random_range(&mut random, 0..places.len())];
        let mut growth = self.streams.growth(step);
        let instance = self.language.mutate(of, construct, place, &mut growth);
        Trial { instance, change: Some(Change { parent, construct, place }) }
    }
}

/// A method: an agent, or a search without one.
pub struct Method {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The agent by which constructs are chosen, and ranked.
    pub agent: &'static dyn Agent,
    /// The search for slowness, and the one for bugs.
    begin: [Begin; 2],
}

/// How a search is begun.
type Begin = fn(&'static dyn Agent, Settings) -> Box<dyn Search>;

/// All methods. An agent climbs from instance to better instance, or changes new ones that show no bug.
pub const METHODS: &[Method] = &[
    by_agent(AGENTS[0], "thompson", "BanditFuzz: constructs by Thompson sampling"),
    by_agent(AGENTS[1], "ucb1", "BanditFuzz with UCB1"),
    by_agent(AGENTS[2], "epsilon", "BanditFuzz with an ε-greedy agent"),
    by_agent(AGENTS[3], "uniform", "mutational fuzzing: any construct"),
    alone("random", "random fuzzing: each instance is new", random::begin),
    alone("evolution", "evolutionary fuzzing: 10 instances, of which 4 survive", evolution::begin),
];

const fn by_agent(agent: &'static dyn Agent, name: &'static str, about: &'static str) -> Method {
    Method { name, about, agent, begin: [climb::begin, pairs::begin] }
}

const fn alone(name: &'static str, about: &'static str, begin: Begin) -> Method {
    Method { name, about, agent: AGENTS[3], begin: [begin, begin] }
}

impl Method {
    /// The method with this name; an error names those there are.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        METHODS.iter().find(|m| m.name == name).ok_or_else(|| {
            let all: Vec<&str> = METHODS.iter().map(|m| m.name).collect();
            format!("{name:?} is no method; there are {}", all.join(", "))
        })
    }

    /// A search in one position.
    pub fn search(&self, settings: Settings) -> Box<dyn Search> {
        let [slow, bugs] = self.begin;
        let begin = if settings.objective == Objective::Bugs { bugs } else { slow };
        begin(self.agent, settings)
    }
}
