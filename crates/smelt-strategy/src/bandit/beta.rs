//! The Beta distribution: a number drawn from it, and its quantiles.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A number drawn from the distribution with these parameters, both of which are 1 at least.
pub(super) fn sample((alpha, beta): (f64, f64), random: &mut ChaCha8Rng) -> f64 {
    let (a, b) = (gamma(alpha, random), gamma(beta, random));
    a / (a + b)
}

/// A number drawn from the Gamma distribution of a shape of 1 or more (Marsaglia and Tsang).
fn gamma(shape: f64, random: &mut ChaCha8Rng) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && uniform(random).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A number drawn from the normal distribution (Box and Muller).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (u, v) = (uniform(random), uniform(random));
    (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
}

/// A number above 0, up to 1.
fn uniform(random: &mut ChaCha8Rng) -> f64 {
    1.0 - random.random_range(0.0..1.0)
}

/// Below which number a share of the distribution lies, for whole parameters: a sum of binomials, searched by halving.
pub(super) fn quantile((alpha, beta): (f64, f64), share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        match below(alpha, beta, middle) < share {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

/// How much of the distribution lies below a number: at least `alpha` of `alpha + beta - 1` coins with that probability fall.
fn below(alpha: f64, beta: f64, x: f64) -> f64 {
    let n = alpha + beta - 1.0;
    let mut log = 0.0;
    let mut logs = vec![n * (1.0 - x).ln()];
    for k in 1..=(n as u64) {
        let k = k as f64;
        log += ((n - k + 1.0) / k).ln();
        logs.push(log + k * x.ln() + (n - k) * (1.0 - x).ln());
    }
    logs.iter().skip(alpha as usize).map(|l| l.exp()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn moments_and_quantiles() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for (a, b) in [(1.0, 1.0), (3.0, 1.0), (2.0, 30.0), (40.0, 10.0)] {
            let all: Vec<f64> = (0..20_000).map(|_| sample((a, b), &mut random)).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            assert!((mean - a / (a + b)).abs() < 0.01, "{a} {b}: {mean}");
            for share in [0.025, 0.5, 0.975] {
                let q = quantile((a, b), share);
                let met = all.iter().filter(|x| **x < q).count() as f64 / all.len() as f64;
                assert!((met - share).abs() < 0.01, "{a} {b} {share}: {met}");
            }
        }
        assert!((quantile((1.0, 1.0), 0.3) - 0.3).abs() < 1e-6);
    }
}
