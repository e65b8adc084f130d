//! The transcripts of the README and of docs/positions.md, docs/claims-as-checks.md, docs/ledger.md and docs/literature.md are what the program prints. `README=write` writes them into place.

use half::bf16;
use posproof::claim::Ledger;
use posproof::report::markdown;
use posproof::table::Dtype;
use posproof::table::arrays::{Container, Header, write};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Columns of a terminal, of a printed page and of the code on a repository's first page.
const WIDTH: usize = 79;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Compares a file with what it should hold, or writes it.
fn compare(name: &str, found: &str, expected: &str) {
    if std::env::var("README").is_ok_and(|mode| mode == "write") {
        return std::fs::write(file(name), expected).unwrap();
    }
    let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(found == expected, "{name} is out of date (sh scripts/readme writes it): {differs:#?}");
}

/// A cache of dimension 128 and base 500000 for 131072 positions, computed in binary32 from positions that were rounded
/// to bfloat16.
fn rounded_positions(path: &Path) {
    let frequency = |pair: usize| core_math::powf(500000.0, -(pair as f32) / 64.0);
    let frequencies: Vec<f32> = (0..64).map(frequency).collect();
    let header =
        |name| Header { name, dtype: Dtype::Float(posproof::number::format::Format::F32), shape: vec![131072, 64] };
    let mut body = |part: usize, out: &mut dyn Write| {
        for position in 0..131072 {
            let position = bf16::from_f32(position as f32).to_f32();
            for frequency in &frequencies {
                let angle = position * frequency;
                let entry = if part == 0 { core_math::cosf(angle) } else { core_math::sinf(angle) };
                out.write_all(&entry.to_le_bytes())?;
            }
        }
        Ok::<(), std::io::Error>(())
    };
    let mut file = std::fs::File::create(path).unwrap();
    write(Container::Npz, &mut file, &[header("cos"), header("sin")], &[], &mut body).unwrap();
}

/// The line, cut at a word where it is too wide.
fn fitted(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    let room: String = line.chars().take(WIDTH - 1).collect();
    let cut = room.rfind(' ').unwrap_or(room.len());
    format!("{} …", room[..cut].trim_end())
}

/// The block with every command, which may go on after a backslash, followed by what it prints.
fn transcript(block: &str, folder: &Path) -> String {
    let mut text = String::new();
    let mut lines = block.lines();
    while let Some(line) = lines.next() {
        let Some(mut command) = line.strip_prefix("$ ").map(str::to_owned) else { continue };
        text += &format!("{line}\n");
        while command.ends_with('\\') {
            command.pop();
            let more = lines.next().expect("a line after the backslash");
            text += &format!("{more}\n");
            command += more.trim_start();
        }
        let program = Path::new(env!("CARGO_BIN_EXE_posproof")).parent().unwrap().to_owned();
        let path = std::env::join_paths(
            std::iter::once(program).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        );
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder)
            .env("PATH", path.unwrap())
            // What this machine remembers of earlier audits is not the README's business.
            .env("XDG_CACHE_HOME", folder.join("no-cache"))
            .output()
            .unwrap();
        assert!(output.stderr.is_empty(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            text += &format!("{}\n", fitted(line));
        }
    }
    text
}

/// The text with the part after each `begin` up to `end` made anew.
fn remade(text: &str, begin: &str, end: &str, mut make: impl FnMut(&str) -> String) -> String {
    let mut pieces = text.split(begin);
    let mut remade = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (part, rest) = piece.split_once(end).unwrap_or_else(|| panic!("the text lacks {end}"));
        remade += &format!("{begin}{}{end}{rest}", make(part));
    }
    remade
}

/// Around a transcript.
const BEGIN: &str = "<!-- transcript -->\n```console\n";
const END: &str = "```\n<!-- end of transcript -->";

#[test]
fn the_guides_show_what_the_program_prints() {
    for name in ["docs/positions.md", "docs/claims-as-checks.md"] {
        let folder = tempfile::tempdir().unwrap();
        let guide = std::fs::read_to_string(file(name)).unwrap();
        compare(name, &guide, &remade(&guide, BEGIN, END, |block| transcript(block, folder.path())));
    }
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let folder = tempfile::tempdir().unwrap();
    rounded_positions(&folder.path().join("cache.npz"));
    let readme = std::fs::read_to_string(file("README.md")).unwrap();
    let expected = remade(&readme, BEGIN, END, |block| transcript(block, folder.path()));
    compare("README.md", &readme, &expected);
}

#[test]
fn the_ledgers_are_up_to_date() {
    for (name, ledger) in [("docs/ledger.md", Ledger::Documents), ("docs/literature.md", Ledger::Literature)] {
        let found = std::fs::read_to_string(file(name)).unwrap_or_default();
        compare(name, &found, &markdown::document(ledger));
    }
}

/// The first screen answers the question that brings people here, within the width of its frame.
#[test]
fn the_first_screen_is_about_the_readers_encoding() {
    let readme = std::fs::read_to_string(file("README.md")).unwrap();
    let screen: Vec<&str> = readme.lines().take(24).collect();
    for part in ["Is my RoPE right?", "$ posproof check rope", "does not conform", "low-precision-positions"] {
        assert!(screen.iter().any(|line| line.contains(part)), "{part} is not among {screen:#?}");
    }
    let blocks = readme.split("```").skip(1).step_by(2).flat_map(str::lines);
    for line in blocks.chain(screen) {
        assert!(line.chars().count() <= WIDTH + 1, "{line}");
    }
}
