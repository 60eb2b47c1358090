//! Releases installed from the package registry into the data folder.

mod host;
mod install;
mod pip;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::home::Home;
use crate::process::Launcher;
use crate::profile::{PackageHost, Profile};
use crate::registry::on_path;
use crate::version::{self, Version};

pub use host::{cvc5_host_main, host_script};
pub use install::InstallStep as Step;
pub use install::{InstallError, InstallStep, Installed, available, install, remove};

/// An installed release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Solver.
    pub name: String,
    /// Version as the registry spells it.
    pub version: String,
    /// Its folder.
    pub folder: PathBuf,
    manifest: Manifest,
}

/// The file that makes a folder a release; written last, before the folder gets its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    name: String,
    version: String,
    by: PackageHost,
    program: Option<String>,
    python: Option<String>,
}

const MANIFEST: &str = "release.json";

/// How a release is started.
pub(crate) struct Run {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// The file whose digest identifies the release.
    pub hashed: PathBuf,
    pub hosted: bool,
}

impl Release {
    fn read(folder: &Path) -> Option<Release> {
        let text = fs::read(folder.join(MANIFEST)).ok()?;
        let manifest: Manifest = serde_json::from_slice(&text).ok()?;
        Some(Release {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            folder: folder.to_owned(),
            manifest,
        })
    }

    pub(crate) fn command(&self, launcher: &Launcher) -> Result<Run, String> {
        let folder = self.folder.to_string_lossy().into_owned();
        let python = || match &self.manifest.python {
            Some(path) => PathBuf::from(path),
            None => on_path("python3").unwrap_or_else(|| PathBuf::from("python3")),
        };
        match self.manifest.by {
            PackageHost::Binary => {
                let program =
                    self.folder.join(self.manifest.program.as_deref().unwrap_or("bin/solver"));
                Ok(Run {
                    program: program.clone(),
                    args: Vec::new(),
                    hashed: program,
                    hosted: false,
                })
            }
            PackageHost::Cvc5Library => Ok(Run {
                program: launcher.program().to_owned(),
                args: vec![String::from("__cvc5-host"), folder],
                hashed: host::cvc5_library(&self.folder, "libcvc5-")?,
                hosted: true,
            }),
            by @ (PackageHost::Cvc5Python | PackageHost::BitwuzlaPython) => Ok(Run {
                program: python(),
                // Isolated mode: neither the user's site nor the current folder may change what is tested. No compiled modules are
                // written: a solver writes no files.
                args: vec![
                    String::from("-I"),
                    String::from("-B"),
                    String::from("-u"),
                    host::host_file(&self.folder, by).to_string_lossy().into_owned(),
                    folder,
                ],
                hashed: host::python_module(&self.folder, by)?,
                hosted: true,
            }),
        }
    }
}

/// Installed releases, by name and then from the newest to the oldest.
pub fn installed(home: &Home) -> Vec<Release> {
    let Ok(entries) = fs::read_dir(home.solvers()) else { return Vec::new() };
    let mut found: Vec<Release> = entries
        .flatten()
        .filter(|e| !e.file_name().to_string_lossy().starts_with('.'))
        .filter_map(|e| Release::read(&e.path()))
        .collect();
    found.sort_by(|a, b| {
        let order = Version::parse(&b.version).cmp(&Version::parse(&a.version));
        a.name.cmp(&b.name).then(order).then(b.version.cmp(&a.version))
    });
    found
}

/// The installed release of this name that a user's version means; `latest` is the newest one.
pub fn find(home: &Home, name: &str, version: &str) -> Option<Release> {
    let releases: Vec<Release> = installed(home).into_iter().filter(|r| r.name == name).collect();
    pick(&releases, |r| &r.version, version).cloned()
}

/// Where it is noted when the newest release of a solver was last asked for.
fn asked(home: &Home, name: &str) -> PathBuf {
    home.root().join(format!("{name}.latest"))
}

/// Whether the newest release of a solver was asked for within a day: then the newest that is installed is the latest.
pub fn asked_lately(home: &Home, name: &str) -> bool {
    let time = fs::metadata(asked(home, name)).and_then(|m| m.modified());
    time.is_ok_and(|t| t.elapsed().is_ok_and(|age| age < Duration::from_secs(24 * 3600)))
}

/// Notes that the newest release of a solver was asked for, or that nobody told: then it is asked for again in an hour. If that
/// cannot be noted, it is asked for again at once.
pub fn note_asked(home: &Home, name: &str, told: bool) {
    let hours = if told { 0 } else { 23 };
    let time = SystemTime::now() - Duration::from_secs(hours * 3600);
    let _ = fs::File::create(asked(home, name)).and_then(|f| f.set_modified(time));
}

/// The best match of a user's version among candidates sorted from the newest: exact, else with the same leading parts.
fn pick<'a, T>(candidates: &'a [T], text: impl Fn(&T) -> &String, wanted: &str) -> Option<&'a T> {
    if wanted == "latest" {
        return candidates.first();
    }
    let exact = candidates.iter().find(|c| text(c) == wanted);
    exact.or_else(|| {
        let prefix = Version::parse(wanted)?;
        candidates.iter().find(|c| Version::parse(text(c)).is_some_and(|v| v.starts_with(&prefix)))
    })
}

/// How a version of a package is run, if it can run scripts at all.
fn runnable<'a>(profile: &'a Profile, version: &str) -> Option<&'a crate::profile::PackageRun> {
    let version = Version::parse(version);
    profile.package.as_ref()?.run.iter().find(|r| version::in_range(version.as_ref(), &r.versions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_picked_from_the_newest() {
        let all: Vec<String> =
            ["4.8.17.0", "4.8.7.0", "4.8.1.0", "2.6.5.post24"].map(String::from).to_vec();
        let check = |wanted: &str, expect: Option<&str>| {
            assert_eq!(pick(&all, |v| v, wanted).map(String::as_str), expect, "{wanted}");
        };
        check("latest", Some("4.8.17.0"));
        check("4.8.7", Some("4.8.7.0"));
        check("4.8.1", Some("4.8.1.0"));
        check("4.8", Some("4.8.17.0"));
        check("2.6.5", Some("2.6.5.post24"));
        check("5", None);
        check("x", None);
    }
}
