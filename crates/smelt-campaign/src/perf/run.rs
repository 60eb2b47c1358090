//! The positions of a run, as threads take them: of each position all methods in a row, so that what else the machine does is no matter of
//! one of them alone.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Result;
use smelt_solver::{Mode, RunError};
use smelt_strategy::bandit::{Counts, Method, Settings};
use smelt_triage::TargetId;
use smelt_trial::Target;
use smelt_trial::bench::Bench;

use super::measure::Measure;
use super::record::{self, Positions};
use super::{Far, Perf, score};
use crate::source::bandit::{Instances, Told};
use crate::source::{CaseSource, Done};
use crate::survey::in_threads;

/// A method with what its agent knows.
struct Player {
    method: &'static Method,
    counts: Mutex<Counts>,
}

/// Makes all positions that are not done; false if it was cut off.
pub(super) fn run(perf: &Perf<'_>, watch: &mut dyn FnMut(Far) -> Result<()>) -> Result<bool> {
    let asked = perf.asked;
    let known = perf.store.read()?;
    let players = players(perf, &known)?;
    let (own, of) = perf.shard;
    let positions = (0..asked.restarts).filter(|seq| seq % of == own);
    let all: Vec<(u64, &Player)> =
        positions.flat_map(|seq| players.iter().map(move |p| (seq, p))).collect();
    let is_open =
        |(seq, p): &&(u64, &Player)| !known.contains_key(&(p.method.name.to_owned(), *seq));
    let open: Vec<&(u64, &Player)> = all.iter().filter(is_open).collect();
    let most = all.len() as u64 * u64::from(asked.queries);
    let mut done = (all.len() - open.len()) as u64 * u64::from(asked.queries);
    let (next, cut) = (AtomicUsize::new(0), AtomicUsize::new(0));
    watch((done, most))?;
    in_threads(
        (perf.jobs, perf.cancel),
        |send| {
            while let Some((seq, player)) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let made = position(perf, *seq, player, &|| drop(send.send(Ok(1))));
                let rest = match made {
                    Ok(Some(steps)) => Ok(u64::from(asked.queries) - u64::from(steps)),
                    Ok(None) => {
                        cut.fetch_add(1, Ordering::Relaxed);
                        return;
                    }
                    Err(e) => Err(e),
                };
                if send.send(rest).is_err() {
                    return;
                }
            }
        },
        &mut |more| {
            done += more.unwrap_or(0);
            watch((done, most))
        },
    )?;
    Ok(cut.into_inner() == 0 && !perf.cancel.is_cancelled())
}

/// The methods, each with what it has learned in the positions that are done.
fn players(perf: &Perf<'_>, known: &Positions) -> Result<Vec<Player>> {
    let player = |method: &'static Method| {
        let own = known.iter().filter(|((m, _), _)| m == method.name).flat_map(|(_, steps)| steps);
        Player { method, counts: Mutex::new(record::counts(own, perf.language)) }
    };
    Ok(perf.asked.methods()?.into_iter().map(player).collect())
}

/// Makes one position; the number of its steps, or nothing if it was cut off.
fn position(
    perf: &Perf<'_>,
    seq: u64,
    player: &Player,
    stepped: &(dyn Fn() + Sync),
) -> Result<Option<u32>> {
    let Perf { asked, panel, language, store, cancel, .. } = *perf;
    let who: Vec<(TargetId, Mode)> =
        panel.targets().iter().map(Target::id).map(|t| (t, Mode::default())).collect();
    let method = player.method.name;
    let failure = Mutex::new(None);
    let score = |done: &Done| score::score(&done.timed, asked.against, asked.limit);
    let tell = |told: Told<'_>| {
        if let Err(e) = store.step(method, &told, None, language)
            && let Ok(mut failure) = failure.lock()
        {
            *failure = Some(e);
        }
        stepped();
    };
    let settings = Settings { patience: asked.patience, ..Settings::of_most(2.0 * asked.limit) };
    let source = Instances {
        language,
        method: player.method,
        settings,
        counts: &player.counts,
        seed: asked.seed,
        queries: asked.queries,
        who: &who,
        limit: asked.limit(),
        score: &score,
        tell: &tell,
    };
    let (limit, against, repeat) = (asked.limit(), asked.against, asked.repeat);
    let measure = Measure { panel, limit, against, repeat, cancel };
    store.begin(method, seq)?;
    let mut bench = Bench::new(panel, false, cancel);
    let line = source.lease(seq, &mut bench, &mut |_, lease| {
        loop {
            let bar = lease.bar();
            let Some(case) = lease.next() else { return Ok(()) };
            if perf.until.is_some_and(|end| Instant::now() >= end) || cancel.is_cancelled() {
                return Err(RunError::Cancelled);
            }
            let done = measure.case(case.script, bar)?;
            lease.learn(&done);
        }
    });
    let failure = failure.into_inner().ok().flatten();
    match (line, failure) {
        (_, Some(e)) => Err(e),
        (Err(RunError::Cancelled), None) => Ok(None),
        (Err(e), None) => Err(e.into()),
        (Ok(line), None) => {
            store.end(method, seq)?;
            Ok(Some(line.map_or(0, |l| l.steps)))
        }
    }
}
