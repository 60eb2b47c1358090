//! From the journal to what came of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;

use smelt_smtlib::{LogicChoice, PrintOptions, print};
use smelt_strategy::bandit::{Language, Method, Objective, Streams, ranking, remake};

use super::Asked;
use super::bugs::hunted;
use super::data::{Beside, Best, Found, Moment, Report};
use super::record::{self, Positions, Ran, Step};
use crate::evolve::statistics::rank_sum;

/// Points of a curve, at most.
pub(super) const MOMENTS: usize = 120;

/// What came of a run, or of its parts, which are in these folders.
pub fn report(
    asked: &Asked,
    language: &Language,
    all: &Positions,
    folders: &[PathBuf],
) -> Result<Report> {
    let methods = asked.methods.iter().filter_map(|name| Method::named(name).ok());
    let mut methods: Vec<Found> = methods.map(|m| found(asked, language, all, m)).collect();
    if asked.objective == Objective::Bugs {
        for m in &mut methods {
            let places = folders.iter().map(|f| f.join(&m.method));
            // Not every part has begun with every method.
            let places: Vec<PathBuf> = places.filter(|f| f.join("findings").is_dir()).collect();
            m.hunted = Some(hunted(asked, language, &own(all, &m.method), &places)?);
        }
    }
    beside(&mut methods, all);
    let contradicts = |((method, seq), step): &((&str, u64), &Step)| {
        contradicts(step).then(|| file(method, *seq, step.step))
    };
    let steps =
        all.iter().flat_map(|((m, seq), steps)| steps.iter().map(move |s| ((&**m, *seq), s)));
    Ok(Report {
        command: String::new(),
        asked: asked.clone(),
        contradictions: steps.filter_map(|s| contradicts(&s)).collect(),
        methods,
        slow: Vec::new(),
    })
}

/// The script of a step, under the standard's names.
pub fn script(
    asked: &Asked,
    language: &Language,
    seq: u64,
    steps: &[Step],
    step: u32,
) -> Option<String> {
    let streams = Streams { seed: asked.seed, seq };
    let instance = remake(language, streams, &record::changes(steps, language), step)?;
    let logic = LogicChoice::Smallest;
    Some(print(&language.write(&instance), &PrintOptions { logic, ..PrintOptions::default() }))
}

fn file(method: &str, seq: u64, step: u32) -> String {
    format!("{method}-{seq}-{step}.smt2")
}

/// Whether the target and a reference decide it in different ways.
fn contradicts(step: &Step) -> bool {
    let runs = || step.rounds.iter().flatten();
    runs().any(|r| r.answer == "sat") && runs().any(|r| r.answer == "unsat")
}

/// The positions of a method.
fn own<'a>(all: &'a Positions, method: &str) -> Vec<(u64, &'a Vec<Step>)> {
    let own = all.iter().filter(|((name, _), _)| name == method);
    own.map(|((_, seq), steps)| (*seq, steps)).collect()
}

fn found(asked: &Asked, language: &Language, all: &Positions, method: &Method) -> Found {
    let own = own(all, method.name);
    let steps = || own.iter().flat_map(|(_, steps)| steps.iter());
    let runs = || steps().flat_map(|s| s.rounds.iter().flatten());
    let suite: Vec<Best> =
        own.iter().filter_map(|(seq, steps)| best(asked, language, method, *seq, steps)).collect();
    let mut answers = BTreeMap::new();
    for answer in steps().filter_map(answer) {
        *answers.entry(answer.to_owned()).or_insert(0) += 1;
    }
    let judged = steps().filter_map(|s| s.judged.as_ref());
    Found {
        method: method.name.to_owned(),
        about: method.about.to_owned(),
        positions: own.len() as u64,
        queries: steps().count() as u64,
        // (The sum of nothing is -0.)
        cpu_seconds: runs()
            .map(|r| r.seconds)
            .chain(judged.map(|j| j.seconds))
            .fold(0.0, |sum, s| sum + s),
        answers,
        unscored: steps().filter(|s| s.score.is_none()).count() as u64,
        margin: suite.iter().fold(0.0, |sum, b| sum + b.score),
        perfect: own.len() as f64 * 2.0 * asked.limit,
        beside: Vec::new(),
        suite,
        ranking: ranking(language, &record::counts(steps(), language), method.agent),
        moments: moments(asked, &own),
        hunted: None,
    }
}

