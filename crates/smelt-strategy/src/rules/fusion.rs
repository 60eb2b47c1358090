//! Fusion functions, and how they are read.

use dashu_int::UBig;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::{
    Arena, Fun, Literal, Script, Sort, Term, parse_terms, print_sort, print_term, write_symbol,
};

use super::claim::{Claim, Variable};
use super::sexpr::Sexpr;
use super::{Binding, ParameterKind, Parameters, instantiate, match_sort};
use crate::constant::{Constants, is_zero};

/// The rules that smelt comes with.
pub const EMBEDDED: &str = include_str!("../../../../rules/fusion.rules");

/// What the names of functions in the published syntax begin with; the rest is a digest.
pub const IMPORTED: &str = "imported-";

/// A random constant of a rule.
#[derive(Clone, Debug)]
struct Constant {
    name: Box<str>,
    sort: Sexpr,
    nonzero: bool,
    odd: bool,
    inverse_of: Option<Box<str>>,
}

/// A fusion function with its inversions.
#[derive(Clone, Debug)]
pub struct FusionRule {
    /// Its name.
    pub name: Box<str>,
    parameters: Parameters,
    /// Sorts of x, y and z.
    sorts: [Sexpr; 3],
    constants: Vec<Constant>,
    /// f(x, y), rx(y, z), ry(x, z).
    terms: [Sexpr; 3],
    when: Option<Sexpr>,
    /// Why it holds, where no solver proves it.
    proof: Option<Box<str>>,
}

/// A rule for given symbols.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// f(x, y)
    pub fuse: Term,
    /// rx(y, z)
    pub invert_x: Term,
    /// ry(x, z)
    pub invert_y: Term,
    /// When the inversions hold.
    pub when: Option<Term>,
}

/// The fusion functions of a rule file, or of one in the published `#begin … #end` syntax. Blocks of the latter that are no
/// fusion functions are left out, and named in the second part of the result.
pub fn read(text: &str) -> Result<(Vec<FusionRule>, Vec<String>), String> {
    let file = super::file::RuleFile::read(text)?;
    Ok((file.fusions, file.refused))
}

/// Reads `(fusion NAME …)`.
pub(super) fn rule(e: &Sexpr) -> Result<FusionRule, String> {
    let list = e.list().unwrap_or(&[]);
    let [head, name, rest @ ..] = list else { return Err(format!("not a rule: {e}")) };
    let (Some("fusion"), Some(name)) = (head.atom(), name.atom()) else {
        return Err(format!("not a fusion rule: {e}"));
    };
    let fail = |what: &str| format!("the rule `{name}` {what}");
    let mut fields: Vec<(&str, &Sexpr)> = Vec::new();
    for pair in rest.chunks(2) {
        let [key, value] = pair else { return Err(fail("has a keyword without a value")) };
        let Some(key) = key.atom().filter(|k| k.starts_with(':')) else {
            return Err(fail(&format!("has `{key}` where a keyword is expected")));
        };
        let known =
            [":for", ":vars", ":constants", ":fuse", ":invert-x", ":invert-y", ":when", ":proof"];
        if !known.contains(&key) {
            return Err(fail(&format!("has the unknown field {key}")));
        }
        fields.push((key, value));
    }
    let field = |key: &str| fields.iter().find(|(k, _)| *k == key).map(|(_, v)| *v);
    let need = |key: &str| field(key).ok_or_else(|| fail(&format!("lacks {key}")));
    let parameters = super::parameters(field(":for").and_then(Sexpr::list).unwrap_or(&[]))
        .map_err(|e| fail(&format!("is wrong: {e}")))?;
    let mut sorts = Vec::new();
    for (wanted, v) in ["x", "y", "z"].iter().zip(need(":vars")?.list().unwrap_or(&[])) {
        match v.list() {
            Some([n, s]) if n.atom() == Some(wanted) => sorts.push(s.clone()),
            _ => return Err(fail("must declare x, y and z, in this order")),
        }
    }
    let sorts = sorts.try_into().map_err(|_| fail("must declare x, y and z, in this order"))?;
    let mut constants: Vec<Constant> = Vec::new();
    for c in field(":constants").and_then(Sexpr::list).unwrap_or(&[]) {
        let Some([n, sort, attributes @ ..]) = c.list() else {
            return Err(fail(&format!("has the constant {c}")));
        };
        let inverse_of = attributes.iter().find_map(|a| match a.list() {
            Some([k, d]) if k.atom() == Some(":inverse-of") => d.atom().map(Into::into),
            _ => None,
        });
        let has = |k: &str| attributes.iter().any(|a| a.atom() == Some(k));
        let name = n.atom().ok_or_else(|| fail("has a constant without a name"))?.into();
        constants.push(Constant {
            name,
            sort: sort.clone(),
            nonzero: has(":nonzero"),
            odd: has(":odd"),
            inverse_of,
        });
    }
    let terms = [need(":fuse")?.clone(), need(":invert-x")?.clone(), need(":invert-y")?.clone()];
    let when = field(":when").cloned();
    let proof = field(":proof").map(super::relation::text_of);
    let names = super::parameter_names(&parameters).chain(constants.iter().map(|c| &*c.name));
    super::own_names(name, names)?;
    Ok(FusionRule { name: name.into(), parameters, sorts, constants, terms, when, proof })
}

