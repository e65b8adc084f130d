//! `posproof compare sinusoid|rope|rotation`: two outputs of one convention.

use super::axes::npy;
use super::{refused, run_in};
use posproof_schema::validate;
use serde_json::Value;
use std::path::Path;

const ROWS: usize = 200;
const PAIRS: usize = 16;

/// Cosines and sines as f32, of angles that are computed in a precision; the sines may be scaled.
fn cache(folder: &Path, name: &str, single: bool, sines: f64) {
    let angle = |i: usize| {
        let (row, omega) = ((i / PAIRS) as f64, 10000f64.powf(-((i % PAIRS) as f64) / PAIRS as f64));
        if single { f64::from(row as f32 * omega as f32) } else { row * omega }
    };
    let of = |part: fn(f64) -> f64, by: f64| {
        (0..ROWS * PAIRS).map(move |i| (by * part(angle(i))) as f32).flat_map(f32::to_le_bytes).collect::<Vec<u8>>()
    };
    let shape = format!("({ROWS}, {PAIRS})");
    npy(&folder.join(format!("{name}-cos.npy")), "<f4", &shape, of(f64::cos, 1.0));
    npy(&folder.join(format!("{name}-sin.npy")), "<f4", &shape, of(f64::sin, sines));
}

const CACHES: [&str; 11] = [
    "compare",
    "rope",
    "--cos",
    "a-cos.npy",
    "--sin",
    "a-sin.npy",
    "--with-cos",
    "b-cos.npy",
    "--with-sin",
    "b-sin.npy",
    "--dim",
];

fn compared(folder: &Path, more: &[&str]) -> (i32, Value) {
    let (status, out, err) = run_in(folder, &[&CACHES[..], more, &["--json"]].concat());
    let document = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{more:?}: {error}: {out}{err}"));
    validate(&document);
    (status, document)
}

#[test]
fn honest_caches_differ_by_less_than_their_bounds() {
    let folder = tempfile::tempdir().unwrap();
    cache(folder.path(), "a", false, 1.0);
    cache(folder.path(), "b", true, 1.0);
    let axes = "{\"encoding\":\"rope\",\"dim\":32,\"axes\":[{\"name\":\"p\",\"pairs\":\"0..16\"}]}";
    std::fs::write(folder.path().join("axes.json"), axes).unwrap();
    let rows: String = (0..ROWS).map(|row| format!("{row}\n")).collect();
    std::fs::write(folder.path().join("rows.txt"), rows).unwrap();
    let (status, plain) = compared(folder.path(), &["32"]);
    assert_eq!((status, plain["verdict"].as_str()), (0, Some("honest")));
    let largest = &plain["largest"];
    assert!(plain["differing"].as_u64() > Some(0) && plain["beyond"] == 0, "{plain:#}");
    let part = largest["difference"].as_f64().unwrap() / largest["allowed"].as_f64().unwrap();
    assert!(part > 0.1 && part <= 1.0, "{part}");
    // The entry that is named is that of the files.
    let (row, pair) = (largest["row"].as_u64().unwrap() as f64, largest["pair"].as_u64().unwrap() as f64);
    let angle = row * 10000f64.powf(-pair / PAIRS as f64);
    let exact = if largest["component"] == "cos" { angle.cos() } else { angle.sin() };
    assert!((largest["got"][0].as_f64().unwrap() - exact).abs() < 1e-7, "{largest}");
    assert_eq!(largest["position"], largest["row"]);
    // Rows of any order go through several axes.
    let (status, rows) = compared(folder.path(), &["32", "--positions", "rows.txt"]);
    assert_eq!((status, &rows["differing"]), (0, &plain["differing"]));
    let (status, axial) = {
        let stated = ["--convention", "axes.json", "--positions", "rows.txt", "--json"];
        let (status, out, err) = run_in(folder.path(), &[&CACHES[..10], &stated].concat());
        let document: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        validate(&document);
        (status, document)
    };
    assert_eq!((status, &axial["differing"], &axial["beyond"]), (0, &plain["differing"], &plain["beyond"]));
    assert_eq!(axial["largest"]["difference"], largest["difference"]);
}

