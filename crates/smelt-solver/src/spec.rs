//! How users name a solver on the command line.
//!
//! | written | meaning |
//! |---|---|
//! | `z3` | the program on `PATH`, else the newest installed release |
//! | `z3@4.8.7`, `z3@latest` | a release; `4.8.7` also means `4.8.7.0` |
//! | `cvc5:--strings-exp --fp-exp` | any of these with options |
//! | `z3 model_validate=true` | the program on `PATH`, else the newest installed release, with options |
//! | `./build/bin/z3 model_validate=true` | a program by path, with options |
//! | `mine=./solver --flag` | any command under a name of one's own |
//! | `a;b;c` | a list, as YinYang's users write it |
//! | `z3@4.8.5..latest`, `z3@4.8..4.12` | all releases from one to another, with options as behind a single one |

use std::fmt;
use std::path::Path;

/// A named solver, not yet looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolverSpec {
    /// The name in tables and findings.
    pub label: String,
    /// Where it is.
    pub source: Source,
    /// Options of the user's.
    pub args: Vec<String>,
}

/// Where a solver is to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// By the name of a profile: on `PATH`, else the newest installed release.
    Named(String),
    /// A release: name and version (`latest` is the newest one).
    Release(String, String),
    /// A program, by path or by a name on `PATH`.
    Program(String),
}

/// A name that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the solver name {text:?}: {reason}")]
pub struct SpecError {
    /// What was written.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl SolverSpec {
    /// Reads one solver. For the `;` form use [`SolverSpec::parse_list`].
    pub fn parse(text: &str) -> Result<SolverSpec, SpecError> {
        let fail = |reason| SpecError { text: text.to_owned(), reason };
        let (label, command) = match split_label(text) {
            Some((label, command)) => (Some(label), command),
            None => (None, text),
        };
        let mut words =
            split_words(command).ok_or_else(|| fail("a quote is not closed"))?.into_iter();
        let first = words.next().ok_or_else(|| fail("it is empty"))?;
        let mut args: Vec<String> = Vec::new();
        let source = if first.contains('/') {
            Source::Program(first)
        } else {
            let (name, option) = match first.split_once(':') {
                Some((name, option)) => (name.to_owned(), Some(option.to_owned())),
                None => (first, None),
            };
            args.extend(option.filter(|o| !o.is_empty()));
            match name.split_once('@') {
                Some((_, "")) => return Err(fail("the version after @ is missing")),
                Some(("", _)) => return Err(fail("the name before @ is missing")),
                Some((_, version)) if !is_version(version) => {
                    return Err(fail(
                        "what stands after @ is no version (several solvers are separated by ;)",
                    ));
                }
                Some((name, version)) => Source::Release(name.to_owned(), version.to_owned()),
                None if name.is_empty() => return Err(fail("the name is missing")),
                None => Source::Named(name),
            }
        };
        args.extend(words);
        let label = label.map_or_else(|| default_label(&source, &args), str::to_owned);
        Ok(SolverSpec { label, source, args })
    }

    /// The texts of several solvers that are separated by `;`.
    pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
        split_list(text).into_iter().map(str::trim).filter(|piece| !piece.is_empty())
    }

    /// Reads one or more solvers separated by `;`. Two that would bear the same label are numbered.
    pub fn parse_list(text: &str) -> Result<Vec<SolverSpec>, SpecError> {
        let mut specs: Vec<SolverSpec> = Vec::new();
        for piece in SolverSpec::pieces(text) {
            let mut spec = SolverSpec::parse(piece)?;
            let same = specs.iter().filter(|s| {
                s.label == spec.label || s.label.starts_with(&format!("{}#", spec.label))
            });
            let count = same.count();
            if count > 0 {
                spec.label = format!("{}#{}", spec.label, count + 1);
            }
            specs.push(spec);
        }
        if specs.is_empty() {
            return Err(SpecError { text: text.to_owned(), reason: "it is empty" });
        }
        Ok(specs)
    }
}

