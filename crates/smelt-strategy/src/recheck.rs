//! A mutant's witness, checked apart from the strategy that made it: the script is printed and read again, the witness is
//! carried over by name, as the text of a model, and every assertion is evaluated from nothing.

use smelt_case::Expectation;
use smelt_eval::{Evaluator, ModelOptions, Undetermined, Value, model_text, parse_model};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, Sort, parse, print, print_term};

use crate::effort;
pub use crate::frame::recursive;

/// What the second evaluation says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// Every check that is expected to be satisfiable is true under its witness; so many were.
    Agrees(usize),
    /// The witness has a value that has no text (a regular language, a function given by a body of its own).
    NotTransferable(String),
    /// The printed script, or the text of the witness, cannot be read again.
    Unreadable(String),
    /// An assertion has no value here, for this reason, which is a bound of the evaluator.
    Undecided(String),
    /// An assertion is false under the witness, or undetermined for another reason than a bound: the mutant lies.
    Lie(String),
}

/// Prints a mutant as a campaign does.
pub fn text(script: &Script) -> String {
    let options =
        PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
    print(script, &options)
}

/// Checks the witnesses of a mutant.
pub fn recheck(script: &Script, expect: &[Expectation]) -> Recheck {
    let printed = text(script);
    let mut again = match parse(printed.as_bytes()) {
        Ok(s) => s,
        Err(e) => return Recheck::Unreadable(e.render(printed.as_bytes(), "mutant.smt2")),
    };
    let queries = again.queries();
    if queries.len() != expect.len() {
        return Recheck::Lie(format!("{} checks, {} expectations", queries.len(), expect.len()));
    }
    let mark = again.arena.mark();
    let mut agreed = 0;
    for (i, (q, e)) in queries.iter().zip(expect).enumerate() {
        let Expectation::Sat(Some(witness)) = e else { continue };
        if let Some(f) = recursive(&again) {
            let name = again.arena.name(again.arena.fun(f).name);
            return Recheck::Lie(format!("the recursive definition of {name} may have no model"));
        }
        let model_text = match model_text(script, witness) {
            Ok(t) => t,
            Err(name) => return Recheck::NotTransferable(name),
        };
        let model = match parse_model(&mut again, model_text.as_bytes(), &ModelOptions::default()) {
            Ok(m) => m,
            Err(e) => return Recheck::Unreadable(e.render(model_text.as_bytes(), "witness")),
        };
        let mut evaluator = Evaluator::new(effort::second());
        // From the leaves up, as strategies do: each part then has the whole budget.
        for t in again.arena.dag(&q.assertions) {
            if again.arena.is_closed(t) && again.arena.sort(t) == Sort::BOOL {
                let _ = evaluator.eval(&again.arena, &model, t);
            }
        }
        for &t in &q.assertions {
            let outcome = evaluator.eval(&again.arena, &model, t);
            if let Err(why @ (Undetermined::Limit(_) | Undetermined::Domain)) = outcome {
                return Recheck::Undecided(why.to_string());
            }
            if outcome != Ok(Value::TRUE) {
                let term = print_term(&again.arena, t);
                return Recheck::Lie(format!(
                    "check {i}: {term} is {outcome:?} under {model_text}"
                ));
            }
        }
        agreed += 1;
        again.arena.rollback(mark);
    }
    Recheck::Agrees(agreed)
}
