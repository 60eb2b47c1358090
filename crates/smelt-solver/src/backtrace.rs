//! Frames for a crash by a bare signal, from gdb if it is installed.

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
        let script_commands =
            ["-ex", "set pagination off", "-ex", "run", "-ex", "bt 16", "-ex", "kill"];
        under.program_args =
            ["-nx", "-q", "-batch"].into_iter().chain(script_commands).map(String::from).collect();
        under.program_args.push(String::from("--args"));
        under.program_args.push(self.program.to_string_lossy().into_owned());
        under.program_args.extend(own);
        under.program = gdb;
        let mut patient = setup.clone();
        patient.limits.cpu = patient.limits.cpu.map(|c| c * 4 + Duration::from_secs(20));
        patient.limits.wall = patient.limits.wall * 4 + Duration::from_secs(30);
        // The debugger needs memory of its own.
        patient.limits.memory = patient.limits.memory.map(|m| m + (2 << 30));
        let traced = match under.run_cold(script, &patient, Requests::default(), cancel) {
            // A debugger that may not be started, as within the sandbox, names nothing; the crash is one all the same.
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
