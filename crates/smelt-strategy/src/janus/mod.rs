//! Janus: weakening and strengthening, step by step.
//!
//! **Paper.** M. Bringolf, D. Winterer, Z. Su, "Finding and Understanding Incompleteness Bugs in SMT Solvers" (2022); chapter 6
//! of "Solidifying Modern SMT Solvers".
//!
//! **Needs.** A seed whose status is known. Definitions are expanded.
//!
//! **Rule.** A place is chosen with its parity. In a sat seed a positive part becomes weaker and a negative one stronger; in an
//! unsat seed the other way round. Parts without parity, and terms, are replaced by equal ones. What is weaker or equal is said by the
//! rule files (`rules/`, and `rules=FILE`). The next step starts from the mutant; after `steps` (25) the chain starts again from the
//! seed.
//!
//! **Why the expectation holds.** Weakening a positive part, or strengthening a negative one, makes the whole weaker: a model stays one. Every
//! `Sat` step is evaluated under the seed's model; where that has no value (quantifiers), it is a claim without a witness. `Unsat`
//! steps, and such claims, use only rules that solvers have proved at these very sorts (`rules/PROOFS`, and `proofs=FILE`). A rule
//! that is not proved there may be used where there is a model, but then nothing says that the step is an implication
//! ([`Follows::Nothing`]); one that is refuted is never used.
//!
//! **Departures from the paper.** The wrong rules of table 6.1 are left out (see docs/rules.md). Rules for bit-vectors, floats, arrays, datatypes,
//! sequences and sets. Atoms of more than two arguments are taken apart first (`crate::atoms`). Terms are rewritten by equalities. In a seed without
//! quantifiers, rules that bring one are rare.
//!
//! **Example.** `(and (= s k) (= (* s k) 1.0))`, sat → `(= (* s k) 1.0)` by and-to-part → `(>= (* s k) 1.0)` by real-equal-to-at-least.

pub mod step;
#[cfg(test)]
pub(crate) mod tests;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Follows, Mutant, Seed};
use smelt_smtlib::{Head, Script, Term, print_term};

use crate::atoms::binary;
use crate::known_check::{Asserted, KnownCheck, Others};
use crate::parameters::Parameters;
use crate::parity::{Spot, walk};
use crate::rule_book::{rules, unproved};
use crate::rules::compile::{Book, RuleSet, Unproved};
use crate::rules::matching;
use crate::term_source::Pool;
use crate::{Chain, Input, Parameter, Refusal, Strategy};

/// The strategy.
pub struct Janus;

/// The name under which an atom of several arguments is taken apart, which no rule file says.
const EXPAND: &str = "expand-chain";

/// Places and rules that one step tries.
const TRIES: u32 = 200;
/// How often a rule that brings a quantifier is used where there was none.
const QUANTIFY: f64 = 0.1;
/// How often an equality is passed over where the formula could be weakened or strengthened.
const REWRITE_LESS: f64 = 0.6;
/// How often a rule for any formula is preferred to one for this operator.
const ANY: f64 = 0.15;

const PARAMETERS: &[Parameter] = &[
    ("steps", "N (25): steps before the chain starts again from the seed"),
    ("rules", "FILE: further rules"),
    ("proofs", "FILE: further proofs of rules"),
    (
        "quantifiers",
        "on or off (on if the seed has some, else rarely): rules that bring quantifiers",
    ),
    ("claims", "on or off (on): also sat steps that no model witnesses"),
    ("terms", "on or off (on): also rewrite terms by equalities"),
];

impl Strategy for Janus {
    fn name(&self) -> &'static str {
        "janus"
    }

    fn about(&self) -> &'static str {
        "weakens or strengthens a seed by proved rules (Janus): sat with a witness, or unsat"
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

    /// An answer to a step is compared with the answer to the script before it: with other checks in the same process, what these leave
    /// behind could be what loses it, and not the rule.
    fn leaves_checks_out(&self) -> bool {
        true
    }

    fn start<'a>(
        &self,
        input: &Input<'a>,
        random: &mut ChaCha8Rng,
    ) -> Result<Box<dyn Chain + 'a>, Refusal> {
        let p = Parameters::read(input.parameters, PARAMETERS)?;
        let steps = p.get("steps", 25u32)?.max(1);
        let claims = p.switch("claims", true)?;
        let deep = p.switch("terms", true)?;
        let set = rules(&p)?;
        let KnownCheck { mut script, assertions, status, values, .. } =
            KnownCheck::of(input.seed, Others::LeftOut, random)?;
        let a = &script.arena;
        let quantified = a.dag(&assertions).iter().any(|&t| matches!(a.head(t), Head::Bind(..)));
        let quantify = match p.text("quantifiers") {
            None if quantified => 1.0,
            None => QUANTIFY,
            Some(_) => f64::from(u8::from(p.switch("quantifiers", true)?)),
        };
        if status.is_sat() && values.is_none() && !claims {
            return Err("a sat seed has no model".into());
        }
        let book = Book::new(&mut script, &assertions, &set, input.ops);
        let pool = Pool::new(&script.arena, &assertions);
        let size =
            assertions.iter().fold(0u64, |n, &t| n.saturating_add(script.arena.tree_size(t)));
        Ok(Box::new(JanusChain {
            at: Asserted::new(script, assertions, status, values),
            undecided: Vec::new(),
            set,
            book,
            pool,
            steps,
            done: 0,
            claims,
            deep,
            quantify,
            most: size.saturating_mul(4).saturating_add(500),
        }))
    }
}

