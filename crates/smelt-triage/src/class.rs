//! The classes of faults: one row each. Whatever differs from class to class is in its row.

use std::fmt;

use serde::{Deserialize, Serialize};
use smelt_solver::{Answer, Checked, Limit, Status};

use crate::diagnosis::{CoreVerdict, Observation, Pinned};
use crate::judge::ModelVerdict;

/// Kinds of misbehaviour, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// `unsat` on a satisfiable script.
    RefutationSoundness,
    /// `sat` on an unsatisfiable script.
    SolutionSoundness,
    /// `sat` to a script with push and pop and `unsat` to the same check alone, or the other way round: one of the two is wrong, and
    /// it is not known which.
    SelfContradiction,
    /// Its answers to two scripts exclude each other, of which one implies the other: one of the two is wrong, and it is not known which.
    NeighbourContradiction,
    /// `sat` with a model, and `unsat` to the script with the values of that model: one of the two is wrong, and it is not known
    /// which.
    ModelContradiction,
    /// A model that does not satisfy the script.
    InvalidModel,
    /// An unsat core that is satisfiable.
    InvalidCore,
    /// A signal, an assertion or an internal error.
    Crash,
    /// An older release decides in time what this one does not.
    PerformanceRegression,
    /// An older release decides what this one calls `unknown`.
    IncompletenessRegression,
    /// A peer decides within a second, this one not within a minute.
    Performance,
    /// It decides a script from which this one follows (or which follows from it, if it is unsat), and calls this one `unknown`.
    ImplicationIncompleteness,
    /// The solver's own checker refuses its proof.
    InvalidProof,
    /// The solver's own checker complains about a model that is right.
    FalseAlarm,
}

/// What a run says of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// The fault is there.
    Holds,
    /// The fault is not there.
    DoesNot,
    /// The run could not tell: a limit ended it, the solver refused the script, gave up, or failed in another way.
    Open,
    /// The solver has another fault instead, of this class: for one, it crashes, but not in the same place.
    Other(Class),
}

impl From<bool> for Says {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNot }
    }
}

/// A run beside the first one, without which a fault of some class cannot be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// The check alone, without push and pop.
    Flat,
    /// The unsat core alone.
    Core,
    /// The model that the solver gives where its own checker is off.
    Unchecked,
    /// Another script, which this one implies or is implied by: the one before the step that led here, or one with fewer or more
    /// assertions.
    Before,
    /// The script with the values of the model asserted.
    Pinned,
    /// The release or solver that has the answer which the accused lacks.
    Reference,
}

/// How bad a fault is for who relies on the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// An answer is wrong.
    Critical,
    /// A model or a core is wrong, or the process dies.
    Major,
    /// An answer comes late or not at all, or only the solver's own checker is at fault.
    Minor,
}

impl Severity {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Major => "major",
            Self::Minor => "minor",
        }
    }
}

/// What is particular to a class.
pub struct Row {
    /// The class.
    pub class: Class,
    /// A short name for tables, folders and `known.toml`.
    pub word: &'static str,
    /// The name for people.
    pub text: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What else is run, in this order.
    pub follow_ups: &'static [FollowUp],
    /// What else is run when a suspicion is confirmed, because it may prove it.
    pub proof: Option<FollowUp>,
    /// The answer that is wrong, if the class says so.
    pub wrong: Option<Status>,
    /// Which of a solver's own checkers complains of it, be it wrongly.
    pub checker: Option<Checked>,
    /// Whether an answer alone can be what an accusation of this class is about; it saves asking others.
    pub suspect: fn(&Observation) -> bool,
    /// What an observation with its follow-up says, beside the one by which the fault was found, if that is at hand.
    shown: fn(&Observation, Option<&Observation>) -> Says,
    /// What a fault of this class turns out to be, by what a follow-up shows.
    pub rather: fn(&Observation) -> Option<Class>,
    /// Whether one of two answers is wrong, and it is to be found out which.
    pub settles: bool,
    /// The class that says more, where a solver is accused of both.
    pub yields_to: Option<Class>,
    /// Whether the solver is waited for as long as slowness takes, and run once.
    pub slow: bool,
    /// Whether an answer is lacking that another solver, or the same on a related script, has: all are run in one mode.
    pub compares: bool,
    /// Whether an older release has the answer: it rests on what the base of a comparison says.
    pub regression: bool,
    /// Whether the process ends in it: whatever was sent and whichever check was the last, its end shows it.
    pub ends: bool,
    /// Whether a debugger tells more of it than the run.
    pub frames: bool,
    /// Whether the assertions must have names.
    pub names: bool,
    /// What stands behind the script for people who look for it by hand.
    pub appended: &'static str,
    /// Whether leaving assertions out keeps the question.
    pub shrinks: bool,
    /// Whether a wrong answer that only a session gives is looked for in its transcript.
    pub in_sessions: bool,
}

