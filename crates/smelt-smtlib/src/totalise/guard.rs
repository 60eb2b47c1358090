//! Applications with their guards, and the functions that stand for open values.

use smallvec::SmallVec;

use super::{OpenFunction, Partial, Refusal, Totaliser};
use crate::arena::{Fun, FunDecl, FunKind, Head, Idx, Term};
use crate::op::{Assoc, Dialect, Op};
use crate::partiality::{Made, Open, Partiality, Range};
use crate::sort::{Sort, SortKind};

impl Totaliser {
    /// An application of a partial operator; several divisors one after the other.
    pub(super) fn operator(
        &mut self,
        op: Op,
        idx: Idx,
        how: &Partiality,
        args: &[Term],
        sort: Sort,
    ) -> Result<Term, Refusal> {
        if op.info().assoc != Assoc::Left || args.len() <= 2 {
            return self.application(op, idx, how, args, sort);
        }
        let mut open = false;
        for &x in &args[1..] {
            open |= self.open_when(how, idx, &[args[0], x])? != Open::Never;
        }
        if !open {
            return Ok(self.a.mk(Head::Op(op, idx), args, sort));
        }
        let mut left = args[0];
        for &x in &args[1..] {
            left = self.application(op, idx, how, &[left, x], sort)?;
        }
        Ok(left)
    }

    fn open_when(&mut self, how: &Partiality, idx: Idx, args: &[Term]) -> Made<Open> {
        let indices: SmallVec<[u32; 2]> = self.a.indices(idx).into();
        (how.open_when)(&mut self.a, &indices, args)
    }

    /// One application of an operator with its guard.
    fn application(
        &mut self,
        op: Op,
        idx: Idx,
        how: &Partiality,
        args: &[Term],
        sort: Sort,
    ) -> Result<Term, Refusal> {
        let itself = self.a.mk(Head::Op(op, idx), args, sort);
        let mut guards: SmallVec<[Term; 2]> = match self.open_when(how, idx, args)? {
            Open::Never => return Ok(itself),
            Open::Always => SmallVec::new(),
            Open::When(guard) => SmallVec::from_slice(&[guard]),
        };
        let f = self.function(Partial::Op(op, idx), args, sort)?;
        let n = how.depends_on.min(args.len());
        let free = self.a.apply_fun(f, &args[..n], None)?;
        let value = match how.range {
            Range::Any => free,
            Range::Either(pair) => {
                let [yes, no] = pair(&mut self.a, args)?;
                self.a.app(Op::Ite, &[], &[free, yes, no])?
            }
            Range::Within(condition) => {
                guards.push(condition(&mut self.a, args, free)?);
                free
            }
        };
        let guard = match *guards {
            [] => return Ok(value),
            [guard] => guard,
            _ => self.a.app(Op::And, &[], &guards)?,
        };
        Ok(self.a.app(Op::Ite, &[], &[guard, value, itself])?)
    }

    /// A selector of a datatype with several constructors, with its guard.
    pub(super) fn selector(&mut self, f: Fun, x: Term, sort: Sort) -> Result<Term, Refusal> {
        let itself = self.a.mk(Head::Fun(f), &[x], sort);
        let Some((constructor, ..)) = self.datatype_of(f) else { return Ok(itself) };
        let made_by = match self.a.head(x) {
            Head::Fun(g) if matches!(self.a.fun(g).kind, FunKind::Constructor(..)) => Some(g),
            _ => None,
        };
        if made_by == Some(constructor) {
            return Ok(itself);
        }
        let free = self.function(Partial::Selector(f), &[x], sort)?;
        let open = self.a.apply_fun(free, &[x], None)?;
        if made_by.is_some() {
            return Ok(open);
        }
        let fits = self.a.app(Op::Is, &[constructor.index() as u32], &[x])?;
        Ok(self.a.app(Op::Ite, &[], &[fits, itself, open])?)
    }

    /// The function that stands for the open values of an operator or selector at these sorts.
    fn function(&mut self, of: Partial, args: &[Term], ret: Sort) -> Result<Fun, Refusal> {
        let sorts: SmallVec<[Sort; 3]> = args.iter().map(|&t| self.a.sort(t)).collect();
        let key = (of, sorts, ret);
        if let Some(&f) = self.known.get(&key) {
            return Ok(f);
        }
        let (word, takes, gives, standard) = match of {
            Partial::Op(op, idx) => {
                let info = op.info();
                let how = info.partiality;
                let chooses = how.is_some_and(|p| matches!(p.range, Range::Either(_)));
                let takes = how.map_or(args.len(), |p| p.depends_on.min(args.len()));
                let indices = self.a.indices(idx).iter().map(|i| format!(".{i}"));
                let word = word(info.name) + &indices.collect::<String>();
                let gives = if chooses { Sort::BOOL } else { ret };
                (word, takes, gives, info.dialect == Dialect::Standard)
            }
            Partial::Selector(f) => {
                let co = self.datatype_of(f).is_some_and(|(.., co)| co);
                (word(&self.name(f)), args.len(), ret, !co)
            }
        };
        if matches!(self.a.sort_kind(gives), SortKind::Fun(..)) {
            return Err(Refusal::FunctionSort(word));
        }
        let name = self.unused(&format!("open.{word}"));
        let name = self.a.sym(&name);
        let fun = self.a.declare_fun(FunDecl {
            name,
            params: Box::default(),
            args: key.1[..takes].into(),
            ret: gives,
            kind: FunKind::Free,
            def: None,
        });
        let all = key.1.to_vec().into();
        self.open.push(OpenFunction { fun, of, args: all, ret, standard });
        self.known.insert(key, fun);
        Ok(fun)
    }

    /// A name that nothing has yet.
    fn unused(&self, base: &str) -> String {
        let candidates = std::iter::once(base.to_owned());
        let mut candidates = candidates.chain((1u64..).map(|n| format!("{base}!{n}")));
        candidates.find(|n| self.a.find_sym(n).is_none()).unwrap_or_default()
    }
}

/// The name of an operator or selector as a part of a name that every solver reads.
fn word(name: &str) -> String {
    match name {
        "/" => "divide".into(),
        "^" => "power".into(),
        _ => {
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
            name.chars().map(plain).collect()
        }
    }
}
