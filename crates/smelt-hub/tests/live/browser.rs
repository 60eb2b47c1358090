//! The page under a real pointer and real keys: it moves without being loaded again, and comes back when the server does.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smelt_campaign::report::queue::Reported;
use smelt_hub::live::Handle;
use smelt_triage::Class;

use crate::driver::Browser;
use crate::made_up::{TOKEN, find, folder, page, progress};

/// Waits until a condition holds on the page.
fn wait(browser: &Browser, condition: &str) {
    let body = format!(
        "return new Promise(done => {{ const holds = () => {condition}; if (holds()) return done(true);
            new MutationObserver((_, o) => {{ if (holds()) {{ o.disconnect(); done(true); }} }})
                .observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }}); }})"
    );
    let said = browser.ask(&body);
    assert_eq!(said, true, "{condition}: {}", browser.ask("return document.body.innerText"));
}

/// Tells the page how things stand until it shows it: of many words in a short time it takes some.
fn tell(browser: &Browser, page: &Handle, tests: u64) {
    let end = Instant::now() + Duration::from_secs(60);
    let shown = format!("return document.querySelector('.figures')?.innerText.includes('{tests}')");
    while browser.ask(&shown) != true {
        assert!(Instant::now() < end, "{tests} tests are not shown");
        page.feed(&progress(tests));
    }
}

#[test]
fn it_moves() {
    let dir = folder("browser");
    find(&dir, Class::Crash, 1);
    let Some(browser) = Browser::start() else {
        // What a test prints is shown only when it fails; this is always shown.
        let line = "it_moves: skipped, there is no chromedriver with a chromium\n";
        return drop(std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()));
    };
    let served = page(&dir, SocketAddr::from(([127, 0, 0, 1], 0)));
    let url = served.url();
    browser.open(&format!("{url}#crash-z3-00000001"));
    wait(&browser, "document.getElementById('view:state').dataset.state === 'running'");
    // The address names a bug, which is open.
    wait(&browser, "document.querySelector('#crash-z3-00000001[open]')");
    browser.ask("window.same = true; document.querySelector('#crash-z3-00000001').open = false;");
    tell(&browser, &served, 12_345);
    tell(&browser, &served, 23_456);

    // A finding appears by itself, and stands before one that is less bad.
    served.feed(&find(&dir, Class::RefutationSoundness, 2));
    wait(&browser, "document.querySelectorAll('details').length === 2");
    let ids = "return [...document.querySelectorAll('details')].map(d => d.id)";
    let (worst, crash) = ("refutation-soundness-z3-00000002", "crash-z3-00000001");
    assert_eq!(browser.ask(ids), json!([worst, crash]));
    let news = browser.ask("return document.getElementById('view:news').textContent");
    assert_eq!(news, format!("New: {worst}"));

    // A click opens it, and so do keys; it stays open, and the focus where it is, while numbers move.
    browser.click(&format!("#{worst} > summary"));
    wait(&browser, &format!("document.querySelector('#{worst}[open]')"));
    browser.ask(&format!("document.querySelector('#{crash} > summary').focus()"));
    browser.press("\u{e007}"); // Enter
    wait(&browser, &format!("document.querySelector('#{crash}[open]')"));
    tell(&browser, &served, 34_567);
    let focus = "return document.activeElement.parentElement.id + document.querySelectorAll('details[open]').length";
    assert_eq!(browser.ask(focus), format!("{crash}2"));

    // Marking it as known.
    browser.click(&format!("#{worst} button.mark"));
    wait(&browser, "document.getElementById('view:mark').open");
    browser.click("#view\\:mark input[value=known]");
    browser
        .ask(&format!("document.querySelector('#view\\\\:mark [name=token]').value = '{TOKEN}'"));
    browser.click("#view\\:mark button:not([type])");
    wait(&browser, &format!("document.querySelector('#{worst}').dataset.status === 'known'"));
    wait(&browser, "!document.getElementById('view:mark').open");
    let marks = Reported::read(&dir).unwrap();
    assert!(marks.entry(worst).is_some_and(|e| e.known) && marks.entry(crash).is_none());

    // What is hostile is text; on a telephone nothing is wider than it, and dark is not light.
    assert_eq!(browser.ask("return document.querySelectorAll('main img, main script').length"), 0);
    let colours = |scheme| {
        browser.look("screen", scheme);
        browser.ask("return getComputedStyle(document.body).backgroundColor")
    };
    assert_ne!(colours("light"), colours("dark"));
    browser.size(390, 844);
    let narrow = browser.ask("return [document.documentElement.scrollWidth, innerWidth]");
    assert_eq!(narrow, json!([390, 390]));
    assert_eq!(browser.ask("return window.same"), true, "the page was loaded again");
    assert_eq!(browser.complaints(), json!([]));
    let fetched = browser.fetched();
    let own = |u: &String| u.starts_with(&url) || u.starts_with("data:");
    assert!(fetched.iter().all(own) && fetched.iter().any(|u| u.ends_with("/mark")), "{fetched:?}");

    // The server ends and begins again, and the page is there by itself.
    let address = url.trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
    drop(served);
    wait(&browser, "document.getElementById('view:state').dataset.state === 'ended'");
    let served = page(&dir, address);
    wait(&browser, "document.getElementById('view:state').dataset.state === 'running'");
    tell(&browser, &served, 45_678);
    assert_eq!(browser.ask("return window.same"), true, "the page was loaded again");
    // While there was no server, a browser says so.
    let said = browser.complaints();
    let refused = |c: &Value| c["message"].as_str().is_some_and(|m| m.contains("/events"));
    assert!(said.as_array().unwrap().iter().all(refused), "{said}");
}
