//! What of a script reaches a solver.
//!
//! A script may come from anywhere, and solvers write, empty and read files and start programs where a script says so. So only
//! what is on a list is sent: the commands of the standard that ask and declare, those that the solver's profile adds, and
//! options with harmless keys. Every other command is left out, counted and named in the outcome; a script that would lose
//! its meaning by that is not sent. (`set-info` is for people, and left out without a word.)
//!
//! The list is worth nothing if the solver cuts the text into other commands than smelt does. So comments are not sent, and a
//! script with bytes on which solvers disagree (see `Doubt`) is not sent at all: all of them are outside of the standard.
//!
//! A user who trusts a script says so ([`crate::Registry::trusting_scripts`]), and nothing here applies.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use smelt_smtlib::is_command;

use crate::escapes;
use crate::outcome::{Answer, Check, Outcome};
use crate::profile::Profile;
use crate::script::Script;
use crate::sexpr::{self, Item, ItemKind};
use crate::solver::Solver;

/// Commands of the standard that neither name a file nor print a line that could pass for an answer, and
/// what all solvers have beside them. (`set-option` goes by its key; `echo` and `exit` are taken out by [`Script::new`].)
const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "get-assertions",
    "get-assignment",
    "get-model",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-logic",
];

/// Commands of smelt's parser that change no answer: they may be left out, and others of it may not.
const IDLE: &[&str] = &["assert-soft", "echo", "exit", "maximize", "minimize", "set-option"];

/// Options of the standard without those that name a stream.
const OPTIONS: &[&str] = &[
    ":global-declarations",
    ":interactive-mode",
    ":print-success",
    ":produce-assertions",
    ":produce-assignments",
    ":produce-models",
    ":produce-proofs",
    ":produce-unsat-assumptions",
    ":produce-unsat-cores",
    ":random-seed",
    ":reproducible-resource-limit",
];

/// Whether smelt itself sets or asks for an option of the standard, in modes that take turns: all but the seed of random numbers and the limit,
/// which are the script's.
pub fn is_own_option(key: &str) -> bool {
    OPTIONS.contains(&key) && !matches!(key, ":random-seed" | ":reproducible-resource-limit")
}

/// A script as a solver gets it.
pub(crate) struct Sent<'s> {
    pub script: Cow<'s, Script>,
    /// What was left out, with how often.
    pub unsent: BTreeMap<String, u32>,
}

/// The script as this solver gets it, in its own escapes; the outcome if it cannot be given to it.
pub(crate) fn sent<'s>(solver: &Solver, script: &'s Script) -> Result<Sent<'s>, Box<Outcome>> {
    let admitted = match solver.trusts_scripts {
        // By the standard it ends a line, and with it a comment; z3, Yices and cvc5 differ.
        true if script.text().replace("\r\n", "").contains('\r') => {
            Err(String::from("it has a carriage return alone, at which not all solvers end a line"))
        }
        true => Ok(Sent { script: Cow::Borrowed(script), unsent: BTreeMap::new() }),
        false => {
            admit(solver.profile(), script).map_err(|d| format!("smelt does not send it: {d}"))
        }
    };
    let in_its_words =
        admitted.and_then(|s| Ok(Sent { script: escapes::in_its_words(solver, s.script)?, ..s }));
    in_its_words.map_err(|why| {
        let check = Check::bare(Answer::Unsupported(why));
        Box::new(Outcome { checks: vec![check; script.checks()], ..Outcome::default() })
    })
}

