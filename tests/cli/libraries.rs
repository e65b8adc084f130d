//! `--ulp` and `--platform`: accuracies of functions that are not the usual ones.

use super::axes::npy;
use super::{refused, run_in};
use posproof_schema::validate;
use serde_json::Value;
use std::fs;

#[test]
fn accuracies_widen_what_is_honest_and_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Cosines that are off by 12 units of binary32, all of them.
    let entry = |i: usize| {
        let angle = (i / 8) as f64 * 10000f64.powf(-((i % 8) as f64) / 8.0);
        ((angle.cos() * (1.0 + 12.0 * 2f64.powi(-24))) as f32).to_le_bytes()
    };
    npy(&at.join("cos.npy"), "<f4", "(50, 8)", (0..400).flat_map(entry).collect::<Vec<u8>>());
    let check = ["check", "rope", "--cos", "cos.npy", "--dim", "16"];
    assert_eq!(run_in(at, &check).0, 1);
    let platform = r#"{"source": "the table of a manual", "ulp": {"cos": 12}}"#;
    fs::write(at.join("platform.json"), platform).unwrap();
    let stated = [&check[..], &["--platform", "platform.json"]].concat();
    let (status, out, err) = run_in(at, &stated);
    assert!(status == 0 && out.contains("functions within ulp: cos=12 (the table of a manual)"), "{out}{err}");
    let (status, out, _) = run_in(at, &[&check[..], &["--ulp", "sin=12,cos=12", "--json"]].concat());
    let report: Value = serde_json::from_str(&out).unwrap();
    validate(&report);
    assert_eq!((status, report["ulp"]["cos"].as_f64()), (0, Some(12.0)));
    // Tolerances grow with them.
    let tolerance = |more: &[&str]| {
        let common = ["tolerance", "rope", "--dim", "16", "--positions", "0..4", "--json"];
        let (status, out, err) = run_in(at, &[&common[..], more].concat());
        assert_eq!(status, 0, "{err}");
        let document: Value = serde_json::from_str(&out).unwrap();
        validate(&document);
        document
    };
    let [usual, wide] = [tolerance(&[]), tolerance(&["--ulp", "cos=100"])];
    assert_ne!(usual["atol"], wide["atol"]);
    assert!(usual.get("ulp").is_none() && wide["ulp"]["cos"] == 100.0, "{wide}");
    // One accuracy, or several, of which the bound takes the largest.
    let bound = |ulp: &str| run_in(at, &["bound", "rope", "--dim", "16", "--positions", "0..4", "--ulp", ulp]).1;
    assert_eq!(bound("sin=3.5,cos=3"), bound("3.5"));
}

#[test]
fn what_is_no_accuracy_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    npy(&at.join("cos.npy"), "<f4", "(2, 8)", [0u8; 64]);
    let check = ["check", "rope", "--cos", "cos.npy", "--dim", "16"];
    for (ulp, expected) in [
        ("tan=1", "expected sin, cos, exp, log, pow"),
        ("sin", "such as sin=3.5"),
        ("sin=x", "such as sin=3.5"),
        ("sin=0.1", "sin: expected 0.5 (correct rounding)"),
        ("cos=inf", "cos: expected"),
        ("cos=nan", "cos: expected"),
        ("", "such as sin=3.5"),
    ] {
        let refusal = refused(at, &[&check[..], &["--ulp", ulp]].concat());
        assert!(refusal.contains(expected), "{ulp}: {refusal}");
    }
    for (text, expected) in [
        (r#"{"ulp": {"sin": 3}}"#, "missing field `source`"),
        (r#"{"source": "a manual"}"#, "missing field `ulp`"),
        (r#"{"source": "a manual", "ulp": {"tan": 3}}"#, "unknown field `tan`"),
        (r#"{"source": " ", "ulp": {"sin": 3}}"#, "source: found none"),
        (r#"{"source": "a manual", "ulp": {"sin": -3}}"#, "sin: expected"),
        ("[", "platform.json"),
    ] {
        fs::write(at.join("platform.json"), text).unwrap();
        let refusal = refused(at, &[&check[..], &["--platform", "platform.json"]].concat());
        assert!(
            refusal.contains(expected) && refusal.contains("where the figures are documented"),
            "{text}: {refusal}"
        );
    }
    refused(at, &[&check[..], &["--platform", "none.json"]].concat());
    refused(at, &[&check[..], &["--platform", "none.json", "--ulp", "sin=3"]].concat());
}
