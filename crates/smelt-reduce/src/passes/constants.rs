//! Constants of the theories: numbers, bit-vectors, strings, and the indices of operators.

use dashu_int::UBig;
use smelt_smtlib::{Arena, Head, Literal, Op, Term};

use super::terms::by_size;
use crate::edit::Edit;
use crate::subject::Subject;

/// Each literal that `smaller` has smaller ones for, by each of them.
fn literals(s: &mut Subject, smaller: fn(&Literal) -> Vec<Literal>) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script).into_iter().rev() {
        let a = &mut s.script.arena;
        let Head::Lit(l) = a.head(t) else { continue };
        let literal = a.lit(l).clone();
        for l in smaller(&literal).into_iter().filter(|l| *l != literal) {
            let new = a.mk_literal(l);
            if a.sort(new) == a.sort(t) {
                out.push(Edit::replace(t, new));
            }
        }
    }
    out
}

/// Smaller numbers: 0, 1, 2, the half, one less, fewer digits.
fn less(n: &UBig) -> Vec<UBig> {
    let two = UBig::from(2u8);
    if *n == UBig::ZERO {
        return Vec::new();
    }
    let mut out =
        vec![UBig::ZERO, UBig::ONE, two.clone(), n / UBig::from(10u8), n / &two, n - UBig::ONE];
    out.retain(|m| m < n);
    out.dedup();
    out
}

/// Each number by smaller ones; decimals by whole ones.
pub fn numbers(s: &mut Subject) -> Vec<Edit> {
    literals(s, |l| match l {
        Literal::Int(n) => less(n).into_iter().map(Literal::Int).collect(),
        Literal::Real { digits, scale } => {
            let whole = (*scale > 0).then(|| digits / UBig::from(10u8).pow(*scale as usize));
            let whole = whole.into_iter().flat_map(|n| [n.clone(), n + UBig::ONE]);
            let less = less(digits).into_iter().filter(|_| *scale == 0);
            whole.chain(less).map(|digits| Literal::Real { digits, scale: 0 }).collect()
        }
        Literal::Field { order, value } => less(value)
            .into_iter()
            .map(|value| Literal::Field { order: order.clone(), value })
            .collect(),
        _ => Vec::new(),
    })
}

/// Each bit-vector by smaller ones of its width.
pub fn bits(s: &mut Subject) -> Vec<Edit> {
    literals(s, |l| match l {
        Literal::Bits { width, value } => {
            less(value).into_iter().map(|value| Literal::Bits { width: *width, value }).collect()
        }
        _ => Vec::new(),
    })
}

/// Each string by halves of it, by it without one character, and with plain characters.
pub fn strings(s: &mut Subject) -> Vec<Edit> {
    literals(s, |l| {
        let Literal::Str(chars) = l else { return Vec::new() };
        let n = chars.len();
        let mut out: Vec<Vec<u32>> = Vec::new();
        if n > 0 {
            out.push(Vec::new());
            out.push(chars[..n / 2].to_vec());
            out.push(chars[n / 2..].to_vec());
            out.extend((0..n.min(24)).map(|i| {
                let mut less = chars.to_vec();
                less.remove(i);
                less
            }));
            // Escapes are long; a repeated letter is simpler than several.
            out.push(
                chars
                    .iter()
                    .map(|&c| if (0x20..0x7f).contains(&c) { c } else { u32::from('a') })
                    .collect(),
            );
        }
        out.into_iter().map(|c| Literal::Str(c.into())).collect()
    })
}

/// Indices of operators by smaller ones: bounds of loops, rotations, extensions, bits.
pub fn indices(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for t in by_size(&s.script) {
        let a = &mut s.script.arena;
        let Head::Op(op, idx) = a.head(t) else { continue };
        // The index of these is a symbol.
        if matches!(op, Op::Is | Op::Update | Op::AsArray | Op::ArrayMap) {
            continue;
        }
        let old = a.indices(idx).to_vec();
        let args: Vec<Term> = a.args(t).to_vec();
        for new in fewer(&old) {
            out.extend(with_indices(a, t, op, &new, &args).map(|n| Edit::replace(t, n)));
        }
    }
    out
}

/// Lists of indices that are smaller in one place.
fn fewer(old: &[u32]) -> Vec<Vec<u32>> {
    let mut out = Vec::new();
    for (i, &n) in old.iter().enumerate() {
        let mut less = vec![0, 1, n / 2, n.saturating_sub(1)];
        less.retain(|&m| m < n);
        less.dedup();
        out.extend(less.into_iter().map(|m| {
            let mut new = old.to_vec();
            new[i] = m;
            new
        }));
    }
    out
}

fn with_indices(a: &mut Arena, t: Term, op: Op, indices: &[u32], args: &[Term]) -> Option<Term> {
    let new = a.app(op, indices, args).ok()?;
    (a.sort(new) == a.sort(t)).then_some(new)
}
