//! What solvers print, beside what it means.

use super::*;
use crate::ask::{End, Piece};
use crate::events::{events_of, forgive};
use crate::profile::Profiles;

/// Runs the classification on printed text, in which `--- 1` is a reset after one check and `--- said 0` the marker behind the
/// first check, and shows the answers, with a `!` if there is a complaint, then errors and crash. A text without markers gets
/// one behind each answer and the lines that go with it, as solvers that echo print them.
fn check(solver: &str, stdout: &str, stderr: &str, ending: Ending, expected: usize, expect: &str) {
    let profiles = Profiles::embedded();
    let profile = profiles.get(solver).unwrap();
    let piece = || Piece { text: String::new(), end: End::Output };
    let mut pieces = vec![piece()];
    let number = |k: &str| k.trim().parse::<usize>().unwrap();
    let marks = profile.warm.is_some() && !stdout.contains("--- said");
    let mut answers = 0;
    let mut lines = stdout.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let last = pieces.last_mut().unwrap();
        if let Some(k) = line.strip_prefix("--- said ") {
            last.end = End::Check(number(k));
            pieces.push(piece());
        } else if let Some(k) = line.strip_prefix("--- ") {
            answers = number(k);
            last.end = End::Reset(answers);
            pieces.push(piece());
        } else {
            last.text.push_str(line);
            let is_answer = |l: &str| {
                ["sat", "unsat", "unknown"].iter().any(|w| l.trim_end() == *w)
                    || l.starts_with("unknown (")
            };
            let goes_with_it = |l: &&str| l.starts_with("(:reason");
            if marks && is_answer(line) && answers < expected {
                while let Some(more) = lines.next_if(goes_with_it) {
                    last.text.push_str(more);
                }
                last.end = End::Check(answers);
                answers += 1;
                pieces.push(piece());
            }
        }
    }
    let mut events = events_of(&pieces, profile);
    forgive(&mut events, stderr, profile);
    let reading = read(profile, &events, stderr, Some(ending), expected, Vec::new());
    let show = |c: &Check| format!("{}{}", c.answer, if c.complaint.is_some() { "!" } else { "" });
    let mut got: Vec<String> = reading.checks.iter().map(show).collect();
    if let Some(crash) = reading.crash {
        got.push(format!("[{crash}]"));
    }
    assert_eq!(got.join("; "), expect, "{solver}: {stdout:?} {stderr:?}");
}

const OK: Ending =
    Ending { exit: Some(Exit::Code(0)), killed: None, refused: false, refused_behind: None };

fn code(n: i32) -> Ending {
    Ending { exit: Some(Exit::Code(n)), ..OK }
}

fn signal(n: i32) -> Ending {
    Ending { exit: Some(Exit::Signal(n)), ..OK }
}

fn killed(why: KilledFor) -> Ending {
    Ending { exit: Some(Exit::Signal(9)), killed: Some(why), ..OK }
}

/// A command line that is not taken, as solvers say it, on either stream.
#[test]
fn refused_command_lines() {
    for (solver, end, said) in [
        ("cvc4", 1, "(error \"Too many input files specified.\")"),
        ("cvc4", 1, "(error \"Error in option parsing: can't understand option `--nosuch'\")"),
        (
            "cvc4",
            1,
            "(error \"Error in option parsing: unknown option for --decision: `nosuch'.  Try --decision=help.\")",
        ),
        ("cvc5", 1, "(error \"Error in option parsing: unknown argument model_validate=true\")"),
        (
            "cvc5",
            1,
            "cvc5: error: Error in option parsing: Argument 'abc' for uint64_t option seed did not parse as uint64_t",
        ),
        (
            "cvc5",
            1,
            "Fatal error in option parsing: Eager bit-blasting is only support in incremental mode if the logic is quantifier-free bit-vectors",
        ),
        ("bitwuzla", 1, "(error \"invalid option: unknown argument nosuch=true\")"),
        (
            "bitwuzla",
            1,
            "(error \"invalid option: invalid mode 'nosuch' for option '--bv-solver'\")",
        ),
        ("yices", 17, "yices-smt2: too many arguments"),
        ("yices", 1, "yices-smt2: unknown delegate: nosuch (choices are 'y2sat' or 'cadical')"),
        ("z3", 1, "ERROR: unknown parameter 'nosuch' at module 'smt'"),
        (
            "z3",
            108,
            "ERROR: Expected values for parameter model_validate are 'true' or 'false'. It was given argument 'maybe'",
        ),
        ("generic", 2, "prog.py: error: unrecognized arguments: --nosuch"),
        ("generic", 1, "Invalid option: -x"),
    ] {
        // As an `(error …)` on standard output it is a response, and quoted without its frame.
        let framed = said.strip_prefix("(error \"").and_then(|t| t.strip_suffix("\")"));
        let on_stdout = format!("rejected ({})", framed.unwrap_or(said));
        check(solver, &format!("{said}\n"), "", code(end), 1, &on_stdout);
        check(solver, "", &format!("{said}\n"), code(end), 1, &format!("rejected ({said})"));
    }
    // A crash without such words is one.
    check("cvc5", "", "something else\n", code(1), 1, "crash (exit code 1); [exit code 1]");
    check("generic", "something else\n", "", code(3), 1, "crash (exit code 3); [exit code 3]");
}

