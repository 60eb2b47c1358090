//! What a bisection found out, in the folder of its finding.

use std::path::Path;

use anyhow::Result;
use smelt_campaign::jobs::Kind;
use smelt_campaign::shelf::{self, Contents};
use smelt_triage::Fingerprint;

/// Writes what was found out into the folder of a finding, for its draft, and whether `all` releases were there; known cures stay.
pub(super) fn keep(folder: &Path, mut print: Fingerprint, all: bool) -> Result<()> {
    let mut contents = Contents::read(folder)?;
    let f = &mut contents.finding;
    if let Some(old) = f.fingerprint.take().filter(|_| print.options.is_empty()) {
        print.options = old.options;
    }
    if all {
        f.done.insert(Kind::Bisect, format!("{} builds asked", print.releases.len()));
    }
    f.fingerprint = Some(print);
    shelf::rewrite(folder, &contents)
}
