//! Relations between scripts that hold in every theory. Who answers both sides against one contradicts itself, and nobody else need be
//! asked: a solver's own words.
//!
//! - *values*: a script with the values of somebody's model asserted is satisfiable, so the script is.
//! - *more*: a script with one more assertion is satisfiable, so the script is.
//! - *fewer*: some of a script's assertions are unsatisfiable, so the script is.
//! - *cases*: a script is unsatisfiable with a condition and with its negation, so the script is.
//! - *total*: a script is unsatisfiable whatever the values are that the standard leaves open, so it is under every convention.
//!
//! Recursive definitions stay as they are. Where the standard leaves values open, the last one alone holds of the script as it is, and the
//! others hold of the totalised script.

use std::collections::{BTreeMap, BTreeSet};

use smelt_smtlib::{
    Command, Fun, Head, LogicChoice, Op, PrintOptions, Query, Script, SortKind, Term, print,
    print_sort, print_term, totalise,
};
use smelt_solver::Status;
use smelt_triage::leaves_open;

/// A relation.
pub struct Relation {
    /// Its name in findings; no rule of a strategy is called so.
    pub word: &'static str,
    /// The other script, in words.
    pub text: &'static str,
    /// What the answer to both must be, if the other script has it.
    pub expected: Status,
    /// Whether it holds under every convention about open values.
    under_conventions: bool,
    /// The scripts that are so related to a script with one check, and to the models that others gave for it, which come as scripts with
    /// their values.
    make: fn(&Script, &[Script]) -> Vec<Script>,
}

/// All relations.
pub const RELATIONS: &[Relation] = &[
    Relation {
        word: "smelt.values",
        text: "the script with the values of a model",
        expected: Status::Sat,
        under_conventions: false,
        make: |_, values| values.to_vec(),
    },
    Relation {
        word: "smelt.more",
        text: "the script with one more assertion",
        expected: Status::Sat,
        under_conventions: false,
        make: |script, _| more(script),
    },
    Relation {
        word: "smelt.fewer",
        text: "some of its assertions",
        expected: Status::Unsat,
        under_conventions: false,
        make: |script, _| fewer(script),
    },
    Relation {
        word: "smelt.cases",
        text: "the script with a condition and with its negation",
        expected: Status::Unsat,
        under_conventions: false,
        make: |script, _| cases(script),
    },
    Relation {
        word: "smelt.total",
        text: "the totalised script",
        expected: Status::Unsat,
        under_conventions: true,
        make: |script, _| {
            let total = totalise(script).ok().filter(|t| !t.open.is_empty());
            total.into_iter().map(|t| t.script).collect()
        },
    },
];

/// Conditions that are tried for one script.
const CONDITIONS: usize = 2;
/// Selections of assertions that are tried for one script.
const SELECTIONS: usize = 4;

/// The relation of a name.
pub fn relation(word: &str) -> Option<&'static Relation> {
    RELATIONS.iter().find(|r| r.word == word)
}

/// The scripts by which an answer to a script may be contradicted, with their relations, the most telling first.
pub fn related(
    script: &Script,
    answer: Status,
    values: &[Script],
) -> Vec<(&'static Relation, Script)> {
    let open = script.queries().first().is_some_and(|q| leaves_open(script, q));
    let opposed = RELATIONS.iter().filter(|r| {
        r.expected != answer && answer != Status::Unknown && open == r.under_conventions
    });
    opposed.flat_map(|r| (r.make)(script, values).into_iter().map(move |s| (r, s))).collect()
}

/// Whether another script is what a relation says of a script: a finding may come from anybody. Of what is no relation, nothing is known.
pub fn is_related(word: &str, script: &Script, other: &Script) -> bool {
    let asserted = |s: &Script, q: &Query| -> BTreeSet<String> {
        q.assertions.iter().map(|&t| print_term(&s.arena, t)).collect()
    };
    let Some(own) = script.queries().first().map(|q| asserted(script, q)) else { return false };
    let others: Vec<BTreeSet<String>> =
        other.queries().iter().map(|q| asserted(other, q)).collect();
    // Assertions of the same words say the same only if the words mean the same.
    let base = if word == "smelt.total" { totalise(script).ok().map(|t| t.script) } else { None };
    if !keeps_meanings(base.as_ref().unwrap_or(script), other, word == "smelt.values") {
        return false;
    }
    match (word, &others[..]) {
        ("smelt.values" | "smelt.more", [other]) => other.is_superset(&own),
        ("smelt.fewer", [other]) => other.is_subset(&own),
        ("smelt.cases", [one, two]) => {
            let more = |s: &BTreeSet<String>| s.difference(&own).cloned().collect::<Vec<_>>();
            let negated = |c: &[String], n: &[String]| match (c, n) {
                ([c], [n]) => *n == format!("(not {c})"),
                _ => false,
            };
            let (a, b) = (more(one), more(two));
            one.is_superset(&own) && two.is_superset(&own) && (negated(&a, &b) || negated(&b, &a))
        }
        ("smelt.total", [other]) => totalise(script).is_ok_and(|t| {
            t.script.queries().first().is_some_and(|q| asserted(&t.script, q) == *other)
        }),
        _ => false,
    }
}

