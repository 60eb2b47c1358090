//! Words of the original out of a script that is to leave the house: other names, other texts, other numbers. What a pass proposes keeps
//! as much as it can of what the words are to each other: equal stays equal, less stays less, a part stays a part.

use std::sync::Arc;

use dashu_int::UBig;
use rustc_hash::FxHashSet;
use smelt_smtlib::{Arena, Head, Literal, Script, Term, print_term};

use super::names::Fresh;
use crate::edit::Edit;
use crate::original::{Original, Symbol, symbols};
use crate::subject::Subject;

/// The original, if its words are to go.
fn original(s: &Subject) -> Option<Arc<Original>> {
    s.style.hides.clone()
}

/// Each name of the original by a short one that it has not.
pub fn names(s: &mut Subject) -> Vec<Edit> {
    let Some(original) = original(s) else { return Vec::new() };
    let name = |symbol: Symbol| {
        let a = &s.script.arena;
        match symbol {
            Symbol::Fun(f) => a.name(a.fun(f).name),
            Symbol::Var(v) => a.name(a.var(v).name),
            Symbol::Sort(d) => a.name(a.sort_decl(d).name),
        }
    };
    let all = symbols(&s.script);
    let used: FxHashSet<String> = all.iter().map(|&x| name(x).to_owned()).collect();
    let is_free = |n: &String| !original.has(n) && !used.contains(n);
    let mut names = Fresh::of(&s.script).filter(is_free);
    let mut sorts = Fresh::of(&s.script).map(|n| n.to_uppercase()).filter(is_free);
    let old = all.into_iter().filter(|&x| original.has(name(x)));
    let renamed = old.filter_map(|symbol| {
        let new = match symbol {
            Symbol::Sort(_) => sorts.next(),
            Symbol::Fun(_) | Symbol::Var(_) => names.next(),
        };
        Some(Edit { rename: vec![(symbol, new?)], ..Edit::default() })
    });
    renamed.collect()
}

/// The literals of a script with their text, each once.
fn literals(script: &Script) -> Vec<(Term, Literal, String)> {
    let a = &script.arena;
    let all = a.dag(&script.roots()).into_iter().filter_map(|t| match a.head(t) {
        Head::Lit(l) => Some((t, a.lit(l).clone(), print_term(a, t))),
        _ => None,
    });
    all.collect()
}

/// A literal by another one of its sort, in the witness as well.
fn other(a: &mut Arena, old: Term, text: &str, new: Literal) -> Option<Edit> {
    let new = a.mk_literal(new);
    let is_other = new != old && a.sort(new) == a.sort(old);
    let reword = vec![(text.to_owned(), print_term(a, new))];
    is_other.then(|| Edit { reword, ..Edit::replace(old, new) })
}

/// Each string by one of letters, equal ones for equal characters.
pub fn strings(s: &mut Subject) -> Vec<Edit> {
    reletter(s, |_| 0)
}

/// Each string by another one with digits for digits, capitals for capitals, signs for signs.
pub fn strings_of_a_kind(s: &mut Subject) -> Vec<Edit> {
    reletter(s, |c| match char::from_u32(c) {
        Some(c) if c.is_ascii_digit() => 1,
        Some(c) if c.is_ascii_uppercase() => 2,
        Some(c) if c.is_ascii_punctuation() => 3,
        _ => 0,
    })
}

/// Letters that stand for others: small ones, digits, capitals, signs that need no escape.
const ALPHABETS: [&str; 4] =
    ["abcdefghijklmnopqrstuvwxyz", "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", ".,;:-_+*/!?"];

