//! Printing a script that differs little from the one before.
//!
//! The next mutant of a chain differs from the last one in one place, and its terms are hash-consed: what was printed once
//! need not be printed again. The last text is kept with the place of each command in it. If one term has changed, only
//! what differs is replaced (see [`super::splice`]); else the text is put together from remembered texts of declarations
//! and terms. What is printed is exactly what [`super::print`] prints.

use rustc_hash::{FxHashMap, FxHashSet};

use super::heads::Heads;
use super::splice::Bench;
use super::texts::{Range, Texts};
use super::{LogicChoice, PrintOptions, Printer, Sharing, Symbols, Work};
use crate::arena::{Arena, Moment, Since, Term, Var, VarList};
use crate::logic;
use crate::script::{Command, Script};

/// When the remembered texts are longer than this, all is forgotten.
const MOST_TEXT: usize = 8 << 20;

/// Prints scripts that resemble each other, one after the other.
pub struct Reprinter {
    pub(super) options: PrintOptions,
    /// Up to when what is remembered is known to be right.
    moment: Option<Moment>,
    /// How many symbols there were.
    counts: [usize; 4],
    pub(super) stock: Stock,
    /// By position in the script.
    pub(super) commands: Vec<Fixed>,
    logics: FxHashMap<u32, &'static str>,
    pub(super) out: String,
    pub(super) page: Page,
    pub(super) bench: Bench,
}

/// What a printer works with, kept from one text to the next.
#[derive(Default)]
pub(super) struct Stock {
    pub symbols: Symbols,
    pub texts: Box<Texts>,
    // Tables of the printer, empty: their room is used again.
    var_names: FxHashMap<Var, String>,
    in_scope: FxHashSet<String>,
    let_names: FxHashMap<Term, u32>,
    work: Vec<Work>,
}

impl Stock {
    pub fn lend<'p>(
        &mut self,
        a: &'p Arena,
        options: &'p PrintOptions,
        out: String,
    ) -> Printer<'p> {
        let mut p = Printer::with(a, options, std::mem::take(&mut self.symbols));
        p.out = out;
        p.texts = Some(std::mem::take(&mut self.texts));
        p.var_names = std::mem::take(&mut self.var_names);
        p.in_scope = std::mem::take(&mut self.in_scope);
        p.let_names = std::mem::take(&mut self.let_names);
        p.work = std::mem::take(&mut self.work);
        p
    }

    /// Gives what was printed.
    pub fn take_back(&mut self, p: Printer<'_>) -> String {
        let Printer { out, symbols, texts, var_names, in_scope, let_names, work, .. } = p;
        debug_assert!(var_names.is_empty() && in_scope.is_empty() && let_names.is_empty());
        (self.var_names, self.in_scope, self.let_names) = (var_names, in_scope, let_names);
        (self.symbols, self.texts, self.work) = (symbols, texts.unwrap_or_default(), work);
        out
    }
}

/// A command, and its text if that depends on nothing else.
pub(super) struct Fixed {
    pub command: Command,
    text: Range,
    /// What the command itself needs of a logic (sorts, declarations), without what its terms need.
    pub features: u32,
}

/// The last text, by position in the script.
#[derive(Default)]
pub(super) struct Page {
    /// Whether the change of one term changes nothing but the text of its command and the logic.
    pub sound: bool,
    /// The only command in which variables do not have their own names.
    pub renamer: Option<usize>,
    /// How many terms there were.
    pub count: usize,
    pub entries: Vec<Entry>,
    /// Where each command begins.
    pub starts: Vec<u32>,
    /// The features of each command.
    pub features: Vec<u32>,
    /// The bodies of functions that are defined together, in order.
    pub together: Vec<Term>,
    /// The logic of the header, if it was found for this text, and where it stands.
    pub logic: Option<(&'static str, usize)>,
    /// The prefix of lets, once there is one.
    pub prefix: String,
}

/// A command in the last text.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    /// The term of an assertion, or the body of a definition.
    pub term: Option<Term>,
    /// The parameters of a definition.
    pub params: Option<VarList>,
    /// How many bytes it has, without the end of the line.
    pub len: u32,
    /// Whether the term is printed just before the last parenthesis, by a text that does not depend on anything.
    pub flat: bool,
    /// The names of its parameters, as a set of hashes.
    pub names: u32,
    pub before: Lets,
    pub after: Lets,
}

