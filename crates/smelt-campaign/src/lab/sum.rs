//! From the folders of all cells to what came of a lab.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use smelt_case::Origin;
use smelt_solver::Version;
use smelt_triage::{Fingerprint, Grade, Mark, clusters};

use super::cell::{CAMPAIGN, PEER};
use super::data::{Beside, CellRow, LabBug, Moment, OnTarget, Report, Row, Shared, Spread, Truth};
use super::effect::{a12, holm, median, two_sided};
use super::peer::Peer;
use super::plan::{How, LabPlan, LabTarget};
use super::record::{Place, Store};
use crate::finding::Finding;
use crate::shelf::{self, Contents, FINDINGS};

/// Points of a curve.
const MOMENTS: u32 = 60;

/// A finding of a cell.
struct Trigger {
    finding: Finding,
    /// Its folder.
    path: PathBuf,
    /// The cell, by its place among those of the target.
    cell: usize,
    /// CPU seconds of the cell when it was met.
    cpu: f64,
}

/// A cell with what is known of it.
struct Known {
    place: Place,
    row: CellRow,
    /// CPU seconds at which each bug that counts was first met, by the bug.
    met: BTreeMap<usize, f64>,
}

/// What the cells of a lab say.
pub fn report(plan: &LabPlan, store: &Store) -> Result<Report> {
    let targets = plan.targets.iter().enumerate();
    let targets = targets.map(|(i, target)| on_target(plan, store, i, target));
    let command = String::new();
    Ok(Report { command, plan: plan.clone(), targets: targets.collect::<Result<_>>()? })
}

fn on_target(plan: &LabPlan, store: &Store, number: usize, target: &LabTarget) -> Result<OnTarget> {
    let places = store.places().into_iter().filter(|p| p.target == number);
    let (mut cells, mut triggers) = (Vec::new(), Vec::new());
    for place in places.filter(|p| store.cell_folder(p).is_dir()) {
        let is_peer = matches!(plan.techniques[place.technique].how, How::Peer(_));
        let (row, found) = cell(store, &place, is_peer, plan.budget, cells.len())?;
        triggers.extend(found);
        cells.push(Known { place, row, met: BTreeMap::new() });
    }
    let folder = store.folder();
    let name = |cell: usize| plan.techniques[cells_technique(&cells, cell)].name.clone();
    let (bugs, members) = bugs(&triggers, folder, &name);
    for (bug, own) in members.iter().enumerate().filter(|(i, _)| bugs[*i].truth.counts()) {
        for trigger in own {
            let met = cells[trigger.cell].met.entry(bug).or_insert(f64::INFINITY);
            *met = met.min(trigger.cpu);
        }
    }
    for known in &mut cells {
        known.row.distinct = known.met.len() as u64;
    }
    let mut rows: Vec<Row> = Vec::new();
    for (i, technique) in plan.techniques.iter().enumerate() {
        let own: Vec<&Known> = cells.iter().filter(|k| k.place.technique == i).collect();
        let about = technique.how.words();
        rows.push(row((&technique.name, about), &own, &bugs, plan.budget));
    }
    beside(&mut rows, &plan.baseline);
    let shared = shared(&bugs);
    let (name, solvers) = (target.name.clone(), target.solvers.clone());
    Ok(OnTarget { name, solvers, techniques: rows, bugs, shared })
}

fn cells_technique(cells: &[Known], cell: usize) -> usize {
    cells[cell].place.technique
}

/// A cell and its findings, which are known by a fingerprint.
fn cell(
    store: &Store,
    place: &Place,
    is_peer: bool,
    budget: f64,
    number: usize,
) -> Result<(CellRow, Vec<Trigger>)> {
    let folder = store.cell_folder(place);
    let noted = if is_peer { Peer::noted(&folder.join(PEER))? } else { Vec::new() };
    let bugs = Peer::bugs(&folder.join(PEER));
    let moments: BTreeMap<PathBuf, f64> =
        noted.iter().filter_map(|n| Some((bugs.join(n.bug.as_ref()?), n.cpu))).collect();
    let findings = folder.join(CAMPAIGN).join(FINDINGS);
    let found = if findings.is_dir() { shelf::read_all(&findings)?.findings } else { Vec::new() };
    let mut row = CellRow {
        repetition: place.repetition + 1,
        done: store.done(place).is_some(),
        cell: store.read(place).unwrap_or_default(),
        distinct: 0,
        findings: found.len() as u64,
        untold: 0,
        on_seeds: 0,
    };
    let mut triggers = Vec::new();
    for finding in found {
        let is_seed = matches!(finding.origin.root(), Origin::Seed(_));
        if is_seed && !is_peer {
            row.on_seeds += 1;
        } else if finding.standing_print().is_none() {
            row.untold += 1;
        } else {
            let of_peer = || moment(&moments, &finding.origin);
            let cpu = if is_peer { of_peer() } else { finding.spent };
            let cpu = cpu.unwrap_or(budget).min(budget);
            let path = shelf::place(&findings, &finding.id);
            triggers.push(Trigger { finding, path, cell: number, cpu });
        }
    }
    Ok((row, triggers))
}

