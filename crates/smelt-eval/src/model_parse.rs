//! Reading models as z3, cvc5, cvc4, Yices and Bitwuzla print them.

use crate::eval::Evaluator;
use crate::function::Table;
use crate::model::{Interpretation, Model, PartialMeaning};
use crate::model_text::{Cut, Form, Item, Pieces, by_use, closing, cut, token_text};
use crate::outcome::Outcome;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smelt_smtlib::lexer::Tok;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{
    Arena, Command, Error, Fun, FunKind, Head, Op, ParseOptions, Script, Sort, SortKind, Term, Var,
    VarList, parse_in, parse_terms, print_sort, write_symbol,
};
use std::sync::Arc;

/// How to read a model.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// Whether strings are escaped as z3 did up to 4.8.10: `\x41`, `\n`.
    pub old_escapes: bool,
    /// What the parser accepts; its `model_values` is switched on.
    pub parse: ParseOptions,
}

/// Reads the answer to `(get-model)` or `(get-value …)` for a script, and completes it.
///
/// Terms of the model are added to the script's arena. A text that is no model of this script (truncated, of another
/// script, with other sorts) is an error with its place. Symbols are those in scope at the end of the script; for a check
/// before a `pop` see [`parse_model_at`].
pub fn parse_model(
    script: &mut Script,
    text: &[u8],
    options: &ModelOptions,
) -> Result<Model, Error> {
    let cut = cut(text, options.old_escapes)?;
    let mut options = options.clone();
    options.parse.model_values = true;
    let symbols = Symbols::of(script);
    let before = script.arena.fun_count();
    let mut model = match cut.form {
        Form::Definitions => definitions(script, &cut, &options, &symbols)?,
        Form::Values => values(script, &cut, &options)?,
        Form::Equations => crate::model_yices::equations(script, &cut, &options, &symbols)?,
    };
    name_elements(&script.arena, before, &mut model);
    settle(&script.arena, &mut model);
    model.complete(&script.arena, symbols.free.iter().copied());
    Ok(model)
}

/// The same for the check at this place among the script's commands ([`smelt_smtlib::Query::command`]): the model is about
/// the symbols that are in scope there.
pub fn parse_model_at(
    script: &mut Script,
    check: usize,
    text: &[u8],
    options: &ModelOptions,
) -> Result<Model, Error> {
    let behind = script.commands.split_off((check + 1).min(script.commands.len()));
    let model = parse_model(script, text, options);
    script.commands.extend(behind);
    model
}

/// Counts the elements of free sorts that the model names, among the functions from `first` on: there are at least these.
fn name_elements(a: &Arena, first: usize, model: &mut Model) {
    let mut count: FxHashMap<Sort, u64> = FxHashMap::default();
    for f in (first..a.fun_count()).filter_map(|i| a.fun_at(i)) {
        let d = a.fun(f);
        let declared = matches!(model.value(f), Some(Value::Uninterpreted { id, .. }) if *id as usize == f.index());
        if d.args.is_empty() && is_free_sort(a, d.ret) && (d.kind == FunKind::Abstract || declared)
        {
            *count.entry(d.ret).or_default() += 1;
        }
    }
    for (sort, n) in count {
        // A list of all elements that lacks one which the model uses is no such list.
        if model.universe(sort).is_some_and(|all| (all.len() as u64) < n) {
            model.forget_universe(sort);
        }
        model.set_named_elements(sort, n);
    }
}

/// The symbols of a script that a model may define.
pub(crate) struct Symbols {
    pub free: Vec<Fun>,
    by_name: FxHashMap<String, Vec<Fun>>,
}

