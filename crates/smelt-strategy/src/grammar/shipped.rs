//! The grammars that come with smelt, from `grammars/`.

/// A grammar inside the binary: the name of its file without the ending, and its text.
pub type Shipped = (&'static str, &'static str);

macro_rules! shipped {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../grammars/", $name, ".g")))
    };
}

/// All of them, by name.
pub const ALL: &[Shipped] = &[
    shipped!("arrays"),
    shipped!("bitvectors"),
    shipped!("bvfp"),
    shipped!("constarrays"),
    shipped!("core"),
    shipped!("datatypes"),
    shipped!("five-bitvectors"),
    shipped!("five-core"),
    shipped!("five-ints"),
    shipped!("five-reals"),
    shipped!("five-strings"),
    shipped!("fp"),
    shipped!("incremental"),
    shipped!("ints"),
    shipped!("mixed"),
    shipped!("quantifiers"),
    shipped!("realints"),
    shipped!("reals"),
    shipped!("sequences"),
    shipped!("sets"),
    shipped!("strings"),
    shipped!("transcendentals"),
    shipped!("twoasserts"),
    shipped!("uf"),
];

/// The eight theories of the thesis.
pub const THEORIES: &[&str] =
    &["core", "ints", "reals", "realints", "bitvectors", "arrays", "fp", "strings"];

/// The text of the grammar with this name.
pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}
