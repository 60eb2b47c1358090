//! The paper's worked example; well-sorted instances of every theory; agents on a synthetic objective with planted constructs.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_case::OpSet;
use smelt_smtlib::{Command, parse, print, print_term};

use super::agent::{AGENTS, Counts};
use super::instance::{Instance, Node};
use super::language::{Language, Parameters};
use super::planted::{Twenty, twenty};
use super::presets::PRESETS;
use super::search::{Change, Ground, METHODS, Method, Settings};
use super::stream::{Streams, remake};

fn language(parameters: &Parameters) -> Language {
    Language::new(parameters, &OpSet::all()).unwrap()
}

fn named(language: &Language, name: &str) -> usize {
    language.constructs().iter().position(|c| c.name == name).unwrap()
}

/// The assertions of an instance as text.
fn texts(language: &Language, instance: &Instance) -> Vec<String> {
    let script = language.write(instance);
    let text = |c: &Command| match c {
        Command::Assert(t) => Some(print_term(&script.arena, *t)),
        _ => None,
    };
    script.commands.iter().filter_map(text).collect()
}

/// All that comes of putting a construct into an instance.
fn outcomes(language: &Language, instance: &Instance, name: &str) -> BTreeSet<String> {
    let construct = named(language, name);
    let mut found = BTreeSet::new();
    for place in language.places(instance, construct) {
        for seed in 0..100 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let made = language.mutate(instance, construct, place, &mut random);
            found.extend(texts(language, &made));
        }
    }
    found
}

/// Section 3.2: depth 2, two variables, one rounding mode.
#[test]
fn the_papers_example() {
    let operators = ["fp.eq", "fp.add", "fp.sub", "fp.abs", "RNE"].map(String::from).to_vec();
    let p = Parameters { variables: 2, depth: (2, 2), operators, ..Parameters::performance("fp") };
    let mut language = language(&p);
    // The example has no special constants.
    language.leaves.iter_mut().for_each(|l| l.retain(|leaf| !leaf.is_value));
    let floats = language.leaves.iter().position(|l| l.len() == 2).unwrap();
    let on = |name: &str, args: Vec<Node>| Node::On(named(&language, name), args);
    let x = |i| Node::Leaf(floats, i);
    let rne = || on("RNE", vec![]);
    let both = |name: &str| on(name, vec![rne(), x(0), x(1)]);
    let of = |root| Instance { roots: vec![root], depth: 2 };
    let check = |instance: Instance, name: &str, expect: &[&str]| {
        let expect: BTreeSet<String> = expect.iter().map(ToString::to_string).collect();
        assert_eq!(outcomes(&language, &instance, name), expect);
    };
    check(
        of(on("fp.eq", vec![both("fp.add"), both("fp.sub")])),
        "fp.abs",
        &["(fp.eq (fp.abs x0) (fp.sub RNE x0 x1))", "(fp.eq (fp.add RNE x0 x1) (fp.abs x0))"],
    );
    check(
        of(on("fp.eq", vec![on("fp.abs", vec![x(0)]), on("fp.abs", vec![x(1)])])),
        "fp.add",
        &[
            "(fp.eq (fp.add RNE x0 x0) (fp.abs x1))",
            "(fp.eq (fp.add RNE x0 x1) (fp.abs x1))",
            "(fp.eq (fp.abs x0) (fp.add RNE x1 x0))",
            "(fp.eq (fp.abs x0) (fp.add RNE x1 x1))",
        ],
    );
}

/// Footnote 5 there: with all rounding modes, `fp.add` has 20 outcomes instead of 4.
#[test]
fn the_papers_example_with_all_rounding_modes() {
    let operators = ["fp.eq", "fp.add", "fp.abs", "RNE", "RNA", "RTP", "RTN", "RTZ"];
    let operators = operators.map(String::from).to_vec();
    let p = Parameters { variables: 2, depth: (2, 2), operators, ..Parameters::performance("fp") };
    let mut language = language(&p);
    language.leaves.iter_mut().for_each(|l| l.retain(|leaf| !leaf.is_value));
    let floats = language.leaves.iter().position(|l| l.len() == 2).unwrap();
    let on = |name: &str, args: Vec<Node>| Node::On(named(&language, name), args);
    let abs = |i| on("fp.abs", vec![Node::Leaf(floats, i)]);
    let instance = Instance { roots: vec![on("fp.eq", vec![abs(0), abs(1)])], depth: 2 };
    assert_eq!(outcomes(&language, &instance, "fp.add").len(), 20);
}

