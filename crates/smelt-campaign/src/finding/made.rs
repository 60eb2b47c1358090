//! From a confirmed candidate to the contents of its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use smelt_case::{Derivation, Origin, digest};
use smelt_eval::witness::witness_script;
use smelt_eval::{Model, model_text, parse_model};
use smelt_smtlib::{Script, smallest_logic};
use smelt_solver::{Outcome, Status};
use smelt_triage::{Observation, signature};
use smelt_trial::court::{Confirmed, Witness};
use smelt_trial::shrink::plain;
use smelt_trial::{Panel, Target};

use super::{Accused, FORMAT, Finding, Peer, Verdict};
use crate::seedbank::Prepared;
use crate::shelf::Contents;

/// Where a finding comes from.
pub struct Made<'a> {
    /// Where the case comes from.
    pub origin: &'a Origin,
    /// Of what.
    pub seeds: &'a [Arc<Prepared>],
    /// The mutant.
    pub original: &'a Script,
    /// What the last step did.
    pub what: &'a str,
    /// The model that it was made with, if it proves something.
    pub witness: Option<&'a Model>,
}

/// Everything that is written about a finding.
pub fn contents(panel: &Panel, made: &Made<'_>, c: Confirmed) -> Contents {
    let (own, row) = (&c.seen[0], c.class().row());
    let class = c.diagnosis().class;
    let target = panel.get(own.who);
    let crash = own.crash().filter(|_| row.ends);
    let profile = target.solver.profile().name.clone();
    let signature = signature(&profile, class, crash, &c.script);
    let id = format!(
        "{}-{profile}-{}",
        class.word(),
        &digest(format!("{signature}\0{}", target.label).as_bytes())[..8]
    );
    let mut bug = c.text.clone();
    // What shows the fault to people, too.
    if !c.reproducer.session {
        bug.push_str(row.appended);
    }
    let witness = witness(panel, made, &c);
    let mut reproducer = c.reproducer.clone();
    if reproducer.witness.is_none() && row.wrong == Some(Status::Unsat) {
        let made_with = made.witness.filter(|_| !c.foreign);
        reproducer.witness = made_with.and_then(|model| model_text(&c.script, model).ok());
    }
    let original = plain(made.original);
    let peers = c.seen[1..].iter().map(peer).collect();
    let found = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let mut origin = made.origin.clone();
    if c.totalised {
        origin = origin.derived(Derivation::Totalised);
    } else if !c.reproducer.session && plain(&c.script) != original {
        origin = origin.derived(Derivation::Reduced);
    }
    let finding = Finding {
        format: FORMAT,
        id,
        verdicts: c.verdicts.iter().map(Verdict::from).collect(),
        accused: accused(target, &c.outcome),
        answer: match &own.late_crash {
            Some(crash) => format!("{}, then {crash}", own.answer),
            None => own.answer.to_string(),
        },
        model: own.model.as_ref().map(ToString::to_string),
        rate: c.rate,
        signature,
        logic: smallest_logic(&c.script).to_owned(),
        peers,
        totalised: c.totalised,
        origin,
        seeds: made.seeds.iter().map(|p| p.facts.clone()).collect(),
        mutation: made.what.to_owned(),
        found,
        cpu_seconds: (c.outcome.cpu + c.outcome.overhead_cpu).as_secs_f64(),
        reproducer,
        fingerprint: None,
        signatures: BTreeSet::new(),
        known: None,
        labels: Vec::new(),
        done: BTreeMap::new(),
        position: None,
        spent: None,
    };
    let seeds = made.seeds.iter().map(|p| p.text.clone()).collect();
    Contents {
        finding,
        bug,
        original,
        before: c.before,
        flat: c.flat,
        values: c.values,
        seeds,
        witness,
        outputs: c.outputs,
    }
}

/// Who is accused, and how it was started.
pub fn accused(target: &Target, outcome: &Outcome) -> Accused {
    Accused {
        label: target.label.clone(),
        spec: target.spec.clone(),
        profile: target.solver.profile().name.clone(),
        version: target.solver.version().map(ToString::to_string),
        binary: target.solver.hash().to_owned(),
        command: outcome.command.clone(),
    }
}

/// What another solver says of the script.
fn peer(o: &Observation) -> Peer {
    Peer {
        solver: o.solver.clone(),
        answer: o.answer.to_string(),
        model: o.model.as_ref().map(ToString::to_string),
    }
}

/// The script with the values of a model that is known to be true.
fn witness(panel: &Panel, made: &Made<'_>, c: &Confirmed) -> Option<String> {
    let found = match c.witness.as_ref() {
        None => None,
        Some(Witness::Found(model)) => witness_script(&c.script, model, c.check()),
        Some(Witness::Printed(who, text)) => {
            let mut script = c.script.clone();
            let options = panel.get(*who).model_options();
            let model = parse_model(&mut script, text.as_bytes(), options).ok();
            model.and_then(|model| witness_script(&script, &model, c.check()))
        }
    };
    // The model that it was made with is one of scripts in the mutant's arena.
    let made_with = made.witness.filter(|_| !c.foreign);
    found.or_else(|| witness_script(&c.script, made_with?, c.check()))
}
