//! Sparrow: skeletal approximation enumeration.
//!
//! **Paper.** P. Yao, H. Huang, W. Tang, Q. Shi, R. Wu, C. Zhang, "Skeletal Approximation Enumeration for SMT Solver Testing" (2021).
//!
//! **Needs.** A seed whose status is known: an `unknown` one is not used. Definitions are expanded.
//!
//! **Rule.** Chains (`(< x y z)`) are taken apart into binary atoms. The seed becomes clauses over its atoms (Tseitin), or is left as it
//! is (`form=parity`). One to five literals of a sat seed are
//! over-approximated, of an unsat seed under-approximated, all of a mutant in one direction. *Predicate symbol transformation*
//! replaces an atom by one that the rule files say is weaker (stronger); *live predicate injection* makes l into l ∨ ψ (l ∧ ψ), with ψ
//! over the seed's own symbols. `mutate=pst|lpi|both`. `chained=on` goes on from the mutant, up to `steps` (20) times.
//!
//! **Why the expectation holds.** A literal of a clause is in a positive place, and so is an atom of positive parity; what is weaker
//! there makes the whole weaker. In a negated literal, or at an atom of negative parity, the atom is approximated in the opposite
//! direction. The model of a sat seed, with the values of the formulas that Tseitin's variables stand for, is evaluated on every mutant.
//! `Unsat` mutants, and claims without a witness, use only rules that are proved at these sorts; none use a refuted one.
//!
//! **Departures from the paper.** The wrong rows of table 2 are left out (see docs/rules.md), many are added, for every theory that has rules. The
//! variant without clauses, which is taken too if there would be more than 2,000 clauses and `form` says nothing. What a rule or a snippet brings stays in the smallest logic of the seed (linear stays linear).
//!
//! **Example.** `(or (not (bvsle x y)) p)`, unsat → `(or (not (or (bvsle x y) (= x #b0))) p)`: the atom is negative, so it is made weaker.

mod cnf;
mod snippet;
#[cfg(test)]
mod tests;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Follows, Mutant, Seed};
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{
    Arena, Command, Fragment, Head, Op, Script, Sort, SortKind, Term, print_term, smallest_logic,
};

use self::cnf::{Cnf, Literal, MAX_CLAUSES};
use self::snippet::snippets;
use crate::atoms::with_binary_atoms;
use crate::companions::Companions;
use crate::known_check::{Asserted, KnownCheck, Others};
use crate::parameters::Parameters;
use crate::parity::walk;
use crate::rule_book::{rules, unproved};
use crate::rules::compile::{Book, RuleSet, Unproved};
use crate::rules::matching;
use crate::term_source::Pool;
use crate::{Chain, Input, Parameter, Refusal, Strategy};

/// The strategy.
pub struct Sparrow;

/// Literals of one mutant.
const MOST: u32 = 5;
/// Tries to approximate a literal.
const TRIES: u32 = 60;

const PARAMETERS: &[Parameter] = &[
    ("form", "cnf or parity (either): clauses, or the seed as it is"),
    ("mutate", "pst, lpi or both (both): other predicates, or injected ones"),
    ("chained", "on or off (off): go on from the mutant"),
    ("steps", "N (20): with chained=on, for so many steps"),
    ("rules", "FILE: further rules"),
    ("proofs", "FILE: further proofs of rules"),
    ("claims", "on or off (on): also sat steps that no model witnesses"),
];

