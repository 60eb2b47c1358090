//! Positions are given away in blocks, and given again if nobody has them.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::super::names::Stream;
use super::super::wire::Block;
use super::{AHEAD, Hub};

impl Hub<'_> {
    /// Gives blocks away as they are taken, and those again that were lost.
    pub(super) fn give_leases(&self) {
        let mut lost_for = 0;
        let mut made = 0_u64;
        // Blocks that are given away, and may not be stored: whatever became of them, they are stored once more under their number.
        let mut todo: VecDeque<(u64, Vec<u64>)> = VecDeque::new();
        // What an earlier hub has given away may be lost, or behind the end by now: it is given again, if it is open.
        let open: Vec<u64> = self.state().ledger.open().collect();
        if !open.is_empty() && self.link.empty(&self.names, Stream::Leases).is_ok() {
            for block in open.chunks(self.setup.block) {
                made += 1;
                todo.push_back((made, block.to_vec()));
            }
        }
        while !self.over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
            let waiting = match self.link.messages(&self.names, Stream::Leases) {
                Ok(waiting) => waiting,
                Err(e) => {
                    // Its store is gone: what is open is given again.
                    if format!("{e:#}").contains("not found") {
                        let _ = self.furnish();
                    }
                    continue;
                }
            };
            let jobs: usize =
                self.state().machines.values().filter(|(m, _)| !m.left).map(|(m, _)| m.jobs).sum();
            let wanted = AHEAD.max(3 * jobs as u64);
            for _ in waiting..wanted {
                if todo.is_empty() {
                    let block = self.state().ledger.give(self.setup.block);
                    made += 1;
                    todo.extend((!block.is_empty()).then_some((made, block)));
                }
                let given = todo.front().is_some_and(|(n, block)| self.give(block, *n));
                if !given || todo.pop_front().is_none() {
                    break;
                }
            }
            // Results are looked at behind leases: a lease is given up when its results are stored.
            let nothing = waiting == 0
                && todo.is_empty()
                && self.link.messages(&self.names, Stream::Results).is_ok_and(|n| n == 0);
            lost_for = if nothing { lost_for + 1 } else { 0 };
            if lost_for > 20 {
                lost_for = 0;
                let open: Vec<u64> = self.state().ledger.open().collect();
                for block in open.chunks(self.setup.block) {
                    made += 1;
                    todo.push_back((made, block.to_vec()));
                }
            }
        }
    }

    /// Gives a block away; one that may have been stored all the same is given twice, and counts once.
    fn give(&self, positions: &[u64], number: u64) -> bool {
        let Ok(payload) = serde_json::to_vec(&Block { positions: positions.to_vec() }) else {
            return false;
        };
        let id = format!("{:x}-{number}", self.process);
        self.link.store(self.names.lease(), &id, payload).is_ok()
    }
}
