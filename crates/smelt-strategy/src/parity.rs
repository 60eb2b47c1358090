//! Places of formulas with their parity: what happens to the whole when a part becomes weaker.
//!
//! A formula is positive at the root; `not`, the left of `=>` turn the parity; `and`, `or`, quantifiers, the right of `=>` and the branches of
//! a Boolean `ite` keep it. Under `=`, `xor`, `distinct`, in a condition of `ite` and inside of terms there is none: only equals may
//! stand for equals there. Languages in `str.in_re` have a parity too, turned by `re.comp` and the right of `re.diff`.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::occurrence::Path;
use smelt_smtlib::{Arena, Binder, Head, Op, Sort, Term};

use crate::accepted::open_arguments;

/// A place in one of several formulas.
pub(crate) struct Spot {
    /// Which formula.
    pub root: usize,
    /// The way down.
    pub path: Path,
    /// What is there.
    pub term: Term,
    /// Whether the whole becomes weaker as the part does (`true`), stronger (`false`), or neither (`None`).
    pub parity: Option<bool>,
}

/// What the parity of an argument is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Keep,
    Flip,
    Lose,
}

/// How the parity goes from a term to one of its arguments; `None` if the argument must not be touched.
fn turn(a: &Arena, t: Term, i: usize) -> Option<Turn> {
    let formula = a.sort(t) == Sort::BOOL || a.sort(t) == Sort::REGLAN;
    Some(match a.head(t) {
        Head::Op(op, _) => match op {
            Op::Not | Op::ReComp => Turn::Flip,
            Op::And | Op::Or => Turn::Keep,
            Op::Implies if i + 1 == a.args(t).len() => Turn::Keep,
            Op::Implies => Turn::Flip,
            Op::Ite if formula && i > 0 => Turn::Keep,
            Op::StrInRe if i == 1 => Turn::Keep,
            Op::ReConcat | Op::ReUnion | Op::ReInter | Op::ReStar | Op::RePlus | Op::ReOpt => {
                Turn::Keep
            }
            Op::RePow | Op::ReLoop | Op::ReLoopFrom => Turn::Keep,
            Op::ReDiff if i == 0 => Turn::Keep,
            Op::ReDiff => Turn::Flip,
            _ => Turn::Lose,
        },
        Head::Bind(Binder::Forall | Binder::Exists, _) | Head::Annot(_) => Turn::Keep,
        // What `choice` gives may depend on how its body is written.
        Head::Bind(..) => return None,
        _ => Turn::Lose,
    })
}

/// The parity of a place; the outer `None` if it must not be touched.
pub(crate) fn parity_at(a: &Arena, root: Term, path: &[u32]) -> Option<Option<bool>> {
    let (mut t, mut parity) = (root, Some(true));
    for &i in path {
        parity = match turn(a, t, i as usize)? {
            Turn::Keep => parity,
            Turn::Flip => parity.map(|p| !p),
            Turn::Lose => None,
        };
        t = *a.args(t).get(i as usize)?;
    }
    Some(parity)
}

/// How much a place without parity weighs: only equalities apply there.
const WITHOUT: f64 = 0.1;

/// A random place, roughly with equal chance for all. With `deep`, places without parity are among them.
pub(crate) fn walk(a: &Arena, roots: &[Term], deep: bool, random: &mut ChaCha8Rng) -> Option<Spot> {
    let size = |t: Term| (a.tree_size(t) as f64).min(1e6);
    let total: f64 = roots.iter().map(|&t| size(t)).sum();
    if roots.is_empty() {
        return None;
    }
    let mut left = random.random::<f64>() * total;
    let mut root = roots.len() - 1;
    for (i, &t) in roots.iter().enumerate() {
        if left < size(t) {
            root = i;
            break;
        }
        left -= size(t);
    }
    let mut spot = Spot { root, path: Path::new(), term: roots[root], parity: Some(true) };
    loop {
        let t = spot.term;
        let next = |i: usize, c: Term| -> Option<(Option<bool>, f64)> {
            let parity = match (turn(a, t, i)?, spot.parity) {
                (Turn::Keep, p) => p,
                (Turn::Flip, p) => p.map(|p| !p),
                (Turn::Lose, _) => None,
            };
            match parity {
                Some(_) => Some((parity, size(c))),
                None if deep => Some((None, WITHOUT * size(c))),
                None => None,
            }
        };
        let args = open_arguments(a, t);
        let below: f64 =
            args.iter().enumerate().filter_map(|(i, &c)| next(i, c)).map(|(_, w)| w).sum();
        let own = if spot.parity.is_some() { 2.0 } else { 1.0 };
        // Annotations are no places.
        let own = if matches!(a.head(t), Head::Annot(_)) { 0.0 } else { own };
        let mut left = random.random::<f64>() * (own + below);
        if left < own || below == 0.0 {
            return (own > 0.0).then_some(spot);
        }
        left -= own;
        let mut chosen = None;
        for (i, &c) in args.iter().enumerate() {
            if let Some((parity, w)) = next(i, c) {
                chosen = Some((i, c, parity));
                if left < w {
                    break;
                }
                left -= w;
            }
        }
        let (i, c, parity) = chosen?;
        spot.path.push(i as u32);
        spot.term = c;
        spot.parity = parity;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use smelt_smtlib::print_term;
    use std::collections::BTreeMap;

    /// Each named part of the formula with its parity.
    fn check(formula: &str, expect: &str) {
        let text = format!(
            "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-const s String)\
             (declare-const x Int)(assert {formula})(check-sat)"
        );
        let script = smelt_smtlib::parse(text.as_bytes()).unwrap();
        let roots = script.queries()[0].assertions.clone();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut seen: BTreeMap<String, char> = BTreeMap::new();
        for _ in 0..2000 {
            let Some(spot) = walk(&script.arena, &roots, true, &mut random) else { continue };
            assert_eq!(script.arena.at_path(roots[0], &spot.path), Some(spot.term));
            assert_eq!(parity_at(&script.arena, roots[0], &spot.path), Some(spot.parity));
            let sign = match spot.parity {
                Some(true) => '+',
                Some(false) => '-',
                None => '0',
            };
            let name = print_term(&script.arena, spot.term);
            if script.arena.args(spot.term).is_empty() || name.starts_with("(str.to_re") {
                let old = seen.insert(name.clone(), sign);
                assert!(old.is_none_or(|o| o == sign), "{name}");
            }
        }
        let found: Vec<String> = seen.iter().map(|(n, s)| format!("{n}{s}")).collect();
        assert_eq!(found.join(" "), expect);
    }

    #[test]
    fn parities() {
        check("(and p (or q (not r)))", "p+ q+ r-");
        check("(=> p q r)", "p- q- r+");
        check("(not (=> p (not q)))", "p+ q+");
        check("(ite p q (not r))", "p0 q+ r-");
        check("(or (xor p q) (not r))", "p0 q0 r-");
        check("(exists ((y Int)) (not (and p (= y 1))))", "10 p- y0");
        check(
            "(not (str.in_re s (re.* (re.comp (str.to_re \"a\")))))",
            "\"a\"0 (str.to_re \"a\")+ s0",
        );
        check(
            "(str.in_re s (re.diff (str.to_re \"a\") (str.to_re \"b\")))",
            "\"a\"0 \"b\"0 (str.to_re \"a\")+ (str.to_re \"b\")- s0",
        );
        check("(= (ite p 1 2) x)", "10 20 p0 x0");
    }
}