/// YinYang's file of functions: blocks with declarations of x, y, z and constants, and three equations.
pub(super) fn published(text: &str) -> Result<(Vec<FusionRule>, Vec<String>), String> {
    let mut rules: Vec<FusionRule> = Vec::new();
    let mut refused = Vec::new();
    let mut block: Option<String> = None;
    let mut number = 0;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("#begin") {
            number += 1;
            block = Some(String::new());
        } else if trimmed.starts_with("#end") {
            let Some(text) = block.take() else { return Err("`#end` without `#begin`".into()) };
            match block_rule(&text) {
                // Functions are named by what they say: of two equal ones, one is enough.
                Ok(r) if rules.iter().any(|o| o.name == r.name) => {}
                Ok(r) => rules.push(r),
                Err(why) => refused.push(format!("block {number}: {why}")),
            }
        } else if let Some(block) = &mut block {
            block.push_str(line);
            block.push('\n');
        }
    }
    match block {
        Some(_) => Err("`#begin` without `#end`".into()),
        None => Ok((rules, refused)),
    }
}

fn block_rule(text: &str) -> Result<FusionRule, String> {
    let mut declared: Vec<(&str, &Sexpr)> = Vec::new();
    let mut equations: Vec<(&str, &Sexpr)> = Vec::new();
    let all = Sexpr::read(text)?;
    for command in &all {
        match command.list() {
            Some([k, n, s]) if k.atom() == Some("declare-const") => {
                declared.push((n.atom().ok_or("a declaration without a name")?, s));
            }
            Some([k, n, Sexpr::List(args), s])
                if k.atom() == Some("declare-fun") && args.is_empty() =>
            {
                declared.push((n.atom().ok_or("a declaration without a name")?, s));
            }
            Some([k, e]) if k.atom() == Some("assert") => match e.list() {
                Some([op, left, right]) if op.atom() == Some("=") => {
                    equations.push((left.atom().ok_or("an equation without a variable")?, right));
                }
                _ => return Err(format!("not an equation of two sides: {e}")),
            },
            _ => return Err(format!("neither a declaration nor an equation: {command}")),
        }
    }
    let sort = |v: &str| {
        let found = declared.iter().find(|(n, _)| *n == v).map(|(_, s)| (*s).clone());
        found.ok_or_else(|| format!("{v} is not declared"))
    };
    let [("z", fuse), ("x", invert_x), ("y", invert_y)] = equations[..] else {
        return Err("the equations are not those of z, x and y, in this order".into());
    };
    let constants = declared
        .iter()
        .filter(|(n, _)| !["x", "y", "z"].contains(n))
        .map(|(n, s)| Constant {
            name: (*n).into(),
            sort: (*s).clone(),
            nonzero: false,
            odd: false,
            inverse_of: None,
        })
        .collect();
    if let Some((n, _)) =
        declared.iter().enumerate().find_map(|(i, d)| declared[..i].iter().find(|o| o.0 == d.0))
    {
        return Err(format!("{n} is declared twice"));
    }
    let mut rule = FusionRule {
        name: "".into(),
        parameters: Vec::new(),
        sorts: [sort("x")?, sort("y")?, sort("z")?],
        constants,
        terms: [fuse.clone(), invert_x.clone(), invert_y.clone()],
        when: None,
        proof: None,
    };
    // They have no names of their own, and a number would be that of others in another file.
    rule.name = format!("{IMPORTED}{}", &rule.claim().hash()[..8]).into();
    super::own_names(&rule.name, rule.constants.iter().map(|c| &*c.name))?;
    Ok(rule)
}

