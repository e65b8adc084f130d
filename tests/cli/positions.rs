//! `posproof positions`: what it prints, writes, compares and refuses.

use super::{refused, run_in};
use posproof_schema::validate;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A .npy file of one dimension of integers.
fn integers(path: &Path, list: &[i64]) {
    let description = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}", list.len());
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{description:<117}\n");
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

/// The numbers of a .npy file, eight bytes each.
fn words(path: &Path) -> (String, Vec<[u8; 8]>) {
    let bytes = fs::read(path).unwrap();
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    (String::from_utf8_lossy(&bytes[10..start]).into_owned(), bytes[start..].as_chunks().0.to_vec())
}

const ROPE: [&str; 8] = ["positions", "rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--dim", "16"];

/// A folder with the cache `c.npz` of two packed sequences, each from position 0 on.
fn packed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let table = ["table", "rope", "--dim", "16", "--positions", "0..30,0..20", "--out", "c.npz"];
    assert_eq!(run_in(folder.path(), &table).0, 0);
    folder
}

#[test]
fn positions_are_printed_written_and_compared() {
    let folder = packed();
    let here = folder.path();
    let (status, out, err) = run_in(here, &[&ROPE[..], &["--out", "q.npy"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    for part in [
        "positions considered: the integers 0..1048576",
        "certified           50",
        "begin again at 0 in row 30",
        "wrote q.npy: int64 [50]",
    ] {
        assert!(out.contains(part), "{part} is missing from:\n{out}");
    }
    let truth: Vec<i64> = (0..30).chain(0..20).collect();
    let (header, written) = words(&here.join("q.npy"));
    assert!(header.contains("<i8") && header.contains("(50,)"), "{header}");
    assert_eq!(written.into_iter().map(i64::from_le_bytes).collect::<Vec<_>>(), truth);
    // What was written is what is expected.
    let (status, out, _) = run_in(here, &[&ROPE[..], &["--expected", "q.npy", "--strict"]].concat());
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("expected positions: 50 rows agree, 0 differ"), "{out}");
    let counted: Vec<i64> = (0..50).collect();
    integers(&here.join("p.npy"), &counted);
    let (status, out, _) = run_in(here, &[&ROPE[..], &["--expected", "p.npy"]].concat());
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("row 30: expected 30; found position 0"), "{out}");
    let message = refused(here, &[&ROPE[..], &["--out", "q.npy"]].concat());
    assert!(message.contains("q.npy"), "{message}");
}

#[test]
fn documents_follow_their_schema() {
    let folder = packed();
    let document = |more: &[&str]| {
        let (status, out, err) = run_in(folder.path(), &[&ROPE[..], more, &["--json"]].concat());
        let document: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        validate(&document);
        (status, document)
    };
    integers(&folder.path().join("p.npy"), &(0..50).collect::<Vec<i64>>());
    let (status, whole) = document(&["--expected", "p.npy"]);
    assert_eq!((status, &whole["counts"]["certified"]), (1, &50.into()));
    assert_eq!(whole["patterns"][0]["rows"], serde_json::json!([0, 30]));
    // In bfloat16 everything far away may be anything; outside 100..200 nothing is right.
    let (status, narrow) = document(&["--compute", "bf16", "--strict"]);
    assert_eq!((status, &narrow["counts"]["ambiguous"]), (3, &50.into()));
    let (status, other) = document(&["--domain", "100..200"]);
    assert_eq!((status, &other["open"][0]["found"]["status"]), (1, &"unexplained".into()));
}

/// A grid of 3 × 4 as flux.json has it, rows and columns, and its positions.
fn grid() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..12).map(|i| format!("0 {} {}\n", i / 4, i % 4)).collect();
    fs::write(folder.path().join("p.txt"), rows).unwrap();
    let convention = r#"{"encoding": "rope", "dim": 64, "axes": [{"name": "t", "pairs": "0..8"}, {"name": "h", "pairs": "8..20"}, {"name": "w", "pairs": "20..32"}]}"#;
    fs::write(folder.path().join("flux.json"), convention).unwrap();
    let table = ["table", "rope", "--convention", "flux.json", "--positions", "p.txt", "--out", "c.npz"];
    let (status, out, err) = run_in(folder.path(), &table);
    assert_eq!(status, 0, "{out}{err}");
    folder
}

