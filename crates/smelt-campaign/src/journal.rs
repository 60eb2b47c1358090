//! The campaign's database, SQLite: statistics, the cache of seeds' answers, the journal of chains, the index of findings.
//!
//! The folders of findings are the truth: the index is rebuilt from them whenever a campaign is opened. Everything else may be
//! lost without losing a finding.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use crate::event::Snapshot;
use crate::finding::Finding;
use crate::sequence::Left;
use crate::tally::{Row, Tally};
use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OptionalExtension, params};

/// Version of the tables; a folder with another one is refused.
const SCHEMA: i64 = 1;

const TABLES: &str = "
create table meta (key text primary key, value text not null) without rowid;
create table answers (key text primary key, answer text not null, model text, cpu real not null) without rowid;
create table skipped (run integer not null, seed text not null, reason text not null);
create table chains (run integer not null, seq integer not null, worker integer not null, seed text not null,
    strategy text not null, chain integer not null, partners text not null, steps integer not null);
create table counts (run integer not null, kind text not null, name text not null, n real not null,
    primary key (run, kind, name)) without rowid;
create table findings (id text primary key, class text not null, grade text not null, solver text not null,
    signature text not null, found integer not null) without rowid;
create table hits (signature text primary key, n integer not null) without rowid;
create table runs (run integer primary key, config text not null, elapsed real not null, done integer not null);
";

/// Tables that folders of earlier versions lack, and get. `positions`: those of a run that are not finished, the ones that were begun,
/// divided by blanks, and the first that nobody has begun. `found`: which finding is of which run.
const LATER: &str = "
create table if not exists positions (run integer primary key, open text not null, next integer not null);
create table if not exists found (id text primary key, run integer not null) without rowid;
create table if not exists samples (run integer not null, at integer not null, elapsed real not null, tests integer not null);
";

/// Seconds between two samples of how a run goes on.
const SAMPLED: f64 = 5.0;

/// How a run stood at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Seconds since 1970.
    pub at: u64,
    /// Seconds of the run.
    pub elapsed: f64,
    /// Tests of the run.
    pub tests: u64,
}

/// The database of a campaign folder.
pub struct Journal {
    db: Mutex<Connection>,
}

/// A run of the campaign, as the journal has it.
pub struct RunLine {
    /// Its number.
    pub run: i64,
    /// What it was asked to do.
    pub config: String,
    /// Seconds so far.
    pub elapsed: f64,
}

/// A journal line: the cases of one position in the schedule.
pub struct LeaseLine {
    /// Position in the schedule.
    pub seq: u64,
    /// Which worker.
    pub worker: usize,
    /// Digest of the seed.
    pub seed: String,
    /// The strategy.
    pub strategy: &'static str,
    /// Digests of the partners.
    pub partners: String,
    /// Steps that were made.
    pub steps: u32,
}

impl Journal {
    /// The name of the file in the campaign's folder.
    pub const FILE: &str = "smelt.db";

