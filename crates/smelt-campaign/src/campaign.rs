//! A campaign on this machine: a plan, a folder, and where its cases come from.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use smelt_solver::Registry;

use crate::bugs::{Bug, Bugs};
use crate::control::Control;
use crate::engine::{End, Engine};
use crate::event::Event;
use crate::facts::{self, Facts};
use crate::finding::Finding;
use crate::folder::Folder;
use crate::jobs::desk::Desk;
use crate::jobs::docket::Docket;
use crate::jobs::{Jobs, Waiting, When};
use crate::journal::{Journal, Sample};
use crate::log::Log;
use crate::merge::is_merged;
use crate::plan::{Config, Plan};
use crate::remembered::Remembered;
use crate::sequence::{Counter, Left, Part, Parted};
use crate::shelf::{self, Shelf};
use crate::source::CaseSource;
use crate::source::chains::Chains;
use crate::source::files::Files;
use crate::source::grammar::Words;
use crate::statement::Statements;
use crate::tally::Tally;
use crate::words::Chosen;

/// A campaign.
pub struct Campaign {
    /// What it is to do, and with what.
    pub plan: Plan,
    /// Where it keeps things.
    pub folder: Folder,
    /// Counters, what is told, and the end.
    pub control: Control,
    /// Where every answer is noted, if that is wanted.
    pub log: Option<Log>,
    /// Where releases are looked for that are asked for bugs; without it, findings stay as they are kept.
    pub registry: Option<Registry>,
    /// Answers of earlier runs, if they are used.
    pub remembered: Option<Remembered>,
    /// The words that are tested, if the cases are words of a grammar.
    pub words: Option<Chosen>,
    /// Where cases come from, if that is none of the sources that a configuration says all about; and how many positions there are.
    pub given: Option<(Box<dyn CaseSource + Send>, u64)>,
    /// The number of this run in the journal.
    run: i64,
    /// Seconds of the run before this process.
    elapsed: f64,
}

/// A run of the journal that is continued (`--resume`).
pub struct Resumed {
    run: i64,
    /// What the run was asked to do.
    pub config: Config,
    /// Seconds so far.
    pub elapsed: f64,
    /// What the run has counted so far.
    pub tally: Tally,
}

impl Resumed {
    /// The last run of a folder.
    pub fn last(folder: &Folder) -> Result<Self> {
        let last =
            folder.journal.last_run()?.context("there is no run to resume in this folder")?;
        if is_merged(&folder.journal)? {
            bail!(
                "this folder was made by merging: the campaigns that it was made of can be resumed"
            );
        }
        let config =
            serde_json::from_str(&last.config).context("the run to resume is of another smelt")?;
        let mut tally = Tally::of_rows(&folder.journal.counts(last.run)?);
        count_folders(&mut tally, last.run, folder)?;
        Ok(Self { run: last.run, config, elapsed: last.elapsed, tally })
    }
}

/// The folders are the truth: a process that was killed has counted what it did up to a second before.
fn count_folders(tally: &mut Tally, run: i64, folder: &Folder) -> Result<()> {
    let runs = folder.journal.found()?;
    // Folders of earlier smelts do not say which finding is of which run.
    if runs.values().all(|r| *r != run) && tally.found() > 0 {
        return Ok(());
    }
    // What was written at the very end was not noted any more.
    let of_run = |f: &&Finding| runs.get(&f.id).is_none_or(|r| *r == run);
    let old = runs.is_empty();
    let all = folder.earlier.findings.iter().filter(|f| !old && of_run(f));
    tally.recount_findings(all.map(|f| (f.origin.maker(), f.class())));
    Ok(())
}

/// What every campaign has beside its tests.
pub struct Led<'a> {
    /// Where counters and positions go, under the number of a run.
    pub journal: (&'a Journal, i64),
    /// Where it is stated in plain files what the run has done.
    pub statements: &'a Statements<'a>,
    /// Where work on kept findings is done, and bugs are told apart.
    pub desk: Option<&'a Desk<'a>>,
    /// Seconds of the run before this process.
    pub before: f64,
}

/// What a campaign has given.
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Findings of this process.
    pub new: Vec<Finding>,
    /// New bugs of the run, each with its triggers.
    pub bugs: Vec<Bug>,
    /// How many jobs on findings are left for when it is resumed.
    pub undone: usize,
    /// Findings that could not be written, with their scripts.
    pub unwritten: Vec<(Finding, String)>,
}

impl Campaign {
    /// Begins a run in a folder, or goes on with one.
    pub fn begin(plan: Plan, folder: Folder, resumed: Option<Resumed>) -> Result<Self> {
        let config = serde_json::to_string(&plan.config)?;
        let words = plan.config.enumerate.as_ref().map(Chosen::new).transpose()?;
        let journal = &folder.journal;
        let (run, elapsed, tally) = match resumed {
            Some(r) => {
                journal.change_run(r.run, &config)?;
                (r.run, r.elapsed, r.tally)
            }
            None => (journal.begin_run(&config)?, 0.0, Tally::default()),
        };
        let control = Control::new(tally)?;
        control.expect_seeds(plan.seeds.len() + plan.left_out.len());
        journal.forget_skipped(run)?;
        for (i, l) in plan.left_out.iter().enumerate() {
            control.skip_seed(plan.seeds.len() + i, l.kind.word());
            let _ = journal.skip(run, &l.path.display().to_string(), &l.why);
        }
        let (log, remembered, registry, given) = (None, None, None, None);
        Ok(Self { plan, folder, control, log, registry, remembered, words, given, run, elapsed })
    }

