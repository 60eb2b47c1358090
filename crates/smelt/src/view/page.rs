//! The page of a campaign from its folder, as one file or as a folder for a web server.

use std::path::Path;

use anyhow::{Context, Result, bail};
use smelt_campaign::bugs::Bugs;
use smelt_campaign::journal::Journal;
use smelt_campaign::report::queue::Reported;
use smelt_campaign::statement::Statement;
use smelt_page::{Course, Machine, Page};
use smelt_solver::write_atomically;

/// Writes the page: to a file, or to a folder if the path ends with `/` or is one. There it can stand beside another campaign.
pub fn write(path: &Path, bugs: &Bugs, reported: &Reported, other: Option<&Path>) -> Result<()> {
    let mut own = page(bugs, reported)?;
    let folder = path.is_dir() || path.to_string_lossy().ends_with('/');
    if !folder {
        if other.is_some() {
            bail!("two campaigns are compared in a folder: --html {}/", path.display());
        }
        return put(path, &own.html());
    }
    let other = match other {
        None => None,
        Some(path) => {
            let bugs = Bugs::read(path)?;
            if let Some((bad, why)) = bugs.unreadable.first() {
                bail!("{}: {why}", bad.display());
            }
            let marks = Reported::read(bugs.campaign.as_deref().unwrap_or(path))?;
            let mut other = page(&bugs, &marks)?;
            if other.title == own.title {
                own.title += " (1)";
                other.title += " (2)";
            }
            Some(other)
        }
    };
    let mut files = own.folder(other.as_ref());
    // What leads to the others is written when these are there.
    files.reverse();
    for (name, text) in &files {
        put(&path.join(name), text)?;
    }
    Ok(())
}

/// The name of a campaign: that of its folder.
pub fn title(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "smelt campaign".to_owned())
}

fn put(path: &Path, text: &str) -> Result<()> {
    let what = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(what)?;
    }
    write_atomically(path, text.as_bytes()).with_context(what)
}

/// What the page shows.
fn page(bugs: &Bugs, reported: &Reported) -> Result<Page> {
    let mut course = Course { title: "smelt campaign".to_owned(), ..Course::default() };
    if let Some(folder) = &bugs.campaign {
        course.title = title(folder);
        let statements = Statement::read_all(folder);
        course.machines = Machine::of(&statements);
        let solvers = statements.into_iter().flat_map(|s| s.solvers);
        course.solvers = solvers.collect::<std::collections::BTreeSet<_>>().into_iter().collect();
        if folder.join(Journal::FILE).exists() {
            let journal = Journal::open(folder)?;
            if let Some(last) = journal.last_run()? {
                course.now = Some(journal.snapshot(&last)?);
                course.samples = journal.samples(last.run)?;
            }
        }
    }
    Ok(Page::of(bugs, reported, &course))
}
