//! Values as SMT-LIB terms.

use crate::compound::Tag;
use crate::domain::field_sorts;
use crate::value::Value;
use smelt_smtlib::{Arena, Fun, FunKind, Sort, SortKind, print_sort, write_symbol};
use std::fmt::Write;

/// The value as a term of its sort, in the syntax that z3 and cvc5 share where there is one; `None` for what has no
/// finite text: enclosures, regular expressions, functions given by a body.
pub fn value_to_smtlib(a: &Arena, value: &Value, sort: Sort) -> Option<String> {
    let mut out = String::new();
    write(a, value, sort, &mut out)?;
    Some(out)
}

/// Whether another datatype has a constructor with this name and the same fields: only `as` tells them apart.
fn is_ambiguous(a: &Arena, c: Fun) -> bool {
    let own = a.fun(c);
    (0..a.fun_count()).filter_map(|i| a.fun_at(i)).any(|f| {
        let d = a.fun(f);
        f != c
            && d.name == own.name
            && d.args.len() == own.args.len()
            && matches!(d.kind, FunKind::Constructor(..))
    })
}

/// Whether the sorts of the fields say which instance of its datatype a constructor makes.
fn tells_sort(a: &Arena, c: Fun, fields: &[Sort]) -> bool {
    let d = a.fun(c);
    let mut map = Vec::new();
    for (&p, &s) in d.args.iter().zip(fields) {
        a.match_sort(p, s, &mut map);
    }
    d.params.iter().all(|p| map.iter().any(|(q, _)| q == p))
}

