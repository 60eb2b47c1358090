//! Who is wrong, and how do we know? Evidence, models judged by smelt's own evaluator, and diagnoses.
//!
//! A false accusation costs more than ten missed bugs: only evidence of the grades *proven* and *strong* accuses.

mod brute;
mod diagnosis;
mod evidence;
mod finding;
mod judge;
mod known;
pub mod oracle;
mod signature;

pub use brute::{brute_force, brute_force_within};
pub use diagnosis::{Class, Diagnosis, Observation, Truth, diagnose, label_refuted};
pub use evidence::{Evidence, Grade};
pub use finding::{Finding, Peer};
pub use judge::{ModelVerdict, judge_model, judge_model_within};
pub use known::{Known, KnownBugs};
pub use signature::signature;
