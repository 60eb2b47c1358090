//! The definitions of a model as commands: those that cannot be read are left out, names that clash are changed, and what
//! solvers leave implicit is written out.

use super::{ModelOptions, Symbols, partial_op, sort_is_declared};
use crate::model_text::{Cut, Item, Pieces, by_use, token_text};
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::lexer::Tok;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{
    Arena, Command, Error, Fun, FunKind, Script, Sort, SortKind, parse_in, print_sort, write_symbol,
};

/// Most definitions that are left out because they cannot be read.
const MAX_LEFT_OUT: usize = 20;

/// The names of definitions in the order of the commands, with the items they stand for.
type Renamed = Vec<(String, usize)>;

/// Reads the items as commands. Solvers also define functions of their own, with sorts and operators that nobody else has:
/// one that cannot be read is left out, and so is what uses it.
pub(super) fn read_items(
    script: &mut Script,
    cut: &Cut,
    options: &ModelOptions,
    symbols: &Symbols,
    items: &[Item],
    helpers: &[Option<String>],
) -> Result<(Vec<Command>, Renamed), Error> {
    let instances = Instances::of(&script.arena);
    let order = by_use(&cut.source, items, helpers);
    let mut left_out: Vec<usize> = Vec::new();
    loop {
        let mark = script.arena.mark();
        let mut pieces = Pieces::default();
        declare_elements(script, cut, symbols, &mut pieces);
        let mut renamed: Renamed = Vec::new();
        for &i in order.iter().filter(|i| !left_out.contains(i)) {
            let item = &items[i];
            let word = token_text(&cut.source, &item.tokens[1]);
            match (&helpers[i], item.tokens.get(2)) {
                (None, Some(name)) => {
                    let new = format!(" smelt!model!{i}");
                    pieces.copy(&cut.source, item.start(), name.start());
                    pieces.invent(&new, name.start());
                    copy_exact(&mut pieces, cut, item, 3, &instances);
                    renamed.push((token_text(&cut.source, name).to_owned(), i));
                }
                _ => {
                    copy_exact(&mut pieces, cut, item, 0, &instances);
                    if matches!(word, "define-fun" | "define-const" | "define-fun-rec") {
                        renamed.push((helpers[i].clone().unwrap_or_default(), i));
                    }
                }
            }
            pieces.invent("\n", item.end());
        }
        let e = match parse_in(script, pieces.text(), &options.parse) {
            Ok(commands) => return Ok((commands, renamed)),
            Err(e) => pieces.relocate(e),
        };
        script.arena.rollback(mark);
        let at = items.iter().position(|i| i.start() <= e.span.start && e.span.start < i.end());
        match at {
            Some(i)
                if left_out.len() < MAX_LEFT_OUT
                    && !left_out.contains(&i)
                    && may_be_left_out(script, cut, symbols, items, &left_out, i) =>
            {
                left_out.push(i);
            }
            _ => return Err(e),
        }
    }
}

/// Is an item about no symbol of the script, or about one whose meaning rests on what was left out before?
fn may_be_left_out(
    script: &Script,
    cut: &Cut,
    symbols: &Symbols,
    items: &[Item],
    left_out: &[usize],
    i: usize,
) -> bool {
    let name = |item: &Item| item.tokens.get(2).map_or("", |t| token_text(&cut.source, t));
    let own = |&f: &Fun| script.arena.fun(f).kind == FunKind::Free;
    let auxiliary = |n: &str| {
        symbols.named(n).is_empty() && (n.contains(['!', '@', '#', '$']) || partial_op(n).is_some())
    };
    let missing: Vec<&str> = left_out.iter().map(|&k| name(&items[k])).collect();
    let uses = || items[i].tokens.iter().any(|t| missing.contains(&token_text(&cut.source, t)));
    auxiliary(name(&items[i])) || (symbols.named(name(&items[i])).iter().any(own) && uses())
}

/// z3 leaves out the sorts of parametric constructors, or their parameters. Where the script has only one instance of
/// the datatype, there is only one way to read them.
pub(super) struct Instances {
    /// By constructor, and by the name of the datatype: the only instance.
    only: FxHashMap<String, String>,
}

impl Instances {
    pub(super) fn of(a: &Arena) -> Instances {
        let mut found: FxHashMap<smelt_smtlib::SortDecl, Vec<Sort>> = FxHashMap::default();
        for sort in (0..a.sort_count()).filter_map(|i| a.sort_at(i)) {
            if let SortKind::Named(d, args) = a.sort_kind(sort)
                && !args.is_empty()
                && !a.sort_has_params(sort)
            {
                found.entry(*d).or_default().push(sort);
            }
        }
        let mut only = FxHashMap::default();
        for (d, sorts) in found {
            let ([sort], SortDeclKind::Datatype { constructors, .. }) =
                (&sorts[..], &a.sort_decl(d).kind)
            else {
                continue;
            };
            let text = print_sort(a, *sort);
            only.insert(a.name(a.sort_decl(d).name).to_owned(), text.clone());
            for &c in constructors {
                only.insert(a.name(a.fun(c).name).to_owned(), text.clone());
            }
        }
        Instances { only }
    }

