//! The rules of a strategy: smelt's own, and a user's.

use std::sync::{Arc, LazyLock};

use crate::Refusal;
use crate::parameters::Parameters;
use crate::rules::compile::RuleSet;
use crate::rules::file::RuleFile;
use crate::rules::record::{self, Record};

/// Smelt's own; they are tested to be readable.
static OWN: LazyLock<Arc<RuleSet>> = LazyLock::new(|| {
    let file = crate::rules::embedded().unwrap_or_default();
    Arc::new(RuleSet::new(file, Record::read(record::EMBEDDED).unwrap_or_default()))
});

/// The rules that the parameters `rules` (a rule file, beside smelt's own) and `proofs` (a record, beside smelt's own) ask for.
pub(crate) fn rules(p: &Parameters<'_>) -> Result<Arc<RuleSet>, Refusal> {
    let (rules, proofs) = (p.text("rules"), p.text("proofs"));
    if rules.is_none() && proofs.is_none() {
        return Ok(OWN.clone());
    }
    let mut file = crate::rules::embedded()?;
    if let Some(text) = rules {
        let given = RuleFile::read(text).map_err(|e| format!("rules: {e}"))?;
        file.add(given).map_err(|e| format!("rules: {e}"))?;
    }
    let mut known = Record::read(record::EMBEDDED)?;
    if let Some(text) = proofs {
        let more = Record::read(text).map_err(|e| format!("proofs: {e}"))?;
        known.entries.extend(more.entries);
    }
    Ok(Arc::new(RuleSet::new(file, known)))
}
