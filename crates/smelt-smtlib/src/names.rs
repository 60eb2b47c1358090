//! Names, interned: their text is in one buffer, and the first and last bytes of each beside its place, where most
//! look-ups end.

use crate::index::Index;
use crate::layered::Layered;

/// A name: some of its bytes, and where the whole text is.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    key: Key,
    start: u32,
}

/// What tells names apart; a name of up to 16 bytes is known by it alone.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    /// The first 8 bytes, filled with zeros.
    head: u64,
    /// The last 8 bytes; zero if there are no more than 8.
    tail: u64,
    len: u32,
}

/// All names, their text in one buffer.
#[derive(Clone, Default)]
pub(crate) struct Names {
    text: Layered<u8>,
    names: Layered<Name>,
    index: Index,
}

impl Names {
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Bytes held by this layer.
    pub fn held(&self) -> usize {
        self.text.bytes() + self.names.bytes() + self.index.bytes()
    }

    #[inline]
    pub fn bytes(&self, i: u32) -> &[u8] {
        let n = self.names.get(i as usize);
        self.text.slice(n.start as usize, n.key.len as usize)
    }

    /// The name `source[start..end]`, if it is there.
    #[inline]
    pub fn find(&self, source: &[u8], start: usize, end: usize) -> Option<u32> {
        if end - start > 16 {
            return self.find_long(&source[start..end]);
        }
        let key = Key::short(source, start, end);
        let names = &self.names;
        self.index.find(key.hash(), |i| names.get(i as usize).key == key)
    }

    /// Interns the name `source[start..end]`.
    #[inline]
    pub fn intern(&mut self, source: &[u8], start: usize, end: usize) -> u32 {
        if end - start > 16 {
            return self.intern_long(&source[start..end]);
        }
        let key = Key::short(source, start, end);
        let names = &self.names;
        let new = names.len() as u32;
        let found = self.index.find_or_insert(
            key.hash(),
            new,
            |i| names.own(i as usize).key == key,
            |i| names.below(i as usize).key == key,
        );
        match found {
            Some(i) => i,
            None => self.add(key.head, key.tail, &source[start..end]),
        }
    }

    #[inline(never)]
    fn find_long(&self, text: &[u8]) -> Option<u32> {
        let key = Key::long(text);
        let (names, pool) = (&self.names, &self.text);
        self.index.find(key.hash_with(text), |i| names.get(i as usize).is_long(key, pool, text))
    }

    #[inline(never)]
    fn intern_long(&mut self, text: &[u8]) -> u32 {
        let key = Key::long(text);
        let (names, pool) = (&self.names, &self.text);
        let new = names.len() as u32;
        let eq = |i: u32| names.get(i as usize).is_long(key, pool, text);
        let found = self.index.find_or_insert(key.hash_with(text), new, eq, eq);
        match found {
            Some(i) => i,
            None => self.add(key.head, key.tail, text),
        }
    }

    #[inline(never)]
    fn add(&mut self, head: u64, tail: u64, text: &[u8]) -> u32 {
        let key = Key { head, tail, len: text.len() as u32 };
        let start = self.text.extend(text) as u32;
        self.names.push(Name { key, start }) as u32
    }

    pub fn reserve(&mut self, n: usize, bytes: usize) {
        self.text.reserve(bytes);
        self.names.reserve(n);
        self.index.reserve(n);
    }

    pub fn truncate(&mut self, len: usize) {
        for i in len..self.names.len() {
            let key = self.names.get(i).key;
            let hash = if key.len > 16 { key.hash_with(self.bytes(i as u32)) } else { key.hash() };
            self.index.remove(hash, i as u32);
        }
        if len < self.names.len() {
            self.text.truncate(self.names.get(len).start as usize);
        }
        self.names.truncate(len);
    }

    pub fn freeze(&mut self) {
        self.text.freeze();
        self.names.freeze();
        self.index.freeze();
    }

    pub fn overlay(&self) -> Self {
        Self { text: self.text.overlay(), names: self.names.overlay(), index: self.index.overlay() }
    }
}

impl Name {
    #[inline]
    fn is_long(&self, key: Key, pool: &Layered<u8>, text: &[u8]) -> bool {
        self.key == key && pool.slice(self.start as usize, text.len()) == text
    }
}

/// The 8 bytes from a place on.
#[inline]
fn word(source: &[u8], at: usize) -> Option<u64> {
    match source.get(at..at + 8) {
        Some(&[a, b, c, d, e, f, g, h]) => Some(u64::from_le_bytes([a, b, c, d, e, f, g, h])),
        _ => None,
    }
}

/// The bytes of `source[start..end]` as one word, if there are 1 to 8 and the end of the source is not near.
#[inline]
pub(crate) fn few_bytes(source: &[u8], start: usize, end: usize) -> Option<u64> {
    let behind = 8usize.wrapping_sub(end - start);
    let all = word(source, start)?;
    (behind < 8).then(|| all & u64::MAX >> (8 * behind))
}

/// The bytes that are left, fewer than 8, filled with zeros.
#[cold]
#[inline(never)]
fn last_word(source: &[u8], at: usize) -> u64 {
    let rest = source.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))
}

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    wide as u64 ^ (wide >> 64) as u64
}

impl Key {
    /// The key of a name of up to 16 bytes.
    ///
    /// Reads whole words of the source and cuts off what is behind the name: the length of a name is hard to predict
    /// for a processor, so it is hardly branched on.
    #[inline]
    fn short(source: &[u8], start: usize, end: usize) -> Self {
        let len = (end - start) as u32;
        let head = word(source, start).unwrap_or_else(|| last_word(source, start));
        if len > 8 {
            let tail = word(source, end - 8).unwrap_or(0);
            return Self { head, tail, len };
        }
        let kept = u64::MAX.checked_shr(64 - 8 * len).unwrap_or(0);
        Self { head: head & kept, tail: 0, len }
    }

    fn long(text: &[u8]) -> Self {
        let tail = word(text, text.len() - 8).unwrap_or(0);
        Self { head: word(text, 0).unwrap_or(0), tail, len: text.len() as u32 }
    }

    /// The hash of a name that is known by its key.
    #[inline]
    fn hash(self) -> u64 {
        mix(self.head, self.tail.wrapping_add(u64::from(self.len) << 56))
    }

    /// The hash of a longer name.
    fn hash_with(self, text: &[u8]) -> u64 {
        let mut h = self.hash();
        let mut at = 8;
        while at < text.len() - 8 {
            // The last of these words may overlap the tail.
            h = mix(h, word(text, at).unwrap_or(0));
            at += 8;
        }
        h
    }
}
