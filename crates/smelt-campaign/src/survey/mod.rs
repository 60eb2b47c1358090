//! Many queries, several solvers: who decides what, in which time, and who is wrong (`smelt check FOLDER --solver …`).
//!
//! Every pair of a query and a solver is a run in a fresh process; threads share the runs, not the queries, so that nobody waits for who
//! works on the last query. What a run gave is in the [`Store`] at once: whatever ends the process, the next one goes on behind it.

mod desk;
pub mod slower;
pub mod store;
pub mod total;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::{Error, Result};
use serde::Serialize;
use smelt_smtlib::ParseOptions;
use smelt_solver::Cancel;
use smelt_trial::Panel;
use smelt_trial::opinion::Question;
use smelt_trial::opinion::judged::Judged;

use self::desk::Desk;
use self::slower::{Pair, Slower};
pub use self::store::Store;
use crate::seed_files::SeedFile;

/// What is asked of whom.
pub struct Survey<'a> {
    /// The queries.
    pub files: &'a [SeedFile],
    /// The solvers.
    pub panel: &'a Panel,
    /// How the queries are read.
    pub options: &'a ParseOptions,
    /// CPU time of a run.
    pub limit: Duration,
    /// Threads.
    pub jobs: usize,
    /// Where runs are kept.
    pub store: &'a Store,
    /// Ends the survey.
    pub cancel: &'a Cancel,
}

/// One query, with what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The path, or the name of an embedded seed.
    pub name: String,
    /// Digest of its text.
    pub hash: String,
    /// What solvers said of it; or why it cannot be read.
    pub judged: Result<Judged, String>,
}

/// What whoever watches is told.
pub enum Told<'a> {
    /// So many of the runs are done.
    Progress {
        /// Runs that are done.
        done: usize,
        /// All runs.
        all: usize,
    },
    /// A query is done, and all before it.
    Row(&'a Row),
}

/// What a survey has given.
pub struct Outcome {
    /// The queries that are done, in order.
    pub rows: Vec<Row>,
    /// Who is slower than whom.
    pub slower: Vec<Slower>,
    /// Whether all queries are done.
    pub complete: bool,
}

/// How often whoever watches is told how things stand.
const TICK: Duration = Duration::from_millis(100);

impl Survey<'_> {
    /// Asks all solvers for all queries, in so many threads; then those again of which one seems to be slower than another, to know
    /// whether it is.
    pub fn run(&self, watch: &mut dyn FnMut(Told<'_>) -> Result<()>) -> Result<Outcome> {
        let mut rows = self.ask(watch)?;
        let complete = rows.iter().all(Option::is_some);
        let rows: Vec<Row> = rows.drain(..).flatten().collect();
        let pairs = if complete { slower::pairs(self.panel) } else { Vec::new() };
        let times = self.time_again(&rows, &pairs, watch)?;
        let limit = self.limit.as_secs_f64();
        let slower = pairs.iter().map(|&p| Slower::of(p, &rows, &times, limit)).collect();
        Ok(Outcome { rows, slower, complete: complete && !self.cancel.is_cancelled() })
    }

    /// All queries to all solvers; those that are not done are missing.
    fn ask(&self, watch: &mut dyn FnMut(Told<'_>) -> Result<()>) -> Result<Vec<Option<Row>>> {
        let desk = Desk::new(self);
        let mut rows: Vec<Option<Row>> = self.files.iter().map(|_| None).collect();
        let mut told = 0;
        in_threads((self.jobs, self.cancel), |send| desk.work(send), &mut |done| {
            if let Some((at, row)) = done {
                rows[at] = Some(row);
            }
            while let Some(Some(row)) = rows.get(told) {
                told += 1;
                watch(Told::Row(row))?;
            }
            watch(Told::Progress { done: desk.done(), all: desk.all() })
        })?;
        Ok(rows)
    }

    /// Times those runs again by which one solver seems to be slower than another.
    fn time_again(
        &self,
        rows: &[Row],
        pairs: &[Pair],
        watch: &mut dyn FnMut(Told<'_>) -> Result<()>,
    ) -> Result<slower::Times> {
        let wanted = slower::candidates(rows, pairs, self.limit.as_secs_f64());
        let mut times = slower::Times::new();
        let (next, mut done, all) = (AtomicUsize::new(0), 0, wanted.len() * slower::ROUNDS);
        in_threads(
            (self.jobs, self.cancel),
            |send| loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= all || self.cancel.is_cancelled() {
                    return;
                }
                let (row, who) = wanted[i / slower::ROUNDS];
                let round = 1 + i % slower::ROUNDS;
                let timed = desk::time(self, (row, &rows[row]), who, round);
                if send.send(timed.map(|t| ((row, who), t))).is_err() {
                    return;
                }
            },
            &mut |timed| {
                if let Some((of, Some(seconds))) = timed {
                    times.entry(of).or_default().push(seconds);
                    done += 1;
                }
                watch(Told::Progress { done, all })
            },
        )?;
        Ok(times)
    }

    /// The question about a text.
    fn question<'q>(&'q self, text: &'q [u8]) -> Question<'q> {
        let Self { options, panel, cancel, .. } = *self;
        Question { text, options, panel, cpu: self.limit, cancel }
    }
}

/// Lets threads work, and takes what they send as long as there is something; `None` is sent by the clock. The first error ends all.
pub(crate) fn in_threads<T: Send>(
    (jobs, cancel): (usize, &Cancel),
    work: impl Fn(&Sender<Result<T>>) + Sync,
    take: &mut dyn FnMut(Option<T>) -> Result<()>,
) -> Result<()> {
    let (send, receive) = channel::<Result<T>>();
    let work = &work;
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let send = send.clone();
            scope.spawn(move || work(&send));
        }
        drop(send);
        let mut failure: Option<Error> = None;
        loop {
            let taken = match receive.recv_timeout(TICK) {
                Ok(Ok(one)) => take(Some(one)),
                Ok(Err(e)) => Err(e),
                Err(RecvTimeoutError::Timeout) => take(None),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let (Err(e), None) = (taken, &failure) {
                failure = Some(e);
                cancel.cancel();
            }
        }
        failure.map_or(Ok(()), Err)
    })
}

impl Row {
    /// What solvers said of it, if it could be read.
    pub fn judged(&self) -> Option<&Judged> {
        self.judged.as_ref().ok()
    }
}
