//! Builds of one solver in order, the oldest first: its releases, or a folder of somebody's builds. A fault is looked for in them.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use smelt_solver::{Cancel, Solver, SolverSpec, Source, Version, releases};
use smelt_triage::Says;

use crate::bisect::History;
use crate::exhibit::Exhibit;
use crate::in_order::in_order;
use crate::resolve::Resolver;
use crate::target::Target;

/// One build.
pub struct Build {
    /// The version, or the name of the file.
    pub name: String,
    /// How to run it.
    pub spec: SolverSpec,
    /// Whether it is on this machine.
    pub here: bool,
}

/// Builds in order.
pub struct Lineup {
    /// The solver's name.
    pub solver: String,
    /// The builds, the oldest first.
    pub builds: Vec<Build>,
}

/// What one build showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Whether the fault shows.
    pub says: Says,
    /// What was seen, for people.
    pub what: String,
}

/// What is known of a fault in the builds of a lineup.
pub struct Examined {
    /// What each build showed; `None` where it was not asked.
    pub told: Vec<Option<Told>>,
    /// Where the fault shows.
    pub history: History,
    /// Runs of solvers on the script.
    pub runs: usize,
}

/// On which terms builds are asked.
pub struct Asking<'a> {
    /// Finds builds, and installs releases.
    pub resolver: &'a Resolver<'a>,
    /// CPU time of one run.
    pub cpu: Duration,
    /// Runs of each build: what does not always show needs several.
    pub runs: u32,
    /// Builds that are run at a time.
    pub threads: usize,
    /// Called before builds are run: it may sleep.
    pub pause: &'a dyn Fn(),
    /// Ends every wait.
    pub cancel: &'a Cancel,
}

impl Lineup {
    /// The installed releases of a solver, with these options.
    pub fn of_installed(resolver: &Resolver<'_>, solver: &str, args: &[String]) -> Self {
        let here = releases::installed(resolver.registry.home());
        let here = here.into_iter().filter(|r| r.name == solver).map(|r| r.version);
        Self::of_versions(solver, here.map(|v| (v, true)).collect(), args)
    }

    /// All releases of a solver that can be run, with these options. Without a package registry in reach, those that are installed.
    pub fn of_releases(resolver: &Resolver<'_>, solver: &str, args: &[String]) -> Result<Self> {
        let registry = resolver.registry;
        let profile = registry.profiles().get(solver);
        let profile = profile.with_context(|| format!("{solver} has no releases"))?;
        let here = releases::installed(registry.home());
        let here: Vec<&String> =
            here.iter().filter(|r| r.name == solver).map(|r| &r.version).collect();
        let mut all = match releases::available(profile, registry.launcher(), None) {
            Ok(all) => all,
            Err(_) if !here.is_empty() => Vec::new(),
            Err(e) => return Err(e).with_context(|| format!("the releases of {solver}")),
        };
        all.extend(here.iter().map(|v| (*v).clone()));
        let all = all.into_iter().map(|v| (here.contains(&&v), v)).map(|(here, v)| (v, here));
        Ok(Self::of_versions(solver, all.collect(), args))
    }

    /// Releases of these versions, and whether they are installed, in order.
    fn of_versions(solver: &str, mut all: Vec<(String, bool)>, args: &[String]) -> Self {
        all.sort_by(|(a, _), (b, _)| {
            Version::parse(a).cmp(&Version::parse(b)).then_with(|| a.cmp(b))
        });
        all.dedup();
        let build = |(version, here): (String, bool)| Build {
            here,
            spec: SolverSpec {
                label: format!("{solver}@{version}"),
                source: Source::Release(solver.to_owned(), version.clone()),
                args: args.to_vec(),
            },
            name: version,
        };
        Self { solver: solver.to_owned(), builds: all.into_iter().map(build).collect() }
    }

