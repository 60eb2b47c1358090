//! What was seen of a solver: its answers, models, crashes, and the complaints of its own checkers.

use smelt_eval::ModelOptions;
use smelt_smtlib::{Command, Query, Script};
use smelt_solver::{Answer, Check, Crash, Outcome};
use smelt_triage::{Complaint, ModelVerdict, Observation, is_fault, judge_model_within};

use super::Target;
use crate::caveat::{Caveat, asked_otherwise};
use crate::content::Content;

impl Target {
    /// What was seen of each check, its models judged quickly. The script's arena is left as it was.
    pub fn observe(
        &self,
        script: &mut Script,
        queries: &[Query],
        outcome: &Outcome,
    ) -> Vec<Observation> {
        self.observe_within(script, queries, outcome, smelt_eval::Limits::quick())
    }

    /// What was seen of each check, its models judged within limits of the caller's choice.
    pub fn observe_within(
        &self,
        script: &mut Script,
        queries: &[Query],
        outcome: &Outcome,
        limits: smelt_eval::Limits,
    ) -> Vec<Observation> {
        let caveat = self.caveat_about(|| Content::of(script));
        let mut seen = self.see(outcome, caveat, |k, text| {
            Some(self.judge(script, queries.get(k)?, text, limits))
        });
        seen.truncate(queries.len());
        if let Some(option) = self.set_otherwise(script) {
            let says = |o: &&mut Observation| o.no_verdict.is_none() && o.own_crash().is_none();
            for o in seen.iter_mut().filter(says) {
                o.no_verdict = Some(asked_otherwise(option));
            }
        }
        // A true model proves its answer whoever else says so.
        let rests_on_word =
            |o: &Observation| o.answer.decided().is_some() && o.model != Some(ModelVerdict::True);
        if seen.iter().any(rests_on_word) {
            let shared = self.shared_on(script);
            seen.iter_mut().for_each(|o| o.shared.clone_from(&shared));
        }
        seen
    }

