//! Whole commands: options, remarks, assertions, declarations, annotations.

use smelt_smtlib::arena::Attr;
use smelt_smtlib::{Command, Head, Term};

use crate::edit::Edit;
use crate::subject::Subject;
use crate::used::Used;

fn each(s: &Subject, wanted: impl Fn(&Command) -> bool) -> Vec<Edit> {
    let all = s.script.commands.iter().enumerate().filter(|(_, c)| wanted(c));
    all.map(|(i, _)| Edit::drop([i])).collect()
}

/// Each option.
pub fn options(s: &mut Subject) -> Vec<Edit> {
    each(s, |c| matches!(c, Command::SetOption(..)))
}

/// Each command that asserts and declares nothing and is no check: remarks, questions, what only people need.
pub fn remarks(s: &mut Subject) -> Vec<Edit> {
    each(s, |c| {
        matches!(
            c,
            Command::SetInfo(..)
                | Command::GetValue(_)
                | Command::Other(_)
                | Command::Exit
                | Command::DefineSort(..)
        )
    })
}

/// Each assertion, the last first: it is where a search for the fault ended.
pub fn assertions(s: &mut Subject) -> Vec<Edit> {
    each(s, |c| {
        matches!(
            c,
            Command::Assert(_)
                | Command::AssertSoft(..)
                | Command::Minimize(..)
                | Command::Maximize(..)
        )
    })
}

/// Each declaration that nothing uses.
pub fn declarations(s: &mut Subject) -> Vec<Edit> {
    let used = Used::of(&s.script);
    each(s, |c| c.declares() && !used.needs(c))
}

/// Each annotation; where a name is used, what it names takes its place.
pub fn annotations(s: &mut Subject) -> Vec<Edit> {
    let a = &s.script.arena;
    let dag = a.dag(&s.script.roots());
    let mut out = Vec::new();
    for &t in &dag {
        let Head::Annot(attrs) = a.head(t) else { continue };
        let inner = a.args(t)[0];
        let names: Vec<_> = a
            .attr_list(attrs)
            .iter()
            .filter_map(|x| if let Attr::Named(f) = x { Some(*f) } else { None })
            .collect();
        let uses: Vec<Term> = dag
            .iter()
            .copied()
            .filter(|&u| matches!(a.head(u), Head::Fun(f) if names.contains(&f)))
            .collect();
        let mut edit = Edit::replace(t, inner);
        edit.replace.extend(uses.into_iter().map(|u| (u, inner)));
        out.push(edit);
    }
    out.reverse();
    out
}
