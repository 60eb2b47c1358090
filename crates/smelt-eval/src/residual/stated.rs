//! What a model says about open values itself. It may complete the model, and refutes nothing.

use smelt_smtlib::partiality::{Open, Range};
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::totalise::Partial;
use smelt_smtlib::{Arena, FunKind, Head, Literal, Op, OpenFunction, Sort, Term};

use super::complete::Point;
use super::open::OpenResidual;
use crate::eval::Evaluator;
use crate::model::{Interpretation, table};
use crate::value::Value;

impl OpenResidual {
    /// What the model says about an open value, as a meaning of the function that stands for it.
    pub(super) fn stated(&self, a: &mut Arena, o: &OpenFunction) -> Option<Interpretation> {
        self.defined(a, o).or_else(|| self.claimed(a, o))
    }

    /// By definitions: z3 has functions `/0`, `div0` and their like.
    fn defined(&self, a: &mut Arena, o: &OpenFunction) -> Option<Interpretation> {
        let op = match o.of {
            Partial::Selector(f) => return self.given.get(f).cloned(),
            Partial::Op(op, _) => op,
        };
        let stated = self.given.partial(op, &o.args, o.ret)?;
        let Interpretation::Body(params, body) = stated.meaning else { return None };
        let sorts = a.fun(o.fun).args.clone();
        let name = a.sym("x");
        let own: Vec<_> = sorts.iter().map(|&s| a.new_var(name, s)).collect();
        let mut args: Vec<Term> = own.iter().map(|&v| a.mk_var(v)).collect();
        // The arguments on which the open value does not depend are zero.
        for &sort in &o.args[args.len()..] {
            args.push(match sort {
                Sort::INT => a.mk_int(0u32),
                Sort::REAL => a.mk_literal(Literal::Real { digits: 0u32.into(), scale: 0 }),
                _ => return None,
            });
        }
        let params = a.vars(params).to_vec();
        let given = params.iter().zip(&args);
        let map = given.fold(Substitution::new(), |map, (&v, &x)| map.var(v, x));
        let mut body = map.apply(a, body);
        if let Some(Range::Either(pair)) = o.range() {
            let [yes, _] = pair(a, &args).ok()?;
            body = a.app(Op::Eq, &[], &[body, yes]).ok()?;
        }
        Some(Interpretation::Body(a.var_list(&own), body))
    }

    /// By values of terms, as `get-value` prints them. If one term has two values, nothing is said.
    fn claimed(&self, a: &mut Arena, o: &OpenFunction) -> Option<Interpretation> {
        let takes = a.fun(o.fun).args.len();
        let mut evaluator = Evaluator::new(self.limits);
        let mut points: Vec<Point> = Vec::new();
        for &(t, v) in self.given.claims() {
            let args = a.args(t).to_vec();
            let same = match (o.of, a.head(t)) {
                (Partial::Op(op, idx), Head::Op(other, i)) => (op, idx) == (other, i),
                (Partial::Selector(f), Head::Fun(g)) => f == g,
                _ => false,
            };
            let sorts = args.iter().map(|&x| a.sort(x));
            if !same || !sorts.eq(o.args.iter().copied()) || a.sort(t) != o.ret {
                continue;
            }
            let Some(guard) = guard(a, o, &args) else { continue };
            let mut value = |t: Term| evaluator.eval(a, &self.given, t).ok();
            if guard.is_some_and(|g| value(g) != Some(Value::TRUE)) {
                continue;
            }
            let point: Option<Box<[Value]>> = args[..takes].iter().map(|&x| value(x)).collect();
            let mut here = value(v)?;
            if let Some(Range::Either(pair)) = o.range() {
                let [yes, _] = pair(a, &args).ok()?;
                here = Value::Bool(evaluator.eval(a, &self.given, yes).ok()?.equals(&here)?);
            }
            points.push((point?, here));
        }
        points.sort_by(|x, y| crate::compound::order_all(&x.0, &y.0));
        let (_, default) = points.first()?.clone();
        let agree = points.windows(2).all(|p| p[0].0 != p[1].0 || p[0].1 == p[1].1);
        agree.then(|| table(points, default)?.ok()).flatten()
    }
}

/// When the value at these arguments is open: `None` if never, `Some(None)` if always.
fn guard(a: &mut Arena, o: &OpenFunction, args: &[Term]) -> Option<Option<Term>> {
    match o.of {
        Partial::Op(op, idx) => {
            let indices = a.indices(idx).to_vec();
            match (op.info().partiality?.open_when)(a, &indices, args).ok()? {
                Open::Never => None,
                Open::Always => Some(None),
                Open::When(guard) => Some(Some(guard)),
            }
        }
        Partial::Selector(f) => {
            let FunKind::Selector(constructor, _) = a.fun(f).kind else { return None };
            let fits = a.app(Op::Is, &[constructor.index() as u32], args).ok()?;
            a.app(Op::Not, &[], &[fits]).ok().map(Some)
        }
    }
}
