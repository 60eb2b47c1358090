//! What comes out of an inversion is accepted by the sort checker and has the wanted sort.

use super::*;
use crate::op::Theory;
use crate::parse;

/// A small deterministic stream of choices.
struct Stream {
    state: u64,
    datatypes: Vec<Sort>,
}

impl Stream {
    fn next(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) as u32 % n.max(1)
    }
}

impl Choose for Stream {
    fn sort(&mut self, a: &mut Arena, need: Need) -> Option<Sort> {
        Some(match need {
            Need::Number => [Sort::INT, Sort::REAL][self.next(2) as usize],
            Need::BitVec(low, high) => {
                let w = low + self.next((high - low + 1).min(9));
                a.bv_sort(w)
            }
            Need::Float => {
                let (e, m) = (2 + self.next(4), 2 + self.next(4));
                a.mk_sort(SortKind::Float(e, m))
            }
            Need::Field => a.mk_sort(SortKind::FiniteField(7u8.into())),
            Need::Datatype => {
                let k = self.next(self.datatypes.len() as u32);
                self.datatypes[k as usize]
            }
            Need::Any => match self.next(6) {
                0 => Sort::BOOL,
                1 => Sort::INT,
                2 => Sort::STRING,
                3 => a.mk_sort(SortKind::Seq(Sort::INT)),
                4 => self.datatypes[0],
                _ => a.bv_sort(4),
            },
        })
    }

    fn number(&mut self, _: Op, _: Number, low: u32, high: u32) -> u32 {
        low + self.next((high - low).saturating_add(1).min(6))
    }
}

const DATATYPES: &[u8] = b"
    (declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
    (declare-datatypes ((P 2)) ((par (X Y) ((pair (fst X) (snd Y))))))
    (declare-const l L)
    (declare-const p (P Int Bool))";

fn constants(a: &mut Arena, sorts: &[Sort]) -> Vec<crate::arena::Term> {
    let name = a.sym("v");
    sorts
        .iter()
        .map(|&s| {
            let v = a.new_var(name, s);
            a.mk_var(v)
        })
        .collect()
}

fn accepted(a: &mut Arena, u: &Use) {
    let args = constants(a, &u.args);
    let ascribed = u.op.info().ret == P::Ascribed;
    let t = if ascribed { a.app_as(u.op, &args, u.ret) } else { a.app(u.op, &u.indices, &args) };
    match t {
        Ok(t) => assert_eq!(a.sort(t), u.ret, "{}: {u:?}", u.op.info().name),
        Err(e) => panic!("{}: {e}: {u:?}", u.op.info().name),
    }
}

#[test]
fn every_operator() {
    let mut script = parse(DATATYPES).unwrap();
    let a = &mut script.arena;
    let datatypes: Vec<Sort> = (0..a.fun_count())
        .filter_map(|i| a.fun_at(i))
        .filter(|&f| matches!(a.fun(f).kind, FunKind::Free))
        .map(|f| a.fun(f).ret)
        .collect();
    assert_eq!(datatypes.len(), 2);
    let mut choose = Stream { state: 1, datatypes };
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for op in Op::all() {
        let mut any = false;
        for _ in 0..60 {
            if let Some(u) = invert(a, op, None, &mut choose) {
                accepted(a, &u);
                found.push(u.ret);
                any = true;
            }
        }
        if !any {
            missing.push(op.info().name);
        }
    }
    // A function symbol is the script's.
    assert_eq!(missing, ["as-array"]);

    found.sort_unstable();
    found.dedup();
    let mut uses = 0;
    for &want in &found {
        for op in Op::all().filter(|o| o.info().theory != Theory::Separation) {
            for _ in 0..3 {
                if let Some(u) = invert(a, op, Some(want), &mut choose) {
                    assert_eq!(u.ret, want, "{}", op.info().name);
                    assert!(may_return(a, op, want));
                    accepted(a, &u);
                    uses += 1;
                }
            }
        }
    }
    assert!(uses > 10_000, "{uses}");
}
