//! Which solver of a panel something is about.

use serde::{Deserialize, Serialize};

/// The number of a solver in its panel, by which it is known; its label is for people.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct TargetId(pub usize);
