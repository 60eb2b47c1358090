//! What a release supports, found out once by tiny scripts and remembered in the data folder.
//!
//! One script per row of the operator table: an assertion with that operator on fresh constants. A release that rejects it
//! or says that it cannot do it does not support the operator, and no mutant is wasted on it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use smelt_smtlib::op::{Dialect, Naming, OpInfo, P, Theory};
use smelt_smtlib::{Op, optable::OPS};

use crate::home::{Home, write_atomically};
use crate::limits::{Cancel, Limits, Requests, Setup};
use crate::outcome::{Answer, RunError};
use crate::script::Script;
use crate::session::{Policy, Session};
use crate::solver::Solver;

/// What a release supports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// Digest of the binary it was found for.
    pub hash: String,
    /// Number of operators in the table then; another number means that the probe is out of date.
    pub table: usize,
    /// Revision of the probe scripts then; another one means that the probe is out of date.
    #[serde(default)]
    pub revision: u32,
    /// Operators that it does not take, by the table's variant name, with what it said.
    pub unsupported: BTreeMap<String, String>,
    /// Operators that no script was made for: taken for supported.
    pub unprobed: BTreeSet<String>,
    /// Whether the solver answered so slowly that it was not asked any more. (Not remembered: perhaps the machine was busy.)
    #[serde(skip)]
    pub given_up: bool,
}

/// How many scripts a probe has at most.
pub fn steps() -> usize {
    OPS.len()
}

/// Raised whenever a probe script or the reading of its answer changes.
const REVISION: u32 = 5;

/// Scripts in a row without an answer in time, after which the rest is not tried.
const PATIENCE: usize = 10;

impl Capabilities {
    /// Whether mutants with this operator may be sent.
    pub fn supports(&self, op: Op) -> bool {
        !self.unsupported.contains_key(&op_key(op))
    }

    /// Theories with the number of operators supported, and of those that are supported or standard (extensions of other
    /// solvers do not count against it), in the order of the table.
    pub fn theories(&self) -> Vec<(String, usize, usize)> {
        let mut sums: Vec<(String, usize, usize)> = Vec::new();
        for info in OPS.iter().filter(|i| !self.unprobed.contains(&op_key(i.op))) {
            let name = theory_name(info.theory);
            let at = sums.iter().position(|s| s.0 == name).unwrap_or_else(|| {
                sums.push((name, 0, 0));
                sums.len() - 1
            });
            let supported = self.supports(info.op);
            sums[at].1 += usize::from(supported);
            sums[at].2 += usize::from(supported || info.dialect == Dialect::Standard);
        }
        sums
    }

    /// What is remembered of this solver, if the probe is up to date.
    pub fn load(home: &Home, solver: &Solver) -> Option<Capabilities> {
        let text = std::fs::read(path(home, solver)).ok()?;
        let found: Capabilities = serde_json::from_slice(&text).ok()?;
        (found.hash == solver.hash() && found.table == OPS.len() && found.revision == REVISION)
            .then_some(found)
    }

