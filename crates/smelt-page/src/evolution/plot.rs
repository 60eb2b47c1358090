//! One plot: values of releases as lines or bars, each with a text that hovering shows and, maybe, a script that a click shows.

use std::fmt::Write;

use crate::html::escape;

/// How values become heights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// From zero.
    Linear,
    /// From the least of the values, which all are near each other.
    Near,
    /// By powers of ten; zero is below one.
    Log,
}

/// One value.
#[derive(Clone, Default)]
pub struct Dot {
    /// The value, if there is one.
    pub value: Option<f64>,
    /// The least and the most of several runs.
    pub ends: Option<(f64, f64)>,
    /// What hovering shows.
    pub text: String,
    /// The number of a script that a click shows.
    pub script: Option<usize>,
}

/// Values that belong together.
pub struct Series {
    /// Which of the colours.
    pub colour: usize,
    /// Whether they are drawn broken.
    pub dashed: bool,
    /// A value for each place.
    pub dots: Vec<Dot>,
}

/// A plot.
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The places, from left to right.
    pub places: Vec<String>,
    /// What is drawn.
    pub series: Vec<Series>,
    /// How values become heights.
    pub scale: Scale,
    /// Bars instead of lines.
    pub bars: bool,
}

/// Size of a plot, and what is left beside the values.
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 52.0;

impl Plot {
    /// Whether there is nothing but zeros in it.
    pub fn is_flat(&self) -> bool {
        self.series.iter().flat_map(|s| &s.dots).all(|d| d.value.unwrap_or(0.0) == 0.0)
    }

    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let mut s = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escape(&self.title)
        );
        let _ = writeln!(
            s,
            "<text class=\"name\" x=\"{LEFT}\" y=\"13\">{}</text>",
            escape(&self.title)
        );
        let range = self.range();
        self.axes(&range, &mut s);
        for (i, series) in self.series.iter().enumerate() {
            if self.bars {
                self.draw_bars(&range, i, series, &mut s);
            } else {
                self.draw_line(&range, series, &mut s);
            }
        }
        s + "</svg>\n"
    }

    fn range(&self) -> Range {
        let dots = || self.series.iter().flat_map(|s| &s.dots);
        let values = || {
            dots().flat_map(|d| {
                d.value.into_iter().chain(d.ends.into_iter().flat_map(|e| [e.0, e.1]))
            })
        };
        let most = values().fold(0.0, f64::max);
        let least = values().fold(f64::INFINITY, f64::min);
        match self.scale {
            Scale::Log => {
                Range { scale: self.scale, low: 0.0, high: (most.max(10.0)).log10().ceil() }
            }
            Scale::Near if least.is_finite() && most > least => {
                let margin = (most - least) * 0.15;
                Range { scale: self.scale, low: (least - margin).max(0.0), high: most + margin }
            }
            _ => Range {
                scale: self.scale,
                low: 0.0,
                high: if most > 0.0 { most * 1.05 } else { 1.0 },
            },
        }
    }

    fn x(&self, i: usize) -> f64 {
        let step = (WIDTH - LEFT - RIGHT) / self.places.len().max(1) as f64;
        LEFT + step * (i as f64 + 0.5)
    }

    fn axes(&self, range: &Range, s: &mut String) {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for (value, words) in range.marks() {
            let y = range.y(value);
            let _ = writeln!(s, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
            let _ = writeln!(
                s,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{words}</text>",
                LEFT - 5.0,
                y + 3.5
            );
        }
        let _ = writeln!(
            s,
            "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>"
        );
        for (i, place) in self.places.iter().enumerate() {
            let (x, y) = (self.x(i) + 3.0, bottom + 10.0);
            let _ = writeln!(
                s,
                "<text class=\"place\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" transform=\"rotate(-55 {x:.1} {y:.1})\">{}</text>",
                escape(place)
            );
        }
    }

    fn draw_line(&self, range: &Range, series: &Series, s: &mut String) {
        let mut path = String::new();
        let mut pen = 'M';
        for (i, dot) in series.dots.iter().enumerate() {
            match dot.value {
                Some(v) => {
                    let _ = write!(path, "{pen}{:.1} {:.1}", self.x(i), range.y(v));
                    pen = 'L';
                }
                None => pen = 'M',
            }
        }
        let dashed = if series.dashed { " dashed" } else { "" };
        let _ = writeln!(s, "<path class=\"line c{}{dashed}\" d=\"{path}\"/>", series.colour);
        for (i, dot) in series.dots.iter().enumerate() {
            let Some(v) = dot.value else { continue };
            let x = self.x(i);
            if let Some((low, high)) = dot.ends.filter(|e| e.1 > e.0) {
                let _ = writeln!(
                    s,
                    "<path class=\"line c{}\" d=\"M{x:.1} {:.1}V{:.1}\"/>",
                    series.colour,
                    range.y(low),
                    range.y(high)
                );
            }
            let _ = writeln!(
                s,
                "<circle class=\"dot c{}\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"{}\"{}><title>{}</title></circle>",
                series.colour,
                range.y(v),
                if dot.script.is_some() { 4.5 } else { 2.6 },
                clickable(dot),
                escape(&dot.text)
            );
        }
    }

    fn draw_bars(&self, range: &Range, at: usize, series: &Series, s: &mut String) {
        let step = (WIDTH - LEFT - RIGHT) / self.places.len().max(1) as f64;
        let width = step * 0.8 / self.series.len().max(1) as f64;
        for (i, dot) in series.dots.iter().enumerate() {
            let Some(v) = dot.value else { continue };
            let x = self.x(i) - step * 0.4 + width * at as f64;
            let (top, bottom) = (range.y(v), HEIGHT - BOTTOM);
            let _ = writeln!(
                s,
                "<rect class=\"dot c{}\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"{}><title>{}</title></rect>",
                series.colour,
                (bottom - top).max(0.0),
                clickable(dot),
                escape(&dot.text)
            );
        }
    }
}

fn clickable(dot: &Dot) -> String {
    let to = |n| format!(" data-script=\"{n}\" tabindex=\"0\" role=\"button\"");
    dot.script.map_or_else(String::new, to)
}

/// Which values are drawn where.
struct Range {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Range {
    fn y(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Log if value < 1.0 => -0.5 + 0.5 * value,
            Scale::Log => value.log10(),
            _ => value,
        };
        let low = if self.scale == Scale::Log { -0.5 } else { self.low };
        let share = (value - low) / (self.high - low);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share.clamp(0.0, 1.0)
    }

    /// Where lines are drawn across, with their names.
    fn marks(&self) -> Vec<(f64, String)> {
        if self.scale == Scale::Log {
            let zero = std::iter::once((0.0, "0".to_owned()));
            let powers = (0..=self.high as i32).map(|k| (10f64.powi(k), tick(10f64.powi(k))));
            return zero.chain(powers).collect();
        }
        let whole = (self.high - self.low) / 4.0;
        let unit = 10f64.powf(whole.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * unit).find(|s| *s >= whole);
        let step = step.unwrap_or(unit);
        let first = (self.low / step).ceil() as i64;
        (first..first + 6)
            .map(|i| i as f64 * step)
            .filter(|v| *v <= self.high)
            .map(|v| (v, tick(v)))
            .collect()
    }
}

/// A number on an axis.
pub(crate) fn tick(n: f64) -> String {
    let text = match n {
        n if n >= 10_000.0 => return format!("{}k", n / 1000.0),
        n if n >= 1.0 || n == 0.0 => format!("{n:.2}"),
        n => format!("{n:.4}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