struct JanusChain {
    at: Asserted,
    /// Assertions that have no value under the model.
    undecided: Vec<usize>,
    set: RuleSet,
    book: Book,
    pool: Pool,
    steps: u32,
    done: u32,
    claims: bool,
    deep: bool,
    quantify: f64,
    /// Largest size of an assertion.
    most: u64,
}

impl JanusChain {
    fn restart(&mut self) {
        self.at.restart();
        self.undecided.clear();
        self.done = 0;
    }

    /// A new term for a place, with the rule's name, what was done, and whether solvers have proved it.
    fn rewrite(
        &mut self,
        spot: &Spot,
        random: &mut ChaCha8Rng,
    ) -> Option<(Term, &str, &'static str, bool)> {
        let a = &mut self.at.script.arena;
        if let Some(new) = binary(a, spot.term) {
            return Some((new, EXPAND, "rewritten", true));
        }
        let [own, any] = self.book.candidates(a, spot.term);
        let list =
            if own.is_empty() || (!any.is_empty() && random.random_bool(ANY)) { any } else { own };
        if list.is_empty() {
            return None;
        }
        let (rule, backwards) = list[random.random_range(0..list.len())];
        let rule = &self.book.rules[rule as usize];
        if rule.equal {
            // Steps that make a difference are the point; rewriting opens the way to them.
            if spot.parity.is_some() && random.random_bool(REWRITE_LESS) {
                return None;
            }
        } else {
            // A sat formula is to become weaker as a whole, an unsat one stronger.
            let weaken = spot.parity? == self.at.status.is_sat();
            if weaken == backwards {
                return None;
            }
        }
        let proved = rule.permitted;
        if !proved && self.at.values.is_none() {
            return None;
        }
        let to = usize::from(!backwards);
        if rule.binds[to] && !rule.binds[1 - to] && !random.random_bool(self.quantify) {
            return None;
        }
        let scope = a.scope_at(self.at.current[spot.root], &spot.path);
        let mut here = self.pool.at(&scope);
        let new = matching::apply(a, rule, backwards, spot.term, &mut here, random)?;
        let done = match (rule.equal, backwards) {
            (true, _) => "rewritten",
            (false, false) => "weakened",
            (false, true) => "strengthened",
        };
        let name = &self.set.rules.relations[rule.rule].name;
        (new != spot.term).then_some((new, name, done, proved))
    }
}

impl Chain for JanusChain {
    fn first(&self) -> Option<&Script> {
        Some(&self.at.script)
    }

    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        let mut again = self.done >= self.steps;
        if again {
            self.restart();
        }
        for n in 0..TRIES {
            if n == TRIES / 2 && self.done > 0 {
                // The chain is stuck: from the seed other ways are open.
                self.restart();
                again = true;
            }
            let Some(spot) = walk(&self.at.script.arena, &self.at.current, self.deep, random)
            else {
                continue;
            };
            let Some((new, name, done, proved)) = self.rewrite(&spot, random) else { continue };
            let from = if again { "again from the seed, " } else { "" };
            let what = format!("{from}{done} by {name}");
            let a = &mut self.at.script.arena;
            let Some(new) = a.replace_at(self.at.current[spot.root], &spot.path, new) else {
                continue;
            };
            if a.tree_size(new) > self.most {
                continue;
            }
            let mut undecided = false;
            if let Some(values) = &mut self.at.values {
                match values.holds(a, new) {
                    Some(true) => {}
                    // A rule that is not proved may be wrong; one that is may not.
                    Some(false) => {
                        debug_assert!(!proved, "{what} is wrong: {}", print_term(a, new));
                        continue;
                    }
                    None if proved && self.claims => undecided = true,
                    None => continue,
                }
            }
            self.undecided.retain(|&i| i != spot.root);
            if undecided {
                self.undecided.push(spot.root);
            }
            self.at.set(spot.root, new);
            self.done += 1;
            let expect = self.at.expectation(self.undecided.is_empty());
            let follows = match again {
                // The model says that this script is sat, and nothing that the rule is right.
                _ if !proved => Follows::Nothing,
                true => Follows::Seed,
                false => Follows::LastStep,
            };
            return Ok(Mutant {
                script: &mut self.at.script,
                expect: vec![expect].into(),
                what: what.into(),
                follows,
            });
        }
        Err("no rule applies".into())
    }
}
