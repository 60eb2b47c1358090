//! The solvers of a trial.

use smelt_triage::TargetId;

use crate::target::Target;

/// The solvers that are tested, and those that are asked when the others cannot settle something. They are numbered in this order.
pub struct Panel {
    targets: Vec<Target>,
    arbiters: Vec<Target>,
}

impl Panel {
    /// A panel of solvers, which get their numbers here.
    pub fn new(mut targets: Vec<Target>, mut arbiters: Vec<Target>) -> Self {
        for (i, t) in targets.iter_mut().chain(&mut arbiters).enumerate() {
            t.id = TargetId(i);
        }
        Self { targets, arbiters }
    }

    /// Adds solvers that are only asked.
    pub fn add_arbiters(&mut self, more: Vec<Target>) {
        let known = self.targets.len() + self.arbiters.len();
        for (i, mut t) in more.into_iter().enumerate() {
            t.id = TargetId(known + i);
            self.arbiters.push(t);
        }
    }

    /// The solvers that are tested.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The solvers that are only asked.
    pub fn arbiters(&self) -> &[Target] {
        &self.arbiters
    }

    /// All of them, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().chain(&self.arbiters)
    }

    /// One of them.
    pub fn get(&self, who: TargetId) -> &Target {
        match who.0.checked_sub(self.targets.len()) {
            None => &self.targets[who.0],
            Some(i) => &self.arbiters[i],
        }
    }

    /// The solver that is named so on the command line or in messages.
    pub fn find(&self, name: &str) -> Option<TargetId> {
        self.all().find(|t| t.spec == name || t.label == name).map(Target::id)
    }

    /// Which solver is an older release than which, or has which for its successor. One without a version is no older release.
    pub fn older(&self) -> Vec<(TargetId, TargetId)> {
        let is_older = |a: &Target, b: &Target| {
            let (old, new) = (a.solver.profile(), b.solver.profile());
            let versions = a.solver.version().zip(b.solver.version());
            let later = old.name == new.name && versions.is_some_and(|(a, b)| a < b);
            later || new.succeeds.as_ref() == Some(&old.name)
        };
        let pairs = self.all().flat_map(|a| self.all().map(move |b| (a, b)));
        pairs.filter(|(a, b)| is_older(a, b)).map(|(a, b)| (a.id(), b.id())).collect()
    }

    /// Whether a solver is tested, and not only asked.
    pub fn is_tested(&self, who: TargetId) -> bool {
        who.0 < self.targets.len()
    }
}
