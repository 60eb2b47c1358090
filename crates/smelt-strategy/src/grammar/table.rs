//! Grammars made from the operator table: all operators of some theories on some sorts.

use smelt_case::OpSet;
use smelt_smtlib::Op;
use smelt_smtlib::op::Theory;

use crate::accepted;
use crate::forms::{OfSort, Sorts};

/// What a grammar is made of.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The grammar's name.
    pub name: String,
    /// Operators of these theories, and of Core.
    pub theories: Vec<Theory>,
    /// The sorts of its terms; Bool is among them in any case.
    pub sorts: Vec<String>,
    /// Variables of each sort but Bool (unless there is no other), RegLan and RoundingMode.
    pub variables: u32,
    /// Constants of any of the sorts.
    pub constants: Vec<String>,
}

/// A theory on the command line: its word, the theories of the table, sorts and constants for who names none.
type Preset = (&'static str, &'static [Theory], &'static [&'static str], &'static [&'static str]);

/// The theories that have a word.
const PRESETS: &[Preset] = &[
    ("core", &[], &["Bool"], &[]),
    ("ints", &[Theory::Ints], &["Int"], &["0", "1"]),
    ("reals", &[Theory::Reals, Theory::Ints], &["Real"], &["0.0", "1.0"]),
    (
        "realints",
        &[Theory::Reals, Theory::Ints, Theory::RealsInts],
        &["Int", "Real"],
        &["0", "1", "0.0", "1.0"],
    ),
    ("transcendentals", &[Theory::Transcendentals, Theory::Reals], &["Real"], &["0.0", "1.0"]),
    ("bitvec", &[Theory::BitVec], &["(_ BitVec 4)"], &["#b0000", "#b1111"]),
    (
        "float",
        &[Theory::Float],
        &["(_ FloatingPoint 3 4)", "RoundingMode"],
        &["(fp #b0 #b000 #b000)", "(fp #b0 #b011 #b000)"],
    ),
    (
        "strings",
        &[Theory::Strings, Theory::Regex],
        &["String", "Int", "RegLan"],
        &["\"\"", "\"a\"", "0", "1"],
    ),
    ("arrays", &[Theory::Arrays], &["(Array Int Int)", "Int"], &["0", "1"]),
    ("seq", &[Theory::Seq], &["(Seq Int)", "Int"], &["0", "1"]),
    ("sets", &[Theory::Sets], &["(Set Int)", "Int"], &["0", "1"]),
    (
        "relations",
        &[Theory::Relations, Theory::Sets, Theory::Tuples],
        &["(Set (Tuple Int Int))", "(Tuple Int Int)", "Int"],
        &["0", "1"],
    ),
    ("nullables", &[Theory::Nullables], &["(Nullable Int)", "Int"], &["0", "1"]),
    ("bags", &[Theory::Bags], &["(Bag Int)", "Int"], &["0", "1"]),
    (
        "fields",
        &[Theory::Fields],
        &["(_ FiniteField 3)"],
        &["(as ff0 (_ FiniteField 3))", "(as ff1 (_ FiniteField 3))"],
    ),
];

impl Recipe {
    /// Two variables of each sort, and the sorts and constants that suit a theory, by its word; an error names the words there are.
    pub fn of_theory(word: &str) -> Result<Self, String> {
        let Some((word, theories, sorts, constants)) = PRESETS.iter().find(|p| p.0 == word) else {
            let words: Vec<&str> = PRESETS.iter().map(|p| p.0).collect();
            return Err(format!(
                "{word:?} is no theory of smelt's table; there are {}",
                words.join(", ")
            ));
        };
        Ok(Self {
            name: (*word).to_owned(),
            theories: theories.to_vec(),
            sorts: sorts.iter().map(ToString::to_string).collect(),
            variables: 2,
            constants: constants.iter().map(ToString::to_string).collect(),
        })
    }
}

