//! Reading a script: plain or compressed, and never more than so much of it.

use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use liblzma::stream::Stream;

/// Most bytes of a script, decompressed.
pub const MOST: u64 = 256 << 20;

/// Bytes that any compressed script may have, and how many more for each byte of its file. (Of scripts that people write, a byte of
/// the file holds some ten to a hundred; gzip cannot reach more than 1,032.)
const PACKED: (u64, u64) = (16 << 20, 1000);

/// Most memory for taking an xz file apart: its own files ask for up to 65 MB, and a forged one for 4 GB.
const XZ_MEMORY: u64 = 256 << 20;

/// How files of scripts end.
pub const ENDINGS: &[&str] = &["smt2", "smt2.gz", "smt2.xz", "smt2.zst"];

/// How a file is compressed, by its ending or its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
    Xz,
    Zstd,
}

impl Packing {
    /// Packings with their ending and first bytes. No script begins like one of them.
    const ALL: [(Self, &str, &[u8]); 3] = [
        (Self::Gzip, "gz", &[0x1f, 0x8b]),
        (Self::Xz, "xz", &[0xfd, b'7', b'z', b'X', b'Z', 0]),
        (Self::Zstd, "zst", &[0x28, 0xb5, 0x2f, 0xfd]),
    ];

    fn of(path: &Path, start: &[u8]) -> Self {
        let ending = path.extension().unwrap_or_default();
        let known = Self::ALL.iter().find(|(_, e, s)| ending == *e || start.starts_with(s));
        known.map_or(Self::Plain, |(packing, ..)| *packing)
    }
}

/// The text of a script; the error does not name the path. (What the shell has opened for us may be a pipe: somebody writes to
/// that, and ends.)
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let opened = ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|d| path.starts_with(d));
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        bail!("it is a folder");
    }
    if !opened && !kind.is_file() {
        bail!("it is no file");
    }
    let mut file = std::fs::File::open(path)?;
    let mut start = Vec::new();
    file.by_ref().take(6).read_to_end(&mut start)?;
    let packing = Packing::of(path, &start);
    let file = Cursor::new(start).chain(file);
    let reader: Box<dyn Read> = match packing {
        Packing::Plain => Box::new(file),
        Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(file)),
        Packing::Xz => {
            let stream = Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)?;
            Box::new(liblzma::read::XzDecoder::new_stream(file, stream))
        }
        Packing::Zstd => Box::new(zstd::stream::read::Decoder::new(file)?),
    };
    // Of what comes by a pipe nobody knows how long it is.
    let expected = match packing != Packing::Plain && kind.is_file() {
        true => PACKED.0.saturating_add(kind.len().saturating_mul(PACKED.1)),
        false => u64::MAX,
    };
    let bound = most.min(expected);
    let mut text = Vec::new();
    let done = reader.take(bound + 1).read_to_end(&mut text);
    if packing == Packing::Plain {
        done?
    } else {
        done.context("cannot decompress it")?
    };
    if text.len() as u64 > bound {
        match bound == most {
            true => bail!("{}", too_large(most)),
            false => {
                bail!("it becomes more than {} times as large when it is decompressed", PACKED.1)
            }
        }
    }
    Ok(text)
}

/// What is said of a script with more bytes than this.
pub fn too_large(most: u64) -> String {
    match most >> 20 {
        0 => format!("larger than {most} bytes"),
        megabytes => format!("larger than {megabytes} MB"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn plain_and_compressed() {
        let script = b"(assert true)(check-sat)\n".repeat(1000);
        let gzip = || {
            let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            to.write_all(&script).unwrap();
            to.finish().unwrap()
        };
        let xz = || {
            let mut to = liblzma::write::XzEncoder::new(Vec::new(), 1);
            to.write_all(&script).unwrap();
            to.finish().unwrap()
        };
        let zstd = || zstd::encode_all(&script[..], 1).unwrap();
        let all = script.len() as u64;
        let cut = |mut bytes: Vec<u8>| {
            bytes.truncate(bytes.len() / 2);
            bytes
        };
        let folder = std::env::temp_dir().join(format!("smelt-reader-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, bytes, most, expect) in [
            ("a.smt2", script.clone(), all, ""),
            ("a.smt2.gz", gzip(), all, ""),
            ("a.smt2.xz", xz(), all, ""),
            ("a.smt2.zst", zstd(), all, ""),
            ("two.smt2.gz", gzip().repeat(2), 2 * all, ""),
            ("gzip-inside.smt2", gzip(), all, ""),
            ("without-ending", zstd(), all, ""),
            ("empty.smt2", Vec::new(), all, ""),
            ("large.smt2", script.clone(), all - 1, "larger than"),
            ("large.smt2.gz", gzip(), all - 1, "larger than"),
            ("large.smt2.xz", xz(), all - 1, "larger than"),
            ("large.smt2.zst", zstd(), all - 1, "larger than"),
            ("cut.smt2.gz", cut(gzip()), all, "cannot decompress it"),
            ("cut.smt2.xz", cut(xz()), all, "cannot decompress it"),
            ("cut.smt2.zst", cut(zstd()), all, "cannot decompress it"),
            ("none.smt2.gz", script.clone(), all, "cannot decompress it"),
        ] {
            let path = folder.join(name);
            std::fs::write(&path, &bytes).unwrap();
            match read(&path, most) {
                Ok(text) => {
                    assert!(expect.is_empty(), "{name}");
                    assert!(text.chunks(script.len()).all(|part| part == script), "{name}");
                }
                Err(e) => {
                    let said = format!("{e:#}");
                    assert!(!expect.is_empty() && said.contains(expect), "{name}: {said}");
                }
            }
        }
        let said = format!("{:#}", read(&folder, all).unwrap_err());
        assert_eq!(said, "it is a folder");
        // A few kilobytes that become a gigabyte.
        let nothing = vec![b' '; 1 << 20];
        let mut bomb = zstd::Encoder::new(Vec::new(), 3).unwrap();
        (0..1024).for_each(|_| bomb.write_all(&nothing).unwrap());
        let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
        (0..64).for_each(|_| xz.write_all(&nothing).unwrap());
        for (name, bytes) in
            [("bomb.zst", bomb.finish().unwrap()), ("bomb.xz", xz.finish().unwrap())]
        {
            assert!(bytes.len() < 100 << 10, "{name} {}", bytes.len());
            std::fs::write(folder.join(name), bytes).unwrap();
            let said = format!("{:#}", read(&folder.join(name), MOST).unwrap_err());
            assert!(said.contains("1000 times as large"), "{said}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
