//! Who is wrong, and how do we know? Evidence, models judged by smelt's own evaluator, and diagnoses.
//!
//! A false accusation costs more than ten missed bugs: only evidence of the grades *proven* and *strong* accuses.

mod class;
mod diagnosis;
mod evidence;
mod finding;
mod judge;
mod known;
pub mod oracle;
mod partial;
mod signature;

pub use class::{CLASSES, Class, FollowUp, Says};
pub use diagnosis::{
    Complaint, Diagnosis, Flat, Observation, Truth, diagnose, is_fault, label_refuted,
};
pub use evidence::{Evidence, Grade};
pub use finding::{Finding, Peer};
pub use judge::{ModelVerdict, judge_model, judge_model_within, true_model};
pub use known::{Known, KnownBugs};
pub use oracle::Slowness;
pub use partial::leaves_open;
pub use signature::signature;
