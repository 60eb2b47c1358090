//! Printing a script that differs little from the one before.
//!
//! The next mutant of a chain differs from the last one in one place, and its terms are hash-consed: what was printed once
//! need not be printed again. Remembered are the texts of declarations and of terms, and the features that decide on the
//! logic. What is printed is exactly what [`super::print`] prints.
//!
//! The text of a term can be remembered where it does not depend on its surroundings: no binder, annotation or given
//! name is in it, and its free variables are called by their own names. Everything else is printed by the printer as
//! always, which takes what it can from here.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    LogicChoice, PrintOptions, Printer, Sharing, Symbols, Work, write_literal, write_symbol,
};
use crate::arena::{Arena, FunKind, Head, Moment, Since, Term, Var};
use crate::logic;
use crate::op::Op;
use crate::script::{Command, Script};

/// When the remembered texts are longer than this, all is forgotten.
const MOST_TEXT: usize = 8 << 20;

/// Prints scripts that resemble each other, one after the other.
pub struct Reprinter {
    options: PrintOptions,
    /// Up to when what is remembered is known to be right.
    moment: Option<Moment>,
    /// How many symbols there were.
    counts: [usize; 4],
    symbols: Symbols,
    texts: Box<Texts>,
    /// By position in the script.
    commands: Vec<Fixed>,
    bodies: Vec<Body>,
    logic: (u32, &'static str),
    out: String,
    spare: Spare,
}

/// Tables of the printer, empty: their room is used again.
#[derive(Default)]
struct Spare {
    var_names: FxHashMap<Var, String>,
    in_scope: FxHashSet<String>,
    let_names: FxHashMap<Term, u32>,
    work: Vec<Work>,
}

/// A range of [`Texts::all`].
#[derive(Clone, Copy, Default)]
struct Range {
    start: u32,
    len: u32,
}

/// A command whose text depends on nothing else.
struct Fixed {
    command: Command,
    text: Range,
    features: u32,
}

/// What was printed for a term that stands in a command, with the state of the printer before and after it.
#[derive(Clone, Default)]
struct Body {
    term: Option<Term>,
    text: Range,
    lets_before: u32,
    lets_after: u32,
    prefix_before: String,
    prefix_after: String,
}

/// What is known about a term.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Its text; empty if it has not been printed.
    text: Range,
    /// Those of all that is below it too.
    features: u32,
    known: bool,
    /// Whether its text does not depend on what is around it.
    simple: bool,
    /// Whether it is known that no let is needed in it.
    flat: bool,
}

/// The texts of terms.
#[derive(Default)]
pub(super) struct Texts {
    all: String,
    terms: Vec<Known>,
    stack: Vec<Term>,
    new: Vec<Term>,
    frames: Vec<(Term, u32, u32)>,
}

impl Texts {
    /// Looks at a term and what is below it; gives the features.
    fn learn(&mut self, a: &Arena, root: Term) -> u32 {
        if self.terms.len() <= root.index() {
            // Some more than needed: chains grow.
            self.terms.resize(a.term_count() * 5 / 4 + 64, Known::default());
        }
        let k = self.terms[root.index()];
        if k.known {
            return k.features;
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
        self.new.sort_unstable();
        for t in self.new.drain(..) {
            let own = match a.head(t) {
                Head::Op(op, _) => op != Op::Apply,
                Head::Fun(f) => a.fun(f).kind != FunKind::Named,
                Head::Var(_) | Head::Lit(_) => true,
                Head::Bind(..) | Head::Match(_) | Head::Annot(_) => false,
            };
            let simple = own && a.args(t).iter().all(|c| self.terms[c.index()].simple);
            let counted = logic::counted(a, t).iter();
            let features =
                counted.fold(logic::of_term(a, t), |f, c| f | self.terms[c.index()].features);
            self.terms[t.index()] =
                Known { features, known: true, simple, ..self.terms[t.index()] };
        }
        self.terms[root.index()].features
    }

    fn text(&self, r: Range) -> &str {
        &self.all[r.start as usize..(r.start + r.len) as usize]
    }

    /// Remembers a text.
    fn keep(&mut self, text: &str) -> Range {
        let start = self.all.len() as u32;
        self.all.push_str(text);
        Range { start, len: text.len() as u32 }
    }
}

impl Printer<'_> {
    /// Writes a term by its remembered text, if it may have one; else `false`.
    pub(super) fn by_memory(&mut self, sharing: &Sharing, t: Term) -> bool {
        let Some(texts) = &self.texts else { return false };
        let Some(k) = texts.terms.get(t.index()).filter(|k| k.known && k.simple) else {
            return false;
        };
        let named = self.renamed == 0 || self.a.is_closed(t);
        let no_lets = sharing.at.is_empty() || !sharing.levels.contains_key(&t);
        if !named || !no_lets {
            return false;
        }
        if k.text.len == 0 {
            self.remember(t);
        }
        if let Some(texts) = &self.texts {
            self.out.push_str(texts.text(texts.terms[t.index()].text));
        }
        true
    }

