//! Which operators suit a seed: those of the theories that it uses, so that a chain does not drift into everything.

use smelt_case::OpSet;
use smelt_smtlib::op::Theory;
use smelt_smtlib::{Command, FunKind, Head, Op, Script, Sort, SortKind};

/// The operators that may be brought into the script: of those given, the ones of the script's theories.
pub(crate) fn suitable(script: &Script, given: &OpSet) -> OpSet {
    let used = Used::new(script);
    given.iter().filter(|&op| used.suits(op)).collect()
}

/// What occurs in a script.
struct Used {
    theories: Vec<Theory>,
    ops: OpSet,
}

impl Used {
    fn new(script: &Script) -> Self {
        let a = &script.arena;
        let mut u = Self { theories: vec![Theory::Core], ops: OpSet::none() };
        let mut sorts: Vec<Sort> = Vec::new();
        for t in a.dag(&script.roots()) {
            if let Head::Op(op, _) = a.head(t) {
                u.ops.insert(op);
                u.add(op.info().theory);
            }
            sorts.push(a.sort(t));
        }
        for c in &script.commands {
            if let Command::DeclareFun(f) | Command::DefineFun(f) = c {
                sorts.extend(a.fun(*f).args.iter().chain([&a.fun(*f).ret]));
            }
        }
        for f in (0..a.fun_count()).filter_map(|i| a.fun_at(i)) {
            if matches!(a.fun(f).kind, FunKind::Constructor(..)) {
                sorts.extend(&a.fun(f).args);
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(s) = sorts.pop() {
            if !seen.insert(s) {
                continue;
            }
            let kind = a.sort_kind(s);
            kind.for_each_child(|c| sorts.push(c));
            match kind {
                SortKind::Int => u.add(Theory::Ints),
                SortKind::Real => u.add(Theory::Reals),
                SortKind::String | SortKind::RegLan => {
                    u.add(Theory::Strings);
                    u.add(Theory::Regex);
                }
                SortKind::BitVec(_) => u.add(Theory::BitVec),
                SortKind::Float(..) | SortKind::RoundingMode => u.add(Theory::Float),
                SortKind::FiniteField(_) => u.add(Theory::Fields),
                SortKind::Array(..) => u.add(Theory::Arrays),
                SortKind::Seq(_) => u.add(Theory::Seq),
                SortKind::Set(_) => u.add(Theory::Sets),
                SortKind::Bag(_) => u.add(Theory::Bags),
                SortKind::Nullable(_) => u.add(Theory::Nullables),
                SortKind::Tuple(_) => u.add(Theory::Tuples),
                SortKind::Named(..) => u.add(Theory::Datatypes),
                SortKind::Bool | SortKind::Fun(..) | SortKind::Param(_) => {}
            }
        }
        u
    }

    fn add(&mut self, theory: Theory) {
        if !self.has(theory) {
            self.theories.push(theory);
        }
    }

    fn has(&self, theory: Theory) -> bool {
        self.theories.contains(&theory)
    }

    fn suits(&self, op: Op) -> bool {
        if self.ops.contains(op) {
            return true;
        }
        match op.info().theory {
            // `+`, `<` … are rows of Ints and mean Reals too.
            Theory::Ints => self.has(Theory::Ints) || self.has(Theory::Reals),
            Theory::RealsInts => self.has(Theory::Ints) && self.has(Theory::Reals),
            theory => self.has(theory),
        }
    }
}
