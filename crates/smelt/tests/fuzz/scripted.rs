//! Solvers that do what real ones do not do on demand.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use smelt_solver::testing;

/// A crash on every script with a `distinct`, which the seed has.
pub const CRASHES: &str = "grep -q distinct \"$1\" && kill -SEGV $$; echo unknown";

/// A program.
fn program(path: &Path, text: &str) -> String {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A solver that is a shell script, under a name of its own; `$1` is the file.
pub fn shell(dir: &Path, name: &str, script: &str) -> String {
    format!("{name}={}", program(&dir.join(name), &format!("#!/bin/sh\n{script}\n")))
}

/// The newest z3, with a filter on what it says; if `when` is given, only where its arguments have that `name=value`.
pub fn filtered(dir: &Path, when: Option<&str>, filter: &str) -> String {
    let z3 = testing::solver("z3@latest");
    let z3 = z3.program().display();
    let filtered = format!("'{z3}' \"$@\" | {filter}");
    let script = match when {
        None => filtered,
        Some(option) => {
            let apart = option.replace('=', "\\ ");
            format!(
                "case \"$*\" in *{option}*|*{apart}*) {filtered};; *) exec '{z3}' \"$@\";; esac"
            )
        }
    };
    program(&dir.join("z3"), &format!("#!/bin/sh\n{script}\n"))
}

/// A solver in sessions and in fresh processes that passes for `name`. It is Python: `answer(script)` is what it says to a check,
/// `core(script)` and `model(script)` to other questions, `at_exit()` ends a fresh process, `at_end()` any; `has(option)` tells how it was
/// started, `warm` whether it is a session, `checks` how many it has been asked; `violate(file, line)` is a crash of z3's.
pub fn scripted(dir: &Path, name: &str, answer: &str) -> String {
    let text = r#"#!/usr/bin/env python3
import os, re, sys
if any("version" in a for a in sys.argv):
    print({"z3": "Z3 version 4.13.0", "cvc5": "This is cvc5 version 1.0.8"}.get(NAME, "Yices 2.6.4"))
    sys.exit()
def has(option):
    return any(option in a for a in sys.argv)
def violate(file, line):
    sys.stderr.write("ASSERTION VIOLATION\nFile: ../src/smt/%s\nLine: %d\nbad\n" % (file, line))
    sys.stderr.flush()
    os._exit(114)
ANSWER
warm = len(sys.argv) < 2 or not os.path.exists(sys.argv[-1])
source = sys.stdin if warm else open(sys.argv[-1])
script, checks = "", 0
for line in iter(source.readline, ""):
    if "(reset)" in line:
        script = ""
    script += line
    for said in re.findall(r'\(echo "([^"]*)"|(\(check-sat|\(get-unsat-core|\(get-model)', line):
        if said[1] == "(check-sat":
            checks += 1
            print(answer(script))
        elif said[1] == "(get-unsat-core":
            print(core(script))
        elif said[1] == "(get-model":
            if "model" in globals():
                print(model(script))
        else:
            print(said[0])
    sys.stdout.flush()
if "at_exit" in globals() and not warm:
    at_exit()
if "at_end" in globals():
    at_end()
"#;
    let text = text.replace("NAME", &format!("{name:?}")).replace("ANSWER", answer);
    program(&dir.join(name), &text)
}
