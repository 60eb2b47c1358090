//! TypeFuzz: generative type-aware mutation.
//!
//! **Paper**: J. Park, D. Winterer, C. Zhang, Z. Su, "Generative Type-Aware Mutation for Testing SMT Solvers", OOPSLA 2021; the
//! data-driven variant is section 5.6 of D. Winterer's thesis.
//!
//! **Needs**: a seed with an assertion; no status. `typefuzz-db` also takes other seeds, as donors of expressions.
//!
//! **Rule**: at the place of an expression e1 a new expression is built: an operator or function whose result has the sort of
//! e1, on arguments that are expressions of the script, not e1 itself, and *locally compatible*: all their bound variables
//! are in scope at the place. Or, as the degenerate case with no operator (FuzzChick's mutator, alone with
//! `fuzzchick=true`), another expression of that sort stands there. The next step starts from the mutant.
//!
//! **Why the expectation holds**: nothing is expected (`Open`); solvers are compared with each other, and their models are
//! evaluated.
//!
//! **Departures from the paper**
//! - Signatures come from the operator table read backwards, in all theories, indexed and parametric ones included, and from
//!   the script's functions, constructors and selectors. With `signatures=FILE` they come from a file in the format of
//!   YinYang's `typefuzz_config.txt`.
//! - Where the script has no expression of a sort, a constant stands in: an `extract` may need a width that nothing has.
//! - The script does not grow beyond four times its size (and some constant): `growth=N`.
//! - Only operators of the seed's theories are brought in, unless `wild=true` is given.
//!
//! **Example**: `(assert (< (+ x 1) y))`, place `y`, operator `*`: `(assert (< (+ x 1) (* x (+ x 1))))`.

mod donors;
mod pool;
mod producers;
mod signatures;

use std::borrow::Cow;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smallvec::SmallVec;
use smelt_case::{Expectation, Follows, Mutant, OpSet};
use smelt_smtlib::invert::invert;
use smelt_smtlib::op::P;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Arena, FunKind, Head, Op, Sort, SortKind, Term, Var};

use self::donors::Donors;
use self::pool::Pool;
use self::producers::{Draw, Producer, Producers};
use self::signatures::Signatures;
use crate::accepted;
use crate::constant::Constants;
use crate::parameters::Parameters;
use crate::places::{Place, Places};
use crate::visible::Visible;
use crate::{Chain, Input, Parameter, Refusal, Strategy, theories};

/// The strategy; with a database of expressions from other seeds if there are donors.
pub struct TypeFuzz {
    /// How many seeds give expressions.
    pub donors: usize,
}

/// How often a step tries another place or operator before it gives up.
const TRIES: u32 = 200;

/// How much larger than its multiple of the seed's size a script may get, in nodes.
const ROOM: u64 = 60;

const PARAMETERS: &[Parameter] = &[
    (
        "signatures",
        "FILE: operators in the format of YinYang's typefuzz_config.txt, instead of the table",
    ),
    ("wild", "true or false (false): also operators of theories that the seed does not use"),
    ("fuzzchick", "true or false (false): only other terms of the script, no new ones"),
    ("growth", "N (4): how many times as large as the seed a mutant may be"),
];

