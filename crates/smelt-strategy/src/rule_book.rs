//! The rules of a strategy: smelt's own, and a user's.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use smelt_case::{Seed, Status};

use crate::Refusal;
use crate::parameters::Parameters;
use crate::rules::compile::{RuleSet, Rules, Unproved};
use crate::rules::file::RuleFile;
use crate::rules::record::{self, Record};

/// Smelt's own; they are tested to be readable.
static OWN: LazyLock<RuleSet> = LazyLock::new(|| {
    let rules = Arc::new(crate::rules::embedded().unwrap_or_default().into());
    let record = Arc::new(Record::read(record::EMBEDDED).unwrap_or_default());
    RuleSet { rules, records: [record, Arc::default()] }
});

/// The last rules of a user: chains of one campaign begin with the same again and again.
static GIVEN: Mutex<Option<(String, Arc<Rules>)>> = Mutex::new(None);

/// The rules that the parameters `rules` (a rule file, beside smelt's own) and `proofs` (a record, beside smelt's own) ask for.
pub(crate) fn rules(p: &Parameters<'_>) -> Result<RuleSet, Refusal> {
    let mut set = OWN.clone();
    if let Some(text) = p.text("rules") {
        set.rules = given(text).map_err(|e| format!("rules: {e}"))?;
    }
    if let Some(text) = p.text("proofs") {
        set.records[1] = Arc::new(Record::read(text).map_err(|e| format!("proofs: {e}"))?);
    }
    Ok(set)
}

fn given(text: &str) -> Result<Arc<Rules>, String> {
    let last = || GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, rules)) = last().as_ref().filter(|(t, _)| t == text) {
        return Ok(rules.clone());
    }
    let mut file = crate::rules::embedded()?;
    file.add(RuleFile::read(text)?)?;
    let rules = Arc::new(Rules::from(file));
    *last() = Some((text.to_owned(), rules.clone()));
    Ok(rules)
}

/// Instances of the rules that would have to be proved for this seed. Where a model is known, evaluation says as much as a proof.
pub(crate) fn unproved(seed: &Seed, parameters: &[String]) -> Vec<Unproved> {
    let bare = |c: &smelt_case::Known| match c.status {
        Status::Unsat => true,
        Status::Sat => c.model.is_none(),
        Status::Unknown => false,
    };
    if !seed.checks.iter().any(bare) {
        return Vec::new();
    }
    let Ok(set) = rules(&Parameters::any(parameters)) else { return Vec::new() };
    let mut script = seed.workspace();
    let roots = script.roots();
    set.unproved(&mut script, &roots)
}
