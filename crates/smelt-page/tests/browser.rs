//! The page of an evolution under a real pointer: hovering shows values, a click shows the script, nothing is fetched, nothing complains.

mod driver;

use serde_json::{Value, json};
use smelt_campaign::evolve::data::{Cell, Evolution, Fault, Group, QueryRow, Ran, Release, Spread};
use smelt_page::evolution::html;

use self::driver::Browser;

const SCRIPT: &str = "(declare-const |<b>| Int)\n(check-sat)\n";

/// Two releases, the first with three faults of a class, and a query that both take.
fn evolution() -> Evolution {
    let release = |version: &str| Release {
        label: format!("z3@{version}"),
        solver: "z3".into(),
        version: version.into(),
        spec: format!("z3@{version}"),
        start_seconds: 0.025,
        cold_because: None,
    };
    let cell = |release: usize, faults: u64| Cell {
        release,
        solved: vec![Spread { mean: 7.0, low: 6.0, high: 8.0 }],
        solved_with_start: vec![Spread { mean: 2.0, low: 2.0, high: 2.0 }],
        faults: [("invalid-model".into(), faults)].into(),
        ..Cell::default()
    };
    Evolution {
        title: "a study".into(),
        limit: 0.015625,
        repeat: 2,
        thresholds: vec![0.015625],
        groups: vec![Group { name: "QF_LIA".into(), queries: 10, of_grammar: false }],
        releases: vec![release("4.8.7.0"), release("5.4.0.0")],
        cells: vec![cell(0, 3), cell(1, 0)],
        faults: vec![Fault {
            class: "invalid-model".into(),
            grade: "proven".into(),
            evidence: "x = 1 is false".into(),
            query: "q/one.smt2".into(),
            command: "smelt check q/one.smt2".into(),
            script: Some(SCRIPT.into()),
            ..Fault::default()
        }],
        matrix: vec![QueryRow {
            query: "q/one.smt2".into(),
            text: SCRIPT.into(),
            ran: vec![Ran { answer: "sat".into(), ..Ran::default() }, Ran::default()],
            ..QueryRow::default()
        }],
        ..Evolution::default()
    }
}

/// What the tooltip says, if it can be seen, and whether it lies within the window.
const TIP: &str = "const t = document.querySelector('.tip'), b = t.getBoundingClientRect();
    return t.hidden ? null : [t.textContent, b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight];";
/// What the dialog shows, if it is open.
const DIALOG: &str = "const d = document.querySelector('dialog');
    return d.open ? ['h2', 'p', 'pre'].map(s => d.querySelector(s).textContent) : null;";
/// The colours of the paper, the ink, and a point.
const COLOURS: &str = "const of = (s, p) => getComputedStyle(document.querySelector(s))[p];
    return [of('body', 'backgroundColor'), of('body', 'color'), of('circle.dot', 'fill')].join(' ');";

#[test]
fn under_the_pointer() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("evolution");
    std::fs::create_dir_all(&folder).unwrap();
    let Some(browser) = Browser::start() else {
        // What a test prints is shown only when it fails; this is always shown.
        let line = "under_the_pointer: skipped, there is no chromedriver with a chromium\n";
        return drop(std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()));
    };
    let file = folder.join("evolution.html");
    std::fs::write(&file, html(&evolution())).unwrap();
    browser.open(&format!("file://{}", file.display()));

    let fault = "circle[data-script='0']";
    let told = json!([
        "q/one.smt2",
        "z3@4.8.7.0: invalid-model (proven: x = 1 is false). smelt check q/one.smt2",
        SCRIPT
    ]);
    assert_eq!(browser.ask(TIP), Value::Null);
    browser.point_at(fault);
    assert_eq!(browser.ask(TIP), json!(["z3@4.8.7.0: 3 invalid-model", true]));
    browser.click(fault);
    assert_eq!(browser.ask(DIALOG), told);
    browser.press("\u{e00c}"); // Escape
    assert_eq!(browser.ask(DIALOG), Value::Null);
    // By keys alone.
    browser.ask(&format!("document.querySelector(\"{fault}\").focus()"));
    browser.press("\u{e007}"); // Enter
    assert_eq!(browser.ask(DIALOG), told);
    browser.click("dialog button");
    assert_eq!(browser.ask(DIALOG), Value::Null);
    browser.click(".matrix tbody button");
    assert_eq!(browser.ask(DIALOG), json!(["q/one.smt2", "QF_LIA", SCRIPT]));
    browser.click("dialog button");
    // A bar at the right edge, with the spread of its runs.
    browser.ask("document.querySelectorAll('[aria-label=\"QF_LIA · z3\"] rect.c2')[1].id = 'bar'");
    browser.point_at("#bar");
    assert_eq!(browser.ask(TIP), json!(["z3@5.4.0.0: 7 solved (6 to 8 in 2 runs)", true]));
    browser.point_at("h1");
    assert_eq!(browser.ask(TIP), Value::Null);

    let looks: Vec<Value> = [("screen", "light"), ("screen", "dark"), ("print", "light")]
        .map(|(media, scheme)| {
            browser.look(media, scheme);
            browser.ask(COLOURS)
        })
        .into();
    assert!(looks[0] != looks[1] && looks[0] != looks[2] && looks[1] != looks[2], "{looks:?}");
    assert!(browser.prints() > 10_000, "an empty PDF");
    assert_eq!(browser.complaints(), json!([]));
    let fetched = browser.fetched();
    assert!(
        fetched.iter().all(|u| u.starts_with("file:") || u.starts_with("data:")),
        "{fetched:?}"
    );
    assert!(fetched.iter().any(|u| u.ends_with("evolution.html")), "the page itself is seen");
}
