//! Whether times are longer than others beyond noise: two exact rank tests, and an interval for a rate.

/// How likely it is that all of the first numbers together rank so high among all, or higher, if both came from one source: the exact rank-sum
/// test (Mann and Whitney), one-sided, with mean ranks for equal numbers. For small samples: all ways to choose are counted.
pub fn rank_sum(higher: &[f64], lower: &[f64]) -> f64 {
    let n = higher.len();
    if n == 0 || lower.is_empty() {
        return 1.0;
    }
    let all: Vec<f64> = higher.iter().chain(lower).copied().collect();
    let ranks = doubled_ranks(&all);
    let observed: usize = ranks[..n].iter().sum();
    // ways[k][s]: choices of k of the numbers whose doubled ranks sum to s.
    let most: usize = ranks.iter().sum();
    let mut ways = vec![vec![0.0f64; most + 1]; n + 1];
    ways[0][0] = 1.0;
    for &rank in &ranks {
        for k in (1..=n).rev() {
            for s in (rank..=most).rev() {
                ways[k][s] += ways[k - 1][s - rank];
            }
        }
    }
    let total: f64 = ways[n].iter().sum();
    ways[n][observed..].iter().sum::<f64>() / total
}

/// How likely it is that differences are so much above zero, or more, if either sign is as likely: the signed-rank test (Wilcoxon),
/// one-sided. Exact up to 60 differences, by the normal distribution beyond.
pub fn signed_rank(differences: &[f64]) -> f64 {
    let differences: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    if differences.is_empty() {
        return 1.0;
    }
    let ranks = doubled_ranks(&differences.iter().map(|d| d.abs()).collect::<Vec<_>>());
    let positive = ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0);
    let observed: usize = positive.map(|(rank, _)| *rank).sum();
    let most: usize = ranks.iter().sum();
    if ranks.len() > 60 {
        let mean = most as f64 / 2.0;
        let variance = ranks.iter().map(|r| (*r as f64).powi(2)).sum::<f64>() / 4.0;
        return above((observed as f64 - 1.0 - mean) / variance.sqrt());
    }
    let mut ways = vec![0.0f64; most + 1];
    ways[0] = 1.0;
    for &rank in &ranks {
        for s in (rank..=most).rev() {
            ways[s] += ways[s - rank];
        }
    }
    ways[observed..].iter().sum::<f64>() / ways.iter().sum::<f64>()
}

/// Twice the rank of each number, so that the mean rank of equal ones is whole.
fn doubled_ranks(numbers: &[f64]) -> Vec<usize> {
    let rank = |x: &f64| {
        let below = numbers.iter().filter(|y| *y < x).count();
        let equal = numbers.iter().filter(|y| *y == x).count();
        2 * below + equal + 1
    };
    if numbers.len() <= 64 {
        return numbers.iter().map(rank).collect();
    }
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut ranks = vec![0; numbers.len()];
    let mut first = 0;
    while first < order.len() {
        let same = order[first..].iter().take_while(|&&i| numbers[i] == numbers[order[first]]);
        let next = first + same.count();
        order[first..next].iter().for_each(|&i| ranks[i] = first + next + 1);
        first = next;
    }
    ranks
}

/// How much of the normal distribution is above a point (Abramowitz and Stegun 7.1.26, to 1.5e-7; far out by the tail's first term).
fn above(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - above(-z);
    }
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z > 4.0 {
        return density / z;
    }
    let x = z / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let sum = series.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    0.5 * sum * (-x * x).exp()
}

/// Between which rates the true one lies with 95 % if so many of so many were met (Wilson).
pub fn interval(met: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (of as f64, 1.96);
    let p = met as f64 / n;
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expect: f64) {
        assert!((found - expect).abs() < 1e-4 + expect.abs() * 1e-2, "{found} for {expect}");
    }

    /// Values of the tables of both tests.
    #[test]
    fn tests_of_ranks() {
        near(rank_sum(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]), 1.0 / 20.0);
        near(rank_sum(&[6.0, 7.0, 8.0, 9.0, 10.0], &[1.0, 2.0, 3.0, 4.0, 5.0]), 1.0 / 252.0);
        near(rank_sum(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 1.0);
        near(rank_sum(&[1.0, 1.0], &[1.0, 1.0]), 1.0);
        near(rank_sum(&[2.0, 4.0], &[1.0, 3.0]), 2.0 / 6.0);
        near(signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0]), 1.0 / 32.0);
        near(signed_rank(&[-1.0, 2.0, 3.0, 4.0, 5.0]), 2.0 / 32.0);
        near(signed_rank(&[-1.0, -2.0, -3.0]), 1.0);
        near(signed_rank(&[0.0, 0.0]), 1.0);
        // By the normal distribution: 100 differences, of which the 75 largest are positive.
        let differences: Vec<f64> =
            (1..=100).map(|i| if i <= 25 { -f64::from(i) } else { f64::from(i) }).collect();
        assert!(signed_rank(&differences) < 1e-12);
        let mixed: Vec<f64> =
            (1..=100).map(|i| if i % 2 == 0 { -f64::from(i) } else { f64::from(i) }).collect();
        near(signed_rank(&mixed), 0.535);
        assert_eq!(rank_sum(&[], &[1.0]), 1.0);
    }

    #[test]
    fn intervals() {
        let check = |met, of, expect: (f64, f64)| {
            let (low, high) = interval(met, of);
            near(low, expect.0);
            near(high, expect.1);
        };
        check(0, 100, (0.0, 0.0370));
        check(50, 100, (0.4038, 0.5962));
        check(100, 100, (0.9630, 1.0));
        check(0, 0, (0.0, 1.0));
    }
}
