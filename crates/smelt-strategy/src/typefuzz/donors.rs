//! Expressions of other seeds, with their symbols declared where they are used.
//!
//! A free symbol of a donor becomes a symbol of the script of the same sort, or one of its own with a new name. What is new is
//! declared before everything else in the script, when an expression that needs it is used for the first time.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_case::{OpSet, Seed};
use smelt_smtlib::arena::Attr;
use smelt_smtlib::import::Importer;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Head, Script, Sort, SortDecl, SortKind, Term};

use super::pool::Pool;
use crate::Input;
use crate::accepted;
use crate::places::Places;
use crate::visible::{Span, Visible};

/// How many expressions one donor gives.
const PER_DONOR: usize = 24;

/// An expression with more nodes is not taken.
const LARGEST: u64 = 30;

/// The symbols of donors that are not declared yet.
pub(super) struct Donors {
    /// Where declarations go: functions there, sorts just before.
    at: usize,
    sorts: FxHashMap<SortDecl, usize>,
    /// Sorts that are declared together.
    groups: Vec<Vec<SortDecl>>,
    funs: FxHashSet<Fun>,
}

impl Donors {
    /// Harvests the partners of a chain into the pool.
    pub fn new(
        script: &mut Script,
        visible: &mut Visible,
        pool: &mut Pool,
        input: &Input<'_>,
        random: &mut ChaCha8Rng,
    ) -> Self {
        let header = |c: &Command| {
            matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..))
        };
        let at = script.commands.iter().take_while(|c| header(c)).count();
        let mut donors = Self {
            at,
            sorts: FxHashMap::default(),
            groups: Vec::new(),
            funs: FxHashSet::default(),
        };
        // A `reset` forgets what was declared before it.
        let reset = |c: &Command| matches!(c, Command::Reset | Command::ResetAssertions);
        let until = script.commands.iter().position(reset);
        let span = Span::between(at, until);
        for (i, partner) in input.partners.iter().enumerate() {
            let terms = harvest(partner, input.ops, random);
            let suffix = new_suffix(&script.arena, i);
            let mut importer = Importer::new().rename(&suffix);
            adopt(&mut importer, script, partner, &terms, random);
            let (src, dst) = (&partner.script.arena, &mut script.arena);
            let copies: Vec<Term> = terms.iter().map(|&t| importer.term(src, dst, t)).collect();
            let mut names = FxHashSet::default();
            if !importer.new_sorts.iter().all(|&d| names.insert(dst.sort_decl(d).name)) {
                // Two sorts of one name, in different scopes of the donor.
                continue;
            }
            for &f in &importer.new_funs {
                visible.add_fun(f, span);
                donors.funs.insert(f);
            }
            if !importer.new_sorts.is_empty() {
                for &d in &importer.new_sorts {
                    visible.add_sort(dst, d, span);
                    donors.sorts.insert(d, donors.groups.len());
                }
                donors.groups.push(importer.new_sorts);
            }
            pool.add(dst, visible, &copies);
        }
        donors
    }

    /// Declares what a term needs and the script does not have yet.
    pub fn declare(&mut self, places: &mut Places, t: Term) {
        if self.funs.is_empty() && self.sorts.is_empty() {
            return;
        }
        let a = &places.script.arena;
        let mut funs: Vec<Command> = Vec::new();
        let mut sorts: Vec<Sort> = Vec::new();
        for t in a.dag(&[t]) {
            sorts.push(a.sort(t));
            match a.head(t) {
                Head::Fun(f) if self.funs.remove(&f) => {
                    sorts.extend(a.fun(f).args.iter().chain([&a.fun(f).ret]));
                    funs.push(Command::DeclareFun(f));
                }
                Head::Bind(_, vars) => sorts.extend(a.vars(vars).iter().map(|&v| a.var(v).sort)),
                _ => {}
            }
        }
        let mut groups: Vec<usize> = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some(s) = sorts.pop() {
            if self.sorts.is_empty() || !seen.insert(s) {
                continue;
            }
            if let SortKind::Named(d, _) = a.sort_kind(s)
                && let Some(&g) = self.sorts.get(d)
                && !groups.contains(&g)
            {
                groups.push(g);
            }
            a.sort_kind(s).for_each_child(|c| sorts.push(c));
        }
        let mut new = Vec::new();
        for g in groups {
            new.extend(declarations(a, &self.groups[g]));
            self.sorts.retain(|_, of| *of != g);
        }
        let sorts = new.len();
        new.extend(funs);
        if new.is_empty() {
            return;
        }
        places.insert(self.at, new);
        self.at += sorts;
    }
}

