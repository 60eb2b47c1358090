//! What the process of a solver may read and run.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::elf::Elf;

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
        room.add_named(program, SCRIPTS);
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
        for arg in args {
            let value = arg.split_once('=').map_or(arg.as_str(), |(_, value)| value);
            let named = [arg, value].into_iter().map(Path::new);
            for path in named.filter(|p| p.is_absolute() && p.exists()) {
                self.add_file(path);
                self.add_named(path, SCRIPTS);
            }
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

    /// What a script names, and what the scripts name that it names: a wrapper by `#!/usr/bin/env python3` starts what may be a script of
    /// a version manager's, which starts Python.
    fn add_named(&mut self, program: &Path, scripts: u32) {
        for name in named_in_script(program) {
            let path = Path::new(&name);
            if path.exists() && !self.run.contains(&name) {
                self.add_file(path);
                if scripts > 1 {
                    self.add_named(path, scripts - 1);
                }
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
        for folder in configured_folders() {
            self.read_below(&folder);
        }
        let mut seen = BTreeSet::new();
        let mut todo = both(program);
        while let Some(file) = todo.pop() {
            if seen.len() > 1000 || !seen.insert(file.clone()) {
                continue;
            }
            let (Some(elf), Some(origin)) = (Elf::read(&file), file.parent()) else { continue };
            let origin = origin.to_string_lossy();
            for folder in &elf.folders {
                let folder = folder.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin);
                let Ok(folder) = Path::new(&folder).canonicalize() else { continue };
                self.read_below(&folder);
                todo.extend(elf.needed.iter().map(|n| folder.join(n)).filter(|p| p.is_file()));
            }
        }
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

/// Scripts that may start each other.
const SCRIPTS: u32 = 3;
/// Programs that a script may name, at most: each is looked for in every folder of PATH.
const MOST_NAMES: usize = 500;

/// What a script that a user gives as a solver names: absolute paths, such as its interpreter and the program that it wraps, and programs
/// outside of the system's folders that it finds on PATH, such as the one of `#!/usr/bin/env python3`. Nothing in a program that is no script.
fn named_in_script(program: &Path) -> Vec<String> {
    let mut start = Vec::new();
    let read = std::fs::File::open(program).map(|f| f.take(64 << 10).read_to_end(&mut start));
    if !matches!(read, Ok(Ok(_))) || !start.starts_with(b"#!") {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&start[2..]).into_owned();
    let words = text.split(|c: char| c.is_whitespace() || "\"'`=:;,()<>|&".contains(c));
    let words: BTreeSet<&str> = words.filter(|w| w.len() > 1).collect();
    let (paths, names): (Vec<&str>, Vec<&str>) =
        words.into_iter().partition(|w| w.starts_with('/'));
    let names = names.into_iter().filter(|w| !w.contains('/') && !w.starts_with('-'));
    let found = names.take(MOST_NAMES).filter_map(on_path);
    let found = found.filter(|p| !SYSTEM.iter().any(|s| p.starts_with(s)));
    let found = found.filter_map(|p| p.to_str().map(str::to_owned));
    paths.into_iter().map(str::to_owned).chain(found).collect()
}

/// The program that a shell would start by this name.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let runs = |p: &PathBuf| {
        let file = std::fs::metadata(p).is_ok_and(|m| m.is_file());
        file && nix::unistd::access(p, nix::unistd::AccessFlags::X_OK).is_ok()
    };
    std::env::split_paths(&path).filter(|f| f.is_absolute()).map(|f| f.join(name)).find(runs)
}

/// A path, and where its links lead.
fn both(path: &Path) -> Vec<PathBuf> {
    let mut all = vec![path.to_owned()];
    all.extend(path.canonicalize().ok().filter(|p| p != path));
    all
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

/// Folders in which this user's or this system's loader looks for libraries of all programs.
fn configured_folders() -> Vec<PathBuf> {
    let named = |variable: &str| {
        let text = std::env::var_os(variable).unwrap_or_default();
        std::env::split_paths(&text).collect::<Vec<_>>()
    };
    let mut found = named("LD_LIBRARY_PATH");
    found.extend(named("LD_PRELOAD"));
    let entries = std::fs::read_dir("/etc/ld.so.conf.d").into_iter().flatten().flatten();
    for file in entries.map(|e| e.path()).chain([PathBuf::from("/etc/ld.so.conf")]) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        found.extend(text.lines().map(str::trim).filter(|l| l.starts_with('/')).map(PathBuf::from));
    }
    found.retain(|p| p.is_absolute() && !SYSTEM.iter().any(|s| p.starts_with(s)));
    found
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
    fn a_script_names_what_it_wraps() {
        let path = std::env::temp_dir().join(format!("smelt-room-{}", std::process::id()));
        std::fs::write(&path, "#!/usr/bin/python3 -u\nexec '/etc/ld.so.cache' --x=/etc/passwd\n")
            .unwrap();
        let named = named_in_script(&path);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(named, ["/etc/ld.so.cache", "/etc/passwd", "/usr/bin/python3"]);
        // A shell is the system's, and needs no leave of its own.
        assert!(on_path("sh").is_some_and(|p| p.is_absolute()));
        assert_eq!(on_path("no such program"), None);
        assert_eq!(named_in_script(Path::new("/bin/sh")), [""; 0]);
    }

    #[test]
    fn folders_that_hold_more_than_a_program() {
        let temporary = std::env::temp_dir();
        assert_eq!(folder_of(&temporary.join("z3")), None);
        assert_eq!(folder_of(&temporary.join("build/z3")), Some(temporary.join("build")));
        assert_eq!(folder_of(Path::new("/z3")), None);
    }
}
