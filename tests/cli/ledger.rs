//! The verbs of the ledger.

use super::{json, run};
use serde_json::Value;

#[test]
fn verify_prints_a_line_for_each_claim_and_a_tally() {
    let (status, out, err) = run(&["verify", "shift.linearity", "toeplitz", "--effort", "quick"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("✓ shift.linearity"), "{out}");
    assert!(out.contains("✓ toeplitz.printed-values"), "{out}");
    assert!(out.contains("as expected") && out.contains("0 refuted"), "{out}");
    assert!(!out.contains('\u{1b}'), "no colour when not on a terminal");
}

#[test]
fn verify_json_follows_its_schema() {
    let document =
        json(&["verify", "shift.linearity", "toeplitz.printed-values", "--effort", "quick", "--json", "--seed", "7"]);
    assert_eq!(document["schema"], "posproof.verify/1");
    assert_eq!((&document["effort"], &document["seed"]), (&Value::from("quick"), &Value::from(7)));
    let claim = &document["claims"][0];
    assert_eq!(claim["id"], "shift.linearity");
    assert_eq!(claim["verdict"], "holds");
    assert_eq!(claim["as_expected"], true);
    assert!(claim["sources"][0]["document"].is_string() && claim["sources"][0]["where"].is_string());
    let kind = |kind: &str| {
        let all = claim["evidence"].as_array().expect("evidence");
        all.iter().filter(|evidence| evidence["kind"] == kind).cloned().collect::<Vec<_>>()
    };
    assert_eq!(kind("exact")[0]["status"], "identity");
    assert_eq!(kind("enclosed")[0]["status"], "consistent");
    assert!(kind("enclosed")[0]["widest"].is_string());
    for float in kind("float") {
        let number = |key: &str| float[key].as_str().expect("a decimal string").parse::<f64>().expect("a number");
        assert!(number("worst_error") <= number("bound"), "{float}");
        assert!(float["cases"].as_u64().expect("a count") > 0);
        assert!(float["witness"]["left"]["hex"].is_string(), "{float}");
    }
    assert_eq!(document["tally"]["claims"], 2);
    assert_eq!(document["tally"]["as_expected"], 2);
    assert_eq!(document["tally"]["refuted"], 0);
}

/// The certified figures of the ledger, at most 1e-30 wide.
#[test]
fn printed_values_are_enclosed_to_thirty_digits() {
    use rug::Float;
    let document = json(&["verify", "toeplitz.printed-values", "--effort", "quick", "--json"]);
    let values = &document["claims"][0]["values"];
    for (name, digits) in [
        ("distance_1", "249.10209782736297"),
        ("distance_79", "117.52900007202076"),
        ("distance_1_from_1", "249.56179551649"),
        ("distance_79_from_1", "119.42493981397"),
    ] {
        let [lower, upper] =
            ["lower", "upper"].map(|end| values[name][end].as_str().expect("a decimal string").to_owned());
        assert!(lower.starts_with(digits) && upper.starts_with(digits), "{name}: {lower} {upper}");
        let [lower, upper] = [lower, upper].map(|text| Float::with_val(400, Float::parse(text).expect("a decimal")));
        assert!(upper - lower <= 1e-30, "{name}");
    }
}

#[test]
fn list_and_show_know_every_claim() {
    let document = json(&["list", "--json"]);
    let claims = document["claims"].as_array().expect("claims");
    assert_eq!(claims.len(), posproof::claims::all().len());
    let (status, out, _) = run(&["show", "rope.relative-position", "--effort", "quick"]);
    assert_eq!(status, 0);
    for part in ["Statement", "Sources", "Evidence", "Sabotage", "Theorem", "Repeat", "rope_relative_position"] {
        assert!(out.contains(part), "{part} is missing from:\n{out}");
    }
    let (status, out, _) = run(&["list"]);
    assert!(status == 0 && out.contains("attention.equivariance"));
    let (status, out, _) = run(&["list", "toeplitz", "shift_linearity"]);
    assert!(status == 0 && out.contains("toeplitz.gram") && out.contains("shift.linearity"), "{out}");
    assert!(!out.contains("attention."), "{out}");
    let (status, _, err) = run(&["show", "rounding_entry"]);
    assert_eq!(
        (status, err.as_str()),
        (2, "posproof: 'rounding_entry' names a theorem, not a claim: posproof prove rounding_entry checks it\n")
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let arguments = ["verify", "rope.relative-position", "--effort", "quick", "--json", "--seed", "42"];
    assert_eq!(run(&arguments), run(&arguments));
    assert_ne!(
        run(&arguments).1,
        run(&["verify", "rope.relative-position", "--effort", "quick", "--json", "--seed", "43"]).1
    );
}

#[test]
fn unknown_names_are_usage_errors_that_offer_the_nearest() {
    for (arguments, offered) in [
        (&["verify", "shift.linearty"][..], "shift.linearity"),
        (&["show", "toeplitz.dot-prodct"], "toeplitz.dot-product"),
        (&["verify", "--systems", "f33"], "f32"),
        (&["verify", "--effort", "standart"], "standard"),
        (&["verfy"], "verify"),
        (&["verify", "--sead", "1"], "--seed"),
    ] {
        let (status, out, err) = run(arguments);
        assert_eq!(status, 2, "{arguments:?}: {err}");
        assert!(out.is_empty() && err.contains(offered), "{arguments:?}: {err}");
        assert!(!err.contains("panicked"), "{err}");
    }
}

#[test]
fn bad_values_are_usage_errors() {
    for arguments in [
        &["verify", "--seed", "-1"][..],
        &["verify", "--seed", "x"],
        &["verify", "--seed", "99999999999999999999999"],
        &["verify", "--effort", ""],
        &["verify", "--systems", ""],
        &["verify", ""],
        &["show"],
        &["show", "shift.linearity", "rope.relative-position"],
    ] {
        let (status, out, err) = run(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(!err.is_empty() && !err.contains("panicked"), "{arguments:?}: {err}");
    }
}

#[test]
fn systems_can_be_chosen_and_strict_tells_what_they_cannot() {
    let document = json(&["verify", "shift.linearity", "--effort", "quick", "--systems", "f32,exact,f32", "--json"]);
    let evidence = document["claims"][0]["evidence"].as_array().expect("evidence");
    let of = |kind: &str| evidence.iter().filter(|e| e["kind"] == kind).collect::<Vec<_>>();
    assert_eq!(evidence.len() - of("formal").len() - of("uniform").len(), 2);
    // Bounds for all inputs are those of the chosen formats.
    assert!(!of("uniform").is_empty() && of("uniform").iter().all(|e| e["system"] == "f32"), "{evidence:?}");
    // bfloat16 has nothing to say of the printed values.
    let arguments = ["verify", "toeplitz.printed-values", "--systems", "bf16"];
    assert_eq!(run(&arguments).0, 0);
    assert_eq!(run(&[&arguments[..], &["--strict"]].concat()).0, 3);
}

/// Lines come as claims settle, in the ledger's order, not all at the end.
#[test]
fn verdicts_stream_in_the_order_of_the_ledger() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_posproof"))
        .args(["verify", "--effort", "standard", "shift"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("UTF-8"));
    let first = lines.next().expect("a line");
    assert!(child.try_wait().expect("a child").is_none(), "the first line came with the last");
    let id = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
    let shown = std::iter::once(first).chain(lines.take_while(|line| !line.is_empty())).map(|line| id(&line));
    let claims = posproof::claims::all();
    let ids = claims.iter().map(|entry| entry.about().id).filter(|id| id.starts_with("shift."));
    assert!(shown.eq(ids.map(|id| Some(id.to_owned()))));
    assert!(child.wait().expect("a status").success());
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_posproof"))
        .arg("list")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && err.is_empty(), "{err}");
}
