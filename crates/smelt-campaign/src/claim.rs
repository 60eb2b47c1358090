//! Whose campaign is it? One that was begun elsewhere may name commands, releases and files: they would be run, fetched and read.

use anyhow::{Context, Result, bail};
use smelt_solver::{Home, Registry, Sandbox, SolverSpec, Source};
use smelt_trial::resolve::is_harmless;

use crate::plan::Config;

/// A number by which a new campaign will be known.
pub fn new_token() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Notes that a campaign was begun by this user.
pub fn claim(home: &Home, config: &Config) -> Result<()> {
    let folder = home.campaigns();
    let file = folder.join(&config.token);
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&file, ""))
        .with_context(|| format!("cannot write {}", file.display()))
}

/// Refuses to go on with a campaign of somebody else's that names commands, releases that are not here, or files.
pub fn check(registry: &Registry, config: &Config) -> Result<()> {
    let plain = !config.token.is_empty() && config.token.bytes().all(|b| b.is_ascii_hexdigit());
    if plain && registry.home().campaigns().join(&config.token).is_file() {
        return Ok(());
    }
    is_safe(registry, config).context(
        "this campaign was not begun here, or by an older smelt; begin it anew with --solver",
    )
}

fn is_safe(registry: &Registry, config: &Config) -> Result<()> {
    for name in &config.solvers {
        for spec in SolverSpec::parse_list(name)? {
            is_harmless(registry, &spec)?;
            if let Source::Release(name, version) = &spec.source
                && version == "latest"
            {
                bail!("it asks for the latest {name}, whichever that is");
            }
            registry.resolve(&spec)?;
        }
    }
    if config.sandbox == Sandbox::Off {
        bail!("it lets solvers out of the sandbox");
    }
    match config.seeds.iter().chain(&config.known).next() {
        Some(path) => bail!("it names files of this machine: {}", path.display()),
        None => Ok(()),
    }
}
