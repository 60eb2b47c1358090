//! Hash indices of append-only tables: from a hash to the ids of the items that have it.
//!
//! Open addressing with linear probing. A slot has the id and 32 bits of the hash, so a look-up touches one cache line
//! before it is almost certain, growing needs no items, and taking out shifts what follows back.

use std::sync::Arc;

/// One place: the upper 32 bits are those of the hash, the lower are the id plus one; zero is an empty place.
type Slot = u64;

const SMALLEST: usize = 16;

/// One table of slots; their number is a power of two, or zero.
#[derive(Clone, Default)]
struct Table {
    slots: Vec<Slot>,
    used: usize,
}

#[inline]
fn slot(hash: u64, id: u32) -> Slot {
    hash & 0xffff_ffff_0000_0000 | (u64::from(id) + 1)
}

#[inline]
fn id(s: Slot) -> u32 {
    (s as u32).wrapping_sub(1)
}

impl Table {
    /// The place where the search for a hash starts.
    #[inline]
    fn home(&self, s: u64) -> usize {
        (s >> 32) as usize & self.slots.len().wrapping_sub(1)
    }

    /// The id that is found, or the empty place where it would be. The table must have an empty place.
    #[inline]
    fn find(&self, hash: u64, mut eq: impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let slots = &*self.slots;
        let mut at = self.home(hash);
        while let Some(&s) = slots.get(at) {
            if s == 0 {
                break;
            }
            if (s ^ hash) >> 32 == 0 && eq(id(s)) {
                return Ok(id(s));
            }
            at = (at + 1) & (slots.len() - 1);
        }
        Err(at)
    }

    #[inline]
    fn full(&self) -> bool {
        self.used >= self.slots.len() / 4 * 3
    }

    /// Makes room for `n` more.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, n: usize) {
        let needed = (self.used + n) / 3 * 4 + 4;
        let size = needed.next_power_of_two().max(SMALLEST);
        if size <= self.slots.len() {
            return;
        }
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for s in old.into_iter().filter(|&s| s != 0) {
            self.put(s);
        }
    }

    /// Puts a slot that is not there yet; there must be room.
    fn put(&mut self, s: Slot) {
        let mut at = self.home(s);
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = s;
    }

    #[cold]
    fn insert(&mut self, s: Slot) {
        if self.full() {
            self.grow(1);
        }
        self.put(s);
        self.used += 1;
    }

    fn remove(&mut self, hash: u64, id: u32) {
        if self.slots.is_empty() {
            return;
        }
        let mask = self.slots.len() - 1;
        let wanted = slot(hash, id);
        let mut hole = self.home(wanted);
        while self.slots[hole] != wanted {
            if self.slots[hole] == 0 {
                return;
            }
            hole = (hole + 1) & mask;
        }
        self.used -= 1;
        // What follows moves back into the hole, unless its search starts behind the hole.
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let s = self.slots[at];
            if s == 0 {
                break;
            }
            if at.wrapping_sub(self.home(s)) & mask >= at.wrapping_sub(hole) & mask {
                self.slots[hole] = s;
                hole = at;
            }
        }
        self.slots[hole] = 0;
    }
}

/// The index of a layered table: a shared lower part and an own upper part.
///
/// What is hashed and compared is the caller's business; the hash must be good in its upper half.
#[derive(Clone, Default)]
pub(crate) struct Index {
    base: Option<Arc<Table>>,
    own: Table,
}

impl Index {
    #[inline]
    pub fn find(&self, hash: u64, mut eq: impl FnMut(u32) -> bool) -> Option<u32> {
        if let Ok(i) = self.own.find(hash, &mut eq) {
            return Some(i);
        }
        self.base.as_ref()?.find(hash, eq).ok()
    }

    /// The id of an equal item; or none, and then the new id is noted. There is one comparison for each layer.
    #[inline]
    pub fn find_or_insert(
        &mut self,
        hash: u64,
        new: u32,
        own: impl FnMut(u32) -> bool,
        below: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        self.find_or_insert_in(hash, new, own, Some(below))
    }

    /// What [`Index::find_or_insert`] does, without a look at the lower part if `below` is none: then no equal item is there.
    #[inline]
    pub fn find_or_insert_in(
        &mut self,
        hash: u64,
        new: u32,
        own: impl FnMut(u32) -> bool,
        below: Option<impl FnMut(u32) -> bool>,
    ) -> Option<u32> {
        let at = match self.own.find(hash, own) {
            Ok(i) => return Some(i),
            Err(at) => at,
        };
        if let (Some(base), Some(below)) = (&self.base, below)
            && let Ok(i) = base.find(hash, below)
        {
            return Some(i);
        }
        if self.own.full() {
            self.own.insert(slot(hash, new));
        } else {
            self.own.slots[at] = slot(hash, new);
            self.own.used += 1;
        }
        None
    }

    pub fn reserve(&mut self, n: usize) {
        self.own.grow(n);
    }

    pub fn remove(&mut self, hash: u64, id: u32) {
        self.own.remove(hash, id);
    }

    pub fn freeze(&mut self) {
        let own = std::mem::take(&mut self.own);
        if own.used == 0 {
            return;
        }
        let all = match &self.base {
            None => own,
            Some(base) => {
                let mut all = (**base).clone();
                all.grow(own.used);
                for s in own.slots.into_iter().filter(|&s| s != 0) {
                    all.insert(s);
                }
                all
            }
        };
        self.base = Some(Arc::new(all));
    }

    pub fn overlay(&self) -> Self {
        Self { base: self.base.clone(), own: Table::default() }
    }

    pub fn bytes(&self) -> usize {
        self.own.slots.capacity() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few hashes, so that every kind of collision occurs: against a plain list of what should be there.
    #[test]
    fn agrees_with_a_list() {
        for spread in [1u64, 3, 7, 64] {
            let hash = |v: u64| (v % spread).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut index = Index::default();
            let mut items: Vec<u64> = Vec::new();
            let mut state = 1u64;
            for step in 0..2000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                if step % 37 == 36 {
                    let keep = items.len() - items.len() / 3;
                    for (i, &v) in items.iter().enumerate().skip(keep).rev() {
                        index.remove(hash(v), i as u32);
                    }
                    items.truncate(keep);
                }
                let v = (state >> 40) % 300;
                let at = items.iter().position(|&w| w == v).map(|i| i as u32);
                assert_eq!(index.find(hash(v), |i| items[i as usize] == v), at);
                let new = items.len() as u32;
                let eq = |i| items[i as usize] == v;
                assert_eq!(index.find_or_insert(hash(v), new, eq, eq), at);
                if at.is_none() {
                    items.push(v);
                }
            }
            assert_eq!(index.own.used, items.len());
        }
    }

    #[test]
    fn layers() {
        let hash = |v: u32| u64::from(v).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut below = Index::default();
        for i in 0..100 {
            assert_eq!(below.find_or_insert(hash(i), i, |j| i == j, |_| false), None);
        }
        below.freeze();
        let mut top = below.overlay();
        for i in 0..200 {
            let found = top.find_or_insert(hash(i), i, |j| i == j, |j| i == j);
            assert_eq!(found, (i < 100).then_some(i));
        }
        top.remove(hash(150), 150);
        top.remove(hash(50), 50);
        top.freeze();
        let top = top.overlay();
        for i in 0..300 {
            let there = i < 200 && i != 150;
            assert_eq!(top.find(hash(i), |j| i == j), there.then_some(i));
            assert_eq!(below.find(hash(i), |j| i == j), (i < 100).then_some(i));
        }
    }
}
