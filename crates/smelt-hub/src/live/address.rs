//! Where the page is, and what one has to know to change something there.

use std::fmt::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;

use anyhow::{Context, Result, bail};
use rand::RngExt;

/// Least length of a token.
const LEAST: usize = 16;
/// Most length of a token.
const MOST: usize = 256;

/// Reads `IP:PORT`, `localhost:PORT` or a port alone. An address beyond this machine needs a token that was given.
pub fn address(text: &str, has_token: bool) -> Result<SocketAddr> {
    let what = || format!("{text:?} is no address for a page: write IP:PORT, as 127.0.0.1:7357");
    let address = match (text.parse::<SocketAddr>(), text.parse::<u16>()) {
        (Ok(address), _) => address,
        (_, Ok(port)) => SocketAddr::from(([127, 0, 0, 1], port)),
        // Other names are asked of a stranger, who could name any address.
        _ if text.starts_with("localhost:") => {
            text.to_socket_addrs().ok().and_then(|mut all| all.next()).with_context(what)?
        }
        _ => bail!(what()),
    };
    if !address.ip().is_loopback() && !has_token {
        bail!(
            "{address} can be reached from other machines: give a token that they need (--page-token FILE)"
        );
    }
    Ok(address)
}

/// A secret. It is sent in a header, and is never a part of an address.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one.
    pub fn random() -> Self {
        let mut text = String::new();
        for byte in rand::rng().random::<[u8; 16]>() {
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// The one in a file: its first line.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the token {}", path.display()))?;
        let token = text.lines().next().unwrap_or_default().trim();
        let visible = token.bytes().all(|b| b.is_ascii_graphic());
        if !visible || !(LEAST..=MOST).contains(&token.len()) {
            bail!(
                "{}: a token has {LEAST} to {MOST} visible characters of ASCII on one line",
                path.display()
            );
        }
        Ok(Self(token.to_owned()))
    }

    /// The text, for who starts the page.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is this token, in a time that does not depend on where they differ.
    pub fn is(&self, text: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differ = own.iter().zip(text).fold(0, |all, (a, b)| all | (a ^ b));
        own.len() == text.len() && std::hint::black_box(differ) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check = |text: &str, has_token: bool, expect: &str| {
            let said =
                address(text, has_token).map_or_else(|e| format!("{e:#}"), |a| a.to_string());
            assert!(said.starts_with(expect), "{text}: {said}");
        };
        check("127.0.0.1:80", false, "127.0.0.1:80");
        check("[::1]:80", false, "[::1]:80");
        check("8080", false, "127.0.0.1:8080");
        check("0.0.0.0:80", false, "0.0.0.0:80 can be reached from other machines");
        check("192.0.2.1:80", false, "192.0.2.1:80 can be reached");
        check("[::]:80", false, "[::]:80 can be reached");
        check("0.0.0.0:80", true, "0.0.0.0:80");
        for text in [
            "",
            "seeds/",
            "127.0.0.1",
            "127.0.0.1:99999",
            "example.org:80",
            "http://127.0.0.1:80/",
            ":80",
        ] {
            check(text, true, &format!("{text:?} is no address"));
        }
    }

    #[test]
    fn tokens() {
        let token = Token::random();
        assert!(token.is(token.text().as_bytes()) && token.text().len() == 32);
        assert_ne!(token.text(), Token::random().text());
        for other in ["", "0", &token.text()[1..], &format!("{}0", token.text()), &"0".repeat(32)] {
            assert!(!token.is(other.as_bytes()), "{other}");
        }
    }
}
