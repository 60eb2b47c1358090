//! A campaign without solvers: a folder with findings, and what it tells.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use smelt_campaign::event::{Event, Rest, Resting, Snapshot};
use smelt_campaign::finding::{Accused, FORMAT, Finding, Verdict};
use smelt_campaign::shelf::{Contents, Folders, Kept, Shelf};
use smelt_campaign::tally::{Tally, Tested};
use smelt_case::{Origin, SeedRef};
use smelt_hub::live::{Handle, Show, Token, listen, serve};
use smelt_solver::Mode;
use smelt_triage::{Class, Grade};
use smelt_trial::Reproducer;

/// A symbol that is at home in no page.
pub const HOSTILE: &str = "|</script><img src=x onerror=alert(1)> \"' `|";
/// The token of all tests.
pub const TOKEN: &str = "a-token-of-a-test-0123";

/// An empty campaign's folder of this test's own.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("findings")).unwrap();
    folder
}

fn token(folder: &Path) -> Token {
    let file = folder.with_extension("token");
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    Token::read(&file).unwrap()
}

/// The page of a folder.
pub fn page(folder: &Path, address: SocketAddr) -> Handle {
    let show = Show {
        folder: folder.to_owned(),
        title: format!("a {HOSTILE} campaign"),
        solvers: vec![format!("z3 {HOSTILE}")],
        samples: Vec::new(),
    };
    serve(listen(address).unwrap(), token(folder), show).unwrap()
}

/// Keeps a finding: what the campaign tells of it.
pub fn find(folder: &Path, class: Class, number: u32) -> Event {
    let (shelf, _) = Folders::open(folder).unwrap();
    let id = format!("{}-z3-{number:08x}", class.word());
    let verdict =
        Verdict { class, grade: Grade::Proven, evidence: HOSTILE.into(), withdrawn: None };
    let finding = Finding {
        format: FORMAT,
        id,
        verdicts: vec![verdict],
        accused: Accused {
            label: format!("z3 {HOSTILE}"),
            spec: "z3@4.8.7".into(),
            profile: "z3".into(),
            version: Some("4.8.7".into()),
            binary: "ab".into(),
            command: vec!["z3".into(), "{file}".into()],
        },
        reproducer: Reproducer::new(class, Mode::plain(), 0),
        answer: format!("crash ({HOSTILE})"),
        model: None,
        rate: (3, 3),
        signature: format!("{number} {HOSTILE}"),
        logic: "QF_UF".into(),
        peers: Vec::new(),
        totalised: false,
        origin: Origin::Seed(SeedRef { name: "a.smt2".into(), hash: "00".into() }),
        seeds: Vec::new(),
        mutation: "the seed itself".into(),
        found: 1,
        cpu_seconds: 0.5,
        fingerprint: None,
        signatures: Default::default(),
        known: None,
        labels: Vec::new(),
        done: Default::default(),
        position: None,
        spent: None,
    };
    let script = format!("(declare-const {HOSTILE} Bool)\n(assert {HOSTILE})\n(check-sat)\n");
    let contents = Contents {
        finding,
        bug: script.clone(),
        original: script,
        before: None,
        flat: None,
        values: None,
        seeds: Vec::new(),
        witness: None,
        outputs: vec![(format!("z3 {HOSTILE}"), HOSTILE.into())],
    };
    match shelf.keep(contents) {
        Kept::New(finding) => Event::Found { finding },
        _ => panic!("it is new"),
    }
}

/// How a campaign stands after so many tests.
pub fn progress(tests: u64) -> Event {
    let mut counts = Tally::default();
    for (solver, answer) in [("z3 (4.8.7)", "sat"), ("cvc5", "unknown")] {
        counts.count_test(&Tested {
            maker: "opfuzz",
            said: vec![(solver, answer)],
            rejected: false,
            solver_cpu: 0.5,
            own_cpu: 0.1,
        });
    }
    counts.total.tests = tests;
    counts.rejections.insert(format!("cvc5 {HOSTILE}"), 3);
    let longest = vec![Rest { seed: format!("seeds/{HOSTILE}.smt2"), turns: 8 }];
    Event::Progress(Box::new(Snapshot {
        elapsed_seconds: tests as f64 / 10.0,
        solver_share: 0.875,
        resting: Resting { seeds: 1, longest },
        counts,
        ..Snapshot::default()
    }))
}