/// All releases of a solver from one to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseRange {
    /// The solver's name.
    pub name: String,
    /// The first release; without it, the oldest.
    pub from: Option<String>,
    /// The last release; without it, the newest.
    pub to: Option<String>,
    /// Options of the user's.
    pub args: Vec<String>,
}

impl ReleaseRange {
    /// Reads a range; `None` if the text names a single solver.
    pub fn parse(text: &str) -> Result<Option<Self>, SpecError> {
        let fail = |reason| SpecError { text: text.to_owned(), reason };
        let mut words = split_words(text).ok_or_else(|| fail("a quote is not closed"))?.into_iter();
        let first = words.next().unwrap_or_default();
        let (name, option) = first.split_once(':').unwrap_or((&first, ""));
        let range =
            name.split_once('@').and_then(|(n, versions)| Some((n, versions.split_once("..")?)));
        let Some((name, (from, to))) = range.filter(|_| !first.contains('/')) else {
            return Ok(None);
        };
        let end = |version: &str| match version {
            "" | "latest" => Ok(None),
            v if is_version(v) => Ok(Some(v.to_owned())),
            _ => Err(fail("a range of releases is name@version..version")),
        };
        if name.is_empty() || from == "latest" {
            return Err(fail("a range of releases is name@version..version"));
        }
        let options = std::iter::once(option.to_owned()).filter(|o| !o.is_empty());
        let args = options.chain(words).collect();
        Ok(Some(Self { name: name.to_owned(), from: end(from)?, to: end(to)?, args }))
    }
}

impl SolverSpec {
    /// The solver without the options of the user's.
    #[must_use]
    pub fn without_options(mut self) -> Self {
        let is_default = self.label == default_label(&self.source, &self.args);
        self.args.clear();
        if is_default {
            self.label = default_label(&self.source, &self.args);
        }
        self
    }

    /// Puts the version that `latest` is now in its place, for what must mean the same release tomorrow.
    #[must_use]
    pub fn pinned(mut self, version: &str) -> Self {
        let Source::Release(name, latest) = &self.source else { return self };
        if latest == "latest" {
            let source = Source::Release(name.clone(), version.to_owned());
            if self.label == default_label(&self.source, &self.args) {
                self.label = default_label(&source, &self.args);
            }
            self.source = source;
        }
        self
    }

    /// The options with paths made absolute, since solvers run in folders of their own: `solver.py`, `-I ./include`,
    /// `--config=./a.toml`. A word that names nothing here stays as it is. Without a `/` or `.` in it, only a whole word that names a
    /// file is a path: in `--seed=7`, `7` is no file of that name, and `src` may mean something else than the folder.
    pub fn rooted_args(&self) -> Vec<String> {
        let root = |arg: &String| {
            let (key, path) = match arg.split_once('=') {
                Some((key, path)) => (Some(key), path),
                None => (None, arg.as_str()),
            };
            let looks_so = path.contains(['/', '.']) && Path::new(path).exists();
            let here = looks_so || key.is_none() && Path::new(path).is_file();
            let path = std::path::absolute(path).ok().filter(|_| here)?;
            let path = path.to_str()?;
            Some(key.map_or_else(|| path.to_owned(), |key| format!("{key}={path}")))
        };
        self.args.iter().map(|a| root(a).unwrap_or_else(|| a.clone())).collect()
    }

    /// A text that names the same solver from any folder; `program` is what a program was found to be.
    pub fn written(&self, program: &Path) -> String {
        let mut words = Vec::new();
        match &self.source {
            Source::Named(name) => words.push(name.clone()),
            Source::Release(name, version) => words.push(format!("{name}@{version}")),
            Source::Program(_) => {
                let path = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
                words.push(quoted(&path.to_string_lossy()));
            }
        }
        words.extend(self.rooted_args().iter().map(|a| quoted(a)));
        let command = words.join(" ");
        let named = format!("{}={command}", self.label);
        let plain = default_label(&self.source, &self.args) == self.label;
        if !plain && split_label(&named).is_some() { named } else { command }
    }
}

