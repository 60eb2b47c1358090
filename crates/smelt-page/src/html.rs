//! The page as text: what is around the views, and the one place where texts of strangers are made harmless.

use crate::Page;
use crate::bug::Place;
use crate::style::{SCRIPT, SCRIPT_DIGEST, STYLE};

/// A text in which nothing means anything to HTML, in elements and in attributes alike.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The beginning of a page up to its body: `extra` is HTML.
pub fn head(title: &str, extra: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n{extra}</head>\n",
        escape(title)
    )
}

/// A title, and the views below it; `above` and `below` are HTML.
pub fn body(page: &Page, place: Place, above: &str, below: &str) -> String {
    let mut s = format!(
        "<body>\n<a class=\"skip\" href=\"#view:bugs\">To the bugs</a>\n<header>\n<h1>{}</h1>\n{above}</header>\n<main>\n",
        escape(&page.title)
    );
    for section in page.sections(place) {
        if !section.html.is_empty() {
            s += &format!("<section id=\"{}\">\n{}</section>\n", section.name, section.html);
        }
    }
    s + "</main>\n" + below + "</body>\n</html>\n"
}

impl Page {
    /// The page in one file. It may load nothing, and run no script but its own.
    pub fn html(&self) -> String {
        let policy = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '{SCRIPT_DIGEST}'; base-uri 'none'; form-action 'none'\">\n"
        );
        let head = head(&self.title, &format!("{policy}<style>{STYLE}</style>\n"));
        head + &body(self, Place::Page, "", &format!("<script>{SCRIPT}</script>\n"))
    }
}
