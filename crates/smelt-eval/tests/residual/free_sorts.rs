//! Residuals over a free sort, against a brute force of its own: random formulas with quantifiers, a selector that is open at one
//! value, and models that state their universe, remark it, or say nothing about it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::model::Interpretation;
use smelt_eval::{
    Evaluator, Limits, Model, ModelOptions, OpenResidual, Residual, Value, parse_model_at, residual,
};
use smelt_smtlib::{Command, Fun, Script, Sort, SortKind, parse, print};

/// Terms of all sorts; what an element is, is a number.
#[derive(Clone, Debug)]
enum T {
    /// `a`, `b`: constants of sort U.
    Const(usize),
    /// The variable of a quantifier, counted from the outermost.
    Var(usize),
    /// `(g t)`
    G(Box<T>),
    /// `(s d)`
    S(Box<T>),
    Ite(Box<T>, Box<T>, Box<T>),
    /// `d`: a constant of sort D.
    D,
    Nil,
    /// `(c t)`
    C(Box<T>),
    Is(Box<T>),
    Eq(Box<T>, Box<T>),
    Not(Box<T>),
    And(Box<T>, Box<T>),
    Or(Box<T>, Box<T>),
    Quantifier(bool, usize, Box<T>),
}

/// An interpretation: `None` in sort D is `nil`.
#[derive(Clone, Debug, Default)]
struct World {
    size: usize,
    constants: [usize; 2],
    d: Option<usize>,
    g: Vec<usize>,
    /// `(s nil)`
    open: usize,
    bound: Vec<usize>,
}

impl T {
    fn text(&self) -> String {
        match self {
            T::Const(i) => ["a", "b"][*i].into(),
            T::Var(i) => format!("x{i}"),
            T::G(t) => format!("(g {})", t.text()),
            T::S(t) => format!("(s {})", t.text()),
            T::Ite(c, x, y) => format!("(ite {} {} {})", c.text(), x.text(), y.text()),
            T::D => "d".into(),
            T::Nil => "nil".into(),
            T::C(t) => format!("(c {})", t.text()),
            T::Is(t) => format!("((_ is c) {})", t.text()),
            T::Eq(x, y) => format!("(= {} {})", x.text(), y.text()),
            T::Not(x) => format!("(not {})", x.text()),
            T::And(x, y) => format!("(and {} {})", x.text(), y.text()),
            T::Or(x, y) => format!("(or {} {})", x.text(), y.text()),
            T::Quantifier(all, i, t) => {
                let word = if *all { "forall" } else { "exists" };
                format!("({word} ((x{i} U)) {})", t.text())
            }
        }
    }
}

impl World {
    fn element(&mut self, t: &T) -> usize {
        match t {
            T::Const(i) => self.constants[*i],
            T::Var(i) => self.bound[*i],
            T::G(t) => {
                let at = self.element(t);
                self.g[at]
            }
            T::S(t) => self.data(t).unwrap_or(self.open),
            T::Ite(c, x, y) => {
                let chosen = if self.holds(c) { x } else { y };
                self.element(chosen)
            }
            _ => panic!("{t:?}"),
        }
    }

    fn data(&mut self, t: &T) -> Option<usize> {
        match t {
            T::D => self.d,
            T::Nil => None,
            T::C(t) => Some(self.element(t)),
            _ => panic!("{t:?}"),
        }
    }

    fn holds(&mut self, t: &T) -> bool {
        match t {
            T::Is(t) => self.data(t).is_some(),
            T::Eq(x, y) if matches!(**x, T::D | T::Nil | T::C(_)) => self.data(x) == self.data(y),
            T::Eq(x, y) => self.element(x) == self.element(y),
            T::Not(x) => !self.holds(x),
            T::And(x, y) => self.holds(x) & self.holds(y),
            T::Or(x, y) => self.holds(x) | self.holds(y),
            T::Quantifier(all, _, t) => {
                let mut holds = *all;
                for v in 0..self.size {
                    self.bound.push(v);
                    if self.holds(t) != *all {
                        holds = !all;
                    }
                    self.bound.pop();
                }
                holds
            }
            _ => panic!("{t:?}"),
        }
    }
}