    /// Remembers.
    pub fn save(&self, home: &Home, solver: &Solver) -> std::io::Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::other)?;
        write_atomically(&path(home, solver), &text)
    }

    /// Forgets what is remembered.
    pub fn forget(home: &Home, solver: &Solver) -> std::io::Result<()> {
        match std::fs::remove_file(path(home, solver)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    /// Loads, or probes and remembers. A data folder that cannot be written costs only the next probe.
    pub fn of(
        home: &Home,
        solver: &Solver,
        cancel: Option<&Cancel>,
    ) -> Result<Capabilities, RunError> {
        Capabilities::of_telling(home, solver, cancel, &|_| {})
    }

    /// Loads, or probes and remembers; how many of its [`steps`] are done is told on the way.
    pub fn of_telling(
        home: &Home,
        solver: &Solver,
        cancel: Option<&Cancel>,
        tell: &dyn Fn(usize),
    ) -> Result<Capabilities, RunError> {
        if let Some(known) = Capabilities::load(home, solver) {
            return Ok(known);
        }
        let found = Capabilities::probe_telling(solver, cancel, tell)?;
        if !found.given_up {
            let _ = found.save(home, solver);
        }
        Ok(found)
    }

    /// Runs every probe script.
    pub fn probe(solver: &Solver, cancel: Option<&Cancel>) -> Result<Capabilities, RunError> {
        Capabilities::probe_telling(solver, cancel, &|_| {})
    }

    fn probe_telling(
        solver: &Solver,
        cancel: Option<&Cancel>,
        tell: &dyn Fn(usize),
    ) -> Result<Capabilities, RunError> {
        let limits = Limits {
            cpu: Some(Duration::from_secs(2)),
            wall: Duration::from_secs(20),
            ..Limits::default()
        };
        let setup = Setup { limits, ..Setup::default() };
        let mut session = Session::new(solver, setup, Policy::default());
        if let Some(cancel) = cancel {
            session = session.cancelled_by(cancel);
        }
        let naming = solver.profile().naming_of(solver.version());
        // A solver of bit-vectors alone has no Int to fill the place of "any sort" with.
        let ints = session.run(
            &Script::new("(set-logic ALL)(declare-const x Int)(check-sat)"),
            Requests::default(),
        )?;
        let any = if matches!(ints.answer(), Some(Answer::Sat)) { "Int" } else { "(_ BitVec 8)" };
        let mut found = Capabilities {
            hash: solver.hash().to_owned(),
            table: OPS.len(),
            revision: REVISION,
            ..Capabilities::default()
        };
        let mut late = 0;
        for (step, info) in OPS.iter().enumerate() {
            tell(step);
            found.given_up = late == PATIENCE;
            let script = probe_script(info, naming, any).filter(|_| !found.given_up);
            let Some(text) = script else {
                found.unprobed.insert(op_key(info.op));
                continue;
            };
            let outcome = session.run(&Script::new(&text), Requests::default())?;
            late = if matches!(outcome.answer(), Some(Answer::Timeout(_))) { late + 1 } else { 0 };
            let refusal = match outcome.answer() {
                _ if outcome.ended_from_outside() => None,
                // A crash is a bug worth finding, not a lack of support.
                Some(
                    a @ (Answer::Rejected { .. } | Answer::Unsupported(_) | Answer::Unreadable(_)),
                ) => Some(a.to_string()),
                _ => None,
            };
            if let Some(text) = refusal {
                found.unsupported.insert(op_key(info.op), text);
            }
        }
        Ok(found)
    }
}

fn op_key(op: Op) -> String {
    format!("{op:?}")
}

/// `bit-vec` of `BitVec`: the names that profiles use.
pub fn theory_name(theory: Theory) -> String {
    let mut name = String::new();
    for (i, c) in format!("{theory:?}").char_indices() {
        if c.is_uppercase() && i > 0 {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

/// The theory of a name that profiles use.
pub fn theory_named(name: &str) -> Option<Theory> {
    OPS.iter().map(|info| info.theory).find(|&theory| theory_name(theory) == name)
}

fn path(home: &Home, solver: &Solver) -> PathBuf {
    home.capabilities().join(format!("{}-{}.json", solver.profile().name, solver.hash()))
}

/// The script that tries one operator; `None` when its arguments cannot be made up from the table.
pub fn probe_script(info: &OpInfo, naming: Naming, any: &str) -> Option<String> {
    if let Some(text) = special_script(info, naming, any) {
        return Some(text);
    }
    let patterns: Vec<P> = match info.args.len() {
        1 if !matches!(info.assoc, smelt_smtlib::op::Assoc::Fixed) => vec![info.args[0]; 2],
        _ => info.args.to_vec(),
    };
    let mut declarations = String::new();
    let mut arguments = String::new();
    for (i, pattern) in patterns.iter().enumerate() {
        arguments.push(' ');
        if *pattern == P::Re {
            arguments.push_str(&regex(naming));
            continue;
        }
        declarations.push_str(&format!("(declare-const a{i} {})", sort_of(*pattern, any)?));
        arguments.push_str(&format!("a{i}"));
    }
    // Relations need tuples and separation logic a declared heap, which the patterns do not tell.
    if matches!(info.theory, Theory::Separation | Theory::Relations) {
        return None;
    }
    // A rule in code may want more than the patterns say; those that do not are named.
    if info.special.is_some()
        && !matches!(info.op, Op::Concat | Op::Select | Op::Store | Op::BitToBool)
    {
        return None;
    }
    let indices = match (info.indices?, info.ret) {
        (0, _) => String::new(),
        (2, P::FpI) => String::from(" 8 24"),
        (2, P::BvExtract) => String::from(" 3 0"),
        (2, _) => String::from(" 1 2"),
        (1, P::BvI) => String::from(" 8"),
        (1, _) => String::from(" 2"),
        _ => return None,
    };
    let name = info.name_in(naming);
    let head = if indices.is_empty() { name.to_owned() } else { format!("(_ {name}{indices})") };
    let term = if patterns.is_empty() { head } else { format!("({head}{arguments})") };
    let claim = match info.ret {
        P::Bool => term,
        P::Re => {
            format!("({} \"a\" {term})", Op::by_name("str.in_re").first()?.info().name_in(naming))
        }
        ret => {
            let sort = match ret {
                P::BvXPlusY | P::BvXTimesI => String::from("(_ BitVec 16)"),
                P::BvXPlusI => String::from("(_ BitVec 10)"),
                P::BvExtract => String::from("(_ BitVec 4)"),
                P::FpI => String::from("(_ FloatingPoint 8 24)"),
                P::FpXY => String::from("(_ FloatingPoint 8 9)"),
                P::BvFp => String::from("(_ BitVec 32)"),
                P::Ascribed => return None,
                other => sort_of(other, any)?,
            };
            declarations.push_str(&format!("(declare-const r {sort})"));
            match info.theory {
                // Who refuses a product of variables may take others.
                Theory::Ints | Theory::Reals => format!("(= r {term})"),
                // What a substitution solves tells nothing of the theory.
                _ => format!("(not (= r {term}))"),
            }
        }
    };
    let logic = if info.theory == Theory::HigherOrder || patterns.iter().any(is_function) {
        "HO_ALL"
    } else {
        "ALL"
    };
    Some(format!("(set-logic {logic}){declarations}(assert {claim})(check-sat)"))
}

fn is_function(p: &P) -> bool {
    matches!(p, P::FunAB | P::FunABool | P::FunABB)
}

fn regex(naming: Naming) -> String {
    let name = Op::by_name("str.to_re").first().map_or("str.to_re", |op| op.info().name_in(naming));
    format!("({name} \"a\")")
}

/// A concrete sort for a pattern in argument place.
fn sort_of(pattern: P, any: &str) -> Option<String> {
    Some(match pattern {
        P::Bool => String::from("Bool"),
        P::Int | P::Num => String::from("Int"),
        P::Real => String::from("Real"),
        P::Str => String::from("String"),
        P::Rm => String::from("RoundingMode"),
        P::A | P::B | P::C => any.to_owned(),
        P::BvX | P::BvY | P::BvI => String::from("(_ BitVec 8)"),
        P::Bv1 => String::from("(_ BitVec 1)"),
        P::BvIPlusJ => String::from("(_ BitVec 32)"),
        P::Fp => String::from("(_ FloatingPoint 8 24)"),
        P::ArrAB => format!("(Array {any} {any})"),
        P::SeqA | P::SeqB => format!("(Seq {any})"),
        P::SetA | P::SetB => format!("(Set {any})"),
        P::BagA | P::BagB => format!("(Bag {any})"),
        P::NullA => format!("(Nullable {any})"),
        P::Ff => String::from("(_ FiniteField 7)"),
        P::FunAB => format!("(-> {any} {any})"),
        P::FunABool => format!("(-> {any} Bool)"),
        P::FunABB => format!("(-> {any} {any} {any})"),
        _ => return None,
    })
}

/// Scripts of operators whose arguments the table cannot tell.
fn special_script(info: &OpInfo, naming: Naming, any: &str) -> Option<String> {
    let name = info.name_in(naming);
    let value = if any == "Int" { "0" } else { "#x00" };
    let of_sort = |sort: String, term: String| {
        format!("(set-logic ALL)(declare-const r {sort})(assert (= r {term}))(check-sat)")
    };
    Some(match info.op {
        Op::FpMake => format!(
            "(set-logic ALL)(declare-const a (_ BitVec 1))(declare-const b (_ BitVec 8))(declare-const c (_ BitVec 23))(declare-const r (_ FloatingPoint 8 24))(assert (= r ({name} a b c)))(check-sat)"
        ),
        Op::ConstArray => {
            let sort = format!("(Array {any} {any})");
            of_sort(sort.clone(), format!("((as {name} {sort}) {value})"))
        }
        Op::SeqEmpty => of_sort(format!("(Seq {any})"), format!("(as {name} (Seq {any}))")),
        Op::SetEmpty | Op::SetUniverse => {
            of_sort(format!("(Set {any})"), format!("(as {name} (Set {any}))"))
        }
        Op::BagEmpty => of_sort(format!("(Bag {any})"), format!("(as {name} (Bag {any}))")),
        Op::NullableNull => {
            of_sort(format!("(Nullable {any})"), format!("(as {name} (Nullable {any}))"))
        }
        Op::ReRange => format!(
            "(set-logic ALL)(declare-const s String)(assert ({} s ({name} \"a\" \"c\")))(check-sat)",
            Op::by_name("str.in_re").first()?.info().name_in(naming)
        ),
        Op::Pow => format!(
            "(set-logic ALL)(declare-const a Int)(declare-const r Int)(assert (= r ({name} a 2)))(check-sat)"
        ),
        Op::Is => format!(
            "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (car {any}) (cdr L)))))(declare-const a L)(assert ((_ is cons) a))(check-sat)"
        ),
        Op::Update => format!(
            "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (car {any}) (cdr L)))))(declare-const a L)(assert (= a ((_ {name} car) a {value})))(check-sat)"
        ),
        Op::AtMost | Op::AtLeast => {
            format!(
                "(set-logic ALL)(declare-const a Bool)(declare-const b Bool)(assert ((_ {name} 1) a b))(check-sat)"
            )
        }
        Op::PbLe | Op::PbGe | Op::PbEq => {
            format!(
                "(set-logic ALL)(declare-const a Bool)(declare-const b Bool)(assert ((_ {name} 3 1 2) a b))(check-sat)"
            )
        }
        _ => return compound_script(info, naming, any),
    })
}

/// Scripts of operators on functions, tuples, relations, tables and heaps.
fn compound_script(info: &OpInfo, naming: Naming, any: &str) -> Option<String> {
    let name = info.name_in(naming);
    let value = if any == "Int" { "0" } else { "#x00" };
    let pair = format!("(Tuple {any} {any})");
    let relation = format!("(Set {pair})");
    let table = format!("(Bag {pair})");
    // A claim about constants of these sorts, named a, b, c, in this order.
    let about = |logic: &str, sorts: &[&str], claim: String| {
        let names = ["a", "b", "c"].iter().zip(sorts);
        let declared: String = names.map(|(n, s)| format!("(declare-const {n} {s})")).collect();
        format!("(set-logic {logic}){declared}(assert {claim})(check-sat)")
    };
    let function = format!("(-> {any} {any})");
    let sum = format!("(-> {pair} {any} {any})");
    let seq = format!("(Seq {any})");
    Some(match info.op {
        Op::Apply => about("HO_ALL", &[&function], format!("(= ({name} a {value}) {value})")),
        Op::ArrayMap => about(
            "ALL",
            &["(Array Bool Bool)", "(Array Bool Bool)"],
            format!("(= a ((_ {name} not) b))"),
        ),
        Op::AsArray => format!(
            "(set-logic ALL)(declare-fun f ({any}) {any})(declare-const a (Array {any} {any}))(assert (= a (_ {name} f)))(check-sat)"
        ),
        Op::SeqMap => {
            about("ALL", &[&seq, &seq], format!("(= a ({name} (lambda ((x {any})) x) b))"))
        }
        Op::SeqMapi => about(
            "ALL",
            &[&seq, &seq],
            format!("(= a ({name} (lambda ((i Int) (x {any})) x) 0 b))"),
        ),
        Op::SetInsert => {
            let set = format!("(Set {any})");
            about("ALL", &[&set, &set], format!("(= a ({name} {value} {value} b))"))
        }
        Op::TupleMake => about("ALL", &[&pair], format!("(= a ({name} {value} {value}))")),
        Op::TupleUnit => about("ALL", &["UnitTuple"], format!("(= a {name})")),
        Op::TupleSelect => about("ALL", &[&pair], format!("(= ((_ {name} 1) a) {value})")),
        Op::TupleUpdate => about("ALL", &[&pair], format!("(= a ((_ {name} 1) a {value}))")),
        Op::TupleProject => about("ALL", &[&pair], format!("(= a ((_ {name} 1 0) a))")),
        Op::RelTranspose | Op::RelTclosure => {
            about("ALL", &[&relation, &relation], format!("(= a ({name} b))"))
        }
        Op::RelJoin => about("ALL", &[&relation, &relation], format!("(= a ({name} a b))")),
        Op::RelProduct => {
            let product = format!("(Set (Tuple {any} {any} {any} {any}))");
            about("ALL", &[&product, &relation], format!("(= a ({name} b b))"))
        }
        Op::RelIden => {
            let unary = format!("(Set (Tuple {any}))");
            about("ALL", &[&relation, &unary], format!("(= a ({name} b))"))
        }
        Op::RelJoinImage => {
            let unary = format!("(Set (Tuple {any}))");
            about("ALL", &[&unary, &relation], format!("(= a ({name} b 1))"))
        }
        Op::RelProject => {
            about("ALL", &[&relation, &relation], format!("(= a ((_ {name} 1 0) b))"))
        }
        Op::RelGroup => {
            let parts = format!("(Set {relation})");
            about("ALL", &[&parts, &relation], format!("(= a ((_ {name} 0) b))"))
        }
        Op::RelAggregate => {
            let sums = format!("(Set {any})");
            about("HO_ALL", &[&sums, &sum, &relation], format!("(= a ((_ {name} 0) b {value} c))"))
        }
        Op::RelTableJoin => {
            let product = format!("(Set (Tuple {any} {any} {any} {any}))");
            about("ALL", &[&product, &relation], format!("(= a ((_ {name} 0 1) b b))"))
        }
        Op::TableProduct | Op::TableJoin => {
            let product = format!("(Bag (Tuple {any} {any} {any} {any}))");
            let head =
                if info.op == Op::TableJoin { format!("(_ {name} 0 1)") } else { name.to_owned() };
            about("ALL", &[&product, &table], format!("(= a ({head} b b))"))
        }
        Op::TableProject => about("ALL", &[&table, &table], format!("(= a ((_ {name} 1 0) b))")),
        Op::TableGroup => {
            let parts = format!("(Bag {table})");
            about("ALL", &[&parts, &table], format!("(= a ((_ {name} 0) b))"))
        }
        Op::TableAggregate => {
            let sums = format!("(Bag {any})");
            about("HO_ALL", &[&sums, &sum, &table], format!("(= a ((_ {name} 0) b {value} c))"))
        }
        Op::BagPartition => {
            let (bag, parts) = (format!("(Bag {any})"), format!("(Bag (Bag {any}))"));
            let same = format!("(-> {any} {any} Bool)");
            about("HO_ALL", &[&parts, &same, &bag], format!("(= a ({name} b c))"))
        }
        Op::Sep | Op::SepWand | Op::SepPto | Op::SepEmp | Op::SepNil => {
            let claim = match info.op {
                Op::Sep => format!("({name} (pto a a) (pto b b))"),
                Op::SepWand => format!("({name} (pto a a) (pto b b))"),
                Op::SepPto => format!("({name} a b)"),
                Op::SepEmp => name.to_owned(),
                _ => format!("(not (= a (as {name} {any})))"),
            };
            format!(
                "(set-logic ALL)(declare-heap ({any} {any}))(declare-const a {any})(declare-const b {any})(assert {claim})(check-sat)"
            )
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probe_scripts_are_well_sorted_by_our_own_table() {
        let mut unmade = Vec::new();
        for info in OPS {
            for any in ["Int", "(_ BitVec 8)"] {
                match probe_script(info, Naming::Standard, any) {
                    Some(text) => {
                        if let Err(e) = smelt_smtlib::parse(text.as_bytes()) {
                            panic!("{:?}: {text}: {e:?}", info.op);
                        }
                    }
                    None if any == "Int" => unmade.push(op_key(info.op)),
                    None => {}
                }
            }
        }
        assert_eq!(unmade, Vec::<String>::new());
    }

    #[test]
    fn theory_names() {
        assert_eq!(theory_name(Theory::BitVec), "bit-vec");
        assert_eq!(theory_name(Theory::RealsInts), "reals-ints");
        assert_eq!(theory_name(Theory::Core), "core");
    }
}
