//! The command that says whether a fault is in a script: a shell script that both tools run.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use super::triggers::{Trigger, Wrong};

/// CPU seconds of a solver.
const SECONDS: u32 = 3;

/// Writes the command for a trigger.
pub fn write(to: &Path, calls: &Path, t: &Trigger, bad: &Path, good: &Path) -> Result<()> {
    let bad = format!("'{}' {}", bad.display(), t.options.join(" "));
    let good = format!("'{}'", good.display());
    let says = |who: &str, what: &str| format!("[ \"$({who} \"$1\" 2>&1)\" = {what} ]");
    let test = match t.wrong {
        Wrong::Unsat => format!("{} && {}", says(&bad, "unsat"), says(&good, "sat")),
        Wrong::Sat => format!("{} && {}", says(&bad, "sat"), says(&good, "unsat")),
        Wrong::Model => format!(
            "case \"$({bad} model_validate=true \"$1\" 2>&1)\" in sat*'invalid model'*) exit 0;; esac; exit 1"
        ),
        Wrong::Ends(code) => format!("{bad} \"$1\" >/dev/null 2>&1; [ $? -eq {code} ]"),
        Wrong::Unknown => format!(
            "{} && case \"$({good} \"$1\" 2>&1)\" in sat|unsat) exit 0;; *) exit 1;; esac",
            says(&bad, "unknown")
        ),
    };
    let text = format!(
        "#!/bin/sh\nprintf . >> '{}'\nulimit -S -t {SECONDS}\nulimit -c 0\nexec 2>/dev/null\n{test}\n",
        calls.display()
    );
    std::fs::write(to, text)?;
    std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Whether the fault is in a file.
pub fn holds(predicate: &Path, file: &Path) -> Result<bool> {
    let status = Command::new(predicate)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(status.success())
}