/// A wrapper tells by its exit code that the solver died behind its answers.
#[test]
fn crashes_told_by_a_shell() {
    for (solver, n) in [("z3", 139), ("generic", 134), ("cvc5", 136)] {
        check(solver, "sat\n", "", code(n), 1, &format!("sat; [exit code {n}]"));
    }
    // By SIGTERM, SIGALRM, SIGKILL, a stranger's `exit -1`, an error; or because the solver uses that code itself.
    for n in [143, 142, 137, 255, 1] {
        check("generic", "sat\n", "", code(n), 1, "sat");
    }
    check("z3", "sat\n", "", code(101), 1, "sat");
    check("cvc5", "sat\n", "cvc5 interrupted by SIGTERM.\n", code(134), 1, "sat");
}

#[test]
fn plain_answers() {
    check("z3", "sat\n", "", OK, 1, "sat");
    check("z3", "unsat\nsat\nunknown\n", "", OK, 3, "unsat; sat; unknown");
    check(
        "z3",
        "unknown\n(:reason-unknown \"(incomplete (theory arithmetic))\")\n",
        "",
        OK,
        1,
        "unknown (incomplete (theory arithmetic))",
    );
    check("dreal", "delta-sat with delta = 0.001\n", "", OK, 1, "delta-sat");
    check("z3", "success\nsat\n", "", OK, 1, "sat");
    check("z3", "WARNING: something\nsat\n", "", OK, 1, "sat");
    check("z3", "", "", OK, 0, "");
}

/// Where answers are missing, or there are too many, nobody knows which check has which.
#[test]
fn answers_to_other_checks() {
    check("generic", "timeout\nunsat\n", "", OK, 2, "unreadable (timeout)");
    check("generic", "unsat\ntimeout\n", "", OK, 2, "unreadable (timeout)");
    check("generic", "unsat\n", "", OK, 2, "unreadable");
    check("generic", "sat\nunsat\nsat\n", "", OK, 2, "unreadable (sat (one answer too many))");
    check("z3", "odd\nsat\n--- 2\nunsat\n", "", OK, 3, "sat; unreadable; unsat");
    // A question that was refused stands behind the check that it is about.
    let refused = |checks, exit| Ending { refused: true, refused_behind: Some(checks), ..exit };
    check("z3", "sat\n", "", refused(1, code(1)), 2, "sat; unreadable");
    check("generic", "unsat\n", "", refused(2, OK), 2, "unreadable");
    // Something was said, and all have answered.
    check("z3", "odd\nsat\nunsat\n", "", OK, 2, "sat; unsat");
    // The end explains it, unless something was said before.
    let own = "unsat; timeout (the solver's own limit)";
    check("cvc5", "unsat\n", "cvc5 interrupted by timeout.\n", signal(6), 2, own);
    let limit = killed(KilledFor::Limit(Limit::Cpu));
    check("z3", "sat\n", "", limit, 3, "sat; timeout (CPU limit)");
    check("z3", "odd\nsat\n", "", limit, 3, "sat; timeout (CPU limit)");
    check("generic", "odd\nsat\n", "", limit, 3, "unreadable (odd)");
    check("z3", "sat\n", "", signal(11), 2, "sat; crash (SIGSEGV); [SIGSEGV]");
}

/// cvc4 rejects a logic in words that belong to internal errors.
#[test]
fn parse_errors_are_rejections() {
    let text = "Parse Error: script.smt2:1.16: Illegal argument detected";
    check("cvc4", &format!("(error \"{text}\")\n"), "", code(1), 1, &format!("rejected ({text})"));
    let fault = "Fatal failure within x\nUnreachable code reachedno concrete implementation of FloatingPointLiteral\n";
    check(
        "cvc4",
        "",
        fault,
        signal(6),
        1,
        "unsupported (Unreachable code reachedno concrete implementation of FloatingPointLiteral)",
    );
}

