//! All runs added up.

use std::collections::BTreeMap;

use smelt_trial::Target;

use super::data::{Cell, Evolution, Fault, Group, QueryRow, Ran, Release, Spread, THRESHOLDS};
use super::judge::{Point, Points};
use super::pace::{self, Confirmed};
use super::{Evolve, choice, name, words};

/// Bytes of a script that are shown.
const SHOWN: usize = 3000;

/// Queries of grammars that are shown.
const OF_GRAMMARS: usize = 200;

/// All that the parts of an evolution are made of.
pub(super) struct Material<'a> {
    /// What was asked.
    pub evolve: &'a Evolve<'a>,
    /// What came of it, query by query.
    pub points: &'a [Points],
    /// Who is slower on what.
    pub slower: &'a Confirmed,
}

/// What follows from all runs.
pub(super) fn evolution(evolve: &Evolve<'_>, points: &[Points]) -> Evolution {
    let slower = pace::confirmed(points, &evolve.pairs());
    let material = Material { evolve, points, slower: &slower };
    let limit = evolve.limit.as_secs_f64();
    let mut found = Evolution {
        limit,
        repeat: evolve.repeat,
        thresholds: THRESHOLDS.into_iter().filter(|t| *t <= limit).collect(),
        groups: material.groups(),
        releases: material.releases(),
        unread: evolve.items.unread.clone(),
        ..Evolution::default()
    };
    for release in 0..found.releases.len() {
        for group in 0..found.groups.len() {
            found.cells.push(material.cell(&found, release, group));
        }
    }
    found.faults = material.faults(&found);
    found.regressions = words::regressions(&material, &found);
    found.matrix = material.matrix();
    found.choice = evolve.current.map(|current| choice::choose(&material, &found, current));
    found
}

