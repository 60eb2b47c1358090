//! Soundness: an answer that contradicts what is proven, what solvers of two other families say, or (unproven) what one other
//! or a label says. The status and the differential oracle in one: the evaluator is the arbiter of both.

use smelt_solver::profile::independent;
use smelt_solver::{Answer, Status};

use super::Facts;
use crate::class::Class;
use crate::diagnosis::{Diagnosis, Observation};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let mut out = Vec::new();
    for o in &facts.seen {
        let found = match &o.answer {
            Answer::Unsat => {
                let evidence = facts.proof_of_sat.clone().or_else(|| against(facts, o));
                evidence.map(|e| (Class::RefutationSoundness, e))
            }
            // A model that the evaluator finds true settles the matter for `sat`.
            Answer::Sat if facts.proof_of_sat.is_none() => {
                let evidence = match facts.truth.brute_force {
                    Status::Unsat => Some(Evidence::BruteForce),
                    _ => against(facts, o),
                };
                evidence.map(|e| (Class::SolutionSoundness, e))
            }
            _ => None,
        };
        out.extend(found.map(|(class, evidence)| Diagnosis::new(o, class, evidence)));
    }
    out
}

/// The strongest evidence against an answer that is not a proof.
fn against(facts: &Facts<'_>, accused: &Observation) -> Option<Evidence> {
    let seen = || facts.seen.iter().copied();
    let own = accused.answer.decided()?;
    // A `sat` whose model is false is no argument.
    let others: Vec<&Observation> = seen()
        .filter(|o| o.family != accused.family)
        .filter(|o| o.answer.decided().is_some_and(|v| v != own))
        .filter(|o| !matches!(o.model, Some(ModelVerdict::False(_))))
        .collect();
    let voice =
        |o: &&Observation| -> (String, Vec<String>) { (o.family.clone(), o.shared.clone()) };
    let voices: Vec<(String, Vec<String>)> = others.iter().map(voice).collect();
    let count = |all: &[(String, Vec<String>)]| {
        independent(all.iter().map(|(family, shared)| (family.as_str(), &shared[..])))
    };
    let families = count(&voices);
    // Families that are split, or that side with the accused, are not counted against it.
    let support = seen().any(|o| o.family != accused.family && o.answer.decided() == Some(own));
    // Where it depends on what the standard leaves open, solvers may differ and all be right.
    let open = [accused]
        .iter()
        .chain(&others)
        .any(|o| o.answer == Answer::Sat && facts.rests_on_open(o.model.as_ref()));
    let names = |all: &[&Observation]| all.iter().map(|o| o.solver.clone()).collect::<Vec<_>>();
    // Another release of its own family is no second family.
    let relatives: Vec<&Observation> = seen()
        .filter(|o| o.family == accused.family && o.who != accused.who)
        .filter(|o| o.answer.decided().is_some_and(|v| v != own))
        .filter(|o| !matches!(o.model, Some(ModelVerdict::False(_))))
        .collect();
    if families >= 2 && !support && !open {
        let mut who = names(&others);
        let relative = |name| format!("{name} (a release of its own family)");
        who.extend(names(&relatives).into_iter().map(relative));
        return Some(Evidence::Agreement(who));
    }
    // Its own word for the opposite is one family's, beside another's.
    if let Some(own_word) = own_word(accused, own)
        && families >= 1
        && !support
        && !open
    {
        let both: Vec<_> = voices.iter().cloned().chain([voice(&accused)]).collect();
        if count(&both) >= 2 {
            let mut who = names(&others);
            who.push(own_word);
            return Some(Evidence::Agreement(who));
        }
    }
    let is_older = |a: &Observation, b: &Observation| facts.wanted.older.contains(&(a.who, b.who));
    let mut later: Vec<&Observation> =
        relatives.into_iter().filter(|o| is_older(accused, o)).collect();
    later.sort_by_key(|o| later_than(facts, o));
    let refuted = own == Status::Sat
        && (matches!(accused.model, Some(ModelVerdict::False(_)))
            || accused.values_are_refused().is_some());
    // What it said of the model is proven or strongly held to be wrong, and those who made it have mended it. That the standard leaves
    // something open is no excuse for its model; but others may have refuted by their conventions.
    if refuted && families >= 1 && !later.is_empty() && !support && !facts.truth.partial {
        return Some(Evidence::Disowned(names(&others), names(&later)));
    }
    // Those who made it have changed their mind, and another family agrees: what the old release says is not defended by anybody.
    let kept = seen().any(|o| is_older(accused, o) && o.answer.decided() == Some(own));
    if families >= 1 && !later.is_empty() && !kept && !support && !open {
        let both: Vec<_> = voices.iter().cloned().chain(later.first().map(voice)).collect();
        if count(&both) >= 2 {
            return Some(Evidence::Fixed(names(&others), names(&later)));
        }
    }
    // Another release of the same family may disagree too: a suspicion, which says where to look.
    let opposed = seen()
        .filter(|o| !matches!(o.model, Some(ModelVerdict::False(_))))
        .find(|o| o.answer.decided().is_some_and(|v| v != own));
    match (opposed, facts.truth.label) {
        (Some(o), _) => Some(Evidence::Disagreement(o.solver.clone())),
        (None, Status::Unknown) => None,
        (None, label) => (label != own).then_some(Evidence::Label),
    }
}

/// How many of those who were asked are older releases of a solver: releases in order of this are in order of age.
fn later_than(facts: &Facts<'_>, o: &Observation) -> usize {
    facts.wanted.older.iter().filter(|(_, newer)| *newer == o.who).count()
}

/// Who says the opposite in other words, if the accused itself does: its answer to a related script excludes this one in every theory.
fn own_word(accused: &Observation, own: Status) -> Option<String> {
    let before = accused.before.as_ref()?;
    let excludes = before.universal && before.as_expected() && before.expected != own;
    excludes.then(|| format!("{} itself, by its answer to {},", accused.solver, before.what))
}
