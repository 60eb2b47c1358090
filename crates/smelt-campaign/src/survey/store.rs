//! What solvers said to queries: the journal behind `smelt check FOLDER`, SQLite. A release that is added later costs its own runs only.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OptionalExtension, params};
use smelt_case::digest;
use smelt_solver::{Answer, Limit, Outcome};
use smelt_trial::opinion::Run;
use smelt_trial::opinion::judged::{Judged, Said};
use smelt_trial::{Panel, Target};

use crate::folder;

/// Version of the tables and of what they mean; a file with another one is refused.
const SCHEMA: i64 = 1;

/// `runs`: a line per query, solver, limit and round. `answers` and `models` have a word for each check, divided by blanks; `verdict` has
/// the classes of fault that the solver was found guilty of; `outcome` is all that is needed to judge the run again.
/// `judgements`: what followed from the runs of one panel.
const TABLES: &str = "
create table runs (query text not null, target text not null, millis integer not null, round integer not null,
    solver text not null, answers text not null, models text not null, cpu real not null, start real not null,
    verdict text not null default '', outcome text, primary key (query, target, millis, round)) without rowid;
create table judgements (query text not null, panel text not null, millis integer not null, judged text not null,
    primary key (query, panel, millis)) without rowid;
";

/// The journal of a survey, and of an evolution.
pub struct Store {
    db: Mutex<Connection>,
    /// Held as long as the folder is used.
    _lock: Option<std::fs::File>,
}

/// Which run is meant.
#[derive(Clone, Copy)]
pub struct Key<'a> {
    /// Digest of the query's text.
    pub query: &'a str,
    /// Which solver, see [`target_key`].
    pub target: &'a str,
    /// CPU limit of the run.
    pub limit: Duration,
    /// 0, or the number of a further run that was made for its time.
    pub round: u32,
}

/// What a solver is known by in the journal: its binary, its options, its memory and its walls, and whether scripts are filtered before
/// they are sent.
pub fn target_key(target: &Target) -> String {
    let solver = &target.solver;
    let trusts = if solver.trusts_scripts() { "trusts" } else { "" };
    let within = format!("{:?} {:?}", solver.memory(), solver.walls());
    let all = [solver.hash(), trusts, &within].into_iter();
    let all = all.chain(solver.args().iter().map(String::as_str));
    digest(all.collect::<Vec<_>>().join("\0").as_bytes())
}

/// What a panel is known by in the journal, with how queries are read: what follows from answers is a matter of both, and of smelt.
pub fn panel_key(panel: &Panel, reading: &str) -> String {
    let targets = panel.targets().iter().map(|t| format!("{} {}", target_key(t), t.label));
    let all = [this_build(), reading.to_owned()].into_iter().chain(targets);
    digest(all.collect::<Vec<_>>().join("\0").as_bytes())
}

/// What this build of smelt is known by: another one may judge otherwise.
fn this_build() -> String {
    let built = std::env::current_exe().and_then(std::fs::metadata);
    let built = built.and_then(|m| Ok((m.len(), m.modified()?)));
    format!("{} {built:?}", env!("CARGO_PKG_VERSION"))
}

/// Whether the clock ended a run in which the solver had hardly had its time: the machine was busy, and another run may say more.
fn was_kept_waiting(outcome: &Outcome, limit: Duration) -> bool {
    let by_clock = outcome.answers().any(|a| matches!(a, Answer::Timeout(Limit::Wall)));
    by_clock && outcome.cpu < limit / 2
}

