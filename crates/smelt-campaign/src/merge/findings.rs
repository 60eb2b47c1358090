//! Findings of several folders, each bug's once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::finding::Finding;
use crate::folder::Folder;
use crate::shelf::{Contents, FINDINGS, bug_key, entries, file, is_folder};

/// A finding that may be kept.
struct Candidate {
    contents: Contents,
    /// Whether it is in the folder already.
    here: bool,
}

impl Candidate {
    fn finding(&self) -> &Finding {
        &self.contents.finding
    }

    /// Of findings with one signature the one is kept that stands, and that one campaign on one machine would have met first; of two copies of
    /// it the one with which more was done.
    fn order(&self) -> impl Ord + use<> {
        let f = self.finding();
        let (seq, step) = f.origin.place();
        let met = (f.position.unwrap_or(seq), step, self.contents.original.clone());
        let done = (f.done.len(), f.fingerprint.is_some(), f.signatures.len(), f.known.is_some());
        let text = serde_json::to_string(f).unwrap_or_default();
        (f.withdrawn().is_some(), met, std::cmp::Reverse(done), text)
    }

    /// What it is known by, also by what it was known before it was made smaller.
    fn keys(&self) -> BTreeSet<String> {
        let f = self.finding();
        let all = f.signatures.iter().chain([&f.signature]);
        all.map(|s| bug_key(&f.accused.label, s)).collect()
    }

    /// What it is, however often it was copied.
    fn identity(&self) -> (Option<u64>, String, String) {
        let f = self.finding();
        let origin = serde_json::to_string(f.origin.root()).unwrap_or_default();
        (f.position, origin, self.contents.original.clone())
    }
}

/// Findings that have a signature in common, directly or by others.
struct Group {
    keys: BTreeSet<String>,
    members: Vec<Candidate>,
}

/// Takes the findings of other folders that are none of those that are here. Which of two is kept does not depend on which came first; how
/// many are not kept is the result.
pub(super) fn take(
    folder: &Folder,
    from: &[PathBuf],
    unreadable: &mut Vec<(PathBuf, String)>,
) -> Result<usize> {
    let mut groups: Vec<Group> = Vec::new();
    let mut all = vec![(folder.shelf.path().to_owned(), true)];
    all.extend(from.iter().map(|p| (p.join(FINDINGS), false)));
    for (findings, here) in all {
        if findings.exists() && !is_folder(&findings) {
            unreadable.push((findings, "it is no folder of the campaign's own".to_owned()));
            continue;
        }
        for path in paths(&findings) {
            let contents =
                Contents::read(&path).and_then(|c| match path.ends_with(&c.finding.id) {
                    true => Ok(c),
                    false => bail!("it is the folder of another finding, {}", c.finding.id),
                });
            match contents {
                Ok(contents) => join(&mut groups, Candidate { contents, here }),
                Err(e) => unreadable.push((path, format!("{e:#}"))),
            }
        }
    }
    let mut twice = 0;
    for mut group in groups {
        let all: BTreeSet<_> = group.members.iter().map(Candidate::identity).collect();
        twice += all.len() - 1;
        group.members.sort_by_cached_key(Candidate::order);
        keep(folder, group)?;
    }
    Ok(twice)
}

/// The folders of findings in a folder of them, and those below each, by name.
fn paths(findings: &Path) -> Vec<PathBuf> {
    let shown = |folder: &Path| -> Vec<PathBuf> {
        let is_hidden = |p: &Path| p.file_name().is_some_and(|n| n.as_encoded_bytes()[0] == b'.');
        let all = if is_folder(folder) { entries(folder) } else { Vec::new() };
        all.into_iter().filter(|p| is_folder(p) && !is_hidden(p)).collect()
    };
    let bugs = shown(findings).into_iter();
    bugs.flat_map(|bug| {
        let below = shown(&bug.join(file::TRIGGERS));
        std::iter::once(bug).chain(below)
    })
    .collect()
}

/// Puts a finding into the group that it has a signature in common with; groups that it connects become one.
fn join(groups: &mut Vec<Group>, next: Candidate) {
    let mut own = Group { keys: next.keys(), members: vec![next] };
    let mut apart = Vec::new();
    for group in groups.drain(..) {
        if group.keys.is_disjoint(&own.keys) {
            apart.push(group);
        } else {
            own.keys.extend(group.keys);
            own.members.extend(group.members);
        }
    }
    apart.push(own);
    *groups = apart;
}

/// Keeps the first finding of a group, known by the signatures of all, in the place of those that are here.
fn keep(folder: &Folder, group: Group) -> Result<()> {
    let mut members = group.members.into_iter();
    let Some(mut leader) = members.next() else { return Ok(()) };
    let others: Vec<Candidate> = members.collect();
    let before = serde_json::to_string(leader.finding())?;
    let f = &mut leader.contents.finding;
    for other in &others {
        let o = other.finding();
        f.signatures.extend(o.signatures.iter().chain([&o.signature]).cloned());
        f.known = f.known.take().or_else(|| o.known.clone());
    }
    f.signatures.remove(&f.signature);
    let mut here = others.iter().filter(|o| o.here).map(|o| o.finding().id.clone());
    let held = folder.shelf.hold();
    let id = if leader.here {
        let f = leader.finding();
        if serde_json::to_string(f)? != before {
            held.rewrite(&leader.contents)?;
        }
        f.id.clone()
    } else if let Some(id) = here.next() {
        leader.contents.finding.id.clone_from(&id);
        held.renew(&leader.contents)?;
        id
    } else {
        held.write(&leader.contents)?.id
    };
    // What was two findings is known to be one now.
    here.try_for_each(|other| held.put_below(&id, &other))
}
