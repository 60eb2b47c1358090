//! Rules as terms of a script's arena, at the sorts that the script has, by what their sides look like.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smelt_case::OpSet;
use smelt_smtlib::invert::field_sorts;
use smelt_smtlib::sort::SortDeclKind;
use smelt_smtlib::{
    Arena, Binder, Fun, FunKind, Head, Op, Script, Sort, SortKind, Term, Var, parse_terms,
    print_sort, write_symbol,
};

use super::claim::Claim;
use super::file::RuleFile;
use super::fusion::FusionRule;
use super::instances::{self, Coverage, Instance, label};
use super::record::Record;
use super::relation::Relation;
use super::sexpr::Sexpr;
use super::{Binding, ParameterKind, instantiate, match_sort};

/// Rules with what they claim.
pub struct Rules {
    /// The relations.
    pub relations: Vec<Relation>,
    /// The fusion functions.
    pub fusions: Vec<FusionRule>,
    /// What each relation says, and the digest of that.
    claims: Vec<(Claim, String)>,
}

impl From<RuleFile> for Rules {
    fn from(file: RuleFile) -> Self {
        let RuleFile { relations, fusions, .. } = file;
        let claim = |r: &Relation| {
            let c = r.claim();
            let hash = c.hash();
            (c, hash)
        };
        Self { claims: relations.iter().map(claim).collect(), relations, fusions }
    }
}

/// Rules with what is proved about them.
#[derive(Clone)]
pub struct RuleSet {
    /// The rules.
    pub rules: Arc<Rules>,
    /// Records of proofs.
    pub records: [Arc<Record>; 2],
}

impl RuleSet {
    fn permits(&self, claim: &Claim, hash: &str, label: &str) -> bool {
        self.records.iter().any(|r| r.permits(claim, hash, label))
    }

    /// Whether a record says that a rule is false somewhere: then it is used nowhere.
    fn refutes(&self, rule: usize) -> bool {
        let (claim, hash) = &self.rules.claims[rule];
        self.records.iter().any(|r| r.refutes(&claim.name, hash))
    }

    /// The instances at the sorts of a script that no record knows, each once. Those that one calls open are not
    /// among them: somebody has tried.
    pub fn unproved(&self, script: &mut Script, roots: &[Term]) -> Vec<Unproved> {
        let sorts = sorts(script, roots);
        let mut out: Vec<Unproved> = Vec::new();
        // A user's rules are the last, and the first to be asked for.
        for (r, (claim, hash)) in self.rules.relations.iter().zip(&self.rules.claims).rev() {
            let mut labels: Vec<String> = Vec::new();
            for binding in bindings(&mut script.arena, r, &sorts) {
                let label = label(&r.parameters, &binding);
                let known = self.records.iter().any(|k| k.knows(&r.name, hash, &label));
                if known || labels.contains(&label) {
                    continue;
                }
                labels.push(label.clone());
                let coverage = Coverage::of(&r.parameters, &binding);
                out.push(Unproved { claim: claim.clone(), hash: hash.clone(), label, coverage });
            }
        }
        out
    }
}

/// An instance of a rule that a script could use if it were proved.
#[derive(Clone, Debug)]
pub struct Unproved {
    /// What the rule says.
    pub claim: Claim,
    /// The digest of the claim, by which records know it.
    pub hash: String,
    /// Which instance.
    pub label: String,
    /// Where it is found.
    pub coverage: Coverage,
}

impl Unproved {
    /// The instances that have to be proved.
    pub fn instances(&self) -> Vec<Instance> {
        let mut all = instances::all(&self.claim, &self.coverage);
        all.retain(|i| i.label == self.label);
        all
    }
}

/// A variable of a compiled rule.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What stands for it in the pattern.
    pub var: Var,
    /// Its sort; of a function, the result's.
    pub sort: Sort,
    /// Whether only constants may stand for it.
    pub literal: bool,
    /// The sort of its hole, if it is a term with one.
    pub hole: Option<Sort>,
}