/// The lists of section 2.2, and the arms of every theory.
#[test]
fn constructs_of_theories() {
    for (theory, expect) in [("fp", 27), ("strings", 15)] {
        assert_eq!(language(&Parameters::performance(theory)).constructs().len(), expect);
    }
    for preset in PRESETS {
        let language = language(&Parameters::performance(preset.name));
        language.is_usable().unwrap();
        let names: BTreeSet<&String> = language.constructs().iter().map(|c| &c.name).collect();
        assert_eq!(names.len(), language.constructs().len(), "{}", preset.name);
        for wanted in preset.operators {
            assert!(names.contains(&wanted.to_string()), "{}: {wanted}", preset.name);
        }
    }
}

/// What is generated and mutated in any theory is well-sorted and is read as it is printed.
#[test]
fn instances_are_scripts() {
    for preset in PRESETS {
        let language =
            language(&Parameters { depth: (2, 4), ..Parameters::performance(preset.name) });
        for seq in 0..4 {
            let streams = Streams { seed: 3, seq };
            let mut instance = language.generate(&mut streams.growth(0));
            for step in 1..40 {
                let text = print(&language.write(&instance), &Default::default());
                let back = parse(text.as_bytes());
                assert!(back.is_ok(), "{}: {text}\n{:?}", preset.name, back.err());
                let possible = language.possible(&instance);
                let Some(&construct) = possible.get(step as usize % possible.len().max(1)) else {
                    break;
                };
                let places = language.places(&instance, construct);
                assert!(!places.is_empty(), "{}", language.constructs()[construct].name);
                let place = places[step as usize % places.len()];
                let made = language.mutate(&instance, construct, place, &mut streams.growth(step));
                assert!(language.occurrences(&made)[construct] > 0);
                instance = made;
            }
        }
    }
}

/// An instance is what its parameters say.
#[test]
fn sizes_and_weights() {
    let weights = [("fp.add".to_owned(), 0.0), ("fp.mul".to_owned(), 50.0)].into();
    let p = Parameters { weights, assertions: (2, 6), ..Parameters::performance("fp") };
    let language = language(&p);
    let mut sizes = BTreeSet::new();
    let mut counts = vec![0; language.constructs().len()];
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let instance = language.generate(&mut random);
        sizes.insert(instance.roots.len());
        counts.iter_mut().zip(language.occurrences(&instance)).for_each(|(c, n)| *c += n);
    }
    assert_eq!(sizes, (2..=6).collect());
    let count = |name| counts[named(&language, name)];
    assert_eq!(count("fp.add"), 0);
    assert!(count("fp.mul") > 10 * count("fp.div"), "{} {}", count("fp.mul"), count("fp.div"));
}

#[test]
fn bad_parameters() {
    let check = |change: &dyn Fn(&mut Parameters), expect: &str| {
        let mut p = Parameters::performance("fp");
        change(&mut p);
        let said = Language::new(&p, &OpSet::all()).err().unwrap_or_default();
        assert!(said.contains(expect), "{said:?} for {expect:?}");
    };
    check(&|p| p.theory = "poetry".into(), "\"poetry\" is no theory that instances are made of");
    check(&|p| p.depth = (3, 2), "depth from 3 to 2: a range within 1 to 8");
    check(&|p| p.assertions = (0, 2), "assertions from 0 to 2");
    check(&|p| p.operators = vec!["bvadd".into()], "no construct \"bvadd\" here; there are");
    check(&|p| p.weights = [("fp.add".into(), -1.0)].into(), "the weight of fp.add is -1");
    let none = Language::new(&Parameters::performance("fp"), &OpSet::none()).unwrap();
    assert_eq!(none.is_usable(), Err("no operator of fp is left".to_owned()));
}

/// Thompson sampling finds both planted constructs; an agent that learns regrets less than one that does not.
#[test]
fn planted_constructs_are_found() {
    let language = language(&Parameters::performance("fp"));
    assert!(language.constructs().len() >= 25);
    let all: Vec<Twenty> = AGENTS.iter().map(|a| twenty(&language, a.name())).collect();
    assert!(all[0].found >= 18, "{all:?}");
    assert!((0..3).all(|i| all[i].regret[9] < all[3].regret[9]), "{all:?}");
}

