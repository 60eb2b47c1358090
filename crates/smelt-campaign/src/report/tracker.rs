//! Trackers of solvers: how many reports a week they are sent at most, which labels they use, and what a regression test looks like there.

use std::fmt::Write;

use smelt_triage::Class;

use super::proof::right_answer;
use crate::shelf::Contents;

/// A tracker.
pub struct Tracker {
    /// Its name, which is that of the solver's profile.
    pub name: &'static str,
    /// Reports in a week, at most, if its developers would rather not have more.
    pub weekly: Option<usize>,
    /// The label of a class, as the tracker has it.
    label: fn(Class) -> Option<&'static str>,
    /// Labels of the solver's guarded modes, the strictest first, each with its option; and the label of what shows in none of them.
    pub modes: Option<(&'static [(&'static str, &'static str)], &'static str)>,
    /// The files of a regression test: how each name ends, and the text.
    test: fn(&Test<'_>) -> Vec<(&'static str, String)>,
}

/// What a regression test is made of.
struct Test<'a> {
    script: &'a str,
    options: &'a [String],
    answer: &'static str,
    class: Class,
}

/// All trackers.
pub const TRACKERS: [Tracker; 5] = [
    Tracker {
        name: "z3",
        weekly: None,
        modes: None,
        label: |class| match class {
            Class::RefutationSoundness | Class::SolutionSoundness => Some("soundness"),
            Class::InvalidModel | Class::ModelContradiction => Some("invalid model"),
            Class::Crash => Some("crash"),
            Class::Performance | Class::PerformanceRegression => Some("performance"),
            _ => None,
        },
        test: |t| {
            // Its tests have no command line of their own.
            let settings = t.options.iter().filter_map(|o| o.split_once('='));
            let mut text: String =
                settings.map(|(key, value)| format!("(set-option :{key} {value})\n")).collect();
            text += t.script;
            vec![(".smt2", text), (".expected.out", format!("{}\n", t.answer))]
        },
    },
    Tracker {
        name: "cvc5",
        // What its developers ask of people who fuzz it.
        weekly: Some(3),
        modes: Some((
            &[("safe-options", "--safe-mode=safe"), ("stable-mode", "--safe-mode=stable")],
            "experimental",
        )),
        label: |class| match class {
            Class::RefutationSoundness | Class::SolutionSoundness => Some("unsoundness"),
            Class::InvalidModel | Class::ModelContradiction => Some("bad-model"),
            Class::Crash => Some("crash"),
            Class::InvalidProof => Some("proofs"),
            Class::Performance | Class::PerformanceRegression => Some("performance"),
            _ => None,
        },
        test: |t| {
            let mut text = String::new();
            let mut options = t.options.to_vec();
            if t.class == Class::InvalidModel && !options.iter().any(|o| o == "--check-models") {
                options.push("--check-models".to_owned());
            }
            if !options.is_empty() {
                let _ = writeln!(text, "; COMMAND-LINE: {}", options.join(" "));
            }
            let _ = writeln!(text, "; EXPECT: {}", t.answer);
            // What a model looks like is nobody's to say.
            text += &without_questions(t.script);
            vec![(".smt2", text)]
        },
    },
    Tracker {
        name: "bitwuzla",
        weekly: None,
        modes: None,
        label: |class| match class {
            Class::RefutationSoundness | Class::SolutionSoundness => Some("soundness"),
            Class::InvalidModel => Some("model"),
            Class::Crash => Some("bug"),
            _ => None,
        },
        test: |t| {
            let script = without_questions(t.script);
            vec![(".smt2", script), (".expect", format!("{}\n", t.answer))]
        },
    },
    Tracker { name: "yices", weekly: None, modes: None, label: |_| None, test: plain },
    Tracker { name: "opensmt", weekly: None, modes: None, label: |_| None, test: plain },
];

/// A script with its status, where a tracker has no format of its own.
fn plain(t: &Test<'_>) -> Vec<(&'static str, String)> {
    vec![(".smt2", format!("(set-info :status {})\n{}", t.answer, without_questions(t.script)))]
}

/// A script without what is asked behind the answers.
fn without_questions(script: &str) -> String {
    let kept = script.lines().filter(|l| !l.starts_with("(get-"));
    kept.flat_map(|l| [l, "\n"]).collect()
}

/// The tracker of this name.
pub fn by_name(name: &str) -> Option<&'static Tracker> {
    TRACKERS.iter().find(|t| t.name == name)
}

impl Tracker {
    /// The labels of a finding.
    pub fn labels<'c>(&self, c: &'c Contents) -> Vec<&'c str> {
        let f = &c.finding;
        let mut all: Vec<&str> = (self.label)(f.class()).into_iter().collect();
        all.extend(f.labels.iter().map(String::as_str));
        let varied = f.reproducer.mode.is_varied() || !super::given(f).is_empty();
        all.push(if varied { "non-default options" } else { "default options" });
        all
    }

    /// The files of a regression test; none if the right answer is not known, or it takes a session.
    pub fn regression_test(&self, c: &Contents) -> Vec<(&'static str, String)> {
        let Some(answer) = right_answer(c).filter(|_| !c.finding.reproducer.session) else {
            return Vec::new();
        };
        let (mode, class) = (&c.finding.reproducer.mode, c.finding.class());
        let options = super::always(c).into_iter().chain(super::given(&c.finding));
        let options: Vec<String> = options.chain(mode.options.iter().cloned()).collect();
        (self.test)(&Test { script: &c.bug, options: &options, answer, class })
    }
}
