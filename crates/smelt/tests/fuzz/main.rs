//! Campaigns, run as a user runs them: with solvers that lie, crash and complain, and with real ones.

mod bugs;
mod builds;
mod confirm;
mod hostile;
mod interrupted;
mod json;
mod kept;
mod life;
mod merging;
mod oracles;
mod page;
mod positions;
mod replay;
mod run;
mod scripted;
mod strangers;
mod sums;
