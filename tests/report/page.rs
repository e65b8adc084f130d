//! The page in a real browser. Where there is none these tests are shown as ignored, and `scripts/test` says so.

use super::browser::{Browser, find};
use super::{CLAIMS, shared};
use serde_json::{Value, json};

pub const REASON: &str = "Chromium was not found: install it, or name it in CHROMIUM";

/// A browser that shows the page.
pub fn shown() -> Browser {
    let mut browser = Browser::start(&find().expect(REASON));
    browser.open(&url());
    browser
}

pub fn url() -> String {
    format!("file://{}", shared().join("report/index.html").display())
}

/// Functions that the tests call in the page.
pub const TOOLS: &str = include_str!("page.js");

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|item| item.as_str().expect("a string")).collect()
}

/// Checks that a list of faults, made by a function of `page.js`, is empty; `least` things must have been looked at.
pub fn faultless(browser: &mut Browser, check: &str, least: u64) {
    browser.evaluate(TOOLS);
    let result = browser.evaluate(check);
    assert!(strings(&result["faults"]).is_empty(), "{check}: {:#}", result["faults"]);
    assert!(result["seen"].as_u64().expect("a count") >= least, "{check}: {result}");
}

fn visible_claims(browser: &mut Browser) -> u64 {
    let count = "[...document.querySelectorAll('article.claim')].filter(a => a.checkVisibility()).length";
    browser.evaluate(count).as_u64().expect("a count")
}

#[test]
#[ignore = "needs Chromium"]
fn it_loads_without_a_complaint_or_a_request() {
    let browser = shown();
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    let requests = browser.requests();
    assert!(requests.contains(&url()), "the browser reports requests: {requests:?}");
    let local = |request: &String| *request == url() || request.starts_with("data:");
    assert!(requests.iter().all(local), "{requests:?}");
}

#[test]
#[ignore = "needs Chromium"]
fn every_plot_is_there() {
    let mut browser = shown();
    faultless(&mut browser, "plots()", 14);
    let figures = browser.evaluate("[...document.querySelectorAll('figure')].map(f => f.id.replace('figure-', ''))");
    let expected = [
        "encoding",
        "toeplitz",
        "distance",
        "wavelengths",
        "errors",
        "pairs",
        "keys",
        "accumulators",
        "decimals",
        "bases",
    ];
    assert_eq!(strings(&figures), expected);
    let cells = browser.evaluate("document.querySelectorAll('.matrix td').length");
    assert_eq!(cells, 64, "the 8 by 8 matrix");
}

