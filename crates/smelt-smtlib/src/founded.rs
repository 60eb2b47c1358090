//! Is a datatype well-founded: can a value of it be built in finitely many steps? The standard demands it: a datatype of which
//! each constructor needs another value of the same kind has no value at all, and solvers refuse it or go wrong.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Sym};
use crate::sort::{Sort, SortDecl, SortDeclKind, SortKind};

/// A datatype at arguments of which it is known for each whether it has a value.
type Instance = (SortDecl, Box<[bool]>);

/// What is known of instances. All begin without a value, and get one when a constructor has arguments that have one; so it
/// ends with those that can be built.
struct Known<'a> {
    arena: &'a Arena,
    /// The datatypes in question. Those that were declared before are well-founded.
    group: FxHashSet<SortDecl>,
    numbers: FxHashMap<Instance, usize>,
    all: Vec<State>,
    /// Instances that are to be looked at.
    todo: Vec<usize>,
}

struct State {
    instance: Instance,
    founded: bool,
    /// Instances that lacked a value of this one when they were looked at.
    waiting: Vec<usize>,
}

/// The first of these datatypes, declared together, that is not well-founded. Parameters are taken to have values. (Co-datatypes
/// have infinite values.)
pub(crate) fn unfounded(arena: &Arena, group: &[SortDecl]) -> Option<SortDecl> {
    let mut known = Known {
        arena,
        group: group.iter().copied().collect(),
        numbers: FxHashMap::default(),
        all: Vec::new(),
        todo: Vec::new(),
    };
    for &d in group {
        known.number((d, vec![true; arena.sort_decl(d).params.len()].into()));
    }
    while let Some(n) = known.todo.pop() {
        if !known.all[n].founded && known.is_built(n) {
            known.all[n].founded = true;
            let waiting = std::mem::take(&mut known.all[n].waiting);
            known.todo.extend(waiting);
        }
    }
    known.all[..group.len()].iter().find(|s| !s.founded).map(|s| s.instance.0)
}