/// What the target answered first.
fn answer(step: &Step) -> Option<&str> {
    match &step.judged {
        Some(judged) => judged.said.first().map(String::as_str),
        None => Some(&step.rounds.first()?.first()?.answer),
    }
}

/// Whether the references were asked: otherwise the score is only what it cannot be above.
fn is_whole(step: &Step, asked: &Asked) -> bool {
    let solvers = 1 + asked.references.len();
    !step.rounds.is_empty() && step.rounds.iter().all(|round| round.len() == solvers)
}

/// The score of a step, if it is one.
fn score(step: &Step, asked: &Asked) -> Option<f64> {
    step.score.filter(|_| is_whole(step, asked))
}

/// The best instance of a position.
fn best(
    asked: &Asked,
    language: &Language,
    method: &Method,
    seq: u64,
    steps: &[Step],
) -> Option<Best> {
    let scored = steps.iter().filter_map(|s| Some((score(s, asked)?, s)));
    // Of equal ones the first: it cost less.
    let (score, step) = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.step.cmp(&a.1.step)))?;
    Some(Best {
        file: file(method.name, seq, step.step),
        seq,
        step: step.step,
        score,
        runs: (0..=asked.references.len()).map(|who| mean(step, who)).collect(),
        script: script(asked, language, seq, steps, step.step).unwrap_or_default(),
    })
}

/// What a solver did in all rounds: a timeout, if there was one.
fn mean(step: &Step, who: usize) -> Ran {
    let runs: Vec<&Ran> = step.rounds.iter().filter_map(|round| round.get(who)).collect();
    let late = runs.iter().find(|r| r.answer == "timeout").or(runs.first());
    Ran {
        answer: late.map_or_else(String::new, |r| r.answer.clone()),
        seconds: runs.iter().map(|r| r.seconds).sum::<f64>() / runs.len().max(1) as f64,
    }
}

/// How the margin and the rewards grew.
fn moments(asked: &Asked, own: &[(u64, &Vec<Step>)]) -> Vec<Moment> {
    let mut all = vec![Moment { queries: 0, margin: 0.0, rewards: 0 }];
    let (mut queries, mut rewards, mut before) = (0, 0, 0.0);
    for (_, steps) in own {
        let mut best: f64 = 0.0;
        for step in *steps {
            queries += 1;
            rewards += u64::from(step.reward);
            best = score(step, asked).map_or(best, |s| s.max(best));
            all.push(Moment { queries, margin: before + best, rewards });
        }
        before += best;
    }
    thinned(all, MOMENTS)
}

/// So many of many points, the first and the last among them.
pub(super) fn thinned<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let each = all.len().div_ceil(most).max(1);
    let last = all.len().saturating_sub(1);
    all.into_iter().enumerate().filter(|(i, _)| i % each == 0 || *i == last).map(|m| m.1).collect()
}

/// Each method beside each other one, in the positions that both have done.
fn beside(methods: &mut [Found], positions: &Positions) {
    let scores = |f: &Found| -> BTreeMap<u64, f64> {
        match &f.hunted {
            None => f.suite.iter().map(|b| (b.seq, b.score)).collect(),
            // Inputs that show a bug.
            Some(_) => own(positions, &f.method)
                .into_iter()
                .map(|(seq, steps)| (seq, steps.iter().filter_map(|s| s.score).sum()))
                .collect(),
        }
    };
    let all: Vec<(String, BTreeMap<u64, f64>)> =
        methods.iter().map(|f| (f.method.clone(), scores(f))).collect();
    for own in methods {
        let own_scores = scores(own);
        let compare = |(name, other): &(String, BTreeMap<u64, f64>)| {
            let both = own_scores.iter().filter_map(|(seq, s)| Some((*s, *other.get(seq)?)));
            let (mine, theirs): (Vec<f64>, Vec<f64>) = both.unzip();
            let sum = |all: &[f64]| all.iter().fold(0.0, |sum, s| sum + s);
            let (own, than) = (sum(&mine), sum(&theirs));
            let percent = (than > 0.0).then(|| (own / than - 1.0) * 100.0);
            Beside { method: name.clone(), percent, p: rank_sum(&mine, &theirs) }
        };
        let others = all.iter().filter(|(name, _)| *name != own.method);
        own.beside = others.map(compare).collect();
    }
}