#[test]
#[ignore = "needs Chromium"]
fn the_filter_filters() {
    let mut browser = shown();
    let all = CLAIMS.len() as u64;
    assert_eq!(visible_claims(&mut browser), all);
    browser.evaluate("document.getElementById('filter-text').focus()");
    browser.call("Input.insertText", json!({ "text": "linearity T(k)" }));
    assert_eq!(visible_claims(&mut browser), 1);
    assert_eq!(browser.evaluate("document.getElementById('filter-count').textContent"), format!("1 of {all} claims"));
    browser.call("Input.insertText", json!({ "text": " no such words" }));
    assert_eq!(visible_claims(&mut browser), 0);
    assert_eq!(browser.evaluate("document.getElementById('nothing').checkVisibility()"), true);
    browser.evaluate("document.querySelector('#filter [type=reset]').click()");
    browser.becomes("document.getElementById('nothing').hidden");
    assert_eq!(visible_claims(&mut browser), all);
    let choose = |browser: &mut Browser, what: &str, value: &str| {
        browser.evaluate(&format!(
            "{{ const s = document.getElementById('filter-{what}'); s.value = '{value}'; s.dispatchEvent(new Event('input', {{ bubbles: true }})); }}"
        ));
        visible_claims(browser)
    };
    assert_eq!(choose(&mut browser, "subject", "toeplitz"), 1);
    assert_eq!(choose(&mut browser, "verdict", "corrected"), 0);
    // A link to a claim that the filter hides shows it.
    browser.evaluate("location.hash = '#shift.linearity'");
    browser
        .becomes("(e => e.checkVisibility() && e.firstElementChild.open)(document.getElementById('shift.linearity'))");
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
#[ignore = "needs Chromium"]
fn formulas_are_found_as_they_are_written() {
    let mut browser = shown();
    browser.evaluate("document.getElementById('filter-text').focus()");
    browser.call("Input.insertText", json!({ "text": "PE(s)·PE(t) Σ_i" }));
    assert_eq!(visible_claims(&mut browser), 1);
}

#[test]
#[ignore = "needs Chromium"]
fn digits_that_differ_are_marked() {
    let mut browser = shown();
    let marked = "[...document.querySelectorAll('.sides')].filter(sides => sides.querySelector('mark')).length";
    assert!(browser.evaluate(marked).as_u64().expect("a count") > 5);
    // What stands before the first mark is the same on both sides.
    let same = "[...document.querySelectorAll('.sides')].every(sides => { \
const before = [...sides.querySelectorAll('.value')].map(side => [...side.childNodes].filter(n => !n.classList?.contains('unseen')) \
.reduce(([text, done], n) => done || n.nodeName === 'MARK' ? [text, true] : [text + n.textContent, done], ['', !side.querySelector('mark')])[0].trim()); \
return [...sides.querySelectorAll('.value')].some(side => !side.querySelector('mark')) || before[0] === before[1]; })";
    assert_eq!(browser.evaluate(same), true);
}

#[test]
#[ignore = "needs Chromium"]
fn without_scripts_everything_is_shown() {
    let mut browser = Browser::start(&find().expect(REASON));
    browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.open(&url());
    assert_eq!(visible_claims(&mut browser), CLAIMS.len() as u64);
    assert_eq!(browser.evaluate("document.getElementById('filter').checkVisibility()"), false);
    assert_eq!(browser.evaluate("document.getElementById('theme').checkVisibility()"), false);
}

#[test]
#[ignore = "needs Chromium"]
fn it_fits_a_narrow_screen() {
    let mut browser = shown();
    let narrow = json!({ "width": 360, "height": 800, "deviceScaleFactor": 2, "mobile": true });
    browser.call("Emulation.setDeviceMetricsOverride", narrow);
    browser.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })");
    assert_eq!(browser.evaluate("innerWidth"), 360);
    let width = browser.evaluate("document.documentElement.scrollWidth");
    assert!(width.as_u64().expect("a width") <= 360, "{width}");
    faultless(&mut browser, "overflow(360)", 100);
    faultless(&mut browser, "plots()", 14);
    faultless(&mut browser, "labels()", 11);
}