/// Why a script is not sent at all: the solver could take it for other commands than smelt does.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Doubt {
    /// Text outside of a command, or a command that does not end.
    Unbalanced,
    /// A control character, or a line end other than `\n` inside quotes: hosts that read lines see other ones.
    Control(u8),
    /// A backslash in a quoted symbol: z3 reads `\|` as part of the symbol.
    Backslash,
    /// A quote inside or right behind a word: for cvc5 `:a|b` is one word.
    Glued,
    /// `#|`: for z3 a comment begins here.
    Comment,
    /// A character beyond ASCII outside of quotes.
    Foreign,
    /// The name of a command in quotes: z3 and Bitwuzla carry it out.
    Name,
    /// A command that smelt's own reading of the script rests on, and that is not on the list.
    Needed(String),
    /// A check by a tactic with a parameter that is not on the list, or with quotes.
    Tactic(String),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Unbalanced => f.write_str("there is text outside of a command"),
            Doubt::Control(byte) => write!(f, "it has the control character {byte:#04x}"),
            Doubt::Backslash => f.write_str("a quoted symbol has a backslash"),
            Doubt::Glued => f.write_str("a quote stands inside or right behind a word"),
            Doubt::Comment => f.write_str("`#|` opens a comment for some solvers"),
            Doubt::Foreign => f.write_str("a character beyond ASCII stands outside of quotes"),
            Doubt::Name => f.write_str("the name of a command stands in quotes"),
            Doubt::Needed(name) => write!(f, "`{name}` is not on the list for this solver"),
            Doubt::Tactic(what) => write!(f, "a tactic has {what}, which is not on the list"),
        }
    }
}

/// Leaves out what is not on the list.
fn admit<'s>(profile: &Profile, script: &'s Script) -> Result<Sent<'s>, Doubt> {
    let source = script.text();
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    let mut unsent = BTreeMap::new();
    let mut at = 0;
    for item in sexpr::items(source) {
        if item.kind != ItemKind::List {
            return Err(Doubt::Unbalanced);
        }
        between(source, at..item.start, &mut edits);
        at = item.end();
        let head = item.head();
        if head.starts_with('|') {
            return Err(Doubt::Name);
        }
        let left_out = match head {
            "set-info" if !profile.scripts.commands.iter().any(|c| c == head) => !is_version(&item),
            _ => match unlisted(profile, &item) {
                Some(name) if is_command(head) && !IDLE.contains(&head) => {
                    return Err(Doubt::Needed(name));
                }
                Some(name) => {
                    *unsent.entry(name).or_default() += 1;
                    true
                }
                None => false,
            },
        };
        if left_out {
            // Nor does it matter how a solver would read it.
            edits.push((item.start..item.end(), ""));
            continue;
        }
        let mut words = Words::default();
        plain(&item, &mut edits, &mut words)?;
        if head == "check-sat-using" {
            words.fit_tactic(profile)?;
        }
    }
    between(source, at..source.len(), &mut edits);
    if edits.is_empty() {
        return Ok(Sent { script: Cow::Borrowed(script), unsent });
    }
    let mut text = String::with_capacity(source.len());
    let mut copied = 0;
    for (range, new) in edits {
        text.push_str(&source[copied..range.start]);
        text.push_str(new);
        copied = range.end;
    }
    text.push_str(&source[copied..]);
    Ok(Sent { script: Cow::Owned(Script::new(&text)), unsent })
}

/// How a command fits to the list of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    Sent,
    LeftOut,
    /// Its script is not sent at all.
    Doubtful,
}

/// How a command fits to the list of a profile.
pub(crate) fn fit(profile: &Profile, item: &Item<'_>) -> Fit {
    let head = item.head();
    if head.starts_with('|') {
        return Fit::Doubtful;
    }
    match unlisted(profile, item) {
        Some(_) if is_command(head) && !IDLE.contains(&head) => return Fit::Doubtful,
        Some(_) => return Fit::LeftOut,
        None => {}
    }
    let mut words = Words::default();
    let plain = plain(item, &mut Vec::new(), &mut words).is_ok();
    let tactic = head != "check-sat-using" || words.fit_tactic(profile).is_ok();
    if plain && tactic { Fit::Sent } else { Fit::Doubtful }
}

/// Whether all solvers cut a command's text as smelt does.
pub(crate) fn fits_all(item: &Item<'_>) -> bool {
    plain(item, &mut Vec::new(), &mut Words::default()).is_ok()
}

/// Whether a `set-info` says in which version of the language the script is written, one with the escapes of today. All
/// others are for people, and hold any text.
fn is_version(item: &Item<'_>) -> bool {
    matches!(item.pair(), Some((":smt-lib-version", "2.5" | "2.6" | "2.7")))
}

/// What stands between two commands becomes a line end, unless it is blanks that all solvers know.
fn between(source: &str, gap: Range<usize>, edits: &mut Vec<(Range<usize>, &str)>) {
    if source[gap.clone()].bytes().any(|b| !matches!(b, b' ' | b'\t' | b'\n')) {
        edits.push((gap, "\n"));
    }
}

