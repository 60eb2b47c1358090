//! A finding of a worker's, before it counts: it is read as a stranger's, judged anew by the evaluator, and looked for in fresh processes with
//! the hub's own solver.

use anyhow::{Result, bail};
use smelt_campaign::campaign::Campaign;
use smelt_campaign::finding::{Accused, Finding, accused};
use smelt_campaign::shelf::{Contents, Kept, Shelf, bug_key, write};
use smelt_campaign::{recheck, replay};
use smelt_solver::Registry;
use smelt_triage::Says;
use smelt_trial::Target;

use super::inbox::Inbox;
use super::parcel::unpack;

/// What became of a finding.
pub enum Fate {
    /// It is confirmed and new.
    New(Kept, String),
    /// Its bug is known.
    Known,
    /// It does not count, for this reason.
    Refused(String),
}

/// Judges findings of workers.
pub struct Judge<'a> {
    /// The campaign.
    pub campaign: &'a Campaign,
    /// Where solvers are looked for that are asked beside the accused.
    pub registry: &'a Registry,
    /// Where findings wait.
    pub inbox: &'a Inbox,
}

impl Judge<'_> {
    /// Says what becomes of a finding, and keeps it if it is confirmed and new. An error is trouble of this machine's: it can be tried again.
    pub fn judge(&self, digest: &str) -> Result<Fate> {
        let packed = self.inbox.read(digest)?;
        let mut contents = match unpack(&packed, digest) {
            Ok(contents) => contents,
            Err(e) => return Ok(Fate::Refused(format!("{e:#}"))),
        };
        let plan = &self.campaign.plan;
        let label = &contents.finding.accused.label;
        let Some(target) = plan.panel.targets().iter().find(|t| t.label == *label) else {
            return Ok(Fate::Refused("it accuses no solver of the campaign".to_owned()));
        };
        if !self.campaign.folder.shelf.wants(&bug_key(label, &contents.finding.signature)) {
            return Ok(Fate::Known);
        }
        disown(&mut contents.finding, target);
        if let Err(e) = self.confirm(digest, &mut contents, target) {
            if self.campaign.control.cancel_all.is_cancelled() {
                bail!("it was cut off");
            }
            return Ok(Fate::Refused(format!("{e:#}")));
        }
        let id = contents.finding.id.clone();
        Ok(match self.campaign.folder.shelf.keep(contents) {
            Kept::Known => Fate::Known,
            kept => Fate::New(kept, id),
        })
    }

    /// Whether it is so here, too. It is written into a folder apart, as `smelt replay` and `smelt recheck` read any.
    fn confirm(&self, digest: &str, contents: &mut Contents, target: &Target) -> Result<()> {
        let room = self.inbox.room(digest);
        let _ = std::fs::remove_dir_all(&room);
        std::fs::create_dir_all(&room)?;
        let written = write(&room, contents)?;
        let folder = room.join(&written.id);
        let again = recheck::recheck(&folder)?.finding;
        if let Some(why) = again.withdrawn() {
            bail!("smelt does not stand by it here: {why}");
        }
        contents.finding.verdicts = again.verdicts;
        let plan = &self.campaign.plan;
        let cancel = &self.campaign.control.cancel_all;
        let exhibit = match replay::exhibit_for(&folder, &contents.finding, target)? {
            Ok((exhibit, _)) => exhibit,
            Err(why) => bail!("{why}"),
        };
        let runs = if contents.finding.rate.0 < contents.finding.rate.1 { 5 } else { 3 };
        let own = Target::unprobed(target.solver.clone());
        let shown =
            exhibit.shows_in(self.registry, own, runs, plan.config.court_limit(), cancel)?;
        match (shown.says, &shown.outcome) {
            (Says::Holds, Some(outcome)) => {
                contents.finding.accused = accused(target, outcome);
                Ok(())
            }
            (Says::Holds, None) => bail!("it shows without a run"),
            _ => bail!("it does not show here: {}", shown.what),
        }
    }
}

/// Leaves of a stranger's finding what is looked at again, and nothing that others would believe or run.
fn disown(f: &mut Finding, target: &Target) {
    f.accused = Accused {
        label: target.label.clone(),
        spec: target.spec.clone(),
        profile: target.solver.profile().name.clone(),
        version: target.solver.version().map(ToString::to_string),
        binary: target.solver.hash().to_owned(),
        command: Vec::new(),
    };
    f.fingerprint = None;
    f.labels.clear();
    f.known = None;
    f.done.clear();
    f.signatures.clear();
}
