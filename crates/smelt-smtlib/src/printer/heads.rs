//! What stands at the top of a term.

use std::fmt::Write;

use super::atoms::write_instance;
use super::{Symbols, write_literal, write_sort, write_symbol};
use crate::arena::{Arena, Attr, Fun, FunKind, Head, Idx, Term};
use crate::op::{Naming, Op, P};

/// Writes the tops of terms.
#[derive(Clone, Copy)]
pub(super) struct Heads<'h> {
    pub a: &'h Arena,
    pub naming: Naming,
    pub symbols: &'h Symbols,
}

impl Heads<'_> {
    /// Everything from behind the parenthesis to the first argument, or the whole of a term without arguments; bound
    /// variables by their own names.
    pub fn write(self, t: Term, out: &mut String) {
        let a = self.a;
        match a.head(t) {
            Head::Op(op, idx) => self.op(t, op, idx, out),
            Head::Fun(f) => self.fun(t, f, out),
            Head::Lit(l) => write_literal(a.lit(l), out),
            Head::Var(v) => write_symbol(a.name(a.var(v).name), out),
            Head::Bind(binder, vars) => {
                out.push_str(binder.name());
                out.push_str(" (");
                for (i, &v) in a.vars(vars).iter().enumerate() {
                    out.push_str(if i > 0 { " (" } else { "(" });
                    write_symbol(a.name(a.var(v).name), out);
                    out.push(' ');
                    write_sort(a, a.var(v).sort, out);
                    out.push(')');
                }
                out.push(')');
            }
            Head::Annot(_) => out.push('!'),
            Head::Match(_) => out.push_str("match"),
        }
    }

    /// What stands before the i-th argument of a term, or behind the last one; a `match` has other things there.
    pub fn before(self, t: Term, i: usize, out: &mut String) {
        let a = self.a;
        let last = i == a.args(t).len();
        let Head::Annot(attrs) = a.head(t) else {
            out.push(if last { ')' } else { ' ' });
            return;
        };
        if i == 0 {
            out.push(' ');
            return;
        }
        // The argument where the terms of an annotation begin.
        let mut next = 1;
        for attr in a.attr_list(attrs) {
            match attr {
                Attr::Other(text) if next == i => {
                    out.push(' ');
                    out.push_str(text);
                }
                Attr::NoPattern if next == i => {
                    out.push_str(" :no-pattern ");
                    return;
                }
                Attr::Pattern(n) if *n > 0 && (next..next + *n as usize).contains(&i) => {
                    out.push_str(if next == i { " :pattern (" } else { " " });
                    return;
                }
                Attr::Pattern(0) if next == i => out.push_str(" :pattern ()"),
                Attr::Pattern(n) => {
                    next += *n as usize;
                    if next == i {
                        out.push(')');
                    }
                }
                Attr::NoPattern => next += 1,
                Attr::Other(_) | Attr::Named(_) => {}
            }
        }
        if last {
            out.push(')');
        }
    }

    pub fn fun(self, t: Term, f: Fun, out: &mut String) {
        let a = self.a;
        let d = a.fun(f);
        let name = a.name(d.name);
        if d.kind == FunKind::External && name.starts_with("(_ ") {
            out.push_str(name);
            return;
        }
        let needs_sort = d.kind == FunKind::Abstract
            || self.symbols.ambiguous.contains(&f)
            || (!d.params.is_empty() && matches!(d.kind, FunKind::Constructor(..)) && {
                let mut map = Vec::new();
                for (&p, &x) in d.args.iter().zip(a.args(t)) {
                    a.match_sort(p, a.sort(x), &mut map);
                }
                d.params.iter().any(|p| map.iter().all(|(q, _)| q != p))
            });
        if !needs_sort {
            write_symbol(name, out);
            return;
        }
        out.push_str("(as ");
        write_symbol(name, out);
        out.push(' ');
        write_sort(a, a.sort(t), out);
        out.push(')');
    }

    pub fn op(self, t: Term, op: Op, idx: Idx, out: &mut String) {
        let a = self.a;
        let info = op.info();
        let name = info.name_in(self.naming);
        if info.ret == P::Ascribed {
            out.push_str("(as ");
            out.push_str(name);
            out.push(' ');
            write_sort(a, a.sort(t), out);
            out.push(')');
            return;
        }
        let indices = a.indices(idx);
        if indices.is_empty() {
            out.push_str(name);
            return;
        }
        out.push_str("(_ ");
        out.push_str(name);
        let symbol = |f: u32, out: &mut String| {
            out.push(' ');
            write_symbol(a.name(a.fun(Fun(f)).name), out);
        };
        match (op, indices) {
            (Op::Divisible, &[l]) => {
                out.push(' ');
                write_literal(a.lit_at(l), out);
            }
            (Op::Is | Op::Update, &[f]) if self.wants_signature(Fun(f)) => {
                self.signature(Fun(f), a.args(t)[0], out);
            }
            (Op::Is | Op::Update | Op::AsArray, &[f]) => symbol(f, out),
            (Op::ArrayMap, &[f, 0]) => symbol(f, out),
            (Op::ArrayMap, &[o, _]) => {
                let inner = Op::all().nth(o as usize).map_or("", |o| o.info().name);
                out.push(' ');
                out.push_str(inner);
            }
            _ => {
                for i in indices {
                    let _ = write!(out, " {i}");
                }
            }
        }
        out.push(')');
    }

    /// Whether the name of an index may mean several symbols, or instances of one.
    fn wants_signature(self, f: Fun) -> bool {
        let d = self.a.fun(f);
        self.naming.has_signatures()
            && (!d.params.is_empty() || self.symbols.overloaded.contains(&d.name))
    }

    /// A constructor or selector with its sorts in the datatype of a term.
    fn signature(self, f: Fun, of: Term, out: &mut String) {
        let a = self.a;
        let d = a.fun(f);
        let datatype = if matches!(d.kind, FunKind::Selector(..)) { d.args[0] } else { d.ret };
        let mut map = Vec::new();
        a.match_sort(datatype, a.sort(of), &mut map);
        out.push_str(" (");
        write_symbol(a.name(d.name), out);
        out.push_str(" (");
        for (i, &s) in d.args.iter().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            write_instance(a, s, &map, out);
        }
        out.push_str(") ");
        write_instance(a, d.ret, &map, out);
        out.push(')');
    }
}
