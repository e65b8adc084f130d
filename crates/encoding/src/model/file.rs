//! The text of a configuration's file.

use super::{InvalidConfig, MAX_BYTES, Problem};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

/// The text of a configuration, or of that in a model's folder.
pub(super) fn text(path: &Path) -> Result<String, InvalidConfig> {
    let folder = path.is_dir().then_some(path);
    // Meta's and Mistral's own programs have another name for it.
    let named = |folder: &Path| {
        let other = folder.join("params.json");
        let file = folder.join("config.json");
        if !file.exists() && other.exists() { other } else { file }
    };
    let file = folder.map_or_else(|| path.to_owned(), named);
    let unreadable = |path: &Path, found: String, expected: &str| InvalidConfig {
        problem: Problem::Unreadable,
        key: path.display().to_string(),
        found,
        expected: expected.to_owned(),
    };
    let advice = "a model's configuration (config.json) or its folder";
    let failed = |error: std::io::Error| match folder.filter(|_| error.kind() == ErrorKind::NotFound) {
        Some(folder) => unreadable(folder, "a folder without config.json".into(), advice),
        None => unreadable(&file, error.to_string(), advice),
    };
    // Asked before it is opened: to open a pipe may wait for ever.
    let metadata = std::fs::metadata(&file).map_err(failed)?;
    if metadata.is_dir() {
        return Err(unreadable(&file, "a folder".into(), &format!("a regular file: {advice}")));
    }
    if !metadata.is_file() {
        let expected = format!("a regular file: {advice}; write what it gives to a file first, and name that");
        return Err(unreadable(&file, "found a pipe or a device".into(), &expected));
    }
    if metadata.len() > MAX_BYTES {
        let expected = format!("a model's configuration of at most {MAX_BYTES} bytes");
        return Err(unreadable(&file, format!("{} bytes", metadata.len()), &expected));
    }
    let mut text = String::new();
    let open = std::fs::File::open(&file).map_err(failed)?;
    open.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}
