//! `posproof table`: files, exit statuses, and that nothing half-written is left.

use assert_cmd::Command;
use posproof::encoding::convention::Convention;
use posproof::table::{Positions, Table};
use serde_json::Value;
use std::path::Path;

fn posproof(directory: &Path, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("posproof").unwrap();
    command.current_dir(directory).args(["table"]).args(arguments).output().unwrap()
}

fn succeed(directory: &Path, arguments: &[&str]) -> Value {
    let output = posproof(directory, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// The exit status and the message, and that the directory is as it was.
fn fail(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let list = || {
        let mut names: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = list();
    let output = posproof(directory, arguments);
    assert_eq!(list(), before, "{arguments:?} left something behind");
    assert!(output.stdout.is_empty(), "an error belongs on standard error");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!message.contains("panicked"), "{message}");
    (output.status.code().unwrap(), message)
}

const SINUSOID: [&str; 5] = ["sinusoid", "--dim", "8", "--positions", "0..300"];

#[test]
fn numpy_arrays_hold_the_entries() {
    let directory = tempfile::tempdir().unwrap();
    let report = succeed(directory.path(), &[&SINUSOID[..], &["--out", "pe.npy"]].concat());
    assert_eq!(report["schema"], "posproof.table/1");
    assert_eq!(report["arrays"][0]["shape"], serde_json::json!([300, 8]));
    let file = std::fs::read(directory.path().join("pe.npy")).unwrap();
    let array = npyz::NpyFile::new(&file[..]).unwrap();
    assert_eq!(array.shape(), [300, 8]);
    let table = Table::<f32>::new(&Convention::sinusoid(8), &Positions::range(0..300).unwrap()).unwrap();
    let mut entries = vec![0.0; 2400];
    table.fill(0..300, &mut entries).unwrap();
    assert_eq!(array.into_vec::<f32>().unwrap(), entries);
    assert_eq!((file.len() - 2400 * 4) % 64, 0, "the data begin at a multiple of 64 bytes");
}

/// A part is computed with the other, which is not stored and not counted.
#[test]
fn what_is_counted_is_what_is_stored() {
    let directory = tempfile::tempdir().unwrap();
    let rope = ["rope", "--dim", "8", "--base", "500000", "--positions", "0..300", "--out"];
    let statistics = |rest: &[&str]| {
        let report = succeed(directory.path(), &[&rope[..], rest].concat());
        let of = |name: &str| report["statistics"][name].as_u64().unwrap();
        ["entries", "exact", "refined", "multiprecision"].map(of)
    };
    let cos = statistics(&["cos.npy", "--component", "cos"]);
    let sin = statistics(&["sin.npy", "--component", "sin"]);
    let both = statistics(&["both.npz"]);
    assert_eq!((cos[0], sin[0], both[0]), (1200, 1200, 2400));
    assert_eq!(std::array::from_fn(|i| cos[i] + sin[i]), both);
}

/// The correct rounding of what a format does not hold is infinite, and no table.
#[test]
fn what_the_format_does_not_hold_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let large = ["rope", "--dim", "4", "--positions", "1..9", "--dtype", "f16", "--amplitude", "70000", "--out"];
    for (file, place) in [("t.npz", "position 1, cos, column 1"), ("t.safetensors", "position 1, cos, column 1")] {
        let (status, message) = fail(directory.path(), &[&large[..], &[file]].concat());
        let wanted =
            format!("{place}: the exact value rounds to inf; f16 holds numbers up to 65504; expected an --amplitude");
        assert!(status == 2 && message.contains(&wanted), "{message}");
    }
    // 65519.9 rounds to 65504, and cos 1·70000 is held: it is the entries that count, not the amplitude.
    for (amplitude, positions) in [("65519.9", "0..9"), ("70000", "1")] {
        let fits = ["rope", "--dim", "2", "--positions", positions, "--dtype", "f16", "--amplitude", amplitude];
        succeed(directory.path(), &[&fits[..], &["--force", "--out", "t.npz"]].concat());
    }
}

#[test]
fn every_kind_of_file_holds_the_same_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["rope", "--dim", "8", "--base", "500000", "--positions", "0..300", "--dtype", "bf16", "--out"];
    let digests = |name: &str| {
        let report = succeed(directory.path(), &[&arguments[..], &[name]].concat());
        let digest = |i: usize| report["arrays"][i]["sha256"].as_str().unwrap().to_owned();
        [digest(0), digest(1)]
    };
    let expected = digests("a.npz");
    assert_eq!(digests("a.safetensors"), expected);
    assert_eq!(digests("a.json"), expected);
    let read = |name: &str| std::fs::read(directory.path().join(name)).unwrap();
    let file = read("a.safetensors");
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&file[8..8 + length]).unwrap();
    assert_eq!(header["sin"]["dtype"], "BF16");
    assert_eq!(header["sin"]["data_offsets"], serde_json::json!([2400, 4800]));
    assert_eq!(file.len(), 8 + length + 4800);
    assert_eq!(length % 8, 0);
    let document: Value = serde_json::from_slice(&read("a.json")).unwrap();
    assert_eq!(document["arrays"][0]["name"], "cos");
    assert_eq!(document["arrays"][0]["values"][0][0], "0x1p+0");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(read("a.npz"))).unwrap();
    let mut sin = Vec::new();
    std::io::copy(&mut archive.by_name("sin.npy").unwrap(), &mut sin).unwrap();
    assert_eq!(sin[sin.len() - 2400..], file[file.len() - 2400..]);
    // Equal tables make equal files.
    let again = ["--force", "a.npz"];
    succeed(directory.path(), &[&arguments[..], &[again[1], again[0]]].concat());
    assert_eq!(read("a.npz").len(), archive.into_inner().into_inner().len());
}

