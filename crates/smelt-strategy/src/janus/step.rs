//! One step of a chain, found again in its two scripts, and made smaller without ceasing to be one.
//!
//! Both scripts are kept as one: the assertions before the step, the place of the step, and what stands there after it. Whatever is
//! left out elsewhere is left out of both. Inside of the place, a change is made only if the same rule still leads from what is
//! there to what comes there; so the smaller pair is related as the larger one was.

use dashu_int::UBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_case::OpSet;
use smelt_smtlib::occurrence::Path;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{
    Arena, Command, Head, Literal, Op, Script, Sort, Status, Term, Var, parse_terms, print_term,
};

use super::EXPAND;
use crate::atoms::binary;
use crate::parameters::Parameters;
use crate::parity::parity_at;
use crate::rule_book::rules;
use crate::rules::compile::{Book, Compiled};
use crate::rules::matching::relates;

/// A step by a rule from one script to the next, found again in the two scripts.
#[derive(Clone)]
pub struct RuleStep {
    /// Declarations, and the check at the end.
    script: Script,
    /// What is asserted before it.
    before: Vec<Term>,
    /// Which assertion it changes.
    at: usize,
    /// Where.
    path: Path,
    /// What stands there after it.
    after: Term,
    how: How,
}

/// By what a step leads on.
#[derive(Clone)]
enum How {
    Expand,
    /// Instances of the rule, and whether it is used backwards.
    Rule(Vec<Compiled>, bool),
}

impl How {
    fn leads(&self, a: &mut Arena, from: Term, to: Term) -> bool {
        match self {
            Self::Expand => binary(a, from) == Some(to),
            Self::Rule(list, backwards) => list.iter().any(|r| leads(a, r, *backwards, from, to)),
        }
    }

    /// Leaves the instances that lead from one term to the other: at other sorts the rule need not be proved.
    fn keep(&mut self, a: &mut Arena, from: Term, to: Term) {
        if let Self::Rule(list, backwards) = self {
            list.retain(|r| leads(a, r, *backwards, from, to));
        }
    }
}

fn leads(a: &mut Arena, r: &Compiled, backwards: bool, from: Term, to: Term) -> bool {
    a.sort(r.sides[0]) == a.sort(from) && relates(a, r, backwards, from, to)
}

/// What may be left out.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// An assertion.
    Drop(usize),
    /// What is around a part of the changed assertion, so many arguments down.
    Hoist(usize),
    /// One application so many arguments down, for its argument on the way.
    Skip(usize),
    /// An argument of the conjunction or disjunction so many arguments down.
    Without(usize, usize),
    /// A term, wherever it is, for a smaller one.
    Replace(Term, Term),
}

impl RuleStep {
    /// The step that leads from one script to the next, by this rule: weaker as a whole if the scripts are satisfiable, stronger
    /// if not.
    /// `None` if it cannot be seen.
    pub fn find(
        before: &Script,
        after: &Script,
        rule: &str,
        status: Status,
        parameters: &[String],
    ) -> Option<Self> {
        let plain = |c: &Command| {
            !matches!(c, Command::Push(_) | Command::Pop(_) | Command::DefineFun(_))
                && !matches!(c, Command::DefineFunsRec(_) | Command::CheckSatAssuming(_))
        };
        if !before.commands.iter().chain(&after.commands).all(plain) {
            return None;
        }
        let (old, new) = (assertions(before), assertions(after));
        let differs =
            |&i: &usize| print_term(&before.arena, old[i]) != print_term(&after.arena, new[i]);
        let changed: Vec<usize> = match old.len() == new.len() {
            true => (0..old.len()).filter(differs).collect(),
            false => return None,
        };
        let [at] = changed[..] else { return None };
        let mut script = before.clone();
        let text = print_term(&after.arena, new[at]);
        let new = parse_terms(&mut script, text.as_bytes(), &Default::default()).ok()?.pop()?;
        let mut old = canonical(&mut script.arena, &[&old[..], &[new]].concat())?;
        let new = old.pop()?;
        let set = rules(&Parameters::any(parameters)).ok()?;
        let roots = [&old[..], &[new]].concat();
        let book = Book::new(&mut script, &roots, &set, &OpSet::all());
        let named = |c: &Compiled| &*set.rules.relations[c.rule].name == rule;
        let list: Vec<Compiled> = book.rules.into_iter().filter(named).collect();
        let a = &mut script.arena;
        // A rule may keep the top of what it is used on: the place is where they differ, or above.
        for (path, from, to) in differences(a, old[at], new).into_iter().rev() {
            let Some(parity) = parity_at(a, old[at], &path) else { continue };
            for backwards in [false, true] {
                let fits = |r: &&Compiled| {
                    r.equal || parity.is_some_and(|p| (p == status.is_sat()) != backwards)
                };
                let mut how = match rule {
                    EXPAND => How::Expand,
                    _ => How::Rule(list.iter().filter(fits).cloned().collect(), backwards),
                };
                if how.leads(a, from, to) {
                    how.keep(a, from, to);
                    return Some(Self { script, before: old, at, path, after: to, how });
                }
            }
        }
        None
    }

