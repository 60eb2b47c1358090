//! Scripts that smelt cannot type, reduced as s-expressions: whatever stands in parentheses can be left out, or replaced by a part
//! of it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::search::{Pass, Reducible, Way};

/// The expressions that stand in a text, one behind the other, without comments.
pub(crate) fn items(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut depth, mut start, mut at) = (0usize, None, 0);
    while at < bytes.len() {
        let from = at;
        let is_atom = match bytes[at] {
            b';' => {
                at = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n);
                continue;
            }
            b'(' => {
                if depth == 0 {
                    start = Some(at);
                }
                depth += 1;
                at += 1;
                continue;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
                if let (0, Some(s)) = (depth, start.take_if(|_| depth == 0)) {
                    out.push(&text[s..at]);
                }
                continue;
            }
            b if b.is_ascii_whitespace() => false,
            _ => true,
        };
        at += 1;
        if is_atom {
            at = end_of_atom(bytes, from);
            if depth == 0 {
                out.push(&text[from..at]);
            }
        }
    }
    // What is not closed goes to the end.
    out.extend(start.map(|s| &text[s..]));
    out
}

/// Where an atom that begins somewhere ends.
fn end_of_atom(bytes: &[u8], from: usize) -> usize {
    let quoted = |quote: u8| {
        let mut at = from + 1;
        while at < bytes.len() {
            if bytes[at] == quote {
                if quote == b'"' && bytes.get(at + 1) == Some(&quote) {
                    at += 2;
                    continue;
                }
                return at + 1;
            }
            at += 1;
        }
        bytes.len()
    };
    match bytes[from] {
        b'"' => quoted(b'"'),
        b'|' => quoted(b'|'),
        _ => {
            let ends =
                |b: &u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b'"' | b'|' | b';');
            bytes[from..].iter().position(ends).map_or(bytes.len(), |n| from + n.max(1))
        }
    }
}

/// A node of the tree of expressions.
#[derive(Clone, Debug)]
enum Node {
    Atom(Box<str>),
    List(Vec<usize>),
}

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// It is an index, as in `(_ extract 7 0)`.
    Index,
    /// It is in a remark: the value of `set-info` or of an annotation.
    Remark,
    /// Elsewhere.
    Other,
}

/// A script as s-expressions.
#[derive(Clone)]
pub struct Text {
    nodes: Arc<Vec<Node>>,
    /// The lists and atoms at the top: its commands.
    roots: Vec<usize>,
    text: String,
}

/// A change of an expression.
#[derive(Clone, Debug)]
pub enum TextEdit {
    /// It is left out.
    Drop(usize),
    /// Another one stands in its place.
    Put(usize, usize),
    /// This atom stands in its place.
    Atom(usize, Box<str>),
    /// One word stands in the place of another one, wherever that stands.
    Rename(Box<str>, Box<str>),
}

impl Text {
    /// Reads a text. What is not closed ends at its end.
    pub fn read(text: &str) -> Self {
        let mut nodes = Vec::new();
        let roots = read_all(text, &mut nodes);
        Self::made(Arc::new(nodes), roots)
    }

    fn made(nodes: Arc<Vec<Node>>, roots: Vec<usize>) -> Self {
        let mut text = String::new();
        for &r in &roots {
            write(&nodes, r, &mut text);
            text.push('\n');
        }
        Self { nodes, roots, text }
    }

    /// All words, with where they stand.
    pub(crate) fn words(&self) -> Vec<(&str, Word)> {
        let mut out = Vec::new();
        let mut stack: Vec<(usize, Word)> = self.roots.iter().map(|&r| (r, Word::Other)).collect();
        while let Some((n, place)) = stack.pop() {
            match &self.nodes[n] {
                Node::Atom(a) if a.starts_with(':') => {}
                Node::Atom(a) => out.push((&**a, place)),
                Node::List(l) => {
                    let head = l.first().and_then(|&c| self.atom(c));
                    let of = |i: usize| match head {
                        Some("_") => Word::Index,
                        Some("set-info") if i > 0 && !self.is_known_info(l) => Word::Remark,
                        // What stands behind the term is the value of an attribute, or the terms of a pattern.
                        Some("!") if i > 1 && self.atom(l[i]).is_some() => Word::Remark,
                        _ => Word::Other,
                    };
                    stack.extend(l.iter().enumerate().rev().map(|(i, &c)| (c, of(i))));
                }
            }
        }
        out
    }

