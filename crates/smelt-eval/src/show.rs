//! Values as SMT-LIB terms.

use crate::compound::Tag;
use crate::domain::field_sorts;
use crate::value::Value;
use smelt_smtlib::{Arena, Fun, FunKind, Sort, SortKind, print_sort, write_symbol};
use std::fmt::Write;

/// The value as a term of its sort, in the syntax that z3 and cvc5 share where there is one; `None` for what has no
/// finite text: enclosures, regular expressions, functions given by a body.
pub fn value_to_smtlib(a: &Arena, value: &Value, sort: Sort) -> Option<String> {
    value_in_words(a, value, sort, &mut Own(a))
}

/// The value as a term ([`value_to_smtlib`]), with words of the caller's for elements of free sorts.
pub fn value_in_words(
    a: &Arena,
    value: &Value,
    sort: Sort,
    words: &mut dyn Words,
) -> Option<String> {
    let mut writer = Writer { a, words, met: 0, out: String::new() };
    writer.value(value, sort)?;
    Some(writer.out)
}

/// How what is about elements of free sorts is written.
pub trait Words {
    /// An element, by its sort and number ([`Value::Uninterpreted`]).
    fn element(&mut self, sort: Sort, id: u32) -> String;

    /// What to write instead of `((as const …) value)`, in whose value there are elements.
    fn constant_array(&mut self, _sort: Sort, _text: &str) -> Option<String> {
        None
    }
}

/// Elements under the names that a model gave to them.
struct Own<'a>(&'a Arena);

impl Words for Own<'_> {
    fn element(&mut self, sort: Sort, id: u32) -> String {
        let a = self.0;
        let name = match a.fun_at(id as usize).filter(|f| a.fun(*f).ret == sort) {
            Some(f) => a.name(a.fun(f).name).to_owned(),
            None => format!("@element{id}"),
        };
        let mut out = String::from("(as ");
        write_symbol(&name, &mut out);
        let _ = write!(out, " {})", print_sort(a, sort));
        out
    }
}

struct Writer<'w> {
    a: &'w Arena,
    words: &'w mut dyn Words,
    /// How many elements have been written.
    met: usize,
    out: String,
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

