//! The findings of a campaign: a folder each, which is the truth. A folder is written under a temporary name, synced, and
//! renamed, so that it is there whole or not at all. The names of all files in it stand here, for writing and for reading.

use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use smelt_solver::write_atomically;
use smelt_triage::Class;

use crate::finding::Finding;

mod below;
mod exchange;

pub(crate) use self::below::entries;
pub use self::below::{Held, place};

/// The folder of findings in a campaign's folder.
pub const FINDINGS: &str = "findings";

/// Files of a finding's folder.
pub mod file {
    /// The script that shows the fault, as small as it was made; of a fault that needs a session, all that the session was sent.
    pub const BUG: &str = "bug.smt2";
    /// The case as it was found.
    pub const ORIGINAL: &str = "original.smt2";
    /// The script before the last step, if the finding is about both.
    pub const BEFORE: &str = "before.smt2";
    /// The check alone, if the answers to both exclude each other.
    pub const FLAT: &str = "flat.smt2";
    /// The script with the values of the model that the accused gave, if the finding is about both.
    pub const VALUES: &str = "values.smt2";
    /// The script with values asserted that satisfy it.
    pub const WITNESS: &str = "witness.smt2";
    /// Everything for machines; a folder with this file is whole.
    pub const FINDING: &str = "finding.json";
    /// What people read.
    pub const REPORT: &str = "report.md";
    /// Runs the accused without smelt.
    pub const REPRO: &str = "repro.sh";
    /// The folder of other findings that are the same bug.
    pub const TRIGGERS: &str = "triggers";
    /// The folder of what each solver printed.
    pub const OUTPUTS: &str = "outputs";

    /// What a solver printed, in the folder of outputs.
    pub fn output(solver: &str) -> String {
        let plain = |c: char| if c.is_alphanumeric() || ".@-".contains(c) { c } else { '_' };
        solver.chars().map(plain).collect::<String>() + ".txt"
    }

    /// The text of a seed, counted from 0.
    pub fn seed(i: usize) -> String {
        if i == 0 { "seed.smt2".to_owned() } else { format!("seed-{}.smt2", i + 1) }
    }
}

/// Where findings go.
pub trait Shelf: Sync {
    /// Whether a bug is new: nothing with its key was kept before.
    fn wants(&self, bug: &str) -> bool;
    /// Keeps a finding, if its bug is new.
    fn keep(&self, contents: Contents) -> Kept;
    /// Tries again what could not be written: what is there now.
    fn write_pending(&self) -> Vec<Finding>;
    /// Keeps a script of some kind beside the findings, for people to look at. One that cannot be written is lost.
    fn note(&self, kind: &str, name: &str, text: &str);
}

/// What became of a finding.
#[derive(Debug)]
pub enum Kept {
    /// The finding is new, and its folder is written.
    New(Box<Finding>),
    /// There is a finding of the same bug.
    Known,
    /// The finding is new and cannot be written now, for this reason; it is tried again.
    Pending(Box<Finding>, String),
}

/// What tells bugs apart: who, and the signature.
pub fn bug_key(solver: &str, signature: &str) -> String {
    format!("{solver}\0{signature}")
}

/// The findings of a folder on this machine.
pub struct Folders {
    path: PathBuf,
    bugs: Mutex<HashSet<String>>,
    pending: Mutex<Vec<Contents>>,
    /// Held by who writes or moves folders, see [`Held`].
    moves: Mutex<()>,
    swap: exchange::Swap,
}

impl Folders {
    /// The findings of a campaign's folder, in which nobody else is at work; what a killed process left behind is removed.
    pub fn open(campaign: &Path) -> Result<(Self, Found)> {
        let path = campaign.join(FINDINGS);
        fs::create_dir_all(&path)
            .with_context(|| format!("cannot make the campaign's folder {}", campaign.display()))?;
        exchange::clear(&path);
        let found = read_all(&path)?;
        let keys = |f: &Finding| -> Vec<String> {
            let all = f.signatures.iter().chain([&f.signature]);
            all.map(|s| bug_key(&f.accused.label, s)).collect()
        };
        let bugs = found.findings.iter().flat_map(keys).collect();
        let shelf = Self {
            path: path.to_owned(),
            bugs: Mutex::new(bugs),
            pending: Mutex::default(),
            moves: Mutex::default(),
            swap: exchange::swap,
        };
        Ok((shelf, found))
    }

