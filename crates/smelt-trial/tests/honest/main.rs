//! Solvers with odd but legal conventions are accused of nothing, and liars are convicted. The solvers are functions of this test: they
//! decide scripts over a few values by trying them.

mod formulas;
mod liars;
mod mind;
mod solver;
// More sorts and operators than are used here.
#[allow(dead_code)]
#[path = "../../../smelt-eval/tests/totalise/values.rs"]
mod values;
#[allow(dead_code)]
#[path = "../../../smelt-eval/tests/totalise/world.rs"]
mod world;

use std::time::Duration;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_smtlib::{Script, parse};
use smelt_solver::Mode;
use smelt_triage::{Diagnosis, TargetId, Wanted};
use smelt_trial::follow_up::Ask;
use smelt_trial::follow_up::related::{contradiction, values_of};
use smelt_trial::opinion::{Opinion, Run};

use formulas::{Formulas, Theory};
use mind::{Convention, Decision, decide};
use solver::{Character, Habit, Room};

/// Formulas of one test; `SMELT_HONEST` says how many otherwise.
const FORMULAS: u64 = 20_000;

fn count() -> u64 {
    let wanted = std::env::var("SMELT_HONEST");
    wanted.map_or(FORMULAS, |n| n.parse().expect("SMELT_HONEST is a number"))
}

/// CPU time that nobody uses up.
const BUDGET: Duration = Duration::from_secs(60);

/// Who is wrong about a script, as `smelt check` says.
fn judged(room: &mut Room, script: &mut Script) -> Vec<Diagnosis> {
    let runs = room.runs(script);
    let mut opinion = Opinion::new(runs);
    let older = room.panel().older();
    let wanted = Wanted { time: false, unknown: true, older };
    let mut all = opinion.judge(room, script, 0, &wanted, BUDGET).unwrap();
    all.retain(Diagnosis::is_reportable);
    all
}

/// Who contradicts itself on a script that need not be suspected for it, and by which relation.
fn contradictions(room: &mut Room, script: &mut Script) -> Vec<String> {
    let runs = room.runs(script);
    let values = |but: TargetId| -> Vec<Script> {
        let others = runs.iter().filter(|r| r.who != but);
        let of = |r: &Run| {
            let model = r.outcome.as_ref().ok()?.checks[0].model.as_deref();
            values_of(room.panel().get(r.who), script, &r.seen[0], model)
        };
        others.filter_map(of).collect()
    };
    let asked = runs.iter().filter_map(|r| Some((r.who, r.seen[0].answer.decided()?)));
    let asked: Vec<_> = asked.map(|(who, answer)| (who, answer, values(who))).collect();
    let mut found = Vec::new();
    for (who, answer, values) in asked {
        let mode = Mode::plain();
        let other = contradiction(room, who, script, answer, &mode, &values, BUDGET).unwrap();
        found.extend(other.map(|c| format!("{who:?} {} {}", c.pair.rule, c.text)));
    }
    found
}

/// Solvers of a theory with their conventions; what they print is chosen by chance.
fn panel(theory: Theory, conventions: &[Convention], random: &mut ChaCha8Rng) -> Vec<Character> {
    // cvc5 reads other formats of floats only.
    let mut profiles = match theory {
        Theory::Float => vec!["z3", "bitwuzla", "yices"],
        _ => vec!["z3", "cvc5", "yices", "bitwuzla"],
    };
    profiles.shuffle(random);
    profiles.truncate(random.random_range(2..=3));
    let one = |(i, profile)| {
        let habit = Habit {
            silent: random.random_range(0..5) == 0,
            leaves_out: random.random_range(0..4) == 0,
            prints_open: random.random_range(0..4) == 0,
            careless: random.random(),
            unsure: true,
            fickle: random.random(),
        };
        let convention = conventions[i % conventions.len()];
        Character { profile, convention, habit, lie: None }
    };
    profiles.into_iter().enumerate().map(one).collect()
}

const ALL: [Convention; 4] =
    [Convention::Zero, Convention::One, Convention::ByArgument, Convention::Any];

/// Nobody of a panel with these conventions is accused; what is open matters often enough.
fn check(seed: u64, theories: &[Theory], conventions: &[Convention]) {
    let (mut open, mut decided) = (0, 0);
    let n = count();
    for k in 0..n {
        let mut random = ChaCha8Rng::seed_from_u64(seed << 32 | k);
        let theory = theories[k as usize % theories.len()];
        let text = Formulas { theory, open: true, random: &mut random }.script();
        let mut script = parse(text.as_bytes()).unwrap();
        let mut conventions = conventions.to_vec();
        conventions.shuffle(&mut random);
        let characters = panel(theory, &conventions, &mut random);
        let query = script.queries().remove(0);
        let truths = ALL.map(|c| decide(&script, &query, c, &mut random));
        open += u64::from(truths.iter().any(Decision::needs_open));
        let (sat, unsat) =
            (truths.iter().any(Decision::is_sat), truths.iter().any(Decision::is_unsat));
        decided += u64::from(sat && unsat);
        let mut room = Room::new(characters.clone(), random);
        let told = judged(&mut room, &mut script);
        assert!(told.is_empty(), "{k}: {characters:?}\n{text}{told:?}");
        let told = contradictions(&mut room, &mut script);
        assert!(told.is_empty(), "{k}: {characters:?}\n{text}{told:?}");
    }
    assert!(open * 5 >= n, "an open value is needed in {open} of {n}");
    assert!(decided * 50 >= n, "an open value decides {decided} of {n}");
}

const NUMBERS: [Theory; 2] = [Theory::Int, Theory::Real];

#[test]
fn zero() {
    check(1, &NUMBERS, &[Convention::Zero]);
}

#[test]
fn one() {
    check(2, &NUMBERS, &[Convention::One]);
}

#[test]
fn by_argument() {
    check(3, &NUMBERS, &[Convention::ByArgument]);
}

/// Each solver has a convention of its own.
#[test]
fn mixed() {
    check(4, &NUMBERS, &ALL);
}

/// Zeros of different sign.
#[test]
fn signs_of_zero() {
    check(5, &[Theory::Float], &ALL);
}
