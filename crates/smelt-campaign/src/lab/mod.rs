//! The lab (`smelt lab`): techniques on targets, each so often, under one budget of CPU time. Which finds how many distinct bugs?
//!
//! A cell is one technique on one target, once: a campaign of its own, or a peer's run with a campaign that confirms what the peer has left.
//! What a cell did is in its folder, so that whatever ends the process, the next one goes on there. `sum` makes a [`Report`] of all cells: their
//! findings are put together to bugs by the fingerprints of their smallest scripts, over all cells of a target.

mod cell;
pub mod data;
mod effect;
mod peer;
pub mod plan;
pub mod record;
mod sum;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use smelt_solver::{Cancel, Registry, Sandbox, SolverSpec, Source};
use smelt_trial::Resolver;

pub use self::data::Report;
pub use self::plan::LabPlan;
pub use self::record::{Cell, Place, Store};
use crate::survey::in_threads;

/// How often is looked whether a cell is to end.
const LOOK: Duration = Duration::from_millis(100);

/// A lab at work.
pub struct Lab<'a> {
    /// What is compared.
    pub plan: &'a LabPlan,
    /// Where cells are kept.
    pub store: &'a Store,
    /// Where solvers are looked for.
    pub registry: &'a Registry,
    /// The walls around solvers.
    pub sandbox: Sandbox,
    /// Cells at a time, each with one thread of its own.
    pub jobs: usize,
    /// When to stop, if it is not done before.
    pub until: Option<Instant>,
    /// Ends it: what is under way is finished first as a campaign is.
    pub cancel: &'a Cancel,
    /// Ends what is being confirmed, too.
    pub cancel_all: &'a Cancel,
}

/// What happens in a lab.
pub enum Event<'a> {
    /// A cell begins.
    Begun(&'a Place),
    /// A cell is done.
    Done(&'a Place, &'a Cell),
    /// A sentence for people.
    Message(String),
}

impl Lab<'_> {
    /// Installs what is needed: the solvers, and the newest release of each, by which bugs are told from what is none.
    pub fn prepare(&self, resolver: &Resolver<'_>) -> Result<()> {
        for target in &self.plan.targets {
            for solver in &target.solvers {
                for spec in SolverSpec::parse_list(solver)? {
                    let context = || format!("target {}", target.name);
                    let (_, spec) = resolver.pinned(spec).with_context(context)?;
                    if let Source::Release(name, _) = &spec.source {
                        resolver.one(&SolverSpec::parse(&format!("{name}@latest"))?)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs all cells that are not done; false if it was cut off.
    pub fn run(&self, watch: &(dyn Fn(Event<'_>) + Sync)) -> Result<bool> {
        let open: Vec<Place> =
            self.store.places().into_iter().filter(|p| self.store.done(p).is_none()).collect();
        let (next, cut) = (AtomicUsize::new(0), AtomicUsize::new(0));
        in_threads(
            (self.jobs, self.cancel),
            |send| {
                while let Some(place) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    watch(Event::Begun(place));
                    let sent = match self.one(place, watch) {
                        Ok(true) => Ok(()),
                        Ok(false) => {
                            cut.fetch_add(1, Ordering::Relaxed);
                            return;
                        }
                        Err(e) => Err(e),
                    };
                    if send.send(sent).is_err() {
                        return;
                    }
                }
            },
            &mut |_| Ok(()),
        )?;
        Ok(cut.into_inner() == 0 && !self.is_over())
    }

    /// Runs a cell and keeps what it came to; false if it was cut off. A cell that cannot be run says why, and the others go on.
    fn one(&self, place: &Place, watch: &(dyn Fn(Event<'_>) + Sync)) -> Result<bool> {
        let say = |text: String| watch(Event::Message(text));
        let cell = match cell::run(self, place, &say) {
            Ok(Some(cell)) => cell,
            Ok(None) => return Ok(false),
            Err(e) if self.is_over() => {
                say(format!("{e:#}"));
                return Ok(false);
            }
            Err(e) => Cell {
                budget: self.plan.budget,
                failure: Some(format!("{e:#}")),
                ..Cell::default()
            },
        };
        self.store.keep(place, &cell)?;
        watch(Event::Done(place, &cell));
        Ok(true)
    }

    /// Whether nothing more is to be begun.
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.until.is_some_and(|end| Instant::now() >= end)
    }

    /// What the cells say so far.
    pub fn report(&self) -> Result<Report> {
        sum::report(self.plan, self.store)
    }

    /// Does something while another thread looks whether it is to end.
    fn while_looking<R>(&self, end: &(dyn Fn(bool) + Sync), work: impl FnOnce() -> R) -> R {
        let (done, looks) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // The other end is dropped when the work is done, or has failed.
                while looks.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if self.is_over() {
                        end(self.cancel_all.is_cancelled());
                    }
                }
            });
            let result = work();
            drop(done);
            result
        })
    }
}