    /// An atom.
    fn atom(&self, n: usize) -> Option<&str> {
        if let Node::Atom(a) = &self.nodes[n] { Some(a) } else { None }
    }

    /// The names that a text gives: to symbols, sorts, constructors and bound variables.
    pub(crate) fn given_names(&self) -> Vec<&str> {
        let word = |n: usize| self.atom(n);
        let parts = |n: usize| if let Node::List(l) = &self.nodes[n] { &l[..] } else { &[] };
        let mut out = Vec::new();
        for n in 0..self.nodes.len() {
            let list = parts(n);
            let (Some(head), Some(&second)) = (list.first().and_then(|&c| word(c)), list.get(1))
            else {
                continue;
            };
            if head == "declare-datatypes" || head == "declare-datatype" {
                // Whatever stands in it, names of fields and constructors as well.
                let mut todo = list[1..].to_vec();
                while let Some(n) = todo.pop() {
                    out.extend(word(n));
                    todo.extend(parts(n));
                }
            } else if head.starts_with("declare-") || head.starts_with("define-") {
                out.extend(word(second));
                let parameters = list.get(2).map_or(&[][..], |&n| parts(n));
                out.extend(parameters.iter().filter_map(|&p| word(*parts(p).first()?)));
            } else if ["forall", "exists", "let", "lambda"].contains(&head) {
                out.extend(parts(second).iter().filter_map(|&p| word(*parts(p).first()?)));
            }
        }
        let mut seen = HashSet::new();
        out.retain(|w| seen.insert(*w));
        out
    }

    /// Whether the list of a `set-info` says what is no secret.
    fn is_known_info(&self, list: &[usize]) -> bool {
        let key = list.get(1).and_then(|&c| self.atom(c));
        matches!(key, Some(":status" | ":smt-lib-version"))
    }

    /// All nodes with how many characters each has, the largest first.
    fn by_size(&self) -> Vec<(usize, usize)> {
        let mut sizes = vec![0; self.nodes.len()];
        let mut reached = Vec::new();
        let mut stack: Vec<(usize, bool)> = self.roots.iter().map(|&r| (r, false)).collect();
        while let Some((n, done)) = stack.pop() {
            match &self.nodes[n] {
                Node::Atom(a) => {
                    sizes[n] = a.len();
                    reached.push(n);
                }
                Node::List(l) if done => {
                    sizes[n] = 1 + l.len().max(1) + l.iter().map(|&c| sizes[c]).sum::<usize>();
                    reached.push(n);
                }
                Node::List(l) => {
                    stack.push((n, true));
                    stack.extend(l.iter().map(|&c| (c, false)));
                }
            }
        }
        let mut all: Vec<(usize, usize)> = reached.into_iter().map(|n| (n, sizes[n])).collect();
        all.sort_by_key(|&(n, size)| (std::cmp::Reverse(size), n));
        all
    }
}

fn read_all(text: &str, nodes: &mut Vec<Node>) -> Vec<usize> {
    let mut lists: Vec<Vec<usize>> = vec![Vec::new()];
    let bytes = text.as_bytes();
    let mut at = 0;
    let close = |lists: &mut Vec<Vec<usize>>, nodes: &mut Vec<Node>| {
        if lists.len() > 1
            && let Some(list) = lists.pop()
        {
            nodes.push(Node::List(list));
            lists.last_mut().into_iter().for_each(|l| l.push(nodes.len() - 1));
        }
    };
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                at = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n)
            }
            b'(' => {
                lists.push(Vec::new());
                at += 1;
            }
            b')' => {
                close(&mut lists, nodes);
                at += 1;
            }
            b if b.is_ascii_whitespace() => at += 1,
            _ => {
                let end = end_of_atom(bytes, at);
                nodes.push(Node::Atom(text[at..end].into()));
                lists.last_mut().into_iter().for_each(|l| l.push(nodes.len() - 1));
                at = end;
            }
        }
    }
    while lists.len() > 1 {
        close(&mut lists, nodes);
    }
    lists.pop().unwrap_or_default()
}

