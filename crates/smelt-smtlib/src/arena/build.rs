//! Making terms: hash-consing, and the builders whose sort follows from their parts. The sort checker's are in `typing`.

use dashu_int::UBig;
use smallvec::SmallVec;

use super::{Arena, Binder, Fun, Head, Idx, Node, Term, Var, VarList};
use crate::literal::Literal;
use crate::op::Op;
use crate::sort::{Sort, SortKind};

impl Arena {
    /// Makes a node as it is. The caller vouches for the sort: see [`Arena::app`] for the checked way.
    #[inline]
    pub fn mk(&mut self, head: Head, args: &[Term], sort: Sort) -> Term {
        let (nodes, pool) = (&self.nodes, &self.args);
        let new = nodes.len() as u32;
        // What has an argument of this layer is not in the one below.
        let low = nodes.base_len();
        let below = args.iter().all(|t| t.index() < low);
        let found = self.index.find_or_insert_in(
            hash_node(head, sort, args),
            new,
            |i| nodes.own(i as usize).is(pool, head, args, sort),
            below.then_some(|i: u32| nodes.below(i as usize).is(pool, head, args, sort)),
        );
        match found {
            Some(i) => self.at(i),
            None => self.push_node(head, args, sort),
        }
    }

    /// Adds a node that does not exist yet; its place in the index is taken already.
    #[inline]
    fn push_node(&mut self, head: Head, args: &[Term], sort: Sort) -> Term {
        let mut depth = 0;
        let mut tree_size = 1u64;
        let mut open = false;
        for &a in args {
            let n = self.node(a);
            depth = depth.max(n.depth);
            tree_size = tree_size.saturating_add(n.tree_size);
            open |= n.free != VarList::EMPTY;
        }
        let free = match head {
            Head::Var(v) => self.var_list(&[v]),
            _ if open => self.free_of(head, args),
            _ => VarList::EMPTY,
        };
        let start = self.args.push_few(args) as u32;
        let id = self.nodes.push(Node {
            head,
            sort,
            args: start,
            arity: args.len() as u32,
            depth: depth + 1,
            free,
            tree_size,
        }) as u32;
        self.at(id)
    }

    /// The free variables of a node that is being made.
    #[inline(never)]
    fn free_of(&mut self, head: Head, args: &[Term]) -> VarList {
        let mut first = VarList::EMPTY;
        let mut same = true;
        for &a in args {
            let f = self.node(a).free;
            if f != VarList::EMPTY {
                same &= first == VarList::EMPTY || first == f;
                first = f;
            }
        }
        let binds = matches!(head, Head::Bind(..) | Head::Match(_));
        if same && !binds {
            return first;
        }
        let mut all: SmallVec<[Var; 16]> = SmallVec::new();
        for (i, &a) in args.iter().enumerate() {
            let bound: &[Var] = match head {
                Head::Bind(_, l) => self.vars(l),
                Head::Match(c) if i > 0 => self.vars(self.case_list(c)[i - 1].vars),
                _ => &[],
            };
            all.extend(self.free_vars(a).iter().copied().filter(|v| !bound.contains(v)));
        }
        all.sort_unstable();
        all.dedup();
        self.var_list(&all)
    }

    /// A literal as a term.
    pub fn mk_literal(&mut self, l: Literal) -> Term {
        let sort = match &l {
            Literal::Int(_) => Sort::INT,
            Literal::Real { .. } | Literal::Root { .. } => Sort::REAL,
            Literal::Str(_) => Sort::STRING,
            Literal::Bits { width, .. } => {
                let w = *width;
                self.bv_sort(w)
            }
            Literal::Field { order, .. } => {
                let p = order.clone();
                self.mk_sort(SortKind::FiniteField(p))
            }
        };
        let lit = self.literal(l);
        self.mk(Head::Lit(lit), &[], sort)
    }

    /// A numeral of sort Int.
    pub fn mk_int(&mut self, value: impl Into<UBig>) -> Term {
        self.mk_literal(Literal::Int(value.into()))
    }

    /// A bound variable as a term.
    pub fn mk_var(&mut self, v: Var) -> Term {
        let sort = self.var(v).sort;
        self.mk(Head::Var(v), &[], sort)
    }

