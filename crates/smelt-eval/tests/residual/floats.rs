//! Random formulas over a tiny format, some below a quantifier: where all cases are said to contradict themselves, no values satisfy them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::{Evaluator, Limits, Model, Residual, Value, all_values, residual};
use smelt_smtlib::{Fun, parse};

const SORT: &str = "(_ FloatingPoint 2 3)";

struct Generator {
    random: ChaCha8Rng,
    /// Whether the bound variable can be used.
    bound: bool,
}

impl Generator {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.random_range(0..of.len())]
    }

    fn float(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random_ratio(1, 5) {
            let mut all = vec!["x", "x", "y", "(fp #b0 #b01 #b10)", "(fp #b1 #b10 #b00)"];
            all.extend(["(_ +oo 2 3)", "(_ -zero 2 3)", "(_ NaN 2 3)", "(fp #b1 #b00 #b01)"]);
            if self.bound {
                all.extend(["z", "z", "z"]);
            }
            return self.one(&all).to_owned();
        }
        let x = self.float(depth - 1);
        let mode = self.one(&["RNE", "RNA", "RTP", "RTN", "RTZ", "m", "m"]);
        match self.random.random_range(0..9) {
            0 => format!("(fp.neg {x})"),
            1 => format!("(fp.abs {x})"),
            2 => format!("(fp.roundToIntegral {mode} {x})"),
            3 => format!("(fp.sqrt {mode} {x})"),
            4 => format!("((_ to_fp 2 3) {mode} ((_ to_fp 2 2) {mode} {x}))"),
            5 => format!(
                "({} {mode} {x} {})",
                self.one(&["fp.add", "fp.sub", "fp.mul"]),
                self.float(depth - 1)
            ),
            6 => format!("({} {x} {})", self.one(&["fp.min", "fp.max"]), self.float(depth - 1)),
            7 => format!("(ite {} {x} {})", self.bool(depth - 1), self.float(depth - 1)),
            _ => format!(
                "({} {mode} {x} {})",
                self.one(&["fp.div", "fp.add"]),
                self.float(depth - 1)
            ),
        }
    }

    fn bool(&mut self, depth: u32) -> String {
        let x = self.float(depth);
        match self.random.random_range(0..8) {
            0 => {
                let test =
                    ["fp.isNaN", "fp.isInfinite", "fp.isZero", "fp.isNegative", "fp.isPositive"];
                format!("({} {x})", self.one(&test))
            }
            1 => format!("({} {x})", self.one(&["fp.isNormal", "fp.isSubnormal"])),
            2 => format!("(not {})", self.bool(depth)),
            3 if depth > 0 => {
                format!(
                    "({} {} {})",
                    self.one(&["or", "and", "=>"]),
                    self.bool(depth - 1),
                    self.bool(depth - 1)
                )
            }
            _ => {
                let op = self.one(&["fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq", "=", "="]);
                format!("({op} {x} {})", self.float(depth))
            }
        }
    }

    fn assertion(&mut self) -> String {
        self.bound = self.random.random_ratio(1, 5);
        let body = self.bool(2);
        match (std::mem::take(&mut self.bound), self.random.random_bool(0.5)) {
            (false, _) => body,
            (true, true) => format!("(forall ((z {SORT})) {body})"),
            (true, false) => format!("(not (exists ((z {SORT})) {body}))"),
        }
    }
}

/// Whether some values make all assertions true.
fn is_satisfiable(text: &str) -> bool {
    let script = parse(text.as_bytes()).unwrap();
    let (a, query) = (&script.arena, &script.queries()[0]);
    let symbols: Vec<Fun> = (0..a.fun_count())
        .filter_map(|i| a.fun_at(i))
        .filter(|&f| ["x", "y", "m"].contains(&a.name(a.fun(f).name)))
        .collect();
    let lists: Vec<_> =
        symbols.iter().map(|&f| all_values(a, a.fun(f).ret, 100).unwrap()).collect();
    let mut evaluator = Evaluator::new(Limits::default());
    (0..lists.iter().map(|l| l.len()).product()).any(|row: usize| {
        let (mut rest, mut model) = (row, Model::new());
        for (&f, list) in symbols.iter().zip(&lists) {
            model.set_value(f, list[rest % list.len()].clone());
            rest /= list.len();
        }
        evaluator.clear();
        query.assertions.iter().all(|&t| evaluator.eval(a, &model, t) == Ok(Value::Bool(true)))
    })
}

#[test]
fn what_is_refuted_has_no_model() {
    let tests = std::env::var("SMELT_RESIDUAL").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    let mut generator = Generator { random: ChaCha8Rng::seed_from_u64(9), bound: false };
    let (mut refuted, mut by_instances) = (0, 0);
    for _ in 0..tests {
        let count = generator.random.random_range(1..4);
        let assertions: Vec<String> =
            (0..count).map(|_| format!("(assert {})", generator.assertion())).collect();
        let text = format!(
            "(declare-const x {SORT})(declare-const y {SORT})(declare-const m RoundingMode){}(check-sat)",
            assertions.concat()
        );
        let script = parse(text.as_bytes()).unwrap();
        let query = &script.queries()[0];
        if let Residual::False { .. } = residual(&script, query, &Model::new(), Limits::quick()) {
            assert!(!is_satisfiable(&text), "{text}");
            refuted += 1;
            by_instances += u32::from(text.contains("(z "));
        }
    }
    assert!(refuted * 20 > tests, "{refuted} of {tests} refuted");
    assert!(by_instances * 200 > tests, "{by_instances} of {tests} refuted with quantifiers");
}
