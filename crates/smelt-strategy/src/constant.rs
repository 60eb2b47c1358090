//! Random constants of every sort, as terms.

use dashu_int::UBig;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use smelt_smtlib::arena::FunDecl;
use smelt_smtlib::invert::field_sorts;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, FunKind, Head, Literal, Op, Sort, SortKind, Term};

/// How deeply constants of recursive sorts are nested.
const DEPTH: u32 = 3;
/// Parts of one constant: sorts nest up to 500 deep, and each part of a value may have several of its own.
const PARTS: u32 = 2000;

/// A source of constants: those that a script uses, elements of its free sorts, and new ones.
#[derive(Default)]
pub struct Constants {
    /// Literals of the script, by sort, in the order of their ids.
    known: FxHashMap<Sort, Vec<Term>>,
    /// Elements of free sorts.
    elements: FxHashMap<Sort, Vec<Term>>,
    /// Whether constants are to stand in scripts, where elements of free sorts cannot be written.
    writable: bool,
    /// Parts that the constant that is being made may still have.
    left: u32,
    /// Whether it must be a value in the eyes of cvc5, which takes nothing else as the element of a constant array: no
    /// sign, no fraction, no store.
    plain: bool,
}

impl Constants {
    /// The constants that occur in some terms.
    pub fn of(a: &Arena, roots: &[Term]) -> Self {
        let mut out = Self::default();
        for t in a.dag(roots) {
            if is_constant(a, t) {
                out.add(a, t);
            }
        }
        out
    }

    /// The constants that occur in some terms, for making others that may stand in a script.
    pub fn writable(a: &Arena, roots: &[Term]) -> Self {
        Self { writable: true, ..Self::of(a, roots) }
    }

    /// The constants of a sort that the script (or its model) has.
    pub fn known(&self, sort: Sort) -> &[Term] {
        self.known.get(&sort).map_or(&[], |l| l)
    }

    /// Adds a constant to those that are preferred.
    pub fn add(&mut self, a: &Arena, t: Term) {
        let list = self.known.entry(a.sort(t)).or_default();
        if !list.contains(&t) {
            list.push(t);
        }
    }

