//! Which triggers are one bug. A fingerprint is plain data of the smallest script that shows a fault; two of them are compared with a
//! reason that people can read.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use smelt_solver::Version;

use crate::class::{Class, Says};

/// Whether a fault shows somewhere: in a release, or under an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// It shows.
    Shows,
    /// It does not.
    Gone,
    /// Nobody can tell: a refusal, a limit, `unknown`.
    Open,
}

impl From<Says> for Mark {
    fn from(says: Says) -> Self {
        match says {
            Says::Holds => Self::Shows,
            Says::DoesNot => Self::Gone,
            Says::Open | Says::Other(_) => Self::Open,
        }
    }
}

/// What is characteristic of a fault, taken from the smallest script that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Name of the solver's profile.
    pub solver: String,
    /// The class of the fault.
    pub class: Class,
    /// Where it crashes, if it does: the signature of the crash.
    #[serde(default)]
    pub crash: Option<String>,
    /// Operators and binders of the script.
    pub operators: BTreeSet<String>,
    /// Each release that was asked, the oldest first.
    #[serde(default)]
    pub releases: Vec<(String, Mark)>,
    /// The release in which it was found, as `releases` call it.
    #[serde(default)]
    pub own: Option<String>,
    /// Options of the solver that were set beside those of the fault.
    #[serde(default)]
    pub options: BTreeMap<String, Mark>,
}

/// Whether two faults are one bug, and why that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// One bug.
    Same(String),
    /// Two bugs.
    Different(String),
}

/// Triggers of one bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// The trigger with the fewest operators: what the bug is known by.
    pub leader: usize,
    /// The others, each with why it is the same bug.
    pub others: Vec<(usize, String)>,
}

impl Cluster {
    /// All triggers, the leader first.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.leader).chain(self.others.iter().map(|(i, _)| *i))
    }
}

