//! One hearing: the accused, its peers and, if they leave it open, arbiters, each in a fresh process.

use smelt_eval::{Exhausted, Limits as EvalLimits, exhaust, model_text};
use smelt_smtlib::{Query, Script};
use smelt_solver::{Answer, Crash, Exit, Mode, Outcome, RunError, Status};
use smelt_triage::{
    Class, Diagnosis, Evidence, FollowUp, Grade, ModelVerdict, Observation, TargetId, Truth,
    diagnose, leaves_open,
};

use super::confirmed::{Confirmed, Witness, output};
use super::{Attempt, Court};
use crate::content::Content;
use crate::follow_up::{Ask, Asked, flat};
use crate::reproducer::{Reproducer, Scripts, Shown, Terms, standard_text};
use crate::shrink::plain;
use crate::target::Target;

/// What a hearing gathers.
struct Hearing<'h> {
    accused: &'h Target,
    check: usize,
    truth: Truth,
    /// What was seen of the check, the accused first.
    seen: Vec<Observation>,
    outputs: Vec<(String, String)>,
    witness: Option<Witness>,
}

impl Hearing<'_> {
    /// Notes a model that is true, unless there is one.
    fn note(&mut self, who: TargetId, model: Option<&ModelVerdict>, text: Option<&String>) {
        if let (Some(ModelVerdict::True), Some(text), None) = (model, text, &self.witness) {
            self.witness = Some(Witness::Printed(who, text.clone()));
        }
    }
}