impl Material<'_> {
    /// The queries of a group.
    pub fn queries(&self, group: usize) -> Vec<usize> {
        let all = &self.evolve.items.all;
        (0..all.len()).filter(|&i| all[i].group == group).collect()
    }

    /// What a release made of a query.
    pub fn point(&self, query: usize, release: usize) -> Option<&Point> {
        self.points[query].get(release)?.as_ref()
    }

    /// How to replay a query by releases.
    pub fn command(&self, query: usize, releases: &[usize]) -> String {
        let item = &self.evolve.items.all[query];
        let file = match self.evolve.items.is_word(item) {
            true => format!("queries/{}.smt2", item.name),
            false => item.name.clone(),
        };
        let spec = |r: &usize| format!(" --solver '{}'", spec(&self.evolve.panel.targets()[*r]));
        let limit = self.evolve.limit.as_secs_f64();
        let solvers: String = releases.iter().map(spec).collect();
        format!("smelt check '{file}' --limit {limit}{solvers}")
    }

    fn groups(&self) -> Vec<Group> {
        let of = |(i, (name, of_grammar)): (usize, &(String, bool))| Group {
            name: name.clone(),
            queries: self.queries(i).len() as u64,
            of_grammar: *of_grammar,
        };
        self.evolve.items.groups.iter().enumerate().map(of).collect()
    }

    fn releases(&self) -> Vec<Release> {
        let of = |t: &Target| Release {
            // `z3@4.8.7` needs no version behind it.
            label: if is_release(t) { t.spec.clone() } else { t.label.clone() },
            solver: name(t).to_owned(),
            version: t.solver.version().map(ToString::to_string).unwrap_or_default(),
            spec: spec(t),
            start_seconds: t.start_up().as_secs_f64(),
            cold_because: t.cold_because.map(str::to_owned),
        };
        self.evolve.panel.targets().iter().map(of).collect()
    }

    fn cell(&self, found: &Evolution, release: usize, group: usize) -> Cell {
        let queries = self.queries(group);
        let of = |i: usize| self.point(i, release);
        let mut cell = Cell { release, group, ..Cell::default() };
        let count = |map: &mut BTreeMap<String, u64>, key: &str| {
            *map.entry(key.to_owned()).or_insert(0) += 1;
        };
        for &i in &queries {
            let Some(point) = of(i) else { continue };
            count(&mut cell.ends, point.end());
            point.models.iter().for_each(|m| count(&mut cell.models, m));
            let mut classes: Vec<&str> = point.faults.iter().map(|f| f.class.word()).collect();
            classes.dedup();
            classes.iter().for_each(|c| count(&mut cell.faults, c));
            cell.disputed += u64::from(point.disputed);
        }
        let start = found.releases[release].start_seconds;
        let solved = |extra: f64, threshold: f64| self.solved(&queries, release, extra, threshold);
        cell.solved = found.thresholds.iter().map(|t| solved(0.0, *t)).collect();
        cell.solved_with_start = found.thresholds.iter().map(|t| solved(start, *t)).collect();
        let family = self.family(release);
        let joint: Vec<usize> = queries
            .iter()
            .copied()
            .filter(|&i| family.iter().all(|&r| self.point(i, r).is_some_and(Point::decides)))
            .collect();
        cell.joint = joint.len() as u64;
        cell.joint_seconds = self.seconds(&joint, release);
        cell.seconds = self.seconds(&queries, release);
        let ran = queries.iter().filter(|&&i| of(i).is_some()).count() as f64;
        let rate = |seconds: f64| if seconds > 0.0 { ran / seconds } else { 0.0 };
        cell.throughput = rate(cell.seconds.mean);
        cell.throughput_with_start = rate(cell.seconds.mean + ran * start);
        if release > 0 && family.contains(&(release - 1)) {
            let always = |r: usize, i: &usize| self.point(*i, r).is_some_and(|p| p.always);
            let never = |r: usize, i: &usize| self.point(*i, r).is_some_and(|p| p.never);
            let (now, then) = (release, release - 1);
            let change = |a: usize, b: usize| {
                queries.iter().filter(|i| always(a, i) && never(b, i)).count() as u64
            };
            (cell.gained, cell.lost) = (change(now, then), change(then, now));
        }
        cell
    }

    /// The releases of the solver of a release.
    fn family(&self, release: usize) -> Vec<usize> {
        let targets = self.evolve.panel.targets();
        let same = |i: &usize| name(&targets[*i]) == name(&targets[release]);
        (0..targets.len()).filter(same).collect()
    }

    /// Queries that are solved within a limit, in each round.
    fn solved(&self, queries: &[usize], release: usize, extra: f64, limit: f64) -> Spread {
        let in_round = |round: usize| {
            let within = |i: &&usize| {
                let point = self.point(**i, release).filter(|p| p.solves());
                point.and_then(|p| p.seconds.get(round)).is_some_and(|s| s + extra <= limit)
            };
            queries.iter().filter(within).count() as f64
        };
        Spread::of(&(0..self.evolve.repeat as usize).map(in_round).collect::<Vec<_>>())
    }

    /// CPU seconds of queries, in each round.
    fn seconds(&self, queries: &[usize], release: usize) -> Spread {
        let in_round = |round: usize| {
            let of = |i: &usize| self.point(*i, release)?.seconds.get(round).copied();
            queries.iter().filter_map(of).sum::<f64>()
        };
        Spread::of(&(0..self.evolve.repeat as usize).map(in_round).collect::<Vec<_>>())
    }

    /// All faults, those of small scripts first.
    fn faults(&self, found: &Evolution) -> Vec<Fault> {
        let items = &self.evolve.items.all;
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&i| (items[i].text.len(), i));
        let mut shown = std::collections::BTreeSet::new();
        let mut all = Vec::new();
        for release in 0..found.releases.len() {
            for &i in &order {
                let Some(point) = self.point(i, release) else { continue };
                for f in &point.faults {
                    let (group, class) = (items[i].group, f.class.word().to_owned());
                    let first = shown.insert((release, group, class.clone()));
                    all.push(Fault {
                        release,
                        group,
                        class,
                        grade: f.grade.to_string(),
                        evidence: f.evidence.clone(),
                        query: items[i].name.clone(),
                        command: self.command(i, &[release]),
                        script: first.then(|| shortened(&items[i].text)),
                    });
                }
            }
        }
        all
    }

    /// The queries with what releases made of them: all of a user's, and those words of grammars of which there is something to say.
    fn matrix(&self) -> Vec<QueryRow> {
        let items = self.evolve.items;
        let mut of_grammars = 0;
        let mut rows = Vec::new();
        for (i, item) in items.all.iter().enumerate() {
            let told = self.points[i].iter().flatten().any(|p| !p.faults.is_empty())
                || self.slower.keys().any(|(query, _)| *query == i);
            if items.is_word(item) {
                if !told || of_grammars >= OF_GRAMMARS {
                    continue;
                }
                of_grammars += 1;
            }
            let ran = (0..self.points[i].len()).map(|r| self.ran(i, r)).collect();
            let text = shortened(&item.text);
            rows.push(QueryRow { query: item.name.clone(), group: item.group, text, ran });
        }
        rows
    }

    fn ran(&self, query: usize, release: usize) -> Ran {
        let Some(point) = self.point(query, release) else { return Ran::default() };
        let wrong =
            point.faults.first().map(|f| format!("{} ({}: {})", f.class, f.grade, f.evidence));
        let before = release.checked_sub(1);
        let pair = before.and_then(|b| self.slower.get(&(query, (release, b))));
        Ran {
            answer: point.answers.join(" "),
            seconds: Spread::of(&point.seconds),
            runs: point.seconds.len() as u32,
            wrong,
            slower: pair.map(|(factor, _)| *factor),
        }
    }
}

/// Whether a solver was named as a release of its own solver.
fn is_release(target: &Target) -> bool {
    target.spec.strip_prefix(name(target)).is_some_and(|rest| rest.starts_with('@'))
}

/// How to name a solver on the command line.
fn spec(target: &Target) -> String {
    match is_release(target) {
        true => target.spec.clone(),
        false => {
            let solver = &target.solver;
            let words = std::iter::once(solver.program().display().to_string());
            let command: Vec<String> = words.chain(solver.args().iter().cloned()).collect();
            format!("{}={}", name(target), command.join(" "))
        }
    }
}

/// The text of a script, or how it begins.
fn shortened(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    if text.len() <= SHOWN {
        return text.into_owned();
    }
    let mut end = SHOWN;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}\n; … {} bytes in all", &text[..end], text.len())
}
