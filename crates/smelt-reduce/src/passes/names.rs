//! Short names.

use std::collections::HashSet;

use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Command, Fun, Head, Op, Script};

use crate::edit::Edit;
use crate::subject::Subject;
use crate::witness::Witness;

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
    let mut script = s.script.clone();
    let model = match s.witness.clone().map(|w| w.model(&mut script, s.check.unwrap_or(0))) {
        None => None,
        Some(None) => return Vec::new(),
        Some(Some(model)) => Some(model),
    };
    let mut names = Fresh::nameless();
    let funs: Vec<Fun> = script.commands.iter().flat_map(|c| declared(&script, c)).collect();
    // Names that stay are not given to others.
    if script.commands.iter().any(|c| matches!(c, Command::Other(_))) {
        return Vec::new();
    }
    let vars: Vec<_> = script
        .arena
        .dag(&script.roots())
        .into_iter()
        .filter_map(|t| if let Head::Var(v) = script.arena.head(t) { Some(v) } else { None })
        .collect();
    let a = &mut script.arena;
    for f in funs {
        let name = a.sym(&names.next().unwrap_or_default());
        a.rename_fun(f, name);
    }
    for v in vars {
        let name = a.sym(&names.next().unwrap_or_default());
        a.rename_var(v, name);
    }
    let mut sorts = Fresh::nameless().map(|n| n.to_uppercase());
    for c in &script.commands {
        let decls: Vec<_> = match c {
            Command::DeclareSort(d) => vec![*d],
            Command::DeclareDatatypes(ds) => ds.to_vec(),
            _ => Vec::new(),
        };
        for d in decls {
            let name = a.sym(&sorts.next().unwrap_or_default());
            a.rename_sort(d, name);
        }
    }
    let witness = match model {
        None => None,
        Some(model) => match Witness::of(&script, &model) {
            None => return Vec::new(),
            some => some,
        },
    };
    vec![Edit::whole(Subject::made(script, s.check, witness, s.style.clone()))]
}

/// The function symbols that a command declares or defines; of datatypes, constructors and selectors.
fn declared(script: &Script, c: &Command) -> Vec<Fun> {
    let a = &script.arena;
    match c {
        Command::DeclareFun(f) | Command::DefineFun(f) => vec![*f],
        Command::DefineFunsRec(fs) => fs.to_vec(),
        Command::DeclareDatatypes(ds) => {
            let mut out = Vec::new();
            for d in ds {
                let SortDeclKind::Datatype { constructors, .. } = &a.sort_decl(*d).kind else {
                    continue;
                };
                for &c in constructors {
                    out.push(c);
                    out.extend(selectors(script, c));
                }
            }
            out
        }
        _ => Vec::new(),
    }
}

/// The selectors of a constructor.
pub fn selectors(script: &Script, constructor: Fun) -> Vec<Fun> {
    let a = &script.arena;
    let all = (0..a.fun_count()).filter_map(|i| a.fun_at(i));
    all.filter(
        |&f| matches!(a.fun(f).kind, smelt_smtlib::FunKind::Selector(c, _) if c == constructor),
    )
    .collect()
}
