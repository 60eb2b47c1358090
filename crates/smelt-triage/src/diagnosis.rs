//! From what several solvers said about one check to who is wrong.

use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

use smelt_solver::profile::independent;
use smelt_solver::{Answer, Checked, Crash, CrashKind, SignalMeaning, Status, signal_meaning};

use crate::class::{Class, Says};
use crate::evidence::{Evidence, Grade};
use crate::judge::ModelVerdict;
use crate::oracle::{Facts, ORACLES, Wanted};
use crate::target_id::TargetId;

/// What one solver said about one check.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Who said it.
    pub who: TargetId,
    /// Its name and version, for people.
    pub solver: String,
    /// Solvers of one family are not independent of each other.
    pub family: String,
    /// Nor are those that have a library in common which works on this script.
    pub shared: Vec<String>,
    /// The answer.
    pub answer: Answer,
    /// What the evaluator says of its model, if it gave one.
    pub model: Option<ModelVerdict>,
    /// What came of running its unsat core alone.
    pub core: Option<CoreVerdict>,
    /// What one of the solver's own checkers complained about.
    pub complaint: Option<Complaint>,
    /// What the evaluator says of the model that it gives where its checker is off, if that kept the model back.
    pub unchecked: Option<ModelVerdict>,
    /// What the same solver says of the same check without push and pop.
    pub flat: Option<Flat>,
    /// What it says to a script that this one implies or is implied by.
    pub before: Option<Before>,
    /// What solvers say of the script with the values of its model.
    pub pinned: Option<Pinned>,
    /// What the solver says now that has the answer which this one lacks.
    pub reference: Option<Reference>,
    /// How the process ended behind the answer, if it crashed there, and not by its own checker.
    pub late_crash: Option<Crash>,
    /// Whether its `unknown` comes with a reason that nobody is blamed for: a limit, or a feature that it does not claim to have.
    pub excused: bool,
    /// CPU time, start-up not included.
    pub cpu: Duration,
    /// Why what it says of this script counts neither against it nor against others: a caveat of its profile. Only a model that is
    /// true counts, whoever gave it.
    pub no_verdict: Option<String>,
}

/// What a solver's own checker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What is wrong, if the checker is right.
    pub about: Checked,
    /// In its words.
    pub text: String,
}

/// What solvers say of an unsat core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreVerdict {
    /// This one found a model of it that the evaluator finds true.
    RefutedBy(String),
    /// Somebody finds it unsatisfiable, and nobody knows better.
    Stands,
    /// Nobody decides it.
    Open,
}

/// What a solver says of a check of a script with push and pop, if it is given that check alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flat {
    /// The answer.
    pub answer: Status,
    /// What the evaluator says of its model, if it gave one.
    pub model: Option<ModelVerdict>,
}

/// What a solver says of another script, and what the relation of the two says about both: a satisfiable script becomes weaker by a
/// step, an unsatisfiable one stronger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The answer.
    pub answer: Answer,
    /// What the answer to both scripts must be.
    pub expected: Status,
    /// Which script it is, in words.
    pub what: String,
    /// Whether the relation holds in every theory, as of a script and some of its assertions; else by a proved rule.
    pub universal: bool,
}

/// What solvers say of a script with the values of a model asserted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// The answer of whoever gave the model, if it gives the same model again in the logic in which it was asked this.
    pub own: Option<Status>,
    /// What others say.
    pub others: Vec<Voice>,
}

/// What one solver says of another script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voice {
    /// Its name and version, for people.
    pub solver: String,
    /// Its family.
    pub family: String,
    /// Libraries that it shares with other families and that work on the script.
    pub shared: Vec<String>,
    /// The answer.
    pub answer: Status,
    /// Whether it comes with a model that smelt's evaluator finds true.
    pub proven: bool,
}

impl Pinned {
    /// Who has a model with these values that smelt's evaluator finds true: then the values are right.
    pub fn proven_by(&self) -> Option<&Voice> {
        self.others.iter().find(|v| v.proven)
    }

    /// Whether somebody finds a model with these values, and nobody says that there is none.
    pub fn stands(&self) -> bool {
        let said = |s| self.own == Some(s) || self.others.iter().any(|v| v.answer == s);
        self.proven_by().is_some() || said(Status::Sat) && !said(Status::Unsat)
    }
}