/// A rule at given sorts, as terms.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Which rule of the set.
    pub rule: usize,
    /// Variables.
    pub slots: Vec<Slot>,
    /// The strong and the weak side.
    pub sides: [Term; 2],
    /// Which slots each side uses.
    pub uses: [Vec<bool>; 2],
    /// The condition on literals.
    pub when: Option<Term>,
    /// Whether it holds both ways.
    pub equal: bool,
    /// Whether a side has a binder of its own.
    pub binds: [bool; 2],
    /// Whether each side may be brought in: its operators are allowed.
    pub allowed: [bool; 2],
    /// Whether the record permits it without a check by evaluation.
    pub permitted: bool,
}

/// What is at the top of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Top {
    Op(Op),
    Bind(Binder),
    Fun(Fun),
}

/// The rules of a script, by what they match.
pub struct Book {
    /// The rules.
    pub rules: Vec<Compiled>,
    by_top: FxHashMap<Top, Vec<(u32, bool)>>,
    wild: FxHashMap<Sort, Vec<(u32, bool)>>,
}

/// Bindings of one rule that are compiled.
const MAX_BINDINGS: usize = 40;

impl Book {
    /// Compiles the rules for the sorts of a script, without those that are refuted. `given` are the operators that may be
    /// brought in.
    pub fn new(script: &mut Script, roots: &[Term], set: &RuleSet, given: &OpSet) -> Self {
        let sorts = sorts(script, roots);
        let prefix = unused_prefix(&script.arena);
        let mut texts: Vec<(usize, Binding, String)> = Vec::new();
        for (i, r) in set.rules.relations.iter().enumerate() {
            if set.refutes(i) {
                continue;
            }
            for binding in bindings(&mut script.arena, r, &sorts) {
                let text = pattern(r, &binding, &prefix);
                texts.push((i, binding, text));
            }
        }
        let options = Default::default();
        let together: String = texts.iter().flat_map(|(_, _, t)| [t.as_str(), "\n"]).collect();
        let terms: Vec<Option<Term>> = match parse_terms(script, together.as_bytes(), &options) {
            Ok(all) => all.into_iter().map(Some).collect(),
            // One of them does not fit: one by one.
            Err(_) => texts
                .iter()
                .map(|(_, _, t)| parse_terms(script, t.as_bytes(), &options).ok()?.pop())
                .collect(),
        };
        let mut out =
            Self { rules: Vec::new(), by_top: FxHashMap::default(), wild: FxHashMap::default() };
        for ((i, binding, _), term) in texts.iter().zip(terms) {
            let relation = &set.rules.relations[*i];
            let Some(term) = term else { continue };
            if let Some(mut c) = compiled(&script.arena, relation, binding, term, given) {
                c.rule = *i;
                let (claim, hash) = &set.rules.claims[*i];
                let label = label(&relation.parameters, binding);
                c.permitted = set.permits(claim, hash, &label);
                out.add(&script.arena, c);
            }
        }
        out
    }

    fn add(&mut self, a: &Arena, c: Compiled) {
        let n = self.rules.len() as u32;
        for (side, backwards) in [(0, false), (1, true)] {
            if !c.allowed[1 - side] {
                continue;
            }
            let t = c.sides[side];
            match top(a, t) {
                Some(top) => self.by_top.entry(top).or_default().push((n, backwards)),
                None => self.wild.entry(a.sort(t)).or_default().push((n, backwards)),
            }
        }
        self.rules.push(c);
    }

    /// Rules whose matched side has the top of this term, and those that match any term of its sort. The flag says that
    /// the weak side is matched.
    pub fn candidates(&self, a: &Arena, t: Term) -> [&[(u32, bool)]; 2] {
        let own = top(a, t).and_then(|top| self.by_top.get(&top));
        let wild = self.wild.get(&a.sort(t));
        [own, wild].map(|l| l.map_or(&[][..], |l| l))
    }
}

