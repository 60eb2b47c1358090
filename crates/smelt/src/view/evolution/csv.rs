//! What releases did, for spreadsheets.

use std::collections::{BTreeMap, BTreeSet};

use smelt_campaign::evolve::Evolution;

use crate::view::table::csv_line;

/// A line per release and group.
pub fn cells(found: &Evolution) -> String {
    let classes = found.classes();
    let ends: BTreeSet<&String> = found.cells.iter().flat_map(|c| c.ends.keys()).collect();
    let mut head = words("release,solver,version,group,queries");
    head.extend(ends.iter().map(|e| (*e).clone()));
    // (A crash is the end of a run, and may be a fault.)
    head.extend(classes.iter().map(|class| format!("fault {class}")));
    head.extend(words(
        "disputed,models true,models false,models open,seconds,seconds low,seconds high,start seconds,joint,joint seconds,\
         per second,per second with start,gained,lost",
    ));
    for t in &found.thresholds {
        head.extend([format!("solved in {t}"), format!("solved in {t} with start")]);
    }
    let mut text = csv_line(head);
    let of =
        |map: &BTreeMap<String, u64>, key: &str| map.get(key).copied().unwrap_or(0).to_string();
    let number = |n: f64| format!("{n:.6}");
    for c in &found.cells {
        let (release, group) = (&found.releases[c.release], &found.groups[c.group]);
        let mut line = vec![
            release.label.clone(),
            release.solver.clone(),
            release.version.clone(),
            group.name.clone(),
            group.queries.to_string(),
        ];
        line.extend(ends.iter().map(|e| of(&c.ends, e)));
        line.extend(classes.iter().map(|e| of(&c.faults, e)));
        line.push(c.disputed.to_string());
        line.extend(["true", "false", "open"].map(|m| of(&c.models, m)));
        line.extend(
            [c.seconds.mean, c.seconds.low, c.seconds.high, release.start_seconds].map(number),
        );
        line.extend([c.joint.to_string(), number(c.joint_seconds.mean)]);
        line.extend([c.throughput, c.throughput_with_start].map(number));
        line.extend([c.gained, c.lost].map(|n| n.to_string()));
        for (a, b) in c.solved.iter().zip(&c.solved_with_start) {
            line.extend([a.mean.to_string(), b.mean.to_string()]);
        }
        text += &csv_line(line);
    }
    text
}

/// A line per query and release.
pub fn queries(found: &Evolution) -> String {
    let mut text = csv_line(words(
        "query,group,release,answer,seconds,seconds low,seconds high,runs,slower than predecessor,wrong",
    ));
    for row in &found.matrix {
        for (r, ran) in row.ran.iter().enumerate() {
            let seconds = [ran.seconds.mean, ran.seconds.low, ran.seconds.high];
            let mut line = vec![
                row.query.clone(),
                found.groups[row.group].name.clone(),
                found.releases[r].label.clone(),
                ran.answer.clone(),
            ];
            line.extend(seconds.map(|s| format!("{s:.6}")));
            line.push(ran.runs.to_string());
            line.push(ran.slower.map_or_else(String::new, |f| format!("{f:.2}")));
            line.push(ran.wrong.clone().unwrap_or_default());
            text += &csv_line(line);
        }
    }
    text
}

fn words(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}
