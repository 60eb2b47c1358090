//! Opt-in oracles: a solver that does not answer what an older release or a peer answers.

use std::time::Duration;

use crate::{Class, Diagnosis, Evidence, ModelVerdict, Observation};
use smelt_solver::{Answer, Limit};

/// What counts.
#[derive(Clone, Debug, Default)]
pub struct Slowness {
    /// Report what takes too long.
    pub time: bool,
    /// Report `unknown` where an older release decides.
    pub unknown: bool,
    /// Which solver is older than which: pairs of labels.
    pub older: Vec<(String, String)>,
}

/// A peer that needs no longer than this is quick.
const QUICK: Duration = Duration::from_secs(1);

impl Slowness {
    /// How long the accused may take before it is called slow.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Accusations of one check.
    pub fn diagnose(&self, seen: &[Observation]) -> Vec<Diagnosis> {
        let mut out = Vec::new();
        for o in seen.iter().filter(|o| o.no_verdict.is_none()) {
            // An answer that is refuted, or that others contradict, is none to be missed.
            let decided = |p: &&Observation| {
                let verdict = p.answer.decided();
                let opposed = |q: &Observation| {
                    q.counts() && q.answer.decided().is_some_and(|v| Some(v) != verdict)
                };
                p.solver != o.solver
                    && p.counts()
                    && verdict.is_some()
                    && !matches!(p.model, Some(ModelVerdict::False(_)))
                    && (p.model == Some(ModelVerdict::True) || !seen.iter().any(opposed))
            };
            let is_older =
                |p: &&Observation| self.older.contains(&(p.solver.clone(), o.solver.clone()));
            let mut accuse = |class, p: &Observation| {
                let seconds = p.cpu.as_secs_f64();
                let says = format!("{} answers {} in {seconds:.2} s", p.solver, p.answer.kind());
                let evidence = match p.model {
                    Some(ModelVerdict::True) => Evidence::Observed(says),
                    _ => Evidence::Claimed(says),
                };
                out.push(Diagnosis { solver: o.solver.clone(), class, evidence });
            };
            match &o.answer {
                Answer::Unknown(_) if self.unknown => {
                    if let Some(p) = seen.iter().filter(decided).find(is_older) {
                        accuse(Class::IncompletenessRegression, p);
                    }
                }
                Answer::Timeout(limit) if self.time && *limit != Limit::Wall => {
                    let decided = || seen.iter().filter(decided);
                    let older = decided().filter(is_older).find(|p| p.cpu <= self.patience() / 4);
                    match (older, decided().find(|p| p.cpu <= QUICK)) {
                        (Some(p), _) => accuse(Class::PerformanceRegression, p),
                        (None, Some(p)) => accuse(Class::Performance, p),
                        (None, None) => {}
                    }
                }
                _ => {}
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_slow() {
        let see = |solver: &str, answer, cpu| Observation {
            cpu: Duration::from_millis(cpu),
            ..Observation::new(solver, "f", answer, None)
        };
        let all = Slowness {
            time: true,
            unknown: true,
            older: vec![("z3@1".to_owned(), "z3@2".to_owned())],
        };
        let check = |seen: &[Observation], expect: &[&str]| {
            let got: Vec<String> = all.diagnose(seen).iter().map(ToString::to_string).collect();
            assert_eq!(got, expect);
            assert!(Slowness::default().diagnose(seen).is_empty());
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
}
