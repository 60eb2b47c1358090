//! smelt's own search for the fault: the evaluator, warm sessions, fresh processes.

use std::process::Command;

use super::{Options, Run, Wrong};

/// `smelt reduce` on a trigger.
pub fn command(o: &Options, run: &Run<'_>) -> Command {
    let t = run.trigger;
    let mut command = Command::new(&o.smelt);
    command.args(["reduce", "-q", "--jobs", "1", "--limit", "3"]);
    command.args(["--time", &format!("{}s", o.cap)]);
    let solver = match t.options {
        [] => t.bad.to_owned(),
        options => format!("{}:{}", t.bad, options.join(" ")),
    };
    command.args(["--solver", &solver]);
    match t.wrong {
        Wrong::Unsat | Wrong::Sat => {
            command.args(["--reference", "z3@5.4.0"]);
        }
        Wrong::Unknown => {
            command.args(["--compare", "z3@5.4.0"]);
        }
        Wrong::Model | Wrong::Ends(_) => {}
    }
    command.arg("--out").arg(run.work.join("native")).arg(run.file);
    command
}
