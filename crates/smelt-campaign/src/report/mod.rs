//! What people read of a finding: the draft of a report (`report.md`), and `repro.sh`.

pub mod labels;
pub mod markdown;
mod proof;
pub mod queue;
pub mod tracker;

use std::fmt::Write;

use smelt_case::Origin;
use smelt_smtlib::op::Theory;
use smelt_smtlib::{Binder, Command, Head, parse};
use smelt_solver::{Profile, Profiles, SolverSpec};
use smelt_triage::{Class, Fingerprint, Mark};

use self::markdown::{block, code, words};
use crate::finding::{Finding, Peer};
use crate::jobs::Kind;
use crate::shelf::{Contents, file};

use self::proof::capitalised;
pub use self::proof::{right_answer, why_plain};

/// Longest output that is shown, in characters.
const PRINTED: usize = 2000;

/// The draft of a report: what a person pastes into a tracker, unchanged.
pub fn markdown(c: &Contents) -> String {
    let f = &c.finding;
    let mut s = format!("# {}\n\n", title(c));
    s += &block("smt2", &c.bug);
    if f.reproducer.session {
        s += "\nIt happens only in a process that has answered other scripts before: this is the whole session.\n";
    }
    let _ = write!(s, "\n{}", code(&command(c)));
    let checks = smelt_solver::Script::new(&c.bug).checks();
    if checks > 1 && !f.reproducer.session {
        let _ = write!(s, " (it is about check {} of {checks})", f.reproducer.check + 1);
    }
    if f.rate.0 < f.rate.1 {
        let _ = write!(s, " in {} of {} runs", f.rate.0, f.rate.1);
    }
    let _ = writeln!(s, " prints:\n\n{}", block("", &printed(c)));
    let _ = writeln!(s, "{}\n", proof::why(c));
    for v in
        f.verdicts.iter().skip(1).filter(|v| v.withdrawn.is_none() && !proof::tells(c, v.class))
    {
        let _ = writeln!(s, "It is also {}: {}.\n", a_class(v.class), proof::told(&v.evidence));
    }
    if f.totalised {
        s += "The script says itself what the standard leaves open: functions stand for the values of partial operators outside of their \
            domains, so that no convention excuses an answer.\n\n";
    }
    s += &beside(c);
    s += &peers(c);
    if let Some(print) = &f.fingerprint {
        s += &history(print, f.done.contains_key(&Kind::Bisect));
    }
    let _ = writeln!(s, "Version: {}, {}.\n", words(&version(f)), options(f));
    let labels = tracker::by_name(&f.accused.profile).map(|t| t.labels(c));
    let labels: Vec<String> = labels.into_iter().flatten().map(code).collect();
    if !labels.is_empty() {
        let _ = writeln!(s, "Labels: {}\n", labels.join(", "));
    }
    let _ = writeln!(s, "{}", origin(f));
    s
}

/// Kind of fault, theories and release.
fn title(c: &Contents) -> String {
    let f = &c.finding;
    let kind = match f.class() {
        Class::RefutationSoundness => "Wrong unsat: a satisfiable script".to_owned(),
        Class::SolutionSoundness => "Wrong sat: an unsatisfiable script".to_owned(),
        Class::Crash => match proof::place(f) {
            Some(place) => format!("Crash {place}"),
            None => "Crash".to_owned(),
        },
        class => capitalised(&class.to_string()),
    };
    let mut about: Vec<&str> = theories(c);
    if !about.contains(&&*f.logic) {
        about.push(&f.logic);
    }
    format!("{kind} ({}), {}", about.join(", "), version(f))
}

/// The solver with its release, as its developers call it.
fn version(f: &Finding) -> String {
    let version = f.accused.version.as_deref().map_or("of unknown version", release);
    format!("{} {version}", f.accused.profile)
}

/// A release by its own number: packages add a zero, or how often they were made.
fn release(version: &str) -> &str {
    let own: Vec<&str> = version.split('.').collect();
    match own[..] {
        [_, _, _, last, ..] if last == "0" || last.starts_with("post") => {
            let length = own[..3].join(".").len();
            &version[..length]
        }
        _ => version,
    }
}

fn a_class(class: Class) -> String {
    let text = class.to_string();
    let vowel = text.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {text}", if vowel { "an" } else { "a" })
}

