//! Parametric datatypes in models, where solvers leave out what the script makes clear.

use crate::model_text::{Cut, Item, token_text};
use rustc_hash::FxHashMap;
use smelt_smtlib::lexer::Tok;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Sort, SortKind, print_sort, write_symbol};

/// z3 leaves out the sorts of parametric constructors, or their parameters. Where the script has only one instance of
/// the datatype, there is only one way to read them.
pub(super) struct Instances {
    /// By constructor, and by the name of the datatype: the only instance.
    only: FxHashMap<String, String>,
}

impl Instances {
    pub(super) fn of(a: &Arena) -> Instances {
        let mut found: FxHashMap<smelt_smtlib::SortDecl, Vec<Sort>> = FxHashMap::default();
        for sort in (0..a.sort_count()).filter_map(|i| a.sort_at(i)) {
            if let SortKind::Named(d, args) = a.sort_kind(sort)
                && !args.is_empty()
                && !a.sort_has_params(sort)
            {
                found.entry(*d).or_default().push(sort);
            }
        }
        let mut only = FxHashMap::default();
        for (d, sorts) in found {
            let ([sort], SortDeclKind::Datatype { constructors, .. }) =
                (&sorts[..], &a.sort_decl(d).kind)
            else {
                continue;
            };
            let text = print_sort(a, *sort);
            only.insert(a.name(a.sort_decl(d).name).to_owned(), text.clone());
            for &c in constructors {
                only.insert(a.name(a.fun(c).name).to_owned(), text.clone());
            }
        }
        Instances { only }
    }

    /// What to write instead of a token.
    pub(super) fn instead(&self, cut: &Cut, item: &Item, i: usize) -> Option<String> {
        let t = &item.tokens[i];
        if !matches!(t.kind, Tok::Symbol | Tok::Quoted) || self.only.is_empty() {
            return None;
        }
        let word = |k: usize| item.tokens.get(k).map_or("", |t| token_text(&cut.source, t));
        let name = word(i);
        let sort = self.only.get(name)?;
        if i >= 2 && word(i - 2) == "as" && item.tokens[i + 1].kind == Tok::Close {
            return sort.starts_with(&format!("({name} ")).then(|| sort.clone());
        }
        let mut quoted = String::new();
        write_symbol(name, &mut quoted);
        // Not a sort that has its parameters, and not ascribed already; `(_ is nil)` needs no sort.
        let constructor = !sort.starts_with(&format!("({quoted} "));
        let inside = i > 0 && matches!(word(i - 1), "as" | "is");
        (constructor && !inside).then(|| format!("(as {quoted} {sort})"))
    }
}
