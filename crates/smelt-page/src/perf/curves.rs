//! A plot of curves over numbers: each a list of points, from left to right.

use std::fmt::Write;

use crate::evolution::plot::tick;
use crate::html::escape;

/// One curve.
pub struct Curve {
    /// What it is, for who hovers over it.
    pub name: String,
    /// Which of the colours.
    pub colour: usize,
    /// Whether it is drawn broken.
    pub dashed: bool,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Between which values it lies at each point, if that is drawn: the point, the lower and the upper one.
    pub band: Vec<(f64, f64, f64)>,
}

/// A plot.
pub struct Curves {
    /// What it shows.
    pub title: String,
    /// What the numbers from left to right are, and those from bottom to top.
    pub axes: [String; 2],
    /// What is drawn.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 42.0;

impl Curves {
    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let points = || {
            let bands = |c: &Curve| c.band.iter().map(|b| (b.0, b.2)).collect::<Vec<_>>();
            self.curves.iter().flat_map(move |c| c.points.iter().copied().chain(bands(c)))
        };
        let most = |value: fn((f64, f64)) -> f64| match points().map(value).fold(0.0, f64::max) {
            most if most > 0.0 && most.is_finite() => most,
            _ => 1.0,
        };
        let (right, top) = (most(|p| p.0), most(|p| p.1) * 1.05);
        let x = |v: f64| LEFT + (WIDTH - LEFT - RIGHT) * (v / right).clamp(0.0, 1.0);
        let y = |v: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (v / top).clamp(0.0, 1.0);
        let mut s = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escape(&self.title)
        );
        let mut text = |class: &str, x: f64, y: f64, anchor: &str, words: &str| {
            let _ = writeln!(
                s,
                "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
                escape(words)
            );
        };
        text(" class=\"name\"", LEFT, 13.0, "start", &self.title);
        for value in marks(top) {
            text("", LEFT - 5.0, y(value) + 3.5, "end", &tick(value));
        }
        // From left to right things are counted.
        for value in marks(right).into_iter().filter(|v| v.fract() == 0.0) {
            text("", x(value), HEIGHT - BOTTOM + 14.0, "middle", &tick(value));
        }
        let [across, up] = &self.axes;
        text("", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8.0, "middle", across);
        text("", WIDTH - RIGHT, 13.0, "end", up);
        for value in marks(top) {
            let _ = writeln!(
                s,
                "<path class=\"grid\" d=\"M{LEFT} {:.1}H{:.1}\"/>",
                y(value),
                WIDTH - RIGHT
            );
        }
        let bottom = HEIGHT - BOTTOM;
        let _ = writeln!(
            s,
            "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP}V{bottom}H{:.1}\"/>",
            WIDTH - RIGHT
        );
        for c in self.curves.iter().filter(|c| !c.band.is_empty()) {
            let there = c.band.iter().map(|b| (b.0, b.2));
            let back = c.band.iter().rev().map(|b| (b.0, b.1));
            let mut path = String::new();
            for (i, (px, py)) in there.chain(back).enumerate() {
                let pen = if i == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{pen}{:.1} {:.1}", x(px), y(py));
            }
            let _ = writeln!(s, "<path class=\"band c{}\" d=\"{path}Z\"/>", c.colour);
        }
        for c in &self.curves {
            let mut path = String::new();
            for (i, (px, py)) in c.points.iter().enumerate() {
                let pen = if i == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{pen}{:.1} {:.1}", x(*px), y(*py));
            }
            let dashed = if c.dashed { " dashed" } else { "" };
            let _ = writeln!(
                s,
                "<path class=\"line c{}{dashed}\" d=\"{path}\"><title>{}</title></path>",
                c.colour,
                escape(&c.name)
            );
        }
        s + "</svg>\n"
    }
}

/// Round numbers up to another one, about four of them.
fn marks(most: f64) -> Vec<f64> {
    let whole = most / 4.0;
    let unit = 10f64.powf(whole.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * unit).find(|s| *s >= whole);
    let step = step.unwrap_or(unit);
    (0..6).map(|i| f64::from(i) * step).filter(|v| *v <= most).collect()
}
