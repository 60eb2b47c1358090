//! What the workers of a campaign share.

mod backoff;

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use smelt_solver::Cancel;
use smelt_triage::Class;

use self::backoff::Backoff;
use crate::control::Control;
use crate::event::Event;
use crate::folder::Folder;
use crate::journal::LeaseLine;
use crate::log::Log;
use crate::plan::{Config, Plan};
use crate::seedbank::Slot;
use crate::shelf::{Contents, Kept, Shelf, bug_key};
use crate::tally::Tally;

/// A campaign.
pub struct Campaign {
    /// What it is to do, and with what.
    pub plan: Plan,
    /// Where it keeps things.
    pub folder: Folder,
    /// Counters, what is told, and the end.
    pub control: Control,
    /// The seeds.
    pub slots: Vec<Slot>,
    /// Where every answer is noted, if that is wanted.
    pub log: Option<Log>,
    /// The number of this run in the journal.
    pub run: i64,
    /// Seconds of the run before this process.
    pub elapsed: f64,
    /// Position in the schedule.
    pub next: AtomicU64,
    looked_at: AtomicU64,
    refused: Mutex<HashMap<(usize, &'static str), u32>>,
    chains: Mutex<Vec<LeaseLine>>,
    backoff: Mutex<Backoff>,
}

/// A run that is gone on with.
pub struct Resumed {
    /// Its number in the journal.
    pub run: i64,
    /// What it was asked to do.
    pub config: Config,
    /// Seconds so far.
    pub elapsed: f64,
    /// What it has counted.
    pub tally: Tally,
}

impl Resumed {
    /// The last run of a folder.
    pub fn last(folder: &Folder) -> Result<Self> {
        let last =
            folder.journal.last_run()?.context("there is no run to resume in this folder")?;
        let config =
            serde_json::from_str(&last.config).context("the run to resume is of another smelt")?;
        let tally = Tally::of_rows(&folder.journal.counts(last.run)?);
        Ok(Self { run: last.run, config, elapsed: last.elapsed, tally })
    }
}

impl Deref for Campaign {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        &self.plan
    }
}

impl Campaign {
    /// Begins a run in a folder, or goes on with one.
    pub fn begin(mut plan: Plan, folder: Folder, resumed: Option<Resumed>) -> Result<Self> {
        let config = serde_json::to_string(&plan.config)?;
        let journal = &folder.journal;
        let (run, elapsed, tally) = match resumed {
            Some(r) => {
                journal.change_run(r.run, &config)?;
                (r.run, r.elapsed, r.tally)
            }
            None => (journal.begin_run(&config)?, 0.0, Tally::default()),
        };
        let next = journal.next_chain(run)?;
        let control = Control::new(tally)?;
        for l in &plan.left_out {
            control.skip(l.kind.word());
            let _ = journal.skip(run, &l.path.display().to_string(), &l.why);
        }
        let slots = std::mem::take(&mut plan.seeds).into_iter().map(Slot::new).collect();
        Ok(Self {
            plan,
            folder,
            control,
            slots,
            log: None,
            run,
            elapsed,
            next: AtomicU64::new(next),
            looked_at: AtomicU64::new(0),
            refused: Mutex::default(),
            chains: Mutex::default(),
            backoff: Mutex::default(),
        })
    }

    /// The counters.
    pub fn stats(&self) -> MutexGuard<'_, Tally> {
        self.control.tally()
    }

    /// Ends waits for tests.
    pub fn cancel(&self) -> &Cancel {
        &self.control.cancel
    }

    /// Whether there are as many tests or findings as were asked for.
    pub fn is_spent(&self) -> bool {
        let stats = self.stats();
        self.config.tests.is_some_and(|n| stats.tests >= n)
            || self.config.findings.is_some_and(|n| stats.findings.values().sum::<u64>() >= n)
    }

    /// The next seed that nobody has looked at; each is given once. Their order is mixed, so that a folder's first files are
    /// not all that a short run sees.
    pub fn unseen(&self) -> Option<usize> {
        let n = self.looked_at.fetch_add(1, Ordering::Relaxed) as usize;
        let all = self.slots.len();
        // A step that shares no factor with the number of seeds visits each once.
        let gcd = |mut a: usize, mut b: usize| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let golden = all * 618 / 1000;
        let step = (golden.max(1)..).find(|&s| gcd(s, all) == 1)?;
        (n < all).then(|| (n * step + self.config.seed as usize % all) % all)
    }

    /// Journals a lease.
    pub fn journal(&self, line: LeaseLine) {
        self.chains.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Notes that a strategy made nothing of a seed.
    pub fn refuse(&self, slot: usize, strategy: &'static str) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        *refused.entry((slot, strategy)).or_insert(0) += 1;
    }

    /// Whether it did so again and again.
    pub fn is_refused(&self, slot: usize, strategy: &'static str) -> bool {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get(&(slot, strategy)).is_some_and(|n| *n >= 3)
    }

    /// Whether a suspicion of this kind is to be confirmed now; if not, it is counted.
    pub fn worth_trying(&self, kind: &str) -> bool {
        let worth = self.backoff.lock().unwrap_or_else(PoisonError::into_inner).look(kind);
        if !worth {
            self.stats().not_looked_at += 1;
        }
        worth
    }

    /// Notes that confirming a suspicion of this kind gave nothing new.
    pub fn in_vain(&self, kind: String) {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner).in_vain(kind);
    }

    /// Whether a bug was found before.
    pub fn is_known(&self, solver: &str, signature: &str) -> bool {
        !self.folder.shelf.wants(&bug_key(solver, signature))
    }

    /// Keeps a finding, if it is new; true if it is.
    pub fn keep(&self, contents: Contents) -> bool {
        let signature = contents.finding.signature.clone();
        let finding = match self.folder.shelf.keep(contents) {
            Kept::Known => {
                self.duplicate(&signature);
                return false;
            }
            Kept::New(finding) => {
                // The folder is the truth; the index can be made again.
                let _ = self.folder.journal.index(&finding);
                finding
            }
            Kept::Pending(finding, why) => {
                self.control.say(format!("smelt: {why}; it is kept in memory and tried again"));
                finding
            }
        };
        *self.stats().findings.entry(finding.class).or_insert(0) += 1;
        self.control.tell(Event::Found { finding });
        true
    }

    /// Counts a candidate that is known already.
    pub fn duplicate(&self, signature: &str) {
        self.stats().duplicates += 1;
        // A lost count is no loss.
        let _ = self.folder.journal.hit(signature);
    }

    /// Writes counters, journal, and findings that could not be written before.
    pub fn flush(&self, elapsed: f64, done: bool) -> Result<()> {
        for finding in self.folder.shelf.write_pending() {
            let _ = self.folder.journal.index(&finding);
        }
        let rows = self.stats().rows();
        let mut chains = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        self.folder.journal.flush(self.run, elapsed, done, &rows, &chains)?;
        chains.clear();
        Ok(())
    }

    /// Which class of accusations against whom this campaign is about.
    pub fn reports(&self, accused: usize, class: Class) -> bool {
        let slow = class.row().slow;
        self.config.policy().accuses(accused, self.targets.len(), class)
            && (!slow || self.config.performance)
    }
}
