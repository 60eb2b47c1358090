//! STORM's minimisation: binary search on the bounds of the fuzzer, which is run on the failing instance itself.
//!
//! First the number of assertions, then the depth of formulas. Unlike delta debugging this never leaves the truth: every
//! candidate is an instance of STORM with a witness, so a solver that answers `unsat` is wrong on each of them.
//!
//! Algorithm 2 as printed does not end when both ends of the search meet and the failure still shows: it is stopped there.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Expectation, Known, OpSet, Seed, Status, digest};
use smelt_smtlib::{Command, Script};
use smelt_strategy::{Input, Strategy, recheck, storm::Storm};

/// The bounds that are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Assertions of a script.
    pub assertions: u32,
    /// Depth of a formula.
    pub depth: u32,
}

impl Bounds {
    /// How large a script is.
    pub fn of(script: &Script) -> Self {
        let asserted = script.commands.iter().filter_map(|c| match c {
            Command::Assert(t) => Some(script.arena.depth(*t)),
            _ => None,
        });
        let depths: Vec<u32> = asserted.collect();
        Self { assertions: depths.len() as u32, depth: depths.into_iter().max().unwrap_or(0) }
    }
}

/// What a minimisation gave.
pub struct Minimised {
    /// The smallest failing script, with its witness; the seed itself if no instance of it fails.
    pub seed: Seed,
    /// Whether any instance failed.
    pub found: bool,
    /// How many scripts were tried.
    pub tried: u64,
}

/// Minimises a script with one check and a model. Each round makes so many instances; `fails` says which of them show the
/// failure, that is, on which of them the solver still answers `unsat`.
pub fn minimise(
    seed: Seed,
    instances: u32,
    stream: u64,
    fails: &mut dyn FnMut(&Script) -> bool,
) -> Minimised {
    let start = Bounds::of(&seed.script);
    let mut state = State {
        best: seed,
        found: false,
        tried: 0,
        instances,
        random: ChaCha8Rng::seed_from_u64(stream),
        fails,
    };
    let depth = start.depth;
    state.search(start.assertions, |n| Bounds { assertions: n, depth }, |b| b.assertions);
    let Bounds { assertions, depth } = Bounds::of(&state.best.script);
    state.search(depth, |n| Bounds { assertions, depth: n }, |b| b.depth);
    Minimised { seed: state.best, found: state.found, tried: state.tried }
}

struct State<'a> {
    best: Seed,
    found: bool,
    tried: u64,
    instances: u32,
    random: ChaCha8Rng,
    fails: &'a mut dyn FnMut(&Script) -> bool,
}

impl State<'_> {
    fn search(
        &mut self,
        most: u32,
        bounds: impl Fn(u32) -> Bounds,
        measure: impl Fn(Bounds) -> u32,
    ) {
        let (mut low, mut high) = (1, most);
        while low <= high {
            let middle = low + (high - low) / 2;
            match self.fuzz(bounds(middle), &measure) {
                Some(smaller) => {
                    let size = measure(Bounds::of(&smaller.script));
                    self.best = smaller;
                    self.found = true;
                    if low == high {
                        break;
                    }
                    high = middle.min(size.max(low));
                }
                None => low = middle + 1,
            }
        }
    }

    /// The smallest failing instance within the bounds, by the measure, of those that are made.
    fn fuzz(&mut self, bounds: Bounds, measure: &impl Fn(Bounds) -> u32) -> Option<Seed> {
        // A failure under a tactic is looked for under the same tactic.
        let tactic = self.best.script.commands.iter().find_map(|c| match c {
            Command::CheckSatUsing(tactic) => Some(&**tactic),
            _ => None,
        });
        let parameters = [
            format!("tactics={}", tactic.unwrap_or("")),
            "mode=plain".to_owned(),
            "assignments=1".to_owned(),
            format!("amax={}", bounds.assertions),
            format!("dmax={}", bounds.depth),
            format!("nm={}", self.instances),
        ];
        let ops = OpSet::all();
        let best = self.best.clone();
        let input = Input { seed: &best, partners: &[], ops: &ops, parameters: &parameters };
        let mut chain = Storm.start(&input, &mut self.random).ok()?;
        let mut smallest: Option<(u32, Seed)> = None;
        while let Ok(mutant) = chain.step(&mut self.random) {
            let size = measure(Bounds::of(mutant.script));
            if smallest.as_ref().is_some_and(|(s, _)| *s <= size) {
                continue;
            }
            self.tried += 1;
            let [Expectation::Sat(Some(witness))] = &mutant.expect[..] else { continue };
            if (self.fails)(mutant.script) {
                let text = recheck::text(mutant.script);
                let known = Known {
                    status: Status::Sat,
                    basis: Basis::Evaluated,
                    model: Some(witness.clone()),
                };
                let script = mutant.script.clone();
                let seed =
                    Seed::new(best.name.clone(), digest(text.as_bytes()), script, vec![known]);
                smallest = Some((size, seed));
            }
        }
        smallest.map(|(_, s)| s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::{Head, Op, parse};

    /// Whether some assertion is a negated conjunction.
    fn buggy(script: &Script) -> bool {
        let a = &script.arena;
        script.commands.iter().any(|c| match c {
            Command::Assert(t) => {
                matches!(a.head(*t), Head::Op(Op::Not, _))
                    && matches!(a.head(a.args(*t)[0]), Head::Op(Op::And, _))
            }
            _ => false,
        })
    }

    fn seed(text: &str) -> Seed {
        let script = parse(text.as_bytes()).unwrap();
        Seed::new("test".into(), digest(text.as_bytes()), script, vec![Known::default()])
    }

    const SCRIPT: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)\
        (assert (or p (and q (not r))))(assert (not (and (and p q) (not (and q r)))))\
        (assert (=> p (or q (not (and p r)))))(assert (xor p (and q (or r p))))(assert (not (= p q)))(check-sat)";

    #[test]
    fn one_assertion_of_depth_three_is_left() {
        let result = minimise(seed(SCRIPT), 200, 5, &mut buggy);
        assert!(result.found && result.tried > 0);
        assert!(buggy(&result.seed.script));
        assert_eq!(Bounds::of(&result.seed.script), Bounds { assertions: 1, depth: 3 });
        // The witness came along.
        let known = result.seed.checks[0].clone();
        let expect = [Expectation::Sat(known.model)];
        assert_eq!(recheck::recheck(&result.seed.script, &expect), recheck::Recheck::Agrees(1));
    }

    /// A failure that shows under a tactic only keeps the tactic.
    #[test]
    fn tactics() {
        let text = SCRIPT.replace("(check-sat)", "(check-sat-using (then simplify smt))");
        let tactic = Command::CheckSatUsing("(then simplify smt)".into());
        let mut fails = |s: &Script| buggy(s) && s.commands.last() == Some(&tactic);
        let result = minimise(seed(&text), 100, 5, &mut fails);
        assert!(result.found && fails(&result.seed.script));
    }

    /// Ends where the published algorithm would not, and gives the script back where nothing fails.
    #[test]
    fn it_ends() {
        let always = minimise(seed(SCRIPT), 20, 5, &mut |_| true);
        assert_eq!(Bounds::of(&always.seed.script).assertions, 1);
        let never = minimise(seed(SCRIPT), 20, 5, &mut |_| false);
        assert!(!never.found);
        assert_eq!(Bounds::of(&never.seed.script).assertions, 5);
    }
}