impl Fingerprint {
    /// Releases where it shows, from the first to the last of each run: `4.8.5–4.8.8, 4.12.2`. Those that cannot tell do not end a run.
    pub fn spans(&self) -> String {
        let mut runs: Vec<(&str, &str)> = Vec::new();
        let mut is_open = false;
        for (name, mark) in &self.releases {
            match (mark, runs.last_mut().filter(|_| is_open)) {
                (Mark::Shows, Some(run)) => run.1 = name,
                (Mark::Shows, None) => runs.push((name, name)),
                _ => {}
            }
            is_open = *mark == Mark::Shows || (is_open && *mark == Mark::Open);
        }
        let text =
            |(a, b): &(&str, &str)| if a == b { (*a).to_owned() } else { format!("{a}–{b}") };
        runs.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    /// Options that make it vanish.
    pub fn cures(&self) -> BTreeSet<&str> {
        let gone = self.options.iter().filter(|(_, mark)| **mark == Mark::Gone);
        gone.map(|(option, _)| option.as_str()).collect()
    }

    /// Whether a fault that was not looked into yet is likely this one: of the same kind, in a release that is not known to be without it,
    /// and in a script with all of its operators.
    pub fn is_likely(
        &self,
        solver: &str,
        version: Option<&str>,
        class: Class,
        operators: &BTreeSet<&str>,
    ) -> bool {
        let gone = |v: &str| self.releases.iter().any(|(name, m)| name == v && *m == Mark::Gone);
        self.solver == solver
            && side(self.class) == side(class)
            && !version.is_some_and(gone)
            && self.telling().is_subset(&operators.iter().map(|o| kin(o)).collect())
    }

    /// Whether two faults are one bug.
    pub fn compare(&self, other: &Self) -> Likeness {
        use Likeness::{Different, Same};
        if self.solver != other.solver {
            return Different(format!("{} and {} are two solvers", self.solver, other.solver));
        }
        if side(self.class) != side(other.class) {
            return Different(format!("{} and {} differ", self.class.word(), other.class.word()));
        }
        match (self.place(), other.place()) {
            (Some(a), Some(b)) if a == b => return Same(format!("both end at {a}")),
            (Some(a), Some(b)) => return Different(format!("one ends at {a}, the other at {b}")),
            _ => {}
        }
        let releases = match self.releases_agree(other) {
            Ok(words) => words,
            Err(words) => return Different(words),
        };
        let (mine, theirs) = (self.telling(), other.telling());
        let (fewer, more) = match mine.len() <= theirs.len() {
            true => (&mine, &theirs),
            false => (&theirs, &mine),
        };
        if fewer.is_subset(more) {
            let words = if fewer == more { "=" } else { "⊆" };
            return Same(format!("{releases} and operators {words}"));
        }
        let common: Vec<&str> = mine.intersection(&theirs).copied().collect();
        let cures = self.cures();
        if !common.is_empty() && !cures.is_empty() && cures == other.cures() {
            let cures: Vec<&str> = cures.into_iter().collect();
            return Same(format!(
                "{releases}, gone with {} and {} in both",
                cures.join(" or "),
                common.join(" ")
            ));
        }
        let odd: Vec<&str> = fewer.difference(more).copied().collect();
        Different(format!("only one has {}", odd.join(" ")))
    }

    /// The operators that tell bugs apart: comparisons that are each other's negation or mirror image count as one, because a reducer may end
    /// with either, and so do operators of which one is defined by the other. What is in nearly every script, of any theory or of its own, and
    /// values that have names, as numbers have none, count where there is nothing else.
    fn telling(&self) -> BTreeSet<&str> {
        let all: BTreeSet<&str> = self.operators.iter().map(|o| kin(o)).collect();
        let but = |few: &[&str]| all.iter().copied().filter(|o| !few.contains(o)).collect();
        let plain: BTreeSet<&str> = but(&[&CONNECTIVES[..], &VALUES].concat());
        let telling: BTreeSet<&str> = plain.iter().copied().filter(|o| !GLUE.contains(o)).collect();
        [telling, plain, all].into_iter().find(|set| !set.is_empty()).unwrap_or_default()
    }

    /// Where it ends, without what changes from build to build; `None` where that says nothing.
    fn place(&self) -> Option<String> {
        let text = self.crash.as_deref()?;
        // A bare signal, an exit code: the same for many bugs.
        if !text.contains(": ") {
            return None;
        }
        // `assertion file.cpp:12: …`: lines move, the file and the condition stay.
        let mut out = String::new();
        let mut digits = false;
        for c in text.chars() {
            if digits && c.is_ascii_digit() {
                continue;
            }
            digits = c == ':';
            out.push(c);
        }
        Some(out)
    }

    /// Whether no release shows the one and not the other, in words; there must be one that shows both.
    fn releases_agree(&self, other: &Self) -> Result<String, String> {
        let names: Vec<&str> =
            self.releases.iter().chain(&other.releases).map(|(name, _)| name.as_str()).collect();
        let mut both = false;
        for name in names {
            match (self.at(name), other.at(name)) {
                (Mark::Shows, Mark::Shows) => both = true,
                (Mark::Shows, Mark::Gone) | (Mark::Gone, Mark::Shows) => {
                    return Err(format!("{name} shows only one of them"));
                }
                _ => {}
            }
        }
        match both {
            true => Ok(format!("same fingerprint {}", self.spans())),
            false => Err("no release shows both".to_owned()),
        }
    }

    /// Whether it shows in a release, as far as that is about the bug that was found: behind a release without it, on either side of the
    /// one in which it was found, another bug may show the same. A release that was not asked is like its neighbours, if they agree: which ones
    /// are asked depends on where the search for the first and the last one led, and on what was installed.
    fn at(&self, name: &str) -> Mark {
        let run = self.run();
        if let Some((_, mark)) = run.iter().find(|(n, _)| n == name) {
            return *mark;
        }
        let Some(version) = Version::parse(name) else { return Mark::Open };
        let (mut before, mut behind) = (Mark::Open, Mark::Open);
        for (n, mark) in run.iter().filter(|(_, mark)| *mark != Mark::Open) {
            match Version::parse(n).map(|v| v < version) {
                Some(true) => before = *mark,
                Some(false) if behind == Mark::Open => behind = *mark,
                _ => {}
            }
        }
        if before == behind { before } else { Mark::Open }
    }

    /// The releases around the one in which it was found, to the next ones without it; all of them, if that one is not known.
    fn run(&self) -> &[(String, Mark)] {
        let all = &self.releases[..];
        let own = self.own.as_ref().and_then(|own| all.iter().position(|(n, _)| n == own));
        let Some(own) = own.filter(|&i| all[i].1 == Mark::Shows) else { return all };
        let gone = |i: &usize| all[*i].1 == Mark::Gone;
        let first = (0..own).rev().find(gone).unwrap_or(0);
        let last = (own..all.len()).find(gone).unwrap_or(all.len() - 1);
        &all[first..=last]
    }
}

/// Operators that say nothing about a bug beside others.
const CONNECTIVES: [&str; 8] = ["not", "and", "or", "=>", "xor", "ite", "=", "distinct"];

/// Operators that are in nearly every script about numbers, bits or floats, by the kinds below.
const GLUE: [&str; 16] = [
    "+",
    "-",
    "<",
    "bvadd",
    "bvsub",
    "bvneg",
    "bvnot",
    "bvand",
    "bvor",
    "bvult",
    "bvslt",
    "concat",
    "extract",
    "zero_extend",
    "fp.lt",
    "fp.eq",
];

/// Values with names of their own: rounding modes, and the special values of floats.
const VALUES: [&str; 10] =
    ["RNE", "RNA", "RTP", "RTN", "RTZ", "+oo", "-oo", "+zero", "-zero", "NaN"];

/// The operator by which its kind is known.
fn kin(operator: &str) -> &str {
    const KINDS: [&[&str]; 16] = [
        &["<", "<=", ">", ">="],
        &["bvult", "bvule", "bvugt", "bvuge"],
        &["bvslt", "bvsle", "bvsgt", "bvsge"],
        &["fp.lt", "fp.leq", "fp.gt", "fp.geq"],
        &["str.<", "str.<="],
        &["re.*", "re.+"],
        &["forall", "exists"],
        // One is defined by the other, and solvers have one piece of code for both.
        &["div", "mod"],
        &["bvudiv", "bvurem"],
        &["bvsdiv", "bvsrem", "bvsmod"],
        &["zero_extend", "sign_extend"],
        &["rotate_left", "rotate_right"],
        &["fp.min", "fp.max"],
        &["fp.to_ubv", "fp.to_sbv"],
        &["str.prefixof", "str.suffixof"],
        &["str.replace_re", "str.replace_re_all"],
    ];
    KINDS.iter().find(|kind| kind.contains(&operator)).map_or(operator, |kind| kind[0])
}

/// Classes whose faults may be one bug are on one side: what makes a solver say `sat` wrongly also makes it give a bad model.
fn side(class: Class) -> Class {
    match class {
        Class::SolutionSoundness | Class::ModelContradiction => Class::InvalidModel,
        Class::PerformanceRegression => Class::Performance,
        Class::ImplicationIncompleteness => Class::IncompletenessRegression,
        class => class,
    }
}

/// Puts triggers together that are one bug. Each is compared with those that bugs are known by, which have the fewest operators; the
/// result does not depend on the order in which triggers were found, beyond which of two equal ones leads.
pub fn clusters(prints: &[Fingerprint]) -> Vec<Cluster> {
    let mut order: Vec<usize> = (0..prints.len()).collect();
    order.sort_by_key(|&i| (prints[i].operators.len(), i));
    let mut all: Vec<Cluster> = Vec::new();
    for i in order {
        let found = all.iter_mut().find_map(|c| match prints[c.leader].compare(&prints[i]) {
            Likeness::Same(why) => Some((c, why)),
            Likeness::Different(_) => None,
        });
        match found {
            Some((cluster, why)) => cluster.others.push((i, why)),
            None => all.push(Cluster { leader: i, others: Vec::new() }),
        }
    }
    all
}

#[cfg(test)]
mod tests;
