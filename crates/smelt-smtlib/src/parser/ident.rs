//! Identifiers: `f`, `(_ f i …)`, `(as f S)`, and what they mean applied to arguments.

use std::ops::Range;

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use smallvec::SmallVec;

use super::Parser;
use crate::arena::{Fun, FunDecl, FunKind, Head, Idx, Sym, Term};
use crate::error::{Error, Result};
use crate::lexer::Tok;
use crate::literal::{Literal, MAX_CODE_POINT, MAX_DIGITS, decimal};
use crate::op::{Assoc, Op, OpInfo, P};
use crate::sort::{Sort, SortKind};
use crate::typing::width;

/// An index of an indexed identifier.
#[derive(Clone)]
pub(super) enum Index {
    Number(UBig),
    Code(u32),
    Symbol(Sym),
}

/// An identifier that may be applied.
#[derive(Clone)]
pub(super) struct Ident {
    pub name: Sym,
    pub indices: SmallVec<[Index; 2]>,
    pub sort: Option<Sort>,
    pub start: usize,
}

impl Parser<'_> {
    /// After `(_`: up to and including the `)`.
    pub(super) fn indexed(&mut self, start: usize) -> Result<Ident> {
        let name = self.symbol("the name of an indexed identifier")?;
        let mut indices = SmallVec::new();
        loop {
            let t = self.next()?;
            match t.kind {
                Tok::Close => break,
                Tok::Numeral => indices.push(Index::Number(decimal(self.lexer.text(t)))),
                Tok::Hex => {
                    let digits = &self.lexer.text(t)[2..];
                    match u32::from_str_radix(digits, 16) {
                        Ok(c) if c <= MAX_CODE_POINT => indices.push(Index::Code(c)),
                        _ => return self.unexpected(t, "a code point up to #x2FFFF"),
                    }
                }
                Tok::Symbol | Tok::Quoted => {
                    let s = self.sym(t);
                    indices.push(Index::Symbol(s));
                }
                // z3 writes `(_ is (cons (Int List) List))` and `(_ map (f (Int) Int))`.
                Tok::Open => {
                    let s = self.symbol("the name of a function")?;
                    self.lexer.skip_balanced(1)?;
                    indices.push(Index::Symbol(s));
                }
                _ => return self.unexpected(t, "an index or `)`"),
            }
        }
        if indices.is_empty() {
            return Err(Error::new(start..self.lexer.position(), "an index is missing")
                .expected("`(_ name index …)`"));
        }
        Ok(Ident { name, indices, sort: None, start })
    }

    /// After `(as`: up to and including the `)`.
    pub(super) fn ascribed(&mut self, start: usize) -> Result<Ident> {
        let t = self.next()?;
        let mut id = match t.kind {
            Tok::Open => {
                let t = self.next()?;
                if self.lexer.text(t) != "_" {
                    return self.unexpected(t, "`_`");
                }
                self.indexed(start)?
            }
            _ => Ident {
                name: self.symbol_from(t, "the name of a function")?,
                indices: SmallVec::new(),
                sort: None,
                start,
            },
        };
        id.sort = Some(self.sort()?);
        self.expect_close("`)` after the sort")?;
        Ok(id)
    }

    fn error<T>(&self, span: Range<usize>, message: impl Into<String>) -> Result<T> {
        Err(Error::new(span, message))
    }

    /// The term of an identifier applied to `self.values[from..]`, which are taken off.
    pub(super) fn apply_ident(&mut self, id: &Ident, from: usize, end: usize) -> Result<Term> {
        let span = id.start..end;
        if id.indices.is_empty() && id.sort.is_none() {
            return self.apply_name(id.name, None, from, span);
        }
        if id.indices.is_empty() {
            return self.apply_name(id.name, id.sort, from, span);
        }
        if from == self.values.len()
            && let Some(t) = self.indexed_literal(id, &span)?
        {
            return Ok(t);
        }
        self.apply_indexed(id, from, span)
    }

    /// `(_ bv5 8)`, `(_ char #x41)`, `(_ Char 65)`.
    fn indexed_literal(&mut self, id: &Ident, span: &Range<usize>) -> Result<Option<Term>> {
        let name = self.arena.name(id.name);
        let literal = match &*id.indices {
            [Index::Code(c)] if name == "char" || name == "Char" => Literal::Str([*c].into()),
            [Index::Number(w)] if is_bv_literal(name) => {
                let w = u64::try_from(w.clone()).unwrap_or(u64::MAX);
                let w = width(w).map_err(|m| Error::new(span.clone(), m))?;
                let value = decimal(&name[2..]);
                if value.bit_len() > w as usize {
                    let message = format!("`{name}` does not fit into {w} bits");
                    return self.error(span.clone(), message);
                }
                Literal::Bits { width: w, value }
            }
            _ => return Ok(None),
        };
        Ok(Some(self.arena.mk_literal(literal)))
    }

    #[inline(never)]
    fn apply_indexed(&mut self, id: &Ident, from: usize, span: Range<usize>) -> Result<Term> {
        let ops = self.arena.ops_named(id.name);
        if ops.is_empty() {
            if let Some(f) = self.external_indexed(id) {
                return self.apply_user_fun(f, None, from, span);
            }
            let name = self.arena.name(id.name);
            return self.error(span, format!("unknown indexed operator `{name}`"));
        }
        let mut numbers: SmallVec<[u32; 4]> = SmallVec::new();
        for (k, index) in id.indices.iter().enumerate() {
            let n = match index {
                Index::Number(n) if ops[0] == Op::Divisible => {
                    if n.is_zero() {
                        return self.error(span, "`divisible` needs a positive index");
                    }
                    self.arena.literal(Literal::Int(n.clone())).0
                }
                Index::Number(n) if matches!(ops[0], Op::RotateLeft | Op::RotateRight) => {
                    // Only the remainder by the width counts.
                    let w = self.values.get(from).map(|&t| self.arena.kind(t).clone());
                    match (u32::try_from(n.clone()), w) {
                        (Ok(n), _) => n,
                        (Err(_), Some(SortKind::BitVec(w))) => {
                            u32::try_from(n.clone() % UBig::from(w)).unwrap_or(0)
                        }
                        _ => u32::MAX,
                    }
                }
                Index::Number(n) => match u32::try_from(n.clone()) {
                    Ok(n) => n,
                    Err(_) => {
                        let name = self.arena.name(id.name);
                        return self.error(span, format!("the index {n} of `{name}` is too large"));
                    }
                },
                Index::Code(_) => {
                    return self.error(span, "a hexadecimal index stands only in `(_ char …)`");
                }
                Index::Symbol(s) if k == 0 => match self.symbol_index(ops[0], *s, from, &span)? {
                    (n, Some(tag)) => {
                        numbers.push(n);
                        tag
                    }
                    (n, None) => n,
                },
                Index::Symbol(s) => {
                    let text = self.arena.name(*s);
                    return self.error(span, format!("`{text}` is not a numeral"));
                }
            };
            numbers.push(n);
        }
        let idx = self.arena.idx(&numbers);
        self.apply_ops(ops, idx, id.sort, from, span)
    }

    /// The function that `(_ is C)`, `(_ update s)`, `(_ as-array f)` or `(_ map f)` names.
    fn symbol_index(
        &mut self,
        op: Op,
        s: Sym,
        from: usize,
        span: &Range<usize>,
    ) -> Result<(u32, Option<u32>)> {
        let wanted = |k: FunKind| match op {
            Op::Is => matches!(k, FunKind::Constructor(..)),
            Op::Update => matches!(k, FunKind::Selector(..)),
            Op::AsArray | Op::ArrayMap => true,
            _ => false,
        };
        let tag = (op == Op::ArrayMap).then_some(0);
        let of = self.values.get(from).map(|&t| self.arena.sort(t));
        let fits = |f: Fun| {
            let d = self.arena.fun(f);
            let datatype = match d.kind {
                FunKind::Selector(..) => d.args[0],
                _ => d.ret,
            };
            of.is_some_and(|s| self.arena.match_sort(datatype, s, &mut Vec::new()))
        };
        // Constructors of several datatypes may share a name: the argument says which one is meant.
        let named =
            || self.funs_named(s).iter().copied().filter(|&f| wanted(self.arena.fun(f).kind));
        let found = named().find(|&f| fits(f)).or_else(|| named().next());
        if let Some(f) = found {
            return Ok((f.0, tag));
        }
        if op == Op::ArrayMap
            && let Some(&o) = self.arena.ops_named(s).last()
        {
            return Ok((o as u32, Some(1)));
        }
        let (text, name) = (self.arena.name(s), op.info().name);
        self.error(span.clone(), format!("`{text}` cannot be an index of `{name}`"))
    }

    /// `(name t …)`: the values from a place on are the arguments and are taken off.
    #[inline]
    pub(super) fn apply_plain(
        &mut self,
        name: Sym,
        from: usize,
        span: Range<usize>,
    ) -> Result<Term> {
        // Most often it is a built-in operator, and one that has its name for itself.
        if name.0 < self.first_name
            && let [op] = *self.builtin[name.index()]
            && self.dialects & op.uniform().dialect != 0
            && let Some(t) = self.arena.app_uniform(op, &self.values[from..])
        {
            self.values.truncate(from);
            return Ok(t);
        }
        self.apply_name(name, None, from, span)
    }

    /// A name applied to values.
    #[inline(never)]
    pub(super) fn apply_name(
        &mut self,
        name: Sym,
        sort: Option<Sort>,
        from: usize,
        span: Range<usize>,
    ) -> Result<Term> {
        if let Some(t) = self.local(name) {
            if from == self.values.len() && sort.is_none_or(|s| s == self.arena.sort(t)) {
                return Ok(t);
            }
            return self.apply_term(t, from, span);
        }
        match *self.funs_named(name) {
            [] => {}
            [f] => return self.apply_user_fun(f, sort, from, span),
            _ => return self.apply_overloaded(name, sort, from, span),
        }
        let ops = self.arena.ops_named(name);
        if !ops.is_empty() {
            let mut idx = Idx::NONE;
            if matches!(ops[0], Op::ReLoop | Op::RePow) {
                idx = self.legacy_loop(from);
            }
            return self.apply_ops(ops, idx, sort, from, span);
        }
        self.apply_unknown(name, sort, from, span)
    }

    /// z3's old `(re.loop r 1 3)` and cvc4's `(re.^ r 3)` with numerals as arguments.
    fn legacy_loop(&mut self, from: usize) -> Idx {
        if self.values.len() < from + 2 {
            return Idx::NONE;
        }
        let mut numbers: SmallVec<[u32; 4]> = SmallVec::new();
        for &t in &self.values[from + 1..] {
            if let Head::Lit(l) = self.arena.head(t)
                && let Literal::Int(v) = self.arena.lit(l)
                && let Ok(v) = u32::try_from(v.clone())
            {
                numbers.push(v);
            } else {
                return Idx::NONE;
            }
        }
        self.values.truncate(from + 1);
        self.arena.idx(&numbers)
    }

    pub(super) fn apply_term(&mut self, f: Term, from: usize, span: Range<usize>) -> Result<Term> {
        let mut args: SmallVec<[Term; 8]> = SmallVec::new();
        args.push(f);
        args.extend(self.values.drain(from..));
        // z3 applies arrays like functions: `(a i)` is `(select a i)` there.
        let op = if matches!(self.arena.kind(f), SortKind::Array(..)) && args.len() == 2 {
            Op::Select
        } else {
            Op::Apply
        };
        let done = self.arena.app_op(op, Idx::NONE, &args, None);
        done.map_err(|m| Error::new(span, m))
    }

    fn apply_user_fun(
        &mut self,
        f: Fun,
        sort: Option<Sort>,
        from: usize,
        span: Range<usize>,
    ) -> Result<Term> {
        let d = self.arena.fun(f);
        if d.args.is_empty() && d.params.is_empty() && from < self.values.len() {
            let head = self.arena.mk_fun(f);
            return self.apply_term(head, from, span);
        }
        let done = self.arena.apply_fun(f, &self.values[from..], sort);
        self.values.truncate(from);
        done.map_err(|m| Error::new(span, m))
    }

    #[inline(never)]
    fn apply_overloaded(
        &mut self,
        name: Sym,
        sort: Option<Sort>,
        from: usize,
        span: Range<usize>,
    ) -> Result<Term> {
        let args: SmallVec<[Term; 8]> = self.values.drain(from..).collect();
        // A declaration of exactly these sorts comes before one that needs a conversion.
        let exact = self.funs_named(name).iter().rev().copied().find(|&f| {
            let d = self.arena.fun(f);
            let same = |(&s, &t): (&Sort, &Term)| s == self.arena.sort(t);
            d.params.is_empty()
                && d.args.len() == args.len()
                && sort.is_none_or(|s| s == d.ret)
                && d.args.iter().zip(&args).all(same)
        });
        if let Some(f) = exact {
            return self.arena.apply_fun(f, &args, sort).map_err(|m| Error::new(span, m));
        }
        let funs: SmallVec<[Fun; 4]> = self.funs_named(name).into();
        let mut message = String::new();
        // The newest declaration wins where several fit.
        for &f in funs.iter().rev() {
            let d = self.arena.fun(f);
            if d.args.len() != args.len() {
                continue;
            }
            match self.arena.apply_fun(f, &args, sort) {
                Ok(t) if sort.is_none_or(|s| self.arena.sort(t) == s) => return Ok(t),
                Ok(_) => {}
                Err(m) => message = m,
            }
        }
        let text = self.arena.name(name);
        let e = Error::new(span, format!("no declaration of `{text}` fits these arguments"));
        Err(if message.is_empty() { e } else { e.expected(format!("other sorts: {message}")) })
    }

    fn apply_ops(
        &mut self,
        ops: &'static [Op],
        idx: Idx,
        sort: Option<Sort>,
        from: usize,
        span: Range<usize>,
    ) -> Result<Term> {
        let op = match *ops {
            [op] => op,
            _ => self.choose(ops, idx, from),
        };
        let info = op.info();
        if self.dialects & op.uniform().dialect == 0 {
            let message = format!(
                "`{}` belongs to the dialect {:?}, which is switched off",
                info.name, info.dialect
            );
            return self.error(span, message);
        }
        if op == Op::ConstArray
            && let Some(s) = sort
            && let SortKind::Array(_, Sort::REAL) = *self.arena.sort_kind(s)
            && let [t] = self.values[from..]
            && self.arena.sort(t) == Sort::INT
        {
            self.values[from] = self.arena.to_real(t);
        }
        let done = self.arena.app_op(op, idx, &self.values[from..], sort);
        self.values.truncate(from);
        done.map_err(|m| Error::new(span, m))
    }

    /// Of operators with one name, the one that fits in arity, indices and kinds of sorts; else the first.
    #[inline(never)]
    fn choose(&self, ops: &'static [Op], idx: Idx, from: usize) -> Op {
        let args = &self.values[from..];
        let indices = self.arena.indices(idx).len();
        let fits = |i: &OpInfo| {
            let by_index = i.indices.is_none_or(|n| n as usize == indices);
            let unary = args.len() == 1 && i.assoc == Assoc::Left && i.op != Op::Sub;
            by_index && (i.arity_fits(args.len()) || unary)
        };
        let plausible = |i: &OpInfo| {
            i.args.is_empty()
                || args.iter().enumerate().all(|(k, &t)| {
                    let kind = self.arena.kind(t);
                    match i.pattern(k) {
                        P::Str => matches!(kind, SortKind::String),
                        P::Re => matches!(kind, SortKind::RegLan),
                        P::SeqA | P::SeqB => matches!(kind, SortKind::Seq(_)),
                        P::Fp => matches!(kind, SortKind::Float(..)),
                        P::BvX | P::BvY | P::Bv1 | P::BvIPlusJ => {
                            matches!(kind, SortKind::BitVec(_))
                        }
                        P::Real | P::Num | P::Int => {
                            matches!(kind, SortKind::Int | SortKind::Real)
                        }
                        _ => true,
                    }
                })
        };
        let find = |f: &dyn Fn(&OpInfo) -> bool| ops.iter().copied().find(|o| f(o.info()));
        find(&|i| fits(i) && plausible(i)).or_else(|| find(&fits)).unwrap_or(ops[0])
    }

    /// Names that stand for something without being declared: `is-C`, values of models, user operators.
    #[inline(never)]
    fn apply_unknown(
        &mut self,
        name: Sym,
        sort: Option<Sort>,
        from: usize,
        span: Range<usize>,
    ) -> Result<Term> {
        let text = self.arena.name(name).to_owned();
        if let Some(constructor) = text.strip_prefix("is-")
            && let Some(c) = self.arena.find_sym(constructor)
            && let Ok((f, _)) = self.symbol_index(Op::Is, c, from, &span)
        {
            let idx = self.arena.idx(&[f]);
            return self.apply_ops(&[Op::Is], idx, None, from, span);
        }
        if let Some(f) = self.external_named(name) {
            return self.apply_user_fun(f, sort, from, span);
        }
        let no_args = from == self.values.len();
        if no_args && let Some(t) = self.negative_literal(&text) {
            return Ok(t);
        }
        if let Some(s) = sort {
            if let Some(t) = self.field_literal(&text, s) {
                return Ok(t);
            }
            if self.options.model_values && no_args {
                let decl = FunDecl {
                    name,
                    params: Box::default(),
                    args: Box::default(),
                    ret: s,
                    kind: FunKind::Abstract,
                    def: None,
                };
                let f = self.declare(span, decl)?;
                return Ok(self.arena.mk_fun(f));
            }
        }
        let what = if no_args { "symbol" } else { "function or operator" };
        self.error(span, format!("unknown {what} `{text}`"))
    }

    /// `-5` and `-1.5`: symbols by the standard, numbers to z3 and cvc5.
    fn negative_literal(&mut self, text: &str) -> Option<Term> {
        let digits = text.strip_prefix('-')?;
        let decimal_point = digits.contains('.');
        let fine = digits.len() <= MAX_DIGITS
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            && digits.matches('.').count() <= 1;
        if !fine {
            return None;
        }
        let literal = if decimal_point || self.numerals_are_real {
            Literal::real(digits)
        } else {
            Literal::Int(decimal(digits))
        };
        let t = self.arena.mk_literal(literal);
        self.arena.app(Op::Neg, &[], &[t]).ok()
    }

    /// `(as ff3 F)`, `(as ff-1 F)`
    fn field_literal(&mut self, text: &str, s: Sort) -> Option<Term> {
        let SortKind::FiniteField(order) = self.arena.sort_kind(s) else { return None };
        let digits = text.strip_prefix("ff")?;
        let (negative, digits) = match digits.strip_prefix('-') {
            Some(d) => (true, d),
            None => (false, digits),
        };
        if digits.is_empty()
            || digits.len() > MAX_DIGITS
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return None;
        }
        Some(self.field(negative, decimal(digits), order.clone()))
    }

    pub(super) fn field(&mut self, negative: bool, value: UBig, order: UBig) -> Term {
        let mut value = value % &order;
        if negative && !value.is_zero() {
            value = &order - value;
        }
        self.arena.mk_literal(Literal::Field { order, value })
    }

    fn external_named(&mut self, name: Sym) -> Option<Fun> {
        if let Some(&f) = self.external.get(&name) {
            return Some(f);
        }
        let text = self.arena.name(name).to_owned();
        let f = self.options.user_ops.instantiate(&mut self.arena, &text, &[])?;
        self.external.insert(name, f);
        Some(f)
    }

    fn external_indexed(&mut self, id: &Ident) -> Option<Fun> {
        let mut numbers = Vec::new();
        for i in &id.indices {
            match i {
                Index::Number(n) => numbers.push(n.clone()),
                _ => return None,
            }
        }
        let text = self.arena.name(id.name).to_owned();
        let whole = crate::userops::indexed_name(&text, &numbers);
        let whole = self.arena.sym(&whole);
        if let Some(&f) = self.external.get(&whole) {
            return Some(f);
        }
        let f = self.options.user_ops.instantiate(&mut self.arena, &text, &numbers)?;
        self.external.insert(whole, f);
        Some(f)
    }
}

fn is_bv_literal(name: &str) -> bool {
    (3..=MAX_DIGITS).contains(&name.len())
        && name.starts_with("bv")
        && name.bytes().skip(2).all(|b| b.is_ascii_digit())
}
