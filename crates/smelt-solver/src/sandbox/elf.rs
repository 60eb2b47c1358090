//! What a program file says of the libraries that it needs: which ones, where it looks for them, and who loads it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The parts of a program that name other files. Only programs of this machine's kind are read: 64 bits, its byte order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Elf {
    /// The dynamic loader (`PT_INTERP`).
    pub loader: Option<String>,
    /// Names of libraries (`DT_NEEDED`).
    pub needed: Vec<String>,
    /// Folders in which they are looked for (`DT_RPATH`, `DT_RUNPATH`), with `$ORIGIN` as it stands there.
    pub folders: Vec<String>,
}

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const PT_INTERP: u32 = 3;
const DT_NEEDED: u64 = 1;
const DT_STRTAB: u64 = 5;
const DT_STRSZ: u64 = 10;
const DT_RPATH: u64 = 15;
const DT_RUNPATH: u64 = 29;

/// No table that matters is larger than this.
const MOST: u64 = 4 << 20;

/// A part of the file that is loaded: kind, place in the file, address, bytes.
struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    length: u64,
}

impl Elf {
    /// Reads a program or library. `None` if it is none that is understood, such as a script.
    pub fn read(path: &Path) -> Option<Elf> {
        let mut file = File::open(path).ok()?;
        let head = at(&mut file, 0, 64)?;
        let order = if cfg!(target_endian = "little") { 1 } else { 2 };
        if head[..4] != *b"\x7fELF" || head[4] != 2 || head[5] != order {
            return None;
        }
        let (table, size, count) = (long(&head, 32)?, half(&head, 54)?, half(&head, 56)?);
        let mut segments = Vec::new();
        for k in 0..u64::from(count) {
            let entry = at(&mut file, table.checked_add(k * u64::from(size))?, 56)?;
            segments.push(Segment {
                kind: u32::from_ne_bytes(entry[..4].try_into().ok()?),
                offset: long(&entry, 8)?,
                address: long(&entry, 16)?,
                length: long(&entry, 32)?,
            });
        }
        let mut elf = Elf::default();
        for segment in &segments {
            match segment.kind {
                PT_INTERP => {
                    elf.loader = text(&at(&mut file, segment.offset, segment.length)?, 0);
                }
                PT_DYNAMIC => {
                    let table = at(&mut file, segment.offset, segment.length)?;
                    elf.take_dynamic(&mut file, &segments, &table);
                }
                _ => {}
            }
        }
        Some(elf)
    }

    fn take_dynamic(&mut self, file: &mut File, segments: &[Segment], table: &[u8]) {
        let entries: Vec<(u64, u64)> = table
            .chunks_exact(16)
            .filter_map(|e| Some((long(e, 0)?, long(e, 8)?)))
            .take_while(|(tag, _)| *tag != 0)
            .collect();
        let value = |tag| entries.iter().find(|(t, _)| *t == tag).map(|(_, v)| *v);
        let (Some(address), Some(length)) = (value(DT_STRTAB), value(DT_STRSZ)) else { return };
        let holds = |s: &&Segment| {
            s.kind == PT_LOAD && s.address <= address && address - s.address < s.length
        };
        let Some(segment) = segments.iter().find(holds) else { return };
        let place = segment.offset.saturating_add(address - segment.address);
        let Some(strings) = at(file, place, length) else { return };
        for (tag, value) in entries {
            let Some(said) = usize::try_from(value).ok().and_then(|v| text(&strings, v)) else {
                continue;
            };
            match tag {
                DT_NEEDED => self.needed.push(said),
                DT_RPATH | DT_RUNPATH => {
                    self.folders
                        .extend(said.split(':').filter(|f| !f.is_empty()).map(str::to_owned));
                }
                _ => {}
            }
        }
    }
}

/// Bytes of the file at a place.
fn at(file: &mut File, place: u64, length: u64) -> Option<Vec<u8>> {
    if length > MOST {
        return None;
    }
    file.seek(SeekFrom::Start(place)).ok()?;
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

/// The text that begins at a place and ends with a NUL.
fn text(bytes: &[u8], at: usize) -> Option<String> {
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|b| *b == 0)?;
    String::from_utf8(rest[..end].to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_and_files_that_are_none() {
        let own = Elf::read(&std::env::current_exe().unwrap()).unwrap();
        assert!(own.loader.is_some_and(|l| l.starts_with("/lib")));
        assert!(own.needed.iter().any(|n| n.starts_with("libc.so")), "{:?}", own.needed);
        assert_eq!(Elf::read(Path::new("/etc/passwd")), None);
        assert_eq!(Elf::read(Path::new("/")), None);
    }

    /// A damaged file is no reason to fail: it is not understood, or says less.
    #[test]
    fn damaged_files() {
        let whole = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let path = std::env::temp_dir().join(format!("smelt-elf-{}", std::process::id()));
        for (at, byte) in (0..1024).step_by(7).flat_map(|at| [(at, 0xff), (at, 0x00), (at, 0x80)]) {
            let mut bytes = whole[..whole.len().min(1 << 16)].to_vec();
            bytes[at] = byte;
            std::fs::write(&path, &bytes).unwrap();
            let _ = Elf::read(&path);
        }
        std::fs::remove_file(path).unwrap();
    }
}
