//! Residuals of small scripts under models as solvers print them.

use smelt_eval::{Limits, ModelOptions, Residual, parse_model_at, residual};
use smelt_smtlib::{Command, parse, print, print_term};

/// The residual of the last check of a script, in a line.
pub fn shown(script: &str, model: &str) -> String {
    let mut s = parse(script.as_bytes()).unwrap_or_else(|e| panic!("{script}: {e}"));
    let query = s.queries().pop().unwrap();
    let options = ModelOptions { rounded: Vec::new(), ..ModelOptions::default() };
    let m = parse_model_at(&mut s, query.command, model.as_bytes(), &options);
    let m = m.unwrap_or_else(|e| panic!("{model}: {e}"));
    match residual(&s, &query, &m, Limits::default()) {
        Residual::True => "true".into(),
        Residual::False { assertion } => format!("false at {assertion}"),
        Residual::Undetermined(why) => format!("undetermined: {why}"),
        Residual::Open(open) => {
            let r = open.script();
            let text = print(r, &Default::default());
            let again = parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(print(&again, &Default::default()), text);
            let asserted = r.commands.iter().filter_map(|c| match c {
                Command::Assert(t) => Some(print_term(&r.arena, *t)),
                _ => None,
            });
            let dialect = if open.is_standard() { "" } else { " (dialect)" };
            let how = [("model", open.complete_by_model()), ("search", open.complete_by_search())];
            let how = how.iter().filter(|(_, r)| r.is_ok()).map(|(w, _)| format!(" by {w}"));
            let how: String = how.collect();
            format!(
                "{} {}{dialect}{how}",
                r.logic().unwrap(),
                asserted.collect::<Vec<_>>().join(" ")
            )
        }
    }
}

fn check(script: &str, model: &str, expect: &str) {
    let script =
        if script.contains("check-sat") { script.into() } else { format!("{script}(check-sat)") };
    assert_eq!(shown(&script, model), expect, "{script}\n{model}");
}

const REALS: &str = "(declare-const a Real)(declare-const b Real)(declare-const c Real)(declare-const d Real)(declare-const e Real)(declare-const f Real)";

#[test]
fn divisions() {
    let z3 = "((define-fun a () Real 1.0)(define-fun c () Real 0.0)(define-fun e () Real 1.0)(define-fun d () Real 1.0)\
        (define-fun f () Real 2.0)(define-fun b () Real (- 1.0))(define-fun /0 ((x!0 Real) (x!1 Real)) Real (- 1.0)))";
    // What z3 4.8.5 calls a model.
    check(
        &format!(
            "{REALS}(assert (= d (ite (>= (/ a c) f) (+ b f) f)))(assert (> 0 (/ a (/ c e))))"
        ),
        z3,
        "false at 1",
    );
    check(
        &format!("{REALS}(assert (= (/ a c) 1.0))(assert (distinct (/ (/ a c) c) 1.0))"),
        z3,
        "false at 1",
    );
    check(
        &format!("{REALS}(assert (= (/ a c) 2.0))(assert (distinct (/ (/ a c) c) 1.0))"),
        z3,
        "QF_UFLRA (= (open.divide 1.0) 2.0) (not (= (open.divide (open.divide 1.0)) 1.0)) by search",
    );
    check(
        &format!("{REALS}(assert (< (/ a c) 0.0))"),
        z3,
        "QF_UFLRA (< (open.divide 1.0) 0.0) by model by search",
    );
    check(&format!("{REALS}(assert (= (/ a e) 1.0))"), z3, "true");
    check(&format!("{REALS}(assert (= (/ a c) (/ e c)))"), z3, "true");
    check(&format!("{REALS}(assert (= (/ a e) 2.0))"), z3, "false at 0");
}
