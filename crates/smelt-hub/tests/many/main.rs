//! A hub and workers in processes of their own, with solvers that are made up: what is done is what one machine does, each position once,
//! whatever ends whom.

mod faults;
mod nodes;
mod strangers;

use std::collections::BTreeSet;

use crate::nodes::{Net, alone, servers};

/// Two workers, then four, do together what one machine does: the same positions, each once, the same tests, and each bug once.
#[test]
fn workers_are_one_machine() {
    for (version, server) in servers() {
        for workers in [2, 4] {
            let name = format!("together-{version}-{workers}");
            let net = Net::new(&name);
            let whole = alone();
            let mut hub = net.hub(&server, false);
            let mut all: Vec<_> = (0..workers).map(|n| net.worker(&hub, n)).collect();
            let said = hub.wait();
            all.iter_mut().for_each(|w| assert!(w.wait().contains("end "), "{name}"));
            assert_eq!(net.ledger(), whole.positions, "{name}: {said}");
            assert_eq!(net.findings(), whole.findings, "{name}: {said}");
            let machines: Vec<&str> = said.lines().filter(|l| l.starts_with("machine")).collect();
            assert_eq!(machines.len(), workers, "{said}");
            assert!(machines.iter().all(|m| m.ends_with("left true")), "{said}");
            assert!(net.processes().is_empty(), "{:?}", net.processes());
        }
    }
}

/// What is told of a position a second time does not count, as the plain files say.
#[test]
fn positions_count_once() {
    let Some((_, server)) = servers().pop() else { return };
    let net = Net::new("once");
    let mut hub = net.hub(&server, false);
    let mut worker = net.worker(&hub, 0);
    hub.wait();
    worker.wait();
    let lines = net.ledger();
    let positions: BTreeSet<&str> = lines.iter().map(|l| l.split('\t').next().unwrap()).collect();
    assert_eq!(positions.len(), lines.len());
}
