//! What several solvers say of one text that a person gives, and what follows from it.

mod inquiry;

use self::inquiry::Base;

use std::fmt;
use std::time::Duration;

use smelt_eval::prove;
use smelt_smtlib::{Command, ParseOptions, Script, parse_with};
use smelt_solver::{Answer, Cancel, Mode, Outcome, RunError, Status};
use smelt_triage::{
    Diagnosis, Evidence, Observation, TargetId, Truth, Wanted, diagnose, leaves_open,
};

use crate::follow_up::related::BUDGET;
use crate::follow_up::unchecked::unchecked;
use crate::follow_up::{Ask, Fresh};
use crate::panel::Panel;
use crate::target::Target;

/// What several solvers say of one text.
pub struct Opinion {
    /// What each solver said.
    pub runs: Vec<Run>,
    /// Who is wrong in which check, from 0.
    pub diagnoses: Vec<(usize, Diagnosis)>,
    /// Why smelt cannot read the text, so that no model is judged.
    pub unread: Option<String>,
    /// Other scripts that solvers were asked for and that an accusation is about: whose words, and the script.
    pub beside: Vec<(String, String)>,
    /// Models that solvers were asked about so far.
    weighed: usize,
}

/// Models of one text that solvers are asked about, where the evaluator cannot judge them.
const WEIGHED: usize = 12;

/// What one solver said.
pub struct Run {
    /// Which solver.
    pub who: TargetId,
    /// Its label.
    pub solver: String,
    /// What was seen of each check.
    pub seen: Vec<Observation>,
    /// What came of the process, or why there was none.
    pub outcome: Result<Outcome, String>,
}

/// What follows from an opinion about one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// A solver is wrong, on strong or proven evidence.
    Accused(Diagnosis),
    /// These call it satisfiable, those unsatisfiable, and nobody knows who is wrong.
    Disagreement {
        /// Who answers sat.
        sat: String,
        /// Who answers unsat.
        unsat: String,
    },
    /// Some do not know what others do.
    Undecided {
        /// Who does not.
        by: String,
        /// What the others answer.
        answer: &'static str,
        /// Who they are.
        others: String,
    },
    /// The answer is not what the text says of itself.
    AgainstLabel,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accused(d) => d.fmt(f),
            Self::Disagreement { sat, unsat } => {
                write!(f, "they cannot all be right, unproven: sat by {sat}; unsat by {unsat}")
            }
            Self::Undecided { by, answer, others } => {
                write!(f, "not decided by {by}; {answer} by {others}")
            }
            Self::AgainstLabel => f.write_str("unproven: the script's own :status says otherwise"),
        }
    }
}

impl Opinion {
    /// Runs each solver on a text in a fresh process, with so much CPU time, judges what it says, and looks for who is wrong. A text
    /// that smelt cannot read is run as it is.
    pub fn of(
        text: &[u8],
        options: &ParseOptions,
        panel: &Panel,
        cpu: Duration,
        cancel: &Cancel,
    ) -> Self {
        let words = String::from_utf8_lossy(text);
        let mut script = parse_with(text, options);
        let mut fresh = Fresh { panel, cpu, cancel, met: None };
        let one = |t| Run::of(t, &words, script.as_mut().ok(), &mut fresh);
        let runs: Vec<Run> = panel.targets().iter().map(one).collect();
        let wanted = Wanted { time: false, unknown: true, older: panel.older() };
        let mut opinion = Self::new(runs);
        for k in 0..opinion.checks() {
            let judged = match &mut script {
                Ok(script) => opinion.judge(&mut fresh, script, k, &wanted, cpu * BUDGET).ok(),
                Err(_) => None,
            };
            // Of what smelt cannot read, or who cannot be run again, there is what was seen.
            let seen: Vec<Observation> = opinion.seen(k).cloned().collect();
            let known = || script.as_ref().map(|s| truth(s, k)).unwrap_or_default();
            let all = judged.unwrap_or_else(|| diagnose(&seen, known(), &wanted));
            opinion.diagnoses.extend(all.into_iter().map(|d| (k, d)));
        }
        opinion.unread = script.err().map(|e| e.message.clone());
        opinion
    }

    /// What several solvers said, each with what was seen of its checks.
    pub fn new(runs: Vec<Run>) -> Self {
        Self { runs, diagnoses: Vec::new(), unread: None, beside: Vec::new(), weighed: 0 }
    }