/// Whether this can be a version in a package registry: `latest`, `4.8.7`, `2.6.5.post24`.
fn is_version(text: &str) -> bool {
    let part = |p: &str| {
        let number = ["post", "dev"].iter().find_map(|word| p.strip_prefix(word)).unwrap_or(p);
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    text == "latest"
        || (text.starts_with(|c: char| c.is_ascii_digit()) && text.split('.').all(part))
}

/// A word that [`split_words`] reads as one.
fn quoted(word: &str) -> String {
    let special = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';');
    match word {
        "" => String::from("''"),
        w if !w.contains(special) => w.to_owned(),
        w if w.contains('\'') => format!("\"{w}\""),
        w => format!("'{w}'"),
    }
}

impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

fn default_label(source: &Source, args: &[String]) -> String {
    let mut label = match source {
        Source::Named(name) => name.clone(),
        Source::Release(name, version) => format!("{name}@{version}"),
        Source::Program(path) => {
            path.rsplit('/').find(|p| !p.is_empty()).unwrap_or(path).to_owned()
        }
    };
    if !args.is_empty() {
        label.push(':');
        label.push_str(&args.join(" "));
    }
    label
}

/// `name=command`: a plain name before the first `=`, and no blank, slash or colon before it.
fn split_label(text: &str) -> Option<(&str, &str)> {
    let (label, command) = text.split_once('=')?;
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '-' | '@');
    let begins = label.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (begins && label.chars().all(plain)).then_some((label, command))
}

