//! What instances are made of: sorts, constructs by kind, variables and special constants.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smelt_case::OpSet;
use smelt_smtlib::op::{P, Theory};
use smelt_smtlib::{Arena, Command, Op, ParseOptions, Script, Sort, Term, parse_in};

use super::presets::Preset;
use crate::accepted;
use crate::forms::Sorts;

/// How deep instances may be, and how many assertions and variables they may have: what is larger is no test that a person reads.
const DEEPEST: u32 = 8;
const MOST: u32 = 100;

/// How instances are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// The theory, by its word.
    pub theory: String,
    /// Variables of each sort.
    pub variables: u32,
    /// Assertions, from so many to so many.
    pub assertions: (u32, u32),
    /// Constructs from the root to a leaf, from so many to so many.
    pub depth: (u32, u32),
    /// Only these constructs, by their names; all if there are none.
    pub operators: Vec<String>,
    /// How often a construct is chosen where one grows; 1 where nothing is said.
    pub weights: BTreeMap<String, f64>,
}

impl Parameters {
    /// As the paper looks for slowness: 5 assertions, depth 3, 5 variables.
    pub fn performance(theory: &str) -> Self {
        Self {
            theory: theory.to_owned(),
            variables: 5,
            assertions: (5, 5),
            depth: (3, 3),
            operators: Vec::new(),
            weights: BTreeMap::new(),
        }
    }

    /// As the paper looks for wrong answers: 3 to 5 assertions, depth 2 to 4.
    pub fn bugs(theory: &str) -> Self {
        Self { assertions: (3, 5), depth: (2, 4), ..Self::performance(theory) }
    }
}

/// What a construct may stand for: another one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Its result is true or false.
    Predicate,
    /// It is a rounding mode.
    RoundingMode,
    /// Its result is of another sort.
    Operator,
}

/// A grammatical construct: an arm of a bandit.
#[derive(Clone, Debug)]
pub struct Construct {
    /// `fp.add`, `(_ zero_extend 2)`; with its sort where two of a name differ in that.
    pub name: String,
    /// What kind it is of.
    pub kind: Kind,
    pub(super) op: Op,
    pub(super) indices: Vec<u32>,
    pub(super) is_ascribed: bool,
    /// The place of the sort of the result.
    pub(super) sort: usize,
    /// Sorts of arguments that it takes, by their places.
    pub(super) shapes: Vec<Vec<usize>>,
    pub(super) weight: f64,
}

/// A variable, or a special constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub term: Term,
    pub is_value: bool,
}

/// A language of instances.
pub struct Language {
    pub(super) parameters: Parameters,
    pub(super) constructs: Vec<Construct>,
    /// By sort.
    pub(super) leaves: Vec<Vec<Leaf>>,
    /// Levels of constructs that a term of a sort needs at least.
    pub(super) heights: Vec<u32>,
    /// The sorts as SMT-LIB terms know them.
    sorts: Vec<Sort>,
    arena: Arc<Arena>,
    declarations: Vec<Command>,
    /// Operators of the theory that not everybody takes.
    lacking: Vec<Op>,
}

impl Language {
    /// The language of some parameters, of operators that everybody takes.
    pub fn new(parameters: &Parameters, ops: &OpSet) -> Result<Self, String> {
        check(parameters)?;
        let preset = Preset::named(&parameters.theory)?;
        let (sorts, constants, theories) = preset.parts()?;
        let mut sorts = Sorts::new(&sorts)?;
        let (mut constructs, mut lacking) = (Vec::new(), Vec::new());
        for op in Op::all() {
            let named = preset.operators.is_empty() || preset.operators.contains(&op.info().name);
            match named && is_wanted(op, &theories) {
                true if ops.contains(op) => add(&mut constructs, op, &mut sorts),
                true => lacking.push(op),
                false => {}
            }
        }
        let mut leaves = variables(parameters.variables, &mut sorts)?;
        let mut constant = |text: &str| -> Result<(), String> {
            let (term, sort) = sorts.constant(text)?;
            leaves[sort].push(Leaf { term, is_value: true });
            Ok(())
        };
        constants.iter().try_for_each(|text| constant(text))?;
        constructs.retain(|c: &Construct| {
            let is_leaf = c.shapes == [[]] && c.kind != Kind::RoundingMode;
            !is_leaf || constant(&c.name).is_err()
        });
        let (script, all) = (sorts.script, sorts.all);
        let declarations = script.commands.into_iter().skip(all.len()).collect();
        let mut language = Self {
            parameters: parameters.clone(),
            heights: Vec::new(),
            sorts: all.iter().map(|s| s.sort).collect(),
            arena: script.arena.freeze(),
            constructs,
            leaves,
            declarations,
            lacking,
        };
        language.distinguish(&all.into_iter().map(|s| s.text).collect::<Vec<_>>());
        language.choose()?;
        language.measure();
        Ok(language)
    }

