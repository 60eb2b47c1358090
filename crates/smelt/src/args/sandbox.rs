//! What solvers are kept from.

use std::sync::Once;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use smelt_solver::{Registry, Sandbox};

use crate::voice::detail;

/// The walls around solvers.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Walls {
    /// Keep solvers from files, programs and the network that they do not need: as far as the kernel can (auto), or not run them where
    /// it cannot (require). Without it: auto; off where scripts are trusted (`check` and `replay` with --trust-scripts).
    #[arg(long, value_name = "WHEN", value_parser = sandbox())]
    sandbox: Option<Sandbox>,
}

impl Walls {
    /// What is given, if anything.
    pub fn given(self) -> Option<Sandbox> {
        self.sandbox
    }

    /// The registry of this user, whose solvers run within these walls.
    pub fn registry(self) -> Result<Registry> {
        told(self.sandbox.unwrap_or_default())
    }

    /// The registry of this user, whose solvers get scripts as they are if these are trusted; then nothing holds them back that was
    /// not asked for.
    pub fn registry_trusting(self, trusted: bool) -> Result<Registry> {
        let usual = if trusted { Sandbox::Off } else { Sandbox::Auto };
        Ok(told(self.sandbox.unwrap_or(usual))?.trusting_scripts(trusted))
    }
}

/// The registry with these walls. With `--verbose` they are told, once.
fn told(sandbox: Sandbox) -> Result<Registry> {
    static TOLD: Once = Once::new();
    let registry = smelt_trial::resolve::registry()?.sandboxed(sandbox)?;
    TOLD.call_once(|| detail(|| format!("sandbox: {}", registry.walls())));
    Ok(registry)
}

fn sandbox() -> impl TypedValueParser<Value = Sandbox> {
    PossibleValuesParser::new(Sandbox::ALL.map(|(_, name)| name))
        .try_map(|text| text.parse::<Sandbox>())
}
