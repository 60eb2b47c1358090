//! Solvers that are asked to prove rules.

use std::time::Duration;

use smelt_smtlib::parse;
use smelt_solver::Mode;
use smelt_solver::profile::independent;
use smelt_solver::{Answer, Cancel, Session, Solver};
use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::instances::Instance;
use smelt_strategy::rules::record::{Entry, Proof, Refutation};
use smelt_trial::Target;

/// Strings and sequences are no longer than this where nobody proves a rule for all.
const BOUND: u32 = 3;
/// A solver that ran into its limit so often on one rule is not asked about larger instances of it.
const PATIENCE: u32 = 3;

/// What solvers say of an instance that none of them refutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Enough of them prove it.
    Proved,
    /// Nobody proved it, and somebody ran into a limit.
    TooHard,
    /// Somebody contradicted, without a model that shows it.
    Disputed,
    /// Nobody was there who could say anything, as where nobody knows the theory.
    Nothing,
}

/// The solvers that are asked, each in a session of its own.
pub struct Provers {
    members: Vec<Member>,
    /// Whether somebody ran into a limit on what was asked last, or is not asked any more because of that.
    tired: bool,
    /// Whether somebody said that what was asked last is false, without a model that shows it.
    disputed: bool,
}

struct Member {
    name: String,
    target: Target,
    session: Session,
    /// How often it ran into a limit on this rule.
    tired: u32,
}

impl Provers {
    /// These solvers, with so much CPU time per question.
    pub fn new(solvers: &[Solver], limit: Duration, cancel: Option<&Cancel>) -> Self {
        Self::of(solvers.iter().cloned().map(Target::unprobed).collect(), limit, cancel)
    }

    /// These solvers, whose start is charged to no question.
    pub fn of(targets: Vec<Target>, limit: Duration, cancel: Option<&Cancel>) -> Self {
        let member = |target: Target| {
            let solver = &target.solver;
            let version = solver.version().map_or(String::new(), |v| format!("-{v}"));
            let name = format!("{}{version}", solver.profile().name);
            let session = target.session(&Mode::plain(), target.limits(limit), cancel);
            Member { name, target, session, tired: 0 }
        };
        let members = targets.into_iter().map(member).collect();
        Self { members, tired: false, disputed: false }
    }

    /// Their names, with versions.
    pub fn names(&self) -> Vec<&str> {
        self.members.iter().map(|m| m.name.as_str()).collect()
    }

    /// Whether all of them are among those that a record names (`cvc5-1.4.2`, or several joined by `+`). Another release of one is not: what
    /// it says is not known.
    pub fn are_recorded<'a>(&self, recorded: impl Iterator<Item = &'a str>) -> bool {
        let recorded: Vec<&str> = recorded.flat_map(|r| r.split('+')).collect();
        self.members.iter().all(|m| recorded.contains(&m.name.as_str()))
    }

    /// Asks about these instances of one label, up to a length of strings and sequences if there is no other way, and notes in the
    /// entry whether they are proved or too hard. The error is a counterexample that the evaluator confirms. No more are asked once
    /// `enough` independent ones prove it.
    pub fn settle(
        &mut self,
        claim: &Claim,
        instances: &[Instance],
        enough: usize,
        entry: &mut Entry,
    ) -> Result<Said, Refutation> {
        (self.tired, self.disputed) = (false, false);
        let Some(Instance { label, .. }) = instances.first() else { return Ok(Said::Nothing) };
        let proof = self.proof(claim, label, instances, enough).map_err(|(values, by)| {
            Refutation { label: label.as_str().into(), by: by.into(), values: values.into() }
        })?;
        let said = match proof {
            None if self.tired => Said::TooHard,
            None if self.disputed => Said::Disputed,
            None => return Ok(Said::Nothing),
            Some(_) => Said::Proved,
        };
        entry.forget(|l| l == label);
        match proof {
            Some(proof) => entry.prove(proof),
            None if said == Said::TooHard => entry.open.push(label.as_str().into()),
            None => {}
        }
        Ok(said)
    }

    /// A proof of these instances, if there is one; or a counterexample, and whose it is.
    fn proof(
        &mut self,
        claim: &Claim,
        label: &str,
        instances: &[Instance],
        enough: usize,
    ) -> Result<Option<Proof>, (String, String)> {
        let bounded = claim.can_be_bounded().then_some(Some(BOUND));
        for bound in [Some(None), bounded].into_iter().flatten() {
            let solvers = self.prove(claim, instances, bound, enough)?;
            if !solvers.is_empty() {
                let solvers = solvers.into_iter().map(Into::into).collect();
                let labels = vec![label.into()];
                return Ok(Some(Proof { labels, solvers, bound }));
            }
        }
        Ok(None)
    }

    /// What was too hard for a solver in another rule need not be so in the next.
    pub fn begin_rule(&mut self) {
        self.members.iter_mut().for_each(|m| m.tired = 0);
    }

    /// Who proves all of these instances; or a counterexample that the evaluator confirms, and whose it is.
    fn prove(
        &mut self,
        claim: &Claim,
        instances: &[Instance],
        bound: Option<u32>,
        enough: usize,
    ) -> Result<Vec<String>, (String, String)> {
        let mut all: Option<Vec<String>> = None;
        let mut anyone: Vec<String> = Vec::new();
        for instance in instances {
            let text = claim.negation(instance, bound);
            let Ok(mut script) = parse(text.as_bytes()) else { return Ok(Vec::new()) };
            let mut yes = Vec::new();
            let mut proved: Vec<(String, Vec<String>)> = Vec::new();
            let mut disputed = false;
            for m in &mut self.members {
                let solvers = proved.iter().map(|(family, shared)| (family.as_str(), &shared[..]));
                if independent(solvers) >= enough {
                    break;
                }
                if m.tired >= PATIENCE {
                    self.tired = true;
                    continue;
                }
                // Where a meaning is not the standard's, its word is no proof.
                if m.target.caveat_on(&script).is_some() {
                    continue;
                }
                let mode = Mode::plain();
                let text = m.target.print(&script, &mode);
                let Ok(outcome) = m.session.run(&text, mode.requests()) else { continue };
                let Some(check) = outcome.checks.first() else { continue };
                match &check.answer {
                    Answer::Unsat => {
                        yes.push(m.name.clone());
                        proved.push((m.target.family().to_owned(), m.target.shared_on(&script)));
                    }
                    Answer::Timeout(_) | Answer::OutOfMemory => {
                        m.tired += 1;
                        self.tired = true;
                    }
                    Answer::Sat => {
                        // Solvers are what smelt tests: where one contradicts, another's `unsat` is no proof.
                        disputed = true;
                        self.disputed = true;
                        let Some(model) = &check.model else { continue };
                        let queries = script.queries();
                        let limits = smelt_eval::Limits::default();
                        let verdict = m.target.judge(&mut script, &queries[0], model, limits);
                        if verdict.holds() {
                            let words: Vec<&str> = model.split_whitespace().collect();
                            return Err((words.join(" "), m.name.clone()));
                        }
                    }
                    _ => {}
                }
            }
            if yes.is_empty() || disputed {
                return Ok(Vec::new());
            }
            for s in &yes {
                if !anyone.contains(s) {
                    anyone.push(s.clone());
                }
            }
            all = Some(match all {
                None => yes,
                Some(before) => before.into_iter().filter(|s| yes.contains(s)).collect(),
            });
        }
        // Every instance is proved by someone, if not all by one: then together they are one prover, not several.
        Ok(match all {
            Some(l) if l.is_empty() => vec![anyone.join("+")],
            l => l.unwrap_or_default(),
        })
    }
}
