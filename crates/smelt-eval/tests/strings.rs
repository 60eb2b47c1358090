//! String operators against definitions by decomposition (the standard's own), over all strings up to length 4 of a
//! tiny alphabet.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use smelt_eval::int::Int;
use smelt_eval::string::Str;

type Word = Vec<u32>;

/// All words over the alphabet up to a length.
fn words(alphabet: &[u32], longest: usize) -> Vec<Word> {
    let mut all: Vec<Word> = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..longest {
        last =
            last.iter().flat_map(|w| alphabet.iter().map(|&c| [&w[..], &[c]].concat())).collect();
        all.extend(last.clone());
    }
    all
}

fn ours(w: &[u32]) -> Str {
    Str::from_code_points(w).unwrap()
}

/// All ways to write `w` as `u v x` with the given middle, by the length of `u`.
fn splits(w: &Word, middle: &Word) -> Vec<(Word, Word)> {
    (0..=w.len())
        .filter(|&i| w.len() >= i + middle.len() && w[i..i + middle.len()] == middle[..])
        .map(|i| (w[..i].to_vec(), w[i + middle.len()..].to_vec()))
        .collect()
}

fn replace_all(w: &Word, t: &Word, u: &Word) -> Word {
    match splits(w, t).into_iter().next() {
        Some((before, after)) if !t.is_empty() => {
            [before, u.clone(), replace_all(&after, t, u)].concat()
        }
        _ => w.clone(),
    }
}

fn number(i: i64) -> Int {
    Int::from(i)
}

/// A narrow alphabet and one with a character that does not fit a byte.
const ALPHABETS: [[u32; 2]; 2] = [[0x61, 0x62], [0x61, 0x2FFFF]];

#[test]
fn two_and_three_strings() {
    for alphabet in ALPHABETS {
        let all = words(&alphabet, 4);
        let short = words(&alphabet, 2);
        for w in &all {
            let s = ours(w);
            for v in &all {
                let t = ours(v);
                let found = splits(w, v);
                assert_eq!(s.contains(&t), !found.is_empty());
                assert_eq!(t.prefix_of(&s), found.iter().any(|(u, _)| u.is_empty()));
                assert_eq!(t.suffix_of(&s), found.iter().any(|(_, x)| x.is_empty()));
                for i in -2..7 {
                    let first = found.iter().map(|(u, _)| u.len() as i64).find(|&n| n >= i);
                    let expected = if i < 0 { -1 } else { first.unwrap_or(-1) };
                    assert_eq!(s.index_of(&t, &number(i)), number(expected), "indexof {s} {t} {i}");
                }
                assert_eq!(s.concat(&t).unwrap(), ours(&[&w[..], v].concat()));
                assert_eq!(s == t, w == v);
                // Lexicographic: a proper prefix, or smaller at the first difference.
                let prefix = w.len() < v.len() && v[..w.len()] == w[..];
                let differ = w.iter().zip(v).find(|(a, b)| a != b);
                assert_eq!(s.lt(&t), prefix || differ.is_some_and(|(a, b)| a < b), "{s} < {t}");
                assert_eq!(s.le(&t), s.lt(&t) || w == v);
                for x in &short {
                    let by = ours(x);
                    let expected = match found.first() {
                        Some((before, after)) => [before, x, after].map(|p| p.clone()).concat(),
                        None => w.clone(),
                    };
                    assert_eq!(
                        s.replace(&t, &by).unwrap(),
                        ours(&expected),
                        "replace {s} {t} {by}"
                    );
                    let expected = ours(&replace_all(w, v, x));
                    assert_eq!(
                        s.replace_all(&t, &by).unwrap(),
                        expected,
                        "replace_all {s} {t} {by}"
                    );
                }
                for i in -2..6 {
                    let expected: Word = (0..w.len() as i64)
                        .map(|k| {
                            let inside = i >= 0 && k >= i && k - i < v.len() as i64;
                            if inside { v[(k - i) as usize] } else { w[k as usize] }
                        })
                        .collect();
                    assert_eq!(s.update(&number(i), &t), ours(&expected), "update {s} {i} {t}");
                }
            }
        }
    }
}

#[test]
fn parts_of_one_string() {
    for alphabet in ALPHABETS {
        for w in words(&alphabet, 4) {
            let s = ours(&w);
            assert_eq!(s.len(), w.len());
            assert_eq!(s.rev().to_code_points(), w.iter().rev().copied().collect::<Word>());
            let len = w.len() as i64;
            for i in -2..7 {
                let at = if (0..len).contains(&i) { vec![w[i as usize]] } else { vec![] };
                assert_eq!(s.at(&number(i)), ours(&at));
                for n in -2..7 {
                    let expected: Word = (0..len)
                        .filter(|&k| i >= 0 && i < len && n > 0 && k >= i && k < i + n)
                        .map(|k| w[k as usize])
                        .collect();
                    assert_eq!(s.substr(&number(i), &number(n)), ours(&expected), "{s} {i} {n}");
                }
                let huge = Int::from(i64::MAX).mul(&Int::from(4i64)).unwrap();
                let rest = if (0..len).contains(&i) { w[i as usize..].to_vec() } else { vec![] };
                assert_eq!(s.substr(&number(i), &huge), ours(&rest));
            }
        }
    }
}

