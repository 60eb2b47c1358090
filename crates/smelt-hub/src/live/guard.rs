//! Who may ask for what. A page of a stranger in the same browser can send requests here, too: it is told apart by what the browser says of it.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode, Uri};

use super::address::Token;

/// Why a request is refused: a sentence for people.
pub type Refusal = (StatusCode, &'static str);

/// Looks at a request before anything is done with it.
pub fn admit(
    bound: SocketAddr,
    token: &Token,
    (method, uri, headers): (&Method, &Uri, &HeaderMap),
) -> Result<(), Refusal> {
    let host = host(headers).ok_or((StatusCode::BAD_REQUEST, "one Host header is needed\n"))?;
    // A name that leads to this machine may be a stranger's, who reads what its page may read.
    if uri.authority().is_some() || !is_own(bound, host) {
        return Err((StatusCode::MISDIRECTED_REQUEST, "this page is not served under that name\n"));
    }
    let changes = method != Method::GET && method != Method::HEAD;
    let foreign = (StatusCode::FORBIDDEN, "another page may not ask for this\n");
    let mut origins = headers.get_all(ORIGIN).into_iter();
    match (origins.next().map(|o| o.as_bytes()), origins.next()) {
        (None, _) if changes => return Err(foreign),
        (None, _) => {}
        (Some(origin), None) if origin == format!("http://{host}").as_bytes() => {}
        _ => return Err(foreign),
    }
    // A link on another page may lead to the page, and to nothing else.
    if uri.path() != "/"
        && let Some(site) = headers.get("sec-fetch-site")
        && site != "same-origin"
    {
        return Err(foreign);
    }
    let data = uri.path() == "/events" && !bound.ip().is_loopback();
    if (changes || data) && !carries(headers, token) {
        return Err((StatusCode::UNAUTHORIZED, "the token is missing or wrong\n"));
    }
    Ok(())
}

/// The host that a request names.
fn host(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(HOST).into_iter();
    let host = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(host)
}

/// Whether a host is one under which the page can be reached: an address of this machine, or `localhost`. Which port does not matter: a
/// tunnel may have another one.
fn is_own(bound: SocketAddr, host: &str) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    if !port.is_none_or(is_port) {
        return false;
    }
    let bare = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name);
    match bare.parse::<IpAddr>() {
        Ok(ip) => ip.is_loopback() || !bound.ip().is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

fn carries(headers: &HeaderMap, token: &Token) -> bool {
    let sent = headers.get(AUTHORIZATION).map(|v| v.as_bytes());
    sent.and_then(|v| v.strip_prefix(b"Bearer ")).is_some_and(|t| token.is(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let check = |bound: &str, host: &str, expect: bool| {
            assert_eq!(is_own(bound.parse().unwrap(), host), expect, "{bound} {host}");
        };
        for host in
            ["127.0.0.1:7357", "localhost:7357", "LOCALHOST", "[::1]:7357", "127.0.0.1:8080"]
        {
            check("127.0.0.1:7357", host, true);
        }
        for host in [
            "example.org:7357",
            "127.0.0.1.example.org",
            "localhost.example.org:7357",
            "192.0.2.1:7357",
            "127.0.0.1:x",
            "127.0.0.1:",
            "",
            ":7357",
            "user@127.0.0.1:7357",
            "[example.org]:7357",
        ] {
            check("127.0.0.1:7357", host, false);
        }
        check("0.0.0.0:80", "192.0.2.1", true);
        check("0.0.0.0:80", "example.org", false);
    }
}
