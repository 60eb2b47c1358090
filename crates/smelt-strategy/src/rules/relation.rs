//! Implications and equalities: what weakening, strengthening and approximation use.

use super::claim::{Claim, Variable};
use super::sexpr::Sexpr;
use super::{Parameters, parameters};

/// A rule `strong ⟹ weak`, or `left = right`.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its name.
    pub name: Box<str>,
    /// Parameters of its sorts.
    pub parameters: Parameters,
    /// What stands for terms. A `literal` one stands for constants only.
    pub vars: Vec<Variable>,
    /// When it holds, over literals only.
    pub when: Option<Sexpr>,
    /// The stronger (or left) side.
    pub strong: Sexpr,
    /// The weaker (or right) side.
    pub weak: Sexpr,
    /// Whether it holds both ways.
    pub equal: bool,
    /// The sort of both sides: Bool, or RegLan (then "implies" means inclusion); of an equality, any.
    pub sort: Sexpr,
    /// Why it holds, where no solver can prove it in one query.
    pub proof: Option<Box<str>>,
}

/// The text of a string literal.
pub(super) fn text_of(e: &Sexpr) -> Box<str> {
    let text = e.to_string();
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(&text);
    let words: Vec<&str> = inner.split_whitespace().collect();
    words.join(" ").into()
}

/// The fields of a rule, each once.
struct Fields<'a> {
    name: &'a str,
    list: Vec<(&'a str, &'a Sexpr)>,
}

impl<'a> Fields<'a> {
    fn read(name: &'a str, rest: &'a [Sexpr], known: &[&str]) -> Result<Self, String> {
        let mut list: Vec<(&str, &Sexpr)> = Vec::new();
        let fail = |what: String| Err(format!("the rule `{name}` {what}"));
        for pair in rest.chunks(2) {
            let [key, value] = pair else { return fail("has a keyword without a value".into()) };
            match key.atom().filter(|k| k.starts_with(':')) {
                Some(k) if known.contains(&k) => {
                    if list.iter().any(|(old, _)| *old == k) {
                        return fail(format!("has {k} twice"));
                    }
                    list.push((k, value));
                }
                Some(k) => return fail(format!("has the unknown field {k}")),
                None => return fail(format!("has `{key}` where a keyword is expected")),
            }
        }
        Ok(Self { name, list })
    }

    fn get(&self, key: &str) -> Option<&'a Sexpr> {
        self.list.iter().find(|(k, _)| *k == key).map(|(_, v)| *v)
    }

    fn need(&self, key: &str) -> Result<&'a Sexpr, String> {
        self.get(key).ok_or_else(|| format!("the rule `{}` lacks {key}", self.name))
    }

    fn list(&self, key: &str) -> Result<&'a [Sexpr], String> {
        match self.get(key) {
            None => Ok(&[]),
            Some(e) => {
                e.list().ok_or_else(|| format!("the rule `{}`: {key} is no list", self.name))
            }
        }
    }

    /// `:vars` and `:literals`.
    fn variables(&self) -> Result<Vec<Variable>, String> {
        let mut out: Vec<Variable> = Vec::new();
        for (key, literal) in [(":vars", false), (":literals", true)] {
            for v in self.list(key)? {
                let Some([name, sort]) = v.list() else {
                    return Err(format!("the rule `{}`: {v} is not (NAME SORT)", self.name));
                };
                let Some(name) = name.atom() else {
                    return Err(format!("the rule `{}`: {v} has no name", self.name));
                };
                if out.iter().any(|o| &*o.name == name) {
                    return Err(format!("the rule `{}` declares {name} twice", self.name));
                }
                out.push(Variable::new(name, sort.clone(), literal));
            }
        }
        if out.is_empty() {
            return Err(format!("the rule `{}` has no variables", self.name));
        }
        Ok(out)
    }

    fn common(&self) -> Result<Relation, String> {
        let bool_sort = Sexpr::Atom("Bool".into());
        let parameters = parameters(self.list(":for")?)
            .map_err(|e| format!("the rule `{}` is wrong: {e}", self.name))?;
        let vars = self.variables()?;
        if let Some(v) = vars.iter().find(|v| parameters.iter().any(|(p, _)| *p == v.name)) {
            let name = &v.name;
            return Err(format!("the rule `{}`: {name} is parameter and variable", self.name));
        }
        Ok(Relation {
            name: self.name.into(),
            parameters,
            vars,
            when: self.get(":when").cloned(),
            strong: bool_sort.clone(),
            weak: bool_sort.clone(),
            equal: false,
            sort: self.get(":sort").cloned().unwrap_or(bool_sort),
            proof: self.get(":proof").map(text_of),
        })
    }
}

