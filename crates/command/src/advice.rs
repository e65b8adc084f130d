//! Advice for arguments that cannot be parsed, and arguments that no command takes.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use posproof_check::read::names_a_file;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// Options that name a file to write.
const OUTPUTS: [&str; 3] = ["--out", "--certificate", "--html"];

/// Names that no command takes: one that is not UTF-8, and one file both as an output and as something else.
pub fn refused(arguments: &[OsString]) -> Option<String> {
    let mut words = Vec::new();
    for argument in arguments.iter().skip(1) {
        match argument.to_str() {
            Some(word) => words.extend(word.split_once('=').map_or(vec![word], |(option, value)| vec![option, value])),
            None => {
                return Some(format!("{}: expected UTF-8; give the file another name", argument.to_string_lossy()));
            }
        }
    }
    let outputs = words.windows(2).enumerate().filter(|(_, pair)| OUTPUTS.contains(&pair[0]));
    for (at, output) in outputs.map(|(at, pair)| (at + 1, pair[1])) {
        let Some(file) = file(output) else { continue };
        let mut others = words.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, word)| *word);
        // Arrays are named as file:array.
        let same = |word: &&str| {
            let ends = word.match_indices(':').map(|(colon, _)| colon).chain([word.len()]);
            ends.map(|end| &word[..end]).any(|path| self::file(path).is_some_and(|path| path == file))
        };
        if let Some(other) = others.find(same) {
            let option = words[at - 1];
            return Some(format!("{option} {output} would replace {other}, which is read: expected another file"));
        }
    }
    None
}

/// A file by its real path, if there is one.
fn file(name: &str) -> Option<PathBuf> {
    fs::metadata(name).ok().filter(fs::Metadata::is_file).and_then(|_| fs::canonicalize(name).ok())
}

/// The error, with advice where an array was given without its option.
pub fn with(mut error: Error, arguments: &[OsString]) -> Error {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    if error.kind() == ErrorKind::UnknownArgument
        && names_a_file(argument)
        && let Some(advice) = naming(argument, arguments.iter().filter_map(|word| word.to_str()))
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    error
}

/// Names of a file's arrays as they are given to the command.
fn naming<'a>(file: &str, mut arguments: impl Iterator<Item = &'a str>) -> Option<String> {
    arguments.find(|&word| word == "check" || word == "identify")?;
    let array = |name: &str| {
        if file.ends_with(".npy") || file.contains(':') { file.to_owned() } else { format!("{file}:{name}") }
    };
    let named = match arguments.next()? {
        "sinusoid" => format!("--table {}", array("pe")),
        "rope" => format!("--cos {} --sin {}", array("cos"), array("sin")),
        "rotation" => format!("--x {} --y {}", array("x"), array("y")),
        _ => return None,
    };
    Some(format!("name the arrays: {named}"))
}
