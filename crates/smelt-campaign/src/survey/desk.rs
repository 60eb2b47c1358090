//! The runs of a survey, as threads take them: whoever makes the last run of a query judges it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use smelt_case::digest;
use smelt_trial::opinion::Run;
use smelt_trial::opinion::judged::Judged;

use super::store::{Key, panel_key, target_key};
use super::{Row, Survey};
use crate::reader;

/// What is done and what is left.
pub(super) struct Desk<'a> {
    survey: &'a Survey<'a>,
    /// What solvers are known by in the journal.
    targets: Vec<String>,
    panel: String,
    next: AtomicUsize,
    done: AtomicUsize,
    slots: Vec<Mutex<Slot>>,
}

/// A query.
enum Slot {
    /// Nobody has looked at it.
    New,
    /// Its solvers are being asked.
    Open(Arc<Text>, Vec<Option<Run>>),
    /// It is done, or cannot be done.
    Closed,
}

struct Text {
    bytes: Vec<u8>,
    hash: String,
}

impl<'a> Desk<'a> {
    pub fn new(survey: &'a Survey<'a>) -> Self {
        Self {
            survey,
            targets: survey.panel.targets().iter().map(target_key).collect(),
            panel: panel_key(survey.panel, &format!("{:?}", survey.options)),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            slots: survey.files.iter().map(|_| Mutex::new(Slot::New)).collect(),
        }
    }

    /// How many runs are done.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// How many runs there are.
    pub fn all(&self) -> usize {
        self.slots.len() * self.targets.len()
    }

    /// Makes runs until there are none left; queries that are done are sent with their places.
    pub fn work(&self, send: &Sender<Result<(usize, Row)>>) {
        while !self.survey.cancel.is_cancelled() {
            let run = self.next.fetch_add(1, Ordering::Relaxed);
            if run >= self.all() {
                return;
            }
            let (query, who) = (run / self.targets.len(), run % self.targets.len());
            let made = catch_unwind(AssertUnwindSafe(|| self.make(query, who)));
            // A defect of smelt costs a query, not the survey.
            let row = made.unwrap_or_else(|_| {
                *self.slot(query) = Slot::Closed;
                Ok(Some(self.unread(query, "smelt itself failed on it")))
            });
            self.done.fetch_add(1, Ordering::Relaxed);
            if let Some(row) = row.transpose()
                && send.send(row.map(|r| (query, r))).is_err()
            {
                return;
            }
        }
    }

    fn slot(&self, query: usize) -> MutexGuard<'_, Slot> {
        self.slots[query].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes one run; the query with what came of it, if it was its last one.
    fn make(&self, query: usize, who: usize) -> Result<Option<Row>> {
        let text = match self.begin(query)? {
            Begun::Done(row) => return Ok(row),
            Begun::Open(text) => text,
        };
        let target = &self.survey.panel.targets()[who];
        let (survey, store) = (self.survey, self.survey.store);
        let (hash, limit) = (text.hash.as_str(), survey.limit);
        let key = Key { query: hash, target: &self.targets[who], limit, round: 0 };
        let question = survey.question(&text.bytes);
        let run = match store.outcome(key)? {
            Some(outcome) => question.recall(target, outcome),
            None => {
                let run = question.run(target);
                if survey.cancel.is_cancelled() {
                    return Ok(None);
                }
                store.keep(key, &run)?;
                run
            }
        };
        let Some(runs) = self.put(query, who, run) else { return Ok(None) };
        let judged = Judged::from(&question.judge(runs));
        if survey.cancel.is_cancelled() {
            return Ok(None);
        }
        store.keep_judged((hash, &self.panel, limit), &self.targets, &judged)?;
        let name = survey.files[query].name();
        Ok(Some(Row { name, hash: text.hash.clone(), judged: Ok(judged) }))
    }

    /// The text of a query that is to be run; or the query, if it was judged before or cannot be read.
    fn begin(&self, query: usize) -> Result<Begun> {
        let mut slot = self.slot(query);
        match &*slot {
            Slot::Open(text, _) => return Ok(Begun::Open(text.clone())),
            Slot::Closed => return Ok(Begun::Done(None)),
            Slot::New => {}
        }
        *slot = Slot::Closed;
        let file = &self.survey.files[query];
        let bytes = match file.read(reader::MOST) {
            Ok(bytes) => bytes,
            Err(e) => return Ok(Begun::Done(Some(self.unread(query, &format!("{e:#}"))))),
        };
        let (name, hash) = (file.name(), digest(&bytes));
        if let Some(judged) = self.survey.store.judged(&hash, &self.panel, self.survey.limit)? {
            return Ok(Begun::Done(Some(Row { name, hash, judged: Ok(judged) })));
        }
        let text = Arc::new(Text { bytes, hash });
        *slot = Slot::Open(text.clone(), self.targets.iter().map(|_| None).collect());
        Ok(Begun::Open(text))
    }

    /// Takes a run; all of the query, if it was the last one.
    fn put(&self, query: usize, who: usize, run: Run) -> Option<Vec<Run>> {
        let mut slot = self.slot(query);
        let Slot::Open(_, runs) = &mut *slot else { return None };
        runs[who] = Some(run);
        if runs.iter().any(Option::is_none) {
            return None;
        }
        let all = runs.drain(..).flatten().collect();
        *slot = Slot::Closed;
        Some(all)
    }

    fn unread(&self, query: usize, why: &str) -> Row {
        let name = self.survey.files[query].name();
        Row { judged: Err(format!("cannot read {name}: {why}")), name, hash: String::new() }
    }
}

enum Begun {
    /// Its solvers are to be asked for this.
    Open(Arc<Text>),
    /// There is nothing to do, but for telling this.
    Done(Option<Row>),
}

/// CPU seconds of a further run of a solver on a query, the start taken off; `None` if there was none.
pub(super) fn time(
    survey: &Survey<'_>,
    (file, row): (usize, &Row),
    who: usize,
    round: usize,
) -> Result<Option<f64>> {
    let target = &survey.panel.targets()[who];
    let round = u32::try_from(round).unwrap_or(u32::MAX);
    let name = target_key(target);
    let key = Key { query: &row.hash, target: &name, limit: survey.limit, round };
    if let Some(seconds) = survey.store.seconds(key)? {
        return Ok(Some(seconds));
    }
    // A file that is another one now, or gone, is not timed.
    let text = survey.files[file].read(reader::MOST).unwrap_or_default();
    if digest(&text) != row.hash {
        return Ok(None);
    }
    let run = survey.question(&text).run(target);
    if survey.cancel.is_cancelled() {
        return Ok(None);
    }
    survey.store.keep(key, &run)?;
    Ok(run.outcome.ok().map(|o| o.cpu.as_secs_f64()))
}
