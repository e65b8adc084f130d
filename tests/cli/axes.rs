//! `posproof check` and `posproof table` for encodings of several axes: every way to state them, every source of positions, every refusal.

use super::{refused, run_in};
use posproof_schema::validate;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Writes a .npy file.
pub(super) fn npy(path: &Path, dtype: &str, shape: &str, data: impl IntoIterator<Item = u8>) {
    let header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(118u16.to_le_bytes());
    bytes.extend(format!("{header:<117}\n").as_bytes());
    bytes.extend(data);
    fs::write(path, bytes).unwrap();
}

/// Coordinates t, h and w of nine rows: a line of text, a grid of 2 × 3 behind it, and text again.
const ROWS: [[i64; 3]; 9] =
    [[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 3], [2, 2, 4], [2, 3, 2], [2, 3, 3], [2, 3, 4], [5, 5, 5]];

const JSON: &str = r#"{"encoding": "rope", "dim": 16, "base": 1000000, "layout": "halves", "axes": [
    {"name": "t", "pairs": "0..2", "index": "pairs"}, {"name": "h", "pairs": "2..5", "index": "pairs"},
    {"name": "w", "pairs": "5..8", "index": "pairs"}]}"#;

/// Sections of 2, 3 and 3 pairs, as `JSON` has them.
const SECTIONS: [&str; 8] = ["--dim", "16", "--base", "1000000", "--layout", "halves", "--sections", "2,3,3"];

/// A folder with the convention, its positions in every form, and the cache `c.npz` of it.
pub(super) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("c.json"), JSON).unwrap();
    npy(&at("p.npy"), "<i8", "(9, 3)", ROWS.iter().flatten().flat_map(|x| x.to_le_bytes()));
    npy(&at("small.npy"), "<i4", "(9, 3)", ROWS.iter().flatten().flat_map(|&x| (x as i32).to_le_bytes()));
    npy(&at("floats.npy"), "<f4", "(9, 3)", ROWS.iter().flatten().flat_map(|&x| (x as f32).to_le_bytes()));
    let first = (0..3).flat_map(|axis| ROWS.iter().map(move |row| row[axis]));
    npy(&at("first.npy"), "<i8", "(3, 1, 9)", first.flat_map(i64::to_le_bytes));
    let text: String = ROWS.iter().map(|[t, h, w]| format!("{t} {h}/1, {w}.0\n")).collect();
    fs::write(at("p.txt"), format!("# t h w\n{text}")).unwrap();
    let table = ["table", "rope", "--convention", "c.json", "--positions", "p.npy", "--out", "c.npz"];
    let (status, out, err) = run_in(folder.path(), &table);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("cos [9, 8] f32") && out.contains("sin [9, 8] f32"), "{out}");
    folder
}

pub(super) const CHECK: [&str; 6] = ["check", "rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin"];

/// Whatever states the convention and the rows, the entries are the correct roundings of the same numbers.
#[test]
fn every_way_to_state_axes_says_the_same() {
    let folder = folder();
    let axes = ["--axis", "t:0..2", "--axis", "h:2..5", "--axis", "w:5..8"];
    let each = ["--axis", "t:0..2;index=pairs", "--axis", "h:2..5;index=pairs", "--axis", "w:5..8;index=pairs"];
    let ways: [Vec<&str>; 5] = [
        vec!["--convention", "c.json"],
        SECTIONS.to_vec(),
        [&SECTIONS[..], &["--sections-order", "blocked"]].concat(),
        [&SECTIONS[..6], &axes[..], &["--index", "pairs"]].concat(),
        [&SECTIONS[..6], &each[..]].concat(),
    ];
    for way in ways {
        let (status, out, err) = run_in(folder.path(), &[&CHECK[..], &way, &["--positions", "p.npy"]].concat());
        assert_eq!((status, err.as_str()), (0, ""), "{way:?}: {out}");
        assert!(out.starts_with("rope correctly-rounded: conforms (144 entries)"), "{way:?}: {out}");
    }
    for rows in
        [&["p.npy"][..], &["small.npy"], &["floats.npy"], &["p.txt"], &["first.npy", "--positions-axes", "first"]]
    {
        let given = [&CHECK[..], &["--convention", "c.json", "--positions"], rows].concat();
        let (status, out, err) = run_in(folder.path(), &given);
        assert_eq!((status, err.as_str()), (0, ""), "{rows:?}: {out}");
        assert!(out.contains("correctly-rounded"), "{rows:?}: {out}");
    }
}

