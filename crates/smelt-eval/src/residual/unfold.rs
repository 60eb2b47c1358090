//! Calls, `match` and quantifiers, written out: as the body of a definition, as a choice between listed values or cases, as instances.

use smallvec::SmallVec;
use smelt_smtlib::arena::Cases;
use smelt_smtlib::subst::Substitution;
use smelt_smtlib::{Binder, Fun, FunKind, Head, Op, Sort, Term, VarList};

use super::Reason;
use super::fold::{Fold, Frame};
use super::simplify::Step;
use crate::function::Table;
use crate::model::Interpretation;
use crate::value::Value;

/// Instances of one quantifier that are written down.
const MAX_INSTANCES: usize = 2000;
/// Listed points of a function that is applied to something unknown.
const MAX_POINTS: usize = 200;

impl Fold {
    /// An application of a function symbol to folded arguments.
    pub(super) fn call(&mut self, t: Term, f: Fun, args: &[Term]) -> Result<Step, Reason> {
        let d = self.a.fun(f);
        let rebuilt = |s: &mut Self| Step::Done(s.a.with_args(t, args));
        match d.kind {
            FunKind::Constructor(..) => Ok(rebuilt(self)),
            FunKind::Selector(constructor, i) => Ok(match self.a.head(args[0]) {
                Head::Fun(g) if g == constructor => Step::Done(self.a.args(args[0])[i as usize]),
                _ => match self.lifted(t, args) {
                    Some(new) => Step::Again(new),
                    None => rebuilt(self),
                },
            }),
            FunKind::Recursive => Err(Reason::Recursive(self.a.name(d.name).to_owned())),
            FunKind::Defined | FunKind::Named => match d.def {
                Some((params, body)) => self.unfolded(params, body, args),
                None => Err(Reason::FunctionValue),
            },
            FunKind::External => Err(Reason::External(self.a.name(d.name).to_owned())),
            FunKind::Free | FunKind::Abstract => match self.model.get(f) {
                None => Ok(rebuilt(self)),
                Some(&Interpretation::Body(params, body)) => self.unfolded(params, body, args),
                Some(Interpretation::Table(table)) => {
                    let table = table.clone();
                    self.listed(f, &table, args)
                }
                Some(Interpretation::Value(_)) if args.is_empty() => Err(Reason::Value),
                Some(Interpretation::Value(_)) => Err(Reason::FunctionValue),
            },
        }
    }

    fn unfolded(&mut self, params: VarList, body: Term, args: &[Term]) -> Result<Step, Reason> {
        let params = self.a.vars(params);
        if params.len() != args.len() {
            return Err(Reason::FunctionValue);
        }
        let given = params.iter().zip(args);
        let map = given.fold(Substitution::new(), |map, (&v, &x)| map.var(v, x));
        Ok(Step::Again(map.apply(&mut self.a, body)))
    }

    /// A function with listed values, at arguments that are not all known: one `ite` for each point.
    fn listed(&mut self, f: Fun, table: &Table, args: &[Term]) -> Result<Step, Reason> {
        let (sorts, ret) = (self.a.fun(f).args.clone(), self.a.fun(f).ret);
        if table.entries().len() > MAX_POINTS || sorts.len() != args.len() {
            return Err(Reason::TooLarge);
        }
        let mut value = self.value_term(table.default(), ret).ok_or(Reason::Value)?;
        for (point, here) in table.entries() {
            let here = self.value_term(here, ret).ok_or(Reason::Value)?;
            let mut equal: SmallVec<[Term; 4]> = SmallVec::new();
            for ((v, &sort), &x) in point.iter().zip(&sorts).zip(args) {
                let v = self.value_term(v, sort).ok_or(Reason::Value)?;
                equal.push(self.mk(Op::Eq, &[x, v], Sort::BOOL));
            }
            let at = match *equal {
                [one] => one,
                _ => self.mk(Op::And, &equal, Sort::BOOL),
            };
            value = self.mk(Op::Ite, &[at, here, value], ret);
        }
        Ok(Step::Again(value))
    }

