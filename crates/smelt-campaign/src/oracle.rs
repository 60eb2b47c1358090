//! The test oracle of ET: which solvers are asked in which configurations, so that default modes, options and regressions are all seen.

use anyhow::Result;
use smelt_solver::SolverSpec;
use smelt_trial::Resolver;
use smelt_trial::resolve::newest_at_hand;

/// The options of z3's new core.
const NEW_CORE: &str = "tactic.default_tactic=smt sat.euf=true";

/// The solvers of the oracle, and by their numbers those whose options come from the pools of their profiles, other ones for each block of words.
pub struct TestOracle {
    /// As the command line names them.
    pub solvers: Vec<String>,
    /// Numbers of those with options.
    pub varied: Vec<usize>,
}

/// In the order of the thesis: the solvers themselves (the newest z3 and cvc5, if none are given), z3's new core, the solvers with options, and
/// cvc4, if it is at hand, for what its successor has lost. All are compared with each other; the first that decides is the reference in tables.
pub fn test(resolver: &Resolver<'_>, given: &[String]) -> Result<TestOracle> {
    let newest = ["z3@latest".to_owned(), "cvc5@latest".to_owned()];
    let (mut plain, mut cores) = (Vec::new(), Vec::new());
    for name in if given.is_empty() { &newest[..] } else { given } {
        for spec in SolverSpec::parse_list(name)? {
            let (solver, spec) = resolver.pinned(spec)?;
            let written = spec.written(solver.program());
            if solver.profile().family == "z3" {
                cores.push(format!("{written} {NEW_CORE}"));
            }
            plain.push(written);
        }
    }
    let mut solvers = plain.clone();
    solvers.extend(cores);
    let varied = solvers.len()..solvers.len() + plain.len();
    solvers.extend(plain);
    let at_hand = newest_at_hand(resolver.registry);
    solvers.extend(at_hand.iter().any(|s| s.profile().name == "cvc4").then(|| "cvc4".to_owned()));
    Ok(TestOracle { solvers, varied: varied.collect() })
}
