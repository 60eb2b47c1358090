//! Bytes to tokens. No allocation, no look-ahead, one pass.

use crate::error::{Error, Result};
use crate::literal::MAX_DIGITS;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A simple symbol (reserved words included).
    Symbol,
    /// `|…|`
    Quoted,
    /// `:keyword`
    Keyword,
    /// `42`
    Numeral,
    /// `4.2`
    Decimal,
    /// `#x2a`
    Hex,
    /// `#b101`
    Binary,
    /// `#f3m7`: cvc5's finite-field literal.
    Field,
    /// `"…"`
    Str,
    /// The end of the input.
    End,
}

/// A token: its kind and its bytes `start..end` in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Kind.
    pub kind: Tok,
    start: u32,
    end: u32,
}

impl Token {
    #[inline]
    pub(crate) fn new(kind: Tok, start: usize, end: usize) -> Self {
        Self { kind, start: start as u32, end: end as u32 }
    }

    /// The first byte.
    #[inline]
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// One past the last byte.
    #[inline]
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The byte range.
    pub fn span(self) -> std::ops::Range<usize> {
        self.start()..self.end()
    }
}

/// Places are kept in 32 bits.
const MAX_SOURCE: usize = u32::MAX as usize - 1;

const SPACE: u8 = 1;
const SYMBOL: u8 = 2;
const DIGIT: u8 = 4;
const HEX: u8 = 8;
const PAREN: u8 = 16;

static CLASS: [u8; 256] = {
    let mut t = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        let c = i as u8;
        let mut k = 0;
        if matches!(c, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) {
            k |= SPACE;
        }
        if c.is_ascii_alphanumeric()
            || matches!(
                c,
                b'~' | b'!'
                    | b'@'
                    | b'$'
                    | b'%'
                    | b'^'
                    | b'&'
                    | b'*'
                    | b'_'
                    | b'-'
                    | b'+'
                    | b'='
                    | b'<'
                    | b'>'
                    | b'.'
                    | b'?'
                    | b'/'
            )
        {
            k |= SYMBOL;
        }
        if matches!(c, b'(' | b')') {
            k |= PAREN;
        }
        if c.is_ascii_digit() {
            k |= DIGIT;
        }
        if c.is_ascii_hexdigit() {
            k |= HEX;
        }
        t[i] = k;
        i += 1;
    }
    t
};

/// Whether a name can be written without bars (reserved words aside).
pub fn is_simple_symbol(name: &str) -> bool {
    let b = name.as_bytes();
    !b.is_empty() && !b[0].is_ascii_digit() && b.iter().all(|&c| CLASS[c as usize] & SYMBOL != 0)
}

/// A cursor over the source.
#[derive(Clone)]
pub struct Lexer<'a> {
    src: &'a [u8],
    pos: usize,
}

impl<'a> Lexer<'a> {
    /// Starts at the first byte.
    pub fn new(src: &'a [u8]) -> Self {
        // A byte-order mark is not part of the script.
        let pos = if src.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { src, pos }
    }

