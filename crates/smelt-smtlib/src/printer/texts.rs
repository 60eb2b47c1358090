//! The texts of terms that were printed before, and what decides whether they can be used.
//!
//! The text of a term can be remembered where it does not depend on its surroundings: no `match` and no given name is in
//! it, and all variables in it are called by their own names.

use super::heads::Heads;
use super::{PrintOptions, Printer, Sharing, Symbols};
use crate::arena::{Arena, Attr, Binder, FunKind, Head, Term, VarList};
use crate::logic;
use crate::op::Op;

/// A range of all remembered text.
#[derive(Clone, Copy, Default)]
pub(super) struct Range {
    start: u32,
    pub len: u32,
}

impl Range {
    /// Of a text that is not here; only its length is known.
    const ELSEWHERE: u32 = u32::MAX;

    fn here(self) -> bool {
        self.len > 0 && self.start != Self::ELSEWHERE
    }
}

/// What is known about a term.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// Its text; empty if not even its length is known.
    text: Range,
    /// The features of its top.
    own: u32,
    /// The features of its top and of all that is below it.
    pub features: u32,
    /// The names that are bound in it, as a set of hashes.
    pub binds: u32,
    known: bool,
    /// Whether its text does not depend on what is around it, if no name that is bound in it is in scope.
    pub simple: bool,
    /// Whether it is known that no let is needed in it.
    pub flat: bool,
}

/// The texts of terms.
#[derive(Default)]
pub(super) struct Texts {
    all: String,
    terms: Vec<Known>,
    stack: Vec<Term>,
    new: Vec<Term>,
    frames: Vec<(Term, u32, u32)>,
    /// For each term the last walk that came by.
    walks: Vec<u32>,
    walk: u32,
}

impl Texts {
    /// Looks at a term and what is below it; gives the features.
    pub fn learn(&mut self, a: &Arena, symbols: &Symbols, root: Term) -> u32 {
        self.reserve(a, root);
        let k = self.terms[root.index()];
        if k.known {
            return k.features;
        }
        if a.args(root).iter().all(|c| self.terms[c.index()].known) {
            self.look(a, symbols, root, None);
            return self.terms[root.index()].features;
        }
        self.stack.push(root);
        while let Some(t) = self.stack.pop() {
            let k = &mut self.terms[t.index()];
            if !k.known {
                k.known = true;
                self.new.push(t);
                self.stack.extend_from_slice(a.args(t));
            }
        }
        // Children have smaller ids than their parents.
        let mut new = std::mem::take(&mut self.new);
        new.sort_unstable();
        for t in new.drain(..) {
            self.look(a, symbols, t, None);
        }
        self.new = new;
        self.terms[root.index()].features
    }

    fn reserve(&mut self, a: &Arena, t: Term) {
        if self.terms.len() <= t.index() {
            // Some more than needed: chains grow.
            self.terms.resize(2 * a.term_count() + 256, Known::default());
        }
    }

    /// Looks at a term with known arguments, of which one, that differs so many levels below, is another one than in a
    /// term that is known; nothing else is different.
    pub fn learn_like(
        &mut self,
        a: &Arena,
        symbols: &Symbols,
        [t, old]: [Term; 2],
        [x, old_x]: [Term; 2],
        levels: usize,
    ) {
        self.reserve(a, t);
        if self.terms[t.index()].known {
            return;
        }
        let like = self.terms[old.index()];
        let same_top = levels > logic::DEPTH || !logic::looks_below(a.head(t));
        let (k, l) = (&self.terms[x.index()], &self.terms[old_x.index()]);
        let same = k.features == l.features && k.binds == l.binds && k.simple == l.simple;
        if same && same_top && !logic::skips(a.head(t)) {
            self.terms[t.index()] = Known { text: Range::default(), flat: false, ..like };
        } else {
            self.look(a, symbols, t, Some(like.own).filter(|_| same_top));
        }
    }

    /// Looks at a term whose arguments are known; the features of its top may be known too.
    fn look(&mut self, a: &Arena, symbols: &Symbols, t: Term, own: Option<u32>) {
        let head = a.head(t);
        let mut binds = 0;
        let mut simple = match head {
            Head::Op(op, _) => op != Op::Apply,
            Head::Fun(f) => a.fun(f).kind != FunKind::Named,
            Head::Var(_) | Head::Lit(_) => true,
            Head::Match(_) | Head::Bind(Binder::SetComprehension, _) => false,
            Head::Annot(attrs) => !a.attr_list(attrs).iter().any(|x| matches!(x, Attr::Named(_))),
            Head::Bind(_, vars) => match symbols.bound(a, vars) {
                Some(own) => {
                    binds = own;
                    true
                }
                None => false,
            },
        };
        let mut below = 0;
        for c in a.args(t) {
            let c = &self.terms[c.index()];
            simple &= c.simple;
            below |= c.binds;
        }
        simple &= binds & below == 0;
        let own = own.unwrap_or_else(|| logic::of_term(a, t));
        let counted = logic::counted(a, t).iter();
        let features = counted.fold(own, |f, c| f | self.terms[c.index()].features);
        let k = &mut self.terms[t.index()];
        (k.own, k.features, k.binds, k.simple, k.known) =
            (own, features, binds | below, simple, true);
    }