fn write(nodes: &[Node], root: usize, out: &mut String) {
    let mut stack: Vec<Option<usize>> = vec![Some(root)];
    while let Some(next) = stack.pop() {
        let Some(n) = next else {
            out.push(')');
            continue;
        };
        if out.ends_with(|c: char| c != '(' && c != '\n') {
            out.push(' ');
        }
        match &nodes[n] {
            Node::Atom(a) => out.push_str(a),
            Node::List(l) => {
                out.push('(');
                stack.push(None);
                stack.extend(l.iter().rev().map(|&c| Some(c)));
            }
        }
    }
}

impl Reducible for Text {
    type Edit = TextEdit;

    fn text(&self) -> &str {
        &self.text
    }

    fn edited(&self, edits: &[&TextEdit]) -> Option<Self> {
        let mut nodes = (*self.nodes).clone();
        let mut dropped = vec![false; nodes.len()];
        for edit in edits {
            match edit {
                TextEdit::Drop(n) => dropped[*n] = true,
                TextEdit::Put(n, by) => nodes[*n] = self.nodes[*by].clone(),
                TextEdit::Atom(n, atom) => nodes[*n] = Node::Atom(atom.clone()),
                TextEdit::Rename(old, new) => {
                    let old = |n: &&mut Node| matches!(n, Node::Atom(a) if a == old);
                    nodes.iter_mut().filter(old).for_each(|n| *n = Node::Atom(new.clone()));
                }
            }
        }
        for node in &mut nodes {
            if let Node::List(l) = node {
                l.retain(|&c| !dropped[c]);
            }
        }
        let roots = self.roots.iter().copied().filter(|&r| !dropped[r]).collect();
        // Only what is still there is kept, so that a long reduction does not grow.
        Some(Self::read(&Self::made(Arc::new(nodes), roots).text))
    }

    fn learn(&mut self, _: &Self) {}
}

/// What leaves out whole commands: those that smelt cannot type may be among them.
pub const COMMANDS: &[Pass<Text>] =
    &[Pass { name: "drop-commands", way: Way::Chunks, edits: commands }];

/// The passes on s-expressions.
pub const TEXT_PASSES: &[Pass<Text>] = &[
    Pass { name: "drop-commands", way: Way::Chunks, edits: commands },
    Pass { name: "last-part", way: Way::Chunks, edits: |t| part(t, |n| n.checked_sub(1)) },
    Pass { name: "first-part", way: Way::Chunks, edits: |t| part(t, |n| (n > 1).then_some(1)) },
    Pass { name: "drop-expressions", way: Way::Chunks, edits: drops },
    Pass { name: "true", way: Way::Chunks, edits: |t| atoms(t, "true") },
    Pass { name: "false", way: Way::Chunks, edits: |t| atoms(t, "false") },
    Pass { name: "zero", way: Way::Chunks, edits: |t| atoms(t, "0") },
    Pass { name: "parts", way: Way::Each, edits: parts },
    Pass { name: "halve-atoms", way: Way::Each, edits: halves },
    Pass { name: "short-names", way: Way::Chunks, edits: short_names },
];

fn commands(t: &mut Text) -> Vec<TextEdit> {
    // What stands last needs what stands before it, seldom the other way round.
    t.roots.iter().rev().map(|&r| TextEdit::Drop(r)).collect()
}

fn drops(t: &mut Text) -> Vec<TextEdit> {
    t.by_size().into_iter().map(|(n, _)| TextEdit::Drop(n)).collect()
}

fn atoms(t: &mut Text, atom: &str) -> Vec<TextEdit> {
    let lists = t.by_size().into_iter().filter(|&(_, size)| size > atom.len());
    lists.map(|(n, _)| TextEdit::Atom(n, atom.into())).collect()
}

