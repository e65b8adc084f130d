//! Sweeps in shards, their merging, and the scripts that run them elsewhere.

use super::{posproof, refused, run_in};
use posproof_schema::validate;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const BASES: [&str; 8] = ["sweep", "admissible-bases", "--dim", "128", "--length", "512", "--bases", "1500..2500"];
const HARD: [&str; 10] =
    ["sweep", "hard-cases", "--dim", "8", "--positions", "0..9000", "--dtype", "f16", "--keep", "4"];
const ROTATION: [&str; 8] = ["sweep", "bf16-rotation", "--dim", "4", "--base", "500000", "--position", "4097"];

/// Standard output of a command that succeeds.
fn good(folder: &Path, arguments: &[&str]) -> String {
    let (status, out, err) = run_in(folder, arguments);
    assert_eq!(status, 0, "{arguments:?}: {err}");
    out
}

fn shards(folder: &Path, sweep: &[&str], count: usize) -> Vec<String> {
    let files: Vec<String> = (1..=count).map(|k| format!("{k}.json")).collect();
    for (k, file) in (1..).zip(&files) {
        good(folder, &[sweep, &["--shard", &format!("{k}/{count}"), "--out", file]].concat());
    }
    files
}

#[test]
fn shards_of_every_sweep_make_the_bytes_of_the_whole() {
    for (sweep, says) in [
        (&BASES[..], "admissible  "),
        (&HARD, "no other is nearer to a tie"),
        (&ROTATION, "stand for all bf16 vectors"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let files = shards(folder.path(), sweep, 2);
        let merge: Vec<&str> = ["merge", &files[1], &files[0], "--out", "whole.json"].to_vec();
        let out = good(folder.path(), &merge);
        assert!(out.contains(says), "{out}");
        let whole = fs::read_to_string(folder.path().join("whole.json")).unwrap();
        assert_eq!(good(folder.path(), &[sweep, &["--json"]].concat()), whole);
        assert_eq!(good(folder.path(), &["merge", "whole.json", "--json"]), whole);
        for file in files.iter().map(String::as_str).chain(["whole.json"]) {
            let text = fs::read_to_string(folder.path().join(file)).unwrap();
            validate(&serde_json::from_str::<Value>(&text).unwrap());
        }
    }
}

#[test]
fn a_shard_that_is_done_is_kept_and_another_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let first = [&BASES[..], &["--shard", "1/2", "--out", "1.json"]].concat();
    let out = good(folder.path(), &first);
    let file = folder.path().join("1.json");
    let (bytes, time) = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap());
    let (status, again, err) = run_in(folder.path(), &first);
    assert!(status == 0 && again == out && err.contains("holds the result of shard 1/2 already"), "{err}");
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), time);
    let second = [&BASES[..], &["--shard", "2/2", "--out", "1.json"]].concat();
    let message = refused(folder.path(), &second);
    assert!(message.contains("1.json exists: it is shard 1/2") && message.contains("--force"), "{message}");
    // What a worker that was killed on a file system without renames would leave.
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refused(folder.path(), &first).contains("expected a whole document"));
    good(folder.path(), &[&first[..], &["--force"]].concat());
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[test]
fn what_makes_no_whole_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let files = shards(here, &BASES, 2);
    fs::copy(here.join("1.json"), here.join("copy.json")).unwrap();
    let text = fs::read_to_string(here.join("2.json")).unwrap();
    let changed = |name: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        fs::write(here.join(name), text.replacen(from, to, 1)).unwrap();
    };
    changed("version.json", concat!("\"version\": \"", env!("CARGO_PKG_VERSION")), "\"version\": \"9.9.9");
    changed("length.json", "\"length\": 512", "\"length\": 511");
    changed("name.json", "admissible-bases", "prime-numbers");
    changed("note.json", "\"shard\": ", "\"checked_by\": \"me\", \"shard\": ");
    changed("nested.json", "\"length\": 512", "\"length\": 512, \"width\": 1");
    changed("twice.json", "\"shard\": ", "\"shard\": \"1/2\", \"shard\": ");
    changed("other.json", "\"shard\": \"2/2\"", "\"shard\": \"1/2\"");
    fs::write(here.join("cut.json"), &text[..text.len() / 2]).unwrap();
    fs::write(here.join("bytes.json"), [0xff, 0xfe]).unwrap();
    good(here, &[&HARD[..], &["--out", "hard.json"]].concat());
    good(here, &[&BASES[..], &["--shard", "1/3", "--out", "third.json"]].concat());
    for (others, part) in [
        (
            &[] as &[&str],
            "1 of 2 shards is missing (2): expected all; posproof sweep admissible-bases --dim 128 --length 512",
        ),
        (
            &["copy.json", "2.json"],
            "copy.json: it is shard 1/2, and so is 1.json: expected each shard once; they say the same",
        ),
        (&["other.json"], "other.json: "),
        (&["note.json"], "note.json: unknown key checked_by: expected a result as this version writes it"),
        (&["nested.json"], "nested.json: unknown field `width`, expected one of"),
        (&["twice.json"], "twice.json: duplicate field `shard`"),
        (&["third.json"], "third.json: it is shard 1/3: expected one of 2 as in 1.json"),
        (&["version.json"], "version.json: a result of version 9.9.9: expected"),
        (&["length.json"], "length.json: it is for --dim 128 --length 511"),
        (&["name.json"], "name.json: a result of prime-numbers"),
        (
            &["cut.json"],
            "expected a whole document of the schema posproof.sweep/1; if it was cut off, compute the shard again",
        ),
        (&["bytes.json"], "bytes.json: "),
        (&["hard.json"], "hard.json: a result of hard-cases"),
        (&["none.json"], "none.json: "),
    ] {
        let message = refused(here, &[&["merge", files[0].as_str()], others].concat());
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
    for (shard, part) in
        [("3/2", "K of 1 to 2"), ("1/0", "N of at least 1"), ("1/1000000", "at most 66 shards"), ("x", "K/N")]
    {
        let message = refused(here, &[&BASES[..], &["--shard", shard]].concat());
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
    for (arguments, part) in [
        (&["--dim", "7", "--length", "9", "--bases", "2..3"][..], "--dim 7: expected"),
        (&["--dim", "8", "--length", "0", "--bases", "2..3"], "--length 0: expected"),
        (&["--dim", "8", "--length", "9", "--bases", "3..2"], "--bases 3..2: expected"),
        (&["--dim", "8", "--length", "9", "--bases", "0..2"], "base 0: expected"),
        (&["--dim", "8", "--length", "9", "--bases", "2"], "1e3..1e7"),
    ] {
        let message = refused(here, &[&["sweep", "admissible-bases"], arguments].concat());
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
}

/// White space means nothing, and a result that went through a formatter is the same result.
#[test]
fn a_result_that_is_laid_out_otherwise_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let files = shards(folder.path(), &BASES, 2);
    let file = folder.path().join(&files[0]);
    let value: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    fs::write(&file, value.to_string()).unwrap();
    let out = good(folder.path(), &["merge", &files[0], &files[1], "--json"]);
    assert_eq!(out, good(folder.path(), &[&BASES[..], &["--json"]].concat()));
}

/// A worker that is killed, whenever that is, leaves its file whole or not there at all, and the same command makes it whole.
#[cfg(unix)]
#[test]
fn a_worker_killed_at_any_moment_leaves_a_whole_result_or_none() {
    use std::os::unix::process::ExitStatusExt;
    let folder = tempfile::tempdir().unwrap();
    let (here, file) = (folder.path(), folder.path().join("1.json"));
    let sweep = [&BASES[..], &["--shard", "1/2"]].concat();
    let whole = good(here, &[&sweep[..], &["--json"]].concat());
    let mut killed = 0;
    for wait in [0, 1, 2, 5, 10, 20, 40, 80, 160, 320] {
        let _ = fs::remove_file(&file);
        let mut command = Command::new(posproof().get_program());
        command.current_dir(here).args(&sweep).args(["--out", "1.json"]);
        let mut worker = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        worker.kill().unwrap();
        let dead = worker.wait().unwrap().signal() == Some(9);
        killed += usize::from(dead && !file.exists());
        match fs::read_to_string(&file) {
            Ok(text) => assert_eq!(text, whole, "killed after {wait} ms"),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
        }
        good(here, &[&sweep[..], &["--out", "1.json"]].concat());
        assert_eq!(fs::read_to_string(&file).unwrap(), whole, "resumed after {wait} ms");
    }
    assert!(killed > 0, "no worker was killed before it was done");
}

/// The commands of `--list`, run by a shell, are the shards.
#[test]
fn listed_commands_are_the_shards() {
    let folder = tempfile::tempdir().unwrap();
    let listed = good(folder.path(), &[&BASES[..], &["--list", "3"]].concat());
    assert_eq!(listed.lines().count(), 3);
    let status = shell(folder.path()).args(["-ec", &listed]).output().unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let files = [1, 2, 3].map(|k| format!("admissible-bases-128-512.{k}-of-3.json"));
    good(folder.path(), &["merge", &files[0], &files[1], &files[2]]);
    assert!(refused(folder.path(), &[&BASES[..], &["--list", "0"]].concat()).contains("--list 0: expected 1 to"));
}

/// A device without end is read no further than a result can be long: it is refused, not stored.
#[cfg(target_os = "linux")]
#[test]
fn a_device_without_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["merge", "/dev/zero"][..], &[&BASES[..], &["--out", "/dev/zero"]].concat()] {
        let message = refused(folder.path(), arguments);
        assert!(
            message.contains("/dev/zero") && message.contains("expected a regular file with the result of a shard"),
            "{message}"
        );
    }
    let message = refused(folder.path(), &["merge", "."]);
    assert!(message.contains("expected a file with the result of a shard"), "{message}");
}