    /// The builds in a folder, in the order of their names, in which numbers count as numbers: programs, or folders with a program of the
    /// solver's name (also in `bin`, `build` or `build/bin`). `label` is the name of the solver's profile.
    pub fn of_folder(folder: &Path, label: &str, args: &[String]) -> Result<Self> {
        let read = || format!("cannot read {}", folder.display());
        let mut builds = Vec::new();
        for entry in std::fs::read_dir(folder).with_context(read)? {
            let path = entry.with_context(read)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(program) = program(&path, label).filter(|_| !name.starts_with('.')) {
                let source = Source::Program(program.to_string_lossy().into_owned());
                let spec = SolverSpec { label: label.to_owned(), source, args: args.to_vec() };
                builds.push(Build { name, spec, here: true });
            }
        }
        builds.sort_by(|a, b| by_number(&a.name, &b.name));
        if builds.is_empty() {
            bail!("{} has no programs, and no folders with a program {label}", folder.display());
        }
        Ok(Self { solver: label.to_owned(), builds })
    }

    /// The builds from one to another; of releases it is enough to name the first parts of a version.
    pub fn between(mut self, from: Option<&str>, to: Option<&str>) -> Result<Self> {
        let place = |wanted: &str| self.place(wanted).context("--from and --to name builds");
        let first = from.map(place).transpose()?.unwrap_or(0);
        let last = to.map(place).transpose()?.unwrap_or(self.builds.len().saturating_sub(1));
        if first > last {
            bail!("{} is behind {}", self.builds[first].name, self.builds[last].name);
        }
        self.builds.truncate(last + 1);
        self.builds.drain(..first);
        Ok(self)
    }

    /// Where a build is: by its name, or by the first parts of its version.
    pub fn place(&self, wanted: &str) -> Result<usize> {
        let exact = self.builds.iter().position(|b| b.name == wanted);
        let prefix = Version::parse(wanted);
        let alike = |b: &Build| {
            let version = Version::parse(&b.name);
            version.zip(prefix.as_ref()).is_some_and(|(v, p)| v.starts_with(p))
        };
        let found = exact.or_else(|| self.builds.iter().position(alike));
        found.with_context(|| format!("there is no {} {wanted}", self.solver))
    }

    /// Adds somebody's own build, of this version as far as it tells one: behind all releases up to that version, or behind all. Its place.
    pub fn add(&mut self, build: Build, version: Option<&Version>) -> usize {
        let is_later = |b: &Build| {
            let release = Version::parse(&b.name);
            version.zip(release).is_some_and(|(own, r)| r > *own && !r.starts_with(own))
        };
        let at = self.builds.iter().position(is_later).unwrap_or(self.builds.len());
        self.builds.insert(at, build);
        at
    }

    /// Looks for a fault: as few builds are asked as needed, those in `first` in any case. `tell` hears of each.
    pub fn examine(
        &self,
        exhibit: &Exhibit,
        asking: &Asking<'_>,
        first: impl IntoIterator<Item = usize>,
        mut tell: impl FnMut(&Build, &Told),
    ) -> Result<Examined> {
        let mut told: Vec<Option<Told>> = self.builds.iter().map(|_| None).collect();
        let mut runs = 0;
        let history = History::search(self.builds.len(), first, asking.threads, |places| {
            if asking.cancel.is_cancelled() {
                bail!("cancelled");
            }
            (asking.pause)();
            let builds = places.iter().map(|&i| &self.builds[i]);
            let seen = look(builds, exhibit, asking)?;
            runs += asking.runs.max(1) as usize * places.len();
            let says = seen.iter().map(|now| now.says).collect();
            for (&i, now) in places.iter().zip(seen) {
                tell(&self.builds[i], &now);
                told[i] = Some(now);
            }
            Ok(says)
        })?;
        Ok(Examined { told, history, runs })
    }
}

/// Looks for a fault in builds, which are installed one after the other and run side by side. One that cannot be had or run says nothing.
fn look<'a>(
    builds: impl Iterator<Item = &'a Build>,
    exhibit: &Exhibit,
    asking: &Asking<'_>,
) -> Result<Vec<Told>> {
    let found = |build: &Build| {
        asking.resolver.one(&build.spec).map_err(|e| format!("it is not to be had: {e:#}"))
    };
    let solvers: Vec<Result<Solver, String>> = builds.map(found).collect();
    let Asking { cpu, runs, cancel, .. } = *asking;
    let registry = asking.resolver.registry;
    let show = |_: usize, solver: &Result<Solver, String>| -> Result<Told> {
        let open = |what: String| Ok(Told { says: Says::Open, what });
        let target = match solver.clone().and_then(Target::ready) {
            Ok(target) => target,
            Err(why) => return open(why),
        };
        let shown = match exhibit.shows_in(registry, target, runs, cpu, cancel) {
            Ok(shown) => shown,
            Err(e) if cancel.is_cancelled() => return Err(e),
            Err(e) => return open(format!("{e:#}")),
        };
        // A crash has other lines and frames in another release, and is most likely the same.
        let says = match shown.says {
            Says::Other(class) if class == exhibit.reproducer.class => Says::Holds,
            says => says,
        };
        Ok(Told { says, what: shown.what })
    };
    let mut all = Vec::new();
    in_order(&solvers, asking.threads, show, &mut |told| all.push(told), &|| {});
    all.into_iter().collect()
}

