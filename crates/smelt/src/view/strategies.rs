//! What `smelt mutate --list` shows.

use std::io::Write;

use anyhow::Result;
use serde_json::json;
use smelt_strategy::STRATEGIES;

/// The strategies with their parameters.
pub fn list(json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for s in STRATEGIES {
        let (name, about, parameters) = (s.name(), s.about(), s.parameters());
        if json {
            let one = |(n, about): &(&str, &str)| json!({ "name": n, "about": about });
            let parameters: Vec<_> = parameters.iter().map(one).collect();
            let line = json!({ "kind": "strategy", "strategy": name, "about": about, "parameters": parameters });
            writeln!(out, "{line}")?;
            continue;
        }
        writeln!(out, "{name:<12} {about}")?;
        for (name, about) in parameters {
            writeln!(out, "    {name:<12} {about}")?;
        }
    }
    Ok(())
}
