//! How much better one technique is than another, and how sure that is.

use crate::evolve::statistics::rank_sum;

/// How likely a difference of two samples is by chance, whichever way it goes: the exact rank-sum test (Mann and Whitney), two-sided.
pub fn two_sided(own: &[f64], other: &[f64]) -> f64 {
    (2.0 * rank_sum(own, other).min(rank_sum(other, own))).min(1.0)
}

/// How often a number of the first sample is higher than one of the other, equal ones by half (Vargha and Delaney's Â12).
pub fn a12(own: &[f64], other: &[f64]) -> f64 {
    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let wins: f64 = pairs
        .map(|(a, b)| {
            if a > b {
                1.0
            } else if a == b {
                0.5
            } else {
                0.0
            }
        })
        .sum();
    match own.len() * other.len() {
        0 => 0.5,
        all => wins / all as f64,
    }
}

/// The usual words for Â12, by its distance from one half (Vargha and Delaney: 0.56, 0.64, 0.71).
pub fn word(a12: f64) -> &'static str {
    // The bounds are in hundredths; what is computed is not quite.
    match (a12 - 0.5).abs() + 1e-9 {
        d if d >= 0.21 => "large",
        d if d >= 0.14 => "medium",
        d if d >= 0.06 => "small",
        _ => "negligible",
    }
}

/// The p of several tests with the correction of Holm, in their order.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut out = vec![1.0; p.len()];
    let mut least: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        // None is surer than one before it.
        least = least.max((p[i] * (p.len() - rank) as f64).min(1.0));
        out[i] = least;
    }
    out
}

/// The middle of numbers.
pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (below, above) =
        (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some((below + above) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expect: f64) {
        assert!((found - expect).abs() < 1e-9, "{found} for {expect}");
    }

    #[test]
    fn two_samples() {
        let (low, high) = ([1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]);
        near(two_sided(&high, &low), 2.0 / 252.0);
        near(two_sided(&low, &high), 2.0 / 252.0);
        near(two_sided(&low, &low), 1.0);
        near(two_sided(&[], &low), 1.0);
        near(a12(&high, &low), 1.0);
        near(a12(&low, &high), 0.0);
        near(a12(&low, &low), 0.5);
        near(a12(&[1.0, 3.0], &[1.0, 2.0]), 0.625);
        near(a12(&[], &low), 0.5);
    }

    #[test]
    fn words() {
        for (a12, expect) in [
            (0.5, "negligible"),
            (0.55, "negligible"),
            (0.56, "small"),
            (0.44, "small"),
            (0.64, "medium"),
            (0.36, "medium"),
            (0.71, "large"),
            (0.0, "large"),
        ] {
            assert_eq!(word(a12), expect, "{a12}");
        }
    }

    /// The example of Holm's procedure in textbooks.
    #[test]
    fn several_tests() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expect) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            near(*found, expect);
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }

    #[test]
    fn middles() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0]), Some(2.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
    }
}
