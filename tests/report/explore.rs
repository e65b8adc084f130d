//! The parts of the page that lead and that move: the overview, addresses, and what sliders show.

use super::browser::{Browser, find};
use super::page::{REASON, TOOLS, faultless, shown, url};
use super::{CLAIMS, shared};
use serde_json::{Value, json};

/// Waits for two frames of the screen.
/// Moves a slider to a place.
fn slide(browser: &mut Browser, id: &str, to: u64) {
    browser.evaluate(&format!(
        "{{ const s = document.getElementById('{id}'); s.value = {to}; s.dispatchEvent(new Event('input', {{ bubbles: true }})); }}"
    ));
}

fn told(browser: &mut Browser, part: &str) -> String {
    let text = format!("document.querySelector('#move-{part} .told').textContent");
    browser.evaluate(&text).as_str().expect("a text").to_owned()
}

/// The data block of the page.
fn data(browser: &mut Browser) -> Value {
    browser.evaluate("JSON.parse(document.getElementById('explore-data').textContent)")
}

#[test]
#[ignore = "needs Chromium"]
fn each_claim_has_a_column_and_each_square_is_named() {
    let mut browser = shown();
    let columns = "[...document.querySelectorAll('.overview .cells a')].map(a => ({ to: a.getAttribute('href').slice(1), \
squares: a.children.length, name: a.getAttribute('aria-label'), high: a.getBoundingClientRect().height }))";
    let columns = browser.evaluate(columns);
    let columns = columns.as_array().expect("columns");
    let mut ids: Vec<&str> = columns.iter().map(|column| column["to"].as_str().expect("an id")).collect();
    ids.sort_unstable();
    let mut expected = CLAIMS.to_vec();
    expected.sort_unstable();
    assert_eq!(ids, expected);
    let report = std::fs::read_to_string(shared().join("report/report.json")).expect("the report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    for column in columns {
        assert_eq!(column["squares"], 11, "{column}");
        assert!(column["high"].as_f64().expect("a height") > 60.0, "{column}");
        let name = column["name"].as_str().expect("a name");
        let claims = report["verification"]["claims"].as_array().expect("claims");
        let claim = claims.iter().find(|claim| claim["id"] == column["to"]).expect("the claim");
        for evidence in claim["evidence"].as_array().expect("evidence") {
            if evidence["system"] == "f32" && evidence["kind"] == "float" {
                assert!(name.contains(&format!("f32 {}", evidence["status"].as_str().expect("a status"))), "{name}");
            }
        }
    }
    // On one screen, on a wide one and on that of a phone.
    for (width, height) in [(1400, 900), (400, 800)] {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        browser.call("Emulation.setDeviceMetricsOverride", screen);
        let tall = browser.evaluate("document.querySelector('.overview').getBoundingClientRect().height");
        assert!(tall.as_f64().expect("a height") < f64::from(height), "{tall}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn addresses_are_searches_and_names_in_any_spelling() {
    let mut browser = shown();
    browser.evaluate("document.getElementById('filter-text').focus()");
    browser.call("Input.insertText", json!({ "text": "Shift_Linearity" }));
    assert_eq!(
        browser.evaluate("document.getElementById('filter-count').textContent"),
        format!("1 of {} claims", CLAIMS.len())
    );
    let address = browser.evaluate("location.hash");
    assert_eq!(address, "#?q=Shift_Linearity");
    // A claim that the search hides is shown where it stands, below the header.
    browser.evaluate("location.hash = '#toeplitz.dot-product'");
    browser.becomes(
        "(e => e.firstElementChild.open && e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < 90)\
(document.getElementById('toeplitz.dot-product'))",
    );
    for (address, id) in [
        ("#?q=dot+product", "toeplitz.dot-product"),
        ("#Shift_Linearity", "shift.linearity"),
        ("#shift::linearity", "shift.linearity"),
    ] {
        browser.open("about:blank");
        browser.open(&format!("{}{address}", url()));
        let open = !address.contains('?');
        browser.becomes(&format!(
            "(e => e.checkVisibility() && e.firstElementChild.open === {open})(document.getElementById('{id}'))"
        ));
        assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    }
    let count =
        browser.evaluate("[...document.querySelectorAll('article.claim')].filter(a => a.checkVisibility()).length");
    assert_eq!(count, CLAIMS.len());
}

/// The keyboard moves the slider, and all that is shown is in the data block, digit by digit.
#[test]
#[ignore = "needs Chromium"]
fn a_shift_shows_certified_numbers() {
    let mut browser = shown();
    let data = data(&mut browser);
    let shifts = data["shift"]["shifts"].as_array().expect("shifts");
    browser.evaluate("document.getElementById('move-shift-k').focus()");
    let at = |browser: &mut Browser| browser.evaluate("document.querySelector('#move-shift output').textContent");
    assert_eq!(at(&mut browser), "3");
    browser.press("ArrowRight", 39);
    assert_eq!(at(&mut browser), "4");
    for k in [0, 1, 7, 64] {
        slide(&mut browser, "move-shift-k", k);
        let turn = &shifts[k as usize];
        let cells = browser
            .evaluate("[...document.querySelectorAll('#move-shift .blocks span')].map(cell => cell.textContent)");
        for pair in 0..4 {
            let corner = 8 * 2 * pair + 2 * pair;
            assert_eq!(cells[corner], turn["pairs"][pair][0], "{k}");
            assert_eq!(cells[corner + 1], turn["pairs"][pair][1], "{k}");
            assert_eq!(cells[corner + 9], turn["pairs"][pair][0], "{k}");
        }
        let told = told(&mut browser, "shift");
        let residual = turn["residual"].as_str().expect("a number");
        assert!(
            k == 0 || told.contains(residual) && told.contains(turn["bound"].as_str().expect("a number")),
            "{told}"
        );
    }
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
#[ignore = "needs Chromium"]
fn hands_diagonals_and_distances_answer() {
    let mut browser = shown();
    let data = data(&mut browser);
    for position in ["257", "4097"] {
        browser.evaluate(&format!("document.querySelector('#move-clock [data-position=\"{position}\"]').click()"));
        let told = told(&mut browser, "clock");
        let held = (position.parse::<u64>().expect("a number") - 1).to_string();
        assert!(told.contains(position) && told.contains(&format!("holds {held}")), "{told}");
        let apart = "(hands => hands[0].getAttribute('d') !== hands[1].getAttribute('d'))(document.querySelectorAll('#move-clock .hand'))";
        assert_eq!(browser.evaluate(apart), true);
    }
    slide(&mut browser, "move-toeplitz-n", 79);
    let told_of = told(&mut browser, "toeplitz");
    for number in
        [data["toeplitz"]["products"][79].as_str().expect("a number"), "117.52901458740234", "117.52900695800781"]
    {
        assert!(told_of.contains(number), "{number}: {told_of}");
    }
    for (place, dim) in [2, 4, 8, 64, 512].into_iter().enumerate() {
        slide(&mut browser, "move-distance-d", place as u64);
        let told = told(&mut browser, "distance");
        let least = data["distance"][place]["least"].to_string();
        assert!(told.contains(&format!("d = {dim}:")) && told.contains(&format!("t = {least}.")), "{told}");
        let points =
            browser.evaluate("document.querySelector('#move-distance .dots').getAttribute('d').split('M').length - 1");
        assert_eq!(points, 1024);
    }
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
#[ignore = "needs Chromium"]
fn a_token_is_moved_by_the_keyboard_and_its_row_follows() {
    let mut browser = shown();
    let rows = "[...document.querySelectorAll('#move-permutation tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))";
    let before = browser.evaluate(rows);
    browser.evaluate("document.querySelector('#move-permutation [aria-label=\"Move A down\"]').focus()");
    browser.press(" ", 32);
    let after = browser.evaluate(rows);
    assert!(
        after[1][0].as_str().expect("a text").starts_with("A = ")
            && after[0][0].as_str().expect("a text").starts_with("B = "),
        "{after}"
    );
    assert_eq!((&after[1][2], &after[0][2]), (&before[0][2], &before[1][2]), "certified rows follow their tokens");
    assert_eq!(browser.evaluate("document.activeElement.getAttribute('aria-label')"), "Move A down", "the focus stays");
    for _ in 0..2 {
        browser.press(" ", 32);
    }
    let last = browser.evaluate(rows);
    assert!(last[3][0].as_str().expect("a text").starts_with("A = "), "{last}");
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

/// Nothing moves by itself, nothing is shown that cannot work, and every screen and theme has room for it.
#[test]
#[ignore = "needs Chromium"]
fn what_moves_is_still_without_scripts_and_fits() {
    let mut browser = Browser::start(&find().expect(REASON));
    browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.open(&url());
    assert_eq!(browser.evaluate("document.getElementById('explore').checkVisibility()"), false);
    assert_eq!(browser.evaluate("document.querySelector('.overview').checkVisibility()"), true);
    let mut browser = shown();
    browser.evaluate(TOOLS);
    let still = "[...document.querySelectorAll('#explore *')].every(e => getComputedStyle(e).transitionDuration === '0s' && getComputedStyle(e).animationName === 'none')";
    assert_eq!(browser.evaluate(still), true);
    for width in [360, 1400] {
        let screen = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500 });
        browser.call("Emulation.setDeviceMetricsOverride", screen);
        faultless(&mut browser, &format!("overflow({width})"), 100);
    }
}
