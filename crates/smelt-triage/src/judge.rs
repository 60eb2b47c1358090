//! A solver's model, judged by smelt's evaluator.

use std::fmt;

use smelt_eval::residual::{Residual, residual};
use smelt_eval::{
    Evaluator, Limits, Model, ModelOptions, Undetermined, Value, beyond_assertions, parse_model,
    parse_model_at,
};
use smelt_smtlib::{Fun, FunKind, Query, Script};

use crate::partial::leaves_open;

/// What the evaluator says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelVerdict {
    /// Every assertion is true: the script is satisfiable, whatever anyone says.
    True,
    /// Every assertion is true, but only with values that the standard leaves open and that the model itself gives, as z3 does by a
    /// function `/0`. The model is as good as it can be; but who takes other values for these may rightly find none.
    TrueAsChosen,
    /// An assertion (its number, from 1) is false under values that the solver itself gave; or, where these leave something open, the
    /// assertions up to it are not all true, whatever that is.
    False(usize),
    /// It depends on what the standard leaves open and the model does not say: a partial function outside of its domain. Solvers may
    /// differ there, and do.
    Unspecified(String),
    /// It cannot be decided, for another reason.
    Undetermined(String),
    /// The text is no model of this script.
    Unreadable(String),
}

impl ModelVerdict {
    /// Whether the model makes every assertion true, be it with open values of its own choice.
    pub fn holds(&self) -> bool {
        matches!(self, Self::True | Self::TrueAsChosen)
    }

    /// Whether the evaluator says neither that the model is true nor that it is false, though it is one.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Unspecified(_) | Self::Undetermined(_))
    }
}

impl fmt::Display for ModelVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::TrueAsChosen => f.write_str("true with the open values that it gives"),
            Self::False(n) => write!(f, "FALSE at assertion {n}"),
            Self::Unspecified(why) | Self::Undetermined(why) => write!(f, "undetermined: {why}"),
            Self::Unreadable(why) => write!(f, "unreadable: {why}"),
        }
    }
}

/// Judges the model that a solver printed for one check of a script. The script is left as it was.
///
/// A symbol that the model leaves out gets a default. That is enough to prove an assertion true, but an assertion that is
/// false because of a default accuses nobody: it is undetermined. Where the script says more than its assertions do (a
/// recursive definition is an axiom that may have no model, and what an unknown command demands is not known), a model of
/// the assertions proves nothing.
///
/// This is for the inner loop of a campaign: it takes a fraction of what the solver took, and gives quantifiers up early
/// ([`Limits::quick`]). To confirm a finding, see [`judge_model_within`].
pub fn judge_model(
    script: &mut Script,
    query: &Query,
    text: &str,
    options: &ModelOptions,
) -> ModelVerdict {
    judge_model_within(script, query, text, options, Limits::quick())
}

/// Judges a model as [`judge_model`] does, within limits of the caller's choice; [`Limits::default`] is thorough.
pub fn judge_model_within(
    script: &mut Script,
    query: &Query,
    text: &str,
    options: &ModelOptions,
    limits: Limits,
) -> ModelVerdict {
    let mark = script.arena.mark();
    let verdict = judged(script, query, text, options, limits);
    script.arena.rollback(mark);
    verdict
}

/// The model in a text, if it makes a script with one check true; else why it is none of it. What it defines is added to the script's
/// arena.
pub fn true_model(
    script: &mut Script,
    text: &str,
    options: &ModelOptions,
) -> Result<Model, String> {
    let [query] = &script.queries()[..] else { return Err("the script has not one check".into()) };
    match judge_model_within(script, query, text, options, Limits::default()) {
        ModelVerdict::True | ModelVerdict::TrueAsChosen => {
            parse_model(script, text.as_bytes(), options).map_err(|e| e.message.to_string())
        }
        ModelVerdict::False(n) => Err(format!("the model makes assertion {n} false")),
        ModelVerdict::Unspecified(why) | ModelVerdict::Undetermined(why) => {
            Err(format!("the model decides nothing: {why}"))
        }
        // The place is of use to whoever wrote it.
        ModelVerdict::Unreadable(why) => Err(match parse_model(script, text.as_bytes(), options) {
            Err(e) => e.render(text.as_bytes(), "the model").trim_end().to_owned(),
            Ok(_) => format!("the model cannot be read: {why}"),
        }),
    }
}

