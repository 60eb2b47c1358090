//! Terms, by an explicit stack.

use std::fmt::Write;

use smallvec::SmallVec;

use super::heads::Heads;
use super::{PrintOptions, Printer, Sharing, Symbols, Work, write_literal, write_symbol};
use crate::arena::{Arena, Attr, Attrs, Fun, FunKind, Head, Idx, Term, Var};
use crate::op::Op;
use crate::sort::{Sort, SortKind};

impl Printer<'_> {
    pub(super) fn run(&mut self, sharing: &Sharing, first: Work) {
        let mut work = std::mem::take(&mut self.work);
        work.push(first);
        while let Some(w) = work.pop() {
            match w {
                Work::Text(s) => self.out.push_str(s),
                Work::Close(n) => self.out.extend(std::iter::repeat_n(')', n)),
                Work::Term(t) => match self.let_names.get(&t).copied() {
                    Some(n) => {
                        self.let_name(n);
                    }
                    None if self.by_memory(sharing, t) => {}
                    None => self.spell(t, &mut work),
                },
                Work::Spell(t) => self.spell(t, &mut work),
                Work::LetOpen(n) => {
                    self.out.push('(');
                    self.let_name(n);
                    self.out.push(' ');
                }
                Work::Activate(t, n) => {
                    self.let_names.insert(t, n);
                }
                Work::Scope(scope, t) => self.scope(sharing, scope, t, &mut work),
                Work::Body(scope, t) => self.body(scope, t, &mut work),
                Work::Unbind(scope) => {
                    for (_, t) in sharing.at.get(&scope).map_or(&[][..], |l| l) {
                        self.let_names.remove(t);
                    }
                }
                Work::LeaveVars(l) => self.leave_vars(l),
                Work::GiveName(f) => {
                    self.give_name(f);
                    self.out.push(')');
                }
                Work::Attrs(t, i, next) => self.attrs(t, i, next, &mut work),
                Work::Case(t, i) => self.case(t, i, &mut work),
            }
        }
        self.work = work;
    }

    fn let_name(&mut self, n: u32) {
        self.out.push_str(&self.let_prefix);
        // Much faster than by way of a formatter, and there are many.
        let mut digits: SmallVec<[u8; 10]> = SmallVec::new();
        let mut rest = n;
        while rest > 0 || digits.is_empty() {
            digits.push(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
        self.out.extend(digits.iter().rev().map(|&d| char::from(d)));
    }

    /// `(let (…) (let (…) body))` with one let per level, so that lets do not nest deeply.
    fn scope(&mut self, sharing: &Sharing, scope: Option<Var>, t: Term, work: &mut Vec<Work>) {
        let Some(list) = sharing.at.get(&scope) else {
            work.push(Work::Term(t));
            return;
        };
        let first = self.let_count + 1;
        self.let_count += list.len() as u32;
        let groups: Vec<&[(u32, Term)]> = list.chunk_by(|a, b| a.0 == b.0).collect();
        work.push(Work::Unbind(scope));
        work.push(Work::Close(groups.len()));
        work.push(Work::Term(t));
        let mut end = list.len() as u32;
        for group in groups.iter().rev() {
            let start = end - group.len() as u32;
            for (i, &(_, t)) in group.iter().enumerate() {
                work.push(Work::Activate(t, first + start + i as u32));
            }
            work.push(Work::Text(") "));
            for (i, &(_, t)) in group.iter().enumerate().rev() {
                work.push(Work::Text(if i + 1 < group.len() { ") " } else { ")" }));
                work.push(Work::Spell(t));
                work.push(Work::LetOpen(first + start + i as u32));
            }
            work.push(Work::Text("(let ("));
            end = start;
        }
    }

    fn push_args(args: &[Term], work: &mut Vec<Work>) {
        for &t in args.iter().rev() {
            work.push(Work::Term(t));
            work.push(Work::Text(" "));
        }
    }

    /// How many arguments each application takes where a function of this sort is applied to `n`, one arrow after the
    /// other.
    fn groups(&self, mut sort: Sort, n: usize) -> Vec<usize> {
        let mut groups = Vec::new();
        let mut left = n;
        while let SortKind::Fun(args, ret) = self.a.sort_kind(sort) {
            let some = args.len().min(left);
            if some > 0 {
                groups.push(some);
            }
            left -= some;
            sort = *ret;
        }
        if left > 0 {
            groups.push(left);
        }
        groups
    }

    /// `((f x) y)`: what opens the applications and names the function, and, as work, their arguments.
    fn push_groups(
        &mut self,
        f: Option<Fun>,
        groups: &[usize],
        args: &[Term],
        work: &mut Vec<Work>,
    ) {
        self.out.extend(std::iter::repeat_n('(', groups.len()));
        if let Some(f) = f {
            self.symbol(self.a.fun(f).name);
        }
        let mut end = args.len();
        for &n in groups.iter().rev() {
            work.push(Work::Text(")"));
            Self::push_args(&args[end - n..end], work);
            end -= n;
        }
    }

    fn spell(&mut self, t: Term, work: &mut Vec<Work>) {
        let a = self.a;
        let args = a.args(t);
        match a.head(t) {
            Head::Lit(l) => write_literal(a.lit(l), &mut self.out),
            Head::Var(v) => match self.var_names.get(&v) {
                Some(n) => write_symbol(n, &mut self.out),
                // Only a term printed without its binder has such a variable.
                None => write_symbol(a.name(a.var(v).name), &mut self.out),
            },
            Head::Op(Op::Apply, _) if a.juxtaposes() => {
                let groups = self.groups(a.sort(args[0]), args.len() - 1);
                self.push_groups(None, &groups, &args[1..], work);
                work.push(Work::Term(args[0]));
            }
            Head::Fun(f) if a.juxtaposes() && a.written(f).0 < args.len() => {
                let (n, ret) = a.written(f);
                let mut groups = self.groups(ret, args.len() - n);
                if n > 0 {
                    groups.insert(0, n);
                }
                self.push_groups(Some(f), &groups, args, work);
            }
            Head::Op(Op::Apply, _) if matches!(a.head(args[0]), Head::Fun(_) | Head::Var(_)) => {
                // `(@ f x)` of a symbol is written `(f x)`, which z3 and cvc5 both read, and `(@ (f x) y)` `(f x y)`.
                self.out.push('(');
                work.push(Work::Text(")"));
                Self::push_args(&args[1..], work);
                match a.head(args[0]) {
                    Head::Fun(f) if !a.args(args[0]).is_empty() => {
                        Self::push_args(a.args(args[0]), work);
                        self.symbol(a.fun(f).name);
                    }
                    _ => work.push(Work::Term(args[0])),
                }
            }
            Head::Op(op, idx) => {
                if args.is_empty() {
                    self.op_name(t, op, idx);
                    return;
                }
                self.out.push('(');
                self.op_name(t, op, idx);
                work.push(Work::Text(")"));
                Self::push_args(args, work);
            }
            Head::Fun(f) => {
                if args.is_empty() {
                    let d = a.fun(f);
                    if let (FunKind::Named, Some((_, body))) = (d.kind, d.def)
                        && self.name_on_use
                        && !self.name_is_given(f)
                    {
                        self.out.push_str("(! ");
                        work.push(Work::GiveName(f));
                        work.push(Work::Term(body));
                        return;
                    }
                    self.fun_name(t, f);
                    return;
                }
                self.out.push('(');
                self.fun_name(t, f);
                work.push(Work::Text(")"));
                Self::push_args(args, work);
            }
            Head::Bind(binder, vars) => {
                let _ = write!(self.out, "({} (", binder.name());
                self.enter_vars(vars);
                self.out.push_str(") ");
                work.push(Work::LeaveVars(vars));
                work.push(Work::Text(")"));
                let scope = a.vars(vars).first().copied();
                if let [body] = *args {
                    self.body(scope, body, work);
                } else {
                    Self::push_args(&args[1..], work);
                    work.push(Work::Scope(None.or(scope), args[0]));
                }
            }
            Head::Match(_) => {
                self.out.push_str("(match ");
                work.push(Work::Text("))"));
                for i in (1..args.len()).rev() {
                    work.push(Work::Case(t, i));
                    if i > 1 {
                        work.push(Work::Text(" "));
                    }
                }
                work.push(Work::Text(" ("));
                work.push(Work::Term(args[0]));
            }
            Head::Annot(attrs) => {
                if let Some(f) = self.given(attrs) {
                    self.symbol(a.fun(f).name);
                    return;
                }
                self.out.push_str("(! ");
                work.push(Work::Attrs(t, 0, 1));
                work.push(Work::Term(args[0]));
            }
        }
    }

    /// The name of an annotation that only gives names, which all have been given already.
    fn given(&self, attrs: Attrs) -> Option<Fun> {
        let mut name = None;
        for attr in self.a.attr_list(attrs) {
            match attr {
                Attr::Named(f) if self.name_is_given(*f) => name = Some(*f),
                _ => return None,
            }
        }
        name
    }

    /// The body of a binder, or a whole term. Patterns must stand directly under the quantifier, and names outside of
    /// any binder, so lets go inside the annotation.
    fn body(&mut self, scope: Option<Var>, body: Term, work: &mut Vec<Work>) {
        if let Head::Annot(attrs) = self.a.head(body)
            && !self.let_names.contains_key(&body)
            && self.given(attrs).is_none()
        {
            self.out.push_str("(! ");
            work.push(Work::Attrs(body, 0, 1));
            work.push(Work::Scope(scope, self.a.args(body)[0]));
        } else {
            work.push(Work::Scope(scope, body));
        }
    }

    /// The annotations from the i-th on, whose terms are the arguments from `next` on; in the order of the source.
    fn attrs(&mut self, t: Term, i: usize, mut next: usize, work: &mut Vec<Work>) {
        let a = self.a;
        let Head::Annot(attrs) = a.head(t) else { return };
        for (k, attr) in a.attr_list(attrs).iter().enumerate().skip(i) {
            let (open, close, terms) = match attr {
                Attr::Named(f) => {
                    if !self.name_is_given(*f) {
                        self.give_name(*f);
                    }
                    continue;
                }
                Attr::Other(text) => {
                    self.out.push(' ');
                    self.out.push_str(text);
                    continue;
                }
                Attr::NoPattern => (" :no-pattern", "", 1),
                Attr::Pattern(n) => (" :pattern (", ")", *n as usize),
            };
            self.out.push_str(open);
            let terms = &a.args(t)[next..next + terms];
            next += terms.len();
            work.push(Work::Attrs(t, k + 1, next));
            work.push(Work::Text(close));
            for (n, &x) in terms.iter().enumerate().rev() {
                work.push(Work::Term(x));
                if n > 0 || close.is_empty() {
                    work.push(Work::Text(" "));
                }
            }
            return;
        }
        self.out.push(')');
    }

    fn case(&mut self, t: Term, i: usize, work: &mut Vec<Work>) {
        let a = self.a;
        let Head::Match(cases) = a.head(t) else { return };
        let case = &a.case_list(cases)[i - 1];
        let vars = a.vars(case.vars);
        self.out.push('(');
        if let Some(c) = case.constructor {
            if !vars.is_empty() {
                self.out.push('(');
            }
            self.symbol(a.fun(c).name);
        }
        for &v in vars {
            let name = self.var_name(a.var(v).name);
            if case.constructor.is_some() {
                self.out.push(' ');
            }
            write_symbol(&name, &mut self.out);
            self.bind_name(v, name);
        }
        if case.constructor.is_some() && !vars.is_empty() {
            self.out.push(')');
        }
        self.out.push(' ');
        work.push(Work::LeaveVars(case.vars));
        work.push(Work::Text(")"));
        let scope = vars.first().copied();
        match scope {
            Some(_) => work.push(Work::Scope(scope, a.args(t)[i])),
            None => work.push(Work::Term(a.args(t)[i])),
        }
    }

    // ---- heads

    fn heads<'h>(a: &'h Arena, options: &PrintOptions, symbols: &'h Symbols) -> Heads<'h> {
        Heads { a, naming: options.naming, symbols }
    }

    fn fun_name(&mut self, t: Term, f: Fun) {
        Self::heads(self.a, self.options, &self.symbols).fun(t, f, &mut self.out);
    }

    fn op_name(&mut self, t: Term, op: Op, idx: Idx) {
        Self::heads(self.a, self.options, &self.symbols).op(t, op, idx, &mut self.out);
    }
}
