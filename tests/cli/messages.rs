//! Messages say what to do, in the user's words.

use super::{refused, run_in};
use std::fs;
use std::path::Path;

fn npy(path: &Path, descr: &str, shape: &str, bytes: usize) {
    let header = format!("{:<117}\n", format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"));
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.resize(file.len() + bytes, 0);
    fs::write(path, file).unwrap();
}

#[test]
fn an_array_without_its_option_is_told_which_options_there_are() {
    let here = Path::new(".");
    for (arguments, advice) in [
        (&["check", "rope", "good.npz"][..], "name the arrays: --cos good.npz:cos --sin good.npz:sin"),
        (&["check", "sinusoid", "pe.npy", "--dim", "8"], "name the arrays: --table pe.npy"),
        (&["identify", "rotation", "q.safetensors"], "name the arrays: --x q.safetensors:x --y q.safetensors:y"),
    ] {
        let message = refused(here, arguments);
        assert!(message.contains(advice), "{message}");
    }
}

/// A cast to real numbers would drop the sines.
#[test]
fn complex_numbers_are_taken_apart_not_cast() {
    let folder = tempfile::tempdir().unwrap();
    for (descr, size) in [("<c8", 8), ("<c16", 16)] {
        npy(&folder.path().join("z.npy"), descr, "(3, 4)", 12 * size);
        let message = refused(folder.path(), &["check", "rope", "--cos", "z.npy", "--dim", "8"]);
        assert!(message.contains("save z.real as cos and z.imag as sin") && !message.contains("astype"), "{message}");
        assert!(message.contains("--freqs-cis"), "{message}");
    }
    let header = r#"{"z":{"dtype":"C64","shape":[1,4],"data_offsets":[0,32]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend([0; 32]);
    fs::write(folder.path().join("z.safetensors"), bytes).unwrap();
    let message = refused(folder.path(), &["check", "rope", "--cos", "z.safetensors:z", "--dim", "8"]);
    assert!(message.contains("save z.real as cos and z.imag as sin"), "{message}");
}

#[test]
fn refusals_name_the_option() {
    let here = Path::new(".");
    for (arguments, part) in [
        (&["bound", "rope", "--dim", "128", "--ulp", "-1"][..], "--ulp -1: expected 0.5"),
        (&["bound", "rope", "--dim", "128", "--pairs", "64"], "--pairs 64: expected 0 to 63"),
        (
            &["bound", "rope", "--dim", "8", "--angle", "bf16", "--position-format", "f32"],
            "--position-format f32: expected",
        ),
        (&["bound", "rope", "--dim", "128", "--scaling", "linear"], "--scaling linear: expected --factor as well"),
        (&["bound", "rope", "--dim", "128", "--base", "1"], "--base 1: expected"),
        (
            &["bound", "logits", "--dim", "128", "--spread", "9"],
            "--spread 9: expected 1, for pairs of one length, to 8",
        ),
        (&["bound", "rope", "--dim", "128", "--spread", "2"], "--spread: expected with logits or attention only"),
        (&["bound", "rope", "--dim", "128", "--rotary-dim", "130"], "--rotary-dim 130: expected"),
    ] {
        let message = refused(here, arguments);
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
}

#[test]
fn a_header_that_is_cut_is_called_that() {
    let folder = tempfile::tempdir().unwrap();
    for bytes in [&b""[..], b"\x93NUM", b"\x93NUMPY\x01\x00\x76\x00{'descr"] {
        fs::write(folder.path().join("cut.npy"), bytes).unwrap();
        let message = refused(folder.path(), &["check", "sinusoid", "--table", "cut.npy", "--dim", "8"]);
        assert!(message.contains("the file ends before its header does"), "{message}");
        assert!(!message.contains("whole buffer"), "{message}");
    }
}

#[test]
fn an_a_priori_bound_says_for_which_libraries() {
    for (arguments, part) in [
        (&["bound", "rope", "--dim", "128", "--positions", "0..9"][..], "for any library within 1 ulp"),
        (&["bound", "score", "--dim", "8", "--positions", "0..9", "--ulp", "2.5"], "for any library within 2.5 ulp"),
    ] {
        let (status, out, err) = run_in(Path::new("."), arguments);
        assert!(status == 0 && out.contains(part), "{out}{err}");
    }
}

#[test]
fn one_is_singular() {
    let folder = tempfile::tempdir().unwrap();
    npy(&folder.path().join("one.npy"), "<f4", "(1, 1)", 4);
    let (_, out, err) = run_in(folder.path(), &["check", "rope", "--sin", "one.npy", "--dim", "2"]);
    assert!(out.contains("(1 entry)"), "{out}{err}");
    let (_, out, _) =
        run_in(folder.path(), &["bound", "attention", "--dim", "4", "--positions", "0..9", "--keys", "1"]);
    assert!(out.contains("Softmax over 1 key in"), "{out}");
    let sweep = ["sweep", "hard-cases", "--dim", "2", "--positions", "0..10", "--dtype", "f32"];
    for (option, words) in [(["--list", "9"], "expected 1 to 1 shard,"), (["--shard", "1/9"], "at most 1 shard,")] {
        let (_, _, err) = run_in(folder.path(), &[&sweep[..], &option].concat());
        assert!(err.contains(words), "{err}");
    }
    let (_, out, _) = run_in(folder.path(), &["verify", "toeplitz.printed-values", "--effort", "quick"]);
    assert!(out.contains("in 1 enclosure ·") && out.contains("1 claim, 1 as expected"), "{out}");
}

/// Nothing is audited where there are no sources: the message says which folder is meant.
#[test]
fn proofs_that_are_not_there_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for (name, found) in [("none", "it does not exist"), ("file", "it is a file"), ("empty", "it holds no .v file")] {
        let message = refused(folder.path(), &["prove", "--proofs", name]);
        assert!(message.contains(&format!("--proofs {name}: {found}; expected the folder")), "{message}");
    }
}

/// A file that PyTorch saves is not read, and the message has the line that converts it: a shell and Python understand
/// it.
#[cfg(unix)]
#[test]
fn a_file_of_torch_is_refused_with_the_line_that_converts_it() {
    let folder = tempfile::tempdir().unwrap();
    let python =
        "import os, sys\nassert sys.argv[1] == '-c'\ncompile(sys.argv[2], 'line', 'exec')\nprint(sys.argv[3:])\n";
    std::fs::write(folder.path().join("stand_in.py"), python).unwrap();
    for name in ["cache.pt", "it's a cache.PTH", "model.ckpt"] {
        std::fs::write(folder.path().join(name), b"PK").unwrap();
        for array in ["", ":cos"] {
            let cache = format!("{name}{array}");
            let message = refused(folder.path(), &["check", "rope", "--dim", "8", "--cos", &cache, "--sin", &cache]);
            assert!(message.contains(name) && message.contains("torch.save"), "{message}");
            let line = message.split_once("convert it: python3 ").expect(&message).1.trim_end();
            let output = std::process::Command::new("sh")
                .current_dir(folder.path())
                .args(["-c", &format!("python3 stand_in.py {line}")])
                .output()
                .unwrap();
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            let given = String::from_utf8(output.stdout).unwrap();
            assert!(given.contains(name) && given.contains(".safetensors"), "{given}");
        }
    }
}