/// What the solver says that is held against another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its name and version, for people.
    pub solver: String,
    /// The answer; `None` if it cannot be asked.
    pub answer: Option<Status>,
    /// Whether it takes so little time that the accused still takes the given number of times as long.
    pub in_time: bool,
}

impl Before {
    /// Whether it decides the script before the step as it must.
    pub fn as_expected(&self) -> bool {
        self.answer.decided() == Some(self.expected)
    }
}

impl Observation {
    /// An answer with nothing beside it.
    pub fn new(
        who: TargetId,
        solver: &str,
        family: &str,
        answer: Answer,
        model: Option<ModelVerdict>,
    ) -> Self {
        Self {
            who,
            solver: solver.to_owned(),
            family: family.to_owned(),
            shared: Vec::new(),
            answer,
            model,
            core: None,
            complaint: None,
            unchecked: None,
            flat: None,
            before: None,
            pinned: None,
            reference: None,
            late_crash: None,
            excused: false,
            cpu: Duration::ZERO,
            no_verdict: None,
        }
    }

    /// Whether its answer counts for what others are held to: no caveat is about it, or its model is true.
    pub fn counts(&self) -> bool {
        self.no_verdict.is_none() || self.model == Some(ModelVerdict::True)
    }

    /// Whether its lack of an answer counts: there is no excuse, and its reference, if it was asked, has the answer.
    pub(crate) fn lacks_what_reference_has(&self) -> Says {
        match &self.reference {
            _ if self.excused => Says::Open,
            None => Says::Holds,
            Some(Reference { answer: None, .. }) => Says::Open,
            Some(Reference { answer: Some(Status::Unknown), .. }) => Says::DoesNot,
            Some(r) => Says::from(r.in_time),
        }
    }

    /// Who says that there is no model with the values of its model, if these are two independent families at least and nobody finds
    /// one. Its own word counts against it, and so does that of its own checker.
    pub fn values_are_refused(&self) -> Option<Vec<String>> {
        let p = self.pinned.as_ref()?;
        let doubts = p.own == Some(Status::Unsat) || self.complains_of(Class::InvalidModel);
        let own = doubts.then_some((&self.solver, &self.family, &self.shared));
        let others = p.others.iter().filter(|v| v.answer == Status::Unsat);
        let others = others.map(|v| (&v.solver, &v.family, &v.shared));
        let voices: Vec<_> = own.into_iter().chain(others).collect();
        let found = p.own == Some(Status::Sat) || p.others.iter().any(|v| v.answer == Status::Sat);
        let families = voices.iter().map(|(_, family, shared)| (family.as_str(), &shared[..]));
        let enough = independent(families) >= 2;
        (enough && !found).then(|| voices.into_iter().map(|(who, ..)| who.clone()).collect())
    }

    /// Whether its own checker accuses it of this, be it wrongly.
    pub fn complains_of(&self, class: Class) -> bool {
        let checker = class.row().checker;
        self.complaint.as_ref().is_some_and(|c| Some(c.about) == checker)
    }

    /// The crash that was seen in the place of the answer or behind it; a fault of something else is none.
    pub fn crash(&self) -> Option<&Crash> {
        let crash = match &self.answer {
            Answer::Crash(crash) => Some(crash),
            _ => self.late_crash.as_ref(),
        };
        crash.filter(|c| !is_fault(c))
    }

    /// The crash that was seen in the place of the answer or behind it, unless the solver's own checker ended the process.
    pub fn own_crash(&self) -> Option<&Crash> {
        self.crash().filter(|_| self.late_crash.is_some() || self.complaint.is_none())
    }
}

/// What is known about a check without any solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Truth {
    /// By exhausting a finite domain.
    pub brute_force: Status,
    /// The mutant was made with a model that the evaluator finds true.
    pub witness: bool,
    /// The check has operators that are partial: what they give outside of their domains is left open by the standard.
    pub partial: bool,
    /// What a label says: the script's own, or the seed's with a rule that keeps it.
    pub label: Status,
}