impl Court<'_> {
    /// Runs everybody afresh: does the accusation stand with evidence that may be reported?
    pub(super) fn hear(
        &self,
        a: &Attempt,
        truth: Truth,
        mode: &Mode,
    ) -> Result<Option<Confirmed>, RunError> {
        self.hear_in(a, truth, mode, false)
    }

    /// A hearing in which the accused is given the transcript of its session, which ends with the script.
    pub(super) fn hear_session(
        &self,
        a: &Attempt,
        truth: Truth,
    ) -> Result<Option<Confirmed>, RunError> {
        self.hear_in(a, truth, &a.mode, true)
    }

    fn hear_in(
        &self,
        a: &Attempt,
        truth: Truth,
        mode: &Mode,
        session: bool,
    ) -> Result<Option<Confirmed>, RunError> {
        let row = a.class.row();
        let accused = self.panel.get(a.accused);
        let mut script = a.script.clone();
        let Some(query) = script.queries().into_iter().nth(a.check) else { return Ok(None) };
        let scripts = Scripts {
            script: &a.script,
            transcript: session.then_some(&*a.transcript),
            before: a.before.as_ref().map(|(s, _)| s),
        };
        let terms = Terms { met: (!session).then_some(&self.met), ..self.terms() };
        let mut reproducer = a.reproducer(mode, session);
        let Shown { text, outcome: Some(outcome), seen: Some(mut own), beside, .. } =
            reproducer.shows(self.panel, a.accused, &scripts, &terms)?
        else {
            return Ok(None);
        };
        if !(row.suspect)(&own) || !a.is_sought(&own) {
            return Ok(None);
        }
        self.repeated.set(true);
        if row.ends && own.own_crash().is_none() {
            // It is looked at as the end of a process, whatever its checker means by it.
            own.complaint = None;
        }
        if row.asks(FollowUp::Unchecked) && is_idle(&own, &outcome, session, &script, &query) {
            return Ok(None);
        }
        let values =
            beside.as_ref().filter(|_| own.pinned.is_some()).map(|asked| asked.text.clone());
        let mut alone = beside.filter(|_| row.asks(FollowUp::Flat));
        if row.proof == Some(FollowUp::Flat) && flat::is_comparable(&script, &query) {
            alone = flat::flat(&mut self.fresh(), &mut script, &query, mode, &mut own)?;
        }
        let (truth, tried) = exhausted(truth, &script, &query);
        let class = (row.rather)(&own).unwrap_or(a.class);
        let outputs = vec![(accused.label.clone(), output(&outcome))];
        let mut h =
            Hearing { accused, check: a.check, truth, seen: vec![own], outputs, witness: None };
        self.own_words(&mut h, a, &outcome, alone.as_ref(), &mut script, &query);
        // What others say of the script says nothing of a process that ended behind other scripts.
        if !(session && row.ends) {
            self.ask_others(&mut h, class, &mut script)?;
        }
        let Some(verdicts) = self.verdicts(&h, class) else { return Ok(None) };
        let found = verdicts.iter().any(|d| d.evidence == Evidence::FoundModel);
        if let (true, Some(Exhausted::Sat(model))) = (found, tried) {
            h.witness = Some(Witness::Found(model));
        }
        self.complete(&mut reproducer, class, &h, &verdicts, &mut script);
        Ok(Some(Confirmed {
            reproducer,
            verdicts,
            script,
            foreign: a.foreign,
            totalised: a.totalised,
            text,
            rate: (1, 1),
            outcome,
            seen: h.seen,
            outputs: h.outputs,
            witness: h.witness,
            flat: alone.filter(|_| row.asks(FollowUp::Flat)).map(|f| f.text),
            before: a.before.as_ref().map(|(s, _)| plain(s)),
            values,
        }))
    }

    /// What the accused itself says for the same assertions: its model, the check alone, a script that implies this one.
    fn own_words(
        &self,
        h: &mut Hearing<'_>,
        a: &Attempt,
        outcome: &Outcome,
        alone: Option<&Asked>,
        script: &mut Script,
        query: &Query,
    ) {
        let own = h.seen[0].clone();
        let printed = outcome.checks.get(a.check).and_then(|c| c.model.as_ref());
        h.note(a.accused, own.model.as_ref(), printed);
        if let (Some(flat), Some(asked)) = (&own.flat, alone) {
            let printed = asked.outcome.checks.first().and_then(|c| c.model.as_ref());
            h.note(a.accused, flat.model.as_ref(), printed);
            if Some(flat.answer) != own.answer.decided() {
                let name = format!("{} flat", h.accused.label);
                h.outputs.push((name, output(&asked.outcome)));
            }
        }
        if let Some((text, on)) = &a.model {
            let verdict = h.accused.judge(script, query, text, EvalLimits::default());
            if verdict == ModelVerdict::True {
                h.note(a.accused, Some(&verdict), Some(text));
                let mut elsewhere = h.accused.said(Answer::Sat, Some(verdict));
                elsewhere.solver = format!("{} {on}", h.accused.label);
                h.seen.push(elsewhere);
            }
        }
    }

    /// Asks the other solvers under test, and arbiters as long as those leave it open.
    fn ask_others(
        &self,
        h: &mut Hearing<'_>,
        class: Class,
        script: &mut Script,
    ) -> Result<(), RunError> {
        let accused = h.accused.id();
        for peer in self.panel.all().filter(|p| p.id() != accused) {
            let proven = |all: Vec<Diagnosis>| {
                all.iter().any(|d| d.class == class && d.evidence.grade() == Grade::Proven)
            };
            if !self.panel.is_tested(peer.id()) && self.verdicts(h, class).is_some_and(proven) {
                break;
            }
            if !peer.takes(&Content::of(script)) {
                continue;
            }
            let mut run = self.fresh().ask(peer.id(), script, &Mode::plain(), None)?;
            if h.check >= run.seen.len() {
                continue;
            }
            let one = run.seen.swap_remove(h.check);
            h.note(peer.id(), one.model.as_ref(), run.outcome.checks[h.check].model.as_ref());
            h.outputs.push((peer.label.clone(), output(&run.outcome)));
            h.seen.push(one);
        }
        Ok(())
    }

    /// What may be reported of the accused, the worst first. `None` if the class that is asked about is not among them.
    fn verdicts(&self, h: &Hearing<'_>, class: Class) -> Option<Vec<Diagnosis>> {
        let mut all = diagnose(&h.seen, h.truth, self.wanted);
        all.retain(|d| d.who == h.accused.id() && d.is_reportable());
        // The end of a process is a fault of its own, whatever was answered before it.
        all.sort_by_key(|d| (class.row().ends && d.class != class, d.class));
        all.dedup_by_key(|d| d.class);
        all.iter().any(|d| d.class == class).then_some(all)
    }

    /// Writes down what the hearing has shown of the fault.
    fn complete(
        &self,
        reproducer: &mut Reproducer,
        class: Class,
        h: &Hearing<'_>,
        verdicts: &[Diagnosis],
        script: &mut Script,
    ) {
        let (row, own) = (class.row(), &h.seen[0]);
        reproducer.class = class;
        if row.ends {
            reproducer.crash = own.crash().map(Crash::signature);
        }
        reproducer.witness = h.witness.as_ref().and_then(|w| self.standard_text(w, script));
        let verdict = verdicts.iter().find(|d| d.class == class);
        let reference = verdict.and_then(|d| d.reference);
        if let Some(p) = h.seen.iter().find(|p| Some(p.who) == reference) {
            reproducer.reference = Some(self.panel.get(p.who).spec.clone());
            let times = own.cpu.as_secs_f64() / p.cpu.as_secs_f64().max(0.001);
            reproducer.factor = row.slow.then_some(times);
        }
    }

    /// A witness in the words of the standard, whoever printed it. `None` if it has values that cannot be written so.
    fn standard_text(&self, witness: &Witness, script: &mut Script) -> Option<String> {
        match witness {
            Witness::Found(model) => model_text(script, model).ok(),
            Witness::Printed(who, text) => {
                standard_text(text, self.panel.get(*who).model_options(), script)
            }
        }
    }
}

/// What is known of the script without a solver: which values were tried, and whether the standard leaves something open in it.
fn exhausted(truth: Truth, script: &Script, query: &Query) -> (Truth, Option<Exhausted>) {
    let tried = match truth.brute_force {
        Status::Unsat => Some(Exhausted::Unsat),
        _ => exhaust(script, query),
    };
    let brute_force = match &tried {
        Some(Exhausted::Sat(_)) => Status::Sat,
        Some(Exhausted::Unsat) => Status::Unsat,
        None => Status::Unknown,
    };
    (Truth { brute_force, partial: leaves_open(script, query), ..truth }, tried)
}

/// Whether a complaint of the accused's own checker says nothing, because no model is to be had: what the script alone gives says nothing
/// of a model that a session keeps back; and checkers are mistaken about divisions by zero, unless they ended the process.
fn is_idle(
    o: &Observation,
    outcome: &Outcome,
    session: bool,
    script: &Script,
    query: &Query,
) -> bool {
    if o.complaint.is_none() || o.model.is_some() {
        return false;
    }
    let told = o.unchecked.as_ref().is_some_and(|m| {
        m.holds() || matches!(m, ModelVerdict::False(_) | ModelVerdict::Unspecified(_))
    });
    let died = matches!(outcome.exit, Some(Exit::Signal(_)));
    session || (!told && !died && leaves_open(script, query))
}
