//! Whether a fault still shows, by class and answer.

use std::time::Duration;

use smelt_solver::{Cancel, Mode, Status};
use smelt_triage::{Class, Says, TargetId};
use smelt_trial::reproducer::{Pair, Scripts, Shown, Terms};
use smelt_trial::{Panel, Reproducer};

use crate::panels::{CRASH, FALSE_MODEL, MODEL, ONE, SAT, UNKNOWN, UNSAT, panel, script};

fn reproducer(class: Class) -> Reproducer {
    Reproducer {
        class,
        mode: Mode { cores: class.row().names, ..Mode::plain() },
        check: 0,
        crash: None,
        session: false,
        witness: None,
        reference: None,
        factor: None,
        pair: Some(Pair { expected: Status::Sat, rule: "none".into() }),
    }
}

fn shows(reproducer: &Reproducer, panel: &Panel, text: &str, transcript: Option<&str>) -> Shown {
    let cancel = Cancel::new().unwrap();
    let terms = Terms::new(Duration::from_secs(5), &cancel);
    let (script, before) = (script(text), script("(assert true)(check-sat)"));
    let scripts = Scripts { script: &script, transcript, before: Some(&before) };
    reproducer.shows(panel, TargetId(0), &scripts, &terms).unwrap()
}

fn letter(says: Says) -> char {
    match says {
        Says::Holds => 'h',
        Says::DoesNot => 'n',
        Says::Open => '?',
        Says::Other(Class::Crash) => 'c',
        Says::Other(_) => 'o',
    }
}

/// One letter per class, the worst first: it holds, it does not, it is open, or a crash is seen instead.
#[test]
fn classes_and_answers() {
    let before = "answer = lambda s: 'sat' if 'true' in s else 'unknown'";
    let clash = "answer = lambda s: 'sat' if 'true' in s else 'unsat'";
    let core = "answer = lambda s: 'unsat'\ncore = lambda s: '(smelt.core.1)'";
    let rejects = "answer = lambda s: '(error \"line 1 column 1: no\")\\nunsat'";
    let late = "answer = lambda s: 'unsat'\nat_exit = lambda: violate('a.cpp', 1)";
    let table = [
        (SAT, "nhnn??nnnnnnnn"),
        (MODEL, "nnnnnnnnnnnnnn"),
        (FALSE_MODEL, "nhnn?hnnnnnnnn"),
        (UNSAT, "hnnnnn?nnnnnnn"),
        (UNKNOWN, "???????n?h?n??"),
        (CRASH, "ccccccchcccccc"),
        (before, "???????n?h?h??"),
        (clash, "hnnhnn?nnnnnnn"),
        (core, "hnnnnnnnnnnnnn"),
        (rejects, "??????????????"),
        (late, "hnnnnn?hnnnnnn"),
    ];
    let said = table.map(|(does, _)| {
        let panel = panel(&[("z3", does)], &[]);
        let says = |class| letter(shows(&reproducer(class), &panel, ONE, None).says);
        Class::all().map(says).collect::<String>()
    });
    assert_eq!(said, table.map(|(_, expect)| expect));
}

/// A check that an earlier end leaves open; a transcript that breaks off; a crash that is sought by its signature.
#[test]
fn what_is_said() {
    let does = |does| panel(&[("z3", does)], &[]);
    let two = "(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n(check-sat)\n";
    let second = Reproducer { check: 1, ..reproducer(Class::RefutationSoundness) };
    let check = |shown: Shown, says: char, what: &str| {
        assert_eq!((letter(shown.says), &*shown.what), (says, what));
    };
    let violation = "assertion src/smt/a.cpp:1: bad";
    let ended = format!("it came as far as check 1: crash ({violation})");
    check(shows(&second, &does(CRASH), two, None), '?', &ended);
    let once = "answer = lambda s: violate('a.cpp', 1) if checks == 1 else 'unsat'";
    let transcript = format!("{ONE}(reset)\n{ONE}");
    let session = Reproducer { session: true, ..reproducer(Class::RefutationSoundness) };
    let broken = "it did not come as far as the script";
    check(shows(&session, &does(once), ONE, Some(&transcript)), '?', broken);
    check(shows(&session, &does(UNSAT), ONE, Some(&transcript)), 'h', "unsat");
    let crash =
        |text: &str| Reproducer { crash: Some(text.to_owned()), ..reproducer(Class::Crash) };
    check(
        shows(&crash(&format!("z3 crash: {violation}")), &does(CRASH), ONE, None),
        'h',
        violation,
    );
    let other = format!("another crash: {violation}");
    check(shows(&crash("z3 crash: SIGSEGV: f < g"), &does(CRASH), ONE, None), 'c', &other);
    let segv = "import signal\nanswer = lambda s: os.kill(os.getpid(), signal.SIGSEGV)";
    for (text, says) in [("SIGSEGV", 'h'), ("z3 crash: SIGSEGV: f < g", 'h'), ("SIGABRT", 'c')] {
        assert_eq!(letter(shows(&crash(text), &does(segv), ONE, None).says), says, "{text}");
    }
}
