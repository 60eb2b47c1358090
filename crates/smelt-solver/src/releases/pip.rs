//! The ordinary Python package client, run as a process like any solver: nothing of it outlives smelt.

use std::path::Path;
use std::time::Duration;

use crate::launcher::Request;
use crate::limits::Cancel;
use crate::outcome::RunError;
use crate::process::{Capture, Input, Launcher, Process, Wait, Wake};

/// A Python with pip.
pub(super) struct Pip<'a> {
    launcher: &'a Launcher,
    cancel: Option<&'a Cancel>,
    command: Vec<String>,
    /// Path of the interpreter, for hosts.
    pub python: String,
    /// `3.11`
    pub python_version: String,
}

/// What a command of the client gave.
pub(super) struct Said {
    pub ok: bool,
    pub stdout: String,
    pub stderr: String,
}

impl<'a> Pip<'a> {
    /// Looks for Python 3 with pip.
    pub fn find(launcher: &'a Launcher, cancel: Option<&'a Cancel>) -> Result<Pip<'a>, String> {
        const QUESTION: &str =
            "import sys; print(sys.executable); print('%d.%d' % sys.version_info[:2]); import pip";
        let mut reasons = Vec::new();
        for python in ["python3", "python"] {
            let argv = [python, "-c", QUESTION].map(String::from).to_vec();
            match run(launcher, argv, None, Duration::from_secs(60), cancel, |_| {}) {
                Ok(said) if said.ok => {
                    let mut lines = said.stdout.lines();
                    if let (Some(path), Some(version)) = (lines.next(), lines.next()) {
                        let command =
                            [path, "-m", "pip", "--disable-pip-version-check", "--no-input"];
                        return Ok(Pip {
                            launcher,
                            cancel,
                            command: command.map(String::from).to_vec(),
                            python: path.to_owned(),
                            python_version: version.to_owned(),
                        });
                    }
                }
                Ok(said) => {
                    reasons.push(said.stderr.lines().last().unwrap_or("it failed").to_owned())
                }
                Err(e) => reasons.push(e.to_string()),
            }
        }
        Err(format!("Python 3 with pip is needed to install solvers ({})", reasons.join("; ")))
    }

    /// Flags that make the client take a wheel for this machine, also one with an old platform tag.
    fn wheel_flags(python_version: &str) -> Vec<String> {
        let machine = std::env::consts::ARCH;
        let mut flags = vec![String::from("--no-deps"), String::from("--only-binary=:all:")];
        let mut tags: Vec<String> =
            ["1", "2010", "2014"].iter().map(|t| format!("manylinux{t}_{machine}")).collect();
        tags.extend((12..=39).rev().map(|minor| format!("manylinux_2_{minor}_{machine}")));
        tags.push(format!("linux_{machine}"));
        for tag in tags {
            flags.push(String::from("--platform"));
            flags.push(tag);
        }
        flags.extend([
            String::from("--python-version"),
            python_version.to_owned(),
            String::from("--implementation"),
            String::from("cp"),
        ]);
        flags
    }

    /// Versions of a package, from the newest.
    pub fn versions(&self, package: &str) -> Result<Vec<String>, String> {
        let mut argv = self.command.clone();
        argv.extend(["index", "versions", package].map(String::from));
        let said = run(self.launcher, argv, None, Duration::from_secs(120), self.cancel, |_| {})
            .map_err(|e| e.to_string())?;
        let line = said.stdout.lines().find_map(|l| l.strip_prefix("Available versions:"));
        match line {
            Some(line) => {
                Ok(line.split(',').map(|v| v.trim().to_owned()).filter(|v| !v.is_empty()).collect())
            }
            None => Err(last_error(&said)
                .unwrap_or_else(|| format!("the registry names no version of {package}"))),
        }
    }

    /// Installs one package version into a folder. `progress` sees the client's lines.
    pub fn install(
        &self,
        package: &str,
        version: &str,
        python_version: &str,
        folder: &Path,
        temporary: &Path,
        progress: impl FnMut(&str),
    ) -> Result<(), String> {
        let mut argv = self.command.clone();
        argv.extend(["install", "--no-compile", "--progress-bar", "off"].map(String::from));
        argv.extend([String::from("--target"), folder.to_string_lossy().into_owned()]);
        argv.extend(Pip::wheel_flags(python_version));
        argv.push(format!("{package}=={version}"));
        let said = run(
            self.launcher,
            argv,
            Some(temporary),
            Duration::from_secs(1800),
            self.cancel,
            progress,
        )
        .map_err(|e| e.to_string())?;
        if said.ok {
            return Ok(());
        }
        Err(last_error(&said)
            .unwrap_or_else(|| format!("the client failed to install {package}=={version}")))
    }
}

fn last_error(said: &Said) -> Option<String> {
    let line = said.stderr.lines().rev().find(|l| l.starts_with("ERROR:"))?;
    Some(line.trim_start_matches("ERROR:").trim().to_owned())
}

/// Runs a command to its end, with its lines passed on as they come.
fn run(
    launcher: &Launcher,
    argv: Vec<String>,
    temporary: Option<&Path>,
    limit: Duration,
    cancel: Option<&Cancel>,
    mut progress: impl FnMut(&str),
) -> Result<Said, RunError> {
    // What a killed client leaves lies in the staging folder, which is swept.
    let env = temporary
        .map(|t| (String::from("TMPDIR"), t.to_string_lossy().into_owned()))
        .into_iter()
        .collect();
    let request = Request { argv, env, wall: Some(limit), ..Request::default() };
    let mut process = Process::start(launcher, &request, Input::Stdin(""), cancel)?;
    let (mut stdout, mut stderr) = (Capture::default(), Capture::default());
    let mut seen = 0;
    let wait = Wait {
        until: std::time::Instant::now() + limit + Duration::from_secs(20),
        output: 64 << 20,
        cancel,
    };
    let wake = process.pump(&mut &[][..], &mut stdout, &mut stderr, &wait, |output| {
        while let Some(end) = output[seen..].iter().position(|b| matches!(b, b'\n' | b'\r')) {
            progress(String::from_utf8_lossy(&output[seen..seen + end]).trim());
            seen += end + 1;
        }
        false
    })?;
    let ok = matches!(wake, Wake::Over(done) if done.code == Some(0));
    Ok(Said { ok, stdout: stdout.text(), stderr: stderr.text() })
}

#[cfg(test)]
mod tests {
    use super::Pip;

    /// A wheel is unpacked, a source package is run.
    #[test]
    fn wheels_only() {
        let flags = Pip::wheel_flags("3.11");
        assert!(flags.contains(&"--only-binary=:all:".to_owned()), "{flags:?}");
        assert!(flags.contains(&"--no-deps".to_owned()), "{flags:?}");
    }
}
