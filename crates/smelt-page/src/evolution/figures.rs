//! The figures: a plot for each group and solver.

use smelt_campaign::evolve::Evolution;
use smelt_campaign::evolve::data::{Cell, Spread};

use super::plot::{Dot, Plot, Scale, Series};

/// A value of a cell that a figure shows.
pub type Of<'f> = dyn Fn(&Cell) -> Spread + 'f;

/// What a figure shows: a name, which colour, whether broken, and the value.
pub struct Shown<'f> {
    /// What it is.
    pub name: &'f str,
    /// Which of the colours.
    pub colour: usize,
    /// Whether its line is broken.
    pub dashed: bool,
    /// The value.
    pub of: Box<Of<'f>>,
}

/// Where scripts are found: by release, group and class of fault.
pub type Scripts = std::collections::BTreeMap<(usize, usize, String), usize>;

/// How a figure is drawn.
#[derive(Clone, Copy)]
pub struct Look {
    /// How values become heights.
    pub scale: Scale,
    /// Bars instead of lines.
    pub bars: bool,
    /// What values are counted in, behind each.
    pub unit: &'static str,
}

/// A number for people.
pub fn number(n: f64) -> String {
    match n.abs() {
        a if a >= 100.0 || n.fract() == 0.0 => format!("{n:.0}"),
        a if a >= 1.0 => format!("{n:.2}"),
        _ => format!("{n:.4}"),
    }
}

/// A plot of one group and solver.
pub fn plot(
    e: &Evolution,
    group: usize,
    solver: &(&str, Vec<usize>),
    shown: &[Shown<'_>],
    look: Look,
) -> Plot {
    let (name, releases) = solver;
    let series = shown.iter().map(|shown| Series {
        colour: shown.colour,
        dashed: shown.dashed,
        dots: releases.iter().map(|&r| dot(e, r, group, shown, look.unit)).collect(),
    });
    Plot {
        title: format!("{} · {name}", e.groups[group].name),
        places: places(e, releases),
        series: series.collect(),
        scale: look.scale,
        bars: look.bars,
    }
}

/// The versions of releases.
pub fn places(e: &Evolution, releases: &[usize]) -> Vec<String> {
    let short = |r: &usize| {
        let release = &e.releases[*r];
        let version = release.label.split_once('@').map_or(release.label.as_str(), |(_, v)| v);
        version
            .strip_suffix(".0")
            .filter(|v| v.matches('.').count() >= 2)
            .unwrap_or(version)
            .to_owned()
    };
    releases.iter().map(short).collect()
}

fn dot(e: &Evolution, release: usize, group: usize, shown: &Shown<'_>, unit: &str) -> Dot {
    let Some(cell) = e.cell(release, group) else { return Dot::default() };
    let value = (shown.of)(cell);
    let mut text =
        format!("{}: {} {}{unit}", e.releases[release].label, number(value.mean), shown.name);
    if value.high > value.low {
        text += &format!(" ({} to {} in {} runs)", number(value.low), number(value.high), e.repeat);
    }
    Dot { value: Some(value.mean), ends: Some((value.low, value.high)), text, script: None }
}

/// Faults by class, on a scale of powers of ten; a click shows the smallest script.
pub fn faults(e: &Evolution, group: usize, solver: &(&str, Vec<usize>), scripts: &Scripts) -> Plot {
    let classes = e.classes();
    let shown: Vec<Shown<'_>> = classes
        .iter()
        .enumerate()
        .map(|(i, class)| Shown {
            name: class,
            colour: i,
            dashed: false,
            of: Box::new(move |c: &Cell| count(c.faults.get(class).copied().unwrap_or(0))),
        })
        .collect();
    let look = Look { scale: Scale::Log, bars: false, unit: "" };
    let mut plot = plot(e, group, solver, &shown, look);
    for (series, class) in plot.series.iter_mut().zip(&classes) {
        for (dot, &release) in series.dots.iter_mut().zip(&solver.1) {
            dot.script = scripts.get(&(release, group, class.clone())).copied();
        }
    }
    plot
}

/// A count.
pub fn count(n: u64) -> Spread {
    one(n as f64)
}

/// A value without a spread.
pub fn one(n: f64) -> Spread {
    Spread { mean: n, low: n, high: n }
}

/// All groups of a solver together.
pub fn overview(
    e: &Evolution,
    solver: &(&str, Vec<usize>),
    shown: &[Shown<'_>],
    look: Look,
) -> Plot {
    let (name, releases) = solver;
    let sum = |r: usize, shown: &Shown<'_>| {
        let all = (0..e.groups.len()).filter_map(|g| e.cell(r, g)).map(|c| (shown.of)(c).mean);
        let value: f64 = all.sum();
        let text =
            format!("{}: {} {}{}", e.releases[r].label, number(value), shown.name, look.unit);
        Dot { value: Some(value), ends: None, text, script: None }
    };
    let series = shown.iter().map(|shown| Series {
        colour: shown.colour,
        dashed: shown.dashed,
        dots: releases.iter().map(|&r| sum(r, shown)).collect(),
    });
    Plot {
        title: format!("all groups · {name}"),
        places: places(e, releases),
        series: series.collect(),
        scale: look.scale,
        bars: look.bars,
    }
}

/// Solved queries over limits of time, of two releases: with and without the start of processes.
pub fn before_and_after(e: &Evolution, group: usize, releases: [usize; 2]) -> Plot {
    let limits = e.thresholds.iter().map(|t| milliseconds(*t)).collect();
    let mut series = Vec::new();
    for (i, &r) in releases.iter().enumerate() {
        let Some(cell) = e.cell(r, group) else { continue };
        for (dashed, solved) in [(false, &cell.solved), (true, &cell.solved_with_start)] {
            let label = &e.releases[r].label;
            let name = if dashed { format!("{label} with start-up") } else { label.clone() };
            let dots = solved.iter().zip(&e.thresholds).map(|(s, t)| Dot {
                value: Some(s.mean),
                ends: Some((s.low, s.high)),
                text: format!("{name}: {} solved in {}", number(s.mean), milliseconds(*t)),
                script: None,
            });
            series.push(Series { dots: dots.collect(), colour: i, dashed });
        }
    }
    Plot {
        title: format!("{} · solved by limit", e.groups[group].name),
        places: limits,
        series,
        scale: Scale::Linear,
        bars: false,
    }
}

/// A limit in words.
pub fn milliseconds(t: f64) -> String {
    if t < 1.0 { format!("{:.0} ms", t * 1e3) } else { format!("{t:.0} s") }
}
