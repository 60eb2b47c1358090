//! Answers that solvers have given before, by script: who is new is asked, the others are not asked again.
//!
//! They are kept in the user's data folder, for all runs. A solver is known by its binary and its options, a script by what was sent of it: a
//! new build is asked everything. Only whole answers are kept, `sat` with the model that was given, or `unsat`, without a complaint; and
//! nobody is accused of a remembered answer before a fresh process has repeated it.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, params};
use smelt_case::digest;
use smelt_solver::{Answer, Check, Mode, Outcome};
use smelt_trial::Target;

use crate::survey::store::target_key;

/// Version of what a line means; another one is another file.
const FILE: &str = "answers-1.db";

/// New answers wait until there are so many of them, and are written together.
const TOGETHER: usize = 512;

/// The answers.
pub struct Remembered {
    db: Mutex<Connection>,
    new: Mutex<Vec<(String, String)>>,
    /// By solver of the panel: what it is known by.
    targets: Vec<String>,
}

impl Remembered {
    /// Opens the file in a folder, or makes it, for these solvers.
    pub fn open(folder: &Path, targets: &[Target]) -> Result<Self> {
        let file = folder.join(FILE);
        let open = || -> rusqlite::Result<Connection> {
            let db = Connection::open(&file)?;
            db.busy_timeout(std::time::Duration::from_secs(10))?;
            db.pragma_update(None, "journal_mode", "wal")?;
            db.pragma_update(None, "synchronous", "normal")?;
            db.execute_batch(
                "create table if not exists answers (key text primary key, checks text not null) without rowid",
            )?;
            Ok(db)
        };
        let db = open().with_context(|| format!("cannot use {}", file.display()))?;
        let targets = targets.iter().map(target_key).collect();
        Ok(Self { db: Mutex::new(db), new: Mutex::default(), targets })
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a question is known by.
    pub fn key(&self, target: &Target, mode: &Mode, text: &str) -> String {
        let mode = serde_json::to_string(mode).unwrap_or_default();
        let solver = self.targets.get(target.id().0).map_or("", String::as_str);
        let mut key = digest(format!("{solver}\0{mode}\0{text}").as_bytes());
        key.truncate(32);
        key
    }

    /// The answer to a question, if it was given before.
    pub fn answer(&self, key: &str) -> Option<Outcome> {
        let db = self.db();
        let mut select = db.prepare_cached("select checks from answers where key = ?1").ok()?;
        let text: String = select.query_row([key], |r| r.get(0)).optional().ok()??;
        let checks: Vec<Kept> = serde_json::from_str(&text).ok()?;
        let checks = checks.into_iter().map(|(is_sat, model, core)| Check {
            model,
            core,
            ..Check::bare(if is_sat { Answer::Sat } else { Answer::Unsat })
        });
        Some(Outcome { checks: checks.collect(), ..Outcome::default() })
    }

    /// Keeps an answer that is whole; what cannot be written is asked again next time.
    pub fn keep(&self, key: String, outcome: &Outcome) {
        let Some(checks) = whole(outcome) else { return };
        let Ok(text) = serde_json::to_string(&checks) else { return };
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.push((key, text));
        if new.len() >= TOGETHER {
            let all = std::mem::take(&mut *new);
            drop(new);
            let _ = self.write(&all);
        }
    }

    fn write(&self, all: &[(String, String)]) -> rusqlite::Result<()> {
        let mut db = self.db();
        let together = db.transaction()?;
        for (key, checks) in all {
            let mut insert =
                together.prepare_cached("insert or replace into answers values (?1, ?2)")?;
            insert.execute(params![key, checks])?;
        }
        together.commit()
    }
}

impl Drop for Remembered {
    fn drop(&mut self) {
        let all = std::mem::take(self.new.get_mut().unwrap_or_else(PoisonError::into_inner));
        let _ = self.write(&all);
    }
}

/// What is kept of a check: whether it is satisfiable, the model, the core.
type Kept = (bool, Option<String>, Option<String>);

/// All of an outcome's checks, if each is decided and nothing else happened.
fn whole(outcome: &Outcome) -> Option<Vec<Kept>> {
    let is_odd = outcome.crash.is_some() || !outcome.errors.is_empty() || outcome.checks.is_empty();
    if is_odd || !outcome.unsent.is_empty() {
        return None;
    }
    let kept = |c: &Check| match (&c.answer, &c.complaint) {
        (Answer::Sat, None) => Some((true, c.model.clone(), c.core.clone())),
        (Answer::Unsat, None) => Some((false, c.model.clone(), c.core.clone())),
        _ => None,
    };
    outcome.checks.iter().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decided checks without any oddity are kept, and nothing else.
    #[test]
    fn what_is_kept() {
        let folder = std::env::temp_dir().join(format!("smelt-remembered-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let bare = |answers: &[Answer]| Outcome {
            checks: answers.iter().cloned().map(Check::bare).collect(),
            ..Outcome::default()
        };
        let model = Check { model: Some("(model)".into()), ..Check::bare(Answer::Sat) };
        let sat = Outcome { checks: vec![model.clone(), Check::bare(Answer::Unsat)], ..bare(&[]) };
        let complaint = Check { complaint: Some("no".into()), ..Check::bare(Answer::Unsat) };
        let all = [
            ("sat", sat.clone(), true),
            ("unknown", bare(&[Answer::Sat, Answer::Unknown(None)]), false),
            ("nothing", bare(&[]), false),
            ("error", Outcome { errors: vec!["no".into()], ..bare(&[Answer::Sat]) }, false),
            ("complaint", Outcome { checks: vec![complaint], ..bare(&[]) }, false),
        ];
        {
            let store = Remembered::open(&folder, &[]).unwrap();
            for (key, outcome, _) in &all {
                store.keep((*key).to_owned(), outcome);
            }
        }
        let store = Remembered::open(&folder, &[]).unwrap();
        for (key, _, is_kept) in &all {
            assert_eq!(store.answer(key).is_some(), *is_kept, "{key}");
        }
        assert_eq!(store.answer("sat").unwrap().checks, sat.checks);
        drop(store);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
