//! The documents agree with the tree: paths exist, links lead somewhere, every command has its page.

use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The documents, by their path in the workspace.
fn documents() -> Vec<String> {
    let mut all: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(str::to_owned).into();
    for entry in std::fs::read_dir(workspace().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            all.push(format!("docs/{name}"));
        }
    }
    all.sort();
    all
}

#[test]
fn the_readme_is_short() {
    let text = read("README.md");
    assert!(text.lines().count() <= 120, "{} lines", text.lines().count());
    for (i, line) in text.lines().enumerate() {
        let length = line.chars().count();
        assert!(length <= 120, "line {} has {length} characters", i + 1);
    }
    for command in ["cargo run --release -- fuzz --time 2m", "cargo test --workspace"] {
        let line = format!("    {command} ");
        assert!(text.lines().any(|l| l.starts_with(&line)), "{command} is not there");
    }
}

/// The rows of the table behind a heading, each as its cells.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip_while(|l| *l != heading).skip(1);
    let section = lines.take_while(|l| !l.starts_with("## "));
    let rows = section.filter(|l| l.starts_with('|')).skip(2);
    rows.map(|l| l.trim_matches('|').split('|').map(|c| c.trim().to_owned()).collect()).collect()
}

/// The words of a text that stand between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn where_to_look() {
    let rows = table(&read("ARCHITECTURE.md"), "## Where do I look if …");
    assert!(rows.len() >= 14, "{} questions", rows.len());
    for row in rows {
        assert_eq!(row.len(), 2, "{row:?}");
        let paths = quoted(&row[1]);
        assert!(!paths.is_empty(), "{row:?} names no path");
        for path in paths {
            assert!(workspace().join(path).exists(), "{path} is not there: {row:?}");
        }
    }
}

/// The targets of the links of a text, outside of what is quoted.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if fenced || line.starts_with("    ") {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let rest = &line[at + 2..];
            found.extend(rest.split_once(')').map(|(target, _)| target.to_owned()));
        }
    }
    found
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let folder = Path::new(&document).parent().unwrap().to_str().unwrap();
        for link in links(&read(&document)) {
            if link.contains("://") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((&link, ""));
            let path = if file.is_empty() {
                document.clone()
            } else {
                Path::new(folder).join(file).to_str().unwrap().to_owned()
            };
            assert!(workspace().join(&path).exists(), "{document}: {link} leads nowhere");
            if !place.is_empty() {
                let text = read(&path);
                let mut headings = text.lines().filter(|l| l.starts_with('#'));
                let found = headings.any(|h| anchor(h.trim_start_matches('#')) == place);
                assert!(found, "{document}: {link} has no such heading");
            }
        }
    }
}

#[test]
fn every_command_has_its_page() {
    let output = Command::new(env!("CARGO_BIN_EXE_smelt")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let readme = read("README.md");
    let lines = help.lines().skip_while(|l| !l.starts_with("Usage:")).skip(1);
    let mut commands = 0;
    for line in lines.take_while(|l| *l != "Options:") {
        // (A line that goes on with what was said of a command begins further in.)
        let Some(name) = line.strip_prefix("  ").filter(|l| !l.starts_with(' ')) else { continue };
        let name = name.split(' ').next().unwrap();
        if name == "help" {
            continue;
        }
        commands += 1;
        let page = format!("docs/{name}.md");
        assert!(read(&page).starts_with(&format!("# smelt {name}\n")), "{page}");
        assert!(readme.contains(&page), "README.md does not lead to {page}");
        let codes = read("docs/exit-codes.md");
        assert!(codes.contains(&format!("]({name}.md")), "docs/exit-codes.md has no {name}");
    }
    assert!(commands >= 9, "{help}");
}

/// The picture of the rooms is the one that `rooms.rs` holds.
#[test]
fn the_rooms_are_those_that_are_tested() {
    let architecture = read("ARCHITECTURE.md");
    let picture: Vec<&str> = architecture
        .lines()
        .skip_while(|l| *l != "## Rooms")
        .skip(1)
        .take_while(|l| !l.starts_with("## "))
        .filter(|l| l.starts_with("    "))
        .collect();
    let rooms = read("crates/smelt/tests/rooms.rs");
    let table = rooms.lines().skip_while(|l| !l.starts_with("const ROOMS")).skip(1);
    let mut count = 0;
    for line in table.take_while(|l| *l != "];") {
        count += 1;
        let words: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        let (name, uses) = words.split_first().unwrap();
        let shown = picture.iter().find(|l| l.split_whitespace().next() == Some(name));
        let shown = shown.unwrap_or_else(|| panic!("{name} is not in the picture"));
        let arrow = shown.split_once(" -> ").map_or("", |(_, to)| to);
        let to = arrow.split("  ").next().unwrap();
        let to: Vec<&str> = to.split(", ").filter(|t| !t.is_empty()).collect();
        let uses: Vec<&str> = uses.iter().map(|u| u.trim_start_matches("smelt-")).collect();
        assert_eq!(to, uses, "{name}");
    }
    assert_eq!(picture.len(), count);
}