impl Symbols {
    /// Symbols that a `pop` has taken away, and those of models that were read before, are not the script's.
    fn of(script: &Script) -> Symbols {
        let a = &script.arena;
        let (mut declared, mut levels): (Vec<Fun>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut global = false;
        for c in &script.commands {
            match c {
                Command::SetOption(k, v) if &**k == ":global-declarations" => {
                    global = &**v == "true"
                }
                Command::Pop(_) if global => {}
                Command::DeclareFun(f) | Command::DefineFun(f) => declared.push(*f),
                Command::DefineFunsRec(all) => declared.extend_from_slice(all),
                Command::Push(n) => levels.extend((0..*n).map(|_| declared.len())),
                Command::Pop(n) => {
                    for _ in 0..*n {
                        declared.truncate(levels.pop().unwrap_or(0));
                    }
                }
                Command::Reset => {
                    declared.clear();
                    levels.clear();
                }
                _ => {}
            }
        }
        let mut by_name: FxHashMap<String, Vec<Fun>> = FxHashMap::default();
        let mut add = |f: Fun| by_name.entry(a.name(a.fun(f).name).to_owned()).or_default().push(f);
        declared.iter().copied().for_each(&mut add);
        for f in (0..a.fun_count()).filter_map(|i| a.fun_at(i)) {
            match a.fun(f).kind {
                FunKind::Free | FunKind::Defined | FunKind::Recursive | FunKind::Abstract => {}
                _ => add(f),
            }
        }
        let free = declared.into_iter().filter(|&f| a.fun(f).kind == FunKind::Free).collect();
        Symbols { free, by_name }
    }

    pub fn named(&self, name: &str) -> &[Fun] {
        self.by_name.get(name).map_or(&[], |l| l)
    }
}

/// The operator that a function of a model interprets outside its domain.
fn partial_op(name: &str) -> Option<Op> {
    Some(match name {
        "/" | "/0" => Op::Div,
        "div" | "div0" => Op::IntDiv,
        "mod" | "mod0" => Op::Mod,
        "rem" | "rem0" => Op::Rem,
        "fp.min" | "fp.min_i" | "fp.min_unspecified" => Op::FpMin,
        "fp.max" | "fp.max_i" | "fp.max_unspecified" => Op::FpMax,
        "fp.to_ubv" | "fp.to_ubv_i" | "fp.to_ubv_unspecified" => Op::FpToUbv,
        "fp.to_sbv" | "fp.to_sbv_i" | "fp.to_sbv_unspecified" => Op::FpToSbv,
        "fp.to_real" | "fp.to_real_i" | "fp.to_real_unspecified" => Op::FpToReal,
        "fp.to_ieee_bv" | "fp.to_ieee_bv_i" | "fp.to_ieee_bv_unspecified" => Op::FpToIeeeBv,
        "seq.nth" | "seq.nth_u" => Op::SeqNth,
        _ => return None,
    })
}

/// `(define-fun …)` and its kin.
pub(crate) fn definitions(
    script: &mut Script,
    cut: &Cut,
    options: &ModelOptions,
    symbols: &Symbols,
) -> Result<Model, Error> {
    let mut kept: Vec<&Item> = Vec::new();
    let mut helpers: Vec<Option<String>> = Vec::new();
    let mut universe_items: Vec<&Item> = Vec::new();
    for item in &cut.items {
        let word = token_text(&cut.source, &item.tokens[1]);
        let name = item.tokens.get(2).map_or("", |t| token_text(&cut.source, t));
        match word {
            // What the script defines itself needs no second definition.
            "define-fun" | "define-fun-rec" | "define-const"
                if is_defined(&script.arena, symbols, name) => {}
            "define-fun" | "define-fun-rec" | "define-const" => {
                let clash = is_taken(script, symbols, name);
                helpers.push((!clash).then(|| name.to_owned()));
                kept.push(item);
            }
            "define-funs-rec" | "declare-fun" | "declare-const" => {
                if word == "define-funs-rec" || symbols.named(name).is_empty() {
                    helpers.push(Some(name.to_owned()));
                    kept.push(item);
                }
            }
            "declare-sort" | "define-sort" | "declare-datatype" => {
                if !sort_is_declared(script, name) {
                    helpers.push(Some(name.to_owned()));
                    kept.push(item);
                }
            }
            "declare-datatypes" => {
                // `(declare-datatypes ((L 1)) …`: the first name decides.
                let first = item.tokens.get(4).map_or("", |t| token_text(&cut.source, t));
                if !sort_is_declared(script, first) {
                    helpers.push(Some(first.to_owned()));
                    kept.push(item);
                }
            }
            "forall" => universe_items.push(item),
            other => {
                let message = format!("unexpected `{other}` in a model");
                return Err(Error::new(item.tokens[1].span(), message).expected("`define-fun`"));
            }
        }
    }
    let items: Vec<Item> = kept.into_iter().cloned().collect();
    let (commands, renamed) = read_items(script, cut, options, symbols, &items, &helpers)?;
    let a = &script.arena;
    let mut model = Model::new();
    let mut names = renamed.iter();
    for c in &commands {
        match *c {
            Command::DefineFun(f) => {
                if let Some((name, i)) = names.next() {
                    define(a, &mut model, symbols, name, f, &items[*i])?;
                }
            }
            // `(declare-fun T!val!0 () T)`: an element.
            Command::DeclareFun(f) if is_free_sort(a, a.fun(f).ret) && a.fun(f).args.is_empty() => {
                let sort = a.fun(f).ret;
                let id = f.index() as u32;
                model.set_value(f, Value::Uninterpreted { sort: sort.index() as u32, id });
            }
            _ => {}
        }
    }
    universes(script, cut, options, &universe_items, &commands, &mut model);
    Ok(model)
}

/// Most definitions that are left out because they cannot be read.
const MAX_LEFT_OUT: usize = 20;

/// The names of definitions in the order of the commands, with the items they stand for.
type Renamed = Vec<(String, usize)>;

/// Reads the items as commands. Solvers also define functions of their own, with sorts and operators that nobody else has:
/// one that cannot be read is left out, and so is what uses it.
fn read_items(
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
struct Instances {
    /// By constructor, and by the name of the datatype: the only instance.
    only: FxHashMap<String, String>,
}

impl Instances {
    fn of(a: &Arena) -> Instances {
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
fn copy_exact(pieces: &mut Pieces, cut: &Cut, item: &Item, from: usize, instances: &Instances) {
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

/// Does the script define all functions of this name?
fn is_defined(a: &Arena, symbols: &Symbols, name: &str) -> bool {
    let defined =
        |&f: &Fun| matches!(a.fun(f).kind, FunKind::Defined | FunKind::Recursive | FunKind::Named);
    let all = symbols.named(name);
    !all.is_empty() && all.iter().all(defined)
}

/// Is a name one that the script declares, or an operator's?
fn is_taken(script: &Script, symbols: &Symbols, name: &str) -> bool {
    !symbols.named(name).is_empty()
        || !Op::by_name(name).is_empty()
        || script.arena.find_sym(name).is_some_and(|s| !script.arena.ops_named(s).is_empty())
}

fn sort_is_declared(script: &Script, name: &str) -> bool {
    let a = &script.arena;
    script.commands.iter().any(|c| match c {
        Command::DeclareSort(d) => a.name(a.sort_decl(*d).name) == name,
        Command::DefineSort(s, ..) => a.name(*s) == name,
        Command::DeclareDatatypes(ds) => ds.iter().any(|d| a.name(a.sort_decl(*d).name) == name),
        _ => false,
    })
}

pub(crate) fn is_free_sort(a: &Arena, sort: Sort) -> bool {
    matches!(a.sort_kind(sort), SortKind::Named(d, _) if a.sort_decl(*d).kind == SortDeclKind::Free)
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

/// Records what a definition of the model says about a symbol or operator of the script.
fn define(
    a: &Arena,
    model: &mut Model,
    symbols: &Symbols,
    name: &str,
    f: Fun,
    item: &Item,
) -> Result<(), Error> {
    let d = a.fun(f);
    let Some((params, body)) = d.def else { return Ok(()) };
    let meaning = || Interpretation::Body(params, body);
    let candidates = symbols.named(name);
    if let Some(&target) = candidates.iter().find(|&&g| {
        let t = a.fun(g);
        t.args == d.args && t.ret == d.ret && t.params.is_empty()
    }) {
        if matches!(a.fun(target).kind, FunKind::Free | FunKind::External | FunKind::Selector(..)) {
            model.set(target, meaning());
        }
        return Ok(());
    }
    // A selector of a parametric datatype, at one instance: not told apart from others, so left open.
    if candidates.iter().any(|&g| matches!(a.fun(g).kind, FunKind::Selector(..))) {
        return Ok(());
    }
    if let Some(&target) = candidates.iter().find(|&&g| same_function(a, g, f)) {
        if a.fun(target).kind == FunKind::Free {
            model.set(target, meaning());
        }
        return Ok(());
    }
    if let Some(op) = partial_op(name)
        && candidates.is_empty()
    {
        let (args, ret) = (d.args.clone(), d.ret);
        model.set_partial(PartialMeaning { op, args, ret, meaning: meaning() });
        return Ok(());
    }
    if let Some(&g) = candidates.iter().find(|&&g| a.fun(g).kind == FunKind::Free) {
        let span = item.tokens.get(2).map_or(item.start()..item.end(), |t| t.span());
        let (have, want) = (signature(a, f), signature(a, g));
        let message =
            format!("the model gives `{name}` the sort {have}, but it is declared {want}");
        return Err(Error::new(span, message));
    }
    // Auxiliary symbols of solvers have a `!` or an `@` in their names; another constant is of another script.
    let auxiliary = name.contains(['!', '@', '#', '$']) || !d.args.is_empty();
    if candidates.is_empty() && !auxiliary && Op::by_name(name).is_empty() {
        let span = item.tokens.get(2).map_or(item.start()..item.end(), |t| t.span());
        let message = format!("`{name}` is not a symbol of the script");
        return Err(Error::new(span, message).expected("a model of this script"));
    }
    Ok(())
}

/// A symbol of array or function sort may be printed as a function, and the other way round.
fn same_function(a: &Arena, g: Fun, f: Fun) -> bool {
    flat(a, g) == flat(a, f)
}

fn flat(a: &Arena, f: Fun) -> (Vec<Sort>, Sort) {
    let d = a.fun(f);
    let (mut args, mut ret) = (d.args.to_vec(), d.ret);
    loop {
        match a.sort_kind(ret) {
            SortKind::Array(i, e) => {
                args.push(*i);
                ret = *e;
            }
            SortKind::Fun(more, r) => {
                args.extend_from_slice(more);
                ret = *r;
            }
            _ => return (args, ret),
        }
    }
}

fn signature(a: &Arena, f: Fun) -> String {
    let d = a.fun(f);
    if d.args.is_empty() {
        return print_sort(a, d.ret);
    }
    let args: Vec<String> = d.args.iter().map(|&s| print_sort(a, s)).collect();
    format!("({}) {}", args.join(" "), print_sort(a, d.ret))
}

/// The elements of free sorts, as comments and cardinality constraints list them.
fn universes(
    script: &mut Script,
    cut: &Cut,
    options: &ModelOptions,
    constraints: &[&Item],
    commands: &[Command],
    model: &mut Model,
) {
    // z3: `(forall ((x T)) (or (= x T!val!0) …))` lists the constants that it declared.
    for item in constraints {
        let mentioned: Vec<&str> = item.tokens.iter().map(|t| token_text(&cut.source, t)).collect();
        let mut by_sort: FxHashMap<Sort, Vec<Value>> = FxHashMap::default();
        for c in commands {
            if let Command::DeclareFun(f) = c
                && let d = script.arena.fun(*f)
                && mentioned.contains(&script.arena.name(d.name))
                && let Some(v) = model.value(*f)
            {
                by_sort.entry(d.ret).or_default().push(v.clone());
            }
        }
        for (sort, elements) in by_sort {
            model.set_universe(sort, elements);
        }
    }
    // cvc5 and cvc4, in comments.
    for (_, elements) in &cut.universes {
        let mut values = Vec::new();
        let mut sort = None;
        // The names of declared elements are in scope only while the model is read.
        let before = script.commands.len();
        script.commands.extend(commands.iter().cloned());
        for e in elements {
            let term = parse_terms(script, e.as_bytes(), &options.parse);
            let Ok([t]) = term.as_deref() else { continue };
            if let Head::Fun(f) = script.arena.head(*t) {
                sort = Some(script.arena.sort(*t));
                let s = script.arena.sort(*t).index() as u32;
                values.push(Value::Uninterpreted { sort: s, id: f.index() as u32 });
            }
        }
        script.commands.truncate(before);
        if let Some(sort) = sort
            && values.len() == elements.len()
            && is_free_sort(&script.arena, sort)
        {
            model.set_universe(sort, values);
        }
    }
}

/// `((term value) …)`
fn values(script: &mut Script, cut: &Cut, options: &ModelOptions) -> Result<Model, Error> {
    let mut pieces = Pieces::default();
    let mut spans = Vec::new();
    // First the terms, to know the sorts of elements that are only named.
    let mut terms = Pieces::default();
    let mut split = Vec::new();
    for item in &cut.items {
        let last = item.tokens.len() - 1;
        let middle = closing(&item.tokens[..last], 1).map_or(last, |i| i + 1);
        if middle >= last || closing(&item.tokens[..last], middle) != Some(last - 1) {
            return Err(Error::new(item.start()..item.end(), "not a term and its value")
                .expected("`(term value)`"));
        }
        let (from, to) = (item.tokens[1].start(), item.tokens[middle - 1].end());
        terms.copy(&cut.source, from, to);
        terms.invent("\n", to);
        split.push(middle);
    }
    let parsed = parse_terms(script, terms.text(), &options.parse);
    let parsed = parsed.map_err(|e| terms.relocate(e))?;
    if parsed.len() != cut.items.len() {
        return Err(Error::new(0..1, "the terms and values do not come in pairs"));
    }
    let instances = Instances::of(&script.arena);
    for ((item, middle), &t) in cut.items.iter().zip(split).zip(&parsed) {
        let last = item.tokens.len() - 1;
        let value = &item.tokens[middle];
        let text = token_text(&cut.source, value);
        let span = value.start()..item.tokens[last - 1].end();
        if middle == last - 1 && text.starts_with('@') {
            let sort = print_sort(&script.arena, script.arena.sort(t));
            pieces.invent(&format!("(as {text} {sort})"), value.start());
        } else {
            let part = Item { tokens: item.tokens[middle..last].to_vec() };
            copy_exact(&mut pieces, cut, &part, 0, &instances);
        }
        pieces.invent("\n", span.end);
        spans.push(span);
    }
    let given = parse_terms(script, pieces.text(), &options.parse);
    let given = given.map_err(|e| pieces.relocate(e))?;
    let mut model = Model::new();
    for ((&t, &v), span) in parsed.iter().zip(&given).zip(spans) {
        let (want, have) = (script.arena.sort(t), script.arena.sort(v));
        let v = if want == Sort::REAL && have == Sort::INT { script.arena.to_real(v) } else { v };
        let a = &script.arena;
        if want != have && (want, have) != (Sort::REAL, Sort::INT) {
            let message = format!(
                "the value has sort {}, but the term {}",
                print_sort(a, have),
                print_sort(a, want)
            );
            return Err(Error::new(span, message));
        }
        match a.head(t) {
            Head::Fun(f) if a.args(t).is_empty() && a.fun(f).kind == FunKind::Free => {
                model.set(f, Interpretation::Body(VarList::EMPTY, v));
            }
            _ => model.add_claim(t, v),
        }
    }
    point_functions(&script.arena, &mut model);
    Ok(model)
}

/// Arguments and the result.
type Point = (Box<[Value]>, Value);

/// Claims about applications of free functions to terms of known value are points of tables. What such a function is
/// elsewhere, the solver did not say.
fn point_functions(a: &Arena, model: &mut Model) {
    let mut points: FxHashMap<Fun, Vec<Point>> = FxHashMap::default();
    let mut evaluator = Evaluator::default();
    for (t, v) in model.claims().to_vec() {
        let Head::Fun(f) = a.head(t) else { continue };
        if a.fun(f).kind != FunKind::Free || a.args(t).is_empty() {
            continue;
        }
        let args: Result<Box<[Value]>, _> =
            a.args(t).iter().map(|&x| evaluator.eval(a, model, x)).collect();
        if let (Ok(args), Ok(v)) = (args, evaluator.eval(a, model, v)) {
            points.entry(f).or_default().push((args, v));
        }
    }
    let mut all: Vec<_> = points.into_iter().collect();
    all.sort_by_key(|(f, _)| *f);
    for (f, list) in all {
        let default = list[0].1.clone();
        if let Some(Ok(table)) = Table::new(list, default) {
            model.set(f, Interpretation::Table(Arc::new(table)));
            model.mark_completed(f);
        }
    }
}

/// Turns bodies into values and tables where that is possible: constants, and chains of `ite` over listed points.
fn settle(a: &Arena, model: &mut Model) {
    let mut evaluator = Evaluator::default();
    for f in model.symbols() {
        let Some(&Interpretation::Body(params, body)) = model.get(f) else { continue };
        let d = a.fun(f);
        if a.vars(params).is_empty() {
            let outcome = evaluator.eval(a, model, body);
            if let Ok(v) = outcome
                && keeps(&v)
            {
                model.set_value(f, v);
            }
        } else if d.args.is_empty() {
            // An array that is printed as a function.
            if let (SortKind::Array(index, _), Some(table)) =
                (a.sort_kind(d.ret), tabulate(a, model, &mut evaluator, params, body))
            {
                let size = crate::domain::Domains::of_model(model).extent(a, *index);
                let entries = table.entries().iter().map(|(k, v)| (k[0].clone(), v.clone()));
                let default = table.default().clone();
                if let Some(Ok(array)) = crate::array::Array::new(default, entries, size) {
                    model.set_value(f, Value::Array(Arc::new(array)));
                }
            }
        } else if let Some(table) = tabulate(a, model, &mut evaluator, params, body) {
            model.set(f, Interpretation::Table(Arc::new(table)));
        }
    }
}

/// May a value outlive the evaluator that made it? Regular expressions belong to its store.
fn keeps(v: &Value) -> bool {
    !matches!(v, Value::Re(_) | Value::Approx(_))
}

/// The table of a body that is a chain of `ite` whose conditions name single points.
fn tabulate(
    a: &Arena,
    model: &Model,
    evaluator: &mut Evaluator,
    params: VarList,
    body: Term,
) -> Option<Table> {
    let params: SmallVec<[Var; 4]> = a.vars(params).into();
    let mut points = Vec::new();
    let mut t = body;
    loop {
        let mut value = |t: Term| -> Option<Value> {
            if !a.is_closed(t) {
                return None;
            }
            let outcome: Outcome = evaluator.eval(a, model, t);
            outcome.ok().filter(keeps)
        };
        match a.head(t) {
            Head::Op(Op::Ite, _) => {
                let &[condition, yes, no] = a.args(t) else { return None };
                points.push((point(a, condition, &params, &mut value)?, value(yes)?));
                t = no;
            }
            _ => {
                let default = value(t)?;
                return Table::new(points, default)?.ok();
            }
        }
    }
}

/// The only point where a conjunction of equations between parameters and values holds.
fn point(
    a: &Arena,
    condition: Term,
    params: &[Var],
    value: &mut dyn FnMut(Term) -> Option<Value>,
) -> Option<Box<[Value]>> {
    let mut found: Vec<Option<Value>> = vec![None; params.len()];
    let mut todo = vec![condition];
    while let Some(t) = todo.pop() {
        let Head::Op(op, _) = a.head(t) else { return None };
        match (op, a.args(t)) {
            (Op::True, _) => {}
            (Op::And, parts) => todo.extend_from_slice(parts),
            (Op::Eq, &[x, y]) => {
                let (v, other) = match (a.head(x), a.head(y)) {
                    (Head::Var(v), _) => (v, y),
                    (_, Head::Var(v)) => (v, x),
                    _ => return None,
                };
                let i = params.iter().position(|&p| p == v)?;
                let new = value(other)?;
                match &found[i] {
                    Some(old) if *old != new => return None,
                    _ => found[i] = Some(new),
                }
            }
            _ => return None,
        }
    }
    found.into_iter().collect()
}