/// Names are replaced by others where a rule is used, and must be seen as such.
fn clear_names(r: &Relation) -> Result<(), String> {
    let mut names: Vec<&str> = super::parameter_names(&r.parameters).collect();
    names.extend(r.vars.iter().map(|v| &*v.name));
    for e in [&r.strong, &r.weak].into_iter().chain(&r.when) {
        super::compile::bound_names(e, &mut names);
        if has(e, "match") {
            return Err(format!(
                "the rule `{}` has a `match`; selectors and testers say it too",
                r.name
            ));
        }
    }
    if let Some(n) = names.iter().find(|n| !n.starts_with('|') && *super::sexpr::symbol(n) != ***n)
    {
        return Err(format!("the rule `{}`: `{n}` is no name of a variable", r.name));
    }
    super::own_names(&r.name, names)
}

/// Whether a symbol stands anywhere.
fn has(e: &Sexpr, symbol: &str) -> bool {
    match e {
        Sexpr::Atom(a) => &**a == symbol,
        Sexpr::List(l) => l.iter().any(|x| has(x, symbol)),
    }
}

impl Relation {
    /// Reads `(implies NAME …)`, `(equal NAME …)` or `(approximate NAME …)`; the last may be several relations.
    pub(super) fn read(head: &str, name: &str, rest: &[Sexpr]) -> Result<Vec<Self>, String> {
        let all = Self::parts(head, name, rest)?;
        all.iter().try_for_each(clear_names)?;
        Ok(all)
    }

    fn parts(head: &str, name: &str, rest: &[Sexpr]) -> Result<Vec<Self>, String> {
        let common = [":for", ":vars", ":literals", ":when", ":sort", ":proof"];
        let with = |more: &[&'static str]| [&common[..], more].concat();
        match head {
            "implies" => {
                let f = Fields::read(name, rest, &with(&[":strong", ":weak"]))?;
                let (strong, weak) = (f.need(":strong")?.clone(), f.need(":weak")?.clone());
                Ok(vec![Self { strong, weak, ..f.common()? }])
            }
            "equal" => {
                let f = Fields::read(name, rest, &with(&[":left", ":right"]))?;
                let (strong, weak) = (f.need(":left")?.clone(), f.need(":right")?.clone());
                Ok(vec![Self { strong, weak, equal: true, ..f.common()? }])
            }
            _ => {
                let f = Fields::read(name, rest, &with(&[":atom", ":over", ":under"]))?;
                let (common, atom) = (f.common()?, f.need(":atom")?);
                let mut out = Vec::new();
                for (key, over) in [(":over", true), (":under", false)] {
                    for (i, other) in f.list(key)?.iter().enumerate() {
                        let name = format!("{name}{}{}", &key.replace(':', "/"), i + 1);
                        let (strong, weak) = if over { (atom, other) } else { (other, atom) };
                        let (strong, weak) = (strong.clone(), weak.clone());
                        out.push(Self { name: name.into(), strong, weak, ..common.clone() });
                    }
                }
                if out.is_empty() {
                    return Err(format!("the rule `{name}` has neither :over nor :under"));
                }
                Ok(out)
            }
        }
    }

    /// What the rule says.
    pub fn claim(&self) -> Claim {
        let atom = |a: &str| Sexpr::Atom(a.into());
        let mut vars = self.vars.clone();
        let (left, right) = if self.sort.atom() == Some("RegLan") {
            // Inclusion and equality of languages are about all strings.
            vars.push(Variable::new(MEMBER, atom("String"), false));
            let inside = |r: &Sexpr| Sexpr::List(vec![atom("str.in_re"), atom(MEMBER), r.clone()]);
            (inside(&self.strong), inside(&self.weak))
        } else {
            (self.strong.clone(), self.weak.clone())
        };
        let op = if self.equal { "=" } else { "=>" };
        Claim {
            name: self.name.clone(),
            parameters: self.parameters.clone(),
            vars,
            assume: self.when.iter().cloned().collect(),
            conclude: Sexpr::List(vec![atom(op), left, right]),
            proof: self.proof.clone(),
        }
    }
}

/// The string that is in the languages of a claim about languages.
const MEMBER: &str = "smelt-member";

#[cfg(test)]
mod tests {
    use super::super::file::RuleFile;

    fn check(text: &str, expect: Result<&str, &str>) {
        let found = RuleFile::read(text).map(|f| {
            let claims = f.relations.iter().map(|r| format!("{}: {}", r.name, r.claim().conclude));
            claims.collect::<Vec<_>>().join("; ")
        });
        assert_eq!(found.as_deref().map_err(|e| &**e), expect);
    }

