//! The operators of `UnicodeStrings`, and those cvc5 and z3 add. The ones that take a regular expression are with
//! [`crate::regex`].

use super::{MAX_CHAR, Str};
use crate::bv::Bv;
use crate::int::Int;
use crate::limit::{Limit, MAX_LENGTH};

/// −1 as the answer of a search that found nothing.
fn position(found: Option<usize>) -> Int {
    found.map_or(Int::NEG_ONE, Int::from)
}

impl Str {
    /// `(str.++ s t)`.
    pub fn concat(&self, other: &Str) -> Result<Str, Limit> {
        Str::join([self, other].into_iter())
    }

    /// `(str.++ …)` of many.
    pub fn concat_all(parts: &[Str]) -> Result<Str, Limit> {
        Str::join(parts.iter())
    }

    /// `(str.at s i)`: the character at `i`, the empty string outside.
    pub fn at(&self, i: &Int) -> Str {
        i.to_usize().and_then(|i| self.get(i)).map_or(Str::EMPTY, Str::of_char)
    }

    /// `(str.substr s i n)`: at most `n` characters from `i` on; empty if `i` is outside or `n` not positive.
    pub fn substr(&self, i: &Int, n: &Int) -> Str {
        let Some(from) = i.to_usize().filter(|&i| i < self.len()) else { return Str::EMPTY };
        if n.signum() <= 0 {
            return Str::EMPTY;
        }
        // A length that is no usize is beyond the end.
        let to = n.to_usize().and_then(|n| from.checked_add(n)).unwrap_or(usize::MAX);
        self.slice(from, to)
    }

    /// `(str.prefixof s t)`: is `self` a prefix of `of`?
    pub fn prefix_of(&self, of: &Str) -> bool {
        self.len() <= of.len() && self.iter().eq(of.iter().take(self.len()))
    }

    /// `(str.suffixof s t)`: is `self` a suffix of `of`?
    pub fn suffix_of(&self, of: &Str) -> bool {
        self.len() <= of.len() && self.iter().rev().eq(of.iter().rev().take(self.len()))
    }

    /// `(str.contains s t)`: does `t` occur in `self`?
    pub fn contains(&self, t: &Str) -> bool {
        self.find(t, 0).is_some()
    }

    /// `(str.indexof s t i)`: the first occurrence of `t` at or after `i`; −1 if there is none or `i` is not in
    /// `0 ..= |s|`. The empty string occurs at every position.
    pub fn index_of(&self, t: &Str, i: &Int) -> Int {
        position(i.to_usize().and_then(|from| self.find(t, from)))
    }

    /// z3's `(str.last_indexof s t)`: the last occurrence of `t`, −1 if there is none.
    pub fn last_index_of(&self, t: &Str) -> Int {
        // The first occurrence in the strings reversed, counted from the other end.
        let found = self.rev().find(&t.rev(), 0);
        position(found.map(|at| self.len() - at - t.len()))
    }

    /// `(str.replace s t u)`: the first occurrence of `t` replaced by `u`; an empty `t` occurs before the first
    /// character.
    pub fn replace(&self, t: &Str, u: &Str) -> Result<Str, Limit> {
        match self.find(t, 0) {
            None => Ok(self.clone()),
            Some(at) => {
                let (head, tail) = (self.slice(0, at), self.slice(at + t.len(), usize::MAX));
                Str::join([&head, u, &tail].into_iter())
            }
        }
    }

    /// `(str.replace_all s t u)`: all occurrences of `t`, from left to right; `s` if `t` is empty.
    pub fn replace_all(&self, t: &Str, u: &Str) -> Result<Str, Limit> {
        if t.is_empty() {
            return Ok(self.clone());
        }
        let (mut parts, mut done, mut len) = (Vec::new(), 0, 0);
        while let Some(at) = self.find(t, done) {
            parts.push(self.slice(done, at));
            parts.push(u.clone());
            len += at - done + u.len();
            if len > MAX_LENGTH {
                return Err(Limit::TooLarge);
            }
            done = at + t.len();
        }
        parts.push(self.slice(done, usize::MAX));
        Str::concat_all(&parts)
    }

    /// `(str.is_digit s)`: a single character `0` … `9`.
    pub fn is_digit(&self) -> bool {
        self.len() == 1 && self.get(0).is_some_and(|c| (0x30..=0x39).contains(&c))
    }

    /// `(str.to_code s)`: the code point of the only character; −1 if there is not exactly one.
    pub fn to_code(&self) -> Int {
        match (self.len(), self.get(0)) {
            (1, Some(c)) => Int::from(i64::from(c)),
            _ => Int::NEG_ONE,
        }
    }

    /// `(str.from_code n)`: the string of that one character; empty if there is no such character.
    pub fn from_code(n: &Int) -> Str {
        n.to_u32().filter(|&c| c <= MAX_CHAR).map_or(Str::EMPTY, Str::of_char)
    }

    /// `(str.to_int s)`: the number the digits write; −1 if the string is empty or has another character.
    pub fn to_int(&self) -> Result<Int, Limit> {
        let digits: Option<String> =
            self.iter().map(|c| char::from_u32(c).filter(char::is_ascii_digit)).collect();
        match digits.as_deref().and_then(Int::parse_decimal) {
            Some(number) => number,
            None => Ok(Int::NEG_ONE),
        }
    }

    /// `(str.from_int n)`: the decimal digits without leading zeros; empty for a negative number.
    pub fn from_int(n: &Int) -> Str {
        if n.is_negative() { Str::EMPTY } else { Str::from(n.to_string().as_str()) }
    }

    /// z3's `(str.from_ubv x)`: the decimal digits of the unsigned number.
    pub fn from_ubv(x: &Bv) -> Str {
        Str::from_int(&x.ubv_to_int())
    }

    /// z3's `(str.from_sbv x)`: the decimal digits of the signed number, after a minus if it is negative.
    pub fn from_sbv(x: &Bv) -> Str {
        Str::from(x.sbv_to_int().to_string().as_str())
    }

    /// `(str.< s t)`.
    pub fn lt(&self, other: &Str) -> bool {
        self < other
    }

    /// `(str.<= s t)`.
    pub fn le(&self, other: &Str) -> bool {
        self <= other
    }

    /// cvc5's `(str.rev s)`.
    pub fn rev(&self) -> Str {
        Str::of(&self.iter().rev().collect::<Vec<_>>())
    }

    /// cvc5's `(str.update s i t)`: `t` written over `s` from `i` on, without making it longer; `s` if `i` is outside.
    pub fn update(&self, i: &Int, t: &Str) -> Str {
        let Some(from) = i.to_usize().filter(|&i| i < self.len()) else { return self.clone() };
        let mut points = self.to_code_points();
        for (to, c) in points[from..].iter_mut().zip(t.iter()) {
            *to = c;
        }
        Str::of(&points)
    }

    /// cvc5's `(str.to_lower s)`: ASCII letters only.
    pub fn to_lower(&self) -> Str {
        self.map_ascii(|c| c.to_ascii_lowercase())
    }

    /// cvc5's `(str.to_upper s)`: ASCII letters only.
    pub fn to_upper(&self) -> Str {
        self.map_ascii(|c| c.to_ascii_uppercase())
    }

    fn map_ascii(&self, f: fn(&u8) -> u8) -> Str {
        let mapped = |c: u32| if c < 128 { u32::from(f(&(c as u8))) } else { c };
        Str::of(&self.iter().map(mapped).collect::<Vec<_>>())
    }
}
