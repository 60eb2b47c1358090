//! Who is wrong, by what several solvers say.

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

/// An old release against a later one of its own and another family: mended, and two families agree.
#[test]
fn what_a_later_release_says_otherwise() {
    let check = |answers: [&str; 3], partial: bool, expect: &str| {
        let names = ["z3@1", "z3@2", "cvc5@1"];
        let seen: Vec<Observation> = names
            .iter()
            .zip(answers)
            .enumerate()
            .map(|(i, (name, answer))| Observation { who: TargetId(i), ..see(name, answer, None) })
            .collect();
        let older = vec![(TargetId(0), TargetId(1))];
        let wanted = Wanted { older, ..Wanted::default() };
        let truth = Truth { partial, ..Truth::default() };
        let all = super::diagnose(&seen, truth, &wanted);
        let said: Vec<String> =
            all.iter().filter(|d| d.is_reportable()).map(ToString::to_string).collect();
        assert_eq!(said.join("; "), expect, "{answers:?}");
    };
    let mended = "fixed since z3@2; two families agree: cvc5@1 and z3@2 say the opposite";
    let sat = "z3@1: solution soundness (sat on an unsatisfiable script)";
    let unsat = "z3@1: refutation soundness (unsat on a satisfiable script)";
    check(["sat", "unsat", "unsat"], false, &format!("{sat} (strong: {mended})"));
    check(["unsat", "sat", "sat"], false, &format!("{unsat} (strong: {mended})"));
    // Where the standard leaves something open; where the later release sides with the old one, or says nothing; where it is
    // the later one that is alone.
    check(["sat", "unsat", "unsat"], true, "");
    check(["sat", "sat", "unsat"], false, "");
    check(["sat", "unknown", "unsat"], false, "");
    check(["sat", "unsat", "sat"], false, "");
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
            "z3@1: solution soundness (sat on an unsatisfiable script) (proven: smelt tried every value, or every case, and finds no model)",
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
        &[
            "z3@1: invalid model (strong: its own checker says \"invalid model\", and smelt's evaluator finds the model false that it gives where the checker is off)",
        ],
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
        &["z3@1: invalid unsat core (strong: its own checker says \"produced satisfiable core\")"],
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
            &["z3@1: invalid proof (strong: its own checker says \"ProofChecker::check: failed\")"],
        );
    }
    // Whoever finds no model has none that could be bad.
    for answer in ["unsat", "?"] {
        check(&[complaint_on(answer, Checked::Model, "an invalid model was generated")], t, &[]);
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
            "z3@1: solution soundness (sat on an unsatisfiable script) (proven: smelt tried every value, or every case, and finds no model)",
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
        (Observation::new(TargetId(0), "z3@1", "z3", Answer::Crash(crash), None), Truth::default()),
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
        let o = Observation::new(TargetId(0), "z3@1", "z3", Answer::Crash(Crash { kind }), None);
        !diagnose(&[o], Truth::default()).is_empty()
    };
    let signal = |signal| CrashKind::Signal { signal, frames: Vec::new() };
    for (n, expect) in [(1, false), (2, false), (6, true), (11, true), (13, false), (15, false)] {
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
