//! Solvers with one fault each: it is found, by the evidence that it leaves, and nobody else is accused.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_smtlib::parse;
use smelt_triage::{Class, Diagnosis, TargetId};

use crate::formulas::{Formulas, Theory};
use crate::judged;
use crate::mind::Convention;
use crate::solver::{Character, Habit, Lie, Room};

/// Who sits beside a liar.
#[derive(Clone, Copy)]
enum Peers {
    None,
    /// One who prints whole models.
    Telling,
    /// One who prints none.
    Silent,
    /// Two who print none.
    TwoSilent,
    /// One with another convention, who prints none.
    Other,
}

struct Row {
    lie: Lie,
    theories: &'static [Theory],
    /// Whether the formulas leave something open.
    open: bool,
    peers: Peers,
    class: Class,
    /// The beginnings of evidence that will do, as the code names it.
    evidence: &'static [&'static str],
}

const NUMBERS: &[Theory] = &[Theory::Int, Theory::Real];

const FLOATS: &[Theory] = &[Theory::Float];
const FINITE: &[Theory] = &[Theory::Bool];
/// A true model of the script, if it is true whatever is left open, or of the one whose open values have names.
const WITNESS: &[&str] = &["Witness", "FoundModel", "On(\"the totalised script\", Witness"];
/// The word of two families on the script, or on one that leaves nothing open.
const AGREEMENT: &[&str] = &[
    "Agreement",
    "On(\"the totalised script\", Agreement",
    "On(\"the assertions that leave nothing open\", Agreement",
];
const OWN_WORDS: &[&str] = &["OwnWords"];
const REFUTED: &[&str] = &["ModelRefuted"];

const ROWS: &[Row] = &[
    // Alone, where smelt needs nobody.
    row(Lie::Unsat, FINITE, false, Peers::None, Class::RefutationSoundness, &["FoundModel"]),
    row(Lie::Sat, FINITE, false, Peers::None, Class::SolutionSoundness, &["BruteForce"]),
    row(Lie::SatWithModel, NUMBERS, false, Peers::None, Class::InvalidModel, REFUTED),
    row(Lie::WrongValue, NUMBERS, false, Peers::None, Class::InvalidModel, REFUTED),
    row(Lie::WrongValue, NUMBERS, true, Peers::None, Class::InvalidModel, REFUTED),
    row(Lie::WrongValue, FLOATS, true, Peers::None, Class::InvalidModel, REFUTED),
    row(Lie::UnsatToValues, NUMBERS, true, Peers::None, Class::ModelContradiction, OWN_WORDS),
    row(Lie::UnsatToValues, FLOATS, true, Peers::None, Class::ModelContradiction, OWN_WORDS),
    // By the models of others.
    row(Lie::Unsat, NUMBERS, false, Peers::Telling, Class::RefutationSoundness, &["Witness"]),
    row(Lie::UnsatWhereOpen, NUMBERS, true, Peers::Telling, Class::RefutationSoundness, WITNESS),
    row(Lie::UnsatWhereOpen, FLOATS, true, Peers::Telling, Class::RefutationSoundness, WITNESS),
    // By two families.
    row(Lie::Sat, NUMBERS, false, Peers::TwoSilent, Class::SolutionSoundness, AGREEMENT),
    row(Lie::Sat, NUMBERS, true, Peers::TwoSilent, Class::SolutionSoundness, AGREEMENT),
    // By its own words, where another doubts it.
    row(
        Lie::UnsatToScript,
        NUMBERS,
        false,
        Peers::Silent,
        Class::NeighbourContradiction,
        OWN_WORDS,
    ),
    row(Lie::UnsatToScript, NUMBERS, true, Peers::Silent, Class::NeighbourContradiction, OWN_WORDS),
    row(Lie::SatToScript, NUMBERS, false, Peers::Silent, Class::NeighbourContradiction, OWN_WORDS),
    row(
        Lie::UnsatToTotalised,
        NUMBERS,
        true,
        Peers::Other,
        Class::NeighbourContradiction,
        OWN_WORDS,
    ),
];

const fn row(
    lie: Lie,
    theories: &'static [Theory],
    open: bool,
    peers: Peers,
    class: Class,
    evidence: &'static [&'static str],
) -> Row {
    Row { lie, theories, open, peers, class, evidence }
}

/// The liar, and who sits beside it.
fn panel(row: &Row) -> Vec<Character> {
    let whole = Habit::default();
    let silent = Habit { silent: true, ..whole };
    let one = |profile, habit| Character { profile, convention: Convention::Any, habit, lie: None };
    let liar = Character { lie: Some(row.lie), ..one("z3", whole) };
    let zero = Character { convention: Convention::Zero, ..one("bitwuzla", silent) };
    let peers = match row.peers {
        Peers::None => vec![],
        Peers::Telling => vec![one("bitwuzla", whole)],
        Peers::Silent => vec![one("bitwuzla", silent)],
        Peers::TwoSilent => vec![one("yices", silent), one("bitwuzla", silent)],
        Peers::Other => vec![zero],
    };
    [vec![liar], peers].concat()
}

/// Whether an accusation is by the evidence of a row. A wrong `sat` may also be proven without anybody's word, which is better.
fn convicts(row: &Row, d: &Diagnosis) -> bool {
    let evidence = format!("{:?}", d.evidence);
    let lies_sat = matches!(row.lie, Lie::Sat | Lie::SatToScript);
    let alone = lies_sat && evidence.contains("BruteForce");
    (d.class == row.class && row.evidence.iter().any(|e| evidence.starts_with(e)))
        || (d.class == Class::SolutionSoundness && alone)
}

/// Whether a script has a condition that is no assertion: by such a one scripts are made whose answers follow from that to the script.
fn has_condition(text: &str) -> bool {
    ["(and ", "(or ", "(not "].iter().any(|op| text.contains(op))
}

/// Formulas for each row.
const FORMULAS: u64 = 400;

/// How often a lie makes a difference, how often its teller is convicted, and where not.
fn heard(seed: u64, row: &Row) -> (usize, usize, String) {
    let (mut lies, mut convicted, mut missed) = (0, 0, String::new());
    for k in 0..FORMULAS {
        let mut random = ChaCha8Rng::seed_from_u64(seed << 32 | k);
        let theory = row.theories[k as usize % row.theories.len()];
        let text = Formulas { theory, open: row.open, random: &mut random }.script();
        let mut script = parse(text.as_bytes()).unwrap();
        let mut room = Room::new(panel(row), random);
        let told = judged(&mut room, &mut script);
        let (liar, others): (Vec<_>, Vec<_>) =
            told.into_iter().partition(|d: &Diagnosis| d.who == TargetId(0));
        assert!(others.is_empty(), "{:?}\n{text}{others:?}", row.lie);
        assert!(room.lied || liar.is_empty(), "{:?}\n{text}{liar:?}", row.lie);
        let by_conditions = matches!(row.lie, Lie::UnsatToScript | Lie::SatToScript);
        if !room.lied || by_conditions && !has_condition(&text) {
            continue;
        }
        lies += 1;
        match liar.iter().any(|d| convicts(row, d)) {
            true => convicted += 1,
            false => missed = format!("{text}{liar:?}"),
        }
    }
    (lies, convicted, missed)
}

#[test]
fn liars_are_convicted() {
    for (i, row) in ROWS.iter().enumerate() {
        let (lies, convicted, missed) = heard(100 + i as u64, row);
        let who = format!("{i}, {:?}: {convicted} of {lies}", row.lie);
        assert!(lies >= 20, "{who}");
        assert!(convicted * 20 >= lies * 19, "{who}\n{missed}");
    }
}
