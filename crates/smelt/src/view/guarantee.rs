//! What holds of all words of a grammar that were tested, in one sentence. Each clause of it is made of what was counted, and left out where
//! nothing was.

use std::io::Write;

use anyhow::Result;
use serde_json::json;
use smelt_campaign::campaign::{Campaign, Outcome};
use smelt_campaign::source::grammar::{
    AGREED, ALONE, CONTRADICTED, FALSE, OPEN, OTHER, PARTLY, PASSED, REMEMBERED, SKIPPED, TRUE,
    UNDETERMINED, looked_at,
};
use smelt_campaign::tally::Counts;

use crate::args::Json;
use crate::printable::printable;

/// What holds of words.
pub struct Guarantee {
    /// In words.
    pub sentence: String,
    /// How many had their turn.
    pub looked: u64,
    /// How many there are in this part.
    pub of: u64,
}

impl Guarantee {
    /// What holds of the words of a campaign, if it has words.
    pub fn of(campaign: &Campaign, outcome: &Outcome) -> Option<Self> {
        let chosen = campaign.words.as_ref()?;
        let labels: Vec<&str> =
            campaign.plan.panel.targets().iter().map(|t| t.label.as_str()).collect();
        let counts = &outcome.end.last.counts;
        let (looked, of) = (looked_at(&counts.words), chosen.own_count());
        let found = (counts.found(), campaign.folder.earlier.findings.len());
        let sentence = sentence(&chosen.described(), &labels, &counts.words, (looked, of), found);
        Some(Self { sentence, looked, of })
    }
}

/// Prints it.
pub fn show(guarantee: &Guarantee, Json { json }: Json) -> Result<()> {
    let Guarantee { sentence, looked, of } = guarantee;
    let mut out = std::io::stdout().lock();
    match json {
        true => {
            let line =
                json!({ "kind": "guarantee", "sentence": sentence, "looked_at": looked, "of": of });
            writeln!(out, "{}", printable(&line.to_string()))?;
        }
        false => writeln!(out, "{}", printable(sentence))?,
    }
    Ok(())
}

/// The sentence about words that are described, of which so many had their turn, with the findings of this run and those that were there.
fn sentence(
    described: &str,
    labels: &[&str],
    words: &Counts,
    (looked, of): (u64, u64),
    (findings, earlier): (u64, usize),
) -> String {
    let n = |kind: &str| words.get(kind).copied().unwrap_or_default();
    let tested = looked - n(SKIPPED) - n(PASSED);
    let subject = match looked == of {
        true => described.to_owned(),
        false => format!("only {looked} of {described}"),
    };
    let mut clauses = vec![agreement(labels, n(AGREED), tested)];
    if tested > 0 {
        clauses.push(models(n(TRUE), n(FALSE)));
    }
    let always = [UNDETERMINED, "unknown", "timeout", SKIPPED];
    let rest = [
        (UNDETERMINED, "models undetermined"),
        (PARTLY, "more on which the solvers agree that take them"),
        (ALONE, "decided by the one solver that takes them"),
        (CONTRADICTED, "contradicted"),
        (OPEN[1], "unknown"),
        (OPEN[0], "timeouts"),
        (OPEN[2], "out of memory"),
        (OPEN[3], "rejected"),
        (OTHER, "without an answer"),
        (PASSED, "passed over as symmetric"),
        (REMEMBERED, "answers from earlier runs"),
        (SKIPPED, "skipped"),
    ];
    let shown = rest.iter().filter(|(kind, _)| n(kind) > 0 || always.contains(kind));
    let rest: Vec<String> = shown.map(|(kind, what)| format!("{} {what}", n(kind))).collect();
    let found = match findings {
        0 if earlier > 0 => format!("no new finding, {earlier} of earlier runs in the folder"),
        0 => "no finding".to_owned(),
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    };
    format!("{subject}: {}; {}; {found}", clauses.join(", "), rest.join(", "))
}

/// On how many words all solvers agree.
fn agreement(labels: &[&str], agreed: u64, tested: u64) -> String {
    match labels {
        _ if tested == 0 => "none was tested".to_owned(),
        [] => "nobody was asked".to_owned(),
        [only] => format!("{only} alone decides {agreed}"),
        [first @ .., last] => format!("{} and {last} agree on {agreed}", first.join(", ")),
    }
}

/// What the judge says of the models that it decides.
fn models(is_true: u64, is_false: u64) -> String {
    match (is_true, is_false) {
        (0, 0) => "no model was judged".to_owned(),
        (n, 0) => format!("every model that the judge decides is true ({n} of them)"),
        (n, 1) => format!("1 model is false and {n} are true"),
        (n, m) => format!("{m} models are false and {n} are true"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_counted() {
        let check = |counts: &[(&str, u64)], labels: &[&str], of, found, expect: &str| {
            let words: Counts = counts.iter().map(|(k, n)| ((*k).to_owned(), *n)).collect();
            let looked = (looked_at(&words), of);
            let said = sentence("all 9 formulas", labels, &words, looked, (found, 0));
            assert_eq!(said, expect);
            // What an earlier run has found is no contradiction less.
            let again = sentence("all 9 formulas", labels, &words, looked, (found, 2));
            let told =
                expect.replace("no finding", "no new finding, 2 of earlier runs in the folder");
            assert_eq!(again, told);
        };
        let two = &["z3", "cvc5"][..];
        check(
            &[(AGREED, 6), ("unknown", 2), (SKIPPED, 1), (TRUE, 7), (UNDETERMINED, 1)],
            two,
            9,
            0,
            "all 9 formulas: z3 and cvc5 agree on 6, every model that the judge decides is true (7 of them); \
             1 models undetermined, 2 unknown, 0 timeouts, 1 skipped; no finding",
        );
        // Cut off before anything was tested: nothing is claimed.
        check(
            &[],
            two,
            9,
            0,
            "only 0 of all 9 formulas: none was tested; 0 models undetermined, 0 unknown, 0 timeouts, 0 skipped; no finding",
        );
        check(
            &[(AGREED, 3), (CONTRADICTED, 1), (FALSE, 1)],
            two,
            9,
            1,
            "only 4 of all 9 formulas: z3 and cvc5 agree on 3, 1 model is false and 0 are true; \
             0 models undetermined, 1 contradicted, 0 unknown, 0 timeouts, 0 skipped; 1 finding",
        );
        check(
            &[(AGREED, 8), (PASSED, 1)],
            &["z3"],
            9,
            0,
            "all 9 formulas: z3 alone decides 8, no model was judged; \
             0 models undetermined, 0 unknown, 0 timeouts, 1 passed over as symmetric, 0 skipped; no finding",
        );
    }
}
