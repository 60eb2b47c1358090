//! Two scripts of one step, made smaller together, so that the rule still leads from the first to the second: the published
//! reduction of such pairs, with the answers and the direction of the rule kept (whoever tries the candidates sees to the former, [`RuleStep`] to the
//! latter).

use smelt_smtlib::{Command, Head, LogicChoice, PrintOptions, Script, Status, parse, print};
use smelt_strategy::janus::step::RuleStep;

use crate::Candidates;

/// Questions to solvers per finding.
const MOST: usize = 150;

/// What is to be made smaller.
pub struct Pair<'a> {
    /// The script before the step.
    pub before: &'a str,
    /// The script behind the step.
    pub after: &'a str,
    /// The rule that leads from one to the other.
    pub rule: &'a str,
    /// Whether they are satisfiable.
    pub status: Status,
    /// Parameters of the strategy: which rules there are.
    pub parameters: &'a [String],
}

/// The texts of the script before the step and of the one behind it.
pub type Texts = (String, String);

/// A smaller pair that is a candidate which `first` took; `None` if it took none.
pub fn shrink(
    pair: &Pair<'_>,
    mut first: impl FnMut(Candidates<'_, Texts>) -> Option<(usize, Texts)>,
) -> Option<Texts> {
    let [before, after] = [parse(pair.before.as_bytes()).ok()?, parse(pair.after.as_bytes()).ok()?];
    let Some(mut step) = RuleStep::find(&before, &after, pair.rule, pair.status, pair.parameters)
    else {
        return without_assertions([before, after], first);
    };
    let (mut best, mut left) = (None, MOST);
    loop {
        // Those that have been asked for, in their order.
        let mut made = Vec::new();
        let mut smaller = step.smaller().into_iter().filter_map(|change| {
            let new = step.changed(change)?;
            let texts = texts(new.scripts()?);
            made.push(new);
            Some(texts)
        });
        let Some((n, texts)) = first(&mut smaller.by_ref().take(left)) else { return best };
        drop(smaller);
        best = Some(texts);
        left -= n + 1;
        step = made.swap_remove(n);
    }
}

/// Where the step cannot be seen in the scripts: whole assertions that are the same in both.
fn without_assertions(
    mut pair: [Script; 2],
    mut first: impl FnMut(Candidates<'_, Texts>) -> Option<(usize, Texts)>,
) -> Option<Texts> {
    let (mut best, mut left) = (None, MOST);
    let mut from = 0;
    loop {
        let places: Vec<usize> = shared(&pair, from).take(left).collect();
        let mut smaller = places.iter().map(|&i| texts(without(&pair, i)));
        let Some((n, texts)) = first(&mut smaller) else { return best };
        best = Some(texts);
        left -= n + 1;
        from = places[n];
        pair = without(&pair, from);
    }
}

/// The numbers of assertions, from one on, that are the same in both.
fn shared(pair: &[Script; 2], from: usize) -> impl Iterator<Item = usize> {
    let show = |s: &Script, i: usize| match s.commands[assertion(s, i)?] {
        Command::Assert(t) => Some(smelt_smtlib::print_term(&s.arena, t)),
        _ => None,
    };
    let both = move |i: usize| Some((i, show(&pair[0], i)?, show(&pair[1], i)?));
    (from..).map_while(both).filter(|(_, b, a)| b == a).map(|(i, ..)| i)
}

/// Both without their n-th assertion.
fn without(pair: &[Script; 2], n: usize) -> [Script; 2] {
    pair.clone().map(|mut s| {
        assertion(&s, n).into_iter().for_each(|at| drop(s.commands.remove(at)));
        s
    })
}

/// Where the n-th assertion is among the commands.
fn assertion(s: &Script, n: usize) -> Option<usize> {
    let asserts = |&i: &usize| matches!(s.commands[i], Command::Assert(_));
    (0..s.commands.len()).filter(asserts).nth(n)
}

fn texts([mut before, mut after]: [Script; 2]) -> (String, String) {
    (text(&mut before), text(&mut after))
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
    use crate::one_by_one;

    const HEAD: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)(declare-const s String)";

    /// The assertions of a script.
    fn asserted(text: &str) -> String {
        let lines = text.lines().filter_map(|l| l.strip_prefix("(assert ")?.strip_suffix(')'));
        lines.collect::<Vec<_>>().join("; ")
    }

    /// Shrinks a pair while both scripts have these words, and compares what is left.
    fn check(
        rule: &str,
        status: Status,
        [before, after]: [&str; 2],
        keep: [&str; 2],
        expect: [&str; 2],
    ) {
        let [before, after] =
            [before, after].map(|assertions| format!("{HEAD}{assertions}(check-sat)"));
        let pair = Pair { before: &before, after: &after, rule, status, parameters: &[] };
        let holds = |(b, a): &Texts| {
            // Whatever solvers are asked can be read.
            assert!(parse(b.as_bytes()).is_ok() && parse(a.as_bytes()).is_ok(), "{b}{a}");
            asserted(b).contains(keep[0]) && asserted(a).contains(keep[1])
        };
        let made = shrink(&pair, one_by_one(holds));
        let (b, a) = made.unwrap_or_default();
        assert_eq!([asserted(&b).as_str(), asserted(&a).as_str()], expect, "{rule}");
        assert!(shrink(&pair, one_by_one(|_| false)).is_none());
    }

    #[test]
    fn both_in_step() {
        // Other assertions, what is around the place, and what is beside it.
        check(
            "int-equal-to-at-least",
            Status::Sat,
            [
                "(assert (or p q))(assert (and p (or (= x 1) q) q))",
                "(assert (or p q))(assert (and p (or (>= x 1) q) q))",
            ],
            ["(= ", "(>= "],
            ["(= 0 1)", "(>= 0 1)"],
        );
        // The terms that the rule is about go from both at once; its literal stays.
        check(
            "int-at-most-plus",
            Status::Sat,
            [
                "(assert (and q (<= (+ x (f y)) (* x y))))",
                "(assert (and q (<= (+ x (f y)) (+ (* x y) 3))))",
            ],
            ["(f ", "(f "],
            ["(<= (f 0) 0)", "(<= (f 0) (+ 0 3))"],
        );
        // In a negative place the stronger comes: `not` stays, since without it the pair goes the other way.
        check(
            "int-equal-to-at-least",
            Status::Sat,
            ["(assert (not (and p (>= x y))))", "(assert (not (and p (= x y))))"],
            ["x", "x"],
            ["(not (>= x 0))", "(not (= x 0))"],
        );
        // Below a quantifier, and a rule that is used at any formula.
        check(
            "int-equal-to-at-least",
            Status::Unsat,
            [
                "(assert (exists ((z Int)) (and p (>= (f z) (+ y z)))))",
                "(assert (exists ((z Int)) (and p (= (f z) (+ y z)))))",
            ],
            ["(f ", "(f "],
            ["(>= (f 0) 0)", "(= (f 0) 0)"],
        );
        // Regular languages have a parity, too.
        check(
            "re-to-star",
            Status::Sat,
            [
                "(assert (str.in_re s (re.++ (str.to_re \"a\") (re.opt (str.to_re \"bc\")))))",
                "(assert (str.in_re s (re.++ (str.to_re \"a\") (re.* (re.opt (str.to_re \"bc\"))))))",
            ],
            ["", "(re.* "],
            ["(str.in_re s (str.to_re \"bc\"))", "(str.in_re s (re.* (str.to_re \"bc\")))"],
        );
        check(
            "expand-chain",
            Status::Sat,
            ["(assert (or p (< x y (f y))))", "(assert (or p (and (< x y) (< y (f y)))))"],
            ["<", "<"],
            ["(< 0 0 0)", "(and (< 0 0) (< 0 0))"],
        );
    }

    /// What the rule does not say is no step: then assertions go, and nothing else.
    #[test]
    fn steps_that_cannot_be_seen() {
        let pair = [
            "(assert (or p q))(assert (and p (= x 1)))",
            "(assert (or p q))(assert (and p (<= x 1)))",
        ];
        let left = ["(and p (= x 1))", "(and p (<= x 1))"];
        check("int-equal-to-at-least", Status::Sat, pair, ["=", "<="], left);
        // It would be the wrong direction for an unsat pair.
        check("int-equal-to-at-most", Status::Unsat, pair, ["=", "<="], left);
        check("int-equal-to-at-most", Status::Sat, pair, ["=", "<="], ["(= 0 1)", "(<= 0 1)"]);
        check("no-such-rule", Status::Sat, pair, ["=", "<="], left);
    }
}