    /// Makes the text of a simple term, and of those below it that have none.
    fn remember(&mut self, root: Term) {
        let Some(mut texts) = self.texts.take() else { return };
        std::mem::swap(&mut self.out, &mut texts.all);
        let a = self.a;
        let mut frames = std::mem::take(&mut texts.frames);
        frames.push((root, 0, self.out.len() as u32));
        'terms: while let Some((t, next, start)) = frames.pop() {
            let args = a.args(t);
            if next == 0 {
                if !args.is_empty() {
                    self.out.push('(');
                }
                match a.head(t) {
                    Head::Op(op, idx) => self.op_name(t, op, idx),
                    Head::Fun(f) => self.fun_name(t, f),
                    Head::Lit(l) => write_literal(a.lit(l), &mut self.out),
                    Head::Var(v) => write_symbol(a.name(a.var(v).name), &mut self.out),
                    // These are not simple.
                    Head::Bind(..) | Head::Match(_) | Head::Annot(_) => {}
                }
            }
            for (i, c) in args.iter().enumerate().skip(next as usize) {
                self.out.push(' ');
                let r = texts.terms[c.index()].text;
                if r.len == 0 {
                    frames.push((t, i as u32 + 1, start));
                    frames.push((*c, 0, self.out.len() as u32));
                    continue 'terms;
                }
                self.out.extend_from_within(r.start as usize..(r.start + r.len) as usize);
            }
            if !args.is_empty() {
                self.out.push(')');
            }
            texts.terms[t.index()].text = Range { start, len: self.out.len() as u32 - start };
        }
        texts.frames = frames;
        std::mem::swap(&mut self.out, &mut texts.all);
        self.texts = Some(texts);
    }

    /// Whether the text of a term is known not to depend on what is around it.
    pub(super) fn is_simple(&self, t: Term) -> bool {
        self.known(t).is_some_and(|k| k.known && k.simple)
    }

    fn known(&self, t: Term) -> Option<&Known> {
        self.texts.as_ref()?.terms.get(t.index())
    }

    /// An assertion, from remembered text if it can be.
    fn assertion(&mut self, c: &Command, t: Term, body: &mut Body) {
        let small = self.a.tree_size(t) <= self.options.let_size.saturating_mul(4);
        let simple = self.known(t).is_some_and(|k| k.simple && (small || k.flat));
        if simple {
            self.out.push_str("(assert ");
            self.by_memory(&Sharing::default(), t);
            self.out.push(')');
            return;
        }
        // Names and numbers that were given before decide on the text; without any, only the lets count.
        let plain = |p: &Self| p.named_list.is_empty() && p.suffixes.is_empty();
        let same = body.term == Some(t)
            && body.lets_before == self.let_count
            && body.prefix_before == self.let_prefix;
        if same && plain(self) {
            if let Some(texts) = &self.texts {
                self.out.push_str(texts.text(body.text));
            }
            self.let_count = body.lets_after;
            self.let_prefix.clone_from(&body.prefix_after);
            return;
        }
        let (start, before) = (self.out.len(), plain(self));
        let (lets_before, prefix_before) = (self.let_count, self.let_prefix.clone());
        self.command(c);
        *body = Body::default();
        if self.let_count == lets_before && self.is_simple(t) {
            if let Some(texts) = &mut self.texts {
                texts.terms[t.index()].flat = true;
            }
            return;
        }
        if let Some(texts) = self.texts.as_mut().filter(|_| before)
            && self.named_list.is_empty()
            && self.suffixes.is_empty()
        {
            *body = Body {
                term: Some(t),
                text: texts.keep(&self.out[start..]),
                lets_before,
                lets_after: self.let_count,
                prefix_before,
                prefix_after: self.let_prefix.clone(),
            };
        }
    }
}

impl Reprinter {
    /// With nothing remembered.
    pub fn new(options: PrintOptions) -> Self {
        Self {
            options,
            moment: None,
            counts: [0; 4],
            symbols: Symbols::default(),
            texts: Box::default(),
            commands: Vec::new(),
            bodies: Vec::new(),
            logic: (0, logic::logic_of(0)),
            out: String::new(),
            spare: Spare::default(),
        }
    }

