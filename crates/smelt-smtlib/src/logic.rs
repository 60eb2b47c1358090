//! The smallest standard logic that holds a script.
//!
//! Mutants leave the logic of their seed all the time, and z3 then prints an error, drops the assertion and still
//! answers. So every script can be printed with a logic computed from its content.

use std::sync::LazyLock;

use crate::arena::{Arena, Fun, FunKind, Head, Term};
use crate::literal::Literal;
use crate::op::{Dialect, Op, Theory};
use crate::script::{Command, Script};
use crate::sort::{Sort, SortDeclKind, SortKind};
use crate::termset::TermSet;

/// Standard logics that current z3 and cvc5 both take, in the order of preference among equals.
const LOGICS: &str = "\
    QF_UF QF_BV QF_FP QF_IDL QF_RDL QF_LIA QF_LRA QF_NIA QF_NRA QF_LIRA QF_NIRA QF_AX QF_DT QF_S QF_SLIA \
    QF_UFBV QF_UFIDL QF_UFLIA QF_UFLRA QF_UFNIA QF_UFNRA QF_UFDT QF_UFFP QF_BVFP QF_FPLRA QF_BVFPLRA \
    QF_ABV QF_ALIA QF_ANIA QF_ABVFP QF_ABVFPLRA QF_AUFBV QF_AUFLIA QF_AUFNIA QF_AUFBVFP QF_UFBVDT \
    QF_UFDTLIA QF_UFDTLIRA QF_UFDTNIA QF_AUFBVLIA QF_UFBVLIA UF BV FP LIA LRA NIA NRA UFBV UFIDL UFLIA \
    UFLRA UFNIA UFNRA UFNIRA UFDT UFBVDT UFDTLIA UFDTLIRA UFDTNIA UFDTNIRA BVFP FPLRA BVFPLRA ABV ALIA \
    ANIA ABVFP ABVFPLRA AUFBV AUFBVFP AUFLIA AUFLIRA AUFNIA AUFNIRA AUFDTLIA AUFDTLIRA AUFDTNIRA \
    AUFBVDTLIA";

const QUANTIFIERS: u32 = 1;
const ARRAYS: u32 = 1 << 1;
const UF: u32 = 1 << 2;
const BV: u32 = 1 << 3;
const FP: u32 = 1 << 4;
const DT: u32 = 1 << 5;
const STRINGS: u32 = 1 << 6;
const INTS: u32 = 1 << 7;
const REALS: u32 = 1 << 8;
/// Beyond difference constraints.
const SUMS: u32 = 1 << 9;
const PRODUCTS: u32 = 1 << 10;
/// Ints and Reals together, with conversions.
const MIXED: u32 = 1 << 11;
/// Outside of every standard logic.
const BEYOND: u32 = 1 << 12;
/// Functions as values.
const FUNCTIONS: u32 = 1 << 13;
/// Arrays that are not from bit-vectors to bit-vectors: z3 refuses them in the logics of bit-vectors and arrays alone.
const OTHER_ARRAYS: u32 = 1 << 14;
/// Free functions with arguments: `QF_AX` has free sorts, but not these.
const APPLIED: u32 = 1 << 15;

fn features_of(logic: &str) -> u32 {
    let mut f = 0;
    let mut rest = match logic.strip_prefix("QF_") {
        Some(r) => r,
        None => {
            f |= QUANTIFIERS;
            logic
        }
    };
    let parts = [
        ("AX", ARRAYS | UF),
        ("A", ARRAYS),
        ("UF", UF | APPLIED),
        ("BV", BV),
        ("FP", FP),
        ("DT", DT),
        ("SLIA", STRINGS | INTS | SUMS),
        ("S", STRINGS),
        ("IDL", INTS),
        ("RDL", REALS),
        ("LIRA", INTS | REALS | SUMS | MIXED),
        ("NIRA", INTS | REALS | SUMS | MIXED | PRODUCTS),
        ("LIA", INTS | SUMS),
        ("LRA", REALS | SUMS),
        ("NIA", INTS | SUMS | PRODUCTS),
        ("NRA", REALS | SUMS | PRODUCTS),
    ];
    for (name, bits) in parts {
        if let Some(r) = rest.strip_prefix(name) {
            f |= bits;
            rest = r;
        }
    }
    debug_assert!(rest.is_empty(), "{logic}");
    if f & ARRAYS != 0 && (f & BV == 0 || f & (INTS | REALS | FP | DT) != 0) {
        f |= OTHER_ARRAYS;
    }
    f
}

