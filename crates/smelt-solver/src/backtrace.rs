//! Frames for a crash by a bare signal, from gdb if it is installed.

use std::sync::Arc;
use std::time::Duration;

use crate::limits::{Cancel, Requests, Setup};
use crate::outcome::{Outcome, RunError};
use crate::registry::on_path;
use crate::script::Script;
use crate::signature::{Crash, CrashKind, trace_frames};
use crate::solver::Solver;

impl Solver {
    /// Names the frames of a bare signal: runs the script once more under gdb. The outcome stays as it is when it has no such
    /// crash, when gdb is missing, or when the crash does not come again.
    pub fn name_frames(
        &self,
        script: &Script,
        setup: &Setup,
        outcome: &mut Outcome,
        cancel: Option<&Cancel>,
    ) -> Result<(), RunError> {
        if !outcome.crash.as_ref().is_some_and(Crash::is_bare) {
            return Ok(());
        }
        let Some(gdb) = on_path("gdb") else { return Ok(()) };
        let mut under = self.clone();
        // gdb stands before the solver's command line; its own environment must not matter.
        let own = std::mem::take(&mut under.program_args);
        let script_commands = [
            "set pagination off",
            // No shell in between, and nothing fetched or written: it stands behind the walls of the solver.
            "set startup-with-shell off",
            "set debuginfod enabled off",
            "set index-cache enabled off",
            "run",
            "bt 16",
            "kill",
        ];
        let script_commands = script_commands.into_iter().flat_map(|c| ["-ex", c]);
        under.program_args =
            ["-nx", "-q", "-batch"].into_iter().chain(script_commands).map(String::from).collect();
        under.program_args.push(String::from("--args"));
        under.program_args.push(self.program.to_string_lossy().into_owned());
        under.program_args.extend(own);
        under.room = Arc::new(self.room.with_debugger(&gdb));
        under.program = gdb;
        let mut patient = setup.clone();
        patient.limits.cpu = patient.limits.cpu.map(|c| c * 4 + Duration::from_secs(20));
        patient.limits.wall = patient.limits.wall * 4 + Duration::from_secs(30);
        // The debugger needs memory of its own.
        patient.limits.memory = patient.limits.memory.map(|m| m + (2 << 30));
        let traced = match under.run_cold(script, &patient, Requests::default(), cancel) {
            // A debugger that cannot be started names nothing; the crash is one all the same.
            Err(RunError::Start { .. }) => return Ok(()),
            traced => traced?,
        };
        let frames = trace_frames(&traced.stdout);
        if frames.is_empty() {
            return Ok(());
        }
        let named = |crash: &mut Crash| {
            if let CrashKind::Signal { frames: known, .. } = &mut crash.kind {
                known.clone_from(&frames);
            }
        };
        if let Some(crash) = &mut outcome.crash {
            named(crash);
        }
        for check in &mut outcome.checks {
            if let crate::outcome::Answer::Crash(crash) = &mut check.answer {
                named(crash);
            }
        }
        Ok(())
    }
}