/// Splits at `;` outside of quotes.
fn split_list(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (None, ';') => {
                pieces.push(&text[start..i]);
                start = i + 1;
            }
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Splits at blanks; single and double quotes keep blanks. `None` when a quote stays open.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_names_are_read_again() {
        for (text, expect) in [
            ("z3", "z3"),
            ("z3@4.8.7", "z3@4.8.7"),
            ("cvc5:--strings-exp --fp-exp", "cvc5 --strings-exp --fp-exp"),
            ("./build/z3 'a b'", "/x/build/z3 'a b'"),
            ("mine=./s --flag", "mine=/x/build/z3 --flag"),
        ] {
            let spec = SolverSpec::parse(text).unwrap();
            let written = spec.written(Path::new("/x/build/z3"));
            assert_eq!(written, expect);
            let again = SolverSpec::parse(&written).unwrap();
            assert_eq!(again.args, spec.args, "{text}");
            assert_eq!(again.written(Path::new("/x/build/z3")), expect);
        }
        for (text, expect) in [
            ("z3@latest", "z3@5.4.0.0"),
            ("z3@latest a=b", "z3@5.4.0.0 a=b"),
            ("mine=z3@latest", "mine=z3@5.4.0.0"),
            ("z3@4.8.7", "z3@4.8.7"),
            ("z3", "z3"),
        ] {
            let spec = SolverSpec::parse(text).unwrap().pinned("5.4.0.0");
            assert_eq!(spec, SolverSpec::parse(expect).unwrap(), "{text}");
        }
    }

    #[test]
    fn files_among_the_options_are_found_from_any_folder() {
        let check = |arg: &str, expect: &str| {
            let spec = SolverSpec::parse(&format!("mine=python3 {arg}")).unwrap();
            assert_eq!(spec.rooted_args(), [expect]);
        };
        let here = std::env::current_dir().unwrap();
        let file = here.join("Cargo.toml").to_string_lossy().into_owned();
        check("Cargo.toml", &file);
        check("./Cargo.toml", &here.join("Cargo.toml").to_string_lossy());
        check("--config=Cargo.toml", &format!("--config={file}"));
        check(&file, &file);
        let plain = format!("file-without-dot-{}", std::process::id());
        std::fs::write(&plain, "").unwrap();
        check(&plain, &here.join(&plain).to_string_lossy());
        check(&format!("--config={plain}"), &format!("--config={plain}"));
        std::fs::remove_file(&plain).unwrap();
        check("./src", &here.join("src").to_string_lossy());
        for other in ["src", "smt.arith.solver=2", "--seed=7", "no/such.file", "--x"] {
            check(other, other);
        }
    }

    fn check(text: &str, label: &str, source: Source, args: &[&str]) {
        let spec = SolverSpec::parse(text).unwrap();
        let args: Vec<String> = args.iter().map(|a| (*a).to_owned()).collect();
        assert_eq!(spec, SolverSpec { label: label.to_owned(), source, args }, "{text}");
    }

    fn named(n: &str) -> Source {
        Source::Named(n.to_owned())
    }

    #[test]
    fn forms() {
        check("z3", "z3", named("z3"), &[]);
        check("z3@4.8.7", "z3@4.8.7", Source::Release("z3".into(), "4.8.7".into()), &[]);
        check("cvc5:--strings-exp", "cvc5:--strings-exp", named("cvc5"), &["--strings-exp"]);
        check(
            "cvc5@1.0.9:--a --b=c",
            "cvc5@1.0.9:--a --b=c",
            Source::Release("cvc5".into(), "1.0.9".into()),
            &["--a", "--b=c"],
        );
        check(
            "./build/bin/z3 model_validate=true",
            "z3:model_validate=true",
            Source::Program("./build/bin/z3".into()),
            &["model_validate=true"],
        );
        check(
            "z3 model_validate=true",
            "z3:model_validate=true",
            named("z3"),
            &["model_validate=true"],
        );
        check("mine=./s --x 'a b'", "mine", Source::Program("./s".into()), &["--x", "a b"]);
        check("old=z3@4.8.5", "old", Source::Release("z3".into(), "4.8.5".into()), &[]);
        check("/opt/a:b/s", "s", Source::Program("/opt/a:b/s".into()), &[]);
    }

    #[test]
    fn lists() {
        let labels = |t: &str| {
            SolverSpec::parse_list(t).unwrap().into_iter().map(|s| s.label).collect::<Vec<_>>()
        };
        assert_eq!(
            labels("z3 model_validate=true;cvc5 --check-models"),
            ["z3:model_validate=true", "cvc5:--check-models"]
        );
        assert_eq!(labels("./a/z3;./b/z3;./c/z3;"), ["z3", "z3#2", "z3#3"]);
        assert_eq!(labels("x=./s 'a;b'"), ["x"]);
    }

    #[test]
    fn ranges() {
        let check = |text: &str, expect: &[&str]| {
            let range = ReleaseRange::parse(text).unwrap().map_or_else(Vec::new, |r| {
                let ends = [r.from, r.to].map(Option::unwrap_or_default);
                std::iter::once(r.name).chain(ends).chain(r.args).collect::<Vec<_>>()
            });
            assert_eq!(range, expect, "{text}");
        };
        check("z3@4.8.5..latest", &["z3", "4.8.5", ""]);
        check("z3@..4.12", &["z3", "", "4.12"]);
        check("cvc5@1.0.9..:--a --b", &["cvc5", "1.0.9", "", "--a", "--b"]);
        for single in ["z3@4.8.5", "../build/z3", "mine=../x@1..2/z3", "z3"] {
            check(single, &[]);
        }
        for bad in ["z3@a..b", "@1..2", "z3@latest..1", "z3@1..2 'x"] {
            assert!(ReleaseRange::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn mistakes() {
        for text in [
            "z3@4.8.7,cvc5@1.4.2",
            "z3@4.8.7x",
            "z3@new",
            "z3@4..8",
            "",
            "  ",
            "z3@",
            "@4",
            ":--x",
            "z3 'open",
            ";;",
        ] {
            assert!(SolverSpec::parse_list(text).is_err(), "{text}");
        }
    }
}