static TABLE: LazyLock<Vec<(u32, &'static str)>> = LazyLock::new(|| {
    let mut all: Vec<_> = LOGICS.split_whitespace().map(|l| (features_of(l), l)).collect();
    all.sort_by_key(|(f, _)| (f & !APPLIED).count_ones());
    all
});

/// The smallest standard logic that holds the content of a script, or `ALL`.
///
/// Functions as values are in no standard logic; cvc5 takes them under `HO_ALL` only, and z3 under either.
pub fn smallest_logic(script: &Script) -> &'static str {
    logic_of(features(script))
}

/// The smallest logic of a script, and what matters where that is `ALL`: whether it has quantifiers, and products of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The smallest logic.
    pub logic: &'static str,
    /// Whether there are quantifiers.
    pub quantifiers: bool,
    /// Whether there are products of terms.
    pub products: bool,
}

impl Fragment {
    /// That of a script.
    pub fn of(script: &Script) -> Self {
        let f = features(script);
        Self { logic: logic_of(f), quantifiers: f & QUANTIFIERS != 0, products: f & PRODUCTS != 0 }
    }
}

/// The smallest logic with these features: of all commands and of all terms that stand in them.
pub(crate) fn logic_of(features: u32) -> &'static str {
    let need = implied(features);
    if need & FUNCTIONS != 0 {
        return "HO_ALL";
    }
    let held = TABLE.iter().find(|(have, _)| need & !have == 0);
    held.map_or("ALL", |(_, name)| name)
}

/// What a command needs, apart from the terms in it.
pub(crate) fn of_command(a: &Arena, c: &Command) -> u32 {
    match c {
        Command::DeclareFun(g) => of_symbol(a, *g),
        Command::DeclareDatatypes(ds) => {
            let mut f = DT;
            for &d in ds {
                if let SortDeclKind::Datatype { constructors, .. } = &a.sort_decl(d).kind {
                    for &s in constructors.iter().flat_map(|&c| &a.fun(c).args) {
                        f |= of_sort(a, s);
                    }
                }
            }
            f
        }
        Command::DefineSort(_, _, s) => of_sort(a, *s),
        Command::DefineFunsRec(_) => BEYOND,
        Command::DefineFun(g) if a.fun(*g).kind == FunKind::Recursive => BEYOND,
        // Parameters need not occur in the body.
        Command::DefineFun(g) => of_signature(a, *g),
        Command::AssertSoft(..) | Command::Minimize(..) | Command::Maximize(..) => BEYOND,
        Command::DeclareSort(_) => UF,
        Command::Other(text) if !is_plain(text) => BEYOND,
        _ => 0,
    }
}

fn features(script: &Script) -> u32 {
    let a = &script.arena;
    let mut f = script.commands.iter().fold(0, |f, c| f | of_command(a, c));
    let mut seen = TermSet::new(a);
    let mut stack = script.roots();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            f |= of_term(a, t);
            stack.extend_from_slice(counted(a, t));
        }
    }
    f
}

/// The arguments whose features count: literals that belong to the syntax of another theory do not.
pub(crate) fn counted(a: &Arena, t: Term) -> &[Term] {
    let args = a.args(t);
    match a.head(t) {
        Head::Op(Op::ToFpReal, _) if is_literal(a, args[1]) => &args[..1],
        Head::Op(Op::FpMake, _) if args.iter().all(|&x| is_literal(a, x)) => &[],
        _ => args,
    }
}

/// What follows from features together.
fn implied(mut f: u32) -> u32 {
    if f & INTS != 0 && f & REALS != 0 {
        f |= MIXED;
    }
    if f & (PRODUCTS | MIXED) != 0 {
        f |= SUMS;
    }
    if f & STRINGS != 0 && f & INTS != 0 {
        f |= SUMS;
    }
    f
}

/// Whether a command that is kept as text has no terms or sorts in it: what others mean is unknown.
fn is_plain(command: &str) -> bool {
    let name = command.trim_start_matches('(').trim_start();
    let name = name.split(|c: char| c.is_whitespace() || c == ')').next().unwrap_or("");
    matches!(
        name,
        "echo"
            | "get-assertions"
            | "get-assignment"
            | "get-info"
            | "get-model"
            | "get-objectives"
            | "get-option"
            | "get-proof"
            | "get-unsat-assumptions"
            | "get-unsat-core"
    )
}

