//! Evaluations per second: `cargo bench -p smelt-eval`.
//!
//! 1. Single-path re-evaluation: a leaf of an assertion is replaced, the path to the root rebuilt, the new assertion
//!    evaluated, the arena rolled back. Allocations on the way are counted.
//! 2. The same questions asked to z3 (if it is on the PATH) in a warm session: as smelt keeps sessions, each question a
//!    script after `(reset)`; and as z3 likes it best, by `push` and `pop` over symbols defined once by the model.
//!
//! Rates are per second of processor time where the kernel tells it (Linux), so that a busy machine does not matter; z3's
//! is that of its own process.
#![allow(clippy::print_stdout, unsafe_code)]

use smelt_eval::incremental::Incremental;
use smelt_eval::{ModelOptions, parse_model};
use smelt_smtlib::occurrence::{Occurrences, Path};
use smelt_smtlib::{Arena, Script, Term, parse, print_term};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(p, layout) }
    }
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(p, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SCRIPTS: [(&str, &str, &str); 3] = [
    (
        "integers",
        "(declare-const x Int)(declare-const y Int)(declare-const z Int)
         (assert (and (> (+ x (* 3 y)) (- z 7)) (or (< (div x 2) y) (= (mod z 5) 3)) (=> (>= x y) (<= (- z) (* x y)))))
         (check-sat)",
        "((define-fun x () Int 17)(define-fun y () Int 4)(define-fun z () Int 8))",
    ),
    (
        "bit-vectors",
        "(declare-const a (_ BitVec 32))(declare-const b (_ BitVec 32))(declare-const p Bool)
         (assert (or (bvult (bvadd a (bvmul b #x00000003)) (bvxor a b)) (and p (= ((_ extract 7 0) (bvlshr a #x00000004)) #x12))
           (ite (bvsle a b) (= (bvudiv a b) #x00000000) (distinct (bvor a b) a))))
         (check-sat)",
        "((define-fun a () (_ BitVec 32) #xdeadbeef)(define-fun b () (_ BitVec 32) #x00c0ffee)(define-fun p () Bool true))",
    ),
    (
        "floats",
        "(declare-const f Float32)(declare-const g Float32)(declare-const r RoundingMode)
         (assert (and (fp.lt (fp.add r f g) (fp.mul r f g)) (not (fp.isNaN (fp.div r f g))) (fp.leq (fp.abs f) (fp.neg (fp.neg g)))))
         (check-sat)",
        "((define-fun f () Float32 (fp #b0 #x82 #b01000000000000000000000))(define-fun g () Float32 (fp #b0 #x83 #b11000000000000000000000))
          (define-fun r () RoundingMode RNE))",
    ),
];

/// A place in an assertion and another leaf of the same sort to put there.
type Change = (Path, Term);

fn changes(a: &Arena, root: Term) -> Vec<Change> {
    let leaves = Occurrences::new(a, &[root], |a, t| a.args(t).is_empty());
    let all: Vec<(Path, Term)> =
        (0..leaves.count(root)).filter_map(|n| leaves.nth(a, root, n)).collect();
    let mut out = Vec::new();
    for (path, t) in &all {
        for (_, other) in &all {
            if other != t && a.sort(*other) == a.sort(*t) {
                out.push((path.clone(), *other));
            }
        }
    }
    out
}

fn main() {
    for (name, text, model_text) in SCRIPTS {
        let mut script = parse(text.as_bytes()).expect("a script");
        let model = parse_model(&mut script, model_text.as_bytes(), &ModelOptions::default());
        let model = model.expect("a model");
        let root = script.queries()[0].assertions[0];
        let list = changes(&script.arena, root);
        let depth: usize = list.iter().map(|(p, _)| p.len()).sum::<usize>() / list.len();
        let mut values = Incremental::new(model);
        values.eval(&script.arena, root).expect("a value");
        // Caches and tables reach their size.
        once(&mut script, &mut values, root, &list);
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let verdicts = once(&mut script, &mut values, root, &list);
        let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
        let (mut n, start, spent) = (0u64, Instant::now(), processor_time("thread-self"));
        while start.elapsed() < Duration::from_secs(1) {
            once(&mut script, &mut values, root, &list);
            n += list.len() as u64;
        }
        let rate = n as f64 / seconds("thread-self", spent, start);
        println!(
            "{name:<12} {rate:>12.0} single-path re-evaluations/s (paths of {depth}, {} changes, {:.2} allocations each)",
            list.len(),
            allocations as f64 / list.len() as f64
        );
        let questions = questions(&mut script, root, &list);
        // The model without the parentheses around it: definitions instead of the declarations.
        let definitions = model_text.trim();
        let definitions = &definitions[1..definitions.len() - 1];
        let reset: Vec<String> = questions
            .iter()
            .map(|q| format!("(reset){definitions}(assert {q})(check-sat)\n"))
            .collect();
        let push: Vec<String> =
            questions.iter().map(|q| format!("(push)(assert {q})(check-sat)(pop)\n")).collect();
        for (how, before, questions) in
            [("(reset) and script", "", reset), ("push and pop", definitions, push)]
        {
            match ask_z3(before, &questions) {
                Some((asked, agreed)) => {
                    assert_eq!(agreed, verdicts, "z3 says otherwise");
                    let times = rate / asked;
                    println!(
                        "{:<12} {asked:>12.0} questions/s to z3, {how}: {times:.0} times slower",
                        ""
                    );
                }
                None => println!("{:<12} z3 is not on the PATH: not compared", ""),
            }
        }
    }
}

/// Every change once; how many make the assertion true.
fn once(script: &mut Script, values: &mut Incremental, root: Term, list: &[Change]) -> u64 {
    let arena = &mut script.arena;
    let mut yes = 0;
    for (path, leaf) in list {
        let mark = arena.mark();
        if let Some(new) = arena.replace_at(root, path, *leaf) {
            yes += u64::from(values.holds(arena, new) == Some(true));
        }
        values.rollback(arena, mark);
    }
    yes
}

/// The changed assertions as text.
fn questions(script: &mut Script, root: Term, list: &[Change]) -> Vec<String> {
    let arena = &mut script.arena;
    list.iter()
        .map(|(path, leaf)| {
            let mark = arena.mark();
            let new = arena.replace_at(root, path, *leaf);
            let text = new.map(|t| print_term(arena, t)).unwrap_or_default();
            arena.rollback(mark);
            text
        })
        .collect()
}

/// The rate of questions to z3, and how many of them it finds satisfiable.
fn ask_z3(before: &str, questions: &[String]) -> Option<(f64, u64)> {
    let mut child = Command::new("z3")
        .args(["-smt2", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut to = child.stdin.take()?;
    let mut from = BufReader::new(child.stdout.take()?);
    writeln!(to, "{before}").ok()?;
    let mut ask = || -> Option<u64> {
        let mut yes = 0;
        for q in questions {
            to.write_all(q.as_bytes()).ok()?;
            to.flush().ok()?;
            let mut line = String::new();
            from.read_line(&mut line).ok()?;
            yes += u64::from(line.trim() == "sat");
        }
        Some(yes)
    };
    let yes = ask()?;
    let process = child.id().to_string();
    let (mut n, start, spent) = (0u64, Instant::now(), processor_time(&process));
    while start.elapsed() < Duration::from_secs(2) {
        ask()?;
        n += questions.len() as u64;
    }
    let rate = n as f64 / seconds(&process, spent, start);
    drop(to);
    // It ends when its input does.
    let _ = child.wait();
    Some((rate, yes))
}

/// Nanoseconds of processor time of a process's main thread, if the kernel tells.
fn processor_time(process: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Seconds of processor time since then; of the clock, if the kernel does not tell.
fn seconds(process: &str, since: Option<u64>, start: Instant) -> f64 {
    match (since, processor_time(process)) {
        (Some(from), Some(to)) if to > from => (to - from) as f64 / 1e9,
        _ => start.elapsed().as_secs_f64(),
    }
}
