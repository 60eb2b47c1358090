//! The agents of `smelt perf` on a solver that is made up, so that it is known which constructs are slow.

use anyhow::Result;
use clap::Args;
use smelt_case::OpSet;
use smelt_strategy::bandit::planted::{CHANGES, PLANTED, RUNS, twenty};
use smelt_strategy::bandit::{AGENTS, Language, Parameters};

/// What instances are made of.
#[derive(Args)]
pub struct Options {
    /// The theory; it must have the planted constructs.
    #[arg(long, default_value = "fp")]
    theory: String,
}

/// Prints how often each agent finds them, and its regret.
pub fn run(options: &Options) -> Result<()> {
    let parameters = Parameters::performance(&options.theory);
    let language = Language::new(&parameters, &OpSet::all()).map_err(anyhow::Error::msg)?;
    let arms: Vec<&str> = language.constructs().iter().map(|c| c.name.as_str()).collect();
    let planted = PLANTED.map(|(name, _)| name);
    if let Some(lacking) = planted.iter().find(|p| !arms.contains(*p)) {
        anyhow::bail!("{} has no {lacking}", options.theory);
    }
    println!("{} arms; planted: {}; {CHANGES} changes", arms.len(), planted.join(", "));
    println!("| agent | both among the first three | mean regret after each tenth |");
    println!("|---|---|---|");
    for agent in AGENTS {
        let all = twenty(&language, agent.name());
        let regret: Vec<String> = all.regret.iter().map(|r| format!("{r:.0}")).collect();
        println!("| {} | {} of {RUNS} | {} |", agent.name(), all.found, regret.join(" "));
    }
    Ok(())
}
