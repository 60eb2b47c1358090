//! What people see of a campaign: one live line on a terminal, plain lines elsewhere, a table at the end; or lines of JSON.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use smelt_campaign::bugs::Bug;
use smelt_campaign::campaign::{Campaign, Outcome};
use smelt_campaign::control::Control;
use smelt_campaign::event::{Event, Named};
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::shelf::{FINDINGS, Found};
use smelt_campaign::source::grammar::looked_at;

use crate::args::Json;
use crate::exit::Exit;
use crate::interrupt;
use crate::printable::{in_one_line, printable};
use crate::view::line::{in_releases, line};
use crate::view::live::Live;
use crate::view::summary::table;
use crate::voice;

/// How often a plain line is written when nobody watches.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// The exit code of a campaign; an error if it ended before its time.
pub fn exit(outcome: Outcome) -> Result<Exit> {
    match (outcome.end.failure, outcome.new.is_empty()) {
        _ if !outcome.unwritten.is_empty() => Ok(Exit::Unwritten),
        (Some(e), true) => Err(e),
        (Some(e), false) => {
            voice::complain(&format!("{e:#}"));
            Ok(Exit::Found)
        }
        (None, true) => Ok(Exit::Fine),
        (None, false) => Ok(Exit::Found),
    }
}

/// How a campaign is run: it tells what happens.
type Run<'a> = &'a mut dyn FnMut(&mut dyn FnMut(Event)) -> Result<Outcome>;

/// How a campaign is shown.
pub struct View {
    /// How to go on with the campaign, for who interrupts it.
    pub go_on_with: Option<String>,
    /// The page that shows the campaign, if there is one.
    pub page: Option<Live>,
    json: bool,
    quiet: bool,
    bar: Option<ProgressBar>,
    /// The campaign's folder.
    folder: PathBuf,
    /// Words of a grammar that there are to test, and how many of them earlier processes have tested.
    words: Option<(u64, u64)>,
}

impl View {
    /// A campaign in this folder, for people or machines, with or without what happens on the way.
    pub fn new(Json { json }: Json, folder: &Path) -> Self {
        let folder = folder.to_owned();
        let (bar, go_on_with, page, words) = (None, None, None, None);
        Self { json, quiet: voice::is_quiet(), bar, folder, go_on_with, page, words }
    }

    /// Names seeds that are not used, each with the reason.
    pub fn skipped(&self, all: &[(String, String)]) -> Result<()> {
        let mut out = std::io::stdout().lock();
        for (seed, reason) in all {
            match self.json {
                true => {
                    let line = json!({ "kind": "skipped", "seed": seed, "reason": reason });
                    writeln!(out, "{}", printable(&line.to_string()))?;
                }
                false => writeln!(out, "{}", in_one_line(&format!("{seed}: {reason}")))?,
            }
        }
        Ok(())
    }

    /// Names folders that are no findings.
    pub fn unreadable(&self, found: &Found) {
        for (folder, why) in &found.unreadable {
            self.remark(&in_one_line(&format!(
                "smelt: {} is left as it is: {why}",
                folder.display()
            )));
        }
    }

    /// What people may want to know before it begins.
    pub fn on_the_way(&self, text: &str) {
        if !self.quiet {
            self.remark(text);
        }
    }

    /// What is going to be done.
    pub fn begin(&self, plan: &Plan) {
        let seed = plan.config.seed;
        self.on_the_way(&format!("campaign seed {seed}; folder {}", self.folder.display()));
        for l in &plan.left_out {
            self.remark(&in_one_line(&format!(
                "smelt: {} is left out: {}",
                l.path.display(),
                l.why
            )));
        }
    }

    fn remark(&self, text: &str) {
        if !self.json {
            let _ = writeln!(std::io::stdout(), "{}", printable(text));
        }
    }

    /// Runs a campaign and shows it, to the end. The first Ctrl-C ends the tests, the second what is being confirmed.
    pub fn follow(&mut self, campaign: &Campaign) -> Result<Outcome> {
        self.follow_by(campaign, &mut |watch| campaign.run(watch))
    }