    /// Who is wrong about a check of a script. What the answers leave open is asked on, own words within so much CPU time for each solver.
    pub fn judge(
        &mut self,
        ask: &mut dyn Ask,
        script: &mut Script,
        check: usize,
        wanted: &Wanted,
        budget: Duration,
    ) -> Result<Vec<Diagnosis>, RunError> {
        let truth = truth(script, check);
        let Some(query) = script.queries().into_iter().nth(check) else { return Ok(Vec::new()) };
        let left = WEIGHED.saturating_sub(self.weighed);
        let values = inquiry::weigh_models(ask, script, &query, check, &mut self.runs, left)?;
        self.weighed += values.len();
        self.beside.extend(values.into_iter().flatten());
        let seen: Vec<Observation> = self.seen(check).cloned().collect();
        let mut all = diagnose(&seen, truth, wanted);
        let wrong = |d: &&Diagnosis| d.class.row().wrong.is_some();
        let mut soundness = all.iter().filter(wrong).peekable();
        if soundness.peek().is_none() || soundness.any(|d| d.is_reportable()) {
            return Ok(all);
        }
        let closed = Base::of_closed_part(ask, script, &query, &seen, wanted)?;
        let mut found = closed.map_or_else(Vec::new, |part| part.diagnoses());
        let settled = |found: &[Diagnosis]| found.iter().filter(wrong).count() > 0;
        let base = match settled(&found) {
            true => None,
            false => Base::of(ask, script, &query, check, &self.runs, truth, wanted)?,
        };
        if let Some(base) = base.as_ref().filter(|b| b.is_other()) {
            found.extend(base.diagnoses());
        }
        if let Some(mut base) = base.filter(|_| !settled(&found)) {
            self.beside.extend(base.ask_own_words(ask, budget)?);
            found = base.diagnoses();
        }
        // What is known better is not said twice.
        all.retain(|d| !found.iter().any(|f| f.who == d.who && f.class == d.class));
        all.extend(found);
        Ok(all)
    }

    /// How many checks were answered.
    pub fn checks(&self) -> usize {
        self.runs.iter().map(|r| r.seen.len()).max().unwrap_or(0)
    }

    /// Whether anybody is accused on strong or proven evidence.
    pub fn accuses(&self) -> bool {
        self.diagnoses.iter().any(|(_, d)| d.is_reportable())
    }

    /// Whether all solvers were run, and nothing follows from what they say.
    pub fn is_plain(&self) -> bool {
        let silent = |k| self.conclusions(k).is_empty();
        self.runs.iter().all(|r| r.outcome.is_ok()) && (0..self.checks()).all(silent)
    }

    fn seen(&self, check: usize) -> impl Iterator<Item = &Observation> {
        self.runs.iter().filter_map(move |r| r.seen.get(check))
    }

    /// What follows about a check. Of what is only suspected nobody is accused.
    pub fn conclusions(&self, check: usize) -> Vec<Conclusion> {
        let here = || self.diagnoses.iter().filter(|(k, _)| *k == check).map(|(_, d)| d);
        let mut all: Vec<Conclusion> =
            here().filter(|d| d.is_reportable()).cloned().map(Conclusion::Accused).collect();
        let settled = here().any(|d| d.is_reportable() && d.class.row().wrong.is_some());
        let side = |word: &str| {
            let who = self.seen(check).filter(|o| o.counts() && o.answer.kind() == word);
            who.map(|o| o.solver.as_str()).collect::<Vec<_>>().join(", ")
        };
        let (sat, unsat) = (side("sat"), side("unsat"));
        if !settled && !sat.is_empty() && !unsat.is_empty() {
            all.push(Conclusion::Disagreement { sat, unsat });
            return all;
        }
        if sat.is_empty() != unsat.is_empty() {
            // An unknown accuses nobody, unless it is new.
            let open = |r: &&Run| r.is_open(check) && !here().any(|d| d.who == r.who);
            let open = self.runs.iter().filter(open);
            let by = open.map(|r| r.solver.as_str()).collect::<Vec<_>>().join(", ");
            let (answer, others) = if sat.is_empty() { ("unsat", unsat) } else { ("sat", sat) };
            if !by.is_empty() {
                all.push(Conclusion::Undecided { by, answer, others });
            }
        }
        if !settled && here().any(|d| d.evidence == Evidence::Label) {
            all.push(Conclusion::AgainstLabel);
        }
        all
    }
}

impl Run {
    fn of(target: &Target, text: &str, script: Option<&mut Script>, fresh: &mut Fresh<'_>) -> Self {
        let (who, solver) = (target.id(), target.label.clone());
        match observe(target, text, script, fresh) {
            Err(e) => Self { who, solver, seen: Vec::new(), outcome: Err(e.to_string()) },
            Ok((outcome, seen)) => Self { who, solver, seen, outcome: Ok(outcome) },
        }
    }