/// The commands that declare some sorts: free ones first, then all datatypes together.
fn declarations(a: &Arena, group: &[SortDecl]) -> Vec<Command> {
    let free = |d: &&SortDecl| matches!(a.sort_decl(**d).kind, SortDeclKind::Free);
    let mut out: Vec<Command> =
        group.iter().filter(free).map(|&d| Command::DeclareSort(d)).collect();
    let datatypes: Box<[SortDecl]> = group.iter().filter(|d| !free(d)).copied().collect();
    if !datatypes.is_empty() {
        out.push(Command::DeclareDatatypes(datatypes));
    }
    out
}

/// Some closed expressions of a seed that can be moved to another script.
fn harvest(seed: &Seed, ops: &OpSet, random: &mut ChaCha8Rng) -> Vec<Term> {
    let a = &seed.script.arena;
    if declares_twice(a) {
        return Vec::new();
    }
    let mut bad: FxHashSet<Term> = FxHashSet::default();
    let mut out = Vec::new();
    for t in a.dag(&seed.script.roots()) {
        let own = match a.head(t) {
            Head::Op(op, _) => ops.contains(op) && accepted::introduced(op),
            Head::Fun(f) => matches!(
                a.fun(f).kind,
                FunKind::Free | FunKind::Constructor(..) | FunKind::Selector(..)
            ),
            Head::Annot(attrs) => !a.attr_list(attrs).iter().any(|x| matches!(x, Attr::Named(_))),
            _ => true,
        };
        if !own || a.args(t).iter().any(|c| bad.contains(c)) || co(a, a.sort(t)) {
            bad.insert(t);
            continue;
        }
        let whole = !matches!(a.head(t), Head::Annot(_)) && !matches!(a.kind(t), SortKind::Fun(..));
        if whole && a.is_closed(t) && a.tree_size(t) <= LARGEST {
            out.push(t);
        }
    }
    while out.len() > PER_DONOR {
        out.swap_remove(random.random_range(0..out.len()));
    }
    out.sort_unstable();
    out
}

/// Whether one name means two things, in different scopes or by overloading.
fn declares_twice(a: &Arena) -> bool {
    let mut funs = FxHashSet::default();
    let mut sorts = FxHashSet::default();
    (0..a.fun_count()).filter_map(|i| a.fun_at(i)).any(|f| {
        let d = a.fun(f);
        let sort = match d.kind {
            FunKind::Constructor(s, 0) => Some(s),
            _ => None,
        };
        !funs.insert(d.name) || sort.is_some_and(|s| !sorts.insert(a.sort_decl(s).name))
    })
}

/// Whether a co-datatype is in the sort: its declaration cannot be joined with others.
fn co(a: &Arena, s: Sort) -> bool {
    let kind = a.sort_kind(s);
    let mut found = match kind {
        SortKind::Named(d, _) => {
            matches!(a.sort_decl(*d).kind, SortDeclKind::Datatype { co: true, .. })
        }
        _ => false,
    };
    kind.for_each_child(|c| found |= co(a, c));
    found
}

/// Maps constants of the donor to constants of the script of the same sort, each with even chance.
fn adopt(
    importer: &mut Importer,
    script: &mut Script,
    donor: &Seed,
    terms: &[Term],
    random: &mut ChaCha8Rng,
) {
    let mut own: FxHashMap<Sort, Vec<Fun>> = FxHashMap::default();
    for c in &script.commands {
        if let Command::DeclareFun(f) = c
            && script.arena.fun(*f).args.is_empty()
        {
            own.entry(script.arena.fun(*f).ret).or_default().push(*f);
        }
    }
    let src = &donor.script.arena;
    for t in src.dag(terms) {
        let Head::Fun(f) = src.head(t) else { continue };
        let d = src.fun(f);
        if d.kind != FunKind::Free || !d.args.is_empty() || names_sort(src, d.ret) {
            continue;
        }
        let sort = importer.sort(src, &mut script.arena, d.ret);
        if let Some(list) = own.get(&sort)
            && random.random_bool(0.5)
        {
            importer.map_fun(f, list[random.random_range(0..list.len())]);
        }
    }
}

/// Whether a declared sort is in the sort.
fn names_sort(a: &Arena, s: Sort) -> bool {
    let kind = a.sort_kind(s);
    let mut found = matches!(kind, SortKind::Named(..));
    kind.for_each_child(|c| found |= names_sort(a, c));
    found
}

/// An ending that no name of the script has.
fn new_suffix(a: &Arena, i: usize) -> String {
    let mut suffix = format!(".d{i}");
    let names: Vec<&str> =
        (0..a.fun_count()).filter_map(|i| a.fun_at(i)).map(|f| a.name(a.fun(f).name)).collect();
    while names.iter().any(|n| n.ends_with(&suffix)) {
        suffix.push('_');
    }
    suffix
}