/// How far the printer is with lets.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lets {
    pub count: u32,
    /// Whether their prefix has been chosen.
    pub chosen: bool,
}

impl Printer<'_> {
    fn lets(&self) -> Lets {
        Lets { count: self.let_count, chosen: !self.let_prefix.is_empty() }
    }

    /// A command, from remembered text if it can be.
    pub(super) fn entry(&mut self, c: &Command, fixed: &Fixed) -> Entry {
        let (before, start) = (self.lets(), self.out.len());
        let (params, term) = match c {
            Command::Assert(t) => (None, Some(*t)),
            Command::DefineFun(f) => self.a.fun(*f).def.unzip(),
            _ => (None, None),
        };
        let names = self.symbols.bound(self.a, params.unwrap_or(VarList::EMPTY));
        let flat = term.zip(names).is_some_and(|(t, names)| self.is_flat(t, names));
        match (c, term) {
            (Command::Assert(_), Some(t)) if flat => {
                self.out.push_str("(assert ");
                self.by_memory(&Sharing::default(), t);
                self.out.push(')');
            }
            _ if fixed.text.len > 0 => {
                if let Some(texts) = &self.texts {
                    self.out.push_str(texts.text(fixed.text));
                }
            }
            _ => self.command(c),
        }
        if let (true, Some(t), Some(texts)) = (flat, term, &mut self.texts) {
            let symbols = &self.symbols;
            let heads = Heads { a: self.a, naming: self.options.naming, symbols };
            let text = texts.of(heads, t);
            debug_assert!(self.out.strip_suffix(')').is_some_and(|o| o.ends_with(text)));
        }
        let len = (self.out.len() - start) as u32;
        let names = names.unwrap_or(0);
        Entry { term, params, len, flat, names, before, after: self.lets() }
    }

    /// Whether the text of a term does not depend on anything, where these names are in scope.
    fn is_flat(&mut self, t: Term, names: u32) -> bool {
        let Some(texts) = &mut self.texts else { return false };
        texts.get(t).is_some_and(|k| k.simple && k.binds & names == 0)
            && texts.is_flat(self.a, t, self.options)
    }
}

impl Reprinter {
    /// With nothing remembered.
    pub fn new(options: PrintOptions) -> Self {
        Self {
            options,
            moment: None,
            counts: [0; 4],
            stock: Stock::default(),
            commands: Vec::new(),
            logics: FxHashMap::default(),
            out: String::new(),
            page: Page::default(),
            bench: Bench::default(),
        }
    }

    /// The text of a script: the same as that of [`super::print`].
    pub fn print(&mut self, script: &Script) -> &str {
        if script.arena.juxtaposes() {
            self.page.sound = false;
            self.out = super::print(script, &self.options);
            return &self.out;
        }
        self.catch_up(&script.arena);
        if !self.splice(script) {
            self.whole(script);
        }
        &self.out
    }