/// One accusation (or, with weak evidence, one suspicion).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Who.
    pub who: TargetId,
    /// Its name and version, for people.
    pub solver: String,
    /// Of what.
    pub class: Class,
    /// How it is known.
    pub evidence: Evidence,
    /// Whose answer the accused lacks, if it is held against another.
    pub reference: Option<TargetId>,
}

impl Diagnosis {
    /// An accusation of whoever was seen.
    pub fn new(seen: &Observation, class: Class, evidence: Evidence) -> Self {
        Self { who: seen.who, solver: seen.solver.clone(), class, evidence, reference: None }
    }

    /// Whether its evidence may be reported.
    pub fn is_reportable(&self) -> bool {
        self.evidence.grade() > Grade::Weak
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({}: {})", self.solver, self.class, self.evidence.grade(), self.evidence)
    }
}

/// Whether a process ended for what is not in the solver: it could not be started, or somebody else ended it.
pub fn is_fault(crash: &Crash) -> bool {
    match &crash.kind {
        // What a shell says of a program that it cannot run or find, and a loader of missing libraries.
        CrashKind::FatalExit(code) => matches!(code, 126 | 127),
        CrashKind::Signal { signal, .. } => signal_meaning(*signal) != SignalMeaning::Crash,
        _ => false,
    }
}

/// Who is wrong, with the strongest evidence for each accusation. What is said wrongly comes before what is not said, then the best
/// proven, then the worst class.
pub fn diagnose(seen: &[Observation], truth: Truth, wanted: &Wanted) -> Vec<Diagnosis> {
    let facts = Facts::new(seen, truth, wanted);
    let mut out: Vec<Diagnosis> = ORACLES.iter().flat_map(|o| (o.judge)(&facts)).collect();
    let key = |d: &Diagnosis| (d.class.row().compares, Reverse(d.evidence.grade()), d.class);
    out.sort_by_key(key);
    out
}

/// Whether what smelt expected is itself refuted by what it can prove: then the label or the rule behind it is wrong, nobody
/// is accused on its ground, and the seed must not be used any more.
pub fn label_refuted(seen: &[Observation], truth: Truth) -> bool {
    label_refutation(seen, truth).is_some()
}