/// What a command has beside plain words.
#[derive(Default)]
struct Words<'s> {
    keywords: Vec<&'s str>,
    quoted: bool,
}

impl Words<'_> {
    /// A tactic's parameters are options, and some of them name files.
    fn fit_tactic(&self, profile: &Profile) -> Result<(), Doubt> {
        if self.quoted {
            return Err(Doubt::Tactic(String::from("a quoted word")));
        }
        // Parameters of a tactic are written without the name of their module.
        let within = |k: &str, o: &str| o.rsplit_once('.').is_some_and(|(_, name)| k == name);
        let listed = |k: &&&str| {
            let name = k.trim_start_matches(':');
            lists_option(profile, k) || profile.options.all().any(|o| within(name, option_name(o)))
        };
        match self.keywords.iter().find(|k| !listed(k)) {
            Some(key) => Err(Doubt::Tactic(format!("the parameter {}", short(key)))),
            None => Ok(()),
        }
    }
}

/// Looks for bytes on which solvers disagree, takes comments away, and writes a backslash before a quote in a form that no
/// solver takes for an escaped quote.
fn plain<'s>(
    item: &Item<'s>,
    edits: &mut Vec<(Range<usize>, &str)>,
    words: &mut Words<'s>,
) -> Result<(), Doubt> {
    let bytes = item.text.as_bytes();
    let place = |from: usize, to: usize| item.start + from..item.start + to;
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            quote @ (b'"' | b'|') => {
                words.quoted = true;
                let doubled = quote == b'"' && i > 0 && bytes[i - 1] == b'"';
                if !(doubled || i > 0 && is_delimiter(bytes[i - 1])) {
                    return Err(Doubt::Glued);
                }
                i += 1;
                while i < bytes.len() && bytes[i] != quote {
                    match bytes[i] {
                        b'\\' if quote == b'|' => return Err(Doubt::Backslash),
                        b'\\' if bytes.get(i + 1) == Some(&b'"') => {
                            edits.push((place(i, i + 1), "\\u{5c}"));
                        }
                        b'\n' | b'\t' => {}
                        b if b.is_ascii_control() => return Err(Doubt::Control(b)),
                        _ => {}
                    }
                    i += 1;
                }
                let next = bytes.get(i + 1).copied().unwrap_or(b')');
                if !(is_delimiter(next) || next == quote && quote == b'"') {
                    return Err(Doubt::Glued);
                }
            }
            b';' => {
                let end = sexpr::line_end(bytes, i);
                edits.push((place(i, end), " "));
                i = end;
                continue;
            }
            // cvc5 loses the character behind a keyword of one letter.
            b'(' if i > 0 && !is_delimiter(bytes[i - 1]) => edits.push((place(i, i), " ")),
            b'#' if bytes.get(i + 1) == Some(&b'|') => return Err(Doubt::Comment),
            b'\r' | b'\x0c' => edits.push((place(i, i + 1), " ")),
            b'\n' | b'\t' => {}
            b':' => {
                let end = bytes[i..].iter().position(|b| {
                    b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b'"' | b'|' | b';')
                });
                words.keywords.push(&item.text[i..end.map_or(bytes.len(), |n| i + n)]);
            }
            b if b.is_ascii_control() => return Err(Doubt::Control(b)),
            b if !b.is_ascii() => return Err(Doubt::Foreign),
            _ => {}
        }
        i += 1;
    }
    Ok(())
}

/// Whether a byte ends every word, in every solver; or is not sent, and a blank is in its place.
fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'(' | b')' | b'\r' | b'\x0c' | b';')
}

/// The name of a command that is not on the list.
fn unlisted(profile: &Profile, item: &Item<'_>) -> Option<String> {
    let head = item.head();
    if head == "set-option" {
        let fits = |(key, value): (&str, &str)| lists_option(profile, key) && is_bare(value);
        return (!item.pair().is_some_and(fits))
            .then(|| format!("set-option {}", short(item.word(1))));
    }
    let listed = COMMANDS.contains(&head) || profile.scripts.commands.iter().any(|c| c == head);
    (!listed).then(|| short(head))
}