/// All classes, the worst first.
pub const CLASSES: [Row; 14] = [
    Row {
        suspect: |o| o.answer == Answer::Unsat,
        shown: |o, _| match &o.answer {
            Answer::Unsat => Says::Holds,
            Answer::Sat | Answer::DeltaSat => Says::DoesNot,
            _ => Says::Open,
        },
        proof: Some(FollowUp::Flat),
        wrong: Some(Status::Unsat),
        in_sessions: true,
        severity: Severity::Critical,
        ..row(
            Class::RefutationSoundness,
            "refutation-soundness",
            "refutation soundness (unsat on a satisfiable script)",
        )
    },
    Row {
        suspect: |o| o.answer == Answer::Sat,
        shown: |o, _| match &o.answer {
            Answer::Sat => Says::from(!o.model.as_ref().is_some_and(ModelVerdict::holds)),
            Answer::Unsat => Says::DoesNot,
            _ => Says::Open,
        },
        // Fewer assertions of an unsatisfiable script are another question.
        shrinks: false,
        proof: Some(FollowUp::Flat),
        wrong: Some(Status::Sat),
        in_sessions: true,
        severity: Severity::Critical,
        ..row(
            Class::SolutionSoundness,
            "solution-soundness",
            "solution soundness (sat on an unsatisfiable script)",
        )
    },
    Row {
        follow_ups: &[FollowUp::Flat],
        suspect: |o| o.answer.decided().is_some(),
        shown: |o, _| match (o.answer.decided(), &o.flat) {
            (Some(own), Some(flat)) => Says::from(flat.answer != own),
            _ => Says::Open,
        },
        settles: true,
        severity: Severity::Critical,
        ..row(
            Class::SelfContradiction,
            "self-contradiction",
            "self-contradiction (with push and pop and without, its answers exclude each other)",
        )
    },
    Row {
        follow_ups: &[FollowUp::Before],
        suspect: |o| {
            let other = |v| o.before.as_ref().is_none_or(|b| b.expected != v);
            o.answer.decided().is_some_and(other)
        },
        shown: |o, _| match (o.answer.decided(), &o.before) {
            (Some(now), Some(b)) if now == b.expected => Says::DoesNot,
            (Some(_), Some(b)) if b.as_expected() => Says::Holds,
            (Some(_), Some(b)) if b.answer.decided().is_some() => Says::DoesNot,
            _ => Says::Open,
        },
        // One of two related scripts cannot change alone.
        shrinks: false,
        settles: true,
        severity: Severity::Critical,
        ..row(
            Class::NeighbourContradiction,
            "neighbour-contradiction",
            "neighbour contradiction (its answers to two scripts, of which one implies the other, exclude each other)",
        )
    },
    Row {
        follow_ups: &[FollowUp::Pinned],
        suspect: |o| o.answer == Answer::Sat && o.model.as_ref().is_some_and(ModelVerdict::is_open),
        shown: |o, _| match (&o.answer, &o.model, &o.pinned) {
            (Answer::Unsat, ..) => Says::DoesNot,
            (_, Some(m), _) if m.holds() => Says::DoesNot,
            (Answer::Sat, _, Some(p)) => match p.own {
                Some(Status::Unsat) => Says::Holds,
                Some(Status::Sat) => Says::DoesNot,
                _ => Says::Open,
            },
            _ => Says::Open,
        },
        appended: "(get-model)\n",
        severity: Severity::Critical,
        ..row(
            Class::ModelContradiction,
            "model-contradiction",
            "model contradiction (it gives a model, and calls the script with these values unsat)",
        )
    },
    Row {
        follow_ups: &[FollowUp::Unchecked, FollowUp::Pinned],
        suspect: |o| {
            matches!(o.model, Some(ModelVerdict::False(_)))
                || o.complains_of(Class::InvalidModel)
                || o.pinned.is_some()
        },
        shown: |o, _| match (&o.answer, o.model.as_ref().or(o.unchecked.as_ref())) {
            (_, Some(ModelVerdict::False(_))) => Says::Holds,
            (Answer::Unsat, _) => Says::DoesNot,
            (_, Some(m)) if m.holds() => Says::DoesNot,
            _ if o.values_are_refused().is_some() => Says::Holds,
            _ if o.pinned.as_ref().is_some_and(Pinned::stands) => Says::DoesNot,
            // Its own checker does not know either what a division by zero is.
            (_, Some(ModelVerdict::Unspecified(_))) => Says::Open,
            _ if o.complains_of(Class::InvalidModel) => Says::Holds,
            _ => Says::Open,
        },
        // The model that its checker kept back, or complained of, is right.
        rather: |o| {
            let holds = o.unchecked.as_ref().is_some_and(ModelVerdict::holds);
            let complains = o.complains_of(Class::FalseAlarm);
            (holds || complains && o.completed().is_some()).then_some(Class::FalseAlarm)
        },
        checker: Some(Checked::Model),
        appended: "(get-model)\n",
        in_sessions: true,
        severity: Severity::Major,
        ..row(Class::InvalidModel, "invalid-model", "invalid model")
    },
    Row {
        follow_ups: &[FollowUp::Core],
        suspect: |o| o.answer == Answer::Unsat || o.complains_of(Class::InvalidCore),
        shown: |o, _| match &o.answer {
            _ if o.complains_of(Class::InvalidCore) => Says::Holds,
            Answer::Sat => Says::DoesNot,
            _ => match &o.core {
                Some(CoreVerdict::RefutedBy(_)) => Says::Holds,
                Some(CoreVerdict::Stands) => Says::DoesNot,
                Some(CoreVerdict::Open) | None => Says::Open,
            },
        },
        checker: Some(Checked::Core),
        names: true,
        appended: "(get-unsat-core)\n",
        shrinks: false,
        severity: Severity::Major,
        ..row(Class::InvalidCore, "invalid-core", "invalid unsat core")
    },
    Row {
        suspect: |o| o.crash().is_some(),
        shown: |o, then| match (o.crash(), then.and_then(Observation::crash)) {
            (Some(now), Some(then)) if !now.resembles(then) => Says::Other(Class::Crash),
            (Some(_), _) => Says::Holds,
            (None, _) => match &o.answer {
                Answer::Sat | Answer::Unsat | Answer::Unknown(_) | Answer::DeltaSat => {
                    Says::DoesNot
                }
                _ => Says::Open,
            },
        },
        ends: true,
        frames: true,
        severity: Severity::Major,
        ..row(Class::Crash, "crash", "crash")
    },
    Row {
        follow_ups: &[FollowUp::Reference],
        shown: late,
        slow: true,
        compares: true,
        regression: true,
        ..row(Class::PerformanceRegression, "performance-regression", "performance regression")
    },
    Row {
        follow_ups: &[FollowUp::Reference],
        shown: lost,
        compares: true,
        regression: true,
        ..row(
            Class::IncompletenessRegression,
            "incompleteness-regression",
            "incompleteness regression",
        )
    },
    Row {
        follow_ups: &[FollowUp::Reference],
        shown: late,
        slow: true,
        compares: true,
        ..row(Class::Performance, "performance", "performance")
    },
    Row {
        follow_ups: &[FollowUp::Before],
        suspect: |o| matches!(o.answer, Answer::Unknown(_)),
        shown: |o, then| match (lost(o, then), &o.before) {
            // Who does not know it before the step either has lost nothing.
            (_, Some(b)) if matches!(b.answer, Answer::Unknown(_)) => Says::DoesNot,
            (says, Some(b)) if b.as_expected() => says,
            // Of who says nothing there, nothing is learnt.
            (Says::Holds, _) => Says::Open,
            (says, _) => says,
        },
        compares: true,
        // One of two related scripts cannot change alone.
        shrinks: false,
        // What an older release decides says more than what the script before the step says.
        yields_to: Some(Class::IncompletenessRegression),
        ..row(
            Class::ImplicationIncompleteness,
            "implication-incompleteness",
            "implication incompleteness",
        )
    },
    Row {
        suspect: |o| o.complains_of(Class::InvalidProof),
        checker: Some(Checked::Proof),
        shown: |o, _| match &o.answer {
            _ if o.complains_of(Class::InvalidProof) => Says::Holds,
            Answer::Sat | Answer::Unsat => Says::DoesNot,
            _ => Says::Open,
        },
        ..row(Class::InvalidProof, "invalid-proof", "invalid proof")
    },
    Row {
        follow_ups: &[FollowUp::Unchecked, FollowUp::Pinned],
        suspect: |o| o.complains_of(Class::FalseAlarm),
        checker: Some(Checked::Model),
        shown: |o, _| {
            let complains = o.complains_of(Class::FalseAlarm);
            match (&o.answer, o.model.as_ref().or(o.unchecked.as_ref())) {
                (_, Some(m)) if complains && m.holds() => Says::Holds,
                _ if complains && o.completed().is_some() => Says::Holds,
                (_, Some(ModelVerdict::False(_))) if complains => Says::DoesNot,
                _ if complains => Says::Open,
                (Answer::Sat | Answer::Unsat, _) => Says::DoesNot,
                _ => Says::Open,
            }
        },
        ..row(Class::FalseAlarm, "false-alarm", "false alarm of its own checker")
    },
];

