//! Formulas as clauses over their atoms (Tseitin). Terms keep their structure.

use rustc_hash::FxHashMap;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::{Arena, Fun, Head, Op, Sort, Term};

use crate::frame::fresh_constant;

/// A formula, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// An atom or a variable for a formula.
    pub atom: Term,
    /// Whether it is negated.
    pub negated: bool,
}

impl Literal {
    fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    /// The literal as a term.
    pub fn term(self, a: &mut Arena) -> Option<Term> {
        if self.negated { a.app(Op::Not, &[], &[self.atom]).ok() } else { Some(self.atom) }
    }
}

/// A conjunction of clauses.
pub struct Cnf {
    /// The clauses.
    pub clauses: Vec<Vec<Literal>>,
    /// The variables for formulas, with what they stand for.
    pub defined: Vec<(Fun, Term)>,
    names: FxHashMap<Term, Literal>,
}

/// Clauses that are made; what needs more is left to the variant without clauses.
pub const MAX_CLAUSES: usize = 2000;

impl Cnf {
    /// The clauses of some formulas; `None` if there would be too many.
    pub fn new(a: &mut Arena, formulas: &[Term]) -> Option<Self> {
        let mut out =
            Self { clauses: Vec::new(), defined: Vec::new(), names: FxHashMap::default() };
        let mut open: Vec<Literal> = formulas.iter().rev().map(|&t| positive(t)).collect();
        while let Some(l) = open.pop() {
            let l = plain(a, l);
            let args = a.args(l.atom).to_vec();
            match (connective(a, l.atom), l.negated) {
                (Some(Op::And), false) => open.extend(args.iter().rev().map(|&t| positive(t))),
                (Some(Op::Or), true) => {
                    open.extend(args.iter().rev().map(|&t| positive(t).not()));
                }
                (Some(Op::Or), false) => {
                    out.clause(a, args.iter().map(|&t| positive(t)).collect())?
                }
                (Some(Op::And), true) => {
                    out.clause(a, args.iter().map(|&t| positive(t).not()).collect())?;
                }
                (Some(Op::Implies), false) => {
                    let (last, before) = args.split_last()?;
                    let mut list: Vec<Literal> =
                        before.iter().map(|&t| positive(t).not()).collect();
                    list.push(positive(*last));
                    out.clause(a, list)?;
                }
                _ => out.clause(a, vec![l])?,
            }
        }
        Some(out)
    }

    /// A clause of literals over any formulas.
    fn clause(&mut self, a: &mut Arena, list: Vec<Literal>) -> Option<()> {
        let mut clause: Vec<Literal> = Vec::new();
        for l in list {
            let l = plain(a, l);
            let name = self.name(a, l.atom)?;
            let l = if l.negated { name.not() } else { name };
            if !clause.contains(&l) {
                clause.push(l);
            }
        }
        self.clauses.push(clause);
        (self.clauses.len() <= MAX_CLAUSES).then_some(())
    }

    /// The literal that stands for a formula: itself, if it is an atom. Definitions are made from the leaves up, without recursion.
    fn name(&mut self, a: &mut Arena, root: Term) -> Option<Literal> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.names.contains_key(&t) {
                stack.pop();
                continue;
            }
            let Some(op) = connective(a, t) else {
                self.names.insert(t, positive(t));
                stack.pop();
                continue;
            };
            let args = a.args(t).to_vec();
            if op == Op::Xor && args.len() > 2 {
                // It is left associative.
                let (&first, rest) = args.split_first()?;
                let nested =
                    rest.iter().try_fold(first, |l, &x| a.app(Op::Xor, &[], &[l, x]).ok())?;
                match self.names.get(&nested).copied() {
                    Some(name) => {
                        self.names.insert(t, name);
                        stack.pop();
                    }
                    None => stack.push(nested),
                }
                continue;
            }
            let missing: Vec<Term> = args
                .iter()
                .map(|&x| plain(a, positive(x)).atom)
                .filter(|x| !self.names.contains_key(x))
                .collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            stack.pop();
            let parts: Vec<Literal> = args
                .iter()
                .map(|&x| {
                    let l = plain(a, positive(x));
                    let n = self.names[&l.atom];
                    if l.negated { n.not() } else { n }
                })
                .collect();
            let f = fresh_constant(a, "smelt!t", Sort::BOOL);
            let v = positive(a.mk_fun(f));
            self.defined.push((f, t));
            self.names.insert(t, v);
            self.define(op, v, &parts)?;
        }
        self.names.get(&root).copied()
    }

    /// v is true exactly if the connective is, of these parts.
    fn define(&mut self, op: Op, v: Literal, parts: &[Literal]) -> Option<()> {
        let mut add = |c: Vec<Literal>| self.clauses.push(c);
        match (op, parts) {
            (Op::And, _) => {
                parts.iter().for_each(|&p| add(vec![v.not(), p]));
                add(parts.iter().map(|p| p.not()).chain([v]).collect());
            }
            (Op::Or, _) => {
                parts.iter().for_each(|&p| add(vec![p.not(), v]));
                add(parts.iter().copied().chain([v.not()]).collect());
            }
            (Op::Implies, _) => {
                let (&last, before) = parts.split_last()?;
                before.iter().for_each(|&p| add(vec![p, v]));
                add(vec![last.not(), v]);
                add(before.iter().map(|p| p.not()).chain([last, v.not()]).collect());
            }
            (Op::Ite, &[c, p, q]) => {
                add(vec![v.not(), c.not(), p]);
                add(vec![v.not(), c, q]);
                add(vec![v, c.not(), p.not()]);
                add(vec![v, c, q.not()]);
            }
            (Op::Eq | Op::Xor | Op::Distinct, &[p, q]) => {
                let q = if op == Op::Eq { q } else { q.not() };
                add(vec![v.not(), p.not(), q]);
                add(vec![v.not(), p, q.not()]);
                add(vec![v, p, q]);
                add(vec![v, p.not(), q.not()]);
            }
            _ => return None,
        }
        (self.clauses.len() <= MAX_CLAUSES).then_some(())
    }

    /// Gives the new variables the values of what they stand for; `false` if one has none.
    pub fn extend(&self, a: &Arena, values: &mut Incremental) -> bool {
        for &(f, t) in &self.defined {
            match values.eval(a, t) {
                Ok(v) => values.extend(f, v),
                Err(_) => return false,
            }
        }
        true
    }
}

