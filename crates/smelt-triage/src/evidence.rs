//! What an accusation rests on.

use std::fmt;

/// How much an evidence is worth.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// A label or a lone disagreement: never reported.
    Weak,
    /// Two or more other solver families agree against the accused, or it contradicts itself, or lacks an answer that another has.
    Strong,
    /// Shown by smelt itself, without any solver.
    Proven,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Weak => "unproven",
            Self::Strong => "strong",
            Self::Proven => "proven",
        })
    }
}

/// What an accusation rests on, from the weakest to the strongest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The status that the script itself claims.
    Label,
    /// One other solver says the opposite.
    Disagreement(String),
    /// The solver's own checker complains about a model that rests on what the standard leaves open.
    OpenComplaint(String),
    /// Solvers of two or more other families (named with their versions) say the opposite.
    Agreement(Vec<String>),
    /// The solver's own checker, or its answer to a script that is related to this one by a rule, speaks against it: what that says.
    Contradiction(String),
    /// Solvers of two or more families (named with their versions) find no model with the values of its model.
    ValuesRefused(Vec<String>),
    /// The model behind its `sat` is refuted, solvers of other families (the first) say the opposite, and so do later releases of its own
    /// family (the second).
    Disowned(Vec<String>, Vec<String>),
    /// Solvers of other families (the first) say the opposite of an old release, and so do all later releases of its own family that
    /// decide (the second, the oldest first).
    Fixed(Vec<String>, Vec<String>),
    /// What another release or solver answers, where the accused does not.
    Claimed(String),
    /// The solver contradicts itself on a script whose answer follows from its own answer in every theory: what it says there.
    OwnWords(String),
    /// This evidence was found on another script, which is named here, and is as good for this one.
    On(&'static str, Box<Evidence>),
    /// The failure itself was seen: how the process ended.
    Observed(String),
    /// All values of a finite domain were tried, or all cases of a check.
    BruteForce,
    /// Values of a finite domain were tried until some satisfied the script.
    FoundModel,
    /// The solver's own model makes an assertion false: the number of the assertion, from 1.
    ModelRefuted(usize),
    /// The solver's core has a model that smelt's evaluator finds true: whose model it is.
    CoreRefuted(String),
    /// The solver's own checker complains about a model that smelt's evaluator finds true.
    GoodModel(String),
    /// smelt's evaluator finds a model true of a script that was called unsatisfiable: whose model it is.
    Witness(String),
}

impl Evidence {
    /// Its worth.
    pub fn grade(&self) -> Grade {
        match self {
            Self::Label | Self::Disagreement(_) | Self::OpenComplaint(_) => Grade::Weak,
            Self::Agreement(_)
            | Self::Contradiction(_)
            | Self::Claimed(_)
            | Self::ValuesRefused(_)
            | Self::Fixed(..)
            | Self::Disowned(..) => Grade::Strong,
            Self::On(_, evidence) => evidence.grade(),
            Self::OwnWords(_)
            | Self::Observed(_)
            | Self::BruteForce
            | Self::FoundModel
            | Self::ModelRefuted(_)
            | Self::CoreRefuted(_)
            | Self::GoodModel(_)
            | Self::Witness(_) => Grade::Proven,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label => f.write_str("the script's own :status says otherwise"),
            Self::Disagreement(who) => write!(f, "{who} says the opposite, and neither is proven"),
            Self::OpenComplaint(complaint) => write!(
                f,
                "its own checker says {complaint:?}, of a model that rests on what the standard leaves open"
            ),
            Self::Agreement(who) => write!(f, "{} say the opposite", who.join(" and ")),
            Self::Contradiction(what) | Self::Claimed(what) | Self::OwnWords(what) => {
                f.write_str(what)
            }
            Self::ValuesRefused(who) => {
                write!(f, "with the values of its model {} say unsat", who.join(" and "))
            }
            Self::Disowned(others, later) => write!(
                f,
                "its model is refuted, {} {} the opposite, and so does {}, a later release of its own family",
                others.join(" and "),
                if others.len() == 1 { "says" } else { "say" },
                later.join(" and ")
            ),
            Self::Fixed(others, later) => write!(
                f,
                "fixed since {}; two families agree: {} and {} say the opposite",
                later.first().map_or("a later release", String::as_str),
                others.join(" and "),
                later.join(" and ")
            ),
            Self::On(script, evidence) => write!(f, "{evidence}, on {script}"),
            Self::CoreRefuted(who) => {
                write!(f, "smelt's evaluator finds the model of {who} true of the core")
            }
            Self::GoodModel(complaint) => write!(
                f,
                "its own checker says {complaint:?}, but smelt's evaluator finds the model true"
            ),
            Self::Observed(what) => f.write_str(what),
            Self::BruteForce => {
                f.write_str("smelt tried every value, or every case, and finds no model")
            }
            Self::FoundModel => {
                f.write_str("smelt found a model of it by trying values of the finite domain")
            }
            Self::ModelRefuted(n) => write!(f, "its model makes assertion {n} false"),
            Self::Witness(who) => write!(f, "smelt's evaluator finds {who} true"),
        }
    }
}
