//! Ranges of releases (`z3@4.8.5..latest`), and several releases installed at a time.

use std::collections::VecDeque;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Error, Result, bail};
use smelt_solver::releases::{self, Installed, Step};
use smelt_solver::{ReleaseRange, Solver, SolverSpec, Source};

use crate::examine::examine_all;
use crate::lineup::Lineup;
use crate::resolve::{Notice, Resolver};
use crate::target::Target;

/// Releases that are installed at a time.
const AT_A_TIME: usize = 4;

/// What a person means by one name: a solver, or one release of a range, which may turn out not to be had.
struct Meant {
    spec: SolverSpec,
    of_range: bool,
}

impl Resolver<'_> {
    /// The solvers that a person names, ready to be asked: `a;b` names two, `z3@4.8.5..latest` all releases between. Each has answered a
    /// trivial script.
    pub fn targets(&self, names: &[String]) -> Result<Vec<Target>> {
        self.targets_by(names, Target::ready)
    }

    /// The solvers that a person names, made ready in a way of the caller's. A release of a range that cannot be had is left out, which
    /// is told; whoever is named alone must be had. Several are made ready at a time.
    pub fn targets_by(
        &self,
        names: &[String],
        ready: impl Fn(Solver) -> Result<Target, String> + Sync,
    ) -> Result<Vec<Target>> {
        let mut meant: Vec<Meant> = Vec::new();
        for name in names {
            meant.extend(self.meant(name)?);
        }
        self.install_missing(&meant);
        let left_out = |label: &str, why: Error| {
            (self.tell)(&Notice::Words(&format!("{label} is left out: {why:#}")));
        };
        let mut found: Vec<(String, (Solver, bool))> = Vec::new();
        for Meant { spec, of_range } in meant {
            match self.one(&spec) {
                Ok(solver) => found.push((spec.label, (solver, of_range))),
                Err(e) if of_range => left_out(&spec.label, e),
                Err(e) => return Err(e),
            }
        }
        let (mut all, mut failure, mut places) = (Vec::new(), None, found.iter());
        let work = |(solver, _): &(Solver, bool), _: &dyn Fn(usize)| ready(solver.clone());
        let mut each = |target: Result<Target, String>| {
            let of_range = places.next().map(|(label, (_, of_range))| (label, *of_range));
            match (target, of_range) {
                (Ok(target), _) => all.push(target),
                (Err(e), Some((label, true))) => left_out(label, Error::msg(e)),
                (Err(e), _) => failure = failure.take().or(Some(e)),
            }
        };
        examine_all(&found, work, &mut each, &|far| (self.tell)(&Notice::Examining(far)));
        if let Some(why) = failure {
            bail!(why);
        }
        if all.is_empty() && !names.is_empty() {
            bail!("none of {} can be had", names.join(", "));
        }
        Ok(all)
    }

    /// What a text names.
    fn meant(&self, text: &str) -> Result<Vec<Meant>> {
        let mut all = Vec::new();
        for piece in SolverSpec::pieces(text) {
            match ReleaseRange::parse(piece)? {
                Some(range) => all.extend(self.between(&range)?),
                None => all.push(Meant { spec: SolverSpec::parse(piece)?, of_range: false }),
            }
        }
        let singles = all.iter().all(|m| !m.of_range);
        if singles {
            // Two of one label are numbered.
            let specs = SolverSpec::parse_list(text)?;
            return Ok(specs.into_iter().map(|spec| Meant { spec, of_range: false }).collect());
        }
        Ok(all)
    }

    fn between(&self, range: &ReleaseRange) -> Result<impl Iterator<Item = Meant> + use<>> {
        let lineup = Lineup::of_releases(self, &range.name, &range.args)?;
        let place = |v: &String| lineup.place(v);
        let first = range.from.as_ref().map(place).transpose()?.unwrap_or(0);
        let last = match &range.to {
            // `..4.12` ends with the last of the 4.12s.
            Some(to) => lineup.last_place(to)?,
            None => lineup.builds.len().saturating_sub(1),
        };
        if first > last {
            let [from, to] = [first, last].map(|i| lineup.builds[i].name.clone());
            bail!("{} {from} is newer than {to}: no release is between them", range.name);
        }
        let part = lineup.builds.into_iter().take(last + 1).skip(first);
        Ok(part.map(|build| Meant { spec: build.spec, of_range: true }))
    }

    /// Installs what is missing, some at a time. Who cannot be installed will be told by whoever needs it.
    fn install_missing(&self, meant: &[Meant]) {
        let registry = self.registry;
        let missing = |m: &Meant| match &m.spec.source {
            Source::Release(name, version) if version != "latest" => {
                let here = releases::find(registry.home(), name, version).is_some();
                (!here).then(|| (name.clone(), version.clone()))
            }
            _ => None,
        };
        let wanted: VecDeque<(String, String)> = meant.iter().filter_map(missing).collect();
        // One alone is installed by whoever needs it, which tells of every step.
        if wanted.len() < 2 {
            return;
        }
        let words = format!("{} releases are not installed: installing them.", wanted.len());
        (self.tell)(&Notice::Words(&words));
        let (send, receive) = channel::<(String, String, Done)>();
        let queue = Mutex::new(wanted);
        std::thread::scope(|scope| {
            for _ in 0..AT_A_TIME {
                let (send, queue) = (send.clone(), &queue);
                scope.spawn(move || {
                    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    while let Some((name, version)) = next() {
                        let tell = |done| drop(send.send((name.clone(), version.clone(), done)));
                        let step = |step: Step| tell(Done::Step(step));
                        let Some(profile) = registry.profiles().get(&name) else { continue };
                        let (home, launcher) = (registry.home(), registry.launcher());
                        match releases::install(home, profile, &version, launcher, None, step) {
                            Ok(installed) => tell(Done::Installed(installed)),
                            Err(e) => tell(Done::Failed(e.to_string())),
                        }
                    }
                });
            }
            drop(send);
            for (name, version, done) in receive {
                match done {
                    Done::Step(step) => {
                        (self.tell)(&Notice::Step(&format!("{name}@{version}"), &step));
                    }
                    Done::Installed(installed) => {
                        (self.tell)(&Notice::Installed(&name, &installed));
                    }
                    Done::Failed(why) => {
                        let words = format!("{name}@{version} cannot be installed: {why}");
                        (self.tell)(&Notice::Words(&words));
                    }
                }
            }
        });
    }
}

/// What a thread that installs a release tells.
enum Done {
    Step(Step),
    Installed(Installed),
    Failed(String),
}

impl Lineup {
    /// The last build whose version begins so.
    fn last_place(&self, wanted: &str) -> Result<usize> {
        let first = self.place(wanted)?;
        let prefix = smelt_solver::Version::parse(wanted).context("it is no version")?;
        let alike =
            |name: &str| smelt_solver::Version::parse(name).is_some_and(|v| v.starts_with(&prefix));
        let more = self.builds[first..].iter().take_while(|b| alike(&b.name)).count();
        Ok(first + more.saturating_sub(1))
    }
}
