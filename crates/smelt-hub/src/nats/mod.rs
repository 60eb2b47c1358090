//! A campaign on many machines, over NATS JetStream.
//!
//! The hub gives positions of the schedule away in blocks (`leases`), takes what workers made of them (`results`) and what they found
//! (`findings`). Whatever is stored is acknowledged; whatever is not acknowledged comes again, and counts once. Either side may be killed at any
//! time. Everything that comes over the network is a stranger's: see `wire`, `parcel` and `confirm`.

mod confirm;
mod hub;
mod inbox;
mod lane;
mod ledger;
mod link;
mod names;
mod outbox;
mod parcel;
mod queue;
mod server;
mod wire;
mod work;

pub use hub::{Hub, Setup};
pub use link::{Access, Link};
pub use names::{Names, is_key};
pub use server::{Listen, Server, Tls};
pub use wire::{PlanNote, Total};
pub use work::{Joined, Summary, Terms};
