//! Totalised scripts against a brute force that is written apart: it has its own terms, its own semantics of every operator and
//! its own idea of what is open, and shares no table with smelt.
//!
//! For random formulas over tiny domains, some values of the constants and all choices of the open values that are met are tried.
//! The totalised formula, with its fresh functions read off the same choices, must have the same value each time. So the
//! original is satisfiable under some choice exactly if the totalised script is satisfiable.

mod formulas;
mod interpretation;
mod values;
mod world;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::model::Interpretation;
use smelt_eval::{Evaluator, Limits, Model, Value, eval_ground};
use smelt_smtlib::{Fun, parse, totalise};

use formulas::{CONSTANTS, Generator};
use interpretation::{Fresh, Reader};
use values::{Bool, Format, S};
use world::World;

struct Smelt {
    reader: Reader,
    fresh: Vec<Fresh>,
    names: HashMap<String, Fun>,
}

impl Smelt {
    fn new(text: &str, format: Format) -> Self {
        let script = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
        let totalised = totalise(&script).unwrap_or_else(|e| panic!("{text}: {e}"));
        let fresh = Fresh::all(&totalised, format);
        let a = &totalised.script.arena;
        let all = (0..a.fun_count()).filter_map(|i| a.fun_at(i));
        let names = all.map(|f| (a.name(a.fun(f).name).to_owned(), f)).collect();
        Self { reader: Reader::new(totalised.script, format), fresh, names }
    }

    /// The value of the assertion where constants and open values are those of a world. Fresh functions have a default at all
    /// other arguments, which must not matter.
    fn eval(&mut self, world: &World, default: usize) -> bool {
        let mut model = Model::new();
        for &(name, sort) in CONSTANTS {
            if let (Some(&f), Some(v)) = (self.names.get(name), world.constants.get(name)) {
                let value = self.reader.value(v, sort);
                model.set_value(f, value);
            }
        }
        for fresh in &self.fresh {
            let table = self.reader.table(fresh, world, default);
            model.set(self.names[&fresh.name], Interpretation::Table(Arc::new(table)));
        }
        let script = &self.reader.script;
        let assertions = &script.queries()[0].assertions;
        let mut evaluator = Evaluator::new(Limits::default());
        let mut holds = true;
        for &t in assertions {
            match evaluator.eval(&script.arena, &model, t) {
                Ok(Value::Bool(b)) => holds &= b,
                other => panic!("{}: {other:?}", smelt_smtlib::print_term(&script.arena, t)),
            }
        }
        holds
    }
}

/// What was met over all formulas.
#[derive(Default, Debug)]
struct Counts {
    formulas: u32,
    with_open_values: u32,
    /// Satisfiable under some choices of open values, and not under others.
    decided_by_choice: u32,
    satisfiable: u32,
    evaluations: u64,
}

/// How many choices of open values are tried for one formula.
const MAX_LEAVES: u32 = 60;

fn check(seed: u64, counts: &mut Counts) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let format = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)][rng.random_range(0..5)];
    let mut g = Generator { rng, format, scope: vec![("a", S::Int), ("b", S::Int)] };
    let definition = g.term(S::Int, 2);
    g.scope = CONSTANTS.to_vec();
    let formula = g.term(S::Bool, 4);
    let declarations: String =
        CONSTANTS.iter().map(|(c, s)| format!("(declare-const {c} {})", s.text(format))).collect();
    let text = format!(
        "(declare-datatype L ((nil) (cons (hd Int) (tl L)))){declarations}(define-fun def ((a Int) (b Int)) Int {})(assert {})(check-sat)",
        definition.text(format),
        formula.text(format)
    );
    let mut smelt = Smelt::new(&text, format);
    let (mut open, mut decided, mut sat) = (false, false, [false, false]);
    // Some values of the constants; all choices of the open values that they lead to, up to a limit.
    for _ in 0..4 {
        let constants: BTreeMap<_, _> = CONSTANTS
            .iter()
            .map(|&(c, s)| {
                let all = s.values(format);
                (c, all[g.rng.random_range(0..all.len())].clone())
            })
            .collect();
        let mut choices = Some(Vec::new());
        let (mut leaves, mut outcomes) = (0, [false, false]);
        while let Some(c) = choices {
            let mut world = World {
                format,
                constants: constants.clone(),
                bound: Vec::new(),
                parameters: Vec::new(),
                open: BTreeMap::new(),
                choices: c,
                made: 0,
                too_large: false,
            };
            let expect = world.eval(&formula, &definition) == Bool(true);
            if world.too_large {
                break;
            }
            let default = g.rng.random_range(0..100);
            for default in [default, default + 1] {
                let got = smelt.eval(&world, default);
                assert_eq!(
                    got, expect,
                    "seed {seed}: {text}\n{:?}\n{:?}",
                    world.constants, world.open
                );
                sat[1] |= got;
                counts.evaluations += 1;
            }
            sat[0] |= expect;
            outcomes[usize::from(expect)] = true;
            open |= !world.open.is_empty();
            leaves += 1;
            choices = if leaves < MAX_LEAVES { World::next(world.choices) } else { None };
        }
        decided |= outcomes == [true, true];
    }
    assert_eq!(sat[0], sat[1], "{text}");
    counts.formulas += 1;
    counts.with_open_values += u32::from(open);
    counts.decided_by_choice += u32::from(decided);
    counts.satisfiable += u32::from(sat[0]);
}

