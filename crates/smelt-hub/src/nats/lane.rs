//! A thread of a worker: its positions come from leases, and what was made of them goes to the hub before a lease is given up.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use smelt_campaign::control::Control;
use smelt_campaign::finding::Finding;
use smelt_campaign::journal::LeaseLine;
use smelt_campaign::sequence::Sequence;
use smelt_campaign::shelf::{Contents, Folders, Kept, Shelf, bug_key};
use smelt_campaign::tally::Tally;
use smelt_case::digest;

use super::link::Link;
use super::names::{Names, Stream};
use super::outbox::Outbox;
use super::queue::{Delivery, Queue};
use super::wire::{BLOCK, Block, Line, Record, Results, read};

/// How long a lease is asked for at a time.
const ASK: Duration = Duration::from_secs(2);
/// Bytes of records that are sent together.
const TOGETHER: usize = 600_000;
/// How long a worker that leaves tries to say what it has done: whatever it cannot say is done again by others.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// What all threads of a worker share.
pub struct Shared<'a> {
    /// The connection.
    pub link: &'a Link,
    /// The campaign.
    pub names: &'a Names,
    /// Who it is.
    pub worker: &'a str,
    /// Positions that were finished and told.
    pub positions: AtomicU64,
    /// Tests of these.
    pub tests: AtomicU64,
    /// Numbers of messages.
    pub messages: AtomicU64,
    /// A number of this process: messages of an earlier one have other ids.
    pub process: u64,
}

/// The positions of a thread.
pub struct Lane<'a> {
    shared: &'a Shared<'a>,
    queue: Queue<'a>,
    /// What the thread counts, for the position that it is at.
    control: &'a Control,
    state: Mutex<State>,
    lease: Mutex<Option<Delivery<'a>>>,
}

#[derive(Default)]
struct State {
    /// Positions of the lease that were not begun, the next one last.
    left: Vec<u64>,
    /// Those that are not finished.
    open: BTreeSet<u64>,
    /// What was made of those that are.
    done: Vec<Record>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Lane<'a> {
    /// A thread that counts in `control`, and in nothing else.
    pub fn new(shared: &'a Shared<'a>, control: &'a Control) -> Self {
        let queue = shared.link.queue(shared.names, Stream::Leases);
        Self { shared, queue, control, state: Mutex::default(), lease: Mutex::default() }
    }

    /// Says that the lease is worked on.
    pub fn go_on(&self) {
        if let Some(lease) = &*lock(&self.lease) {
            lease.go_on();
        }
    }

    /// Tells what was made of the positions that are finished, and gives up the lease: it is done, or somebody else's. Only when the
    /// server has stored the one, it hears of the other.
    pub fn settle(&self) {
        let mut state = lock(&self.state);
        let done = std::mem::take(&mut state.done);
        let whole = state.open.is_empty();
        *state = State::default();
        drop(state);
        let told = self.tell(done);
        let Some(lease) = lock(&self.lease).take() else { return };
        // What is not heard comes again, and is done again, and counts once.
        match told && whole {
            true => drop(lease.done()),
            false => lease.give_back(),
        }
    }

    /// Tells what was made of positions, until that is stored; false if it was not told before the end.
    fn tell(&self, done: Vec<Record>) -> bool {
        let mut pieces: Vec<(Vec<Record>, usize)> = Vec::new();
        for record in done {
            let bytes = serde_json::to_vec(&record).map_or(0, |json| json.len());
            match pieces.last_mut().filter(|(_, size)| size + bytes < TOGETHER) {
                Some((piece, size)) => {
                    piece.push(record);
                    *size += bytes;
                }
                None => pieces.push((vec![record], bytes)),
            }
        }
        pieces.into_iter().all(|(piece, _)| self.tell_piece(piece))
    }

    fn tell_piece(&self, all: Vec<Record>) -> bool {
        let Shared { link, names, worker, process, messages, .. } = self.shared;
        let n = messages.fetch_add(1, Ordering::Relaxed);
        let id = format!("{worker}-{process:x}-{n}");
        let (count, tests) = (all.len() as u64, all.iter().map(|r| r.tally.total.tests).sum());
        let Ok(payload) = serde_json::to_vec(&Results { all }) else { return false };
        let mut end = None;
        loop {
            if link.store(names.done(worker), &id, payload.clone()).is_ok() {
                self.shared.positions.fetch_add(count, Ordering::Relaxed);
                self.shared.tests.fetch_add(tests, Ordering::Relaxed);
                return true;
            }
            if self.control.stopped()
                && Instant::now() > *end.get_or_insert_with(|| Instant::now() + LAST_WORDS)
            {
                return false;
            }
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    /// Takes a lease; false if there is none now.
    fn take(&self) -> bool {
        let taken = self.queue.take(1, ASK);
        let Ok(taken) = taken else {
            std::thread::sleep(Duration::from_millis(500));
            return false;
        };
        let Some(lease) = taken.into_iter().next() else { return false };
        let block = read::<Block>(lease.payload());
        let Some(block) = block.ok().filter(|b| b.positions.len() <= BLOCK) else {
            lease.drop_it();
            return false;
        };
        let mut state = lock(&self.state);
        state.open = block.positions.iter().copied().collect();
        state.left = state.open.iter().rev().copied().collect();
        drop(state);
        *lock(&self.lease) = Some(lease);
        true
    }
}

impl Sequence for Lane<'_> {
    fn next(&self) -> Option<u64> {
        // What was counted for a position that was not finished is counted by who finishes it; what is wrong with smelt is told all the same.
        let mut tally = self.control.tally();
        let (faults, panics) = (tally.total.faults, tally.total.panics);
        *tally = Tally::default();
        (tally.total.faults, tally.total.panics) = (faults, panics);
        drop(tally);
        loop {
            if let Some(seq) = lock(&self.state).left.pop() {
                return Some(seq);
            }
            self.settle();
            while !self.take() {
                if self.control.stopped() {
                    return None;
                }
            }
        }
    }

    fn finish(&self, seq: u64, made: Option<&LeaseLine>) {
        let tally = std::mem::take(&mut *self.control.tally());
        let mut state = lock(&self.state);
        if state.open.remove(&seq) {
            state.done.push(Record { seq, line: made.map(Line::of), tally });
        }
    }
}

/// The findings of a worker: what it keeps is in the outbox first.
pub struct Sending<'a> {
    /// Its own folder of findings.
    pub own: &'a Folders,
    /// What the hub does not have.
    pub outbox: &'a Outbox,
    /// Digests of what the hub knows bugs by; nothing if nobody may learn from others.
    pub known: &'a Mutex<BTreeSet<String>>,
    /// Findings that could not be put into the outbox, with the reason.
    pub lost: &'a Mutex<Vec<String>>,
}

impl Shelf for Sending<'_> {
    fn wants(&self, bug: &str) -> bool {
        self.own.wants(bug) && !lock(self.known).contains(&digest(bug.as_bytes()))
    }

    fn keep(&self, contents: Contents) -> Kept {
        let f = &contents.finding;
        if !self.wants(&bug_key(&f.accused.label, &f.signature)) {
            return Kept::Known;
        }
        if let Err(e) = self.outbox.put(&contents) {
            lock(self.lost).push(format!("{} cannot be sent: {e:#}", f.id));
        }
        self.own.keep(contents)
    }

    fn write_pending(&self) -> Vec<Finding> {
        self.own.write_pending()
    }

    fn note(&self, kind: &str, name: &str, text: &str) {
        self.own.note(kind, name, text);
    }
}