impl Strategy for Sparrow {
    fn name(&self) -> &'static str {
        "sparrow"
    }

    fn about(&self) -> &'static str {
        "approximates literals of a seed by proved rules and snippets (Sparrow): sat with a witness, or unsat"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn chain_length(&self) -> u32 {
        300
    }

    fn file_parameters(&self) -> &'static [&'static str] {
        &["rules", "proofs"]
    }

    fn unproved(&self, seed: &Seed, parameters: &[String]) -> Vec<Unproved> {
        unproved(seed, parameters)
    }

    fn start<'a>(
        &self,
        input: &Input<'a>,
        random: &mut ChaCha8Rng,
    ) -> Result<Box<dyn Chain + 'a>, Refusal> {
        let p = Parameters::read(input.parameters, PARAMETERS)?;
        let (clauses, only_clauses) = match p.text("form") {
            None => (random.random_bool(0.5), false),
            Some("cnf") => (true, true),
            Some("parity") => (false, false),
            Some(other) => return Err(format!("form={other}: cnf or parity").into()),
        };
        let (pst, lpi) = match p.text("mutate") {
            None | Some("both") => (true, true),
            Some("pst") => (true, false),
            Some("lpi") => (false, true),
            Some(other) => return Err(format!("mutate={other}: pst, lpi or both").into()),
        };
        let steps = if p.switch("chained", false)? { p.get("steps", 20u32)?.max(1) } else { 1 };
        let claims = p.switch("claims", true)?;
        let set = rules(&p)?;
        let KnownCheck { mut script, assertions, status, mut values, companions } =
            KnownCheck::of(input.seed, Others::Kept, random)?;
        if status.is_sat() && values.is_none() && !claims {
            return Err("a sat seed has no model".into());
        }
        let assertions = with_binary_atoms(&mut script.arena, &assertions);
        let mut pool = Pool::in_logic(&script.arena, &assertions);
        let first = KnownCheck::assert_all(&mut script, &assertions);
        let snippets = match lpi {
            true => snippets(&mut script, &mut pool, input.ops, random),
            false => Vec::new(),
        };
        let mut book = Book::new(&mut script, &assertions, &set, input.ops);
        stay_in_logic(&mut script, &mut book, &pool);
        let logic = smallest_logic(&script);
        let differences = logic.contains("IDL") || logic.contains("RDL");
        script.commands.truncate(first);
        let cnf = match clauses {
            true => Cnf::new(&mut script.arena, &assertions),
            false => None,
        };
        if only_clauses && cnf.is_none() {
            return Err(format!("the seed has more than {MAX_CLAUSES} clauses").into());
        }
        let mut seed = assertions;
        let mut lists = Vec::new();
        if let Some(cnf) = cnf {
            if let Some(own) = &mut values
                && !cnf.extend(&script.arena, own)
            {
                values = None;
            }
            script.commands.extend(cnf.defined.iter().map(|&(f, _)| Command::DeclareFun(f)));
            seed = cnf
                .clauses
                .iter()
                .map(|c| clause(&mut script.arena, c))
                .collect::<Option<_>>()
                .ok_or("a clause cannot be written")?;
            lists = cnf.clauses;
        }
        if let Some(own) = &mut values
            && seed.iter().any(|&t| own.holds(&script.arena, t) != Some(true))
        {
            values = None;
        }
        if status.is_sat() && values.is_none() && !claims {
            return Err("the model does not extend to the clauses".into());
        }
        Ok(Box::new(SparrowChain {
            at: Asserted::new(script, seed, status, values),
            companions,
            clauses: lists.clone(),
            seed_clauses: lists,
            undecided: false,
            set,
            book,
            pool,
            snippets,
            pst,
            steps,
            done: 0,
            claims,
            logic: differences.then_some(logic),
        }))
    }
}

/// Takes away what would bring a side of a rule out of the logic of the script.
fn stay_in_logic(script: &mut Script, book: &mut Book, pool: &Pool) {
    let own = Fragment::of(script);
    let check = script.commands.len().saturating_sub(1);
    for rule in &mut book.rules {
        // A literal factor or divisor is linear, a variable in its place is not.
        let a = &mut script.arena;
        let literals =
            rule.slots.iter().filter(|s| s.literal).fold(Substitution::new(), |all, s| {
                match a.sort_kind(s.sort) {
                    SortKind::Int => all.var(s.var, a.mk_int(2u8)),
                    SortKind::Real => {
                        all.var(s.var, a.mk_literal(smelt_smtlib::Literal::real("2.0")))
                    }
                    _ => all,
                }
            });
        for side in 0..2 {
            let t = rule.sides[side];
            let a = &script.arena;
            if a.sort(t) != Sort::BOOL || rule.binds[side] || !pool.admits(a, t) {
                rule.allowed[side] = false;
                continue;
            }
            let t = literals.apply(&mut script.arena, t);
            script.commands.insert(check, Command::Assert(t));
            rule.allowed[side] &= Fragment::of(script) == own;
            script.commands.remove(check);
        }
    }
}

fn clause(a: &mut Arena, literals: &[Literal]) -> Option<Term> {
    let terms: Option<Vec<Term>> = literals.iter().map(|l| l.term(a)).collect();
    match terms?[..] {
        [one] => Some(one),
        ref more => a.app(Op::Or, &[], more).ok(),
    }
}

struct SparrowChain {
    at: Asserted,
    /// The seed's other checks, which stand before the assertions.
    companions: Companions,
    /// The clauses that the assertions are, in the form of clauses.
    seed_clauses: Vec<Vec<Literal>>,
    clauses: Vec<Vec<Literal>>,
    /// Whether an assertion has no value under the model.
    undecided: bool,
    set: RuleSet,
    book: Book,
    pool: Pool,
    snippets: Vec<Term>,
    pst: bool,
    steps: u32,
    done: u32,
    claims: bool,
    /// The seed's logic, if it is one of difference logic, where even a sum of two variables leads out of it.
    logic: Option<&'static str>,
}

/// What was done to a literal.
struct Approximated {
    term: Term,
    rule: Option<usize>,
    proved: bool,
}

/// A new assertion.
struct Change {
    assertion: usize,
    whole: Term,
    made: Approximated,
    /// Its literals, in the form of clauses.
    clause: Option<Vec<Literal>>,
}

impl SparrowChain {
    fn restart(&mut self) {
        self.at.restart();
        self.clauses.clone_from(&self.seed_clauses);
        self.undecided = false;
        self.done = 0;
    }

