//! One bug as HTML: folded in a list, or on a page of its own.

use std::fmt::Write;

use smelt_triage::Severity;

use crate::Bug;
use crate::chart::clock;
use crate::html::escape;

/// Where a bug is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On one page with everything else.
    Page,
    /// In a folder, where it has a page of its own.
    Folder,
    /// On the live page, where it can be marked.
    Live,
}

/// A bug, folded.
pub fn folded(bug: &Bug, place: Place, s: &mut String) {
    let id = escape(&bug.id);
    let _ = writeln!(
        s,
        "<details id=\"{id}\" data-status=\"{}\"><summary><strong>{id}</strong> {} <span class=\"soft\">{}</span></summary>\n<div>",
        bug.status.word(),
        words(bug),
        escape(&bug.solver)
    );
    body(bug, s);
    match place {
        Place::Page => {}
        Place::Folder => {
            let _ = writeln!(s, "<p><a href=\"{}\">A page of this bug alone</a></p>", address(bug));
        }
        Place::Live => {
            let _ = writeln!(
                s,
                "<p><a href=\"#{id}\">Link to this bug</a> <button type=\"button\" class=\"mark\" data-bug=\"{id}\">Mark as reported or known</button></p>"
            );
        }
    }
    *s += "</div></details>\n";
}

/// Where the page of a bug is in a folder. A name of a finding is one of a file.
pub fn address(bug: &Bug) -> String {
    format!("bugs/{}.html", escape(&bug.id))
}

/// What there is to say of a bug in words: severity, class, evidence, logic, status.
pub fn words(bug: &Bug) -> String {
    let severity = bug.class.row().severity;
    let look = match severity {
        Severity::Critical => "word worst",
        Severity::Major => "word bad",
        Severity::Minor => "word",
    };
    format!(
        "<span class=\"{look}\">{}</span> <span class=\"word\">{}</span> <span class=\"word\">{}</span> <span class=\"word\">{}</span> <span class=\"word status\">{}</span>",
        severity.word(),
        escape(bug.class.word()),
        bug.grade,
        escape(&bug.logic),
        bug.status.word()
    )
}

/// All that is known of a bug.
pub fn body(bug: &Bug, s: &mut String) {
    let _ = writeln!(s, "<pre tabindex=\"0\"><code>{}</code></pre>", escape(bug.script.trim_end()));
    let _ = writeln!(
        s,
        "<p><code class=\"command\">{}</code></p>\n<p class=\"proof\">{}</p>",
        escape(&bug.command),
        escape(&bug.proof)
    );
    if let Some(print) = &bug.fingerprint {
        let spans = print.spans();
        if !spans.is_empty() {
            let _ = writeln!(s, "<p>In {} {}.</p>", escape(&print.solver), escape(&spans));
        }
        let cures: Vec<String> =
            print.cures().iter().map(|o| format!("<code>{}</code>", escape(o))).collect();
        if !cures.is_empty() {
            let _ = writeln!(s, "<p>Not with {}.</p>", cures.join(", "));
        }
    }
    let _ = writeln!(s, "<p class=\"soft\">Found after {}.</p>", clock(bug.after));
    if let Some(url) = &bug.reported {
        let what = if bug.status == crate::Status::Known { "Known" } else { "Reported" };
        let _ = writeln!(s, "<p>{what}: {}</p>", link(url));
    }
    if !bug.triggers.is_empty() {
        let _ = writeln!(s, "<p>{} more triggers:</p>\n<ul>", bug.triggers.len());
        for (id, why) in &bug.triggers {
            let _ = writeln!(
                s,
                "<li><code>{}</code> <span class=\"soft\">{}</span></li>",
                escape(id),
                escape(why)
            );
        }
        *s += "</ul>\n";
    }
}

/// An address as people gave it. Only one of the web is a link.
fn link(url: &str) -> String {
    let web = url.starts_with("https://") || url.starts_with("http://");
    let shown = escape(url);
    if web { format!("<a href=\"{shown}\" rel=\"noreferrer\">{shown}</a>") } else { shown }
}
