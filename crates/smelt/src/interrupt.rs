//! Ctrl-C and SIGTERM: one handler for the whole process, which ends what is under way at the moment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context, Result};
use smelt_solver::Cancel;

/// What is under way: the first signal ends the first of these, the second one all.
static UNDER_WAY: Mutex<Option<(Vec<Cancel>, Cancel)>> = Mutex::new(None);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on, signals end these: the first one `stops`, the next one `all`, too.
pub fn ends(stops: &[&Cancel], all: &Cancel) -> Result<()> {
    let mut under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
    *under_way = Some((stops.iter().map(|&c| c.clone()).collect(), all.clone()));
    drop(under_way);
    static ONCE: Once = Once::new();
    let mut made = Ok(());
    ONCE.call_once(|| made = ctrlc::set_handler(end));
    made.context("cannot catch Ctrl-C")
}

fn end() {
    let again = INTERRUPTED.swap(true, Ordering::Relaxed);
    if let Some((stops, all)) = &*UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) {
        if again {
            all.cancel();
        }
        stops.iter().for_each(Cancel::cancel);
    }
}

/// Whether a signal has come.
pub fn has_come() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
