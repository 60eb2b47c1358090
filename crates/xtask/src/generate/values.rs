//! Values of every sort, as terms.

use dashu_int::{IBig, Sign, UBig};
use rand::RngExt;
use smelt_smtlib::invert::field_sorts;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Binder, Head, Literal, Op, Sort, SortKind, Term};

use super::{Builder, numbers, strings};

impl Builder<'_> {
    /// An integer constant; a negative one is a negated numeral.
    pub fn int(&mut self, v: IBig) -> Term {
        let (sign, magnitude) = v.into_parts();
        let t = self.arena.mk_int(magnitude);
        if sign == Sign::Negative { self.must(Op::Neg, &[], &[t]) } else { t }
    }

    /// A rational constant.
    pub fn real(&mut self, n: IBig, d: UBig) -> Term {
        let (sign, magnitude) = n.into_parts();
        let whole = |v: UBig| Literal::Real { digits: v, scale: 0 };
        let mut t = self.arena.mk_literal(whole(magnitude));
        if d != UBig::ONE {
            let d = self.arena.mk_literal(whole(d));
            t = self.must(Op::Div, &[], &[t, d]);
        }
        if sign == Sign::Negative { self.must(Op::Neg, &[], &[t]) } else { t }
    }

    /// A string constant.
    pub fn string(&mut self, chars: Vec<u32>) -> Term {
        self.arena.mk_literal(Literal::Str(chars.into()))
    }

    fn bits(&mut self, width: u32, value: UBig) -> Term {
        self.arena.mk_literal(Literal::Bits { width, value })
    }

    fn float(&mut self, e: u32, m: u32) -> Term {
        if self.rng.random_bool(0.06) {
            return self.must(Op::FpNan, &[e, m], &[]);
        }
        let (sign, exponent, significand) = numbers::float_fields(self.rng, e, m);
        if exponent.is_zero() && significand.is_zero() && self.rng.random_bool(0.5) {
            let op = if sign { Op::FpMinusZero } else { Op::FpPlusZero };
            return self.must(op, &[e, m], &[]);
        }
        let top = (UBig::ONE << e as usize) - UBig::ONE;
        if exponent == top && self.rng.random_bool(0.5) {
            let op = if sign { Op::FpMinusInf } else { Op::FpPlusInf };
            return self.must(op, &[e, m], &[]);
        }
        let parts = [
            self.bits(1, UBig::from(u8::from(sign))),
            self.bits(e, exponent),
            self.bits(m - 1, significand),
        ];
        self.must(Op::FpMake, &[], &parts)
    }

    /// A value of a sort; sometimes one that was used before, so that members are found and keys are hit.
    pub fn value(&mut self, sort: Sort, depth: u32) -> Term {
        if self.rng.random_bool(0.2) {
            let same: Vec<Term> =
                self.pool.iter().copied().filter(|&t| self.arena.sort(t) == sort).collect();
            if !same.is_empty() {
                return same[self.rng.random_range(0..same.len())];
            }
        }
        let t = self.fresh_value(sort, depth);
        if self.arena.is_closed(t) && self.pool.len() < 64 {
            self.pool.push(t);
        }
        t
    }

    /// A string or sequence that occurs in an earlier argument.
    pub fn part_of(&mut self, whole: Term) -> Option<Term> {
        let sort = self.arena.sort(whole);
        match self.arena.head(whole) {
            Head::Lit(l) => {
                let Literal::Str(chars) = self.arena.lit(l) else { return None };
                let chars = chars.to_vec();
                let start = self.rng.random_range(0..=chars.len());
                let end = self.rng.random_range(start..=chars.len().min(start + 4));
                Some(self.string(chars[start..end].to_vec()))
            }
            Head::Op(Op::SeqConcat, _) => {
                let units = self.arena.args(whole).to_vec();
                let start = self.rng.random_range(0..=units.len());
                let end = self.rng.random_range(start..=units.len());
                Some(match units[start..end] {
                    [] => self.must_as(Op::SeqEmpty, &[], sort),
                    [t] => t,
                    _ => self.must(Op::SeqConcat, &[], &units[start..end]),
                })
            }
            _ => None,
        }
    }

    /// A value of a sort. `depth` bounds the nesting of recursive datatypes.
    fn fresh_value(&mut self, sort: Sort, depth: u32) -> Term {
        let kind = self.arena.sort_kind(sort).clone();
        match kind {
            SortKind::Bool => {
                let b = self.rng.random_bool(0.5);
                self.arena.mk_bool(b)
            }
            SortKind::Int => {
                let v = numbers::int(self.rng);
                self.int(v)
            }
            SortKind::Real => {
                let (n, d) = numbers::rational(self.rng);
                self.real(n, d)
            }
            SortKind::RoundingMode => {
                let modes = [Op::Rne, Op::Rna, Op::Rtp, Op::Rtn, Op::Rtz];
                let mode = modes[self.rng.random_range(0..5)];
                self.must(mode, &[], &[])
            }
            SortKind::String => {
                let s = strings::string(self.rng);
                self.string(s)
            }
            SortKind::RegLan => self.small_regex(),
            SortKind::BitVec(w) => {
                let v = numbers::bits(self.rng, w);
                self.bits(w, v)
            }
            SortKind::Float(e, m) => self.float(e, m),
            SortKind::FiniteField(order) => {
                let value = match self.rng.random_range(0..5) {
                    0 => UBig::ZERO,
                    1 => UBig::ONE,
                    2 => &order - UBig::ONE,
                    _ => UBig::from(self.rng.random::<u64>()) % &order,
                };
                self.arena.mk_literal(Literal::Field { order, value })
            }
            SortKind::Array(i, e) => self.array(sort, i, e, depth),
            SortKind::Seq(e) => self.sequence(sort, e, depth),
            SortKind::Set(e) => self.set(sort, e, depth),
            SortKind::Bag(e) => self.bag(sort, e, depth),
            SortKind::Nullable(e) => {
                if self.rng.random_bool(0.3) {
                    return self.must_as(Op::NullableNull, &[], sort);
                }
                let v = self.value(e, depth);
                self.must(Op::NullableSome, &[], &[v])
            }
            SortKind::Tuple(parts) => {
                let args: Vec<Term> = parts.iter().map(|&s| self.value(s, depth)).collect();
                let op = if args.is_empty() { Op::TupleUnit } else { Op::TupleMake };
                self.must(op, &[], &args)
            }
            SortKind::Fun(from, to) => self.lambda(&from, to),
            SortKind::Named(..) => self.data(sort, depth),
            SortKind::Param(_) => self.arena.mk_bool(true),
        }
    }

    /// A value that is no application, mostly: cvc5 takes only such ones (not even `(- 1)`) in a constant array.
    pub fn plain_value(&mut self, sort: Sort, depth: u32) -> Term {
        for _ in 0..6 {
            let t = self.value(sort, depth);
            let negated = matches!(
                self.arena.head(t),
                Head::Op(Op::Neg | Op::Div | Op::SeqUnit | Op::SeqConcat, _)
            );
            if !negated || self.rng.random_bool(0.05) {
                return t;
            }
        }
        self.value(sort, depth)
    }

    fn array(&mut self, sort: Sort, index: Sort, element: Sort, depth: u32) -> Term {
        let default = self.plain_value(element, depth);
        let mut t = self.must_as(Op::ConstArray, &[default], sort);
        for _ in 0..self.rng.random_range(0..4) {
            let i = self.value(index, depth);
            let again = self.rng.random_bool(0.15);
            let e = if again { default } else { self.value(element, depth) };
            t = self.must(Op::Store, &[], &[t, i, e]);
        }
        t
    }

    fn sequence(&mut self, sort: Sort, element: Sort, depth: u32) -> Term {
        let n = [0, 0, 1, 1, 2, 2, 3, 4, 5][self.rng.random_range(0..9)];
        // Few different elements, so that searching finds something.
        let pool: Vec<Term> = (0..2).map(|_| self.value(element, depth)).collect();
        let units: Vec<Term> = (0..n)
            .map(|_| {
                let fresh = self.rng.random_bool(0.3);
                let k = self.rng.random_range(0..2);
                let e = if fresh { self.value(element, depth) } else { pool[k] };
                self.must(Op::SeqUnit, &[], &[e])
            })
            .collect();
        match *units {
            [] => self.must_as(Op::SeqEmpty, &[], sort),
            [t] => t,
            _ => self.must(Op::SeqConcat, &[], &units),
        }
    }

    fn set(&mut self, sort: Sort, element: Sort, depth: u32) -> Term {
        let n = self.rng.random_range(0..4);
        if n == 0 {
            return self.must_as(Op::SetEmpty, &[], sort);
        }
        let first = self.value(element, depth);
        let mut t = self.must(Op::SetSingleton, &[], &[first]);
        for _ in 1..n {
            let e = self.value(element, depth);
            t = if self.rng.random_bool(0.5) {
                self.must(Op::SetInsert, &[], &[e, t])
            } else {
                let one = self.must(Op::SetSingleton, &[], &[e]);
                self.must(Op::SetUnion, &[], &[t, one])
            };
        }
        t
    }

    fn bag(&mut self, sort: Sort, element: Sort, depth: u32) -> Term {
        let mut t = None;
        for _ in 0..self.rng.random_range(0..4) {
            let e = self.value(element, depth);
            let n = numbers::small_int(self.rng, -1, 4);
            let n = self.int(n);
            let one = self.must(Op::BagMake, &[], &[e, n]);
            t = Some(match t {
                None => one,
                Some(t) => self.must(Op::BagUnionDisjoint, &[], &[t, one]),
            });
        }
        t.unwrap_or_else(|| self.must_as(Op::BagEmpty, &[], sort))
    }

    /// A function; its body may use its parameters.
    fn lambda(&mut self, from: &[Sort], to: Sort) -> Term {
        let name = self.arena.sym("x");
        let vars: Vec<_> = from.iter().map(|&s| self.arena.new_var(name, s)).collect();
        let before = self.scope.len();
        for &v in &vars {
            let t = self.arena.mk_var(v);
            self.scope.push(t);
        }
        let body = self.term(to, 2);
        self.scope.truncate(before);
        let list = self.arena.var_list(&vars);
        self.arena.mk_binder(Binder::Lambda, list, &[body])
    }

    /// A value of a datatype; beyond the depth, by a constructor without recursion if there is one.
    fn data(&mut self, sort: Sort, depth: u32) -> Term {
        let SortKind::Named(d, _) = *self.arena.sort_kind(sort) else {
            return self.arena.mk_bool(true);
        };
        let SortDeclKind::Datatype { constructors, .. } = self.arena.sort_decl(d).kind.clone()
        else {
            return self.arena.mk_bool(true);
        };
        let k = if depth == 0 { 0 } else { self.rng.random_range(0..constructors.len()) };
        let c = constructors[k];
        let fields = field_sorts(self.arena, c, sort).unwrap_or_default();
        let args: Vec<Term> =
            fields.iter().map(|&s| self.value(s, depth.saturating_sub(1))).collect();
        self.must_fun(c, &args, sort)
    }

    fn small_regex(&mut self) -> Term {
        match self.rng.random_range(0..12) {
            0 => self.must(Op::ReAllChar, &[], &[]),
            1 => self.must(Op::ReAll, &[], &[]),
            2 => self.must(Op::ReNone, &[], &[]),
            3..6 => {
                let (l, h) = (strings::char(self.rng), strings::char(self.rng));
                let sorted = self.rng.random_bool(0.8);
                let (l, h) = if sorted { (l.min(h), l.max(h)) } else { (l, h) };
                let mut ends = [vec![l], vec![h]];
                if self.rng.random_bool(0.06) {
                    // Not a single character: the empty language.
                    ends[self.rng.random_range(0..2)] = strings::string(self.rng);
                }
                let [l, h] = ends.map(|s| self.string(s));
                self.must(Op::ReRange, &[], &[l, h])
            }
            6..9 => {
                let c = strings::char(self.rng);
                let s = self.string(vec![c]);
                self.must(Op::StrToRe, &[], &[s])
            }
            _ => {
                let s = strings::string(self.rng);
                let s = self.string(s);
                self.must(Op::StrToRe, &[], &[s])
            }
        }
    }
}