/// Whether a value is a number or a plain word, in quotes or not. Options that take more can be given a tactic with
/// parameters, or a path.
fn is_bare(value: &str) -> bool {
    let inner = |quote: char| value.strip_prefix(quote).and_then(|v| v.strip_suffix(quote));
    let value = inner('"').or_else(|| inner('|')).unwrap_or(value);
    // cvc4 and cvc5 explain the option and end.
    value != "help"
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'+'))
}

/// Whether a script may set an option: one of the standard, of the profile's list, or of its pools.
fn lists_option(profile: &Profile, key: &str) -> bool {
    let Some(name) = key.strip_prefix(':') else { return false };
    // z3 takes `auto-config` for `auto_config`.
    let same = |o: &str| o.bytes().map(folded).eq(name.bytes().map(folded));
    OPTIONS.contains(&key)
        || profile.scripts.options.iter().any(|o| same(o))
        || profile.options.all().any(|o| same(option_name(o)))
}

impl Profile {
    /// The argument by which this solver is given what a script sets (`:smt.mbqi`, `false`): if it is on the profile's list, so that it is
    /// harmless, and asks the same question. Options of the standard are smelt's to set.
    pub fn argument(&self, key: &str, value: &str) -> Option<String> {
        let name = key.strip_prefix(':')?;
        let same = |o: &&str| o.bytes().map(folded).eq(name.bytes().map(folded));
        let of_pools = self.options.all().map(option_name);
        // As the profile spells it: z3 takes `auto-config` from a script only.
        let name = self.scripts.options.iter().map(String::as_str).chain(of_pools).find(same)?;
        let inner = |quote: char| value.strip_prefix(quote).and_then(|v| v.strip_suffix(quote));
        let plain = inner('"').or_else(|| inner('|')).unwrap_or(value);
        let fits = is_bare(value) && !plain.is_empty() && !self.changes_question(key);
        fits.then(|| self.scripts.style.map(|style| style.write(name, plain)))?
    }

    /// Whether an argument is one that stands for what a script sets.
    pub(crate) fn is_of_script(&self, argument: &str) -> bool {
        let read = self.scripts.style.and_then(|style| style.read(argument));
        read.and_then(|(key, value)| self.argument(&format!(":{key}"), value)).as_deref()
            == Some(argument)
    }
}

/// A hyphen as an underscore, a capital as a small letter: z3 takes `smt.QI.EAGER-THRESHOLD` for `smt.qi.eager_threshold`.
fn folded(byte: u8) -> u8 {
    if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() }
}

/// The name in an option of the command line: `decision` of `--decision=internal`, `cegqi` of `--no-cegqi`, `smt.relevancy` of
/// `smt.relevancy=0`.
pub fn option_name(option: &str) -> &str {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    match name.strip_prefix("--") {
        Some(long) => long.strip_prefix("no-").unwrap_or(long),
        None => name,
    }
}

