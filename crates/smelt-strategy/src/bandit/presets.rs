//! What instances are made of, theory by theory: the paper's two lists of operators, and all operators for the others.

use crate::grammar::Recipe;
use smelt_smtlib::op::Theory;

/// A theory by its word.
pub struct Preset {
    /// The word.
    pub name: &'static str,
    /// The sorts of its terms; none for those that grammars of the theory have.
    pub sorts: &'static [&'static str],
    /// Special constants; none for those that grammars of the theory have.
    pub constants: &'static [&'static str],
    /// Operators by their names; none for all of the theory.
    pub operators: &'static [&'static str],
    /// The theory by its word among grammars.
    pub theory: &'static str,
}

/// A theory with all of its operators.
const fn all(name: &'static str, theory: &'static str) -> Preset {
    Preset { name, sorts: &[], constants: &[], operators: &[], theory }
}

/// The theories that have a word. `fp` and `strings` are the paper's (section 2.2); the others have all operators of the table.
pub const PRESETS: &[Preset] = &[
    Preset {
        sorts: &["(_ FloatingPoint 11 53)", "RoundingMode"],
        constants: &[
            "(_ +zero 11 53)",
            "(_ -zero 11 53)",
            "(_ +oo 11 53)",
            "(_ -oo 11 53)",
            "(_ NaN 11 53)",
            "(fp #b0 #b00000000000 #x0000000000001)",
            "(fp #b0 #b00000000000 #xfffffffffffff)",
        ],
        operators: &[
            "fp.abs",
            "fp.neg",
            "fp.add",
            "fp.mul",
            "fp.sub",
            "fp.div",
            "fp.fma",
            "fp.rem",
            "fp.sqrt",
            "fp.roundToIntegral",
            "fp.eq",
            "fp.lt",
            "fp.gt",
            "fp.leq",
            "fp.geq",
            "fp.isNormal",
            "fp.isSubnormal",
            "fp.isZero",
            "fp.isInfinite",
            "fp.isNaN",
            "fp.isPositive",
            "fp.isNegative",
            "RNE",
            "RNA",
            "RTP",
            "RTN",
            "RTZ",
        ],
        ..all("fp", "float")
    },
    Preset {
        constants: &[
            "\"\"",
            "\"a\"",
            "\"ab\"",
            "\"0\"",
            "\"\\u{0}\"",
            "\"\\u{2ffff}\"",
            "0",
            "1",
            "(- 1)",
            "65536",
            "(str.to_re \"a\")",
            "(re.range \"a\" \"z\")",
        ],
        operators: &[
            "str.++",
            "str.contains",
            "str.at",
            "str.len",
            "str.indexof",
            "str.replace",
            "re.inter",
            "re.range",
            "re.+",
            "re.*",
            "re.++",
            "str.to_re",
            "str.prefixof",
            "str.suffixof",
            "str.in_re",
        ],
        ..all("strings", "strings")
    },
    Preset {
        constants: &[
            "\"\"",
            "\"a\"",
            "\"ab\"",
            "\"0\"",
            "\"\\u{0}\"",
            "\"\\u{2ffff}\"",
            "0",
            "1",
            "(- 1)",
            "65536",
        ],
        ..all("all-strings", "strings")
    },
    all("core", "core"),
    Preset { constants: &["0", "1", "(- 1)", "65536"], ..all("ints", "ints") },
    all("reals", "reals"),
    all("realints", "realints"),
    all("transcendentals", "transcendentals"),
    Preset {
        sorts: &["(_ BitVec 32)"],
        constants: &["#x00000000", "#x00000001", "#xffffffff", "#x80000000", "#x7fffffff"],
        ..all("bitvec", "bitvec")
    },
    Preset {
        sorts: &["(_ FloatingPoint 5 11)", "RoundingMode"],
        constants: &[
            "(_ +zero 5 11)",
            "(_ -zero 5 11)",
            "(_ +oo 5 11)",
            "(_ -oo 5 11)",
            "(_ NaN 5 11)",
            "(fp #b0 #b00000 #b0000000001)",
            "(fp #b0 #b00000 #b1111111111)",
        ],
        ..all("float", "float")
    },
    all("arrays", "arrays"),
    all("seq", "seq"),
    all("sets", "sets"),
    all("relations", "relations"),
    all("nullables", "nullables"),
    all("bags", "bags"),
    all("fields", "fields"),
];

/// Sorts, constants and theories of the table.
type Parts = (Vec<String>, Vec<String>, Vec<Theory>);

impl Preset {
    /// The theory with this word; an error names the words there are.
    pub fn named(word: &str) -> Result<&'static Self, String> {
        PRESETS.iter().find(|p| p.name == word).ok_or_else(|| {
            let words: Vec<&str> = PRESETS.iter().map(|p| p.name).collect();
            format!(
                "{word:?} is no theory that instances are made of; there are {}",
                words.join(", ")
            )
        })
    }

    /// The special constants of its terms.
    pub fn special(&self) -> Result<Vec<String>, String> {
        self.parts().map(|(_, constants, _)| constants)
    }

    /// Sorts, constants, and theories of the table whose operators are meant.
    pub(super) fn parts(&self) -> Result<Parts, String> {
        let recipe = Recipe::of_theory(self.theory)?;
        let own = |own: &[&str], general: Vec<String>| match own.is_empty() {
            true => general,
            false => own.iter().map(ToString::to_string).collect(),
        };
        let sorts = own(self.sorts, recipe.sorts);
        Ok((sorts, own(self.constants, recipe.constants), recipe.theories))
    }
}
