//! A browser by chromedriver: the few commands of WebDriver that the tests of pages need.
// Each of them needs some.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A browser without a window. It ends with this value.
pub struct Browser {
    driver: Child,
    /// What the driver says: a closed pipe could end it.
    _said: BufReader<ChildStdout>,
    port: u16,
    session: String,
}

impl Browser {
    /// A browser; nothing if there is no chromedriver, or it has no browser.
    pub fn start() -> Option<Self> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut said = BufReader::new(driver.stdout.take()?);
        let port = said.by_ref().lines().map_while(Result::ok).find_map(|l| {
            let port = l.split_once("successfully on port ")?.1;
            port.trim_end_matches('.').parse().ok()
        })?;
        let mut browser = Self { driver, _said: said, port, session: String::new() };
        let arguments = json!([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1000,900",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]);
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let made = browser.send("POST", "/session", &wanted).ok()?;
        browser.session = made["sessionId"].as_str()?.to_owned();
        Some(browser)
    }

    /// Opens a page.
    pub fn open(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    /// What a function with this body returns in the page.
    pub fn ask(&self, body: &str) -> Value {
        self.post("execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// Moves the pointer to the middle of the first element of a selector.
    pub fn point_at(&self, selector: &str) {
        self.pointer(selector, &json!([]));
    }

    /// Clicks on it.
    pub fn click(&self, selector: &str) {
        let press = |kind| json!({ "type": kind, "button": 0 });
        self.pointer(selector, &json!([press("pointerDown"), press("pointerUp")]));
    }

    fn pointer(&self, selector: &str, then: &Value) {
        let find = json!({ "using": "css selector", "value": selector });
        let element = self.post("element", &find);
        assert!(element["error"].is_null(), "{selector}: {element}");
        // What scrolling itself sets off comes before the pointer.
        let scroll = "const [e, done] = arguments; e.scrollIntoView({ block: 'center', behavior: 'instant' });
            requestAnimationFrame(() => requestAnimationFrame(() => done()));";
        self.post("execute/async", &json!({ "script": scroll, "args": [element] }));
        let mut actions = vec![json!({ "type": "pointerMove", "x": 0, "y": 0, "origin": element })];
        actions.extend(then.as_array().into_iter().flatten().cloned());
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        let done = self.post("actions", &json!({ "actions": [mouse] }));
        assert!(done.is_null(), "{selector}: {done}");
    }

    /// Presses a key.
    pub fn press(&self, key: &str) {
        let actions =
            json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        let keys = json!({ "type": "key", "id": "keys", "actions": actions });
        self.post("actions", &json!({ "actions": [keys] }));
    }

    /// Shows the page as another medium and in another scheme of colours.
    pub fn look(&self, media: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let wanted = json!({ "media": media, "features": features });
        self.post(
            "goog/cdp/execute",
            &json!({ "cmd": "Emulation.setEmulatedMedia", "params": wanted }),
        );
    }

    /// Shows the page in a window of this size, as on a telephone.
    pub fn size(&self, width: u32, height: u32) {
        let wanted =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
        let command = "Emulation.setDeviceMetricsOverride";
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": wanted }));
    }

    /// How long the page is as a PDF, in letters of base64.
    pub fn prints(&self) -> usize {
        self.post("print", &json!({})).as_str().map_or(0, str::len)
    }

    /// What was written on the console, and what could not be loaded.
    pub fn complaints(&self) -> Value {
        self.post("se/log", &json!({ "type": "browser" }))
    }

    /// The addresses of all that was asked for.
    pub fn fetched(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({ "type": "performance" }));
        let events = log.as_array().into_iter().flatten().filter_map(|e| e["message"].as_str());
        let events = events.filter_map(|m| serde_json::from_str::<Value>(m).ok());
        let asked = |e: Value| {
            let message = &e["message"];
            let is_asked = message["method"] == "Network.requestWillBeSent";
            is_asked.then(|| message["params"]["request"]["url"].as_str().unwrap_or("").to_owned())
        };
        events.filter_map(asked).collect()
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        self.send("POST", &format!("/session/{}/{command}", self.session), body).unwrap()
    }

    /// The value of an answer.
    fn send(&self, method: &str, path: &str, body: &Value) -> std::io::Result<Value> {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        for line in answer.by_ref().lines() {
            let line = line?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(n) = line.strip_prefix("content-length:") {
                length = n.trim().parse().unwrap_or(0);
            }
        }
        // The driver keeps the connection open behind the answer.
        let mut body = vec![0; length];
        answer.read_exact(&mut body)?;
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        Ok(answer["value"].clone())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.send("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
