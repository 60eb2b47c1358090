//! From a confirmed candidate to the contents of its folder.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use smelt_case::{Recipe, digest};
use smelt_eval::witness::witness_script;
use smelt_eval::{Model, parse_model};
use smelt_smtlib::{LogicChoice, PrintOptions, Script, print, smallest_logic};
use smelt_triage::{Class, Finding, Peer, signature};
use smelt_trial::court::{Confirmed, Witness};

use crate::campaign::Campaign;
use crate::seedbank::Prepared;
use crate::shelf::Contents;

/// Where a finding comes from.
pub struct Made<'a> {
    /// How the mutant was made.
    pub recipe: &'a Recipe,
    /// Of what.
    pub seeds: &'a [Arc<Prepared>],
    /// The mutant.
    pub original: &'a Script,
    /// What the last step did.
    pub what: &'a str,
    /// The model that it was made with, if it proves something.
    pub witness: Option<&'a Model>,
    /// The script before the last step, if the two are related.
    pub before: Option<&'a str>,
}

/// Everything that is written about a finding.
pub fn contents(campaign: &Campaign, made: &Made<'_>, accused: usize, c: Confirmed) -> Contents {
    let target = &campaign.targets[accused];
    let own = &c.seen[0];
    let crash = own.crash().filter(|_| c.diagnosis.class == Class::Crash);
    let profile = target.solver.profile().name.clone();
    let signature = signature(&profile, c.diagnosis.class, crash, &c.script);
    let id = format!(
        "{}-{profile}-{}",
        c.diagnosis.class.word(),
        &digest(format!("{signature}\0{}", target.label).as_bytes())[..8]
    );
    let mut bug = c.text.clone();
    // What shows the fault to people, too.
    match c.diagnosis.class {
        Class::InvalidModel if !c.session_dependent => bug.push_str("(get-model)\n"),
        Class::InvalidCore if !c.session_dependent => bug.push_str("(get-unsat-core)\n"),
        _ => {}
    }
    let witness = c.witness.as_ref().and_then(|witness| {
        let (who, text) = match witness {
            Witness::Found(model) => return witness_script(&c.script, model, c.check),
            Witness::Printed(who, text) => (who, text),
        };
        let n = campaign.targets.len();
        let whose =
            if *who < n { &campaign.targets[*who] } else { campaign.arbiters.get(*who - n)? };
        let mut script = c.script.clone();
        let model = parse_model(&mut script, text.as_bytes(), whose.model_options()).ok()?;
        witness_script(&script, &model, c.check)
    });
    let options = LogicChoice::Smallest;
    let witness = witness.or_else(|| witness_script(&c.script, made.witness?, c.check));
    let original = print(
        made.original,
        &PrintOptions { logic: options, strip_status: true, ..Default::default() },
    );
    let peers = c.seen[1..]
        .iter()
        .map(|o| Peer {
            solver: o.solver.clone(),
            answer: o.answer.to_string(),
            model: o.model.as_ref().map(ToString::to_string),
        })
        .collect();
    let found = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let finding = Finding {
        id,
        class: c.diagnosis.class,
        grade: c.diagnosis.evidence.grade(),
        evidence: c.diagnosis.evidence.to_string(),
        solver: target.label.clone(),
        spec: target.spec.clone(),
        profile,
        version: target.solver.version().map(ToString::to_string),
        binary: target.solver.hash().to_owned(),
        command: c.outcome.command.clone(),
        options: c.mode.options.clone(),
        models: c.mode.models,
        self_check: c.mode.self_check,
        cores: c.mode.cores,
        push_pop: c.mode.push_pop,
        tactic: c.mode.tactic.clone(),
        answer: match &own.late_crash {
            Some(crash) => format!("{}, then {crash}", own.answer),
            None => own.answer.to_string(),
        },
        model: own.model.as_ref().map(ToString::to_string),
        check: c.check + 1,
        rate: c.rate,
        session_dependent: c.session_dependent,
        signature,
        logic: smallest_logic(&c.script).to_owned(),
        peers,
        recipe: made.recipe.clone(),
        seeds: made.seeds.iter().map(|p| p.facts.clone()).collect(),
        mutation: made.what.to_owned(),
        found,
        cpu_seconds: (c.outcome.cpu + c.outcome.overhead_cpu).as_secs_f64(),
    };
    let seeds = made.seeds.iter().map(|p| p.text.clone()).collect();
    let pair = finding.class == Class::ImplicationIncompleteness;
    let before = made.before.filter(|_| pair).map(str::to_owned);
    Contents { finding, bug, original, before, flat: c.flat, seeds, witness, outputs: c.outputs }
}