fn judged(
    script: &mut Script,
    query: &Query,
    text: &str,
    options: &ModelOptions,
    limits: Limits,
) -> ModelVerdict {
    let model = match parse_model_at(script, query.command, text.as_bytes(), options) {
        Ok(m) => m,
        Err(e) => return ModelVerdict::Unreadable(e.message.clone()),
    };
    let mut evaluator = Evaluator::new(limits);
    let (mut open, mut unspecified, mut defaulted) = (None, None, false);
    for (i, &t) in query.assertions.iter().enumerate() {
        match evaluator.judge(&script.arena, &model, t) {
            Ok(Value::Bool(true)) => {}
            // What it says of open values is not held against it: the residual tells whether it is false without that.
            Ok(Value::Bool(false)) if !model.partials().is_empty() => {
                let why = "it is false only by what the model says of values that the standard leaves open";
                unspecified.get_or_insert(why.to_owned());
            }
            Ok(Value::Bool(false))
                if !rests_on_remarks(script, query, text, options, limits, i, &model) =>
            {
                return ModelVerdict::False(i + 1);
            }
            Ok(Value::Bool(false)) => {
                let why = "it is false only if a sort has no more elements than a comment says";
                open.get_or_insert(why.to_owned());
            }
            Err(Undetermined::Defaulted(f)) => {
                defaulted = true;
                let name = script.arena.name(script.arena.fun(f).name);
                open.get_or_insert(format!("the model leaves `{name}` open"));
            }
            Ok(_) => {
                open.get_or_insert("an assertion has no Boolean value".to_owned());
            }
            Err(why @ (Undetermined::Partial(_) | Undetermined::WrongSelector(_))) => {
                unspecified.get_or_insert(why.to_string());
            }
            Err(why) => {
                open.get_or_insert(why.to_string());
            }
        }
    }
    if unspecified.is_some() || defaulted {
        // What is left of the check when the values are put in may be false, or true, whatever is open.
        match residual(script, query, &model, limits) {
            Residual::False { assertion } => return ModelVerdict::False(assertion + 1),
            Residual::True => return ModelVerdict::True,
            Residual::Open(_) | Residual::Undetermined(_) => {}
        }
    }
    if let Some(why) = unspecified {
        return ModelVerdict::Unspecified(why);
    }
    match open.or_else(|| beyond_assertions(script, query)) {
        None if rests_on_choices(script, query, &model, limits) => ModelVerdict::TrueAsChosen,
        None => ModelVerdict::True,
        Some(why) => ModelVerdict::Undetermined(why),
    }
}

/// Whether a true model may need what it says itself of values that the standard leaves open. It does not if what is left of the check
/// without that is true.
fn rests_on_choices(script: &Script, query: &Query, model: &Model, limits: Limits) -> bool {
    let is_selector = |f: &Fun| matches!(script.arena.fun(*f).kind, FunKind::Selector(..));
    let says = !model.partials().is_empty() || model.symbols().iter().any(is_selector);
    says && leaves_open(script, query)
        && !matches!(residual(script, query, model, limits), Residual::True)
}

