//! Changing the last text where one term has changed.
//!
//! Old and new terms are walked down together as long as their tops are equal and one argument differs. Where they part,
//! the text of the old sub-term is replaced by that of the new one, or only its top if the arguments are the same. Where
//! the sub-term begins follows from the lengths of texts.

use super::PrintOptions;
use super::heads::Heads;
use super::reprint::{Reprinter, Stock};
use crate::arena::{Arena, Head, Term};
use crate::script::{Command, Script};

/// How a script differs from the last one.
enum Change {
    Nothing,
    /// In this command the term is another one.
    Term(usize, Term),
    More,
}

/// Replaces a part of a text.
fn replace(text: &mut String, from: usize, len: usize, new: &str, tail: &mut String) {
    tail.clear();
    tail.push_str(&text[from + len..]);
    text.truncate(from);
    text.push_str(new);
    text.push_str(tail);
}

/// Room for the work on one change.
#[derive(Default)]
pub(super) struct Bench {
    /// The terms above the change, old and new, from the top.
    path: Vec<(Term, Term)>,
    /// What is new.
    piece: String,
    /// What follows it.
    tail: String,
}

impl Reprinter {
    /// Changes the last text, if one term at most has changed and nothing else depends on it; else `false`.
    pub(super) fn splice(&mut self, script: &Script) -> bool {
        if !self.page.sound || script.commands.len() != self.page.entries.len() {
            return false;
        }
        let (at, new) = match self.change(script) {
            Change::Nothing => return true,
            Change::Term(at, new) => (at, new),
            Change::More => return false,
        };
        if self.in_place(&script.arena, at, new).is_none() && !self.again(script, at) {
            return false;
        }
        self.page.count = script.arena.term_count();
        let below = self.stock.texts.get(new).map_or(0, |k| k.features);
        let features = self.commands[at].features | below;
        if self.page.features[at] != features {
            self.page.features[at] = features;
            self.change_logic();
        }
        true
    }

    fn change(&self, script: &Script) -> Change {
        let a = &script.arena;
        let mut found = Change::Nothing;
        let mut together = self.page.together.iter();
        let commands = script.commands.iter().zip(&self.commands).zip(&self.page.entries);
        for (i, ((c, fixed), entry)) in commands.enumerate() {
            let term = match (c, &fixed.command) {
                (Command::Assert(t), Command::Assert(_)) => {
                    if entry.term == Some(*t) {
                        continue;
                    }
                    Some(*t)
                }
                // The frequent ones are spelled out.
                (Command::DeclareFun(f), Command::DeclareFun(g)) if f == g => continue,
                (Command::CheckSat, Command::CheckSat) => continue,
                (Command::DefineFun(f), Command::DefineFun(g)) if f == g => {
                    let (params, term) = a.fun(*f).def.unzip();
                    if params != entry.params {
                        return Change::More;
                    }
                    term
                }
                (Command::DefineFunsRec(fs), old) => {
                    let mut bodies = fs.iter().filter_map(|&f| a.fun(f).def);
                    if c != old || !bodies.all(|(_, t)| together.next() == Some(&t)) {
                        return Change::More;
                    }
                    continue;
                }
                (c, old) if c == old => continue,
                _ => return Change::More,
            };
            if term == entry.term {
                continue;
            }
            match (term, &found) {
                (Some(t), Change::Nothing) => found = Change::Term(i, t),
                _ => return Change::More,
            }
        }
        found
    }

    /// Changes only the part of a command that differs.
    fn in_place(&mut self, a: &Arena, at: usize, new: Term) -> Option<()> {
        let entry = self.page.entries[at];
        let old = entry.term.filter(|_| entry.flat)?;
        let Stock { texts, symbols, .. } = &mut self.stock;
        let bench = &mut self.bench;
        bench.path.clear();
        let mut from = self.page.starts[at] + entry.len - 1 - texts.length(old);
        let (mut o, mut n) = (old, new);
        while let Some(k) = only_difference(a, o, n) {
            let args = a.args(o);
            from += match a.head(o) {
                Head::Annot(_) => "(! ".len() as u32,
                _ => {
                    let behind: u32 = args[k + 1..].iter().map(|&x| 1 + texts.length(x)).sum();
                    texts.length(o) - 1 - behind - texts.length(args[k])
                }
            };
            bench.path.push((o, n));
            (o, n) = (args[k], a.args(n)[k]);
        }
        texts.learn(a, symbols, n);
        texts.get(n).filter(|k| k.simple)?;
        let heads = Heads { a, naming: self.options.naming, symbols };
        let annotated = |t: Term| matches!(a.head(t), Head::Annot(_));
        let top_only =
            a.args(o) == a.args(n) && !a.args(o).is_empty() && !annotated(o) && !annotated(n);
        bench.piece.clear();
        let len;
        if top_only {
            let behind: u32 = a.args(o).iter().map(|&x| 1 + texts.length(x)).sum();
            len = texts.length(o) - "()".len() as u32 - behind;
            from += 1;
            heads.write(n, &mut bench.piece);
            texts.set_length(n, texts.length(o) - len + bench.piece.len() as u32);
        } else {
            len = texts.length(o);
            bench.piece.push_str(texts.of(heads, n));
        }
        let longer = (bench.piece.len() as u32).wrapping_sub(len);
        let mut below = [n, o];
        for (level, &(o, n)) in bench.path.iter().rev().enumerate() {
            texts.learn_like(a, symbols, [n, o], below, level + 1);
            below = [n, o];
            texts.get(n).filter(|k| k.simple)?;
            texts.set_length(n, texts.length(o).wrapping_add(longer));
        }
        let PrintOptions { let_size, spelled, .. } = self.options;
        let known = texts.get(new).filter(|k| k.binds & entry.names == 0)?;
        if a.tree_size(new) > spelled && !known.flat {
            // A term that did not exist yet stands in one place only.
            let single = |t: Term| a.tree_size(t) < let_size || t.index() >= self.page.count;
            let small = |t: &Term| a.tree_size(*t) < let_size;
            let flat = texts.get(old).is_some_and(|k| k.flat)
                && single(n)
                && bench.path.iter().all(|&(_, n)| single(n))
                && (top_only || a.args(n).iter().all(small));
            if flat {
                texts.set_flat(new);
            } else if !texts.is_flat(a, new, &self.options) {
                return None;
            }
        }
        replace(&mut self.out, from as usize, len as usize, &bench.piece, &mut bench.tail);
        self.page.move_on(at, new, longer);
        Some(())
    }

