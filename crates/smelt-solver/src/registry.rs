//! Finds the solver that a user named.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::digest;
use crate::home::Home;
use crate::limits::{Limits, Requests, Setup};
use crate::process::Launcher;
use crate::profile::{Profile, Profiles};
use crate::releases::{self, Release};
use crate::sandbox::{Room, Sandbox, Walls};
use crate::script::Script;
use crate::solver::Solver;
use crate::spec::{SolverSpec, Source};
use crate::version::Version;

/// Why a named solver cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// No such solver here.
    #[error("no solver {0:?} on PATH or installed; `smelt solvers install {0}` may help")]
    NotFound(String),
    /// The release is not installed.
    #[error("{name}@{version} is not installed; run `smelt solvers install {name}@{version}`")]
    NotInstalled {
        /// Solver.
        name: String,
        /// Release.
        version: String,
    },
    /// No program at this path.
    #[error("{path}: {reason}")]
    BadProgram {
        /// The path.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// Profiles or the data folder cannot be read.
    #[error("{0}")]
    Broken(String),
}

/// Knows profiles, installed releases and the launcher.
#[derive(Debug, Clone)]
pub struct Registry {
    home: Home,
    profiles: Profiles,
    launcher: Launcher,
    trusts_scripts: bool,
    walls: Walls,
    memory: Option<u64>,
}

impl Registry {
    /// Opens a data folder (which need not exist) with the profiles in it.
    pub fn open(home: Home, launcher: Launcher) -> Result<Registry, ResolveError> {
        let profiles = Profiles::with_user_files(&home.profiles()).map_err(ResolveError::Broken)?;
        let walls = Walls::wanted(Sandbox::Auto).map_err(ResolveError::Broken)?;
        Ok(Registry { home, profiles, launcher, trusts_scripts: false, memory: None, walls })
    }

    /// The registry whose solvers run within the walls that the user wants; without this, within those that the kernel has. Fails if
    /// walls are required that it does not have.
    pub fn sandboxed(self, sandbox: Sandbox) -> Result<Registry, ResolveError> {
        let walls = Walls::wanted(sandbox).map_err(ResolveError::Broken)?;
        Ok(Registry { walls, ..self })
    }

    /// The walls around the processes of its solvers.
    pub fn walls(&self) -> Walls {
        self.walls
    }

    /// The registry whose solvers get scripts as they are: what the user says of scripts of their own. Otherwise only
    /// commands and options on a list are sent, see [`crate::admit`].
    #[must_use]
    pub fn trusting_scripts(self, trusts_scripts: bool) -> Registry {
        Registry { trusts_scripts, ..self }
    }

    /// The registry whose solvers have so many bytes of memory for a process; `None` leaves what [`crate::Limits`] say.
    #[must_use]
    pub fn limiting_memory(self, memory: Option<u64>) -> Registry {
        Registry { memory, ..self }
    }

    /// The data folder.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The profiles.
    pub fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// The launcher.
    pub fn launcher(&self) -> &Launcher {
        &self.launcher
    }

    /// Finds a solver: its program, version and digest.
    pub fn resolve(&self, spec: &SolverSpec) -> Result<Solver, ResolveError> {
        match &spec.source {
            Source::Program(path) => {
                let program = find_program(path)?;
                let profile = self.profile_for(&spec.label, path);
                self.open_program(spec, profile, program)
            }
            Source::Release(name, version) => {
                let profile = self
                    .profiles
                    .get(name)
                    .cloned()
                    .ok_or_else(|| ResolveError::NotFound(name.clone()))?;
                let release = releases::find(&self.home, name, version).ok_or_else(|| {
                    ResolveError::NotInstalled { name: name.clone(), version: version.clone() }
                })?;
                self.open_release(spec, profile, &release)
            }
            Source::Named(name) => self.named(spec, name),
        }
    }

    fn named(&self, spec: &SolverSpec, name: &str) -> Result<Solver, ResolveError> {
        let Some(profile) = self.profiles.get(name).cloned() else {
            // Not a solver that we know: a program on PATH.
            let program = on_path(name).ok_or_else(|| ResolveError::NotFound(name.to_owned()))?;
            let profile = self.profile_for(&spec.label, name);
            return self.open_program(spec, profile, program);
        };
        if let Some(program) = profile.programs.iter().find_map(|p| on_path(p)) {
            return self.open_program(spec, profile, program);
        }
        match releases::find(&self.home, name, "latest") {
            Some(release) => self.open_release(spec, profile, &release),
            None => Err(ResolveError::NotFound(name.to_owned())),
        }
    }

