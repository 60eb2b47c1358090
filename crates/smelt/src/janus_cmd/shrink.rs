//! Two scripts of one step, made smaller together: what goes from one goes from the other, so that the rule still leads from the
//! first to the second.

use smelt_smtlib::{
    Command, Head, LogicChoice, Op, PrintOptions, Script, Sort, Term, parse, print,
};

/// Questions to solvers per finding.
const MOST: usize = 60;

/// The smaller pair; `None` if nothing could be left out.
pub fn shrink(
    before: &str,
    after: &str,
    holds: impl Fn(&str, &str) -> bool,
) -> Option<(String, String)> {
    let mut pair = [parse(before.as_bytes()).ok()?, parse(after.as_bytes()).ok()?];
    let mut asked = 0;
    let mut texts = None;
    'again: loop {
        let places: Vec<usize> = asserts(&pair[0]);
        if places.len() != asserts(&pair[1]).len() {
            return texts;
        }
        for i in 0..places.len() {
            for change in changes(&pair, i) {
                if asked >= MOST {
                    return texts;
                }
                let mut smaller = pair.clone();
                if !change.apply(&mut smaller, i) {
                    continue;
                }
                let [b, a] = [0, 1].map(|k| text(&mut smaller[k]));
                asked += 1;
                if holds(&b, &a) {
                    pair = smaller;
                    texts = Some((b, a));
                    continue 'again;
                }
            }
        }
        return texts;
    }
}

/// What may be left out of the i-th assertion of both.
#[derive(Clone, Copy)]
enum Change {
    /// All of it.
    Drop,
    /// All but one of its parts, if it is the same in both.
    Part(usize),
    /// One of the parts that are the same in both, of an `and` or `or`.
    Without(usize),
}

fn asserts(s: &Script) -> Vec<usize> {
    (0..s.commands.len()).filter(|&i| matches!(s.commands[i], Command::Assert(_))).collect()
}

fn assertion(s: &Script, i: usize) -> Option<(usize, Term)> {
    let at = *asserts(s).get(i)?;
    match s.commands[at] {
        Command::Assert(t) => Some((at, t)),
        _ => None,
    }
}

fn same(pair: &[Script; 2], terms: [Term; 2]) -> bool {
    let show = |k: usize| smelt_smtlib::print_term(&pair[k].arena, terms[k]);
    show(0) == show(1)
}

fn changes(pair: &[Script; 2], i: usize) -> Vec<Change> {
    let (Some((_, b)), Some((_, a))) = (assertion(&pair[0], i), assertion(&pair[1], i)) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let args = [pair[0].arena.args(b), pair[1].arena.args(a)];
    if same(pair, [b, a]) {
        out.push(Change::Drop);
        let parts = 0..args[0].len();
        out.extend(
            parts.filter(|&j| pair[0].arena.sort(args[0][j]) == Sort::BOOL).map(Change::Part),
        );
    }
    let monotone =
        |k: usize, t: Term| matches!(pair[k].arena.head(t), Head::Op(Op::And | Op::Or, _));
    if monotone(0, b)
        && pair[0].arena.head(b) == pair[1].arena.head(a)
        && args[0].len() == args[1].len()
        && args[0].len() > 1
    {
        let parts = 0..args[0].len();
        out.extend(parts.filter(|&j| same(pair, [args[0][j], args[1][j]])).map(Change::Without));
    }
    out
}

impl Change {
    fn apply(self, pair: &mut [Script; 2], i: usize) -> bool {
        pair.iter_mut().all(|s| self.apply_one(s, i).is_some())
    }

    fn apply_one(self, s: &mut Script, i: usize) -> Option<()> {
        let (at, t) = assertion(s, i)?;
        match self {
            Self::Drop => {
                s.commands.remove(at);
            }
            Self::Part(j) => {
                let part = *s.arena.args(t).get(j)?;
                s.arena.is_closed(part).then_some(())?;
                s.commands[at] = Command::Assert(part);
            }
            Self::Without(j) => {
                let mut args = s.arena.args(t).to_vec();
                args.remove(j);
                let new = match args[..] {
                    [one] => one,
                    _ => s.arena.with_args(t, &args),
                };
                s.commands[at] = Command::Assert(new);
            }
        }
        Some(())
    }
}

/// The text, without declarations of constants and functions that are not used.
fn text(s: &mut Script) -> String {
    let a = &s.arena;
    let roots = s.roots();
    let used: Vec<smelt_smtlib::Fun> = a
        .dag(&roots)
        .into_iter()
        .filter_map(|t| if let Head::Fun(f) = a.head(t) { Some(f) } else { None })
        .collect();
    let defines = |c: &Command| matches!(c, Command::DefineFun(_) | Command::DefineFunsRec(_));
    if !s.commands.iter().any(defines) {
        s.commands.retain(|c| !matches!(c, Command::DeclareFun(f) if !used.contains(f)));
    }
    let options =
        PrintOptions { logic: LogicChoice::Smallest, strip_status: true, ..Default::default() };
    print(s, &options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_in_step() {
        let head = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)";
        let before = format!("{head}(assert (or p q))(assert (and p (= x 1) q))(check-sat)");
        let after = format!("{head}(assert (or p q))(assert (and p (>= x 1) q))(check-sat)");
        let keep = |b: &str, a: &str| b.contains("(= x 1)") && a.contains("(>= x 1)");
        let (b, a) = shrink(&before, &after, keep).unwrap();
        let expect = |body: &str| {
            format!("(set-logic QF_LIA)\n(declare-const x Int)\n(assert {body})\n(check-sat)\n")
        };
        let shown = |t: &str| {
            t.replace("QF_IDL", "QF_LIA").replace("(declare-fun x () Int)", "(declare-const x Int)")
        };
        assert_eq!(shown(&b), expect("(= x 1)"));
        assert_eq!(shown(&a), expect("(>= x 1)"));
        assert!(shrink(&before, &after, |_, _| false).is_none());
    }
}