/// Sections that alternate are not those that lie one after the other: the judgement says so, by the document as by the text.
#[test]
fn other_axes_are_named() {
    let folder = folder();
    let judged = |more: &[&str]| {
        let (status, out, err) = run_in(folder.path(), &[&CHECK[..], more].concat());
        assert!(!out.is_empty(), "{more:?}: {err}");
        (status, out)
    };
    // Height and width exchanged; the text rows alone would not show it.
    let exchanged: Vec<u8> = ROWS.iter().flat_map(|[t, h, w]| [t, w, h]).flat_map(|x| x.to_le_bytes()).collect();
    npy(&folder.path().join("swapped.npy"), "<i8", "(9, 3)", exchanged);
    let (status, out) = judged(&["--convention", "c.json", "--positions", "swapped.npy", "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    assert_eq!((status, &document["findings"][0]["code"]), (1, &"axes-exchanged".into()), "{out}");
    let alternating = ["--axis", "t:0..2", "--axis", "h:2..8:2", "--axis", "w:3..8:2", "--index", "pairs"];
    let (status, out) = judged(&[&SECTIONS[..6], &alternating, &["--positions", "p.npy"]].concat());
    assert!(status == 1 && out.contains("axis-arrangement"), "{out}");
    let other = ["--dim", "16", "--base", "10000", "--layout", "halves", "--sections", "2,3,3", "--positions", "p.npy"];
    let (status, out) = judged(&other);
    assert!(status == 1 && out.contains("other-base"), "{out}");
}

/// A table of part of a row, with fractional coordinates, in every format and container that it can be in.
#[test]
fn tables_of_axes_are_written_and_conform() {
    let folder = folder();
    fs::write(folder.path().join("f.txt"), "0 0\n1/3 2.5\n-7 0.1\nnan nan\n").unwrap();
    let stated = ["--dim", "16", "--span", "0..8", "--axis", "h:0..2", "--axis", "w:2..4;position-scale=1/2*pi"];
    for (format, file) in [("f64", "t.npz"), ("f32", "t.safetensors"), ("bf16", "b.safetensors"), ("f16", "h.npz")] {
        let rows = ["--positions", "f.txt", "--dtype", format, "--out", file];
        let (status, out, err) = run_in(folder.path(), &[&["table", "rope"], &stated[..], &rows].concat());
        assert_eq!((status, err.as_str()), (0, ""), "{out}");
        let (cos, sin) = (format!("{file}:cos"), format!("{file}:sin"));
        let check = ["check", "rope", "--cos", &cos, "--sin", &sin, "--positions", "f.txt"];
        let (status, out, _) = run_in(folder.path(), &[&check[..], &stated].concat());
        assert!(status == 0 && out.contains("correctly-rounded"), "{format}: {out}");
    }
    let grid = ["table", "sinusoid", "--dim", "8", "--axis", "h:0..2", "--axis", "w:2..4", "--positions", "f.txt"];
    assert_eq!(run_in(folder.path(), &[&grid[..], &["--out", "s.npy"]].concat()).0, 0);
    // It is called what a sinusoid of one axis is called.
    let (status, out, err) = run_in(folder.path(), &[&grid[..], &["--out", "s.npz"]].concat());
    assert!(status == 0 && out.contains("  pe ["), "{out}{err}");
    let large = ["--amplitude", "1e5", "--dtype", "f16", "--out", "l.npz"];
    let message = refused(folder.path(), &[&grid[..], &large].concat());
    assert!(message.contains("row 0, pe, column") && message.contains("f16 holds numbers up to 65504"), "{message}");
    let check = ["check", "sinusoid", "--table", "s.npy", "--positions", "f.txt"];
    let (status, out, _) = run_in(folder.path(), &[&check[..], &grid[2..8]].concat());
    assert!(status == 0 && out.contains("correctly-rounded"), "{out}");
    let message = refused(folder.path(), &[&grid[..], &["--out", "s.npy"]].concat());
    assert!(message.contains("s.npy"), "{message}");
}

/// Positions that are none, of the wrong shape, or not held exactly.
#[test]
fn positions_that_are_none_are_refused() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    npy(&at("wide.npy"), "<i8", "(9, 2)", vec![0; 144]);
    npy(&at("deep.npy"), "<i8", "(3, 3, 3, 3)", vec![0; 648]);
    npy(&at("few.npy"), "<i8", "(8, 3)", vec![0; 192]);
    npy(&at("large.npy"), "<i8", "(9, 3)", (0..27).flat_map(|_| (1i64 << 60).to_le_bytes()));
    let floats = |name: &str, wrong: f64| {
        let numbers = (0..27).map(|i| if i == 4 { wrong } else { 1.0 });
        npy(&at(name), "<f8", "(9, 3)", numbers.flat_map(f64::to_le_bytes));
    };
    floats("nan.npy", f64::NAN);
    floats("infinite.npy", f64::INFINITY);
    let texts = [("short", "0 0 0\n1 2\n"), ("word", "0 0 x\n"), ("far", "0 0 1e400\n"), ("empty", "# nothing\n")];
    texts.iter().for_each(|(name, text)| fs::write(at(name).with_extension("txt"), text).unwrap());
    for (rows, part) in [
        (&["wide.npy"][..], "2 coordinates in a row; expected 3"),
        (
            &["deep.npy"],
            "expected [rows, axes], [sequences, rows, axes] or [rows]; found an array of shape [3, 3, 3, 3]",
        ),
        (&["few.npy"], "expected 8 rows, one for each position; found 9"),
        (&["large.npy"], "an integer below 2^53 in magnitude"),
        (&["nan.npy"], "row 1, axis 1: NaN; expected a finite number, or NaN on every axis"),
        (&["infinite.npy"], "row 1, axis 1: inf"),
        (&["short.txt"], "2 coordinates in row 1; expected 3 coordinates"),
        (&["word.txt"], "row 0, axis 2: 'x'; expected a decimal"),
        (&["empty.txt"], "no row"),
        (&["far.txt"], "axis w: expected numbers of at most 3.4028234663852886e38 in magnitude, which f32 holds"),
        (&["missing.npy"], "missing.npy"),
        (&["p.npy", "--positions-axes", "first"], "9 coordinates in a row; expected 3"),
        (&["p.npy", "--positions-axes", "last"], "first"),
    ] {
        let message = refused(folder.path(), &[&CHECK[..], &["--convention", "c.json", "--positions"], rows].concat());
        assert!(message.contains(part), "{rows:?}: {message}");
    }
    let message = refused(folder.path(), &[&CHECK[..], &["--convention", "c.json"]].concat());
    assert!(message.contains("--positions"), "{message}");
}

/// Sections that do not add up, axes that there are not, spans beyond the row, conventions that are none.
#[test]
fn axes_that_are_none_are_refused() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("unknown.json"), JSON.replace("\"index\"", "\"indices\"")).unwrap();
    fs::write(at("twice.json"), JSON.replace("2..5", "1..5")).unwrap();
    fs::write(at("broken.json"), "{").unwrap();
    fs::write(at("sinusoid.json"), JSON.replace("rope", "sinusoid")).unwrap();
    for (stated, part) in [
        (&["--dim", "16", "--sections", "2,3"][..], "2 sections; expected three"),
        (&["--dim", "16", "--sections", "2,3,4"], "expected slots below 8"),
        (&["--dim", "16", "--sections", "0,4,4"], "above 0"),
        (&["--dim", "16", "--sections", "2,3,3", "--axis", "t:0..2"], "cannot be used with"),
        (&["--dim", "16", "--axis", "t:0..8", "--factor", "8"], "--axis: expected no --factor beside it"),
        (&["--dim", "16", "--sections-order", "blocked"], "--sections"),
        (&["--dim", "16", "--sections", "2,3,3", "--sections-order", "mixed"], "blocked"),
        (&["--dim", "16", "--axis", "t"], "name:ranges"),
        (&["--dim", "16", "--axis", "t:4..2"], "the range is empty"),
        (&["--dim", "16", "--axis", "t:0..9"], "slots below 8"),
        (&["--dim", "16", "--axis", "t:0..4", "--axis", "t:4..8"], "a name of its own"),
        (&["--dim", "16", "--axis", "t:0..5", "--axis", "h:4..8"], "slot 4, which axis t claims"),
        (&["--dim", "16", "--axis", "t:0..8;colour=red"], "colour"),
        (&["--dim", "16", "--axis", "t:0..8", "--index", "slots"], "pairs"),
        (&["--dim", "16", "--span", "0..17"], "[0, 17]"),
        (&["--dim", "16", "--span", "eight"], "A..B"),
        (&["--axis", "t:0..8"], "--dim"),
        (&["--positions-axes", "first", "--dim", "16"], "--positions-axes without axes"),
        (&["--convention", "unknown.json"], "indices"),
        (&["--convention", "twice.json"], "axis h: pairs"),
        (&["--convention", "broken.json"], "broken.json"),
        (&["--convention", "sinusoid.json"], "expected rope"),
        (&["--convention", "c.json", "--dim", "16"], "one or the other"),
        (&["--convention", "none.json"], "none.json"),
    ] {
        let message = refused(folder.path(), &[&CHECK[..], &["--positions", "p.npy"], stated].concat());
        assert!(message.contains(part), "{stated:?}: {message}");
    }
    let message = refused(
        folder.path(),
        &[&CHECK[..], &["--convention", "c.json", "--positions", "p.npy", "--path", "recurrence"]].concat(),
    );
    assert!(message.contains("recurrence"), "{message}");
    let table = ["table", "rope", "--convention", "c.json", "--positions", "p.npy", "--out", "t.npy"];
    let message = refused(folder.path(), &table);
    assert!(message.contains(".npz"), "{message}");
}

