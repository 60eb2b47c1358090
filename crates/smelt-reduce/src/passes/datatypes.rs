//! Datatypes with fewer constructors and fields.

use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Command, Fun};

use super::retype::Retype;
use crate::edit::Edit;
use crate::subject::Subject;

fn all_constructors(s: &Subject) -> Vec<Fun> {
    let mut out = Vec::new();
    for c in &s.script.commands {
        let Command::DeclareDatatypes(ds) = c else { continue };
        for d in ds {
            if let SortDeclKind::Datatype { constructors, .. } = &s.script.arena.sort_decl(*d).kind
            {
                out.extend(constructors.iter().copied());
            }
        }
    }
    out
}

/// Each constructor that no term uses.
pub fn constructors(s: &mut Subject) -> Vec<Edit> {
    let without = |c: Fun| {
        let mut retype = Retype::of(s);
        retype.drop_constructor(c);
        retype.finish(s).map(Edit::whole)
    };
    all_constructors(s).into_iter().filter_map(without).collect()
}

/// Each field that no term selects.
pub fn fields(s: &mut Subject) -> Vec<Edit> {
    let mut out = Vec::new();
    for c in all_constructors(s) {
        for i in 0..s.script.arena.fun(c).args.len() {
            let mut retype = Retype::of(s);
            retype.drop_field(c, i);
            out.extend(retype.finish(s).map(Edit::whole));
        }
    }
    out
}