    /// Whether it does not know the answer to a check, without an excuse.
    fn is_open(&self, check: usize) -> bool {
        let unknown = |o: &Observation| {
            o.no_verdict.is_none() && matches!(o.answer, Answer::Unknown(_)) && !o.excused
        };
        self.seen.get(check).is_some_and(unknown)
    }
}

/// Runs a solver on a text and judges what it says, if smelt has read a script in it.
fn observe(
    target: &Target,
    text: &str,
    script: Option<&mut Script>,
    fresh: &mut Fresh<'_>,
) -> Result<(Outcome, Vec<Observation>), RunError> {
    let mode = Mode::plain();
    let outcome = target.run_own(text, script.as_deref(), &mode, fresh.cpu, fresh.cancel)?;
    let Some(script) = script else {
        let seen = target.observe_unread(text, &outcome);
        return Ok((outcome, seen));
    };
    let queries = script.queries();
    let limits = smelt_eval::Limits::default();
    let mut seen = target.observe_within(script, &queries, &outcome, limits);
    for (k, o) in seen.iter_mut().enumerate() {
        unchecked(fresh, script, k, &mode, o)?;
    }
    Ok((outcome, seen))
}

/// What is known about a check without any solver.
fn truth(script: &Script, check: usize) -> Truth {
    let queries = script.queries();
    let Some(q) = queries.get(check) else { return Truth::default() };
    Truth {
        brute_force: prove(script, q),
        witness: false,
        partial: leaves_open(script, q),
        label: label(script, q.command),
    }
}

/// The `:status` that stands nearest before a command.
pub fn label(script: &Script, command: usize) -> Status {
    let mut before = script.commands[..command].iter().rev();
    let status = before.find_map(|c| match c {
        Command::SetInfo(k, v) if &**k == ":status" => Some(&**v),
        _ => None,
    });
    status.and_then(Status::of_word).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use smelt_triage::Class;

    use super::*;

    fn run(who: usize, solver: &str, answer: Answer, excused: bool) -> Run {
        let who = TargetId(who);
        let o = Observation::new(who, solver, solver, answer, None);
        let seen = vec![Observation { excused, ..o }];
        Run { who, solver: solver.into(), seen, outcome: Err(String::new()) }
    }

    /// What is said of the answers of three solvers, with what is suspected beside them.
    #[test]
    fn conclusions() {
        let check =
            |answers: [(Answer, bool); 3], suspected: &[(Class, Evidence)], expect: &str| {
                let runs = ["a", "b", "c"].into_iter().zip(answers).enumerate();
                let runs: Vec<Run> =
                    runs.map(|(i, (name, (answer, e)))| run(i, name, answer, e)).collect();
                let suspect = |(class, evidence): &(Class, Evidence)| {
                    (0, Diagnosis::new(&runs[0].seen[0], *class, evidence.clone()))
                };
                let diagnoses = suspected.iter().map(suspect).collect();
                let opinion = Opinion { diagnoses, ..Opinion::new(runs) };
                let said: Vec<_> = opinion.conclusions(0).iter().map(ToString::to_string).collect();
                assert_eq!(said.join(" | "), expect);
                assert_eq!(opinion.accuses(), expect.contains("(proven: "));
            };
        let sat = || (Answer::Sat, false);
        let unsat = || (Answer::Unsat, false);
        let unknown = |excused| (Answer::Unknown(None), excused);
        let unsound = (Class::RefutationSoundness, Evidence::BruteForce);
        let label = (Class::RefutationSoundness, Evidence::Label);
        check([sat(), sat(), sat()], &[], "");
        check(
            [sat(), unsat(), sat()],
            &[],
            "they cannot all be right, unproven: sat by a, c; unsat by b",
        );
        check([unknown(false), unsat(), unsat()], &[], "not decided by a; unsat by b, c");
        check([unknown(true), unsat(), unknown(false)], &[], "not decided by c; unsat by b");
        check([unknown(false), unknown(false), unknown(true)], &[], "");
        let says_otherwise = "unproven: the script's own :status says otherwise";
        check([unsat(), unsat(), unsat()], std::slice::from_ref(&label), says_otherwise);
        let proven = format!("a: {} ({}: {})", unsound.0, unsound.1.grade(), unsound.1);
        check([unsat(), sat(), sat()], &[unsound, label], &proven);
    }
}
