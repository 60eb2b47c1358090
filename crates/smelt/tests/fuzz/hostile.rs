//! Names of files, symbols and words of solvers that mean something to a terminal, Markdown, HTML, XML, JSON or CSV: in no output do they.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value as Json;
use smelt_solver::testing;

use crate::run::{campaign, command, folder, text};
use crate::scripted::shell;

/// A file's name: lines of its own, what ends a script in HTML, a fence of Markdown, an order to a terminal.
const NAME: &str = "o\n# FORGED\n|<\u{2044}script>|```\u{1b}[2J\r<img src=x>\".smt2";

/// Symbols of such kinds, and a crash for [`DIES`].
const SEED: &str = "(set-logic QF_LIA)\n(declare-const |</script><img src=x>| Int)\n(declare-const |a```b| Int)\n\
    (declare-const |y\n# FORGED| Int)\n(assert (distinct |</script><img src=x>| (+ |a```b| |y\n# FORGED|)))\n(check-sat)\n";

/// A solver that says such things and dies. (`\\` is one for printf of the shell.)
const DIES: &str = "grep -q distinct \"$1\" || { echo unknown; exit; }\n\
    printf '```\\n# FORGED\\n</script><script>x</script><img src=x>|</script>|\\033[2J\\r]]>\\n' >&2\n\
    kill -SEGV $$";

/// The lines of a text in Markdown that are outside of blocks of code, without code within lines.
fn prose(markdown: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let run: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if run.len() >= open.len() && line.trim_end().len() == run.len() => {
                fence = None
            }
            Some(_) => {}
            None if run.len() >= 3 => fence = Some(run),
            None => out += &format!("{}\n", without_code(line)),
        }
    }
    assert_eq!(fence, None, "a block does not end: {markdown}");
    out
}

/// A line without what stands between runs of backticks of the same length.
fn without_code(line: &str) -> String {
    // What stands behind a backslash means nothing.
    let (mut escaped, mut start) = (false, None);
    for (i, c) in line.char_indices() {
        match (c, escaped) {
            ('`', false) => {
                start = Some(i);
                break;
            }
            _ => escaped = c == '\\' && !escaped,
        }
    }
    let Some(start) = start else { return line.replace("\\`", "") };
    let run: String = line[start..].chars().take_while(|c| *c == '`').collect();
    let rest = &line[start + run.len()..];
    let ends = rest.match_indices(&run).map(|(i, _)| i);
    let is_alone =
        |i: &usize| !rest[..*i].ends_with('`') && !rest[i + run.len()..].starts_with('`');
    let end =
        ends.into_iter().find(is_alone).unwrap_or_else(|| panic!("code does not end: {line}"));
    line[..start].replace("\\`", "") + &without_code(&rest[end + run.len()..])
}

fn check_markdown(what: &str, markdown: &str) {
    let prose = prose(markdown);
    for bad in ["<img", "<script", "</script", "\u{1b}", "\r", "\n# FORGED", "```"] {
        assert!(!prose.contains(bad), "{what}: {bad:?} in\n{prose}");
    }
}

/// What a terminal gets. Lines are forged only where scripts are printed.
fn check_terminal(what: &str, said: &str, scripts: bool) {
    let obeyed = said.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!(obeyed, None, "{what}: {said}");
    let forged = said.lines().any(|l| l.starts_with("# FORGED"));
    assert!(scripts || !forged, "{what}: {said}");
}

fn check_json(what: &str, said: &str) -> usize {
    for line in said.lines() {
        let value: Json =
            serde_json::from_str(line).unwrap_or_else(|e| panic!("{what}: {e}: {line}"));
        assert!(value["kind"].is_string(), "{what}: {line}");
        check_terminal(what, line, false);
    }
    said.lines().count()
}

fn check_html(what: &str, html: &str) {
    for (tag, times) in [("<script", 1), ("</script", 1), ("<img", 0), ("\u{1b}", 0)] {
        assert_eq!(html.matches(tag).count(), times, "{what}: {tag}");
    }
}

/// XML and CSV as other programs read them.
fn check_by_python(what: &str, program: &str, file: &Path) {
    let out = Command::new("python3").args(["-c", program]).arg(file).output().unwrap();
    assert!(out.status.success(), "{what}: {}", text(&out));
}

