//! The page needs nothing else, says the same of the same data, and nothing in scripts or outputs gets out of its place.

use std::collections::BTreeMap;

use smelt_page::{Bug, Page, Sample};
use smelt_triage::{Class, Fingerprint, Grade, Mark};

fn page() -> Page {
    let releases = [("4.8.9.0", Mark::Shows), ("4.8.10.0", Mark::Gone), ("4.8.5.0", Mark::Open)];
    let fingerprint = Fingerprint {
        solver: "z3".into(),
        class: Class::RefutationSoundness,
        crash: None,
        operators: ["str.len".to_owned()].into(),
        releases: releases.map(|(name, mark)| (name.to_owned(), mark)).into(),
        own: None,
        options: BTreeMap::from([("smt.relevancy=0".to_owned(), Mark::Gone)]),
    };
    let bug = Bug {
        id: "refutation-soundness-z3-00000000".into(),
        solver: "z3@4.8.9".into(),
        class: Class::RefutationSoundness,
        grade: Grade::Proven,
        logic: "QF_S".into(),
        script: "(declare-fun |</script><b>| () String)\n(check-sat)\n".into(),
        proof: "x = \"<img src=x onerror=alert(1)>\" satisfies it.".into(),
        command: "z3 bug.smt2".into(),
        after: 12.0,
        triggers: vec![("another".into(), "operators ⊆ & the <same>".into())],
        fingerprint: Some(fingerprint),
        reported: Some("javascript:alert(1)".into()),
    };
    let samples = (0..4).map(|i| Sample { elapsed: f64::from(i) * 5.0, tests: 100 * i as u64 });
    Page {
        title: "a <campaign>".into(),
        solvers: vec!["z3".into()],
        figures: vec![("bugs".into(), "1".into())],
        bugs: vec![bug],
        samples: samples.collect(),
        yields: BTreeMap::from([("fusion".to_owned(), BTreeMap::from([("QF_S".to_owned(), 1)]))]),
        tests: BTreeMap::from([("fusion".to_owned(), 300)]),
    }
}

#[test]
fn texts_stay_in_their_place() {
    let html = page().html();
    assert_eq!(html, page().html());
    assert_eq!(html.matches("<script>").count(), 1);
    assert_eq!(html.matches("</script>").count(), 1);
    for word in
        ["|</script>", "<img", "<same>", "<campaign>", "href=\"javascript", "http://", "https://"]
    {
        assert!(!html.contains(word), "{word}");
    }
    assert!(html.contains("|&lt;/script&gt;&lt;b&gt;|"));
}

/// Releases stand in the order of their numbers, each bug has a row, and everything that is measured has its figure.
#[test]
fn figures() {
    let html = page().html();
    let at = |text: &str| html.find(&format!(">{text}</text>")).unwrap();
    assert!(at("4.8.5.0") < at("4.8.9.0") && at("4.8.9.0") < at("4.8.10.0"));
    for heading in ["Releases", "Discovery", "Tests per second", "Strategies and theories"] {
        assert!(html.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    assert!(html.contains("4.8.10.0 does not have it"));
    // Nothing was found, nothing was measured.
    let empty = Page::default().html();
    assert!(empty.contains("<p>None.</p>") && !empty.contains("<svg viewBox"));
    // What is written is read again.
    let text = serde_json::to_string(&page()).unwrap();
    assert_eq!(serde_json::from_str::<Page>(&text).unwrap(), page());
}

/// Runs in the page: every bug can be reached and opened by keys alone, and what scrolls, too. The dark and the light style differ.
const PROBE: &str = "<script>
const focusable = e => { e.focus(); return document.activeElement === e; };
const folds = [...document.querySelectorAll('details')];
const opened = folds.every(d => { const s = d.querySelector('summary'); const f = focusable(s); s.click(); return f && d.open; });
const scrolls = [...document.querySelectorAll('pre, .wide, .skip')].every(focusable);
const wide = document.documentElement.scrollWidth <= innerWidth;
const loaded = performance.getEntriesByType('resource').length;
document.body.dataset.probe = [folds.length, opened, scrolls, wide, loaded].join(' ');
</script>";

/// In a browser: nothing on its console, nothing fetched, all by keys. Skipped where there is no Chromium.
#[test]
fn in_a_browser() {
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let found = std::process::Command::new(name).arg("--version").output();
        found.is_ok_and(|o| o.status.success())
    });
    let Some(browser) = browser else {
        // What a test prints is shown only when it fails; this is always shown.
        let line = "in_a_browser: skipped, there is no chromium\n";
        return drop(std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()));
    };
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("page.html");
    std::fs::write(&file, page().html().replace("</body>", &format!("{PROBE}</body>"))).unwrap();
    for style in
        ["--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"]
    {
        let out = std::process::Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=800,900"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", style])
            .arg(format!("--user-data-dir={}", folder.join("browser").display()))
            .arg("--dump-dom")
            .arg(format!("file://{}", file.display()))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(!said.contains("CONSOLE"), "{said}");
        let dom = String::from_utf8_lossy(&out.stdout);
        assert!(dom.contains("data-probe=\"1 true true true 0\""), "{style}\n{dom}\n{said}");
    }
}
