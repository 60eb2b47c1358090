//! Slowness: a solver that does not answer what an older release or a peer answers, where that is wanted.

use std::time::Duration;

use smelt_solver::{Answer, Limit, Status};

use super::Facts;
use crate::class::Class;
use crate::diagnosis::{Diagnosis, Observation};
use crate::evidence::Evidence;
use crate::judge::ModelVerdict;

/// How long a solver may take before it is called slow.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// A peer that needs no longer than this is quick.
const QUICK: Duration = Duration::from_secs(1);

pub(super) fn judge(facts: &Facts<'_>) -> Vec<Diagnosis> {
    facts.seen.iter().filter_map(|o| lost(facts, o).or_else(|| late(facts, o))).collect()
}

/// An `unknown` without an excuse that an older release decides.
fn lost(facts: &Facts<'_>, o: &Observation) -> Option<Diagnosis> {
    let unknown = matches!(o.answer, Answer::Unknown(_)) && !o.excused && facts.wanted.unknown;
    let age = |p: &Observation| facts.wanted.older.iter().filter(|(_, n)| *n == p.who).count();
    let older = || facts.all.iter().filter(|p| is_older(facts, p, o));
    // The last release that has the answer, and the first behind it that has it not.
    let with =
        decided(facts, o).filter(|p| unknown && is_older(facts, p, o)).max_by_key(|p| age(p))?;
    let mut d = lacks(o, Class::IncompletenessRegression, with);
    let without = older().filter(|p| age(p) > age(with)).min_by_key(|p| age(p));
    if let (Some(p), Evidence::Observed(says) | Evidence::Claimed(says)) =
        (without, &mut d.evidence)
    {
        says.push_str(&format!("; {} is the first release without an answer", p.solver));
    }
    Some(d)
}

/// An answer that does not come in time. A busy machine is not the solver's fault.
fn late(facts: &Facts<'_>, o: &Observation) -> Option<Diagnosis> {
    let late = matches!(&o.answer, Answer::Timeout(limit) if *limit != Limit::Wall);
    if !late || !facts.wanted.time {
        return None;
    }
    let mut older = decided(facts, o).filter(|p| is_older(facts, p, o));
    if let Some(p) = older.find(|p| p.cpu <= PATIENCE / 4) {
        return Some(lacks(o, Class::PerformanceRegression, p));
    }
    Some(lacks(o, Class::Performance, decided(facts, o).find(|p| p.cpu <= QUICK)?))
}

fn is_older(facts: &Facts<'_>, p: &Observation, o: &Observation) -> bool {
    facts.wanted.older.contains(&(p.who, o.who))
}

/// Answers of others that stand: one that is refuted, or that others or the label contradict, is none to be missed.
fn decided<'a>(facts: &Facts<'a>, o: &Observation) -> impl Iterator<Item = &'a Observation> {
    let (all, who, truth) = (facts.all, o.who, facts.truth);
    let (sat_refuted, unsat_refuted) = (facts.refutes(Status::Sat), facts.refutes(Status::Unsat));
    all.iter().filter(move |p| {
        let Some(verdict) = p.answer.decided() else { return false };
        let refuted = if verdict == Status::Sat { sat_refuted } else { unsat_refuted };
        let other = |v: Status| v != Status::Unknown && v != verdict;
        let opposed = |q: &Observation| q.counts() && q.answer.decided().is_some_and(other);
        p.who != who
            && p.counts()
            && !refuted
            && !matches!(p.model, Some(ModelVerdict::False(_)))
            && (p.model == Some(ModelVerdict::True)
                || !other(truth.label) && !all.iter().any(opposed))
    })
}