/// The beginning of a word, for people.
fn short(word: &str) -> String {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    word.chars().take(60).map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    /// What is sent of a script, with what is left out behind it; or why nothing is sent.
    fn check(solver: &str, text: &str, expect: &str) {
        let profiles = Profiles::embedded();
        let script = Script::new(text);
        let got = match admit(profiles.get(solver).unwrap(), &script) {
            Ok(sent) => {
                let left: String =
                    sent.unsent.iter().map(|(name, n)| format!(" -{name}*{n}")).collect();
                sent.script.text().to_owned() + &left
            }
            Err(doubt) => format!("not sent: {doubt}"),
        };
        assert_eq!(got, expect, "{solver}: {text}");
    }

    #[test]
    fn what_only_asks_is_sent_as_it_is() {
        for text in [
            "(set-logic QF_LIA)\n(set-option :produce-models true)\n(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n",
            "(set-info :smt-lib-version 2.6)(push 1)(check-sat-assuming (p))(get-value (x))(pop 1)",
            "(assert (= s \"a \"\"b\"\" | ; \\u{41}\"))(check-sat)",
        ] {
            for solver in ["z3", "cvc5", "cvc4", "yices", "bitwuzla", "generic"] {
                check(solver, text, text);
            }
        }
    }

    #[test]
    fn unlisted_commands_are_named() {
        check("z3", "(include \"F\")(check-sat)(include \"G\")", "(check-sat) -include*2");
        check(
            "cvc5",
            "(set-option :regular-output-channel \"F\")(set-option :seed 3)(set-option :produce-models true x)",
            "(set-option :seed 3) -set-option :produce-models*1 -set-option :regular-output-channel*1",
        );
        let option = "(set-option :tactic.default_tactic";
        check("z3", &format!("{option} smt)"), &format!("{option} smt)"));
        for value in
            ["\"(using-params sat :drat.file |F|)\"", "|a b|", "/etc/x", "\"\"\"\"", "(smt)"]
        {
            let left = " -set-option :tactic.default_tactic*1";
            check("z3", &format!("{option} {value})"), left);
        }
        check("yices", "(set-option :seed 3)(check-sat)", "(check-sat) -set-option :seed*1");
        check(
            "z3",
            "(set-option :smt.relevancy 0)(simplify (+ 1 1))",
            "(set-option :smt.relevancy 0) -simplify*1",
        );
        check(
            "z3",
            "( ; why\n set-option :trace true)(get-info :name)",
            " -get-info*1 -set-option :trace*1",
        );
    }

    #[test]
    fn what_solvers_cut_otherwise_is_not_sent() {
        let tricks = [
            (
                "(assert |\\| )(assert |)(include \"F\")(assert |)",
                "a quoted symbol has a backslash",
            ),
            ("(|include| \"F\")", "the name of a command stands in quotes"),
            ("(check-sat)(|assert| false)", "the name of a command stands in quotes"),
            ("(assert true) #| (assert false) |#", "there is text outside of a command"),
            ("(assert #| x |# true)", "`#|` opens a comment for some solvers"),
            ("(assert (= s \"a\rb\"))", "it has the control character 0x0d"),
            ("(assert |a\0b|)", "it has the control character 0x00"),
            ("(assert \x0b true)", "it has the control character 0x0b"),
            ("(assert \u{a0}true)", "a character beyond ASCII stands outside of quotes"),
            ("(assert true", "there is text outside of a command"),
            (")(check-sat)", "there is text outside of a command"),
            (
                "(check-sat-using (using-params sat :drat.file F))",
                "a tactic has the parameter :drat.file, which is not on the list",
            ),
            (
                "(assert (! p :a|b ))(set-option :out \"F\")(assert (! q :c|d))",
                "a quote stands inside or right behind a word",
            ),
            ("(assert a\"b\")", "a quote stands inside or right behind a word"),
            ("(assert |a||b|)", "a quote stands inside or right behind a word"),
            ("(assert |a|b)", "a quote stands inside or right behind a word"),
            ("(assert \"a\"b)", "a quote stands inside or right behind a word"),
            ("(check-sat-using |smt|)", "a tactic has a quoted word, which is not on the list"),
        ];
        for (text, why) in tricks {
            check("z3", text, &format!("not sent: {why}"));
        }
    }

    #[test]
    fn comments_and_odd_blanks_are_not_sent() {
        check("cvc4", "; a (\n(check-sat) ; (\n", "\n(check-sat)\n");
        check("cvc4", "(assert ; x (y\n true)\r\n(check-sat)", "(assert  \n true)\n(check-sat)");
        // A carriage return ends a comment for smelt's parser and for cvc4, and not for z3, Yices and newer cvc5: what stands behind it is sent.
        for solver in ["z3", "cvc5", "cvc4", "yices"] {
            check(solver, "; a\r(include \"F\")\n(check-sat)", "\n\n(check-sat) -include*1");
            let text = "(assert p) ; a\r(assert ; b\rfalse)\r\n(check-sat)";
            check(solver, text, "(assert p)\n(assert   false)\n(check-sat)");
        }
        check(
            "yices",
            "(assert (= s \"a\\\"))(check-sat)",
            "(assert (= s \"a\\u{5c}\"))(check-sat)",
        );
        check("cvc4", "(assert |a|\r\n)(assert |b|; x\n)", "(assert |a| \n)(assert |b| \n)");
        check("cvc5", "(assert (! p :a(x)))", "(assert (! p :a (x)))");
        check("yices", "(assert (= s \"\\\"\"\\\"))", "(assert (= s \"\\u{5c}\"\"\\u{5c}\"))");
    }

    #[test]
    fn tactics_of_the_profile_are_sent() {
        let profiles = Profiles::embedded();
        for tactic in &profiles.get("z3").unwrap().tactics {
            let text = format!("(check-sat-using {tactic})");
            check("z3", &text, &text);
        }
        check(
            "z3",
            "(check-sat-using (using-params simplify :elim_and true))(set-option :auto-config false)",
            "(check-sat-using (using-params simplify :elim_and true))(set-option :auto-config false)",
        );
        // Without it the answers would be those to other checks.
        let why = "not sent: `check-sat-using` is not on the list for this solver";
        check("cvc5", "(check-sat-using smt)(check-sat)", why);
    }

    #[test]
    fn what_is_said_to_people_is_left_out() {
        let text =
            "(set-info :source |C:\\x \r\n (include|)(set-info :smt-lib-version 2.0)(check-sat)";
        check("yices", text, "(check-sat)");
        check("z3", "(set-info :x |\\| )(set-info :y |)(include \"F\")(set-info :z |)", "");
    }

    /// What smelt reads as part of the question is sent, or nothing is.
    #[test]
    fn nothing_that_matters_is_left_out() {
        let profiles = Profiles::embedded();
        for profile in profiles.iter() {
            for name in COMMANDS.iter().chain(IDLE) {
                let known = is_command(name) || name.starts_with("get-") || *name == "echo";
                assert!(known || *name == "declare-sort-parameter", "{name}");
            }
            for command in &profile.scripts.commands {
                assert!(!command.starts_with("get-") && command != "include", "{command}");
            }
            for option in &profile.scripts.options {
                let stream = ["channel", "file", "log", "dump", "trace", "out", "output", "write"];
                let mut parts = option.split(['.', '-', '_']);
                assert!(!parts.any(|p| stream.contains(&p)), "{}: {option}", profile.name);
            }
        }
    }

    /// What a solver is given on its command line of what a script sets.
    #[test]
    fn options_as_arguments() {
        let profiles = Profiles::embedded();
        let check = |solver: &str, key: &str, value: &str, expect: Option<&str>| {
            let profile = profiles.get(solver).unwrap();
            let argument = profile.argument(key, value);
            assert_eq!(argument.as_deref(), expect, "{solver} {key} {value}");
            if let Some(argument) = argument {
                assert!(profile.gives_option(&argument), "{argument}");
            }
        };
        check("z3", ":smt.mbqi", "false", Some("smt.mbqi=false"));
        check("z3", ":auto-config", "false", Some("auto_config=false"));
        check("z3", ":smt.case_split", "3", Some("smt.case_split=3"));
        // What Boogie and Viper write.
        check("z3", ":smt.qi.eager_threshold", "100", Some("smt.qi.eager_threshold=100"));
        check("z3", ":smt.QI.EAGER_THRESHOLD", "100.0", Some("smt.qi.eager_threshold=100.0"));
        check("z3", ":smt.restart_factor", "|1.5|", Some("smt.restart_factor=1.5"));
        check("z3", ":type_check", "true", Some("type_check=true"));
        check("z3", ":pp.bv_literals", "false", None);
        check("z3", ":timeout", "0", None);
        check("cvc5", ":inst-when", "full-last-call", Some("--inst-when=full-last-call"));
        check("cvc5", ":finite-model-find", "true", Some("--finite-model-find"));
        check("cvc5", ":cegqi", "false", Some("--no-cegqi"));
        check("cvc5", ":decision", "\"internal\"", Some("--decision=internal"));
        // What is another solver's, what asks another question, what is not known, what is smelt's to set, what is no plain word.
        check("cvc5", ":smt.mbqi", "false", None);
        check("z3", ":smt.array.extensional", "false", None);
        check("cvc5", ":solve-int-as-bv", "8", None);
        check("z3", ":trace_file_name", "x", None);
        check("z3", ":produce-models", "true", None);
        check("z3", ":smt.string_solver", "(a b)", None);
        check("z3", "smt.mbqi", "false", None);
        check("yices", ":mcsat", "true", None);
        let z3 = profiles.get("z3").unwrap();
        assert!(!z3.gives_option("trace=true") && !z3.gives_option("smt.mbqi=/a"));
        assert!(!profiles.get("cvc5").unwrap().gives_option("--solve-int-as-bv=9"));
    }
}
