//! The page as a folder that any web server can show: an address for each bug, and two campaigns beside each other.

use std::fmt::Write;

use crate::bug::{Place, address, body, words};
use crate::compare::compared;
use crate::html::{body as shell, escape, head};
use crate::style::{SCRIPT, STYLE};
use crate::views::strips;
use crate::{Bug, Page};

/// What pages of a folder may load: files of that folder.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'\">\n";

impl Page {
    /// The files of the folder, each as its path and text. With another campaign, also what both found, and only one of them.
    pub fn folder(&self, other: Option<&Self>) -> Vec<(String, String)> {
        let links = match other {
            Some(other) => {
                format!("<p><a href=\"compare.html\">Beside {}</a></p>\n", escape(&other.title))
            }
            None => String::new(),
        };
        let index = head(&self.title, &assets("")) + &shell(self, Place::Folder, &links, "");
        let mut files = vec![
            ("index.html".to_owned(), index),
            ("page.css".to_owned(), STYLE.to_owned()),
            ("page.js".to_owned(), SCRIPT.to_owned()),
        ];
        files.extend(self.bugs.iter().map(|b| (address(b), alone(b, &self.title, true))));
        if let Some(other) = other {
            let page = head("Two campaigns", &assets("")) + &compared(self, other);
            files.push(("compare.html".to_owned(), page));
            let bugs = other.bugs.iter();
            files.extend(
                bugs.map(|b| (format!("other/{}", address(b)), alone(b, &other.title, false))),
            );
        }
        files
    }
}

/// What a page loads that is so many folders below the first one.
fn assets(up: &str) -> String {
    format!(
        "{POLICY}<link rel=\"stylesheet\" href=\"{up}page.css\">\n<script src=\"{up}page.js\" defer></script>\n"
    )
}

/// The page of one bug; of the campaign whose folder it is, or of the other one.
fn alone(bug: &Bug, title: &str, own: bool) -> String {
    let (up, back) = match own {
        true => ("../", "../index.html"),
        false => ("../../", "../../compare.html"),
    };
    let id = escape(&bug.id);
    let mut s = head(&format!("{} · {title}", bug.id), &assets(up));
    let _ = write!(
        s,
        "<body>\n<header>\n<p><a href=\"{back}\">{}</a></p>\n<h1 class=\"id\">{id}</h1>\n<p>{} <span class=\"soft\">{}</span></p>\n</header>\n<main>\n",
        escape(title),
        words(bug),
        escape(&bug.solver)
    );
    body(bug, &mut s);
    s += &strips(&[bug]);
    s + "</main>\n</body>\n</html>\n"
}
