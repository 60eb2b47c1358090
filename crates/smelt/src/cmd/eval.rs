//! `smelt eval`: is a model a model?

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};
use smelt_campaign::seeds;
use smelt_eval::trace::{Step, trace};
use smelt_eval::{Evaluator, Model, ModelOptions, Outcome, Value, value_to_smtlib};
use smelt_smtlib::{Arena, ParseOptions, Script, Sort, Term, parse_terms, print_term};

use crate::args;
use crate::exit::Exit;

/// Longest text of a term or a value that is shown.
const SHOWN: usize = 100;

/// Evaluate the assertions of a script under a model, without asking any solver.
///
/// Exit code: 0 if every assertion of every check is true, 1 if one is false, 3 if none is false but the value of one is
/// not determined, 2 if the script or the model cannot be read. An assertion that is false only with the default of a
/// symbol that the model leaves out is not determined.
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
    let mut judge = Judge { evaluator: Evaluator::default(), script: &script, model: &model };
    let checks = judge.checks();
    let mut out = crate::printable::Printable(std::io::stdout().lock());
    if args.json.json {
        let report = judge.json(&checks, &terms, args.trace);
        writeln!(out, "{report}")?;
    } else {
        judge.print(&checks, &terms, args.trace, &mut out)?;
    }
    let all = || checks.iter().flat_map(|c| &c.values).map(|(_, v)| v);
    Ok(if all().any(|v| matches!(v, Ok(Value::Bool(false)))) {
        Exit::No
    } else if all().any(Result::is_err) {
        Exit::Open
    } else {
        Exit::Fine
    })
}

struct Check {
    command: usize,
    values: Vec<(Term, Outcome)>,
}

struct Judge<'a> {
    evaluator: Evaluator,
    script: &'a Script,
    model: &'a Model,
}

impl Judge<'_> {
    fn value(&mut self, t: Term) -> Outcome {
        self.evaluator.eval(&self.script.arena, self.model, t)
    }

    fn assertion(&mut self, t: Term) -> Outcome {
        self.evaluator.judge(&self.script.arena, self.model, t)
    }

    fn checks(&mut self) -> Vec<Check> {
        let queries = self.script.queries();
        let one = |q: &smelt_smtlib::Query| Check {
            command: q.command,
            values: q.assertions.iter().map(|&t| (t, self.assertion(t))).collect(),
        };
        queries.iter().map(one).collect()
    }

    fn steps(&mut self, t: Term) -> Vec<Step> {
        trace(&mut self.evaluator, &self.script.arena, self.model, t)
    }

    fn print(
        &mut self,
        checks: &[Check],
        terms: &[Term],
        with_trace: bool,
        out: &mut impl Write,
    ) -> Result<()> {
        let a = &self.script.arena;
        for (i, check) in checks.iter().enumerate() {
            let count = |f: fn(&Outcome) -> bool| check.values.iter().filter(|(_, v)| f(v)).count();
            writeln!(
                out,
                "check {}: {} true, {} false, {} undetermined",
                i + 1,
                count(|v| *v == Ok(Value::TRUE)),
                count(|v| *v == Ok(Value::FALSE)),
                count(Result::is_err),
            )?;
            for (t, value) in &check.values {
                let word = match value {
                    Ok(v) => shown(a, v, Sort::BOOL),
                    Err(e) => format!("undetermined ({e})"),
                };
                let steps = if with_trace && *value != Ok(Value::TRUE) {
                    self.steps(*t)
                } else {
                    Vec::new()
                };
                let at = steps.first().map_or(String::new(), |s| instance(a, s));
                writeln!(out, "  {word}: {}{at}", cut(print_term(a, *t)))?;
                for step in steps.iter().skip(1) {
                    let term = cut(print_term(a, step.term));
                    let indent = "  ".repeat(step.depth);
                    writeln!(out, "    {indent}{term} = {}{}", says(a, step), instance(a, step))?;
                }
            }
        }
        for &t in terms {
            let value = match self.value(t) {
                Ok(v) => shown(a, &v, a.sort(t)),
                Err(e) => format!("undetermined ({e})"),
            };
            writeln!(out, "{} = {value}", cut(print_term(a, t)))?;
        }
        let completed = names(self.script, self.model);
        if !completed.is_empty() {
            writeln!(out, "not in the model, completed: {}", completed.join(" "))?;
        }
        Ok(())
    }

    fn json(&mut self, checks: &[Check], terms: &[Term], with_trace: bool) -> Json {
        let a = &self.script.arena;
        let outcome = |t: Term, v: &Outcome| match v {
            Ok(v) => json!({ "value": value_to_smtlib(a, v, a.sort(t)) }),
            Err(e) => json!({ "undetermined": e.to_string() }),
        };
        let mut list = Vec::new();
        for check in checks {
            let mut assertions = Vec::new();
            for (t, v) in &check.values {
                let mut one = outcome(*t, v);
                one["term"] = json!(cut(print_term(a, *t)));
                if with_trace && *v != Ok(Value::TRUE) {
                    let steps = self.steps(*t);
                    let shown = steps.iter().map(|s| {
                        let mut step = outcome(s.term, &s.value);
                        step["term"] = json!(cut(print_term(a, s.term)));
                        step["depth"] = json!(s.depth);
                        step["instance"] = json!(bindings(a, s));
                        step
                    });
                    one["trace"] = shown.collect();
                }
                assertions.push(one);
            }
            list.push(json!({ "command": check.command, "assertions": assertions }));
        }
        let values: Vec<Json> = terms
            .iter()
            .map(|&t| {
                let mut one = outcome(t, &self.value(t));
                one["term"] = json!(cut(print_term(a, t)));
                one
            })
            .collect();
        json!({ "checks": list, "terms": values, "completed": names(self.script, self.model) })
    }
}

fn names(script: &Script, model: &Model) -> Vec<String> {
    let a = &script.arena;
    model.completed().iter().map(|&f| a.name(a.fun(f).name).to_owned()).collect()
}

fn says(a: &Arena, step: &Step) -> String {
    match &step.value {
        Ok(v) => shown(a, v, a.sort(step.term)),
        Err(e) => format!("undetermined ({e})"),
    }
}

fn bindings(a: &Arena, step: &Step) -> Vec<String> {
    let one = |(v, x): &(smelt_smtlib::Var, Value)| {
        let d = a.var(*v);
        format!("{} = {}", a.name(d.name), shown(a, x, d.sort))
    };
    step.witness.iter().map(one).collect()
}

fn instance(a: &Arena, step: &Step) -> String {
    let all = bindings(a, step);
    if all.is_empty() { String::new() } else { format!(" at {}", all.join(", ")) }
}

fn shown(a: &Arena, v: &Value, sort: Sort) -> String {
    cut(value_to_smtlib(a, v, sort).unwrap_or_else(|| format!("{v:?}")))
}

fn cut(text: String) -> String {
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}