struct Generator {
    rng: ChaCha8Rng,
    bound: usize,
}

impl Generator {
    fn element(&mut self, depth: u32) -> T {
        match self.rng.random_range(0..if depth == 0 { 4 } else { 9 }) {
            0 => T::Const(0),
            1 => T::Const(1),
            2 | 3 if self.bound > 0 => T::Var(self.rng.random_range(0..self.bound)),
            2 | 3 => T::Const(0),
            4 | 5 => T::G(Box::new(self.element(depth - 1))),
            6 | 7 => T::S(Box::new(self.data(depth - 1))),
            _ => T::Ite(
                Box::new(self.formula(depth - 1)),
                Box::new(self.element(depth - 1)),
                Box::new(self.element(depth - 1)),
            ),
        }
    }

    fn data(&mut self, depth: u32) -> T {
        match self.rng.random_range(0..5) {
            0 | 1 => T::D,
            2 | 3 => T::Nil,
            _ => T::C(Box::new(self.element(depth.saturating_sub(1)))),
        }
    }

    fn formula(&mut self, depth: u32) -> T {
        if depth == 0 {
            return T::Eq(Box::new(self.element(0)), Box::new(self.element(0)));
        }
        match self.rng.random_range(0..11) {
            0..=2 => T::Eq(Box::new(self.element(depth - 1)), Box::new(self.element(depth - 1))),
            3 => T::Eq(Box::new(self.data(depth - 1)), Box::new(self.data(depth - 1))),
            4 => T::Is(Box::new(self.data(depth - 1))),
            5 | 6 => T::Not(Box::new(self.formula(depth - 1))),
            7 => T::And(Box::new(self.formula(depth - 1)), Box::new(self.formula(depth - 1))),
            8 => T::Or(Box::new(self.formula(depth - 1)), Box::new(self.formula(depth - 1))),
            _ => {
                let all = self.rng.random_bool(0.5);
                self.bound += 1;
                let body = self.formula(depth - 1);
                self.bound -= 1;
                T::Quantifier(all, self.bound, Box::new(body))
            }
        }
    }
}

/// What a model says.
#[derive(Clone, Debug)]
struct Given {
    size: usize,
    constants: [Option<usize>; 2],
    d: Option<Option<usize>>,
    g: Option<Vec<usize>>,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Stated,
    Remarked,
    Unsaid,
}

impl Given {
    fn random(rng: &mut ChaCha8Rng) -> Given {
        let size = rng.random_range(1..4);
        let mut element = || rng.random_range(0..size);
        let (a, b, d) = (element(), element(), element());
        let g: Vec<usize> = (0..size).map(|_| element()).collect();
        let mut told = |share: f64| rng.random_bool(share);
        let constants = [told(0.8).then_some(a), told(0.8).then_some(b)];
        let (d, g) = (told(0.8).then_some(told(0.5).then_some(d)), told(0.8).then_some(g));
        let how = [How::Stated, How::Stated, How::Remarked, How::Unsaid][rng.random_range(0..4)];
        Given { size, constants, d, g, how }
    }

    fn text(&self) -> String {
        let z3 = self.how == How::Stated;
        let e = |i: usize| if z3 { format!("U!val!{i}") } else { format!("(as @U_{i} U)") };
        let mut out = "(\n".to_owned();
        if z3 {
            for i in 0..self.size {
                let _ = writeln!(out, "(declare-fun {} () U)", e(i));
            }
            let all: Vec<String> = (0..self.size).map(|i| format!("(= x {})", e(i))).collect();
            let _ = writeln!(out, "(forall ((x U)) (or false {}))", all.join(" "));
        }
        if self.how == How::Remarked {
            let _ = writeln!(out, "; cardinality of U is {}", self.size);
            (0..self.size).for_each(|i| out += &format!("; rep: {}\n", e(i)));
        }
        for (name, v) in ["a", "b"].iter().zip(self.constants) {
            if let Some(v) = v {
                let _ = writeln!(out, "(define-fun {name} () U {})", e(v));
            }
        }
        if let Some(d) = self.d {
            let value = d.map_or("nil".into(), |v| format!("(c {})", e(v)));
            let _ = writeln!(out, "(define-fun d () D {value})");
        }
        if let Some(g) = &self.g {
            let _ = write!(out, "(define-fun g ((x U)) U ");
            for (i, v) in g.iter().enumerate().skip(1) {
                let _ = write!(out, "(ite (= x {}) {} ", e(i), e(*v));
            }
            let _ = writeln!(out, "{}{})", e(g[0]), ")".repeat(g.len() - 1));
        }
        out + ")"
    }

