//! A solver's model, judged by smelt's evaluator.

use std::fmt;

use smelt_eval::{Evaluator, Limits, ModelOptions, Value, parse_model};
use smelt_smtlib::{Fun, Head, Query, Script, Term};

/// What the evaluator says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelVerdict {
    /// Every assertion is true: the script is satisfiable, whatever anyone says.
    True,
    /// An assertion (its number, from 1) is false under values that the solver itself gave.
    False(usize),
    /// It cannot be decided, for this reason.
    Undetermined(String),
    /// The text is no model of this script.
    Unreadable(String),
}

impl fmt::Display for ModelVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::False(n) => write!(f, "FALSE at assertion {n}"),
            Self::Undetermined(why) => write!(f, "undetermined: {why}"),
            Self::Unreadable(why) => write!(f, "unreadable: {why}"),
        }
    }
}

/// Judges the model that a solver printed for one check of a script.
///
/// A symbol that the model leaves out gets a default. That is enough to prove an assertion true, but an assertion that is
/// false because of a default accuses nobody: it is undetermined.
pub fn judge_model(
    script: &mut Script,
    query: &Query,
    text: &str,
    options: &ModelOptions,
) -> ModelVerdict {
    let model = match parse_model(script, text.as_bytes(), options) {
        Ok(m) => m,
        Err(e) => return ModelVerdict::Unreadable(e.message.clone()),
    };
    let mut evaluator = Evaluator::new(Limits::default());
    let mut open = None;
    for (i, &t) in query.assertions.iter().enumerate() {
        match evaluator.eval(&script.arena, &model, t) {
            Ok(Value::Bool(true)) => {}
            Ok(Value::Bool(false)) => match uses(script, t, model.completed()) {
                None => return ModelVerdict::False(i + 1),
                Some(f) => {
                    let name = script.arena.name(script.arena.fun(f).name);
                    open.get_or_insert(format!("the model leaves `{name}` open"));
                }
            },
            Ok(_) => {
                open.get_or_insert("an assertion has no Boolean value".to_owned());
            }
            Err(why) => {
                open.get_or_insert(why.to_string());
            }
        }
    }
    match open {
        None => ModelVerdict::True,
        Some(why) => ModelVerdict::Undetermined(why),
    }
}

/// One of these symbols that occurs in a term, in the definitions that it uses included.
fn uses(script: &Script, t: Term, symbols: &[Fun]) -> Option<Fun> {
    if symbols.is_empty() {
        return None;
    }
    let a = &script.arena;
    let mut roots = vec![t];
    let mut seen = std::collections::HashSet::new();
    while let Some(t) = roots.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Head::Fun(f) = a.head(t) {
            if symbols.contains(&f) {
                return Some(f);
            }
            roots.extend(a.fun(f).def.map(|(_, body)| body));
        }
        roots.extend_from_slice(a.args(t));
    }
    None
}
