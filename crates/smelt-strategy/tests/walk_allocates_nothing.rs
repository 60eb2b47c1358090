//! Walking over the words of a grammar, with their texts, allocates nothing once its vectors have their size.

#![allow(unsafe_code, reason = "an allocator that counts is one by contract")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use dashu_int::UBig;
use smelt_strategy::grammar::{Cost, Enumerator, Grammar, shipped};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with a count per thread.
struct Counting;

fn count() {
    ALLOCATIONS.with(|n| n.set(n.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator unchanged; the count is a plain thread-local number that itself does not
// allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

#[test]
fn no_allocation_per_word() {
    const BEFORE: u32 = 20_000;
    const WORDS: u32 = 100_000;
    for name in ["core", "ints", "strings", "incremental"] {
        let grammar = Grammar::read(shipped::text(name).unwrap()).unwrap();
        let mut words = Enumerator::new(&grammar, Cost::Thesis).unwrap();
        words.reach(&UBig::from(BEFORE + WORDS));
        let mut walk = words.words_from(&UBig::ZERO);
        for _ in 0..BEFORE {
            black_box(walk.next().unwrap().text());
        }
        let before = ALLOCATIONS.with(Cell::get);
        let mut bytes = 0;
        for _ in 0..WORDS {
            bytes += black_box(walk.next().unwrap().text()).len();
        }
        // The larger sizes begin on the way: vectors grow for them, a few times in all.
        let made = ALLOCATIONS.with(Cell::get) - before;
        assert!(bytes > 0 && made <= 16, "{name}: {made} allocations in {WORDS} words");
    }
}