#[test]
fn a_target_is_replaced_only_by_force() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("pe.npy");
    std::fs::write(&target, "precious").unwrap();
    let arguments = [&SINUSOID[..], &["--out", "pe.npy"]].concat();
    let (status, message) = fail(directory.path(), &arguments);
    assert_eq!(status, 2);
    assert!(message.contains("pe.npy exists") && message.contains("--force"), "{message}");
    assert_eq!(std::fs::read(&target).unwrap(), b"precious");
    succeed(directory.path(), &[&arguments[..], &["--force"]].concat());
    assert_ne!(std::fs::read(&target).unwrap(), b"precious");
}

#[test]
fn what_cannot_be_written_says_why() {
    let directory = tempfile::tempdir().unwrap();
    let check = |arguments: &[&str], status: i32, part: &str| {
        let (found, message) = fail(directory.path(), arguments);
        assert_eq!(found, status, "{arguments:?}: {message}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    };
    let table = |rest: &[&'static str]| [&SINUSOID[..], rest].concat();
    check(&table(&["--out", "pe.txt"]), 2, ".npy, .npz, .safetensors or .json");
    check(&table(&["--out", "nowhere/pe.npy"]), 4, "nowhere/pe.npy");
    check(&["rope", "--dim", "8", "--positions", "0..3", "--out", "c.npy"], 2, "--component");
    check(&["sinusoid", "--dim", "8", "--out", "pe.npy"], 2, "no positions");
    check(&["sinusoid", "--positions", "0..3", "--out", "pe.npy"], 2, "--dim");
    check(&["sinusoid", "--dim", "8", "--positions", "5..5", "--out", "pe.npy"], 2, "empty");
    check(&["sinusoid", "--dim", "7", "--positions", "0..5", "--out", "pe.npy"], 2, "odd");
    check(&["sinusoid", "--dim", "8", "--base", "1", "--positions", "0..5", "--out", "pe.npy"], 2, "base");
    check(&["sinusoid", "--dim", "8", "--base", "inf", "--positions", "0..5", "--out", "pe.npy"], 2, "finite");
    let all = "0..9007199254740992";
    check(&["sinusoid", "--dim", "16777216", "--positions", all, "--out", "pe.npy"], 2, "at most");
    check(&["sinusoid", "--dim", "8", "--positions", all, "--out", "pe.npy"], 4, "are free on its disk");
    check(&["sinusoid", "--dim", "8", "--positions", "0..100000", "--out", "pe.json"], 2, "at most 65536");
    check(&["sinusoid", "--dim", "8", "--positions", "0..5", "--config", "c.json", "--out", "pe.npy"], 2, "sinusoid");
    check(&["rope", "--config", "missing.json", "--positions", "0..5", "--out", "c.npz"], 2, "missing.json");
    check(
        &["rope", "--dim", "8", "--scaling", "yran", "--positions", "0..5", "--out", "c.npz"],
        2,
        "did you mean yarn",
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    // /dev/full has no directory of its own to fill; a file-size limit stops the writer the same way.
    let directory = tempfile::tempdir().unwrap();
    let binary = assert_cmd::cargo::cargo_bin("posproof");
    let script = format!(
        "ulimit -f 64; trap '' XFSZ; {} table sinusoid --dim 64 --positions 0..100000 --out big.npy",
        binary.display()
    );
    let output =
        std::process::Command::new("bash").current_dir(directory.path()).args(["-c", &script]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{message}");
    assert!(message.contains("cannot write big.npy"), "{message}");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn positions_and_configurations_are_read_from_files() {
    let directory = tempfile::tempdir().unwrap();
    let config = r#"{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 8, "rope_theta": 500000.0, "max_position_embeddings": 4096,
        "rope_scaling": {"rope_type": "linear", "factor": 4.0}}"#;
    std::fs::write(directory.path().join("config.json"), config).unwrap();
    let mut positions = Vec::new();
    {
        use npyz::WriterBuilder;
        let options = npyz::WriteOptions::new().default_dtype().shape(&[3]).writer(&mut positions);
        let mut writer = options.begin_nd().unwrap();
        writer.extend([5i64, 6, 1 << 40]).unwrap();
        writer.finish().unwrap();
    }
    std::fs::write(directory.path().join("p.npy"), positions).unwrap();
    let arguments = ["rope", "--config", "config.json", "--positions", "p.npy", "--out", "c.json"];
    let report = succeed(directory.path(), &arguments);
    assert_eq!(report["positions"], "5..7,1099511627776");
    assert_eq!(report["convention"]["dim"], 8);
    assert_eq!(report["convention"]["base"], 500000);
    assert_eq!(report["convention"]["scaling"], serde_json::json!({"rope_type": "linear", "factor": 4}));
    std::fs::write(directory.path().join("p.npy"), "not an array").unwrap();
    let (status, message) =
        fail(directory.path(), &arguments[..5].iter().copied().chain(["--out", "d.json"]).collect::<Vec<_>>());
    assert_eq!(status, 2);
    assert!(message.contains("p.npy"), "{message}");
}
