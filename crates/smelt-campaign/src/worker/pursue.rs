//! From a contradiction to a finding, or to a note.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::time::Duration;

use smelt_case::Expectation;
use smelt_smtlib::flatten;
use smelt_smtlib::{LogicChoice, PrintOptions, Script, print};
use smelt_solver::Mode;
use smelt_solver::{Answer, Outcome, RunError, Verdict};
use smelt_strategy::recheck::{Recheck, recheck};
use smelt_triage::{Class, Diagnosis, Evidence, Grade, ModelVerdict, Observation, Says, Truth};
use smelt_trial::Target;
use smelt_trial::content::Content;
use smelt_trial::core;
use smelt_trial::court::{Candidate, Confirmed, Court, Met, Witness, output};
use smelt_trial::reproducer::{Reproducer, Scripts, Sought};

use super::{Run, Test, Worker};
use crate::finding;
use crate::tally::bump;

/// What is held against a solver.
pub(super) struct Suspicion<'s> {
    pub truth: Truth,
    pub seen: &'s Observation,
    pub diagnosis: Diagnosis,
    pub check: usize,
    pub run: &'s Run,
    /// The script that shows it, if not that of the test.
    pub on: Option<&'s Script>,
}

impl Worker<'_> {
    /// Confirms one accusation and keeps it; gives the number of new findings.
    pub(super) fn pursue(&mut self, test: &Test<'_>, s: Suspicion<'_>) -> Result<u32, RunError> {
        let mut crashed = Vec::new();
        let Suspicion { truth, run, .. } = s;
        let mut found = u32::from(self.pursue_one(test, s, &mut crashed)?);
        // Crashes that were met on the way are another matter, whoever it was.
        crashed.retain(|met| self.campaign.reports(met.target, Class::Crash));
        for Met { target, crash, mode, script, check } in crashed {
            let who = &self.campaign.targets[target];
            let evidence = Evidence::Observed(crash.to_string());
            let diagnosis = Diagnosis { solver: who.label.clone(), class: Class::Crash, evidence };
            let seen = Observation::new(&who.label, who.family(), Answer::Crash(crash), None);
            let outcome = Outcome { warm: false, ..run.outcome.clone() };
            let run = Run { target, mode, outcome, moment: run.moment };
            let on = Some(&script);
            let s = Suspicion { truth, seen: &seen, diagnosis, check, run: &run, on };
            found += u32::from(self.pursue_one(test, s, &mut Vec::new())?);
        }
        Ok(found)
    }

    /// The same; true if it is a new finding. Crashes on the way to something else are told of.
    fn pursue_one(
        &mut self,
        test: &Test<'_>,
        suspicion: Suspicion<'_>,
        crashed: &mut Vec<Met>,
    ) -> Result<bool, RunError> {
        let Suspicion { mut truth, seen, diagnosis: d, check, run, on } = suspicion;
        let c = self.campaign;
        let accused = run.target;
        // A crash tells its signature at once; other suspicions are alike when solver, class and seed are.
        let profile = &c.targets[accused].solver.profile().name;
        let weak = d.evidence.grade() == Grade::Weak;
        let key = match seen.crash() {
            Some(crash) if d.class == Class::Crash => {
                let signature = format!("{profile} {}: {}", d.class.word(), crash.signature());
                if c.is_known(&c.targets[accused].label, &signature) {
                    c.duplicate(&signature);
                    return Ok(false);
                }
                // A bare signal is the same for many bugs: only the frames tell them apart, and they are not known yet.
                let seed = if crash.is_bare() { &*test.recipe.seeds[0].hash } else { "" };
                format!("{accused} {signature} {seed}")
            }
            _ => format!("{accused} {} {weak} {}", d.class.word(), test.recipe.seeds[0].hash),
        };
        if !c.worth_trying(&key) {
            return Ok(false);
        }
        // What was sent must be what is judged; a crash is one on any text.
        if d.class != Class::Crash && !self.reprint(test.script) {
            return Ok(false);
        }
        let targets: Vec<&Target> = c.targets.iter().collect();
        let arbiters: Vec<&Target> = c.arbiters.iter().collect();
        let court = Court {
            targets: &targets,
            arbiters: &arbiters,
            cpu: (c.config.most() * 2).max(Duration::from_secs(5)),
            slowness: &c.slowness,
            cancel: &c.control.cancel_all,
            repeated: Cell::new(false),
            crashed: RefCell::new(Vec::new()),
        };
        let crash = seen.crash().filter(|_| d.class == Class::Crash).cloned();
        // The script must be the end of what was sent, or answers are taken for those to other checks.
        let whole =
            d.class == Class::Crash || run.outcome.checks.len() == test.script.queries().len();
        let transcript = self.transcript(run).filter(|_| whole).unwrap_or_default().to_owned();
        let candidate = Candidate {
            accused,
            class: d.class,
            check,
            transcript,
            mode: run.mode.clone(),
            before: test.before.map(|b| b.text.clone()),
            crash,
            model: None,
        };
        // A witness is checked once more, apart from the strategy that made it, before it proves anything.
        if truth.witness && !matches!(recheck(test.script, &test.expect), Recheck::Agrees(_)) {
            truth.witness = false;
        }
        let mut confirmed = None;
        for (script, candidate) in attempts(test, seen, &candidate, run, on) {
            confirmed = court.confirm(&script, truth, &candidate)?;
            if confirmed.is_some() {
                break;
            }
        }
        // A contradiction whose `sat` turns out to have a true model is a wrong `unsat` of the check alone.
        if let Some(c) =
            confirmed.as_ref().filter(|c| c.diagnosis.class == Class::SelfContradiction)
            && let (Some(ModelVerdict::True), Some(Witness::Printed(_, text))) =
                (&c.seen[0].model, &c.witness)
            && let Some((flat, alone)) = alone(test, seen, &candidate, run, Some(text.clone()))
            && let Some(proven) = court.confirm(&flat, truth, &alone)?
        {
            confirmed = Some(proven);
        }
        *crashed = court.crashed.take();
        let Some(mut confirmed) = confirmed else {
            c.in_vain(key);
            let mut stats = c.stats();
            // What fresh processes repeat is there, even if nobody can say who is right.
            if weak || court.repeated.get() {
                stats.unsettled += 1;
                drop(stats);
                self.note_unsettled(test, &d);
            } else {
                stats.vanished += 1;
            }
            return Ok(false);
        };
        if c.config.compare && self.base_too(&mut confirmed)? {
            c.in_vain(key);
            c.stats().same_on_base += 1;
            return Ok(false);
        }
        let made_with = match test.expect.get(check) {
            Some(Expectation::Sat(Some(model))) if truth.witness => Some(model.as_ref()),
            _ => None,
        };
        let made = finding::Made {
            recipe: test.recipe,
            seeds: test.seeds,
            original: test.script,
            what: &test.what,
            witness: made_with,
            before: candidate.before.as_deref(),
        };
        let contents = finding::contents(c, &made, accused, confirmed);
        let f = &contents.finding;
        let version = c.targets[accused].solver.version();
        if c.known.find(&f.profile, version, f.class, &f.signature).is_some() {
            c.stats().suppressed += 1;
            c.in_vain(key);
            return Ok(false);
        }
        let new = c.keep(contents);
        if !new {
            c.in_vain(key);
        }
        Ok(new)
    }

    /// Whether the base does the same in the same mode, or does not take the script: then the new build is not worse. A base that
    /// does not come to the end of a session is asked for the script alone, and the report says so.
    fn base_too(&self, found: &mut Confirmed) -> Result<bool, RunError> {
        let base = &self.campaign.targets[0];
        if !base.takes(&Content::of(&found.script)) {
            return Ok(true);
        }
        let class = found.diagnosis.class;
        // Such a diagnosis itself rests on what the base says.
        if matches!(class, Class::IncompletenessRegression | Class::PerformanceRegression) {
            return Ok(false);
        }
        let new = &found.seen[0];
        let judges: Vec<&Target> = self.campaign.targets.iter().collect();
        let reproducer = Reproducer {
            class,
            mode: &found.mode,
            check: found.check,
            crash: new.crash().map_or(Sought::Any, Sought::Like),
            then: Some(new),
            frames: true,
            cpu: (self.campaign.config.most() * 2).max(Duration::from_secs(5)),
            cancel: &self.campaign.control.cancel_all,
            judges: &judges,
        };
        // What needs a session is the end of its transcript, for the base as for the accused.
        let transcript = found.session_dependent.then_some(found.text.as_str());
        let mut scripts = Scripts { script: &found.script, transcript, before: None };
        let mut shown = reproducer.shows(base, &scripts)?;
        // What breaks off before the script is no excuse: the script alone must show it then.
        if let (Some(_), None) = (transcript, &shown.outcome) {
            scripts.transcript = None;
            shown = reproducer.shows(base, &scripts)?;
            let text = "It does not come to the end of the session. The script alone:\n";
            let said = shown.outcome.as_ref().map(output).unwrap_or_default();
            found.outputs.push((format!("{} alone", base.label), text.to_owned() + &said));
        }
        let unanswered = match class {
            Class::Crash => shown.outcome.is_none_or(|o| o.checks.is_empty()),
            _ => shown.seen.is_none(),
        };
        Ok(shown.says == Says::Holds || unanswered)
    }

    /// Keeps a disagreement that nobody could settle, one per seed and solver, for people to look at.
    fn note_unsettled(&self, test: &Test<'_>, d: &Diagnosis) {
        if matches!(d.evidence, Evidence::Label) {
            return;
        }
        let text = print(
            test.script,
            &PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() },
        );
        let head = format!("; {d}\n; {}\n", test.what.replace('\n', " "));
        let name: String =
            format!("{}-{}", d.class.word(), &smelt_case::digest(text.as_bytes())[..8]);
        self.campaign.folder.note("unsettled", &name, &(head + &text));
    }

    /// What smelt expected is wrong: nobody is accused, and the case is kept for us to look at.
    pub(super) fn quarantine(&self, test: &Test<'_>, check: usize) {
        let c = self.campaign;
        c.stats().quarantined += 1;
        c.slots[test.slot].settle(None);
        bump(&mut c.stats().skipped, "its status or a rule was refuted".to_owned());
        let text = print(
            test.script,
            &PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() },
        );
        let head = format!(
            "; check {}: the expectation of {} is refuted by a true model\n; seed {}\n; {}\n",
            check + 1,
            test.recipe.strategy,
            test.recipe.seeds[0].name,
            test.what.replace('\n', " ")
        );
        let name = smelt_case::digest(text.as_bytes())[..12].to_owned();
        c.folder.note("quarantine", &name, &(head + &text));
    }
}