fn of_symbol(a: &Arena, g: Fun) -> u32 {
    let uf = if a.fun(g).args.is_empty() { 0 } else { UF | APPLIED };
    // The sort as it is printed may be a function sort.
    of_signature(a, g) | of_sort(a, a.written(g).1) | uf
}

fn of_signature(a: &Arena, g: Fun) -> u32 {
    let d = a.fun(g);
    d.args.iter().fold(of_sort(a, d.ret), |f, &s| f | of_sort(a, s))
}

fn of_sort(a: &Arena, s: Sort) -> u32 {
    let mut f = match a.sort_kind(s) {
        SortKind::Bool => 0,
        SortKind::Int => INTS,
        SortKind::Real => REALS,
        SortKind::RoundingMode | SortKind::Float(..) => FP,
        SortKind::String | SortKind::RegLan => STRINGS,
        SortKind::BitVec(_) => BV,
        SortKind::Array(i, e) => {
            let bits = |s: Sort| matches!(a.sort_kind(s), SortKind::BitVec(_));
            if bits(*i) && bits(*e) { ARRAYS } else { ARRAYS | OTHER_ARRAYS }
        }
        SortKind::Fun(..) => FUNCTIONS,
        SortKind::Param(_) => 0,
        SortKind::Named(d, _) => match a.sort_decl(*d).kind {
            SortDeclKind::Free => UF,
            SortDeclKind::Datatype { co: true, .. } => BEYOND,
            SortDeclKind::Datatype { .. } => DT,
        },
        _ => BEYOND,
    };
    a.sort_kind(s).for_each_child(|c| f |= of_sort(a, c));
    f
}

/// What the top of a term needs.
pub(crate) fn of_term(a: &Arena, t: Term) -> u32 {
    let args = a.args(t);
    let mut f = of_sort(a, a.sort(t));
    match a.head(t) {
        Head::Bind(crate::arena::Binder::Forall | crate::arena::Binder::Exists, vars) => {
            f |= QUANTIFIERS;
            // Variables need not occur in the body.
            f |= a.vars(vars).iter().fold(0, |f, &v| f | of_sort(a, a.var(v).sort));
        }
        Head::Bind(..) => f |= BEYOND,
        Head::Match(_) => f |= DT,
        Head::Fun(g) => {
            let d = a.fun(g);
            match d.kind {
                FunKind::External => f |= BEYOND,
                FunKind::Free if !args.is_empty() => f |= UF,
                _ => {}
            }
        }
        Head::Op(op, _) => f |= of_op(a, op, t),
        Head::Lit(l) => {
            if let Literal::Field { .. } | Literal::Root { .. } = a.lit(l) {
                f |= BEYOND;
            }
        }
        Head::Var(_) | Head::Annot(_) => {}
    }
    f
}

/// How many levels below a term may decide on what its top needs: `(* (- (/ (- 1) 2)) x)`.
pub(crate) const DEPTH: usize = 4;

/// Whether not all arguments may count: see [`counted`].
pub(crate) fn skips(head: Head) -> bool {
    matches!(head, Head::Op(Op::ToFpReal | Op::FpMake, _))
}

/// Whether what the top of a term needs may depend on more than the top and the sorts of the term and its arguments.
pub(crate) fn looks_below(head: Head) -> bool {
    match head {
        Head::Op(op, _) => matches!(
            op,
            Op::Le
                | Op::Lt
                | Op::Ge
                | Op::Gt
                | Op::Eq
                | Op::Distinct
                | Op::Mul
                | Op::IntDiv
                | Op::Mod
                | Op::Div
                | Op::ToFpReal
        ),
        _ => false,
    }
}

