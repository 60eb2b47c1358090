//! Short names.

use std::collections::HashSet;

use smelt_smtlib::{Binder, Command, Head, Op, Script, Term};

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
    if !may_be_renamed(s) {
        return Vec::new();
    }
    let all = symbols(&s.script);
    vec![in_order(&all)]
}

/// The short names in two other orders, where there are quantifiers: which instances a solver makes first may hang on names, and a fault that
/// needs them is then open to other steps.
pub fn in_other_orders(s: &mut Subject) -> Vec<Edit> {
    let a = &s.script.arena;
    let binds = |t: &Term| matches!(a.head(*t), Head::Bind(Binder::Forall | Binder::Exists, _));
    if !may_be_renamed(s) || !a.dag(&s.script.roots()).iter().any(binds) {
        return Vec::new();
    }
    let all = symbols(&s.script);
    let backwards: Vec<Symbol> = all.iter().rev().copied().collect();
    let mut turned = all.clone();
    turned.rotate_left(all.len() / 2);
    [backwards, turned].iter().filter(|order| **order != all).map(|order| in_order(order)).collect()
}

/// Names that stay must not be given to others.
fn may_be_renamed(s: &Subject) -> bool {
    !s.script.commands.iter().any(|c| matches!(c, Command::Other(_)))
}

/// The first symbol by the shortest name, and so on.
fn in_order(all: &[Symbol]) -> Edit {
    let (mut names, mut sorts) = (Fresh::nameless(), Fresh::nameless().map(|n| n.to_uppercase()));
    let renamed = all.iter().filter_map(|&symbol| {
        let name = match symbol {
            Symbol::Sort(_) => sorts.next(),
            Symbol::Fun(_) | Symbol::Var(_) => names.next(),
        };
        Some((symbol, name?))
    });
    Edit { rename: renamed.collect(), ..Edit::default() }
}
