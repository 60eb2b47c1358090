//! Marking a bug, as `smelt report --mark` does.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use smelt_campaign::bugs::Bugs;
use smelt_campaign::report::queue::Reported;

/// Longest address of a report.
const LONGEST: usize = 500;

/// Does what a request asks for; the error is a sentence for who asked.
pub fn mark(folder: &Path, request: &[u8]) -> Result<()> {
    let request: Value = serde_json::from_slice(request).ok().context("that is no JSON")?;
    let text = |name: &str| request[name].as_str().unwrap_or_default();
    let (id, url) = (text("bug"), text("url"));
    let web = url.starts_with("https://") || url.starts_with("http://");
    if url.len() > LONGEST || !(url.is_empty() || web) {
        bail!("an address of the web is needed, of at most {LONGEST} characters");
    }
    let mark = match text("as") {
        "known" if url.is_empty() => "known".to_owned(),
        "known" => format!("known:{url}"),
        "reported" if url.is_empty() => bail!("say where it is reported"),
        "reported" => url.to_owned(),
        _ => bail!("a bug is marked as known or reported"),
    };
    let bugs = Bugs::read(folder)?;
    let Some(bug) = bugs.all.iter().find(|b| b.finding().id == id) else {
        bail!("there is no such bug");
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let mut reported = Reported::read(folder)?;
    reported.mark(bug.finding(), &mark, now)?;
    reported.write(folder)
}
