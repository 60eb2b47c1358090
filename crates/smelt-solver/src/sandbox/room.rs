//! What the process of a solver may read and run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::elf::Elf;
use super::libraries::{Libraries, both, configured_folders};
use super::named::{in_arguments, named};

/// Files and folders, with all that is below them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Room {
    /// What may be read.
    pub read: BTreeSet<String>,
    /// What may be read and run.
    pub run: BTreeSet<String>,
}

/// Programs and libraries of the system.
const SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// What loaders and run-time systems read beside them: where libraries are, the time zone, what the machine is like.
const MACHINE: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/locale.alias",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
];

impl Room {
    /// The room of an installed release: its folder, and one program, which starts no others.
    pub fn of_release(program: &Path, folder: &Path) -> Room {
        let mut room = Room::default();
        room.read.extend(SYSTEM.iter().chain(MACHINE).map(ToString::to_string));
        room.read_below(folder);
        room.libraries(program);
        room.interpreter(program);
        match Elf::read(program) {
            Some(elf) => {
                room.run(program);
                elf.loader.iter().for_each(|l| room.run(Path::new(l)));
            }
            // A script, such as a version manager's: what it starts is not known.
            None => room.runs_all(program),
        }
        room
    }

    /// The room of a user's own program: it may be a script that starts others, and its arguments name files that it needs.
    pub fn of_program(program: &Path, args: &[String]) -> Room {
        let mut room = Room::default();
        room.read.extend(MACHINE.iter().map(ToString::to_string));
        // Each process that it starts is to find itself there, as sanitizers must. Memory, environment and files of processes outside
        // are not shown to it.
        room.read.insert(String::from("/proc"));
        room.libraries(program);
        room.interpreter(program);
        room.runs_all(program);
        room.add_named(program);
        room.add_arguments(args);
        room
    }

    /// The room of this solver under a debugger, which is a program of the system's and reads of `/proc` what it traces. (Who stands behind
    /// the same walls may be traced, nobody else.)
    pub fn with_debugger(&self, debugger: &Path) -> Room {
        let mut room = Room::of_program(debugger, &[]);
        room.read.extend(self.read.iter().cloned());
        room.run.extend(self.run.iter().cloned());
        room
    }

    /// Files that a user's arguments name, with what lies beside them: a script that an interpreter runs, a file of options.
    pub fn add_arguments(&mut self, args: &[String]) {
        for path in in_arguments(args) {
            self.add_file(&path);
            self.add_named(&path);
        }
    }

    /// A file with what it needs and what lies beside it, or a folder, unless that is a shared one.
    fn add_file(&mut self, path: &Path) {
        if is_shared(path) {
            return;
        }
        self.run(path);
        self.libraries(path);
        self.interpreter(path);
        folder_of(path).iter().for_each(|f| self.run(f));
    }

    /// What a script names, with what lies beside it. Of what is the system's, only its libraries may be elsewhere.
    fn add_named(&mut self, program: &Path) {
        for path in named(program) {
            match both(&path).iter().all(|p| is_of_system(p)) {
                true => self.libraries(&path),
                false => self.add_file(&path),
            }
        }
    }

    /// All of the system and of the program's folder may be run.
    fn runs_all(&mut self, program: &Path) {
        self.run.extend(SYSTEM.iter().map(ToString::to_string));
        for path in both(program) {
            self.run(&path);
            folder_of(&path).iter().for_each(|f| self.run(f));
        }
    }

    fn run(&mut self, path: &Path) {
        self.run.extend(both(path).iter().filter_map(|p| p.to_str()).map(str::to_owned));
    }

    fn read_below(&mut self, path: &Path) {
        self.read.extend(path.to_str().map(str::to_owned));
    }

    /// The folders of the libraries that a program needs, and of those that these need.
    fn libraries(&mut self, program: &Path) {
        let shared = configured_folders().into_iter().filter(|f| !is_of_system(f));
        shared.chain(Libraries::of(program).folders).for_each(|f| self.read_below(&f));
    }

    /// Where an interpreter in a `bin` folder has its modules, if it is none of the system's: `lib` beside `bin`, and what tells a
    /// virtual environment of Python's where the real one is.
    fn interpreter(&mut self, program: &Path) {
        for path in both(program) {
            let Some(bin) = path.parent().filter(|p| p.ends_with("bin")) else { continue };
            for beside in ["lib", "lib64", "libexec", "pyvenv.cfg"] {
                self.read_below(&bin.with_file_name(beside));
            }
        }
    }
}

/// Whether a path is among the programs and libraries of the system.
fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|s| path.starts_with(s))
}

/// The folder of a file, unless that holds more than what belongs to the file: the user's home, the temporary folder, the root,
/// the system's configuration.
fn folder_of(file: &Path) -> Option<PathBuf> {
    file.parent().filter(|folder| !is_shared(folder)).map(Path::to_owned)
}

/// Whether a folder holds more than what belongs to one program.
fn is_shared(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let fixed = ["/", "/etc", "/home", "/root", "/var", "/proc", "/sys", "/dev", "/tmp"];
    let fixed = fixed.map(|p| Some(PathBuf::from(p)));
    let mut shared = fixed.into_iter().chain([Some(std::env::temp_dir()), home]).flatten();
    shared.any(|other| other == folder || other.canonicalize().is_ok_and(|o| o == folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms() {
        let own = std::env::current_exe().unwrap();
        let folder = own.parent().unwrap().to_str().unwrap().to_owned();
        let check = |room: Room, path: &str, read: bool, run: bool| {
            assert_eq!((room.read.contains(path), room.run.contains(path)), (read, run), "{path}");
        };
        let release = || Room::of_release(&own, Path::new("/opt/release"));
        check(release(), "/opt/release", true, false);
        check(release(), "/usr", true, false);
        check(release(), own.to_str().unwrap(), false, true);
        let program = || Room::of_program(&own, &[String::from("--x=/etc/passwd")]);
        // (It may be in LD_LIBRARY_PATH as well.)
        assert!(program().run.contains(&folder));
        check(program(), "/usr", false, true);
        check(program(), "/etc/passwd", false, true);
        check(program(), "/etc", false, false);
        check(Room::of_program(Path::new("/bin/sh"), &[]), "/etc", false, false);
    }

    #[test]
    fn folders_that_hold_more_than_a_program() {
        let temporary = std::env::temp_dir();
        assert_eq!(folder_of(&temporary.join("z3")), None);
        assert_eq!(folder_of(&temporary.join("build/z3")), Some(temporary.join("build")));
        assert_eq!(folder_of(Path::new("/z3")), None);
    }
}
