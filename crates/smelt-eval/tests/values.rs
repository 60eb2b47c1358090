//! Values of all sorts: size, equality with three values, normal forms, and the finite collections against plain models.

use smelt_eval::Value;
use smelt_eval::algebraic::Algebraic;
use smelt_eval::array::Array;
use smelt_eval::bag::Bag;
use smelt_eval::bv::Bv;
use smelt_eval::compound::{Data, List, Tag};
use smelt_eval::field::Ff;
use smelt_eval::function::Table;
use smelt_eval::int::Int;
use smelt_eval::interval::{Dyadic, Interval};
use smelt_eval::rat::Rat;
use smelt_eval::real;
use smelt_eval::set::Set;
use smelt_eval::string::Str;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

fn int(n: i64) -> Value {
    Value::Int(Int::from(n))
}

fn bv(width: u32, bits: u64) -> Value {
    Value::Bv(Bv::new(width, bits).unwrap())
}

fn sqrt2() -> Value {
    let x = Algebraic::root(&[-2i64, 0, 1].map(Int::from), 2).unwrap().unwrap();
    real::from_algebraic(x)
}

fn rational(n: i64, d: i64) -> Value {
    Value::Real(Rat::new(&Int::from(n), &Int::from(d)).unwrap())
}

fn value(array: Option<Result<Array, smelt_eval::limit::Limit>>) -> Value {
    Value::Array(Arc::new(array.unwrap().unwrap()))
}

#[test]
fn values_are_small() {
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Option<Value>>(), 24);
}

/// All functions from `n` indices to `m` elements, each written in every way as a default and entries.
#[test]
fn arrays_over_a_finite_domain_are_functions() {
    for (indices, elements) in [(2u64, 2u64), (2, 3), (4, 2)] {
        let width = indices.trailing_zeros();
        let domain: Vec<Value> = (0..indices).map(|i| bv(width, i)).collect();
        let mut all: Vec<(Vec<u64>, Value)> = Vec::new();
        for code in 0..elements.pow(indices as u32) {
            let graph: Vec<u64> =
                (0..indices).map(|i| code / elements.pow(i as u32) % elements).collect();
            // One default more than there are elements: then everything is listed.
            for default in 0..=elements {
                for listed in 0..1u64 << indices {
                    let fits =
                        (0..indices).all(|i| listed >> i & 1 == 1 || graph[i as usize] == default);
                    if !fits {
                        continue;
                    }
                    let entries = (0..indices)
                        .filter(|i| listed >> i & 1 == 1)
                        .map(|i| (bv(width, i), int(graph[i as usize] as i64)));
                    let array = Array::new(int(default as i64), entries, Some(indices));
                    all.push((graph.clone(), value(array)));
                }
            }
        }
        for (f, a) in &all {
            for (g, b) in &all {
                assert_eq!(a.equals(b), Some(f == g), "{a:?} {b:?}");
                if a.is_canonical() && b.is_canonical() {
                    assert_eq!(a == b, f == g, "{a:?} {b:?}");
                }
                let (Value::Array(x), Value::Array(y)) = (a, b) else { panic!() };
                let (x, y) = (x.canonicalised(&domain), y.canonicalised(&domain));
                assert_eq!(value(x) == value(y), f == g, "{a:?} {b:?}");
            }
            let Value::Array(x) = a else { panic!() };
            for (i, index) in domain.iter().enumerate() {
                assert_eq!(x.select(index), Some(&int(f[i] as i64)));
                let stored = x.store(index.clone(), int(1)).unwrap().unwrap();
                for (j, other) in domain.iter().enumerate() {
                    let expected = if i == j { 1 } else { f[j] as i64 };
                    assert_eq!(stored.select(other), Some(&int(expected)));
                }
            }
        }
    }
}

