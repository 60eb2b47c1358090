//! Triplets (x, y, z) with a fusion function, and the replacement of some occurrences.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
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
    root: Term,
    by: &FxHashMap<Fun, Term>,
    replaced: &mut u32,
    random: &mut ChaCha8Rng,
) -> Term {
    let holds = containing(a, root, by);
    let mut stack: Vec<(Term, bool)> = vec![(root, false)];
    let mut done: Vec<Term> = Vec::new();
    let mut visits = 0;
    while let Some((t, leave)) = stack.pop() {
        if leave {
            let n = a.args(t).len();
            let args: SmallVec<[Term; 8]> = done.drain(done.len() - n..).collect();
            done.push(a.with_args(t, &args));
            continue;
        }
        visits += 1;
        // Terms with patterns are left alone: what stands in both must stay the same in both.
        let patterns = matches!(a.head(t), Head::Annot(_)) && a.args(t).len() > 1;
        if visits > MAX_VISITS || patterns || !holds.contains(&t) {
            done.push(t);
            continue;
        }
        if a.args(t).is_empty() {
            match a.head(t) {
                Head::Fun(f) if by.contains_key(&f) && random.random_bool(0.5) => {
                    *replaced += 1;
                    done.push(by[&f]);
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

/// The sub-terms in which one of the constants occurs.
fn containing(a: &Arena, root: Term, by: &FxHashMap<Fun, Term>) -> FxHashSet<Term> {
    let mut out = FxHashSet::default();
    for t in a.dag(&[root]) {
        let own = matches!(a.head(t), Head::Fun(f) if by.contains_key(&f) && a.args(t).is_empty());
        if own || a.args(t).iter().any(|x| out.contains(x)) {
            out.insert(t);
        }
    }
    out
}