    /// The elements of a free sort: invented on first use, one to three of them.
    pub fn elements(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Vec<Term> {
        if let Some(list) = self.elements.get(&sort) {
            return list.clone();
        }
        let count = random.random_range(1..=3);
        let list: Vec<Term> = (0..count)
            .map(|i| {
                let name = a.sym(&format!("@smelt_{}_{i}", sort.index()));
                let f = a.declare_fun(FunDecl {
                    name,
                    params: [].into(),
                    args: [].into(),
                    ret: sort,
                    kind: FunKind::Abstract,
                    def: None,
                });
                a.mk_fun(f)
            })
            .collect();
        self.elements.insert(sort, list.clone());
        list
    }

    /// A constant of a sort; `None` for sorts whose constants are not written (regular languages, functions), or are too
    /// large.
    pub fn random(&mut self, a: &mut Arena, sort: Sort, random: &mut ChaCha8Rng) -> Option<Term> {
        (self.left, self.plain) = (PARTS, false);
        self.nested(a, sort, random, DEPTH)
    }

    fn nested(
        &mut self,
        a: &mut Arena,
        sort: Sort,
        r: &mut ChaCha8Rng,
        depth: u32,
    ) -> Option<Term> {
        if let Some(list) = self.known.get(&sort)
            && !self.plain
            && r.random_bool(0.4)
        {
            return Some(list[r.random_range(0..list.len())]);
        }
        self.left = self.left.checked_sub(1)?;
        match a.sort_kind(sort).clone() {
            SortKind::Bool => Some(a.mk_bool(r.random_bool(0.5))),
            SortKind::Int if self.plain => int(a, number(r).abs()),
            SortKind::Int => int(a, number(r)),
            SortKind::Real if self.plain => real(a, number(r).abs(), 1),
            SortKind::Real => real(a, number(r), [1, 1, 2, 3, 10][r.random_range(0..5)]),
            SortKind::RoundingMode => {
                let mode = [Op::Rne, Op::Rna, Op::Rtp, Op::Rtn, Op::Rtz][r.random_range(0..5)];
                a.app(mode, &[], &[]).ok()
            }
            SortKind::String => Some(string(a, r)),
            SortKind::BitVec(w) => Some(bits(a, w, r)),
            SortKind::Float(e, m) => float(a, e, m, self.plain, r),
            SortKind::FiniteField(order) => {
                let value = UBig::from(r.random_range(0..=20u64)) % &order;
                Some(a.mk_literal(Literal::Field { order, value }))
            }
            SortKind::Array(i, e) => {
                let outer = std::mem::replace(&mut self.plain, true);
                let default = self.nested(a, e, r, depth.saturating_sub(1));
                self.plain = outer;
                let default = default?;
                let mut t = a.app_as(Op::ConstArray, &[default], sort).ok()?;
                // Below some depth arrays are constant, and collections empty.
                for _ in 0..if depth == 0 || self.plain { 0 } else { r.random_range(0..3) } {
                    let i = self.nested(a, i, r, depth.saturating_sub(1))?;
                    let e = self.nested(a, e, r, depth.saturating_sub(1))?;
                    t = a.app(Op::Store, &[], &[t, i, e]).ok()?;
                }
                Some(t)
            }
            SortKind::Seq(e) => {
                let (empty, unit, join) = (Op::SeqEmpty, Op::SeqUnit, Op::SeqConcat);
                self.collection(a, sort, e, (empty, unit, join), r, depth)
            }
            SortKind::Set(e) => {
                let (empty, unit, join) = (Op::SetEmpty, Op::SetSingleton, Op::SetUnion);
                self.collection(a, sort, e, (empty, unit, join), r, depth)
            }
            SortKind::Bag(e) => {
                let (empty, unit, join) = (Op::BagEmpty, Op::BagMake, Op::BagUnionDisjoint);
                self.collection(a, sort, e, (empty, unit, join), r, depth)
            }
            SortKind::Nullable(e) => {
                if r.random_bool(0.3) {
                    return a.app_as(Op::NullableNull, &[], sort).ok();
                }
                let v = self.nested(a, e, r, depth)?;
                a.app(Op::NullableSome, &[], &[v]).ok()
            }
            SortKind::Tuple(parts) => {
                let args: Option<Vec<Term>> =
                    parts.iter().map(|&s| self.nested(a, s, r, depth)).collect();
                let args = args?;
                let op = if args.is_empty() { Op::TupleUnit } else { Op::TupleMake };
                a.app(op, &[], &args).ok()
            }
            SortKind::Named(d, _) => match a.sort_decl(d).kind.clone() {
                SortDeclKind::Free if self.writable => None,
                SortDeclKind::Free => {
                    let list = self.elements(a, sort, r);
                    Some(list[r.random_range(0..list.len())])
                }
                SortDeclKind::Datatype { co: true, .. } => None,
                SortDeclKind::Datatype { constructors, .. } => {
                    let small =
                        constructors.iter().copied().min_by_key(|&c| a.fun(c).args.len())?;
                    let c = match depth {
                        0 => small,
                        _ => constructors[r.random_range(0..constructors.len())],
                    };
                    // A sort whose plainest value needs many constructors has no constant here.
                    let deeper = depth.checked_sub(1);
                    let fields = field_sorts(a, c, sort)?;
                    let args: Option<Vec<Term>> =
                        fields.iter().map(|&s| self.nested(a, s, r, deeper?)).collect();
                    a.apply_fun(c, &args?, Some(sort)).ok()
                }
            },
            SortKind::RegLan | SortKind::Fun(..) | SortKind::Param(_) => None,
        }
    }

    fn collection(
        &mut self,
        a: &mut Arena,
        sort: Sort,
        element: Sort,
        (empty, unit, join): (Op, Op, Op),
        r: &mut ChaCha8Rng,
        depth: u32,
    ) -> Option<Term> {
        let mut all: Option<Term> = None;
        for _ in
            0..if depth == 0 || self.plain { 0 } else { [0, 1, 1, 2, 2, 3][r.random_range(0..6)] }
        {
            let e = self.nested(a, element, r, depth.saturating_sub(1))?;
            let one = if unit == Op::BagMake {
                let n = a.mk_int(r.random_range(1..=3u32));
                a.app(unit, &[], &[e, n]).ok()?
            } else {
                a.app(unit, &[], &[e]).ok()?
            };
            all = Some(match all {
                None => one,
                Some(t) => a.app(join, &[], &[t, one]).ok()?,
            });
        }
        match all {
            Some(t) => Some(t),
            None => a.app_as(empty, &[], sort).ok(),
        }
    }
}

/// Whether a term is a literal, or a number with a sign or as a fraction. What is divided by zero is no number.
pub fn is_constant(a: &Arena, t: Term) -> bool {
    let literal = |t: Term| matches!(a.head(t), Head::Lit(_));
    match a.head(t) {
        Head::Lit(_) => true,
        Head::Op(Op::Neg, _) => literal(a.args(t)[0]),
        Head::Op(Op::Div, _) => {
            let args = a.args(t);
            args.len() == 2 && args.iter().all(|&x| literal(x)) && !is_zero(a, args[1])
        }
        Head::Op(op, _) => {
            a.args(t).is_empty()
                && !matches!(op, Op::True | Op::False)
                && !matches!(a.kind(t), SortKind::RegLan)
        }
        _ => false,
    }
}

fn number(r: &mut ChaCha8Rng) -> i64 {
    match r.random_range(0..10) {
        0..5 => r.random_range(-3..=3),
        5..8 => r.random_range(-20..=20),
        8 => [255, 256, 1000, i64::from(i32::MAX), -1000][r.random_range(0..5)],
        _ => r.random_range(-1000..=1000),
    }
}

/// An integer constant; a negative one is a negated numeral.
pub fn int(a: &mut Arena, n: i64) -> Option<Term> {
    let t = a.mk_int(n.unsigned_abs());
    if n < 0 { a.app(Op::Neg, &[], &[t]).ok() } else { Some(t) }
}

/// A rational constant.
pub fn real(a: &mut Arena, n: i64, d: u32) -> Option<Term> {
    let whole = |n: u64| Literal::Real { digits: n.into(), scale: 0 };
    let mut t = a.mk_literal(whole(n.unsigned_abs()));
    if n < 0 {
        t = a.app(Op::Neg, &[], &[t]).ok()?;
    }
    if d != 1 {
        let d = a.mk_literal(whole(d.into()));
        t = a.app(Op::Div, &[], &[t, d]).ok()?;
    }
    Some(t)
}

fn string(a: &mut Arena, r: &mut ChaCha8Rng) -> Term {
    const LETTERS: [u32; 10] = [97, 98, 97, 48, 49, 45, 65, 32, 0, 0x2_ffff];
    let n = [0, 0, 1, 1, 1, 2, 2, 3, 4][r.random_range(0..9)];
    let chars: Vec<u32> = (0..n)
        .map(|_| {
            let rare = r.random_range(0..20) == 0;
            LETTERS[r.random_range(if rare { 6..10 } else { 0..6 })]
        })
        .collect();
    a.mk_literal(Literal::Str(chars.into()))
}

fn bits(a: &mut Arena, width: u32, r: &mut ChaCha8Rng) -> Term {
    let one = UBig::ONE;
    let full = (UBig::ONE << width as usize) - &one;
    let top = UBig::ONE << (width as usize - 1);
    let value = match r.random_range(0..8) {
        0 => UBig::ZERO,
        1 => one,
        2 => full.clone(),
        3 => top,
        4 => top - &one,
        5 => UBig::from(r.random_range(0..16u32)),
        _ => {
            (UBig::from(r.random::<u128>()) << (width as usize / 2))
                ^ UBig::from(r.random::<u128>())
        }
    };
    let value = value & full;
    a.mk_literal(Literal::Bits { width, value })
}

fn float(a: &mut Arena, e: u32, m: u32, plain: bool, r: &mut ChaCha8Rng) -> Option<Term> {
    let special = [Op::FpNan, Op::FpPlusInf, Op::FpMinusInf, Op::FpPlusZero, Op::FpMinusZero];
    if plain || r.random_bool(0.3) {
        return a.app(special[r.random_range(0..5)], &[e, m], &[]).ok();
    }
    let parts = [bits(a, 1, r), bits(a, e, r), bits(a, m - 1, r)];
    a.app(Op::FpMake, &[], &parts).ok()
}

/// Whether a number is written as zero.
pub fn is_zero(a: &Arena, t: Term) -> bool {
    match a.head(t) {
        Head::Lit(l) => match a.lit(l) {
            Literal::Int(n) | Literal::Real { digits: n, .. } | Literal::Bits { value: n, .. } => {
                *n == UBig::ZERO
            }
            Literal::Field { value, .. } => *value == UBig::ZERO,
            Literal::Str(_) | Literal::Root { .. } => false,
        },
        Head::Op(Op::Neg | Op::Div, _) => is_zero(a, a.args(t)[0]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use smelt_eval::{eval_ground, value_term, writable};

    #[test]
    fn what_is_a_constant() {
        let check = |term: &str, expect: bool| {
            let text = format!("(declare-const x Real)(assert (= x {term}))");
            let script = smelt_smtlib::parse(text.as_bytes()).unwrap();
            let t = script.arena.args(script.roots()[0])[1];
            assert_eq!(is_constant(&script.arena, t), expect, "{term}");
        };
        for term in ["1.5", "(- 1.5)", "(/ 1.0 3.0)", "(/ 0.0 3.0)"] {
            check(term, true);
        }
        for term in ["x", "(/ 1.0 0.0)", "(/ 1.0 0.00)", "(/ x 1.0)", "(/ 1.0 2.0 3.0)"] {
            check(term, false);
        }
    }

    /// The element of a constant array is a plain value.
    #[test]
    fn constant_arrays() {
        let text = "(declare-const a (Array Int Int))(declare-const b (Array Bool Real))(declare-const c (Array Int Float16))\
                    (declare-const d (Array Int (Array Int (Seq Int))))(assert (= (select a 1) (- 7)))";
        let mut script = smelt_smtlib::parse(text.as_bytes()).unwrap();
        let roots = script.roots();
        let mut constants = Constants::of(&script.arena, &roots);
        let mut random = ChaCha8Rng::seed_from_u64(0);
        for i in 0..4 {
            let smelt_smtlib::Command::DeclareFun(f) = script.commands[i] else { panic!() };
            let sort = script.arena.fun(f).ret;
            for _ in 0..100 {
                let mut t = constants.random(&mut script.arena, sort, &mut random).unwrap();
                let a = &script.arena;
                while matches!(a.head(t), Head::Op(Op::Store, _)) {
                    t = a.args(t)[0];
                }
                let shown = smelt_smtlib::print_term(a, a.args(t)[0]);
                let odd = ["(- ", "(/ ", "(fp ", "store", "seq.unit"];
                assert!(odd.iter().all(|w| !shown.contains(w)), "{shown}");
            }
        }
    }

    /// Deeply nested sorts have small constants or none, at once.
    #[test]
    fn nested_sorts() {
        let nest =
            |n: usize, open: &str, close: &str| format!("{}Int{}", open.repeat(n), close.repeat(n));
        let pairs = (0..40).fold("Int".to_owned(), |s, _| format!("(Tuple {s} Int)"));
        for (sort, some) in [
            (nest(60, "(Array Int ", ")"), true),
            (nest(60, "(Array ", " Bool)"), true),
            (nest(100, "(Seq ", ")"), true),
            (pairs, true),
            // The smallest value has 4096 parts.
            ((0..12).fold("Int".to_owned(), |s, _| format!("(Tuple {s} {s})")), false),
        ] {
            let text = format!("(declare-const c {sort})");
            let mut script = smelt_smtlib::parse(text.as_bytes()).unwrap();
            let smelt_smtlib::Command::DeclareFun(f) = script.commands[0] else { panic!() };
            let sort = script.arena.fun(f).ret;
            let mut random = ChaCha8Rng::seed_from_u64(0);
            let mut constants = Constants::default();
            for _ in 0..50 {
                let made = constants.random(&mut script.arena, sort, &mut random);
                assert_eq!(made.is_some(), some, "{text}");
            }
        }
    }

    /// The term of a value has that value, for random constants of many sorts.
    #[test]
    fn round_trip() {
        let text = b"(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))\
            (declare-const a (Array Int (Array (_ BitVec 2) Bool)))(declare-const s (Seq Real))(declare-const t (Set String))\
            (declare-const l (L Int))(declare-const f Float16)(declare-const m RoundingMode)(declare-const x (_ FiniteField 7))\
            (declare-const b (Bag (Tuple Int Bool)))(declare-const n (Nullable (Array Int Int)))(declare-const u UnitTuple)";
        let mut script = smelt_smtlib::parse(text).unwrap();
        let a = &mut script.arena;
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut constants = Constants::default();
        let mut done = 0;
        for i in 0..a.sort_count() {
            let sort = a.sort_at(i).unwrap();
            if a.sort_has_params(sort) {
                continue;
            }
            for _ in 0..200 {
                let Some(t) = constants.random(a, sort, &mut random) else { continue };
                let value = eval_ground(a, t).unwrap();
                assert!(writable(&value));
                let again = value_term(a, &value, sort).unwrap();
                let same = eval_ground(a, again).unwrap().equals(&value);
                assert_eq!(same, Some(true), "{}", smelt_smtlib::print_term(a, t));
                done += 1;
            }
        }
        assert!(done > 1500, "{done}");
    }
}