#[test]
#[ignore = "needs Chromium"]
fn it_can_be_read_in_the_light_and_in_the_dark() {
    let mut browser = shown();
    browser.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })");
    let mut backgrounds = Vec::new();
    for theme in ["light", "dark"] {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        browser.call("Emulation.setEmulatedMedia", media);
        faultless(&mut browser, "contrast()", 200);
        backgrounds.push(browser.evaluate("getComputedStyle(document.body).backgroundColor"));
    }
    assert_ne!(backgrounds[0], backgrounds[1]);
    // The page's own choice wins over the system's.
    for (theme, background) in ["light", "dark"].iter().zip(&backgrounds) {
        browser.evaluate(&format!(
            "{{ const s = document.getElementById('theme-choice'); s.value = '{theme}'; s.dispatchEvent(new Event('change')); }}"
        ));
        assert_eq!(browser.evaluate("getComputedStyle(document.body).backgroundColor"), *background);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn assistive_technology_finds_its_way() {
    let mut browser = shown();
    faultless(&mut browser, "headings()", 10);
    faultless(&mut browser, "names()", 20);
    faultless(&mut browser, "tables()", 10);
    let landmarks =
        "['header', 'nav[aria-label]', 'main', 'footer'].filter(s => document.querySelectorAll(s).length !== 1)";
    assert!(strings(&browser.evaluate(landmarks)).is_empty());
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let nameless = tree["nodes"].as_array().expect("nodes").iter().filter(|node| {
        let named =
            ["image", "img", "button", "link", "combobox", "searchbox", "region", "navigation", "form", "search"];
        let role = node["role"]["value"].as_str().unwrap_or("");
        node["ignored"] == false && named.contains(&role) && node["name"]["value"].as_str().unwrap_or("").is_empty()
    });
    let nameless: Vec<String> = nameless.map(Value::to_string).collect();
    assert!(nameless.is_empty(), "{nameless:?}");
}

#[test]
#[ignore = "needs Chromium"]
fn the_keyboard_suffices() {
    let mut browser = shown();
    browser.press("Tab", 9);
    assert_eq!(browser.evaluate("document.activeElement.className"), "skip");
    browser.becomes("document.activeElement.getBoundingClientRect().top >= 0");
    browser.evaluate("document.querySelector('article.claim summary').focus()");
    browser.press("Tab", 9);
    browser.evaluate("document.querySelector('article.claim summary').focus()");
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(browser.evaluate(outline), "solid", "focus is visible");
    browser.evaluate("document.activeElement.click()");
    assert_eq!(browser.evaluate("document.querySelector('article.claim details').open"), true);
}

#[test]
#[ignore = "needs Chromium"]
fn labels_stand_apart_on_every_screen() {
    let mut browser = shown();
    for width in [400, 700, 1280] {
        let screen = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        browser.call("Emulation.setDeviceMetricsOverride", screen);
        faultless(&mut browser, "labels()", 11);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_colour_means_one_thing() {
    let mut browser = shown();
    for theme in ["light", "dark"] {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        browser.call("Emulation.setEmulatedMedia", media);
        faultless(&mut browser, "meanings()", 20);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn formulas_are_set_as_formulas() {
    let mut browser = shown();
    browser.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })");
    faultless(&mut browser, "formulas()", 200);
    faultless(&mut browser, "drawn()", 4);
    let written = "document.querySelector('[id=\"toeplitz.dot-product\"] .statement math').getAttribute('alttext')";
    assert_eq!(browser.evaluate(written), "PE(s)·PE(t)");
}

#[test]
#[ignore = "needs Chromium"]
fn claims_and_bounds_have_addresses() {
    let mut browser = shown();
    faultless(&mut browser, &format!("permalinks({})", json!(CLAIMS)), CLAIMS.len() as u64);
    let bounds = "['bound.llama-3', 'bound.transformer'].every(id => document.getElementById(id)?.matches('details'))";
    assert_eq!(browser.evaluate(bounds), true);
    for id in ["toeplitz.dot-product", "bound.yarn"] {
        // From another page: within this one nothing would be loaded.
        browser.open("about:blank");
        browser.open(&format!("{}#{id}", url()));
        browser.becomes(&format!(
            "(e => [e, e.firstElementChild].some(d => d.open) && e.getBoundingClientRect().top >= 0 \
&& e.getBoundingClientRect().top < innerHeight && location.hash === '#{id}')(document.getElementById('{id}'))"
        ));
    }
}

/// Picture of a rectangle of the screen.
fn picture(browser: &mut Browser, [x, y, width, height]: [f64; 4]) -> String {
    let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
    let shot =
        browser.call("Page.captureScreenshot", json!({ "format": "png", "clip": clip, "captureBeyondViewport": true }));
    shot["data"].as_str().expect("an image").to_owned()
}

/// Where there is more to the right a shadow says so, and at the end of it there is none.
#[test]
#[ignore = "needs Chromium"]
fn tables_that_are_cut_show_it() {
    let mut browser = shown();
    let narrow = json!({ "width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    browser.call("Emulation.setDeviceMetricsOverride", narrow);
    let cut = "window.cut = [...document.querySelectorAll('.scroll')].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 60)";
    browser.evaluate(cut);
    let count = browser.evaluate("cut.length").as_u64().expect("a count");
    assert!(count >= 3, "{count} tables are cut");
    for index in 0..count {
        // Without what is in it, an element shows its background alone.
        browser.evaluate(&format!("cut[{index}].scrollIntoView(); cut[{index}].firstElementChild.style.opacity = 0"));
        let edge =
            format!("(r => [r.right - 8 + scrollX, r.top + scrollY + 5, 8, 20])(cut[{index}].getBoundingClientRect())");
        let edge = browser.evaluate(&edge);
        let edge = [0, 1, 2, 3].map(|place| edge[place].as_f64().expect("a length"));
        browser.evaluate(&format!("cut[{index}].scrollLeft = 0"));
        let before = picture(&mut browser, edge);
        browser.evaluate(&format!("cut[{index}].scrollLeft = 1e6"));
        let after = picture(&mut browser, edge);
        assert_ne!(before, after, "table {index}: the edge looks the same with more behind it and without");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn it_prints_with_everything_open() {
    let mut browser = shown();
    // The page's own listener was there before this one.
    browser.evaluate(
        "addEventListener('beforeprint', () => { window.printed = document.querySelectorAll('article.claim > details[open], .configuration[open]').length; })",
    );
    let printed = browser.call("Page.printToPDF", json!({ "printBackground": true }));
    assert!(printed["data"].as_str().expect("a document").starts_with("JVBERi0"), "base64 of %PDF-");
    let open = browser.evaluate("document.querySelectorAll('details.configuration[open]').length");
    assert_eq!(open, 1, "configurations are closed again, but for the first");
    let all = browser.evaluate("document.querySelectorAll('article.claim, .configuration').length");
    assert_eq!(browser.evaluate("window.printed"), all, "claims and configurations that were open on paper");
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

/// Each check finds the fault that it is there for.
#[test]
#[ignore = "needs Chromium"]
fn a_broken_page_is_found_out() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("broken.html");
    let whole = std::fs::read_to_string(shared().join("report/index.html")).expect("the page");
    let broken = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        std::fs::write(&path, whole.replacen(from, to, 1)).expect("a file");
        let mut browser = Browser::start(&find().expect(REASON));
        browser.open(&format!("file://{}", path.display()));
        browser.evaluate(TOOLS);
        browser
    };
    let faults = |browser: &mut Browser, check: &str| strings(&browser.evaluate(check)["faults"]).len();

    let browser = broken("\"use strict\";", "\"use strict\"; undefinedFunction();");
    assert!(!browser.complaints().is_empty(), "an exception");
    let browser = broken("<main", "<img alt=\"\" src=\"https://example.org/x.png\"><main");
    assert!(!browser.complaints().is_empty(), "a request to the network, which the page's own policy refuses");
    let mut browser =
        broken("class=\"lead\"", "class=\"lead\" style=\"min-width: 3000px; color: #999; background: #aaa\"");
    assert!(faults(&mut browser, "overflow(1200)") > 0 && faults(&mut browser, "contrast()") > 0);
    let mut browser = broken("<h2", "<h5>deep</h5><h2");
    assert!(faults(&mut browser, "headings()") > 0);
    let mut browser = broken("id=\"claims-heading\"", "id=\"figures-heading\"");
    assert!(faults(&mut browser, "names()") > 0);
    let mut browser = broken("<caption>", "<p hidden>");
    assert!(faults(&mut browser, "tables()") > 0);
    let mut browser = broken("class=\"inside\"", "class=\"inside\" display=\"none\"");
    assert!(faults(&mut browser, "plots()") > 0);
}