    /// Prints the command again.
    fn again(&mut self, script: &Script, at: usize) -> bool {
        let (a, c) = (&script.arena, &script.commands[at]);
        self.learn(a, at, c);
        let old = self.page.entries[at];
        let mut room = std::mem::take(&mut self.bench.piece);
        room.clear();
        let mut p = self.stock.lend(a, &self.options, room);
        p.name_on_use = true;
        p.let_count = old.before.count;
        if old.before.chosen {
            p.let_prefix.clone_from(&self.page.prefix);
        }
        let new = p.entry(c, &self.commands[at]);
        // What is renamed here counts on from what was renamed before, and others from here.
        let renames = !p.suffixes.is_empty();
        let alone = self.page.renamer.is_none_or(|i| i == at);
        let same = p.named_list.is_empty() && new.after == old.after && (alone || !renames);
        self.bench.piece = self.stock.take_back(p);
        let Some(t) = new.term.filter(|_| same) else { return false };
        if alone {
            self.page.renamer = renames.then_some(at);
        }
        let (from, bench) = (self.page.starts[at] as usize, &mut self.bench);
        replace(&mut self.out, from, old.len as usize, &bench.piece, &mut bench.tail);
        self.page.entries[at] = new;
        self.page.entries[at].len = old.len;
        self.page.move_on(at, t, new.len.wrapping_sub(old.len));
        true
    }

    /// Writes another logic into the header, if another one is needed now.
    fn change_logic(&mut self) {
        let Some((old, from)) = self.page.logic else { return };
        let Some(new) = self.logic(self.page.features.iter().fold(0, |f, g| f | g)) else { return };
        if old != new {
            replace(&mut self.out, from, old.len(), new, &mut self.bench.tail);
            let longer = (new.len() as u32).wrapping_sub(old.len() as u32);
            self.page.starts.iter_mut().for_each(|s| *s = s.wrapping_add(longer));
            self.page.logic = Some((new, from));
        }
    }
}

/// The only argument in which two terms with the same top differ.
fn only_difference(a: &Arena, old: Term, new: Term) -> Option<usize> {
    let (top, sort, xs) = a.parts(old);
    let (new_top, new_sort, ys) = a.parts(new);
    if top != new_top || sort != new_sort || xs.len() != ys.len() {
        return None;
    }
    let mut only = None;
    for (k, (&x, &y)) in xs.iter().zip(ys).enumerate() {
        if x != y {
            if only.is_some() || a.sort(x) != a.sort(y) {
                return None;
            }
            only = Some(k);
        }
    }
    only.filter(|&k| k == 0 || !matches!(top, Head::Annot(_)))
}

