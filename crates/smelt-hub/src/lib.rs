//! One campaign on many machines, and the page to watch it: the only crate with an async runtime, which nothing outside of it sees.

#[cfg(feature = "live")]
pub mod live;
#[cfg(feature = "nats")]
pub mod nats;
