//! A finding on its way: its folder as one text, in pieces that a server takes. The name of a finding on the way is a digest of that text, so
//! one that is sent again is the one that is there.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use smelt_campaign::finding::Finding;
use smelt_campaign::shelf::Contents;
use smelt_case::digest;

/// Bytes of a piece.
pub const PIECE: usize = 512 << 10;
/// Most pieces of a finding.
pub const PIECES: usize = 64;
/// Most solvers whose output a finding has, and most bytes of a label.
const OUTPUTS: usize = 64;
const LABEL: usize = 120;

/// The folder of a finding.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    finding: serde_json::Value,
    bug: String,
    original: String,
    before: Option<String>,
    flat: Option<String>,
    values: Option<String>,
    witness: Option<String>,
    seeds: Vec<String>,
    outputs: Vec<(String, String)>,
}

/// A finding as a text; an error if it is too large to be sent.
pub fn pack(c: &Contents) -> Result<Vec<u8>> {
    let text = |seed: &Vec<u8>| String::from_utf8(seed.clone()).ok();
    let packed = serde_json::to_vec(&Folder {
        finding: serde_json::to_value(&c.finding)?,
        bug: c.bug.clone(),
        original: c.original.clone(),
        before: c.before.clone(),
        flat: c.flat.clone(),
        values: c.values.clone(),
        witness: c.witness.clone(),
        // Those behind one that is no text would have other numbers.
        seeds: c.seeds.iter().map_while(text).collect(),
        outputs: c.outputs.clone(),
    })?;
    if packed.len() > PIECE * PIECES {
        bail!("it has more than {} MB", (PIECE * PIECES) >> 20);
    }
    Ok(packed)
}

/// A finding from its text, whose digest this is.
pub fn unpack(packed: &[u8], name: &str) -> Result<Contents> {
    if digest(packed) != name {
        bail!("it is damaged: its digest is another one");
    }
    let Folder { finding, bug, original, before, flat, values, witness, seeds, outputs } =
        serde_json::from_slice(packed)?;
    let finding = Finding::from_json(&serde_json::to_vec(&finding)?).map_err(anyhow::Error::msg)?;
    let named = outputs.iter().map(|(label, _)| label).chain([&finding.accused.label]);
    if outputs.len() > OUTPUTS
        || named.into_iter().any(|l| l.len() > LABEL)
        || finding.id.len() > LABEL
    {
        bail!("its names are too long, or too many");
    }
    let seeds = seeds.into_iter().map(String::into_bytes).collect();
    Ok(Contents { finding, bug, original, before, flat, values, seeds, witness, outputs })
}
