//! Machines by time: a row for each, and how many tests per second it made, as shades.

use std::fmt::Write;

use crate::Machine;
use crate::chart::{clock, number};
use crate::html::escape;

/// Parts of time.
const COLUMNS: u64 = 48;
/// Shades, the last for the most tests.
const SHADES: f64 = 5.0;

/// Characters of a name that are shown; all of it is shown to who points at it.
const NAMED: usize = 32;

/// What a row is called.
fn name(machine: &Machine) -> String {
    match machine.about.as_str() {
        "" => machine.name.clone(),
        about => format!("{}, {about}", machine.name),
    }
}

/// The figure; nothing if no machine has done anything yet.
pub fn by_time(machines: &[Machine]) -> Option<String> {
    let times = || machines.iter().flat_map(|m| &m.samples).map(|(at, _)| *at);
    let (from, to) = (times().min()?, times().max()?);
    let step = (to - from).div_ceil(COLUMNS).max(1);
    let columns = (to - from) / step + 1;
    let rows: Vec<Vec<f64>> =
        machines.iter().map(|m| rates(&m.samples, from, step, columns)).collect();
    let most = rows.iter().flatten().copied().fold(0.0, f64::max);
    let names: Vec<String> = machines.iter().map(name).collect();
    let longest = names.iter().map(|n| n.chars().count().min(NAMED)).max().unwrap_or(0);
    let (cell, row, left) = (11.0, 22.0, 7.0 * longest as f64 + 16.0);
    let width = left + cell * columns as f64 + 8.0;
    let width = width.max(left + 160.0);
    let height = row * machines.len() as f64 + 24.0;
    let mut s = format!(
        "<svg class=\"strip\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" aria-label=\"Tests per second of each machine, over time\">\n"
    );
    for (j, (name, rates)) in names.iter().zip(&rows).enumerate() {
        let y = row * j as f64;
        let short: String = name.chars().take(NAMED).collect();
        let _ = writeln!(
            s,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}<title>{}</title></text>",
            left - 8.0,
            y + 14.0,
            escape(&short),
            escape(name)
        );
        for (i, rate) in rates.iter().enumerate() {
            let shade = if *rate > 0.0 { (rate / most * SHADES).ceil().max(1.0) } else { 0.0 };
            let _ = writeln!(
                s,
                "<rect class=\"shade{shade}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{}\" height=\"{}\"><title>{}: {} tests per second</title></rect>",
                left + cell * i as f64,
                cell - 1.0,
                row - 3.0,
                clock((i as u64 * step) as f64),
                number(*rate)
            );
        }
    }
    let y = height - 6.0;
    let end = left + cell * columns as f64;
    let _ = writeln!(s, "<text x=\"{left}\" y=\"{y}\">0:00</text>");
    if columns > 12 {
        let _ = writeln!(
            s,
            "<text x=\"{end:.1}\" y=\"{y}\" text-anchor=\"end\">{}</text>",
            clock((columns * step) as f64)
        );
    }
    Some(s + "</svg>\n")
}

/// Tests per second in each part of the time.
fn rates(samples: &[(u64, u64)], from: u64, step: u64, columns: u64) -> Vec<f64> {
    let mut tests = vec![0.0; columns as usize];
    for pair in samples.windows(2) {
        let [(a, before), (b, after)] = pair else { continue };
        if b <= a {
            continue;
        }
        // What was done between two samples is spread over the parts between them.
        let each = after.saturating_sub(*before) as f64 / (b - a) as f64;
        let (first, last) = ((a - from) / step, (b - from) / step);
        for column in first..=last.min(columns - 1) {
            let begin = (from + column * step).max(*a);
            let end = (from + (column + 1) * step).min(*b);
            tests[column as usize] += each * end.saturating_sub(begin) as f64;
        }
    }
    tests.into_iter().map(|n| n / step as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_spread_over_the_time_between_samples() {
        assert_eq!(rates(&[(10, 0), (14, 8)], 10, 2, 3), [2.0, 2.0, 0.0]);
        assert_eq!(rates(&[(10, 0), (11, 3), (13, 3), (14, 4)], 10, 2, 3), [1.5, 0.5, 0.0]);
        // A clock that goes back, or a machine that begins anew, makes no test.
        assert_eq!(rates(&[(12, 9), (11, 3), (11, 2)], 10, 2, 2), [0.0, 0.0]);
    }
}