#[test]
fn codes_and_numbers() {
    for w in words(&[0x30, 0x37, 0x61], 4) {
        let s = ours(&w);
        let digits = !w.is_empty() && w.iter().all(|c| *c != 0x61);
        let value = w.iter().fold(0i64, |n, c| n * 10 + i64::from(*c) - 0x30);
        assert_eq!(s.to_int().unwrap(), number(if digits { value } else { -1 }), "{s}");
        assert_eq!(s.to_code(), number(if w.len() == 1 { i64::from(w[0]) } else { -1 }));
        assert_eq!(s.is_digit(), w.len() == 1 && digits);
    }
    for c in [-1, 0, 0x41, 0xFF, 0x100, 0xD800, 0x2FFFF, 0x30000] {
        let s = Str::from_code(&number(c));
        let valid = (0..=0x2FFFF).contains(&c);
        assert_eq!(s.to_code_points(), if valid { vec![c as u32] } else { vec![] });
    }
    assert_eq!(Str::from_int(&number(0)).to_smtlib(), "\"0\"");
    assert_eq!(Str::from_int(&number(1070)).to_smtlib(), "\"1070\"");
    assert_eq!(Str::from_int(&number(-5)), Str::EMPTY);
    assert_eq!(Str::from("aZ[é@`{z").to_upper(), Str::from("AZ[é@`{Z"));
    assert_eq!(Str::from("aZ[É@`{z").to_lower(), Str::from("az[É@`{z"));
}

#[test]
fn literals() {
    // Text between the quotes, and the code points it stands for.
    let cases: &[(&str, &[u32])] = &[
        ("", &[]),
        ("a b", &[0x61, 0x20, 0x62]),
        ("\\u0041", &[0x41]),
        ("\\u{41}", &[0x41]),
        ("\\u{00041}", &[0x41]),
        ("\\u{2FFFF}", &[0x2FFFF]),
        ("\\u{2ffff}x", &[0x2FFFF, 0x78]),
        ("\\u{30000}", &[0x5c, 0x75, 0x7b, 0x33, 0x30, 0x30, 0x30, 0x30, 0x7d]),
        ("\\u{}", &[0x5c, 0x75, 0x7b, 0x7d]),
        ("\\u{000041}", &[0x5c, 0x75, 0x7b, 0x30, 0x30, 0x30, 0x30, 0x34, 0x31, 0x7d]),
        ("\\u004", &[0x5c, 0x75, 0x30, 0x30, 0x34]),
        ("\\u+041", &[0x5c, 0x75, 0x2b, 0x30, 0x34, 0x31]),
        ("\\n\\x41", &[0x5c, 0x6e, 0x5c, 0x78, 0x34, 0x31]),
        ("\\\\u0041", &[0x5c, 0x41]),
        ("é\\u{e9}", &[0xe9, 0xe9]),
        ("\\uD800", &[0xD800]),
        ("\\u", &[0x5c, 0x75]),
        ("\\ué000", &[0x5c, 0x75, 0xe9, 0x30, 0x30, 0x30]),
    ];
    for (text, points) in cases {
        let s = Str::parse_literal(text).unwrap();
        assert_eq!(s.to_code_points(), *points, "{text}");
        let printed = s.to_smtlib();
        let inner = printed[1..printed.len() - 1].replace("\"\"", "\"");
        assert_eq!(Str::parse_literal(&inner).unwrap(), s, "{text}");
    }
    assert_eq!(
        Str::from("say \"hi\"\\u{41}\n").to_smtlib(),
        "\"say \"\"hi\"\"\\u{5c}u{41}\\u{a}\""
    );
    assert!(Str::parse_literal("\u{10FFFF}").is_err());
}

#[test]
fn long_strings() {
    // Long enough for the heap and for the linear search; compared with Rust's own.
    let hay = "ab".repeat(500) + "abaab" + &"ba".repeat(300);
    let s = Str::from(hay.as_str());
    for needle in ["abaab", "bbabababab", "abaabbabababababa", "abababababababababababaabb"] {
        for from in [0, 3, 900, 1200, 1605, 1606] {
            let expected = hay.get(from..).and_then(|h| h.find(needle)).map(|i| (i + from) as i64);
            let ours = s.index_of(&Str::from(needle), &number(from as i64));
            assert_eq!(ours, number(expected.unwrap_or(-1)), "{needle} {from}");
        }
        let expected = Str::from(hay.replace(needle, "XY").as_str());
        assert_eq!(s.replace_all(&Str::from(needle), &Str::from("XY")).unwrap(), expected);
    }
    let mut doubled = s;
    let stopped = (0..64).any(|_| match doubled.concat(&doubled) {
        Ok(longer) => {
            doubled = longer;
            false
        }
        Err(_) => true,
    });
    assert!(stopped);
}

/// The linear search against the naive one, on random words of two letters: many borders.
#[test]
fn linear_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let (mut found, rounds) = (0, 20_000);
    for round in 0..rounds {
        let wide = if round % 3 == 0 { 0x2FFFE } else { 0x61 };
        let mut word = |n: usize| -> Word {
            (0..n).map(|_| wide + u32::from(rng.random_ratio(1, 5))).collect()
        };
        let (hay, needle) = (word(200), word(9 + round % 8));
        let expected = splits(&hay, &needle).first().map(|(u, _)| u.len());
        assert_eq!(ours(&hay).find(&ours(&needle), 0), expected, "{needle:?} in {hay:?}");
        found += usize::from(expected.is_some());
    }
    assert!(found > rounds / 10 && found < rounds, "{found}");
}
