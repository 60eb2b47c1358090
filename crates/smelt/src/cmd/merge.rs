//! `smelt merge`: folders of campaigns, put into one.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;
use smelt_campaign::event::Named;
use smelt_campaign::merge::{Merged, merge};
use smelt_campaign::shelf::FINDINGS;

use crate::args::Json;
use crate::exit::Exit;
use crate::printable::{Printable, in_one_line};

/// Put folders of campaigns into one: findings once each, statistics added.
///
/// The parts of one campaign (--shard), or campaigns of their own. No solver is run, and what is merged is not changed; a folder that is merged
/// again counts once. Exit codes: 0 nothing new in OUT, 10 new findings in OUT, 2 an error, or something cannot be read.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to merge into; it is made if it is not there.
    out: PathBuf,
    /// Folders of campaigns, also merged ones.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let merged = merge(&args.out, &args.folders)?;
    let mut out = Printable(std::io::stdout().lock());
    match args.json.json {
        true => writeln!(out, "{}", line(args, &merged)?)?,
        false => out.write_all(text(args, &merged).as_bytes())?,
    }
    for (path, why) in &merged.unreadable {
        crate::voice::complain(&in_one_line(&format!("{} is left out: {why}", path.display())));
    }
    Ok(match (merged.unreadable.is_empty(), merged.new.is_empty()) {
        (false, _) => Exit::Error,
        (true, false) => Exit::Found,
        (true, true) => Exit::Fine,
    })
}

fn text(args: &Args, m: &Merged) -> String {
    let mut text = String::new();
    for remark in &m.sum.remarks {
        text += &format!("{}\n", in_one_line(remark));
    }
    for f in m.findings.iter().filter(|f| m.new.contains(&f.id)) {
        let v = f.verdict();
        let said = format!("{} {} ({}): {}", f.accused.label, v.class.word(), v.grade, v.evidence);
        text += &format!("{}\n", in_one_line(&format!("{}: {said}", f.id)));
    }
    let total = &m.sum.tally.total;
    text += &format!(
        "{} runs, {} positions, {} tests; {} findings are {} bugs, {} new here, {} found more than once\n",
        m.sum.runs,
        m.sum.positions,
        total.tests,
        m.findings.len(),
        m.bugs,
        m.new.len(),
        m.twice
    );
    text + &format!("merged into {}\n", in_one_line(&args.out.display().to_string()))
}

fn line(args: &Args, m: &Merged) -> Result<serde_json::Value> {
    let findings = args.out.join(FINDINGS);
    let new = m.findings.iter().filter(|f| m.new.contains(&f.id));
    let new: Vec<Named> = new.map(|f| Named::of(f, &findings)).collect();
    Ok(json!({
        "kind": "merged",
        "out": args.out,
        "runs": m.sum.runs,
        "positions": m.sum.positions,
        "elapsed_seconds": m.sum.elapsed,
        "findings": m.findings.len(),
        "bugs": m.bugs,
        "found_twice": m.twice,
        "new_findings": new,
        "remarks": m.sum.remarks,
        "unreadable": m.unreadable.iter().map(|(p, why)| json!({ "path": p, "why": why })).collect::<Vec<_>>(),
        "counts": m.sum.tally,
    }))
}
