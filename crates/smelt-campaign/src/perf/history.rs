//! Which release of a solver brought a slowness.

use anyhow::Result;
use smelt_smtlib::Script;
use smelt_triage::Says;
use smelt_trial::bisect;
use smelt_trial::lineup::Lineup;
use smelt_trial::{Resolver, Target};

use super::confirm::{Terms, is_slower};
use super::data::{History, Slow};
use super::measure::timed;

/// Seeds with which a release is run: what is twice as slow shows in a few.
const SEEDS: u32 = 3;

/// Looks for a slowness in as few releases as needed; the slow release and the fast one are asked first, if they are among them.
pub fn history(
    slow: &Slow,
    script: &Script,
    lineup: &Lineup,
    resolver: &Resolver<'_>,
    terms: Terms<'_>,
    known: &[String],
) -> Result<History> {
    let fast = slow.than.iter().sum::<f64>() / slow.than.len().max(1) as f64;
    let builds = &lineup.builds;
    let mut told: Vec<(usize, String)> = Vec::new();
    let first = known.iter().filter_map(|v| lineup.place(v).ok());
    let mut ask = |i: usize| -> Result<Says> {
        let (says, what) = match look(&builds[i].spec, script, resolver, terms)? {
            Err(why) => (Says::Open, why),
            Ok(mean) if is_slower(mean, fast) => (Says::Holds, format!("{mean:.3} s")),
            Ok(mean) => (Says::DoesNot, format!("{mean:.3} s")),
        };
        told.push((i, what));
        Ok(says)
    };
    // One at a time: what runs beside a solver changes its times.
    let found = bisect::History::search(builds.len(), first, 1, |places| {
        places.iter().map(|&i| ask(i)).collect()
    })?;
    told.sort_by_key(|(i, _)| *i);
    let name = |i: usize| builds[i].name.clone();
    Ok(History {
        releases: told.into_iter().map(|(i, what)| (name(i), what)).collect(),
        since: found.spans().iter().map(|s| (s.good.map(name), name(s.first))).collect(),
    })
}

/// The mean time of a release, or why it has none.
fn look(
    spec: &smelt_solver::SolverSpec,
    script: &Script,
    resolver: &Resolver<'_>,
    terms: Terms<'_>,
) -> Result<Result<f64, String>> {
    let target = match resolver.one(spec) {
        Ok(solver) => Target::ready(solver),
        Err(e) => return Ok(Err(format!("{e:#}"))),
    };
    let target = match target {
        Ok(target) => target,
        Err(why) => return Ok(Err(why)),
    };
    let mut sum = 0.0;
    for seed in 1..=SEEDS {
        let run = timed(&target, script, seed, terms.limit, terms.cancel)?;
        if run.decided.is_none() && run.answer != "timeout" {
            return Ok(Err(run.answer.to_owned()));
        }
        sum += run.seconds;
    }
    Ok(Ok(sum / f64::from(SEEDS)))
}
