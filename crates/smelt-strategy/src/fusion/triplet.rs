//! Triplets (x, y, z) with a fusion function, and the replacement of some occurrences.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smallvec::SmallVec;
use smelt_case::OpSet;
use smelt_eval::incremental::Incremental;
use smelt_smtlib::{Arena, Command, Fun, Head, Op, Script, SortKind, Term};

use crate::constant::Constants;
use crate::frame::fresh_constant;
use crate::rules::fusion::{FusionRule, Instance, sort_of};
use crate::rules::sexpr::Sexpr;

/// Places of one assertion that are visited; the rest is left as it is.
const MAX_VISITS: usize = 20_000;

/// A pair of symbols, joined by a fusion function.
pub struct Triplet {
    pub x: Fun,
    pub y: Fun,
    pub z: Fun,
    pub rule: Box<str>,
    pub made: Instance,
    /// z = f(x, y), x = rx(y, z), y = ry(x, z).
    pub equations: [Term; 3],
}

/// What triplets are made of.
pub struct Source<'a> {
    pub rules: &'a [FusionRule],
    /// Operators that functions may use.
    pub allowed: &'a OpSet,
    /// Only triplets whose equations are true under the model.
    pub check: bool,
    pub wanted: usize,
}

/// Random triplets between two sets of symbols.
pub fn triplets(
    script: &mut Script,
    (xs, ys): (&[Fun], &[Fun]),
    &Source { rules, allowed, check, wanted }: &Source<'_>,
    values: &mut Incremental,
    random: &mut ChaCha8Rng,
) -> Vec<Triplet> {
    let mut out: Vec<Triplet> = Vec::new();
    if xs.is_empty() || ys.is_empty() {
        return out;
    }
    let mut constants = Constants::default();
    for _ in 0..8 * wanted {
        if out.len() == wanted {
            break;
        }
        let (x, y) = (xs[random.random_range(0..xs.len())], ys[random.random_range(0..ys.len())]);
        let rule = &rules[random.random_range(0..rules.len())];
        // Rules for two sorts serve both ways round.
        let (sx, sy) = (script.arena.fun(x).ret, script.arena.fun(y).ret);
        // These are no elements of arrays and tuples.
        let apart = |s| matches!(script.arena.sort_kind(s), SortKind::RegLan | SortKind::Fun(..));
        if apart(sx) || apart(sy) {
            continue;
        }
        let straight = rule.matches(&script.arena, sx, sy);
        let (binding, swapped) = match straight {
            Some(b) => (b, false),
            None => match rule.matches(&script.arena, sy, sx) {
                Some(b) => (b, true),
                None => continue,
            },
        };
        let mark = script.arena.mark();
        let Some(z_sort) = Sexpr::read(&rule.z_sort(&binding)).ok().and_then(|mut l| l.pop())
        else {
            continue;
        };
        let Some(z_sort) = sort_of(script, &z_sort) else { continue };
        let z = fresh_constant(&mut script.arena, "smelt!z", z_sort);
        script.commands.push(Command::DeclareFun(z));
        let funs = if swapped { (y, x, z) } else { (x, y, z) };
        let made = rule.instance(script, funs, binding, &mut constants, random);
        script.commands.pop();
        let made = made.map(|m| match swapped {
            true => Instance { invert_x: m.invert_y, invert_y: m.invert_x, ..m },
            false => m,
        });
        let triplet = made.and_then(|made| {
            let a = &mut script.arena;
            let terms = [made.fuse, made.invert_x, made.invert_y];
            let fits = |t: Term| match a.head(t) {
                Head::Op(op, _) => allowed.contains(op),
                _ => true,
            };
            if !a.dag(&terms).into_iter().all(fits) {
                return None;
            }
            let mut equation = |f: Fun, t: Term| {
                let f = a.mk_fun(f);
                a.app(Op::Eq, &[], &[f, t]).ok()
            };
            let equations =
                [equation(z, made.fuse)?, equation(x, made.invert_x)?, equation(y, made.invert_y)?];
            if let Ok(value) = values.eval(a, made.fuse) {
                values.extend(z, value);
            } else if check {
                return None;
            }
            let when = made.when.is_none_or(|w| values.holds(a, w) == Some(true));
            // This is also what leaves out products with a factor 0.
            let holds = when && equations.iter().all(|&e| values.holds(a, e) == Some(true));
            (!check || holds).then(|| Triplet { x, y, z, rule: rule.name.clone(), made, equations })
        });
        match triplet {
            Some(t) => out.push(t),
            None => {
                values.rollback(&mut script.arena, mark);
                values.withdraw(z);
            }
        }
    }
    out
}

