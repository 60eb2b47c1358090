//! The recorded campaign: `smelt fuzz --deterministic --seed 5 --tests 3000` on the embedded seeds, z3 4.8.7 and cvc5 1.4.2, one
//! worker. Two trees that mean the same give the same scripts in the same order, and the same answers but for limits of time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Repeats the recorded campaign.
#[derive(clap::Args)]
pub struct Options {
    /// The smelt that is tried.
    #[arg(long, default_value = "target/release/smelt")]
    smelt: PathBuf,
    /// Another smelt to compare with, in place of the record.
    #[arg(long)]
    against: Option<PathBuf>,
    /// Write the record anew.
    #[arg(long, conflicts_with = "against")]
    record: bool,
}

/// Solvers of the campaign, and its other arguments.
const SOLVERS: [&str; 2] = ["z3@4.8.7", "cvc5@1.4.2"];
/// (A tenth of a second, as the solvers' own counters have it, since such a campaign does not learn which seeds are hard.)
const CAMPAIGN: &[&str] =
    &["--deterministic", "--seed", "5", "--tests", "3000", "--jobs", "1", "--limit", "0.1"];

/// A line of a campaign's log: the solver, the digest of what it was sent, and its answers.
#[derive(Clone, PartialEq, Eq)]
struct Line {
    solver: String,
    script: String,
    answers: String,
}

pub fn run(options: &Options) -> Result<()> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference");
    let now = campaign(&options.smelt, "now")?;
    if options.record {
        std::fs::create_dir_all(&kept)?;
        std::fs::write(kept.join("answers.tsv"), lines_text(&now.lines))?;
        std::fs::write(kept.join("findings.txt"), now.findings.join("\n") + "\n")?;
        println!("recorded: {} answers, {} findings", now.lines.len(), now.findings.len());
        return Ok(());
    }
    let then = match &options.against {
        Some(other) => campaign(other, "then")?,
        None => {
            let text = std::fs::read_to_string(kept.join("answers.tsv"))?;
            let findings = std::fs::read_to_string(kept.join("findings.txt"))?;
            Campaign {
                lines: text.lines().filter_map(read).collect(),
                findings: findings.lines().map(str::to_owned).collect(),
            }
        }
    };
    compare(&then, &now)
}

/// What a campaign gave.
struct Campaign {
    lines: Vec<Line>,
    /// Class, solver and signature of each finding, sorted.
    findings: Vec<String>,
}

fn campaign(smelt: &Path, name: &str) -> Result<Campaign> {
    let folder = Path::new("target/reference").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let log = folder.join("log.tsv");
    let mut command = Command::new(smelt);
    command.arg("fuzz").args(CAMPAIGN);
    SOLVERS.iter().for_each(|s| {
        command.args(["--solver", s]);
    });
    let status = command
        .args(["--out".as_ref(), folder.join("campaign").as_os_str()])
        .args(["--log".as_ref(), log.as_os_str()])
        .status()
        .with_context(|| format!("cannot run {}", smelt.display()))?;
    if !matches!(status.code(), Some(0 | 10)) {
        bail!("{} failed: {status}", smelt.display());
    }
    let lines = std::fs::read_to_string(&log)?.lines().filter_map(from_log).collect();
    let mut findings = Vec::new();
    for entry in std::fs::read_dir(folder.join("campaign/findings"))? {
        let Ok(text) = std::fs::read_to_string(entry?.path().join("finding.json")) else {
            continue;
        };
        let f: serde_json::Value = serde_json::from_str(&text)?;
        // In the second format, or in the first.
        let field = |second: &str, first: &str| {
            let text = f.pointer(second).or(f.pointer(first)).and_then(|v| v.as_str());
            text.unwrap_or("?").to_owned()
        };
        let class = field("/verdicts/0/class", "/class");
        let solver = field("/accused/label", "/solver");
        findings.push(format!("{class} {solver} {}", field("/signature", "")));
    }
    findings.sort();
    Ok(Campaign { lines, findings })
}

/// A line of `smelt fuzz --log`.
fn from_log(line: &str) -> Option<Line> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [.., solver, script, answers] = columns[..] else { return None };
    Some(Line { solver: solver.into(), script: script.into(), answers: answers.into() })
}

/// A line of the record.
fn read(line: &str) -> Option<Line> {
    let mut columns = line.split('\t').map(str::to_owned);
    Some(Line { script: columns.next()?, solver: columns.next()?, answers: columns.next()? })
}

fn lines_text(lines: &[Line]) -> String {
    lines.iter().map(|l| format!("{}\t{}\t{}\n", l.script, l.solver, l.answers)).collect()
}

/// Prints where two campaigns differ; an error if scripts do, or answers beyond limits, or findings.
fn compare(then: &Campaign, now: &Campaign) -> Result<()> {
    let same = then
        .lines
        .iter()
        .zip(&now.lines)
        .take_while(|(a, b)| (&a.solver, &a.script) == (&b.solver, &b.script))
        .count();
    println!(
        "scripts: {} then, {} now, the first {same} are the same",
        then.lines.len(),
        now.lines.len()
    );
    let mut changes: BTreeMap<String, u64> = BTreeMap::new();
    let mut beyond = 0;
    for (a, b) in
        then.lines.iter().zip(&now.lines).take(same).filter(|(a, b)| a.answers != b.answers)
    {
        *changes.entry(format!("{}: {} -> {}", a.solver, a.answers, b.answers)).or_default() += 1;
        beyond += u64::from(![&a.answers, &b.answers].iter().any(|t| t.contains("timeout")));
    }
    changes.iter().for_each(|(what, n)| println!("answers: {n} {what}"));
    let only = |a: &Campaign, b: &Campaign, word: &str| {
        a.findings
            .iter()
            .filter(|f| !b.findings.contains(f))
            .inspect(|f| println!("finding {word}: {f}"))
            .count()
    };
    let (gone, new) = (only(then, now, "gone"), only(now, then, "new"));
    println!(
        "findings: {} then, {} now, {gone} gone, {new} new",
        then.findings.len(),
        now.findings.len()
    );
    if same != then.lines.len() || same != now.lines.len() || beyond > 0 || gone + new > 0 {
        bail!("the campaigns differ");
    }
    Ok(())
}
