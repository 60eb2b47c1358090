//! What came of a finding that was made and run again.

use std::io::{Result, Write};
use std::path::PathBuf;

use serde_json::json;
use smelt_campaign::finding::Finding;
use smelt_triage::Says;

use crate::args::Json;
use crate::printable::Printable;

/// Whether the recipe of a finding gives its script again.
pub enum Remade {
    /// It gives the script that was kept.
    Alike,
    /// It gives another one.
    Otherwise,
    /// It cannot be followed, for this reason.
    Not(String),
}

/// What a solver says of a finding.
pub struct Seen {
    /// The solver.
    pub label: String,
    /// Whether it is the binary that is accused.
    pub is_accused: bool,
    /// Whether the user has named it, and knows what it is.
    pub is_named: bool,
    /// Whether the fault shows.
    pub says: Says,
    /// What was seen.
    pub what: String,
}

/// A finding that was made and run again.
pub struct Again {
    /// The finding.
    pub finding: Finding,
    /// Whether it was made again.
    pub remade: Remade,
    /// What solvers say.
    pub seen: Vec<Seen>,
}

/// What came of a folder.
pub struct Replayed {
    /// The folder.
    pub path: PathBuf,
    /// The finding in it, or why it cannot be replayed.
    pub what: std::result::Result<Box<Again>, String>,
}

/// Shows it for people, or for machines.
pub fn show(replayed: &Replayed, Json { json }: Json) -> Result<()> {
    let mut out = Printable(std::io::stdout().lock());
    if json {
        return writeln!(out, "{}", line(replayed));
    }
    let Again { finding, remade, seen } = match &replayed.what {
        Ok(again) => &**again,
        Err(why) => {
            let path = replayed.path.display();
            return out.line(&format!("{path}: cannot be replayed: {why}"));
        }
    };
    out.line(&format!("{}: {}", finding.id, finding.class()))?;
    if let Some(why) = finding.withdrawn() {
        out.line(&format!("  withdrawn: {why}"))?;
    }
    match remade {
        Remade::Alike => out.line("  the recipe gives the same mutant")?,
        Remade::Otherwise => {
            let by = finding.origin.recipe().map_or("?", |r| &r.smelt);
            out.line(&format!(
                "  the recipe gives another mutant (it was made by smelt {by}); the kept script is used"
            ))?;
        }
        Remade::Not(why) => {
            out.line(&format!("  the recipe cannot be followed ({why}); the kept script is used"))?;
        }
    }
    for Seen { label, is_accused, is_named, says, what } in seen {
        let is_plain = *is_accused || *is_named;
        let note = if is_plain { "" } else { " (another binary than the accused one)" };
        let word = match says {
            Says::Holds => format!("still holds: {what}"),
            Says::DoesNot => format!("does not hold: {what}"),
            Says::Open | Says::Other(_) => format!("open: nothing learnt ({what})"),
        };
        out.line(&format!("  {label}{note}: {word}"))?;
    }
    out.flush()
}

/// A line of JSON; docs/json.md describes it.
fn line(replayed: &Replayed) -> serde_json::Value {
    let path = replayed.path.display().to_string();
    let Again { finding, remade, seen } = match &replayed.what {
        Ok(again) => &**again,
        Err(why) => return json!({ "kind": "replay", "path": path, "error": why }),
    };
    let (remade, why) = match remade {
        Remade::Alike => (Some(true), None),
        Remade::Otherwise => (Some(false), None),
        Remade::Not(why) => (None, Some(why)),
    };
    let said = seen.iter().map(|s| {
        let says = match s.says {
            Says::Holds => "holds",
            Says::DoesNot => "gone",
            Says::Open | Says::Other(_) => "open",
        };
        json!({ "solver": s.label, "accused": s.is_accused, "says": says, "what": s.what })
    });
    json!({
        "kind": "replay", "path": path, "id": finding.id, "class": finding.class().word(),
        "withdrawn": finding.withdrawn(), "remade": remade, "not_remade": why,
        "solvers": said.collect::<Vec<_>>(),
    })
}