    /// All solvers at hand: one per known program on `PATH`, and every installed release.
    pub fn all(&self) -> Vec<(SolverSpec, Result<Solver, ResolveError>)> {
        let mut found = Vec::new();
        for profile in self.profiles.iter() {
            for program in profile.programs.iter().filter_map(|p| on_path(p)) {
                let spec = SolverSpec {
                    label: profile.name.clone(),
                    source: Source::Program(program.to_string_lossy().into_owned()),
                    args: Vec::new(),
                };
                let solver = self.open_program(&spec, profile.clone(), program);
                found.push((spec, solver));
            }
        }
        for release in releases::installed(&self.home) {
            let text = format!("{}@{}", release.name, release.version);
            if let Ok(spec) = SolverSpec::parse(&text) {
                let solver = self.resolve(&spec);
                found.push((spec, solver));
            }
        }
        found
    }

    fn profile_for(&self, label: &str, program: &str) -> Arc<Profile> {
        self.profiles.get(label).cloned().unwrap_or_else(|| self.profiles.for_program(program))
    }

    fn open_program(
        &self,
        spec: &SolverSpec,
        profile: Arc<Profile>,
        program: PathBuf,
    ) -> Result<Solver, ResolveError> {
        let args = spec.rooted_args();
        let hash = digest::of_build(&program, &args).map_err(|e| unreadable(&program, &e))?;
        let mut solver =
            Solver::from_parts(&spec.label, profile, program, args, self.launcher.clone());
        solver.hash = hash;
        solver.trusts_scripts = self.trusts_scripts;
        solver.walls = self.walls;
        solver.memory = self.memory;
        solver.version = self.ask_version(&solver);
        Ok(solver)
    }

    fn open_release(
        &self,
        spec: &SolverSpec,
        profile: Arc<Profile>,
        release: &Release,
    ) -> Result<Solver, ResolveError> {
        let run = release.command(&self.launcher).map_err(ResolveError::Broken)?;
        let args = spec.rooted_args();
        let hash = digest::of_file(&run.hashed).map_err(|e| unreadable(&run.hashed, &e))?;
        let mut room = Room::of_release(&run.program, &release.folder);
        room.add_arguments(&args);
        Ok(Solver {
            label: spec.label.clone(),
            profile,
            program: run.program,
            program_args: run.args,
            args,
            version: Version::parse(&release.version),
            hash,
            hosted: run.hosted,
            launcher: self.launcher.clone(),
            trusts_scripts: self.trusts_scripts,
            cold_only: false,
            walls: self.walls,
            room: Arc::new(room),
            memory: self.memory,
        })
    }

    /// Runs the program with the profile's version arguments. A solver that tells no version is fine.
    fn ask_version(&self, solver: &Solver) -> Option<Version> {
        let mut profile = (**solver.profile()).clone();
        if profile.name == "generic" {
            // Running an unknown program with a made-up option could do anything.
            return None;
        }
        profile.args = profile.version_args.clone();
        profile.cold.args = Vec::new();
        profile.cold.input = crate::profile::ColdInput::Stdin;
        let probe = Solver { profile: Arc::new(profile), args: Vec::new(), ..solver.clone() };
        let limits = Limits::cpu(std::time::Duration::from_secs(10));
        let setup = Setup { bare: true, limits, ..Setup::default() };
        let outcome = probe.run_cold(&Script::new(""), &setup, Requests::default(), None).ok()?;
        Version::find(&outcome.stdout).or_else(|| Version::find(&outcome.stderr))
    }
}

fn find_program(path: &str) -> Result<PathBuf, ResolveError> {
    if !path.contains('/') {
        return on_path(path).ok_or_else(|| ResolveError::NotFound(path.to_owned()));
    }
    let bad = |reason: &str| ResolveError::BadProgram {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let found = std::fs::canonicalize(path).map_err(|e| bad(&e.to_string()))?;
    if !found.is_file() {
        return Err(bad("is not a file"));
    }
    if !is_executable(&found) {
        return Err(bad("is not executable"));
    }
    Ok(found)
}

pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|p| p.is_file() && is_executable(p))?;
    // It is started in another folder.
    std::path::absolute(found).ok()
}

fn unreadable(path: &Path, e: &std::io::Error) -> ResolveError {
    ResolveError::BadProgram { path: path.display().to_string(), reason: e.to_string() }
}

fn is_executable(path: &Path) -> bool {
    nix::unistd::access(path, nix::unistd::AccessFlags::X_OK).is_ok()
}