/// Strings by others, letter for letter. Of the alphabets' rotations the first is taken that leaves no word of the original.
fn reletter(s: &mut Subject, kind: fn(u32) -> usize) -> Vec<Edit> {
    let Some(original) = original(s) else { return Vec::new() };
    let mut old: Vec<(Term, Box<[u32]>, String)> = Vec::new();
    for (t, literal, text) in literals(&s.script) {
        if let (true, Literal::Str(chars)) = (original.has(&text), literal) {
            old.push((t, chars, text));
        }
    }
    let mut seen: [Vec<u32>; 4] = Default::default();
    for &c in old.iter().flat_map(|(_, chars, _)| chars) {
        let of_kind = &mut seen[kind(c)];
        if !of_kind.contains(&c) {
            of_kind.push(c);
        }
    }
    let image = |c: u32, turn: usize| {
        let kind = kind(c);
        let at = seen[kind].iter().position(|&x| x == c).unwrap_or(0) + turn;
        let letters = ALPHABETS[kind].as_bytes();
        // More characters than letters: the rest has none that could be told apart.
        (seen[kind].len() <= letters.len()).then(|| u32::from(letters[at % letters.len()]))
    };
    let a = &mut s.script.arena;
    let made = |a: &mut Arena, turn: usize| -> Vec<Edit> {
        let new = old.iter().filter_map(|(t, chars, text)| {
            let new: Option<Vec<u32>> = chars.iter().map(|&c| image(c, turn)).collect();
            other(a, *t, text, Literal::Str(new?.into()))
        });
        new.filter(|e| e.reword.iter().all(|(_, new)| !original.has(new))).collect()
    };
    let mut best = Vec::new();
    for turn in 0..26 {
        let edits = made(a, turn);
        if edits.len() > best.len() {
            best = edits;
        }
        if best.len() == old.len() {
            break;
        }
    }
    best
}

/// A number as it is compared: of which sort, how large.
fn size(l: &Literal) -> Option<((u8, u32), UBig, UBig)> {
    let ten = UBig::from(10u8);
    match l {
        Literal::Int(n) => Some(((0, 0), n.clone(), UBig::ONE)),
        Literal::Real { digits, scale } => Some(((1, 0), digits.clone(), ten.pow(*scale as usize))),
        Literal::Bits { width, value } => Some(((2, *width), value.clone(), UBig::ONE)),
        _ => None,
    }
}

/// The number of a sort; `None` if it has none that is so large.
fn number(of: &Literal, n: UBig) -> Option<Literal> {
    match of {
        Literal::Int(_) => Some(Literal::Int(n)),
        Literal::Real { .. } => Some(Literal::Real { digits: n, scale: 0 }),
        Literal::Bits { width, .. } => (n < (UBig::ONE << *width as usize))
            .then_some(Literal::Bits { width: *width, value: n }),
        _ => None,
    }
}

/// Each number of the original by a small one, in the same order among those of its sort.
pub fn numbers(s: &mut Subject) -> Vec<Edit> {
    let Some(original) = original(s) else { return Vec::new() };
    let mut all: Vec<_> = literals(&s.script)
        .into_iter()
        .filter_map(|(t, l, text)| Some((size(&l)?, t, l, text)))
        .collect();
    all.sort_by(|((k, n, d), ..), ((l, m, e), ..)| k.cmp(l).then_with(|| (n * e).cmp(&(m * d))));
    let mut out = Vec::new();
    let mut last: Option<((u8, u32), UBig)> = None;
    for ((kind, n, d), t, literal, text) in all {
        let floor = match &last {
            Some((k, n)) if *k == kind => n + UBig::ONE,
            _ => UBig::from(2u8),
        };
        if !original.has(&text) {
            last = Some((kind, (&n / &d).max(floor - UBig::ONE)));
            continue;
        }
        let new = unheard(&mut s.script.arena, &original, &literal, floor, 1);
        let Some((value, new)) = new else { continue };
        out.extend(other(&mut s.script.arena, t, &text, new));
        last = Some((kind, value));
    }
    out
}

/// The first number from some one on, in steps, that the original does not have.
fn unheard(
    a: &mut Arena,
    original: &Original,
    of: &Literal,
    from: UBig,
    step: u32,
) -> Option<(UBig, Literal)> {
    const MOST: u32 = 200;
    let mut n = from;
    for _ in 0..MOST {
        let new = number(of, n.clone())?;
        let term = a.mk_literal(new.clone());
        if !original.has(&print_term(a, term)) {
            return Some((n, new));
        }
        n += UBig::from(step);
    }
    None
}

/// Each number of the original by one that is a little larger, or twice as large: odd or even as it is, if that goes.
pub fn nearby(s: &mut Subject) -> Vec<Edit> {
    let Some(original) = original(s) else { return Vec::new() };
    let mut out = Vec::new();
    for (t, literal, text) in literals(&s.script) {
        let Some((_, n, d)) = size(&literal).filter(|_| original.has(&text)) else { continue };
        let n = &n / &d;
        for (from, step) in [(&n + UBig::from(2u8), 2), (&n + UBig::ONE, 1), (&n * 2u8, 2)] {
            let a = &mut s.script.arena;
            let Some((_, new)) = unheard(a, &original, &literal, from, step) else { continue };
            out.extend(other(a, t, &text, new));
        }
    }
    out
}
