//! What of a script tells where it is from: names, texts, numbers of more than one digit. A script that leaves the house must not have it.

use rustc_hash::FxHashSet;
use smelt_smtlib::arena::Attr;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{Command, Fun, FunKind, Head, Script, SortDecl, Var};

use crate::text::{Text, Word};

/// A symbol that a script gives a name to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A function, a constructor, a selector, a name of a formula.
    Fun(Fun),
    /// A bound variable.
    Var(Var),
    /// A sort.
    Sort(SortDecl),
}

/// The words of a script that tell where it is from.
#[derive(Debug, Default)]
pub struct Original {
    words: FxHashSet<String>,
}

impl Original {
    /// The words of a script, and of it as it is printed.
    pub fn of_script(script: &Script, text: &str) -> Self {
        let a = &script.arena;
        let name = |s: Symbol| match s {
            Symbol::Fun(f) => a.name(a.fun(f).name).to_owned(),
            Symbol::Var(v) => a.name(a.var(v).name).to_owned(),
            Symbol::Sort(d) => a.name(a.sort_decl(d).name).to_owned(),
        };
        let names = symbols(script).into_iter().map(name);
        let text = Text::read(text);
        Self { words: names.chain(telling(&text).map(bare)).collect() }
    }

    /// The words of a text that cannot be typed.
    pub fn of_text(text: &str) -> Self {
        let text = Text::read(text);
        let names = text.given_names().into_iter();
        Self { words: names.chain(telling(&text)).map(bare).collect() }
    }

    /// Whether a name, a number or a text in its quotes is one of its words; so is a part of a text, unless it is that short that it tells
    /// nothing.
    pub fn has(&self, word: &str) -> bool {
        self.words.contains(word) || self.has_part(word)
    }

    fn has_part(&self, word: &str) -> bool {
        let Some(part) = inner(word).filter(|part| part.chars().count() >= PART) else {
            return false;
        };
        self.words.iter().filter_map(|w| inner(w)).any(|text| text.contains(part))
    }

    /// Those of its words that a text has, each once.
    pub fn left_in(&self, text: &str) -> Vec<String> {
        let text = Text::read(text);
        let mut seen = FxHashSet::default();
        let words = text.words().into_iter().filter(|(_, place)| *place != Word::Index);
        let words = words.map(|(w, _)| bare(w));
        words.filter(|w| self.has(w) && seen.insert(w.clone())).collect()
    }
}

/// Characters of a part of a text that tells something.
const PART: usize = 3;

/// What a text says, without its quotes.
fn inner(word: &str) -> Option<&str> {
    word.strip_prefix('"')?.strip_suffix('"')
}

/// A symbol without its bars.
fn bare(word: &str) -> String {
    let inner = word.strip_prefix('|').and_then(|w| w.strip_suffix('|'));
    inner.unwrap_or(word).to_owned()
}

/// The literals and remarks of a text that tell something.
fn telling(text: &Text) -> impl Iterator<Item = &str> {
    let tells = |(word, place): &(&str, Word)| match place {
        Word::Index => false,
        Word::Remark => true,
        Word::Other => literal_tells(word),
    };
    text.words().into_iter().filter(tells).map(|(w, _)| w)
}

/// Whether a literal tells something: a text, a number of more than one digit, a bit-vector that is neither small nor all ones.
fn literal_tells(word: &str) -> bool {
    if let Some(inner) = word.strip_prefix('"') {
        return inner.len() > 1;
    }
    if let Some(digits) = word.strip_prefix("#b") {
        let digits = digits.trim_start_matches('0');
        return digits.len() > 4 && digits.contains('0');
    }
    if let Some(digits) = word.strip_prefix("#x") {
        let digits = digits.trim_start_matches('0').to_lowercase();
        return digits.len() > 1 && digits.contains(|c| c != 'f');
    }
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    let digits = word.strip_suffix(".0").unwrap_or(word).trim_start_matches(['0', '.']);
    is_number && digits.len() > 1
}

/// All symbols to which a script gives names, in the order of their declarations; bound variables come last.
pub(crate) fn symbols(script: &Script) -> Vec<Symbol> {
    let a = &script.arena;
    let mut out = Vec::new();
    let mut of_vars = Vec::new();
    for c in &script.commands {
        match c {
            Command::DeclareFun(f) | Command::DefineFun(f) => out.push(Symbol::Fun(*f)),
            Command::DefineFunsRec(fs) => out.extend(fs.iter().map(|&f| Symbol::Fun(f))),
            Command::DeclareSort(d) => out.push(Symbol::Sort(*d)),
            Command::DeclareDatatypes(ds) => {
                for &d in ds {
                    out.push(Symbol::Sort(d));
                    let SortDeclKind::Datatype { constructors, .. } = &a.sort_decl(d).kind else {
                        continue;
                    };
                    for &c in constructors {
                        out.push(Symbol::Fun(c));
                        out.extend(selectors(script, c).into_iter().map(Symbol::Fun));
                    }
                }
            }
            _ => {}
        }
    }
    for s in &out {
        if let Symbol::Fun(f) = s
            && let Some((params, _)) = a.fun(*f).def
        {
            of_vars.extend(a.vars(params).iter().copied());
        }
    }
    for t in a.dag(&script.roots()) {
        match a.head(t) {
            Head::Var(v) => of_vars.push(v),
            Head::Bind(_, vars) => of_vars.extend(a.vars(vars).iter().copied()),
            Head::Annot(attrs) => {
                let named = a.attr_list(attrs).iter();
                out.extend(named.filter_map(|x| match x {
                    Attr::Named(f) => Some(Symbol::Fun(*f)),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    out.extend(of_vars.into_iter().map(Symbol::Var));
    let mut seen = FxHashSet::default();
    out.retain(|s| seen.insert(*s));
    out
}

/// The selectors of a constructor.
pub(crate) fn selectors(script: &Script, constructor: Fun) -> Vec<Fun> {
    let a = &script.arena;
    let all = (0..a.fun_count()).filter_map(|i| a.fun_at(i));
    all.filter(|&f| matches!(a.fun(f).kind, FunKind::Selector(c, _) if c == constructor)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_smtlib::parse;

    #[test]
    fn what_tells() {
        let text = "(set-info :source |of a bank|)\n(declare-fun |my account| (Int) String)\n\
            (declare-datatype D ((nil) (cons (head Int))))\n\
            (assert (! (forall ((n Int)) (= (|my account| 7) \"IBAN\")) :named first))\n\
            (assert (= (_ bv12 32) ((_ extract 35 4) #x0123456789)))\n(assert (< 250 2.5 1.0))\n";
        let script = parse(text.as_bytes()).unwrap();
        let original = Original::of_script(&script, text);
        let mut words: Vec<&str> = original.words.iter().map(String::as_str).collect();
        words.sort_unstable();
        let expect = [
            "\"IBAN\"",
            "#x0123456789",
            "2.5",
            "250",
            "D",
            "cons",
            "first",
            "head",
            "my account",
            "n",
            "nil",
            "of a bank",
        ];
        assert_eq!(words, expect);
        assert_eq!(
            original.left_in("(assert (|my account| \"iban\" 250 7 (_ foo 250)))"),
            ["my account", "250"]
        );
        assert_eq!(original.left_in("(assert (= \"BAN\" \"IB\" \"BAT\"))"), ["\"BAN\""]);
        let untyped = Original::of_text("(declare-fun secret () (Frob 12))(frob secret \"x\" 9)");
        assert_eq!(untyped.left_in("(secret \"x\" 12 9)"), ["secret", "\"x\"", "12"]);
    }
}