/// When a peer had written the script of a finding: it is named by its path, which may be seen from elsewhere.
fn moment(moments: &BTreeMap<PathBuf, f64>, origin: &Origin) -> Option<f64> {
    let Origin::Seed(seed) = origin.root() else { return None };
    let name = Path::new(&seed.name);
    let found = moments.iter().find(|(path, _)| path.file_name() == name.file_name());
    found.map(|(_, cpu)| *cpu)
}

/// The bugs of a target with their triggers, those that count first.
fn bugs<'t>(
    triggers: &'t [Trigger],
    folder: &Path,
    name: &dyn Fn(usize) -> String,
) -> (Vec<LabBug>, Vec<Vec<&'t Trigger>>) {
    let prints: Vec<Fingerprint> =
        triggers.iter().filter_map(|t| t.finding.standing_print().cloned()).collect();
    let mut all: Vec<(LabBug, Vec<&Trigger>)> = Vec::new();
    for cluster in clusters(&prints) {
        let own: Vec<&Trigger> = cluster.members().map(|i| &triggers[i]).collect();
        let cells: BTreeSet<usize> = own.iter().map(|t| t.cell).collect();
        let mut found = BTreeMap::new();
        for cell in cells {
            *found.entry(name(cell)).or_insert(0) += 1;
        }
        all.push((bug(own[0], &own, folder, found), own));
    }
    all.sort_by(|(a, _), (b, _)| {
        let key = |bug: &LabBug| (bug.truth, bug.solver.clone(), bug.class.clone(), bug.id.clone());
        key(a).cmp(&key(b))
    });
    all.into_iter().unzip()
}

fn bug(leader: &Trigger, own: &[&Trigger], folder: &Path, found: BTreeMap<String, u64>) -> LabBug {
    let f = &leader.finding;
    let script = Contents::read(&leader.path).map(|c| c.bug).unwrap_or_default();
    let proven = own.iter().any(|t| t.finding.verdict().grade == Grade::Proven);
    let path = leader.path.strip_prefix(folder).unwrap_or(&leader.path);
    LabBug {
        id: f.id.clone(),
        path: path.display().to_string(),
        class: f.class().word().to_owned(),
        solver: f.accused.label.clone(),
        logic: f.logic.clone(),
        releases: f.standing_print().map(Fingerprint::spans).unwrap_or_default(),
        truth: f.standing_print().map_or(Truth::Open, |print| truth(print, proven)),
        found,
        script,
    }
}

/// What the releases say that are newer than the one in which a bug was found.
fn truth(print: &Fingerprint, proven: bool) -> Truth {
    let Some(own) = print.own.as_deref().and_then(Version::parse) else { return Truth::Open };
    let newer =
        print.releases.iter().filter(|(name, _)| Version::parse(name).is_some_and(|v| v > own));
    let marks: Vec<Mark> = newer.map(|(_, mark)| *mark).collect();
    if marks.contains(&Mark::Gone) {
        Truth::Fixed
    } else if marks.contains(&Mark::Shows) {
        Truth::Stays
    } else if marks.is_empty() && proven {
        Truth::Proven
    } else {
        Truth::Open
    }
}