/// What most classes have in common.
const fn row(class: Class, word: &'static str, text: &'static str) -> Row {
    Row {
        class,
        word,
        text,
        severity: Severity::Minor,
        follow_ups: &[],
        proof: None,
        wrong: None,
        checker: None,
        suspect: |_| true,
        shown: |_, _| Says::Open,
        rather: |_| None,
        settles: false,
        yields_to: None,
        slow: false,
        compares: false,
        regression: false,
        ends: false,
        frames: false,
        names: false,
        appended: "",
        shrinks: true,
        in_sessions: false,
    }
}

/// An answer that is lost. If its reference was asked, that must still have it.
fn lost(o: &Observation, _: Option<&Observation>) -> Says {
    match &o.answer {
        Answer::Unknown(_) => o.lacks_what_reference_has(),
        Answer::Sat | Answer::Unsat => Says::DoesNot,
        _ => Says::Open,
    }
}

/// An answer that does not come in time. If its reference was asked, that must still have it.
fn late(o: &Observation, _: Option<&Observation>) -> Says {
    match &o.answer {
        // A busy machine is not the solver's fault.
        Answer::Timeout(limit) if *limit != Limit::Wall => o.lacks_what_reference_has(),
        Answer::Sat | Answer::Unsat => Says::DoesNot,
        _ => Says::Open,
    }
}

