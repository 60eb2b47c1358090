//! Reading models as z3, cvc5, cvc4, Yices and Bitwuzla print them.

mod elements;
mod instances;
mod items;
mod tables;
mod values;
mod wording;

use crate::exactness::{Exactness, Rounded};
use crate::model::{Interpretation, Model, PartialMeaning};
use crate::model_text::{Cut, Form, Item, closing, cut, token_text};
use crate::value::Value;
use elements::is_plain;
use items::{Commands, read_items};
use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::lexer::Tok;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{
    Arena, Command, Error, Fun, FunKind, Head, Op, ParseOptions, Script, Sort, SortKind,
    parse_terms, print_sort,
};
use tables::settle;
use values::values;
use wording::Wording;

/// How to read a model.
///
/// The default suits any solver: no number is taken as exact that some solver rounds.
#[derive(Clone, Debug)]
pub struct ModelOptions {
    /// Whether strings are escaped as z3 did up to 4.8.10: `\x41`, `\n`.
    pub old_escapes: bool,
    /// Passes over what is said in comments: which elements a free sort has.
    pub no_remarks: bool,
    /// What the parser accepts; its `model_values` is switched on.
    pub parse: ParseOptions,
    /// Which numbers the solver rounds.
    pub rounded: Vec<Rounded>,
}

impl Default for ModelOptions {
    fn default() -> ModelOptions {
        ModelOptions {
            old_escapes: false,
            no_remarks: false,
            parse: ParseOptions::default(),
            rounded: vec![Rounded::CAREFUL],
        }
    }
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
        Form::Values => values(script, &cut, &options, &symbols)?,
        Form::Equations => crate::model_yices::equations(script, &cut, &options, &symbols)?,
    };
    let exactness = Exactness::of(&options.rounded, script);
    distrust(&script.arena, &symbols, exactness, &mut model);
    name_elements(&script.arena, before, &mut model);
    settle(&script.arena, &mut model);
    model.complete(&script.arena, symbols.free.iter().copied());
    Ok(model)
}

/// Reads a model ([`parse_model`]) of the check at this place among the script's commands ([`smelt_smtlib::Query::command`]): it
/// is about the symbols that are in scope there.
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

