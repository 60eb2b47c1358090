//! Symbols, sorts and literals.

use std::fmt::Write;

use crate::arena::{Arena, Sym};
use crate::lexer::is_simple_symbol;
use crate::literal::{Literal, write_string};
use crate::sort::{Sort, SortKind};

const QUOTED_WORDS: [&str; 22] = [
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-fun",
    "define-fun-rec",
    "define-sort",
    "echo",
    "exit",
    "pop",
    "push",
    "reset",
    "set-logic",
];

/// A text as it may stand in a comment: what would end the line, or do something to a terminal, is escaped.
pub fn comment(text: &str) -> String {
    let shown = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(shown).collect()
}

/// Writes a name, between bars if it needs them.
pub fn write_symbol(name: &str, out: &mut String) {
    // Solvers read `-5` as a number.
    let number = matches!(name.as_bytes(), [b'-' | b'+', b'0'..=b'9', ..]);
    let plain = is_simple_symbol(name)
        && !number
        && !QUOTED_WORDS.contains(&name)
        && !crate::parser::RESERVED.contains(&name);
    if plain {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

pub(crate) fn write_sort(a: &Arena, s: Sort, out: &mut String) {
    write_instance(a, s, &[], out);
}

/// Writes a sort with other sorts for parameters.
pub(super) fn write_instance(a: &Arena, s: Sort, map: &[(Sym, Sort)], out: &mut String) {
    let list = |name: &str, parts: &[Sort], out: &mut String| {
        out.push('(');
        out.push_str(name);
        for &p in parts {
            out.push(' ');
            write_instance(a, p, map, out);
        }
        out.push(')');
    };
    match a.sort_kind(s) {
        SortKind::Bool => out.push_str("Bool"),
        SortKind::Int => out.push_str("Int"),
        SortKind::Real => out.push_str("Real"),
        SortKind::RoundingMode => out.push_str("RoundingMode"),
        SortKind::String => out.push_str("String"),
        SortKind::RegLan => out.push_str("RegLan"),
        SortKind::BitVec(w) => {
            let _ = write!(out, "(_ BitVec {w})");
        }
        SortKind::Float(e, m) => {
            let _ = write!(out, "(_ FloatingPoint {e} {m})");
        }
        SortKind::FiniteField(p) => {
            let _ = write!(out, "(_ FiniteField {p})");
        }
        SortKind::Array(i, e) => list("Array", &[*i, *e], out),
        SortKind::Seq(e) => list("Seq", &[*e], out),
        SortKind::Set(e) => list("Set", &[*e], out),
        SortKind::Bag(e) => list("Bag", &[*e], out),
        SortKind::Nullable(e) => list("Nullable", &[*e], out),
        SortKind::Tuple(parts) if parts.is_empty() => out.push_str("UnitTuple"),
        SortKind::Tuple(parts) => list("Tuple", parts, out),
        SortKind::Fun(args, ret) => {
            let all: Vec<Sort> = args.iter().copied().chain([*ret]).collect();
            list("->", &all, out);
        }
        SortKind::Named(d, args) => {
            let mut name = String::new();
            write_symbol(a.name(a.sort_decl(*d).name), &mut name);
            if args.is_empty() {
                out.push_str(&name);
            } else {
                list(&name, args, out);
            }
        }
        SortKind::Param(p) => match map.iter().find(|(q, _)| q == p) {
            Some(&(_, s)) => write_sort(a, s, out),
            None => write_symbol(a.name(*p), out),
        },
    }
}

/// Writes a literal.
pub fn write_literal(l: &Literal, out: &mut String) {
    match l {
        Literal::Int(v) => {
            let _ = write!(out, "{v}");
        }
        Literal::Real { digits, scale } => {
            let text = digits.to_string();
            let scale = *scale as usize;
            if scale == 0 {
                out.push_str(&text);
                out.push_str(".0");
            } else if text.len() > scale {
                let (whole, fraction) = text.split_at(text.len() - scale);
                let _ = write!(out, "{whole}.{fraction}");
            } else {
                // Not by a width of the format, which is limited to 16 bits.
                out.push_str("0.");
                out.extend(std::iter::repeat_n('0', scale - text.len()));
                out.push_str(&text);
            }
        }
        Literal::Bits { width, value } => {
            let w = *width as usize;
            // Decimal is short for wide, small values, but its cost grows faster than the width.
            if (257..=1 << 16).contains(&w) {
                let _ = write!(out, "(_ bv{value} {w})");
                return;
            }
            let (prefix, text, digits) = if w.is_multiple_of(4) {
                ("#x", format!("{value:x}"), w / 4)
            } else {
                ("#b", format!("{value:b}"), w)
            };
            out.push_str(prefix);
            out.extend(std::iter::repeat_n('0', digits - text.len()));
            out.push_str(&text);
        }
        Literal::Str(chars) => write_string(out, chars),
        Literal::Root { coefficients, index } => write_root(coefficients, *index, out),
        Literal::Field { order, value } => {
            let _ = write!(out, "(as ff{value} (_ FiniteField {order}))");
        }
    }
}

fn write_root(coefficients: &[dashu_int::IBig], index: u32, out: &mut String) {
    out.push_str("(root-obj (+");
    for (power, c) in coefficients.iter().enumerate().rev() {
        if c.is_zero() {
            continue;
        }
        let magnitude = dashu_int::ops::UnsignedAbs::unsigned_abs(c);
        let c = if c.sign() == dashu_int::Sign::Negative {
            format!("(- {magnitude})")
        } else {
            magnitude.to_string()
        };
        let _ = match power {
            0 => write!(out, " {c}"),
            1 => write!(out, " (* {c} x)"),
            _ => write!(out, " (* {c} (^ x {power}))"),
        };
    }
    let _ = write!(out, ") {index})");
}
