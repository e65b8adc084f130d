//! Statements on axes beside one another: a configuration beside names, a domain of one axis.

use super::axes::{CHECK, folder};
use super::{refused, run_in};
use posproof_schema::validate;
use serde_json::Value;
use std::fs;

/// A grid of 9 × 7 at t = 0 … 2, far enough to tell slow slots apart, in `g.txt` and `g.npz`.
fn grid(here: &std::path::Path) {
    let rows = (0..189).map(|i| format!("{} {} {}\n", i / 63, 30 * (i / 7 % 9), 50 * (i % 7)));
    fs::write(here.join("g.txt"), rows.collect::<String>()).unwrap();
    let table = ["table", "rope", "--convention", "c.json", "--positions", "g.txt", "--out", "g.npz"];
    assert_eq!(run_in(here, &table).0, 0);
}

const IDENTIFY: [&str; 8] = ["identify", "rope", "--cos", "g.npz:cos", "--sin", "g.npz:sin", "--axes", "t,h,w"];

/// A configuration beside names of axes says whether the entries are its own.
#[test]
fn a_configuration_is_judged_beside_what_is_identified() {
    let folder = folder();
    let here = folder.path();
    grid(here);
    let config = r#"{"model_type": "qwen2_vl", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
        "max_position_embeddings": 32768, "rope_theta": 1000000.0, "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}}"#;
    fs::write(here.join("config.json"), config).unwrap();
    let given = [&IDENTIFY[..], &["--positions", "g.txt", "--config", "config.json"]].concat();
    let (status, out, err) = run_in(here, &given);
    assert!(status == 0 && err.contains("as the configuration's axes: correctly-rounded"), "{out}{err}");
    fs::write(here.join("config.json"), config.replace("[2, 3, 3]", "[3, 3, 2]")).unwrap();
    let (status, out, err) = run_in(here, &given);
    assert!(status == 0 && err.contains("as the configuration's axes: other-convention"), "{out}{err}");
    let message = refused(here, &[&IDENTIFY[..], &["--config", "config.json"]].concat());
    assert!(message.contains("--axes without --positions"), "{message}");
    fs::write(here.join("two.txt"), "0 0\n".repeat(189)).unwrap();
    let two = ["--axes", "t,h", "--positions", "two.txt", "--config", "config.json"];
    let message = refused(here, &[&IDENTIFY[..6], &two[..]].concat());
    assert!(message.contains("2 names; expected 3"), "{message}");
}

/// Sections of other sizes are named, with where they show, and the convention that the report ends with is that of the entries.
#[test]
fn other_sections_are_named_with_what_mends_them() {
    let folder = folder();
    let here = folder.path();
    grid(here);
    let rows = ["--positions", "g.txt"];
    let other = ["--dim", "16", "--base", "1000000", "--layout", "halves", "--sections", "3,3,2"];
    let check = ["check", "rope", "--cos", "g.npz:cos", "--sin", "g.npz:sin"];
    let (status, out, err) = run_in(here, &[&check[..], &other, &rows].concat());
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    assert!(out.starts_with("rope other-convention: does not conform") && out.contains("axis-arrangement"), "{out}");
    assert!(out.contains("the axes claim the slots t 0..2 · h 2..5 · w 5..8") && out.contains("explains all"), "{out}");
    assert!(out.contains("slots 2 to 5") && out.contains("conforms under: --convention FILE"), "{out}");
    let (_, out, _) = run_in(here, &[&check[..], &other, &rows, &["--json"]].concat());
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    assert_eq!(document["findings"][0]["where"]["axes"], serde_json::json!(["t", "h"]), "{out}");
    fs::write(here.join("mended.json"), document["mend"]["convention"].to_string()).unwrap();
    let (status, out, _) = run_in(here, &[&check[..], &["--convention", "mended.json"], &rows].concat());
    assert!(status == 0 && out.starts_with("rope correctly-rounded"), "{out}");
}

/// The domain of an axis is its own.
#[test]
fn an_axis_has_a_domain() {
    let folder = folder();
    let here = folder.path();
    let positions = [&["positions"][..], &CHECK[1..], &["--convention", "c.json", "--expected", "p.npy"]].concat();
    let with = |domain: &'static str| [&positions[..], &["--domain", domain, "--json"]].concat();
    let (status, out, err) = run_in(here, &with("0..64,t=-3..6"));
    assert!(status == 0, "{out}{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    let domains: Vec<[i64; 2]> = document["axes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|axis| ["first", "end"].map(|end| axis["domain"][end].as_i64().unwrap()))
        .collect();
    assert_eq!(domains, [[-3, 6], [0, 64], [0, 64]], "{out}");
    // t is 5 in the last row.
    assert_eq!(run_in(here, &[&positions[..8], &["--domain", "0..64,t=0..5"]].concat()).0, 1);
    for (domain, part) in [
        ("0..64,z=0..5", "one of the axes t, h, w"),
        ("0..64,0..5", "two domains"),
        ("t=5..5", "expected A..B"),
        ("t=0..5,t=0..6", "once"),
    ] {
        let message = refused(here, &with(domain));
        assert!(message.contains(part), "{domain}: {message}");
    }
    let plain = ["positions", "rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--dim", "16", "--domain", "t=0..5"];
    let message = refused(here, &plain);
    assert!(message.contains("without a name"), "{message}");
}

/// Bounds of several axes are refused where one axis is: where an angle, an entry or a product may overflow.
#[test]
fn bounds_of_programs_that_overflow_are_refused() {
    let folder = folder();
    let here = folder.path();
    fs::write(here.join("far.txt"), "70000 1\n0 1\n").unwrap();
    fs::write(here.join("near.txt"), "7 1\n0 1\n").unwrap();
    let axes = ["--dim", "8", "--axis", "h:0..2", "--axis", "w:2..4"];
    let half = ["--angle", "f16", "--dtype", "f16"];
    for (subject, more, part) in [
        ("rope", &["--positions", "far.txt", "--worst"][..], "coordinate with its offset: up to 70000"),
        ("sinusoid", &["--positions", "far.txt"], "at most 65504, the largest number of f16"),
        ("rope", &["--positions", "near.txt", "--amplitude", "70000"], "amplitude: 70000"),
        ("rotation", &["--positions", "near.txt", "--amplitude", "65000", "--ulp", "2"], "rotated entry"),
        ("rope", &["--positions", "near.txt", "--base", "1e5", "--path", "pow"], "base: up to 100000"),
    ] {
        let message = refused(here, &[&["bound", subject], &axes[..], &half, more].concat());
        assert!(message.contains(part), "{subject} {more:?}: {message}");
    }
    let beside = ["bound", "rope", "--positions", "far.txt", "--worst", "--pairs", "2,3"];
    let (status, out, err) = run_in(here, &[&beside[..], &axes, &half].concat());
    assert!(status == 0 && !out.contains("NaN"), "{out}{err}");
}
