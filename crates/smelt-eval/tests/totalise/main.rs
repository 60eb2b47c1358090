//! Totalised scripts against a brute force that is written apart: it has its own terms, its own semantics of every operator and
//! its own idea of what is open, and shares no table with smelt.
//!
//! For random formulas over tiny domains, some values of the constants and all choices of the open values that are met are tried.
//! The totalised formula, with its fresh functions read off the same choices, must have the same value each time. So the
//! original is satisfiable under some choice exactly if the totalised script is satisfiable.

mod formulas;
mod values;
mod world;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::function::Table;
use smelt_eval::model::Interpretation;
use smelt_eval::{Evaluator, Limits, Model, Value, eval_ground};
use smelt_smtlib::totalise::Partial;
use smelt_smtlib::{
    Fun, ParseOptions, Script, Term, Totalised, parse, parse_terms, print_sort, totalise,
};

use formulas::{CONSTANTS, Generator};
use values::{Bool, Float, Format, S, V, sort_of, value_text};
use world::World;

struct Smelt {
    totalised: Totalised,
    names: HashMap<String, Fun>,
    values: HashMap<(V, S), Value>,
    format: Format,
}

impl Smelt {
    fn new(text: &str, format: Format) -> Self {
        let script = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
        let totalised = totalise(&script).unwrap_or_else(|e| panic!("{text}: {e}"));
        let a = &totalised.script.arena;
        let all = (0..a.fun_count()).filter_map(|i| a.fun_at(i));
        let names = all.map(|f| (a.name(a.fun(f).name).to_owned(), f)).collect();
        Self { totalised, names, values: HashMap::new(), format }
    }

    fn value(&mut self, v: &V, sort: S) -> Value {
        if let Some(v) = self.values.get(&(v.clone(), sort)) {
            return v.clone();
        }
        let text = value_text(v, self.format);
        let script: &mut Script = &mut self.totalised.script;
        let terms = parse_terms(script, text.as_bytes(), &ParseOptions::default());
        let terms: Vec<Term> = terms.unwrap_or_else(|e| panic!("{text}: {e}"));
        let value = eval_ground(&script.arena, terms[0]).unwrap();
        self.values.insert((v.clone(), sort), value.clone());
        value
    }

    /// The value of the assertion where constants and open values are those of a world. Fresh functions have a default at all
    /// other arguments, which must not matter.
    fn eval(&mut self, world: &World, default: usize) -> bool {
        let mut model = Model::new();
        for &(name, sort) in CONSTANTS {
            if let (Some(&f), Some(v)) = (self.names.get(name), world.constants.get(name)) {
                let value = self.value(v, sort);
                model.set_value(f, value);
            }
        }
        for o in self.totalised.open.clone() {
            let a = &self.totalised.script.arena;
            let (name, index) = match o.of {
                Partial::Op(op, idx) => (op.info().name, a.indices(idx).first().copied()),
                Partial::Selector(f) => (a.name(a.fun(f).name), None),
            };
            let key = (name, index, print_sort(a, o.args[o.args.len() - 1]));
            let takes = a.fun(o.fun).args.len();
            let result = result_sort(name, index, self.format);
            let entries: Vec<(Vec<V>, V)> = world
                .open
                .iter()
                .filter(|((k, _), _)| (k.0, k.1, &k.2) == (key.0, key.1, &key.2))
                .map(|((_, args), v)| (args[..takes].to_vec(), v.clone()))
                .collect();
            let chosen = |v: &V| match v {
                Float(bits) if result == S::Bool => Bool(*bits == 0),
                v => v.clone(),
            };
            let entries: Vec<_> = entries
                .iter()
                .map(|(args, v)| {
                    let args = args.iter().map(|v| self.value(v, sort_of(v))).collect();
                    (args, self.value(&chosen(v), result))
                })
                .collect();
            let all = result.values(self.format);
            let otherwise = self.value(&all[default % all.len()], result);
            let table = Table::new(entries, otherwise);
            model.set(o.fun, Interpretation::Table(Arc::new(table.unwrap().unwrap())));
        }
        let script = &self.totalised.script;
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

/// The sort of a fresh function's values.
fn result_sort(name: &str, index: Option<u32>, (eb, sb): Format) -> S {
    match (name, index) {
        ("fp.min" | "fp.max", _) => S::Bool,
        ("/" | "fp.to_real", _) => S::Real,
        ("fp.to_ieee_bv", _) => S::Bits(eb + sb),
        ("tl", _) => S::List,
        (_, Some(w)) => S::Bits(w),
        _ => S::Int,
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
