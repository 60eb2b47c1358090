//! The order of the published tool, by its own figures: how many of the million smallest formulas solvers refuse, because they use names that
//! those solvers do not have. The million ends in the midst of a size, so such numbers are met only if the words of that size are in the
//! tool's order, too.

use std::path::Path;

use dashu_int::UBig;
use smelt_strategy::grammar::{Cost, Enumerator, Grammar};

const MILLION: usize = 1_000_000;

/// A name that no solver has.
fn is_unknown(word: &str) -> bool {
    word.contains("str_to_int") || word.contains("re.star")
}

/// A range of characters whose ends are not literals of one character.
fn has_odd_range(word: &str) -> bool {
    word.match_indices("( re.range ")
        .any(|(at, _)| !word[at..].starts_with(r#"( re.range "a" "a" )"#))
}

/// A function that cvc4 1.5 does not have.
fn is_transcendental(word: &str) -> bool {
    ["( sin ", "( cos ", "( tan "].iter().any(|f| word.contains(f))
}

type Refuses = fn(&str) -> bool;

/// The theory, a solver whose numbers are published, and which words it refuses.
const REFUSED: [(&str, &str, Refuses); 4] = [
    ("Strings", "z3-4.13.0", is_unknown),
    ("Strings", "cvc5-1.1.2", |word| is_unknown(word) || has_odd_range(word)),
    ("Reals", "cvc4-1.5", is_transcendental),
    ("RealInts", "cvc4-1.5", is_transcendental),
];

#[test]
fn refused_words_are_counted_as_published() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/et");
    if !folder.is_dir() {
        // What a test prints is shown only when it fails; this is always shown.
        let line = "refused_words_are_counted_as_published: skipped, the published grammars are not there\n";
        return drop(std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()));
    }
    let published = std::fs::read_to_string(folder.join("solved-problems-8.csv")).unwrap();
    for (theory, solver, refuses) in REFUSED {
        let file = folder.join("grammars").join(format!("{theory}.g4"));
        let grammar = Grammar::read(&std::fs::read_to_string(file).unwrap()).unwrap();
        let count = |cost| {
            let mut words = Enumerator::new(&grammar, cost).unwrap();
            words.reach(&UBig::from(MILLION));
            let mut walk = words.words_from(&UBig::ZERO);
            (0..MILLION).filter(|_| refuses(walk.next().unwrap().text())).count()
        };
        let there = published.lines().find_map(|line| {
            let mut cells = line.split(',');
            let row = [cells.next()?, cells.next()?, cells.next()?, cells.next()?];
            (row[0] == solver && row[1] == "rejected" && row[3] == theory).then_some(row[2])
        });
        let there: f64 = there.unwrap().parse().unwrap();
        assert_eq!(count(Cost::Published) as f64, there, "{theory}, {solver}");
        assert_ne!(count(Cost::Thesis) as f64, there, "{theory}, {solver}: in any order");
    }
}