/// A shell that finds the program in its path.
fn shell(folder: &Path) -> Command {
    let program = Path::new(posproof().get_program()).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(program).chain(std::env::split_paths(&path))).unwrap();
    let mut command = Command::new("sh");
    command.current_dir(folder).env("PATH", path);
    command
}

fn script(name: &str) -> String {
    format!("{}/scripts/sweep/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn tasks_of_a_slurm_array_are_shards() {
    let folder = tempfile::tempdir().unwrap();
    for task in ["1", "2"] {
        let mut command = shell(folder.path());
        command.env("SLURM_ARRAY_TASK_ID", task).env("SLURM_ARRAY_TASK_COUNT", "2");
        let output = command.arg(script("slurm.sh")).args(&BASES[1..]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    good(folder.path(), &["merge", "admissible-bases.1-of-2.json", "admissible-bases.2-of-2.json"]);
}

fn executable(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
}

/// GNU parallel on two hosts, which are this machine behind a stand-in for ssh. The first worker that takes the third shard is killed
/// when it has written half of a result.
#[test]
#[ignore = "needs GNU parallel"]
fn gnu_parallel_runs_shards_on_two_hosts_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // As ssh is called: options, the host, perhaps --, and a command for a shell.
    let ssh = "#!/bin/sh
while [ \"${1#-}\" != \"$1\" ]; do shift; done
echo \"$1\" >>hosts
shift
[ \"$1\" != -- ] || shift
exec sh -c \"$*\"
";
    executable(&here.join("ssh"), ssh);
    let worker = format!(
        "#!/bin/sh
case \"$*\" in
*3/4*) [ -e killed ] || {{ touch killed; {0} \"$@\" | head -c 100; kill -9 $$; }} ;;
esac
exec {0} \"$@\"
",
        posproof().get_program().to_str().unwrap()
    );
    executable(&here.join("posproof"), &worker);
    let run = |sweep: &[&str]| {
        let mut command = Command::new("sh");
        let path = std::env::join_paths(
            [here.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        // As cron and accounts without a login have it.
        command.current_dir(here).env("PATH", path.unwrap()).env("SHELL", "/bin/false");
        command.env("PARALLEL", "--will-cite --ssh ./ssh -S 1/first,1/second");
        command.arg(script("parallel.sh")).args(["shards", "4"]).args(&sweep[1..]).output().unwrap()
    };
    let whole = here.join("shards/whole.json");
    assert!(!run(&BASES).status.success() && here.join("killed").exists() && !whole.exists());
    let output = run(&BASES);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(whole).unwrap(), good(here, &[&BASES[..], &["--json"]].concat()));
    // Five runs of shards, on both hosts.
    let hosts = fs::read_to_string(here.join("hosts")).unwrap();
    assert!(hosts.contains("first") && hosts.contains("second") && hosts.lines().count() == 5, "{hosts}");
    let other = run(&HARD);
    assert!(other.status.code() == Some(2) && String::from_utf8_lossy(&other.stderr).contains("a new folder"));
}

/// A cluster of Ray on this machine. The worker that takes the third shard first dies with half of a result written. The interpreter that
/// has Ray is PYTHON, or else python3.
#[test]
#[ignore = "needs Ray for Python"]
fn ray_runs_shards_and_repeats_that_of_a_worker_that_dies() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The parent of the program is the worker.
    let worker = format!(
        "#!/bin/sh
case \"$*\" in
*3/4*) [ -e {0}/killed ] || {{ touch {0}/killed; {1} \"$@\" | head -c 100; kill -9 $PPID; }} ;;
esac
exec {1} \"$@\"
",
        here.display(),
        posproof().get_program().to_str().unwrap()
    );
    executable(&here.join("posproof"), &worker);
    let path = std::env::join_paths(
        [here.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut command = Command::new(std::env::var_os("PYTHON").unwrap_or("python3".into()));
    command.current_dir(here).env("PATH", path.unwrap()).arg(script("ray_driver.py")).arg("4").args(&BASES[1..]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(here.join("killed").exists());
    assert!(String::from_utf8_lossy(&output.stdout).contains(&good(here, &BASES)));
}
