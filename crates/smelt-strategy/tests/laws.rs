//! What holds for every strategy: mutants are well-sorted, printable, deterministic, and say what they expect.

#![allow(clippy::print_stderr, reason = "tests say what they skip and how much they made")]

mod walk;

use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Known, OpSet, Recipe, Seed, SeedRef, Status, digest};
use smelt_smtlib::{Command, LogicChoice, Naming, PrintOptions, Reprinter};
use smelt_strategy::satisfy::satisfy;
use smelt_strategy::{Input, STRATEGIES, Strategy};
use walk::scripts;

fn read(paths: &[PathBuf]) -> Vec<Seed> {
    seeds(paths.iter().map(|p| (p.display().to_string(), std::fs::read(p).unwrap())))
}

/// Seeds of scripts with names; what cannot be read is left out.
fn seeds(scripts: impl Iterator<Item = (String, Vec<u8>)>) -> Vec<Seed> {
    let mut out = Vec::new();
    for (name, text) in scripts {
        let Ok(script) = smelt_smtlib::parse(&text) else { continue };
        let mut checks = vec![Known::default(); script.queries().len()];
        if let ([known], Status::Unsat) = (&mut checks[..], script.status()) {
            known.status = Status::Unsat;
            known.basis = Basis::Annotated;
        }
        let seed = Seed::new(name, digest(&text), script, checks);
        // Some strategies need a model: some seeds are made to have one.
        let mut random = ChaCha8Rng::seed_from_u64(out.len() as u64);
        let with_model = (out.len() % 4 == 0).then(|| satisfy(&seed, &mut random)).flatten();
        out.push(with_model.unwrap_or(seed));
    }
    out
}

fn embedded() -> Vec<Seed> {
    read(&scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"), u64::MAX))
}

fn options() -> PrintOptions {
    PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() }
}

fn recipe(strategy: &dyn Strategy, seeds: &[&Seed], campaign: u64) -> Recipe {
    let seeds = seeds.iter().map(|s| SeedRef { name: s.name.clone(), hash: s.hash.clone() });
    Recipe {
        smelt: env!("CARGO_PKG_VERSION").into(),
        strategy: strategy.name().into(),
        parameters: Vec::new(),
        without: Vec::new(),
        campaign,
        seeds: seeds.collect(),
        chain: 0,
        step: 0,
    }
}