    /// What could be left out, the most first.
    pub fn smaller(&mut self) -> Vec<Change> {
        let root = self.before[self.at];
        let mut out: Vec<Change> =
            (0..self.before.len()).filter(|&j| j != self.at).map(Change::Drop).collect();
        out.extend((1..=self.path.len()).rev().map(Change::Hoist));
        out.extend((0..self.path.len()).map(Change::Skip));
        let a = &mut self.script.arena;
        let mut above: FxHashSet<Term> = FxHashSet::default();
        let mut t = root;
        for (depth, &i) in self.path.iter().enumerate() {
            above.insert(t);
            if matches!(a.head(t), Head::Op(Op::And | Op::Or, _)) {
                let others = (0..a.args(t).len()).filter(|&j| j != i as usize);
                out.extend(others.map(|j| Change::Without(depth, j)));
            }
            t = a.args(t)[i as usize];
        }
        let roots = [&self.before[..], &[self.after]].concat();
        let mut terms: Vec<Term> = a.dag(&roots);
        terms.retain(|t| !above.contains(t));
        terms.sort_by_key(|&t| std::cmp::Reverse(a.tree_size(t)));
        for t in terms {
            out.extend(instead(a, t).into_iter().map(|by| Change::Replace(t, by)));
        }
        out
    }

    /// The smaller step; `None` if that would be none.
    pub fn changed(&self, change: Change) -> Option<Self> {
        let mut new = self.clone();
        let a = &mut new.script.arena;
        let root = self.before[self.at];
        match change {
            Change::Drop(j) => {
                new.before.remove(j);
                new.at -= usize::from(j < self.at);
            }
            Change::Hoist(n) => {
                let (over, rest) = self.path.split_at(n);
                let part = a.at_path(root, over)?;
                let other = a.replace_at(part, rest, self.after)?;
                let stays = parity_at(a, root, over)? == Some(true) && a.sort(part) == Sort::BOOL;
                if !stays || !a.is_closed(part) || !a.is_closed(other) {
                    return None;
                }
                new.before[self.at] = part;
                new.path = rest.into();
            }
            Change::Skip(depth) => {
                let (over, rest) = self.path.split_at(depth);
                let [t, part] = [over, &self.path[..=depth]].map(|p| a.at_path(root, p));
                let (t, part) = (t?, part?);
                let other = a.replace_at(part, &rest[1..], self.after)?;
                let bound = match a.head(t) {
                    Head::Bind(_, l) => a.vars(l),
                    Head::Match(_) => return None,
                    _ => &[],
                };
                let free = |u: Term| bound.iter().all(|v| !a.free_vars(u).contains(v));
                let turned = parity_at(a, root, over)? != parity_at(a, root, &self.path[..=depth])?;
                if a.sort(t) != a.sort(part) || !free(part) || !free(other) || turned {
                    return None;
                }
                new.before[self.at] = a.replace_at(root, over, part)?;
                new.path.remove(depth);
            }
            Change::Without(depth, j) => {
                let (over, rest) = self.path.split_at(depth);
                let t = a.at_path(root, over)?;
                let mut args = a.args(t).to_vec();
                args.remove(j);
                let (shorter, below) = match args[..] {
                    [one] => (one, Vec::new()),
                    _ => (a.with_args(t, &args), vec![rest[0] - u32::from(j < rest[0] as usize)]),
                };
                new.before[self.at] = a.replace_at(root, over, shorter)?;
                new.path = [over, &below, &rest[1..]].concat().into();
            }
            Change::Replace(t, by) => {
                let roots = [&self.before[..], &[self.after]].concat();
                let mut made = replaced(a, &roots, t, by);
                new.after = made.pop()?;
                new.before = made;
                let old = a.at_path(root, &self.path)?;
                let from = a.at_path(new.before[self.at], &self.path)?;
                let same = (from, new.after) == (old, self.after);
                if !same && (from == new.after || !self.how.leads(a, from, new.after)) {
                    return None;
                }
            }
        }
        Some(new)
    }

    /// The script before the step and the one after it.
    pub fn scripts(&self) -> Option<[Script; 2]> {
        let mut after = self.before.clone();
        let mut script = self.script.clone();
        after[self.at] = script.arena.replace_at(after[self.at], &self.path, self.after)?;
        let with = |assertions: &[Term]| {
            let mut s = script.clone();
            s.commands.retain(|c| !matches!(c, Command::Assert(_)));
            let check = s.commands.iter().position(|c| matches!(c, Command::CheckSat));
            let check = check.unwrap_or(s.commands.len());
            s.commands.splice(check..check, assertions.iter().map(|&t| Command::Assert(t)));
            s
        };
        Some([with(&self.before), with(&after)])
    }
}

fn assertions(s: &Script) -> Vec<Term> {
    let asserted = s.commands.iter().filter_map(|c| match c {
        Command::Assert(t) => Some(*t),
        _ => None,
    });
    asserted.collect()
}

