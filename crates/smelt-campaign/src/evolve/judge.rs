//! Who is wrong on a query: all models are evaluated, all answers compared; whoever may be wrong is heard in fresh processes, beside the newest
//! release of each solver and whoever has a model that is true.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use smelt_smtlib::{Script, Status, parse_with};
use smelt_solver::{Answer, Limit, Outcome};
use smelt_triage::{Class, Grade, ModelVerdict, Observation, Truth, Wanted, diagnose, leaves_open};
use smelt_trial::opinion::judged::{Accusation, Judged};
use smelt_trial::opinion::{Question, label};
use smelt_trial::{Panel, Target};

use super::data::WALL;
use super::items::Item;
use super::pass::{seconds, session_key};
use super::{Evolve, newest};
use crate::survey::store::{panel_key, target_key};

/// What a release made of a query.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    /// The answer to each check.
    pub answers: Vec<&'static str>,
    /// What the evaluator says of each model.
    pub models: Vec<&'static str>,
    /// CPU seconds of each run.
    pub seconds: Vec<f64>,
    /// Whether each of its runs decided all checks.
    pub always: bool,
    /// Whether none of its runs did, and none was ended by the wall clock, which tells of the machine.
    pub never: bool,
    /// What it is accused of on strong or proven evidence, in fresh processes.
    pub faults: Vec<Accusation>,
    /// Whether others contradict it, and nobody knows who is wrong; or what its session said does not show in a fresh process.
    pub disputed: bool,
}

impl Point {
    /// Whether all checks are decided, in the first run.
    pub fn decides(&self) -> bool {
        !self.answers.is_empty() && self.answers.iter().all(|a| matches!(*a, "sat" | "unsat"))
    }

    /// Whether all checks are decided, and it is not known to be wrong.
    pub fn solves(&self) -> bool {
        self.decides() && !self.is_wrong()
    }

    /// Whether it is accused of a wrong answer or model.
    pub fn is_wrong(&self) -> bool {
        self.faults.iter().any(|f| f.class <= Class::InvalidModel)
    }

    /// How many runs there are.
    pub fn runs(&self) -> u32 {
        u32::try_from(self.seconds.len()).unwrap_or(u32::MAX)
    }

    /// How it ended: what is neither sat nor unsat first.
    pub fn end(&self) -> &'static str {
        let open = self.answers.iter().find(|a| !matches!(**a, "sat" | "unsat"));
        match open.or(self.answers.last()).copied() {
            None => "other",
            Some("unsupported") => "rejected",
            Some("delta-sat" | "unreadable") => "other",
            Some(end) => end,
        }
    }

    /// The mean of its times.
    pub fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len().max(1) as f64
    }
}

/// What releases made of a query; nothing where one was not run.
pub(super) type Points = Vec<Option<Point>>;

/// What all releases made of a query.
pub(super) fn points(evolve: &Evolve<'_>, item: &Item) -> Result<Points> {
    let targets = evolve.panel.targets();
    let mut first: Vec<Option<Outcome>> = Vec::new();
    let mut points: Points = Vec::new();
    for target in targets {
        let name = session_key(target);
        let mut point = Point { always: true, never: true, ..Point::default() };
        first.push(None);
        for round in 0..evolve.most_rounds() {
            let Some(outcome) = evolve.store.outcome(evolve.key(item, &name, round))? else {
                continue;
            };
            let decides = !outcome.checks.is_empty()
                && outcome.checks.iter().all(|c| c.answer.decided().is_some());
            point.always &= decides;
            point.never &= !decides && !outcome.answers().any(is_cut_off);
            point.seconds.push(seconds(&outcome));
            if round == 0 {
                let last = first.len() - 1;
                first[last] = Some(outcome);
            }
        }
        let ran = first.last().is_some_and(Option::is_some);
        points.push(ran.then_some(point));
    }
    judge(evolve, item, &first, &mut points)?;
    Ok(points)
}

fn judge(
    evolve: &Evolve<'_>,
    item: &Item,
    first: &[Option<Outcome>],
    points: &mut Points,
) -> Result<()> {
    let mut script = parse_with(&item.text, evolve.options).ok();
    let seen: Vec<Vec<Observation>> = evolve
        .panel
        .targets()
        .iter()
        .zip(first)
        .map(|(target, outcome)| match (outcome, &mut script) {
            (None, _) => Vec::new(),
            (Some(outcome), Some(script)) => {
                let queries = script.queries();
                target.observe(script, &queries, outcome)
            }
            (Some(outcome), None) => {
                target.observe_unread(&String::from_utf8_lossy(&item.text), outcome)
            }
        })
        .collect();
    for (point, seen) in points.iter_mut().zip(&seen) {
        let Some(point) = point else { continue };
        point.answers = seen.iter().map(|o| kind(&o.answer)).collect();
        point.models = seen.iter().filter_map(|o| o.model.as_ref().map(word)).collect();
    }
    for (who, proven) in suspects(script.as_ref(), &seen) {
        let heard = hear(evolve, item, who, &beside(evolve, &seen, who))?;
        let Some(point) = &mut points[who] else { continue };
        let (faults, open): (Vec<_>, Vec<_>) =
            heard.into_iter().partition(Accusation::is_reportable);
        // What only a session says accuses nobody, but it is not trusted either.
        point.disputed = !open.is_empty() || proven && faults.is_empty();
        point.faults = faults;
    }
    Ok(())
}

