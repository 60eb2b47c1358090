//! What is done with the best instances: run with ten seeds, looked for in the releases of the solver, made smaller.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Result;
use smelt_smtlib::parse;
use smelt_solver::Cancel;
use smelt_trial::lineup::Lineup;
use smelt_trial::{Panel, Resolver, Target};

use super::confirm::{SEEDS, Terms, confirm};
use super::data::{Best, Report, Slow};
use super::history::history;
use super::smaller::smaller;

/// What is to be done.
pub struct Follow<'a> {
    /// The target and its references, in this order.
    pub panel: &'a Panel,
    /// How many instances are confirmed, those with the highest scores first.
    pub number: usize,
    /// CPU time of a run.
    pub limit: Duration,
    /// Who finds and installs releases, if what is confirmed of releases of one solver is to be looked for in them.
    pub resolver: Option<&'a Resolver<'a>>,
    /// Whether what is confirmed is made smaller.
    pub reduce: bool,
    /// Ends it: what is known by then is kept.
    pub cancel: &'a Cancel,
}

impl Follow<'_> {
    /// Does it, and adds what came of it to a report. `tell` hears what is being done.
    pub fn run(&self, report: &mut Report, tell: &dyn Fn(&str)) -> Result<()> {
        let chosen: Vec<Best> = best(report, self.number).into_iter().cloned().collect();
        for best in chosen {
            if self.cancel.is_cancelled() {
                break;
            }
            report.slow.extend(self.one(&best, tell)?);
        }
        Ok(())
    }

    fn one(&self, best: &Best, tell: &dyn Fn(&str)) -> Result<Option<Slow>> {
        let (Some(fast), Ok(script)) = (self.fastest(best), parse(best.script.as_bytes())) else {
            return Ok(None);
        };
        let terms = Terms { limit: self.limit, cancel: self.cancel };
        let pair = [&self.panel.targets()[0], fast];
        tell(&format!("{}: run with {SEEDS} seeds", best.file));
        let mut slow = confirm(pair, &script, &best.file, terms)?;
        if !slow.confirmed {
            return Ok(Some(slow));
        }
        if let (Some(resolver), Some(solver)) = (self.resolver, self.solver_of(fast)) {
            tell(&format!("{}: looked for in releases of {solver}", best.file));
            let lineup = Lineup::of_releases(resolver, &solver, pair[0].solver.args())?;
            let mut versions: Vec<_> = pair.iter().filter_map(|t| t.solver.version()).collect();
            versions.sort();
            let known: Vec<String> = versions.iter().map(ToString::to_string).collect();
            // What is between them brought it.
            let ends = (known.first().map(String::as_str), known.last().map(String::as_str));
            let lineup = lineup.between(ends.0, ends.1)?;
            slow.history = Some(history(&slow, &script, &lineup, resolver, terms, &known)?);
        }
        if self.reduce {
            tell(&format!("{}: made smaller", best.file));
            let file = best.file.replace(".smt2", ".small.smt2");
            slow.smaller = smaller(pair, &best.script, &file, terms)?;
        }
        Ok(Some(slow))
    }

    /// The reference that decides an instance in the least time.
    fn fastest(&self, best: &Best) -> Option<&Target> {
        let others = best.runs.iter().zip(self.panel.targets()).skip(1);
        let decided = others.filter(|(r, _)| matches!(&*r.answer, "sat" | "unsat"));
        decided.min_by(|a, b| a.0.seconds.total_cmp(&b.0.seconds)).map(|(_, target)| target)
    }

    /// The solver of which both are releases, with the same options.
    fn solver_of(&self, fast: &Target) -> Option<String> {
        let slow = &self.panel.targets()[0].solver;
        let fast = &fast.solver;
        let same = slow.profile().name == fast.profile().name && slow.args() == fast.args();
        let versions = slow.version().is_some() && fast.version().is_some();
        (same && versions).then(|| slow.profile().name.clone())
    }
}

/// The instances with the highest scores of all methods, each script once.
fn best(report: &Report, number: usize) -> Vec<&Best> {
    let mut all: Vec<&Best> = report.methods.iter().flat_map(|m| &m.suite).collect();
    all.retain(|b| b.score > 0.0);
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.file.cmp(&b.file)));
    let mut seen = BTreeSet::new();
    all.retain(|b| seen.insert(&b.script));
    all.truncate(number);
    all
}