/// z3 says so on two streams, and goes on with its general solver.
#[test]
fn a_logic_that_is_ignored() {
    let note = "; ignoring unsupported logic QF_UFDTLIA line: 1 position: 1\n";
    check("z3", "unsupported\nsat\n", note, OK, 1, "sat");
    check("z3", &format!("unsupported\n{note}sat\n"), "", OK, 1, "sat");
    check("z3", "unsupported\nsat\n", "", OK, 1, "unsupported (unsupported)");
    check("z3", "unsupported\nunsupported\nsat\n", note, OK, 1, "unsupported (unsupported)");
    // Nor does the note explain a crash.
    check("z3", "unsupported\n", note, signal(11), 1, "crash (SIGSEGV); [SIGSEGV]");
    check("z3", "unsupported\nsat\n", note, signal(11), 1, "sat; [SIGSEGV]");
    check(
        "cvc5",
        "",
        "Unimplemented code encountered\n",
        signal(11),
        1,
        "crash (SIGSEGV); [SIGSEGV]",
    );
}

#[test]
fn errors_spoil_what_follows_and_only_that() {
    check(
        "z3",
        "(error \"line 4: unknown constant x\")\nsat\n",
        "",
        code(1),
        1,
        "rejected (line 4: unknown constant x), then answered sat",
    );
    check("z3", "unsat\n(error \"line 9: model is not available\")\n", "", code(1), 1, "unsat");
    check(
        "z3",
        "sat\n(error \"bad\")\nunsat\n",
        "",
        code(1),
        2,
        "sat; rejected (bad), then answered unsat",
    );
    check(
        "cvc5",
        "(error \"Parse Error: x:1.2: Symbol 'f' not declared\")\n",
        "",
        code(1),
        1,
        "rejected (Parse Error: x:1.2: Symbol 'f' not declared)",
    );
    check(
        "yices",
        "(error \"undefined sort: Int\")\n",
        "",
        OK,
        1,
        "rejected (undefined sort: Int)",
    );
    check(
        "z3",
        "",
        "ERROR: unknown parameter 'nosuch'\nLegal parameters are:",
        code(110),
        1,
        "rejected (ERROR: unknown parameter 'nosuch')",
    );
}

#[test]
fn lack_of_support() {
    check(
        "z3",
        "unsupported\n; foo-bar line: 6 position: 8\nsat\n",
        "",
        OK,
        1,
        "unsupported (unsupported ; foo-bar line: 6 position: 8)",
    );
    check(
        "yices",
        "(error \"unknown logic: QF_S\")\n(error \"undefined sort\")\n",
        "",
        OK,
        1,
        "unsupported (unknown logic: QF_S)",
    );
    check(
        "cvc4",
        "",
        "Fatal failure within F at ./src/theory/fp/c.cpp:1\nUnimplemented code encounteredX\n",
        signal(6),
        1,
        "unsupported (Unimplemented code encounteredX)",
    );
}

#[test]
fn limits() {
    check("z3", "", "", killed(KilledFor::Limit(Limit::Cpu)), 1, "timeout (CPU limit)");
    check("z3", "sat\n", "", killed(KilledFor::Limit(Limit::Wall)), 2, "sat; timeout (wall limit)");
    check("z3", "unknown\n(:reason-unknown \"canceled\")\n", "", OK, 1, "timeout (resource limit)");
    check(
        "cvc5",
        "unknown\n(:reason-unknown resourceout)\n",
        "",
        OK,
        1,
        "timeout (resource limit)",
    );
    check(
        "cvc5",
        "unknown\n(:reason-unknown timeout)\n",
        "",
        OK,
        1,
        "timeout (the solver's own limit)",
    );
    check(
        "cvc5",
        "",
        "cvc5 interrupted by timeout.\n",
        signal(6),
        1,
        "timeout (the solver's own limit)",
    );
    check("z3", "(error \"out of memory\")\n", "", code(101), 1, "out-of-memory");
    check(
        "cvc5",
        "",
        "terminate called after throwing an instance of 'std::bad_alloc'\n",
        signal(6),
        1,
        "out-of-memory",
    );
    check("z3", "", "", killed(KilledFor::Memory), 1, "out-of-memory");
    check(
        "z3",
        "xxxx",
        "",
        killed(KilledFor::Output),
        1,
        "unreadable (more output than the limit allows)",
    );
}

