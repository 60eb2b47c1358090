//! What a wrapper script names: its interpreter, the program that it wraps, files that it reads.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Scripts that may start each other: a wrapper by `#!/usr/bin/env python3` starts what may be a script of a version manager's, which
/// starts Python.
const SCRIPTS: u32 = 3;
/// Programs that a script may name, at most: each is looked for in every folder of PATH.
const MOST_NAMES: usize = 500;

/// What a script names that is there, and what the scripts name that it names: absolute paths, and programs on PATH. Nothing of a program
/// that is no script.
pub(super) fn named(program: &Path) -> BTreeSet<PathBuf> {
    let mut all = BTreeSet::new();
    add_named(program, SCRIPTS, &mut all);
    all
}

fn add_named(program: &Path, scripts: u32, all: &mut BTreeSet<PathBuf>) {
    for path in named_in_script(program) {
        if path.exists() && all.insert(path.clone()) && scripts > 1 {
            add_named(&path, scripts - 1, all);
        }
    }
}

/// Absolute paths in the text of a script, and the programs on PATH by whose name a word of it is. Lines of comments name nothing, but for the
/// first one, `#!…`; a comment behind something else in its line does, since a `#` there may be in quotes.
fn named_in_script(program: &Path) -> Vec<PathBuf> {
    let mut start = Vec::new();
    let read = std::fs::File::open(program).map(|f| f.take(64 << 10).read_to_end(&mut start));
    if !matches!(read, Ok(Ok(_))) || !start.starts_with(b"#!") {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&start[2..]).into_owned();
    let lines = text.lines().filter(|l| !l.trim_start().starts_with('#'));
    let words =
        lines.flat_map(|l| l.split(|c: char| c.is_whitespace() || "\"'`=:;,()<>|&".contains(c)));
    let words: BTreeSet<&str> = words.filter(|w| w.len() > 1).collect();
    let (paths, names): (Vec<&str>, Vec<&str>) =
        words.into_iter().partition(|w| w.starts_with('/'));
    let names = names.into_iter().filter(|w| !w.contains('/') && !w.starts_with('-'));
    let found = names.take(MOST_NAMES).filter_map(on_path);
    paths.into_iter().map(PathBuf::from).chain(found).collect()
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

/// Absolute paths that arguments name, alone or behind a `=`, and that are there.
pub(super) fn in_arguments(args: &[String]) -> BTreeSet<PathBuf> {
    let value = |arg: &String| arg.split_once('=').map(|(_, value)| PathBuf::from(value));
    let both = args.iter().flat_map(|a| [Some(PathBuf::from(a)), value(a)]).flatten();
    both.filter(|p| p.is_absolute() && p.exists()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_names_what_it_wraps() {
        let path = std::env::temp_dir().join(format!("smelt-named-{}", std::process::id()));
        let text = "#!/usr/bin/python3 -u\n# see /etc/hosts\n  # or /etc/group\n\
                    exec '/etc/ld.so.cache' --x=/etc/passwd # /etc/fstab\n";
        std::fs::write(&path, text).unwrap();
        let mut named = named_in_script(&path);
        std::fs::remove_file(&path).unwrap();
        // (`exec` may be a program on PATH.)
        named.retain(|p| p.starts_with("/etc") || p.ends_with("python3"));
        let expect = ["/etc/fstab", "/etc/ld.so.cache", "/etc/passwd", "/usr/bin/python3"];
        assert_eq!(named, expect.map(PathBuf::from));
        assert!(on_path("sh").is_some_and(|p| p.is_absolute()));
        assert_eq!(on_path("no such program"), None);
        assert_eq!(named_in_script(Path::new("/bin/sh")), [""; 0].map(PathBuf::from));
    }

    #[test]
    fn arguments_name_files() {
        let args = ["--x=/etc/passwd", "/etc/group", "etc/hosts", "-v", "/no/such/file", "a=b"];
        let named = in_arguments(&args.map(str::to_owned));
        assert_eq!(named, ["/etc/group", "/etc/passwd"].map(PathBuf::from).into());
    }
}