    /// The text of a script: the same as that of [`super::print`].
    pub fn print(&mut self, script: &Script) -> &str {
        let a = &script.arena;
        if a.juxtaposes() {
            self.out = super::print(script, &self.options);
            return &self.out;
        }
        self.catch_up(a);
        let features = self.learn(script);
        self.out.clear();
        let logic = match &self.options.logic {
            LogicChoice::Keep => None,
            LogicChoice::Smallest => {
                if self.logic.0 != features {
                    self.logic = (features, logic::logic_of(features));
                }
                Some(self.logic.1)
            }
            LogicChoice::Given(l) => Some(l.as_str()),
        };
        let symbols = std::mem::take(&mut self.symbols);
        let mut p = Printer::with(a, &self.options, symbols);
        p.out = std::mem::take(&mut self.out);
        p.texts = Some(std::mem::take(&mut self.texts));
        let Spare { var_names, in_scope, let_names, work } = std::mem::take(&mut self.spare);
        (p.var_names, p.in_scope, p.let_names, p.work) = (var_names, in_scope, let_names, work);
        let begun = p.begin(&script.commands, logic);
        let commands = script.commands.iter().zip(&self.commands).zip(&mut self.bodies);
        for ((c, fixed), body) in commands.skip(begun) {
            if p.leaves_out(c, logic.is_some()) {
                continue;
            }
            match c {
                Command::Assert(t) => p.assertion(c, *t, body),
                _ if fixed.text.len > 0 => {
                    if let Some(texts) = &p.texts {
                        p.out.push_str(texts.text(fixed.text));
                    }
                }
                _ => p.command(c),
            }
            p.out.push('\n');
        }
        let Printer { out, symbols, texts, var_names, in_scope, let_names, work, .. } = p;
        debug_assert!(var_names.is_empty() && in_scope.is_empty() && let_names.is_empty());
        self.spare = Spare { var_names, in_scope, let_names, work };
        self.out = out;
        self.symbols = symbols;
        self.texts = texts.unwrap_or_default();
        &self.out
    }

    /// Forgets what the arena has forgotten.
    fn catch_up(&mut self, a: &Arena) {
        let counts = a.mark().symbols();
        let since = self.moment.map_or(Since::Other, |m| a.since(m));
        let kept = match since {
            Since::Other => false,
            Since::Nothing => true,
            Since::Back(mark) => {
                self.texts.terms.truncate(mark.terms());
                // A term of a later number may stand for another one now.
                let gone = |t: &Term| t.index() >= mark.terms();
                for b in self.bodies.iter_mut().filter(|b| b.term.as_ref().is_some_and(gone)) {
                    *b = Body::default();
                }
                mark.symbols().iter().zip(&self.counts).all(|(low, had)| low >= had)
            }
        };
        // New symbols may make bound variables change their names.
        let same = kept && counts == self.counts && self.texts.all.len() <= MOST_TEXT;
        if !same {
            self.symbols = Symbols::new(a);
            self.counts = counts;
            self.texts.all.clear();
            self.texts.terms.clear();
            self.commands.clear();
            self.bodies.clear();
        }
        self.moment = Some(a.moment());
    }

    /// Looks at all commands; gives the features of the script.
    fn learn(&mut self, script: &Script) -> u32 {
        let a = &script.arena;
        self.bodies.resize_with(script.commands.len(), Body::default);
        self.commands.truncate(script.commands.len());
        let mut features = 0;
        for (i, c) in script.commands.iter().enumerate() {
            match c {
                Command::Assert(t) => features |= self.texts.learn(a, *t),
                Command::AssertSoft(t, _) | Command::Minimize(t, _) | Command::Maximize(t, _) => {
                    features |= self.texts.learn(a, *t);
                }
                Command::CheckSatAssuming(ts) | Command::GetValue(ts) => {
                    features |= ts.iter().fold(0, |f, &t| f | self.texts.learn(a, t));
                }
                Command::DefineFun(f) => {
                    if let Some((_, t)) = a.fun(*f).def {
                        features |= self.texts.learn(a, t);
                    }
                }
                Command::DefineFunsRec(fs) => {
                    for (_, t) in fs.iter().filter_map(|&f| a.fun(f).def) {
                        features |= self.texts.learn(a, t);
                    }
                }
                _ => {}
            }
            features |= self.fixed(a, i, c);
        }
        features
    }

    /// The features of a command apart from its terms; its text is remembered if it depends on nothing else.
    fn fixed(&mut self, a: &Arena, at: usize, c: &Command) -> u32 {
        if let (Command::Assert(_), Some(f)) = (c, self.commands.get(at))
            && matches!(f.command, Command::Assert(_))
        {
            return f.features;
        }
        if let Some(f) = self.commands.get(at).filter(|f| f.command == *c) {
            return f.features;
        }
        let pure = match c {
            Command::SetLogic(_)
            | Command::SetInfo(..)
            | Command::DeclareSort(_)
            | Command::DefineSort(..)
            | Command::DeclareFun(_)
            | Command::DeclareDatatypes(_)
            | Command::CheckSat
            | Command::CheckSatUsing(_)
            | Command::Exit
            | Command::Other(_) => true,
            // These have terms in them, or change the state of the printer.
            _ => false,
        };
        let mut text = Range::default();
        if pure {
            let mut p = Printer::with(a, &self.options, Symbols::default());
            p.command(c);
            text = self.texts.keep(&p.out);
        }
        let new = Fixed { command: c.clone(), text, features: logic::of_command(a, c) };
        let features = new.features;
        match self.commands.get_mut(at) {
            Some(old) => *old = new,
            None => self.commands.push(new),
        }
        features
    }
}