/// What proves that the label of a check is wrong, if something does.
pub fn label_refutation(seen: &[Observation], truth: Truth) -> Option<Evidence> {
    match truth.label {
        Status::Unsat => Facts::new(seen, truth, &Wanted::default()).proof_of_sat,
        Status::Sat => (truth.brute_force == Status::Unsat).then_some(Evidence::BruteForce),
        Status::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(solver: &str, answer: &str, model: Option<ModelVerdict>) -> Observation {
        let family = solver.split('@').next().unwrap_or(solver);
        let answer = match answer {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            _ => Answer::Unknown(None),
        };
        Observation::new(TargetId(0), solver, family, answer, model)
    }

    /// Diagnoses of what is wrong; nothing that lacks is wanted.
    fn diagnose(seen: &[Observation], truth: Truth) -> Vec<Diagnosis> {
        super::diagnose(seen, truth, &Wanted::default())
    }

    fn check(seen: &[Observation], truth: Truth, expect: &[&str]) {
        let got: Vec<String> = diagnose(seen, truth).iter().map(ToString::to_string).collect();
        assert_eq!(got, expect);
    }

    #[test]
    fn evidence() {
        let t = Truth::default();
        let yes = Some(ModelVerdict::True);
        let no = Some(ModelVerdict::False(2));
        let open = Some(ModelVerdict::Undetermined("x".into()));
        check(&[see("z3@1", "sat", yes.clone()), see("cvc5@1", "sat", None)], t, &[]);
        check(&[see("z3@1", "unsat", None), see("cvc5@1", "unsat", None)], t, &[]);
        check(&[see("z3@1", "unsat", None), see("cvc5@1", "unknown", None)], t, &[]);
        check(
            &[see("z3@1", "unsat", None), see("cvc5@1", "sat", yes.clone())],
            t,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt's evaluator finds the model of cvc5@1 true)",
            ],
        );
        // A false model accuses its own solver; the soundness of `sat` stays open.
        check(
            &[see("z3@1", "sat", no.clone())],
            t,
            &["z3@1: invalid model (proven: its model makes assertion 2 false)"],
        );
        check(
            &[see("z3@1", "sat", no.clone()), see("cvc5@1", "unsat", None)],
            t,
            &[
                "z3@1: invalid model (proven: its model makes assertion 2 false)",
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: cvc5@1 says the opposite, and neither is proven)",
            ],
        );
        // Two other families are strong evidence, two releases of one are not.
        check(
            &[
                see("z3@1", "sat", open.clone()),
                see("cvc5@1", "unsat", None),
                see("yices@2", "unsat", None),
            ],
            t,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (strong: cvc5@1 and yices@2 say the opposite)",
                "cvc5@1: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
                "yices@2: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
            ],
        );
        // A solver that nothing is known of may be one of the others in a wrapper.
        for (others, strong) in [
            (["cvc5@1", "generic@1"], false),
            (["generic@1", "generic@2"], false),
            (["cvc5@1", "yices@1"], true),
        ] {
            let against = |o: &str| see(o, "unsat", None);
            let mut seen = vec![see("z3@1", "sat", open.clone())];
            seen.extend(others.map(against));
            let found = |seen: &[Observation]| {
                let all = diagnose(seen, t).into_iter();
                all.filter(|d| d.evidence.grade() == Grade::Strong).count()
            };
            assert_eq!(found(&seen), usize::from(strong), "{others:?}");
            // It may say the same as two others; and two others may accuse it.
            seen.push(against("generic@3"));
            assert_eq!(found(&seen), usize::from(strong), "{others:?} and a third");
            seen[0] = see("generic@4", "sat", open.clone());
            assert_eq!(found(&seen), usize::from(strong), "{others:?} against a generic solver");
        }
        // Two families that share a library which works on the script count once.
        for (libraries, strong) in [(["x", "x"], 0), (["x", "y"], 1), (["", "y"], 1)] {
            let against = |solver: &str, library: &str| Observation {
                shared: vec![library.to_owned()],
                ..see(solver, "unsat", None)
            };
            let seen = [
                see("z3@1", "sat", open.clone()),
                against("cvc5@1", libraries[0]),
                against("yices@1", libraries[1]),
            ];
            let all = diagnose(&seen, t).into_iter();
            let found = all.filter(|d| d.evidence.grade() == Grade::Strong).count();
            assert_eq!(found, strong, "{libraries:?}");
        }
        // Where the standard leaves it open, nobody need be wrong.
        let partial = Some(ModelVerdict::Unspecified("x".into()));
        check(
            &[
                see("z3@1", "sat", partial.clone()),
                see("cvc5@1", "sat", partial),
                see("yices@2", "unsat", None),
            ],
            t,
            &[
                "yices@2: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: yices@2 says the opposite, and neither is proven)",
                "cvc5@1: solution soundness (sat on an unsatisfiable script) (unproven: yices@2 says the opposite, and neither is proven)",
            ],
        );
        // Nor is who takes other open values than a model gives: cvc5 may say that x / 0 is 0, where the model says 2.
        check(
            &[see("z3@1", "sat", Some(ModelVerdict::TrueAsChosen)), see("cvc5@1", "unsat", None)],
            Truth { partial: true, ..t },
            &[
                "cvc5@1: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: cvc5@1 says the opposite, and neither is proven)",
            ],
        );
        check(
            &[see("z3@1", "sat", open.clone()), see("z3@2", "unsat", None)],
            t,
            &[
                "z3@2: refutation soundness (unsat on a satisfiable script) (unproven: z3@1 says the opposite, and neither is proven)",
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: z3@2 says the opposite, and neither is proven)",
            ],
        );
        // A finite domain settles it.
        let unsat = Truth { brute_force: Status::Unsat, ..t };
        check(
            &[see("z3@1", "sat", None)],
            unsat,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (proven: smelt tried every value of the finite domain)",
            ],
        );
        let sat = Truth { brute_force: Status::Sat, ..t };
        check(
            &[see("z3@1", "unsat", None)],
            sat,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt found a model of it by trying values of the finite domain)",
            ],
        );
        // A label alone is a suspicion; a true model overrules it.
        let label = Truth { label: Status::Unsat, ..t };
        check(
            &[see("z3@1", "sat", None)],
            label,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (unproven: the script's own :status says otherwise)",
            ],
        );
        check(&[see("z3@1", "sat", yes.clone())], label, &[]);
        assert!(label_refuted(&[see("z3@1", "sat", yes)], label));
        assert!(!label_refuted(&[see("z3@1", "sat", None)], label));
        // The witness of a mutant is a proof; no solver is needed beside the accused.
        let witness = Truth { witness: true, ..t };
        check(
            &[see("z3@1", "unsat", None)],
            witness,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt's evaluator finds the witness that the script was made with true)",
            ],
        );
    }

    #[test]
    fn own_contradictions() {
        let t = Truth::default();
        let yes = Some(ModelVerdict::True);
        let about = |about, text: &str| Some(Complaint { about, text: text.to_owned() });
        let complaint = |model| Observation {
            complaint: about(Checked::Model, "invalid model"),
            ..see("z3@1", "sat", model)
        };
        let complaint_on = |answer, checked, text| Observation {
            complaint: about(checked, text),
            ..see("z3@1", answer, None)
        };
        check(
            &[complaint(yes)],
            t,
            &[
                "z3@1: false alarm of its own checker (proven: its own checker says \"invalid model\", but smelt's evaluator finds the model true)",
            ],
        );
        check(
            &[complaint(Some(ModelVerdict::TrueAsChosen))],
            Truth { partial: true, ..t },
            &[
                "z3@1: false alarm of its own checker (proven: its own checker says \"invalid model\", but smelt's evaluator finds the model true)",
            ],
        );
        check(
            &[complaint(Some(ModelVerdict::False(1)))],
            t,
            &["z3@1: invalid model (proven: its model makes assertion 1 false)"],
        );
        check(
            &[complaint(None)],
            t,
            &["z3@1: invalid model (strong: its own checker says \"invalid model\")"],
        );
        // What is 1 div 0? Its checker need not know.
        let open = "z3@1: invalid model (unproven: its own checker says \"invalid model\", of a model that rests on what the standard leaves open)";
        check(&[complaint(Some(ModelVerdict::Unspecified("x".into())))], t, &[open]);
        let undetermined = Some(ModelVerdict::Undetermined("x".into()));
        check(&[complaint(undetermined)], Truth { partial: true, ..t }, &[open]);
        // A checker that ends the process leaves no model: another run must show one.
        check(
            &[complaint(None)],
            Truth { partial: true, ..t },
            &["z3@1: invalid model (strong: its own checker says \"invalid model\")"],
        );
        let unchecked = |model| Observation { unchecked: Some(model), ..complaint(None) };
        check(
            &[unchecked(ModelVerdict::True)],
            t,
            &[
                "z3@1: false alarm of its own checker (strong: its own checker says \"invalid model\", but smelt's evaluator finds the model true that it gives where the checker is off)",
            ],
        );
        check(&[unchecked(ModelVerdict::Unspecified("x".into()))], t, &[open]);
        check(
            &[unchecked(ModelVerdict::Undetermined("x".into()))],
            Truth { partial: true, ..t },
            &["z3@1: invalid model (strong: its own checker says \"invalid model\")"],
        );
        check(
            &[unchecked(ModelVerdict::False(1))],
            t,
            &["z3@1: invalid model (strong: its own checker says \"invalid model\")"],
        );
        check(
            &[Observation {
                core: Some(CoreVerdict::RefutedBy("cvc5@1".into())),
                ..see("z3@1", "unsat", None)
            }],
            t,
            &[
                "z3@1: invalid unsat core (proven: smelt's evaluator finds the model of cvc5@1 true of the core)",
            ],
        );
        check(
            &[complaint_on("unsat", Checked::Core, "produced satisfiable core")],
            t,
            &[
                "z3@1: invalid unsat core (strong: its own checker says \"produced satisfiable core\")",
            ],
        );
        // Where the whole is satisfiable, the answer is the fault.
        let core = complaint_on("unsat", Checked::Core, "produced satisfiable core");
        let found = diagnose(&[core], Truth { witness: true, ..t });
        let classes: Vec<Class> = found.iter().map(|d| d.class).collect();
        assert_eq!(classes, [Class::RefutationSoundness]);
        // Whatever came of the answer.
        for answer in ["unsat", "?"] {
            check(
                &[complaint_on(answer, Checked::Proof, "ProofChecker::check: failed")],
                t,
                &[
                    "z3@1: invalid proof (strong: its own checker says \"ProofChecker::check: failed\")",
                ],
            );
        }
        // Whoever finds no model has none that could be bad.
        for answer in ["unsat", "?"] {
            check(
                &[complaint_on(answer, Checked::Model, "an invalid model was generated")],
                t,
                &[],
            );
        }
    }

    #[test]
    fn with_and_without_push() {
        let t = Truth::default();
        let yes = Some(ModelVerdict::True);
        let flat = |flat: Status, model: Option<ModelVerdict>, own: Observation| Observation {
            flat: Some(Flat { answer: flat, model }),
            ..own
        };
        let contradiction = |own: &str, flat: &str| {
            format!(
                "z3@1: {} (strong: its answers to the check in its script with push and pop ({own}) and to the flattened query \
                ({flat}, flat.smt2) exclude each other; which of the two is wrong is not settled)",
                Class::SelfContradiction
            )
        };
        let unsat = || see("z3@1", "unsat", None);
        let sat = || see("z3@1", "sat", None);
        check(&[flat(Status::Sat, None, unsat())], t, &[&contradiction("unsat", "sat")]);
        check(&[flat(Status::Unsat, None, sat())], t, &[&contradiction("sat", "unsat")]);
        check(&[flat(Status::Unsat, None, unsat())], t, &[]);
        // A true model of the check alone proves the answer to the script wrong.
        check(
            &[flat(Status::Sat, yes.clone(), unsat())],
            t,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt's evaluator finds the model of z3@1 for the check alone true)",
            ],
        );
        // Another family does not make it go away.
        let backed = [flat(Status::Sat, None, unsat()), see("cvc5@1", "unsat", None)];
        check(&backed, t, &[&contradiction("unsat", "sat")]);
        // Where it may depend on what the standard leaves open, nobody need be wrong.
        let partial = Truth { partial: true, ..t };
        check(&[flat(Status::Sat, None, unsat())], partial, &[]);
        check(&[flat(Status::Unsat, None, sat())], partial, &[]);
        let open = Some(ModelVerdict::Unspecified("x".into()));
        check(&[flat(Status::Sat, open, unsat())], t, &[]);
        // An answer of each in one process is not both right and wrong.
        let no = Truth { brute_force: Status::Unsat, ..t };
        check(
            &[flat(Status::Unsat, None, sat())],
            no,
            &[
                "z3@1: solution soundness (sat on an unsatisfiable script) (proven: smelt tried every value of the finite domain)",
            ],
        );
    }

    /// With a caveat, nobody is accused, and nobody by it: neither by agreement nor by disagreement. A true model is a proof.
    #[test]
    fn caveats() {
        let caveat = |o: Observation| Observation { no_verdict: Some("old".into()), ..o };
        let (yes, no) = (Some(ModelVerdict::True), Some(ModelVerdict::False(1)));
        let proven = Truth { brute_force: Status::Unsat, ..Truth::default() };
        let crash = Crash { kind: CrashKind::Signal { signal: 11, frames: Vec::new() } };
        for (accused, truth) in [
            (see("z3@1", "sat", no), Truth::default()),
            (see("z3@1", "sat", None), proven),
            (see("z3@1", "unsat", None), Truth { witness: true, ..Truth::default() }),
            (
                Observation::new(TargetId(0), "z3@1", "z3", Answer::Crash(crash), None),
                Truth::default(),
            ),
        ] {
            assert_eq!(diagnose(std::slice::from_ref(&accused), truth).len(), 1, "{accused:?}");
            check(&[caveat(accused)], truth, &[]);
        }
        let others = || [see("cvc5@1", "unsat", None), see("yices@2", "unsat", None)];
        let sat = || see("z3@1", "sat", None);
        let classes = |seen: Vec<Observation>| -> Vec<(String, Grade)> {
            let all = diagnose(&seen, Truth::default());
            all.into_iter().map(|d| (d.solver, d.evidence.grade())).collect()
        };
        let [a, b] = others();
        assert!(classes(vec![sat(), a, b]).contains(&("z3@1".into(), Grade::Strong)));
        let [a, b] = others();
        let weak = classes(vec![sat(), caveat(a), b]);
        assert_eq!(weak.len(), 2, "{weak:?}");
        assert!(weak.iter().all(|(s, g)| s != "cvc5@1" && *g == Grade::Weak), "{weak:?}");
        let [a, b] = others();
        assert_eq!(classes(vec![sat(), caveat(a), caveat(b)]), []);
        // It is no support, either: two against one that has a caveat on its side.
        let [a, b] = others();
        let support = caveat(see("bitwuzla@1", "sat", None));
        assert!(classes(vec![sat(), support, a, b]).contains(&("z3@1".into(), Grade::Strong)));
        let wrong = classes(vec![caveat(see("z3@1", "sat", yes)), see("cvc5@1", "unsat", None)]);
        assert_eq!(wrong, [("cvc5@1".into(), Grade::Proven)]);
    }

    /// Without a model, nobody knows whether `sat` rests on what the standard leaves open.
    #[test]
    fn partial_operators_without_a_model() {
        let seen = |model: Option<ModelVerdict>| {
            [see("z3@1", "sat", model), see("cvc5@1", "unsat", None), see("yices@2", "unsat", None)]
        };
        let strong = |model, partial| {
            let truth = Truth { partial, ..Truth::default() };
            diagnose(&seen(model), truth)
                .iter()
                .any(|d| d.class == Class::SolutionSoundness && d.evidence.grade() == Grade::Strong)
        };
        let open = || Some(ModelVerdict::Undetermined("x".into()));
        assert!(strong(None, false) && strong(open(), false));
        assert!(!strong(None, true) && !strong(open(), true));
        // Beside a bad model there may be a good one.
        assert!(strong(Some(ModelVerdict::False(1)), false));
        assert!(!strong(Some(ModelVerdict::False(1)), true));
    }

    /// What does not come from the solver is no crash of it.
    #[test]
    fn ends_that_are_no_crashes() {
        let crash = |kind| {
            let o =
                Observation::new(TargetId(0), "z3@1", "z3", Answer::Crash(Crash { kind }), None);
            !diagnose(&[o], Truth::default()).is_empty()
        };
        let signal = |signal| CrashKind::Signal { signal, frames: Vec::new() };
        for (n, expect) in [(1, false), (2, false), (6, true), (11, true), (13, false), (15, false)]
        {
            assert_eq!(crash(signal(n)), expect, "signal {n}");
        }
        for (code, expect) in [(1, true), (114, true), (126, false), (127, false), (134, true)] {
            assert_eq!(crash(CrashKind::FatalExit(code)), expect, "exit code {code}");
        }
        let text = String::from("x > 0");
        assert!(crash(CrashKind::Assertion { place: "a.cpp:1".into(), text }));
    }

    /// A crash behind an answer: both count.
    #[test]
    fn a_crash_behind_the_answer() {
        let crash = Crash { kind: CrashKind::Signal { signal: 11, frames: Vec::new() } };
        let late = Observation { late_crash: Some(crash.clone()), ..see("z3@1", "unsat", None) };
        let witness = Truth { witness: true, ..Truth::default() };
        check(
            &[late],
            witness,
            &[
                "z3@1: refutation soundness (unsat on a satisfiable script) (proven: smelt's evaluator finds the witness that the script was made with true)",
                "z3@1: crash (proven: SIGSEGV)",
            ],
        );
        // A complaint beside it is another matter; one that ends the process is no crash.
        let complaint = Some(Complaint { about: Checked::Proof, text: "bad".into() });
        let proof = "z3@1: invalid proof (strong: its own checker says \"bad\")";
        let both = Observation {
            late_crash: Some(crash.clone()),
            complaint: complaint.clone(),
            ..see("z3@1", "unsat", None)
        };
        check(&[both], Truth::default(), &["z3@1: crash (proven: SIGSEGV)", proof]);
        let ended = Observation::new(TargetId(0), "z3@1", "z3", Answer::Crash(crash), None);
        check(&[Observation { complaint, ..ended }], Truth::default(), &[proof]);
    }
}
