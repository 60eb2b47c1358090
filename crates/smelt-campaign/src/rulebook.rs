//! Rules with what is proved of them: smelt's own and those of the data folder, or the rules of files that are given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::file::{AnyRule, RuleFile};
use smelt_strategy::rules::fusion::{FusionRule, IMPORTED};
use smelt_strategy::rules::record::{Entry, Record, State};
use smelt_strategy::rules::{EMBEDDED, embedded};

use crate::proofs;

/// Rules by the names of their files, and the record of their proofs.
pub struct Rulebook {
    files: Vec<(String, RuleFile)>,
    record: Record,
    /// The file that new proofs are written to.
    target: PathBuf,
    /// Whether the user named the record: it must be right then, and is the only one.
    named: bool,
    /// Whether the record stands in a folder of rules that was given: then it is about those rules and no others.
    beside: bool,
}

impl Rulebook {
    /// The rules of these files and folders; without any, smelt's own and those of the data folder. So it is with the record.
    pub fn load(rules: &[PathBuf], record: Option<&Path>) -> Result<Self> {
        let folder = proofs::folder();
        let mut files: Vec<(String, RuleFile)> = Vec::new();
        let mut paths = rules.to_vec();
        if paths.is_empty() {
            embedded().map_err(|e| anyhow!(e))?;
            for (name, text) in EMBEDDED {
                files.push((name.to_owned(), RuleFile::read(text).map_err(|e| anyhow!(e))?));
            }
            paths.extend(folder.clone().filter(|f| f.is_dir()));
        }
        for path in paths {
            for file in proofs::rule_files(&path)? {
                let text = std::fs::read_to_string(&file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
                let mut rules =
                    RuleFile::read(&text).map_err(|e| anyhow!("{}: {e}", file.display()))?;
                // Functions in the syntax of others are named by what they say: a second one is the same.
                let known = |r: &FusionRule| {
                    let mut all = files.iter().flat_map(|(_, f)| &f.fusions);
                    r.name.starts_with(IMPORTED) && all.any(|o| o.name == r.name)
                };
                rules.fusions.retain(|r| !known(r));
                for why in &rules.refused {
                    proofs::remark(format!("{}: left out: {why}", file.display()));
                }
                files.push((file.display().to_string(), rules));
            }
        }
        distinct(&files)?;
        let target = match record {
            Some(file) => file.to_owned(),
            None => {
                folder.context("no data folder: set SMELT_HOME or give --record")?.join("PROOFS")
            }
        };
        let mut book = Self {
            files,
            record: Record::default(),
            target,
            named: record.is_some(),
            beside: record.is_some_and(|r| is_beside(r, rules)),
        };
        if !book.named {
            book.record = proofs::embedded()?;
        }
        let kept = book.read(&book.target)?;
        book.record.merge(kept);
        Ok(book)
    }

    /// The rules whose name has one of these in it, each with the name of its file; all, if no name is given.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<(&str, AnyRule<'_>)>> {
        let mut all: Vec<_> = self.rules().collect();
        all.retain(|(_, r)| names.is_empty() || names.iter().any(|n| r.name().contains(&**n)));
        if all.is_empty() {
            bail!("there is no such rule");
        }
        Ok(all)
    }

    fn rules(&self) -> impl Iterator<Item = (&str, AnyRule<'_>)> {
        self.files.iter().flat_map(|(name, f)| f.all().map(move |r| (name.as_str(), r)))
    }

    /// What the record says about a rule; nothing, if it was about another text.
    pub fn entry(&self, rule: &AnyRule<'_>) -> Option<&Entry> {
        self.record.entries.get(rule.name()).filter(|e| *e.hash == *rule.claim().hash())
    }

    /// The state of a rule by the record, and whether the rule is used.
    pub fn state(&self, rule: &AnyRule<'_>) -> (State, bool) {
        let claim = rule.claim();
        let state = self.entry(rule).map_or(State::Open, |e| e.state(&claim));
        (state, is_used(state, &claim))
    }

    /// Forgets rules that are no more, if the record is about these rules and no others.
    pub fn prune(&self) -> Result<()> {
        if !self.beside {
            return Ok(());
        }
        let exists = |name: &str| self.rules().any(|(_, r)| r.name() == name);
        self.change(|record| record.entries.retain(|name, _| exists(name)))
    }

    /// Adds news of rules to the record, after a change to what is there. Others may have added to it meanwhile.
    pub fn add(&self, mut news: Record, edit: impl FnOnce(&mut Record)) -> Result<()> {
        if !self.named {
            // What smelt comes with is not for the data folder to keep.
            news = news.beyond(&proofs::embedded()?);
        }
        self.change(|record| {
            edit(record);
            record.update(news);
        })
    }

    /// Changes the record in its file.
    pub fn change(&self, edit: impl FnOnce(&mut Record)) -> Result<()> {
        proofs::change(&self.target, |file| self.read(file), edit)
    }

    /// Reads the record. One that the user named must be right.
    fn read(&self, file: &Path) -> Result<Record> {
        if self.named { proofs::read(file) } else { proofs::read_kept(file) }
    }
}

/// Whether strategies use a rule in this state.
pub fn is_used(state: State, claim: &Claim) -> bool {
    match state {
        State::Proved => true,
        State::Bounded | State::Schema => claim.proof.is_some(),
        State::Open | State::Refuted => false,
    }
}

/// Whether a record stands in one of these folders.
fn is_beside(record: &Path, rules: &[PathBuf]) -> bool {
    let folder = |p: &Path| p.canonicalize().ok().filter(|p| p.is_dir());
    let own = match record.parent() {
        Some(p) if !p.as_os_str().is_empty() => folder(p),
        _ => folder(Path::new(".")),
    };
    own.is_some_and(|own| rules.iter().any(|r| folder(r).is_some_and(|r| r == own)))
}

/// A record has one entry per name.
fn distinct(files: &[(String, RuleFile)]) -> Result<()> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for (file, rules) in files {
        for rule in rules.all() {
            if let Some(other) = seen.insert(rule.name().to_owned(), file) {
                bail!("{file}: {other} has a rule `{}`, too", rule.name());
            }
        }
    }
    Ok(())
}