/// An accusation of lacking what `p` has.
fn lacks(o: &Observation, class: Class, p: &Observation) -> Diagnosis {
    let says = format!("{} answers {} in {:.2} s", p.solver, p.answer.kind(), p.cpu.as_secs_f64());
    let evidence = match p.model {
        Some(ModelVerdict::True) => Evidence::Observed(says),
        _ => Evidence::Claimed(says),
    };
    Diagnosis { reference: Some(p.who), ..Diagnosis::new(o, class, evidence) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Wanted;
    use crate::{TargetId, Truth, diagnose};

    #[test]
    fn who_is_slow() {
        let names = ["z3@1", "z3@2", "cvc5@1"];
        let see = |solver: &str, answer, cpu| {
            let who = TargetId(names.iter().position(|n| *n == solver).unwrap());
            let cpu = Duration::from_millis(cpu);
            Observation { cpu, ..Observation::new(who, solver, "f", answer, None) }
        };
        let all = Wanted { time: true, unknown: true, older: vec![(TargetId(0), TargetId(1))] };
        let check = |seen: &[Observation], expect: &[&str]| {
            let lacking = |wanted: &Wanted| -> Vec<String> {
                let all = diagnose(seen, Truth::default(), wanted).into_iter();
                all.filter(|d| d.class.row().compares).map(|d| d.to_string()).collect()
            };
            assert_eq!(lacking(&all), expect);
            assert_eq!(lacking(&Wanted::default()), [""; 0]);
        };
        let late = Answer::Timeout(Limit::Cpu);
        let open = Answer::Unknown(None);
        check(
            &[see("z3@2", late.clone(), 60_000), see("cvc5@1", Answer::Sat, 500)],
            &["z3@2: performance (strong: cvc5@1 answers sat in 0.50 s)"],
        );
        check(
            &[see("z3@2", late.clone(), 60_000), see("z3@1", Answer::Unsat, 500)],
            &["z3@2: performance regression (strong: z3@1 answers unsat in 0.50 s)"],
        );
        check(&[see("z3@2", late.clone(), 60_000), see("cvc5@1", Answer::Sat, 5000)], &[]);
        check(
            &[see("z3@2", open.clone(), 1), see("z3@1", Answer::Unsat, 5000)],
            &["z3@2: incompleteness regression (strong: z3@1 answers unsat in 5.00 s)"],
        );
        // Who says why it does not know is not blamed for that.
        let excused = Observation { excused: true, ..see("z3@2", open.clone(), 1) };
        check(&[excused, see("z3@1", Answer::Unsat, 5000)], &[]);
        // What the older release says must stand.
        let model = |o: Observation, verdict| Observation { model: Some(verdict), ..o };
        let old = || see("z3@1", Answer::Sat, 5000);
        check(
            &[see("z3@2", open.clone(), 1), model(old(), ModelVerdict::True)],
            &["z3@2: incompleteness regression (proven: z3@1 answers sat in 5.00 s)"],
        );
        check(&[see("z3@2", open.clone(), 1), model(old(), ModelVerdict::False(1))], &[]);
        check(&[see("z3@2", open.clone(), 1), old(), see("cvc5@1", Answer::Unsat, 5)], &[]);
        // No verdict on a release with a caveat, nor by what it says; but a true model is one.
        let caveat = |o: Observation| Observation { no_verdict: Some("old".to_owned()), ..o };
        check(&[caveat(see("z3@2", open.clone(), 1)), old()], &[]);
        check(&[see("z3@2", open.clone(), 1), caveat(old())], &[]);
        check(
            &[see("z3@2", open.clone(), 1), caveat(model(old(), ModelVerdict::True))],
            &["z3@2: incompleteness regression (proven: z3@1 answers sat in 5.00 s)"],
        );
        let opposed = caveat(see("cvc5@1", Answer::Unsat, 5));
        check(
            &[see("z3@2", open.clone(), 1), old(), opposed],
            &["z3@2: incompleteness regression (strong: z3@1 answers sat in 5.00 s)"],
        );
        // An answer that is proven wrong, or that is not the expected one, is not missed.
        let lacking = |seen: &[Observation], truth: Truth| -> Vec<String> {
            let all = diagnose(seen, truth, &all).into_iter();
            all.filter(|d| d.class.row().compares).map(|d| d.to_string()).collect()
        };
        let none = Truth::default;
        for (answer, truth, expect) in [
            (Answer::Unsat, none(), 1),
            (Answer::Unsat, Truth { witness: true, ..none() }, 0),
            (Answer::Unsat, Truth { brute_force: Status::Sat, ..none() }, 0),
            (Answer::Unsat, Truth { brute_force: Status::Unsat, ..none() }, 1),
            (Answer::Unsat, Truth { label: Status::Sat, ..none() }, 0),
            (Answer::Unsat, Truth { label: Status::Unsat, ..none() }, 1),
            (Answer::Sat, Truth { brute_force: Status::Unsat, ..none() }, 0),
            (Answer::Sat, Truth { label: Status::Unsat, ..none() }, 0),
            (Answer::Sat, Truth { witness: true, label: Status::Sat, ..none() }, 1),
        ] {
            for lacks in [open.clone(), late.clone()] {
                let seen = [see("z3@2", lacks, 60_000), see("z3@1", answer.clone(), 500)];
                assert_eq!(lacking(&seen, truth).len(), expect, "{answer} {truth:?}");
            }
        }
        // It may take longer than a peer.
        check(
            &[see("z3@2", late.clone(), 60_000), old()],
            &["z3@2: performance regression (strong: z3@1 answers sat in 5.00 s)"],
        );
        check(&[see("z3@2", late.clone(), 60_000), see("z3@1", Answer::Sat, 50_000)], &[]);
        // A newer release that decides more is progress, a peer that does is no regression.
        check(&[see("z3@1", open.clone(), 1), see("z3@2", Answer::Unsat, 5)], &[]);
        check(&[see("z3@2", open, 1), see("cvc5@1", Answer::Unsat, 5)], &[]);
        check(&[see("z3@2", Answer::Timeout(Limit::Wall), 1), see("z3@1", Answer::Sat, 5)], &[]);
    }

    /// Of several releases the last that has the answer is named, and the first that has it not.
    #[test]
    fn who_lost_it_first() {
        let wanted = Wanted {
            unknown: true,
            older: (0..4).flat_map(|b| (0..b).map(move |a| (TargetId(a), TargetId(b)))).collect(),
            ..Wanted::default()
        };
        let check = |answers: [Answer; 4], expect: &str| {
            let see = |(i, answer): (usize, Answer)| {
                Observation::new(TargetId(i), &format!("z3@{i}"), "z3", answer, None)
            };
            let seen: Vec<Observation> = answers.into_iter().enumerate().map(see).collect();
            let all = diagnose(&seen, Truth::default(), &wanted);
            let last = all.iter().find(|d| d.who == TargetId(3)).map(|d| d.evidence.to_string());
            assert_eq!(last.unwrap_or_default(), expect);
        };
        let (sat, open) = (|| Answer::Sat, || Answer::Unknown(None));
        check([sat(), sat(), sat(), open()], "z3@2 answers sat in 0.00 s");
        let first = "z3@1 answers sat in 0.00 s; z3@2 is the first release without an answer";
        check([open(), sat(), open(), open()], first);
        check([open(), open(), open(), open()], "");
        check([sat(), sat(), open(), sat()], "");
    }
}
