//! What the runs gave, one line of JSON each, and the tables of it.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};

/// One tool on one trigger.
#[derive(Clone)]
pub struct Row {
    /// The trigger.
    pub trigger: String,
    /// Of which class.
    pub class: String,
    /// About what.
    pub theory: String,
    /// `ddsmt`, `smelt` (with the same command), `native`.
    pub tool: String,
    /// Bytes at first.
    pub from: usize,
    /// Bytes at the end.
    pub bytes: usize,
    /// How often the command was run.
    pub calls: u64,
    /// CPU seconds of the tool and all that it started.
    pub cpu: f64,
    /// Seconds.
    pub wall: f64,
    /// Whether the cap ended it.
    pub capped: bool,
    /// Whether the command holds of the result.
    pub holds: bool,
    /// Whether there is a result: smelt's own search may not call it a fault.
    pub found: bool,
}

impl Row {
    /// For people.
    pub fn line(&self) -> String {
        format!(
            "{:<28} {:<7} {:>6} -> {:>5} bytes, {:>5} calls, {:>7.2} s CPU, {:>7.2} s{}{}",
            self.trigger,
            self.tool,
            self.from,
            self.bytes,
            self.calls,
            self.cpu,
            self.wall,
            if self.capped { ", capped" } else { "" },
            if self.holds { "" } else { ", the command does not hold of it" },
        )
    }

    fn json(&self) -> Json {
        json!({
            "trigger": self.trigger, "class": self.class, "theory": self.theory, "tool": self.tool,
            "from": self.from, "bytes": self.bytes, "calls": self.calls, "cpu": self.cpu,
            "wall": self.wall, "capped": self.capped, "holds": self.holds,
            "found": self.found,
        })
    }

    fn read(line: &str) -> Option<Self> {
        let j: Json = serde_json::from_str(line).ok()?;
        let text = |key: &str| j[key].as_str().map(str::to_owned);
        Some(Self {
            trigger: text("trigger")?,
            class: text("class")?,
            theory: text("theory")?,
            tool: text("tool")?,
            from: j["from"].as_u64()? as usize,
            bytes: j["bytes"].as_u64()? as usize,
            calls: j["calls"].as_u64()?,
            cpu: j["cpu"].as_f64()?,
            wall: j["wall"].as_f64()?,
            capped: j["capped"].as_bool()?,
            holds: j["holds"].as_bool()?,
            found: j["found"].as_bool().unwrap_or(true),
        })
    }
}

/// The journal: the last line of a trigger and a tool counts.
pub struct Journal {
    path: PathBuf,
    rows: Vec<Row>,
}

impl Journal {
    /// Reads what is there.
    pub fn open(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        Ok(Self { path: path.to_owned(), rows: text.lines().filter_map(Row::read).collect() })
    }

    /// Whether there is a line.
    pub fn has(&self, trigger: &str, tool: &str) -> bool {
        self.get(trigger, tool).is_some()
    }

    fn get(&self, trigger: &str, tool: &str) -> Option<&Row> {
        self.rows.iter().rev().find(|r| r.trigger == trigger && r.tool == tool)
    }

    /// Adds a line.
    pub fn add(&mut self, row: Row) -> Result<()> {
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
            .with_context(|| self.path.display().to_string())?;
        writeln!(file, "{}", row.json())?;
        self.rows.push(row);
        Ok(())
    }

    /// Prints the tables, in Markdown, and how the aims stand.
    pub fn print(&self) {
        let mut names: Vec<&str> = Vec::new();
        for r in &self.rows {
            if !names.contains(&r.trigger.as_str()) {
                names.push(&r.trigger);
            }
        }
        println!(
            "| trigger | class | about | bytes | ddSMT: bytes | calls | CPU s | smelt: bytes | calls | CPU s | native: bytes | CPU s |"
        );
        println!("|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        let (mut sizes, mut calls, mut cpus) = (Vec::new(), Vec::new(), Vec::new());
        for name in names {
            let row = |tool| self.get(name, tool);
            let Some(any) = row("ddsmt").or(row("smelt")).or(row("native")) else { continue };
            let bytes = |r: Option<&Row>| match r {
                None => "-".to_owned(),
                Some(r) => format!("{}{}", r.bytes, if r.capped { " (capped)" } else { "" }),
            };
            let count = |r: Option<&Row>| r.map_or("-".to_owned(), |r| r.calls.to_string());
            let cpu = |r: Option<&Row>| r.map_or("-".to_owned(), |r| format!("{:.1}", r.cpu));
            let (d, s) = (row("ddsmt"), row("smelt"));
            let n = row("native").filter(|n| n.found);
            println!(
                "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                any.class,
                any.theory,
                any.from,
                bytes(d),
                count(d),
                cpu(d),
                bytes(s),
                count(s),
                cpu(s),
                bytes(n),
                cpu(n)
            );
            if let (Some(d), Some(s)) = (d, s) {
                sizes.push(s.bytes as f64 / d.bytes.max(1) as f64);
                calls.push(s.calls as f64 / d.calls.max(1) as f64);
            }
            if let (Some(d), Some(n)) = (d, n) {
                cpus.push(d.cpu / n.cpu.max(0.01));
            }
        }
        println!();
        let worst = sizes.iter().copied().fold(0.0, f64::max);
        println!("size, smelt / ddSMT: median {:.2}, worst {worst:.2}", median(&mut sizes));
        println!("calls, smelt / ddSMT: median {:.2}", median(&mut calls));
        println!("CPU, ddSMT / smelt's own predicate: median {:.1}", median(&mut cpus));
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}