/// A model's configuration says its axes: the sections of its text part, the grid of its vision part.
#[test]
fn configurations_say_their_axes() {
    let folder = folder();
    let here = folder.path();
    let config = r#"{"model_type": "qwen2_vl", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
        "max_position_embeddings": 32768, "rope_theta": 1000000.0, "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]},
        "vision_config": {"embed_dim": 64, "num_heads": 4}}"#;
    fs::write(here.join("config.json"), config).unwrap();
    let given = [&CHECK[..], &["--config", "config.json", "--positions", "p.npy"]].concat();
    let (status, out, err) = run_in(here, &given);
    assert!(status == 0 && out.contains("correctly-rounded"), "{out}{err}");
    assert!(err.contains("axes as in qwen2_vl Qwen2VLRotaryEmbedding"), "{err}");
    fs::write(here.join("grid.txt"), "0 0\n0 1\n1 0\n1 1\n30 7\n").unwrap();
    let grid = ["--dim", "16", "--layout", "halves", "--axis", "h:0..4", "--axis", "w:4..8", "--positions", "grid.txt"];
    assert_eq!(run_in(here, &[&["table", "rope"], &grid[..], &["--out", "v.npz"]].concat()).0, 0);
    let vision = ["check", "rope", "--cos", "v.npz:cos", "--sin", "v.npz:sin", "--config", "config.json"];
    let part = ["--part", "vision_config", "--positions", "grid.txt"];
    let (status, out, err) = run_in(here, &[&vision[..], &part].concat());
    assert!(status == 0 && out.contains("correctly-rounded"), "{out}{err}");
    let message = refused(here, &[&vision[..], &part, &["--base", "500"]].concat());
    assert!(message.contains("no options beside it"), "{message}");
    fs::write(here.join("config.json"), config.replace("[2, 3, 3]", "[2, 3, 4]")).unwrap();
    let message = refused(here, &given);
    assert!(message.contains("sections that add up to 8"), "{message}");
    fs::write(here.join("config.json"), config.replace("\"embed_dim\": 64, ", "")).unwrap();
    let message = refused(here, &[&vision[..], &part].concat());
    assert!(message.contains("vision_config.embed_dim"), "{message}");
}

