//! Names, interned: their text is in one buffer, and each knows the operators that it can mean.

use crate::layered::{Index, Layered};
use crate::op::Op;

const NO_OP: u16 = u16::MAX;

/// A name: where its text is, and its code in the operator table (if the table knows it).
#[derive(Clone, Copy)]
pub(crate) struct Name {
    start: u32,
    len: u32,
    op: u16,
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

    /// The built-in operators of that name.
    #[inline]
    pub fn ops(&self, i: u32) -> &'static [Op] {
        match self.names.get(i as usize).op {
            NO_OP => &[],
            code => Op::candidates(code),
        }
    }

    /// Bytes held by this layer.
    pub fn held(&self) -> usize {
        self.text.bytes() + self.names.bytes() + self.index.bytes()
    }

    #[inline]
    pub fn bytes(&self, i: u32) -> &[u8] {
        let n = self.names.get(i as usize);
        self.text.slice(n.start as usize, n.len as usize)
    }

    #[inline]
    pub fn find(&self, hash: u64, text: &[u8]) -> Option<u32> {
        self.index.find(hash, |i| self.bytes(i) == text)
    }

    #[inline]
    pub fn intern(&mut self, text: &[u8]) -> u32 {
        let hash = hash_bytes(text);
        if let Some(i) = self.find(hash, text) {
            return i;
        }
        let op = std::str::from_utf8(text).ok().and_then(Op::name_code).unwrap_or(NO_OP);
        let start = self.text.extend(text) as u32;
        let id = self.names.push(Name { start, len: text.len() as u32, op }) as u32;
        let (names, bytes) = (&self.names, &self.text);
        self.index.insert(hash, id, |i| {
            let n = names.get(i as usize);
            hash_bytes(bytes.slice(n.start as usize, n.len as usize))
        });
        id
    }

    pub fn reserve(&mut self, n: usize, bytes: usize) {
        self.text.reserve(bytes);
        self.names.reserve(n);
        let (names, bytes) = (&self.names, &self.text);
        self.index.reserve(n, |i| {
            let n = names.get(i as usize);
            hash_bytes(bytes.slice(n.start as usize, n.len as usize))
        });
    }

    pub fn truncate(&mut self, len: usize) {
        for i in len..self.names.len() {
            self.index.remove(hash_bytes(self.bytes(i as u32)), i as u32);
        }
        if len < self.names.len() {
            self.text.truncate(self.names.get(len).start as usize);
        }
        self.names.truncate(len);
    }

    pub fn freeze(&mut self) {
        self.text.freeze();
        self.names.freeze();
        let (names, bytes) = (&self.names, &self.text);
        self.index.freeze(|i| {
            let n = names.get(i as usize);
            hash_bytes(bytes.slice(n.start as usize, n.len as usize))
        });
    }

    pub fn overlay(&self) -> Self {
        Self { text: self.text.overlay(), names: self.names.overlay(), index: self.index.overlay() }
    }
}

pub(crate) fn hash_bytes(b: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut h = rustc_hash::FxHasher::default();
    h.write(b);
    h.finish()
}