    /// A constant symbol as a term, or a function symbol as a value of function sort.
    pub fn mk_fun(&mut self, f: Fun) -> Term {
        let d = self.fun(f);
        let (n, ret) = self.written(f);
        let sort = if n == 0 {
            ret
        } else {
            let args = d.args[..n].into();
            self.mk_sort(SortKind::Fun(args, ret))
        };
        self.mk(Head::Fun(f), &[], sort)
    }

    /// `true` or `false`
    pub fn mk_bool(&mut self, value: bool) -> Term {
        let op = if value { Op::True } else { Op::False };
        self.mk(Head::Op(op, Idx::NONE), &[], Sort::BOOL)
    }

    /// A binder; its sort follows from the kind of binder and the body.
    pub fn mk_binder(&mut self, binder: Binder, vars: VarList, args: &[Term]) -> Term {
        let sort = match binder {
            Binder::Forall | Binder::Exists => Sort::BOOL,
            Binder::Choice => self.vars(vars).first().map_or(Sort::BOOL, |&v| self.var(v).sort),
            Binder::Lambda => {
                let sorts = self.vars(vars).iter().map(|&v| self.var(v).sort).collect();
                let ret = self.sort(args[0]);
                self.mk_sort(SortKind::Fun(sorts, ret))
            }
            Binder::SetComprehension => {
                let element = self.sort(args[args.len() - 1]);
                self.mk_sort(SortKind::Set(element))
            }
        };
        self.mk(Head::Bind(binder, vars), args, sort)
    }

    /// Another top on the same arguments. The caller vouches for it: the sort stays.
    pub fn with_head(&mut self, t: Term, head: Head) -> Term {
        let sort = self.sort(t);
        match *self.args(t) {
            // The frequent numbers are spelled out: nothing is copied by a loop.
            [x] => self.mk(head, &[x], sort),
            [x, y] => self.mk(head, &[x, y], sort),
            ref args => {
                let args: SmallVec<[Term; 8]> = SmallVec::from_slice(args);
                self.mk(head, &args, sort)
            }
        }
    }

    /// A term like `t`, with another argument at `i`. Its sort must be that of the argument that it replaces.
    pub fn with_arg(&mut self, t: Term, i: usize, new: Term) -> Term {
        let (head, sort, args) = self.parts(t);
        match *args {
            [_] => self.mk(head, &[new], sort),
            [x, y] => {
                let args = if i == 0 { [new, y] } else { [x, new] };
                self.mk(head, &args, sort)
            }
            _ => {
                let mut args: SmallVec<[Term; 8]> = SmallVec::from_slice(args);
                args[i] = new;
                self.mk(head, &args, sort)
            }
        }
    }

    /// A term with the head and sort of `t` and with other arguments, whose sorts must be those of the arguments of `t`.
    pub fn with_args(&mut self, t: Term, args: &[Term]) -> Term {
        let n = *self.node(t);
        self.mk(n.head, args, n.sort)
    }
}

#[inline]
pub(super) fn hash_node(head: Head, sort: Sort, args: &[Term]) -> u64 {
    const K: u64 = 0xf135_7aea_2e62_a9c5;
    let (tag, a) = match head {
        Head::Op(op, idx) => (op as u32, idx.0),
        Head::Fun(f) => (0x1_0000, f.0),
        Head::Var(v) => (0x2_0000, v.0),
        Head::Lit(l) => (0x3_0000, l.0),
        Head::Bind(b, l) => (0x4_0000 + b as u32, l.0),
        Head::Match(c) => (0x5_0000, c.0),
        Head::Annot(a) => (0x6_0000, a.0),
    };
    let top = (u64::from(tag) << 32 | u64::from(a)).wrapping_mul(K).wrapping_add(u64::from(sort.0));
    let add = |h: u64, t: Term| h.wrapping_mul(K).wrapping_add(u64::from(t.id));
    // The frequent lengths are spelled out.
    let h = match *args {
        [] => top,
        [a] => add(top, a),
        [a, b] => add(add(top, a), b),
        [a, b, c] => add(add(add(top, a), b), c),
        _ => args.iter().fold(top, |h, &t| add(h, t)),
    };
    // The index goes by the upper half, so that every bit must reach it.
    (h ^ h >> 32).wrapping_mul(K)
}
