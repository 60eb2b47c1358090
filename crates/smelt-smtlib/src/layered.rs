//! Append-only tables in two layers: a frozen, shared lower part and an own upper part that can be rolled back.
//!
//! Ids count through both layers, so an id of the lower part means the same in every overlay of it.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A vector whose first part is shared.
#[derive(Clone)]
pub(crate) struct Layered<T> {
    base: Arc<Vec<T>>,
    base_len: usize,
    own: Vec<T>,
}

impl<T> Default for Layered<T> {
    fn default() -> Self {
        Self { base: Arc::default(), base_len: 0, own: Vec::new() }
    }
}

impl<T: Clone> Layered<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.base_len + self.own.len()
    }

    #[inline]
    pub fn get(&self, i: usize) -> &T {
        if i < self.base_len { &self.base[i] } else { &self.own[i - self.base_len] }
    }

    /// A run of items that were pushed together.
    #[inline]
    pub fn slice(&self, start: usize, len: usize) -> &[T] {
        if start < self.base_len {
            &self.base[start..start + len]
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
            self.own = self.base[..self.base_len].iter().cloned().chain(own).collect();
            self.base = Arc::default();
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
        let all = if self.base_len == 0 {
            own
        } else {
            let mut all = Vec::with_capacity(self.base_len + own.len());
            all.extend_from_slice(&self.base);
            all.extend(own);
            all
        };
        self.base_len = all.len();
        self.base = Arc::new(all);
    }

    /// A new table on top of a frozen one.
    pub fn overlay(&self) -> Self {
        debug_assert!(self.own.is_empty(), "only a frozen table is overlaid");
        Self { base: self.base.clone(), base_len: self.base_len, own: Vec::new() }
    }

    #[cfg(debug_assertions)]
    pub fn base_len(&self) -> usize {
        self.base_len
    }

    pub fn bytes(&self) -> usize {
        self.own.capacity() * size_of::<T>()
    }
}

pub(crate) fn hash_of<Q: Hash + ?Sized>(q: &Q) -> u64 {
    FxBuildHasher.hash_one(q)
}

/// The hash index of a [`Layered`] table; what is hashed and compared is the caller's business.
#[derive(Clone, Default)]
pub(crate) struct Index {
    base: Arc<HashTable<u32>>,
    own: HashTable<u32>,
}

impl Index {
    #[inline]
    pub fn find(&self, hash: u64, mut eq: impl FnMut(u32) -> bool) -> Option<u32> {
        if let Some(&i) = self.own.find(hash, |&i| eq(i)) {
            return Some(i);
        }
        if self.base.is_empty() {
            return None;
        }
        self.base.find(hash, |&i| eq(i)).copied()
    }

    #[inline]
    pub fn insert(&mut self, hash: u64, id: u32, rehash: impl Fn(u32) -> u64) {
        self.own.insert_unique(hash, id, |&i| rehash(i));
    }

    pub fn reserve(&mut self, n: usize, rehash: impl Fn(u32) -> u64) {
        self.own.reserve(n, |&i| rehash(i));
    }

    pub fn remove(&mut self, hash: u64, id: u32) {
        if let Ok(e) = self.own.find_entry(hash, |&i| i == id) {
            e.remove();
        }
    }

    pub fn freeze(&mut self, rehash: impl Fn(u32) -> u64) {
        let own = std::mem::take(&mut self.own);
        if self.base.is_empty() {
            self.base = Arc::new(own);
        } else if !own.is_empty() {
            let mut all = (*self.base).clone();
            for &i in &own {
                all.insert_unique(rehash(i), i, |&i| rehash(i));
            }
            self.base = Arc::new(all);
        }
    }

    pub fn overlay(&self) -> Self {
        Self { base: self.base.clone(), own: HashTable::new() }
    }

    pub fn bytes(&self) -> usize {
        self.own.capacity() * (size_of::<u32>() + 1)
    }
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

    pub fn find<Q: Hash + PartialEq + ?Sized>(&self, key: &Q) -> Option<u32>
    where
        T: std::borrow::Borrow<Q>,
    {
        self.index.find(hash_of(key), |i| self.items.get(i as usize).borrow() == key)
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
        let hash = hash_of(key);
        let items = &self.items;
        if let Some(i) = self.index.find(hash, |i| items.get(i as usize).borrow() == key) {
            return i;
        }
        let id = self.items.push(make()) as u32;
        let items = &self.items;
        self.index.insert(hash, id, |i| hash_of(items.get(i as usize)));
        id
    }

    pub fn intern(&mut self, item: T) -> u32 {
        let hash = hash_of(&item);
        let items = &self.items;
        if let Some(i) = self.index.find(hash, |i| *items.get(i as usize) == item) {
            return i;
        }
        let id = self.items.push(item) as u32;
        let items = &self.items;
        self.index.insert(hash, id, |i| hash_of(items.get(i as usize)));
        id
    }

    pub fn truncate(&mut self, len: usize) {
        for i in len..self.items.len() {
            self.index.remove(hash_of(self.items.get(i)), i as u32);
        }
        self.items.truncate(len);
    }

    pub fn freeze(&mut self) {
        self.items.freeze();
        let items = &self.items;
        self.index.freeze(|i| hash_of(items.get(i as usize)));
    }

    pub fn overlay(&self) -> Self {
        Self { items: self.items.overlay(), index: self.index.overlay() }
    }

    pub fn bytes(&self) -> usize {
        self.items.bytes() + self.index.bytes()
    }
}
