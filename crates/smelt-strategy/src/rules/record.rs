//! What is proved: the record beside the rules. A proof belongs to the text of a rule, by its digest, and to sort instances.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write;

use super::claim::Claim;
use super::sexpr::Sexpr;

/// The record of the rules that smelt comes with.
pub const EMBEDDED: &str = include_str!("../../../../rules/PROOFS");

/// Instances that were proved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The instances, by their labels.
    pub labels: Vec<Box<str>>,
    /// Who proved each of them, with version.
    pub solvers: Vec<Box<str>>,
    /// Up to this length of strings and sequences only.
    pub bound: Option<u32>,
}

impl Proof {
    /// How many different solvers proved it: releases of one solver may share a mistake, and count once. One of unknown descent
    /// may be any of the others.
    pub fn families(&self) -> usize {
        let mut families: BTreeSet<&str> = self.solvers.iter().map(|s| family(s)).collect();
        let unknown = families.remove("generic");
        families.len().max(usize::from(unknown))
    }
}

/// What is known about one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Digest of what the rule says.
    pub hash: Box<str>,
    /// Random values on which it held.
    pub held: u64,
    /// Proofs.
    pub proofs: Vec<Proof>,
    /// Instances that nobody proved.
    pub open: Vec<Box<str>>,
    /// Where it is false. Then proofs at other sorts do not count: the rule is not what was meant.
    pub refuted: Option<Refutation>,
}

/// Why a rule is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The instance.
    pub label: Box<str>,
    /// Who found it.
    pub by: Box<str>,
    /// Values of the variables.
    pub values: Box<str>,
}

/// What may be said about a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Solvers proved it, for all of the recorded sort instances.
    Proved,
    /// Solvers proved it up to a length of strings or sequences; off unless a proof is written beside it.
    Bounded,
    /// No single query says it: solvers proved instances; off unless a proof is written beside it.
    Schema,
    /// Nobody proved an instance.
    Open,
    /// There is a counterexample.
    Refuted,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Bounded => "bounded",
            Self::Schema => "schema",
            Self::Open => "open",
            Self::Refuted => "refuted",
        })
    }
}

impl Entry {
    /// The state of a rule with this entry.
    pub fn state(&self, claim: &Claim) -> State {
        match () {
            _ if self.refuted.is_some() => State::Refuted,
            _ if self.proofs.is_empty() => State::Open,
            _ if claim.is_schema() => State::Schema,
            _ if self.proofs.iter().any(|p| p.bound.is_none()) => State::Proved,
            _ => State::Bounded,
        }
    }

    /// Whether an instance has a proof.
    pub fn proves(&self, label: &str) -> bool {
        self.proofs.iter().any(|p| p.labels.iter().any(|l| &**l == label))
    }

    /// Who has proved an instance, with versions.
    pub fn provers(&self, label: &str) -> impl Iterator<Item = &str> {
        let proofs = self.proofs.iter().filter(move |p| p.labels.iter().any(|l| &**l == label));
        proofs.flat_map(|p| p.solvers.iter().map(|s| &**s))
    }

    /// Adds proofs of instances.
    pub fn prove(&mut self, new: Proof) {
        if new.labels.is_empty() {
            return;
        }
        match self.proofs.iter_mut().find(|p| p.solvers == new.solvers && p.bound == new.bound) {
            Some(p) => p.labels.extend(new.labels),
            None => self.proofs.push(new),
        }
    }

    /// The instances that solvers of one family alone proved: those may share a mistake.
    pub fn by_one_family(&self) -> Vec<&str> {
        let alone = self.proofs.iter().filter(|p| p.families() < 2);
        alone.flat_map(|p| p.labels.iter().map(|l| &**l)).collect()
    }

    /// Leaves out what it says about some instances.
    pub fn forget(&mut self, which: impl Fn(&str) -> bool) {
        self.proofs.iter_mut().for_each(|p| p.labels.retain(|l| !which(l)));
        self.proofs.retain(|p| !p.labels.is_empty());
        self.open.retain(|l| !which(l));
    }

    /// That it is false, and nothing else.
    fn only_refuted(&self) -> Self {
        let (hash, refuted) = (self.hash.clone(), self.refuted.clone());
        Self { hash, held: self.held, refuted, ..Self::default() }
    }
}

