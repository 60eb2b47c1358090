//! A folder in the place of another one, also where the file system cannot exchange them at once; and what a killed process left of that.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use super::below::entries;
use super::{entry_name, file, is_folder, is_id, unfinished};

/// Exchanges two folders at once, if the file system can.
pub type Swap = fn(&Path, &Path) -> nix::Result<()>;

/// By the kernel.
pub(super) fn swap(one: &Path, other: &Path) -> nix::Result<()> {
    renameat2(AT_FDCWD, one, AT_FDCWD, other, RenameFlags::RENAME_EXCHANGE)
}

/// By no means, as on a file system that has none.
pub(super) fn no_swap(_: &Path, _: &Path) -> nix::Result<()> {
    Err(Errno::EINVAL)
}

/// Puts `new` in the place of `old`, and `old` in that of `new`. What is exchanged at once is at no time absent. Where the file system cannot do
/// that, the old folder steps aside first, under a name by which [`clear`] knows it.
pub(super) fn exchange(new: &Path, old: &Path, swap: Swap) -> io::Result<()> {
    match swap(new, old) {
        Err(Errno::EINVAL | Errno::ENOSYS | Errno::EOPNOTSUPP) => {}
        done => return Ok(done?),
    }
    let aside = aside(old);
    fs::rename(old, &aside)?;
    if let Err(e) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(e);
    }
    fs::rename(&aside, new)
}

/// Where a folder is while another one takes its place: beside it.
fn aside(folder: &Path) -> PathBuf {
    folder.with_file_name(format!(".{}{ASIDE}", entry_name(folder)))
}

const ASIDE: &str = ".aside";

/// Moves what is below a finding below the folder that has taken its place.
pub(super) fn move_triggers(from: &Path, to: &Path) -> io::Result<()> {
    let below = to.join(file::TRIGGERS);
    for trigger in entries(&from.join(file::TRIGGERS)) {
        fs::create_dir_all(&below)?;
        fs::rename(&trigger, below.join(entry_name(&trigger)))?;
    }
    match fs::remove_dir(from.join(file::TRIGGERS)) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Removes what a killed process left unfinished in a folder of findings, and puts back what it had put aside. Nothing that was
/// finished is lost. Nobody else may be at work there.
pub(super) fn clear(findings: &Path) {
    let all: Vec<PathBuf> = entries(findings).into_iter().filter(|p| is_folder(p)).collect();
    for path in &all {
        let name = entry_name(path);
        let id = name.strip_prefix('.').and_then(|n| n.strip_suffix(ASIDE)).filter(|n| is_id(n));
        let Some(id) = id else { continue };
        let own = findings.join(id);
        match own.exists() {
            false => drop(fs::rename(path, &own)),
            true => remove(path, &own),
        }
    }
    for path in &all {
        let name = entry_name(path);
        if let Some(id) = unfinished(&name) {
            // It may be one that was exchanged for a smaller one: its triggers are not lost.
            let own = findings.join(id);
            remove(path, if own.is_dir() { &own } else { findings });
        } else if !name.starts_with('.') && is_folder(&path.join(file::TRIGGERS)) {
            clear(&path.join(file::TRIGGERS));
        }
    }
}

/// Removes a folder of a finding, whose triggers are another folder's then, or findings of their own.
fn remove(path: &Path, heir: &Path) {
    let triggers = path.join(file::TRIGGERS);
    if heir.join(file::FINDING).is_file() {
        let _ = move_triggers(path, heir);
    } else {
        for trigger in entries(&triggers) {
            let findings = path.parent().unwrap_or(heir);
            let _ = fs::rename(&trigger, findings.join(entry_name(&trigger)));
        }
    }
    if entries(&triggers).is_empty() {
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "crash-z3-0123abcd";

    /// A folder of findings in which these files are, each with a text.
    fn findings(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("smelt-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        for (name, text) in files {
            let file = path.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        path
    }

    /// All files of a folder, with what is in them.
    fn files(folder: &Path) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let mut todo = vec![folder.to_owned()];
        while let Some(next) = todo.pop() {
            for path in entries(&next) {
                match path.is_dir() {
                    true => todo.push(path),
                    false => {
                        let name = path.strip_prefix(folder).unwrap().display().to_string();
                        out.push((name, fs::read_to_string(path).unwrap()));
                    }
                }
            }
        }
        out.sort();
        out
    }

    fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect()
    }

    #[test]
    fn with_the_kernels_help_and_without() {
        for swap in [swap as Swap, no_swap] {
            let path = findings("exchange", &[("new/a", "new"), ("old/a", "old")]);
            exchange(&path.join("new"), &path.join("old"), swap).unwrap();
            assert_eq!(files(&path), pairs(&[("new/a", "old"), ("old/a", "new")]));
            // Nothing moves if there is nothing to put there.
            exchange(&path.join("nothing"), &path.join("old"), swap).unwrap_err();
            assert_eq!(files(&path), pairs(&[("new/a", "old"), ("old/a", "new")]));
            fs::remove_dir_all(path).unwrap();
        }
    }

    /// Every state in which a process can end: what was there is there again, or the new folder is, with its triggers.
    #[test]
    fn whatever_ends_it() {
        let temporary = format!(".{ID}.77");
        let aside = format!(".{ID}{ASIDE}");
        for (steps, expect) in [
            (vec![(temporary.as_str(), "new"), (ID, "old")], "old"),
            (vec![(temporary.as_str(), "new"), (aside.as_str(), "old")], "old"),
            (vec![(ID, "new"), (aside.as_str(), "old")], "new"),
            (vec![(ID, "new"), (temporary.as_str(), "old")], "new"),
            (vec![(ID, "new")], "new"),
        ] {
            for below in ["", "crash-z3-89abcdef/triggers"] {
                let mut all = Vec::new();
                for (folder, text) in &steps {
                    all.push((format!("{below}/{folder}/{}", file::FINDING), *text));
                    if *text == "old" {
                        let trigger = format!("{below}/{folder}/triggers/t/{}", file::FINDING);
                        all.push((trigger, "trigger"));
                    }
                }
                let named: Vec<(&str, &str)> =
                    all.iter().map(|(n, t)| (n.trim_start_matches('/'), *t)).collect();
                let path = findings("ends", &named);
                clear(&path);
                let left = files(&path);
                let prefix = format!("{below}/{ID}/").trim_start_matches('/').to_owned();
                let own = format!("{prefix}{}", file::FINDING);
                let kept = |name: &str, text: &str| left.contains(&(name.to_owned(), text.into()));
                assert!(kept(&own, expect), "{steps:?}: {left:?}");
                let trigger = format!("{prefix}triggers/t/{}", file::FINDING);
                let had = steps.iter().any(|(_, text)| *text == "old");
                assert_eq!(kept(&trigger, "trigger"), had, "{steps:?}: {left:?}");
                assert_eq!(left.len(), 1 + usize::from(had), "{steps:?}: {left:?}");
                fs::remove_dir_all(path).unwrap();
            }
        }
    }
}