#[test]
fn arrays_over_an_infinite_domain() {
    let zero = Array::constant(int(0), None).unwrap();
    let a = zero.store(int(1), int(5)).unwrap().unwrap().store(int(2), int(6)).unwrap().unwrap();
    let b = zero.store(int(2), int(6)).unwrap().unwrap().store(int(1), int(5)).unwrap().unwrap();
    assert_eq!(a, b);
    let back = a.store(int(1), int(0)).unwrap().unwrap().store(int(2), int(0)).unwrap().unwrap();
    assert_eq!(back, zero);
    let one = Array::constant(int(1), None).unwrap();
    assert_eq!(zero.equals(&one), Some(false));
    assert_eq!(a.equals(&zero), Some(false));
    // Elements known as reals only by algebra or by enclosure.
    let exact = Array::constant(sqrt2(), None).unwrap();
    let rounded = Array::constant(rational(141_421_356, 100_000_000), None).unwrap();
    assert_eq!(exact.equals(&exact), Some(true));
    assert_eq!(exact.equals(&rounded), Some(false));
    // An index that is not canonical is found among the entries, or not.
    let reals = Array::new(int(0), [(rational(1, 2), int(7))], None).unwrap().unwrap();
    assert_eq!(reals.select(&sqrt2()), Some(&int(0)));
    assert!(reals.store(sqrt2(), int(1)).is_none());
    let about_half = real::from_interval(Interval::new(Dyadic::ZERO, Dyadic::from_i64(1)).unwrap());
    assert_eq!(reals.select(&about_half), None);
}

#[test]
fn equality_has_three_values() {
    let e = real::apply(Interval::exp, &rational(1, 1), 128).unwrap();
    assert_eq!(e.equals(&e), Some(true));
    // Computed again, it may be another number for all that the enclosures say.
    let again = real::apply(Interval::exp, &rational(1, 1), 128).unwrap();
    assert_eq!(e.equals(&again), None);
    assert_eq!(e.equals(&rational(271, 100)), Some(false));
    assert_eq!(sqrt2().equals(&sqrt2()), Some(true));
    assert_eq!(sqrt2().equals(&rational(3, 2)), Some(false));
    let square = real::mul(&sqrt2(), &sqrt2(), 128).unwrap().unwrap();
    assert_eq!(square, rational(2, 1));
    let pair = |a: Value, b: Value| Value::tuple(vec![a, b]).unwrap();
    assert_eq!(pair(e.clone(), int(1)).equals(&pair(e.clone(), int(2))), Some(false));
    assert_eq!(pair(e.clone(), int(1)).equals(&pair(again.clone(), int(1))), None);
    assert_eq!(pair(e.clone(), int(1)).equals(&pair(e.clone(), int(1))), Some(true));
    assert_eq!(pair(sqrt2(), int(1)).equals(&pair(sqrt2(), int(1))), Some(true));
    let some = Value::Data(Arc::new(Data::new(Tag::Some, vec![e.clone()]).unwrap()));
    let null = Value::Data(Arc::new(Data::new(Tag::Null, vec![]).unwrap()));
    assert_eq!(some.equals(&null), Some(false));
    let list = |items: Vec<Value>| Value::seq(items).unwrap();
    assert_eq!(list(vec![e.clone()]).equals(&list(vec![])), Some(false));
    assert_eq!(list(vec![e]).equals(&list(vec![again])), None);
}