const AXIAL: [&str; 8] = ["positions", "rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--convention", "flux.json"];

#[test]
fn coordinates_of_several_axes_are_printed_written_and_compared() {
    let folder = grid();
    let here = folder.path();
    let run = |more: &[&str]| run_in(here, &[&AXIAL[..], more].concat());
    let (status, out, err) = run(&["--out", "q.npy", "--expected", "p.txt", "--strict"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    for part in [
        "positions considered along each axis: the integers 0..1048576",
        "axis t: these formats tell all",
        "pattern: constant: every row has position 0",
        "pattern: an axis of a grid: row i has position 0 + (i div 4) mod 3",
        "begin again at 0 in rows 4, 8",
        "wrote q.npy: int64 [12, 3]",
    ] {
        assert!(out.contains(part), "{part} is missing from:\n{out}");
    }
    assert_eq!(out.matches("expected positions: 12 rows agree, 0 differ").count(), 3, "{out}");
    let (header, written) = words(&here.join("q.npy"));
    assert!(header.contains("<i8") && header.contains("(12, 3)"), "{header}");
    let truth: Vec<i64> = (0..12).flat_map(|i| [0, i / 4, i % 4]).collect();
    assert_eq!(written.into_iter().map(i64::from_le_bytes).collect::<Vec<_>>(), truth);
    // Height and width exchanged in the expectation.
    let exchanged: String = (0..12).map(|i| format!("0 {} {}\n", i % 4, i / 4)).collect();
    fs::write(here.join("p.txt"), exchanged).unwrap();
    let (status, out, _) = run(&["--expected", "p.txt"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("row 1: expected 1; found position 0"), "{out}");
    let (status, out, _) = run(&["--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    assert_eq!((status, &document["axes"][2]["counts"]["certified"]), (0, &12.into()));
    assert_eq!(document["axes"][0]["patterns"][0]["pattern"], "constant");
}

#[test]
fn fractional_positions_are_written_as_floats() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("p.txt"), "0\n1/2\n-3/2\n1000.5\n7\n").unwrap();
    let axis = ["--dim", "32", "--axis", "p:0..16"];
    let (status, _, err) =
        run_in(here, &[&["table", "rope", "--positions", "p.txt", "--out", "c.npz"], &axis[..]].concat());
    assert_eq!(status, 0, "{err}");
    // With an axis, and with none stated.
    for axis in [&axis[..], &axis[..2]] {
        let arguments = [
            &ROPE[..6],
            axis,
            &["--step", "1/2", "--domain=-64..4096", "--expected", "p.txt", "--out", "q.npy", "--force"],
        ]
        .concat();
        let (status, out, err) = run_in(here, &arguments);
        assert_eq!(status, 0, "{out}{err}");
        assert!(out.contains("the multiples of 1/2 in -64..4096") && out.contains("float64 [5, 1]"), "{out}");
        let floats: Vec<f64> = words(&here.join("q.npy")).1.into_iter().map(f64::from_le_bytes).collect();
        assert_eq!(floats, [0.0, 0.5, -1.5, 1000.5, 7.0]);
    }
    // Of whole numbers only two are found.
    let (status, out, _) = run_in(here, &[&ROPE[..6], &axis[..], &["--out", "w.npy"]].concat());
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("; 3 without a certified position") && out.contains("NaN for 3 without"), "{out}");
}

/// Options that check proposes for rows at other positions decode them.
#[test]
fn a_finding_of_positions_says_how_they_are_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    type Rule = fn(i64) -> f64;
    let ways: [(&str, Rule, &str); 3] = [
        ("signed bytes", |row| ((row + 128) % 256 - 128) as f64, " --domain -128..600"),
        ("quarters", |row| (4 * row + row * 7919 % 5) as f64 / 4.0, " --step 1/4"),
        ("beyond a window", |row| if row < 300 { row as f64 } else { (300 + row) as f64 / 2.0 }, " --step 1/2"),
    ];
    for (name, position, options) in ways {
        let positions: Vec<String> = (0..600).map(|row| position(row).to_string()).collect();
        fs::write(here.join("p.txt"), positions.join("\n")).unwrap();
        let table = ["table", "rope", "--dim", "32", "--positions", "p.txt", "--out", "c.npz", "--force"];
        assert_eq!(run_in(here, &table).0, 0, "{name}");
        let cache = ["rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--dim", "32"];
        let (status, out, _) = run_in(here, &[&["check"], &cache[..]].concat());
        assert_eq!(status, 1, "{name}: {out}");
        let told = format!("\nposproof positions{options} says by which position each row was rotated\n");
        assert!(out.contains(&told), "{name}: {out}");
        let options: Vec<&str> = options.split_whitespace().chain(["--expected", "p.txt"]).collect();
        let (status, out, _) = run_in(here, &[&["positions"], &cache[..], &options].concat());
        assert!(status == 0 && out.contains("600 rows agree"), "{name}: {out}");
    }
}

/// Rows of zeros show nothing: no fault, but nothing is certified either, and the first line says so.
#[test]
fn rows_of_zeros_are_open() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 8), }";
    let header = format!("{zeros:<117}\n");
    let bytes = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), &[0; 64]].concat();
    fs::write(folder.path().join("z.npy"), bytes).unwrap();
    let arguments = ["positions", "rope", "--cos", "z.npy", "--sin", "z.npy", "--dim", "16"];
    let (status, out, _) = run_in(folder.path(), &arguments);
    assert_eq!(status, 0, "{out}");
    assert!(out.lines().next().is_some_and(|line| line.ends_with("; 2 without a certified position")), "{out}");
    assert_eq!(run_in(folder.path(), &[&arguments[..], &["--strict"]].concat()).0, 3);
}

