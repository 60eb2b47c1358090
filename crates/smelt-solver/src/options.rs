//! Option fuzzing: a run may get a few options from the profile's pool. Options that a release does not know are learned
//! from its refusals and dropped, for as long as the chooser lives: nothing is kept for the next campaign. Options that a safe mode
//! forbids are dropped in that mode only; one that is said not to suit a script is dropped if it suits none.

use std::collections::{BTreeMap, BTreeSet};

use crate::outcome::{Answer, Outcome};
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
    /// Options that the safe mode forbids.
    unsafe_: BTreeSet<String>,
    patterns: Vec<String>,
    /// What is said of an option that is known and does not suit the script or another option.
    unsuitable: Vec<String>,
    /// How often that was said of an option.
    doubts: BTreeMap<String, u32>,
    /// Options of runs that gave an answer.
    taken: BTreeSet<String>,
}

/// An option that did not suit so many scripts, and none before, suits no script.
const ENOUGH: u32 = 6;

impl OptionFuzzer {
    /// A chooser with the pool of the class.
    pub fn new(solver: &Solver, class: OptionClass) -> OptionFuzzer {
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
            unknown: BTreeSet::new(),
            unsafe_: BTreeSet::new(),
            patterns: profile.patterns.unknown_option.clone(),
            unsuitable: profile.patterns.unsupported.clone(),
            doubts: BTreeMap::new(),
            taken: BTreeSet::new(),
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
            choice.args.retain(|o| !self.unsafe_.contains(o));
            choice.args.insert(0, safe.clone());
        }
        choice
    }

    /// Learns from an outcome. An option or a tactic that is not known is not chosen again.
    pub fn learn(&mut self, choice: &Choice, outcome: &Outcome) {
        // The first refusal, if there is one: behind a reset some forget their options.
        let told = outcome.refusal().or(outcome.answer());
        let text = match told {
            Some(Answer::Rejected { error, .. }) => format!("{error}\n{}", outcome.stderr),
            Some(Answer::Unsupported(text)) => text.clone(),
            Some(Answer::Crash(_)) => outcome.stderr.clone(),
            Some(Answer::Sat | Answer::Unsat | Answer::Unknown(_)) => {
                for option in &choice.args {
                    if !self.taken.contains(option) {
                        self.taken.insert(option.clone());
                    }
                }
                return;
            }
            _ => return,
        };
        let refusal = text.lines().find(|l| self.patterns.iter().any(|p| l.contains(p.as_str())));
        if let Some(refusal) = refusal {
            self.blame(choice, refusal);
        } else if let Some(tactic) = &choice.tactic
            && ["unknown tactic", "invalid tactic"].iter().any(|words| text.contains(words))
        {
            self.unknown.insert(tactic.clone());
        }
    }

    /// Looks for the options that a refusal is about.
    fn blame(&mut self, choice: &Choice, refusal: &str) {
        let bare = |o: &str| {
            let o = o.trim_start_matches('-');
            o.split('=').next().unwrap_or(o).rsplit('.').next().unwrap_or(o).to_owned()
        };
        let is_named = |o: &&String| {
            let name = bare(o);
            refusal.contains(&name) || refusal.contains(name.trim_start_matches("no-"))
        };
        let is_safe = |o: &&String| Some(*o) == self.safe.as_ref();
        let in_safe_mode = choice.args.iter().any(|o| is_safe(&o));
        let (safe, others): (Vec<&String>, Vec<&String>) = choice.args.iter().partition(is_safe);
        let named: Vec<&String> = others.iter().copied().filter(|o| is_named(o)).collect();
        // If nobody is named, and there are several, not one of them can be blamed.
        let blamed: Vec<String> = match (named.as_slice(), others.as_slice()) {
            ([], _) if safe.iter().any(is_named) => {
                self.unknown.extend(safe.into_iter().cloned());
                return;
            }
            ([], []) => safe.into_iter().cloned().collect(),
            ([], [only]) => vec![(*only).clone()],
            ([], _) => Vec::new(),
            (named, _) => named.iter().map(|o| (*o).clone()).collect(),
        };
        if in_safe_mode && !others.is_empty() {
            // Perhaps it is taken without safe mode; if not, that will be said there.
            self.unsafe_.extend(blamed);
        } else if !self.unsuitable.iter().any(|p| refusal.contains(p.as_str())) {
            self.unknown.extend(blamed);
        } else {
            for option in blamed.into_iter().filter(|o| !self.taken.contains(o)) {
                let doubts = self.doubts.entry(option.clone()).or_default();
                *doubts += 1;
                if *doubts >= ENOUGH {
                    self.unknown.insert(option);
                }
            }
        }
    }

    /// Options that the release does not know, or takes with no script.
    pub fn unknown(&self) -> &BTreeSet<String> {
        &self.unknown
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::outcome::Check;
    use crate::{Launcher, Profile};

    const SAFE: &str = "--safe-mode=safe";

    fn fuzzer(class: OptionClass) -> OptionFuzzer {
        let profile = r#"
name = "fake"
family = "fake"
tested = false
cold = { input = "file", args = ["{file}"] }
[patterns]
unknown_option = ["in option parsing"]
unsupported = ["not supported"]
[options]
common = ["--seed=7"]
regular = ["--ite-simp", "--no-learning"]
[safe_mode]
arg = "--safe-mode=safe"
versions = "*"
"#;
        let profile = Arc::new(Profile::from_toml(profile).unwrap());
        let solver = Solver::from_parts("fake", profile, "fake", Vec::new(), Launcher::at("none"));
        OptionFuzzer::new(&solver, class)
    }

    fn outcome(answer: Answer) -> Outcome {
        Outcome { checks: vec![Check::bare(answer)], warm: true, ..Outcome::default() }
    }

    fn refused(error: &str) -> Outcome {
        outcome(Answer::Rejected { error: error.to_owned(), answer: None })
    }

    fn choice(options: &str) -> Choice {
        Choice { args: options.split_whitespace().map(str::to_owned).collect(), tactic: None }
    }

    /// Which of `--seed=7`, `--ite-simp`, `--no-learning` and safe mode are still chosen, and which beside safe mode, after a
    /// refusal in these words of a run with these options.
    fn check(given: &str, refusal: &str, expect: (&str, &str)) {
        let mut f = fuzzer(OptionClass::Regular);
        f.learn(&choice(given), &refused(refusal));
        let mut state = 7u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let (mut all, mut beside) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..1000 {
            let args = f.choose(&mut below).args;
            if args.iter().any(|a| a == SAFE) {
                beside.extend(args.iter().cloned());
            }
            all.extend(args);
        }
        let words = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!((&*words(all), &*words(beside)), expect, "{given}: {refusal}");
    }

    #[test]
    fn who_is_blamed_for_a_refusal() {
        let all = "--ite-simp --no-learning --safe-mode=safe --seed=7";
        let without_ite = "--no-learning --safe-mode=safe --seed=7";
        let unknown = "Error in option parsing: can't understand option `--ite-simp'";
        check("--ite-simp", unknown, (without_ite, without_ite));
        check("--ite-simp --seed=7", unknown, (without_ite, without_ite));
        // What safe mode forbids is good without it.
        let forbidden =
            "Error in option parsing: ite-simp: expert option ite-simp cannot be set in safe mode";
        check("--safe-mode=safe --ite-simp", forbidden, (all, without_ite));
        check("--safe-mode=safe --ite-simp --seed=7", forbidden, (all, without_ite));
        let learning = "Error in option parsing: expert option learning cannot be set in safe mode";
        let without_learning = "--ite-simp --safe-mode=safe --seed=7";
        check("--safe-mode=safe --no-learning", learning, (all, without_learning));
        // A release without safe mode.
        let no_safe = "Error in option parsing: can't understand option `--safe-mode=safe'";
        check("--safe-mode=safe --ite-simp", no_safe, ("--ite-simp --no-learning --seed=7", ""));
        check(
            "--safe-mode=safe",
            "Error in option parsing",
            ("--ite-simp --no-learning --seed=7", ""),
        );
        // The message names no option: it is about the only one that was given, if there is only one.
        check("--ite-simp", "Error in option parsing", (without_ite, without_ite));
        check("--ite-simp --seed=7", "Error in option parsing", (all, all));
        check("--safe-mode=safe --ite-simp", "Error in option parsing", (all, without_ite));
        // It is known, and does not suit the script.
        let unsuitable = "Error in option parsing: --ite-simp not supported in quantified logics";
        check("--ite-simp", unsuitable, (all, all));
        // No refusal of an option at all.
        check("--ite-simp", "Parse Error: x", (all, all));
    }

    /// An option that suits some scripts only is good for those; one that suits none is dropped in the end.
    #[test]
    fn options_that_do_not_suit() {
        let unsuitable = refused("Error in option parsing: ite-simp not supported in such logics");
        let ite = choice("--ite-simp");
        for (taken, expect) in [(false, 1), (true, 0)] {
            let mut f = fuzzer(OptionClass::Regular);
            if taken {
                f.learn(&ite, &outcome(Answer::Unknown(None)));
            }
            for _ in 0..ENOUGH {
                assert_eq!(f.unknown().len(), 0);
                f.learn(&ite, &unsuitable);
            }
            assert_eq!(f.unknown().len(), expect);
        }
    }
}
