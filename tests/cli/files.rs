//! Files that are read and written: interruptions, permissions, links, pipes, bombs.

use super::{posproof, refused, run_in};
use std::fs;
use std::io::Write;
use std::path::Path;

/// A .npy file of version 1.
fn npy(description: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{description:<117}\n");
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

/// An archive of one member, `pe.npy`, compressed.
fn npz(member: impl Fn(&mut dyn Write)) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    archive.start_file("pe.npy", options).unwrap();
    member(&mut archive);
    archive.finish().unwrap().into_inner()
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    /// Half a gigabyte: some hundred milliseconds at least.
    const TABLE: [&str; 7] = ["table", "sinusoid", "--dim", "512", "--positions", "0..262144", "--out"];
    const PROBE: [&str; 9] = ["probe", "rotation", "--dim", "128", "--positions", "0..65536", "--heads", "16", "--out"];

    /// Starts a command and waits until its temporary file is there.
    fn begun(directory: &Path, mut command: Command) -> Child {
        let child = command.current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while names(directory).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(60), "no file appeared");
            std::thread::sleep(Duration::from_millis(1));
        }
        child
    }

    /// True if a signal is not ignored from the start, as SIGINT is for what a script runs in the background, and its
    /// children with it.
    fn heeded(signal: u32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
        u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 0
    }

    fn send(signal: &str, child: &Child) {
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap().success()
        );
    }

    #[test]
    fn an_interrupted_writer_leaves_nothing_behind() {
        for arguments in [&TABLE[..], &PROBE] {
            let signals = [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3), ("XCPU", 24), ("XFSZ", 25)];
            for (signal, number) in signals.into_iter().filter(|signal| heeded(signal.1)) {
                let folder = tempfile::tempdir().unwrap();
                // Some of these signals write an image of the memory, which nobody wants.
                let mut command = Command::new("sh");
                command.args(["-c", "ulimit -c 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_posproof")]);
                command.args(arguments).arg("big.safetensors");
                let mut child = begun(folder.path(), command);
                assert_eq!(
                    names(folder.path()).iter().filter(|name| !name.starts_with('.')).count(),
                    0,
                    "not yet whole"
                );
                send(signal, &child);
                let status = child.wait().unwrap();
                assert_eq!(names(folder.path()), [""; 0], "{signal}");
                assert_eq!(status.signal(), Some(number as i32), "the caller is told: {status}");
            }
        }
    }

    #[test]
    fn what_hangs_up_under_nohup_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command
            .args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_posproof")])
            .args(TABLE)
            .arg("pe.npy");
        let mut child = begun(folder.path(), command);
        send("HUP", &child);
        assert!(child.wait().unwrap().success());
        assert_eq!(names(folder.path()), ["pe.npy"]);
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode_and_a_link_its_target() {
        for (verb, rest) in [("table", &["--positions", "0..9"][..]), ("probe", &[])] {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            fs::create_dir(path("store")).unwrap();
            fs::write(path("store/private.npy"), "former").unwrap();
            fs::set_permissions(path("store/private.npy"), fs::Permissions::from_mode(0o600)).unwrap();
            symlink("store/private.npy", path("near.npy")).unwrap();
            symlink(path("near.npy"), path("out.npy")).unwrap();
            let write = |force: &[&str]| {
                let arguments = [&[verb, "sinusoid", "--dim", "8", "--out", "out.npy"], rest, force].concat();
                run_in(folder.path(), &arguments)
            };
            let (status, _, err) = write(&[]);
            assert!(status == 2 && err.contains("out.npy exists") && err.contains("--force"), "{err}");
            let (status, _, err) = write(&["--force"]);
            assert_eq!(status, 0, "{err}");
            assert!(path("out.npy").is_symlink() && path("near.npy").is_symlink(), "{verb}: links stay links");
            assert!(fs::read(path("store/private.npy")).unwrap().starts_with(b"\x93NUMPY"), "{verb}");
            let mode = fs::metadata(path("store/private.npy")).unwrap().permissions().mode();
            assert_eq!(mode & 0o7777, 0o600, "{verb}: {mode:o}");
            assert_eq!(names(&path("store")), ["private.npy"]);
        }
    }

    #[test]
    fn nothing_but_a_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Command::new("mkfifo").arg(folder.path().join("p.npy")).status().unwrap().success());
        fs::create_dir(folder.path().join("d.npy")).unwrap();
        symlink("loop.npy", folder.path().join("loop.npy")).unwrap();
        for (name, why) in [("p.npy", "regular file"), ("d.npy", "directory"), ("loop.npy", "symbolic links")] {
            let arguments = ["table", "sinusoid", "--dim", "8", "--positions", "0..9", "--force", "--out", name];
            let (status, _, err) = run_in(folder.path(), &arguments);
            assert!(status == 4 && err.contains(name) && err.contains(why), "{name}: {err}");
        }
        assert_eq!(names(folder.path()), ["d.npy", "loop.npy", "p.npy"]);
    }

    /// A limit on memory that so many rows as Rust objects would break.
    #[test]
    fn a_list_of_coordinates_that_is_too_long_is_refused_before_it_is_made() {
        let binary = env!("CARGO_BIN_EXE_posproof");
        let axes = "--dim 8 --axis h:0..4 --positions 0..9007199254740991";
        let script = format!("ulimit -v 1000000; export RAYON_NUM_THREADS=1; exec {binary} bound rope {axes}");
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("9007199254740991 rows; expected at most 16777216"), "{err}");
    }

    #[test]
    fn a_pipe_as_any_input_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["p.npy", "p.npz", "p.safetensors", "p.json", "p.txt"] {
            assert!(Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap().success());
        }
        let cases: [&[&str]; 12] = [
            &["check", "sinusoid", "--table", "p.npy", "--dim", "8"],
            &["check", "rope", "--cos", "p.npz:cos", "--dim", "8"],
            &["check", "rope", "--sin", "p.safetensors", "--dim", "8"],
            &["check", "rotation", "--x", "p.npy", "--y", "p.npy", "--dim", "8"],
            &["identify", "sinusoid", "--table", "p.npy"],
            &["table", "sinusoid", "--dim", "8", "--positions", "p.npy", "--out", "t.npy"],
            &["bound", "rope", "--config", "p.json"],
            &["probe", "rope", "--dim", "8", "--positions", "p.npz", "--out", "t.npy"],
            &["table", "rope", "--convention", "p.json", "--positions", "0..3", "--out", "t.npz"],
            &["bound", "rope", "--dim", "8", "--axis", "h:0..4", "--positions", "p.txt"],
            &["merge", "p.json"],
            &["sweep", "hard-cases", "--dim", "8", "--positions", "0..10", "--dtype", "f32", "--out", "p.json"],
        ];
        for arguments in cases {
            let mut command = posproof();
            command.current_dir(folder.path()).args(arguments).timeout(Duration::from_secs(20));
            let output = command.output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
            for part in ["p.", "expected a regular file", "found a pipe", "to a file first"] {
                assert!(err.contains(part), "{arguments:?}: '{part}' is not in: {err}");
            }
        }
    }

    /// A limit on the size of files stops whoever unpacks first and looks later.
    #[test]
    fn an_archive_is_not_unpacked_before_its_header_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let zeros = vec![0u8; 1 << 20];
        let bomb = npz(|out| (0..64).for_each(|_| out.write_all(&zeros).unwrap()));
        assert!(bomb.len() < 1 << 18);
        fs::write(folder.path().join("bomb.npz"), bomb).unwrap();
        let script = format!(
            "ulimit -f 1024; trap '' XFSZ; {} check sinusoid --table bomb.npz --dim 8",
            env!("CARGO_BIN_EXE_posproof")
        );
        let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && err.contains("\\x93NUMPY"), "{err}");
    }
}