    /// The option that a script sets by which this solver is asked another question than the script's.
    fn set_otherwise<'s>(&self, script: &'s Script) -> Option<&'s str> {
        let set = script.commands.iter().filter_map(|c| match c {
            Command::SetOption(key, _) => Some(&**key),
            _ => None,
        });
        set.into_iter().find(|key| self.solver.profile().changes_question(key))
    }

    /// What was seen of each check of a text that smelt cannot read: no model is judged.
    pub fn observe_unread(&self, text: &str, outcome: &Outcome) -> Vec<Observation> {
        self.see(outcome, self.caveat_about(|| Content::of_text(text)), |_, _| None)
    }

    /// What was seen of each check, where nobody needs to know what its models are worth.
    pub fn observe_unjudged(&self, outcome: &Outcome) -> Vec<Observation> {
        self.see(outcome, None, |_, _| None)
    }

    /// An answer of this solver with nothing beside it.
    pub fn said(&self, answer: Answer, model: Option<ModelVerdict>) -> Observation {
        Observation::new(self.id, &self.label, self.family(), answer, model)
    }

    /// Whether an answer is an `unknown` with a reason that the solver cannot be blamed for.
    fn excuses(&self, answer: &Answer) -> bool {
        let profile = self.solver.profile();
        matches!(answer, Answer::Unknown(reason) if profile.excuses(reason.as_deref()))
    }

    /// What was seen of each check. `judge` says what the model of a check is worth.
    fn see(
        &self,
        outcome: &Outcome,
        caveat: Option<&Caveat>,
        mut judge: impl FnMut(usize, &str) -> Option<ModelVerdict>,
    ) -> Vec<Observation> {
        let complaints = self.complaints(outcome);
        let n = outcome.checks.len();
        // After an error nothing that a solver does is worth a word, a crash included: it is in no state that a user meets.
        let spoilt = self.error(outcome);
        let crash = outcome.crash.as_ref().filter(|c| !self.is_complaint(c));
        outcome
            .checks
            .iter()
            .enumerate()
            .map(|(k, check)| {
                let model = match &check.model {
                    Some(text) if check.answer == Answer::Sat => judge(k, text),
                    _ => None,
                };
                let mut o = self.said(check.answer.clone(), model);
                o.excused = self.excuses(&check.answer);
                o.no_verdict = caveat.map(|c| c.text.clone());
                o.cpu = check.cpu.unwrap_or(outcome.cpu);
                o.complaint.clone_from(&complaints[k]);
                if k + 1 == n {
                    // A crash behind the answer counts beside it, unless it is the checker's complaint.
                    if let Some(crash) = crash {
                        if o.answer.decided().is_none() {
                            o.answer = Answer::Crash(crash.clone());
                        } else if spoilt.is_none() {
                            o.late_crash = Some(crash.clone());
                        }
                    }
                    if let (Answer::Crash(_), Some(error)) = (&o.answer, spoilt) {
                        o.answer = Answer::Rejected { error: error.clone(), answer: None };
                    }
                    if caveat.is_some_and(|c| c.crashes)
                        && let Some(crash) = o.own_crash().filter(|c| c.is_breakdown()).cloned()
                    {
                        // Whatever the script means to this release, it must not die of it; its answer does not count.
                        o.answer = Answer::Crash(crash);
                        o.late_crash = None;
                        o.no_verdict = None;
                    }
                }
                o
            })
            .collect()
    }

    /// What smelt's evaluator says of a model of one check.
    pub fn judge(
        &self,
        script: &mut Script,
        query: &Query,
        text: &str,
        limits: smelt_eval::Limits,
    ) -> ModelVerdict {
        judge_model_within(script, query, text, &self.model, limits)
    }

    /// How it writes its models.
    pub fn model_options(&self) -> &ModelOptions {
        &self.model
    }

    /// Whether a crash is the end that its own checker made.
    pub(super) fn is_complaint(&self, crash: &Crash) -> bool {
        self.is_complaint_text(&crash.signature())
    }

    /// Whether the signature of a crash is a complaint of its own checker.
    pub(crate) fn is_complaint_text(&self, signature: &str) -> bool {
        self.solver.profile().patterns.self_check.about(signature).is_some()
    }

    /// The crash that ended a fresh process, in place of its last answer or behind it: no complaint, no fault of something else, and
    /// not behind an error.
    pub fn crash(&self, outcome: &Outcome) -> Option<Crash> {
        self.any_crash(outcome).filter(|c| !self.is_complaint(c))
    }

    /// The crash that ended a fresh process, be it by its own checker.
    pub(crate) fn any_crash(&self, outcome: &Outcome) -> Option<Crash> {
        let last = match outcome.answer() {
            Some(Answer::Crash(crash)) => Some(crash),
            _ => outcome.crash.as_ref(),
        };
        last.filter(|c| !is_fault(c)).filter(|_| self.error(outcome).is_none()).cloned()
    }

    /// The first error that is neither a crash nor a complaint of its own checker.
    pub(super) fn error<'a>(&self, outcome: &'a Outcome) -> Option<&'a String> {
        let patterns = &self.solver.profile().patterns;
        let other = |e: &&String| !patterns.is_crash(e) && patterns.self_check.about(e).is_none();
        outcome.errors.iter().find(other)
    }

    /// What the solver's own checker says about each check: behind the answer, or where it ended the process; a complaint that
    /// stands nowhere is about the last one.
    fn complaints(&self, outcome: &Outcome) -> Vec<Option<Complaint>> {
        let checkers = &self.solver.profile().patterns.self_check;
        let read = |text: &str| {
            let about = checkers.about(text)?;
            Some(Complaint { about, text: text.to_owned() })
        };
        let of = |c: &Check| match &c.answer {
            Answer::Crash(crash) => read(&crash.signature()),
            _ => c.complaint.as_deref().and_then(read),
        };
        let mut all: Vec<_> = outcome.checks.iter().map(of).collect();
        if let (true, Some(last)) = (all.iter().all(Option::is_none), all.last_mut()) {
            let crash = outcome.crash.as_ref().map(Crash::signature);
            *last = crash.iter().chain(&outcome.errors).find_map(|t| read(t));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::parse;
    use smelt_solver::{CrashKind, Launcher, Profiles, Solver};

    fn solver(profile: &str) -> Solver {
        let profile = Profiles::embedded().get(profile).unwrap().clone();
        Solver::from_parts("it", profile, "it", Vec::new(), Launcher::current().unwrap())
    }

    /// Models are read as exactly as the solver's profile says that they are printed.
    #[test]
    fn models_are_as_exact_as_profiles_say() {
        let mut script =
            parse(b"(declare-const x Real)(assert (= (* x x) 2.0))(check-sat)").unwrap();
        let queries = script.queries();
        let mut check = |profile: &str, value: &str, expect: &str| {
            let target = Target::unprobed(solver(profile));
            let text = format!("((define-fun x () Real {value}))");
            let limits = smelt_eval::Limits::default();
            let verdict = target.judge(&mut script, &queries[0], &text, limits).to_string();
            assert_eq!(verdict, expect, "{profile}: {value}");
        };
        let unknown = "undetermined: the model gives a value that cannot be read exactly";
        let wrong = "FALSE at assertion 1";
        for (profile, rounded, decimal, fraction) in [
            ("z3", wrong, wrong, wrong),
            ("yices", unknown, wrong, wrong),
            ("generic", unknown, unknown, wrong),
            ("dreal", unknown, unknown, unknown),
            ("mathsat", unknown, unknown, unknown),
        ] {
            check(profile, "-1.414214", rounded);
            check(profile, "1.5", decimal);
            check(profile, "(/ 3 2)", fraction);
            check(profile, "1.414?", unknown);
        }
    }

    fn observed(profile: &str, answers: Vec<Answer>) -> Vec<Observation> {
        let solver = solver(profile);
        let mut script = parse(
            b"(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(check-sat)(check-sat)",
        )
        .unwrap();
        let queries = script.queries();
        let crash = answers.iter().find_map(|a| match a {
            Answer::Crash(c) => Some(c.clone()),
            _ => None,
        });
        let checks = answers.into_iter().map(Check::bare).collect();
        let outcome = Outcome { checks, crash, ..Outcome::default() };
        Target::unprobed(solver).observe(&mut script, &queries, &outcome)
    }

    /// A complaint belongs to the check that it is about, and is no crash of another one.
    #[test]
    fn complaints_of_inner_checks() {
        let internal = |text: &str| Answer::Crash(Crash { kind: CrashKind::Internal(text.into()) });
        let checks = |all: &[Observation]| -> Vec<(bool, bool)> {
            all.iter()
                .map(|o| (o.complaint.is_some(), matches!(o.answer, Answer::Crash(_))))
                .collect()
        };
        let inner = observed("cvc5", vec![internal("in checkModel"), Answer::Sat]);
        assert_eq!(checks(&inner), [(true, true), (false, false)]);
        let crash = observed("cvc5", vec![Answer::Sat, internal("Unreachable code")]);
        assert_eq!(checks(&crash), [(false, false), (false, true)]);
        let last = observed("cvc5", vec![Answer::Sat, internal("in checkModel")]);
        assert_eq!(checks(&last), [(false, false), (true, true)]);
    }
}
