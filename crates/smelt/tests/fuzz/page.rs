//! The live page of a campaign, as the command serves it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use crate::run::{SEED, bare_command, campaign, command, folder, smelt, text};
use crate::scripted::{CRASHES, shell};

/// The page says what the terminal says, while the campaign goes on, and ends with it; what was seen there is in the static folder, too.
#[test]
fn from_beginning_to_end() {
    let dir = folder("page", SEED);
    let crasher = shell(&dir, "crasher", CRASHES);
    let more = "--findings 1 --out out --strategy opfuzz --seed 1 --json --page 0";
    let mut run = command(&dir, &campaign(&[&crasher], more))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(run.stderr.take().unwrap()).lines().map_while(Result::ok);
    let told = said.find_map(|l| Some(l.strip_prefix("page: http://")?.to_owned())).unwrap();
    let (address, token) = told.split_once("/; the token to mark bugs there: ").unwrap();
    assert!(token.len() == 32 && address.starts_with("127.0.0.1:"), "{told}");
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /events HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut seen = String::new();
    stream.read_to_string(&mut seen).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(10));
    let id = fs::read_dir(dir.join("out/findings")).unwrap().next().unwrap().unwrap();
    let id = id.file_name().into_string().unwrap();
    for word in [&*id, "\"ended\":true", "tests per second", "view:answers"] {
        assert!(seen.contains(word), "{word}: {seen}");
    }

    smelt(&dir, &["report", "--campaign", "out", "--mark", &format!("{id}=known")], 0);
    let listed = text(&smelt(&dir, &["report", "out"], 0));
    assert!(listed.trim_end().ends_with(": known"), "{listed}");
    smelt(&dir, &["report", "out", "--html", "site/", "--against", "out"], 0);
    let read = |name: &str| fs::read_to_string(dir.join("site").join(name)).unwrap();
    let index = read("index.html");
    for word in ["tests per second", "seeds in use", "<h2>Discovery</h2>", "data-status=\"known\""]
    {
        assert!(index.contains(word), "{word}: {index}");
    }
    assert!(read(&format!("bugs/{id}.html")).contains("<pre"));
    assert!(read("compare.html").contains("<h2>In both (1)</h2>"));
    let said = text(&smelt(&dir, &["report", "out", "--html", "one.html", "--against", "out"], 2));
    assert!(said.contains("two campaigns are compared in a folder"), "{said}");
}

/// One sentence each, before anything is begun.
#[test]
fn bad_addresses() {
    let dir = folder("page-bad", SEED);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    fs::write(dir.join("short"), "secret\n").unwrap();
    for (more, sentence) in [
        (vec![&*taken], "cannot show the page at 127.0.0.1:"),
        (vec!["seeds"], "\"seeds\" is no address for a page: write IP:PORT"),
        (vec!["example.org:80"], "\"example.org:80\" is no address for a page"),
        (vec!["0.0.0.0:0"], "0.0.0.0:0 can be reached from other machines: give a token"),
        (vec!["0.0.0.0:0", "--page-token", "none"], "cannot read the token none"),
        (vec!["0.0.0.0:0", "--page-token", "short"], "short: a token has 16 to 256"),
    ] {
        let args = [&["fuzz", "seeds", "--out", "out", "--page"], &more[..]].concat();
        let out = bare_command(&dir, &args).output().unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{args:?} {said}");
        assert!(said.contains(sentence) && said.trim_end().lines().count() == 1, "{args:?} {said}");
        assert!(!dir.join("out").exists(), "{args:?}");
    }
}
