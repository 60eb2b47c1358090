//! Sort rules that the patterns of the operator table cannot say.

use crate::arena::{Arena, Fun, FunKind, Term};
use crate::op::Op;
use crate::sort::{Sort, SortKind};
use crate::typing::{SortResult, width};

/// `concat`: the widths add up.
pub(crate) fn concat(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let mut total = 0u64;
    for &t in args {
        if let SortKind::BitVec(w) = a.kind(t) {
            total += u64::from(*w);
        }
    }
    let w = width(total)?;
    Ok(a.bv_sort(w))
}

/// `bit2bool`: the index is below the width.
pub(crate) fn bit(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    match a.kind(args[0]) {
        SortKind::BitVec(w) if idx[0] < *w => Ok(Sort::BOOL),
        _ => Err(format!("bit {} is beyond the width of the argument", idx[0])),
    }
}

/// `select`, also on a function where z3 reads arrays as functions.
pub(crate) fn select(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    match a.kind(args[0]).clone() {
        SortKind::Array(_, e) => Ok(e),
        SortKind::Fun(from, to) if from.len() == 1 => Ok(to),
        SortKind::Fun(from, to) => Ok(a.mk_sort(SortKind::Fun(from[1..].into(), to))),
        _ => Err(format!("`select` needs an array, not {}", a.show_sort(a.sort(args[0])))),
    }
}

/// `store`
pub(crate) fn store(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    Ok(a.sort(args[0]))
}

/// `(_ map f)`: the index is a function symbol, or an operator counted from the top.
pub(crate) fn array_map(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    let mut index = None;
    let mut elements = Vec::new();
    for &t in args {
        match *a.kind(t) {
            SortKind::Array(i, e) if index.is_none_or(|j| i == j) => {
                index = Some(i);
                elements.push(e);
            }
            _ => return Err("`map` needs arrays of one index sort".into()),
        }
    }
    let index = index.ok_or("`map` needs at least one array")?;
    let element = match *idx {
        [f, 0] => {
            let d = a.fun(Fun(f));
            if *d.args != *elements {
                return Err(format!("`map` of `{}` needs arrays of its arguments", a.name(d.name)));
            }
            d.ret
        }
        [op, _] => {
            let op = Op::all().nth(op as usize).ok_or("`map` needs a function")?;
            // Type the element-wise application with stand-ins, then forget them.
            let mark = a.mark();
            let name = a.sym("map!arg");
            let stand_ins: Vec<Term> = elements
                .iter()
                .map(|&e| {
                    let v = a.new_var(name, e);
                    a.mk_var(v)
                })
                .collect();
            let sort = a.app(op, &[], &stand_ins).map(|t| a.sort(t));
            let sort = sort?;
            if sort.index() < mark.sorts() {
                a.rollback(mark);
            }
            sort
        }
        _ => return Err("`map` needs a function".into()),
    };
    Ok(a.mk_sort(SortKind::Array(index, element)))
}

/// `(_ as-array f)`
pub(crate) fn as_array(a: &mut Arena, idx: &[u32], _: &[Term]) -> SortResult<Sort> {
    let f = a.fun_at(idx[0] as usize).ok_or("`as-array` needs a function symbol")?;
    let d = a.fun(f);
    let (args, ret) = (d.args.clone(), d.ret);
    if args.is_empty() {
        return Err("`as-array` needs a function with arguments".into());
    }
    // Several arguments make a nested array, as z3 has it for functions of one argument only.
    let mut sort = ret;
    for &i in args.iter().rev() {
        sort = a.mk_sort(SortKind::Array(i, sort));
    }
    Ok(sort)
}

/// `(_ is C)`
pub(crate) fn is(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    let f = a.fun_at(idx[0] as usize).ok_or("`is` needs a constructor")?;
    let d = a.fun(f);
    let have = a.sort(args[0]);
    if !matches!(d.kind, FunKind::Constructor(..)) {
        return Err(format!("`{}` is not a constructor", a.name(d.name)));
    }
    if a.match_sort(d.ret, have, &mut Vec::new()) {
        return Ok(Sort::BOOL);
    }
    Err(format!("`{}` does not construct {}", a.name(d.name), a.show_sort(have)))
}

