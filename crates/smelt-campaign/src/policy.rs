//! Who is asked in which mode, and who is accused.

use std::time::Duration;

use anyhow::{Result, bail};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_solver::Mode;
use smelt_triage::{Class, TargetId};
use smelt_trial::{Panel, Target};

use crate::plan::Config;
use crate::schedule;

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

    /// Which solver is an older release of which.
    pub fn older(self, panel: &Panel) -> Vec<(TargetId, TargetId)> {
        match self {
            Self::Peers => panel.older(),
            Self::Compare | Self::Releases => {
                let n = panel.targets().len();
                let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
                pairs.map(|(a, b)| (TargetId(a), TargetId(b))).collect()
            }
        }
    }

    /// A mode for a chain, without a solver's own options. Of a release it is asked whether it decides, not for a model.
    pub fn mode(self, random: &mut ChaCha8Rng) -> Mode {
        match self {
            Self::Releases => Mode::default(),
            Self::Peers | Self::Compare => choose_mode(random),
        }
    }

    /// Who is asked about a chain on a seed that these take. Of releases the tested one comes first.
    pub fn who(self, all: &[TargetId], random: &mut ChaCha8Rng) -> Vec<TargetId> {
        match self {
            Self::Peers => schedule::solver_set(all, random),
            Self::Compare => all.to_vec(),
            Self::Releases => all.iter().rev().copied().collect(),
        }
    }

    /// How many of those who are asked about a chain are asked about this step of it.
    pub fn asked(self, step: u32, of: usize) -> usize {
        let alone = self == Self::Releases && step % ALL_RELEASES != ALL_RELEASES - 1;
        if alone { of.min(1) } else { of }
    }

    /// Whether an accusation of this class is what the campaign is about.
    pub fn accuses(self, TargetId(accused): TargetId, panel: &Panel, class: Class) -> bool {
        match self {
            Self::Peers => true,
            Self::Compare => accused == 1,
            // What an older release has lost and a newer one has again is worth a word; what else it does wrong is history.
            Self::Releases => {
                accused + 1 == panel.targets().len() || class == Class::IncompletenessRegression
            }
        }
    }
}

/// Of so many mutants of a chain one is given to all releases, for an answer that only those in the middle have lost.
const ALL_RELEASES: u32 = 20;

/// Most CPU time for what is asked beside the cases.
const SEED_LIMIT: Duration = Duration::from_secs(1);

/// CPU time for what is asked beside the cases: seeds, checks and cores alone. A frozen schedule knows one limit only.
pub fn seed_limit(config: &Config) -> Duration {
    if config.deterministic { config.most() } else { SEED_LIMIT.min(config.most()) }
}

/// A mode for a chain, without a solver's own options.
fn choose_mode(random: &mut ChaCha8Rng) -> Mode {
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
