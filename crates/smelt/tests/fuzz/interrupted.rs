//! Ends that are not those of a budget, and folders that cannot be used.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::run::{SEED, bare_command, campaign, command, folder, smelt, text};
use crate::scripted::shell;

/// Ctrl-C says how to go on.
#[test]
fn how_to_go_on() {
    let dir = folder("interrupted", SEED);
    let shy = shell(&dir, "shy", "echo unknown");
    let mut c = command(&dir, &campaign(&[&shy], "--time 60s --out out --strategy opfuzz"));
    let child = c.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(4));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let out = child.wait_with_output().unwrap();
    let said = text(&out);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(said.contains("interrupted; go on with smelt fuzz --resume --out "), "{said}");
}

/// What is not there is not made by who goes on, and a data folder that cannot be written to is said at once.
#[test]
fn folders_that_are_not_there() {
    let dir = folder("nosuch", SEED);
    for args in
        [["fuzz", "--resume", "--out", "nosuch"], ["fuzz", "--list-skipped", "--out", "nosuch"]]
    {
        let said = text(&smelt(&dir, &args, 2));
        assert!(said.contains("there is no campaign in nosuch"), "{said}");
        assert!(!dir.join("nosuch").exists());
    }
    fs::write(dir.join("home"), "a file").unwrap();
    let shy = shell(&dir, "shy", "echo unknown");
    let out = bare_command(&dir, &campaign(&[&shy], "--tests 1 --out out"))
        .env("SMELT_HOME", dir.join("home"))
        .output()
        .unwrap();
    let said = text(&out);
    assert!(
        said.contains("cannot write to the data folder") && !dir.join("out").exists(),
        "{said}"
    );
    assert_eq!(out.status.code(), Some(2), "{said}");
}