/// A checker that complains and goes on speaks of the answer before, and spoils none; nor does an error before a reset.
#[test]
fn complaints_and_resets() {
    let said = "(error \"line 9 column 10: an invalid model was generated\")\n";
    check("z3", &format!("sat\n{said}"), "", code(1), 1, "sat!");
    check("z3", &format!("sat\n{said}unsat\nsat\n{said}"), "", code(1), 3, "sat!; unsat; sat!");
    check("z3", &format!("sat\n{said}"), "", signal(11), 1, "sat!; [SIGSEGV]");
    let error = "(error \"line 1 column 2: unknown constant foo\")\n";
    let spoilt = "sat; rejected (line 1 column 2: unknown constant foo), then answered unsat";
    check("z3", &format!("sat\n{error}unsat\n"), "", code(1), 2, spoilt);
    check("z3", &format!("sat\n{error}--- 1\nunsat\n"), "", code(1), 2, "sat; unsat");
    check("z3", &format!("sat\n{said}--- 1\nunsat\n"), "", code(1), 2, "sat!; unsat");
    // Answers are those to their checks, also where one got none.
    let lost = "rejected (line 1 column 2: unknown constant foo); sat; unsat";
    check("z3", &format!("{error}--- 1\nsat\nunsat\n"), "", code(1), 3, lost);
    check("z3", "odd\n--- 2\nsat\n", "", code(0), 3, "unreadable (odd); unreadable (odd); sat");
    // An error that is over explains the exit code; a crash behind an error is none; two answers to one check are none.
    let odd = "rejected (line 1 column 2: unknown constant foo); unreadable (odd)";
    check("z3", &format!("{error}--- 1\nodd\n"), "", code(1), 2, odd);
    check("z3", &format!("sat\n{said}--- 1\nodd\n"), "", code(1), 2, "sat!; unreadable (odd)");
    let crash = "(error \"unexpected exception\")\n";
    let behind = "rejected (line 1 column 2: unknown constant foo); sat";
    check("z3", &format!("{error}{crash}--- 1\nsat\n"), "", code(1), 2, behind);
    let extra = "sat\nunsat\n--- 1\nsat\nsat\n";
    check("generic", extra, "", OK, 3, "unreadable; sat; sat");
    check("z3", extra, "", OK, 3, "sat; sat; sat");
    // Other codes than z3's are not explained.
    let three = "sat!; crash (exit code 3); [exit code 3]";
    check("z3", &format!("sat\n{said}--- 1\n"), "", code(3), 2, three);
    // Nobody complains about what an error has spoilt; and a parse error quotes the script.
    let both = "rejected (line 1 column 2: unknown constant foo), then answered sat";
    check("z3", &format!("{error}sat\n{said}"), "", code(1), 1, both);
    let quoted = "(error \"Parse Error: 1.2: no checkModel\")\n";
    check(
        "cvc5",
        &format!("sat\n{quoted}"),
        "",
        code(1),
        2,
        "sat; rejected (Parse Error: 1.2: no checkModel)",
    );
}

#[test]
fn crashes() {
    check("z3", "", "", signal(11), 1, "crash (SIGSEGV); [SIGSEGV]");
    check("z3", "sa", "", signal(11), 1, "crash (SIGSEGV); [SIGSEGV]");
    check("z3", "sat\n", "", signal(11), 1, "sat; [SIGSEGV]");
    check("z3", "", "", code(3), 1, "crash (exit code 3); [exit code 3]");
    check(
        "cvc5",
        "",
        "Fatal failure within F at /b/src/x.cpp:7\nCheck failure\n\n a\n",
        signal(6),
        1,
        "crash (assertion src/x.cpp:7: Check failure a); [assertion src/x.cpp:7: Check failure a]",
    );
    check("z3", "(model (define-fun s () String \"ASSERTION VIOLATION\"))", "", OK, 0, "");
}

#[test]
fn unreadable() {
    check("z3", "", "", OK, 1, "unreadable");
    check("z3", "\u{fffd}\u{fffd} what", "", OK, 1, "unreadable (\u{fffd}\u{fffd} what)");
    check("z3", "sat is what I think\n", "", OK, 1, "unreadable (sat is what I think)");
    check("z3", "(cut off", "", OK, 1, "unreadable ((cut off)");
}

