//! From a contradiction to a finding, or to a note.

use smelt_case::Expectation;
use smelt_smtlib::{LogicChoice, PrintOptions, Script, comment, parse, print};
use smelt_solver::{Answer, Crash, Mode, Outcome, RunError};
use smelt_strategy::recheck::{Recheck, recheck};
use smelt_triage::{Class, Diagnosis, Evidence, FollowUp, Observation, Says, TargetId, Truth};
use smelt_trial::Target;
use smelt_trial::bench::{Bench, Run};
use smelt_trial::content::Content;
use smelt_trial::court::{Candidate, Confirmed, Court, Met, Related, Ruling, output};
use smelt_trial::reproducer::{Scripts, Terms};

use super::Hand;
use crate::apart::Apart;
use crate::finding;
use crate::policy::Policy;
use crate::source::{Case, Done};

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

impl Hand<'_> {
    /// Confirms one accusation and keeps it.
    pub(super) fn pursue(
        &mut self,
        bench: &Bench<'_>,
        case: &Case<'_>,
        s: Suspicion<'_>,
        done: &mut Done,
    ) -> Result<(), RunError> {
        self.spent = self.charge(bench);
        let apart = Apart::begin();
        let ended = self.pursue_whole(bench, case, s, done);
        self.meter.apart += apart.end(self.engine.control);
        ended
    }

    /// Confirms one accusation and those that are met on the way, and keeps them.
    fn pursue_whole(
        &mut self,
        bench: &Bench<'_>,
        case: &Case<'_>,
        s: Suspicion<'_>,
        done: &mut Done,
    ) -> Result<(), RunError> {
        let run = s.run;
        let mut crashed = self.pursue_one(bench, case, s, done)?;
        // Crashes that were met on the way are another matter, whoever it was.
        crashed.retain(|met| self.engine.reports(met.who, Class::Crash));
        for Met { who, crash, mode, script, check } in crashed {
            let evidence = Evidence::Observed(crash.to_string());
            let seen = self.engine.plan.panel.get(who).said(Answer::Crash(crash), None);
            let diagnosis = Diagnosis::new(&seen, Class::Crash, evidence);
            let outcome = Outcome { warm: false, ..run.outcome.clone() };
            let run = Run { who, mode, outcome, moment: run.moment };
            let on = Some(&script);
            // What is known of the case need not hold of another script, such as the one before the step.
            let truth = Truth::default();
            let s = Suspicion { truth, seen: &seen, diagnosis, check, run: &run, on };
            self.pursue_one(bench, case, s, done)?;
        }
        Ok(())
    }

    /// Confirms one accusation and keeps it; gives crashes that were met on the way to something else.
    fn pursue_one(
        &mut self,
        bench: &Bench<'_>,
        case: &Case<'_>,
        suspicion: Suspicion<'_>,
        done: &mut Done,
    ) -> Result<Vec<Met>, RunError> {
        let engine = self.engine;
        let Some((key, likely)) = self.kind(case, &suspicion) else { return Ok(Vec::new()) };
        if !engine.worth_trying(&mut self.looks, &key) {
            return Ok(Vec::new());
        }
        let Suspicion { diagnosis: d, check, on, .. } = &suspicion;
        let mut truth = suspicion.truth;
        // What was sent must be what is judged; what ends a process does so on any text.
        if !d.class.row().ends && !self.reprint(case.script) {
            return Ok(Vec::new());
        }
        let candidate = candidate(bench, case, &suspicion);
        // A witness is checked once more, apart from the strategy that made it, before it proves anything.
        if truth.witness && !matches!(recheck(case.script, &case.expect), Recheck::Agrees(_)) {
            truth.witness = false;
        }
        let plan = engine.plan;
        let cancel = &engine.control.cancel_all;
        let court = Court::new(&plan.panel, plan.config.court_limit(), &plan.wanted, cancel);
        let ruling = court.confirm(on.unwrap_or(case.script), truth, &candidate)?;
        let met = court.met();
        let tally = || engine.control.tally();
        let mut confirmed = match ruling {
            Ruling::Confirmed(confirmed) => *confirmed,
            Ruling::RuleRefuted(model) => {
                done.refuted = true;
                tally().total.own_errors += 1;
                self.quarantine(case, *check, &format!("a model of its neighbour: {model}"));
                return Ok(met);
            }
            // What fresh processes repeat is there, even if nobody can say who is right.
            Ruling::Vanished if d.is_reportable() => {
                done.accused.retain(|accused| *accused != (d.who, d.class));
                engine.in_vain(&mut self.looks, key);
                tally().total.vanished += 1;
                return Ok(met);
            }
            Ruling::Vanished | Ruling::Unsettled => {
                engine.in_vain(&mut self.looks, key);
                tally().total.unsettled += 1;
                self.note_unsettled(case, &suspicion);
                return Ok(met);
            }
        };
        if plan.config.policy() == Policy::Compare && self.base_too(&mut confirmed)? {
            engine.in_vain(&mut self.looks, key);
            tally().total.same_on_base += 1;
            return Ok(met);
        }
        if !d.is_reportable() {
            done.accused.push((d.who, confirmed.class()));
        }
        let made_with = match case.expect.get(*check) {
            Some(Expectation::Sat(Some(model))) if truth.witness => Some(model.as_ref()),
            _ => None,
        };
        let made = finding::Made {
            origin: case.origin,
            seeds: case.seeds,
            original: case.script,
            what: &case.what,
            witness: made_with,
        };
        // What looks like a bug that is known is in vain until its fingerprint says otherwise.
        if !self.keep(&made, confirmed, &key) || likely {
            engine.in_vain(&mut self.looks, key);
        }
        Ok(met)
    }

    /// What suspicions are alike: a crash tells its signature at once, others are when solver, class and kin are; and whether it is likely a bug
    /// that was found before. `None` if it is known.
    fn kind(&self, case: &Case<'_>, s: &Suspicion<'_>) -> Option<(String, bool)> {
        let (d, accused) = (&s.diagnosis, s.run.who);
        let target = self.engine.plan.panel.get(accused);
        let TargetId(number) = accused;
        let kin = case.origin.kin();
        let Some(crash) = s.seen.crash().filter(|_| d.class.row().ends) else {
            let weak = !d.is_reportable();
            // Whatever it was made of, it is likely a bug that is known.
            let script = s.on.unwrap_or(case.script);
            if let Some(bug) = self.engine.likely(target, d.class, script).filter(|_| !weak) {
                return Some((format!("{number} {bug}"), true));
            }
            return Some((format!("{number} {} {weak} {kin}", d.class.word()), false));
        };
        let profile = &target.solver.profile().name;
        let signature = format!("{profile} {}: {}", d.class.word(), crash.signature());
        if self.engine.is_known(&target.label, &signature) {
            return None;
        }
        // A bare signal is the same for many bugs: only the frames tell them apart, and they are not known yet.
        let kin = if crash.is_bare() { kin } else { "" };
        Some((format!("{number} {signature} {kin}"), false))
    }

    /// Writes a finding down, unless it is known; true if it is new.
    fn keep(&self, made: &finding::Made<'_>, confirmed: Confirmed, kind: &str) -> bool {
        let plan = self.engine.plan;
        let version = plan.panel.get(confirmed.seen[0].who).solver.version();
        let mut contents = finding::contents(&plan.panel, made, confirmed);
        if !plan.config.keep_seeds {
            contents.seeds.clear();
        }
        contents.finding.position = Some(self.position);
        contents.finding.spent = Some(self.spent);
        let f = &contents.finding;
        if plan.known.find(&f.accused.profile, version, f.class(), &f.signature).is_some() {
            self.engine.control.tally().total.suppressed += 1;
            return false;
        }
        self.engine.keep(contents, kind)
    }

    /// Whether the base does the same in the same mode, or does not take the script: then the new build is not worse. A base that
    /// does not come to the end of a session is asked for the script alone, and the report says so.
    fn base_too(&self, found: &mut Confirmed) -> Result<bool, RunError> {
        let panel = &self.engine.plan.panel;
        let base = &panel.targets()[0];
        let row = found.class().row();
        if !base.takes(&Content::of(&found.script)) {
            return Ok(true);
        }
        if row.regression {
            return Ok(false);
        }
        let mut reproducer = found.reproducer.clone();
        reproducer.crash = found.seen[0].crash().map(Crash::signature);
        let before = found.before.as_ref().filter(|_| row.asks(FollowUp::Before));
        let before = before.and_then(|t| parse(t.as_bytes()).ok());
        // What needs a session is the end of its transcript, for the base as for the accused.
        let transcript = found.transcript();
        let mut scripts = Scripts { script: &found.script, transcript, before: before.as_ref() };
        let terms = Terms {
            frames: true,
            then: Some(&found.seen[0]),
            ..Terms::new(self.engine.plan.config.court_limit(), &self.engine.control.cancel_all)
        };
        let mut shown = reproducer.shows(panel, base.id(), &scripts, &terms)?;
        // What breaks off before the script is no excuse: the script alone must show it then.
        let broken_off = transcript.is_some() && shown.outcome.is_none();
        if broken_off {
            scripts.transcript = None;
            shown = reproducer.shows(panel, base.id(), &scripts, &terms)?;
        }
        let unanswered = match &shown.outcome {
            Some(outcome) if row.ends => outcome.checks.is_empty(),
            _ => shown.seen.is_none(),
        };
        if broken_off {
            let text = "It does not come to the end of the session. The script alone:\n";
            let said = shown.outcome.as_ref().map(output).unwrap_or_default();
            found.outputs.push((format!("{} alone", base.label), text.to_owned() + &said));
        }
        Ok(shown.says == Says::Holds || unanswered)
    }

    /// Keeps a disagreement that nobody could settle, one per seed and solver, for people to look at.
    fn note_unsettled(&self, case: &Case<'_>, s: &Suspicion<'_>) {
        let d = &s.diagnosis;
        if matches!(d.evidence, Evidence::Label) {
            return;
        }
        let text = print(
            s.on.unwrap_or(case.script),
            &PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() },
        );
        let target = self.engine.plan.panel.get(s.run.who);
        let head = comments(&[
            d.to_string(),
            format!("{} of {}", case.what, case.origin.made_of()),
            format!("check {}; {}", s.check + 1, s.run.mode),
            format!("command: {}", s.run.outcome.command.join(" ")),
            format!("again: smelt check FILE --solver {}", again(target, &s.run.mode)),
        ]);
        let name: String =
            format!("{}-{}", d.class.word(), &smelt_case::digest(text.as_bytes())[..8]);
        self.engine.shelf.note("unsettled", &name, &(head + &text));
    }

    /// What smelt expected is wrong: nobody is accused, and the case is kept for us to look at.
    pub(super) fn quarantine(&self, case: &Case<'_>, check: usize, by: &str) {
        self.engine.control.tally().total.quarantined += 1;
        let text = print(
            case.script,
            &PrintOptions { logic: LogicChoice::Smallest, ..PrintOptions::default() },
        );
        let maker = case.origin.maker();
        let head = comments(&[
            format!("check {}: the expectation of {maker} is refuted by {by}", check + 1),
            format!("seed {}", case.origin.made_of()),
            case.what.to_string(),
        ]);
        let name = smelt_case::digest(text.as_bytes())[..12].to_owned();
        self.engine.shelf.note("quarantine", &name, &(head + &text));
    }
}

