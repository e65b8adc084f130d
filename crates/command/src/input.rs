//! Text files that are read whole: regular ones, up to a limit.

use super::Failure;
use std::fs::{File, metadata};
use std::io::Read;
use std::path::Path;

/// The text of a file of at most `most` bytes, which should hold what is expected. Whether it is a regular file is asked before
/// it is opened: to open a pipe may wait for ever, and a device may have no end.
pub fn text(path: &Path, most: u64, expected: &str) -> Result<String, Failure> {
    let about = |found: String| Failure::Usage(format!("{}: {found}", path.display()));
    let failed = |error: std::io::Error| about(format!("{error}: expected a file with {expected}"));
    let kind = metadata(path).map_err(failed)?;
    if kind.is_dir() {
        return Err(about(format!("found a folder: expected a file with {expected}")));
    }
    if !kind.is_file() {
        let advice = "write what it gives to a file first, and name that";
        return Err(about(format!("found a pipe or a device: expected a regular file with {expected}; {advice}")));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(about(format!("more than {most} bytes: expected {expected}")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        about(format!("no UTF-8 from byte {valid} on: expected {expected}"))
    })
}
