//! Probes: what another implementation answers to them is judged by the command that they print.

use crate::command::{judge, run};
use crate::corpus::*;
use crate::files::*;
use posproof::conformance::read::open;
use posproof::encoding::convention::{Convention, Layout};
use serde_json::{Value, json};
use std::path::Path;

/// A probe for a rotation of halves, 8 heads of dimension 64.
fn probe(directory: &Path, more: &[&str]) -> Value {
    let arguments = ["probe", "rotation", "--dim", "64", "--layout", "halves", "--base", "500000", "--heads", "3"];
    let (status, document) = judge(directory, &[&arguments[..], more].concat());
    assert_eq!(status, 0);
    document
}

/// Every row of every head of an array of the probe.
fn rows(path: &str) -> Vec<f64> {
    let array = open(path).unwrap();
    let mut all = Vec::new();
    for slab in 0..array.slabs() {
        let mut out = Vec::new();
        array.read(slab, 0..array.rows(), &mut out).unwrap();
        all.extend(out);
    }
    all
}

/// x rotated by a program, in binary32.
fn rotate(directory: &Path, files: &Value, change: impl FnOnce(Program<'static>) -> Program<'static>) -> Vec<u8> {
    let at = |i: usize| format!("{}/{}", directory.display(), files[i].as_str().unwrap());
    let (x, positions) = (rows(&at(0)), open(&at(1)).unwrap().positions().unwrap());
    let convention = Convention { base: 500_000.into(), layout: Layout::Halves, ..Convention::rope(64) };
    let pairs = wiring(Layout::Halves, 32);
    let phasors = change(Program::single(&convention)).run(32, &positions);
    let y: Vec<f64> =
        x.chunks_exact(positions.len() * 64).flat_map(|head| phasors.rotate(head, 64, &pairs, &pairs)).collect();
    let data: Vec<u8> = y.iter().flat_map(|y| (*y as f32).to_le_bytes()).collect();
    npy("'<f4'", "False", &format!("(3, {}, 64)", positions.len()), &data)
}

/// The judgement of the answer, by the command of the probe.
fn answered(directory: &Path, probe: &Value) -> (i32, Value) {
    let words: Vec<&str> = probe["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words[0], "posproof");
    judge(directory, &words[1..])
}

#[test]
fn a_right_answer_conforms_and_a_faulty_one_is_found() {
    let folder = Folder::new();
    let document = probe(folder.path(), &["--out", "p.npy"]);
    assert_eq!(document["files"], json!(["p.npy", "p-positions.npy"]));
    assert_eq!(document["last"], 131_071);
    folder.write("p-y.npy", &rotate(folder.path(), &document["files"], |program| program));
    let (status, report) = answered(folder.path(), &document);
    assert_eq!((status, &report["grade"], &report["findings"]), (0, &json!("within-bound"), &json!([])), "{report:#}");

    let faulty = rotate(folder.path(), &document["files"], |program| Program {
        position: Box::new(|p| p.min(8191) as f64),
        ..program
    });
    folder.write("p-y.npy", &faulty);
    let (status, report) = answered(folder.path(), &document);
    assert_eq!((status, &report["findings"][0]["code"]), (1, &json!("clamped-positions")), "{report:#}");
    assert_eq!(report["findings"][0]["detail"]["from"], 8192);
    folder.write(
        "p-y.npy",
        &rotate(folder.path(), &document["files"], |program| Program {
            position: Box::new(|p| -(p as f64)),
            ..program
        }),
    );
    assert_eq!(answered(folder.path(), &document).1["findings"][0]["code"], "direction");
}

#[test]
fn a_probe_in_bf16_is_one_file_of_tensors() {
    let folder = Folder::new();
    let document = probe(folder.path(), &["--dtype", "bf16", "--out", "p.safetensors", "--last", "5000"]);
    let at = |name: &str| format!("{}/p.safetensors:{name}", folder.path().display());
    let (x, positions) = (open(&at("x")).unwrap(), open(&at("positions")).unwrap().positions().unwrap());
    assert_eq!(x.shape(), [3, positions.len(), 64]);
    assert_eq!(positions.last(), Some(&5000));
    assert_eq!(document["files"], json!(["p.safetensors:x", "p.safetensors:positions"]));
    let (status, out, err) = run(
        folder.path(),
        &["probe", "rope", "--dim", "8", "--scaling", "linear", "--factor", "4", "--out", "q.safetensors"],
    );
    assert_eq!((status, err.as_str()), (0, ""));
    let command = "posproof check rope --cos q-answer.safetensors:cos --sin q-answer.safetensors:sin --positions q.safetensors:positions --dim 8 --scaling linear --factor 4 --dtype f32";
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(String::from).collect();
        words.sort();
        words
    };
    let line = out.lines().find(|line| line.contains("posproof check")).unwrap_or_default();
    assert_eq!(sorted(line), sorted(command), "{out}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = Folder::new();
    let refused_with = |expected: i32, more: &[&str], part: &str| {
        let (status, out, err) = run(folder.path(), &[&["probe", "rotation", "--dim", "8"], more].concat());
        assert!((status, out.as_str()) == (expected, "") && err.contains(part), "{status}: {err}");
    };
    let refuse = |more: &[&str], part: &str| refused_with(2, more, part);
    folder.write("there.npy", b"");
    refuse(&["--out", "there.npy"], "--force");
    refuse(&["--out", "p.npy", "--dtype", "bf16"], "safetensors");
    refuse(&["--out", "p.txt"], ".npy or .safetensors");
    refused_with(4, &["--out", "no/where/p.npy"], "p.npy");
    refuse(&["--out", "p.npy", "--heads", "0"], "heads");
    refuse(&["--out", "p.npy", "--heads", "4000000000"], "entries");
    refuse(&["--out", "p.npy", "--last", "9007199254740992"], "2^53");
}

/// Vectors and positions of one probe, or the older ones of another: never those of two.
#[cfg(unix)]
#[test]
fn a_probe_is_written_whole_or_not_at_all() {
    let folder = Folder::new();
    probe(folder.path(), &["--out", "p.npy"]);
    let files = ["p.npy", "p-positions.npy"].map(|name| folder.path().join(name));
    let older = files.each_ref().map(|file| std::fs::read(file).unwrap());
    // The positions would be put in place of the vectors.
    std::fs::remove_file(&files[1]).unwrap();
    std::os::unix::fs::symlink("p.npy", &files[1]).unwrap();
    let again = ["probe", "rotation", "--dim", "8", "--last", "9", "--out", "p.npy", "--force"];
    let (status, _, err) = run(folder.path(), &again);
    assert!(status == 2 && err.contains("p.npy and p-positions.npy are one file"), "{status}: {err}");
    assert_eq!(std::fs::read(&files[0]).unwrap(), older[0]);
    std::fs::remove_file(&files[1]).unwrap();
    assert_eq!(run(folder.path(), &again).0, 0);
    assert_eq!(open(&files[1].display().to_string()).unwrap().positions().unwrap().last(), Some(&9));
}
