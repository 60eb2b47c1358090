//! Which techniques have found a bug, as an UpSet plot: a column for each set of techniques, as high as it has bugs.

use std::fmt::Write;

use smelt_campaign::lab::data::Shared;

use crate::html::escape;

/// Columns that are drawn; the table has all.
const MOST: usize = 24;

const COLUMN: f64 = 26.0;
const ROW: f64 = 20.0;
const LEFT: f64 = 150.0;
const BARS: f64 = 110.0;
const TOP: f64 = 22.0;

/// The plot.
pub fn svg(techniques: &[&str], shared: &[Shared]) -> String {
    let shown = &shared[..shared.len().min(MOST)];
    let most = shown.iter().map(|s| s.bugs).max().unwrap_or(0).max(1) as f64;
    let (width, base) = (LEFT + COLUMN * shown.len().max(1) as f64 + 8.0, TOP + BARS);
    let height = base + 14.0 + ROW * techniques.len() as f64;
    let mut s = format!(
        "<svg class=\"upset\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" aria-label=\"bugs by the techniques that have found them\">\n"
    );
    let y = |i: usize| base + 14.0 + ROW * (i as f64 + 0.5);
    for (i, name) in techniques.iter().enumerate() {
        let _ = writeln!(
            s,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y(i) + 4.0,
            escape(name)
        );
    }
    for (j, set) in shown.iter().enumerate() {
        let x = LEFT + COLUMN * (j as f64 + 0.5);
        let high = BARS * set.bugs as f64 / most;
        let _ = writeln!(
            s,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\"><title>{}: {}</title></rect>\n\
            <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x - 8.0,
            base - high,
            16.0,
            escape(&set.by.join(" and ")),
            set.bugs,
            base - high - 4.0,
            set.bugs
        );
        let own: Vec<usize> =
            (0..techniques.len()).filter(|&i| set.by.iter().any(|t| t == techniques[i])).collect();
        if let (Some(first), Some(last)) = (own.first(), own.last()) {
            let _ = writeln!(
                s,
                "<path class=\"link\" d=\"M{x:.1} {:.1}V{:.1}\"/>",
                y(*first),
                y(*last)
            );
        }
        for i in 0..techniques.len() {
            let class = if own.contains(&i) { "dot" } else { "none" };
            let _ =
                writeln!(s, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"5\"/>", y(i));
        }
    }
    s + "</svg>\n"
}
