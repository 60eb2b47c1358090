//! What got worse from one release to the next, in plain words, each with the query that shows it.

use super::data::{Decline, Evolution, Regression};
use super::pace::{self, CHANCE, FACTOR, pace};
use super::sum::Material;

/// Queries that two releases must both decide before one is called slower as a whole.
const LEAST_QUERIES: u64 = 10;

/// All that got worse, release by release.
pub(super) fn regressions(material: &Material<'_>, found: &Evolution) -> Vec<Regression> {
    let mut all = Vec::new();
    for release in 1..found.releases.len() {
        if found.releases[release].solver != found.releases[release - 1].solver {
            continue;
        }
        for group in 0..found.groups.len() {
            let step = Step { material, found, release, than: release - 1, group };
            all.extend(step.wrong());
            all.extend(step.lost());
            all.extend(step.slower());
        }
        all.extend(slow_queries(material, found, release));
    }
    all
}

/// From one release to the next, in one group.
struct Step<'a> {
    material: &'a Material<'a>,
    found: &'a Evolution,
    release: usize,
    than: usize,
    group: usize,
}

impl Step<'_> {
    fn regression(&self, kind: Decline, text: String, query: Option<usize>) -> Regression {
        let name = |i: usize| self.material.evolve.items.all[i].name.clone();
        let command = |i: usize| self.material.command(i, &[self.than, self.release]);
        Regression {
            kind,
            release: self.release,
            than: self.than,
            group: self.group,
            text,
            query: query.map(name),
            command: query.map(command),
            ..Regression::default()
        }
    }

    fn names(&self) -> (&str, &str, &str) {
        let label = |r: usize| self.found.releases[r].label.as_str();
        (label(self.release), label(self.than), &self.found.groups[self.group].name)
    }

    /// The queries that satisfy something, the smallest first.
    fn queries(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut all: Vec<usize> =
            self.material.queries(self.group).into_iter().filter(|&i| wanted(i)).collect();
        all.sort_by_key(|&i| self.material.evolve.items.all[i].text.len());
        all
    }

    fn wrong(&self) -> Option<Regression> {
        let is_wrong =
            |i: usize, r: usize| self.material.point(i, r).is_some_and(|p| !p.faults.is_empty());
        let all = self.queries(|i| is_wrong(i, self.release) && !is_wrong(i, self.than));
        let first = *all.first()?;
        let point = self.material.point(first, self.release)?;
        let fault = point.faults.first()?;
        let (now, then, group) = self.names();
        let text = format!(
            "since {now}, {} of {group} with a fault that {then} does not have; the smallest: {} ({}: {})",
            queries(all.len()),
            fault.class,
            fault.grade,
            fault.evidence
        );
        Some(self.regression(Decline::Wrong, text, Some(first)))
    }

    fn lost(&self) -> Option<Regression> {
        let pair = (self.release, self.than);
        let points = self.material.points;
        let all = self.queries(|i| pace::is_lost(&points[i], pair));
        let first = *all.first()?;
        let seeming = self.queries(|i| pace::seems_lost(&points[i], pair)).len() - all.len();
        let end = self.material.point(first, self.release)?.end();
        let (now, then, group) = self.names();
        let mut text = format!(
            "since {now}, {} of {group} that {then} decides: not decided any more, in {} runs or more of each; the smallest ends in {end}",
            queries(all.len()),
            pace::LOST_ROUNDS
        );
        if seeming > 0 {
            text += &format!("; so it seems by one run of {} more", queries(seeming));
        }
        Some(self.regression(Decline::Lost, text, Some(first)))
    }

    fn slower(&self) -> Option<Regression> {
        let all = self.material.queries(self.group);
        let pace = pace(self.material.points, &all, (self.release, self.than));
        if pace.both < LEAST_QUERIES || pace.factor < FACTOR || pace.p > CHANCE {
            return None;
        }
        let (now, then, group) = self.names();
        let mut text = format!(
            "since {now}, {group} is slower by {:.2}× than in {then} ({:.3} s instead of {:.3} s for {} that both decide, {})",
            pace.factor,
            pace.seconds.0,
            pace.seconds.1,
            queries(pace.both as usize),
            chance(pace.p)
        );
        let cell = |r: usize| self.found.cell(r, self.group);
        if let (Some(a), Some(b)) = (cell(self.release), cell(self.than))
            && let Some(k) = (0..self.found.thresholds.len())
                .find(|&k| a.solved[k].mean + 0.5 < b.solved[k].mean)
        {
            text += &format!(
                "; within {:.0} ms it solves {:.0} instead of {:.0}",
                self.found.thresholds[k] * 1e3,
                a.solved[k].mean,
                b.solved[k].mean
            );
        }
        let slower = self.regression(Decline::Slower, text, pace.clearest);
        Some(Regression { factor: Some(pace.factor), p: Some(pace.p), ..slower })
    }
}

/// Queries on which a release is slower than its predecessor, confirmed by repeated runs, the largest factors first.
fn slow_queries(material: &Material<'_>, found: &Evolution, release: usize) -> Vec<Regression> {
    let than = release - 1;
    let pair = (release, than);
    let mut all: Vec<Regression> = Vec::new();
    for (&(i, p), &(factor, chance_of)) in material.slower {
        let (Some(slow), Some(fast)) = (material.point(i, release), material.point(i, than)) else {
            continue;
        };
        if p != pair {
            continue;
        }
        let group = material.evolve.items.all[i].group;
        let step = Step { material, found, release, than, group };
        let (now, then, _) = step.names();
        let text = format!(
            "since {now}, {} takes {:.0} ms instead of {:.0} ms in {then}: {factor:.1}× ({} and {} runs, {})",
            material.evolve.items.all[i].name,
            slow.mean() * 1e3,
            fast.mean() * 1e3,
            slow.seconds.len(),
            fast.seconds.len(),
            chance(chance_of)
        );
        let slower = step.regression(Decline::SlowQuery, text, Some(i));
        all.push(Regression { factor: Some(factor), p: Some(chance_of), ..slower });
    }
    all.sort_by(|a, b| b.factor.partial_cmp(&a.factor).unwrap_or(std::cmp::Ordering::Equal));
    all
}

/// So many queries, in words.
pub(super) fn queries(n: usize) -> String {
    if n == 1 { "1 query".to_owned() } else { format!("{n} queries") }
}

/// How likely something is by chance, in words.
pub(super) fn chance(p: f64) -> String {
    if p < 1e-6 {
        "p < 1e-6".to_owned()
    } else {
        format!("p = {p:.2}").replace("p = 0.00", &small(p))
    }
}

fn small(p: f64) -> String {
    format!("p = {p:.0e}")
}
