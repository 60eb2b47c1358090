//! What a model says for sure, in terms of the totalised script.

use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::partiality::Range;
use smelt_smtlib::totalise::Partial;
use smelt_smtlib::{
    Command, Fun, FunKind, Op, OpenFunction, Query, Script, Term, Totalised, totalise,
};

use super::Reason;
use crate::model::{Interpretation, Model};

/// A totalised script, one of its checks, and what a model says about its symbols.
pub(super) struct Known {
    pub total: Script,
    /// The number of the check.
    pub check: usize,
    pub query: Query,
    pub open: Vec<OpenFunction>,
    /// Without defaults, and without meanings of operators and selectors. Open values in its definitions have names, too.
    pub model: Model,
}

impl Known {
    pub fn of(script: &Script, query: &Query, model: &Model) -> Result<Known, Reason> {
        let number = script.queries().iter().position(|q| q.command == query.command);
        let check = number.ok_or(Reason::Query)?;
        let mut model = model.without_defaults();
        model.retain_partials(|_| false);
        for f in model.symbols() {
            if matches!(script.arena.fun(f).kind, FunKind::Selector(..)) {
                model.unset(f);
            }
        }
        let (total, open) = totalised(script, query, check, &mut model)?;
        let query = total.queries().into_iter().nth(check).ok_or(Reason::Query)?;
        Ok(Known { total, check, query, open, model })
    }

    /// The open functions whose values must satisfy a condition, with their operators.
    pub fn candidates(&self) -> FxHashMap<Fun, Op> {
        let candidate = |o: &OpenFunction| match (o.of, o.range()) {
            (Partial::Op(op, _), Some(Range::Within(_))) => Some((o.fun, op)),
            _ => None,
        };
        self.open.iter().filter_map(candidate).collect()
    }
}

/// The totalised script. What a model defines is totalised with it, behind the check: there is one function for an open value,
/// wherever it is met.
fn totalised(
    script: &Script,
    query: &Query,
    check: usize,
    model: &mut Model,
) -> Result<(Script, Vec<OpenFunction>), Reason> {
    let bodies: Vec<(Fun, Term)> = model
        .symbols()
        .into_iter()
        .filter_map(|f| match model.get(f) {
            Some(&Interpretation::Body(_, body)) => Some((f, body)),
            _ => None,
        })
        .collect();
    if bodies.is_empty() {
        let Totalised { script, open } = totalise(script).map_err(Reason::Refused)?;
        return Ok((script, open));
    }
    let terms: Box<[Term]> = bodies.iter().map(|(_, t)| *t).collect();
    let mut added: Vec<Command> =
        helpers(script, &terms).into_iter().map(Command::DefineFun).collect();
    added.push(Command::GetValue(terms));
    let at = query.command + 1;
    let mut with = script.clone();
    with.commands.splice(at..at, added.iter().cloned());
    let Totalised { mut script, open } = totalise(&with).map_err(Reason::Refused)?;
    let from = script.queries().get(check).ok_or(Reason::Query)?.command + 1;
    let added: Vec<Command> = script.commands.drain(from..from + added.len()).collect();
    let Some(Command::GetValue(terms)) = added.last() else { return Err(Reason::Query) };
    for (&(f, _), &body) in bodies.iter().zip(terms) {
        if let Some(&Interpretation::Body(params, _)) = model.get(f) {
            model.set(f, Interpretation::Body(params, body));
        }
    }
    Ok((script, open))
}

/// The functions that the model defines for its own use, each behind those that it uses.
fn helpers(script: &Script, bodies: &[Term]) -> Vec<Fun> {
    let a = &script.arena;
    let mut own: FxHashSet<Fun> = FxHashSet::default();
    for c in &script.commands {
        match c {
            Command::DefineFun(f) => own.extend([*f]),
            Command::DefineFunsRec(all) => own.extend(all),
            _ => {}
        }
    }
    let (mut out, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut stack = bodies.to_vec();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Some(f) = a.symbol(t)
            && matches!(a.fun(f).kind, FunKind::Defined | FunKind::Recursive)
            && !own.contains(&f)
            && out.insert(f)
        {
            stack.extend(a.fun(f).def.map(|(_, body)| body));
        }
        stack.extend_from_slice(a.args(t));
    }
    let mut out: Vec<Fun> = out.into_iter().collect();
    out.sort_unstable();
    out
}