impl Row {
    /// Whether a follow-up is needed to see a fault of the class.
    pub fn asks(&self, what: FollowUp) -> bool {
        self.follow_ups.contains(&what)
    }
}

impl Class {
    /// All classes, the worst first.
    pub fn all() -> impl Iterator<Item = Self> {
        CLASSES.iter().map(|row| row.class)
    }

    /// The row of the class in the table.
    pub fn row(self) -> &'static Row {
        // The table is in the order of the classes, which a test holds.
        &CLASSES[self as usize]
    }

    /// What giving this answer wrongly is.
    pub fn of_wrong(answer: Status) -> Option<Self> {
        CLASSES.iter().find(|row| row.wrong == Some(answer)).map(|row| row.class)
    }

    /// A short name for tables, folders and `known.toml`.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// What an observation, with what its follow-up gave, says of a fault of this class; `then` is the one by which it was found,
    /// if that is at hand.
    pub fn shown(self, now: &Observation, then: Option<&Observation>) -> Says {
        // Where its own checker ended the process, it must do so in the same place.
        if !self.row().ends
            && let (Answer::Crash(a), Some(Answer::Crash(b))) =
                (&now.answer, then.map(|t| &t.answer))
            && !a.resembles(b)
        {
            return Says::Open;
        }
        (self.row().shown)(now, then)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TargetId;
    use crate::diagnosis::{Before, Complaint, Flat, Voice};
    use smelt_solver::{Crash, CrashKind};

    #[test]
    fn rows_are_in_order() {
        for (i, row) in CLASSES.iter().enumerate() {
            assert_eq!(row.class as usize, i);
            // The names of folders and of known bugs are those of the data format.
            assert_eq!(serde_json::to_value(row.class).unwrap(), row.word);
        }
    }

    /// What each answer says of each class, one letter per class: it holds, it does not, or it is open.
    #[test]
    fn what_answers_say() {
        let classes = [
            Class::RefutationSoundness,
            Class::SolutionSoundness,
            Class::InvalidModel,
            Class::InvalidCore,
            Class::FalseAlarm,
            Class::InvalidProof,
            Class::Crash,
            Class::IncompletenessRegression,
            Class::ImplicationIncompleteness,
            Class::PerformanceRegression,
            Class::Performance,
        ];
        let crash = || Answer::Crash(Crash { kind: CrashKind::FatalExit(3) });
        let rejected = || Answer::Rejected { error: "e".into(), answer: Some(Status::Sat) };
        let no = || Some(ModelVerdict::False(1));
        let maybe = || Some(ModelVerdict::Undetermined("why".into()));
        let open = || Some(ModelVerdict::Unspecified("why".into()));
        let yes = || Some(ModelVerdict::True);
        let check = |answer, model, complaint, expect: &str| {
            let mut o = Observation::new(TargetId(0), "s", "f", answer, model);
            o.complaint = complaint;
            let said: String = classes
                .iter()
                .map(|c| match c.shown(&o, None) {
                    Says::Holds => 'h',
                    Says::DoesNot => 'n',
                    Says::Open | Says::Other(_) => '?',
                })
                .collect();
            assert_eq!(said, expect, "{} {:?} {:?}", o.answer, o.model, o.complaint);
        };
        let about = |about| Some(Complaint { about, text: "it is wrong".to_owned() });
        check(Answer::Sat, yes(), None, "nnnnnnnnnnn");
        check(Answer::Sat, no(), None, "nhhnnnnnnnn");
        check(Answer::Sat, maybe(), None, "nh?nnnnnnnn");
        check(Answer::Sat, None, None, "nh?nnnnnnnn");
        check(Answer::Sat, yes(), about(Checked::Model), "nnnnhnnnnnn");
        check(Answer::Sat, None, about(Checked::Model), "nhhn?nnnnnn");
        check(Answer::Sat, open(), about(Checked::Model), "nh?n?nnnnnn");
        check(Answer::Sat, None, about(Checked::Proof), "nh?nnhnnnnn");
        check(Answer::Unsat, None, about(Checked::Core), "hnnhnnnnnnn");
        check(Answer::Unsat, None, None, "hnn?nnnnnnn");
        check(Answer::Unknown(None), None, None, "??????nh???");
        check(Answer::DeltaSat, None, None, "n?????n????");
        check(Answer::Timeout(Limit::Cpu), None, None, "?????????hh");
        check(Answer::Timeout(Limit::Wall), None, None, "???????????");
        check(Answer::OutOfMemory, None, None, "???????????");
        check(Answer::Unsupported("it".into()), None, None, "???????????");
        check(rejected(), None, None, "???????????");
        check(rejected(), None, about(Checked::Model), "??h????????");
        check(rejected(), None, about(Checked::Core), "???h???????");
        check(rejected(), None, about(Checked::Proof), "?????h?????");
        check(Answer::Unreadable("x".into()), None, None, "???????????");
        check(crash(), None, None, "??????h????");
    }

    /// A check in its script and alone; a step and the one before; a crash and another.
    #[test]
    fn what_follow_ups_say() {
        let plain = |answer: Answer| Observation::new(TargetId(0), "s", "f", answer, None);
        let flat = |answer, alone| Observation {
            flat: Some(Flat { answer: alone, model: None }),
            ..plain(answer)
        };
        let class = Class::SelfContradiction;
        assert_eq!(class.shown(&flat(Answer::Sat, Status::Unsat), None), Says::Holds);
        assert_eq!(class.shown(&flat(Answer::Sat, Status::Sat), None), Says::DoesNot);
        assert_eq!(class.shown(&plain(Answer::Sat), None), Says::Open);
        let relations = [Class::ImplicationIncompleteness, Class::NeighbourContradiction];
        let (unknown, oom) = (|| Answer::Unknown(None), || Answer::OutOfMemory);
        let (holds, does_not, open) = (Says::Holds, Says::DoesNot, Says::Open);
        // The script before is satisfiable, and so must this one be.
        for (now, before, expect) in [
            (unknown(), Some(Answer::Sat), [holds, open]),
            (Answer::Sat, Some(Answer::Unsat), [does_not, does_not]),
            (Answer::Unsat, Some(Answer::Sat), [does_not, holds]),
            (Answer::Unsat, Some(Answer::Unsat), [does_not, does_not]),
            (Answer::Unsat, Some(unknown()), [does_not, open]),
            (oom(), Some(Answer::Sat), [open, open]),
            (unknown(), Some(unknown()), [does_not, open]),
            (unknown(), Some(oom()), [open, open]),
            (Answer::Sat, Some(oom()), [does_not, does_not]),
            (unknown(), None, [open, open]),
        ] {
            let what = String::new();
            let before = before.map(|answer| Before {
                answer,
                expected: Status::Sat,
                what,
                universal: false,
            });
            let o = Observation { before, ..plain(now) };
            assert_eq!(relations.map(|class| class.shown(&o, None)), expect, "{o:?}");
        }
        let excused = Observation { excused: true, ..plain(unknown()) };
        assert_eq!(Class::IncompletenessRegression.shown(&excused, None), open);
        // A model that rests on an open value, of which the solver's own checker complains, and which another solver completes.
        let voice = Voice {
            solver: "cvc5".into(),
            family: "cvc5".into(),
            shared: Vec::new(),
            answer: Status::Sat,
            proven: true,
        };
        let completed = Observation {
            model: Some(ModelVerdict::Unspecified("it".into())),
            complaint: Some(Complaint { about: Checked::Model, text: "bad".into() }),
            pinned: Some(Pinned { own: None, others: vec![voice] }),
            ..plain(Answer::Sat)
        };
        let alarm = Some(Class::FalseAlarm);
        assert_eq!((Class::InvalidModel.row().rather)(&completed), alarm);
        assert_eq!(Class::FalseAlarm.shown(&completed, None), holds);
        let open = Observation { pinned: None, ..completed };
        assert_eq!((Class::InvalidModel.row().rather)(&open), None);
        assert_eq!(Class::FalseAlarm.shown(&open, None), Says::Open);
        let crash = |code| plain(Answer::Crash(Crash { kind: CrashKind::FatalExit(code) }));
        assert_eq!(Class::Crash.shown(&crash(3), Some(&crash(3))), Says::Holds);
        assert_eq!(Class::Crash.shown(&crash(3), Some(&crash(4))), Says::Other(Class::Crash));
        for (core, expect) in [
            (CoreVerdict::RefutedBy("it".into()), Says::Holds),
            (CoreVerdict::Stands, Says::DoesNot),
            (CoreVerdict::Open, Says::Open),
        ] {
            let o = Observation { core: Some(core), ..plain(Answer::Unsat) };
            assert_eq!(Class::InvalidCore.shown(&o, None), expect);
        }
    }
}
