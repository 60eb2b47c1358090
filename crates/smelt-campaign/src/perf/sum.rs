//! From the journal to what came of a run.

use std::collections::BTreeMap;

use smelt_smtlib::{LogicChoice, PrintOptions, print};
use smelt_strategy::bandit::{Language, Method, Streams, ranking, remake};

use super::Asked;
use super::data::{Beside, Best, Found, Moment, Report};
use super::record::{self, Positions, Ran, Step};
use crate::evolve::statistics::rank_sum;

/// Points of a curve, at most.
const MOMENTS: usize = 120;

/// What came of a run.
pub fn report(asked: &Asked, language: &Language, all: &Positions) -> Report {
    let methods = asked.methods.iter().filter_map(|name| Method::named(name).ok());
    let mut methods: Vec<Found> = methods.map(|m| found(asked, language, all, m)).collect();
    beside(&mut methods);
    let contradicts = |((method, seq), step): &((&str, u64), &Step)| {
        contradicts(step).then(|| file(method, *seq, step.step))
    };
    let steps =
        all.iter().flat_map(|((m, seq), steps)| steps.iter().map(move |s| ((&**m, *seq), s)));
    Report {
        command: String::new(),
        asked: asked.clone(),
        contradictions: steps.filter_map(|s| contradicts(&s)).collect(),
        methods,
        slow: Vec::new(),
    }
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

fn found(asked: &Asked, language: &Language, all: &Positions, method: &Method) -> Found {
    let own: Vec<(u64, &Vec<Step>)> = all
        .iter()
        .filter(|((name, _), _)| name == method.name)
        .map(|((_, seq), steps)| (*seq, steps))
        .collect();
    let steps = || own.iter().flat_map(|(_, steps)| steps.iter());
    let runs = || steps().flat_map(|s| s.rounds.iter().flatten());
    let suite: Vec<Best> =
        own.iter().filter_map(|(seq, steps)| best(asked, language, method, *seq, steps)).collect();
    let mut answers = BTreeMap::new();
    for first in steps().filter_map(|s| s.rounds.first()?.first()) {
        *answers.entry(first.answer.clone()).or_insert(0) += 1;
    }
    Found {
        method: method.name.to_owned(),
        about: method.about.to_owned(),
        positions: own.len() as u64,
        queries: steps().count() as u64,
        cpu_seconds: runs().fold(0.0, |sum, r| sum + r.seconds),
        answers,
        unscored: steps().filter(|s| s.score.is_none()).count() as u64,
        margin: suite.iter().fold(0.0, |sum, b| sum + b.score),
        perfect: own.len() as f64 * 2.0 * asked.limit,
        beside: Vec::new(),
        suite,
        ranking: ranking(language, &record::counts(steps(), language), method.agent),
        moments: moments(asked, &own),
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
    let each = all.len().div_ceil(MOMENTS).max(1);
    let last = all.len() - 1;
    all.into_iter().enumerate().filter(|(i, _)| i % each == 0 || *i == last).map(|m| m.1).collect()
}

/// Each method beside each other one, in the positions that both have done.
fn beside(methods: &mut [Found]) {
    let scores =
        |f: &Found| f.suite.iter().map(|b| (b.seq, b.score)).collect::<BTreeMap<u64, f64>>();
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