#[test]
fn in_every_form() {
    let dir = folder("hostile", SEED);
    testing::solver("z3@latest");
    fs::rename(dir.join("seeds/one.smt2"), dir.join("seeds").join(NAME)).unwrap();
    fs::write(dir.join("seeds/two\n# FORGED.smt2"), "(assert |\u{1b}[2J").unwrap();
    fs::write(dir.join("seeds/three\n# FORGED.smt2"), "(set-info :status unsat)(check-sat)")
        .unwrap();
    fs::write(dir.join("m.txt"), "((define-fun |a```b| () Int 1))").unwrap();
    let dies = shell(&dir, "dies", DIES);
    let run = |args: &[&str]| -> (Output, String) {
        let out = command(&dir, args).output().unwrap();
        let said = text(&out);
        assert_ne!(out.status.code(), None, "{args:?}: {said}");
        (out, said)
    };
    let stdout = |out: &Output| String::from_utf8(out.stdout.clone()).unwrap();
    let more = "--findings 1 --out out --strategy opfuzz --seed 1";
    check_terminal("fuzz", &run(&campaign(&[&dies], more)).1, false);
    let id = fs::read_dir(dir.join("out/findings")).unwrap().next().unwrap().unwrap().file_name();
    let finding = dir.join("out/findings").join(&id);
    let (id, finding) = (id.to_str().unwrap(), finding.to_str().unwrap());
    let seed = dir.join("seeds").join(NAME);
    let seed = seed.to_str().unwrap();
    let solvers = ["--solver", &dies, "--solver", "z3@latest"];
    let checked = [&["check", "seeds"], &solvers[..]].concat();
    let evolve = [&["evolve", "seeds", "--out", "evolve"], &solvers[..]].concat();
    let recheck = ["recheck", "out", "--solver", &dies, "--junit", "j.xml"];
    // For people.
    for (args, scripts) in [
        (checked.clone(), false),
        ([&checked[..], &["-v"]].concat(), true),
        (vec!["check", "seeds"], false),
        (vec!["fuzz", "--list-skipped", "--out", "out"], false),
        (vec!["replay", finding, "--solver", &dies], false),
        (vec!["recheck", "--judge", "out"], false),
        (recheck.to_vec(), false),
        (vec!["report", "out"], false),
        (vec!["eval", seed, "--model", "m.txt"], true),
        (evolve.clone(), false),
        (vec!["bisect", seed, "--wrong", "crash", "--solver", &dies, "--builds", "."], false),
        (vec!["reduce", seed, "--solver", &dies, "--out", "small"], true),
        (vec!["mutate", seed, "--strategy", "opfuzz", "-n", "2", "--out", "mutants"], false),
    ] {
        check_terminal(&args.join(" "), &run(&args).1, scripts);
    }
    // For trackers.
    check_markdown("report", &stdout(&run(&["report", "out", id]).0));
    check_markdown("report.md", &fs::read_to_string(Path::new(finding).join("report.md")).unwrap());
    // For browsers.
    run(&["report", "out", "--html", "page.html"]);
    for page in ["page.html", "evolve/index.html"] {
        check_html(page, &fs::read_to_string(dir.join(page)).unwrap());
    }
    // For programs.
    let fuzz = campaign(&[&dies], "--findings 1 --out other --strategy opfuzz --seed 2");
    for args in [
        checked.clone(),
        fuzz,
        vec!["fuzz", "--list-skipped", "--out", "out"],
        vec!["report", "out"],
        vec!["report", "out", id],
        vec!["recheck", "--judge", "out"],
        recheck.to_vec(),
        evolve,
        vec!["mutate", seed, "--strategy", "opfuzz", "-n", "2"],
        vec!["eval", seed, "--model", "m.txt"],
    ] {
        let what = args.join(" ");
        let lines = check_json(&what, &stdout(&run(&[&args[..], &["--json"]].concat()).0));
        assert!(lines > 0, "{what}");
    }
    let xml = "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])";
    check_by_python("junit", xml, &dir.join("j.xml"));
    fs::write(dir.join("check.csv"), stdout(&run(&[&checked[..], &["--csv"]].concat()).0)).unwrap();
    let csv = "import sys, csv\nrows = list(csv.reader(open(sys.argv[1], newline='')))\n\
        assert len(rows) == 7 and len({len(r) for r in rows}) == 1, rows";
    check_by_python("csv", csv, &dir.join("check.csv"));
    let table = "import sys, csv\nrows = list(csv.reader(open(sys.argv[1], newline='')))\n\
        assert len({len(r) for r in rows}) == 1, rows";
    for name in ["cells.csv", "queries.csv"] {
        check_by_python(name, table, &dir.join("evolve").join(name));
    }
}

/// The test's own reading of Markdown.
#[test]
fn prose_of_markdown() {
    assert_eq!(prose("a `b` c\n```x\n`<img\n```\nd ``e`f``\n"), "a  c\nd \n");
    assert_eq!(without_code("x `` ` `` y"), "x  y");
    assert_eq!(without_code("x \\`\\` `a` y\\`"), "x   y");
}
