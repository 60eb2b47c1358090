//! Rates per release, theory and class among a million formulas: the published ones, and those of a sample with their intervals.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Line, Sample};

/// Standard deviations of an interval that holds in 95 of 100 cases.
const Z: f64 = 1.96;

/// Releases that speak for the right answer if they agree and no model is known.
const REFERENCE: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];

/// Published numbers: by release (`z3-4.8.5`), theory and class.
type Published = BTreeMap<(String, String, String), f64>;

/// A share of all words, and the ends of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The estimate.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// The share of words with something, of samples of each size: how many there are of it, how many were drawn, and how many have it. The
    /// ends are those of Wilson's intervals, weighed as the sizes are; a size that was drawn as a whole leaves nothing open.
    pub fn of(sizes: &[(u64, u64, u64)]) -> Self {
        let all: u64 = sizes.iter().map(|s| s.0).sum();
        let mut share = Self { mean: 0.0, low: 0.0, high: 0.0 };
        for &(population, drawn, hits) in sizes.iter().filter(|s| s.1 > 0) {
            let (weight, n) = (population as f64 / all.max(1) as f64, drawn as f64);
            let p = hits as f64 / n;
            let (low, high) = if drawn >= population { (p, p) } else { wilson(p, n) };
            share.mean += weight * p;
            share.low += weight * low;
            share.high += weight * high;
        }
        share
    }
}

fn wilson(p: f64, n: f64) -> (f64, f64) {
    let square = Z * Z;
    let middle = (p + square / (2.0 * n)) / (1.0 + square / n);
    let half = Z / (1.0 + square / n) * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// The tables, as Markdown.
pub fn table(et: &Path, releases: &[String], samples: &[Sample], lines: &[Line]) -> Result<String> {
    let published = published(et)?;
    let runs: BTreeMap<(&str, &str), &Line> =
        lines.iter().map(|l| ((l.release.as_str(), l.word.as_str()), l)).collect();
    let mut s = String::from(
        "Per million: published | smelt's sample, with the ends of an interval of 95 %\n\n\
         | theory | release | words | class | published | sample | ends | |\n|---|---|---|---|---|---|---|---|\n",
    );
    let (mut zeros, mut inside, mut outside) = (0, 0, 0);
    for sample in samples {
        let right = right(sample, &runs);
        for release in releases {
            for class in CLASSES {
                let asked = rows(sample, release, &runs);
                // Words are asked size by size: a part of them says nothing of the larger sizes.
                if asked.is_empty() || asked.len() < sample.items.len() {
                    continue;
                }
                let share = Share::of(&sizes(sample, &asked, |i, l| class.holds(l, right[i])));
                let there = published.get(&(
                    release.replace('@', "-"),
                    sample.theory.clone(),
                    class.published.to_owned(),
                ));
                if share.mean == 0.0 && there.is_none_or(|n| *n == 0.0) {
                    zeros += 1;
                    continue;
                }
                let verdict = match there {
                    Some(n) if (share.low..=share.high).contains(&(n / 1e6)) => {
                        inside += 1;
                        ""
                    }
                    Some(_) => {
                        outside += 1;
                        "outside"
                    }
                    None => "not published",
                };
                let million = |p: f64| format!("{:.0}", p * 1e6);
                let _ = writeln!(
                    s,
                    "| {} | {release} | {} | {} | {} | {} | {}–{} | {verdict} |",
                    sample.theory,
                    asked.len(),
                    class.name,
                    there.map_or("–".to_owned(), |n| format!("{n:.0}")),
                    million(share.mean),
                    million(share.low),
                    million(share.high)
                );
            }
        }
    }
    let _ = writeln!(
        s,
        "\n{zeros} rows with nothing on either side are left out; of the others that were published {inside} lie inside, {outside} outside.\n"
    );
    s += &complaints(samples, releases, &runs);
    Ok(s)
}

/// A class of the published tables, and when a run is of it.
struct Class {
    name: &'static str,
    published: &'static str,
    holds: fn(&Line, Option<&str>) -> bool,
}

impl Class {
    fn holds(&self, line: &Line, right: Option<&str>) -> bool {
        (self.holds)(line, right)
    }
}

const CLASSES: [Class; 6] = [
    Class {
        name: "unsound",
        published: "unsoundness",
        holds: |l, right| {
            matches!(&*l.answer, "sat" | "unsat") && right.is_some_and(|r| r != l.answer)
        },
    },
    Class { name: "complains of its model", published: "invalid model", holds: |l, _| l.complains },
    Class { name: "false model, by the judge", published: "", holds: |l, _| l.model == "false" },
    Class { name: "crash", published: "crash", holds: |l, _| l.answer == "crash" && !l.complains },
    Class {
        name: "rejected",
        published: "rejected",
        holds: |l, _| matches!(&*l.answer, "rejected" | "unsupported") && !l.complains,
    },
    Class { name: "unknown", published: "unknown", holds: |l, _| l.answer == "unknown" },
];

/// The right answer to each word, if it is known: by a true model of anybody, or by the newest releases together.
fn right<'a>(
    sample: &Sample,
    runs: &BTreeMap<(&'a str, &'a str), &'a Line>,
) -> Vec<Option<&'static str>> {
    let mut is_sat = std::collections::BTreeSet::new();
    for ((_, word), line) in runs {
        if line.model == "true" {
            is_sat.insert(*word);
        }
    }
    let newest = |word: &str| {
        let said = REFERENCE.map(|r| runs.get(&(r, word)).map_or("", |l| &*l.answer));
        match said {
            ["sat", "sat"] => Some("sat"),
            ["unsat", "unsat"] => Some("unsat"),
            _ => None,
        }
    };
    let of = |name: &str| if is_sat.contains(name) { Some("sat") } else { newest(name) };
    sample.items.iter().map(|i| of(&i.name)).collect()
}

