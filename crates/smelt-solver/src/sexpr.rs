//! Cuts solver responses and scripts into their top-level items.
//!
//! Responses come from programs under test, so this never fails: stray parentheses, unterminated strings and bytes that
//! are no SMT-LIB at all become items too. Nothing here recurses, whatever the depth of the text.

/// A top-level item of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// Its text, as in the source.
    pub text: &'a str,
    /// Byte offset of the text in the source.
    pub start: usize,
    /// What it is.
    pub kind: ItemKind,
}

/// The kind of an [`Item`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// A parenthesised expression.
    List,
    /// A parenthesised expression that the end of the text cuts off.
    OpenList,
    /// A string literal; an unterminated one runs to the end of the text.
    Text,
    /// Anything else that stands alone: a symbol, a number, a stray `)`.
    Atom,
}

impl Item<'_> {
    /// Byte offset just behind the item.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The first symbol inside a list: `check-sat` of `(check-sat)`.
    pub fn head(&self) -> &str {
        if !matches!(self.kind, ItemKind::List | ItemKind::OpenList) {
            return "";
        }
        let inner = skip_blank(self.text, 1);
        &self.text[inner..atom_end(self.text, inner)]
    }

    /// The two words or strings behind the head, if that is all: `:name` and `"value"` of `(set-option :name "value")`.
    pub fn pair(&self) -> Option<(&str, &str)> {
        let bytes = self.text.as_bytes();
        let mut at = skip_blank(self.text, 1);
        let mut found = [""; 3];
        for word in &mut found {
            let end = match bytes.get(at) {
                Some(b'"') => quoted_end(bytes, at, b'"').0,
                _ => atom_end(self.text, at),
            };
            *word = Some(&self.text[at..end]).filter(|w| !w.is_empty())?;
            at = skip_blank(self.text, end);
        }
        (at + 1 == bytes.len()).then_some((found[1], found[2]))
    }

    /// The `n`-th word of a flat list, as written: word 1 of `(set-logic QF_BV)` is `QF_BV`.
    pub fn word(&self, n: usize) -> &str {
        let mut at = skip_blank(self.text, 1);
        for _ in 0..n {
            at = skip_blank(self.text, atom_end(self.text, at));
        }
        &self.text[at..atom_end(self.text, at)]
    }
}

fn skip_blank(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b';' => at = line_end(bytes, at),
            b if b.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at.min(bytes.len())
}

/// The end of the comment that starts at `at`: by the standard a carriage return ends it, too, and smelt's parser says so.
pub(crate) fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && !matches!(bytes[at], b'\n' | b'\r') {
        at += 1;
    }
    at
}

/// The end of the atom that starts at `at` (equal to `at` before a parenthesis).
fn atom_end(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    if at < bytes.len() && bytes[at] == b'|' {
        return quoted_end(bytes, at, b'|').0;
    }
    while at < bytes.len()
        && !bytes[at].is_ascii_whitespace()
        && !matches!(bytes[at], b'(' | b')' | b'"' | b';')
    {
        at += 1;
    }
    at
}

/// The end of a quoted thing that starts at `at`, and whether it is closed. A doubled `""` stays inside.
fn quoted_end(bytes: &[u8], at: usize, quote: u8) -> (usize, bool) {
    let mut i = at + 1;
    while i < bytes.len() {
        if bytes[i] == quote {
            if quote == b'"' && bytes.get(i + 1) == Some(&b'"') {
                i += 2;
                continue;
            }
            return (i + 1, true);
        }
        i += 1;
    }
    (bytes.len(), false)
}

/// The top-level items of a text, in order; comments and blanks are skipped.
pub fn items(text: &str) -> Items<'_> {
    Items { text, at: 0 }
}

/// Iterator of [`items`].
pub struct Items<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let start = skip_blank(self.text, self.at);
        let bytes = self.text.as_bytes();
        let first = *bytes.get(start)?;
        let (end, kind) = match first {
            b'(' => match list_end(bytes, start) {
                Some(end) => (end, ItemKind::List),
                None => (bytes.len(), ItemKind::OpenList),
            },
            b')' => (start + 1, ItemKind::Atom),
            b'"' => (quoted_end(bytes, start, b'"').0, ItemKind::Text),
            _ => (atom_end(self.text, start), ItemKind::Atom),
        };
        self.at = end;
        Some(Item { text: &self.text[start..end], start, kind })
    }
}

fn list_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = start;
    while i < bytes.len() {
        match bytes[i] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            quote @ (b'"' | b'|') => {
                let (end, closed) = quoted_end(bytes, i, quote);
                if !closed {
                    return None;
                }
                i = end;
                continue;
            }
            b';' => {
                i = line_end(bytes, i);
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    None
}

/// The text inside `(error "…")` with doubled quotes undone; the whole item when it has another shape.
pub fn error_text(item: &str) -> String {
    let inner = item.trim_start_matches('(').trim_start().trim_start_matches("error").trim();
    let inner = inner.strip_suffix(')').unwrap_or(inner).trim();
    let inner = inner.strip_prefix('"').unwrap_or(inner);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    inner.replace("\"\"", "\"").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(&str, ItemKind)]) {
        let got: Vec<(&str, ItemKind)> = items(text).map(|i| (i.text, i.kind)).collect();
        assert_eq!(got, expect, "{text:?}");
    }

    #[test]
    fn top_level_items() {
        check(
            "sat\n(model (x \")\"))",
            &[("sat", ItemKind::Atom), ("(model (x \")\"))", ItemKind::List)],
        );
        check("; c (\n(a ; )\n b)", &[("(a ; )\n b)", ItemKind::List)]);
        check("; c (\r(a ; )\r b)", &[("(a ; )\r b)", ItemKind::List)]);
        check("(a |(| b) x", &[("(a |(| b)", ItemKind::List), ("x", ItemKind::Atom)]);
        check("(a \"x\"\"(\" ) )", &[("(a \"x\"\"(\" )", ItemKind::List), (")", ItemKind::Atom)]);
        check("\"m\" (cut", &[("\"m\"", ItemKind::Text), ("(cut", ItemKind::OpenList)]);
        check("\"open", &[("\"open", ItemKind::Text)]);
        check("é ü", &[("é", ItemKind::Atom), ("ü", ItemKind::Atom)]);
        check("", &[]);
    }

    #[test]
    fn heads_and_words() {
        let item = |t| items(t).next().unwrap();
        assert_eq!(item("( set-logic ; x\n QF_BV)").head(), "set-logic");
        assert_eq!(item("( set-logic ; x\n QF_BV)").word(1), "QF_BV");
        assert_eq!(item("()").head(), "");
        assert_eq!(item("(a)").word(3), "");
        assert_eq!(item("sat").head(), "");
        for (text, pair) in [
            ("(o :a b)", Some((":a", "b"))),
            ("(o :a \"b c\" )", Some((":a", "\"b c\""))),
            ("(o :a)", None),
            ("(o :a b c)", None),
            ("(o :a (b))", None),
        ] {
            assert_eq!(item(text).pair(), pair, "{text}");
        }
    }

    #[test]
    fn error_texts() {
        assert_eq!(error_text("(error \"line 1: bad \"\"x\"\"\")"), "line 1: bad \"x\"");
        assert_eq!(error_text("(error cut off"), "cut off");
    }

    #[test]
    fn deep_text_does_not_recurse() {
        let deep = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        assert_eq!(items(&deep).count(), 1);
    }
}
