//! The history of a fault over the builds of a solver.

use std::io::{Result, Write};

use smelt_triage::{Class, Fingerprint, Says};
use smelt_trial::bisect::Span;
use smelt_trial::lineup::{Examined, Lineup, Told};

/// A history with what it is about.
pub struct Report<'a> {
    /// The builds.
    pub lineup: &'a Lineup,
    /// What they said.
    pub examined: &'a Examined,
    /// What tells the fault from others.
    pub print: &'a Fingerprint,
    /// The class of the fault.
    pub class: Class,
    /// How long it took.
    pub seconds: f64,
}

/// What a build said, in a word.
fn word(says: Says) -> &'static str {
    match says {
        Says::Holds => "shows",
        Says::DoesNot => "gone",
        Says::Open | Says::Other(_) => "open",
    }
}

/// What a build said, with what was seen.
pub fn words(told: &Told) -> String {
    match told.says {
        Says::Holds => format!("shows it: {}", told.what),
        Says::DoesNot => format!("does not: {}", told.what),
        Says::Open | Says::Other(_) => format!("cannot tell: {}", told.what),
    }
}

impl Report<'_> {
    fn name(&self, i: usize) -> &str {
        &self.lineup.builds[i].name
    }

    /// For people.
    pub fn print(&self, out: &mut dyn Write) -> Result<()> {
        let (lineup, examined) = (self.lineup, self.examined);
        let (n, asked) = (lineup.builds.len(), examined.history.asked());
        let ends = match (lineup.builds.first(), lineup.builds.last()) {
            (Some(a), Some(b)) => format!(", {} to {}", a.name, b.name),
            _ => String::new(),
        };
        writeln!(out, "{} in {}: {n} builds{ends}", self.class, lineup.solver)?;
        let width = lineup.builds.iter().map(|b| b.name.len()).max().unwrap_or(0);
        for (build, told) in lineup.builds.iter().zip(&examined.told) {
            if let Some(told) = told {
                writeln!(out, "  {:<width$}  {}", build.name, words(told))?;
            }
        }
        let spans = examined.history.spans();
        if spans.is_empty() {
            writeln!(out, "it shows in none of the {asked} that were asked")?;
        }
        for span in &spans {
            writeln!(out, "{}", self.sentence(span))?;
        }
        for option in self.print.cures() {
            writeln!(out, "it does not show with {option}")?;
        }
        writeln!(
            out,
            "{asked} of {n} asked, {} runs, {:.1} s{}",
            examined.runs,
            self.seconds,
            if asked < n { "; between two that answer alike nobody was asked (--all)" } else { "" }
        )
    }

    /// Where a span begins and ends.
    fn sentence(&self, span: &Span) -> String {
        let first = self.name(span.first);
        let mut text = match span.good {
            Some(good) => format!("last good {}, first bad {first}", self.name(good)),
            None => format!("bad from {first} on, the first that can tell"),
        };
        let doubt = self.cannot_tell(span.good.map_or(0, |g| g + 1), span.first);
        text += &doubt;
        match span.fixed {
            Some(fixed) => {
                text +=
                    &format!(", last bad {}, fixed in {}", self.name(span.last), self.name(fixed));
                text += &self.cannot_tell(span.last + 1, fixed);
            }
            None => {
                text += &format!(", not fixed in {}, the last that can tell", self.name(span.last))
            }
        }
        text
    }

    /// Builds of a range that were asked and could not tell, in brackets.
    fn cannot_tell(&self, from: usize, to: usize) -> String {
        let open: Vec<&str> = (from..to)
            .filter(|&i| matches!(self.examined.history.said[i], Some(Says::Open | Says::Other(_))))
            .map(|i| self.name(i))
            .collect();
        match &open[..] {
            [] => String::new(),
            [one] => format!(" ({one} cannot tell)"),
            [a, .., b] => format!(" ({} from {a} to {b} cannot tell)", open.len()),
        }
    }

    /// For machines.
    pub fn json(&self) -> serde_json::Value {
        let spans = self.examined.history.spans();
        let name = |i: usize| self.name(i);
        let builds = self.lineup.builds.iter().zip(&self.examined.told);
        let builds = builds.filter_map(|(b, t)| Some((b, t.as_ref()?))).map(
            |(b, t)| serde_json::json!({ "name": b.name, "says": word(t.says), "what": t.what }),
        );
        serde_json::json!({
            "kind": "bisect",
            "solver": self.lineup.solver,
            "class": self.class.word(),
            "builds": self.lineup.builds.len(),
            "asked": builds.collect::<Vec<_>>(),
            "spans": spans.iter().map(|s| serde_json::json!({
                "last-good": s.good.map(name),
                "first-bad": name(s.first),
                "last-bad": name(s.last),
                "fixed-in": s.fixed.map(name),
            })).collect::<Vec<_>>(),
            "runs": self.examined.runs,
            "gone-with": self.print.cures(),
            "wall_seconds": self.seconds,
        })
    }
}
