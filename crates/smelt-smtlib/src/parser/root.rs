//! `(root-obj polynomial k)`: algebraic numbers as z3 prints them in models.

use dashu_int::{IBig, UBig};

use super::Parser;
use crate::arena::Term;
use crate::error::{Error, Result};
use crate::lexer::{Tok, Token};
use crate::literal::{Literal, decimal};

/// A limit on the degree; z3's are far below.
const MAX_DEGREE: usize = 1000;
const MAX_NESTING: u32 = 50;

type Polynomial = Vec<IBig>;

impl Parser<'_> {
    /// After `(root-obj`: up to and including the `)`.
    pub(super) fn root_object(&mut self, open: usize) -> Result<Term> {
        let t = self.next()?;
        let mut p = self.polynomial(t, 0)?;
        while p.last().is_some_and(IBig::is_zero) {
            p.pop();
        }
        let t = self.next()?;
        let index = match (t.kind, self.lexer.text(t).parse::<u32>()) {
            (Tok::Numeral, Ok(n)) if n >= 1 => n,
            _ => return self.unexpected(t, "the number of a root, from 1"),
        };
        let end = self.expect_close("`)` after the number of the root")?;
        if p.len() < 2 || index as usize >= p.len() {
            return Err(Error::new(open..end, "this polynomial has no such root"));
        }
        Ok(self.arena.mk_literal(Literal::Root { coefficients: p.into(), index }))
    }

    fn polynomial(&mut self, t: Token, depth: u32) -> Result<Polynomial> {
        match t.kind {
            Tok::Numeral => Ok(vec![decimal(self.lexer.text(t)).into()]),
            // The variable has no fixed name; there is only one.
            Tok::Symbol => Ok(vec![IBig::ZERO, IBig::ONE]),
            Tok::Open if depth < MAX_NESTING => {
                let head = self.next()?;
                let op = self.lexer.text(head);
                if op == "^" {
                    return self.power(depth);
                }
                let mut parts = Vec::new();
                loop {
                    let t = self.next()?;
                    if t.kind == Tok::Close {
                        break;
                    }
                    parts.push(self.polynomial(t, depth + 1)?);
                }
                let span = t.start()..self.lexer.position();
                match (op, &*parts) {
                    ("+", [_, ..]) => Ok(parts.iter().fold(Vec::new(), |a, b| add(&a, b, false))),
                    ("-", [one]) => Ok(add(&[], one, true)),
                    ("-", [first, rest @ ..]) => {
                        Ok(rest.iter().fold(first.clone(), |a, b| add(&a, b, true)))
                    }
                    ("*", [_, ..]) => {
                        let mut product = vec![IBig::ONE];
                        for p in &parts {
                            if product.len() + p.len() > MAX_DEGREE {
                                return Err(Error::new(span, "a polynomial of too high a degree"));
                            }
                            product = multiply(&product, p);
                        }
                        Ok(product)
                    }
                    _ => Err(Error::new(span, "not a polynomial with integer coefficients")),
                }
            }
            _ => self.unexpected(t, "a polynomial"),
        }
    }

    /// After `(^`: a power of the variable or of a polynomial.
    fn power(&mut self, depth: u32) -> Result<Polynomial> {
        let t = self.next()?;
        let base = self.polynomial(t, depth + 1)?;
        let t = self.next()?;
        let n = match (t.kind, self.lexer.text(t).parse::<usize>()) {
            (Tok::Numeral, Ok(n)) if n * base.len().max(1) <= MAX_DEGREE => n,
            _ => return self.unexpected(t, "a small exponent"),
        };
        self.expect_close("`)` after the exponent")?;
        Ok((0..n).fold(vec![IBig::from(UBig::ONE)], |p, _| multiply(&p, &base)))
    }
}

fn add(a: &[IBig], b: &[IBig], negate: bool) -> Polynomial {
    let zero = IBig::ZERO;
    (0..a.len().max(b.len()))
        .map(|i| {
            let (x, y) = (a.get(i).unwrap_or(&zero), b.get(i).unwrap_or(&zero));
            if negate { x - y } else { x + y }
        })
        .collect()
}

fn multiply(a: &[IBig], b: &[IBig]) -> Polynomial {
    let mut out = vec![IBig::ZERO; (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    out
}