/// The theories of a script, in words.
fn theories(c: &Contents) -> Vec<&'static str> {
    let Ok(script) = parse(c.bug.as_bytes()) else { return Vec::new() };
    let a = &script.arena;
    let mut all: Vec<&str> = Vec::new();
    for t in a.dag(&script.roots()) {
        let word = match a.head(t) {
            Head::Op(op, _) => theory(op.info().theory),
            Head::Bind(Binder::Lambda, _) => Some("lambdas"),
            Head::Bind(..) => Some("quantifiers"),
            _ => None,
        };
        all.extend(word.filter(|w| !all.contains(w)));
    }
    let datatypes = |c: &Command| matches!(c, Command::DeclareDatatypes(_));
    if script.commands.iter().any(datatypes) && !all.contains(&"datatypes") {
        all.push("datatypes");
    }
    all.sort_unstable();
    all
}

fn theory(theory: Theory) -> Option<&'static str> {
    Some(match theory {
        Theory::Core => return None,
        Theory::Ints | Theory::Reals | Theory::RealsInts => "arithmetic",
        Theory::BitVec => "bit-vectors",
        Theory::Float => "floating point",
        Theory::Strings | Theory::Regex => "strings",
        Theory::Arrays => "arrays",
        Theory::Datatypes => "datatypes",
        Theory::Seq => "sequences",
        Theory::Sets => "sets",
        Theory::Relations => "relations",
        Theory::Bags => "bags",
        Theory::Fields => "finite fields",
        Theory::Transcendentals => "transcendentals",
        Theory::Tuples => "tuples",
        Theory::Nullables => "nullables",
        Theory::HigherOrder => "higher-order",
        Theory::PseudoBoolean => "pseudo-Boolean",
        Theory::Separation => "separation logic",
    })
}

/// The command that shows the fault, with no path of this machine, and with what is needed only.
pub fn command(c: &Contents) -> String {
    let f = &c.finding;
    let profiles = Profiles::embedded();
    let mut all = Vec::new();
    match profiles.get(&f.accused.profile).filter(|p| p.name != "generic") {
        Some(profile) => {
            all.push(profile.programs.first().unwrap_or(&profile.name).clone());
            all.extend(own_options(profile, c));
        }
        None => all.extend(f.accused.command.first().map(|p| base_name(p).to_owned())),
    }
    all.extend(given(f));
    all.extend(f.reproducer.mode.options.iter().cloned());
    all.push(file::BUG.to_owned());
    let all: Vec<String> = all.iter().map(|w| quote(w)).collect();
    all.join(" ")
}

/// Options that the accused was given by whoever named it, without paths.
pub(crate) fn given(f: &Finding) -> Vec<String> {
    let all = SolverSpec::parse(&f.accused.spec).map_or_else(|_| Vec::new(), |spec| spec.args);
    all.into_iter().filter(|o| !o.contains('/')).collect()
}

/// Options that the solver needs for what is in the script.
fn own_options(profile: &Profile, c: &Contents) -> Vec<String> {
    let mode = &c.finding.reproducer.mode;
    // The extension of the file names the language.
    let mut all: Vec<String> =
        profile.args.iter().filter(|o| !o.starts_with("--lang")).cloned().collect();
    all.extend(always(c));
    let incremental = smelt_solver::Script::new(&c.bug).incremental();
    if incremental {
        all.extend(profile.incremental_args.iter().cloned());
    } else if !mode.bare {
        all.extend(profile.plain_args.iter().cloned());
    }
    if c.bug.contains("(get-model)") || c.bug.contains("(get-value") {
        all.extend(profile.model_args.iter().cloned());
    }
    if mode.cores || c.bug.contains("(get-unsat-core)") {
        all.extend(profile.core_args.iter().cloned());
    }
    if mode.self_check {
        all.extend(profile.self_check_args.iter().cloned());
    }
    all
}

/// Options that the accused was run with beside those of the fault, unless it was seen to show without them.
pub(crate) fn always(c: &Contents) -> Vec<String> {
    let (f, profiles) = (&c.finding, Profiles::embedded());
    let profile = profiles.get(&f.accused.profile).filter(|_| !f.reproducer.mode.bare);
    profile.map(|p| p.usual_args.clone()).unwrap_or_default()
}