/// Whether the wall clock ended a check: other work of the machine may have been the reason.
fn is_cut_off(answer: &Answer) -> bool {
    matches!(answer, Answer::Timeout(Limit::Wall))
}

/// One word for an answer; limits of CPU and of wall time are different ones.
fn kind(answer: &Answer) -> &'static str {
    if is_cut_off(answer) { WALL } else { answer.kind() }
}

fn word(model: &ModelVerdict) -> &'static str {
    match model {
        ModelVerdict::True => "true",
        m if m.to_string().starts_with("FALSE") => "false",
        _ => "open",
    }
}

/// Who may be wrong: whoever is accused by what was seen in sessions. Of those whom only somebody's word is against, who agrees with most is
/// not heard. Each with whether what was seen would prove it.
fn suspects(script: Option<&Script>, seen: &[Vec<Observation>]) -> BTreeMap<usize, bool> {
    let wanted = Wanted { time: false, unknown: false, older: Vec::new() };
    let checks = seen.iter().map(Vec::len).max().unwrap_or(0);
    let queries = script.map(Script::queries).unwrap_or_default();
    let mut all = BTreeMap::new();
    for k in 0..checks {
        let here: Vec<Observation> = seen.iter().filter_map(|s| s.get(k).cloned()).collect();
        let of =
            |status: Status| here.iter().filter(|o| o.answer.decided() == Some(status)).count();
        let most = if of(Status::Sat) >= of(Status::Unsat) { Status::Sat } else { Status::Unsat };
        let mut truth = Truth::default();
        if let (Some(script), Some(query)) = (script, queries.get(k)) {
            truth.label = label(script, query.command);
            truth.partial = leaves_open(script, query);
        }
        for d in diagnose(&here, truth, &wanted) {
            let said = here.iter().find(|o| o.who == d.who).and_then(|o| o.answer.decided());
            let agrees = said == Some(most) && d.class < Class::InvalidModel;
            let labelled = truth.label != Status::Unknown;
            let heard = d.evidence.grade() > Grade::Weak || !agrees || labelled && here.len() < 4;
            if d.class <= Class::Crash && heard {
                *all.entry(d.who.0).or_insert(false) |= d.is_reportable();
            }
        }
    }
    all
}

/// Who is heard beside somebody: the newest release of each solver, the peers at hand, and one whose model is true.
fn beside<'e>(evolve: &Evolve<'e>, seen: &[Vec<Observation>], who: usize) -> Vec<&'e Target> {
    let targets = evolve.panel.targets();
    let mut all: BTreeSet<usize> = newest(evolve.panel).into_iter().collect();
    let proves = |s: &Vec<Observation>| s.iter().any(|o| o.model == Some(ModelVerdict::True));
    if !all.iter().any(|&i| proves(&seen[i])) {
        all.extend(seen.iter().position(proves));
    }
    all.remove(&who);
    let own = all.into_iter().map(|i| &targets[i]);
    own.chain(evolve.panel.arbiters()).collect()
}

/// Hears a release beside others, all in fresh processes: what it is accused or suspected of.
fn hear(
    evolve: &Evolve<'_>,
    item: &Item,
    who: usize,
    beside: &[&Target],
) -> Result<Vec<Accusation>> {
    let accused = &evolve.panel.targets()[who];
    let all = std::iter::once(accused).chain(beside.iter().copied());
    let panel = Panel::new(all.map(Target::again).collect(), Vec::new());
    let id = panel_key(&panel, &format!("evolve {:?}", evolve.options));
    let known = evolve.store.judged(&item.hash, &id, evolve.limit)?;
    let judged = match known {
        Some(judged) => judged,
        None => {
            let question = Question {
                text: &item.text,
                options: evolve.options,
                panel: &panel,
                cpu: evolve.limit,
                cancel: evolve.cancel,
            };
            let mut runs = Vec::new();
            for target in panel.targets() {
                let name = target_key(target);
                let key = evolve.key(item, &name, 0);
                runs.push(match evolve.store.outcome(key)? {
                    Some(outcome) => question.recall(target, outcome),
                    None => {
                        let run = question.run(target);
                        if evolve.cancel.is_cancelled() {
                            return Ok(Vec::new());
                        }
                        evolve.store.keep(key, &run)?;
                        run
                    }
                });
            }
            let judged = Judged::from(&question.judge(runs));
            if evolve.cancel.is_cancelled() {
                return Ok(Vec::new());
            }
            let place = (item.hash.as_str(), id.as_str(), evolve.limit);
            evolve.store.keep_judged(place, &[session_key(accused)], &judged)?;
            judged
        }
    };
    let held = |d: &Accusation| d.who.0 == 0 && d.class <= Class::Crash;
    Ok(judged.diagnoses.into_iter().filter(held).collect())
}
