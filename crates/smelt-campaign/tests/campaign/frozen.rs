//! Learning that changes nothing: in a frozen campaign a position has its cases, and they are given to the same solvers, with any
//! number of workers and in any order of positions.

use std::sync::Mutex;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_campaign::control::Control;
use smelt_campaign::engine::{End, Engine};
use smelt_campaign::facts::{self, Backoff, Facts, Frozen, Learned, Lesson};
use smelt_campaign::journal::{Journal, LeaseLine};
use smelt_campaign::log::Log;
use smelt_campaign::plan::{Config, Plan};
use smelt_campaign::schedule::ChainResult;
use smelt_campaign::seed_files::SeedFile;
use smelt_campaign::seeds::Source;
use smelt_campaign::sequence::Sequence;
use smelt_campaign::source::chains::Chains;
use smelt_campaign::tally::{Tally, Tested};
use smelt_smtlib::parse;
use smelt_strategy::by_name;
use smelt_triage::{Class, TargetId};
use smelt_trial::content::Content;

use crate::made_up::{Memory, config, dir, plan, solver};

/// These positions, one after the other.
struct Listed(Mutex<Vec<u64>>);

impl Sequence for Listed {
    fn next(&self) -> Option<u64> {
        self.0.lock().unwrap().pop()
    }

    fn finish(&self, _: u64, _: Option<&LeaseLine>) {}
}

/// Seeds of integers without a difference, one that nobody can use, and one that a strategy cannot use.
fn seeds() -> Vec<SeedFile> {
    let head = "(declare-const x Int)(declare-const y Int)";
    let bodies = [
        "(assert (< (+ x y) (* x 2)))(assert (> y x))",
        "(assert (= (+ x 1 y) (* y y)))(assert (or (< x y) (< y 3)))",
        "(assert (distinct (* x y) (+ x 7)))",
        "(assert (>= (+ x x) (+ y 1)))(assert (<= (* 2 x) 5))",
        "(assert",
        "(assert true)",
    ];
    let named = |(i, body): (usize, &&str)| Source {
        name: format!("{i}.smt2"),
        text: format!("{head}{body}(check-sat)").into_bytes(),
    };
    bodies.iter().enumerate().map(named).map(SeedFile::Embedded).collect()
}

/// Two solvers, one of which refuses every difference.
fn picky(name: &str, config: Config) -> Plan {
    let folder = dir(&format!("{name}-solvers"));
    let refuses = "grep -qF '(- ' \"$1\" && { echo '(error \"no differences here\")'; exit 1; }; echo unknown";
    let strategies = ["opfuzz", "typefuzz", "storm"].map(|n| by_name(n).unwrap());
    Plan {
        seeds: seeds(),
        strategies: strategies.into_iter().map(|s| (s, Vec::new())).collect(),
        ..plan(
            config,
            vec![solver(&folder, "picky", refuses), solver(&folder, "shy", "echo unknown")],
        )
    }
}

/// Runs a plan at these positions, in their order: how it ended, and what solvers were given.
fn run(name: &str, plan: &Plan, positions: Vec<u64>) -> (End, String) {
    let folder = dir(name);
    let journal = Journal::open(&folder).unwrap();
    let run = journal.begin_run("{}").unwrap();
    let control = Control::new(Tally::default()).unwrap();
    let facts = facts::of(plan, &control);
    let source = Chains::new(plan, &control, (&journal, run), &*facts);
    let shelf = Memory::default();
    let sequence = Listed(Mutex::new(positions.into_iter().rev().collect()));
    let log = Log::create(&folder.join("log.tsv")).unwrap();
    let (parts, kept) = ((&source as _, &sequence as _), (&*facts, &shelf as _));
    let mut engine = Engine::new(plan, parts, kept, (&journal, run), &control);
    engine.log = Some(&log);
    let end = engine.run(0.0, &mut |_| {});
    (end, std::fs::read_to_string(folder.join("log.tsv")).unwrap())
}

