//! What is kept of a lab: the plan, and of each cell what it came to, in files that are written whole.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use smelt_solver::write_atomically;

use super::plan::LabPlan;

/// One technique on one target, once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which repetition, from 0. First, so that all techniques have their turn before one has its second.
    pub repetition: u32,
    /// Which target, by its place in the plan.
    pub target: usize,
    /// Which technique, by its place in the plan.
    pub technique: usize,
}

/// What a cell came to, once it is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The budget that it was given, in CPU seconds.
    pub budget: f64,
    /// CPU seconds on seeds and tests.
    pub spent: f64,
    /// CPU seconds of confirming, of making smaller and of asking releases.
    pub apart: f64,
    /// Tests, where that is known.
    pub tests: Option<u64>,
    /// Tests that a solver refused.
    pub rejected: Option<u64>,
    /// How a peer's runs ended, each way with how often.
    #[serde(default)]
    pub ends: Vec<(String, u64)>,
    /// Bug triggers that a peer left.
    pub triggers: Option<u64>,
    /// Why it could not be run.
    pub failure: Option<String>,
}

/// The folder of a lab.
pub struct Store {
    folder: PathBuf,
    plan: LabPlan,
    /// Held as long as the folder is used.
    _lock: std::fs::File,
}

impl Store {
    /// Opens a folder for a plan, or makes it. One of another plan is refused.
    pub fn open(folder: &Path, plan: &LabPlan) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let lock = crate::folder::lock(folder)?;
        let path = folder.join("plan.json");
        if path.is_file() {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let earlier: LabPlan = serde_json::from_str(&text)
                .with_context(|| format!("{} is damaged", path.display()))?;
            if !plan.goes_on_with(&earlier) {
                bail!(
                    "{} is of another plan: only title, budget and repetitions may change where it goes on",
                    folder.display()
                );
            }
            if plan.budget < earlier.budget {
                bail!(
                    "{} has cells of {} CPU seconds: the budget may only become larger",
                    folder.display(),
                    earlier.budget
                );
            }
        }
        write_atomically(&path, serde_json::to_string_pretty(plan)?.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { folder: folder.to_owned(), plan: plan.clone(), _lock: lock })
    }

    /// All cells, in the order in which they are run.
    pub fn places(&self) -> Vec<Place> {
        let (targets, techniques) = (self.plan.targets.len(), self.plan.techniques.len());
        let mut all = Vec::new();
        for repetition in 0..self.plan.repetitions {
            for target in 0..targets {
                all.extend((0..techniques).map(|technique| Place {
                    repetition,
                    target,
                    technique,
                }));
            }
        }
        all
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a cell.
    pub fn cell_folder(&self, place: &Place) -> PathBuf {
        let target = &self.plan.targets[place.target].name;
        let technique = &self.plan.techniques[place.technique].name;
        let repetition = (place.repetition + 1).to_string();
        self.folder.join("cells").join(target).join(technique).join(repetition)
    }

    /// A cell that is done with the budget of the plan; one that failed is tried again.
    pub fn done(&self, place: &Place) -> Option<Cell> {
        let cell = self.read(place)?;
        (cell.failure.is_none() && cell.budget >= self.plan.budget).then_some(cell)
    }

    /// What is known of a cell.
    pub fn read(&self, place: &Place) -> Option<Cell> {
        let text = std::fs::read(self.cell_folder(place).join("cell.json")).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Keeps what a cell came to.
    pub fn keep(&self, place: &Place, cell: &Cell) -> Result<()> {
        let folder = self.cell_folder(place);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join("cell.json");
        write_atomically(&path, serde_json::to_string_pretty(cell)?.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The lines of a file of JSON, none if it is not there. A line that is not whole was being written when its process was killed.
pub fn lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(e).with_context(|| format!("cannot read {}", path.display())),
    }
}