/// An answer stands between the markers of its check. What else a script makes a solver print is none.
#[test]
fn answers_and_their_markers() {
    let no = "sat (without the marker behind the check)";
    check("z3", "sat\n--- said 0\nunsat\n--- said 1\n", "", OK, 2, "sat; unsat");
    check("z3", "sat\nunsat\n--- said 0\n", "", OK, 1, "unreadable (unsat (one answer too many))");
    check("z3", "sat\nunsat\n--- said 0\nsat\n--- said 1\n", "", OK, 2, "unreadable; sat");
    check("z3", "--- said 0\nsat\n--- said 1\n", "", OK, 2, "unreadable; sat");
    check(
        "z3",
        "--- said 0\nsat\nsat\n--- said 1\n",
        "",
        OK,
        2,
        "unreadable; unreadable (sat (one answer too many))",
    );
    check(
        "z3",
        "(error \"x\")\n--- said 0\nsat\n--- said 1\n",
        "",
        code(1),
        2,
        "rejected (x); rejected (x), then answered sat",
    );
    // Printed before the check whose time ran out, or that failed.
    let limit = killed(KilledFor::Limit(Limit::Cpu));
    check("z3", "sat\n--- said 0\nsat\n", "", limit, 2, "sat; timeout (CPU limit)");
    check("z3", "sat\n--- said 0\nsat\n", "", signal(11), 2, "sat; crash (SIGSEGV); [SIGSEGV]");
    check("z3", "sat\n--- said 0\nsat\n", "", OK, 2, &format!("sat; unreadable ({no})"));
    // Nothing is known of the markers of others, unless they print one.
    check("generic", "sat\nunsat\n", "", OK, 2, "sat; unsat");
    check(
        "generic",
        "sat\nsat\n--- said 0\nunsat\n",
        "",
        limit,
        2,
        "unreadable; timeout (CPU limit)",
    );
}

/// Words accuse a solver only if it did not answer, or did not end as it should.
#[test]
fn words_alone_are_no_crash() {
    for solver in ["z3", "cvc5", "yices", "generic"] {
        let words = "warning: internal errors are possible, Fatal failure, ASSERTION VIOLATION\n";
        check(solver, "sat\n", words, OK, 1, "sat");
        check(solver, "sat\nunsat\n", words, OK, 2, "sat; unsat");
        check(solver, "", words, OK, 0, "");
    }
    let words = "warning: internal error\n";
    let crash = "[internal error: warning: internal error]";
    check("cvc5", "sat\n", words, OK, 1, "sat");
    check("cvc5", "sat\n", words, code(1), 1, &format!("sat; {crash}"));
    check("cvc5", "sat\n", words, signal(6), 1, &format!("sat; {crash}"));
    let last = "crash (internal error: warning: internal error)";
    check("cvc5", "", words, OK, 1, &format!("{last}; {crash}"));
    check("cvc5", "sat\n", words, OK, 2, &format!("sat; {last}; {crash}"));
    // z3 ends with 1 because a question was refused.
    let refused = Ending { refused: true, ..code(1) };
    check("z3", "sat\n", "unexpected exception\n", refused, 1, "sat");
    check(
        "z3",
        "sat\n",
        "unexpected exception\n",
        code(1),
        1,
        "sat; [internal error: unexpected exception]",
    );
    // A sanitizer reports from outside of the solver, and lets it go on.
    let report = "/b/src/r.cpp:9:14: runtime error: signed integer overflow: 1 + 1\n";
    check(
        "z3",
        "sat\n",
        report,
        OK,
        1,
        "sat; [sanitizer signed integer overflow: 1 + 1: src/r.cpp:9:14]",
    );
    check("z3", "sat\n", "note: runtime error: none\n", OK, 1, "sat");
}

/// A wrapper that did not give way to the solver (`exec`) ends with the code that its shell makes of a signal.
#[test]
fn codes_that_shells_make_of_signals() {
    for timer in [124, 142, 152, 154, 155] {
        check("generic", "", "", code(timer), 1, "timeout (the solver's own limit)");
    }
    check("z3", "", "", code(137), 1, "out-of-memory");
    check("generic", "", "", code(143), 1, "unreadable (ended by SIGTERM, from outside)");
    for failed in [134, 139, 128, 160, 255] {
        let crash = format!("crash (exit code {failed}); [exit code {failed}]");
        check("generic", "", "", code(failed), 1, &crash);
    }
}
