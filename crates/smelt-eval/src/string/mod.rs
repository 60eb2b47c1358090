//! Strings of the theory `UnicodeStrings`: sequences of code points 0 … 0x2FFFF.

mod literal;
mod operators;
mod search;

pub use literal::LiteralError;

use crate::limit::{Limit, MAX_LENGTH};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The greatest character of the theory.
pub const MAX_CHAR: u32 = 0x2FFFF;

const INLINE: usize = 22;

/// A string. Stored by one byte per character where all are below 256 (inline up to 22 of them), else by four. The form
/// is determined by the content, so `==` and `Hash` are those of the string.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Str(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// The bytes beyond `len` are zero.
    Inline {
        len: u8,
        bytes: [u8; INLINE],
    },
    Bytes(Arc<[u8]>),
    Wide(Arc<[u32]>),
}

/// The characters of a string, by their stored size.
#[derive(Clone, Copy)]
enum Chars<'a> {
    Bytes(&'a [u8]),
    Wide(&'a [u32]),
}

impl Str {
    /// The empty string.
    pub const EMPTY: Str = Str(Repr::Inline { len: 0, bytes: [0; INLINE] });

    /// The string of these code points; `None` if one of them is beyond 0x2FFFF.
    pub fn from_code_points(points: &[u32]) -> Option<Str> {
        points.iter().all(|&c| c <= MAX_CHAR).then(|| Str::of(points))
    }

    /// The characters are known to be valid.
    fn of(points: &[u32]) -> Str {
        if points.iter().all(|&c| c < 256) {
            let mut inline = [0; INLINE];
            if points.len() <= INLINE {
                for (to, from) in inline.iter_mut().zip(points) {
                    *to = *from as u8;
                }
                return Str(Repr::Inline { len: points.len() as u8, bytes: inline });
            }
            return Str(Repr::Bytes(points.iter().map(|&c| c as u8).collect()));
        }
        Str(Repr::Wide(points.into()))
    }

    fn of_bytes(bytes: &[u8]) -> Str {
        if bytes.len() <= INLINE {
            let mut inline = [0; INLINE];
            inline[..bytes.len()].copy_from_slice(bytes);
            return Str(Repr::Inline { len: bytes.len() as u8, bytes: inline });
        }
        Str(Repr::Bytes(bytes.into()))
    }

    fn of_char(c: u32) -> Str {
        Str::of(&[c])
    }

    fn chars(&self) -> Chars<'_> {
        match &self.0 {
            Repr::Inline { len, bytes } => Chars::Bytes(&bytes[..usize::from(*len)]),
            Repr::Bytes(bytes) => Chars::Bytes(bytes),
            Repr::Wide(wide) => Chars::Wide(wide),
        }
    }

    /// The number of characters.
    pub fn len(&self) -> usize {
        match self.chars() {
            Chars::Bytes(b) => b.len(),
            Chars::Wide(w) => w.len(),
        }
    }

    /// Is it the empty string?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The character at `i`.
    pub fn get(&self, i: usize) -> Option<u32> {
        match self.chars() {
            Chars::Bytes(b) => b.get(i).map(|&c| u32::from(c)),
            Chars::Wide(w) => w.get(i).copied(),
        }
    }

    /// The characters from the first to the last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + Clone + '_ {
        let (bytes, wide): (&[u8], &[u32]) = match self.chars() {
            Chars::Bytes(b) => (b, &[]),
            Chars::Wide(w) => (&[], w),
        };
        bytes.iter().map(|&c| u32::from(c)).chain(wide.iter().copied())
    }

    /// The code points.
    pub fn to_code_points(&self) -> Vec<u32> {
        self.iter().collect()
    }

    /// The characters `from .. to`, both clipped to the string.
    pub fn slice(&self, from: usize, to: usize) -> Str {
        let to = to.min(self.len());
        let from = from.min(to);
        if from == 0 && to == self.len() {
            return self.clone();
        }
        match self.chars() {
            Chars::Bytes(b) => Str::of_bytes(&b[from..to]),
            // A part of a wide string may be narrow.
            Chars::Wide(w) => Str::of(&w[from..to]),
        }
    }

    /// Joins parts; bounded, because nested concatenations double their size at each level.
    fn join<'a>(parts: impl Iterator<Item = &'a Str> + Clone) -> Result<Str, Limit> {
        let len: usize = parts.clone().map(Str::len).sum();
        if len > MAX_LENGTH {
            return Err(Limit::TooLarge);
        }
        if parts.clone().all(|p| matches!(p.chars(), Chars::Bytes(_))) {
            if len <= INLINE {
                let (mut bytes, mut at) = ([0; INLINE], 0);
                for c in parts.flat_map(Str::iter) {
                    bytes[at] = c as u8;
                    at += 1;
                }
                return Ok(Str(Repr::Inline { len: len as u8, bytes }));
            }
            let mut bytes = Vec::with_capacity(len);
            for part in parts {
                if let Chars::Bytes(b) = part.chars() {
                    bytes.extend_from_slice(b);
                }
            }
            return Ok(Str(Repr::Bytes(bytes.into())));
        }
        let mut wide = Vec::with_capacity(len);
        wide.extend(parts.flat_map(Str::iter));
        Ok(Str(Repr::Wide(wide.into())))
    }
}

impl From<&str> for Str {
    /// The characters of a Rust string, without escapes; those beyond 0x2FFFF, which the theory does not have, become
    /// U+FFFD. Meant for text known to be narrow; literals of scripts are read by [`Str::parse_literal`].
    fn from(text: &str) -> Str {
        let points: Vec<u32> =
            text.chars().map(|c| if c as u32 <= MAX_CHAR { c as u32 } else { 0xFFFD }).collect();
        Str::of(&points)
    }
}

impl Ord for Str {
    /// The lexicographic order of `str.<`.
    fn cmp(&self, other: &Str) -> Ordering {
        match (self.chars(), other.chars()) {
            (Chars::Bytes(a), Chars::Bytes(b)) => a.cmp(b),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Str) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_smtlib())
    }
}