/// Values are nested at most [`crate::value::MAX_DEPTH`] deep, so recursion is bounded.
fn write(a: &Arena, value: &Value, sort: Sort, out: &mut String) -> Option<()> {
    match value {
        Value::Bool(b) => write!(out, "{b}").ok(),
        Value::Int(n) if sort == Sort::REAL => {
            write!(out, "{}", crate::rat::Rat::from(n).to_smtlib()).ok()
        }
        Value::Int(n) => write!(out, "{}", n.to_smtlib()).ok(),
        Value::Real(q) => write!(out, "{}", q.to_smtlib()).ok(),
        Value::Algebraic(x) => write!(out, "{}", x.to_smtlib()?).ok(),
        Value::Approx(_) | Value::Re(_) | Value::Closure(_) => None,
        Value::Bv(v) => write!(out, "{}", v.to_smtlib()).ok(),
        Value::Fp(x) => write!(out, "{}", x.to_smtlib()).ok(),
        Value::Rm(m) => write!(out, "{}", m.name()).ok(),
        Value::Str(s) => write!(out, "{}", s.to_smtlib()).ok(),
        Value::Ff(x) => write!(out, "{x}").ok(),
        Value::Uninterpreted { id, .. } => {
            let mut name = String::new();
            match a.fun_at(*id as usize).filter(|f| a.fun(*f).ret == sort) {
                Some(f) => name.push_str(a.name(a.fun(f).name)),
                None => name.push_str("@element"),
            }
            out.push_str("(as ");
            write_symbol(&name, out);
            write!(out, " {})", print_sort(a, sort)).ok()
        }
        Value::Array(array) => {
            let SortKind::Array(index, element) = *a.sort_kind(sort) else { return None };
            out.extend(array.entries().iter().map(|_| "(store "));
            write!(out, "((as const {}) ", print_sort(a, sort)).ok()?;
            write(a, array.default(), element, out)?;
            out.push(')');
            for (i, v) in array.entries() {
                out.push(' ');
                write(a, i, index, out)?;
                out.push(' ');
                write(a, v, element, out)?;
                out.push(')');
            }
            Some(())
        }
        Value::Data(d) => {
            let fields = d.fields().items();
            match (d.tag(), a.sort_kind(sort)) {
                (Tag::Constructor(c), _) => {
                    let c = a.fun_at(c as usize)?;
                    let decl = a.fun(c);
                    let sorts = field_sorts(a, c, sort)?;
                    let ascribed = !tells_sort(a, c, &sorts) || is_ambiguous(a, c);
                    if !fields.is_empty() {
                        out.push('(');
                    }
                    if ascribed {
                        out.push_str("(as ");
                    }
                    write_symbol(a.name(decl.name), out);
                    if ascribed {
                        let _ = write!(out, " {})", print_sort(a, sort));
                    }
                    write_all(a, fields, &sorts, out)?;
                    if !fields.is_empty() {
                        out.push(')');
                    }
                    Some(())
                }
                (Tag::Tuple, SortKind::Tuple(_)) if fields.is_empty() => {
                    out.push_str("tuple.unit");
                    Some(())
                }
                (Tag::Tuple, SortKind::Tuple(parts)) => {
                    out.push_str("(tuple");
                    write_all(a, fields, parts, out)?;
                    out.push(')');
                    Some(())
                }
                (Tag::Null, _) => write!(out, "(as nullable.null {})", print_sort(a, sort)).ok(),
                (Tag::Some, SortKind::Nullable(e)) => {
                    out.push_str("(nullable.some");
                    write_all(a, fields, &[*e], out)?;
                    out.push(')');
                    Some(())
                }
                _ => None,
            }
        }
        Value::Seq(list) => {
            let SortKind::Seq(e) = *a.sort_kind(sort) else { return None };
            let units = list.items().iter().map(|v| (v, None));
            joined(a, "seq.empty", "seq.++", "seq.unit", units, e, sort, out)
        }
        Value::Set(set) => {
            let SortKind::Set(e) = *a.sort_kind(sort) else { return None };
            let units = set.elements().items().iter().map(|v| (v, None));
            joined(a, "set.empty", "set.union", "set.singleton", units, e, sort, out)
        }
        Value::Bag(bag) => {
            let SortKind::Bag(e) = *a.sort_kind(sort) else { return None };
            let units = bag.entries().iter().map(|(v, n)| (v, Some(n.to_smtlib())));
            joined(a, "bag.empty", "bag.union_disjoint", "bag", units, e, sort, out)
        }
        Value::Fun(table) => {
            let (from, to) = a.uncurried(sort)?;
            out.push_str("(lambda (");
            for (i, &s) in from.iter().enumerate() {
                let space = if i > 0 { " " } else { "" };
                write!(out, "{space}(x!{i} {})", print_sort(a, s)).ok()?;
            }
            out.push_str(") ");
            for (args, v) in table.entries() {
                out.push_str("(ite (and true");
                for (i, (x, &s)) in args.iter().zip(&from).enumerate() {
                    write!(out, " (= x!{i} ").ok()?;
                    write(a, x, s, out)?;
                    out.push(')');
                }
                out.push_str(") ");
                write(a, v, to, out)?;
                out.push(' ');
            }
            write(a, table.default(), to, out)?;
            out.extend(table.entries().iter().map(|_| ")"));
            out.push(')');
            Some(())
        }
    }
}

fn write_all(a: &Arena, values: &[Value], sorts: &[Sort], out: &mut String) -> Option<()> {
    for (v, &s) in values.iter().zip(sorts) {
        out.push(' ');
        write(a, v, s, out)?;
    }
    Some(())
}

/// Nothing, one unit, or several joined.
#[expect(clippy::too_many_arguments, reason = "three collections differ in these words only")]
fn joined<'v>(
    a: &Arena,
    empty: &str,
    join: &str,
    unit: &str,
    items: impl ExactSizeIterator<Item = (&'v Value, Option<String>)>,
    element: Sort,
    sort: Sort,
    out: &mut String,
) -> Option<()> {
    let n = items.len();
    if n == 0 {
        return write!(out, "(as {empty} {})", print_sort(a, sort)).ok();
    }
    // The joins are binary: older releases know no others.
    out.extend((1..n).map(|_| format!("({join} ")));
    for (i, (v, count)) in items.enumerate() {
        if i > 0 {
            out.push(' ');
        }
        write!(out, "({unit} ").ok()?;
        write(a, v, element, out)?;
        if let Some(count) = count {
            write!(out, " {count}").ok()?;
        }
        out.push(')');
        if i > 0 {
            out.push(')');
        }
    }
    Some(())
}
