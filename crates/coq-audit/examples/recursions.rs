//! Recursion in compiled files of Coq 8.16 or 8.20, judged, and compared with what is pinned:
//! `cargo run -p posproof-coq-audit --example recursions -- FOLDER PINS`, with FOLDER/NAME.vo and PINS/NAME.pin.

use posproof_coq_audit::pins::Pins;
use posproof_coq_audit::recursion::Recursions;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::process::ExitCode;

/// Files of a folder with an extension, by what they are called without it.
fn files(folder: &str, extension: &str) -> Result<BTreeMap<String, Vec<u8>>, Box<dyn Error>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, fs::read(&path)?);
        }
    }
    Ok(files)
}

/// Functions of Mathematical Components that are others in version 2 than in 1, by their name there.
const RENAMED: [(&str, &str); 1] = [("fix double on", "fix double_rec on")];

/// The functions of a declaration as they are compared: under their names of version 1, and in an order of their own, because
/// that in which they are found is the order of parts in the compiled file.
fn comparable(words: &[String]) -> Vec<String> {
    let name = |words: &String| RENAMED.iter().fold(words.clone(), |words, (new, old)| words.replace(new, old));
    let mut words: Vec<String> = words.iter().map(name).collect();
    words.sort_unstable();
    words
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pins] = &arguments[..] else { return Err("expected: FOLDER PINS".into()) };
    let texts: Result<BTreeMap<String, String>, _> = files(pins, "pin")?
        .into_iter()
        .map(|(name, text)| Ok::<_, Box<dyn Error>>((name, String::from_utf8(text)?)))
        .collect();
    let pins = Pins::parse(&texts?)?;
    let (mut functions, mut findings) = (0, Vec::new());
    let compiled = files(folder, "vo")?;
    for (module, bytes) in &compiled {
        let found = Recursions::of(bytes)?;
        functions += found.of.values().map(Vec::len).sum::<usize>();
        findings.extend(found.refused.iter().map(|(name, why)| format!("{module}.{name}: {}", why.join("; "))));
        let found: BTreeMap<_, _> =
            found.of.iter().map(|(name, words)| (format!("{module}.{name}"), comparable(words))).collect();
        let pinned = pins.files.get(module).map(|file| &file.recursions);
        let pinned: BTreeMap<_, _> =
            pinned.into_iter().flatten().map(|(name, words)| (name.clone(), comparable(words))).collect();
        let both = found.keys().chain(pinned.keys());
        let differ = both.filter(|name| found.get(*name) != pinned.get(*name));
        let differ: std::collections::BTreeSet<_> = differ.collect();
        findings.extend(differ.into_iter().map(|name| {
            let words = |words: Option<&Vec<String>>| words.map_or_else(|| "none".to_owned(), |words| words.join("; "));
            format!("{name}: {}; pinned: {}", words(found.get(name)), words(pinned.get(name)))
        }));
    }
    findings.iter().for_each(|finding| eprintln!("posproof: {finding}"));
    println!("{functions} recursive functions in {} compiled files, {} findings", compiled.len(), findings.len());
    Ok(if findings.is_empty() && !compiled.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