    /// Constructs of one name have their sort behind it, and those of one sort the number of their arguments.
    fn distinguish(&mut self, sorts: &[String]) {
        let sort = |c: &Construct| format!(" : {}", sorts[c.sort]);
        let arity = |c: &Construct| format!(" / {}", c.shapes[0].len());
        for more in [&sort as &dyn Fn(&Construct) -> String, &arity] {
            let names: Vec<String> = self.constructs.iter().map(|c| c.name.clone()).collect();
            for c in &mut self.constructs {
                if names.iter().filter(|n| **n == c.name).count() > 1 {
                    c.name += &more(c);
                }
            }
        }
    }

    /// Keeps the constructs that are asked for, with their weights.
    fn choose(&mut self) -> Result<(), String> {
        let (wanted, weights) = (&self.parameters.operators, &self.parameters.weights);
        for name in wanted.iter().chain(weights.keys()) {
            if !self.constructs.iter().any(|c| c.name == *name) {
                let all: Vec<&str> = self.constructs.iter().map(|c| c.name.as_str()).collect();
                return Err(format!(
                    "there is no construct {name:?} here; there are {}",
                    all.join(", ")
                ));
            }
        }
        self.constructs.retain(|c| wanted.is_empty() || wanted.contains(&c.name));
        for c in &mut self.constructs {
            c.weight = weights.get(&c.name).copied().unwrap_or(1.0);
        }
        Ok(())
    }

    /// Leaves out what has no end, and finds out how high the least term of each sort is.
    fn measure(&mut self) {
        let mut heights: Vec<Option<u32>> =
            self.leaves.iter().map(|l| (!l.is_empty()).then_some(0)).collect();
        // Each round finds the sorts whose least terms are one level higher.
        for _ in 0..=heights.len() {
            for c in &self.constructs {
                for shape in &c.shapes {
                    let needs = shape.iter().map(|&s| heights[s]).collect::<Option<Vec<u32>>>();
                    let Some(needs) = needs else { continue };
                    let height = 1 + needs.into_iter().max().unwrap_or(0);
                    let own = &mut heights[c.sort];
                    *own = Some(own.map_or(height, |h| h.min(height)));
                }
            }
        }
        for c in &mut self.constructs {
            c.shapes.retain(|shape| shape.iter().all(|&s| heights[s].is_some()));
        }
        self.constructs.retain(|c| !c.shapes.is_empty());
        self.heights = heights.into_iter().map(|h| h.unwrap_or(u32::MAX)).collect();
    }

    /// Whether there is something to assert; if not, why.
    pub fn is_usable(&self) -> Result<(), String> {
        let theory = &self.parameters.theory;
        let own = |c: &Construct| c.op.info().theory != Theory::Core || theory == "core";
        if !self.constructs.iter().any(own) {
            return Err(format!("no operator of {theory} is left"));
        }
        match self.constructs.iter().any(|c| c.kind == Kind::Predicate) {
            true => Ok(()),
            false => Err(format!("no predicate of {theory} is left")),
        }
    }

    /// The constructs: the arms of a bandit.
    pub fn constructs(&self) -> &[Construct] {
        &self.constructs
    }

    /// The operators of the theory that not everybody takes, as recipes name them.
    pub fn lacking(&self) -> Vec<String> {
        self.lacking.iter().map(|op| format!("{op:?}")).collect()
    }

    /// How instances are made.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// A script with these assertions.
    pub(super) fn script(&self, assert: impl FnOnce(&mut Arena) -> Vec<Term>) -> Script {
        let mut arena = Arena::overlay(&self.arena);
        let terms = assert(&mut arena);
        let mut commands = self.declarations.clone();
        commands.extend(terms.into_iter().map(Command::Assert));
        commands.push(Command::CheckSat);
        Script { arena, commands }
    }

