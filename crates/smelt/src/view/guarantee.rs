//! What holds of all words of a grammar that were tested, in one sentence.

use std::io::Write;

use anyhow::Result;
use smelt_campaign::campaign::{Campaign, Outcome};
use smelt_campaign::source::grammar::{
    AGREED, ALONE, CONTRADICTED, Chosen, Enumeration, FALSE, OTHER, PASSED, SKIPPED, TRUE,
    UNDETERMINED,
};

/// Prints the sentence: a guarantee if all words had their turn, else how far it came.
pub fn show(campaign: &Campaign, asked: &Enumeration, outcome: &Outcome) -> Result<()> {
    let words = &outcome.end.last.counts.words;
    let of = |kind: &str| words.get(kind).copied().unwrap_or_default();
    let kinds =
        [AGREED, ALONE, CONTRADICTED, "timeout", "unknown", "out-of-memory", "rejected", OTHER];
    let tested: u64 = kinds.iter().map(|k| of(k)).sum();
    let looked = tested + of(PASSED) + of(SKIPPED);
    let chosen = Chosen::new(asked)?;
    let labels: Vec<&str> =
        campaign.plan.panel.targets().iter().map(|t| t.label.as_str()).collect();
    let part = match asked.shard {
        (_, 1) => String::new(),
        (i, n) => format!(" (part {} of {n})", i + 1),
    };
    let all = if looked == chosen.count { "all " } else { "" };
    let sizes = match chosen.words.size_at(&(&chosen.from + chosen.count.saturating_sub(1))) {
        _ if asked.sample.is_some() => {
            format!("random ones of size {}", asked.size.unwrap_or_default())
        }
        Some(size) => {
            format!("from number {} on, up to size {size}", shortened(&chosen.from.to_string()))
        }
        None => format!("from number {} on", shortened(&chosen.from.to_string())),
    };
    let models = match of(FALSE) {
        0 => "every model that the judge decides is true".to_owned(),
        n => format!("{n} models are false"),
    };
    let mut rest =
        vec![(of(UNDETERMINED), "models undetermined"), (of(ALONE), "decided by one solver alone")];
    rest.extend([
        (of(CONTRADICTED), "contradicted"),
        (of("unknown"), "unknown"),
        (of("timeout"), "timeouts"),
    ]);
    rest.extend([
        (of("out-of-memory"), "out of memory"),
        (of("rejected"), "rejected"),
        (of(OTHER), "without an answer"),
    ]);
    rest.extend([(of(PASSED), "passed over as symmetric"), (of(SKIPPED), "skipped")]);
    let rest: Vec<String> = rest.into_iter().map(|(n, what)| format!("{n} {what}")).collect();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{all}{looked} of {} formulas of the grammar {}{part}, {sizes}: {} agree on {}, {models} ({} of them); {}",
        chosen.count,
        asked.name,
        labels.join(" and "),
        of(AGREED),
        of(TRUE),
        rest.join(", ")
    )?;
    Ok(())
}

/// A long number as its first digits and its power of ten.
fn shortened(digits: &str) -> String {
    match digits.len() {
        0..=20 => digits.to_owned(),
        n => format!("{}…e{}", &digits[..6], n - 6),
    }
}
