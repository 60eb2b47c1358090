//! What is told while solvers are found and installed.

use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use smelt_solver::Registry;
use smelt_solver::releases::Step;
use smelt_trial::{Notice, Resolver};

/// Does something with solvers that are found, and installed if they are missing. What happens is told on standard error, out
/// of the way of what a command prints.
pub fn resolving<R>(registry: &Registry, work: impl FnOnce(&Resolver<'_>) -> R) -> R {
    speaking(registry, &mut std::io::stderr(), work)
}

/// Likewise, told on standard output: where installing is what the user wants.
pub fn installing<R>(registry: &Registry, work: impl FnOnce(&Resolver<'_>) -> R) -> R {
    speaking(registry, &mut std::io::stdout(), work)
}

fn speaking<R>(
    registry: &Registry,
    out: &mut dyn Write,
    work: impl FnOnce(&Resolver<'_>) -> R,
) -> R {
    let out = std::cell::RefCell::new(out);
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    let say = |words: &str| {
        // Nobody hears it if this fails, and the solvers are there all the same.
        bar.suspend(|| drop(writeln!(out.borrow_mut(), "{words}")));
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
    };
    let result = work(&Resolver { registry, tell: &tell });
    bar.finish_and_clear();
    result
}
