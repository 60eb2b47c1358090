//! The views as they stand, written by a thread that nobody waits for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;
use smelt_campaign::bugs::Bugs;
use smelt_campaign::event::{self, Snapshot};
use smelt_campaign::journal::Sample;
use smelt_campaign::report::queue::Reported;
use smelt_page::{Course, Machine, Page, Place};
use tokio::sync::watch;

use super::Show;

/// Something that the page shows has changed.
pub enum Change {
    /// How things stand.
    Now(Box<Snapshot>),
    /// There are findings, or marks of them, that are not shown yet.
    Folder,
    /// Somebody looks.
    Viewer,
    /// The campaign has ended.
    End,
}

/// The views are not written more often than this.
const EVERY: Duration = Duration::from_millis(500);
/// The folder is read for a part of the time only: a campaign with many findings needs the cores for tests.
const SHARE: u32 = 20;
/// Seconds after which it is said that nothing is heard of a machine.
const SILENT: f64 = 30.0;
/// Most samples that a curve is made of; of more, every second one is dropped.
const SAMPLES: usize = 720;

/// The views at a moment.
#[derive(Default)]
pub struct Rendered {
    /// Grows with every change.
    pub version: u64,
    ended: bool,
    parts: Vec<Part>,
}

/// A view, and since which version it is as it is.
#[derive(Clone)]
struct Part {
    name: &'static str,
    html: Arc<str>,
    version: u64,
}

impl Rendered {
    /// Server-sent events for who has seen a version: what has changed since then, or everything.
    pub fn since(&self, seen: Option<u64>) -> String {
        let mut out = String::new();
        for part in self.parts.iter().filter(|p| seen.is_none_or(|v| p.version > v)) {
            // JSON has no line breaks, which would end an event.
            let data = json!({ "name": part.name, "html": &*part.html });
            out += &format!("event: view\ndata: {data}\n\n");
        }
        out += &format!("event: state\ndata: {}\n\n", json!({ "ended": self.ended }));
        out
    }
}

/// Writes the views.
pub struct Renderer {
    show: Show,
    stale: Arc<AtomicBool>,
    views: watch::Sender<Arc<Rendered>>,
    now: Option<Snapshot>,
    /// How each machine of a campaign on many has gone on since the page is there.
    machines: BTreeMap<String, Machine>,
    /// Findings and marks, when they were read, how long that took, and when the list of marks was written.
    read: Option<(Bugs, Reported, Instant, Duration, Option<SystemTime>)>,
}

impl Renderer {
    /// Nothing is known yet, but for what is in the folder.
    pub fn new(show: Show, stale: Arc<AtomicBool>, views: watch::Sender<Arc<Rendered>>) -> Self {
        Self { show, stale, views, now: None, machines: BTreeMap::new(), read: None }
    }

    /// Works until the campaign ends.
    pub fn run(mut self, changes: &Receiver<Change>) {
        let mut written: Option<Instant> = None;
        loop {
            let mut change = match changes.recv_timeout(EVERY) {
                Ok(change) => Some(change),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Change::End),
            };
            let mut first = false;
            while let Some(c) = change {
                match c {
                    Change::Now(now) => self.note(*now),
                    Change::Folder => {}
                    Change::Viewer => first = true,
                    Change::End => return self.write(true),
                }
                change = changes.try_recv().ok();
            }
            let due = written.is_none_or(|at| at.elapsed() >= EVERY);
            // The server itself has a receiver.
            let watched = self.views.receiver_count() > 1;
            if written.is_none() || (watched && (first || due)) {
                self.write(false);
                written = Some(Instant::now());
            }
        }
    }

    /// Takes how things stand, and a sample of it once a second.
    fn note(&mut self, now: Snapshot) {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        for m in &now.machines {
            let machine = self.machines.entry(m.worker.clone()).or_insert_with(|| Machine {
                name: m.name.clone(),
                about: String::new(),
                samples: Vec::new(),
            });
            machine.about = how(m);
            if machine.samples.last().is_none_or(|(last, _)| at >= last + 5) {
                machine.samples.push((at, m.tests));
            }
            thin(&mut machine.samples);
        }
        let samples = &mut self.show.samples;
        if samples.last().is_none_or(|s| now.elapsed_seconds >= s.elapsed + 1.0) {
            let tests = now.counts.total.tests;
            samples.push(Sample { at, elapsed: now.elapsed_seconds, tests });
        }
        thin(samples);
        self.now = Some(now);
    }

    /// Reads the folder, if something there is new and it was not read a moment ago.
    fn read(&mut self, at_once: bool) {
        // Marks may also be written by `smelt report`.
        let marked =
            || std::fs::metadata(Reported::path(&self.show.folder)).and_then(|m| m.modified()).ok();
        let known = self.read.as_ref();
        let rested = known.is_none_or(|(_, _, at, took, _)| at.elapsed() >= *took * SHARE);
        let other = known.is_none_or(|(.., at)| *at != marked());
        if !(rested || at_once) || !(other || self.stale.load(Ordering::Relaxed)) {
            return;
        }
        self.stale.store(false, Ordering::Relaxed);
        let (begun, marked) = (Instant::now(), marked());
        let read = Bugs::read(&self.show.folder).ok().zip(Reported::read(&self.show.folder).ok());
        match read {
            Some((bugs, reported)) => {
                self.read = Some((bugs, reported, Instant::now(), begun.elapsed(), marked));
            }
            // What is there was shown before, and what is new is looked for again.
            None => self.stale.store(true, Ordering::Relaxed),
        }
    }

    /// Writes the views anew, and says which of them differ.
    fn write(&mut self, ended: bool) {
        self.read(ended);
        let none =
            (Bugs { campaign: None, all: Vec::new(), unreadable: Vec::new() }, Reported::default());
        let (bugs, reported) = self.read.as_ref().map_or((&none.0, &none.1), |r| (&r.0, &r.1));
        let samples = &self.show.samples;
        let machines = match self.machines.is_empty() && samples.len() > 1 {
            true => vec![Machine {
                name: "this machine".to_owned(),
                about: String::new(),
                samples: samples.iter().map(|s| (s.at, s.tests)).collect(),
            }],
            false => self.machines.values().cloned().collect(),
        };
        let course = Course {
            title: self.show.title.clone(),
            solvers: self.show.solvers.clone(),
            now: self.now.clone(),
            samples: samples.clone(),
            machines,
        };
        let sections = Page::of(bugs, reported, &course).sections(Place::Live);
        self.views.send_modify(|before| {
            let version = before.version + 1;
            let part = |section: smelt_page::Section| {
                let old = before.parts.iter().find(|p| p.name == section.name);
                match old.filter(|p| *p.html == *section.html) {
                    Some(same) => same.clone(),
                    None => Part { name: section.name, html: section.html.into(), version },
                }
            };
            let parts = sections.into_iter().map(part).collect();
            *before = Arc::new(Rendered { version, ended, parts });
        });
    }
}

/// Drops every second one of too many samples.
fn thin<T>(samples: &mut Vec<T>) {
    if samples.len() > SAMPLES {
        let mut keep = false;
        samples.retain(|_| {
            keep = !keep;
            keep
        });
    }
}

/// What else there is to say of a machine.
fn how(m: &event::Machine) -> String {
    let threads = if m.jobs == 1 { "1 thread".to_owned() } else { format!("{} threads", m.jobs) };
    match (m.left, m.silent_seconds >= SILENT) {
        (true, _) => format!("{threads}, has left"),
        (false, true) => format!("{threads}, silent for {:.0} s", m.silent_seconds),
        (false, false) => threads,
    }
}
