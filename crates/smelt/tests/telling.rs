//! What is told beside results: `--quiet`, `--verbose`, colour, and nobody who reads.

mod run;

use std::io::Read;
use std::process::{Command, Stdio};

use run::{file, program, smelt};
use smelt_solver::testing;

/// What a run says on standard output and standard error.
fn said(args: &str) -> (String, String) {
    let out = smelt(&args.split(' ').collect::<Vec<_>>());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr))
}

#[test]
fn quiet_and_verbose() {
    file("told.smt2", "(declare-const p Bool)(assert p)(check-sat)");
    file("told-rules", "(implies told :vars ((p Bool)) :strong p :weak p)");
    program("told-sat", "echo sat");
    program("told-unsat", "echo unsat");
    let check = |args: &str, out: &[&str], err: &[&str]| {
        let (stdout, stderr) = said(args);
        for (parts, text) in [(out, &stdout), (err, &stderr)] {
            parts.iter().for_each(|p| assert!(text.contains(p), "{args}: no {p} in {text}"));
            assert!(!parts.is_empty() || text.is_empty(), "{args}: {text}");
        }
    };
    check("check told.smt2", &["ok told.smt2\n1 ok"], &[]);
    check("check told.smt2 -q", &["1 ok, 0 rejected\n"], &[]);
    assert!(!said("-q check told.smt2").0.contains("ok told"));
    check("check told.smt2 -v", &["ok told.smt2"], &["1 scripts in told.smt2\n"]);
    check("check told.smt2 --solver ./told-sat", &["told-sat", "sat"], &[]);
    check("check told.smt2 --solver ./told-sat --quiet", &[], &[]);
    check("check told.smt2 --solver ./told-unsat --quiet", &["=> told-unsat: refutation"], &[]);
    check(
        "check told.smt2 --solver ./told-sat --limit 3 --verbose",
        &["told-sat"],
        &[
            "solver told-sat: version unknown, /",
            "/told-sat; sandbox: ",
            "limits for one script: 3 s of CPU",
            "1 scripts in told.smt2",
        ],
    );
    check("mutate told.smt2 -s storm -n 1 -v", &["; mutant 1"], &["seed told.smt2\n"]);
    let verify = "rules verify --rules told-rules --dry --no-solvers --rounds 10";
    check(&format!("{verify} -q"), &["told ", "open, off", "1 rules: "], &[]);
}

/// Where a release's word does not count is said with it.
#[test]
fn caveats_in_force() {
    testing::solver("z3@4.8.7");
    file("told-caveat.smt2", "(check-sat)");
    let (_, stderr) = said("check told-caveat.smt2 --solver z3@4.8.7 -v");
    assert!(stderr.contains("no verdict where a literal with a backslash"), "{stderr}");
}

/// Colour is for terminals: neither a pipe nor JSON has any. A terminal has, unless `NO_COLOR` is set.
#[test]
fn colour() {
    file("red.smt2", "(declare-const p Bool)(assert p)(check-sat)");
    program("red-unsat", "echo unsat");
    let smelt = env!("CARGO_BIN_EXE_smelt");
    let check = |json: &str, force: &[(&str, &str)], red: bool| {
        let mut command = Command::new(smelt);
        command.args(["check", "red.smt2", "--solver", "./red-unsat"]);
        command.args(json.split_whitespace());
        command.current_dir(env!("CARGO_TARGET_TMPDIR")).env("SMELT_HOME", testing::home().root());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(force.iter().copied());
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert!(text.contains("refutation"), "{text}");
        assert_eq!(text.contains("\u{1b}[31m  => red-unsat"), red, "{json} {force:?}: {text:?}");
        assert!(red || !text.contains('\u{1b}'), "{text:?}");
    };
    check("", &[], false);
    check("", &[("CLICOLOR_FORCE", "1")], true);
    check("--json", &[("CLICOLOR_FORCE", "1")], false);
    check("", &[("NO_COLOR", "1")], false);
}

/// Whoever reads may leave, as `head -1` does: no complaint, and the end.
#[test]
fn nobody_reads() {
    file(
        "unheard.smt2",
        "(declare-const p Bool)(declare-const q Bool)(assert (and p q))(check-sat)",
    );
    for args in [
        "man",
        "completions zsh",
        "rules list",
        "rules list --json",
        "rules show",
        "rules verify --dry --no-solvers --rounds 1",
        "check --stats",
        "mutate --list",
        "mutate unheard.smt2 -s opfuzz -n 500",
        "solvers list",
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_smelt"))
            .args(args.split(' '))
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .env("SMELT_HOME", testing::home().root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut complaint = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        let code = child.wait().unwrap().code();
        assert_eq!((complaint.as_str(), code), ("", Some(0)), "{args}");
    }
}