fn positive(atom: Term) -> Literal {
    Literal { atom, negated: false }
}

/// Without negations at the top.
fn plain(a: &Arena, mut l: Literal) -> Literal {
    while let Head::Op(Op::Not, _) = a.head(l.atom) {
        l = Literal { atom: a.args(l.atom)[0], negated: !l.negated };
    }
    l
}

/// The connective at the top of a formula, if its arguments are formulas.
fn connective(a: &Arena, t: Term) -> Option<Op> {
    let Head::Op(op, _) = a.head(t) else { return None };
    let args = a.args(t);
    match op {
        Op::And | Op::Or | Op::Implies if !args.is_empty() => Some(op),
        Op::Ite if a.sort(t) == Sort::BOOL => Some(op),
        Op::Xor if args.len() >= 2 => Some(op),
        // Of more arguments they have been taken apart, unless they are very many.
        Op::Eq | Op::Distinct if args.len() == 2 && a.sort(args[0]) == Sort::BOOL => Some(op),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms::with_binary_atoms;
    use smelt_smtlib::{Command, parse, print_term};

    /// The atoms of the clauses of a formula, Tseitin's variables left out. The formula is true exactly where the clauses can be.
    fn check(formula: &str, expect: &str) {
        let text = format!(
            "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-const x (_ BitVec 2))(assert {formula})(check-sat)"
        );
        let script = parse(text.as_bytes()).unwrap();
        let roots = script.queries()[0].assertions.clone();
        // First the formula without the clauses, then the other way round.
        for formula_first in [true, false] {
            let mut s = script.clone();
            let a = &mut s.arena;
            let formulas = with_binary_atoms(a, &roots);
            let cnf = Cnf::new(a, &formulas).unwrap();
            let mut atoms: Vec<String> = Vec::new();
            for l in cnf.clauses.iter().flatten() {
                let name = print_term(a, l.atom);
                if !name.starts_with("smelt!t") && !atoms.contains(&name) {
                    atoms.push(name);
                }
            }
            atoms.sort();
            assert_eq!(atoms.join(" "), expect);
            let mut clauses = Vec::new();
            for c in &cnf.clauses {
                let list: Vec<Term> = c.iter().map(|l| l.term(a).unwrap()).collect();
                clauses.push(a.app(Op::Or, &[], &list).unwrap());
            }
            let clauses = a.app(Op::And, &[], &clauses).unwrap();
            let mut asserted = vec![clauses];
            if formula_first {
                // The variables are what they stand for, the formula is true, and a clause is false.
                asserted = vec![roots[0], a.app(Op::Not, &[], &[clauses]).unwrap()];
                for &(f, t) in &cnf.defined {
                    let v = a.mk_fun(f);
                    asserted.push(a.app(Op::Eq, &[], &[v, t]).unwrap());
                }
            } else {
                asserted.push(a.app(Op::Not, &[], &[roots[0]]).unwrap());
            }
            s.commands.retain(|c| matches!(c, Command::DeclareFun(_)));
            s.commands.extend(cnf.defined.iter().map(|&(f, _)| Command::DeclareFun(f)));
            s.commands.extend(asserted.into_iter().map(Command::Assert));
            s.commands.push(Command::CheckSat);
            let query = s.queries().remove(0);
            assert_eq!(
                smelt_eval::brute_force(&s, &query),
                smelt_smtlib::Status::Unsat,
                "{formula}"
            );
        }
    }

    #[test]
    fn connectives_of_many_arguments() {
        check("(xor p q r)", "p q r");
        check("(or (not (xor p (bvult x #b10) q (not r))) (and p q))", "(bvult x #b10) p q r");
        check("(= p (not q) r)", "p q r");
        check("(or (distinct p q r) (not (= (xor p q r) r (and p q))))", "p q r");
        check(
            "(xor (= x #b01 #b01) p (distinct x #b10 #b11))",
            "(= #b01 #b01) (= x #b01) (distinct #b10 #b11) (distinct x #b10) (distinct x #b11) p",
        );
    }
}
