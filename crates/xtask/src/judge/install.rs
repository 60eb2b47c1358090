//! Where the solvers are: named by environment variables, or installed once into the build folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Judge, JudgeName};

/// The releases that agree with each other; the figures in reports are theirs.
const PACKAGES: [&str; 3] = ["z3-solver==5.4.0.0", "cvc5==1.4.2", "bitwuzla==0.9.1"];

/// The build folder of the workspace.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => dir.into(),
        None => {
            let here = Path::new(env!("CARGO_MANIFEST_DIR"));
            here.ancestors().nth(2).unwrap_or(here).join("target")
        }
    }
}

/// All judges. `SMELT_Z3` names a z3 binary, `SMELT_CVC5_PYTHON` and `SMELT_BITWUZLA_PYTHON` a Python that has
/// the module; what is not named comes from a virtual environment in the build folder.
pub fn judges() -> Result<Vec<Judge>> {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    let mut out = Vec::new();
    for (kind, variable, file) in [
        (JudgeName::Z3, "SMELT_Z3", "z3"),
        (JudgeName::Cvc5, "SMELT_CVC5_PYTHON", "python"),
        (JudgeName::Bitwuzla, "SMELT_BITWUZLA_PYTHON", "python"),
    ] {
        let program = match named(variable) {
            Some(path) => path,
            None => environment()?.join(file),
        };
        out.push(Judge::new(kind, program));
    }
    Ok(out)
}

/// The `bin` folder of the judges' virtual environment, made on first use.
pub fn environment() -> Result<PathBuf> {
    packages("judges", &PACKAGES)
}

/// The `bin` folder of a virtual environment in the build folder that has these packages, made on first use.
pub fn packages(name: &str, wanted: &[&str]) -> Result<PathBuf> {
    let dir = target_dir().join(name);
    let bin = dir.join("bin");
    let stamp = dir.join("installed.txt");
    let list = wanted.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|s| s == list) {
        return Ok(bin);
    }
    eprintln!("installing {} into {}", wanted.join(", "), dir.display());
    run(Command::new("python3").args(["-m", "venv"]).arg(&dir))
        .context("a virtual environment needs python3 with venv")?;
    run(Command::new(bin.join("python"))
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(wanted))?;
    std::fs::write(&stamp, list)?;
    Ok(bin)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{:?}", command.get_program()))?;
    if !status.success() {
        bail!("{:?} failed: {status}", command.get_program());
    }
    Ok(())
}
