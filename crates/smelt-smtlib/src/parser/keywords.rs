//! The fixed words: those of the language, the names of commands, and the names of built-in sorts.
//!
//! Every arena begins with them ([`fixed_names`]), so that the number of an interned name says which word it is.

use crate::arena::Sym;

/// The words that are not function names in head position.
pub(crate) const RESERVED: [&str; 13] = [
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "lambda",
    "choice",
    "set.comprehension",
    "witness",
    "root-obj",
];

pub(crate) mod word {
    pub const UNDERSCORE: u32 = 0;
    pub const BANG: u32 = 1;
    pub const AS: u32 = 2;
    pub const LET: u32 = 3;
    pub const EXISTS: u32 = 4;
    pub const FORALL: u32 = 5;
    pub const MATCH: u32 = 6;
    pub const PAR: u32 = 7;
    pub const LAMBDA: u32 = 8;
    pub const CHOICE: u32 = 9;
    pub const COMPREHENSION: u32 = 10;
    pub const WITNESS: u32 = 11;
    pub const ROOT_OBJ: u32 = 12;
    pub const COUNT: u32 = 13;
}

macro_rules! words {
    ($(#[$m:meta])* $name:ident from $first:expr; $( $variant:ident = $text:literal, )*) => {
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($variant),* }

        impl $name {
            const ALL: &[(&str, Self)] = &[ $( ($text, Self::$variant) ),* ];
            const FIRST: usize = $first;

            /// The word that a name is.
            #[inline]
            pub fn of(s: Sym) -> Option<Self> {
                Self::ALL.get(s.index().wrapping_sub(Self::FIRST)).map(|&(_, w)| w)
            }
        }
    };
}

words! {
    /// A command.
    Keyword from word::COUNT as usize;
    Assert = "assert",
    AssertSoft = "assert-soft",
    CheckSat = "check-sat",
    CheckSatAssuming = "check-sat-assuming",
    CheckSatUsing = "check-sat-using",
    DeclareCodatatype = "declare-codatatype",
    DeclareCodatatypes = "declare-codatatypes",
    DeclareConst = "declare-const",
    DeclareDatatype = "declare-datatype",
    DeclareDatatypes = "declare-datatypes",
    DeclareFun = "declare-fun",
    DeclareSort = "declare-sort",
    DefineConst = "define-const",
    DefineFun = "define-fun",
    DefineFunRec = "define-fun-rec",
    DefineFunsRec = "define-funs-rec",
    DefineSort = "define-sort",
    Exit = "exit",
    GetValue = "get-value",
    Maximize = "maximize",
    Minimize = "minimize",
    Pop = "pop",
    Push = "push",
    Reset = "reset",
    ResetAssertions = "reset-assertions",
    SetInfo = "set-info",
    SetLogic = "set-logic",
    SetOption = "set-option",
}

words! {
    /// A built-in sort, or a function that makes one.
    SortWord from Keyword::FIRST + Keyword::ALL.len();
    Bool = "Bool",
    Int = "Int",
    Real = "Real",
    RoundingMode = "RoundingMode",
    String = "String",
    RegLan = "RegLan",
    RegEx = "RegEx",
    Float16 = "Float16",
    Float32 = "Float32",
    Float64 = "Float64",
    Float128 = "Float128",
    Array = "Array",
    Seq = "Seq",
    Set = "Set",
    Bag = "Bag",
    Nullable = "Nullable",
    UnitTuple = "UnitTuple",
    Tuple = "Tuple",
    Relation = "Relation",
    Table = "Table",
    Arrow = "->",
    // z3 has `=>` for `->` too.
    DoubleArrow = "=>",
    BitVec = "BitVec",
    FloatingPoint = "FloatingPoint",
    FiniteField = "FiniteField",
}

/// Whether the parser knows a command of this name. (It keeps others as text.)
pub fn is_command(name: &str) -> bool {
    Keyword::ALL.iter().any(|&(text, _)| text == name)
}

/// All fixed words, in the order of their numbers.
pub(crate) fn fixed_names() -> impl Iterator<Item = &'static str> {
    let commands = Keyword::ALL.iter().map(|&(text, _)| text);
    let sorts = SortWord::ALL.iter().map(|&(text, _)| text);
    RESERVED.into_iter().chain(commands).chain(sorts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;

    #[test]
    fn numbers_are_places() {
        let a = Arena::new();
        for (i, text) in fixed_names().enumerate() {
            assert_eq!(a.find_sym(text).map(Sym::index), Some(i), "{text}");
        }
        assert_eq!(a.find_sym("let").map(Sym::index), Some(word::LET as usize));
        assert!(a.find_sym("push").and_then(Keyword::of) == Some(Keyword::Push));
        assert!(a.find_sym("BitVec").and_then(SortWord::of) == Some(SortWord::BitVec));
        assert!(a.find_sym("let").and_then(Keyword::of).is_none());
        assert!(a.find_sym("and").and_then(SortWord::of).is_none());
    }
}
