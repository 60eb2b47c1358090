//! Assertions that have nothing to do with a bug, put before those that show it: of a few seeds of `corpus/`, or of as many of a folder of
//! third-party seeds as it takes to make a large script, as reporters have them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use smelt_smtlib::{Command, LogicChoice, PrintOptions, Script, parse, print};

/// A script with the declarations and assertions of seeds before its first assertion. Its logic, which may not have their theories, is left out
/// then.
pub fn padded(text: &str, seeds: &[&str]) -> Result<String> {
    if seeds.is_empty() {
        return Ok(text.to_owned());
    }
    let text = without_logic(text);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = here.ancestors().nth(2).unwrap_or(here).join("corpus");
    let mut pad = String::new();
    for (n, seed) in seeds.iter().enumerate() {
        let file = corpus.join(seed);
        let seed = std::fs::read(&file).with_context(|| file.display().to_string())?;
        let script =
            parse(&seed).map_err(|e| anyhow::anyhow!("{}: {}", file.display(), e.message))?;
        pad += &apart(script, n);
    }
    Ok(before_assertions(&text, &pad))
}

/// A script among the satisfiable seeds of a logic, one after the other in the order of their names, as long as the fault still shows, until it
/// has so many bytes. What it says of its logic stays if that is theirs.
pub fn among(
    text: &str,
    (logic, seeds): (&str, &Path),
    bytes: usize,
    shows: &dyn Fn(&str) -> Result<bool>,
) -> Result<String> {
    let entries = std::fs::read_dir(seeds).with_context(|| seeds.display().to_string())?;
    let mut files: Vec<_> = entries.map(|e| Ok(e?.path())).collect::<Result<_>>()?;
    files.sort();
    let text = match text.contains(&format!("(set-logic {logic})")) {
        true => text.to_owned(),
        false => without_logic(text),
    };
    let (mut all, mut made) = (String::new(), text.clone());
    // Several at a time, as long as that goes.
    let mut size = 16;
    let mut rest: VecDeque<(usize, PathBuf)> = files.into_iter().enumerate().collect();
    while made.len() < bytes && !rest.is_empty() {
        let some: Vec<_> = rest.drain(..size.min(rest.len())).collect();
        let parts = some.iter().filter_map(|(n, file)| {
            let script = parse(&std::fs::read(file).ok()?).ok()?;
            let plain = script.commands.iter().all(|c| {
                !c.declares() || matches!(c, Command::DeclareFun(_) | Command::DefineFun(_))
            });
            plain.then(|| apart(script, *n))
        });
        let more: String = parts.collect();
        let candidate = before_assertions(&text, &format!("{all}{more}"));
        if shows(&candidate)? {
            (all, made) = (all + &more, candidate);
        } else if size > 1 {
            some.into_iter().rev().for_each(|s| rest.push_front(s));
            size /= 2;
        }
    }
    Ok(made)
}

/// What a script says of its logic may not fit what is put into it.
fn without_logic(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.starts_with("(set-logic"));
    lines.collect::<Vec<_>>().join("\n")
}

fn before_assertions(text: &str, pad: &str) -> String {
    let at = text.find("(assert").unwrap_or(text.len());
    format!("{}{pad}{}", &text[..at], &text[at..])
}

/// What a seed declares and asserts, under names of its own.
fn apart(mut s: Script, n: usize) -> String {
    let a = &mut s.arena;
    for c in &s.commands {
        let funs = match c {
            Command::DeclareFun(f) | Command::DefineFun(f) => vec![*f],
            _ => Vec::new(),
        };
        for f in funs {
            let name = format!("{}_of_seed_{n}", a.name(a.fun(f).name));
            let name = a.sym(&name);
            a.rename_fun(f, name);
        }
    }
    s.commands.retain(|c| c.declares() || matches!(c, Command::Assert(_)));
    print(&s, &PrintOptions { logic: LogicChoice::Keep, ..PrintOptions::default() })
}
