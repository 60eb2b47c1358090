//! The scripts themselves, each once, as they are.

use std::sync::Arc;
use std::time::Duration;

use smelt_case::{Origin, SeedRef};
use smelt_solver::{Mode, RunError};
use smelt_triage::TargetId;
use smelt_trial::Target;
use smelt_trial::bench::Bench;
use smelt_trial::content::Content;
use smelt_trial::opinion::truth;

use super::{Case, CaseSource, Done, Lease, Work, options};
use crate::control::Control;
use crate::journal::{Journal, LeaseLine};
use crate::plan::Plan;
use crate::seedbank::{self, Prepared, Understood};

/// The scripts of a plan, one at each position.
pub struct Files<'a> {
    /// What is to be done.
    pub plan: &'a Plan,
    /// Where scripts are counted that cannot be used.
    pub control: &'a Control,
    /// Where they are named, under the number of a run.
    pub journal: (&'a Journal, i64),
}

impl CaseSource for Files<'_> {
    fn lease(
        &self,
        seq: u64,
        bench: &mut Bench<'_>,
        work: Work<'_>,
    ) -> Result<Option<LeaseLine>, RunError> {
        let Some(file) = self.plan.seeds.get(seq as usize) else { return Ok(None) };
        let skip = |reason: &str| {
            self.control.skip_seed(seq as usize, reason);
            let _ = self.journal.0.skip(self.journal.1, &file.name(), reason);
        };
        let (text, seed) = match seedbank::read(file, self.plan.largest_seed()) {
            Ok(read) => read,
            Err(reason) => {
                skip(&reason);
                return Ok(None);
            }
        };
        let Understood { script, options, names } = seed;
        let content = Content::of(&script);
        let takes = self.plan.panel.targets().iter().filter(|t| t.takes(&content));
        let targets: Vec<TargetId> = takes.map(Target::id).collect();
        if targets.is_empty() {
            skip("no solver takes its operators");
            return Ok(None);
        }
        let facts = seedbank::facts(&script, &[]);
        let seed = seedbank::make(file.name(), &text, script, &facts);
        let (name, hash) = (seed.name.clone(), seed.hash.clone());
        let decided_by = Vec::new();
        let options = options::of(self.plan, self.control, &options);
        let wanted = Vec::new();
        let prepared = Prepared { seed, text, facts, targets, options, names, decided_by, wanted };
        let plain = |&t: &TargetId| (t, prepared.with_options(t, Mode::plain()));
        let mut lease = AsItIs {
            script: prepared.labelled(prepared.seed.workspace()),
            who: prepared.targets.iter().map(plain).collect(),
            prepared: Arc::new(prepared),
            origin: Origin::Seed(SeedRef { name, hash: hash.clone() }),
            limit: self.plan.config.most(),
            is_given: false,
        };
        work(bench, &mut lease)?;
        self.control.use_seed(seq as usize);
        let (strategy, partners) = (Origin::SEED, String::new());
        Ok(Some(LeaseLine { seq, worker: 0, seed: hash, strategy, partners, steps: 1 }))
    }
}

/// One script.
struct AsItIs {
    prepared: Arc<Prepared>,
    script: smelt_smtlib::Script,
    origin: Origin,
    who: Vec<(TargetId, Mode)>,
    limit: Duration,
    is_given: bool,
}

impl Lease for AsItIs {
    fn who(&self) -> &[(TargetId, Mode)] {
        &self.who
    }

    fn limit(&self) -> Duration {
        self.limit
    }

    fn next(&mut self) -> Option<Case<'_>> {
        if std::mem::replace(&mut self.is_given, true) {
            return None;
        }
        let seed = &self.prepared.seed;
        // Each has its turn once: what smelt finds out alone is worth its time, as in `smelt check`.
        let checks = seed.script.queries().len();
        Some(Case {
            truths: (0..checks).map(|check| truth(&seed.script, check)).collect(),
            seeds: std::slice::from_ref(&self.prepared),
            ..Case::open(&mut self.script, &self.origin, "the script itself")
        })
    }

    fn learn(&mut self, _: &Done) {}
}
