//! Weakening and strengthening, checked by trying all assignments; and the examples of the chapter.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Expectation, Follows, Known, OpSet, Seed, Status, digest};
use smelt_eval::brute_force;
use smelt_smtlib::{Command, Op, Script, Term, parse, print, print_term};

use super::step::RuleStep;
use crate::no_lie::{Counts, run, satisfied, seeds};
use crate::rules::file::RuleFile;
use crate::{Input, Strategy, by_name};

/// Small domains with everything that the rules for formulas and bit-vectors can match.
pub const SMALL: &[&str] = &[
    "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)\
     (assert (or (and p (not q)) (xor q r) (ite p q (not r))))(assert (=> p (= q r)))",
    "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))(declare-const p Bool)\
     (assert (=> p (bvult x (bvadd y #b001))))(assert (not (bvsle x y)))(assert (or p (= (bvmul x #b011) y) (bvuge x y)))",
    "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(declare-const z (_ BitVec 2))\
     (assert (distinct x y z))(assert (bvult x y))(assert (not (= (concat x y) (concat y z))))",
    "(declare-const x (_ BitVec 2))(declare-const p Bool)\
     (assert (forall ((y (_ BitVec 2)) (b Bool)) (or (bvule y x) (and b p) (= (bvand x y) #b10))))(assert (or p (exists ((b Bool)) (xor b p))))",
    "(declare-fun f (Bool) Bool)(declare-const p Bool)(declare-const q Bool)(assert (not (= (f p) q)))(assert (= (f (not p)) (=> p q)))",
    "(declare-const a (Array Bool Bool))(declare-const b (Array Bool Bool))(declare-const p Bool)\
     (assert (= (select a p) (not (select b p))))(assert (=> p (= (store a p false) b)))",
    "(declare-const x (_ FloatingPoint 2 3))(declare-const p Bool)\
     (assert (=> p (not (fp.lt x (fp #b0 #b01 #b10)))))(assert (or (fp.eq x (fp #b1 #b00 #b00)) (= x (fp.neg x)) (fp.isNaN x)))\
     (assert (xor p (fp.leq x (fp.abs x))))",
    "(declare-datatypes ((E 0) (B 0)) (((r) (g) (b)) ((none) (some (of E)) (two (one E) (other Bool)))))\
     (declare-const x B)(declare-const y B)(declare-const e E)\
     (assert (or ((_ is two) x) (= x (some e))))(assert (not (= x y none)))(assert (=> ((_ is some) y) (distinct (of y) e)))",
    // Constructors and selectors with the names of variables and operators of rules.
    "(declare-datatypes ((C 0)) (((a) (b) (c) (d) (x) (e))))(declare-const v C)(declare-const u C)\
     (assert ((_ is d) v))(assert (or (= v u) ((_ is x) u)))(assert (distinct u d))",
    "(declare-datatypes ((T 0)) (((smelt!0) (smelt!!1) (other))))(declare-const d T)(declare-const e T)\
     (assert (or ((_ is smelt!0) d) ((_ is smelt!!1) e)))(assert (or (= d other) (= e smelt!0)))",
    "(declare-datatypes ((D 0)) (((mk (seq.unit Bool) (set.singleton Bool)))))(declare-const g D)(declare-const h D)\
     (assert (= g h))(assert (distinct (set.singleton g) (set.singleton h)))",
    "(declare-fun f ((_ BitVec 1) Bool) Bool)(declare-const x (_ BitVec 1))\
     (assert (exists ((y (_ BitVec 1))) (or (not (f y true)) (forall ((y (_ BitVec 1)) (b Bool)) (=> (f y b) (= x y))))))\
     (assert (=> (f x false) (exists ((z (_ BitVec 1))) (and (distinct z x) (not (f z false))))))",
];

/// A seed of a small script with each status in turn, whatever its real one is: an implication holds in any case.
pub fn claimed(text: &str, status: Status) -> Seed {
    let text = format!("{text}(check-sat)");
    let script = parse(text.as_bytes()).unwrap();
    let known = Known { status, basis: Basis::Annotated, model: None };
    Seed::new("small".into(), digest(text.as_bytes()), script, vec![known])
}

