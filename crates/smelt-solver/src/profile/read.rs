//! A profile from its file, with what the types cannot check.

use toml::{Table, Value};

use super::{ColdInput, Profile, family};
use crate::version;

/// Fields that profiles of older releases of smelt may have and that nobody read: what a solver supports is found out by
/// probing, and scripts are always printed with a logic. Files of users that have them are still read.
const RETIRED: [&str; 4] = ["needs_logic", "logics", "theories", "tracker"];
/// Such fields of the entries under `[[dialect]]`.
const RETIRED_OF_DIALECTS: [&str; 1] = ["extensions"];

/// Takes retired fields out; says whether there was one.
fn drop_retired(table: &mut Table) -> bool {
    let drop = |t: &mut Table, names: &[&str]| {
        names.iter().filter(|name| t.remove(**name).is_some()).count() > 0
    };
    let mut had = drop(table, &RETIRED);
    if let Some(Value::Array(entries)) = table.get_mut("dialect") {
        for entry in entries.iter_mut().filter_map(Value::as_table_mut) {
            had |= drop(entry, &RETIRED_OF_DIALECTS);
        }
    }
    had
}

impl Profile {
    /// Reads a profile and checks what the types cannot.
    pub fn from_toml(text: &str) -> Result<Profile, String> {
        let mut table: Table = toml::from_str(text).map_err(|e| e.to_string())?;
        let profile: Result<Profile, _> = match drop_retired(&mut table) {
            true => table.try_into(),
            // Read from the text, mistakes are shown with their line.
            false => toml::from_str(text),
        };
        let profile = profile.map_err(|e| e.to_string())?;
        match profile.mistake() {
            Some(mistake) => Err(format!("{}: {mistake}", profile.name)),
            None => Ok(profile),
        }
    }

    /// What is wrong, if something is.
    fn mistake(&self) -> Option<String> {
        let mut ranges = (self.dialect.iter().map(|d| &d.versions))
            .chain(self.caveats.iter().map(|c| &c.versions))
            .chain(self.safe_mode.iter().map(|s| &s.versions))
            .chain(self.warm.iter().map(|w| &w.versions))
            .chain(self.package.iter().flat_map(|p| p.run.iter().map(|r| &r.versions)));
        if let Some(range) = ranges.find(|range| !version::is_range(range)) {
            return Some(format!("{range:?} is no version range"));
        }
        if let Some(r) = self.rounded.iter().flatten().find(|r| r.text.trim().is_empty()) {
            return Some(format!("rounded {:?} does not say why", r.numbers));
        }
        let is_placed = self.cold.args.iter().any(|a| a.contains("{file}"));
        if self.cold.input != ColdInput::Stdin && !is_placed {
            return Some(String::from("cold.args does not say where {file} goes"));
        }
        if let Some(code) = self.exit_codes.keys().find(|c| c.parse::<i32>().is_err()) {
            return Some(format!("exit code {code:?} is no number"));
        }
        if self.resource_limit.as_ref().is_some_and(|r| !r.arg.contains("{n}")) {
            return Some(String::from("resource_limit.arg does not say where {n} goes"));
        }
        let dialects = self.dialect.iter().find_map(|d| d.mistake());
        let caveats = || self.caveats.iter().find_map(|c| c.mistake());
        dialects.or_else(caveats).or_else(|| family::mistake(&self.shares))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        let check = |text: &str, part: &str| {
            let error = Profile::from_toml(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        let base = "name='x'\nfamily='x'\ntested=false\n";
        check(&format!("{base}cold={{input='file'}}"), "{file}");
        check(&format!("{base}cold={{input='stdin'}}\nnosuch=1"), "nosuch");
        check(&format!("{base}cold={{input='stdin'}}\nexit_codes={{a='crash'}}"), "no number");
        let rounded = |entry: &str| format!("{base}cold={{input='stdin'}}\nrounded=[{{{entry}}}]");
        check(&rounded("sort='Int', numbers='all', text='t'"), "unknown variant `Int`");
        check(&rounded("sort='Real', numbers='some', text='t'"), "unknown variant `some`");
        check(&rounded("sort='Real', numbers='all', logics='NRA', text='t'"), "`NRA`");
        check(&rounded("sort='Real', numbers='all', digits=6, text='t'"), "`digits`");
        check(&rounded("sort='Real', numbers='all'"), "`text`");
        check(&rounded("sort='Real', numbers='all', text=' '"), "does not say why");
        check(
            &format!("{base}cold={{input='stdin'}}\n[[dialect]]\nversions='1.x'"),
            "version range",
        );
        for (entry, part) in [("naming='z4'", "naming \"z4\""), ("escapes='C'", "escapes \"C\"")] {
            let entry = format!("{base}cold={{input='stdin'}}\n[[dialect]]\nversions='*'\n{entry}");
            check(&entry, part);
        }
        let caveat = |about: &str| {
            format!("{base}cold={{input='stdin'}}\n[[caveats]]\nversions='*'\ntext='x'\n{about}")
        };
        check(&caveat("operators=['fp.ad']"), "unknown \"fp.ad\"");
        check(&caveat("theories=['fp']"), "unknown \"fp\"");
        check(&caveat(""), "about nothing");
        assert!(Profile::from_toml(&caveat("theories=['float']")).is_ok());
        check(&format!("{base}cold={{input='stdin'}}\nshares={{lib=['fp']}}"), "unknown \"fp\"");
    }

    #[test]
    fn retired_fields_are_read_over() {
        let base = "name='x'\nfamily='x'\ntested=false\ncold={input='stdin'}\n";
        let check = |more: &str, expect: Option<&str>| {
            let read = Profile::from_toml(&format!("{base}{more}"));
            match expect {
                None => assert_eq!(read.map(|p| p.name).as_deref(), Ok("x"), "{more}"),
                Some(part) => assert!(read.unwrap_err().contains(part), "{more}"),
            }
        };
        let tracker = "[tracker]\nurl='u'\nquota=5\netiquette='e'\nregression_test='plain'";
        for field in ["needs_logic=true", "logics=['QF_BV']", "theories=['core']", tracker] {
            check(field, None);
        }
        let dialect = "[[dialect]]\nversions='*'\nextensions=['z3']";
        check(dialect, None);
        check(&format!("{dialect}\nnaming='z3'"), None);
        // Other fields are still looked at.
        check("needs_logic=true\nnosuch=1", Some("nosuch"));
        check(&format!("{dialect}\nnosuch=1"), Some("nosuch"));
        check("extensions=['z3']", Some("extensions"));
        check(&format!("{dialect}\nnaming='z4'"), Some("z4"));
    }
}
