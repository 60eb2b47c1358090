//! Agents on a solver that is made up: its time depends on how often two constructs occur, so it is known which are to blame.

use super::agent::{Counts, ranking};
use super::language::Language;
use super::search::{Ground, Method, Settings};
use super::stream::Streams;

/// What slow constructs cost each time that they occur, as a share of what counts as the limit.
pub const PLANTED: [(&str, f64); 2] = [("fp.rem", 0.08), ("fp.sqrt", 0.08)];

/// Runs of an agent.
pub const RUNS: u64 = 20;

/// Changes of a run.
pub const CHANGES: usize = 1000;

/// What came of all runs of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Twenty {
    /// In how many of them both planted constructs are among the three that are ranked first.
    pub found: usize,
    /// Mean regret after each tenth of the changes: how many changes so far had another construct.
    pub regret: [f64; 10],
}

/// Runs the agent of this name; the language has the planted constructs.
pub fn twenty(language: &Language, agent: &str) -> Twenty {
    let method = Method::named(agent).unwrap_or_else(|e| unreachable!("{e}"));
    let mut all = Twenty { found: 0, regret: [0.0; 10] };
    for seed in 0..RUNS {
        let (counts, curve) = once(language, method, seed);
        let first = ranking(language, &counts, method.agent);
        let top: Vec<&str> = first.iter().take(3).map(|r| r.construct.as_str()).collect();
        all.found += usize::from(PLANTED.iter().all(|(p, _)| top.contains(p)));
        for (i, sum) in all.regret.iter_mut().enumerate() {
            *sum += curve[CHANGES / 10 * (i + 1) - 1] / RUNS as f64;
        }
    }
    all
}

/// One run: what constructs have earned, and the regret after each change.
fn once(language: &Language, method: &Method, seed: u64) -> (Counts, Vec<f64>) {
    let place = |name: &str| language.constructs().iter().position(|c| c.name == name);
    let planted: Vec<(usize, f64)> =
        PLANTED.iter().filter_map(|(name, cost)| Some((place(name)?, *cost))).collect();
    let settings = Settings { patience: 40, ..Settings::of_most(1.0) };
    let mut counts = Counts::new(language.constructs().len());
    let (mut regret, mut curve) = (0.0, Vec::new());
    for seq in 0.. {
        let mut search = method.search(settings);
        for step in 0..200 {
            let streams = Streams { seed, seq };
            let ground = Ground { language, counts: &counts, streams, settings: &settings };
            let trial = search.next(step, &ground);
            let often = language.occurrences(&trial.instance);
            let score = planted.iter().map(|&(i, cost)| often[i] as f64 * cost).sum::<f64>();
            let rewarded = search.learn(Some(score.min(1.0)));
            if let Some(change) = trial.change {
                counts.learn(change.construct, rewarded);
                let is_planted = planted.iter().any(|p| p.0 == change.construct);
                regret += f64::from(u8::from(!is_planted));
                curve.push(regret);
            }
            if curve.len() == CHANGES {
                return (counts, curve);
            }
            if score >= settings.enough {
                break;
            }
        }
    }
    unreachable!("positions have no end")
}
