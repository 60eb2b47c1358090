//! What several solvers say of one text that a person gives, and what follows from it.

mod inquiry;
pub mod judged;
mod question;

use self::inquiry::Base;
pub use self::question::Question;

use std::fmt;
use std::time::Duration;

use smelt_eval::prove;
use smelt_smtlib::{Command, ParseOptions, Script};
use smelt_solver::{Answer, Cancel, Outcome, RunError, Status};
use smelt_triage::{
    Diagnosis, Evidence, Observation, TargetId, Truth, Wanted, diagnose, leaves_open,
};

use crate::follow_up::Ask;
use crate::panel::Panel;

/// What several solvers say of one text.
pub struct Opinion {
    /// What each solver said.
    pub runs: Vec<Run>,
    /// Who is wrong in which check, from 0.
    pub diagnoses: Vec<(usize, Diagnosis)>,
    /// Checks whose `:status` is proven wrong: which (from 0), what the `:status` is, and what proves it wrong.
    pub mislabelled: Vec<(usize, Status, Evidence)>,
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
    /// The text says this of itself, and it is proven wrong.
    Mislabelled(Status, Evidence),
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
            Self::Mislabelled(says, proof) => {
                write!(f, "the script's own :status {says} is wrong (proven: {proof})")
            }
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
        Question { text, options, panel, cpu, cancel }.opinion()
    }

    /// What several solvers said, each with what was seen of its checks.
    pub fn new(runs: Vec<Run>) -> Self {
        Self {
            runs,
            diagnoses: Vec::new(),
            mislabelled: Vec::new(),
            unread: None,
            beside: Vec::new(),
            weighed: 0,
        }
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
        self.judge_knowing(truth, ask, script, check, wanted, budget)
    }

    /// Who is wrong about a check of which so much is known without solvers.
    fn judge_knowing(
        &mut self,
        truth: Truth,
        ask: &mut dyn Ask,
        script: &mut Script,
        check: usize,
        wanted: &Wanted,
        budget: Duration,
    ) -> Result<Vec<Diagnosis>, RunError> {
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
        match self.mislabelled.iter().find(|(k, ..)| *k == check) {
            Some((_, says, proof)) => all.push(Conclusion::Mislabelled(*says, proof.clone())),
            None if !settled && here().any(|d| d.evidence == Evidence::Label) => {
                all.push(Conclusion::AgainstLabel);
            }
            None => {}
        }
        all
    }
}

impl Run {
    /// Whether it does not know the answer to a check, without an excuse.
    fn is_open(&self, check: usize) -> bool {
        let unknown = |o: &Observation| {
            o.no_verdict.is_none() && matches!(o.answer, Answer::Unknown(_)) && !o.excused
        };
        self.seen.get(check).is_some_and(unknown)
    }
}

/// What is known about a check of a script without any solver.
pub fn truth(script: &Script, check: usize) -> Truth {
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
