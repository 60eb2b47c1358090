//! Relation: two scripts of which one implies the other, by a proved rule or in every theory. A solver that decides the one and not the other lacks an
//! answer; one whose answers exclude each other is wrong in one of them. Which one, its answers do not say.

use smelt_solver::{Answer, Status};

use super::Facts;
use crate::class::Class;
use crate::diagnosis::{Before, Diagnosis, Observation};
use crate::evidence::Evidence;

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    let seen = facts.seen.iter();
    seen.filter_map(|o| {
        let before = o.before.as_ref().filter(|b| b.as_expected())?;
        match o.answer.decided() {
            Some(now) => contradiction(facts, o, before, now),
            None => incompleteness(facts, o, before),
        }
    })
    .collect()
}

/// An `unknown` without an excuse.
fn incompleteness(facts: &Facts<'_>, o: &Observation, before: &Before) -> Option<Diagnosis> {
    let unknown = matches!(o.answer, Answer::Unknown(_)) && !o.excused && facts.wanted.unknown;
    if !unknown {
        return None;
    }
    let says = format!("it answers {} to {}", before.expected, before.what);
    Some(Diagnosis::new(o, Class::ImplicationIncompleteness, Evidence::Observed(says)))
}

/// The other answer than the one that both scripts must have.
fn contradiction(
    facts: &Facts<'_>,
    o: &Observation,
    before: &Before,
    now: Status,
) -> Option<Diagnosis> {
    // Of the script before the step no model is known.
    let model = o.model.as_ref().filter(|_| now == Status::Sat);
    // What holds in every theory holds under every convention about open values.
    let excused = !before.universal && facts.rests_on_open(model);
    if now == before.expected || excused || facts.refutes(now) {
        return None;
    }
    let by = if before.universal { "in every theory" } else { "by a proved rule" };
    let says = format!(
        "its answers to {} ({}) and to this one ({now}) exclude each other {by}; which of the two is wrong is not settled",
        before.what, before.expected
    );
    let evidence =
        if before.universal { Evidence::OwnWords(says) } else { Evidence::Contradiction(says) };
    Some(Diagnosis::new(o, Class::NeighbourContradiction, evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Wanted;
    use crate::{ModelVerdict, TargetId, Truth, diagnose};

    #[test]
    fn a_script_and_the_one_before() {
        let (sat, unsat) = (Status::Sat, Status::Unsat);
        let unknown = || Answer::Unknown(None);
        let lost = Some(Class::ImplicationIncompleteness);
        let clash = Some(Class::NeighbourContradiction);
        let wanted = Wanted { unknown: true, ..Wanted::default() };
        let see = |before: &Answer, expected, now: &Answer| Observation {
            before: Some(Before {
                answer: before.clone(),
                expected,
                what: "the script before the step".into(),
                universal: false,
            }),
            ..Observation::new(TargetId(0), "z3", "z3", now.clone(), None)
        };
        let classes = |o: &Observation, truth: Truth| -> Vec<Class> {
            diagnose(std::slice::from_ref(o), truth, &wanted).iter().map(|d| d.class).collect()
        };
        for (before, expected, now, expect) in [
            (Answer::Sat, sat, Answer::Sat, None),
            (Answer::Sat, sat, unknown(), lost),
            (Answer::Sat, sat, Answer::Unsat, clash),
            (Answer::Sat, sat, Answer::OutOfMemory, None),
            (Answer::Unsat, unsat, unknown(), lost),
            (Answer::Unsat, unsat, Answer::Sat, clash),
            (Answer::Unsat, unsat, Answer::Unsat, None),
            // What is not as expected before the step says nothing about the step.
            (Answer::Unsat, sat, Answer::Sat, None),
            (Answer::Unsat, sat, unknown(), None),
            (unknown(), sat, Answer::Unsat, None),
            (unknown(), unsat, unknown(), None),
        ] {
            let o = see(&before, expected, &now);
            let got = classes(&o, Truth::default());
            assert_eq!(got, Vec::from_iter(expect), "{before} {expected} {now}");
            assert_eq!(classes(&Observation { before: None, ..o.clone() }, Truth::default()), []);
            let excused = Observation { excused: true, ..o };
            let expect = expect.filter(|c| Some(*c) != lost);
            assert_eq!(classes(&excused, Truth::default()), Vec::from_iter(expect));
        }
        // Where the standard leaves it open, nobody need be wrong; what is proven is another class.
        let wrong = see(&Answer::Sat, sat, &Answer::Unsat);
        assert_eq!(classes(&wrong, Truth { partial: true, ..Truth::default() }), []);
        let witness = Truth { witness: true, ..Truth::default() };
        assert_eq!(classes(&wrong, witness), [Class::RefutationSoundness]);
        let model = Some(ModelVerdict::Unspecified("x".into()));
        let open = Observation { model, ..see(&Answer::Unsat, unsat, &Answer::Sat) };
        assert_eq!(classes(&open, Truth::default()), []);
    }
}