    /// Puts the text together.
    fn whole(&mut self, script: &Script) {
        let a = &script.arena;
        self.commands.truncate(script.commands.len());
        let mut page = std::mem::take(&mut self.page);
        page.features.clear();
        page.features.extend(script.commands.iter().enumerate().map(|(i, c)| self.learn(a, i, c)));
        let found = self.logic(page.features.iter().fold(0, |f, g| f | g));
        let logic = match (&self.options.logic, found) {
            (LogicChoice::Given(l), _) => Some(l.as_str()),
            (_, found) => found,
        };
        self.out.clear();
        let mut p = self.stock.lend(a, &self.options, std::mem::take(&mut self.out));
        let begun = p.begin(&script.commands, logic);
        page.logic = found.map(|l| (l, p.out.len() - ")\n".len() - l.len()));
        page.sound = true;
        page.renamer = None;
        page.count = a.term_count();
        page.starts.clear();
        page.starts.resize(begun, 0);
        page.entries.clear();
        page.entries.resize(begun, Entry::default());
        page.together.clear();
        let commands = script.commands.iter().zip(&self.commands).enumerate();
        for (i, (c, fixed)) in commands.skip(begun) {
            page.starts.push(p.out.len() as u32);
            let mut entry = Entry::default();
            if !p.leaves_out(c, logic.is_some()) {
                let renamed = p.renamings;
                entry = p.entry(c, fixed);
                p.out.push('\n');
                // A name may be forgotten again at the end of its scope.
                page.sound &= p.named_list.is_empty();
                if p.renamings > renamed {
                    page.sound &= page.renamer.is_none();
                    page.renamer = Some(i);
                }
            }
            page.entries.push(entry);
            if let Command::DefineFunsRec(fs) = c {
                page.together.extend(fs.iter().filter_map(|&f| a.fun(f).def).map(|(_, t)| t));
            }
        }
        page.prefix.clone_from(&p.let_prefix);
        self.out = self.stock.take_back(p);
        self.page = page;
    }

    /// The logic to write, if the features decide on it.
    pub(super) fn logic(&mut self, features: u32) -> Option<&'static str> {
        (self.options.logic == LogicChoice::Smallest)
            .then(|| *self.logics.entry(features).or_insert_with(|| logic::logic_of(features)))
    }

    /// Forgets what the arena has forgotten.
    fn catch_up(&mut self, a: &Arena) {
        let few = self.stock.texts.size() <= MOST_TEXT;
        let symbols = a.symbol_counts() == [self.counts[0], self.counts[3]];
        if few && symbols && self.moment == Some(a.moment()) {
            return;
        }
        let counts = a.mark().symbols();
        let since = self.moment.map_or(Since::Other, |m| a.since(m));
        let kept = match since {
            Since::Other => false,
            Since::Nothing => true,
            Since::Back(mark) => {
                // A term of a later number may stand for another one now.
                self.stock.texts.truncate(mark.terms());
                self.page.sound &= self.page.count <= mark.terms();
                mark.symbols().iter().zip(&self.counts).all(|(low, had)| low >= had)
            }
        };
        // New symbols may make bound variables change their names; new sorts do nothing.
        if !kept || !symbols || !few {
            self.stock.symbols = Symbols::new(a);
            self.stock.texts.clear();
            self.commands.clear();
            self.page.sound = false;
        }
        self.counts = counts;
        self.moment = Some(a.moment());
    }

    /// Looks at a command and its terms; gives the features.
    pub(super) fn learn(&mut self, a: &Arena, at: usize, c: &Command) -> u32 {
        let own = self.fixed(a, at, c);
        let Stock { texts, symbols, .. } = &mut self.stock;
        let mut term = |t: Term| texts.learn(a, symbols, t);
        own | match c {
            Command::Assert(t) => term(*t),
            Command::AssertSoft(t, _) | Command::Minimize(t, _) | Command::Maximize(t, _) => {
                term(*t)
            }
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => {
                ts.iter().fold(0, |f, &t| f | term(t))
            }
            Command::DefineFun(f) => a.fun(*f).def.map_or(0, |(_, t)| term(t)),
            Command::DefineFunsRec(fs) => {
                let bodies = fs.iter().filter_map(|&f| a.fun(f).def);
                bodies.fold(0, |f, (_, t)| f | term(t))
            }
            _ => 0,
        }
    }

    /// The features of a command apart from its terms; its text is remembered if it depends on nothing else.
    fn fixed(&mut self, a: &Arena, at: usize, c: &Command) -> u32 {
        let same = |f: &&Fixed| match (&f.command, c) {
            (Command::Assert(_), Command::Assert(_)) => true,
            (old, new) => old == new,
        };
        if let Some(f) = self.commands.get(at).filter(same) {
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
            text = self.stock.texts.keep(&p.out);
        }
        let features = logic::of_command(a, c);
        let new = Fixed { command: c.clone(), text, features };
        match self.commands.get_mut(at) {
            Some(old) => *old = new,
            None => self.commands.push(new),
        }
        features
    }
}
