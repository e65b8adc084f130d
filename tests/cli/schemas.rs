//! The JSON of every verb follows its published schema: that of `report` in `tests/report`.

use super::attention::npy;
use super::{json, run_in};
use posproof_schema::{invalid, is_schema, validate};
use serde_json::{Value, json};
use std::path::Path;

/// The document that a command prints, whatever its exit status.
fn printed(directory: &Path, arguments: &[&str], version: &str) -> Value {
    let (_, out, err) = run_in(directory, &[arguments, &[version]].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {out}{err}"))
}

/// Kinds of documents that have a second version.
const OF_TWO_VERSIONS: [&str; 7] = ["bound", "check", "identify", "positions", "probe", "table", "tolerance"];

/// A command's document, whatever its exit status, valid by its schema; and so its second version, where it has one.
fn valid(directory: &Path, arguments: &[&str]) -> Value {
    let document = printed(directory, arguments, "--json");
    validate(&document);
    let name = document["schema"].as_str().and_then(|schema| schema.strip_prefix("posproof.")?.strip_suffix("/1"));
    let kind = name.map(|name| name.strip_suffix("-axes").unwrap_or(name));
    if let Some(kind) = kind.filter(|kind| OF_TWO_VERSIONS.contains(kind)) {
        let second = printed(directory, arguments, "--json=2");
        validate(&second);
        assert_eq!(second["schema"], format!("posproof.{kind}/2"), "{arguments:?}");
        same(&document, &second);
    }
    document
}

/// Keys that both versions have in one form, where a document has them.
const ALIKE: [&str; 20] = [
    "amplitude",
    "attention",
    "by_key",
    "compute",
    "confidence",
    "conforms",
    "domain",
    "entries",
    "grade",
    "inputs",
    "path",
    "probabilistic",
    "rotation",
    "rows",
    "search",
    "separating_position",
    "storage",
    "subject",
    "sums",
    "tables",
];

/// The second version says what the first does, and has axes.
fn same(first: &Value, second: &Value) {
    for name in ALIKE {
        if let (Some(one), Some(other)) = (first.get(name), second.get(name)) {
            assert_eq!(one, other, "{name}");
        }
    }
    assert!(second["axes"].is_array(), "{second}");
    let [first, second] = [first, second].map(|document| document["cases"].as_array().cloned().unwrap_or_default());
    assert_eq!(first.len(), second.len());
    for (first, second) in first.iter().zip(&second) {
        match first.get("slot") {
            Some(slot) => assert_eq!((slot, &first["axes"]), (&second["pair"], &second["axes"])),
            None => first
                .as_object()
                .expect("a case")
                .iter()
                .for_each(|(name, one)| assert_eq!(second[name], *one, "{name}")),
        }
    }
}

#[test]
fn the_second_version_has_one_schema_of_one_axis_and_of_several() {
    let folder = tempfile::tempdir().unwrap();
    let bound = ["bound", "rope", "--dim", "8", "--positions", "0..100"];
    assert_eq!(valid(folder.path(), &bound), printed(folder.path(), &bound, "--json=1"));
    let one = printed(folder.path(), &bound, "--json=2");
    assert_eq!((&one["axes"], &one["cases"][0]["axes"]), (&json!(["position"]), &json!(["position"])));
    let axis = [&bound[..], &["--axis", "t:0..4"]].concat();
    valid(folder.path(), &axis);
    let several = printed(folder.path(), &axis, "--json=2");
    assert_eq!((&several["schema"], &several["axes"]), (&"posproof.bound/2".into(), &json!(["t"])));
    assert_eq!(several["convention"]["axes"][0]["name"], "t");
    // No other version.
    let (status, _, err) = run_in(folder.path(), &[&bound[..], &["--json=3"]].concat());
    assert!(status == 2 && err.contains("1..=2"), "{err}");
}

#[test]
fn what_the_ledger_prints() {
    let here = Path::new(".");
    valid(here, &["list"]);
    // Every kind of claim and of evidence: corrected and refuted ones, surveys, certified values.
    let some =
        ["sinusoid", "shift.rotary-transpose", "rope.inverse", "attention.scores", "toeplitz.printed-values", "base"];
    let document = valid(here, &[&["verify", "--effort", "quick"], &some[..]].concat());
    let claims = document["claims"].as_array().unwrap();
    let kinds =
        |kind: &str| claims.iter().flat_map(|claim| claim["evidence"].as_array().unwrap()).any(|e| e["kind"] == kind);
    assert!(["formal", "exact", "enclosed", "float", "uniform", "displacement"].into_iter().all(kinds));
    assert!(claims.iter().any(|claim| claim["values"].as_object().is_some_and(|values| !values.is_empty())));
    valid(here, &["verify", "toeplitz.printed-values", "--systems", "bf16", "--effort", "quick"]);
    valid(here, &["show", "sinusoid.separation", "--effort", "quick"]);
}

#[test]
fn what_bounds_print() {
    let bound = |arguments: &[&str]| valid(Path::new("."), &[&["bound"], arguments].concat());
    bound(&["sinusoid", "--dim", "16", "--positions", "0..3000", "--worst", "--error", "1e-3"]);
    bound(&["rope", "--dim", "16", "--scaling", "linear", "--factor", "4", "--path", "repeated", "--component", "cos"]);
    bound(&["rotation", "--dim", "16", "--positions", "0..300"]);
    bound(&["score", "--dim", "16", "--positions", "0..300"]);
    for subject in ["logits", "attention"] {
        let found = bound(&[subject, "--dim", "16", "--positions", "0..300", "--dtype", "bf16", "--keys", "64"]);
        assert!(found["search"]["ratio"].as_f64().is_some_and(|ratio| ratio > 1.0), "{found}");
        assert_eq!(found["probabilistic"]["odds"], 1_000_000_000, "{found}");
        // Of one key every weight is 1, and nothing is left to search for.
        bound(&[subject, "--dim", "16", "--positions", "0..300", "--dtype", "bf16", "--keys", "1"]);
        // binary64 does not make every operation of this as its format would.
        let unsearched = bound(&[subject, "--dim", "16", "--positions", "0..300", "--dtype", "f64"]);
        assert!(unsearched.get("search").is_none() && unsearched.get("probabilistic").is_some(), "{unsearched}");
    }
}

/// Attention as kernels compute it, two of them compared, and outputs that are judged.
#[test]
fn what_bounds_and_comparisons_of_kernels_print() {
    let folder = tempfile::tempdir().unwrap();
    let valid = |arguments: &[&str]| valid(folder.path(), arguments);
    let kernel = |more: &[&str]| {
        let common = ["bound", "attention", "--dim", "64", "--dtype", "e4m3", "--keys", "4096"];
        valid(&[&common[..], more].concat())
    };
    for (name, more) in [
        ("a.json", &["--accumulator", "hopper-fp8", "--witness", "w.safetensors", "--mask", "causal"][..]),
        (
            "b.json",
            &["--accumulator", "hopper-fp8", "--flush", "128", "--order", "online", "--tile", "64", "--splits", "4"],
        ),
        (
            "r.json",
            &["--accumulator", "hopper-fp8", "--rotated", "bf16", "--positions", "0..1000", "--rotation", "fused"],
        ),
        ("c.json", &["--accumulator", "round", "--order", "plain", "--logits", "bf16", "--output", "f32"]),
    ] {
        let document = kernel(more);
        std::fs::write(folder.path().join(name), document.to_string()).unwrap();
        assert_eq!(document["rows"].as_array().unwrap().len(), if name == "a.json" { 5 } else { 0 });
    }
    let compared = valid(&["compare", "a.json", "b.json", "--witness", "d.safetensors"]);
    assert!(compared["share"].as_f64().is_some_and(|share| share > 0.2));
    // Outputs of the emulator are judged honest; another number is not.
    let judged = |other: &str| {
        let outputs = ["--inputs", "w.safetensors", "--outputs", "good.npy", other];
        valid(&[&["compare", "a.json", "c.json"][..], &outputs].concat())["dumps"]["verdict"].clone()
    };
    let written = std::fs::read(folder.path().join("w.safetensors")).unwrap();
    let emulated = single(&written, "emulated");
    for (name, x) in [("good.npy", emulated), ("wrong.npy", emulated + 5.0), ("none.npy", f64::NAN)] {
        std::fs::write(folder.path().join(name), npy(&[x])).unwrap();
    }
    // A third of the range is lost, which sums to nearest would not lose.
    assert_eq!(judged("good.npy"), "second");
    assert_eq!(judged("wrong.npy"), "second");
    assert_eq!(judged("none.npy"), "second");
}

#[test]
fn what_tables_probes_and_judgements_print() {
    let folder = tempfile::tempdir().unwrap();
    let valid = |arguments: &[&str]| valid(folder.path(), arguments);
    for file in ["t.npz", "t.json"] {
        valid(&["table", "rope", "--dim", "8", "--base", "500000", "--positions", "0..300", "--out", file, "--force"]);
    }
    let text = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    validate(&serde_json::from_str(&text).unwrap());
    for positions in ["0..30", "3,-1,1/2"] {
        for file in [&[][..], &["--out", "t.npy", "--force"]] {
            valid(&[&["tolerance", "rope", "--dim", "8", "--positions", positions], file].concat());
        }
        for file in ["u.npz", "u.json"] {
            valid(&["table", "rope", "--dim", "8", "--positions", positions, "--out", file, "--force"]);
        }
        let text = std::fs::read_to_string(folder.path().join("u.json")).unwrap();
        validate(&serde_json::from_str(&text).unwrap());
        valid(&["probe", "rope", "--dim", "8", "--positions", positions, "--out", "q.npy", "--force"]);
    }
    // Where a recurrence may have grown without a bound worth the name, nothing is promised.
    let far = ["tolerance", "rope", "--dim", "8", "--compute", "f16", "--path", "recurrence", "--positions", "4096"];
    assert_eq!(valid(&far)["atol"][0][0], "inf");
    valid(&["probe", "rotation", "--dim", "8", "--heads", "2", "--out", "p.safetensors", "--force"]);
    valid(&["probe", "rotation", "--dim", "8", "--axis", "h:0..2", "--axis", "w:2..4", "--out", "q.npy", "--force"]);
    let parts = ["rope", "--cos", "t.npz:cos", "--sin", "t.npz:sin"];
    assert_eq!(valid(&[&["check"], &parts[..], &["--dim", "8", "--base", "500000"]].concat())["conforms"], true);
    assert_eq!(valid(&[&["check"], &parts[..], &["--dim", "8"]].concat())["conforms"], false);
    let claim = ["claim", "shift.linearity"];
    let probed = valid(&[&["probe"], &claim[..], &["--dim", "8", "--out", "claim.safetensors"]].concat());
    assert_eq!(probed["asked"][0]["answer"]["name"], "encoding");
    let table = ["table", "sinusoid", "--dim", "8", "--positions", "claim.safetensors:positions"];
    run_in(folder.path(), &[&table[..], &["--out", "encoding.npy"]].concat());
    let answered = ["--probe", "claim.safetensors", "--answers", "encoding.npy"];
    assert_eq!(valid(&[&["check"], &claim[..], &answered].concat())["verdict"], "holds");
    valid(&[&["identify"], &parts[..]].concat());
    valid(&["identify", "rope", "--cos", "t.npz:sin"]);
    // One axis that is stated as one of several.
    valid(&[&["identify"], &parts[..], &["--axes", "t", "--positions", "0..300"]].concat());
    let positions = [&["positions"], &parts[..], &["--dim", "8", "--domain", "0..1000"]].concat();
    valid(&[&positions[..], &["--base", "500000"]].concat());
    valid(&[&positions[..], &["--axis", "t:0..4;base=500000", "--step", "1/2"]].concat());
}

/// The schemas are those of the kinds of document, each a schema itself and under its file's name.
#[test]
fn every_kind_of_document_has_its_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let names = [
        "bound",
        "bound-axes",
        "bound-kernel",
        "check",
        "check-attention",
        "check-axes",
        "checks",
        "claim",
        "claim-probe",
        "compare",
        "compare-outputs",
        "graph",
        "identify",
        "identify-axes",
        "identify-groups",
        "lint",
        "list",
        "positions",
        "positions-axes",
        "probe",
        "prove",
        "report",
        "sweep",
        "table",
        "tolerance",
        "verify",
    ];
    let second = ["bound", "check", "checks", "identify", "positions", "probe", "table", "tolerance"];
    let second = second.map(|name| format!("posproof.{name}-2.json"));
    let mut names: Vec<String> = names.iter().map(|name| format!("posproof.{name}-1.json")).chain(second).collect();
    names.sort();
    let mut found: Vec<String> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    assert_eq!(found, names);
    for name in names {
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(folder.join(&name)).unwrap()).expect(&name);
        assert_eq!(schema["$id"], name.as_str());
        assert!(is_schema(&schema), "{name}");
    }
}

#[test]
fn documents_that_differ_from_their_schema_are_refused() {
    let good = json(&["bound", "rope", "--dim", "8", "--positions", "0..9", "--json"]);
    let damaged: [fn(&mut Value); 6] = [
        |v| v["cases"][0]["path"] = "magic".into(),
        |v| v["cases"][0]["pair"] = (-1).into(),
        |v| v["cases"][0]["instance"] = 1e-3.into(),
        |v| v["extra"] = true.into(),
        |v| v["convention"]["scaling"] = serde_json::json!({}),
        |v| drop(v["cases"][0].as_object_mut().unwrap().remove("origin")),
    ];
    assert_eq!(invalid(&good), None);
    for damage in damaged {
        let mut bad = good.clone();
        damage(&mut bad);
        assert!(invalid(&bad).is_some(), "{bad}");
    }
}

/// The one number of a tensor of binary64 in a safetensors file.
fn single(file: &[u8], name: &str) -> f64 {
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&file[8..8 + length]).unwrap();
    let start = 8 + length + header[name]["data_offsets"][0].as_u64().unwrap() as usize;
    f64::from_le_bytes(file[start..start + 8].try_into().unwrap())
}
