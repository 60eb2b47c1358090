//! Figures as SVG: steps over time, and a strip of releases and bugs.

use std::fmt::Write;

use smelt_triage::Mark;

use crate::html::escape;
use crate::{Bug, Sample};

/// Width and height of a figure over time.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 220.0;

/// A line of a figure over time.
pub struct Line<'a> {
    /// Its name, where there are several.
    pub name: &'a str,
    /// Points of seconds and values.
    pub points: Vec<(f64, f64)>,
}

/// Lines over time, in steps or straight.
pub fn over_time(label: &str, lines: &[Line<'_>], steps: bool) -> String {
    let (left, right, top, bottom) = (56.0, 12.0, 12.0, 36.0);
    let points = || lines.iter().flat_map(|l| &l.points);
    let most = points().map(|p| p.1).fold(1.0, f64::max);
    let last = points().map(|p| p.0).fold(1.0, f64::max);
    let x = |t: f64| left + (WIDTH - left - right) * t / last;
    let y = |v: f64| HEIGHT - bottom - (HEIGHT - top - bottom) * v / most;
    let mut s = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" role=\"img\" aria-label=\"{}\">\n",
        escape(label)
    );
    let (x0, x1, y0, y1) = (x(0.0), x(last), y(0.0), y(most));
    let _ =
        writeln!(s, "<path class=\"axis\" fill=\"none\" d=\"M{x0:.1} {y1:.1}V{y0:.1}H{x1:.1}\"/>");
    let text = |s: &mut String, x: f64, y: f64, anchor: &str, words: &str| {
        let _ = writeln!(
            s,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escape(words)
        );
    };
    for (i, line) in lines.iter().enumerate() {
        let mut path = String::new();
        let mut before: Option<f64> = None;
        for &(t, v) in &line.points {
            let _ = match before {
                None => write!(path, "M{:.1} {:.1}", x(t), y(v)),
                Some(b) if steps => {
                    write!(path, "L{:.1} {:.1}L{:.1} {:.1}", x(t), y(b), x(t), y(v))
                }
                Some(_) => write!(path, "L{:.1} {:.1}", x(t), y(v)),
            };
            before = Some(v);
        }
        let _ = writeln!(s, "<path class=\"curve curve{i}\" d=\"{path}\"/>");
        if lines.len() > 1 {
            let end = line.points.last().map_or(y0, |p| y(p.1));
            text(&mut s, x1, (end - 6.0).max(y1 + 12.0), "end", line.name);
        }
    }
    text(&mut s, x0 - 6.0, y1 + 10.0, "end", &number(most));
    text(&mut s, x0 - 6.0, y0, "end", "0");
    text(&mut s, x0, y0 + 24.0, "start", "0:00");
    text(&mut s, x1, y0 + 24.0, "end", &clock(last));
    s + "</svg>\n"
}

/// Tests per second between samples.
pub fn throughput(samples: &[Sample]) -> Vec<(f64, f64)> {
    let pairs = samples.windows(2).filter(|w| w[1].elapsed > w[0].elapsed);
    pairs
        .map(|w| {
            let tests = w[1].tests.saturating_sub(w[0].tests) as f64;
            (w[1].elapsed, tests / (w[1].elapsed - w[0].elapsed))
        })
        .collect()
}

/// A row for each bug, a column for each release that was asked about one of them.
pub fn strip(solver: &str, bugs: &[&Bug]) -> String {
    let mut releases: Vec<&str> = Vec::new();
    for bug in bugs {
        for (name, _) in bug.fingerprint.iter().flat_map(|f| &f.releases) {
            if !releases.contains(&name.as_str()) {
                releases.push(name);
            }
        }
    }
    let order = |name: &&str| -> Vec<u64> {
        name.split(['.', '-']).map(|part| part.parse().unwrap_or(0)).collect()
    };
    releases.sort_by_key(order);
    let (cell, row, left, head) = (18.0, 20.0, 250.0, 84.0);
    let width = left + cell * releases.len() as f64 + 40.0;
    let height = head + row * bugs.len() as f64 + 6.0;
    let mut s = format!(
        "<svg class=\"strip\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" aria-label=\"{}: releases by bugs\">\n",
        escape(solver)
    );
    for (i, name) in releases.iter().enumerate() {
        let x = left + cell * (i as f64 + 0.7);
        let y = head - 8.0;
        let _ = writeln!(
            s,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" transform=\"rotate(-60 {x:.1} {y:.1})\">{}</text>",
            escape(name)
        );
    }
    for (j, bug) in bugs.iter().enumerate() {
        let y = head + row * j as f64;
        let _ = writeln!(
            s,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            y + 14.0,
            escape(&bug.id)
        );
        for (name, mark) in bug.fingerprint.iter().flat_map(|f| &f.releases) {
            let Some(i) = releases.iter().position(|r| r == name) else { continue };
            let (class, word) = match mark {
                Mark::Shows => ("shows", "has it"),
                Mark::Gone => ("gone", "does not have it"),
                Mark::Open => ("unknown", "cannot tell"),
            };
            let _ = writeln!(
                s,
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{}\" height=\"{}\" rx=\"2\"><title>{} {}</title></rect>",
                left + cell * i as f64,
                cell - 2.0,
                row - 3.0,
                escape(name),
                word
            );
        }
    }
    s + "</svg>\n"
}

/// A number with few digits.
pub fn number(n: f64) -> String {
    match n {
        n if n >= 10_000.0 => format!("{:.0}k", n / 1000.0),
        n if n >= 10.0 || n.fract() == 0.0 => format!("{n:.0}"),
        n => format!("{n:.1}"),
    }
}

/// A time as hours and minutes, or minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let all = seconds.max(0.0) as u64;
    match all / 3600 {
        0 => format!("{}:{:02} min", all / 60, all % 60),
        hours => format!("{hours}:{:02} h", all / 60 % 60),
    }
}
