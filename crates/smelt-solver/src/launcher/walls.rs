//! The walls of a solver's process: built by the launcher, entered by the child that becomes the solver.

use std::io::{Error, Result};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, PathBeneath, PathFd, PathFdError, RulesetCreated,
    RulesetCreatedAttr, RulesetStatus, make_bitflags, path_beneath_rules,
};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};

use crate::sandbox::{Confinement, ruleset};

/// The newest version of Landlock's interface that is used; older kernels hold what they can.
const NEWEST: ABI = ABI::V6;

/// Walls that are ready to be entered.
pub(super) struct Walls {
    file_size: Option<u64>,
    rules: Option<RulesetCreated>,
}

impl Walls {
    /// Builds the walls: `own` is the folder of the process, and `script` a file that it must read.
    pub fn build(wanted: &Confinement, own: &Path, script: Option<&Path>) -> Result<Walls> {
        let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
        let run = read | AccessFs::Execute;
        // What a process writes into its folder it cannot run.
        let write = AccessFs::from_all(NEWEST) & !BitFlags::from(AccessFs::Execute);
        let null = make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate | IoctlDev});
        let rules = wanted.room.as_ref().map(|room| {
            // A path that is not there needs no rule.
            ruleset(NEWEST, CompatLevel::BestEffort)?
                .add_rules(path_beneath_rules(&room.read, read))?
                .add_rules(path_beneath_rules(&room.run, run))?
                .add_rules(path_beneath_rules(script, read))?
                .add_rules(path_beneath_rules([own], write))?
                .add_rules(path_beneath_rules(["/dev/null"], null))
        });
        let rules = rules.transpose().map_err(Error::other)?;
        Ok(Walls { file_size: wanted.file_size, rules })
    }

    /// Puts this process and all that it starts within the walls, for good.
    pub fn enter(self) -> Result<()> {
        prctl::set_no_new_privs()?;
        if let Some(most) = self.file_size {
            setrlimit(Resource::RLIMIT_FSIZE, most, most)?;
        }
        let Some(rules) = self.rules else { return Ok(()) };
        // Of `/proc` it sees itself. Sanitizers read there where the program is loaded.
        let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
        let itself: std::result::Result<PathFd, PathFdError> = PathFd::new("/proc/self");
        let rules = match itself {
            Ok(folder) => rules.add_rule(PathBeneath::new(folder, read)).map_err(Error::other)?,
            Err(_) => rules,
        };
        match rules.restrict_self().map_err(Error::other)?.ruleset {
            RulesetStatus::NotEnforced => {
                Err(Error::other("the kernel's Landlock is switched off"))
            }
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        }
    }
}