/// Replaces occurrences of constants, each by coin flip. Replacements are closed, so nothing is captured; `let` is sharing, so
/// every occurrence of the tree counts.
pub fn substitute(
    a: &mut Arena,
    holds: &mut Containing,
    root: Term,
    by: &[(Fun, Term)],
    replaced: &mut u32,
    random: &mut ChaCha8Rng,
) -> Term {
    let wanted = by.iter().fold(0, |all, (f, _)| all | Containing::bit(*f));
    if holds.of(a, root) & wanted == 0 {
        return root;
    }
    let mut stack: SmallVec<[(Term, bool); 32]> = SmallVec::from_slice(&[(root, false)]);
    let mut done: SmallVec<[Term; 32]> = SmallVec::new();
    let mut visits = 0;
    while let Some((t, leave)) = stack.pop() {
        if leave {
            let from = done.len() - a.args(t).len();
            let new = if done[from..] == *a.args(t) { t } else { a.with_args(t, &done[from..]) };
            done.truncate(from);
            done.push(new);
            continue;
        }
        visits += 1;
        // Terms with patterns are left alone: what stands in both must stay the same in both.
        let patterns = matches!(a.head(t), Head::Annot(_)) && a.args(t).len() > 1;
        if visits > MAX_VISITS || patterns || holds.of(a, t) & wanted == 0 {
            done.push(t);
            continue;
        }
        if a.args(t).is_empty() {
            let new = match a.head(t) {
                Head::Fun(f) => by.iter().find(|(x, _)| *x == f).map(|(_, new)| *new),
                _ => None,
            };
            match new {
                Some(new) if random.random_bool(0.5) => {
                    *replaced += 1;
                    done.push(new);
                }
                _ => done.push(t),
            }
            continue;
        }
        stack.push((t, true));
        stack.extend(a.args(t).iter().rev().map(|&x| (x, false)));
    }
    done.pop().unwrap_or(root)
}

/// Which constants occur in a term, as a set of bits: several constants share a bit, so an empty intersection is exact and
/// any other is not. Remembered by term.
#[derive(Default)]
pub struct Containing {
    known: Vec<u64>,
}

impl Containing {
    /// Set in everything that is known.
    const KNOWN: u64 = 1 << 63;

    fn bit(f: Fun) -> u64 {
        1 << (f.index() % 63)
    }

    /// Forgets terms that are no more.
    pub fn truncate(&mut self, a: &Arena) {
        self.known.truncate(a.term_count());
    }

    /// The set of a term.
    fn of(&mut self, a: &Arena, root: Term) -> u64 {
        if self.known.len() < a.term_count() {
            self.known.resize(a.term_count(), 0);
        }
        if self.known[root.index()] == 0 {
            let mut stack: SmallVec<[Term; 32]> = SmallVec::from_slice(&[root]);
            while let Some(&t) = stack.last() {
                let before = stack.len();
                stack.extend(a.args(t).iter().copied().filter(|x| self.known[x.index()] == 0));
                if stack.len() > before {
                    continue;
                }
                stack.pop();
                let own = match a.head(t) {
                    Head::Fun(f) if a.args(t).is_empty() => Self::bit(f),
                    _ => 0,
                };
                let below = a.args(t).iter().map(|x| self.known[x.index()]);
                self.known[t.index()] = below.fold(own | Self::KNOWN, |all, x| all | x);
            }
        }
        self.known[root.index()] & !Self::KNOWN
    }
}
