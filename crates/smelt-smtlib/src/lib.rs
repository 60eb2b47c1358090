//! Reading, typing, rewriting and printing SMT-LIB scripts.
//!
//! ```
//! let script = smelt_smtlib::parse(b"(declare-const x Int)(assert (> x 1))(check-sat)").unwrap();
//! assert_eq!(smelt_smtlib::smallest_logic(&script), "QF_LIA");
//! let text = smelt_smtlib::print(&script, &Default::default());
//! assert!(text.contains("(assert (> x 1))"));
//! ```

mod alpha;
mod apart;
pub mod arena;
mod currying;
pub mod error;
mod flatten;
mod founded;
pub mod import;
mod index;
pub mod invert;
mod layered;
pub mod lexer;
pub mod literal;
mod logic;
mod names;
pub mod occurrence;
pub mod op;
pub mod optable;
mod parser;
pub mod partiality;
mod printer;
mod script;
pub mod sort;
mod special;
mod status;
pub mod subst;
mod termset;
pub mod totalise;
mod typing;
pub mod userops;

pub use alpha::{alpha_equal, alpha_equal_terms};
pub use arena::{Arena, Binder, Fun, FunKind, Head, Idx, Sym, Term, Var, VarList};
pub use error::{Error, Result};
pub use flatten::{flat_commands, flatten, is_incremental};
pub use literal::Literal;
pub use logic::{Fragment, is_decidable, smallest_logic};
pub use op::{Naming, Op};
pub use parser::{ParseOptions, is_command, parse, parse_in, parse_terms, parse_with};
pub use printer::{
    LogicChoice, PrintOptions, Reprinter, comment, print, print_sort, print_term, write_literal,
    write_symbol,
};
pub use script::{Command, Query, Script};
pub use sort::{Sort, SortDecl, SortKind};
pub use status::Status;
pub use totalise::{OpenFunction, Refusal, Totalised, totalise};