impl Strategy for TypeFuzz {
    fn name(&self) -> &'static str {
        if self.donors == 0 { "typefuzz" } else { "typefuzz-db" }
    }

    fn about(&self) -> &'static str {
        if self.donors == 0 {
            "build a new term of the right sort from an operator and terms of the script"
        } else {
            "build a new term of the right sort from an operator and terms of other seeds"
        }
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn chain_length(&self) -> u32 {
        100
    }

    fn file_parameters(&self) -> &'static [&'static str] {
        &["signatures"]
    }

    fn partners(&self) -> usize {
        self.donors
    }

    fn start<'a>(
        &self,
        input: &Input<'a>,
        random: &mut ChaCha8Rng,
    ) -> Result<Box<dyn Chain + 'a>, Refusal> {
        let given = Parameters::read(input.parameters, PARAMETERS)?;
        let mut places = Places::new(input.seed);
        let mut visible = Visible::new(&places.script);
        let ops = if given.get("wild", false)? {
            input.ops.clone()
        } else {
            theories::suitable(&places.script, input.ops)
        };
        let mut pool = Pool::default();
        let roots = places.script.roots();
        pool.add(&places.script.arena, &visible, &roots);
        let constants = Constants::of(&places.script.arena, &roots);
        let donors = Donors::new(&mut places.script, &mut visible, &mut pool, input, random);
        let producers = if given.get("fuzzchick", false)? {
            Producers::same_only()
        } else if let Some(text) = given.text("signatures") {
            Producers::given(Signatures::parse(text)?, input.ops)
        } else {
            Producers::table(&ops)
        };
        let growth: u64 = given.get("growth", 4)?;
        let limit = places.size().saturating_mul(growth).saturating_add(ROOM);
        let expect = vec![Expectation::Open; places.checks];
        Ok(Box::new(TypeChain {
            places,
            visible,
            pool,
            constants,
            donors,
            producers,
            ops: input.ops,
            limit,
            scope: Vec::new(),
            expect,
        }))
    }
}

struct TypeChain<'a> {
    places: Places,
    visible: Visible,
    pool: Pool,
    constants: Constants,
    donors: Donors,
    producers: Producers,
    /// Operators that may be brought in, by constants too.
    ops: &'a OpSet,
    /// The largest size of the script.
    limit: u64,
    /// The variables in scope at the place of this step.
    scope: Vec<Var>,
    expect: Vec<Expectation>,
}

/// What was done.
type What = Cow<'static, str>;

/// What expressions must fit: not this one, with these variables in scope, in this command.
#[derive(Clone, Copy)]
struct Site<'s> {
    not: Term,
    scope: &'s [Var],
    command: usize,
}

/// Something else can stand at places of one kind.
fn kind(a: &mut Arena, t: Term) -> Option<u32> {
    let fixed = matches!(a.head(t), Head::Annot(_)) || matches!(a.kind(t), SortKind::Fun(..));
    (!fixed).then_some(0)
}

impl Chain for TypeChain<'_> {
    fn step(&mut self, random: &mut ChaCha8Rng) -> Result<Mutant<'_>, Refusal> {
        for _ in 0..TRIES {
            let Some(place) = self.places.pick(random, kind) else { break };
            let Some((new, what)) = self.build(&place, random) else { continue };
            let a = &self.places.script.arena;
            let (old, size) = (a.tree_size(place.term), a.tree_size(new));
            if new == place.term
                || (size > old && self.places.size().saturating_sub(old) + size > self.limit)
            {
                continue;
            }
            self.donors.declare(&mut self.places, new);
            if self.places.replace(&place, new, kind) {
                let expect = self.expect.as_slice().into();
                let (script, follows) = (&mut self.places.script, Follows::Nothing);
                return Ok(Mutant { script, expect, what, follows });
            }
        }
        Err("nothing of the right sort can be built".into())
    }
}

