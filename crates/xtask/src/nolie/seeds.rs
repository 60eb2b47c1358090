//! Seeds with what is known about them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use smelt_case::{Basis, Known, Seed, Status, digest};
use smelt_eval::{Evaluator, Model, ModelOptions, Value, parse_model};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, parse, print};
use smelt_solver::{Limits, Policy, Requests, Session, Setup, testing};
use smelt_strategy::satisfy::satisfy;

/// The seeds of a run.
pub struct Seeds {
    pub list: Vec<Seed>,
    /// Which of them have a model of z3.
    pub modelled: Vec<usize>,
    pub satisfied: usize,
    pub unsat: usize,
}

/// Reads a corpus. The status of a script with one check is its `:status`, or the folder `sat` or `unsat` that it is in.
pub fn load(
    corpus: Option<&Path>,
    max_bytes: u64,
    every: usize,
    models: bool,
    seed: u64,
) -> Result<Seeds> {
    let mut paths = Vec::new();
    match corpus {
        Some(dir) => files(dir, max_bytes, &mut paths)?,
        None => files(&super::embedded()?, max_bytes, &mut paths)?,
    }
    let setup =
        Setup { models: true, limits: Limits::cpu(Duration::from_millis(500)), ..Setup::default() };
    let mut session =
        models.then(|| Session::new(&testing::solver("z3@latest"), setup, Policy::default()));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut out = Seeds { list: Vec::new(), modelled: Vec::new(), satisfied: 0, unsat: 0 };
    for path in paths.iter().step_by(every.max(1)) {
        let source = std::fs::read(path)?;
        let Ok(mut script) = parse(&source) else { continue };
        let queries = script.queries();
        let folder = path.parent().and_then(Path::file_name).and_then(|f| f.to_str());
        let label = script.info(":status").or(folder).filter(|_| queries.len() == 1);
        let status = label.and_then(Status::of_word).unwrap_or_default();
        let mut known = vec![Known::default(); queries.len()];
        if status == Status::Unsat {
            known[0] = Known { status, basis: Basis::Annotated, model: None };
        }
        let model = match (&mut session, status) {
            (Some(session), Status::Sat) => ask(session, &mut script),
            _ => None,
        };
        let modelled = model.is_some();
        if let Some(model) = model {
            let model = Some(Arc::new(model));
            known[0] = Known { status: Status::Sat, basis: Basis::Evaluated, model };
        }
        let name = path.display().to_string();
        let seed = Seed::new(name, digest(&source), script, known);
        if modelled {
            out.modelled.push(out.list.len());
            out.list.push(seed);
            continue;
        }
        if let Some(made) = satisfy(&seed, &mut random) {
            out.satisfied += 1;
            out.list.push(made);
        }
        if status == Status::Unsat {
            out.unsat += 1;
            out.list.push(seed);
        }
    }
    Ok(out)
}

/// z3's model, if the evaluator finds every assertion true under it.
fn ask(session: &mut Session, script: &mut Script) -> Option<Model> {
    let options =
        PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
    let text = print(script, &options);
    let outcome = session
        .run(&smelt_solver::Script::new(&text), Requests { model: true, core: false })
        .ok()?;
    let text = outcome.model()?.to_owned();
    let mark = script.arena.mark();
    let model = parse_model(script, text.as_bytes(), &ModelOptions::default()).ok()?;
    let assertions = script.queries().first()?.assertions.clone();
    let mut evaluator = Evaluator::default();
    if assertions.iter().all(|&t| evaluator.eval(&script.arena, &model, t) == Ok(Value::TRUE)) {
        return Some(model);
    }
    script.arena.rollback(mark);
    None
}

fn files(dir: &Path, max_bytes: u64, out: &mut Vec<PathBuf>) -> Result<()> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(dir)?.map(|e| Ok(e?.path())).collect::<Result<_>>()?;
    all.sort();
    for p in all {
        if p.is_dir() {
            files(&p, max_bytes, out)?;
        } else if p.extension().is_some_and(|e| e == "smt2") && p.metadata()?.len() <= max_bytes {
            out.push(p);
        }
    }
    Ok(())
}