impl Store {
    /// Opens the journal of a folder, or makes it. Nobody else may be at work there.
    pub fn open(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path)
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        folder::check_entries(path)?;
        let lock = folder::lock(path)?;
        let file = path.join("survey.db");
        let open = || -> Result<Connection> {
            let db = Connection::open(&file)?;
            db.pragma_update(None, "journal_mode", "wal")?;
            db.pragma_update(None, "synchronous", "normal")?;
            fill(&db)?;
            Ok(db)
        };
        let db = open().with_context(|| format!("cannot use {}", file.display()))?;
        Ok(Self { db: Mutex::new(db), _lock: Some(lock) })
    }

    /// A journal that nobody will read again.
    pub fn forgetful() -> Result<Self> {
        let db = Connection::open_in_memory()?;
        fill(&db)?;
        Ok(Self { db: Mutex::new(db), _lock: None })
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What came of a run.
    pub fn outcome(&self, key: Key<'_>) -> Result<Option<Outcome>> {
        let db = self.db();
        let sql = "select outcome from runs where query = ?1 and target = ?2 and millis = ?3 and round = ?4";
        let mut select = db.prepare_cached(sql)?;
        let text: Option<Option<String>> = select.query_row(named(key), |r| r.get(0)).optional()?;
        // What another smelt has written may lack something: then the solver is asked again.
        Ok(text.flatten().and_then(|t| serde_json::from_str(&t).ok()))
    }

    /// Whether a run was made.
    pub fn has(&self, key: Key<'_>) -> Result<bool> {
        let db = self.db();
        let sql =
            "select 1 from runs where query = ?1 and target = ?2 and millis = ?3 and round = ?4";
        Ok(db.prepare_cached(sql)?.exists(named(key))?)
    }

    /// CPU seconds of a run, the start taken off.
    pub fn seconds(&self, key: Key<'_>) -> Result<Option<f64>> {
        let db = self.db();
        let sql =
            "select cpu from runs where query = ?1 and target = ?2 and millis = ?3 and round = ?4";
        Ok(db.prepare_cached(sql)?.query_row(named(key), |r| r.get(0)).optional()?)
    }

    /// Keeps what came of a run. One that smelt could not make, that somebody else ended, or that waited for a busy machine until the
    /// clock ended it, says nothing, and is made again.
    pub fn keep(&self, key: Key<'_>, run: &Run) -> Result<()> {
        let says = |o: &&Outcome| !o.ended_from_outside() && !was_kept_waiting(o, key.limit);
        let Some(outcome) = run.outcome.as_ref().ok().filter(says) else {
            return Ok(());
        };
        let said: Vec<Said> = run.seen.iter().map(Said::from).collect();
        let word = |s: &Said| match (&s.model, s.true_model) {
            (None, _) => "-",
            (Some(_), true) => "true",
            (Some(text), false) if text.starts_with("FALSE") => "false",
            _ => "open",
        };
        let answers: Vec<&str> = said.iter().map(|s| &*s.answer).collect();
        let models: Vec<&str> = said.iter().map(word).collect();
        // What was printed is in the answers and models already.
        let lean = Outcome { stdout: String::new(), stderr: String::new(), ..outcome.clone() };
        let db = self.db();
        let mut insert = db.prepare_cached(
            "insert or replace into runs values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, '', ?10)",
        )?;
        let written = insert.execute(params![
            key.query,
            key.target,
            millis(key.limit),
            key.round,
            run.solver,
            answers.join(" "),
            models.join(" "),
            outcome.cpu.as_secs_f64(),
            outcome.overhead_cpu.as_secs_f64(),
            serde_json::to_string(&lean)?,
        ]);
        written.with_context(|| not_written(&db))?;
        Ok(())
    }

    /// What followed from the runs of a panel, if they were judged.
    pub fn judged(&self, query: &str, panel: &str, limit: Duration) -> Result<Option<Judged>> {
        let db = self.db();
        let sql = "select judged from judgements where query = ?1 and panel = ?2 and millis = ?3";
        let mut select = db.prepare_cached(sql)?;
        let text: Option<String> =
            select.query_row(params![query, panel, millis(limit)], |r| r.get(0)).optional()?;
        Ok(text.and_then(|t| serde_json::from_str(&t).ok()))
    }

    /// Keeps what follows from the runs of a panel, whose solvers have these keys. Who could not be run is asked again next time.
    pub fn keep_judged(
        &self,
        (query, panel, limit): (&str, &str, Duration),
        targets: &[String],
        judged: &Judged,
    ) -> Result<()> {
        if judged.runs.iter().any(|r| r.fault.is_some()) {
            return Ok(());
        }
        let mut db = self.db();
        let not_written = not_written(&db);
        let t = db.transaction()?;
        t.execute(
            "insert or replace into judgements values (?1, ?2, ?3, ?4)",
            params![query, panel, millis(limit), serde_json::to_string(judged)?],
        )?;
        for (who, target) in targets.iter().enumerate() {
            let guilty = judged.diagnoses.iter().filter(|d| d.who.0 == who && d.is_reportable());
            let words: Vec<&str> = guilty.map(|d| d.class.word()).collect();
            t.execute(
                "update runs set verdict = ?4 where query = ?1 and target = ?2 and millis = ?3",
                params![query, target, millis(limit), words.join(" ")],
            )?;
        }
        t.commit().context(not_written)
    }
}

/// What is said before the reason, a full disk for example.
fn not_written(db: &Connection) -> String {
    format!("cannot write to {}", db.path().unwrap_or("the journal"))
}

fn fill(db: &Connection) -> Result<()> {
    db.busy_timeout(Duration::from_secs(10))?;
    match db.pragma_query_value(None, "user_version", |r| r.get::<_, i64>(0))? {
        0 => {
            let make = format!("begin; {TABLES} pragma user_version = {SCHEMA}; commit;");
            Ok(db.execute_batch(&make)?)
        }
        SCHEMA => Ok(()),
        other => bail!("it has tables of version {other}, this smelt uses {SCHEMA}"),
    }
}

fn named(key: Key<'_>) -> impl rusqlite::Params {
    (key.query.to_owned(), key.target.to_owned(), millis(key.limit), key.round)
}

fn millis(limit: Duration) -> i64 {
    i64::try_from(limit.as_millis()).unwrap_or(i64::MAX)
}