impl Known<'_> {
    fn number(&mut self, instance: Instance) -> usize {
        if let Some(&n) = self.numbers.get(&instance) {
            return n;
        }
        let n = self.all.len();
        self.numbers.insert(instance.clone(), n);
        self.all.push(State { instance, founded: false, waiting: Vec::new() });
        self.todo.push(n);
        n
    }

    /// Whether a constructor has arguments that have values, by what is known now.
    fn is_built(&mut self, n: usize) -> bool {
        let (d, arguments) = self.all[n].instance.clone();
        let arena = self.arena;
        let info = arena.sort_decl(d);
        let SortDeclKind::Datatype { constructors, co } = &info.kind else { return true };
        let values: FxHashMap<Sym, bool> =
            info.params.iter().copied().zip(arguments.iter().copied()).collect();
        *co || constructors
            .iter()
            .any(|&c| arena.fun(c).args.iter().all(|&sort| self.has_value(n, sort, &values)))
    }

    /// Whether a sort has a value, for an instance that is told when it gets one.
    fn has_value(&mut self, who: usize, sort: Sort, parameters: &FxHashMap<Sym, bool>) -> bool {
        match self.arena.sort_kind(sort) {
            SortKind::Param(x) => parameters.get(x).copied().unwrap_or(true),
            // One value for all indices.
            SortKind::Array(_, value) | SortKind::Fun(_, value) => {
                self.has_value(who, *value, parameters)
            }
            SortKind::Tuple(parts) => parts.iter().all(|&s| self.has_value(who, s, parameters)),
            SortKind::Named(d, arguments) => {
                let values: Box<[bool]> =
                    arguments.iter().map(|&s| self.has_value(who, s, parameters)).collect();
                if !self.group.contains(d) && values.iter().all(|v| *v) {
                    return true;
                }
                let n = self.number((*d, values));
                if !self.all[n].founded {
                    self.all[n].waiting.push(who);
                }
                self.all[n].founded
            }
            // Sorts of the theories; and the empty sequence, set, bag and nullable.
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    /// The name of the datatype that is refused; nothing if the script is read.
    fn check(script: &str, refused: &str) {
        let said = parse(script.as_bytes()).err().map_or(String::new(), |e| e.message.clone());
        let expect = match refused {
            "" => String::new(),
            name => format!(
                "the datatype `{name}` is not well-founded: every value would hold another one"
            ),
        };
        assert_eq!(said, expect, "{script}");
    }

    #[test]
    fn one_datatype() {
        check("(declare-datatype T ((a) (c (f T))))", "");
        check("(declare-datatype T ((c (f T))))", "T");
        check("(declare-datatype T ((c (f T)) (d (g Int) (h T))))", "T");
        check("(declare-datatype T ((c (f T)) (d (g Int))))", "");
        check("(declare-datatypes () ((T (c (f T)))))", "T");
        check("(declare-datatypes () ((T (c (f T)) d)))", "");
        check("(declare-codatatype T ((c (f T))))", "");
    }

    #[test]
    fn several_datatypes() {
        check("(declare-datatypes ((A 0) (B 0)) (((a (f B))) ((b (g A)))))", "A");
        check("(declare-datatypes ((A 0) (B 0)) (((a (f B))) ((b (g A)) (c))))", "");
        check("(declare-datatypes ((A 0) (B 0)) (((a)) ((b (g B)))))", "B");
        check(
            "(declare-datatypes ((A 0) (B 0) (C 0)) (((a (f B))) ((b (g C))) ((c (h Int)))))",
            "",
        );
    }

    #[test]
    fn inside_of_other_sorts() {
        check("(declare-datatype T ((c (f (Array Int T)))))", "T");
        check("(declare-datatype T ((c (f (Array T Int)))))", "");
        check("(declare-datatype T ((c (f (Seq T)))))", "");
        check("(declare-datatype T ((c (f (Set T)))))", "");
        check("(declare-datatype T ((c (f (Tuple Int T)))))", "T");
        check("(declare-datatype T ((c (f (-> Int T)))))", "T");
        check("(declare-sort U 1)(declare-datatype T ((c (f (U T)))))", "");
    }

    #[test]
    fn with_parameters() {
        check("(declare-datatype P (par (X) ((p (f X)))))", "");
        check("(declare-datatype P (par (X) ((p (f X) (g (P X))))))", "P");
        let list = "(declare-datatype L (par (X) ((nil) (cons (head X) (tail (L X))))))";
        check(&format!("{list}(declare-datatype T ((node (children (L T)))))"), "");
        let pair = "(declare-datatype P (par (X Y) ((left (l X)) (right (r Y)))))";
        check(&format!("{pair}(declare-datatype T ((c (f (P T T)))))"), "T");
        check(&format!("{pair}(declare-datatype T ((c (f (P T Int)))))"), "");
        check(&format!("{pair}(declare-datatype T ((c (f (P T T))) (d (g (P Int T)))))"), "");
        let both = "(declare-datatypes ((T 0) (L 1)) (((node (sub (L T)))) (par (X) ((one (x X) (rest (L X)))";
        check(&format!("{both}))))"), "T");
        check(&format!("{both} (last (y X))))))"), "T");
        check(&format!("{both} (none)))))"), "");
        // An instance that grows with every step: there are finitely many kinds of arguments all the same.
        check("(declare-datatype N (par (X) ((z) (s (n (N (N X)))))))", "");
        check("(declare-datatype N (par (X) ((s (n (N (N X)))))))", "N");
    }

    /// Long chains and wide groups are no burden.
    #[test]
    fn many_datatypes() {
        let names: String = (0..2000).map(|i| format!("(D{i} 0)")).collect();
        let body = |i: usize| match i {
            1999 => "((c1999))".to_owned(),
            _ => format!("((c{i} (f{i} D{})))", i + 1),
        };
        let bodies: String = (0..2000).map(body).collect();
        check(&format!("(declare-datatypes ({names}) ({bodies}))"), "");
    }
}