    /// What to write instead of a token.
    fn instead(&self, cut: &Cut, item: &Item, i: usize) -> Option<String> {
        let t = &item.tokens[i];
        if !matches!(t.kind, Tok::Symbol | Tok::Quoted) || self.only.is_empty() {
            return None;
        }
        let word = |k: usize| item.tokens.get(k).map_or("", |t| token_text(&cut.source, t));
        let name = word(i);
        let sort = self.only.get(name)?;
        if i >= 2 && word(i - 2) == "as" && item.tokens[i + 1].kind == Tok::Close {
            return sort.starts_with(&format!("({name} ")).then(|| sort.clone());
        }
        let mut quoted = String::new();
        write_symbol(name, &mut quoted);
        // Not a sort that has its parameters, and not ascribed already; `(_ is nil)` needs no sort.
        let constructor = !sort.starts_with(&format!("({quoted} "));
        let inside = i > 0 && matches!(word(i - 1), "as" | "is");
        (constructor && !inside).then(|| format!("(as {quoted} {sort})"))
    }
}

/// Copies an item from its `from`-th token on; numbers that are only approximate get no value.
pub(super) fn copy_exact(
    pieces: &mut Pieces,
    cut: &Cut,
    item: &Item,
    from: usize,
    instances: &Instances,
) {
    let mut done = item.tokens.get(from).map_or(item.end(), |t| t.start());
    if from > 0 {
        pieces.invent(" ", done);
    }
    for (i, t) in item.tokens.iter().enumerate().skip(from) {
        let instead = match t.kind {
            // Yices prints irrational numbers as decimals of six digits, and no other number as a decimal.
            Tok::Decimal => {
                let text = token_text(&cut.source, t);
                let digits = text.split_once('.').map_or("", |(_, d)| d);
                (digits.len() == 6).then(|| format!("(as @approximate{} Real)", t.start()))
            }
            _ => instances.instead(cut, item, i),
        };
        if let Some(new) = instead {
            pieces.copy(&cut.source, done, t.start());
            pieces.invent(&new, t.start());
            done = t.end();
        } else if let Some((new, end)) = unit_of_character(cut, &item.tokens[i..]) {
            pieces.copy(&cut.source, done, t.start());
            pieces.invent(&new, t.start());
            done = end;
        }
    }
    pieces.copy(&cut.source, done, item.end());
}

/// z3 writes some strings of one character as `(seq.unit (_ Char 97))`: the literal, and where the term ends.
fn unit_of_character(cut: &Cut, tokens: &[smelt_smtlib::lexer::Token]) -> Option<(String, usize)> {
    let [open, unit, inner, underscore, char, code, end, close, ..] = tokens else { return None };
    let text = |t| token_text(&cut.source, t);
    let kinds = [open, inner, end, close].map(|t| t.kind);
    if kinds != [Tok::Open, Tok::Open, Tok::Close, Tok::Close]
        || [text(unit), text(underscore), text(char)] != ["seq.unit", "_", "Char"]
    {
        return None;
    }
    let code: u32 = text(code).parse().ok()?;
    Some((format!("\"\\u{{{code:x}}}\""), close.end()))
}

/// cvc4 uses names of elements (`@uc_T_0`) without declaring them: they are in comments only.
fn declare_elements(script: &Script, cut: &Cut, symbols: &Symbols, pieces: &mut Pieces) {
    for (sort, elements) in &cut.universes {
        for e in elements {
            let bare = e.starts_with('@') && !e.contains([' ', '(']);
            if bare && symbols.named(e).is_empty() && sort_is_declared(script, sort) {
                pieces.invent(&format!("(declare-fun {e} () {sort})\n"), 0);
            }
        }
    }
    // z3 declares the elements of a sort only if quantifiers are about it.
    let declared: FxHashSet<&str> = cut
        .items
        .iter()
        .filter(|i| token_text(&cut.source, &i.tokens[1]).starts_with("declare"))
        .filter_map(|i| i.tokens.get(2).map(|t| token_text(&cut.source, t)))
        .collect();
    let mut seen = FxHashSet::default();
    for t in cut.items.iter().flat_map(|i| &i.tokens) {
        let name = token_text(&cut.source, t);
        // cvc4 lists its elements in comments, but not always.
        let bare = name.strip_prefix("@uc_").and_then(|n| n.rsplit_once('_'));
        let listed = cut.universes.iter().any(|(_, all)| all.iter().any(|e| e == name));
        if matches!(t.kind, Tok::Symbol | Tok::Quoted)
            && let Some((sort, _)) = name.split_once("!val!").or(bare.filter(|_| !listed))
            && !declared.contains(name)
            && symbols.named(name).is_empty()
            && sort_is_declared(script, sort)
            && seen.insert(name)
        {
            let (mut quoted, mut of) = (String::new(), String::new());
            write_symbol(name, &mut quoted);
            write_symbol(sort, &mut of);
            pieces.invent(&format!("(declare-fun {quoted} () {of})\n"), t.start());
        }
    }
}