impl super::reprint::Page {
    /// Notes that a command has another term and is longer by so much, or shorter.
    fn move_on(&mut self, at: usize, new: Term, longer: u32) {
        let entry = &mut self.entries[at];
        entry.term = Some(new);
        entry.len = entry.len.wrapping_add(longer);
        if longer != 0 {
            self.starts[at + 1..].iter_mut().for_each(|s| *s = s.wrapping_add(longer));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::printer::{LogicChoice, PrintOptions, Reprinter, print};
    use crate::script::{Command, Script};

    /// From each assertion of a script to each other one, with the last one behind it: what is changed is what is printed.
    fn check(text: &str) {
        let all = crate::parse(text.as_bytes()).unwrap();
        let (asserts, others): (Vec<Command>, Vec<Command>) =
            all.commands.into_iter().partition(|c| matches!(c, Command::Assert(_)));
        let mut script = Script { arena: all.arena, commands: Vec::new() };
        for (let_size, spelled) in [(2, 8), (12, 48), (12, 1000)] {
            let logic = LogicChoice::Smallest;
            let options = PrintOptions { logic, let_size, spelled, ..Default::default() };
            let mut again = Reprinter::new(options.clone());
            for from in &asserts {
                for to in &asserts {
                    for one in [from, to] {
                        let last = asserts.last().unwrap();
                        script.commands = others.iter().chain([one, last]).cloned().collect();
                        assert_eq!(again.print(&script), print(&script, &options));
                    }
                }
            }
        }
    }

    #[test]
    fn changes() {
        let names = "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const p Bool)\
            (declare-fun f (Int) Int)(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)";
        let quantified = "(assert (forall ((z Int)) (! (> (f z) z) :pattern ((f z)) :qid q)))\
            (assert (exists ((z Int)) (! (> (f z) z) :pattern ((f z)) :qid q)))\
            (assert (forall ((z Int)) (! (> (f z) y) :pattern ((f z)) :qid q)))\
            (assert (forall ((z Int)) (! (> (f z) z) :pattern ((f z) (f x)) :no-pattern (f y))))\
            (assert (forall ((z Int)) (exists ((w Int)) (= w z))))\
            (assert (forall ((z Int)) (exists ((z Int)) (= x z))))\
            (assert (and p (forall ((z Int)) (exists ((z Int)) (= x z))) (forall ((x Int)) (= x y))))\
            (assert (forall ((_let_1 Int)) (= _let_1 y)))\
            (assert (match l ((nil p) ((cons h t) (> h x)))))";
        let plain = "(assert p)(assert (not p))(assert (< x y))(assert (> x y))(assert (< x 2))(assert (< (+ x 1) 2))\
            (assert (< (* x y) 2))(assert (< (* x 3) 2))(assert (> r 0.5))(assert (> (/ r 2.0) 0.5))\
            (assert (and p (< x y) (> x y)))(assert (and p (< x y) (> x 5)))(assert (and (< x y) (> x 5)))\
            (assert (= l (cons x nil)))(assert (= l (cons y nil)))(assert ((_ is nil) l))(assert ((_ is cons) l))";
        let shared = "(assert (let ((a (+ x (* y (+ x (* y (+ x (* y (+ x 1)))))))))\
                (and p (= a x) (= x (* 2 a)) (< (+ x y x y x y x y) (+ y x y x y x y x)))))\
            (assert (let ((a (+ x (* y (+ x (* y (+ x (* y (+ x 2)))))))))\
                (and p (= a x) (= x (* 2 a)) (< (+ x y x y x y x y) (+ y x y x y x y x)))))\
            (assert (let ((a (+ x (* y (+ x (* y (+ x (* y (+ x 1)))))))))\
                (and p (= a x) (= x (* 2 y)) (< (+ x y x y x y x y) (+ y x y x y x y x)))))\
            (assert (let ((a (+ x (* y (+ x (* y (+ x (* y (+ x 1)))))))))\
                (or p (= a x) (= x (* 2 y)) (< (+ x y x y x y x y) (+ y x y x y x y x)))))";
        check(&format!("{names}{plain}{quantified}{shared}"));
        check(&format!("{names}{quantified}{plain}"));
        check(&format!(
            "{names}{shared}{plain}(assert (! (> x 1) :named n))(assert (! p :named m))"
        ));
        check(&format!("{names}{plain}{shared}(check-sat)(get-value (x))"));
    }

    #[test]
    fn definitions() {
        let text = "(declare-const x Int)(define-fun g ((y Int) (z Int)) Int (+ y z))(define-fun h ((y Int)) Int y)\
            (assert (= (g x x) (h x)))";
        let mut script = crate::parse(text.as_bytes()).unwrap();
        let funs: Vec<_> = script
            .commands
            .iter()
            .filter_map(|c| if let Command::DefineFun(f) = c { Some(*f) } else { None })
            .collect();
        let mut again = Reprinter::new(PrintOptions::default());
        let mut check = |script: &Script, expect: &str| {
            let text = print(script, &PrintOptions::default());
            assert!(text.contains(expect), "{text}");
            assert_eq!(again.print(script), text);
        };
        check(&script, "(+ y z)");
        let a = &mut script.arena;
        let (params, body) = a.fun(funs[0]).def.unwrap();
        let (y, z) = (a.args(body)[0], a.args(body)[1]);
        let less = a.app(crate::Op::Sub, &[], &[y, z]).unwrap();
        let more = a.app(crate::Op::Mul, &[], &[less, z]).unwrap();
        for (new, expect) in [(less, "(- y z)"), (more, "(* (- y z) z)"), (y, "Int y)")] {
            script.arena.set_definition(funs[0], params, new);
            check(&script, expect);
        }
        // Only the order of the parameters differs, not the body.
        let swapped: Vec<_> = script.arena.vars(params).iter().rev().copied().collect();
        let swapped = script.arena.var_list(&swapped);
        script.arena.set_definition(funs[0], swapped, y);
        check(&script, "((z Int) (y Int)) Int y");
    }
}
