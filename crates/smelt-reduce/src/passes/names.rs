//! Short names.

use std::collections::HashSet;

use smelt_smtlib::{Command, Head, Op, Script};

use crate::edit::Edit;
use crate::original::{Symbol, symbols};
use crate::subject::Subject;

/// Names that a script does not use, the shortest first.
pub struct Fresh {
    taken: HashSet<String>,
    next: usize,
}

impl Fresh {
    /// Names that mean nothing in a script.
    pub fn of(script: &Script) -> Self {
        let a = &script.arena;
        let funs = (0..a.fun_count())
            .filter_map(|i| a.fun_at(i))
            .map(|f| a.name(a.fun(f).name).to_owned());
        let vars = a.dag(&script.roots()).into_iter().filter_map(|t| match a.head(t) {
            Head::Var(v) => Some(a.name(a.var(v).name).to_owned()),
            _ => None,
        });
        Self { taken: funs.chain(vars).collect(), next: 0 }
    }

    fn nameless() -> Self {
        Self { taken: HashSet::new(), next: 0 }
    }
}

impl Iterator for Fresh {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let (mut n, mut name) = (self.next, String::new());
            loop {
                name.insert(0, char::from(b'a' + (n % 26) as u8));
                n /= 26;
                if n == 0 {
                    break;
                }
                n -= 1;
            }
            self.next += 1;
            if !self.taken.contains(&name)
                && Op::by_name(&name).is_empty()
                && !smelt_smtlib::is_command(&name)
                && !RESERVED.contains(&name.as_str())
            {
                return Some(name);
            }
        }
    }
}

/// Words of the language, and those that a solver has for itself.
const RESERVED: [&str; 8] = ["as", "let", "par", "is", "if", "exists", "forall", "match"];

/// All symbols by short names, in the order of their declarations; all of them or none.
pub fn short(s: &mut Subject) -> Vec<Edit> {
    // Names that stay are not given to others.
    if s.script.commands.iter().any(|c| matches!(c, Command::Other(_))) {
        return Vec::new();
    }
    let (mut names, mut sorts) = (Fresh::nameless(), Fresh::nameless().map(|n| n.to_uppercase()));
    let renamed = symbols(&s.script).into_iter().filter_map(|symbol| {
        let name = match symbol {
            Symbol::Sort(_) => sorts.next(),
            Symbol::Fun(_) | Symbol::Var(_) => names.next(),
        };
        Some((symbol, name?))
    });
    vec![Edit { rename: renamed.collect(), ..Edit::default() }]
}
