//! Assertions that have nothing to do with a bug, put before those that show it.

use std::path::Path;

use anyhow::{Context, Result};
use smelt_smtlib::{Command, LogicChoice, PrintOptions, Script, parse, print};

/// A script with the declarations and assertions of seeds before its first assertion. Its logic, which may not have their theories, is left out
/// then.
pub fn padded(text: &str, seeds: &[&str]) -> Result<String> {
    if seeds.is_empty() {
        return Ok(text.to_owned());
    }
    let lines = text.lines().filter(|l| !l.starts_with("(set-logic"));
    let text = lines.collect::<Vec<_>>().join("\n");
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
    let at = text.find("(assert").unwrap_or(text.len());
    Ok(format!("{}{pad}{}", &text[..at], &text[at..]))
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
