//! `posproof positions`: what it prints, writes, compares and refuses.

use super::schema::validate;
use super::{refused, run_in};
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