    /// The findings as on a file system that cannot exchange two folders at once.
    #[must_use]
    pub fn without_exchange(self) -> Self {
        Self { swap: exchange::no_swap, ..self }
    }

    /// Where they are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What could not be written, with its script.
    pub fn unwritten(&self) -> Vec<(Finding, String)> {
        let pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.iter().map(|c| (c.finding.clone(), c.bug.clone())).collect()
    }
}

impl Shelf for Folders {
    fn wants(&self, bug: &str) -> bool {
        !self.bugs.lock().unwrap_or_else(PoisonError::into_inner).contains(bug)
    }

    fn keep(&self, contents: Contents) -> Kept {
        let key = bug_key(&contents.finding.accused.label, &contents.finding.signature);
        if !self.bugs.lock().unwrap_or_else(PoisonError::into_inner).insert(key) {
            return Kept::Known;
        }
        let written = self.hold().write(&contents);
        match written {
            Ok(finding) => Kept::New(Box::new(finding)),
            Err(e) => {
                let finding = Box::new(contents.finding.clone());
                self.pending.lock().unwrap_or_else(PoisonError::into_inner).push(contents);
                Kept::Pending(finding, format!("{e:#}"))
            }
        }
    }

    fn write_pending(&self) -> Vec<Finding> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let mut written = Vec::new();
        let held = self.hold();
        pending.retain(|c| match held.write(c) {
            Ok(finding) => {
                written.push(finding);
                false
            }
            Err(_) => true,
        });
        written
    }

    fn note(&self, kind: &str, name: &str, text: &str) {
        let path = self.path.with_file_name(kind).join(format!("{name}.smt2"));
        let _ = write_atomically(&path, text.as_bytes());
    }
}

/// What goes into the folder of a finding beside `finding.json`.
pub struct Contents {
    /// The finding.
    pub finding: Finding,
    /// The script, as small as it was made.
    pub bug: String,
    /// The mutant as it was found.
    pub original: String,
    /// The script before the last step, if the finding is about both.
    pub before: Option<String>,
    /// The check alone, if the finding is that its answers to both exclude each other.
    pub flat: Option<String>,
    /// The script with the values of the model that the accused gave, if the finding is about both.
    pub values: Option<String>,
    /// Texts of the seeds.
    pub seeds: Vec<Vec<u8>>,
    /// The script with values asserted that satisfy it, if they are known.
    pub witness: Option<String>,
    /// What each solver printed, by name.
    pub outputs: Vec<(String, String)>,
}

impl Contents {
    /// Reads the folder of a finding. What is not there was not known, or not kept.
    pub fn read(folder: &Path) -> Result<Self> {
        let text = |name: &str| -> Result<String> {
            let bytes = read_file(folder, name)?;
            String::from_utf8(bytes).map_err(|_| anyhow!("{name} is not UTF-8"))
        };
        let finding = read(folder)?;
        let seeds = (0..finding.origin.seeds().len()).map(file::seed);
        let labels = std::iter::once(&finding.accused.label);
        let labels = labels.chain(finding.peers.iter().map(|p| &p.solver));
        let output = |label: &String| {
            let name = format!("{}/{}", file::OUTPUTS, file::output(label));
            Some((label.clone(), text(&name).ok()?))
        };
        Ok(Self {
            bug: text(file::BUG)?,
            original: text(file::ORIGINAL)?,
            before: text(file::BEFORE).ok(),
            flat: text(file::FLAT).ok(),
            values: text(file::VALUES).ok(),
            witness: text(file::WITNESS).ok(),
            seeds: seeds.map_while(|name| read_file(folder, &name).ok()).collect(),
            outputs: labels.filter_map(output).collect(),
            finding,
        })
    }
}

/// Writes a finding into a folder and gives it as it was written: under another id, if there is a folder of its name already.
pub fn write(findings: &Path, c: &Contents) -> Result<Finding> {
    let id = free_name(findings, &c.finding.id);
    let temporary = findings.join(format!(".{id}.{}", std::process::id()));
    let done = findings.join(&id);
    let finding = Finding { id, ..c.finding.clone() };
    let result = fill(&temporary, c, &finding).and_then(|()| {
        fs::rename(&temporary, &done)?;
        fs::File::open(findings)?.sync_all()
    });
    if result.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    result.with_context(|| format!("cannot write the finding {}", done.display()))?;
    Ok(finding)
}