    #[test]
    fn reading() {
        check(
            "(implies a :vars ((x Int) (y Int)) :strong (= x y) :weak (<= x y))",
            Ok("a: (=> (= x y) (<= x y))"),
        );
        check(
            "(approximate a :vars ((x Int) (y Int)) :atom (< x y) :over ((<= x y)) :under (false))",
            Ok("a/over1: (=> (< x y) (<= x y)); a/under1: (=> false (< x y))"),
        );
        check(
            "(equal a :vars ((r RegLan)) :sort RegLan :left r :right (re.++ r r))",
            Ok("a: (= (str.in_re smelt-member r) (str.in_re smelt-member (re.++ r r)))"),
        );
        check("(implies a :vars ((x Int)) :strong true)", Err("the rule `a` lacks :weak"));
        check("(implies a :strong p :weak p)", Err("the rule `a` has no variables"));
        check("(implies a :vars x :strong p :weak p)", Err("the rule `a`: :vars is no list"));
        check(
            "(implies a :vars ((x Int)) :when true :when true :strong p :weak p)",
            Err("the rule `a` has :when twice"),
        );
        check(
            "(implies a :for ((w Wide)) :vars ((x Int)) :strong p :weak p)",
            Err("the rule `a` is wrong: the parameter (w Wide) is not (NAME KIND)"),
        );
        let with = |parameters: &str, vars: &str, why: &str| {
            let text = format!("(implies a :for ({parameters}) :vars ({vars}) :strong p :weak p)");
            check(&text, Err(&format!("the rule `a`{why}")));
        };
        let x = "(x Int)";
        with("(w Width) (w Width)", x, " is wrong: two parameters have the name w");
        with("(w Width)", "(w Int)", ": w is parameter and variable");
        with("(n (Numeral 5 1))", x, " is wrong: there is no number between 5 and 1");
        with(
            "(n (Numeral 1 4000000000))",
            x,
            " is wrong: n stands for more than 64 numbers, from 1 to 4000000000",
        );
        with(
            "(u Width) (v Width) (w Width)",
            x,
            " is wrong: it has 19683 instances; no more than 4000 are proved",
        );
        // A name with bars is the same name.
        check(
            "(implies a :vars ((|x| Int)) :strong (> x 0) :weak (>= |x| 0))",
            Ok("a: (=> (> x 0) (>= x 0))"),
        );
        check(
            "(implies a :vars ((x Int) (|x| Int)) :strong p :weak p)",
            Err("the rule `a` declares x twice"),
        );
        check(
            "(implies a :vars ((-5 Int)) :strong p :weak p)",
            Err("the rule `a`: `-5` is no name of a variable"),
        );
        check(
            "(implies a :vars ((x Int)) :strong (exists ((1 Int)) true) :weak p)",
            Err("the rule `a`: `1` is no name of a variable"),
        );
        // What is replaced by name must not stand for anything else: a sort of a binder, or an operator.
        let taken = |n: &str| format!("the rule `a`: `{n}` is a word of SMT-LIB, and no name");
        for n in ["Bool", "Int", "and", "bvadd", "extract", "BitVec", "RNE", "str.len"] {
            for rule in [
                format!("(implies a :vars (({n} Bool)) :strong {n} :weak {n})"),
                format!(
                    "(implies a :vars ((x Int)) :strong (exists (({n} Int)) (= x {n})) :weak p)"
                ),
                format!(
                    "(implies a :for (({n} Width)) :vars ((x (_ BitVec {n}))) :strong p :weak p)"
                ),
                format!(
                    "(implies a :for ((c (Constructor {n}))) :vars ((x {n})) :strong p :weak p)"
                ),
                format!(
                    "(fusion a :vars ((x Int) (y Int) (z Int)) :constants (({n} Int)) :fuse x :invert-x x :invert-y x)"
                ),
            ] {
                check(&rule, Err(&taken(n)));
            }
        }
        let block = "#begin\n(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const abs Int)\n\
            (assert (= z (+ x y abs)))(assert (= x (- z y abs)))(assert (= y (- z x abs)))\n#end\n";
        let refused = RuleFile::read(block).unwrap().refused;
        assert!(refused[0].ends_with("`abs` is a word of SMT-LIB, and no name"), "{refused:?}");
        check(
            "(implies a :vars ((x L)) :strong (match x ((nil true) ((cons h t) false))) :weak p)",
            Err("the rule `a` has a `match`; selectors and testers say it too"),
        );
        for name in ["|a b|", "\"a\"", "a$b", "ä", ":a", "../a", "/a"] {
            check(
                &format!("(implies {name} :vars ((p Bool)) :strong p :weak p)"),
                Err(&format!(
                    "`{name}` is no name of a rule: letters, digits, `-`, `_`, `.` and `/` are, from a letter or digit on"
                )),
            );
        }
        check("(suggests a)", Err("not a rule: (suggests a)"));
        check(
            "(implies a :vars ((p Bool)) :strong p :weak p)\n(equal a :vars ((p Bool)) :left p :right p)",
            Err("two rules have the name `a`"),
        );
    }
}