/// The runs of a release on a sample, each with the place of its word.
fn rows<'a>(
    sample: &Sample,
    release: &str,
    runs: &BTreeMap<(&str, &str), &'a Line>,
) -> Vec<(usize, &'a Line)> {
    let of = |i: usize| Some((i, *runs.get(&(release, sample.items[i].name.as_str()))?));
    (0..sample.items.len()).filter_map(of).collect()
}

/// Of each size: how many words there are, how many were drawn, and how many have something.
fn sizes(
    sample: &Sample,
    rows: &[(usize, &Line)],
    wanted: impl Fn(usize, &Line) -> bool,
) -> Vec<(u64, u64, u64)> {
    let mut all: Vec<(u64, u64, u64)> = sample.population.iter().map(|n| (*n, 0, 0)).collect();
    for &(i, line) in rows {
        let size = &mut all[sample.sizes[i] as usize];
        size.1 += 1;
        size.2 += u64::from(wanted(i, line));
    }
    all
}

/// Of what releases complain: what the judge says of those models, and how many words divide by something that may be zero.
fn complaints(
    samples: &[Sample],
    releases: &[String],
    runs: &BTreeMap<(&str, &str), &Line>,
) -> String {
    let mut s = String::from(
        "| theory | release | complaints | their models: true | open | false | not printed | words that divide |\n|---|---|---|---|---|---|---|---|\n",
    );
    for sample in samples {
        for release in releases {
            let all: Vec<(usize, &Line)> =
                rows(sample, release, runs).into_iter().filter(|r| r.1.complains).collect();
            if all.is_empty() {
                continue;
            }
            let models = ["true", "open", "false", "-"]
                .map(|m| all.iter().filter(|r| r.1.model == m).count().to_string());
            let divides = |i: usize| {
                let text = String::from_utf8_lossy(&sample.items[i].text);
                ["( div ", "( mod ", "( / "].iter().any(|op| text.contains(op))
            };
            let divide = all.iter().filter(|r| divides(r.0)).count();
            let _ = writeln!(
                s,
                "| {} | {release} | {} | {} | {divide} |",
                sample.theory,
                all.len(),
                models.join(" | ")
            );
        }
    }
    s
}

fn published(et: &Path) -> Result<Published> {
    let mut all = Published::new();
    let mut read = |file: &str, order: [usize; 4]| -> Result<()> {
        let path = et.join(file);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let [release, theory, class, number] = order.map(|i| cells.get(i).copied());
            if let (Some(release), Some(theory), Some(class), Some(Ok(n))) =
                (release, theory, class, number.map(str::parse))
            {
                all.insert((release.to_owned(), theory.to_owned(), class.to_owned()), n);
            }
        }
        Ok(())
    };
    read("solved-problems-8.csv", [0, 3, 1, 2])?;
    read("correctness_results.csv", [0, 2, 3, 4])?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_weigh_sizes() {
        // All of ten words, of which one has it; and none of 100 of the other 90 %.
        let share = Share::of(&[(10, 10, 1), (90, 30, 0)]);
        assert!((share.mean - 0.01).abs() < 1e-9 && (share.low - 0.01).abs() < 1e-9);
        // Wilson's upper end for 0 of 30 is 0.1135.
        assert!((share.high - (0.01 + 0.9 * 0.1135)).abs() < 1e-3, "{share:?}");
        assert_eq!(Share::of(&[]), Share { mean: 0.0, low: 0.0, high: 0.0 });
    }

    #[test]
    fn classes_of_runs() {
        let line = |answer: &str, complains| Line {
            release: String::new(),
            word: String::new(),
            answer: answer.to_owned(),
            complains,
            model: "-".to_owned(),
        };
        let of = |l: &Line, right| -> Vec<&str> {
            CLASSES.iter().filter(|c| c.holds(l, right)).map(|c| c.name).collect()
        };
        assert_eq!(of(&line("unsat", false), Some("sat")), ["unsound"]);
        assert_eq!(of(&line("unsat", false), None), Vec::<&str>::new());
        assert_eq!(of(&line("crash", true), Some("sat")), ["complains of its model"]);
        assert_eq!(of(&line("unsupported", false), None), ["rejected"]);
    }
}
