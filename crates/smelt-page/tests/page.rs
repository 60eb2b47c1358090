//! The page needs nothing else, says the same of the same data, and nothing in scripts or outputs gets out of its place.

use std::collections::BTreeMap;

use smelt_campaign::event::{Rest, Resting};
use smelt_page::{Bug, Machine, Page, Sample, Status};
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
        profile: "z3".into(),
        signature: "one".into(),
        status: Status::Bisected,
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
        found: vec![12.0, 14.0],
        answers: BTreeMap::from([("z3 <4>".to_owned(), BTreeMap::from([("sat".to_owned(), 300)]))]),
        refusals: vec![("Seeds".to_owned(), BTreeMap::from([("<same>".to_owned(), 2)]))],
        resting: Resting {
            seeds: 2,
            longest: vec![Rest { seed: "<same>.smt2".into(), turns: 64 }],
        },
        machines: vec![Machine {
            name: "a <same>".into(),
            about: "part 1/2".into(),
            samples: vec![(100, 0), (105, 10), (115, 300)],
        }],
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
    for heading in [
        "Releases",
        "Discovery",
        "Tests per second",
        "Strategies and theories",
        "Machines",
        "Answers",
        "Refusals",
        "Seeds at rest",
    ] {
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

/// Two campaigns: a bug of both by its signature, another one by the releases that have it, and one of each alone.
#[test]
fn a_folder_of_two_campaigns() {
    let bug = |id: &str, signature: &str, printed: bool| {
        let mut bug = page().bugs.remove(0);
        (bug.id, bug.signature) = (id.to_owned(), signature.to_owned());
        bug.fingerprint = bug.fingerprint.filter(|_| printed);
        bug
    };
    let (mut one, mut two) = (page(), page());
    one.bugs = vec![bug("a-1", "x", false), bug("a-2", "y", true), bug("a-3", "z", false)];
    two.title = "another".into();
    two.bugs = vec![bug("b-1", "x", false), bug("b-2", "w", true), bug("b-3", "v", false)];
    let files: BTreeMap<String, String> = one.folder(Some(&two)).into_iter().collect();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expect = [
        "bugs/a-1.html",
        "bugs/a-2.html",
        "bugs/a-3.html",
        "compare.html",
        "index.html",
        "other/bugs/b-1.html",
        "other/bugs/b-2.html",
        "other/bugs/b-3.html",
        "page.css",
        "page.js",
    ];
    assert_eq!(names, expect);
    let compared = &files["compare.html"];
    let at = |text: &str| compared.find(text).unwrap_or_else(|| panic!("{text}: {compared}"));
    let parts = [
        "<h2>In both (2)</h2>",
        "href=\"bugs/a-1.html\"",
        "href=\"other/bugs/b-1.html\"",
        "href=\"bugs/a-2.html\"",
        "href=\"other/bugs/b-2.html\"",
        "<h2>Only in a &lt;campaign&gt; (1)</h2>",
        "href=\"bugs/a-3.html\"",
        "<h2>Only in another (1)</h2>",
        "href=\"other/bugs/b-3.html\"",
    ];
    assert!(parts.windows(2).all(|w| at(w[0]) < at(w[1])), "{compared}");
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        assert!(text.contains("Content-Security-Policy") && !text.contains("<script>"), "{name}");
        assert!(!text.contains("<same>") && !text.contains("<b>|"), "{name}");
        let up = "../".repeat(name.matches('/').count());
        assert!(text.contains(&format!("href=\"{up}page.css\"")), "{name}");
    }
    assert!(files["index.html"].contains("href=\"bugs/a-1.html\""));
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
    // What the browser says of a page on its console, and the page as it is then.
    let shown = |html: &str, style: &str| {
        std::fs::write(&file, html).unwrap();
        let out = std::process::Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=800,900"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", style])
            .arg(format!("--user-data-dir={}", folder.join("browser").display()))
            .arg("--dump-dom")
            .arg(format!("file://{}", file.display()))
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&out.stderr), text(&out.stdout))
    };
    // Its own script may run, and no other.
    let (light, dark) =
        ("--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0");
    let (said, _) = shown(&page().html(), light);
    assert!(!said.contains("CONSOLE"), "{said}");
    let probed = page().html().replace("</body>", &format!("{PROBE}</body>"));
    let (said, dom) = shown(&probed, light);
    assert!(said.contains("CONSOLE") && !dom.contains("data-probe"), "{said}");
    let policy = probed.split_once("<meta http-equiv").unwrap().1.split_once(">\n").unwrap().0;
    for style in [light, dark] {
        let (said, dom) = shown(&probed.replace(policy, ""), style);
        assert!(!said.contains("CONSOLE"), "{said}");
        assert!(dom.contains("data-probe=\"1 true true true 0\""), "{style}\n{dom}\n{said}");
    }
}
