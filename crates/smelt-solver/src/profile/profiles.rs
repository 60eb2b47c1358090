//! All profiles: the embedded ones, and those of the user.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::{Package, Profile};

/// Profiles by name.
#[derive(Debug, Clone)]
pub struct Profiles {
    by_name: BTreeMap<String, Arc<Profile>>,
}

const EMBEDDED: &[(&str, &str)] = &[
    ("z3", include_str!("../../../../profiles/z3.toml")),
    ("cvc5", include_str!("../../../../profiles/cvc5.toml")),
    ("cvc4", include_str!("../../../../profiles/cvc4.toml")),
    ("yices", include_str!("../../../../profiles/yices.toml")),
    ("bitwuzla", include_str!("../../../../profiles/bitwuzla.toml")),
    ("boolector", include_str!("../../../../profiles/boolector.toml")),
    ("opensmt", include_str!("../../../../profiles/opensmt.toml")),
    ("stp", include_str!("../../../../profiles/stp.toml")),
    ("mathsat", include_str!("../../../../profiles/mathsat.toml")),
    ("smtinterpol", include_str!("../../../../profiles/smtinterpol.toml")),
    ("dreal", include_str!("../../../../profiles/dreal.toml")),
    ("generic", include_str!("../../../../profiles/generic.toml")),
];

impl Profiles {
    /// The embedded ones.
    pub fn embedded() -> Profiles {
        let mut by_name = BTreeMap::new();
        for (name, text) in EMBEDDED {
            // A test reads every embedded profile, so a broken one cannot be shipped.
            if let Ok(profile) = Profile::from_toml(text) {
                by_name.insert((*name).to_owned(), Arc::new(profile));
            }
        }
        Profiles { by_name }
    }

    /// The embedded ones, overridden by `*.toml` files of a folder. A missing folder is no error, a broken file is.
    pub fn with_user_files(folder: &Path) -> Result<Profiles, String> {
        let mut profiles = Profiles::embedded();
        let Ok(entries) = std::fs::read_dir(folder) else { return Ok(profiles) };
        let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "toml")) {
            let text =
                std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let profile =
                Profile::from_toml(&text).map_err(|e| format!("{}: {e}", path.display()))?;
            // What a package is called decides what is installed and run.
            let ours = |p: &Package| {
                let own = profiles.by_name.get(&profile.name).and_then(|p| p.package.as_ref());
                own.is_some_and(|own| own.name == p.name)
            };
            if let Some(package) = profile.package.as_ref().filter(|p| !ours(p)) {
                return Err(format!(
                    "{}: the package {:?} is not that of smelt's own profile {}, and no other is installed; \
                     take the table [package] out, and put the program on PATH",
                    path.display(),
                    package.name,
                    profile.name
                ));
            }
            profiles.by_name.insert(profile.name.clone(), Arc::new(profile));
        }
        Ok(profiles)
    }

    /// The profile of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Profile>> {
        self.by_name.get(name)
    }

    /// The profile for a program found by path: by program name, then by a profile name inside it (`z3-4.8.7-dbg`), else
    /// `generic`.
    pub fn for_program(&self, program: &str) -> Arc<Profile> {
        let stem = Path::new(program).file_name().and_then(|n| n.to_str()).unwrap_or(program);
        let exact =
            self.by_name.values().find(|p| p.name == stem || p.programs.iter().any(|q| q == stem));
        let inside = || {
            let mut named: Vec<&Arc<Profile>> =
                self.by_name.values().filter(|p| stem.contains(p.name.as_str())).collect();
            named.sort_by_key(|p| std::cmp::Reverse(p.name.len()));
            named.first().copied()
        };
        exact.or_else(inside).cloned().unwrap_or_else(|| self.generic())
    }

    /// The profile for solvers that smelt knows nothing about.
    pub fn generic(&self) -> Arc<Profile> {
        match self.by_name.get("generic") {
            Some(profile) => profile.clone(),
            None => {
                unreachable!("the generic profile is embedded and can be replaced but not removed")
            }
        }
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.by_name.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_profile_reads_and_bears_its_file_name() {
        for (name, text) in EMBEDDED {
            let profile = Profile::from_toml(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(profile.name, *name);
        }
        assert_eq!(Profiles::embedded().iter().count(), EMBEDDED.len());
    }

    #[test]
    fn programs_find_their_profile() {
        let profiles = Profiles::embedded();
        let check = |program: &str, expect: &str| {
            assert_eq!(profiles.for_program(program).name, expect, "{program}")
        };
        check("/usr/bin/z3", "z3");
        check("./build/bin/z3-dbg", "z3");
        check("yices-smt2", "yices");
        check("cvc5-Linux-static", "cvc5");
        check("/opt/mysolver", "generic");
    }

    /// What is installed is named by smelt's own profiles alone.
    #[test]
    fn packages_of_users_files_are_refused() {
        let folder = std::env::temp_dir().join(format!("smelt-profiles-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let check = |name: &str, package: &str, expect: Option<&str>| {
            let text = format!(
                "name='{name}'\nfamily='x'\ntested=false\ncold={{input='stdin'}}\n\
                 [package]\nname='{package}'\nrun=[{{versions='*',by='binary',program='x'}}]\n"
            );
            std::fs::write(folder.join("x.toml"), text).unwrap();
            let error = Profiles::with_user_files(&folder).err();
            match expect {
                None => assert_eq!(error, None),
                Some(part) => assert!(error.is_some_and(|e| e.contains(part)), "{name} {package}"),
            }
        };
        check("z3", "z3-solver", None);
        check("z3", "z3-solver-fast", Some("z3-solver-fast"));
        check("mine", "z3-solver", Some("the table [package]"));
        check("mine", "mine", Some("the table [package]"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
