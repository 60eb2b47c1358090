//! The journal of a run: one line for each step, in a file that is only appended to. A position that was cut off is taken again as a whole.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use smelt_solver::write_atomically;
use smelt_strategy::bandit::{Change, Counts, Language};

use super::Asked;
use crate::folder::lock;
use crate::source::Timed;
use crate::source::bandit::Told;

/// One run of a solver in a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// The kind of answer.
    pub answer: String,
    /// CPU seconds.
    pub seconds: f64,
}

/// What came of an instance where bugs are looked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The kinds of answers of the target and its references.
    pub said: Vec<String>,
    /// The classes of bugs of the target that it shows.
    pub accused: Vec<String>,
    /// CPU seconds of all solvers.
    pub seconds: f64,
}

/// How an instance was made of an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// Of which step.
    pub parent: u32,
    /// Which construct was put into it.
    pub construct: String,
    /// At which place: the number of the construct that it replaces.
    pub place: usize,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Which, from 0.
    pub step: u32,
    /// How it was made; nothing for a fresh instance.
    #[serde(flatten)]
    pub made: Option<Made>,
    /// What it is worth.
    pub score: Option<f64>,
    /// Whether its construct was rewarded.
    pub reward: bool,
    /// What the target and its references did, round by round; references that were not asked are not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Vec<Ran>>,
    /// What was judged, where bugs are looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum Line {
    Begin {
        method: String,
        seq: u64,
    },
    Step {
        method: String,
        seq: u64,
        #[serde(flatten)]
        step: Step,
    },
    End {
        method: String,
        seq: u64,
    },
}

/// The positions that are done, by method and number.
pub type Positions = BTreeMap<(String, u64), Vec<Step>>;

/// The folder of a run.
pub struct Store {
    folder: PathBuf,
    asked: Asked,
    file: Mutex<BufWriter<File>>,
    _lock: File,
}

const STEPS: &str = "steps.jsonl";
const ASKED: &str = "run.json";

impl Store {
    /// The folder of a run that is begun, or that goes on there.
    pub fn open(folder: &Path, asked: &Asked) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let _lock = lock(folder)?;
        let path = folder.join(ASKED);
        if path.exists() {
            if read_asked(&path)? != *asked {
                bail!(
                    "{} has a run that was asked for something else: --out names another folder",
                    folder.display()
                );
            }
        } else {
            let text = serde_json::to_string_pretty(asked)?;
            write_atomically(&path, text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Self::with(folder, asked.clone(), _lock)
    }

    /// The folder of a run that there is.
    pub fn existing(folder: &Path) -> Result<Self> {
        let path = folder.join(ASKED);
        if !path.is_file() {
            bail!("there is no run of smelt perf in {}", folder.display());
        }
        let asked = read_asked(&path)?;
        Self::with(folder, asked, lock(folder)?)
    }

    fn with(folder: &Path, asked: Asked, _lock: File) -> Result<Self> {
        let path = folder.join(STEPS);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        let store = Self {
            folder: folder.to_owned(),
            asked,
            file: Mutex::new(BufWriter::new(file)),
            _lock,
        };
        // What a killed process has left of a line ends here.
        store.write("\n")?;
        Ok(store)
    }

    /// What the run was asked for.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Notes that a position begins.
    pub fn begin(&self, method: &str, seq: u64) -> Result<()> {
        self.line(&Line::Begin { method: method.to_owned(), seq })
    }

    /// Notes that a position is done.
    pub fn end(&self, method: &str, seq: u64) -> Result<()> {
        self.line(&Line::End { method: method.to_owned(), seq })
    }

    /// Notes a step.
    pub fn step(
        &self,
        method: &str,
        told: &Told<'_>,
        judged: Option<Judged>,
        language: &Language,
    ) -> Result<()> {
        let made = told.change.map(|c| Made {
            parent: c.parent,
            construct: language.constructs()[c.construct].name.clone(),
            place: c.place,
        });
        let ran = |t: &Timed| Ran { answer: t.answer.to_owned(), seconds: t.seconds };
        let rounds = told.done.timed.iter().map(|round| round.iter().map(ran).collect()).collect();
        let (score, reward) = (told.score, told.rewarded);
        let step = Step { step: told.step, made, score, reward, rounds, judged };
        self.line(&Line::Step { method: method.to_owned(), seq: told.seq, step })
    }

    fn line(&self, line: &Line) -> Result<()> {
        self.write(&(serde_json::to_string(line)? + "\n"))
    }

    fn write(&self, text: &str) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
        written.with_context(|| format!("cannot write to {}", self.folder.join(STEPS).display()))
    }

    /// The positions that are done. What was cut off is left out, and so is a line that is damaged.
    pub fn read(&self) -> Result<Positions> {
        let path = self.folder.join(STEPS);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let (mut open, mut done) = (Positions::new(), Positions::new());
        for line in text.lines().filter_map(|l| serde_json::from_str(l).ok()) {
            match line {
                Line::Begin { method, seq } => drop(open.insert((method, seq), Vec::new())),
                Line::Step { method, seq, step } => {
                    if let Some(steps) = open.get_mut(&(method, seq)) {
                        steps.push(step);
                    }
                }
                Line::End { method, seq } => {
                    if let Some(steps) = open.remove(&(method.clone(), seq)) {
                        done.insert((method, seq), steps);
                    }
                }
            }
        }
        Ok(done)
    }
}

fn read_asked(path: &Path) -> Result<Asked> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is damaged, or of another smelt", path.display()))
}

/// How the steps of a position were made, in the words of a language; steps with constructs that it does not have are left out.
pub fn changes(steps: &[Step], language: &Language) -> Vec<(u32, Option<Change>)> {
    let change = |s: &Step| match &s.made {
        None => Some((s.step, None)),
        Some(made) => {
            let construct = place(language, &made.construct)?;
            let change = Change { parent: made.parent, construct, place: made.place };
            Some((s.step, Some(change)))
        }
    };
    steps.iter().filter_map(change).collect()
}

/// What the constructs of a language have earned in some steps.
pub fn counts<'s>(steps: impl Iterator<Item = &'s Step>, language: &Language) -> Counts {
    let mut counts = Counts::new(language.constructs().len());
    for step in steps {
        let construct = step.made.as_ref().and_then(|m| place(language, &m.construct));
        if let Some(construct) = construct {
            counts.learn(construct, step.reward);
        }
    }
    counts
}

fn place(language: &Language, construct: &str) -> Option<usize> {
    language.constructs().iter().position(|c| c.name == construct)
}