impl Recipe {
    /// Theories, sorts and constants of both.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.name = format!("{}_{}", self.name, other.name);
        self.theories.extend(other.theories);
        for (own, more) in [(&mut self.sorts, other.sorts), (&mut self.constants, other.constants)]
        {
            for text in more {
                if !own.contains(&text) {
                    own.push(text);
                }
            }
        }
        self
    }
}

/// The text of a grammar with all of these operators that are of its theories, on its sorts, as far as their results are of its sorts, too.
pub fn from_table(recipe: &Recipe, ops: &OpSet) -> Result<String, String> {
    let mut made = Made::new(recipe)?;
    made.constants(&recipe.constants)?;
    for op in ops.iter().filter(|&op| accepted::introduced(op)) {
        let theory = op.info().theory;
        if theory == Theory::Core || recipe.theories.contains(&theory) {
            made.operator(op);
        }
    }
    Ok(made.text(recipe))
}

/// A grammar in the making.
struct Made {
    sorts: Sorts,
    /// For each sort, the rule of its terms.
    rules: Vec<Rule>,
    declared: Vec<String>,
}

struct Rule {
    name: String,
    alternatives: Vec<String>,
}

impl Made {
    fn new(recipe: &Recipe) -> Result<Self, String> {
        let sorts = Sorts::new(&recipe.sorts)?;
        let rule = |s: &OfSort| Rule { name: rule_name(&s.text), alternatives: Vec::new() };
        let rules = sorts.all.iter().map(rule).collect();
        let mut own = Self { sorts, rules, declared: Vec::new() };
        own.variables(recipe.variables);
        Ok(own)
    }

    /// `a`, `b`, … in the order of the sorts.
    fn variables(&mut self, of_each: u32) {
        let alone = self.rules.len() == 1;
        let mut names = ('a'..='z').map(String::from).chain((0..).map(|i| format!("v{i}")));
        for (sort, rule) in self.sorts.all.iter().zip(&mut self.rules) {
            let is_plain = matches!(sort.text.as_str(), "RegLan" | "RoundingMode")
                || (sort.text == "Bool" && !alone);
            for name in names.by_ref().take(if is_plain { 0 } else { of_each as usize }) {
                self.declared.push(format!("(declare-const {name} {})", sort.text));
                rule.alternatives.push(literal(&name));
            }
        }
    }

    fn constants(&mut self, constants: &[String]) -> Result<(), String> {
        for text in constants {
            let (_, of) = self.sorts.constant(text)?;
            self.rules[of].alternatives.push(literal(text));
        }
        Ok(())
    }

    /// An operator on all sorts that it takes.
    fn operator(&mut self, op: Op) {
        for form in self.sorts.forms(op) {
            let rules: Vec<&str> =
                form.arguments.iter().map(|&s| self.rules[s].name.as_str()).collect();
            let text = match rules.is_empty() {
                true => literal(&form.name),
                false => {
                    format!("{} {} ')'", literal(&format!("({}", form.name)), rules.join(" "))
                }
            };
            let of = &mut self.rules[form.result].alternatives;
            if !of.contains(&text) {
                of.push(text);
            }
        }
    }

    fn text(self, recipe: &Recipe) -> String {
        let mut out = format!("grammar {};\n", rule_name(&recipe.name));
        for rule in self.rules.iter().filter(|r| !r.alternatives.is_empty()) {
            let alternatives = rule.alternatives.join("\n    | ");
            out.push_str(&format!("\n{}\n    : {alternatives}\n    ;\n", rule.name));
        }
        let declared: String = self.declared.iter().map(|d| format!("{} ", literal(d))).collect();
        out.push_str(&format!(
            "\nstart\n    : {declared}'(assert' {} ')' '(check-sat)'\n    ;\n",
            self.rules[0].name
        ));
        out
    }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// `(_ BitVec 4)` as `bitvec_4`.
fn rule_name(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    let name = words.collect::<Vec<_>>().join("_").to_lowercase();
    if name == "start" { "sort_start".to_owned() } else { name }
}
