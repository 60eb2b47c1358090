//! Why is a Boolean term false (or true)? A short way down to the sub-term that decides.

use crate::eval::Evaluator;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::value::Value;
use smelt_smtlib::{Arena, Binder, Head, Op, Term, Var};

/// Most steps of a trace.
const MAX_STEPS: usize = 12;
/// Most operands shown at its end.
const MAX_OPERANDS: usize = 6;

/// One step of a trace.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// How far below the start.
    pub depth: usize,
    /// The term.
    pub term: Term,
    /// Its value.
    pub value: Outcome,
    /// For a quantifier: the instance that decided it.
    pub witness: Vec<(Var, Value)>,
}

pub use TraceStep as Step;

/// The way from a Boolean term to what makes it false (or true): through conjunctions to a false part, through
/// disjunctions to a true one, through `not`, `=>`, `ite` and annotations; then the operands of the last term.
pub fn trace(evaluator: &mut Evaluator, a: &Arena, model: &Model, root: Term) -> Vec<TraceStep> {
    let mut out = Vec::new();
    let mut t = root;
    for depth in 0..MAX_STEPS {
        let value = evaluator.eval(a, model, t);
        let witness = evaluator.witness(t).map(<[_]>::to_vec).unwrap_or_default();
        out.push(TraceStep { depth, term: t, value: value.clone(), witness });
        let args = a.args(t);
        let next = match (a.head(t), &value) {
            (Head::Op(Op::And, _), Ok(Value::Bool(false))) => {
                find(evaluator, a, model, args, |v| *v == Ok(Value::FALSE))
            }
            (Head::Op(Op::Or, _), Ok(Value::Bool(true))) => {
                find(evaluator, a, model, args, |v| *v == Ok(Value::TRUE))
            }
            (Head::Op(Op::And | Op::Or | Op::Implies, _), Err(_)) => {
                find(evaluator, a, model, args, Result::is_err)
            }
            (Head::Op(Op::Implies, _), Ok(Value::Bool(false))) => args.last().copied(),
            (Head::Op(Op::Not, _) | Head::Annot(_), _) => args.first().copied(),
            (Head::Op(Op::Ite, _), _) => match evaluator.eval(a, model, args[0]) {
                Ok(Value::Bool(b)) => {
                    let value = Ok(Value::Bool(b));
                    out.push(TraceStep {
                        depth: depth + 1,
                        term: args[0],
                        value,
                        witness: Vec::new(),
                    });
                    Some(if b { args[1] } else { args[2] })
                }
                _ => Some(args[0]),
            },
            _ => None,
        };
        match next {
            Some(next) => t = next,
            None => {
                operands(evaluator, a, model, t, depth + 1, &mut out);
                break;
            }
        }
    }
    out
}

fn find(
    evaluator: &mut Evaluator,
    a: &Arena,
    model: &Model,
    args: &[Term],
    wanted: impl Fn(&Outcome) -> bool,
) -> Option<Term> {
    args.iter().copied().find(|&x| wanted(&evaluator.eval(a, model, x)))
}

fn operands(
    evaluator: &mut Evaluator,
    a: &Arena,
    model: &Model,
    t: Term,
    depth: usize,
    out: &mut Vec<TraceStep>,
) {
    if matches!(a.head(t), Head::Bind(Binder::Forall | Binder::Exists, _)) {
        return;
    }
    let shown = a.args(t).iter().filter(|&&x| a.is_closed(x)).take(MAX_OPERANDS);
    for &x in shown {
        // What a literal is worth is to be seen.
        if matches!(a.head(x), Head::Lit(_)) {
            continue;
        }
        let value = evaluator.eval(a, model, x);
        out.push(TraceStep { depth, term: x, value, witness: Vec::new() });
    }
}