    /// The elements that the model names.
    fn named(&self) -> usize {
        let mut named: Vec<usize> = self.constants.iter().flatten().copied().collect();
        named.extend(self.d.flatten());
        if let Some(g) = &self.g {
            // An element that is an argument is named, but the first: that is the default.
            named.extend(g.iter().copied().chain(1..g.len()));
        }
        named.iter().map(|v| v + 1).max().unwrap_or(1)
    }

    /// All interpretations in which what the model says holds, in a universe of so many elements.
    fn completions(&self, size: usize) -> Vec<World> {
        let all: Vec<usize> = (0..size).collect();
        let or_all = |v: Option<usize>| v.map_or(all.clone(), |v| vec![v]);
        let data = self.d.map_or_else(
            || all.iter().map(|v| Some(*v)).chain([None]).collect::<Vec<_>>(),
            |d| vec![d],
        );
        let functions = match &self.g {
            // Elsewhere a function that is given as a chain has the value of its last branch.
            Some(g) => vec![all.iter().map(|i| *g.get(*i).unwrap_or(&g[0])).collect()],
            None => functions(size),
        };
        let mut out = Vec::new();
        for a in or_all(self.constants[0]) {
            for b in or_all(self.constants[1]) {
                for &d in &data {
                    for g in &functions {
                        for open in 0..size {
                            let (constants, g) = ([a, b], g.clone());
                            out.push(World { size, constants, d, g, open, bound: Vec::new() });
                        }
                    }
                }
            }
        }
        out
    }
}

/// All functions on so many elements.
fn functions(size: usize) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = |f: Vec<usize>| (0..size).map(move |v| [&f[..], &[v]].concat());
        out = out.into_iter().flat_map(longer).collect();
    }
    out
}

/// A residual as the brute force sees it: its symbols, and the constants for elements.
struct Small<'r> {
    script: &'r Script,
    sort: Sort,
    nil: Fun,
    c: Fun,
    elements: Vec<Fun>,
    declared: BTreeMap<String, Fun>,
}