/// Whether all that one script declares and defines is so in the other, and nothing else is there. A script with the values of a model may
/// define what is declared, and name elements of its own.
fn keeps_meanings(script: &Script, other: &Script, has_values: bool) -> bool {
    let (own, others) = (meanings(script), meanings(other));
    let is_kept = |(name, (text, declared)): (&String, &(String, bool))| match others.get(name) {
        Some((same, _)) if same == text => true,
        Some((_, other)) => has_values && *declared && !other,
        None => false,
    };
    let is_known = |(name, (_, declared)): (&String, &(String, bool))| {
        own.contains_key(name) || has_values && *declared && name.starts_with("smelt!e")
    };
    own.iter().all(is_kept) && others.iter().all(is_known)
}

/// What a script declares and defines: by names with their sorts, how it is written, and whether it is a function that is only declared.
fn meanings(script: &Script) -> BTreeMap<String, (String, bool)> {
    let mut alone = script.clone();
    let mut out = BTreeMap::new();
    for command in &script.commands {
        let of = match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => Some(*f),
            Command::DeclareSort(_)
            | Command::DefineSort(..)
            | Command::DeclareDatatypes(_)
            | Command::DefineFunsRec(_) => None,
            _ => continue,
        };
        alone.commands = vec![command.clone()];
        let text =
            print(&alone, &PrintOptions { logic: LogicChoice::Absent, ..PrintOptions::default() });
        let name = of.map_or_else(|| text.clone(), |f| signature(script, f));
        out.insert(name, (text, matches!(command, Command::DeclareFun(_))));
    }
    out
}

/// A function's name, and its sorts.
fn signature(script: &Script, f: Fun) -> String {
    let (a, d) = (&script.arena, script.arena.fun(f));
    let sorts: Vec<String> = d.args.iter().chain([&d.ret]).map(|&s| print_sort(a, s)).collect();
    format!("{} {}", a.name(d.name), sorts.join(" "))
}

/// The script with one more assertion: a condition, or its negation.
fn more(script: &Script) -> Vec<Script> {
    let each = conditions(script).into_iter().flat_map(|c| [(c, true), (c, false)]);
    each.map(|(c, holds)| {
        let mut script = script.clone();
        let c = literal(&mut script, c, holds);
        let at = last_check(&script);
        script.commands.insert(at, Command::Assert(c));
        script
    })
    .collect()
}

/// A script that asks for two cases, one after the other.
fn cases(script: &Script) -> Vec<Script> {
    let two = |c: Term| {
        let mut script = script.clone();
        let at = last_check(&script);
        let check = script.commands.remove(at);
        let mut tail = Vec::new();
        for holds in [true, false] {
            let c = literal(&mut script, c, holds);
            tail.extend([Command::Push(1), Command::Assert(c), check.clone(), Command::Pop(1)]);
        }
        script.commands.splice(at..at, tail);
        script
    };
    conditions(script).into_iter().map(two).collect()
}

/// Scripts with some of the assertions: halves, and all but one.
fn fewer(script: &Script) -> Vec<Script> {
    let asserted: Vec<usize> = (0..script.commands.len())
        .filter(|&i| matches!(script.commands[i], Command::Assert(_)))
        .collect();
    let n = asserted.len();
    if n < 2 {
        return Vec::new();
    }
    let (first, second) = asserted.split_at(n / 2);
    let single = asserted.iter().map(std::slice::from_ref);
    let dropped = [first, second].into_iter().chain(single.filter(|_| n > 2));
    let without = |drop: &[usize]| {
        let kept = script.commands.iter().enumerate().filter(|(i, _)| !drop.contains(i));
        Script { commands: kept.map(|(_, c)| c.clone()).collect(), arena: script.arena.clone() }
    };
    dropped.take(SELECTIONS).map(without).collect()
}

fn last_check(script: &Script) -> usize {
    let at = script.commands.iter().rposition(|c| matches!(c, Command::CheckSat));
    at.unwrap_or(script.commands.len())
}

fn literal(script: &mut Script, c: Term, holds: bool) -> Term {
    if holds { c } else { script.arena.app(Op::Not, &[], &[c]).unwrap_or(c) }
}

/// Conditions in the assertions that are neither bound nor constant nor assertions themselves, the largest first.
fn conditions(script: &Script) -> Vec<Term> {
    let a = &script.arena;
    let asserted: Vec<Term> = script
        .commands
        .iter()
        .filter_map(|c| if let Command::Assert(t) = c { Some(*t) } else { None })
        .collect();
    let is_condition = |t: &Term| {
        let connective = matches!(a.head(*t), Head::Op(Op::Not | Op::True | Op::False, _));
        *a.kind(*t) == SortKind::Bool
            && !connective
            && !matches!(a.head(*t), Head::Annot(_))
            && !asserted.contains(t)
            && a.is_closed(*t)
    };
    let mut all: Vec<Term> = a.dag(&asserted).into_iter().filter(is_condition).collect();
    all.reverse();
    all.truncate(CONDITIONS);
    all
}