/// The convention is found again without being stated.
#[test]
fn axes_are_identified() {
    let folder = folder();
    let here = folder.path();
    // A grid of 9 × 7 with t = 3, behind text, far enough to tell the frequencies.
    let grid = (0..63).map(|i| [3, 3 + i / 7, 3 + i % 7]).chain((0..40).map(|i| [20 + 11 * i; 3]));
    let rows: Vec<[i64; 3]> = (0..3).map(|i| [i; 3]).chain(grid).chain([[700, 20, 300], [90, 2000, 1]]).collect();
    npy(
        &here.join("g.npy"),
        "<i8",
        &format!("({}, 3)", rows.len()),
        rows.iter().flatten().flat_map(|x| x.to_le_bytes()),
    );
    let table = ["table", "rope", "--convention", "c.json", "--positions", "g.npy", "--out", "g.npz"];
    assert_eq!(run_in(here, &table).0, 0);
    let identify = ["identify", "rope", "--cos", "g.npz:cos", "--sin", "g.npz:sin", "--axes", "t,h,w"];
    let (status, out, err) = run_in(here, &[&identify[..], &["--positions", "g.npy", "--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    let axes = &document["convention"]["axes"];
    let slots: Vec<&str> = axes.as_array().unwrap().iter().map(|axis| axis["pairs"].as_str().unwrap()).collect();
    assert_eq!(slots, ["0..2", "2..5", "5..8"], "{out}");
    assert_eq!(document["convention"]["base"], 1_000_000, "{out}");
    for (more, part) in [
        (&["--positions", "p.npy"][..], "9"),
        (&["--axes", "t,t"], "a name of its own"),
        (&["--positions-axes", "last"], "first"),
    ] {
        let message = refused(here, &[&identify[..], more].concat());
        assert!(message.contains(part), "{more:?}: {message}");
    }
    // Without positions: which slots turn together, t having two.
    let (status, out, err) = run_in(here, &[&identify[..], &["--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    let groups: Vec<&str> =
        document["groups"].as_array().unwrap().iter().map(|group| group["slots"].as_str().unwrap()).collect();
    assert_eq!(groups, ["2..5", "5..8"], "{out}");
    let (status, out, err) = run_in(here, &identify);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("groups 0 and 1 do not turn in proportion: rows"), "{out}");
    let message = refused(here, &["identify", "rope", "--cos", "g.npz:cos", "--axes", "t,h,w"]);
    assert!(message.contains("cosines and sines"), "{message}");
    let message = refused(here, &["identify", "rope", "--cos", "g.npz:cos", "--axes", "t,h,w", "--positions", "g.npy"]);
    assert!(message.contains("cosines and sines"), "{message}");
}

/// A probe asks for rows that tell axes apart, and says the command that judges the answer.
#[test]
fn probes_of_axes_are_judged_by_the_command_they_print() {
    let folder = folder();
    let here = folder.path();
    let probe = ["probe", "rope", "--convention", "c.json", "--fractional", "--out", "q.npy"];
    let (status, out, err) = run_in(here, &probe);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    // The program under test: that of the tables.
    for component in ["cos", "sin"] {
        let file = format!("q-{component}.npy");
        let table = [
            "table",
            "rope",
            "--convention",
            "q-convention.json",
            "--positions",
            "q.npy",
            "--component",
            component,
            "--out",
            &file,
        ];
        let (status, out, err) = run_in(here, &table);
        assert_eq!(status, 0, "{out}{err}");
    }
    let command = out.lines().find(|line| line.trim().starts_with("posproof check")).expect(&out);
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let (status, out, err) = run_in(here, &words);
    assert!(status == 0 && out.contains("correctly-rounded"), "{words:?}: {out}{err}");
    assert!(refused(here, &probe).contains("q-convention.json"));
    let message = refused(here, &["probe", "rope", "--dim", "16", "--fractional", "--out", "r.npy"]);
    assert!(message.contains("several axes"), "{message}");
}

/// Bounds of every slot: a priori, and of the program that rounds as it is said, which is no larger.
#[test]
fn bounds_of_axes_are_printed() {
    let folder = folder();
    fs::write(folder.path().join("f.txt"), "0 1/3 2.5\n100 7 -3\n").unwrap();
    let bound = ["bound", "rope", "--convention", "c.json", "--positions", "f.txt"];
    let (status, out, err) = run_in(folder.path(), &[&bound[..], &["--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    let cases = document["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        let [a_priori, instance] = ["a_priori", "instance"].map(|kind| case[kind]["bound"].as_f64().unwrap());
        assert!(0.0 < instance && instance <= a_priori && a_priori < 1e-4, "{case}");
    }
    let (status, out, _) = run_in(folder.path(), &[&bound[..], &["--pairs", "3"]].concat());
    assert!(status == 0 && out.contains("   3 h"), "{out}");
    let (status, out, err) = run_in(folder.path(), &[&bound[..], &["--worst", "--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&document);
    for case in document["cases"].as_array().unwrap() {
        let worst = case["worst"].as_array().unwrap();
        assert_eq!([&worst[0]["component"], &worst[1]["component"]], ["sin", "cos"], "{case}");
        let within = |worst: &Value| worst["error"].as_f64().unwrap() <= case["instance"]["bound"].as_f64().unwrap();
        assert!(worst.iter().all(within), "{case}");
    }
    let (status, out, _) = run_in(folder.path(), &[&bound[..], &["--worst", "--component", "cos"]].concat());
    assert!(status == 0 && out.matches("worst cos").count() == 8 && !out.contains("worst sin"), "{out}");
    // Rotated pairs of length 1 have bounds of their own, a little wider than those of the cache.
    let rotation = [&["bound", "rotation"], &bound[2..]].concat();
    let (status, out, err) = run_in(folder.path(), &[&rotation[..], &["--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let turned: Value = serde_json::from_str(&out).unwrap();
    validate(&turned);
    for (turned, case) in turned["cases"].as_array().unwrap().iter().zip(document["cases"].as_array().unwrap()) {
        let [turned, case] = [turned, case].map(|case| case["a_priori"]["bound"].as_f64().unwrap());
        assert!(case < turned && turned < 4.0 * case, "{turned} {case}");
    }
    let (status, out, _) = run_in(folder.path(), &rotation);
    assert!(status == 0 && out.starts_with("Error of each entry of a rotated unit pair"), "{out}");
    // A table of sinusoids has the same bounds; a scale leaves the program open.
    let scaled =
        ["--dim", "4", "--axis", "h:0..1;position-scale=1/2", "--axis", "w:1..2", "--positions", "g.txt", "--worst"];
    fs::write(folder.path().join("g.txt"), "0 1\n3 7\n").unwrap();
    let (status, out, err) = run_in(folder.path(), &[&["bound", "sinusoid"], &scaled[..]].concat());
    assert!(status == 0 && out.matches("no worst case").count() == 1 && out.contains("worst sin"), "{out}{err}");
    for (more, part) in [
        (&["--worst", "--path", "pow"][..], "--worst with path pow"),
        (&["--component", "sin"], "without --worst"),
        (&["--error", "1e-3"], "--error with axes"),
        (&["--pairs", "8"], "slots below 8"),
    ] {
        let message = refused(folder.path(), &[&bound[..], more].concat());
        assert!(message.contains(part), "{more:?}: {message}");
    }
    for asked in [&["bound", "score"][..], &["bound", "rotation", "--worst"]] {
        let message = refused(folder.path(), &[asked, &bound[2..]].concat());
        assert!(message.contains("with axes"), "{message}");
    }
}
