//! Scripts on which a solver's word does not count: a meaning in them is not the standard's in this release.

use smelt_case::OpSet;
use smelt_smtlib::Op;
use smelt_smtlib::op::Theory;
use smelt_solver::probe::theory_named;
use smelt_solver::{Solver, profile};

use crate::content::Content;

/// A caveat of a solver's profile.
pub struct Caveat {
    /// Operators, those of whole theories included.
    pub ops: OpSet,
    /// Theories whose sorts are meant, too.
    theories: Vec<Theory>,
    /// String literals with a backslash.
    escapes: bool,
    /// Whether a crash by a fault counts all the same.
    pub crashes: bool,
    /// Whether it is about every script: the solver was given an option by which it is asked another question.
    pub always: bool,
    /// What is different, for people.
    pub text: String,
}

impl Caveat {
    /// The caveats of a solver's release, and of the options that it is given.
    pub fn all(solver: &Solver) -> Vec<Self> {
        let mut all: Vec<Self> =
            solver.profile().caveats_of(solver.version()).map(Self::new).collect();
        let changes = |o: &&String| solver.profile().changes_question(o);
        all.extend(solver.args().iter().find(changes).map(|o| Self::of_option(o)));
        all
    }

    /// The caveat of an option that makes another question of every script. It excuses no crash.
    fn of_option(option: &str) -> Self {
        let (ops, theories, escapes) = (OpSet::none(), Vec::new(), false);
        Self { ops, theories, escapes, crashes: true, always: true, text: asked_otherwise(option) }
    }

    fn new(c: &profile::Caveat) -> Self {
        let named = c.operators.iter().flat_map(|name| Op::by_name(name)).copied();
        let theories: Vec<Theory> = c.theories.iter().filter_map(|n| theory_named(n)).collect();
        let of_theories = Op::all().filter(|op| theories.contains(&op.info().theory));
        Self {
            ops: named.chain(of_theories).collect(),
            escapes: c.operators.iter().any(|name| name == profile::BACKSLASH),
            crashes: c.crashes,
            always: false,
            text: c.text.clone(),
            theories,
        }
    }

    /// Whether it is about a script with this content.
    pub fn concerns(&self, content: &Content) -> bool {
        self.always
            || self.ops.meets(&content.ops)
            || self.theories.iter().any(|t| content.theories.contains(t))
            || (self.escapes && content.escapes)
    }
}

/// Why there is no verdict on what a solver says with an option.
pub fn asked_otherwise(option: &str) -> String {
    format!("by {option} it is asked another question than the script's")
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_solver::Profiles;

    /// The caveats of the embedded profiles, and what they are about.
    #[test]
    fn what_caveats_are_about() {
        let profiles = Profiles::embedded();
        let check = |name: &str, body: &str, expect: bool| {
            let profile = profiles.get(name).unwrap();
            let text = format!("{body}(check-sat)");
            let content = Content::of(&smelt_smtlib::parse(text.as_bytes()).unwrap());
            let concerned = profile.caveats.iter().any(|c| Caveat::new(c).concerns(&content));
            assert_eq!(concerned, expect, "{name}: {body}");
        };
        let float = "(declare-const x Float32)(declare-const y Float32)";
        for body in [
            "(assert (fp.eq (fp.add RNE x y) x))",
            "(assert (= x y))",
            "(assert (= x ((_ to_fp 8 24) #x00000000)))",
            "(assert (= 0.0 (fp.to_real x)))",
            "",
        ] {
            check("cvc4", &format!("{float}{body}"), true);
        }
        check("cvc4", "(declare-const r RoundingMode)(assert (= r RNE))", true);
        check("cvc4", "(declare-const a (Array Int Float64))(assert (= a a))", true);
        check("cvc4", "(declare-const b (_ BitVec 8))(assert (= b (bvadd b b)))", false);
        check("cvc5", &format!("{float}(assert (fp.eq (fp.min x y) x))"), true);
        check("cvc5", &format!("{float}(assert (fp.eq (fp.add RNE x y) x))"), false);
        let string = "(declare-const s String)";
        check("z3", &format!("{string}(assert (= s (str.replace s \"a\" \"b\")))"), true);
        check("z3", &format!("{string}(assert (= s \"\\u{{0a}}\"))"), true);
        check("z3", &format!("{string}(assert (= s \"\\x\"))"), true);
        check("z3", &format!("{string}(assert (= s \"a\"))"), false);
        check("z3", "(set-info :source |\\|)(declare-const p Bool)(assert p)", false);
    }
}