/// Whether some terms are known to imply others, for all assignments; the error shows that they do not.
fn implies(mut script: Script, strong: &[Term], weak: &[Term]) -> Result<bool, String> {
    let a = &mut script.arena;
    let mut all = |list: &[Term]| match list {
        [t] => *t,
        _ => a.app(Op::And, &[], list).unwrap(),
    };
    let (strong, weak) = (all(strong), all(weak));
    let implied = a.app(Op::Implies, &[], &[strong, weak]).unwrap();
    let negated = a.app(Op::Not, &[], &[implied]).unwrap();
    script.commands.retain(|c| !matches!(c, Command::Assert(_) | Command::CheckSat));
    // Symbols that the strategy has added are not the seed's: what they are is said by the mutant.
    script.commands.extend([Command::Assert(negated), Command::CheckSat]);
    let query = script.queries().remove(0);
    match brute_force(&script, &query) {
        Status::Sat => Err(print_term(&script.arena, implied)),
        known => Ok(known == Status::Unsat),
    }
}

/// Every mutant of a sat seed follows from the seed, and the seed from every mutant of an unsat one: no assignment says otherwise.
pub fn implications(strategy: &dyn Strategy, parameters: &[&str], steps: usize) -> usize {
    let ops = OpSet::all();
    let parameters: Vec<String> = parameters.iter().map(|&p| p.to_owned()).collect();
    let mut judged = 0;
    for text in SMALL {
        for status in [Status::Sat, Status::Unsat] {
            let seed = claimed(text, status);
            let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
            let mut random = ChaCha8Rng::seed_from_u64(3);
            let mut chain = strategy.start(&input, &mut random).unwrap();
            for _ in 0..steps {
                // Not every seed has an atom that a rule can change.
                let Ok(m) = chain.step(&mut random) else { break };
                match m.expect[..] {
                    [Expectation::Sat(None)] => assert_eq!(status, Status::Sat),
                    [Expectation::Unsat] => assert_eq!(status, Status::Unsat),
                    _ => panic!("{:?}", m.expect),
                }
                let script = m.script.clone();
                // The seed's own assertions, in the mutant's arena: it is an overlay of the seed's.
                let own = seed.script.queries()[0].assertions.clone();
                let made = script.queries()[0].assertions.clone();
                let (strong, weak) = match status {
                    Status::Sat => (own, made),
                    _ => (made, own),
                };
                match implies(script, &strong, &weak) {
                    Ok(known) => judged += usize::from(known),
                    Err(implied) => panic!("{} ({status}): {implied}", m.what),
                }
            }
        }
    }
    judged
}

#[test]
fn implications_hold_for_all_assignments() {
    let judged = implications(by_name("janus").unwrap(), &["quantifiers=on"], 400);
    assert!(judged > 3000, "{judged}");
}

/// Steps are found again in the printed scripts, and whatever is left out of them, the implication stays.
#[test]
fn smaller_steps_are_steps() {
    let strategy = by_name("janus").unwrap();
    let (ops, parameters) = (OpSet::all(), ["quantifiers=on".to_owned()]);
    let (mut steps, mut found, mut judged) = (0, 0, 0);
    for text in SMALL {
        for status in [Status::Sat, Status::Unsat] {
            let seed = claimed(text, status);
            let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
            let mut random = ChaCha8Rng::seed_from_u64(5);
            let mut chain = strategy.start(&input, &mut random).unwrap();
            let first = print(&seed.script, &Default::default());
            let mut before = first.clone();
            for _ in 0..25 {
                let Ok(m) = chain.step(&mut random) else { break };
                let after = print(m.script, &Default::default());
                if m.follows == Follows::Seed {
                    before.clone_from(&first);
                }
                let rule = m.what.rsplit(' ').next().unwrap();
                let pair = [&before, &after].map(|t| parse(t.as_bytes()).unwrap());
                let sat = status == Status::Sat;
                steps += 1;
                let step = RuleStep::find(&pair[0], &pair[1], rule, status, &parameters);
                found += usize::from(step.is_some());
                let mut step = step;
                for _ in 0..8 {
                    let Some(mut now) = step.take() else { break };
                    let changes = now.smaller();
                    let mut made = None;
                    for _ in 0..20 {
                        let Some(&change) = changes.choose(&mut random) else { break };
                        made = now.changed(change);
                        if made.is_some() {
                            break;
                        }
                    }
                    let Some(smaller) = made else { break };
                    let [b, a] = smaller.scripts().unwrap();
                    let own = |s: &Script| s.queries()[0].assertions.clone();
                    let (strong, weak) = if sat { (own(&b), own(&a)) } else { (own(&a), own(&b)) };
                    match implies(b, &strong, &weak) {
                        Ok(known) => judged += usize::from(known),
                        Err(implied) => panic!("{rule} ({status}): {implied}"),
                    }
                    step = Some(smaller);
                }
                before = after;
            }
        }
    }
    assert!(found * 10 > steps * 7 && judged > 1000, "{found} of {steps}, {judged}");
}