fn of_op(a: &Arena, op: Op, t: Term) -> u32 {
    let info = op.info();
    let args = a.args(t);
    let arithmetic = |s: Sort| s == Sort::INT || s == Sort::REAL;
    match op {
        // Not in the standard's text of the theory, but taken under its logics. (Not so constant arrays: z3 up to 4.8.12
        // refuses them under every logic but `ALL`.)
        Op::BvRedor | Op::BvRedand => 0,
        _ if info.dialect != Dialect::Standard => BEYOND,
        Op::Le | Op::Lt | Op::Ge | Op::Gt => difference(a, args),
        Op::Eq | Op::Distinct if arithmetic(a.sort(args[0])) => difference(a, args),
        // Inside an atom that is a difference constraint these are harmless; elsewhere the atom is not one.
        Op::Sub | Op::Neg => 0,
        Op::Add | Op::Abs | Op::Divisible => SUMS,
        Op::Ite if arithmetic(a.sort(t)) => SUMS,
        Op::Mul => {
            let open = args.iter().filter(|&&x| !is_constant(a, x)).count();
            if open > 1 { PRODUCTS } else { SUMS }
        }
        Op::IntDiv | Op::Mod | Op::Div => {
            let fixed = args[1..].iter().all(|&x| zeroness(a, x) == Some(false));
            if fixed { SUMS } else { PRODUCTS }
        }
        Op::ToReal | Op::ToInt | Op::IsInt => INTS | REALS | MIXED,
        Op::FpToReal => REALS | SUMS,
        // Only a literal is part of the syntax of floats; cvc5 takes `(- 0.1)` for a term of the reals.
        Op::ToFpReal if !is_literal(a, args[1]) => REALS | SUMS,
        // Conversions between bit-vectors and integers are in no logic's description; the ones with both take them.
        Op::UbvToInt | Op::SbvToInt | Op::IntToBv => BV | INTS | SUMS,
        _ => match info.theory {
            Theory::Strings | Theory::Regex => STRINGS,
            _ => 0,
        },
    }
}

/// What an arithmetic atom needs beyond difference constraints `x ⋈ y` and `x - y ⋈ c`.
fn difference(a: &Arena, args: &[Term]) -> u32 {
    let simple = |t: Term| match a.head(t) {
        Head::Fun(g) => a.fun(g).kind == FunKind::Free,
        Head::Var(_) => true,
        _ => false,
    };
    let subtraction = |t: Term| {
        matches!(a.head(t), Head::Op(Op::Sub, _))
            && matches!(*a.args(t), [x, y] if simple(x) && simple(y))
    };
    let fine = match *args {
        [x, y] => {
            (simple(x) && simple(y))
                || (subtraction(x) && is_constant(a, y))
                || (is_constant(a, x) && subtraction(y))
        }
        _ => args.iter().all(|&t| simple(t)),
    };
    if fine { 0 } else { SUMS }
}

fn is_literal(a: &Arena, t: Term) -> bool {
    matches!(a.head(t), Head::Lit(_))
}

/// A literal, or a sign or quotient of literals.
fn is_constant(a: &Arena, t: Term) -> bool {
    match a.head(t) {
        Head::Lit(_) => true,
        Head::Op(Op::Neg, _) => is_literal(a, a.args(t)[0]) || is_quotient(a, a.args(t)[0]),
        _ => is_quotient(a, t),
    }
}

fn is_quotient(a: &Arena, t: Term) -> bool {
    let signed = |t: Term| match a.head(t) {
        Head::Op(Op::Neg, _) => is_literal(a, a.args(t)[0]),
        _ => is_literal(a, t),
    };
    matches!(a.head(t), Head::Op(Op::Div, _))
        && a.args(t).iter().all(|&x| signed(x))
        && a.args(t)[1..].iter().all(|&x| zeroness(a, x) == Some(false))
}

/// Whether a number that is written out is zero: a literal, or a sign or quotient of literals. `None` for anything else.
pub(crate) fn zeroness(a: &Arena, t: Term) -> Option<bool> {
    match a.head(t) {
        Head::Lit(l) => match a.lit(l) {
            Literal::Int(v) => Some(v.is_zero()),
            Literal::Real { digits, .. } => Some(digits.is_zero()),
            _ => None,
        },
        Head::Op(Op::Neg, _) if is_constant(a, t) => zeroness(a, a.args(t)[0]),
        _ if is_quotient(a, t) => zeroness(a, a.args(t)[0]),
        _ => None,
    }
}