/// Whether an assertion is false only by what is said in comments beside the model: they accuse nobody.
fn rests_on_remarks(
    script: &mut Script,
    query: &Query,
    text: &str,
    options: &ModelOptions,
    limits: Limits,
    assertion: usize,
    model: &Model,
) -> bool {
    if !model.is_remarked() {
        return false;
    }
    // Arrays were brought into a form that depends on how many indices there are: the model is read again.
    let options = ModelOptions { no_remarks: true, ..options.clone() };
    let bare = parse_model_at(script, query.command, text.as_bytes(), &options);
    let t = query.assertions[assertion];
    let judged = bare.map(|m| Evaluator::new(limits).judge(&script.arena, &m, t));
    !matches!(judged, Ok(Ok(Value::Bool(false))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, models: &[(&str, &str)]) {
        let mut s = smelt_smtlib::parse(script.as_bytes()).unwrap();
        let query = s.queries().pop().unwrap();
        // All with one script: no model must be seen by the next.
        for (text, expect) in models {
            let verdict = judge_model(&mut s, &query, text, &ModelOptions::default());
            assert_eq!(verdict.to_string(), *expect, "{script}\n{text}");
        }
    }

    /// What cvc5 1.4.2 says of two arrays: they differ only where a comment says that no index is. Where the values alone make it
    /// false, it is.
    #[test]
    fn comments_accuse_nobody() {
        let list = "; cardinality of I is 1\n; rep: (as @I_0 I)\n; cardinality of E is 2\n; rep: (as @E_0 E)\n; rep: (as @E_1 E)\n";
        let all = |b: &str| {
            format!(
                "(\n{list}(define-fun a () (Array I E) ((as const (Array I E)) (as @E_0 E)))\
                (define-fun b () (Array I E) {b}))"
            )
        };
        let differs = all("(store ((as const (Array I E)) (as @E_1 E)) (as @I_0 I) (as @E_0 E))");
        let same = all("(store ((as const (Array I E)) (as @E_0 E)) (as @I_0 I) (as @E_0 E))");
        check(
            "(declare-sort I 0)(declare-sort E 0)(declare-const a (Array I E))(declare-const b (Array I E))\
             (assert (not (= a b)))(check-sat)",
            &[
                (
                    &differs,
                    "undetermined: it is false only if a sort has no more elements than a comment says",
                ),
                (&same, "FALSE at assertion 1"),
            ],
        );
        let one =
            "(\n; cardinality of I is 1\n; rep: (as @I_0 I)\n(define-fun p ((x I)) Bool false))";
        check(
            "(declare-sort I 0)(declare-fun p (I) Bool)(assert (exists ((x I)) (p x)))(check-sat)",
            &[
                (one, "FALSE at assertion 1"),
                (
                    &one.replace("Bool false", "Bool (ite (= x (as @I_0 I)) false true)"),
                    "undetermined: it is false only if a sort has no more elements than a comment says",
                ),
            ],
        );
    }

    #[test]
    fn defaults_accuse_nobody() {
        check(
            "(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (= y 2))(check-sat)",
            &[
                ("((define-fun x () Int 1)(define-fun y () Int 2))", "true"),
                ("((define-fun x () Int 1)(define-fun y () Int 3))", "FALSE at assertion 2"),
                ("((define-fun x () Int 1))", "undetermined: the model leaves `y` open"),
                ("((define-fun y () Int 2))", "undetermined: the model leaves `x` open"),
                ("((define-fun x () Int 2))", "FALSE at assertion 1"),
                (
                    "((define-fun x () Int 1)(define-fun p () Bool true))",
                    "unreadable: `p` is not a symbol of the script",
                ),
                ("((x 1))", "undetermined: the model leaves `y` open"),
                ("((define-fun z () Int 2))", "unreadable: `z` is not a symbol of the script"),
            ],
        );
        // Not false because of the default, but whatever y is.
        check(
            "(declare-const x Int)(declare-const y Int)(assert (and (= y 0) (= x 1)))(check-sat)",
            &[("((define-fun x () Int 2))", "FALSE at assertion 1")],
        );
        check(
            "(declare-fun f (Int) Int)(assert (= (f 0) 1))(assert (= (f 1) 2))(check-sat)",
            &[
                ("(((f 0) 1))", "undetermined: the model leaves `f` open"),
                ("(((f 0) 1) ((f 1) 2))", "true"),
            ],
        );
    }

    /// Values that the standard leaves open: a model is refuted if it is false whatever they are.
    #[test]
    fn open_values() {
        let over = "(declare-const a Real)(declare-const c Real)(declare-const d Real)";
        let unspecified = "undetermined: `/` is not specified at these arguments";
        check(
            &format!("{over}(assert (= d (/ a c)))(check-sat)"),
            &[
                (
                    "((define-fun a () Real 1.0)(define-fun c () Real 0.0)(define-fun d () Real 2.0))",
                    unspecified,
                ),
                (
                    "((define-fun a () Real 1.0)(define-fun c () Real 0.0)(define-fun d () Real 2.0)\
                     (define-fun /0 ((x Real)) Real 2.0))",
                    "true with the open values that it gives",
                ),
                // The model says what division by 0.0 gives, and no term divides by zero.
                (
                    "((define-fun a () Real 4.0)(define-fun c () Real 2.0)(define-fun d () Real 2.0)\
                     (define-fun /0 ((x Real)) Real 2.0))",
                    "true",
                ),
                (
                    "((define-fun a () Real 1.0)(define-fun c () Real 0.0)(define-fun d () Real 2.0)\
                     (define-fun /0 ((x Real)) Real 3.0))",
                    "undetermined: it is false only by what the model says of values that the standard leaves open",
                ),
            ],
        );
        check(
            &format!("{over}(assert (= d (/ a c)))(assert (distinct d (/ a c)))(check-sat)"),
            &[(
                "((define-fun a () Real 1.0)(define-fun c () Real 0.0)(define-fun d () Real 2.0))",
                "FALSE at assertion 2",
            )],
        );
    }

    #[test]
    fn models_do_not_see_each_other() {
        let z3 = "((declare-fun T!val!0 () T)(declare-fun T!val!1 () T)(define-fun k!0 ((x T)) T T!val!1)
            (define-fun a () T T!val!0)(define-fun f ((x T)) T (k!0 x)))";
        let cvc5 = "((define-fun a () T (as @T_0 T))(define-fun f ((x T)) T (as @T_1 T)))";
        check(
            "(declare-sort T 0)(declare-const a T)(declare-fun f (T) T)(assert (distinct (f a) a))(check-sat)",
            &[(z3, "true"), (cvc5, "true"), (z3, "true"), (cvc5, "true"), (z3, "true")],
        );
    }

    /// `define-fun-rec` is an axiom: one without a model makes the script unsatisfiable, whatever is asserted.
    #[test]
    fn what_is_beside_the_assertions() {
        let check_one = |script: &str, expect: &str| check(script, &[("()", expect)]);
        check_one(
            "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(assert (= (f 1) (f 1)))(check-sat)",
            "undetermined: the recursive definition of `f` may have no model",
        );
        check_one(
            "(define-funs-rec ((f ((x Int)) Int)(g ((x Int)) Int)) ((g x) (+ 1 (f x))))(assert true)(check-sat)",
            "undetermined: the recursive definition of `f` may have no model",
        );
        check_one(
            "(define-fun-rec f ((x Int)) Int (+ 1 x))(assert (= (f 1) 2))(check-sat)",
            "true",
        );
        check_one(
            "(define-fun-rec f ((x Int)) Int (ite (<= x 0) 0 (f (- x 1))))(assert (= (f 9) 1))(check-sat)",
            "FALSE at assertion 1",
        );
        check_one(
            "(assert-not-really true)(assert true)(check-sat)",
            "undetermined: what `assert-not-really` demands is not known",
        );
        check_one("(get-info :version)(assert true)(check-sat)(block-model :values)", "true");
    }
}
