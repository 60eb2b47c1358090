//! Speed and memory of the front end, next to a bare tokenizer in the same run.
//!
//! `cargo bench -p smelt-smtlib` with `SMELT_CORPUS=DIR` for a larger corpus than the embedded seeds.
#![allow(clippy::print_stdout, unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use smelt_smtlib::lexer::{Lexer, Tok};
use smelt_smtlib::occurrence::Occurrences;
use smelt_smtlib::{Arena, Op, Sort, parse, print};

struct Counting;
/// Counting costs time: it is on only while memory is measured.
static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: passes everything on to the system allocator and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, l: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            let live = LIVE.fetch_add(l.size(), Relaxed) + l.size();
            PEAK.fetch_max(live, Relaxed);
        }
        // SAFETY: as the caller promised.
        unsafe { System.alloc(l) }
    }
    unsafe fn dealloc(&self, p: *mut u8, l: Layout) {
        if ON.load(Relaxed) {
            LIVE.fetch_sub(l.size(), Relaxed);
        }
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(p, l) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Seconds of CPU for one round: the best of several, which is the one least disturbed.
fn best(rounds: usize, mut f: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = cpu();
            f();
            cpu() - start
        })
        .fold(f64::MAX, f64::min)
}

fn scripts(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(d) = dirs.pop() {
        for e in std::fs::read_dir(&d).into_iter().flatten().flatten() {
            let p = e.path();
            if p.is_dir() {
                dirs.push(p);
            } else if p.extension().is_some_and(|e| e == "smt2") {
                out.push(p);
            }
        }
    }
    out.sort();
    out
}

fn tokenize(src: &[u8]) -> usize {
    let mut lexer = Lexer::new(src);
    let mut n = 0;
    while let Ok(t) = lexer.next_token() {
        if t.kind == Tok::End {
            break;
        }
        n += 1;
    }
    n
}

fn corpus(name: &str, dir: &Path) {
    let all: Vec<Vec<u8>> = scripts(dir).iter().filter_map(|p| std::fs::read(p).ok()).collect();
    let texts: Vec<&Vec<u8>> = all.iter().filter(|t| parse(t).is_ok()).collect();
    let bytes: usize = texts.iter().map(|t| t.len()).sum();
    if bytes == 0 {
        return;
    }
    let mb = bytes as f64 / 1e6;
    let rounds = (40.0 / mb).ceil().clamp(3.0, 50.0) as usize;
    let lex = best(rounds, || {
        for t in &texts {
            black_box(tokenize(t));
        }
    });
    let read = best(rounds, || {
        for t in &texts {
            black_box(parse(t).is_ok());
        }
    });
    let parsed: Vec<_> = texts.iter().filter_map(|t| parse(t).ok()).collect();
    let mut printed = 0;
    let write = best(rounds, || {
        printed = parsed.iter().map(|s| black_box(print(s, &Default::default())).len()).sum();
    });
    let (mut kept, mut peak) = (0, 0);
    ON.store(true, Relaxed);
    for t in &texts {
        let before = LIVE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let script = parse(t);
        kept += LIVE.load(Relaxed) - before;
        peak += PEAK.load(Relaxed) - before;
        drop(script);
    }
    ON.store(false, Relaxed);
    println!(
        "{name:<10} {:>5} files {mb:>6.2} MB | tokenize {:>5.0} MB/s | parse + sort-check {:>5.0} MB/s = tokenize / {:.2} | print {:>5.0} MB/s | memory {:.1} B/B kept, {:.1} peak",
        texts.len(),
        mb / lex,
        mb / read,
        read / lex,
        printed as f64 / 1e6 / write,
        kept as f64 / bytes as f64,
        peak as f64 / bytes as f64,
    );
}

/// Replaces one random occurrence, prints, rolls back: the least that a mutator does.
fn mutation(nodes: u32) {
    let mut text = String::from("(declare-const x Int)(declare-const y Int)(assert (and");
    for i in 0..nodes / 7 {
        text += &format!(" (> (+ x {i}) (* 2 y))");
    }
    text.push_str("))(check-sat)");
    let Ok(mut script) = parse(text.as_bytes()) else { return };
    let root = script.queries()[0].assertions[0];
    let size = script.arena.tree_size(root);
    let base = std::mem::take(&mut script.arena).freeze();
    let mut top = Arena::overlay(&base);
    let ints = Occurrences::new(&top, &[root], |a, t| a.sort(t) == Sort::INT);
    let count = ints.count(root);
    let n = 20_000u64;
    let mut state = 1u64;
    let seconds = best(5, || {
        for _ in 0..n {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mark = top.mark();
            if let Some((path, t)) = ints.nth(&top, root, (state >> 33) % count)
                && let Ok(new) = top.app(Op::Neg, &[], &[t])
                && let Some(new) = top.replace_at(root, &path, new)
            {
                black_box(smelt_smtlib::print_term(&top, new).len());
            }
            top.rollback(mark);
        }
    });
    println!("mutate + print, {size:>4} nodes: {:.3} M per CPU-second", n as f64 / seconds / 1e6);
}

fn main() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    corpus("embedded", &workspace.join("corpus"));
    let external =
        std::env::var_os("SMELT_CORPUS").map_or(workspace.join("../shared/corpus"), PathBuf::from);
    corpus("seeds", &external.join("seeds"));
    corpus("regress", &external.join("regress-sample"));
    for nodes in [15, 57, 155, 345] {
        mutation(nodes);
    }
}
