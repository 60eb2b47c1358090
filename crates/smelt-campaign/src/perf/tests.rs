//! Runs are written down, go on behind what is done, and are made again from what is written; nothing here starts a process.

use std::path::PathBuf;
use std::sync::Mutex;

use smelt_case::OpSet;
use smelt_solver::Status;
use smelt_strategy::bandit::{Counts, METHODS, Settings};
use smelt_triage::TargetId;
use smelt_trial::Panel;
use smelt_trial::bench::Bench;

use super::record::Positions;
use super::*;
use crate::source::bandit::{Instances, Told};
use crate::source::{CaseSource, Done, Timed};

fn asked() -> Asked {
    Asked {
        objective: Objective::Performance,
        target: "slow".into(),
        references: vec!["fast".into()],
        parameters: Parameters::performance("fp"),
        without: Vec::new(),
        methods: METHODS.iter().map(|m| m.name.to_owned()).collect(),
        restarts: 3,
        queries: 20,
        limit: 1.0,
        against: Against::Fastest,
        repeat: 2,
        patience: 60,
        seed: 7,
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("smelt-perf-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Makes a position with times that follow from how often `fp.div` occurs.
fn position(store: &Store, asked: &Asked, language: &Language, method: &'static Method, seq: u64) {
    let counts = Mutex::new(Counts::new(language.constructs().len()));
    let limit = asked.limit;
    let score = |done: &Done| score::score(&done.timed, asked.against, limit);
    let tell = |told: Told<'_>| store.step(method.name, &told, None, language).unwrap();
    let (panel, cancel) = (Panel::new(Vec::new(), Vec::new()), Cancel::new().unwrap());
    let source = Instances {
        language,
        method,
        settings: Settings::of_most(2.0 * limit),
        counts: &counts,
        seed: asked.seed,
        queries: asked.queries,
        who: &[],
        limit: asked.limit(),
        score: &score,
        tell: &tell,
    };
    let mut bench = Bench::new(&panel, false, &cancel);
    store.begin(method.name, seq).unwrap();
    let line = source.lease(seq, &mut bench, &mut |_, lease| {
        while let Some(case) = lease.next() {
            let text = smelt_smtlib::print(case.script, &Default::default());
            let seconds = 0.1 + 0.02 * text.matches("fp.div").count() as f64;
            let run = |who, seconds: f64| Timed {
                who: TargetId(who),
                answer: "sat",
                decided: Some(Status::Sat),
                seconds,
            };
            let timed = vec![vec![run(0, seconds), run(1, 0.05)]];
            lease.learn(&Done { timed, ..Done::default() });
        }
        Ok(())
    });
    assert_eq!(line.unwrap().unwrap().steps, asked.queries);
    store.end(method.name, seq).unwrap();
}

#[test]
fn a_run_is_written_down() {
    let (asked, path) = (asked(), folder("written"));
    let language = Language::new(&asked.parameters, &OpSet::all()).unwrap();
    let store = Store::open(&path, &asked).unwrap();
    for method in METHODS {
        (0..3).for_each(|seq| position(&store, &asked, &language, method, seq));
    }
    // What was cut off, and what a killed process has left of a line, does not count.
    store.begin("thompson", 9).unwrap();
    drop(store);
    let steps = path.join("steps.jsonl");
    let text = std::fs::read_to_string(&steps).unwrap() + "{\"kind\":\"st";
    std::fs::write(&steps, text).unwrap();
    let store = Store::open(&path, &asked).unwrap();
    let all = store.read().unwrap();
    assert_eq!(all.len(), 3 * METHODS.len());

    let report = sum::report(&asked, &language, &all, &[]).unwrap();
    for found in &report.methods {
        assert_eq!((found.positions, found.queries), (3, 60), "{}", found.method);
        assert_eq!(found.suite.len(), 3);
        assert_eq!(found.perfect, 6.0);
        assert!(found.margin > 0.0 && found.unscored == 0);
        assert_eq!(found.beside.len(), METHODS.len() - 1);
        assert_eq!(found.moments.last().unwrap().queries, 60);
        assert!((found.moments.last().unwrap().margin - found.margin).abs() < 1e-9);
        // The scripts are those that were timed.
        for best in &found.suite {
            let divisions = best.script.matches("fp.div").count() as f64;
            assert!((best.score - (0.05 + 0.02 * divisions)).abs() < 1e-9, "{best:?}");
        }
    }
    let random = report.methods.iter().find(|f| f.method == "random").unwrap();
    assert!(random.ranking.iter().all(|r| r.tally.tried == 0));
    let json = serde_json::to_string(&report).unwrap();
    let back = serde_json::from_str::<Report>(&json).unwrap();
    assert_eq!((back.asked, back.methods.len()), (asked.clone(), report.methods.len()));

    // Another run does not go on there, and is not added to it.
    let other = Asked { seed: 8, ..asked.clone() };
    drop(store);
    let why = Store::open(&path, &other).err().unwrap().to_string();
    assert!(why.contains("asked for something else"), "{why}");
    let stores = [Store::existing(&path).unwrap()];
    let why = merged(&other, &language, &stores).unwrap_err().to_string();
    assert!(why.contains("is of another run"), "{why}");
    assert_eq!(merged(&asked, &language, &stores).unwrap(), report);
    let _ = std::fs::remove_dir_all(&path);
}

/// Parts that two machines have made say together what one machine says.
#[test]
fn shards_add_up() {
    let asked = asked();
    let language = Language::new(&asked.parameters, &OpSet::all()).unwrap();
    let method = Method::named("uniform").unwrap();
    let paths = [folder("one"), folder("two"), folder("whole")];
    let stores: Vec<Store> = paths.iter().map(|p| Store::open(p, &asked).unwrap()).collect();
    for seq in 0..3 {
        position(&stores[usize::from(seq % 2 == 1)], &asked, &language, method, seq);
        position(&stores[2], &asked, &language, method, seq);
    }
    let whole = merged(&asked, &language, &stores[2..]).unwrap();
    assert_eq!(merged(&asked, &language, &stores[..2]).unwrap(), whole);
    paths.iter().for_each(|p| drop(std::fs::remove_dir_all(p)));
}

/// A score for which nobody else was asked is none that counts.
#[test]
fn bounds_are_no_scores() {
    let (asked, mut all) = (asked(), Positions::new());
    let language = Language::new(&asked.parameters, &OpSet::all()).unwrap();
    let ran = |seconds| record::Ran { answer: "sat".into(), seconds };
    let step = |step, score, round| record::Step {
        step,
        made: None,
        score: Some(score),
        reward: false,
        rounds: vec![round],
        judged: None,
    };
    let steps = vec![step(0, 0.3, vec![ran(0.5), ran(0.2)]), step(1, 0.4, vec![ran(0.4)])];
    all.insert(("random".into(), 0), steps);
    let report = sum::report(&asked, &language, &all, &[]).unwrap();
    let random = report.methods.iter().find(|f| f.method == "random").unwrap();
    assert_eq!((random.margin, random.suite[0].step), (0.3, 0));
}
