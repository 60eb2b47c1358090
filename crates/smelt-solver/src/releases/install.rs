//! Installing and removing releases. A killed install leaves nothing that looks like a release.

use std::fs;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use nix::fcntl::{Flock, FlockArg};

use super::pip::Pip;
use super::{MANIFEST, Manifest, Release, find, host, installed, pick, runnable};
use crate::home::{Home, write_atomically};
use crate::limits::Cancel;
use crate::process::Launcher;
use crate::profile::{PackageHost, Profile};

/// Why an install failed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The solver has no package.
    #[error("{0} is in no package registry that smelt knows; put its program on PATH")]
    NoPackage(String),
    /// There is no such version.
    #[error("{name} has no release {version}; there are {known}")]
    NoVersion {
        /// Solver.
        name: String,
        /// What was asked for.
        version: String,
        /// What there is.
        known: String,
    },
    /// The release exists but cannot run scripts.
    #[error("{name} {version} has no program and no parser, so it cannot run scripts")]
    CannotRun {
        /// Solver.
        name: String,
        /// Version.
        version: String,
    },
    /// The package client failed.
    #[error("{0}")]
    Client(String),
    /// The data folder cannot be written.
    #[error("{0}: {1}")]
    Folder(PathBuf, std::io::Error),
}

/// What an install is doing, for a progress bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallStep {
    /// Asking the registry which versions there are.
    Looking,
    /// Downloading this version; the text is the client's own (file and size).
    Downloading(String),
    /// Unpacking and moving it into place.
    Finishing,
}

/// The result of an install.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Version as the registry spells it.
    pub version: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Whether it was there already.
    pub already: bool,
}

/// Versions that can be installed and run, from the newest.
pub fn available(
    profile: &Profile,
    launcher: &Launcher,
    cancel: Option<&Cancel>,
) -> Result<Vec<String>, InstallError> {
    let package =
        profile.package.as_ref().ok_or_else(|| InstallError::NoPackage(profile.name.clone()))?;
    let pip = Pip::find(launcher, cancel).map_err(InstallError::Client)?;
    let all = pip.versions(&package.name).map_err(InstallError::Client)?;
    Ok(all.into_iter().filter(|v| runnable(profile, v).is_some()).collect())
}

/// Installs a version (`latest`, `4.8.7`, or exactly as the registry spells it) into the data folder.
pub fn install(
    home: &Home,
    profile: &Profile,
    version: &str,
    launcher: &Launcher,
    cancel: Option<&Cancel>,
    mut progress: impl FnMut(InstallStep),
) -> Result<Installed, InstallError> {
    let package =
        profile.package.as_ref().ok_or_else(|| InstallError::NoPackage(profile.name.clone()))?;
    sweep_leftovers(&home.solvers());
    if version != "latest"
        && let Some(release) = find(home, &profile.name, version)
    {
        return Ok(Installed { version: release.version, folder: release.folder, already: true });
    }
    progress(InstallStep::Looking);
    let pip = Pip::find(launcher, cancel).map_err(InstallError::Client)?;
    let all = pip.versions(&package.name).map_err(InstallError::Client)?;
    let candidates: Vec<String> = match version {
        // The newest that can run scripts and is no pre-release.
        "latest" => all.iter().filter(|v| runnable(profile, v).is_some()).cloned().collect(),
        _ => all.clone(),
    };
    let chosen =
        pick(&candidates, |v| v, version).cloned().ok_or_else(|| InstallError::NoVersion {
            name: profile.name.clone(),
            version: version.to_owned(),
            known: all.join(", "),
        })?;
    let run = runnable(profile, &chosen).ok_or_else(|| InstallError::CannotRun {
        name: profile.name.clone(),
        version: chosen.clone(),
    })?;
    let folder = home.solvers().join(format!("{}-{chosen}", profile.name));
    let done = |already: bool| {
        if version == "latest" {
            super::note_asked(home, &profile.name, true);
        }
        Ok(Installed { version: chosen.clone(), folder: folder.clone(), already })
    };
    if Release::read(&folder).is_some() {
        return done(true);
    }
    let solvers = home.solvers();
    fs::create_dir_all(&solvers).map_err(|e| InstallError::Folder(solvers.clone(), e))?;
    let staging = Staging::new(&solvers, &format!("{}-{chosen}", profile.name))?;
    progress(InstallStep::Downloading(chosen.clone()));
    fetch(&pip, &package.name, &chosen, run.by, &staging, &mut progress)?;
    progress(InstallStep::Finishing);
    let manifest = Manifest {
        name: profile.name.clone(),
        version: chosen.clone(),
        by: run.by,
        program: run.program.clone(),
        python: matches!(run.by, PackageHost::Cvc5Python | PackageHost::BitwuzlaPython)
            .then(|| pip.python.clone()),
    };
    staging.finish(&manifest, &folder)?;
    done(false)
}