#[test]
fn a_fault_is_said_to_be_of_the_output_that_has_it() {
    let folder = tempfile::tempdir().unwrap();
    for (a, b, verdict) in [(0.9, 1.0, "first"), (1.0, 0.9, "second"), (0.9, 0.8, "both"), (0.9, 0.9, "both")] {
        cache(folder.path(), "a", false, a);
        cache(folder.path(), "b", false, b);
        let (status, document) = compared(folder.path(), &["32"]);
        assert_eq!((status, document["verdict"].as_str()), (1, Some(verdict)));
        assert_eq!(document["largest"].is_null(), a == b, "{verdict}");
        assert_eq!(document["beyond"].as_u64() > Some(0), a != b, "{verdict}");
    }
    let (status, out, _) = run_in(folder.path(), &[&CACHES[..], &["32"]].concat());
    assert!(status == 1 && out.starts_with("neither conforms\n  all 6400 entries are equal\nA: rope "), "{out}");
}

#[test]
fn rotations_are_compared_where_they_began() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let x: Vec<f64> = (0..ROWS * 2 * PAIRS).map(|i| f64::from((i * 7919 % 1009) as u32) / 512.0 - 1.0).collect();
    let write = |name: &str, entries: &[f64]| {
        let bytes = entries.iter().flat_map(|x| (*x as f32).to_le_bytes());
        npy(&at.join(name), "<f4", &format!("({ROWS}, {})", 2 * PAIRS), bytes.collect::<Vec<u8>>());
    };
    let turned = |offset: usize| {
        let entry = |i: usize| {
            let (row, j) = (i / (2 * PAIRS), i % (2 * PAIRS));
            let angle = (row + offset) as f64 * 10000f64.powf(-((j / 2) as f64) / PAIRS as f64);
            let (sin, cos) = angle.sin_cos();
            let x = |i: usize| f64::from(x[i] as f32);
            if j.is_multiple_of(2) { x(i) * cos - x(i + 1) * sin } else { x(i) * cos + x(i - 1) * sin }
        };
        (0..x.len()).map(entry).collect::<Vec<f64>>()
    };
    write("x.npy", &x);
    write("a.npy", &turned(0));
    write("b.npy", &turned(1));
    let run = |with: &str| {
        run_in(at, &["compare", "rotation", "--x", "x.npy", "--y", "a.npy", "--with-y", with, "--dim", "32"])
    };
    let (status, out, err) = run("a.npy");
    assert!(status == 0 && out.contains("all 6400 entries are equal"), "{out}{err}");
    let (status, out, _) = run("b.npy");
    assert!(status == 1 && out.starts_with("a fault in B: A conforms") && out.contains("position-offset"), "{out}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    cache(folder.path(), "a", false, 1.0);
    npy(&folder.path().join("few.npy"), "<f4", "(2, 16)", std::iter::repeat_n(0u8, 128).collect::<Vec<u8>>());
    let one = ["compare", "rope", "--cos", "a-cos.npy", "--dim", "32"];
    for (more, expected) in [
        (
            &["--with-cos", "few.npy"][..],
            "few.npy: the shape: expected arrays of the shapes of the first output, [1, 200, 16]",
        ),
        (&["--with-sin", "a-sin.npy"], "a-sin.npy: the shape"),
        (&[], "expected"),
        (&["--with-cos", "none.npy"], "none.npy"),
        (&["--with-cos", "a-cos.npy", "--with-freqs-cis", "a-cos.npy"], "--with-freqs-cis"),
        (&["--inv-freq", "a-cos.npy", "--with-cos", "a-cos.npy"], "--inv-freq"),
    ] {
        let refusal = refused(folder.path(), &[&one[..], more].concat());
        assert!(refusal.contains(expected), "{refusal}");
    }
    let refusal = refused(folder.path(), &["compare"]);
    assert!(refusal.contains("--help"), "{refusal}");
}
