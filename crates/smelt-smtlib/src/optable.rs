//! The operator table: one row per operator.

use crate::op::Assoc::{Chain, Left, Pairwise, Rest, Right};
use crate::op::Dialect::{Bitwuzla, Common, Cvc5, Z3};
use crate::op::Naming::{Cvc4, ReadOnly, V26, Z3Old};
use crate::op::P::*;
use crate::op::Theory::*;
use crate::op::{Naming, OpInfo, op};
use crate::partiality::*;
use crate::special;

macro_rules! table {
    ($( $variant:ident = $row:expr; )*) => {
        /// A built-in operator. What it is called and how it is typed is in its row ([`Op::info`]).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        #[allow(missing_docs)]
        pub enum Op { $($variant),* }

        /// The table, indexed by [`Op`].
        pub static OPS: &[OpInfo] = &[ $( { let mut r = $row; r.op = Op::$variant; r } ),* ];
    };
}

table! {
    // ---- Core
    True = op("true", Core, &[], Bool);
    False = op("false", Core, &[], Bool);
    Not = op("not", Core, &[Bool], Bool);
    And = op("and", Core, &[Bool], Bool).assoc(Left).comm();
    Or = op("or", Core, &[Bool], Bool).assoc(Left).comm();
    Xor = op("xor", Core, &[Bool], Bool).assoc(Left).comm();
    Implies = op("=>", Core, &[Bool], Bool).assoc(Right).alias(&[("implies", ReadOnly)]);
    Eq = op("=", Core, &[A], Bool).assoc(Chain).comm().alias(&[("iff", ReadOnly)]);
    Distinct = op("distinct", Core, &[A], Bool).assoc(Pairwise).comm();
    Ite = op("ite", Core, &[Bool, A, A], A).alias(&[("if", ReadOnly), ("if_then_else", ReadOnly)]);

    // ---- Ints, Reals
    Neg = op("-", Ints, &[Num], Num);
    Sub = op("-", Ints, &[Num], Num).assoc(Left);
    Add = op("+", Ints, &[Num], Num).assoc(Left).comm();
    Mul = op("*", Ints, &[Num], Num).assoc(Left).comm();
    IntDiv = op("div", Ints, &[Int], Int).assoc(Left).partial(&BY_ZERO);
    Mod = op("mod", Ints, &[Int, Int], Int).partial(&BY_ZERO);
    Abs = op("abs", Ints, &[Num], Num);
    Divisible = op("divisible", Ints, &[Int], Bool).indices(1);
    Le = op("<=", Ints, &[Num], Bool).assoc(Chain);
    Lt = op("<", Ints, &[Num], Bool).assoc(Chain);
    Ge = op(">=", Ints, &[Num], Bool).assoc(Chain);
    Gt = op(">", Ints, &[Num], Bool).assoc(Chain);
    Div = op("/", Reals, &[Real], Real).assoc(Left).partial(&BY_ZERO);
    ToReal = op("to_real", RealsInts, &[Int], Real);
    ToInt = op("to_int", RealsInts, &[Real], Int);
    IsInt = op("is_int", RealsInts, &[Real], Bool);
    Rem = op("rem", Ints, &[Int, Int], Int).partial(&BY_ZERO).dialect(Z3);
    IntDivTotal = op("div_total", Ints, &[Int], Int).assoc(Left).dialect(Cvc5);
    ModTotal = op("mod_total", Ints, &[Int, Int], Int).dialect(Cvc5);
    DivTotal = op("/_total", Reals, &[Real], Real).assoc(Left).dialect(Cvc5);
    Pow = op("^", Ints, &[Num, Num], Num).partial(&POWER).dialect(Common).alias(&[("**", ReadOnly)]);
    Pow2 = op("int.pow2", Ints, &[Int], Int).dialect(Cvc5).alias(&[("pow2", ReadOnly)]);
    Log2 = op("int.log2", Ints, &[Int], Int).dialect(Cvc5);
    IsPow2 = op("int.ispow2", Ints, &[Int], Bool).dialect(Cvc5);
    Piand = op("piand", Ints, &[Int, Int, Int], Int).dialect(Cvc5);
    Iand = op("iand", Ints, &[Int, Int], Int).indices(1).comm().dialect(Cvc5);

    // ---- Transcendentals
    Pi = op("real.pi", Transcendentals, &[], Real).dialect(Cvc5).alias(&[("pi", ReadOnly)]);
    Sin = op("sin", Transcendentals, &[Real], Real).dialect(Common);
    Cos = op("cos", Transcendentals, &[Real], Real).dialect(Common);
    Tan = op("tan", Transcendentals, &[Real], Real).dialect(Common).partial(&COSINE_ZERO);
    Csc = op("csc", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&SINE_ZERO);
    Sec = op("sec", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&COSINE_ZERO);
    Cot = op("cot", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&SINE_ZERO);
    Asin = op("arcsin", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&BEYOND_ONE)
        .alias(&[("asin", ReadOnly)]);
    Acos = op("arccos", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&BEYOND_ONE)
        .alias(&[("acos", ReadOnly)]);
    Atan = op("arctan", Transcendentals, &[Real], Real).dialect(Cvc5)
        .alias(&[("atan", ReadOnly)]);
    Acsc = op("arccsc", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&BELOW_ONE);
    Asec = op("arcsec", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&BELOW_ONE);
    Acot = op("arccot", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&NOT_POSITIVE);
    Exp = op("exp", Transcendentals, &[Real], Real).dialect(Cvc5);
    Sqrt = op("sqrt", Transcendentals, &[Real], Real).dialect(Cvc5).partial(&NEGATIVE);
    Sinh = op("sinh", Transcendentals, &[Real], Real).dialect(Z3);
    Cosh = op("cosh", Transcendentals, &[Real], Real).dialect(Z3);
    Tanh = op("tanh", Transcendentals, &[Real], Real).dialect(Z3);

    // ---- FixedSizeBitVectors
    Concat = op("concat", BitVec, &[BvX], BvXPlusY).assoc(Left).special(special::concat);
    Extract = op("extract", BitVec, &[BvX], BvExtract).indices(2);
    Repeat = op("repeat", BitVec, &[BvX], BvXTimesI).indices(1);
    ZeroExtend = op("zero_extend", BitVec, &[BvX], BvXPlusI).indices(1);
    SignExtend = op("sign_extend", BitVec, &[BvX], BvXPlusI).indices(1);
    RotateLeft = op("rotate_left", BitVec, &[BvX], BvX).indices(1);
    RotateRight = op("rotate_right", BitVec, &[BvX], BvX).indices(1);
    BvNot = op("bvnot", BitVec, &[BvX], BvX);
    BvNeg = op("bvneg", BitVec, &[BvX], BvX);
    BvAnd = op("bvand", BitVec, &[BvX], BvX).assoc(Left).comm();
    BvOr = op("bvor", BitVec, &[BvX], BvX).assoc(Left).comm();
    BvXor = op("bvxor", BitVec, &[BvX], BvX).assoc(Left).comm();
    BvNand = op("bvnand", BitVec, &[BvX, BvX], BvX).comm();
    BvNor = op("bvnor", BitVec, &[BvX, BvX], BvX).comm();
    BvXnor = op("bvxnor", BitVec, &[BvX], BvX).assoc(Left).comm();
    BvComp = op("bvcomp", BitVec, &[BvX, BvX], Bv1).comm();
    BvAdd = op("bvadd", BitVec, &[BvX], BvX).assoc(Left).comm();
    BvSub = op("bvsub", BitVec, &[BvX, BvX], BvX);
    BvMul = op("bvmul", BitVec, &[BvX], BvX).assoc(Left).comm();
    BvUdiv = op("bvudiv", BitVec, &[BvX, BvX], BvX);
    BvUrem = op("bvurem", BitVec, &[BvX, BvX], BvX);
    BvSdiv = op("bvsdiv", BitVec, &[BvX, BvX], BvX);
    BvSrem = op("bvsrem", BitVec, &[BvX, BvX], BvX);
    BvSmod = op("bvsmod", BitVec, &[BvX, BvX], BvX);
    BvShl = op("bvshl", BitVec, &[BvX, BvX], BvX);
    BvLshr = op("bvlshr", BitVec, &[BvX, BvX], BvX);
    BvAshr = op("bvashr", BitVec, &[BvX, BvX], BvX);
    BvUlt = op("bvult", BitVec, &[BvX, BvX], Bool);
    BvUle = op("bvule", BitVec, &[BvX, BvX], Bool);
    BvUgt = op("bvugt", BitVec, &[BvX, BvX], Bool);
    BvUge = op("bvuge", BitVec, &[BvX, BvX], Bool);
    BvSlt = op("bvslt", BitVec, &[BvX, BvX], Bool);
    BvSle = op("bvsle", BitVec, &[BvX, BvX], Bool);
    BvSgt = op("bvsgt", BitVec, &[BvX, BvX], Bool);
    BvSge = op("bvsge", BitVec, &[BvX, BvX], Bool);
    BvNego = op("bvnego", BitVec, &[BvX], Bool);
    BvUaddo = op("bvuaddo", BitVec, &[BvX, BvX], Bool).comm();
    BvSaddo = op("bvsaddo", BitVec, &[BvX, BvX], Bool).comm();
    BvUmulo = op("bvumulo", BitVec, &[BvX, BvX], Bool).comm();
    BvSmulo = op("bvsmulo", BitVec, &[BvX, BvX], Bool).comm();
    BvUsubo = op("bvusubo", BitVec, &[BvX, BvX], Bool);
    BvSsubo = op("bvssubo", BitVec, &[BvX, BvX], Bool);
    BvSdivo = op("bvsdivo", BitVec, &[BvX, BvX], Bool);
    UbvToInt = op("ubv_to_int", BitVec, &[BvX], Int).alias(&[("bv2nat", V26), ("bv2int", ReadOnly)]);
    SbvToInt = op("sbv_to_int", BitVec, &[BvX], Int);
    IntToBv = op("int_to_bv", BitVec, &[Int], BvI).indices(1)
        .alias(&[("int2bv", V26), ("nat2bv", ReadOnly)]);
    BvRedor = op("bvredor", BitVec, &[BvX], Bv1).dialect(Common);
    BvRedand = op("bvredand", BitVec, &[BvX], Bv1).dialect(Common);
    BvUltBv = op("bvultbv", BitVec, &[BvX, BvX], Bv1).dialect(Cvc5);
    BvSltBv = op("bvsltbv", BitVec, &[BvX, BvX], Bv1).dialect(Cvc5);
    BvRedxor = op("bvredxor", BitVec, &[BvX], Bv1).dialect(Bitwuzla);
    BvInc = op("bvinc", BitVec, &[BvX], BvX).dialect(Bitwuzla);
    BvDec = op("bvdec", BitVec, &[BvX], BvX).dialect(Bitwuzla);
    BvRol = op("bvrol", BitVec, &[BvX, BvX], BvX).dialect(Bitwuzla);
    BvRor = op("bvror", BitVec, &[BvX, BvX], BvX).dialect(Bitwuzla);
    BvIte = op("bvite", BitVec, &[Bv1, BvX, BvX], BvX).dialect(Cvc5);
    BvUmulNoovfl = op("bvumul_noovfl", BitVec, &[BvX, BvX], Bool).comm().dialect(Z3);
    BvSmulNoovfl = op("bvsmul_noovfl", BitVec, &[BvX, BvX], Bool).comm().dialect(Z3);
    BvSmulNoudfl = op("bvsmul_noudfl", BitVec, &[BvX, BvX], Bool).comm().dialect(Z3);
    ExtRotateLeft = op("ext_rotate_left", BitVec, &[BvX, BvX], BvX).dialect(Z3);
    ExtRotateRight = op("ext_rotate_right", BitVec, &[BvX, BvX], BvX).dialect(Z3);
    BitToBool = op("bit2bool", BitVec, &[BvX], Bool).indices(1).dialect(Z3)
        .special(special::bit).alias(&[("bitOf", ReadOnly), ("@bit", ReadOnly)]);

    // ---- FloatingPoint
    Rne = op("RNE", Float, &[], Rm).alias(&[("roundNearestTiesToEven", ReadOnly)]);
    Rna = op("RNA", Float, &[], Rm).alias(&[("roundNearestTiesToAway", ReadOnly)]);
    Rtp = op("RTP", Float, &[], Rm).alias(&[("roundTowardPositive", ReadOnly)]);
    Rtn = op("RTN", Float, &[], Rm).alias(&[("roundTowardNegative", ReadOnly)]);
    Rtz = op("RTZ", Float, &[], Rm).alias(&[("roundTowardZero", ReadOnly)]);
    FpMake = op("fp", Float, &[Bv1, BvX, BvY], FpXY);
    FpPlusInf = op("+oo", Float, &[], FpI).indices(2);
    FpMinusInf = op("-oo", Float, &[], FpI).indices(2);
    FpPlusZero = op("+zero", Float, &[], FpI).indices(2);
    FpMinusZero = op("-zero", Float, &[], FpI).indices(2);
    FpNan = op("NaN", Float, &[], FpI).indices(2);
    FpAbs = op("fp.abs", Float, &[Fp], Fp);
    FpNeg = op("fp.neg", Float, &[Fp], Fp);
    FpAdd = op("fp.add", Float, &[Rm, Fp, Fp], Fp);
    FpSub = op("fp.sub", Float, &[Rm, Fp, Fp], Fp);
    FpMul = op("fp.mul", Float, &[Rm, Fp, Fp], Fp);
    FpDiv = op("fp.div", Float, &[Rm, Fp, Fp], Fp);
    FpFma = op("fp.fma", Float, &[Rm, Fp, Fp, Fp], Fp);
    FpSqrt = op("fp.sqrt", Float, &[Rm, Fp], Fp);
    FpRem = op("fp.rem", Float, &[Fp, Fp], Fp);
    FpRoundToIntegral = op("fp.roundToIntegral", Float, &[Rm, Fp], Fp);
    FpMin = op("fp.min", Float, &[Fp, Fp], Fp).partial(&ZEROS);
    FpMax = op("fp.max", Float, &[Fp, Fp], Fp).partial(&ZEROS);
    FpLeq = op("fp.leq", Float, &[Fp], Bool).assoc(Chain);
    FpLt = op("fp.lt", Float, &[Fp], Bool).assoc(Chain);
    FpGeq = op("fp.geq", Float, &[Fp], Bool).assoc(Chain);
    FpGt = op("fp.gt", Float, &[Fp], Bool).assoc(Chain);
    FpEq = op("fp.eq", Float, &[Fp], Bool).assoc(Chain);
    FpIsNormal = op("fp.isNormal", Float, &[Fp], Bool);
    FpIsSubnormal = op("fp.isSubnormal", Float, &[Fp], Bool);
    FpIsZero = op("fp.isZero", Float, &[Fp], Bool);
    FpIsInfinite = op("fp.isInfinite", Float, &[Fp], Bool);
    FpIsNan = op("fp.isNaN", Float, &[Fp], Bool);
    FpIsNegative = op("fp.isNegative", Float, &[Fp], Bool);
    FpIsPositive = op("fp.isPositive", Float, &[Fp], Bool);
    ToFpBits = op("to_fp", Float, &[BvIPlusJ], FpI).indices(2).alias(&[("to_fp_bv", ReadOnly)]);
    ToFpFp = op("to_fp", Float, &[Rm, Fp], FpI).indices(2).alias(&[("to_fp_fp", ReadOnly)]);
    ToFpSbv = op("to_fp", Float, &[Rm, BvX], FpI).indices(2).alias(&[("to_fp_signed", ReadOnly)]);
    ToFpReal = op("to_fp", Float, &[Rm, Real], FpI).indices(2).alias(&[("to_fp_real", ReadOnly)]);
    ToFpRealExp = op("to_fp", Float, &[Rm, Real, Int], FpI).indices(2).dialect(Z3);
    ToFpUbv = op("to_fp_unsigned", Float, &[Rm, BvX], FpI).indices(2);
    FpToUbv = op("fp.to_ubv", Float, &[Rm, Fp], BvI).indices(1).partial(&TO_UNSIGNED);
    FpToSbv = op("fp.to_sbv", Float, &[Rm, Fp], BvI).indices(1).partial(&TO_SIGNED);
    FpToReal = op("fp.to_real", Float, &[Fp], Real).partial(&NOT_FINITE);
    FpToIeeeBv = op("fp.to_ieee_bv", Float, &[Fp], BvFp).partial(&NAN).dialect(Z3)
        .alias(&[("to_ieee_bv", ReadOnly)]);

    // ---- UnicodeStrings
    StrConcat = op("str.++", Strings, &[Str], Str).assoc(Left).alias(&[("seq.++", ReadOnly)]);
    StrLen = op("str.len", Strings, &[Str], Int).alias(&[("seq.len", ReadOnly)]);
    StrLt = op("str.<", Strings, &[Str], Bool).assoc(Chain);
    StrLe = op("str.<=", Strings, &[Str], Bool).assoc(Chain);
    StrAt = op("str.at", Strings, &[Str, Int], Str).alias(&[("seq.at", ReadOnly)]);
    StrSubstr = op("str.substr", Strings, &[Str, Int, Int], Str)
        .alias(&[("seq.extract", ReadOnly)]);
    StrPrefixOf = op("str.prefixof", Strings, &[Str, Str], Bool)
        .alias(&[("seq.prefixof", ReadOnly)]);
    StrSuffixOf = op("str.suffixof", Strings, &[Str, Str], Bool)
        .alias(&[("seq.suffixof", ReadOnly)]);
    StrContains = op("str.contains", Strings, &[Str, Str], Bool)
        .alias(&[("seq.contains", ReadOnly)]);
    StrIndexOf = op("str.indexof", Strings, &[Str, Str, Int], Int)
        .alias(&[("seq.indexof", ReadOnly)]);
    StrReplace = op("str.replace", Strings, &[Str, Str, Str], Str)
        .alias(&[("seq.replace", ReadOnly)]);
    StrReplaceAll = op("str.replace_all", Strings, &[Str, Str, Str], Str)
        .alias(&[("str.replaceall", ReadOnly), ("seq.replace_all", ReadOnly)]);
    StrReplaceRe = op("str.replace_re", Strings, &[Str, Re, Str], Str);
    StrReplaceReAll = op("str.replace_re_all", Strings, &[Str, Re, Str], Str);
    StrIsDigit = op("str.is_digit", Strings, &[Str], Bool);
    StrToCode = op("str.to_code", Strings, &[Str], Int);
    StrFromCode = op("str.from_code", Strings, &[Int], Str);
    StrToInt = op("str.to_int", Strings, &[Str], Int)
        .alias(&[("str.to.int", Z3Old), ("str.to-int", ReadOnly)]);
    StrFromInt = op("str.from_int", Strings, &[Int], Str)
        .alias(&[("int.to.str", Z3Old), ("str.from-int", ReadOnly)]);
    StrInRe = op("str.in_re", Regex, &[Str, Re], Bool)
        .alias(&[("str.in.re", Z3Old), ("seq.in.re", ReadOnly), ("seq.in_re", ReadOnly)]);
    StrToRe = op("str.to_re", Regex, &[Str], Re)
        .alias(&[("str.to.re", Z3Old), ("seq.to.re", ReadOnly), ("seq.to_re", ReadOnly)]);
    ReNone = op("re.none", Regex, &[], Re).alias(&[("re.nostr", Z3Old), ("re.empty", ReadOnly)]);
    ReAll = op("re.all", Regex, &[], Re).alias(&[("re.full", ReadOnly)]);
    ReAllChar = op("re.allchar", Regex, &[], Re);
    ReConcat = op("re.++", Regex, &[Re], Re).assoc(Left);
    ReUnion = op("re.union", Regex, &[Re], Re).assoc(Left).comm();
    ReInter = op("re.inter", Regex, &[Re], Re).assoc(Left).comm();
    ReStar = op("re.*", Regex, &[Re], Re);
    RePlus = op("re.+", Regex, &[Re], Re);
    ReOpt = op("re.opt", Regex, &[Re], Re);
    ReRange = op("re.range", Regex, &[Str, Str], Re);
    ReComp = op("re.comp", Regex, &[Re], Re).alias(&[("re.complement", Z3Old)]);
    ReDiff = op("re.diff", Regex, &[Re], Re).assoc(Left);
    RePow = op("re.^", Regex, &[Re], Re).indices(1);
    ReLoop = op("re.loop", Regex, &[Re], Re).indices(2);
    ReLoopFrom = op("re.loop", Regex, &[Re], Re).indices(1).dialect(Z3);
    StrRev = op("str.rev", Strings, &[Str], Str).dialect(Cvc5).alias(&[("seq.rev", ReadOnly)]);
    StrUpdate = op("str.update", Strings, &[Str, Int, Str], Str).dialect(Cvc5)
        .alias(&[("seq.update", ReadOnly)]);
    StrToLower = op("str.to_lower", Strings, &[Str], Str).dialect(Cvc5)
        .alias(&[("str.tolower", Cvc4)]);
    StrToUpper = op("str.to_upper", Strings, &[Str], Str).dialect(Cvc5)
        .alias(&[("str.toupper", Cvc4)]);
    StrIndexOfRe = op("str.indexof_re", Strings, &[Str, Re, Int], Int).dialect(Cvc5);
    StrLastIndexOf = op("str.last_indexof", Strings, &[Str, Str], Int).dialect(Z3)
        .alias(&[("seq.last_indexof", ReadOnly)]);
    StrFromUbv = op("str.from_ubv", Strings, &[BvX], Str).dialect(Z3);
    StrFromSbv = op("str.from_sbv", Strings, &[BvX], Str).dialect(Z3);

    // ---- ArraysEx
    Select = op("select", Arrays, &[ArrAB, A], B).special(special::select);
    Store = op("store", Arrays, &[ArrAB, A, B], ArrAB).special(special::store);
    ConstArray = op("const", Arrays, &[B], Ascribed).dialect(Common);
    ArrayMap = op("map", Arrays, &[], ArrAB).any_indices().special(special::array_map).dialect(Z3);
    ArrayDefault = op("default", Arrays, &[ArrAB], B).dialect(Z3);
    ArrayExt = op("array-ext", Arrays, &[ArrAB, ArrAB], A).dialect(Z3).partial(&DIFFERENCE);
    AsArray = op("as-array", Arrays, &[], ArrAB).indices(1).special(special::as_array).dialect(Z3);
    EqRange = op("eqrange", Arrays, &[ArrAB, ArrAB, A, A], Bool).dialect(Cvc5);

    // ---- Datatypes
    Is = op("is", Datatypes, &[A], Bool).indices(1).special(special::is);
    Update = op("update", Datatypes, &[A, B], A).indices(1).special(special::update).dialect(Common)
        .alias(&[("update-field", Naming::Z3)]);
    DtSize = op("dt.size", Datatypes, &[A], Int).dialect(Cvc5);

    // ---- Sequences
    SeqEmpty = op("seq.empty", Seq, &[], Ascribed).dialect(Common);
    SeqUnit = op("seq.unit", Seq, &[A], SeqA).dialect(Common);
    SeqConcat = op("seq.++", Seq, &[SeqA], SeqA).assoc(Left).dialect(Common)
        .alias(&[("str.++", ReadOnly)]);
    SeqLen = op("seq.len", Seq, &[SeqA], Int).dialect(Common).alias(&[("str.len", ReadOnly)]);
    SeqExtract = op("seq.extract", Seq, &[SeqA, Int, Int], SeqA).dialect(Common)
        .alias(&[("str.substr", ReadOnly)]);
    SeqAt = op("seq.at", Seq, &[SeqA, Int], SeqA).dialect(Common).alias(&[("str.at", ReadOnly)]);
    SeqNth = op("seq.nth", Seq, &[SeqA, Int], A).partial(&BEYOND_END).dialect(Common);
    SeqContains = op("seq.contains", Seq, &[SeqA, SeqA], Bool).dialect(Common)
        .alias(&[("str.contains", ReadOnly)]);
    SeqPrefixOf = op("seq.prefixof", Seq, &[SeqA, SeqA], Bool).dialect(Common)
        .alias(&[("str.prefixof", ReadOnly)]);
    SeqSuffixOf = op("seq.suffixof", Seq, &[SeqA, SeqA], Bool).dialect(Common)
        .alias(&[("str.suffixof", ReadOnly)]);
    SeqIndexOf = op("seq.indexof", Seq, &[SeqA, SeqA, Int], Int).dialect(Common)
        .alias(&[("str.indexof", ReadOnly)]);
    SeqReplace = op("seq.replace", Seq, &[SeqA, SeqA, SeqA], SeqA).dialect(Common)
        .alias(&[("str.replace", ReadOnly)]);
    SeqReplaceAll = op("seq.replace_all", Seq, &[SeqA, SeqA, SeqA], SeqA).dialect(Common)
        .alias(&[("str.replace_all", ReadOnly)]);
    SeqRev = op("seq.rev", Seq, &[SeqA], SeqA).dialect(Cvc5).alias(&[("str.rev", ReadOnly)]);
    SeqUpdate = op("seq.update", Seq, &[SeqA, Int, SeqA], SeqA).dialect(Cvc5)
        .alias(&[("str.update", ReadOnly)]);
    SeqLastIndexOf = op("seq.last_indexof", Seq, &[SeqA, SeqA], Int).dialect(Z3);
    SeqMap = op("seq.map", Seq, &[C, SeqA], SeqB).dialect(Z3).special(special::seq_map);
    SeqMapi = op("seq.mapi", Seq, &[C, Int, SeqA], SeqB).dialect(Z3).special(special::seq_map);
    SeqFoldl = op("seq.foldl", Seq, &[C, B, SeqA], B).dialect(Z3);
    SeqFoldli = op("seq.foldli", Seq, &[C, Int, B, SeqA], B).dialect(Z3);

    // ---- Sets
    SetEmpty = op("set.empty", Sets, &[], Ascribed).dialect(Cvc5).alias(&[("emptyset", Cvc4)]);
    SetUniverse = op("set.universe", Sets, &[], Ascribed).dialect(Cvc5).alias(&[("univset", Cvc4)]);
    SetSingleton = op("set.singleton", Sets, &[A], SetA).dialect(Cvc5)
        .alias(&[("singleton", Cvc4)]);
    SetUnion = op("set.union", Sets, &[SetA], SetA).assoc(Left).comm().dialect(Cvc5)
        .alias(&[("union", Cvc4)]);
    SetInter = op("set.inter", Sets, &[SetA], SetA).assoc(Left).comm().dialect(Cvc5)
        .alias(&[("intersection", Cvc4)]);
    SetMinus = op("set.minus", Sets, &[SetA], SetA).assoc(Left).dialect(Cvc5)
        .alias(&[("setminus", Cvc4)]);
    SetMember = op("set.member", Sets, &[A, SetA], Bool).dialect(Cvc5).alias(&[("member", Cvc4)]);
    SetSubset = op("set.subset", Sets, &[SetA, SetA], Bool).dialect(Cvc5)
        .alias(&[("subset", Cvc4)]);
    SetInsert = op("set.insert", Sets, &[], SetA).special(special::set_insert).dialect(Cvc5)
        .alias(&[("insert", Cvc4)]);
    SetCard = op("set.card", Sets, &[SetA], Int).dialect(Cvc5).alias(&[("card", Cvc4)]);
    SetComplement = op("set.complement", Sets, &[SetA], SetA).dialect(Cvc5)
        .alias(&[("complement", Cvc4)]);
    SetChoose = op("set.choose", Sets, &[SetA], A).partial(&ELEMENT_OF_SET).dialect(Cvc5)
        .alias(&[("choose", Cvc4)]);
    SetIsEmpty = op("set.is_empty", Sets, &[SetA], Bool).dialect(Cvc5);
    SetIsSingleton = op("set.is_singleton", Sets, &[SetA], Bool).dialect(Cvc5)
        .alias(&[("is_singleton", Cvc4)]);
    SetMap = op("set.map", Sets, &[FunAB, SetA], SetB).dialect(Cvc5);
    SetFilter = op("set.filter", Sets, &[FunABool, SetA], SetA).dialect(Cvc5);
    SetAll = op("set.all", Sets, &[FunABool, SetA], Bool).dialect(Cvc5);
    SetSome = op("set.some", Sets, &[FunABool, SetA], Bool).dialect(Cvc5);
    SetFold = op("set.fold", Sets, &[FunABB, B, SetA], B).dialect(Cvc5);

    // ---- Relations and tuples
    TupleMake = op("tuple", Tuples, &[], A).special(special::tuple).dialect(Cvc5)
        .alias(&[("mkTuple", Cvc4)]);
    TupleUnit = op("tuple.unit", Tuples, &[], A).special(special::tuple_unit).dialect(Cvc5);
    TupleSelect = op("tuple.select", Tuples, &[A], B).indices(1).special(special::tuple_select)
        .dialect(Cvc5).alias(&[("tupSel", Cvc4)]);
    TupleUpdate = op("tuple.update", Tuples, &[A, B], A).indices(1).special(special::tuple_update)
        .dialect(Cvc5);
    TupleProject = op("tuple.project", Tuples, &[A], B).any_indices()
        .special(special::tuple_project).dialect(Cvc5).alias(&[("tuple_project", ReadOnly)]);
    RelTranspose = op("rel.transpose", Relations, &[SetA], SetA).special(special::rel_transpose)
        .dialect(Cvc5).alias(&[("transpose", Cvc4)]);
    RelTclosure = op("rel.tclosure", Relations, &[SetA], SetA).dialect(Cvc5)
        .alias(&[("tclosure", Cvc4)]);
    RelJoin = op("rel.join", Relations, &[SetA, SetB], SetA).special(special::rel_join)
        .dialect(Cvc5).alias(&[("join", Cvc4)]);
    RelProduct = op("rel.product", Relations, &[SetA, SetB], SetA).special(special::rel_product)
        .dialect(Cvc5).alias(&[("product", Cvc4)]);
    RelIden = op("rel.iden", Relations, &[SetA], SetA).special(special::rel_iden).dialect(Cvc5)
        .alias(&[("iden", Cvc4)]);
    RelJoinImage = op("rel.join_image", Relations, &[SetA, Int], SetA)
        .special(special::rel_join_image).dialect(Cvc5).alias(&[("join_image", Cvc4)]);
    RelProject = op("rel.project", Relations, &[SetA], SetB).any_indices()
        .special(special::rel_project).dialect(Cvc5);
    RelGroup = op("rel.group", Relations, &[SetA], SetB).any_indices()
        .special(special::rel_group).dialect(Cvc5);
    RelAggregate = op("rel.aggr", Relations, &[FunABB, B, SetA], SetB).any_indices().dialect(Cvc5);
    RelTableJoin = op("rel.table_join", Relations, &[SetA, SetB], SetA).any_indices()
        .special(special::rel_product).dialect(Cvc5);

    // ---- Bags
    BagEmpty = op("bag.empty", Bags, &[], Ascribed).dialect(Cvc5).alias(&[("emptybag", Cvc4)]);
    BagMake = op("bag", Bags, &[A, Int], BagA).dialect(Cvc5);
    BagCount = op("bag.count", Bags, &[A, BagA], Int).dialect(Cvc5);
    BagMember = op("bag.member", Bags, &[A, BagA], Bool).dialect(Cvc5);
    BagUnionMax = op("bag.union_max", Bags, &[BagA], BagA).assoc(Left).comm().dialect(Cvc5);
    BagUnionDisjoint = op("bag.union_disjoint", Bags, &[BagA], BagA).assoc(Left).comm()
        .dialect(Cvc5);
    BagInterMin = op("bag.inter_min", Bags, &[BagA], BagA).assoc(Left).comm().dialect(Cvc5);
    BagDiffSubtract = op("bag.difference_subtract", Bags, &[BagA], BagA).assoc(Left).dialect(Cvc5);
    BagDiffRemove = op("bag.difference_remove", Bags, &[BagA], BagA).assoc(Left).dialect(Cvc5);
    BagSubbag = op("bag.subbag", Bags, &[BagA, BagA], Bool).dialect(Cvc5);
    BagSetof = op("bag.setof", Bags, &[BagA], BagA).dialect(Cvc5)
        .alias(&[("bag.duplicate_removal", ReadOnly)]);
    BagCard = op("bag.card", Bags, &[BagA], Int).dialect(Cvc5);
    BagChoose = op("bag.choose", Bags, &[BagA], A).partial(&ELEMENT_OF_BAG).dialect(Cvc5);
    BagIsSingleton = op("bag.is_singleton", Bags, &[BagA], Bool).dialect(Cvc5);
    BagFromSet = op("bag.from_set", Bags, &[SetA], BagA).dialect(Cvc5);
    BagToSet = op("bag.to_set", Bags, &[BagA], SetA).dialect(Cvc5);
    BagMap = op("bag.map", Bags, &[FunAB, BagA], BagB).dialect(Cvc5);
    BagFilter = op("bag.filter", Bags, &[FunABool, BagA], BagA).dialect(Cvc5);
    BagAll = op("bag.all", Bags, &[FunABool, BagA], Bool).dialect(Cvc5);
    BagSome = op("bag.some", Bags, &[FunABool, BagA], Bool).dialect(Cvc5);
    BagFold = op("bag.fold", Bags, &[FunABB, B, BagA], B).dialect(Cvc5);
    BagPartition = op("bag.partition", Bags, &[B, BagA], BagA).special(special::bag_partition)
        .dialect(Cvc5);
    TableProduct = op("table.product", Bags, &[BagA, BagB], BagA).special(special::table_product)
        .dialect(Cvc5);
    TableProject = op("table.project", Bags, &[BagA], BagB).any_indices()
        .special(special::table_project).dialect(Cvc5);
    TableJoin = op("table.join", Bags, &[BagA, BagB], BagA).any_indices()
        .special(special::table_product).dialect(Cvc5);
    TableGroup = op("table.group", Bags, &[BagA], BagB).any_indices()
        .special(special::table_group).dialect(Cvc5);
    TableAggregate = op("table.aggr", Bags, &[FunABB, B, BagA], BagB).any_indices().dialect(Cvc5);

    // ---- Nullables
    NullableNull = op("nullable.null", Nullables, &[], Ascribed).dialect(Cvc5);
    NullableSome = op("nullable.some", Nullables, &[A], NullA).dialect(Cvc5);
    NullableVal = op("nullable.val", Nullables, &[NullA], A).partial(&NULL).dialect(Cvc5);
    NullableIsNull = op("nullable.is_null", Nullables, &[NullA], Bool).dialect(Cvc5);
    NullableIsSome = op("nullable.is_some", Nullables, &[NullA], Bool).dialect(Cvc5);

    // ---- Finite fields
    FfAdd = op("ff.add", Fields, &[Ff], Ff).assoc(Left).comm().dialect(Cvc5);
    FfMul = op("ff.mul", Fields, &[Ff], Ff).assoc(Left).comm().dialect(Cvc5);
    FfNeg = op("ff.neg", Fields, &[Ff], Ff).dialect(Cvc5);
    FfBitsum = op("ff.bitsum", Fields, &[Ff], Ff).assoc(Left).dialect(Cvc5);

    // ---- Higher order
    Apply = op("@", HigherOrder, &[], A).special(special::apply).dialect(Cvc5);

    // ---- Pseudo-Boolean
    AtMost = op("at-most", PseudoBoolean, &[Bool], Bool).assoc(Rest).indices(1).dialect(Z3);
    AtLeast = op("at-least", PseudoBoolean, &[Bool], Bool).assoc(Rest).indices(1).dialect(Z3);
    PbLe = op("pble", PseudoBoolean, &[Bool], Bool).assoc(Rest).any_indices().dialect(Z3);
    PbGe = op("pbge", PseudoBoolean, &[Bool], Bool).assoc(Rest).any_indices().dialect(Z3);
    PbEq = op("pbeq", PseudoBoolean, &[Bool], Bool).assoc(Rest).any_indices().dialect(Z3);

    // ---- Separation logic
    Sep = op("sep", Separation, &[Bool], Bool).assoc(Left).comm().dialect(Cvc5);
    SepWand = op("wand", Separation, &[Bool, Bool], Bool).dialect(Cvc5);
    SepPto = op("pto", Separation, &[A, B], Bool).dialect(Cvc5);
    SepEmp = op("sep.emp", Separation, &[], Bool).dialect(Cvc5);
    SepNil = op("sep.nil", Separation, &[], Ascribed).dialect(Cvc5);
}