pub(super) fn sort_sexpr(a: &Arena, sort: Sort) -> Option<Sexpr> {
    Sexpr::read(&print_sort(a, sort)).ok()?.pop()
}

impl FusionRule {
    /// What the rule says: when ∧ z = f(x, y) ⟹ x = rx(y, z) ∧ y = ry(x, z).
    pub fn claim(&self) -> Claim {
        let atom = |a: &str| Sexpr::Atom(a.into());
        let list = |l: Vec<Sexpr>| Sexpr::List(l);
        let equal = |a: Sexpr, b: Sexpr| list(vec![atom("="), a, b]);
        let mut vars: Vec<Variable> = ["x", "y", "z"]
            .iter()
            .zip(&self.sorts)
            .map(|(&n, s)| Variable::new(n, s.clone(), false))
            .collect();
        let mut assume: Vec<Sexpr> = self.when.iter().cloned().collect();
        for c in &self.constants {
            vars.push(Variable::new(&c.name, c.sort.clone(), true));
            let name = atom(&c.name);
            let width = match c.sort.list() {
                Some([_, kind, w]) if kind.atom() == Some("BitVec") => Some(w.clone()),
                _ => None,
            };
            let number = |n: u32| match (&width, c.sort.atom()) {
                (Some(w), _) => list(vec![atom("_"), atom(&format!("bv{n}")), w.clone()]),
                (None, Some("Real")) => atom(&format!("{n}.0")),
                _ => atom(&n.to_string()),
            };
            if c.nonzero {
                assume.push(list(vec![atom("distinct"), name.clone(), number(0)]));
            }
            if c.odd {
                let lowest = list(vec![atom("_"), atom("extract"), atom("0"), atom("0")]);
                assume.push(equal(list(vec![lowest, name.clone()]), atom("#b1")));
            }
            if let Some(d) = &c.inverse_of {
                assume.push(equal(list(vec![atom("bvmul"), name, atom(d)]), number(1)));
            }
        }
        assume.push(equal(atom("z"), self.terms[0].clone()));
        let conclude = list(vec![
            atom("and"),
            equal(atom("x"), self.terms[1].clone()),
            equal(atom("y"), self.terms[2].clone()),
        ]);
        Claim {
            name: self.name.clone(),
            parameters: self.parameters.clone(),
            vars,
            assume,
            conclude,
            proof: self.proof.clone(),
        }
    }

    /// What the rule's parameters are if x and y have these sorts; `None` if they do not fit.
    pub fn matches(&self, a: &Arena, x: Sort, y: Sort) -> Option<Binding> {
        let mut binding = Binding::new();
        let (x, y) = (sort_sexpr(a, x)?, sort_sexpr(a, y)?);
        let fits = match_sort(&self.sorts[0], &x, &self.parameters, &mut binding)
            && match_sort(&self.sorts[1], &y, &self.parameters, &mut binding);
        fits.then_some(binding)
    }

    /// The text of z's sort.
    pub fn z_sort(&self, binding: &Binding) -> String {
        instantiate(&self.sorts[2], binding).to_string()
    }