impl Writer<'_> {
    /// Values are nested at most [`crate::value::MAX_DEPTH`] deep, so recursion is bounded.
    fn value(&mut self, value: &Value, sort: Sort) -> Option<()> {
        let a = self.a;
        match value {
            Value::Bool(b) => write!(self.out, "{b}").ok(),
            Value::Int(n) if sort == Sort::REAL => {
                write!(self.out, "{}", crate::rat::Rat::from(n).to_smtlib()).ok()
            }
            Value::Int(n) => write!(self.out, "{}", n.to_smtlib()).ok(),
            Value::Real(q) => write!(self.out, "{}", q.to_smtlib()).ok(),
            Value::Algebraic(x) => write!(self.out, "{}", x.to_smtlib()?).ok(),
            Value::Approx(_) | Value::Re(_) | Value::Closure(_) | Value::Open(_) => None,
            Value::Bv(v) => write!(self.out, "{}", v.to_smtlib()).ok(),
            Value::Fp(x) => write!(self.out, "{}", x.to_smtlib()).ok(),
            Value::Rm(m) => write!(self.out, "{}", m.name()).ok(),
            Value::Str(s) => write!(self.out, "{}", s.to_smtlib()).ok(),
            Value::Ff(x) => write!(self.out, "{x}").ok(),
            Value::Uninterpreted { id, .. } => {
                self.met += 1;
                let text = self.words.element(sort, *id);
                self.out.push_str(&text);
                Some(())
            }
            Value::Array(array) => {
                let SortKind::Array(index, element) = *a.sort_kind(sort) else { return None };
                self.out.extend(array.entries().iter().map(|_| "(store "));
                let (base, met) = (self.out.len(), self.met);
                write!(self.out, "((as const {}) ", print_sort(a, sort)).ok()?;
                self.value(array.default(), element)?;
                self.out.push(')');
                if self.met > met
                    && let Some(text) = self.words.constant_array(sort, &self.out[base..])
                {
                    self.out.truncate(base);
                    self.out.push_str(&text);
                }
                for (i, v) in array.entries() {
                    self.out.push(' ');
                    self.value(i, index)?;
                    self.out.push(' ');
                    self.value(v, element)?;
                    self.out.push(')');
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
                            self.out.push('(');
                        }
                        if ascribed {
                            self.out.push_str("(as ");
                        }
                        write_symbol(a.name(decl.name), &mut self.out);
                        if ascribed {
                            let _ = write!(self.out, " {})", print_sort(a, sort));
                        }
                        self.all(fields, &sorts)?;
                        if !fields.is_empty() {
                            self.out.push(')');
                        }
                        Some(())
                    }
                    (Tag::Tuple, SortKind::Tuple(_)) if fields.is_empty() => {
                        self.out.push_str("tuple.unit");
                        Some(())
                    }
                    (Tag::Tuple, SortKind::Tuple(parts)) => {
                        self.out.push_str("(tuple");
                        self.all(fields, parts)?;
                        self.out.push(')');
                        Some(())
                    }
                    (Tag::Null, _) => {
                        write!(self.out, "(as nullable.null {})", print_sort(a, sort)).ok()
                    }
                    (Tag::Some, SortKind::Nullable(e)) => {
                        self.out.push_str("(nullable.some");
                        self.all(fields, &[*e])?;
                        self.out.push(')');
                        Some(())
                    }
                    _ => None,
                }
            }
            Value::Seq(list) => {
                let SortKind::Seq(e) = *a.sort_kind(sort) else { return None };
                let units = list.items().iter().map(|v| (v, None));
                self.joined(["seq.empty", "seq.++", "seq.unit"], units, e, sort)
            }
            Value::Set(set) => {
                let SortKind::Set(e) = *a.sort_kind(sort) else { return None };
                let units = set.elements().items().iter().map(|v| (v, None));
                self.joined(["set.empty", "set.union", "set.singleton"], units, e, sort)
            }
            Value::Bag(bag) => {
                let SortKind::Bag(e) = *a.sort_kind(sort) else { return None };
                let units = bag.entries().iter().map(|(v, n)| (v, Some(n.to_smtlib())));
                self.joined(["bag.empty", "bag.union_disjoint", "bag"], units, e, sort)
            }
            Value::Fun(table) => {
                let (from, to) = a.uncurried(sort)?;
                self.out.push_str("(lambda (");
                for (i, &s) in from.iter().enumerate() {
                    let space = if i > 0 { " " } else { "" };
                    write!(self.out, "{space}(x!{i} {})", print_sort(a, s)).ok()?;
                }
                self.out.push_str(") ");
                for (args, v) in table.entries() {
                    self.out.push_str("(ite (and true");
                    for (i, (x, &s)) in args.iter().zip(&from).enumerate() {
                        write!(self.out, " (= x!{i} ").ok()?;
                        self.value(x, s)?;
                        self.out.push(')');
                    }
                    self.out.push_str(") ");
                    self.value(v, to)?;
                    self.out.push(' ');
                }
                self.value(table.default(), to)?;
                self.out.extend(table.entries().iter().map(|_| ")"));
                self.out.push(')');
                Some(())
            }
        }
    }

    fn all(&mut self, values: &[Value], sorts: &[Sort]) -> Option<()> {
        for (v, &s) in values.iter().zip(sorts) {
            self.out.push(' ');
            self.value(v, s)?;
        }
        Some(())
    }

    /// Nothing, one unit, or several joined.
    fn joined<'v>(
        &mut self,
        [empty, join, unit]: [&str; 3],
        items: impl ExactSizeIterator<Item = (&'v Value, Option<String>)>,
        element: Sort,
        sort: Sort,
    ) -> Option<()> {
        let n = items.len();
        if n == 0 {
            return write!(self.out, "(as {empty} {})", print_sort(self.a, sort)).ok();
        }
        // The joins are binary: older releases know no others.
        self.out.extend((1..n).map(|_| format!("({join} ")));
        for (i, (v, count)) in items.enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            write!(self.out, "({unit} ").ok()?;
            self.value(v, element)?;
            if let Some(count) = count {
                write!(self.out, " {count}").ok()?;
            }
            self.out.push(')');
            if i > 0 {
                self.out.push(')');
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::{Command, parse};

    /// Elements are told apart by their names, also those that no model has named.
    #[test]
    fn elements() {
        let script = parse(b"(declare-sort S 0)(declare-fun e () S)").unwrap();
        let Command::DeclareFun(f) = script.commands[1] else { panic!() };
        let a = &script.arena;
        let sort = a.fun(f).ret;
        let element = |id| Value::Uninterpreted { sort: sort.index() as u32, id };
        let text = |id| value_to_smtlib(a, &element(id), sort).unwrap();
        assert_eq!(text(f.index() as u32), "(as e S)");
        assert_eq!(text(u32::MAX), "(as @element4294967295 S)");
        assert_eq!(text(u32::MAX - 1), "(as @element4294967294 S)");
    }
}
