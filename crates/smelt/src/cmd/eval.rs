//! `smelt eval`: is a model a model?

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};
use smelt_campaign::seeds;
use smelt_eval::{Evaluator, Limits, ModelOptions, residual};
use smelt_smtlib::{ParseOptions, Term, parse_terms};

use crate::args;
use crate::exit::Exit;
use crate::printable::Printable;
use crate::view::evaluation::{Assertion, Check, Shown, assertion, shown};

/// Evaluate the assertions of a script under a model, without asking any solver.
///
/// Exit code: 0 if every assertion of every check is true, 1 if one is false, 3 if none is false but the value of one is
/// not determined, 2 if the script or the model cannot be read. An assertion that is false only with the default of a
/// symbol that the model leaves out is not determined. With --why, a check that is false (or true) whatever is open counts as that.
#[derive(clap::Args)]
pub struct Args {
    /// The script.
    file: PathBuf,
    /// What a solver printed for (get-model) or (get-value …).
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,
    /// For each assertion that is not true, the way down to the sub-term that decides.
    #[arg(long)]
    trace: bool,
    /// For each check with an assertion that is not determined: what it depends on, and the residual, a script that has a model
    /// exactly if the model can be completed.
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    json: args::Json,
    /// Strings in the model are escaped as z3 did up to 4.8.10 (`\x41`).
    #[arg(long)]
    old_escapes: bool,
    /// Decimals in the model are exact. Without this, `1.414214` may be a rounded number, which decides nothing.
    #[arg(long)]
    exact: bool,
    /// Also print the value of this term; may be repeated.
    #[arg(long, value_name = "TERM")]
    term: Vec<String>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let source = seeds::read(&args.file)?;
    let text = seeds::read(&args.model)?;
    let options = ParseOptions::default();
    let mut script = source.script(&options)?;
    let reading = ModelOptions {
        old_escapes: args.old_escapes,
        parse: options.clone(),
        rounded: if args.exact { Vec::new() } else { ModelOptions::default().rounded },
        ..ModelOptions::default()
    };
    let model = text.model(&mut script, &reading)?;
    let mut terms = Vec::new();
    for t in &args.term {
        match parse_terms(&mut script, t.as_bytes(), &options) {
            Ok(found) => terms.extend(found),
            Err(e) => bail!("{}", e.render(t.as_bytes(), "--term").trim_end()),
        }
    }
    let (a, mut ev) = (&script.arena, Evaluator::default());
    let mut checks = Vec::new();
    for q in script.queries() {
        let all = q.assertions.iter().map(|&t| assertion(&mut ev, a, &model, t, args.trace));
        let assertions: Vec<Assertion> = all.collect();
        let open = assertions.iter().any(|a| a.is_true.is_none());
        let sought = args.why && open && assertions.iter().all(|a| a.is_true != Some(false));
        let why = sought.then(|| residual(&script, &q, &model, Limits::default()));
        checks.push(Check { command: q.command, assertions, why });
    }
    let term = |t: Term| shown(a, t, &ev.eval(a, &model, t));
    let terms: Vec<Shown> = terms.into_iter().map(term).collect();
    let completed: Vec<&str> = model.completed().iter().map(|&f| a.name(a.fun(f).name)).collect();
    let mut out = Printable(std::io::stdout().lock());
    if args.json.json {
        let checks: Vec<Json> = checks.iter().map(Check::json).collect();
        let terms: Vec<Json> = terms.iter().map(Shown::json).collect();
        writeln!(
            out,
            "{}",
            json!({ "kind": "eval", "checks": checks, "terms": terms, "completed": completed })
        )?;
    } else {
        for (i, check) in checks.iter().enumerate() {
            check.print(i + 1, &mut out)?;
        }
        for t in &terms {
            writeln!(out, "{} = {}", t.term, t.word())?;
        }
        if !completed.is_empty() {
            writeln!(out, "not in the model, completed: {}", completed.join(" "))?;
        }
    }
    let any = |value| checks.iter().any(|c| c.is(value));
    Ok(match () {
        _ if any(Some(false)) => Exit::No,
        _ if any(None) => Exit::Open,
        _ => Exit::Fine,
    })
}