/// The texts of a chain, and how it ended if it did.
fn chain(
    strategy: &dyn Strategy,
    seed: &Seed,
    all: &[Seed],
    campaign: u64,
    steps: u32,
    mut look: impl FnMut(&str, &mut smelt_case::Mutant<'_>),
) -> usize {
    // Neighbours in the list of seeds are partners.
    let at = all.iter().position(|s| s.hash == seed.hash).unwrap_or(0);
    let partners: Vec<&Seed> = (1..all.len())
        .map(|i| &all[(at + i) % all.len()])
        .filter(|p| strategy.may_partner(seed, p))
        .take(strategy.partners())
        .collect();
    let seeds: Vec<&Seed> = std::iter::once(seed).chain(partners.iter().copied()).collect();
    let recipe = recipe(strategy, &seeds, campaign);
    let ops = OpSet::all();
    let input = Input { seed, partners: &partners, ops: &ops, parameters: &[] };
    let mut random = recipe.stream();
    let Ok(mut chain) = strategy.start(&input, &mut random) else { return 0 };
    for step in 0..steps {
        let Ok(mut m) = chain.step(&mut random) else { return step as usize };
        let text = smelt_smtlib::print(m.script, &options());
        look(&text, &mut m);
    }
    steps as usize
}

/// Prints, reads again and compares every mutant of some chains.
fn well_sorted(seeds: &[Seed], steps: u32) {
    for &strategy in STRATEGIES {
        let mut made = 0;
        let mut used = 0;
        for seed in seeds {
            let n = chain(strategy, seed, seeds, 1, steps, |text, m| {
                let again = smelt_smtlib::parse(text.as_bytes()).unwrap_or_else(|e| {
                    panic!(
                        "{} of {}: {} ({})\n{text}",
                        strategy.name(),
                        seed.name,
                        e.message,
                        m.what
                    )
                });
                // Numerals mean Reals under some logics: the mutant under its own logic is what comes back.
                let logic = smelt_smtlib::smallest_logic(m.script);
                assert_eq!(again.logic(), Some(logic));
                let mut own = m.script.clone();
                let logic = own.arena.sym(logic);
                own.commands.retain(|c| !matches!(c, Command::SetLogic(_)));
                own.commands.insert(0, Command::SetLogic(logic));
                let whole = smelt_smtlib::print(&own, &PrintOptions::default());
                let again = smelt_smtlib::parse(whole.as_bytes());
                let again = again.map_err(|e| e.message.clone());
                if let Err(e) = again.and_then(|s| smelt_smtlib::alpha_equal(&own, &s)) {
                    panic!("{} of {}: {e} ({})\n{whole}", strategy.name(), seed.name, m.what);
                }
                assert_eq!(m.expect.len(), m.script.queries().len());
            });
            made += n;
            used += usize::from(n > 0);
        }
        assert!(made > 0, "{} made nothing", strategy.name());
        eprintln!("{}: {made} mutants of {used} of {} seeds", strategy.name(), seeds.len());
    }
}

#[test]
fn mutants_are_well_sorted() {
    let seeds = embedded();
    assert!(seeds.len() > 100);
    well_sorted(&seeds, 40);
}

/// Scripts whose own symbols and sorts are called like operators and sorts of the language, beside scripts that use those:
/// what a mutant says is what it prints.
#[test]
fn names_of_the_language() {
    let texts = [
        "(declare-fun abs (Int) Int)(declare-const x Int)(declare-const y Int)(assert (= (abs 0) (abs 1) (- 5)))(assert (>= (+ x y) (abs x)))(check-sat)",
        "(set-info :status unsat)(declare-const x Int)(assert (forall ((abs Int) (mod Int)) (< (+ abs mod) x)))(assert (> x 0))(check-sat)",
        "(set-info :status unsat)(declare-const y Int)(assert (< (abs y) 0))(check-sat)",
        "(declare-datatypes ((Seq 0)) (((seq.unit (seq.len Int)) (seq.rev (str.len Seq)))))(declare-const s Seq)(declare-const x Int)(assert (or ((_ is seq.rev) s) (> (seq.len s) x)))(check-sat)",
        "(declare-const q (Seq Int))(declare-const x Int)(assert (= (seq.++ q (seq.unit x)) (seq.unit 3)))(assert (> (seq.len q) (- 1)))(check-sat)",
        "(declare-const r Real)(declare-const to_real Real)(declare-fun to_int (Real) Int)(assert (> (+ r to_real) 1.5))(assert (= (to_int r) 2))(check-sat)",
        "(declare-const a Bool)(declare-const bvult Bool)(declare-const v (_ BitVec 4))(assert (! (or a bvult) :named bvadd))(assert (bvule v #x3))(check-sat)",
        "(declare-sort Array 0)(declare-const select Array)(declare-const store Array)(declare-const x Int)(assert (distinct select store))(assert (= (mod x 3) 1))(check-sat)",
    ];
    let named = |(i, t): (usize, &&str)| (format!("names-{i}"), t.as_bytes().to_vec());
    let mut all = seeds(texts.iter().enumerate().map(named));
    assert_eq!(all.len(), texts.len());
    // Each of them once with a model, too.
    for i in 0..all.len() {
        let mut random = ChaCha8Rng::seed_from_u64(i as u64);
        if let Some(mut seed) = satisfy(&all[i], &mut random) {
            seed.hash.push('m');
            all.push(seed);
        }
    }
    well_sorted(&all, 60);
}

/// With `SMELT_CORPUS`: a folder of scripts.
#[test]
fn mutants_of_a_corpus_are_well_sorted() {
    let Some(dir) = std::env::var_os("SMELT_CORPUS") else {
        eprintln!("skipped: SMELT_CORPUS is not set");
        return;
    };
    let paths = scripts(Path::new(&dir), 20_000);
    let every = std::env::var("SMELT_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let paths: Vec<PathBuf> = paths.into_iter().step_by(every).collect();
    well_sorted(&read(&paths), 20);
}

/// What is printed with the help of earlier mutants is what is printed without, in every naming and with lets, whatever
/// was made in the arena and forgotten again between two mutants.
fn reprinted(seeds: &[Seed], steps: u32) {
    let all = [
        options(),
        PrintOptions { naming: Naming::Z3V26, let_size: 2, spelled: 8, ..options() },
        PrintOptions::default(),
    ];
    // One for all chains: it must notice that the arena is another one.
    let mut printers: Vec<Reprinter> = all.iter().cloned().map(Reprinter::new).collect();
    for &strategy in STRATEGIES {
        let mut n = 0u64;
        for seed in seeds {
            chain(strategy, seed, seeds, 3, steps, |text, m| {
                n += 1;
                for (i, (p, options)) in printers.iter_mut().zip(&all).enumerate() {
                    // Not every mutant is printed by every printer.
                    if (n + i as u64).is_multiple_of(5) {
                        continue;
                    }
                    let want = if i == 0 {
                        text.to_owned()
                    } else {
                        smelt_smtlib::print(m.script, options)
                    };
                    assert_eq!(p.print(m.script), want, "{} of {}", strategy.name(), seed.name);
                }
                // As when a model is read.
                let a = &mut m.script.arena;
                let mark = a.mark();
                a.sym(&format!("made-{n}"));
                a.mk_int(n);
                a.rollback(mark);
            });
        }
        assert!(n > 0);
    }
}

#[test]
fn reprinted_mutants_are_the_same() {
    reprinted(&embedded(), 20);
}

#[test]
fn same_recipe_same_text() {
    let seeds = embedded();
    for &strategy in STRATEGIES {
        let mut different = false;
        for seed in seeds.iter().step_by(9) {
            let run = |campaign| {
                let mut out = Vec::new();
                chain(strategy, seed, &seeds, campaign, 15, |text, _| out.push(text.to_owned()));
                out
            };
            let first = run(7);
            assert_eq!(first, run(7), "{} of {}", strategy.name(), seed.name);
            different |= first != run(8);
        }
        assert!(different, "{}: the campaign's seed does not matter", strategy.name());
    }
}