/// What it prints, without paths of this machine.
fn printed(c: &Contents) -> String {
    let f = &c.finding;
    let output = c.outputs.iter().find(|(name, _)| *name == f.accused.label).map(|(_, t)| &**t);
    let Some(output) = output else { return f.answer.clone() };
    let body = output.split_once('\n').map_or("", |(_, rest)| rest);
    let (stdout, rest) = body.split_once("\n--- ").unwrap_or((body, ""));
    let errors = rest.split_once("stderr\n").map_or("", |(_, e)| e);
    let errors = errors.split("\n--- ").next().unwrap_or_default();
    let mut text = stdout.trim().to_owned();
    if !c.bug.contains("(get-") {
        // smelt asked for the model by itself.
        let lines = text.lines().take_while(|l| !l.starts_with('(') || l.starts_with("(error"));
        text = lines.collect::<Vec<_>>().join("\n");
    } else if let Some(model) = crate::recheck::printed_model(output, f.reproducer.check)
        && !text.contains(model.trim())
    {
        text = format!("{text}\n{}", model.trim());
    }
    if f.class().row().ends {
        let said = errors.trim();
        let end = if said.is_empty() { last_word(&f.answer) } else { String::new() };
        text = format!("{text}\n{said}\n{end}");
    }
    let text: Vec<String> = text.lines().map(without_paths).collect();
    let text = text.join("\n").trim().to_owned();
    match text.char_indices().nth(PRINTED) {
        Some((end, _)) => format!("{}\n…", &text[..end]),
        None if text.is_empty() => f.answer.clone(),
        None => text,
    }
}

/// What a shell says of the end of a process.
fn last_word(answer: &str) -> String {
    let signals = [
        ("SIGSEGV", "Segmentation fault"),
        ("SIGABRT", "Aborted"),
        ("SIGFPE", "Floating point exception"),
        ("SIGILL", "Illegal instruction"),
        ("SIGBUS", "Bus error"),
    ];
    let signal = signals.iter().find(|(name, _)| answer.contains(name));
    signal.map_or_else(|| answer.to_owned(), |(_, word)| (*word).to_owned())
}

/// An answer without where a process ended, which is told elsewhere: `crash (SIGSEGV)`, `crash`.
fn in_short(answer: &str) -> String {
    match answer.split_once(": ") {
        Some((head, _)) if head.starts_with("crash (SIG") => format!("{head})"),
        Some((head, _)) if head.starts_with("crash (") => "crash".to_owned(),
        _ => answer.to_owned(),
    }
}

/// A line in which absolute paths have only their last part.
fn without_paths(line: &str) -> String {
    let is_path = |w: &str| w.starts_with('/') && w[1..].contains('/');
    let mut out = String::new();
    for piece in line.split_inclusive([' ', '"', '\'', '(', ')', ':', ',']) {
        let word = piece.trim_end_matches([' ', '"', '\'', '(', ')', ':', ',']);
        out += if is_path(word) { base_name(word) } else { word };
        out += &piece[word.len()..];
    }
    out
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').find(|p| !p.is_empty()).unwrap_or(path)
}

/// The other scripts that it is about.
fn beside(c: &Contents) -> String {
    let (f, mut s) = (&c.finding, String::new());
    if let Some(before) = &c.before {
        let pair = f.reproducer.pair.as_ref().map(|pair| (pair.expected, pair.words()));
        let _ = match pair {
            Some((answer, (other, true))) => writeln!(
                s,
                "It answers `{answer}` to this script (`before.smt2`), which is {other}; that excludes its answer to the one above:\n"
            ),
            _ => writeln!(
                s,
                "It decides this script (`before.smt2`), from which one step leads to the one above ({}):\n",
                words(&f.mutation)
            ),
        };
        let _ = writeln!(s, "{}", block("smt2", before));
    }
    if let Some(flat) = &c.flat {
        let check = f.reproducer.check + 1;
        let _ = writeln!(
            s,
            "To check {check} alone (`flat.smt2`) it says the opposite:\n\n{}",
            block("smt2", flat)
        );
    }
    if let Some(values) = &c.values {
        let _ = writeln!(
            s,
            "With the values of its own model asserted (`values.smt2`):\n\n{}",
            block("smt2", values)
        );
    }
    s
}

/// What others say of the script.
fn peers(c: &Contents) -> String {
    let f = &c.finding;
    if f.peers.is_empty() {
        return String::new();
    }
    let mut s = String::from("| solver | answer | model |\n|---|---|---|\n");
    let mut line = |solver: &str, answer: &str, model: Option<&str>| {
        let _ = writeln!(
            s,
            "| {} | {} | {} |",
            words(solver),
            words(answer),
            words(&model.unwrap_or("").replace("FALSE", "false"))
        );
    };
    line(&shown_name(&f.accused.label), &in_short(&f.answer), f.model.as_deref());
    for Peer { solver, answer, model } in &f.peers {
        line(&shown_name(solver), &in_short(answer), model.as_deref());
    }
    s.push('\n');
    s
}

/// A solver's label without folders: `z3@5.4.0 (5.4.0.0)` as `z3 5.4.0`.
fn shown_name(label: &str) -> String {
    // Options stand in the command.
    let label = label.split(":-").next().unwrap_or(label);
    let label: Vec<&str> = label.split(' ').map(base_name).collect();
    match label[..] {
        [spec, version] if version.starts_with('(') && spec.contains('@') => spec.replace('@', " "),
        _ => label.join(" ").replace('@', " "),
    }
}

