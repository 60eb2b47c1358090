//! Every target has terms; they are ground, well-sorted and the same each time; printing and reading keeps them.

use std::collections::BTreeMap;

use smelt_smtlib::{ParseOptions, SortKind, alpha_equal_terms, parse_terms, print_term};

use super::*;

#[test]
fn every_target_is_served() {
    let targets = Target::all();
    let per_target = 40;
    let n = targets.len() as u64;
    let mut g = Generator::new(7, targets.clone()).unwrap();
    let mut found: BTreeMap<Target, u64> = BTreeMap::new();
    for k in 0..n * per_target {
        let Some(case) = g.case(k) else { continue };
        let a = &g.script.arena;
        assert!(a.is_closed(case.term));
        assert!(!matches!(a.kind(case.term), SortKind::RegLan | SortKind::Fun(..)));
        *found.entry(case.target).or_default() += 1;
    }
    for t in targets {
        let have = found.get(&t).copied().unwrap_or(0);
        assert!(have * 10 >= per_target * 8, "{}: only {have} of {per_target}", t.name());
    }
}

#[test]
fn a_term_is_a_function_of_its_number() {
    let text = |numbers: &[u64]| {
        let mut g = Generator::new(3, Target::all()).unwrap();
        numbers
            .iter()
            .map(|&k| g.case(k).map(|c| print_term(&g.script.arena, c.term)))
            .collect::<Vec<_>>()
    };
    let forward: Vec<u64> = (100..700).collect();
    let backward: Vec<u64> = (100..700).rev().collect();
    let mut there = text(&backward);
    there.reverse();
    assert_eq!(text(&forward), there);
}

#[test]
fn terms_are_read_as_they_are_printed() {
    let mut g = Generator::new(5, Target::all()).unwrap();
    let n = Target::all().len() as u64 * 6;
    let mut differ = Vec::new();
    for k in 0..n {
        let Some(case) = g.case(k) else { continue };
        let text = print_term(&g.script.arena, case.term);
        match parse_terms(&mut g.script, text.as_bytes(), &ParseOptions::default()) {
            Ok(back) => {
                let a = &g.script.arena;
                if !alpha_equal_terms(a, case.term, a, back[0]) {
                    let again = print_term(a, back[0]);
                    differ.push(format!("{}: {text}\n  {again}", case.target.name()));
                }
            }
            Err(e) => differ.push(format!("{}: {text}\n  {e}", case.target.name())),
        }
    }
    assert!(
        differ.is_empty(),
        "{} of {n}, as\n{}",
        differ.len(),
        differ[..differ.len().min(5)].join("\n")
    );
}
