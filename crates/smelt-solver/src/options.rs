//! Option fuzzing: a run may get a few options from the profile's pool. Options that a release does not know are learned
//! from its refusals and dropped.

use std::collections::BTreeSet;

use crate::home::Home;
use crate::outcome::{Answer, Outcome};
use crate::probe::Capabilities;
use crate::solver::Solver;
use crate::version;

/// How far option fuzzing goes. Each class includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum OptionClass {
    /// No options.
    #[default]
    None,
    /// Options for everybody.
    Common,
    /// Options for those who know.
    Regular,
    /// Options at one's own risk.
    Expert,
}

impl std::str::FromStr for OptionClass {
    type Err = String;

    fn from_str(text: &str) -> Result<OptionClass, String> {
        match text {
            "none" => Ok(OptionClass::None),
            "common" => Ok(OptionClass::Common),
            "regular" => Ok(OptionClass::Regular),
            "expert" => Ok(OptionClass::Expert),
            _ => Err(format!("{text:?} is none of none, common, regular, expert")),
        }
    }
}

/// What option fuzzing adds to a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Options for [`crate::Setup::extra`].
    pub args: Vec<String>,
    /// A tactic for [`crate::Script::with_tactic`].
    pub tactic: Option<String>,
}

/// Chooses options for one solver.
#[derive(Debug, Clone)]
pub struct OptionFuzzer {
    pool: Vec<String>,
    tactics: Vec<String>,
    safe: Option<String>,
    class: OptionClass,
    unknown: BTreeSet<String>,
    patterns: Vec<String>,
}

impl OptionFuzzer {
    /// A chooser with the pool of the class; what the release is known not to know is left out.
    pub fn new(solver: &Solver, class: OptionClass, known: Option<&Capabilities>) -> OptionFuzzer {
        let profile = solver.profile();
        let classes = [
            (OptionClass::Common, &profile.options.common),
            (OptionClass::Regular, &profile.options.regular),
            (OptionClass::Expert, &profile.options.expert),
        ];
        let pool = classes
            .into_iter()
            .filter(|(c, _)| *c <= class)
            .flat_map(|(_, o)| o.iter().cloned())
            .collect();
        let safe =
            profile.safe_mode.as_ref().filter(|s| version::in_range(solver.version(), &s.versions));
        OptionFuzzer {
            pool,
            tactics: if class >= OptionClass::Regular {
                profile.tactics.clone()
            } else {
                Vec::new()
            },
            safe: safe.map(|s| s.arg.clone()),
            class,
            unknown: known.map(|k| k.unknown_options.clone()).unwrap_or_default(),
            patterns: profile.patterns.unknown_option.clone(),
        }
    }

    /// Chooses. Half of all runs get nothing, as trackers ask; the others one to three options, and now and then a tactic.
    /// Below the expert class a quarter of those runs in the solver's safe mode, where the release has one: what fails there
    /// counts most. `below(n)` gives a number in `0..n`.
    pub fn choose(&self, mut below: impl FnMut(usize) -> usize) -> Choice {
        let mut choice = Choice::default();
        if self.class == OptionClass::None || below(2) == 0 {
            return choice;
        }
        let usable: Vec<&String> =
            self.pool.iter().filter(|o| !self.unknown.contains(*o)).collect();
        let count = 1 + below(3);
        for _ in 0..count.min(usable.len()) {
            let option = usable[below(usable.len())];
            // Two values of one option would only contradict each other.
            let name = |o: &str| {
                o.split('=')
                    .next()
                    .unwrap_or(o)
                    .trim_start_matches("--no-")
                    .trim_start_matches('-')
                    .to_owned()
            };
            if !choice.args.iter().any(|a| name(a) == name(option)) {
                choice.args.push(option.clone());
            }
        }
        let tactics: Vec<&String> =
            self.tactics.iter().filter(|t| !self.unknown.contains(*t)).collect();
        if !tactics.is_empty() && below(4) == 0 {
            choice.tactic = Some(tactics[below(tactics.len())].clone());
        }
        if let Some(safe) = self
            .safe
            .as_ref()
            .filter(|s| self.class < OptionClass::Expert && !self.unknown.contains(*s))
            && below(4) == 0
        {
            choice.args.insert(0, safe.clone());
        }
        choice
    }

    /// Learns from an outcome: true when the run failed because of the choice, which then is not made again and the outcome
    /// means nothing.
    pub fn learn(&mut self, choice: &Choice, outcome: &Outcome) -> bool {
        let text = match outcome.answer() {
            Some(Answer::Rejected { error, .. }) => format!("{error}\n{}", outcome.stderr),
            Some(Answer::Unsupported(text)) => text.clone(),
            Some(Answer::Crash(_)) => outcome.stderr.clone(),
            _ => return false,
        };
        let refused_option = self.patterns.iter().any(|p| text.contains(p.as_str()));
        if refused_option {
            let bare = |o: &str| {
                let o = o.trim_start_matches('-');
                o.split('=').next().unwrap_or(o).rsplit('.').next().unwrap_or(o).to_owned()
            };
            let first = text
                .lines()
                .find(|l| self.patterns.iter().any(|p| l.contains(p.as_str())))
                .unwrap_or("");
            let named: Vec<&String> = choice
                .args
                .iter()
                .filter(|o| {
                    let name = bare(o);
                    first.contains(&name) || first.contains(name.trim_start_matches("no-"))
                })
                .collect();
            match (named.is_empty(), choice.args.as_slice()) {
                (false, _) => self.unknown.extend(named.into_iter().cloned()),
                (true, [only]) => {
                    self.unknown.insert(only.clone());
                }
                // Nobody is named: not one of them can be blamed, and the run is void.
                (true, _) => {}
            }
            return !choice.args.is_empty();
        }
        // Safe mode switches whole theories off: that says nothing about the release.
        if choice.args.iter().any(|a| Some(a) == self.safe.as_ref())
            && matches!(outcome.answer(), Some(Answer::Unsupported(_)))
        {
            return true;
        }
        if let Some(tactic) = &choice.tactic {
            // `unknown tactic`, or one that does not take such a goal.
            if text.contains("tactic") {
                if text.contains("unknown tactic") || text.contains("invalid tactic") {
                    self.unknown.insert(tactic.clone());
                }
                return true;
            }
        }
        false
    }

    /// Remembers what was learned with the solver's other capabilities.
    pub fn remember(&self, home: &Home, solver: &Solver) -> std::io::Result<()> {
        let Some(mut known) = Capabilities::load(home, solver) else { return Ok(()) };
        if self.unknown.is_subset(&known.unknown_options) {
            return Ok(());
        }
        known.unknown_options.extend(self.unknown.iter().cloned());
        known.save(home, solver)
    }

    /// Options that were refused.
    pub fn unknown(&self) -> &BTreeSet<String> {
        &self.unknown
    }
}
