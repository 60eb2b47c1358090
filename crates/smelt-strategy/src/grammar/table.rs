//! Grammars made from the operator table: all operators of some theories on some sorts.

use smelt_case::OpSet;
use smelt_smtlib::op::{Assoc, P, Theory};
use smelt_smtlib::{Arena, Command, Op, Script, Sort, SortKind, Term, parse};

use crate::accepted;

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
    script: Script,
    /// Sorts with their texts, a term of each, and their alternatives.
    sorts: Vec<OfSort>,
    /// Numbers that indices may be.
    numbers: Vec<u32>,
    declared: Vec<String>,
}

struct OfSort {
    sort: Sort,
    text: String,
    rule: String,
    term: Term,
    alternatives: Vec<String>,
}

impl Made {
    fn new(recipe: &Recipe) -> Result<Self, String> {
        let mut texts: Vec<&str> = vec!["Bool"];
        texts.extend(recipe.sorts.iter().map(String::as_str).filter(|s| *s != "Bool"));
        let declare = |(i, sort): (usize, &&str)| format!("(declare-const sort{i} {sort})");
        let all: String = texts.iter().enumerate().map(declare).collect();
        let script = parse(all.as_bytes())
            .map_err(|e| format!("the sorts {}: {}", texts.join(", "), e.message))?;
        let mut sorts = Vec::new();
        let mut numbers = vec![0, 1, 2];
        let mut arena = script.arena;
        for (command, text) in script.commands.iter().zip(&texts) {
            let Command::DeclareFun(f) = command else { continue };
            let sort = arena.fun(*f).ret;
            match arena.sort_kind(sort) {
                SortKind::BitVec(n) => numbers.push(*n),
                SortKind::Float(e, s) => numbers.extend([*e, *s]),
                _ => {}
            }
            let rule = rule_name(text);
            let term = arena.mk_fun(*f);
            sorts.push(OfSort {
                sort,
                text: (*text).to_owned(),
                rule,
                term,
                alternatives: Vec::new(),
            });
        }
        numbers.sort_unstable();
        numbers.dedup();
        let script = Script { arena, commands: script.commands };
        let mut own = Self { script, sorts, numbers, declared: Vec::new() };
        own.variables(recipe.variables);
        Ok(own)
    }

    /// `a`, `b`, … in the order of the sorts.
    fn variables(&mut self, of_each: u32) {
        let alone = self.sorts.len() == 1;
        let mut names = ('a'..='z').map(String::from).chain((0..).map(|i| format!("v{i}")));
        for sort in &mut self.sorts {
            let is_plain = matches!(sort.text.as_str(), "RegLan" | "RoundingMode")
                || (sort.text == "Bool" && !alone);
            for name in names.by_ref().take(if is_plain { 0 } else { of_each as usize }) {
                self.declared.push(format!("(declare-const {name} {})", sort.text));
                sort.alternatives.push(literal(&name));
            }
        }
    }

    fn constants(&mut self, constants: &[String]) -> Result<(), String> {
        for text in constants {
            let options = smelt_smtlib::ParseOptions::default();
            let terms = smelt_smtlib::parse_terms(&mut self.script, text.as_bytes(), &options);
            let terms = terms.map_err(|e| format!("the constant {text}: {}", e.message))?;
            let [term] = terms[..] else {
                return Err(format!("the constant {text} is not one term"));
            };
            let sort = self.script.arena.sort(term);
            let Some(of) = self.sorts.iter_mut().find(|s| s.sort == sort) else {
                let shown = self.script.arena.show_sort(sort);
                return Err(format!(
                    "the constant {text} is of the sort {shown}, which is not among the sorts"
                ));
            };
            of.alternatives.push(literal(text));
        }
        Ok(())
    }

    /// An operator on all sorts that it takes.
    fn operator(&mut self, op: Op) {
        let info = op.info();
        let arity = match info.assoc {
            Assoc::Fixed | Assoc::Rest => info.args.len(),
            _ => info.args.len().max(2),
        };
        let indices = combinations(usize::from(info.indices.unwrap_or(0)), self.numbers.len());
        let arguments = combinations(arity, self.sorts.len());
        for index in &indices {
            let index: Vec<u32> = index.iter().map(|&i| self.numbers[i]).collect();
            for sorts in &arguments {
                let terms: Vec<Term> = sorts.iter().map(|&s| self.sorts[s].term).collect();
                if info.ret == P::Ascribed {
                    self.ascribed(op, sorts, &terms);
                } else if let Some(sort) = result(&mut self.script.arena, op, &index, &terms) {
                    let name = match index.is_empty() {
                        true => info.name.to_owned(),
                        false => {
                            let numbers: Vec<String> = index.iter().map(u32::to_string).collect();
                            format!("(_ {} {})", info.name, numbers.join(" "))
                        }
                    };
                    self.alternative(sort, &name, sorts);
                }
            }
        }
    }

    /// `(as f S)` for each sort.
    fn ascribed(&mut self, op: Op, sorts: &[usize], terms: &[Term]) {
        for i in 0..self.sorts.len() {
            let (sort, text) = (self.sorts[i].sort, self.sorts[i].text.clone());
            let made = self.script.arena.app_as(op, terms, sort);
            if made.is_ok_and(|t| self.script.arena.sort(t) == sort) {
                self.alternative(sort, &format!("(as {} {text})", op.info().name), sorts);
            }
        }
    }

    fn alternative(&mut self, sort: Sort, name: &str, arguments: &[usize]) {
        let rules: Vec<&str> = arguments.iter().map(|&s| self.sorts[s].rule.as_str()).collect();
        let text = match rules.is_empty() {
            true => literal(name),
            false => format!("{} {} ')'", literal(&format!("({name}")), rules.join(" ")),
        };
        // The reader has the last word: some indices are refused there.
        let terms: String = arguments.iter().map(|s| format!(" sort{s}")).collect();
        let shown = if terms.is_empty() { name.to_owned() } else { format!("({name}{terms})") };
        if smelt_smtlib::parse_terms(&mut self.script, shown.as_bytes(), &Default::default())
            .is_err()
        {
            return;
        }
        let Some(of) = self.sorts.iter_mut().find(|s| s.sort == sort) else { return };
        if !of.alternatives.contains(&text) {
            of.alternatives.push(text);
        }
    }

    fn text(self, recipe: &Recipe) -> String {
        let mut out = format!("grammar {};\n", rule_name(&recipe.name));
        for sort in self.sorts.iter().filter(|s| !s.alternatives.is_empty()) {
            let alternatives = sort.alternatives.join("\n    | ");
            out.push_str(&format!("\n{}\n    : {alternatives}\n    ;\n", sort.rule));
        }
        let declared: String = self.declared.iter().map(|d| format!("{} ", literal(d))).collect();
        out.push_str(&format!(
            "\nstart\n    : {declared}'(assert' {} ')' '(check-sat)'\n    ;\n",
            self.sorts[0].rule
        ));
        out
    }
}

/// The sort of an application, if it is well-sorted as it is: nothing is converted.
fn result(arena: &mut Arena, op: Op, indices: &[u32], arguments: &[Term]) -> Option<Sort> {
    let term = arena.app(op, indices, arguments).ok()?;
    (arena.args(term) == arguments).then(|| arena.sort(term))
}

/// All lists of so many numbers below `below`.
fn combinations(len: usize, below: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let longer = |list: &Vec<usize>| {
            let list = list.clone();
            (0..below).map(move |n| list.iter().copied().chain([n]).collect())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
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
