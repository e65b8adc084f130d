//! The page of `posproof check … --html` in a real browser.

use super::browser::{Browser, find};
use super::page::{REASON, TOOLS, faultless};
use serde_json::json;
use std::path::Path;

/// A page of a cache that conforms, or of one with another base.
fn page(folder: &Path, base: &str) -> String {
    let run = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("posproof").expect("the binary");
        command.current_dir(folder).args(arguments).output().expect("the command runs")
    };
    let table = ["table", "rope", "--dim", "64", "--positions", "0..5000", "--out", "c.npz", "--force"];
    assert!(run(&table).status.success());
    let check =
        ["check", "rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--dim", "64", "--html", "out.html", "--force"];
    run(&[&check[..], &["--base", base]].concat());
    format!("file://{}", folder.join("out.html").display())
}

#[test]
#[ignore = "needs Chromium"]
fn a_judgement_is_read_on_every_screen_in_light_and_dark() {
    let folder = tempfile::tempdir().expect("a directory");
    for base in ["10000", "12000"] {
        let url = page(folder.path(), base);
        let mut browser = Browser::start(&find().expect(REASON));
        browser.open(&url);
        assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
        let local = |request: &String| *request == url || request.starts_with("data:");
        assert!(browser.requests().iter().all(local), "{:?}", browser.requests());
        browser.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })");
        browser.evaluate(TOOLS);
        for width in [360, 1400] {
            let screen = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500 });
            browser.call("Emulation.setDeviceMetricsOverride", screen);
            faultless(&mut browser, &format!("overflow({width})"), 10);
            faultless(&mut browser, "labels()", 2);
            for theme in ["light", "dark"] {
                let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
                browser.call("Emulation.setEmulatedMedia", media);
                faultless(&mut browser, "contrast()", 20);
            }
        }
        // The dots are within the frame, and the bound is a line from one side of it to the other.
        let inside = "[...document.querySelectorAll('figure svg')].every(svg => { const bound = svg.querySelector('.bound').getBBox(); \
return [...svg.querySelectorAll('.within, .beyond')].every(dots => { const box = dots.getBBox(); \
return box.x > bound.x - 1 && box.x + box.width < bound.x + bound.width + 1; }); })";
        assert_eq!(browser.evaluate(inside), true);
    }
}
