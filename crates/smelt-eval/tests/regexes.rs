//! Regular expressions against their plain meaning: sets of strings, cut at length 5, over an alphabet of two letters.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::int::Int;
use smelt_eval::limit::{Budget, Limit};
use smelt_eval::regex::{Re, RegexStore};
use smelt_eval::string::Str;
use std::collections::BTreeSet;

const LONGEST: usize = 5;

type Language = BTreeSet<String>;

fn universe() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..LONGEST {
        last = last.iter().flat_map(|w| [format!("{w}a"), format!("{w}b")]).collect();
        all.extend(last.clone());
    }
    all
}

fn concat(x: &Language, y: &Language) -> Language {
    let pairs = x.iter().flat_map(|u| y.iter().map(move |v| format!("{u}{v}")));
    pairs.filter(|w| w.len() <= LONGEST).collect()
}

fn power(x: &Language, n: u32) -> Language {
    (0..n).fold(Language::from([String::new()]), |p, _| concat(&p, x))
}

/// Any more repetitions than this add no string of the universe.
fn star(x: &Language) -> Language {
    (0..=LONGEST as u32).flat_map(|n| power(x, n)).collect()
}

/// A random expression, built in the store and as a set.
fn random(rng: &mut ChaCha8Rng, store: &mut RegexStore, depth: u32) -> (Re, Language) {
    let words = |list: &[&str]| list.iter().map(|w| w.to_string()).collect::<Language>();
    if depth == 0 || rng.random_range(0..6) == 0 {
        return match rng.random_range(0..9) {
            0 => (store.none(), words(&[])),
            1 => (store.all(), universe().into_iter().collect()),
            2 => (store.allchar(), words(&["a", "b"])),
            3 => (store.range(&Str::from("a"), &Str::from("z")), words(&["a", "b"])),
            4 => (store.range(&Str::from("b"), &Str::from("a")), words(&[])),
            5 => (store.range(&Str::from("ab"), &Str::from("b")), words(&[])),
            6 => (store.range(&Str::from("0"), &Str::from("a")), words(&["a"])),
            _ => {
                let word: String = (0..rng.random_range(0..4))
                    .map(|_| if rng.random() { 'a' } else { 'b' })
                    .collect();
                (store.literal(&Str::from(word.as_str())), Language::from([word]))
            }
        };
    }
    let (r, x) = random(rng, store, depth - 1);
    let kind = rng.random_range(0..13);
    if kind < 6 {
        let complement = |x: &Language| universe().into_iter().filter(|w| !x.contains(w)).collect();
        let (low, high) = (rng.random_range(0..4), rng.random_range(0..4));
        return match kind {
            0 => (store.star(r), star(&x)),
            1 => (store.plus(r), concat(&x, &star(&x))),
            2 => (store.opt(r), x.union(&words(&[""])).cloned().collect()),
            3 => (store.complement(r), complement(&x)),
            4 => (store.repeat(r, low, high), (low..=high).flat_map(|n| power(&x, n)).collect()),
            _ if low < 2 => (store.power(r, high), power(&x, high)),
            _ => (store.repeat_from(r, low), concat(&power(&x, low), &star(&x))),
        };
    }
    let (s, y) = random(rng, store, depth - 1);
    match kind {
        6..=8 => (store.concat(r, s), concat(&x, &y)),
        9 | 10 => (store.union(&[r, s]), x.union(&y).cloned().collect()),
        11 => (store.inter(&[r, s]), x.intersection(&y).cloned().collect()),
        _ => (store.diff(r, s), x.difference(&y).cloned().collect()),
    }
}

/// The matches of a language in a word, the leftmost first and of these the shortest first.
fn leftmost(x: &Language, w: &str, from: usize, least: usize) -> Option<(usize, usize)> {
    (from..=w.len())
        .flat_map(|i| (i + least..=w.len()).map(move |j| (i, j)))
        .find(|&(i, j)| x.contains(&w[i..j]))
}

fn replace_all(x: &Language, w: &str, by: &str) -> String {
    match leftmost(x, w, 0, 1) {
        None => w.to_string(),
        Some((i, j)) => format!("{}{by}{}", &w[..i], replace_all(x, &w[j..], by)),
    }
}