/// What solvers were given at these positions: strategy, seed, position, step, solver, digest of the script and answer, sorted.
fn stream(name: &str, jobs: usize, positions: Vec<u64>) -> Vec<String> {
    let plan = picky(name, Config { jobs, steps: Some(12), ..config() });
    let (end, log) = run(name, &plan, positions);
    assert!(end.failure.is_none() && end.last.elapsed_seconds < 60.0, "{:?}", end.failure);
    let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn any_number_of_workers_in_any_order() {
    let one = stream("frozen-one", 1, (0..40).collect());
    let refused = one.iter().filter(|l| l.ends_with("rejected")).count();
    assert!(one.len() > 300 && refused > 6, "{refused} of {}", one.len());
    for (name, jobs, positions) in [
        ("frozen-two", 2, (0..40).collect()),
        ("frozen-three", 3, (0..40).rev().collect()),
        ("frozen-mixed", 1, (0..40).map(|n| n * 17 % 40).collect::<Vec<u64>>()),
    ] {
        let other = stream(name, jobs, positions);
        let differ = one.iter().filter(|l| !other.contains(l)).count();
        assert!(one == other, "{name}: {differ} of {} are not among {}", one.len(), other.len());
    }
    // Some of the positions have what they have beside the others.
    let some = stream("frozen-some", 2, vec![31, 7, 8]);
    let those: Vec<&String> =
        one.iter().filter(|l| ["31", "7", "8"].contains(&l.split('\t').nth(2).unwrap())).collect();
    assert_eq!(some.iter().collect::<Vec<_>>(), those);
}

/// What is known of the first seed, the first solver and one kind of suspicion.
fn known(facts: &dyn Facts, uses: &Content) -> String {
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    let (here, who) = (&mut Backoff::default(), TargetId(0));
    let shares = facts.shares(&["opfuzz", "typefuzz"], random);
    // Questions bring some answers nearer: each is asked more than once.
    let times = |yes: &mut dyn FnMut() -> bool| (0..4).filter(|_| yes()).count();
    format!(
        "limit {:?}, used {} times, given up {}, strategies {:?}, equal shares {}, held back {}, looked at {}",
        facts.limit(0),
        times(&mut || facts.turn(0)),
        facts.is_given_up(0),
        facts.usable(0),
        shares[0] == shares[1],
        times(&mut || facts.holds_back(who, uses)),
        times(&mut || facts.look(here, "a kind")),
    )
}

#[test]
fn lessons() {
    let config = Config { limit: 3.0, ..config() };
    let plan = picky("lessons", config);
    let control = Control::new(Tally::default()).unwrap();
    let (frozen, learned) = (Frozen::new(&plan), Learned::new(&plan, &control));
    let difference = parse(b"(declare-const x Int)(assert (= (- x 1) 2))(check-sat)").unwrap();
    let difference = Content::of(&difference);
    let at_first = [known(&frozen, &difference), known(&learned, &difference)];
    let untaught = ["3s", "250ms"].map(|limit| {
        format!(
            "limit {limit}, used 4 times, given up false, strategies [0, 1, 2], equal shares true, held back 0, looked at 4"
        )
    });
    assert_eq!(at_first, untaught);
    let test =
        |maker| Tested { maker, said: Vec::new(), rejected: false, solver_cpu: 0.0, own_cpu: 0.0 };
    (0..10_000).for_each(|_| control.tally().count_test(&test("opfuzz")));
    (0..9).for_each(|_| control.tally().count_finding("opfuzz", Class::Crash));
    let hard = ChainResult { tests: 9, decided: 0, slow: 9, near: 0 };
    for facts in [&frozen as &dyn Facts, &learned] {
        let other = &mut Backoff::default();
        for _ in 0..8 {
            facts.learn(Lesson::Refused { seed: 0, strategy: "storm" });
            facts.learn(Lesson::Chain { seed: 0, result: hard });
            let (who, content) = (TargetId(0), &difference);
            facts.learn(Lesson::Content { who, content, refused: true });
            facts.learn(Lesson::InVain { here: other, kind: "a kind".to_owned() });
        }
        facts.learn(Lesson::GiveUp { seed: 0 });
    }
    assert_eq!(known(&frozen, &difference), at_first[0]);
    let now = known(&learned, &difference);
    let expect = "limit 125ms, used 0 times, given up true, strategies [0, 1], equal shares false, held back 4, looked at 0";
    assert_eq!(now, expect);
    // The lease itself goes on learning of its suspicions.
    let here = &mut Backoff::default();
    (0..3).for_each(|_| frozen.learn(Lesson::InVain { here, kind: "a kind".to_owned() }));
    assert!(!frozen.look(here, "a kind") && frozen.look(here, "another"));
}

/// A campaign in which no strategy can use any seed ends, frozen or not.
#[test]
fn nothing_to_make_tests_of() {
    for deterministic in [true, false] {
        let plan = picky("barren", Config { deterministic, ..config() });
        let seeds = plan.seeds.into_iter().rev().take(1).collect();
        let strategies = vec![(by_name("storm").unwrap(), Vec::new())];
        let plan = Plan { seeds, strategies, ..picky("barren", plan.config) };
        let (end, _) = run("barren", &plan, (0..100).collect());
        let said = end.failure.map(|e| e.to_string());
        assert_eq!(said.as_deref(), Some("no seed can be used (1: no strategy can use it)"));
    }
}
