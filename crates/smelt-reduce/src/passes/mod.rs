//! The passes, one line each, grouped by what they look at: coarse and cheap ones first.

mod arguments;
mod binders;
mod commands;
mod constants;
mod datatypes;
mod enlarge;
mod functions;
mod hide;
mod names;
mod negations;
mod retype;
mod scopes;
mod small;
mod sorts;
mod storm;
mod terms;
mod variables;

use crate::search::{Pass, Way};
use crate::subject::Subject;

const fn pass(
    name: &'static str,
    way: Way,
    edits: fn(&mut Subject) -> Vec<crate::Edit>,
) -> Pass<Subject> {
    Pass { name, way, edits }
}

/// What leaves out whole assertions and conjuncts of them: cheap, enough to tell bugs apart, and a model stays one.
pub const COARSE: &[Pass<Subject>] = &[
    pass("drop-assertions", Way::Chunks, commands::assertions),
    pass("drop-conjuncts", Way::Chunks, arguments::asserted),
    pass("drop-remarks", Way::Chunks, commands::remarks),
    pass("drop-declarations", Way::Chunks, commands::declarations),
];

/// All passes that make a script smaller.
pub const PASSES: &[Pass<Subject>] = &[
    // ---- Commands
    pass("drop-options", Way::Chunks, commands::options),
    pass("drop-remarks", Way::Chunks, commands::remarks),
    pass("drop-end", Way::Each, scopes::end),
    pass("flatten", Way::Each, scopes::flatten),
    pass("drop-scopes", Way::Chunks, scopes::scopes),
    pass("drop-checks", Way::Chunks, scopes::checks),
    pass("open-scopes", Way::Chunks, scopes::open),
    pass("drop-assertions", Way::Chunks, commands::assertions),
    pass("drop-conjuncts", Way::Chunks, arguments::conjuncts),
    pass("drop-declarations", Way::Chunks, commands::declarations),
    pass("drop-annotations", Way::Chunks, commands::annotations),
    pass("drop-assumptions", Way::Each, scopes::assumptions),
    // ---- Terms of any theory
    pass("to-true", Way::Chunks, |s| terms::to_bool(s, true)),
    pass("to-false", Way::Chunks, |s| terms::to_bool(s, false)),
    pass("to-witness-value", Way::Chunks, terms::to_witness_value),
    pass("to-last-child", Way::Chunks, terms::to_last_child),
    pass("to-first-child", Way::Chunks, terms::to_first_child),
    pass("to-small-value", Way::Chunks, terms::to_small_value),
    pass("large-to-fresh-constant", Way::Chunks, |s| terms::to_fresh_constant(s, 15)),
    pass("drop-arguments", Way::Chunks, arguments::any),
    pass("push-negations", Way::Each, negations::push),
    pass("flat", Way::Chunks, arguments::flat),
    pass("to-child", Way::Each, terms::to_child),
    pass("to-part", Way::Each, terms::to_part),
    pass("to-variable", Way::Each, terms::to_variable),
    pass("to-other-small-value", Way::Each, terms::to_other_small_value),
    pass("simpler-operator", Way::Each, arguments::simpler),
    // ---- Quantifiers, functions, variables
    pass("drop-quantifiers", Way::Each, binders::drop),
    pass("instantiate", Way::Each, binders::instantiate),
    pass("drop-bound-variables", Way::Each, binders::variables),
    pass("inline-definitions", Way::Each, functions::inline),
    pass("drop-parameters", Way::Each, functions::parameters),
    pass("eliminate-variables", Way::Each, variables::eliminate),
    pass("by-equations", Way::Each, variables::by_equations),
    pass("merge-variables", Way::Each, variables::merge),
    // ---- Constants of the theories
    pass("shrink-numbers", Way::Each, constants::numbers),
    pass("shrink-bit-vectors", Way::Each, constants::bits),
    pass("shrink-strings", Way::Each, constants::strings),
    pass("shrink-indices", Way::Each, constants::indices),
    // ---- Sorts, everywhere at once
    pass("shrink-widths", Way::Each, sorts::widths),
    pass("shrink-formats", Way::Each, sorts::formats),
    pass("simpler-sorts", Way::Each, sorts::simpler),
    pass("drop-constructors", Way::Each, datatypes::constructors),
    pass("drop-fields", Way::Each, datatypes::fields),
    // ---- One place of a term that stands in several
    pass("at-one-place", Way::Each, terms::at_one_place),
    // ---- New constants, which must be declared
    pass("to-fresh-constant", Way::Chunks, |s| terms::to_fresh_constant(s, 3)),
    // ---- Names
    pass("short-names", Way::Each, names::short),
];

/// What makes a script larger, and sometimes lets the others make it smaller than it was.
pub const ENLARGING: &[Pass<Subject>] = &[
    pass("inline", Way::Each, enlarge::inline),
    pass("split-ite", Way::Each, enlarge::split_ite),
    pass("expand-chain", Way::Each, enlarge::expand_chain),
    pass("storm", Way::Each, storm::instances),
];

/// What takes words of the original out of a script: all of a kind together, then fewer.
pub const HIDING: &[Pass<Subject>] = &[
    pass("other-names", Way::Chunks, hide::names),
    pass("other-strings", Way::Chunks, hide::strings),
    pass("other-strings-of-a-kind", Way::Chunks, hide::strings_of_a_kind),
    pass("other-numbers", Way::Chunks, hide::numbers),
    pass("numbers-nearby", Way::Each, hide::nearby),
];
