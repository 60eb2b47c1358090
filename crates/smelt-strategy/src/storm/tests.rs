//! The paper's own examples, and the shape of incremental instances.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, OpSet, Seed};
use smelt_smtlib::{Command, Script, parse, print_term};

use super::Storm;
use crate::no_lie::seed;
use crate::{Input, Strategy};

/// Whether an instance with a property comes out within a number of chains.
fn reachable(
    seed: &Seed,
    parameters: &[&str],
    chains: u64,
    wanted: impl Fn(&Script) -> bool,
) -> bool {
    let parameters: Vec<String> = parameters.iter().map(|&p| p.into()).collect();
    let ops = OpSet::all();
    let input = Input { seed, partners: &[], ops: &ops, parameters: &parameters };
    (0..chains).any(|n| {
        let mut random = ChaCha8Rng::seed_from_u64(n);
        let mut chain = Storm.start(&input, &mut random).unwrap();
        while let Ok(mutant) = chain.step(&mut random) {
            if wanted(mutant.script) {
                return true;
            }
        }
        false
    })
}

fn assertions(script: &Script) -> Vec<String> {
    let asserted = script.commands.iter().filter_map(|c| match c {
        Command::Assert(t) => Some(print_term(&script.arena, *t)),
        _ => None,
    });
    asserted.collect()
}

/// Figure 2: from two memberships a and b to ¬(¬b ∧ ¬a).
#[test]
fn figure_2() {
    let a = r#"(str.in_re S (re.++ re.allchar (re.++ (str.to_re "7;") (re.++ re.allchar (str.to_re "aa")))))"#;
    let b = r#"(not (str.in_re S (re.union re.allchar (str.to_re "X'jafa"))))"#;
    let text = format!("(declare-const S String)(assert {a})(assert {b})(check-sat)");
    let wanted = format!("(declare-const S String)(assert (not (and (not {b}) (not {a}))))");
    let wanted = assertions(&parse(wanted.as_bytes()).unwrap());
    let seed = seed("figure 2", &text);
    assert!(reachable(&seed, &["amax=1", "mode=plain"], 100, |s| assertions(s) == wanted));
}

/// Figure 3: ¬B, ¬(¬A ∧ B), A, under a tactic.
#[test]
fn figure_3() {
    let text = "(declare-const A Bool)(declare-const B Bool)(assert (and (not B) A))(assert (not A))(check-sat)";
    let seed = seed("figure 3", text);
    let wanted = ["(not B)", "(not (and (not A) B))", "A"];
    let parameters = ["amax=3", "mode=plain", "nc=30", "tactics=dom-simplify; smt"];
    let tactic = Command::CheckSatUsing("dom-simplify".into());
    let found = |s: &Script| assertions(s) == wanted && s.commands.last() == Some(&tactic);
    assert!(reachable(&seed, &parameters, 2000, found));
}

/// Checks inside a scope with a false pick are open; all others have a witness, the last one among them.
#[test]
fn incremental() {
    let text =
        "(declare-const x Int)(assert (or (> x 3) (< x (- 2))))(assert (not (= x 5)))(check-sat)";
    let seed = seed("incremental", text);
    let parameters = ["mode=incremental".to_owned(), "amax=12".to_owned()];
    let ops = OpSet::all();
    let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut chain = Storm.start(&input, &mut random).unwrap();
    let (mut open, mut assuming, mut sat) = (0, 0, 0);
    while let Ok(mutant) = chain.step(&mut random) {
        for e in mutant.expect.iter() {
            match e {
                Expectation::Open => open += 1,
                Expectation::Sat(Some(_)) => sat += 1,
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(mutant.expect.last(), Some(Expectation::Sat(Some(_)))));
        let is = |c: &Command| matches!(c, Command::CheckSatAssuming(_));
        assuming += mutant.script.commands.iter().filter(|c| is(c)).count();
    }
    assert!(open > 20 && assuming > 20 && sat > 300, "{open} {assuming} {sat}");
}

/// Unknown parameters are refused, and so is a seed of which nothing can be evaluated.
#[test]
fn refusals() {
    let check = |text: &str, parameter: &[&str], expect: &str| {
        let seed = seed("refused", text);
        let parameters: Vec<String> = parameter.iter().map(|&p| p.into()).collect();
        let ops = OpSet::all();
        let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
        let result = Storm.start(&input, &mut ChaCha8Rng::seed_from_u64(0));
        assert_eq!(result.err().as_deref(), Some(expect));
    };
    let plain = "(declare-const p Bool)(assert p)(check-sat)";
    check(plain, &["mode=odd"], "mode=odd: plain, incremental or mixed");
    check(plain, &["nc=many"], "`nc=many` cannot be read");
    check(plain, &["amax=4000000000"], "`amax=4000000000`: at most 1000000");
    check(plain, &["assignments=1001"], "`assignments=1001`: at most 1000");
    check("(assert true)(check-sat)", &[], "no Boolean sub-term has a known value");
    check("(declare-const p Bool)(assert p)", &[], "the script has no check");
}