    /// Shows a campaign that is run in some way, to its end.
    pub fn follow_by(&mut self, campaign: &Campaign, run: Run<'_>) -> Result<Outcome> {
        let Control { cancel, cancel_all, cancel_jobs, .. } = &campaign.control;
        interrupt::ends(&[cancel, cancel_jobs], cancel_all)?;
        let before = looked_at(&campaign.control.tally().words);
        self.words = campaign.words.as_ref().map(|w| (w.own_count(), before));
        if !self.json && !self.quiet && std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        let mut last = Instant::now();
        let mut told = false;
        let config = &campaign.plan.config;
        let outcome = run(&mut |event| {
            if interrupt::has_come() && !std::mem::replace(&mut told, true) {
                voice::show(
                    "smelt: interrupted; what is being confirmed is finished (once more ends that, too)",
                );
            }
            if let Some(page) = &self.page {
                page.feed(&event);
            }
            self.show(&event, config, &mut last);
        })?;
        if let Some(page) = self.page.take() {
            page.end(&outcome.end.last);
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        for (f, bug) in &outcome.unwritten {
            self.say(&format!("; {} could not be written: {}\n{bug}", f.id, f.verdict().evidence));
        }
        let shown = self.finish(campaign, &outcome);
        if outcome.unwritten.is_empty() {
            shown.context("cannot write to standard output")?;
        }
        if interrupt::has_come() {
            let command = self.go_on_with.as_ref();
            let how = command.map_or(String::new(), |c| format!("; go on with {c}"));
            voice::show(&format!("smelt: interrupted{how}"));
        }
        Ok(outcome)
    }

    /// A line that stays.
    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None if self.json => self.write(&Event::message(line)),
            None => drop(writeln!(std::io::stdout(), "{line}")),
        }
    }

    fn write(&self, event: &Event) {
        if let Ok(line) = self.json_of(event) {
            let _ = writeln!(std::io::stdout(), "{}", printable(&line.to_string()));
        }
    }

    /// An event as a line of JSON; docs/json.md describes it.
    fn json_of(&self, event: &Event) -> serde_json::Result<serde_json::Value> {
        let (kind, mut line) = match event {
            Event::Message { message } | Event::Remark { message } => {
                ("message", json!({ "message": message }))
            }
            Event::Found { finding } => {
                let findings = self.folder.join(FINDINGS);
                ("found", serde_json::to_value(Named::of(finding, &findings))?)
            }
            Event::Settled { finding, bytes, bug } => {
                let of = bug.as_ref().map(|(id, why)| json!({ "id": id, "why": why }));
                let releases = finding.fingerprint.as_ref().map(|p| p.spans());
                let (id, bytes) = (&finding.id, bytes);
                ("settled", json!({ "id": id, "bytes": bytes, "bug": of, "releases": releases }))
            }
            Event::Progress(now) => ("progress", serde_json::to_value(now)?),
        };
        line["kind"] = json!(kind);
        Ok(line)
    }

    fn show(&self, event: &Event, config: &Config, last: &mut Instant) {
        match event {
            Event::Progress(now) => {
                let due = last.elapsed() >= PLAIN_EVERY;
                if self.quiet || (self.bar.is_none() && !due) {
                    return;
                }
                *last = Instant::now();
                match &self.bar {
                    Some(bar) => {
                        bar.set_message(line(now, config, self.words));
                        bar.tick();
                    }
                    None if self.json => self.write(event),
                    None => self.say(&line(now, config, self.words)),
                }
            }
            _ if self.json => self.write(event),
            Event::Message { message } => self.say(message),
            Event::Remark { message } if !self.quiet => self.say(message),
            Event::Remark { .. } => {}
            Event::Found { finding: f } => {
                let (who, v) = (&f.accused.label, f.verdict());
                let class = v.class.word();
                self.say(&format!("{}: {who} {class} ({}): {}", f.id, v.grade, v.evidence));
            }
            Event::Settled { finding: f, bytes, bug: None } => {
                self.say(&format!("{}: {bytes} bytes{}", f.id, in_releases(f)));
            }
            Event::Settled { finding: f, bug: Some((bug, why)), .. } => {
                self.say(&format!("{}: another trigger of {bug}: {why}", f.id));
            }
        }
    }

    /// The end: a table, or one JSON object.
    fn finish(&self, c: &Campaign, o: &Outcome) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if self.json {
            let mut all = serde_json::to_value(&o.end.last)?;
            all["kind"] = json!("end");
            let findings = c.folder.shelf.path();
            let named: Vec<Named> = o.new.iter().map(|f| Named::of(f, findings)).collect();
            all["new_findings"] = serde_json::to_value(named)?;
            let bug = |b: &Bug| {
                let triggers = b.triggers.iter().map(|(t, why)| json!({ "id": t.id, "why": why }));
                let triggers: Vec<_> = triggers.collect();
                let releases = b.finding().fingerprint.as_ref().map(|p| p.spans());
                json!({
                    "id": b.finding().id, "class": b.finding().class().word(),
                    "solver": b.finding().accused.label, "bytes": b.contents.bug.len(),
                    "path": b.path, "releases": releases, "triggers": triggers,
                })
            };
            all["new_bugs"] = o.bugs.iter().map(bug).collect();
            all["jobs_left"] = json!(o.undone);
            writeln!(out, "{}", printable(&all.to_string()))?;
        } else {
            out.write_all(table(c, o).as_bytes())?;
        }
        Ok(())
    }
}