/// Lines of comments, one for each text.
fn comments(texts: &[String]) -> String {
    texts.iter().map(|text| format!("; {}\n", comment(text))).collect()
}

/// How a solver is named so that it runs with the options of a mode.
fn again(target: &Target, mode: &Mode) -> String {
    let mut options = mode.options.clone();
    if mode.self_check {
        options.extend(target.solver.profile().self_check_args.iter().cloned());
    }
    match options.is_empty() {
        true => format!("'{}'", target.spec),
        false => format!("'{}:{}'", target.spec, options.join(" ")),
    }
}

/// What the court is to look at.
fn candidate(bench: &Bench<'_>, case: &Case<'_>, s: &Suspicion<'_>) -> Candidate {
    let Suspicion { seen, diagnosis: d, check, run, .. } = s;
    // The script must be the end of what was sent, or answers are taken for those to other checks.
    let whole = d.class.row().ends || run.outcome.checks.len() == case.script.queries().len();
    let transcript = bench.transcript(run).filter(|_| whole).unwrap_or_default();
    let related = case.before.zip(case.expected()).map(|(b, expected)| Related {
        text: b.text.clone(),
        expected,
        // A step ends with the name of its rule.
        rule: case.what.rsplit(' ').next().unwrap_or_default().to_owned(),
        parameters: case.origin.recipe().map_or_else(Vec::new, |r| r.parameters.clone()),
    });
    Candidate {
        accused: run.who,
        class: d.class,
        check: *check,
        mode: run.mode.clone(),
        transcript: transcript.to_owned(),
        seen: (*seen).clone(),
        model: run.outcome.checks.get(*check).and_then(|c| c.model.clone()),
        before: related,
    }
}