    /// Works to the end; `watch` gets events.
    pub fn run(&self, watch: &mut dyn FnMut(Event)) -> Result<Outcome> {
        let Self { plan, folder, control, .. } = self;
        let journal = (&folder.journal, self.run);
        let mut sequence = Counter::resumed(folder.journal.left(self.run)?);
        let facts = facts::of(plan, control);
        let chains = Chains::new(plan, control, journal, &*facts);
        let files = Files { plan, control, journal };
        let mut source: &dyn CaseSource = &chains;
        let part = plan.config.part();
        let mut end = plan.config.positions;
        if plan.config.as_is {
            source = &files;
            let seeds = plan.seeds.len() as u64;
            end = Some(end.map_or(seeds, |n| n.min(seeds)));
        }
        if let Some(end) = end {
            sequence = sequence.until(part.below(end));
        }
        let words = self.words.as_ref().map(|chosen| Words { plan, control, chosen });
        if let Some(words) = &words {
            source = words;
            sequence = sequence.until(words.chosen.positions());
        }
        if let Some((given, positions)) = &self.given {
            source = &**given;
            sequence = sequence.until(part.below(*positions));
        } else if plan.config.instances {
            bail!(
                "this campaign is of smelt perf or smelt lab: the command that began it goes on with it"
            );
        }
        // Words have parts of their own.
        let part = if words.is_some() { Part::WHOLE } else { part };
        let sequence = Parted { part, counter: sequence };
        let kept = (&*facts, &folder.shelf as &dyn Shelf);
        self.led_by(&*facts, &mut |led| {
            let mut engine = Engine::new(plan, (source, &sequence), kept, journal, control);
            engine.statements = Some(led.statements);
            engine.log = self.log.as_ref();
            engine.desk = led.desk;
            engine.remembered = self.remembered.as_ref();
            engine.run(led.before, watch)
        })
    }

    /// Works to the end as `work` does it, with what every campaign has beside its tests: statements of what is done, and a desk for kept
    /// findings.
    pub fn led_by(
        &self,
        facts: &dyn Facts,
        work: &mut dyn FnMut(&Led<'_>) -> End,
    ) -> Result<Outcome> {
        let Self { plan, folder, control, .. } = self;
        let statements = Statements::new(&folder.path, plan, self.run);
        let runs = folder.journal.found()?;
        let of_run = |f: &Finding| runs.get(&f.id) == Some(&self.run);
        let docket = Docket::of(&folder.earlier.findings, &|f| !of_run(f));
        let earlier = folder.earlier.findings.iter();
        let jobs = Waiting::of(earlier.filter(|f| self.is_of_panel(f)), plan.config.bisect);
        let desk = self.registry.as_ref().map(|registry| {
            let parts = (&docket, &jobs as &dyn Jobs);
            Desk::new((plan, control), &folder.shelf, facts, registry, parts)
        });
        let journal = (&folder.journal, self.run);
        let led =
            Led { journal, statements: &statements, desk: desk.as_ref(), before: self.elapsed };
        let end = work(&led);
        let earlier = &folder.earlier.findings;
        let is_new = |f: &Finding| earlier.iter().all(|e| e.id != f.id);
        let all = shelf::read_all(folder.shelf.path()).unwrap_or_default().findings;
        Ok(Outcome {
            end,
            new: all.into_iter().filter(is_new).collect(),
            bugs: self.new_bugs(&runs)?,
            undone: if plan.config.reduce == When::Off { 0 } else { jobs.left() },
            unwritten: folder.shelf.unwritten(),
        })
    }

    /// How the run went on so far, also in earlier processes.
    pub fn samples(&self) -> Result<Vec<Sample>> {
        self.folder.journal.samples(self.run)
    }

    /// The positions of the run that are not finished.
    pub fn left(&self) -> Result<Left> {
        self.folder.journal.left(self.run)
    }

    /// Whether the accused of a finding is a solver of this campaign.
    fn is_of_panel(&self, f: &Finding) -> bool {
        self.plan.panel.all().any(|t| t.solver.hash() == f.accused.binary)
    }

    /// Bugs none of whose triggers was there before the run began.
    fn new_bugs(&self, runs: &BTreeMap<String, i64>) -> Result<Vec<Bug>> {
        let earlier = &self.folder.earlier.findings;
        let is_earlier =
            |id: &str| earlier.iter().any(|e| e.id == id) && runs.get(id) != Some(&self.run);
        let mut bugs = Bugs::read(&self.folder.path)?.all;
        bugs.retain(|b| {
            b.finding().known.is_none()
                && !is_earlier(&b.finding().id)
                && !b.triggers.iter().any(|(t, _)| is_earlier(&t.id))
        });
        Ok(bugs)
    }
}