/// `(_ update selector)`
pub(crate) fn update(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    let f = a.fun_at(idx[0] as usize).ok_or("`update` needs a selector")?;
    let d = a.fun(f).clone();
    let (have, new) = (a.sort(args[0]), a.sort(args[1]));
    let mut map = Vec::new();
    if !matches!(d.kind, FunKind::Selector(..)) || !a.match_sort(d.args[0], have, &mut map) {
        return Err(format!("`{}` does not select from {}", a.name(d.name), a.show_sort(have)));
    }
    let want = a.subst_sort(d.ret, &map);
    if want == new {
        return Ok(have);
    }
    Err(format!("the new value has sort {}, not {}", a.show_sort(new), a.show_sort(want)))
}

/// `seq.map` on a function or on z3's array.
pub(crate) fn seq_map(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let ret = match a.kind(args[0]) {
        SortKind::Fun(_, ret) => *ret,
        SortKind::Array(_, e) => *e,
        _ => return Err("`seq.map` needs a function".into()),
    };
    Ok(a.mk_sort(SortKind::Seq(ret)))
}

/// `(set.insert e … s)`
pub(crate) fn set_insert(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let Some((&set, elements)) = args.split_last() else {
        return Err("`set.insert` needs elements and a set".into());
    };
    match *a.kind(set) {
        SortKind::Set(e) if !elements.is_empty() && elements.iter().all(|&t| a.sort(t) == e) => {
            Ok(a.sort(set))
        }
        _ => Err("`set.insert` needs elements and a set of their sort".into()),
    }
}

fn tuple_parts(a: &Arena, s: Sort) -> SortResult<Box<[Sort]>> {
    match a.sort_kind(s) {
        SortKind::Tuple(parts) => Ok(parts.clone()),
        _ => Err(format!("a tuple is needed, not {}", a.show_sort(s))),
    }
}

fn elements(a: &Arena, t: Term) -> SortResult<Box<[Sort]>> {
    match *a.kind(t) {
        SortKind::Set(e) | SortKind::Bag(e) => tuple_parts(a, e),
        _ => Err(format!("a relation is needed, not {}", a.show_sort(a.sort(t)))),
    }
}

fn relation(a: &mut Arena, parts: impl IntoIterator<Item = Sort>) -> Sort {
    let t = a.mk_sort(SortKind::Tuple(parts.into_iter().collect()));
    a.mk_sort(SortKind::Set(t))
}

fn table(a: &mut Arena, parts: impl IntoIterator<Item = Sort>) -> Sort {
    let t = a.mk_sort(SortKind::Tuple(parts.into_iter().collect()));
    a.mk_sort(SortKind::Bag(t))
}

fn pick(parts: &[Sort], idx: &[u32]) -> SortResult<Vec<Sort>> {
    let one = |&i: &u32| parts.get(i as usize).copied();
    idx.iter().map(|i| one(i).ok_or_else(|| format!("there is no component {i}"))).collect()
}

/// `(tuple …)`
pub(crate) fn tuple(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let parts = args.iter().map(|&t| a.sort(t)).collect();
    Ok(a.mk_sort(SortKind::Tuple(parts)))
}

/// `tuple.unit`
pub(crate) fn tuple_unit(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    if !args.is_empty() {
        return Err("`tuple.unit` takes no arguments".into());
    }
    Ok(a.mk_sort(SortKind::Tuple(Box::default())))
}

/// `(_ tuple.select i)`
pub(crate) fn tuple_select(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    Ok(pick(&tuple_parts(a, a.sort(args[0]))?, idx)?[0])
}

/// `(_ tuple.update i)`
pub(crate) fn tuple_update(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    let want = pick(&tuple_parts(a, a.sort(args[0]))?, idx)?[0];
    if want == a.sort(args[1]) {
        return Ok(a.sort(args[0]));
    }
    Err(format!("the new component must have sort {}", a.show_sort(want)))
}