    /// Opens the database of a folder, or makes it.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(Self::FILE);
        let db =
            Connection::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
        db.busy_timeout(std::time::Duration::from_secs(10))?;
        db.pragma_update(None, "journal_mode", "wal").with_context(|| {
            format!("cannot use {} (findings can be read without it)", path.display())
        })?;
        db.pragma_update(None, "synchronous", "normal")?;
        let version: i64 = db.pragma_query_value(None, "user_version", |r| r.get(0))?;
        match version {
            0 => {
                let make = format!("begin; {TABLES} pragma user_version = {SCHEMA}; commit;");
                db.execute_batch(&make)
                    .with_context(|| format!("cannot fill {}", path.display()))?;
            }
            SCHEMA => {}
            other => bail!(
                "{} has tables of version {other}, this smelt uses {SCHEMA}: use another folder",
                path.display()
            ),
        }
        db.execute_batch(LATER).with_context(|| format!("cannot fill {}", path.display()))?;
        Ok(Self { db: Mutex::new(db) })
    }

    fn db(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.db.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Begins a run and gives its number.
    pub fn begin_run(&self, config: &str) -> Result<i64> {
        let db = self.db();
        db.execute("insert into runs (config, elapsed, done) values (?1, 0, 0)", [config])?;
        Ok(db.last_insert_rowid())
    }

    /// Changes the configuration of a run.
    pub fn change_run(&self, run: i64, config: &str) -> Result<()> {
        self.db().execute("update runs set config = ?2 where run = ?1", params![run, config])?;
        Ok(())
    }

    /// The last run.
    pub fn last_run(&self) -> Result<Option<RunLine>> {
        let sql = "select run, config, elapsed from runs order by run desc limit 1";
        let line = |r: &rusqlite::Row<'_>| {
            Ok(RunLine { run: r.get(0)?, config: r.get(1)?, elapsed: r.get(2)? })
        };
        Ok(self.db().query_row(sql, [], line).optional()?)
    }

    /// The counters of a run.
    pub fn counts(&self, run: i64) -> Result<Vec<Row>> {
        let db = self.db();
        let mut q = db.prepare("select kind, name, n from counts where run = ?1")?;
        let rows = q.query_map([run], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The positions of a run that are not finished. Of a run of an earlier smelt it is known which was the last one.
    pub fn left(&self, run: i64) -> Result<Left> {
        let db = self.db();
        let sql = "select open, next from positions where run = ?1";
        let row = db.query_row(sql, [run], |r| Ok((r.get::<_, String>(0)?, r.get::<_, i64>(1)?)));
        if let Some((open, next)) = row.optional()? {
            let open = open.split_whitespace().map(str::parse).collect::<Result<_, _>>();
            let open = open.context("the journal is damaged: no list of positions")?;
            return Ok(Left { open, next: next as u64 });
        }
        let last: Option<i64> =
            db.query_row("select max(seq) from chains where run = ?1", [run], |r| r.get(0))?;
        Ok(Left { open: Vec::new(), next: last.map_or(0, |n| n as u64 + 1) })
    }

    /// Writes counters, chains, the time of a run (and whether it has ended), and what is left of its positions in one
    /// transaction: whatever ends the process, those whose chains are written are those that are finished.
    pub fn flush(
        &self,
        run: i64,
        (elapsed, done): (f64, bool),
        counts: &[Row],
        chains: &[LeaseLine],
        left: Option<&Left>,
    ) -> Result<()> {
        let mut db = self.db();
        let t = db.transaction()?;
        {
            let mut put = t.prepare_cached(
                "insert into counts values (?1, ?2, ?3, ?4) on conflict do update set n = excluded.n",
            )?;
            for (kind, name, n) in counts {
                put.execute(params![run, kind, name, n])?;
            }
            let mut put =
                t.prepare_cached("insert into chains values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
            for c in chains {
                let seq = c.seq as i64;
                put.execute(params![
                    run,
                    seq,
                    c.worker as i64,
                    c.seed,
                    c.strategy,
                    seq,
                    c.partners,
                    c.steps
                ])?;
            }
            if let Some(Left { open, next }) = left {
                let open: Vec<String> = open.iter().map(u64::to_string).collect();
                t.execute(
                    "insert or replace into positions values (?1, ?2, ?3)",
                    params![run, open.join(" "), *next as i64],
                )?;
            }
            let tests = counts.iter().find(|(kind, name, _)| kind == "total" && name == "tests");
            if let Some((_, _, tests)) = tests {
                t.execute(
                    "insert into samples select ?1, unixepoch(), ?2, ?3 where ?4 or not exists
                        (select 1 from samples where run = ?1 and elapsed > ?2 - ?5)",
                    params![run, elapsed, *tests as i64, done, SAMPLED],
                )?;
            }
            t.execute(
                "update runs set elapsed = ?2, done = ?3 where run = ?1",
                params![run, elapsed, done],
            )?;
        }
        Ok(t.commit()?)
    }

    /// Forgets the counters of a run.
    pub fn forget_counts(&self, run: i64) -> Result<()> {
        self.db().execute("delete from counts where run = ?1", [run])?;
        Ok(())
    }

    /// Notes that a finding is of a run.
    pub fn note_found(&self, run: i64, id: &str) -> Result<()> {
        self.db().execute("insert or replace into found values (?1, ?2)", params![id, run])?;
        Ok(())
    }

    /// Which finding is of which run, as far as that is noted.
    pub fn found(&self) -> Result<BTreeMap<String, i64>> {
        let db = self.db();
        let mut q = db.prepare("select id, run from found")?;
        let rows = q.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Forgets which seeds are not used: each process looks at them anew.
    pub fn forget_skipped(&self, run: i64) -> Result<()> {
        self.db().execute("delete from skipped where run = ?1", [run])?;
        Ok(())
    }

    /// The seeds of the last run that are not used, each with the reason.
    pub fn skipped(&self) -> Result<Vec<(String, String)>> {
        let db = self.db();
        let sql = "select distinct seed, reason from skipped where run = (select max(run) from runs) order by seed";
        let mut q = db.prepare(sql)?;
        let rows = q.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How a run went on.
    pub fn samples(&self, run: i64) -> Result<Vec<Sample>> {
        let db = self.db();
        let sql = "select at, elapsed, tests from samples where run = ?1 order by elapsed";
        let mut q = db.prepare(sql)?;
        let sample = |r: &rusqlite::Row<'_>| {
            let (at, tests) = (r.get::<_, i64>(0)? as u64, r.get::<_, i64>(2)? as u64);
            Ok(Sample { at, elapsed: r.get(1)?, tests })
        };
        let rows = q.query_map([run], sample)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps how a run stands, for who looks at the folder.
    pub fn put_snapshot(&self, run: i64, now: &Snapshot) -> Result<()> {
        let row = params![format!("snapshot {run}"), serde_json::to_string(now)?];
        self.db().execute("insert or replace into meta values (?1, ?2)", row)?;
        Ok(())
    }

    /// How a run stood at last. Where that was not kept (an earlier smelt, a merged folder), it is made of what was counted.
    pub fn snapshot(&self, run: &RunLine) -> Result<Snapshot> {
        let sql = "select value from meta where key = ?1";
        let key = [format!("snapshot {}", run.run)];
        let kept = self.db().query_row(sql, key, |r| r.get::<_, String>(0)).optional()?;
        if let Some(now) = kept.and_then(|text| serde_json::from_str(&text).ok()) {
            return Ok(now);
        }
        let counts = Tally::of_rows(&self.counts(run.run)?);
        Ok(Snapshot { elapsed_seconds: run.elapsed, counts, ..Snapshot::default() })
    }

    /// Puts other samples in the place of those of a run.
    pub fn put_samples(&self, run: i64, samples: &[Sample]) -> Result<()> {
        let mut db = self.db();
        let t = db.transaction()?;
        t.execute("delete from samples where run = ?1", [run])?;
        for s in samples {
            let row = params![run, s.at as i64, s.elapsed, s.tests as i64];
            t.execute("insert into samples values (?1, ?2, ?3, ?4)", row)?;
        }
        Ok(t.commit()?)
    }

    /// Notes that a seed is not used.
    pub fn skip(&self, run: i64, seed: &str, reason: &str) -> Result<()> {
        self.db().execute("insert into skipped values (?1, ?2, ?3)", params![run, seed, reason])?;
        Ok(())
    }

    /// What a solver answered to a seed before: answer, model, CPU seconds.
    pub fn answer(&self, key: &str) -> Result<Option<(String, Option<String>, f64)>> {
        let db = self.db();
        let mut q = db.prepare_cached("select answer, model, cpu from answers where key = ?1")?;
        Ok(q.query_row([key], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?))).optional()?)
    }

    /// Remembers it.
    pub fn put_answer(&self, key: &str, answer: &str, model: Option<&str>, cpu: f64) -> Result<()> {
        self.db().execute(
            "insert or replace into answers values (?1, ?2, ?3, ?4)",
            params![key, answer, model, cpu],
        )?;
        Ok(())
    }

    /// Adds a finding to the index.
    pub fn index(&self, f: &Finding) -> Result<()> {
        self.db().execute(
            "insert or replace into findings values (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                f.id,
                f.class().word(),
                f.verdict().grade.to_string(),
                f.accused.label,
                f.signature,
                f.found as i64
            ],
        )?;
        Ok(())
    }

    /// Makes the index say just what the folders say.
    pub fn rebuild(&self, findings: &[Finding]) -> Result<()> {
        self.db().execute("delete from findings", [])?;
        findings.iter().try_for_each(|f| self.index(f))
    }

    /// Counts one more candidate with a signature that is known already.
    pub fn hit(&self, signature: &str) -> Result<()> {
        self.db().execute(
            "insert into hits values (?1, 1) on conflict do update set n = n + 1",
            [signature],
        )?;
        Ok(())
    }
}
