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
use smallvec::SmallVec;
use smelt_case::{Expectation, Follows, Mutant, OpSet};
use smelt_smtlib::{Arena, Binder, Head, Term};

use self::candidates::{Candidate, Candidates};
use self::groups::Groups;
use crate::parameters::Parameters;
use crate::places::{Place, Places};
use crate::visible::Visible;
use crate::{Chain, Input, Parameter, Refusal, Strategy, theories};

/// The strategy.
pub struct OpFuzz;

/// How often a step tries another place or operator before it gives up.
const TRIES: u32 = 64;

const PARAMETERS: &[Parameter] = &[
    ("operators", "FILE: groups of operators in YinYang's format, instead of the table"),
    ("wild", "true or false (false): also operators of theories that the seed does not use"),
];

impl Strategy for OpFuzz {
    fn name(&self) -> &'static str {
        "opfuzz"
    }

    fn about(&self) -> &'static str {
        "replace an operator by another of the same type"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
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
        let given = Parameters::read(input.parameters, PARAMETERS)?;
        let groups = given.text("operators").map(Groups::parse).transpose()?;
        let places = Places::new(input.seed);
        let ops = if groups.is_some() || given.get("wild", false)? {
            input.ops.clone()
        } else {
            theories::suitable(&places.script, input.ops)
        };
        let visible = Visible::new(&places.script);
        let choices = Choices::new(&places.script.arena, &ops, groups);
        let expect = vec![Expectation::Open; places.checks];
        Ok(Box::new(OpChain { places, visible, choices, expect, what: String::new() }))
    }
}

/// What may stand for what.
struct Choices {
    candidates: Candidates,
    groups: Option<Groups>,
}

/// The kind of a quantifier; that of other terms is the number of their list of candidates.
const QUANTIFIER: u32 = 1 << 31;

impl Choices {
    fn new(a: &Arena, ops: &OpSet, groups: Option<Groups>) -> Self {
        Self { candidates: Candidates::new(a, ops), groups }
    }

    /// The kind of a term, if there is an alternative to its top.
    fn kind(&mut self, a: &mut Arena, t: Term) -> Option<u32> {
        if let Head::Bind(..) = a.head(t) {
            return self.wanted(a, t, QUANTIFIER).then_some(QUANTIFIER);
        }
        let kind = self.candidates.of(a, t)?;
        self.wanted(a, t, kind).then_some(kind)
    }

    /// Whether there is an alternative to the top of a term of this kind.
    fn wanted(&self, a: &Arena, t: Term, kind: u32) -> bool {
        let (head, n) = (a.head(t), a.args(t).len());
        if kind == QUANTIFIER {
            return other_quantifier(head)
                .is_some_and(|other| permits(&self.groups, head, Candidate::Binder(other), 1));
        }
        let list = self.candidates.list(kind);
        list.iter().any(|&c| !c.is_plain(head) && permits(&self.groups, head, c, n))
    }

    /// A term with another top and the same arguments.
    fn draw(&self, a: &mut Arena, place: &Place, random: &mut ChaCha8Rng) -> Option<Term> {
        let t = place.term;
        let head = a.head(t);
        if place.kind == QUANTIFIER {
            let other = other_quantifier(head)?;
            let Head::Bind(_, vars) = head else { return None };
            let args: SmallVec<[Term; 2]> = SmallVec::from_slice(a.args(t));
            return Some(a.mk_binder(other, vars, &args));
        }
        let list = self.candidates.list(place.kind);
        if list.is_empty() {
            return None;
        }
        let c = list[random.random_range(0..list.len())];
        if !permits(&self.groups, head, c, a.args(t).len()) {
            return None;
        }
        let new = c.draw(a, t, random)?;
        (new != t).then_some(new)
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
    expect: Vec<Expectation>,
    what: String,
}

impl Chain for OpChain {
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        let Self { places, visible, choices, expect, what } = self;
        for _ in 0..TRIES {
            let Some(place) = places.pick(random, |a, t| choices.kind(a, t)) else { break };
            let arena = &mut places.script.arena;
            let Some(new) = choices.draw(arena, &place, random) else { continue };
            if !visible.head(arena, new).holds(places.roots[place.root].command) {
                continue;
            }
            // The arguments are the same, and so is the kind.
            let kind = |a: &mut Arena, t: Term| {
                if t == new {
                    choices.wanted(a, t, place.kind).then_some(place.kind)
                } else {
                    choices.kind(a, t)
                }
            };
            if places.replace(&place, new, kind) {
                let a = &places.script.arena;
                what.clear();
                what.push_str(top(a, place.term));
                what.push_str(" -> ");
                what.push_str(top(a, new));
                let (script, expect) = (&mut places.script, expect.as_slice().into());
                let (what, follows) = (what.as_str().into(), Follows::Nothing);
                return Ok(Mutant { script, expect, what, follows });
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
