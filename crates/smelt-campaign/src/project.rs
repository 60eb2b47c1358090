//! `smelt.toml`: what the owner of a project would give on every command line. It may come from a stranger's checkout: then it may name
//! releases and options, but no command is run and no path is read that it names, unless the user says so.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use smelt_solver::{Home, Registry, SolverSpec};
use smelt_trial::resolve::is_harmless;

use crate::reader;

/// The name of the file, in a project and in the user's data folder; also the name of its solvers on the command line.
pub const NAME: &str = "smelt.toml";

/// Most bytes of the file.
const MOST: u64 = 1 << 20;

/// What is in the file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Content {
    /// Solvers, as on the command line.
    solvers: Vec<String>,
    /// Scripts and folders of them, from the file's folder.
    seeds: Vec<PathBuf>,
    /// Class of options that are varied: none, common, regular, expert.
    options: Option<String>,
    /// A list of known bugs, from the file's folder.
    known: Option<PathBuf>,
    /// In the user's own file: projects whose file may name commands and paths, too.
    trust: Vec<PathBuf>,
}

/// A file that was found, with whether it may name commands and paths.
#[derive(Clone, Debug)]
struct Found {
    path: PathBuf,
    content: Content,
    trusted: bool,
}

/// What the project at hand says, or else the user's own file; each key of the nearest file that has it.
#[derive(Clone, Debug, Default)]
pub struct Project {
    files: Vec<Found>,
}

impl Project {
    /// The file of this folder or the nearest one above it, and the user's own. With `trust` the user trusts the first as the second.
    pub fn of(folder: &Path, home: &Home, trust: bool) -> Result<Self> {
        let mut files: Vec<Found> = Vec::new();
        let own = home.root().join(NAME);
        let own = own.is_file().then(|| read(&own)).transpose()?;
        let trusts = own.as_ref().map_or_else(Vec::new, |(_, c)| c.trust.clone());
        let near = folder.ancestors().map(|f| f.join(NAME)).find(|p| p.is_file());
        if let Some(near) = near.filter(|n| own.as_ref().is_none_or(|(path, _)| path != n)) {
            let (path, content) = read(&near)?;
            if !content.trust.is_empty() {
                bail!("{}: only {NAME} of the data folder may say whom to trust", path.display());
            }
            let named =
                |t: &PathBuf| path.parent().is_some_and(|p| t.canonicalize().is_ok_and(|t| t == p));
            let trusted = trust || trusts.iter().any(named);
            files.push(Found { path, content, trusted });
        }
        files.extend(own.map(|(path, content)| Found { path, content, trusted: true }));
        Ok(Self { files })
    }

    /// Its solvers, and the file that names them. Of a stranger's file they are such that smelt knows, with options that smelt gives itself.
    pub fn solvers(&self, registry: &Registry) -> Result<Option<(&[String], &Path)>> {
        let Some(found) = self.files.iter().find(|f| !f.content.solvers.is_empty()) else {
            return Ok(None);
        };
        let specs = found.content.solvers.iter().map(|s| SolverSpec::parse_list(s));
        for spec in specs.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            if !found.trusted {
                is_harmless(registry, &spec).with_context(|| found.refused())?;
            }
        }
        Ok(Some((&found.content.solvers, &found.path)))
    }

    /// Its seeds, and the file that names them.
    pub fn seeds(&self) -> Result<Option<(Vec<PathBuf>, &Path)>> {
        let Some(found) = self.files.iter().find(|f| !f.content.seeds.is_empty()) else {
            return Ok(None);
        };
        let seeds = found.content.seeds.iter().map(|p| found.rooted(p)).collect::<Result<_>>()?;
        Ok(Some((seeds, &found.path)))
    }

    /// Its list of known bugs.
    pub fn known(&self) -> Result<Option<PathBuf>> {
        let known = self.files.iter().find_map(|f| Some((f, f.content.known.as_ref()?)));
        known.map(|(found, path)| found.rooted(path)).transpose()
    }

    /// Its class of options.
    pub fn options(&self) -> Option<&str> {
        self.files.iter().find_map(|f| f.content.options.as_deref())
    }
}

