//! What tells one build of a solver from another: a digest of its program, and of what this is known to load and to start.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

use crate::sandbox::parts;

/// A part that is larger is known by its size and time: reading it would take longer than most answers.
const LARGE: u64 = 128 << 20;

/// Digest of a file, in short.
pub(crate) fn of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0u8; 256 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(short(hasher)),
            n => hasher.update(&buffer[..n]),
        }
    }
}

/// Digest of a user's own program with its arguments: of the file alone, if there is nothing else to it.
pub(crate) fn of_build(program: &Path, args: &[String]) -> io::Result<String> {
    let own = of_file(program)?;
    let parts = parts(program, args);
    if parts.is_empty() {
        return Ok(own);
    }
    let mut hasher = Sha256::new();
    hasher.update(own);
    for part in parts {
        hasher.update(format!("\0{}\0{}", part.display(), of_part(&part)));
    }
    Ok(short(hasher))
}

fn of_part(path: &Path) -> String {
    let large = path.metadata().ok().filter(|m| m.len() > LARGE);
    let digest = match large {
        Some(m) => {
            let time = m.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
            Ok(format!("{} {}", m.len(), time.unwrap_or_default().as_nanos()))
        }
        None => of_file(path),
    };
    // One that cannot be read is run or loaded by nobody.
    digest.unwrap_or_default()
}

fn short(hasher: Sha256) -> String {
    hasher.finalize().iter().take(12).map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::*;

    fn put(path: &Path, text: impl AsRef<[u8]>) {
        std::fs::write(path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A build is another one if a program that its script starts is, or a text that an argument names; not if it writes a log.
    #[test]
    fn wrappers() {
        let folder = std::env::temp_dir().join(format!("smelt-digest-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        let (wrapper, inner, log) = (at("wrapper"), at("inner"), at("log"));
        let named = |p: &PathBuf| p.display().to_string();
        put(
            &wrapper,
            format!("#!/bin/sh\n# {}\n{} >> {}\n", named(&at("old")), named(&inner), named(&log)),
        );
        put(&inner, "#!/bin/sh\necho sat\n");
        put(&at("old"), "1");
        std::fs::write(&log, "1").unwrap();
        let args = [format!("--with={}", named(&at("options")))];
        std::fs::write(at("options"), "1").unwrap();
        let digest = || of_build(&wrapper, &args).unwrap();
        let first = digest();
        std::fs::write(&log, "2").unwrap();
        put(&at("old"), "2");
        assert_eq!(digest(), first);
        for changed in [&inner, &at("options")] {
            let before = digest();
            put(changed, "#!/bin/sh\necho unsat\n");
            assert_ne!(digest(), before, "{}", changed.display());
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// A thin program with the solver in a shared library, which is built anew.
    #[test]
    fn shared_libraries() {
        let folder = std::env::temp_dir().join(format!("smelt-library-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let compile = |text: &str, args: &[&str]| {
            std::fs::write(folder.join("a.c"), text).unwrap();
            let mut cc = std::process::Command::new("cc");
            let done = cc.current_dir(&folder).arg("a.c").args(args).status();
            assert!(done.is_ok_and(|s| s.success()), "cc {args:?}");
        };
        let library = ["-shared", "-fPIC", "-o", "libsolve.so"];
        compile("int solve(void) { return 1; }", &library);
        let rpath = "-Wl,-rpath,$ORIGIN";
        compile(
            "int solve(void); int main(void) { return solve(); }",
            &["-o", "solver", "-L.", "-lsolve", rpath],
        );
        let digest = || of_build(&folder.join("solver"), &[]).unwrap();
        let (program, before) = (of_file(&folder.join("solver")).unwrap(), digest());
        compile("int solve(void) { return 2; }", &library);
        assert_ne!(digest(), before);
        assert_eq!(of_file(&folder.join("solver")).unwrap(), program);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// A program that needs nothing but what every program needs is known by its file.
    #[test]
    fn a_program_alone() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(of_build(&own, &[]).unwrap(), of_file(&own).unwrap());
        assert_eq!(of_file(&own).unwrap().len(), 24);
        assert!(of_file(Path::new("/no such file")).is_err());
    }
}
