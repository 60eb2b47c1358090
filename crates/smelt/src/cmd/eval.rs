//! `smelt eval`: is a model a model?

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};
use smelt_campaign::seeds;
use smelt_eval::trace::{Step, trace};
use smelt_eval::{
    Evaluator, Limits, Model, ModelOptions, Outcome, Residual, Value, residual, value_to_smtlib,
};
use smelt_smtlib::{Arena, ParseOptions, Sort, Term, parse_terms, print_term};

use crate::args;
use crate::exit::Exit;
use crate::printable::Printable;
use crate::view;

/// Longest text of a term or a value that is shown.
const SHOWN: usize = 100;

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

/// A term and its value, as text.
struct Shown {
    term: String,
    value: Result<String, String>,
    /// How deep in the assertion it stands, in a trace.
    depth: usize,
    /// For which values of bound variables it has this value.
    instance: Vec<String>,
}

impl Shown {
    fn word(&self) -> String {
        match &self.value {
            Ok(value) => cut(value.clone()),
            Err(why) => format!("undetermined ({why})"),
        }
    }

    /// Where the value was found.
    fn at(&self) -> String {
        match &self.instance[..] {
            [] => String::new(),
            all => format!(" at {}", all.join(", ")),
        }
    }

    fn json(&self) -> Json {
        match &self.value {
            Ok(value) => json!({ "term": self.term, "value": value }),
            Err(why) => json!({ "term": self.term, "undetermined": why }),
        }
    }
}

struct Assertion {
    /// Whether it is true; nothing, if that is not determined.
    is_true: Option<bool>,
    shown: Shown,
    /// The way down to the sub-term that decides, if it is wanted.
    trace: Option<Vec<Shown>>,
}

struct Check {
    command: usize,
    assertions: Vec<Assertion>,
    /// What is left of a check that is not determined, if it is wanted.
    why: Option<Residual>,
}

impl Check {
    fn count(&self, value: Option<bool>) -> usize {
        self.assertions.iter().filter(|a| a.is_true == value).count()
    }

    /// Whether an assertion has this value, if what is left of the check does not decide.
    fn is(&self, value: Option<bool>) -> bool {
        match &self.why {
            Some(Residual::True) => value == Some(true),
            Some(Residual::False { .. }) => value == Some(false),
            _ => self.count(value) > 0,
        }
    }

    fn print(&self, number: usize, out: &mut impl Write) -> Result<()> {
        let (yes, no, open) = (self.count(Some(true)), self.count(Some(false)), self.count(None));
        writeln!(out, "check {number}: {yes} true, {no} false, {open} undetermined")?;
        for Assertion { shown, trace, .. } in &self.assertions {
            let mut steps = trace.iter().flatten();
            let at = steps.next().map(Shown::at).unwrap_or_default();
            writeln!(out, "  {}: {}{at}", shown.word(), shown.term)?;
            for s in steps {
                let indent = "  ".repeat(s.depth);
                writeln!(out, "    {indent}{} = {}{}", s.term, s.word(), s.at())?;
            }
        }
        if let Some(why) = &self.why {
            view::residual::show(why, out)?;
        }
        Ok(())
    }

    fn json(&self) -> Json {
        let step = |s: &Shown| {
            let mut one = s.json();
            (one["depth"], one["instance"]) = (json!(s.depth), json!(s.instance));
            one
        };
        let assertion = |a: &Assertion| {
            let mut one = a.shown.json();
            if let Some(trace) = &a.trace {
                one["trace"] = trace.iter().map(step).collect();
            }
            one
        };
        let assertions: Vec<Json> = self.assertions.iter().map(assertion).collect();
        let mut one = json!({ "command": self.command, "assertions": assertions });
        if let Some(why) = &self.why {
            one["why"] = view::residual::json(why);
        }
        one
    }
}

/// The value of an assertion under a model, and why it is not true if that is wanted.
fn assertion(ev: &mut Evaluator, a: &Arena, model: &Model, t: Term, traced: bool) -> Assertion {
    let outcome = ev.judge(a, model, t);
    let is_true = outcome.as_ref().ok().map(|v| *v == Value::TRUE);
    let bound = |(v, x): &(smelt_smtlib::Var, Value)| {
        let d = a.var(*v);
        format!("{} = {}", a.name(d.name), cut(text(a, x, d.sort)))
    };
    let step = |s: &Step| {
        let instance = s.witness.iter().map(bound).collect();
        Shown { depth: s.depth, instance, ..shown(a, s.term, &s.value) }
    };
    let steps = (traced && is_true != Some(true)).then(|| trace(ev, a, model, t));
    let trace = steps.map(|all| all.iter().map(step).collect());
    Assertion { is_true, shown: shown(a, t, &outcome), trace }
}

fn shown(a: &Arena, t: Term, outcome: &Outcome) -> Shown {
    let value = match outcome {
        Ok(v) => Ok(text(a, v, a.sort(t))),
        Err(e) => Err(e.to_string()),
    };
    Shown { term: cut(print_term(a, t)), value, depth: 0, instance: Vec::new() }
}

fn text(a: &Arena, v: &Value, sort: Sort) -> String {
    value_to_smtlib(a, v, sort).unwrap_or_else(|| format!("{v:?}"))
}

fn cut(text: String) -> String {
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}