/// Whether a logic is one that a solver could decide: `unknown` is less of an excuse there.
pub fn is_decidable(logic: &str) -> bool {
    match logic.strip_prefix("QF_") {
        Some(rest) => !rest.contains("NI") && !rest.contains('S') && !rest.contains("NA"),
        None => matches!(logic, "LIA" | "LRA" | "NRA" | "BV"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expect: &str) {
        let script = crate::parse(script.as_bytes()).unwrap();
        assert_eq!(smallest_logic(&script), expect);
    }

    #[test]
    fn logics() {
        check("(declare-const p Bool)(assert p)", "QF_UF");
        check("(declare-const x Int)(declare-const y Int)(assert (< (- x y) 3))", "QF_IDL");
        check("(declare-const x Int)(declare-const y Int)(assert (< x (- y 3)))", "QF_LIA");
        check("(declare-const x Real)(declare-const y Real)(assert (= x y))", "QF_RDL");
        check("(declare-const x Int)(assert (> (* 2 x) 3))", "QF_LIA");
        check("(declare-const x Int)(assert (> (* x x) 3))", "QF_NIA");
        check("(declare-const x Int)(assert (> (div x 0) 3))", "QF_NIA");
        check("(declare-const x Real)(assert (> (/ x (/ 0.0 3.0)) 3.0))", "QF_NRA");
        check("(declare-const x Real)(assert (> (/ x (- (/ 1.0 3.0))) 3.0))", "QF_LRA");
        check("(declare-const x Real)(assert (> (/ x 3) 0.5))", "QF_LRA");
        check("(declare-const x Real)(assert (> (/ 3 x) 0.5))", "QF_NRA");
        check("(declare-const x Real)(assert (> (to_int x) 0))", "QF_LIRA");
        let array = "(declare-const a (Array Int Int))";
        check(&format!("{array}(assert (= a (store a 1 2)))"), "QF_ALIA");
        check(&format!("{array}(assert (= a ((as const (Array Int Int)) 2)))"), "ALL");
        check("(assert (forall ((x Int)) (> x 1)))", "LIA");
        check("(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) 1)))", "UFLIA");
        check("(declare-const a (Array Int Int))(assert (= (select a 0) 1))", "QF_ALIA");
        check("(declare-sort U 0)(declare-const a (Array U U))(assert (= a a))", "QF_AX");
        check(
            "(declare-sort U 0)(declare-fun f (U) U)(declare-const a (Array U U))(assert (= a a))",
            "QF_AUFLIA",
        );
        let bits = "(declare-const x (_ BitVec 8))(assert (= x #x01))";
        check(&format!("(declare-const a (Array (_ BitVec 8) (_ BitVec 8))){bits}"), "QF_ABV");
        check(&format!("(declare-const a (Array (_ BitVec 8) Bool)){bits}"), "QF_ABVFP");
        check("(declare-const s String)(assert (= s \"a\"))", "QF_S");
        check("(declare-const s String)(assert (= (str.len s) 1))", "QF_SLIA");
        check("(declare-const x Float32)(assert (fp.leq x ((_ to_fp 8 24) RNE 0.1)))", "QF_FP");
        check("(declare-const x Float32)(assert (= (fp.to_real x) 0.1))", "QF_FPLRA");
        check("(declare-const b (_ BitVec 4))(assert (= (ubv_to_int b) 3))", "QF_UFBVLIA");
        check(
            "(declare-datatype L ((n) (c (h Int) (t L))))(declare-const l L)(assert (= (h l) 1))",
            "QF_UFDTLIA",
        );
        check("(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (= f g))", "HO_ALL");
        check("(declare-datatype L ((n) (c (h (_ BitVec 2)))))", "QF_UFBVDT");
        check(
            "(declare-const x Float32)(assert (fp.leq x ((_ to_fp 8 24) RNE (- 0.1))))",
            "QF_FPLRA",
        );
        check("(declare-const x (Seq Int))(assert (= x x))", "ALL");
        check("(declare-const x Real)(assert (> (sin x) 0.5))", "ALL");
    }

    #[test]
    fn decidable_logics() {
        for logic in ["QF_LIA", "QF_NRA", "QF_AUFBV", "QF_FP", "LRA", "BV"] {
            assert!(is_decidable(logic), "{logic}");
        }
        for logic in ["QF_NIA", "QF_SLIA", "QF_UFNIA", "UFLIA", "ALL", "QF_UFNIRA"] {
            assert!(!is_decidable(logic), "{logic}");
        }
    }
}