/// Where a file cannot be, it is named, and not the temporary one beside it.
#[test]
fn what_cannot_be_written_is_named_as_it_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let table = ["table", "rope", "--dim", "8", "--positions", "0..9", "--out", "absent/t.npz"];
    let certificate =
        ["bound", "rope", "--dim", "8", "--positions", "0..9", "--ulp", "0.5", "--certificate", "absent/t.v"];
    for arguments in [&table[..], &certificate] {
        let (status, _, err) = run_in(folder.path(), arguments);
        assert_eq!(status, 4, "{err}");
        assert!(err.contains("cannot write absent/t."), "{err}");
        assert!(!err.contains(".posproof-"), "{err}");
    }
}

/// Inputs of every kind, by every way to name them, and whichever name the output has.
#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let good = |words: &[&str]| assert_eq!(run_in(here, words).0, 0, "{words:?}");
    good(&["probe", "rotation", "--dim", "8", "--out", "x.npy"]);
    good(&["probe", "rotation", "--dim", "8", "--out", "x.safetensors"]);
    good(&["sweep", "hard-cases", "--dim", "4", "--positions", "0..9", "--dtype", "f16", "--out", "whole.json"]);
    let before: Vec<Vec<u8>> = names(here).iter().map(|name| fs::read(here.join(name)).unwrap()).collect();
    for words in [
        &["positions", "rotation", "--x", "x.npy", "--y", "x.npy", "--dim", "8", "--out", "./x.npy"][..],
        &["positions", "rotation", "--x=x.npy", "--y=x.npy", "--dim=8", "--out=x.npy"],
        &["positions", "rotation", "--x", "x.safetensors:x", "--y", "x.npy", "--dim", "8", "--out", "x.safetensors"],
        &[
            "table",
            "sinusoid",
            "--dim",
            "8",
            "--positions",
            "x-positions.npy",
            "--dtype",
            "f32",
            "--out",
            "x-positions.npy",
        ],
        &["tolerance", "rope", "--dim", "8", "--positions", "x-positions.npy", "--out", "x-positions.npy"],
        &["merge", "whole.json", "--out", "whole.json"],
    ] {
        let message = refused(here, &[words, &["--force"]].concat());
        assert!(message.contains("--out ") && message.contains(", which is read"), "{words:?}: {message}");
    }
    let after: Vec<Vec<u8>> = names(here).iter().map(|name| fs::read(here.join(name)).unwrap()).collect();
    assert!(before == after);
}

