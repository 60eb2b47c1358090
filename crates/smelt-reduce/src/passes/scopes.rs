//! Scripts with several checks: what stands behind the check that matters, scopes, other checks, assumptions.

use smelt_smtlib::{Command, flatten as alone};

use crate::edit::Edit;
use crate::subject::Subject;

/// Where the check that matters stands.
fn sought(s: &Subject) -> Option<usize> {
    let k = s.check?;
    s.script.commands.iter().enumerate().filter(|(_, c)| c.is_check()).nth(k).map(|(i, _)| i)
}

/// Everything behind the check.
pub fn end(s: &mut Subject) -> Vec<Edit> {
    let Some(at) = sought(s) else { return Vec::new() };
    let behind = at + 1..s.script.commands.len();
    if behind.is_empty() { Vec::new() } else { vec![Edit::drop(behind)] }
}

/// The check alone, without push and pop and other checks.
pub fn flatten(s: &mut Subject) -> Vec<Edit> {
    let queries = s.script.queries();
    let is_plain = |c: &Command| {
        !matches!(
            c,
            Command::Push(_)
                | Command::Pop(_)
                | Command::CheckSatAssuming(_)
                | Command::ResetAssertions
        )
    };
    if queries.len() == 1 && s.script.commands.iter().all(is_plain) {
        return Vec::new();
    }
    let which: Vec<usize> = match s.check {
        Some(k) => vec![k],
        None => (0..queries.len()).rev().collect(),
    };
    let each = which.into_iter().filter_map(|k| {
        let script = alone(&s.script, queries.get(k)?);
        let check = s.check.map(|_| 0);
        Some(Edit::whole(Subject::made(script, check, s.witness.clone(), s.style.clone())))
    });
    each.collect()
}

/// The scopes: positions of a push of one level and of its pop, if there is one.
fn pairs(s: &Subject) -> Vec<(usize, Option<usize>)> {
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut out = Vec::new();
    for (i, c) in s.script.commands.iter().enumerate() {
        match c {
            Command::Push(n) => open.push((i, *n)),
            Command::Pop(n) => match open.pop() {
                Some((at, m)) if m == *n => out.push((at, Some(i))),
                // Levels that do not match one to one stay as they are.
                _ => return Vec::new(),
            },
            Command::Reset | Command::ResetAssertions => open.clear(),
            _ => {}
        }
    }
    out.extend(open.into_iter().map(|(i, _)| (i, None)));
    out.sort_unstable();
    out
}

/// Each scope with all that is in it, unless the check is.
pub fn scopes(s: &mut Subject) -> Vec<Edit> {
    let at = sought(s);
    let whole = pairs(s).into_iter().filter_map(|(from, to)| {
        let all = from..=to.unwrap_or(s.script.commands.len() - 1);
        at.is_none_or(|at| !all.contains(&at)).then(|| Edit::drop(all))
    });
    whole.collect()
}

/// Each other check, and each `reset-assertions`.
pub fn checks(s: &mut Subject) -> Vec<Edit> {
    let at = sought(s);
    let commands = s.script.commands.iter().enumerate();
    let others = commands
        .filter(|(i, c)| (c.is_check() && Some(*i) != at) || **c == Command::ResetAssertions);
    others.map(|(i, _)| Edit::drop([i])).collect()
}

/// Each scope without its limits: what is in it stays.
pub fn open(s: &mut Subject) -> Vec<Edit> {
    // What is declared in two scopes by one name must stay apart.
    let declares = s.script.commands.iter().filter(|c| c.declares()).count();
    let in_force = s.script.in_force(s.script.commands.len()).len();
    let limits = pairs(s).into_iter().filter(|(_, to)| to.is_none() || declares == in_force);
    limits.map(|(from, to)| Edit::drop([from].into_iter().chain(to))).collect()
}

/// A check under assumptions without one of them, and without any.
pub fn assumptions(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for (i, c) in s.script.commands.iter().enumerate() {
        match c {
            Command::CheckSatAssuming(ts) => {
                out.push(Edit::put(i, vec![Command::CheckSat]));
                for k in 0..ts.len() {
                    let fewer = ts.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, t)| *t);
                    out.push(Edit::put(i, vec![Command::CheckSatAssuming(fewer.collect())]));
                }
            }
            Command::CheckSatUsing(_) => out.push(Edit::put(i, vec![Command::CheckSat])),
            _ => {}
        }
    }
    out
}
