//! Findings that have come are judged, counted and told.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use smelt_campaign::campaign::Led;
use smelt_campaign::event::Event;
use smelt_campaign::shelf::Kept;

use super::super::confirm::{Fate, Judge};
use super::Hub;

impl Hub<'_> {
    /// Judges findings, of all threads that do so the one with this number.
    pub(super) fn judge(&self, led: &Led<'_>, number: usize) {
        let (campaign, registry, inbox) = (self.campaign, self.registry, &self.inbox);
        let judge = Judge { campaign, registry, inbox };
        let threads = self.setup.judges.max(1);
        while !self.closed.load(Ordering::Relaxed) {
            let own = |name: &String| {
                let n = usize::from_str_radix(&name[..8], 16).unwrap_or(0);
                n % threads == number
            };
            let Some(name) = inbox.whole().into_iter().find(own) else {
                std::thread::sleep(Duration::from_millis(200));
                continue;
            };
            let fate =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| judge.judge(&name)));
            let word = match fate {
                Ok(Ok(Fate::New(kept, id))) => {
                    self.tell_found(led, kept);
                    id
                }
                Ok(Ok(Fate::Known)) => {
                    campaign.control.tally().total.duplicates += 1;
                    "known".to_owned()
                }
                Ok(Ok(Fate::Refused(why))) => {
                    campaign.control.tally().total.vanished += 1;
                    campaign
                        .control
                        .say(format!("smelt: a worker's finding does not count: {why}"));
                    format!("refused: {why}")
                }
                Ok(Err(e)) => {
                    if !campaign.control.cancel_all.is_cancelled() {
                        campaign
                            .control
                            .say(format!("smelt: a worker's finding cannot be judged now: {e:#}"));
                    }
                    std::thread::sleep(Duration::from_secs(1));
                    continue;
                }
                Err(_) => {
                    campaign.control.tally().total.panics += 1;
                    "refused: smelt has a defect there".to_owned()
                }
            };
            if let Err(e) = inbox.decide(&name, &word) {
                campaign.control.say(format!("smelt: {e:#}"));
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    }

    /// Counts and tells a finding that is new.
    fn tell_found(&self, led: &Led<'_>, kept: Kept) {
        let control = &self.campaign.control;
        if let Some(desk) = led.desk {
            desk.note(&kept, None, BTreeSet::new());
        }
        let finding = match kept {
            Kept::New(finding) => finding,
            Kept::Pending(finding, why) => {
                control.say(format!("smelt: {why}; it is kept in memory and tried again"));
                finding
            }
            Kept::Known => return,
        };
        let (journal, run) = led.journal;
        let _ = journal.index(&finding);
        let _ = journal.note_found(run, &finding.id);
        control.tally().count_finding(finding.origin.maker(), finding.class());
        control.tell(Event::Found { finding });
    }
}
