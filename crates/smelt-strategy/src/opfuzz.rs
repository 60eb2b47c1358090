//! OpFuzz: type-aware operator mutation.
//!
//! **Paper**: D. Winterer, C. Zhang, Z. Su, "On the Unusual Effectiveness of Type-Aware Operator Mutations for Testing SMT
//! Solvers", OOPSLA 2020.
//!
//! **Needs**: a seed with an operator that has an alternative; no status.
//!
//! **Rule**: an occurrence of f1 becomes f2, where f2 takes exactly the arguments that are there and gives exactly the sort
//! that is needed. The next step starts from the mutant, not from the seed.
//!
//! **Why the expectation holds**: nothing is expected (`Open`); solvers are compared with each other, and their models are
//! evaluated.
//!
//! **Departures from the paper**
//! - The groups are not a list: the alternatives of an occurrence are found in the operator table by its argument sorts and
//!   result sort, in every theory, together with the declared functions of that type. So `ite` on Bool meets `and`, and
//!   `bvult` meets `=` and `bvsaddo`. With `operators=FILE` a list in YinYang's format is used instead (in
//!   which `not -> and,or` has no effect: `and` takes two arguments).
//! - Sorts are exact: no Int for a Real, since `(mod (+ x 2) 3)` must not become `(mod (/ x 2) 3)`.
//! - Indexed operators take part: an index that the sorts leave open is drawn anew.
//! - Only operators of the seed's theories are brought in, unless `wild=true` is given.
//!
//! **Example**: `(assert (and (< x y) p))` → `(assert (and (= x y) p))` → `(assert (=> (= x y) p))`.

mod candidates;
mod groups;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Expectation, Mutant, OpSet};
use smelt_smtlib::{Arena, Binder, Head, Term};

use self::candidates::{Candidate, Candidates};
use self::groups::Groups;
use crate::parameters::Parameters;
use crate::places::{Place, Places};
use crate::visible::Visible;
use crate::{Chain, Input, Refusal, Strategy, theories};

/// The strategy.
pub struct OpFuzz;

/// How often a step tries another place or operator before it gives up.
const TRIES: u32 = 64;

impl Strategy for OpFuzz {
    fn name(&self) -> &'static str {
        "opfuzz"
    }

    fn about(&self) -> &'static str {
        "replace an operator by another of the same type"
    }

    fn chain_length(&self) -> u32 {
        300
    }

    fn file_parameters(&self) -> &'static [&'static str] {
        &["operators"]
    }

    fn start<'a>(
        &self,
        input: &Input<'a>,
        _: &mut ChaCha8Rng,
    ) -> Result<Box<dyn Chain + 'a>, Refusal> {
        let given = Parameters::read(input.parameters, &["operators", "wild"])?;
        let groups = given.text("operators").map(Groups::parse).transpose()?;
        let places = Places::new(input.seed);
        let ops = if groups.is_some() || given.get("wild", false)? {
            input.ops.clone()
        } else {
            theories::suitable(&places.script, input.ops)
        };
        let visible = Visible::new(&places.script);
        let choices = Choices::new(&places.script.arena, &ops, groups);
        Ok(Box::new(OpChain { places, visible, choices }))
    }
}

/// What may stand for what.
struct Choices {
    candidates: Candidates,
    groups: Option<Groups>,
}

impl Choices {
    fn new(a: &Arena, ops: &OpSet, groups: Option<Groups>) -> Self {
        Self { candidates: Candidates::new(a, ops), groups }
    }

    /// Whether there is an alternative to the top of a term.
    fn wanted(&mut self, a: &mut Arena, t: Term) -> bool {
        let head = a.head(t);
        if let Some(other) = other_quantifier(head) {
            return permits(&self.groups, head, Candidate::Binder(other), 1);
        }
        let n = a.args(t).len();
        let list = self.candidates.of(a, t);
        list.iter().any(|&c| !c.is_plain(head) && permits(&self.groups, head, c, n))
    }

    /// A term with another top and the same arguments.
    fn draw(
        &mut self,
        a: &mut Arena,
        t: Term,
        random: &mut ChaCha8Rng,
    ) -> Option<(Term, Candidate)> {
        let head = a.head(t);
        if let Some(other) = other_quantifier(head) {
            let Head::Bind(_, vars) = head else { return None };
            let args = a.args(t).to_vec();
            return Some((a.mk_binder(other, vars, &args), Candidate::Binder(other)));
        }
        let n = a.args(t).len();
        let list = self.candidates.of(a, t);
        if list.is_empty() {
            return None;
        }
        let c = list[random.random_range(0..list.len())];
        if !permits(&self.groups, head, c, n) {
            return None;
        }
        let new = c.apply(a, t, random)?;
        (new != t).then_some((new, c))
    }
}

fn permits(groups: &Option<Groups>, from: Head, to: Candidate, arity: usize) -> bool {
    groups.as_ref().is_none_or(|g| g.permit(from, to, arity))
}

fn other_quantifier(head: Head) -> Option<Binder> {
    match head {
        Head::Bind(Binder::Forall, _) => Some(Binder::Exists),
        Head::Bind(Binder::Exists, _) => Some(Binder::Forall),
        _ => None,
    }
}

struct OpChain {
    places: Places,
    visible: Visible,
    choices: Choices,
}

impl OpChain {
    fn place(&mut self, random: &mut ChaCha8Rng) -> Option<Place> {
        let choices = &mut self.choices;
        self.places.pick(random, |a, t| choices.wanted(a, t))
    }
}

impl Chain for OpChain {
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        for _ in 0..TRIES {
            let Some(place) = self.place(random) else { break };
            let arena = &mut self.places.script.arena;
            let Some((new, _)) = self.choices.draw(arena, place.term, random) else { continue };
            let command = self.places.roots[place.root].command;
            if !self.visible.head(arena, new).holds(command) {
                continue;
            }
            let choices = &mut self.choices;
            if self.places.replace(&place, new, |a, t| choices.wanted(a, t)) {
                let a = &self.places.script.arena;
                let what = [top(a, place.term), top(a, new)].join(" -> ");
                let expect = vec![Expectation::Open; self.places.checks];
                return Ok(Mutant { script: &mut self.places.script, expect, what });
            }
        }
        Err("no operator has an alternative of its type".into())
    }
}

/// The name of what is at the top of a term.
fn top(a: &Arena, t: Term) -> &str {
    match a.head(t) {
        Head::Op(op, _) => op.info().name,
        Head::Fun(f) => a.name(a.fun(f).name),
        Head::Bind(b, _) => b.name(),
        _ => "term",
    }
}