/// A name that nobody has: what is there may be damaged, but it is not ours to replace.
fn free_name(findings: &Path, id: &str) -> String {
    let is_there = |path: PathBuf| fs::symlink_metadata(path).is_ok();
    let free = |name: &String| !is_there(findings.join(name)) && !is_there(place(findings, name));
    let names = (2..10_000).map(|n| format!("{id}-{n}"));
    std::iter::once(id.to_owned()).chain(names).find(free).unwrap_or_else(|| id.to_owned())
}

fn fill(folder: &Path, c: &Contents, finding: &Finding) -> std::io::Result<()> {
    fs::create_dir_all(folder.join(file::OUTPUTS))?;
    let put = |name: &str, text: &[u8]| -> std::io::Result<()> {
        let mut file = fs::File::create(folder.join(name))?;
        file.write_all(text)?;
        file.sync_all()
    };
    put(file::BUG, c.bug.as_bytes())?;
    put(file::ORIGINAL, c.original.as_bytes())?;
    for (i, text) in c.seeds.iter().enumerate() {
        put(&file::seed(i), text)?;
    }
    for (name, text) in [
        (file::BEFORE, &c.before),
        (file::FLAT, &c.flat),
        (file::VALUES, &c.values),
        (file::WITNESS, &c.witness),
    ] {
        text.as_ref().map_or(Ok(()), |text| put(name, text.as_bytes()))?;
    }
    for (name, text) in &c.outputs {
        put(&format!("{}/{}", file::OUTPUTS, file::output(name)), text.as_bytes())?;
    }
    put(file::REPORT, crate::report::markdown(c).as_bytes())?;
    put(file::REPRO, crate::report::repro(c).as_bytes())?;
    fs::set_permissions(folder.join(file::REPRO), fs::Permissions::from_mode(0o755))?;
    let json = serde_json::to_vec_pretty(finding).map_err(std::io::Error::other)?;
    // Last: a folder with this file is whole.
    put(file::FINDING, &json)
}

