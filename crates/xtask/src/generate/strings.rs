//! Boundary-heavy strings, and strings that a regular expression accepts.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::{Arena, Head, Literal, Op, Term};

const ODD: [u32; 14] =
    [0, 1, 0x22, 0x5c, 0x7f, 0x80, 0xff, 0x100, 0xd800, 0xffff, 0x10000, 0x2fffe, 0x2ffff, 0x20];

/// A code point.
pub fn char(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..20) {
        0..12 => u32::from(b"aabb0c"[rng.random_range(0..6)]),
        12..15 => u32::from(b'0') + rng.random_range(0..10),
        15 => rng.random_range(0x20..0x7f),
        16..18 => ODD[rng.random_range(0..ODD.len())],
        18 => u32::from(b"AZaz"[rng.random_range(0..4)]),
        _ => rng.random_range(0..=0x2ffff),
    }
}

/// A string.
pub fn string(rng: &mut ChaCha8Rng) -> Vec<u32> {
    let text = |s: &str| s.bytes().map(u32::from).collect::<Vec<u32>>();
    match rng.random_range(0..24) {
        0..3 => vec![],
        3..6 => vec![char(rng)],
        6 => text(
            ["0", "007", "-1", "123", "+5", "1 2", "9223372036854775808"][rng.random_range(0..7)],
        ),
        7 => (0..rng.random_range(1..45))
            .map(|_| u32::from(b'0') + rng.random_range(0..10))
            .collect(),
        8 => text([r"\u{41}", r"\u0041", "\"", r"\x41", r"\", "a\\"][rng.random_range(0..6)]),
        9 => {
            let c = char(rng);
            vec![c; rng.random_range(2..12)]
        }
        10 => {
            // A repeated block: overlaps in searching and replacing.
            let block: Vec<u32> = (0..rng.random_range(1..4)).map(|_| char(rng)).collect();
            block.repeat(rng.random_range(2..4))
        }
        11 => (0..rng.random_range(20..120)).map(|_| char(rng)).collect(),
        12 => (0..rng.random_range(1..6)).map(|_| ODD[rng.random_range(0..ODD.len())]).collect(),
        _ => (0..rng.random_range(2..7)).map(|_| char(rng)).collect(),
    }
}

/// A string that the regular expression plausibly accepts (intersections and complements are guessed).
pub fn sample(rng: &mut ChaCha8Rng, a: &Arena, re: Term) -> Vec<u32> {
    let mut out = Vec::new();
    let mut work = vec![re];
    while let Some(t) = work.pop() {
        if out.len() > 200 || work.len() > 200 {
            break;
        }
        let Head::Op(op, idx) = a.head(t) else { continue };
        let args = a.args(t);
        match op {
            Op::StrToRe => out.extend(literal(a, args[0]).unwrap_or_default()),
            Op::ReRange => {
                let ends = (literal(a, args[0]), literal(a, args[1]));
                if let (Some(l), Some(h)) = ends
                    && let ([l], [h]) = (&*l, &*h)
                    && l <= h
                {
                    out.push(match rng.random_range(0..4) {
                        0 => *l,
                        1 => *h,
                        _ => rng.random_range(*l..=*h),
                    });
                }
            }
            Op::ReAllChar => out.push(char(rng)),
            Op::ReAll | Op::ReComp => out.extend(string(rng)),
            Op::ReConcat => work.extend(args.iter().rev()),
            Op::ReUnion => work.push(args[rng.random_range(0..args.len())]),
            Op::ReInter | Op::ReDiff => work.push(args[0]),
            Op::ReStar => work.extend(std::iter::repeat_n(args[0], rng.random_range(0..4))),
            Op::RePlus => work.extend(std::iter::repeat_n(args[0], rng.random_range(1..4))),
            Op::ReOpt => work.extend(std::iter::repeat_n(args[0], rng.random_range(0..2))),
            Op::RePow | Op::ReLoop | Op::ReLoopFrom => {
                let i = a.indices(idx);
                let low = i[0];
                let high = i.get(1).copied().unwrap_or(low + u32::from(op == Op::ReLoopFrom) * 3);
                let n = rng.random_range(low..=high.max(low)).min(60);
                work.extend(std::iter::repeat_n(args[0], n as usize));
            }
            Op::Ite => work.push(args[rng.random_range(1..3)]),
            _ => {}
        }
    }
    if rng.random_bool(0.3) {
        disturb(rng, &mut out);
    }
    out
}

/// Changes a string a little.
fn disturb(rng: &mut ChaCha8Rng, s: &mut Vec<u32>) {
    let at = rng.random_range(0..=s.len());
    match rng.random_range(0..3) {
        0 => s.insert(at, char(rng)),
        1 if at < s.len() => {
            s.remove(at);
        }
        _ if at < s.len() => s[at] = char(rng),
        _ => s.push(char(rng)),
    }
}

fn literal(a: &Arena, t: Term) -> Option<Vec<u32>> {
    match a.head(t) {
        Head::Lit(l) => match a.lit(l) {
            Literal::Str(chars) => Some(chars.to_vec()),
            _ => None,
        },
        _ => None,
    }
}