    /// The term of a construct on arguments of one of its shapes.
    pub(super) fn apply(&self, arena: &mut Arena, construct: &Construct, args: &[Term]) -> Term {
        let made = match construct.is_ascribed {
            true => arena.app_as(construct.op, args, self.sorts[construct.sort]),
            false => arena.app(construct.op, &construct.indices, args),
        };
        made.unwrap_or_else(|e| unreachable!("{}: {e}", construct.name))
    }
}

fn check(p: &Parameters) -> Result<(), String> {
    let range = |what: &str, (from, to): (u32, u32), most: u32| match 1 <= from && from <= to {
        true if to <= most => Ok(()),
        _ => Err(format!("{what} from {from} to {to}: a range within 1 to {most} is needed")),
    };
    range("assertions", p.assertions, MOST)?;
    range("depth", p.depth, DEEPEST)?;
    range("variables", (p.variables, p.variables), MOST)?;
    match p.weights.iter().find(|(_, w)| !w.is_finite() || **w < 0.0) {
        Some((name, w)) => {
            Err(format!("the weight of {name} is {w}: a number from 0 on is needed"))
        }
        None => Ok(()),
    }
}

/// Whether instances of some theories have an operator.
fn is_wanted(op: Op, theories: &[Theory]) -> bool {
    let info = op.info();
    let own = match info.theory {
        // A theory without operators of its own is about these.
        Theory::Core => theories.is_empty() || matches!(op, Op::Eq | Op::Distinct | Op::Ite),
        theory => theories.contains(&theory),
    };
    own && accepted::introduced(op)
}

/// Adds an operator with all of its shapes.
fn add(constructs: &mut Vec<Construct>, op: Op, sorts: &mut Sorts) {
    let core = op.info().theory == Theory::Core;
    let alone = sorts.all.len() == 1;
    let is_plain = |sorts: &Sorts, s: usize| {
        !matches!(sorts.all[s].text.as_str(), "RegLan" | "RoundingMode") && (s > 0 || alone)
    };
    for form in sorts.forms(op) {
        // The condition of an `ite` is the one place for a predicate within a term.
        let from = usize::from(op == Op::Ite);
        if core
            && !form.arguments[from.min(form.arguments.len())..].iter().all(|&s| is_plain(sorts, s))
        {
            continue;
        }
        let same = |c: &&mut Construct| {
            c.op == form.op && c.sort == form.result && c.indices == form.indices
        };
        if let Some(known) = constructs.iter_mut().find(same) {
            known.shapes.push(form.arguments);
            continue;
        }
        let kind = match (form.result, op.info().ret) {
            (0, _) => Kind::Predicate,
            (_, P::Rm) => Kind::RoundingMode,
            _ => Kind::Operator,
        };
        constructs.push(Construct {
            kind,
            op: form.op,
            is_ascribed: op.info().ret == P::Ascribed,
            name: form.name,
            indices: form.indices,
            sort: form.result,
            shapes: vec![form.arguments],
            weight: 1.0,
        });
    }
}

/// Variables of each sort that has them, by sort: `x0`, `x1`, … of the first, `y0`, … of the second.
fn variables(of_each: u32, sorts: &mut Sorts) -> Result<Vec<Vec<Leaf>>, String> {
    let mut letters = ['x', 'y', 'z', 'u', 'v', 'w'].into_iter();
    let alone = sorts.all.len() == 1;
    let mut names: Vec<Vec<String>> = Vec::new();
    let mut declared = String::new();
    for (i, sort) in sorts.all.iter().enumerate() {
        let is_bare = matches!(sort.text.as_str(), "RegLan" | "RoundingMode") || (i == 0 && !alone);
        let letter = if is_bare { None } else { letters.next() };
        let own: Vec<String> =
            letter.into_iter().flat_map(|l| (0..of_each).map(move |k| format!("{l}{k}"))).collect();
        own.iter().for_each(|n| declared += &format!("(declare-const {n} {})", sort.text));
        names.push(own);
    }
    let options = ParseOptions::default();
    let commands = parse_in(&mut sorts.script, declared.as_bytes(), &options);
    sorts.script.commands.extend(commands.map_err(|e| e.message.clone())?);
    let mut leaves = Vec::new();
    for own in names {
        let term = |n: &String| sorts.constant(n).map(|(term, _)| Leaf { term, is_value: false });
        leaves.push(own.iter().map(term).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(leaves)
}