fn row((name, about): (&str, String), own: &[&Known], bugs: &[LabBug], budget: f64) -> Row {
    let done: Vec<&Known> = own.iter().copied().filter(|k| k.row.done).collect();
    let distinct: Vec<f64> = done.iter().map(|k| k.row.distinct as f64).collect();
    let firsts = own.iter().filter_map(|k| k.met.values().copied().min_by(f64::total_cmp));
    let sum = |of: &dyn Fn(&CellRow) -> Option<f64>| -> Option<f64> {
        // What a cell that was cut off has used is not known here.
        let told = || own.iter().filter(|k| k.row.cell.spent > 0.0);
        told().map(|k| of(&k.row)).sum::<Option<f64>>().filter(|_| told().next().is_some())
    };
    let spent = sum(&|r| Some(r.cell.spent)).unwrap_or_default();
    let tests = sum(&|r| r.cell.tests.map(|n| n as f64));
    let refused = sum(&|r| r.cell.rejected.map(|n| n as f64));
    let share = |n: Option<f64>, of: Option<f64>| Some(n? / of.filter(|of| *of > 0.0)?);
    let counted = bugs.iter().filter(|b| b.truth.counts() && b.found.contains_key(name));
    let counted: Vec<&LabBug> = counted.collect();
    let mut logics = BTreeMap::new();
    for bug in &counted {
        *logics.entry(bug.logic.clone()).or_insert(0) += 1;
    }
    Row {
        technique: name.to_owned(),
        about,
        cells: own.iter().map(|k| k.row.clone()).collect(),
        distinct: spread(&distinct),
        together: counted.len() as u64,
        unique: counted.iter().filter(|b| b.found.len() == 1).count() as u64,
        first: median(&firsts.collect::<Vec<_>>()),
        rate: share(tests, Some(spent)),
        refused: share(refused, tests),
        cost: share(
            sum(&|r| r.done.then_some(r.cell.spent).or(Some(0.0))),
            Some(distinct.iter().sum()),
        ),
        apart: sum(&|r| Some(r.cell.apart)).unwrap_or_default(),
        beside: None,
        moments: moments(&done, budget),
        logics,
    }
}

fn spread(numbers: &[f64]) -> Option<Spread> {
    let end = |pick: fn(f64, f64) -> f64| numbers.iter().copied().reduce(pick);
    Some(Spread { median: median(numbers)?, low: end(f64::min)?, high: end(f64::max)? })
}

/// Distinct bugs over CPU time, of the repetitions that are done.
fn moments(done: &[&Known], budget: f64) -> Vec<Moment> {
    let at = |i: u32| {
        let cpu = budget * f64::from(i) / f64::from(MOMENTS);
        let met = |k: &&Known| k.met.values().filter(|t| **t <= cpu).count() as f64;
        let bugs = spread(&done.iter().map(met).collect::<Vec<_>>())?;
        Some(Moment { cpu, bugs })
    };
    (0..=MOMENTS).filter_map(at).collect()
}

/// Each technique beside the baseline, with one correction for all of them.
fn beside(rows: &mut [Row], baseline: &str) {
    let numbers = |r: &Row| -> Vec<f64> {
        r.cells.iter().filter(|c| c.done).map(|c| c.distinct as f64).collect()
    };
    let Some(base) = rows.iter().find(|r| r.technique == baseline).map(&numbers) else { return };
    let mut tested = Vec::new();
    for (i, own) in rows.iter().enumerate().filter(|(_, r)| r.technique != baseline) {
        let own = numbers(own);
        if !own.is_empty() && !base.is_empty() {
            let runs = (own.len() as u64, base.len() as u64);
            let p = two_sided(&own, &base);
            tested.push((i, Beside { runs, p, holm: p, a12: a12(&own, &base) }));
        }
    }
    let corrected = holm(&tested.iter().map(|(_, b)| b.p).collect::<Vec<_>>());
    for ((i, found), holm) in tested.into_iter().zip(corrected) {
        rows[i].beside = Some(Beside { holm, ..found });
    }
}

/// Which sets of techniques have found how many bugs that count.
fn shared(bugs: &[LabBug]) -> Vec<Shared> {
    let mut sets: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for bug in bugs.iter().filter(|b| b.truth.counts()) {
        *sets.entry(bug.found.keys().cloned().collect()).or_default() += 1;
    }
    let mut all: Vec<Shared> = sets.into_iter().map(|(by, bugs)| Shared { by, bugs }).collect();
    all.sort_by(|a, b| b.bugs.cmp(&a.bugs).then_with(|| a.by.cmp(&b.by)));
    all
}

#[cfg(test)]
mod tests;