impl Found {
    /// A path that the file names, from any folder.
    fn rooted(&self, path: &Path) -> Result<PathBuf> {
        if !self.trusted {
            bail!("{}: it names the path {}", self.refused(), path.display());
        }
        Ok(self.path.parent().unwrap_or(Path::new("/")).join(path))
    }

    fn refused(&self) -> String {
        let file = self.path.display();
        format!("{file} is not trusted (--trust does so; it may be a stranger's)")
    }
}

fn read(path: &Path) -> Result<(PathBuf, Content)> {
    let say = || format!("cannot read {}", path.display());
    let text = reader::read(path, MOST).with_context(say)?;
    let text = String::from_utf8(text).with_context(say)?;
    let content = toml::from_str(&text)
        .map_err(|e| anyhow::anyhow!("{}: {}", path.display(), e.to_string().trim_end()))?;
    Ok((path.canonicalize().with_context(say)?, content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_solver::Launcher;

    /// What a file says to who trusts it and who does not: solvers, seeds, known bugs, options; or the error.
    #[test]
    fn trust() {
        let top = std::env::temp_dir().join(format!("smelt-project-{}", std::process::id()));
        let top = {
            std::fs::create_dir_all(&top).unwrap();
            top.canonicalize().unwrap()
        };
        let (home, inner) = (Home::at(top.join("home")), top.join("checkout/deep"));
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::create_dir_all(home.root()).unwrap();
        let registry = Registry::open(home.clone(), Launcher::current().unwrap()).unwrap();
        let write = |path: &Path, text: &str| std::fs::write(path, text).unwrap();
        let (near, own) = (top.join("checkout/smelt.toml"), home.root().join(NAME));
        let said = |trust: bool| -> Vec<String> {
            let project = match Project::of(&inner, &home, trust) {
                Ok(project) => project,
                Err(e) => return vec![format!("{e:#}")],
            };
            let show = |r: Result<String>| r.unwrap_or_else(|e| format!("{e:#}"));
            let place = |p: &Path| p.strip_prefix(&top).unwrap().display().to_string();
            let seeds = |s: (Vec<PathBuf>, &Path)| {
                s.0.iter().map(|p| place(p)).collect::<Vec<_>>().join(" ")
            };
            vec![
                show(project.solvers(&registry).map(|s| s.map_or("-".into(), |s| s.0.join(" ")))),
                show(project.seeds().map(|s| s.map_or("-".into(), seeds))),
                show(project.known().map(|k| k.map_or("-".into(), |k| place(&k)))),
                project.options().unwrap_or("-").to_owned(),
            ]
        };
        let check = |trust: bool, expect: [&str; 4]| {
            for (said, expect) in said(trust).iter().zip(expect) {
                assert!(
                    said == expect || expect.len() > 9 && said.contains(expect),
                    "{said}: {expect}"
                );
            }
        };
        check(false, ["-", "-", "-", "-"]);
        write(&near, "solvers = ['z3@4.8.7', 'cvc5:--strings-exp']\noptions = 'none'");
        check(false, ["z3@4.8.7 cvc5:--strings-exp", "-", "-", "none"]);
        write(&near, "solvers = ['./evil']\nseeds = ['q']\nknown = 'k.toml'");
        check(
            false,
            ["it names a command", "it names the path q", "it names the path k.toml", "-"],
        );
        check(true, ["./evil", "checkout/q", "checkout/k.toml", "-"]);
        write(&near, "solvers = ['z3:--no-such-option']");
        check(false, ["is none that smelt gives to z3", "-", "-", "-"]);
        // The user's own file may say everything; a nearer one goes first, key by key.
        write(&own, "solvers = ['/bin/own']\nseeds = ['mine']\noptions = 'expert'");
        check(false, ["is none that smelt gives to z3", "home/mine", "-", "expert"]);
        write(&near, "options = 'common'");
        check(false, ["/bin/own", "home/mine", "-", "common"]);
        write(&near, "solvers = ['./build/z3']");
        write(&own, &format!("trust = [{:?}]", top.join("checkout")));
        check(false, ["./build/z3", "-", "-", "-"]);
        write(&near, "trust = ['/']");
        assert!(said(false)[0].contains("may say whom to trust"));
        write(&near, "solver = 'z3'");
        assert!(said(false)[0].contains("unknown field `solver`"), "{:?}", said(false));
        std::fs::remove_dir_all(&top).unwrap();
    }
}