/// Any step is made again from the journal: its construct, its place, and what it was made of.
#[test]
fn steps_are_made_again() {
    let language = language(&Parameters::performance("strings"));
    let settings = Settings::of_most(1.0);
    for method in METHODS {
        let mut counts = Counts::new(language.constructs().len());
        let streams = Streams { seed: 5, seq: 2 };
        let mut search = method.search(settings);
        let (mut changes, mut made) = (Vec::new(), Vec::new());
        for step in 0..40 {
            let ground =
                Ground { language: &language, counts: &counts, streams, settings: &settings };
            let trial = search.next(step, &ground);
            let score = texts(&language, &trial.instance).concat().len() as f64 / 10_000.0;
            let rewarded = search.learn(Some(score));
            if let Some(c) = &trial.change {
                counts.learn(c.construct, rewarded);
            }
            changes.push((step, trial.change));
            made.push(trial.instance);
        }
        for step in 0..40 {
            let again = remake(&language, streams, &changes, step);
            assert_eq!(again.as_ref(), Some(&made[step as usize]), "{}", method.name);
        }
        assert_eq!(remake(&language, streams, &changes, 40), None);
    }
}

/// Where nothing has a score above zero, the best of five random instances is changed; one above zero is changed at once.
#[test]
fn what_is_begun_with() {
    let language = language(&Parameters::performance("fp"));
    let (counts, settings) = (Counts::new(27), Settings { patience: 3, ..Settings::of_most(1.0) });
    let streams = Streams { seed: 0, seq: 0 };
    let ground = Ground { language: &language, counts: &counts, streams, settings: &settings };
    let check = |scores: &[Option<f64>], expect: &str| {
        let mut search = Method::named("thompson").unwrap().search(settings);
        let mut seen = String::new();
        for (step, score) in scores.iter().enumerate() {
            let trial = search.next(step as u32, &ground);
            seen.push(if trial.change.is_some() { 'c' } else { 'f' });
            search.learn(*score);
        }
        assert_eq!(seen, expect);
    };
    let (zero, one, none) = (Some(0.0), Some(0.5), None);
    check(&[zero, none, zero, zero, zero, zero, zero, zero, zero, zero], "ffffffcccf");
    check(&[zero, one, one, one, one, one], "ffcccf");
}

/// Algorithm 2: what shows no bug is changed once; a change that shows one is a reward.
#[test]
fn pairs_of_instances() {
    let language = language(&Parameters::bugs("strings"));
    let (counts, settings) = (Counts::new(language.constructs().len()), Settings::of_bugs());
    let streams = Streams { seed: 1, seq: 0 };
    let ground = Ground { language: &language, counts: &counts, streams, settings: &settings };
    let check = |scores: &[f64], expect: &str| {
        let mut search = Method::named("thompson").unwrap().search(settings);
        let mut seen = String::new();
        for (step, score) in scores.iter().enumerate() {
            let trial = search.next(step as u32, &ground);
            let rewarded = search.learn(Some(*score));
            seen += match &trial.change {
                None => "f",
                Some(Change { parent, .. }) if *parent as usize + 1 != step => "?",
                Some(_) if rewarded => "C",
                Some(_) => "c",
            };
        }
        assert_eq!(seen, expect);
    };
    check(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0], "fcfCfffc");
}

/// Counts of two machines are added; what has no score is no reward.
#[test]
fn counts_add_up() {
    let (mut a, mut b) = (Counts::new(2), Counts::new(2));
    a.learn(0, true);
    b.learn(0, false);
    b.learn(1, true);
    a.add(&b);
    assert_eq!((a.0[0].tried, a.0[0].rewards, a.0[1].rewards, a.tried()), (2, 1, 1, 3));
    let language = language(&Parameters::performance("fp"));
    let (counts, settings) = (Counts::new(27), Settings::of_most(1.0));
    let streams = Streams { seed: 0, seq: 0 };
    let ground = Ground { language: &language, counts: &counts, streams, settings: &settings };
    for method in METHODS {
        let mut search = method.search(settings);
        for step in 0..100 {
            search.next(step, &ground);
            assert!(!search.learn(None), "{}", method.name);
        }
        assert_eq!(search.bar(), None, "{}", method.name);
    }
}