fn top(a: &Arena, t: Term) -> Option<Top> {
    match a.head(t) {
        Head::Op(Op::Apply, _) => None,
        Head::Op(op, _) => Some(Top::Op(op)),
        Head::Bind(b, _) => Some(Top::Bind(b)),
        Head::Fun(f) => Some(Top::Fun(f)),
        _ => None,
    }
}

/// The sorts of a script's terms and symbols, with their texts.
fn sorts(script: &Script, roots: &[Term]) -> Vec<(Sort, Sexpr)> {
    let a = &script.arena;
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    let mut add = |s: Sort| {
        if !a.sort_has_params(s)
            && seen.insert(s)
            && let Ok(mut text) = Sexpr::read(&print_sort(a, s))
            && let Some(text) = text.pop()
        {
            out.push((s, text));
        }
    };
    add(Sort::BOOL);
    for t in a.dag(roots) {
        add(a.sort(t));
    }
    out.sort_by_key(|(s, _)| s.index());
    out
}

/// What no symbol of a script begins with.
fn unused_prefix(a: &Arena) -> String {
    let names: Vec<&str> =
        (0..).map_while(|i| a.fun_at(i)).map(|f| a.name(a.fun(f).name)).collect();
    let mut prefix = String::from("smelt!");
    while names.iter().any(|n| n.starts_with(&prefix)) {
        prefix.push('!');
    }
    prefix
}

/// A term that holds everything of a rule at given sorts. The names of its variables begin with what no symbol of the script
/// does: a constructor that the binding brings in may have the name of one.
fn pattern(r: &Relation, binding: &Binding, prefix: &str) -> String {
    use std::fmt::Write;
    let mut names: Vec<&str> = r.vars.iter().map(|v| &*v.name).collect();
    let when = r.when.clone().unwrap_or(Sexpr::Atom("true".into()));
    let parts = [&when, &r.strong, &r.weak];
    parts.iter().for_each(|e| bound_names(e, &mut names));
    let fresh = |name: &str| {
        let i = names.iter().position(|n| *n == name)?;
        Some(Sexpr::Atom(format!("{prefix}{i}").into()))
    };
    let mut text = String::from("(forall (");
    for (i, v) in r.vars.iter().enumerate() {
        let _ = write!(text, "({prefix}{i} {})", instantiate(&v.sort, binding));
    }
    let [when, strong, weak] = parts.map(|e| instantiate(&e.map(&fresh), binding));
    let _ = write!(text, ") (ite {when} (= {strong} {weak}) true))");
    text
}

/// What is followed by a list of variables.
const BINDERS: [&str; 7] =
    ["forall", "exists", "lambda", "let", "choice", "witness", "set.comprehension"];

/// The variables of the binders of a rule.
pub(super) fn bound_names<'r>(e: &'r Sexpr, out: &mut Vec<&'r str>) {
    let Sexpr::List(l) = e else { return };
    if let [Sexpr::Atom(binder), Sexpr::List(vars), ..] = &l[..]
        && BINDERS.contains(&&**binder)
    {
        for name in vars.iter().filter_map(|v| v.list()?.first()?.atom()) {
            if !out.contains(&name) {
                out.push(name);
            }
        }
    }
    l.iter().for_each(|x| bound_names(x, out));
}

/// Whether a binding brings in a symbol.
fn brings(binding: &Binding, name: &str) -> bool {
    fn has(e: &Sexpr, name: &str) -> bool {
        match e {
            Sexpr::Atom(a) => {
                a.strip_prefix('|').and_then(|a| a.strip_suffix('|')).unwrap_or(a) == name
            }
            Sexpr::List(l) => l.iter().any(|x| has(x, name)),
        }
    }
    binding.iter().any(|(_, e)| has(e, name))
}