    /// The rule for symbols of a script, with random constants. `z` must be declared among the script's commands.
    pub fn instance(
        &self,
        script: &mut Script,
        (x, y, z): (Fun, Fun, Fun),
        mut binding: Binding,
        constants: &mut Constants,
        random: &mut ChaCha8Rng,
    ) -> Option<Instance> {
        for (name, f) in [("x", x), ("y", y), ("z", z)] {
            let mut text = String::new();
            write_symbol(script.arena.name(script.arena.fun(f).name), &mut text);
            binding.push((name.into(), Sexpr::Atom(text.into())));
        }
        for (name, kind) in &self.parameters {
            if let ParameterKind::Numeral(low, high) = kind {
                let n = random.random_range(*low..=*high);
                binding.push((name.clone(), Sexpr::Atom(n.to_string().into())));
            }
        }
        let mut chosen: Vec<(&str, Term)> = Vec::new();
        for c in &self.constants {
            let sort = sort_of(script, &instantiate(&c.sort, &binding))?;
            let t = match &c.inverse_of {
                Some(d) => {
                    let of = chosen.iter().find(|(n, _)| *n == &**d)?.1;
                    inverse(&mut script.arena, of)?
                }
                None => constant(&mut script.arena, sort, c, constants, random)?,
            };
            chosen.push((&c.name, t));
            let text = Sexpr::read(&print_term(&script.arena, t)).ok()?.pop()?;
            binding.push((c.name.clone(), text));
        }
        let mut term = |e: &Sexpr| {
            let text = instantiate(e, &binding).to_string();
            parse_terms(script, text.as_bytes(), &Default::default()).ok()?.pop()
        };
        let [fuse, invert_x, invert_y] = [0, 1, 2].map(|i| term(&self.terms[i]));
        let when = match &self.when {
            None => None,
            Some(w) => Some(term(w)?),
        };
        let made = Instance { fuse: fuse?, invert_x: invert_x?, invert_y: invert_y?, when };
        // A rule of a user may be ill-sorted.
        let a = &script.arena;
        let sorts = [(made.fuse, z), (made.invert_x, x), (made.invert_y, y)];
        sorts.iter().all(|&(t, f)| a.sort(t) == a.fun(f).ret).then_some(made)
    }
}

/// A sort from its text.
pub(crate) fn sort_of(script: &mut Script, sort: &Sexpr) -> Option<Sort> {
    // A binder is the shortest term that mentions a sort.
    let text = format!("(exists ((s {sort})) true)");
    let t = parse_terms(script, text.as_bytes(), &Default::default()).ok()?.pop()?;
    let smelt_smtlib::Head::Bind(_, vars) = script.arena.head(t) else { return None };
    script.arena.vars(vars).first().map(|&v| script.arena.var(v).sort)
}

fn constant(
    a: &mut Arena,
    sort: Sort,
    c: &Constant,
    constants: &mut Constants,
    random: &mut ChaCha8Rng,
) -> Option<Term> {
    for _ in 0..20 {
        let t = constants.random(a, sort, random)?;
        if c.odd {
            return odd(a, t);
        }
        if !c.nonzero || !is_zero(a, t) {
            return Some(t);
        }
    }
    None
}

fn bits(a: &Arena, t: Term) -> Option<(u32, UBig)> {
    let smelt_smtlib::Head::Lit(l) = a.head(t) else { return None };
    match a.lit(l) {
        Literal::Bits { width, value } => Some((*width, value.clone())),
        _ => None,
    }
}

fn odd(a: &mut Arena, t: Term) -> Option<Term> {
    let (width, value) = bits(a, t)?;
    let value = value | UBig::ONE;
    Some(a.mk_literal(Literal::Bits { width, value }))
}

/// The inverse of an odd bit-vector, by Newton's iteration: each step doubles the number of right bits.
fn inverse(a: &mut Arena, t: Term) -> Option<Term> {
    let (width, value) = bits(a, t)?;
    let modulus = UBig::ONE << width as usize;
    let two = UBig::from(2u8);
    let mut x = value.clone();
    // An odd number is its own inverse modulo 8.
    let mut right = 3;
    while right < width {
        let product = (&value * &x) % &modulus;
        x = (&x * ((&modulus + &two - product) % &modulus)) % &modulus;
        right *= 2;
    }
    Some(a.mk_literal(Literal::Bits { width, value: x % &modulus }))
}

#[cfg(test)]
mod tests;
