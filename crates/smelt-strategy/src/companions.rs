//! The checks of a seed beside the one that a chain works on. They stay in every mutant, each in a scope of its own before the check that
//! is mutated, so that the solver comes to it in the state that other checks leave behind.

use smelt_case::{Expectation, Known, Seed, Status};
use smelt_eval::Model;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::{Arena, Command, Script, Term};
use std::sync::Arc;

use crate::effort::limits;
use crate::frame::Frame;
use crate::fusion::part::whole;

/// The other checks, ready to be put behind the declarations.
#[derive(Default)]
pub(crate) struct Companions {
    /// `(push 1)`, the assertions, `(check-sat)`, `(pop 1)`, for each of them.
    pub commands: Vec<Command>,
    /// What is expected of them.
    expect: Vec<Expectation>,
}

impl Companions {
    /// The checks of a seed but for one. The script is the seed's, and the frame is taken from it.
    pub fn of(seed: &Seed, script: &Script, frame: &Frame, own: usize) -> Self {
        let mut all = Self::default();
        let others = frame.checks.iter().zip(&seed.checks).enumerate().filter(|(k, _)| *k != own);
        for (_, (assertions, known)) in others {
            all.commands.push(Command::Push(1));
            all.commands.extend(assertions.iter().map(|&t| Command::Assert(t)));
            all.commands.extend([Command::CheckSat, Command::Pop(1)]);
            let sure = whole(script, known.status).is_ok();
            all.expect.push(match known.status {
                Status::Sat if sure => {
                    Expectation::Sat(witness(&script.arena, frame, assertions, known))
                }
                Status::Unsat if sure => Expectation::Unsat,
                _ => Expectation::Open,
            });
        }
        all
    }

    /// What is expected of a mutant's checks: of these, and of the mutated one behind them.
    pub fn expect(&self, own: Expectation) -> Vec<Expectation> {
        self.expect.iter().cloned().chain([own]).collect()
    }
}

/// The model of a check, if every assertion is seen to be true under it.
fn witness(a: &Arena, frame: &Frame, assertions: &[Term], known: &Known) -> Option<Arc<Model>> {
    let mut model = Model::clone(known.model.as_ref()?);
    model.complete(a, frame.symbols.iter().copied());
    let mut values = Incremental::with_limits(model, limits());
    let holds = assertions.iter().all(|&t| values.holds(a, t) == Some(true));
    holds.then(|| Arc::new(values.model().clone()))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use smelt_case::OpSet;
    use smelt_smtlib::{PrintOptions, parse, print};

    use crate::no_lie::seed;
    use crate::recheck::{Recheck, recheck};
    use crate::{Input, by_name};

    /// A seed of three checks keeps three in every mutant, with the mutated one behind the others, and every witness holds.
    #[test]
    fn other_checks_stay() {
        let text = "(declare-const x Int)(declare-const y Int)(define-fun f ((z Int)) Int (+ z 1))\
            (push 1)(assert (> (f x) 3))(check-sat)(pop 1)(assert (< x y))(check-sat)(push 1)(assert (> y 2))(check-sat)";
        let own = seed("three", text);
        let other = seed("one", "(declare-const a Int)(assert (> a 4))(check-sat)");
        assert!(own.checks.iter().all(|c| c.model.is_some()), "random search finds models");
        let ops = OpSet::all();
        for (name, kept) in [("diver", 3), ("sparrow", 3), ("fusion", 3), ("janus", 1)] {
            let strategy = by_name(name).unwrap();
            let partners = [&other];
            let input = Input { seed: &own, partners: &partners, ops: &ops, parameters: &[] };
            let mut random = ChaCha8Rng::seed_from_u64(3);
            let mut chain = strategy.start(&input, &mut random).unwrap();
            let mut made = 0;
            while made < 20
                && let Ok(mutant) = chain.step(&mut random)
            {
                made += 1;
                assert_eq!(mutant.script.queries().len(), kept, "{name}");
                assert_eq!(mutant.expect.len(), kept, "{name}");
                let said = recheck(mutant.script, &mutant.expect);
                assert!(
                    matches!(said, Recheck::Agrees(n) if n >= kept - 1),
                    "{name}: {}",
                    mutant.what
                );
                let text = print(mutant.script, &PrintOptions::default());
                assert!(parse(text.as_bytes()).is_ok(), "{name}: {text}");
            }
            assert!(made > 3, "{name}: {made}");
            assert_eq!(strategy.leaves_checks_out(), kept == 1, "{name}");
        }
    }
}