#[test]
fn reals_of_all_kinds() {
    let (two, third) = (rational(2, 1), rational(1, 3));
    let e = real::apply(Interval::exp, &rational(1, 1), 256).unwrap();
    let kinds = [two.clone(), third, sqrt2(), e.clone()];
    let approximate = [2.0, 1.0 / 3.0, 2f64.sqrt(), 1f64.exp()];
    for (a, x) in kinds.iter().zip(approximate) {
        for (b, y) in kinds.iter().zip(approximate) {
            let near = |v: Value, expected: f64| {
                let i = real::to_interval(&v, 128).unwrap();
                let bound = |d: f64| {
                    let scaled = (d * 1e12).round() as i64;
                    rational(scaled, 1_000_000_000_000)
                };
                let above = real::compare(&real::from_interval(i.clone()), &bound(expected - 1e-9));
                let below = real::compare(&real::from_interval(i), &bound(expected + 1e-9));
                assert_eq!((above, below), (Some(Ordering::Greater), Some(Ordering::Less)));
            };
            near(real::add(a, b, 256).unwrap().unwrap(), x + y);
            near(real::sub(a, b, 256).unwrap().unwrap(), x - y);
            near(real::mul(a, b, 256).unwrap().unwrap(), x * y);
            near(real::div(a, b, 256).unwrap().unwrap(), x / y);
        }
        for n in -3..=5 {
            let power = real::pow(a, n, 256).unwrap().unwrap();
            let close =
                real::sub(&power, &rational((x.powi(n as i32) * 1e9) as i64, 1_000_000_000), 256);
            let close = real::abs(&close.unwrap().unwrap()).unwrap();
            assert_eq!(real::compare(&close, &rational(1, 100_000_000)), Some(Ordering::Less));
        }
        assert_eq!(real::to_int(a), Some(Int::from(x.floor() as i64)));
        assert_eq!(real::is_int(a), Some(x == x.floor()));
        assert_eq!(real::signum(a), Some(1));
        assert_eq!(real::signum(&real::neg(a).unwrap()), Some(-1));
        assert_eq!(real::div(a, &rational(0, 1), 64), Ok(None));
    }
    let zero = real::sub(&sqrt2(), &sqrt2(), 64).unwrap().unwrap();
    assert_eq!(real::div(&two, &zero, 64), Ok(None));
    assert_eq!(real::mul(&e, &rational(0, 1), 64), Ok(Some(rational(0, 1))));
}

/// All lists over two elements up to a length.
fn lists(longest: usize) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..longest {
        last =
            last.iter().flat_map(|l: &Vec<i64>| [0, 1].map(|x| [&l[..], &[x]].concat())).collect();
        all.extend(last.clone());
    }
    all
}

/// Sequences behave as strings over the same letters.
#[test]
fn sequences_agree_with_strings() {
    let seq = |l: &[i64]| List::new(l.iter().map(|&n| int(n)).collect()).unwrap();
    let text = |l: &[i64]| {
        Str::from_code_points(&l.iter().map(|&n| n as u32 + 97).collect::<Vec<_>>()).unwrap()
    };
    let read = |l: &List| -> Str {
        let points: Vec<u32> = l
            .items()
            .iter()
            .map(|v| match v {
                Value::Int(n) => n.to_u32().unwrap() + 97,
                _ => panic!(),
            })
            .collect();
        Str::from_code_points(&points).unwrap()
    };
    for a in lists(4) {
        let (s, x) = (seq(&a), text(&a));
        assert_eq!(read(&s.rev().unwrap()), x.rev());
        for i in -1i64..6 {
            let i = Int::from(i);
            assert_eq!(read(&s.at(&i).unwrap()), x.at(&i));
            assert_eq!(s.nth(&i).is_some(), !x.at(&i).is_empty());
            for n in -1i64..6 {
                let n = Int::from(n);
                assert_eq!(read(&s.extract(&i, &n).unwrap()), x.substr(&i, &n));
            }
        }
        for b in lists(3) {
            let (t, y) = (seq(&b), text(&b));
            assert_eq!(read(&s.concat(&t).unwrap()), x.concat(&y).unwrap());
            assert_eq!(s.contains(&t), Some(x.contains(&y)));
            assert_eq!(t.prefix_of(&s), Some(y.prefix_of(&x)));
            assert_eq!(t.suffix_of(&s), Some(y.suffix_of(&x)));
            assert_eq!(s.last_index_of(&t), Some(x.last_index_of(&y)));
            for i in -1i64..6 {
                let i = Int::from(i);
                assert_eq!(s.index_of(&t, &i), Some(x.index_of(&y, &i)));
                assert_eq!(read(&s.update(&i, &t).unwrap()), x.update(&i, &y));
            }
            for c in lists(2) {
                let (u, z) = (seq(&c), text(&c));
                assert_eq!(read(&s.replace(&t, &u).unwrap().unwrap()), x.replace(&y, &z).unwrap());
                let every = s.replace_all(&t, &u).unwrap().unwrap();
                assert_eq!(read(&every), x.replace_all(&y, &z).unwrap());
            }
        }
    }
}

