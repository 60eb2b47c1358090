//! What the server answers, and whom it refuses.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use smelt_campaign::report::queue::Reported;
use smelt_hub::live::Handle;
use smelt_triage::Class;

use crate::made_up::{HOSTILE, TOKEN, find, folder, page, progress};

fn loopback() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

fn port(page: &Handle) -> u16 {
    let url = page.url();
    url.trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap()
}

/// Sends a request as it is: the stream with the answer.
fn send(page: &Handle, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port(page))).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// What is answered up to a text that is waited for.
fn until(mut stream: TcpStream, end: &str) -> String {
    let (mut all, mut some) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&all);
        if text.contains(end) {
            return text.into_owned();
        }
        match stream.read(&mut some).unwrap() {
            0 => panic!("no {end:?} in {text}"),
            n => all.extend(&some[..n]),
        }
    }
}

/// The code of the answer to a request with these headers.
fn code(page: &Handle, first: &str, headers: &[&str], body: &str) -> u16 {
    let mut request = format!("{first} HTTP/1.1\r\n");
    headers.iter().for_each(|h| request += &format!("{h}\r\n"));
    if !body.is_empty() {
        request += &format!("Content-Length: {}\r\n", body.len());
    }
    let said = until(send(page, &format!("{request}\r\n{body}")), "\r\n\r\n");
    said.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn who_may_read() {
    let page = page(&folder("read"), loopback());
    let own = format!("Host: 127.0.0.1:{}", port(&page));
    let origin = format!("Origin: http://127.0.0.1:{}", port(&page));
    let check = |path: &str, headers: &[&str], expect: u16| {
        assert_eq!(code(&page, &format!("GET {path}"), headers, ""), expect, "{path} {headers:?}");
    };
    for path in ["/", "/page.css", "/page.js", "/events"] {
        check(path, &[&own], 200);
        check(path, &[&own, &origin, "Sec-Fetch-Site: same-origin"], 200);
        check(path, &["Host: localhost:9"], 200);
        check(path, &["Host: example.org"], 421);
        check(path, &["Host: 127.0.0.1.example.org"], 421);
        check(path, &[], 400);
        check(path, &[&own, "Host: localhost"], 400);
        check(path, &[&own, "Origin: http://example.org"], 403);
        check(path, &[&own, "Origin: null"], 403);
        check(path, &[&own, &origin, &origin], 403);
    }
    check("http://example.org/events", &[&own], 421);
    // A link elsewhere may lead to the page, and another page gets nothing of it.
    check("/", &[&own, "Sec-Fetch-Site: cross-site"], 200);
    check("/events", &[&own, "Sec-Fetch-Site: cross-site"], 403);
    check("/page.js", &[&own, "Sec-Fetch-Site: same-site"], 403);
    check("/mark", &[&own], 405);
    for path in ["/../finding.json", "/findings/", "/%2e%2e/etc/passwd", "/events/x"] {
        check(path, &[&own], 404);
    }
    let said = until(send(&page, &format!("GET / HTTP/1.1\r\n{own}\r\n\r\n")), "</html>");
    for word in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "a |&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot;&#39; `| campaign",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    // No script, no style and no handler is in the page itself.
    for word in ["<script>", "<style", " onload", "style=", "<img"] {
        assert!(!said.contains(word), "{word}: {said}");
    }
}

#[test]
fn who_may_mark() {
    let dir = folder("mark");
    find(&dir, Class::Crash, 1);
    let page = page(&dir, loopback());
    let port = port(&page);
    let own = format!("Host: localhost:{port}");
    let origin = format!("Origin: http://localhost:{port}");
    let token = format!("Authorization: Bearer {TOKEN}");
    let json = "Content-Type: application/json";
    let known = r#"{"bug":"crash-z3-00000001","as":"known","url":""}"#;
    let check = |first: &str, headers: &[&str], body: &str, expect: u16| {
        assert_eq!(code(&page, first, headers, body), expect, "{first} {headers:?} {body}");
    };
    let post = "POST /mark";
    check(post, &[&own, &token, json], known, 403);
    check(post, &[&own, "Origin: http://example.org", &token, json], known, 403);
    check(post, &[&own, "Origin: http://localhost:1", &token, json], known, 403);
    check(post, &[&own, &origin, &token, json, "Sec-Fetch-Site: cross-site"], known, 403);
    check(post, &["Host: example.org", "Origin: http://example.org", &token, json], known, 421);
    check(post, &[&own, &origin, json], known, 401);
    check(post, &[&own, &origin, json, "Authorization: Bearer another-token-0123"], known, 401);
    check(&format!("{post}?token={TOKEN}"), &[&own, &origin, json], known, 401);
    check(post, &[&own, &origin, &token, "Content-Type: text/plain"], known, 415);
    check(post, &[&own, &origin, &token, json], &"x".repeat(5000), 413);
    let endless = [&*own, &origin, &token, json, "Transfer-Encoding: chunked"];
    let mut request = format!("{post} HTTP/1.1\r\n{}\r\n\r\n", endless.join("\r\n"));
    (0..10).for_each(|_| request += &format!("3e8\r\n{}\r\n", "x".repeat(1000)));
    assert!(until(send(&page, &request), "\r\n").contains(" 413 "));
    for bad in [
        "{}",
        "no JSON",
        r#"{"bug":"../../etc","as":"known","url":""}"#,
        r#"{"bug":"crash-z3-00000001","as":"fixed","url":""}"#,
        r#"{"bug":"crash-z3-00000001","as":"reported","url":""}"#,
        r#"{"bug":"crash-z3-00000001","as":"reported","url":"javascript:alert(1)"}"#,
        r#"{"bug":"crash-z3-00000001","as":"reported","url":"https://example.org/ 1"}"#,
    ] {
        check(post, &[&own, &origin, &token, json], bad, 400);
    }
    assert!(!Reported::path(&dir).exists(), "nothing of this marks anything");
    check(post, &[&own, &origin, &token, json], known, 204);
    let entry = |reported: Reported| reported.entry("crash-z3-00000001").cloned().unwrap();
    assert!(entry(Reported::read(&dir).unwrap()).known);
    let reported = r#"{"bug":"crash-z3-00000001","as":"reported","url":"https://example.org/1"}"#;
    check(post, &[&own, &origin, &token, json], reported, 204);
    let entry = entry(Reported::read(&dir).unwrap());
    assert_eq!((entry.known, &*entry.url), (false, "https://example.org/1"));
}

/// Beyond this machine nothing is shown without the token.
#[test]
fn beyond_this_machine() {
    let page = page(&folder("beyond"), SocketAddr::from(([0, 0, 0, 0], 0)));
    let own = format!("Host: 127.0.0.1:{}", port(&page));
    let token = format!("Authorization: Bearer {TOKEN}");
    assert_eq!(code(&page, "GET /events", &[&own], ""), 401);
    assert_eq!(code(&page, &format!("GET /events?token={TOKEN}"), &[&own], ""), 401);
    assert_eq!(code(&page, "GET /events", &[&own, &token], ""), 200);
    let said = until(send(&page, &format!("GET / HTTP/1.1\r\n{own}\r\n\r\n")), "</html>");
    assert!(said.contains("data-token=\"needed\""), "{said}");
}

/// Texts of scripts and solvers come as texts, and who does not read holds up nobody.
#[test]
fn hostile_and_slow() {
    let dir = folder("hostile");
    let found = find(&dir, Class::Crash, 1);
    let page = page(&dir, loopback());
    let ask = format!("GET /events HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", port(&page));
    let silent = send(&page, &ask);
    for tests in 0..20_000 {
        page.feed(&progress(tests));
        page.feed(&found);
    }
    // Each bug, rate and reason is there, as text.
    let said = until(send(&page, &ask), "view:resting\"}");
    assert!(said.contains("crash-z3-00000001") && said.contains("Seeds at rest"), "{said}");
    assert!(!said.contains("<img") && !said.contains("</script>"), "{said}");
    let shown = "|&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot;&#39; `|";
    assert!(HOSTILE.len() < shown.len() && said.matches(shown).count() >= 6, "{said}");
    drop(silent);
    // Its end is told to who looks.
    let looking = send(&page, &ask);
    page.end(&Default::default());
    assert!(until(looking, "\"ended\":true").contains("event: state"));
    assert!(fs::read_dir(dir.join("findings")).unwrap().count() == 1);
}