impl<'r> Small<'r> {
    fn of(open: &'r OpenResidual) -> Small<'r> {
        let script = open.script();
        let a = &script.arena;
        let all: Vec<Fun> = (0..a.fun_count()).filter_map(|i| a.fun_at(i)).collect();
        let name = |f: Fun| a.name(a.fun(f).name).to_owned();
        let find = |n: &str| all.iter().copied().find(|&f| name(f) == n).unwrap();
        let sort = a.fun(find("a")).ret;
        assert!(matches!(a.sort_kind(sort), SortKind::Named(..)));
        let declared: BTreeMap<String, Fun> = script
            .commands
            .iter()
            .filter_map(|c| match c {
                Command::DeclareFun(f) => Some((name(*f), *f)),
                _ => None,
            })
            .collect();
        let is_element = |n: &&String| n.starts_with("smelt!e");
        let elements = declared.keys().filter(is_element).map(|n| declared[n]).collect();
        Small { script, sort, nil: find("nil"), c: find("c"), elements, declared }
    }

    fn element(&self, i: usize) -> Value {
        Value::Uninterpreted { sort: self.sort.index() as u32, id: 1_000_000 + i as u32 }
    }

    /// Interpretations of its symbols that satisfy it in a universe of so many elements: the first one.
    fn satisfied(&self, size: usize) -> Option<(Vec<usize>, World)> {
        let left_out = Given {
            size,
            constants: ["a", "b"].map(|n| (!self.declared.contains_key(n)).then_some(0)),
            d: (!self.declared.contains_key("d")).then_some(None),
            g: (!self.declared.contains_key("g")).then(|| vec![0; size]),
            how: How::Stated,
        };
        let worlds = left_out.completions(size);
        for names in functions(size).into_iter().flat_map(|f| injections(&f, self.elements.len())) {
            for world in &worlds {
                if self.holds(&names, world) {
                    return Some((names, world.clone()));
                }
            }
            if self.elements.is_empty() {
                break;
            }
        }
        None
    }

    fn holds(&self, names: &[usize], world: &World) -> bool {
        let a = &self.script.arena;
        let mut model = Model::new();
        model.set_universe(self.sort, (0..world.size).map(|i| self.element(i)).collect());
        for (&f, &i) in self.elements.iter().zip(names) {
            model.set_value(f, self.element(i));
        }
        let data = |d: Option<usize>| match d {
            None => Value::data(self.nil.index() as u32, Vec::new()).unwrap(),
            Some(i) => Value::data(self.c.index() as u32, vec![self.element(i)]).unwrap(),
        };
        for (name, &f) in &self.declared {
            match &name[..] {
                "a" => model.set_value(f, self.element(world.constants[0])),
                "b" => model.set_value(f, self.element(world.constants[1])),
                "d" => model.set_value(f, data(world.d)),
                "g" => {
                    let points = world
                        .g
                        .iter()
                        .enumerate()
                        .map(|(i, v)| (Box::from([self.element(i)]), self.element(*v)));
                    let table = smelt_eval::function::Table::new(points, self.element(0));
                    let table = Arc::new(table.unwrap().unwrap());
                    model.set(f, Interpretation::Table(table));
                }
                "open.s" => {
                    let table = smelt_eval::function::Table::new([], self.element(world.open));
                    model.set(f, Interpretation::Table(Arc::new(table.unwrap().unwrap())));
                }
                _ => {}
            }
        }
        let mut evaluator = Evaluator::default();
        let assertions = &self.script.queries()[0].assertions;
        assertions.iter().all(|&t| match evaluator.eval(a, &model, t) {
            Ok(Value::Bool(b)) => b,
            other => panic!("{other:?} in {}", print(self.script, &Default::default())),
        })
    }

    /// The interpretation as a solver would print it.
    fn text(&self, names: &[usize], world: &World) -> String {
        let e = |i: usize| format!("(as @U_{i} U)");
        let mut out = "(\n".to_owned();
        for (name, f) in &self.declared {
            let _ = match &name[..] {
                "a" => writeln!(out, "(define-fun a () U {})", e(world.constants[0])),
                "b" => writeln!(out, "(define-fun b () U {})", e(world.constants[1])),
                "d" => {
                    let value = world.d.map_or("nil".into(), |v| format!("(c {})", e(v)));
                    writeln!(out, "(define-fun d () D {value})")
                }
                "open.s" => writeln!(out, "(define-fun open.s ((x D)) U {})", e(world.open)),
                "g" => {
                    let points = world.g.iter().enumerate();
                    let text = points.fold(e(0), |rest, (i, v)| {
                        format!("(ite (= x {}) {} {rest})", e(i), e(*v))
                    });
                    writeln!(out, "(define-fun g ((x U)) U {text})")
                }
                _ => {
                    let at = self.elements.iter().position(|g| g == f).unwrap();
                    writeln!(out, "(define-fun {name} () U {})", e(names[at]))
                }
            };
        }
        out + ")"
    }
}

/// The first so many values of a function, if they differ.
fn injections(f: &[usize], count: usize) -> Option<Vec<usize>> {
    let first = f.get(..count)?;
    let differ = first.iter().enumerate().all(|(i, v)| !first[..i].contains(v));
    // The others must not matter: each injection once.
    (differ && f[count..].iter().all(|v| *v == 0)).then(|| first.to_vec())
}

#[derive(Default, Debug)]
struct Counts {
    formulas: u32,
    decided_by_choice: u32,
    completed: u32,
    outcomes: BTreeMap<String, u32>,
}

fn check(seed: u64, counts: &mut Counts) {
    let mut g = Generator { rng: ChaCha8Rng::seed_from_u64(seed), bound: 0 };
    let count = g.rng.random_range(1..4);
    let assertions: Vec<T> = (0..count).map(|_| g.formula(3)).collect();
    let mut text = "(declare-sort U 0)(declare-datatype D ((nil) (c (s U))))(declare-const a U)\
        (declare-const b U)(declare-const d D)(declare-fun g (U) U)"
        .to_owned();
    for t in &assertions {
        let _ = write!(text, "(assert {})", t.text());
    }
    text.push_str("(check-sat)");
    let given = Given::random(&mut g.rng);
    let place = format!("seed {seed}: {text}\n{}", given.text());
    let mut script = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{place}: {e}"));
    let query = script.queries().pop().unwrap();
    let options = ModelOptions::default();
    let model = parse_model_at(&mut script, query.command, given.text().as_bytes(), &options);
    let model = model.unwrap_or_else(|e| panic!("{place}: {e}"));
    let result = residual(&script, &query, &model, Limits::default());
    // The universes that the model allows; one that is remarked may have other elements, too.
    let sizes = match given.how {
        How::Stated => given.size..=given.size,
        How::Remarked => given.size..=given.size + 1,
        How::Unsaid => given.named()..=given.named() + 1,
    };
    let listed = if given.how == How::Remarked { given.size..=given.size } else { sizes.clone() };
    let mut satisfiable = false;
    let mut met = [false, false];
    for size in sizes {
        for mut world in given.completions(size) {
            let values: Vec<bool> = assertions.iter().map(|t| world.holds(t)).collect();
            let all = values.iter().all(|b| *b);
            satisfiable |= all && listed.contains(&size);
            met[usize::from(all)] = true;
            match &result {
                Residual::True if listed.contains(&size) => assert!(all, "{place}\n{world:?}"),
                Residual::False { assertion } => {
                    assert!(values[..=*assertion].contains(&false), "{place}\n{world:?}");
                }
                _ => {}
            }
        }
    }
    if let Residual::Open(open) = &result {
        let shown = print(open.script(), &Default::default());
        let again = parse(shown.as_bytes()).unwrap_or_else(|e| panic!("{place}\n{shown}: {e}"));
        assert_eq!(print(&again, &Default::default()), shown);
        let small = Small::of(open);
        // More elements than the model allows must not help.
        let found = (*listed.start()..=*listed.end() + 1).find_map(|n| small.satisfied(n));
        assert_eq!(found.is_some(), satisfiable, "{place}\n{shown}\n{found:?}");
        if let Some((names, world)) = found {
            let told = small.text(&names, &world);
            let done = open.complete(&told, &options);
            assert!(done.is_ok(), "{place}\n{shown}\n{told}\n{:?}", done.err());
            counts.completed += 1;
        }
        assert!(satisfiable || open.complete_by_search().is_err(), "{place}\n{shown}");
        assert!(satisfiable || open.complete_by_model().is_err(), "{place}\n{shown}");
    }
    counts.formulas += 1;
    counts.decided_by_choice += u32::from(met == [true, true]);
    let outcome = match result {
        Residual::True => "true".into(),
        Residual::False { .. } => "false".into(),
        Residual::Open(_) => "open".into(),
        Residual::Undetermined(why) => format!("undetermined: {why}"),
    };
    *counts.outcomes.entry(format!("{:?} {outcome}", given.how)).or_default() += 1;
}

#[test]
fn universes() {
    let formulas = std::env::var("SMELT_RESIDUAL").ok().and_then(|n| n.parse().ok());
    let mut counts = Counts::default();
    for seed in 0..formulas.unwrap_or(3000) {
        check(seed, &mut counts);
    }
    assert!(counts.decided_by_choice * 50 >= counts.formulas, "{counts:?}");
    assert!(counts.completed * 20 >= counts.formulas, "{counts:?}");
}
