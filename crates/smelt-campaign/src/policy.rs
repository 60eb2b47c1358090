//! Who is asked in which mode.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_solver::Mode;

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
