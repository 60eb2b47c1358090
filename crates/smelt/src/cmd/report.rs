//! `smelt report`: drafts of reports, in the order in which they are worth filing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use smelt_campaign::bugs::{Bug, Bugs};
use smelt_campaign::report::queue::{Reported, Turn};
use smelt_campaign::report::tracker::{Tracker, by_name};
use smelt_campaign::report::{self};

use crate::args::{Json, Out};
use crate::exit::Exit;
use crate::printable::Printable;
use crate::view;
use crate::voice::complain;

/// Print drafts of reports for bugs, or the list of bugs in the order in which they are worth reporting.
///
/// Without a bug, the list: what can be reported now, what has to wait because its tracker wants no more this week, and what is reported
/// already. With bugs (or `all`), a draft of each in Markdown, which a person can paste unchanged; with --out, a file for each, and
/// regression tests in the tracker's own format beside it. smelt files nothing itself.
#[derive(clap::Args)]
#[command(mut_arg("out", |a| a.help("Write drafts and regression tests to this folder, which is made if it is not there")))]
pub struct Args {
    /// Names of bugs, or `all`; before them the campaign's folder, if it is not given by --campaign.
    bugs: Vec<String>,
    /// The campaign's folder, or that of one finding.
    #[arg(long, value_name = "DIR", default_value = "smelt-campaign")]
    campaign: PathBuf,
    /// Only bugs for this tracker: z3, cvc5, bitwuzla, yices, opensmt.
    #[arg(long, value_name = "NAME", value_parser = tracker)]
    tracker: Option<&'static Tracker>,
    /// Note that a bug is reported, and where; or known (`BUG=known`, `BUG=known:URL`). May be repeated.
    #[arg(long, value_name = "BUG=URL", conflicts_with_all = ["html", "known"])]
    mark: Vec<String>,
    /// Write one page of the campaign that needs nothing else: bugs, releases, time, strategies. To a folder (`DIR/`), the same for any web
    /// server, with an address for each bug.
    #[arg(long, value_name = "FILE|DIR/")]
    html: Option<PathBuf>,
    /// In the folder of --html, also compare with another campaign: which bugs are in both, and which in one only.
    #[arg(long, value_name = "DIR", requires = "html")]
    against: Option<PathBuf>,
    /// Write the bugs as a list of known bugs for `smelt fuzz --known`.
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    json: Json,
}

fn tracker(name: &str) -> Result<&'static Tracker, String> {
    by_name(name).ok_or_else(|| {
        let all: Vec<&str> = report::tracker::TRACKERS.iter().map(|t| t.name).collect();
        format!("there are {}", all.join(", "))
    })
}

/// Runs the command.
pub fn run(mut args: Args) -> Result<Exit> {
    if args.bugs.first().is_some_and(|first| Path::new(first).is_dir()) {
        args.campaign = args.bugs.remove(0).into();
    }
    if let Some(path) = args.bugs.iter().find(|b| b.contains('/')) {
        bail!("{path} is no folder, and no bug is called so");
    }
    if !args.bugs.is_empty() && !args.mark.is_empty() {
        bail!("--mark names bugs itself: {} cannot be said beside it", args.bugs.join(" "));
    }
    if args.bugs.is_empty() && args.out.out.is_some() {
        bail!("--out is for drafts: name bugs, or all");
    }
    let mut bugs = Bugs::read(&args.campaign)?;
    for (path, why) in &bugs.unreadable {
        complain(&format!("{}: {why}", path.display()));
    }
    if let Some(tracker) = args.tracker {
        bugs.all.retain(|b| b.finding().accused.profile == tracker.name);
    }
    let folder = bugs.campaign.clone().unwrap_or_else(|| args.campaign.clone());
    let mut reported = Reported::read(&folder)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    if !args.mark.is_empty() {
        mark(&bugs, &mut reported, &args.mark, now)?;
        reported.write(&folder)?;
        return Ok(Exit::Fine);
    }
    let listed = args.bugs.is_empty() && args.html.is_none() && args.known.is_none();
    let mut out = Printable(std::io::stdout().lock());
    if listed {
        let findings: Vec<_> = bugs.all.iter().map(|b| b.finding().clone()).collect();
        let turns = reported.turns(&findings, now);
        for (bug, turn) in bugs.all.iter().zip(&turns) {
            line(bug, turn, args.json.json, &mut out)?;
        }
        if bugs.all.is_empty() && bugs.unreadable.is_empty() && !args.json.json {
            writeln!(out, "there is no bug in {}", args.campaign.display())?;
        }
        if let n @ 1.. = bugs.unreadable.len() {
            bail!("{n} of the findings cannot be read");
        }
        return Ok(Exit::Fine);
    }
    if let Some(path) = &args.html {
        view::page::write(path, &bugs, &reported, args.against.as_deref())?;
    }
    if let Some(path) = &args.known {
        write(path, &smelt_campaign::known::list(&bugs, &reported))?;
    }
    if args.bugs.is_empty() {
        return Ok(Exit::Fine);
    }
    let bugs = bugs.named(&args.bugs)?;
    for (i, bug) in bugs.all.iter().enumerate() {
        let draft = report::markdown(&bug.contents);
        match &args.out.out {
            Some(folder) => files(bug, &draft, folder)?,
            None if args.json.json => writeln!(
                out,
                "{}",
                serde_json::json!({ "kind": "report", "id": bug.finding().id, "markdown": draft })
            )?,
            None if i > 0 => write!(out, "\n---\n\n{draft}")?,
            None => write!(out, "{draft}")?,
        }
    }
    Ok(Exit::Fine)
}

