//! A solver that was found and can be run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::limits::{Limits, Setup};
use crate::process::Launcher;
use crate::profile::{ColdInput, Profile, Warm};
use crate::sandbox::{Confinement, Room, Walls};
use crate::script::Script;
use crate::version::{Version, in_range};

/// A solver that was found and can be run.
#[derive(Debug, Clone)]
pub struct Solver {
    pub(crate) label: String,
    pub(crate) profile: Arc<Profile>,
    pub(crate) program: PathBuf,
    /// Arguments that belong to the program itself: the host script and the package folder of a hosted release.
    pub(crate) program_args: Vec<String>,
    pub(crate) args: Vec<String>,
    pub(crate) version: Option<Version>,
    pub(crate) hash: String,
    pub(crate) hosted: bool,
    pub(crate) launcher: Launcher,
    /// Scripts reach it as they are, see [`crate::admit`].
    pub(crate) trusts_scripts: bool,
    /// Each script gets a process of its own.
    pub(crate) cold_only: bool,
    /// What stands around its processes.
    pub(crate) walls: Walls,
    /// What they may read and run within them.
    pub(crate) room: Arc<Room>,
    /// Memory of a process in bytes, in the place of what limits say.
    pub(crate) memory: Option<u64>,
}

impl Solver {
    /// A solver made by hand, for tests and embedders, without a sandbox; [`crate::Registry::resolve`] is the ordinary way.
    pub fn from_parts(
        label: &str,
        profile: Arc<Profile>,
        program: impl Into<PathBuf>,
        args: Vec<String>,
        launcher: Launcher,
    ) -> Solver {
        let program = program.into();
        Solver {
            label: label.to_owned(),
            profile,
            room: Arc::new(Room::of_program(&program, &args)),
            program,
            program_args: Vec::new(),
            args,
            version: None,
            hash: String::new(),
            hosted: false,
            launcher,
            trusts_scripts: false,
            cold_only: false,
            walls: Walls::NONE,
            memory: None,
        }
    }

    /// Its name in tables and findings.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its profile.
    pub fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// The program that is started.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The folder of the release that an embedded host runs.
    pub fn folder(&self) -> Option<&Path> {
        self.program_args.last().filter(|_| self.hosted).map(Path::new)
    }

    /// Its version, if it tells one.
    pub fn version(&self) -> Option<&Version> {
        self.version.as_ref()
    }

    /// Digest of the binary or library; of a user's own program, also of the libraries that it loads and of what it starts, if it is a script,
    /// as far as files name them. With the options it identifies what was tested.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Options of the user's.
    pub fn args(&self) -> &[String] {
        &self.args
    }

    /// Whether an embedded host runs it.
    pub fn hosted(&self) -> bool {
        self.hosted
    }

    /// Whether scripts are sent as they are, with commands that may write and read files.
    pub fn trusts_scripts(&self) -> bool {
        self.trusts_scripts
    }

    /// A copy of the solver with other options of the user's. What they name it may read.
    pub fn with_args(&self, args: Vec<String>) -> Solver {
        let mut room = (*self.room).clone();
        room.add_arguments(&args);
        Solver { args, room: Arc::new(room), ..self.clone() }
    }

    /// The solver with these walls around its processes.
    #[must_use]
    pub fn within(self, walls: Walls) -> Solver {
        Solver { walls, ..self }
    }

    /// The walls around its processes.
    pub fn walls(&self) -> Walls {
        self.walls
    }

    /// The walls around its processes, for people.
    pub fn sandbox_words(&self) -> String {
        match self.walls.file_size && self.profile.writes_files {
            true => format!("{}; it may write files in its own folder", self.walls),
            false => self.walls.to_string(),
        }
    }

    /// What its next process is kept from.
    pub(crate) fn confinement(&self) -> Option<Confinement> {
        Confinement::new(self.walls, self.profile.writes_files, &self.room)
    }

    /// The solver with scripts reaching it as they are, or only what is on the list, see [`crate::admit`].
    #[must_use]
    pub fn trusting_scripts(self, trusts_scripts: bool) -> Solver {
        Solver { trusts_scripts, ..self }
    }

    /// The solver with a process for each script.
    #[must_use]
    pub fn cold_only(self) -> Solver {
        Solver { cold_only: true, ..self }
    }

    /// Bytes of memory that its processes have, if that is not left to [`crate::Limits`].
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// A setup with the memory that its processes have.
    pub(crate) fn within_memory(&self, setup: &Setup) -> Setup {
        let memory = self.memory.or(setup.limits.memory);
        Setup { limits: Limits { memory, ..setup.limits.clone() }, ..setup.clone() }
    }

    /// How it works warm, if it does.
    pub fn warm(&self) -> Option<&Warm> {
        if self.cold_only {
            return None;
        }
        self.profile.warm_of(self.version.as_ref()).filter(|w| self.hosted || !w.hosted_only)
    }

    /// Whether its host loses scopes of names between the pieces of a script.
    pub(crate) fn forgets_scopes(&self) -> bool {
        let releases = self.warm().and_then(|w| w.forgets_scopes.as_deref());
        self.hosted && releases.is_some_and(|r| in_range(self.version.as_ref(), r))
    }

    /// The command line by which others run it: the program with what belongs to it and the user's options. A script's path goes behind it.
    pub fn bare_command(&self) -> Vec<String> {
        let program = self.program.to_string_lossy().into_owned();
        let args = self.program_args.iter().chain(&self.args).cloned();
        std::iter::once(program).chain(args).collect()
    }

    /// The command line of a cold run. `{file}` stands for the script's path.
    pub fn cold_command(&self, setup: &Setup, script: &Script) -> Vec<String> {
        let mut argv = self.common_command(setup, setup.incremental || script.incremental());
        argv.extend(self.profile.cold.args.iter().cloned());
        argv
    }

    /// The command line of a warm session, which together with the binary is the session's key.
    pub fn warm_command(&self, setup: &Setup) -> Vec<String> {
        let mut argv = self.common_command(setup, setup.incremental);
        if let Some(warm) = self.warm() {
            argv.extend(warm.args.iter().cloned());
        }
        argv
    }

    /// Commands that go before every script.
    pub(crate) fn prelude(&self, setup: &Setup) -> &str {
        self.profile.core_prelude.as_deref().filter(|_| setup.cores).unwrap_or("")
    }

    /// How cold runs get their script.
    pub fn cold_input(&self) -> ColdInput {
        self.profile.cold.input
    }

    fn common_command(&self, setup: &Setup, incremental: bool) -> Vec<String> {
        let profile = &self.profile;
        let mut argv = vec![self.program.to_string_lossy().into_owned()];
        argv.extend(self.program_args.iter().cloned());
        argv.extend(profile.args.iter().cloned());
        if !setup.bare {
            argv.extend(profile.usual_args.iter().cloned());
        }
        if incremental {
            argv.extend(profile.incremental_args.iter().cloned());
        } else if !setup.bare {
            argv.extend(profile.plain_args.iter().cloned());
        }
        if setup.models {
            argv.extend(profile.model_args.iter().cloned());
        }
        if setup.cores {
            argv.extend(profile.core_args.iter().cloned());
        }
        if setup.self_check {
            argv.extend(profile.self_check_args.iter().cloned());
        }
        if let (Some(n), Some(option)) = (setup.limits.resource, &profile.resource_limit) {
            argv.push(option.arg.replace("{n}", &n.to_string()));
        }
        argv.extend(self.args.iter().cloned());
        argv.extend(setup.extra.iter().cloned());
        argv
    }
}
