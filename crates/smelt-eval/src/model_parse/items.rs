//! The definitions of a model as commands: those that cannot be read are left out, names that clash are changed, and what
//! solvers leave implicit is written out.

use super::elements::declare_elements;
use super::wording::Wording;
use super::{ModelOptions, Symbols, partial_op};
use crate::model_text::{Cut, Item, Pieces, by_use, closing, token_text};
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::lexer::Tok;
use smelt_smtlib::{Command, Error, Fun, FunKind, Script, parse_in, write_symbol};

/// Most definitions that are left out because they cannot be read.
const MAX_LEFT_OUT: usize = 20;

/// The names of definitions in the order of the commands, with the items they stand for.
type Renamed = Vec<(String, usize)>;

/// The items of a model as commands.
pub(super) struct Commands {
    pub commands: Vec<Command>,
    pub renamed: Renamed,
    /// Items that do not say exactly what they define.
    pub unclear: FxHashSet<usize>,
}

/// Reads the items as commands. Solvers also define functions of their own, with sorts and operators that nobody else has:
/// one that cannot be read is left out, and so is what uses it.
pub(super) fn read_items(
    script: &mut Script,
    cut: &Cut,
    options: &ModelOptions,
    symbols: &Symbols,
    wording: &Wording,
    items: &[Item],
    helpers: &[Option<String>],
) -> Result<Commands, Error> {
    let order = by_use(&cut.source, items, helpers);
    let mut unclear = unclear_items(cut, wording, items);
    let mut left_out: Vec<usize> = Vec::new();
    loop {
        let mark = script.arena.mark();
        let mut pieces = Pieces::default();
        declare_elements(script, cut, &wording.elements, symbols, &mut pieces);
        let mut renamed: Renamed = Vec::new();
        for &i in order.iter().filter(|i| !left_out.contains(i) && !unclear.contains(i)) {
            let item = &items[i];
            let word = token_text(&cut.source, &item.tokens[1]);
            let name = item.tokens.get(2);
            let new = match (&helpers[i], name) {
                (None, Some(name)) => {
                    renamed.push((token_text(&cut.source, name).to_owned(), i));
                    Some(format!("smelt!model!{i}"))
                }
                (Some(helper), _) if word.starts_with("declare") => {
                    let new = wording.elements.name(helper);
                    (new != helper).then(|| new.to_owned())
                }
                (helper, _) => {
                    if matches!(word, "define-fun" | "define-const" | "define-fun-rec") {
                        renamed.push((helper.clone().unwrap_or_default(), i));
                    }
                    None
                }
            };
            match (new, name) {
                (Some(new), Some(name)) => {
                    let mut quoted = String::from(" ");
                    write_symbol(&new, &mut quoted);
                    pieces.copy(&cut.source, item.start(), name.start());
                    pieces.invent(&quoted, name.start());
                    wording.copy(&mut pieces, cut, item, 3);
                }
                _ => wording.copy(&mut pieces, cut, item, 0),
            }
            pieces.invent("\n", item.end());
        }
        let e = match parse_in(script, pieces.text(), &options.parse) {
            Ok(commands) => return Ok(Commands { commands, renamed, unclear }),
            Err(e) => pieces.relocate(e),
        };
        script.arena.rollback(mark);
        let at = items.iter().position(|i| i.start() <= e.span.start && e.span.start < i.end());
        match at {
            // An unknown value is taken for one of sort Real, which it may not be.
            Some(i) if !wording.is_exact(cut, &items[i], 3) && !unclear.contains(&i) => {
                unclear.insert(i);
            }
            Some(i)
                if left_out.len() < MAX_LEFT_OUT
                    && !left_out.contains(&i)
                    && may_be_left_out(script, cut, symbols, items, &left_out, &unclear, i) =>
            {
                left_out.push(i);
            }
            _ => return Err(e),
        }
    }
}

/// The items by which more than one thing can be meant: by a word in them, because the model has two definitions of one
/// name and signature, or because it declares elements of two sorts under one name. (z3 names functions of its own `k!0`, also
/// where the script has that name, and calls the first element of `(A Int)` and of `(A Bool)` `A!val!0`.)
fn unclear_items(cut: &Cut, wording: &Wording, items: &[Item]) -> FxHashSet<usize> {
    let word = |i: &Item, k: usize| i.tokens.get(k).map_or("", |t| token_text(&cut.source, t));
    let clear = |i: &Item| wording.is_clear(cut, i, 3);
    let mut unclear: FxHashSet<usize> = (0..items.len()).filter(|&i| !clear(&items[i])).collect();
    let mut first: FxHashMap<(&str, Vec<&str>), usize> = FxHashMap::default();
    let mut twice: FxHashSet<&str> = FxHashSet::default();
    for (i, item) in items.iter().enumerate() {
        let kind = match word(item, 1) {
            "define-fun" | "define-fun-rec" | "define-const" => signature(cut, item),
            "declare-fun" | "declare-const" => vec!["declared"],
            _ => continue,
        };
        let other = *first.entry((word(item, 2), kind)).or_insert(i);
        if other != i {
            twice.insert(word(item, 2));
            unclear.extend([i, other]);
        }
    }
    if !twice.is_empty() {
        let uses = |i: &Item| (3..i.tokens.len()).any(|k| twice.contains(word(i, k)));
        unclear.extend((0..items.len()).filter(|&i| uses(&items[i])));
    }
    unclear
}

/// The words between the name of a definition and its body, without the names of parameters.
fn signature<'c>(cut: &'c Cut, item: &Item) -> Vec<&'c str> {
    let close = closing(&item.tokens, 3).unwrap_or(3);
    let end = closing(&item.tokens, close + 1).unwrap_or(close);
    let range =
        if item.tokens.get(3).is_some_and(|t| t.kind == Tok::Open) { 3..end + 1 } else { 3..4 };
    let mut depth = 0usize;
    let mut out = Vec::new();
    for k in range {
        let Some(t) = item.tokens.get(k) else { break };
        // The name of a parameter stands behind the second parenthesis.
        let parameter = k < close && depth == 2 && item.tokens[k - 1].kind == Tok::Open;
        match t.kind {
            Tok::Open => depth += 1,
            Tok::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !parameter {
            out.push(token_text(&cut.source, t));
        }
    }
    out
}

/// Is an item about no symbol of the script, or about one whose meaning rests on what was left out before?
fn may_be_left_out(
    script: &Script,
    cut: &Cut,
    symbols: &Symbols,
    items: &[Item],
    left_out: &[usize],
    unclear: &FxHashSet<usize>,
    i: usize,
) -> bool {
    let name = |item: &Item| item.tokens.get(2).map_or("", |t| token_text(&cut.source, t));
    let own = |&f: &Fun| script.arena.fun(f).kind == FunKind::Free;
    let auxiliary = |n: &str| {
        symbols.named(n).is_empty() && (n.contains(['!', '@', '#', '$']) || partial_op(n).is_some())
    };
    let missing: Vec<&str> = left_out.iter().chain(unclear).map(|&k| name(&items[k])).collect();
    let uses = || items[i].tokens.iter().any(|t| missing.contains(&token_text(&cut.source, t)));
    auxiliary(name(&items[i])) || (symbols.named(name(&items[i])).iter().any(own) && uses())
}