#[test]
fn random_expressions_mean_what_their_sets_mean() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let rounds = if std::env::var_os("SMELT_HEAVY").is_some() { 100_000 } else { 3_000 };
    let all = universe();
    let (mut store, mut seen_true) = (RegexStore::new(), 0u64);
    for round in 0..rounds {
        if store.size() > 100_000 {
            store = RegexStore::new();
        }
        let (re, language) = random(&mut rng, &mut store, round % 5);
        let mut budget = Budget::new(1_000_000);
        for w in &all {
            let text = Str::from(w.as_str());
            let member = store.contains(re, &text, &mut budget).unwrap();
            assert_eq!(member, language.contains(w), "{w:?} in {language:?}");
            seen_true += u64::from(member);
        }
        for w in all.iter().filter(|w| w.len() <= 4) {
            let text = Str::from(w.as_str());
            for i in -1..=5i64 {
                let found = store.index_of_re(&text, re, &Int::from(i), &mut budget).unwrap();
                let from = usize::try_from(i).ok().filter(|&i| i <= w.len());
                let expected =
                    from.and_then(|i| leftmost(&language, w, i, 0)).map(|(i, _)| i as i64);
                assert_eq!(found, Int::from(expected.unwrap_or(-1)), "{w:?} {i} in {language:?}");
            }
            let by = "ba";
            let once = store.replace_re(&text, re, &Str::from(by), &mut budget).unwrap();
            let expected = match leftmost(&language, w, 0, 0) {
                None => w.clone(),
                Some((i, j)) => format!("{}{by}{}", &w[..i], &w[j..]),
            };
            assert_eq!(once, Str::from(expected.as_str()), "{w:?} in {language:?}");
            let every = store.replace_re_all(&text, re, &Str::from(by), &mut budget).unwrap();
            let expected = replace_all(&language, w, by);
            assert_eq!(every, Str::from(expected.as_str()), "{w:?} in {language:?}");
        }
    }
    // The expressions are not all trivial.
    assert!(seen_true > rounds as u64 * 5, "{seen_true}");
}

#[test]
fn laws_hold_as_languages() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut store = RegexStore::new();
    for _ in 0..500 {
        let [a, b, c] = [(); 3].map(|()| random(&mut rng, &mut store, 2).0);
        let both = store.union(&[a, b]);
        let (not_a, not_b) = (store.complement(a), store.complement(b));
        let neither = store.inter(&[not_a, not_b]);
        let not_both = store.complement(both);
        let left = store.concat(both, c);
        let (ac, bc) = (store.concat(a, c), store.concat(b, c));
        let right = store.union(&[ac, bc]);
        let star = store.star(a);
        let twice = store.concat(star, star);
        let (three, two) = (store.power(a, 3), store.power(a, 2));
        let product = store.concat(a, two);
        for (x, y) in [(neither, not_both), (left, right), (twice, star), (three, product)] {
            assert_eq!(store.equivalent(x, y, &mut Budget::new(1_000_000)), Ok(true));
        }
        let minus = store.diff(a, b);
        let empty = store.is_empty(minus, &mut Budget::new(1_000_000)).unwrap();
        let included = store.equivalent(both, b, &mut Budget::new(1_000_000)).unwrap();
        assert_eq!(empty, included);
    }
}

fn member(build: impl Fn(&mut RegexStore) -> Re, text: &str) -> Result<bool, Limit> {
    let mut store = RegexStore::new();
    let re = build(&mut store);
    store.contains(re, &Str::from(text), &mut Budget::new(20_000_000))
}

/// Inputs on which backtracking or expansion explodes.
#[test]
fn ordinary_input_does_not_explode() {
    let a = |s: &mut RegexStore| s.literal(&Str::from("a"));
    // (a*)*b, (a|a)*b and nested loops on a long run of a.
    let run = "a".repeat(2_000);
    let stars = |s: &mut RegexStore| {
        let (a, b) = (a(s), s.literal(&Str::from("b")));
        let inner = s.star(a);
        let either = s.union(&[inner, a]);
        let outer = s.star(either);
        s.concat(outer, b)
    };
    assert_eq!(member(stars, &run), Ok(false));
    assert_eq!(member(stars, &format!("{run}b")), Ok(true));
    // (a?){1000}a{1000}
    let optional = |s: &mut RegexStore| {
        let a = a(s);
        let opt = s.opt(a);
        let (some, all) = (s.power(opt, 1000), s.power(a, 1000));
        s.concat(some, all)
    };
    assert_eq!(member(optional, &"a".repeat(999)), Ok(false));
    assert_eq!(member(optional, &"a".repeat(1500)), Ok(true));
    assert_eq!(member(optional, &"a".repeat(2001)), Ok(false));
    // A loop of four thousand million.
    let huge = |s: &mut RegexStore| {
        let a = a(s);
        s.repeat(a, 5, u32::MAX)
    };
    assert_eq!(member(huge, "aaaa"), Ok(false));
    assert_eq!(member(huge, &run), Ok(true));
    // The complement of "contains abb", on a long string.
    let without = |s: &mut RegexStore| {
        let (all, abb) = (s.all(), s.literal(&Str::from("abb")));
        let tail = s.concat(abb, all);
        let contains = s.concat(all, tail);
        s.complement(contains)
    };
    assert_eq!(member(without, &"ab".repeat(5_000)), Ok(true));
    assert_eq!(member(without, &("ab".repeat(5_000) + "b")), Ok(false));
    // Nested 20,000 deep: no recursion.
    let deep = |s: &mut RegexStore| {
        let mut re = a(s);
        for i in 0..20_000 {
            let c = s.literal(&Str::from(if i % 2 == 0 { "b" } else { "c" }));
            let rest = s.complement(re);
            let both = s.inter(&[rest, c]);
            re = s.union(&[both, rest]);
        }
        re
    };
    assert!(member(deep, "a").is_ok());
    // A budget stops what is too much.
    let mut store = RegexStore::new();
    let re = optional(&mut store);
    let stopped = store.contains(re, &Str::from(run.as_str()), &mut Budget::new(1_000));
    assert_eq!(stopped, Err(Limit::Budget));
}