/// Writes `finding.json` and the report anew, with what is withdrawn. Both are there whole or as they were.
pub fn rewrite(folder: &Path, contents: &Contents) -> Result<()> {
    let finding = &contents.finding;
    let json = serde_json::to_vec_pretty(finding)?;
    let report = crate::report::marked(&crate::report::markdown(contents), finding);
    for (name, text) in [(file::REPORT, report.as_bytes()), (file::FINDING, &json)] {
        let path = folder.join(name);
        write_atomically(&path, text)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// What is in a folder of findings.
#[derive(Default)]
pub struct Found {
    /// Findings that can be read.
    pub findings: Vec<Finding>,
    /// Folders that are no finding, or one of another version, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// Reads all findings of a folder, in which others may be at work: nothing is changed, and what is not finished is passed over.
pub fn read_all(findings: &Path) -> Result<Found> {
    let mut out = Found::default();
    let entries =
        fs::read_dir(findings).with_context(|| format!("cannot read {}", findings.display()))?;
    for entry in entries {
        let path = entry?.path();
        if !entry_name(&path).starts_with('.') && is_folder(&path) {
            let triggers = path.join(file::TRIGGERS);
            // What is below a finding has nothing below itself: a stranger's folder cannot be without an end.
            if is_folder(&triggers) && !findings.ends_with(file::TRIGGERS) {
                let below = read_all(&triggers)?;
                out.findings.extend(below.findings);
                out.unreadable.extend(below.unreadable);
            }
            match read(&path) {
                Ok(finding) => out.findings.push(finding),
                Err(e) => out.unreadable.push((path, format!("{e:#}"))),
            }
        }
    }
    out.unreadable.sort();
    out.findings.sort_by(|a, b| (a.class(), &a.id).cmp(&(b.class(), &b.id)));
    Ok(out)
}

/// The folders of findings that a path means: itself, or all in a campaign's folder or its `findings/`, by name, each with those below it.
pub fn folders(path: &Path) -> Result<Vec<PathBuf>> {
    let is_finding = |p: &Path| p.join(file::FINDING).is_file();
    if is_finding(path) || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let inner = path.join(FINDINGS);
    let findings = if inner.is_dir() { &inner } else { path };
    let entries = fs::read_dir(findings)
        .with_context(|| format!("cannot read {}", findings.display()))?
        .collect::<std::io::Result<Vec<_>>>()?;
    let mut bugs: Vec<PathBuf> =
        entries.into_iter().map(|e| e.path()).filter(|p| is_finding(p)).collect();
    if bugs.is_empty() {
        bail!("there is no finding in {}", findings.display());
    }
    bugs.sort();
    let with_triggers = |bug: PathBuf| {
        let below = below::entries(&bug.join(file::TRIGGERS)).into_iter().filter(|p| is_finding(p));
        std::iter::once(bug).chain(below.collect::<Vec<_>>())
    };
    Ok(bugs.into_iter().flat_map(with_triggers).collect())
}

/// Whether it is a folder itself: what a link leads to is not the campaign's.
pub(crate) fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|m| m.is_dir())
}

fn entry_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The id of a finding in a name under which its folder is written before it is whole: `.{id}.{process}`.
fn unfinished(name: &str) -> Option<&str> {
    let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (id, process) = name.strip_prefix('.')?.rsplit_once('.')?;
    (is_id(id) && number(process)).then_some(id)
}

/// Whether a text has the shape of a finding's id: class, profile, eight digits of a digest.
fn is_id(text: &str) -> bool {
    let digest = |s: &str| {
        s.len() == 8 && s.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    Class::all().any(|c| {
        let rest = text.strip_prefix(c.word()).and_then(|r| r.strip_prefix('-'));
        rest.and_then(|r| r.rsplit_once('-')).is_some_and(|(profile, d)| {
            // A number follows if the name was taken.
            let (profile, d) = if digest(d) {
                (profile, d)
            } else {
                profile.rsplit_once('-').filter(|_| d.parse::<u32>().is_ok()).unwrap_or_default()
            };
            !profile.is_empty() && digest(d)
        })
    })
}

/// Largest file of a finding: a transcript of a session is at most half as long.
const LARGEST: u64 = 128 << 20;

/// The content of a file of a finding. The folder may come from anybody: what is not a plain file in it, or too large, is not
/// read.
pub fn read_file(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let path = folder.join(name);
    let what = || format!("cannot read {}", path.display());
    let here = fs::symlink_metadata(&path).with_context(what)?;
    let above = Path::new(name).ancestors().skip(1).filter(|a| !a.as_os_str().is_empty());
    if !here.is_file() || !above.into_iter().all(|a| is_folder(&folder.join(a))) {
        bail!("{}: it is no plain file of the folder", what());
    }
    let file = fs::File::open(&path).with_context(what)?;
    let opened = file.metadata().with_context(what)?;
    if (opened.dev(), opened.ino()) != (here.dev(), here.ino()) {
        bail!("{}: it is another file than a moment ago", what());
    }
    let mut content = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut content).with_context(what)?;
    if content.len() as u64 > LARGEST {
        bail!("{}: it has more than {} MB", what(), LARGEST >> 20);
    }
    Ok(content)
}

/// Reads one finding.
pub fn read(folder: &Path) -> Result<Finding> {
    let text = read_file(folder, file::FINDING)?;
    Finding::from_json(&text)
        .map_err(|why| anyhow!("{}: {why}", folder.join(file::FINDING).display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left() {
        for (name, expect) in [
            (".crash-z3-885859c9.4711", true),
            (".implication-incompleteness-my-solver-0123abcd.1", true),
            (".crash-z3-885859c9-2.4711", true),
            (".git", false),
            (".crash-z3-885859c9", false),
            (".crash-z3-885859c9.", false),
            (".crash-z3-885859c9.bak", false),
            (".crash-z3-885859cg.4711", false),
            (".crash-885859c9.4711", false),
            (".crash-z3-885859c9-x.4711", false),
            (".other-z3-885859c9.4711", false),
            ("crash-z3-885859c9.4711", false),
            (".config.1", false),
            ("", false),
        ] {
            assert_eq!(unfinished(name).is_some(), expect, "{name}");
        }
    }
}
