//! Which triggers are one bug. A fingerprint is plain data of the smallest script that shows a fault; two of them are compared with a
//! reason that people can read.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

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
            && self.operators.iter().all(|o| operators.contains(o.as_str()))
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
    /// with either; connectives and equations, which are in nearly every script, count where there is nothing else.
    fn telling(&self) -> BTreeSet<&str> {
        let all = || self.operators.iter().map(String::as_str);
        let telling: BTreeSet<&str> = all().filter(|o| !CONNECTIVES.contains(o)).map(kin).collect();
        if telling.is_empty() { all().collect() } else { telling }
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
        let marks: BTreeMap<&str, Mark> =
            other.releases.iter().map(|(name, mark)| (name.as_str(), *mark)).collect();
        let mut both = false;
        for (name, mark) in &self.releases {
            match (mark, marks.get(name.as_str())) {
                (Mark::Shows, Some(Mark::Shows)) => both = true,
                (Mark::Shows, Some(Mark::Gone)) | (Mark::Gone, Some(Mark::Shows)) => {
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
}

/// Operators that say nothing about a bug beside others.
const CONNECTIVES: [&str; 8] = ["not", "and", "or", "=>", "xor", "ite", "=", "distinct"];

/// The operator by which its kind is known.
fn kin(operator: &str) -> &str {
    const KINDS: [&[&str]; 7] = [
        &["<", "<=", ">", ">="],
        &["bvult", "bvule", "bvugt", "bvuge"],
        &["bvslt", "bvsle", "bvsgt", "bvsge"],
        &["fp.lt", "fp.leq", "fp.gt", "fp.geq"],
        &["str.<", "str.<="],
        &["re.*", "re.+"],
        &["forall", "exists"],
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
mod tests {
    use super::*;

    /// A fingerprint of a few words: class, operators, a letter per release (x shows, . gone, ? open).
    fn print(class: Class, operators: &str, releases: &str) -> Fingerprint {
        let mark = |c: char| match c {
            'x' => Mark::Shows,
            '.' => Mark::Gone,
            _ => Mark::Open,
        };
        let names = (5..).map(|n| format!("4.8.{n}"));
        Fingerprint {
            solver: "z3".into(),
            class,
            crash: None,
            operators: operators.split_whitespace().map(str::to_owned).collect(),
            releases: names.zip(releases.chars().map(mark)).collect(),
            options: BTreeMap::new(),
        }
    }

    const UNSAT: Class = Class::RefutationSoundness;

    #[track_caller]
    fn check(a: &Fingerprint, b: &Fingerprint, expect: &str) {
        let said = match a.compare(b) {
            Likeness::Same(why) => format!("same: {why}"),
            Likeness::Different(why) => format!("different: {why}"),
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn pairs() {
        let plain = print(UNSAT, "str.len str.replace", ".xxx..");
        let same = "same: same fingerprint 4.8.6–4.8.8 and operators";
        check(&plain, &plain, &format!("{same} ="));
        check(&plain, &print(UNSAT, "str.at str.len str.replace", ".x?x??"), &format!("{same} ⊆"));
        // It came back: another bug.
        let back = print(UNSAT, "str.len str.replace", ".xxx.x");
        check(&plain, &back, "different: 4.8.10 shows only one of them");
        assert_eq!(back.spans(), "4.8.6–4.8.8, 4.8.10");
        check(
            &plain,
            &print(UNSAT, "str.len", "x....."),
            "different: 4.8.5 shows only one of them",
        );
        check(
            &plain,
            &print(UNSAT, "str.len", "?????x"),
            "different: 4.8.10 shows only one of them",
        );
        check(&plain, &print(UNSAT, "str.len", "????.."), "different: no release shows both");
        check(
            &plain,
            &print(UNSAT, "str.len bvadd", ".xxx.."),
            "different: only one has str.replace",
        );
        check(
            &plain,
            &print(Class::InvalidModel, "str.len", ".xxx.."),
            "different: refutation-soundness and invalid-model differ",
        );
        let model = print(Class::InvalidModel, "fp.add", "xxx");
        check(
            &model,
            &print(Class::SolutionSoundness, "fp.add fp.eq", "xxx"),
            "same: same fingerprint 4.8.5–4.8.7 and operators ⊆",
        );
        let other = Fingerprint { solver: "cvc5".into(), ..plain.clone() };
        check(&plain, &other, "different: z3 and cvc5 are two solvers");
    }

    #[test]
    fn operators_of_a_kind() {
        let same = "same: same fingerprint 4.8.5–4.8.6 and operators";
        let a = print(UNSAT, "* < not", "xx");
        check(&a, &print(UNSAT, "* >= and or", "xx"), &format!("{same} ="));
        check(&a, &print(UNSAT, "* <= div forall", "xx"), &format!("{same} ⊆"));
        check(&a, &print(UNSAT, "/ <=", "xx"), "different: only one has *");
        // Nothing else is there to tell them apart.
        check(&print(UNSAT, "=", "xx"), &print(UNSAT, "xor", "xx"), "different: only one has =");
    }

    #[test]
    fn options_tell() {
        let with = |operators: &str, cures: &[&str]| Fingerprint {
            options: cures.iter().map(|o| ((*o).to_owned(), Mark::Gone)).collect(),
            ..print(UNSAT, operators, ".xx.")
        };
        let a = with("+ * div", &["smt.arith.solver=2"]);
        check(
            &a,
            &with("+ mod", &["smt.arith.solver=2"]),
            "same: same fingerprint 4.8.6–4.8.7, gone with smt.arith.solver=2 and + in both",
        );
        check(&a, &with("+ mod", &["rewriter.flat=false"]), "different: only one has mod");
        check(&a, &with("bvadd", &["smt.arith.solver=2"]), "different: only one has bvadd");
    }

    #[test]
    fn crashes_by_their_place() {
        let at = |crash: &str, operators: &str| Fingerprint {
            crash: Some(crash.to_owned()),
            ..print(Class::Crash, operators, "xx")
        };
        let a = at("assertion smt/theory_seq.cpp:120: m_ok", "str.len");
        check(
            &a,
            &at("assertion smt/theory_seq.cpp:98: m_ok", "str.at"),
            "same: both end at assertion smt/theory_seq.cpp:: m_ok",
        );
        check(
            &a,
            &at("SIGSEGV: f < g", "str.len"),
            "different: one ends at assertion smt/theory_seq.cpp:: m_ok, the other at SIGSEGV: f < g",
        );
        let bare = "same: same fingerprint 4.8.5–4.8.6 and operators =";
        check(&at("SIGSEGV", "str.at"), &at("SIGSEGV", "str.at"), bare);
        check(&at("SIGSEGV", "str.at"), &at("SIGSEGV", "bvadd"), "different: only one has str.at");
    }

    #[test]
    fn together() {
        let all = [
            print(UNSAT, "str.at str.len str.replace", ".xxx.."),
            print(UNSAT, "bvadd", ".xxx.."),
            print(UNSAT, "str.len", ".xxx.."),
            print(UNSAT, "str.len", "....xx"),
            print(UNSAT, "bvadd bvmul", "?x??.."),
        ];
        let found: Vec<Vec<usize>> = clusters(&all).iter().map(|c| c.members().collect()).collect();
        assert_eq!(found, [vec![1, 4], vec![2, 0], vec![3]]);
    }
}
