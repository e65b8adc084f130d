//! Advice for arguments that cannot be parsed.

use crate::conformance::read::names_a_file;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The error, with advice where an array was given without its option.
pub fn with(mut error: Error) -> Error {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    if error.kind() == ErrorKind::UnknownArgument
        && names_a_file(argument)
        && let Some(advice) = naming(argument, std::env::args())
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    error
}

/// How the arrays of a file are named to the command that was given.
fn naming(file: &str, mut arguments: impl Iterator<Item = String>) -> Option<String> {
    arguments.find(|word| word == "check" || word == "identify")?;
    let array = |name: &str| {
        if file.ends_with(".npy") || file.contains(':') { file.to_owned() } else { format!("{file}:{name}") }
    };
    let named = match arguments.next()?.as_str() {
        "sinusoid" => format!("--table {}", array("pe")),
        "rope" => format!("--cos {} --sin {}", array("cos"), array("sin")),
        "rotation" => format!("--x {} --y {}", array("x"), array("y")),
        _ => return None,
    };
    Some(format!("name the arrays: {named}"))
}