impl TypeChain<'_> {
    /// A term for a place, and what it is.
    fn build(&mut self, place: &Place, random: &mut ChaCha8Rng) -> Option<(Term, What)> {
        let mut scope = std::mem::take(&mut self.scope);
        self.places.scope(place, &mut scope);
        let command = self.places.roots[place.root].command;
        let site = Site { not: place.term, scope: &scope, command };
        let built = self.build_at(site, random);
        self.scope = scope;
        built
    }

    fn build_at(&mut self, site: Site<'_>, random: &mut ChaCha8Rng) -> Option<(Term, What)> {
        let sort = self.places.script.arena.sort(site.not);
        let command = site.command;
        let list = self.producers.of(&mut self.places.script.arena, &self.pool, sort);
        match &list[random.random_range(0..list.len())] {
            Producer::Same => {
                let new = self.expression(sort, site, random)?;
                Some((new, "another expression".into()))
            }
            Producer::Op(op) => {
                let op = *op;
                let a = &mut self.places.script.arena;
                let mut draw = Draw::new(&self.pool, random);
                let found = invert(a, op, Some(sort), &mut draw)?;
                if !accepted::arity(op, found.args.len()) {
                    return None;
                }
                let args = self.arguments(op, &found.args, site, random)?;
                let a = &mut self.places.script.arena;
                let new = if op.info().ret == P::Ascribed {
                    a.app_as(op, &args, sort)
                } else {
                    a.app(op, &found.indices, &args)
                };
                let new = new.ok().filter(|&t| a.sort(t) == sort)?;
                let visible = self.visible.head(a, new).holds(command);
                visible.then(|| (new, op.info().name.into()))
            }
            Producer::Fun(f, sorts) => {
                let f = *f;
                if !self.visible.fun(f).holds(command) {
                    return None;
                }
                let args = self.all_of(sorts, site, random)?;
                let a = &mut self.places.script.arena;
                let new = a.apply_fun(f, &args, Some(sort)).ok()?;
                (a.sort(new) == sort).then(|| (new, a.name(a.fun(f).name).to_owned().into()))
            }
            Producer::Given(ops, sorts) => {
                let args = self.all_of(sorts, site, random)?;
                let a = &mut self.places.script.arena;
                let (new, op) = ops.iter().find_map(|&op| {
                    let new = a.app(op, &[], &args).ok()?;
                    (a.sort(new) == sort && a.args(new) == &*args).then_some((new, op))
                })?;
                accepted::arity(op, args.len()).then(|| (new, op.info().name.into()))
            }
        }
    }

    fn all_of(
        &mut self,
        sorts: &[Sort],
        site: Site<'_>,
        random: &mut ChaCha8Rng,
    ) -> Option<SmallVec<[Term; 8]>> {
        sorts.iter().map(|&s| self.argument(s, site, random)).collect()
    }

    fn arguments(
        &mut self,
        op: Op,
        sorts: &[Sort],
        site: Site<'_>,
        random: &mut ChaCha8Rng,
    ) -> Option<SmallVec<[Term; 8]>> {
        if op == Op::ReRange {
            let a = &mut self.places.script.arena;
            return Some(range(a, random));
        }
        let open = sorts.len() - accepted::values_only(op).min(sorts.len());
        let mut out = self.all_of(&sorts[..open], site, random)?;
        for &s in &sorts[open..] {
            // Some constants are written as terms; a value is a literal.
            let value = (0..8).find_map(|_| {
                let t = self.constant(s, site.command, random)?;
                self.places.script.arena.args(t).is_empty().then_some(t)
            });
            out.push(value?);
        }
        Some(out)
    }

    /// An expression of the script, or a constant if there is none.
    fn argument(&mut self, sort: Sort, site: Site<'_>, random: &mut ChaCha8Rng) -> Option<Term> {
        match self.expression(sort, site, random) {
            Some(t) => Some(t),
            None => self.constant(sort, site.command, random),
        }
    }

    fn expression(&mut self, sort: Sort, site: Site<'_>, random: &mut ChaCha8Rng) -> Option<Term> {
        let a = &mut self.places.script.arena;
        let e = self.pool.pick(a, sort, site.not, site.scope, site.command, random)?;
        // Every binder has its own variables: a copy gets new ones.
        Some(if e.binds { Substitution::new().refreshing().apply(a, e.term) } else { e.term })
    }

    fn constant(&mut self, sort: Sort, command: usize, random: &mut ChaCha8Rng) -> Option<Term> {
        let a = &mut self.places.script.arena;
        let t = self.constants.random(a, sort, random)?;
        // Elements of free sorts cannot be written, and constructors may be out of scope.
        let fine = a.dag(&[t]).iter().all(|&t| {
            let written = match a.head(t) {
                Head::Fun(f) => a.fun(f).kind != FunKind::Abstract,
                Head::Op(op, _) => self.ops.contains(op),
                _ => true,
            };
            written && self.visible.head(a, t).holds(command)
        });
        fine.then_some(t)
    }
}

/// The bounds of a range of characters.
fn range(a: &mut Arena, random: &mut ChaCha8Rng) -> SmallVec<[Term; 8]> {
    let low = random.random_range(u32::from(b'0')..=u32::from(b'z'));
    let high = random.random_range(low..=u32::from(b'z'));
    let mut one = |c: u32| a.mk_literal(smelt_smtlib::Literal::Str([c].into()));
    [one(low), one(high)].into_iter().collect()
}
