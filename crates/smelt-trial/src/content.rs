//! What is in a script, as far as it decides which solvers take it and whose word counts on it.

use smelt_case::OpSet;
use smelt_smtlib::lexer::{Lexer, Tok};
use smelt_smtlib::op::Theory;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Arena, Command, Fun, Head, Literal, Op, Script, Sort, SortKind, parse};

use crate::refusals::Use;

/// What decides whether a solver takes a script.
pub struct Content {
    /// Its operators.
    pub ops: OpSet,
    /// Its floating-point formats.
    pub floats: Vec<(u32, u32)>,
    /// Its operators with the sorts that they are used on.
    pub uses: Vec<Use>,
    /// The theories of its sorts.
    pub theories: Vec<Theory>,
    /// Whether a string literal of it is written with a backslash.
    pub escapes: bool,
}

impl Content {
    fn new() -> Self {
        let (floats, uses, theories) = (Vec::new(), Vec::new(), Vec::new());
        Self { ops: OpSet::none(), floats, uses, theories, escapes: false }
    }

    /// Looks at a script.
    pub fn of(script: &Script) -> Self {
        let a = &script.arena;
        let mut c = Self::new();
        let mut sorts: Vec<Sort> = Vec::new();
        for t in a.dag(&script.roots()) {
            match a.head(t) {
                Head::Op(op, _) => {
                    c.ops.insert(op);
                    c.uses.push(Use::of(a, op, t));
                }
                Head::Lit(l) => {
                    if let Literal::Str(chars) = a.lit(l) {
                        c.escapes |= chars.iter().any(|&c| is_escaped(c));
                    }
                }
                _ => {}
            }
            note(&mut sorts, a.sort(t));
        }
        for f in script.commands.iter().flat_map(|c| symbols(a, c)) {
            let d = a.fun(f);
            d.args.iter().for_each(|&s| note(&mut sorts, s));
            note(&mut sorts, d.ret);
        }
        c.look_at(a, sorts);
        c.uses.sort_unstable();
        c.uses.dedup();
        c
    }

    /// Looks at a text: at the script in it, or at its words where smelt cannot read it as one.
    pub fn of_text(text: &str) -> Self {
        parse(text.as_bytes()).map_or_else(|_| Self::of_words(text), |script| Self::of(&script))
    }

    /// Looks at the words of a text that smelt cannot read. Whatever a word can mean is taken for what it means.
    pub fn of_words(text: &str) -> Self {
        let mut c = Self { escapes: text.contains('\\'), ..Self::new() };
        let mut words = Lexer::new(text.as_bytes());
        while let Ok(word) = words.next_token()
            && word.kind != Tok::End
        {
            let name = if word.kind == Tok::Symbol { words.text(word) } else { continue };
            Op::by_name(name).iter().for_each(|&op| c.ops.insert(op));
            if name == "FloatingPoint" || name == "RoundingMode" || name.starts_with("Float") {
                c.theories.push(Theory::Float);
            }
        }
        c
    }

    /// Notes the theories of these sorts and of those inside them.
    fn look_at(&mut self, a: &Arena, mut sorts: Vec<Sort>) {
        let mut next = 0;
        while let Some(&sort) = sorts.get(next) {
            next += 1;
            let kind = a.sort_kind(sort);
            if let SortKind::Float(e, s) = kind
                && !self.floats.contains(&(*e, *s))
            {
                self.floats.push((*e, *s));
            }
            if let Some(theory) = theory(kind)
                && !self.theories.contains(&theory)
            {
                self.theories.push(theory);
            }
            parts(kind).into_iter().for_each(|s| note(&mut sorts, s));
        }
    }
}

fn note(sorts: &mut Vec<Sort>, sort: Sort) {
    if !sorts.contains(&sort) {
        sorts.push(sort);
    }
}

/// Whether a character of a string literal is printed as `\u{…}`.
fn is_escaped(c: u32) -> bool {
    !(0x20..0x7f).contains(&c) || c == u32::from(b'\\')
}

/// The functions that a command declares or defines, constructors included.
fn symbols(a: &Arena, c: &Command) -> Vec<Fun> {
    match c {
        Command::DeclareFun(f) | Command::DefineFun(f) => vec![*f],
        Command::DefineFunsRec(all) => all.to_vec(),
        Command::DeclareDatatypes(all) => {
            let constructors = |d| match &a.sort_decl(d).kind {
                SortDeclKind::Datatype { constructors, .. } => constructors.clone(),
                SortDeclKind::Free => Vec::new(),
            };
            all.iter().flat_map(|&d| constructors(d)).collect()
        }
        _ => Vec::new(),
    }
}

/// The theory that a sort belongs to.
fn theory(kind: &SortKind) -> Option<Theory> {
    Some(match kind {
        SortKind::Bool => Theory::Core,
        SortKind::Int => Theory::Ints,
        SortKind::Real => Theory::Reals,
        SortKind::RoundingMode | SortKind::Float(..) => Theory::Float,
        SortKind::String => Theory::Strings,
        SortKind::RegLan => Theory::Regex,
        SortKind::BitVec(_) => Theory::BitVec,
        SortKind::FiniteField(_) => Theory::Fields,
        SortKind::Array(..) => Theory::Arrays,
        SortKind::Seq(_) => Theory::Seq,
        SortKind::Set(_) => Theory::Sets,
        SortKind::Bag(_) => Theory::Bags,
        SortKind::Nullable(_) => Theory::Nullables,
        SortKind::Tuple(_) => Theory::Tuples,
        SortKind::Fun(..) => Theory::HigherOrder,
        _ => return None,
    })
}

/// The sorts that a sort is made of.
fn parts(kind: &SortKind) -> Vec<Sort> {
    match kind {
        SortKind::Array(i, e) => vec![*i, *e],
        SortKind::Seq(e) | SortKind::Set(e) | SortKind::Bag(e) | SortKind::Nullable(e) => vec![*e],
        SortKind::Tuple(all) | SortKind::Named(_, all) => all.to_vec(),
        SortKind::Fun(args, ret) => args.iter().copied().chain([*ret]).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts are seen wherever they stand; literals by how they are written.
    #[test]
    fn sorts_and_escapes() {
        let check = |text: &str, float: bool, escapes: bool| {
            let contents = [Content::of_text(text), Content::of_words(text)];
            for c in contents {
                let floats = c.theories.contains(&Theory::Float);
                assert_eq!((floats, c.escapes), (float, escapes), "{text}");
            }
        };
        check("(declare-const x Int)(assert (= x 1))(check-sat)", false, false);
        check("(declare-const x Float32)(check-sat)", true, false);
        check("(declare-fun f ((Array Int (_ FloatingPoint 3 5))) Int)(check-sat)", true, false);
        check("(declare-datatypes ((D 0)) (((c (s RoundingMode)))))(check-sat)", true, false);
        check("(declare-const s String)(assert (= s \"a\"\"b\"))(check-sat)", false, false);
        check("(declare-const s String)(assert (= s \"\\u{0a}\"))(check-sat)", false, true);
        // What smelt cannot read has its words.
        let strange = "(assert (unheard-of (fp.add RNE |str.replace| \"str.len\")))";
        let ops: Vec<&str> =
            Content::of_text(strange).ops.iter().map(|op| op.info().name).collect();
        assert_eq!(ops, ["RNE", "fp.add"]);
    }
}
