//! From names to solvers. Nothing here prints: what is done on the way is told to the caller.

use anyhow::{Context, Result, bail};
use smelt_solver::releases::{self, Installed, Step};
use smelt_solver::{Home, Launcher, Profile, Registry, ResolveError, Solver, SolverSpec, Source};

use crate::examine::Far;

/// What is done on the way to a solver.
pub enum Notice<'a> {
    /// A sentence.
    Words(&'a str),
    /// A release (`z3@4.8.7`) is being installed.
    Step(&'a str, &'a Step),
    /// A release of this solver is there.
    Installed(&'a str, &'a Installed),
    /// A name was resolved to this solver.
    Found(&'a Solver),
    /// Solvers are being examined.
    Examining(&'a Far),
}

/// The registry of this user, with this program as launcher.
pub fn registry() -> Result<Registry> {
    let home = Home::of_user().context("none of SMELT_HOME, XDG_DATA_HOME and HOME is set")?;
    let launcher = Launcher::current().context("cannot find this program's own path")?;
    Ok(Registry::open(home, launcher)?)
}

/// Finds solvers, and installs what is missing.
pub struct Resolver<'a> {
    /// Where solvers are looked for.
    pub registry: &'a Registry,
    /// Who hears what is done.
    pub tell: &'a dyn Fn(&Notice<'_>),
}

impl Resolver<'_> {
    /// The solvers at hand. When there is none at all, the newest z3 and cvc5 are installed, and that is told.
    pub fn at_hand_or_installed(&self) -> Result<Vec<Solver>> {
        let found = || -> Vec<Solver> {
            self.registry.all().into_iter().filter_map(|(_, solver)| solver.ok()).collect()
        };
        let mut solvers = found();
        if solvers.is_empty() {
            self.say("No solver on PATH and none installed: installing the newest z3 and cvc5.");
            self.install("z3", "latest")?;
            self.install("cvc5", "latest")?;
            solvers = found();
        }
        solvers.iter().for_each(|s| (self.tell)(&Notice::Found(s)));
        Ok(solvers)
    }

    /// The solver that is meant; a release that is not installed yet is installed, and that is told. What the latest is, is
    /// asked for once a day.
    pub fn one(&self, spec: &SolverSpec) -> Result<Solver> {
        let solver = self.find(spec)?;
        (self.tell)(&Notice::Found(&solver));
        Ok(solver)
    }

    fn find(&self, spec: &SolverSpec) -> Result<Solver> {
        let home = self.registry.home();
        match (self.registry.resolve(spec), &spec.source) {
            (Err(ResolveError::NotInstalled { .. }), Source::Release(name, version)) => {
                self.say(&format!("{name}@{version} is not installed: installing it."));
                self.install(name, version)?;
                Ok(self.registry.resolve(spec)?)
            }
            (Ok(_), Source::Release(name, version))
                if version == "latest" && !releases::asked_lately(home, name) =>
            {
                if let Err(e) = self.install(name, "latest") {
                    let words =
                        format!("The newest {name} that is installed is taken for the latest: {e}");
                    self.say(&words);
                    releases::note_asked(home, name, false);
                }
                Ok(self.registry.resolve(spec)?)
            }
            (found, _) => Ok(found?),
        }
    }

    /// The solver that is meant, and a name for it that means the same tomorrow: with the version that `latest` is now.
    pub fn pinned(&self, spec: SolverSpec) -> Result<(Solver, SolverSpec)> {
        let solver = self.one(&spec)?;
        let release = match &spec.source {
            Source::Release(name, version) => releases::find(self.registry.home(), name, version),
            _ => None,
        };
        let pinned = match release {
            Some(release) => spec.clone().pinned(&release.version),
            None => return Ok((solver, spec)),
        };
        Ok((self.registry.resolve(&pinned)?, pinned))
    }

    /// Installs a release, unless it is there.
    pub fn install(&self, name: &str, version: &str) -> Result<Installed> {
        let label = format!("{name}@{version}");
        let registry = self.registry;
        let profile = registry
            .profiles()
            .get(name)
            .with_context(|| format!("{name}: no such solver is known"))?;
        let step = |step: Step| (self.tell)(&Notice::Step(&label, &step));
        let done =
            releases::install(registry.home(), profile, version, registry.launcher(), None, step)
                .with_context(|| label.clone())?;
        (self.tell)(&Notice::Installed(name, &done));
        Ok(done)
    }

    fn say(&self, words: &str) {
        (self.tell)(&Notice::Words(words));
    }
}

/// Refuses a solver that a file of somebody else's names, unless it is one that smelt knows by its name or by name@version,
/// with options that smelt itself would give it.
pub fn is_harmless(registry: &Registry, spec: &SolverSpec) -> Result<()> {
    let profile = match &spec.source {
        Source::Named(name) | Source::Release(name, _) => registry.profiles().get(name),
        Source::Program(_) => None,
    };
    let Some(profile) = profile.filter(|p| p.name != "generic") else {
        let (Source::Named(command) | Source::Release(command, _) | Source::Program(command)) =
            &spec.source;
        let words: Vec<&str> =
            std::iter::once(command).chain(&spec.args).map(String::as_str).collect();
        bail!(
            "it names a command, which is run only if you give it by --solver: {}",
            words.join(" ")
        );
    };
    match spec.args.iter().find(|o| !profile.gives_option(o)) {
        Some(option) => bail!("{}", foreign_option(option, profile)),
        None => Ok(()),
    }
}

/// Why an option of a file is not used.
pub fn foreign_option(option: &str, profile: &Profile) -> String {
    format!(
        "the option {option:?} is none that smelt gives to {}; to run with it, give it by --solver, behind the solver",
        profile.name
    )
}

/// The newest release of each solver at hand.
pub fn newest_at_hand(registry: &Registry) -> Vec<Solver> {
    newest_of_each(registry.all().into_iter().filter_map(|(_, s)| s.ok()).collect())
}

/// The newest release of each solver.
pub fn newest_of_each(all: Vec<Solver>) -> Vec<Solver> {
    let mut out: Vec<Solver> = Vec::new();
    for solver in all {
        match out.iter_mut().find(|o| o.profile().name == solver.profile().name) {
            Some(o) if o.version() < solver.version() => *o = solver,
            Some(_) => {}
            None => out.push(solver),
        }
    }
    out
}
