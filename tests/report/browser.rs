//! A headless Chromium, spoken to by the DevTools protocol.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Time that anything may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Names under which Chromium is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser with one page.
pub struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    calls: u64,
    /// Everything that the browser reported, in order.
    pub events: Vec<Value>,
    _profile: TempDir,
}

/// Where Chromium is: what CHROMIUM says, or the first of its names on the PATH.
pub fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM") {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

impl Browser {
    /// Starts one. Its profile is new and is removed afterwards.
    pub fn start(program: &Path) -> Self {
        let profile = TempDir::new().expect("a directory");
        // The sandbox is refused to root, as which containers run; the page is the report alone.
        let process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium starts");
        let announced = profile.path().join("DevToolsActivePort");
        let begin = Instant::now();
        let address = loop {
            let text = std::fs::read_to_string(&announced).unwrap_or_default();
            if let [port, path] = text.lines().collect::<Vec<_>>()[..] {
                break (port.to_owned(), path.to_owned());
            }
            assert!(begin.elapsed() < PATIENCE, "Chromium does not announce its port");
            std::thread::sleep(Duration::from_millis(20));
        };
        let stream = TcpStream::connect(format!("127.0.0.1:{}", address.0)).expect("the port answers");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let url = format!("ws://127.0.0.1:{}{}", address.0, address.1);
        let (socket, _) = tungstenite::client(url, stream).expect("a web socket");
        let mut browser =
            Self { process, socket, session: String::new(), calls: 0, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method and waits for its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut request = json!({ "id": self.calls, "method": method, "params": parameters });
        if !self.session.is_empty() {
            request["sessionId"] = self.session.clone().into();
        }
        self.socket.send(Message::text(request.to_string())).expect("Chromium listens");
        loop {
            let message = self.receive();
            if message["id"] == self.calls {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("Chromium answers") {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }

    /// Opens a page and waits until it is loaded.
    pub fn open(&mut self, url: &str) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": url }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// The value of an expression of JavaScript.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// Waits until a condition holds: what a page does in frames and events of its own takes the time that the machine has.
    pub fn becomes(&mut self, condition: &str) {
        let patience = PATIENCE.as_millis() / 2;
        let held = self.evaluate(&format!(
            "new Promise(done => {{ const begin = performance.now(); const ask = () => ({condition}) ? done(true) \
: performance.now() - begin > {patience} ? done(false) : setTimeout(ask, 20); ask(); }})"
        ));
        assert_eq!(held, true, "{condition}");
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str, code: u32) {
        for kind in ["keyDown", "keyUp"] {
            let parameters = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", parameters);
        }
    }

    /// The browser's complaints: console messages, exceptions, log entries.
    pub fn complaints(&self) -> Vec<String> {
        const COMPLAINTS: [&str; 3] = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
        let complains = |event: &&Value| COMPLAINTS.iter().any(|name| event["method"] == **name);
        self.events.iter().filter(complains).map(Value::to_string).collect()
    }

    /// The addresses that were asked for.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        requests.filter_map(|event| Some(event["params"]["request"]["url"].as_str()?.to_owned())).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
