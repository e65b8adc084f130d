//! Advice for arguments that cannot be parsed.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use posproof_check::read::names_a_file;
use std::ffi::OsString;

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

/// How the arrays of a file are named to the command that was given.
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
