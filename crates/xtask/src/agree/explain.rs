//! Takes a disagreement apart: the smallest sub-term at which the answers part, with values for arguments.

use std::collections::BTreeMap;

use anyhow::Result;
use smelt_smtlib::{FunKind, Head, ParseOptions, Script, SortKind, Term, parse_terms, print_term};

use super::known::known;
use super::{Court, Disagreement, Opinion, smelt_opinion};
use crate::generate::Case;
use crate::partial::is_open;
use crate::value::Value;

/// The disagreement in its smallest form, or `None` if it rests on a result that the standard leaves open.
pub(super) fn explain(
    court: &mut Court,
    script: &mut Script,
    number: u64,
    case: Case,
    first: &[&Opinion],
    names: &[&'static str],
) -> Result<Option<Disagreement>> {
    let parts: Vec<Term> = script
        .arena
        .dag(&[case.term])
        .into_iter()
        .filter(|&t| script.arena.is_closed(t))
        .filter(|&t| !matches!(script.arena.kind(t), SortKind::RegLan | SortKind::Fun(..)))
        .collect();
    let said = all_opinions(court, script, &parts)?;
    let place: BTreeMap<Term, usize> = parts.iter().enumerate().map(|(i, &t)| (t, i)).collect();
    let value = |t: Term| -> Option<&Value> {
        let i = *place.get(&t)?;
        said.iter().find_map(|s| s[i].value())
    };
    for &t in &parts {
        let args: Vec<Option<Value>> =
            script.arena.args(t).iter().map(|&x| value(x).cloned()).collect();
        if is_open(&script.arena, t, &args) {
            return Ok(None);
        }
    }
    // Children come before parents: the first that parts is a smallest one.
    let Some(i) = (0..parts.len()).find(|&i| parts_ways(&said, i)) else {
        // Only the whole run showed it: two ways of one solver, or a wavering answer.
        let told = Told::new(script, case.term, names, first);
        return Ok(Some(disagreement(script, number, case, told)));
    };
    let names: Vec<&'static str> = court.names().into_iter().chain(["smelt"]).collect();
    let mut told = Told::new(script, parts[i], &names, &row(&said, i));
    if let Some(t) = with_values(court, script, parts[i])? {
        let again = all_opinions(court, script, &[t])?;
        if parts_ways(&again, 0) {
            told = Told::new(script, t, &names, &row(&again, 0));
        }
    }
    Ok(Some(disagreement(script, number, case, told)))
}

fn all_opinions(
    court: &mut Court,
    script: &mut Script,
    terms: &[Term],
) -> Result<Vec<Vec<Opinion>>> {
    let mut said = court.opinions(script, terms, &[])?;
    said.push(terms.iter().map(|&t| smelt_opinion(script, t)).collect());
    Ok(said)
}

fn parts_ways(said: &[Vec<Opinion>], i: usize) -> bool {
    let mut values = said.iter().filter_map(|s| s[i].value());
    let Some(first) = values.next() else { return false };
    values.any(|v| v != first)
}

fn spoken(name: &'static str, o: &Opinion) -> Option<(&'static str, String)> {
    let text = match o {
        Opinion::Value(v) => format!("{v:?}"),
        Opinion::Open(t) => format!("open: {t}"),
        Opinion::Rejected(t) => format!("rejected: {t}"),
        Opinion::Failed(t) => format!("failed: {t}"),
        Opinion::NotAsked => return None,
    };
    Some((name, text.chars().take(300).collect()))
}

/// What everybody says of the i-th term.
fn row(said: &[Vec<Opinion>], i: usize) -> Vec<&Opinion> {
    said.iter().map(|s| &s[i]).collect()
}

/// A term on which the judges part.
struct Told {
    term: Term,
    says: Vec<(&'static str, String)>,
    known: Option<&'static str>,
}

impl Told {
    fn new(script: &Script, term: Term, names: &[&'static str], said: &[&Opinion]) -> Self {
        let says = names.iter().zip(said).filter_map(|(n, o)| spoken(n, o)).collect();
        Self { term, says, known: known(&script.arena, term, names, said) }
    }
}

/// An application with its arguments replaced by their values, as far as a judge spells them out.
fn with_values(court: &mut Court, script: &mut Script, t: Term) -> Result<Option<Term>> {
    if !matches!(script.arena.head(t), Head::Op(..) | Head::Fun(_)) {
        return Ok(None);
    }
    let args = script.arena.args(t).to_vec();
    let mut new = args.clone();
    let options = ParseOptions { model_values: true, ..ParseOptions::default() };
    for (slot, &arg) in new.iter_mut().zip(&args) {
        if !script.arena.is_closed(arg)
            || matches!(script.arena.kind(arg), SortKind::RegLan | SortKind::Fun(..))
        {
            continue;
        }
        if let Some(text) = court.spelled(script, arg)?
            && let Ok(terms) = parse_terms(script, text.as_bytes(), &options)
            && let [v] = *terms
        {
            let v = if script.arena.sort(v) == script.arena.sort(arg) {
                v
            } else {
                script.arena.to_real(v)
            };
            if script.arena.sort(v) == script.arena.sort(arg) {
                *slot = v;
            }
        }
    }
    Ok((new != args).then(|| script.arena.with_args(t, &new)))
}

fn disagreement(
    script: &Script,
    number: u64,
    case: Case,
    Told { term: t, says, known }: Told,
) -> Disagreement {
    let a = &script.arena;
    let culprit = match a.head(t) {
        Head::Op(op, _) => crate::generate::Target::Op(op).name(),
        Head::Fun(f) => match a.fun(f).kind {
            FunKind::Selector(..) => "selector".into(),
            _ => a.name(a.fun(f).name).into(),
        },
        Head::Match(_) => "match".into(),
        Head::Bind(b, _) => b.name().into(),
        _ => "value".into(),
    };
    Disagreement { number, target: case.target, culprit, term: print_term(a, t), says, known }
}

impl Court {
    /// The value of a term as a judge writes it.
    fn spelled(&mut self, script: &mut Script, t: Term) -> Result<Option<String>> {
        let text = print_term(&script.arena, t);
        let sort = smelt_smtlib::print_sort(&script.arena, script.arena.sort(t));
        let wanted = script.arena.sort(t);
        for j in 0..self.judges.len() {
            if !self.knows(j, script, t) {
                continue;
            }
            let answers = self.judges[j].ask(&[(&text, &sort)], crate::judge::Mode::Simplify)?;
            if let [crate::judge::Answer::Text(text)] = &*answers
                && super::read_value(script, text, wanted).is_some()
            {
                return Ok(Some(text.clone()));
            }
        }
        Ok(None)
    }
}