    pub fn get(&self, t: Term) -> Option<&Known> {
        self.terms.get(t.index()).filter(|k| k.known)
    }

    /// The length of a term's text, if it is known.
    pub fn length(&self, t: Term) -> u32 {
        self.terms[t.index()].text.len
    }

    /// Notes the length of a term's text, which is not remembered itself.
    pub fn set_length(&mut self, t: Term, len: u32) {
        let text = &mut self.terms[t.index()].text;
        debug_assert!(text.len == 0 || text.len == len);
        if text.len == 0 {
            *text = Range { start: Range::ELSEWHERE, len };
        }
    }

    /// Whether no term that is worth a let stands in two places below this one; a text of it needs no let then.
    pub fn is_flat(&mut self, a: &Arena, root: Term, options: &PrintOptions) -> bool {
        if a.tree_size(root) <= options.spelled || self.terms[root.index()].flat {
            return true;
        }
        self.walks.resize(self.terms.len(), 0);
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.walks.fill(0);
            self.walk = 1;
        }
        self.stack.push(root);
        while let Some(t) = self.stack.pop() {
            for &c in a.args(t) {
                if a.tree_size(c) >= options.let_size {
                    if self.walks[c.index()] == self.walk {
                        self.stack.clear();
                        return false;
                    }
                    self.walks[c.index()] = self.walk;
                    self.stack.push(c);
                }
            }
        }
        self.terms[root.index()].flat = true;
        true
    }

    pub fn set_flat(&mut self, t: Term) {
        self.terms[t.index()].flat = true;
    }

    pub fn text(&self, r: Range) -> &str {
        &self.all[r.start as usize..(r.start + r.len) as usize]
    }

    /// Remembers a text.
    pub fn keep(&mut self, text: &str) -> Range {
        let start = self.all.len() as u32;
        self.all.push_str(text);
        Range { start, len: text.len() as u32 }
    }

    /// How much text is remembered.
    pub fn size(&self) -> usize {
        self.all.len()
    }

    /// Forgets terms from this number on.
    pub fn truncate(&mut self, terms: usize) {
        self.terms.truncate(terms);
        self.walks.truncate(terms);
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.truncate(0);
    }

    /// The text of a simple term, which is made, with those below it, if it is not remembered.
    pub fn of(&mut self, heads: Heads<'_>, root: Term) -> &str {
        if !self.terms[root.index()].text.here() {
            self.remember(heads, root);
        }
        self.text(self.terms[root.index()].text)
    }

    fn remember(&mut self, heads: Heads<'_>, root: Term) {
        let a = heads.a;
        self.frames.push((root, 0, self.all.len() as u32));
        'terms: while let Some((t, next, start)) = self.frames.pop() {
            let args = a.args(t);
            if next == 0 {
                if !args.is_empty() {
                    self.all.push('(');
                }
                heads.write(t, &mut self.all);
            }
            for (i, c) in args.iter().enumerate().skip(next as usize) {
                heads.before(t, i, &mut self.all);
                let r = self.terms[c.index()].text;
                if !r.here() {
                    self.frames.push((t, i as u32 + 1, start));
                    self.frames.push((*c, 0, self.all.len() as u32));
                    continue 'terms;
                }
                self.all.extend_from_within(r.start as usize..(r.start + r.len) as usize);
            }
            if !args.is_empty() {
                heads.before(t, args.len(), &mut self.all);
            }
            self.terms[t.index()].text = Range { start, len: self.all.len() as u32 - start };
        }
    }
}

impl Symbols {
    /// The names of some variables, as a set of hashes, if they are called by them wherever none of them is in scope.
    pub(super) fn bound(&self, a: &Arena, vars: VarList) -> Option<u32> {
        let mut set = 0;
        for &v in a.vars(vars) {
            let name = a.var(v).name;
            let bit = 1 << (name.index() % 32);
            let taken = self.taken.get(name.index()).copied().unwrap_or(false);
            // Lets have names that begin with `_`.
            if taken
                || set & bit != 0
                || !a.ops_named(name).is_empty()
                || a.name(name).starts_with('_')
            {
                return None;
            }
            set |= bit;
        }
        Some(set)
    }
}

impl Printer<'_> {
    /// Writes a term by its remembered text, if it may have one; else `false`.
    pub(super) fn by_memory(&mut self, sharing: &Sharing, t: Term) -> bool {
        let Some(texts) = &mut self.texts else { return false };
        let Some(&k) = texts.get(t).filter(|k| k.simple) else { return false };
        let named = (self.renamed == 0 || self.a.is_closed(t))
            && (k.binds == 0 || self.in_scope.is_empty());
        let no_lets = sharing.at.is_empty() || !sharing.levels.contains_key(&t);
        if !named || !no_lets {
            return false;
        }
        let heads = Heads { a: self.a, naming: self.options.naming, symbols: &self.symbols };
        self.out.push_str(texts.of(heads, t));
        true
    }
}