fn compiled(
    a: &Arena,
    r: &Relation,
    binding: &Binding,
    t: Term,
    given: &OpSet,
) -> Option<Compiled> {
    let Head::Bind(Binder::Forall, vars) = a.head(t) else { return None };
    let body = a.args(t)[0];
    let [when, equation, _] = *a.args(body) else { return None };
    let [strong, weak] = *a.args(equation) else { return None };
    let slots: Vec<Slot> = a
        .vars(vars)
        .iter()
        .zip(&r.vars)
        .map(|(&var, v)| {
            let sort = a.var(var).sort;
            let (sort, hole) = match a.sort_kind(sort) {
                SortKind::Fun(args, ret) if args.len() == 1 => (*ret, Some(args[0])),
                _ => (sort, None),
            };
            Slot { var, sort, literal: v.literal, hole }
        })
        .collect();
    let sides = [strong, weak];
    let mut uses = [vec![false; slots.len()], vec![false; slots.len()]];
    let mut binds = [false; 2];
    let mut allowed = [true; 2];
    for (k, &side) in sides.iter().enumerate() {
        for t in a.dag(&[side]) {
            match a.head(t) {
                Head::Var(v) => {
                    if let Some(i) = slots.iter().position(|s| s.var == v) {
                        uses[k][i] = true;
                    }
                }
                Head::Bind(..) => binds[k] = true,
                Head::Op(Op::Apply, _) => {}
                Head::Op(op, _) => allowed[k] &= given.contains(op),
                // A symbol of the script that has the name of an operator, unless it is what the rule is about.
                Head::Fun(f) => match a.fun(f).kind {
                    FunKind::Constructor(..) | FunKind::Selector(..)
                        if brings(binding, a.name(a.fun(f).name)) => {}
                    _ => return None,
                },
                _ => {}
            }
        }
    }
    let when = (!matches!(a.head(when), Head::Op(Op::True, _))).then_some(when);
    let equal = r.equal;
    Some(Compiled { rule: 0, slots, sides, uses, when, equal, binds, allowed, permitted: false })
}

/// What the parameters of a rule may be in a script.
fn bindings(a: &mut Arena, r: &Relation, sorts: &[(Sort, Sexpr)]) -> Vec<Binding> {
    let mut all: Vec<Binding> = vec![Vec::new()];
    for (name, kind) in &r.parameters {
        let ParameterKind::Constructor { datatype, fields } = kind else { continue };
        let options = constructors(a, sorts, name, datatype, fields);
        all = product(&all, &options);
    }
    for (i, v) in r.vars.iter().enumerate() {
        let patterns: Vec<&Sexpr> = match v.function() {
            Some((args, ret)) => args.iter().chain([ret]).collect(),
            None => vec![&v.sort],
        };
        for pattern in patterns {
            let mut next: Vec<Binding> = Vec::new();
            for binding in &all {
                let fixed = instantiate(pattern, binding);
                if !mentions(&fixed, r) {
                    // Terms of other sorts than the first variable's can be made of constants.
                    if i > 0 || sorts.iter().any(|(_, s)| *s == fixed) {
                        next.push(binding.clone());
                    }
                    continue;
                }
                for (_, s) in sorts {
                    let mut more = binding.clone();
                    // Languages and functions are sorts of terms, but not ones that every binder and `ite` takes.
                    let plain = may_be(pattern, s);
                    if plain
                        && match_sort(pattern, s, &r.parameters, &mut more)
                        && !next.contains(&more)
                    {
                        next.push(more);
                    }
                }
                if next.len() > MAX_BINDINGS {
                    break;
                }
            }
            all = next;
        }
    }
    for (name, kind) in &r.parameters {
        if let ParameterKind::Numeral(low, high) = kind {
            let option = |n: u32| vec![(name.clone(), Sexpr::Atom(n.to_string().into()))];
            let options: Vec<Binding> = (*low..=*high).map(option).collect();
            all = product(&all, &options);
        }
    }
    all.truncate(MAX_BINDINGS);
    all
}

