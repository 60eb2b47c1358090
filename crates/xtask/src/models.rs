//! `cargo xtask models`: what solvers print for `(get-model)` on the satisfiable files of a corpus, kept for later.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use smelt_smtlib::{Command as Smt, PrintOptions, Script, parse, print};

use crate::judge::install::{environment, target_dir};

/// What to run.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// A folder `LOGIC/sat/*.smt2`.
    #[arg(long)]
    pub corpus: PathBuf,
    /// How many files at most.
    #[arg(long)]
    pub limit: Option<usize>,
    /// Seconds per file and solver.
    #[arg(long, default_value_t = 3)]
    pub seconds: u64,
    /// Where to keep the models; by default in the build folder.
    #[arg(long)]
    pub out: Option<PathBuf>,
}

/// Runs. Files that are there already are left alone, so a stopped run goes on where it was.
pub fn run(options: &Options) -> Result<()> {
    let out = options.out.clone().unwrap_or_else(|| target_dir().join("models"));
    let mut files = Vec::new();
    for logic in sorted(&options.corpus)? {
        let sat = logic.join("sat");
        if sat.is_dir() {
            files.extend(
                sorted(&sat)?.into_iter().filter(|f| f.extension().is_some_and(|e| e == "smt2")),
            );
        }
    }
    files.truncate(options.limit.unwrap_or(usize::MAX));
    let bin = environment()?;
    let mut counts = std::collections::BTreeMap::<(&str, &str), u64>::new();
    for (i, file) in files.iter().enumerate() {
        let logic = file
            .parent()
            .and_then(Path::parent)
            .and_then(Path::file_name)
            .context("a file outside of LOGIC/sat")?;
        let stem = file.file_stem().context("a file without a name")?.to_string_lossy();
        let source = std::fs::read(file)?;
        let Ok(script) = parse(&source) else {
            *counts.entry(("smelt", "not read")).or_default() += 1;
            continue;
        };
        let text = print(
            &with_model(script),
            &PrintOptions { strip_status: true, ..PrintOptions::default() },
        );
        for solver in ["z3", "cvc5"] {
            let folder = out.join(solver).join(logic);
            std::fs::create_dir_all(&folder)?;
            let model = folder.join(format!("{stem}.model"));
            let seen = folder.join(format!("{stem}.smt2"));
            let result = if model.exists() {
                "kept"
            } else {
                std::fs::write(&seen, &text)?;
                let answer = ask(solver, &bin, &seen, options.seconds)?;
                match answer.strip_prefix("sat\n") {
                    Some(rest) => {
                        std::fs::write(&model, rest)?;
                        "model"
                    }
                    None => {
                        let other = folder.join(format!("{stem}.out"));
                        std::fs::write(&other, &answer)?;
                        match answer.lines().next() {
                            Some("unknown") => "unknown",
                            Some("unsat") => "UNSAT",
                            Some("timeout") => "timeout",
                            _ => "other",
                        }
                    }
                }
            };
            *counts.entry((solver, result)).or_default() += 1;
        }
        if i % 100 == 99 {
            eprintln!("{} of {} files: {counts:?}", i + 1, files.len());
        }
    }
    for ((solver, result), n) in &counts {
        println!("{solver:<8} {result:<10} {n}");
    }
    println!("in {}", out.display());
    Ok(())
}

/// The script up to its first check, with models switched on and asked for.
fn with_model(mut script: Script) -> Script {
    script.commands.retain(|c| {
        !matches!(c, Smt::SetOption(k, _) if &**k == ":produce-models")
            && !matches!(c, Smt::Other(text) if text.starts_with("(get-"))
            && !matches!(c, Smt::GetValue(_))
    });
    if let Some(i) = script.commands.iter().position(Smt::is_check) {
        script.commands.truncate(i + 1);
    } else {
        script.commands.push(Smt::CheckSat);
    }
    script.commands.insert(0, Smt::SetOption(":produce-models".into(), "true".into()));
    script.commands.push(Smt::Other("(get-model)".into()));
    script
}

const CVC5_RUN: &str = "\
import sys, resource, cvc5
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
manager = cvc5.TermManager()
solver = cvc5.Solver(manager)
for key, value in [('strings-exp', 'true'), ('fp-exp', 'true'), ('arrays-exp', 'true'), ('tlimit', sys.argv[2])]:
    solver.setOption(key, value)
symbols = cvc5.SymbolManager(manager)
parser = cvc5.InputParser(solver, symbols)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    answer = command.invoke(solver, symbols)
    if answer:
        print(answer, end='', flush=True)
";

/// Runs a solver on a file; its output, or `timeout`.
fn ask(solver: &str, bin: &Path, file: &Path, seconds: u64) -> Result<String> {
    let mut command = if solver == "z3" {
        let mut c = Command::new(bin.join("z3"));
        c.arg(format!("-T:{seconds}"))
            .arg("-memory:4000")
            .arg("pp.max_depth=4000000000")
            .arg("pp.min_alias_size=4000000000")
            .arg(file);
        c
    } else {
        let mut c = Command::new(bin.join("python"));
        c.arg("-c").arg(CVC5_RUN).arg(file).arg((seconds * 1000).to_string());
        c
    };
    let scratch = tempfile()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&scratch)?)
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {solver}"))?;
    let end = Instant::now() + Duration::from_secs(seconds + 2);
    loop {
        if child.try_wait()?.is_some() {
            break;
        }
        if Instant::now() > end {
            // It may end by itself just now.
            let _ = child.kill();
            child.wait()?;
            return Ok("timeout\n".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = String::from_utf8_lossy(&std::fs::read(&scratch)?).into_owned();
    // z3's time may run out after the answer, while it makes the model.
    Ok(if said.ends_with("\ntimeout\n") { "timeout\n".into() } else { said })
}

/// One file per process of ours, for the output of the solver that runs.
fn tempfile() -> Result<PathBuf> {
    let dir = target_dir().join("models");
    std::fs::create_dir_all(&dir)?;
    Ok(dir.join(format!("output-{}.txt", std::process::id())))
}

fn sorted(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(dir).with_context(|| format!("the folder {}", dir.display()))?;
    let mut all = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    all.sort();
    Ok(all)
}