#[test]
fn what_cannot_be_decoded_along_axes_is_refused() {
    let folder = grid();
    fs::write(folder.path().join("r.txt"), "0 1/2 0\n".repeat(12)).unwrap();
    fs::write(folder.path().join("s.txt"), "0 1\n".repeat(12)).unwrap();
    for (arguments, part) in [
        (&["--step", "0"][..], "above 0"),
        (&["--step=-1/2"], "above 0"),
        (&["--step", "x"], "--step"),
        (&["--step", "9", "--domain", "1..8"], "multiples of 9"),
        (&["--path", "recurrence"], "found recurrence"),
        (&["--positions", "p.txt"], "--expected"),
        (&["--dim", "64"], "--convention"),
        (&["--expected", "r.txt"], "a multiple of 1"),
        (&["--expected", "s.txt"], "s.txt"),
        (&["--expected", "missing.npy"], "missing.npy"),
        (&["--domain", "0..2", "--expected", "p.txt"], "a position in 0..2"),
    ] {
        let message = refused(folder.path(), &[&AXIAL[..], arguments].concat());
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn what_cannot_be_decoded_is_refused() {
    let folder = packed();
    let refused = |more: &[&str]| refused(folder.path(), &[&ROPE[..], more].concat());
    integers(&folder.path().join("p.npy"), &[1, 2, 3]);
    for (arguments, part) in [
        (&["--positions", "0..50"][..], "--expected"),
        (&["--domain", "5..5"], "A..B"),
        (&["--expected", "p.npy"], "expected 50; found 3 positions"),
        (&["--expected", "c.npz:cos"], "entry"),
        (&["--out", "q.txt"], ".npy"),
        (&["--position-offset", "1e40"], "2^62 turns"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    let message = super::refused(folder.path(), &["positions", "rope", "--cos", "c.npz:cos", "--dim", "16"]);
    assert!(message.contains("half a cache"), "{message}");
}