/// The family of a solver with version (`cvc5-1.4.2`). Several that proved something together (`z3-4+cvc5-1`) each did only a
/// part of it, and count as one.
fn family(solver: &str) -> &str {
    match solver.split(['-', '+']).next().unwrap_or(solver) {
        "cvc4" | "cvc5" => "cvc",
        "boolector" => "bitwuzla",
        name => name,
    }
}

/// Entries by the names of rules.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The entries.
    pub entries: BTreeMap<Box<str>, Entry>,
}

impl Record {
    /// Reads a record.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut out = Self::default();
        for e in Sexpr::read(text)? {
            let Some((name, entry)) = entry(&e) else { return Err(format!("not an entry: {e}")) };
            out.add(name, entry);
        }
        Ok(out)
    }

    /// Adds what another record says. Of two texts of one rule, what this one has counts.
    pub fn merge(&mut self, other: Self) {
        for (name, entry) in other.entries {
            self.add(name, entry);
        }
    }

    /// Adds news. Of two texts of one rule, the one of the news counts: the rule was changed since.
    pub fn update(&mut self, news: Self) {
        for (name, entry) in news.entries {
            if self.entries.get(&name).is_some_and(|own| own.hash != entry.hash) {
                self.entries.remove(&name);
            }
            self.add(name, entry);
        }
    }

    fn add(&mut self, name: Box<str>, new: Entry) {
        let Some(own) = self.entries.get_mut(&name) else {
            self.entries.insert(name, new);
            return;
        };
        if own.hash != new.hash {
            return;
        }
        own.held = own.held.max(new.held);
        if own.refuted.is_none() {
            own.refuted = new.refuted;
        }
        for mut p in new.proofs {
            p.labels.retain(|l| !own.proves(l));
            own.prove(p);
        }
        let open = new.open.into_iter().filter(|l| !own.open.contains(l));
        own.open = own.open.iter().cloned().chain(open).collect();
        let proofs = &own.proofs;
        own.open.retain(|l| !proofs.iter().any(|p| p.labels.contains(l)));
    }

    /// This record without the proofs that another record has, too.
    pub fn beyond(&self, other: &Self) -> Self {
        let mut out = self.clone();
        for (name, e) in &mut out.entries {
            let Some(old) = other.entries.get(name).filter(|o| o.hash == e.hash) else { continue };
            e.proofs.iter_mut().for_each(|p| p.labels.retain(|l| !old.proves(l)));
            e.proofs.retain(|p| !p.labels.is_empty());
            e.open.retain(|l| !old.open.contains(l));
        }
        out.entries.retain(|name, e| {
            let known = other.entries.get(name).is_some_and(|o| o.hash == e.hash);
            !(known && e.proofs.is_empty() && e.open.is_empty() && e.refuted.is_none())
        });
        out
    }

    /// What it says about these instances only, if they are proved or their rule is refuted.
    pub fn about<'a>(&self, instances: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Self {
        let mut out = Self::default();
        for (name, hash, label) in instances {
            let Some(e) = self.entries.get(name).filter(|e| &*e.hash == hash) else { continue };
            if e.refuted.is_some() {
                out.add(name.into(), e.only_refuted());
                continue;
            }
            for p in e.proofs.iter().filter(|p| p.labels.iter().any(|l| &**l == label)) {
                let mut one = Entry { hash: e.hash.clone(), held: e.held, ..Entry::default() };
                one.proofs.push(Proof { labels: vec![label.into()], ..p.clone() });
                out.add(name.into(), one);
            }
        }
        out
    }

    /// The refutations of rules whose names fit.
    pub fn refutations(&self, fits: impl Fn(&str) -> bool) -> Self {
        let refuted = self.entries.iter().filter(|(n, e)| e.refuted.is_some() && fits(n));
        Self { entries: refuted.map(|(n, e)| (n.clone(), e.only_refuted())).collect() }
    }

    /// Whether the rule is false somewhere.
    pub fn refutes(&self, name: &str, hash: &str) -> bool {
        self.entries.get(name).is_some_and(|e| &*e.hash == hash && e.refuted.is_some())
    }

    /// Whether somebody was asked about an instance, whatever came of it.
    pub fn knows(&self, name: &str, hash: &str, label: &str) -> bool {
        let entry = self.entries.get(name).filter(|e| &*e.hash == hash);
        entry.is_some_and(|e| {
            e.refuted.is_some() || e.proves(label) || e.open.iter().any(|l| &**l == label)
        })
    }

    /// Whether the rule may be used at an instance where no evaluation checks it.
    pub fn permits(&self, claim: &Claim, hash: &str, label: &str) -> bool {
        let Some(entry) = self.entries.get(&claim.name) else { return false };
        if &*entry.hash != hash || entry.refuted.is_some() {
            return false;
        }
        let has = |p: &&Proof| p.labels.iter().any(|l| &**l == label);
        entry.proofs.iter().filter(has).any(|p| {
            let written = claim.proof.is_some();
            !p.solvers.is_empty() && (written || (p.bound.is_none() && !claim.is_schema()))
        })
    }
}