    /// The whole source.
    pub fn source(&self) -> &'a [u8] {
        self.src
    }

    /// The byte after the last token.
    pub fn position(&self) -> usize {
        self.pos
    }

    #[inline]
    fn run(&mut self, class: u8) {
        // By a local, which is in a register.
        let mut pos = self.pos;
        while let Some(&c) = self.src.get(pos) {
            if CLASS[c as usize] & class == 0 {
                break;
            }
            pos += 1;
        }
        self.pos = pos;
    }

    #[inline]
    fn skip_space(&mut self) {
        loop {
            self.run(SPACE);
            if self.src.get(self.pos) != Some(&b';') {
                return;
            }
            self.pos = memchr::memchr2(b'\n', b'\r', &self.src[self.pos..])
                .map_or(self.src.len(), |p| self.pos + p + 1);
        }
    }

    /// The next token if it is a parenthesis or a simple symbol, with no comment before it; else nothing is taken.
    #[inline(always)]
    pub(crate) fn next_plain(&mut self) -> Option<Token> {
        let mut pos = self.pos;
        let mut c = *self.src.get(pos)?;
        while CLASS[c as usize] & SPACE != 0 {
            pos += 1;
            c = *self.src.get(pos)?;
        }
        let start = pos;
        let class = CLASS[c as usize];
        let kind = if class & (SYMBOL | DIGIT) == SYMBOL {
            loop {
                pos += 1;
                match self.src.get(pos) {
                    Some(&c) if CLASS[c as usize] & SYMBOL != 0 => {}
                    _ => break,
                }
            }
            Tok::Symbol
        } else if class & PAREN != 0 {
            pos += 1;
            if c == b'(' { Tok::Open } else { Tok::Close }
        } else {
            return None;
        };
        if pos > MAX_SOURCE {
            return None;
        }
        self.pos = pos;
        Some(Token { kind, start: start as u32, end: pos as u32 })
    }

    /// The next token.
    #[inline]
    pub fn next_token(&mut self) -> Result<Token> {
        self.skip_space();
        let start = self.pos;
        let Some(&c) = self.src.get(start) else {
            return Ok(Token { kind: Tok::End, start: start as u32, end: start as u32 });
        };
        if start >= MAX_SOURCE {
            return Err(Error::new(start..start + 1, "the input is larger than 4 GB"));
        }
        let kind = match c {
            b'(' => {
                self.pos += 1;
                Tok::Open
            }
            b')' => {
                self.pos += 1;
                Tok::Close
            }
            b'0'..=b'9' => self.number(start)?,
            b'#' => self.hash(start)?,
            b'"' => self.string(start)?,
            b'|' => {
                match memchr::memchr(b'|', &self.src[start + 1..]) {
                    Some(n) => self.pos = start + n + 2,
                    None => return Err(self.eof(start, "this quoted symbol never ends", "`|`")),
                }
                self.utf8(start)?;
                if let Some(n) = memchr::memchr(0, &self.src[start..self.pos]) {
                    // Two names that differ behind it are one to them.
                    let message = "a NUL in a quoted symbol: some solvers end the name there";
                    return Err(Error::new(start + n..start + n + 1, message));
                }
                Tok::Quoted
            }
            b':' => {
                self.pos += 1;
                self.run(SYMBOL);
                if self.pos == start + 1 {
                    return Err(Error::new(start..start + 1, "a lone `:`").expected("a keyword"));
                }
                Tok::Keyword
            }
            _ if CLASS[c as usize] & SYMBOL != 0 => {
                self.run(SYMBOL);
                Tok::Symbol
            }
            _ => {
                let shown = if c.is_ascii_graphic() {
                    format!("unexpected character `{}`", c as char)
                } else {
                    format!("unexpected byte 0x{c:02x}")
                };
                return Err(Error::new(start..start + 1, shown));
            }
        };
        Ok(Token { kind, start: start as u32, end: self.pos as u32 })
    }

    fn number(&mut self, start: usize) -> Result<Tok> {
        self.run(DIGIT);
        let mut kind = Tok::Numeral;
        if self.src.get(self.pos) == Some(&b'.') {
            // `2.` is not standard, but z3 reads it.
            self.pos += 1;
            self.run(DIGIT);
            kind = Tok::Decimal;
        }
        if self.src.get(self.pos).is_some_and(|&c| CLASS[c as usize] & SYMBOL != 0) {
            self.run(SYMBOL);
            return Err(Error::new(start..self.pos, "a symbol cannot start with a digit"));
        }
        if self.pos - start > MAX_DIGITS {
            let message = format!("a number of more than {MAX_DIGITS} digits");
            return Err(Error::new(start..self.pos, message));
        }
        Ok(kind)
    }

    fn hash(&mut self, start: usize) -> Result<Tok> {
        let kind = match self.src.get(start + 1) {
            Some(b'x') => Tok::Hex,
            Some(b'b') => Tok::Binary,
            Some(b'f') => Tok::Field,
            _ => {
                return Err(Error::new(start..start + 1, "a lone `#`").expected("`#x…` or `#b…`"));
            }
        };
        self.pos = start + 2;
        let digits = self.pos;
        match kind {
            Tok::Hex => self.run(HEX),
            Tok::Binary => {
                while matches!(self.src.get(self.pos), Some(b'0' | b'1')) {
                    self.pos += 1;
                }
            }
            _ => self.run(SYMBOL),
        }
        let ends = self.src.get(self.pos).is_none_or(|&c| CLASS[c as usize] & SYMBOL == 0);
        if self.pos == digits || !ends {
            self.run(SYMBOL);
            return Err(Error::new(start..self.pos, "a malformed `#` literal")
                .expected("hexadecimal digits after `#x`, or binary digits after `#b`"));
        }
        Ok(kind)
    }

    fn string(&mut self, start: usize) -> Result<Tok> {
        self.pos = start + 1;
        loop {
            match memchr::memchr(b'"', &self.src[self.pos..]) {
                Some(n) => self.pos += n + 1,
                None => return Err(self.eof(start, "this string literal never ends", "`\"`")),
            }
            if self.src.get(self.pos) != Some(&b'"') {
                break;
            }
            self.pos += 1;
        }
        self.utf8(start)?;
        Ok(Tok::Str)
    }

    fn utf8(&self, start: usize) -> Result<()> {
        match std::str::from_utf8(&self.src[start..self.pos]) {
            Ok(_) => Ok(()),
            Err(e) => {
                let at = start + e.valid_up_to();
                Err(Error::new(at..at + 1, "invalid UTF-8"))
            }
        }
    }

    fn eof(&self, start: usize, message: &str, expected: &str) -> Error {
        Error::new(start..start + 1, message).expected(expected)
    }

    /// The text of a token: without bars for a quoted symbol; as written otherwise.
    #[inline]
    pub fn text(&self, t: Token) -> &'a str {
        // Simple tokens are ASCII by construction; the others were checked when they were read.
        std::str::from_utf8(self.bytes(t)).unwrap_or("")
    }

    /// The bytes of a token: without bars for a quoted symbol; as written otherwise.
    #[inline]
    pub fn bytes(&self, t: Token) -> &'a [u8] {
        match t.kind {
            Tok::Quoted => &self.src[t.start() + 1..t.end() - 1],
            _ => &self.src[t.span()],
        }
    }

    /// Reads on to the parenthesis that closes `depth` open ones; returns the byte after it.
    pub fn skip_balanced(&mut self, mut depth: usize) -> Result<usize> {
        let start = self.pos;
        while depth > 0 {
            match self.next_token()?.kind {
                Tok::Open => depth += 1,
                Tok::Close => depth -= 1,
                Tok::End => {
                    return Err(Error::new(
                        start..start + 1,
                        "the input ends inside a parenthesis",
                    )
                    .expected("`)`"));
                }
                _ => {}
            }
        }
        Ok(self.pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(src: &[u8], expect: &str) {
        let mut lexer = Lexer::new(src);
        let mut out = String::new();
        loop {
            match lexer.next_token() {
                Ok(Token { kind: Tok::End, .. }) => break,
                Ok(t) => out += &format!("{:?}:{} ", t.kind, lexer.text(t)),
                Err(e) => {
                    out += &format!("error: {e}");
                    break;
                }
            }
        }
        assert_eq!(out.trim_end(), expect);
    }

    #[test]
    fn tokens() {
        check(b"(a ; c\n |b c|)", "Open:( Symbol:a Quoted:b c Close:)");
        check(b"12 0.50 #xfF #b01 :k", "Numeral:12 Decimal:0.50 Hex:#xfF Binary:#b01 Keyword::k");
        check(br#""a""b" x"#, r#"Str:"a""b" Symbol:x"#);
        check(b"1a", "error: a symbol cannot start with a digit (at byte 0)");
        check(b"\0", "error: unexpected byte 0x00 (at byte 0)");
        check(b"\"\xff\"", "error: invalid UTF-8 (at byte 1)");
        check(b"; \xff\nx", "Symbol:x");
        check(
            b"#b2",
            "error: a malformed `#` literal (at byte 0); expected hexadecimal digits after `#x`, or binary digits after `#b`",
        );
        check(
            b"|a\0b|",
            "error: a NUL in a quoted symbol: some solvers end the name there (at byte 2)",
        );
        check(b"|a", "error: this quoted symbol never ends (at byte 0); expected `|`");
        check(b"\"a", "error: this string literal never ends (at byte 0); expected `\"`");
    }
    #[test]
    fn fast_path_agrees() {
        // All texts of up to 4 of these bytes, one of each class.
        let bytes = b"( )a1;\n\"|:#.\xff";
        for n in 0..bytes.len().pow(4) {
            let text: Vec<u8> =
                (0..4).map(|k| bytes[n / bytes.len().pow(k) % bytes.len()]).collect();
            let (mut fast, mut slow) = (Lexer::new(&text), Lexer::new(&text));
            while let Some(t) = fast.next_plain() {
                assert_eq!(slow.next_token().ok(), Some(t), "{text:?}");
                assert_eq!(fast.position(), slow.position(), "{text:?}");
            }
            let next = slow.next_token().map(|t| t.kind);
            assert!(
                !matches!(next, Ok(Tok::Open | Tok::Close | Tok::Symbol)) || text.contains(&b';')
            );
        }
    }
}