/// The program of a build: the file itself, or one of the solver's name in a folder.
fn program(path: &Path, name: &str) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let can_run = |p: &PathBuf| {
        let file = p.metadata().ok();
        file.is_some_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    let inside = ["", "bin", "build", "build/bin"].map(|dir| path.join(dir).join(name));
    std::iter::once(path.to_owned()).chain(inside).find(can_run)
}

/// Names in order, with numbers as numbers: `z3-9` stands before `z3-10`.
fn by_number(a: &str, b: &str) -> Ordering {
    let pieces = |text: &str| -> Vec<(String, u64)> {
        let mut out = vec![(String::new(), 0u64)];
        let mut in_number = false;
        for c in text.chars() {
            let last = out.len() - 1;
            match (c.to_digit(10), in_number) {
                (Some(d), _) => out[last].1 = out[last].1.saturating_mul(10) + u64::from(d),
                (None, true) => out.push((c.to_string(), 0)),
                (None, false) => out[last].0.push(c),
            }
            in_number = c.is_ascii_digit();
        }
        out
    };
    pieces(a).cmp(&pieces(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lineup(names: &[&str]) -> Lineup {
        let build = |n: &&str| {
            let source = Source::Release("z3".into(), (*n).to_owned());
            let spec = SolverSpec { label: "z3".into(), source, args: Vec::new() };
            Build { name: (*n).to_owned(), spec, here: true }
        };
        Lineup { solver: "z3".into(), builds: names.iter().map(build).collect() }
    }

    #[test]
    fn parts_of_a_row() {
        let all = ["4.8.5.0", "4.8.7.0", "4.8.10.0", "4.12.2.0", "5.4.0.0"];
        for (from, to, expect) in [
            (None, None, Some("4.8.5.0 .. 5.4.0.0")),
            (Some("4.8.7"), None, Some("4.8.7.0 .. 5.4.0.0")),
            (Some("4.8"), Some("4.12"), Some("4.8.5.0 .. 4.12.2.0")),
            (Some("4.8.7"), Some("4.8.7.0"), Some("4.8.7.0 .. 4.8.7.0")),
            (Some("5"), Some("4.8.7"), None),
            (Some("4.9"), None, None),
        ] {
            let part = lineup(&all).between(from, to).ok();
            let ends = part
                .map(|l| format!("{} .. {}", l.builds[0].name, l.builds[l.builds.len() - 1].name));
            assert_eq!(ends.as_deref(), expect, "{from:?} {to:?}");
        }
    }

    /// A build of one's own stands behind the release of its version; the newest source says the version that comes next, or none.
    #[test]
    fn a_build_of_ones_own() {
        for (version, expect) in [
            (Some("4.8.7"), 2),
            (Some("4.8.6"), 1),
            (Some("5.5.0"), 4),
            (Some("4.0"), 0),
            (None, 4),
        ] {
            let mut all = lineup(&["4.8.5.0", "4.8.7.0", "4.12.2.0", "5.4.0.0"]);
            let mine = lineup(&["mine"]).builds.remove(0);
            let at = all.add(mine, version.and_then(Version::parse).as_ref());
            assert_eq!((at, all.builds[at].name.as_str()), (expect, "mine"), "{version:?}");
        }
    }

    #[test]
    fn names_in_order() {
        let mut names = ["z3-10-a", "z3-9-b", "z3-10", "a", "z3-9", "z3-100"];
        names.sort_by(|a, b| by_number(a, b));
        assert_eq!(names, ["a", "z3-9", "z3-9-b", "z3-10", "z3-10-a", "z3-100"]);
    }
}
