//! `posproof tolerance`: the same numbers as text, as C and in every kind of file, and refusals.

use super::{json, refused, run_in};
use posproof::bound::tolerance::Tolerance;
use posproof::encoding::convention::Convention;
use posproof::number::format::{Format, hex};
use serde_json::Value;
use std::fs;
use std::path::Path;

const ROPE: [&str; 8] = ["tolerance", "rope", "--dim", "16", "--positions", "0..300,131071", "--dtype", "bf16"];

/// The tolerances of [`ROPE`], row after row.
fn certified() -> Vec<Vec<f64>> {
    let tolerance = Tolerance::new(&Convention::rope(16), 131_071, (Format::F32, None), Format::Bf16).unwrap();
    let mut row = vec![0.0; 8];
    let positions = (0..300).chain([131_071]);
    positions.map(|position| (tolerance.row(position, &mut row), row.clone()).1).collect()
}

#[test]
fn every_way_to_write_them_holds_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let expected = certified();
    let listed = json(&[&ROPE[..], &["--json"]].concat());
    let text: Vec<Vec<String>> = expected.iter().map(|row| row.iter().map(|&x| hex(x)).collect()).collect();
    assert_eq!(listed["atol"], serde_json::json!(text));
    assert_eq!(listed["positions"], serde_json::json!((0..300).chain([131_071]).collect::<Vec<u64>>()));
    let bytes: Vec<u8> = expected.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    for (file, kind) in [("t.npy", "npy"), ("t.npz", "npz"), ("t.safetensors", "safetensors")] {
        let (status, out, err) = run_in(folder.path(), &[&ROPE[..], &["--json", "--out", file]].concat());
        assert_eq!((status, err.as_str()), (0, ""), "{file}");
        let document: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(
            (&document["written"]["kind"], &document["written"]["shape"]),
            (&kind.into(), &serde_json::json!([301, 8]))
        );
        let written = fs::read(folder.path().join(file)).unwrap();
        assert_eq!(document["written"]["bytes"], written.len());
        assert!(written.windows(bytes.len()).any(|window| window == bytes), "{file}");
        assert!(kind == "npy" || written.windows(4).any(|window| window == b"atol"), "{file}");
    }
    let (status, _, err) = run_in(folder.path(), &[&ROPE[..], &["--out", "t.json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""));
    let written: Value = serde_json::from_slice(&fs::read(folder.path().join("t.json")).unwrap()).unwrap();
    assert_eq!(written, listed);
    let (_, header, _) = run_in(folder.path(), &[&ROPE[..], &["--c-header", "ATOL"]].concat());
    assert!(header.contains("static const double ATOL[301][8] = {\n    {0x"), "{header}");
    assert!(header.contains(&format!("{}}}\n}};\n", text[300][7])), "{header}");
}

#[test]
fn words_say_the_smallest_and_the_largest() {
    let (status, out, err) = run_in(Path::new("."), &ROPE);
    assert_eq!((status, err.as_str()), (0, ""));
    for part in
        ["301 positions of 8 pairs", "the smallest: position 0, pair 0", "the largest: position 131071", "any honest"]
    {
        assert!(out.contains(part), "'{part}' is not in: {out}");
    }
    let largest = certified().into_iter().flatten().fold(0.0, f64::max);
    assert!(out.contains(&posproof::bound::document::printed(largest)), "{largest:e}: {out}");
}

#[test]
fn refusals_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (options, part) in [
        (&["--dim", "8"][..], "no positions: expected --positions"),
        (&["--positions", "0..9"], "no dimension: expected --dim"),
        (&["--dim", "8", "--positions", "0..9", "--path", "magic"], "magic"),
        (&["--dim", "8", "--positions", "-1,1/2", "--path", "recurrence"], "path: recurrence; expected another one"),
        (&["--dim", "8", "--positions", "0..9", "--out", "t.txt"], "t.txt: expected a name that ends in .npy"),
        (&["--dim", "8", "--positions", "0..9", "--c-header", "1st"], "--c-header '1st': expected a name of C"),
        (
            &["--dim", "8", "--positions", "0..65537", "--json"],
            "65537 positions of 4 pairs; expected at most 65536, and",
        ),
        (&["--dim", "2048", "--positions", "0..8192", "--json"], "and 4194304 tolerances, as text; --out FILE.npy"),
        (&["--dim", "4194304", "--positions", "5"], "pairs: 2097152; expected at most 1048576"),
        (&["--dim", "8", "--positions", "0..65537", "--out", "t.json"], "65537 positions of 4 pairs"),
        (
            &["--dim", "8", "--positions", "0..9", "--amplitude", "70000", "--dtype", "f16"],
            "amplitude: 70000; expected one whose entries f16 holds, up to 65504",
        ),
        (
            &["--dim", "8", "--positions", "65530..65540", "--compute", "f16"],
            "positions: 65539; expected positions that f16 holds, up to 65504",
        ),
    ] {
        let message = refused(here, &[&["tolerance", "rope"], options].concat());
        assert!(message.contains(part), "'{part}' is not in: {message}");
        assert!(fs::read_dir(here).unwrap().next().is_none(), "{options:?}");
    }
    let write = [&ROPE[..], &["--out", "t.npy"]].concat();
    assert_eq!(run_in(here, &write).0, 0);
    assert!(refused(here, &write).contains("t.npy exists"));
    assert_eq!(run_in(here, &[&write[..], &["--force"]].concat()).0, 0);
}