/// Names of outputs as names of inputs: what is printed about a file must name it.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_refused_of_outputs_too() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"p\xff.npy");
    for words in [
        &["probe", "rotation", "--dim", "8", "--out"][..],
        &["table", "sinusoid", "--dim", "8", "--positions", "0..9", "--dtype", "f32", "--json", "--out"],
        &["report", "shift", "--effort", "quick", "--out"],
        &["check", "sinusoid", "--dim", "8", "--table"],
    ] {
        let output = posproof().current_dir(folder.path()).args(words).arg(name).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains("UTF-8"), "{words:?}: {message}");
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

#[test]
fn an_archive_holds_what_its_header_says() {
    let folder = tempfile::tempdir().unwrap();
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 8), }";
    let check = ["check", "sinusoid", "--table", "t.npz", "--dim", "8"];
    fs::write(folder.path().join("t.npz"), npz(|out| out.write_all(&npy(header, &[0; 400])).unwrap())).unwrap();
    let message = refused(folder.path(), &check);
    assert!(message.contains("expected 32000 bytes for the shape [1000, 8]; found 400 bytes"), "{message}");
}

/// A header of spaces is JSON all the same, and took fourteen times its size.
#[test]
fn headers_of_safetensors_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let length = 83_000_000usize;
    let mut bytes = (length as u64).to_le_bytes().to_vec();
    bytes.extend(b"{}");
    bytes.resize(8 + length, b' ');
    fs::write(folder.path().join("t.safetensors"), bytes).unwrap();
    let message = refused(folder.path(), &["check", "sinusoid", "--table", "t.safetensors", "--dim", "8"]);
    assert!(message.contains("at most 16777216 bytes; found 83000000 bytes"), "{message}");
}

#[test]
fn a_table_that_is_too_wide_to_plan_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["table", "sinusoid", "--dim", "16777216", "--positions", "5", "--out", "t.npy"];
    let message = refused(folder.path(), &arguments);
    assert!(message.contains("8388608 pairs") && message.contains("expected at most"), "{message}");
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Every verb reads positions in the same way: from every format, and with the same limits.
#[test]
fn there_is_one_reader_of_positions() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = [0i64, 5, 7].into_iter().flat_map(i64::to_le_bytes).collect();
    let header = "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }";
    fs::write(folder.path().join("p.npy"), npy(header, &bytes)).unwrap();
    fs::write(folder.path().join("p.npz"), npz(|out| out.write_all(&npy(header, &bytes)).unwrap())).unwrap();
    let mut negative = bytes.clone();
    negative[8..16].copy_from_slice(&(-3i64).to_le_bytes());
    fs::write(folder.path().join("n.npy"), npy(header, &negative)).unwrap();
    let write = |positions: &str, out: &str| {
        let arguments = ["table", "sinusoid", "--dim", "8", "--positions", positions, "--out", out];
        let (status, _, err) = run_in(folder.path(), &arguments);
        assert_eq!(status, 0, "{positions}: {err}");
        fs::read(folder.path().join(out)).unwrap()
    };
    let expected = write("0,5,7", "list.npy");
    assert_eq!(write("p.npy", "npy.npy"), expected);
    assert_eq!(write("p.npz:pe", "npz.npy"), expected);
    // Positions of any kind are coordinates; what has a bound at any two positions takes whole ones.
    write("n.npy", "negative.npy");
    let verbs: [&[&str]; 3] = [
        &["bound", "sinusoid", "--dim", "8"],
        &["tolerance", "sinusoid", "--dim", "8"],
        &["probe", "sinusoid", "--dim", "8", "--out", "t.npy"],
    ];
    for verb in verbs {
        let (status, out, err) = run_in(folder.path(), &[verb, &["--positions", "n.npy"]].concat());
        assert_eq!(status, 0, "{verb:?}: {out}{err}");
    }
    let message = refused(folder.path(), &["bound", "score", "--dim", "8", "--positions", "n.npy"]);
    assert!(message.contains("expected with one axis and whole positions"), "{message}");
}