/// Downloads into the staging folder. A release that is run without Python may come in a wheel for any Python.
fn fetch(
    pip: &Pip<'_>,
    package: &str,
    version: &str,
    by: PackageHost,
    staging: &Staging,
    progress: &mut impl FnMut(InstallStep),
) -> Result<(), InstallError> {
    let mut pythons = vec![pip.python_version.clone()];
    if matches!(by, PackageHost::Binary | PackageHost::Cvc5Library) {
        pythons.extend(
            (8..=14).rev().map(|minor| format!("3.{minor}")).filter(|v| *v != pip.python_version),
        );
    }
    let mut first_error = None;
    for python in pythons {
        let result = pip.install(
            package,
            version,
            &python,
            &staging.tree(),
            &staging.folder.join("tmp"),
            |line| {
                if line.starts_with("Downloading") || line.starts_with("Using cached") {
                    progress(InstallStep::Downloading(line.to_owned()));
                }
            },
        );
        match result {
            Ok(()) => return Ok(()),
            Err(e) if e.contains("No matching distribution") => {
                first_error.get_or_insert(e);
            }
            Err(e) => return Err(InstallError::Client(e)),
        }
    }
    let error = first_error.unwrap_or_default();
    Err(InstallError::Client(format!(
        "{error} (for Python {} on {})",
        pip.python_version,
        std::env::consts::ARCH
    )))
}

/// A hidden folder that becomes the release by one rename. Its lock tells the living from the left-over.
struct Staging {
    folder: PathBuf,
    _lock: Flock<fs::File>,
    lock_path: PathBuf,
}

const STAGING: &str = ".installing-";

impl Staging {
    fn new(solvers: &Path, name: &str) -> Result<Staging, InstallError> {
        let folder = solvers.join(format!("{STAGING}{name}-{}", std::process::id()));
        let lock_path = solvers.join(format!("{STAGING}{name}-{}.lock", std::process::id()));
        let error = |e| InstallError::Folder(folder.clone(), e);
        let file = fs::File::create(&lock_path).map_err(error)?;
        let lock =
            Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, e)| error(e.into()))?;
        // Another install in this process may have left it after a failure.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("tree")).map_err(error)?;
        fs::create_dir_all(folder.join("tmp")).map_err(error)?;
        Ok(Staging { folder: folder.clone(), _lock: lock, lock_path })
    }

    /// Where the release is put together.
    fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    fn finish(self, manifest: &Manifest, target: &Path) -> Result<(), InstallError> {
        let error = |e| InstallError::Folder(target.to_owned(), e);
        if let Some(script) = host::host_script(manifest.by) {
            fs::write(self.tree().join(host::HOST_FILE), script).map_err(error)?;
        }
        let text =
            serde_json::to_vec_pretty(manifest).map_err(|e| error(std::io::Error::other(e)))?;
        write_atomically(&self.tree().join(MANIFEST), &text).map_err(error)?;
        // Everything reaches the disk before the name does.
        if let Ok(folder) = fs::File::open(self.tree()) {
            let _ = nix::unistd::syncfs(folder.as_fd());
        }
        match fs::rename(self.tree(), target) {
            // Another process was faster with the same release.
            Err(_) if Release::read(target).is_some() => Ok(()),
            // A broken folder without manifest stands in the way.
            Err(_) if target.exists() => {
                fs::remove_dir_all(target).map_err(error)?;
                fs::rename(self.tree(), target).map_err(error)
            }
            other => other.map_err(error),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_file(&self.lock_path);
    }
}

/// Removes what killed installs left: a staging folder whose lock nobody holds.
fn sweep_leftovers(solvers: &Path) {
    let Ok(entries) = fs::read_dir(solvers) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if name.starts_with(".removing-") {
            let _ = fs::remove_dir_all(&path);
        } else if name.starts_with(STAGING) && name.ends_with(".lock") {
            let free = fs::File::open(&path)
                .ok()
                .and_then(|f| Flock::lock(f, FlockArg::LockExclusiveNonblock).ok());
            if free.is_some() {
                let _ = fs::remove_dir_all(solvers.join(name.trim_end_matches(".lock")));
                let _ = fs::remove_file(&path);
            }
        }
    }
}

/// Removes an installed release; `None` when there is none.
pub fn remove(home: &Home, name: &str, version: &str) -> Result<Option<Release>, InstallError> {
    let exact: Vec<Release> = installed(home).into_iter().filter(|r| r.name == name).collect();
    let Some(release) = pick(&exact, |r| &r.version, version).cloned() else { return Ok(None) };
    // Out of sight by one rename, so that nobody sees half a release.
    let hidden =
        home.solvers().join(format!(".removing-{name}-{}-{}", release.version, std::process::id()));
    let error = |e| InstallError::Folder(release.folder.clone(), e);
    // It may have been the latest.
    let _ = fs::remove_file(super::asked(home, name));
    fs::rename(&release.folder, &hidden).map_err(error)?;
    fs::remove_dir_all(&hidden).map_err(error)?;
    Ok(Some(release))
}
