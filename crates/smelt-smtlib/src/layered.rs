//! Append-only tables in two layers: a frozen, shared lower part and an own upper part that can be rolled back.
//!
//! Ids count through both layers, so an id of the lower part means the same in every overlay of it.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::index::Index;

/// A vector whose first part is shared.
#[derive(Clone)]
pub(crate) struct Layered<T> {
    /// `None` if it is empty: counting owners costs time when small scripts come by the thousand.
    base: Option<Arc<[T]>>,
    base_len: usize,
    own: Vec<T>,
}

impl<T> Default for Layered<T> {
    fn default() -> Self {
        Self { base: None, base_len: 0, own: Vec::new() }
    }
}

impl<T: Clone> Layered<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.base_len + self.own.len()
    }

    #[inline]
    fn base(&self) -> &[T] {
        self.base.as_deref().unwrap_or_default()
    }

    #[inline]
    pub fn get(&self, i: usize) -> &T {
        if i < self.base_len { &self.base()[i] } else { &self.own[i - self.base_len] }
    }

    /// An item that is known to be in the own layer.
    #[inline]
    pub fn own(&self, i: usize) -> &T {
        &self.own[i - self.base_len]
    }

    /// An item that is known to be in the shared layer.
    #[inline]
    pub fn below(&self, i: usize) -> &T {
        &self.base()[i]
    }

    /// A run of items that were pushed together.
    #[inline]
    pub fn slice(&self, start: usize, len: usize) -> &[T] {
        if start < self.base_len {
            &self.base()[start..start + len]
        } else {
            let s = start - self.base_len;
            &self.own[s..s + len]
        }
    }

    /// An item of the own layer, for changing it; `None` for a frozen one.
    pub fn get_mut(&mut self, i: usize) -> Option<&mut T> {
        self.own.get_mut(i.checked_sub(self.base_len)?)
    }

    /// Copies the frozen part into the own layer, so that all items can be changed. Ids stay.
    pub fn detach(&mut self) {
        if self.base_len > 0 {
            let own = std::mem::take(&mut self.own);
            self.own = self.base().iter().cloned().chain(own).collect();
            self.base = None;
            self.base_len = 0;
        }
    }

    #[inline]
    pub fn push(&mut self, item: T) -> usize {
        self.own.push(item);
        self.len() - 1
    }

    #[inline]
    pub fn extend(&mut self, items: &[T]) -> usize {
        let start = self.len();
        self.own.extend_from_slice(items);
        start
    }

    /// Appends items one by one, which is faster than `extend` for few; returns where the first is.
    #[inline]
    pub fn push_few(&mut self, items: &[T]) -> usize {
        let start = self.len();
        for i in items {
            self.own.push(i.clone());
        }
        start
    }

    pub fn reserve(&mut self, n: usize) {
        self.own.reserve(n);
    }

    pub fn truncate(&mut self, len: usize) {
        self.own.truncate(len.saturating_sub(self.base_len));
    }

    pub fn freeze(&mut self) {
        if self.own.is_empty() {
            return;
        }
        let own = std::mem::take(&mut self.own);
        let all: Arc<[T]> = if self.base_len == 0 {
            own.into()
        } else {
            self.base().iter().cloned().chain(own).collect()
        };
        self.base_len = all.len();
        self.base = Some(all);
    }

    /// A new table on top of a frozen one.
    pub fn overlay(&self) -> Self {
        debug_assert!(self.own.is_empty(), "only a frozen table is overlaid");
        Self { base: self.base.clone(), base_len: self.base_len, own: Vec::new() }
    }

    /// How many items are in the shared layer.
    #[inline]
    pub fn base_len(&self) -> usize {
        self.base_len
    }

    pub fn bytes(&self) -> usize {
        self.own.capacity() * size_of::<T>()
    }
}

pub(crate) fn hash_of<Q: Hash + ?Sized>(q: &Q) -> u64 {
    spread(FxBuildHasher.hash_one(q))
}

/// Brings every bit of a hash to bear on its upper half, which an [`Index`] goes by.
#[inline]
pub(crate) fn spread(hash: u64) -> u64 {
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A [`Layered`] table without duplicates.
#[derive(Clone)]
pub(crate) struct Interner<T> {
    items: Layered<T>,
    index: Index,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { items: Layered::default(), index: Index::default() }
    }
}

impl<T: Clone + Hash + Eq> Interner<T> {
    #[inline]
    pub fn get(&self, i: u32) -> &T {
        self.items.get(i as usize)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The id of an equal item, which is made from the key if it is new.
    #[inline]
    pub fn intern_with<Q: Hash + PartialEq + ?Sized>(
        &mut self,
        key: &Q,
        make: impl FnOnce() -> T,
    ) -> u32
    where
        T: std::borrow::Borrow<Q>,
    {
        let items = &self.items;
        let new = items.len() as u32;
        let eq = |i: u32| items.get(i as usize).borrow() == key;
        match self.index.find_or_insert(hash_of(key), new, eq, eq) {
            Some(i) => i,
            None => self.items.push(make()) as u32,
        }
    }

    pub fn intern(&mut self, item: T) -> u32 {
        self.intern_new(item).0
    }

    /// The id of an equal item, and whether the item was new.
    #[inline]
    pub fn intern_new(&mut self, item: T) -> (u32, bool) {
        let items = &self.items;
        let new = items.len() as u32;
        let eq = |i: u32| *items.get(i as usize) == item;
        match self.index.find_or_insert(hash_of(&item), new, eq, eq) {
            Some(i) => (i, false),
            None => (self.items.push(item) as u32, true),
        }
    }

    pub fn truncate(&mut self, len: usize) {
        for i in len..self.items.len() {
            self.index.remove(hash_of(self.items.get(i)), i as u32);
        }
        self.items.truncate(len);
    }

    pub fn freeze(&mut self) {
        self.items.freeze();
        self.index.freeze();
    }

    pub fn overlay(&self) -> Self {
        Self { items: self.items.overlay(), index: self.index.overlay() }
    }

    pub fn bytes(&self) -> usize {
        self.items.bytes() + self.index.bytes()
    }
}