/// The draft and the regression test as files.
fn files(bug: &Bug, draft: &str, folder: &Path) -> Result<()> {
    let id = &bug.finding().id;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    write(&folder.join(format!("{id}.md")), draft)?;
    let tests = by_name(&bug.finding().accused.profile).map(|t| t.regression_test(&bug.contents));
    for (end, text) in tests.into_iter().flatten() {
        write(&folder.join(format!("{id}{end}")), &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    smelt_solver::write_atomically(path, text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Notes reports.
fn mark(bugs: &Bugs, reported: &mut Reported, marks: &[String], now: u64) -> Result<()> {
    for mark in marks {
        let (id, url) = mark
            .split_once('=')
            .with_context(|| format!("--mark {mark}: write BUG=URL, or BUG=known"))?;
        let Some(bug) = bugs.all.iter().find(|b| b.finding().id == id) else {
            bail!("--mark {mark}: there is no bug {id}");
        };
        reported.mark(bug.finding(), url, now)?;
    }
    Ok(())
}

/// A line of the list.
fn line(bug: &Bug, turn: &Turn, json: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let f = bug.finding();
    let words = match turn {
        Turn::Now => "now".to_owned(),
        Turn::InWeeks(1) => "next week".to_owned(),
        Turn::InWeeks(n) => format!("in {n} weeks"),
        Turn::Known(url) if url.is_empty() => "known".to_owned(),
        Turn::Known(url) => format!("known: {url}"),
        Turn::Reported(url) => format!("reported: {url}"),
        Turn::Withdrawn => "withdrawn".to_owned(),
    };
    let (bytes, more) = (bug.contents.bug.len(), bug.triggers.len());
    if json {
        let line = serde_json::json!({
            "kind": "bug", "id": f.id, "class": f.class().word(), "grade": f.verdict().grade,
            "solver": f.accused.label, "path": bug.path, "bytes": bytes, "triggers": more + 1,
            "releases": f.fingerprint.as_ref().map(|p| p.spans()), "turn": words,
        });
        return writeln!(out, "{line}");
    }
    let spans = f.fingerprint.as_ref().map(|p| p.spans()).filter(|s| !s.is_empty());
    let spans = spans.map(|s| format!(", {s}")).unwrap_or_default();
    writeln!(
        out,
        "{:<40} {} [{}] {bytes} bytes, {} trigger{}{spans}: {words}",
        f.id,
        f.accused.label,
        f.verdict().grade,
        more + 1,
        if more == 0 { "" } else { "s" },
    )?;
    for (trigger, why) in &bug.triggers {
        writeln!(out, "  also {}: {why}", trigger.id)?;
    }
    Ok(())
}