#[test]
fn witnesses() {
    let strategy = by_name("janus").unwrap();
    let mut counts = Counts::default();
    for seed in seeds().iter().chain(satisfied()) {
        run(strategy, seed, &[], &[], 10, &mut counts);
    }
    assert!(counts.mutants > 7000 && counts.witnesses > 4000, "{counts:?}");
    assert!(counts.unsat > 500 && counts.claims * 5 < counts.mutants, "{counts:?}");
}

/// What mutants by a rule of a user are said to follow from, on a sat seed with a model. Of the rule it is known what `proofs`
/// says, where `HASH` is its digest.
pub fn follows(strategy: &str, rule: &str, proofs: &str) -> Vec<Follows> {
    let text = "(set-info :status sat)(declare-const a (_ BitVec 17))(declare-const b (_ BitVec 17))\
                (assert (bvult a b))(assert (bvult b (bvadd a a)))(check-sat)";
    let seed = crate::no_lie::seed("seed", text);
    assert!(seed.checks[0].model.is_some());
    let file = RuleFile::read(rule).unwrap();
    let name = &file.relations[0].name;
    let proofs = proofs.replace("HASH", &file.relations[0].claim().hash());
    let parameters = [format!("rules={rule}"), format!("proofs={proofs}")];
    let ops = OpSet::all();
    let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &parameters };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut chain = by_name(strategy).unwrap().start(&input, &mut random).unwrap();
    let mut out = Vec::new();
    for _ in 0..3000 {
        let m = chain.step(&mut random).unwrap();
        if m.what.split([' ', ',']).any(|word| *word == **name) {
            out.push(m.follows);
        }
    }
    out
}

/// False for x = 0.
pub const LIE: &str = "(implies lie :for ((w Width)) :vars ((x (_ BitVec w)) (y (_ BitVec w))) :strong (bvult x y) :weak (bvult (bvmul x x) (bvmul x y)))";

/// With a model, a rule may be used where it is not proved, and is no implication then. One that is false at any sort is not used.
#[test]
fn what_is_not_proved_is_no_implication() {
    let unknown = follows("janus", LIE, "");
    assert!(unknown.len() > 10 && unknown.iter().all(|f| *f == Follows::Nothing), "{unknown:?}");
    let refuted =
        "(rule lie HASH (held 0) (proved (w=17) (z3-1)) (refuted w=2 evaluator \"x = #b00\"))";
    assert_eq!(follows("janus", LIE, refuted), []);
    // A refutation of another text is none.
    assert!(!follows("janus", LIE, &refuted.replace("HASH", "12")).is_empty());
    let truth = "(implies truth :for ((w Width)) :vars ((x (_ BitVec w)) (y (_ BitVec w))) :strong (bvult x y) :weak (not (bvult y x)))";
    let elsewhere = follows("janus", truth, "(rule truth HASH (held 0) (proved (w=16) (z3-1)))");
    assert!(elsewhere.len() > 10 && elsewhere.iter().all(|f| *f == Follows::Nothing));
    let here = follows("janus", truth, "(rule truth HASH (held 0) (proved (w=17) (z3-1)))");
    assert!(here.len() > 10 && !here.contains(&Follows::Nothing), "{here:?}");
}

/// However long a chain is, it is taken apart before rules are used on it.
#[test]
fn long_chains_are_taken_apart() {
    let text = "(declare-const a Int)(assert (< 0 1 2 3 4 5 6 7 a a))";
    let seed = claimed(text, Status::Unsat);
    let ops = OpSet::all();
    let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &[] };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut chain = by_name("janus").unwrap().start(&input, &mut random).unwrap();
    let made = (0..25).filter_map(|_| Some(chain.step(&mut random).ok()?.what.into_owned()));
    assert!(made.into_iter().any(|what| what.ends_with("expand-chain")));
}

/// Figure 6.4: dropping a conjunct.
#[test]
fn the_example_of_the_chapter_is_reached() {
    let text = "(declare-const s Real)(declare-const k Real)(assert (and (= s k) (= (* s k) 1.0)))";
    let seed = claimed(text, Status::Sat);
    let ops = OpSet::all();
    let input = Input { seed: &seed, partners: &[], ops: &ops, parameters: &[] };
    let strategy = by_name("janus").unwrap();
    let mut found = false;
    for n in 0..200 {
        let mut random = ChaCha8Rng::seed_from_u64(n);
        let mut chain = strategy.start(&input, &mut random).unwrap();
        let m = chain.step(&mut random).unwrap();
        let t = m.script.queries()[0].assertions[0];
        found |= print_term(&m.script.arena, t) == "(= (* s k) 1.0)";
    }
    assert!(found);
}