    /// An atom that is weaker, or one that is stronger.
    fn approximate(
        &mut self,
        atom: Term,
        weaker: bool,
        random: &mut ChaCha8Rng,
    ) -> Option<Approximated> {
        let a = &mut self.at.script.arena;
        let inject = !self.snippets.is_empty() && (!self.pst || random.random_bool(0.5));
        if inject {
            let snippet = self.snippets[random.random_range(0..self.snippets.len())];
            let op = if weaker { Op::Or } else { Op::And };
            let term = a.app(op, &[], &[atom, snippet]).ok()?;
            return Some(Approximated { term, rule: None, proved: true });
        }
        if !self.pst {
            return None;
        }
        // Rules for any formula are injections; of those for this predicate, one in the right direction.
        let [own, _] = self.book.candidates(a, atom);
        if own.is_empty() {
            return None;
        }
        let (rule, backwards) = own[random.random_range(0..own.len())];
        let rule = &self.book.rules[rule as usize];
        let to = usize::from(!backwards);
        if !rule.allowed[to] || (!rule.equal && weaker == backwards) {
            return None;
        }
        if !rule.permitted && self.at.values.is_none() {
            return None;
        }
        // Snippets and terms of the pool that are used here are closed.
        let mut here = self.pool.at(&[]);
        let term = matching::apply(a, rule, backwards, atom, &mut here, random)?;
        let (rule, proved) = (rule.rule, rule.permitted);
        (term != atom).then_some(Approximated { term, rule: Some(rule), proved })
    }

    /// Approximates one literal.
    fn one(&mut self, random: &mut ChaCha8Rng) -> Option<Change> {
        if !self.clauses.is_empty() {
            let i = random.random_range(0..self.clauses.len());
            let j = random.random_range(0..self.clauses[i].len());
            let l = self.clauses[i][j];
            // In a negated literal the atom goes the other way.
            let made = self.approximate(l.atom, self.at.status.is_sat() != l.negated, random)?;
            let new = Literal { atom: made.term, negated: l.negated };
            let mut list = self.clauses[i].clone();
            list[j] = new;
            let whole = clause(&mut self.at.script.arena, &list)?;
            return Some(Change { assertion: i, whole, made, clause: Some(list) });
        }
        let spot = walk(&self.at.script.arena, &self.at.current, false, random)?;
        let a = &self.at.script.arena;
        if a.sort(spot.term) != Sort::BOOL || is_connective(a, spot.term) {
            return None;
        }
        let made = self.approximate(spot.term, self.at.status.is_sat() == spot.parity?, random)?;
        let root = self.at.current[spot.root];
        let whole = self.at.script.arena.replace_at(root, &spot.path, made.term)?;
        Some(Change { assertion: spot.root, whole, made, clause: None })
    }
}

fn is_connective(a: &Arena, t: Term) -> bool {
    match a.head(t) {
        Head::Op(op, _) => {
            matches!(op, Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor | Op::Ite)
        }
        Head::Bind(..) | Head::Annot(_) => true,
        _ => false,
    }
}

impl Chain for SparrowChain {
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        if self.done >= self.steps {
            self.restart();
        }
        let wanted = random.random_range(1..=MOST);
        let rules = self.set.rules.clone();
        let mut names: Vec<&str> = Vec::new();
        for n in 0..TRIES {
            if names.len() as u32 >= wanted {
                break;
            }
            if n == TRIES / 2 && names.is_empty() && self.done > 0 {
                self.restart();
            }
            let Some(change) = self.one(random) else { continue };
            let Change { assertion: i, whole, made, clause } = change;
            let mut keep = true;
            if let Some(logic) = self.logic {
                let old = self.at.current[i];
                self.at.set(i, whole);
                keep = smallest_logic(&self.at.script) == logic;
                self.at.set(i, old);
            }
            let mut undecided = false;
            if keep && let Some(values) = &mut self.at.values {
                match values.holds(&self.at.script.arena, whole) {
                    Some(true) => {}
                    // A rule that is not proved may be wrong; one that is may not.
                    Some(false) => {
                        debug_assert!(
                            !made.proved,
                            "{:?} is wrong: {}",
                            made.rule.map(|r| &self.set.rules.relations[r].name),
                            print_term(&self.at.script.arena, whole)
                        );
                        keep = false;
                    }
                    None => {
                        undecided = true;
                        keep = made.proved && self.claims;
                    }
                }
            }
            if !keep {
                continue;
            }
            if let Some(list) = clause {
                self.clauses[i] = list;
            }
            self.undecided |= undecided;
            self.at.set(i, whole);
            names.push(match made.rule {
                Some(r) => &rules.relations[r].name,
                None => "injection",
            });
        }
        if names.is_empty() {
            return Err("no literal can be approximated".into());
        }
        let direction = if self.at.status.is_sat() { "over" } else { "under" };
        let what = format!("{direction}-approximated by {}", names.join(", "));
        self.done += 1;
        let expect = self.companions.expect(self.at.expectation(!self.undecided));
        Ok(Mutant {
            script: &mut self.at.script,
            expect: expect.into(),
            what: what.into(),
            follows: Follows::Nothing,
        })
    }
}