fn part(t: &mut Text, which: fn(usize) -> Option<usize>) -> Vec<TextEdit> {
    let lists = t.by_size().into_iter().filter_map(|(n, _)| match &t.nodes[n] {
        Node::List(l) => Some(TextEdit::Put(n, l[which(l.len())?])),
        Node::Atom(_) => None,
    });
    lists.collect()
}

fn parts(t: &mut Text) -> Vec<TextEdit> {
    let all = t.by_size().into_iter().flat_map(|(n, _)| match &t.nodes[n] {
        Node::List(l) => l.iter().map(|&c| TextEdit::Put(n, c)).collect(),
        Node::Atom(_) => Vec::new(),
    });
    all.collect()
}

/// Each name by a short one.
fn short_names(t: &mut Text) -> Vec<TextEdit> {
    let taken: HashSet<&str> = t
        .nodes
        .iter()
        .filter_map(|n| if let Node::Atom(a) = n { Some(&**a) } else { None })
        .collect();
    let letters = (b'a'..=b'z').chain(b'A'..=b'Z').map(|b| char::from(b).to_string());
    let free = letters.filter(|w| !taken.contains(w.as_str()));
    let long = t.given_names().into_iter().filter(|w| w.len() > 1);
    long.zip(free).map(|(old, new)| TextEdit::Rename(old.into(), new.into())).collect()
}

/// Each word by parts of it: both halves, and of what stands in quotes the first and the last character.
fn halves(t: &mut Text) -> Vec<TextEdit> {
    let mut out = Vec::new();
    for (n, _) in t.by_size() {
        let Node::Atom(a) = &t.nodes[n] else { continue };
        if a.len() < 2 || !a.is_ascii() {
            continue;
        }
        if a.starts_with(['"', '|']) && a.len() > 2 {
            let (quote, inner) = (&a[..1], &a[1..a.len() - 1]);
            let half = inner.len().div_ceil(2);
            for part in [&inner[..1], &inner[inner.len() - 1..], &inner[..half], &inner[half..]] {
                let part = format!("{quote}{part}{quote}");
                if part.len() < a.len() && part.len() > 2 {
                    out.push(TextEdit::Atom(n, part.into()));
                }
            }
        } else {
            out.push(TextEdit::Atom(n, a[..a.len().div_ceil(2)].into()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Judge, Search};

    struct Words(&'static [&'static str]);

    impl Judge<Text> for Words {
        fn width(&self) -> usize {
            1
        }
        fn judge(&mut self, candidates: Vec<Text>) -> Vec<Option<Text>> {
            let holds = |c: &Text| self.0.iter().all(|w| c.text().contains(w));
            candidates.into_iter().map(|c| holds(&c).then_some(c)).collect()
        }
        fn is_over(&mut self) -> bool {
            false
        }
        fn smaller(&mut self, _: &Text, _: &'static str) {}
    }

    fn check(text: &str, words: &'static [&'static str], expect: &str) {
        let mut judge = Words(words);
        let small = Search::new(Text::read(text), &mut judge).run(TEXT_PASSES, &[]);
        assert_eq!(small.text(), expect);
    }

    #[test]
    fn without_sorts() {
        let text = "(set-logic ALL) ; a comment (\n(frobnicate x |a ( b| \"s\"\"(t\")(assert (and p (foo (bar q) 1) r))(check-sat";
        check(text, &["bar"], "bar\n");
        check(text, &["(assert", "bar q"], "(assert (bar q))\n");
        check(text, &["check-sat", "\"s\"\"("], "\"s\"\"(t\"\ncheck-sat\n");
        check(
            "(declare-fun value () U)(frob value)",
            &["(declare-fun ", "(frob "],
            "(declare-fun 0)\n(frob 0)\n",
        );
    }

    #[test]
    fn expressions_of_a_text() {
        let all = |t| items(t).join("\u{1}");
        assert_eq!(all("(a (b)) c;(d)\n \"(\" (e"), "(a (b))\u{1}c\u{1}\"(\"\u{1}(e");
        assert_eq!(all(")) x"), "x");
    }
}
