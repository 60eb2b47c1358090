//! What is told beside results, on standard error: complaints, what is done on the way to solvers, and details for who asks for them.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use smelt_solver::releases::Step;
use smelt_solver::{Registry, Solver};
use smelt_trial::caveat::Caveat;
use smelt_trial::examine::Far;
use smelt_trial::{Notice, Resolver};

use crate::printable::printable;

/// How much is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Results and complaints.
    Quiet,
    /// Results, complaints, and what takes time (progress, what is installed).
    Normal,
    /// All that, and which solvers and scripts are used, and how.
    Verbose,
}

static LEVEL: AtomicU8 = AtomicU8::new(Level::Normal as u8);

/// Sets how much is told from now on.
pub fn set(level: Level) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

fn is(level: Level) -> bool {
    LEVEL.load(Ordering::Relaxed) == level as u8
}

/// Whether only results are wanted.
pub fn is_quiet() -> bool {
    is(Level::Quiet)
}

/// Whether details are wanted.
pub fn is_verbose() -> bool {
    is(Level::Verbose)
}

/// Something is wrong. This is the one way to say so.
pub fn complain(text: &str) {
    show(&format!("smelt: {text}"));
}

/// Lines on standard error, as they are but for what a terminal would obey.
pub fn show(text: &str) {
    // Nothing can be done if even this fails.
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

/// What people want to know beside results, unless they ask for results only.
pub fn remark(text: &str) {
    if !is_quiet() {
        show(text);
    }
}

/// A detail for who asks for it by `--verbose`.
pub fn detail(text: impl FnOnce() -> String) {
    if is_verbose() {
        show(&text());
    }
}

/// Does something with solvers that are found, and installed if they are missing. What happens is told on standard error, out
/// of the way of what a command prints.
pub fn resolving<R>(registry: &Registry, work: impl FnOnce(&Resolver<'_>) -> R) -> R {
    looks_at_home(registry);
    speaking(registry, &mut std::io::stderr(), !is_quiet(), work)
}

/// Does something with solvers that are found, and installed if they are missing. What happens is told on standard output: it is
/// what the user wants.
pub fn installing<R>(registry: &Registry, work: impl FnOnce(&Resolver<'_>) -> R) -> R {
    speaking(registry, &mut std::io::stdout(), true, work)
}

fn speaking<R>(
    registry: &Registry,
    out: &mut dyn Write,
    aloud: bool,
    work: impl FnOnce(&Resolver<'_>) -> R,
) -> R {
    let out = RefCell::new(out);
    let bar = if is_quiet() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    let say = |words: &str| {
        if aloud {
            // Nobody hears it if this fails, and the solvers are there all the same.
            bar.suspend(|| drop(writeln!(out.borrow_mut(), "{words}")));
        }
    };
    let tell = |notice: &Notice<'_>| match notice {
        Notice::Words(words) => say(words),
        Notice::Step(label, step) => {
            bar.enable_steady_tick(Duration::from_millis(120));
            bar.set_message(match step {
                Step::Looking => format!("{label}: looking for releases"),
                Step::Downloading(what) => format!("{label}: {what}"),
                Step::Finishing => format!("{label}: moving into place"),
            });
        }
        Notice::Installed(name, done) => {
            let verb = if done.already { "already installed" } else { "installed" };
            say(&format!("{name} {}: {verb} in {}", done.version, done.folder.display()));
        }
        Notice::Found(solver) => bar.suspend(|| detail(|| described(solver))),
        Notice::Examining(far) => show_far(&bar, far),
    };
    let result = work(&Resolver { registry, tell: &tell });
    bar.finish_and_clear();
    result
}

/// How far several examinations are, with the names of those who are examined.
pub fn show_far(bar: &ProgressBar, far: &Far) {
    if bar.length() != Some(far.all as u64) {
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent} % {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_length(far.all as u64);
    }
    bar.set_position(far.done as u64);
    bar.set_message(format!("trying {}", far.names.join(", ")));
}

/// A bar for what takes time; hidden where only results are wanted, or nobody watches.
pub fn bar() -> ProgressBar {
    let hidden = is_quiet() || !std::io::stderr().is_terminal();
    if hidden { ProgressBar::hidden() } else { ProgressBar::new(0) }
}

/// Says that nothing will be remembered, if that is so.
pub fn looks_at_home(registry: &Registry) {
    if let Some(e) = registry.home().trouble() {
        complain(&format!("{}; what is found out is not remembered", unwritable(registry, &e)));
    }
}

/// Refuses at once what would find only after a long way that it cannot be remembered.
pub fn needs_home(registry: &Registry) -> anyhow::Result<()> {
    match registry.home().trouble() {
        Some(e) => anyhow::bail!("{}", unwritable(registry, &e)),
        None => Ok(()),
    }
}

fn unwritable(registry: &Registry, error: &std::io::Error) -> String {
    format!(
        "cannot write to the data folder {} (SMELT_HOME): {error}",
        registry.home().root().display()
    )
}

/// A solver for who wants to know what is run.
fn described(solver: &Solver) -> String {
    let version = solver.version().map_or_else(|| "unknown".to_owned(), ToString::to_string);
    let program = solver.program().display();
    let mut text = format!("solver {}: version {version}, {program}", solver.label());
    if !solver.args().is_empty() {
        text += &format!("; options {}", solver.args().join(" "));
    }
    text += &format!("; sandbox: {}", solver.sandbox_words());
    for caveat in Caveat::all(solver) {
        text += &format!("; no verdict where {}", caveat.text);
    }
    text
}
