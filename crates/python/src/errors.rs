//! Mistakes of an input, as Python says them.

use posproof_check::Invalid;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    posproof,
    InvalidInput,
    PyValueError,
    "What cannot be judged: an array, a configuration or an option that is not what it should be."
);

/// An [`InvalidInput`] whose text names options as keywords: `--rotary-dim` is `rotary_dim`.
pub fn invalid(message: impl ToString) -> PyErr {
    InvalidInput::new_err(keywords(&message.to_string()))
}

/// The same of an option.
pub fn option(name: &str, expected: impl ToString, found: impl ToString) -> PyErr {
    invalid(format!("{name}: expected {}; found {}", expected.to_string(), found.to_string()))
}

/// Why nothing could be judged.
pub fn unjudged(error: Invalid) -> PyErr {
    match error {
        Invalid::Convention(error) => invalid(keyword(error.field, &error.to_string())),
        Invalid::Input(error) => input(&error),
        error => invalid(error),
    }
}

/// Mistake of an input. Names of files, tensors and keys are data: only what is expected, and what to do about it, name
/// options.
pub fn input(error: &posproof_check::InvalidInput) -> PyErr {
    let (expected, advice) = (keywords(&error.expected), keywords(&error.advice));
    InvalidInput::new_err(posproof_check::InvalidInput { expected, advice, ..error.clone() }.to_string())
}

/// The message about a field of a convention, by the keyword that states it.
pub fn keyword(field: &str, message: &str) -> String {
    match (field, message.strip_prefix(field)) {
        ("position_scale", Some(rest)) => format!("angle_scale{rest}"),
        _ => message.to_owned(),
    }
}

/// A mistake in this package.
pub fn internal(message: impl ToString) -> PyErr {
    PyRuntimeError::new_err(format!("internal error, please report it: {}", message.to_string()))
}

/// The text with the options of the command line as keywords.
pub fn keywords(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("--") {
        let (before, option) = (&rest[..start], &rest[start + 2..]);
        let end = option.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(option.len());
        let (name, after) = option.split_at(end);
        made.push_str(before);
        if name.starts_with(|c: char| c.is_ascii_lowercase()) {
            made.push_str(&name.replace('-', "_"));
        } else {
            made.push_str("--");
            made.push_str(name);
        }
        rest = after;
    }
    made + rest
}
