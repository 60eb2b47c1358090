//! Parameters of strategies, tried before a run is made with them.

use anyhow::{Result, anyhow, bail};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Known, OpSet, Seed, digest};
use smelt_strategy::satisfy::satisfy;
use smelt_strategy::{Input, Strategy};

/// A seed with which every strategy can begin.
const ANY: &str = "(declare-const x Int)(declare-const y Int)(assert (< x (+ y 1)))\
    (assert (or (> x 3) (= y 7)))(check-sat)";

/// Refuses parameters that the strategy refuses, before a run is made with them.
pub fn check(strategy: &dyn Strategy, parameters: &[String]) -> Result<()> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let script = smelt_smtlib::parse(ANY.as_bytes()).map_err(|e| anyhow!("{e}"))?;
    let seed = Seed::new("any".into(), digest(ANY.as_bytes()), script, vec![Known::default()]);
    let seed = satisfy(&seed, &mut random).unwrap_or(seed);
    let partners = vec![&seed; strategy.partners()];
    let ops = OpSet::all();
    let mut why = |parameters: &[String]| {
        let input = Input { seed: &seed, partners: &partners, ops: &ops, parameters };
        strategy.start(&input, &mut random).err()
    };
    match why(parameters) {
        Some(refusal) if why(&[]).is_none() => bail!("{}: {refusal}", strategy.name()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_can_be_asked() {
        for strategy in smelt_strategy::STRATEGIES {
            let check = |p: &[String]| check(*strategy, p).map_err(|e| e.to_string());
            assert_eq!(check(&[]), Ok(()));
            let refused = check(&["no-such-one=1".to_owned()]).unwrap_err();
            assert!(refused.contains("unknown parameter `no-such-one`"), "{refused}");
        }
        let opfuzz = smelt_strategy::by_name("opfuzz").unwrap();
        let refused = check(opfuzz, &["wild=maybe".to_owned()]).unwrap_err();
        assert_eq!(refused.to_string(), "opfuzz: `wild=maybe` cannot be read");
    }
}
