//! Queries by releases: who answers what, who is wrong, who is slower.

use std::fmt::Write;

use smelt_campaign::evolve::Evolution;
use smelt_campaign::evolve::data::{QueryRow, Ran, WALL};

use super::figures::{number, places};
use crate::html::escape;

/// The table; `script` is the number of a row's script.
pub fn matrix(e: &Evolution, script: impl Fn(usize) -> usize, s: &mut String) {
    let all: Vec<usize> = (0..e.releases.len()).collect();
    *s += "<div class=\"wide\" tabindex=\"0\"><table class=\"matrix\">\n<thead><tr><th scope=\"col\">query</th>";
    for (r, place) in places(e, &all).iter().enumerate() {
        let _ = write!(
            s,
            "<th scope=\"col\" title=\"{}\"><span>{} {}</span></th>",
            escape(&e.releases[r].label),
            escape(&e.releases[r].solver),
            escape(place)
        );
    }
    *s += "</tr></thead>\n<tbody>\n";
    for (i, row) in e.matrix.iter().enumerate() {
        line(e, row, script(i), s);
    }
    *s += "</tbody>\n</table></div>\n";
}

fn line(e: &Evolution, row: &QueryRow, script: usize, s: &mut String) {
    let short = row.query.rsplit('/').next().unwrap_or(&row.query);
    let _ = write!(
        s,
        "<tr><th scope=\"row\"><button type=\"button\" data-script=\"{script}\" title=\"{}\">{}</button></th>",
        escape(&row.query),
        escape(short)
    );
    for (r, ran) in row.ran.iter().enumerate() {
        let (class, mark) = look(ran);
        let mut title = format!(
            "{}: {}, {} s of CPU ({} to {}, {} runs)",
            e.releases[r].label,
            ran.answer,
            number(ran.seconds.mean),
            number(ran.seconds.low),
            number(ran.seconds.high),
            ran.runs
        );
        if let Some(wrong) = &ran.wrong {
            title = format!("{title}; {wrong}");
        }
        if let Some(factor) = ran.slower {
            let _ = write!(title, "; {factor:.1}× as long as its predecessor");
        }
        let _ = write!(s, "<td class=\"{class}\" title=\"{}\">{mark}</td>", escape(&title));
    }
    *s += "</tr>\n";
}

/// How a cell looks, and what stands in it: a word where colour alone would say it.
fn look(ran: &Ran) -> (&'static str, String) {
    let last = ran.answer.rsplit(' ').next().unwrap_or("");
    let time = || match ran.seconds.mean {
        t if t < 0.9995 => format!("{:.0}", t * 1e3),
        t => format!("{t:.1} s"),
    };
    match last {
        _ if ran.wrong.is_some() => ("wrong", "WRONG".to_owned()),
        "sat" | "unsat" if ran.slower.is_some() => ("slow", format!("{} ▲", time())),
        "sat" | "unsat" => ("fine", time()),
        "timeout" => ("late", "time".to_owned()),
        WALL => ("open", "wall".to_owned()),
        "unknown" => ("open", "unkn.".to_owned()),
        "rejected" | "unsupported" => ("open", "rej.".to_owned()),
        "out-of-memory" => ("late", "mem.".to_owned()),
        "crash" => ("wrong", "crash".to_owned()),
        _ => ("open", "–".to_owned()),
    }
}