/// `(_ tuple.project i …)`
pub(crate) fn tuple_project(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    let parts = pick(&tuple_parts(a, a.sort(args[0]))?, idx)?;
    Ok(a.mk_sort(SortKind::Tuple(parts.into())))
}

/// `rel.transpose`
pub(crate) fn rel_transpose(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let parts = elements(a, args[0])?;
    Ok(relation(a, parts.iter().rev().copied()))
}

/// `rel.join`
pub(crate) fn rel_join(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let (l, r) = (elements(a, args[0])?, elements(a, args[1])?);
    if l.is_empty() || r.is_empty() || l[l.len() - 1] != r[0] {
        return Err("the last column and the first column of a join must have one sort".into());
    }
    Ok(relation(a, l[..l.len() - 1].iter().chain(&r[1..]).copied()))
}

/// `rel.product` and joins that keep all columns
pub(crate) fn rel_product(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let (l, r) = (elements(a, args[0])?, elements(a, args[1])?);
    Ok(relation(a, l.iter().chain(&r).copied()))
}

/// `rel.iden`
pub(crate) fn rel_iden(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    match *elements(a, args[0])? {
        [s] => Ok(relation(a, [s, s])),
        _ => Err("`rel.iden` needs a relation of one column".into()),
    }
}

/// `rel.join_image`
pub(crate) fn rel_join_image(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    match *elements(a, args[0])? {
        [s, _] => Ok(relation(a, [s])),
        _ => Err("`rel.join_image` needs a binary relation".into()),
    }
}

/// `(_ rel.project i …)`
pub(crate) fn rel_project(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    let parts = pick(&elements(a, args[0])?, idx)?;
    Ok(relation(a, parts))
}

/// `(_ rel.group i …)`
pub(crate) fn rel_group(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    pick(&elements(a, args[0])?, idx)?;
    let s = a.sort(args[0]);
    Ok(a.mk_sort(SortKind::Set(s)))
}

/// `bag.partition`
pub(crate) fn bag_partition(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let s = a.sort(args[1]);
    Ok(a.mk_sort(SortKind::Bag(s)))
}

/// `table.product` and `table.join`
pub(crate) fn table_product(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let (l, r) = (elements(a, args[0])?, elements(a, args[1])?);
    Ok(table(a, l.iter().chain(&r).copied()))
}

/// `(_ table.project i …)`
pub(crate) fn table_project(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    let parts = pick(&elements(a, args[0])?, idx)?;
    Ok(table(a, parts))
}

/// `(_ table.group i …)`
pub(crate) fn table_group(a: &mut Arena, idx: &[u32], args: &[Term]) -> SortResult<Sort> {
    pick(&elements(a, args[0])?, idx)?;
    let s = a.sort(args[0]);
    Ok(a.mk_sort(SortKind::Bag(s)))
}

/// `(@ f x …)`: application of a term of function sort, partial ones included.
pub(crate) fn apply(a: &mut Arena, _: &[u32], args: &[Term]) -> SortResult<Sort> {
    let Some((&f, given)) = args.split_first() else {
        return Err("`@` needs a function".into());
    };
    let mut sort = a.sort(f);
    let mut rest = given;
    while !rest.is_empty() {
        let SortKind::Fun(want, ret) = a.sort_kind(sort).clone() else {
            return Err(format!("a term of sort {} is not a function", a.show_sort(sort)));
        };
        let n = rest.len().min(want.len());
        for (&t, &w) in rest[..n].iter().zip(&want) {
            let have = a.sort(t);
            if have != w && !a.interchangeable(have, w) {
                let (have, w) = (a.show_sort(have), a.show_sort(w));
                return Err(format!("the function is applied to {have}, but {w} is needed"));
            }
        }
        sort = if n == want.len() { ret } else { a.mk_sort(SortKind::Fun(want[n..].into(), ret)) };
        rest = &rest[n..];
    }
    Ok(sort)
}