fn entry(e: &Sexpr) -> Option<(Box<str>, Entry)> {
    let [head, name, hash, rest @ ..] = e.list()? else { return None };
    if head.atom() != Some("rule") {
        return None;
    }
    let mut out = Entry { hash: hash.atom()?.into(), ..Entry::default() };
    let atoms = |e: &Sexpr| -> Option<Vec<Box<str>>> {
        e.list()?.iter().map(|a| a.atom().map(Into::into)).collect()
    };
    for part in rest {
        let list = part.list()?;
        match (list.first()?.atom()?, list) {
            ("held", [_, n]) => out.held = n.atom()?.parse().ok()?,
            ("open", [_, labels]) => out.open = atoms(labels)?,
            ("refuted", [_, label, by, values]) => {
                let values = values.atom()?.strip_prefix('"')?.strip_suffix('"')?;
                out.refuted = Some(Refutation {
                    label: label.atom()?.into(),
                    by: by.atom()?.into(),
                    values: values.replace("\"\"", "\"").into(),
                });
            }
            ("proved", [_, labels, solvers]) => {
                let (labels, solvers) = (atoms(labels)?, atoms(solvers)?);
                out.proofs.push(Proof { labels, solvers, bound: None });
            }
            ("bounded", [_, n, labels, solvers]) => {
                let bound = Some(n.atom()?.parse().ok()?);
                let (labels, solvers) = (atoms(labels)?, atoms(solvers)?);
                out.proofs.push(Proof { labels, solvers, bound });
            }
            _ => return None,
        }
    }
    Some((name.atom()?.into(), out))
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "; What `smelt rules verify` found: which solvers answered `unsat` to the negation of"
        )?;
        writeln!(
            f,
            "; each rule, at which sorts. The number behind a name is the digest of what the rule says."
        )?;
        for (name, e) in &self.entries {
            let mut text = format!("(rule {name} {} (held {})", e.hash, e.held);
            for p in &e.proofs {
                let head = match p.bound {
                    None => "proved".to_owned(),
                    Some(n) => format!("bounded {n}"),
                };
                let (labels, solvers) = (p.labels.join(" "), p.solvers.join(" "));
                let _ = write!(text, "\n  ({head} ({labels}) ({solvers}))");
            }
            if !e.open.is_empty() {
                let _ = write!(text, "\n  (open ({}))", e.open.join(" "));
            }
            if let Some(r) = &e.refuted {
                let values = r.values.replace('"', "\"\"");
                let _ = write!(text, "\n  (refuted {} {} \"{values}\")", r.label, r.by);
            }
            writeln!(f, "{text})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let text = "(rule a 12ab (held 7)\n  (proved (w=1 w=2) (z3-1 cvc5-2))\n  (bounded 3 (any) (z3-1)))\n(rule b 3f (held 0)\n  (open (any)))\n";
        let record = Record::read(text).unwrap();
        let lines: Vec<String> =
            record.to_string().lines().skip(2).map(|l| format!("{l}\n")).collect();
        assert_eq!(lines.concat(), text);
        assert!(Record::read("(rule a)").is_err() && Record::read("(law a b)").is_err());
    }

    #[test]
    fn refuted_rules() {
        let text = "(rule a 1 (held 7)\n  (proved (w=1) (z3-1))\n  (refuted w=2 evaluator \"x = \"\"b\"\"\"))\n";
        let record = Record::read(text).unwrap();
        assert!(record.to_string().ends_with(text), "{record}");
        assert_eq!(&*record.entries["a"].refuted.as_ref().unwrap().values, "x = \"b\"");
        assert!(record.knows("a", "1", "w=3") && !record.knows("a", "2", "w=3"));
        // Proofs do not count then; that it is refuted does, at every sort.
        assert!(record.refutes("a", "1") && !record.refutes("a", "2") && !record.refutes("b", "1"));
        let about = record.about([("a", "1", "w=1")].into_iter());
        assert!(about.refutes("a", "1") && about.entries["a"].proofs.is_empty());
        assert!(record.about([("a", "2", "w=1")].into_iter()).entries.is_empty());
        assert!(record.refutations(|n| n == "a").refutes("a", "1"));
        assert!(record.refutations(|n| n == "b").entries.is_empty());
        let mut other = Record::read("(rule a 1 (held 9) (proved (w=3) (z3-1)))").unwrap();
        other.update(record);
        assert!(other.entries["a"].refuted.is_some() && other.entries["a"].proves("w=3"));
        assert!(Record::read("(rule a 1 (refuted w=2 evaluator x))").is_err());
    }

    #[test]
    fn families_of_solvers() {
        let check = |solvers: &str, alone: bool| {
            let text = format!("(rule a 1 (proved (w=1 w=2) ({solvers})))");
            let labels: &[&str] = if alone { &["w=1", "w=2"] } else { &[] };
            let record = Record::read(&text).unwrap();
            assert_eq!(record.entries["a"].by_one_family(), labels);
            assert_eq!(record.entries["a"].proofs[0].families() < 2, alone);
        };
        for one in [
            "z3-5",
            "z3-4.8.7 z3-5",
            "cvc4-1.8 cvc5-1.4",
            "boolector-3.2 bitwuzla-0.9",
            "z3-5+cvc5-1",
            "generic",
            "z3-5 generic",
            "generic-1 generic-2+z3-5 cvc5-1",
        ] {
            check(one, true);
        }
        for two in ["z3-5 cvc5-1.4", "cvc5-1 bitwuzla-0.9 z3-5", "z3-5 generic cvc5-1"] {
            check(two, false);
        }
    }

    #[test]
    fn records_together() {
        let read = |t: &str| Record::read(t).unwrap();
        let show = |r: &Record| {
            let text = r.to_string();
            let lines: Vec<&str> = text.lines().skip(2).map(str::trim).collect();
            lines.join(" ")
        };
        let own = read("(rule a 1 (held 9) (proved (w=1) (z3)) (open (w=2)))(rule b 1 (held 9))");
        let more = read(
            "(rule a 1 (held 5) (proved (w=2 w=1) (cvc5)) (proved (w=3) (z3)))(rule b 2 (held 1) (proved (any) (z3)))(rule c 1 (held 1) (open (any)))",
        );
        let mut newer = own.clone();
        newer.update(more.clone());
        assert_eq!(
            show(&newer),
            "(rule a 1 (held 9) (proved (w=1 w=3) (z3)) (proved (w=2) (cvc5))) (rule b 2 (held 1) (proved (any) (z3))) (rule c 1 (held 1) (open (any)))"
        );
        let mut both = own.clone();
        both.merge(more);
        assert_eq!(
            show(&both),
            "(rule a 1 (held 9) (proved (w=1 w=3) (z3)) (proved (w=2) (cvc5))) (rule b 1 (held 9)) (rule c 1 (held 1) (open (any)))"
        );
        assert_eq!(
            show(&both.beyond(&own)),
            "(rule a 1 (held 9) (proved (w=3) (z3)) (proved (w=2) (cvc5))) (rule c 1 (held 1) (open (any)))"
        );
        let some = [("a", "1", "w=2"), ("a", "2", "w=1"), ("c", "1", "any"), ("a", "1", "w=3")];
        assert_eq!(
            show(&both.about(some.into_iter())),
            "(rule a 1 (held 9) (proved (w=2) (cvc5)) (proved (w=3) (z3)))"
        );
        assert!(both.knows("c", "1", "any") && both.knows("a", "1", "w=2"));
        assert!(!both.knows("b", "1", "any") && !both.knows("a", "2", "w=1"));
    }
}