#[test]
fn last_index_by_definition() {
    for a in lists(4) {
        for b in lists(3) {
            let text =
                |l: &[i64]| l.iter().map(|n| if *n == 0 { 'a' } else { 'b' }).collect::<String>();
            let (s, t) = (text(&a), text(&b));
            let expected = s.rfind(&t).map_or(-1, |i| i as i64);
            assert_eq!(
                Str::from(s.as_str()).last_index_of(&Str::from(t.as_str())),
                Int::from(expected)
            );
        }
    }
}

/// All subsets and small multisets of three elements, against bit masks and counts.
#[test]
fn sets_and_bags() {
    let set = |mask: u32| {
        let elements = (0..3).filter(|i| mask >> i & 1 == 1).map(|i| int(2 - i)).collect();
        Set::new(elements).unwrap().unwrap()
    };
    for a in 0..8u32 {
        for b in 0..8u32 {
            let (s, t) = (set(a), set(b));
            assert_eq!(s.union(&t).unwrap(), set(a | b));
            assert_eq!(s.inter(&t).unwrap(), set(a & b));
            assert_eq!(s.minus(&t).unwrap(), set(a & !b));
            assert_eq!(s.subset(&t), a & !b == 0);
            assert_eq!(s == t, a == b);
        }
        assert_eq!(set(a).card(), a.count_ones() as usize);
        assert_eq!(set(a).only().is_some(), a.count_ones() == 1);
        for i in 0..3 {
            assert_eq!(set(a).member(&int(2 - i)), Some(a >> i & 1 == 1));
        }
    }
    let bag = |counts: [i64; 2]| {
        let entries = counts.iter().enumerate().map(|(i, n)| (int(i as i64), Int::from(*n)));
        Bag::new(entries.collect()).unwrap().unwrap()
    };
    let counts: Vec<[i64; 2]> = (0..9).map(|c| [c / 3, c % 3]).collect();
    for &a in &counts {
        for &b in &counts {
            let (s, t) = (bag(a), bag(b));
            let each = |f: fn(i64, i64) -> i64| bag([f(a[0], b[0]), f(a[1], b[1])]);
            assert_eq!(s.union_max(&t).unwrap(), each(i64::max));
            assert_eq!(s.union_disjoint(&t).unwrap(), each(|m, n| m + n));
            assert_eq!(s.inter_min(&t).unwrap(), each(i64::min));
            assert_eq!(s.difference_subtract(&t).unwrap(), each(|m, n| m - n));
            assert_eq!(s.difference_remove(&t).unwrap(), each(|m, n| if n > 0 { 0 } else { m }));
            assert_eq!(s.subbag(&t), a[0] <= b[0] && a[1] <= b[1]);
        }
        let s = bag(a);
        assert_eq!(s.card(), Int::from(a[0] + a[1]));
        assert_eq!(s.count(&int(1)), Some(Int::from(a[1])));
        assert_eq!(s.setof().unwrap(), bag(a.map(|n| n.min(1))));
        assert_eq!(Bag::from_set(&s.to_set().unwrap()).unwrap(), s.setof().unwrap());
        assert_eq!(s.is_singleton(), a[0] + a[1] == 1);
    }
}