/// Takes away what the model says about values of sort Real, where none of them is to be trusted.
fn distrust(a: &Arena, symbols: &Symbols, exactness: Exactness, model: &mut Model) {
    let holds = |args: &[Sort], ret: Sort| {
        args.iter().chain([&ret]).any(|&sort| exactness.distrusts(a, sort))
    };
    for &f in &symbols.free {
        if model.get(f).is_some() && holds(&a.fun(f).args, a.fun(f).ret) {
            model.set_unknown(f);
        }
    }
    model.retain_partials(|p| !holds(&p.args, p.ret));
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
    // A list of all elements that lacks one which the model uses is no such list, and the others come from the same hand:
    // at a second check-sat, cvc5 1.4.2 lists elements of another model than the one that it prints.
    let lacks =
        |(sort, n): (&Sort, &u64)| model.universe(*sort).is_some_and(|all| (all.len() as u64) < *n);
    if count.iter().any(lacks) {
        model.forget_universes();
    }
    for (sort, n) in count {
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
        let mut declared: Vec<Fun> = Vec::new();
        for i in script.in_force(script.commands.len()) {
            match &script.commands[i] {
                Command::DeclareFun(f) | Command::DefineFun(f) => declared.push(*f),
                Command::DefineFunsRec(all) => declared.extend_from_slice(all),
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

    fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(|n| &**n)
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
    let wording = Wording::of(script, symbols, cut, options);
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
                if word == "define-funs-rec"
                    || symbols.named(name).is_empty()
                    || wording.elements.declares_clash(name)
                {
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
    let Commands { commands, renamed, unclear } =
        read_items(script, cut, options, symbols, &wording, &items, &helpers)?;
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
                model.set_value(f, element(a, f));
            }
            _ => {}
        }
    }
    for item in unclear.into_iter().map(|i| &items[i]) {
        let name = item.tokens.get(2).map_or("", |t| token_text(&cut.source, t));
        let free = |f: &&Fun| a.fun(**f).kind == FunKind::Free;
        symbols.named(name).iter().filter(free).for_each(|&f| model.set_unknown(f));
    }
    constraints(a, cut, &wording, &universe_items, &commands, &mut model);
    if !options.no_remarks {
        remarks(script, cut, options, symbols, &commands, &mut model);
    }
    Ok(model)
}

/// The element of a free sort that a constant names.
fn element(a: &Arena, f: Fun) -> Value {
    Value::Uninterpreted { sort: a.fun(f).ret.index() as u32, id: f.index() as u32 }
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

/// Is a sort declared by `declare-sort`? Its elements are not known by structure.
pub fn is_free_sort(a: &Arena, sort: Sort) -> bool {
    matches!(a.sort_kind(sort), SortKind::Named(d, _) if a.sort_decl(*d).kind == SortDeclKind::Free)
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
            only_once(model, target, &meaning(), name, item)?;
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
            only_once(model, target, &meaning(), name, item)?;
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

/// Refuses a second definition of a symbol, unless it is the first one again: nobody knows which of two values is meant.
fn only_once(
    model: &Model,
    f: Fun,
    meaning: &Interpretation,
    name: &str,
    item: &Item,
) -> Result<(), Error> {
    let same = |before: &Interpretation| match (before, meaning) {
        (Interpretation::Body(xs, s), Interpretation::Body(ys, t)) => (xs, s) == (ys, t),
        _ => false,
    };
    if model.get(f).is_none_or(same) {
        return Ok(());
    }
    let span = item.tokens.get(2).map_or(item.start()..item.end(), |t| t.span());
    Err(Error::new(span, two_values(name)))
}

/// What is said of a model that is none.
fn two_values(name: &str) -> String {
    format!("the model gives `{name}` two values")
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

/// The elements of free sorts, as z3 lists them: `(forall ((x T)) (or (= x T!val!0) …))`, of constants that it declares. A list
/// with an element that was not read says nothing: without it the sort would have fewer elements than in the model.
fn constraints(
    a: &Arena,
    cut: &Cut,
    wording: &Wording,
    items: &[&Item],
    commands: &[Command],
    model: &mut Model,
) {
    for item in items {
        let text = |k: usize| token_text(&cut.source, &item.tokens[k]);
        // `( forall ( ( x T ) ) ( or ( = x e ) … ) )`
        let body = closing(&item.tokens, 2).map_or(item.tokens.len(), |end| end + 1);
        let variable = item.tokens.get(4).map_or("", |t| token_text(&cut.source, t));
        let mut listed: FxHashSet<&str> = FxHashSet::default();
        let mut k = body;
        while k < item.tokens.len() {
            // `(as e T)` is the element e: the words of its sort are none.
            let ascribed = item.tokens[k].kind == Tok::Symbol && text(k) == "as";
            k += usize::from(ascribed);
            if k < item.tokens.len()
                && matches!(item.tokens[k].kind, Tok::Symbol | Tok::Quoted)
                && !matches!(text(k), "or" | "=" | "true" | "false")
                && text(k) != variable
            {
                listed.insert(wording.elements.name(text(k)));
            }
            let end = closing(&item.tokens, k.saturating_sub(2)).filter(|_| ascribed);
            k = end.unwrap_or(k) + 1;
        }
        let read: Vec<(Sort, Value)> = commands
            .iter()
            .filter_map(|c| match c {
                Command::DeclareFun(f) if listed.contains(a.name(a.fun(*f).name)) => {
                    Some((a.fun(*f).ret, model.value(*f)?.clone()))
                }
                _ => None,
            })
            .collect();
        let Some(&(sort, _)) = read.first() else { continue };
        if read.len() == listed.len() && read.iter().all(|(s, _)| *s == sort) {
            model.set_universe(sort, read.into_iter().map(|(_, v)| v).collect());
        }
    }
}

/// The elements of free sorts, as cvc5 and cvc4 list them in comments.
fn remarks(
    script: &mut Script,
    cut: &Cut,
    options: &ModelOptions,
    symbols: &Symbols,
    commands: &[Command],
    model: &mut Model,
) {
    for (_, elements) in &cut.universes {
        if !elements.iter().all(|e| is_plain(script, symbols, e)) {
            continue;
        }
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
                values.push(element(&script.arena, f));
            }
        }
        script.commands.truncate(before);
        if let Some(sort) = sort
            && values.len() == elements.len()
            && is_free_sort(&script.arena, sort)
        {
            model.set_universe(sort, values);
            model.set_remarked();
        }
    }
}
