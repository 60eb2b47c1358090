//! Why a script cannot be totalised.

/// Why a script cannot be totalised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A partial operator or selector of this name is not applied but used as a value: there is no place for a guard.
    Value(String),
    /// A recursive definition of this name needs guards.
    Recursive(String),
    /// `choice` has an open value, and is no operator.
    Choice,
    /// The open value is a function: a symbol cannot be declared for it in all dialects.
    FunctionSort(String),
    /// A command that is kept as text has the name of a partial operator or selector in it.
    Text(String),
    /// A function is needed before and after `reset-assertions`, of which solvers do not agree whether it takes
    /// declarations away.
    ResetAssertions,
    /// A guard is not well-sorted.
    Sorts(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(name) => write!(f, "`{name}` is partial and is used as a value"),
            Self::Recursive(name) => {
                write!(f, "the recursive definition of `{name}` uses a partial operator")
            }
            Self::Choice => f.write_str("`choice` leaves its value open"),
            Self::FunctionSort(name) => write!(f, "open values of `{name}` are functions"),
            Self::Text(command) => write!(f, "a partial operator stands in a command that smelt does not read: {command}"),
            Self::ResetAssertions => f.write_str(
                "a partial operator is used before and behind `reset-assertions`, which may take declarations away",
            ),
            Self::Sorts(message) => write!(f, "a guard is not well-sorted: {message}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Sorts(message)
    }
}