/// The terms with variables by the height of their binders: terms that differ in the variables that they bind only are one. `None` if
/// something else than a quantifier or the like binds variables.
fn canonical(a: &mut Arena, roots: &[Term]) -> Option<Vec<Term>> {
    let name = a.sym("v");
    let mut vars: FxHashMap<(u32, usize, Sort), Var> = FxHashMap::default();
    let mut made: FxHashMap<Term, (Term, u32)> = FxHashMap::default();
    for t in a.dag(roots) {
        let args: Vec<(Term, u32)> = a.args(t).iter().map(|c| made[c]).collect();
        let mut height = args.iter().map(|c| c.1).max().unwrap_or(0);
        let terms: Vec<Term> = args.iter().map(|c| c.0).collect();
        let new = match a.head(t) {
            Head::Match(_) => return None,
            Head::Bind(b, list) => {
                height += 1;
                let mut renaming = Substitution::new();
                let mut own: Vec<Var> = Vec::new();
                for (i, v) in a.vars(list).to_vec().into_iter().enumerate() {
                    let sort = a.var(v).sort;
                    let w = *vars.entry((height, i, sort)).or_insert_with(|| a.new_var(name, sort));
                    renaming = renaming.var(v, a.mk_var(w));
                    own.push(w);
                }
                let list = a.var_list(&own);
                let terms: Vec<Term> = terms.iter().map(|&c| renaming.apply(a, c)).collect();
                a.mk_binder(b, list, &terms)
            }
            _ if terms == a.args(t) => t,
            _ => a.with_args(t, &terms),
        };
        made.insert(t, (new, height));
    }
    Some(roots.iter().map(|t| made[t].0).collect())
}

/// The places on the way down to where two terms differ, with what is there in each, in the variables of the first.
fn differences(a: &mut Arena, x: Term, y: Term) -> Vec<(Path, Term, Term)> {
    let mut out = vec![(Path::new(), x, y)];
    while let Some((path, x, mut y)) = out.last().cloned() {
        if let (Head::Bind(p, l), Head::Bind(q, m)) = (a.head(x), a.head(y))
            && p == q
        {
            let (own, other) = (a.vars(l).to_vec(), a.vars(m).to_vec());
            let sorts = |v: &[Var]| v.iter().map(|&v| a.var(v).sort).collect::<Vec<_>>();
            if sorts(&own) != sorts(&other) {
                break;
            }
            let mut renaming = Substitution::new();
            for (&v, &w) in own.iter().zip(&other) {
                renaming = renaming.var(w, a.mk_var(v));
            }
            let body = a.args(y)[0];
            let body = renaming.apply(a, body);
            y = a.mk_binder(p, l, &[body]);
        }
        let (left, right) = (a.args(x), a.args(y));
        if a.head(x) != a.head(y) || left.len() != right.len() {
            break;
        }
        let unlike: Vec<usize> = (0..left.len()).filter(|&i| left[i] != right[i]).collect();
        let [i] = unlike[..] else { break };
        let (x, y) = (left[i], right[i]);
        let mut path = path;
        path.push(i as u32);
        out.push((path, x, y));
    }
    out
}

/// Smaller terms that may stand for one: its own parts, itself without an argument, and the simplest constant.
fn instead(a: &mut Arena, t: Term) -> Vec<Term> {
    let sort = a.sort(t);
    let args = a.args(t).to_vec();
    let mut out: Vec<Term> = Vec::new();
    for &c in &args {
        let inside = a.free_vars(c).iter().all(|v| a.free_vars(t).contains(v));
        if a.sort(c) == sort && inside && !out.contains(&c) {
            out.push(c);
        }
    }
    // A constant is as simple as it gets.
    if !args.is_empty() || matches!(a.head(t), Head::Fun(_) | Head::Var(_)) {
        match sort {
            Sort::BOOL => {
                out.extend([Op::True, Op::False].iter().filter_map(|&op| a.app(op, &[], &[]).ok()));
            }
            Sort::INT => out.push(a.mk_literal(Literal::Int(UBig::ZERO))),
            Sort::REAL => out.push(a.mk_literal(Literal::Real { digits: UBig::ZERO, scale: 0 })),
            _ => {}
        }
    }
    if let Head::Op(op, _) = a.head(t)
        && args.len() > 2
        && matches!(op, Op::And | Op::Or | Op::Add | Op::StrConcat | Op::ReConcat | Op::ReUnion)
    {
        for i in 0..args.len() {
            let rest: Vec<Term> = (0..args.len()).filter(|&j| j != i).map(|j| args[j]).collect();
            out.push(a.with_args(t, &rest));
        }
    }
    out.retain(|&c| c != t);
    out
}

/// Terms with one term in place of another.
fn replaced(a: &mut Arena, roots: &[Term], old: Term, new: Term) -> Vec<Term> {
    let mut made: FxHashMap<Term, Term> = FxHashMap::default();
    for t in a.dag(roots) {
        let args = a.args(t).to_vec();
        let now: Vec<Term> = args.iter().map(|c| made.get(c).copied().unwrap_or(*c)).collect();
        let by = match t == old {
            true => new,
            false if now != args => a.with_args(t, &now),
            false => t,
        };
        made.insert(t, by);
    }
    roots.iter().map(|t| made.get(t).copied().unwrap_or(*t)).collect()
}
