//! What the page shows of times: solved queries by limit, CPU time, throughput, the start of processes.

use smelt_campaign::evolve::Evolution;
use smelt_campaign::evolve::data::{Cell, Decline, Spread};

use super::figures::{Look, Shown, before_and_after, milliseconds, one, plot};
use super::plot::Scale;
use super::{all_groups, grid, legend, section};

/// Solved queries at a threshold, without and with the start of processes.
pub(super) fn solved_at<'f>(k: usize, with_start: bool) -> Vec<Shown<'f>> {
    let at = move |of: &[Spread]| of.get(k).copied().unwrap_or_default();
    let mut all = vec![Shown {
        name: "solved",
        colour: 2,
        dashed: false,
        of: Box::new(move |c: &Cell| at(&c.solved)),
    }];
    if with_start {
        let of = Box::new(move |c: &Cell| at(&c.solved_with_start));
        all.push(Shown { name: "solved, start-up counted", colour: 3, dashed: true, of });
    }
    all
}

/// The figures of times.
pub(super) fn performance(e: &Evolution, s: &mut String) {
    let Some(last) = e.thresholds.len().checked_sub(1) else { return };
    let two = [(2, "solved"), (3, "solved, with the start of a process counted for each query")];
    section(
        &format!("Solved in {} (figures 7.2 and 7.11)", milliseconds(e.thresholds[0])),
        "Queries that are decided and not known to be wrong within the smallest limit.",
        s,
    );
    legend(&two, s);
    let bars = Look { scale: Scale::Linear, bars: true, unit: "" };
    all_groups(e, s, &solved_at(0, true), bars);
    grid(e, s, |g, solver| plot(e, g, solver, &solved_at(0, true), bars));
    *s += "</section>\n";
    slowest_step(e, s);
    section(
        &format!("Solved in {} (figure 7.13)", milliseconds(e.thresholds[last])),
        "The largest limit of this run.",
        s,
    );
    let near = Look { scale: Scale::Near, bars: false, unit: "" };
    grid(e, s, |g, solver| plot(e, g, solver, &solved_at(last, false), near));
    *s += "</section>\n";
    section(
        "CPU time on what all releases of a solver solve (figure 7.14)",
        "Seconds, the start of processes not counted; the second line is what the starts would add.",
        s,
    );
    legend(&[(2, "CPU seconds"), (3, "with the start of a process for each query")], s);
    let lines = Look { scale: Scale::Linear, bars: false, unit: "" };
    grid(e, s, |g, solver| {
        let start = |c: &Cell| e.releases[c.release].start_seconds * c.joint as f64;
        let sum = |c: &Cell| Spread {
            mean: c.joint_seconds.mean + start(c),
            low: c.joint_seconds.low + start(c),
            high: c.joint_seconds.high + start(c),
        };
        let shown = [
            Shown { name: "s", colour: 2, dashed: false, of: Box::new(|c: &Cell| c.joint_seconds) },
            Shown { name: "s with start-up", colour: 3, dashed: true, of: Box::new(sum) },
        ];
        plot(e, g, solver, &shown, lines)
    });
    *s += "</section>\n";
    section("Throughput (figure 7.14)", "Queries per CPU second.", s);
    legend(&[(2, "in sessions"), (3, "with the start of a process for each query")], s);
    grid(e, s, |g, solver| {
        let shown = [
            Shown {
                name: "per second",
                colour: 2,
                dashed: false,
                of: Box::new(|c: &Cell| one(c.throughput)),
            },
            Shown {
                name: "per second with start-up",
                colour: 3,
                dashed: true,
                of: Box::new(|c: &Cell| one(c.throughput_with_start)),
            },
        ];
        plot(e, g, solver, &shown, Look { scale: Scale::Log, bars: false, unit: "" })
    });
    *s += "</section>\n";
    starts(e, s);
}

/// Figure 7.12: the clearest slowdown of each solver, before and after, by limit.
fn slowest_step(e: &Evolution, s: &mut String) {
    let mut steps: Vec<_> = e.regressions.iter().filter(|r| r.kind == Decline::Slower).collect();
    steps.sort_by(|a, b| b.factor.unwrap_or(0.0).total_cmp(&a.factor.unwrap_or(0.0)));
    if steps.is_empty() {
        return;
    }
    section(
        "Before and after the clearest slowdowns (figure 7.12)",
        "Solved queries by limit, of a release and its predecessor; broken lines count the start of a process for each query.",
        s,
    );
    legend(&[(0, "predecessor"), (1, "slower release")], s);
    *s += "<div class=\"plots\">\n";
    for r in steps.iter().take(8) {
        let mut plot = before_and_after(e, r.group, [r.than, r.release]);
        plot.title = format!(
            "{} · {} → {}",
            e.groups[r.group].name, e.releases[r.than].label, e.releases[r.release].label
        );
        *s += &plot.svg();
    }
    *s += "</div>\n</section>\n";
}

/// The start of each release's process.
fn starts(e: &Evolution, s: &mut String) {
    section(
        "Start of a process",
        "CPU milliseconds for a script that only asks (check-sat): no part of the times above unless they say so.",
        s,
    );
    *s += "<div class=\"plots\">\n";
    for solver in &e.solvers() {
        let of = |c: &Cell| one(e.releases[c.release].start_seconds * 1e3);
        let shown = [Shown { name: "ms", colour: 4, dashed: false, of: Box::new(of) }];
        let mut plot =
            plot(e, 0, solver, &shown, Look { scale: Scale::Linear, bars: true, unit: "" });
        plot.title = format!("start-up · {}", solver.0);
        *s += &plot.svg();
    }
    *s += "</div>\n</section>\n";
}
