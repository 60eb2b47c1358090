//! Finding one string in another, in linear time.

use super::{Chars, Str};

impl Str {
    /// The first occurrence of `needle` at or after `from`. The empty needle is found at `from` itself, as long as
    /// that is not beyond the end.
    pub fn find(&self, needle: &Str, from: usize) -> Option<usize> {
        if from > self.len() || needle.len() > self.len() - from {
            return None;
        }
        match (self.chars(), needle.chars()) {
            (Chars::Bytes(h), Chars::Bytes(n)) => find(&h[from..], n),
            (Chars::Wide(h), Chars::Wide(n)) => find(&h[from..], n),
            (Chars::Wide(h), Chars::Bytes(n)) => {
                let wide: Vec<u32> = n.iter().map(|&c| u32::from(c)).collect();
                find(&h[from..], &wide)
            }
            // A wide needle has a character that no narrow string has.
            (Chars::Bytes(_), Chars::Wide(_)) => None,
        }
        .map(|at| from + at)
    }
}

fn find<T: Eq + Copy>(hay: &[T], needle: &[T]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    if needle.len() <= 8 || hay.len() <= 64 {
        return hay.windows(needle.len()).position(|w| w == needle);
    }
    // Knuth, Morris, Pratt: border[i] is the length of the longest proper border of needle[..=i].
    let mut border = vec![0usize; needle.len()];
    let mut k = 0;
    for i in 1..needle.len() {
        while k > 0 && needle[k] != needle[i] {
            k = border[k - 1];
        }
        if needle[k] == needle[i] {
            k += 1;
        }
        border[i] = k;
    }
    let mut matched = 0;
    for (i, c) in hay.iter().enumerate() {
        while matched > 0 && needle[matched] != *c {
            matched = border[matched - 1];
        }
        if needle[matched] == *c {
            matched += 1;
        }
        if matched == needle.len() {
            return Some(i + 1 - matched);
        }
    }
    None
}
