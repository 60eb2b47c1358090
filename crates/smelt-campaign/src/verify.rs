//! Verifying rules: random values first, then solvers, instance by instance; what comes of it goes to the record.

use anyhow::Result;
use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::file::AnyRule;
use smelt_strategy::rules::instances::{self, Coverage, Instance};
use smelt_strategy::rules::record::{Entry, Record, Refutation};
use smelt_strategy::rules::sample::{Sampled, sample};

use crate::proofs::by_evaluator;
use crate::provers::{Provers, Said};
use crate::rulebook::Rulebook;

/// How rules are verified.
pub struct Verifier<'a> {
    /// The rules and their record.
    pub book: &'a Rulebook,
    /// At which sorts.
    pub coverage: Coverage,
    /// Random values per rule.
    pub rounds: u64,
    /// Whether solvers are asked again what is recorded as proved.
    pub again: bool,
    /// Whether the solvers were named by a person, who wants to know what these say: they are asked about what others have proved, too.
    pub named: bool,
}

/// What came of one rule.
pub enum Verdict {
    /// Nothing speaks against it.
    Stands(Standing),
    /// A counterexample shows that the rule is false.
    Refuted(Refutation),
    /// The rule cannot be written as a script; the text says why.
    Unreadable(String),
}

/// A rule that nothing speaks against.
pub struct Standing {
    /// What is known of it now.
    pub entry: Entry,
    /// The instances in question.
    pub asked: Vec<String>,
    /// Instances in question about which some solver said something.
    settled: Vec<String>,
    /// What the solvers say that were named about instances that the record has from others: it stays as it is.
    pub beside: Vec<(String, Said)>,
}

impl Standing {
    /// The instances that nobody has proved: those in question, and those that the record calls open.
    pub fn open(&self) -> Vec<&str> {
        let recorded = self.entry.open.iter().map(|l| &**l);
        let recorded = recorded.filter(|l| !self.asked.iter().any(|a| a == l));
        let asked = self.asked.iter().map(String::as_str).filter(|l| !self.entry.proves(l));
        recorded.chain(asked).collect()
    }

    /// How many instances are proved, and how many of them by two different solvers. Two releases of one solver are not two.
    pub fn proved(&self) -> (usize, usize) {
        let all: usize = self.entry.proofs.iter().map(|p| p.labels.len()).sum();
        (all, all - self.entry.by_one_family().len())
    }

    /// Who has proved any of it.
    pub fn solvers(&self) -> Vec<&str> {
        let mut solvers: Vec<&str> = Vec::new();
        for s in self.entry.proofs.iter().flat_map(|p| &p.solvers) {
            if !solvers.contains(&&**s) {
                solvers.push(s);
            }
        }
        solvers
    }
}

impl Verifier<'_> {
    /// What is to be said about one rule.
    pub fn verify(&self, rule: &AnyRule<'_>, provers: &mut Provers) -> Verdict {
        let claim = &rule.claim();
        let old = self.book.entry(rule).filter(|e| e.refuted.is_none());
        let mut groups: Vec<(String, Vec<Instance>)> = Vec::new();
        for instance in instances::all(claim, &self.coverage) {
            match groups.iter_mut().find(|(label, _)| *label == instance.label) {
                Some((_, group)) => group.push(instance),
                None => groups.push((instance.label.clone(), vec![instance])),
            }
        }
        let asked: Vec<String> = groups.iter().map(|(label, _)| label.clone()).collect();
        let mut entry = Entry { hash: claim.hash().into(), ..Entry::default() };
        if let Some(old) = old {
            // What nobody says anything about stays as it was.
            entry.held = old.held;
            entry.proofs.clone_from(&old.proofs);
            entry.open.clone_from(&old.open);
        }
        // Values at other sorts say nothing about those that are new.
        let known = |l: &String| entry.proves(l) || entry.open.iter().any(|o| **o == **l);
        if self.again || entry.held < self.rounds || !asked.iter().all(known) {
            let tried = self.try_values(claim);
            if let Some(why) = tried.unreadable {
                return Verdict::Unreadable(why);
            }
            if let Some(c) = tried.refuted {
                return Verdict::Refuted(by_evaluator(c));
            }
            entry.held = tried.held;
        }
        let (mut settled, mut beside) = (Vec::new(), Vec::new());
        provers.begin_rule();
        for (label, group) in groups {
            if entry.proves(&label) && !self.again {
                if self.named && !provers.are_recorded(entry.provers(&label)) {
                    match provers.settle(claim, &group, usize::MAX, &mut Entry::default()) {
                        Ok(said) => beside.push((label, said)),
                        Err(refutation) => return Verdict::Refuted(refutation),
                    }
                }
                continue;
            }
            match provers.settle(claim, &group, usize::MAX, &mut entry) {
                Ok(Said::Nothing) => {}
                Ok(_) => settled.push(label),
                Err(refutation) => return Verdict::Refuted(refutation),
            }
        }
        Verdict::Stands(Standing { entry, asked, settled, beside })
    }

    /// Tries random values: they meet each other in small sorts, and have all their bits in large ones.
    fn try_values(&self, claim: &Claim) -> Sampled {
        let half = self.rounds / 2;
        let small = sample(claim, &Coverage::small(), half, 1);
        if small.refuted.is_some() || small.unreadable.is_some() {
            return small;
        }
        let large = sample(claim, &self.coverage, self.rounds - half, 2);
        Sampled { held: small.held + large.held, ..large }
    }

    /// Writes what came of one rule to the record, and nothing else.
    pub fn keep(&self, rule: &AnyRule<'_>, verdict: Verdict) -> Result<()> {
        let name: Box<str> = rule.name().into();
        let (entry, settled) = match verdict {
            Verdict::Stands(s) => (s.entry, s.settled),
            Verdict::Refuted(refutation) => {
                let hash = rule.claim().hash().into();
                (Entry { hash, refuted: Some(refutation), ..Entry::default() }, Vec::new())
            }
            // What cannot be read has no proof either.
            Verdict::Unreadable(_) => {
                return self.book.change(|record| drop(record.entries.remove(&name)));
            }
        };
        let mut news = Record::default();
        news.entries.insert(name.clone(), entry);
        self.book.add(news, |record| {
            let Some(old) = record.entries.get_mut(&name) else { return };
            // A rule that was refuted is asked about anew, as a whole.
            if old.refuted.take().is_some() {
                old.forget(|_| true);
            }
            if self.again {
                old.forget(|l| settled.iter().any(|s| **s == *l));
                old.held = 0;
            }
        })
    }
}
