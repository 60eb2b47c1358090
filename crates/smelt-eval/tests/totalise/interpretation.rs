//! The choices of the brute force as meanings of smelt's fresh functions.

use std::collections::HashMap;

use smelt_eval::function::Table;
use smelt_eval::{Value, eval_ground};
use smelt_smtlib::totalise::Partial;
use smelt_smtlib::{Command, ParseOptions, Script, Term, Totalised, parse_terms, print_sort};

use crate::values::{Bool, Float, Format, S, V, sort_of, value_text};
use crate::world::World;

/// A fresh function, as the brute force sees it.
#[derive(Clone)]
pub struct Fresh {
    pub name: String,
    pub op: String,
    pub index: Option<u32>,
    /// The sort of the last argument of the operator.
    pub last: String,
    /// How many arguments the function takes.
    pub takes: usize,
    pub result: S,
}

impl Fresh {
    pub fn all(t: &Totalised, format: Format) -> Vec<Fresh> {
        let a = &t.script.arena;
        let fresh = t.open.iter().map(|o| {
            let (op, index) = match o.of {
                Partial::Op(op, idx) => (op.info().name, a.indices(idx).first().copied()),
                Partial::Selector(f) => (a.name(a.fun(f).name), None),
            };
            Fresh {
                name: a.name(a.fun(o.fun).name).to_owned(),
                op: op.to_owned(),
                index,
                last: print_sort(a, o.args[o.args.len() - 1]),
                takes: a.fun(o.fun).args.len(),
                result: result_sort(op, index, format),
            }
        });
        fresh.collect()
    }

    /// Its values where a world has chosen them.
    pub fn points(&self, world: &World) -> Vec<(Vec<V>, V)> {
        let chosen = |v: &V| match v {
            Float(bits) if self.result == S::Bool => Bool(*bits == 0),
            v => v.clone(),
        };
        world
            .open
            .iter()
            .filter(|((k, _), _)| (k.0, k.1, &k.2) == (&self.op[..], self.index, &self.last))
            .map(|((_, args), v)| (args[..self.takes].to_vec(), chosen(v)))
            .collect()
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

/// Values of the brute force in the arena of a script.
pub struct Reader {
    pub script: Script,
    pub format: Format,
    known: HashMap<(V, S), Value>,
}

impl Reader {
    pub fn new(mut script: Script, format: Format) -> Reader {
        // In some logics `2` is a Real.
        script.commands.retain(|c| !matches!(c, Command::SetLogic(_)));
        Reader { script, format, known: HashMap::new() }
    }

    pub fn value(&mut self, v: &V, sort: S) -> Value {
        if let Some(v) = self.known.get(&(v.clone(), sort)) {
            return v.clone();
        }
        let text = value_text(v, self.format);
        let terms = parse_terms(&mut self.script, text.as_bytes(), &ParseOptions::default());
        let terms: Vec<Term> = terms.unwrap_or_else(|e| panic!("{text}: {e}"));
        let value = eval_ground(&self.script.arena, terms[0]).unwrap();
        self.known.insert((v.clone(), sort), value.clone());
        value
    }

    /// A fresh function as a world has it, with a default elsewhere.
    pub fn table(&mut self, fresh: &Fresh, world: &World, default: usize) -> Table {
        let entries: Vec<_> = fresh
            .points(world)
            .iter()
            .map(|(args, v)| {
                let args = args.iter().map(|v| self.value(v, sort_of(v))).collect();
                (args, self.value(v, fresh.result))
            })
            .collect();
        let all = fresh.result.values(self.format);
        let otherwise = self.value(&all[default % all.len()], fresh.result);
        Table::new(entries, otherwise).unwrap().unwrap()
    }
}