#[test]
fn the_totalised_script_means_the_same() {
    let formulas =
        std::env::var("SMELT_TOTALISE").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let mut counts = Counts::default();
    for seed in 0..formulas {
        check(seed, &mut counts);
    }
    assert!(counts.with_open_values * 5 >= counts.formulas, "{counts:?}");
    assert!(counts.decided_by_choice * 50 >= counts.formulas, "{counts:?}");
}

/// Whether the value of a term is open at these arguments, as its guard says.
fn is_open(term: &str) -> bool {
    let text = format!("(assert (= {term} {term}))(check-sat)");
    let t = totalise(&parse(text.as_bytes()).unwrap()).unwrap();
    let a = &t.script.arena;
    let guarded = a.args(t.script.queries()[0].assertions[0])[0];
    match eval_ground(a, a.args(guarded)[0]) {
        Ok(Value::Bool(open)) => open,
        other => panic!("{term}: {other:?}"),
    }
}

#[test]
fn guards_are_decided() {
    let cases = [
        ("(tan 0.0)", false),
        ("(tan 1.5)", false),
        ("(sec 0.0)", false),
        ("(csc 0.0)", true),
        ("(csc 3.0)", false),
        ("(cot 0.0)", true),
        ("(cot (- 3.0))", false),
        ("(arcsin 1.0)", false),
        ("(arcsin 1.01)", true),
        ("(arccos (- 1.0))", false),
        ("(arccos (- 2.0))", true),
        ("(arccsc 1.0)", false),
        ("(arccsc (- 2.0))", true),
        ("(arcsec 0.5)", true),
        ("(arccot 0.0)", true),
        ("(arccot 0.5)", false),
        ("(sqrt 0.0)", false),
        ("(sqrt (- 2.0))", true),
        ("(^ 0.0 (- 1.0))", true),
        ("(^ 2.0 (- 1.0))", false),
        ("(^ 2.0 0.5)", true),
        ("(^ 0.0 0.0)", true),
        // −0.3 is rounded to −0 or to −1.
        ("((_ fp.to_ubv 8) RNE ((_ to_fp 5 11) RNE (- 0.3)))", false),
        ("((_ fp.to_ubv 8) RTP ((_ to_fp 5 11) RNE (- 0.3)))", false),
        ("((_ fp.to_ubv 8) RTZ ((_ to_fp 5 11) RNE (- 0.3)))", false),
        ("((_ fp.to_ubv 8) RTN ((_ to_fp 5 11) RNE (- 0.3)))", true),
        ("((_ fp.to_ubv 8) RNE ((_ to_fp 5 11) RNE 255.4))", false),
        ("((_ fp.to_ubv 8) RNE ((_ to_fp 5 11) RNE 255.5))", true),
        ("((_ fp.to_sbv 8) RNE ((_ to_fp 5 11) RNE (- 128.5)))", false),
        ("((_ fp.to_sbv 8) RNA ((_ to_fp 5 11) RNE (- 128.5)))", true),
        ("((_ fp.to_sbv 8) RNE ((_ to_fp 5 11) RNE 127.5))", true),
        ("((_ fp.to_sbv 1) RNE ((_ to_fp 5 11) RNE (- 1.0)))", false),
        ("((_ fp.to_sbv 1) RNE ((_ to_fp 5 11) RNE 1.0))", true),
        ("((_ fp.to_sbv 200) RNE ((_ to_fp 8 24) RNE (- 1.0)))", false),
        ("((_ fp.to_sbv 200) RNE (_ -oo 8 24))", true),
        ("((_ fp.to_ubv 200) RNE (_ NaN 8 24))", true),
        ("(fp.min (_ +zero 5 11) (_ -zero 5 11))", true),
        ("(fp.min (_ -zero 5 11) (fp.neg (_ +zero 5 11)))", false),
        ("(fp.max (_ NaN 5 11) (_ -zero 5 11))", false),
        ("(fp.to_real (_ +oo 5 11))", true),
        ("(fp.to_real (_ -zero 5 11))", false),
    ];
    for (term, expect) in cases {
        assert_eq!(is_open(term), expect, "{term}");
    }
}
