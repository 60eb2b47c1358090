//! Yices' own form of models: `(= symbol value)` per constant and `(function name (type …) (= (name …) value) … (default
//! value))` per function. It is written anew as definitions.

use crate::model::Model;
use crate::model_parse::{ModelOptions, Symbols, definitions};
use crate::model_text::{Cut, Form, Item, Pieces, closing, cut, moved, token_text};
use rustc_hash::FxHashMap;
use smelt_smtlib::{Arena, Error, Fun, FunKind, Script, Sort, SortKind, print_sort, write_symbol};
use std::fmt::Write;

pub(crate) fn equations(
    script: &mut Script,
    source: &Cut,
    options: &ModelOptions,
    symbols: &Symbols,
) -> Result<Model, Error> {
    let mut functions: FxHashMap<&str, &Item> = FxHashMap::default();
    let mut equal: Vec<(&Item, &str)> = Vec::new();
    for item in &source.items {
        let name = item.tokens.get(2).map_or("", |t| token_text(&source.source, t));
        match token_text(&source.source, &item.tokens[1]) {
            "=" => equal.push((item, name)),
            "function" => {
                functions.insert(name, item);
                // A function may also be listed under its own name.
                if !symbols.named(name).is_empty() {
                    equal.push((item, name));
                }
            }
            other => {
                let message = format!("unexpected `{other}` in a model");
                return Err(Error::new(item.tokens[1].span(), message).expected("`(= …`"));
            }
        }
    }
    let mut text = String::new();
    // Where each line of the new text comes from.
    let mut places = Pieces::default();
    for (item, name) in equal {
        let a = &script.arena;
        let target = symbols.named(name).iter().copied().find(|&f| a.fun(f).kind == FunKind::Free);
        let Some(f) = target else {
            let span = item.tokens.get(2).map_or(item.start()..item.end(), |t| t.span());
            let message = format!("`{name}` is not a symbol of the script");
            return Err(Error::new(span, message).expected("a model of this script"));
        };
        let value = item.tokens.get(3).map_or("", |t| token_text(&source.source, t));
        let table = functions.get(value).or_else(|| functions.get(name));
        let line = match table {
            Some(table) => function(a, source, f, name, table),
            None => constant(a, source, f, name, item),
        };
        let line = line.ok_or_else(|| {
            Error::new(item.start()..item.end(), format!("the value of `{name}` cannot be read"))
        })?;
        places.invent(&line, item.start());
        text.push_str(&line);
    }
    if text.is_empty() {
        return Ok(Model::new());
    }
    let again = cut(text.as_bytes(), false)?;
    debug_assert_eq!(again.form, Form::Definitions);
    // Places inside a line of the new text are lost; its item is shown.
    definitions(script, &again, options, symbols).map_err(|e| {
        let start = text[..e.span.start.min(text.len())].rfind('\n').map_or(0, |i| i + 1);
        places.relocate(moved(&e, start..start + 1))
    })
}

fn constant(a: &Arena, source: &Cut, f: Fun, name: &str, item: &Item) -> Option<String> {
    let last = item.tokens.len() - 1;
    let value = slice(source, item, 3, last)?;
    let mut out = String::from("(define-fun ");
    write_symbol(name, &mut out);
    let sort = a.fun(f).ret;
    writeln!(out, " () {} {})", print_sort(a, sort), element(a, sort, value)).ok()?;
    Some(out)
}

/// Names of elements (`@const_4`) need their sort.
fn element(a: &Arena, sort: Sort, value: &str) -> String {
    if value.starts_with('@') {
        return format!("(as {value} {})", print_sort(a, sort));
    }
    value.to_owned()
}

fn slice<'s>(source: &'s Cut, item: &Item, from: usize, to: usize) -> Option<&'s str> {
    let (first, last) = (item.tokens.get(from)?, item.tokens.get(to.checked_sub(1)?)?);
    std::str::from_utf8(source.source.get(first.start()..last.end())?).ok()
}

fn function(a: &Arena, source: &Cut, f: Fun, name: &str, table: &Item) -> Option<String> {
    let d = a.fun(f);
    let (mut args, mut ret) = (d.args.to_vec(), d.ret);
    if args.is_empty()
        && let SortKind::Array(i, e) = *a.sort_kind(ret)
    {
        args.push(i);
        ret = e;
    }
    let mut out = String::from("(define-fun ");
    write_symbol(name, &mut out);
    out.push_str(" (");
    for (i, &s) in args.iter().enumerate() {
        write!(out, "(x!{i} {})", print_sort(a, s)).ok()?;
    }
    write!(out, ") {} ", print_sort(a, ret)).ok()?;
    // The tokens: ( function name (type …) (= (name x …) v) … (default v) )
    let tokens = &table.tokens;
    let mut at = closing(tokens, 3)? + 1;
    let mut closes = 0;
    while at + 1 < tokens.len() {
        let end = closing(tokens, at)?;
        match token_text(&source.source, &tokens[at + 1]) {
            "=" => {
                let left = closing(tokens, at + 2)?;
                let mut x = at + 4;
                out.push_str("(ite (and true");
                for (i, &s) in args.iter().enumerate() {
                    let last = closing(tokens, x)?;
                    let v = slice(source, table, x, last + 1)?;
                    write!(out, " (= x!{i} {})", element(a, s, v)).ok()?;
                    x = last + 1;
                }
                let v = slice(source, table, left + 1, end)?;
                write!(out, ") {} ", element(a, ret, v)).ok()?;
                closes += 1;
            }
            "default" => {
                let v = slice(source, table, at + 2, end)?;
                out.push_str(&element(a, ret, v));
                out.push_str(&")".repeat(closes));
                out.push_str(")\n");
                return Some(out);
            }
            _ => return None,
        }
        at = end + 1;
    }
    None
}
