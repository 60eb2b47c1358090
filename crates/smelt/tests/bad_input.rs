//! Bad input to every command: one sentence with the place, and the right exit code.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use smelt_solver::testing;

/// Scripts, folders and solvers of all kinds. `shy` answers `unknown`; `text` is no program; nothing can be made in `plain`.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bad-input");
    fs::create_dir_all(folder.join("empty/deep")).unwrap();
    fs::create_dir_all(folder.join("finding")).unwrap();
    for (name, text) in [
        ("good.smt2", "(declare-const p Bool)(assert (or p (not p)))(check-sat)"),
        ("broken.smt2", "(declare-const p Bool)\n(assert (and p 1))"),
        ("good.model", "((define-fun p () Bool true))"),
        ("broken.model", "((define-fun p () Bool"),
        ("broken.rules", "(rule"),
        ("good.rules", "(implies bv-double-not :vars ((p Bool)) :strong p :weak p)"),
        ("finding/finding.json", "{"),
        (
            "zero.plan",
            "budget = 0\nrepetitions = 1\nseed = 1\n[[target]]\nname = \"t\"\nsolvers = [\"z3\"]\n[[technique]]\nstrategies = [\"opfuzz\"]\n",
        ),
        ("half.plan", "budget = "),
        ("plain", "x"),
        ("text", "x"),
        ("empty/notes.txt", "no script"),
        ("shy", "#!/bin/sh\necho unknown\n"),
        ("mute", "#!/bin/sh\nexit 3\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    for name in ["shy", "mute"] {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// Arguments, exit code, and what is said.
const TABLE: &[(&str, i32, &str)] = &[
    // A missing file.
    ("check absent.smt2", 2, "cannot read absent.smt2: No such file"),
    ("check absent.smt2 --solver ./shy", 2, "cannot read absent.smt2: No such file"),
    ("check good.smt2 --operators absent.toml", 2, "cannot read absent.toml: No such file"),
    ("eval absent.smt2 --model good.model", 2, "cannot read absent.smt2: No such file"),
    ("eval good.smt2 --model absent.model", 2, "cannot read absent.model: No such file"),
    ("fuzz absent --solver ./shy", 2, "cannot read absent: No such file"),
    ("fuzz --known absent.toml --solver ./shy", 2, "cannot read absent.toml: No such file"),
    ("janus absent.smt2 --solver ./shy", 2, "cannot read absent.smt2: No such file"),
    ("lab absent.toml", 2, "cannot read absent.toml: No such file"),
    ("lab half.plan", 2, "half.plan: TOML parse error"),
    ("lab zero.plan", 2, "budget"),
    ("hub --listen nowhere", 2, "invalid socket address"),
    ("work", 2, "required arguments"),
    #[cfg(not(feature = "hub"))]
    ("hub --solver ./shy", 2, "--features hub"),
    #[cfg(not(feature = "hub"))]
    ("work nats://127.0.0.1:1/0123456789abcdef", 2, "--features hub"),
    #[cfg(feature = "hub")]
    ("work nats://127.0.0.1:1/0123456789abcdef", 2, "cannot connect to nats://127.0.0.1:1"),
    #[cfg(feature = "hub")]
    ("work http://127.0.0.1:1/x", 2, "is no campaign of a hub"),
    ("merge merged absent", 2, "absent is no campaign's folder"),
    ("merge merged empty", 2, "empty is no campaign's folder"),
    ("merge merged good.smt2", 2, "good.smt2 is no campaign's folder"),
    ("merge merged", 2, "required arguments"),
    ("fuzz --shard 1/4 --solver ./shy", 2, "--seed"),
    ("fuzz --seed 1 --shard 5/4 --solver ./shy", 2, "1 <= I <= N"),
    ("fuzz --seed 1 --shard 0/0 --solver ./shy", 2, "1 <= I <= N"),
    ("mutate absent.smt2 -s opfuzz", 2, "cannot read absent.smt2: No such file"),
    ("mutate good.smt2 -s storm --model absent", 2, "cannot read absent: No such file"),
    ("mutate good.smt2 -s fusion --partner absent", 2, "cannot read absent: No such file"),
    ("mutate good.smt2 -s janus --param rules=absent", 2, "cannot read absent: No such file"),
    ("reduce absent.smt2 --solver ./shy", 2, "cannot read absent.smt2: No such file"),
    ("reduce absent.smt2 -- true", 2, "cannot read absent.smt2: No such file"),
    ("reduce good.smt2 -- false", 2, "the test holds of an empty file, too"),
    ("reduce good.smt2", 2, "a solver is needed (--solver), or a command"),
    ("reduce good.smt2 -- ./absent-test", 2, "cannot read ./absent-test: No such file"),
    ("reduce good.smt2 --exit-code 7 -- true", 2, "the test does not hold of good.smt2 itself"),
    ("reduce good.smt2 --solver ./shy --model absent", 2, "cannot read absent: No such file"),
    ("replay absent", 2, "1 of 1 findings could not be replayed"),
    ("recheck --judge absent", 2, "1 of 1 findings could not be judged"),
    ("bisect absent", 2, "cannot read absent: No such file"),
    ("report absent", 2, "there is no bug absent"),
    ("evolve absent --solver ./shy", 2, "cannot read absent: No such file"),
    ("evolve --grammar absent --solver ./shy", 2, "no grammar inside smelt"),
    ("recheck absent --solver ./shy", 2, "absent is neither a campaign's folder nor a finding's"),
    ("enumerate absent.g", 2, "cannot read absent.g: No such file"),
    ("rules list --rules absent", 2, "cannot read absent: No such file"),
    ("rules show --rules absent", 2, "cannot read absent: No such file"),
    ("rules verify --rules absent", 2, "cannot read absent: No such file"),
    // A folder without scripts, or where one script is needed.
    ("check empty", 2, "there is no script (.smt2, .smt2.gz, .smt2.xz or .smt2.zst) in empty"),
    ("check empty --solver ./shy", 2, "there is no script ("),
    ("evolve empty --solver ./shy", 2, "there is no script ("),
    ("eval empty --model good.model", 2, "cannot read empty: it is a folder"),
    ("fuzz empty --solver ./shy", 2, "there is no script ("),
    ("janus empty --solver ./shy", 2, "there is no script ("),
    ("mutate empty -s opfuzz", 2, "cannot read empty: it is a folder"),
    ("reduce empty --solver ./shy", 2, "cannot read empty/finding.json: No such file"),
    ("replay empty", 2, "there is no finding in empty"),
    ("recheck --judge empty", 2, "there is no finding in empty"),
    ("rules list --rules empty", 2, "there is no such rule"),
    ("rules show --rules empty", 2, "there is no such rule"),
    ("rules verify --rules empty", 2, "there is no such rule"),
    // A broken script, model or rule.
    ("check broken.smt2", 1, "broken.smt2:2:9: error: "),
    ("check broken.smt2 --solver ./shy", 0, "smelt cannot read this script, so models are not"),
    ("check good.smt2 --operators broken.rules", 2, "broken.rules: "),
    ("eval broken.smt2 --model good.model", 2, "broken.smt2:2:9: error: "),
    ("eval good.smt2 --model broken.model", 2, "broken.model:1:"),
    ("fuzz broken.smt2 --solver ./shy", 2, "no seed can be used"),
    ("janus broken.smt2 --solver ./shy", 2, "no seed can be used (1: not understood)"),
    ("mutate broken.smt2 -s opfuzz", 2, "broken.smt2:2:9: error: "),
    ("mutate good.smt2 -s storm --model broken.model", 2, "broken.model:1:"),
    ("mutate good.smt2 -s fusion --partner broken.smt2", 2, "broken.smt2:2:9: error: "),
    ("reduce broken.smt2 --solver ./shy", 2, "broken.smt2:2:9: error: "),
    ("reduce good.smt2 --solver ./shy --model broken.model", 2, "the model:1:"),
    ("replay finding", 2, "1 of 1 findings could not be replayed"),
    ("recheck --judge finding", 2, "1 of 1 findings could not be judged"),
    ("recheck finding", 2, "<--judge|--solver <SOLVER>>"),
    ("rules list --rules broken.rules", 2, "broken.rules: "),
    ("rules show --rules broken.rules", 2, "broken.rules: "),
    ("rules verify --rules broken.rules", 2, "broken.rules: "),
    ("rules list --record broken.rules", 2, "broken.rules: "),
    // An unknown solver.
    ("check good.smt2 --solver nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("evolve good.smt2 --solver nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("evolve good.smt2 --solver z3@5..4", 2, "no release is between them"),
    ("evolve good.smt2 --solver ./shy --current z3@1.1", 2, "none of the releases that are asked"),
    ("enumerate core -n 3 --solver nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("fuzz good.smt2 --solver nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("janus good.smt2 --solver nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("perf --target ./shy --ref nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("perf --target ./shy", 2, "--ref"),
    ("perf --target ./shy --ref ./shy --time 1x", 2, "none of s, m, h, d"),
    (
        "reduce good.smt2 --model good.model --solver nobody",
        2,
        "no solver \"nobody\" on PATH or installed",
    ),
    (
        "reduce good.smt2 --reference nobody --solver ./shy",
        2,
        "no solver \"nobody\" on PATH or installed",
    ),
    ("replay finding --solver nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("rules verify --dry --solver nobody", 2, "no solver \"nobody\" on PATH or installed"),
    ("solvers install nobody", 2, "nobody: no such solver is known"),
    ("solvers remove nobody", 2, "nobody is not installed"),
    ("solvers list nobody", 2, "1 of what was asked for cannot be run"),
    ("solvers doctor nobody", 1, "no solver \"nobody\" on PATH or installed"),
    // A solver that is no program, or that does not answer.
    ("check good.smt2 --solver ./text", 2, "./text: is not executable"),
    ("check good.smt2 --solver ./mute", 2, "mute cannot be run: "),
    ("evolve good.smt2 --solver ./text", 2, "./text: is not executable"),
    ("evolve good.smt2 --solver ./mute", 2, "mute cannot be run: "),
    ("fuzz good.smt2 --solver ./text", 2, "./text: is not executable"),
    ("fuzz good.smt2 --solver ./mute", 2, "mute cannot be run: "),
    ("janus good.smt2 --solver ./text", 2, "./text: is not executable"),
    ("janus good.smt2 --solver ./mute", 2, "mute cannot be run: "),
    ("reduce good.smt2 --model good.model --solver ./text", 2, "./text: is not executable"),
    ("reduce good.smt2 --model good.model --solver ./mute", 2, "mute cannot be run: "),
    (
        "reduce good.smt2 --model good.model --solver ./shy;./shy",
        2,
        "one solver is needed here, and ./shy;./shy names 2",
    ),
    ("replay finding --solver ./text", 2, "./text: is not executable"),
    ("rules verify --dry --solver ./text", 2, "./text: is not executable"),
    ("rules verify --dry --solver ./mute", 2, "mute cannot be run: "),
    ("solvers doctor ./text", 1, "./text: is not executable"),
    ("solvers doctor ./mute", 1, "mute"),
    ("solvers list ./text", 2, "./text: is not executable"),
    ("solvers install ./text", 2, "\"./text\" names no release"),
    ("solvers remove ./text", 2, "\"./text\" names no release"),
    // Output that cannot be written.
    (
        "evolve good.smt2 --solver ./shy --out plain/x",
        2,
        "cannot make the folder plain/x: Not a dir",
    ),
    ("enumerate core --ci --solver ./shy --out plain/x", 2, "cannot make plain/x: Not a directory"),
    ("fuzz good.smt2 --solver ./shy --out plain/x", 2, "plain/x: Not a directory"),
    ("janus good.smt2 --solver ./shy --out plain/x", 2, "campaign's folder plain/x: Not a dir"),
    ("mutate good.smt2 -s opfuzz --out plain/x", 2, "cannot make plain/x: Not a directory"),
    ("fuzz good.smt2 --solver ./shy --log plain/x", 2, "plain/x: Not a directory"),
    ("man --out plain/x", 2, "cannot write to plain/x: Not a directory"),
    (
        "rules verify bv-double-not --rules good.rules --no-solvers --record plain/x",
        2,
        "cannot write plain/x: File exists",
    ),
    // A wrong unit or number.
    ("check good.smt2 --solver ./shy --limit 2w", 2, "'w' is none of s, m, h, d"),
    ("fuzz --limit 2w", 2, "'w' is none of s, m, h, d"),
    ("fuzz --time 2w", 2, "'w' is none of s, m, h, d"),
    ("fuzz --time 1h30", 2, "\"30\" has no unit"),
    ("evolve good.smt2 --solver ./shy --limit 2w", 2, "'w' is none of s, m, h, d"),
    ("fuzz --reduce later", 2, "there are off, now and end"),
    ("fuzz --jobs 0", 2, "0 is not in 1..=1024"),
    ("janus --solver ./shy --limit 2w", 2, "'w' is none of s, m, h, d"),
    ("janus --solver ./shy --time 2w", 2, "'w' is none of s, m, h, d"),
    ("janus --solver ./shy --tests 0", 2, "a whole number from 1 on is needed"),
    ("mutate good.smt2 -s opfuzz --seed x", 2, "invalid digit"),
    ("reduce good.smt2 --solver ./shy --limit 2w", 2, "'w' is none of s, m, h, d"),
    ("reduce good.smt2 --solver ./shy --votes x", 2, "a whole number from 1 on is needed"),
    ("replay x --limit 2w", 2, "'w' is none of s, m, h, d"),
    ("rules verify --limit 2w", 2, "'w' is none of s, m, h, d"),
    ("rules verify --rounds 1e3", 2, "invalid digit"),
    ("rules verify --no-solvers --solver ./shy", 2, "cannot be used with"),
    ("solvers install z3@new", 2, "what stands after @ is no version"),
    ("mutate good.smt2 -s opfuzz -n x", 2, "invalid digit"),
    ("eval good.smt2 --model good.model --term (+", 2, "--term:1:"),
    ("check good.smt2 -q -v", 2, "cannot be used with"),
    ("completions cmd", 2, "invalid value 'cmd'"),
];

#[test]
fn one_sentence_and_the_right_code() {
    let folder = folder();
    let mut wrong = Vec::new();
    for (args, code, sentence) in TABLE {
        let out = Command::new(env!("CARGO_BIN_EXE_smelt"))
            .args(args.split(' '))
            .current_dir(&folder)
            .env("SMELT_HOME", testing::home().root())
            .env("RUST_BACKTRACE", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        // What a command found out before, or of each of several things, is its output.
        let all = format!("{}{said}", String::from_utf8_lossy(&out.stdout));
        let complaints = said.lines().filter(|l| l.starts_with("smelt: ") || l.contains("error: "));
        let fault = match () {
            _ if out.status.code() != Some(*code) => format!("code {:?}", out.status.code()),
            _ if !all.contains(sentence) => "other words".to_owned(),
            _ if complaints.count() > 1 => "several sentences".to_owned(),
            _ if all.contains("panicked") || all.contains("backtrace") => "a panic".to_owned(),
            _ => continue,
        };
        wrong.push(format!("smelt {args}: {fault}, not {code} `{sentence}`:\n{all}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every command has rows in the table, but for those that nothing can be wrong with.
#[test]
fn every_command_is_tried() {
    let help = Command::new(env!("CARGO_BIN_EXE_smelt")).arg("--help").output().unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let names = help.lines().filter_map(|l| l.strip_prefix("  ")?.split(' ').next());
    for name in names.filter(|n| n.starts_with(|c: char| c.is_ascii_lowercase())) {
        assert!(TABLE.iter().any(|(args, ..)| args.starts_with(name)), "{name}");
    }
}
