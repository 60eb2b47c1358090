//! Who is wrong, and how do we know? Evidence, models judged by smelt's own evaluator, and diagnoses.
//!
//! A false accusation costs more than ten missed bugs: only evidence of the grades *proven* and *strong* accuses.

mod class;
pub mod cluster;
mod diagnosis;
mod evidence;
mod judge;
mod known;
pub mod oracle;
mod partial;
mod signature;
mod target_id;

pub use class::{CLASSES, Class, FollowUp, Says, Severity};
pub use cluster::{Cluster, Fingerprint, Likeness, Mark, clusters};
pub use diagnosis::{
    Before, Complaint, CoreVerdict, Diagnosis, Flat, Observation, Pinned, Reference, Truth, Voice,
    diagnose, is_fault, label_refutation, label_refuted,
};
pub use evidence::{Evidence, Grade};
pub use judge::{ModelVerdict, judge_model, judge_model_within, true_model};
pub use known::{Known, KnownBugs};
pub use oracle::{PATIENCE, Wanted};
pub use partial::{closed_part, leaves_open};
pub use signature::{operators, signature};
pub use target_id::TargetId;
