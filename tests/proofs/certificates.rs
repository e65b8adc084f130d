//! Certificates of bounds: Coq accepts them on their own, and refuses them with another figure.

use super::copy::built;
use assert_cmd::Command;
use posproof::proof::RULES;
use posproof_coq_audit::coq::COLLECTION;
use std::fs;
use std::path::Path;
use std::process::Command as Process;
use std::sync::Mutex;

/// `bound … --certificate`: the exit status and the standard error.
fn certificate(arguments: &str, path: &Path) -> (i32, String) {
    let mut command = Command::cargo_bin("posproof").expect("the binary");
    command.arg("bound").args(arguments.split_whitespace()).arg("--certificate").arg(path);
    let output = command.output().expect("the command runs");
    (output.status.code().expect("an exit status"), String::from_utf8(output.stderr).expect("UTF-8"))
}

/// True if Coq accepts a file that stands alone, and what it says.
pub fn accepted(path: &Path) -> (bool, String) {
    accepted_within(path, 3600)
}

/// The same, within so many seconds of one core's time.
fn accepted_within(path: &Path, seconds: u32) -> (bool, String) {
    let folder = path.parent().expect("a folder");
    let output = Process::new("sh")
        .env(COLLECTION.0, COLLECTION.1)
        .args(["-c", &format!("ulimit -t {seconds} && exec coqc \"$@\""), "coqc", "-q", "-w", "none", "-Q"])
        .arg(built())
        .arg("Posproof")
        .arg(path.file_name().expect("a name"))
        .current_dir(folder)
        .output()
        .expect("coqc runs");
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// A figure that the theorems do not reach, a frequency that is not the program's and a part that is missing.
fn spoilt(text: &str) -> Vec<(&'static str, String)> {
    let (before, figure) = text.rsplit_once("frequency_200)) <= (").expect("a statement");
    let (digits, rest) = figure.split_once(" / ").expect("a fraction");
    let smaller = (digits.parse::<u64>().expect("an integer") * 9 / 10).to_string();
    let (denominator, _) = rest.split_once(')').expect("a fraction");
    let term = |digits: &str| format!("(Quotient (Whole {digits}) (Whole {denominator}))");
    let edited = format!("{before}frequency_200)) <= ({smaller} / {rest}").replace(&term(digits), &term(&smaller));
    let part = text.lines().find(|line| line.starts_with("  Part 1 1 ")).expect("a part");
    vec![
        ("the figure", edited),
        ("the statement alone", text.replace(&format!("<= ({digits} / "), &format!("<= ({smaller} / "))),
        ("the frequency", text.replace("Rpower 10000 (-400 / 512)", "Rpower 10000 (-402 / 512)")),
        ("a missing part", text.replace(&format!("{part}\n"), "")),
    ]
}

/// Two formats, three lengths, four pairs, two components: a file for each format and length, which Coq accepts within a
/// minute of one core.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn coq_accepts_the_certificates_of_the_48_cases() {
    let place = tempfile::tempdir().expect("a directory");
    let cases = [512, 4096, 131_072].map(|length| ["f32", "f64"].map(|format| (length, format))).concat();
    // Coq works on one core: two at a time.
    let next = Mutex::new(cases.iter());
    let worker = || {
        let mut parts = Vec::new();
        while let Some((length, format)) = { next.lock().expect("no panic").next() } {
            let path = place.path().join(format!("cases_{length}_{format}.v"));
            let program = format!("sinusoid --dim 512 --positions 0..{length} --ulp 0.5 --dtype {format}");
            let arguments = format!("{program} --pairs 1,64,128,200");
            assert_eq!(certificate(&arguments, &path), (0, String::new()), "{arguments}");
            let text = fs::read_to_string(&path).expect("the certificate");
            let theorems: Vec<&str> = text.split("\nTheorem ").collect();
            assert_eq!(theorems.len(), 1 + 8, "{arguments}");
            // The parts of a theorem stand before it.
            parts.extend(theorems[..8].iter().map(|before| before.matches("\n  Part ").count()));
            let (good, said) = accepted_within(&path, 60);
            assert!(good, "{arguments}: {said}");
        }
        parts
    };
    let mut parts = std::thread::scope(|scope| {
        let workers = [(); 2].map(|()| scope.spawn(worker));
        workers.map(|worker| worker.join().expect("every certificate is accepted")).concat()
    });
    parts.sort_unstable();
    assert_eq!(parts.len(), 48);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/bounds.md");
    let said = format!(
        "Those of the 48 cases have {} to {} parts, and Coq accepts eight of them together within a minute of one core",
        parts[0], parts[47]
    );
    let docs = fs::read_to_string(docs).expect("docs/bounds.md");
    assert!(docs.contains(&said), "docs/bounds.md does not say: {said}");
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn coq_accepts_other_programs_and_refuses_edited_certificates() {
    let place = tempfile::tempdir().expect("a directory");
    for (name, arguments) in [
        ("cast", "rope --dim 128 --base 500000 --path f64 --pairs 30 --positions 0..4096 --dtype bf16 --ulp 0.5"),
        ("offset", "sinusoid --dim 64 --position-offset 1 --pairs 2 --positions 0..100 --path f64 --component sin"),
        ("coarse", "rope --dim 64 --pairs 0,5 --positions 10..60 --dtype bf16 --angle bf16 --ulp 0.5"),
        ("turned", "rope --dim 64 --angle-scale 0.125 --pairs 20 --positions 0..64 --dtype f16 --ulp 0.5"),
    ] {
        let path = place.path().join(format!("{name}.v"));
        assert_eq!(certificate(arguments, &path), (0, String::new()), "{arguments}");
        let (good, said) = accepted(&path);
        assert!(good, "{arguments}: {said}");
    }
    let path = place.path().join("true.v");
    let arguments = "sinusoid --dim 512 --positions 0..512 --pairs 200 --component sin --dtype f64";
    assert_eq!(certificate(arguments, &path), (0, String::new()));
    let text = fs::read_to_string(&path).expect("the certificate");
    let printed = format!("{text}\nPrint Assumptions sin_200.\n");
    fs::write(&path, printed).expect("a file");
    let (good, said) = accepted(&path);
    assert!(good, "{said}");
    let (_, axioms) = said.split_once("Axioms:").expect("the axioms");
    let named: Vec<&str> = axioms
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(!named.is_empty(), "{said}");
    for axiom in named {
        assert!(RULES.axioms.contains(&axiom), "{axiom} is not allowed");
    }
    for (what, edited) in spoilt(&text) {
        assert_ne!(edited, text, "{what}");
        let path = place.path().join("edited.v");
        fs::write(&path, edited).expect("a file");
        assert!(!accepted(&path).0, "with {what} edited it is accepted");
    }
}

#[test]
fn what_has_no_certificate_is_refused_with_the_reason() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("none.v");
    for (arguments, reason) in [
        ("rope --dim 8 --path pow", "there is none for path pow; expected path rounded or f64"),
        ("rope --dim 8 --ulp 2", "2 ulp"),
        ("rope --dim 8 --amplitude 1.5", "an amplitude"),
        ("rope --dim 8 --scaling ntk --factor 4", "scaling ntk"),
        ("rope --dim 8 --dtype bf16 --angle bf16 --positions 0..1000", "positions up to 256"),
        ("rotation --dim 8", "--certificate: expected with sinusoid or rope only"),
    ] {
        let (status, said) = certificate(arguments, &path);
        assert!(status == 2 && said.contains(reason), "{arguments}: {status} {said}");
        assert!(!path.exists(), "{arguments}: nothing is written");
    }
    let once = "sinusoid --dim 4 --positions 0..10";
    assert_eq!(certificate(once, &path), (0, String::new()));
    let (status, said) = certificate(once, &path);
    assert!(status == 2 && said.contains("--force"), "{status} {said}");
}