    /// A `match` as the body of the case that fits, or as a choice between cases by testers.
    pub(super) fn matched(&mut self, t: Term, cases: Cases, stack: &mut Vec<Frame>) {
        let value = self.done[&self.a.args(t)[0]];
        let bodies: Vec<Term> = self.a.args(t)[1..].to_vec();
        let cases: Vec<_> = self.a.case_list(cases).to_vec();
        let mut otherwise: Option<Term> = None;
        for (case, body) in cases.iter().zip(bodies).rev() {
            let vars = self.a.vars(case.vars).to_vec();
            let Some(constructor) = case.constructor else {
                let map = vars.iter().fold(Substitution::new(), |map, &v| map.var(v, value));
                otherwise = Some(map.apply(&mut self.a, body));
                continue;
            };
            let Some(fields) = self.fields(value, constructor) else {
                return self.keep(t, Reason::Match);
            };
            let given = vars.iter().zip(fields);
            let map = given.fold(Substitution::new(), |map, (&v, x)| map.var(v, x));
            let body = map.apply(&mut self.a, body);
            otherwise = Some(match otherwise {
                None => body,
                Some(rest) => {
                    let index = [constructor.index() as u32];
                    let Ok(fits) = self.a.app(Op::Is, &index, &[value]) else {
                        return self.keep(t, Reason::Match);
                    };
                    self.mk(Op::Ite, &[fits, body, rest], self.a.sort(t))
                }
            });
        }
        match otherwise {
            Some(new) => Self::again(t, new, stack),
            None => self.keep(t, Reason::Match),
        }
    }

    /// The fields of a value under a constructor: its arguments, or selectors.
    fn fields(&mut self, value: Term, constructor: Fun) -> Option<Vec<Term>> {
        if self.a.head(value) == Head::Fun(constructor) {
            return Some(self.a.args(value).to_vec());
        }
        let all = (0..self.a.fun_count()).filter_map(|i| self.a.fun_at(i));
        let mut selectors: Vec<(u32, Fun)> = all
            .filter_map(|f| match self.a.fun(f).kind {
                FunKind::Selector(c, i) if c == constructor => Some((i, f)),
                _ => None,
            })
            .collect();
        selectors.sort_unstable();
        let fields = selectors.into_iter().map(|(_, f)| self.a.apply_fun(f, &[value], None).ok());
        let fields: Option<Vec<Term>> = fields.collect();
        fields.filter(|all| all.len() == self.a.fun(constructor).args.len())
    }

    /// A quantifier as its instances, where the values that matter can be listed.
    pub(super) fn quantifier(
        &mut self,
        t: Term,
        binder: Binder,
        vars: VarList,
        stack: &mut Vec<Frame>,
    ) {
        let body = self.a.args(t)[0];
        let vars = self.a.vars(vars).to_vec();
        let lists = self.ev.listed(&self.a, &self.model, binder == Binder::Forall, body, &vars);
        let count = |n: usize, list: &std::sync::Arc<[Value]>| n.checked_mul(list.len());
        let rows = lists.as_ref().and_then(|l| l.iter().try_fold(1, count));
        let (Some(lists), Some(1..=MAX_INSTANCES)) = (lists, rows) else {
            return self.keep(t, Reason::Quantifier);
        };
        let mut terms: Vec<Vec<Term>> = Vec::new();
        for (&v, list) in vars.iter().zip(&lists) {
            let sort = self.a.var(v).sort;
            let list: Option<Vec<Term>> = list.iter().map(|x| self.value_term(x, sort)).collect();
            let Some(list) = list else { return self.keep(t, Reason::Value) };
            terms.push(list);
        }
        let mut instances = Vec::new();
        for row in 0..rows.unwrap_or(0) {
            let (mut rest, mut map) = (row, Substitution::new());
            for (&v, list) in vars.iter().zip(&terms) {
                map = map.var(v, list[rest % list.len()]);
                rest /= list.len();
            }
            instances.push(map.apply(&mut self.a, body));
        }
        stack.push(Frame::Instances(t, instances.clone()));
        stack.extend(instances.into_iter().map(Frame::Enter));
    }
}
