//! The forms of an operator on some sorts: which arguments it takes there, and of which sort the result is.

use smelt_smtlib::op::{Assoc, P};
use smelt_smtlib::{
    Command, Head, Op, ParseOptions, Script, Sort, SortKind, Term, parse, parse_terms,
};

/// A sort with a term of it.
pub(crate) struct OfSort {
    pub sort: Sort,
    /// How it is written.
    pub text: String,
    pub term: Term,
}

/// Some sorts, in a script that has a term of each.
pub(crate) struct Sorts {
    pub script: Script,
    /// Bool is the first.
    pub all: Vec<OfSort>,
    /// Numbers that indices may be.
    pub numbers: Vec<u32>,
}

/// An operator with its indices on arguments of these sorts, by their places.
pub(crate) struct Form {
    /// `bvadd`, `(_ zero_extend 2)`, `(as set.empty (Set Int))`
    pub name: String,
    pub op: Op,
    pub indices: Vec<u32>,
    pub arguments: Vec<usize>,
    /// The place of the sort of the result.
    pub result: usize,
}

impl Sorts {
    /// Bool and the sorts of these texts.
    pub fn new(texts: &[String]) -> Result<Self, String> {
        let mut all: Vec<&str> = vec!["Bool"];
        all.extend(texts.iter().map(String::as_str).filter(|s| *s != "Bool"));
        let declare = |(i, sort): (usize, &&str)| format!("(declare-const sort{i} {sort})");
        let declared: String = all.iter().enumerate().map(declare).collect();
        let script = parse(declared.as_bytes())
            .map_err(|e| format!("the sorts {}: {}", all.join(", "), e.message))?;
        let mut sorts = Vec::new();
        let mut numbers = vec![0, 1, 2];
        let mut arena = script.arena;
        for (command, text) in script.commands.iter().zip(&all) {
            let Command::DeclareFun(f) = command else { continue };
            let sort = arena.fun(*f).ret;
            match arena.sort_kind(sort) {
                SortKind::BitVec(n) => numbers.push(*n),
                SortKind::Float(e, s) => numbers.extend([*e, *s]),
                _ => {}
            }
            sorts.push(OfSort { sort, text: (*text).to_owned(), term: arena.mk_fun(*f) });
        }
        numbers.sort_unstable();
        numbers.dedup();
        let script = Script { arena, commands: script.commands };
        Ok(Self { script, all: sorts, numbers })
    }

    /// The place of a sort.
    pub fn place(&self, sort: Sort) -> Option<usize> {
        self.all.iter().position(|s| s.sort == sort)
    }

    /// A constant of one of the sorts, and the place of its sort.
    pub fn constant(&mut self, text: &str) -> Result<(Term, usize), String> {
        let terms = parse_terms(&mut self.script, text.as_bytes(), &ParseOptions::default());
        let terms = terms.map_err(|e| format!("the constant {text}: {}", e.message))?;
        let [term] = terms[..] else { return Err(format!("the constant {text} is not one term")) };
        let sort = self.script.arena.sort(term);
        self.place(sort).map(|place| (term, place)).ok_or_else(|| {
            let shown = self.script.arena.show_sort(sort);
            format!("the constant {text} is of the sort {shown}, which is not among the sorts")
        })
    }

    /// All forms of an operator on these sorts whose results are of these sorts, too. Nothing is converted.
    pub fn forms(&mut self, op: Op) -> Vec<Form> {
        let info = op.info();
        let arity = match info.assoc {
            Assoc::Fixed | Assoc::Rest => info.args.len(),
            _ => info.args.len().max(2),
        };
        let indices = combinations(usize::from(info.indices.unwrap_or(0)), self.numbers.len());
        let arguments = combinations(arity, self.all.len());
        let mut found = Vec::new();
        for index in &indices {
            let index: Vec<u32> = index.iter().map(|&i| self.numbers[i]).collect();
            for sorts in &arguments {
                if info.ret == P::Ascribed {
                    self.ascribed(op, sorts, &mut found);
                } else if let Some(result) = self.result(op, &index, sorts) {
                    let name = match index.is_empty() {
                        true => info.name.to_owned(),
                        false => {
                            let numbers: Vec<String> = index.iter().map(u32::to_string).collect();
                            format!("(_ {} {})", info.name, numbers.join(" "))
                        }
                    };
                    let (arguments, indices) = (sorts.clone(), index.clone());
                    self.add(Form { name, op, indices, arguments, result }, &mut found);
                }
            }
        }
        found
    }

    fn terms(&self, sorts: &[usize]) -> Vec<Term> {
        sorts.iter().map(|&s| self.all[s].term).collect()
    }

    /// The sort of an application, if it is well-sorted as it is.
    fn result(&mut self, op: Op, indices: &[u32], sorts: &[usize]) -> Option<usize> {
        let arguments = self.terms(sorts);
        let arena = &mut self.script.arena;
        let term = arena.app(op, indices, &arguments).ok()?;
        let sort = (arena.args(term) == &*arguments).then(|| arena.sort(term))?;
        self.place(sort)
    }

    /// `(as f S)` for each sort.
    fn ascribed(&mut self, op: Op, sorts: &[usize], found: &mut Vec<Form>) {
        let arguments = self.terms(sorts);
        for result in 0..self.all.len() {
            let (sort, text) = (self.all[result].sort, &self.all[result].text);
            let name = format!("(as {} {text})", op.info().name);
            let arena = &mut self.script.arena;
            let made = arena.app_as(op, &arguments, sort);
            if made.is_ok_and(|t| arena.sort(t) == sort) {
                let arguments = sorts.to_vec();
                self.add(Form { name, op, indices: Vec::new(), arguments, result }, found);
            }
        }
    }

    /// The reader has the last word: some indices are refused there.
    fn add(&mut self, form: Form, found: &mut Vec<Form>) {
        let terms: String = form.arguments.iter().map(|s| format!(" sort{s}")).collect();
        let shown =
            if terms.is_empty() { form.name.clone() } else { format!("({}{terms})", form.name) };
        let read = parse_terms(&mut self.script, shown.as_bytes(), &ParseOptions::default());
        let arena = &self.script.arena;
        if let Ok([term]) = read.as_deref()
            && let Head::Op(op, indices) = arena.head(*term)
        {
            // Not every number is an index as it is written.
            found.push(Form { op, indices: arena.indices(indices).to_vec(), ..form });
        }
    }
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