/// What is to be confirmed of a candidate, on which script: the first that can be shown is the finding.
fn attempts<'t>(
    test: &'t Test<'_>,
    seen: &Observation,
    candidate: &Candidate,
    run: &Run,
    on: Option<&'t Script>,
) -> Vec<(Cow<'t, Script>, Candidate)> {
    let whole = || Cow::Borrowed(&*test.script);
    let accuse = |class, c: Candidate| Candidate { class, ..c };
    match candidate.class {
        Class::InvalidCore => vec![(Cow::Owned(core::named(test.script)), candidate.clone())],
        Class::SelfContradiction => {
            // One of the two answers is wrong: is it the one to the script, the one to the check alone, or is it not known?
            let mut out = Vec::new();
            if let Some(own) = seen.answer.decided() {
                out.push((whole(), accuse(soundness(own), candidate.clone())));
            }
            let model = run.outcome.checks.get(candidate.check).and_then(|c| c.model.clone());
            let flat = alone(test, seen, candidate, run, model);
            out.extend(flat.map(|(script, candidate)| (Cow::Owned(script), candidate)));
            out.push((whole(), candidate.clone()));
            out
        }
        _ => vec![(on.map_or_else(whole, Cow::Borrowed), candidate.clone())],
    }
}

/// The check alone, and the accusation that its answer is the wrong one of a contradiction.
fn alone(
    test: &Test<'_>,
    seen: &Observation,
    candidate: &Candidate,
    run: &Run,
    model: Option<String>,
) -> Option<(Script, Candidate)> {
    let query = test.script.queries().into_iter().nth(candidate.check)?;
    let alone = Candidate {
        class: soundness(seen.flat.as_ref()?.answer),
        check: 0,
        transcript: String::new(),
        mode: Mode { cores: false, push_pop: false, ..run.mode.clone() },
        model,
        ..candidate.clone()
    };
    Some((flatten(test.script, &query), alone))
}

/// What a wrong answer is.
fn soundness(v: Verdict) -> Class {
    match v {
        Verdict::Sat => Class::SolutionSoundness,
        _ => Class::RefutationSoundness,
    }
}