/// Whether a sort that a parameter is to be is one that may stand for any sort.
fn may_be(pattern: &Sexpr, sort: &Sexpr) -> bool {
    match (pattern, sort) {
        (Sexpr::Atom(_), Sexpr::Atom(a)) => &**a != "RegLan",
        (Sexpr::Atom(_), Sexpr::List(l)) => l.first().and_then(Sexpr::atom) != Some("->"),
        (Sexpr::List(a), Sexpr::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(p, s)| may_be(p, s))
        }
        _ => false,
    }
}

/// Whether a sort still has a parameter.
fn mentions(sort: &Sexpr, r: &Relation) -> bool {
    match sort {
        Sexpr::Atom(a) => r.parameters.iter().any(|(p, _)| p == a),
        Sexpr::List(l) => l.iter().any(|x| mentions(x, r)),
    }
}

fn product(all: &[Binding], options: &[Binding]) -> Vec<Binding> {
    let mut out = Vec::new();
    for binding in all {
        for more in options {
            let both = [&binding[..], &more[..]].concat();
            let clash = |(n, v): &(Box<str>, Sexpr)| both.iter().any(|(m, w)| m == n && w != v);
            if !both.iter().any(clash) {
                out.push(both);
            }
        }
    }
    out
}

/// Constructors of the script's datatypes that have as many fields as a rule says.
fn constructors(
    a: &mut Arena,
    sorts: &[(Sort, Sexpr)],
    name: &str,
    datatype: &str,
    fields: &[(Box<str>, Box<str>)],
) -> Vec<Binding> {
    let mut out = Vec::new();
    let symbol = |a: &Arena, f: Fun| {
        let mut text = String::new();
        write_symbol(a.name(a.fun(f).name), &mut text);
        Sexpr::Atom(text.into())
    };
    for (sort, text) in sorts {
        let SortKind::Named(d, args) = a.sort_kind(*sort) else { continue };
        // Constructors of parametric datatypes would need their sort said.
        if !args.is_empty() {
            continue;
        }
        let SortDeclKind::Datatype { constructors, co: false } = a.sort_decl(*d).kind.clone()
        else {
            continue;
        };
        for c in constructors {
            let Some(own) = field_sorts(a, c, *sort) else { continue };
            if own.len() != fields.len() {
                continue;
            }
            let mut binding: Binding =
                vec![(name.into(), symbol(a, c)), (datatype.into(), text.clone())];
            for (i, ((selector, sort), own)) in fields.iter().zip(own).enumerate() {
                // Selectors are declared right after their constructor, in order.
                let Some(s) = a.fun_at(c.index() + 1 + i) else { continue };
                if !matches!(a.fun(s).kind, FunKind::Selector(e, _) if e == c) {
                    continue;
                }
                let Some(own) = super::fusion::sort_sexpr(a, own) else { continue };
                binding.push((selector.clone(), symbol(a, s)));
                binding.push((sort.clone(), own));
            }
            if binding.len() == 2 + 2 * fields.len() {
                out.push(binding);
            }
        }
    }
    // Two fields of one sort parameter must have one sort.
    product(&[Vec::new()], &out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule binds in scripts what it binds where it is proved.
    #[test]
    fn variables_in_bars_are_bound() {
        let check = |strong: &str, uses: bool| {
            let rule = format!("(implies a :vars ((x Int)) :strong {strong} :weak false)");
            let rules = Arc::new(Rules::from(RuleFile::read(&rule).unwrap()));
            let set = RuleSet { rules, records: Default::default() };
            let text = "(declare-const a Int)(assert (> a 0))(check-sat)";
            let mut script = smelt_smtlib::parse(text.as_bytes()).unwrap();
            let roots = script.roots();
            let book = Book::new(&mut script, &roots, &set, &OpSet::all());
            assert_eq!(book.rules[0].uses[0], [uses], "{strong}");
        };
        check("(forall ((x Int)) (> x 0))", false);
        check("(forall ((|x| Int)) (> x 0))", false);
        check("(forall ((x Int)) (> |x| 0))", false);
        check("(forall ((y Int)) (> |x| y))", true);
    }
}