/// Where it begins and ends, and which options make it vanish. Unless all releases were at hand, those between may be other ends.
fn history(print: &Fingerprint, all: bool) -> String {
    let mut s = String::new();
    let told: Vec<&(String, Mark)> =
        print.releases.iter().filter(|(_, mark)| *mark != Mark::Open).collect();
    let shows = |i: usize| told[i].1 == Mark::Shows;
    let asked = if all { String::new() } else { format!(" (of {} releases at hand)", told.len()) };
    for i in (0..told.len()).filter(|&i| shows(i) && (i == 0 || !shows(i - 1))) {
        if told.len() == 1 {
            break;
        }
        let first = release(&told[i].0);
        let begin = match i.checked_sub(1) {
            Some(good) => format!("Last good {}, first bad {first}", release(&told[good].0)),
            None => format!("Bad from {first} on, the oldest release that can tell"),
        };
        let end = (i..told.len()).find(|&j| !shows(j));
        let end = match end {
            Some(j) => format!("fixed in {}", release(&told[j].0)),
            None => format!("still in {}", release(&told[told.len() - 1].0)),
        };
        let _ = writeln!(s, "{begin}; {end}{asked}.\n");
    }
    let cures: Vec<String> = print.cures().into_iter().map(code).collect();
    if !cures.is_empty() {
        let _ = writeln!(s, "It does not happen with {}.\n", cures.join(" or with "));
    }
    s
}

fn options(f: &Finding) -> String {
    let mode = &f.reproducer.mode;
    let given = given(f);
    if !given.is_empty() {
        let own: Vec<String> = given.iter().chain(&mode.options).map(|o| code(o)).collect();
        return format!("with {}", own.join(", "));
    }
    let mut all: Vec<String> = mode.options.iter().map(|o| code(o)).collect();
    all.extend(mode.tactic.as_ref().map(|t| format!("the tactic {}", code(t))));
    if !mode.models {
        all.push("models off".to_owned());
    }
    if mode.self_check {
        all.push("its own checks on".to_owned());
    }
    if mode.cores {
        all.push("unsat cores on".to_owned());
    }
    match all.is_empty() {
        true => "default options".to_owned(),
        false => format!("with {}, without which it does not happen", all.join(", ")),
    }
}

/// How it was found, without paths of this machine.
fn origin(f: &Finding) -> String {
    let seeds: Vec<&str> = f.origin.seeds().iter().map(|s| base_name(&s.name)).collect();
    let of = if seeds.is_empty() { words(f.origin.made_of()) } else { words(&seeds.join(" and ")) };
    match f.origin.root() {
        Origin::Mutant(r) => {
            format!("Found by smelt {} ({}, from {of}).", r.smelt, words(&r.strategy))
        }
        Origin::Generated(g) => format!("Found by smelt {} ({of}).", g.smelt),
        Origin::Enumerated { index, .. } => {
            format!("Found by smelt (number {index} of the grammar {of}).")
        }
        Origin::Seed(_) | Origin::Derived { .. } => "Found by smelt.".to_owned(),
    }
}

/// A report with a paragraph behind its title for each verdict that is withdrawn; without those of an earlier judgement.
pub fn marked(report: &str, finding: &Finding) -> String {
    let (title, mut rest) = report.split_once("\n\n").unwrap_or((report, ""));
    while let Some((first, more)) = rest.split_once("\n\n")
        && first.starts_with(WITHDRAWN)
    {
        rest = more;
    }
    let mut out = format!("{title}\n\n");
    for v in &finding.verdicts {
        if let Some(why) = &v.withdrawn {
            let _ = write!(out, "{WITHDRAWN} {}: {}.\n\n", v.class, words(why));
        }
    }
    out + rest
}

/// How the paragraph begins that says that a verdict is withdrawn.
const WITHDRAWN: &str = "**Withdrawn**, smelt no longer stands by the";

/// The text of `repro.sh`.
pub fn repro(c: &Contents) -> String {
    let command = c.finding.accused.command.iter();
    let quoted: Vec<String> =
        command.map(|w| if w == "{file}" { file::BUG.to_owned() } else { quote(w) }).collect();
    let mut s = String::from(
        "#!/bin/sh\n# Runs the accused solver on bug.smt2, as smelt did.\ncd \"$(dirname \"$0\")\" || exit 2\n",
    );
    let named = quoted.iter().any(|w| w == file::BUG);
    let input = if named { "" } else { " < bug.smt2" };
    let _ = writeln!(s, "exec {}{input}", quoted.join(" "));
    s
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
