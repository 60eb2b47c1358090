//! Walls around the processes of solvers, behind the filter of [`crate::admit`]: what they could still be told to do, the kernel
//! refuses.
//!
//! * *File size*: a solver whose profile does not say that it writes files (`writes_files`) may make no file longer than 0 bytes.
//!   Every kernel has this; it does not stop that a file is read, made or emptied.
//! * *Landlock* (Linux 5.13 and later): no write outside of the process's own folder, no read but of its program, its libraries
//!   and the system's; with newer kernels no TCP, and no signals or abstract sockets to processes outside.
//!
//! Both come with `no_new_privs`. They are asked for here and built by the launcher, see `launcher/walls.rs`. What a solver may read is
//! found out once, when it is resolved (`Room`).

mod elf;
mod libraries;
mod named;
mod parts;
mod room;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use landlock::{ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr};
use landlock::{RulesetCreated, RulesetError, Scope};
use serde::{Deserialize, Serialize};

pub(crate) use parts::parts;
pub(crate) use room::Room;

/// What the user wants of the walls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sandbox {
    /// All of them, or no solver is run.
    Require,
    /// Those that this kernel has.
    #[default]
    Auto,
    /// None.
    Off,
}

impl Sandbox {
    /// All of them, with their names on the command line.
    pub const ALL: [(Sandbox, &str); 3] =
        [(Sandbox::Require, "require"), (Sandbox::Auto, "auto"), (Sandbox::Off, "off")];
}

impl FromStr for Sandbox {
    type Err = String;

    fn from_str(text: &str) -> Result<Sandbox, String> {
        let found = Sandbox::ALL.into_iter().find(|(_, name)| *name == text);
        found.map(|(s, _)| s).ok_or_else(|| String::from("require, auto or off is needed"))
    }
}

impl fmt::Display for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Sandbox::ALL.iter().find(|(s, _)| s == self).map_or("", |(_, name)| name))
    }
}

/// The walls that stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walls {
    /// The limit on the size of files.
    pub file_size: bool,
    /// The version of Landlock's interface, up to the newest that smelt knows; 0 where there is none.
    pub landlock: u8,
}

impl Walls {
    /// No walls.
    pub const NONE: Walls = Walls { file_size: false, landlock: 0 };

    /// The walls that the user wants, as far as this kernel has them.
    pub fn wanted(sandbox: Sandbox) -> Result<Walls, String> {
        let kernel = Walls { file_size: true, landlock: kernel_abi() };
        match sandbox {
            Sandbox::Off => Ok(Walls::NONE),
            Sandbox::Require if kernel.landlock == 0 => Err(String::from(
                "--sandbox require: this kernel has no Landlock (Linux 5.13 or later, switched on), so that solvers could read \
                 and empty files where a script slips through; --sandbox auto does with the other walls",
            )),
            Sandbox::Require | Sandbox::Auto => Ok(kernel),
        }
    }

    /// Whether anything stands.
    pub fn any(self) -> bool {
        self != Walls::NONE
    }

    /// What Landlock does not hold here, because the kernel is too old.
    pub fn gaps(self) -> Vec<&'static str> {
        let gaps = [
            (1, "reading, making and emptying files"),
            (3, "truncate(2)"),
            (4, "TCP"),
            (6, "signals and abstract sockets"),
        ];
        gaps.into_iter().filter(|(abi, _)| self.landlock < *abi).map(|(_, gap)| gap).collect()
    }
}

impl fmt::Display for Walls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.any() {
            return f.write_str("off");
        }
        f.write_str(if self.file_size { "file size limit" } else { "no file size limit" })?;
        match self.landlock {
            0 => f.write_str(", no Landlock")?,
            abi => write!(f, ", Landlock {abi}")?,
        }
        match &self.gaps()[..] {
            [] => Ok(()),
            gaps => write!(f, " (open: {})", gaps.join(", ")),
        }
    }
}

/// The version of Landlock's interface that this kernel has, as far as smelt knows it. Asked for once.
fn kernel_abi() -> u8 {
    static ABI_OF_KERNEL: OnceLock<u8> = OnceLock::new();
    let has = |abi: ABI| ruleset(abi, CompatLevel::HardRequirement).is_ok();
    let known =
        [(6, ABI::V6), (5, ABI::V5), (4, ABI::V4), (3, ABI::V3), (2, ABI::V2), (1, ABI::V1)];
    *ABI_OF_KERNEL.get_or_init(|| {
        known.into_iter().find(|(_, abi)| has(*abi)).map_or(0, |(number, _)| number)
    })
}

/// Rules that forbid everything that this version of Landlock can forbid.
pub(crate) fn ruleset(abi: ABI, level: CompatLevel) -> Result<RulesetCreated, RulesetError> {
    let mut rules =
        Ruleset::default().set_compatibility(level).handle_access(AccessFs::from_all(abi))?;
    let tcp = AccessNet::from_all(abi);
    if !tcp.is_empty() {
        rules = rules.handle_access(tcp)?;
    }
    let scope = Scope::from_all(abi);
    if !scope.is_empty() {
        rules = rules.scope(scope)?;
    }
    rules.create()
}

/// The walls of one process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Confinement {
    /// Most bytes of a file that it writes.
    pub file_size: Option<u64>,
    /// All that it may read beside its own folder, if there is Landlock.
    pub room: Option<Room>,
}

/// Most bytes of a file of a solver that writes files: in its own folder, which is removed with it.
const WRITTEN: u64 = 64 << 20;

impl Confinement {
    /// The walls of a process of a solver that writes files or does not; `None` where there are none.
    pub fn new(walls: Walls, writes_files: bool, room: &Room) -> Option<Confinement> {
        let most = if writes_files { WRITTEN } else { 0 };
        walls.any().then(|| Confinement {
            file_size: walls.file_size.then_some(most),
            room: (walls.landlock > 0).then(|| room.clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (walls, expect) in [
            (Walls::NONE, "off"),
            (Walls { file_size: true, landlock: 6 }, "file size limit, Landlock 6"),
            (
                Walls { file_size: true, landlock: 3 },
                "file size limit, Landlock 3 (open: TCP, signals and abstract sockets)",
            ),
            (
                Walls { file_size: true, landlock: 0 },
                "file size limit, no Landlock (open: reading, making and emptying files, truncate(2), TCP, signals and \
                 abstract sockets)",
            ),
        ] {
            assert_eq!(walls.to_string(), expect);
        }
        for (sandbox, name) in Sandbox::ALL {
            assert_eq!((name.parse(), sandbox.to_string()), (Ok(sandbox), name.to_owned()));
        }
        assert!("on".parse::<Sandbox>().is_err());
        assert_eq!(Walls::wanted(Sandbox::Off), Ok(Walls::NONE));
    }
}
