//! What workers send is taken: what they made of positions, pieces of findings, and how they stand.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use smelt_campaign::campaign::Led;
use smelt_campaign::event::{Event, Machine};
use smelt_campaign::tally::Tally;

use super::super::names::{Stream, piece_of, worker_of};
use super::super::parcel::PIECES;
use super::super::queue::Delivery;
use super::super::wire::{Results, Status, read};
use super::Hub;

impl Hub<'_> {
    /// Takes what workers made of positions. It is acknowledged when it is written.
    pub(super) fn take_results(&self, led: &Led<'_>, elapsed: &(dyn Fn() -> f64 + Sync)) {
        let queue = self.link.queue(&self.names, Stream::Results);
        while !self.closed.load(Ordering::Relaxed) {
            let Ok(taken) = queue.take(64, Duration::from_millis(500)) else {
                std::thread::sleep(Duration::from_millis(300));
                continue;
            };
            if taken.is_empty() {
                continue;
            }
            self.count(&taken);
            if self.flush(led, elapsed(), false) {
                taken.iter().for_each(|d| drop(d.done()));
            }
        }
    }

    /// Counts what is new in messages; what is no message is dropped.
    fn count(&self, taken: &[Delivery<'_>]) {
        let mut tallies: Vec<Tally> = Vec::new();
        let mut state = self.state();
        for delivery in taken {
            let worker = worker_of(delivery.subject()).map(str::to_owned);
            let (Some(worker), Ok(results)) = (worker, read::<Results>(delivery.payload())) else {
                continue;
            };
            let number = state.machines.keys().position(|w| *w == worker).unwrap_or(0);
            for record in results.all {
                let seq = record.seq;
                let Ok(record) = record.checked() else { continue };
                let line = record.line.map(|line| line.read(seq, number)).transpose();
                let Ok(line) = line else { continue };
                if state.ledger.finish(seq) {
                    state.lines.extend(line);
                    tallies.push(record.tally);
                    if let Some((machine, _)) = state.machines.get_mut(&worker) {
                        machine.positions += 1;
                    }
                }
            }
        }
        self.campaign.control.tally().add_all(&tallies);
    }

    /// Takes pieces of findings; a piece is acknowledged when it is on the disk.
    pub(super) fn take_findings(&self) {
        let queue = self.link.queue(&self.names, Stream::Findings);
        let mut complained = false;
        while !self.closed.load(Ordering::Relaxed) {
            let Ok(taken) = queue.take(16, Duration::from_millis(500)) else {
                std::thread::sleep(Duration::from_millis(300));
                continue;
            };
            for delivery in taken {
                let Some((digest, piece, pieces)) = piece_of(delivery.subject(), PIECES) else {
                    delivery.drop_it();
                    continue;
                };
                match self.inbox.put(&digest, (piece, pieces), delivery.payload()) {
                    Ok(()) => drop(delivery.done()),
                    Err(e) => {
                        delivery.give_back();
                        if !std::mem::replace(&mut complained, true) {
                            self.campaign
                                .control
                                .say(format!("smelt: {e:#}; findings wait at the server"));
                        }
                        std::thread::sleep(Duration::from_secs(1));
                    }
                }
            }
        }
    }

    /// Hears who is there.
    pub(super) fn take_status(&self) {
        let Ok(heard) = self.link.listen(self.names.all_status()) else { return };
        while !self.closed.load(Ordering::Relaxed) {
            let Ok((subject, payload)) = heard.recv_timeout(Duration::from_millis(200)) else {
                continue;
            };
            let status = read::<Status>(&payload).and_then(Status::checked);
            let (Some(worker), Ok(status)) = (worker_of(&subject), status) else { continue };
            let solvers: Vec<String> = status
                .solvers
                .iter()
                .map(|(label, version, hash)| {
                    format!("{label} {version} {}", hash.chars().take(12).collect::<String>())
                })
                .collect();
            let mut state = self.state();
            if state.machines.len() > 10_000 {
                continue;
            }
            let known = state.machines.contains_key(worker);
            let (machine, at) = state
                .machines
                .entry(worker.to_owned())
                .or_insert_with(|| (Machine::default(), Instant::now()));
            let was_here = known && !machine.left;
            *machine = Machine {
                worker: worker.to_owned(),
                name: status.machine,
                jobs: status.jobs.min(1024),
                solvers,
                tests: status.tests,
                findings: status.sent,
                left: status.leaves,
                ..machine.clone()
            };
            *at = Instant::now();
            let words = match (was_here, machine.left) {
                (false, false) => format!(
                    "{} joins: {} threads; {}",
                    machine.name,
                    machine.jobs,
                    machine.solvers.join(", ")
                ),
                (true, true) => format!("{} leaves", machine.name),
                _ => continue,
            };
            drop(state);
            self.campaign.control.tell(Event::Remark { message: words });
        }
    }
}