#[test]
fn relations() {
    let relation = |tuples: &[&[i64]]| {
        let values =
            tuples.iter().map(|t| Value::tuple(t.iter().map(|&n| int(n)).collect()).unwrap());
        Set::new(values.collect()).unwrap().unwrap()
    };
    let r = relation(&[&[1, 2], &[2, 3], &[3, 1], &[4, 4]]);
    let same = |got: Option<Result<Set, _>>, expected: &[&[i64]]| {
        assert_eq!(got.unwrap().unwrap(), relation(expected));
    };
    same(r.transpose(), &[&[2, 1], &[3, 2], &[1, 3], &[4, 4]]);
    same(r.join(&r), &[&[1, 3], &[2, 1], &[3, 2], &[4, 4]]);
    same(
        r.transitive_closure(),
        &[&[1, 1], &[1, 2], &[1, 3], &[2, 1], &[2, 2], &[2, 3], &[3, 1], &[3, 2], &[3, 3], &[4, 4]],
    );
    same(relation(&[&[7], &[8]]).iden(), &[&[7, 7], &[8, 8]]);
    same(relation(&[&[7]]).product(&relation(&[&[1, 2]])), &[&[7, 1, 2]]);
    same(relation(&[&[1, 2], &[1, 3], &[2, 5]]).join_image(2), &[&[1]]);
    same(r.project(&[1, 1]), &[&[2, 2], &[3, 3], &[1, 1], &[4, 4]]);
    same(r.table_join(&relation(&[&[9, 2], &[8, 4]]), &[1, 1]), &[&[1, 2, 9, 2], &[4, 4, 8, 4]]);
    assert!(relation(&[&[1, 2, 3]]).transitive_closure().is_none());
    assert!(r.project(&[5]).is_none());
}

#[test]
fn fields_of_seven() {
    let ff = |n: u32| Ff::new(7u8.into(), n.into()).unwrap();
    for a in 0..7 {
        assert_eq!(ff(a).neg(), ff((7 - a) % 7));
        for b in 0..7 {
            assert_eq!(ff(a).add(&ff(b)), ff((a + b) % 7));
            assert_eq!(ff(a).mul(&ff(b)), ff(a * b % 7));
            assert_eq!(Ff::bitsum(&[ff(a), ff(b), ff(3)]), Some(ff((a + 2 * b + 12) % 7)));
        }
    }
    assert!(Ff::new(1u8.into(), 0u8.into()).is_none());
    assert_eq!(Ff::bitsum(&[]), None);
}

#[test]
fn tables() {
    let key = |a: i64, b: i64| -> Box<[Value]> { [int(a), int(b)].into() };
    let entries =
        [(key(1, 2), int(5)), (key(0, 9), int(6)), (key(1, 2), int(7)), (key(3, 3), int(0))];
    let table = Table::new(entries, int(0)).unwrap().unwrap();
    let expected = BTreeMap::from([((1, 2), 5), ((0, 9), 6)]);
    for a in 0..4 {
        for b in 0..10 {
            let value = expected.get(&(a, b)).copied().unwrap_or(0);
            assert_eq!(table.apply(&key(a, b)), Some(&int(value)));
        }
    }
    let other = Table::new([(key(0, 9), int(6)), (key(1, 2), int(5))], int(0)).unwrap().unwrap();
    assert_eq!(table.equals(&other), Some(true));
    let differs = Table::new([(key(1, 2), int(4))], int(0)).unwrap().unwrap();
    assert_eq!(table.equals(&differs), Some(false));
    let elsewhere =
        Table::new([(key(0, 9), int(6)), (key(1, 2), int(5))], int(1)).unwrap().unwrap();
    assert_eq!(table.equals(&elsewhere), None);
}

/// Nested values are walked by recursion, so their depth is bounded: a long list is refused, not a crash.
#[test]
fn depth_is_bounded() {
    let mut list = Value::data(0, vec![]).unwrap();
    let mut depth = 1;
    let refused = loop {
        match Value::data(1, vec![int(1), list.clone()]) {
            Ok(longer) => list = longer,
            Err(limit) => break limit,
        }
        depth += 1;
    };
    assert_eq!(refused, smelt_eval::limit::Limit::TooLarge);
    assert!(depth >= 500, "{depth}");
    let copy = list.clone();
    assert_eq!(list.equals(&copy), Some(true));
    // A set of it would be one level deeper; a set of what is in it is not.
    let Value::Data(data) = &list else { panic!() };
    let tail = data.field(1).unwrap();
    assert!(Set::new(vec![list.clone()]).unwrap().is_err());
    assert_eq!(Set::new(vec![tail.clone(), tail.clone()]).unwrap().unwrap().card(), 1);
}
