//! Who is asked in which mode, and who is accused.

use anyhow::{Result, bail};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_solver::Mode;
use smelt_triage::Class;
use smelt_trial::Target;

/// How the solvers of a campaign are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Each is tested, and compared with the others.
    Peers,
    /// The first is the base: only what the second does worse is reported.
    Compare,
    /// Releases of one solver, the oldest first. The last is tested; the others are asked what it does not decide.
    Releases,
}

impl Policy {
    /// Brings the solvers in order, and refuses those that cannot be used together.
    pub fn arrange(self, targets: &mut [Target]) -> Result<()> {
        match self {
            Self::Peers => {}
            Self::Compare if targets.len() != 2 => bail!("--base and --new take one solver each"),
            Self::Compare => {}
            Self::Releases => {
                for pair in targets.windows(2) {
                    if pair[0].family() != pair[1].family() {
                        let (a, b) = (&pair[0].label, &pair[1].label);
                        bail!("{a} and {b} are not releases of one solver");
                    }
                }
                // Those without a version stay as they were given.
                if targets.iter().all(|t| t.solver.version().is_some()) {
                    targets.sort_by_key(|t| {
                        (t.solver.profile().name.clone(), t.solver.version().cloned())
                    });
                }
            }
        }
        Ok(())
    }

    /// Which target is an older release of which.
    pub fn older(self, targets: &[Target]) -> Vec<(String, String)> {
        let older = |a: usize, b: usize| match self {
            Self::Compare | Self::Releases => a < b,
            Self::Peers => {
                let (a, b) = (&targets[a].solver, &targets[b].solver);
                a.profile().name == b.profile().name && a.version() < b.version()
            }
        };
        let n = targets.len();
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|&(a, b)| older(a, b));
        pairs.map(|(a, b)| (targets[a].label.clone(), targets[b].label.clone())).collect()
    }

    /// Whether an accusation of this class against one of so many targets is what the campaign is about.
    pub fn accuses(self, accused: usize, of: usize, class: Class) -> bool {
        match self {
            Self::Peers => true,
            Self::Compare => accused == 1,
            // What an older release has lost and a newer one has again is worth a word; what else it does wrong is history.
            Self::Releases => accused + 1 == of || class == Class::IncompletenessRegression,
        }
    }
}

/// A mode for a chain, without a solver's own options.
pub fn choose_mode(random: &mut ChaCha8Rng) -> Mode {
    let plain = Mode::plain();
    match random.random_range(0..20) {
        0..=1 => Mode { models: false, ..plain },
        2..=3 => Mode { self_check: true, ..plain },
        4..=5 => Mode { cores: true, ..plain },
        6..=7 => Mode { push_pop: true, ..plain },
        8 => Mode { proofs: true, ..plain },
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn every_way_of_checking_has_its_turn() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let modes: Vec<Mode> = (0..400).map(|_| choose_mode(&mut random)).collect();
        assert!(modes.iter().any(|m| m.proofs) && modes.iter().any(|m| m.self_check));
        assert!(modes.iter().any(|m| m.cores) && modes.iter().any(|m| m.push_pop));
    }
}
